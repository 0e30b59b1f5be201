/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_place: on which vnodes a job of PBS finds room, chunk by chunk.
 *
 * A chunk of its select goes to one vnode, or is broken over the vnodes of one host; place says
 * how chunks spread: free (as they fit), pack (all on one host), scatter (one a host), vscatter
 * (one a vnode), and whether its vnodes are its own. Vnodes of a queue are that queue's alone. Of
 * what is asked for only the resources: line of sched_config counts, and every boolean. First fit
 * in the order of the table, from the first end of a job at which there is room for as long as it
 * runs, and the limits of server and queues (pbs_limits.h) let it. A reservation to come has what
 * it holds from its beginning to its end. Not followed: placement sets, limits of vnodes. Source:
 * eval_placement(), eval_simple_selspec(), check_resources_for_node() of node_info.cpp,
 * calc_run_time() of simulate.cpp, OpenPBS.
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

/* NULL: there are vnodes, and free ones, for each chunk of JOB that wants one for itself. */
const char *pbs_place_count(const struct pbs_place *p, uint32_t job);

/* NULL: the limits of server and queues let the job at row JOB begin now; else which one not. */
const char *pbs_place_limited(const struct pbs_place *p, uint32_t job);

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
