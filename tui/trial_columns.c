/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns that compare a what-if with its base. They are no choice of the user: while a what-if is
 * on the screen they stand beside what they compare, and vanish with it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/app_private.h"

static void put(double x, struct value *out)
{
	out->kind = f64_known(x) ? VALUE_REAL : VALUE_UNKNOWN;
	out->real = x;
}

static void put_integer(double x, struct value *out)
{
	out->kind = f64_known(x) ? VALUE_INT : VALUE_UNKNOWN;
	out->integer = f64_known(x) ? (int64_t)x : 0;
}

static double number(uint32_t x)
{
	return x == U32_UNKNOWN || x == U32_INFINITE ? F64_UNKNOWN : (double)x;
}

/* ---- accounts ------------------------------------------------------------------------------ */

static const struct versus *of_model(const void *context)
{
	return ((const struct model *)context)->versus;
}

static void get_assoc_moves(const void *context, uint32_t row, struct value *out)
{
	const struct versus *v = of_model(context);

	put_integer(v != NULL ? versus_assoc_moves(v, row) : F64_UNKNOWN, out);
}

static double pick(const double *values, uint32_t row)
{
	return values != NULL && row != ROW_NONE ? values[row] : F64_UNKNOWN;
}

/* Two infinities do not differ. */
static double difference(double was, double is)
{
	return was == is ? 0 : is - was;
}

static void get_assoc_rank_was(const void *context, uint32_t row, struct value *out)
{
	const struct versus *v = of_model(context);
	uint32_t base = v != NULL ? versus_assoc(v, row) : ROW_NONE;

	put_integer(base != ROW_NONE && v->base->fs->rank != NULL ?
			    number(v->base->fs->rank[base]) : F64_UNKNOWN, out);
}

static void get_shares_was(const void *context, uint32_t row, struct value *out)
{
	const struct versus *v = of_model(context);
	uint32_t base = v != NULL ? versus_assoc(v, row) : ROW_NONE;
	uint32_t shares = U32_UNKNOWN;

	if (base != ROW_NONE)
		shares = cluster_u32(v->base->cluster, F_ASSOC_SHARES, base);
	if (shares == SHARES_PARENT) {
		out->kind = VALUE_TEXT;
		out->text = "parent";
		return;
	}
	put_integer(number(shares), out);
}

#define COMPARED(name) \
	static void get_##name##_was(const void *context, uint32_t row, struct value *out) \
	{ \
		const struct versus *v = of_model(context); \
\
		put(v != NULL ? pick(v->base->fs->name, versus_assoc(v, row)) : F64_UNKNOWN, out); \
	} \
	static void get_##name##_diff(const void *context, uint32_t row, struct value *out) \
	{ \
		const struct versus *v = of_model(context); \
\
		put(v != NULL ? difference(pick(v->base->fs->name, versus_assoc(v, row)), \
					   pick(v->model->fs->name, row)) : F64_UNKNOWN, out); \
	}
COMPARED(fairshare)
COMPARED(effective_ratio)
COMPARED(level_fs)

/* ---- jobs and classes ---------------------------------------------------------------------- */

static const struct versus *of_jobs(const void *context)
{
	return ((const struct jobs *)context)->versus;
}

static void get_entry_moves(const void *context, uint32_t row, struct value *out)
{
	const struct versus *v = of_jobs(context);

	put_integer(v != NULL ? versus_entry_moves(v, row) : F64_UNKNOWN, out);
}

static double rank_in_base(const struct versus *v, uint32_t row)
{
	uint32_t base = v != NULL ? versus_entry(v, row) : ROW_NONE;

	return base != ROW_NONE ? number(v->base_jobs->order->rank[base]) : F64_UNKNOWN;
}

static void get_entry_rank_was(const void *context, uint32_t row, struct value *out)
{
	put_integer(rank_in_base(of_jobs(context), row), out);
}

static double priority_of(const struct jobs *j, uint32_t row)
{
	const uint32_t *priority = j->pbs != NULL ? j->pbs->priority : j->prio->priority;

	return row != ROW_NONE ? number(priority[row]) : F64_UNKNOWN;
}

