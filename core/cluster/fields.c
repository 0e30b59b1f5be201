/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/fields.h"

#include <assert.h>
#include <string.h>

const struct field_info field_info[F_COUNT] = {
#define FIELD(table, id, name, type, unit, meaning) \
	{ TABLE_##table, name, FIELD_##type, UNIT_##unit, meaning },
#include "core/cluster/fields.def"
#undef FIELD
};

static const char *const table_names[TABLE_COUNT] = {
	[TABLE_ASSOC] = "assoc", [TABLE_USER] = "user", [TABLE_TRES] = "tres",
	[TABLE_PARTITION] = "partition", [TABLE_QOS] = "qos", [TABLE_JOB] = "job",
	[TABLE_PRIO] = "prio", [TABLE_HOST] = "host", [TABLE_RESERVATION] = "reservation",
	[TABLE_LICENSE] = "license", [TABLE_QUEUE] = "queue", [TABLE_POOL] = "pool",
	[TABLE_SERVER] = "server", [TABLE_SCHED] = "sched",
};

static const struct {
	const char *name;
	size_t size;
} types[FIELD_TYPE_COUNT] = {
	[FIELD_U32] = { "integer", sizeof(uint32_t) },
	[FIELD_SHARES] = { "integer or \"parent\"", sizeof(uint32_t) },
	[FIELD_I64] = { "integer", sizeof(int64_t) },
	[FIELD_F64] = { "number", sizeof(double) },
	[FIELD_BOOL] = { "boolean", sizeof(uint8_t) },
	[FIELD_TEXT] = { "string", sizeof(uint32_t) },
	[FIELD_LIST] = { "array of strings", sizeof(uint32_t) },
	[FIELD_TRES] = { "object of numbers", sizeof(uint32_t) },
};

const char *table_name(enum table table)
{
	assert(table < TABLE_COUNT);
	return table_names[table];
}

enum table table_by_name(const char *name, size_t length)
{
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		if (strlen(table_names[t]) == length && memcmp(table_names[t], name, length) == 0)
			return (enum table)t;
	}
	return TABLE_COUNT;
}

enum field table_first_field(enum table table)
{
	unsigned f = 0;

	while (f < F_COUNT && field_info[f].table < table)
		f++;
	return (enum field)f;
}

enum field field_by_name(enum table table, const char *name, size_t length)
{
	for (unsigned f = table_first_field(table); f < F_COUNT; f++) {
		if (field_info[f].table != table)
			break;
		if (strlen(field_info[f].name) == length &&
		    memcmp(field_info[f].name, name, length) == 0)
			return (enum field)f;
	}
	return F_COUNT;
}

size_t field_size(enum field_type type)
{
	assert(type < FIELD_TYPE_COUNT);
	return types[type].size;
}

const char *field_type_name(enum field_type type)
{
	assert(type < FIELD_TYPE_COUNT);
	return types[type].name;
}
