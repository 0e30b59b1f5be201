/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: interned strings.
 *
 * Each distinct string is stored once and named by a 32-bit handle; equal strings have equal
 * handles, so comparing names is comparing numbers. Handle 0 (TEXT_NONE) is "unknown", handle 1 is
 * the empty string. Strings hold no NUL byte; any other bytes are allowed, valid UTF-8 or not.
 *
 * Ownership: the table owns the bytes; text_get() borrows and stays valid until the next intern.
 */
#ifndef FAIRTOP_CORE_BASE_TEXT_H
#define FAIRTOP_CORE_BASE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define TEXT_EMPTY UINT32_C(1)

struct text;

struct text *text_new(void);
void text_free(struct text *text);

/* LENGTH bytes without a NUL among them. */
uint32_t text_intern(struct text *text, const char *string, size_t length);
uint32_t text_find(const struct text *text, const char *string, size_t length);	/* 0 if absent */
const char *text_get(const struct text *text, uint32_t handle);	/* NULL for TEXT_NONE */

/* The packed bytes ("\0\0" then NUL-ended strings); a handle is an offset into them. */
const char *text_bytes(const struct text *text, size_t *length);

/* 64-bit hash of bytes (multiply and fold, eight at a time), the same in every run. */
uint64_t text_hash(const char *string, size_t length, uint64_t seed);

#endif
