/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/starts.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/base/word.h"
#include "core/cluster/host_list.h"
#include "core/cluster/limit.h"
#include "core/cluster/policy.h"
#include "core/queue/jobs.h"
#include "core/queue/reasons.h"
#include "core/sim/calibration.h"
#include "core/sim/slurm_run.h"

struct starting {
	struct starts out;		/* without notes and spans */
	struct starts_options o;
	struct site site;		/* the present state */
	struct likely_site pool;	/* a pool of its CPUs; without LIKELY: not made yet */
	struct lengths *lengths;	/* from the whole log */
	struct calibration *calibration;	/* NULL: no log is known */
	struct likely_factors factors;
	bool played, calibrated, spans;
};

/* ---- simulation ---------------------------------------------------------------------------- */

static void put_runs(struct site *site, const struct starts_run *runs, size_t count)
{
	for (size_t i = 0; i < site->job_count; i++) {
		struct site_job *job = &site->jobs[i];
		uint32_t array = cluster_u32(site->c, F_JOB_ARRAY, job->row);

		for (size_t k = 0; k < count; k++) {
			if ((runs[k].id != job->id && runs[k].id != array) ||
			    (runs[k].task != U32_UNKNOWN &&
			     (runs[k].task != job->task || job->count > 1)))
				continue;
			job->run = runs[k].seconds;
			job->ignores_term = runs[k].ignores_term;
			if (job->state == SITE_RUNS)
				site_foresee(site, job);
		}
	}
}

static void free_rows(struct starts *s)
{
	for (size_t i = 0; i < s->count; i++)
		mem_free(s->rows[i].nodes);
	mem_free(s->rows);
}

static int64_t starts_time_of(const struct starts *s, uint32_t after)
{
	return after == LIKELY_NEVER ? I64_UNKNOWN : cluster_meta(s->c)->time + after;
}

static char *starts_nodes_of(const struct site *site, const struct site_job *job)
{
	const char **names = mem_alloc((size_t)job->share_count + 1, sizeof(*names));
	struct bytes text = { NULL, 0, 0 };

	for (uint32_t i = 0; i < job->share_count; i++)
		names[i] = cluster_text(site->c, F_HOST_NAME, job->shares[i].node);
	bytes_append(&text, "", 0);
	host_list_write(names, job->share_count, &text);
	mem_free(names);
	return text.data;
}

/* Whether the job at ROW of the JOB table, or a task of it, has begun; it was pending. */
static bool starts_has_begun(const struct site *site, uint32_t row)
{
	size_t i = 0;

	while (i < site->job_count &&
	       (site->jobs[i].row != row || site->jobs[i].place == 0 ||
		site->jobs[i].start == I64_UNKNOWN))
		i++;
	return i < site->job_count;
}

/*
 * Makes rows of the initially pending jobs in queue order. ROUGH: s from now per job, NULL: starts
 * of SITE. ONLY: the job until which it was simulated, NULL: all; up to UNTIL, 0: no bound.
 */
static void starts_put_rows(struct starts *s, const struct site *site, const uint32_t *rough,
			    const uint32_t *only, int64_t until)
{
	bool over = rough ? site->bundles : site->over;
	bool begun = only && starts_has_begun(site, *only),
	     unwanted = until > 0 && site->now > until;

	free_rows(s);
	s->count = site->waiting;
	s->rows = mem_zalloc(s->count + 1, sizeof(*s->rows));
	for (size_t i = 0; i < site->job_count; i++) {
		const struct site_job *job = &site->jobs[i];
		bool later = over || (only && (begun || unwanted || job->row != *only));
		enum site_obstacle obstacle =
			job->obstacle == SITE_NO_OBSTACLE && later ? SITE_LATER : job->obstacle;
		int64_t start = job->start;

		if (job->place > 0 && rough)
			start = starts_time_of(s, rough[job->place - 1]);
		/* Of a job's entries the one that begins counts, else the first. */
		if (job->place == 0 || (s->rows[job->place - 1].place > 0 && start == I64_UNKNOWN))
			continue;
		s->rows[job->place - 1] = (struct starts_row){
			.job = job->row, .id = job->id, .task = job->task,
			.tasks = job->count, .place = job->place + job->ahead,
			.start = start, .p10 = I64_UNKNOWN, .p50 = I64_UNKNOWN, .p90 = I64_UNKNOWN,
			.after = ROW_NONE, .after_end = I64_UNKNOWN,
			.obstacle = start == I64_UNKNOWN ? obstacle : SITE_NO_OBSTACLE,
			.brief = start == I64_UNKNOWN ?
				 site_obstacle_brief(s->c, job->row, obstacle) : NULL,
			.nodes = job->shares ? starts_nodes_of(site, job) : NULL };
	}
}

