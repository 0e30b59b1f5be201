/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the writer, shared by writer.c (rows), writer_facts.c (what is not a table) and
 * keeper.c (opening, gaps, forgetting).
 *
 * One module of several files: writer keeper
 */
#ifndef FAIRTOP_ADAPTERS_STORE_WRITER_PRIVATE_H
#define FAIRTOP_ADAPTERS_STORE_WRITER_PRIVATE_H

#include "adapters/store/private.h"

struct changes;				/* defined in writer.c */

#define BLOCK 32			/* rows that one step writes at most */

/* A sample whose time is not shortly after the one before. */
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
	int64_t thinned[STORE_TIERS_MAX];	/* how far each tier has been processed */
	struct cluster *last;		/* of that sample, NULL none */
	struct tracked tables[TABLE_COUNT];
	bool used[F_COUNT];		/* fields that were ever set */
	/* NULL: not prepared; a block writes several rows at once, which is faster. */
	sqlite3_stmt *insert[STREAMS_MAX], *block[STREAMS_MAX];
	sqlite3_stmt *gone, *gone_block, *add;
	bool hurry;			/* all samples are one transaction */
	struct scratch scratch;
	struct store_words *words;	/* NULL: texts are written in full */
	struct store_written written;
};

/* The state of one store_write(). */
struct writing {
	struct store_writer *w;
	struct cluster *c;
	struct tracked tables[TABLE_COUNT];
	struct changes *changes;	/* NULL: the first sample */
	struct tres_words words;
	int64_t sample, next_object;
	int64_t gone;			/* rows of the table gone so far */
	int64_t lost[BLOCK];		/* objects to be written there */
	int lost_count;
	struct err *err;
};

/* Writes meta, policy and notes if they changed, and the sample itself. */
bool write_facts(struct writing *x, int64_t clock);

/* Call after the sample was committed: its time is TIME. */
void note_time(struct store_writer *w, int64_t sample, int64_t time);

/* Drops the statements after fields were added, or a sample failed. */
void forget_statements(struct store_writer *w);

/* Binds a time, a limit or NULL. */
void bind_unknown(sqlite3_stmt *st, int at, int64_t value);

#endif
