/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guesses: what was meant by a word that is no verb, no source and no file here.
 *
 * Words known from other programs have a line to type; for others, similar names are shown.
 */
#ifndef FAIRTOP_CLI_GUESSES_H
#define FAIRTOP_CLI_GUESSES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

struct guess {
	const char *words;		/* separated by blanks */
	const char *line, *says;	/* what to type, and what it does; LINE NULL: nothing */
	const char *other, *more;	/* another one, or NULL */
};
extern const struct guess guesses[];
extern const size_t guesses_count;

/* ERR_INPUT, always false. PLACE: a source or a file is possible there, too. */
bool verb_unknown(const char *name, bool place, struct err *err);
/* Likewise; OTHER says what to do if nothing is similar. */
bool source_unknown(const char *name, const char *other, struct err *err);

#endif
