/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/recent.h"

#include <string.h>

#include "core/base/mem.h"

void recent_free(struct recent *r)
{
	for (size_t i = 0; i < r->count; i++)
		cluster_free(r->pictures[i].cluster);
	mem_free(r->pictures);
	*r = (struct recent){ .bytes_most = r->bytes_most };
}

static bool policy_differs(const struct cluster *a, const struct cluster *b)
{
	const struct policy *p = cluster_policy(a), *q = cluster_policy(b);
	char one[POLICY_LIST_MAX + 128], other[POLICY_LIST_MAX + 128];

	for (size_t i = 0; i < policy_params_count; i++) {
		if (policy_is_stated(p, i) != policy_is_stated(q, i))
			return true;
		policy_value_text(p, i, one, sizeof(one));
		policy_value_text(q, i, other, sizeof(other));
		if (strcmp(one, other) != 0)
			return true;
	}
	return false;
}

/* The next picture inherits what picture I records of the time before it. */
static void recent_forget(struct recent *r, size_t i)
{
	struct recent_picture *p = &r->pictures[i];

	if (i + 1 < r->count && i > 0) {
		if (p->gap_since != I64_UNKNOWN && p[1].gap_since == I64_UNKNOWN)
			p[1].gap_until = p->gap_until;
		if (p->gap_since != I64_UNKNOWN)
			p[1].gap_since = p->gap_since;
		p[1].changed = p[1].changed || p->changed;
	}
	r->bytes -= cluster_bytes(p->cluster);
	cluster_free(p->cluster);
	memmove(p, p + 1, (r->count - i - 1) * sizeof(*p));
	r->count--;
}

/* The picture whose removal leaves the smallest hole, relative to its age. */
static size_t least_missed(const struct recent *r)
{
	int64_t now = r->pictures[r->count - 1].time;
	double least = 0;
	size_t best = 0;

	for (size_t i = 1; i + 1 < r->count; i++) {
		const struct recent_picture *p = &r->pictures[i];
		double hole = (double)(p[1].time - p[-1].time) / (double)(now - p->time + 1);

		if (best == 0 || hole < least) {
			least = hole;
			best = i;
		}
	}
	return best;
}

void recent_add(struct recent *r, struct cluster *c, int64_t time, bool after_outage)
{
	size_t most = r->bytes_most > 0 ? r->bytes_most : RECENT_BYTES;
	struct recent_picture *last = r->count > 0 ? &r->pictures[r->count - 1] : NULL;
	struct recent_picture p = { .time = time, .gap_since = I64_UNKNOWN };

	if (last && time <= last->time)
		return;
	if (last && after_outage) {
		p.gap_since = last->time;
		p.gap_until = time;
	}
	p.changed = last && policy_differs(last->cluster, c);
	p.cluster = cluster_share(c);
	MEM_GROW(r->pictures, r->capacity, r->count + 1);
	r->pictures[r->count++] = p;
	r->bytes += cluster_bytes(c);
	while (r->count > 1 && (r->bytes > most || r->count > RECENT_MOST))
		recent_forget(r, least_missed(r));
}

struct cluster *recent_at(const struct recent *r, int64_t time)
{
	struct cluster *found = NULL;

	for (size_t i = 0; i < r->count && r->pictures[i].time <= time; i++)
		found = r->pictures[i].cluster;
	return found;
}

void recent_timeline(const struct recent *r, struct timeline *t)
{
	timeline_free(t);
	for (size_t i = 0; i < r->count; i++) {
		const struct recent_picture *p = &r->pictures[i];

		timeline_add(t, p->time);
		if (p->gap_since != I64_UNKNOWN)
			timeline_add_gap(t, p->gap_since, p->gap_until, "not asked, or no answer");
		if (p->changed)
			timeline_add_change(t, p->time);
	}
}
