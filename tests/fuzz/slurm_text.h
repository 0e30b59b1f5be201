/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One untrusted output of Slurm: it is read into a cluster that can be sealed, or refused with a
 * reason. The first byte of an input chooses among the kinds of the target, '0' being the first.
 */
#ifndef FAIRTOP_TESTS_FUZZ_SLURM_TEXT_H
#define FAIRTOP_TESTS_FUZZ_SLURM_TEXT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/slurm/slurm_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_build(const struct slurm_texts *texts)
{
	struct builder *b = builder_new();
	struct cluster *c = NULL;
	struct err err = { 0 };

	if (slurm_text_build(texts, b, &err))
		c = builder_seal(b, &err);
	else
		builder_free(b);
	if (!c && (err.code != ERR_INPUT || !err.message[0]))
		abort();
	cluster_free(c);
}

/* A NUL-ended copy in a block of its exact size. */
static inline char *fuzz_copy(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

static inline int fuzz_slurm_text(const enum slurm_kind *kinds, size_t count, const uint8_t *data,
				  size_t size)
{
	struct slurm_texts texts = { .time = 0, .from = "saved outputs" };
	char *text;

	if (size == 0)
		return 0;
	text = fuzz_copy(data + 1, size - 1);
	texts.kind[(size_t)kinds[(data[0] - '0' + 256u) % count]] =
		(struct slurm_text){ "text", text, size - 1 };
	fuzz_build(&texts);
	free(text);
	return 0;
}

#endif
