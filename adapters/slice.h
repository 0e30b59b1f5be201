/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slice: borrowed pieces of a text, and the values that schedulers write in them.
 *
 * A slice borrows bytes of the text being read; nothing is copied and nothing is owned. The
 * functions that read values return false for a malformed value and then leave the result
 * unchanged. They never read past the slice, whatever it holds.
 */
#ifndef FAIRTOP_ADAPTERS_SLICE_H
#define FAIRTOP_ADAPTERS_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slice {
	const char *at;
	size_t length;
};

/* For printf: printf("%.*s", SLICE_PRINT(s)) prints at most 100 bytes. */
#define SLICE_PRINT(s) ((s).length < 100 ? (int)(s).length : 100), (s).at

/* In a line; word_is_blank() counts the end of one, too. */
static inline bool slice_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct slice slice_of(const char *string);
struct slice slice_trim(struct slice s);		/* without blanks at both ends */
bool slice_equal(struct slice a, struct slice b);
bool slice_is(struct slice s, const char *word);	/* exactly */
bool slice_same(struct slice s, const char *word);	/* ASCII case ignored */
bool slice_starts(struct slice s, const char *word);
bool slice_ends(struct slice s, struct slice end);
struct slice slice_from(struct slice s, size_t offset);	/* the rest from OFFSET on */
bool slice_take(struct slice *s, const char *word);	/* takes WORD off; false: it is not there */

/* Takes the next line, word or piece off *REST. False, and an empty one, at the end of *REST. */
bool slice_line(struct slice *rest, struct slice *line);	/* without its end, \n or \r\n */
bool slice_word(struct slice *rest, struct slice *word);	/* between blanks */
bool slice_piece(struct slice *rest, char delimiter, struct slice *piece);
/* The same with a delimiter of any length, at least 1. */
bool slice_part(struct slice *rest, struct slice delimiter, struct slice *part);

/*
 * Splits a line of a table at DELIMITER, or at blanks if that is empty; a delimiter at the very end
 * closes the last cell. Returns the number of cells; the first MAX of them are in CELLS. Those that
 * LINE does not have are empty, at its end.
 */
size_t slice_cells(struct slice line, struct slice delimiter, struct slice *cells, size_t max);
#define SLICE_BLANKS ((struct slice){ "", 0 })
/* The column of the header's COUNT titles that is TITLE, exactly; COUNT if there is none. */
size_t slice_column(const struct slice *titles, size_t count, const char *title);

/* True for "", "(null)", "N/A": Slurm's ways to print nothing. */
bool slice_absent(struct slice s);

/* Digits; UNLIMITED and INFINITE give U32_INFINITE; a final K, M or G multiplies by 1024. */
bool slice_u32(struct slice s, uint32_t *value);
bool slice_i64(struct slice s, int64_t *value);
/* Decimal, with or without exponent; "inf". */
bool slice_f64(struct slice s, double *value);
/* Size of the last digit: 0.01 for "12.34", 1 for "12", 1000 for "1.2e4". */
double slice_quantum(struct slice s);
bool slice_bool(struct slice s, bool *value);		/* yes no true false 1 0 */

/* [days-]hours:minutes:seconds, minutes:seconds, minutes; UNLIMITED gives I64_INFINITE. */
bool slice_duration(struct slice s, int64_t *seconds);

/* 2026-11-20T03:50:28 in this process's time zone. */
bool slice_time(struct slice s, int64_t *time);

/* Splits "alice(7131)"; without a number in brackets NUMBER becomes U32_UNKNOWN. */
void slice_numbered(struct slice s, struct slice *name, uint32_t *number);

#endif
