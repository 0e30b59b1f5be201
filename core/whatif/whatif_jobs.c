/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/whatif_jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/cluster/assoc_index.h"
#include "core/share/law.h"
#include "core/queue/job_index.h"
#include "core/base/mem.h"
#include "core/share/model.h"
#include "core/base/text.h"
#include "core/whatif/whatif_private.h"

static void set_field(struct overlay *o, const struct edit *e, uint32_t job)
{
	enum field field = e->target->field;

	if (field_info[field].type == FIELD_I64)
		overlay_i64(o, field)[job] = (int64_t)e->number;
	else
		overlay_u32(o, field)[job] = (uint32_t)e->number;
}

/* The list of what the job asks for has the number, too. */
static void set_size(struct overlay *o, const struct edit *e, uint32_t job)
{
	const struct cluster *c = overlay_cluster(o);
	uint32_t tres = cluster_find_tres(c, e->target->field == F_JOB_CPUS ? "cpu" : "node");
	struct tres_list list = cluster_tres(c, F_JOB_TRES, job);
	struct tres_item *items;
	uint32_t handle;

	set_field(o, e, job);
	if (e->target->field == F_JOB_MIN_NODES)
		overlay_u32(o, F_JOB_NODES)[job] = (uint32_t)e->number;
	if (tres == ROW_NONE || list.count == 0)
		return;
	items = mem_zalloc(list.count, sizeof(*items));
	memcpy(items, list.items, list.count * sizeof(*items));
	for (uint32_t i = 0; i < list.count; i++) {
		if (items[i].tres == tres)
			items[i].count = e->number;
	}
	handle = overlay_tres(o, items, list.count);
	overlay_u32(o, F_JOB_TRES)[job] = handle;
	mem_free(items);
}

/* One partition or QOS, or several joined by commas; KIND for the message. */
static bool set_names(struct overlay *o, struct whatif_entry *entry, uint32_t job,
		      enum field name_field, enum field to, const char *kind)
{
	const char *at = entry->edit.value;
	uint32_t handle;

	do {
		size_t length = strcspn(at, ",");
		char *name = mem_strndup(at, length);
		uint32_t row = whatif_named(overlay_cluster(o), name_field, name);

		mem_free(name);
		if (row == ROW_NONE)
			return whatif_problem(entry, "there is no %s \"%.*s\"", kind,
					      (int)(length < 100 ? length : 100), at);
		at += length;
	} while (*at++ == ',');
	handle = overlay_text(o, entry->edit.value);
	overlay_u32(o, to)[job] = handle;
	return true;
}

/* The user's association there; one of the job's partition comes first. */
static bool set_account(struct overlay *o, struct whatif_entry *entry, uint32_t job)
{
	const struct cluster *c = overlay_cluster(o);
	uint32_t user = cluster_text_id(c, F_JOB_USER, job), found = ROW_NONE;
	uint32_t partition = cluster_text_id(c, F_JOB_PARTITION, job);

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		uint32_t have = cluster_text_id(c, F_ASSOC_PARTITION, i);

		if (user <= TEXT_EMPTY || cluster_text_id(c, F_ASSOC_USER, i) != user ||
		    strcmp(cluster_text(c, F_ASSOC_ACCOUNT, i), entry->edit.value) != 0 ||
		    (have > TEXT_EMPTY && have != partition))
			continue;
		if (found == ROW_NONE || have > TEXT_EMPTY)
			found = i;
	}
	if (found == ROW_NONE)
		return whatif_problem(entry, "its user has no association in account \"%.100s\"",
				      entry->edit.value);
	overlay_u32(o, F_JOB_ACCOUNT)[job] = cluster_text_id(c, F_ASSOC_ACCOUNT, found);
	overlay_u32(o, F_JOB_ASSOC)[job] = cluster_u32(c, F_ASSOC_ID, found);
	return true;
}

/* What age counts from moves along. */
static bool set_submit(struct overlay *o, struct whatif_entry *entry, uint32_t job)
{
	static const enum field fields[] = { F_JOB_ELIGIBLE, F_JOB_ACCRUE };
	int64_t was = cluster_i64(overlay_cluster(o), F_JOB_SUBMIT, job), delta;

	if (was == I64_UNKNOWN)
		return whatif_problem(entry, "its submit time is unknown");
	delta = (int64_t)entry->edit.number - (entry->edit.relative ? 0 : was);
	overlay_i64(o, F_JOB_SUBMIT)[job] = was + delta;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		int64_t time = cluster_i64(overlay_cluster(o), fields[i], job);

		if (time > 0 && time != I64_INFINITE)
			overlay_i64(o, fields[i])[job] = time + delta;
	}
	return true;
}

static void set_priority(struct overlay *o, const struct edit *e, uint32_t job)
{
	const struct cluster *c = overlay_cluster(o);
	uint32_t id = cluster_u32(c, F_JOB_ID, job), rows = cluster_rows(c, TABLE_PRIO);
	uint32_t *direct = overlay_u32(o, F_PRIO_DIRECT);

	for (uint32_t i = 0; i < rows; i++) {
		if (cluster_u32(c, F_PRIO_JOB, i) == id)
			direct[i] = (uint32_t)e->number;
	}
	overlay_u32(o, F_JOB_PRIORITY)[job] = (uint32_t)e->number;
}

