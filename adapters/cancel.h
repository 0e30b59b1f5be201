/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cancel: a descriptor by which another thread makes a fetch return soon. What fetches polls it
 * beside what it reads: it is readable once asked, until the asking is taken.
 */
#ifndef FAIRTOP_ADAPTERS_CANCEL_H
#define FAIRTOP_ADAPTERS_CANCEL_H

#include "core/base/err.h"

int cancel_new(struct err *err);	/* to be closed; -1: ERR_SOURCE */
void cancel_ask(int fd);
bool cancel_take(int fd);		/* had it been asked? */

#endif
