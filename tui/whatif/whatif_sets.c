/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/whatif/whatif_sets.h"

#include <stdio.h>
#include <string.h>

#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/whatif/whatif_apply.h"
#include "tui/base/zone.h"
#include "tui/rows/state.h"

void whatif_forget(struct whatif_sets *t)
{
	memset(t->sums, 0, sizeof(t->sums));
	for (size_t i = 0; i < WHATIF_SETS; i++) {
		changes_places_free(t->places[i]);
		t->places[i] = NULL;
	}
}

static void forget_set(struct whatif_sets *t, uint32_t set)
{
	t->sums[set].known = false;
	changes_places_free(t->places[set]);
	t->places[set] = NULL;
}

static void edits_init(struct app *a)
{
	a->whatif = mem_zalloc(1, sizeof(*a->whatif));
}

static void edits_end(struct app *a)
{
	for (size_t i = 0; i < WHATIF_SETS; i++) {
		whatif_free(a->whatif->sets[i]);
		mem_free(a->whatif->saved[i]);
	}
	whatif_forget(a->whatif);
	mem_free(a->whatif);
}

const struct feature whatif_feature = { .init = edits_init, .free = edits_end };

struct whatif *whatif_edits(struct app *a)
{
	struct whatif_sets *t = a->whatif;

	if (!t->sets[t->set]) {
		t->sets[t->set] = whatif_new();
		t->sets[t->set]->calendar = &zone_local;
	}
	return t->sets[t->set];
}

const struct whatif *whatif_edits_get(const struct app *a)
{
	return a->whatif->sets[a->whatif->set];
}

uint32_t whatif_count(const struct app *a)
{
	const struct whatif *w = whatif_edits_get(a);

	return w ? whatif_active(w) : 0;
}

uint32_t whatif_void(const struct app *a)
{
	const struct whatif *w = whatif_edits_get(a);
	uint32_t n = 0;

	for (uint32_t i = 0; w && i < w->count; i++)
		n += whatif_in_force(w, i) && w->entries[i].problem[0] != '\0';
	return n;
}

const struct changes_pair *whatif_changes(const struct app *a)
{
	return a->picture ? a->picture->changes : NULL;
}

struct picture *whatif_base(const struct app *a)
{
	if (!a->picture)
		return NULL;
	return a->picture->base ? a->picture->base : a->picture;
}

/* The set as its file would contain it; the caller frees it. */
static char *file_of(const struct whatif *w)
{
	struct bytes b = { 0 };
	char *text;

	/* Writing to memory does not fail. */
	(void)whatif_save(w, bytes_sink(&b), NULL);
	bytes_append(&b, "", 1);
	text = mem_strdup(b.data);
	bytes_free(&b);
	return text;
}

/* The number of edits that a file would contain. */
static uint32_t whatif_sets_edits_of(const struct whatif *w)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->cursor; i++)
		n += !whatif_replaced(w, i);
	return n;
}

uint32_t whatif_unsaved(const struct app *a)
{
	uint32_t n = 0;

	for (size_t i = 0; i < WHATIF_SETS; i++) {
		const struct whatif *w = a->whatif->sets[i];
		char *text;

		if (!w || w->cursor == 0)
			continue;
		text = file_of(w);
		if (!a->whatif->saved[i] || strcmp(text, a->whatif->saved[i]) != 0)
			n += whatif_sets_edits_of(w);
		mem_free(text);
	}
	return n;
}

void whatif_saved(struct app *a)
{
	struct whatif_sets *t = a->whatif;

	mem_free(t->saved[t->set]);
	t->saved[t->set] = file_of(whatif_edits(a));
}

/* ---- the base ------------------------------------------------------------------------------ */

/* The start that the base must be computed from: an enum fs_base, or -1: as the user chose. */
static int start_of(const struct app *a, const struct cluster *c)
{
	for (size_t i = 0; i < WHATIF_SETS; i++) {
		if (a->whatif->sets[i] && whatif_needs_usage(a->whatif->sets[i], c))
			return FS_BASE_USAGE;
	}
	return a->model_options.base;
}

void whatif_former_free(struct whatif_former *f)
{
	queue_free(f->queue);
	model_free(f->model);
}

/* Recomputes the base if the edits, or ANEW, need another start. */
static bool edits_rebase(struct app *a, struct picture *base, bool anew,
			 struct whatif_former *former, struct err *err)
{
	struct model_options options = a->model_options;
	struct model *model;

	options.base = start_of(a, base->cluster);
	if (!anew && options.base == base->start)
		return true;
	model = model_new(base->cluster, &options, err);
	if (!model)
		return false;
	former->model = base->model;
	former->queue = base->queue;
	base->model = model;
	base->queue = NULL;
	base->evenness_known = false;
	base->start = options.base;
	if (former->queue)
		picture_make_queue(base);
	return true;
}

/* Computes what every comparison with the base needs. */
static void complete_base(struct app *a, struct picture *base)
{
	picture_make_queue(base);
	if (!base->evenness_known)
		base->evenness = evenness_of(base->model);
	base->evenness_known = true;
	a->whatif->was = base->evenness;
}

/* ---- picture over the base ----------------------------------------------------------------- */