/* Rows in the order of their starts. */
static int by_start(const void *a, const void *b)
{
	const struct starts_row *x = *(struct starts_row *const *)a;
	const struct starts_row *y = *(struct starts_row *const *)b;

	if (x->start != y->start)
		return x->start > y->start ? 1 : -1;
	return (x->place > y->place) - (x->place < y->place);
}

/* The first jobs that begin on a node. */
struct firsts {
	struct starts_row *rows[STARTS_BEFORE];
	uint32_t count;
};

/* Merges the jobs of F that begin before START into FOUND, which keeps the earliest, each once. */
static void take_firsts(struct firsts *found, int64_t start, const struct firsts *f)
{
	for (uint32_t k = 0; k < f->count && f->rows[k]->start < start; k++) {
		uint32_t at = 0;

		while (at < found->count && by_start(&found->rows[at], &f->rows[k]) < 0)
			at++;
		if (at == STARTS_BEFORE || (at < found->count && found->rows[at] == f->rows[k]))
			continue;
		found->count += found->count < STARTS_BEFORE;
		for (uint32_t i = found->count; i-- > at + 1;)
			found->rows[i] = found->rows[i - 1];
		found->rows[at] = f->rows[k];
	}
}

/* Sets, for each start, the first jobs that begin on its nodes before it. */
static void put_before(struct starts *s, const struct site *site)
{
	struct starts_row **order = mem_alloc(s->count + 1, sizeof(struct starts_row *));
	struct firsts *firsts = mem_zalloc((size_t)site->node_count + 1, sizeof(*firsts));
	const struct site_job **jobs = mem_zalloc(s->count + 1, sizeof(const struct site_job *));

	for (size_t i = 0; i < site->job_count; i++) {
		if (site->jobs[i].place > 0 && site->jobs[i].shares)
			jobs[site->jobs[i].place - 1] = &site->jobs[i];
	}
	for (size_t i = 0; i < s->count; i++)
		order[i] = &s->rows[i];
	qsort(order, s->count, sizeof(*order), by_start);
	for (size_t i = 0; i < s->count; i++) {
		struct firsts found = { .count = 0 };
		struct starts_row *r = order[i];
		const struct site_job *job = jobs[r - s->rows];

		for (uint32_t k = 0; job && k < job->share_count; k++) {
			struct firsts *f = &firsts[job->shares[k].node];

			take_firsts(&found, r->start, f);
			if (f->count < STARTS_BEFORE)
				f->rows[f->count++] = r;
		}
		r->before_count = found.count;
		for (uint32_t k = 0; k < found.count; k++)
			r->before[k] = (uint32_t)(found.rows[k] - s->rows);
	}
	MEM_FREE(jobs, firsts, order);
}

/* A job that begins or ends. */
struct starts_turn {
	int64_t time;
	bool begins;
	const struct site_job *job;
};

/* Ends come before starts at the same time. */
static int starts_by_time(const void *a, const void *b)
{
	const struct starts_turn *x = a, *y = b;

	if (x->time != y->time)
		return x->time > y->time ? 1 : -1;
	return x->begins - y->begins;
}

/* Sets the last job to leave the nodes of R, which begins as JOB; LAST: per node. */
static void take_last(struct starts_row *r, const struct site_job *job,
		      const struct site_job **last)
{
	for (uint32_t k = 0; k < job->share_count; k++) {
		const struct site_job *left = last[job->shares[k].node];

		if (!left || left == job || (r->after != ROW_NONE && left->end <= r->after_end))
			continue;
		r->after = left->row;
		r->after_end = left->end;
	}
}

