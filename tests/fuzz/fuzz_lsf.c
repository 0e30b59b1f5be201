/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Untrusted outputs of LSF: one is read into a cluster whose pools can be allocated, explained and
 * checked, or is refused with a reason. The first byte of an input chooses the kind, 'a' being the
 * first of enum lsf_kind; the letter after the last one leaves it to be detected. After a NUL byte
 * comes the file lsb.queues.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/lsf/lsf_text.h"
#include "core/lint/lint_pools.h"
#include "core/pools/pools.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char *copy_of(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	if (!text)
		abort();
	memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

/* The allotted and idle slots add up to the pool, and every explanation ends. */
static void use(const struct cluster *c)
{
	struct pools *p = pools_new(c, NULL, false, NULL, NULL);
	struct lint l;

	for (uint32_t k = 0; k < p->pool_count; k++) {
		uint64_t sum = p->pools[k].slots.idle;

		for (uint32_t i = 0; i < p->pools[k].slots.count; i++)
			sum += p->pools[k].slots.queues[i].allotted;
		if (sum != p->pools[k].slots.size)
			abort();
	}
	for (uint32_t q = 0; q < p->queue_count && q < 20; q++) {
		struct explain e;

		explain_init(&e);
		pools_explain_queue(p, q, &e);
		explain_free(&e);
	}
	pools_free(p);
	lint_init(&l);
	lint_pools(c, &l);
	lint_free(&l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const names[LSF_KINDS] = { "a", "b", "c", "d", "e", "f", "g", "h",
						      "i", "j", "k", "l", "m", "n", "o", "p",
						      "q", "r", "s", "t", "u" };
	struct lsf_texts texts = { .time = 1000000000 };
	struct err err = { 0 };
	struct cluster *c = NULL;
	const uint8_t *cut;
	struct builder *b;
	size_t kind, length;

	if (size == 0)
		return 0;
	kind = (data[0] - 'a' + 256u) % (LSF_KINDS + 1);
	data++;
	size--;
	cut = kind == LSF_QUEUES ? NULL : memchr(data, '\0', size);
	length = cut ? (size_t)(cut - data) : size;
	if (kind == LSF_KINDS)
		lsf_texts_take(&texts, "pasted", LSF_KINDS, copy_of(data, length), length);
	else
		texts.kind[kind] = (struct lsf_text){ .name = names[kind], .length = length,
						      .text = copy_of(data, length) };
	if (cut && !texts.kind[LSF_QUEUES].text)
		texts.kind[LSF_QUEUES] = (struct lsf_text){
			.name = names[LSF_QUEUES], .length = size - length - 1,
			.text = copy_of(cut + 1, size - length - 1) };
	b = builder_new();
	if (lsf_text_build(&texts, b, &err))
		c = builder_seal(b, &err);
	else
		builder_free(b);
	if (!c && (err.code != ERR_INPUT || !err.message[0]))
		abort();
	if (c)
		use(c);
	cluster_free(c);
	for (int k = 0; k < LSF_KINDS; k++)
		free(texts.kind[k].text);
	return 0;
}
