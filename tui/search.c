/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Searching by name: every row that the filter lets through, folded ones too, in the order shown.
 */
#include <string.h>

#include "tui/app_private.h"

const char *app_row_name(const struct app *a, uint32_t row)
{
	static const char unknown[] = "";
	const struct cluster *c;
	const char *name;

	if (a->picture == NULL)
		return unknown;
	if (a->view == VIEW_JOBS)
		return a->picture->queue->job_names[row];
	if (a->view == VIEW_POOLS)
		return a->picture->pool_names[row];
	if (a->view == VIEW_CLASSES)
		return a->picture->queue->class_names[row];
	if (a->view == VIEW_POLICY) {
		struct value v;
		struct view view = policy_view(&a->picture->policy);
		view.columns[0].get(view.context, row, &v);
		/*
		 * The names are constants but for words no version knows, which live in the value.
		 */
		return v.kind == VALUE_TEXT && v.text != v.buffer
			       ? v.text
			       : a->picture->policy.policy->unknown_flags;
	}
	c = a->picture->cluster;
	name = cluster_text(c, cluster_is_user(c, row) ? F_ASSOC_USER : F_ASSOC_ACCOUNT, row);
	return name != NULL ? name : unknown;
}

/* Jobs are known by more than their number: name, user and account are searched, too. */
static bool matches(const struct app *a, uint32_t row, const char *text)
{
	static const enum field fields[] = { F_JOB_NAME, F_JOB_USER, F_JOB_ACCOUNT };

	if (strcasestr(app_row_name(a, row), text) != NULL)
		return true;
	if (a->view != VIEW_JOBS || a->picture == NULL)
		return false;
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
		const struct job_index *x = a->picture->queue->jobs->index;
		const char *word = cluster_text(x->cluster, fields[i], x->job[row]);
		if (word != NULL && strcasestr(word, text) != NULL)
			return true;
	}
	return false;
}

uint32_t search_row(const struct app *a, const char *text, uint32_t row, int direction,
		    bool inclusive)
{
	const struct list *l = &app_sheet_get(a)->list;
	uint32_t n = l->now.view.rows, at = 0;

	if (n == 0)
		return ROW_NONE;
	for (at = 0; row != ROW_NONE && at < n; at++) {
		if ((l->sequence != NULL ? l->sequence[at] : at) == row)
			break;
	}
	for (uint32_t step = inclusive ? 0 : 1; step <= n; step++) {
		uint32_t offset = direction > 0 ? step : n - step % n;
		uint32_t place = (uint32_t)(((uint64_t)at + offset) % n);
		uint32_t candidate = l->sequence != NULL ? l->sequence[place] : place;
		if (l->match != NULL && l->match[candidate] != 2)
			continue;
		if (matches(a, candidate, text))
			return candidate;
	}
	return ROW_NONE;
}
