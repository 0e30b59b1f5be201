/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place: where a recording is stored. */
#ifndef FAIRTOP_ADAPTERS_STORE_PLACE_H
#define FAIRTOP_ADAPTERS_STORE_PLACE_H

#include "core/base/err.h"

/*
 * Creates PATH if necessary and takes the lock of its one writer: a descriptor, or -1 with err. The
 * lock belongs to the file, whatever name it is opened by. Release it after SQLite has closed the
 * file: closing any descriptor drops the locks that SQLite has.
 */
int place_lock(const char *path, struct err *err);
void place_unlock(int fd);

/* Is the existing PATH on another machine? */
bool place_is_network(const char *path);

/*
 * PATH with ENDING appended, where SQLite expects it: beside the file that PATH may be a link to.
 * Owned by the caller.
 */
char *place_beside(const char *path, const char *ending);

#endif
