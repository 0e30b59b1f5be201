/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts of pending jobs on generated clusters: properties of every schedule of Slurm's simulator.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/cluster/cluster_copy.h"
#include "core/base/dice.h"
#include "core/base/mem.h"
#include "core/cluster/host_list.h"
#include "core/cluster/policy.h"
#include "core/sim/gather.h"
#include "core/sim/nodeplan.h"
#include "core/sim/slurm_run.h"
#include "core/sim/starts.h"
#include "tests/support/lab.h"

#define NOW INT64_C(1000000000)
#define NODES 6
#define CPUS 8
#define RUNNING 6
#define JOBS 46

/* A change to a generated cluster. */
struct change {
	double usage;			/* factor of the usage */
	bool held;			/* adds a job in front that stays held */
	bool closed;			/* adds a user limited to no job ... */
	bool refused;			/* ... and that user's job in front */
	uint32_t exclusive;		/* every third pending job is, asking for these CPUs ... */
};					/* ... which is its billing */

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

/* Adds job I; the first RUNNING jobs fill a node each. */
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

/* Adds a user whose GrpJobs is 0, and if JOB a job of that user, which would fit. */
static void add_closed(struct builder *b, bool job)
{
	const struct tres_item item = { builder_tres_row(b, "cpu", 3), 1 };
	uint32_t row = builder_add(b, TABLE_ASSOC);

	builder_u32(b, F_ASSOC_ID, row, 8);
	builder_u32(b, F_ASSOC_PARENT, row, 2);
	builder_str(b, F_ASSOC_ACCOUNT, row, "physics");
	builder_str(b, F_ASSOC_USER, row, "u4");
	builder_u32(b, F_ASSOC_SHARES, row, 1);
	builder_f64(b, F_ASSOC_USAGE, row, 0);
	builder_u32(b, F_ASSOC_GRP_JOBS, row, 0);
	if (!job)
		return;
	row = builder_add(b, TABLE_JOB);
	builder_u32(b, F_JOB_ID, row, 99);
	builder_str(b, F_JOB_USER, row, "u4");
	builder_str(b, F_JOB_ACCOUNT, row, "physics");
	builder_str(b, F_JOB_PARTITION, row, "normal");
	builder_str(b, F_JOB_STATE, row, "PENDING");
	builder_u32(b, F_JOB_CPUS, row, item.count);
	builder_tres(b, F_JOB_TRES, row, &item, 1);
	builder_i64(b, F_JOB_TIME_LIMIT, row, 60);
	builder_i64(b, F_JOB_SUBMIT, row, NOW - 5001);
	builder_u32(b, F_JOB_PRIORITY, row, 100000);
}

static struct cluster *generate(uint64_t seed, const struct change *change)
{
	uint64_t dice = dice_stream(seed, 1);
	struct cluster_meta meta = { .kind = "slurm", .name = "made", .version = "22.05.8",
				     .zone = "UTC", .time = NOW, .boot = NOW - 100000,
				     .last_decay = NOW - 100, .last_reset = I64_UNKNOWN };
	struct builder *b = builder_new();

	builder_meta(b, &meta);
	strcpy(builder_policy(b)->type, "priority/multifactor");
	builder_policy(b)->weight[PRIO_FAIRSHARE] = 10000;
	builder_policy(b)->calc_period = 300;
	builder_policy(b)->half_life = 604800;
	add_tree(b, &dice, change->usage);
	add_nodes(b);
	for (uint32_t i = 0; i < JOBS; i++)
		add_job(b, i, &dice, false, change->exclusive);
	if (change->held)
		add_job(b, JOBS, &dice, true, 0);
	if (change->closed)
		add_closed(b, change->refused);
	return lab_sealed(b);
}

static void make(struct site *s, const struct cluster *c)
{
	struct err err = { .code = ERR_NONE };

	if (!site_make(s, c, &err))
		fail_msg("%s", err.message);
}

/* ---- properties of every schedule ---------------------------------------------------------- */

/* At the start of each job no node has more CPUs in use than exist. */
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

