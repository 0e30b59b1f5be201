/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts of waiting jobs on generated clusters: what holds of every schedule of Slurm's simulator,
 * of the likely spans, and of the lengths they are drawn from.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/dice.h"
#include "core/base/mem.h"
#include "core/cluster/host_list.h"
#include "core/cluster/policy.h"
#include "core/sim/gather.h"
#include "core/sim/slurm_run.h"
#include "core/sim/starts.h"

#define NOW INT64_C(1000000000)
#define NODES 6
#define CPUS 8
#define RUNNING 6
#define JOBS 46

/* What is changed of a generated cluster. */
struct change {
	double usage;			/* times as much */
	bool held;			/* with a job in front that is held throughout */
	uint32_t exclusive;		/* every third that waits is, asks for so many CPUs ... */
};					/* ... and they are what it would be billed for */

static void add_tree(struct builder *b, uint64_t *dice, double usage)
{
	static const char *const names[] = { "root", "physics", "biology", "u0", "u1", "u2", "u3" };

	for (uint32_t i = 0; i < 7; i++) {
		uint32_t row = builder_add(b, TABLE_ASSOC);

		builder_u32(b, F_ASSOC_ID, row, i + 1);
		if (i > 0)
			builder_u32(b, F_ASSOC_PARENT, row, i < 3 ? 1 : 2 + i % 2);
		builder_str(b, F_ASSOC_ACCOUNT, row, i < 3 ? names[i] : names[1 + i % 2]);
		if (i > 2)
			builder_str(b, F_ASSOC_USER, row, names[i]);
		builder_u32(b, F_ASSOC_SHARES, row, 1 + dice_below(dice, 9));
		if (i > 2)
			builder_f64(b, F_ASSOC_USAGE, row, usage * (1 + dice_below(dice, 100000)));
	}
}

static void add_nodes(struct builder *b)
{
	static const char *const partition[] = { "normal" };
	uint32_t row = builder_add(b, TABLE_PARTITION);
	char name[8];

	builder_str(b, F_PARTITION_NAME, row, "normal");
	for (uint32_t i = 0; i < NODES; i++) {
		row = builder_add(b, TABLE_HOST);
		snprintf(name, sizeof(name), "n%u", i + 1);
		builder_str(b, F_HOST_NAME, row, name);
		builder_u32(b, F_HOST_CPUS, row, CPUS);
		builder_f64(b, F_HOST_MEMORY, row, 64000);
		builder_list(b, F_HOST_PARTITIONS, row, partition, 1);
	}
}

/* Job I; the first RUNNING fill a node each. */
static void add_job(struct builder *b, uint32_t i, uint64_t *dice, bool held, uint32_t exclusive)
{
	uint32_t row = builder_add(b, TABLE_JOB), user = dice_below(dice, 4);
	uint32_t cpus = i < RUNNING ? CPUS : 1 + dice_below(dice, 2 * CPUS);
	struct tres_item item = { builder_tres_row(b, "cpu", 3), cpus };
	char name[8];

	if (i >= RUNNING && i % 3 == 0 && exclusive > 0) {
		item.count = cpus = exclusive;
		builder_bool(b, F_JOB_EXCLUSIVE, row, true);
		builder_f64(b, F_JOB_BILLING, row, cpus);
	}
	snprintf(name, sizeof(name), "u%u", user);
	builder_u32(b, F_JOB_ID, row, 100 + i);
	builder_str(b, F_JOB_USER, row, name);
	builder_str(b, F_JOB_ACCOUNT, row, (user + 3) % 2 ? "biology" : "physics");
	builder_str(b, F_JOB_PARTITION, row, "normal");
	builder_str(b, F_JOB_STATE, row, i < RUNNING ? "RUNNING" : "PENDING");
	builder_u32(b, F_JOB_CPUS, row, cpus);
	builder_tres(b, F_JOB_TRES, row, &item, 1);
	builder_i64(b, F_JOB_TIME_LIMIT, row, 60 * (1 + dice_below(dice, 60)));
	builder_i64(b, F_JOB_SUBMIT, row, NOW - 5000 + i);
	builder_u32(b, F_JOB_PRIORITY, row, held ? 0 : 1 + dice_below(dice, 1000));
	if (i < RUNNING) {
		snprintf(name, sizeof(name), "n%u", i + 1);
		builder_str(b, F_JOB_NODE_LIST, row, name);
		builder_i64(b, F_JOB_START, row, NOW - 30);
	} else if (i % 7 == 0) {
		builder_str(b, F_JOB_REASON, row, "BeginTime");
		builder_i64(b, F_JOB_ELIGIBLE, row, NOW + 3600);
	}
}

