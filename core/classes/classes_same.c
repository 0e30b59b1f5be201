/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matches the classes of a what-if with those of its base. */
#include <string.h>

#include "core/classes/classes_view.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/idmap.h"

static uint64_t classes_same_key_of(const struct classes_data *d, uint32_t class)
{
	uint32_t member = d->classes->members[d->classes->first[class]];
	uint64_t key = 3;

	for (size_t i = 0; i < d->set->count; i++) {
		const char *value = class_set_value(d->set, i, member);

		if (!d->set->components[i].excluded)
			key = text_hash(value, strlen(value), key);
	}
	return key;
}

const uint64_t *classes_keys(struct classes_data *d)
{
	if (d->keys)
		return d->keys;
	d->keys = mem_alloc(d->classes->count, sizeof(*d->keys));
	for (uint32_t k = 0; k < d->classes->count; k++)
		d->keys[k] = classes_same_key_of(d, k);
	return d->keys;
}

uint32_t *classes_by_job(const struct classes_data *d, uint32_t rows)
{
	uint32_t *at = mem_alloc((size_t)rows + 1, sizeof(*at));

	for (uint32_t i = 0; i < rows; i++)
		at[i] = ROW_NONE;
	for (uint32_t i = 0; i < d->set->jobs; i++)
		at[d->set->job[i]] = d->classes->class_of[i];
	return at;
}

static uint32_t job_rows(const struct classes_data *d)
{
	return cluster_rows(d->jobs->model->cluster, TABLE_JOB);
}

static uint32_t first_job(const struct classes_data *d, uint32_t class)
{
	return d->set->job[d->classes->members[d->classes->first[class]]];
}

void classes_set_base(struct classes_data *now, struct classes_data *base)
{
	const uint64_t *before = classes_keys(base), *key = classes_keys(now);
	uint32_t was = job_rows(base), is = job_rows(now);
	uint32_t *same = mem_alloc(now->classes->count, sizeof(*same));
	uint32_t *of_job = classes_by_job(base, was > is ? was : is);
	struct idmap classes = { .count = 0 };

	idmap_reserve(&classes, base->classes->count);
	for (uint32_t k = 0; k < base->classes->count; k++)
		idmap_put(&classes, before[k], k);
	for (uint32_t k = 0; k < now->classes->count; k++)
		same[k] = idmap_get(&classes, key[k], of_job[first_job(now, k)]);
	idmap_free(&classes);
	mem_free(of_job);
	mem_free(now->base_class);
	now->base = base;
	now->base_class = same;
}
