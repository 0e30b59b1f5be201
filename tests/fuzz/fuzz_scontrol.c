/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/slurm_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum slurm_kind kinds[] = {
		SLURM_CONFIG, SLURM_ASSOC_MGR,
		SLURM_PARTITION, SLURM_NODE,
		SLURM_RESERVATION, SLURM_LICENSE,
		SLURM_JOB, SLURM_SDIAG,
	};

	return fuzz_slurm_text(kinds, sizeof(kinds) / sizeof(kinds[0]), data, size);
}
