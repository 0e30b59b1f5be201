/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The panel of what-if: the result of each set of edits, a slider for each weight, and the edits of
 * the set on the screen. It is beside any view, so that changing a setting and seeing who moves is
 * one look.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "tui/cells/choice.h"
#include "tui/panes/pane_whatif.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"
#include "tui/whatif/sliders.h"

#define LABEL 10
#define NUMBERS 21	/* " 70.0%  4,294,967,293" */
#define WIDE 72		/* columns from which the table names jobs */

/* ---- results of the sets -------------------------------------------------------------------- */

static void whatif_grouped(double number, char *buf, size_t size)
{
	char digits[32];
	size_t n, used = 0;

	n = (size_t)snprintf(digits, sizeof(digits), "%.0f", number);
	for (size_t i = 0; i < n && used + 2 < size; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			buf[used++] = ',';
		buf[used++] = digits[i];
	}
	buf[used] = '\0';
}

static bool whatif_is_used(const struct app *a, uint32_t set)
{
	const struct whatif *w = a->whatif->sets[set];

	return set == a->whatif->set || (w && w->count > 0);
}

static int used_sets(const struct app *a)
{
	int n = 0;

	for (uint32_t i = 0; i < WHATIF_SETS; i++)
		n += whatif_is_used(a, i);
	return n;
}

static void whatif_set_name(const struct app *a, uint32_t set, char *buf, size_t size)
{
	const struct whatif *w = a->whatif->sets[set];

	bool named = w && w->name[0] != '\0';

	snprintf(buf, size, "%c%s%s", (char)('A' + set), named ? " " : "", named ? w->name : "");
}

/* The cells of the table; columns end where their titles do. */
static const struct {
	const char *title;
	int end, wide;	/* last column in a narrow and in a wide table; 0: omitted */
} cells[] = { { "edits", 15, 16 }, { "jobs move", 25, 26 }, { "gain", 31, 42 },
	      { "loss", 37, 58 },  { "next", 43, 64 },	    { "Jain", 49, 70 },
	      { "Gini", 55, 76 } };
enum { C_EDITS, C_MOVED, C_GAIN, C_LOSS, C_HEADS, C_JAIN, C_GINI };

struct sums_table {
	struct canvas *c;
	int x, y, width;
};

static void pane_whatif_cell(const struct sums_table *t, int column, enum role role,
			     const char *text)
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

	if (!f64_known(number)) {
		pane_whatif_cell(t, column, ROLE_DIM, "-");
		return;
	}
	whatif_grouped(number, text, sizeof(text));
	pane_whatif_cell(t, column, number > 0 ? ROLE_VALUE : ROLE_DIM, text);
}

static void place_cell(const struct sums_table *t, int column, double places, const char *job)
{
	const char *sign = column == C_GAIN ? "+" : "-";
	char text[64];

	if (!(places > 0)) {
		pane_whatif_cell(t, column, ROLE_DIM, "-");
		return;
	}
	if (t->width >= cells[C_GINI].wide)
		snprintf(text, sizeof(text), "%s %s%.0f", job, sign, places);
	else
		snprintf(text, sizeof(text), "%s%.0f", sign, places);
	pane_whatif_cell(t, column, column == C_GAIN ? ROLE_UP : ROLE_DOWN, text);
}

static void index_cell(const struct sums_table *t, int column, double x, enum role role)
{
	char text[32] = "-";

	if (f64_known(x))
		snprintf(text, sizeof(text), "%.3f", x);
	pane_whatif_cell(t, column, role, text);
}

static void draw_set(const struct app *a, const struct sums_table *t, uint32_t set)
{
	const struct whatif *w = a->whatif->sets[set];
	const struct whatif_sum *s = &a->whatif->sums[set];
	bool current = set == a->whatif->set;
	char name[80];

	whatif_set_name(a, set, name, sizeof(name));
	canvas_name(t->c, t->x, t->y, 11, current ? ROLE_ACCENT : ROLE_LABEL, name);
	number_cell(t, C_EDITS, w ? whatif_active(w) : 0);
	if (!s->known)
		return;
	number_cell(t, C_MOVED, s->moved == U32_UNKNOWN ? F64_UNKNOWN : s->moved);
	place_cell(t, C_GAIN, s->gain, s->gain_job);
	place_cell(t, C_LOSS, s->loss, s->loss_job);
	number_cell(t, C_HEADS, s->heads == U32_UNKNOWN ? F64_UNKNOWN : s->heads);
	index_cell(t, C_JAIN, s->is.jain, ROLE_VALUE);
	index_cell(t, C_GINI, s->is.gini, ROLE_VALUE);
}

