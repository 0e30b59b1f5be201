/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sacctmgr show cluster, tres, qos, user, association, as tables with -P or ruled.
 *
 * The accounting database may hold several clusters: rows of other clusters are skipped. Column
 * titles changed between versions, so a field has several.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/slurm/text_assoc.h"
#include "core/base/word.h"
#include "core/cluster/limit.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static const struct field_key qos_keys[] = {
	{ "Priority", F_QOS_PRIORITY },
	{ "UsageFactor", F_QOS_USAGE_FACTOR },
	{ "UsageThres", F_QOS_USAGE_THRESHOLD },
	{ "Flags", F_QOS_FLAGS },
	{ "Preempt", F_QOS_PREEMPT },
	{ "PreemptMode", F_QOS_PREEMPT_MODE },
	{ "ID", F_QOS_ID },
};
static const struct field_key user_keys[] = {
	{ "Def Acct", F_USER_DEFAULT_ACCOUNT },
	{ "DefaultAccount", F_USER_DEFAULT_ACCOUNT },
	{ "Admin", F_USER_ADMIN },
	{ "AdminLevel", F_USER_ADMIN },
};

static const struct field_key assoc_keys[] = {
	{ "Share", F_ASSOC_SHARES },
	{ "Fairshare", F_ASSOC_SHARES },
	{ "Priority", F_ASSOC_PRIORITY },
	{ "LFT", F_ASSOC_LFT },
	{ "QOS", F_ASSOC_QOS },
	{ "Def QOS", F_ASSOC_DEFAULT_QOS },
};

/*
 * The next row of a table that must be read completely; false at its end and on an error (then
 * *FAILED).
 */
static bool next_row(struct slurm_reader *r, struct text_table *t, bool *failed)
{
	enum table_row kind = table_next(t, r->err);

	*failed = kind == TABLE_BAD_ROW;
	r->line = t->line;
	r->remark = t->remark;
	return kind == TABLE_ROW;
}

static void put_no_limit(struct slurm_reader *r, enum field field, uint32_t row)
{
	static const struct tres_item none;

	if (field_info[field].type == FIELD_TRES)
		builder_tres(r->b, field, row, &none, 0);
	else if (field_info[field].type == FIELD_I64)
		builder_i64(r->b, field, row, I64_INFINITE);
	else
		builder_u32(r->b, field, row, U32_INFINITE);
}

/* The limit field of each column, F_COUNT for columns without one. */
static void limit_columns(const struct text_table *t, enum table table, enum field *limits)
{
	for (size_t i = 0; i < t->columns; i++)
		limits[i] = limit_named(table, t->title[i].at, t->title[i].length);
}

/* An existing but blank column means no limit. */
static bool sacctmgr_put_limits(struct slurm_reader *r, const struct text_table *t,
				const enum field *limits, uint32_t row)
{
	char name[LIMIT_NAME_MAX];

	for (size_t i = 0; i < t->columns; i++) {
		struct slice cell = table_cell(t, i);

		if (limits[i] == F_COUNT || table_is_cut(t, i))
			continue;
		limit_name(limits[i], name);
		if (cell.length == 0)
			put_no_limit(r, limits[i], row);
		else if (!reader_put(r, limits[i], row, cell, name))
			return false;
	}
	return true;
}

bool slurm_read_cluster(struct slurm_reader *r)
{
	struct text_table t;
	size_t name;
	uint32_t rows = 0;
	struct slice first = { "", 0 };
	bool failed;

	if (!table_open(&t, r->text, "Cluster", false, r->err))
		return false;
	name = table_column(&t, "Cluster", 0);
	while (next_row(r, &t, &failed)) {
		if (rows++ == 0)
			first = table_cell(&t, name);
	}
	/* With several clusters in one database, ours is unknown. */
	if (!failed && rows == 1 && !r->cluster[0] && first.length < sizeof(r->cluster)) {
		memcpy(r->cluster, first.at, first.length);
		r->cluster[first.length] = '\0';
	}
	return !failed;
}

