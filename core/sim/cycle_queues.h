/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cycle_queues: places on the calendar of a PBS, and who is stopped behind a job that cannot run.
 *
 * With strict_ordering who cannot run gets a place: of his queue's backfill_depth if it has one,
 * else of the server's, and the others go on. Nobody of a queue with a depth of 0 does, and without
 * backfill nobody at all; with strict_fifo, which is obsolete, nobody of the queue. The server's
 * depth of 0 turns backfill off, that of any queue above 0 on again. Jobs of reservations stop
 * nobody. Source: query_server_info() of server_info.cpp, query_queue_info() of queue_info.cpp,
 * should_backfill_with_job() and main_sched_loop() of fifo.cpp, OpenPBS.
 */
#ifndef FAIRTOP_CORE_SIM_CYCLE_QUEUES_H
#define FAIRTOP_CORE_SIM_CYCLE_QUEUES_H

#include "core/cluster/cluster.h"
#include "core/sim/cycle.h"

/* Do those that cannot run get places? */
bool cycle_plans(const struct cluster *c);

/*
 * One for each row of QUEUE; behind them, number CYCLE_NO_QUEUE, that of jobs whose queue is not
 * told, and CYCLE_RESERVED, of those of reservations. The caller frees them with mem_free().
 */
#define CYCLE_NO_QUEUE(c) cluster_rows(c, TABLE_QUEUE)
#define CYCLE_RESERVED(c) (cluster_rows(c, TABLE_QUEUE) + 1)
#define CYCLE_QUEUES(c) (cluster_rows(c, TABLE_QUEUE) + 2)
struct cycle_queue *cycle_queues_new(const struct cluster *c);

#endif
