/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of an export, collected in any order and written step by step. */
#ifndef FAIRTOP_CORE_WHATIF_EXPORT_PRIVATE_H
#define FAIRTOP_CORE_WHATIF_EXPORT_PRIVATE_H

#include "core/whatif/export.h"

/* In the order of writing. */
enum plan_step { PLAN_CONF, PLAN_FIRST, PLAN_SECOND, PLAN_THIRD, PLAN_NEVER };

struct plan_line {
	enum plan_step step;
	size_t place;
	bool comment;
	char *text;
};

struct plan {
	struct plan_line *lines;
	size_t count, capacity;
};

/* Is the edit active and was made, and does no later active one set the same thing? */
bool export_counts(const struct whatif *w, uint32_t i);

void plan_comment(struct plan *p, enum plan_step step, const char *format, ...) ERR_PRINTF(3, 4);
/* One command of COUNT words, each quoted as needed. */
void plan_command(struct plan *p, enum plan_step step, const char *const *words, size_t count);
/* Lines of shell, written unchanged. */
void plan_shell(struct plan *p, enum plan_step step, const char *text);
bool plan_write(struct plan *p, const struct cluster *base, const struct export_options *options,
		struct sink out, struct err *err);
void plan_free(struct plan *p);

#endif
