/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/note.h"

#include <string.h>

const char *note_about(const struct cluster *c, const char *subject)
{
	for (uint32_t i = 0; i < cluster_notes(c); i++) {
		if (strcmp(cluster_note(c, i).subject, subject) == 0)
			return cluster_note(c, i).text;
	}
	return "";
}

bool note_says(const struct cluster *c, const char *words)
{
	for (uint32_t i = 0; i < cluster_notes(c); i++) {
		if (strstr(cluster_note(c, i).text, words))
			return true;
	}
	return false;
}
