/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm: clusters out of Slurm's texts, given as strings, taken at 1000.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_SLURM_H
#define FAIRTOP_TESTS_SUPPORT_SLURM_H

#include "adapters/slurm/slurm_text.h"

struct slurm_input {
	enum slurm_kind kind;
	const char *text;
};

/* Of one text, the caller's to free; NULL and ERR if it cannot be read. */
struct cluster *slurm_try(enum slurm_kind kind, const char *name, const char *text, size_t length,
			  struct err *err);

/*
 * All there is, each called "file", for kept_free() to free (kept.h); the test fails if they cannot
 * be read.
 */
const struct cluster *slurm_cluster(const struct slurm_input *inputs, size_t count);
const struct cluster *slurm_cluster_of(enum slurm_kind kind, const char *text);

/* The test fails if it can be read, or for another reason than MESSAGE cannot. */
void slurm_refused(enum slurm_kind kind, const char *text, const char *message);

/* How many of the TRES called NAME: NaN if FIELD is unknown, 0 if it is not in the list. */
double slurm_tres(const struct cluster *c, enum field field, uint32_t row, const char *name);

#endif