static void get_priority_was(const void *context, uint32_t row, struct value *out)
{
	const struct versus *v = of_jobs(context);

	put_integer(v != NULL ? priority_of(v->base_jobs, versus_entry(v, row)) : F64_UNKNOWN,
		    out);
}

static void get_priority_diff(const void *context, uint32_t row, struct value *out)
{
	const struct versus *v = of_jobs(context);

	put_integer(v != NULL ? priority_of(v->jobs, row) -
				priority_of(v->base_jobs, versus_entry(v, row)) : F64_UNKNOWN, out);
}

/* First entry of a job: entries stand in the order of the jobs. */
static uint32_t first_entry(const struct job_index *x, uint32_t job)
{
	uint32_t low = 0, high = x->n;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (x->job[middle] < job)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Best rank that the jobs of a class had. */
static double class_rank_was(const struct classes_data *d, uint32_t row)
{
	const struct versus *v = d->jobs->versus;
	const struct job_index *x = d->jobs->index;
	double best = F64_UNKNOWN;

	for (uint32_t m = d->classes->first[row]; v && m < d->classes->first[row + 1]; m++) {
		uint32_t job = d->set->job[d->classes->members[m]];

		for (uint32_t e = first_entry(x, job); e < x->n && x->job[e] == job; e++)
			best = fmin(best, rank_in_base(v, e));
	}
	return best;
}

static void get_class_rank_was(const void *context, uint32_t row, struct value *out)
{
	put_integer(class_rank_was(context, row), out);
}

/* ---- pools --------------------------------------------------------------------------------- */

static double slots_of(const struct pools *p, uint32_t row, bool allotted)
{
	const struct slots_queue *s = p != NULL ? pools_slots(p, p->members[row]) : NULL;

	return s == NULL ? F64_UNKNOWN : number(allotted ? s->allotted : s->entitled);
}

#define SLOTS(name, allotted) \
	static void get_##name##_was(const void *context, uint32_t row, struct value *out) \
	{ \
		const struct pools *p = context; \
\
		put_integer(slots_of(p->versus, row, allotted), out); \
	} \
	static void get_##name##_diff(const void *context, uint32_t row, struct value *out) \
	{ \
		const struct pools *p = context; \
\
		put_integer(slots_of(p, row, allotted) - slots_of(p->versus, row, allotted), \
			    out); \
	}
SLOTS(entitled, false)
SLOTS(allotted, true)

/* ---- the table ----------------------------------------------------------------------------- */

enum kind { WAS, DIFFERENCE, MOVES };

struct trial_column {
	struct column column;
	enum view_id view;
	enum kind kind;
	const char *beside;	/* stands behind it; what was stands before it */
	bool always;		/* also where the other one is not shown */
};

#define WAS_TEXT "as it is without the what-if"
#define DIFF_TEXT "what the what-if changes: the value with it less the value without it"
#define MOVES_TEXT "places in the rank that the what-if gains or loses"

static const struct trial_column trial_columns[] = {
	{ { .name = "rank_was", .title = "Rank was", .width = 6, .keep = 105, .legend = WAS_TEXT,
	    .get = get_assoc_rank_was }, VIEW_ACCOUNTS, WAS, "rank", false },
	{ { .name = "moves", .title = "Moves", .width = 6, .keep = 240, .legend = MOVES_TEXT,
	    .get = get_assoc_moves }, VIEW_ACCOUNTS, MOVES, "rank", true },
	{ { .name = "shares_was", .title = "Sh was", .width = 6, .keep = 97, .legend = WAS_TEXT,
	    .get = get_shares_was }, VIEW_ACCOUNTS, WAS, "shares", false },
	{ { .name = "fairshare_was", .title = "F was", .format = COLUMN_RATIO, .width = 8,
	    .decimals = 6, .keep = 226, .legend = WAS_TEXT, .get = get_fairshare_was },
	  VIEW_ACCOUNTS, WAS, "fairshare", false },
	{ { .name = "fairshare_diff", .title = "F diff", .format = COLUMN_RATIO, .width = 9,
	    .decimals = 6, .keep = 228, .legend = DIFF_TEXT, .get = get_fairshare_diff },
	  VIEW_ACCOUNTS, DIFFERENCE, "fairshare", false },
	{ { .name = "effective_ratio_was", .title = "R was", .format = COLUMN_RATIO, .width = 8,
	    .decimals = 3, .keep = 95, .legend = WAS_TEXT, .get = get_effective_ratio_was },
	  VIEW_ACCOUNTS, WAS, "effective_ratio", false },
	{ { .name = "effective_ratio_diff", .title = "R diff", .format = COLUMN_RATIO, .width = 9,
	    .decimals = 3, .keep = 94, .legend = DIFF_TEXT, .get = get_effective_ratio_diff },
	  VIEW_ACCOUNTS, DIFFERENCE, "effective_ratio", false },
	{ { .name = "level_fs_was", .title = "LFS was", .format = COLUMN_RATIO, .width = 10,
	    .decimals = 4, .keep = 96, .legend = WAS_TEXT, .get = get_level_fs_was },
	  VIEW_ACCOUNTS, WAS, "level_fs", false },
	{ { .name = "level_fs_diff", .title = "LFS diff", .format = COLUMN_RATIO, .width = 10,
	    .decimals = 4, .keep = 93, .legend = DIFF_TEXT, .get = get_level_fs_diff },
	  VIEW_ACCOUNTS, DIFFERENCE, "level_fs", false },
	{ { .name = "rank_was", .title = "Rank was", .width = 6, .keep = 60, .legend = WAS_TEXT,
	    .get = get_entry_rank_was }, VIEW_JOBS, WAS, "rank", false },
	{ { .name = "moves", .title = "Moves", .width = 6, .keep = 240, .legend = MOVES_TEXT,
	    .get = get_entry_moves }, VIEW_JOBS, MOVES, "rank", true },
	{ { .name = "priority_was", .title = "Prio was", .width = 10, .keep = 61,
	    .legend = WAS_TEXT, .get = get_priority_was }, VIEW_JOBS, WAS, "priority", false },
	{ { .name = "priority_diff", .title = "Prio diff", .width = 10, .keep = 165,
	    .legend = DIFF_TEXT, .get = get_priority_diff }, VIEW_JOBS, DIFFERENCE, "priority",
	  false },
	{ { .name = "entitled_was", .title = "Ent was", .width = 7, .keep = 9, .legend = WAS_TEXT,
	    .get = get_entitled_was }, VIEW_POOLS, WAS, "entitled", false },
	{ { .name = "entitled_diff", .title = "Ent diff", .width = 8, .keep = 10,
	    .legend = DIFF_TEXT, .get = get_entitled_diff }, VIEW_POOLS, DIFFERENCE, "entitled",
	  false },
	{ { .name = "allotted_was", .title = "Alt was", .width = 7, .keep = 9, .legend = WAS_TEXT,
	    .get = get_allotted_was }, VIEW_POOLS, WAS, "allotted", false },
	{ { .name = "allotted_diff", .title = "Alt diff", .width = 8, .keep = 10,
	    .legend = DIFF_TEXT, .get = get_allotted_diff }, VIEW_POOLS, DIFFERENCE, "allotted",
	  false },
	{ { .name = "first_rank_was", .title = "First was", .width = 9, .keep = 182,
	    .legend = WAS_TEXT, .get = get_class_rank_was }, VIEW_CLASSES, WAS, "first_rank",
	  false },
};
#define COLUMNS (sizeof trial_columns / sizeof trial_columns[0])

static const struct trial_column *entry_of(const struct column *column)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		if (column == &trial_columns[i].column)
			return &trial_columns[i];
	}
	return NULL;
}

