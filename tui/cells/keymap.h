/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * keymap: which key runs which line of the command language, everywhere or in one view.
 */
#ifndef FAIRTOP_TUI_CELLS_KEYMAP_H
#define FAIRTOP_TUI_CELLS_KEYMAP_H

#include "tui/cells/command.h"
#include "tui/cells/keys.h"

#define BINDING_LINE 128

struct binding {
	enum view_id context;
	uint32_t key;
	char line[BINDING_LINE];
};

struct keymap {
	struct binding *bindings;	/* owned */
	size_t count, capacity;
	const struct command *commands;	/* all commands, ended by one without a name */
};

/* Starts with the default keys of COMMANDS. */
void keymap_init(struct keymap *m, const struct command *commands);
void keymap_free(struct keymap *m);

/* LINE "" removes the binding. LINE is not checked until it runs, when commands are known. */
bool keymap_bind(struct keymap *m, enum view_id context, uint32_t key, const char *line,
		 struct err *err);

/* The line of KEY in CONTEXT, else in all views; NULL if it is not bound. */
const char *keymap_line(const struct keymap *m, enum view_id context, uint32_t key);

/*
 * The titles of at most MAX keys that run exactly the command NAME (without arguments), joined by
 * blanks, at most SIZE bytes; "": none.
 */
void keymap_titles(const struct keymap *m, enum view_id context, const char *name, bool ascii,
		   size_t max, char *buf, size_t size);

#endif
