/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs: recordings of a real OpenPBS as clusters.
 *
 * NAMES are files below tests/data/pbs ("02_formula/usage"), each read as what it is; a directory
 * ("02_formula") stands for all it holds.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_PBS_H
#define FAIRTOP_TESTS_SUPPORT_PBS_H

#include "core/cluster/cluster.h"

/* Ends the test program with a message if it cannot be read. */
struct cluster *pbs_cluster(const char *name);

/* NULL and ERR if it cannot be read. */
struct cluster *pbs_try(const char *path, struct err *err);

/*
 * A directory of its own with the files SOURCES (ended by NULL) as NAMES; removed by pbs_remove().
 */
struct pbs_file {
	const char *source;	/* below tests/data/pbs; NULL ends the list */
	const char *name;
};
const char *pbs_directory(const struct pbs_file *files);
void pbs_remove(void);

/* All of a file below tests/data/pbs, NUL-ended; the caller frees it with mem_free(). */
char *pbs_text(const char *name, size_t *length);

/* Row of the job with that number; ROW_NONE. The first, if it is an array's. */
uint32_t pbs_job(const struct cluster *c, const char *job_id);
/* Row of the entity or group called NAME. */
uint32_t pbs_node(const struct cluster *c, const char *name);

#endif
