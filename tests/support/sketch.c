/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/sketch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/share/fairshare.h"
#include "core/base/mem.h"
#include "tests/support/pbs.h"

#define DEPTH_MAX 32

struct sketch {
	struct builder *b;
	uint32_t above[DEPTH_MAX];	/* ids */
	char account[DEPTH_MAX][65536];
	uint32_t line, jobs;
};

static void wrong(const char *what, const char *line)
{
	fprintf(stderr, "sketch: %s: %.60s\n", what, line);
	exit(99);
}

/* Copies a name up to one of STOPS or the end, %XX as bytes; returns what follows it. */
static const char *take_name(const char *at, const char *stops, char *name, size_t size)
{
	size_t used = 0;

	while (*at != '\0' && !strchr(stops, *at)) {
		unsigned byte = (unsigned char)*at;
		if (*at == '%' && sscanf(at + 1, "%2x", &byte) == 1)
			at += 2;
		if (used + 1 >= size)
			wrong("a name is too long", at);
		name[used++] = (char)byte;
		at++;
	}
	name[used] = '\0';
	return at;
}

static void add_jobs(struct sketch *s, uint32_t id, const char *user, const char *account,
		     const char *state, long count)
{
	for (long i = 0; i < count; i++) {
		uint32_t row = builder_add(s->b, TABLE_JOB);
		builder_u32(s->b, F_JOB_ID, row, ++s->jobs);
		builder_u32(s->b, F_JOB_ASSOC, row, id);
		builder_str(s->b, F_JOB_USER, row, user);
		builder_str(s->b, F_JOB_ACCOUNT, row, account);
		builder_str(s->b, F_JOB_STATE, row, state);
		builder_u32(s->b, F_JOB_CPUS, row, 16);
		builder_f64(s->b, F_JOB_BILLING, row, 16);
		builder_i64(s->b, F_JOB_NICE, row, 0);
		builder_i64(s->b, F_JOB_SITE, row, 0);
	}
}

static uint32_t find_number(const char *line, uint32_t otherwise)
{
	const char *mark = strstr(line, " #");

	return mark ? (uint32_t)strtoul(mark + 2, NULL, 10) : otherwise;
}

static void add_numbers(struct sketch *s, uint32_t row, const char *at, bool user)
{
	char *end;

	at += strspn(at, " ");
	if (strncmp(at, "parent", 6) == 0)
		builder_u32(s->b, F_ASSOC_SHARES, row, SHARES_PARENT);
	else if (*at != '-')
		builder_u32(s->b, F_ASSOC_SHARES, row, (uint32_t)strtoul(at, NULL, 10));
	at += strcspn(at, " ");
	at += strspn(at, " ");
	if (!user || *at == '-' || *at == '\0')
		return;
	double usage = strtod(at, &end);
	if (end == at)
		wrong("usage is missing", at);
	builder_f64(s->b, F_ASSOC_USAGE, row, usage);
}

static void add_line(struct sketch *s, const char *line)
{
	size_t depth = strspn(line, "\t");
	const char *at = line + depth, *jobs;
	bool user = *at == '+';
	char name[65536], partition[64] = "";
	uint32_t row = builder_add(s->b, TABLE_ASSOC), id = find_number(line, ++s->line + 1);

	if (depth + 1 >= DEPTH_MAX)
		wrong("too deep", line);
	at = take_name(at + user, user ? " @" : " ", name, sizeof(name));
	if (*at == '@')
		at = take_name(at + 1, " ", partition, sizeof(partition));
	if (!user)
		snprintf(s->account[depth + 1], sizeof(s->account[0]), "%s", name);
	s->above[depth + 1] = id;
	builder_u32(s->b, F_ASSOC_ID, row, id);
	builder_u32(s->b, F_ASSOC_PARENT, row, s->above[depth]);
	builder_str(s->b, F_ASSOC_ACCOUNT, row, user ? s->account[depth] : name);
	if (user)
		builder_str(s->b, F_ASSOC_USER, row, name);
	if (partition[0] != '\0')
		builder_str(s->b, F_ASSOC_PARTITION, row, partition);
	add_numbers(s, row, at, user);
	if ((jobs = strstr(line, " r")))
		add_jobs(s, id, name, s->account[depth], "RUNNING", strtol(jobs + 2, NULL, 10));
	if ((jobs = strstr(line, " p")) && jobs[2] != 'a')
		add_jobs(s, id, name, s->account[depth], "PENDING", strtol(jobs + 2, NULL, 10));
}

/* ?subject: text */
static void add_note(struct sketch *s, char *line)
{
	char *colon = strchr(line, ':');

	if (!colon)
		wrong("a note without a colon", line);
	*colon = '\0';
	builder_note(s->b, line, "%s", colon + 1 + strspn(colon + 1, " "));
}

/* One resource: cpu=500 */
static void set_tres(struct builder *b, enum field field, uint32_t row, const char *text)
{
	size_t length = strcspn(text, "=");
	struct tres_item item;

	if (text[length] == '\0')
		wrong("a resource without a number", text);
	item.tres = builder_tres_row(b, text, length);
	item.count = strtod(text + length + 1, NULL);
	builder_tres(b, field, row, &item, 1);
}

static void set_field(struct builder *b, enum field field, uint32_t row, const char *value)
{
	switch (field_info[field].type) {
	case FIELD_U32:
		builder_u32(b, field, row, (uint32_t)strtoul(value, NULL, 10));
		break;
	case FIELD_I64:
		builder_i64(b, field, row, strtoll(value, NULL, 10));
		break;
	case FIELD_F64:
		builder_f64(b, field, row, strtod(value, NULL));
		break;
	case FIELD_TEXT:
		builder_str(b, field, row, value);
		break;
	case FIELD_TRES:
		set_tres(b, field, row, value);
		break;
	case FIELD_LIST:
		builder_list(b, field, row, &value, 1);
		break;
	default:
		wrong("a field of this type cannot be sketched", field_info[field].name);
	}
}

