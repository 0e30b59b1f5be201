/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct: the columns of an sacct record, from its table (sacct.c) or its JSON (sacct_json.c). */
#ifndef FAIRTOP_ADAPTERS_IMPORT_SACCT_H
#define FAIRTOP_ADAPTERS_IMPORT_SACCT_H

#include "adapters/slice.h"
#include "core/base/err.h"

enum sacct_column {
	C_JOB, C_RAW, C_ACCOUNT, C_USER, C_PARTITION, C_QOS, C_CLUSTER, C_STATE, C_SUBMIT,
	C_ELIGIBLE, C_START, C_END, C_ELAPSED, C_ELAPSED_RAW, C_ALLOC_TRES, C_REQ_TRES,
	C_ALLOC_CPUS, C_NCPUS, C_REQ_CPUS, C_NNODES, C_LIMIT, C_LIMIT_RAW, C_NAME, C_COUNT
};

/*
 * Calls JOB for each job of the JSON in TEXT, which is changed in place, with the values that sacct
 * -P would print, times as Unix times; advances *LINE. ERR_INPUT for anything else.
 *
 * It reads sacct --json and /slurmdb/vX/jobs (since 21.08, dbv0.0.37), squeue --json and
 * /slurm/vX/jobs: "jobs" is a list in both; numbers are plain or {set, infinite, number}, states a
 * word, a list of words or {current}. Several documents may follow one another.
 */
typedef void sacct_job(void *context, const struct slice cells[C_COUNT]);
bool sacct_json_read(char *text, size_t length, sacct_job *job, void *context, uint64_t *line,
		     struct err *err);

#endif
