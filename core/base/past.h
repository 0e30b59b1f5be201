/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * past: values that outlive the cluster they came from, for history and changes.
 */
#ifndef FAIRTOP_CORE_BASE_PAST_H
#define FAIRTOP_CORE_BASE_PAST_H

#include "core/base/column.h"
#include "core/base/text.h"

/* A value whose text is a handle into a table of texts; maps and lists are stored as texts. */
struct past_value {
	enum value_kind kind;
	uint32_t text;
	union {
		int64_t integer;
		double real;
	};
};

struct past_value past_keep(struct text *texts, const struct value *v);
void past_give(const struct text *texts, struct past_value v, struct value *out);

/* Returns the number; NaN if it is not a number. */
double past_number(struct past_value v);

bool past_equal(struct past_value a, struct past_value b);

#endif
