/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/compared_private.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/whatif/versus.h"

void compared_difference(const struct value *was, const struct value *is, struct value *out)
{
	bool integers = was->kind != VALUE_REAL && is->kind != VALUE_REAL;
	double a, b;

	out->kind = VALUE_UNKNOWN;
	if ((was->kind != VALUE_INT && was->kind != VALUE_BOOL && was->kind != VALUE_REAL) ||
	    (is->kind != VALUE_INT && is->kind != VALUE_BOOL && is->kind != VALUE_REAL))
		return;
	if (integers) {
		out->kind = VALUE_INT;
		out->integer = is->integer - was->integer;
		return;
	}
	a = was->kind == VALUE_REAL ? was->real : (double)was->integer;
	b = is->kind == VALUE_REAL ? is->real : (double)is->integer;
	out->real = a == b ? 0 : b - a;
	out->kind = f64_known(out->real) ? VALUE_REAL : VALUE_UNKNOWN;
}

const struct compared_table *const compared_tables[COMPARED_TABLES] = {
	&compared_accounts, &compared_jobs, &compared_pools, &compared_classes, &compared_policy,
};

const struct compared_table *compared_find(const char *view)
{
	for (size_t i = 0; view && i < COMPARED_TABLES; i++) {
		if (strcmp(compared_tables[i]->view, view) == 0)
			return compared_tables[i];
	}
	return NULL;
}

struct column *compared_join(const struct view *view, size_t *count)
{
	const struct compared_table *t = compared_find(view->name);
	struct column *joined;
	size_t n = 0;

	if (!t)
		return NULL;
	joined = mem_alloc(view->column_count + t->count, sizeof(*joined));
	for (size_t i = 0; i < view->column_count; i++) {
		const char *name = view->columns[i].name;

		for (size_t k = 0; k < t->count; k++) {
			if (t->columns[k].kind == COMPARED_BASE &&
			    strcmp(t->columns[k].of, name) == 0)
				joined[n++] = t->columns[k].column;
		}
		joined[n++] = view->columns[i];
		for (size_t k = 0; k < t->count; k++) {
			if (t->columns[k].kind != COMPARED_BASE &&
			    strcmp(t->columns[k].of, name) == 0)
				joined[n++] = t->columns[k].column;
		}
	}
	*count = n;
	return joined;
}

void compared_places(double places, struct value *out)
{
	out->kind = f64_known(places) ? VALUE_INT : VALUE_UNKNOWN;
	out->integer = f64_known(places) ? (int64_t)places : 0;
}

static const struct column *named(const struct column *columns, size_t count, const char *name)
{
	return column_find(columns, count, name, strlen(name));
}

/* ---- accounts ------------------------------------------------------------------------------ */

static void account_base(const struct spot *spot, const char *name, struct value *out)
{
	const struct versus *v = ((const struct model *)spot->context)->versus;
	uint32_t base = v ? versus_assoc(v, spot->row) : ROW_NONE;

	out->kind = VALUE_UNKNOWN;
	if (base != ROW_NONE)
		column_get(named(accounts_columns, accounts_columns_count, name), v->base, base,
			   out);
}

static void account_change(const struct spot *spot, const char *name, struct value *out)
{
	struct value was = { .kind = VALUE_UNKNOWN }, is = { .kind = VALUE_UNKNOWN };

	account_base(spot, name, &was);
	if (was.kind != VALUE_UNKNOWN)
		column_get(named(accounts_columns, accounts_columns_count, name), spot->context,
			   spot->row, &is);
	compared_difference(&was, &is, out);
}

static void account_rank_change(const struct spot *spot, struct value *out)
{
	const struct versus *v = ((const struct model *)spot->context)->versus;

	compared_places(v ? versus_assoc_moves(v, spot->row) : F64_UNKNOWN, out);
}

PAIR(account, shares)
PAIR(account, norm_shares)
PAIR(account, usage)
PAIR(account, norm_usage)
PAIR(account, effective_usage)
PAIR(account, usage_ratio)
PAIR(account, local_ratio)
PAIR(account, k)
PAIR(account, effective_ratio)
PAIR(account, fairshare)
PAIR(account, level_fs)

