/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arguments: the words of a command line that are neither its verb nor an option.
 *
 * Most are what the verb asks for, by their place: SOURCE, OBJECT, FILE. A word with an operator
 * that is no source is a filter (user=alice), or an edit where the verb makes edits
 * (shares:/physics=60); two words can be one object (job 141551).
 */
#ifndef FAIRTOP_CLI_ARGUMENTS_H
#define FAIRTOP_CLI_ARGUMENTS_H

#include "cli/options.h"

/*
 * Puts the WORDS into O, whose verb and options are known; --cluster takes the place of SOURCE.
 * Texts of O point into WORDS or are O's own.
 */
bool arguments_take(struct options *o, const char *const *words, size_t count, struct err *err);

#endif
