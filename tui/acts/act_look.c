/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands for a closer look at a row: details, marks, comparing, following, copying. */
#include "tui/acts/act.h"

#include <stdio.h>
#include <string.h>

#include "tui/panes/pane.h"
#include "tui/rows/overview.h"
#include "tui/rows/views.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

static void toggle_detail(struct app *a, const struct pane_ops *ops)
{
	if (a->pane.ops != ops && list_row(&app_sheet(a)->list) == ROW_NONE)
		app_say(a, ROLE_MESSAGE, "no row to show");
	else
		pane_toggle(a, ops);
}

/* A cluster that never answered is not opened: there is nothing to show, and it may hang. */
static void act_look_open_cluster(struct app *a)
{
	uint32_t row = list_row(&app_sheet(a)->list);
	const struct fleet_row *r = row != ROW_NONE ? &a->overview->rows[row] : NULL;

	if (!r) {
		app_say(a, ROLE_MESSAGE, "no row to open");
	} else if (!r->facts) {
		app_say(a, ROLE_WARN, "%s has not answered yet%s%s", fleet_row_name(r),
			r->problem[0] != '\0' ? ": " : "", r->problem);
	} else {
		a->overview->open = row;
		a->effects |= APP_OPEN;
	}
}

#define OF_ACCOUNT "account_share,account_ratio,account_fairshare,account_waiting"

/* Compares the same account in all clusters. */
ACT(act_account)
{
	struct sheet *sheet = app_sheet(a);
	bool on = words->count == 2, chosen = sheet->chosen, ok;

	if (!a->overview)
		return err_set(err, ERR_INPUT, "account: only in the overview of several clusters");
	if (words->count > 2)
		return err_set(err, ERR_INPUT, "account: expected a name");
	if (!on && a->overview->account[0] == '\0') {
		prompt_open(&a->prompt, PROMPT_COMMAND, "account ");
		return true;
	}
	overview_choose(a, on ? words->word[1] : "");
	ok = sheet_choose(sheet, on ? "+" OF_ACCOUNT : "-" OF_ACCOUNT, err);
	sheet->chosen = chosen;
	return ok;
}

ACT(act_details)
{
	struct list *l = &app_sheet(a)->list;

	if (a->pane.focus && a->pane.ops->enter)
		a->pane.ops->enter(a);
	else if (a->overview)
		act_look_open_cluster(a);
	else if (l->count > 0 && l->items[l->cursor].flags & ITEM_USERS)
		list_show_rest(l, list_row(l));
	else
		toggle_detail(a, &detail_pane);
	return true;
}

ACT(act_why)
{
	if (words->count > 1)
		return err_set(err, ERR_INPUT,
			       "why: expected no argument (show job:ID goes to a job)");
	if (a->view != VIEW_JOBS)
		return err_set(err, ERR_INPUT, "why: expected the jobs view");
	toggle_detail(a, &detail_pane);
	return true;
}

ACT(act_explain)
{
	/* For a queue, a class or a parameter the details are the explanation. */
	toggle_detail(a, a->view == VIEW_ACCOUNTS || a->view == VIEW_JOBS ? &steps_pane :
									      &detail_pane);
	return true;
}

ACT(act_mark)
{
	struct list *l = &app_sheet(a)->list;

	if (a->pane.focus && a->pane.ops->mark) {
		a->pane.ops->mark(a);
		return true;
	}
	if (list_row(l) == ROW_NONE)
		return true;
	list_toggle_mark(l, list_row(l));
	list_move(l, 1);
	return true;
}

ACT(act_unmark_all)
{
	struct idmap *marks = &app_sheet(a)->list.marks;

	if (marks->count == 0)
		app_say(a, ROLE_MESSAGE, "no row is marked");
	idmap_clear(marks);
	return true;
}

/* Compares the marked row and the one under the cursor, or two marked ones. */
ACT(act_compare)
{
	struct list *l = &app_sheet(a)->list;
	uint64_t keys[2];
	size_t found = 0;
	uint32_t row = list_row(l);

	if (a->view == VIEW_POOLS || a->view == VIEW_POLICY)
		return err_set(err, ERR_INPUT,
			       "compare: expected accounts, users, jobs or classes%s",
			       a->view == VIEW_POOLS ? "; the Order column ranks queues" : "");
	if (row == ROW_NONE)
		return err_set(err, ERR_INPUT, "compare: no row under the cursor");
	for (uint32_t i = 0; i < l->now.view.rows && found < 2; i++) {
		if (list_marked(l, i) && (i != row || l->marks.count == 2))
			keys[found++] = l->now.keys[i];
	}
	if (found == 0)
		return err_set(err, ERR_INPUT, "compare: mark another row first (Space)");
	a->compare_keys[0] = keys[0];
	a->compare_keys[1] = found == 2 && l->marks.count == 2 ? keys[1] : l->now.keys[row];
	pane_open(a, &compare_pane);
	return true;
}

