/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces conn.c if fairtop is built without libpq: conn_is_built() always fails. */
#include "config.h"

#include "adapters/postgres/private.h"

#ifndef HAVE_LIBPQ
bool conn_is_built(struct err *err)
{
	return err_set(err, ERR_INPUT, "a PostgreSQL source: this fairtop was built without libpq "
		       "(install libpq-dev or libpq-devel, and build with --with-postgresql)");
}

const char *conn_made_of(void)
{
	return "no, built without libpq";
}

bool conn_name(const char *conninfo, char *name, size_t size, uint64_t *place, struct err *err)
{
	(void)conninfo;
	(void)name;
	(void)size;
	(void)place;
	return conn_is_built(err);
}

struct conn *conn_open(const struct target *t, struct err *err)
{
	(void)t;
	(void)conn_is_built(err);
	return NULL;
}

void conn_close(struct conn *c)
{
	(void)c;
}

bool conn_run(struct conn *c, struct err *err, const char *format, ...)
{
	(void)c;
	(void)format;
	return conn_is_built(err);
}

int conn_rows(const struct conn *c)
{
	(void)c;
	return 0;
}

const char *conn_cell(const struct conn *c, int row, int column)
{
	(void)c;
	(void)row;
	(void)column;
	return NULL;
}

int64_t conn_number(const struct conn *c, int row, int column)
{
	(void)c;
	(void)row;
	(void)column;
	return -1;
}

void conn_rollback(struct conn *c)
{
	(void)c;
}

bool conn_copy_in(struct conn *c, const char *sql, const struct bytes *rows, struct err *err)
{
	(void)c;
	(void)sql;
	(void)rows;
	return conn_is_built(err);
}

bool conn_copy_out(struct conn *c, const char *sql, conn_line *line, void *context, struct err *err)
{
	(void)c;
	(void)sql;
	(void)line;
	(void)context;
	return conn_is_built(err);
}
#endif
