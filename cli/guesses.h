/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guesses: what was meant by a word that is no verb, no source and no file here.
 *
 * Words that people know from elsewhere have a line to type; of others the near misses are told.
 */
#ifndef FAIRTOP_CLI_GUESSES_H
#define FAIRTOP_CLI_GUESSES_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

struct guess {
	const char *words;		/* parted by blanks */
	const char *line, *says;	/* what to type, and what that does; LINE NULL: nothing */
	const char *other, *more;	/* another one, or NULL */
};
extern const struct guess guesses[];
extern const size_t guesses_count;

/* ERR_INPUT, always false. PLACE: a source or a file could stand there, too. */
bool verb_unknown(const char *name, bool place, struct err *err);
/* Likewise; OTHER is what to do where nothing is near. */
bool source_unknown(const char *name, const char *other, struct err *err);

#endif
