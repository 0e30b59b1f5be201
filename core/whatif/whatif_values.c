/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What-if edits that change values: associations, partitions, QOS. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/share/billing.h"
#include "core/base/mem.h"
#include "core/whatif/whatif_jobs.h"
#include "core/whatif/whatif_private.h"

uint32_t whatif_assoc(struct whatif_entry *entry, const struct cluster *base,
		      const struct cluster *now)
{
	struct err err = { .code = ERR_NONE };
	uint32_t row = cluster_by_path(now, entry->edit.object);

	if (row != ROW_NONE)
		return row;
	row = cluster_find_assoc(base, entry->edit.object, &err);
	if (row != ROW_NONE && now != base)
		row = cluster_assoc_by_id(now, cluster_u32(base, F_ASSOC_ID, row));
	if (row == ROW_NONE)
		whatif_problem(entry, "%.180s", err.message[0] ? err.message : "it was removed");
	return row;
}

uint32_t whatif_job(const struct cluster *c, const char *object)
{
	char *end;
	unsigned long id = strtoul(object, &end, 10), task = U32_UNKNOWN;

	if (*end == '_')
		task = strtoul(end + 1, &end, 10);
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_JOB); row++) {
		if (task == U32_UNKNOWN ? cluster_u32(c, F_JOB_ID, row) == id
					: cluster_u32(c, F_JOB_ARRAY, row) == id &&
						  cluster_u32(c, F_JOB_TASK, row) == task)
			return row;
	}
	return ROW_NONE;
}

uint32_t whatif_named(const struct cluster *c, enum field field, const char *text)
{
	char name[1024];

	if (!edit_unescape(text, strlen(text), name, sizeof(name)))
		return ROW_NONE;
	for (uint32_t row = 0; row < cluster_rows(c, field_info[field].table); row++) {
		const char *have = cluster_text(c, field, row);

		if (have && strcmp(have, name) == 0)
			return row;
	}
	return ROW_NONE;
}

/* ---- associations -------------------------------------------------------------------------- */

static void set_shares(struct overlay *o, const struct edit *e, uint32_t row)
{
	const struct cluster *c = overlay_cluster(o);

	overlay_u32(o, F_ASSOC_SHARES)[row] = e->parent ? SHARES_PARENT : (uint32_t)e->number;
	if (!e->parent && cluster_col(c, F_ASSOC_SIGNED_SHARES))
		overlay_i64(o, F_ASSOC_SIGNED_SHARES)[row] = I64_UNKNOWN;
}

static void add_above(const struct cluster *c, double *usage, uint32_t row, double amount)
{
	const uint32_t *parent = cluster_parent(c);

	for (row = parent[row]; row != ROW_NONE; row = parent[row])
		usage[row] = fmax(0, usage[row] + amount);
}

/* 0 resets the subtree; another value scales it, or is the account's own where there was none. */
static bool set_usage(struct overlay *o, struct whatif_entry *entry, uint32_t row)
{
	const struct cluster *c = overlay_cluster(o);
	const struct edit *e = &entry->edit;
	uint32_t end = row + cluster_span(c)[row];
	double *usage, was;

	was = cluster_f64(c, F_ASSOC_USAGE, row);
	if (!f64_known(was))
		return whatif_problem(entry, "the source tells no raw usage of it");
	usage = overlay_f64(o, F_ASSOC_USAGE);
	if (e->relative) {
		usage[row] += e->number;
		add_above(c, usage, row, e->number);
		return true;
	}
	for (uint32_t i = row + 1; i < end; i++)
		usage[i] = was > 0 ? usage[i] * (e->number / was) : e->number == 0 ? 0 : usage[i];
	usage[row] = e->number;
	add_above(c, usage, row, e->number - was);
	return true;
}

/* ---- billing ------------------------------------------------------------------------------- */

/* What jobs of PARTITION are charged, computed anew from what they have. */
static void rebill(struct overlay *o, uint32_t partition)
{
	const struct cluster *c = overlay_cluster(o);
	const char *text = cluster_text(c, F_PARTITION_BILLING_WEIGHTS, partition);
	uint32_t name = cluster_text_id(c, F_PARTITION_NAME, partition);
	enum billing_mode mode = billing_mode_of(cluster_policy(c)->flags);
	struct billing_weights *weights = mem_alloc(1, sizeof(*weights));

	billing_read(weights, text);
	for (uint32_t job = 0; job < cluster_rows(c, TABLE_JOB); job++) {
		struct tres_list list = cluster_tres(c, F_JOB_TRES_ALLOC, job);

		if (cluster_text_id(c, F_JOB_PARTITION, job) != name)
			continue;
		if (list.count == 0)
			list = cluster_tres(c, F_JOB_TRES, job);
		if (list.count == 0)
			continue;
		overlay_f64(o, F_JOB_BILLING)[job] = billing_of_list(weights, c, list, mode);
	}
	mem_free(weights);
}

/* ---- partitions and QOS -------------------------------------------------------------------- */

