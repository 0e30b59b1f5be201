/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/remember.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "tui/acts/act.h"
#include "tui/acts/typing.h"
#include "tui/base/file_text.h"
#include "tui/base/new_file.h"
#include "tui/base/state_dir.h"
#include "tui/screen/settings.h"
#include "tui/whatif/show.h"

#define LAST "last.layout"
#define OVERVIEW "overview.layout"
#define TYPED "history"

static bool workspace_path(const char *name, char *path, size_t size, struct err *err)
{
	char file[80];

	if (name[0] == '\0' || strlen(name) > 60 ||
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")])
		return err_set(err, ERR_INPUT,
			       "workspace '%.60s': expected letters, digits, - and _", name);
	snprintf(file, sizeof(file), "%s.workspace", name);
	return state_path(file, path, size, err);
}

/* Filters need no rows, and the command line's options override them. */
static bool filter_line(void *context, const char *line, const struct words *words, struct err *err)
{
	struct app *a = context;

	(void)err;
	for (int view = 0; view < VIEW_COUNT; view++)
		a->view = strcmp(words->word[0], view_names[view]) == 0 ? (enum view_id)view :
			  a->view;
	if (strcmp(words->word[0], "filter") == 0)
		(void)app_run(a, line, NULL);
	return true;
}

/*
 * Other lines of a source wait for its rows; they run only if it is SOURCE, or for any source if
 * SOURCE is NULL.
 */
static bool run_file(struct app *a, const char *path, const char *source, struct err *err)
{
	static const char mark[] = "\n" SETTINGS_OF_SOURCE;
	char *text, *own;
	bool ok = file_text_found(path, FILE_TEXT_MAX, &text, err), same = false;
	enum view_id view;

	own = text ? strstr(text, mark) : NULL;
	if (own) {
		size_t length = strcspn(own + strlen(mark), "\n");

		same = !source || (strlen(source) == length &&
				   memcmp(own + strlen(mark), source, length) == 0);
		if (same)
			bytes_append(&a->later, own + 1, strlen(own + 1));
		own[1] = '\0';
	}
	ok = ok && (!text || app_configure(a, path, text, strlen(text), err));
	view = a->view;
	if (same)
		(void)script_run("", a->later.data, a->later.length, filter_line, a, NULL);
	a->view = view;
	mem_free(text);
	return ok;
}

/* The history of prompts; each line begins with the letter of its prompt. */
static const char prompts[PROMPT_KINDS] = { 0, '/', 'f', ':', '@', 'd', 'a' };

static void read_typed(struct app *a)
{
	char path[4096], *text, *line, *next;
	struct err err = { .code = ERR_NONE };
	bool ours = true;

	if (!state_path(TYPED, path, sizeof(path), NULL))
		return;
	if (!file_text_found(path, FILE_TEXT_MAX, &text, &err))
		app_say(a, ROLE_WARN, "%s", err.message);
	for (line = text; line && *line != '\0'; line = next) {
		size_t length = strcspn(line, "\n");
		const char *kind = line[0] != '\n' ? memchr(prompts, line[0], PROMPT_KINDS) : NULL;

		next = line + length + (line[length] == '\n');
		line[length] = '\0';
		if (kind)
			prompt_remember(&a->prompt, (enum prompt_kind)(kind - prompts), line + 1);
		ours = ours && kind;
	}
	if (!ours)
		app_say(a, ROLE_WARN, "%s: lines not written by fairtop are ignored", path);
	mem_free(text);
}

static void write_typed(const struct app *a)
{
	const struct prompt *p = &a->prompt;
	struct bytes b = { 0 };
	char path[4096];

	for (size_t kind = 1; kind < PROMPT_KINDS; kind++) {
		for (size_t i = 0; i < p->history_count[kind]; i++) {
			bytes_append(&b, &prompts[kind], 1);
			bytes_append(&b, p->history[kind][i], strlen(p->history[kind][i]));
			bytes_append(&b, "\n", 1);
		}
	}
	if (b.length > 0 && state_path(TYPED, path, sizeof(path), NULL))
		(void)new_file_keep(path, &b, NULL);
	bytes_free(&b);
}

void remember_last(struct app *a, const char *source, bool overview)
{
	struct err err = { .code = ERR_NONE };
	char path[4096];

	a->keeps = true;
	if (a->forgets || !state_path(overview ? OVERVIEW : LAST, path, sizeof(path), &err))
		return;
	if (access(path, F_OK) != 0)	/* there is no remembered state yet */
		a->lessons = overview ? a->lessons : LESSONS_HINTS;
	else if (!run_file(a, path, source, &err))
		app_say(a, ROLE_WARN, "%s", err.message);
	read_typed(a);
}

void remember_this(struct app *a)
{
	char path[4096];

	if (a->forgets ||
	    !state_path(a->overview ? OVERVIEW : LAST, path, sizeof(path), NULL))
		return;
	if (settings_keep(a, path, true, NULL))
		write_typed(a);
}

bool remember_nothing(struct app *a, struct err *err)
{
	char path[4096];

	layout_mark_free(&a->kept);
	layout_mark_free(&a->made);
	return !a->keeps || a->forgets ||
	       (state_path(a->overview ? OVERVIEW : LAST, path, sizeof(path), err) &&
		settings_forget(path, err));
}

bool workspace_recall(struct app *a, const char *name, struct err *err)
{
	char path[4096];

	if (!workspace_path(name, path, sizeof(path), err))
		return false;
	if (access(path, F_OK) != 0)
		return err_set(err, ERR_INPUT, "unknown workspace %s (keep-workspace %s saves "
			       "what is shown)", name, name);
	app_reset(a);
	if (!run_file(a, path, NULL, err))
		return false;
	whatif_show(a);
	app_run_later(a);
	return true;
}

bool workspace_keep(struct app *a, const char *name, struct err *err)
{
	char path[4096];

	return workspace_path(name, path, sizeof(path), err) && settings_keep(a, path, false, err);
}
