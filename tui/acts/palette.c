/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The palette: a list of everything with a name above the prompt, narrowed by each typed letter;
 * Enter runs the picked item. It is the `:` prompt with a list: each item is a line of the command
 * language, so that both work alike, and the prompt's history shows what is used often.
 */
#include "tui/acts/palette.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "tui/acts/act.h"
#include "tui/base/state_dir.h"
#include "tui/cells/choice.h"
#include "tui/cells/keys.h"

#define PALETTE_WIDTH 92
#define PALETTE_LINES 12
#define NAME_WIDTH 22
#define KEYS_WIDTH 9

/* Kinds of items, in the order for equal matches. */
enum palette_kind { COMMAND, WORKSPACE, THEME, COLUMN, ACCOUNT, JOB };

struct item {
	enum palette_kind kind;
	uint32_t at;			/* index in the table of its kind */
	uint32_t rank;			/* less is better */
};

#define ITEMS_MAX 160			/* the best matches; enough for all commands */
#define WORKSPACES_MAX 64

struct palette {
	struct item items[ITEMS_MAX];
	size_t count;
	char workspaces[WORKSPACES_MAX][STATE_NAME];
	size_t workspace_count;
	uint32_t often[PROMPT_HISTORY];	/* accounts that were shown from the palette */
	size_t often_count;
	char text[PROMPT_MAX];		/* the text of the matches */
	const struct picture *picture;	/* ... and their picture */
	uint32_t pictures;
};

/* ---- matching ------------------------------------------------------------------------------ */

#define NO_FIT UINT32_MAX

/*
 * How well TEXT (lower case) matches NAME: 0 at its start, 1 at the start of a word, 2 inside, 3
 * its letters occur in this order.
 */
static uint32_t palette_fit_of(const char *name, const char *text, size_t length)
{
	const char *at = name;
	bool inside = false;
	size_t found = 0;

	/* Most names of a large cluster end here. */
	for (; *at != '\0' && found < length; at++)
		found += word_lower(*at) == text[found];
	if (found < length)
		return NO_FIT;
	for (size_t i = 0; name[i] != '\0'; i++) {
		size_t n = 0;

		while (n < length && word_lower(name[i + n]) == text[n])
			n++;
		if (n == length && (i == 0 || !isalnum((unsigned char)name[i - 1])))
			return i == 0 ? 0 : 1;
		inside = inside || n == length;
	}
	return length == 0 ? 0 : inside ? 2 : 3;
}

static const char *item_text(const struct app *a, const struct item *item, char *buf, size_t size)
{
	const struct column *column;
	char path[SCRIPT_LINE / 2], quoted[SCRIPT_LINE - 8] = "";

	switch (item->kind) {
	case COMMAND:
		return a->keymap.commands[item->at].name;
	case WORKSPACE:
		snprintf(buf, size, "workspace %s", a->found->workspaces[item->at]);
		break;
	case THEME:
		snprintf(buf, size, "theme %s", theme_builtin[item->at]);
		break;
	case COLUMN:
		column = sheet_choice(app_sheet_get(a), item->at);
		snprintf(buf, size, "%s%s", sheet_index(app_sheet_get(a), column) <
			 app_sheet_get(a)->count ? "column " : "columns +", column->name);
		break;
	case ACCOUNT:
		cluster_path(a->picture->cluster, item->at, path, sizeof(path));
		if (strpbrk(path, " \t\"'#\\"))
			app_quote(quoted, sizeof(quoted), path);
		snprintf(buf, size, "show %s", quoted[0] != '\0' ? quoted : path);
		break;
	case JOB:
		snprintf(buf, size, "show job:%s", a->picture->queue->job_names[item->at]);
		buf[5 + strcspn(buf + 5, " ")] = '\0';
		break;
	}
	return buf;
}

/* How often this line was used here. */
static uint32_t times_used(const struct app *a, const char *line)
{
	const struct prompt *p = &a->prompt;
	size_t length = strlen(line);
	uint32_t n = 0;

	for (size_t i = 0; i < p->history_count[PROMPT_COMMAND]; i++) {
		const char *was = p->history[PROMPT_COMMAND][i];

		n += strncmp(was, line, length) == 0 && (was[length] == '\0' || was[length] == ' ');
	}
	return n;
}

