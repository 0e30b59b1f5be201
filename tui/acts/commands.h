/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands: everything a user can make the screen do, once.
 *
 * The table is the master copy: from it come the default key bindings, the help pane, the palette
 * with its completion, the configuration language, and the manual page. A new command is one line
 * here and one function.
 */
#ifndef FAIRTOP_TUI_ACTS_COMMANDS_H
#define FAIRTOP_TUI_ACTS_COMMANDS_H

#include "core/base/err.h"
#include "tui/base/script.h"

struct app;

enum view_id { VIEW_ACCOUNTS, VIEW_JOBS, VIEW_POOLS, VIEW_CLASSES, VIEW_POLICY, VIEW_COUNT };

/* Where a key is bound: everywhere, or in one view. */
enum key_context {
	CONTEXT_ALL, CONTEXT_ACCOUNTS, CONTEXT_JOBS, CONTEXT_POOLS, CONTEXT_CLASSES, CONTEXT_POLICY,
	CONTEXT_COUNT
};
extern const char *const context_names[CONTEXT_COUNT];	/* "all", "accounts", ... */
enum key_context context_of_view(enum view_id view);

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
	enum key_context context;
	/*
	 * Word for the line at the bottom, one of hint_words, "help" or "leave"; NULL: not shown
	 * there. Commands of the same word are shown together.
	 */
	const char *hint;
};

/* Words of the line at the bottom, those of the most worth first, until one is NULL. */
extern const char *const hint_words[];

extern const struct command commands[];
extern const size_t commands_count;

/* By its name, or by a beginning that only one command has; NULL and ERR_INPUT. */
const struct command *command_find(const char *name, struct err *err);

#endif
