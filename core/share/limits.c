/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The limits of each association as one map, only those that are set.
 */
#include "core/share/model_private.h"

#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"

/* The limits of an association stand together: numbers first, then lists by TRES. */
#define FIRST_LIMIT F_ASSOC_GRP_JOBS
#define FIRST_LIST F_ASSOC_GRP_TRES
#define LAST_LIMIT F_ASSOC_MAX_TRES_MINS
#define LISTS (LAST_LIMIT - FIRST_LIST + 1)

/* Keys "FIELD.TRES" of every list and TRES, KEY_MAX bytes each: LIST * tres + TRES. */
#define KEY_MAX 160u

struct filling {
	const struct cluster *c;
	struct model_limits *limits;
	size_t used, capacity;
	uint32_t tres;		/* rows of the TRES table */
};

static void add(struct filling *f, const char *key, double number)
{
	struct model_limits *l = f->limits;

	l->entries = mem_grow(l->entries, &f->capacity, f->used + 1, sizeof(*l->entries));
	l->entries[f->used++] = (struct value_entry){ .key = key, .number = number };
}

static void add_scalar(struct filling *f, enum field field, uint32_t row)
{
	int64_t value;

	if (field_info[field].type == FIELD_U32) {
		uint32_t number = cluster_u32(f->c, field, row);

		if (number != U32_UNKNOWN && number != U32_INFINITE)
			add(f, field_info[field].name, number);
		return;
	}
	value = cluster_i64(f->c, field, row);
	if (value != I64_UNKNOWN && value != I64_INFINITE)
		add(f, field_info[field].name, (double)value);
}

static void add_list(struct filling *f, enum field field, uint32_t row)
{
	const char *keys = f->limits->keys + KEY_MAX * (field - FIRST_LIST) * f->tres;
	struct tres_list items = cluster_tres(f->c, field, row);

	for (uint32_t i = 0; i < items.count; i++) {
		if (items.items[i].tres < f->tres && isfinite(items.items[i].count))
			add(f, keys + KEY_MAX * items.items[i].tres, items.items[i].count);
	}
}

static bool has_limits(const struct cluster *c)
{
	for (enum field f = FIRST_LIMIT; f <= LAST_LIMIT; f++) {
		if (cluster_col(c, f))
			return true;
	}
	return false;
}

void limits_new(const struct cluster *c, struct model_limits *limits)
{
	struct filling f = { .c = c, .limits = limits, .tres = cluster_rows(c, TABLE_TRES) };
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	*limits = (struct model_limits){ NULL, NULL, NULL };
	if (n == 0 || !has_limits(c))
		return;
	limits->keys = mem_alloc(LISTS * f.tres + 1, KEY_MAX);
	for (size_t list = 0; list < LISTS; list++) {
		for (uint32_t t = 0; t < f.tres; t++)
			snprintf(limits->keys + KEY_MAX * (list * f.tres + t), KEY_MAX, "%s.%s",
				 field_info[FIRST_LIST + list].name, cluster_tres_name(c, t));
	}
	limits->first = mem_alloc((size_t)n + 1, sizeof(uint32_t));
	for (uint32_t row = 0; row < n; row++) {
		limits->first[row] = (uint32_t)f.used;
		for (enum field l = FIRST_LIMIT; l < FIRST_LIST; l++)
			add_scalar(&f, l, row);
		for (enum field l = FIRST_LIST; l <= LAST_LIMIT; l++)
			add_list(&f, l, row);
	}
	limits->first[n] = (uint32_t)f.used;
}

void limits_free(struct model_limits *limits)
{
	mem_free(limits->entries);
	mem_free(limits->first);
	mem_free(limits->keys);
}
