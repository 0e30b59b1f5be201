/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/fuzz/slurm_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum slurm_kind kinds[] = {
		SLURM_SQUEUE, SLURM_SQUEUE_LONG,
		SLURM_SQUEUE_JSON, SLURM_SSHARE_JSON,
	};

	return fuzz_slurm_text(kinds, sizeof(kinds) / sizeof(kinds[0]), data, size);
}
