/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The inside of adapters/postgres: URLs, the connection, rows in the form of COPY. */
#ifndef FAIRTOP_ADAPTERS_POSTGRES_PRIVATE_H
#define FAIRTOP_ADAPTERS_POSTGRES_PRIVATE_H

#include "adapters/postgres/postgres.h"
#include "adapters/store/raw.h"
#include "core/base/bytes.h"

/* ---- targets (url.c) ----------------------------------------------------------------------- */

#define CLUSTER_MAX 64

struct target {
	char *conninfo;			/* for libpq; may hold a password */
	char cluster[CLUSTER_MAX + 1];	/* letters, digits, '.', '_', '-' */
	char name[200];			/* "postgresql://HOST/DATABASE?cluster=NAME": to be shown */
	uint64_t place;			/* hash that distinguishes databases, by what was written */
};

bool target_parse(struct target *t, const char *url, struct err *err);
void target_free(struct target *t);

/*
 * Gives "XDG/fairtop/postgresql-CLUSTER-PLACE.rec" below $XDG, or HOME's BESIDE. Creates the
 * directories with access for the owner only, and restricts an existing file likewise. OWN_MASK is
 * for processes that create such a file.
 */
bool target_path(const struct target *t, const char *xdg, const char *beside,
		 char path[POSTGRES_PATH], struct err *err);
#define OWN_MASK 077			/* of umask(2) */

/* ---- text (sql.c) -------------------------------------------------------------------------- */

void sql_add(struct bytes *sql, const char *format, ...) ERR_PRINTF(2, 3);

/* ---- connection (conn.c) ------------------------------------------------------------------- */

/* The answer of a child process: an error, or ERR_NONE. */
struct answer {
	int code;
	char message[ERR_MESSAGE_MAX];
};

struct conn;

/* ERR_INPUT if fairtop was built without libpq, or runs with another user's rights. */
bool conn_is_built(struct err *err);
const char *conn_made_of(void);

/* Host and database of a connection string, without a password; false if libpq refuses it. */
bool conn_name(const char *conninfo, char *name, size_t size, uint64_t *place, struct err *err);

/*
 * Any error reported by the server is ERR_SOURCE: it may be gone later. Errors in the data it holds
 * are ERR_INPUT.
 */
struct conn *conn_open(const struct target *t, struct err *err);
void conn_close(struct conn *c);	/* NULL is fine */

/* Runs statements; the rows of the last one are valid until the next call. */
bool conn_run(struct conn *c, struct err *err, const char *format, ...) ERR_PRINTF(3, 4);
int conn_rows(const struct conn *c);
const char *conn_cell(const struct conn *c, int row, int column);	/* NULL: a NULL */
int64_t conn_number(const struct conn *c, int row, int column);		/* -1: none */

/* Rolls back the open transaction. */
void conn_rollback(struct conn *c);

bool conn_copy_in(struct conn *c, const char *sql, const struct bytes *rows, struct err *err);

/* Calls LINE for each line without its end; LINE may write into it. */
typedef bool conn_line(void *context, char *line, struct err *err);
bool conn_copy_out(struct conn *c, const char *sql, conn_line *line, void *context,
		   struct err *err);

/* ---- rows (row.c) -------------------------------------------------------------------------- */

/* The SQL type of a column on the server. A last column "odd" holds values that fit no type. */
const char *row_type(const struct raw_column *c);

/* Appends a row as a line of COPY. */
void row_encode(struct bytes *out, const char *cluster, const struct raw_table *t,
		const struct raw_value *values);

/*
 * Splits a line of COPY with those columns of T that are set in HAS, then the odd ones. Changes the
 * line; VALUES point into it. ERR_INPUT for what no recorder sends.
 */
bool row_decode(char *line, const struct raw_table *t, const bool *has, struct raw_value *values,
		struct err *err);

/* ---- what the server holds (server_tables.c) ---------------------------------------------- */

/* What the server knows of a cluster. */
struct server_tables {
	bool found;
	char identity[RAW_FACT_MAX];	/* of the recording */
	char writer[RAW_FACT_MAX];	/* of the spool it accepts */
	int64_t schema;
	int64_t sample;			/* it has all samples up to this one */
	int64_t stamp;			/* grows with every change */
};

/* Sets HAS, false before, for the columns of TABLES that the server has; *FOUND is their number. */
bool server_columns(struct conn *c, const struct raw_table *tables, size_t count,
		    bool (*has)[RAW_COLUMNS_MAX], size_t *found, struct err *err);

/* Creates what is missing there; only for recorders. */
bool server_make(struct conn *c, const struct raw_table *tables, size_t count, struct err *err);

/* FOUND is also false if the schema does not exist. ERR_INPUT if a newer fairtop wrote it. */
bool server_look(struct conn *c, const char *cluster, struct server_tables *out, struct err *err);

/*
 * "cluster = 'NAME' AND "by" >= ... AND "by" < ...": selects rows of samples (words) FIRST to LAST.
 */
void server_range(struct bytes *sql, const char *cluster, const struct raw_table *t, int64_t first,
		  int64_t last);

/* ---- copies (pull.c) ----------------------------------------------------------------------- */

/* Updates COPY, a file of raw_open_copy(), to the state of the server. */
bool pull_all(struct conn *c, const char *cluster, struct raw *copy, struct err *err);

/* Facts with names: of the recording that a copy or spool belongs to, and of the spool itself. */
#define FACT_IDENTITY "copy_identity"
#define FACT_WRITER "copy_writer"

/* Such a name is 32 hexadecimal digits. */
bool server_is_name(const char *text);

/* ---- sending (send.c) ---------------------------------------------------------------------- */

/* A spool and the server it is sent to. */
struct sending {
	const struct target *target;
	struct conn *c;			/* NULL: not connected */
	struct raw *spool;
	char identity[RAW_FACT_MAX], writer[RAW_FACT_MAX];
	int64_t sent, words;		/* the server has all samples and words up to these */
	uint64_t rest;			/* hash of the tables sent as a whole; 0: not yet sent */
	int64_t compared_ms;		/* when thinning was last compared; -1: not yet */
};

/*
 * Connects, and takes the lock of the cluster, waiting up to WAIT_MS. If it is still held, then
 * either by another recorder (ERR_INPUT), or by the one that wrote PATH (which need not exist)
 * before: the server has not noticed yet that it is gone (ERR_SOURCE).
 */
bool send_connect(struct sending *s, const char *path, int64_t wait_ms, struct err *err);
void send_disconnect(struct sending *s);

/* Opens the spool and registers it with the server; ERR_INPUT if the server has another one. */
bool send_meet(struct sending *s, const char *path, struct err *err);

/* Sends a batch; *DONE: all is sent. After an error the connection is unusable. */
bool send_step(struct sending *s, bool *done, struct err *err);

/* Makes the spool PATH from the server's data of the cluster, if it has any. */
bool send_restore(struct sending *s, const char *path, struct err *err);

#endif
