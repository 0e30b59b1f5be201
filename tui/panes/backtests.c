/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/backtests.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/base/text.h"
#include "core/whatif/whatif_apply.h"
#include "tui/panes/pane.h"
#include "tui/time/travel.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

#define LOOK_MS 100		/* between two checks whether the thread is done */

struct backtests_task {
	struct backtests *b;
	pthread_t thread;
	_Atomic bool stop, over;
	_Atomic uint32_t played;	/* thousandths of all runs */
	int64_t time;			/* of the picture to make; I64_UNKNOWN: simulate the runs */
	size_t run;
	struct cluster *made;
	struct err err;
};

/* ---- in the thread ------------------------------------------------------------------------- */

static bool backtests_progress(void *context, uint32_t ended, uint32_t jobs)
{
	struct backtests_task *t = context;
	double part = (double)t->run + (double)ended / jobs;

	atomic_store(&t->played, (uint32_t)(1000 * part / (double)t->b->count));
	return !atomic_load(&t->stop);
}

static const struct cluster *backtests_cluster_of(const struct backtests *b,
						  const struct backtests_run *run)
{
	return run->edited ? b->edited : b->cluster;
}

static void backtests_tell_left_out(struct backtests *b, struct sim_log *t)
{
	struct gathered g = gather_tally(b->gather);
	const size_t size = sizeof(b->left_out);
	unsigned long count = 0;

	gather_left_out(&g, t);
	for (unsigned i = 0; i < SIM_LOG_SKIPS; i++)
		count += t->left_out[i];
	if (count == 0)
		return;
	snprintf(b->left_out, size, "%lu job%s left out", count, plural(count, "", "s"));
	for (unsigned i = 0, reported = 0; i < SIM_LOG_SKIPS; i++) {
		if (t->left_out[i] > 0)
			format_append(b->left_out, size, "%s%lu %s", reported++ > 0 ? ", " : ": ",
				      (unsigned long)t->left_out[i], sim_log_skip_names[i]);
	}
}

static bool play_run(struct backtests_task *t, struct backtests_run *run)
{
	struct backtests *b = t->b;
	struct sim_log_options o = SIM_LOG_OPTIONS_INIT;
	struct past_play p = {
		.sim = { .policy = run->policy, .procs = b->procs, .progress = backtests_progress,
			 .context = t },
		.c = backtests_cluster_of(b, run), .nodes = true,
	};

	o.procs = b->procs;
	if (!sim_log_make(&run->sim_log, b->replay, &o, &t->err) ||
	    !past_play(&p, &run->sim_log, b->replay, &t->err))
		return false;
	if (t->run == 0) {
		b->result.step = backtest_makespan(&run->sim_log) / BACKTEST_POINTS + 1;
		past_fidelity(&run->sim_log, b->replay, run->policy, "", b->fidelity,
			      sizeof(b->fidelity));
		backtests_tell_left_out(b, &run->sim_log);
	}
	return backtest_add(&b->result, run->name, &run->sim_log, b->replay, b->procs, p.c,
			    &t->err);
}

static void *backtests_work(void *context)
{
	struct backtests_task *t = context;
	struct backtests *b = t->b;
	bool good = true;

	if (t->time != I64_UNKNOWN) {
		const struct backtests_run *run = &b->runs[t->run];

		t->made = past_picture(b->cluster, backtests_cluster_of(b, run), &run->sim_log,
				       b->replay, t->time, run->name, &t->err);
	} else {
		for (t->run = 0; good && t->run < b->count; t->run++)
			good = play_run(t, &b->runs[t->run]);
	}
	atomic_store(&t->over, true);
	return NULL;
}

/* ---- outside the thread -------------------------------------------------------------------- */

static void forget_result(struct backtests *b)
{
	backtest_free(&b->result);
	b->result = (struct backtest){ .count = 0 };
	for (size_t i = 0; i < b->count; i++)
		sim_log_free(&b->runs[i].sim_log);
	cluster_free(b->edited);
	b->edited = NULL;
	b->count = b->run = 0;
	b->fidelity[0] = b->left_out[0] = b->problem[0] = '\0';
}

static void forget_past(struct backtests *b)
{
	gather_free(b->gather);
	replay_free(b->replay);
	cluster_free(b->cluster);
	mem_free(b->wanted);
	b->gather = NULL;
	b->replay = NULL;
	b->cluster = NULL;
	b->wanted = NULL;
	b->wanted_count = b->next = 0;
	b->state = BACKTESTS_NONE;
}

static void backtests_fail(struct backtests *b, const char *problem)
{
	forget_result(b);
	forget_past(b);
	snprintf(b->problem, sizeof(b->problem), "%s", problem);
}

