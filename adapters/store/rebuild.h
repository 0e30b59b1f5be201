/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rebuild: reading a cluster at a sample, all of it at once, and the parts of it that walk.c needs
 * from one sample to the next.
 *
 * One module of several files: rebuild sums
 */
#ifndef FAIRTOP_ADAPTERS_STORE_REBUILD_H
#define FAIRTOP_ADAPTERS_STORE_REBUILD_H

#include "adapters/store/private.h"

#define SAMPLE_MAX (INT64_C(1) << 38)	/* numbers of versions must fit into 64 bits */

/* The rows of a table, as they stand in the builder. */
struct rebuilt {
	struct tracked t;
	size_t capacity[4];
	struct idmap objects;		/* to rows as they came, until they are ordered */
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

/* ERR_INPUT: WHAT is wrong with the file. Always false. */
bool rebuild_damaged(struct err *err, const char *what);

/* Is the table asked for? */
bool rebuild_needs(enum table table, uint32_t needs);

void rebuild_init(struct rebuilding *r, struct db *db, uint32_t needs);

/* Everything at SAMPLE, into the builder, which must be empty. Within a transaction. */
bool rebuild_read(struct rebuilding *r, int64_t sample, struct err *err);

/* Frees everything but the builder. */
void rebuild_free(struct rebuilding *r);

/* The statements, made anew when a field was set for the first time since. */
bool rebuild_prepare(struct rebuilding *r);

/* The fields that a stream's statement gives, in its order, behind the columns before them. */
int rebuild_fields(const struct db *db, const struct stream *s, enum field fields[F_COUNT]);
#define STREAM_BEFORE(s) ((s)->state ? 2 : 3)

/* Appends a row to the tracked ones. */
void rebuild_track(struct rebuilt *table, int64_t object, int64_t position, int64_t version);

/* Finds the rows by their objects again, when they have moved. Object 0 is none. */
void rebuild_index(struct rebuilt *table);

/* Brings the rows of TABLE into the order of their positions. */
void rebuild_order(struct rebuilding *r, enum table table);

/* The notes at r->sample, into the builder. */
bool rebuild_notes(struct rebuilding *r);

#endif
