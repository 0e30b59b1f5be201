/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim_profile: how many processors are free at which time in the future. */
#ifndef FAIRTOP_CORE_SIM_SIM_PROFILE_H
#define FAIRTOP_CORE_SIM_SIM_PROFILE_H

#include <stddef.h>
#include <stdint.h>

struct sim_step {
	int64_t from;		/* until the next step; the last one has no end */
	int64_t free;
};

struct sim_profile {
	struct sim_step *steps;	/* at least one */
	size_t count, capacity;
};

void sim_profile_init(struct sim_profile *p, int64_t from, int64_t procs);
void sim_profile_free(struct sim_profile *p);

/* Adds PROCS (negative: takes them) in [FROM, TO). */
void sim_profile_add(struct sim_profile *p, int64_t from, int64_t to, int64_t procs);

/* The first time from FROM on at which PROCS are free for SECONDS. */
int64_t sim_profile_find(const struct sim_profile *p, int64_t from, int64_t seconds, int64_t procs);

void sim_profile_forget(struct sim_profile *p, int64_t before);

#endif
