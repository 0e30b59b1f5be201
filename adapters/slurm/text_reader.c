/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/text_reader.h"

#include <stdio.h>
#include <string.h>

#include "adapters/pasted.h"
#include "adapters/slurm/parse_conf.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/tres.h"
#include "core/base/word.h"

/* ---- rows by name -------------------------------------------------------------------------- */

uint32_t reader_named_row(struct slurm_reader *r, struct idmap *ix, enum table table,
			  enum field name_field, struct slice name, bool add)
{
	uint64_t hash = text_hash(name.at, name.length, table);
	size_t at = 0;
	uint32_t row;

	while ((row = idmap_next(ix, hash, &at)) != ROW_NONE) {
		if (slice_is(name, builder_get_text(r->b, name_field, row)))
			return row;
	}
	if (!add)
		return ROW_NONE;
	row = builder_add(r->b, table);
	builder_text(r->b, name_field, row, name.at, name.length);
	idmap_add(ix, hash, row);
	return row;
}

struct slice reader_full_name(struct slurm_reader *r, enum table table, enum field name_field,
			      struct slice prefix)
{
	struct slice found = { "", 0 };
	uint32_t count = 0;

	for (uint32_t row = 0; row < builder_rows(r->b, table); row++) {
		const char *text = builder_get_text(r->b, name_field, row);
		struct slice name;

		if (!text)
			continue;
		name = slice_of(text);
		if (slice_equal(name, prefix))
			return name;
		if (name.length > prefix.length && memcmp(text, prefix.at, prefix.length) == 0) {
			found = name;
			count++;
		}
	}
	return count == 1 ? found : (struct slice){ "", 0 };
}

/* ---- values -------------------------------------------------------------------------------- */

bool reader_fail(struct slurm_reader *r, const char *format, ...)
{
	struct err own = { .code = ERR_NONE };
	va_list args;

	va_start(args, format);
	err_vset(r->lenient ? &own : r->err, ERR_INPUT, r->line, format, args);
	va_end(args);
	if (!r->lenient)
		return err_at(r->err, r->text->name, 0);
	if (r->bad++ == 0)
		(void)snprintf(r->first_bad, sizeof(r->first_bad), "line %u: %.400s",
			       (unsigned)r->line, own.message);
	return true;
}

bool reader_is_foreign(const struct slurm_reader *r, struct slice cluster)
{
	return cluster.length != 0 && r->cluster[0] && !slice_same(cluster, r->cluster);
}

bool reader_none(struct slurm_reader *r, const char *what)
{
	struct slice rest = { r->text->text, r->text->length }, line, top = { "", 0 };

	r->line = 0;
	for (uint32_t n = 1; slice_line(&rest, &line); n++) {
		if (slice_starts(line, "No ") &&
		    (r->line == 0 || memmem(line.at, line.length, " in ", 4)))
			return true;
		if (r->line == 0 && slice_trim(line).length > 0) {
			top = line;
			r->line = n;
		}
	}
	return r->text->length == 0 ||
	       reader_fail(r, "\"%.*s\": expected %s, as %s prints them", SLICE_PRINT(top), what,
			   slurm_dir_command(r->text->name));
}

static bool reader_wrong(struct slurm_reader *r, const char *key, struct slice s,
			 const char *expected)
{
	return reader_fail(r, "%s \"%.*s\": expected %s", key, SLICE_PRINT(s), expected);
}

static bool reader_put_time(struct slurm_reader *r, enum field field, uint32_t row, struct slice s,
			    const char *key)
{
	int64_t time;

	if (slice_same(s, "Unknown") || slice_same(s, "None"))
		return true;
	if (!slice_time(s, &time))
		return reader_wrong(r, key, s, "a time (2026-01-31T12:00:00)");
	builder_i64(r->b, field, row, time + r->shift);
	return true;
}

static bool reader_put_duration(struct slurm_reader *r, enum field field, uint32_t row,
				struct slice s, const char *key)
{
	int64_t seconds;

	if (slice_same(s, "NONE") || slice_same(s, "Partition_Limit") || slice_same(s, "INVALID") ||
	    slice_same(s, "NOT_SET"))
		return true;
	if (!slice_duration(s, &seconds))
		return reader_wrong(r, key, s, "a duration (days-hours:minutes:seconds)");
	builder_i64(r->b, field, row, seconds);
	return true;
}

static bool reader_put_shares(struct slurm_reader *r, enum field field, uint32_t row,
			      struct slice s, const char *key)
{
	uint32_t shares;

	if (slice_same(s, "parent"))
		shares = SHARES_PARENT;
	else if (!slice_u32(s, &shares))
		return reader_wrong(r, key, s, "a number or \"parent\"");
	builder_u32(r->b, field, row, shares);
	return true;
}

static bool reader_put_number(struct slurm_reader *r, enum field field, uint32_t row,
			      struct slice s, const char *key)
{
	uint32_t u;
	int64_t i;
	double x;

