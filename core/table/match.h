/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * match: the regular expressions of filters, by PCRE2, which no other file uses.
 *
 * The syntax is Perl's (pcre2pattern(3)) over UTF-8, case matters; . matches every character, $
 * only the very end. An invalid byte in a text counts as one character, U+FFFD.
 */
#ifndef FAIRTOP_CORE_TABLE_MATCH_H
#define FAIRTOP_CORE_TABLE_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

#define MATCH_PATTERN_MAX 256	/* bytes */
#define MATCH_STEPS_MAX 100000	/* per text: a millisecond or two */

struct match;

/* ERR_INPUT says what is wrong and where (byte, from 1). */
struct match *match_new(const char *pattern, size_t length, struct err *err);
void match_free(struct match *m);		/* NULL is fine */

/*
 * Does the pattern match anywhere in TEXT? Uses scratch space of M: one thread at a time. If a text
 * takes more than MATCH_STEPS_MAX steps, M matches nothing from then on, so that no pattern can
 * block the program.
 */
bool match_test(struct match *m, const char *text, size_t length);

/* False after such a text: ERR_INPUT quotes the pattern. Later results may be wrong. */
bool match_held(const struct match *m, struct err *err);

#endif
