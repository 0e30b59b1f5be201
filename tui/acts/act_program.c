/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of the program itself: views, panes, settings, quitting. */
#include "tui/acts/act.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/acts/palette.h"
#include "tui/acts/settings_table.h"
#include "tui/acts/table_save.h"
#include "tui/cells/keys.h"
#include "tui/panes/backtests.h"
#include "tui/panes/pane.h"
#include "tui/panes/pane_alarms.h"
#include "tui/rows/look.h"
#include "tui/rows/overview.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

/* ---- views and panes ----------------------------------------------------------------------- */

#define OPEN(name, view) \
	ACT(name) \
	{ \
		app_open_view(a, view); \
		return true; \
	}
OPEN(act_accounts, VIEW_ACCOUNTS)
OPEN(act_jobs, VIEW_JOBS)
OPEN(act_pools, VIEW_POOLS)
OPEN(act_classes, VIEW_CLASSES)
OPEN(act_policy, VIEW_POLICY)

ACT(act_save)
{
	if (words->count > 2)
		return err_set(err, ERR_INPUT, "save: expected at most one file name");
	return table_save_wish(a, words->count == 2 ? words->word[1] : NULL, err);
}

ACT(act_last_view)
{
	if (a->last_view == a->view)
		app_say(a, ROLE_MESSAGE, "no previous view: 1 to 5 open views");
	app_open_view(a, a->last_view);
	return true;
}

ACT(act_help)
{
	pane_toggle(a, &help_pane);
	return true;
}

ACT(act_tour)
{
	a->lessons = a->lessons == LESSONS_TOUR ? LESSONS_NONE : LESSONS_TOUR;
	a->learned = 0;
	return true;
}

ACT(act_source)
{
	pane_toggle(a, &source_pane);
	return true;
}

ACT(act_alarms)
{
	pane_toggle(a, &alarms_pane);
	return true;
}

ACT(act_backtest)
{
	enum sim_policy policies[BACKTEST_POLICIES];
	size_t count = 0;

	for (size_t i = 1; i < words->count; i++) {
		int policy = policy_schedule_by_name(words->word[i]);

		if (policy < 0 || count == BACKTEST_POLICIES)
			return err_set(err, ERR_INPUT, "backtest '%s': expected up to %d of %s",
				       words->word[i], BACKTEST_POLICIES, POLICY_SCHEDULES);
		policies[count++] = (enum sim_policy)policy;
	}
	if (count == 0 && a->pane.ops == &backtest_pane) {
		pane_close(a);
		return true;
	}
	pane_open(a, &backtest_pane);
	a->pane.large = a->pane.focus = true;
	if (count > 0 || backtests_are_old(a))
		backtests_ask(a, policies, count);
	return true;
}

ACT(act_alarm)
{
	return alarms_add(a, words->count > 1 ? line + words->start[1] : "", err);
}

ACT(act_command)
{
	prompt_open(&a->prompt, PROMPT_COMMAND, "");
	return true;
}

ACT(act_palette)
{
	palette_open(a);
	return true;
}

/* Unsaved edits are not lost by one key. */
static void act_program_leave(struct app *a, const char *again, enum app_effect effect)
{
	uint32_t edits = whatif_unsaved(a);

	if (edits == 0 || a->leave_asked) {
		a->effects |= effect;
		return;
	}
	a->leave_asked = true;
	app_say(a, ROLE_WARN, "%u edit%s not saved (:save-edits FILE); %s again quits", edits,
		edits == 1 ? " is" : "s are", again);
}

ACT(act_back)
{
	bool esc = a->last_key == KEYS_ESC;

	if (pane_is_open(a))
		pane_close(a);
	else if (esc && sheet_cursor(app_sheet(a)))
		sheet_set_cursor(app_sheet(a), NULL);
	else if (esc && a->filter_text[a->view][0] != '\0')
		return app_set_filter(a, a->view, "", err);
	else if (a->view != VIEW_ACCOUNTS && !a->overview)
		app_open_view(a, VIEW_ACCOUNTS);
	else if (a->nested)
		act_program_leave(a, esc ? "Esc" : "q", APP_BACK);
	else if (esc)
		app_say(a, ROLE_MESSAGE, "q quits");
	else
		act_program_leave(a, "q", APP_QUIT);
	return true;
}

