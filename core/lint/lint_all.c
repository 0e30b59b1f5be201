/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/lint/lint_all.h"

#include "core/lint/lint_pbs.h"
#include "core/lint/lint_pools.h"
#include "core/lint/lint_slurm.h"

void lint_all(const struct model *model, const struct jobs *jobs, struct lint *l)
{
	const char *kind = cluster_meta(model->cluster)->kind;

	lint_pools(model->cluster, l);
	if (policy_scheduler_of(kind) == POLICY_OF_SLURM)
		lint_slurm(model, jobs, l);
	lint_pbs(model, l);
	lint_sort(l);
}