/*
 * Title line, the base, a line per set; returns the lines used. With little SPACE, sets that are
 * not on the screen are omitted, so that a slider fits.
 */
static int whatif_draw_sums(const struct app *a, struct canvas *c, struct area at)
{
	int x = at.x, y = at.y, width = at.width, others = at.height - 4;
	struct sums_table t = { c, x, y, width };

	canvas_put(c, x, y, 10, ROLE_LABEL, "set");
	for (int i = 0; i <= C_GINI; i++)
		pane_whatif_cell(&t, i, ROLE_LABEL, cells[i].title);
	t.y++;
	canvas_put(c, x, t.y, 10, ROLE_LABEL, "base");
	if (a->whatif->sums[a->whatif->set].known || whatif_changes(a)) {
		if (width >= 11 + 32)
			canvas_right(c, x + 11, t.y, 32, ROLE_LEGEND, "R all even: Jain 1, Gini 0");
		index_cell(&t, C_JAIN, a->whatif->was.jain, ROLE_DIM);
		index_cell(&t, C_GINI, a->whatif->was.gini, ROLE_DIM);
	}
	for (uint32_t i = 0; i < WHATIF_SETS; i++) {
		if (!whatif_is_used(a, i) || (i != a->whatif->set && others-- <= 0))
			continue;
		t.y++;
		draw_set(a, &t, i);
	}
	return t.y + 1 - y;
}

/* ---- sliders --------------------------------------------------------------------------------- */

static void draw_slider(const struct sliders *k, size_t i, struct canvas *c, int x, int y,
			int width)
{
	const struct slider *slider = &k->at[i];
	int bar = width - LABEL - 1 - NUMBERS, filled, was;
	double part = k->sum > 0 ? slider->now / k->sum : 0;
	double base = k->base_sum > 0 ? slider->base / k->base_sum : 0;
	bool changed = slider->now < slider->base || slider->now > slider->base;
	enum role role = changed ? ROLE_CHANGED : ROLE_VALUE;
	char text[40];
	int length, name;

	whatif_grouped(slider->now, text, sizeof(text));
	length = (int)strlen(text);
	/* If narrow, shows the whole number without the bar. */
	name = bar < 0 && width - 3 - length < LABEL - 1 ? width - 3 - length : LABEL - 1;
	canvas_name(c, x, y, name, changed ? ROLE_CHANGED : ROLE_LABEL, slider->label);
	canvas_put(c, x + width - 2 - length, y, length, role, text);
	if (changed)
		canvas_glyph_put(c, x + width - 2, y, role,
				 slider->now > slider->base ? GLYPH_ASCENDING : GLYPH_DESCENDING);
	if (bar < 0)
		return;
	filled = (int)lround(part * bar);
	was = (int)lround(base * bar);
	for (int at = 0; at < bar; at++)
		canvas_glyph_put(c, x + LABEL + at, y, at < filled ? ROLE_CHART : ROLE_DIM,
				 at < filled ? GLYPH_BAR : GLYPH_EMPTY);
	/* the former value */
	if (changed && bar > 0)
		canvas_glyph_put(c, x + LABEL + (was < bar ? was : bar - 1), y, ROLE_CHART_POINT,
				 GLYPH_AXIS);
	canvas_putf(c, x + LABEL + bar, y, 7, ROLE_VALUE, "%5.1f%%", 100 * part);
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
	edit_text(&e->edit, text, sizeof(text));
	used = canvas_name(c, x + 4, y, width - 4, role, text) + 5;
	if (undone)
		canvas_name(c, x + used, y, width - used, ROLE_DIM, "undone");
	else if (e->problem[0])
		canvas_name(c, x + used, y, width - used, ROLE_WARN, e->problem);
}

