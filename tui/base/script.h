/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * script: the words of fairtop's command language.
 *
 * One command per line, the same in fairtop.conf, in theme files and at the `:` prompt. Words are
 * separated by blanks; '...' and "..." keep blanks (\" and \\ inside "..." only); a # begins a
 * comment at the beginning of a line, or before a blank (#ff8000 is a word). The meaning of the
 * words is left to the commands table and the themes.
 */
#ifndef FAIRTOP_TUI_BASE_SCRIPT_H
#define FAIRTOP_TUI_BASE_SCRIPT_H

#include <stddef.h>

#include "core/base/err.h"

#define SCRIPT_WORDS 16
#define SCRIPT_LINE 1024

struct words {
	char buffer[SCRIPT_LINE];	/* the words, each NUL-ended */
	const char *word[SCRIPT_WORDS];	/* into buffer */
	size_t start[SCRIPT_WORDS];	/* offset of each in the original line */
	size_t count;
};

/* ERR_INPUT: an unclosed quote, too many words, a line too long. An empty line has no words. */
bool script_split(const char *line, size_t length, struct words *words, struct err *err);

/*
 * Calls EACH for every line of TEXT that has words. Stops at the first error, prefixed with
 * "FILE:LINE: ".
 */
typedef bool script_each(void *context, const char *line, const struct words *words,
			 struct err *err);
bool script_run(const char *file, const char *text, size_t length, script_each *each, void *context,
		struct err *err);

#endif
