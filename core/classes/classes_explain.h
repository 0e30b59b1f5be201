/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes_explain: one class of jobs, and two against each other, as answers of the command line.
 */
#ifndef FAIRTOP_CORE_CLASSES_CLASSES_EXPLAIN_H
#define FAIRTOP_CORE_CLASSES_CLASSES_EXPLAIN_H

#include "core/classes/classes_view.h"
#include "core/queue/compare.h"

/* OBJECT: "class:N". ROW_NONE and ERR_INPUT if there is no such class. */
uint32_t classes_find(const struct classes_data *d, const char *object, struct err *err);

/*
 * What the jobs of a class have in common, how many they are, the reason they inherit, the classes
 * that differ in one thing only, and what excluded alone would merge most jobs.
 */
void classes_explain(const struct classes_data *d, uint32_t class, struct explain *e);

/*
 * Two classes: their sizes and ranks, then every component in which they differ; these decide. The
 * sentence is that of classes_difference().
 */
void classes_compare(const struct classes_data *d, uint32_t a, uint32_t b, struct compare *out);

/*
 * Appends to the comparison of two rows of the jobs view whether both are in one class, and if not
 * each component in which they differ: by PBS's rules, else nothing. None of it decides.
 */
void classes_compare_jobs(const struct classes_data *d, uint32_t a, uint32_t b,
			  struct compare *out);

#endif
