/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/snapshot/snapshot.h"

#include <string.h>

#include "core/base/jsonw.h"
#include "core/cluster/policy_json.h"

/* TRES first, since lists of TRES name them; the long tables last. */
static void order_tables(enum table order[TABLE_COUNT])
{
	static const enum table last[] = { TABLE_ASSOC, TABLE_JOB, TABLE_PRIO };
	size_t n = 0, count = sizeof(last) / sizeof(last[0]);

	order[n++] = TABLE_TRES;
	for (int t = 0; t < TABLE_COUNT; t++)
		if (t != TABLE_TRES && t != TABLE_ASSOC && t != TABLE_JOB && t != TABLE_PRIO)
			order[n++] = (enum table)t;
	for (size_t i = 0; i < count; i++)
		order[n++] = last[i];
}

/* ---- the first line ------------------------------------------------------------------------ */

static void writer_put_time(struct jsonw *j, const char *key, int64_t time)
{
	if (time == I64_UNKNOWN)
		return;
	jsonw_key(j, key);
	jsonw_int(j, time);
}

static void writer_put_text(struct jsonw *j, const char *key, const char *text)
{
	if (*text)
		jsonw_member(j, key, text);
}

/* Writes a key whose only value is true. */
static void put_true(struct jsonw *j, const char *key, bool holds)
{
	if (!holds)
		return;
	jsonw_key(j, key);
	jsonw_bool(j, true);
}

static void put_precision(struct jsonw *j, const struct cluster_meta *m)
{
	if (m->usage_quantum == 0 && m->ratio_quantum == 0)
		return;
	jsonw_key(j, "precision");
	jsonw_object_begin(j);
	jsonw_key(j, "usage");
	jsonw_double(j, m->usage_quantum);
	jsonw_key(j, "ratio");
	jsonw_double(j, m->ratio_quantum);
	jsonw_object_end(j);
}

static void writer_put_notes(struct jsonw *j, const struct cluster *c)
{
	if (cluster_notes(c) == 0)
		return;
	jsonw_key(j, "notes");
	jsonw_array_begin(j);
	for (uint32_t i = 0; i < cluster_notes(c); i++) {
		struct note note = cluster_note(c, i);

		jsonw_object_begin(j);
		jsonw_member(j, "subject", note.subject);
		jsonw_member(j, "text", note.text);
		jsonw_object_end(j);
	}
	jsonw_array_end(j);
}

