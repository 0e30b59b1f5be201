/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve: the helper's side of the frames, for any source.
 *
 * `fairtop serve SOURCE` (not for people: ssh:HOST/SOURCE runs it on the other host) and the
 * helper program of libslurm are this loop around a source. It ends when its input ends, even
 * while the source hangs.
 */
#ifndef FAIRTOP_ADAPTERS_SERVE_H
#define FAIRTOP_ADAPTERS_SERVE_H

#include "adapters/adapter.h"

/*
 * Speaks frames on standard input and output until the input ends; whatever else writes to
 * standard output goes to standard error. Does not close S. 0, or 2 when the other side does
 * not speak frames.
 */
int serve_source(struct source *s);

/* The same on these two, of which OUT is closed; standard output stays what it is. */
int serve_on(struct source *s, int in, int out);

/* In the place of all that: why there is no source. */
int serve_problem(const struct err *problem, int out);

#endif
