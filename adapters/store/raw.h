/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * raw: a recording's tables row by row, as stored, for copying them elsewhere and back: the tables
 * of the schema that the file has, with those columns whose names are [a-z0-9_]+; their meaning is
 * not examined. A row belongs to the sample in its table's column `version`, `sample` or `id`.
 * Words have their own numbers: none is changed or deleted, new ones have larger numbers. Other
 * tables (facts, gaps) are read and written as a whole.
 *
 * Errors are ERR_INPUT and do not name the file.
 */
#ifndef FAIRTOP_ADAPTERS_STORE_RAW_H
#define FAIRTOP_ADAPTERS_STORE_RAW_H

#include "adapters/store/store.h"

/*
 * The declared type of a column in present files; any class of value may occur in it. RAW_ANY:
 * texts, or the numbers of words instead.
 */
enum raw_type { RAW_INTEGERS, RAW_REALS, RAW_TEXTS, RAW_BLOBS, RAW_ANY };

enum raw_class { RAW_NULL, RAW_INTEGER, RAW_REAL, RAW_TEXT, RAW_BLOB };

struct raw_value {
	enum raw_class class;
	int64_t integer;
	double real;
	const char *bytes;		/* of text and blob; borrowed */
	size_t length;
};

#define RAW_NAME_MAX 64
#define RAW_COLUMNS_MAX 256

struct raw_column {
	char name[RAW_NAME_MAX];
	enum raw_type type;
	bool needed;			/* NOT NULL, or part of the key */
	int key;			/* its place in the primary key, from 1; 0: not in it */
};

struct raw_table {
	char name[RAW_NAME_MAX];
	struct raw_column columns[RAW_COLUMNS_MAX];
	size_t count;
	int by;				/* the column with the sample or word; -1: none */
	bool samples;			/* it is a sample, not a word */
	int shift;			/* the sample is the value shifted right by so many bits */
};

#define RAW_SAMPLE_MAX (INT64_MAX >> 25)	/* the largest sample number */

struct raw;

/* Opens for reading; facts may be set. */
struct raw *raw_open(const char *path, struct err *err);

/*
 * Opens for writing: creates the file with all tables if necessary; empties one of another schema.
 */
struct raw *raw_open_copy(const char *path, struct err *err);
void raw_close(struct raw *r);		/* NULL is fine */

const struct raw_table *raw_tables(const struct raw *r, size_t *count);

/* The table NAME among TABLES, NULL if there is none; the column NAME of T, else T->count. */
const struct raw_table *raw_table(const struct raw_table *tables, size_t count, const char *name);
size_t raw_column(const struct raw_table *t, const char *name);

/* Until raw_end() all is read or written in one transaction. A copy has one writer at a time. */
bool raw_begin(struct raw *r, struct err *err);
bool raw_end(struct raw *r, bool keep, struct err *err);

/* Were tables or columns added since they were listed? They are then listed again. */
bool raw_is_renewed(const struct raw *r);

/* First and last sample, and the last word; 0 where there is none. */
void raw_samples(struct raw *r, int64_t *first, int64_t *last);
int64_t raw_words(struct raw *r);

/* A number that changes with every transaction of others. */
int64_t raw_stamp(struct raw *r);

/*
 * Reads the rows of samples (words) FIRST to LAST, in their order; all rows if the table has
 * neither. VALUES are in the order of its columns.
 */
typedef bool raw_row(void *context, const struct raw_table *t, const struct raw_value *values,
		     struct err *err);
bool raw_read(struct raw *r, const struct raw_table *t, int64_t first, int64_t last, raw_row *row,
	      void *context, struct err *err);

/* For a copy: deletes those rows, and adds one. */
bool raw_remove(struct raw *r, const struct raw_table *t, int64_t first, int64_t last,
		struct err *err);
bool raw_add(struct raw *r, const struct raw_table *t, const struct raw_value *values,
	     struct err *err);

/*
 * A fact about the copying itself, in the table `recording` under a name that begins with "copy_":
 * such rows are not read, not deleted, and not copied. "" if there is none.
 */
#define RAW_FACT_MAX 80
void raw_fact(struct raw *r, const char *name, char text[RAW_FACT_MAX]);
bool raw_set_fact(struct raw *r, const char *name, const char *text, struct err *err);

#endif