bool slurm_read_tres(struct slurm_reader *r)
{
	struct text_table t;
	size_t type, name, id;
	bool failed;

	if (!table_open(&t, r->text, "Type", false, r->err))
		return false;
	type = table_column(&t, "Type", 0);
	name = table_column(&t, "Name", 0);
	id = table_column(&t, "ID", 0);
	while (next_row(r, &t, &failed)) {
		struct slice part = table_cell(&t, name), whole = table_cell(&t, type);
		char text[256];
		int length = snprintf(text, sizeof(text), "%.*s%s%.*s", SLICE_PRINT(whole),
				      part.length ? "/" : "", SLICE_PRINT(part));
		uint32_t row;

		if (whole.length == 0)
			return reader_fail(r, "no TRES type");
		for (int i = 0; i < length; i++)
			text[i] = word_lower(text[i]);
		row = builder_tres_row(r->b, text, (size_t)length);
		if (!reader_put(r, F_TRES_ID, row, table_cell(&t, id), "ID"))
			return false;
	}
	return !failed;
}

bool slurm_read_qos(struct slurm_reader *r)
{
	size_t columns[COUNT_OF(qos_keys)], name;
	enum field limits[TABLE_COLUMNS_MAX];
	struct text_table t;
	bool failed;

	if (!table_open(&t, r->text, "Name", false, r->err))
		return false;
	name = table_column(&t, "Name", 0);
	reader_columns(&t, qos_keys, COUNT_OF(qos_keys), columns);
	limit_columns(&t, TABLE_QOS, limits);
	while (next_row(r, &t, &failed)) {
		struct slice cell = table_cell(&t, name);
		uint32_t row;

		if (cell.length == 0)
			continue;
		/* Two names cut to the same text would become one QOS with a wrong priority. */
		if (table_is_cut(&t, name) &&
		    reader_named_row(r, &r->qos, TABLE_QOS, F_QOS_NAME, cell, false) != ROW_NONE)
			return reader_fail(r, "\"%.*s\" is listed twice: the names are cut "
					   "(expected them in full: sacctmgr -P show qos)",
					   SLICE_PRINT(cell));
		row = reader_named_row(r, &r->qos, TABLE_QOS, F_QOS_NAME, cell, true);
		if (!reader_put_row(r, &t, qos_keys, COUNT_OF(qos_keys), columns, row) ||
		    !sacctmgr_put_limits(r, &t, limits, row))
			return false;
	}
	return !failed;
}

/* One row per user or, with their associations, one per association. */
bool slurm_read_user(struct slurm_reader *r)
{
	size_t columns[COUNT_OF(user_keys)], name, cluster;
	struct text_table t;
	bool failed;

	if (!table_open(&t, r->text, "User", false, r->err))
		return false;
	name = table_column(&t, "User", 0);
	cluster = table_column(&t, "Cluster", 0);
	reader_columns(&t, user_keys, COUNT_OF(user_keys), columns);
	while (next_row(r, &t, &failed)) {
		struct slice cell = table_cell(&t, name);
		uint32_t row;

		if (cell.length == 0 || table_is_cut(&t, name) ||
		    reader_is_foreign(r, table_cell(&t, cluster)))
			continue;
		row = reader_named_row(r, &r->users, TABLE_USER, F_USER_NAME, cell, true);
		if (!reader_put_row(r, &t, user_keys, COUNT_OF(user_keys), columns, row))
			return false;
	}
	return !failed;
}

/* ---- associations -------------------------------------------------------------------------- */

struct assoc_columns {
	size_t cluster, account, user, partition, id, parent_id, parent;
	size_t keys[COUNT_OF(assoc_keys)];
	enum field limits[TABLE_COLUMNS_MAX];
	struct assoc_stack stack;	/* of sacctmgr show association tree */
};

