/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/changes_pair.h"

#include <math.h>
#include <string.h>

#include "core/cluster/assoc_index.h"
#include "core/base/mem.h"

/* ---- pairing rows -------------------------------------------------------------------------- */

/* An overlay shares the columns it does not change: equal columns mean equal rows. */
static uint32_t *match_assocs(const struct cluster *base, const struct cluster *now)
{
	uint32_t n = cluster_rows(now, TABLE_ASSOC), *rows;
	struct assoc_index index;

	if (n == cluster_rows(base, TABLE_ASSOC) &&
	    cluster_col_u32(now, F_ASSOC_ID) == cluster_col_u32(base, F_ASSOC_ID))
		return NULL;
	index = assoc_index_new(base);
	rows = mem_alloc((size_t)n + 1, sizeof(*rows));
	for (uint32_t i = 0; i < n; i++)
		rows[i] = assoc_of_id(&index, cluster_u32(now, F_ASSOC_ID, i));
	assoc_index_free(&index);
	return rows;
}

uint32_t *changes_match_entries(const struct job_index *base, const struct job_index *now)
{
	uint32_t *entries, at = 0;

	if (base == now)
		return NULL;
	entries = mem_alloc((size_t)now->n + 1, sizeof(*entries));
	for (uint32_t e = 0; e < now->n; e++)
		entries[e] = job_index_match(now, e, base, &at);
	return entries;
}

uint32_t changes_assoc(const struct changes_pair *v, uint32_t row)
{
	return v->assoc ? v->assoc[row] : row;
}

uint32_t changes_entry(const struct changes_pair *v, uint32_t entry)
{
	return v->entry ? v->entry[entry] : entry;
}

/* ---- moves --------------------------------------------------------------------------------- */

static double changes_pair_rank_of(const uint32_t *ranks, uint32_t row)
{
	if (!ranks || row == ROW_NONE || ranks[row] == U32_UNKNOWN)
		return F64_UNKNOWN;
	return (double)ranks[row];
}

double changes_assoc_moves(const struct changes_pair *v, uint32_t row)
{
	return changes_pair_rank_of(v->base->fs->rank, changes_assoc(v, row)) -
	       changes_pair_rank_of(v->model->fs->rank, row);
}

double changes_entry_moves(const struct changes_pair *v, uint32_t entry)
{
	return changes_pair_rank_of(v->base_jobs->order->rank, changes_entry(v, entry)) -
	       changes_pair_rank_of(v->jobs->order->rank, entry);
}

/* ---- side by side --------------------------------------------------------------------------- */

static int32_t *no_places(uint32_t n)
{
	int32_t *places = mem_alloc((size_t)n + 1, sizeof(*places));

	for (uint32_t i = 0; i < n; i++)
		places[i] = PLACES_UNKNOWN;
	return places;
}

struct changes_places *changes_places_new(const struct changes_pair *v)
{
	struct changes_places *p = mem_zalloc(1, sizeof(*p));
	uint32_t n = cluster_rows(v->model->cluster, TABLE_ASSOC);

	p->assoc = no_places(cluster_rows(v->base->cluster, TABLE_ASSOC));
	for (uint32_t i = 0; i < n; i++) {
		double moves = changes_assoc_moves(v, i);

		if (!isnan(moves))
			p->assoc[changes_assoc(v, i)] = (int32_t)moves;
	}
	if (!v->jobs)
		return p;
	p->entry = no_places(v->base_jobs->index->n);
	for (uint32_t e = 0; e < v->jobs->index->n; e++) {
		double moves = changes_entry_moves(v, e);

		if (!isnan(moves))
			p->entry[changes_entry(v, e)] = (int32_t)moves;
	}
	return p;
}

void changes_places_free(struct changes_places *p)
{
	if (!p)
		return;
	MEM_FREE(p->assoc, p->entry, p);
}

static double place_at(const int32_t *places, uint32_t row)
{
	return places && row != ROW_NONE && places[row] != PLACES_UNKNOWN ? places[row]
									  : F64_UNKNOWN;
}

