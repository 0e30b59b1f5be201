/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/demo/demo.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/clock.h"
#include "core/base/mem.h"
#include "core/cluster/recent.h"

#define DEADLINE_MS 2000

struct demo_source {
	struct source source;
	struct demo_options options;
	struct demo *demo;		/* NULL before the first fetch */
	int64_t seen_ms;		/* real time simulated so far */
	double owed;			/* seconds of its own time not simulated yet */
	struct recent lived;		/* its pictures since the first one ... */
	struct cluster *next;		/* owned: the last of them, until it is returned */
	int64_t reported;		/* until when demo_past() has listed them; 0 not yet */
	struct demo *before;		/* a demo that runs backwards; NULL ... */
	int64_t before_time;		/* and how far it is */
	int64_t at;			/* what fetch() gives; I64_UNKNOWN: now */
	bool sought;			/* AT is new */
	atomic_bool cancelled;
};

static bool read_seed(const char *item, struct demo_options *o, struct err *err)
{
	errno = 0;
	o->seed = *item ? strtoull(item, NULL, 10) : o->seed;
	return (!item[strspn(item, "0123456789")] && errno == 0) ||
	       err_set(err, ERR_INPUT, "seed \"%s\" (expected a number)", item);
}

static bool demo_read_item(const char *item, struct demo_options *o, struct err *err)
{
	const struct {
		const char *name, *digits;
		double max;
		uint32_t *count;	/* NULL: for the speed */
		uint32_t unit;
	} known[] = {
		{ "accounts=", "0123456789", DEMO_ACCOUNTS_MAX, &o->accounts, 1 },
		{ "users=", "0123456789", DEMO_USERS_MAX, &o->users, 1 },
		{ "jobs=", "0123456789", DEMO_JOBS_MAX, &o->jobs, 1 },
		{ "step=", "0123456789", DEMO_STEP_MAX, &o->step, DEMO_CYCLE },
		{ "speed=", "0123456789.", DEMO_SPEED_MAX, NULL, 0 },
	}, *k = known;
	const char *value = strchr(item, '=') ? strchr(item, '=') + 1 : item;
	char *end;
	double n = strtod(value, &end);

	while (k < known + 5 && strncmp(item, k->name, strlen(k->name)) != 0)
		k++;
	if (k == known + 5)
		return err_set(err, ERR_INPUT, "unknown option \"%.80s\" (expected SEED, "
			       "accounts=N, users=N, jobs=N, speed=X or step=N)", item);
	if (end == value || *end || value[strspn(value, k->digits)] || n > k->max ||
	    (k->count && (uint32_t)n % k->unit != 0))
		return err_set(err, ERR_INPUT, "%s: expected a %s from 0 to %.0f", item,
			       k->unit > 1 ? "multiple of 30" : "number", k->max);
	if (k->count)
		*k->count = (uint32_t)n;
	else
		o->speed = n;
	return true;
}

bool demo_options_parse(const char *text, struct demo_options *options, struct err *err)
{
	bool ok = true;

	*options = (struct demo_options)DEMO_OPTIONS_DEFAULT;
	for (const char *next = text && *text ? text : NULL; ok && next;) {
		char *item = mem_strndup(next, strcspn(next, ","));

		ok = next == text && !strchr(item, '=') ? read_seed(item, options, err) :
		     demo_read_item(item, options, err);
		mem_free(item);
		next = strchr(next, ',') ? strchr(next, ',') + 1 : NULL;
	}
	if (!ok || !text || !strstr(text, "step="))
		return ok;
	options->speed = 0;
	return !strstr(text, "speed=") || err_set(err, ERR_INPUT, "step=N and speed=X do not go "
						  "together (expected one of them)");
}

static struct source *demo_open(const char *rest, struct err *err)
{
	struct demo_source *s = mem_zalloc(1, sizeof(*s));

	if (!demo_options_parse(rest, &s->options, err)) {
		mem_free(s);
		return NULL;
	}
	s->source.ops = &demo_source;
	s->source.steps = s->options.step > 0;
	s->at = I64_UNKNOWN;
	snprintf(s->source.name, sizeof(s->source.name), rest && *rest ? "demo:%s" : "demo%s",
		 rest ? rest : "");
	snprintf(s->source.health, sizeof(s->source.health), "built in");
	return &s->source;
}