/* Sets which job has to leave before each start. */
static void put_after(struct starts *s, const struct site *site)
{
	struct starts_turn *turns = mem_alloc(2 * site->job_count + 1, sizeof(*turns));
	const struct site_job **last = mem_zalloc((size_t)site->node_count + 1,
						  sizeof(const struct site_job *));
	size_t count = 0;

	for (size_t i = 0; i < site->job_count; i++) {
		const struct site_job *job = &site->jobs[i];

		if (job->shares && job->place > 0)
			turns[count++] = (struct starts_turn){ job->start, true, job };
		if (job->shares && job->state != SITE_RUNS)
			turns[count++] = (struct starts_turn){ job->end, false, job };
	}
	qsort(turns, count, sizeof(*turns), starts_by_time);
	for (size_t i = 0; i < count; i++) {
		const struct site_job *job = turns[i].job;

		if (turns[i].begins)
			take_last(&s->rows[job->place - 1], job, last);
		for (uint32_t k = 0; !turns[i].begins && k < job->share_count; k++)
			last[job->shares[k].node] = job;
	}
	mem_free(last);
	mem_free(turns);
}

bool starts_is_against(const struct cluster *c, uint32_t row, int64_t start, bool several)
{
	const char *reason = cluster_text(c, F_JOB_REASON, row);
	bool soon = start <= cluster_meta(c)->time + STARTS_SOON;

	if (!reason || !*reason || start == I64_UNKNOWN)
		return false;
	switch (reason_played(reason)) {
	case REASON_STOP:
		return true;
	case REASON_RULE:
		return !several;
	case REASON_DEPENDENCY:
		return soon || !cluster_text(c, F_JOB_DEPENDENCY, row);
	case REASON_LICENSES:
		return soon || !cluster_text(c, F_JOB_LICENSES, row);
	case REASON_ARRAY:
	case REASON_LIMIT:
		return soon;
	case REASON_NODES:
		return soon && !several;
	default:
		return false;
	}
}

/*
 * Removes the starts that contradict the scheduler's reason: by the known limits, licenses or nodes
 * the job could begin then, so some of that data was not read.
 */
static void drop_doubtful(struct starts *s, const struct site *site)
{
	uint32_t *entries = mem_zalloc(s->count + 1, sizeof(*entries));

	for (size_t i = 0; i < site->job_count; i++) {
		if (site->jobs[i].place > 0)
			entries[site->jobs[i].place - 1]++;
	}
	for (size_t i = 0; i < s->count; i++) {
		struct starts_row *r = &s->rows[i];

		if (!starts_is_against(s->c, r->job, r->start, entries[i] > 1))
			continue;
		mem_free(r->nodes);
		r->nodes = NULL;
		r->start = I64_UNKNOWN;
		r->obstacle = SITE_UNPLAYED;
		r->brief = site_obstacle_brief(s->c, r->job, SITE_UNPLAYED);
	}
	mem_free(entries);
}

/* ---- notes --------------------------------------------------------------------------------- */

static void ERR_PRINTF(2, 3) starts_say(struct starts *s, const char *format, ...)
{
	va_list ap;

	MEM_GROW(s->notes, s->note_capacity, s->note_count + 1);
	va_start(ap, format);
	vsnprintf(s->notes[s->note_count++].text, sizeof(s->notes->text), format, ap);
	va_end(ap);
}

static const char *const guess_texts[SITE_GUESSES] = {
	[SITE_NO_BOOT] = "the start of slurmctld is unknown: its cycles are counted from the "
			 "time of the data, and starts may be off by one",
	[SITE_NO_END] = "running jobs that keep their nodes, as their ends are unknown",
	[SITE_NO_SHARES] = "running jobs assumed to fill node after node, as their CPUs on each "
			   "are unknown",
	[SITE_NO_TASKS] = "pending jobs assumed to allow any number of tasks on a node, as theirs "
			  "is unknown",
	[SITE_ROUGH_RESERVATION] = "reservations of cores, that recur or that draw jobs in, "
				   "simulated as whole nodes, once, closed to these jobs",
	[SITE_NO_AGE] = "pending jobs without age for bf_min_age_reserve until they are tried, as "
			"it is unknown since when they may start",
	[SITE_NO_TIER] = "partitions assumed to have tier 1, as theirs is unknown",
	[SITE_NO_NODE_SIZE] = "nodes where nothing starts, as their CPUs or memory are unknown",
};

