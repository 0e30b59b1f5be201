/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Untrusted output of sshare, alone or joined with a list of sacctmgr, which follows a line
 * "====".
 */
#include "tests/fuzz/slurm_text.h"

static const char mark[] = "\n====\n";
#define MARK (sizeof(mark) - 1)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slurm_texts texts = { .time = 0, .from = "saved outputs" };
	const uint8_t *other = size >= MARK ? memmem(data, size, mark, MARK) : NULL;
	size_t length = other ? (size_t)(other - data) : size;
	char *sshare = fuzz_copy(data, length), *assoc = NULL;

	texts.kind[SLURM_SSHARE] = (struct slurm_text){ "sshare", sshare, length };
	if (other) {
		length = size - length - MARK;
		assoc = fuzz_copy(other + MARK, length);
		texts.kind[SLURM_ASSOC] = (struct slurm_text){ "assoc", assoc, length };
	}
	fuzz_build(&texts);
	free(sshare);
	free(assoc);
	return 0;
}