/* In a configuration it opens the view for the lines that follow. */
ACT(act_clusters)
{
	if (a->nested)
		act_program_leave(a, "clusters", APP_BACK);
	else if (!a->overview && a->now > 0)
		return err_set(err, ERR_INPUT, "clusters: only in an overview");
	else
		a->view = VIEW_CLUSTERS;
	return true;
}

ACT(act_quit)
{
	act_program_leave(a, "Q", APP_QUIT);
	return true;
}

ACT(act_redraw)
{
	a->effects |= APP_REDRAW;
	return true;
}

/* ---- settings ------------------------------------------------------------------------------ */

bool app_set_theme(struct app *a, const char *name, struct err *err)
{
	struct theme theme;

	if (!theme_load(&theme, name, a->dir[0] != '\0' ? a->dir : NULL, err))
		return false;
	a->theme = theme;
	app_say(a, ROLE_MESSAGE, "theme %s", name);
	return true;
}

ACT(act_theme)
{
	size_t at = 0;

	if (words->count > 1)
		return app_set_theme(a, words->word[1], err);
	while (theme_builtin[at] && strcmp(theme_builtin[at], a->theme.name) != 0)
		at++;
	if (!theme_builtin[at] || !theme_builtin[at + 1])
		return app_set_theme(a, theme_builtin[0], err);
	return app_set_theme(a, theme_builtin[at + 1], err);
}

ACT(act_mouse)
{
	a->mouse = !a->mouse;
	app_say(a, ROLE_MESSAGE, a->mouse ? "fairtop uses the mouse" :
					    "the terminal uses the mouse: select text with it");
	return true;
}

/* A name occurs once: a later line replaces an earlier one. */
ACT(act_cluster)
{
	struct cluster_line *line_of = NULL;
	const char *source = words->count == 3 ? words->word[2] : "";

	if (words->count != 3)
		return err_set(err, ERR_INPUT, "cluster: expected NAME SOURCE");
	if (words->word[1][0] == '\0' || strlen(words->word[1]) >= sizeof(line_of->name) ||
	    source[0] == '\0' || strlen(source) >= sizeof(line_of->source))
		return err_set(err, ERR_INPUT, "cluster '%s': expected a name of at most "
			       "%zu bytes and a source of at most %zu", words->word[1],
			       sizeof(line_of->name) - 1, sizeof(line_of->source) - 1);
	for (size_t i = 0; i < a->cluster_count; i++) {
		if (strcmp(a->clusters[i].name, words->word[1]) == 0)
			line_of = &a->clusters[i];
	}
	if (!line_of) {
		if (a->cluster_count == a->cluster_capacity)
			MEM_GROW(a->clusters, a->cluster_capacity, a->cluster_count + 1);
		line_of = &a->clusters[a->cluster_count++];
	}
	snprintf(line_of->name, sizeof(line_of->name), "%s", words->word[1]);
	snprintf(line_of->source, sizeof(line_of->source), "%s", source);
	app_say(a, ROLE_MESSAGE, "%s: :write adds it to the overview that fairtop without a "
		"source opens", line_of->name);
	return true;
}

ACT(act_color)
{
	return theme_color(&a->theme, words, err);
}

static bool name_workspace(struct app *a, const struct words *words, enum app_errand errand,
			   struct err *err)
{
	char command[64];

	if (words->count > 2)
		return err_set(err, ERR_INPUT, "%s: expected one name", words->word[0]);
	if (words->count == 1) {
		snprintf(command, sizeof(command), "%s ", words->word[0]);
		prompt_open(&a->prompt, PROMPT_COMMAND, command);
		return true;
	}
	snprintf(a->workspace, sizeof(a->workspace), "%s", words->word[1]);
	a->errand = errand;
	return true;
}

