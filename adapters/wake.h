/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wake: a descriptor by which one thread wakes another, or makes its fetch return soon. That thread
 * polls it beside its other input: it is readable from wake_up() until wake_take().
 */
#ifndef FAIRTOP_ADAPTERS_WAKE_H
#define FAIRTOP_ADAPTERS_WAKE_H

#include "core/base/err.h"

int wake_new(struct err *err);	/* the caller closes it; -1: ERR_SOURCE */
void wake_up(int fd);
bool wake_take(int fd);		/* true if it had been woken; resets it */

#endif