static void set_hold(struct overlay *o, const struct edit *e, uint32_t job)
{
	uint32_t *priority = overlay_u32(o, F_JOB_PRIORITY);

	if (e->number != 0)
		priority[job] = 0;
	else if (priority[job] == 0)
		priority[job] = U32_UNKNOWN;
}

void whatif_set_job(struct overlay *o, struct whatif_entry *entry)
{
	const struct edit *e = &entry->edit;
	uint32_t job = whatif_job(overlay_cluster(o), e->object);

	if (job == ROW_NONE) {
		whatif_problem(entry, "there is no such job in the queue");
		return;
	}
	switch (e->target->id) {
	case EDIT_JOB_SIZE:
		set_size(o, e, job);
		break;
	case EDIT_JOB_QOS:
		set_names(o, entry, job, F_QOS_NAME, F_JOB_QOS, "QOS");
		break;
	case EDIT_JOB_PARTITION:
		set_names(o, entry, job, F_PARTITION_NAME, F_JOB_PARTITION, "partition");
		break;
	case EDIT_JOB_ACCOUNT:
		set_account(o, entry, job);
		break;
	case EDIT_JOB_SUBMIT:
		set_submit(o, entry, job);
		break;
	case EDIT_JOB_PRIORITY:
		set_priority(o, e, job);
		break;
	case EDIT_JOB_HOLD:
		set_hold(o, e, job);
		break;
	default:
		set_field(o, e, job);
		break;
	}
}

/* ---- time ---------------------------------------------------------------------------------- */

/* How long a running job is charged on: until its time limit. */
static int64_t remaining(const struct cluster *c, uint32_t job, int64_t seconds)
{
	int64_t end = cluster_i64(c, F_JOB_END, job), start = cluster_i64(c, F_JOB_START, job);
	int64_t limit = cluster_i64(c, F_JOB_TIME_LIMIT, job), now = cluster_meta(c)->time;

	if (end == I64_UNKNOWN && start != I64_UNKNOWN && limit != I64_UNKNOWN &&
	    limit != I64_INFINITE)
		end = start + limit;
	if (end == I64_UNKNOWN || end == I64_INFINITE || now == I64_UNKNOWN || end - now > seconds)
		return seconds;
	return end > now ? end - now : 0;
}

static void charge(struct overlay *o, double *own, int64_t seconds)
{
	const struct cluster *c = overlay_cluster(o);
	double left = law_over(c, seconds).left;
	struct assoc_index index = assoc_index_new(c);

	for (uint32_t job = 0; job < cluster_rows(c, TABLE_JOB); job++) {
		uint32_t row = assoc_of_job(&index, job);
		int64_t runs = remaining(c, job, seconds);
		struct burn b;
		double rate;

		if (row == ROW_NONE || job_kind_of(c, job) != JOB_RUNNING)
			continue;
		rate = job_burn(c, job);
		b = law_over(c, runs);
		/* What has been charged decays for the rest of the time. */
		if (f64_known(rate) && left > 0)
			own[row] += rate * b.gained * (left / b.left);
	}
	assoc_index_free(&index);
}

/* Jobs whose time is over are no longer there to be charged. */
static void end_jobs(struct overlay *o, int64_t seconds)
{
	uint32_t ended = TEXT_NONE;

	for (uint32_t job = 0; job < cluster_rows(overlay_cluster(o), TABLE_JOB); job++) {
		if (job_kind_of(overlay_cluster(o), job) != JOB_RUNNING ||
		    remaining(overlay_cluster(o), job, seconds) >= seconds)
			continue;
		if (ended == TEXT_NONE)
			ended = overlay_text(o, "COMPLETED");
		overlay_u32(o, F_JOB_STATE)[job] = ended;
	}
}

static void advance_usage(struct overlay *o, int64_t seconds)
{
	const struct cluster *c = overlay_cluster(o);
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	const uint32_t *parent = cluster_parent(c);
	double left = law_over(c, seconds).left, least = law_least(c);
	double *usage, *own;

	if (n == 0 || !cluster_col(c, F_ASSOC_USAGE))
		return;
	usage = overlay_f64(o, F_ASSOC_USAGE);
	own = mem_zalloc(n, sizeof(*own));
	charge(o, own, seconds);
	for (uint32_t i = n; i-- > 0;) {
		if (i > 0)
			own[parent[i]] += own[i];
		usage[i] = fmax(least, usage[i] * left + own[i]);
	}
	mem_free(own);
}

void whatif_advance(struct overlay *o, int64_t seconds)
{
	struct cluster_meta *meta = overlay_meta(o);

	advance_usage(o, seconds);
	end_jobs(o, seconds);
	if (meta->time != I64_UNKNOWN)
		meta->time += seconds;
	if (meta->last_decay != I64_UNKNOWN)
		meta->last_decay += seconds;
}
