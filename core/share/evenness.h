/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * evenness: how evenly users are served, in one number.
 *
 *	jain	Jain's index, (sum R)^2 / (n sum R^2): 1 is perfectly even
 *	gini	Gini coefficient, in the sorted form (2 sum i x_i) / (n sum x) - (n + 1) / n:
 *		0 is perfectly even
 *
 * Sources: R. Jain, D. Chiu, W. Hawe, DEC-TR-301 (1984); C. Gini (1912).
 */
#ifndef FAIRTOP_CORE_SHARE_EVENNESS_H
#define FAIRTOP_CORE_SHARE_EVENNESS_H

#include "core/share/model.h"

struct evenness {
	double jain, gini;	/* NaN without a value */
};

/* Computes both from R of the users with shares. */
struct evenness evenness_of(const struct model *m);

/* NaN if there are no values. gini_index() sorts VALUES. */
double jain_index(const double *values, size_t n);
double gini_index(double *values, size_t n);

#endif
