/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Playing: time goes on by itself, at a chosen speed. */
#include "tui/time/travel.h"

#include "core/base/mem.h"

#define TICK_MS 250
#define WAIT_MS 1000		/* nobody looks at the same picture for longer: gaps are left out */

void travel_play(struct app *a, int64_t speed)
{
	struct travel *t = a->travel;
	uint32_t here = travel_index(a);

	t->speed = here != TIMELINE_NONE ? speed : 0;
	if (t->speed == 0)
		return;
	t->head = (double)t->line.samples[here];
	t->tick_ms = a->ms + TICK_MS;
	t->waited_ms = a->ms;
}

/* Has the picture that was asked for last come? */
static bool has_come(const struct app *a)
{
	const struct travel *t = a->travel;

	return !t->recorded || t->at == I64_UNKNOWN ||
	       travel_time(a) == t->line.samples[travel_index(a)];
}

static void tick(struct app *a)
{
	struct travel *t = a->travel;
	uint32_t here = travel_index(a), there;

	if (t->speed == 0 || a->ms < t->tick_ms)
		return;
	/* Whoever plays faster than pictures come sees fewer of them, not later ones. */
	t->head += (double)t->speed * (double)(a->ms - t->tick_ms + TICK_MS) / 1000;
	t->tick_ms = a->ms + TICK_MS;
	if (!has_come(a))
		return;
	there = timeline_at(&t->line, (int64_t)t->head);
	if (there <= here && a->ms - t->waited_ms >= WAIT_MS) {
		there = here + 1;
		if (there < t->line.count)
			t->head = (double)t->line.samples[there];
	}
	if (there > here && there < t->line.count) {
		t->waited_ms = a->ms;
		travel_go(a, there);
	}
	if (there + 1 >= t->line.count) {
		t->speed = 0;
		app_say(a, ROLE_MESSAGE, "played to the end");
	}
}

static int64_t next_ms(const struct app *a)
{
	return a->travel->speed > 0 ? a->travel->tick_ms : -1;
}

/* ---- the feature --------------------------------------------------------------------------- */

static void init(struct app *a)
{
	a->travel = mem_zalloc(1, sizeof *a->travel);
	a->travel->at = I64_UNKNOWN;
}

static void end(struct app *a)
{
	timeline_free(&a->travel->line);
	recent_free(&a->travel->recent);
	picture_free(a->travel->latest);
	mem_free(a->travel);
}

const struct feature travel_feature = {
	.init = init, .free = end, .settle = tick, .next_ms = next_ms,
};
