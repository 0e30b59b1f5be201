/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The classes of a real OpenPBS 23.06.06, job by job: its scheduler wrote the class of every job
 * into each recording (*.ec_truth.tsv), and the rule set "openpbs" must give the same partition,
 * under every limit and every resources: line that was tried. The recordings are in tests/data/pbs.
 * If FAIRTOP_SHARED names a directory with all of them, each configuration of 04_limits is read
 * with the list of jobs recorded with it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "adapters/pbs/pbs_text.h"
#include "core/classes/class_rules.h"
#include "core/base/mem.h"
#include "tests/support/data.h"
#include "tests/support/pbs.h"
#include "tests/support/scratch.h"

#define PATH_SIZE 4096
#define JOBS_MAX 2000
#define JOBS 139		/* that the scheduler grouped, in each of the 21 */

struct truth {
	char id[JOBS_MAX][40];
	char class[JOBS_MAX][16];
	size_t count;
};

static void recorded(char *path, const char *file)
{
	char below[300];

	snprintf(below, sizeof(below), "pbs/%s", file);
	data_path(below, path, PATH_SIZE);
}

static void read_truth(const char *file, struct truth *t)
{
	char path[PATH_SIZE], line[1024];
	FILE *f;

	recorded(path, file);
	f = fopen(path, "r");
	if (!f)
		fail_msg("cannot read %s", path);
	t->count = 0;
	while (fgets(line, sizeof(line), f)) {
		if (line[0] != '#' &&
		    sscanf(line, "%39[^\t]\t%15[^\t]", t->id[t->count], t->class[t->count]) == 2)
			t->count++;
	}
	fclose(f);
}

static struct cluster *fetch(const char *spec)
{
	struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct err err = { 0 };
	struct source *s = source_open(spec, &err);
	struct cluster *c = NULL;

	if (!s || source_fetch(s, &request, &c, &err) != FETCH_NEW)
		fail_msg("%s: %s", spec, err.message);
	source_close(s);
	return c;
}

static size_t find_truth(const struct truth *t, const char *id)
{
	size_t i = 0;

	while (i < t->count && strcmp(t->id[i], id) != 0)
		i++;
	return i;
}

/* Two jobs share a computed class if and only if they share a class of the scheduler. */
static uint32_t compare(const struct cluster *c, const struct truth *t)
{
	struct class_set *set = class_set_new(c, CLASS_OPENPBS, NULL, NULL, 0);
	struct classes *classes = classes_new(set->components, set->count, set->jobs);
	size_t *place = mem_alloc(set->jobs, sizeof(*place));
	uint32_t compared = 0;

	for (uint32_t i = 0; i < set->jobs; i++) {
		place[i] = find_truth(t, cluster_text(c, F_JOB_JOB_ID, set->job[i]));
		compared += place[i] < t->count;
	}
	for (uint32_t i = 0; i < set->jobs; i++) {
		for (uint32_t j = 0; j < i; j++) {
			if (place[i] == t->count || place[j] == t->count)
				continue;
			if ((classes->class_of[i] == classes->class_of[j]) !=
			    (strcmp(t->class[place[i]], t->class[place[j]]) == 0))
				fail_msg("%s and %s", t->id[place[i]], t->id[place[j]]);
		}
	}
	mem_free(place);
	classes_free(classes);
	class_set_free(set);
	return compared;
}

static void test_whole_recordings(void **state)
{
	static const struct {
		const char *recording, *truth;
		uint32_t jobs;
	} files[] = {
		/* With -t: the running subjobs of 56[], which the scheduler counts as jobs. */
		{ "01_main", "01_main/cycle1.ec_truth.tsv", JOBS + 3 },
		{ "01_main", "01_main/cycle2.ec_truth.tsv", JOBS + 3 },
		{ "02_formula", "02_formula/cycle1.ec_truth.tsv", JOBS },
	};
	static struct truth t;

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char spec[PATH_SIZE] = "pbs:";
		struct cluster *c;

		recorded(spec + 4, files[i].recording);
		read_truth(files[i].truth, &t);
		c = fetch(spec);
		assert_int_equal(compare(c, &t), files[i].jobs);
		cluster_free(c);
	}
}