static void writer_put_head(struct jsonw *j, const struct cluster *c)
{
	const struct cluster_meta *m = cluster_meta(c);

	jsonw_object_begin(j);
	jsonw_key(j, "fairtop-snapshot");
	jsonw_int(j, SNAPSHOT_FORMAT);
	jsonw_member(j, "kind", m->kind);
	jsonw_member(j, "cluster", m->name);
	jsonw_key(j, "time");
	if (m->time == I64_UNKNOWN)
		jsonw_null(j);
	else
		jsonw_int(j, m->time);
	writer_put_text(j, "zone", m->zone);
	writer_put_text(j, "version", m->version);
	writer_put_time(j, "last_decay", m->last_decay);
	writer_put_time(j, "boot", m->boot);
	writer_put_time(j, "last_reset", m->last_reset);
	writer_put_time(j, "last_backfill", m->last_backfill > 0 ? m->last_backfill : I64_UNKNOWN);
	put_precision(j, m);
	put_true(j, "partial", cluster_is_partial(c));
	put_true(j, "jobs_hidden", cluster_hides_jobs(c));
	writer_put_notes(j, c);
	jsonw_key(j, "policy");
	policy_json(j, cluster_policy(c));
	jsonw_object_end(j);
	jsonw_newline(j);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* The columns of one table that have values, those of a group together. */
struct writer_plan {
	enum field fields[F_COUNT];
	const char *leaves[F_COUNT];	/* the key: the name behind its dot */
	size_t groups[F_COUNT];		/* length of the name before its dot, 0 without one */
	size_t count;
};

static size_t writer_group_length(enum field f)
{
	const char *dot = strchr(field_info[f].name, '.');

	return dot ? (size_t)(dot - field_info[f].name) : 0;
}

static bool same_group(enum field a, enum field b)
{
	size_t length = writer_group_length(a);

	return length > 0 && length == writer_group_length(b) &&
		memcmp(field_info[a].name, field_info[b].name, length) == 0;
}

/* The nice value of a Slurm job: no key means 0, and null unknown. */
static bool is_slurm_nice(const struct cluster *c, enum field f)
{
	return f == F_JOB_NICE && policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_SLURM;
}

static void plan_field(struct writer_plan *p, const struct cluster *c, enum field f)
{
	size_t group = writer_group_length(f);

	if (!cluster_col(c, f) && f != F_ASSOC_PARENT && !is_slurm_nice(c, f))
		return;
	p->fields[p->count] = f;
	p->groups[p->count] = group;
	p->leaves[p->count] = field_info[f].name + (group > 0 ? group + 1 : 0);
	p->count++;
}

static void plan_table(struct writer_plan *p, const struct cluster *c, enum table table)
{
	enum field first = table_first_field(table);
	enum field last = table_first_field((enum table)(table + 1));

	p->count = 0;
	for (enum field f = first; f < last; f++) {
		enum field leader = first;

		/* The fields of a group are written at its first one. */
		while (leader < f && !same_group(leader, f))
			leader++;
		if (leader < f)
			continue;
		plan_field(p, c, f);
		for (enum field g = f + 1; g < last; g++)
			if (same_group(f, g))
				plan_field(p, c, g);
	}
}

static void writer_put_u32(struct jsonw *j, uint32_t value)
{
	if (value == U32_INFINITE)
		jsonw_string(j, "inf");
	else
		jsonw_int(j, value);
}

static void writer_put_i64(struct jsonw *j, int64_t value)
{
	if (value == I64_INFINITE)
		jsonw_string(j, "inf");
	else
		jsonw_int(j, value);
}

static void writer_put_list(struct jsonw *j, const struct cluster *c, struct text_list list)
{
	jsonw_array_begin(j);
	for (uint32_t i = 0; i < list.count; i++)
		jsonw_string(j, cluster_string(c, list.texts[i]));
	jsonw_array_end(j);
}

static void writer_put_tres(struct jsonw *j, const struct cluster *c, struct tres_list list)
{
	jsonw_object_begin(j);
	for (uint32_t i = 0; i < list.count; i++) {
		jsonw_key(j, cluster_tres_name(c, list.items[i].tres));
		jsonw_double(j, list.items[i].count);
	}
	jsonw_object_end(j);
}

static bool writer_is_known(const struct cluster *c, enum field f, uint32_t row)
{
	/* Shares have no "no limit". */
	return cluster_is_known(c, f, row) && !(field_info[f].type == FIELD_SHARES &&
						cluster_u32(c, f, row) == U32_INFINITE);
}

static void writer_put_value(struct jsonw *j, const struct cluster *c, enum field f, uint32_t row)
{
	switch (field_info[f].type) {
	case FIELD_SHARES:
		if (cluster_u32(c, f, row) == SHARES_PARENT)
			jsonw_string(j, "parent");
		else
			jsonw_int(j, cluster_u32(c, f, row));
		break;
	case FIELD_U32:
		writer_put_u32(j, cluster_u32(c, f, row));
		break;
	case FIELD_I64:
		writer_put_i64(j, cluster_i64(c, f, row));
		break;
	case FIELD_F64:
		jsonw_double(j, cluster_f64(c, f, row));
		break;
	case FIELD_BOOL:
		jsonw_bool(j, cluster_bool(c, f, row) != 0);
		break;
	case FIELD_TEXT:
		jsonw_string(j, cluster_text(c, f, row));
		break;
	case FIELD_LIST:
		writer_put_list(j, c, cluster_list(c, f, row));
		break;
	case FIELD_TRES:
		writer_put_tres(j, c, cluster_tres(c, f, row));
		break;
	case FIELD_TYPE_COUNT:
		break;
	}
}

/* Writes the fields of one group from I on; returns the first field after them. */
static size_t put_group(struct jsonw *j, const struct cluster *c, const struct writer_plan *p,
			size_t i, uint32_t row)
{
	enum field first = p->fields[i];
	size_t group = p->groups[i];
	bool opened = false;

	for (; i < p->count && p->groups[i] == group && same_group(first, p->fields[i]); i++) {
		if (!writer_is_known(c, p->fields[i], row))
			continue;
		if (!opened) {
			jsonw_key_n(j, field_info[first].name, group);
			jsonw_object_begin(j);
			opened = true;
		}
		jsonw_key(j, p->leaves[i]);
		writer_put_value(j, c, p->fields[i], row);
	}
	if (opened)
		jsonw_object_end(j);
	return i;
}

static void writer_put_row(struct jsonw *j, const struct cluster *c, const struct writer_plan *p,
			   uint32_t row)
{
	jsonw_object_begin(j);
	for (size_t i = 0; i < p->count;) {
		enum field f = p->fields[i];

		if (p->groups[i] > 0) {
			i = put_group(j, c, p, i, row);
			continue;
		}
		if (writer_is_known(c, f, row)) {
			jsonw_key(j, p->leaves[i]);
			writer_put_value(j, c, f, row);
		} else if (f == F_ASSOC_PARENT || is_slurm_nice(c, f)) {
			jsonw_key(j, p->leaves[i]);
			jsonw_null(j);
		}
		i++;
	}
	jsonw_object_end(j);
}

static void writer_put_table(struct jsonw *j, const struct cluster *c, enum table table)
{
	uint32_t rows = cluster_rows(c, table);
	struct writer_plan plan;

	plan_table(&plan, c, table);
	for (uint32_t row = 0; row < rows; row++) {
		jsonw_object_begin(j);
		jsonw_key(j, table_name(table));
		writer_put_row(j, c, &plan, row);
		jsonw_object_end(j);
		jsonw_newline(j);
	}
}

static void writer_put_end(struct jsonw *j, const struct cluster *c,
			   const enum table order[TABLE_COUNT])
{
	jsonw_object_begin(j);
	jsonw_key(j, "end");
	jsonw_object_begin(j);
	for (int t = 0; t < TABLE_COUNT; t++) {
		if (cluster_rows(c, order[t]) == 0)
			continue;
		jsonw_key(j, table_name(order[t]));
		jsonw_int(j, cluster_rows(c, order[t]));
	}
	jsonw_object_end(j);
	jsonw_object_end(j);
	jsonw_newline(j);
}

bool snapshot_write(const struct cluster *c, struct sink sink, struct err *err)
{
	enum table order[TABLE_COUNT];
	struct jsonw j;

	order_tables(order);
	jsonw_init(&j, sink, err);
	writer_put_head(&j, c);
	for (int t = 0; t < TABLE_COUNT; t++)
		writer_put_table(&j, c, order[t]);
	writer_put_end(&j, c, order);
	return jsonw_end(&j);
}
