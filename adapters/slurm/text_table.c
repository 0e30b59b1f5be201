/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/text_table.h"

#include <string.h>

#include "adapters/pasted.h"
#include "core/base/word.h"

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

/* ---- the delimiter ------------------------------------------------------------------------- */

static bool table_is_title_char(char c)
{
	return word_is_digit(c) || (word_lower(c) >= 'a' && word_lower(c) <= 'z') ||
	       (c && strchr("_()/.-%:='\"", c));
}

/* Position of TITLE in LINE as a word of its own; SIZE_MAX if not found. */
static size_t find_title(struct slice line, const char *title)
{
	size_t length = strlen(title);

	for (size_t i = 0; i + length <= line.length; i++) {
		if (word_lower(line.at[i]) == word_lower(title[0]) &&
		    slice_same((struct slice){ line.at + i, length }, title) &&
		    (i == 0 || !table_is_title_char(line.at[i - 1])) &&
		    (i + length == line.length || !table_is_title_char(line.at[i + length])))
			return i;
	}
	return SIZE_MAX;
}

/*
 * The delimiter between the title at AT, of LENGTH bytes, and its neighbour in HEADER: "|", or that
 * of --delimiter or a format (";", ",", a tab, several bytes). Empty: blanks.
 */
static struct slice find_delimiter(struct slice header, size_t at, size_t length)
{
	struct slice before = slice_trim((struct slice){ header.at, at });
	struct slice after = slice_trim(slice_from(header, at + length));
	size_t n = 0;

	if (memchr(header.at, '|', header.length))
		return slice_of("|");
	if (memchr(header.at, '\t', header.length))
		return slice_of("\t");
	while (n < after.length && !table_is_title_char(after.at[n]) &&
	       !slice_is_blank(after.at[n]))
		n++;
	if (after.length > 0)
		return (struct slice){ after.at, n };
	while (n < before.length && !table_is_title_char(before.at[before.length - n - 1]) &&
	       !slice_is_blank(before.at[before.length - n - 1]))
		n++;
	return slice_from(before, before.length - n);
}

/* ---- the header ---------------------------------------------------------------------------- */

/* Splits LINE, the header or the dashes below it, into columns. */
static bool split_columns(struct text_table *t, struct slice line)
{
	t->columns = slice_cells(line, t->delimiter, t->raw_title, TABLE_COLUMNS_MAX);
	for (size_t i = 0; i < t->columns && i < TABLE_COLUMNS_MAX; i++) {
		t->start[i] = (size_t)(t->raw_title[i].at - line.at);
		t->width[i] = t->raw_title[i].length;
	}
	return t->columns <= TABLE_COLUMNS_MAX;
}

/* Reads the positions of the columns from the line of dashes. */
static bool read_rule(struct text_table *t, struct slice rule)
{
	if (!split_columns(t, rule))
		return false;
	for (size_t i = 0; i < t->columns; i++) {
		t->raw_title[i] = slice_from(t->header, t->start[i]);
		if (t->raw_title[i].length > t->width[i])
			t->raw_title[i].length = t->width[i];
	}
	return true;
}

/* Reads the columns of the header; its title FIRST is at AT, the next line at t->rest. */
static bool read_columns(struct text_table *t, size_t at)
{
	struct slice header = t->header, rest = t->rest, rule;

	t->delimiter = find_delimiter(header, at, strlen(t->first));
	if (t->delimiter.length > 0) {
		t->form = TABLE_DELIMITED;
		return split_columns(t, header);
	}
	if (slice_line(&rest, &rule) && is_rule(rule)) {
		t->form = TABLE_RULED;
		t->rest = rest;
		t->line++;
		return read_rule(t, rule);
	}
	t->form = TABLE_ALIGNED;
	t->ends_right = slice_is_blank(header.at[0]);
	return split_columns(t, header);
}

/*
 * Is HEADER, which contains the title, a header and not a line about one? Titles begin with a
 * capital letter; a format of squeue may add other texts, but no more than there are titles.
 */
static bool is_plausible(const struct text_table *t)
{
	size_t others = 0;

	for (size_t i = 0; i < t->columns; i++) {
		char c = t->title[i].length > 0 ? t->title[i].at[0] : 'A';

		others += word_is_digit(c) || (c >= 'a' && c <= 'z');
	}
	if (t->form == TABLE_RULED)
		return true;
	return t->form == TABLE_DELIMITED ? others == 0 : 4 * others <= t->columns;
}

