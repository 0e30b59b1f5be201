/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Classes of a real OpenPBS as the views show them: what each exclusion would do, two classes in
 * one line, one class explained, and a cycle over the recorded queue, which starts the same jobs
 * with classes and without. The number of classes is the scheduler's own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "core/classes/class_toggles.h"
#include "core/sim/cycle_nodes.h"
#include "core/sim/cycle_view.h"
#include "core/classes/class_values.h"
#include "core/classes/classes_explain.h"
#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/cluster/host_state.h"
#include "tests/support/data.h"
#include "tests/support/lab.h"
#include "tests/support/pbs.h"

static struct lab *read_queue(const char *name)
{
	return lab_of(pbs_cluster(name));
}

static struct classes_data *group(const struct lab *q, enum class_rules rules,
				  const char *exclude, bool apart)
{
	struct class_choice choice = { rules, exclude, apart };

	return classes_data_new(q->j, &choice, NULL, 0);
}

/* Adds a pending job; returns its row. */
static uint32_t add_job(struct builder *b, uint32_t id)
{
	uint32_t row = builder_add(b, TABLE_JOB);

	builder_u32(b, F_JOB_ID, row, id);
	builder_str(b, F_JOB_STATE, row, "PENDING");
	return row;
}

static void test_each_toggle_is_what_grouping_anew_says(void **state)
{
	static const enum class_rules all[] = { CLASS_OPENPBS, CLASS_DOCUMENT };
	static const char *const excludes[] = { NULL, "walltime", "ncpus,mpiprocs",
						"place, euser" };
	struct lab *q = *state = read_queue("01_main");

	for (size_t r = 0; r < 2; r++) {
		for (size_t x = 0; x < sizeof(excludes) / sizeof(excludes[0]); x++) {
			struct class_toggles *t = class_toggles_new(q->c, all[r], excludes[x]);

			assert_true(t->count > 5);
			while (class_toggles_step(t))
				;
			for (size_t i = 0; i < t->count; i++) {
				const struct class_toggle *toggle = &t->list[i];
				struct classes_data *d;
				char list[300];

				assert_true(class_exclude_toggle(excludes[x], toggle->name, list,
								 sizeof(list)));
				assert_true(toggle->excluded ? toggle->classes >= t->classes
							     : toggle->classes <= t->classes);
				assert_int_equal(toggle->jobs == 0, toggle->classes == t->classes);
				d = group(q, all[r], list, false);
				assert_int_equal(d->classes->count, toggle->classes);
				classes_data_free(d);
			}
			class_toggles_free(t);
		}
	}
}

/* The scheduler wrote: "Number of job equivalence classes: 35". */
static void test_near_misses_come_in_order(void **state)
{
	struct lab *q = *state = read_queue("01_main");
	struct class_toggles *t = class_toggles_new(q->c, CLASS_OPENPBS, NULL);
	size_t places[3], n, steps = 1;

	assert_int_equal(class_toggles_near(t, places, 3), 0);	/* not known yet */
	while (class_toggles_step(t))
		steps++;
	assert_int_equal(steps, t->count);
	n = class_toggles_near(t, places, 3);
	assert_int_equal(t->classes, 35);
	assert_int_equal(n, 3);
	assert_string_equal(t->list[places[0]].name, "walltime");
	assert_true(t->list[places[0]].jobs >= t->list[places[1]].jobs);
	assert_true(t->list[places[1]].jobs >= t->list[places[2]].jobs);
	for (size_t i = 0; i < t->count; i++)
		assert_true(t->list[i].jobs <= t->list[places[0]].jobs);
	class_toggles_free(t);
}

/* "select=1:x=\"a b\"": a name with a blank is no component and in no list. */
static void test_a_name_with_a_blank_changes_nothing(void **state)
{
	struct lab *q = *state = read_queue("01_main");
	struct class_toggles *t = class_toggles_new(q->c, CLASS_OPENPBS, NULL);

	strcpy(t->list[0].name, "a b");
	while (class_toggles_step(t))
		;
	assert_int_equal(t->list[0].classes, t->classes);
	class_toggles_free(t);
}