/* Kept in order; what does not fit is worse than all others. */
static void palette_put(struct palette *p, struct item item)
{
	size_t at = p->count;

	if (p->count == ITEMS_MAX && item.rank >= p->items[ITEMS_MAX - 1].rank)
		return;
	if (p->count == ITEMS_MAX)
		at--;
	else
		p->count++;
	for (; at > 0 && p->items[at - 1].rank > item.rank; at--)
		p->items[at] = p->items[at - 1];
	p->items[at] = item;
}

/* By match, then by frequent use, then by kind; a command comes after one of its arguments. */
static void palette_offer(const struct app *a, enum palette_kind kind, uint32_t at, uint32_t fit,
			  uint32_t used)
{
	struct item item = { kind, at, 0 };

	if (fit == NO_FIT)
		return;
	if (kind == COMMAND && strchr(a->found->text, ' '))
		fit += 5;
	used = used < PROMPT_HISTORY ? used : PROMPT_HISTORY;
	item.rank = fit * 1000 + (PROMPT_HISTORY - used) * 10 + (uint32_t)kind;
	palette_put(a->found, item);
}

/*
 * For kinds with few items: matches names, or the text in the list ("theme light"). After a typed
 * blank come a command's arguments, or the rest of such a line.
 */
static void offer_line(const struct app *a, enum palette_kind kind, uint32_t at, const char *name,
		       const char *help)
{
	const char *text = a->found->text;
	size_t word = strcspn(text, " "), length = kind == COMMAND ? word : strlen(text);
	struct item item = { kind, at, 0 };
	char buf[SCRIPT_LINE];
	const char *line = item_text(a, &item, buf, sizeof(buf));
	uint32_t fit = palette_fit_of(name, text, length),
		 whole = palette_fit_of(line, text, length);

	/* The letters of "columns +account" occur in nearly all that is typed. */
	if (whole < fit && (kind != COLUMN || whole < 3))
		fit = whole;
	if (text[word] == ' ' && (kind == COMMAND ? fit > 0 : fit > 2 || text[word + 1] == '\0'))
		return;
	if (fit == NO_FIT && text[0] != '\0' && strcasestr(help, text))
		fit = 4;
	if (fit != NO_FIT)
		palette_offer(a, kind, at, fit, times_used(a, line));
}

static void offer_named(const struct app *a)
{
	const struct palette *p = a->found;
	const struct sheet *sheet = app_sheet_get(a);

	for (uint32_t i = 0; a->keymap.commands[i].name; i++) {
		const struct command *c = &a->keymap.commands[i];

		if (a->overview ? command_is_of(c, VIEW_CLUSTERS) :
		    c->context != VIEW_CLUSTERS)
			offer_line(a, COMMAND, i, c->name, c->help);
	}
	if (p->text[0] == '\0')
		return;		/* at first only commands */
	for (uint32_t i = 0; i < p->workspace_count; i++)
		offer_line(a, WORKSPACE, i, p->workspaces[i], "workspace");
	for (uint32_t i = 0; theme_builtin[i]; i++)
		offer_line(a, THEME, i, theme_builtin[i], "theme");
	for (uint32_t i = 0; i < sheet_choices(sheet); i++) {
		const struct column *column = sheet_choice(sheet, i);
		const char *title = column->title;

		if (palette_fit_of(column->name, p->text, strlen(p->text)) <=
		    palette_fit_of(title, p->text, strlen(p->text)))
			title = column->name;
		offer_line(a, COLUMN, i, title, column->legend);
	}
}