/* Parameters that the starts depend on. */
static const char *const parameters[] = {
	"SchedulerType", "SchedulerParameters", "SelectType", "SelectTypeParameters", "KillWait",
	"OverTimeLimit", "PreemptType",
};

/*
 * Words of SchedulerParameters and SelectTypeParameters that affect starts and are not modelled.
 * Like slurmctld, finds the letters anywhere.
 */
static const char *const unplayed_words[] = {
	"assoc_limit_stop", "bf_busy_nodes", "bf_job_part_count_reserve", "bf_licenses",
	"bf_one_resv_per_job", "bf_topopt_enable", "max_rpc_cnt", "max_rpc_count",
	"pack_serial_at_end", "reduce_completing_frag",
};
static const char *const unplayed_choices[] = {
	"cr_lln", "cr_one_task_per_core", "cr_pack_nodes", "cr_socket",
};

static void note_words(struct starts *s, const struct site *site)
{
	for (size_t i = 0; i < sizeof(unplayed_words) / sizeof(unplayed_words[0]); i++) {
		if (word_holds(site->policy->scheduler_parameters, unplayed_words[i]))
			starts_say(s, "SchedulerParameters: %s is not modelled", unplayed_words[i]);
	}
	for (size_t i = 0; i < sizeof(unplayed_choices) / sizeof(unplayed_choices[0]); i++) {
		if (word_holds(site->select, unplayed_choices[i]))
			starts_say(s, "SelectTypeParameters: %s is not modelled",
				   unplayed_choices[i]);
	}
}

static void note_parameters(struct starts *s, const struct site *site)
{
	const struct policy *policy = site->policy;
	const size_t select = policy_param("SelectTypeParameters");
	unsigned long endless = 0;

	note_words(s, site);
	if (strcmp(policy->preempt_type, "preempt/none") != 0 && policy->preempt_type[0])
		starts_say(s, "PreemptType is %s: preemption is not modelled",
			   policy->preempt_type);
	if (policy->over_time_limit == U32_INFINITE)
		starts_say(s, "OverTimeLimit is UNLIMITED: no time limit ends a job");
	for (uint32_t p = 0; p < cluster_rows(s->c, TABLE_PARTITION); p++)
		endless += cluster_u32(s->c, F_PARTITION_OVER_TIME_LIMIT, p) == U32_INFINITE;
	if (endless > 0)
		starts_say(s, "OverTimeLimit of %lu partition%s is UNLIMITED: no time limit ends a "
			   "job there", endless, plural(endless, "", "s"));
	for (size_t i = 0; i < sizeof(parameters) / sizeof(parameters[0]); i++) {
		size_t p = policy_param(parameters[i]);

		if (!policy_is_known(policy, p))
			starts_say(s, "%s is unknown: its default is used, \"%s\"", parameters[i],
				   p == select ? site->select : policy_params[p].default_value);
	}
}

/* Whether its schedulers are modelled. cons_tres is the default since 21.08. */
static bool starts_is_played(const struct cluster *c, struct err *err)
{
	const struct policy *policy = cluster_policy(c);
	const char *version = cluster_meta(c)->version;

	if (policy_hides(policy, "SelectType"))
		return err_set(err, ERR_INPUT, "SelectType was not read, so it is unknown "
			       "what places jobs (expected scontrol show config)");
	if (!policy_knows(policy, "SelectType") && version && *version &&
	    strcmp(version, "21.08") < 0)
		return err_set(err, ERR_INPUT, "SelectType is unknown, and the default of Slurm "
			       "%s is select/linear, which is not modelled", version);
	if (strcmp(policy->select_type, "select/cons_tres") != 0 &&
	    strcmp(policy->select_type, "select/cons_res") != 0)
		return err_set(err, ERR_INPUT, "SelectType \"%s\" is not modelled (expected "
			       "select/cons_tres or select/cons_res)", policy->select_type);
	if (strcmp(policy->scheduler_type, "sched/backfill") != 0 &&
	    strcmp(policy->scheduler_type, "sched/builtin") != 0)
		return err_set(err, ERR_INPUT, "SchedulerType \"%s\" is not modelled (expected "
			       "sched/backfill or sched/builtin)", policy->scheduler_type);
	return true;
}