static void test_lists_of_exclusions(void **state)
{
	char buf[20];

	(void)state;
	assert_true(class_exclude_toggle(NULL, "mem", buf, sizeof(buf)));
	assert_string_equal(buf, "mem");
	assert_true(class_exclude_toggle("mem", "mem", buf, sizeof(buf)));
	assert_string_equal(buf, "");
	assert_true(class_exclude_toggle(" mem ,\tvmem", "mem", buf, sizeof(buf)));
	assert_string_equal(buf, "vmem");
	assert_true(class_exclude_toggle("mem,vmem", "walltime", buf, sizeof(buf)));
	assert_string_equal(buf, "mem,vmem,walltime");
	assert_false(class_exclude_toggle("mem,vmem", "max_walltime", buf, sizeof(buf)));
}

static void test_values_for_people(void **state)
{
	static const struct {
		const char *name, *value, *shown;
	} cases[] = {
		{ "walltime", "7200", "02:00:00" }, { "max_walltime", "360000", "100:00:00" },
		{ "cput", "61", "00:01:01" }, { "mem", "8589934592", "8gb" },
		{ "vmem", "1025", "1025b" }, { "mem", "0", "0" }, { "ncpus", "7200", "7200" },
		{ "walltime", "soon", "soon" }, { "mem", "", "" },
	};
	char buf[60];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		class_shown(cases[i].name, strlen(cases[i].name), cases[i].value,
			    strlen(cases[i].value), buf, sizeof(buf));
		assert_string_equal(buf, cases[i].shown);
	}
	class_select_shown("2:mem=8589934592:ncpus=64+1:color=red", buf, sizeof(buf));
	assert_string_equal(buf, "2:mem=8gb:ncpus=64+1:color=red");
	class_select_shown("2:mem=8589934592:ncpus=64", buf, 9);
	assert_string_equal(buf, "2:mem=8g");
}

static uint32_t class_of_job(const struct classes_data *d, const char *id)
{
	uint32_t row = pbs_job(d->jobs->model->cluster, id);

	for (uint32_t i = 0; i < d->set->jobs; i++) {
		if (d->set->job[i] == row)
			return d->classes->class_of[i];
	}
	fail_msg("%s is not grouped", id);
	return 0;
}

/* 12 and 13 are fill_1 and fill_2: 2 h and 3 h. */
static void test_two_classes_in_one_line(void **state)
{
	struct lab *q = *state = read_queue("01_main");
	struct classes_data *d = group(q, CLASS_OPENPBS, NULL, false);
	uint32_t a = class_of_job(d, "12.pbshead"), b = class_of_job(d, "13.pbshead");
	struct compare c;
	char text[600];

	classes_difference(d, a, b, text, sizeof(text));
	assert_string_equal(text, "same except for walltime 02:00:00 against 03:00:00");
	classes_difference(d, a, a, text, sizeof(text));
	assert_string_equal(text, "the same class");
	assert_int_equal(classes_differ(d, a, b), 1);
	classes_compare(d, a, b, &c);
	assert_non_null(strstr(c.sentence, "same except for walltime 02:00:00 against 03:00:00"));
	assert_string_equal(c.rows[c.count - 1].name, "walltime");
	assert_true(c.rows[c.count - 1].decides);
	assert_false(c.rows[c.count - 2].decides);
	compare_free(&c);
	classes_data_free(d);
	d = group(q, CLASS_OPENPBS, "walltime", false);
	assert_int_equal(class_of_job(d, "12.pbshead"), class_of_job(d, "13.pbshead"));
	classes_data_free(d);
}

static struct value key_of(const struct classes_data *d, uint32_t class)
{
	struct view view = classes_view(d);
	struct value v = { .kind = VALUE_UNKNOWN };

