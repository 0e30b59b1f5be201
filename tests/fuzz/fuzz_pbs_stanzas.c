/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Untrusted PBS output in the form for people. It is converted to JSON, which must be valid: the
 * cluster is built from it and sealed, or is refused because of a value.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/pasted.h"
#include "adapters/pbs/pbs_text.h"
#include "core/base/mem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pbs_texts texts = { .time = 0 };
	struct builder *b = builder_new();
	struct err err = { 0 };
	char said[200], *text = malloc(size + 1);
	struct cluster *c = NULL;

	if (!text)
		abort();
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	pasted_clean(text, &size);
	(void)pbs_stanzas_take(&texts, "text", text, size, said, sizeof(said));
	if (pbs_text_build(&texts, b, &err))
		c = builder_seal(b, &err);
	else
		builder_free(b);
	if (!c && (!err.message[0] || strstr(err.message, "-F json?")))
		abort();
	cluster_free(c);
	for (int k = 0; k < PBS_KINDS; k++)
		mem_free(texts.kind[k].text);
	free(text);
	return 0;
}