static struct cluster *generate(uint64_t seed, const struct change *change)
{
	uint64_t dice = dice_stream(seed, 1);
	struct cluster_meta meta = { .kind = "slurm", .name = "made", .version = "22.05.8",
				     .zone = "UTC", .time = NOW, .boot = NOW - 100000,
				     .last_decay = NOW - 100, .last_reset = I64_UNKNOWN };
	struct builder *b = builder_new();
	struct err err = { .code = ERR_NONE };
	struct cluster *c;

	builder_meta(b, &meta);
	strcpy(builder_policy(b)->type, "priority/multifactor");
	builder_policy(b)->weight_fairshare = 10000;
	builder_policy(b)->calc_period = 300;
	builder_policy(b)->half_life = 604800;
	add_tree(b, &dice, change->usage);
	add_nodes(b);
	for (uint32_t i = 0; i < JOBS; i++)
		add_job(b, i, &dice, false, change->exclusive);
	if (change->held)
		add_job(b, JOBS, &dice, true, 0);
	c = builder_seal(b, &err);
	if (!c)
		fail_msg("%s", err.message);
	return c;
}

static void make(struct site *s, const struct cluster *c)
{
	struct err err = { .code = ERR_NONE };

	if (!site_make(s, c, &err))
		fail_msg("%s", err.message);
}

/* ---- what holds of every schedule ---------------------------------------------------------- */

/* At the start of each job no node has more CPUs in use than it has. */
static void check_room(const struct site *s, const struct site_job *at)
{
	for (uint32_t node = 0; node < NODES; node++) {
		uint32_t used = 0;

		for (size_t i = 0; i < s->job_count; i++) {
			const struct site_job *j = &s->jobs[i];

			for (uint32_t k = 0; k < j->share_count; k++)
				used += j->shares[k].node == node && j->start <= at->start &&
					at->start < j->end ? j->shares[k].cpus : 0;
		}
		assert_true(used <= CPUS);
	}
}

static void possible(void **state)
{
	static const struct change none = { .usage = 1 };
	uint32_t begun = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct cluster *c = generate(seed, &none);
		struct site s;

		make(&s, c);
		slurm_run(&s, seed % 2);
		for (size_t i = 0; i < s.job_count; i++) {
			const struct site_job *j = &s.jobs[i];

			assert_int_not_equal(j->start, I64_UNKNOWN);
			assert_true(j->place == 0 || j->start >= NOW);
			assert_true(j->begin == I64_UNKNOWN || j->start >= j->begin);
			check_room(&s, j);
			begun += j->place > 0;
		}
		site_free(&s);
		cluster_free(c);
	}
	assert_int_equal(begun, 20 * (JOBS - RUNNING));
}

/* The starts of all by id, in the order of their rows. */
static void starts_of(uint64_t seed, const struct change *change, int64_t *starts)
{
	struct cluster *c = generate(seed, change);
	struct site s;

	make(&s, c);
	slurm_run(&s, true);
	for (size_t i = 0; i < s.job_count; i++) {
		if (s.jobs[i].row < JOBS)
			starts[s.jobs[i].row] = s.jobs[i].start;
	}
	site_free(&s);
	cluster_free(c);
}

static void are_alike(const struct change *one, const struct change *change)
{
	int64_t starts[JOBS], changed[JOBS];

	for (uint64_t seed = 0; seed < 10; seed++) {
		starts_of(seed, one, starts);
		starts_of(seed, change, changed);
		assert_memory_equal(starts, changed, sizeof(starts));
	}
}

static void change_nothing(const struct change *change)
{
	are_alike(&(const struct change){ .usage = 1 }, change);
}

static void held_throughout(void **state)
{
	(void)state;
	change_nothing(&(const struct change){ .usage = 1, .held = true });
}

