/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress: one line on a terminal that says how far a long work is; elsewhere nothing. */
#ifndef FAIRTOP_CLI_PROGRESS_H
#define FAIRTOP_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
	bool terminal;			/* standard error is one */
	int64_t begun_ms, shown_ms;
};

struct progress progress_begin(void);

/* "reading: 42 %, 188041 lines, 512345/s, 3 s left"; PART 0 if nobody knows how far it is. */
void progress_show(struct progress *p, const char *what, double part, uint64_t count,
		   const char *unit);
void progress_end(const struct progress *p);	/* takes the line away */

#endif
