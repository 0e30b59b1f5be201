/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/why_recorded.h"

#include "adapters/store/store.h"
#include "cli/progress.h"

/* Whether the recording has a gap between A and B. */
static bool gap_between(struct store_reader *r, int64_t a, int64_t b)
{
	struct store_gap gap;

	for (uint32_t i = 0; store_gap(r, i, &gap) && gap.since < b; i++) {
		if (gap.until == I64_UNKNOWN || gap.until > a)
			return true;
	}
	return false;
}

/* The number of the last sample with the job; -1: none; -2 and ERR. */
static int64_t walk_pictures(struct store_reader *r, struct store_walk *w, int64_t until,
			     struct why_past *p, struct err *err)
{
	struct progress progress = progress_begin();
	int64_t first, last, found = -1, before = I64_UNKNOWN;
	struct store_sample s;
	uint64_t count = 0;

	if (!store_between(r, I64_UNKNOWN, until, &first, &last, err))
		return -2;
	for (int64_t id = first; id <= last && found > -2; id = s.id + 1) {
		const struct cluster *c = store_next(r, id, &s, err) ?
					  store_walk_to(w, s.id, err) : NULL;

		if (!c) {
			found = -2;
			break;
		}
		why_past_see(p, c, before == I64_UNKNOWN || !gap_between(r, before, s.time));
		found = p->seen == s.time ? s.id : found;
		before = s.time;
		progress_show(&progress, "reading", (double)(id - first) /
			      (double)(last - first + 1), ++count, "samples");
	}
	progress_clear();
	return found;
}

bool why_recorded(const char *file, int64_t until, struct why_past *p, struct cluster **last,
		  struct err *err)
{
	struct store_reader *r = store_reader_open(file, err);
	struct store_walk *w = r ? store_walk_new(r, NEED_JOBS) : NULL;
	int64_t found = w ? walk_pictures(r, w, until, p, err) : -2;

	*last = found > 0 ? store_read(r, found, NEED_ALL, err) : NULL;
	store_walk_free(w);
	store_reader_close(r);
	return found == -1 || *last;
}
