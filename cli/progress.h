/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress: one line on a terminal that says how far a long work is; elsewhere nothing. */
#ifndef FAIRTOP_CLI_PROGRESS_H
#define FAIRTOP_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"

struct progress {
	bool terminal;			/* standard error is one */
	int64_t begun_ms, shown_ms;
};

struct progress progress_begin(void);

/* "reading: 42 %, 188041 lines, 512345/s, 3 s left"; PART 0 if nobody knows how far it is. */
void progress_show(struct progress *p, const char *what, double part, uint64_t count,
		   const char *unit);
void progress_clear(void);	/* takes the line away */

/*
 * What goes on until a signal comes: "recording slurm every 30s into FILE; Ctrl-C stops" (not
 * with EVERY_MS 0), and below it a line that what is heard replaces. SOURCE and INTO may be NULL.
 * There is no object of it: whoever remarks something meanwhile need not have one.
 */
void progress_waits(const char *doing, const char *source, int64_t every_ms, const char *into);
void progress_heard(const char *format, ...) ERR_PRINTF(1, 2);	/* "WORDS at 14:02:31" */
void progress_remark(const char *subject, const char *text);	/* remark(), in place of the line */

#endif
