/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compare: why one account or job comes before another.
 *
 * A list of what was compared, with both numbers and the one row that decides, and one sentence
 * that says it in words. All numbers are those that the engine computed.
 */
#ifndef FAIRTOP_CORE_QUEUE_COMPARE_H
#define FAIRTOP_CORE_QUEUE_COMPARE_H

#include "core/queue/jobs.h"

struct compare_row {
	char name[160];		/* "F", "age", "/physics: hep, astro" */
	double a, b;		/* NaN: unknown, or no number */
	bool time;		/* a and b are Unix seconds */
	bool decides;
	uint32_t level;		/* step in the comparison, from 1; see compare_sort() */
	char note[160];
};

struct compare {
	struct compare_row *rows;	/* owned */
	size_t count, capacity;
	const struct calendar *people;	/* local dates, fewer digits; NULL: all digits */
	int order;			/* < 0: a comes first; > 0: b; 0: neither */
	char sentence[600];
};

/*
 * Compares two associations by fair share: by F, then along the two paths at the first ancestors
 * that differ, with their values of the algorithm's own measure (R, or Level FS in Fair Tree).
 */
void compare_accounts(const struct model *m, uint32_t a, uint32_t b, struct compare *out);

/*
 * Compares two rows of the jobs view: first what outranks the priority, then every term. If the
 * fair-share term decides, the comparison of the two associations follows. The sentence ends with
 * what would reverse the order: the missing points, and how long until age alone makes them up, or
 * why it never does.
 */
void compare_jobs(const struct jobs *j, uint32_t a, uint32_t b, struct compare *out);

/* Sorts for people: the deciding row first, then by the size of the difference. */
void compare_sort(struct compare *c);

void compare_free(struct compare *c);

/* Adds a row; for comparisons in other directories. */
struct compare_row *compare_add(struct compare *c, double a, double b, const char *format, ...)
	ERR_PRINTF(4, 5);

#endif