/* Filters by NAME; COLUMN includes its operator. */
static bool filter_by(struct app *a, enum view_id view, const char *column, const char *name,
		      struct err *err)
{
	char quoted[SCRIPT_LINE], text[sizeof(quoted) + 16];

	app_quote(quoted, sizeof(quoted), name);
	snprintf(text, sizeof(text), "%s%s", column, quoted);
	return app_set_filter(a, view, text, err);
}

static bool account_to_jobs(struct app *a, uint32_t row, struct err *err)
{
	const struct cluster *c = a->picture->cluster;
	bool user = cluster_is_user(c, row);
	const char *name = cluster_text(c, F_ASSOC_USER, row);
	char path[SCRIPT_LINE];
	size_t length;

	app_open_view(a, VIEW_JOBS);
	if (user)
		return filter_by(a, VIEW_JOBS, "user=", name ? name : "", err);
	/* the jobs that the row counts: all charged to it or below it */
	length = cluster_path(c, row, path, sizeof(path) - 1);
	if (length >= sizeof(path) - 1)
		return err_set(err, ERR_INPUT, "go-across: the account's path is too long");
	if (strcmp(path, "/") != 0)
		memcpy(path + length, "/", 2);
	return filter_by(a, VIEW_JOBS, "within^=", path, err);
}

/* In the pools view: shows the jobs that use the queue's slots. */
static bool queue_to_jobs(struct app *a, uint32_t row, struct err *err)
{
	const struct pools *p = a->picture->pools;
	const char *name = p->queues[p->members[row]].name;
	char column[16];

	if (pools_without_jobs(p, p->members[row]))
		return err_set(err, ERR_INPUT, "go-across: queue %s: its jobs were not read, only "
			       "its slots", name);
	snprintf(column, sizeof(column), "%s=", jobs_queue_word(p->cluster));
	app_open_view(a, VIEW_JOBS);
	return filter_by(a, VIEW_JOBS, column, name, err);
}

/* From a job to the charged row; from an account, user or queue to its jobs. */
ACT(act_go_across)
{
	uint32_t row = list_row(&app_sheet(a)->list), assoc;

	if (row != ROW_NONE && a->view == VIEW_CLASSES)
		return class_to_jobs(a, row, err);
	if (row != ROW_NONE && a->view == VIEW_POOLS)
		return queue_to_jobs(a, row, err);
	if (row == ROW_NONE || (a->view != VIEW_ACCOUNTS && a->view != VIEW_JOBS))
		return err_set(err, ERR_INPUT, "go-across: no job or account here");
	if (a->view == VIEW_ACCOUNTS)
		return account_to_jobs(a, row, err);
	assoc = a->picture->queue->jobs->index->assoc[row];
	if (assoc == ROW_NONE)
		return err_set(err, ERR_INPUT, "go-across: the account of this job is unknown");
	app_open_view(a, VIEW_ACCOUNTS);
	if (!list_select(&a->sheets[VIEW_ACCOUNTS].list, assoc))
		app_say(a, ROLE_MESSAGE, "the filter hides the account of this job");
	return true;
}

ACT(act_terms)
{
	app_tell_terms(a, (a->terms_as + 1) % JOBS_TERMS_COUNT);
	app_say(a, ROLE_MESSAGE, "terms in %s, in the columns Age to Nice",
		queue_terms_names[a->terms_as]);
	return true;
}

ACT(act_follow)
{
	struct list *l = &app_sheet(a)->list;
	uint32_t row = list_row(l);

	if (a->view != VIEW_ACCOUNTS && a->view != VIEW_JOBS) {
		app_say(a, ROLE_MESSAGE, "only accounts, users and jobs can be followed");
		return true;
	}
	if (row == ROW_NONE)
		return true;
	a->follow = !(a->follow && a->follow_view == a->view && a->follow_key == l->now.keys[row]);
	a->follow_key = l->now.keys[row];
	a->follow_view = a->view;
	return true;
}
