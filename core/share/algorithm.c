/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The algorithm that the policy of a cluster selects, and its one parameter. */
#include "core/share/fairshare.h"

#include <string.h>

enum fs_algorithm fs_algorithm_of(uint32_t flags)
{
	if (flags & PF_DEPTH_OBLIVIOUS)
		return FS_DEPTH_OBLIVIOUS;
	return flags & PF_NO_FAIR_TREE ? FS_CLASSIC : FS_FAIR_TREE;
}

/* Only Fair Tree reports a LevelFS. */
static bool reports_level(const struct cluster *c)
{
	const double *level = cluster_col_f64(c, F_ASSOC_R_LEVEL_FS);
	uint32_t n = cluster_rows(c, TABLE_ASSOC), i = 0;

	while (level && i < n && !(level[i] > 0))
		i++;
	return level && i < n;
}

double fs_damping(const struct cluster *c)
{
	return policy_hides(cluster_policy(c), "FairShareDampeningFactor") ?
	       F64_UNKNOWN : cluster_policy(c)->damping;
}

enum fs_algorithm fs_algorithm_of_cluster(const struct cluster *c)
{
	switch (policy_scheduler_of(cluster_meta(c)->kind)) {
	case POLICY_OF_PBS:
		return FS_PBS;
	case POLICY_OF_LSF:
		return FS_LSF;
	case POLICY_OF_SLURM:
		break;
	}
	if (policy_hides(cluster_policy(c), "PriorityFlags") && !reports_level(c))
		return FS_CLASSIC;
	return fs_algorithm_of(cluster_policy(c)->flags);
}
