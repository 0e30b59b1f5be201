/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The objects of the command line: with their kind, by path, or by a bare name. */
#include "core/cluster/cluster_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/near.h"
#include "core/cluster/job_tasks.h"

/* ---- jobs ---------------------------------------------------------------------------------- */

bool job_name_read(const char *text, struct job_name *name)
{
	const char *at = strncmp(text, "job:", 4) == 0 ? text + 4 : text;
	char *end;

	*name = (struct job_name){ at, 0, U32_UNKNOWN, false };
	if (*at < '0' || *at > '9')
		return false;
	name->id = strtoul(at, &end, 10);
	if ((*end == '_' || *end == '[') && end[1] >= '0' && end[1] <= '9') {
		bool bracket = *end == '[';

		name->task = strtoul(end + 1, &end, 10);
		if ((bracket && *end++ != ']') || name->task >= U32_UNKNOWN)
			return false;
	} else if (strncmp(end, "[]", 2) == 0) {
		name->whole = true;
		end += 2;
	}
	name->whole = name->whole || *end == '.';
	return name->id < U32_UNKNOWN && (*end == '\0' || *end == '.');
}

bool job_name_is(const struct job_name *name, const struct cluster *c, uint32_t job)
{
	const char *own = cluster_text(c, F_JOB_JOB_ID, job);
	size_t length = strlen(name->text);

	if (own && strncmp(own, name->text, length) == 0 && strchr(".", own[length]))
		return true;
	if (name->whole)
		return false;
	if (name->task != U32_UNKNOWN)
		return cluster_u32(c, F_JOB_ARRAY, job) == name->id &&
		       cluster_u32(c, F_JOB_TASK, job) == name->task;
	/* Subjobs of PBS have the number of their array. */
	return cluster_u32(c, F_JOB_ID, job) == name->id &&
	       (!own || cluster_u32(c, F_JOB_TASK, job) == U32_UNKNOWN);
}

uint32_t job_name_unsplit(const struct job_name *name, const struct cluster *c)
{
	for (uint32_t row = 0; name->task < U32_UNKNOWN && row < c->rows[TABLE_JOB]; row++) {
		const char *tasks = cluster_text(c, F_JOB_TASKS, row);
		uint32_t array = cluster_u32(c, F_JOB_ARRAY, row);

		if (array == U32_UNKNOWN || array == 0)
			array = cluster_u32(c, F_JOB_ID, row);
		if (tasks && array == name->id && cluster_u32(c, F_JOB_TASK, row) == U32_UNKNOWN &&
		    job_tasks_has(tasks, (uint32_t)name->task))
			return row;
	}
	return ROW_NONE;
}

/* ---- names --------------------------------------------------------------------------------- */

#define MATCHES_LISTED 10

/* All objects with the name NAME; borrowed texts. */
struct matches {
	const char *name;
	size_t length;
	struct near near;
	uint32_t count, listed;
	char *first;			/* owned, as an OBJECT with its kind */
	char list[ERR_MESSAGE_MAX / 2];	/* those named in a message */
};

static void matches_begin(struct matches *m, const char *name, size_t length)
{
	*m = (struct matches){ .name = name, .length = length };
	near_init(&m->near, name, length);
}

/* Takes ownership of OBJECT. */
static void matches_add(struct matches *m, char *object)
{
	size_t used = strlen(m->list);

	if (m->count == m->listed && m->listed < MATCHES_LISTED &&
	    used + strlen(object) + 3 < sizeof(m->list)) {
		format_append(m->list, sizeof(m->list), "%s%s", used ? ", " : "", object);
		m->listed++;
	}
	m->count++;
	if (!m->first)
		m->first = object;
	else
		mem_free(object);
}

static bool object_same_text(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && memcmp(name, text, length) == 0;
}

/* Is this the name of an object? If not, it becomes a candidate for "did you mean". */
static bool matches_name(struct matches *m, const char *name)
{
	bool same = object_same_text(name, m->name, m->length);

	if (!same)
		near_offer(&m->near, name);
	return same;
}