static void backtests_begin_task(struct app *a, int64_t time)
{
	struct backtests *b = a->backtests;
	struct backtests_task *t = mem_zalloc(1, sizeof(*t));
	const char *no_thread = "backtest: no thread could be started";

	t->b = b;
	t->time = time;
	t->run = b->run;
	if (pthread_create(&t->thread, NULL, backtests_work, t) != 0) {
		mem_free(t);
		app_say(a, ROLE_ERROR, "%s", no_thread);
		if (time == I64_UNKNOWN)
			backtests_fail(b, no_thread);
		return;
	}
	b->task = t;
}

static void show_instant(struct app *a, struct backtests_task *t)
{
	char when[32];

	if (!t->made || !model_can(t->made, &a->model_options, &t->err)) {
		app_say(a, ROLE_ERROR, "%s", t->err.message);
		cluster_free(t->made);
		return;
	}
	pane_close_all(a);
	travel_simulated(a, t->made, t->time);
	travel_name(t->time, false, when, sizeof(when));
	app_say(a, ROLE_MESSAGE, "%s as it would have been under %s; = shows what really happened",
		when, a->backtests->runs[t->run].name);
}

/* Takes the results of the thread; waits for it if necessary. */
static void end_task(struct app *a)
{
	struct backtests *b = a->backtests;
	struct backtests_task *t = b->task;

	pthread_join(t->thread, NULL);
	b->task = NULL;
	if (t->time != I64_UNKNOWN) {
		show_instant(a, t);
	} else if (t->err.code != ERR_NONE) {
		backtests_fail(b, t->err.message);
	} else {
		b->state = BACKTESTS_THERE;
		b->step = b->result.steps / 2;
	}
	mem_free(t);
}

/* ---- requests ------------------------------------------------------------------------------ */

static void add_run(struct backtests *b, enum sim_policy policy, bool edited)
{
	struct backtests_run *run = &b->runs[b->count];

	for (size_t i = 0; i < b->count; i++) {
		if (b->runs[i].policy == policy && b->runs[i].edited == edited)
			return;
	}
	if (b->count == BACKTEST_POLICIES)
		return;
	*run = (struct backtests_run){ .policy = policy, .edited = edited };
	snprintf(run->name, sizeof(run->name), "%s%s", policy_schedules[policy],
		 edited ? "+edits" : "");
	b->count++;
}

static uint64_t backtests_edits_of(const struct app *a)
{
	const struct whatif *w = whatif_edits_get(a);
	char text[SCRIPT_LINE];
	uint64_t hash = 0;

	for (uint32_t i = 0; w && i < w->count; i++) {
		if (!whatif_in_force(w, i))
			continue;
		edit_text(&w->entries[i].edit, text, sizeof(text));
		hash = text_hash(text, strlen(text), hash + 1);
	}
	return hash;
}

bool backtests_are_old(const struct app *a)
{
	const struct backtests *b = a->backtests;

	return !b->task && b->state != BACKTESTS_GATHERS &&
	       (b->state == BACKTESTS_NONE || b->edits != backtests_edits_of(a));
}

static void begin_play(struct app *a)
{
	struct backtests *b = a->backtests;
	enum sim_policy ruled = past_policy(b->cluster, NULL);
	struct backtests_run wished[BACKTEST_POLICIES];
	size_t count = b->count;

	memcpy(wished, b->runs, sizeof(wished));
	b->count = 0;
	add_run(b, ruled, false);
	if (whatif_count(a) > 0) {
		b->edited = whatif_apply(whatif_edits(a), b->cluster);
		add_run(b, past_policy(b->edited, whatif_schedule(whatif_edits(a))), true);
	}
	for (size_t i = 0; i < count; i++)
		add_run(b, wished[i].policy, false);
	b->procs = gather_procs(b->gather);
	b->guessed = b->procs == 0;
	if (b->guessed)
		b->procs = sim_log_peak(b->replay);
	b->edits = backtests_edits_of(a);
	b->run = b->count > 1;
	b->state = BACKTESTS_PLAYS;
	backtests_begin_task(a, I64_UNKNOWN);
}

/* The last picture and the first one have the cluster's data, then all of them have the jobs. */
static void begin_gather(struct app *a)
{
	struct backtests *b = a->backtests;
	const struct timeline *line = &a->travel->line;

	b->wanted = mem_alloc(2, sizeof(*b->wanted));
	b->wanted[0] = line->samples[line->count - 1];
	b->wanted[1] = line->samples[0];
	b->wanted_count = 2;
	b->next = 0;
	b->shares = true;
	b->replay = replay_new();
	b->state = BACKTESTS_GATHERS;
	a->effects |= APP_SURVEY;
}

