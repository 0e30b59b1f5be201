/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress: one line on a terminal that shows the progress of long work; elsewhere nothing. */
#ifndef FAIRTOP_CLI_PROGRESS_H
#define FAIRTOP_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

struct progress {
	bool terminal;			/* standard error is a terminal */
	int64_t begun_ms, shown_ms;
};

struct progress progress_begin(void);

/* "reading: 42 %, 188041 lines, 512345/s, 3 s left"; PART 0: progress is unknown. */
void progress_show(struct progress *p, const char *what, double part, uint64_t count,
		   const char *unit);
void progress_clear(void);	/* erases the line */

/*
 * For work that goes on until a signal comes: "recording slurm every 30s into FILE; Ctrl-C stops"
 * (without the interval if EVERY_MS is 0), and below it a line for the latest event. SOURCE and
 * INTO may be NULL. Has no object, so that a remark can be made from anywhere.
 */
void progress_waits(const char *doing, const char *source, int64_t every_ms, const char *into);
void progress_heard(const char *format, ...) ERR_PRINTF(1, 2);	/* "WORDS at 14:02:31" */
void progress_remark(const char *subject, const char *text);	/* remark(), in place of the line */

#endif
