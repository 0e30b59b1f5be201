/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place: where a recording lies.
 */
#ifndef FAIRTOP_ADAPTERS_STORE_PLACE_H
#define FAIRTOP_ADAPTERS_STORE_PLACE_H

#include "core/base/err.h"

/*
 * The lock of the one writer of PATH: a descriptor of PATH.lock, or -1 with err. A file of its own,
 * since closing any descriptor of the database would drop SQLite's locks on it.
 */
int place_lock(const char *path, struct err *err);
void place_unlock(const char *path, int fd);

/* Does the existing PATH lie on another machine? */
bool place_is_network(const char *path);

/* PATH with an ending, owned by the caller. */
char *place_name(const char *path, const char *ending);

#endif
