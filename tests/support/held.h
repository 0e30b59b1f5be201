/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * held: a small Slurm with a job that waits, and what core/why says of what holds it.
 *
 * Four nodes of batch; /physics/hep with anna, whose job 90 runs on n1 until 12:10, and whose job
 * HELD_JOB waits. Whoever is not as expected ends the test.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_HELD_H
#define FAIRTOP_TESTS_SUPPORT_HELD_H

#include "core/cluster/cluster.h"
#include "core/why/why.h"

#define NOW INT64_C(1000026000)		/* 9 Sep 2001, 09:00 */
#define HOUR 3600
#define JOB 100

enum { CPU, MEM, NODE };		/* rows of TRES */
enum { ROOT, PHYSICS, HEP, ANNA };	/* of associations */

/* With the running job, and one that waits for REASON, of so many CPUs; its row is 1. */
struct builder *held_site(const char *reason, uint32_t cpus);
uint32_t held_qos(struct builder *b, const char *name);
/* Of anna, for an hour; its row. */
uint32_t held_add_job(struct builder *b, uint32_t id, const char *reason, uint32_t cpus);
/* Six CPUs of n1 until 12:10. */
uint32_t held_add_running(struct builder *b);
size_t held_enforced(void);		/* parameter AccountingStorageEnforce */
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
size_t held_lines(const struct why *w);		/* of WHY_HOLDS */

/* One line, with the scheduler's word. */
void held_once(struct builder *b, const char *kind, const char *cause, const char *text);
/* The scheduler's line, as it may be, and behind it fairtop's own. */
void held_twice(struct builder *b, const char *kind, const char *text);

#endif
