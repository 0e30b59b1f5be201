/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of PBS's attributes, and the functions for them that all parsers share. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/pbs/reader.h"
#include "core/base/mem.h"
#include "core/base/word.h"

bool pbs_fail(struct pbs_reader *r, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	err_vset(r->err, ERR_INPUT, 0, format, args);
	va_end(args);
	return err_at(r->err, r->text->name, 0);
}

bool pbs_fail_json(struct pbs_reader *r, const struct pull *p)
{
	uint32_t line = 1;

	for (const char *at = p->start; at < p->start + p->column && at < p->end; at++)
		line += *at == '\n';
	err_set(r->err, ERR_INPUT, "%s (is this the output of a command with -F json?)",
		p->problem ? p->problem : "expected an object");
	return err_at(r->err, r->text->name, line);
}

/* ---- values -------------------------------------------------------------------------------- */

bool pbs_clock(const char *text, int64_t *seconds)
{
	int64_t total = 0;

	for (int part = 0; part < 3; part++) {
		char *end;
		long long n;

		if (*text < '0' || *text > '9')
			return false;
		n = strtoll(text, &end, 10);
		if (n > INT32_MAX)
			return false;
		total = total * 60 + n;
		/* A fraction of a second may follow. */
		if (*end == '.')
			end += 1 + strspn(end + 1, "0123456789");
		if (*end == '\0') {
			*seconds = total;
			return true;
		}
		if (*end != ':')
			return false;
		text = end + 1;
	}
	return false;
}

bool pbs_size(const char *text, double *mib)
{
	static const char letters[] = "kmgtp";
	char *end;
	double bytes = strtod(text, &end), unit = 1;
	const char *letter;

	if (end == text || *text < '0' || *text > '9' || !isfinite(bytes))
		return false;
	if (*end && (letter = strchr(letters, *end | 0x20))) {
		for (const char *l = letters; l <= letter; l++)
			unit *= 1024;
		end++;
	}
	if (*end == 'b' || *end == 'B') {
		end++;
	} else if (*end == 'w' || *end == 'W') {
		unit *= 8;
		end++;
	}
	*mib = bytes * unit / 1048576;
	return *end == '\0';
}

bool pbs_civil(const char *text, int64_t *civil)
{
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct tm tm = { 0 };
	const char *month;
	char name[4];
	int used = 0;

	if (sscanf(text, "%*3s %3s %2d %2d:%2d:%2d %4d%n", name, &tm.tm_mday, &tm.tm_hour,
		   &tm.tm_min, &tm.tm_sec, &tm.tm_year, &used) != 6 ||
	    text[used] != '\0')
		return false;
	month = strstr(months, name);
	if (!month || (month - months) % 3 != 0 || tm.tm_year < 1970 || tm.tm_mday < 1 ||
	    tm.tm_mday > 31 || tm.tm_hour < 0 || tm.tm_hour > 23 || tm.tm_min < 0 ||
	    tm.tm_min > 59 || tm.tm_sec < 0 || tm.tm_sec > 60)
		return false;
	tm.tm_mon = (int)((month - months) / 3);
	tm.tm_year -= 1900;
	*civil = (int64_t)timegm(&tm);
	return true;
}

int64_t pbs_instant(const struct pbs_reader *r, int64_t civil)
{
	time_t t = (time_t)civil;
	struct tm tm;

	if (r->offset_known)
		return civil - r->offset;
	if (!gmtime_r(&t, &tm))
		return I64_UNKNOWN;
	tm.tm_isdst = -1;
	return (int64_t)mktime(&tm);
}

bool pbs_bool(const char *text, bool *value)
{
	bool yes = word_among("true yes t y 1", " ", text);

	if (!yes && !word_among("false no f n 0", " ", text))
		return false;
	*value = yes;
	return true;
}

const struct pbs_attribute *pbs_attribute_find(const struct pbs_attribute *table, const char *name)
{
	for (; table->name; table++) {
		if (strcmp(table->name, name) == 0)
			return table;
	}
	return NULL;
}

/* An integer; a number that was printed with a fraction or an exponent is rounded. */
static bool values_whole(const char *text, double limit, double *value)
{
	char *end;

	*value = strtod(text, &end);
	*value = round(*value);
	return end != text && *end == '\0' && isfinite(*value) && fabs(*value) < limit;
}

static void values_put_number(struct pbs_reader *r, const struct pbs_attribute *a, uint32_t row,
			      const struct json_text *v)
{
	double number;

	if (a->form == PBS_AS_U32) {
		if (values_whole(v->text, U32_UNKNOWN, &number) && number >= 0)
			builder_u32(r->b, a->field, row, (uint32_t)number);
	} else if (values_whole(v->text, 9e15, &number)) {
		builder_i64(r->b, a->field, row, (int64_t)number);
	}
}

static void values_put_time(struct pbs_reader *r, const struct pbs_attribute *a, uint32_t row,
			    const struct json_text *v)
{
	int64_t civil;
	double number;

	if (v->kind == PULL_INT && values_whole(v->text, 1e12, &number))
		builder_i64(r->b, a->field, row, (int64_t)number);
	else if (pbs_civil(v->text, &civil))
		builder_i64(r->b, a->field, row, pbs_instant(r, civil));
}

