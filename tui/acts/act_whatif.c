/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of what-if: the panel, edits, sets, and writing to files. */
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "tui/acts/act.h"
#include "tui/acts/table_save.h"
#include "tui/panes/pane_forecast.h"
#include "tui/panes/pane_whatif.h"
#include "tui/rows/views.h"
#include "tui/whatif/making.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

static bool needs_picture(const struct app *a, const char *command, struct err *err)
{
	return a->picture || err_set(err, ERR_INPUT, "%s: no data yet", command);
}

/* ---- the panel ------------------------------------------------------------------------------- */

ACT(act_what_if)
{
	if (a->pane.ops != &whatif_pane && !needs_picture(a, "what-if", err))
		return false;
	pane_toggle(a, &whatif_pane);
	a->pane.focus = pane_is_open(a);
	return true;
}

ACT(act_base)
{
	if (whatif_count(a) == 0) {
		app_say(a, ROLE_MESSAGE, "no active edit: this is the base");
		return true;
	}
	a->whatif->flipped = !a->whatif->flipped;
	whatif_show(a);
	app_say(a, ROLE_MESSAGE, a->whatif->flipped ? "this is the base, without the edits" :
						    "this is the what-if");
	return true;
}

ACT(act_undo)
{
	whatif_step_done(a, whatif_undo(whatif_edits(a)), "no edit to undo");
	return true;
}

ACT(act_redo)
{
	whatif_step_done(a, whatif_redo(whatif_edits(a)), "no edit to redo");
	return true;
}

/* The words after the command, as typed. */
static const char *act_rest(const char *line, const struct words *words, size_t word)
{
	return words->count > word ? line + words->start[word] : "";
}

ACT(act_edit)
{
	if (!needs_picture(a, "edit", err))
		return false;
	if (words->count > 1)
		return whatif_add_and_tell(a, act_rest(line, words, 1), err);
	prompt_open(&a->prompt, PROMPT_EDIT, "");
	return true;
}

/* ---- sets ------------------------------------------------------------------------------------ */

/* [A-D [NAME]]; without arguments the next one. */
ACT(act_next_set)
{
	struct whatif_sets *t = a->whatif;
	uint32_t set = (t->set + 1) % WHATIF_SETS;
	struct whatif *w;

	if (words->count > 1) {
		char letter = words->word[1][0];

		set = (uint32_t)((letter | 0x20) - 'a');
		if (set >= WHATIF_SETS || words->word[1][1] != '\0')
			return err_set(err, ERR_INPUT, "next-set '%s': expected A, B, C or D",
				       words->word[1]);
	}
	if (whatif_waits(a))
		t->sums[t->set].known = false;	/* it is that of former edits */
	t->set = set;
	w = whatif_edits(a);
	if (words->count > 2)
		snprintf(w->name, sizeof(w->name), "%.63s", act_rest(line, words, 2));
	whatif_show(a);
	app_say(a, ROLE_MESSAGE, "set %c%s%s: %u %s", 'A' + (int)set,
		w->name[0] != '\0' ? " " : "", w->name, whatif_active(w),
		whatif_active(w) == 1 ? "edit" : "edits");
	return true;
}

/* "A, C": the sets with edits besides the one on the screen; "": none. */
static void other_sets(const struct app *a, char *buf, size_t size)
{
	const struct whatif_sets *t = a->whatif;

	buf[0] = '\0';
	for (uint32_t i = 0; i < WHATIF_SETS; i++) {
		if (i != t->set && t->sets[i] && whatif_active(t->sets[i]) > 0)
			format_append(buf, size, "%s%c", buf[0] != '\0' ? ", " : "", 'A' + (int)i);
	}
}

ACT(act_beside)
{
	struct whatif_sets *t = a->whatif;
	char key[32], others[24];

	other_sets(a, others, sizeof(others));
	t->beside = !t->beside;
	whatif_show(a);
	keymap_titles(&a->keymap, a->view, "next-set", a->ascii, 1, key, sizeof(key));
	if (!t->beside)
		app_say(a, ROLE_MESSAGE, "the other sets are not shown");
	else if (others[0] == '\0')
		app_say(a, ROLE_MESSAGE, "no other set has edits yet: %s starts one", key);
	else if (!making_is_over(a))
		app_say(a, ROLE_MESSAGE, "the other sets are shown only in a what-if");
	else
		app_say(a, ROLE_MESSAGE, "beside Moves: ranks gained in set %s", others);
	return true;
}