/* Reads the columns of LINE if it is a header; else T is unchanged. */
static bool table_read_header(struct text_table *t, struct slice line)
{
	size_t at = find_title(line, t->first);
	struct text_table new;

	if (at == SIZE_MAX || pasted_is_prompt(line))
		return false;
	new = (struct text_table){ .text = t->text, .first = t->first, .words = t->words,
				   .jobs = t->jobs, .headers = t->headers + 1, .header = line,
				   .remark = t->remark, .line = t->line, .rest = t->rest };
	if (!read_columns(&new, at))
		return false;
	for (size_t i = 0; i < new.columns; i++)
		new.title[i] = slice_trim(new.raw_title[i]);
	new.key = table_column(&new, t->first, 0);
	if (new.key == TABLE_NO_COLUMN || !is_plausible(&new))
		return false;
	*t = new;
	return true;
}

static void table_pass_over(struct text_table *t, struct slice line)
{
	if (t->remark.length == 0)
		t->remark = line;
}

bool table_open(struct text_table *t, const struct slurm_text *text, const char *first, bool words,
		struct err *err)
{
	struct slice line, top = { "", 0 };
	uint32_t top_line = 0;

	memset(t, 0, sizeof(*t));
	t->text = text;
	t->first = first;
	t->words = words;
	t->jobs = strcmp(first, "JOBID") == 0;
	t->rest = (struct slice){ text->text, text->length };
	while (slice_line(&t->rest, &line)) {
		t->line++;
		if (only_blanks(line))
			continue;
		if (table_read_header(t, line))
			return true;
		if (pasted_is_remark(line))
			table_pass_over(t, line);
		if (top_line == 0) {
			top = line;
			top_line = t->line;
		}
	}
	if (top_line == 0)
		return err_about(err, ERR_INPUT, text->name,
				 "empty (expected a header line with \"%s\")", first);
	err_set(err, ERR_INPUT, "no column \"%s\" in \"%.*s\" or below (expected the header line "
		"of %s; was it run with -h or -n?)", first, SLICE_PRINT(top),
		slurm_dir_command(text->name));
	return err_at(err, text->name, top_line);
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool delimited_row(struct text_table *t)
{
	size_t count = slice_cells(t->row, t->delimiter, t->cell, t->columns);

	/*
	 * If a header ends in a delimiter, it has one column less than delimiters, and so has the
	 * row.
	 */
	if (count + 1 == t->columns && slice_ends(t->row, t->delimiter))
		t->cell[count++] = slice_from(t->row, t->row.length);
	return count == t->columns;
}

/*
 * Numbers that do not fit widen their column and push the rest of the row to the right; texts are
 * cut instead.
 */
static bool ruled_row(struct text_table *t)
{
	size_t shift = 0;

	for (size_t i = 0; i < t->columns; i++) {
		struct slice rest = slice_from(t->row, t->start[i] + shift);
		size_t length = rest.length < t->width[i] ? rest.length : t->width[i];

		if (i + 1 < t->columns) {
			while (length < rest.length && !slice_is_blank(rest.at[length])) {
				length++;
				shift++;
			}
		}
		t->cell[i] = (struct slice){ rest.at, length };
		/* A number that does not reach the end of its column is cut. */
		if (length > 0 && length < t->width[i] && slice_is_blank(t->raw_title[i].at[0]) &&
		    !slice_is_blank(rest.at[length - 1]))
			return false;
	}
	return true;
}

/* Reads words by the titles they are aligned with, at the beginning or the end. */
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

/* Reads a row with as many words as titles: one for each. */
static bool word_row(struct text_table *t)
{
	return slice_cells(t->row, SLICE_BLANKS, t->cell, t->columns) == t->columns;
}

/* The start and end of the cells of an aligned row, by the header's words. */
static bool placed_row(struct text_table *t)
{
	size_t from = 0;

	for (size_t i = 0; i < t->columns; i++) {
		bool last = i + 1 == t->columns;
		size_t to = last ? t->row.length
				 : t->ends_right ? t->start[i] + t->width[i] : t->start[i + 1] - 1;

		if (to > t->row.length)
			to = t->row.length;
		if (to < t->row.length && !last && !slice_is_blank(t->row.at[to]))
			return false;
		t->cell[i] = slice_from(t->row, from);
		t->cell[i].length = to > from ? to - from : 0;
		from = to + 1;
	}
	return true;
}

/*
 * Does the row begin under the first title and continue behind it? A folded or cut line may have as
 * many words as there are titles, and the first digits of a number are a number.
 */
static bool begins_well(const struct text_table *t)
{
	struct slice rest = t->row, word;
	size_t from, to, end = t->start[0] + t->width[0];

	if (!slice_word(&rest, &word) || (t->columns > 1 && slice_trim(rest).length == 0))
		return false;
	from = (size_t)(word.at - t->row.at);
	to = from + word.length;
	return !t->ends_right || from == t->start[0] || to == end || (from == 0 && to > end);
}

static bool aligned_row(struct text_table *t)
{
	if (!begins_well(t))
		return false;
	if (t->words)
		return word_row(t) || lined_row(t);
	return placed_row(t) || word_row(t);
}

static bool split_row(struct text_table *t)
{
	if (t->form == TABLE_DELIMITED)
		return delimited_row(t);
	return t->form == TABLE_RULED ? ruled_row(t) : aligned_row(t);
}

/*
 * Is this line, which fits the header, certainly a row? Others may be remarks that fit by chance.
 */
static bool is_certain(const struct text_table *t)
{
	struct slice id;

	if (!t->jobs)
		return t->form == TABLE_DELIMITED && t->columns > 1 &&
		       !slice_equal(t->row, t->header);
	id = table_cell(t, t->key);
	return id.length > 0 && word_is_digit(id.at[0]);
}

/*
 * Is the line not part of the table: a remark, a prompt, another header? After a prompt comes the
 * output of another command: a further table of jobs is read, but there is only one tree.
 */
static bool table_is_aside(struct text_table *t)
{
	if (pasted_is_prompt(t->row)) {
		table_pass_over(t, t->row);
		t->away = true;
		return true;
	}
	if (slice_equal(t->row, t->header) || (t->jobs && table_read_header(t, t->row)))
		return true;
	/* A line with a | is a row that does not fit. */
	if (!pasted_is_remark(t->row) ||
	    (slice_is(t->delimiter, "|") && memchr(t->row.at, '|', t->row.length)))
		return t->away;
	table_pass_over(t, t->row);
	return true;
}

enum table_row table_next(struct text_table *t, struct err *err)
{
	bool good;

