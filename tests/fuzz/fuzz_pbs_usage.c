/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/pbs_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum pbs_text_kind kinds[] = { PBS_USAGE };

	return fuzz_pbs_text(kinds, sizeof(kinds) / sizeof(kinds[0]), data, size);
}
