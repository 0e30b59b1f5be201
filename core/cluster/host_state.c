/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/host_state.h"

#include <string.h>

#include "core/base/word.h"
#include "core/cluster/sched_view.h"

enum host_may { HOST_MAY, HOST_MAY_NOT, HOST_MAY_UNKNOWN };

/* Slurm: each of these words keeps jobs away. */
static const char *const slurm_keeps[] = {
	"DOWN", "ERROR", "UNKNOWN", "FUTURE", "DYNAMIC_FUTURE", "DRAIN", "DRAINED", "DRAINING",
	"FAIL", "FAILING", "NOT_RESPONDING", "NO_RESPOND", "MAINT", "MAINTENANCE", "RESERVED",
	"RES", "POWERING_DOWN", "POWER_DOWN", "POWER_DRAIN", "REBOOT_ISSUED", "INVALID",
	"INVALID_REG", "INVAL", "BLOCKED", "PERFCTRS", NULL
};

/* PBS uses vnodes in these states only. A full one merely has no free resources now. */
static const char *const pbs_lets[] = { "free", "sleep", NULL };
/* Known words that make it unusable; any other word is unknown, as is "state-unknown". */
static const char *const pbs_keeps[] = {
	"offline", "offline_by_mom", "down", "stale", "busy", "job-busy", "job-exclusive",
	"resv-exclusive", "provisioning", "wait-provisioning", "maintenance", "unresolvable",
	"initializing", "deleted", "job-sharing", NULL
};
static const char *const lsf_lets[] = { "ok", "closed_Full", NULL };

static bool host_state_is_one_of(const char *const *words, const char *word, size_t length)
{
	while (*words && !word_equal_n(word, length, *words))
		words++;
	return *words != NULL;
}

/* Without -w, bhosts reports full hosts as "closed", too. */
static bool is_full(const struct cluster *c, uint32_t host)
{
	uint32_t used = cluster_u32(c, F_HOST_SLOTS_USED, host);
	uint32_t slots = cluster_u32(c, F_HOST_SLOTS, host);

	return used < U32_UNKNOWN && slots < U32_UNKNOWN && used >= slots;
}

/* "IDLE+DRAIN", "MIXED*" */
static enum host_may slurm_may(const char *state)
{
	while (*state) {
		size_t n = strcspn(state, "+, *~#$@^!%");

		/* A star marks a node that does not respond. */
		if ((n > 0 && host_state_is_one_of(slurm_keeps, state, n)) || state[n] == '*')
			return HOST_MAY_NOT;
		state += n + (state[n] != '\0');
	}
	return HOST_MAY;
}

/* "free", "offline,down" */
static enum host_may pbs_may(const char *state)
{
	enum host_may may = *state ? HOST_MAY : HOST_MAY_UNKNOWN;

	while (*state) {
		size_t n = strcspn(state, ", ");

		if (n > 0 && host_state_is_one_of(pbs_keeps, state, n))
			return HOST_MAY_NOT;
		if (n > 0 && !host_state_is_one_of(pbs_lets, state, n))
			may = HOST_MAY_UNKNOWN;
		state += n + (state[n] != '\0');
	}
	return may;
}

static bool lsf_usable(const struct cluster *c, uint32_t host, const char *state)
{
	return host_state_is_one_of(lsf_lets, state, strlen(state)) ||
	       (word_equal(state, "closed") && is_full(c, host));
}

static enum host_may host_may(const struct cluster *c, uint32_t host)
{
	const char *state = cluster_text(c, F_HOST_STATE, host);
	enum policy_scheduler scheduler = policy_scheduler_of(cluster_meta(c)->kind);

	if (host_elsewhere(c, host))
		return HOST_MAY_NOT;
	if (!state)
		return scheduler == POLICY_OF_PBS ? HOST_MAY_UNKNOWN : HOST_MAY;
	if (scheduler == POLICY_OF_LSF)
		return lsf_usable(c, host, state) ? HOST_MAY : HOST_MAY_NOT;
	return scheduler == POLICY_OF_PBS ? pbs_may(state) : slurm_may(state);
}

bool host_elsewhere(const struct cluster *c, uint32_t host)
{
	return policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_PBS &&
	       sched_of_partition(c, cluster_text(c, F_HOST_SCHED_PARTITION, host)) !=
	       sched_shown(c);
}

bool queue_elsewhere(const struct cluster *c, uint32_t queue)
{
	const char *name = queue == ROW_NONE ? NULL : cluster_text(c, F_QUEUE_PARTITION, queue);

	return sched_of_partition(c, name) != sched_shown(c);
}

bool host_usable(const struct cluster *c, uint32_t host)
{
	return host_may(c, host) == HOST_MAY;
}

bool host_known(const struct cluster *c, uint32_t host)
{
	return host_may(c, host) != HOST_MAY_UNKNOWN;
}

bool host_reported(const struct cluster *c, uint32_t host)
{
	return cluster_text(c, F_HOST_STATE, host) &&
	       (cluster_u32(c, F_HOST_SLOTS, host) >= U32_UNKNOWN ||
		cluster_u32(c, F_HOST_SLOTS_USED, host) < U32_UNKNOWN);
}

bool host_counts(const struct cluster *c, uint32_t host)
{
	return cluster_text(c, F_HOST_STATE, host) || !cluster_col(c, F_HOST_STATE) ||
	       policy_scheduler_of(cluster_meta(c)->kind) != POLICY_OF_LSF;
}

uint32_t hosts_usable(const struct cluster *c)
{
	uint32_t hosts = cluster_rows(c, TABLE_HOST), usable = 0;

	for (uint32_t h = 0; h < hosts; h++)
		usable += host_counts(c, h) && host_usable(c, h);
	return usable;
}

uint32_t hosts_unknown(const struct cluster *c)
{
	uint32_t hosts = cluster_rows(c, TABLE_HOST), unknown = 0;

	for (uint32_t h = 0; h < hosts; h++)
		unknown += !host_known(c, h);
	return unknown;
}
