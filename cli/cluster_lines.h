/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster_lines: the sources that fairtop.conf has names for, `cluster NAME SOURCE`. */
#ifndef FAIRTOP_CLI_CLUSTER_LINES_H
#define FAIRTOP_CLI_CLUSTER_LINES_H

#include "cli/options.h"
#include "tui/screen/screen.h"

struct cluster_lines {
	struct screen_cluster list[1 + OBJECTS_MAX];
	size_t count;
	char *texts[2 * (1 + OBJECTS_MAX)];	/* owned: what LIST points to */
	size_t text_count;
};

/* Into C, which is zeroed. False, ERR_INPUT: the configuration cannot be read, or has too many. */
bool cluster_lines_read(struct cluster_lines *c, struct err *err);

/* The source of NAME (LENGTH bytes), C's; NULL, ERR_INPUT, which tells the names: there is none. */
const char *cluster_lines_find(const struct cluster_lines *c, const char *name, size_t length,
			  struct err *err);
void cluster_lines_free(struct cluster_lines *c);

#endif