	switch (field_info[field].type) {
	case FIELD_U32:
		if (!slice_u32(s, &u))
			return reader_wrong(r, key, s, "a number");
		builder_u32(r->b, field, row, u);
		return true;
	case FIELD_I64:
		if (!slice_i64(s, &i))
			return reader_wrong(r, key, s, "a number");
		builder_i64(r->b, field, row, i);
		return true;
	default:
		if (!slice_f64(s, &x))
			return reader_wrong(r, key, s, "a number");
		builder_f64(r->b, field, row, x);
		return true;
	}
}

/* "a,b,c" into a field of type LIST. */
static void reader_put_list(struct slurm_reader *r, enum field field, uint32_t row, struct slice s)
{
	char *copy = mem_strndup(s.at, s.length);
	const char **strings = NULL;
	size_t capacity = 0, count = 0;
	char *state = NULL;

	for (char *at = strtok_r(copy, ",", &state); at; at = strtok_r(NULL, ",", &state)) {
		MEM_GROW(strings, capacity, count + 1);
		strings[count++] = at;
	}
	if (count != 0)
		builder_list(r->b, field, row, strings, (uint32_t)count);
	mem_free(strings);
	mem_free(copy);
}

/* "Unknown" and "N/A" are 0 in the job; for the accrue time this means that it accrues no age. */
static bool is_no_time(struct slice s)
{
	return s.length > 0 && (slice_absent(s) || slice_same(s, "Unknown"));
}

/* TresPerTask since 23.11: includes the CPUs of -c ("cpu=2", "cpu:2"). */
static bool is_cpus_alone(struct slice s)
{
	return s.length > 3 && memcmp(s.at, "cpu", 3) == 0 && !memchr(s.at, ',', s.length);
}

bool reader_put(struct slurm_reader *r, enum field field, uint32_t row, struct slice s,
		const char *key)
{
	bool yes;

	if (field == F_JOB_ACCRUE && is_no_time(s)) {
		builder_i64(r->b, field, row, 0);
		return true;
	}
	if (slice_absent(s) || (field == F_JOB_GRES && is_cpus_alone(s)))
		return true;
	switch (field_info[field].type) {
	case FIELD_TEXT:
		builder_text(r->b, field, row, s.at, s.length);
		return true;
	case FIELD_LIST:
		reader_put_list(r, field, row, s);
		return true;
	case FIELD_TRES:
		return reader_put_tres(r, field, row, s, 1.0, key);
	case FIELD_SHARES:
		return reader_put_shares(r, field, row, s, key);
	case FIELD_BOOL:
		if (!slice_bool(s, &yes))
			return reader_wrong(r, key, s, "yes or no");
		builder_bool(r->b, field, row, yes);
		return true;
	case FIELD_I64:
		if (field_info[field].unit == UNIT_TIME)
			return reader_put_time(r, field, row, s, key);
		if (field_info[field].unit == UNIT_SECONDS)
			return reader_put_duration(r, field, row, s, key);
		return reader_put_number(r, field, row, s, key);
	default:
		return reader_put_number(r, field, row, s, key);
	}
}

/* ---- lists --------------------------------------------------------------------------------- */

struct tres_gather {
	struct slurm_reader *r;
	struct tres_item *items;
	size_t count, capacity;
	double factor;
};

static bool gather_tres(void *context, const struct tres_pair *pair, struct err *err)
{
	struct tres_gather *g = context;

	(void)err;
	MEM_GROW(g->items, g->capacity, g->count + 1);
	g->items[g->count].tres = builder_tres_row(g->r->b, pair->name, strlen(pair->name));
	g->items[g->count++].count = pair->value * g->factor;
	return true;
}

bool reader_put_tres(struct slurm_reader *r, enum field field, uint32_t row, struct slice s,
		     double factor, const char *key)
{
	struct tres_gather g = { .r = r, .factor = factor };
	char *text = mem_strndup(s.at, s.length);
	struct err err;
	bool good = tres_parse_counts(text, gather_tres, &g, &err);

	if (good) {
		const struct tres_item none = { 0, 0 };

		builder_tres(r->b, field, row, g.items ? g.items : &none, (uint32_t)g.count);
	} else {
		good = reader_fail(r, "%s: %s", key, err.message);
	}
	mem_free(g.items);
	mem_free(text);
	return good;
}

uint32_t reader_tres_row(struct slurm_reader *r, struct slice name)
{
	char *lower = mem_strndup(name.at, name.length);
	uint32_t row;

	for (size_t i = 0; i < name.length; i++)
		lower[i] = word_lower(lower[i]);
	row = builder_tres_row(r->b, lower, name.length);
	mem_free(lower);
	return row;
}

void reader_total(struct slurm_reader *r, struct slice name, double count)
{
	uint32_t row = reader_tres_row(r, name);

	while (row >= r->tres_count) {
		MEM_GROW(r->tres_total, r->tres_capacity, r->tres_count + 1);
		r->tres_total[r->tres_count++] = F64_UNKNOWN;
	}
	if (!f64_known(r->tres_total[row]))
		r->tres_total[row] = 0.0;
	r->tres_total[row] += count;
	builder_f64(r->b, F_TRES_COUNT, row, r->tres_total[row]);
}

