/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The panel of what-if: what each set of edits comes to, a slider for each weight, and the edits of
 * the set that is on the screen. It lies beside any view, so that turning a knob and seeing who
 * moves are one look.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "tui/panes/pane.h"
#include "tui/whatif/trial_knobs.h"

#define LABEL 10
#define NUMBERS 21	/* " 70.0%  4,294,967,293" */
#define WIDE 72		/* columns from which on the table names jobs */

/* ---- what the sets come to ------------------------------------------------------------------ */

static void grouped(double number, char *buf, size_t size)
{
	char digits[32];
	size_t n, used = 0;

	n = (size_t)snprintf(digits, sizeof digits, "%.0f", number);
	for (size_t i = 0; i < n && used + 2 < size; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			buf[used++] = ',';
		buf[used++] = digits[i];
	}
	buf[used] = '\0';
}

static bool is_used(const struct app *a, uint32_t set)
{
	const struct whatif *w = a->trial.sets[set];

	return set == a->trial.set || (w != NULL && w->count > 0);
}

static int used_sets(const struct app *a)
{
	int n = 0;

	for (uint32_t i = 0; i < WHATIF_SETS; i++)
		n += is_used(a, i);
	return n;
}

static void set_name(const struct app *a, uint32_t set, char *buf, size_t size)
{
	const struct whatif *w = a->trial.sets[set];

	bool named = w != NULL && w->name[0] != '\0';

	snprintf(buf, size, "%c%s%s", (char)('A' + set), named ? " " : "", named ? w->name : "");
}

/* One cell of the table; the columns end where the titles do. */
static const struct {
	const char *title;
	int end, wide;	/* last column of the cell in a narrow and in a wide table; 0: left out */
} cells[] = { { "edits", 15, 16 }, { "jobs move", 25, 26 }, { "gain", 31, 42 },
	      { "loss", 37, 58 },  { "heads", 43, 64 },	    { "Jain", 49, 70 },
	      { "Gini", 55, 76 } };
enum { C_EDITS, C_MOVED, C_GAIN, C_LOSS, C_HEADS, C_JAIN, C_GINI };

struct sums_table {
	struct canvas *c;
	int x, y, width;
};

static void cell(const struct sums_table *t, int column, enum role role, const char *text)
{
	int end = t->width >= cells[C_GINI].wide ? cells[column].wide : cells[column].end;
	int from = column > 0 ? (t->width >= cells[C_GINI].wide ? cells[column - 1].wide
								: cells[column - 1].end) + 1 : 10;

	if (end <= t->width)
		canvas_right(t->c, t->x + from, t->y, end - from, role, text);
}

static void number_cell(const struct sums_table *t, int column, double number)
{
	char text[40];

	grouped(number, text, sizeof text);
	cell(t, column, number > 0 ? ROLE_VALUE : ROLE_DIM, text);
}

static void place_cell(const struct sums_table *t, int column, double places, const char *job)
{
	const char *sign = column == C_GAIN ? (t->c->ascii ? "+" : "▲") : t->c->ascii ? "-" : "▼";
	char text[64];

	if (!(places > 0)) {
		cell(t, column, ROLE_DIM, "-");
		return;
	}
	if (t->width >= cells[C_GINI].wide)
		snprintf(text, sizeof text, "%s %s%.0f", job, sign, places);
	else
		snprintf(text, sizeof text, "%s%.0f", sign, places);
	cell(t, column, column == C_GAIN ? ROLE_UP : ROLE_DOWN, text);
}

static void index_cell(const struct sums_table *t, int column, double x, enum role role)
{
	char text[32] = "-";

	if (f64_known(x))
		snprintf(text, sizeof text, "%.3f", x);
	cell(t, column, role, text);
}