	column_get(column_find(view.columns, view.column_count, "key", 3), d, class,
		   &v);
	assert_int_equal(v.kind, VALUE_MAP);
	return v;
}

/* Some component in both classes' shown facts separates each pair of classes. */
static void assert_each_pair_is_told(const struct classes_data *d)
{
	size_t n = d->set->count;

	for (uint32_t a = 0; a < d->classes->count; a++) {
		for (uint32_t b = 0; b < a; b++) {
			size_t reported = 0;

			for (size_t k = 0; k < n; k++)
				reported += d->place[a * n + k] > 0 && d->place[b * n + k] > 0 &&
					d->set->components[k].ids[d->facts[a].head] !=
						d->set->components[k].ids[d->facts[b].head];
			assert_true(reported > 0);
		}
	}
}

/* fill_1 to fill_8 differ in walltime only: it comes first on the screen, last in files. */
static void test_what_tells_a_class_comes_first(void **state)
{
	struct lab *q = *state = read_queue("01_main");
	struct classes_data *d = group(q, CLASS_OPENPBS, NULL, false);
	uint32_t class = class_of_job(d, "12.pbshead");
	struct value key = key_of(d, class);
	size_t entries = key.count;

	assert_string_equal(key.entries[0].key, "select");
	assert_string_equal(key.entries[1].key, "place");
	classes_for_people(d);
	key = key_of(d, class);
	assert_int_equal(key.count, entries);
	assert_string_equal(key.entries[0].key, "walltime");
	assert_string_equal(key.entries[0].shown, "02:00:00");
	assert_true(key.entries[0].bare);
	assert_each_pair_is_told(d);
	classes_data_free(d);
}

/* Cells of the key on a screen of 80 columns. */
#define KEY_CELLS 28

static void test_keys_that_are_cut_differ(void **state)
{
	struct lab *q = *state = read_queue("01_main");
	struct classes_data *d = group(q, CLASS_OPENPBS, NULL, false);
	struct view view = classes_view(d);
	const struct column *column = column_find(view.columns, view.column_count, "key", 3);
	char(*cut)[KEY_CELLS + 1] = mem_alloc(view.rows, sizeof(*cut));
	uint32_t alike = 0;

	classes_for_people(d);
	for (uint32_t row = 0; row < view.rows; row++) {
		struct value key = key_of(d, row);

		format_cell(column, &key, NULL, cut[row], sizeof(cut[row]));
		for (uint32_t other = 0; other < row; other++) {
			if (strcmp(cut[row], cut[other]) == 0)
				print_message("alike: %s\n", cut[row]);
			alike += strcmp(cut[row], cut[other]) == 0;
		}
	}
	assert_int_equal(alike, 0);
	mem_free(cut);
	classes_data_free(d);
}

/* Partition and QOS of the same name: facts go by component, not by name. */
static void test_one_name_in_two_components(void **state)
{
	static const char *const of[][2] = { { "p", "q" }, { "p", "r" }, { "q", "q" } };
	const struct cluster_meta meta = { .kind = "slurm", .version = "22.05.8", .time = 1000 };
	struct builder *b = builder_new();
	struct classes_data *d;
	struct lab *q;

	builder_meta(b, &meta);
	for (uint32_t i = 0; i < 3; i++) {
		uint32_t row = add_job(b, i + 1);

		builder_str(b, F_JOB_USER, row, "ann");
		builder_u32(b, F_JOB_CPUS, row, 1);
		builder_str(b, F_JOB_PARTITION, row, of[i][0]);
		builder_str(b, F_JOB_QOS, row, of[i][1]);
	}
	q = *state = lab_of(lab_sealed(b));
	d = group(q, class_rules_of(q->c), NULL, false);
	assert_int_equal(d->classes->count, 3);
	classes_for_people(d);
	assert_each_pair_is_told(d);
	classes_data_free(d);
}

