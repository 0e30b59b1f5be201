/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of the room: what is meant by a URL, the connection, rows as COPY has them.
 */
#ifndef FAIRTOP_ADAPTERS_POSTGRES_PRIVATE_H
#define FAIRTOP_ADAPTERS_POSTGRES_PRIVATE_H

#include <stdarg.h>

#include "adapters/postgres/postgres.h"
#include "adapters/store/raw.h"
#include "core/base/bytes.h"

/* ---- targets (url.c) ----------------------------------------------------------------------- */

#define CLUSTER_MAX 64

struct target {
	char *conninfo;			/* for libpq; may hold a password */
	char cluster[CLUSTER_MAX + 1];	/* letters, digits, '.', '_', '-' */
	char name[200];			/* "postgresql://HOST/DATABASE?cluster=NAME": to be shown */
	uint64_t place;			/* tells databases apart, by what was written */
};

bool target_parse(struct target *t, const char *url, struct err *err);
void target_free(struct target *t);

/*
 * "XDG/fairtop/postgresql-CLUSTER-PLACE.rec" below $XDG, or HOME's BESIDE; makes the directories,
 * for nobody else to read, and makes that true of a file that is there. Who makes one: OWN_MASK.
 */
bool target_path(const struct target *t, const char *xdg, const char *beside,
		 char path[POSTGRES_PATH], struct err *err);
#define OWN_MASK 077			/* of umask(2) */

/* ---- text (sql.c) -------------------------------------------------------------------------- */

void sql_add(struct bytes *sql, const char *format, ...) ERR_PRINTF(2, 3);

/* ---- connection (conn.c) ------------------------------------------------------------------- */

/* What a process of this room answers: an error, or ERR_NONE. */
struct answer {
	int code;
	char message[ERR_MESSAGE_MAX];
};

struct conn;

/* ERR_INPUT where fairtop was built without libpq, or has the rights of somebody else. */
bool conn_is_built(struct err *err);
const char *conn_made_of(void);

/* Host and database of a connection string, without a password; false if libpq refuses it. */
bool conn_name(const char *conninfo, char *name, size_t size, uint64_t *place, struct err *err);

/*
 * Whatever the server says is ERR_SOURCE: it may say otherwise later. What is wrong with what it
 * holds is ERR_INPUT.
 */
struct conn *conn_open(const struct target *t, struct err *err);
void conn_close(struct conn *c);	/* NULL is fine */

/* Statements; rows of the last of them stay until the next call. */
bool conn_run(struct conn *c, struct err *err, const char *format, ...) ERR_PRINTF(3, 4);
int conn_rows(const struct conn *c);
const char *conn_cell(const struct conn *c, int row, int column);	/* NULL: a NULL */
int64_t conn_number(const struct conn *c, int row, int column);		/* -1: none */

/* Takes back what was begun. */
void conn_rollback(struct conn *c);

bool conn_copy_in(struct conn *c, const char *sql, const struct bytes *rows, struct err *err);

/* Each line without its end, to LINE, which may write into it. */
typedef bool conn_line(void *context, char *line, struct err *err);
bool conn_copy_out(struct conn *c, const char *sql, conn_line *line, void *context,
		   struct err *err);

/* ---- rows (row.c) -------------------------------------------------------------------------- */

/* The type of a column there. Behind all of them is "odd", for what fits in none. */
const char *row_type(const struct raw_column *c);

/* Appends a row as a line of COPY. */
void row_encode(struct bytes *out, const char *cluster, const struct raw_table *t,
		const struct raw_value *values);

/*
 * A line of COPY, of the columns of T that HAS tells and the odd ones behind them. It is written
 * into, and VALUES borrows from it. ERR_INPUT for what no recorder sends.
 */
bool row_decode(char *line, const struct raw_table *t, const bool *has, struct raw_value *values,
		struct err *err);

/* ---- what the server holds (there.c) ------------------------------------------------------- */

/* What is known there of a cluster. */
struct there {
	bool found;
	char identity[RAW_FACT_MAX];	/* of the recording */
	char writer[RAW_FACT_MAX];	/* of the spool that it listens to */
	int64_t schema;
	int64_t sample;			/* it has all samples up to this one */
	int64_t stamp;			/* goes up with every change */
};

/*
 * Which columns of TABLES the server has: *FOUND of them, those that are true in HAS, which is
 * false before.
 */
bool there_columns(struct conn *c, const struct raw_table *tables, size_t count,
		   bool (*has)[RAW_COLUMNS_MAX], size_t *found, struct err *err);

/* Makes what is not there yet; for who records. */
bool there_make(struct conn *c, const struct raw_table *tables, size_t count, struct err *err);

/* FOUND is false where there is nothing at all, too. ERR_INPUT if a newer fairtop wrote it. */
bool there_look(struct conn *c, const char *cluster, struct there *out, struct err *err);

/* "cluster = 'NAME' AND "by" >= ... AND "by" < ...": the rows of samples (words) FIRST to LAST. */
void there_range(struct bytes *sql, const char *cluster, const struct raw_table *t, int64_t first,
		 int64_t last);

/* ---- copies (pull.c) ----------------------------------------------------------------------- */

/* Brings COPY, a file of raw_open_copy(), to what the server has. */
bool pull_all(struct conn *c, const char *cluster, struct raw *copy, struct err *err);

/* Names: of the recording that a copy or a spool is of, and of the spool itself. */
#define FACT_IDENTITY "copy_identity"
#define FACT_WRITER "copy_writer"

/* They are of 32 hexadecimal digits. */
bool there_is_name(const char *text);

/* ---- sending (send.c) ---------------------------------------------------------------------- */

/* A spool and the server that it is sent to. */
struct sending {
	const struct target *target;
	struct conn *c;			/* NULL: not connected */
	struct raw *spool;
	char identity[RAW_FACT_MAX], writer[RAW_FACT_MAX];
	int64_t sent, words;		/* the server has all samples and words up to these */
	uint64_t rest;			/* of the tables that are sent whole, as they were; 0 */
	int64_t compared_ms;		/* when what is thinned was compared; -1: not yet */
};

/*
 * Connects, and takes the lock of the cluster, waiting for it up to WAIT_MS. Who has it then is
 * another recorder (ERR_INPUT), or the one that PATH, which need not be there, had before: the
 * server does not know yet that it is gone (ERR_SOURCE).
 */
bool send_connect(struct sending *s, const char *path, int64_t wait_ms, struct err *err);
void send_disconnect(struct sending *s);

/* Opens the spool, and says to the server whose it is; ERR_INPUT if the server has another one. */
bool send_meet(struct sending *s, const char *path, struct err *err);

/* A batch; *DONE: there is nothing more. After an error the connection is of no use. */
bool send_step(struct sending *s, bool *done, struct err *err);

/* What the server has of the cluster, if it has some, becomes the spool PATH. */
bool send_restore(struct sending *s, const char *path, struct err *err);

#endif
