/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/sched_view.h"

#include <string.h>

#include "core/base/format.h"
#include "core/cluster/overlay.h"

static const char default_name[] = "default";

uint32_t sched_shown(const struct cluster *c)
{
	uint32_t n = cluster_rows(c, TABLE_SCHED);

	for (uint32_t row = 0; row < n; row++) {
		const char *name = cluster_text(c, F_SCHED_NAME, row);

		if (cluster_u32(c, F_SCHED_SHOWN, row) == 1 && name &&
		    strcmp(name, default_name) != 0)
			return row;
	}
	return SCHED_DEFAULT;
}

uint32_t sched_row(const struct cluster *c, uint32_t sched)
{
	uint32_t name = cluster_find_string(c, default_name, sizeof(default_name) - 1);

	return sched == SCHED_DEFAULT ? cluster_row_of(c, F_SCHED_NAME, name) : sched;
}

const char *sched_name(const struct cluster *c, uint32_t sched)
{
	return sched == SCHED_DEFAULT ? default_name : cluster_text(c, F_SCHED_NAME, sched);
}

uint32_t sched_of_partition(const struct cluster *c, const char *partition)
{
	if (!partition || !*partition || strcmp(partition, "pbs-default") == 0)
		return SCHED_DEFAULT;
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_SCHED); row++) {
		if (cluster_list_has(c, F_SCHED_PARTITION, row, partition))
			return row;
	}
	return SCHED_NOBODY;
}

uint32_t sched_by_name(const struct cluster *c, const char *name, struct err *err)
{
	char names[200] = "default";

	if (strcmp(name, default_name) == 0)
		return SCHED_DEFAULT;
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_SCHED); row++) {
		const char *own = sched_name(c, row);

		if (own && strcmp(own, name) == 0)
			return row;
		if (own && strcmp(own, default_name) != 0)
			format_append(names, sizeof(names), ", %s", own);
	}
	err_set(err, ERR_INPUT, "\"%.100s\": unknown scheduler (expected one of %s)", name, names);
	return SCHED_NOBODY;
}

/* The server's part of FROM, and SCHED's reported settings; items that do not fit stay unknown. */
static struct policy policy_of(const struct cluster *c, uint32_t sched)
{
	const struct policy *from = cluster_policy(c);
	uint32_t row = sched_row(c, sched);
	struct text_list list = { NULL, 0 };
	struct policy policy;
	struct err err;

	policy_init(&policy);
	for (size_t i = 0; i < policy_params_count; i++) {
		const char *object = policy_qmgr_object(i);
		char value[POLICY_LIST_MAX];

		if (!object || strcmp(object, "server") != 0 || !policy_is_known(from, i))
			continue;
		(void)policy_value_text(from, i, value, sizeof(value));
		(void)policy_set_text(&policy, i, value, &err);
	}
	if (row != ROW_NONE)
		list = cluster_list(c, F_SCHED_SETTINGS, row);
	for (uint32_t k = 0; k < list.count; k++) {
		const char *item = cluster_string(c, list.texts[k]);
		size_t length = strcspn(item, "="), i = policy_param_by_name(item, length);

		if (item[length] == '=' && i < policy_params_count)
			(void)policy_set_text(&policy, i, item + length + 1, &err);
	}
	return policy;
}

struct cluster *sched_view_over(struct cluster *c, uint32_t sched)
{
	struct overlay *o = overlay_new(c, true);
	uint32_t *shown;

	*overlay_policy(o) = policy_of(c, sched);
	if (cluster_rows(c, TABLE_SCHED) > 0) {
		shown = overlay_u32(o, F_SCHED_SHOWN);
		for (uint32_t row = 0; row < cluster_rows(c, TABLE_SCHED); row++)
			shown[row] = row == sched;
	}
	overlay_drop(o, F_JOB_ASSOC);
	return overlay_seal(o);
}

uint32_t sched_waiting(const struct cluster *c, uint32_t sched)
{
	uint32_t waiting = cluster_find_string(c, "PENDING", 7), n = 0;

	for (uint32_t job = 0; job < cluster_rows(c, TABLE_JOB); job++) {
		uint32_t queue = cluster_queue_of(c, job);
		const char *name = queue == ROW_NONE ? NULL :
				   cluster_text(c, F_QUEUE_PARTITION, queue);

		n += cluster_text_id(c, F_JOB_STATE, job) == waiting &&
		     sched_of_partition(c, name) == sched;
	}
	return n;
}
