/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/hidden_jobs.h"

#include <string.h>

#include "adapters/slurm/text_reader.h"
#include "core/base/word.h"
#include "core/cluster/job_tasks.h"

void slurm_hide_jobs(struct builder *b, const char *user)
{
	for (uint32_t row = 0; user && row < builder_rows(b, TABLE_ASSOC); row++) {
		const char *name = builder_get_text(b, F_ASSOC_USER, row);

		if (name && strcmp(name, user) == 0)
			builder_bool(b, F_ASSOC_JOBS_SHOWN, row, true);
	}
	builder_note(b, "jobs", "PrivateData hides those of others from this user: ranks, starts "
		     "and counts of jobs are unknown (operators see them)");
	builder_hidden(b, HIDDEN_JOBS);
}

/* Jobs as sdiag counts them, and the number of their users: one, or more. */
struct listed {
	uint32_t pending, running;
	bool several;
};

static struct listed count_listed(const struct builder *b)
{
	struct listed l = { 0 };
	const char *first = NULL;

	for (uint32_t row = 0; row < builder_rows(b, TABLE_JOB); row++) {
		const char *state = builder_get_text(b, F_JOB_STATE, row);
		const char *user = builder_get_text(b, F_JOB_USER, row);

		if (state && strcmp(state, "PENDING") == 0)
			l.pending += job_tasks(builder_get_text(b, F_JOB_TASKS, row));
		if (state && strcmp(state, "RUNNING") == 0)
			l.running++;
		l.several = l.several || (first && user && strcmp(first, user) != 0);
		first = first ? first : user;
	}
	return l;
}

static bool hidden_jobs_is_counted(const struct slurm_reader *r)
{
	return r->jobs_pending != U32_UNKNOWN && r->jobs_running != U32_UNKNOWN;
}

/*
 * Does slurmctld count more jobs than are listed; with HALF, more than twice as many? Its counts
 * are up to half a minute old: of jobs of several users some may have ended since, but hardly more
 * than half.
 */
static bool counts_more(const struct slurm_reader *r, const struct listed *l, bool half)
{
	uint64_t counted = (uint64_t)r->jobs_pending + r->jobs_running;
	uint64_t listed = (uint64_t)l->pending + l->running;

	return hidden_jobs_is_counted(r) && counted > (half ? 2 * listed : listed);
}

/* Jobs of sprio that no other output lists; some may have started or ended between the commands. */
static uint32_t count_unlisted(const struct slurm_reader *r)
{
	uint32_t count = 0, last = U32_UNKNOWN;

	for (uint32_t row = 0; row < builder_rows(r->b, TABLE_PRIO); row++) {
		uint32_t id = builder_get_u32(r->b, F_PRIO_JOB, row);

		if (id != last && reader_find_job(r, id) == ROW_NONE)
			count++;
		last = id;
	}
	return count;
}

/*
 * Nothing is hidden; but the list is cut if sprio has more unlisted jobs than pending ones are
 * listed, or slurmctld counts more than twice as many jobs as are listed.
 */
static void hidden_jobs_find_cut(const struct slurm_reader *r, const struct listed *l)
{
	uint32_t unlisted = count_unlisted(r);

	if (unlisted <= l->pending && !counts_more(r, l, true))
		return;
	builder_note(r->b, "jobs", "only some are listed, %s more: ranks, starts and counts of "
		     "jobs are unknown (expected all, as from scontrol show job)",
		     unlisted > l->pending ? "but sprio lists" : "but slurmctld counts");
	builder_hidden(r->b, HIDDEN_JOBS);
}

/*
 * For saved outputs it is unknown who made them. Jobs of several users, or as many as slurmctld
 * counts, are taken for all jobs; jobs of one user, or none, may be all that this user may see.
 * Without a configuration, a higher count of slurmctld shows that jobs are hidden.
 */
void slurm_hidden_jobs(struct slurm_reader *r)
{
	const struct policy *p = builder_policy(r->b);
	bool private = word_listed(p->private_data, "jobs", 4) ||
		       word_listed(p->private_data, "all", 3);
	bool known = policy_is_known(p, policy_param("PrivateData"));
	bool listing = slurm_lists_jobs(r->texts) || builder_rows(r->b, TABLE_JOB) != 0;
	struct listed listed;

	if (!listing || r->texts->reader == SLURM_OPERATOR)
		return;
	listed = count_listed(r->b);
	if (known && !private) {
		hidden_jobs_find_cut(r, &listed);
		return;
	}
	if (private && r->texts->reader == SLURM_USER_HIMSELF) {
		slurm_hide_jobs(r->b, r->texts->user);
		return;
	}
	if (counts_more(r, &listed, listed.several) && (private || !listed.several)) {
		builder_note(r->b, "jobs", "%lu of the %lu that slurmctld counts are listed: "
			     "PrivateData %s those of others: ranks, starts and counts of jobs are "
			     "unknown", (unsigned long)listed.pending + listed.running,
			     (unsigned long)r->jobs_pending + r->jobs_running,
			     private ? "hides" : "may hide");
	} else if (private && !listed.several && !hidden_jobs_is_counted(r)) {
		builder_note(r->b, "jobs", "PrivateData hides those of others from all but "
			     "operators, and those listed are %s: ranks, starts and counts of jobs "
			     "are unknown", builder_rows(r->b, TABLE_JOB) == 0 ? "none" :
			     "of one user");
	} else {
		return;
	}
	builder_hidden(r->b, HIDDEN_JOBS);
}
