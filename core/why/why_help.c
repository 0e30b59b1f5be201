/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/why/why_help.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/word.h"
#include "core/queue/forecast.h"
#include "core/sim/starts.h"
#include "core/whatif/changes_pair.h"
#include "core/whatif/export.h"
#include "core/whatif/whatif_run.h"

#define HELPS_SHOWN 3		/* lines at most */
#define SOON 60	/* s: a job that starts within this needs no help; smaller gains do not count */
#define OF_EACH 3		/* most partitions, QOS and accounts that are tried */
#define HALF_F 0.5

enum help_kind {
	HELP_HOLD, HELP_BEGIN, HELP_DEPENDENCY, HELP_RESERVATION, HELP_TIME_LIMIT, HELP_NODES,
	HELP_SPLIT, HELP_PARTITION, HELP_QOS, HELP_ACCOUNT, HELP_KINDS
};
static const char *const help_words[HELP_KINDS] = {
	[HELP_HOLD] = "hold", [HELP_BEGIN] = "begin", [HELP_DEPENDENCY] = "dependency",
	[HELP_RESERVATION] = "reservation", [HELP_TIME_LIMIT] = "time_limit",
	[HELP_NODES] = "nodes", [HELP_SPLIT] = "split", [HELP_PARTITION] = "partition",
	[HELP_QOS] = "qos", [HELP_ACCOUNT] = "account",
};

/* A change, and the job's start with it. */
struct help {
	enum help_kind kind;
	char *edit;		/* owned; several are joined by "; " */
	char *value, *was;	/* owned, for people; WAS may be NULL */
	int64_t start;		/* I64_UNKNOWN: unknown, or not tried */
	char *command;		/* owned; NULL: none */
};

enum help_phase { HELP_TRIES, HELP_LIMITS, HELP_TIME, HELP_DONE };

struct why_helping {
	struct why *w;
	const struct cluster *c;
	char job[40];			/* the job's name in edits; "" if it has none */
	bool simulates;			/* false: it cannot be simulated */
	bool (*wanted)(void *context);	/* NULL: always */
	void *context;
	bool given_up;			/* it was not wanted */
	enum help_phase phase;
	struct help *all;
	size_t count, capacity, at;
	/* Shorter limits, descending; the longest that gains enough is between LOW and HIGH. */
	int64_t limits[24];
	uint32_t limit_count, low, high;
	size_t best;			/* index in ALL of limits[high]; SIZE_MAX: not yet */
	int64_t enough;			/* a start that gains enough */
	/* For whether time alone helps. */
	struct model *model;		/* from raw usage */
	struct forecasting *forecasting;
};

/* ---- candidates ---------------------------------------------------------------------------- */

static struct help *help_add(struct why_helping *h, enum help_kind kind, char *edit, char *value,
			     const char *was)
{
	MEM_GROW(h->all, h->capacity, h->count + 1);
	h->all[h->count] = (struct help){ .kind = kind, .edit = edit, .value = value,
					  .was = was ? mem_strdup(was) : NULL,
					  .start = I64_UNKNOWN };
	return &h->all[h->count++];
}

/* Adds the edit that sets ATTRIBUTE of the job to VALUE. */
static void help_set(struct why_helping *h, enum help_kind kind, const char *attribute,
		     const char *value, const char *was)
{
	help_add(h, kind, mem_format("job:%s.%s = %s", h->job, attribute, value),
		 mem_strdup(value), was);
}

/* Whether edits can contain NAME unquoted. */
static bool help_is_plain(const char *name)
{
	return name && *name && !name[strcspn(name, "%,#= \t")];
}

/* Adds the removal of what keeps it from being considered, if its owner may do that. */
static void add_stops(struct why_helping *h)
{
	const char *reason = cluster_text(h->c, F_JOB_REASON, h->w->job);
	const char *dependency = cluster_text(h->c, F_JOB_DEPENDENCY, h->w->job);
	const char *reservation = cluster_text(h->c, F_JOB_RESERVATION, h->w->job);
	enum job_kind kind = (enum job_kind)h->w->jobs->index->kind[h->w->entry];
	char when[WHY_WHEN_MAX];

	if (kind == JOB_HELD && reason && strcmp(reason, "JobHeldUser") == 0)
		help_set(h, HELP_HOLD, "hold", "no", "yes");
	if (kind == JOB_FUTURE && reason && strcmp(reason, "BeginTime") == 0)
		help_set(h, HELP_BEGIN, "begin", "now",
			 why_when(h->w, cluster_i64(h->c, F_JOB_ELIGIBLE, h->w->job), when));
	if (dependency && *dependency)
		help_set(h, HELP_DEPENDENCY, "dependency", "none", dependency);
	if (reservation && *reservation)
		help_set(h, HELP_RESERVATION, "reservation", "none", reservation);
}

