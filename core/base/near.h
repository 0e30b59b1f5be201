/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * near: "did you mean ...?" for names that do not exist.
 *
 * The caller offers every valid name; the nearest few are kept. Near means: few letters added, left
 * out, changed or swapped (case ignored), or the word is part of the name.
 */
#ifndef FAIRTOP_CORE_BASE_NEAR_H
#define FAIRTOP_CORE_BASE_NEAR_H

#include <stddef.h>

#define NEAR_MAX 3

struct near {
	const char *word;		/* borrowed */
	size_t length;
	const char *names[NEAR_MAX];	/* nearest first, borrowed */
	unsigned distances[NEAR_MAX];
	size_t count;
};

void near_init(struct near *n, const char *word, size_t length);
void near_offer(struct near *n, const char *name);

/* "did you mean a, b or c?" into BUF, "" if nothing is near; returns BUF. */
const char *near_text(const struct near *n, char *buf, size_t size);

/* Edits between the first 32 bytes of A and B, ASCII case ignored. */
unsigned near_distance(const char *a, size_t a_length, const char *b, size_t b_length);

#endif
