/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/quota.h"

#include <stdio.h>
#include <string.h>

#define MINUTE 60.0

/* Used is F_COUNT where the limit is one of each job, user or account. */
struct count_limit {
	enum field limit, used;
};

struct list_limit {
	enum field limit, used;
	double scale;			/* from the unit of used to that of the limit */
};

#define COUNTS_MOST 5
#define LISTS_MOST 7

/* What limits one kind of owner. */
struct limits_of {
	enum field wall, wall_used, wall_each;
	size_t count, list_count;
	struct count_limit counts[COUNTS_MOST];
	struct list_limit lists[LISTS_MOST];
};

static const struct limits_of of_assoc = {
	F_ASSOC_GRP_WALL, F_ASSOC_USED_WALL, F_ASSOC_MAX_WALL, 5, 5,
	{
		{ F_ASSOC_GRP_JOBS, F_ASSOC_USED_JOBS },
		{ F_ASSOC_GRP_SUBMIT, F_ASSOC_USED_SUBMIT },
		{ F_ASSOC_GRP_ACCRUE, F_ASSOC_USED_ACCRUE },
		{ F_ASSOC_MAX_JOBS, F_ASSOC_USED_JOBS },
		{ F_ASSOC_MAX_SUBMIT, F_ASSOC_USED_SUBMIT },
	},
	{
		{ F_ASSOC_GRP_TRES, F_ASSOC_USED_TRES, 1 },
		{ F_ASSOC_GRP_TRES_RUN_MINS, F_ASSOC_USED_TRES_RUN_SECS, 1 / MINUTE },
		{ F_ASSOC_GRP_TRES_MINS, F_ASSOC_USED_TRES_SECS, 1 / MINUTE },
		{ F_ASSOC_MAX_TRES, F_COUNT, 1 },
		{ F_ASSOC_MAX_TRES_MINS, F_COUNT, 1 },
	},
};

static const struct limits_of of_qos = {
	F_QOS_GRP_WALL, F_QOS_USED_WALL, F_QOS_MAX_WALL, 4, 7,
	{
		{ F_QOS_GRP_JOBS, F_QOS_USED_JOBS },
		{ F_QOS_GRP_ACCRUE, F_QOS_USED_ACCRUE },
		{ F_QOS_MAX_JOBS_USER, F_COUNT },
		{ F_QOS_MAX_JOBS_ACCOUNT, F_COUNT },
	},
	{
		{ F_QOS_GRP_TRES, F_QOS_USED_TRES, 1 },
		{ F_QOS_GRP_TRES_RUN_MINS, F_QOS_USED_TRES_RUN_SECS, 1 / MINUTE },
		{ F_QOS_GRP_TRES_MINS, F_QOS_USED_TRES_SECS, 1 / MINUTE },
		{ F_QOS_MAX_TRES, F_COUNT, 1 },
		{ F_QOS_MAX_TRES_MINS, F_COUNT, 1 },
		{ F_QOS_MAX_TRES_USER, F_COUNT, 1 },
		{ F_QOS_MAX_TRES_ACCOUNT, F_COUNT, 1 },
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

/* Slurm's word, which is the first one of the field's meaning: "GrpTRES limits". */
static void put_name(char *buf, size_t size, enum field limit)
{
	const char *meaning = field_info[limit].meaning;

	snprintf(buf, size, "%.*s", (int)strcspn(meaning, " "), meaning);
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

	for (size_t i = 0; i < of->count; i++) {
		bool of_users;

		q.limit = count_of(c, of->counts[i].limit, row);
		if (!f64_known(q.limit))
			continue;
		put_name(q.name, sizeof q.name, of->counts[i].limit);
		of_users = of == &of_assoc && q.name[0] == 'M' && !cluster_is_user(c, row);
		/* What an account says of each of its users is not about all of them together. */
		q.used = of_users ? F64_UNKNOWN : count_of(c, of->counts[i].used, row);
		each(context, &q);
	}
}

static void list_wall(const struct cluster *c, const struct limits_of *of, uint32_t row,
		      quota_each *each, void *context)
{
	struct quota q = { .tres = ROW_NONE };
	int64_t group = cluster_i64(c, of->wall, row), job = cluster_i64(c, of->wall_each, row);

	if (group != I64_UNKNOWN && group != I64_INFINITE) {
		put_name(q.name, sizeof q.name, of->wall);
		q.limit = (double)group / MINUTE;
		q.used = cluster_f64(c, of->wall_used, row) / MINUTE;
		each(context, &q);
	}
	if (job != I64_UNKNOWN && job != I64_INFINITE) {
		put_name(q.name, sizeof q.name, of->wall_each);
		q.limit = (double)job / MINUTE;
		q.used = F64_UNKNOWN;
		each(context, &q);
	}
}

static void list_tres(const struct cluster *c, const struct limits_of *of, uint32_t row,
		      quota_each *each, void *context)
{
	struct quota q;

	for (size_t i = 0; i < of->list_count; i++) {
		const struct list_limit *l = &of->lists[i];
		struct tres_list limits = cluster_tres(c, l->limit, row);

		for (uint32_t j = 0; j < limits.count; j++) {
			q.tres = limits.items[j].tres;
			q.limit = limits.items[j].count;
			q.used = F64_UNKNOWN;
			if (l->used != F_COUNT)
				q.used = l->scale * amount(cluster_tres(c, l->used, row), q.tres);
			put_name(q.name, sizeof q.name, l->limit);
			snprintf(q.name + strlen(q.name), sizeof q.name - strlen(q.name), " %s",
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

static void append(char *buf, size_t size, enum field limit)
{
	size_t used = strlen(buf);

	if (used > 0 && used + 2 < size) {
		memcpy(buf + used, ", ", 3);
		used += 2;
	}
	put_name(buf + used, size - used, limit);
}

void quota_qos_untold(const struct cluster *c, uint32_t qos, char *buf, size_t size)
{
	buf[0] = '\0';
	for (size_t i = 0; i < of_qos.count; i++) {
		if (cluster_u32(c, of_qos.counts[i].limit, qos) == U32_UNKNOWN)
			append(buf, size, of_qos.counts[i].limit);
	}
	if (cluster_i64(c, of_qos.wall, qos) == I64_UNKNOWN)
		append(buf, size, of_qos.wall);
	for (size_t i = 0; i < of_qos.list_count; i++) {
		if (cluster_tres(c, of_qos.lists[i].limit, qos).items == NULL)
			append(buf, size, of_qos.lists[i].limit);
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
