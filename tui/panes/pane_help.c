/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The help, from the commands table and the keys as they are bound now; and the greeting of the
 * demo.
 */
#include "tui/panes/pane.h"

#include <stdio.h>
#include <string.h>

#include "tui/panes/pane_whatif.h"

static void help_command(const struct app *a, struct doc *d, const struct command *command)
{
	char keys[64];

	keymap_titles(&a->keymap, a->view, command->name, d->ascii, 4, keys, sizeof keys);
	doc_line(d);
	doc_put(d, ROLE_KEY, keys);
	doc_tab(d, 13);
	doc_put(d, ROLE_TEXT, command->name);
	if (command->arguments[0] != '\0')
		doc_putf(d, ROLE_DIM, " %s", command->arguments);
	doc_tab(d, 36);
	doc_wrap(d, ROLE_HINT, 36, command->help);
}

void pane_key_titles(const struct app *a, const struct pane_key *key, bool ascii, char *buf,
		     size_t size)
{
	char second[20] = "";
	size_t used;

	keymap_titles(&a->keymap, a->view, key->command, ascii, 1, buf, size);
	used = strlen(buf);
	if (key->second != NULL)
		keymap_titles(&a->keymap, a->view, key->second, ascii, 1, second, sizeof second);
	if (second[0] != '\0')
		snprintf(buf + used, size - used, "%s%s", used > 0 ? " " : "", second);
}

/* What keys do while the panel of what-if has the focus. */
static void help_panel(const struct app *a, struct doc *d)
{
	doc_title(d, "In the panel of what-if");
	for (const struct pane_key *key = whatif_pane.keys; key->command != NULL; key++) {
		char keys[64];

		pane_key_titles(a, key, d->ascii, keys, sizeof keys);
		doc_line(d);
		doc_put(d, ROLE_KEY, keys);
		doc_tab(d, 14);
		doc_put(d, ROLE_TEXT, key->word);
		doc_tab(d, 36);
		doc_wrap(d, ROLE_HINT, 36, key->help);
	}
}

/* What only other views have would be noise here; they tell it themselves. */
static bool is_here(const struct app *a, const struct command *command)
{
	return command_is_of(command, a->view);
}

static bool has_section(const struct app *a, enum command_section section)
{
	const struct command *c = a->keymap.commands;

	while (c->name != NULL && !(c->section == section && is_here(a, c)))
		c++;
	return c->name != NULL;
}

static void help_doc(const struct app *a, struct doc *d)
{
	for (int section = 0; section < SECTION_COUNT; section++) {
		if (!has_section(a, (enum command_section)section))
			continue;
		doc_title(d, section_titles[section]);
		for (const struct command *c = a->keymap.commands; c->name != NULL; c++) {
			if (c->section == (enum command_section)section && is_here(a, c))
				help_command(a, d, c);
		}
		if (section == SECTION_WHATIF && a->overview == NULL)
			help_panel(a, d);
	}
	doc_title(d, "Every command can be typed after : and bound to any key");
	doc_line(d);
	doc_put(d, ROLE_HINT, "What only another view has is told there.");
	doc_line(d);
	doc_put(d, ROLE_FORMULA, "bind accounts J mark");
	doc_tab(d, 36);
	doc_wrap(d, ROLE_HINT, 36, "the same line in fairtop.conf lasts");
}

const struct pane_ops help_pane = {
	.title = "Keys", .width = 100, .lines = 1000, .doc = help_doc,
	.keys = (const struct pane_key[]){
		{ "down", "up", "scroll", NULL }, { "page-down", "page-up", "page", NULL },
		{ "search", NULL, "find", NULL }, { .word = NULL },
	},
};
