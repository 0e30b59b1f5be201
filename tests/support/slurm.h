/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm: clusters from Slurm outputs given as strings, as of the time 1000.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_SLURM_H
#define FAIRTOP_TESTS_SUPPORT_SLURM_H

#include "adapters/slurm/slurm_text.h"

struct slurm_input {
	enum slurm_kind kind;
	const char *text;
};

/* A cluster from one text; the caller frees it. Returns NULL and sets ERR if it cannot be read. */
struct cluster *slurm_try(enum slurm_kind kind, const char *name, const char *text, size_t length,
			  struct err *err);

/*
 * A cluster from COUNT inputs, each called "file"; kept_free() frees it (kept.h). The test fails if
 * they cannot be read.
 */
const struct cluster *slurm_cluster(const struct slurm_input *inputs, size_t count);
const struct cluster *slurm_cluster_of(enum slurm_kind kind, const char *text);

/* The test fails unless TEXT is refused with MESSAGE. */
void slurm_refused(enum slurm_kind kind, const char *text, const char *message);

/* The count of the TRES NAME in FIELD: NaN if FIELD is unknown, 0 if the list has no such TRES. */
double slurm_tres(const struct cluster *c, enum field field, uint32_t row, const char *name);

#endif
