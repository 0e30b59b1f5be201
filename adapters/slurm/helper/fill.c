/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/helper/fill.h"

#include <string.h>

#include "adapters/slurm/helper/compat.h"
#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/cluster/tres.h"

#define TRES_MOST 256		/* kinds of TRES in one list; a typical site has a dozen */
#define LIST_MOST 256

int64_t fill_time(time_t t)
{
	return t > 0 ? (int64_t)t : I64_UNKNOWN;
}

int64_t fill_minutes(uint32_t minutes)
{
	if (minutes == NO_VAL)
		return I64_UNKNOWN;
	return minutes == INFINITE ? I64_INFINITE : (int64_t)minutes * 60;
}

double fill_real(double value)
{
	return value == (double)NO_VAL || value == (double)NO_VAL64 ? F64_UNKNOWN : value;
}

/* ---- lists of TRES ------------------------------------------------------------------------- */

struct tres_items {
	struct builder *b;
	struct tres_item items[TRES_MOST];
	uint32_t count;
};

static bool fill_take_pair(void *context, const struct tres_pair *pair, struct err *err)
{
	struct tres_items *t = context;
	uint32_t row;

	(void)err;
	if (t->count == TRES_MOST)
		return true;
	row = builder_tres_row(t->b, pair->name, strlen(pair->name));
	t->items[t->count++] = (struct tres_item){ row, pair->value };
	return true;
}

void fill_tres_text(struct fill *f, enum field field, uint32_t row, const char *text)
{
	struct tres_items t;

	t.b = f->b;
	t.count = 0;
	if (text && tres_parse_counts(text, fill_take_pair, &t, NULL))
		builder_tres(f->b, field, row, t.items, t.count);
}

void fill_limits(struct fill *f, enum field field, uint32_t row, const uint64_t *counts)
{
	struct tres_items t;

	t.count = 0;
	for (uint32_t i = 0; counts && i < f->tres_count && t.count < TRES_MOST; i++) {
		if (counts[i] != INFINITE64 && counts[i] != NO_VAL64)
			t.items[t.count++] =
				(struct tres_item){ f->tres_rows[i], (double)counts[i] };
	}
	builder_tres(f->b, field, row, t.items, t.count);
}

void fill_used(struct fill *f, enum field field, uint32_t row, const uint64_t *counts)
{
	struct tres_items t;

	t.count = 0;
	for (uint32_t i = 0; counts && i < f->tres_count && t.count < TRES_MOST; i++) {
		if (counts[i] != 0)
			t.items[t.count++] =
				(struct tres_item){ f->tres_rows[i], (double)counts[i] };
	}
	builder_tres(f->b, field, row, t.items, t.count);
}

void fill_used_real(struct fill *f, enum field field, uint32_t row, const long double *counts)
{
	struct tres_items t;

	t.count = 0;
	for (uint32_t i = 0; counts && i < f->tres_count && t.count < TRES_MOST; i++) {
		if (counts[i] > 0)
			t.items[t.count++] =
				(struct tres_item){ f->tres_rows[i], (double)counts[i] };
	}
	builder_tres(f->b, field, row, t.items, t.count);
}

/* ---- lists of words ------------------------------------------------------------------------ */

void fill_comma_list(struct fill *f, enum field field, uint32_t row, const char *text)
{
	const char *words[LIST_MOST];
	uint32_t count = 0;
	char *copy, *rest, *word;

	if (!text)
		return;
	copy = mem_strdup(text);
	rest = copy;
	while (count < LIST_MOST && (word = strsep(&rest, ","))) {
		if (*word)
			words[count++] = word;
	}
	builder_list(f->b, field, row, words, count);
	mem_free(copy);
}

void fill_bits(struct fill *f, enum field field, uint32_t row, uint64_t bits,
	       const struct bit_name *names, size_t count)
{
	const char *words[LIST_MOST];
	uint32_t n = 0;

	for (size_t i = 0; i < count && n < LIST_MOST; i++) {
		if (bits & names[i].bit)
			words[n++] = names[i].name;
	}
	builder_list(f->b, field, row, words, n);
}

void bits_text(char *buf, size_t size, uint64_t bits, const struct bit_name *names, size_t count)
{
	buf[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		if (bits & names[i].bit)
			format_append(buf, size, "%s%s", buf[0] ? "," : "", names[i].name);
	}
}

const char *preempt_mode_text(uint16_t mode, char *buf, size_t size)
{
	static const struct bit_name modes[] = {
		{ PREEMPT_MODE_WITHIN, "WITHIN" },
		{ PREEMPT_MODE_GANG, "GANG" },
		{ PREEMPT_MODE_SUSPEND, "SUSPEND" },
		{ PREEMPT_MODE_REQUEUE, "REQUEUE" },
		{ PREEMPT_MODE_CANCEL, "CANCEL" },
	};

	if (mode == NO_VAL16)
		return NULL;
	bits_text(buf, size, mode, modes, sizeof(modes) / sizeof(modes[0]));
	return buf[0] ? buf : "OFF";
}
