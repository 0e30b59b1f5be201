/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the store: the connection, the schema, and what writer and reader share.
 *
 * One module of several files: db words
 */
#ifndef FAIRTOP_ADAPTERS_STORE_PRIVATE_H
#define FAIRTOP_ADAPTERS_STORE_PRIVATE_H

#include <sqlite3.h>
#include <stdatomic.h>

#include "adapters/store/store.h"
#include "core/cluster/idmap.h"

/* ---- connection (db.c) --------------------------------------------------------------------- */

#define STREAMS_MAX 24

struct db {
	sqlite3 *sql;
	int64_t deadline_ms;		/* clock_ms() at which a query gives up */
	int64_t limit_ms;		/* time limit from the beginning: READ_MS, less in tests */
	int64_t busy_ms;		/* since when another process has the file locked */
	int wake_fd;			/* readable: the program is to end; -1 none */
	int64_t woken_ms;		/* since when; -1 not readable */
	atomic_bool cancelled;
	/* rebuild.c: for FIELDS_KNOWN rows of the table field; -1 nothing yet. */
	int64_t fields_known;
	bool used[F_COUNT];
	sqlite3_stmt *select[STREAMS_MAX], *gone;
	struct word_reader *words;	/* NULL: no word read yet */
	/*
	 * sums.c: the fields known to this program (0: not yet computed), and the sums of a sample.
	 */
	uint64_t known_sum;
	sqlite3_stmt *sums;
};

/*
 * Opens PATH, with FLAGS of sqlite3_open_v2(), but does nothing that is the writer's job. Queries
 * have limit_ms from then on, or from the last db_begin().
 */
#define READ_MS 30000
bool db_open(struct db *db, const char *path, int flags, struct err *err);
void db_close(struct db *db);
void db_begin(struct db *db);
void db_watch(struct db *db);		/* its connection obeys DB's limits from now on */

/* A transaction: all is read at one moment; call db_read_end() in any case. */
bool db_read_begin(struct db *db, struct err *err);
void db_read_end(struct db *db);

/* Sets ERR to the connection's last error; returns false. DOING: "writing". */
bool db_fail(const struct db *db, const char *doing, struct err *err);

bool db_run(struct db *db, const char *sql, struct err *err);

/* Ends a transaction that BEGIN began: keeps it if OK. True if it was kept. */
bool db_end(struct db *db, bool ok, struct err *err);

/* A log beside PATH lets readers read meanwhile, but not over a network. */
bool db_set_journal(struct db *db, const char *path, struct err *err);

sqlite3_stmt *db_prepare(struct db *db, const char *sql, struct err *err);

/* Runs a statement that returns no rows, and resets it. */
bool db_step(struct db *db, sqlite3_stmt *st, struct err *err);

/* The same for the last time, which finalizes it. ST NULL: it could not be prepared. */
bool db_step_last(struct db *db, sqlite3_stmt *st, struct err *err);

/* Sets a value of the table `recording`; NULL deletes it. */
bool db_set(struct db *db, const char *name, const char *value, struct err *err);

/* The first value of the first row; FALLBACK if there is none. */
int64_t db_number(struct db *db, const char *sql, int64_t fallback);

/* The last sample up to ID that is not thinned. */
int64_t db_kept(struct db *db, int64_t id);

/* The connection of a reader (reader.c). */
struct db *reader_db(struct store_reader *r);

/* ---- schema (schema.c) --------------------------------------------------------------------- */

#define VERSION_BITS 24			/* rows of one sample and table */
#define REFRESH_FACTS 128		/* samples; for stable fields */
#define REFRESH_STATE 16		/* for changing fields */

/* A SQL table: the stable fields of a table of the cluster, the changing ones, or all. */
struct stream {
	const char *name;
	enum table table;
	bool state;			/* the changing part of a table that has two */
	uint32_t refresh;
};
extern const struct stream streams[];
extern const size_t stream_count;

bool stream_has(const struct stream *s, enum field field);

/* The SQL name of a field: dots become underscores. */
#define COLUMN_MAX 64
const char *column_name(enum field field, char buf[COLUMN_MAX]);

bool schema_create(struct db *db, struct err *err);

/*
 * The same in parts, within the caller's transaction: all tables, those of streams without fields,
 * and with WORDS the table of words; the missing columns of a stream's table for the FIELDS that
 * are true; then the views again. A row is as long as the columns that its table had when it was
 * written.
 */
bool schema_begin(struct db *db, bool words, struct err *err);
bool schema_widen(struct db *db, const struct stream *stream, const bool *fields, struct err *err);
bool schema_views(struct db *db, struct err *err);

