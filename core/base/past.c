/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/past.h"

#include <string.h>

#include "core/base/format.h"

/* "age=1000 fairshare=20"; a list without the names. */
static void join_entries(const struct value *v, char *buf, size_t size)
{
	buf[0] = '\0';
	for (uint32_t i = 0; i < v->count; i++) {
		const struct value_entry *e = &v->entries[i];
		char number[VALUE_DOUBLE_MAX];

		value_print_double(e->number, number);
		format_append(buf, size, "%s%s%s%s", i > 0 ? " " : "", e->key ? e->key : "",
			      e->key ? "=" : "", e->text ? e->text : number);
	}
}

struct past_value past_keep(struct text *texts, const struct value *v)
{
	struct past_value p = { .kind = v->kind };
	char joined[2048];

	switch (v->kind) {
	case VALUE_REAL:
		p.real = v->real;
		break;
	case VALUE_INT:
	case VALUE_BOOL:
		p.integer = v->integer;
		break;
	case VALUE_TEXT:
		p.text = text_intern(texts, v->text, strlen(v->text));
		break;
	case VALUE_MAP:
	case VALUE_LIST:
	case VALUE_RECORDS:
		join_entries(v, joined, sizeof(joined));
		p.kind = VALUE_TEXT;
		p.text = text_intern(texts, joined, strlen(joined));
		break;
	case VALUE_UNKNOWN:
		break;
	}
	return p;
}

void past_give(const struct text *texts, struct past_value v, struct value *out)
{
	out->kind = v.kind;
	if (v.kind == VALUE_TEXT)
		out->text = text_get(texts, v.text);
	else if (v.kind == VALUE_REAL)
		out->real = v.real;
	else if (v.kind != VALUE_UNKNOWN)
		out->integer = v.integer;
}

double past_number(struct past_value v)
{
	if (v.kind == VALUE_REAL)
		return v.real;
	return v.kind == VALUE_INT ? (double)v.integer : F64_UNKNOWN;
}

bool past_equal(struct past_value a, struct past_value b)
{
	if (a.kind != b.kind)
		return false;
	if (a.kind == VALUE_REAL)
		return !(a.real < b.real) && !(a.real > b.real);
	if (a.kind == VALUE_TEXT)
		return a.text == b.text;
	return a.kind == VALUE_UNKNOWN || a.integer == b.integer;
}
