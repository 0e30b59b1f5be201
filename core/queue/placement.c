/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/placement.h"

#include <stdlib.h>
#include <string.h>

#include "core/cluster/host_list.h"
#include "core/cluster/host_state.h"
#include "core/base/mem.h"
#include "core/base/word.h"

struct placement {
	const struct cluster *c;
	uint32_t hosts, tres, node;	/* counts; the row of TRES node, one per node */
	double *room, *used;		/* HOSTS times TRES; 0 on unusable nodes */
	uint32_t *licenses;		/* in use */
};

struct placement *placement_new(const struct cluster *c)
{
	struct placement *p = mem_zalloc(1, sizeof(*p));

	p->c = c;
	p->hosts = cluster_rows(c, TABLE_HOST);
	p->tres = cluster_rows(c, TABLE_TRES);
	p->node = cluster_find_tres(c, "node");
	p->room = mem_zalloc((size_t)p->hosts * p->tres, sizeof(*p->room));
	p->used = mem_zalloc((size_t)p->hosts * p->tres, sizeof(*p->used));
	p->licenses = mem_zalloc(cluster_rows(c, TABLE_LICENSE), sizeof(*p->licenses));
	for (uint32_t h = 0; h < p->hosts; h++) {
		struct tres_list list = cluster_tres(c, F_HOST_TRES, h);

		for (uint32_t i = 0; i < list.count && host_usable(c, h); i++)
			p->room[(size_t)h * p->tres + list.items[i].tres] = list.items[i].count;
	}
	return p;
}

void placement_free(struct placement *p)
{
	if (!p)
		return;
	MEM_FREE(p->room, p->used, p->licenses, p);
}

/* Row and count of the first of a list "matlab:2,comsol", or "matlab|comsol"; ROW_NONE. */
static uint32_t license_of(const struct cluster *c, const char *text, uint32_t *asks)
{
	size_t length = strcspn(text, ":,|");
	uint32_t row = 0, rows = cluster_rows(c, TABLE_LICENSE);

	*asks = text[length] == ':' ? (uint32_t)strtoul(text + length + 1, NULL, 10) : 1;
	while (row < rows && !(cluster_text(c, F_LICENSE_NAME, row) &&
			       word_equal_n(text, length, cluster_text(c, F_LICENSE_NAME, row))))
		row++;
	return row < rows ? row : ROW_NONE;
}

static const char *next_license(const char *text)
{
	text += strcspn(text, ",|");
	return text + (*text != '\0');
}

/*
 * Are the licenses that a job requests available? An unknown one, or one with unknown count, is
 * not. "matlab|comsol" (since 25.05) requires either; which one a job took is not reported, so
 * neither counts as used.
 */
static bool has_licenses(const struct placement *p, uint32_t job)
{
	const char *text = cluster_text(p->c, F_JOB_LICENSES, job);
	bool either = text && strchr(text, '|'), any = false, all = true;

	for (; text && *text; text = next_license(text)) {
		uint32_t asks, row = license_of(p->c, text, &asks);
		uint32_t total = row == ROW_NONE ? 0 : cluster_u32(p->c, F_LICENSE_TOTAL, row);
		bool enough = row != ROW_NONE && total != U32_UNKNOWN &&
			      p->licenses[row] + asks <= total;

		any = any || enough;
		all = all && enough;
	}
	return all || (any && either);
}

static bool placement_fits(const struct placement *p, uint32_t host, struct tres_list need,
			   uint32_t hosts)
{
	const double *room = p->room + (size_t)host * p->tres;
	const double *used = p->used + (size_t)host * p->tres;

	for (uint32_t i = 0; i < need.count; i++) {
		const struct tres_item *t = &need.items[i];

		if (used[t->tres] + t->count / hosts > room[t->tres])
			return false;
	}
	return true;
}

const char *placement_find(const struct placement *p, uint32_t job, uint32_t *hosts)
{
	const char *partition = cluster_text(p->c, F_JOB_PARTITION, job);
	const uint32_t wanted = cluster_u32(p->c, F_JOB_NODES, job);
	const struct tres_list need = cluster_tres(p->c, F_JOB_TRES, job);
	uint32_t found = 0;

	if (!has_licenses(p, job))
		return "Licenses";
	for (uint32_t h = 0; h < p->hosts && found < wanted; h++)
		if (placement_fits(p, h, need, wanted) &&
		    cluster_list_has(p->c, F_HOST_PARTITIONS, h, partition))
			hosts[found++] = h;
	return found < wanted ? "Resources" : NULL;
}

void placement_use(struct placement *p, uint32_t job, const uint32_t *hosts, int times)
{
	const uint32_t count = cluster_u32(p->c, F_JOB_NODES, job);
	const struct tres_list need = cluster_tres(p->c, F_JOB_TRES, job);
	const char *licenses = cluster_text(p->c, F_JOB_LICENSES, job);
	bool either = licenses && strchr(licenses, '|');

	for (; licenses && *licenses && !either; licenses = next_license(licenses)) {
		uint32_t asks, row = license_of(p->c, licenses, &asks);

		if (row != ROW_NONE)
			p->licenses[row] += (uint32_t)times * asks;
	}
	for (uint32_t k = 0; k < count * need.count; k++) {
		const uint32_t host = hosts[k / need.count];
		const struct tres_item *t = &need.items[k % need.count];

		if (t->tres != p->node)
			p->used[(size_t)host * p->tres + t->tres] += times * t->count / count;
	}
}

void placement_set_job(const struct placement *p, uint32_t job, const uint32_t *hosts,
		       struct builder *b, uint32_t row)
{
	const struct tres_list need = cluster_tres(p->c, F_JOB_TRES, job);
	const uint32_t count = cluster_u32(p->c, F_JOB_NODES, job);
	const char **names = mem_alloc(count, sizeof(*names));
	struct bytes list = { NULL, 0, 0 };

	for (uint32_t i = 0; i < count; i++)
		names[i] = cluster_text(p->c, F_HOST_NAME, hosts[i]);
	host_list_write(names, count, &list);
	builder_str(b, F_JOB_NODE_LIST, row, list.data);
	builder_u32(b, F_JOB_NODES, row, count);
	builder_tres(b, F_JOB_TRES_ALLOC, row, need.items, need.count);
	bytes_free(&list);
	mem_free(names);
}

static void set_host(const struct placement *p, struct builder *b, uint32_t host)
{
	const double *used = p->used + (size_t)host * p->tres;
	const uint32_t cpu = cluster_find_tres(p->c, "cpu");
	const double all = p->room[(size_t)host * p->tres + cpu];
	struct tres_item *items = mem_alloc(p->tres, sizeof(*items));
	uint32_t count = 0;

	for (uint32_t t = 0; t < p->tres; t++)
		if (used[t] != 0)
			items[count++] = (struct tres_item){ t, used[t] };
	if (host_usable(p->c, host))
		builder_str(b, F_HOST_STATE, host, used[cpu] == 0 ? "IDLE" :
			    used[cpu] < all ? "MIXED" : "ALLOCATED");
	builder_u32(b, F_HOST_CPUS_USED, host, (uint32_t)used[cpu]);
	builder_tres(b, F_HOST_TRES_USED, host, items, count);
	mem_free(items);
}

void placement_set(const struct placement *p, struct builder *b)
{
	for (uint32_t h = 0; h < p->hosts && cluster_find_tres(p->c, "cpu") != ROW_NONE; h++)
		set_host(p, b, h);
	for (uint32_t l = 0; l < cluster_rows(p->c, TABLE_LICENSE); l++)
		builder_u32(b, F_LICENSE_USED, l, p->licenses[l]);
}
