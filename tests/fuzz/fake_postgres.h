/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A fake PostgreSQL server, in place of adapters/postgres/conn.c: it answers the queries of a fetch
 * from struct fake_server, whether that is consistent or not. Include it in only one file of a
 * program.
 */
#ifndef FAIRTOP_TESTS_FUZZ_FAKE_POSTGRES_H
#define FAIRTOP_TESTS_FUZZ_FAKE_POSTGRES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/postgres/private.h"
#include "core/base/mem.h"

#define FAKE_LINES 256

static struct fake_server {
	const struct raw_table *tables;	/* it has their columns */
	size_t count;
	const char *missing;		/* except this column, in any table; NULL: none */
	const char *replica[5];		/* identity, writer, schema, sample, stamp; NULL: no row */
	const char *replaced[2];	/* NULL: no row */
	const char *first;		/* after the last sample of the copy */
	struct {
		const char *table, *text;
		long long at;		/* value of the table's key; < 0: always sent */
	} lines[FAKE_LINES];
	size_t line_count;
	size_t sent;			/* lines since it was last set to 0 */
	enum fake_answer { FAKE_NONE, FAKE_YES, FAKE_REPLICA, FAKE_COLUMNS, FAKE_REPLACED,
			   FAKE_FIRST } answer;
} fake;

bool conn_is_built(struct err *err)
{
	(void)err;
	return true;
}

const char *conn_made_of(void)
{
	return "nothing";
}

bool conn_name(const char *conninfo, char *name, size_t size, uint64_t *place, struct err *err)
{
	(void)conninfo;
	(void)err;
	snprintf(name, size, "fake");
	*place = 1;
	return true;
}

struct conn *conn_open(const struct target *t, struct err *err)
{
	(void)t;
	(void)err_set(err, ERR_SOURCE, "there is no server");
	return NULL;
}

void conn_close(struct conn *c)
{
	(void)c;
}

bool conn_run(struct conn *c, struct err *err, const char *format, ...)
{
	static const struct {
		const char *word;
		enum fake_answer answer;
	} questions[] = {
		{ "to_regclass", FAKE_YES }, { "SELECT identity", FAKE_REPLICA },
		{ "pg_attribute", FAKE_COLUMNS }, { "fairtop.replaced", FAKE_REPLACED },
		{ "min(id)", FAKE_FIRST },
	};
	va_list args;
	char *text;

	(void)c;
	(void)err;
	va_start(args, format);
	text = mem_vformat(format, args);
	va_end(args);
	fake.answer = FAKE_NONE;
	for (size_t i = 0; i < sizeof(questions) / sizeof(questions[0]); i++) {
		if (strstr(text, questions[i].word))
			fake.answer = questions[i].answer;
	}
	mem_free(text);
	return true;
}

static const struct raw_column *fake_column(int row, const struct raw_table **table)
{
	for (size_t i = 0; i < fake.count; i++) {
		*table = &fake.tables[i];
		if ((size_t)row < fake.tables[i].count)
			return &fake.tables[i].columns[row];
		row -= (int)fake.tables[i].count;
	}
	return NULL;
}

int conn_rows(const struct conn *c)
{
	size_t n = 0;

	(void)c;
	switch (fake.answer) {
	case FAKE_YES:
	case FAKE_FIRST:
		return 1;
	case FAKE_REPLICA:
		return fake.replica[0] != NULL;
	case FAKE_REPLACED:
		return fake.replaced[0] != NULL;
	case FAKE_COLUMNS:
		for (size_t i = 0; i < fake.count; i++)
			n += fake.tables[i].count;
		return (int)n;
	case FAKE_NONE:
		break;
	}
	return 0;
}

const char *conn_cell(const struct conn *c, int row, int column)
{
	const struct raw_table *table = NULL;
	const struct raw_column *found;

	(void)c;
	switch (fake.answer) {
	case FAKE_YES:
		return "t";
	case FAKE_FIRST:
		return fake.first;
	case FAKE_REPLICA:
		return fake.replica[column];
	case FAKE_REPLACED:
		return fake.replaced[column];
	case FAKE_COLUMNS:
		found = fake_column(row, &table);
		if (column == 0)
			return table->name;
		return fake.missing && strcmp(found->name, fake.missing) == 0 ? "" : found->name;
	case FAKE_NONE:
		break;
	}
	return NULL;
}

int64_t conn_number(const struct conn *c, int row, int column)
{
	const char *text = conn_cell(c, row, column);

	return text ? strtoll(text, NULL, 10) : -1;
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
	return err_set(err, ERR_SOURCE, "nothing is taken");
}

/* "... FROM fairtop."TABLE" WHERE cluster = 'a' AND "id" >= 2 AND "id" < 5 ..." */
static bool fake_is_asked(const char *sql, const char *table, long long at)
{
	const char *from = strstr(sql, "FROM fairtop.\""), *low = strstr(sql, " >= ");
	const char *high = strstr(sql, " < ");
	size_t length = strlen(table);

	if (!from || strncmp(from + 14, table, length) != 0 || from[14 + length] != '"')
		return false;
	return at < 0 || !low || !high ||
	       (at >= strtoll(low + 4, NULL, 10) && at < strtoll(high + 3, NULL, 10));
}

bool conn_copy_out(struct conn *c, const char *sql, conn_line *line, void *context,
		   struct err *err)
{
	bool ok = true;

	(void)c;
	for (size_t i = 0; ok && i < fake.line_count; i++) {
		char *text;

		if (!fake_is_asked(sql, fake.lines[i].table, fake.lines[i].at))
			continue;
		text = mem_strdup(fake.lines[i].text);
		fake.sent++;
		ok = line(context, text, err);
		mem_free(text);
	}
	return ok;
}

static inline void fake_line(const char *table, long long at, const char *text)
{
	if (fake.line_count == FAKE_LINES)
		return;
	fake.lines[fake.line_count].table = table;
	fake.lines[fake.line_count].at = at;
	fake.lines[fake.line_count++].text = text;
}

#endif
