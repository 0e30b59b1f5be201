/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The scheduler's log, read with two jobs: whatever it says, both jobs are in the cluster. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/pbs/pbs_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char jobs[] = "{\"timestamp\":1795146728,\"Jobs\":{"
		      "\"75.pbshead\":{\"job_state\":\"Q\",\"euser\":\"u\"},"
		      "\"70[].pbshead\":{\"job_state\":\"B\",\"euser\":\"u\"}}}";
	struct pbs_texts texts = { .time = 0 };
	struct builder *b = builder_new();
	char *log = malloc(size + 1);
	struct cluster *c;

	if (!log)
		abort();
	memcpy(log, data, size);
	log[size] = '\0';
	texts.kind[PBS_JOBS] = (struct pbs_text){ "qstat", jobs, strlen(jobs), NULL, true };
	texts.kind[PBS_LOG] = (struct pbs_text){ "sched_log", log, size, NULL, true };
	if (!pbs_text_build(&texts, b, NULL))
		abort();
	c = builder_seal(b, NULL);
	if (!c || cluster_rows(c, TABLE_JOB) != 2)
		abort();
	cluster_free(c);
	free(log);
	return 0;
}
