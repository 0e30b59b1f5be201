/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/quota.h"

#include <stdio.h>

static const struct {
	const char *name;
	enum field limit, used;		/* used == F_COUNT: a limit for each job */
} counts[] = {
	{ "GrpJobs", F_ASSOC_GRP_JOBS, F_ASSOC_USED_JOBS },
	{ "GrpSubmitJobs", F_ASSOC_GRP_SUBMIT, F_ASSOC_USED_SUBMIT },
	{ "GrpJobsAccrue", F_ASSOC_GRP_ACCRUE, F_ASSOC_USED_ACCRUE },
	{ "MaxJobs", F_ASSOC_MAX_JOBS, F_ASSOC_USED_JOBS },
	{ "MaxSubmitJobs", F_ASSOC_MAX_SUBMIT, F_ASSOC_USED_SUBMIT },
};

static const struct {
	const char *name;
	enum field limit, used;
	double scale;			/* from the unit of used to that of the limit */
} lists[] = {
	{ "GrpTRES", F_ASSOC_GRP_TRES, F_ASSOC_USED_TRES, 1 },
	{ "GrpTRESRunMins", F_ASSOC_GRP_TRES_RUN_MINS, F_ASSOC_USED_TRES_RUN_SECS, 1.0 / 60 },
	{ "GrpTRESMins", F_ASSOC_GRP_TRES_MINS, F_ASSOC_USED_TRES_SECS, 1.0 / 60 },
	{ "MaxTRESPerJob", F_ASSOC_MAX_TRES, F_COUNT, 1 },
	{ "MaxTRESMinsPerJob", F_ASSOC_MAX_TRES_MINS, F_COUNT, 1 },
};

/* Of a list that is known, what is not named is 0. */
static double amount(struct tres_list list, uint32_t tres)
{
	for (uint32_t i = 0; i < list.count; i++) {
		if (list.items[i].tres == tres)
			return list.items[i].count;
	}
	return list.items != NULL ? 0 : F64_UNKNOWN;
}

static double count_of(const struct cluster *c, enum field field, uint32_t assoc)
{
	uint32_t n = cluster_u32(c, field, assoc);

	return n == U32_UNKNOWN || n == U32_INFINITE ? F64_UNKNOWN : n;
}

static void list_counts(const struct cluster *c, uint32_t assoc, quota_each *each, void *context)
{
	struct quota q;

	for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
		bool of_users = counts[i].name[0] == 'M' && !cluster_is_user(c, assoc);

		q.limit = count_of(c, counts[i].limit, assoc);
		if (!f64_known(q.limit))
			continue;
		/* What an account says of each of its users is not about all of them together. */
		q.used = of_users ? F64_UNKNOWN : count_of(c, counts[i].used, assoc);
		snprintf(q.name, sizeof q.name, "%s", counts[i].name);
		each(context, &q);
	}
}

static void list_tres(const struct cluster *c, uint32_t assoc, quota_each *each, void *context)
{
	struct quota q;

	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
		struct tres_list limits = cluster_tres(c, lists[i].limit, assoc);
		for (uint32_t j = 0; j < limits.count; j++) {
			q.limit = limits.items[j].count;
			q.used = F64_UNKNOWN;
			if (lists[i].used != F_COUNT)
				q.used = lists[i].scale *
					 amount(cluster_tres(c, lists[i].used, assoc),
						limits.items[j].tres);
			snprintf(q.name, sizeof q.name, "%s %s", lists[i].name,
				 cluster_tres_name(c, limits.items[j].tres));
			each(context, &q);
		}
	}
}

void quota_list(const struct cluster *c, uint32_t assoc, quota_each *each, void *context)
{
	struct quota wall = { .name = "GrpWall" };
	int64_t seconds = cluster_i64(c, F_ASSOC_GRP_WALL, assoc);

	list_counts(c, assoc, each, context);
	if (seconds != I64_UNKNOWN && seconds != I64_INFINITE) {
		wall.limit = (double)seconds / 60;
		wall.used = cluster_f64(c, F_ASSOC_USED_WALL, assoc) / 60;
		each(context, &wall);
	}
	list_tres(c, assoc, each, context);
}

static void keep_fullest(void *context, const struct quota *q)
{
	double *fullest = context, part = q->limit > 0 ? q->used / q->limit : F64_UNKNOWN;

	if (f64_known(part) && (!f64_known(*fullest) || part > *fullest))
		*fullest = part;
}

double quota_fullest(const struct cluster *c, uint32_t assoc)
{
	double fullest = F64_UNKNOWN;

	quota_list(c, assoc, keep_fullest, &fullest);
	return fullest;
}