/* ---- values in place ------------------------------------------------------------------------- */

struct act_place {
	char text[PROMPT_MAX];
	size_t used;
};

/* TEXT as part of a target: "=" would end it, and % begins an escape. Paths are escaped already. */
static void act_add_name(struct act_place *p, const char *text)
{
	for (; *text != '\0' && p->used + 4 < sizeof(p->text); text++) {
		unsigned char c = (unsigned char)*text;

		if (strchr("=%#", c) || c < 0x20)
			p->used += (size_t)snprintf(p->text + p->used, 4, "%%%02X", c);
		else
			p->text[p->used++] = *text;
	}
	p->text[p->used] = '\0';
}

static void act_add(struct act_place *p, const char *text)
{
	size_t length = strlen(text);

	if (p->used + length >= sizeof(p->text))
		return;
	memcpy(p->text + p->used, text, length + 1);
	p->used += length;
}

/* The present value of the row, if it is a number that the user may want to modify. */
static void act_add_value(struct act_place *p, const struct app *a, const char *column,
			  uint32_t row)
{
	const struct sheet *sheet = app_sheet_get(a);
	const struct column *c = column_find(sheet->all, sheet->all_count, column, strlen(column));
	struct value v = { .kind = VALUE_UNKNOWN };
	char number[32];

	act_add(p, " = ");
	if (!c)
		return;
	column_get(c, sheet->list.now.view.context, row, &v);
	if (v.kind == VALUE_TEXT) {
		act_add(p, v.text);
	} else if (v.kind == VALUE_INT && c->format == COLUMN_PLAIN) {
		snprintf(number, sizeof(number), "%lld", (long long)v.integer);
		act_add(p, number);
	} else if (v.kind == VALUE_REAL && c->format == COLUMN_SI) {
		snprintf(number, sizeof(number), "%.6g", v.real);
		act_add(p, number);
	}
}

/* The job attribute that a column of the queue shows. */
static const struct {
	const char *column, *attribute;
} job_attributes[] = {
	{ "qos", "qos" },	      { "partition", "partition" },   { "account", "account" },
	{ "cpus", "cpus" },	      { "nodes", "nodes" },
	{ "time_limit", "time_limit" },
	{ "priority", "priority" },   { "age", "submit" },	      { "submit", "submit" },
	{ "term_site", "site" },      { "term_qos", "qos" },	      { "state", "hold" },
	{ "term_age", "submit" },     { "term_jobsize", "cpus" },
	{ "term_partition", "partition" },
};

static void place_of_job(struct act_place *p, const struct app *a, const char *column, uint32_t row)
{
	const struct queue *q = a->picture->queue;
	const char *attribute = "nice", *value = "";
	char name[24];

	for (size_t i = 0; i < sizeof(job_attributes) / sizeof(job_attributes[0]); i++) {
		if (strcmp(column, job_attributes[i].column) != 0)
			continue;
		attribute = job_attributes[i].attribute;
		value = job_attributes[i].column;
	}
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(q->job_names[row], " "),
		 q->job_names[row]);
	act_add(p, "job:");
	act_add(p, name);
	act_add(p, ".");
	act_add(p, attribute);
	act_add_value(p, a, strcmp(attribute, "priority") == 0 ? "" : value, row);
}

static void place_of_account(struct act_place *p, const struct app *a, const char *column,
			     uint32_t row)
{
	bool usage = strstr(column, "usage") != NULL;
	char path[PROMPT_MAX];

	cluster_path(a->picture->cluster, row, path, sizeof(path));
	act_add(p, usage ? "usage:" : "shares:");
	act_add(p, path);
	act_add_value(p, a, usage ? "usage" : "shares", row);
}

