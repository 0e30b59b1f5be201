/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One untrusted output or file of PBS: it is read into a cluster that can be sealed, or refused
 * with a reason. The first byte of an input chooses among the kinds of the target, '0' being the
 * first.
 */
#ifndef FAIRTOP_TESTS_FUZZ_PBS_TEXT_H
#define FAIRTOP_TESTS_FUZZ_PBS_TEXT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/pbs/pbs_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* fuzz_pbs_text() together with the text OTHER of kind KIND (NULL: alone). */
static inline int fuzz_pbs_texts(const enum pbs_text_kind *kinds, size_t count, const uint8_t *data,
				 size_t size, enum pbs_text_kind kind, const struct pbs_text *other)
{
	struct pbs_texts texts = { .time = 0 };
	struct builder *b;
	struct cluster *c = NULL;
	struct err err = { 0 };
	char *text;

	if (size == 0)
		return 0;
	text = malloc(size);
	if (!text)
		abort();
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';
	texts.kind[kinds[(data[0] - '0' + 256u) % count]] =
		(struct pbs_text){ "text", text, size - 1, NULL, true };
	if (other)
		texts.kind[kind] = *other;
	b = builder_new();
	if (pbs_text_build(&texts, b, &err))
		c = builder_seal(b, &err);
	else
		builder_free(b);
	if (!c && ((err.code != ERR_INPUT && err.code != ERR_SOURCE) || !err.message[0]))
		abort();
	cluster_free(c);
	free(text);
	return 0;
}

static inline int fuzz_pbs_text(const enum pbs_text_kind *kinds, size_t count, const uint8_t *data,
				size_t size)
{
	return fuzz_pbs_texts(kinds, count, data, size, PBS_KINDS, NULL);
}

#endif
