/* SPDX-License-Identifier: GPL-2.0-or-later */
/* audit: whether the recorded usage follows from the jobs. */
#include <stdio.h>
#include <string.h>

#include "adapters/import/import.h"
#include "adapters/store/store.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/cluster/idmap.h"
#include "core/replay/audit.h"
#include "core/share/decay.h"
#include "core/share/decay_policy.h"
#include "cli/past_jobs.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "tui/base/zone.h"

struct audit_work {
	const struct options *options;
	const char *source;
	struct spill *spill;		/* borrowed */
	bool recorded;			/* the source is a recording */
	struct past_jobs past;		/* of the recording */
	struct import import;		/* of --sacct */
	struct replay *replay;		/* of PAST or IMPORT */
	struct audit_options audit;
	int64_t *passes, *drops;	/* owned */
	struct audit_factor *factors;	/* owned */
	size_t factor_capacity;
	struct progress progress;
};

/* ---- what a recording saw ------------------------------------------------------------------ */

/* The state at the previous sample. */
struct audit_before {
	int64_t time;
	struct idmap rows;		/* of the last sample, by association id */
	double *usage;			/* of these rows */
	double *factor;			/* per QOS */
};

/* Notes where usage has dropped below what decay explains. */
static void see_usage(struct audit_work *w, const struct cluster *c, struct audit_before *b)
{
	const struct cluster *held = w->audit.held;
	int64_t now = cluster_meta(c)->time;
	int64_t passed = b->time == I64_UNKNOWN ? 0 : now - b->time;
	double left = decay_over(decay_half_life(held), passed + 2 * decay_period(held));

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		uint32_t row = idmap_get(&b->rows, cluster_u32(c, F_ASSOC_ID, i), ROW_NONE);
		double usage = cluster_f64(c, F_ASSOC_USAGE, i);

		if (row == ROW_NONE)
			continue;
		if (usage < b->usage[row] * left * (1 - 1e-9) - 1)
			w->drops[row] = now;
		b->usage[row] = usage;
	}
}

static void see_factors(struct audit_work *w, const struct cluster *c, struct audit_before *b)
{
	const struct cluster *held = w->audit.held;
	struct audit_options *o = &w->audit;

	for (uint32_t i = 0; i < cluster_rows(held, TABLE_QOS); i++) {
		const char *name = cluster_text(held, F_QOS_NAME, i);
		uint32_t row = cluster_row_named(c, F_QOS_NAME, name ? name : "",
						 name ? strlen(name) : 0);
		double factor = row == ROW_NONE ? F64_UNKNOWN :
				cluster_f64(c, F_QOS_USAGE_FACTOR, row);

		if (!name || !f64_known(factor))
			continue;
		if (factor < b->factor[i] || factor > b->factor[i]) {
			MEM_GROW(w->factors, w->factor_capacity, o->factor_count + 1);
			w->factors[o->factor_count++] = (struct audit_factor){
				replay_text(w->replay, name, strlen(name)),
				cluster_meta(c)->time, b->factor[i]
			};
		}
		b->factor[i] = factor;
	}
}

static void audit_see(struct audit_work *w, const struct cluster *c, struct audit_before *b)
{
	int64_t now = cluster_meta(c)->time;

	see_usage(w, c, b);
	see_factors(w, c, b);
	if (b->time != I64_UNKNOWN && now - b->time > w->audit.step)
		w->audit.step = now - b->time;
	b->time = now;
}

static bool audit_watch(struct audit_work *w, struct err *err)
{
	uint32_t rows = cluster_rows(w->audit.held, TABLE_ASSOC);
	uint32_t qos = cluster_rows(w->audit.held, TABLE_QOS);
	struct store_reader *r = store_reader_open(w->source, err);
	struct store_walk *walk = r ? store_walk_new(r, NEED_SHARES | NEED_LIMITS | NEED_QOS) :
				  NULL;
	struct audit_before b = { .time = I64_UNKNOWN };
	struct store_sample first, last;
	bool good = walk && store_range(r, &first, &last, err);

	w->drops = mem_alloc(rows + 1, sizeof(*w->drops));
	b.usage = mem_zalloc(rows + 1, sizeof(*b.usage));
	b.factor = mem_alloc(qos + 1, sizeof(*b.factor));
	cluster_assoc_ids(w->audit.held, &b.rows);
	for (uint32_t i = 0; i < rows; i++)
		w->drops[i] = I64_UNKNOWN;
	for (uint32_t i = 0; i < qos; i++)
		b.factor[i] = F64_UNKNOWN;
	for (int64_t id = good ? first.id : 1; good && id <= last.id; id = first.id + 1) {
		const struct cluster *c = store_next(r, id, &first, err) ?
					  store_walk_to(walk, first.id, err) : NULL;

		good = c;
		if (c && cluster_meta(c)->time != I64_UNKNOWN &&
		    cluster_meta(c)->time <= cluster_meta(w->audit.held)->time)
			audit_see(w, c, &b);
	}
	idmap_free(&b.rows);
	mem_free(b.usage);
	mem_free(b.factor);
	store_walk_free(walk);
	store_reader_close(r);
	return good;
}

