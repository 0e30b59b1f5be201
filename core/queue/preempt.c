/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/preempt.h"

#include <string.h>

#include "core/base/mem.h"

/* May a job of QOS row A preempt one of row B? Only for PREEMPT_QOS. */
static bool preempt_qos(const struct cluster *c, uint32_t a, uint32_t b)
{
	return cluster_list_has(c, F_QOS_PREEMPT, a, cluster_text(c, F_QOS_NAME, b));
}

/* reach[a * n + b]: is there a chain of preemptions from A down to B? (S. Warshall, 1962) */
static bool *preempt_reachable(const struct cluster *c, uint32_t n)
{
	bool *reach = mem_zalloc((size_t)n * n, sizeof(*reach));

	for (uint32_t a = 0; a < n; a++) {
		for (uint32_t b = 0; b < n; b++)
			reach[(size_t)a * n + b] = preempt_qos(c, a, b);
	}
	for (uint32_t k = 0; k < n; k++) {
		for (uint32_t a = 0; a < n; a++) {
			if (!reach[(size_t)a * n + k])
				continue;
			for (uint32_t b = 0; b < n; b++)
				reach[(size_t)a * n + b] |= reach[(size_t)k * n + b];
		}
	}
	return reach;
}

/*
 * Longest chain by repeated relaxation over the pairs that are not in one cycle with each other; at
 * most n rounds, since the rest has no cycle.
 */
static void find_levels(struct preempt *p, const bool *reach)
{
	uint32_t n = p->n;
	bool changed = true;

	for (uint32_t a = 0; a < n; a++) {
		p->in_cycle[a] = reach[(size_t)a * n + a];
		p->cyclic |= p->in_cycle[a];
	}
	while (changed) {
		changed = false;
		for (uint32_t a = 0; a < n; a++) {
			for (uint32_t b = 0; b < n; b++) {
				bool down = reach[(size_t)a * n + b], up = reach[(size_t)b * n + a];
				uint32_t least = up ? p->level[a] : p->level[a] + 1;

				if (down && p->level[b] < least) {
					p->level[b] = least;
					changed = true;
				}
			}
		}
	}
}

struct preempt *preempt_new(const struct cluster *c, const struct policy *policy)
{
	struct preempt *p = mem_zalloc(1, sizeof(*p));
	bool *reach;

	p->n = cluster_rows(c, TABLE_QOS);
	p->level = mem_zalloc(p->n, sizeof(*p->level));
	p->in_cycle = mem_zalloc(p->n, sizeof(*p->in_cycle));
	if (strcmp(policy->preempt_type, "preempt/partition_prio") == 0)
		p->kind = PREEMPT_PARTITION;
	if (strcmp(policy->preempt_type, "preempt/qos") != 0)
		return p;
	p->kind = PREEMPT_QOS;
	reach = preempt_reachable(c, p->n);
	find_levels(p, reach);
	mem_free(reach);
	return p;
}

bool preempt_equal(const struct preempt *a, const struct preempt *b)
{
	return a->kind == b->kind && a->n == b->n &&
	       memcmp(a->level, b->level, a->n * sizeof(*a->level)) == 0;
}

void preempt_free(struct preempt *p)
{
	if (!p)
		return;
	MEM_FREE(p->level, p->in_cycle, p);
}
