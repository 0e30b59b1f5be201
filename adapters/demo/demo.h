/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demo: a cluster without a scheduler, for trying things, for tests and for benchmarks.
 *
 *	demo[:SEED][,accounts=N][,users=N][,jobs=N][,speed=X|,step=N]
 *
 * data/demo.snapshot comes to life: its jobs start in the order of their priority and end, and
 * others like them arrive; a decay pass charges what they use, all by the engine's own formulas.
 * The same text gives the same cluster on every machine, because integers from one seed decide;
 * seeds other than 1 give other usage and owners of jobs. Between fetches X seconds pass for each
 * real one (20 by default, 0 stands still), in cycles: within one the cluster stays the same. With
 * step=N exactly N seconds pass per fetch, whatever the real time: it then takes as long as it
 * needs. The demo has a day of past, computed on request. Jobs were pending then if one is pending
 * for nodes now.
 */
#ifndef FAIRTOP_ADAPTERS_DEMO_DEMO_H
#define FAIRTOP_ADAPTERS_DEMO_DEMO_H

#include "adapters/adapter.h"

extern const struct source_ops demo_source;

struct demo_options {
	uint64_t seed;
	uint32_t accounts;	/* without the root */
	uint32_t users;		/* persons; one in ten has two associations */
	uint32_t jobs;		/* running and pending, each task of an array; later a few more */
	uint32_t step;		/* seconds from one picture to the next; 0: see SPEED */
	double speed;
};
#define DEMO_SEED 1
#define DEMO_JOBS 500		/* two in five of these belong to a parameter sweep */
#define DEMO_OPTIONS_DEFAULT { \
	.seed = DEMO_SEED, .accounts = 40, .users = 150, .jobs = DEMO_JOBS, .speed = 20 }

#define DEMO_ACCOUNTS_MAX UINT32_C(1000000)
#define DEMO_USERS_MAX UINT32_C(4000000)
#define DEMO_JOBS_MAX UINT32_C(1000000)
#define DEMO_SPEED_MAX 100000
#define DEMO_STEP_MAX 86400	/* a recorder would see a gap in a longer step */
#define DEMO_CYCLE 30		/* seconds between two scheduling cycles */
#define DEMO_PAST 86400		/* seconds of past before the first fetch ... */
#define DEMO_PAST_EVERY 1800	/* ... with a picture every half hour */

/* Reads what follows "demo:"; NULL or "" is the default. ERR_INPUT names what cannot be read. */
bool demo_options_parse(const char *text, struct demo_options *options, struct err *err);

/* The first picture, and the one SECONDS of the demo's time later (tests, benchmarks). */
struct demo;
struct demo *demo_new(const struct demo_options *options);
void demo_free(struct demo *d);
void demo_advance(struct demo *d, int64_t seconds);
/* Goes back before the first picture; only for a demo that has not advanced. */
void demo_rewind(struct demo *d, int64_t seconds);
struct cluster *demo_picture(const struct demo *d, struct err *err);

#endif
