/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/snapshot/reader.h"

#include <stdio.h>
#include <string.h>

bool reader_error(struct snapshot_reader *r, struct err *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_vset(err, ERR_INPUT, r->line, format, args);
	va_end(args);
	return false;
}

bool reader_syntax(struct snapshot_reader *r, struct err *err)
{
	return reader_error(r, err, "column %zu: %s%s", r->pull.column, r->pull.problem,
			    r->foreign);
}

bool reader_wrong_type(struct snapshot_reader *r, struct err *err, const char *where,
		       const char *key, const char *expected, enum pull_kind found)
{
	if (found == PULL_ERROR)
		return reader_syntax(r, err);
	return reader_error(r, err, "%s: \"%s\": expected %s, found %s", where, key, expected,
			    pull_kind_name(found));
}

void reader_warn(struct snapshot_reader *r, const char *what)
{
	uint32_t i = 0;

	while (i < r->warning_count && strcmp(r->warnings[i].what, what) != 0)
		i++;
	if (i == WARNINGS_MAX) {
		r->warnings_lost++;
		return;
	}
	if (i == r->warning_count) {
		snprintf(r->warnings[i].what, sizeof(r->warnings[i].what), "%s", what);
		r->warnings[i].line = r->line;
		r->warning_count++;
	}
	r->warnings[i].times++;
}

void reader_note_warnings(struct snapshot_reader *r)
{
	for (uint32_t i = 0; i < r->warning_count; i++) {
		const struct warning *w = &r->warnings[i];

		if (w->times == 1)
			builder_note(r->builder, "snapshot", "line %u: %s", (unsigned)w->line,
				     w->what);
		else
			builder_note(r->builder, "snapshot", "line %u and %u more: %s",
				     (unsigned)w->line, (unsigned)w->times - 1, w->what);
	}
	if (r->warnings_lost > 0)
		builder_note(r->builder, "snapshot", "%u more unknown keys",
			     (unsigned)r->warnings_lost);
}

uint32_t reader_enter(struct snapshot_reader *r)
{
	uint32_t outer = r->stranger_first;

	r->stranger_first = r->stranger_count;
	return outer;
}

void reader_leave(struct snapshot_reader *r, uint32_t entered)
{
	r->stranger_count = r->stranger_first;
	r->stranger_first = entered;
}

bool reader_stranger(struct snapshot_reader *r, const char *where, const struct pull_value *key,
		     struct err *err)
{
	char what[sizeof(r->warnings[0].what)];
	struct pull_value v;

	for (uint32_t i = r->stranger_first; i < r->stranger_count; i++)
		if (r->strangers[i].length == key->length &&
		    memcmp(r->strangers[i].string, key->string, key->length) == 0)
			return reader_error(r, err, "%s: \"%.80s\": duplicate key", where,
					    key->string);
	if (r->stranger_count < STRANGERS_MAX)
		r->strangers[r->stranger_count++] = *key;
	snprintf(what, sizeof(what), "unknown key \"%.40s\" of %s", key->string, where);
	reader_warn(r, what);
	return pull_skip(&r->pull, pull_value(&r->pull, &v)) || reader_syntax(r, err);
}