/* Jobs without billing add nothing to it. */
static void usage_scaled(void **state)
{
	(void)state;
	change_nothing(&(const struct change){ .usage = 4 });
}

/* Who has whole nodes is billed for them, whatever part of them he asked for. */
static void whole_nodes_billed(void **state)
{
	(void)state;
	are_alike(&(const struct change){ .usage = 0.01, .exclusive = 1 },
		  &(const struct change){ .usage = 0.01, .exclusive = CPUS });
}

/* ---- rules of slurmctld -------------------------------------------------------------------- */

/* A job that runs on NODE or, with none, waits, and when it begins, in seconds from NOW. */
struct wish {
	const char *partition, *node;
	uint32_t cpus, nodes;
	int64_t run, start;		/* s */
};

/* Partition "one" is n1, "all" n1 and n2, of four CPUs each; slurmctld began NOW. */
struct rule {
	const char *parameters;
	bool backfills;
	int64_t complete_wait;
	int64_t from, to;		/* s: n2 is reserved, if TO > FROM */
	uint32_t gpus[6];		/* of each wish; a node has two ... */
	bool typed;			/* ... and they are asked for by an uncounted type */
	struct wish wishes[6];
};

static void add_little_node(struct builder *b, uint32_t i)
{
	static const char *const partitions[] = { "all", "one" };
	const struct tres_item gpus = { builder_tres_row(b, "gres/gpu", 8), 2 };
	uint32_t row = builder_add(b, TABLE_HOST);

	builder_str(b, F_HOST_NAME, row, i == 0 ? "n1" : "n2");
	builder_tres(b, F_HOST_TRES, row, &gpus, 1);
	builder_u32(b, F_HOST_CPUS, row, 4);
	builder_list(b, F_HOST_PARTITIONS, row, partitions, i == 0 ? 2 : 1);
	row = builder_add(b, TABLE_PARTITION);
	builder_str(b, F_PARTITION_NAME, row, partitions[i]);
	builder_u32(b, F_PARTITION_TIER, row, i);
}

static void add_wish(struct builder *b, uint32_t i, const struct wish *w, uint32_t gpus,
		     bool typed)
{
	const struct tres_item tres[] = { { builder_tres_row(b, "cpu", 3), w->cpus },
					  { builder_tres_row(b, "gres/gpu", 8), gpus * w->nodes } };
	uint32_t row = builder_add(b, TABLE_JOB);
	char text[24];

	snprintf(text, sizeof(text), "gres:gpu%s:%u", typed ? ":v1" : "", gpus);
	builder_str(b, F_JOB_GRES, row, gpus > 0 ? text : NULL);

	builder_u32(b, F_JOB_ID, row, 100 + i);
	builder_str(b, F_JOB_PARTITION, row, w->partition);
	builder_str(b, F_JOB_STATE, row, w->node ? "RUNNING" : "PENDING");
	builder_u32(b, F_JOB_CPUS, row, w->cpus);
	builder_u32(b, F_JOB_MIN_NODES, row, w->nodes);
	builder_tres(b, w->node ? F_JOB_TRES_ALLOC : F_JOB_TRES, row, tres, gpus > 0 ? 2 : 1);
	/* who is beyond it does not heed TERM */
	builder_i64(b, F_JOB_TIME_LIMIT, row, w->node && w->run > 30 ? 60 : 600);
	builder_i64(b, F_JOB_SUBMIT, row, NOW - 100);
	builder_u32(b, F_JOB_PRIORITY, row, 1000 - i);
	if (!w->node)
		return;
	builder_str(b, F_JOB_NODE_LIST, row, w->node);
	builder_i64(b, F_JOB_START, row, NOW - 60);
}

static struct cluster *little(const struct rule *r)
{
	struct cluster_meta meta = { .kind = "slurm", .name = "little", .version = "22.05.8",
				     .zone = "UTC", .time = NOW, .boot = NOW,
				     .last_decay = I64_UNKNOWN, .last_reset = I64_UNKNOWN };
	struct builder *b = builder_new();
	struct err err = { .code = ERR_NONE };
	struct policy *p = builder_policy(b);
	struct cluster *c;

