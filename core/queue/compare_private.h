/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two halves of compare share. */
#ifndef FAIRTOP_CORE_QUEUE_COMPARE_PRIVATE_H
#define FAIRTOP_CORE_QUEUE_COMPARE_PRIVATE_H

#include "core/queue/compare.h"

struct compare_row *compare_add(struct compare *c, double a, double b, const char *format, ...)
	ERR_PRINTF(4, 5);

/* Appends to a text of SIZE bytes, cutting what does not fit. */
void compare_append(char *text, size_t size, const char *format, ...) ERR_PRINTF(3, 4);

/* The lines of two paths, without the sentence; returns the row that tells them apart, or NULL. */
struct compare_row *compare_paths(struct compare *out, const struct model *m, uint32_t a,
				  uint32_t b);

#endif
