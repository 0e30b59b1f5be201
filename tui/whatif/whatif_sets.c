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
	picture_free(a->whatif->coming);
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
	return a->picture ? picture_base(a->picture) : NULL;
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

bool whatif_waits(const struct app *a)
{
	return a->whatif->wanted || a->whatif->answered != a->whatif->ordered;
}

bool whatif_sum_text(const struct app *a, char text[WHATIF_SUM_MAX])
{
	const struct whatif_sum *s = &a->whatif->sums[a->whatif->set];
	char heads[16] = "no";

	if (s->heads > 0)
		snprintf(heads, sizeof(heads), "%u", s->heads);
	if (!s->known || whatif_waits(a) || s->moved == U32_UNKNOWN)
		snprintf(text, WHATIF_SUM_MAX, "unknown which jobs move");
	else if (s->moved == 0)
		snprintf(text, WHATIF_SUM_MAX, "no job moves");
	else
		snprintf(text, WHATIF_SUM_MAX, "%u %s; the next job changes in %s %s%s", s->moved,
			 plural(s->moved, "job moves", "jobs move"), heads,
			 jobs_queue_word(a->picture->cluster), s->heads > 1 ? "s" : "");
	return s->known && !whatif_waits(a);
}

/* ---- views --------------------------------------------------------------------------------- */

void whatif_base_classes(struct app *a)
{
	struct picture *base = whatif_base(a);
	struct class_choice choice = picture_choice(base->cluster, &a->class_pick);

	if (!whatif_changes(a))
		return;
	if (!base->queue->classes)
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
