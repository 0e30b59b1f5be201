/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/held.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "core/cluster/policy.h"

static bool to_utc(void *context, int64_t time, struct civil *civil)
{
	time_t t = (time_t)time;
	struct tm tm;

	(void)context;
	gmtime_r(&t, &tm);
	*civil = (struct civil){ .year = tm.tm_year + 1900, .month = tm.tm_mon + 1,
				 .day = tm.tm_mday, .hour = tm.tm_hour, .minute = tm.tm_min };
	return true;
}

static const struct calendar utc = { .to_local = to_utc };

/* ---- a cluster of four nodes ---------------------------------------------------------------- */

static void add_tree(struct builder *b)
{
	static const char *const accounts[] = { "root", "physics", "hep", "hep" };

	for (uint32_t i = 0; i < 4; i++) {
		uint32_t row = builder_add(b, TABLE_ASSOC);

		builder_u32(b, F_ASSOC_ID, row, i + 1);
		if (i > 0)
			builder_u32(b, F_ASSOC_PARENT, row, i);
		builder_str(b, F_ASSOC_ACCOUNT, row, accounts[i]);
		if (i == ANNA)
			builder_str(b, F_ASSOC_USER, row, "anna");
		builder_u32(b, F_ASSOC_SHARES, row, 1);
		builder_f64(b, F_ASSOC_USAGE, row, 0);
	}
}

/* Adds a QOS whose limits are all known and unlimited. */
uint32_t held_qos(struct builder *b, const char *name)
{
	uint32_t row = builder_add(b, TABLE_QOS);
	const struct tres_item none = { 0, 0 };

	builder_str(b, F_QOS_NAME, row, name);
	for (enum field f = F_QOS_NAME; f < table_first_field(TABLE_QOS + 1); f++) {
		if (strstr(field_info[f].meaning, " limits"))
			builder_tres(b, f, row, &none, 0);
		else if (strstr(field_info[f].meaning, " limit") && f == F_QOS_GRP_WALL)
			builder_i64(b, f, row, I64_INFINITE);
		else if (strstr(field_info[f].meaning, " limit") && f == F_QOS_MAX_WALL)
			builder_i64(b, f, row, I64_INFINITE);
		else if (strstr(field_info[f].meaning, " limit"))
			builder_u32(b, f, row, U32_INFINITE);
	}
	return row;
}

static void add_nodes(struct builder *b)
{
	static const char *const names[] = { "n1", "n2", "n3", "n4" }, *const batch[] = { "batch" };
	uint32_t row = builder_add(b, TABLE_PARTITION);

	builder_str(b, F_PARTITION_NAME, row, "batch");
	builder_u32(b, F_PARTITION_NODES, row, 4);
	builder_u32(b, F_PARTITION_CPUS, row, 32);
	builder_u32(b, F_PARTITION_MAX_NODES, row, U32_INFINITE);
	builder_i64(b, F_PARTITION_MAX_TIME, row, 24 * HOUR);
	for (uint32_t i = 0; i < 4; i++) {
		row = builder_add(b, TABLE_HOST);
		builder_str(b, F_HOST_NAME, row, names[i]);
		builder_str(b, F_HOST_STATE, row, i == 3 ? "DOWN*" : i == 0 ? "MIXED" : "IDLE");
		builder_u32(b, F_HOST_CPUS, row, 8);
		builder_u32(b, F_HOST_CPUS_USED, row, i == 0 ? 6 : 0);
		builder_f64(b, F_HOST_MEMORY, row, 64000);
		builder_list(b, F_HOST_PARTITIONS, row, batch, 1);
	}
}

uint32_t held_add_job(struct builder *b, uint32_t id, const char *reason, uint32_t cpus)
{
	const struct tres_item items[] = { { CPU, cpus }, { NODE, 1 } };
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, id);
	builder_str(b, F_JOB_USER, row, "anna");
	builder_str(b, F_JOB_ACCOUNT, row, "hep");
	builder_str(b, F_JOB_PARTITION, row, "batch");
	builder_str(b, F_JOB_QOS, row, "normal");
	builder_str(b, F_JOB_STATE, row, "PENDING");
	builder_str(b, F_JOB_REASON, row, reason);
	builder_u32(b, F_JOB_CPUS, row, cpus);
	builder_u32(b, F_JOB_MIN_NODES, row, 1);
	builder_tres(b, F_JOB_TRES, row, items, 2);
	builder_i64(b, F_JOB_TIME_LIMIT, row, HOUR);
	builder_i64(b, F_JOB_SUBMIT, row, NOW - 5000 + id);
	builder_u32(b, F_JOB_PRIORITY, row, strncmp(reason, "JobHeld", 7) == 0 ? 0 : 1000 - id);
	return row;
}