/* Limits that slurmctld enforces, and sim_site_limits.c does not. */
static const enum field unplayed[] = {
	F_ASSOC_GRP_WALL, F_ASSOC_GRP_TRES_MINS, F_ASSOC_GRP_TRES_RUN_MINS, F_ASSOC_MAX_TRES_MINS,
	F_QOS_GRP_WALL, F_QOS_GRP_TRES_MINS, F_QOS_GRP_TRES_RUN_MINS, F_QOS_MAX_TRES_MINS,
	F_QOS_MIN_TRES, F_QOS_MAX_TRES_RUN_MINS_USER, F_QOS_MAX_TRES_RUN_MINS_ACCOUNT,
};

static bool starts_is_set(const struct cluster *c, enum field limit, uint32_t row)
{
	int64_t seconds;

	if (field_info[limit].type == FIELD_TRES)
		return cluster_tres(c, limit, row).count > 0;
	seconds = cluster_i64(c, limit, row);
	return seconds != I64_UNKNOWN && seconds != I64_INFINITE;
}

static void starts_note_limits(struct starts *s)
{
	for (size_t i = 0; i < sizeof(unplayed) / sizeof(unplayed[0]); i++) {
		enum table table = field_info[unplayed[i]].table;
		unsigned long count = 0;
		char name[LIMIT_NAME_MAX];

		for (uint32_t row = 0; row < cluster_rows(s->c, table); row++)
			count += starts_is_set(s->c, unplayed[i], row);
		limit_name(unplayed[i], name);
		if (count > 0)
			starts_say(s, "%s is not modelled: %lu %s it", name, count,
				   table == TABLE_QOS ? plural(count, "QOS has", "QOS have") :
				   plural(count, "association has", "associations have"));
	}
}

static void starts_put_notes(struct starts *s, const struct site *site)
{
	unsigned long with_qos = 0;

	for (unsigned k = 0; k < SITE_OBSTACLES; k++) {
		unsigned long count = 0;

		for (size_t i = 0; i < s->count; i++)
			count += s->rows[i].start == I64_UNKNOWN && s->rows[i].obstacle == k ?
				 s->rows[i].tasks : 0;
		if (count > 0)
			starts_say(s, "no start for %lu job%s: %s%s", count, plural(count, "", "s"),
				   site_obstacles[k].text, k < SITE_NO_PARTITION ? "" :
				   "; other jobs are placed as if these did not exist");
	}
	for (unsigned k = 0; k < SITE_GUESSES; k++) {
		if (k == SITE_NO_BOOT && site->guesses[k] > 0)
			starts_say(s, "%s", guess_texts[k]);
		else if (site->guesses[k] > 0)
			starts_say(s, "%s: %lu", guess_texts[k], (unsigned long)site->guesses[k]);
	}
	for (uint32_t p = 0; p < cluster_rows(s->c, TABLE_PARTITION); p++)
		with_qos += cluster_text(s->c, F_PARTITION_QOS, p) &&
			    site->partitions[p].qos == ROW_NONE;
	if (with_qos > 0)
		starts_say(s,
			   "%lu partition%s a QOS that was not read: its limits are not enforced",
			   with_qos, plural(with_qos, " has", "s have"));
	if (site->keeps_limits)
		starts_note_limits(s);
	else
		starts_say(s, "AccountingStorageEnforce does not list limits: those of "
			   "associations and QOS are not enforced");
	note_parameters(s, site);
	if (s->reach > 0)
		starts_say(s,
			   "arrays have more than %d tasks: only the next %.1f hours are simulated",
			   SITE_TASKS, (double)s->reach / 3600);
}

/* ---- likely spans -------------------------------------------------------------------------- */

#define OLD_DAYS 3	/* with an older log, too little is known of arrivals */

/*
 * Whether the pool models what a job with this REASON waits for. IN_POOL and IN_SITE are its starts
 * by limits in the pool, and on nodes within limits, s from now. They must differ by at most a pass
 * of the scheduler, or a factor of two.
 */