static void open_assoc(const struct text_table *t, struct assoc_columns *c)
{
	c->cluster = table_column(t, "Cluster", 0);
	c->account = table_column(t, "Account", 0);
	c->user = table_column(t, "User", 0);
	c->partition = table_column(t, "Partition", 0);
	c->id = table_column(t, "ID", 0);
	c->parent_id = table_column(t, "ParentID", 0);
	if (c->parent_id == TABLE_NO_COLUMN)
		c->parent_id = table_column(t, "Par ID", 0);
	c->parent = table_column(t, "ParentName", 0);
	if (c->parent == TABLE_NO_COLUMN)
		c->parent = table_column(t, "Par Name", 0);
	reader_columns(t, assoc_keys, COUNT_OF(assoc_keys), c->keys);
	limit_columns(t, TABLE_ASSOC, c->limits);
}

static bool sacctmgr_read_number(struct slurm_reader *r, struct slice s, const char *key,
				 uint32_t *number)
{
	if (s.length != 0 && !slice_u32(s, number))
		return reader_fail(r, "%s \"%.*s\": expected a number", key, SLICE_PRINT(s));
	return true;
}

static bool sacctmgr_read_assoc(struct slurm_reader *r, const struct text_table *t,
				struct assoc_columns *c)
{
	struct assoc_name name = ASSOC_NAME_INIT;
	uint32_t row;

	name.account = table_cell(t, c->account);
	name.user = table_cell(t, c->user);
	name.partition = table_cell(t, c->partition);
	name.partition_known = c->partition != TABLE_NO_COLUMN;
	name.account_cut = table_is_cut(t, c->account);
	name.user_cut = table_is_cut(t, c->user);
	name.parent = table_is_cut(t, c->parent) ? name.parent : table_cell(t, c->parent);
	if (name.account.length == 0)
		return reader_fail(r, "no account name");
	if (!sacctmgr_read_number(r, table_cell(t, c->id), "ID", &name.id) ||
	    !sacctmgr_read_number(r, table_cell(t, c->parent_id), "ParentID", &name.parent_id) ||
	    !assoc_stack_place(r, &c->stack, t, &name) || !assocs_meet(r, &name, &row))
		return false;
	if (name.user.length == 0)
		assoc_stack_push(&c->stack, t, row);
	if (row == ROW_NONE)
		return true;
	return reader_put_row(r, t, assoc_keys, COUNT_OF(assoc_keys), c->keys, row) &&
	       sacctmgr_put_limits(r, t, c->limits, row);
}

/*
 * Are the rows those of one cluster, if ours is unknown? Several clusters are an error, because an
 * account may exist in each.
 */
static bool is_one_cluster(struct slurm_reader *r, const struct text_table *table, size_t column)
{
	struct text_table t = *table;
	struct slice cluster = { "", 0 };

	if (column == TABLE_NO_COLUMN || r->cluster[0])
		return true;
	while (table_next(&t, NULL) == TABLE_ROW) {
		struct slice cell = table_cell(&t, column);

		if (cluster.length == 0)
			cluster = cell;
		if (!slice_equal(cluster, cell)) {
			r->line = t.line;
			return reader_fail(r, "rows of the clusters \"%.*s\" and \"%.*s\" "
					   "(expected one, or scontrol show config to show which)",
					   SLICE_PRINT(cluster), SLICE_PRINT(cell));
		}
	}
	return true;
}

bool slurm_read_assoc(struct slurm_reader *r)
{
	struct assoc_columns c;
	struct text_table t;
	bool failed;

	if (!table_open(&t, r->text, "Account", false, r->err))
		return false;
	open_assoc(&t, &c);
	if (!is_one_cluster(r, &t, c.cluster))
		return false;
	assocs_begin(r->assocs);
	assoc_stack_open(&c.stack, &t, c.account, c.user);
	while (next_row(r, &t, &failed)) {
		if (reader_is_foreign(r, table_cell(&t, c.cluster)))
			continue;
		failed = !sacctmgr_read_assoc(r, &t, &c);
		if (failed)
			break;
	}
	assoc_stack_free(&c.stack);
	return !failed;
}