static void account_base_rank(const struct spot *spot, struct value *out)
{
	account_base(spot, "rank", out);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static void job_base(const struct spot *spot, const char *name, struct value *out)
{
	const struct versus *v = ((const struct jobs *)spot->context)->versus;
	uint32_t base = v && v->base_jobs ? versus_entry(v, spot->row) : ROW_NONE;

	out->kind = VALUE_UNKNOWN;
	if (base != ROW_NONE)
		column_get(named(jobs_columns, jobs_columns_count, name), v->base_jobs, base, out);
}

static void job_change(const struct spot *spot, const char *name, struct value *out)
{
	struct value was = { .kind = VALUE_UNKNOWN }, is = { .kind = VALUE_UNKNOWN };

	job_base(spot, name, &was);
	if (was.kind != VALUE_UNKNOWN)
		column_get(named(jobs_columns, jobs_columns_count, name), spot->context,
			   spot->row, &is);
	compared_difference(&was, &is, out);
}

static void job_rank_change(const struct spot *spot, struct value *out)
{
	const struct versus *v = ((const struct jobs *)spot->context)->versus;

	compared_places(v && v->base_jobs ? versus_entry_moves(v, spot->row) : F64_UNKNOWN, out);
}

PAIR(job, priority)
PAIR(job, ahead)

static void job_base_rank(const struct spot *spot, struct value *out)
{
	job_base(spot, "rank", out);
}

static void job_base_partition_rank(const struct spot *spot, struct value *out)
{
	job_base(spot, "partition_rank", out);
}

static void job_partition_rank_change(const struct spot *spot, struct value *out)
{
	struct value places;

	/* Smaller is better. */
	job_change(spot, "partition_rank", &places);
	out->kind = places.kind;
	out->integer = places.kind == VALUE_INT ? -places.integer : 0;
}

static void job_base_terms(const struct spot *spot, struct value *out)
{
	job_base(spot, "terms", out);
}

static double number_of(const struct value *map, const char *key)
{
	for (uint32_t i = 0; i < map->count; i++) {
		if (strcmp(map->entries[i].key, key) == 0)
			return map->entries[i].number;
	}
	return 0;	/* no weight, no points */
}

/* The entries are those of the jobs' own scratch, each less what it was. */
static void job_terms_change(const struct spot *spot, struct value *out)
{
	const struct jobs *j = spot->context;
	struct value was = { .kind = VALUE_UNKNOWN };

	job_base(spot, "terms", &was);
	out->kind = VALUE_UNKNOWN;
	if (was.kind != VALUE_MAP)
		return;
	column_get(named(jobs_columns, jobs_columns_count, "terms"), spot->context, spot->row, out);
	for (uint32_t i = 0; out->kind == VALUE_MAP && i < out->count; i++)
		j->scratch[i].number -= number_of(&was, j->scratch[i].key);
}

/* ---- the tables ---------------------------------------------------------------------------- */

#define ON(algorithm) (UINT32_C(1) << FS_##algorithm)
#define TREE (ON(FAIR_TREE) | ON(FAIR_TREE_DOCUMENTED))
#define RATIO (ON(DEPTH_OBLIVIOUS) | ON(CLASSIC) | ON(PBS))
#define RATIO_OF(places) .format = COLUMN_RATIO, .decimals = places
#define SHARES .needs = NEED_SHARES
#define PRIO .needs = NEED_JOBS | NEED_PARTITIONS | NEED_QOS | NEED_POLICY | NEED_SHARES | \
		      NEED_LIMITS | NEED_PRIO | NEED_HOSTS

static const struct compared accounts[] = {
	{ { .name = "base_rank", .title = "Rank was", .width = 6, .keep = 105, SHARES,
	    .legend = BASE_TEXT, .get = account_base_rank }, COMPARED_BASE, "rank" },
	{ { .name = "rank_change", .title = "Moves", .width = 6, .keep = 240, SHARES, .only = ALL,
	    .legend = PLACES_TEXT, .get = account_rank_change }, COMPARED_RANK, "rank" },
	BASE(account, shares, "Sh", .width = 6, .keep = 97, SHARES),
	CHANGE(account, shares, "Sh", .width = 7, .keep = 49, SHARES),
	BASE(account, norm_shares, "S", RATIO_OF(6), .width = 8, .keep = 48, SHARES),
	CHANGE(account, norm_shares, "S", RATIO_OF(6), .width = 9, .keep = 47, SHARES),
	BASE(account, usage, "Usage", .format = COLUMN_SI, .unit = UNIT_TRES_SECONDS, .decimals = 2,
	     .width = 9, .keep = 46, SHARES),
	CHANGE(account, usage, "Usage", .format = COLUMN_SI, .unit = UNIT_TRES_SECONDS,
	       .decimals = 2, .width = 10, .keep = 45, SHARES),
	BASE(account, norm_usage, "U", RATIO_OF(6), .width = 8, .keep = 44, SHARES),
	CHANGE(account, norm_usage, "U", RATIO_OF(6), .width = 9, .keep = 43, SHARES),
	BASE(account, effective_usage, "E", RATIO_OF(6), .width = 8, .keep = 42, SHARES),
	CHANGE(account, effective_usage, "E", RATIO_OF(6), .width = 9, .keep = 41, SHARES),
	BASE(account, usage_ratio, "r", RATIO_OF(3), .width = 8, .keep = 38, SHARES),
	CHANGE(account, usage_ratio, "r", RATIO_OF(3), .width = 9, .keep = 37, SHARES),
	BASE(account, local_ratio, "r_l", RATIO_OF(3), .width = 8, .keep = 36, SHARES),
	CHANGE(account, local_ratio, "r_l", RATIO_OF(3), .width = 9, .keep = 35, SHARES),
	BASE(account, k, "k", RATIO_OF(4), .width = 6, .keep = 34, SHARES),
	CHANGE(account, k, "k", RATIO_OF(4), .width = 7, .keep = 33, SHARES),
	BASE(account, effective_ratio, "R", RATIO_OF(3), .width = 8, .keep = 155, SHARES),
	CHANGE(account, effective_ratio, "R", RATIO_OF(3), .width = 9, .keep = 172, SHARES,
	       .only = RATIO),
	BASE(account, fairshare, "F", RATIO_OF(6), .width = 8, .keep = 196, SHARES, .only = ALL),
	CHANGE(account, fairshare, "F", RATIO_OF(6), .width = 9, .keep = 228, SHARES, .only = ALL),
	BASE(account, level_fs, "LFS", RATIO_OF(4), .width = 10, .keep = 155, SHARES),
	CHANGE(account, level_fs, "LFS", RATIO_OF(4), .width = 10, .keep = 172, SHARES,
	       .only = TREE),
};

static const struct compared jobs[] = {
	{ { .name = "base_rank", .title = "Rank was", .width = 6, .keep = 106, PRIO,
	    .legend = BASE_TEXT, .get = job_base_rank }, COMPARED_BASE, "rank" },
	{ { .name = "rank_change", .title = "Moves", .width = 6, .keep = 240, PRIO, .only = ALL,
	    .legend = PLACES_TEXT, .get = job_rank_change }, COMPARED_RANK, "rank" },
	BASE(job, priority, "Prio", .width = 10, .keep = 161, PRIO, .only = ALL),
	CHANGE(job, priority, "Prio", .width = 10, .keep = 195, PRIO, .only = ALL),
	{ { .name = "base_partition_rank", .title = "PRank was", .width = 6, .keep = 19, PRIO,
	    .legend = BASE_TEXT, .get = job_base_partition_rank }, COMPARED_BASE,
	  "partition_rank" },
	{ { .name = "partition_rank_change", .title = "PMoves", .width = 6, .keep = 18, PRIO,
	    .legend = "places gained in its partition's queue; negative: lost",
	    .get = job_partition_rank_change }, COMPARED_RANK, "partition_rank" },
	BASE(job, ahead, "Ahead", .width = 7, .keep = 17, PRIO),
	CHANGE(job, ahead, "Ahead", .width = 7, .keep = 16, PRIO),
	{ { .name = "base_terms", .title = "Terms was", .width = 30, .keep = 2, PRIO,
	    .legend = "factors times weights without the what-if, in points",
	    .get = job_base_terms }, COMPARED_BASE, "terms" },
	{ { .name = "terms_change", .title = "Terms diff", .width = 30, .keep = 2, PRIO,
	    .legend = "what the what-if adds to each term, in points",
	    .get = job_terms_change }, COMPARED_CHANGE, "terms" },
};

const struct compared_table compared_accounts = TABLE_OF(accounts, "rank_change");
const struct compared_table compared_jobs = TABLE_OF(jobs, "rank_change");
