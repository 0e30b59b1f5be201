/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/settings.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tui/acts/act.h"
#include "tui/acts/settings_table.h"
#include "tui/base/new_file.h"
#include "tui/panes/chart.h"
#include "tui/panes/pane.h"
#include "tui/panes/pane_alarms.h"
#include "tui/rows/overview.h"
#include "tui/rows/state.h"
#include "tui/whatif/whatif_sets.h"

#define FIRST_LINE "# Written by fairtop: delete this line to keep fairtop from writing it again.\n"

struct settings_out {
	struct sink sink;
	struct err *err;
	bool ok;
	bool lasting;			/* omits changes by the command line's options */
};

static void settings_put(struct settings_out *o, const char *text, size_t length)
{
	if (o->ok && length > 0)
		o->ok = o->sink.write(o->sink.context, text, length, o->err);
}

static void settings_line(struct settings_out *o, const char *format, ...) ERR_PRINTF(2, 3);
static void settings_line(struct settings_out *o, const char *format, ...)
{
	char text[2 * SCRIPT_LINE];
	va_list args;

	va_start(args, format);
	if (vsnprintf(text, sizeof(text), format, args) > 0)
		settings_put(o, text, strlen(text));
	va_end(args);
}

/* ---- writing settings ---------------------------------------------------------------------- */

/* MEANINGS: each with a comment on its meaning and values. */
static void write_settings(const struct app *a, bool meanings, struct settings_out *o)
{
	char value[SCRIPT_LINE];
	size_t alarms = 0;

	for (size_t i = 0; i < settings_count; i++) {
		const struct setting *s = &settings_table[i];

		if (meanings)
			settings_line(o, "%s# %s", i > 0 ? "\n" : "", s->meaning);
		for (size_t w = 0; meanings && s->word && s->word(w); w++)
			settings_line(o, "%s%s", w > 0 ? ", " : ": ", s->word(w));
		s->get(a, value, sizeof(value));
		settings_line(o, "%sset %s %s\n", meanings ? "\n" : "", s->name, value);
	}
	for (; alarms_rule(a, alarms, value, sizeof(value)); alarms++)
		settings_line(o, "%salarm %s\n", meanings && alarms == 0 ?
			      "\n# alarms that ring, and until when\n" : "", value);
}

/*
 * Writes what differs from the theme; or ALL, with meanings: as comments if equal to the theme, so
 * that another theme can take effect.
 */
static void write_colors(const struct app *a, bool all, struct settings_out *o)
{
	char is[SCRIPT_LINE], was[SCRIPT_LINE];
	const char *meaning;
	struct theme usual;

	if (!theme_load(&usual, a->theme.name, a->dir[0] != '\0' ? a->dir : NULL, NULL))
		return;
	for (size_t i = 0; theme_spell(&a->theme, i, &meaning, is, sizeof(is)); i++) {
		bool own = theme_spell(&usual, i, &meaning, was, sizeof(was)) &&
			   strcmp(is, was) != 0;

		if (all)
			settings_line(o, "\n# %s\n", meaning);
		if (all || own)
			settings_line(o, "%s%s\n", own ? "" : "# ", is);
	}
}

static void write_order(const struct sheet *sheet, struct settings_out *o)
{
	const struct row_order *order = &sheet->list.order;

	if (order->count == 0 && sheet->ordered) {
		settings_line(o, "sort none\n");
	} else if (order->count == 1 && sheet->ordered && sheet->picked) {
		settings_line(o, "sort %s%s\n", order->keys[0].descending ? "-" : "+",
			      sheet->picked->name);
	} else if (order->count > 1) {
		settings_line(o, "sort ");
		for (size_t i = 0; i < order->count; i++)
			settings_line(o, "%s%s%s", i > 0 ? "," : "",
				      order->keys[i].descending ? "-" : "+",
				      order->keys[i].column->name);
		settings_line(o, "\n");
	}
	if (sheet->list.flat)
		settings_line(o, "flat\n");
}

