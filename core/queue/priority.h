/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * priority: the nine factors of the multifactor plugin, with every term kept.
 *
 *	sum = w_age*age + w_assoc*assoc + w_fs*fs + w_js*size + w_part*part + w_qos*qos
 *	      + sum over TRES (w_t * factor_t) + site - nice
 *
 * in IEEE double and in the scheduler's order; for a job in several partitions the partition term
 * comes first. Then at least 1, cut to 2^32-1, truncated. Source: priority_multifactor.c,
 * set_priority_factors() and _get_priority_internal(); spec of job priority, 1 to 3.
 *
 * Inputs that were not read are NaN, and so is their sum. If the scheduler reports the term or the
 * priority, that value is used instead, and its origin says so.
 */
#ifndef FAIRTOP_CORE_QUEUE_PRIORITY_H
#define FAIRTOP_CORE_QUEUE_PRIORITY_H

#include "core/base/explain.h"
#include "core/base/value.h"
#include "core/queue/job_index.h"

#define PRIO_TRES_MAX 32	/* weighted TRES types at most */

/* Numbers of the terms of a sum: the factors, these two, then the weighted TRES. */
enum { PRIO_SITE = PRIO_FACTORS, PRIO_NICE, PRIO_TRES };

/* Origin of a priority. */
enum prio_origin {
	PRIO_COMPUTED,		/* by the formula */
	PRIO_ORIGIN_HELD,	/* held: 0 */
	PRIO_ORIGIN_DIRECT,	/* set by an operator and kept; the factors do not count */
	PRIO_ORIGIN_KEPT,	/* not recomputed: running without CALCULATE_RUNNING, or ended */
	PRIO_ORIGIN_BASIC,	/* priority/basic: first in, first out */
	PRIO_ORIGIN_UNREPORTED,	/* as reported: a weight or another input is unknown */
	PRIO_ORIGIN_UNKNOWN	/* that, and none is reported */
};

struct prio_input {
	const struct job_index *index;
	const struct policy *policy;
	const double *fairshare;	/* F per association row; NULL: unknown */
	int64_t now;			/* start of the scheduler's last pass; I64_UNKNOWN */
};

struct prio_result {
	uint32_t n;
	double weight[PRIO_FACTORS];	/* NaN: unknown */
	double *factor[PRIO_FACTORS];	/* n each; NULL if the weight is 0: not evaluated */
	bool borrowed[PRIO_FACTORS];	/* the factor belongs to another result: prio_run_over() */
	bool forgot;			/* reported values do not replace unknown ones */
	double unreported_site;		/* site factor of jobs without a reported one */
	bool tres_unread;		/* PriorityWeightTRES is unknown */
	uint32_t tres_count;		/* weighted TRES types, or those with reported terms */
	uint32_t tres_row[PRIO_TRES_MAX];
	double tres_weight[PRIO_TRES_MAX];	/* NaN: unknown, the scheduler reports terms */
	double *tres_factor[PRIO_TRES_MAX];
	double *sum;			/* before floor, cap and truncation; NaN: not computed */
	uint32_t *priority;		/* U32_UNKNOWN: neither computed nor reported */
	uint8_t *origin;		/* enum prio_origin */
};

struct prio_result *prio_run(const struct prio_input *in);

/* The size factor of entry E with CPUS. */
double prio_size(const struct prio_input *in, uint32_t e, uint32_t cpus);

void prio_result_free(struct prio_result *r);

/*
 * Reuses BASE, computed from WAS with the same index: factors that neither the policy nor F changes
 * are BASE's, which must outlive the result.
 */
struct prio_result *prio_run_over(const struct prio_input *in, const struct prio_input *was,
				  const struct prio_result *base);

/* weight * factor; 0 where the weight is 0. */
double prio_term(const struct prio_result *r, enum prio_factor f, uint32_t entry);
double prio_tres_term(const struct prio_result *r, uint32_t tres, uint32_t entry);

/*
 * Term I of an entry as in the sum: computed, else reported; *ORIGIN (may be NULL) says which. NaN
 * if neither is known.
 */
uint32_t prio_part_count(const struct prio_result *r);
double prio_part(const struct prio_input *in, const struct prio_result *r, uint32_t i,
		 uint32_t entry, enum value_origin *origin);

/* The scheduler's own value of the term, or NaN. */
double prio_reported_part(const struct prio_input *in, const struct prio_result *r, uint32_t i,
			  uint32_t entry);

/* The priority that the scheduler reports for an entry, U32_UNKNOWN. */
uint32_t prio_reported(const struct job_index *x, uint32_t entry);
/* Origin of an entry's priority; VALUE_DIFFERS applies to computed ones. */
enum value_origin prio_origin_of(const struct prio_input *in, const struct prio_result *r,
				 uint32_t entry);

/* Why it is unknown which factors are normalised; NULL: it is known. */
const char *prio_unclear_flags(const struct cluster *c);

/* The weights of POLICY; NaN: not read. Without accounting those of age and F are 0. */
void prio_weights(const struct policy *policy, double weight[PRIO_FACTORS]);

/* Appends the derivation of one entry: each factor with its numbers, terms, sum, priority. */
void prio_explain(const struct prio_input *in, const struct prio_result *r, uint32_t entry,
		  struct explain *e);

#endif
