/* SPDX-License-Identifier: GPL-2.0-or-later */
/* classes_explain: one class of jobs, or two compared, as answers of the command line. */
#ifndef FAIRTOP_CORE_CLASSES_CLASSES_EXPLAIN_H
#define FAIRTOP_CORE_CLASSES_CLASSES_EXPLAIN_H

#include "core/classes/classes_view.h"
#include "core/queue/compare.h"

/* OBJECT: "class:N". ROW_NONE and ERR_INPUT if there is no such class. */
uint32_t classes_find(const struct classes_data *d, const char *object, struct err *err);

/*
 * Explains a class: what its jobs have in common, their number, the inherited reason, classes that
 * differ in one thing only, and the single exclusions that would merge most jobs.
 */
void classes_explain(const struct classes_data *d, uint32_t class, struct explain *e);

/*
 * Compares two classes: their sizes and ranks, then every component that differs; these decide. The
 * sentence is that of classes_difference().
 */
void classes_compare(const struct classes_data *d, uint32_t a, uint32_t b, struct compare *out);

/*
 * Appends to the comparison of two rows of the jobs view whether both are in one class, and if not,
 * each differing component. Only by PBS's rules, else nothing. None of these rows decides.
 */
void classes_compare_jobs(const struct classes_data *d, uint32_t a, uint32_t b,
			  struct compare *out);

#endif