double changes_assoc_beside(const struct changes_pair *v, size_t i, uint32_t row)
{
	const struct changes_places *p = v->beside[i];

	return place_at(p ? p->assoc : NULL, changes_assoc(v, row));
}

double changes_entry_beside(const struct changes_pair *v, size_t i, uint32_t entry)
{
	const struct changes_places *p = v->beside[i];

	return place_at(p ? p->entry : NULL, changes_entry(v, entry));
}

/* ---- the summary ---------------------------------------------------------------------------- */

/* Ranks as integers, because this visits every pending job. */
static void count_moves(struct changes_pair *v)
{
	const uint32_t *was = v->base_jobs->order->rank, *is = v->jobs->order->rank;
	int64_t gain = 0, loss = 0;

	for (uint32_t e = 0; e < v->jobs->index->n; e++) {
		uint32_t base = changes_entry(v, e);
		int64_t moves;

		if (base == ROW_NONE || was[base] == is[e] || was[base] == U32_UNKNOWN ||
		    is[e] == U32_UNKNOWN)
			continue;
		v->moved++;
		moves = (int64_t)was[base] - (int64_t)is[e];
		if (moves > gain) {
			gain = moves;
			v->gain = e;
		}
		if (moves < loss) {
			loss = moves;
			v->loss = e;
		}
	}
}

/* Index of an entry's partition in X: by rows, then by names. */
static size_t partition_in(const struct job_index *x, const struct job_index *of, uint32_t e)
{
	return of->partition[e] != ROW_NONE ? of->partition[e] :
	       cluster_rows(x->cluster, TABLE_PARTITION) +
	       job_index_unread(x, of->partition_name[e]);
}

/* The next job of each partition, as indexed by X: jobs, ROW_NONE if none is pending. */
static uint32_t *heads_of(const struct jobs *j, const struct job_index *x, size_t partitions)
{
	uint32_t *heads = mem_alloc(partitions, sizeof(*heads));

	for (size_t p = 0; p < partitions; p++)
		heads[p] = ROW_NONE;
	for (uint32_t e = 0; e < j->index->n; e++) {
		if (j->order->partition_rank[e] == 1)
			heads[partition_in(x, j->index, e)] = j->index->job[e];
	}
	return heads;
}

static void count_heads(struct changes_pair *v)
{
	uint32_t partitions = cluster_rows(v->model->cluster, TABLE_PARTITION);
	size_t all = partitions + v->jobs->index->unread_count + 1;
	uint32_t *before = heads_of(v->base_jobs, v->jobs->index, all);
	uint32_t *after = heads_of(v->jobs, v->jobs->index, all);

	for (size_t p = 0; p < all; p++) {
		if (before[p] == after[p])
			continue;
		if (v->heads++ == 0 && p < partitions)
			v->head = (uint32_t)p;
	}
	mem_free(before);
	mem_free(after);
}

struct changes_pair *changes_pair_new(const struct model *base, const struct model *model,
				      const struct jobs *base_jobs, const struct jobs *jobs,
				      const struct evenness *was)
{
	struct changes_pair *v = mem_zalloc(1, sizeof(*v));

	v->base = base;
	v->model = model;
	v->gain = v->loss = v->head = ROW_NONE;
	v->assoc = match_assocs(base->cluster, model->cluster);
	v->was = was ? *was : evenness_of(base);
	v->is = model->fs == base->fs ? v->was : evenness_of(model);
	if (!base_jobs || !jobs)
		return v;
	v->base_jobs = base_jobs;
	v->jobs = jobs;
	v->entry = changes_match_entries(base_jobs->index, jobs->index);
	if (cluster_hides_jobs(model->cluster) || jobs->forgot) {
		v->moved = v->heads = U32_UNKNOWN;
		return v;
	}
	count_moves(v);
	count_heads(v);
	return v;
}

void changes_pair_free(struct changes_pair *v)
{
	if (!v)
		return;
	MEM_FREE(v->assoc, v->entry, v);
}