static bool reader_add_total(void *context, const struct tres_pair *pair, struct err *err)
{
	(void)err;
	if (strcmp(pair->name, "billing") != 0)
		reader_total(context, slice_of(pair->name), pair->value);
	return true;
}

void reader_node_totals(struct slurm_reader *r, struct slice tres)
{
	char *list = mem_strndup(tres.at, tres.length);

	reader_total(r, slice_of("node"), 1.0);
	tres_parse_counts(list, reader_add_total, r, NULL);
	mem_free(list);
}

bool reader_put_policy(struct slurm_reader *r, struct slice key, struct slice value)
{
	struct err err;
	bool cut = false;

	if (!slurm_conf_policy(builder_policy(r->b), key, value, &cut, &err))
		return reader_fail(r, "%s", err.message);
	if (cut)
		builder_note(r->b, "policy", "%.*s is too long and was cut", SLICE_PRINT(key));
	return true;
}

bool slurm_lists_jobs(const struct slurm_texts *texts)
{
	return texts->kind[SLURM_JOB].text || texts->kind[SLURM_SQUEUE_JSON].text ||
	       texts->kind[SLURM_SQUEUE].text || texts->kind[SLURM_SQUEUE_LONG].text;
}

/* ---- tables by their titles ---------------------------------------------------------------- */

void reader_columns(const struct text_table *t, const struct field_key *keys, size_t count,
		    size_t *columns)
{
	for (size_t i = 0; i < count; i++)
		columns[i] = table_column(t, keys[i].key, 0);
}

bool reader_put_row(struct slurm_reader *r, const struct text_table *t,
		    const struct field_key *keys, size_t count, const size_t *columns, uint32_t row)
{
	for (size_t i = 0; i < count; i++) {
		if (columns[i] != TABLE_NO_COLUMN &&
		    !reader_put(r, keys[i].field, row, table_cell(t, columns[i]), keys[i].key))
			return false;
	}
	return true;
}

/* ---- Key=Value ----------------------------------------------------------------------------- */

void pairs_open(struct pairs *p, const struct slurm_text *text, const char *own)
{
	memset(p, 0, sizeof(*p));
	p->own = own;
	p->rest = (struct slice){ text->text, text->length };
}

static bool reader_is_key_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("_:/.[]-", c));
}

/* Length of the key that S begins with, 0 if it does not begin with "Key=". */
static size_t key_length(struct slice s)
{
	size_t n = 0;

	if (s.length == 0 || !((s.at[0] >= 'a' && s.at[0] <= 'z') ||
			       (s.at[0] >= 'A' && s.at[0] <= 'Z')))
		return 0;
	while (n < s.length && reader_is_key_char(s.at[n]))
		n++;
	return n < s.length && s.at[n] == '=' ? n : 0;
}

/* Length of the value at the beginning of S. */
static size_t value_length(struct slice s)
{
	size_t n = 0;

	if (s.length > 0 && slice_is_blank(s.at[0]))
		return 0;
	while (n < s.length) {
		if (s.at[n] == ' ' && key_length(slice_from(s, n + 1)) != 0)
			break;
		n++;
	}
	return n;
}

/* Skips what people paste around the records, and records of another kind. */
static bool reader_is_aside(struct pairs *p)
{
	static const char starts[] = "JobId,StepId,PartitionName,NodeName,ReservationName,"
				     "LicenseName,UserName,ClusterName,QOS";
	bool prompt = pasted_is_prompt(p->line);
	size_t length = key_length(p->line);

	if (prompt || (p->line.length > 0 && p->line.at[0] != ' ' && pasted_is_remark(p->line))) {
		if (p->remark.length == 0)
			p->remark = p->line;
		p->away = p->away || prompt;
		return true;
	}
	if (length > 0 && word_listed(starts, p->line.at, length))
		p->away = !word_listed(p->own, p->line.at, length);
	return p->away;
}

bool pairs_next(struct pairs *p)
{
	for (;;) {
		struct slice word;
		const char *begin = p->line.at;
		size_t length;

		p->line = slice_trim(p->line);
		p->line_start = p->line.at == begin && p->line_start;
		length = key_length(p->line);
		if (length != 0) {
			p->key = (struct slice){ p->line.at, length };
			p->value = slice_from(p->line, length + 1);
			p->value.length = value_length(p->value);
			p->line = slice_from(p->line, length + 1 + p->value.length);
			p->value = slice_trim(p->value);
			return true;
		}
		if (slice_word(&p->line, &word))
			continue;
		if (!slice_line(&p->rest, &p->line))
			return false;
		p->line_number++;
		p->line_start = true;
		if (reader_is_aside(p))
			p->line.length = 0;
	}
}
