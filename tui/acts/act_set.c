/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of settings: for set, for :write and --print-config, and for Tab. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "tui/acts/act.h"
#include "tui/acts/settings_table.h"
#include "tui/panes/chart.h"
#include "tui/panes/difference.h"
#include "tui/panes/pane_alarms.h"
#include "tui/panes/pane.h"
#include "tui/panes/pane_inspect.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

/* ---- setting ------------------------------------------------------------------------------- */

static bool act_set_every(struct app *a, const char *value, struct err *err)
{
	static const struct {
		const char *unit;
		double ms;
	} units[] = { { "ms", 1 }, { "", 1000 }, { "s", 1000 }, { "m", 60000 }, { "h", 3600000 } };
	char *end;
	double n = strtod(value, &end);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].unit) != 0 || end == value)
			continue;
		n *= units[i].ms;
		if (!(n >= 100 && n <= 86400000.0))
			break;
		a->every_ms = (int64_t)n;
		return true;
	}
	return err_set(err, ERR_INPUT,
		       "every '%s': expected a duration from 100ms to 24h, like 30s", value);
}

static bool set_switch(bool *what, const char *name, const char *value, struct err *err)
{
	bool on = strcmp(value, "on") == 0 || strcmp(value, "yes") == 0;

	if (!on && strcmp(value, "off") != 0 && strcmp(value, "no") != 0)
		return err_set(err, ERR_INPUT, "%s '%s': expected on or off", name, value);
	*what = on;
	return true;
}

/* What was computed by another algorithm, or from another base. */
static void forget_model(struct app *a)
{
	chart_forget(a);
	inspect_forget(a);
	pane_drop(a, &difference_pane);		/* one of its sides would follow another policy */
	/* The columns will change, and with them the sort column. */
	if (!a->sheets[VIEW_ACCOUNTS].chosen)
		a->sheets[VIEW_ACCOUNTS].ordered = false;
}

/* Call it after algorithm or base have changed. */
static bool reload_model(struct app *a, struct err *err)
{
	if (a->picture && !model_can(whatif_base(a)->cluster, &a->model_options, err))
		return false;
	if (a->picture)
		forget_model(a);
	whatif_show(a);		/* also the first picture, which may only be being made */
	return true;
}

static bool act_set_algorithm(struct app *a, const char *value, struct err *err)
{
	const struct fs_algo *algo = fs_algo_by_name(value);
	int old = a->model_options.algorithm;

	if (!algo && strcmp(value, "auto") != 0)
		return err_set(err, ERR_INPUT,
			       "algorithm '%s': expected auto, depth-oblivious, classic, "
			       "fair-tree or fair-tree-documented", value);
	a->model_options.algorithm = algo ? (int)algo->id : -1;
	if (reload_model(a, err))
		return true;
	a->model_options.algorithm = old;
	return false;
}

static bool act_set_base(struct app *a, const char *value, struct err *err)
{
	int old = a->model_options.base;

	if (strcmp(value, "reported") == 0)
		a->model_options.base = FS_BASE_REPORTED;
	else if (strcmp(value, "usage") == 0)
		a->model_options.base = FS_BASE_USAGE;
	else if (strcmp(value, "auto") == 0)
		a->model_options.base = -1;
	else
		return err_set(err, ERR_INPUT, "base '%s': expected auto, reported or usage",
			       value);
	if (reload_model(a, err))
		return true;
	a->model_options.base = old;
	return false;
}

static bool set_chart(struct app *a, const char *value, struct err *err)
{
	for (int style = 0; style < PLOT_STYLES; style++) {
		if (strcmp(value, plot_styles[style]) != 0)
			continue;
		a->chart_style = (enum plot_style)style;
		return true;
	}
	return err_set(err, ERR_INPUT, "chart '%s': expected braille, blocks or letters", value);
}

static bool set_mouse(struct app *a, const char *value, struct err *err)
{
	return set_switch(&a->mouse, "mouse", value, err);
}

static bool set_ascii(struct app *a, const char *value, struct err *err)
{
	a->effects |= APP_REDRAW;
	return set_switch(&a->ascii, "ascii", value, err);
}

static bool set_remember(struct app *a, const char *value, struct err *err)
{
	bool on = !a->forgets;

	if (!set_switch(&on, "remember", value, err))
		return false;
	a->forgets = !on;
	return true;
}

