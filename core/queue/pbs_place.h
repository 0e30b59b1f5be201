/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_place: finds vnodes for a job of PBS, chunk by chunk.
 *
 * A chunk of the job's select goes to one vnode, or is split over the vnodes of one host. place
 * says how chunks spread: free (as they fit), pack (all on one host), scatter (one per host),
 * vscatter (one per vnode), and whether its vnodes are exclusive. Jobs of a queue with vnodes get
 * those; all others get vnodes without a queue. First fit in the order of node_sort_key
 * (pbs_vnodes.h), at the first end of a job from which on enough is free for as long as it runs
 * (pbs_capacity.h) and the limits of server and queues (pbs_limits.h) allow it. Future reservations
 * occupy theirs from begin to end. The scheduler names only the first obstacle in its order of
 * checks, and so does this. Not modelled: limits of vnodes, smp_cluster_dist, and placement sets,
 * except for jobs that fit in none and never run (pbs_sets.h). Source: resresv_can_fit_nodepart()
 * of node_partition.cpp, eval_selspec(), eval_placement(), eval_complex_selspec(),
 * eval_simple_selspec() of node_info.cpp, calc_run_time() of simulate.cpp, OpenPBS.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_PLACE_H
#define FAIRTOP_CORE_QUEUE_PBS_PLACE_H

#include "core/cluster/cluster.h"

struct pbs_place;

/*
 * The vnodes of C, which must outlive it, with the running jobs until their walltimes (five years
 * without one). CHECKED: the resources: line, which must outlive it, too; NULL or "": all resources
 * count. PLANS: enables pbs_place_plan().
 */
struct pbs_place *pbs_place_new(const struct cluster *c, const char *checked, bool plans);
void pbs_place_free(struct pbs_place *p);	/* NULL is fine */

/* Is node_sort_key known? If not, vnodes are tried in the server's order. */
bool pbs_place_sorted(const struct pbs_place *p);

/*
 * NULL: all vnodes together have what JOB requests, as the scheduler sums it; else its words for
 * what is short. These texts, and those below, live as long as P.
 */
const char *pbs_place_fits(struct pbs_place *p, uint32_t job);

/* NULL: limits of server and queues let the job at row JOB begin now; else the obstacle. */
const char *pbs_place_limited(const struct pbs_place *p, uint32_t job);

/* NULL: its queue and the server have enough left; else what is short. */
const char *pbs_place_supplied(const struct pbs_place *p, uint32_t job);

/*
 * NULL: the job at row JOB fits now and until its end, beside all that is planned, and now occupies
 * its place; else the scheduler's words for why not. A job with unknown select, or in a reservation
 * (which has its own vnodes), starts without occupying any.
 */
const char *pbs_place_start(struct pbs_place *p, uint32_t job);

/*
 * Reserves the first possible place for the job, not before EARLIEST; false if there is none even
 * after all ends.
 */
bool pbs_place_plan(struct pbs_place *p, uint32_t job, int64_t earliest);

#endif
