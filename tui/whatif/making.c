/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/whatif/making.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/whatif/whatif_apply.h"

/* ---- the order ----------------------------------------------------------------------------- */

/* The start that sets of edits need: an enum fs_base, or -1: the one that the user chose. */
static int making_start(struct whatif *const sets[WHATIF_SETS], const struct cluster *c,
			const struct model_options *chosen)
{
	for (size_t i = 0; i < WHATIF_SETS; i++) {
		if (sets[i] && whatif_needs_usage(sets[i], c))
			return FS_BASE_USAGE;
	}
	return chosen->base;
}

/* Whether P was made by OPTIONS, with START. */
static bool making_is_so(const struct picture *p, const struct model_options *options, int start)
{
	return p->model && p->queue && p->options.algorithm == options->algorithm &&
	       p->options.base == options->base && p->options.order == options->order &&
	       p->start == start;
}

bool making_is_over(const struct app *a)
{
	return whatif_count(a) > 0 && !a->whatif->flipped;
}

/* By classes only if they have been opened, or chosen, which also concerns a column of jobs. */
static struct picture_order making_how(const struct app *a)
{
	struct picture_order how = app_order(a);

	how.classes = a->opened[VIEW_CLASSES] || a->class_pick.chosen;
	return how;
}

static bool making_regroups(const struct picture *of, const struct picture_order *how)
{
	struct class_choice choice = picture_choice(of->cluster, &how->pick);

	return how->classes && !queue_is_grouped(of->queue, &choice);
}

bool making_is_needless(const struct app *a, const struct picture *of)
{
	struct picture_order how = making_how(a);
	int start = making_start(a->whatif->sets, of->cluster, &how.options);

	return !making_is_over(a) && making_is_so(of, &how.options, start) &&
	       !making_regroups(of, &how);
}

/* Whether everything is known of a set that is not on the screen. */
static bool making_is_summed_up(const struct whatif_sets *t, uint32_t set)
{
	return t->sums[set].known && (!t->beside || t->places[set]);
}

struct making *making_order(struct app *a)
{
	struct whatif_sets *t = a->whatif;
	struct picture *of = t->coming ? t->coming : whatif_base(a);
	/* Of this order, or of the one that is still to be answered. */
	bool other_base = t->coming || t->answered != t->ordered;
	struct making *m;

	if (!t->wanted || !of)
		return NULL;
	m = mem_zalloc(1, sizeof(*m));
	t->wanted = false;
	m->number = ++t->ordered;
	m->of = picture_share(of);
	m->how = making_how(a);
	m->regroups = of->queue && making_regroups(of, &m->how);
	m->set = t->set;
	m->over = making_is_over(a);
	m->beside = t->beside;
	for (uint32_t i = 0; i < WHATIF_SETS; i++) {
		m->sets[i] = t->sets[i] ? whatif_copy(t->sets[i]) : NULL;
		m->sums_up[i] = other_base || !making_is_summed_up(t, i);
	}
	return m;
}

void making_free(struct making *m)
{
	if (!m)
		return;
	picture_free(m->of);
	picture_free(m->picture);
	queue_free(m->grouping);
	for (size_t i = 0; i < WHATIF_SETS; i++) {
		whatif_free(m->sets[i]);
		changes_places_free(m->places[i]);
	}
	mem_free(m);
}

/* ---- the answer ---------------------------------------------------------------------------- */

/* The picture without edits: OF itself if possible; NULL and ERR. */
static struct picture *making_base(struct making *m)
{
	struct picture_order how = m->how;
	struct picture *p;

	how.options.base = making_start(m->sets, m->of->cluster, &m->how.options);
	if (making_is_so(m->of, &m->how.options, how.options.base))
		return picture_share(m->of);
	p = picture_new(cluster_share(m->of->cluster), &how);
	if (p->model) {
		p->options = m->how.options;
		p->arrived_ms = m->of->arrived_ms;
		p->rate = m->of->rate;
		p->unmarked = m->of->unmarked;
		return p;
	}
	err_set(&m->err, ERR_INPUT, "%s", p->problem);
	picture_free(p);
	m->over = false;
	return making_is_so(m->of, &m->how.options, m->of->start) ? picture_share(m->of) : NULL;
}

static void making_name_job(char *buf, size_t size, const struct jobs *j, uint32_t entry)
{
	if (entry == ROW_NONE)
		buf[0] = '\0';
	else
		snprintf(buf, size, "%u", cluster_u32(j->model->cluster, F_JOB_ID,
						      j->index->job[entry]));
}

static void making_sum_up(struct whatif_sum *s, const struct changes_pair *v)
{
	const char *head = "";

	s->known = true;
	s->moved = v->moved;
	s->heads = v->heads;
	s->gain = v->gain != ROW_NONE ? changes_entry_moves(v, v->gain) : 0;
	s->loss = v->loss != ROW_NONE ? -changes_entry_moves(v, v->loss) : 0;
	making_name_job(s->gain_job, sizeof(s->gain_job), v->jobs, v->gain);
	making_name_job(s->loss_job, sizeof(s->loss_job), v->jobs, v->loss);
	if (v->head != ROW_NONE)
		head = cluster_text(v->model->cluster, F_PARTITION_NAME, v->head);
	snprintf(s->head, sizeof(s->head), "%s", head ? head : "");
	s->is = v->is;
}

static struct changes_pair *making_pair(const struct making *m, const struct picture *base,
					const struct whatif_run *run)
{
	return changes_pair_new(base->model, run->model, base->queue->jobs, run->jobs, &m->was);
}

/* Only sums up the other sets. */
static void making_sum_others(struct making *m, const struct picture *base)
{
	for (uint32_t i = 0; i < WHATIF_SETS; i++) {
		struct whatif_run *run;
		struct changes_pair *v;

		if (i == m->set || !m->sets[i] || whatif_active(m->sets[i]) == 0 ||
		    !(m->sums_up[i] || base != m->of))
			continue;
		run = whatif_run_new(m->sets[i], base->model, base->queue->jobs, NULL);
		if (!run)
			continue;
		v = making_pair(m, base, run);
		making_sum_up(&m->sums[i], v);
		if (m->beside)
			m->places[i] = changes_places_new(v);
		changes_pair_free(v);
		whatif_run_free(run);
	}
}

/* Takes over BASE; the result is BASE itself with ERR if the edits cannot be applied. */
static struct picture *making_over(struct making *m, struct picture *base)
{
	struct whatif_run *run;
	struct picture *p;

	m->was = evenness_of(base->model);
	making_sum_others(m, base);
	run = whatif_run_new(m->sets[m->set], base->model, base->queue->jobs, &m->err);
	if (!run)
		return base;
	p = picture_over(base, run);
	p->changes = making_pair(m, base, run);
	run->model->changes = p->changes;
	run->jobs->changes = p->changes;
	if (m->how.classes)
		picture_make_classes(p, &m->how);
	making_sum_up(&m->sums[m->set], p->changes);
	return p;
}

void making_run(struct making *m)
{
	struct picture *base = making_base(m);
	struct class_choice choice;

	if (base == m->of && m->regroups) {
		choice = picture_choice(base->cluster, &m->how.pick);
		m->grouping = queue_regroup(base->queue, &choice);
		queue_saving(m->grouping);
		queue_toggles(m->grouping);
		classes_keys(m->grouping->classes);
	}
	m->picture = m->over ? making_over(m, base) : base;
}
