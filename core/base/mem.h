/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mem: allocation that cannot return NULL.
 *
 * Running out of memory ends the program: fairtop needs only a few hundred bytes per association,
 * and could show nothing without them. Sizes are given as count and size and checked for overflow.
 */
#ifndef FAIRTOP_CORE_BASE_MEM_H
#define FAIRTOP_CORE_BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>

#include "core/base/err.h"

#if defined(__GNUC__)
#define MEM_NEVER_NULL __attribute__((returns_nonnull))
#else
#define MEM_NEVER_NULL
#endif

MEM_NEVER_NULL void *mem_alloc(size_t count, size_t size);	/* uninitialised */
MEM_NEVER_NULL void *mem_zalloc(size_t count, size_t size);	/* zeroed */
MEM_NEVER_NULL void *mem_realloc(void *old, size_t count, size_t size);
MEM_NEVER_NULL char *mem_strdup(const char *text);
MEM_NEVER_NULL char *mem_strndup(const char *text, size_t length);
MEM_NEVER_NULL char *mem_format(const char *format, ...) ERR_PRINTF(1, 2);
MEM_NEVER_NULL char *mem_vformat(const char *format, va_list ap) ERR_PRINTF(1, 0);

/*
 * Called when memory runs out, in any thread. A program's own definition reports it, restores the
 * terminal and exits. The default returns at once, and abort() follows.
 */
void mem_exhausted(void);

void mem_free(void *block);				/* NULL is fine */

/* Frees each of its arguments, in their order; the last one may hold the others. */
#define MEM_FREE(...) mem_free_blocks((void *const[]){ __VA_ARGS__ }, \
				      sizeof((void *const[]){ __VA_ARGS__ }) / sizeof(void *const))
void mem_free_blocks(void *const *blocks, size_t count);
void mem_free_texts(char **texts, size_t count);	/* COUNT texts and their array */

/* Grows *capacity (elements of SIZE bytes) to at least NEED, doubling; returns the new block. */
void *mem_grow(void *block, size_t *capacity, size_t need, size_t size);

/* The same for an array; CAPACITY is a size_t. Evaluates ARRAY more than once. */
#define MEM_GROW(array, capacity, need) \
	((array) = mem_grow((array), &(capacity), (need), sizeof(*(array))))

#endif
