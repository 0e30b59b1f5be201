/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several of Slurm's outputs at once. A byte 0x1e begins each part; the next byte is its kind
 * ('A' + enum slurm_kind). References from one part to rows of another must not be trusted.
 */
#include "tests/fuzz/slurm_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slurm_texts texts = { .time = 0, .from = "saved outputs" };
	char *parts[SLURM_KINDS] = { NULL };
	const uint8_t *end = data + size;

	while (data < end) {
		const uint8_t *next = memchr(data, 0x1e, (size_t)(end - data));
		size_t length = (size_t)((next ? next : end) - data);

		if (length > 0) {
			size_t kind = (data[0] + 256u - 'A') % SLURM_KINDS;

			free(parts[kind]);
			parts[kind] = fuzz_copy(data + 1, length - 1);
			texts.kind[kind] = (struct slurm_text){ "text", parts[kind], length - 1 };
		}
		data = next ? next + 1 : end;
	}
	fuzz_build(&texts);
	for (size_t i = 0; i < SLURM_KINDS; i++)
		free(parts[i]);
	return 0;
}
