/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * docgen: manual pages and shell completions from the tables of the program.
 *
 *	docgen < PAGE.in > PAGE			expands markers (mdoc)
 *	docgen --completion bash|zsh|fish
 *
 * Markers alone on a line, such as @VERBS@ or @COLUMNS VIEW@, are listed in markers[] of docgen.c;
 * inside a line: @VERSION@, @SYSCONFDIR@, @PKGDATADIR@, @PKGLIBEXECDIR@.
 */
#ifndef FAIRTOP_CLI_DOCGEN_DOCGEN_H
#define FAIRTOP_CLI_DOCGEN_DOCGEN_H

#include <stdio.h>

/* Writes TEXT of the tables as mdoc: a sentence per line, no accidental macros or escapes. */
void doc_text(FILE *out, const char *text);

/* One word as an argument of a macro. */
void doc_word(FILE *out, const char *word);

/* 0, or 2 after a message if SHELL is unknown. */
int completion(FILE *out, const char *shell);

#endif
