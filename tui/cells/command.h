/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command: what a user can make the screen do, as a table has it; and where a key is bound.
 *
 * The table itself stands above everything that it calls (acts/commands.h). Whoever lists or finds
 * commands gets it with the keymap, so that no floor needs one above it.
 */
#ifndef FAIRTOP_TUI_CELLS_COMMAND_H
#define FAIRTOP_TUI_CELLS_COMMAND_H

#include "core/base/err.h"
#include "tui/base/script.h"

struct app;

/* The views; a key is bound in one of them, or in all. */
enum view_id {
	VIEW_ACCOUNTS, VIEW_JOBS, VIEW_POOLS, VIEW_CLASSES, VIEW_POLICY,
	VIEW_CLUSTERS,		/* the overview: of many clusters, not of one as those before it */
	VIEW_COUNT, VIEW_ALL = VIEW_COUNT,
	VIEW_ANY		/* of a command: all, and the overview; bound as in all */
};
extern const char *const view_names[VIEW_COUNT + 1];	/* "accounts", ..., "all" */

enum command_section {
	SECTION_MOVE, SECTION_TREE, SECTION_LOOK, SECTION_SELECT, SECTION_WHATIF, SECTION_TIME,
	SECTION_PROGRAM, SECTION_SETTINGS,
	SECTION_COUNT
};
extern const char *const section_titles[SECTION_COUNT];

struct command {
	const char *name;	/* "fold", as the prompt and bind know it */
	const char *keys; /* default keys, written as key_parse() reads them, blank-separated; ""
			     none */
	enum command_section section;
	const char *arguments;	/* "", "COLUMN", "[DEPTH]" for help and manual */
	const char *help;	/* one line, begins with a verb in the imperative */
	/* LINE is the whole line; words->word[0] is the command. */
	bool (*run)(struct app *a, const char *line, const struct words *words, struct err *err);
	enum view_id context;	/* VIEW_ALL: those of one cluster */
	/*
	 * Word for the line at the bottom, one of hint_words, "help" or "quit"; NULL: not shown
	 * there. Commands of the same word are shown together.
	 */
	const char *hint;
};

/* The end of a table has no name. */
#define COMMANDS_END { .name = NULL }

bool command_is_of(const struct command *c, enum view_id view);

/* By its name, or by a beginning that only one command has; NULL and ERR_INPUT. */
const struct command *command_find(const struct command *commands, const char *name,
				   struct err *err);

#endif
