/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/acts/lessons.h"

#include <stdio.h>
#include <string.h>

#define HINTS_MS 600000

/*
 * What a command does, in at most 80 columns; its key precedes it. In the tour, with the demo's
 * accounts; a hint is true in any cluster, and in the jobs view.
 */
static const struct {
	const char *command, *words, *hint;
} lessons[LESSONS] = {
	{ "down", "goes down; the most over-served is on top", "goes down a row" },
	{ "search", "finds a name: type zme, Enter", "finds a name" },
	{ "explain", "shows step by step how F is computed", "shows how it is computed" },
	{ "jobs", "opens the jobs: who waits for what", "opens the jobs: who waits for what" },
	{ "forecast", "shows the forecast of its F", "shows the forecast of this row" },
	{ "change", "tries another value: who moves then?", "tries another value: who moves?" },
	{ "help", "shows all keys; Ctrl-P finds all", "shows all keys; Ctrl-P finds all" },
};

static uint32_t next_lesson(const struct app *a)
{
	uint32_t i = 0;

	while (i < LESSONS && (a->learned >> i & 1))
		i++;
	return i;
}

void lessons_ran(struct app *a, const char *command)
{
	uint32_t at = next_lesson(a);

	for (uint32_t i = 0; i < LESSONS; i++) {
		bool same = strcmp(command, lessons[i].command) == 0 ||
			    (strcmp(lessons[i].command, "explain") == 0 &&
			     strncmp(command, "why", 3) == 0);

		/* The steps of a tour come one by one. */
		if (same && (a->lessons != LESSONS_TOUR || i == at))
			a->learned |= UINT32_C(1) << i;
	}
}

bool lessons_line(const struct app *a, bool ascii, char *buf, size_t size)
{
	uint32_t at = next_lesson(a);
	char keys[32];

	if (a->lessons == LESSONS_NONE || at == LESSONS || a->prompt.kind != PROMPT_NONE ||
	    sheet_cursor(app_sheet_get(a)))
		return false;
	/* A hint does not replace a legend that is needed. */
	if (a->lessons == LESSONS_HINTS && (app_sheet_get(a)->ordered ||
					    (a->view != VIEW_ACCOUNTS && a->view != VIEW_JOBS)))
		return false;
	keymap_titles(&a->keymap, a->view, lessons[at].command, ascii, 1, keys, sizeof(keys));
	if (keys[0] == '\0')
		snprintf(keys, sizeof(keys), ":%s", lessons[at].command);
	if (a->lessons == LESSONS_TOUR)
		snprintf(buf, size, "Tour %u of %d: %s  %s (:tour ends)", at + 1, LESSONS,
			 keys, lessons[at].words);
	else
		snprintf(buf, size, "Try  %s  %s", keys, lessons[at].hint);
	return true;
}

static void lessons_after_event(struct app *a)
{
	if (a->lessons == LESSONS_NONE || a->ms == 0)
		return;
	if (a->lessons_until == 0)
		a->lessons_until = a->ms + HINTS_MS;
	if (next_lesson(a) == LESSONS && a->lessons == LESSONS_TOUR)
		app_say(a, ROLE_MESSAGE, "End of the tour: now the keys are yours. Q quits");
	if (next_lesson(a) == LESSONS || (a->lessons == LESSONS_HINTS && a->ms >= a->lessons_until))
		a->lessons = LESSONS_NONE;
}

const struct feature lessons_feature = { .after_event = lessons_after_event };
