/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/waits.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/cluster/idmap.h"

const double waits_bounds[WAITS_BOUNDS] = {
	60, 300, 900, 3600, 4 * 3600, 12 * 3600, 86400, 3 * 86400, 7 * 86400, (double)INFINITY
};

struct waits {
	struct wait_counts *all;
	size_t count, capacity;
	struct idmap begun;		/* jobs that ran in the last picture */
	int64_t first;			/* time of the first one */
};

struct waits *waits_new(void)
{
	struct waits *w = mem_zalloc(1, sizeof(*w));

	w->first = I64_UNKNOWN;
	return w;
}

void waits_free(struct waits *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->count; i++)
		mem_free(w->all[i].name);
	mem_free(w->all);
	idmap_free(&w->begun);
	mem_free(w);
}

static struct wait_counts *counts_of(struct waits *w, const char *name, bool qos)
{
	for (size_t i = 0; i < w->count; i++) {
		if (w->all[i].qos == qos && strcmp(w->all[i].name, name) == 0)
			return &w->all[i];
	}
	MEM_GROW(w->all, w->capacity, w->count + 1);
	w->all[w->count] = (struct wait_counts){ .name = mem_strdup(name), .qos = qos };
	return &w->all[w->count++];
}

/* Adds the known names before anything begins in them. */
static void name_all(struct waits *w, const struct cluster *c, enum table table, enum field field,
		     bool qos)
{
	for (uint32_t i = 0; i < cluster_rows(c, table); i++) {
		const char *name = cluster_text(c, field, i);

		if (name && name[0])
			(void)counts_of(w, name, qos);
	}
}

static void waits_count(struct waits *w, const char *name, bool qos, double wait)
{
	struct wait_counts *counts;
	size_t i = 0;

	if (!name || !name[0])
		return;
	counts = counts_of(w, name, qos);
	while (wait > waits_bounds[i])
		i++;
	counts->counts[i]++;
	counts->sum += wait;
}

/* The start of a pending job is an estimate, that of a cancelled one its end. */
static bool waits_has_begun(const struct cluster *c, uint32_t job)
{
	static const char *const states[] = {
		"RUNNING", "SUSPENDED", "COMPLETING", "COMPLETED", "FAILED", "TIMEOUT",
		"OUT_OF_MEMORY", "NODE_FAIL", "PREEMPTED", NULL
	};
	const char *state = cluster_text(c, F_JOB_STATE, job);

	return state && word_in(states, state);
}

static void waits_count_job(struct waits *w, const struct cluster *c, uint32_t job)
{
	int64_t start = cluster_i64(c, F_JOB_START, job);
	int64_t since = cluster_i64(c, F_JOB_ELIGIBLE, job);
	double wait;

	if (since == I64_UNKNOWN || since == 0)
		since = cluster_i64(c, F_JOB_SUBMIT, job);
	if (start == I64_UNKNOWN || since == I64_UNKNOWN || start <= w->first)
		return;
	wait = start > since ? (double)(start - since) : 0;
	waits_count(w, cluster_text(c, F_JOB_PARTITION, job), false, wait);
	waits_count(w, cluster_text(c, F_JOB_QOS, job), true, wait);
}

void waits_see(struct waits *w, const struct cluster *c)
{
	struct idmap begun = { .size = 0 };
	int64_t time = cluster_meta(c)->time;

	if (time == I64_UNKNOWN || !cluster_col(c, F_JOB_STATE))
		return;
	name_all(w, c, TABLE_PARTITION, F_PARTITION_NAME, false);
	name_all(w, c, TABLE_QOS, F_QOS_NAME, true);
	for (uint32_t job = 0; job < cluster_rows(c, TABLE_JOB); job++) {
		uint64_t id = (uint64_t)cluster_u32(c, F_JOB_ID, job) << 32 |
			      cluster_u32(c, F_JOB_TASK, job);

		if (!waits_has_begun(c, job))
			continue;
		idmap_put(&begun, id, 0);
		if (w->first != I64_UNKNOWN && !idmap_has(&w->begun, id))
			waits_count_job(w, c, job);
	}
	idmap_free(&w->begun);
	w->begun = begun;
	if (w->first == I64_UNKNOWN)
		w->first = time;
}

const struct wait_counts *waits_counts(const struct waits *w, size_t *number)
{
	*number = w->count;
	return w->all;
}
