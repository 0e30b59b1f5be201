/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare: why one comes before the other.
 *
 * A list of what was compared, with the number of each side and the one line that decides, and one
 * sentence that says it in words. Built from the numbers the engine computed.
 */
#ifndef FAIRTOP_CORE_QUEUE_COMPARE_H
#define FAIRTOP_CORE_QUEUE_COMPARE_H

#include "core/queue/jobs.h"

struct compare_row {
	char name[160];		/* "F", "age", "/physics: hep, astro" */
	double a, b;		/* NaN: unknown, or no number */
	bool time;		/* a and b are Unix seconds */
	bool decides;
	uint32_t level;		/* place in the comparison, from 1; see compare_sort() */
	char note[160];
};

struct compare {
	struct compare_row *rows;	/* owned */
	size_t count, capacity;
	const struct calendar *people;	/* for them: dates by it, fewer digits; NULL: all digits */
	int order;			/* < 0: a comes first; > 0: b; 0: neither */
	char sentence[600];
};

/*
 * Two associations by fair share: by F, and down the two paths to the first ancestors that differ,
 * whose values of the algorithm's own measure (R, or Level FS in Fair Tree) stand side by side.
 */
void compare_accounts(const struct model *m, uint32_t a, uint32_t b, struct compare *out);

/*
 * Two rows of the jobs view: what outranks the priority, then every term. When the fair-share term
 * makes the difference, the comparison of the two associations follows. The sentence ends with what
 * it would take for the order to turn: the points that are missing, and how long until age alone
 * makes them up, or why it never does.
 */
void compare_jobs(const struct jobs *j, uint32_t a, uint32_t b, struct compare *out);

/* For people: what decides first, then the largest difference. */
void compare_sort(struct compare *c);

void compare_free(struct compare *c);

/* For those who compare in other rooms: another row. */
struct compare_row *compare_add(struct compare *c, double a, double b, const char *format, ...)
	ERR_PRINTF(4, 5);

#endif
