/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The connection: only this file knows libpq. Messages of the server are shown in one line. */
#include "config.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/socket.h>
#include <unistd.h>

#include "adapters/postgres/private.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#ifdef HAVE_LIBPQ
#include <libpq-fe.h>

#define OLDEST 140000			/* since then numeric has infinity */
#define MARGIN_S 10

struct conn {
	PGconn *pg;
	PGresult *result;		/* NULL: none */
	unsigned patience_s;		/* a statement's time limit on the server, plus a margin */
};

bool conn_is_built(struct err *err)
{
	/*
	 * libpq reads files named in the environment: not with rights that the user does not have.
	 */
	return getauxval(AT_SECURE) == 0 ||
	       err_set(err, ERR_INPUT, "a PostgreSQL source is not for a program with another "
		       "user's rights (set-user-ID, set-group-ID, capabilities)");
}

const char *conn_made_of(void)
{
	static char text[40];

	snprintf(text, sizeof(text), "libpq %d.%d", PQlibVersion() / 10000, PQlibVersion() % 10000);
	return text;
}

/* ---- names to show ------------------------------------------------------------------------- */

static const char *conn_option_of(const PQconninfoOption *options, const char *keyword)
{
	while (options->keyword && strcmp(options->keyword, keyword) != 0)
		options++;
	return options->keyword && options->val ? options->val : "";
}

bool conn_name(const char *conninfo, char *name, size_t size, uint64_t *place, struct err *err)
{
	static const char *const telling[][2] = {
		{ "service", "PGSERVICE" }, { "host", "PGHOST" }, { "hostaddr", "PGHOSTADDR" },
		{ "port", "PGPORT" }, { "dbname", "PGDATABASE" },
	};
	PQconninfoOption *options = PQconninfoParse(conninfo, NULL);
	const char *values[5];

	/*
	 * libpq's message, or what it takes for a host or a port, may contain part of the password.
	 */
	if (!options || strchr(conn_option_of(options, "host"), '@') ||
	    strchr(conn_option_of(options, "dbname"), '@') ||
	    conn_option_of(options,
			   "port")[strspn(conn_option_of(options, "port"), "0123456789,")]) {
		PQconninfoFree(options);
		/* The URL goes last: text between it and an @ would be masked like a password. */
		return err_set(err, ERR_INPUT, "a PostgreSQL source: not a connection string of "
			       "libpq (with %%25, %%2F, %%3A and %%40 for %% / : and @ in a name "
			       "or password; expected postgresql://HOST:PORT/DATABASE?cluster="
			       "NAME)");
	}
	*place = 1;
	for (size_t i = 0; i < 5; i++) {
		const char *value = conn_option_of(options, telling[i][0]);

		if (!value[0] && getenv(telling[i][1]))
			value = getenv(telling[i][1]);
		values[i] = value;
		*place = text_hash(value, strlen(value), *place);
	}
	snprintf(name, size, "postgresql://%.60s%s%.8s/%.40s", values[0][0] ? values[0] : values[1],
		 values[3][0] ? ":" : "", values[3], values[4]);
	PQconninfoFree(options);
	return true;
}

/* ---- a silent server ----------------------------------------------------------------------- */

/*
 * If the server process is stopped, its kernel still answers, and libpq waits without end: shutting
 * down the socket makes it see the connection as closed.
 */
static volatile sig_atomic_t waited_for = -1, is_silent;

static void conn_give_up(int number)
{
	(void)number;
	is_silent = 1;
	(void)shutdown(waited_for, SHUT_RDWR);
}

/* Starts the time limit for the server's answer. */
static void conn_wait_for(const struct conn *c)
{
	(void)alarm(c->patience_s);
}

static void watch_over(struct conn *c)
{
	struct sigaction action = { .sa_handler = conn_give_up };

	waited_for = PQsocket(c->pg);
	c->patience_s = MARGIN_S;
	(void)sigaction(SIGALRM, &action, NULL);
}

/* ---- errors -------------------------------------------------------------------------------- */

/* Sets ERR to the first line of libpq's or the server's message. */
static bool conn_fail(const struct conn *c, struct err *err)
{
	const char *text = c->result ? PQresultErrorMessage(c->result) : "";

	if (is_silent)
		return err_set(err, ERR_SOURCE, "PostgreSQL: no response from the server for %u s: "
			       "connection aborted", c->patience_s);
	if (!text[0])
		text = PQerrorMessage(c->pg);
	return err_set(err, ERR_SOURCE, "PostgreSQL: %.*s", (int)strcspn(text, "\n") > 300 ? 300 :
		       (int)strcspn(text, "\n"), text);
}

/* ---- connecting ---------------------------------------------------------------------------- */

static void ignore_notice(void *context, const char *text)
{
	(void)context;
	(void)text;
}

static bool is_usable(struct conn *c, struct err *err)
{
	const char *encoding = PQparameterStatus(c->pg, "server_encoding");

	if (PQserverVersion(c->pg) < OLDEST)
		return err_set(err, ERR_SOURCE, "PostgreSQL: the server has version %d (expected "
			       "%d or later)", PQserverVersion(c->pg) / 10000, OLDEST / 10000);
	if (!encoding || strcmp(encoding, "UTF8") != 0)
		return err_set(err, ERR_SOURCE, "PostgreSQL: the database is not encoded in UTF8 "
			       "(expected CREATE DATABASE ... ENCODING 'UTF8')");
	/* The server notices as soon as we do that the peer is gone, and releases its locks. */
	if (!conn_run(c, err, "SET extra_float_digits = 1; SET bytea_output = hex;"
		      " SET search_path = ''; SET lock_timeout = '10s';"
		      " SET tcp_keepalives_idle = 30;"
		      " SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;"
		      " SET tcp_user_timeout = 30000; SELECT set_config('statement_timeout',"
		      " '10min', false) WHERE current_setting('statement_timeout') = '0'") ||
	    !conn_run(c, err, "SELECT setting FROM pg_settings WHERE name = 'statement_timeout'"))
		return false;
	c->patience_s = MARGIN_S + (unsigned)(conn_number(c, 0, 0) / 1000);
	return true;
}

