/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm and slurm-builtin over a log: what slurm_run.h does with a picture's jobs, for jobs that
 * come and go. Data that a log does not have is ignored, and so are memory and GRES.
 *
 * A backfill cycle only matters for the jobs that begin now, as its plans do not outlive it. It
 * ends as soon as no remaining job fits the nodes that are free and not reserved.
 */
#include <string.h>

#include "core/base/mem.h"
#include "core/base/unknown.h"
#include "core/replay/wish.h"
#include "core/sim/backfill.h"
#include "core/sim/choose.h"
#include "core/sim/passes.h"
#include "core/sim/past_limits.h"
#include "core/sim/past_ready.h"

/* The schedulers that have run since the last change. */
enum sim_slurm_seen { SEEN_BY_MAIN = 1, SEEN_BY_BACKFILL = 2, SEEN = 3 };

struct holding {
	uint32_t count;
	struct site_share shares[];
};

struct slurm {
	struct sim_machine *m;
	const struct past *p;
	struct past_rank *rank;
	bool backfills;
	struct backfill_options o;
	struct site site;		/* its nodes, and what limits depend on */
	uint64_t *any;			/* nodes with a free CPU */
	uint32_t most;			/* CPUs of the largest node */
	uint32_t *queue, *priority;	/* pending jobs in order; per job */
	size_t count;
	struct sim_heap soon;		/* jobs that may not begin yet */
	struct holding **held;		/* per job, while it runs */
	int64_t boot;
	struct passes main;
	int64_t ranked;			/* the pass that priorities date from */
	unsigned seen, nobody;
	uint32_t tried;			/* jobs tried by backfill */
	struct backfill b;
	/* scratch */
	struct site_node *later;
	uint64_t *opened;
};

/* A time, at most now, in phase with the schedulers: counted from slurmctld's start, else now. */
static int64_t phase_of(const struct slurm *s)
{
	int64_t boot = cluster_meta(s->p->c)->boot, cycle = s->o.interval * s->o.main_interval;
	int64_t over = boot == I64_UNKNOWN ? 0 : (s->m->now - boot) % cycle;

	return s->m->now - (over < 0 ? over + cycle : over);
}

static void *slurm_make(struct sim_machine *m, const struct sim_options *o)
{
	struct slurm *s = mem_zalloc(1, sizeof(*s));
	const struct past *p = o->past;
	size_t nodes = (size_t)p->node_count + 1;

	s->m = m;
	s->p = p;
	s->rank = past_rank_new(p, m);
	backfill_options_of(cluster_policy(p->c), &s->o);
	s->backfills = o->policy == SIM_SLURM && !s->o.off;
	s->seen = s->nobody = (s->o.main_off ? SEEN_BY_MAIN : 0U) |
			      (s->backfills ? 0U : SEEN_BY_BACKFILL);
	s->b = (struct backfill){ .state = s, .o = &s->o };
	s->site = (struct site){ .c = p->c, .policy = cluster_policy(p->c),
				 .node_count = p->node_count, .words = p->words };
	s->site.nodes = mem_alloc(nodes, sizeof(*s->site.nodes));
	memcpy(s->site.nodes, p->nodes, p->node_count * sizeof(*p->nodes));
	s->any = mem_zalloc(p->words, sizeof(*s->any));
	for (uint32_t i = 0; i < p->node_count; i++) {
		if (p->nodes[i].cpus > 0)
			site_put(s->any, i);
		s->most = p->nodes[i].cpus > s->most ? p->nodes[i].cpus : s->most;
	}
	s->queue = mem_alloc((size_t)m->count + 1, sizeof(*s->queue));
	s->priority = mem_alloc((size_t)m->count + 1, sizeof(*s->priority));
	s->held = mem_zalloc((size_t)m->count + 1, sizeof(struct holding *));
	s->b.shares = mem_alloc(nodes, sizeof(*s->b.shares));
	s->later = mem_alloc(nodes, sizeof(*s->later));
	s->b.set = mem_alloc(p->words, sizeof(*s->b.set));
	s->opened = mem_alloc(p->words, sizeof(*s->opened));
	s->ranked = m->now;
	s->boot = phase_of(s);
	s->site.boot = cluster_meta(p->c)->boot == I64_UNKNOWN ? s->boot :
		       cluster_meta(p->c)->boot;
	passes_init(&s->main, &s->o, s->boot, m->now);
	return s;
}

