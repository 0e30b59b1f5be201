/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/demo/demo.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "adapters/clock.h"
#include "core/mem.h"

/* The cluster moves in scheduling cycles, one decay pass at most between looks at the clock. */
#define CYCLE 30
#define STRIDE 300
#define DEADLINE_MS 2000

struct demo_source {
	struct source source;
	struct demo_options options;
	struct demo *demo;		/* NULL before the first fetch */
	int64_t seen_ms;		/* until when real time has been lived through */
	double owed;			/* seconds of its own time not lived through yet */
	atomic_bool cancelled;
};

static struct source *demo_open(const char *rest, struct err *err)
{
	struct demo_source *s = mem_zalloc(1, sizeof(*s));

	if (!demo_options_parse(rest, &s->options, err)) {
		mem_free(s);
		return NULL;
	}
	s->source.ops = &demo_source;
	snprintf(s->source.name, sizeof(s->source.name), rest && *rest ? "demo:%s" : "demo%s",
		 rest ? rest : "");
	snprintf(s->source.health, sizeof(s->source.health), "built in");
	return &s->source;
}

/* Lives through the time owed, as far as the deadline allows; false if there was too little. */
static bool live(struct demo_source *s, int64_t deadline)
{
	int64_t now = clock_ms();
	bool moved = false;

	s->owed += (double)(now - s->seen_ms) / 1000 * s->options.speed;
	s->seen_ms = now;
	while (s->owed >= CYCLE && !atomic_exchange(&s->cancelled, false)) {
		int64_t step = s->owed < STRIDE ? (int64_t)s->owed / CYCLE * CYCLE : STRIDE;

		demo_advance(s->demo, step);
		s->owed -= (double)step;
		moved = true;
		if (clock_ms() >= deadline) {
			/* Too fast for this machine: what cannot be lived through is skipped. */
			s->owed = 0;
		}
	}
	return moved;
}

static enum fetch_result demo_fetch(struct source *source, const struct fetch_request *request,
				    struct cluster **out, struct err *err)
{
	struct demo_source *s = (struct demo_source *)source;
	int64_t allowed = request->deadline_ms >= 0 && request->deadline_ms < DEADLINE_MS ?
		request->deadline_ms : DEADLINE_MS;

	if (!s->demo) {
		s->demo = demo_new(&s->options);
		s->seen_ms = clock_ms();
	} else if (!live(s, clock_ms() + allowed / 2)) {
		return FETCH_SAME;
	}
	*out = demo_picture(s->demo, err);
	return *out ? FETCH_NEW : FETCH_FAILED;
}

static void demo_cancel(struct source *source)
{
	atomic_store(&((struct demo_source *)source)->cancelled, true);
}

static void demo_close(struct source *source)
{
	struct demo_source *s = (struct demo_source *)source;

	demo_free(s->demo);
	mem_free(s);
}

const struct source_ops demo_source = {
	.scheme = "demo",
	.synopsis = "demo[:SEED][,accounts=N][,users=N][,jobs=N][,speed=X]",
	.meaning = "the built-in cluster",
	.open = demo_open,
	.fetch = demo_fetch,
	.cancel = demo_cancel,
	.close = demo_close,
	.live = true,
};