static bool is_pooled(const char *reason, int64_t in_pool, int64_t in_site)
{
	int64_t first = in_pool < in_site ? in_pool : in_site;
	int64_t last = in_pool < in_site ? in_site : in_pool;

	return (!reason || !*reason || reason_played(reason) == REASON_OPEN) &&
	       (last - first <= STARTS_SOON || last <= 2 * first);
}

/* False if the span goes beyond the time for which it was calibrated. */
static bool starts_span_of(const struct starting *from, const struct starts_row *r,
			   struct likely_span *span)
{
	uint32_t waiting = from->pool.waiting[r - from->out.rows], by_limits;
	const struct joblog *h = from->o.log;
	int64_t now = from->site.now;

	if (r->start == I64_UNKNOWN || waiting == LIKELY_NEVER)
		return false;
	by_limits = likely_by_limits(from->pool.likely, waiting);
	*span = likely_span_scale(likely_span_of(from->pool.likely, waiting), &from->factors);
	return is_pooled(cluster_text(from->out.c, F_JOB_REASON, r->job), by_limits,
			 r->start - now) && span->p90 <= h->until - h->begins;
}

static void put_spans(struct starts *s, const struct starting *from)
{
	unsigned long without = 0;

	for (size_t i = 0; i < s->count && from->spans; i++) {
		struct starts_row *r = &s->rows[i];
		struct likely_span span;

		if (!starts_span_of(from, &from->out.rows[i], &span)) {
			without += r->start != I64_UNKNOWN;
			continue;
		}
		r->p10 = starts_time_of(s, span.p10);
		r->p50 = starts_time_of(s, span.p50);
		r->p90 = starts_time_of(s, span.p90);
	}
	if (without > 0)
		starts_say(s,
			   "no likely span for %lu job%s: longer than the past, or they wait for "
			   "more than CPUs", without, plural(without, "", "s"));
}

static long days_since(const struct starting *s)
{
	return (long)((s->site.now - s->o.log->until) / 86400);
}

static void note_spans(struct starts *s, const struct starting *from)
{
	unsigned long starts = from->factors.starts;

	if (from->site.bundles)
		starts_say(s, "no likely span: arrays have more than %d tasks", SITE_TASKS);
	else if (!from->o.log)
		starts_say(s, "no likely span: no past data (expected a recording, or --history)");
	else if (!from->calibration)
		starts_say(s, "no likely span: the past ends %ld days before the data (expected at "
			"most %d)", days_since(from), OLD_DAYS);
	else if (from->spans)
		starts_say(s, "likely spans: P10 to P90 of %d runs of a pool of CPUs, calibrated "
			   "on %lu jobs that started at %u points in the past", LIKELY_ROUNDS,
			   starts, (unsigned)calibration_instants(from->calibration));
	else if (from->calibrated && starts >= CALIBRATION_LEAST)
		starts_say(s, "no likely span: too many past jobs are still pending to say when 9 "
			   "of 10 have started");
	else if (from->calibrated)
		starts_say(s, "no likely span: the past is too short to calibrate it, as %lu "
			   "job%s of it waited and started (expected %d)", starts,
			   plural(starts, "", "s"), CALIBRATION_LEAST);
}

/* ---- step by step -------------------------------------------------------------------------- */

/* Whether entry B of BASE was held and its priority without the hold is computed. */
static bool is_released(const struct jobs *base, uint32_t b, const struct prio_result *is,
			uint32_t e)
{
	return base->index->kind[b] == JOB_HELD && is->origin[e] == PRIO_COMPUTED;
}

int64_t *starts_points(const struct jobs *base, const struct jobs *edited, const uint32_t *entry)
{
	const struct prio_result *was = base->prio, *is = edited->prio;
	const struct cluster *c = edited->index->cluster;
	uint32_t n = edited->index->n;
	int64_t *points = mem_zalloc((size_t)n + 1, sizeof(*points));

	for (uint32_t e = 0; e < n; e++) {
		uint32_t b = entry ? entry[e] : e;

		if (b == ROW_NONE)
			continue;
		if (cluster_u32(c, F_JOB_PRIORITY, edited->index->job[e]) == U32_UNKNOWN)
			points[e] = is_released(base, b, is, e) ? is->priority[e] : 0;
		else if (was->origin[b] == PRIO_COMPUTED && is->origin[e] == PRIO_COMPUTED)
			points[e] = (int64_t)is->priority[e] - was->priority[b];
		else if (was->origin[b] == PRIO_ORIGIN_UNREPORTED &&
			 is->origin[e] == PRIO_ORIGIN_UNKNOWN)
			points[e] = I64_UNKNOWN;
	}
	return points;
}

