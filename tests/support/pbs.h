/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs: recordings of a real OpenPBS as clusters.
 *
 * A NAME is a file below tests/data/pbs ("02_formula/usage"), whose kind is detected, or a
 * directory ("02_formula"), which means all of its files.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_PBS_H
#define FAIRTOP_TESTS_SUPPORT_PBS_H

#include "core/cluster/cluster.h"

/* Ends the test program with a message if it cannot be read. */
struct cluster *pbs_cluster(const char *name);

/* Returns NULL and sets ERR if it cannot be read. */
struct cluster *pbs_try(const char *path, struct err *err);

/*
 * A new directory that holds each file SOURCE under its NAME; pbs_remove() removes it.
 */
struct pbs_file {
	const char *source;	/* below tests/data/pbs; NULL ends the list */
	const char *name;
};
const char *pbs_directory(const struct pbs_file *files);
void pbs_remove(void);

/* All of a file below tests/data/pbs, NUL-ended; the caller frees it with mem_free(). */
char *pbs_text(const char *name, size_t *length);

/* Row of the job with that number, the first one of an array; ROW_NONE if there is none. */
uint32_t pbs_job(const struct cluster *c, const char *job_id);
/* Row of the entity or group called NAME. */
uint32_t pbs_node(const struct cluster *c, const char *name);

#endif
