/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has how much running, up the tree, and whether one more job is within the limits: those of
 * its account and of all above, and of its own association.
 */
#include "adapters/demo/state.h"

#include "core/unknown.h"

static void add(struct load *load, const struct job *job, int times)
{
	uint64_t hosts = (uint64_t)((int64_t)job->hosts * times);

	load->jobs += (uint32_t)times;
	load->hosts += hosts;
	load->cpus += hosts * job->cpus;
	load->memory += hosts * job->memory;
	load->gpus += hosts * job->gpus;
	load->cpu_ends += (int64_t)(hosts * job->cpus) * (job->start + job->limit);
}

void tally_run(struct demo *d, const struct job *job, int times)
{
	struct assoc *assoc = &d->assocs[job->assoc];

	add(&assoc->load, job, times);
	for (uint32_t a = assoc->account; a != NONE; a = d->accounts[a].parent)
		add(&d->accounts[a].load, job, times);
	add(&d->load, job, times);
}

void tally_submit(struct demo *d, const struct job *job, int times)
{
	struct assoc *assoc = &d->assocs[job->assoc];

	assoc->load.submitted += (uint32_t)times;
	for (uint32_t a = assoc->account; a != NONE; a = d->accounts[a].parent)
		d->accounts[a].load.submitted += (uint32_t)times;
	d->load.submitted += (uint32_t)times;
}

static bool beyond(uint64_t used, uint64_t more, uint64_t limit)
{
	return limit != 0 && more != 0 && used + more > limit;
}

static const char *account_refuses(const struct demo *d, const struct account *a,
				   const struct job *job)
{
	const struct limit_info *l = a->limits;
	uint64_t cpus = (uint64_t)job->hosts * job->cpus;
	int64_t seconds = a->load.cpu_ends - (int64_t)a->load.cpus * d->now;

	if (!l)
		return NULL;
	if (beyond(a->load.jobs, 1, (uint64_t)l->jobs * d->scale))
		return "AssocGrpJobsLimit";
	if (beyond(a->load.cpus, cpus, (uint64_t)l->cpus * d->scale))
		return "AssocGrpCpuLimit";
	if (beyond(a->load.gpus, (uint64_t)job->hosts * job->gpus, (uint64_t)l->gpus * d->scale))
		return "AssocGrpGRES";
	if (beyond((uint64_t)(seconds > 0 ? seconds : 0), cpus * (uint64_t)job->limit,
		   (uint64_t)l->cpu_hours * 3600 * d->scale))
		return "AssocGrpCPURunMinutesLimit";
	return NULL;
}

const char *tally_refuses(const struct demo *d, const struct job *job)
{
	const struct assoc *assoc = &d->assocs[job->assoc];
	const char *reason = NULL;

	for (uint32_t a = assoc->account; a != NONE && !reason; a = d->accounts[a].parent) {
		const struct limit_info *l = d->accounts[a].limits;

		if (l && beyond(assoc->load.jobs, 1, l->user_jobs))
			return "AssocMaxJobsLimit";
		reason = account_refuses(d, &d->accounts[a], job);
	}
	return reason;
}
