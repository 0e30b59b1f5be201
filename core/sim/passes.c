/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/passes.h"

int64_t passes_tick(int64_t boot, int64_t now, int64_t interval)
{
	int64_t over = (now - boot) % interval;

	return now - (over < 0 ? over + interval : over) + interval;
}

/* The last full pass due at or before NOW. */
static int64_t last_full(const struct passes *p, int64_t now)
{
	return passes_tick(p->boot, now, p->o->main_interval) - p->o->main_interval;
}

void passes_init(struct passes *p, const struct backfill_options *o, int64_t boot, int64_t now)
{
	*p = (struct passes){ .o = o, .boot = boot, .asked = I64_INFINITE, .queued = I64_INFINITE,
			      .queued_last = now - o->main_delay };
	p->last = last_full(p, now) - o->main_apart;
}

/* Handles the full pass of TICK, an instant that was not simulated: it was made, or will be. */
static void catch_up(struct passes *p, int64_t tick, int64_t now)
{
	int64_t made = p->last + p->o->main_apart;

	if (tick <= p->last || passes_next(p) != I64_INFINITE)
		return;
	made = made > tick ? made : tick;
	if (made < now) {
		p->last = made;
	} else {
		p->full = true;
		p->asked = made;
	}
}

void passes_step(struct passes *p, int64_t now)
{
	int64_t tick = last_full(p, now);
	bool full;

	while (passes_next(p) < now)
		(void)passes_take(p, passes_next(p), &full);
	if (tick == now) {
		p->full = true;
		p->asked = now;
		p->queued = I64_INFINITE;
	} else {
		catch_up(p, tick, now);
	}
	p->queued_last = tick > p->queued_last ? tick : p->queued_last;
}

void passes_ask(struct passes *p, int64_t now, bool killed)
{
	int64_t due = p->queued_last + p->o->main_delay;

	if (killed && !p->o->defers)
		p->asked = now;
	else if (p->queued == I64_INFINITE)
		p->queued = due > now ? due : now;
}

int64_t passes_next(const struct passes *p)
{
	int64_t next = p->asked < p->queued ? p->asked : p->queued;
	int64_t earliest = p->last + p->o->main_apart;

	if (p->o->main_off)
		return I64_INFINITE;
	return next > earliest ? next : earliest;
}

bool passes_take(struct passes *p, int64_t now, bool *full)
{
	if (passes_next(p) > now)
		return false;
	*full = p->full;
	p->full = false;
	p->asked = I64_INFINITE;
	if (p->queued <= now) {
		p->queued_last = p->queued;
		p->queued = I64_INFINITE;
	}
	p->last = now;
	return true;
}
