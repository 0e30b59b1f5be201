/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lengths: how long jobs run, drawn from the fraction of their time limits that ended jobs used.
 *
 * A draw uses the last LENGTHS_MOST ended jobs of the same user and limit; where these are fewer
 * than LENGTHS_LEAST, those of the user, of the account, or of everyone. Draws for running jobs
 * count as ended jobs, because short jobs end first. Half of the draws repeat the one before,
 * because jobs come in series that are alike. Draws vary less than people do; calibration.h
 * corrects that.
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

/* The key of a user or account name; 0 for NULL, which is unknown. */
uint64_t lengths_name(const char *name);

/* Adds a job that ended after all added before. Ignored without a limit or a run time. */
void lengths_add(struct lengths *l, uint64_t user, uint64_t account, int64_t run, int64_t limit);
uint32_t lengths_count(const struct lengths *l);

/* The group to draw from; LENGTHS_NOBODY: no job has ended. Call it after all are added. */
uint32_t lengths_group(const struct lengths *l, uint64_t user, uint64_t account, int64_t limit);

/* A series of draws, determined by SEED and SERIES; draw from one thread at a time. */
struct lengths_draws;
struct lengths_draws *lengths_draws_new(const struct lengths *l, uint64_t seed, uint32_t series);
void lengths_draws_free(struct lengths_draws *d);

/* Draws the run time, in s, of a pending job of GROUP with LIMIT. */
int64_t lengths_draw(struct lengths_draws *d, uint32_t group, int64_t limit);
/* The same after running for ELAPSED, from longer jobs; LENGTHS_TO_LIMIT if there are none. */
int64_t lengths_draw_running(struct lengths_draws *d, uint32_t group, int64_t limit,
			     int64_t elapsed);

#endif
