/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__)
#define MEM_WEAK __attribute__((weak))
#define MEM_NEVER __attribute__((noreturn))
#else
#define MEM_WEAK
#define MEM_NEVER
#endif

MEM_WEAK void mem_exhausted(void)
{
}

MEM_NEVER static void mem_give_up(void)
{
	mem_exhausted();
	abort();
}

static size_t mem_bytes(size_t count, size_t size)
{
	if (size != 0 && count > SIZE_MAX / size)
		mem_give_up();
	return count * size == 0 ? 1 : count * size;
}

void *mem_alloc(size_t count, size_t size)
{
	void *block = malloc(mem_bytes(count, size));

	if (!block)
		mem_give_up();
	return block;
}

void *mem_zalloc(size_t count, size_t size)
{
	void *block = calloc(1, mem_bytes(count, size));

	if (!block)
		mem_give_up();
	return block;
}

void *mem_realloc(void *old, size_t count, size_t size)
{
	void *block = realloc(old, mem_bytes(count, size));

	if (!block)
		mem_give_up();
	return block;
}

char *mem_strndup(const char *text, size_t length)
{
	char *copy = mem_alloc(length + 1, 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *mem_strdup(const char *text)
{
	return mem_strndup(text, strlen(text));
}

void mem_free(void *block)
{
	free(block);
}

void mem_free_blocks(void *const *blocks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		mem_free(blocks[i]);
}

void mem_free_texts(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		mem_free(texts[i]);
	mem_free(texts);
}

void *mem_grow(void *block, size_t *capacity, size_t need, size_t size)
{
	size_t want = *capacity < 16 ? 16 : *capacity;

	if (need <= *capacity)
		return block;
	while (want < need) {
		if (want > SIZE_MAX / 2)
			mem_give_up();
		want *= 2;
	}
	*capacity = want;
	return mem_realloc(block, want, size);
}

char *mem_vformat(const char *format, va_list ap)
{
	va_list again;
	int length;
	char *text;

	va_copy(again, ap);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = mem_alloc((size_t)length + 1, 1);
	vsnprintf(text, (size_t)length + 1, format, ap);
	return text;
}

char *mem_format(const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = mem_vformat(format, ap);
	va_end(ap);
	return text;
}
