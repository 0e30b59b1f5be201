/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/remember.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "tui/acts/act.h"
#include "tui/base/file_text.h"
#include "tui/rows/look.h"
#include "tui/screen/settings.h"
#include "tui/whatif/show.h"

#define LAST "last.layout"

static bool path_of(const char *name, char *path, size_t size, struct err *err)
{
	const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int length = -1;

	if (xdg != NULL && xdg[0] == '/')
		length = snprintf(path, size, "%s/fairtop/%s", xdg, name);
	else if (home != NULL && home[0] == '/')
		length = snprintf(path, size, "%s/.local/state/fairtop/%s", home, name);
	return (length > 0 && (size_t)length < size) ||
	       err_set(err, ERR_INPUT, "%s: there is no directory for what is remembered", name);
}

static bool workspace_path(const char *name, char *path, size_t size, struct err *err)
{
	char file[80];

	if (name[0] == '\0' || strlen(name) > 60 ||
	    name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")])
		return err_set(err, ERR_INPUT,
			       "workspace '%.60s': expected letters, digits, - and _", name);
	snprintf(file, sizeof file, "%s.workspace", name);
	return path_of(file, path, size, err);
}

static bool run_file(struct app *a, const char *path, struct err *err)
{
	char *text = file_text(path, err);
	bool ok = text != NULL && app_configure(a, path, text, strlen(text), err);

	mem_free(text);
	return ok;
}

void remember_last(struct app *a)
{
	struct err err = { .code = ERR_NONE };
	char path[4096];

	if (a->forgets || !path_of(LAST, path, sizeof path, &err) || access(path, F_OK) != 0)
		return;
	if (!run_file(a, path, &err))
		app_say(a, ROLE_WARN, "%s", err.message);
}

void remember_this(struct app *a)
{
	char path[4096];

	if (!a->forgets && path_of(LAST, path, sizeof path, NULL))
		(void)settings_keep(a, path, NULL);
}

/* Every view as if its user had chosen nothing. */
static void reset(struct app *a)
{
	for (int view = 0; view < VIEW_COUNT; view++) {
		struct sheet *sheet = &a->sheets[view];

		(void)app_set_filter(a, (enum view_id)view, "", NULL);
		sheet->ordered = sheet->chosen = false;
		list_set_order(&sheet->list, &sheet->list.order, false);
		if (view != VIEW_ACCOUNTS)
			look_plain(sheet, (enum view_id)view);
	}
}

bool workspace_recall(struct app *a, const char *name, struct err *err)
{
	char path[4096];

	if (!workspace_path(name, path, sizeof path, err))
		return false;
	if (access(path, F_OK) != 0)
		return err_set(err, ERR_INPUT, "workspace %s: there is none (keep-workspace %s "
			       "makes it of what is shown)", name, name);
	reset(a);
	return run_file(a, path, err) && whatif_show(a, false, err);
}

bool workspace_keep(struct app *a, const char *name, struct err *err)
{
	char path[4096];

	return workspace_path(name, path, sizeof path, err) &&
	       settings_keep(a, path, err);
}