void pbs_put(struct pbs_reader *r, const struct pbs_attribute *a, uint32_t row,
	     const struct json_text *v)
{
	int64_t seconds;
	bool yes;

	if (v->kind == PULL_NULL)
		return;
	switch (a->form) {
	case PBS_AS_TEXT:
		builder_text(r->b, a->field, row, v->text, v->length);
		return;
	case PBS_AS_U32:
	case PBS_AS_I64:
		values_put_number(r, a, row, v);
		return;
	case PBS_AS_CLOCK:
		if (pbs_clock(v->text, &seconds))
			builder_i64(r->b, a->field, row, seconds);
		return;
	case PBS_AS_TIME:
		values_put_time(r, a, row, v);
		return;
	case PBS_AS_BOOL:
		if (pbs_bool(v->text, &yes))
			builder_bool(r->b, a->field, row, yes);
		return;
	case PBS_AS_LIST:
		return;
	}
}

/* ---- lists --------------------------------------------------------------------------------- */

void pbs_list_add(struct pbs_list *l, const char *name, const char *value)
{
	size_t size = strlen(name) + strlen(value) + 2;
	char *item = mem_alloc(size, 1);

	snprintf(item, size, "%s=%s", name, value);
	MEM_GROW(l->items, l->capacity, l->count + 1);
	l->items[l->count++] = item;
}

static void list_clear(struct pbs_list *l)
{
	while (l->count > 0)
		mem_free(l->items[--l->count]);
}

void pbs_list_put(struct pbs_list *l, struct builder *b, enum field field, uint32_t row)
{
	builder_list(b, field, row, (const char *const *)l->items, (uint32_t)l->count);
	list_clear(l);
}

void pbs_list_free(struct pbs_list *l)
{
	list_clear(l);
	mem_free(l->items);
	*l = (struct pbs_list){ 0 };
}

bool pbs_list_read(struct pbs_reader *r, struct pull *p, const char *prefix, struct pbs_list *list)
{
	struct pull_value key;
	struct json_text v;
	char name[300];

	while (pull_member(p, &key)) {
		if (!json_text_read(p, &r->scratch, false, &v))
			return false;
		snprintf(name, sizeof(name), "%s%.200s", prefix, key.string);
		if (v.kind != PULL_NULL)
			pbs_list_add(list, name, v.text);
	}
	return !p->problem;
}

bool pbs_is_limit(const char *name)
{
	static const char *const limits[] = {
		"max_run", "max_run_soft", "max_run_res", "max_run_res_soft", "max_queued",
		"max_queued_res", "queued_jobs_threshold", "queued_jobs_threshold_res",
		/* of the old style */
		"max_running", "max_user_run", "max_group_run", "max_user_run_soft",
		"max_group_run_soft", "max_user_res", "max_group_res", "max_user_res_soft",
		"max_group_res_soft", "max_queuable", NULL
	};

	return word_in(limits, name);
}

void pbs_put_policy(struct pbs_reader *r, const char *name, const char *value)
{
	size_t i = policy_param(name);
	struct err err = { 0 };

	if (i == policy_params_count || policy_params[i].scheduler != POLICY_OF_PBS)
		return;
	if (policy_set_text(builder_policy(r->b), i, value, &err))
		return;
	policy_forget(builder_policy(r->b), i);
	builder_note(r->b, "policy", "%s: %s", r->text->name, err.message);
}

/* ---- the frame of every JSON output --------------------------------------------------------- */

static void values_read_head(struct pbs_reader *r, const char *key, const struct json_text *v)
{
	if (strcmp(key, "timestamp") == 0 && v->kind == PULL_INT)
		r->time = strtoll(v->text, NULL, 10);
	else if (strcmp(key, "pbs_version") == 0)
		snprintf(r->version, sizeof(r->version), "%.60s", v->text);
	else if (strcmp(key, "pbs_server") == 0 && v->length > 0)
		snprintf(r->server, sizeof(r->server), "%.250s", v->text);
}

bool pbs_json_open(struct pbs_reader *r, struct pull *p, const char *key, bool *found)
{
	struct pull_value name;
	struct json_text v;

	*found = false;
	json_clean(r->text->text, r->text->length);
	pull_init(p, r->text->text, r->text->length);
	if (pull_value(p, &name) != PULL_OBJECT)
		return pbs_fail_json(r, p);
	while (pull_member(p, &name)) {
		*found = strcmp(name.string, key) == 0;
		if (!json_text_read(p, &r->scratch, *found, &v))
			break;
		*found = *found && v.kind == PULL_OBJECT;
		if (*found)
			return true;
		values_read_head(r, name.string, &v);
	}
	return !p->problem || pbs_fail_json(r, p);
}

bool pbs_json_close(struct pbs_reader *r, struct pull *p)
{
	struct pull_value name;
	struct json_text v;

	while (pull_member(p, &name) && json_text_read(p, &r->scratch, false, &v))
		;
	return pull_end(p) || pbs_fail_json(r, p);
}