static void slurm_free(void *state)
{
	struct slurm *s = state;

	past_rank_free(s->rank);
	for (uint32_t i = 0; i < s->m->count; i++)
		mem_free(s->held[i]);
	mem_free(s->held);
	sim_heap_free(&s->soon);
	MEM_FREE(s->site.nodes, s->any, s->queue, s->priority, s->b.shares, s->later, s->b.set,
		 s->opened, s);
}

/* ---- the queue ----------------------------------------------------------------------------- */

static const struct past_place *sim_slurm_place_of(const struct slurm *s, uint32_t job)
{
	return &s->p->places[s->p->jobs[job].place];
}

/* By tier, priority, then submission. */
static bool sim_slurm_before(const struct slurm *s, uint32_t a, uint32_t b)
{
	uint32_t x = sim_slurm_place_of(s, a)->tier, y = sim_slurm_place_of(s, b)->tier;

	if (x != y)
		return x > y;
	return s->priority[a] != s->priority[b] ? s->priority[a] > s->priority[b] : a < b;
}

static void sim_slurm_queue_put(struct slurm *s, uint32_t job)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sim_slurm_before(s, s->queue[middle], job))
			low = middle + 1;
		else
			high = middle;
	}
	memmove(s->queue + low + 1, s->queue + low, (s->count++ - low) * sizeof(*s->queue));
	s->queue[low] = job;
}

/* Updates priorities after a pass. The order rarely changes much: moved jobs are inserted again. */
static void rank_again(struct slurm *s)
{
	size_t count = s->count;

	past_rank_refresh(s->rank);
	for (size_t i = 0; i < count; i++)
		s->priority[s->queue[i]] = past_rank_priority(s->rank, s->queue[i]);
	for (s->count = 0; s->count < count;) {
		uint32_t job = s->queue[s->count];

		if (s->count == 0 || sim_slurm_before(s, s->queue[s->count - 1], job))
			s->count++;
		else
			sim_slurm_queue_put(s, job);
	}
}

static void take_out_begun(struct slurm *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->count; i++) {
		if (!s->held[s->queue[i]])
			s->queue[kept++] = s->queue[i];
	}
	s->count = kept;
}

/* ---- nodes --------------------------------------------------------------------------------- */

static uint64_t sim_slurm_bits(const uint64_t *set, uint32_t words)
{
	uint64_t n = 0;

	for (uint32_t w = 0; w < words; w++) {
		uint64_t x = set[w];

		x -= x >> 1 & UINT64_C(0x5555555555555555);
		x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
		x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
		n += x * UINT64_C(0x0101010101010101) >> 56;
	}
	return n;
}

/* The index of the lowest set bit of X, which is not 0. */
static uint32_t sim_slurm_lowest(uint64_t x)
{
	uint32_t n = 0;

	for (uint32_t step = 32; step > 0; step /= 2) {
		if ((x & ((UINT64_C(1) << step) - 1)) != 0)
			continue;
		x >>= step;
		n += step;
	}
	return n;
}

/* A quick check: false if JOB cannot fit on the nodes of SET. */
static bool sim_slurm_may_fit(const struct slurm *s, uint32_t job, const uint64_t *set)
{
	uint64_t nodes = sim_slurm_bits(set, s->p->words);

	return nodes >= s->p->jobs[job].nodes && nodes * s->most >= s->m->jobs[job].procs;
}

static uint32_t choose_units(struct slurm *s, uint32_t procs, const uint64_t *set)
{
	uint32_t found = 0;

	for (uint32_t w = 0; w < s->p->words; w++) {
		for (uint64_t x = set[w]; x != 0 && found < procs; x &= x - 1)
			s->b.shares[found++] =
				(struct site_share){ w * 64 + sim_slurm_lowest(x), 1 };
	}
	return found;
}