const struct whatif_example *whatif_example(const struct app *a)
{
	static const struct whatif_example examples[] = {
		[POLICY_OF_SLURM] = { "shares:/physics = 60", "weight.fairshare = 70%",
				      "weight.age = 1000, shares:/physics = 60; Tab completes" },
		[POLICY_OF_PBS] = { "shares:/physics = 60", "fairshare_decay_factor = 0.7",
				    "shares:/physics = 60; Tab completes" },
		[POLICY_OF_LSF] = { "shares:/normal/physics = 60", "RUN_JOB_FACTOR = 5",
				    "RUN_JOB_FACTOR = 5, shares:/normal/physics = 60; "
				    "Tab completes" },
	};

	return &examples[!a->picture ? POLICY_OF_SLURM :
			 policy_scheduler_of(cluster_meta(a->picture->cluster)->kind)];
}

static void draw_no_edits(const struct app *a, struct canvas *c, struct area at)
{
	const struct whatif_example *example = whatif_example(a);
	char key[32], text[120];
	const char *const lines[] = { text, example->shares, example->other };

	keymap_titles(&a->keymap, a->view, "edit", c->ascii, 1, key, sizeof(key));
	snprintf(text, sizeof(text), "no edits; %s types one", key);
	for (int i = 0; i < at.height && i < (int)(sizeof(lines) / sizeof(lines[0])); i++)
		canvas_name(c, at.x, at.y + i, at.width, i == 0 ? ROLE_HINT : ROLE_DIM, lines[i]);
}

/* ---- the panel ------------------------------------------------------------------------------- */

static uint32_t whatif_count_lines(const struct app *a)
{
	const struct whatif *w = whatif_edits_get(a);
	struct sliders k;

	sliders_of(a, &k);
	return (uint32_t)k.count + (w ? whatif_listed(w) : 0);
}

static int whatif_height(const struct app *a)
{
	struct sliders k;

	sliders_of(a, &k);
	return 4 + used_sets(a) + (k.count > 5 ? (int)k.count : 5);
}

/* The picked line among those from FIRST on, while the panel has the focus. */
static uint32_t picked_line(const struct app *a, uint32_t first)
{
	return a->pane.focus && a->pane.pick >= first ? a->pane.pick - first : CHOICE_NONE;
}

static void slider_line(const void *context, struct canvas *c, uint32_t i, struct area at)
{
	draw_slider(context, i, c, at.x, at.y, at.width);
}

static void edit_line(const void *context, struct canvas *c, uint32_t i, struct area at)
{
	const struct whatif *w = context;

	draw_edit(w, whatif_listed_at(w, i), c, at.x, at.y, at.width);
}

static void draw_sliders(struct app *a, const struct sliders *k, struct canvas *c, struct area at)
{
	uint32_t pick = a->pane.pick < k->count ? a->pane.pick : 0;
	uint32_t first = choice_first(0, pick, at.height);

	choice_draw(&(struct choice){ first, (uint32_t)k->count, picked_line(a, 0), slider_line,
				      k }, c, at);
	a->whatif->sliders_at = (struct whatif_place){ at.x + LABEL, at.y,
						    at.width - LABEL - 1 - NUMBERS, first };
	if (k->count == 0 && at.height > 0)
		canvas_name(c, at.x, at.y, at.width, ROLE_HINT,
			    "this scheduler has no weights to change");
}

static void draw_edits(struct app *a, uint32_t sliders, struct canvas *c, struct area at)
{
	const struct whatif *w = whatif_edits_get(a);
	uint32_t count = w ? whatif_listed(w) : 0, pick = picked_line(a, sliders), first = 0;

	if (count == 0)
		draw_no_edits(a, c, at);
	else	/* the last ones, while a slider is picked */
		first = choice_first(0, a->pane.pick >= sliders ? a->pane.pick - sliders :
				     count - 1, at.height);
	choice_draw(&(struct choice){ first, count, pick, edit_line, w }, c, at);
	a->whatif->edits_at = (struct whatif_place){ at.x, at.y, at.width, sliders + first };
}

static void whatif_draw(struct app *a, struct canvas *c, struct area area)
{
	int x = area.x + 2, width = area.width - 4, y = area.y + 1, left, space;
	int bottom = area.y + area.height - 1;
	struct sliders k;

	sliders_of(a, &k);
	pane_move(a, 0);
	y += whatif_draw_sums(a, c, (struct area){ x, y, width, bottom - y });
	if (area.height > area.width / 3 && width < WIDE) {
		/* tall: one below the other */
		y++;
		space = (int)k.count > 0 ? (int)k.count : 1;
		space = space < bottom - y ? space : bottom - y;
		draw_sliders(a, &k, c, (struct area){ x, y, width, space });
		y += space + 1;
		draw_edits(a, (uint32_t)k.count, c, (struct area){ x, y, width, bottom - y });
		return;
	}
	left = width / 2 + 4 < 60 ? width / 2 + 4 : 60;
	draw_sliders(a, &k, c, (struct area){ x, y, left, bottom - y });
	draw_edits(a, (uint32_t)k.count, c,
		   (struct area){ x + left + 2, y, width - left - 2, bottom - y });
}

