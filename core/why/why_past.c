/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/why/why_past.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/queue/reasons.h"

#define REASONS_SAID 3

void why_past_free(struct why_past *p)
{
	for (size_t i = 0; i < p->count; i++)
		mem_free(p->waits[i].reason);
	mem_free(p->waits);
}

static uint32_t past_row_of(const struct why_past *p, const struct cluster *c)
{
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_JOB); row++) {
		if (job_name_is(&p->name, c, row))
			return row;
	}
	return job_name_unsplit(&p->name, c);
}

bool why_past_waits(const struct why_past *p, const struct cluster *c)
{
	uint32_t row = past_row_of(p, c);

	return row != ROW_NONE && job_kind_of(c, row) < JOB_RUNNING;
}

static size_t past_wait_for(struct why_past *p, const char *reason)
{
	for (size_t i = 0; i < p->count; i++) {
		if (strcmp(p->waits[i].reason, reason) == 0)
			return i;
	}
	MEM_GROW(p->waits, p->capacity, p->count + 1);
	p->waits[p->count] = (struct why_wait){ mem_strdup(reason), 0 };
	return p->count++;
}

void why_past_see(struct why_past *p, const struct cluster *c, bool joined)
{
	uint32_t row = past_row_of(p, c);
	int64_t now = cluster_meta(c)->time, start = I64_UNKNOWN;
	bool waits = row != ROW_NONE && job_kind_of(c, row) < JOB_RUNNING;
	const char *reason = waits ? cluster_text(c, F_JOB_REASON, row) : NULL;

	if (row != ROW_NONE && !waits)
		start = cluster_i64(c, F_JOB_START, row);
	/* If the job is gone without a record, it is unknown how long it was pending. */
	if (p->waiting != SIZE_MAX && joined && row != ROW_NONE) {
		int64_t until = start != I64_UNKNOWN && start < now ? start : now;

		p->waits[p->waiting].seconds += until > p->since ? until - p->since : 0;
		p->apart = now - p->since > p->apart ? now - p->since : p->apart;
	}
	p->waiting = reason && *reason ? past_wait_for(p, reason) : SIZE_MAX;
	p->since = now;
	p->seen = row != ROW_NONE ? now : p->seen;
}

static int by_length(const void *a, const void *b)
{
	const struct why_wait *x = a, *y = b;

	return (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

void why_put_past(struct why *w, struct why_past *p)
{
	char word[256], span[WHY_WHEN_MAX], apart[WHY_WHEN_MAX];

	if (p->count > 1)
		qsort(p->waits, p->count, sizeof(*p->waits), by_length);
	for (size_t i = 0; i < p->count && i < REASONS_SAID && p->waits[i].seconds > 0; i++) {
		struct why_line *line;

		reason_word(p->waits[i].reason, word, sizeof(word));
		line = why_add(w, WHY_HOLDS, "%s: %s (samples at most %s apart)",
			       why_span(p->waits[i].seconds, span), word,
			       why_span(p->apart, apart));
		why_word(line, "reason", p->waits[i].reason);
		why_number(line, "seconds", (double)p->waits[i].seconds);
		why_number(line, "apart", (double)p->apart);
	}
}
