/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/policy_queues.h"

#include <string.h>

#include "core/base/word.h"

/* Source: the reference of lsb.queues of LSF 10.1; ROUND_ROBIN_POLICY is volclava's. */
static const struct {
	const char *name, *meaning;
} kinds[] = {
	{ "PRIORITY", "queues are emptied by it, the largest first" },
	{ "FAIRSHARE", "shares among the queue's users and groups" },
	{ "FAIRSHARE_QUEUES", "queues that share one user fair share" },
	{ "DISPATCH_ORDER", "in which order such queues are looked at" },
	{ "CPU_TIME_FACTOR", "instead of that of lsb.params" },
	{ "RUN_TIME_FACTOR", "instead of that of lsb.params" },
	{ "RUN_JOB_FACTOR", "instead of that of lsb.params" },
	{ "FAIRSHARE_ADJUSTMENT_FACTOR", "instead of that of lsb.params" },
	{ "COMMITTED_RUN_TIME_FACTOR", "instead of that of lsb.params" },
	{ "HIST_HOURS", "instead of that of lsb.params" },
	{ "QJOB_LIMIT", "most slots of the queue's jobs" },
	{ "UJOB_LIMIT", "most slots of one user in the queue" },
	{ "PJOB_LIMIT", "most slots per CPU" },
	{ "HJOB_LIMIT", "most slots on one host" },
	{ "SLOT_POOL", "pool of queues that share slots" },
	{ "SLOT_SHARE", "percent of the pool's slots" },
	{ "MAX_SLOTS_IN_POOL", "most slots of the pool" },
	{ "USE_PRIORITY_IN_POOL", "what is left in the pool goes by PRIORITY" },
	{ "PREEMPTION", "whose jobs may be suspended for whose" },
	{ "ROUND_ROBIN_POLICY", "next is always who has the fewest slots running" },
};

static bool take(const struct cluster *c, uint32_t queue, uint32_t text,
		 struct policy_queue_row *out)
{
	const char *at = strchr(cluster_string(c, text), ':');
	const char *equals = at ? strchr(at, '=') : NULL;

	for (size_t i = 0; equals && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!word_equal_n(at + 1, (size_t)(equals - at - 1), kinds[i].name))
			continue;
		*out = (struct policy_queue_row){ cluster_text(c, F_QUEUE_NAME, queue),
						  kinds[i].name, equals + 1, kinds[i].meaning };
		return true;
	}
	return false;
}

uint32_t policy_queue_find(const struct cluster *c, uint32_t n, struct policy_queue_row *out)
{
	uint32_t count = 0;

	for (uint32_t q = 0; q < cluster_rows(c, TABLE_QUEUE); q++) {
		struct text_list list = cluster_list(c, F_QUEUE_PARAMETERS, q);

		for (uint32_t i = 0; i < list.count; i++) {
			struct policy_queue_row row;

			if (!take(c, q, list.texts[i], &row))
				continue;
			if (count == n)
				*out = row;
			count++;
		}
	}
	return count;
}
