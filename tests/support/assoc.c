/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/assoc.h"

#include <math.h>

uint32_t assoc_add(struct builder *b, uint32_t id, uint32_t parent, const char *account,
		   const char *user, uint32_t shares, double usage)
{
	uint32_t row = builder_add(b, TABLE_ASSOC);

	builder_u32(b, F_ASSOC_ID, row, id);
	if (parent != 0)
		builder_u32(b, F_ASSOC_PARENT, row, parent);
	builder_str(b, F_ASSOC_ACCOUNT, row, account);
	builder_str(b, F_ASSOC_USER, row, user);
	builder_u32(b, F_ASSOC_SHARES, row, shares);
	if (!isnan(usage))
		builder_f64(b, F_ASSOC_USAGE, row, usage);
	return row;
}