	builder_meta(b, &meta);
	snprintf(p->scheduler_type, sizeof(p->scheduler_type), "sched/%s",
		 r->backfills ? "backfill" : "builtin");
	snprintf(p->scheduler_parameters, sizeof(p->scheduler_parameters), "%s",
		 r->parameters ? r->parameters : "");
	p->kill_wait = 30;
	p->complete_wait = r->complete_wait;
	add_little_node(b, 0);
	add_little_node(b, 1);
	for (uint32_t i = 0; r->wishes[i].cpus > 0; i++)
		add_wish(b, i, &r->wishes[i], r->gpus[i], r->typed);
	if (r->to > r->from) {
		builder_add(b, TABLE_RESERVATION);
		builder_str(b, F_RESERVATION_NODE_LIST, 0, "n2");
		builder_i64(b, F_RESERVATION_START, 0, NOW + r->from);
		builder_i64(b, F_RESERVATION_END, 0, NOW + r->to);
	}
	c = builder_seal(b, &err);
	if (!c)
		fail_msg("%s", err.message);
	return c;
}

static void check_rule(const struct rule *r)
{
	struct cluster *c = little(r);
	struct site s;

	make(&s, c);
	for (size_t i = 0; i < s.job_count; i++) {
		const struct wish *w = &r->wishes[s.jobs[i].row];

		s.jobs[i].run = w->node ? w->run + 60 : w->run;
		if (w->node)
			site_foresee(&s, &s.jobs[i]);
	}
	slurm_run(&s, false);
	for (size_t i = 0; i < s.job_count; i++) {
		const struct site_job *j = &s.jobs[i];

		if (j->place > 0 && r->typed)
			assert_int_equal(j->lack, SITE_GRES);
		else if (j->place > 0 && j->start != NOW + r->wishes[j->row].start)
			fail_msg("%s %s CompleteWait %d: job %u begins %ld s from now",
				 r->parameters ? r->parameters : "", site_lack_names[j->lack],
				 (int)r->complete_wait, j->id, (long)(j->start - NOW));
	}
	site_free(&s);
	cluster_free(c);
}

/*
 * What is tried in a pass of the main scheduler. A whole pass is at boot + 60 k, one as deep as
 * default_queue_depth (and one more) at each end; who wants more nodes than his partition has left
 * blocks it as one who waits for them does.
 */