/* Sets the starts of all jobs, in the order of their rows. */
static void starts_of(uint64_t seed, const struct change *change, int64_t *starts)
{
	struct cluster *c = generate(seed, change);
	struct site s;

	make(&s, c);
	slurm_run(&s, true);
	for (size_t i = 0; i < s.job_count; i++) {
		if (s.jobs[i].row < JOBS)
			starts[s.jobs[i].row] = s.jobs[i].start;
		else
			assert_int_equal(s.jobs[i].start, I64_UNKNOWN);
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

static void refused_throughout(void **state)
{
	(void)state;
	are_alike(&(const struct change){ .usage = 1, .closed = true },
		  &(const struct change){ .usage = 1, .closed = true, .refused = true });
}

/* Jobs without billing add no usage. */
static void usage_scaled(void **state)
{
	(void)state;
	change_nothing(&(const struct change){ .usage = 4 });
}

/* A job with whole nodes is billed for them, whatever part of them it asked for. */
static void whole_nodes_billed(void **state)
{
	(void)state;
	are_alike(&(const struct change){ .usage = 0.01, .exclusive = 1 },
		  &(const struct change){ .usage = 0.01, .exclusive = CPUS });
}

/* ---- rules of slurmctld -------------------------------------------------------------------- */

#define NEVER (-1)

/* A job that runs on NODE or, without one, is pending; when it starts, in seconds from NOW. */
struct wish {
	const char *partition, *node;
	uint32_t cpus, nodes;
	int64_t run, start;		/* s; NEVER */
};

/* Partition "one" has n1, "all" n1 and n2, four CPUs each; slurmctld started at NOW. */
struct rule {
	const char *parameters;
	bool backfills;
	int64_t complete_wait;
	int64_t last;			/* s ago: the last backfill cycle; 0: unknown */
	int64_t from, to;		/* s: n2 is reserved if TO > FROM */
	uint32_t gpus[6];		/* for each wish; a node has two ... */
	bool typed;			/* ... and wishes ask for an uncounted type */
	int64_t limits[6];		/* for each wish; 0: 600 s, or over */
	uint32_t over;			/* OverTimeLimit */
	uint32_t own_over;		/* OverTimeLimit of the partitions, plus one; 0: unset */
	const char *after;		/* the dependency of the second wish */
	struct wish wishes[6];
};

static void add_little_node(struct builder *b, uint32_t i, const struct rule *r)
{
	static const char *const partitions[] = { "all", "one" };
	const struct tres_item gpus = { builder_tres_row(b, "gres/gpu", 8), 2 };
	const struct tres_item all = { gpus.tres, 2 * (2 - i) };
	uint32_t row = builder_add(b, TABLE_HOST);

	builder_str(b, F_HOST_NAME, row, i == 0 ? "n1" : "n2");
	builder_tres(b, F_HOST_TRES, row, &gpus, 1);
	builder_u32(b, F_HOST_CPUS, row, 4);
	builder_list(b, F_HOST_PARTITIONS, row, partitions, i == 0 ? 2 : 1);
	row = builder_add(b, TABLE_PARTITION);
	builder_str(b, F_PARTITION_NAME, row, partitions[i]);
	builder_u32(b, F_PARTITION_TIER, row, i);
	builder_u32(b, F_PARTITION_NODES, row, 2 - i);
	builder_u32(b, F_PARTITION_CPUS, row, 8 - 4 * i);
	builder_tres(b, F_PARTITION_TRES, row, &all, 1);
	if (r->own_over > 0)
		builder_u32(b, F_PARTITION_OVER_TIME_LIMIT, row, r->own_over - 1);
}

static void add_wish(struct builder *b, uint32_t i, const struct rule *r)
{
	const struct wish *w = &r->wishes[i];
	uint32_t gpus = r->gpus[i];
	/* a job beyond its limit ignores SIGTERM */
	int64_t limit = w->node && w->run > 30 ? 60 : 600;
	const struct tres_item tres[] = { { builder_tres_row(b, "cpu", 3), w->cpus },
					  { builder_tres_row(b, "gres/gpu", 8), gpus * w->nodes } };
	uint32_t row = builder_add(b, TABLE_JOB);
	char text[24];

	snprintf(text, sizeof(text), "gres:gpu%s:%u", r->typed ? ":v1" : "", gpus);
	builder_str(b, F_JOB_GRES, row, gpus > 0 ? text : NULL);

	builder_u32(b, F_JOB_ID, row, 100 + i);
	builder_str(b, F_JOB_PARTITION, row, w->partition);
	builder_str(b, F_JOB_STATE, row, w->node ? "RUNNING" : "PENDING");
	builder_u32(b, F_JOB_CPUS, row, w->cpus);
	builder_u32(b, F_JOB_MIN_NODES, row, w->nodes);
	builder_tres(b, w->node ? F_JOB_TRES_ALLOC : F_JOB_TRES, row, tres, gpus > 0 ? 2 : 1);
	builder_i64(b, F_JOB_TIME_LIMIT, row, r->limits[i] > 0 ? r->limits[i] : limit);
	builder_i64(b, F_JOB_SUBMIT, row, NOW - 100);
	builder_u32(b, F_JOB_PRIORITY, row, 1000 - i);
	builder_str(b, F_JOB_DEPENDENCY, row, i == 1 ? r->after : NULL);
	if (!w->node)
		return;
	builder_str(b, F_JOB_NODE_LIST, row, w->node);
	builder_i64(b, F_JOB_START, row, NOW - 60);
}

static struct cluster *little(const struct rule *r)
{
	struct cluster_meta meta = { .kind = "slurm", .name = "little", .version = "22.05.8",
				     .zone = "UTC", .time = NOW, .boot = NOW,
				     .last_decay = I64_UNKNOWN, .last_reset = I64_UNKNOWN,
				     .last_backfill = r->last != 0 ? NOW - r->last : 0 };
	struct builder *b = builder_new();
	struct policy *p = builder_policy(b);

	builder_meta(b, &meta);
	snprintf(p->scheduler_type, sizeof(p->scheduler_type), "sched/%s",
		 r->backfills ? "backfill" : "builtin");
	snprintf(p->scheduler_parameters, sizeof(p->scheduler_parameters), "%s",
		 r->parameters ? r->parameters : "");
	p->kill_wait = 30;
	p->complete_wait = r->complete_wait;
	p->over_time_limit = r->over;
	add_little_node(b, 0, r);
	add_little_node(b, 1, r);
	for (uint32_t i = 0; r->wishes[i].cpus > 0; i++)
		add_wish(b, i, r);
	if (r->to > r->from) {
		builder_add(b, TABLE_RESERVATION);
		builder_str(b, F_RESERVATION_NODE_LIST, 0, "n2");
		builder_i64(b, F_RESERVATION_START, 0, NOW + r->from);
		builder_i64(b, F_RESERVATION_END, 0, NOW + r->to);
	}
	return lab_sealed(b);
}

static int64_t start_of(const struct wish *w)
{
	return w->start == NEVER ? I64_UNKNOWN : NOW + w->start;
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
			assert_int_equal(j->obstacle, SITE_GRES);
		else if (j->place > 0 && j->start != start_of(&r->wishes[j->row]))
			fail_msg("%s %s CompleteWait %d: job %u begins %ld s from now",
				 r->parameters ? r->parameters : "",
				 site_obstacles[j->obstacle].text, (int)r->complete_wait, j->id,
				 (long)(j->start - NOW));
	}
	site_free(&s);
	cluster_free(c);
}

/*
 * The jobs tried in a pass of the main scheduler. A whole pass is at boot + 60 k, one as deep as
 * default_queue_depth (plus one) at each end of a job; a job that wants more nodes than its
 * partition has left blocks it as one that waits for them does.
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

/* Backfill runs bf_interval after its last cycle, or if that is unknown, counted from the start. */
static void last_cycle(void **state)
{
	static const struct {
		int64_t last, start;
	} cases[] = { { 0, 0 }, { 3, 9 }, { 12, 0 }, { 30, 0 }, { -5, 0 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct rule rule = {
			.backfills = true, .parameters = "bf_interval=12", .last = cases[i].last,
			.wishes = { { "all", "n1", 4, 1, 20, 0 }, { "all", NULL, 8, 2, 9, 20 },
				    { "all", NULL, 1, 1, 5, cases[i].start } },
			.limits = { [2] = 60 },
		};

		check_rule(&rule);
	}
}

/*
 * No job whose time limit, 600 s, reaches into a reservation gets its nodes; a job with too few
 * nodes outside it delays no other. A node's GRES count like its CPUs: a job that waits for them
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

/*
 * sched_min_interval counts from unsimulated passes, too, past or future. After two ends the second
 * waits for batch_sched_delay; a job killed at its limit delays none, except with "defer", which
 * slurmctld also finds inside other words. A backfill cycle comes before a limit noticed in the
 * same second. A scheduler whose interval is -1 never runs.
 */
static void passes(void **state)
{
	static const struct rule rules[] = {
		{ .parameters = "sched_min_interval=25000000",
		  .wishes = { { "one", NULL, 4, 1, 130, 0 }, { "one", NULL, 4, 1, 9, 145 } } },
		{ .parameters = "sched_min_interval=25000000",
		  .wishes = { { "one", NULL, 2, 1, 110, 0 }, { "one", NULL, 2, 1, 125, 0 },
			      { "one", NULL, 4, 1, 9, 135 } } },
		{ .wishes = { { "all", "n1", 4, 1, 10, 0 }, { "all", "n2", 4, 1, 11, 0 },
			      { "all", NULL, 8, 2, 9, 13 } } },
		{ .parameters = "batch_sched_delay=7",
		  .wishes = { { "all", "n1", 4, 1, 10, 0 }, { "all", "n2", 4, 1, 11, 0 },
			      { "all", NULL, 8, 2, 9, 17 } } },
		{ .own_over = 1,
		  .wishes = { { "one", "n1", 4, 1, 90, 0 }, { "one", NULL, 4, 1, 9, 1 } } },
		{ .own_over = 1, .parameters = "bf_resolution=1", .backfills = true, .last = 29,
		  .limits = { 0, 0, 20 },
		  .wishes = { { "all", "n1", 4, 1, 90, 0 }, { "all", NULL, 8, 2, 9, 11 },
			      { "all", NULL, 4, 1, 10, 1 } } },
		{ .own_over = 1, .parameters = "Defer_batch",
		  .wishes = { { "one", "n1", 4, 1, 90, 0 }, { "one", NULL, 4, 1, 9, 3 } } },
		{ .parameters = "bf_interval=9, Default_Queue_Depth=0",
		  .wishes = { { "one", "n1", 4, 1, 10, 0 }, { "one", NULL, 2, 1, 200, 10 },
			      { "one", NULL, 2, 1, 200, 60 } } },
		{ .parameters = "sched_interval=-1", .backfills = true,
		  .wishes = { { "one", "n1", 4, 1, 10, 0 }, { "one", NULL, 4, 1, 9, 30 } } },
		{ .parameters = "sched_interval=-10", .backfills = true,
		  .wishes = { { "one", "n1", 4, 1, 10, 0 }, { "one", NULL, 4, 1, 9, 10 } } },
		{ .parameters = "bf_interval=-1", .backfills = true, .limits = { [2] = 10 },
		  .wishes = { { "all", "n1", 4, 1, 20, 0 }, { "all", NULL, 8, 2, 9, 20 },
			      { "all", NULL, 1, 1, 9, 29 } } },
		{ .parameters = "sched_interval=-1,bf_interval=-1", .backfills = true,
		  .wishes = { { "one", "n1", 4, 1, 10, 0 }, { "all", NULL, 1, 1, 9, NEVER } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		check_rule(&rules[i]);
}

/*
 * The last job starts at once if it ends before the start that backfill expects for the job in
 * front of it. That is at an end by a limit, in windows (790 s from now, or 700 in short ones); for
 * a job past its limit of 60 s, after OverTimeLimit and KillWait, 30 s or 90 s from now; or,
 * without such a limit, a whole time limit from now.
 */
static void ends_by_limit(void **state)
{
	static const struct rule rules[] = {
		{ .backfills = true, .limits = { 600, 760, 850, 600, 720 },
		  .wishes = { { "one", "n1", 1, 1, 20, 0 }, { "one", "n1", 1, 1, 20, 0 },
			      { "one", "n1", 1, 1, 20, 0 }, { "one", NULL, 3, 1, 9, 20 },
			      { "one", NULL, 1, 1, 9, 0 } } },
		{ .backfills = true, .limits = { 600, 760, 850, 600, 720 },
		  .parameters = "bf_window_linear=10",
		  .wishes = { { "one", "n1", 1, 1, 20, 0 }, { "one", "n1", 1, 1, 20, 0 },
			      { "one", "n1", 1, 1, 20, 0 }, { "one", NULL, 3, 1, 9, 20 },
			      { "one", NULL, 1, 1, 9, 20 } } },
		{ .backfills = true, .parameters = "bf_resolution=1", .limits = { 60, 600, 20 },
		  .wishes = { { "one", "n1", 3, 1, 31, 0 }, { "one", NULL, 4, 1, 9, 31 },
			      { "one", NULL, 1, 1, 9, 0 } } },
		{ .backfills = true, .parameters = "bf_resolution=1", .limits = { 60, 600, 40 },
		  .wishes = { { "one", "n1", 3, 1, 31, 0 }, { "one", NULL, 4, 1, 9, 31 },
			      { "one", NULL, 1, 1, 9, 40 } } },
		{ .backfills = true, .parameters = "bf_resolution=1", .limits = { 60, 600, 80 },
		  .over = 1,
		  .wishes = { { "one", "n1", 3, 1, 40, 0 }, { "one", NULL, 4, 1, 9, 40 },
			      { "one", NULL, 1, 1, 9, 0 } } },
		{ .backfills = true, .parameters = "bf_resolution=1", .limits = { 60, 600, 100 },
		  .over = 1,
		  .wishes = { { "one", "n1", 3, 1, 40, 0 }, { "one", NULL, 4, 1, 9, 40 },
			      { "one", NULL, 1, 1, 9, 49 } } },
		{ .backfills = true, .parameters = "bf_resolution=1", .limits = { 60, 600, 50 },
		  .over = U32_INFINITE,
		  .wishes = { { "one", "n1", 3, 1, 40, 0 }, { "one", NULL, 4, 1, 9, 40 },
			      { "one", NULL, 1, 1, 9, 0 } } },
		{ .backfills = true, .parameters = "bf_resolution=1", .limits = { 60, 600, 70 },
		  .over = U32_INFINITE,
		  .wishes = { { "one", "n1", 3, 1, 40, 0 }, { "one", NULL, 4, 1, 9, 40 },
			      { "one", NULL, 1, 1, 9, 49 } } },
		/* the partition's value overrides the cluster's */
		{ .backfills = true, .parameters = "bf_resolution=1", .limits = { 60, 600, 80 },
		  .over = 0, .own_over = 2,
		  .wishes = { { "one", "n1", 3, 1, 40, 0 }, { "one", NULL, 4, 1, 9, 40 },
			      { "one", NULL, 1, 1, 9, 0 } } },
		{ .over = 9, .own_over = 1,
		  .wishes = { { "one", "n1", 4, 1, 90, 0 }, { "one", NULL, 4, 1, 9, 1 } } },
		{ .over = 0, .own_over = 2,
		  .wishes = { { "one", "n1", 4, 1, 120, 0 }, { "one", NULL, 4, 1, 9, 61 } } },
		{ .over = 1, .after = "afterok:100",
		  .wishes = { { "one", "n1", 4, 1, 40, 0 }, { "one", NULL, 1, 1, 9, 40 } } },
		{ .over = 1, .own_over = 1, .after = "afternotok:100",
		  .wishes = { { "one", "n1", 4, 1, 40, 0 }, { "one", NULL, 1, 1, 9, 1 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		check_rule(&rules[i]);
}

/* A job larger than its partition delays no other, and does not count as tried. */
static void too_large(void **state)
{
	static const struct rule rules[] = {
		{ .wishes = { { "one", NULL, 2, 2, 9, NEVER }, { "one", NULL, 1, 1, 9, 0 } } },
		{ .backfills = true, .parameters = "bf_max_job_test=2", .limits = { [3] = 60 },
		  .wishes = { { "all", "n1", 4, 1, 20, 0 }, { "all", NULL, 8, 2, 9, 20 },
			      { "one", NULL, 5, 1, 9, NEVER }, { "all", NULL, 1, 1, 5, 0 } } },
		{ .backfills = true, .parameters = "bf_max_job_test=2", .limits = { [3] = 60 },
		  .gpus = { [2] = 3 },
		  .wishes = { { "all", "n1", 4, 1, 20, 0 }, { "all", NULL, 8, 2, 9, 20 },
			      { "one", NULL, 1, 1, 9, NEVER }, { "all", NULL, 1, 1, 5, 0 } } },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		check_rule(&rules[i]);
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

/* In steps the result is the same; a job listed as starting before another used its nodes. */
static void steps(void **state)
{
	struct cluster *c = generate(3, &(const struct change){ .usage = 1 });
	struct joblog *log = joblog_new(cluster_meta(c)->time);	/* an empty log */
	const struct starts_options o = { .log = log, .seed = 1 };
	struct err err = { .code = ERR_NONE };
	struct starts s, whole;
	uint32_t count, reported = 0;

	(void)state;
	s = all_steps(c, &o, &count);
	assert_int_equal(count, 2);
	assert_false(s.rough);
	assert_true(starts_make(&whole, c, &o, &err));
	assert_int_equal(s.count, whole.count);
	for (size_t i = 0; i < s.count; i++) {
		const struct starts_row *r = &s.rows[i];

		assert_int_equal(r->start, whole.rows[i].start);
		assert_int_equal(r->p10, I64_UNKNOWN);
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
			reported++;
		}
	}
	assert_true(reported > s.count);
	starts_free(&s);
	starts_free(&whole);
	joblog_free(log);
	cluster_free(c);
}

/* A job that an edit puts first is first; nothing is computed once no longer wanted. */
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

/* Adds a picture at TIME of a job in STATE, submitted at 1000; NULL: jobs unknown; "": gone. */
static void gather_one(struct gather *g, int64_t time, const char *state, const char *partition)
{
	struct cluster_meta meta = { .kind = "pbs", .name = "made", .zone = "UTC", .time = time,
				     .boot = I64_UNKNOWN, .last_decay = I64_UNKNOWN,
				     .last_reset = I64_UNKNOWN };
	struct builder *b = builder_new();
	struct cluster *c;

	builder_meta(b, &meta);
	if (state && *state) {
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
	} else if (!state) {
		builder_note(b, "jobs", "squeue failed");
	}
	c = lab_sealed(b);
	gather_add(g, c);
	cluster_free(c);
}

/* The end is when the job was seen as ended, whatever PBS reports for one in STATE. */
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

/* The end of a job that had ended before the recording began is unknown. */
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

/* A job that left the queue without an observed start is no longer pending. */
static void gathered_gone(void)
{
	struct replay *r = replay_new();
	struct gather *g = gather_new(r);

	gather_one(g, 1060, "PENDING", "batch");
	gather_one(g, 1120, "", NULL);
	assert_true(replay_job(r, 0)->start == I64_UNKNOWN);
	assert_int_equal(replay_job(r, 0)->end, 1120);
	assert_int_equal(gather_tally(g).ends_guessed, 0);
	gather_free(g);
	replay_free(r);
}

static void ends(void **state)
{
	(void)state;
	gathered_gone();
	gathered_late("COMPLETING");
	gathered_late("COMPLETED");
	gathered("COMPLETING");
	gathered("COMPLETED");
}

/* Arrays that grow in a copy have memory of their own. */
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

/* ---- plans of backfill, choice of nodes ---------------------------------------------------- */

/* Adjacent reservations on a node count as one: the search continues after them. */
static void spans_joined(void **state)
{
	const struct site_share share = { 0, 1 };
	const uint64_t partition = 1;
	struct nodeplan p;
	uint64_t set;

	(void)state;
	nodeplan_init(&p, 1, 0, 1000);
	for (int64_t begin = 100; begin < 400; begin += 100)
		nodeplan_reserve(&p, begin, begin + 100, &share, 1);
	assert_int_equal(nodeplan_find(&p, &partition, 100, 150, &set), 400);
	assert_true(set == 0);
	assert_int_equal(p.count, 3);
	assert_int_equal(p.made, 5);
	/* Nodes of other partitions that become free do not cause another try. */
	assert_int_equal(nodeplan_find(&p, &(const uint64_t){ 2 }, 100, 150, &set), 0);
	nodeplan_free(&p);
}

/* A job in two partitions has two priorities. */
static void priorities_by_partition(void **state)
{
	static const char *const partitions[] = { "fast", "low" };
	struct cluster_meta meta = { .kind = "slurm", .version = "22.05.8", .time = NOW,
				     .boot = NOW, .last_decay = NOW, .last_reset = NOW };
	struct builder *b = builder_new();
	struct err err = { .code = ERR_NONE };
	struct cluster *c;
	struct site s;

	(void)state;
	builder_meta(b, &meta);
	for (uint32_t i = 0; i < 2; i++) {
		uint32_t row = builder_add(b, TABLE_PARTITION);

		builder_str(b, F_PARTITION_NAME, row, partitions[i]);
		row = builder_add(b, TABLE_PRIO);
		builder_u32(b, F_PRIO_JOB, row, 7);
		builder_str(b, F_PRIO_PARTITION, row, partitions[i]);
		builder_u32(b, F_PRIO_PRIORITY, row, 8649 - 2700 * i);
	}
	builder_str(b, F_HOST_NAME, builder_add(b, TABLE_HOST), "n1");
	builder_u32(b, F_JOB_ID, builder_add(b, TABLE_JOB), 7);
	builder_str(b, F_JOB_PARTITION, 0, "fast,low");
	builder_str(b, F_JOB_STATE, 0, "PENDING");
	builder_u32(b, F_JOB_PRIORITY, 0, 5949);
	c = lab_sealed(b);
	assert_true(site_make(&s, c, &err));
	assert_int_equal(s.job_count, 2);
	assert_int_equal(s.jobs[0].priority, 8649);
	assert_int_equal(s.jobs[1].priority, 5949);
	site_free(&s);
	cluster_free(c);
}

/* Hidden jobs may come first: no start, no rank, and a reason. */
static void hidden_jobs(void **state)
{
	static const struct change none = { .usage = 1 };
	struct cluster *all = generate(1, &none), *c;
	const struct starts_options o = { .log = NULL };
	struct builder *b = cluster_copy(all);
	struct err err = { .code = ERR_NONE };
	struct starts s;
	struct value v;

	(void)state;
	builder_hidden(b, HIDDEN_JOBS);
	c = builder_seal(b, &err);
	assert_true(starts_make(&s, c, &o, &err));
	assert_string_equal(starts_columns[0].name, "place");
	assert_true(s.count > 10);
	for (size_t i = 0; i < s.count; i++) {
		assert_int_equal(s.rows[i].start, I64_UNKNOWN);
		assert_int_equal(s.rows[i].obstacle, SITE_HIDDEN_JOBS);
		column_get(&starts_columns[0], &s, (uint32_t)i, &v);
		assert_int_equal(v.kind, VALUE_UNKNOWN);
	}
	assert_non_null(strstr(s.notes[0].text, "other users' hidden jobs"));
	starts_free(&s);
	cluster_free(c);
	cluster_free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(possible),
		cmocka_unit_test(held_throughout),
		cmocka_unit_test(refused_throughout),
		cmocka_unit_test(usage_scaled),
		cmocka_unit_test(whole_nodes_billed),
		cmocka_unit_test(main_scheduler),
		cmocka_unit_test(last_cycle),
		cmocka_unit_test(resources),
		cmocka_unit_test(passes),
		cmocka_unit_test(ends_by_limit),
		cmocka_unit_test(too_large),
		cmocka_unit_test(copies),
		cmocka_unit_test(ends),
		cmocka_unit_test(steps),
		cmocka_unit_test(edited),
		cmocka_unit_test(spans_joined),
		cmocka_unit_test(priorities_by_partition),
		cmocka_unit_test(hidden_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
