/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/whatif/sheet_filter.h"

#include <string.h>

#include "core/pools/pools.h"
#include "tui/cells/command.h"
#include "tui/rows/queue.h"
#include "tui/whatif/trial_own.h"

#define KNOWN_MAX 128

struct known {
	struct column columns[KNOWN_MAX];
	size_t count, plain;	/* plain: without those that compare, which come last */
};

static void add(struct known *k, const struct column *column)
{
	if (k->count < KNOWN_MAX &&
	    column_find(k->columns, k->count, column->name, strlen(column->name)) == NULL)
		k->columns[k->count++] = *column;
}

static void add_compared(struct known *k, const struct compared_table *t)
{
	for (size_t i = 0; i < t->count; i++)
		add(k, &t->columns[i].column);
}

static void make(struct known *k, const struct sheet *t, const char *view)
{
	for (size_t i = 0; i < t->all_count; i++)
		add(k, &t->all[i]);
	if (t->extra == accounts_extra)
		add(k, &quota_column);
	k->plain = k->count;
	add_compared(k, compared_find(view));
	for (size_t i = 0; i < TRIAL_OWN_TABLES; i++) {
		if (strcmp(trial_own_tables[i].view, view) == 0)
			add_compared(k, &trial_own_tables[i]);
	}
}

static enum view_id view_of(const struct sheet *t)
{
	return t->all == queue_columns ? VIEW_JOBS : t->all == pools_columns ? VIEW_POOLS :
	       t->all == classes_columns ? VIEW_CLASSES : t->all == policy_columns ? VIEW_POLICY :
	       VIEW_ACCOUNTS;
}

const struct column *sheet_filter_columns(const struct sheet *t, size_t *count)
{
	static struct known known[VIEW_COUNT];
	enum view_id view = view_of(t);
	struct known *k = &known[view];

	if (k->count == 0)
		make(k, t, view_names[view]);
	/* What nobody can see yet is offered to nobody. */
	*count = t->held != NULL ? k->count : k->plain;
	return k->columns;
}
