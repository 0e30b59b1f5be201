/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs ahead, nodes, licenses and the rules of its partition that keep a job from starting. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/cluster/host_state.h"
#include "core/queue/reasons.h"
#include "core/sim/sim_site.h"
#include "core/why/why_hold.h"

#define NUMBER_MAX 40

static const char *needs_grouped(double x, char buf[NUMBER_MAX])
{
	(void)format_grouped(x, buf, NUMBER_MAX);
	return buf;
}

/* ---- jobs ahead ----------------------------------------------------------------------------- */

struct ahead {
	uint32_t jobs;
	double hours;		/* infinite: a job has no time limit; NaN: one is unknown */
};

static bool is_same_partition(const struct job_index *x, uint32_t a, uint32_t b)
{
	if (x->partition[a] != ROW_NONE || !x->partition_name[a] || !x->partition_name[b])
		return x->partition[a] == x->partition[b];
	return x->partition[b] == ROW_NONE &&
	       strcmp(x->partition_name[a], x->partition_name[b]) == 0;
}

/* Whether another entry of its job, under another QOS, precedes E in the same partition. */
static bool is_again(const struct jobs *j, uint32_t e)
{
	const struct job_index *x = j->index;
	uint32_t first = e;

	while (first > 0 && x->job[first - 1] == x->job[e])
		first--;
	for (uint32_t k = first; x->several && k < x->n && x->job[k] == x->job[e]; k++) {
		if (j->order->rank[k] < j->order->rank[e] && is_same_partition(x, k, e))
			return true;
	}
	return false;
}

static struct ahead count_ahead(const struct hold *h)
{
	const struct job_index *x = h->j->index;
	const struct queue_order *o = h->j->order;
	struct ahead a = { 0, 0 };

	for (uint32_t i = 0; i + 1 < o->rank[h->entry]; i++) {
		uint32_t e = o->order[i];
		int64_t limit = cluster_i64(h->c, F_JOB_TIME_LIMIT, x->job[e]);

		if (x->job[e] == h->job || !is_same_partition(x, e, h->entry) || is_again(h->j, e))
			continue;
		a.jobs += x->tasks[e];
		a.hours += limit == I64_INFINITE ? (double)INFINITY :
			   limit == I64_UNKNOWN || x->cpus[e] >= U32_UNKNOWN ? F64_UNKNOWN :
			   (double)x->cpus[e] * (double)limit / 3600 * x->tasks[e];
	}
	return a;
}

/* Small numbers with a decimal. */
static const char *few_hours(double x, char buf[NUMBER_MAX])
{
	if (x < 9.95)
		(void)snprintf(buf, NUMBER_MAX, "%.1f", x);
	else
		(void)format_grouped(x, buf, NUMBER_MAX);
	return buf;
}