static int help_descending(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* Shortest limit tried, as a part of the old: a day's job is not tried with less than an hour. */
#define LEAST_PART 24

/* Adds a limit in whole minutes, if it is shorter than the job's own. */
static void help_add_limit(struct why_helping *h, int64_t seconds, int64_t own)
{
	seconds -= seconds % 60;
	if (seconds < 60 || seconds >= own ||
	    h->limit_count == sizeof(h->limits) / sizeof(h->limits[0]))
		return;
	for (uint32_t i = 0; i < h->limit_count; i++) {
		if (h->limits[i] == seconds)
			return;
	}
	h->limits[h->limit_count++] = seconds;
}

static void add_limits(struct why_helping *h)
{
	static const int64_t ladder[] = { 7 * 86400, 3 * 86400, 2 * 86400, 86400, 43200, 28800,
					  21600, 14400, 7200, 3600, 1800, 900, 300 };
	const struct job_index *x = h->w->jobs->index;
	int64_t own = cluster_i64(h->c, F_JOB_TIME_LIMIT, h->w->job);
	uint32_t p = x->partition[h->w->entry], a = x->assoc[h->w->entry], q = x->qos[h->w->entry];

	if (own == I64_UNKNOWN)
		return;
	if (own != I64_INFINITE)
		help_add_limit(h, own / 2, own);
	for (size_t i = 0; i < sizeof(ladder) / sizeof(ladder[0]); i++) {
		if (own == I64_INFINITE ? ladder[i] >= 3600 : ladder[i] >= own / LEAST_PART)
			help_add_limit(h, ladder[i], own);
	}
	/* The longest that the rules allow. */
	if (p != ROW_NONE)
		help_add_limit(h, cluster_i64(h->c, F_PARTITION_MAX_TIME, p), own);
	if (a != ROW_NONE)
		help_add_limit(h, cluster_i64(h->c, F_ASSOC_MAX_WALL, a), own);
	if (q != ROW_NONE)
		help_add_limit(h, cluster_i64(h->c, F_QOS_MAX_WALL, q), own);
	qsort(h->limits, h->limit_count, sizeof(h->limits[0]), help_descending);
	h->high = h->limit_count > 0 ? h->limit_count - 1 : 0;
}

static void help_add_nodes(struct why_helping *h, uint32_t nodes, uint32_t own)
{
	char value[16], was[16];

	if (nodes == 0 || nodes >= U32_UNKNOWN || nodes == own)
		return;
	(void)snprintf(value, sizeof(value), "%lu", (unsigned long)nodes);
	(void)snprintf(was, sizeof(was), "%lu", (unsigned long)own);
	for (size_t i = 0; i < h->count; i++) {
		if (h->all[i].kind == HELP_NODES && strcmp(h->all[i].value, value) == 0)
			return;
	}
	help_set(h, HELP_NODES, "nodes", value, was);
}

/* Tries fewer nodes, within what its partition allows, and half of everything. */
static void add_sizes(struct why_helping *h)
{
	const struct job_index *x = h->w->jobs->index;
	uint32_t own = x->min_nodes[h->w->entry], p = x->partition[h->w->entry];
	uint32_t cpus = cluster_u32(h->c, F_JOB_CPUS, h->w->job);
	uint32_t most = p == ROW_NONE ? U32_UNKNOWN : cluster_u32(h->c, F_PARTITION_MAX_NODES, p);
	uint32_t all = p == ROW_NONE ? U32_UNKNOWN : cluster_u32(h->c, F_PARTITION_NODES, p);
	uint32_t least = p == ROW_NONE ? U32_UNKNOWN : cluster_u32(h->c, F_PARTITION_MIN_NODES, p);

	if (own == U32_UNKNOWN || cpus >= U32_UNKNOWN)
		return;
	most = all < most ? all : most;
	if (own > most)
		help_add_nodes(h, most, own);
	if (least < U32_UNKNOWN && own < least)
		help_add_nodes(h, least, own);
	if (own > 1) {
		help_add_nodes(h, own / 2, own);
		help_add_nodes(h, own / 4, own);
		help_add_nodes(h, 1, own);
	}
	if (cpus < 2)
		return;
	help_add(h, HELP_SPLIT, own > 1 ? mem_format("job:%s.cpus = %lu; job:%s.nodes = %lu",
						     h->job, (unsigned long)(cpus + 1) / 2, h->job,
						     (unsigned long)(own + 1) / 2) :
		 mem_format("job:%s.cpus = %lu", h->job, (unsigned long)(cpus + 1) / 2),
		 mem_format("%lu", (unsigned long)(cpus + 1) / 2), NULL);
}

/* Whether a job of the same user or account is in partition P and in no other. */
static bool help_is_used(const struct why_helping *h, uint32_t p)
{
	uint32_t name = cluster_text_id(h->c, F_PARTITION_NAME, p);
	uint32_t user = cluster_text_id(h->c, F_JOB_USER, h->w->job);
	uint32_t account = cluster_text_id(h->c, F_JOB_ACCOUNT, h->w->job);

	for (uint32_t row = 0; row < cluster_rows(h->c, TABLE_JOB); row++) {
		if (cluster_text_id(h->c, F_JOB_PARTITION, row) == name &&
		    ((user > TEXT_EMPTY && cluster_text_id(h->c, F_JOB_USER, row) == user) ||
		     (account > TEXT_EMPTY &&
		      cluster_text_id(h->c, F_JOB_ACCOUNT, row) == account)))
			return true;
	}
	return false;
}

static void add_partitions(struct why_helping *h)
{
	const char *own = cluster_text(h->c, F_JOB_PARTITION, h->w->job);
	unsigned count = 0;

	for (uint32_t p = 0; own && count < OF_EACH && p < cluster_rows(h->c, TABLE_PARTITION);
	     p++) {
		const char *name = cluster_text(h->c, F_PARTITION_NAME, p);
		const char *state = cluster_text(h->c, F_PARTITION_STATE, p);

		if (!help_is_plain(name) || word_listed(own, name, strlen(name)) ||
		    (state && strcmp(state, "UP") != 0) || !help_is_used(h, p))
			continue;
		help_add(h, HELP_PARTITION, mem_format("job:%s.partition = %s,%s", h->job, own,
						       name),
			 mem_strdup(name), own);
		count++;
	}
}

static void add_qos(struct why_helping *h)
{
	const char *own = cluster_text(h->c, F_JOB_QOS, h->w->job);
	uint32_t a = h->w->jobs->index->assoc[h->w->entry];
	struct text_list list = { NULL, 0 };
	unsigned count = 0;

	if (a != ROW_NONE)
		list = cluster_list(h->c, F_ASSOC_QOS, a);
	for (uint32_t i = 0; own && i < list.count && count < OF_EACH; i++) {
		const char *name = cluster_string(h->c, list.texts[i]);

		if (!help_is_plain(name) || word_listed(own, name, strlen(name)) ||
		    cluster_row_of(h->c, F_QOS_NAME, list.texts[i]) == ROW_NONE)
			continue;
		help_set(h, HELP_QOS, "qos", name, own);
		count++;
	}
}

/* Whether jobs of association A may have the job's QOS, as far as is known. */
static bool lets_qos(const struct why_helping *h, uint32_t a)
{
	const char *own = cluster_text(h->c, F_JOB_QOS, h->w->job);

	return !own || !*own || cluster_list(h->c, F_ASSOC_QOS, a).count == 0 ||
	       cluster_list_has(h->c, F_ASSOC_QOS, a, own);
}

/*
 * Adds the accounts in which its user has an association that allows the job's QOS; the association
 * may be limited to the job's partition.
 */
static void help_add_accounts(struct why_helping *h)
{
	uint32_t user = cluster_text_id(h->c, F_JOB_USER, h->w->job);
	uint32_t own = cluster_text_id(h->c, F_JOB_ACCOUNT, h->w->job);
	uint32_t partition = cluster_text_id(h->c, F_JOB_PARTITION, h->w->job);
	unsigned count = 0;

	for (uint32_t a = 0; user > TEXT_EMPTY && own > TEXT_EMPTY && count < OF_EACH &&
			     a < cluster_rows(h->c, TABLE_ASSOC); a++) {
		const char *name = cluster_text(h->c, F_ASSOC_ACCOUNT, a);
		uint32_t of = cluster_text_id(h->c, F_ASSOC_PARTITION, a);

		if (cluster_text_id(h->c, F_ASSOC_USER, a) != user || !help_is_plain(name) ||
		    cluster_text_id(h->c, F_ASSOC_ACCOUNT, a) == own ||
		    (of > TEXT_EMPTY && of != partition) || !lets_qos(h, a))
			continue;
		help_set(h, HELP_ACCOUNT, "account", name,
			 cluster_text(h->c, F_JOB_ACCOUNT, h->w->job));
		count++;
	}
}

/* Adds the release of an owner's hold; for PBS this is all, and it is not simulated. */
static void add_other_hold(struct why_helping *h)
{
	const char *holds = cluster_text(h->c, F_JOB_HOLD_TYPES, h->w->job);

	if (policy_scheduler_of(cluster_meta(h->c)->kind) == POLICY_OF_PBS && holds &&
	    strcmp(holds, "u") == 0)
		help_set(h, HELP_HOLD, "hold", "no", "yes");
}

/* ---- one try ------------------------------------------------------------------------------- */

static bool is_slurm(const struct why_helping *h)
{
	return policy_scheduler_of(cluster_meta(h->c)->kind) == POLICY_OF_SLURM;
}

/* The edits of TEXT, joined by "; ", as a list; NULL: one is invalid. */
static struct whatif *help_edits_of(const char *text)
{
	struct whatif *edits = whatif_new();
	bool good = true;

	for (const char *at = text; good && *at; at += strncmp(at, "; ", 2) == 0 ? 2 : 0) {
		const char *end = strstr(at, "; ");
		char *one = mem_strndup(at, end ? (size_t)(end - at) : strlen(at));

		at += strlen(one);
		good = whatif_add(edits, one, NULL);
		mem_free(one);
	}
	if (good)
		return edits;
	whatif_free(edits);
	return NULL;
}

/* The only command of a script, without comments; NULL: none, or several. The caller frees it. */
static char *only_command(const char *script)
{
	const char *found = NULL;

	for (const char *at = script; at && *at; at += strcspn(at, "\n"), at += *at == '\n') {
		if (*at == '#' || *at == '\n')
			continue;
		if (found)
			return NULL;
		found = at;
	}
	return found ? mem_strndup(found, strcspn(found, "\n")) : NULL;
}

static void help_put_command(const struct why_helping *h, struct help *help,
			     const struct whatif *edits, const struct cluster *edited)
{
	const struct export_options o = { .effect = "" };
	struct bytes out = { NULL, 0, 0 };

	if (is_slurm(h))
		(void)export_slurm(edits, h->c, edited, &o, bytes_sink(&out), NULL);
	else
		(void)export_pbs(edits, h->c, edited, &o, bytes_sink(&out), NULL);
	bytes_append(&out, "", 1);
	help->command = only_command(out.data);
	bytes_free(&out);
}

/* Once the answer is not wanted, the result of the try is meaningless. */
static bool help_is_wanted(void *helping)
{
	struct why_helping *h = helping;

	h->given_up = h->given_up || (h->wanted && !h->wanted(h->context));
	return !h->given_up;
}

/* The first start of the job in the edited cluster of RUN. */
static int64_t help_simulate(struct why_helping *h, const struct whatif_run *run)
{
	uint32_t *entries = changes_match_entries(h->w->jobs->index, run->jobs->index);
	int64_t *points = starts_points(h->w->jobs, run->jobs, entries), start = I64_UNKNOWN;
	const struct starts_options o = { .points = points, .only = &h->w->job,
					  .until = h->w->start == I64_UNKNOWN ? 0 : h->w->start,
					  .wanted = help_is_wanted, .context = h };
	struct starts s;

	h->simulates = starts_make(&s, run->cluster, &o, NULL);
	if (h->simulates) {
		const struct starts_row *r = starts_row_of(&s, h->w->job);

		start = r ? r->start : I64_UNKNOWN;
		starts_free(&s);
	}
	mem_free(points);
	mem_free(entries);
	return start;
}

static void try_help(struct why_helping *h, struct help *help)
{
	struct whatif *edits = help_edits_of(help->edit);
	struct whatif_run *run = edits ? whatif_run_new(edits, h->w->jobs->model, h->w->jobs, NULL)
				       : NULL;

	if (run && whatif_check(edits, NULL)) {
		if (is_slurm(h) && h->simulates)
			help->start = help_simulate(h, run);
		if (help->kind != HELP_SPLIT)
			help_put_command(h, help, edits, run->cluster);
	}
	whatif_run_free(run);
	whatif_free(edits);
}

/* Seconds gained; infinite if it has no start without the change; NaN if it has none with it. */
static double gain_of(const struct why_helping *h, const struct help *help)
{
	if (help->start == I64_UNKNOWN)
		return F64_UNKNOWN;
	return h->w->start == I64_UNKNOWN ? (double)INFINITY : (double)(h->w->start - help->start);
}

/* ---- time limits --------------------------------------------------------------------------- */

static struct help *try_limit(struct why_helping *h, uint32_t i)
{
	int64_t own = cluster_i64(h->c, F_JOB_TIME_LIMIT, h->w->job);
	char text[64], value[WHY_WHEN_MAX], was[WHY_WHEN_MAX];
	struct help *help;

	(void)timestr_format(h->limits[i], text, sizeof(text));
	help = help_add(h, HELP_TIME_LIMIT, mem_format("job:%s.time_limit = %s", h->job, text),
			mem_strdup(why_span(h->limits[i], value)),
			own == I64_INFINITE ? "none" : why_span(own, was));
	try_help(h, help);
	return help;
}

/*
 * The shortest limit gains most: searches for the longest that gains nine tenths of that. False: it
 * is found, or no limit gains anything.
 */
static bool step_limits(struct why_helping *h)
{
	int64_t now = cluster_meta(h->c)->time, wait;
	struct help *help;
	uint32_t middle;

	if (h->limit_count == 0 || !h->simulates)
		return false;
	if (h->best == SIZE_MAX) {
		help = try_limit(h, h->high);
		if (!(gain_of(h, help) >= SOON))
			return false;
		h->best = h->count - 1;
		wait = h->w->start == I64_UNKNOWN ? help->start - now + 10 * SOON :
						    h->w->start - help->start;
		h->enough = help->start + wait / 10;
		return h->low < h->high;
	}
	middle = (h->low + h->high) / 2;
	help = try_limit(h, middle);
	if (help->start != I64_UNKNOWN && help->start <= h->enough) {
		h->high = middle;
		h->all[h->best].start = I64_UNKNOWN;	/* the longer limit suffices */
		h->best = h->count - 1;
	} else {
		help->start = I64_UNKNOWN;
		h->low = middle + 1;
	}
	return h->low < h->high;
}

/* ---- time alone ---------------------------------------------------------------------------- */

/* Whether HELP gains at least a minute and a hundredth of its wait. */
static bool help_helps(const struct why_helping *h, const struct help *help)
{
	double gain = gain_of(h, help);
	int64_t now = cluster_meta(h->c)->time;

	if (h->w->start == I64_UNKNOWN)
		return gain > 0;
	return gain >= SOON && gain * 100 >= (double)(h->w->start - now);
}

static bool does_any(const struct why_helping *h)
{
	for (size_t i = 0; i < h->count; i++) {
		if (help_helps(h, &h->all[i]))
			return true;
	}
	return false;
}

/* Begins to find when F of its association reaches a half, if the job waits for priority. */
static bool begin_forecast(struct why_helping *h)
{
	const char *reason = cluster_text(h->c, F_JOB_REASON, h->w->job);
	uint32_t a = h->w->jobs->index->assoc[h->w->entry];
	const struct model *m = h->w->jobs->model;
	const struct model_options o = { (int)m->algo->id, FS_BASE_USAGE, (int)m->fs->order };
	struct forecast_question q = { .assoc = a, .entry = ROW_NONE, .reach = HALF_F,
				       .calendar = h->w->people };

	if (!h->simulates || h->w->start == I64_UNKNOWN || does_any(h) || a == ROW_NONE ||
	    !reason || strcmp(reason, "Priority") != 0)
		return false;
	h->model = model_new(h->c, &o, NULL);
	if (!h->model || !h->model->fs->fairshare || !(h->model->fs->fairshare[a] < HALF_F))
		return false;
	h->forecasting = forecast_begin(h->model, NULL, &q, NULL);
	return h->forecasting != NULL;
}

/* ---- steps --------------------------------------------------------------------------------- */

/* Sets the name by which edits find the job; for an array, that of its pending tasks. */
static void name_job(struct why_helping *h)
{
	const struct jobs *jobs = h->w->jobs;
	uint32_t e = jobs_find(jobs, h->w->name, NULL);

	(void)snprintf(h->job, sizeof(h->job), "%s", h->w->name);
	if (e != ROW_NONE && jobs->index->job[e] == h->w->job)
		return;
	(void)snprintf(h->job, sizeof(h->job), "%lu",
		       (unsigned long)cluster_u32(h->c, F_JOB_ID, h->w->job));
	e = jobs_find(jobs, h->job, NULL);
	if (e == ROW_NONE || jobs->index->job[e] != h->w->job)
		h->job[0] = '\0';
}

struct why_helping *why_help_begin(struct why *w, bool (*wanted)(void *context), void *context)
{
	const struct cluster *c = w->jobs->model->cluster;
	struct why_helping *h;

	if (w->state != WHY_WAITS ||
	    (w->start != I64_UNKNOWN && w->start - cluster_meta(c)->time <= SOON))
		return NULL;
	h = mem_zalloc(1, sizeof(*h));
	*h = (struct why_helping){ .w = w, .c = c, .best = SIZE_MAX, .phase = HELP_TRIES,
				   .wanted = wanted, .context = context };
	h->simulates = is_slurm(h) && !w->unplayed;
	name_job(h);
	if (!h->job[0]) {
		mem_free(h);
		return NULL;
	}
	if (!is_slurm(h)) {
		add_other_hold(h);
		return h;
	}
	add_stops(h);
	if (w->unplayed)
		return h;
	add_sizes(h);
	add_partitions(h);
	add_qos(h);
	help_add_accounts(h);
	add_limits(h);
	return h;
}

bool why_help_step(struct why_helping *h)
{
	if (!h)
		return false;
	switch (h->phase) {
	case HELP_TRIES:
		if (h->at < h->count)
			try_help(h, &h->all[h->at++]);
		if (h->at >= h->count)
			h->phase = HELP_LIMITS;
		break;
	case HELP_LIMITS:
		if (!step_limits(h))
			h->phase = begin_forecast(h) ? HELP_TIME : HELP_DONE;
		break;
	case HELP_TIME:
		if (!forecast_step(h->forecasting))
			h->phase = HELP_DONE;
		break;
	case HELP_DONE:
		break;
	}
	return help_is_wanted(h) && h->phase != HELP_DONE;
}

/* ---- sentences ----------------------------------------------------------------------------- */

/* The change in words, without its effect. The caller frees it. */
static char *help_change_of(const struct help *x)
{
	switch (x->kind) {
	case HELP_HOLD:
		return mem_format("released by its owner");
	case HELP_BEGIN:
		return mem_format("begin time now instead of %s", x->was);
	case HELP_DEPENDENCY:
		return mem_format("without its dependency %s", x->was);
	case HELP_RESERVATION:
		return mem_format("outside its reservation %s", x->was);
	case HELP_TIME_LIMIT:
		return mem_format("time limit %s instead of %s", x->value, x->was);
	case HELP_NODES:
		return mem_format("%s %s instead of %s", x->value,
				  strcmp(x->value, "1") == 0 ? "node" : "nodes", x->was);
	case HELP_SPLIT:
		return mem_format("split into two jobs of half its size");
	case HELP_PARTITION:
		return mem_format("also in partition %s", x->value);
	case HELP_QOS:
		return mem_format("QOS %s instead of %s", x->value, x->was);
	case HELP_ACCOUNT:
	case HELP_KINDS:
		break;
	}
	return mem_format("account %s instead of %s", x->value, x->was);
}

static const char *condition_of(enum help_kind kind)
{
	return kind == HELP_TIME_LIMIT ? " (if it ends within that time)" :
	       kind == HELP_DEPENDENCY ? " (only if it does not need the result)" : "";
}

static void say_help(struct why_helping *h, const struct help *x)
{
	char when[WHY_WHEN_MAX], span[WHY_WHEN_MAX], *change = help_change_of(x), *result;
	double gain = gain_of(h, x);
	const char *who = x->kind == HELP_SPLIT ? "the first" : "it";
	struct why_line *line;

	if (x->start == I64_UNKNOWN)
		result = mem_format(": the start is then unknown");
	else if (x->start - cluster_meta(h->c)->time <= SOON)
		result = mem_format(": %s starts at once", who);
	else
		result = mem_format(": %s starts about %s", who, why_when(h->w, x->start, when));
	line = why_add(h->w, WHY_HELPS, "%s%s%s%s%s%s", change, result,
		       isfinite(gain) ? ", " : "",
		       isfinite(gain) ? why_span((int64_t)gain, span) : "",
		       isfinite(gain) ? " earlier" : "", condition_of(x->kind));
	why_word(line, "what", help_words[x->kind]);
	why_word(line, "value", x->value);
	why_word(line, "was", x->was);
	why_time(line, "start", x->start);
	why_number(line, "gain", gain);
	why_word(line, "edit", x->edit);
	why_word(line, "command", x->command);
	mem_free(change);
	mem_free(result);
}

static void help_say_time(struct why_helping *h, const struct forecast *f)
{
	bool reached = f && f->reached != I64_UNKNOWN;
	char when[WHY_WHEN_MAX];
	struct why_line *line;

	line = reached ? why_add(h->w, WHY_HELPS, "none of the changes tried helps; its fair-share "
				 "factor reaches %g about %s", HALF_F,
				 why_when(h->w, f->reached, when)) :
			 why_add(h->w, WHY_HELPS, "none of the changes tried helps");
	why_word(line, "what", "time");
	why_time(line, "reached", reached ? f->reached : I64_UNKNOWN);
}

/* ---- the best ------------------------------------------------------------------------------ */

/* Whether X is better than Y (NULL: none); a removed hold with an unknown start is the worst. */
static bool help_is_better(const struct help *x, const struct help *y)
{
	return !y || y->start == I64_UNKNOWN || (x->start != I64_UNKNOWN && x->start < y->start);
}

static bool help_counts(const struct why_helping *h, const struct help *x)
{
	return help_helps(h, x) || (x->kind == HELP_HOLD && x->start == I64_UNKNOWN && x->command);
}

/* The best change that counts, of a kind that is not in SAID; NULL. */
static const struct help *next_best(const struct why_helping *h, const bool said[HELP_KINDS])
{
	const struct help *best = NULL;

	for (size_t i = 0; i < h->count; i++) {
		const struct help *x = &h->all[i];

		if (!said[x->kind] && help_counts(h, x) && help_is_better(x, best))
			best = x;
	}
	return best;
}

static void say_all(struct why_helping *h)
{
	struct forecast f = { .reached = I64_UNKNOWN };
	bool said[HELP_KINDS] = { false };
	const struct help *best;
	unsigned count = 0;

	while (count < HELPS_SHOWN && (best = next_best(h, said))) {
		say_help(h, best);
		said[best->kind] = true;
		count++;
	}
	if (h->forecasting)
		forecast_end(h->forecasting, h->phase == HELP_DONE ? &f : NULL);
	if (count == 0 && h->count > 0 && h->simulates && h->w->start != I64_UNKNOWN)
		help_say_time(h, &f);
	forecast_free(&f);
}

void why_help_end(struct why_helping *h)
{
	if (!h)
		return;
	if (h->phase == HELP_DONE && !h->given_up)
		say_all(h);
	else
		forecast_end(h->forecasting, NULL);
	for (size_t i = 0; i < h->count; i++)
		MEM_FREE(h->all[i].edit, h->all[i].value, h->all[i].was, h->all[i].command);
	mem_free(h->all);
	model_free(h->model);
	mem_free(h);
}