static void test_a_class_explained(void **state)
{
	struct lab *q = *state = read_queue("01_main");
	struct classes_data *d = group(q, CLASS_OPENPBS, NULL, false);
	struct err err = { 0 };
	struct explain e;
	bool walltime = false;

	explain_init(&e);
	classes_explain(d, class_of_job(d, "12.pbshead"), &e);
	for (size_t i = 0; i < e.count; i++)
		walltime = walltime || (strcmp(e.steps[i].name, "walltime") == 0 &&
					strcmp(e.steps[i].with, "02:00:00") == 0);
	assert_true(walltime);
	explain_free(&e);
	assert_int_equal(classes_find(d, "class:3", &err), 3);
	assert_int_equal(classes_find(d, "class:35", &err), ROW_NONE);
	assert_string_equal(err.message, "class:35: there are 35 classes, counted from 0");
	assert_int_equal(classes_find(d, "class:", &err), ROW_NONE);
	assert_int_equal(classes_find(d, "class:-1", &err), ROW_NONE);
	classes_data_free(d);
}

static void test_apart_each_job_is_a_class(void **state)
{
	struct lab *q = *state = read_queue("01_main");
	struct classes_data *d = group(q, CLASS_OPENPBS, NULL, true);

	assert_int_equal(d->classes->count, d->set->jobs);
	classes_data_free(d);
}

/*
 * Jobs of other schedulers differ by the TRES they count, jobs of a past log, which has none, by
 * CPUs and nodes. Without hosts no cycle can be simulated.
 */
static void test_other_schedulers(void **state)
{
	static const struct {
		uint32_t cpus, memory;
		bool tres;
	} jobs[] = { { 8, 4096, true }, { 8, 4096, true }, { 8, 1000, true }, { 8, 0, false },
		     { 38, 0, false }, { 38, 0, false } };
	static const uint32_t expected[] = { 0, 0, 1, 2, 3, 3 };
	struct builder *b = builder_new();
	uint32_t cpu = builder_tres_row(b, "cpu", 3), mem = builder_tres_row(b, "mem", 3);
	struct class_set *set;
	struct classes *classes;
	struct lab *q;
	struct class_choice choice = { .rules = CLASS_SLURM };
	struct classes_data *d;
	char shown[40];

	for (uint32_t i = 0; i < 6; i++) {
		uint32_t row = add_job(b, i + 1);
		struct tres_item items[] = { { cpu, jobs[i].cpus }, { mem, jobs[i].memory } };

		builder_str(b, F_JOB_USER, row, "u");
		builder_u32(b, F_JOB_CPUS, row, jobs[i].cpus);
		if (jobs[i].tres)
			builder_tres(b, F_JOB_TRES, row, items, 2);
	}
	q = *state = lab_of(lab_sealed(b));
	set = class_set_new(q->c, CLASS_SLURM, NULL, NULL, 0);
	classes = classes_new(set->components, set->count, set->jobs);
	for (uint32_t i = 0; i < 6; i++)
		assert_int_equal(classes->class_of[i], expected[i]);
	for (size_t k = 0; k < set->count; k++) {
		if (strcmp(set->names[k], "mem") != 0)
			continue;
		class_set_shown(set, k, 0, shown, sizeof(shown));
		assert_string_equal(shown, "4G");
		class_set_shown(set, k, 2, shown, sizeof(shown));
		assert_string_equal(shown, "1000M");
	}
	classes_free(classes);
	class_set_free(set);
	d = classes_data_new(q->j, &choice, NULL, 0);
	assert_non_null(cycle_saving_of(d).unknown);
	classes_data_free(d);
}

/* ---- the cycle ------------------------------------------------------------------------------- */