static void edits_remember(char *buf, size_t size, const struct jobs *j, uint32_t entry)
{
	if (entry == ROW_NONE)
		buf[0] = '\0';
	else
		snprintf(buf, size, "%u", cluster_u32(j->model->cluster, F_JOB_ID,
						      j->index->job[entry]));
}

static void edits_sum_up(struct whatif_sum *s, const struct changes_pair *v)
{
	const char *head = "";

	s->known = true;
	s->moved = v->moved;
	s->heads = v->heads;
	s->gain = v->gain != ROW_NONE ? changes_entry_moves(v, v->gain) : 0;
	s->loss = v->loss != ROW_NONE ? -changes_entry_moves(v, v->loss) : 0;
	edits_remember(s->gain_job, sizeof(s->gain_job), v->jobs, v->gain);
	edits_remember(s->loss_job, sizeof(s->loss_job), v->jobs, v->loss);
	if (v->head != ROW_NONE)
		head = cluster_text(v->model->cluster, F_PARTITION_NAME, v->head);
	snprintf(s->head, sizeof(s->head), "%s", head ? head : "");
	s->is = v->is;
}

bool whatif_sum_text(const struct app *a, char text[WHATIF_SUM_MAX])
{
	const struct whatif_sum *s = &a->whatif->sums[a->whatif->set];
	char heads[16] = "no";

	if (s->heads > 0)
		snprintf(heads, sizeof(heads), "%u", s->heads);
	if (!s->known || s->moved == U32_UNKNOWN)
		snprintf(text, WHATIF_SUM_MAX, "unknown which jobs move");
	else if (s->moved == 0)
		snprintf(text, WHATIF_SUM_MAX, "no job moves");
	else
		snprintf(text, WHATIF_SUM_MAX, "%u %s; the next job changes in %s %s%s", s->moved,
			 plural(s->moved, "job moves", "jobs move"), heads,
			 jobs_queue_word(a->picture->cluster), s->heads > 1 ? "s" : "");
	return s->known;
}

/* Whether everything is known of a set that is not on the screen. */
static bool edits_is_summed_up(const struct whatif_sets *t, uint32_t set)
{
	return t->sums[set].known && (!t->beside || t->places[set]);
}

/* Only sums up the other sets. */
static void sum_others(struct app *a, const struct picture *base)
{
	struct whatif_sets *t = a->whatif;

	for (uint32_t i = 0; i < WHATIF_SETS; i++) {
		struct whatif_run *run;
		struct changes_pair *v;

		if (i == t->set || !t->sets[i] || whatif_active(t->sets[i]) == 0 ||
		    edits_is_summed_up(t, i))
			continue;
		run = whatif_run_new(t->sets[i], base->model, base->queue->jobs, NULL);
		if (!run)
			continue;
		v = changes_pair_new(base->model, run->model, base->queue->jobs, run->jobs,
				     &t->was);
		edits_sum_up(&t->sums[i], v);
		if (t->beside && !t->places[i])
			t->places[i] = changes_places_new(v);
		changes_pair_free(v);
		whatif_run_free(run);
	}
}

static struct picture *edits_over(struct app *a, struct picture *base, struct err *err)
{
	struct whatif_sets *t = a->whatif;
	struct whatif_run *run;
	struct picture *p;

	complete_base(a, base);
	sum_others(a, base);
	run = whatif_run_new(whatif_edits(a), base->model, base->queue->jobs, err);
	if (!run)
		return NULL;
	p = picture_over(base, run);
	p->changes = changes_pair_new(base->model, run->model, base->queue->jobs, run->jobs,
				      &t->was);
	run->model->changes = p->changes;
	run->jobs->changes = p->changes;
	for (uint32_t i = 0; t->beside && i < WHATIF_SETS; i++)
		p->changes->beside[i] = i != t->set ? t->places[i] : NULL;
	edits_sum_up(&t->sums[t->set], p->changes);
	return p;
}

struct picture *whatif_make(struct app *a, struct picture *base, bool anew,
			    struct whatif_former *former, struct err *err)
{
	struct picture *p = NULL;

	*former = (struct whatif_former){ .model = NULL };
	if (!edits_rebase(a, base, anew, former, err))
		return NULL;
	if (former->model)
		whatif_forget(a->whatif);
	forget_set(a->whatif, a->whatif->set);
	if (whatif_count(a) > 0 && !a->whatif->flipped)
		p = edits_over(a, base, err);
	return p ? p : base;
}

/* ---- views --------------------------------------------------------------------------------- */

void whatif_base_classes(struct app *a, bool anew)
{
	struct picture *base = whatif_base(a);
	struct class_choice choice;

	if (!whatif_changes(a))
		return;
	choice = a->classes_chosen ? app_class_choice(a) : class_choice_of(base->cluster);
	if (anew || !queue_is_grouped(base->queue, &choice))
		queue_free(queue_group(base->queue, &choice));
	classes_set_base(a->picture->queue->classes, base->queue->classes);
}

void whatif_base_pools(struct app *a)
{
	struct picture *base = whatif_base(a);

	if (!whatif_changes(a) || !a->picture->pools)
		return;
	app_make_pools(a, base);
	if (base->pools && base->pools->queue_count == a->picture->pools->queue_count)
		a->picture->pools->base = base->pools;
}
