/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cancel: a descriptor by which another thread makes a fetch return soon. The fetching thread polls
 * it beside its other input: it is readable from cancel_ask() until cancel_take().
 */
#ifndef FAIRTOP_ADAPTERS_CANCEL_H
#define FAIRTOP_ADAPTERS_CANCEL_H

#include "core/base/err.h"

int cancel_new(struct err *err);	/* the caller closes it; -1: ERR_SOURCE */
void cancel_ask(int fd);
bool cancel_take(int fd);		/* true if it had been asked; resets it */

#endif
