/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fields: what a cluster records, as one table (fields.def) from which everything else comes.
 */
#ifndef FAIRTOP_CORE_CLUSTER_FIELDS_H
#define FAIRTOP_CORE_CLUSTER_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/unit.h"

enum table {
	TABLE_ASSOC, TABLE_USER, TABLE_TRES, TABLE_PARTITION, TABLE_QOS, TABLE_JOB, TABLE_PRIO,
	TABLE_HOST, TABLE_RESERVATION, TABLE_LICENSE, TABLE_QUEUE, TABLE_POOL, TABLE_SERVER,
	TABLE_SCHED,
	TABLE_COUNT
};

enum field_type {
	FIELD_U32,	/* uint32_t; U32_UNKNOWN, U32_INFINITE */
	FIELD_SHARES,	/* uint32_t; SHARES_PARENT is written "parent" */
	FIELD_I64,	/* int64_t; I64_UNKNOWN, I64_INFINITE */
	FIELD_F64,	/* double; NaN unknown, +INFINITY no limit */
	FIELD_BOOL,	/* uint8_t; BOOL_UNKNOWN */
	FIELD_TEXT,	/* uint32_t handle of an interned string */
	FIELD_LIST,	/* uint32_t handle of a list of strings */
	FIELD_TRES,	/* uint32_t handle of a list of (TRES row, count) */
	FIELD_TYPE_COUNT
};

enum field {
#define FIELD(table, id, name, type, unit, meaning) F_##table##_##id,
#include "core/cluster/fields.def"
#undef FIELD
	F_COUNT
};

struct field_info {
	enum table table;
	const char *name;	/* key in JSON; a dot nests one level */
	enum field_type type;
	enum unit unit;
	const char *meaning;
};

extern const struct field_info field_info[F_COUNT];

/* Name of a table as the snapshot writes it: "assoc", "job", "host", ... */
const char *table_name(enum table table);
enum table table_by_name(const char *name, size_t length);	/* TABLE_COUNT if there is none */

/* The fields of TABLE are [table_first_field(t), table_first_field(t + 1)). */
enum field table_first_field(enum table table);

/* The field of TABLE with that full name ("reported.norm_usage"); F_COUNT if there is none. */
enum field field_by_name(enum table table, const char *name, size_t length);

size_t field_size(enum field_type type);	/* bytes per row */
const char *field_type_name(enum field_type type);

#endif