static void draw_set(const struct app *a, const struct sums_table *t, uint32_t set)
{
	const struct whatif *w = a->trial.sets[set];
	const struct trial_sum *s = &a->trial.sums[set];
	bool current = set == a->trial.set;
	char name[80];

	set_name(a, set, name, sizeof name);
	canvas_name(t->c, t->x, t->y, 11, current ? ROLE_ACCENT : ROLE_LABEL, name);
	number_cell(t, C_EDITS, w != NULL ? whatif_active(w) : 0);
	if (!s->known)
		return;
	number_cell(t, C_MOVED, s->moved);
	place_cell(t, C_GAIN, s->gain, s->gain_job);
	place_cell(t, C_LOSS, s->loss, s->loss_job);
	number_cell(t, C_HEADS, s->heads);
	index_cell(t, C_JAIN, s->is.jain, ROLE_VALUE);
	index_cell(t, C_GINI, s->is.gini, ROLE_VALUE);
}

/*
 * Title line, the base, a line per set; returns the lines used. In little ROOM a knob has to be
 * seen, too, and sets that are not on the screen are left out.
 */
static int draw_sums(const struct app *a, struct canvas *c, struct area at)
{
	int x = at.x, y = at.y, width = at.width, others = at.height - 4;
	struct sums_table t = { c, x, y, width };

	canvas_put(c, x, y, 10, ROLE_LABEL, "set");
	for (int i = 0; i <= C_GINI; i++)
		cell(&t, i, ROLE_LABEL, cells[i].title);
	t.y++;
	canvas_put(c, x, t.y, 10, ROLE_LABEL, "base");
	if (a->trial.sums[a->trial.set].known || trial_versus(a) != NULL) {
		index_cell(&t, C_JAIN, a->trial.was.jain, ROLE_DIM);
		index_cell(&t, C_GINI, a->trial.was.gini, ROLE_DIM);
	}
	for (uint32_t i = 0; i < WHATIF_SETS; i++) {
		if (!is_used(a, i) || (i != a->trial.set && others-- <= 0))
			continue;
		t.y++;
		draw_set(a, &t, i);
	}
	return t.y + 1 - y;
}

/* ---- sliders --------------------------------------------------------------------------------- */

static void draw_knob(const struct knobs *k, size_t i, struct canvas *c, int x, int y, int width)
{
	const struct knob *knob = &k->at[i];
	int bar = width - LABEL - 1 - NUMBERS, filled, was;
	double part = k->sum > 0 ? knob->now / k->sum : 0;
	double base = k->base_sum > 0 ? knob->base / k->base_sum : 0;
	bool changed = knob->now < knob->base || knob->now > knob->base;
	char text[40];

	canvas_name(c, x, y, LABEL - 1, changed ? ROLE_CHANGED : ROLE_LABEL, knob->label);
	filled = (int)lround(part * bar);
	was = (int)lround(base * bar);
	for (int at = 0; at < bar; at++)
		canvas_glyph_put(c, x + LABEL + at, y, at < filled ? ROLE_CHART : ROLE_DIM,
				 at < filled ? GLYPH_BAR : GLYPH_EMPTY);
	/* Where it was. */
	if (changed)
		canvas_glyph_put(c, x + LABEL + (was < bar ? was : bar - 1), y, ROLE_CHART_POINT,
				 GLYPH_AXIS);
	canvas_putf(c, x + LABEL + bar, y, 7, ROLE_VALUE, "%5.1f%%", 100 * part);
	grouped(knob->now, text, sizeof text);
	canvas_right(c, x + LABEL + bar + 7, y, NUMBERS - 8, changed ? ROLE_CHANGED : ROLE_VALUE,
		     text);
	if (changed)
		canvas_glyph_put(c, x + LABEL + bar + NUMBERS - 1, y, ROLE_CHANGED,
				 knob->now > knob->base ? GLYPH_ASCENDING : GLYPH_DESCENDING);
}

/* ---- edits ----------------------------------------------------------------------------------- */

static void draw_edit(const struct whatif *w, uint32_t i, struct canvas *c, int x, int y, int width)
{
	const struct whatif_entry *e = &w->entries[i];
	bool undone = i >= w->cursor;
	enum role role = undone || e->off ? ROLE_DIM : e->problem[0] ? ROLE_WARN : ROLE_VALUE;
	char text[512];
	int used;

	canvas_put(c, x, y, 3, role == ROLE_VALUE ? ROLE_KEY : role,
		   undone ? " u " : e->off ? "[ ]" : e->problem[0] ? "[!]" : "[x]");
	edit_text(&e->edit, text, sizeof text);
	used = canvas_name(c, x + 4, y, width - 4, role, text) + 5;
	if (undone)
		canvas_name(c, x + used, y, width - used, ROLE_DIM, "undone");
	else if (e->problem[0])
		canvas_name(c, x + used, y, width - used, ROLE_WARN, e->problem);
}

