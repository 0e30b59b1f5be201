/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * toy: a small view with every kind of value, for tests of code that works on any view.
 *
 *	row  name	size	ratio	time	since	up	limits			tags
 *	0    alpha	3	0.5	3600	1000	true	{cpu:4, wall:"1-0"}	[a, b]
 *	1    Beta	-	NaN	-	-	-	-			-
 *	2    gamma "q"	10	inf	60	2000	false	{}			[]
 *	3    de,lta	parent	2	93784	500	true	{cpu:8}			[b]
 *	4    (esc)[31m	3	0.25	0	0	false	{wall:"2-0"}		[c]
 */
#ifndef FAIRTOP_TESTS_SUPPORT_TOY_H
#define FAIRTOP_TESTS_SUPPORT_TOY_H

#include "core/base/column.h"

#define TOY_ROWS 5

extern const struct column toy_columns[];
extern const size_t toy_columns_count;

struct view toy_view(void);

#endif
