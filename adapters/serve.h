/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * serve: the helper's side of the frames, for any source.
 *
 * This is the loop that `fairtop serve SOURCE` (internal: ssh:HOST/SOURCE runs it on the other
 * host) and the helper program of libslurm run around a source. It ends when its input ends, even
 * while the source hangs.
 */
#ifndef FAIRTOP_ADAPTERS_SERVE_H
#define FAIRTOP_ADAPTERS_SERVE_H

#include "adapters/adapter.h"

/*
 * Speaks frames on standard input and output until the input ends; anything else written to
 * standard output goes to standard error. Does not close S. Returns 0, or 2 if the other side does
 * not speak frames.
 */
int serve_source(struct source *s);

/* The same on IN and OUT; closes OUT. Standard output is not redirected. */
int serve_on(struct source *s, int in, int out);

/* Instead of the above: sends the reason why there is no source. */
int serve_problem(const struct err *problem, int out);

#endif
