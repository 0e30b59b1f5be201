/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the snapshot reader.
 *
 *	reader.c	bytes into lines, what kind of line, the end
 *	reader_head.c	the first line with the policy, and the last
 *	reader_rows.c	a row of a table, by the fields table
 *	reader_say.c	below them: what is wrong with a line, and keys that nobody knows
 *
 * Functions return false with err set. Whoever finds a mistake says it with reader_error(), which
 * knows the line; the text begins with where in the line: "assoc: \"shares\": ...".
 */
#ifndef FAIRTOP_ADAPTERS_SNAPSHOT_READER_H
#define FAIRTOP_ADAPTERS_SNAPSHOT_READER_H

#include "adapters/snapshot/pull.h"
#include "adapters/snapshot/snapshot.h"
#include "core/cluster/idmap.h"

/* Distinct warnings that are kept; keys beyond are only counted. */
#define WARNINGS_MAX 20
/* Unknown keys of one object that are looked at for repetition. */
#define STRANGERS_MAX 64

struct warning {
	char what[80];		/* "unknown key \"colour\" of assoc" */
	uint32_t line;		/* first seen */
	uint32_t times;
};

/* A value of one row, checked and waiting to be set. */
struct cell {
	enum field field;
	union {
		uint32_t u32;
		int64_t i64;
		double f64;
		bool boolean;
		struct {
			const char *bytes;
			size_t length;
		} text;
		struct {
			uint32_t first, count;	/* in items or strings of the reader */
		} list;
	};
};

/* A key of the JSON as the fields table has it: the part of a name behind its dot, or all of it. */
struct leaf {
	const char *name;
	size_t length;
	int group;		/* the first field of the same group, F_COUNT without one */
};

/* Texts that were there, a bit for each by its handle. */
struct seen {
	uint8_t *bits;
	size_t bytes;
};

struct snapshot_reader {
	struct builder *builder;
	struct cluster_meta meta;	/* of the first line, texts owned by the builder */

	/* bytes */
	char *buffer;		/* capacity + 1 */
	size_t capacity, used;
	size_t searched;	/* that much of the rest has no line end */
	uint32_t line;
	bool head_seen, end_seen;
	const char *foreign;	/* appended to what is wrong with this line; may be "" */
	enum table table;	/* of the last row: most likely that of the next one */

	/* the line under way */
	struct pull pull;
	struct cell cells[F_COUNT];
	uint32_t cell_count;
	struct tres_item *items;
	size_t item_count, item_capacity;
	const char **strings;
	size_t string_count, string_capacity;
	struct pull_value strangers[STRANGERS_MAX];
	uint32_t stranger_count, stranger_first;	/* of the innermost object */

	/* fields */
	struct leaf leaves[F_COUNT];
	uint32_t stamp[F_COUNT];	/* line on which the field was last seen */
	uint32_t tres_stamp[SNAPSHOT_TRES_MAX];
	uint32_t tres_serial;
	uint16_t first[TABLE_COUNT + 1];	/* table_first_field() of each table */
	uint16_t follows[F_COUNT];	/* the field that came after this one, last time */
	uint32_t group_stamp[F_COUNT];	/* as stamp, of groups by their first field */

	/* what must be unique */
	struct idmap ids[TABLE_COUNT];
	struct seen names[TABLE_COUNT];
	uint32_t counts[TABLE_COUNT];

	struct warning warnings[WARNINGS_MAX];
	uint32_t warning_count, warnings_lost;
};

bool reader_error(struct snapshot_reader *r, struct err *err, const char *format, ...)
	ERR_PRINTF(3, 4);
bool reader_syntax(struct snapshot_reader *r, struct err *err);	/* the pull parser's problem */

/* "expected EXPECTED, found a string" for KEY of WHERE; PULL_ERROR gives the syntax problem. */
bool reader_wrong_type(struct snapshot_reader *r, struct err *err, const char *where,
		       const char *key, const char *expected, enum pull_kind found);

/*
 * KEY of object WHERE is not known: warns, reads over its value, refuses it twice. Whoever reads
 * an object enters it before its first key and leaves it after its last.
 */
uint32_t reader_enter(struct snapshot_reader *r);
void reader_leave(struct snapshot_reader *r, uint32_t entered);
bool reader_stranger(struct snapshot_reader *r, const char *where, const struct pull_value *key,
		     struct err *err);

/* Something to be told once the whole is read, under the line that it was first seen on. */
void reader_warn(struct snapshot_reader *r, const char *what);
void reader_note_warnings(struct snapshot_reader *r);

/* Each reads on behind the key that says what the line is. */
bool reader_head(struct snapshot_reader *r, struct err *err);
bool reader_row(struct snapshot_reader *r, enum table table, struct err *err);
bool reader_tail(struct snapshot_reader *r, struct err *err);

void reader_fields_init(struct snapshot_reader *r);

#endif
