/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demo: a cluster that needs none, for trying things, for tests and for benchmarks.
 *
 *	demo[:SEED][,accounts=N][,users=N][,jobs=N][,speed=X]
 *
 * The same text gives the same cluster on every machine: integers from one seed decide. Asked
 * again, the cluster has lived on by the time that went by, X seconds of its own for each real one
 * (20 unless told; 0 stands still): jobs ran, ended and started in the order of their priority, and
 * a decay pass charged what they used. Its time moves in scheduling cycles, so that whoever asks
 * again within one sees the same picture. What stands still is data/demo.snapshot; fair share,
 * decay, billing, priorities and pools are the engine's own.
 */
#ifndef FAIRTOP_ADAPTERS_DEMO_DEMO_H
#define FAIRTOP_ADAPTERS_DEMO_DEMO_H

#include "adapters/adapter.h"

extern const struct source_ops demo_source;

struct demo_options {
	uint64_t seed;
	uint32_t accounts;	/* without the root */
	uint32_t users;		/* people; one in ten has two associations */
	uint32_t jobs;		/* running and pending, tasks of arrays and those just over, too */
	double speed;
};
#define DEMO_OPTIONS_DEFAULT { .seed = 1, .accounts = 40, .users = 150, .jobs = 300, .speed = 20 }

#define DEMO_ACCOUNTS_MAX UINT32_C(1000000)
#define DEMO_USERS_MAX UINT32_C(4000000)
#define DEMO_JOBS_MAX UINT32_C(1000000)
#define DEMO_SPEED_MAX 100000

#define DEMO_CYCLE 30		/* seconds between two looks at the queue */

/* What follows "demo:"; NULL or "" is the default. ERR_INPUT names what cannot be read. */
bool demo_options_parse(const char *text, struct demo_options *options, struct err *err);

/* The cluster's first picture, and the one SECONDS of its own time later (tests, benchmarks). */
struct demo;
struct demo *demo_new(const struct demo_options *options);
void demo_free(struct demo *d);
void demo_advance(struct demo *d, int64_t seconds);
struct cluster *demo_picture(const struct demo *d, struct err *err);

#endif