	do {
		if (!slice_line(&t->rest, &t->row))
			return TABLE_END;
		t->line++;
		if (only_blanks(t->row))
			continue;
		good = split_row(t);
		if (good && !t->away && is_certain(t))
			return TABLE_ROW;
		if (table_is_aside(t))
			continue;
		if (good)
			return TABLE_ROW;
		err_set(err, ERR_INPUT, "the row does not match the header (expected %zu columns)",
			t->columns);
		err_at(err, t->text->name, t->line);
		return TABLE_BAD_ROW;
	} while (true);
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
	if (cell.length == 0 || slice_is_blank(cell.at[cell.length - 1]))
		return false;
	if (t->form == TABLE_RULED)
		return cell.length >= t->width[column] && cell.at[cell.length - 1] == '+';
	if (t->form == TABLE_DELIMITED)
		return cell.length == t->raw_title[column].length &&
		       t->raw_title[column].length > t->title[column].length;
	/* The column and the blank before it must fit between the ends of two titles. */
	if (!t->ends_right || column == 0 || column + 1 == t->columns || slice_is_blank(cell.at[0]))
		return false;
	return cell.length + 1 == t->start[column] + t->width[column] - t->start[column - 1] -
					 t->width[column - 1];
}

bool table_indent(const struct text_table *t, size_t column, size_t *blanks)
{
	struct slice cell = t->cell[column];

	if (t->form == TABLE_ALIGNED ||
	    (t->form == TABLE_RULED && t->raw_title[column].length > 0 &&
	     slice_is_blank(t->raw_title[column].at[0])))
		return false;
	*blanks = 0;
	while (*blanks < cell.length && slice_is_blank(cell.at[*blanks]))
		(*blanks)++;
	return true;
}