static void place_of_queue(struct act_place *p, const struct app *a, const char *column,
			   uint32_t row)
{
	const struct pools *pools = a->picture->pools;
	const struct pools_queue *q = &pools->queues[pools->members[row]];

	if (strcmp(column, "priority") == 0 || strcmp(column, "limit") == 0 ||
	    q->pool == POOLS_NONE) {
		bool limit = strcmp(column, "limit") == 0;

		act_add(p, "queue:");
		act_add_name(p, q->name);
		act_add(p, limit ? ".job_limit" : ".priority");
		act_add_value(p, a, limit ? "limit" : "priority", row);
		return;
	}
	act_add(p, "pool:");
	act_add_name(p, pools->pools[q->pool].name);
	act_add(p, ".");
	act_add_name(p, q->name);
	act_add(p, ".share");
	act_add_value(p, a, "share", row);
}

/* A word of PriorityFlags is edited with all of them; by the key alone it is toggled. */
static bool place_of_flag(struct act_place *p, const struct app *a, const char *name)
{
	uint32_t flags = cluster_policy(a->picture->cluster)->flags, bit = 0;
	const char *comma = "";

	for (size_t i = 0; i < policy_flags_count; i++) {
		if (strcmp(policy_flags[i].name, name) == 0)
			bit = policy_flags[i].bit;
	}
	if (bit == 0)
		return false;
	act_add(p, "flags = ");
	for (size_t i = 0; i < policy_flags_count; i++) {
		if (((flags ^ bit) & policy_flags[i].bit) == 0)
			continue;
		act_add(p, comma);
		act_add(p, policy_flags[i].name);
		comma = ",";
	}
	return true;
}

/*
 * Offers the value of the row under the cursor, in the chosen or sort column, as an edit to be
 * completed.
 */
ACT(act_change)
{
	const struct sheet *sheet = app_sheet(a);
	uint32_t row = list_row(&sheet->list);
	const struct column *explained = sheet_explained(sheet);
	const struct column *of = explained && explained->of ? explained->of :
				  explained;
	const char *column = of ? of->name : "";
	struct act_place p = { .used = 0 };

	if (!a->picture || row == ROW_NONE)
		return err_set(err, ERR_INPUT, "change: no row under the cursor");
	switch (a->view) {
	case VIEW_ACCOUNTS:
		place_of_account(&p, a, column, row);
		break;
	case VIEW_JOBS:
		place_of_job(&p, a, column, row);
		break;
	case VIEW_POOLS:
		place_of_queue(&p, a, column, row);
		break;
	case VIEW_CLASSES:
		act_add(&p, "classes.exclude = ");
		act_add(&p, cluster_policy(a->picture->cluster)->equiv_class_exclude);
		break;
	case VIEW_POLICY:
	case VIEW_CLUSTERS:
	case VIEW_COUNT:
	case VIEW_ANY:
		if (!place_of_flag(&p, a, app_row_name(a, row))) {
			act_add(&p, app_row_name(a, row));
			act_add_value(&p, a, whatif_changes(a) ? "what_if" : "value",
				      row);
		}
		break;
	}
	whatif_type_edit(a, p.text);
	return true;
}

ACT(act_lint)
{
	if (!needs_picture(a, "lint", err))
		return false;
	pane_toggle(a, &lint_pane);
	return true;
}

/* [F|- [now|none|RATE]] */
ACT(act_forecast)
{
	if (words->count == 1 && a->pane.ops == &forecast_pane) {
		pane_close(a);
		return true;
	}
	if (!needs_picture(a, "forecast", err))
		return false;
	return forecast_open(a, words->count > 1 ? words->word[1] : NULL,
				words->count > 2 ? words->word[2] : NULL, err);
}

/* F|RANK, or [job:ID] --start TIME, whose words need no quotes */
ACT(act_seek)
{
	size_t at = words->count > 1 && strcmp(words->word[1], "--start") != 0 ? 2 : 1;

	if (at < words->count && strcmp(words->word[at], "--start") == 0) {
		if (at + 1 == words->count)
			return err_set(err, ERR_INPUT, "seek --start: no time (expected words like "
				       "today 18:00)");
		return needs_picture(a, "seek", err) &&
		       seek_open_start(a, at == 2 ? words->word[1] : NULL, at + 2 == words->count ?
				       words->word[at + 1] : line + words->start[at + 1], err);
	}
	if (words->count > 2)
		return err_set(err, ERR_INPUT, "seek: unexpected \"%s\" (expected a goal, or "
			       "--start and a time)", words->word[2]);
	if (words->count > 1)
		return needs_picture(a, "seek", err) && seek_open(a, words->word[1], err);
	prompt_open(&a->prompt, PROMPT_COMMAND, "seek ");
	return true;
}

