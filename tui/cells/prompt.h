/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * prompt: one line of typed text at the bottom, for search, filter and commands.
 */
#ifndef FAIRTOP_TUI_CELLS_PROMPT_H
#define FAIRTOP_TUI_CELLS_PROMPT_H

#include "tui/cells/canvas.h"

#define PROMPT_MAX 512
#define PROMPT_HISTORY 32

enum prompt_kind {
	PROMPT_NONE, PROMPT_SEARCH, PROMPT_FILTER, PROMPT_COMMAND, PROMPT_TIME, PROMPT_DIFFERENCE,
	PROMPT_EDIT, PROMPT_KINDS
};

struct prompt {
	enum prompt_kind kind;
	char text[PROMPT_MAX];
	size_t length, cursor;		/* bytes; the cursor is between characters */
	char *history[PROMPT_KINDS][PROMPT_HISTORY];	/* owned, newest last */
	size_t history_count[PROMPT_KINDS];
	size_t history_at;		/* history_count: the line being typed */
	char draft[PROMPT_MAX];		/* that line while history is shown */
	size_t complete_from;		/* start of the word that Tab replaces */
	char complete_prefix[PROMPT_MAX];	/* its typed part */
	uint32_t complete_turn;		/* number of Tab presses on it */
	size_t fixed;			/* the text before this cannot be changed */
	size_t offered;			/* start of the text removed by the first ... */
	bool offers;			/* ... typed letter; any other key keeps it */
};

enum prompt_result {
	PROMPT_TYPED, PROMPT_DONE, PROMPT_CANCELLED, PROMPT_COMPLETE, PROMPT_IGNORED
};

void prompt_free(struct prompt *p);
void prompt_open(struct prompt *p, enum prompt_kind kind, const char *text);
/*
 * TEXT from FROM on is an old value: typing replaces it, cursor keys keep it. Text before FROM
 * cannot be changed.
 */
void prompt_offer(struct prompt *p, enum prompt_kind kind, const char *text, size_t from);
void prompt_close(struct prompt *p, bool remember);
/* Adds TEXT as the newest line of its history. */
void prompt_remember(struct prompt *p, enum prompt_kind kind, const char *text);
enum prompt_result prompt_key(struct prompt *p, uint32_t key);
void prompt_insert(struct prompt *p, const char *text, size_t length);
void prompt_replace(struct prompt *p, size_t from, size_t length, const char *text);

/* Draws sign, text, cursor and then EXAMPLE; a text longer than the line scrolls. */
void prompt_draw(const struct prompt *p, struct canvas *c, int y, const char *example);

#endif
