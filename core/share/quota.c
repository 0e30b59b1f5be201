/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/quota.h"

#include <stdio.h>
#include <string.h>

#define MINUTE 60.0

/* Used is F_COUNT where the limit is one of each job, user or account. */
struct count_limit {
	const char *name;
	enum field limit, used;
};

struct list_limit {
	const char *name;
	enum field limit, used;
	double scale;			/* from the unit of used to that of the limit */
};

#define COUNTS_MOST 5
#define LISTS_MOST 7

/* What limits one kind of owner; a row without a name ends a table. */
struct limits_of {
	enum field wall, wall_used, wall_each;
	struct count_limit counts[COUNTS_MOST + 1];
	struct list_limit lists[LISTS_MOST + 1];
};

static const struct limits_of of_assoc = {
	F_ASSOC_GRP_WALL, F_ASSOC_USED_WALL, F_ASSOC_MAX_WALL,
	{
		{ "GrpJobs", F_ASSOC_GRP_JOBS, F_ASSOC_USED_JOBS },
		{ "GrpSubmitJobs", F_ASSOC_GRP_SUBMIT, F_ASSOC_USED_SUBMIT },
		{ "GrpJobsAccrue", F_ASSOC_GRP_ACCRUE, F_ASSOC_USED_ACCRUE },
		{ "MaxJobs", F_ASSOC_MAX_JOBS, F_ASSOC_USED_JOBS },
		{ "MaxSubmitJobs", F_ASSOC_MAX_SUBMIT, F_ASSOC_USED_SUBMIT },
	},
	{
		{ "GrpTRES", F_ASSOC_GRP_TRES, F_ASSOC_USED_TRES, 1 },
		{ "GrpTRESRunMins", F_ASSOC_GRP_TRES_RUN_MINS, F_ASSOC_USED_TRES_RUN_SECS,
		  1 / MINUTE },
		{ "GrpTRESMins", F_ASSOC_GRP_TRES_MINS, F_ASSOC_USED_TRES_SECS, 1 / MINUTE },
		{ "MaxTRESPerJob", F_ASSOC_MAX_TRES, F_COUNT, 1 },
		{ "MaxTRESMinsPerJob", F_ASSOC_MAX_TRES_MINS, F_COUNT, 1 },
	},
};

