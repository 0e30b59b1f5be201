/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rebuild: reads a whole cluster at a sample, and the parts of it that walk.c needs from one sample
 * to the next.
 *
 * One module of several files: rebuild sums
 */
#ifndef FAIRTOP_ADAPTERS_STORE_REBUILD_H
#define FAIRTOP_ADAPTERS_STORE_REBUILD_H

#include "adapters/store/private.h"

#define SAMPLE_MAX (INT64_C(1) << 38)	/* version numbers must fit into 64 bits */

/* The rows of a table, in the order of the builder. */
struct rebuilt {
	struct tracked t;
	size_t capacity[4];
	struct idmap objects;		/* object to row in reading order, until they are sorted */
};

struct rebuilding {
	struct db *db;
	int64_t sample;
	uint32_t needs;
	struct builder *b;
	struct cell_reader *cells;
	struct idmap gone;
	struct rebuilt tables[TABLE_COUNT];
	struct err *err;
};

/* ERR_INPUT: the file is damaged at WHAT. Always returns false. */
bool rebuild_damaged(struct err *err, const char *what);

/* Do NEEDS require the table? */
bool rebuild_needs(enum table table, uint32_t needs);

void rebuild_init(struct rebuilding *r, struct db *db, uint32_t needs);

/* Reads everything at SAMPLE into the builder, which must be empty. Within a transaction. */
bool rebuild_read(struct rebuilding *r, int64_t sample, struct err *err);

/* Frees everything but the builder. */
void rebuild_free(struct rebuilding *r);

/* Prepares the statements, again if a field was set for the first time since. */
bool rebuild_prepare(struct rebuilding *r);

/* The fields in a stream's statement, in its order, after the first STREAM_BEFORE columns. */
int rebuild_fields(const struct db *db, const struct stream *s, enum field fields[F_COUNT]);
#define STREAM_BEFORE(s) ((s)->state ? 2 : 3)

/* Appends a row to the tracked ones. */
void rebuild_track(struct rebuilt *table, int64_t object, int64_t position, int64_t version);

/* Indexes the rows by their objects again after they moved. Object 0 is none. */
void rebuild_index(struct rebuilt *table);

/* Sorts the rows of TABLE by position. */
void rebuild_order(struct rebuilding *r, enum table table);

/* Binds the versions of the last SAMPLES samples up to r->sample: ?1 is the first, ?2 their end. */
void rebuild_bind(const struct rebuilding *r, sqlite3_stmt *st, int64_t samples);

/* Reads the objects of all tables that are gone since the beginning of the last SAMPLES samples. */
bool rebuild_gone(struct rebuilding *r, int64_t samples);

/* Reads the notes at r->sample into the builder. */
bool rebuild_notes(struct rebuilding *r);

#endif