/* ---- every limit and resources: line -------------------------------------------------------- */

static void link_file(const char *target, const char *to)
{
	char link[SCRATCH_PATH_MAX], from[PATH_SIZE];

	/* A relative link is resolved from its own directory. */
	assert_non_null(realpath(target, from));
	assert_int_equal(symlink(from, scratch_path(to, link)), 0);
}

static void link_recorded(const char *name, const char *to)
{
	char file[200], target[PATH_SIZE];

	snprintf(file, sizeof(file), "04_limits/%s.%s", name, to);
	recorded(target, file);
	link_file(target, to);
}

/* Links the jobs of one configuration; all have the same jobs with other comments. */
static void link_jobs(const char *name)
{
	char target[PATH_SIZE], file[200];

	snprintf(file, sizeof(file), "captures/pbs/04_limits/%s.qstat_f.json", name);
	if (!data_shared(file, target, sizeof(target)))
		recorded(target, "04_limits/qstat_f.json");
	link_file(target, "qstat_f.json");
}

/* Writes the recorded sched_config with another resources: line; "-": without one. */
static void write_config(const char *resources)
{
	char path[PATH_SIZE], config[SCRATCH_PATH_MAX], line[4096];
	FILE *from, *to;

	recorded(path, "01_main/sched_config");
	from = fopen(path, "r");
	to = fopen(scratch_path("sched_config", config), "w");
	assert_true(from && to);
	while (fgets(line, sizeof(line), from)) {
		if (strncmp(line, "resources:", 10) != 0)
			fputs(line, to);
	}
	if (strcmp(resources, "-") != 0)
		fprintf(to, "resources: \"%s\"\n", resources);
	fclose(from);
	fclose(to);
}

static void check_limit(const char *name, const char *resources)
{
	char spec[PATH_SIZE], file[200];
	static struct truth t;
	struct cluster *c;

	link_jobs(name);
	link_recorded(name, "qstat_Qf.json");
	link_recorded(name, "qstat_Bf.json");
	write_config(resources);
	snprintf(spec, sizeof(spec), "pbs:%s", scratch_directory());
	snprintf(file, sizeof(file), "04_limits/%s.ec_truth.tsv", name);
	read_truth(file, &t);
	c = fetch(spec);
	if (compare(c, &t) != JOBS)
		fail_msg("%s: %u jobs, not %d", name, compare(c, &t), JOBS);
	cluster_free(c);
}

static void test_every_limit(void **state)
{
	char path[PATH_SIZE], line[1024], name[100], resources[900];
	unsigned done = 0;
	FILE *f;

	(void)state;
	recorded(path, "04_limits/inputs.tsv");
	f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		if (line[0] == '#' || sscanf(line, "%99[^\t]\t%899[^\n]", name, resources) != 2)
			continue;
		check_limit(name, resources);
		done++;
	}
	fclose(f);
	assert_int_equal(done, 19);
}

/* ---- several schedulers ---------------------------------------------------------------------- */

/* Writes the recorded jobs with the queue of the last one, "wknd", replaced. */
static void write_jobs(const char *queue)
{
	static const char line[] = "\"queue\":\t\"wknd\"";
	size_t length, at = 0;
	char *text = pbs_text("07_multisched/qstat_f_json.json", &length);
	char path[SCRATCH_PATH_MAX];
	const char *from = text, *found;
	FILE *f;

	while ((found = strstr(from, line))) {
		at = (size_t)(found - text);
		from = found + 1;
	}
	assert_true(at > 0);
	f = fopen(scratch_path("qstat_f.json", path), "w");
	assert_non_null(f);
	fprintf(f, "%.*s\"queue\":\t\"%s\"%s", (int)at, text, queue, text + at + strlen(line));
	fclose(f);
	mem_free(text);
}

