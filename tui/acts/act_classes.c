/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands of the classes view: the effect of PBS's two attributes, tried on the screen. */
#include "tui/acts/act.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "tui/panes/pane.h"
#include "tui/whatif/show.h"

ACT(act_equivalence)
{
	exclude_all(a);
	return true;
}

ACT(act_exclude)
{
	if (words->count == 2)
		return exclude_set(a, words->word[1], err);
	if (words->count > 2)
		return err_set(err, ERR_INPUT, "exclude: expected [NAME,...]");
	if (a->pane.ops == &exclude_pane) {
		pane_close(a);
		return true;
	}
	app_open_view(a, VIEW_CLASSES);
	if (a->picture && a->picture->queue)
		pane_open(a, &exclude_pane);
	return true;
}

/* ---- a class's jobs -------------------------------------------------------------------------- */

static int act_classes_by_number(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return a < b ? -1 : a > b;
}

static size_t sorted_ids(const struct classes_data *d, uint32_t row, uint32_t *ids)
{
	const struct cluster *c = d->jobs->model->cluster;
	size_t n = 0;

	for (uint32_t m = d->classes->first[row]; m < d->classes->first[row + 1]; m++)
		ids[n++] = cluster_u32(c, F_JOB_ID, d->set->job[d->classes->members[m]]);
	qsort(ids, n, sizeof(*ids), act_classes_by_number);
	return n;
}

/*
 * The jobs of a class as a filter, with runs of numbers as ranges. False if it is longer than a
 * filter may be.
 */
static bool filter_of_class(const struct classes_data *d, uint32_t row, char *buf, size_t size)
{
	uint32_t *ids = mem_alloc(d->set->jobs, sizeof(*ids));
	size_t n = sorted_ids(d, row, ids), used = 0;

	for (size_t i = 0, end; i < n && used < size; i = end) {
		const char *bar = used > 0 ? "|" : "";
		uint32_t last;

		for (end = i + 1; end < n && ids[end] - ids[end - 1] <= 1; end++)
			;
		last = ids[end - 1];
		used += (size_t)(last != ids[i] ?
				 snprintf(buf + used, size - used, "%s(id>=%u id<=%u)", bar, ids[i],
					  last) :
				 snprintf(buf + used, size - used, "%sid=%u", bar, last));
	}
	mem_free(ids);
	return used < size;
}

bool class_to_jobs(struct app *a, uint32_t row, struct err *err)
{
	char text[SCRIPT_LINE];

	if (!filter_of_class(a->picture->queue->classes, row, text, sizeof(text)))
		return err_set(err, ERR_INPUT,
			       "go-across: class %u has too many jobs for a filter; Enter lists "
			       "them", row);
	app_open_view(a, VIEW_JOBS);
	return app_set_filter(a, VIEW_JOBS, text, err);
}
