/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prompts: what the screen does while something is typed, and the result. A search and a filter
 * take effect while they are typed; Esc restores the former rows.
 */
#include <string.h>

#include "tui/acts/act.h"
#include "tui/acts/lessons.h"
#include "tui/acts/palette.h"
#include "tui/acts/typing.h"
#include "tui/cells/keys.h"
#include "tui/panes/difference.h"
#include "tui/panes/pane.h"
#include "tui/panes/pane_whatif.h"
#include "tui/rows/views.h"
#include "tui/time/travel.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

/* With more rows, filters only take effect with Enter: keys must not wait for them. */
#define LIVE_ROWS 60000

bool app_run(struct app *a, const char *line, struct err *err)
{
	const struct command *command;
	struct words words;

	if (!script_split(line, strlen(line), &words, err))
		return false;
	if (words.count == 0)
		return true;
	/* A number alone is a row's. */
	if (words.word[0][strspn(words.word[0], "0123456789")] == '\0')
		return act_row(a, line, &words, err);
	command = command_find(a->keymap.commands, words.word[0], err);
	if (!command)
		return false;
	if (a->overview && !command_is_of(command, VIEW_CLUSTERS))
		return err_set(err, ERR_INPUT, "%s: only for one cluster; Enter opens it",
			       command->name);
	/* Any other command renews the warning. */
	if (command->run != act_quit && command->run != act_back && command->run != act_command)
		a->leave_asked = false;
	lessons_ran(a, command->name);
	return command->run(a, line, &words, err);
}

void app_run_and_tell(struct app *a, const char *line)
{
	struct err err = { 0 };

	if (!app_run(a, line, &err))
		app_say(a, ROLE_ERROR, "%s", err.message);
}

/* ---- where typing began -------------------------------------------------------------------- */

/* The row at which typing began, wherever a refresh has moved it. */
static uint32_t typing_origin(const struct app *a)
{
	return list_row_of(&app_sheet_get(a)->list, a->typing_key);
}

/* Restores the former view. */
static void go_back(struct app *a)
{
	struct list *list = &app_sheet(a)->list;
	uint32_t row = typing_origin(a);

	if (row == ROW_NONE)
		return;
	list_peek(list, row);
	list_stay(list);
	list_scroll(list, (int64_t)a->typing_top - list->top);
	list_select(list, row);
}

/* ---- before typing ------------------------------------------------------------------------- */

/* The missing arguments of a command: ":seek " */
static const char *arguments_of(const struct command *commands, const char *text)
{
	size_t length = strcspn(text, " ");

	if (length == 0 || strcmp(text + length, " ") != 0)
		return NULL;
	for (const struct command *c = commands; c->name; c++) {
		if (strlen(c->name) == length && memcmp(c->name, text, length) == 0)
			return c->arguments;
	}
	return NULL;
}

/* "job:42.nice = ", or the offered value is to be replaced. */
static bool value_is_missing(const struct prompt *p)
{
	return p->offers || p->text[p->length - 1] == '=' ||
	       (p->length > 1 && memcmp(p->text + p->length - 2, "= ", 2) == 0);
}

const char *app_example(const struct app *a)
{
	static const char *const examples[PROMPT_KINDS] = {
		[PROMPT_SEARCH] = "part of a name",
		[PROMPT_COMMAND] = "a command or a row number; Tab completes",
		[PROMPT_TIME] = "30m ago, 09:30, yesterday 14:00, 2026-11-03 14:00",
		[PROMPT_DIFFERENCE] = "1h ago, 09:30, yesterday; Enter: the sample before",
	};

	if (a->prompt.kind == PROMPT_COMMAND && a->prompt.length > 0)
		return arguments_of(a->keymap.commands, a->prompt.text);
	if (a->prompt.kind == PROMPT_EDIT && a->prompt.length > 0)
		return value_is_missing(&a->prompt) ? whatif_meaning(a->prompt.text) : NULL;
	if (a->prompt.length > 0)
		return NULL;
	if (a->prompt.kind == PROMPT_SEARCH && a->typing_pane)
		return "a word in this box";
	if (a->prompt.kind == PROMPT_EDIT)
		return whatif_example(a)->prompt;
	return a->prompt.kind == PROMPT_FILTER ? view_ops[a->view].example
					       : examples[a->prompt.kind];
}

/* ---- while typing -------------------------------------------------------------------------- */

static void leave_pane_as_it_was(struct app *a)
{
	a->pane.scroll = a->typing_scroll;
	a->pane.pick = a->typing_pick;
}

static void search_pane(struct app *a)
{
	leave_pane_as_it_was(a);
	if (a->prompt.length > 0 && !pane_find(a, a->prompt.text, 1, true))
		app_say(a, ROLE_WARN, "no match for '%s' in this box", a->prompt.text);
}

/* A search starts where typing began; without a match the cursor stays there. */
static void search_typed(struct app *a)
{
	struct list *list = &app_sheet(a)->list;
	uint32_t row = typing_origin(a);

	if (a->prompt.length > 0)
		row = search_row(a, a->prompt.text, row, 1, true);
	if (row == ROW_NONE) {
		app_say(a, ROLE_WARN, "no name contains '%s'", a->prompt.text);
		row = typing_origin(a);
	}
	if (row != ROW_NONE)
		list_peek(list, row);
}

/* Goes to the next match, while the prompt stays open. */
static void search_on(struct app *a)
{
	struct list *list = &app_sheet(a)->list;
	uint32_t row = ROW_NONE;

	if (a->typing_pane && a->prompt.length > 0)
		(void)pane_find(a, a->prompt.text, 1, false);
	else if (a->prompt.length > 0)
		row = search_row(a, a->prompt.text, list_row(list), 1, false);
	if (row != ROW_NONE)
		list_peek(list, row);
}