/* Puts into shares what JOB would get of SET; NODES has what is free. Returns how many, 0: none. */
static uint32_t sim_slurm_choose(struct slurm *s, uint32_t job, const struct site_node *nodes,
				 const uint64_t *set)
{
	struct site_job wanted = { .cpus = s->m->jobs[job].procs, .cpus_per_task = 1,
				   .min_nodes = s->p->jobs[job].nodes,
				   .max_nodes = U32_INFINITE };
	const struct wish *w;

	if (!sim_slurm_may_fit(s, job, set))
		return 0;
	w = wish_get(s->p->replay, replay_job(s->p->replay, s->p->sim_log->source[job]));
	wanted.exclusive = w->exclusive && !s->p->unit;
	if (wanted.exclusive && w->cpus > 0)
		wanted.cpus = w->cpus;
	if (w->per_node * wanted.min_nodes == wanted.cpus)
		wanted.tasks_per_node = w->per_node;
	if (w->most_nodes >= wanted.min_nodes)
		wanted.max_nodes = w->most_nodes;
	return s->p->unit ? choose_units(s, wanted.cpus, set) :
			    choose_nodes(&s->site, nodes, &wanted, set, s->b.shares);
}

/* JOB as the code for limits needs it, begun at START. */
static struct site_job sim_slurm_limited(const struct slurm *s, uint32_t job, int64_t start)
{
	uint32_t place = s->p->jobs[job].place;

	return (struct site_job){ .partition = place + 1 < s->p->place_count ? place : ROW_NONE,
				  .start = start, .limit = s->m->jobs[job].estimate };
}

/*
 * How long JOB, which begins now, runs beyond its limit: until that is seen, or to its own end if
 * known. A job that was killed would have run on.
 */
static uint32_t over_limit(const struct slurm *s, uint32_t job)
{
	const struct sim_job *sim = &s->m->jobs[job];
	const struct replay_job *j = replay_job(s->p->replay, s->p->sim_log->source[job]);
	struct site_job begun = sim_slurm_limited(s, job, s->m->now);
	int64_t own = j->end - j->start, seen = site_limit_seen(&s->site, &begun) - s->m->now;
	const char *state = replay_word(s->p->replay, j->state);
	bool killed = own >= j->limit && state && strcmp(state, "TIMEOUT") == 0;

	if (sim->run < sim->estimate || own < sim->run || s->p->sim_log->no_limits)
		return 0;
	if ((killed || own > seen) && site_over_time(&s->site, &begun) != U32_INFINITE)
		own = seen;
	return (uint32_t)(own - sim->run);
}

static void sim_slurm_hold(struct slurm *s, uint32_t job, uint32_t count)
{
	struct holding *h = mem_alloc(1, sizeof(*h) + count * sizeof(*h->shares));

	h->count = count;
	memcpy(h->shares, s->b.shares, count * sizeof(*h->shares));
	for (uint32_t k = 0; k < count; k++) {
		struct site_node *n = &s->site.nodes[h->shares[k].node];

		n->free -= h->shares[k].cpus;
		if (n->free == 0)
			site_take(s->any, h->shares[k].node);
	}
	s->held[job] = h;
	past_limits_begin(s->p->limits, job, count);
	past_ready_begin(s->p->ready, job);
	s->m->jobs[job].over = over_limit(s, job);
	sim_machine_start(s->m, job);
}

static void sim_slurm_give_up(struct slurm *s, uint32_t job)
{
	const struct holding *h = s->held[job];

	for (uint32_t k = 0; k < h->count; k++) {
		s->site.nodes[h->shares[k].node].free += h->shares[k].cpus;
		site_put(s->any, h->shares[k].node);
	}
	past_limits_end(s->p->limits, job, h->count);
	past_ready_end(s->p->ready, job);
	mem_free(s->held[job]);
	s->held[job] = NULL;
}

/* ---- the main scheduler -------------------------------------------------------------------- */

/* Like sim_slurm_main_pass() of slurm_run.c. */
static uint32_t sim_slurm_main_pass(struct slurm *s, bool full, bool *cut)
{
	uint32_t begun = 0;
	size_t tried = 0;

	*cut = false;
	memcpy(s->opened, s->any, s->p->words * sizeof(*s->opened));
	for (size_t i = 0; i < s->count && !*cut; i++) {
		const uint64_t *nodes = sim_slurm_place_of(s, s->queue[i])->nodes;
		uint64_t left = 0;
		uint32_t count;

		for (uint32_t w = 0; w < s->p->words; w++)
			left |= s->b.set[w] = s->opened[w] & nodes[w];
		if (left == 0)
			break;
		if (!past_ready_let(s->p->ready, s->queue[i]))
			continue;
		*cut = !full && tried++ > s->o.main_depth;
		if (*cut || !past_limits_let(s->p->limits, s->queue[i]))
			continue;
		count = sim_slurm_choose(s, s->queue[i], s->site.nodes, s->b.set);
		if (count > 0) {
			sim_slurm_hold(s, s->queue[i], count);
			for (uint32_t w = 0; w < s->p->words; w++)
				s->opened[w] &= s->any[w];
			begun++;
			continue;
		}
		for (uint32_t w = 0; w < s->p->words; w++)
			s->opened[w] &= ~nodes[w];
	}
	if (begun > 0)
		take_out_begun(s);
	return begun;
}