static void check_cycle(const struct lab *q, enum class_rules rules, uint32_t depth)
{
	struct classes_data *d = group(q, rules, NULL, false);
	struct cycle_result *on = cycle_of(d, true, depth), *off = cycle_of(d, false, depth);

	assert_int_equal(on->input.jobs, off->input.jobs);
	assert_true(on->input.jobs > 50);
	assert_int_equal(off->cycle->considered, off->input.jobs);
	assert_true(on->cycle->considered <= off->cycle->considered);
	for (uint32_t i = 0; i < on->input.jobs; i++) {
		assert_int_equal(on->cycle->status[i] == CYCLE_RUN,
				 off->cycle->status[i] == CYCLE_RUN);
		assert_int_equal(on->cycle->status[i] == CYCLE_CALENDARED,
				 off->cycle->status[i] == CYCLE_CALENDARED);
		/* Skips the class for the very reason that the job would get. */
		if (on->cycle->status[i] != CYCLE_RUN)
			assert_string_equal(on->cycle->reason[i], off->cycle->reason[i]);
	}
	cycle_result_free(on);
	cycle_result_free(off);
	classes_data_free(d);
}

static void test_the_cycle_starts_the_same_jobs(void **state)
{
	struct lab *q = *state = read_queue("01_main");

	for (uint32_t depth = 0; depth < 6; depth++) {
		check_cycle(q, CLASS_OPENPBS, depth);
		check_cycle(q, CLASS_DOCUMENT, depth);
	}
}

/* Without recorded nodes any job may run; which ones is unknown. */
static void test_without_hosts_nobody_can_tell(void **state)
{
	struct lab *q = *state = read_queue("02_formula");
	struct classes_data *d = group(q, CLASS_OPENPBS, NULL, false);
	struct cycle_result *r = cycle_of(d, true, 0);

	assert_true(r->blind);
	assert_true(r->input.jobs > 50);
	assert_int_equal(r->cycle->considered, 0);
	for (uint32_t i = 0; i < r->input.jobs; i++) {
		assert_int_equal(r->cycle->status[i], CYCLE_UNKNOWN);
		assert_string_equal(r->cycle->reason[i],
				    "unknown: no data on hosts that may take it");
	}
	cycle_result_free(r);
	classes_data_free(d);
}

/*
 * The entity "ines" has no shares and the queue "maint" is not started: the scheduler reports it
 * ("Can Never Run: Job has zero shares for fairshare") before its cycle, so these jobs are not in
 * it. Five others are held, or wait for their time or for another job.
 */
static void test_stopped_jobs_are_left_out(void **state)
{
	struct lab *q = *state = read_queue("01_main");
	struct classes_data *d = group(q, CLASS_OPENPBS, NULL, false);
	struct cycle_result *r = cycle_of(d, true, cycle_depth(q->c));
	uint32_t ines = pbs_job(q->c, "8.pbshead");
	const char *why = NULL;

	/* backfill_depth is 1, but without strict_ordering the log has no top job. */
	assert_int_equal(r->input.backfill_depth, 0);
	assert_int_equal(r->left_out, 4 + 5);
	assert_true(r->cycle->considered < r->cycle->jobs);
	assert_int_not_equal(ines, ROW_NONE);
	for (uint32_t i = 0; i < r->input.jobs + r->left_out; i++) {
		if (d->set->job[r->jobs[i]] == ines)
			why = r->why[i - r->input.jobs];
	}
	assert_non_null(why);
	assert_non_null(strstr(why, "no shares"));
	cycle_result_free(r);
	classes_data_free(d);
}

/* ---- hosts ----------------------------------------------------------------------------------- */

