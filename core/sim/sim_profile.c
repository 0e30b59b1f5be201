/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/sim_profile.h"

#include <string.h>

#include "core/base/mem.h"

void sim_profile_init(struct sim_profile *p, int64_t from, int64_t procs)
{
	*p = (struct sim_profile){ .count = 1 };
	p->steps = mem_grow(NULL, &p->capacity, 1, sizeof(*p->steps));
	p->steps[0] = (struct sim_step){ from, procs };
}

void sim_profile_free(struct sim_profile *p)
{
	mem_free(p->steps);
}

/* The step that contains TIME; the first one for earlier times. */
static size_t sim_profile_step_of(const struct sim_profile *p, int64_t time)
{
	size_t low = 0, high = p->count;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (p->steps[middle].from <= time)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* Splits at TIME; returns the step that begins there. */
static size_t sim_profile_cut(struct sim_profile *p, int64_t time)
{
	size_t at = sim_profile_step_of(p, time);

	if (p->steps[at].from >= time)
		return at;
	MEM_GROW(p->steps, p->capacity, p->count + 1);
	memmove(p->steps + at + 1, p->steps + at, (p->count++ - at) * sizeof(*p->steps));
	p->steps[at + 1].from = time;
	return at + 1;
}

/* Removes step AT if it equals the one before. */
static void sim_profile_join(struct sim_profile *p, size_t at)
{
	if (at == 0 || p->steps[at].free != p->steps[at - 1].free)
		return;
	memmove(p->steps + at, p->steps + at + 1, (--p->count - at) * sizeof(*p->steps));
}

void sim_profile_add(struct sim_profile *p, int64_t from, int64_t to, int64_t procs)
{
	size_t first, end;

	if (from >= to)
		return;
	first = sim_profile_cut(p, from);
	end = sim_profile_cut(p, to);
	for (size_t i = first; i < end; i++)
		p->steps[i].free += procs;
	sim_profile_join(p, end);
	sim_profile_join(p, first);
}

int64_t sim_profile_find(const struct sim_profile *p, int64_t from, int64_t seconds, int64_t procs)
{
	size_t i = sim_profile_step_of(p, from);
	int64_t start = from;

	/* PROCS is at most the total, so the last step ends the search. */
	for (; i < p->count && p->steps[i].from < start + seconds; i++) {
		if (p->steps[i].free < procs && i + 1 < p->count)
			start = p->steps[i + 1].from;
	}
	return start;
}

void sim_profile_forget(struct sim_profile *p, int64_t before)
{
	size_t at = sim_profile_step_of(p, before);

	memmove(p->steps, p->steps + at, (p->count - at) * sizeof(*p->steps));
	p->count -= at;
}
