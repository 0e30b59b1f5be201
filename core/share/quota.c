/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/quota.h"

#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/cluster/limit.h"

#define MINUTE 60.0

/* Fields per kind of owner, in order of output. */
static const enum field of_assoc[] = {
	F_ASSOC_GRP_JOBS, F_ASSOC_GRP_SUBMIT, F_ASSOC_GRP_ACCRUE, F_ASSOC_MAX_JOBS,
	F_ASSOC_MAX_SUBMIT, F_ASSOC_GRP_WALL, F_ASSOC_MAX_WALL, F_ASSOC_GRP_TRES,
	F_ASSOC_GRP_TRES_RUN_MINS, F_ASSOC_GRP_TRES_MINS, F_ASSOC_MAX_TRES, F_ASSOC_MAX_TRES_MINS,
};
static const enum field of_qos[] = {
	F_QOS_GRP_JOBS, F_QOS_GRP_ACCRUE, F_QOS_MAX_JOBS_USER, F_QOS_MAX_JOBS_ACCOUNT,
	F_QOS_GRP_WALL, F_QOS_MAX_WALL, F_QOS_GRP_TRES, F_QOS_GRP_TRES_RUN_MINS,
	F_QOS_GRP_TRES_MINS, F_QOS_MAX_TRES, F_QOS_MAX_TRES_MINS, F_QOS_MAX_TRES_USER,
	F_QOS_MAX_TRES_ACCOUNT, F_QOS_MAX_TRES_RUN_MINS_USER, F_QOS_MAX_TRES_RUN_MINS_ACCOUNT,
};
#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* In a known list, unnamed TRES are 0. */
static double quota_amount(struct tres_list list, uint32_t tres)
{
	for (uint32_t i = 0; i < list.count; i++) {
		if (list.items[i].tres == tres)
			return list.items[i].count;
	}
	return list.items ? 0 : F64_UNKNOWN;
}

static double quota_count_of(const struct cluster *c, enum field field, uint32_t row)
{
	uint32_t n = field == F_COUNT ? U32_UNKNOWN : cluster_u32(c, field, row);

	return n == U32_UNKNOWN || n == U32_INFINITE ? F64_UNKNOWN : n;
}

static void list_count(const struct cluster *c, enum field limit, uint32_t row, quota_each *each,
		       void *context)
{
	struct quota q = { .tres = ROW_NONE, .limit = quota_count_of(c, limit, row) };
	bool of_users;

	if (!f64_known(q.limit))
		return;
	limit_name(limit, q.name);
	of_users = field_info[limit].table == TABLE_ASSOC && q.name[0] == 'M' &&
		   !cluster_is_user(c, row);
	/* Limits per user do not apply to the sum over all users. */
	q.used = of_users ? F64_UNKNOWN : quota_count_of(c, limit_used(limit), row);
	each(context, &q);
}

static void list_wall(const struct cluster *c, enum field limit, uint32_t row, quota_each *each,
		      void *context)
{
	struct quota q = { .tres = ROW_NONE, .used = F64_UNKNOWN };
	enum field used = limit_used(limit);
	int64_t seconds = cluster_i64(c, limit, row);

	if (seconds == I64_UNKNOWN || seconds == I64_INFINITE)
		return;
	limit_name(limit, q.name);
	q.limit = (double)seconds / MINUTE;
	if (used != F_COUNT)
		q.used = cluster_f64(c, used, row) / MINUTE;
	each(context, &q);
}

static void list_tres(const struct cluster *c, enum field limit, uint32_t row, quota_each *each,
		      void *context)
{
	struct tres_list limits = cluster_tres(c, limit, row);
	enum field used = limit_used(limit);
	double scale = field_info[limit].unit == UNIT_TRES_MINUTES ? 1 / MINUTE : 1;
	char name[LIMIT_NAME_MAX];
	struct quota q;

	limit_name(limit, name);
	for (uint32_t i = 0; i < limits.count; i++) {
		q.tres = limits.items[i].tres;
		q.limit = limits.items[i].count;
		q.used = F64_UNKNOWN;
		if (used != F_COUNT)
			q.used = scale * quota_amount(cluster_tres(c, used, row), q.tres);
		snprintf(q.name, sizeof(q.name), "%s %s", name, cluster_tres_name(c, q.tres));
		each(context, &q);
	}
}

static void list_limits(const struct cluster *c, const enum field *limits, size_t count,
			uint32_t row, quota_each *each, void *context)
{
	for (size_t i = 0; i < count; i++) {
		enum field_type type = field_info[limits[i]].type;

		(type == FIELD_U32 ? list_count : type == FIELD_I64 ? list_wall : list_tres)
			(c, limits[i], row, each, context);
	}
}

void quota_list(const struct cluster *c, uint32_t assoc, quota_each *each, void *context)
{
	list_limits(c, of_assoc, COUNT_OF(of_assoc), assoc, each, context);
}

void quota_qos_list(const struct cluster *c, uint32_t qos, quota_each *each, void *context)
{
	list_limits(c, of_qos, COUNT_OF(of_qos), qos, each, context);
}

static bool quota_is_reported(const struct cluster *c, enum field limit, uint32_t row)
{
	enum field_type type = field_info[limit].type;

	return type == FIELD_U32 ? cluster_u32(c, limit, row) != U32_UNKNOWN :
	       type == FIELD_I64 ? cluster_i64(c, limit, row) != I64_UNKNOWN :
				   cluster_tres(c, limit, row).items != NULL;
}

void quota_qos_unreported(const struct cluster *c, uint32_t qos, char *buf, size_t size)
{
	char name[LIMIT_NAME_MAX];

	buf[0] = '\0';
	for (size_t i = 0; i < COUNT_OF(of_qos); i++) {
		if (quota_is_reported(c, of_qos[i], qos))
			continue;
		limit_name(of_qos[i], name);
		format_append(buf, size, "%s%s", buf[0] ? ", " : "", name);
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