static const struct {
	const char *kind, *state;
	bool usable;
} states[] = {
	{ "slurm", "IDLE", true }, { "slurm", "MIXED", true }, { "slurm", "MIXED+PLANNED", true },
	{ "slurm", "IDLE+CLOUD+POWERED_DOWN", true }, { "slurm", "idle~", true },
	{ "slurm", "IDLE+DRAIN", false }, { "slurm", "MIXED+DRAIN", false },
	{ "slurm", "DOWN*", false }, { "slurm", "IDLE*", false }, { "slurm", "drained", false },
	{ "slurm", "DOWN+NOT_RESPONDING", false }, { "slurm", "IDLE+MAINTENANCE", false },
	{ "slurm", "IDLE+RESERVED", false }, { "slurm", "FUTURE", false },
	{ "pbs", "free", true }, { "pbs", "offline", false }, { "pbs", "down", false },
	{ "pbs", "state-unknown,down", false }, { "pbs", "stale", false },
	{ "pbs", "free,offline", false }, { "pbs", "resv-exclusive", false },
	{ "pbs", "maintenance", false }, { "pbs", "job-busy", false },
	{ "pbs", "frei,down", false }, { "slurm", NULL, true },
};
#define STATES (sizeof(states) / sizeof(states[0]))

static struct cluster *one_host(const char *kind, const char *state)
{
	struct cluster_meta meta = { .kind = kind, .time = 0 };
	struct builder *b = builder_new();

	builder_meta(b, &meta);
	(void)builder_add(b, TABLE_HOST);
	if (state)
		builder_str(b, F_HOST_STATE, 0, state);
	return lab_sealed(b);
}

/* Adds an idle node of 8 CPUs in the partition batch; returns its row. */
static uint32_t add_node(struct builder *b, const char *name)
{
	static const char *const batch = "batch";
	uint32_t row = builder_add(b, TABLE_HOST);

	builder_str(b, F_HOST_NAME, row, name);
	builder_str(b, F_HOST_STATE, row, "IDLE");
	builder_u32(b, F_HOST_CPUS, row, 8);
	builder_list(b, F_HOST_PARTITIONS, row, &batch, 1);
	return row;
}

/* Returns a Slurm cluster with that partition. */
static struct builder *batch_site(void)
{
	const struct cluster_meta meta = { .kind = "slurm", .version = "22.05.8", .time = 1000 };
	struct builder *b = builder_new();

	builder_meta(b, &meta);
	builder_str(b, F_PARTITION_NAME, builder_add(b, TABLE_PARTITION), "batch");
	return b;
}

static void test_states_in_which_hosts_are_usable(void **state)
{
	(void)state;
	for (size_t i = 0; i < STATES; i++) {
		struct cluster *c = one_host(states[i].kind, states[i].state);

		if (host_usable(c, 0) != states[i].usable)
			fail_msg("%s %s", states[i].kind, states[i].state ? states[i].state : "-");
		assert_int_equal(hosts_unknown(c), 0);
		assert_int_equal(hosts_usable(c), states[i].usable);
		cluster_free(c);
	}
}

/* A vnode without a state, or with an unsupported one, is not free. */
static void test_states_that_are_unknown(void **state)
{
	static const char *const unknown[] = { NULL, "", "frei", "state-unknown", "free,frei" };

	(void)state;
	for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++) {
		struct cluster *c = one_host("pbs", unknown[i]);

		assert_int_equal(hosts_usable(c), 0);
		assert_int_equal(hosts_unknown(c), 1);
		cluster_free(c);
	}
}

/* Returns how many jobs run in the picture's cycle. Frees C. */
static uint32_t count_run(struct cluster *c, uint32_t *jobs)
{
	struct lab *lab = lab_of(c);
	struct classes_data *d = group(lab, CLASS_DOCUMENT, NULL, false);
	struct cycle_result *r = cycle_of(d, true, 0);
	uint32_t run = 0;

	*jobs = r->input.jobs;
	for (uint32_t i = 0; i < *jobs; i++)
		run += r->cycle->status[i] == CYCLE_RUN;
	cycle_result_free(r);
	classes_data_free(d);
	lab_free(lab);
	return run;
}