static bool are_one_class(const char *queue)
{
	char spec[PATH_SIZE], target[PATH_SIZE];
	struct class_set *set;
	struct classes *classes;
	struct cluster *c;
	bool same;

	recorded(target, "07_multisched/qstat_Qf_json.json");
	link_file(target, "qstat_Qf.json");
	recorded(target, "07_multisched/list_sched.txt");
	link_file(target, "list_sched.txt");
	write_jobs(queue);
	snprintf(spec, sizeof(spec), "pbs:%s", scratch_directory());
	c = fetch(spec);
	set = class_set_new(c, CLASS_OPENPBS, NULL, NULL, 0);
	assert_int_equal(set->jobs, 5);
	classes = classes_new(set->components, set->count, set->jobs);
	assert_string_equal(cluster_text(c, F_JOB_JOB_ID, set->job[3]), "187.pbshead");
	assert_string_equal(cluster_text(c, F_JOB_JOB_ID, set->job[4]), "188.pbshead");
	same = classes->class_of[3] == classes->class_of[4];
	classes_free(classes);
	class_set_free(set);
	cluster_free(c);
	return same;
}

/*
 * 187 and 188 are equal and in a queue of the scheduler "weekend": one class, since its partition
 * is no key. The same job in a queue of the default scheduler is in no class of weekend's.
 */
static void test_classes_do_not_cross_schedulers(void **state)
{
	(void)state;
	assert_true(are_one_class("wknd"));
	assert_false(are_one_class("workq"));
}

/*
 * A reservation has its own queue, which is part of the scheduler's key: a job in it shares no
 * class with the same job outside. The recordings have no two such jobs; the rule is from
 * resresv_set_use_queue().
 */
static void test_the_queue_of_a_reservation(void **state)
{
	static const char job[] = "{\"job_state\":\"Q\",\"euser\":\"u\",\"queue\":\"%s\",%s"
				  "\"Resource_List\":{\"ncpus\":1,\"select\":\"1:ncpus=1\"}}";
	char one[400], other[400], text[1000], queues[] =
		"{\"Queue\":{\"workq\":{\"Priority\":0},\"R7\":{\"Priority\":0}}}";
	static const char *const reserved[] = { "", "\"reserve_ID\":\"R7.p\"," };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct pbs_texts texts = { .time = 1795146621 };
		struct builder *b = builder_new();
		struct classes *classes;
		struct class_set *set;
		struct cluster *c;

		snprintf(one, sizeof(one), job, "workq", "");
		snprintf(other, sizeof(other), job, "R7", reserved[i]);
		snprintf(text, sizeof(text), "{\"Jobs\":{\"1.p\":%s,\"2.p\":%s}}", one, other);
		texts.kind[PBS_QUEUE] = (struct pbs_text){ "qstat -Q", mem_strdup(queues),
							   strlen(queues), NULL, true };
		texts.kind[PBS_JOBS] = (struct pbs_text){ "qstat", text, strlen(text), NULL, true };
		assert_true(pbs_text_build(&texts, b, NULL));
		c = builder_seal(b, NULL);
		set = class_set_new(c, CLASS_OPENPBS, NULL, NULL, 0);
		classes = classes_new(set->components, set->count, set->jobs);
		assert_int_equal(set->jobs, 2);
		assert_int_equal(classes->count, i == 0 ? 1 : 2);
		classes_free(classes);
		class_set_free(set);
		cluster_free(c);
		mem_free(texts.kind[PBS_QUEUE].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole_recordings),
		cmocka_unit_test(test_every_limit),
		cmocka_unit_test(test_classes_do_not_cross_schedulers),
		cmocka_unit_test(test_the_queue_of_a_reservation),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
