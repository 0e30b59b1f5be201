/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What runs and what waits below each association.
 */
#include "core/model_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/text.h"

#define HOUR 3600.0

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Reads a number at *S; false if there is none. Too large ones saturate. */
static bool take_number(const char **s, uint64_t *number)
{
	if (!is_digit(**s))
		return false;
	for (*number = 0; is_digit(**s); (*s)++) {
		if (*number < UINT32_MAX)
			*number = *number * 10 + (uint64_t)(**s - '0');
	}
	return true;
}

/* One of the parts between commas: N, N-M or N-M:STEP. */
static bool take_range(const char **s, uint64_t *tasks)
{
	uint64_t from, to, step = 1;

	if (!take_number(s, &from))
		return false;
	to = from;
	if (**s == '-') {
		(*s)++;
		if (!take_number(s, &to) || to < from)
			return false;
	}
	if (**s == ':') {
		(*s)++;
		if (!take_number(s, &step) || step == 0)
			return false;
	}
	*tasks += (to - from) / step + 1;
	return true;
}

uint32_t workload_tasks(const char *text)
{
	uint64_t tasks = 0;

	if (!text)
		return 1;
	text += *text == '[';
	while (take_range(&text, &tasks) && *text == ',')
		text++;
	return tasks == 0 ? 1 : tasks < UINT32_MAX ? (uint32_t)tasks : UINT32_MAX;
}

/* ---- which association a job belongs to ---------------------------------------------------- */

/* Open addressing: places of rows by a hash of what they are looked up by; ROW_NONE is empty. */
struct index {
	const struct cluster *c;
	uint32_t *places;
	uint32_t mask;
};

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ (h >> 29) ^ b) * UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ (h >> 32) ^ c) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(h >> 32);
}

static struct index index_new(const struct cluster *c)
{
	struct index x = { c, NULL, 1 };

	while (x.mask < 2 * cluster_rows(c, TABLE_ASSOC))
		x.mask = 2 * x.mask + 1;
	x.places = mem_alloc((size_t)x.mask + 1, sizeof(uint32_t));
	memset(x.places, 0xff, ((size_t)x.mask + 1) * sizeof(uint32_t));
	return x;
}

static void index_add(struct index *x, uint32_t hash, uint32_t row)
{
	uint32_t place = hash & x->mask;

	while (x->places[place] != ROW_NONE)
		place = (place + 1) & x->mask;
	x->places[place] = row;
}

static uint32_t find_id(const struct index *x, uint32_t id)
{
	uint32_t place = mix(id, 0, 0) & x->mask;

	while (x->places[place] != ROW_NONE) {
		if (cluster_u32(x->c, F_ASSOC_ID, x->places[place]) == id)
			return x->places[place];
		place = (place + 1) & x->mask;
	}
	return ROW_NONE;
}

static uint32_t find_names(const struct index *x, uint32_t account, uint32_t user, uint32_t partition)
{
	uint32_t place = mix(account, user, partition) & x->mask;

	while (x->places[place] != ROW_NONE) {
		uint32_t row = x->places[place];

		if (cluster_text_id(x->c, F_ASSOC_ACCOUNT, row) == account &&
		    cluster_text_id(x->c, F_ASSOC_USER, row) == user &&
		    cluster_text_id(x->c, F_ASSOC_PARTITION, row) == partition)
			return row;
		place = (place + 1) & x->mask;
	}
	return ROW_NONE;
}

/* "" and unknown are the same: no partition. */
static uint32_t partition_of(uint32_t handle)
{
	return handle == TEXT_EMPTY ? TEXT_NONE : handle;
}

static uint32_t find_by_names(const struct index *names, uint32_t job)
{
	const struct cluster *c = names->c;
	uint32_t account = cluster_text_id(c, F_JOB_ACCOUNT, job);
	uint32_t user = cluster_text_id(c, F_JOB_USER, job);
	uint32_t row = find_names(names, account, user,
				  partition_of(cluster_text_id(c, F_JOB_PARTITION, job)));

	return row != ROW_NONE ? row : find_names(names, account, user, TEXT_NONE);
}

/* ---- what a job counts --------------------------------------------------------------------- */

/* Handle of a text that may not occur in the cluster at all. */
static uint32_t text_of(const struct cluster *c, const char *s)
{
	uint32_t handle = cluster_find_string(c, s, strlen(s));

	return handle ? handle : UINT32_MAX;
}

/* UsageFactor of the job's QOS: 1 without a QOS or with a negative factor, unknown if the QOS is not listed. */
static double usage_factor(const struct cluster *c, uint32_t job)
{
	uint32_t name = cluster_text_id(c, F_JOB_QOS, job);
	double factor;

	if (name <= TEXT_EMPTY)
		return 1;
	for (uint32_t q = 0; q < cluster_rows(c, TABLE_QOS); q++) {
		if (cluster_text_id(c, F_QOS_NAME, q) == name) {
			factor = cluster_f64(c, F_QOS_USAGE_FACTOR, q);
			return factor < 0 ? 1 : factor;
		}
	}
	return F64_UNKNOWN;
}

static void count_job(struct model *m, uint32_t job, uint32_t row, uint32_t running, uint32_t suspended,
		      uint32_t pending)
{
	const struct cluster *c = m->cluster;
	uint32_t state = cluster_text_id(c, F_JOB_STATE, job);

	if (state == pending)
		m->pending[row] += workload_tasks(cluster_text(c, F_JOB_TASKS, job));
	if (state == running)
		m->running[row]++;
	if (state == running || state == suspended)	/* both are charged */
		m->burn[row] += HOUR * cluster_f64(c, F_JOB_BILLING, job) * usage_factor(c, job);
}

static void sum_up(struct model *m)
{
	const uint32_t *parent = cluster_parent(m->cluster);

	for (uint32_t i = cluster_rows(m->cluster, TABLE_ASSOC); i-- > 1;) {
		m->running[parent[i]] += m->running[i];
		m->pending[parent[i]] += m->pending[i];
		m->burn[parent[i]] += m->burn[i];
	}
}

void workload_new(struct model *m)
{
	const struct cluster *c = m->cluster;
	uint32_t n = cluster_rows(c, TABLE_ASSOC), jobs = cluster_rows(c, TABLE_JOB);
	uint32_t running = text_of(c, "RUNNING"), suspended = text_of(c, "SUSPENDED");
	uint32_t pending = text_of(c, "PENDING");
	struct index ids, names;

	if (n == 0 || !cluster_col(c, F_JOB_STATE))
		return;
	m->running = mem_zalloc(n, sizeof(uint32_t));
	m->pending = mem_zalloc(n, sizeof(uint32_t));
	m->burn = mem_zalloc(n, sizeof(double));
	ids = index_new(c);
	names = index_new(c);
	for (uint32_t i = 0; i < n; i++) {
		index_add(&ids, mix(cluster_u32(c, F_ASSOC_ID, i), 0, 0), i);
		index_add(&names, mix(cluster_text_id(c, F_ASSOC_ACCOUNT, i),
				      cluster_text_id(c, F_ASSOC_USER, i),
				      partition_of(cluster_text_id(c, F_ASSOC_PARTITION, i))), i);
	}
	for (uint32_t j = 0; j < jobs; j++) {
		uint32_t id = cluster_u32(c, F_JOB_ASSOC, j);
		uint32_t row = id != U32_UNKNOWN && id != 0 ? find_id(&ids, id) :
			       find_by_names(&names, j);

		if (row != ROW_NONE)
			count_job(m, j, row, running, suspended, pending);
	}
	mem_free(names.places);
	mem_free(ids.places);
	sum_up(m);
}