/* For kinds with perhaps 100,000 items: makes no line for those that do not match. */
static void offer_rows(const struct app *a)
{
	const struct palette *p = a->found;
	const struct cluster *c = a->picture ? a->picture->cluster : NULL;
	const struct queue *q = a->picture ? a->picture->queue : NULL;
	size_t length = strlen(p->text);

	if (length == 0 || strchr(p->text, ' '))
		return;
	for (uint32_t row = 0; c && row < cluster_rows(c, TABLE_ASSOC); row++) {
		const char *name = cluster_text(c, cluster_is_user(c, row) ? F_ASSOC_USER :
						F_ASSOC_ACCOUNT, row);
		uint32_t fit = name ? palette_fit_of(name, p->text, length) : NO_FIT, used = 0;

		for (size_t i = 0; fit != NO_FIT && i < p->often_count; i++)
			used += p->often[i] == row;
		palette_offer(a, ACCOUNT, row, fit, used);
	}
	for (uint32_t row = 0; q && row < q->jobs->index->n; row++) {
		uint32_t fit = palette_fit_of(q->job_names[row], p->text, length);

		palette_offer(a, JOB, row, fit > 1 ? NO_FIT : fit, 0);
	}
}

/* The accounts shown from the palette, as rows of this picture. */
static void find_often(struct app *a)
{
	const struct prompt *p = &a->prompt;

	a->found->often_count = 0;
	for (size_t i = 0; a->picture && i < p->history_count[PROMPT_COMMAND]; i++) {
		const char *line = p->history[PROMPT_COMMAND][i];
		uint32_t row = strncmp(line, "show /", 6) == 0 ?
			cluster_by_path(a->picture->cluster, line + 5) : ROW_NONE;

		if (row != ROW_NONE)
			a->found->often[a->found->often_count++] = row;
	}
}

/* Updates the matches to the typed text and the present data. */
static void palette_find(struct app *a)
{
	struct palette *p = a->found;
	char text[PROMPT_MAX];
	size_t length = 0;

	if (!p)
		return;
	for (; a->prompt.text[length] != '\0'; length++)
		text[length] = word_lower(a->prompt.text[length]);
	text[length] = '\0';
	if (p->count > 0 && p->picture == a->picture && p->pictures == a->pictures &&
	    strcmp(text, p->text) == 0)
		return;
	memcpy(p->text, text, length + 1);
	p->picture = a->picture;
	p->pictures = a->pictures;
	p->count = 0;
	find_often(a);
	offer_named(a);
	offer_rows(a);
}

void palette_open(struct app *a)
{
	prompt_open(&a->prompt, PROMPT_COMMAND, "");
	a->palette = true;
	a->palette_pick = 0;
	if (!a->found)
		a->found = mem_zalloc(1, sizeof(*a->found));
	if (a->keeps)
		a->found->workspace_count = state_names(".workspace", a->found->workspaces,
							WORKSPACES_MAX);
	a->found->count = 0;	/* the view may have changed */
	palette_find(a);
}

/* ---- picking an item ----------------------------------------------------------------------- */

/* Puts it into the prompt, which waits for arguments to be typed. */
static void palette_take(struct app *a, const struct item *item)
{
	char line[SCRIPT_LINE];

	prompt_replace(&a->prompt, 0, a->prompt.length, item_text(a, item, line, sizeof(line)));
	if (item->kind == COMMAND && a->keymap.commands[item->at].arguments[0] != '\0')
		prompt_insert(&a->prompt, " ", 1);
}

/* Whether arguments are required, not "[LIST]". */
static bool wants_arguments(const struct app *a, const struct item *item)
{
	const char *arguments = a->keymap.commands[item->at].arguments;

	return item->kind == COMMAND && arguments[0] != '\0' && arguments[0] != '[';
}

static void palette_move(struct app *a, int by, size_t count)
{
	a->palette_pick = choice_move(a->palette_pick, by, (uint32_t)count);
}

static uint32_t palette_picked(const struct app *a, size_t count)
{
	return a->palette_pick < count ? a->palette_pick : 0;
}

bool palette_key(struct app *a, uint32_t key)
{
	const struct item *found;
	size_t count;

	if (!a->palette)
		return false;
	palette_find(a);
	found = a->found->items;
	count = a->found->count;
	if (count == 0)
		return false;
	switch (key) {
	case KEYS_UP:
		palette_move(a, -1, count);
		return true;
	case KEYS_DOWN:
		palette_move(a, 1, count);
		return true;
	case KEYS_PGUP:
		palette_move(a, -PALETTE_LINES, count);
		return true;
	case KEYS_PGDN:
		palette_move(a, PALETTE_LINES, count);
		return true;
	case KEYS_TAB:
		palette_take(a, &found[palette_picked(a, count)]);
		return true;
	case KEYS_ENTER:
		if (found[palette_picked(a, count)].kind == COMMAND && strchr(a->prompt.text, ' '))
			return false;	/* run as typed */
		palette_take(a, &found[palette_picked(a, count)]);
		return wants_arguments(a, &found[palette_picked(a, count)]);
	default:
		a->palette_pick = 0;
		return false;
	}
}

