/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place: where a recording lies.
 */
#ifndef FAIRTOP_ADAPTERS_STORE_PLACE_H
#define FAIRTOP_ADAPTERS_STORE_PLACE_H

#include "core/base/err.h"

/*
 * The lock of the one writer of PATH, which is made if it is not there: a descriptor of it, or -1
 * with err. It is the file's, whatever name it is opened by. To be given back after SQLite has
 * closed the file: closing any descriptor drops the locks that SQLite has.
 */
int place_lock(const char *path, struct err *err);
void place_unlock(int fd);

/* Does the existing PATH lie on another machine? */
bool place_is_network(const char *path);

/* PATH with an ending, owned by the caller. */
char *place_name(const char *path, const char *ending);
/* Where SQLite looks for it: beside the file that PATH may be a link to. */
char *place_beside(const char *path, const char *ending);

#endif