/* The parts of the views that are written. */
enum settings_part {
	PART_LOOK	= 1 << LOOK_COLUMNS | 1 << LOOK_ORDER,	/* for any source */
	PART_FILTER	= 1 << LOOK_FILTER,
	PART_PLACE	= 1 << LOOK_PARTS,	/* folds by name, and the open box */
	PART_OWN	= PART_PLACE << 1	/* of the views that can be opened alone */
};

/* Columns of changes exist only while there is a what-if, so they are not written. */
static void write_list(const char *command, const struct column *const *columns, size_t count,
		       struct settings_out *o)
{
	for (size_t i = 0; i < count; i++) {
		if (columns[i]->of)
			continue;
		settings_line(o, "%s%s", command, columns[i]->name);
		command = ",";
	}
	if (command[0] == ',')
		settings_line(o, "\n");
}

/* Writes all columns, and then again those the user asked for, which are dropped last. */
static void write_columns(const struct sheet *sheet, struct settings_out *o)
{
	if (sheet->wish[0] != '\0')
		settings_line(o, "columns %s\n", sheet->wish);
	if (!sheet->chosen)
		return;
	write_list("columns ", sheet->columns, sheet->count, o);
	write_list("columns +", sheet->asked, sheet->asked_count, o);
}

/* Writes folds by name: row numbers change. */
static void write_folds(const struct app *a, int view, struct settings_out *o)
{
	const struct list *l = &a->sheets[view].list;
	char name[SCRIPT_LINE / 2], quoted[SCRIPT_LINE];

	if (!(view == VIEW_ACCOUNTS || view == VIEW_JOBS) || !l->by_hand || !a->picture)
		return;
	settings_line(o, "fold-depth %u\n", l->fold_depth < 1000 ? l->fold_depth : 1000);
	for (uint32_t row = 0; row < l->now.view.rows; row++) {
		if (!list_toggled(l, row))
			continue;
		if (view == VIEW_JOBS)
			snprintf(name, sizeof(name), "job:%u", queue_array(a->picture->queue, row));
		else if (cluster_path(a->picture->cluster, row, name, sizeof(name)) >= sizeof(name))
			continue;
		app_quote(quoted, sizeof(quoted), name);
		settings_line(o, "%s %s\n", list_folded(l, row) ? "fold" : "unfold", quoted);
	}
}

static struct bytes look_of(const struct app *a, int view, int part)
{
	const struct sheet *sheet = &a->sheets[view];
	struct bytes text = { 0 };
	struct settings_out o = { .sink = bytes_sink(&text), .ok = true };

	if (part == LOOK_COLUMNS)
		write_columns(sheet, &o);
	else if (part == LOOK_FILTER && a->filter_text[view][0] != '\0')
		settings_line(&o, "filter %s\n", a->filter_text[view]);
	else if (part == LOOK_ORDER && (!sheet->picked || !sheet->picked->of))
		write_order(sheet, &o);
	return text;
}

static bool settings_is_made(const struct app *a, int view, int part, const struct bytes *text)
{
	const struct bytes *made = &a->made.looks[view * LOOK_PARTS + part];

	return text->length == made->length &&
	       (text->length == 0 || memcmp(text->data, made->data, text->length) == 0);
}

static void write_view(const struct app *a, int view, unsigned parts, struct settings_out *o)
{
	for (int part = 0; part < LOOK_PARTS; part++) {
		struct bytes text = look_of(a, view, part);
		const struct bytes *is = &text;

		if (o->lasting && settings_is_made(a, view, part, &text))
			is = &a->kept.looks[view * LOOK_PARTS + part];
		if (parts & 1U << part)
			settings_put(o, is->data, is->length);
		bytes_free(&text);
	}
	if (parts & PART_PLACE)
		write_folds(a, view, o);
}

/* Writes each view that differs from the defaults, and then which one to open. */
static void write_views(const struct app *a, enum view_id open, unsigned parts,
			struct settings_out *o)
{
	enum view_id last = VIEW_COUNT;

