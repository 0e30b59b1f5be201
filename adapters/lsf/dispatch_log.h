/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dispatch_log: reads and writes the files that LSF writes to LSF_DISPATCHER_LOGDIR.
 *
 *	# clients managed by LSF
 *	# Roma # Verona # Genova
 *	15/3 19:4:50 8 5 2
 *
 * One line per minute: day/month, time, then the slots allotted to each queue in the order of the
 * header line; ready for gnuplot. Lines that begin with # and contain no other # are remarks (a
 * single queue is written "# Roma #"). Source: "LSF_DISPATCHER_LOGDIR", IBM documentation of LSF
 * 10.1, whose example is the only one known; not tested with LSF. It has no year, and only the
 * example (15/3) shows which number of the date is the month.
 */
#ifndef FAIRTOP_ADAPTERS_LSF_DISPATCH_LOG_H
#define FAIRTOP_ADAPTERS_LSF_DISPATCH_LOG_H

#include "core/base/err.h"
#include "core/base/sink.h"

struct dispatch_line {
	int day, month, hour, minute, second;
	uint32_t *slots;	/* one per queue */
};

struct dispatch_log {
	char **queues;
	uint32_t queue_count;
	struct dispatch_line *lines;
	size_t count, capacity;
};

/* All owned by LOG. ERR_INPUT with err->line for a malformed line. */
bool dispatch_log_read(const char *text, size_t length, struct dispatch_log *log, struct err *err);

/*
 * Write a log step by step: the two lines of the header, then one line each. ERR_INPUT for a queue
 * name that could not be read back.
 */
bool dispatch_log_begin(const char *const *queues, uint32_t count, struct sink out,
			struct err *err);
bool dispatch_log_line(const struct dispatch_line *line, uint32_t count, struct sink out,
		       struct err *err);
void dispatch_log_free(struct dispatch_log *log);

/*
 * The Unix time of a line in this process's time zone. As a line has no year, it is taken from the
 * year that ends a day after LATEST; I64_UNKNOWN if there is none. dispatch_line_at() is the
 * inverse, with NULL slots.
 */
int64_t dispatch_line_time(const struct dispatch_line *line, int64_t latest);
struct dispatch_line dispatch_line_at(int64_t time);

/*
 * Slots of QUEUE (its index) accumulated over the log with decay (slots_accumulate()); each line's
 * slots last until the next line. Gaps over an hour, and steps back, count as one minute.
 */
double dispatch_log_accumulated(const struct dispatch_log *log, uint32_t queue, double hist_hours);

#endif
