/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schedulers' attributes (qmgr -c 'list sched'). */
#include <stdio.h>
#include <string.h>

#include "adapters/pbs/reader.h"

#define VALUE_MAX 4096

/* ---- qmgr -c 'list sched' ------------------------------------------------------------------ */

static const struct pbs_attribute sched_attributes[] = {
	{ "sched_host", F_SCHED_HOST, PBS_AS_TEXT },
	{ "state", F_SCHED_STATE, PBS_AS_TEXT },
	{ "scheduling", F_SCHED_SCHEDULING, PBS_AS_BOOL },
	{ "sched_priv", F_SCHED_PRIV, PBS_AS_TEXT },
	{ "sched_log", F_SCHED_LOG, PBS_AS_TEXT },
	{ "log_events", F_SCHED_LOG_EVENTS, PBS_AS_U32 },
	{ "job_sort_formula", F_SCHED_FORMULA, PBS_AS_TEXT },
	{ "do_not_span_psets", F_SCHED_DO_NOT_SPAN_PSETS, PBS_AS_BOOL },
	{ "only_explicit_psets", F_SCHED_ONLY_EXPLICIT_PSETS, PBS_AS_BOOL },
	{ NULL, F_COUNT, PBS_AS_TEXT }
};

/* "pbs-default,weekend" */
static void put_partitions(struct pbs_reader *r, uint32_t row, const char *value)
{
	struct slice rest = slice_of(value), piece;
	char names[32][100];
	const char *items[32];
	uint32_t n = 0;

	while (n < 32 && slice_piece(&rest, ',', &piece)) {
		piece = slice_trim(piece);
		snprintf(names[n], sizeof(names[n]), "%.*s", SLICE_PRINT(piece));
		items[n] = names[n];
		n++;
	}
	builder_list(r->b, F_SCHED_PARTITION, row, items, n);
}

/* Is it the scheduler whose policy and tree are read? */
static bool pbs_sched_is_shown(struct pbs_reader *r, uint32_t row)
{
	/* Borrowed: valid until the next text is put. */
	const char *sched = builder_get_text(r->b, F_SCHED_NAME, row);

	return sched && strcmp(sched, r->texts->sched ? r->texts->sched : "default") == 0;
}

static void pbs_sched_put_attribute(struct pbs_reader *r, uint32_t row, struct pbs_list *settings,
				    const char *name, const char *value)
{
	const struct pbs_attribute *a = pbs_attribute_find(sched_attributes, name);
	struct json_text v = { PULL_STRING, value, strlen(value) };
	size_t param = policy_param(name);

	if (a)
		pbs_put(r, a, row, &v);
	if (strcmp(name, "partition") == 0)
		put_partitions(r, row, value);
	if (param == policy_params_count || !policy_qmgr_object(param))
		return;
	pbs_list_add(settings, name, value);
	/* Others have a policy of their own. */
	if (pbs_sched_is_shown(r, row))
		pbs_put_policy(r, name, value);
}

/* Splits "name = value", if both fit. */
static bool pbs_sched_split(struct slice line, char *name, size_t name_size, char *value,
			    size_t size)
{
	const char *equals = memchr(line.at, '=', line.length);
	struct slice left, right;

	if (!equals)
		return false;
	left = slice_trim((struct slice){ line.at, (size_t)(equals - line.at) });
	right = slice_trim(slice_from(line, (size_t)(equals - line.at) + 1));
	if (left.length >= name_size || right.length >= size)
		return false;
	memcpy(name, left.at, left.length);
	name[left.length] = '\0';
	memcpy(value, right.at, right.length);
	value[right.length] = '\0';
	return true;
}

/* Long values continue in lines that begin with a tab. */
static void append_line(char *value, size_t size, struct slice line)
{
	size_t used = strlen(value);

	line = slice_trim(line);
	if (used + line.length < size) {
		memcpy(value + used, line.at, line.length);
		value[used + line.length] = '\0';
	}
}

/* Puts the SETTINGS of the scheduler at ROW and returns the row of the next one. */
static uint32_t next_sched(struct pbs_reader *r, uint32_t row, struct pbs_list *settings,
			   struct slice name)
{
	if (row != ROW_NONE)
		pbs_list_put(settings, r->b, F_SCHED_SETTINGS, row);
	row = builder_add(r->b, TABLE_SCHED);
	builder_text(r->b, F_SCHED_NAME, row, name.at, name.length);
	if (r->texts->sched && pbs_sched_is_shown(r, row))
		builder_u32(r->b, F_SCHED_SHOWN, row, 1);
	return row;
}

bool pbs_read_sched(struct pbs_reader *r)
{
	struct slice rest = { r->text->text, r->text->length }, line;
	char name[100] = "", value[VALUE_MAX] = "";
	struct pbs_list settings = { NULL, 0, 0 };
	uint32_t row = ROW_NONE;
	bool good = true;

	while (good && slice_line(&rest, &line)) {
		if (line.length > 0 && line.at[0] == '\t') {
			append_line(value, sizeof(value), line);
			continue;
		}
		if (row != ROW_NONE && name[0])
			pbs_sched_put_attribute(r, row, &settings, name, value);
		name[0] = '\0';
		if (slice_take(&line, "Sched "))
			row = next_sched(r, row, &settings, slice_trim(line));
		else if (slice_trim(line).length > 0 && row == ROW_NONE)
			good = pbs_fail(r, "\"%.*s\": expected the output of qmgr -c 'list sched'",
					SLICE_PRINT(line));
		else if (!pbs_sched_split(line, name, sizeof(name), value, sizeof(value)))
			name[0] = '\0';
	}
	if (row != ROW_NONE && name[0])
		pbs_sched_put_attribute(r, row, &settings, name, value);
	if (row != ROW_NONE)
		pbs_list_put(&settings, r->b, F_SCHED_SETTINGS, row);
	pbs_list_free(&settings);
	return good;
}