/* ---- backfill ------------------------------------------------------------------------------ */

/* Whether JOB can begin now on the nodes that are unreserved until it ends. */
static bool sim_slurm_may_begin(struct slurm *s, uint32_t job)
{
	int64_t now = s->m->now;

	nodeplan_find(&s->b.plan, sim_slurm_place_of(s, job)->nodes, now,
		      now + s->m->jobs[job].estimate, s->b.set);
	for (uint32_t w = 0; w < s->p->words; w++)
		s->b.set[w] &= s->any[w];
	return sim_slurm_may_fit(s, job, s->b.set);
}

static bool slurm_reset(void *state)
{
	struct slurm *s = state;

	for (uint32_t w = 0; w < s->p->words; w++)
		s->opened[w] = s->b.set[w] & s->any[w];
	if (!s->p->unit)
		memcpy(s->later, s->site.nodes, s->p->node_count * sizeof(*s->later));
	return sim_slurm_may_fit(s, s->tried, s->b.set);
}

static int64_t sim_slurm_end(void *state, size_t i)
{
	const struct sim_machine *m = ((const struct slurm *)state)->m;

	return i < m->running_count ? sim_machine_bound(m, m->running[i]) : I64_INFINITE;
}

static int64_t slurm_late(void *state, size_t i)
{
	const struct slurm *s = state;
	uint32_t job = s->m->running[i];
	struct site_job runs = sim_slurm_limited(s, job, s->m->jobs[job].start);

	return site_thought_end(&s->site, &runs, s->m->now);
}

static bool slurm_give_back(void *state, size_t i)
{
	struct slurm *s = state;
	const struct holding *h = s->held[s->m->running[i]];
	bool any = false;

	for (uint32_t k = 0; k < h->count; k++) {
		uint32_t node = h->shares[k].node;

		if (!s->p->unit)
			s->later[node].free += h->shares[k].cpus;
		if (!site_has(s->b.set, node))
			continue;
		site_put(s->opened, node);
		any = true;
	}
	return any;
}

static uint32_t slurm_choose(void *state)
{
	struct slurm *s = state;

	return sim_slurm_choose(s, s->tried, s->later, s->opened);
}

static bool sim_slurm_begin(void *state, uint32_t count)
{
	struct slurm *s = state;

	sim_slurm_hold(s, s->tried, count);
	return true;
}

static const struct backfill_asks asks = {
	.reset = slurm_reset, .end = sim_slurm_end, .late = slurm_late,
	.give_back = slurm_give_back, .choose = slurm_choose, .begin = sim_slurm_begin,
};

static uint32_t user_of(const struct slurm *s, size_t i)
{
	uint32_t assoc = s->p->jobs[s->queue[i]].assoc;

	return assoc == ROW_NONE ? TEXT_NONE : cluster_text_id(s->p->c, F_ASSOC_USER, assoc);
}

static bool too_many_of_user(const struct slurm *s, size_t i)
{
	uint32_t n = 0;

	for (size_t k = 0; k < i && s->o.max_job_user > 0; k++)
		n += user_of(s, k) == user_of(s, i);
	return s->o.max_job_user > 0 && n >= s->o.max_job_user;
}

