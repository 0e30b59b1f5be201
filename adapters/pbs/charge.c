/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a running job adds to the usage of its entity per second: the growth of fairshare_usage_res
 * while its walltime grows, with its present use. CPU time goes on at its average rate so far.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/pbs/reader.h"
#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/queue/pbs_formula.h"

#define AHEAD 3600.0		/* seconds over which the growth is computed */

/* A resource in a list of NAME=VALUE: times in s, sizes in kB; NaN if absent. */
static double pbs_charge_amount(const struct pbs_list *list, const char *name)
{
	const char *text = NULL;
	int64_t seconds;
	double number;
	char *end;

	for (size_t i = 0; i < list->count && !text; i++)
		text = word_value(list->items[i], name, strlen(name));
	if (!text)
		return F64_UNKNOWN;
	if (strchr(text, ':'))
		return pbs_clock(text, &seconds) ? (double)seconds : F64_UNKNOWN;
	number = strtod(text, &end);
	if (end != text && *end == '\0')
		return number;
	return pbs_size(text, &number) ? number * 1024 : F64_UNKNOWN;
}

/* The amount used AHEAD seconds later; an unused resource counts as requested, or as nothing. */
static double used_later(const struct pbs_list *asked, const struct pbs_list *used,
			 const char *name, double later)
{
	double now = pbs_charge_amount(used, name), walltime = pbs_charge_amount(used, "walltime");

	if (strcmp(name, "walltime") == 0)
		return (isnan(walltime) ? 0 : walltime) + later;
	if (strcmp(name, "cput") == 0)
		return walltime > 0 ? now + now / walltime * later : F64_UNKNOWN;
	if (isnan(now))
		now = pbs_charge_amount(asked, name);
	return isnan(now) ? 0 : now;
}

/* In double precision, unlike the value of the formula, because the small difference counts. */
static double pbs_charge_usage_later(const struct pbs_formula *f, const struct pbs_list *asked,
				     const struct pbs_list *used, double later)
{
	size_t n = pbs_formula_names(f);
	double *values = mem_alloc(n, sizeof(*values)), sum = 0;

	for (size_t i = 0; i < n; i++)
		values[i] = used_later(asked, used, pbs_formula_name(f, i), later);
	for (size_t i = 0; i < pbs_formula_terms(f); i++)
		sum += pbs_formula_term_value(f, i, values);
	mem_free(values);
	return sum;
}

struct pbs_formula *pbs_usage_formula(struct pbs_reader *r)
{
	const struct policy *p = builder_policy(r->b);
	size_t i = policy_param("fairshare_usage_res");

	return policy_is_hidden(p, i) ? NULL : pbs_formula_parse(p->fairshare_usage_res, NULL);
}

double pbs_job_burn(const struct pbs_formula *f, const struct pbs_list *asked,
		    const struct pbs_list *used)
{
	double grown = pbs_charge_usage_later(f, asked, used, AHEAD) -
		       pbs_charge_usage_later(f, asked, used, 0);

	return grown > 0 || isnan(grown) ? grown / AHEAD : 0;
}
