/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accounts view: one row per association, in pre-order. The keys are those of the contract.
 */
#include "core/share/model.h"

#include <string.h>

#include "core/share/lsf_share.h"
#include "core/share/pbs_share.h"

#define ON(algorithm) (UINT32_C(1) << FS_##algorithm)
#define DEPTH_OBLIVIOUS ON(DEPTH_OBLIVIOUS)
#define RATIOS (ON(DEPTH_OBLIVIOUS) | ON(CLASSIC))
#define FAIR_TREE (ON(FAIR_TREE) | ON(FAIR_TREE_DOCUMENTED))
#define OF_F (RATIOS | FAIR_TREE | ON(PBS))
#define ALL (OF_F | ON(LSF))

static void set_item(struct value *out, const double *array, uint32_t row)
{
	value_set_real(out, array ? array[row] : F64_UNKNOWN);
}

static void accounts_set_count(struct value *out, const uint32_t *array, uint32_t row)
{
	value_set_int(out, array && array[row] != U32_UNKNOWN ? array[row] : I64_UNKNOWN);
}

/* ---- getters ------------------------------------------------------------------------------- */

static void accounts_get_path(const struct position *pos, struct value *out)
{
	const struct model *m = pos->context;

	value_set_text(out, cluster_path_get(m->cluster, pos->row, out->buffer));
}

static void accounts_get_text(const struct position *pos, struct value *out)
{
	const struct model *m = pos->context;

	value_set_text(out, cluster_text(m->cluster, (enum field)pos->column->which, pos->row));
}

static void get_depth(const struct position *pos, struct value *out)
{
	const struct model *m = pos->context;

	value_set_int(out, cluster_depth(m->cluster)[pos->row]);
}

static void get_shares(const struct position *pos, struct value *out)
{
	const struct model *m = pos->context;

	if (m->tree->shares[pos->row] == SHARES_PARENT)
		value_set_text(out, "parent");
	else
		accounts_set_count(out, m->tree->shares, pos->row);
}

static void accounts_get_usage(const struct position *pos, struct value *out)
{
	const struct model *m = pos->context;

	value_set_real(out, cluster_f64(m->cluster, F_ASSOC_USAGE, pos->row));
}

/* Reads an array of computed values. */
static void get_result(const struct position *pos, struct value *out)
{
	const struct model *m = pos->context;

	set_item(out, *(double *const *)POSITION_MEMBER(pos, m->fs), pos->row);
	out->origin = fs_origin(&m->input, m->fs, fs_number_of(pos->column->which), pos->row);
	/* A what-if differs from the report on purpose. */
	if (m->changes && out->origin == VALUE_DIFFERS)
		out->origin = VALUE_COMPUTED;
}

static void accounts_get_reported(const struct position *pos, struct value *out)
{
	const struct model *m = pos->context;

	value_set_real(out, fs_reported(&m->input, (enum fs_number)pos->column->which, pos->row));
}

/* A ratio to shares: rows without shares sort after the others in either direction. */
static void set_aside(const struct position *pos, struct value *out)
{
	const struct fs_result *fs = ((const struct model *)pos->context)->fs;

	out->aside = fs->norm_shares && fs_has_no_shares(fs, pos->row);
}

static void get_ratio(const struct position *pos, struct value *out)
{
	value_set_real(out, fs_ratio(((const struct model *)pos->context)->fs, pos->row));
	set_aside(pos, out);
}

static void accounts_get_level(const struct position *pos, struct value *out)
{
	get_result(pos, out);
	set_aside(pos, out);
}

static void get_result_rank(const struct position *pos, struct value *out)
{
	const struct model *m = pos->context;

	accounts_set_count(out, *(uint32_t *const *)POSITION_MEMBER(pos, m->fs), pos->row);
}

/* Columns of one algorithm only, shown only with it. */
static void get_own(const struct position *pos, struct value *out)
{
	const struct fs_result *fs = ((const struct model *)pos->context)->fs;
	bool has = pos->column->only == UINT32_C(1) << fs->algorithm;

	set_item(out, has ? fs->own[pos->column->which] : NULL, pos->row);
	if (pos->column->which == LSF_OWN_PRIORITY && fs->algorithm == FS_LSF &&
	    out->kind != VALUE_UNKNOWN && fs->branch[pos->row] == FS_BRANCH_UNKNOWN)
		out->origin = VALUE_REPORTED;
}

