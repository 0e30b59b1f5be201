/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON: one object per answer, streamed row by row. */
#include "config.h"
#include "core/base/mem.h"
#include "core/cluster/policy_json.h"
#include "core/cluster/cluster.h"
#include "tui/base/report.h"

static void json_time(struct jsonw *j, int64_t time)
{
	if (time == I64_UNKNOWN)
		jsonw_null(j);
	else
		jsonw_int(j, time);
}

static void json_source(struct jsonw *j, const struct report *r)
{
	const struct cluster_meta *meta = cluster_meta(r->cluster);
	uint32_t notes = cluster_notes(r->cluster);

	jsonw_key(j, "source");
	jsonw_object_begin(j);
	jsonw_member(j, "kind", meta->kind);
	jsonw_member(j, "name", r->source);
	jsonw_key(j, "time");
	json_time(j, meta->time);
	jsonw_key(j, "age");
	json_time(j, meta->time == I64_UNKNOWN || r->now == I64_UNKNOWN ? I64_UNKNOWN :
		     r->now > meta->time ? r->now - meta->time : 0);
	jsonw_member(j, "health", r->health && r->health[0] ? r->health : "ok");
	jsonw_key(j, "notes");
	jsonw_array_begin(j);
	for (uint32_t i = 0; i < notes; i++) {
		struct note note = cluster_note(r->cluster, i);

		jsonw_object_begin(j);
		jsonw_member(j, "subject", note.subject);
		jsonw_member(j, "text", note.text);
		jsonw_object_end(j);
	}
	jsonw_array_end(j);
	jsonw_object_end(j);
}

static void json_answer(struct jsonw *j, const struct report *r)
{
	const char *name = cluster_meta(r->cluster)->name;

	json_source(j, r);
	jsonw_member(j, "cluster", name[0] ? name : NULL);
	jsonw_member(j, "algorithm", r->algorithm);
	jsonw_member(j, "base", r->base);
	jsonw_key(j, "policy");
	policy_json(j, cluster_policy(r->cluster));
	for (size_t i = 0; i < r->extra_count; i++)
		jsonw_member(j, r->extras[i].key, r->extras[i].text);
	for (size_t i = 0; i < r->count_count; i++) {
		jsonw_key(j, r->counts[i].key);
		if (r->counts[i].count == I64_UNKNOWN)
			jsonw_null(j);
		else
			jsonw_int(j, r->counts[i].count);
	}
}

static void json_head(struct jsonw *j, const struct report *r)
{
	jsonw_key(j, "fairtop");
	jsonw_object_begin(j);
	jsonw_member(j, "version", FAIRTOP_VERSION);
	jsonw_key(j, "format");
	jsonw_int(j, 1);
	jsonw_object_end(j);
	if (r->part_count == 0) {
		json_answer(j, r);
		return;
	}
	jsonw_key(j, "sources");
	jsonw_array_begin(j);
	for (size_t i = 0; i < r->part_count; i++) {
		jsonw_object_begin(j);
		json_answer(j, r->parts[i]);
		jsonw_object_end(j);
	}
	jsonw_array_end(j);
}

static void report_json_rows(struct jsonw *j, const struct report *r)
{
	struct value v;
	uint32_t row;

	jsonw_key(j, "rows");
	jsonw_array_begin(j);
	for (uint32_t n = 0;
	     !j->failed && (row = report_row(r, n, &j->failed, j->err)) != ROW_NONE; n++) {
		jsonw_newline(j);
		jsonw_object_begin(j);
		for (size_t i = 0; i < r->column_count; i++) {
			column_get(r->columns[i], r->view.context, row, &v);
			jsonw_key(j, r->columns[i]->name);
			jsonw_value(j, &v);
		}
		jsonw_object_end(j);
	}
	jsonw_newline(j);
	jsonw_array_end(j);
}

bool report_json(const struct report *r, struct sink out, struct err *err)
{
	struct jsonw *j = mem_alloc(1, sizeof(*j));
	bool ok;

	jsonw_init(j, out, err);
	jsonw_object_begin(j);
	json_head(j, r);
	report_json_rows(j, r);
	jsonw_object_end(j);
	jsonw_newline(j);
	ok = jsonw_end(j);
	mem_free(j);
	return ok;
}