void backtests_ask(struct app *a, const enum sim_policy *policies, size_t count)
{
	static const enum sim_policy usual[] = { SIM_EASY, SIM_FCFS };
	struct backtests *b = a->backtests;

	if (b->state == BACKTESTS_GATHERS || b->task)
		return;
	forget_result(b);
	if (b->cluster && b->wanted_count != a->travel->line.count)
		forget_past(b);		/* the recording has grown */
	for (size_t i = 0; i < (count > 0 ? count : 2); i++)
		add_run(b, count > 0 ? policies[i] : usual[i], false);
	if (!a->travel->recorded || a->travel->line.count == 0)
		backtests_fail(b, "No past to back-test: it needs a recording (fairtop record "
			       "SOURCE -o FILE).");
	else if (b->cluster)
		begin_play(a);
	else
		begin_gather(a);
}

void backtests_open(struct app *a)
{
	struct backtests *b = a->backtests;

	if (b->state == BACKTESTS_THERE && !b->task)
		backtests_begin_task(a, backtests_time(b));
}

int64_t backtests_time(const struct backtests *b)
{
	return b->result.from + b->step * b->result.step;
}

double backtests_done(const struct backtests *b)
{
	if (b->state == BACKTESTS_PLAYS && b->task)
		return atomic_load(&b->task->played) / 1000.0;
	return b->wanted_count > 0 ? (double)b->next / (double)b->wanted_count : 0;
}

/* ---- the feature --------------------------------------------------------------------------- */

static void backtests_init(struct app *a)
{
	a->backtests = mem_zalloc(1, sizeof(*a->backtests));
}

static void backtests_leave(struct app *a)
{
	struct backtests *b = a->backtests;

	if (b->task) {
		atomic_store(&b->task->stop, true);
		pthread_join(b->task->thread, NULL);
		cluster_free(b->task->made);
		mem_free(b->task);
	}
	forget_result(b);
	forget_past(b);
	mem_free(b);
}

static void backtests_after_event(struct app *a)
{
	struct backtests *b = a->backtests;

	/* When a frame is rendered, waits for it. */
	if (b->task && (!a->keeps || atomic_load(&b->task->over)))
		end_task(a);
}

static int64_t backtests_next_ms(const struct app *a)
{
	return a->backtests->task ? a->ms + LOOK_MS : -1;
}

static const int64_t *backtests_survey(const struct app *a, size_t *count, uint32_t *needs)
{
	const struct backtests *b = a->backtests;

	*count = b->state == BACKTESTS_GATHERS ? b->wanted_count - b->next : 0;
	*needs = b->shares ? NEED_ALL : NEED_JOBS | NEED_HOSTS;
	return *count > 0 ? b->wanted + b->next : NULL;
}

/* The data of the first two pictures is complete; now the jobs. */
static void begin_jobs(struct app *a)
{
	struct backtests *b = a->backtests;
	const struct timeline *line = &a->travel->line;

	if (cluster_hides_jobs(b->cluster)) {
		backtests_fail(b, "Other users' jobs are hidden: the cluster's past cannot be "
			       "simulated.");
		return;
	}
	replay_tree(b->replay, b->cluster);
	replay_qos(b->replay, b->cluster);
	b->gather = gather_new(b->replay);
	b->shares = false;
	b->next = 0;
	b->wanted_count = line->count;
	b->wanted = mem_realloc(b->wanted, line->count, sizeof(*b->wanted));
	memcpy(b->wanted, line->samples, line->count * sizeof(*b->wanted));
	a->effects |= APP_SURVEY;
}

static bool backtests_look(struct app *a, int64_t time, struct cluster *cluster)
{
	struct backtests *b = a->backtests;

	if (b->state != BACKTESTS_GATHERS || b->next == b->wanted_count ||
	    time != b->wanted[b->next])
		return false;
	b->next++;
	if (!cluster) {
		backtests_fail(b, "A sample of the recording cannot be read.");
		return true;
	}
	if (!b->shares)
		gather_add(b->gather, cluster);
	else if (!b->cluster)
		b->cluster = cluster_share(cluster);
	else
		b->cluster = past_begun(b->cluster, cluster);
	cluster_free(cluster);
	if (b->next < b->wanted_count)
		return true;
	if (b->shares) {
		begin_jobs(a);
	} else {
		begin_play(a);
		a->effects |= APP_SURVEY;	/* other requests may be pending */
	}
	return true;
}

const struct feature backtest_feature = {
	.init = backtests_init, .free = backtests_leave, .after_event = backtests_after_event,
	.survey = backtests_survey, .look = backtests_look, .next_ms = backtests_next_ms,
};
