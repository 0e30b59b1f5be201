/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dispatch_log: what LSF writes to LSF_DISPATCHER_LOGDIR, read and written.
 *
 *	# clients managed by LSF
 *	# Roma # Verona # Genova
 *	15/3 19:4:50 8 5 2
 *
 * One line a minute: day/month, time, then the slots allotted to each queue in the order of the
 * line that names them; ready for gnuplot. Lines that begin with # and hold no other # are
 * remarks (a single queue is written "# Roma #"). Source: "LSF_DISPATCHER_LOGDIR", IBM
 * documentation of LSF 10.1, whose example is the only one known; not tried on an LSF. There is no
 * year in it, and which of the two numbers of the date is the month shows only by the example
 * (15/3).
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

/* All owned by LOG. ERR_INPUT with err->line for a line that is not of the form. */
bool dispatch_log_read(const char *text, size_t length, struct dispatch_log *log, struct err *err);

/*
 * Writes one piece by piece: the two lines at the beginning, then a line each. ERR_INPUT for a name
 * that could not be read again.
 */
bool dispatch_log_begin(const char *const *queues, uint32_t count, struct sink out,
			struct err *err);
bool dispatch_log_line(const struct dispatch_line *line, uint32_t count, struct sink out,
		       struct err *err);
void dispatch_log_free(struct dispatch_log *log);

/*
 * The Unix time of a line in the time zone of this process: in the year that ends at LATEST (and a
 * day), since the line has none; I64_UNKNOWN if that cannot be told. And a line of TIME, its slots
 * still NULL.
 */
int64_t dispatch_line_time(const struct dispatch_line *line, int64_t latest);
struct dispatch_line dispatch_line_at(int64_t time);

/*
 * Slots of QUEUE (its number) accumulated over the log with decay (slots_accumulate()), each line's
 * slots until the next line. Gaps over an hour, and steps back, count as one minute.
 */
double dispatch_log_accumulated(const struct dispatch_log *log, uint32_t queue, double hist_hours);

#endif
