/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sshare: shares, usage and the reported ratios, and the tree from its indentation.
 *
 * Each level is indented by one more blank. A user's row repeats the name of its account, one level
 * deeper, with the user in a column of its own. If the first row is not the root (-U, -A,
 * PrivateData), or the account column is right-aligned, there is no tree, only rows.
 */

#include "adapters/slurm/text_assoc.h"
#include "core/base/plural.h"

static const struct field_key sshare_keys[] = {
	{ "RawShares", F_ASSOC_SHARES },
	{ "NormShares", F_ASSOC_R_NORM_SHARES },
	{ "NormUsage", F_ASSOC_R_NORM_USAGE },
	{ "EffectvUsage", F_ASSOC_R_EFFECTIVE_USAGE },
	{ "FairShare", F_ASSOC_R_FAIRSHARE },
};
#define SSHARE_KEYS (sizeof(sshare_keys) / sizeof(sshare_keys[0]))
#define NORM_USAGE_KEY 2

static const struct {
	const char *title;
	enum field field;
	double factor;			/* from sshare's unit to the field's */
} sshare_lists[] = {
	{ "GrpTRESMins", F_ASSOC_GRP_TRES_MINS, 1.0 },
	{ "GrpTRESRaw", F_ASSOC_USED_TRES_SECS, 60.0 },
	{ "TRESRunMins", F_ASSOC_USED_TRES_RUN_SECS, 60.0 },
};
#define SSHARE_LISTS (sizeof(sshare_lists) / sizeof(sshare_lists[0]))

struct sshare {
	struct slurm_reader *r;
	struct text_table table;
	size_t account, user, partition, id, usage, level_fs;
	size_t keys[SSHARE_KEYS], lists[SSHARE_LISTS];
	struct assoc_stack stack;
	bool any_level_fs;		/* outside Fair Tree sshare prints zeros */
	bool set_usage;			/* no other text has raw usage more exactly */
};

static void sshare_open_columns(struct sshare *s)
{
	const struct text_table *t = &s->table;

	s->account = table_column(t, "Account", 0);
	s->user = table_column(t, "User", 0);
	s->partition = table_column(t, "Partition", 0);
	s->id = table_column(t, "ID", 0);
	s->usage = table_column(t, "RawUsage", 0);
	s->level_fs = table_column(t, "LevelFS", 0);
	reader_columns(t, sshare_keys, SSHARE_KEYS, s->keys);
	for (size_t i = 0; i < SSHARE_LISTS; i++)
		s->lists[i] = table_column(t, sshare_lists[i].title, 0);
}

/* Is any LevelFS other than zero? */
static bool scan_level_fs(const struct sshare *s)
{
	struct text_table t = s->table;
	enum table_row kind;

	while ((kind = table_next(&t, NULL)) != TABLE_END) {
		double x;

		if (kind == TABLE_ROW && slice_f64(table_cell(&t, s->level_fs), &x) && x != 0.0)
			return true;
	}
	return false;
}

static bool sshare_read_name(struct sshare *s, struct assoc_name *name)
{
	const struct text_table *t = &s->table;
	struct slice id = table_cell(t, s->id);

	*name = (struct assoc_name)ASSOC_NAME_INIT;
	name->account = table_cell(t, s->account);
	name->user = table_cell(t, s->user);
	name->partition = table_cell(t, s->partition);
	name->partition_known = s->partition != TABLE_NO_COLUMN;
	name->account_cut = table_is_cut(t, s->account);
	name->user_cut = table_is_cut(t, s->user);
	if (name->account.length == 0)
		return reader_fail(s->r, "no account name");
	if (id.length > 0 && !slice_u32(id, &name->id))
		return reader_fail(s->r, "ID \"%.*s\": expected a number", SLICE_PRINT(id));
	return true;
}

/* A cut list ("cpu=0,mem=0,b+") is ignored. */
static bool sshare_read_lists(struct sshare *s, uint32_t row)
{
	for (size_t i = 0; i < SSHARE_LISTS; i++) {
		struct slice list = table_cell(&s->table, s->lists[i]);

		if (list.length != 0 && !table_is_cut(&s->table, s->lists[i]) &&
		    !reader_put_tres(s->r, sshare_lists[i].field, row, list,
				     sshare_lists[i].factor, sshare_lists[i].title))
			return false;
	}
	return true;
}

static bool sshare_read_values(struct sshare *s, uint32_t row)
{
	struct slurm_reader *r = s->r;
	const struct text_table *t = &s->table;
	struct slice usage = table_cell(t, s->usage), level = table_cell(t, s->level_fs);

	if (!reader_put_row(r, t, sshare_keys, SSHARE_KEYS, s->keys, row))
		return false;
	/* Blank: not evaluated yet; the association manager's output has 1.00 there. */
	if (s->keys[NORM_USAGE_KEY] != TABLE_NO_COLUMN &&
	    table_cell(t, s->keys[NORM_USAGE_KEY]).length == 0)
		builder_f64(r->b, F_ASSOC_R_NORM_USAGE, row, F64_UNKNOWN);
	if (s->set_usage && !reader_put(r, F_ASSOC_USAGE, row, usage, "RawUsage"))
		return false;
	if (s->any_level_fs && !reader_put(r, F_ASSOC_R_LEVEL_FS, row, level, "LevelFS"))
		return false;
	return sshare_read_lists(s, row);
}

static bool sshare_read_row(struct sshare *s)
{
	struct assoc_name name;
	uint32_t row;

	if (!sshare_read_name(s, &name) || !assoc_stack_place(s->r, &s->stack, &s->table, &name) ||
	    !assocs_meet(s->r, &name, &row))
		return false;
	if (name.user.length == 0)
		assoc_stack_push(&s->stack, &s->table, row);
	return row == ROW_NONE || sshare_read_values(s, row);
}

static bool sshare_read_rows(struct sshare *s)
{
	struct slurm_reader *r = s->r;
	enum table_row kind;

	while ((kind = table_next(&s->table, r->err)) != TABLE_END) {
		if (kind == TABLE_BAD_ROW)
			return false;
		r->line = s->table.line;
		if (!sshare_read_row(s))
			return false;
	}
	r->remark = s->table.remark;
	if (assocs_unclear(r->assocs) != 0)
		builder_note(r->b, "associations",
			     "%u %s of %s %s several associations (names are cut, or the "
			     "partition is missing): their values are unknown",
			     (unsigned)assocs_unclear(r->assocs),
			     plural(assocs_unclear(r->assocs), "row", "rows"), r->text->name,
			     plural(assocs_unclear(r->assocs), "matches", "match"));
	return true;
}

bool slurm_read_sshare(struct slurm_reader *r)
{
	struct sshare s = { .r = r };
	bool good;

	if (!table_open(&s.table, r->text, "Account", false, r->err))
		return false;
	sshare_open_columns(&s);
	assoc_stack_open(&s.stack, &s.table, s.account, s.user);
	s.any_level_fs = s.level_fs != TABLE_NO_COLUMN && scan_level_fs(&s);
	s.set_usage = !f64_known(r->usage_quantum);
	if (s.set_usage && s.usage != TABLE_NO_COLUMN)
		r->usage_quantum = 1.0;
	if (s.keys[1] != TABLE_NO_COLUMN)
		r->ratio_quantum = 1e-6;
	assocs_begin(r->assocs);
	good = sshare_read_rows(&s);
	assoc_stack_free(&s.stack);
	return good;
}
