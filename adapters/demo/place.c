/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/demo/state.h"

static bool fits(const struct host *h, const struct job *job)
{
	const struct partition_info *p = &partitions[h->partition];

	return !h->down && h->cpus_used + job->cpus <= p->cpus &&
	       h->gpus_used + job->gpus <= p->gpus && h->memory_used + job->memory <= p->memory;
}

bool place_job(struct demo *d, struct job *job)
{
	uint32_t first = d->first_host[job->partition], found = 0;

	if (d->licenses_used + job->licenses > MATLAB_LICENSES)
		return false;
	for (uint32_t i = 0; i < d->host_total[job->partition] && found < job->hosts; i++)
		if (fits(&d->hosts[first + i], job))
			job->placed[found++] = first + i;
	if (found < job->hosts)
		return false;
	for (uint32_t i = 0; i < found; i++) {
		struct host *h = &d->hosts[job->placed[i]];

		h->cpus_used += job->cpus;
		h->gpus_used += job->gpus;
		h->memory_used += job->memory;
	}
	d->licenses_used += job->licenses;
	return true;
}

void release_job(struct demo *d, struct job *job)
{
	for (uint32_t i = 0; i < job->hosts; i++) {
		struct host *h = &d->hosts[job->placed[i]];

		h->cpus_used -= job->cpus;
		h->gpus_used -= job->gpus;
		h->memory_used -= job->memory;
	}
	d->licenses_used -= job->licenses;
}