	for (int view = 0; view < VIEW_COUNT; view++) {
		bool other = (view == VIEW_CLUSTERS) != (a->overview != NULL);
		struct bytes text = { 0 };
		struct settings_out own = { .sink = bytes_sink(&text),
					    .ok = true,
					    .lasting = o->lasting };

		if (!(other && parts & PART_OWN))
			write_view(a, view, parts, &own);
		if (text.length > 0) {
			settings_line(o, "%s\n", view_names[view]);
			settings_put(o, text.data, text.length);
			last = (enum view_id)view;
		}
		bytes_free(&text);
	}
	if (last != open)
		settings_line(o, "%s\n", view_names[open]);
}

static void write_account(const struct app *a, struct settings_out *o)
{
	char account[2 * FLEET_NAME + 3];

	if (!a->overview || a->overview->account[0] == '\0')
		return;
	app_quote(account, sizeof(account), a->overview->account);
	settings_line(o, "account %s\n", account);
}

/* Writes the pane beside the rows; boxes over them are temporary. */
static void write_pane(const struct app *a, struct settings_out *o)
{
	static const struct {
		const struct pane_ops *ops;
		const char *command;
	} panes[] = {
		{ &detail_pane, "details" }, { &steps_pane, "explain" }, { &chart_pane, "history" },
	};

	for (size_t i = 0; i < sizeof(panes) / sizeof(panes[0]); i++) {
		if (a->pane.ops == panes[i].ops)
			settings_line(o, "%s\n", panes[i].command);
	}
}

/* Writes keys that differ from the defaults; or ALL, with what they do. */
static void write_bindings(const struct app *a, bool all, struct settings_out *o)
{
	struct keymap defaults;
	char key[KEY_NAME_MAX];

	keymap_init(&defaults, a->keymap.commands);
	for (size_t i = 0; i < a->keymap.count; i++) {
		const struct binding *b = &a->keymap.bindings[i];
		const struct binding *was = i < defaults.count ? &defaults.bindings[i] : NULL;
		const struct command *command = NULL;

		if (!all && was && was->key == b->key && was->context == b->context &&
		    strcmp(was->line, b->line) == 0)
			continue;
		if (all && (command = command_find(a->keymap.commands, b->line, NULL)))
			settings_line(o, "\n# %s\n", command->help);
		key_spell(b->key, key);
		/* A key that is a quote or begins a comment needs quotes. */
		const char *quote = strpbrk(key, "'")	  ? "\""
				    : strpbrk(key, "\"#") ? "'"
								  : "";
		settings_line(o, "%s %s %s%s%s%s%s\n", b->line[0] != '\0' ? "bind" : "unbind",
			      view_names[b->context], quote, key, quote,
			      b->line[0] != '\0' ? " " : "", b->line);
	}
	keymap_free(&defaults);
}

/* The clusters of the overview. */
static void write_clusters(const struct app *a, struct settings_out *o)
{
	char name[2 * sizeof(a->clusters->name) + 3], source[2 * sizeof(a->clusters->source) + 3];

	for (size_t i = 0; i < a->cluster_count; i++) {
		app_quote(name, sizeof(name), a->clusters[i].name);
		app_quote(source, sizeof(source), a->clusters[i].source);
		settings_line(o, "cluster %s %s\n", name, source);
	}
}

bool settings_write(const struct app *a, struct sink sink, struct err *err)
{
	struct settings_out o = { .sink = sink, .err = err, .ok = true };

	settings_line(&o, FIRST_LINE);
	write_settings(a, false, &o);
	write_clusters(a, &o);
	write_colors(a, false, &o);
	write_views(a, VIEW_ACCOUNTS, PART_LOOK | PART_FILTER, &o);
	write_bindings(a, false, &o);
	return o.ok;
}

bool settings_print(const struct app *a, bool own_words, struct sink sink, struct err *err)
{
	struct settings_out o = { .sink = sink, .err = err, .ok = true };

	settings_line(&o,
		      "# The current settings of fairtop; these lines work in fairtop.conf.\n\n");
	write_settings(a, true, &o);
	if (own_words)
		write_clusters(a, &o);
	settings_line(&o, "\n# the look of each role; what the theme sets is a comment here\n");
	write_colors(a, true, &o);
	settings_line(&o, "\n# each view: its columns, order and filter\n");
	write_views(a, VIEW_ACCOUNTS, PART_LOOK | (own_words ? PART_FILTER : 0), &o);
	if (!own_words)
		return o.ok;
	settings_line(&o, "\n# the command of each key, everywhere (all) or in one view\n");
	write_bindings(a, true, &o);
	return o.ok;
}