uint32_t held_add_running(struct builder *b)
{
	uint32_t row = held_add_job(b, 90, "None", 6);
	const struct tres_item items[] = { { CPU, 6 }, { NODE, 1 } };

	builder_str(b, F_JOB_STATE, row, "RUNNING");
	builder_tres(b, F_JOB_TRES_ALLOC, row, items, 2);
	builder_str(b, F_JOB_NODE_LIST, row, "n1");
	builder_i64(b, F_JOB_START, row, NOW - HOUR);
	builder_i64(b, F_JOB_END, row, NOW + 3 * HOUR + 600);
	return row;
}

size_t held_enforced(void)
{
	static const char name[] = "AccountingStorageEnforce";

	return policy_param(name);
}

struct builder *held_site(const char *reason, uint32_t cpus)
{
	struct cluster_meta meta = { .kind = "slurm", .name = "made", .version = "22.05.8",
				     .zone = "UTC", .time = NOW, .boot = NOW - 100000,
				     .last_decay = NOW - 100, .last_reset = I64_UNKNOWN };
	struct builder *b = builder_new();
	struct policy *p = builder_policy(b);
	struct err err = { .code = ERR_NONE };

	builder_meta(b, &meta);
	strcpy(p->type, "priority/basic");
	policy_set_text(p, held_enforced(), "associations,limits,qos", &err);
	policy_set_text(p, policy_param("SelectTypeParameters"), "CR_CPU", &err);
	(void)builder_tres_row(b, "cpu", 3);
	(void)builder_tres_row(b, "mem", 3);
	(void)builder_tres_row(b, "node", 4);
	add_tree(b);
	held_qos(b, "normal");
	add_nodes(b);
	held_add_running(b);
	held_add_job(b, JOB, reason, cpus);
	return b;
}

void held_limit_tres(struct builder *b, enum field field, uint32_t row, uint32_t tres,
		       double count)
{
	const struct tres_item item = { tres, count };

	builder_tres(b, field, row, &item, 1);
}

/* ---- what core/why says about JOB ----------------------------------------------------------- */

struct held held_say(struct builder *b)
{
	struct err err = { .code = ERR_NONE };
	struct held s = { .c = builder_seal(b, &err) };
	uint32_t e = 0;

	if (!s.c)
		fail_msg("%s", err.message);
	s.m = model_new(s.c, NULL, &err);
	assert_non_null(s.m);
	s.j = jobs_new(s.m, NULL);
	while (cluster_u32(s.c, F_JOB_ID, s.j->index->job[e]) != JOB)
		e++;
	s.w = why_new(s.j, e, &utc);
	return s;
}

void held_free(struct held *s)
{
	why_free(s->w);
	jobs_free(s->j);
	model_free(s->m);
	cluster_free(s->c);
}

const struct why_fact *held_fact(const struct why_line *line, const char *key)
{
	for (uint32_t i = 0; i < line->fact_count; i++) {
		if (strcmp(line->facts[i].key, key) == 0)
			return &line->facts[i];
	}
	fail_msg("\"%s\": no fact %s", line->text, key);
	return NULL;
}

void held_is_number(const struct held *s, size_t line, const char *key, double x)
{
	double is = held_fact(&s->w->lines[line], key)->number;

	if (!(isnan(x) && isnan(is)) && !(is >= x && is <= x))
		fail_msg("\"%s\": %s is %g", s->w->lines[line].text, key, is);
}

void held_is_line(const struct held *s, size_t i, const char *kind, const char *text)
{
	assert_true(i < s->w->count && s->w->lines[i].part == WHY_HOLDS);
	assert_string_equal(s->w->lines[i].text, text);
	assert_string_equal(held_fact(&s->w->lines[i], "kind")->text, kind);
	assert_int_equal(s->w->lines[i].never, strcmp(kind, "never") == 0);
}

size_t held_lines(const struct why *w)
{
	size_t n = 0;

	while (n < w->count && w->lines[n].part == WHY_HOLDS)
		n++;
	return n;
}

void held_once(struct builder *b, const char *kind, const char *cause, const char *text)
{
	struct held s = held_say(b);

	held_is_line(&s, 0, kind, text);
	assert_int_equal(held_lines(s.w), 1);
	assert_string_equal(s.w->cause, cause);
	assert_string_equal(held_fact(&s.w->lines[0], "reason")->text,
			    cluster_text(s.c, F_JOB_REASON, s.w->job));
	assert_int_equal(s.w->never, strcmp(kind, "never") == 0);
	held_free(&s);
}

void held_twice(struct builder *b, const char *kind, const char *text)
{
	struct held s = held_say(b);

	assert_int_equal(held_lines(s.w), 2);
	held_is_line(&s, 1, kind, text);
	assert_null(held_fact(&s.w->lines[1], "reason")->text);
	held_free(&s);
}