/* ---- sorting by moves ------------------------------------------------------------------------ */

/* Sorts by most gained, most lost, then as before. */
ACT(act_movers)
{
	struct sheet *sheet = app_sheet(a);
	struct whatif_sets *t = a->whatif;
	const struct column *gain = sheet->changes->gain;
	bool sorted = sheet_sort_is(sheet, gain);

	if (!whatif_changes(a))
		return err_set(err, ERR_INPUT, "movers: no what-if is shown");
	if (!sorted) {
		t->order[a->view] = sheet->list.order.count > 0 ? sheet->picked : NULL;
		t->descending[a->view] = sheet->list.order.count > 0 &&
					 sheet->list.order.keys[0].descending;
		t->flat[a->view] = sheet->list.flat;
		t->moved[a->view] = true;
		sheet->list.flat = a->view == VIEW_ACCOUNTS;
	} else if (!sheet->list.order.keys[0].descending) {
		t->moved[a->view] = false;
		sheet->list.flat = t->flat[a->view];
		sheet_pick(sheet, t->order[a->view], t->descending[a->view]);
		app_say(a, ROLE_MESSAGE, "sorted as before");
		return true;
	}
	sheet_pick(sheet, gain, !sorted);
	list_move_to(&sheet->list, 0);
	app_say(a, ROLE_MESSAGE, "the largest %s is on top",
		a->view == VIEW_POLICY ? (sorted ? "fall" : "rise") : sorted ? "loss" : "gain");
	return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool act_wish(struct app *a, enum whatif_wish what, const struct words *words,
		     struct err *err)
{
	struct whatif_sets *t = a->whatif;

	if (words->count < 2)
		return err_set(err, ERR_INPUT, "%s: expected a file name", words->word[0]);
	if (strlen(words->word[1]) >= sizeof(t->path))
		return err_set(err, ERR_INPUT, "%s: the name is too long", words->word[0]);
	t->wish = what;
	snprintf(t->path, sizeof(t->path), "%s", words->word[1]);
	a->errand = ERRAND_EDITS;
	return true;
}

ACT(act_save_edits)
{
	if (whatif_edits(a)->cursor == 0)
		return err_set(err, ERR_INPUT, "save-edits: no edits");
	return act_wish(a, WHATIF_SAVE, words, err);
}

ACT(act_load_edits)
{
	return needs_picture(a, "load-edits", err) && act_wish(a, WHATIF_LOAD, words, err);
}

/* "export fairtop-20261103-090000.sh": Enter accepts it, or another name can be typed. */
static void propose_export(struct app *a)
{
	char text[80];

	file_stamp(a, "export fairtop", ".sh", text, sizeof(text));
	prompt_offer(&a->prompt, PROMPT_COMMAND, text, strlen("export "));
}

/* FILE [slurm|pbs|lsf] [inverse] */
ACT(act_export)
{
	struct whatif_sets *t = a->whatif;

	if (!needs_picture(a, "export", err) || !whatif_export_ready(a, err))
		return false;
	if (words->count == 1) {
		propose_export(a);
		return true;
	}
	for (size_t i = 2; i < words->count; i++) {
		const char *word = words->word[i];

		if (strcmp(word, "inverse") == 0)
			t->inverse = true;
		else if (strcmp(word, "slurm") == 0 || strcmp(word, "pbs") == 0 ||
			 strcmp(word, "lsf") == 0)
			snprintf(t->export_as, sizeof(t->export_as), "%s", word);
		else
			return err_set(err, ERR_INPUT,
				       "export '%s': expected slurm, pbs, lsf or inverse", word);
	}
	return act_wish(a, WHATIF_EXPORT, words, err);
}
