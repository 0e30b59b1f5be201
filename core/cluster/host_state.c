/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/host_state.h"

#include <string.h>

#include "core/base/word.h"

/* Slurm: words of which one is enough to keep jobs away. */
static const char *const slurm_keeps[] = {
	"DOWN", "ERROR", "UNKNOWN", "FUTURE", "DYNAMIC_FUTURE", "DRAIN", "DRAINED", "DRAINING",
	"FAIL", "FAILING", "NOT_RESPONDING", "NO_RESPOND", "MAINT", "MAINTENANCE", "RESERVED",
	"RES", "POWERING_DOWN", "POWER_DOWN", "POWER_DRAIN", "REBOOT_ISSUED", "INVALID",
	"INVALID_REG", "INVAL", "BLOCKED", "PERFCTRS", NULL
};

/* The only words with which one is looked at. A full host only has no room as things are. */
static const char *const pbs_lets[] = { "free", "sleep", NULL };
static const char *const lsf_lets[] = { "ok", "closed_Full", NULL };

static bool is_one_of(const char *const *words, const char *word, size_t length)
{
	while (*words && !word_equal_n(word, length, *words))
		words++;
	return *words != NULL;
}

/* Without -w bhosts says "closed" of full hosts, too. */
static bool is_full(const struct cluster *c, uint32_t host)
{
	uint32_t used = cluster_u32(c, F_HOST_SLOTS_USED, host);
	uint32_t slots = cluster_u32(c, F_HOST_SLOTS, host);

	return used < U32_UNKNOWN && slots < U32_UNKNOWN && used >= slots;
}

bool host_usable(const struct cluster *c, uint32_t host)
{
	const char *state = cluster_text(c, F_HOST_STATE, host);
	enum policy_scheduler scheduler = policy_scheduler_of(cluster_meta(c)->kind);
	bool is_pbs = scheduler == POLICY_OF_PBS;

	if (!state)
		return true;
	if (scheduler == POLICY_OF_LSF)
		return is_one_of(lsf_lets, state, strlen(state)) ||
		       (word_equal(state, "closed") && is_full(c, host));
	while (*state) {
		size_t n = strcspn(state, "+, *~#$@^!%");

		if (n > 0 && is_one_of(is_pbs ? pbs_lets : slurm_keeps, state, n) != is_pbs)
			return false;
		/* Slurm marks a node that does not answer by a star. */
		if (!is_pbs && state[n] == '*')
			return false;
		state += n + (state[n] != '\0');
	}
	return true;
}

bool host_told(const struct cluster *c, uint32_t host)
{
	return cluster_text(c, F_HOST_STATE, host) &&
	       (cluster_u32(c, F_HOST_SLOTS, host) >= U32_UNKNOWN ||
		cluster_u32(c, F_HOST_SLOTS_USED, host) < U32_UNKNOWN);
}

uint32_t hosts_usable(const struct cluster *c)
{
	uint32_t hosts = cluster_rows(c, TABLE_HOST), usable = 0;

	for (uint32_t h = 0; h < hosts; h++)
		usable += host_usable(c, h);
	return usable;
}