/* The text beside it: the keys of a command, else its kind; and what it does. */
static void palette_draw_item(const struct app *a, struct canvas *c, struct area at,
			      const struct item *item)
{
	static const char *const kinds[] = { "", "workspace", "theme", "column", "account", "job" };
	const struct command *command = &a->keymap.commands[item->kind == COMMAND ? item->at : 0];
	char keys[32], line[SCRIPT_LINE];
	const char *name = item_text(a, item, line, sizeof(line)), *help = "";
	int x = at.x, y = at.y, width = at.width, used = NAME_WIDTH;

	if (item->kind == ACCOUNT || item->kind == JOB)
		name += strlen("show ");
	if (item->kind == COMMAND)
		help = command->help;
	else if (item->kind == COLUMN)
		help = sheet_choice(app_sheet_get(a), item->at)->legend;
	else if (item->kind == JOB)
		help = strchr(a->picture->queue->job_names[item->at], ' ');
	snprintf(keys, sizeof(keys), "%s", kinds[item->kind]);
	if (item->kind == ACCOUNT && cluster_is_user(a->picture->cluster, item->at))
		snprintf(keys, sizeof(keys), "user");
	for (size_t n = 2; item->kind == COMMAND && n > 0; n--) {
		keymap_titles(&a->keymap, a->view, command->name, c->ascii, n, keys, sizeof(keys));
		if (canvas_text_width(c, keys) <= KEYS_WIDTH)
			break;
	}
	if (item->kind == ACCOUNT)
		used = width - KEYS_WIDTH - 1;
	canvas_name(c, x, y, used - 1, ROLE_VALUE, name);
	canvas_put(c, x + used, y, width - used, item->kind == COMMAND ? ROLE_KEY : ROLE_LABEL,
		   keys);
	used += KEYS_WIDTH + 1;
	if (help && used < width)
		canvas_name(c, x + used, y, width - used, ROLE_HINT, help);
}

static struct area box_of(int width, int height)
{
	struct area area = { 0, 0, PALETTE_WIDTH, PALETTE_LINES + 2 };

	if (area.width > width)
		area.width = width;
	if (area.height > height - 4)
		area.height = height - 4;
	area.x = (width - area.width) / 2;
	area.y = height - 2 - area.height;
	return area;
}

/* The lines of the commands, inside the box. */
static struct area palette_lines_of(int width, int height)
{
	struct area box = box_of(width, height);

	return (struct area){ box.x + 1, box.y + 1, box.width - 2, box.height - 2 };
}

bool palette_click(struct app *a, int x, int y)
{
	size_t count = a->found->count;
	struct area at = palette_lines_of(a->width, a->height);
	uint32_t line = choice_at(choice_first(0, palette_picked(a, count), at.height),
				  (uint32_t)count, at, x, y);

	if (line == CHOICE_NONE)
		return false;
	a->palette_pick = line;
	return true;
}

static void palette_draw_line(const void *context, struct canvas *c, uint32_t i, struct area at)
{
	const struct app *a = context;

	at.x++;
	at.width -= 2;
	palette_draw_item(a, c, at, &a->found->items[i]);
}

void palette_draw(struct app *a, struct canvas *c)
{
	struct area box = box_of(c->width, c->height), at = palette_lines_of(c->width, c->height);
	uint32_t count, pick;

	if (!a->palette)
		return;
	palette_find(a);
	count = (uint32_t)a->found->count;
	pick = palette_picked(a, count);
	canvas_box(c, box.x, box.y, box.width, box.height, "Command palette");
	choice_draw(&(struct choice){ choice_first(0, pick, at.height), count, pick,
				      palette_draw_line, a },
		    c, at);
	if (count == 0)
		canvas_put(c, at.x + 1, at.y, at.width - 2, ROLE_HINT, "no match");
}
