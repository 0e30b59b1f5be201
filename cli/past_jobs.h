/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past_jobs: the jobs of a recording or of a log, for a back-test. */
#ifndef FAIRTOP_CLI_PAST_JOBS_H
#define FAIRTOP_CLI_PAST_JOBS_H

#include "adapters/import/import.h"
#include "core/cluster/cluster.h"
#include "core/sim/gather.h"
#include "cli/progress.h"

#define PAST_JOBS_SPILL "/var/tmp/fairtop"	/* directory for the jobs of a long log */

struct past_jobs {
	struct replay *replay;		/* borrowed from the import, where all jobs are kept */
	struct import import;
	struct cluster *cluster;	/* the last picture, with the usage of the first one */
	struct cluster *held;		/* of a recording: the unchanged picture */
	int64_t begins;			/* the time of its first picture */
	uint32_t procs;			/* of the machine; 0: unknown */
	struct gathered gathered;	/* from a recording */
};

bool past_jobs_recorded(const char *path);	/* is PATH a recording? */

/*
 * The content decides; a log is what an import can read. P must be freed in any case, and before
 * SPILL, where its jobs may be kept.
 */
bool past_jobs_read(struct past_jobs *p, const char *path, struct spill *spill,
		    struct progress *progress, struct err *err);
void past_jobs_free(struct past_jobs *p);

#endif