static const struct limits_of of_qos = {
	F_QOS_GRP_WALL, F_QOS_USED_WALL, F_QOS_MAX_WALL,
	{
		{ "GrpJobs", F_QOS_GRP_JOBS, F_QOS_USED_JOBS },
		{ "GrpJobsAccrue", F_QOS_GRP_ACCRUE, F_QOS_USED_ACCRUE },
		{ "MaxJobsPerUser", F_QOS_MAX_JOBS_USER, F_COUNT },
		{ "MaxJobsPerAccount", F_QOS_MAX_JOBS_ACCOUNT, F_COUNT },
	},
	{
		{ "GrpTRES", F_QOS_GRP_TRES, F_QOS_USED_TRES, 1 },
		{ "GrpTRESRunMins", F_QOS_GRP_TRES_RUN_MINS, F_QOS_USED_TRES_RUN_SECS,
		  1 / MINUTE },
		{ "GrpTRESMins", F_QOS_GRP_TRES_MINS, F_QOS_USED_TRES_SECS, 1 / MINUTE },
		{ "MaxTRESPerJob", F_QOS_MAX_TRES, F_COUNT, 1 },
		{ "MaxTRESMinsPerJob", F_QOS_MAX_TRES_MINS, F_COUNT, 1 },
		{ "MaxTRESPerUser", F_QOS_MAX_TRES_USER, F_COUNT, 1 },
		{ "MaxTRESPerAccount", F_QOS_MAX_TRES_ACCOUNT, F_COUNT, 1 },
	},
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

static double count_of(const struct cluster *c, enum field field, uint32_t row)
{
	uint32_t n = field == F_COUNT ? U32_UNKNOWN : cluster_u32(c, field, row);

	return n == U32_UNKNOWN || n == U32_INFINITE ? F64_UNKNOWN : n;
}

static void list_counts(const struct cluster *c, const struct limits_of *of, uint32_t row,
			quota_each *each, void *context)
{
	struct quota q = { .tres = ROW_NONE };

	for (size_t i = 0; of->counts[i].name != NULL; i++) {
		bool of_users = of == &of_assoc && of->counts[i].name[0] == 'M' &&
				!cluster_is_user(c, row);

		q.limit = count_of(c, of->counts[i].limit, row);
		if (!f64_known(q.limit))
			continue;
		/* What an account says of each of its users is not about all of them together. */
		q.used = of_users ? F64_UNKNOWN : count_of(c, of->counts[i].used, row);
		snprintf(q.name, sizeof q.name, "%s", of->counts[i].name);
		each(context, &q);
	}
}

static void list_wall(const struct cluster *c, const struct limits_of *of, uint32_t row,
		      quota_each *each, void *context)
{
	struct quota q = { .tres = ROW_NONE };
	int64_t group = cluster_i64(c, of->wall, row), job = cluster_i64(c, of->wall_each, row);

	if (group != I64_UNKNOWN && group != I64_INFINITE) {
		snprintf(q.name, sizeof q.name, "GrpWall");
		q.limit = (double)group / MINUTE;
		q.used = cluster_f64(c, of->wall_used, row) / MINUTE;
		each(context, &q);
	}
	if (job != I64_UNKNOWN && job != I64_INFINITE) {
		snprintf(q.name, sizeof q.name, "MaxWallDurationPerJob");
		q.limit = (double)job / MINUTE;
		q.used = F64_UNKNOWN;
		each(context, &q);
	}
}

static void list_tres(const struct cluster *c, const struct limits_of *of, uint32_t row,
		      quota_each *each, void *context)
{
	struct quota q;

	for (size_t i = 0; of->lists[i].name != NULL; i++) {
		const struct list_limit *l = &of->lists[i];
		struct tres_list limits = cluster_tres(c, l->limit, row);

		for (uint32_t j = 0; j < limits.count; j++) {
			q.tres = limits.items[j].tres;
			q.limit = limits.items[j].count;
			q.used = F64_UNKNOWN;
			if (l->used != F_COUNT)
				q.used = l->scale * amount(cluster_tres(c, l->used, row), q.tres);
			snprintf(q.name, sizeof q.name, "%s %s", l->name,
				 cluster_tres_name(c, q.tres));
			each(context, &q);
		}
	}
}

static void list_limits(const struct cluster *c, const struct limits_of *of, uint32_t row,
			quota_each *each, void *context)
{
	list_counts(c, of, row, each, context);
	list_wall(c, of, row, each, context);
	list_tres(c, of, row, each, context);
}

void quota_list(const struct cluster *c, uint32_t assoc, quota_each *each, void *context)
{
	list_limits(c, &of_assoc, assoc, each, context);
}

void quota_qos_list(const struct cluster *c, uint32_t qos, quota_each *each, void *context)
{
	list_limits(c, &of_qos, qos, each, context);
}

static void append(char *buf, size_t size, const char *name)
{
	size_t used = strlen(buf);

	snprintf(buf + used, size - used, "%s%s", used > 0 ? ", " : "", name);
}

void quota_qos_untold(const struct cluster *c, uint32_t qos, char *buf, size_t size)
{
	buf[0] = '\0';
	for (size_t i = 0; of_qos.counts[i].name != NULL; i++) {
		if (cluster_u32(c, of_qos.counts[i].limit, qos) == U32_UNKNOWN)
			append(buf, size, of_qos.counts[i].name);
	}
	if (cluster_i64(c, of_qos.wall, qos) == I64_UNKNOWN)
		append(buf, size, "GrpWall");
	for (size_t i = 0; of_qos.lists[i].name != NULL; i++) {
		if (cluster_tres(c, of_qos.lists[i].limit, qos).items == NULL)
			append(buf, size, of_qos.lists[i].name);
	}
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