static void give_priority(struct site_job *job, int64_t points)
{
	if (points <= 0 || points >= U32_UNKNOWN)
		return;
	job->priority = (uint32_t)points;
	if (job->obstacle == SITE_NO_PRIORITY)
		job->obstacle = SITE_NO_OBSTACLE;
}

/* Moves the priorities reported for jobs in the first ROWS by the change of the computed ones. */
static void starts_put_points(struct site *site, const int64_t *points, uint32_t rows)
{
	for (size_t i = 0; i < site->job_count; i++) {
		struct site_job *job = &site->jobs[i];
		int64_t priority;

		if (job->state != SITE_WAITS || job->priority == 0 || job->row >= rows)
			continue;
		if (job->priority == U32_UNKNOWN) {	/* it is released: POINTS is all it has */
			give_priority(job, points[job->entry]);
			continue;
		}
		if (points[job->entry] == I64_UNKNOWN) {
			job->priority = U32_UNKNOWN;
			job->obstacle = SITE_NO_PRIORITY;
			continue;
		}
		priority = job->priority + points[job->entry];
		job->priority = priority < 1 ? 1 : priority >= U32_UNKNOWN ? U32_UNKNOWN - 1 :
				(uint32_t)priority;
	}
	site_sort(site);
	site_number(site);
}

struct starting *starts_begin(const struct cluster *c, const struct starts_options *o,
			      struct err *err)
{
	uint32_t rows = cluster_rows(c, TABLE_JOB);
	struct starting *s;
	bool good;

	if (policy_scheduler_of(cluster_meta(c)->kind) != POLICY_OF_SLURM) {
		err_set(err, ERR_INPUT, "%s: starts of its jobs are not simulated (expected "
			"Slurm)", cluster_meta(c)->kind);
		return NULL;
	}
	if (!starts_is_played(c, err))
		return NULL;
	s = mem_zalloc(1, sizeof(*s));
	s->o = *o;
	good = site_make(&s->site, c, err);
	s->out.c = c;
	if (!good) {
		starts_end(s);
		return NULL;
	}
	if (o->points)
		starts_put_points(&s->site, o->points, rows);
	s->site.wanted = o->wanted;
	s->site.context = o->context;
	if (o->log && !s->site.bundles && days_since(s) <= OLD_DAYS) {
		struct likely_options options = likely_pool_options(&s->site, o->seed);

		s->calibration = calibration_new(o->log, &options);
		s->lengths = lengths_new();
		joblog_learn(o->log, o->log->until, s->lengths);
	}
	return s;
}

void starts_end(struct starting *s)
{
	if (!s)
		return;
	likely_pool_free(&s->pool);
	calibration_free(s->calibration);
	lengths_free(s->lengths);
	site_free(&s->site);
	starts_free(&s->out);
	mem_free(s);
}

static void make_pool(struct starting *s)
{
	struct likely_options o = likely_pool_options(&s->site, s->o.seed);

	if (!s->pool.likely)
		likely_pool_make(&s->pool, &s->site, s->o.log, s->lengths, &o);
}

static void play_roughly(struct starting *s)
{
	uint32_t *starts = mem_alloc((size_t)s->site.waiting + 1, sizeof(*starts));

	make_pool(s);
	for (uint32_t i = 0; i < s->site.waiting; i++) {
		uint32_t waiting = s->pool.waiting[i];

		starts[i] = waiting == LIKELY_NEVER ? LIKELY_NEVER :
			    likely_by_limits(s->pool.likely, waiting);
		starts[i] = starts[i] > s->pool.until ? LIKELY_NEVER : starts[i];
	}
	starts_put_rows(&s->out, &s->site, starts, NULL, 0);
	s->out.rough = true;
	mem_free(starts);
}

