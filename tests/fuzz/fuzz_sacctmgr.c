/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/slurm_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum slurm_kind kinds[] = {
		SLURM_ASSOC, SLURM_QOS, SLURM_USER,
		SLURM_TRES, SLURM_CLUSTER, SLURM_DUMP,
	};

	return fuzz_slurm_text(kinds, sizeof(kinds) / sizeof(kinds[0]), data, size);
}