/* Migrates the schema; the step at index V brings version V to V + 1. */
bool schema_migrate(struct db *db, const char *const *steps, int version, struct err *err);
extern const char *const schema_steps[STORE_VERSION];

/* Adds tables that older files do not have. */
bool schema_complete(struct db *db, struct err *err);
/* SQL of that column of the samples; NULL, for unknown, in older files. */
const char *schema_last_backfill(struct db *db);

/* application_id and user_version: ERR_INPUT unless this program can read it. */
bool schema_check(struct db *db, int *version, struct err *err);

/* Is there a table of that name? A view does not count. */
bool schema_has(struct db *db, const char *table);

/* Is a table of that name in the schema, and is it a stream's? */
bool schema_is_ours(const char *table);
bool schema_is_stream(const char *table);

/* Which fields were set in any row: used[field]. */
bool schema_used(struct db *db, bool used[F_COUNT], struct err *err);

/* ---- values (cell.c) ----------------------------------------------------------------------- */

/* How TRES are written: by name, or by number if the name is not unique. */
struct tres_words {
	char **words;
	uint32_t count;
};
void tres_words_init(struct tres_words *t, const struct cluster *c);
void tres_words_free(struct tres_words *t);

/* A growing buffer. */
struct scratch {
	char *bytes;
	size_t used, capacity;
};

/* DICTIONARY NULL: every text in full. */
struct store_words;
void cell_bind(sqlite3_stmt *st, int at, const struct cluster *c, enum field field, uint32_t row,
	       const struct tres_words *words, struct scratch *scratch,
	       struct store_words *dictionary);

struct cell_reader;
struct cell_reader *cell_reader_new(struct builder *b, struct db *db);
void cell_reader_free(struct cell_reader *r);

/*
 * Sets a field from column AT of a result, NULL being unknown; false for a value that no recorder
 * writes.
 */
bool cell_read(struct cell_reader *r, sqlite3_stmt *st, int at, enum field field, uint32_t row);

/* ---- words (words.c) ----------------------------------------------------------------------- */

/* For a writer: its cache of the table of words. NULL with err. */
struct store_words *words_new(struct db *db, struct err *err);
void words_free(struct store_words *w);	/* NULL is fine */

/* The number to write instead of TEXT, of LENGTH bytes; 0: write the text itself. */
int64_t words_number(struct store_words *w, const char *text, size_t length);

/* For any connection: the text of a number, valid until the next call; NULL if there is none. */
const char *word_text(struct db *db, int64_t number, size_t *length);
void word_reader_free(struct word_reader *r);	/* NULL is fine */

/* ---- identity and order (rows.c) ----------------------------------------------------------- */

/*
 * Puts the rows of TABLE into ROWS under keys that are the same in the next sample. WHERE[i],
 * unless OLD is NULL, becomes the index of row i there, ROW_NONE if new.
 */
void row_match(const struct cluster *c, enum table table, struct idmap *rows,
	       const struct idmap *old, uint32_t *where);

/*
 * Makes positions strictly increasing: POSITION[i] holds the old one of row i, or POSITION_NONE. As
 * few as possible change; CHANGED[i] marks them.
 */
#define POSITION_NONE INT64_MIN
void row_positions(int64_t *position, uint32_t n, bool *changed);

/* ---- rebuilding (rebuild.c) ---------------------------------------------------------------- */

/* What the recorder keeps of each row between samples; arrays over the rows of the table. */
struct tracked {
	uint32_t n;
	struct idmap rows;		/* as row_match() makes it */
	int64_t *object, *position;
	int64_t *written[2];		/* sample of the last version of facts and state */
};
void tracked_free(struct tracked *t);

/* TRACKED (an array of TABLE_COUNT) may be NULL. */
struct cluster *rebuild(struct db *db, int64_t sample, uint32_t needs, struct tracked *tracked,
			struct err *err);

/* ---- checksums (sums.c) -------------------------------------------------------------------- */

uint64_t sums_bits_of(double x);	/* of a double: they are equal if its bytes are */
bool sums_write(struct db *db, int64_t sample, const struct cluster *c, struct err *err);

/* ERR_INPUT if a table of C that NEEDS requires differs from what was written. */
bool sums_check(struct db *db, int64_t sample, uint32_t needs, const struct cluster *c,
		struct err *err);

/* ---- from sample to sample (walk.c) -------------------------------------------------------- */

struct store_walk *walk_new(struct db *db, uint32_t needs);

#endif
