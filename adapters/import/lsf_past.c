/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replays LSF's logs by LSF's own formula: the use of the share accounts of a configuration over
 * time.
 *
 * STARTED and RUN_TIME are those of running jobs; RUN_TIME is as of the last session in which
 * mbatchd read the load of its hosts (or as of the job's suspension). Sessions come each
 * MBD_SLEEP_TIME from its start on, counted anew from each that started a job. A session reads the
 * load if the last one that did was more than 15 s before. CPU_TIME is history plus newer use; a
 * step each 900 s multiplies history by 10^(-1/(4 * HIST_HOURS)), then adds the newer use to it. A
 * job's CPU time is known only at its end: until then that of its accounts is unknown; then it
 * counts as used evenly over its run. Steps are counted from the last start of mbatchd; the first
 * only notes the time. A start rebuilds CPU_TIME from the jobs that ended within CLEAN_PERIOD
 * before. Source: volclava 2.2, updAllSAcctForDecay(), updJobSAcctAfterReplay(),
 * scheduleAndDispatchJobs().
 *
 * The accounts that a job is charged to follow from the configuration; there are no priorities to
 * choose by: for a user with several accounts only those above all of them are charged, and those
 * below are unknown from the first start on. A session skips "others" and a group without shares
 * below once it has elected the last job of a user (lsf_is_passed_over()); jobs of its other users
 * that start then are charged to no account. If this may have happened, that account and those
 * above it are unknown until mbatchd starts again and charges all running jobs. lsb.acct has no
 * running jobs, suspensions or starts of mbatchd: lsb.events has them.
 */
#include "adapters/import/import.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/lsf/lsf.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/cluster_copy.h"
#include "core/share/lsf_share.h"

#define STEP 900
#define CLEAN_PERIOD 3600	/* the default of lsb.params; the next one, too */
#define MBD_SLEEP_TIME 2
#define FRESH 15

struct past_account {
	double history, newer;		/* CPU seconds */
	double kept;			/* factor of history in a step */
	uint32_t slots, jobs;		/* running */
	bool doubtful;			/* one of several that a job may have been charged to */
	bool passed;			/* ... or to none, since mbatchd started */
};

struct past_order {
	uint32_t *jobs;
	uint32_t count, at;
};

/* A user in a queue, with the jobs in order of submission. */
struct waiter {
	uint32_t waiting, last;		/* pending jobs; index in SUBMITS of the last one so far */
	int64_t started;		/* when one last started; I64_UNKNOWN */
};

struct lsf_past {
	struct import *im;
	struct cluster *base;		/* without use; its jobs have the charged accounts */
	uint32_t *pays;			/* per job: row of JOB in BASE */
	struct past_account *accounts;	/* per row of ASSOC */
	uint32_t count;
	struct waiter *waiters;		/* per row of JOB in BASE */
	uint32_t arrived;		/* number of SUBMITS that have arrived */
	struct past_order submits, starts, ends;
	uint32_t *alive, alive_count;
	int64_t *steps;			/* since mbatchd started; the start is the first */
	size_t step_count, step_capacity;
	size_t boot;			/* the next one */
	int64_t session, fresh;		/* the last one; the last that read loads. I64_UNKNOWN */
	int64_t last;			/* picture */
};

static const struct replay_job *past_job_at(const struct lsf_past *p, uint32_t i)
{
	return replay_job(p->im->replay, i);
}

/* volclava 2.2, lsb.conf.c, my_atoi(): values outside 1 to 2147483646 are ignored. */
static int64_t past_seconds_of(const struct lsf_past *p, const char *name, int64_t otherwise)
{
	double x;

	return policy_real(cluster_policy(p->base), policy_param(name), &x) &&
	       x >= 1 && x < INT32_MAX ? (int64_t)x : otherwise;
}

/* ---- charged accounts ---------------------------------------------------------------------- */

/* The queue and user of each job, every pair once, as pending jobs in the form of bjobs -w. */
static char *past_pairs_new(struct lsf_past *p)
{
	struct idmap map = { 0 };
	uint32_t n = replay_jobs(p->im->replay), pairs = 0;
	char *text = mem_strdup("JOBID USER STAT QUEUE FROM_HOST EXEC_HOST JOB_NAME SUBMIT_TIME\n");
	size_t length = strlen(text), capacity = length + 1;

	p->pays = mem_alloc((size_t)n + 1, sizeof(*p->pays));
	for (uint32_t i = 0; i < n; i++) {
		const struct replay_job *job = past_job_at(p, i);
		const char *user = replay_user(p->im->replay, job->assoc);
		uint64_t key = (uint64_t)job->partition << 32 |
			       replay_text(p->im->replay, user, strlen(user));
		char line[700];
		int size;

		p->pays[i] = idmap_get(&map, key, ROW_NONE);
		if (p->pays[i] != ROW_NONE)
			continue;
		idmap_put(&map, key, p->pays[i] = pairs++);
		size = snprintf(line, sizeof(line), "%u %.250s PEND %.250s - - - Jan 1 00:00\n",
				(unsigned)pairs, user, replay_word(p->im->replay, job->partition));
		text = mem_grow(text, &capacity, length + (size_t)size + 1, 1);
		memcpy(text + length, line, (size_t)size + 1);
		length += (size_t)size;
	}
	idmap_free(&map);
	return text;
}

/* The lowest row above both, or one of them; rows are in pre-order. */
static uint32_t past_common(const struct cluster *c, uint32_t a, uint32_t b)
{
	const uint32_t *span = cluster_span(c);

	while (b < a || b >= a + span[a])
		a = cluster_parent(c)[a];
	return a;
}

static struct text_list charged_of(const struct lsf_past *p, uint32_t i)
{
	return cluster_list(p->base, F_JOB_CHARGED, p->pays[i]);
}

static uint32_t charged_row(const struct lsf_past *p, const struct text_list *list, uint32_t k)
{
	return (uint32_t)strtoul(cluster_string(p->base, list->texts[k]), NULL, 10) - 1;
}

/* The row of ASSOC that the job is certainly charged to, like all above it; ROW_NONE. */
static uint32_t past_charged(const struct lsf_past *p, uint32_t i)
{
	uint32_t id = cluster_u32(p->base, F_JOB_ASSOC, p->pays[i]);
	uint32_t row = id == U32_UNKNOWN ? ROW_NONE : id - 1;
	struct text_list list = charged_of(p, i);

	for (uint32_t k = 0; k < list.count && row != ROW_NONE; k++)
		row = past_common(p->base, row, charged_row(p, &list, k));
	return row;
}

/* Which account of its queue the job is charged to is unknown: so is the use of all of them. */
static void doubt_queue(struct lsf_past *p, uint32_t i)
{
	const char *queue = cluster_text(p->base, F_JOB_PARTITION, p->pays[i]);
	const uint32_t *span = cluster_span(p->base);

	for (uint32_t top = 1; top < p->count && queue; top += span[top]) {
		if (strcmp(cluster_text(p->base, F_ASSOC_ACCOUNT, top), queue) != 0)
			continue;
		for (uint32_t row = top; row < top + span[top]; row++)
			p->accounts[row].doubtful = true;
	}
}

/* Jobs submitted until TIME become pending. */
static void arrive_until(struct lsf_past *p, int64_t time)
{
	for (; p->arrived < p->submits.count; p->arrived++) {
		uint32_t job = p->submits.jobs[p->arrived];
		struct waiter *w = &p->waiters[p->pays[job]];

		if (past_job_at(p, job)->submit > time)
			return;
		w->waiting++;
		w->last = p->arrived;
	}
}

static uint32_t past_place_of(const struct lsf_past *p, uint32_t i)
{
	uint32_t low = 0, high = p->submits.count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2, job = p->submits.jobs[middle];

		if (past_job_at(p, job)->submit < past_job_at(p, i)->submit ||
		    (past_job_at(p, job)->submit == past_job_at(p, i)->submit && job < i))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Had LEAF, the only account to charge job I, elected the last job of another user before I? */
static bool was_passed_over(const struct lsf_past *p, uint32_t i, uint32_t leaf)
{
	int64_t now = past_job_at(p, i)->start,
		sleep = past_seconds_of(p, "MBD_SLEEP_TIME", MBD_SLEEP_TIME);
	uint32_t place = past_place_of(p, i);

	for (uint32_t k = 0; k < cluster_rows(p->base, TABLE_JOB); k++) {
		const struct waiter *w = &p->waiters[k];

		if (k == p->pays[i] || w->last >= place ||
		    cluster_u32(p->base, F_JOB_ASSOC, k) != leaf + 1)
			continue;
		if (w->waiting > 0 || (w->started != I64_UNKNOWN && now - w->started < sleep))
			return true;
	}
	return false;
}

static void doubt_leaf(struct lsf_past *p, uint32_t i)
{
	struct waiter *w = &p->waiters[p->pays[i]];
	uint32_t id = cluster_u32(p->base, F_JOB_ASSOC, p->pays[i]);

	arrive_until(p, past_job_at(p, i)->start);
	if (id != U32_UNKNOWN && lsf_is_passed_over(p->base, id - 1) &&
	    was_passed_over(p, i, id - 1)) {
		for (uint32_t row = id - 1; row != ROW_NONE; row = cluster_parent(p->base)[row])
			p->accounts[row].passed = true;
	}
	w->waiting--;
	w->started = past_job_at(p, i)->start;
}

/* A job starts: the accounts it may be charged to, below the one surely charged, get doubtful. */
static void past_doubt(struct lsf_past *p, uint32_t i)
{
	struct text_list list = charged_of(p, i);
	uint32_t sure = list.count > 0 ? past_charged(p, i) : ROW_NONE;

	if (cluster_u32(p->base, F_JOB_ASSOC, p->pays[i]) == U32_UNKNOWN &&
	    !cluster_text(p->base, F_JOB_ACCOUNT, p->pays[i]))
		doubt_queue(p, i);

	for (uint32_t k = 0; k < list.count && sure != ROW_NONE; k++) {
		for (uint32_t row = charged_row(p, &list, k); row != sure;
		     row = cluster_parent(p->base)[row])
			p->accounts[row].doubtful = true;
	}
}

/* ---- time ---------------------------------------------------------------------------------- */

static uint32_t past_slots_of(const struct replay_job *job)
{
	return job->cpus < U32_UNKNOWN ? job->cpus : 1;
}

static void note_session(struct lsf_past *p, int64_t time)
{
	p->session = time;
	if (time - p->fresh > FRESH)
		p->fresh = time;
}

/* Runs sessions up to TIME, skipping whole periods; one begins then if a job was STARTED. */
static void sessions_until(struct lsf_past *p, int64_t time, bool started)
{
	int64_t sleep = past_seconds_of(p, "MBD_SLEEP_TIME", MBD_SLEEP_TIME);
	int64_t period = (FRESH / sleep + 1) * sleep;

	if (p->session == I64_UNKNOWN)
		return;
	while (p->session <= time - sleep) {
		note_session(p, p->session + sleep);
		if (p->fresh == p->session && p->session < time)
			p->fresh = p->session += (time - p->session) / period * period;
	}
	if (started)
		note_session(p, time);
}

static void past_begin_job(struct lsf_past *p, uint32_t i)
{
	const struct replay_job *job = past_job_at(p, i);

	sessions_until(p, job->start, true);
	past_doubt(p, i);
	doubt_leaf(p, i);
	for (uint32_t row = past_charged(p, i); row != ROW_NONE;
	     row = cluster_parent(p->base)[row]) {
		p->accounts[row].slots += past_slots_of(job);
		p->accounts[row].jobs++;
	}
}

/* Charges CPU time as used evenly: the part before a step is history since then. */
static void past_charge(struct past_account *a, const struct lsf_past *p,
			const struct replay_job *job)
{
	double cpu = job->cpu_time >= 0 ? (double)job->cpu_time : F64_UNKNOWN;
	double whole = (double)(job->end - job->start);
	int64_t from = job->start;

	for (size_t k = 0; k < p->step_count; k++) {
		if (p->steps[k] <= from)
			continue;
		a->history += cpu * (double)(p->steps[k] - from) / whole *
			      pow(a->kept, (double)(p->step_count - 1 - k));
		from = p->steps[k];
	}
	a->newer += whole > 0 ? cpu * (double)(job->end - from) / whole : cpu;
}

static void past_end_job(struct lsf_past *p, uint32_t i)
{
	const struct replay_job *job = past_job_at(p, i);

	if (job->start == I64_UNKNOWN) {
		arrive_until(p, job->end);
		p->waiters[p->pays[i]].waiting--;
		return;
	}
	for (uint32_t row = past_charged(p, i); row != ROW_NONE;
	     row = cluster_parent(p->base)[row]) {
		p->accounts[row].slots -= past_slots_of(job);
		p->accounts[row].jobs--;
		past_charge(&p->accounts[row], p, job);
	}
}

static void note_step(struct lsf_past *p, int64_t time)
{
	MEM_GROW(p->steps, p->step_capacity, p->step_count + 1);
	p->steps[p->step_count++] = time;
}

static void past_step(struct lsf_past *p, int64_t time)
{
	for (uint32_t i = 0; i < p->count; i++) {
		p->accounts[i].history = p->accounts[i].history * p->accounts[i].kept +
					 p->accounts[i].newer;
		p->accounts[i].newer = 0;
	}
	note_step(p, time);
}

/* mbatchd starts: keeps what it still knows of ended jobs. */
static void past_boot(struct lsf_past *p, int64_t time)
{
	int64_t since = time - past_seconds_of(p, "CLEAN_PERIOD", CLEAN_PERIOD);

	for (uint32_t i = 0; i < p->count; i++) {
		p->accounts[i].history = p->accounts[i].newer = 0;
		p->accounts[i].passed = false;
	}
	for (uint32_t k = p->ends.at; k > 0; k--) {
		uint32_t i = p->ends.jobs[k - 1];
		const struct replay_job *job = past_job_at(p, i);
		double n = (double)((time - job->end) / STEP);

		if (job->end < since)
			break;
		for (uint32_t row = job->start == I64_UNKNOWN ? ROW_NONE : past_charged(p, i);
		     row != ROW_NONE; row = cluster_parent(p->base)[row])
			p->accounts[row].history +=
				(job->cpu_time >= 0 ? (double)job->cpu_time : F64_UNKNOWN) *
				pow(p->accounts[row].kept, n);
	}
	p->step_count = 0;
	note_step(p, time);
	p->session = p->fresh = time;
}

static int64_t next_of(const struct lsf_past *p, const struct past_order *o, size_t offset)
{
	int64_t time;

	if (o->at == o->count)
		return INT64_MAX;
	memcpy(&time, (const char *)past_job_at(p, o->jobs[o->at]) + offset, sizeof(time));
	return time;
}

static int64_t next_step(const struct lsf_past *p)
{
	/* The first step only notes the time. */
	return p->step_count == 0 ? INT64_MAX :
	       p->steps[p->step_count - 1] + (p->step_count == 1 ? 2 : 1) * STEP;
}

static void past_events_until(struct lsf_past *p, int64_t now)
{
	for (;;) {
		int64_t start = next_of(p, &p->starts, offsetof(struct replay_job, start));
		int64_t end = next_of(p, &p->ends, offsetof(struct replay_job, end));
		int64_t due = next_step(p);
		int64_t up = p->boot < p->im->boot_count ? p->im->boots[p->boot] : INT64_MAX;

		if (start <= now && start <= end && start <= due && start <= up)
			past_begin_job(p, p->starts.jobs[p->starts.at++]);
		else if (end <= now && end <= due && end <= up)
			past_end_job(p, p->ends.jobs[p->ends.at++]);
		else if (up <= now && up <= due)
			past_boot(p, p->im->boots[p->boot++]);
		else if (due <= now)
			past_step(p, due);
		else
			return;
	}
}

/* ---- pictures ------------------------------------------------------------------------------ */

static bool is_running(const struct replay_job *job, int64_t now)
{
	return job->start != I64_UNKNOWN && job->start <= now &&
	       (job->end == I64_UNKNOWN || job->end > now);
}

static void add_time(const struct lsf_past *p, double *times, uint32_t job, int64_t from,
		     int64_t to)
{
	for (uint32_t row = past_charged(p, job); row != ROW_NONE && to > from;
	     row = cluster_parent(p->base)[row])
		times[row] += (double)(to - from);
}

/*
 * RUN_TIME of each account: the run time of its jobs until mbatchd last counted it. A job suspended
 * after that was counted at its suspension.
 */
static void run_times(const struct lsf_past *p, int64_t now, double *times, double *paused)
{
	int64_t fresh = p->fresh == I64_UNKNOWN ? now : p->fresh;

	for (uint32_t k = 0; k < p->alive_count; k++) {
		const struct replay_job *job = past_job_at(p, p->alive[k]);

		if (is_running(job, now))
			add_time(p, times, p->alive[k], job->start, fresh);
	}
	for (size_t k = 0; k < p->im->pause_count && p->im->pauses[k].from <= now; k++) {
		const struct import_pause *pause = &p->im->pauses[k];
		const struct replay_job *job = past_job_at(p, pause->job);
		int64_t ran;

		if (!is_running(job, now))
			continue;
		ran = job->start > pause->ran ? job->start : pause->ran;
		add_time(p, times, pause->job, ran > fresh ? ran : fresh, pause->from);
		add_time(p, paused, pause->job, pause->from,
			 pause->to < fresh ? pause->to : fresh);
	}
}

static void past_put_accounts(const struct lsf_past *p, struct builder *b, int64_t now)
{
	double *times = mem_zalloc((size_t)p->count + 1, 2 * sizeof(*times));
	double *paused = times + p->count;

	run_times(p, now, times, paused);
	for (uint32_t i = 1; i < p->count; i++) {
		const struct past_account *a = &p->accounts[i];
		double cpu = a->history + a->newer;

		if (cluster_parent(p->base)[i] == 0 || a->doubtful || a->passed)
			continue;
		builder_u32(b, F_ASSOC_STARTED, i, a->slots);
		builder_f64(b, F_ASSOC_RUN_TIME, i, times[i] - paused[i]);
		if (a->jobs == 0 && f64_known(cpu))
			builder_f64(b, F_ASSOC_CPU_TIME, i, cpu);
	}
	mem_free(times);
}

static const char *past_state_of(const struct lsf_past *p, const struct replay_job *job,
				 int64_t now)
{
	if (job->end != I64_UNKNOWN && job->end <= now)
		return replay_word(p->im->replay, job->state);
	return job->start != I64_UNKNOWN && job->start <= now ? "RUNNING" : "PENDING";
}

static void lsf_past_put_job(const struct lsf_past *p, struct builder *b, uint32_t i, int64_t now)
{
	const struct replay_job *job = past_job_at(p, i);
	uint32_t row = builder_append(b, p->base, TABLE_JOB, p->pays[i], 1);
	const char *name = replay_word(p->im->replay, job->name);

	builder_u32(b, F_JOB_ID, row, job->id);
	if (job->task != U32_UNKNOWN) {
		builder_u32(b, F_JOB_ARRAY, row, job->id);
		builder_u32(b, F_JOB_TASK, row, job->task);
	}
	builder_str(b, F_JOB_NAME, row, name ? name : "");
	builder_str(b, F_JOB_STATE, row, past_state_of(p, job, now));
	builder_unknown(b, F_JOB_JOB_STATE, row);
	builder_unknown(b, F_JOB_QUEUE_RANK, row);
	builder_i64(b, F_JOB_SUBMIT, row, job->submit);
	builder_u32(b, F_JOB_CPUS, row, past_slots_of(job));
	if (job->start != I64_UNKNOWN && job->start <= now) {
		builder_i64(b, F_JOB_START, row, job->start);
		if (charged_of(p, i).count > 0) {
			builder_unknown(b, F_JOB_ASSOC, row);
			builder_unknown(b, F_JOB_ACCOUNT, row);
			builder_unknown(b, F_JOB_CHARGED, row);
		}
	}
	if (job->end != I64_UNKNOWN && job->end <= now)
		builder_i64(b, F_JOB_END, row, job->end);
}

static struct cluster *lsf_past_picture(struct lsf_past *p, int64_t now, struct err *err)
{
	struct builder *b = cluster_copy(p->base);
	struct cluster_meta meta = *cluster_meta(p->base);
	uint32_t kept = 0;

	meta.time = now;
	builder_meta(b, &meta);
	builder_note(b, "usage", "rebuilt from the log with the algorithm of volclava 2.2; unknown "
		     "are the CPU time of accounts with a running job, and all values of those of "
		     "users with several accounts in a queue, and of \"others\" and groups without "
		     "shares where LSF may have skipped them: the log does not show which paid");
	if (p->session == I64_UNKNOWN)
		builder_note(b, "usage", "from ended jobs only: jobs that still ran are missing in "
			     "STARTED and RUN_TIME, and RUN_TIME counts to the second, not to "
			     "mbatchd's last session, which is unknown (expected lsb.events)");
	builder_remove(b, TABLE_JOB, NULL);
	while (next_of(p, &p->submits, offsetof(struct replay_job, submit)) <= now)
		p->alive[p->alive_count++] = p->submits.jobs[p->submits.at++];
	sessions_until(p, now, false);
	past_put_accounts(p, b, now);
	for (uint32_t k = 0; k < p->alive_count; k++) {
		int64_t end = past_job_at(p, p->alive[k])->end;

		if (end != I64_UNKNOWN && end <= p->last)
			continue;
		lsf_past_put_job(p, b, p->alive[k], now);
		p->alive[kept++] = p->alive[k];
	}
	p->alive_count = kept;
	p->last = now;
	return builder_seal(b, err);
}

/* ---- the whole ----------------------------------------------------------------------------- */

struct timed {
	int64_t time;
	uint32_t job;
};

static int past_by_time(const void *left, const void *right)
{
	const struct timed *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

static void sort_jobs(const struct lsf_past *p, struct past_order *o, size_t offset)
{
	uint32_t n = replay_jobs(p->im->replay);
	struct timed *all = mem_alloc((size_t)n + 1, sizeof(*all));

	o->jobs = mem_alloc((size_t)n + 1, sizeof(*o->jobs));
	for (uint32_t i = 0; i < n; i++) {
		int64_t time;

		memcpy(&time, (const char *)past_job_at(p, i) + offset, sizeof(time));
		if (time != I64_UNKNOWN)
			all[o->count++] = (struct timed){ time, i };
	}
	qsort(all, o->count, sizeof(*all), past_by_time);
	for (uint32_t k = 0; k < o->count; k++)
		o->jobs[k] = all[k].job;
	mem_free(all);
}

static void past_begin(struct lsf_past *p, int64_t first)
{
	p->count = cluster_rows(p->base, TABLE_ASSOC);
	p->accounts = mem_zalloc((size_t)p->count + 1, sizeof(*p->accounts));
	for (uint32_t i = 0; i < p->count; i++) {
		double hours = lsf_hist_hours(p->base, cluster_policy(p->base),
					      lsf_queue_of(p->base, i));

		p->accounts[i].kept = hours <= 0 ? 1 : pow(10, -0.25 / hours);
	}
	p->alive = mem_alloc((size_t)replay_jobs(p->im->replay) + 1, sizeof(*p->alive));
	sort_jobs(p, &p->submits, offsetof(struct replay_job, submit));
	sort_jobs(p, &p->starts, offsetof(struct replay_job, start));
	sort_jobs(p, &p->ends, offsetof(struct replay_job, end));
	p->waiters = mem_zalloc((size_t)cluster_rows(p->base, TABLE_JOB) + 1, sizeof(*p->waiters));
	for (uint32_t k = 0; k < cluster_rows(p->base, TABLE_JOB); k++)
		p->waiters[k].started = I64_UNKNOWN;
	p->last = INT64_MIN;
	p->session = p->fresh = I64_UNKNOWN;
	if (p->im->boot_count == 0)
		note_step(p, first);
}

static bool past_run(struct lsf_past *p, const struct replay_options *o, int64_t first,
		     int64_t last, replay_sample *sample, void *context, struct err *err)
{
	int64_t every = o->every > 0 ? o->every : o->period;

	past_begin(p, first);
	for (int64_t now = first;; now = now + every < last ? now + every : last) {
		struct cluster *c;

		past_events_until(p, now);
		c = lsf_past_picture(p, now, err);
		if (!c || !sample(context, c, err))
			return false;
		if (now >= last)
			return true;
	}
}

bool import_lsf_run(struct import *im, const char *dir, const struct replay_options *o,
		    int64_t first, int64_t last, replay_sample *sample, void *context,
		    struct err *err)
{
	struct lsf_past *p = mem_zalloc(1, sizeof(*p));
	char *pairs;
	bool good;

	p->im = im;
	pairs = past_pairs_new(p);
	p->base = lsf_accounts_of(dir, pairs, first, err);
	mem_free(pairs);
	good = p->base && past_run(p, o, first, last, sample, context, err);
	cluster_free(p->base);
	MEM_FREE(p->pays, p->accounts, p->waiters, p->submits.jobs, p->starts.jobs, p->ends.jobs,
		 p->alive, p->steps, p);
	return good;
}
