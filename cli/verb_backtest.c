/* SPDX-License-Identifier: GPL-2.0-or-later */
/* backtest: a log scheduled under other policies. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adapters/registry/apart.h"
#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/base/visible.h"
#include "core/sim/backtest.h"
#include "core/sim/past_limits.h"
#include "core/sim/past_play.h"
#include "core/whatif/whatif_apply.h"
#include "cli/past_jobs.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "tui/base/new_file.h"
#include "tui/base/zone.h"

/* A policy with a set of edits. */
struct backtest_run {
	enum sim_policy policy;
	size_t set;
	char name[100];
};

/* A set of edits, and the resulting cluster. */
struct set {
	struct whatif *whatif;		/* NULL: none */
	struct cluster *cluster;	/* owned if there are edits */
};

#define SETS (2 + OPTIONS_BESIDE)	/* none, those of --set, those of each --beside */

struct backtest_work {
	const struct options *options;
	struct set sets[SETS];
	size_t set_count;
	struct backtest_run runs[BACKTEST_POLICIES];
	size_t run_count;
	struct past_jobs past;
	struct spill *spill;		/* directory for its jobs */
	struct apart_output starts;	/* one per run */
	struct sim_log_options sim_log;
	bool size_guessed;
	struct backtest backtest;
	struct progress progress;
	const char *playing;
	struct bytes not_played;	/* for policies of schedulers; owned */
	uint32_t no_terms;		/* the most jobs reported so far, see struct past */
	char fidelity[500];
	struct bytes notes;		/* all remarks, for JSON; owned */
};

