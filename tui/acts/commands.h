/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands: everything a user can make the screen do.
 *
 * The table is the master copy of the default key bindings, the help pane, the palette with its
 * completion, the configuration language, and the manual page. A new command is one line here and
 * one function.
 */
#ifndef FAIRTOP_TUI_ACTS_COMMANDS_H
#define FAIRTOP_TUI_ACTS_COMMANDS_H

#include "tui/cells/command.h"

extern const struct command commands[];

/*
 * Words of the line at the bottom, the most important first, ended by NULL; the first
 * HINTS_OF_EDITS only while there are edits.
 */
#define HINTS_OF_EDITS 5
extern const char *const hint_words[];

/* Commands allowed in a configuration; the others need rows, or a user. */
extern const char *const configuring[];

/* Commands that only act on the rows: their keys do nothing while a box is over them. */
extern const char *const of_rows[];

#endif
