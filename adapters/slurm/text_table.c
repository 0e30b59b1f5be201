/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/text_table.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool only_blanks(struct slice s)
{
	return slice_trim(s).length == 0;
}

static bool is_rule(struct slice s)
{
	struct slice word, rest = s;
	bool any = false;

	while (slice_word(&rest, &word)) {
		for (size_t i = 0; i < word.length; i++) {
			if (word.at[i] != '-')
				return false;
		}
		any = true;
	}
	return any;
}

static bool table_fail(const struct text_table *t, struct err *err, const char *what)
{
	return err_set_line(err, ERR_INPUT, t->line, "%s:%u: %s", t->text->name, (unsigned)t->line,
			    what);
}

static bool too_wide(const struct text_table *t, struct err *err)
{
	return table_fail(t, err, "more than 128 columns");
}

/*
 * Splits S at '|' into CELLS; a delimiter at the very end closes the last cell. False if there
 * are too many.
 */
static bool split(struct slice s, struct slice *cells, size_t *count)
{
	bool more = true;

	*count = 0;
	if (s.length > 0 && s.at[s.length - 1] == '|')
		s.length--;
	while (more) {
		const char *end = s.length > 0 ? memchr(s.at, '|', s.length) : NULL;

		if (*count == TABLE_COLUMNS_MAX)
			return false;
		more = end != NULL;
		cells[*count] = (struct slice){ s.at, end ? (size_t)(end - s.at) : s.length };
		s = slice_from(s, cells[*count].length + 1);
		(*count)++;
	}
	return true;
}

/* Column places out of the line of dashes. */
static bool read_rule(struct text_table *t, struct slice rule, struct slice header)
{
	struct slice word, rest = rule;

	while (slice_word(&rest, &word)) {
		size_t start = (size_t)(word.at - rule.at);
		struct slice title = slice_from(header, start);

		if (t->columns == TABLE_COLUMNS_MAX)
			return false;
		if (title.length > word.length)
			title.length = word.length;
		t->start[t->columns] = start;
		t->width[t->columns] = word.length;
		t->raw_title[t->columns++] = title;
	}
	return true;
}

static bool read_words(struct text_table *t, struct slice header)
{
	struct slice word, rest = header;

	while (slice_word(&rest, &word)) {
		if (t->columns == TABLE_COLUMNS_MAX)
			return false;
		t->start[t->columns] = (size_t)(word.at - header.at);
		t->width[t->columns] = word.length;
		t->raw_title[t->columns++] = word;
	}
	return true;
}

static bool read_header(struct text_table *t, struct slice header, struct err *err)
{
	struct slice rest = t->rest, rule;

	if (memchr(header.at, '|', header.length)) {
		t->form = TABLE_DELIMITED;
		if (!split(header, t->raw_title, &t->columns))
			return too_wide(t, err);
	} else if (slice_line(&rest, &rule) && is_rule(rule)) {
		t->form = TABLE_RULED;
		t->rest = rest;
		if (!read_rule(t, rule, header))
			return too_wide(t, err);
		t->line++;
	} else {
		t->form = TABLE_ALIGNED;
		t->ends_right = is_blank(header.at[0]);
		if (!read_words(t, header))
			return too_wide(t, err);
	}
	for (size_t i = 0; i < t->columns; i++)
		t->title[i] = slice_trim(t->raw_title[i]);
	return true;
}

bool table_open(struct text_table *t, const struct slurm_text *text, const char *first, bool words,
		struct err *err)
{
	struct slice header;

	memset(t, 0, sizeof(*t));
	t->text = text;
	t->words = words;
	t->rest = (struct slice){ text->text, text->length };
	do {
		if (!slice_line(&t->rest, &header))
			return err_set_line(err, ERR_INPUT, t->line,
					    "%s: empty (expected a header line with \"%s\")",
					    text->name, first);
		t->line++;
	} while (only_blanks(header));
	if (!read_header(t, header, err))
		return false;
	if (table_column(t, first, 0) == TABLE_NO_COLUMN)
		return err_set_line(err, ERR_INPUT, t->line,
				    "%s:%u: no column \"%s\" (expected the command's header line; "
				    "was it run with -h or -n?)",
				    text->name, (unsigned)t->line, first);
	return true;
}

static bool delimited_row(struct text_table *t)
{
	size_t count;

	if (!split(t->row, t->cell, &count))
		return false;
	/*
	 * A header that ends in a delimiter has one column less than delimiters, and so has the
	 * row.
	 */
	if (count + 1 == t->columns && t->row.length > 0 && t->row.at[t->row.length - 1] == '|')
		t->cell[count++] = slice_from(t->row, t->row.length);
	return count == t->columns;
}

/*
 * Numbers that do not fit widen their column and push the rest of the row to the right; texts are
 * cut and never do.
 */
