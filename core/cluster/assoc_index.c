/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/assoc_index.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

static uint32_t mix(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t h = a * UINT64_C(0x9e3779b97f4a7c15);

	h = (h ^ (h >> 29) ^ b) * UINT64_C(0xbf58476d1ce4e5b9);
	h = (h ^ (h >> 32) ^ c) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)(h >> 32);
}

/* "" and unknown are the same: no user, no partition. */
static uint32_t handle_of(uint32_t handle)
{
	return handle == TEXT_EMPTY ? TEXT_NONE : handle;
}

static void add(const struct assoc_index *x, uint32_t *places, uint32_t hash, uint32_t row)
{
	uint32_t place = hash & x->mask;

	while (places[place] != ROW_NONE)
		place = (place + 1) & x->mask;
	places[place] = row;
}

static uint32_t *places_new(const struct assoc_index *x)
{
	uint32_t *places = mem_alloc((size_t)x->mask + 1, sizeof(*places));

	memset(places, 0xff, ((size_t)x->mask + 1) * sizeof(*places));
	return places;
}

struct assoc_index assoc_index_new(const struct cluster *c)
{
	struct assoc_index x = { c, NULL, NULL, 1 };
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	while (x.mask / 2 < n)
		x.mask = 2 * x.mask + 1;
	x.ids = places_new(&x);
	x.names = places_new(&x);
	for (uint32_t i = 0; i < n; i++) {
		add(&x, x.ids, mix(cluster_u32(c, F_ASSOC_ID, i), 0, 0), i);
		add(&x, x.names,
		    mix(cluster_text_id(c, F_ASSOC_ACCOUNT, i),
			handle_of(cluster_text_id(c, F_ASSOC_USER, i)),
			handle_of(cluster_text_id(c, F_ASSOC_PARTITION, i))),
		    i);
	}
	return x;
}

void assoc_index_free(struct assoc_index *x)
{
	mem_free(x->ids);
	mem_free(x->names);
}

uint32_t assoc_of_id(const struct assoc_index *x, uint32_t id)
{
	uint32_t place = mix(id, 0, 0) & x->mask;

	while (x->ids[place] != ROW_NONE) {
		if (cluster_u32(x->c, F_ASSOC_ID, x->ids[place]) == id)
			return x->ids[place];
		place = (place + 1) & x->mask;
	}
	return ROW_NONE;
}

static uint32_t find_names(const struct assoc_index *x, uint32_t account, uint32_t user,
			   uint32_t partition)
{
	uint32_t place = mix(account, user, partition) & x->mask;

	while (x->names[place] != ROW_NONE) {
		uint32_t row = x->names[place];

		if (cluster_text_id(x->c, F_ASSOC_ACCOUNT, row) == account &&
		    handle_of(cluster_text_id(x->c, F_ASSOC_USER, row)) == user &&
		    handle_of(cluster_text_id(x->c, F_ASSOC_PARTITION, row)) == partition)
			return row;
		place = (place + 1) & x->mask;
	}
	return ROW_NONE;
}

uint32_t assoc_of_job(const struct assoc_index *x, uint32_t job)
{
	const struct cluster *c = x->c;
	uint32_t id = cluster_u32(c, F_JOB_ASSOC, job), row;
	uint32_t account = cluster_text_id(c, F_JOB_ACCOUNT, job);
	uint32_t user = handle_of(cluster_text_id(c, F_JOB_USER, job));

	if (id != U32_UNKNOWN && id != 0)
		return assoc_of_id(x, id);
	row = find_names(x, account, user, handle_of(cluster_text_id(c, F_JOB_PARTITION, job)));
	return row != ROW_NONE ? row : find_names(x, account, user, TEXT_NONE);
}