/* Recorded with all nodes IDLE+DRAIN: slurmctld started no job. */
static void test_nothing_runs_on_drained_nodes(void **state)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct err err = { 0 };
	struct cluster *c = NULL;
	struct source *s;
	char path[4000], spec[4096];
	uint32_t jobs;

	(void)state;
	if (!data_shared("captures/slurm/depthobl/quiet", path, sizeof(path)))
		skip();
	snprintf(spec, sizeof(spec), "slurm:%s", path);
	s = source_open(spec, &err);
	if (!s || source_fetch(s, &request, &c, &err) != FETCH_NEW)
		fail_msg("%s", err.message);
	assert_int_equal(hosts_usable(c), 0);
	assert_int_equal(count_run(c, &jobs), 0);
	assert_int_equal(jobs, 46);
	source_close(s);
}

/* One node of 8 CPUs and no GPU; one job asks for a CPU, one for two GPUs. */
static void test_what_no_host_has_blocks(void **state)
{
	struct builder *b = builder_new();
	const struct tres_item has = { builder_tres_row(b, "cpu", 3), 8 };
	const struct tres_item wants = { builder_tres_row(b, "gres/gpu", 8), 2 };
	struct cluster_meta meta = { .kind = "slurm", .time = 1000 };
	uint32_t row, jobs;

	(void)state;
	builder_meta(b, &meta);
	row = builder_add(b, TABLE_HOST);
	builder_str(b, F_HOST_STATE, row, "IDLE");
	builder_tres(b, F_HOST_TRES, row, &has, 1);
	for (uint32_t i = 0; i < 2; i++) {
		row = add_job(b, i + 1);
		builder_i64(b, F_JOB_NICE, row, 0);
		builder_tres(b, F_JOB_TRES, row, i ? &wants : &(struct tres_item){ has.tres, 1 },
			     1);
	}
	assert_int_equal(count_run(lab_sealed(b), &jobs), 1);
	assert_int_equal(jobs, 2);
}