static void draw_no_edits(const struct app *a, struct canvas *c, struct area at)
{
	char key[32], text[120];
	const char *const lines[] = { text, "shares:/physics = 60", "weight.fairshare = 70%" };

	keymap_titles(&a->keymap, a->view, "edit", c->ascii, 1, key, sizeof key);
	snprintf(text, sizeof text, "no edits; %s types one", key);
	for (int i = 0; i < at.height && i < (int)(sizeof lines / sizeof lines[0]); i++)
		canvas_name(c, at.x, at.y + i, at.width, i == 0 ? ROLE_HINT : ROLE_DIM, lines[i]);
}

/* ---- the panel ------------------------------------------------------------------------------- */

uint32_t trial_lines(const struct app *a)
{
	const struct whatif *w = trial_edits_get(a);
	struct knobs k;

	knobs_of(a, &k);
	return (uint32_t)k.count + (w != NULL ? whatif_listed(w) : 0);
}

int whatif_height(const struct app *a)
{
	struct knobs k;

	knobs_of(a, &k);
	return 4 + used_sets(a) + (k.count > 5 ? (int)k.count : 5);
}

static void pick_ground(const struct app *a, struct canvas *c, uint32_t line, int x, int y,
			int width)
{
	if (a->pane.focus && a->pane.pick == line)
		canvas_ground(c, x, y, width, GROUND_PICK);
}

/* First of COUNT lines that makes PICK visible in ROOM lines. */
static uint32_t window(uint32_t pick, uint32_t count, int room)
{
	uint32_t rows = room > 0 ? (uint32_t)room : 1;

	if (count <= rows || pick < rows)
		return 0;
	return pick >= count ? count - rows : pick - rows + 1;
}

static void draw_knobs(struct app *a, const struct knobs *k, struct canvas *c, struct area at)
{
	uint32_t first = window(a->pane.pick < k->count ? a->pane.pick : 0, (uint32_t)k->count,
				at.height);

	for (int i = 0; i < at.height && first + (uint32_t)i < k->count; i++) {
		draw_knob(k, first + (uint32_t)i, c, at.x, at.y + i, at.width);
		pick_ground(a, c, first + (uint32_t)i, at.x, at.y + i, at.width);
	}
	a->trial.knobs_at = (struct trial_place){ at.x + LABEL, at.y,
						  at.width - LABEL - 1 - NUMBERS, first };
	if (k->count == 0 && at.height > 0)
		canvas_name(c, at.x, at.y, at.width, ROLE_HINT,
			    "this scheduler has no weights to turn");
}

static void draw_edits(struct app *a, uint32_t knobs, struct canvas *c, struct area at)
{
	const struct whatif *w = trial_edits_get(a);
	uint32_t count = w != NULL ? whatif_listed(w) : 0, first;

	first = window(a->pane.pick >= knobs ? a->pane.pick - knobs : count, count, at.height);
	if (count == 0)
		draw_no_edits(a, c, at);
	for (int i = 0; i < at.height && first + (uint32_t)i < count; i++) {
		draw_edit(w, whatif_listed_at(w, first + (uint32_t)i), c, at.x, at.y + i, at.width);
		pick_ground(a, c, knobs + first + (uint32_t)i, at.x, at.y + i, at.width);
	}
	a->trial.edits_at = (struct trial_place){ at.x, at.y, at.width, knobs + first };
}

