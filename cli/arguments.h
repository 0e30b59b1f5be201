/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * arguments: the words of a command line that are neither its verb nor an option.
 *
 * Most are the verb's arguments, by position: SOURCE, OBJECT, FILE. A word with an operator that is
 * no source is a filter (user=alice), or an edit if the verb makes edits (shares:/physics=60); two
 * words can be one object (job 141551).
 */
#ifndef FAIRTOP_CLI_ARGUMENTS_H
#define FAIRTOP_CLI_ARGUMENTS_H

#include "cli/options.h"

/*
 * Puts WORDS into O, whose verb and options are known; --cluster replaces SOURCE. Texts of O point
 * into WORDS or belong to O.
 */
bool arguments_take(struct options *o, const char *const *words, size_t count, struct err *err);

#endif
