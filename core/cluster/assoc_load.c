/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/assoc_load.h"

#include <string.h>

#include "core/base/mem.h"

/* Amount of a TRES in use, and the sum over jobs of the amount times the latest end. */
struct load_amount {
	double used, ends;
};

struct assoc_load_sums {
	uint32_t running, submitted;
	struct load_amount *amounts;	/* by TRES; NULL: nothing has run */
};

struct assoc_load {
	const struct cluster *c;
	struct assoc_load_sums *loads;
	uint32_t n, tres;
	int64_t base;			/* ends are relative to it: sums stay exact */
};

struct assoc_load *assoc_load_new(const struct cluster *c)
{
	struct assoc_load *l = mem_zalloc(1, sizeof(*l));

	l->c = c;
	l->n = cluster_rows(c, TABLE_ASSOC);
	l->tres = cluster_rows(c, TABLE_TRES);
	l->base = cluster_meta(c)->time;
	l->loads = mem_zalloc(l->n, sizeof(*l->loads));
	return l;
}

void assoc_load_free(struct assoc_load *l)
{
	for (uint32_t i = 0; l && i < l->n; i++)
		mem_free(l->loads[i].amounts);
	if (l)
		mem_free(l->loads);
	mem_free(l);
}

void assoc_load_submit(struct assoc_load *l, uint32_t assoc, int64_t tasks)
{
	for (; assoc != ROW_NONE; assoc = cluster_parent(l->c)[assoc])
		l->loads[assoc].submitted += (uint32_t)tasks;
}

uint32_t assoc_load_submitted(const struct assoc_load *l, uint32_t assoc)
{
	return l->loads[assoc].submitted;
}

void assoc_load_run(struct assoc_load *l, uint32_t assoc, const struct cluster *jobs, uint32_t job,
		    int64_t end, int times)
{
	const struct tres_list tres = cluster_tres(jobs, F_JOB_TRES, job);

	for (; assoc != ROW_NONE; assoc = cluster_parent(l->c)[assoc]) {
		struct assoc_load_sums *load = &l->loads[assoc];

		load->running += (uint32_t)times;
		if (!load->amounts)
			load->amounts = mem_zalloc(l->tres, sizeof(*load->amounts));
		for (uint32_t i = 0; i < tres.count; i++) {
			struct load_amount *a = &load->amounts[tres.items[i].tres];

			a->used += times * tres.items[i].count;
			a->ends += times * tres.items[i].count * (double)(end - l->base);
		}
	}
}

static double load_used(const struct assoc_load_sums *load, uint32_t tres)
{
	return load->amounts ? load->amounts[tres].used : 0;
}

/* The TRES-seconds that running jobs may still take. */
static double seconds_left(const struct assoc_load *l, uint32_t assoc, uint32_t tres, int64_t now)
{
	const struct load_amount *a =
		l->loads[assoc].amounts ? &l->loads[assoc].amounts[tres] : NULL;
	double seconds = a ? a->ends - a->used * (double)(now - l->base) : 0;

	return seconds > 0 ? seconds : 0;
}

static double load_count_of(struct tres_list list, uint32_t tres)
{
	for (uint32_t i = 0; i < list.count; i++)
		if (list.items[i].tres == tres)
			return list.items[i].count;
	return 0;
}

static const char *load_word(const struct assoc_load *l, uint32_t tres, bool minutes)
{
	static const struct {
		const char *name, *most, *minutes;
	} words[] = {
		{ "cpu", "AssocGrpCpuLimit", "AssocGrpCPURunMinutesLimit" },
		{ "mem", "AssocGrpMemLimit", "AssocGrpMemRunMinutes" },
		{ "node", "AssocGrpNodeLimit", "AssocGrpNodeRunMinutes" },
		{ "billing", "AssocGrpBilling", "AssocGrpBillingRunMinutes" },
		{ "license/", "AssocGrpLicense", "AssocGrpLicenseRunMinutes" },
		{ "", "AssocGrpGRES", "AssocGrpGRESRunMinutes" },
	};
	const char *name = cluster_tres_name(l->c, tres);
	size_t i = 0;

	while (strncmp(name, words[i].name, strlen(words[i].name)) != 0)
		i++;
	return minutes ? words[i].minutes : words[i].most;
}

static const char *group_refuses(const struct assoc_load *l, uint32_t assoc, struct tres_list tres,
				 int64_t limit, int64_t now)
{
	const struct assoc_load_sums *load = &l->loads[assoc];
	struct tres_list most = cluster_tres(l->c, F_ASSOC_GRP_TRES, assoc);
	struct tres_list minutes = cluster_tres(l->c, F_ASSOC_GRP_TRES_RUN_MINS, assoc);

	if (load->running >= cluster_u32(l->c, F_ASSOC_GRP_JOBS, assoc))
		return "AssocGrpJobsLimit";
	for (uint32_t i = 0; i < most.count; i++) {
		const struct tres_item *t = &most.items[i];
		double more = load_count_of(tres, t->tres);

		if (more > 0 && load_used(load, t->tres) + more > t->count)
			return load_word(l, t->tres, false);
	}
	for (uint32_t i = 0; i < minutes.count; i++) {
		const struct tres_item *t = &minutes.items[i];
		double more = load_count_of(tres, t->tres) * (double)limit;

		if (more > 0 && seconds_left(l, assoc, t->tres, now) + more > t->count * 60)
			return load_word(l, t->tres, true);
	}
	return NULL;
}

const char *assoc_load_refuses(const struct assoc_load *l, uint32_t assoc,
			       const struct cluster *jobs, uint32_t job, int64_t now)
{
	const struct tres_list tres = cluster_tres(jobs, F_JOB_TRES, job);
	const int64_t limit = cluster_i64(jobs, F_JOB_TIME_LIMIT, job);
	const char *reason = NULL;

	if (l->loads[assoc].running >= cluster_u32(l->c, F_ASSOC_MAX_JOBS, assoc))
		return "AssocMaxJobsLimit";
	for (; assoc != ROW_NONE && !reason; assoc = cluster_parent(l->c)[assoc])
		reason = group_refuses(l, assoc, tres, limit, now);
	return reason;
}

/* Sets a list of the non-zero amounts. */
static void set_list(const struct assoc_load *l, struct builder *b, enum field field, uint32_t row,
		     const int64_t *now)
{
	struct tres_item few[64];
	uint32_t count = 0;

	for (uint32_t t = 0; t < l->tres && count < 64; t++) {
		const double amount = now ? seconds_left(l, row, t, *now) :
				      load_used(&l->loads[row], t);

		if (amount != 0)
			few[count++] = (struct tres_item){ t, amount };
	}
	builder_tres(b, field, row, few, count);
}

void assoc_load_set(const struct assoc_load *l, struct builder *b, int64_t now)
{
	for (uint32_t i = 0; i < l->n; i++) {
		builder_u32(b, F_ASSOC_USED_JOBS, i, l->loads[i].running);
		builder_u32(b, F_ASSOC_USED_SUBMIT, i, l->loads[i].submitted);
		set_list(l, b, F_ASSOC_USED_TRES, i, NULL);
		set_list(l, b, F_ASSOC_USED_TRES_RUN_SECS, i, &now);
	}
}
