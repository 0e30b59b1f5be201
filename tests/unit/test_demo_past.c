/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In the day before the demo's first picture jobs waited for each other: policies differ over it,
 * and the demo's scheduling policy explains it, whatever the seed and the size.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "adapters/demo/demo.h"
#include "core/sim/gather.h"
#include "core/sim/past_play.h"

struct past_jobs {
	struct cluster *cluster;
	struct replay *replay;
	uint32_t procs;
};

/* Reads it as a back-test does: the last picture and the first, then all of them. */
static struct past_jobs read_past(const char *name)
{
	struct err err = { .code = ERR_NONE };
	struct source *s = source_open(name, &err);
	struct past_jobs p = { .replay = replay_new() };
	struct gather *g = gather_new(p.replay);
	struct cluster *first;
	struct timeline t;

	assert_true(source_past(s, &t, &err));
	first = source_look(s, t.samples[0], NEED_ALL, &err);
	p.cluster = past_begun(source_look(s, t.samples[t.count - 1], NEED_ALL, &err), first);
	cluster_free(first);
	replay_tree(p.replay, p.cluster);
	replay_qos(p.replay, p.cluster);
	for (size_t i = 0; i < t.count; i++) {
		struct cluster *c = source_look(s, t.samples[i], NEED_ALL, &err);

		gather_add(g, c);
		cluster_free(c);
	}
	p.procs = gather_procs(g);
	gather_free(g);
	timeline_free(&t);
	source_close(s);
	return p;
}

static void free_past(struct past_jobs *p)
{
	cluster_free(p->cluster);
	replay_free(p->replay);
}

static double mean_wait(const struct past_jobs *p, enum sim_policy policy,
			struct sim_log_fidelity *fidelity)
{
	struct sim_log_options o = SIM_LOG_OPTIONS_INIT;
	struct err err = { .code = ERR_NONE };
	struct past_play play = { .sim = { .policy = policy, .procs = p->procs },
				  .c = p->cluster, .nodes = true };
	struct sim_log t;
	double sum = 0;

	o.procs = p->procs;
	assert_true(sim_log_make(&t, p->replay, &o, &err));
	assert_true(past_play(&play, &t, p->replay, &err));
	*fidelity = sim_log_fidelity_of(&t, p->replay);
	for (uint32_t i = 0; i < t.count; i++)
		sum += (double)(t.jobs[i].start - t.jobs[i].submit);
	sum /= t.count;
	sim_log_free(&t);
	return sum;
}

static void test_contention(void **state)
{
	static const char *const demos[] = { "demo:1,speed=0", "demo:2,speed=0",
					     "demo:6,jobs=2000,speed=0" };

	(void)state;
	for (size_t i = 0; i < sizeof(demos) / sizeof(demos[0]); i++) {
		struct past_jobs p = read_past(demos[i]);
		struct sim_log_fidelity easy, fcfs, slurm;
		double wait = mean_wait(&p, SIM_EASY, &easy);

		assert_true(wait > 600);
		assert_true(mean_wait(&p, SIM_FCFS, &fcfs) > 1.2 * wait);
		assert_true(fabs(mean_wait(&p, SIM_SLURM, &slurm) - wait) > 60);
		/* below this the fidelity is reported as poor */
		assert_true(easy.correlation >= 0.8);
		assert_true(slurm.correlation >= 0.5);
		free_past(&p);
	}
}

/* With free resources for all, no job waits longer than to the next cycle. */
static void test_room(void **state)
{
	struct past_jobs p = read_past("demo:5,jobs=100,speed=0");
	struct sim_log_fidelity easy;

	(void)state;
	mean_wait(&p, SIM_EASY, &easy);
	assert_true(easy.mean_true < DEMO_CYCLE);
	free_past(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_contention),
					    cmocka_unit_test(test_room) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
