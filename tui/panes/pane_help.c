/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The help: the letters, with their values in the row under the cursor, and ten keys; then all
 * keys, from the commands table and their present bindings.
 */
#include "tui/panes/pane.h"

#include <math.h>
#include <string.h>

#include "core/base/format.h"
#include "tui/panes/pane_whatif.h"
#include "tui/rows/views.h"

#define LETTERS 10		/* these and the keys fit on a page */
#define LEGEND_AT 17		/* column of a letter's meaning */

/* ---- the first page -------------------------------------------------------------------------- */

/* The row under the cursor; for the root, which has few letters, the first row that has them. */
static uint32_t help_row(const struct app *a)
{
	const struct list *l = &app_sheet_get(a)->list;
	uint32_t row = list_row(l);
	const double *k = row == 0 && a->view == VIEW_ACCOUNTS ? a->picture->model->fs->k : NULL;

	for (size_t i = 0; k && i < l->count; i++) {
		if ((l->items[i].flags & (ITEM_GHOST | ITEM_USERS)) == 0 &&
		    f64_known(k[l->items[i].row]))
			return l->items[i].row;
	}
	return row;
}

static void help_letter(const struct app *a, struct doc *d, const struct column *column,
			uint32_t row)
{
	const struct list *l = &app_sheet_get(a)->list;
	struct value v = { .kind = VALUE_UNKNOWN };
	char cell[16] = "";

	if (row != ROW_NONE && !column->left) {
		column_get(column, l->now.view.context, row, &v);
		sheet_cell_brief(column, &v, 8, d->ascii, cell, sizeof(cell));
	}
	doc_begin(d, ROLE_KEY, column->title);
	doc_right(d, ROLE_NUMBER, LEGEND_AT - 2, cell);
	doc_wrap_at(d, ROLE_TEXT, LEGEND_AT, column->legend);
}

/* The relation of R and k, in numbers if ROW has them. */
static void help_formula(const struct app *a, struct doc *d, uint32_t row)
{
	const struct fs_result *fs = a->picture->model->fs;
	double ratio = row != ROW_NONE && row != 0 ? fs_ratio(fs, row) : F64_UNKNOWN, above;
	const char *formula = "R = R above x r_l ^ k";

	if (a->picture->model->algo->id != FS_DEPTH_OBLIVIOUS)
		return;
	above = isfinite(ratio) ? fs_ratio(fs, cluster_parent(a->picture->cluster)[row]) : ratio;
	doc_line(d);
	doc_tab(d, LEGEND_AT);
	if (isfinite(ratio) && f64_known(fs->k[row]))
		doc_putf(d, ROLE_FORMULA, "%s = %.3f x %.3f ^ %.4g", formula, above,
			 fs->local_ratio[row], fs->k[row]);
	else
		doc_put(d, ROLE_FORMULA, !isfinite(ratio) ? formula :
			ratio == fs->usage_ratio[row] ? "R = r: only the root is above it" :
			ratio == above ? "R = R above: its shares are parent" :
			formula);
}

/* Columns with self-explanatory titles are not letters. */
static bool help_is_letter(const struct app *a, const struct column *column)
{
	static const char *const words[] = { "shares", "usage", "running", "pending", "burn" };

	if (!(column->only & 1u << a->picture->model->algo->id) || column->left)
		return false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(column->name, words[i]) == 0)
			return false;
	}
	return true;
}

/* For accounts all letters of the algorithm; for other views the columns shown. */
static void help_letters(const struct app *a, struct doc *d)
{
	const struct sheet *t = app_sheet_get(a);
	uint32_t row = help_row(a);

	doc_title(d, row != ROW_NONE ? app_row_name(a, row) : "Columns");
	for (size_t i = 1, n = 0; a->view != VIEW_ACCOUNTS && i < t->count && n < LETTERS; i++, n++)
		help_letter(a, d, t->columns[i], row);
	if (a->view != VIEW_ACCOUNTS || !a->picture)
		return;
	for (size_t i = 0; i < t->all_count; i++) {
		if (!help_is_letter(a, &t->all[i]))
			continue;
		help_letter(a, d, &t->all[i], row);
		if (strcmp(t->all[i].name, "effective_ratio") == 0)
			help_formula(a, d, row);
	}
	help_letter(a, d, &quota_column, row);
}

/* The command that explains a row of the open view. */
static const char *help_explaining(const struct app *a)
{
	const struct command *c = a->keymap.commands;

	while (c->name && !(c->hint && strcmp(c->hint, "explain") == 0 &&
			    command_is_of(c, a->view)))
		c++;
	return c->name ? c->name : "";
}

