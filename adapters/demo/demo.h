/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demo: a cluster that needs none, for trying things, for tests and for benchmarks.
 *
 *	demo[:SEED][,accounts=N][,users=N][,jobs=N][,speed=X|,step=N]
 *
 * data/demo.snapshot comes to life: its jobs start in the order of their priority, end, and others
 * like them come; a decay pass charges what they use, all by the engine's own rules. The same text
 * gives the same cluster on every machine, as integers from one seed decide; other seeds than the
 * first one have other usage and owners of jobs. Asked again, it has lived on by X seconds for each
 * real one (20 unless told; 0 stands still), in cycles: who asks again within one sees the same.
 * Or by N seconds exactly, whatever the real time: then a question takes as long as it takes.
 * It has a day of past, which is found out when somebody looks at it, with a line of jobs that
 * waited, where somebody waits for nodes now.
 */
#ifndef FAIRTOP_ADAPTERS_DEMO_DEMO_H
#define FAIRTOP_ADAPTERS_DEMO_DEMO_H

#include "adapters/adapter.h"

extern const struct source_ops demo_source;

struct demo_options {
	uint64_t seed;
	uint32_t accounts;	/* without the root */
	uint32_t users;		/* people; one in ten has two associations */
	uint32_t jobs;		/* running and pending, each task of an array; later a few more */
	uint32_t step;		/* seconds from one picture to the next; 0: as SPEED has it */
	double speed;
};
#define DEMO_SEED 1
#define DEMO_JOBS 500		/* of so many, a parameter sweep is two in five */
#define DEMO_OPTIONS_DEFAULT { \
	.seed = DEMO_SEED, .accounts = 40, .users = 150, .jobs = DEMO_JOBS, .speed = 20 }

#define DEMO_ACCOUNTS_MAX UINT32_C(1000000)
#define DEMO_USERS_MAX UINT32_C(4000000)
#define DEMO_JOBS_MAX UINT32_C(1000000)
#define DEMO_SPEED_MAX 100000
#define DEMO_STEP_MAX 86400	/* a recorder takes a longer one for a gap */
#define DEMO_CYCLE 30		/* seconds between two looks at the queue */
#define DEMO_PAST 86400		/* what it tells of the time before it was asked first ... */
#define DEMO_PAST_EVERY 1800	/* is a picture for each half hour */

/* What follows "demo:"; NULL or "" is the default. ERR_INPUT names what cannot be read. */
bool demo_options_parse(const char *text, struct demo_options *options, struct err *err);

/* The cluster's first picture, and the one SECONDS of its own time later (tests, benchmarks). */
struct demo;
struct demo *demo_new(const struct demo_options *options);
void demo_free(struct demo *d);
void demo_advance(struct demo *d, int64_t seconds);
/* Back into what was before the first picture; of a demo that has not lived on. */
void demo_rewind(struct demo *d, int64_t seconds);
struct cluster *demo_picture(const struct demo *d, struct err *err);

#endif
