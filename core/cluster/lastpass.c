/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/lastpass.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/unknown.h"

/* Rounding in the product of two doubles, and in adding it to a time, leaves far less than this. */
#define ROUNDING_SECONDS 0.001
/* Jobs that together leave more than this open give no result. */
#define WIDEST_SECONDS 5.0

bool lastpass_of_job(double term, double doubt, uint32_t weight, int64_t max_age, int64_t since,
		     struct lastpass_reported *reported)
{
	double second_per_point = (double)max_age / weight;

	if (!f64_known(term) || weight == 0 || weight >= U32_UNKNOWN || max_age <= 0 ||
	    max_age == I64_INFINITE || since <= 0 || !(term > doubt && term < weight - doubt))
		return false;
	reported->from = (double)since + (term - doubt) * second_per_point - ROUNDING_SECONDS;
	reported->to = (double)since + (term + doubt) * second_per_point + ROUNDING_SECONDS;
	return ceil(reported->from) <= floor(reported->to);
}

/* One end of the range that a job gives. */
struct edge {
	double at;
	int step;		/* 1 where it begins, -1 where it ends */
};

static int compare_edges(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return y->step - x->step;
}

int64_t lastpass_agree(const struct lastpass_reported *reported, size_t count)
{
	struct edge *edges = mem_alloc(count * 2, sizeof(*edges));
	double from = 0, to = -1;
	size_t votes = 0, most = 0;

	for (size_t i = 0; i < count; i++) {
		edges[2 * i] = (struct edge){ reported[i].from, 1 };
		edges[2 * i + 1] = (struct edge){ reported[i].to, -1 };
	}
	qsort(edges, count * 2, sizeof(*edges), compare_edges);
	/* The range common to most jobs begins where the count reaches its peak. */
	for (size_t i = 0; i < count * 2; i++) {
		if (edges[i].step < 0) {
			votes--;
		} else if (++votes > most) {
			most = votes;
			from = edges[i].at;
			to = edges[i + 1].at;
		}
	}
	mem_free(edges);
	if (most == 0 || to - from > WIDEST_SECONDS)
		return I64_UNKNOWN;
	return (int64_t)llround((from + to) / 2);
}

bool lastpass_between(const double *before, const double *after, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (after[i] < before[i])
			return true;
	}
	return false;
}
