/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match: regular expressions for filters and searches, in time linear in the text.
 *
 * regcomp() depends on the locale and can be made to eat the machine by a short pattern; this one
 * does neither. It reads the extended syntax of POSIX:
 *
 *	. [a-z] [^a-z] * + ? {m} {m,} {m,n} | ( ) ^ $ \ before a special character, and \d \s \w
 *
 * It answers only whether there is a match (all states at once: K. Thompson, 1968). Characters are
 * UTF-8 code points; a byte of a text that is not UTF-8 is matched by . and [^...] only. Case
 * matters.
 */
#ifndef FAIRTOP_CORE_BASE_MATCH_H
#define FAIRTOP_CORE_BASE_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

#define MATCH_PATTERN_MAX 256	/* bytes */
#define MATCH_STATES_MAX 4096	/* what a{m,n} may grow to */

struct match;

/* ERR_INPUT says what is wrong and where (byte, from 1). */
struct match *match_new(const char *pattern, size_t length, struct err *err);
void match_free(struct match *m);		/* NULL is fine */

/* Does the pattern match anywhere in TEXT? Uses scratch space of M: one thread at a time. */
bool match_test(const struct match *m, const char *text, size_t length);

#endif