void hold_by_priority(const struct hold *h)
{
	bool known = h->j->order->rank[h->entry] != U32_UNKNOWN;
	struct ahead a = { 0, F64_UNKNOWN };
	char text[400], jobs[NUMBER_MAX], hours[NUMBER_MAX];
	const char *why = jobs_left_out(h->j, h->entry);
	struct why_line *line;

	if (known)
		a = count_ahead(h);
	if (!known)
		(void)snprintf(text, sizeof(text), "the number of jobs ahead of it is unknown: "
			       "%.120s", why ? why : "it is not ranked");
	else if (a.jobs == 0)
		(void)snprintf(text, sizeof(text), "no job is ahead of it in %.100s",
			       h->partition_name);
	else if (isfinite(a.hours))
		(void)snprintf(text, sizeof(text), "%s %s asking for %s CPU-hours %s ahead of it "
			       "in %.100s", needs_grouped(a.jobs, jobs),
			       plural(a.jobs, "job", "jobs"), few_hours(a.hours, hours),
			       plural(a.jobs, "is", "are"), h->partition_name);
	else
		(void)snprintf(text, sizeof(text), "%s %s ahead of it in %.100s",
			       needs_grouped(a.jobs, jobs), plural(a.jobs, "job is", "jobs are"),
			       h->partition_name);
	line = hold_line(h, "priority", "priority: %s", text);
	why_number(line, "jobs", known ? a.jobs : F64_UNKNOWN);
	why_number(line, "cpu_hours", isfinite(a.hours) ? a.hours : F64_UNKNOWN);
	why_word(line, "partition", h->partition_name);
	hold_cause(h, "priority");
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* What it needs, and how much of that is free. */
struct needs_room {
	uint32_t nodes, cpus;		/* U32_UNKNOWN */
	double memory;			/* MiB in total; 0: not counted */
	const char *gres;		/* the first requested per node, NULL: none */
	uint32_t gres_count;
	bool spreads;			/* over any number of nodes */
	uint32_t each;			/* CPUs of a node, its even share */
	uint32_t free_nodes;		/* with that share free; U32_UNKNOWN */
	uint32_t free_cpus;		/* on all its nodes; U32_UNKNOWN */
	uint32_t all, unusable;		/* nodes of its partition */
};

static void count_unusable(const struct hold *h, struct needs_room *r)
{
	for (uint32_t i = 0; i < cluster_rows(h->c, TABLE_HOST); i++) {
		if (!cluster_list_has(h->c, F_HOST_PARTITIONS, i, h->partition_name))
			continue;
		r->all++;
		r->unusable += !host_usable(h->c, i);
	}
}

/* The free CPUs on NODE as reported, else from the jobs' own lists. */
static uint32_t free_on(const struct site *s, uint32_t node)
{
	uint32_t used = cluster_u32(s->c, F_HOST_CPUS_USED, node);
	uint32_t cpus = s->nodes[node].cpus;

	if (used == U32_UNKNOWN)
		return s->guesses[SITE_NO_SHARES] > 0 ? U32_UNKNOWN : s->nodes[node].free;
	return used < cpus ? cpus - used : 0;
}

/* Whether the GRES of JOB are free on NODE, and all of its CPUs if it needs those. */
static bool has_whole(const struct site *s, const struct site_job *job, uint32_t node,
		      uint32_t free)
{
	const struct site_node *n = &s->nodes[node];

	for (uint32_t k = 0; k < s->gres_count; k++) {
		if (job->gres[k] > n->free_gres[k])
			return false;
	}
	return !job->exclusive || free == n->cpus;
}

/* How many of FREE CPUs on NODE there is memory for. */
static uint32_t with_memory(const struct site *s, const struct site_job *job,
			    const struct needs_room *r, uint32_t node, uint32_t free)
{
	double most = r->memory > 0 && job->memory > 0 ?
		      s->nodes[node].free_memory / job->memory : free;

	return most >= free ? free : most > 0 ? (uint32_t)most : 0;
}

static void needs_count_free(const struct site *s, const struct site_job *job, struct needs_room *r)
{
	uint64_t *avail = mem_alloc(s->words, sizeof(*avail));

	memcpy(avail, site_nodes(s, job), s->words * sizeof(*avail));
	site_leave_out_completing(s, avail);
	(void)site_leave_out_reserved(s, s->now, s->now + job->limit, avail);
	r->free_nodes = r->free_cpus = 0;
	for (uint32_t i = 0; i < s->node_count && r->free_nodes != U32_UNKNOWN; i++) {
		uint32_t free = site_has(avail, i) ? free_on(s, i) : 0;

		if (free == U32_UNKNOWN) {
			r->free_nodes = r->free_cpus = U32_UNKNOWN;
		} else if (site_has(avail, i)) {
			if (!has_whole(s, job, i, free))
				continue;
			r->free_cpus += with_memory(s, job, r, i, free);
			r->free_nodes += free >= r->each &&
					 (r->memory <= 0 || s->nodes[i].free_memory >=
							    r->memory / job->min_nodes);
		}
	}
	mem_free(avail);
}

/* Free resources are unknown if jobs are hidden, or a request is not modelled. */
static struct needs_room needs_room_of(const struct hold *h)
{
	const struct job_index *x = h->j->index;
	struct needs_room r = { .nodes = x->min_nodes[h->entry], .free_nodes = U32_UNKNOWN,
			  .cpus = cluster_u32(h->c, F_JOB_CPUS, h->job), .free_cpus = U32_UNKNOWN };
	struct err err = { .code = ERR_NONE };
	struct site_job job;
	struct site s;

	r.spreads = r.nodes == 1 && cluster_u32(h->c, F_JOB_MAX_NODES, h->job) != 1;
	count_unusable(h, &r);
	if (!site_open(&s, h->c, x, &err)) {
		site_free(&s);
		return r;
	}
	job = site_job_of(&s, x, h->entry);
	if (s.counts_memory)
		r.memory = tres_list_count(cluster_tres(h->c, F_JOB_TRES, h->job),
					   cluster_find_tres(h->c, "mem"));
	if (job.obstacle == SITE_NO_OBSTACLE && r.nodes != U32_UNKNOWN && job.min_nodes > 0 &&
	    s.guesses[SITE_NO_NODE_SIZE] == 0 && s.guesses[SITE_ROUGH_RESERVATION] == 0) {
		r.nodes = job.min_nodes;
		r.spreads = r.nodes == 1 && job.max_nodes > 1;	/* by its partition's limits */
		r.each = (job.cpus + r.nodes - 1) / r.nodes;
		for (uint32_t k = s.gres_count; k-- > 0;) {
			r.gres = job.gres[k] > 0 ? cluster_tres_name(h->c, s.gres[k]) : r.gres;
			r.gres_count = job.gres[k] > 0 ? job.gres[k] : r.gres_count;
		}
		needs_count_free(&s, &job, &r);
	}
	site_free(&s);
	return r;
}

static void put_room(const struct hold *h, const struct needs_room *r, char *text, size_t size)
{
	char a[NUMBER_MAX], b[NUMBER_MAX];

	if (r->nodes != U32_UNKNOWN && (r->nodes > 1 || !r->spreads))
		format_append(text, size, " %s %s%s", needs_grouped(r->nodes, a),
			      plural(r->nodes, "node", "nodes"),
			      r->cpus != U32_UNKNOWN ? " with" : "");
	if (r->cpus != U32_UNKNOWN)
		format_append(text, size, " %s %s", needs_grouped(r->cpus, a),
			      plural(r->cpus, "CPU", "CPUs"));
	if (r->memory > 0)
		format_append(text, size, " and %s MiB of memory", needs_grouped(r->memory, a));
	format_append(text, size, "%s", r->nodes != U32_UNKNOWN && r->nodes > 1 ? " in all" : "");
	if (r->gres)
		format_append(text, size, " and %s %.60s on each node",
			      needs_grouped(r->gres_count, a), r->gres);
	if (r->free_nodes != U32_UNKNOWN && r->spreads)
		format_append(text, size, "; %s %s of %.100s %s free for it",
			      needs_grouped(r->free_cpus, a), plural(r->free_cpus, "CPU", "CPUs"),
			      h->partition_name, plural(r->free_cpus, "is", "are"));
	else if (r->free_nodes != U32_UNKNOWN)
		format_append(text, size, "; %s %s of %.100s %s %s %s%s free for it",
			      needs_grouped(r->free_nodes, a),
			      plural(r->free_nodes, "node", "nodes"), h->partition_name,
			      plural(r->free_nodes, "has", "have"), needs_grouped(r->each, b),
			      plural(r->each, "CPU", "CPUs"),
			      r->memory > 0 ? " and its share of memory" : "");
}

static double u32_or_nan(uint32_t x)
{
	return x >= U32_UNKNOWN ? F64_UNKNOWN : x;
}

/* A job that requests a reservation cannot use other nodes. */
static void put_reservation(const struct hold *h, char *text, size_t size)
{
	uint32_t row = cluster_row_of(h->c, F_RESERVATION_NAME,
				      cluster_text_id(h->c, F_JOB_RESERVATION, h->job));
	int64_t end = row == ROW_NONE ? I64_UNKNOWN : cluster_i64(h->c, F_RESERVATION_END, row);
	char when[WHY_WHEN_MAX];

	if (!job_is_reserved(h->c, h->job))
		return;
	format_append(text, size, "; only in reservation %.100s",
		      cluster_text(h->c, F_JOB_RESERVATION, h->job));
	if (end != I64_UNKNOWN && end != I64_INFINITE)
		format_append(text, size, ", until %s", why_when(h->w, end, when));
}

void hold_by_resources(const struct hold *h)
{
	struct needs_room r = needs_room_of(h);
	char text[900] = "resources: needs", a[NUMBER_MAX], b[NUMBER_MAX];
	struct why_line *line;

	if (r.nodes == U32_UNKNOWN && r.cpus == U32_UNKNOWN)
		(void)snprintf(text, sizeof(text), "resources: its request is unknown");
	else
		put_room(h, &r, text, sizeof(text));
	if (r.unusable > 0)
		format_append(text, sizeof(text), "; %s of its %s nodes cannot be used (down, "
			      "drained or reserved)", needs_grouped(r.unusable, a),
			      needs_grouped(r.all, b));
	put_reservation(h, text, sizeof(text));
	line = hold_line(h, "resources", "%s", text);
	why_number(line, "nodes", u32_or_nan(r.nodes));
	why_number(line, "cpus", u32_or_nan(r.cpus));
	if (r.spreads)
		why_number(line, "free_cpus", u32_or_nan(r.free_cpus));
	else
		why_number(line, "free_nodes", u32_or_nan(r.free_nodes));
	why_number(line, "unusable_nodes", r.all > 0 ? r.unusable : F64_UNKNOWN);
	why_word(line, "partition", h->partition_name);
	hold_cause(h, "resources");
}

void hold_by_nodes(const struct hold *h)
{
	const char *asked = cluster_text(h->c, F_JOB_NODES_ASKED, h->job);
	const char *text = cluster_text(h->c, F_JOB_REASON_TEXT, h->job);
	struct why_line *line;

	if (!text || strncmp(text, h->reason, strlen(h->reason)) == 0)
		text = strchr(text ? text : h->reason, ',');
	text += text ? strspn(text, ", ") : 0;
	line = hold_line(h, "resources", "resources: %s (%s)%s%s%s%s",
			 reason_of(h->reason)->meaning, h->reason,
			 asked && *asked ? "; it asks for " : "", asked ? asked : "",
			 text && *text ? ": " : "", text ? text : "");
	why_word(line, "nodes_asked", asked);
	why_word(line, "reason_text", text);
	hold_cause(h, "nodes that are not available");
}

/* ---- licenses ------------------------------------------------------------------------------- */

bool hold_by_license(const struct hold *h)
{
	const char *at = cluster_text(h->c, F_JOB_LICENSES, h->job);
	uint32_t row, asks;

	if (!site_knows_licenses(h->c, h->job))
		return false;
	while (at && site_next_license(h->c, &at, &row, &asks)) {
		uint32_t used = cluster_u32(h->c, F_LICENSE_USED, row);
		uint32_t total = cluster_u32(h->c, F_LICENSE_TOTAL, row);
		const char *name = cluster_text(h->c, F_LICENSE_NAME, row);
		struct why_line *line;

		if (asks <= total && (used == U32_UNKNOWN || used + asks <= total))
			continue;
		if (asks > total)
			line = hold_line(h, "never", "asks for %u of license %s, but there %s %u",
					 asks, name, plural(total, "is", "are"), total);
		else
			line = hold_line(h, "license", "license %s: %u of %u in use, it asks for "
					 "%u", name, used, total, asks);
		why_word(line, "license", name);
		why_number(line, "used", u32_or_nan(used));
		why_number(line, "most", total);
		why_number(line, "asks", asks);
		hold_cause(h, "a license");
		return true;
	}
	return false;
}

/* ---- rules of the partition ----------------------------------------------------------------- */

static bool qos_lifts(const struct hold *h, const char *flag)
{
	return cluster_list_has(h->c, F_QOS_FLAGS, h->j->index->qos[h->entry], flag);
}

static void rule_facts(const struct hold *h, struct why_line *line, const char *what, double bound,
		       double asks)
{
	why_word(line, "limit", what);
	why_word(line, "of", h->partition_name);
	why_number(line, asks < bound ? "least" : "most", bound);
	why_number(line, "asks", asks);
	hold_cause(h, "a limit of partition %s", h->partition_name);
}

bool hold_by_size(const struct hold *h)
{
	uint32_t p = h->partition, nodes = h->j->index->min_nodes[h->entry];
	uint32_t cpus = cluster_u32(h->c, F_JOB_CPUS, h->job);
	uint32_t has, most, least, has_cpus;
	const char *kind = h->several ? "partition" : "never";

	if (p == ROW_NONE)
		return false;
	has = cluster_u32(h->c, F_PARTITION_NODES, p);
	most = cluster_u32(h->c, F_PARTITION_MAX_NODES, p);
	least = cluster_u32(h->c, F_PARTITION_MIN_NODES, p);
	has_cpus = cluster_u32(h->c, F_PARTITION_CPUS, p);
	if (nodes < U32_UNKNOWN && nodes > has)
		rule_facts(h, hold_line(h, kind, "asks for %u %s, partition %s has %u", nodes,
					plural(nodes, "node", "nodes"), h->partition_name, has),
			   "nodes", has, nodes);
	else if (nodes < U32_UNKNOWN && nodes > most && !qos_lifts(h, "PartitionMaxNodes"))
		rule_facts(h, hold_line(h, kind, "asks for %u nodes, partition %s allows %u at "
					"most (MaxNodes)", nodes, h->partition_name, most),
			   "MaxNodes", most, nodes);
	else if (h->reason && strcmp(h->reason, "PartitionNodeLimit") == 0 &&
		 least < U32_UNKNOWN && nodes < least)
		rule_facts(h, hold_line(h, kind, "asks for %u %s, partition %s requires %u at "
					"least (MinNodes)", nodes, plural(nodes, "node", "nodes"),
					h->partition_name, least), "MinNodes", least, nodes);
	else if (cpus < U32_UNKNOWN && cpus > has_cpus)
		rule_facts(h, hold_line(h, kind, "asks for %u CPUs, partition %s has %u", cpus,
					h->partition_name, has_cpus), "cpus", has_cpus, cpus);
	else
		return false;
	return true;
}

bool hold_by_time_limit(const struct hold *h)
{
	int64_t asks = cluster_i64(h->c, F_JOB_TIME_LIMIT, h->job), most;
	char a[WHY_WHEN_MAX], b[WHY_WHEN_MAX];

	if (h->partition == ROW_NONE || asks == I64_UNKNOWN)
		return false;
	most = cluster_i64(h->c, F_PARTITION_MAX_TIME, h->partition);
	if (most == I64_UNKNOWN || most <= 0 || asks <= most || qos_lifts(h, "PartitionTimeLimit"))
		return false;
	rule_facts(h, hold_line(h, h->several ? "partition" : "never",
				"its time limit is %s, partition %s allows %s at most (MaxTime)",
				asks == I64_INFINITE ? "unlimited" : why_span(asks, a),
				h->partition_name, why_span(most, b)),
		   "MaxTime", (double)most,
		   asks == I64_INFINITE ? (double)INFINITY : (double)asks);
	return true;
}
