/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a sample beside its tables, written if they changed. */
#include <string.h>

#include "adapters/store/writer_private.h"

void bind_unknown(sqlite3_stmt *st, int at, int64_t value)
{
	if (value == I64_UNKNOWN)
		sqlite3_bind_null(st, at);
	else
		sqlite3_bind_int64(st, at, value);
}

static bool write_meta(struct writing *x)
{
	const struct cluster_meta *m = cluster_meta(x->c);
	const struct cluster_meta *l = x->w->last ? cluster_meta(x->w->last) : NULL;
	sqlite3_stmt *st;

	if (l && strcmp(m->kind, l->kind) == 0 && strcmp(m->name, l->name) == 0 &&
	    strcmp(m->version, l->version) == 0 && strcmp(m->zone, l->zone) == 0 &&
	    m->usage_quantum == l->usage_quantum && m->ratio_quantum == l->ratio_quantum &&
	    cluster_hidden(x->c) == cluster_hidden(x->w->last))
		return true;
	st = db_prepare(&x->w->db, "INSERT INTO \"cluster\" VALUES(?1,?2,?3,?4,?5,?6,?7,?8)",
			x->err);
	if (st) {
		sqlite3_bind_int64(st, 1, x->sample);
		sqlite3_bind_text(st, 2, m->kind, -1, SQLITE_STATIC);
		sqlite3_bind_text(st, 3, m->name, -1, SQLITE_STATIC);
		sqlite3_bind_text(st, 4, m->version, -1, SQLITE_STATIC);
		sqlite3_bind_text(st, 5, m->zone, -1, SQLITE_STATIC);
		sqlite3_bind_double(st, 6, m->usage_quantum);
		sqlite3_bind_double(st, 7, m->ratio_quantum);
		sqlite3_bind_int(st, 8, (int)cluster_hidden(x->c));
	}
	return db_step_last(&x->w->db, st, x->err);
}

/* Numbers in base units, other values in the form of the scheduler's configuration. */
static void bind_parameter(sqlite3_stmt *st, int at, const struct policy *p, size_t i,
			   const char *text)
{
	enum policy_type type = policy_params[i].type;
	uint64_t number = policy_number(p, i);

	if (type == POLICY_TEXT || type == POLICY_FLAGS || policy_is_unreported(p, i))
		sqlite3_bind_text(st, at, text, -1, SQLITE_STATIC);
	else if (number == (uint64_t)I64_INFINITE)
		sqlite3_bind_text(st, at, "inf", 3, SQLITE_STATIC);
	else
		sqlite3_bind_int64(st, at, (int64_t)number);
}

static bool write_parameter(struct writing *x, size_t i)
{
	const struct policy *p = cluster_policy(x->c);
	const struct policy *l = x->w->last ? cluster_policy(x->w->last) : NULL;
	char value[POLICY_LIST_MAX + 128] = "", before[POLICY_LIST_MAX + 128] = "";
	bool known = policy_is_stated(p, i), was = l && policy_is_stated(l, i);
	sqlite3_stmt *st;

	if (!known && !was)
		return true;
	policy_value_text(p, i, value, sizeof(value));
	if (l)
		policy_value_text(l, i, before, sizeof(before));
	if (known == was && strcmp(value, before) == 0)
		return true;
	st = db_prepare(&x->w->db, "INSERT INTO policy VALUES(?1, ?2, ?3)", x->err);
	if (st) {
		sqlite3_bind_int64(st, 1, x->sample);
		sqlite3_bind_text(st, 2, policy_params[i].name, -1, SQLITE_STATIC);
		if (known)
			bind_parameter(st, 3, p, i, value);
	}
	return db_step_last(&x->w->db, st, x->err);
}

static bool write_policy(struct writing *x)
{
	const struct cluster *last = x->w->last;
	bool ok = true;

	/* Mostly it is identical; else each parameter is compared. */
	if (last && memcmp(cluster_policy(last), cluster_policy(x->c), sizeof(struct policy)) == 0)
		return true;
	for (size_t i = 0; ok && i < policy_params_count; i++)
		ok = write_parameter(x, i);
	return ok;
}

static bool notes_changed(const struct writing *x)
{
	const struct cluster *last = x->w->last;
	uint32_t n = cluster_notes(x->c);

	if (!last || cluster_notes(last) != n)
		return n > 0 || last;
	for (uint32_t i = 0; i < n; i++) {
		struct note a = cluster_note(x->c, i), b = cluster_note(last, i);

		if (strcmp(a.subject, b.subject) != 0 || strcmp(a.text, b.text) != 0)
			return true;
	}
	return false;
}

/* Writes all notes if one changed; a row without a subject if there are none any more. */
static bool write_notes(struct writing *x)
{
	uint32_t n = cluster_notes(x->c);
	bool ok = true;

	if (!notes_changed(x))
		return true;
	for (uint32_t i = 0; ok && (i < n || i == 0); i++) {
		sqlite3_stmt *st = db_prepare(&x->w->db, "INSERT INTO note VALUES(?1, ?2, ?3, ?4)",
					      x->err);
		struct note note = n > 0 ? cluster_note(x->c, i) : (struct note){ 0 };

		if (st) {
			sqlite3_bind_int64(st, 1, x->sample);
			sqlite3_bind_int64(st, 2, i);
			sqlite3_bind_text(st, 3, note.subject, -1, SQLITE_STATIC);
			sqlite3_bind_text(st, 4, note.text, -1, SQLITE_STATIC);
		}
		ok = db_step_last(&x->w->db, st, x->err);
	}
	return ok;
}

static bool writer_facts_write_sample(struct writing *x, int64_t clock)
{
	const struct cluster_meta *m = cluster_meta(x->c);
	bool timeless = m->time == I64_UNKNOWN;
	sqlite3_stmt *st = x->w->add;
	int64_t rows = 0;

	for (int t = 0; t < TABLE_COUNT; t++)
		rows += cluster_rows(x->c, (enum table)t);
	if (!st)
		st = x->w->add = db_prepare(&x->w->db, "INSERT INTO sample(id, time, clock, seen,"
					    " timeless, last_decay, boot, last_reset, rows,"
					    " next_object, last_backfill) VALUES(?1,?2,"
					    "?3,?4,?5,?6,?7,?8,?9,?10,?11)", x->err);
	if (!st)
		return false;
	sqlite3_bind_int64(st, 1, x->sample);
	sqlite3_bind_int64(st, 2, timeless ? clock : m->time);
	sqlite3_bind_int64(st, 3, clock);
	sqlite3_bind_int64(st, 4, clock);
	sqlite3_bind_int(st, 5, timeless);
	bind_unknown(st, 6, m->last_decay);
	bind_unknown(st, 7, m->boot);
	bind_unknown(st, 8, m->last_reset);
	sqlite3_bind_int64(st, 9, rows);
	sqlite3_bind_int64(st, 10, x->next_object);
	bind_unknown(st, 11, m->last_backfill > 0 ? m->last_backfill : I64_UNKNOWN);
	return db_step(&x->w->db, st, x->err);
}

bool write_facts(struct writing *x, int64_t clock)
{
	return write_meta(x) && write_policy(x) && write_notes(x) &&
	       writer_facts_write_sample(x, clock) &&
	       sums_write(&x->w->db, x->sample, x->c, x->err);
}
