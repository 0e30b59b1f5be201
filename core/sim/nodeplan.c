/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/nodeplan.h"

#include <string.h>

#include "core/base/mem.h"

void nodeplan_init(struct nodeplan *p, uint32_t words, int64_t begin, int64_t end)
{
	*p = (struct nodeplan){ .count = 1, .words = words, .made = 1 };
	p->spans = mem_grow(NULL, &p->capacity, 1, sizeof(*p->spans));
	p->spans[0] = (struct nodeplan_span){ begin, end, mem_alloc(words, sizeof(uint64_t)) };
	memset(p->spans[0].avail, 0xff, words * sizeof(uint64_t));
}

void nodeplan_free(struct nodeplan *p)
{
	for (size_t i = 0; i < p->count; i++)
		mem_free(p->spans[i].avail);
	mem_free(p->spans);
}

static uint64_t *copy_set(const struct nodeplan *p, const uint64_t *set)
{
	uint64_t *copy = mem_alloc(p->words, sizeof(*copy));

	memcpy(copy, set, p->words * sizeof(*copy));
	return copy;
}

/* Splits the plan so that a span begins at TIME, if TIME is inside the plan. */
static void nodeplan_cut(struct nodeplan *p, int64_t time)
{
	for (size_t i = 0; i < p->count; i++) {
		if (time <= p->spans[i].begin || time >= p->spans[i].end)
			continue;
		MEM_GROW(p->spans, p->capacity, p->count + 1);
		memmove(p->spans + i + 1, p->spans + i, (p->count++ - i) * sizeof(*p->spans));
		p->spans[i].end = p->spans[i + 1].begin = time;
		p->spans[i + 1].avail = copy_set(p, p->spans[i].avail);
		p->made++;
		return;
	}
}

/*
 * Joins the first two adjacent spans with equal nodes, from the span before BEGIN to the one after
 * END. Only two: if there are more, nodeplan_find() may end its search between them, as slurmctld
 * does. Source: _add_reservation() of backfill.c, 22.05.
 */
static void nodeplan_join(struct nodeplan *p, int64_t begin, int64_t end)
{
	size_t size = p->words * sizeof(uint64_t), i = 0;

	while (i + 1 < p->count && p->spans[i + 1].end < begin)
		i++;
	for (; i + 1 < p->count && p->spans[i].begin < end; i++) {
		if (memcmp(p->spans[i].avail, p->spans[i + 1].avail, size) != 0)
			continue;
		p->spans[i].end = p->spans[i + 1].end;
		mem_free(p->spans[i + 1].avail);
		memmove(p->spans + i + 1, p->spans + i + 2,
			(--p->count - i - 1) * sizeof(*p->spans));
		return;
	}
}

void nodeplan_reserve(struct nodeplan *p, int64_t begin, int64_t end,
		      const struct site_share *shares, uint32_t count)
{
	/* In this case the table of slurmctld begins with an empty span. */
	p->made += begin <= p->spans[0].begin;
	nodeplan_cut(p, begin);
	nodeplan_cut(p, end);
	for (size_t i = 0; i < p->count; i++) {
		if (p->spans[i].begin < begin || p->spans[i].end > end)
			continue;
		for (uint32_t k = 0; k < count; k++)
			site_take(p->spans[i].avail, shares[k].node);
	}
	nodeplan_join(p, begin, end);
}

bool nodeplan_overlaps(const struct nodeplan *p, int64_t begin, int64_t end,
		       const struct site_share *shares, uint32_t count)
{
	for (size_t i = 0; i < p->count; i++) {
		if (p->spans[i].end <= begin || p->spans[i].begin >= end)
			continue;
		for (uint32_t k = 0; k < count; k++) {
			if (!site_has(p->spans[i].avail, shares[k].node))
				return true;
		}
	}
	return false;
}

/* Whether span I has a node of PARTITION that the one before does not have. */
static bool nodeplan_opens(const struct nodeplan *p, size_t i, const uint64_t *partition)
{
	for (uint32_t w = 0; w < p->words; w++) {
		if (partition[w] & p->spans[i].avail[w] & ~p->spans[i - 1].avail[w])
			return true;
	}
	return false;
}

int64_t nodeplan_find(const struct nodeplan *p, const uint64_t *partition, int64_t from, int64_t to,
		      uint64_t *set)
{
	int64_t later = 0;

	memcpy(set, partition, p->words * sizeof(*set));
	for (size_t i = 0; i < p->count; i++) {
		const struct nodeplan_span *span = &p->spans[i];

		if (span->end > from && i + 1 < p->count && later == 0 &&
		    nodeplan_opens(p, i + 1, partition))
			later = span->end;
		if (span->end <= from)
			continue;
		if (span->begin > to)
			break;
		for (uint32_t w = 0; w < p->words; w++)
			set[w] &= span->avail[w];
	}
	return later;
}