/* A site simulated for one job. */
struct starts_watched {
	const struct site *site;
	const struct starts_options *o;
};

/* Whether the answer is wanted, and the job in question may still begin. */
static bool starts_may_begin(void *context)
{
	const struct starts_watched *w = context;
	bool may = false;

	for (size_t i = 0; i < w->site->job_count; i++) {
		const struct site_job *job = &w->site->jobs[i];

		may |= job->row == *w->o->only && job->state == SITE_WAITS &&
		       job->obstacle == SITE_NO_OBSTACLE;
	}
	return may && !starts_has_begun(w->site, *w->o->only) &&
	       (w->o->until == 0 || w->site->now <= w->o->until) &&
	       (!w->o->wanted || w->o->wanted(w->o->context));
}

static void starts_play(struct starting *s)
{
	struct site played;
	struct starts_watched watched = { &played, &s->o };

	site_copy(&played, &s->site);
	if (s->o.only) {
		played.wanted = starts_may_begin;
		played.context = &watched;
	}
	put_runs(&played, s->o.runs, s->o.run_count);
	/* By limits, usage would grow far too much; so the order stays that of now. */
	slurm_run(&played, s->o.run_count > 0);
	s->out.reach = played.over ? played.now - s->site.now : 0;
	if (played.bundles)
		site_number_begun(&played);
	starts_put_rows(&s->out, &played, NULL, s->o.only, s->o.until);
	put_before(&s->out, &played);
	put_after(&s->out, &played);
	if (s->o.run_count == 0 && !s->o.points)
		drop_doubtful(&s->out, &played);
	site_free(&played);
	s->out.rough = false;
	s->played = true;
}

/* Takes the next step to likely spans; false: they are complete, or impossible. */
static bool step_spans(struct starting *s)
{
	if (!s->calibration || s->spans)
		return false;
	if (!s->calibrated) {
		s->calibrated = !calibration_step(s->calibration);
		if (s->calibrated)
			(void)calibration_factors(s->calibration, s->o.log->until, &s->factors);
		return true;
	}
	if (s->factors.starts < CALIBRATION_LEAST || isinf(s->factors.p90))
		return false;
	make_pool(s);
	s->spans = !likely_go(s->pool.likely);
	return true;
}

bool starts_step(struct starting *s)
{
	bool many = s->site.waiting > STARTS_MANY && !s->o.only;

	if (many && !s->out.rows && s->o.run_count == 0)
		play_roughly(s);
	else if (!s->played)
		starts_play(s);
	else
		return step_spans(s);
	return true;
}

void starts_so_far(struct starting *s, struct starts *out)
{
	*out = (struct starts){ .c = s->out.c, .count = s->out.count,
				.rough = s->out.rough, .reach = s->out.reach };
	out->rows = mem_zalloc(out->count + 1, sizeof(*out->rows));
	for (size_t i = 0; i < out->count; i++) {
		out->rows[i] = s->out.rows[i];
		if (out->rows[i].nodes)
			out->rows[i].nodes = mem_strdup(out->rows[i].nodes);
	}
	starts_put_notes(out, &s->site);
	put_spans(out, s);
	note_spans(out, s);
}

bool starts_make(struct starts *s, const struct cluster *c, const struct starts_options *o,
		 struct err *err)
{
	struct starting *from = starts_begin(c, o, err);

	*s = (struct starts){ .c = c };
	if (!from)
		return false;
	while (starts_step(from) && (!o->wanted || o->wanted(o->context)))
		;
	starts_so_far(from, s);
	starts_end(from);
	return true;
}

void starts_free(struct starts *s)
{
	free_rows(s);
	mem_free(s->notes);
}

const struct starts_row *starts_row_of(const struct starts *s, uint32_t job)
{
	const struct starts_row *best = NULL;

	for (size_t i = 0; i < s->count; i++) {
		const struct starts_row *r = &s->rows[i];

		if (r->job == job && (!best || (r->start != I64_UNKNOWN &&
						(best->start == I64_UNKNOWN ||
						 r->start < best->start))))
			best = r;
	}
	return best;
}