struct conn *conn_open(const struct target *t, struct err *err)
{
	/* The URL's settings come later, and override these. A dead peer is noticed. */
	static const char *const keywords[] = { "connect_timeout", "tcp_user_timeout",
						"keepalives_idle", "application_name", "dbname",
						"client_encoding", NULL };
	const char *const values[] = { "10", "30000", "30", "fairtop", t->conninfo, "UTF8", NULL };
	struct conn *c = mem_zalloc(1, sizeof(*c));

	is_silent = 0;
	c->pg = PQconnectdbParams(keywords, values, 1);
	PQsetNoticeProcessor(c->pg, ignore_notice, NULL);
	if (PQstatus(c->pg) != CONNECTION_OK) {
		(void)conn_fail(c, err);
	} else {
		watch_over(c);
		if (is_usable(c, err))
			return c;
	}
	conn_close(c);
	return NULL;
}

void conn_close(struct conn *c)
{
	if (!c)
		return;
	PQclear(c->result);
	PQfinish(c->pg);
	mem_free(c);
}

/* ---- statements ---------------------------------------------------------------------------- */

/* Takes over RESULT: has it one of these states? */
static bool keep_result(struct conn *c, PGresult *result, ExecStatusType a, ExecStatusType b,
			struct err *err)
{
	ExecStatusType status = PQresultStatus(result);

	PQclear(c->result);
	c->result = result;
	return status == a || status == b || conn_fail(c, err);
}

bool conn_run(struct conn *c, struct err *err, const char *format, ...)
{
	va_list args;
	char *text;
	bool ok;

	va_start(args, format);
	text = mem_vformat(format, args);
	va_end(args);
	conn_wait_for(c);
	ok = keep_result(c, PQexec(c->pg, text), PGRES_COMMAND_OK, PGRES_TUPLES_OK, err);
	(void)alarm(0);
	mem_free(text);
	return ok;
}

int conn_rows(const struct conn *c)
{
	return PQntuples(c->result);
}

const char *conn_cell(const struct conn *c, int row, int column)
{
	return PQgetisnull(c->result, row, column) ? NULL : PQgetvalue(c->result, row, column);
}

int64_t conn_number(const struct conn *c, int row, int column)
{
	const char *text = conn_cell(c, row, column);

	return text ? strtoll(text, NULL, 10) : -1;
}

void conn_rollback(struct conn *c)
{
	struct err ignored;

	if (PQstatus(c->pg) == CONNECTION_OK && PQtransactionStatus(c->pg) != PQTRANS_IDLE)
		(void)conn_run(c, &ignored, "ROLLBACK");
}

/* ---- COPY ---------------------------------------------------------------------------------- */

#define PIECE (1 << 20)

static bool copy_begin(struct conn *c, const char *sql, ExecStatusType status, struct err *err)
{
	conn_wait_for(c);
	return keep_result(c, PQexec(c->pg, sql), status, status, err);
}

/* Expects only the end of one command after COPY. */
static bool copy_end(struct conn *c, struct err *err)
{
	PGresult *more;
	bool ok;

	conn_wait_for(c);
	ok = keep_result(c, PQgetResult(c->pg), PGRES_COMMAND_OK, PGRES_COMMAND_OK, err);
	while ((more = PQgetResult(c->pg)))
		PQclear(more);
	return ok;
}

static bool copy_in(struct conn *c, const struct bytes *rows, struct err *err)
{
	bool ok = true;

	for (size_t at = 0; ok && at < rows->length; at += PIECE) {
		size_t left = rows->length - at;

		conn_wait_for(c);
		ok = PQputCopyData(c->pg, rows->data + at, (int)(left < PIECE ? left : PIECE)) == 1;
	}
	return (ok && PQputCopyEnd(c->pg, NULL) == 1) || conn_fail(c, err);
}

bool conn_copy_in(struct conn *c, const char *sql, const struct bytes *rows, struct err *err)
{
	bool ok = copy_begin(c, sql, PGRES_COPY_IN, err) && copy_in(c, rows, err) &&
		  copy_end(c, err);

	(void)alarm(0);
	return ok;
}

bool conn_copy_out(struct conn *c, const char *sql, conn_line *line, void *context, struct err *err)
{
	bool ok = copy_begin(c, sql, PGRES_COPY_OUT, err);
	char *text = NULL;
	int length = -1;

	/* After an error on our side the connection is unusable; its owner closes it. */
	while (ok && (length = PQgetCopyData(c->pg, &text, 0)) > 0) {
		if (text[length - 1] == '\n')
			text[--length] = '\0';
		ok = line(context, text, err);
		PQfreemem(text);
		conn_wait_for(c);
	}
	ok = ok && (length == -1 || conn_fail(c, err)) && copy_end(c, err);
	(void)alarm(0);
	return ok;
}
#endif
