/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/past_ready.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/idmap.h"
#include "core/replay/wish.h"

#define NO_ARRAY UINT32_MAX

enum past_state { WAITS, RUNS, OVER };

/* A job that another depends on, and whether only on its start. */
struct past_before {
	uint32_t job;
	bool begin;
};

/* What keeps a job from being tried. */
struct past_turn {
	struct past_before *before;
	size_t count, capacity;
	bool any;			/* one of them is enough */
	uint32_t array, at_once;	/* NO_ARRAY */
};

struct past_ready {
	const struct past *p;
	struct idmap turns;		/* jobs to indices in TURN */
	struct past_turn *turn;
	size_t count, capacity;
	uint8_t *state;			/* per job */
	uint32_t *running;		/* per array */
};

static const struct replay_job *past_logged(const struct past_ready *r, uint32_t job)
{
	return replay_job(r->p->replay, r->p->sim_log->source[job]);
}

/* ---- dependencies -------------------------------------------------------------------------- */

static uint32_t past_group_of(const struct replay_job *j)
{
	return j->array == U32_UNKNOWN || j->array == 0 ? j->id : j->array;
}

/* Jobs by their array's number, else their own, chained by NEXT. */
struct chains {
	struct idmap first;
	uint32_t *next;
};

static void past_chain(const struct past_ready *r, struct chains *c)
{
	uint32_t count = r->p->sim_log->count;

	c->next = mem_alloc((size_t)count + 1, sizeof(*c->next));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t group = past_group_of(past_logged(r, i));

		c->next[i] = idmap_get(&c->first, group, UINT32_MAX);
		idmap_put(&c->first, group, i);
	}
}

static bool waits_for_others(const struct wish *w)
{
	return w->after != 0 || w->at_once != U32_INFINITE;
}

static void add_before(const struct past_ready *r, struct past_turn *t, const struct chains *c,
		       uint32_t job, uint32_t id, uint32_t task, bool begin)
{
	for (uint32_t i = idmap_get(&c->first, id, UINT32_MAX); i != UINT32_MAX; i = c->next[i]) {
		if (i >= job || (task != U32_UNKNOWN && past_logged(r, i)->task != task))
			continue;
		MEM_GROW(t->before, t->capacity, t->count + 1);
		t->before[t->count++] = (struct past_before){ i, begin };
	}
}

/* "afterok:11(unfulfilled),after:9_3", alternatives joined by "?". */
static void take_dependency(const struct past_ready *r, struct past_turn *t, const struct chains *c,
			    uint32_t job, const char *text)
{
	t->any = strchr(text, '?') != NULL;
	for (; *text; text += strcspn(text, ",?"), text += *text != '\0') {
		size_t word = strcspn(text, ":(,?");
		bool begin = word == strlen("after");

		for (const char *at = text + word; *at == ':'; at += strcspn(at, ":,?")) {
			char *end;
			uint32_t id = (uint32_t)strtoul(at + 1, &end, 10), task = U32_UNKNOWN;

			if (*end == '_' && end[1] != '*')
				task = (uint32_t)strtoul(end + 1, &end, 10);
			add_before(r, t, c, job, id, task, begin);
			at = end;
		}
	}
}

static void past_take_turns(struct past_ready *r, const struct chains *c)
{
	struct idmap arrays = { .size = 0 };

	for (uint32_t i = 0; i < r->p->sim_log->count; i++) {
		const struct replay_job *j = past_logged(r, i);
		const struct wish *w = wish_get(r->p->replay, j);
		const char *after = replay_word(r->p->replay, w->after);
		struct past_turn t = { .array = NO_ARRAY, .at_once = w->at_once };

		if (!waits_for_others(w))
			continue;
		if (after)
			take_dependency(r, &t, c, i, after);
		if (w->at_once != U32_INFINITE) {
			t.array = idmap_get(&arrays, past_group_of(j), (uint32_t)arrays.count);
			idmap_put(&arrays, past_group_of(j), t.array);
		}
		MEM_GROW(r->turn, r->capacity, r->count + 1);
		r->turn[r->count] = t;
		idmap_put(&r->turns, i, (uint32_t)r->count++);
	}
	r->running = mem_zalloc(arrays.count + 1, sizeof(*r->running));
	idmap_free(&arrays);
}

struct past_ready *past_ready_new(const struct past *p)
{
	struct past_ready *r = mem_zalloc(1, sizeof(*r));
	struct chains c = { .next = NULL };
	bool any = false;

	r->p = p;
	for (uint32_t i = 0; i < p->sim_log->count && !any; i++)
		any = waits_for_others(wish_get(p->replay, past_logged(r, i)));
	if (!any)
		return r;
	r->state = mem_zalloc((size_t)p->sim_log->count + 1, sizeof(*r->state));
	past_chain(r, &c);
	past_take_turns(r, &c);
	idmap_free(&c.first);
	mem_free(c.next);
	return r;
}

void past_ready_free(struct past_ready *r)
{
	for (size_t i = 0; r && i < r->count; i++)
		mem_free(r->turn[i].before);
	if (r) {
		MEM_FREE(r->turn, r->state, r->running);
		idmap_free(&r->turns);
	}
	mem_free(r);
}

/* ---- as time passes ------------------------------------------------------------------------ */

static struct past_turn *turn_of(const struct past_ready *r, uint32_t job)
{
	uint32_t at = r->count > 0 ? idmap_get(&r->turns, job, UINT32_MAX) : UINT32_MAX;

	return at == UINT32_MAX ? NULL : &r->turn[at];
}

int64_t past_ready_at(const struct past_ready *r, uint32_t job)
{
	const struct replay_job *j = past_logged(r, job);
	int64_t submit = r->p->sim_log->jobs[job].submit;
	const struct past_turn *t = turn_of(r, job);

	if (j->eligible == I64_UNKNOWN || j->eligible <= j->submit || j->eligible > j->start ||
	    (t && (t->count > 0 || t->array != NO_ARRAY)))
		return submit;
	return submit + (j->eligible - j->submit);
}

bool past_ready_let(const struct past_ready *r, uint32_t job)
{
	const struct past_turn *t = turn_of(r, job);
	size_t met = 0;

	if (!t)
		return true;
	for (size_t i = 0; i < t->count; i++) {
		const struct past_before *b = &t->before[i];

		met += r->state[b->job] == OVER || (b->begin && r->state[b->job] == RUNS);
	}
	return (met == t->count || (t->any && met > 0)) &&
	       (t->array == NO_ARRAY || r->running[t->array] < t->at_once);
}

void past_ready_begin(struct past_ready *r, uint32_t job)
{
	const struct past_turn *t = turn_of(r, job);

	if (r->state)
		r->state[job] = RUNS;
	if (t && t->array != NO_ARRAY)
		r->running[t->array]++;
}

void past_ready_end(struct past_ready *r, uint32_t job)
{
	const struct past_turn *t = turn_of(r, job);

	if (r->state)
		r->state[job] = OVER;
	if (t && t->array != NO_ARRAY)
		r->running[t->array]--;
}
