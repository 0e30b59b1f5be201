/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/billing.h"

#include <stdbool.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/policy.h"
#include "core/base/unknown.h"

enum billing_mode billing_mode_of(uint32_t flags)
{
	if (flags & PF_MAX_TRES_GRES)
		return BILLING_MAX_TRES_GRES;
	return flags & PF_MAX_TRES ? BILLING_MAX_TRES : BILLING_SUM;
}

/* The last entry called NAME, NULL if there is none. */
static const struct tres_pair *billing_find(const struct tres_pair *pairs, uint32_t n,
					    const char *name)
{
	for (uint32_t i = n; i-- > 0;)
		if (strcmp(pairs[i].name, name) == 0)
			return &pairs[i];
	return NULL;
}

static bool billing_is_gres(const char *name)
{
	return strncmp(name, "gres/", 5) == 0;
}

/* Does the TRES count in the maximum rather than in the sum? */
static bool in_maximum(const char *name, enum billing_mode mode)
{
	if (mode == BILLING_SUM)
		return false;
	if (billing_is_gres(name))
		return mode == BILLING_MAX_TRES;
	return strcmp(name, "cpu") == 0 || strcmp(name, "mem") == 0 || strcmp(name, "node") == 0;
}

double billing_of(const struct tres_pair *counts, uint32_t n,
		  const struct tres_pair *weights, uint32_t m, enum billing_mode mode)
{
	double maximum = 0.0, sum = 0.0;

	if (!weights) {
		const struct tres_pair *cpu = billing_find(counts, n, "cpu");

		return cpu ? cpu->value : F64_UNKNOWN;
	}
	for (uint32_t i = 0; i < n; i++) {
		const char *name = counts[i].name;
		const struct tres_pair *weight = billing_find(weights, m, name);
		double v;

		if (!weight || strcmp(name, "billing") == 0)
			continue;
		v = counts[i].value * weight->value;
		if (!in_maximum(name, mode))
			sum += v;
		else if (v > maximum)
			maximum = v;
	}
	return maximum + sum;
}

static bool billing_take(void *context, const struct tres_pair *pair, struct err *err)
{
	struct billing_weights *w = context;

	(void)err;
	if (w->count < BILLING_WEIGHTS_MAX)
		w->pairs[w->count++] = *pair;
	return true;
}

void billing_read(struct billing_weights *w, const char *text)
{
	w->count = 0;
	w->any = text && *text;
	if (text)
		(void)tres_parse_weights(text, billing_take, w, NULL);
}

double billing_of_list(const struct billing_weights *w, const struct cluster *c,
		       struct tres_list list, enum billing_mode mode)
{
	struct tres_pair counts[BILLING_WEIGHTS_MAX];
	uint32_t n = list.count < BILLING_WEIGHTS_MAX ? list.count : BILLING_WEIGHTS_MAX;

	for (uint32_t i = 0; i < n; i++) {
		const char *name = cluster_tres_name(c, list.items[i].tres);
		size_t length = strlen(name);

		memset(&counts[i], 0, sizeof(counts[i]));
		memcpy(counts[i].name, name, length < TRES_NAME_MAX ? length : TRES_NAME_MAX - 1);
		counts[i].value = list.items[i].count;
	}
	return billing_of(counts, n, w->any ? w->pairs : NULL, w->count, mode);
}

struct tres_list billing_tres(const struct cluster *c, uint32_t job)
{
	struct tres_list list = cluster_tres(c, F_JOB_TRES_ALLOC, job);

	return list.count > 0 ? list : cluster_tres(c, F_JOB_TRES, job);
}

double billing_of_job(const struct cluster *c, uint32_t job, uint32_t partition,
		      enum billing_mode mode)
{
	double reported = cluster_f64(c, F_JOB_BILLING, job);
	struct tres_list list = billing_tres(c, job);
	const char *text = partition == ROW_NONE ? NULL :
			   cluster_text(c, F_PARTITION_BILLING_WEIGHTS, partition);
	struct billing_weights *w;

	if (f64_known(reported) || !text || list.count == 0)
		return reported;
	/* PriorityFlags, which define how weights are added up, are unknown. */
	if (*text && policy_hides(cluster_policy(c), "PriorityFlags"))
		return reported;
	w = mem_alloc(1, sizeof(*w));
	billing_read(w, text);
	reported = billing_of_list(w, c, list, mode);
	mem_free(w);
	return reported;
}