/* Two nodes of 8 CPUs and 1000 MiB, one with two GPUs; one job at a time. */
static void test_nodes_are_looked_at(void **state)
{
	static const struct {
		uint32_t cpus, max_nodes;
		double memory, gpus;
		bool runs;
	} jobs[] = {
		{ 8, 1, 8, 0, true }, { 9, 1, 9, 0, false }, { 9, U32_UNKNOWN, 9, 0, true },
		{ 16, 2, 16, 0, true }, { 17, 2, 17, 0, false },
		{ 1, 1, 1001, 0, false }, { 2, 2, 1600, 0, true },
		{ 1, 1, 1, 2, true }, { 1, 1, 1, 3, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct builder *b = batch_site();
		const uint32_t cpu = builder_tres_row(b, "cpu", 3);
		const uint32_t mem = builder_tres_row(b, "mem", 3);
		const uint32_t gpu = builder_tres_row(b, "gres/gpu", 8);
		uint32_t row, count;

		for (uint32_t h = 0; h < 2; h++) {
			const struct tres_item has[] = { { cpu, 8 }, { mem, 1000 }, { gpu, 2 } };

			row = add_node(b, h ? "n2" : "n1");
			builder_f64(b, F_HOST_MEMORY, row, 1000);
			builder_tres(b, F_HOST_TRES, row, has, h ? 3 : 2);
		}
		const struct tres_item asks[] = { { cpu, jobs[i].cpus }, { mem, jobs[i].memory },
						  { gpu, jobs[i].gpus } };
		row = add_job(b, 1);
		builder_str(b, F_JOB_PARTITION, row, "batch");
		builder_u32(b, F_JOB_CPUS, row, jobs[i].cpus);
		builder_u32(b, F_JOB_MAX_NODES, row, jobs[i].max_nodes);
		builder_u32(b, F_JOB_PRIORITY, row, 10);
		builder_i64(b, F_JOB_TIME_LIMIT, row, 60);
		builder_tres(b, F_JOB_TRES, row, asks, jobs[i].gpus > 0 ? 3 : 2);
		if (count_run(lab_sealed(b), &count) != jobs[i].runs)
			fail_msg("%u CPUs, %g MiB, %g GPUs", jobs[i].cpus, jobs[i].memory,
				 jobs[i].gpus);
	}
}

/* One node. Counts unmodelled needs, except of jobs that already miss something; unknowns wait. */
static void test_what_is_left_out_is_counted(void **state)
{
	static const struct {
		enum field field;
		const char *text;
		uint32_t cpus;
		bool gpus, runs;
		uint32_t guessed;
	} jobs[] = {
		{ F_JOB_NAME, "plain", 1, false, true, 0 },
		{ F_JOB_GRES, "gres:gpu:2", 1, false, true, 1 },
		{ F_JOB_GRES, "gres:gpu:2", 1, true, true, 0 },
		{ F_JOB_NODES_ASKED, "n1", 1, true, true, 1 },
		{ F_JOB_RESERVATION, "maint", 1, true, true, 1 },
		{ F_JOB_FEATURES, "[a*2]", 1, true, true, 1 },
		{ F_JOB_LICENSES, "none", 1, true, true, 1 },
		{ F_JOB_PARTITION, "none", 1, false, false, 0 },
		{ F_JOB_NAME, "unknown CPUs", U32_UNKNOWN, false, false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(jobs) / sizeof(jobs[0]); i++) {
		struct builder *b = batch_site();
		const uint32_t cpu = builder_tres_row(b, "cpu", 3);
		const struct tres_item all[] = { { cpu, 8 },
						 { builder_tres_row(b, "gres/gpu", 8), 2 } };
		struct job_index *x;
		struct cycle_nodes *n;
		struct cluster *c;
		uint32_t row;

		builder_tres(b, F_HOST_TRES, add_node(b, "n1"), all, 2);
		row = add_job(b, 1);
		builder_str(b, F_JOB_PARTITION, row, "batch");
		builder_u32(b, F_JOB_CPUS, row, jobs[i].cpus);
		builder_u32(b, F_JOB_PRIORITY, row, 10);
		builder_tres(b, F_JOB_TRES, row, all, jobs[i].gpus ? 2 : 1);
		builder_str(b, jobs[i].field, row, jobs[i].text);
		c = lab_sealed(b);
		x = job_index_new(c);
		n = cycle_nodes_new(c, x);
		assert_non_null(n);
		if (!cycle_nodes_start(n, 0) != jobs[i].runs ||
		    cycle_nodes_guessed(n) != jobs[i].guessed)
			fail_msg("%s: %u guessed", jobs[i].text, cycle_nodes_guessed(n));
		cycle_nodes_free(n);
		job_index_free(x);
		cluster_free(c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_states_in_which_hosts_are_usable),
		cmocka_unit_test(test_states_that_are_unknown),
		cmocka_unit_test(test_nothing_runs_on_drained_nodes),
		cmocka_unit_test(test_what_no_host_has_blocks),
		cmocka_unit_test(test_nodes_are_looked_at),
		cmocka_unit_test(test_what_is_left_out_is_counted),
		lab_test(test_each_toggle_is_what_grouping_anew_says),
		lab_test(test_near_misses_come_in_order),
		lab_test(test_a_name_with_a_blank_changes_nothing),
		cmocka_unit_test(test_lists_of_exclusions),
		cmocka_unit_test(test_values_for_people),
		lab_test(test_what_tells_a_class_comes_first),
		lab_test(test_keys_that_are_cut_differ),
		lab_test(test_one_name_in_two_components),
		lab_test(test_two_classes_in_one_line),
		lab_test(test_a_class_explained),
		lab_test(test_apart_each_job_is_a_class),
		lab_test(test_the_cycle_starts_the_same_jobs),
		lab_test(test_without_hosts_nobody_can_tell),
		lab_test(test_stopped_jobs_are_left_out),
		lab_test(test_other_schedulers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
