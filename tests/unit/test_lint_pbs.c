/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lint of a PBS. For a recording: what its scheduler itself wrote in comments and its log
 * (8.pbshead, of "ines": "Can Never Run: Job has zero shares for fairshare"; queue "maint": "Queue
 * not started"). For sched_config: values that OpenPBS's parse.cpp refuses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/pbs/pbs_text.h"
#include "core/lint/lint_pbs.h"
#include "tests/support/pbs.h"

static const struct lint_item *find(const struct lint *l, const char *code, const char *object)
{
	for (size_t i = 0; i < l->count; i++) {
		if (strcmp(l->items[i].code, code) == 0 &&
		    strcmp(l->items[i].object, object) == 0)
			return &l->items[i];
	}
	return NULL;
}

static void run(struct cluster *c, struct lint *l)
{
	struct model *m = model_new(c, NULL, NULL);

	lint_init(l);
	lint_pbs(m, l);
	model_free(m);
	cluster_free(c);
}

static void test_recording(void **state)
{
	struct lint l;

	(void)state;
	run(pbs_cluster("01_main"), &l);
	assert_int_equal(l.count, 3);
	assert_non_null(find(&l, "P1", "user:ines"));
	assert_non_null(find(&l, "P2", "job:8.pbshead"));
	assert_non_null(find(&l, "P3", "queue:maint"));
	lint_free(&l);
	run(pbs_cluster("07_multisched"), &l);
	assert_null(find(&l, "P5", "fair_share"));
	lint_free(&l);
}

static void put(struct pbs_text *t, const char *name, char *text)
{
	*t = (struct pbs_text){ name, text, strlen(text), NULL, true };
}

/* Returns a site with CONFIG as sched_config, a tree of one group, and a formula (NULL: none). */
static struct cluster *configured(const char *config, const char *formula)
{
	static char lines[500], sched[500], tree[] = "hep 10 root 40\nann 11 hep 5\n";
	struct pbs_texts texts = { .time = 1795146621 };
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cluster *c = NULL;

	snprintf(lines, sizeof(lines), "resources: \"ncpus, mem\"\n%s\n", config);
	snprintf(sched, sizeof(sched), "Sched default\n%s%s\n",
		 formula ? "    job_sort_formula = " : "", formula ? formula : "");
	put(&texts.kind[PBS_CONFIG], "sched_config", lines);
	put(&texts.kind[PBS_GROUP], "resource_group", tree);
	put(&texts.kind[PBS_SCHED], "list sched", sched);
	if (!pbs_text_build(&texts, b, &err) || !(c = builder_seal(b, &err)))
		fail_msg("%s", err.message);
	return c;
}

static void test_configurations(void **state)
{
	static const struct {
		const char *config, *formula, *code, *object;
	} cases[] = {
		{ "fair_share: true ALL", NULL, NULL, NULL },
		{ "fair_share: false ALL", NULL, "P5", "fair_share" },
		{ "fair_share: false ALL", "10 * fairshare_perc", NULL, NULL },
		{ "fair_share: true ALL", "job_priority + walltime", NULL, NULL },
		{ "fair_share: true ALL", "job_priority + foo", "P4", "job_sort_formula" },
		{ "fair_share: true ALL", "eligible_time", "P4", "job_sort_formula" },
		{ "fair_share: true\nfairshare_decay_factor: 1", NULL, "P6",
		  "fairshare_decay_factor" },
		{ "fair_share: true\nfairshare_decay_factor: 0", NULL, "P6",
		  "fairshare_decay_factor" },
		{ "fair_share: true\nfairshare_decay_factor: 0.5", NULL, NULL, NULL },
		{ "fair_share: true\nfairshare_entity: user", NULL, "P6", "fairshare_entity" },
		{ "fair_share: true\nfairshare_decay_time: 00:00:00", NULL, "P6",
		  "fairshare_decay_time" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct lint l;

		run(configured(cases[i].config, cases[i].formula), &l);
		if (l.count != (cases[i].code != NULL) ||
		    (cases[i].code && !find(&l, cases[i].code, cases[i].object)))
			fail_msg("%s, %s: %zu items", cases[i].config, cases[i].formula, l.count);
		lint_free(&l);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recording), cmocka_unit_test(test_configurations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
