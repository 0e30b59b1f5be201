/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_place: on which vnodes a job of PBS finds room, chunk by chunk.
 *
 * A chunk of its select goes to one vnode, or is broken over the vnodes of one host; place says
 * how chunks spread: free (as they fit), pack (all on one host), scatter (one a host), vscatter
 * (one a vnode), and whether its vnodes are its own. Jobs of a queue that has vnodes get those, all
 * others those of no queue. First fit in the order of node_sort_key (pbs_vnodes.h), from the first
 * end of a job at which there is room for as long as it runs (pbs_room.h), and the limits of server
 * and queues (pbs_limits.h) let it. A reservation to come has what it holds from its beginning to
 * its end. Of all that is in a job's way the scheduler names one thing, the first that it finds
 * in its own order of checks, and so does this. Not followed: limits of vnodes, smp_cluster_dist,
 * and of placement sets all but who fits none and never runs (pbs_sets.h). Source:
 * resresv_can_fit_nodepart() of node_partition.cpp, eval_selspec(), eval_placement(),
 * eval_complex_selspec(), eval_simple_selspec() of node_info.cpp, calc_run_time()
 * of simulate.cpp, OpenPBS.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_PLACE_H
#define FAIRTOP_CORE_QUEUE_PBS_PLACE_H

#include "core/cluster/cluster.h"

struct pbs_place;

/*
 * The vnodes of C, which must outlive it, with what runs on them, to their walltimes (five years
 * for those without). CHECKED: the resources: line, which must outlive it, too; NULL or "": all
 * count. PLANS: pbs_place_plan() will be asked.
 */
struct pbs_place *pbs_place_new(const struct cluster *c, const char *checked, bool plans);
void pbs_place_free(struct pbs_place *p);	/* NULL is fine */

/* Is node_sort_key known? Else vnodes are tried in the server's order. */
bool pbs_place_sorted(const struct pbs_place *p);

/*
 * NULL: all vnodes together have what JOB asks for, as the scheduler sums them; else its words for
 * what is short. These, and those below, live as long as P.
 */
const char *pbs_place_fits(struct pbs_place *p, uint32_t job);

/* NULL: the limits of server and queues let the job at row JOB begin now; else which one not. */
const char *pbs_place_limited(const struct pbs_place *p, uint32_t job);

/* NULL: its queue and the server have as much left as it asks for; else what is short. */
const char *pbs_place_supplied(const struct pbs_place *p, uint32_t job);

/*
 * NULL: there is room for the job at row JOB until its end, beside all that is planned, and it has
 * it now; else the scheduler's words for why not. A job whose select is unknown, and one of a
 * reservation, which has vnodes of its own, begins without taking any.
 */
const char *pbs_place_start(struct pbs_place *p, uint32_t job);

/*
 * Keeps the first room for it that there will be, not before EARLIEST; false if there is none even
 * after all ends.
 */
bool pbs_place_plan(struct pbs_place *p, uint32_t job, int64_t earliest);

#endif
