/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/whatif/trial_own.h"

#include <string.h>

#include "tui/rows/state.h"
#include "tui/whatif/trial.h"

/* ---- terms --------------------------------------------------------------------------------- */

/* The column of the queue with that name; looked up once, as queue_columns.c does. */
static void base_term(const struct spot *spot, const struct column *column,
		      struct value *out)
{
	const struct versus *v = ((const struct jobs *)spot->context)->versus;
	uint32_t base = v != NULL ? versus_entry(v, spot->row) : ROW_NONE;

	out->kind = VALUE_UNKNOWN;
	if (base != ROW_NONE)
		column_get(column, v->base_jobs, base, out);
}

static void term_change(const struct spot *spot, const struct column *column,
			struct value *out)
{
	struct value was = { .kind = VALUE_UNKNOWN }, is = { .kind = VALUE_UNKNOWN };

	base_term(spot, column, &was);
	column_get(column, spot->context, spot->row, &is);
	compared_difference(&was, &is, out);
}

#define TERM(key) \
	static const struct column *column_##key(void) \
	{ \
		static const struct column *column; \
\
		if (column == NULL) \
			column = column_find(queue_columns, queue_columns_count, "term_" #key, \
					     strlen("term_" #key)); \
		return column; \
	} \
	static void get_base_##key(const struct spot *spot, struct value *out) \
	{ \
		base_term(spot, column_##key(), out); \
	} \
	static void get_##key##_change(const struct spot *spot, struct value *out) \
	{ \
		term_change(spot, column_##key(), out); \
	}
TERM(age)
TERM(assoc)
TERM(fairshare)
TERM(jobsize)
TERM(partition)
TERM(qos)
TERM(tres)
TERM(site)
TERM(nice)

#define TERM_COLUMNS(key, heading, order) \
	{ { .name = "base_term_" #key, .title = heading " was", .format = COLUMN_RATIO, \
	    .unit = UNIT_POINTS, .width = 9, .decimals = 1, .keep = 4, .get = get_base_##key, \
	    .legend = "as it is without the what-if" }, COMPARED_BASE, "term_" #key }, \
	{ { .name = "term_" #key "_change", .title = heading " diff", .format = COLUMN_RATIO, \
	    .unit = UNIT_POINTS, .width = 9, .decimals = 1, .keep = order, \
	    .get = get_##key##_change, \
	    .legend = "the term with the what-if less the term without it" }, \
	  COMPARED_CHANGE, "term_" #key }

static const struct compared terms[] = {
	TERM_COLUMNS(age, "Age", 103),	     TERM_COLUMNS(assoc, "Assoc", 83),
	TERM_COLUMNS(fairshare, "FS", 107),  TERM_COLUMNS(jobsize, "Size", 87),
	TERM_COLUMNS(partition, "Part", 91), TERM_COLUMNS(qos, "QOS", 95),
	TERM_COLUMNS(tres, "TRES", 81),	     TERM_COLUMNS(site, "Site", 59),
	TERM_COLUMNS(nice, "Nice", 61),
};

/* ---- the other sets ------------------------------------------------------------------------ */

static void put_places(double places, struct value *out)
{
	out->kind = f64_known(places) ? VALUE_INT : VALUE_UNKNOWN;
	out->integer = f64_known(places) ? (int64_t)places : 0;
}

#define SET(letter, number) \
	static void get_assoc_##letter(const struct spot *spot, struct value *out) \
	{ \
		const struct versus *v = ((const struct model *)spot->context)->versus; \
\
		put_places(v != NULL ? versus_assoc_beside(v, number, spot->row) : F64_UNKNOWN, \
			   out); \
	} \
	static void get_entry_##letter(const struct spot *spot, struct value *out) \
	{ \
		const struct versus *v = ((const struct jobs *)spot->context)->versus; \
\
		put_places(v != NULL ? versus_entry_beside(v, number, spot->row) : F64_UNKNOWN, \
			   out); \
	}
SET(a, 0)
SET(b, 1)
SET(c, 2)
SET(d, 3)

#define SET_COLUMN(letter, heading, getter) \
	{ { .name = "rank_change_" #letter, .title = heading, .width = 6, .keep = 238, \
	    .get = getter, .legend = "places that this set of edits gives; negative: takes" }, \
	  COMPARED_RANK, "rank" }

/* In this order D is put first and ends up last. */
static const struct compared account_sets[WHATIF_SETS] = {
	SET_COLUMN(a, "Set A", get_assoc_a), SET_COLUMN(b, "Set B", get_assoc_b),
	SET_COLUMN(c, "Set C", get_assoc_c), SET_COLUMN(d, "Set D", get_assoc_d),
};
static const struct compared job_sets[WHATIF_SETS] = {
	SET_COLUMN(a, "Set A", get_entry_a), SET_COLUMN(b, "Set B", get_entry_b),
	SET_COLUMN(c, "Set C", get_entry_c), SET_COLUMN(d, "Set D", get_entry_d),
};

const struct compared_table trial_own_tables[TRIAL_OWN_TABLES] = {
	{ "jobs", terms, sizeof terms / sizeof terms[0], NULL },
	{ "accounts", account_sets, WHATIF_SETS, NULL },
	{ "jobs", job_sets, WHATIF_SETS, NULL },
};

bool trial_own_is_wanted(const struct app *a, const struct compared *column)
{
	const struct versus *v = trial_versus(a);
	size_t set = WHATIF_SETS;

	if (column >= account_sets && column < account_sets + WHATIF_SETS)
		set = (size_t)(column - account_sets);
	else if (column >= job_sets && column < job_sets + WHATIF_SETS)
		set = (size_t)(column - job_sets);
	return set == WHATIF_SETS || (v != NULL && v->beside[set] != NULL);
}