static void matches_accounts(struct matches *m, const struct cluster *c)
{
	char room[VALUE_ROOM];

	for (uint32_t i = 0; i < c->rows[TABLE_ASSOC]; i++) {
		if (!cluster_is_user(c, i) &&
		    matches_name(m, cluster_name(c, F_ASSOC_ACCOUNT, i)))
			matches_add(m, mem_strdup(cluster_path_get(c, i, room)));
	}
}

/* AT: "@ACCOUNT" or "@ACCOUNT@PARTITION" after the name restricts the users; "" does not. */
static void matches_users(struct matches *m, const struct cluster *c, const char *at)
{
	const char *partition = *at ? strchr(at + 1, '@') : NULL;
	size_t account = partition ? (size_t)(partition - at - 1) : strlen(at + (*at != '\0'));
	char room[VALUE_ROOM];

	partition = partition ? partition + 1 : "";
	for (uint32_t i = 0; i < c->rows[TABLE_ASSOC]; i++) {
		if (!cluster_is_user(c, i) ||
		    !matches_name(m, cluster_name(c, F_ASSOC_USER, i)))
			continue;
		if (!*at ||
		    (object_same_text(cluster_name(c, F_ASSOC_ACCOUNT, i), at + 1, account) &&
		     strcmp(cluster_name(c, F_ASSOC_PARTITION, i), partition) == 0))
			matches_add(m, mem_strdup(cluster_path_get(c, i, room)));
	}
}

static void matches_rows(struct matches *m, const struct cluster *c, enum field field,
			 const char *kind)
{
	for (uint32_t i = 0; i < c->rows[field_info[field].table]; i++) {
		const char *name = cluster_text(c, field, i);

		if (name && matches_name(m, name))
			matches_add(m, mem_format("%s:%s", kind, name));
	}
}

/* Returns the only match, the caller's; else NULL and ERR_INPUT: no such KIND, or several. */
static char *matches_end(struct matches *m, const char *subject, const char *kind,
			 const char *text, struct err *err)
{
	char hint[200];

	if (m->count == 1)
		return m->first;
	near_text(&m->near, hint, sizeof(hint));
	if (m->count > 0)
		err_set(err, ERR_INPUT, "%s \"%.100s\": %u matches (expected one of %s%s)",
			subject, text, (unsigned)m->count, m->list,
			m->count > m->listed ? " ..." : "");
	else
		err_set(err, ERR_INPUT, "%s \"%.120s\": no such %s%s%s%s", subject, text, kind,
			hint[0] ? " (" : "", hint, hint[0] ? ")" : "");
	mem_free(m->first);
	return NULL;
}

/* ---- objects ------------------------------------------------------------------------------- */

static const struct {
	const char *prefix;
	unsigned kind;
} prefixes[] = {
	{ "/", OBJECT_ASSOC }, { "account:", OBJECT_ASSOC }, { "user:", OBJECT_ASSOC },
	{ "job:", OBJECT_JOB }, { "queue:", OBJECT_QUEUE }, { "pool:", OBJECT_POOL },
	{ "class:", OBJECT_CLASS },
};

const char *cluster_object_prefix(size_t i)
{
	return i < sizeof(prefixes) / sizeof(prefixes[0]) ? prefixes[i].prefix : NULL;
}

unsigned cluster_object_kinds(const char *text)
{
	struct job_name job;

	for (size_t i = 0; cluster_object_prefix(i); i++) {
		if (strncmp(text, prefixes[i].prefix, strlen(prefixes[i].prefix)) == 0)
			return prefixes[i].kind;
	}
	return OBJECT_BARE | OBJECT_ASSOC | OBJECT_QUEUE | OBJECT_POOL |
	       (job_name_read(text, &job) ? (unsigned)OBJECT_JOB : 0);
}

