/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every parameter of PBS takes effect in a what-if, or is refused by name: on the recording of a
 * real OpenPBS 23.06.06 each edit below changes the order of jobs, their classes, the cycle, the
 * shares or the decay.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/text.h"
#include "core/sim/cycle_view.h"
#include "core/share/decay_policy.h"
#include "core/whatif/whatif_apply.h"
#include "tests/support/edits.h"
#include "tests/support/kept.h"
#include "tests/support/pbs.h"

/* GIVEN: edits active before and after, one per line. */
static const struct {
	const char *name, *value, *given;
} edits[] = {
	{ "fair_share", "False", "" },
	{ "fairshare_decay_time", "06:00:00", "" },
	{ "fairshare_decay_factor", "0.9", "" },
	{ "unknown_shares", "50", "" },
	{ "fairshare_enforce_no_shares", "False", "" },
	{ "job_sort_formula", "walltime", "" },
	{ "job_sort_formula_threshold", "7000", "job_sort_formula = walltime" },
	{ "job_sort_key", "walltime HIGH", "fair_share = False" },
	{ "backfill_depth", "7", "strict_ordering = True" },
	{ "backfill", "False", "strict_ordering = True" },
	{ "strict_ordering", "True", "" },
	{ "strict_fifo", "True", "" },
	{ "by_queue", "True", "" },
	{ "round_robin", "True", "" },
	{ "resources", "ncpus", "" },
	{ "resource_unset_infinite", NULL, "" },	/* no job asks for a resource left unset */
	{ "primetime_prefix", "w", "" },
	{ "nonprimetime_prefix", "w", "" },
	{ "dedicated_prefix", "w", "" },
	{ "preemptive_sched", "True", "preempt_queue_prio = 75\nfair_share = False" },
	{ "preempt_queue_prio", "75", "preemptive_sched = True\nfair_share = False" },
	{ "preempt_prio", "normal_jobs, express_queue",
	  "preemptive_sched = True\npreempt_queue_prio = 75\nfair_share = False" },
	{ "preempt_targets_enable", NULL, "" },	/* no job there has preempt targets */
	{ "equiv_class_enable", "False", "" },
	{ "equiv_class_exclude", "walltime", "" },
};

static uint64_t mix(uint64_t seed, const void *bytes, size_t size)
{
	return text_hash(bytes, size, seed);
}

/* Returns a hash of all results for C. */
static uint64_t sum_of(const struct cluster *c)
{
	struct model *m = kept_model(c);
	struct jobs *j = kept_jobs(m);
	struct class_choice choice = class_choice_of(c);
	struct classes_data *d = classes_data_new(j, &choice, NULL, 0);
	struct cycle_result *r = cycle_of(d, !choice.apart, cycle_depth(c));
	struct burn law = decay_after(c, 100000);
	uint64_t sum = 0;

	sum = mix(sum, m->fs->norm_shares, m->fs->n * sizeof(double));
	sum = mix(sum, j->order->rank, j->index->n * sizeof(uint32_t));
	for (size_t k = 0; k < d->set->count; k++)
		sum = mix(sum, d->set->names[k], strlen(d->set->names[k]));
	sum = mix(sum, d->classes->class_of, d->set->jobs * sizeof(uint32_t));
	sum = mix(sum, r->cycle->status, r->input.jobs);
	sum = mix(sum, &r->left_out, sizeof(r->left_out));
	sum = mix(sum, &law.left, sizeof(law.left));
	cycle_result_free(r);
	classes_data_free(d);
	return sum;
}

static uint64_t tried(const struct cluster *base, const char *given, const char *edit)
{
	struct whatif *w = whatif_new();
	struct err err = { .code = ERR_NONE };
	struct cluster *c;
	uint64_t sum;

	if (!whatif_load(w, given, &err) || (edit && !whatif_add(w, edit, &err)))
		fail_msg("%s", err.message);
	c = kept_cluster(edits_apply(w, base));
	sum = sum_of(c);
	whatif_free(w);
	return sum;
}

static void test_effects(void **state)
{
	struct cluster *c = kept_cluster(pbs_cluster("01_main"));

	(void)state;
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		char text[200];

		if (!edits[i].value)
			continue;
		snprintf(text, sizeof(text), "%s = %s", edits[i].name, edits[i].value);
		if (tried(c, edits[i].given, NULL) == tried(c, edits[i].given, text))
			fail_msg("%s changes nothing", text);
		assert_true(tried(c, edits[i].given, text) == tried(c, edits[i].given, text));
	}
}

/*
 * The answers of qmgr of OpenPBS 23.06.06 to "set sched job_sort_formula = ...": "Formula contains
 * invalid keyword" and "Formula contains a resource of an invalid type", or none.
 */
static void test_words(void **state)
{
	static const struct {
		const char *formula, *refused;
	} cases[] = {
		{ "ncpus*2 + walltime/3600 + mem - nodect", NULL },
		{ "fair_share_perc + fairshare_perc + accrue_type + eligible_time", NULL },
		{ "ncpus*2 + nosuch", "an invalid keyword: nosuch" },
		{ "2 * cpu", "an invalid keyword: cpu" },	/* a name only of fairtop */
		{ "2 * select", "a resource of an invalid type: select" },
		{ "2 * color", "a resource of an invalid type: color" },
		{ "2 * tokens", NULL },			/* the server has this resource */
	};
	struct cluster *c = kept_cluster(pbs_cluster("14_limits"));

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct whatif *w = whatif_new();
		struct err err = { .code = ERR_NONE };
		char text[200];

		snprintf(text, sizeof(text), "job_sort_formula = %s", cases[i].formula);
		assert_true(whatif_add(w, text, &err));
		cluster_free(whatif_apply(w, c));
		if (whatif_check(w, &err) != !cases[i].refused ||
		    (cases[i].refused && !strstr(err.message, cases[i].refused)))
			fail_msg("%s: %s", text, err.message);
		whatif_free(w);
	}
}

/* Every parameter has a line above, or a reason why it is not tried. */
static void test_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < policy_params_count; i++) {
		const struct policy_param *p = &policy_params[i];
		bool there = false;

		for (size_t k = 0; k < sizeof(edits) / sizeof(edits[0]); k++)
			there = there || strcmp(edits[k].name, p->name) == 0;
		if (p->scheduler == POLICY_OF_PBS && there != (!p->untried))
			fail_msg("%s: %s", p->name, there ? "is tried here, and refused" :
				 "is neither tried here nor refused");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_effects), cmocka_unit_test(test_all),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests_name("pbs_effects", tests, NULL, kept_free);
}
