/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * held: a small Slurm with a pending job, and the reasons that core/why states for it.
 *
 * Four nodes in the partition batch; /physics/hep has the user anna, whose job 90 runs on n1 until
 * 12:10 and whose job JOB is pending. Anything unexpected fails the test.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_HELD_H
#define FAIRTOP_TESTS_SUPPORT_HELD_H

#include "core/cluster/cluster.h"
#include "core/why/why.h"

#define NOW INT64_C(1000026000)		/* 9 Sep 2001, 09:00 */
#define HOUR 3600
#define JOB 100

enum { CPU, MEM, NODE };		/* rows of TRES */
enum { ROOT, PHYSICS, HEP, ANNA };	/* rows of associations */

/* The cluster with the running job and, in row 1, JOB, pending for REASON, of CPUS CPUs. */
struct builder *held_site(const char *reason, uint32_t cpus);
uint32_t held_qos(struct builder *b, const char *name);
/* Adds a job of anna's with a time limit of one hour; returns its row. */
uint32_t held_add_job(struct builder *b, uint32_t id, const char *reason, uint32_t cpus);
/* Adds job 90, which has six CPUs of n1 until 12:10; returns its row. */
uint32_t held_add_running(struct builder *b);
size_t held_enforced(void);		/* the parameter AccountingStorageEnforce */
void held_limit_tres(struct builder *b, enum field field, uint32_t row, uint32_t tres,
		     double count);

struct held {
	struct cluster *c;
	struct model *m;
	struct jobs *j;
	struct why *w;
};

struct held held_say(struct builder *b);	/* B is sealed and freed */
void held_free(struct held *s);
const struct why_fact *held_fact(const struct why_line *line, const char *key);
void held_is_number(const struct held *s, size_t line, const char *key, double x);
void held_is_line(const struct held *s, size_t i, const char *kind, const char *text);
size_t held_lines(const struct why *w);		/* in the part WHY_HOLDS */

/* Asserts that there is one line, which gives the scheduler's reason. */
void held_once(struct builder *b, const char *kind, const char *cause, const char *text);
/* Asserts that there are two lines: any line of the scheduler's, then fairtop's own. */
void held_twice(struct builder *b, const char *kind, const char *text);

#endif