/* ---- the file ------------------------------------------------------------------------------ */

/* Only files written by fairtop may be replaced, and never the target of a link. */
static bool may_replace(const char *path, struct err *err)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return errno == ENOENT || err_about(err, ERR_INPUT, path, "%s", strerror(errno));
	return new_file_is_ours(path, FIRST_LINE) ||
	       err_about(err, ERR_INPUT, path,
			 "not written by fairtop (write FILE names another)");
}

static bool write_layout(const struct app *a, bool lasting, struct sink sink, struct err *err)
{
	struct settings_out o = { .sink = sink, .err = err, .ok = true, .lasting = lasting };
	const char *theme = a->theme.name;
	enum view_id view = a->view;

	if (lasting && strcmp(theme, a->made.theme) == 0)
		theme = a->kept.theme;
	if (lasting && view == a->made.view)
		view = a->kept.view;
	settings_line(&o, FIRST_LINE);
	if (strcmp(a->usual_theme.name, theme) != 0)
		settings_line(&o, "set theme %s\n", theme);
	write_views(a, view, PART_LOOK | PART_OWN, &o);
	settings_line(&o, SETTINGS_OF_SOURCE "%s\n", a->source.name);
	write_views(a, view, PART_FILTER | PART_PLACE | PART_OWN, &o);
	write_account(a, &o);
	write_pane(a, &o);
	return o.ok;
}

/* Whether PATH is in the user's configuration directory. */
static bool settings_is_own(const struct app *a, const char *path)
{
	size_t length = strlen(a->dir);

	return length > 1 && strncmp(path, a->dir, length) == 0 && path[length] == '/' &&
	       !strchr(path + length + 1, '/');
}

bool settings_save(const struct app *a, const char *path, bool *made, struct err *err)
{
	bool own = settings_is_own(a, path), ok = may_replace(path, err);
	struct bytes b = { 0 };

	*made = own && access(a->dir, F_OK) != 0;
	ok = ok && settings_write(a, bytes_sink(&b), err) &&
	     (own ? new_file_keep(path, &b, err) :
	      new_file_write(path, &b, new_file_is_ours(path, FIRST_LINE), err));
	bytes_free(&b);
	return ok;
}

bool settings_keep(const struct app *a, const char *path, bool lasting, struct err *err)
{
	struct bytes b = { 0 };
	bool ok = may_replace(path, err) && write_layout(a, lasting, bytes_sink(&b), err) &&
		  new_file_keep(path, &b, err);

	bytes_free(&b);
	return ok;
}

bool settings_forget(const char *path, struct err *err)
{
	if (access(path, F_OK) != 0)
		return true;
	if (!new_file_is_ours(path, FIRST_LINE))
		return err_about(err, ERR_INPUT, path, "not written by fairtop: kept");
	return unlink(path) == 0 || err_about(err, ERR_INPUT, path, "%s", strerror(errno));
}

/* ---- options of the command line ----------------------------------------------------------- */

void layout_mark(const struct app *a, struct layout_mark *mark)
{
	layout_mark_free(mark);
	for (int i = 0; i < VIEW_COUNT * LOOK_PARTS; i++)
		mark->looks[i] = look_of(a, i / LOOK_PARTS, i % LOOK_PARTS);
	mark->view = a->view;
	memcpy(mark->theme, a->theme.name, sizeof(mark->theme));
}

void layout_mark_free(struct layout_mark *mark)
{
	for (int i = 0; i < VIEW_COUNT * LOOK_PARTS; i++)
		bytes_free(&mark->looks[i]);
	*mark = (struct layout_mark){ .view = VIEW_COUNT };
}

void layout_columns_granted(struct app *a)
{
	struct bytes *made = &a->made.looks[VIEW_ACCOUNTS * LOOK_PARTS + LOOK_COLUMNS];

	bytes_free(made);
	*made = look_of(a, VIEW_ACCOUNTS, LOOK_COLUMNS);
}