void whatif_draw(struct app *a, struct canvas *c, struct area area)
{
	int x = area.x + 2, width = area.width - 4, y = area.y + 1, left, room;
	int bottom = area.y + area.height - 1;
	struct knobs k;

	knobs_of(a, &k);
	pane_move(a, 0);
	y += draw_sums(a, c, (struct area){ x, y, width, bottom - y });
	if (area.height > area.width / 3 && width < WIDE) {
		/* Tall: one below the other. */
		y++;
		room = (int)k.count > 0 ? (int)k.count : 1;
		room = room < bottom - y ? room : bottom - y;
		draw_knobs(a, &k, c, (struct area){ x, y, width, room });
		y += room + 1;
		draw_edits(a, (uint32_t)k.count, c, (struct area){ x, y, width, bottom - y });
		return;
	}
	left = width / 2 + 4 < 60 ? width / 2 + 4 : 60;
	draw_knobs(a, &k, c, (struct area){ x, y, left, bottom - y });
	draw_edits(a, (uint32_t)k.count, c,
		   (struct area){ x + left + 2, y, width - left - 2, bottom - y });
}

void whatif_title(const struct app *a, char *buf, size_t size)
{
	char name[80];

	set_name(a, a->trial.set, name, sizeof name);
	snprintf(buf, size, "What-if %.*s%s", (int)strlen(name), name,
		 a->trial.flipped ? " (the base is shown)" : "");
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* What the picked line is, for the line above the hints. */
bool trial_legend(const struct app *a, char *buf, size_t size)
{
	const struct whatif *w = trial_edits_get(a);
	struct knobs k;
	uint32_t pick = a->pane.pick;
	const struct whatif_entry *e;

	if (a->pane.kind != PANE_WHATIF || !a->pane.focus)
		return false;
	knobs_of(a, &k);
	if (pick < k.count) {
		snprintf(buf, size, "%s: %g, in the base %g; steps of %g", k.at[pick].target,
			 k.at[pick].now, k.at[pick].base, k.step);
		return true;
	}
	pick = w != NULL ? whatif_listed_at(w, pick - (uint32_t)k.count) : ROW_NONE;
	if (pick == ROW_NONE)
		return false;
	e = &w->entries[pick];
	if (e->problem[0])
		snprintf(buf, size, "%s", e->problem);
	else if (!knobs_are_slurms(a))
		snprintf(buf, size, "%s", e->edit.target->meaning);
	else
		snprintf(buf, size, "%s; %s %s", e->edit.target->meaning,
			 e->edit.target->slurm == EDIT_NEVER && e->edit.target->why != NULL ?
				 e->edit.target->why : edit_export_name(e->edit.target->slurm),
			 e->edit.target->slurm == EDIT_NEVER ? "" :
				 edit_effect_name(e->edit.target->effect));
	return true;
}

const struct trial_key trial_keys[] = {
	{ "fold", "unfold", "turn", "turn the picked weight by a step" },
	{ "column-left", "column-right", "x10", "turn it by ten steps" },
	{ "details", NULL, "type", "type the picked weight or edit anew" },
	{ "mark", NULL, "on/off", "take the picked edit out of force, or in again" },
	{ "edit", NULL, "new edit", "type one more edit" },
	{ "undo", "redo", "undo redo", "take the last edit back, or make it again" },
	{ "base", NULL, "base", "show the base, or the what-if again" },
	{ "movers", NULL, "who moves", "sort by who gains most, by who loses most" },
	{ "next-pane", NULL, "rows", "go to the rows beside the panel, and back" },
	{ "next-set", NULL, "set", "go to the next of four sets of edits" },
	{ "beside", NULL, "beside", "show what the other sets do to each row, too" },
	{ "export", NULL, "export", "write the commands that would make it so" },
	{ "what-if", NULL, "close", "close the panel; the edits stay in force" },
};
const size_t trial_keys_count = sizeof trial_keys / sizeof trial_keys[0];

void trial_key_titles(const struct app *a, const struct trial_key *key, bool ascii, char *buf,
		      size_t size)
{
	char second[20] = "";
	size_t used;

	keymap_titles(&a->keymap, a->view, key->command, ascii, 1, buf, size);
	used = strlen(buf);
	if (key->second != NULL)
		keymap_titles(&a->keymap, a->view, key->second, ascii, 1, second, sizeof second);
	if (second[0] != '\0')
		snprintf(buf + used, size - used, "%s%s", used > 0 ? " " : "", second);
}