ACT(act_workspace)
{
	return name_workspace(a, words, ERRAND_RECALL, err);
}

ACT(act_keep_workspace)
{
	return name_workspace(a, words, ERRAND_KEEP, err);
}

void app_reset(struct app *a)
{
	for (int view = 0; view < VIEW_COUNT; view++) {
		struct sheet *sheet = &a->sheets[view];
		struct list *l = &sheet->list;

		(void)app_set_filter(a, (enum view_id)view, "", NULL);
		look_plain(sheet, (enum view_id)view);
		if (view == VIEW_ACCOUNTS)	/* the algorithm determines the columns */
			sheet->count = 0;
		sheet->wish[0] = '\0';
		sheet->wide = l->flat = false;
		sheet_pick(sheet, NULL, false);
		sheet->ordered = false;
		list_set_fold_depth(l, view == VIEW_JOBS ? LIST_GROUP_DEPTH : UINT32_MAX);
		l->by_hand = false;
		if (view == VIEW_ACCOUNTS && l->now.view.rows > 0)
			look_by_need(sheet, &l->now);
	}
	bytes_free(&a->later);
}

/* Likewise for the file to be deleted. */
ACT(act_reset)
{
	if (words->count != 2 || strcmp(words->word[1], "layout") != 0)
		return err_set(err, ERR_INPUT, "reset%s%s: expected layout",
			       words->count > 1 ? " " : "", words->count > 1 ? words->word[1] : "");
	app_reset(a);
	app_open_view(a, a->overview ? VIEW_CLUSTERS : VIEW_ACCOUNTS);
	pane_close_all(a);
	if (a->overview)
		overview_choose(a, "");
	a->theme = a->usual_theme;
	a->errand = ERRAND_RESET;
	app_say(a, ROLE_MESSAGE, "the layout is reset; the remembered one is deleted");
	whatif_show(a);
	return true;
}

/* The file is written by the outside: this code does not access files. */
ACT(act_write)
{
	if (words->count > 2)
		return err_set(err, ERR_INPUT, "write: expected at most one file name");
	if (words->count == 2)
		snprintf(a->write_path, sizeof(a->write_path), "%s", words->word[1]);
	else if (a->dir[0] != '\0')
		snprintf(a->write_path, sizeof(a->write_path), "%s/fairtop.conf", a->dir);
	else
		return err_set(err, ERR_INPUT, "write: no home directory; write FILE names a file");
	a->errand = ERRAND_SETTINGS;
	return true;
}

/* Reads [VIEW] KEY; *next is the word after it. */
static bool binding_place(const struct words *words, enum view_id *context, uint32_t *key,
			  size_t *next, struct err *err)
{
	size_t at = 1, used;

	*context = VIEW_ALL;
	for (int i = 0; i <= VIEW_ALL && words->count > 2; i++) {
		if (strcmp(words->word[1], view_names[i]) == 0) {
			*context = (enum view_id)i;
			at = 2;
		}
	}
	if (at >= words->count)
		return err_set(err, ERR_INPUT, "%s: a key is missing", words->word[0]);
	used = key_parse(words->word[at], strlen(words->word[at]), key, err);
	if (used == 0)
		return false;
	if (words->word[at][used] != '\0')
		return err_set(err, ERR_INPUT, "'%s': expected one key", words->word[at]);
	*next = at + 1;
	return true;
}

ACT(act_bind)
{
	enum view_id context;
	uint32_t key;
	size_t next;

	if (!binding_place(words, &context, &key, &next, err))
		return false;
	if (next >= words->count)
		return err_set(err, ERR_INPUT, "bind: a command is missing");
	if (!command_find(a->keymap.commands, words->word[next], err))
		return false;
	return keymap_bind(&a->keymap, context, key, line + words->start[next], err);
}

ACT(act_unbind)
{
	enum view_id context;
	uint32_t key;
	size_t next;

	return binding_place(words, &context, &key, &next, err) &&
	       keymap_bind(&a->keymap, context, key, "", err);
}
