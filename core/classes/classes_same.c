/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which class of a what-if is which of its base. */
#include <stdlib.h>
#include <string.h>

#include "core/classes/classes_view.h"
#include "core/base/mem.h"
#include "core/base/text.h"

uint64_t classes_key(const struct classes_data *d, uint32_t class)
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

struct keyed {
	uint64_t key;
	uint32_t class;
};

static int by_key(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return 0;
}

static struct keyed *keyed_classes(const struct classes_data *d)
{
	struct keyed *keys = mem_alloc(d->classes->count, sizeof(*keys));

	for (uint32_t k = 0; k < d->classes->count; k++)
		keys[k] = (struct keyed){ classes_key(d, k), k };
	qsort(keys, d->classes->count, sizeof(*keys), by_key);
	return keys;
}

/* By row of a job, its class; ROW_NONE. ROWS: of the longer side. */
static uint32_t *class_by_job(const struct classes_data *d, uint32_t rows)
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

uint32_t *classes_same(const struct classes_data *base, const struct classes_data *now)
{
	uint32_t was = job_rows(base), is = job_rows(now);
	uint32_t *same = mem_alloc(now->classes->count, sizeof(*same));
	uint32_t *of_job = class_by_job(base, was > is ? was : is);
	struct keyed *keys = keyed_classes(base);

	for (uint32_t k = 0; k < now->classes->count; k++) {
		struct keyed wanted = { classes_key(now, k), 0 }, *found;

		found = bsearch(&wanted, keys, base->classes->count, sizeof(*keys), by_key);
		same[k] = found ? found->class :
			  of_job[now->set->job[now->classes->members[now->classes->first[k]]]];
	}
	mem_free(keys);
	mem_free(of_job);
	return same;
}

void classes_set_base(struct classes_data *now, const struct classes_data *base)
{
	mem_free(now->base_class);
	now->base = base;
	now->base_class = classes_same(base, now);
}
