/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/text_json.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"

/* ---- values -------------------------------------------------------------------------------- */

/* Since v0.0.43 an infinite share is 2^64. */
static double text_json_number_of(const struct pull_value *v)
{
	return v->real >= 18446744073709551616.0 ? (double)INFINITY : v->real;
}

/* {"set": true, "infinite": false, "number": 5} */
static double read_wrapped(struct pull *p)
{
	bool set = false, infinite = false;
	double number = (double)NAN;
	struct pull_value key, v;

	while (pull_member(p, &key)) {
		enum pull_kind kind = pull_value(p, &v);

		if (strcmp(key.string, "set") == 0)
			set = kind == PULL_BOOL && v.boolean;
		else if (strcmp(key.string, "infinite") == 0)
			infinite = kind == PULL_BOOL && v.boolean;
		else if (strcmp(key.string, "number") == 0 &&
			 (kind == PULL_INT || kind == PULL_REAL))
			number = text_json_number_of(&v);
		pull_skip(p, kind);
	}
	if (infinite)
		return (double)INFINITY;
	return set ? number : (double)NAN;
}

/* The last text of a list counts: it is a job's present state, after its base state. */
static struct slice text_json_read_words(struct pull *p)
{
	struct slice last = { "", 0 };
	struct pull_value v;

	while (pull_element(p)) {
		enum pull_kind kind = pull_value(p, &v);

		if (kind == PULL_STRING)
			last = (struct slice){ v.string, v.length };
		pull_skip(p, kind);
	}
	return last;
}

void json_value_read(struct pull *p, struct json_value *out)
{
	struct pull_value v;

	*out = (struct json_value){ (double)NAN, { "", 0 } };
	switch (pull_value(p, &v)) {
	case PULL_INT:
		out->number = v.real;
		break;
	case PULL_REAL:
		if (v.real != (double)U32_UNKNOWN)
			out->number = text_json_number_of(&v);
		break;
	case PULL_STRING:
		out->text = (struct slice){ v.string, v.length };
		break;
	case PULL_ARRAY:
		out->text = text_json_read_words(p);
		break;
	case PULL_OBJECT:
		out->number = read_wrapped(p);
		break;
	case PULL_ERROR:
	case PULL_NULL:
	case PULL_BOOL:
		break;
	}
}

void json_put_number(struct slurm_reader *r, enum field field, int factor, double x, uint32_t row)
{
	bool infinite = isinf(x);

	switch (field_info[field].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		if (infinite || (x >= 0.0 && x < (double)U32_UNKNOWN))
			builder_u32(r->b, field, row, infinite ? U32_INFINITE : (uint32_t)x);
		break;
	case FIELD_I64:
		if (infinite || fabs(x) < 1e15)
			builder_i64(r->b, field, row,
				    infinite ? I64_INFINITE : (int64_t)x * factor);
		break;
	case FIELD_F64:
		if (!infinite)
			builder_f64(r->b, field, row, x);
		break;
	case FIELD_BOOL:
	case FIELD_TEXT:
	case FIELD_LIST:
	case FIELD_TRES:
	case FIELD_TYPE_COUNT:
		break;
	}
}

/* ---- rows ---------------------------------------------------------------------------------- */

static bool text_json_read_list(struct slurm_reader *r, struct pull *p, json_row *row,
				void *context)
{
	while (pull_element(p)) {
		bool lenient = r->lenient, good = !pull_opens(p, PULL_OBJECT) || row(r, p, context);

		r->lenient = lenient;
		if (!good)
			return false;
	}
	return true;
}

/* In an object: searches the list among its members, and inside a member of that name. */
static bool find_list(struct slurm_reader *r, struct pull *p, const char *name, json_row *row,
		      void *context, bool *found)
{
	struct pull_value key, v;

	while (pull_member(p, &key)) {
		bool named = strcmp(key.string, name) == 0;

		if (pull_value(p, &v) == PULL_ARRAY && named) {
			*found = true;
			if (!text_json_read_list(r, p, row, context))
				return false;
		} else if (v.kind == PULL_OBJECT && named) {
			if (!find_list(r, p, name, row, context, found))
				return false;
		} else {
			pull_skip(p, v.kind);
		}
	}
	return true;
}

bool json_rows(struct slurm_reader *r, const char *name, json_row *row, void *context)
{
	char *text = (char *)(uintptr_t)r->text->text;
	char **held = &r->held[r->text - r->texts->kind];
	struct pull p;
	bool found = false;

	if (!r->texts->writable) {
		mem_free(*held);	/* of a text read before */
		text = *held = mem_strndup(text, r->text->length);
	}
	pull_init(&p, text, r->text->length);
	p.infinity = true;
	r->line = 1;
	if (pull_opens(&p, PULL_OBJECT) && !find_list(r, &p, name, row, context, &found))
		return false;
	if (!pull_end(&p)) {
		for (size_t i = 0; i + 1 < p.column; i++)
			r->line += r->text->text[i] == '\n';
		return reader_fail(r, "%s", p.problem);
	}
	return found || reader_fail(r, "no list \"%s\" (expected the output of %s --json)", name,
				    strcmp(name, "jobs") == 0 ? "squeue" : "sshare");
}
