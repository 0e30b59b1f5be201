/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the snapshot reader.
 *
 *	reader.c	bytes to lines, the kind of a line, the end
 *	reader_head.c	the first line with the policy, and the last
 *	reader_rows.c	a row of a table, by the fields table
 *	reader_say.c	used by these: errors of a line, and unknown keys
 *
 * Functions return false with err set. Errors are set by reader_error(), which knows the line; the
 * text begins with the place in the line: "assoc: \"shares\": ...".
 */
#ifndef FAIRTOP_ADAPTERS_SNAPSHOT_READER_H
#define FAIRTOP_ADAPTERS_SNAPSHOT_READER_H

#include "adapters/snapshot/snapshot.h"
#include "core/base/json_pull.h"
#include "core/cluster/idmap.h"

/* Distinct warnings kept; further keys are only counted. */
#define WARNINGS_MAX 20
/* Unknown keys of one object that are checked for repetition. */
#define STRANGERS_MAX 64

struct warning {
	char what[80];		/* "unknown key \"colour\" of assoc" */
	uint32_t line;		/* where first seen */
	uint32_t times;
};

/* A value of one row, checked but not yet set. */
struct snapshot_cell {
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

/* A JSON key of the fields table: the part of a name behind its dot, or all of it. */
struct leaf {
	const char *name;
	size_t length;
	int group;		/* the first field of the same group, F_COUNT without one */
};

/* A set of texts, one bit per handle. */
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
	size_t searched;	/* so many bytes of the rest have no line end */
	uint32_t line;
	bool head_seen, end_seen;
	const char *foreign;	/* appended to an error of this line; may be "" */
	enum table table;	/* of the last row: most likely also of the next */

	/* the line under way */
	struct pull pull;
	struct snapshot_cell cells[F_COUNT];
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
	uint16_t follows[F_COUNT];	/* the field that came next, last time */
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
 * An unknown KEY of object WHERE: warns, skips its value, refuses it if repeated. Code that reads
 * an object enters it before its first key and leaves it after its last.
 */
uint32_t reader_enter(struct snapshot_reader *r);
void reader_leave(struct snapshot_reader *r, uint32_t entered);
bool reader_stranger(struct snapshot_reader *r, const char *where, const struct pull_value *key,
		     struct err *err);

/* Keeps a warning, with the line it was first seen on, for reader_note_warnings() at the end. */
void reader_warn(struct snapshot_reader *r, const char *what);
void reader_note_warnings(struct snapshot_reader *r);

/* Each continues behind the key that names the kind of line. */
bool reader_head(struct snapshot_reader *r, struct err *err);
bool reader_row(struct snapshot_reader *r, enum table table, struct err *err);
bool reader_tail(struct snapshot_reader *r, struct err *err);

void reader_fields_init(struct snapshot_reader *r);

#endif