static bool set_named(struct overlay *o, struct whatif_entry *entry, enum field names)
{
	const struct edit *e = &entry->edit;
	const struct cluster *c = overlay_cluster(o);
	uint32_t row = whatif_named(c, names, e->object), handle;

	if (row == ROW_NONE)
		return whatif_problem(entry, "there is no %s of that name",
				      names == F_QOS_NAME ? "QOS" : "partition");
	if (e->target->id == EDIT_BILLING_WEIGHTS) {
		handle = overlay_text(o, e->value);
		overlay_u32(o, e->target->field)[row] = handle;
		rebill(o, row);
	} else if (field_info[e->target->field].type == FIELD_F64) {
		overlay_f64(o, e->target->field)[row] = e->number;
	} else {
		overlay_u32(o, e->target->field)[row] = (uint32_t)e->number;
	}
	return true;
}

static bool set_number(struct overlay *o, const struct edit *e, uint32_t row)
{
	switch (field_info[e->target->field].type) {
	case FIELD_F64:
		overlay_f64(o, e->target->field)[row] = e->number;
		break;
	case FIELD_I64:
		overlay_i64(o, e->target->field)[row] = (int64_t)e->number;
		break;
	default:
		overlay_u32(o, e->target->field)[row] = (uint32_t)e->number;
		break;
	}
	return true;
}

/* "POOL", or "POOL.QUEUE" for what is the queue's; names may have dots themselves. */
static bool set_pool(struct overlay *o, struct whatif_entry *entry)
{
	const struct edit *e = &entry->edit;
	const struct cluster *c = overlay_cluster(o);

	if (field_info[e->target->field].table == TABLE_POOL) {
		uint32_t row = whatif_named(c, F_POOL_NAME, e->object);

		return row != ROW_NONE ? set_number(o, e, row)
				       : whatif_problem(entry, "there is no pool of that name");
	}
	for (const char *dot = strchr(e->object, '.'); dot; dot = strchr(dot + 1, '.')) {
		char *pool = mem_strndup(e->object, (size_t)(dot - e->object));
		uint32_t queue = whatif_named(c, F_QUEUE_NAME, dot + 1);
		const char *its = queue == ROW_NONE ? NULL : cluster_text(c, F_QUEUE_POOL, queue);
		bool found = its && strcmp(its, pool) == 0;

		mem_free(pool);
		if (found)
			return set_number(o, e, queue);
	}
	return whatif_problem(entry, "there is no such queue in such a pool");
}

static bool set_queue(struct overlay *o, struct whatif_entry *entry)
{
	uint32_t row = whatif_named(overlay_cluster(o), F_QUEUE_NAME, entry->edit.object);

	return row != ROW_NONE ? set_number(o, &entry->edit, row)
			       : whatif_problem(entry, "there is no queue of that name");
}

/*
 * What has no priority of its own has that of the account above: as far as can be told, what has
 * the same one.
 */
static void set_priority(struct overlay *o, const struct edit *e, uint32_t row)
{
	const struct cluster *c = overlay_cluster(o);
	uint32_t *priority = overlay_u32(o, F_ASSOC_PRIORITY), was = priority[row];
	uint32_t span = cluster_span(c)[row];
	bool *changes = mem_zalloc(span, sizeof(*changes));

	for (uint32_t i = 0; i < span; i++) {
		changes[i] = i == 0 || (was != U32_UNKNOWN && priority[row + i] == was &&
					changes[cluster_parent(c)[row + i] - row]);
		if (changes[i])
			priority[row + i] = (uint32_t)e->number;
	}
	mem_free(changes);
}

static void set_assoc(struct overlay *o, struct whatif_entry *entry, const struct cluster *base)
{
	uint32_t row = whatif_assoc(entry, base, overlay_cluster(o));

	if (row == ROW_NONE)
		return;
	if (entry->edit.target->id == EDIT_SHARES)
		set_shares(o, &entry->edit, row);
	else if (entry->edit.target->id == EDIT_USAGE)
		set_usage(o, entry, row);
	else if (entry->edit.target->id == EDIT_ASSOC_PRIORITY)
		set_priority(o, &entry->edit, row);
}

static bool is_structural(enum edit_id id)
{
	return id == EDIT_PARENT || id == EDIT_ADD || id == EDIT_REMOVE;
}

void whatif_values(struct whatif *w, const struct cluster *base, struct overlay *o)
{
	enum billing_mode mode = billing_mode_of(cluster_policy(base)->flags);

	if (billing_mode_of(overlay_policy(o)->flags) != mode) {
		for (uint32_t row = 0; row < cluster_rows(base, TABLE_PARTITION); row++)
			rebill(o, row);
	}
	for (uint32_t i = 0; i < w->count; i++) {
		struct whatif_entry *e = &w->entries[i];

		if (!whatif_in_force(w, i) || e->problem[0] || is_structural(e->edit.target->id))
			continue;
		switch (e->edit.target->object) {
		case EDIT_OF_ASSOC:
			set_assoc(o, e, base);
			break;
		case EDIT_OF_PARTITION:
			set_named(o, e, F_PARTITION_NAME);
			break;
		case EDIT_OF_QOS:
			set_named(o, e, F_QOS_NAME);
			break;
		case EDIT_OF_JOB:
			whatif_set_job(o, e);
			break;
		case EDIT_OF_POOL:
			set_pool(o, e);
			break;
		case EDIT_OF_QUEUE:
			set_queue(o, e);
			break;
		case EDIT_OF_NOTHING:
		case EDIT_OF_NEW:
			break;
		}
	}
}
