/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary: a cluster as a whole, in a few numbers. What cannot be told is U32_UNKNOWN or NaN.
 */
#ifndef FAIRTOP_CORE_SHARE_SUMMARY_H
#define FAIRTOP_CORE_SHARE_SUMMARY_H

#include "core/share/model.h"

struct summary {
	uint32_t nodes, nodes_used;
	double cpus, cpus_used;		/* of LSF slots */
	uint32_t running, pending;	/* jobs; a pending array counts its tasks */
	uint32_t accounts, users;
};

struct summary summary_of(const struct model *m);

/*
 * The accounts without shares that used something, most first; none below another one. None at all
 * where shares or usage of an account were not read.
 */
struct unshared {
	struct unshared_row {
		double usage;
		uint32_t row;
	} *rows;			/* owned */
	uint32_t count;
	double part;			/* what they used, of all usage */
};

struct unshared unshared_of(const struct model *m);

#endif
