/* SPDX-License-Identifier: GPL-2.0-or-later */
/* plural: "1 job", "2 jobs". */
#ifndef FAIRTOP_CORE_BASE_PLURAL_H
#define FAIRTOP_CORE_BASE_PLURAL_H

#include <stdint.h>

static inline const char *plural(uint64_t count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}

#endif
