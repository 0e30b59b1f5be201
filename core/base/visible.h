/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * visible: makes untrusted names harmless for a terminal.
 *
 * Control characters (C0, DEL, C1), invalid UTF-8 bytes, line and paragraph separators, and the
 * invisible characters that reorder or hide text (bidirectional marks and overrides, zero-width
 * characters, byte order mark, tags) are written as <XX> or <U+XXXX>; everything else is copied.
 */
#ifndef FAIRTOP_CORE_BASE_VISIBLE_H
#define FAIRTOP_CORE_BASE_VISIBLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes the visible form of STRING (LENGTH bytes) to DST, NUL-ended, never more than SIZE bytes,
 * never half a character. Returns the length the whole result would have (like snprintf).
 */
size_t visible_copy(char *dst, size_t size, const char *string, size_t length);

/*
 * Returns how many bytes at the beginning are printable ASCII: shown as they are, one column each.
 * A fast path: most texts hold nothing else, and other characters take far longer.
 */
size_t visible_ascii(const char *string, size_t length);

/*
 * Replaces with stars, in TEXT: in a PostgreSQL URL what stands before the @ and the value of
 * password=; in any other URL the user before the host. The end of such a URL is not well-defined:
 * hides rather too much than too little.
 */
void visible_hide_passwords(char *text);

/* Does TEXT contain a PostgreSQL URL with a password? */
bool visible_has_password(const char *text);

/* True when visible_copy() would change nothing. */
bool visible_is_plain(const char *string, size_t length);

/*
 * Decodes one UTF-8 sequence; returns its length, 0 at the end, and writes the code point. An
 * invalid byte gives length 1 and code point UINT32_MAX. Overlong forms, surrogates and values past
 * U+10FFFF are invalid.
 */
size_t utf8_decode(const char *string, size_t length, uint32_t *code_point);

/* Writes CODE_POINT as UTF-8 (up to 4 bytes, no NUL); returns the number of bytes. */
size_t utf8_encode(uint32_t code_point, char out[4]);

#endif