static void whatif_title(const struct app *a, char *buf, size_t size)
{
	char name[80];

	whatif_set_name(a, a->whatif->set, name, sizeof(name));
	snprintf(buf, size, "What-if %.*s%s", (int)strlen(name), name,
		 a->whatif->flipped ? " (the base is shown)" : "");
}

/* ---- edits that are made here ---------------------------------------------------------------- */

bool whatif_add_and_tell(struct app *a, const char *text, struct err *err)
{
	if (!whatif_try(a, text, err))
		return false;
	a->whatif->tells = whatif_waits(a);
	return true;
}

void whatif_step_done(struct app *a, bool done, const char *nothing)
{
	if (!done) {
		app_say(a, ROLE_MESSAGE, "%s", nothing);
		return;
	}
	whatif_show(a);
	a->whatif->tells = whatif_waits(a);
}

/* The position after " = ", which a quoted name may contain, too; the end if there is none. */
static size_t whatif_value_at(const char *text)
{
	char quote = '\0';
	size_t i;

	for (i = 0; text[i] != '\0'; i++) {
		if (quote != '\0' && text[i] == '\\' && text[i + 1] != '\0')
			i++;
		else if (quote != '\0')
			quote = text[i] == quote ? '\0' : quote;
		else if (text[i] == '"' || text[i] == '\'')
			quote = text[i];
		else if (strncmp(text + i, " = ", 3) == 0)
			return i + 3;
	}
	return i;
}

void whatif_type_edit(struct app *a, const char *text)
{
	prompt_offer(&a->prompt, PROMPT_EDIT, text, whatif_value_at(text));
}

/* ---- the picked line ------------------------------------------------------------------------- */

/* The entry under the cursor of the panel; ROW_NONE. */
static uint32_t picked_edit(const struct app *a, const struct sliders *k)
{
	const struct whatif *w = whatif_edits_get(a);

	if (!w || a->pane.pick < k->count)
		return ROW_NONE;
	return whatif_listed_at(w, a->pane.pick - (uint32_t)k->count);
}

/* Repeated moves of one slider are one edit, so that undo reverts them together. */
static void put_slider(struct app *a, const struct sliders *k, size_t i, const char *text)
{
	struct whatif_sets *t = a->whatif;
	struct whatif *w = whatif_edits(a);
	struct err err = { 0 };

	if (strcmp(t->sliding, k->at[i].target) == 0 && w->cursor == w->count &&
	    w->count == t->slid && w->count > 0)
		whatif_undo(w);
	if (!whatif_add_and_tell(a, text, &err)) {
		whatif_show(a);		/* without the move that was undone */
		app_say(a, ROLE_ERROR, "%s", err.message);
	}
	snprintf(t->sliding, sizeof(t->sliding), "%s", k->at[i].target);
	t->slid = w->count;
}

static void whatif_slide(struct app *a, int steps)
{
	struct sliders k;
	char text[1200];

	sliders_of(a, &k);
	if (a->pane.pick >= k.count) {
		app_say(a, ROLE_MESSAGE, "Enter changes this edit, Space turns it off or on");
		return;
	}
	slider_edit(&k, a->pane.pick, k.at[a->pane.pick].now + steps * k.step, text, sizeof(text));
	put_slider(a, &k, a->pane.pick, text);
}

static void whatif_toggle_picked(struct app *a)
{
	struct sliders k;
	uint32_t entry;

	sliders_of(a, &k);
	entry = picked_edit(a, &k);
	if (entry == ROW_NONE) {
		app_say(a, ROLE_MESSAGE, "the arrow keys change a weight, Enter types it");
		return;
	}
	whatif_toggle(whatif_edits(a), entry);
	whatif_step_done(a, true, "");
}

