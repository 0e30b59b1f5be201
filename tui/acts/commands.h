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

#include "tui/cells/command.h"

extern const struct command commands[];

/*
 * Words of the line at the bottom, those of the most worth first, until one is NULL; the first
 * HINTS_OF_EDITS only while there are edits.
 */
#define HINTS_OF_EDITS 5
extern const char *const hint_words[];

/* What can stand in a configuration; the others need rows, or somebody who looks. */
extern const char *const configuring[];

/* What acts on the rows alone: its keys do nothing while a box lies over them. */
extern const char *const of_rows[];

#endif
