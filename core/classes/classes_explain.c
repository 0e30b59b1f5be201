/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/classes/classes_explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/classes/class_toggles.h"
#include "core/classes/class_values.h"
#include "core/queue/compare.h"
#include "core/base/mem.h"
#include "core/base/plural.h"

#define NEAR_MAX 5

uint32_t classes_find(const struct classes_data *d, const char *object, struct err *err)
{
	const char *digits = strncmp(object, "class:", 6) == 0 ? object + 6 : "";
	char *end;
	unsigned long number = strtoul(digits, &end, 10);

	if (*digits < '0' || *digits > '9' || *end != '\0') {
		err_set(err, ERR_INPUT, "%s: no class (expected class:N, as the classes view has "
			"it)", object);
		return ROW_NONE;
	}
	if (number >= d->classes->count) {
		err_set(err, ERR_INPUT, "%s: there %s %u %s, counted from 0", object,
			plural(d->classes->count, "is", "are"), (unsigned)d->classes->count,
			plural(d->classes->count, "class", "classes"));
		return ROW_NONE;
	}
	return (uint32_t)number;
}

static double classes_count(uint32_t x)
{
	return x == U32_UNKNOWN ? F64_UNKNOWN : x;
}

/* ---- one class ------------------------------------------------------------------------------- */

static void explain_key(const struct classes_data *d, uint32_t class, struct explain *e)
{
	uint32_t member = d->classes->members[d->classes->first[class]];
	char shown[CLASS_VALUE_MAX];

	for (size_t k = 0; k < d->set->count; k++) {
		struct explain_step *s;

		if (!*class_set_value(d->set, k, member) && !d->telling[k])
			continue;
		class_set_shown(d->set, k, member, shown, sizeof(shown));
		s = explain_add(e, d->set->names[k], F64_UNKNOWN, NULL);
		explain_with(s, "%.190s", *shown ? shown : classes_unset(d, k));
		if (d->set->components[k].excluded)
			explain_note(s, "excluded: its jobs may differ in it");
		else if (!d->telling[k])
			explain_note(s, "the same for all jobs of the queue");
	}
}

/* Unknown if others may be hidden. */
static double classes_counted(const struct classes_data *d, uint32_t n)
{
	return cluster_hides_jobs(d->jobs->model->cluster) ? F64_UNKNOWN : n;
}

static void explain_facts(const struct classes_data *d, uint32_t class, struct explain *e)
{
	const struct class_facts *f = &d->facts[class];
	const struct cluster *c = d->jobs->model->cluster;
	uint32_t job = d->set->job[f->head];
	const char *reason = cluster_text(c, F_JOB_REASON_TEXT, job);
	struct explain_step *s;

	explain_note(explain_add(e, "jobs", classes_counted(d, d->classes->first[class + 1] -
						       d->classes->first[class]), NULL),
		     "queue entries; an array counts as one");
	explain_note(explain_add(e, "waiting", classes_counted(d, f->waiting), NULL),
		     "counting every array task");
	explain_add(e, "running", classes_counted(d, f->running), NULL);
	explain_add(e, "users", classes_counted(d, f->users), NULL);
	explain_note(explain_add(e, "first_rank", classes_count(f->first_rank), NULL),
		     cluster_hides_jobs(c) ? "other users' jobs are hidden" :
		     f->first_rank == U32_UNKNOWN ? "none of its jobs is in the queue"
						  : "best rank of its jobs");
	explain_add(e, "last_rank", classes_count(f->last_rank), NULL);
	if (!reason || !*reason)
		reason = cluster_text(c, F_JOB_REASON, job);
	if (f->waiting == 0 || !reason || !*reason)
		return;
	s = explain_add(e, "reason", F64_UNKNOWN, NULL);
	explain_with(s, "%.190s", reason);
	explain_note(s, "of its first job; once it cannot run, no other job of the class is tried");
}

static void explain_near(const struct classes_data *d, uint32_t class, struct explain *e)
{
	char name[32], text[600];
	unsigned shown = 0;

	for (uint32_t k = 0; k < d->classes->count && shown < NEAR_MAX; k++) {
		if (k == class || classes_differ(d, class, k) != 1)
			continue;
		(void)snprintf(name, sizeof(name), "class %u", (unsigned)k);
		classes_difference(d, class, k, text, sizeof(text));
		explain_note(explain_add(e, name, F64_UNKNOWN, NULL), "%.190s", text);
		shown++;
	}
}

