/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lengths: how long jobs run, by what ended jobs used of their time limits.
 *
 * A job is drawn from the last LENGTHS_MOST ended jobs of its user with the same limit, else, where
 * those are fewer than LENGTHS_LEAST, of its user, of its account, of everyone; what was drawn for
 * running jobs counts as ended, as short jobs are the first to end. Half of the draws repeat the
 * one before: jobs come in series that are alike. Draws vary less than what people do, which
 * calibration.h makes good.
 */
#ifndef FAIRTOP_CORE_SIM_LENGTHS_H
#define FAIRTOP_CORE_SIM_LENGTHS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/unknown.h"

#define LENGTHS_LEAST 5
#define LENGTHS_MOST 300
#define LENGTHS_NOBODY UINT32_MAX
#define LENGTHS_TO_LIMIT INT64_MAX	/* it runs until its limit ends it */

struct lengths;

struct lengths *lengths_new(void);
void lengths_free(struct lengths *l);	/* NULL is fine */

/* What users and accounts are told apart by; 0 for NULL, which is unknown. */
uint64_t lengths_name(const char *name);

/* A job has ended, after all that were added before. Without a limit or a run it tells nothing. */
void lengths_add(struct lengths *l, uint64_t user, uint64_t account, int64_t run, int64_t limit);
uint32_t lengths_count(const struct lengths *l);

/* Whose jobs a job is drawn from; LENGTHS_NOBODY: no job has ended. Call it after all are added. */
uint32_t lengths_group(const struct lengths *l, uint64_t user, uint64_t account, int64_t limit);

/* A series of draws for which SEED and its number decide; draw from one thread at a time. */
struct lengths_draws;
struct lengths_draws *lengths_draws_new(const struct lengths *l, uint64_t seed, uint32_t series);
void lengths_draws_free(struct lengths_draws *d);

/* How long a job of GROUP with LIMIT runs that waits. */
int64_t lengths_draw(struct lengths_draws *d, uint32_t group, int64_t limit);
/* ... that has run for ELAPSED: as any that ran longer did, LENGTHS_TO_LIMIT if none did. */
int64_t lengths_draw_running(struct lengths_draws *d, uint32_t group, int64_t limit,
			     int64_t elapsed);

#endif