/* ---- reading ------------------------------------------------------------------------------- */

static bool audit_read_recording(struct audit_work *w, struct err *err)
{
	struct past_jobs *p = &w->past;

	if (!past_jobs_read(p, w->source, w->spill, &w->progress, err))
		return false;
	w->replay = p->replay;
	w->audit.held = p->held;
	w->audit.begin = p->cluster;
	w->audit.since = p->begins;
	return true;
}

/* Whether there are jobs with known ends; otherwise nothing can be charged. */
static bool check_ends(const struct audit_work *w, struct err *err)
{
	uint32_t ended = 0, guessed = w->past.gathered.ends_guessed;

	if (!w->recorded)
		return err_set(err, ERR_SOURCE, "%s: it does not report which jobs ran (expected "
			       "--sacct FILE with the output of sacct -a -P -D -S TIME -o ALL)",
			       w->source);
	if (w->past.gathered.begins == 0)
		return err_set(err, ERR_SOURCE, "%s: no jobs were recorded (expected --sacct FILE)",
			       w->source);
	for (uint32_t i = 0; i < replay_jobs(w->replay); i++) {
		const struct replay_job *j = replay_job(w->replay, i);

		ended += j->start != I64_UNKNOWN && j->end != I64_UNKNOWN;
	}
	return guessed == 0 || guessed < ended ||
	       err_set(err, ERR_SOURCE, "%s: no end was recorded of the %lu jobs that ended "
		       "(expected --sacct FILE)", w->source, (unsigned long)ended);
}

static bool read_sacct(struct audit_work *w, struct err *err)
{
	struct import *im = &w->import;
	const struct cluster *held = w->audit.held;

	import_use_spill(im, w->spill);
	replay_tree(im->replay, held);
	replay_qos(im->replay, held);
	import_take_weights(im, held);
	w->replay = im->replay;
	return import_read(im, w->options->sacct, err);
}

static bool audit_read_all(struct audit_work *w, struct err *err)
{
	const struct options *o = w->options;

	w->audit.tolerance = o->tolerance >= 0 ? o->tolerance : 0.001;
	w->audit.calendar = &zone_local;
	if (w->recorded && !audit_read_recording(w, err))
		return false;
	/* Usage was charged for everyone's jobs. */
	if (!o->sacct && w->audit.begin && !cluster_shows_all_jobs(w->audit.begin, "audit", err))
		return false;
	if (o->sacct ? !read_sacct(w, err) : !check_ends(w, err))
		return false;
	if (o->passes && !import_passes(o->passes, &w->passes, &w->audit.pass_count, err))
		return false;
	w->audit.passes = w->passes;
	if (w->recorded && (!audit_check(w->audit.held, err) || !audit_watch(w, err)))
		return false;
	w->audit.drops = w->drops;
	w->audit.factors = w->factors;
	return true;
}

/* ---- the answer ---------------------------------------------------------------------------- */

/* Reports the assumptions of the answer. */
static void audit_tell(const struct audit_work *w)
{
	const struct gathered *g = &w->past.gathered;
	const struct import *im = &w->import;

	for (size_t i = 0; i < im->tallies; i++) {
		const struct import_tally *t = &im->tally[i];

		remark(w->options->sacct, "%llu line%s: %s", (unsigned long long)t->count,
		       plural(t->count, "", "s"), t->what);
	}
	if (!w->recorded)
		remark(w->options->sacct, "usage from before the log counts as 0");
	if (!w->options->sacct && g->ends_guessed > 0)
		remark(w->source, "the end of %lu job%s was not recorded: any run time they may "
		       "have had is allowed", (unsigned long)g->ends_guessed,
		       plural(g->ends_guessed, "", "s"));
	if (!w->passes)
		remark(w->source, "the times of the decay passes are unknown (--passes FILE): the "
		       "decay of two periods is allowed");
}

int audit_answer(struct session *s, struct selection *selection)
{
	struct audit_work *w = mem_zalloc(1, sizeof(*w));
	struct err err = { .code = ERR_NONE };
	struct report_extra extra = { "verdict", NULL };
	struct audit *a = NULL;
	struct view view;
	int status;

	w->options = s->options;
	w->spill = s->spill;
	w->source = s->options->source ? s->options->source : s->source->name;
	w->recorded = s->options->source && past_jobs_recorded(s->options->source);
	w->audit.held = s->cluster;
	w->audit.since = I64_UNKNOWN;
	w->progress = progress_begin();
	import_init(&w->import, &import_sacct);
	zone_enter(cluster_meta(s->cluster)->zone);
	if (audit_read_all(w, &err))
		a = audit_run(w->replay, &w->audit, &err);
	zone_leave();
	progress_clear();
	if (a) {
		audit_tell(w);
		view = audit_view(a);
		extra.text = a->differs ? "differs" : "equal";
		status = session_answer(s, &view, selection, &extra, 1);
		status = status ? status : a->differs;
	} else {
		status = complain(&err);
	}
	audit_free(a);
	if (w->recorded)
		past_jobs_free(&w->past);
	import_free(&w->import);
	MEM_FREE(w->passes, w->drops, w->factors, w);
	return status;
}
