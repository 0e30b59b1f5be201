/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An untrusted log: it is read and replayed into pictures, or refused with a reason.
 */
#ifndef FAIRTOP_TESTS_FUZZ_IMPORT_H
#define FAIRTOP_TESTS_FUZZ_IMPORT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/import/import.h"

#define JOBS_MAX 2000		/* logs of more are read but not replayed: too slow */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline bool fuzz_drop(void *context, struct cluster *c, struct err *err)
{
	(void)context;
	(void)err;
	cluster_free(c);
	return true;
}

/* Replays with few passes and pictures, whatever time span the log claims. */
static inline void fuzz_replay(struct replay *r)
{
	struct replay_options o = REPLAY_OPTIONS_INIT;
	struct err err = { 0 };
	int64_t first, last;

	if (replay_jobs(r) > JOBS_MAX || !replay_range(r, &o, &first, &last))
		return;
	o.period = (last - first) / 50 + 1;
	if (!replay_run(r, &o, fuzz_drop, NULL, &err) && !err.message[0])
		abort();
	for (uint32_t i = 0; i < replay_assocs(r); i++) {
		if (!(replay_used(r, i) >= 0))
			abort();
	}
}

static inline int fuzz_import(const struct import_kind *kind, const uint8_t *data, size_t size)
{
	/* Not on the stack: it holds the header. */
	struct import *im = malloc(sizeof(*im));
	struct lines *l = lines_of((const char *)data, size);
	struct err err = { 0 };

	if (!im)
		abort();
	import_init(im, kind);
	if (import_read_lines(im, l, "log", &err))
		fuzz_replay(im->replay);
	else if (err.code != ERR_INPUT || !err.message[0])
		abort();
	lines_close(l);
	import_free(im);
	free(im);
	return 0;
}

#endif