static void accounts_get_jobs(const struct position *pos, struct value *out)
{
	accounts_set_count(out, *(uint32_t *const *)POSITION_MEMBER(pos, pos->context), pos->row);
}

static void get_burn(const struct position *pos, struct value *out)
{
	set_item(out, ((const struct model *)pos->context)->burn, pos->row);
}

static void get_limits(const struct position *pos, struct value *out)
{
	const struct model_limits *l = &((const struct model *)pos->context)->limits;

	out->kind = l->first ? VALUE_MAP : VALUE_UNKNOWN;
	if (l->first) {
		out->entries = l->entries ? l->entries + l->first[pos->row] : NULL;
		out->count = l->first[pos->row + 1] - l->first[pos->row];
	}
}

static void list_reported(const struct position *pos, struct value *out)
{
	column_list_reported(accounts_columns, accounts_columns_count, pos->context, pos->row, out);
}

/* ---- columns ------------------------------------------------------------------------------- */

#define RESULT(array) offsetof(struct fs_result, array)

const struct column accounts_columns[] = {
	{ .name = "path", .title = "Account/User", .width = 30, .keep = 255, .left = true,
	  .path = true, .needs = NEED_SHARES, .only = ALL, .get = accounts_get_path,
	  .legend = "path of the account, or of a user in it" },
	{ .name = "account", .title = "Account", .width = 16, .keep = 20, .left = true,
	  .needs = NEED_SHARES, .get = accounts_get_text, .which = F_ASSOC_ACCOUNT,
	  .legend = "account name; for a user, the account that is charged" },
	{ .name = "user", .title = "User", .width = 12, .keep = 21, .left = true,
	  .needs = NEED_SHARES, .get = accounts_get_text, .which = F_ASSOC_USER,
	  .legend = "user name; none for an account" },
	{ .name = "partition", .title = "Partition", .width = 10, .keep = 19, .left = true,
	  .needs = NEED_SHARES, .get = accounts_get_text, .which = F_ASSOC_PARTITION,
	  .legend = "partition, where a user has shares per partition" },
	{ .name = "depth", .title = "Depth", .width = 5, .keep = 1, .needs = NEED_SHARES,
	  .rises = true,
	  .get = get_depth, .legend = "levels below the root", .changes.none = true },
	{ .name = "shares", .title = "Shares", .width = 7, .keep = 167, .needs = NEED_SHARES,
	  .only = ALL, .get = get_shares,
	  .legend = "raw shares among siblings; \"parent\": those of its account",
	  .changes = { .shape = { "Sh", 6, 97, 7, 49 }, .edit = true } },
	{ .name = "norm_shares", .title = "S", .format = COLUMN_RATIO, .width = 8, .decimals = 6,
	  .keep = 140, .needs = NEED_SHARES, .only = OF_F, .reportable = true, .get = get_result,
	  .which = RESULT(norm_shares),
	  .legend = "normalised shares: the part promised (Fair Tree: of siblings)",
	  .changes.shape = { NULL, 8, 48, 9, 47 } },
	{ .name = "reported_norm_shares", .title = "S reported", .format = COLUMN_RATIO,
	  .width = 10, .decimals = 6, .keep = 16, .needs = NEED_SHARES,
	  .get = accounts_get_reported,
	  .which = FS_NUMBER_S, .legend = "normalised shares as the scheduler reports them",
	  .changes.none = true },
	{ .name = "usage", .title = "Usage", .format = COLUMN_SI, .unit = UNIT_TRES_SECONDS,
	  .width = 8,
	  .decimals = 2, .keep = 168, .needs = NEED_SHARES, .only = OF_F, .get = accounts_get_usage,
	  .legend = "decayed billable TRES-seconds of the whole subtree",
	  .changes.shape = { NULL, 9, 46, 10, 45 } },
	{ .name = "norm_usage", .title = "U", .format = COLUMN_RATIO, .width = 8, .decimals = 6,
	  .keep = 160, .needs = NEED_SHARES, .only = OF_F, .reportable = true, .get = get_result,
	  .which = RESULT(norm_usage), .legend = "normalised usage: fraction of all usage",
	  .changes.shape = { NULL, 8, 44, 9, 43 } },
	{ .name = "effective_usage", .title = "E", .format = COLUMN_RATIO, .width = 8,
	  .decimals = 6, .keep = 50, .needs = NEED_SHARES,
	  .only = ON(CLASSIC) | FAIR_TREE | ON(PBS), .reportable = true, .get = get_result,
	  .which = RESULT(effective_usage),
	  .legend = "effective usage, compared with S (Fair Tree: of the parent's)",
	  .changes.shape = { NULL, 8, 42, 9, 41 } },
	{ .name = "usage_ratio", .title = "r", .format = COLUMN_RATIO, .width = 8, .decimals = 3,
	  .keep = 70, .needs = NEED_SHARES, .only = DEPTH_OBLIVIOUS, .get = get_result,
	  .which = RESULT(usage_ratio),
	  .legend = "usage ratio U / S, ignoring the accounts above",
	  .changes.shape = { NULL, 8, 38, 9, 37 } },
	{ .name = "local_ratio", .title = "r_l", .format = COLUMN_RATIO, .width = 8, .decimals = 3,
	  .keep = 80, .needs = NEED_SHARES, .only = DEPTH_OBLIVIOUS, .get = get_result,
	  .which = RESULT(local_ratio),
	  .legend = "local usage ratio: 1.00 = fair share among its siblings",
	  .changes.shape = { NULL, 8, 36, 9, 35 } },
	{ .name = "k", .title = "k", .format = COLUMN_RATIO, .width = 6, .decimals = 4, .keep = 135,
	  .needs = NEED_SHARES, .only = DEPTH_OBLIVIOUS, .get = get_result, .which = RESULT(k),
	  .legend = "weight of r_l in R: 1 = full, less if R above is opposite",
	  .changes.shape = { NULL, 6, 34, 7, 33 } },
	{ .name = "effective_ratio", .title = "R", .format = COLUMN_RATIO, .width = 8,
	  .decimals = 3, .keep = 190, .needs = NEED_SHARES, .only = RATIOS | ON(PBS),
	  .get = get_ratio,
	  .legend = "effective usage ratio: R 1.00 = fair share; above = over-served",
	  .changes = { .shape = { NULL, 8, 155, 9, 172 }, .only = RATIOS | ON(PBS) } },
	{ .name = "fairshare", .title = "F", .format = COLUMN_RATIO, .width = 8, .decimals = 6,
	  .keep = 200, .needs = NEED_SHARES, .only = OF_F, .reportable = true, .get = get_result,
	  .which = RESULT(fairshare),
	  .legend = "fair-share factor: 1 = served first, 0 = last",
	  .changes = { .shape = { NULL, 8, 196, 9, 228 }, .base_only = ALL, .only = ALL } },
	{ .name = "reported_fairshare", .title = "F reported", .format = COLUMN_RATIO, .width = 10,
	  .decimals = 6, .keep = 17, .needs = NEED_SHARES, .get = accounts_get_reported,
	  .which = FS_NUMBER_F, .legend = "fair-share factor as the scheduler reports it",
	  .changes.none = true },
	{ .name = "level_fs", .title = "Level FS", .format = COLUMN_RATIO, .width = 10,
	  .decimals = 4, .keep = 180, .needs = NEED_SHARES, .only = FAIR_TREE,
	  .reportable = true, .get = accounts_get_level,
	  .which = RESULT(level_fs),
	  .legend = "S / E of siblings: 1.00 = fair; above = under-served",
	  .changes = { .shape = { "LFS", 10, 155, 10, 172 }, .only = FAIR_TREE } },
	{ .name = "rank", .title = "Rank", .width = 6, .keep = 110, .needs = NEED_SHARES,
	  .rises = true, .hides = true, .only = ALL, .get = get_result_rank,
	  .which = RESULT(rank),
	  .legend = "rank among users: 1 = served first; ties share a rank",
	  .changes = { .shape = { NULL, 6, 105, 6, 240 }, .only = ALL, .places = true,
		       .news = true, .heading = "Moves" } },
	{ .name = "fair_tree_rank", .title = "FT Rank", .width = 7, .keep = 10,
	  .needs = NEED_SHARES, .get = get_result_rank, .which = RESULT(tree_rank),
	  .legend = "Fair Tree's own number: the highest is served first", .changes.none = true },
	{ .name = "running", .title = "Running", .width = 7, .keep = 90, .needs = NEED_JOBS,
	  .only = ALL, .get = accounts_get_jobs, .which = offsetof(struct model, running),
	  .legend = "running jobs", .changes.none = true },
	{ .name = "pending", .title = "Pending", .width = 7, .keep = 100, .needs = NEED_JOBS,
	  .only = ALL, .get = accounts_get_jobs, .which = offsetof(struct model, pending),
	  .legend = "pending jobs, counting every array task", .changes.none = true },
	{ .name = "burn", .title = "Burn/h", .format = COLUMN_SI,
	  .unit = UNIT_TRES_SECONDS_PER_HOUR,
	  .width = 8, .decimals = 2, .keep = 60, .needs = NEED_JOBS | NEED_QOS, .only = OF_F,
	  .get = get_burn,
	  .legend = "billable TRES-seconds charged per hour by running jobs",
	  .changes.none = true },
	{ .name = "limits", .title = "Limits", .width = 24, .keep = 5, .left = true,
	  .needs = NEED_LIMITS, .get = get_limits,
	  .legend = "limits set on the association itself" },
	{ .name = "reported", .title = "As reported", .width = 14, .keep = 4, .left = true,
	  .needs = NEED_SHARES, .get = list_reported,
	  .legend = "columns in this row that are reported, not computed",
	  .changes.none = true },
	/* PBS's own columns, then LSF's, come last: see accounts_view(). */
	{ .name = "group_percentage", .title = "Group", .format = COLUMN_RATIO, .width = 8,
	  .decimals = 6, .keep = 40, .needs = NEED_SHARES, .only = ON(PBS), .get = get_own,
	  .which = PBS_OWN_GROUP_PERCENTAGE,
	  .legend = "PBS group percentage: shares / sum of the siblings' shares",
	  .changes.none = true },
	{ .name = "usage_perc", .title = "Usage/S", .format = COLUMN_SI, .width = 8, .decimals = 2,
	  .keep = 195, .needs = NEED_SHARES, .only = ON(PBS), .get = get_own,
	  .which = PBS_OWN_USAGE_PERC,
	  .legend = "smallest is served first, at the first level that differs",
	  .changes.none = true },
	{ .name = "dynamic_priority", .title = "Priority", .format = COLUMN_RATIO, .width = 9,
	  .decimals = 3, .keep = 200, .needs = NEED_SHARES, .only = ON(LSF), .reportable = true,
	  .get = get_own, .which = LSF_OWN_PRIORITY,
	  .legend = "dynamic priority: the largest among siblings is first" },
	{ .name = "started", .title = "Started", .format = COLUMN_SI, .width = 7, .keep = 175,
	  .needs = NEED_SHARES, .only = ON(LSF), .get = get_own, .which = LSF_OWN_STARTED,
	  .legend = "slots of started jobs", .changes.none = true },
	{ .name = "cpu_time", .title = "CPU time", .format = COLUMN_RATIO, .unit = UNIT_SECONDS,
	  .width = 9, .decimals = 1, .keep = 165, .needs = NEED_SHARES, .only = ON(LSF),
	  .get = get_own, .which = LSF_OWN_CPU_TIME, .legend = "CPU time used, after decay",
	  .changes.none = true },
	{ .name = "run_time", .title = "Run time", .format = COLUMN_RATIO, .unit = UNIT_SECONDS,
	  .width = 9, .keep = 170, .needs = NEED_SHARES, .only = ON(LSF), .get = get_own,
	  .which = LSF_OWN_RUN_TIME, .legend = "run time of started jobs", .changes.none = true },
};
const size_t accounts_columns_count = sizeof(accounts_columns) / sizeof(accounts_columns[0]);

const struct column *accounts_column(const char *name)
{
	return column_find(accounts_columns, accounts_columns_count, name, strlen(name));
}

/* Does COLUMN belong to another algorithm only? */
static bool is_foreign(const struct column *column, enum fs_algorithm algorithm)
{
	return (column->only == ON(PBS) || column->only == ON(LSF)) &&
	       column->only != UINT32_C(1) << algorithm;
}

struct view accounts_view(const struct model *m)
{
	size_t columns = accounts_columns_count;

	while (is_foreign(&accounts_columns[columns - 1], m->algo->id))
		columns--;
	return view_of("accounts", accounts_columns, columns, m,
		       cluster_rows(m->cluster, TABLE_ASSOC));
}
