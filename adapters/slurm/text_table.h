/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_table: reads the tables that Slurm's commands print row by row; columns are found by the
 * names in the header.
 *
 * The header shows which of three forms a table has:
 *	delimited	"Account|User|RawShares" (-p, -P, or a format with "|"), cells padded or
 *			not; the header shows the delimiter (--delimiter=';')
 *	ruled		dashes under the header give the width of each column (sshare, sacctmgr)
 *	aligned		header and cells end, or begin, in the same column (squeue, sprio)
 * What people paste around a table is skipped: a banner or a prompt before the header, messages
 * from standard error, a prompt behind it and the output of another command after that.
 *
 * Cells are slices of the text. Errors are ERR_INPUT, "NAME:LINE: what was expected".
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_TEXT_TABLE_H
#define FAIRTOP_ADAPTERS_SLURM_TEXT_TABLE_H

#include "adapters/slurm/slurm_text.h"
#include "adapters/slice.h"

#define TABLE_COLUMNS_MAX 128
#define TABLE_NO_COLUMN SIZE_MAX

enum table_form { TABLE_DELIMITED, TABLE_RULED, TABLE_ALIGNED };

struct text_table {
	const struct slurm_text *text;
	enum table_form form;
	const char *first;		/* the title that must be among the columns */
	size_t key;			/* its column */
	struct slice delimiter;		/* delimited */
	bool jobs;			/* FIRST is JOBID: rows begin with a number in it */
	bool away;			/* behind a prompt: no rows until the next header */
	uint32_t headers;		/* number read; tables of jobs may have several */
	struct slice header;		/* the line */
	struct slice remark;		/* the first line that was skipped; empty: none */
	bool words;			/* aligned: no cell contains a blank, so cells are words */
	bool ends_right;		/* aligned: cells end where the header's words end */
	size_t columns;
	struct slice title[TABLE_COLUMNS_MAX];	/* trimmed */
	struct slice raw_title[TABLE_COLUMNS_MAX];
	size_t start[TABLE_COLUMNS_MAX], width[TABLE_COLUMNS_MAX];	/* ruled, aligned */
	struct slice cell[TABLE_COLUMNS_MAX];	/* of the current row, untrimmed */
	struct slice row;		/* the current line */
	uint32_t line;			/* its number, from 1 */
	struct slice rest;		/* the unread rest */
};

/*
 * Finds the header of TEXT: the first line with FIRST ("Account") as a title of its own. WORDS: the
 * cells of an aligned table contain no blanks.
 */
bool table_open(struct text_table *t, const struct slurm_text *text, const char *first, bool words,
		struct err *err);

enum table_row {
	TABLE_ROW,		/* cell[] holds the next row */
	TABLE_BAD_ROW,		/* does not fit the header, err says why; the next row may */
	TABLE_END
};
enum table_row table_next(struct text_table *t, struct err *err);

/* The Nth column (from 0) named TITLE, case ignored; TABLE_NO_COLUMN if there is none. */
size_t table_column(const struct text_table *t, const char *title, size_t nth);

/* The trimmed cell; empty for TABLE_NO_COLUMN. */
struct slice table_cell(const struct text_table *t, size_t column);

/*
 * Is the cell cut? Cut names end in "+" and fill a ruled column; other cells may be cut if they
 * fill a padded one.
 */
bool table_is_cut(const struct text_table *t, size_t column);

/* Counts leading blanks of the cell; false if the column is not left-aligned. */
bool table_indent(const struct text_table *t, size_t column, size_t *blanks);

#endif
