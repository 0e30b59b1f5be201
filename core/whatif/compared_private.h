/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the tables of columns that compare are made of. VIEW_base() and VIEW_change() give the value
 * that the column of a name has in the base, and the difference.
 */
#ifndef FAIRTOP_CORE_WHATIF_COMPARED_PRIVATE_H
#define FAIRTOP_CORE_WHATIF_COMPARED_PRIVATE_H

#include "core/whatif/compared.h"

extern const struct compared_table compared_accounts, compared_jobs;
extern const struct compared_table compared_pools, compared_classes, compared_policy;

void compared_places(double places, struct value *out);	/* NaN is unknown */

#define PAIR(view, name) \
	static void view##_base_##name(const struct spot *spot, struct value *out) \
	{ \
		view##_base(spot, #name, out); \
	} \
	static void view##_change_##name(const struct spot *spot, struct value *out) \
	{ \
		view##_change(spot, #name, out); \
	}

#define ALL ((UINT32_C(1) << FS_ALGORITHMS) - 1)

#define BASE_TEXT "as it is without the what-if"
#define CHANGE_TEXT "the value with the what-if less the value without it"
#define PLACES_TEXT "places in the rank that the what-if gains; negative: loses"

/* A value of the base; what is wide, decimals, keep and only stands in the line of each. */
#define BASE(view, key, heading, ...) \
	{ { .name = "base_" #key, .title = heading " was", .legend = BASE_TEXT, \
	    .get = view##_base_##key, __VA_ARGS__ }, COMPARED_BASE, #key }
#define CHANGE(view, key, heading, ...) \
	{ { .name = #key "_change", .title = heading " diff", .legend = CHANGE_TEXT, \
	    .get = view##_change_##key, __VA_ARGS__ }, COMPARED_CHANGE, #key }

#define TABLE_OF(name, gain) { #name, name, sizeof(name) / sizeof(name[0]), gain }

#endif
