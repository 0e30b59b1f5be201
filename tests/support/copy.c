/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/copy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void copy_number(struct builder *b, const struct cluster *c, enum field f, uint32_t row,
			copy_change *change, void *context)
{
	double value = cluster_f64(c, f, row);

	if (!isnan(value) && field_info[f].table == TABLE_ASSOC && change)
		value = change(context, f, row, value);
	if (!isnan(value))
		builder_f64(b, f, row, value);
}

/* A column that C does not have stays absent: its absence is information, too. */
static void copy_cell(struct builder *b, const struct cluster *c, enum field f, uint32_t row,
		      copy_change *change, void *context)
{
	if (!cluster_col(c, f))
		return;
	switch (field_info[f].type) {
	case FIELD_U32:
	case FIELD_SHARES:
		if (cluster_u32(c, f, row) != U32_UNKNOWN)
			builder_u32(b, f, row, cluster_u32(c, f, row));
		break;
	case FIELD_I64:
		builder_i64(b, f, row, cluster_i64(c, f, row));
		break;
	case FIELD_F64:
		copy_number(b, c, f, row, change, context);
		break;
	case FIELD_BOOL:
		builder_bool(b, f, row, cluster_bool(c, f, row));
		break;
	case FIELD_TEXT:
		builder_str(b, f, row, cluster_text(c, f, row));
		break;
	case FIELD_LIST:
	case FIELD_TRES:
	case FIELD_TYPE_COUNT:
		break;
	}
}

static struct cluster *copy_as(const struct cluster *c, const struct cluster_meta *meta,
			       copy_change *change, void *context)
{
	static const enum table tables[] = { TABLE_ASSOC, TABLE_JOB, TABLE_PRIO, TABLE_QOS,
					     TABLE_PARTITION };
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cluster *copy;

	builder_meta(b, meta);
	*builder_policy(b) = *cluster_policy(c);
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++) {
		for (uint32_t row = 0; row < cluster_rows(c, tables[t]); row++) {
			builder_add(b, tables[t]);
			for (enum field f = table_first_field(tables[t]);
			     f < F_COUNT && field_info[f].table == tables[t]; f++)
				copy_cell(b, c, f, row, change, context);
		}
	}
	copy = builder_seal(b, &err);
	if (!copy) {
		fprintf(stderr, "copy: %s\n", err.message);
		exit(1);
	}
	return copy;
}

struct cluster *copy_changed(const struct cluster *c, copy_change *change, void *context)
{
	return copy_as(c, cluster_meta(c), change, context);
}

struct one {
	enum field field;
	uint32_t row;
	double factor;
};

static double scale_one(void *context, enum field field, uint32_t row, double value)
{
	const struct one *one = context;

	return field == one->field && row == one->row ? value * one->factor : value;
}

struct cluster *copy_scaled(const struct cluster *c, enum field field, uint32_t row, double factor)
{
	return copy_changed(c, scale_one, &(struct one){ field, row, factor });
}

struct other {
	const struct cluster *c;
	enum field field;
};

static double take_other(void *context, enum field field, uint32_t row, double value)
{
	const struct other *other = context;

	return field == other->field ? cluster_f64(other->c, field, row) : value;
}

struct cluster *copy_with_column(const struct cluster *c, const struct cluster *from,
				 enum field field)
{
	return copy_changed(c, take_other, &(struct other){ from, field });
}

static double as_printed(void *context, enum field field, uint32_t row, double value)
{
	char text[64];

	(void)context;
	(void)row;
	if (field == F_ASSOC_USAGE)
		return floor(value);
	snprintf(text, sizeof(text), "%.6f", value);
	return strtod(text, NULL);
}

struct cluster *copy_coarse(const struct cluster *c)
{
	struct cluster_meta meta = *cluster_meta(c);

	meta.usage_quantum = 1;
	meta.ratio_quantum = 1e-6;
	return copy_as(c, &meta, as_printed, NULL);
}
