/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/rows/look.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/whatif/changes_pair.h"

void look_plain(struct sheet *sheet, enum view_id view)
{
	static const char *const lists[VIEW_COUNT] = {
		[VIEW_POOLS] = "priority,share,entitled,allotted,used,bar,pending,borrowed,"
			       "accumulated,allocation_order,dispatch_order,limit",
		[VIEW_POLICY] = "value,default,meaning",
		[VIEW_CLUSTERS] = "source,health,age,running,waiting,queue,cpu_use,worst_served,"
				  "worst_ratio,over_served,over_ratio,alarms,verify,note",
	};

	sheet->count = sheet->scroll = sheet->asked_count = 0;
	if (lists[view])
		(void)sheet_choose(sheet, lists[view], NULL);
	sheet->chosen = false;
	for (size_t i = 1; i < sheet->all_count && !lists[view]; i++) {
		if (sheet->all[i].only != 0)
			sheet->columns[sheet->count++] = &sheet->all[i];
	}
}

/* Columns contained in the name cell, which is drawn as a tree. */
static bool is_name_column(const struct column *column)
{
	static const char *const names[] = { "path", "account", "user", "partition", "depth" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(column->name, names[i]) == 0)
			return true;
	}
	return false;
}

/* The column whose distance from 1 is drawn by the bar. */
static const struct column *ratio_column(enum fs_algorithm algorithm)
{
	return accounts_column(algorithm == FS_FAIR_TREE ||
			       algorithm == FS_FAIR_TREE_DOCUMENTED ? "level_fs" :
								      "effective_ratio");
}

static bool look_has_limits(const struct cluster *c)
{
	static const enum field fields[] = { F_ASSOC_GRP_JOBS, F_ASSOC_GRP_SUBMIT, F_ASSOC_GRP_TRES,
					     F_ASSOC_GRP_TRES_MINS, F_ASSOC_GRP_TRES_RUN_MINS };

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (cluster_col(c, fields[i]))
			return true;
	}
	return false;
}

/* The algorithm's default columns, and the bar after its ratio. */
static void default_columns(struct sheet *sheet, enum fs_algorithm algorithm, bool limits)
{
	sheet->count = 0;
	for (size_t i = 0; i < accounts_columns_count; i++) {
		const struct column *column = &accounts_columns[i];
		if ((column->only & (UINT32_C(1) << algorithm)) == 0 || is_name_column(column))
			continue;
		sheet->columns[sheet->count++] = column;
		if (column == sheet->ratio)
			sheet->columns[sheet->count++] = &bar_column;
	}
	if (limits)
		sheet->columns[sheet->count++] = &quota_column;
}

void look_accounts(struct sheet *sheet, const struct cluster *c, enum fs_algorithm algorithm)
{
	sheet_set_ratio(sheet, ratio_column(algorithm));
	if (!sheet->chosen)
		default_columns(sheet, algorithm, look_has_limits(c));
	sheet_grant(sheet);
}

#define MANY 5		/* most accounts below one; if there are more ... */
#define FEW 4		/* ... only the worst are shown at first */
#define LITTLE 0.01	/* of all usage */

double look_served(const struct sheet *sheet, const struct list_data *data, uint32_t row)
{
	const struct model *m = data->view.context;
	double served = sheet_served(sheet, data, row);
	double usage = m->fs->norm_usage ? m->fs->norm_usage[row] : F64_UNKNOWN;

	if (!f64_known(served) || isinf(served))
		return 0;
	return usage < LITTLE ? served / (1 + served) : served;
}

/* What is right below each row, and how far the worst account is from its share. */
struct look_branch {
	double worst, below;	/* largest R of it and accounts below; of those only; 0: unknown */
	uint32_t accounts, users;
	uint32_t over;		/* of ACCOUNTS: over-served, or with such accounts below */
	uint32_t rest;		/* of ACCOUNTS: those on one line with the users */
};

static struct look_branch *branches_of(const struct sheet *sheet, const struct list_data *data)
{
	uint32_t n = data->view.rows;
	struct look_branch *b = mem_zalloc(n, sizeof(*b));

	for (uint32_t i = n; i-- > 1; ) {
		struct look_branch *above = &b[data->parent[i]];

		if (cluster_is_user(data->cluster, i)) {
			above->users++;
			continue;
		}
		b[i].worst = fmax(look_served(sheet, data, i), b[i].below);
		above->below = fmax(above->below, b[i].worst);
		above->accounts++;
		above->over += b[i].worst > 1;
	}
	return b;
}

static uint32_t few_of(const struct look_branch *b)
{
	return b->over > FEW ? FEW : b->over > 0 ? b->over : 1;
}

/*
 * Lines that a branch takes when opened: its users, and all but the worst of many accounts, are one
 * line until there are enough lines for each.
 */
static uint32_t look_opened(const struct look_branch *b)
{
	if (b->accounts > MANY)
		return few_of(b) + 1;
	return b->accounts + (b->accounts > 0 && b->users > 1 ? 1 : b->users);
}

/* The lines needed to expand the rest line of a branch, or its fold. */
static uint32_t cost_of(const struct list *l, const struct look_branch *b, uint64_t key)
{
	return idmap_has(&l->users, key) ? b->rest + b->users - 1 : look_opened(b);
}