bool trial_is_column(const struct column *column)
{
	return entry_of(column) != NULL;
}

const struct column *trial_find_column(const struct sheet *sheet, const char *name)
{
	for (size_t i = 0; i < sheet->count; i++) {
		const struct column *column = sheet->columns[i];

		if (trial_is_column(column) && strcmp(column->name, name) == 0)
			return column;
	}
	return NULL;
}

bool trial_is_difference(const struct column *column)
{
	return entry_of(column) != NULL && entry_of(column)->kind == DIFFERENCE;
}

bool trial_is_moves(const struct column *column)
{
	return entry_of(column) != NULL && entry_of(column)->kind == MOVES;
}

const struct column *trial_moves_column(enum view_id view)
{
	for (size_t i = 0; i < COLUMNS; i++) {
		if (trial_columns[i].view == view && trial_columns[i].kind == MOVES)
			return &trial_columns[i].column;
	}
	return NULL;
}

/* ---- in the sheets ------------------------------------------------------------------------- */

static void take_away(struct sheet *sheet)
{
	size_t kept = 0;

	for (size_t i = 0; i < sheet->count; i++) {
		if (!trial_is_column(sheet->columns[i]))
			sheet->columns[kept++] = sheet->columns[i];
	}
	sheet->count = kept;
}