/* Simulates the time owed, as far as the deadline allows; false if time ran out. */
static bool demo_live(struct demo_source *s, int64_t deadline)
{
	int64_t now = clock_ms();
	bool moved = false;

	/* No new step before the last one is returned; a cancelled one is completed first. */
	if (s->options.step > 0 && s->next)
		return false;
	s->owed += s->options.step == 0 ? (double)(now - s->seen_ms) / 1000 * s->options.speed :
		   s->owed == 0 ? s->options.step : 0;
	s->seen_ms = now;
	while (s->owed >= DEMO_CYCLE && !atomic_exchange(&s->cancelled, false)) {
		demo_advance(s->demo, DEMO_CYCLE);
		/* Too fast for this machine: skip the rest. */
		s->owed = s->options.step > 0 || clock_ms() < deadline ? s->owed - DEMO_CYCLE : 0;
		moved = true;
	}
	return moved && (s->options.step == 0 || s->owed == 0);
}

/* The present picture, if it changed. */
static bool demo_go_on(struct demo_source *s, int64_t allowed, struct err *err)
{
	struct cluster *c;

	if (s->demo && !demo_live(s, clock_ms() + allowed / 2))
		return true;
	if (!s->demo) {
		s->demo = demo_new(&s->options);
		s->seen_ms = clock_ms();
	}
	c = demo_picture(s->demo, err);
	if (!c)
		return false;
	recent_add(&s->lived, c, cluster_meta(c)->time, false);
	cluster_free(s->next);
	s->next = c;
	return true;
}

/* As it was at AT; times before the first picture are simulated backwards from it. */
static struct cluster *demo_look(struct source *source, int64_t at, uint32_t needs, struct err *err)
{
	struct demo_source *s = (struct demo_source *)source;
	int64_t begin;

	(void)needs;
	if (!s->demo && !demo_go_on(s, DEADLINE_MS, err))
		return NULL;
	begin = s->lived.pictures[0].time;
	if (at < begin - DEMO_PAST || at > s->lived.pictures[s->lived.count - 1].time) {
		err_set(err, ERR_INPUT, "the demo has its own time, and covers only the day before "
			"2026-05-03 09:00 UTC");
		return NULL;
	}
	if (at >= begin)
		return cluster_share(recent_at(&s->lived, at));
	at = begin - (begin - at + DEMO_PAST_EVERY - 1) / DEMO_PAST_EVERY * DEMO_PAST_EVERY;
	if (s->before && s->before_time < at) {
		demo_free(s->before);
		s->before = NULL;
	}
	if (!s->before) {
		s->before = demo_new(&s->options);
		s->before_time = begin;
	}
	if (s->before_time > at)
		demo_rewind(s->before, s->before_time - at);
	s->before_time = at;
	return demo_picture(s->before, err);
}

static bool demo_past(struct source *source, struct timeline *out, struct err *err)
{
	struct demo_source *s = (struct demo_source *)source;

	if (!demo_go_on(s, DEADLINE_MS, err))
		return false;
	if (s->reported == s->lived.pictures[s->lived.count - 1].time)
		return true;
	s->reported = s->lived.pictures[s->lived.count - 1].time;
	for (int64_t ago = DEMO_PAST; ago > 0; ago -= DEMO_PAST_EVERY)
		timeline_add(out, s->lived.pictures[0].time - ago);
	for (size_t i = 0; i < s->lived.count; i++)
		timeline_add(out, s->lived.pictures[i].time);
	return true;
}

static bool demo_seek(struct source *source, int64_t at, struct err *err)
{
	struct demo_source *s = (struct demo_source *)source;

	(void)err;
	s->at = at;
	s->sought = true;
	return true;
}

static enum fetch_result demo_fetch(struct source *source, const struct fetch_request *request,
				    struct cluster **out, struct err *err)
{
	struct demo_source *s = (struct demo_source *)source;
	int64_t allowed = request->deadline_ms >= 0 && request->deadline_ms < DEADLINE_MS ?
		request->deadline_ms : DEADLINE_MS;

	if (!demo_go_on(s, allowed, err))
		return FETCH_FAILED;
	if (s->at == I64_UNKNOWN && !s->sought) {
		*out = s->next;
		s->next = NULL;
		return *out ? FETCH_NEW : FETCH_SAME;
	}
	if (!s->sought)
		return FETCH_SAME;
	*out = demo_look(source, s->at == I64_UNKNOWN ?
			 s->lived.pictures[s->lived.count - 1].time : s->at, request->needs, err);
	s->sought = !*out;
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
	demo_free(s->before);
	recent_free(&s->lived);
	cluster_free(s->next);
	mem_free(s);
}

const struct source_ops demo_source = {
	.scheme = "demo",
	.synopsis = "demo[:SEED][,accounts=N][,users=N][,jobs=N][,speed=X|,step=N]",
	.meaning = "the built-in cluster",
	.open = demo_open,
	.fetch = demo_fetch,
	.cancel = demo_cancel,
	.seek = demo_seek,
	.past = demo_past,
	.look = demo_look,
	.close = demo_close,
	.live = true,
	.clock = 1777798800,		/* the first picture, as data/ has it */
	.every_ms = 3000,
};