/* Accounts before users, then the branch that leads to the most over-served one. */
static bool needs_more(const struct list *l, const struct look_branch *b, const uint64_t *keys,
		       uint32_t one, uint32_t other)
{
	bool accounts = b[one].accounts > 0 && !idmap_has(&l->users, keys[one]);
	bool others = b[other].accounts > 0 && !idmap_has(&l->users, keys[other]);

	if (accounts != others)
		return accounts;
	return accounts ? b[one].below > b[other].below : b[one].worst > b[other].worst;
}

/* Of ROW's accounts, only the worst stay out of the rest line. */
static void keep_worst(struct list *l, struct look_branch *b, const struct list_data *data,
		       uint32_t row)
{
	uint32_t end = row + data->span[row], worst[FEW + 1], kept = 0, few = few_of(&b[row]);

	for (uint32_t i = row + 1; i < end; i += data->span[i]) {
		uint32_t at = kept;

		if (cluster_is_user(data->cluster, i))
			continue;
		for (; at > 0 && b[worst[at - 1]].worst < b[i].worst; at--)
			worst[at] = worst[at - 1];
		worst[at] = i;
		if (++kept <= few)
			continue;
		kept = few;
		b[row].rest++;
		idmap_put(&l->users, data->keys[worst[few]], LIST_REST);
	}
}

static void open_branch(struct list *l, struct look_branch *b, const struct list_data *data,
			uint32_t row)
{
	if (list_rest_remove(l, data, row))
		return;
	if (row > 0)
		idmap_put(&l->toggled, data->keys[row], 0);
	if (b[row].accounts > 0 && b[row].users > 1)
		idmap_put(&l->users, data->keys[row], 0);
	if (row > 0 && b[row].accounts > MANY)
		keep_worst(l, b, data, row);
	if (b[row].rest > 0)
		idmap_put(&l->users, data->keys[row], 0);
}

/*
 * Opens the tree by need: the accounts below the root, then branch by branch those that explain
 * most, as long as all their lines fit on the page. The rest of a branch is one line as long as
 * lines are needed for accounts. Nothing folds while the cursor moves.
 */
void look_by_need(struct sheet *sheet, const struct list_data *data)
{
	struct list *l = &sheet->list;
	uint32_t n = data->view.rows, shown, next;
	struct look_branch *b = branches_of(sheet, data);

	l->fold_depth = n <= l->page ? UINT32_MAX : 1;
	shown = 1 + b[0].accounts + (b[0].accounts > 0 ? b[0].users > 0 : b[0].users);
	if (n > l->page)
		open_branch(l, b, data, 0);
	for (next = 0; n > l->page && next != ROW_NONE; ) {
		next = ROW_NONE;
		for (uint32_t i = 0; i < n; ) {
			bool rest = idmap_get(&l->users, data->keys[i], 0) == LIST_REST;
			bool open = i == 0 || idmap_has(&l->toggled, data->keys[i]);
			bool more = !open || idmap_has(&l->users, data->keys[i]);
			uint32_t cost = cost_of(l, &b[i], data->keys[i]);

			if (!rest && more && cost > 0 && shown + cost <= l->page &&
			    (next == ROW_NONE || needs_more(l, b, data->keys, i, next)))
				next = i;
			i += open ? 1 : data->span[i];
		}
		if (next != ROW_NONE) {
			shown += cost_of(l, &b[next], data->keys[next]);
			open_branch(l, b, data, next);
		}
	}
	mem_free(b);
}

static bool is_weighted(const struct jobs *j, size_t factor)
{
	return j->prio->weight[factor] != 0;
}

static bool look_has_formula(const struct jobs *j)
{
	return j->pbs && j->pbs->formula;
}

/*
 * A column of terms without a weight is empty: it is left out until the user chooses it, except if
 * an edit removed the weight.
 */
void look_jobs(struct sheet *sheet, const struct queue *q)
{
	const struct jobs *j = q->jobs;
	const struct jobs *base = j->changes ? j->changes->base_jobs : j;

	if (sheet->chosen)
		return;
	sheet->count = 0;
	for (size_t i = 1; i < sheet->all_count; i++) {
		const struct column *column = &sheet->all[i];
		bool weighted = column->only & UINT32_C(1) << j->model->fs->algorithm;
		bool term = strncmp(column->name, "term_", 5) == 0;

		if (term && column->which < PRIO_FACTORS)
			weighted = is_weighted(j, column->which) ||
				   is_weighted(base, column->which);
		if (strcmp(column->name, "term_tres") == 0)
			weighted = j->prio->tres_count + base->prio->tres_count != 0;
		if (column->drawn == DRAWN_TERMS)
			weighted = q->largest > 0;
		if (j->pbs && term)
			weighted = false;
		/* PBS's column is the formula's result. */
		if (j->pbs && strcmp(column->name, "priority") == 0)
			weighted = look_has_formula(j) || look_has_formula(base);
		if (strcmp(column->name, "start_estimate") == 0)
			weighted = q->starts_known;
		if (weighted)
			sheet->columns[sheet->count++] = column;
	}
	sheet_grant(sheet);
}

void look_order(struct sheet *sheet, const char *name, bool descending)
{
	const struct column *column = column_find(sheet->all, sheet->all_count, name, strlen(name));

	if (sheet->ordered || sheet->picked == column)
		return;
	sheet_pick(sheet, column, descending);
	sheet->ordered = false;
}
