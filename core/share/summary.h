/* SPDX-License-Identifier: GPL-2.0-or-later */
/* summary: a cluster as a whole, in a few numbers. Unknown ones are U32_UNKNOWN or NaN. */
#ifndef FAIRTOP_CORE_SHARE_SUMMARY_H
#define FAIRTOP_CORE_SHARE_SUMMARY_H

#include "core/share/model.h"

struct summary {
	uint32_t nodes, nodes_used;
	double cpus, cpus_used;		/* in LSF: slots */
	uint32_t running, pending;	/* jobs; a pending array counts its tasks */
	uint32_t accounts, users;
};

struct summary summary_of(const struct model *m);

/*
 * The topmost accounts without shares that have usage, most usage first. Empty if the shares or the
 * usage of an account are unknown.
 */
struct unshared {
	struct unshared_row {
		double usage;
		uint32_t row;
	} *rows;			/* owned */
	uint32_t count;
	double part;			/* their part of all usage */
};

struct unshared unshared_of(const struct model *m);

#endif
