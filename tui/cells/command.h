/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command: the entries of the table of commands, and the views in which keys are bound.
 *
 * The table itself is above all that it calls (acts/commands.h). Code that lists or finds commands
 * gets the table with the keymap, so that no directory depends on one above it.
 */
#ifndef FAIRTOP_TUI_CELLS_COMMAND_H
#define FAIRTOP_TUI_CELLS_COMMAND_H

#include "core/base/err.h"
#include "tui/base/script.h"

struct app;

/* The views; a key is bound in one of them or in all. */
enum view_id {
	VIEW_ACCOUNTS, VIEW_JOBS, VIEW_POOLS, VIEW_CLASSES, VIEW_POLICY,
	VIEW_CLUSTERS,		/* the overview of many clusters; the others show one */
	VIEW_COUNT, VIEW_ALL = VIEW_COUNT,
	VIEW_ANY		/* for a command: all views and the overview; bound as in all */
};
extern const char *const view_names[VIEW_COUNT + 1];	/* "accounts", ..., "all" */

enum command_section {
	SECTION_MOVE, SECTION_TREE, SECTION_LOOK, SECTION_SELECT, SECTION_WHATIF, SECTION_TIME,
	SECTION_PROGRAM, SECTION_SETTINGS,
	SECTION_COUNT
};
extern const char *const section_titles[SECTION_COUNT];

struct command {
	const char *name;	/* "fold", for the prompt and bind */
	const char *keys; /* default keys, written as key_parse() reads them, blank-separated; ""
			     none */
	enum command_section section;
	const char *arguments;	/* "", "COLUMN", "[DEPTH]" for help and manual */
	const char *help;	/* one line, begins with a verb in the imperative */
	/* LINE is the whole line; words->word[0] is the command. */
	bool (*run)(struct app *a, const char *line, const struct words *words, struct err *err);
	enum view_id context;	/* VIEW_ALL: the views of one cluster */
	/*
	 * Word for the line at the bottom: one of hint_words, "help" or "quit"; NULL: not shown
	 * there. Commands with the same word are shown together.
	 */
	const char *hint;
};

/* Ends a table. */
#define COMMANDS_END { .name = NULL }

bool command_is_of(const struct command *c, enum view_id view);

/* By its name, or by a unique beginning; NULL and ERR_INPUT. */
const struct command *command_find(const struct command *commands, const char *name,
				   struct err *err);

#endif