/* Returns the path of "account:" NAME, the caller's; NULL as in matches_end(). */
static char *account_path(const struct cluster *c, const char *name, struct err *err)
{
	struct matches m;

	matches_begin(&m, name, strlen(name));
	matches_accounts(&m, c);
	return matches_end(&m, "account", "account", name, err);
}

/* The same for "user:" TEXT. */
static char *user_path(const struct cluster *c, const char *text, struct err *err)
{
	size_t first = strcspn(text, "@"), length = first;
	struct matches m;

	matches_begin(&m, text, length);
	matches_users(&m, c, text + length);
	/* A name may itself contain an @. */
	while (m.count == 0 && text[length]) {
		length += 1 + strcspn(text + length + 1, "@");
		matches_begin(&m, text, length);
		matches_users(&m, c, text + length);
	}
	if (m.count > 0 || !text[first])
		return matches_end(&m, "user", "user", text, err);
	/* The same user elsewhere is a better hint than similar names. */
	matches_begin(&m, text, first);
	matches_users(&m, c, "");
	if (m.count == 0)
		return matches_end(&m, "user", "user", text, err);
	err_set(err, ERR_INPUT, "user \"%.120s\": no such association (the user has %s)", text,
		m.list);
	mem_free(m.first);
	return NULL;
}

static bool has_job(const struct cluster *c, const char *text)
{
	struct job_name name;

	for (uint32_t row = 0; job_name_read(text, &name) && row < c->rows[TABLE_JOB]; row++) {
		if (job_name_is(&name, c, row))
			return true;
	}
	return false;
}

/* "physics/hep", "physics:alice": a path without its beginning; the caller's, or NULL. */
static char *loose_path(const struct cluster *c, const char *text)
{
	char *path = mem_format("/%s", text);

	if (strpbrk(text, "/:") && cluster_by_path(c, path) != ROW_NONE)
		return path;
	mem_free(path);
	return NULL;
}

char *cluster_object(const struct cluster *c, const char *text, unsigned kinds, struct err *err)
{
	unsigned may = cluster_object_kinds(text);
	const char *kind = kinds == OBJECT_JOB ? "job" : kinds & OBJECT_QUEUE ? "object" :
			   kinds & OBJECT_JOB ? "account, user or job" : "account or user";
	struct matches m;
	char *path;

	if (!(may & OBJECT_BARE))
		return mem_strdup(text);
	kinds &= may;
	matches_begin(&m, text, strlen(text));
	if (kinds & OBJECT_ASSOC) {
		matches_accounts(&m, c);
		matches_users(&m, c, "");
	}
	if (kinds & OBJECT_QUEUE)
		matches_rows(&m, c, F_QUEUE_NAME, "queue");
	if (kinds & OBJECT_POOL)
		matches_rows(&m, c, F_POOL_NAME, "pool");
	/* For an unknown number the job look-up has the best message. */
	if (kinds & OBJECT_JOB && (m.count == 0 || has_job(c, text)))
		matches_add(&m, mem_format("job:%s", text));
	path = m.count == 0 && kinds & OBJECT_ASSOC ? loose_path(c, text) : NULL;
	if (path)
		return path;
	if (m.count == 0 && kinds & OBJECT_ASSOC && strchr(text, '@'))
		return user_path(c, text, err);
	return matches_end(&m, "object", kind, text, err);
}

uint32_t cluster_find_assoc(const struct cluster *c, const char *object, struct err *err)
{
	uint32_t row = ROW_NONE;
	char *path;

	if (strncmp(object, "account:", 8) == 0)
		path = account_path(c, object + 8, err);
	else if (strncmp(object, "user:", 5) == 0)
		path = user_path(c, object + 5, err);
	else
		path = cluster_object(c, object, OBJECT_ASSOC, err);
	if (path) {
		row = cluster_by_path(c, path);
		if (row == ROW_NONE)
			err_set(err, ERR_INPUT, "%s \"%.200s\": no such association",
				path[0] == '/' ? "path" : "object", path);
	}
	mem_free(path);
	return row;
}
