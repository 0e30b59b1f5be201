/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writer's own, shared by writer.c (rows), writer_facts.c (what is no table) and keeper.c
 * (opening, gaps, forgetting).
 *
 * One module of several files: writer keeper
 */
#ifndef FAIRTOP_ADAPTERS_STORE_WRITER_PRIVATE_H
#define FAIRTOP_ADAPTERS_STORE_WRITER_PRIVATE_H

#include "adapters/store/private.h"

struct changes;				/* of writer.c alone */

#define BLOCK 32			/* rows that one step writes at most */

/* Where the time of a sample is not a little later than that of the one before it. */
struct jump {
	int64_t sample, before, after;
};

struct store_writer {
	struct db db;
	char *path;
	int lock;
	int64_t sample;			/* the last one, 0 none */
	int64_t next_object;
	bool timed;			/* TIME is that of the last sample */
	int64_t time;
	struct jump *jumps;
	size_t jump_count, jump_capacity;
	int64_t thinned[STORE_TIERS_MAX];	/* so far each tier was looked at */
	struct cluster *last;		/* of that sample, NULL none */
	struct tracked tables[TABLE_COUNT];
	bool used[F_COUNT];		/* fields that were ever set */
	/* NULL: not prepared; the blocks are of several rows, which is quicker than one by one. */
	sqlite3_stmt *insert[STREAMS_MAX], *block[STREAMS_MAX];
	sqlite3_stmt *gone, *gone_block, *add;
	bool hurry;			/* all samples are one transaction */
	struct scratch scratch;
	struct words *words;		/* NULL: texts are written as they are */
	struct store_written written;
};

/* What one store_write() works with. */
struct writing {
	struct store_writer *w;
	struct cluster *c;
	struct tracked tables[TABLE_COUNT];
	struct changes *changes;	/* NULL: the first sample */
	struct tres_words words;
	int64_t sample, next_object;
	int64_t gone;			/* rows of that table so far */
	int64_t lost[BLOCK];		/* objects that are to be written there */
	int lost_count;
	struct err *err;
};

/* Meta, policy, notes where they changed, and the sample itself. */
bool write_facts(struct writing *x, int64_t clock);

/* After the sample was committed: it is of TIME. */
void note_time(struct store_writer *w, int64_t sample, int64_t time);

/* Statements are made anew after fields came in, or a sample failed. */
void forget_statements(struct store_writer *w);

/* A time, a limit or NULL. */
void bind_unknown(sqlite3_stmt *st, int at, int64_t value);

#endif