/* Reports what is left out and what is assumed, at once, and in a key of JSON. */
static void ERR_PRINTF(2, 3) backtest_tell(struct backtest_work *w, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = mem_vformat(format, ap);
	va_end(ap);
	remark(w->options->source, "%s", text);
	bytes_append(&w->notes, "; ", w->notes.length > 0 ? 2 : 0);
	bytes_append(&w->notes, text, strlen(text));
	mem_free(text);
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool read_jobs(struct backtest_work *w, struct err *err)
{
	w->spill = spill_new(PAST_JOBS_SPILL);	/* a sandboxed process cannot create files */
	apart_shut_in(w->options->source, NULL, w->options->starts ? &w->starts : NULL);
	if (!past_jobs_read(&w->past, w->options->source, w->spill, &w->progress, err))
		return false;
	/* With only some of the jobs, the machine's past is unknown. */
	if (w->past.cluster && !cluster_shows_all_jobs(w->past.cluster, "backtest", err))
		return false;
	w->sim_log = w->options->sim_log;
	w->sim_log.from = w->options->from;
	w->sim_log.to = w->options->to;
	if (w->sim_log.procs > 0)
		return true;
	w->sim_log.procs = w->past.procs;
	w->size_guessed = w->sim_log.procs == 0;
	if (w->size_guessed)
		w->sim_log.procs = sim_log_peak(w->past.replay);
	return true;
}

static void tell_count(struct backtest_work *w, uint64_t count, const char *what, const char *why)
{
	if (count > 0)
		backtest_tell(w, "%llu %s%s left out: %s", (unsigned long long)count, what,
			      plural(count, "", "s"), why);
}

/* Reports all jobs that are left out. */
static void backtest_tell_left_out(struct backtest_work *w, struct sim_log *t)
{
	const struct gathered *gathered = &w->past.gathered;
	uint32_t before = 0;

	gather_left_out(gathered, t);
	for (unsigned i = 0; i < SIM_LOG_SKIPS; i++)
		tell_count(w, t->left_out[i], "job", sim_log_skip_names[i]);
	for (size_t i = 0; i < w->past.import.tallies; i++) {
		const struct import_tally *tally = &w->past.import.tally[i];

		if (tally->skipped)
			tell_count(w, tally->count, "line", tally->what);
		else
			backtest_tell(w, "%llu line%s: %s", (unsigned long long)tally->count,
				      plural(tally->count, "", "s"), tally->what);
	}
	if (t->no_limits)
		backtest_tell(w, "no job has a time limit: run times are used instead");
	if (t->by_limit > 0)
		backtest_tell(w, "%lu job%s ended by the time limit: the run time beyond it is "
			      "unknown", (unsigned long)t->by_limit,
			      plural(t->by_limit, " was", "s were"));
	if (w->size_guessed)
		backtest_tell(w, "the machine size is unknown (--procs N): %lu processor%s "
			      "assumed, the most in use at one time",
			      (unsigned long)w->sim_log.procs,
			      plural(w->sim_log.procs, " is", "s are"));
	for (uint32_t i = 0; i < t->count; i++)
		before += replay_job(w->past.replay, t->source[i])->submit < gathered->begins;
	if (gathered->begins != 0 && before > 0)
		backtest_tell(w, "%lu job%s submitted before the recording starts: makespan and "
			      "utilisation count from the first submission",
			      (unsigned long)before, plural(before, " was", "s were"));
	if (gathered->ends_guessed > 0)
		backtest_tell(w, "the end of %lu job%s was not recorded: assumed to be when the "
			      "job was gone", (unsigned long)gathered->ends_guessed,
			      plural(gathered->ends_guessed, "", "s"));
}

/* ---- scheduling ---------------------------------------------------------------------------- */

static bool show_playing(void *context, uint32_t ended, uint32_t jobs)
{
	struct backtest_work *w = context;

	progress_show(&w->progress, w->playing, (double)ended / jobs, ended, "jobs");
	return true;
}

/* Reports the parameters that schedules on nodes depend on. */
static void tell_defaults(struct backtest_work *w, enum sim_policy policy, const struct cluster *c)
{
	for (const char *const *name = past_params(policy); *name; name++) {
		size_t p = policy_param(*name);

		if (!policy_is_known(cluster_policy(c), p))
			backtest_tell(w, "%s is unknown: its default is used, \"%s\"", *name,
				      policy_params[p].default_value);
	}
}

/* Reports what the schedules on the nodes of PAST assume and leave out; each remark once. */
static void tell_nodes(void *context, enum sim_policy policy, const struct past *past)
{
	struct backtest_work *w = context;
	const char *not_played = past_not_played(policy);
	char text[160];

	if (past->no_terms > w->no_terms) {
		backtest_tell(w, "only age and fair share are known of the priority of %lu job%s",
			      (unsigned long)past->no_terms, plural(past->no_terms, "", "s"));
		w->no_terms = past->no_terms;
	}
	if (w->not_played.data && strstr(w->not_played.data, not_played))
		return;
	bytes_append(&w->not_played, "; ", w->not_played.length > 0 ? 2 : 0);
	bytes_append(&w->not_played, not_played, strlen(not_played));
	backtest_tell(w, "%s", not_played);
	tell_defaults(w, policy, past->c);
	if (past->no_usage)
		backtest_tell(w, "no usage is known: fair share counts as 0 in all "
		       "priorities");
	if (policy == SIM_PBS)
		return;
	if (past->unit && cluster_rows(past->c, TABLE_HOST) > 0)
		backtest_tell(w, "with --procs each processor counts as a node");
	else if (past->unit)
		backtest_tell(w, "no nodes are known: each processor counts as one");
	past_limits_note(past, text, sizeof(text));
	if (text[0])
		backtest_tell(w, "%s", text);
	if (past->too_large > 0)
		backtest_tell(w, "%lu job%s larger than the partition: all nodes are used for "
			      "each", (unsigned long)past->too_large,
			      plural(past->too_large, " is", "s are"));
}

static bool backtest_play(struct backtest_work *w, struct sim_log *t, enum sim_policy policy,
			  const struct set *set, struct err *err)
{
	const struct past_play p = {
		.sim = { .policy = policy, .procs = w->sim_log.procs, .progress = show_playing,
			 .context = w },
		.c = set->cluster, .nodes = w->options->sim_log.procs == 0, .made = tell_nodes,
	};

	w->playing = policy_schedules[policy];
	w->progress = progress_begin();
	return past_play(&p, t, w->past.replay, err);
}

/* Why the past is judged under the policy of past_policy(); "" if that policy was in effect. */
static void say_why(const struct backtest_work *w, char *text, size_t size)
{
	const struct cluster *c = w->past.cluster;
	const char *kind = cluster_meta(c)->kind;
	bool log = false, slurm = strcmp(kind, "slurm") == 0, pbs = strcmp(kind, "pbs") == 0;
	const char *param = slurm ? "SchedulerType" : "job_sort_formula";
	char name[64];

	visible_copy(name, sizeof(name), kind, strlen(kind));
	for (size_t i = 0; import_kinds[i]; i++)
		log = log || strcmp(kind, import_kinds[i]->name) == 0;
	text[0] = '\0';
	if (log)
		snprintf(text, size, "; judged under easy: the log does not report the policy");
	else if (!slurm && !pbs)
		snprintf(text, size, "; judged under easy: no simulation of %s's policy", name);
	else if (!policy_is_known(cluster_policy(c), policy_param(param)))
		snprintf(text, size, pbs ? "; judged under pbs: its parameters are unknown, their "
			 "defaults are used" : "; judged under slurm: SchedulerType is unknown, "
			 "its default is used");
}

/* Schedules the log unchanged: with its limits and arrivals, and all requested jobs. */
static bool tell_fidelity(struct backtest_work *w, struct err *err)
{
	struct sim_log_options o = w->sim_log;
	struct sim_log t;
	char why[120];
	enum sim_policy policy = past_policy(w->past.cluster, NULL);
	bool good;

	o.estimates = o.load = 1;
	good = sim_log_make(&t, w->past.replay, &o, err);
	backtest_tell_left_out(w, &t);
	good = good && backtest_play(w, &t, policy, &w->sets[0], err);
	if (good) {
		say_why(w, why, sizeof(why));
		past_fidelity(&t, w->past.replay, policy, why, w->fidelity, sizeof(w->fidelity));
	}
	sim_log_free(&t);
	return good;
}

/* ---- starts -------------------------------------------------------------------------------- */

#define STARTS_HEADER "id\tsubmit\tstart\tend\n"

static void put_starts(struct bytes *text, const struct sim_log *t, struct replay *r)
{
	char line[100];

	bytes_append(text, STARTS_HEADER, strlen(STARTS_HEADER));
	for (uint32_t i = 0; i < t->count; i++) {
		const struct sim_job *j = &t->jobs[i];
		int length = snprintf(line, sizeof(line), "%lu\t%lld\t%lld\t%lld\n",
				      (unsigned long)replay_job(r, t->source[i])->id,
				      (long long)j->submit, (long long)j->start,
				      (long long)sim_end(j));

		bytes_append(text, line, (size_t)length);
	}
}

/* FILE for the first run, FILE.2 for the second. */
static bool keep_starts(void *context, unsigned policy, const struct bytes *text, struct err *err)
{
	const char *given = context;
	char *path = policy == 0 ? mem_strdup(given) : mem_format("%s.%u", given, policy + 1);
	bool good = policy < BACKTEST_POLICIES &&
		    new_file_write(path, text, new_file_is_ours(path, STARTS_HEADER), err);

	mem_free(path);
	return good;
}

static bool write_starts(const struct backtest_work *w, const struct sim_log *t, size_t policy,
			 struct err *err)
{
	struct bytes text = { .data = NULL };
	bool good;

	if (!w->options->starts)
		return true;
	put_starts(&text, t, w->past.replay);
	good = apart_keep(&w->starts, (unsigned)policy, &text, err);
	bytes_free(&text);
	return good;
}

static bool play_all(struct backtest_work *w, struct err *err)
{
	struct sim_log t;
	bool good = sim_log_make(&t, w->past.replay, &w->sim_log, err);
	bool is_log = w->past.import.lines > 0;		/* a log has no shares */

	if (is_log && w->set_count > 1)
		backtest_tell(w, "the log has no shares: accounts and users without an edit have "
			      "1 share");
	for (size_t i = 0; good && i < w->run_count; i++) {
		const struct backtest_run *run = &w->runs[i];

		good = backtest_play(w, &t, run->policy, &w->sets[run->set], err) &&
		       write_starts(w, &t, i, err);
		if (good)
			good = backtest_add(&w->backtest, run->name, &t, w->past.replay,
					    w->sim_log.procs, is_log && run->set == 0 ? NULL :
					    w->sets[run->set].cluster, err);
	}
	sim_log_free(&t);
	return good;
}

/* ---- the runs ------------------------------------------------------------------------------ */

static int backtest_load_sets(struct backtest_work *w)
{
	const struct options *o = w->options;
	int status = edits_load(o, &w->sets[1].whatif);

	w->set_count = w->sets[1].whatif ? 2 : 1;
	for (size_t i = 0; status == 0 && i < o->beside_count; i++)
		status = edits_load_beside(o->beside[i], &w->sets[w->set_count++].whatif);
	return status;
}

static bool apply_sets(struct backtest_work *w, struct err *err)
{
	bool good = true;

	w->sets[0].cluster = w->past.cluster;
	for (size_t i = 1; good && i < w->set_count; i++) {
		struct set *set = &w->sets[i];

		zone_enter(cluster_meta(w->past.cluster)->zone);
		set->cluster = whatif_apply(set->whatif, w->past.cluster);
		zone_leave();
		good = whatif_check(set->whatif, err);
	}
	return good;
}

/* Whether the edits change the scheduler type. */
static bool sets_policy(const struct whatif *edits)
{
	size_t type = policy_param("SchedulerType");
	bool sets = false;

	for (uint32_t i = 0; edits && i < edits->count; i++)
		sets = sets || (whatif_in_force(edits, i) && edits->entries[i].edit.param == type);
	return sets;
}

/* Plans each policy under each set of edits, the unedited past first. */
static bool plan_runs(struct backtest_work *w, struct err *err)
{
	const struct options *o = w->options;
	size_t count = o->policy_count ? o->policy_count : 1;

	if (count * w->set_count > BACKTEST_POLICIES)
		return err_set(err, ERR_INPUT, "%zu policies under %zu sets of edits are %zu "
			       "schedules (at most %d fit side by side; no edits is one "
			       "set)", count, w->set_count, count * w->set_count,
			       BACKTEST_POLICIES);
	for (size_t set = 0; set < w->set_count; set++) {
		const struct whatif *edits = w->sets[set].whatif;
		const char *name = edits && edits->name[0] ? edits->name : "edits";
		bool own = !o->policy_count || sets_policy(edits);

		/* A set that has its own policy replaces all others. */
		for (size_t i = 0; i < (own ? 1 : count); i++) {
			struct backtest_run *run = &w->runs[w->run_count++];

			run->policy = own ? past_policy(w->sets[set].cluster,
							whatif_schedule(edits)) : o->policies[i];
			run->set = set;
			snprintf(run->name, sizeof(run->name), "%s%s%s",
				 policy_schedules[run->policy], edits ? "+" : "",
				 edits ? name : "");
		}
	}
	return true;
}

/* ---- the answer ---------------------------------------------------------------------------- */

static bool backtest_answer(struct backtest_work *w, const struct selection *selection,
			    struct err *err)
{
	const struct options *o = w->options;
	const char *columns = o->every_ms > 0 && o->format == REPORT_TABLE && !o->columns ?
			      BACKTEST_STEP_COLUMNS : o->columns;
	struct output *out = mem_zalloc(1, sizeof(*out));
	struct report_extra extras[] = { { "fidelity", w->fidelity },
					 { "not_played", w->not_played.data },
					 { "notes", w->notes.data } };
	struct report r = { .view = backtest_view(&w->backtest), .cluster = w->past.cluster,
			    .source = o->source, .now = I64_UNKNOWN, .extras = extras,
			    .extra_count = 3, .local = &zone_local };
	bool good;

	output_init(out);
	r.width = out->width;
	r.terminal = out->terminal;
	if (o->format == REPORT_TABLE)
		output_text(out, "%s\n\n", w->fidelity);
	else if (o->format == REPORT_CSV)
		remark(o->source, "%s", w->fidelity);
	r.columns = report_columns(&r.view, columns, o->format, 0, &r.column_count, err);
	r.rows = rows_select(&r.view, selection->filter, &selection->order, &r.row_count);
	good = r.columns && filter_held(selection->filter, err) &&
	       report_write(&r, o->format, output_sink(out), err) && output_finish(out, err);
	report_free(&r);
	mem_free(out);
	return good;
}

int verb_backtest(const struct options *o)
{
	struct backtest_work *w = mem_zalloc(1, sizeof(*w));
	struct view shape = backtest_view(&w->backtest);
	struct err err = { .code = ERR_NONE };
	struct selection selection;
	int status = selection_parse(&selection, o, &shape);

	w->options = o;
	w->starts = (struct apart_output){ .keep = keep_starts, .context = (char *)o->starts,
					   .part_fd = -1 };
	w->backtest.step = o->every_ms / 1000;
	w->progress = progress_begin();
	if (status == 0)
		status = backtest_load_sets(w);
	if (status == 0 && (!read_jobs(w, &err) || !apply_sets(w, &err) || !plan_runs(w, &err) ||
			    !tell_fidelity(w, &err) || !play_all(w, &err) ||
			    !backtest_answer(w, &selection, &err))) {
		progress_clear();
		status = complain(&err);
	}
	backtest_free(&w->backtest);
	bytes_free(&w->not_played);
	bytes_free(&w->notes);
	for (size_t i = 1; i < w->set_count; i++) {
		cluster_free(w->sets[i].cluster);
		whatif_free(w->sets[i].whatif);
	}
	past_jobs_free(&w->past);
	spill_close(w->spill);
	selection_free(&selection);
	mem_free(w);
	return status;
}