static bool ruled_row(struct text_table *t)
{
	size_t shift = 0;

	for (size_t i = 0; i < t->columns; i++) {
		struct slice rest = slice_from(t->row, t->start[i] + shift);
		size_t length = rest.length < t->width[i] ? rest.length : t->width[i];

		if (i + 1 < t->columns) {
			while (length < rest.length && !is_blank(rest.at[length])) {
				length++;
				shift++;
			}
		}
		t->cell[i] = (struct slice){ rest.at, length };
	}
	return true;
}

/* Words under the titles they line up with, at their beginning or their end. */
static bool lined_row(struct text_table *t)
{
	struct slice rest = t->row, word;
	size_t column = 0;

	for (size_t i = 0; i < t->columns; i++)
		t->cell[i] = (struct slice){ "", 0 };
	while (slice_word(&rest, &word)) {
		size_t from = (size_t)(word.at - t->row.at), to = from + word.length;

		while (column < t->columns && t->start[column] != from &&
		       t->start[column] + t->width[column] != to)
			column++;
		if (column == t->columns)
			return false;
		t->cell[column++] = word;
	}
	return true;
}

/* As many words as titles: one for each. */
static bool word_row(struct text_table *t)
{
	struct slice rest = t->row, word;
	size_t count = 0;

	while (slice_word(&rest, &word)) {
		if (count == t->columns)
			return false;
		t->cell[count++] = word;
	}
	return count == t->columns;
}

/* Where the cells of an aligned row begin and end, by the header's words. */
static bool placed_row(struct text_table *t)
{
	size_t from = 0;

	for (size_t i = 0; i < t->columns; i++) {
		bool last = i + 1 == t->columns;
		size_t to = last ? t->row.length
				 : t->ends_right ? t->start[i] + t->width[i] : t->start[i + 1] - 1;

		if (to > t->row.length)
			to = t->row.length;
		if (to < t->row.length && !last && !is_blank(t->row.at[to]))
			return false;
		t->cell[i] = slice_from(t->row, from);
		t->cell[i].length = to > from ? to - from : 0;
		from = to + 1;
	}
	return true;
}

static bool aligned_row(struct text_table *t)
{
	if (t->words)
		return word_row(t) || lined_row(t);
	return placed_row(t) || word_row(t);
}

enum table_row table_next(struct text_table *t, struct err *err)
{
	bool good;

	do {
		if (!slice_line(&t->rest, &t->row))
			return TABLE_END;
		t->line++;
	} while (only_blanks(t->row));
	if (t->form == TABLE_DELIMITED)
		good = delimited_row(t);
	else if (t->form == TABLE_RULED)
		good = ruled_row(t);
	else
		good = aligned_row(t);
	if (good)
		return TABLE_ROW;
	err_set_line(err, ERR_INPUT, t->line,
		     "%s:%u: the row does not fit the header (expected %zu columns)", t->text->name,
		     (unsigned)t->line, t->columns);
	return TABLE_BAD_ROW;
}

size_t table_column(const struct text_table *t, const char *title, size_t nth)
{
	for (size_t i = 0; i < t->columns; i++) {
		if (slice_same(t->title[i], title) && nth-- == 0)
			return i;
	}
	return TABLE_NO_COLUMN;
}

struct slice table_cell(const struct text_table *t, size_t column)
{
	if (column == TABLE_NO_COLUMN)
		return (struct slice){ "", 0 };
	return slice_trim(t->cell[column]);
}

bool table_is_cut(const struct text_table *t, size_t column)
{
	struct slice cell;

	if (column == TABLE_NO_COLUMN)
		return false;
	cell = t->cell[column];
	if (cell.length == 0 || is_blank(cell.at[cell.length - 1]))
		return false;
	if (t->form == TABLE_RULED)
		return cell.length >= t->width[column] && cell.at[cell.length - 1] == '+';
	if (t->form == TABLE_DELIMITED)
		return cell.length == t->raw_title[column].length &&
		       t->raw_title[column].length > t->title[column].length;
	/* Between the ends of two titles there is room for this column and the blank before it. */
	if (!t->ends_right || column == 0 || column + 1 == t->columns || is_blank(cell.at[0]))
		return false;
	return cell.length + 1 == t->start[column] + t->width[column] - t->start[column - 1] -
					 t->width[column - 1];
}

bool table_indent(const struct text_table *t, size_t column, size_t *blanks)
{
	struct slice cell = t->cell[column];

	if (t->form == TABLE_ALIGNED ||
	    (t->form == TABLE_RULED && t->raw_title[column].length > 0 &&
	     is_blank(t->raw_title[column].at[0])))
		return false;
	*blanks = 0;
	while (*blanks < cell.length && is_blank(cell.at[*blanks]))
		(*blanks)++;
	return true;
}
