/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/assoc_index.h"

#include "core/base/text.h"

/* "" and unknown both mean: no user, no partition. */
static uint32_t handle_of(uint32_t handle)
{
	return handle == TEXT_EMPTY ? TEXT_NONE : handle;
}

static uint64_t hash_of(uint32_t account, uint32_t user, uint32_t partition)
{
	const uint32_t names[3] = { account, user, partition };

	return text_hash((const char *)names, sizeof(names), 0);
}

/* Does JOB have its association's number? */
static bool has_id(const struct cluster *c, uint32_t job)
{
	uint32_t id = cluster_u32(c, F_JOB_ASSOC, job);

	return id != U32_UNKNOWN && id != 0;
}

static bool all_have_ids(const struct cluster *c)
{
	uint32_t jobs = cluster_rows(c, TABLE_JOB), job = 0;

	while (job < jobs && has_id(c, job))
		job++;
	return job == jobs;
}

struct assoc_index assoc_index_new(const struct cluster *c)
{
	struct assoc_index x = { .c = c };
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	idmap_reserve(&x.ids, n);
	for (uint32_t i = 0; i < n; i++)
		idmap_put(&x.ids, cluster_u32(c, F_ASSOC_ID, i), i);
	if (all_have_ids(c))
		return x;		/* names are never looked up */
	idmap_reserve(&x.names, n);
	for (uint32_t i = 0; i < n; i++) {
		idmap_add(&x.names,
			  hash_of(cluster_text_id(c, F_ASSOC_ACCOUNT, i),
				  handle_of(cluster_text_id(c, F_ASSOC_USER, i)),
				  handle_of(cluster_text_id(c, F_ASSOC_PARTITION, i))),
			  i);
	}
	return x;
}

void assoc_index_free(struct assoc_index *x)
{
	idmap_free(&x->ids);
	idmap_free(&x->names);
}

uint32_t assoc_of_id(const struct assoc_index *x, uint32_t id)
{
	return idmap_get(&x->ids, id, ROW_NONE);
}

static uint32_t find_names(const struct assoc_index *x, uint32_t account, uint32_t user,
			   uint32_t partition)
{
	uint64_t hash = hash_of(account, user, partition);
	uint32_t row;
	size_t at = 0;

	while ((row = idmap_next(&x->names, hash, &at)) != ROW_NONE) {
		if (cluster_text_id(x->c, F_ASSOC_ACCOUNT, row) == account &&
		    handle_of(cluster_text_id(x->c, F_ASSOC_USER, row)) == user &&
		    handle_of(cluster_text_id(x->c, F_ASSOC_PARTITION, row)) == partition)
			break;
	}
	return row;
}

uint32_t assoc_of_job(const struct assoc_index *x, uint32_t job)
{
	const struct cluster *c = x->c;
	uint32_t account = cluster_text_id(c, F_JOB_ACCOUNT, job);
	uint32_t user = handle_of(cluster_text_id(c, F_JOB_USER, job)), row;

	if (has_id(c, job))
		return assoc_of_id(x, cluster_u32(c, F_JOB_ASSOC, job));
	row = find_names(x, account, user, handle_of(cluster_text_id(c, F_JOB_PARTITION, job)));
	return row != ROW_NONE ? row : find_names(x, account, user, TEXT_NONE);
}
