/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycle_queues: calendar places of PBS, and which jobs are stopped behind one that cannot run.
 *
 * With strict_ordering, a job that cannot run gets a place (from its queue's backfill_depth if the
 * queue has one, else from the server's) and stops no other. In a queue with depth 0 it stops the
 * later ones of the queue; without backfill it stops all later ones; with strict_fifo, which is
 * obsolete, those of its queue. Depth 0 of the server turns backfill off; a depth above 0 of any
 * queue turns it on again. Jobs of reservations stop no other. Source: query_server_info() of
 * server_info.cpp, query_queue_info() of queue_info.cpp, should_backfill_with_job() and
 * main_sched_loop() of fifo.cpp, OpenPBS.
 */
#ifndef FAIRTOP_CORE_SIM_CYCLE_QUEUES_H
#define FAIRTOP_CORE_SIM_CYCLE_QUEUES_H

#include "core/cluster/cluster.h"
#include "core/sim/cycle.h"

/* Whether jobs that cannot run get calendar places. */
bool cycle_plans(const struct cluster *c);

/*
 * One element per row of QUEUE; then CYCLE_NO_QUEUE for jobs of an unknown queue, and
 * CYCLE_RESERVED for jobs of reservations. The caller frees them with mem_free().
 */
#define CYCLE_NO_QUEUE(c) cluster_rows(c, TABLE_QUEUE)
#define CYCLE_RESERVED(c) (cluster_rows(c, TABLE_QUEUE) + 1)
#define CYCLE_QUEUES(c) (cluster_rows(c, TABLE_QUEUE) + 2)
struct cycle_queue *cycle_queues_new(const struct cluster *c);

#endif