/* "job id=7 user=alice" adds a row; "assoc ..." sets fields of the row drawn last */
static void add_row(struct sketch *s, const char *line)
{
	size_t length = strcspn(line, " ");
	enum table table = table_by_name(line, length);
	const char *at = line + length;
	char value[65536];
	uint32_t row;

	if (table == TABLE_COUNT)
		wrong("there is no such table", line);
	row = table == TABLE_ASSOC ? builder_rows(s->b, table) - 1 : builder_add(s->b, table);
	/* The defaults: without a nice value no priority is computed. */
	if (table == TABLE_JOB) {
		builder_i64(s->b, F_JOB_NICE, row, 0);
		builder_i64(s->b, F_JOB_SITE, row, 0);
	}
	for (at += strspn(at, " "); *at != '\0'; at += strspn(at, " ")) {
		size_t name = strcspn(at, "=");
		enum field field = field_by_name(table, at, name);
		if (field == F_COUNT || at[name] != '=')
			wrong("there is no such field", at);
		at = take_name(at + name + 1, " ", value, sizeof(value));
		set_field(s->b, field, row, value);
	}
}

/* PriorityWeightAge 1000 */
static void set_parameter(struct sketch *s, const char *line)
{
	size_t length = strcspn(line, " ");
	struct err err = { 0 };

	if (line[length] == '\0' ||
	    !policy_set_text(builder_policy(s->b), policy_param_by_name(line, length),
			     line + length + 1, &err))
		wrong(err.message, line);
}

static void add_root(struct sketch *s)
{
	uint32_t row = builder_add(s->b, TABLE_ASSOC);

	builder_u32(s->b, F_ASSOC_ID, row, 1);
	builder_str(s->b, F_ASSOC_ACCOUNT, row, "root");
	builder_u32(s->b, F_ASSOC_SHARES, row, 1);
	s->above[0] = 1;
	snprintf(s->account[0], sizeof(s->account[0]), "root");
}

static void add_hosts(struct builder *b)
{
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t row = builder_add(b, TABLE_HOST);
		char name[16];
		snprintf(name, sizeof(name), "n%u", i);
		builder_str(b, F_HOST_NAME, row, name);
		builder_u32(b, F_HOST_CPUS, row, 64);
		builder_u32(b, F_HOST_CPUS_USED, row, i < 3 ? 48 : 0);
	}
}

static void set_policy(struct builder *b, int algorithm)
{
	struct policy *p = builder_policy(b);

	p->half_life = 7 * 86400;
	p->calc_period = 300;
	p->flags = algorithm == FS_DEPTH_OBLIVIOUS ? PF_DEPTH_OBLIVIOUS :
		   algorithm == FS_CLASSIC	   ? PF_NO_FAIR_TREE :
						     0;
}

static void set_later(struct builder *b, const char *seconds)
{
	struct cluster_meta meta = *builder_get_meta(b);

	meta.time += strtol(seconds, NULL, 10);
	builder_meta(b, &meta);
}

struct cluster *sketch_cluster(const char *text, int algorithm)
{
	struct cluster_meta meta = {
		.kind = "sketch", .name = "orion", .version = "1", .zone = "",
		.time = SKETCH_TIME, .last_decay = SKETCH_TIME - 100, .boot = I64_UNKNOWN,
		.last_reset = I64_UNKNOWN,
	};
	struct sketch *s = mem_zalloc(1, sizeof(*s));
	struct err err = { 0 };
	struct cluster *c;

	s->b = builder_new();
	builder_meta(s->b, &meta);
	set_policy(s->b, algorithm);
	add_root(s);
	add_hosts(s->b);
	while (*text != '\0') {
		size_t length = strcspn(text, "\n");
		char *line = mem_strndup(text, length);
		if (line[0] == '?')
			add_note(s, line + 1);
		else if (line[0] == '*')
			add_row(s, line + 1);
		else if (line[0] == '=')
			set_parameter(s, line + 1);
		else if (line[0] == '~')
			set_later(s->b, line + 1);
		else
			add_line(s, line);
		mem_free(line);
		text += length + (text[length] == '\n');
	}
	c = builder_seal(s->b, &err);
	mem_free(s);
	if (!c)
		wrong(err.message, text);
	return c;
}

/* ---- the source ---------------------------------------------------------------------------- */

struct sketch_source {
	struct source base;
	const char *const *texts;
	int algorithm;
};

static enum fetch_result fetch(struct source *base, const struct fetch_request *request,
			       struct cluster **out, struct err *err)
{
	struct sketch_source *s = (struct sketch_source *)base;
	const char *text = *s->texts;

	(void)request;
	if (!text)
		return FETCH_SAME;
	s->texts++;
	if (text[0] == '!') {
		err_set(err, ERR_SOURCE, "%s", text + 1);
		return FETCH_FAILED;
	}
	*out = text[0] == '=' ? pbs_cluster(text + 1) : sketch_cluster(text, s->algorithm);
	return FETCH_NEW;
}

static void close_source(struct source *base)
{
	mem_free(base);
}

static const struct source_ops ops = {
	.scheme = "sketch", .synopsis = "sketch", .meaning = "for tests", .fetch = fetch,
	.close = close_source, .live = true,
};

struct source *sketch_source(const char *const *texts, int algorithm)
{
	struct sketch_source *s = mem_zalloc(1, sizeof(*s));

	s->base.ops = &ops;
	snprintf(s->base.name, sizeof(s->base.name), "sketch");
	s->texts = texts;
	s->algorithm = algorithm;
	return &s->base;
}