static void put_beside(struct sheet *sheet, const struct trial_column *t)
{
	size_t at = 0;

	while (at < sheet->count && strcmp(sheet->columns[at]->name, t->beside) != 0)
		at++;
	if (sheet->count == SHEET_COLUMNS || (at == sheet->count && !t->always))
		return;
	if (at == sheet->count)
		at = 0;
	else if (t->kind != WAS)
		at++;
	memmove(&sheet->columns[at + 1], &sheet->columns[at],
		(sheet->count - at) * sizeof sheet->columns[0]);
	sheet->columns[at] = &t->column;
	sheet->count++;
}

/* The policy has its own column for what the edits make of a parameter. */
static void fit_policy(struct sheet *sheet, bool shown)
{
	const struct column *what_if =
		column_find(sheet->all, sheet->all_count, "what_if", strlen("what_if"));
	bool there = false;

	for (size_t i = 0; i < sheet->count; i++)
		there = there || sheet->columns[i] == what_if;
	if (there != shown && (shown || !sheet->chosen)) {
		bool chosen = sheet->chosen;

		sheet_toggle(sheet, what_if);
		sheet->chosen = chosen;
	}
}

/* The column that has to be seen whatever the room. */
static const struct column *held_column(const struct sheet *sheet, enum view_id view)
{
	const char *name = view == VIEW_POLICY ? "what_if" : "rank";

	return column_find(sheet->all, sheet->all_count, name, strlen(name));
}

void trial_fit_columns(struct app *a)
{
	bool shown = trial_versus(a) != NULL;

	for (int view = 0; view < VIEW_COUNT; view++) {
		struct sheet *sheet = &a->sheets[view];

		take_away(sheet);
		sheet->held = shown ? held_column(sheet, (enum view_id)view) : NULL;
	}
	for (size_t i = 0; shown && i < COLUMNS; i++)
		put_beside(&a->sheets[trial_columns[i].view], &trial_columns[i]);
	fit_policy(&a->sheets[VIEW_POLICY], shown);
	for (int view = 0; view < VIEW_COUNT && !shown; view++) {
		struct sheet *sheet = &a->sheets[view];

		if (sheet->picked != NULL && trial_is_column(sheet->picked))
			sheet_pick(sheet, NULL, false);
	}
}

/* ---- cells --------------------------------------------------------------------------------- */

/* "▲12": better by twelve places. Blank where there is no rank to compare. */
static void moves_cell(const struct value *v, bool ascii, char *buf, size_t size)
{
	long long places = v->kind == VALUE_INT ? (long long)v->integer : 0;

	if (v->kind != VALUE_INT)
		buf[0] = '\0';
	else if (places == 0)
		snprintf(buf, size, "0");
	else if (places > 0)
		snprintf(buf, size, "%s%lld", ascii ? "+" : "▲", places);
	else
		snprintf(buf, size, "%s%lld", ascii ? "-" : "▼", -places);
}

void trial_cell(const struct column *column, const struct value *v, bool ascii, char *buf,
		size_t size)
{
	const struct trial_column *t = entry_of(column);
	bool more = t->kind == DIFFERENCE && ((v->kind == VALUE_REAL && v->real > 0) ||
					      (v->kind == VALUE_INT && v->integer > 0));
	char text[80];

	if (t->kind == MOVES) {
		moves_cell(v, ascii, buf, size);
		return;
	}
	sheet_cell(column, v, column->width - more, ascii, text, sizeof text);
	snprintf(buf, size, "%s%s", more ? "+" : "", text);
}
