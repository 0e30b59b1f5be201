/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Searching by name: all rows that match the filter, including folded ones, in the order shown. */
#include "tui/acts/act.h"
#include "tui/rows/views.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"

#define SEARCH_NEAR 1000	/* rows */
#define SEARCH_COUNTED 60000	/* with more rows matches are not counted: keys must not wait */

/* Jobs are found by more than their number: also by name, user and account. */
static bool search_matches(const struct app *a, uint32_t row, const char *lower)
{
	static const enum field fields[] = { F_JOB_NAME, F_JOB_USER, F_JOB_ACCOUNT };

	if (word_holds(app_row_name(a, row), lower))
		return true;
	if (a->view != VIEW_JOBS || !a->picture)
		return false;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct job_index *x = a->picture->queue->jobs->index;
		const char *word = cluster_text(x->cluster, fields[i], x->job[row]);
		if (word && word_holds(word, lower))
			return true;
	}
	return false;
}

/*
 * Sorted rows are scattered in memory: beyond the near ones, all rows are matched at once, in
 * memory order.
 */
static uint8_t *match_all(const struct app *a, uint32_t n, const char *lower)
{
	uint8_t *hits = mem_alloc(n, sizeof(*hits));

	for (uint32_t row = 0; row < n; row++)
		hits[row] = search_matches(a, row, lower);
	return hits;
}

static void to_lower(const char *text, char lower[PROMPT_MAX])
{
	size_t length = 0;

	for (; text[length] != '\0' && length + 1 < PROMPT_MAX; length++)
		lower[length] = word_lower(text[length]);
	lower[length] = '\0';
}

/* The position of ROW in the order shown; 0: none. */
static uint32_t search_place_of(const struct list *l, uint32_t row)
{
	uint32_t n = l->now.view.rows, at = 0;

	if (!l->sequence || row == ROW_NONE)
		return row == ROW_NONE ? 0 : row;
	while (at < n && l->sequence[at] != row)
		at++;
	return at < n ? at : 0;
}

/* Whether the search passed the end of the rows before FOUND. */
static bool search_wrapped(const struct list *l, uint32_t from, uint32_t found, int direction)
{
	uint32_t a = search_place_of(l, from), b = search_place_of(l, found);

	return from != ROW_NONE && (direction > 0 ? b < a : b > a);
}

/* ROW's number among the matches, from the top; false if there are too many rows to count. */
static bool count_matches(const struct app *a, const char *text, uint32_t row, uint32_t *index,
			  uint32_t *count)
{
	const struct list *l = &app_sheet_get(a)->list;
	uint32_t n = l->now.view.rows;
	char lower[PROMPT_MAX];

	if (n > SEARCH_COUNTED)
		return false;
	*index = *count = 0;
	to_lower(text, lower);
	for (uint32_t place = 0; place < n; place++) {
		uint32_t candidate = l->sequence ? l->sequence[place] : place;

		if ((!l->match || l->match[candidate] == 2) && search_matches(a, candidate, lower))
			++*count;
		if (candidate == row)
			*index = *count;
	}
	return true;
}

void search_tell(struct app *a, const char *text, uint32_t from, uint32_t row, int direction)
{
	bool round = search_wrapped(&app_sheet_get(a)->list, from, row, direction);
	const char *word = !round ? "" : direction > 0 ? "search continued from the top" :
							 "search continued from the bottom";
	uint32_t index, count;

	if (count_matches(a, text, row, &index, &count))
		app_say(a, ROLE_MESSAGE, "%u of %u%s%s", index, count, round ? "; " : "", word);
	else if (round)
		app_say(a, ROLE_MESSAGE, "%s", word);
}

uint32_t search_row(const struct app *a, const char *text, uint32_t row, int direction,
		    bool inclusive)
{
	const struct list *l = &app_sheet_get(a)->list;
	uint32_t n = l->now.view.rows, at = search_place_of(l, row), found = ROW_NONE;
	uint8_t *hits = NULL;
	char lower[PROMPT_MAX];

	to_lower(text, lower);
	for (uint32_t step = inclusive ? 0 : 1; n > 0 && step <= n && found == ROW_NONE; step++) {
		uint32_t offset = direction > 0 ? step : n - step % n;
		uint32_t place = (uint32_t)(((uint64_t)at + offset) % n);
		uint32_t candidate = l->sequence ? l->sequence[place] : place;

		if (l->match && l->match[candidate] != 2)
			continue;
		if (!hits && step > SEARCH_NEAR)
			hits = match_all(a, n, lower);
		if (hits ? hits[candidate] : search_matches(a, candidate, lower))
			found = candidate;
	}
	mem_free(hits);
	return found;
}

void app_begin_typing(struct app *a)
{
	const struct list *list = &app_sheet(a)->list;
	uint32_t row = list_row(list);

	a->typing_key = row != ROW_NONE ? list->now.keys[row] : 0;
	a->typing_top = list->top;
	a->typing_pane = false;
	a->typing_scroll = a->pane.scroll;
	a->typing_pick = a->pane.pick;
	memcpy(a->typing_filter, a->filter_text[a->view], sizeof(a->typing_filter));
}
