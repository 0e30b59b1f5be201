/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: the interactive program, and one rendered frame of it.
 *
 * Both are the same pipeline: source -> cluster -> model -> rows -> cells; screen_run() ends it at
 * a terminal, screen_render() at a text. What the options say is checked by screen_check(), so that
 * a mistake is told before the terminal changes its mode.
 */
#ifndef FAIRTOP_TUI_SCREEN_SCREEN_H
#define FAIRTOP_TUI_SCREEN_SCREEN_H

#include "core/share/model.h"
#include "core/base/sink.h"
#include "tui/base/script.h"

struct source;				/* adapters/adapter.h */

struct screen_options {
	int64_t every_ms;		/* refresh interval; 0: the configuration's, else 30 s */
	const char *theme;		/* NULL: the configuration's, else "dark" */
	const char *color;		/* auto direct 256 16 never; NULL auto */
	bool ascii; /* ASCII only, even on a terminal with Unicode */
	bool no_mouse;
	bool no_config;			/* do not read fairtop.conf (tests) */
	bool remember;			/* begin with the layout that was left, and keep this one */
	const char *source;		/* whose filters and folds are remembered; NULL: any */
	const char *workspace;		/* begin with this one; NULL none */
	bool tour;			/* begin with the tour (lessons.h) */
	bool mine;			/* only the rows of USER (`me`) at the start */
	const char *me;			/* NULL: the user who runs fairtop */
	const char *filter, *sort, *columns;	/* as the contract writes them; NULL none */
	bool overview;			/* these are of the clusters, not of accounts */
	const char *jobs_filter;	/* likewise, of the jobs; NULL none */
	struct model_options model;	/* --algorithm, --base */
	int64_t at;			/* the source stands there; I64_UNKNOWN: at its end */
	const char *pools;		/* a pools file to begin with; NULL: the source's own */
	bool grouped;			/* dispatch order with pools as blocks */
	bool anonymous;			/* screen_print_config(): no names of people or hosts */
	/* screen_render() only */
	uint16_t width, height;		/* cells */
	const char *keys;		/* key script of the contract, NULL none */
	const char *format;		/* text ansi svg cells (text and roles); NULL text */
};

/* Everything NULL, zero, and model as MODEL_OPTIONS_DEFAULT. */
void screen_options_init(struct screen_options *o);

/* "120x40"; ERR_INPUT quotes TEXT. */
bool screen_parse_size(const char *text, uint16_t *width, uint16_t *height, struct err *err);

/* Calls EACH for every line of the configuration: the site's, then the user's. */
bool screen_config_each(script_each *each, void *context, struct err *err);

/* ERR_INPUT for an unknown theme, color, format, key, column or a filter that cannot be read. */
bool screen_check(const struct screen_options *o, struct err *err);

/* All settings with their meaning, as the options and the configuration make them. */
bool screen_print_config(const struct screen_options *o, struct sink out, struct err *err);

/*
 * The screen, until the user leaves it. Takes over SOURCE in any case. Returns the exit status of
 * the contract: 0, or 128 + signal when a signal ended it; 2 or 3 with ERR set when it could not
 * start, 2 also when the first read of a source that is not live fails with ERR_INPUT. Standard
 * input and output must be a terminal.
 */
int screen_run(struct source *source, const struct screen_options *o, struct err *err);

/* One of an overview. */
struct screen_cluster {
	const char *name;		/* NULL: as the cluster calls itself */
	const char *source;
};

/*
 * The same of many clusters: an overview, from which each is opened. COUNT > 0. What does not
 * answer says so in its row.
 */
int screen_run_overview(const struct screen_cluster *clusters, size_t count,
			const struct screen_options *o, struct err *err);
int screen_render_overview(const struct screen_cluster *clusters, size_t count,
			   const struct screen_options *o, struct sink out, struct err *err);

/*
 * Fetches once (and again for each refresh key), applies KEYS and writes the frame. Takes over
 * SOURCE in any case. A source that fails gives the frame of the error state and status 3;
 * one that is not live and cannot be read at first (ERR_INPUT) gives no frame, ERR and status 2.
 * The clock of the frame is the time of the cluster, so that the same cluster gives the same frame.
 */
int screen_render(struct source *source, const struct screen_options *o, struct sink out,
		  struct err *err);

#endif
