/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/kept.h"

#include "core/base/mem.h"

enum kind { CLUSTER, MODEL, JOBS, VERIFY };

static struct kept {
	enum kind kind;
	void *thing;
} *kept;
static size_t count, capacity;

static void *keep(enum kind kind, void *thing)
{
	kept = mem_grow(kept, &capacity, count + 1, sizeof(*kept));
	kept[count++] = (struct kept){ kind, thing };
	return thing;
}

struct cluster *kept_cluster(struct cluster *c)
{
	return keep(CLUSTER, c);
}

struct model *kept_model(const struct cluster *c)
{
	return keep(MODEL, model_new(c, NULL, NULL));
}

struct jobs *kept_jobs(const struct model *m)
{
	return keep(JOBS, jobs_new(m, NULL));
}

struct verify *kept_verify(const struct cluster *c)
{
	return keep(VERIFY, verify_run(c, NULL));
}

int kept_free(void **state)
{
	(void)state;
	while (count > 0) {
		void *thing = kept[--count].thing;

		switch (kept[count].kind) {
		case CLUSTER:
			cluster_free(thing);
			break;
		case MODEL:
			model_free(thing);
			break;
		case JOBS:
			jobs_free(thing);
			break;
		case VERIFY:
			verify_free(thing);
			break;
		}
	}
	mem_free(kept);
	kept = NULL;
	capacity = 0;
	return 0;
}
