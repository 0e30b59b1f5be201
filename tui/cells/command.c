/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/cells/command.h"

#include <string.h>

const char *const view_names[VIEW_COUNT + 1] = {
	[VIEW_ACCOUNTS] = "accounts", [VIEW_JOBS] = "jobs",	[VIEW_POOLS] = "pools",
	[VIEW_CLASSES] = "classes",   [VIEW_POLICY] = "policy", [VIEW_CLUSTERS] = "clusters",
	[VIEW_ALL] = "all",
};

const char *const section_titles[SECTION_COUNT] = {
	[SECTION_MOVE] = "Moving", [SECTION_TREE] = "Tree", [SECTION_LOOK] = "Details",
	[SECTION_SELECT] = "Filter, sort, columns", [SECTION_WHATIF] = "What-if",
	[SECTION_TIME] = "Time",
	[SECTION_PROGRAM] = "Program", [SECTION_SETTINGS] = "Settings",
};

bool command_is_of(const struct command *c, enum view_id view)
{
	return c->context == view || c->context == VIEW_ANY ||
	       (c->context == VIEW_ALL && view != VIEW_CLUSTERS);
}

const struct command *command_find(const struct command *commands, const char *name,
				   struct err *err)
{
	const struct command *found = NULL;
	size_t length = strlen(name);

	for (const struct command *c = commands; c->name; c++) {
		if (strcmp(c->name, name) == 0)
			return c;
	}
	for (const struct command *c = commands; c->name && length > 0; c++) {
		if (strncmp(c->name, name, length) != 0)
			continue;
		if (found) {
			err_set(err, ERR_INPUT, "'%s' could be %s or %s", name, found->name,
				c->name);
			return NULL;
		}
		found = c;
	}
	if (!found)
		err_set(err, ERR_INPUT, "unknown command '%s' (? lists them)", name);
	return found;
}