/* ---- present values ------------------------------------------------------------------------ */

static void put_switch(bool on, char *buf, size_t size)
{
	snprintf(buf, size, "%s", on ? "on" : "off");
}

static void get_every(const struct app *a, char *buf, size_t size)
{
	snprintf(buf, size, "%gs", (double)app_every_ms(a) / 1000);
}

static void get_theme(const struct app *a, char *buf, size_t size)
{
	snprintf(buf, size, "%s", a->theme.name);
}

static void get_mouse(const struct app *a, char *buf, size_t size)
{
	put_switch(a->mouse, buf, size);
}

static void get_ascii(const struct app *a, char *buf, size_t size)
{
	put_switch(a->ascii, buf, size);
}

static void get_remember(const struct app *a, char *buf, size_t size)
{
	put_switch(!a->forgets, buf, size);
}

static void get_chart(const struct app *a, char *buf, size_t size)
{
	snprintf(buf, size, "%s", plot_styles[a->chart_style]);
}

static void get_ring(const struct app *a, char *buf, size_t size)
{
	snprintf(buf, size, "%s", alarms_ring(a));
}

static void get_algorithm(const struct app *a, char *buf, size_t size)
{
	snprintf(buf, size, "%s", a->model_options.algorithm >= 0 ?
		 fs_algos[a->model_options.algorithm]->name : "auto");
}

static void set_get_base(const struct app *a, char *buf, size_t size)
{
	snprintf(buf, size, "%s", a->model_options.base < 0 ? "auto" :
		 a->model_options.base == FS_BASE_USAGE ? "usage" : "reported");
}

/* ---- the table ----------------------------------------------------------------------------- */

static const char *set_word_theme(size_t i)
{
	return theme_builtin[i];
}

static const char *word_switch(size_t i)
{
	static const char *const words[] = { "on", "off", NULL };

	return words[i];
}

static const char *word_chart(size_t i)
{
	return i < PLOT_STYLES ? plot_styles[i] : NULL;
}

static const char *word_ring(size_t i)
{
	return alarm_rings[i];
}

static const char *set_word_algorithm(size_t i)
{
	return i < FS_ALGORITHMS ? fs_algos[i]->name : i == FS_ALGORITHMS ? "auto" : NULL;
}

static const char *set_word_base(size_t i)
{
	static const char *const words[] = { "reported", "usage", "auto", NULL };

	return words[i];
}

const struct setting settings_table[] = {
	{ "every", "time between refreshes, from 100ms to 24h", NULL, act_set_every,
	  get_every },
	{ "theme", "the colour theme", set_word_theme, app_set_theme, get_theme },
	{ "mouse", "whether fairtop or the terminal uses the mouse", word_switch, set_mouse,
	  get_mouse },
	{ "ascii", "ASCII only, even on a terminal with Unicode", word_switch,
	  set_ascii, get_ascii },
	{ "chart", "the characters that draw curves", word_chart, set_chart, get_chart },
	{ "inspector", "parts of the box that follows the cursor, joined by commas, or off",
	  NULL, inspect_choose, inspect_chosen },
	{ "remember", "whether the layout is saved when fairtop quits", word_switch, set_remember,
	  get_remember },
	{ "ring", "how else a new alarm is announced", word_ring, alarms_set_ring,
	  get_ring },
	{ "algorithm", "the fair-share algorithm; auto: as set in PriorityFlags",
	  set_word_algorithm, act_set_algorithm, get_algorithm },
	{ "base", "input of the computation: usage ratios as reported, or raw usage; auto: "
	  "reported if there are any", set_word_base, act_set_base, set_get_base },
};
const size_t settings_count = sizeof(settings_table) / sizeof(settings_table[0]);

ACT(act_set)
{
	char names[120] = "";

	for (size_t i = 0; i < settings_count; i++)
		format_append(names, sizeof(names), " %s", settings_table[i].name);
	if (words->count != 3)
		return err_set(err, ERR_INPUT, "set: expected NAME VALUE (names:%s)", names);
	for (size_t i = 0; i < settings_count; i++) {
		if (strcmp(words->word[1], settings_table[i].name) == 0)
			return settings_table[i].set(a, words->word[2], err);
	}
	return err_set(err, ERR_INPUT, "unknown setting '%s' (names:%s)", words->word[1], names);
}