static void main_scheduler(void **state)
{
	static const struct rule rules[] = {
		{ .wishes = { { "all", NULL, 1, 1, 9, 0 }, { "all", NULL, 1, 1, 9, 0 } } },
		{ .parameters = "sched_max_job_start=1",
		  .wishes = { { "all", NULL, 1, 1, 200, 0 }, { "all", NULL, 1, 1, 200, 60 },
			      { "all", NULL, 1, 1, 200, 120 } } },
		{ .parameters = "partition_job_depth=1",
		  .wishes = { { "all", NULL, 1, 1, 200, 0 }, { "all", NULL, 1, 1, 200, 60 },
			      { "one", NULL, 1, 1, 200, 0 } } },
		{ .parameters = "default_queue_depth=0",
		  .wishes = { { "one", "n1", 4, 1, 10, 0 }, { "one", NULL, 2, 1, 200, 10 },
			      { "one", NULL, 2, 1, 200, 60 } } },
		{ .wishes = { { "one", "n1", 4, 1, 10, 0 }, { "one", NULL, 4, 1, 20, 10 },
			      { "all", NULL, 2, 2, 9, 30 }, { "all", NULL, 1, 1, 9, 30 } } },
		{ .wishes = { { "all", "n1", 4, 1, 31, 0 }, { "all", "n2", 4, 1, 10, 0 },
			      { "all", NULL, 4, 1, 9, 10 } } },
		{ .complete_wait = 20,
		  .wishes = { { "all", "n1", 4, 1, 31, 0 }, { "all", "n2", 4, 1, 10, 0 },
			      { "all", NULL, 4, 1, 9, 31 } } },
		{ .complete_wait = 20, .backfills = true, .parameters = "bf_interval=12",
		  .wishes = { { "all", "n1", 4, 1, 31, 0 }, { "all", "n2", 4, 1, 10, 0 },
			      { "all", NULL, 4, 1, 9, 22 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		check_rule(&rules[i]);
}

/*
 * A reserved node is left to no job whose time limit, 600 s, reaches into it; one for which there
 * are too few nodes without it holds up nobody. GRES of a node are as its CPUs: who waits for them
 * reserves it.
 */
static void resources(void **state)
{
	static const struct rule rules[] = {
		{ .from = 599, .to = 700,
		  .wishes = { { "all", NULL, 4, 1, 90, 0 }, { "all", NULL, 4, 1, 9, 90 } } },
		{ .from = 600, .to = 700,
		  .wishes = { { "all", NULL, 4, 1, 90, 0 }, { "all", NULL, 4, 1, 9, 0 } } },
		{ .from = -9, .to = 70,
		  .wishes = { { "all", NULL, 2, 2, 9, 99 }, { "all", NULL, 4, 1, 99, 0 } } },
		{ .from = -9, .to = 70, .backfills = true, .parameters = "bf_interval=25",
		  .wishes = { { "all", NULL, 2, 2, 9, 75 }, { "all", NULL, 4, 1, 60, 0 } } },
		{ .gpus = { 2, 2, 2 },
		  .wishes = { { "all", NULL, 1, 1, 90, 0 }, { "all", NULL, 1, 1, 80, 0 },
			      { "all", NULL, 1, 1, 9, 80 }, { "all", NULL, 1, 1, 9, 80 } } },
		{ .gpus = { 1, 1, 2 },
		  .wishes = { { "all", NULL, 2, 2, 90, 0 }, { "all", NULL, 1, 1, 80, 0 },
			      { "all", NULL, 1, 1, 9, 90 } } },
		{ .gpus = { 1 }, .typed = true, .wishes = { { "all", NULL, 1, 1, 9, 0 } } },
		{ .gpus = { 3, 1 },
		  .wishes = { { "one", "n1", 1, 1, 20, 0 }, { "one", NULL, 1, 1, 9, 20 } } },
		{ .gpus = { 2, 1 }, .backfills = true,
		  .wishes = { { "one", "n1", 1, 1, 20, 0 }, { "one", NULL, 1, 1, 80, 20 },
			      { "all", NULL, 1, 1, 9, 0 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		check_rule(&rules[i]);
}

/* ---- likely spans -------------------------------------------------------------------------- */

static struct lengths *some_lengths(void)
{
	struct lengths *l = lengths_new();

	for (uint32_t i = 0; i < 40; i++)
		lengths_add(l, i % 2 ? "u1" : "u2", "physics", 1 + i * 10, 400);
	return l;
}

static struct likely_span *spans_of(const struct cluster *c, uint64_t seed)
{
	struct lengths *lengths = some_lengths();
	struct likely_span *spans;
	struct likely *l;
	struct site s;

	make(&s, c);
	spans = mem_zalloc(s.waiting, sizeof(*spans));
	l = likely_of_site(&s, lengths, seed);
	for (uint32_t i = 0; likely_go(l); i++) {
		/* To look does not change what comes. */
		if (seed == 1 && i % 50 == 0)
			likely_span_of(l, 0);
	}
	for (uint32_t i = 0; i < s.waiting; i++)
		spans[i] = likely_span_of(l, i);
	likely_free(l);
	site_free(&s);
	lengths_free(lengths);
	return spans;
}

static void spans_by_seed(void **state)
{
	static const struct change none = { .usage = 1 };
	struct cluster *c = generate(3, &none);
	struct likely_span *first = spans_of(c, 1), *again = spans_of(c, 1);
	struct likely_span *other = spans_of(c, 2);
	const uint32_t waiting = JOBS - RUNNING;
	uint32_t moved = 0;

	(void)state;
	assert_memory_equal(first, again, waiting * sizeof(*first));
	for (uint32_t i = 0; i < waiting; i++) {
		assert_true(first[i].p10 <= first[i].p50 && first[i].p50 <= first[i].p90);
		assert_true(first[i].p90 < LIKELY_NEVER);
		moved += memcmp(&first[i], &other[i], sizeof(*first)) != 0;
	}
	assert_true(moved > waiting / 2);
	mem_free(first);
	mem_free(again);
	mem_free(other);
	cluster_free(c);
}

/* Who has enough of its own is drawn from that; else from its account, else from everyone. */
static void groups(void **state)
{
	struct lengths *l = some_lengths();
	struct lengths_draws *d;
	uint32_t own, of_account;

	(void)state;
	lengths_add(l, "u3", "chemistry", 7, 7);
	own = lengths_group(l, "u1", "physics");
	of_account = lengths_group(l, "new", "physics");
	assert_int_not_equal(own, of_account);
	assert_int_equal(lengths_group(l, "u3", "physics"), of_account);
	assert_int_equal(lengths_group(l, "u3", "chemistry"), lengths_group(l, NULL, NULL));
	assert_int_equal(lengths_group(l, "new", "new"), lengths_group(l, NULL, NULL));
	d = lengths_draws_new(l, 5);
	for (unsigned i = 0; i < 100; i++) {
		assert_true(lengths_draw(d, own, 800) > 0);
		assert_true(lengths_draw_running(d, own, 400, 200) > 200);
	}
	assert_int_equal(lengths_draw_running(d, own, 400, 399), LENGTHS_TO_LIMIT);
	lengths_draws_free(d);
	lengths_free(l);
	l = lengths_new();
	assert_int_equal(lengths_group(l, "u1", "physics"), LENGTHS_NOBODY);
	lengths_free(l);
}

/* ---- step by step -------------------------------------------------------------------------- */

static struct starts all_steps(const struct cluster *c, const struct starts_options *o,
			       uint32_t *steps)
{
	struct err err = { .code = ERR_NONE };
	struct starting *from = starts_begin(c, o, &err);
	struct starts s;

	if (!from)
		fail_msg("%s", err.message);
	for (*steps = 0; starts_step(from); (*steps)++)
		;
	starts_so_far(from, &s);
	starts_end(from);
	return s;
}

/* Step by step the answer is the same; who is told to begin before a job does, on its nodes. */
static void steps(void **state)
{
	struct cluster *c = generate(3, &(const struct change){ .usage = 1 });
	struct lengths *lengths = some_lengths();
	const struct starts_options o = { .lengths = lengths, .seed = 1 };
	struct err err = { .code = ERR_NONE };
	struct starts s, whole;
	uint32_t count, told = 0;

	(void)state;
	s = all_steps(c, &o, &count);
	assert_int_equal(count, 1 + LIKELY_ROUNDS);
	assert_int_equal(s.rounds, LIKELY_ROUNDS);
	assert_false(s.rough);
	assert_true(starts_make(&whole, c, &o, &err));
	assert_int_equal(s.count, whole.count);
	for (size_t i = 0; i < s.count; i++) {
		const struct starts_row *r = &s.rows[i];

		assert_int_equal(r->start, whole.rows[i].start);
		assert_int_equal(r->p10, whole.rows[i].p10);
		assert_int_equal(r->p90, whole.rows[i].p90);
		for (uint32_t k = 0; k < r->before_count; k++) {
			const struct starts_row *other = &s.rows[r->before[k]];
			bool shared = false;
			char name[8];

			assert_true(other->start < r->start);
			for (unsigned n = 1; n <= NODES; n++) {
				snprintf(name, sizeof(name), "n%u", n);
				shared = shared || (host_list_has(r->nodes, name) &&
						    host_list_has(other->nodes, name));
			}
			assert_true(shared);
			told++;
		}
	}
	assert_true(told > s.count);
	starts_free(&s);
	starts_free(&whole);
	lengths_free(lengths);
	cluster_free(c);
}

/* The job that an edit puts on top is the first; nothing is told once nobody wants to know. */
static bool nobody_asks(void *context)
{
	(void)context;
	return false;
}

static void edited(void **state)
{
	struct cluster *c = generate(3, &(const struct change){ .usage = 1 });
	int64_t points[JOBS] = { [RUNNING + 5] = 100000 };
	uint32_t count;
	struct starts s = all_steps(c, &(struct starts_options){ .points = points }, &count);

	(void)state;
	assert_int_equal(count, 1);
	assert_int_equal(s.rows[0].id, 100 + RUNNING + 5);
	starts_free(&s);
	s = all_steps(c, &(struct starts_options){ .wanted = nobody_asks }, &count);
	for (size_t i = 0; i < s.count; i++)
		assert_true(s.rows[i].start == I64_UNKNOWN);
	starts_free(&s);
	cluster_free(c);
}

/* ---- gathered jobs ------------------------------------------------------------------------- */

/* A picture at TIME of one job in STATE that waits since 1000; NULL: the jobs are unknown. */
static void gather_one(struct gather *g, int64_t time, const char *state, const char *partition)
{
	struct cluster_meta meta = { .kind = "pbs", .name = "made", .zone = "UTC", .time = time,
				     .boot = I64_UNKNOWN, .last_decay = I64_UNKNOWN,
				     .last_reset = I64_UNKNOWN };
	struct builder *b = builder_new();
	struct err err = { .code = ERR_NONE };
	struct cluster *c;

	builder_meta(b, &meta);
	if (state) {
		uint32_t row = builder_add(b, TABLE_JOB);

		builder_u32(b, F_JOB_ID, row, 7);
		builder_i64(b, F_JOB_SUBMIT, row, 1000);
		builder_i64(b, F_JOB_TIME_LIMIT, row, 900);
		builder_str(b, F_JOB_STATE, row, state);
		builder_str(b, F_JOB_PARTITION, row, partition);
		if (strcmp(state, "PENDING") != 0)
			builder_i64(b, F_JOB_START, row, 1100);
		if (strcmp(state, "COMPLETING") == 0)
			builder_i64(b, F_JOB_END, row, 1100 + 900);
	} else {
		builder_note(b, "jobs", "squeue failed");
	}
	c = builder_seal(b, &err);
	if (!c)
		fail_msg("%s", err.message);
	gather_add(g, c);
	cluster_free(c);
}

/* Its end is when it was seen to have ended, whatever PBS has for one in STATE. */
static void gathered(const char *state)
{
	struct replay *r = replay_new();
	struct gather *g = gather_new(r);

	gather_one(g, 1060, "PENDING", "debug,batch");
	gather_one(g, 1120, NULL, NULL);
	gather_one(g, 1180, "RUNNING", "batch");
	gather_one(g, 1240, NULL, NULL);
	gather_one(g, 1300, state, "batch");
	gather_one(g, 1360, state, "batch");
	assert_int_equal(replay_jobs(r), 1);
	assert_int_equal(replay_job(r, 0)->start, 1100);
	assert_int_equal(replay_job(r, 0)->end, 1300);
	assert_string_equal(replay_word(r, replay_job(r, 0)->partition), "batch");
	assert_int_equal(gather_tally(g).ends_guessed, 1);
	gather_free(g);
	replay_free(r);
}

/* Of one that had ended when the recording began nobody knows the end. */
static void gathered_late(const char *state)
{
	struct replay *r = replay_new();
	struct gather *g = gather_new(r);

	gather_one(g, 1300, state, "batch");
	gather_one(g, 1360, state, "batch");
	gather_one(g, 1420, NULL, NULL);
	assert_int_equal(replay_jobs(r), 1);
	assert_true(replay_job(r, 0)->end == I64_UNKNOWN);
	gather_free(g);
	replay_free(r);
}

static void ends(void **state)
{
	(void)state;
	gathered_late("COMPLETING");
	gathered_late("COMPLETED");
	gathered("COMPLETING");
	gathered("COMPLETED");
}

/* What grows in a copy grows in memory of its own. */
static void copies(void **state)
{
	struct cluster *c = generate(1, &(struct change){ .usage = 1 });
	struct site s, copy;

	(void)state;
	make(&s, c);
	assert_true(s.job_capacity > s.job_count);
	site_copy(&copy, &s);
	assert_int_equal(copy.job_capacity, s.job_count);
	assert_int_equal(copy.choice_capacity, 0);
	site_free(&copy);
	site_free(&s);
	cluster_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(possible),
		cmocka_unit_test(held_throughout),
		cmocka_unit_test(usage_scaled),
		cmocka_unit_test(whole_nodes_billed),
		cmocka_unit_test(main_scheduler),
		cmocka_unit_test(resources),
		cmocka_unit_test(spans_by_seed),
		cmocka_unit_test(groups),
		cmocka_unit_test(copies),
		cmocka_unit_test(ends),
		cmocka_unit_test(steps),
		cmocka_unit_test(edited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