/* Whether the text ends in what may become a column name: rows must not jump meanwhile. */
static bool names_column(const struct app *a)
{
	const char *text = a->prompt.text, *word = text + a->prompt.length;
	const struct column *columns;
	size_t count, length;

	while (word > text && !strchr(" |!()", word[-1]))
		word--;
	length = strlen(word);
	columns = sheet_filter_columns(app_sheet_get(a), &count);
	for (size_t i = 0; length > 0 && i < count; i++) {
		if (strncmp(columns[i].name, word, length) == 0 ||
		    strncmp(columns[i].title, word, length) == 0)
			return true;
	}
	return false;
}

/*
 * Incomplete text is not a filter yet, and text without matches may become one with matches: the
 * rows stay until then.
 */
static void filter_typed(struct app *a)
{
	if (app_sheet(a)->list.now.view.rows <= LIVE_ROWS && !names_column(a) &&
	    !app_try_filter(a, a->prompt.text))
		app_say(a, ROLE_WARN, "no match yet");
}

/* ---- result -------------------------------------------------------------------------------- */

/* Applies a text while its prompt is still open: it stays open if that fails. */
static bool prompt_takes(struct app *a, enum prompt_kind kind, const char *text, struct err *err)
{
	if (kind == PROMPT_FILTER)
		return app_set_filter(a, a->view, text, err);
	if (kind == PROMPT_DIFFERENCE)
		return difference_from(a, text, err);
	if (text[0] == '\0')
		return true;
	if (kind == PROMPT_TIME)
		return travel_to(a, text, err);
	if (kind == PROMPT_EDIT)
		return whatif_try(a, text, err);
	return true;
}

/* The match, perhaps found by Tab, stays visible. */
static void end_search_of_pane(struct app *a, const char *text)
{
	struct pane *p = &a->pane;
	uint32_t scroll = p->scroll, found = p->found, pick = p->pick;

	memcpy(p->find, text, strlen(text) + 1);
	if (text[0] != '\0' && !pane_find(a, text, 1, true))
		app_say(a, ROLE_WARN, "no match for '%s' in this box", text);
	p->scroll = scroll;
	p->found = found;
	p->pick = pick;
}

/* The match that Tab went to, if any. */
static void tell_found(struct app *a, const char *text)
{
	uint32_t from = typing_origin(a);

	if (search_row(a, text, from, 1, true) == ROW_NONE)
		app_say(a, ROLE_WARN, "no name contains '%s'", text);
	else
		search_tell(a, text, from, list_row(&app_sheet(a)->list), 1);
}

static void prompt_done(struct app *a)
{
	struct err err = { 0 };
	char text[PROMPT_MAX];
	enum prompt_kind kind = a->prompt.kind;
	bool in_pane = a->typing_pane;

	memcpy(text, a->prompt.text, a->prompt.length + 1);
	if (!prompt_takes(a, kind, text, &err)) {
		app_say(a, ROLE_ERROR, "%s", err.message);
		/* The text stays, to be fixed; typing something else replaces it. */
		prompt_offer(&a->prompt, kind, text, a->prompt.fixed);
		return;
	}
	prompt_close(&a->prompt, true);
	a->palette = a->typing_pane = false;
	if (kind == PROMPT_SEARCH && in_pane) {
		end_search_of_pane(a, text);
	} else if (kind == PROMPT_SEARCH) {
		memcpy(a->search, text, strlen(text) + 1);
		list_stay(&app_sheet(a)->list);
		if (text[0] != '\0')
			tell_found(a, text);
	} else if (kind == PROMPT_COMMAND) {
		app_run_and_tell(a, text);
	}
}

static void prompt_cancelled(struct app *a)
{
	bool narrowed = a->prompt.kind == PROMPT_FILTER &&
			strcmp(a->filter_text[a->view], a->typing_filter) != 0;

	if (narrowed)
		(void)app_set_filter(a, a->view, a->typing_filter, NULL);
	if (a->prompt.kind == PROMPT_SEARCH && a->typing_pane)
		leave_pane_as_it_was(a);
	else if (a->prompt.kind == PROMPT_SEARCH || narrowed)
		go_back(a);
	prompt_close(&a->prompt, false);
	a->typing_pane = false;
	a->palette = false;
}

static void typing_typed(struct app *a)
{
	if (a->prompt.kind == PROMPT_SEARCH && a->typing_pane)
		search_pane(a);
	else if (a->prompt.kind == PROMPT_SEARCH)
		search_typed(a);
	else if (a->prompt.kind == PROMPT_FILTER)
		filter_typed(a);
}

void app_type(struct app *a, uint32_t key)
{
	a->message[0] = '\0';
	if (palette_key(a, key))
		return;
	switch (prompt_key(&a->prompt, key)) {
	case PROMPT_DONE:
		prompt_done(a);
		break;
	case PROMPT_CANCELLED:
		prompt_cancelled(a);
		break;
	case PROMPT_COMPLETE:
		if (a->prompt.kind == PROMPT_SEARCH) {
			search_on(a);
			break;
		}
		complete(a);
		if (a->prompt.kind == PROMPT_FILTER)
			filter_typed(a);
		break;
	case PROMPT_TYPED:
		typing_typed(a);
		if (a->prompt.length + 1 == PROMPT_MAX)
			app_say(a, ROLE_WARN, "the line is full: %d bytes", PROMPT_MAX - 1);
		break;
	case PROMPT_IGNORED:
		break;
	}
}
