/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen: the interactive program, and one rendered frame of it.
 *
 * Both use the same pipeline: source -> cluster -> model -> rows -> cells; screen_run() ends it at
 * a terminal, screen_render() at a text. screen_check() checks the options, so that a mistake is
 * reported before the terminal changes its mode.
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
	bool remember;			/* begin with the last layout, and keep this one */
	const char *source;		/* owner of remembered filters and folds; NULL: any */
	const char *workspace;		/* begin with this one; NULL none */
	bool tour;			/* begin with the tour (lessons.h) */
	bool mine;			/* only the rows of USER (`me`) at the start */
	const char *me;			/* NULL: the user who runs fairtop */
	const char *filter, *sort, *columns;	/* as on the command line; NULL none */
	bool overview;			/* they are for the clusters, not for accounts */
	const char *jobs_filter;	/* likewise, for the jobs; NULL none */
	struct model_options model;	/* --algorithm, --base */
	int64_t at;			/* the source's time; I64_UNKNOWN: its end */
	const char *pools;		/* a pools file to begin with; NULL: the source's own */
	bool grouped;			/* dispatch order with pools as blocks */
	bool anonymous;			/* screen_print_config(): no names of people or hosts */
	/* screen_render() only */
	uint16_t width, height;		/* cells */
	const char *keys;		/* script of --keys, NULL none */
	const char *format;		/* text ansi svg cells (text and roles); NULL text */
};

/* All NULL or zero, and model as MODEL_OPTIONS_DEFAULT. */
void screen_options_init(struct screen_options *o);

/* "120x40"; ERR_INPUT quotes TEXT. */
bool screen_parse_size(const char *text, uint16_t *width, uint16_t *height, struct err *err);

/* Calls EACH for every line of the configuration: the site's, then the user's. */
bool screen_config_each(script_each *each, void *context, struct err *err);

/* ERR_INPUT for an unknown theme, color, format, key, column or an unreadable filter. */
bool screen_check(const struct screen_options *o, struct err *err);

/* All settings with their meaning, as set by the options and the configuration. */
bool screen_print_config(const struct screen_options *o, struct sink out, struct err *err);

/*
 * Shows the screen until the user quits. Takes over SOURCE in any case. Returns the exit status: 0,
 * or 128 + signal if a signal ended it; 2 or 3 with ERR set if it could not start, 2 also if the
 * first read of a source that is not live fails with ERR_INPUT. Standard input and output must be a
 * terminal.
 */
int screen_run(struct source *source, const struct screen_options *o, struct err *err);

/* A cluster of an overview. */
struct screen_cluster {
	const char *name;		/* NULL: the cluster's own */
	const char *source;
};

/*
 * The same for many clusters: an overview, from which each is opened. COUNT > 0. A source that does
 * not answer says so in its row.
 */
int screen_run_overview(const struct screen_cluster *clusters, size_t count,
			const struct screen_options *o, struct err *err);
int screen_render_overview(const struct screen_cluster *clusters, size_t count,
			   const struct screen_options *o, struct sink out, struct err *err);

/*
 * Reads once (and again for each refresh key), applies KEYS and writes the frame. Takes over SOURCE
 * in any case. A source that fails gives a frame with the error and status 3; one that is not live
 * and whose first read fails (ERR_INPUT) gives no frame, ERR and status 2. The frame's clock is the
 * cluster's time, so that the same cluster gives the same frame.
 */
int screen_render(struct source *source, const struct screen_options *o, struct sink out,
		  struct err *err);

#endif