static uint32_t sim_slurm_backfill(struct slurm *s)
{
	size_t end = s->count < s->o.max_job_test ? s->count : s->o.max_job_test;
	uint32_t begun = 0;

	s->b.ask = &asks;
	s->b.now = s->m->now;
	s->b.full = false;
	nodeplan_init(&s->b.plan, s->p->words, s->m->now, s->m->now + s->o.window);
	for (size_t i = 0; i < end && !s->b.full; i++) {
		while (end > i && !sim_slurm_may_begin(s, s->queue[end - 1]))
			end--;
		if (end == i || too_many_of_user(s, i) ||
		    !past_ready_let(s->p->ready, s->queue[i]) ||
		    !past_limits_let(s->p->limits, s->queue[i]))
			continue;
		s->tried = s->queue[i];
		begun += backfill_try(&s->b, s->m->jobs[s->tried].estimate,
				      sim_slurm_place_of(s, s->tried)->nodes, NULL);
	}
	nodeplan_free(&s->b.plan);
	if (begun > 0)
		take_out_begun(s);
	return begun;
}

/* ---- time ---------------------------------------------------------------------------------- */

static void ask_for_pass(struct slurm *s, bool killed)
{
	passes_step(&s->main, s->m->now);
	passes_ask(&s->main, s->m->now, killed);
}

static void slurm_submitted(void *state, uint32_t job)
{
	struct slurm *s = state;

	ask_for_pass(s, false);
	if (past_ready_at(s->p->ready, job) > s->m->now) {
		sim_heap_add(&s->soon, past_ready_at(s->p->ready, job), job);
		return;
	}
	past_rank_catch_up(s->rank);
	s->priority[job] = past_rank_priority(s->rank, job);
	sim_slurm_queue_put(s, job);
	s->seen = s->nobody;
}

/* Queues jobs that may begin from now on, for the next pass. */
static void put_later(struct slurm *s)
{
	while (sim_heap_due(&s->soon, s->m->now)) {
		uint32_t job = sim_heap_take(&s->soon).job;

		s->priority[job] = past_rank_priority(s->rank, job);
		sim_slurm_queue_put(s, job);
		s->seen = s->nobody;
	}
}

static void slurm_ended(void *state, uint32_t job)
{
	struct slurm *s = state;
	const struct sim_job *sim = &s->m->jobs[job];

	past_rank_ended(s->rank, job);
	sim_slurm_give_up(s, job);
	s->seen = s->nobody;
	ask_for_pass(s, sim->run == sim->estimate && !s->p->sim_log->no_limits);
}

static int64_t sim_slurm_least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Once both schedulers have run in vain, nothing begins before priorities change. */
static int64_t slurm_next(void *state)
{
	const struct slurm *s = state;
	int64_t next = s->soon.count > 0 ? s->soon.events[0].time : I64_INFINITE;

	if (s->count == 0 || (s->seen == SEEN && s->m->running_count == 0))
		return next;
	if (!(s->seen & SEEN_BY_MAIN))
		next = sim_slurm_least(next, sim_slurm_least(passes_next(&s->main),
							     passes_tick(s->boot, s->m->now,
									 s->o.main_interval)));
	if (!(s->seen & SEEN_BY_BACKFILL))
		next = sim_slurm_least(next, passes_tick(s->boot, s->m->now, s->o.interval));
	return sim_slurm_least(next, past_rank_next(s->rank));
}

static void slurm_start(void *state)
{
	struct slurm *s = state;
	uint32_t begun = 0;
	bool passes, full = false, cut;

	past_rank_catch_up(s->rank);
	put_later(s);
	passes_step(&s->main, s->m->now);
	passes = passes_take(&s->main, s->m->now, &full);
	if (s->count == 0)
		return;
	if (s->ranked < past_rank_next(s->rank)) {
		rank_again(s);
		s->ranked = past_rank_next(s->rank);
		s->seen = s->nobody;
	}
	if (passes && !(s->seen & SEEN_BY_MAIN)) {
		begun += sim_slurm_main_pass(s, full, &cut);
		s->seen |= cut ? 0 : SEEN_BY_MAIN;
	}
	if (!(s->seen & SEEN_BY_BACKFILL) &&
	    passes_tick(s->boot, s->m->now - 1, s->o.interval) == s->m->now) {
		begun += sim_slurm_backfill(s);
		s->seen |= SEEN_BY_BACKFILL;
	}
	if (begun > 0)
		s->seen = s->nobody;
}

const struct sim_rules sim_slurm = {
	.make = slurm_make, .free = slurm_free, .submitted = slurm_submitted,
	.ended = slurm_ended, .next = slurm_next, .start = slurm_start,
};
