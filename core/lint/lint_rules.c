/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every check of lint: its code, and what it finds. */
#include <string.h>

#include "core/lint/lint.h"

const struct lint_rule lint_rules[] = {
	{ "S1", "Slurm", "a weight below 1000: too small for the resolution of its factor" },
	{ "S2", "Slurm", "a factor that can never matter, or that always wins" },
	{ "S3", "Slurm", "the age factor reaches 1 within the typical wait time" },
	{ "S4", "Slurm", "the weights add up to more than 2^32-1" },
	{ "S5", "Slurm", "the half-life is shorter than the longest job, or than ten passes" },
	{ "S6", "Slurm", "half-life 0 without a period after which usage is reset" },
	{ "S7", "Slurm", "a word in PriorityFlags that no version knows" },
	{ "S8", "Slurm", "a parameter that no version knows (in the text of slurm.conf)" },
	{ "S9", "Slurm", "flags that turn each other off, or include each other" },
	{ "S10", "Slurm", "no accounting database, or no multifactor plugin" },
	{ "S11", "Slurm", "usage, but no shares" },
	{ "S12", "Slurm", "fairshare=parent below fairshare=parent" },
	{ "S13", "Slurm", "a user without shares" },
	{ "S14", "Slurm", "damping that has no effect, or makes all factors nearly equal" },
	{ "S15", "Slurm", "a QOS whose jobs are not charged" },
	{ "S16", "Slurm", "TRES weights that bill nothing, or are of a TRES that is not counted" },
	{ "S17", "Slurm", "one account has more than 90 % of the first level" },
	{ "S18", "Slurm", "a parameter that is set twice (in the text of slurm.conf)" },
	{ "S19", "Slurm", "a value that slurmctld rejects" },
	{ "P1", "PBS", "pending jobs of an entity without a share of the tree" },
	{ "P2", "PBS", "a job that can never run, according to the scheduler" },
	{ "P3", "PBS", "jobs in a queue that is not started" },
	{ "P4", "PBS", "a word in job_sort_formula that has no effect" },
	{ "P5", "PBS", "shares, but fair_share is off and the formula does not use fair share" },
	{ "P6", "PBS", "a value that pbs_sched rejects; a decay that never ends, or is none" },
	{ "E1", "LSF", "SLOT_SHARE is not an integer from 1 to 100" },
	{ "E2", "LSF", "SLOT_POOL is not a pool name" },
	{ "E3", "LSF", "only one of SLOT_POOL and SLOT_SHARE" },
	{ "E4", "LSF", "queues of a pool on different hosts" },
	{ "E5", "LSF", "a host of a pool without a slot limit" },
	{ "E6", "LSF", "a queue of a pool preempts or is preempted" },
	{ "E7", "LSF", "a queue of a pool in a set of FAIRSHARE_QUEUES" },
	{ "E8", "LSF", "a pool parameter that is set twice in one queue" },
	{ "W1", "LSF", "SLOT_RESERVE in a queue of a pool" },
	{ "W2", "LSF", "SLOT_RESERVE and BACKFILL in one queue" },
	{ "W3", "LSF", "shares of a pool that do not add up to 100" },
	{ "W4", "LSF", "a pool's parameter in a queue that is not its first" },
	{ "W5", "LSF", "a host of a pool in a host partition" },
	{ "W6", "LSF", "a queue outside the pool that comes first on its hosts" },
	{ "W7", "LSF", "MAX_SLOTS_IN_POOL without effect" },
	{ "W8", "LSF", "two pools on the same hosts" },
	{ "W9", "LSF", "a queue that gets nothing at first" },
	{ "W10", "LSF", "RUN_JOB_FACTOR of a queue, which volclava does not use" },
	{ "W11", "LSF", "HIST_HOURS of a queue that is not a whole number: volclava ignores it" },
};
const size_t lint_rules_count = sizeof(lint_rules) / sizeof(lint_rules[0]);

const struct lint_rule *lint_rule(const char *code)
{
	for (size_t i = 0; i < lint_rules_count; i++) {
		if (strcmp(lint_rules[i].code, code) == 0)
			return &lint_rules[i];
	}
	return NULL;
}
