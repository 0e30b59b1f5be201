/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past_jobs: the jobs of a recording or of a log, for a back-test. */
#ifndef FAIRTOP_CLI_PAST_JOBS_H
#define FAIRTOP_CLI_PAST_JOBS_H

#include "adapters/import/import.h"
#include "core/cluster/cluster.h"
#include "core/sim/gather.h"
#include "cli/progress.h"

#define PAST_JOBS_ROOM "/var/tmp/fairtop"	/* beside it the jobs of a long log may lie */

struct past_jobs {
	struct replay *replay;		/* borrowed: of the import, where jobs of either kind lie */
	struct import import;
	struct cluster *cluster;	/* the last picture, with the usage of the first one */
	struct cluster *held;		/* of a recording: as it is there */
	int64_t begins;			/* the time of its first picture */
	uint32_t procs;			/* of the machine; 0: it does not tell */
	struct gathered gathered;	/* out of a recording */
};

bool past_jobs_recorded(const char *path);	/* is it a recording? */

/*
 * Told by content, a log also by what can read it. P is to be freed in any case, before ROOM, where
 * its jobs may lie.
 */
bool past_jobs_read(struct past_jobs *p, const char *path, struct room *room,
		    struct progress *progress, struct err *err);
void past_jobs_free(struct past_jobs *p);

#endif