static void explain_toggles(const struct classes_data *d, struct explain *e)
{
	struct class_toggles *t = class_toggles_new(d->jobs->model->cluster, d->set->rules,
						    d->exclude);
	size_t places[NEAR_MAX], n;

	while (class_toggles_step(t))
		;
	n = class_toggles_near(t, places, NEAR_MAX);
	for (size_t i = 0; i < n; i++) {
		const struct class_toggle *toggle = &t->list[places[i]];
		struct explain_step *s;
		char name[32];

		(void)snprintf(name, sizeof(name), "without %.20s", toggle->name);
		s = explain_add(e, name, toggle->classes, NULL);
		explain_formula(s, "classes if %.60s is also excluded", toggle->name);
		explain_note(s, "of %u; %u %s would be in a larger class", (unsigned)t->classes,
			     (unsigned)toggle->jobs, plural(toggle->jobs, "job", "jobs"));
	}
	class_toggles_free(t);
}

void classes_explain(const struct classes_data *d, uint32_t class, struct explain *e)
{
	explain_key(d, class, e);
	explain_facts(d, class, e);
	explain_near(d, class, e);
	explain_toggles(d, e);
}

/* ---- two ------------------------------------------------------------------------------------- */

/* Adds each component in which the classes A and B differ, with BEFORE before its name. */
static void add_differences(const struct classes_data *d, uint32_t a, uint32_t b,
			    const char *before, bool decides, struct compare *out)
{
	uint32_t i = d->classes->members[d->classes->first[a]];
	uint32_t j = d->classes->members[d->classes->first[b]];
	char left[CLASS_VALUE_MAX], right[CLASS_VALUE_MAX];

	for (size_t k = 0; k < d->set->count; k++) {
		struct compare_row *row;

		if (d->set->components[k].excluded ||
		    d->set->components[k].ids[i] == d->set->components[k].ids[j])
			continue;
		class_set_shown(d->set, k, i, left, sizeof(left));
		class_set_shown(d->set, k, j, right, sizeof(right));
		row = compare_add(out, F64_UNKNOWN, F64_UNKNOWN, "%s%.140s", before,
				  d->set->names[k]);
		row->decides = decides;
		(void)snprintf(row->note, sizeof(row->note), "%.70s against %.70s",
			       *left ? left : classes_unset(d, k),
			       *right ? right : classes_unset(d, k));
	}
}

void classes_compare_jobs(const struct classes_data *d, uint32_t a, uint32_t b, struct compare *out)
{
	const struct cluster *c = d->jobs->model->cluster;
	const uint8_t *kind = d->jobs->index->kind;
	bool wait = kind[a] == JOB_PENDING && kind[b] == JOB_PENDING;
	struct compare_row *row;
	uint32_t *class_of, x, y;

	if (!class_rules_pbs(d->set->rules))
		return;
	class_of = classes_by_job(d, cluster_rows(c, TABLE_JOB));
	x = class_of[d->jobs->index->job[a]];
	y = class_of[d->jobs->index->job[b]];
	mem_free(class_of);
	row = compare_add(out, F64_UNKNOWN, F64_UNKNOWN, "equivalence class");
	if (x == ROW_NONE || y == ROW_NONE)
		(void)snprintf(row->note, sizeof(row->note), "they are not both in the queue");
	else if (d->apart)
		(void)snprintf(row->note, sizeof(row->note),
			       "classes are off: each job is considered on its own");
	else if (x == y)
		(void)snprintf(row->note, sizeof(row->note), "both are in class %u%s%s",
			       (unsigned)x, classes_known(d) == CLASSES_ALL ? "" :
			       ", unless their groups, which are unknown, separate them", wait ?
			       ": once one of them cannot run, the other is not tried" : "");
	else
		(void)snprintf(row->note, sizeof(row->note),
			       "class %u and class %u, which differ%s", (unsigned)x, (unsigned)y,
			       classes_known(d) == CLASSES_VAGUE ? " by the known values:" : ":");
	if (x != ROW_NONE && y != ROW_NONE && !d->apart)
		add_differences(d, x, y, "class: ", false, out);
}

void classes_compare(const struct classes_data *d, uint32_t a, uint32_t b, struct compare *out)
{
	const struct class_facts *x = &d->facts[a], *y = &d->facts[b];

	*out = (struct compare){ 0 };
	compare_add(out, classes_counted(d, x->waiting), classes_counted(d, y->waiting), "waiting");
	compare_add(out, classes_counted(d, x->running), classes_counted(d, y->running), "running");
	compare_add(out, classes_count(x->first_rank), classes_count(y->first_rank), "first rank");
	add_differences(d, a, b, "", true, out);
	if (x->first_rank != y->first_rank)
		out->order = x->first_rank < y->first_rank ? -1 : 1;
	(void)snprintf(out->sentence, sizeof(out->sentence), "class %u and class %u: ", (unsigned)a,
		       (unsigned)b);
	classes_difference(d, a, b, out->sentence + strlen(out->sentence),
			   sizeof(out->sentence) - strlen(out->sentence));
}
