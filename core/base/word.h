/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * word: keywords as schedulers read them, ASCII only and without regard to case or locale.
 */
#ifndef FAIRTOP_CORE_BASE_WORD_H
#define FAIRTOP_CORE_BASE_WORD_H

#include <stdbool.h>
#include <stddef.h>

static inline char word_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static inline bool word_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The value of a hexadecimal digit, -1 if C is none. */
static inline int word_hex_digit(char c)
{
	if (word_is_digit(c))
		return c - '0';
	c = word_lower(c);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static inline bool word_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Are A and B (NUL-ended) the same word? */
bool word_equal(const char *a, const char *b);

/* Is A (LENGTH bytes) the word B (NUL-ended)? */
bool word_equal_n(const char *a, size_t length, const char *b);

/* Does TEXT begin with WITH? Case-sensitive. */
bool word_begins(const char *text, const char *with);

/* Is WORD, case-sensitive, one of WORDS, which NULL ends? */
bool word_in(const char *const *words, const char *word);

/* Is WORD one of those in TEXT, which any of the characters BETWEEN separate? TEXT may be NULL. */
bool word_among(const char *text, const char *between, const char *word);

/* Does TEXT contain LOWER, which is already in lower case? The empty word is in every text. */
bool word_holds(const char *text, const char *lower);

/*
 * Is NAME (LENGTH bytes, case-sensitive) one of a comma-separated LIST, blanks around the names
 * ignored? LIST may be NULL.
 */
bool word_listed(const char *list, const char *name, size_t length);

/* The value if TEXT is NAME=value, NAME (LENGTH bytes) case-sensitive; else NULL. */
const char *word_value(const char *text, const char *name, size_t length);

/* Returns a typed path (LENGTH bytes) with "=" written %3D, as in paths. The caller frees it. */
char *word_path(const char *text, size_t length);

#endif