static void help_ten_keys(const struct app *a, struct doc *d)
{
	const struct pane_key ten[] = {
		{ "down", "up", "move down or up", NULL },
		{ "details", NULL, "the row's summary", NULL },
		{ "unfold", "fold", "unfold, fold", NULL },
		{ help_explaining(a), NULL, "how its numbers are computed", NULL },
		{ "search", NULL, "find a name", NULL },
		{ "what-if", NULL, "what if a weight changes", NULL },
		{ "filter", NULL, "show only what matches", NULL },
		{ "column-right", NULL, "a column's meaning", NULL },
		{ "palette", NULL, "command palette", NULL },
		{ "back", "quit", "back; quit", NULL },
	};
	char keys[64];

	doc_line(d);
	for (size_t i = 0, shown = 0; i < sizeof(ten) / sizeof(ten[0]); i++) {
		pane_key_titles(a, &ten[i], d->ascii, keys, sizeof(keys));
		if (keys[0] == '\0')
			continue;
		if (shown % 2 == 0)
			doc_line(d);
		else
			doc_tab(d, 38);
		doc_put(d, ROLE_KEY, keys);
		doc_put_at(d, ROLE_HINT, shown++ % 2 == 0 ? 9 : 48, ten[i].word);
	}
}

/* ---- all keys -------------------------------------------------------------------------------- */

static void help_command(const struct app *a, struct doc *d, const struct command *command)
{
	char keys[64];

	keymap_titles(&a->keymap, a->view, command->name, d->ascii, 4, keys, sizeof(keys));
	doc_begin(d, ROLE_KEY, keys);
	doc_put_at(d, ROLE_TEXT, 13, command->name);
	if (command->arguments[0] != '\0')
		doc_putf(d, ROLE_DIM, " %s", command->arguments);
	doc_wrap_at(d, ROLE_HINT, 36, command->help);
}

void pane_key_titles(const struct app *a, const struct pane_key *key, bool ascii, char *buf,
		     size_t size)
{
	char second[20] = "";

	keymap_titles(&a->keymap, a->view, key->command, ascii, 1, buf, size);
	if (key->second)
		keymap_titles(&a->keymap, a->view, key->second, ascii, 1, second, sizeof(second));
	if (second[0] != '\0')
		format_append(buf, size, "%s%s", buf[0] != '\0' ? " " : "", second);
}

/* What keys do while the panel of what-if has the focus. */
static void help_panel(const struct app *a, struct doc *d)
{
	doc_title(d, "In the what-if panel");
	for (const struct pane_key *key = whatif_pane.keys; key->command; key++) {
		char keys[64];

		pane_key_titles(a, key, d->ascii, keys, sizeof(keys));
		doc_begin(d, ROLE_KEY, keys);
		doc_put_at(d, ROLE_TEXT, 14, key->word);
		doc_wrap_at(d, ROLE_HINT, 36, key->help);
	}
}

static bool has_section(const struct app *a, enum command_section section)
{
	const struct command *c = a->keymap.commands;

	while (c->name && !(c->section == section && command_is_of(c, a->view)))
		c++;
	return c->name != NULL;
}

static void help_doc(const struct app *a, struct doc *d)
{
	if (!a->overview) {
		help_letters(a, d);
		help_ten_keys(a, d);
	}
	for (int section = 0; section < SECTION_COUNT; section++) {
		if (!has_section(a, (enum command_section)section))
			continue;
		doc_title(d, section_titles[section]);
		for (const struct command *c = a->keymap.commands; c->name; c++) {
			/* Commands only for other views are left out; those views list them. */
			if (c->section == (enum command_section)section &&
			    command_is_of(c, a->view))
				help_command(a, d, c);
		}
		if (section == SECTION_WHATIF && !a->overview)
			help_panel(a, d);
	}
	doc_title(d, "Every command can be typed after : and bound to any key");
	doc_begin(d, ROLE_HINT, "Help in other views lists the commands of those views.");
	doc_begin(d, ROLE_FORMULA, "bind accounts J mark");
	doc_wrap_at(d, ROLE_HINT, 36, "put this line in fairtop.conf to keep it");
}

const struct pane_ops help_pane = {
	.title = "Help", .width = 100, .lines = 1000, .doc = help_doc,
	.keys = (const struct pane_key[]){
		{ "down", "up", "scroll", NULL }, { "page-down", "page-up", "page", NULL },
		{ "search", NULL, "find", NULL }, { .word = NULL },
	},
};