static void edit_picked(struct app *a)
{
	struct sliders k;
	uint32_t entry;
	char text[PROMPT_MAX];

	sliders_of(a, &k);
	entry = picked_edit(a, &k);
	if (entry != ROW_NONE)
		edit_text(&whatif_edits(a)->entries[entry].edit, text, sizeof(text));
	else if (a->pane.pick < k.count)
		slider_edit(&k, a->pane.pick, k.at[a->pane.pick].now, text, sizeof(text));
	else
		text[0] = '\0';
	whatif_type_edit(a, text);
}

/* A click on a slider sets its part of the sum. */
static void whatif_click(struct app *a, int x, int y)
{
	const struct whatif_place *p = &a->whatif->sliders_at, *e = &a->whatif->edits_at;
	struct sliders k;
	uint32_t pick;
	char text[120];

	sliders_of(a, &k);
	if (x >= e->x && x < e->x + e->width && y >= e->y) {
		pick = e->first + (uint32_t)(y - e->y);
		if (pick < whatif_count_lines(a))
			a->pane.pick = pick;
		return;
	}
	pick = p->first + (uint32_t)(y - p->y);
	if (y < p->y || pick >= k.count)
		return;
	a->pane.pick = pick;
	if (x < p->x || x >= p->x + p->width || p->width < 2 || k.at[pick].tres >= 0)
		return;
	snprintf(text, sizeof(text), "%s = %.0f%%", k.at[pick].target,
		 100.0 * (x - p->x) / (p->width - 1));
	put_slider(a, &k, pick, text);
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Explains the picked line, above the hints. */
static bool whatif_legend(const struct app *a, char *buf, size_t size)
{
	const struct whatif *w = whatif_edits_get(a);
	struct sliders k;
	uint32_t pick = a->pane.pick;
	const struct whatif_entry *e;

	if (!a->pane.focus)
		return false;
	sliders_of(a, &k);
	if (pick < k.count) {
		snprintf(buf, size, "%s: %g, in the base %g; step %g", k.at[pick].target,
			 k.at[pick].now, k.at[pick].base, k.step);
		return true;
	}
	pick = w ? whatif_listed_at(w, pick - (uint32_t)k.count) : ROW_NONE;
	if (pick == ROW_NONE)
		return false;
	e = &w->entries[pick];
	if (e->problem[0])
		snprintf(buf, size, "%s", e->problem);
	else if (!sliders_are_slurms(a))
		snprintf(buf, size, "%s", e->edit.target->meaning);
	else
		snprintf(buf, size, "%s; %s %s", e->edit.target->meaning,
			 e->edit.target->slurm == EDIT_NEVER && e->edit.target->why ?
				 e->edit.target->why : edit_export_name(e->edit.target->slurm),
			 e->edit.target->slurm == EDIT_NEVER ? "" :
				 edit_effect_name(e->edit.target->effect));
	return true;
}

static const struct pane_key keys[] = {
	{ "fold", "unfold", "change", "change the chosen weight by one step" },
	{ "details", NULL, "type", "type a new value for the chosen weight or edit" },
	{ "undo", "redo", "undo redo", "undo the last edit, or redo it" },
	{ "movers", NULL, "movers", "sort by the largest gain, by the largest loss" },
	{ "base", NULL, "base", "switch between the base and the what-if" },
	{ "export", NULL, "write", "write the commands that apply the edits" },
	{ "edit", NULL, "edit", "type another edit" },
	{ "mark", NULL, "on/off", "turn the chosen edit off or on" },
	{ "column-left", "column-right", "x10", "change it by ten steps" },
	{ "next-pane", NULL, "rows", "switch between the panel and the rows" },
	{ "next-set", NULL, "set", "go to the next of four sets of edits" },
	{ "beside", NULL, "beside", "show the effect of the other sets on each row" },
	{ "what-if", NULL, "close", "close the panel; the edits stay active" },
	{ .word = NULL },
};

static void whatif_jump(struct app *a, int by)
{
	whatif_slide(a, 10 * by);
}

const struct pane_ops whatif_pane = {
	.titled = whatif_title, .place = PANE_ALWAYS_BESIDE, .height = whatif_height,
	.draw = whatif_draw,
	.count = whatif_count_lines, .enter = edit_picked, .mark = whatif_toggle_picked,
	.turn = whatif_slide,
	.jump = whatif_jump, .click = whatif_click, .legend = whatif_legend, .keys = keys,
	.tells_close = true,
};
