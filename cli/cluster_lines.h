/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cluster_lines: the sources named in fairtop.conf, `cluster NAME SOURCE`. */
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

/* Reads into C, which is zeroed. False, ERR_INPUT: an unreadable configuration, or too many. */
bool cluster_lines_read(struct cluster_lines *c, struct err *err);

/* The source of NAME (LENGTH bytes), owned by C; NULL, ERR_INPUT with the known names: none. */
const char *cluster_lines_find(const struct cluster_lines *c, const char *name, size_t length,
			  struct err *err);
void cluster_lines_free(struct cluster_lines *c);

#endif
