/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A bug report names nobody. Every text of every table, the notes, the file, its directory and the
 * settings get a mark that must not appear in it, nor may a name from recordings of real
 * schedulers. A full disk leaves no file.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "tests/support/data.h"
#include "tests/support/planted.h"
#include "tests/support/recording.h"
#include "tests/support/scratch.h"

#define MARK "zzmark-"

/* Kept as they are: names of machines, queues and resources, and words of the scheduler. */
static const enum field kept[] = {
	F_ASSOC_PARTITION, F_ASSOC_DEFAULT_QOS, F_ASSOC_QOS, F_USER_ADMIN, F_TRES_NAME,
	F_PARTITION_NAME, F_PARTITION_STATE, F_PARTITION_NODE_LIST, F_PARTITION_BILLING_WEIGHTS,
	F_PARTITION_QOS, F_PARTITION_FLAGS, F_PARTITION_PREEMPT_MODE, F_QOS_NAME, F_QOS_FLAGS,
	F_QOS_PREEMPT, F_QOS_PREEMPT_MODE, F_JOB_TASKS, F_JOB_CHARGED, F_JOB_PARTITION, F_JOB_QOS,
	F_JOB_STATE, F_JOB_REASON, F_JOB_DEPENDENCY, F_JOB_FEATURES, F_JOB_LICENSES,
	F_JOB_NODE_LIST, F_JOB_JOB_ID, F_JOB_SELECT, F_JOB_SCHEDSELECT, F_JOB_PLACE,
	F_JOB_RESOURCES, F_JOB_RESOURCES_USED, F_JOB_EXEC_VNODE, F_JOB_JOB_STATE, F_JOB_HOLD_TYPES,
	F_JOB_ARRAY_STATE_COUNT, F_JOB_NODE_CPUS, F_JOB_GRES, F_JOB_NODES_ASKED,
	F_JOB_NODES_AVOIDED, F_JOB_SLUID, F_PRIO_PARTITION, F_PRIO_QOS, F_HOST_NAME, F_HOST_STATE,
	F_HOST_FEATURES, F_HOST_PARTITIONS, F_HOST_MXJ, F_HOST_RESOURCES, F_HOST_SHARING,
	F_HOST_HOST_PARTITION, F_HOST_SCHED_PARTITION, F_RESERVATION_FLAGS,
	F_RESERVATION_PARTITION, F_RESERVATION_NODE_LIST, F_RESERVATION_QOS,
	F_RESERVATION_PARTITIONS, F_LICENSE_NAME, F_QUEUE_NAME, F_QUEUE_STATE, F_QUEUE_POOL,
	F_QUEUE_HOSTS, F_QUEUE_QUEUE_TYPE, F_QUEUE_PARTITION, F_QUEUE_NODE_GROUP_KEY,
	F_QUEUE_RESOURCES_AVAILABLE, F_QUEUE_RESOURCES_ASSIGNED, F_QUEUE_RESOURCES_DEFAULT,
	F_QUEUE_RESOURCES_MAX, F_QUEUE_RESOURCES_MIN, F_QUEUE_STATE_COUNT, F_QUEUE_PAST,
	F_POOL_NAME, F_SERVER_NAME, F_SERVER_HOST, F_SERVER_STATE, F_SERVER_NODE_GROUP_KEY,
	F_SERVER_RESOURCES_AVAILABLE, F_SERVER_RESOURCES_ASSIGNED, F_SERVER_RESOURCES_DEFAULT,
	F_SERVER_DEFAULT_QUEUE, F_SERVER_STATE_COUNT, F_SCHED_NAME, F_SCHED_PARTITION,
	F_SCHED_HOST, F_SCHED_STATE, F_SCHED_SETTINGS, F_SCHED_FORMULA,
	/* parts of these are kept: test_store_crash */
	F_QUEUE_LIMITS, F_SERVER_LIMITS, F_QUEUE_PARAMETERS,
};

static bool is_kept(enum field field)
{
	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (kept[i] == field)
			return true;
	}
	return false;
}

/* Leaves kept fields alone: a queue's name must be the name of a queue. */
static const char *mark(enum field field, const char *text, char *buf, size_t size)
{
	if (!text[0] || (field != F_COUNT && is_kept(field)) || strcmp(text, "root") == 0)
		return text;
	snprintf(buf, size, MARK "%s-%s", field == F_COUNT ? "note" : field_info[field].name,
		 text);
	return buf;
}

/* ---- reports -------------------------------------------------------------------------------- */

static char home[SCRATCH_PATH_MAX], file[SCRATCH_PATH_MAX];

/* Writes a report of SOURCE to FILE, with files limited to LIMIT bytes; returns the exit status. */
static int run(const char *source, rlim_t limit)
{
	char program[4096];
	int status, fd;
	pid_t pid = fork();

	if (pid == 0) {
		snprintf(program, sizeof(program), "%s/fairtop", getenv("FAIRTOP_BUILD"));
		setenv("XDG_CONFIG_HOME", home, 1);
		setrlimit(RLIMIT_FSIZE, &(struct rlimit){ limit, limit });
		signal(SIGXFSZ, SIG_IGN);
		fd = open("/dev/null", O_WRONLY);
		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		execl(program, program, "bug-report", source, "-o", file, (char *)NULL);
		_exit(127);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Reads and removes FILE; NULL if there is none. */
static char *take_report(void)
{
	FILE *f = fopen(file, "r");
	struct stat st;
	char *text;

	if (!f)
		return NULL;
	assert_int_equal(fstat(fileno(f), &st), 0);
	text = mem_zalloc((size_t)st.st_size + 1, 1);
	assert_int_equal(fread(text, 1, (size_t)st.st_size, f), st.st_size);
	fclose(f);
	unlink(file);
	return text;
}

static char *report_of(const char *source, int expected)
{
	char *text;

	assert_int_equal(run(source, RLIM_INFINITY), expected);
	text = take_report();
	assert_non_null(text);
	return text;
}

static void check_unmarked(const char *source, const char *path, int expected)
{
	char *text = report_of(path, expected), *at = strstr(text, MARK);

	if (at)
		fail_msg("%s: %.80s", source, at);
	mem_free(text);
}

static void test_marked(void **state)
{
	static const char *const sources[][2] = {
		{ "", "cli/fairtree.snapshot" }, { "pbs:", "pbs/01_main" },
		{ "pbs:", "pbs/09_badtree" }, { "pbs:", "pbs/17_reserved" },
		{ "lsf:", "lsf/volclava/t1" }, { "slurm:", "slurm/fairtree/quiet" },
		{ "demo", NULL },
	};
	char spec[1000], data[SCRATCH_PATH_MAX * 2], path[SCRATCH_PATH_MAX];

	(void)state;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		const char *name = sources[i][1];
		struct store_writer *w;
		struct cluster *c;

		snprintf(spec, sizeof(spec), "%s%s", sources[i][0],
			 name ? data_path(name, data, sizeof(data)) : "");
		c = planted(spec, mark);
		planted_write(c, scratch_path(MARK "snapshot", path));
		check_unmarked(spec, path, 0);
		w = recording_writer(scratch_path(MARK "recording", path));
		recording_write(w, c, cluster_meta(c)->time);
		store_writer_close(w);
		check_unmarked(spec, path, 0);
	}
	check_unmarked("no source", scratch_path(MARK "none", path), 2);
}

/* A line with a name that the cluster does not know is left out. */
static void test_marked_note(void **state)
{
	char directory[SCRATCH_PATH_MAX], path[SCRATCH_PATH_MAX * 2], spec[SCRATCH_PATH_MAX + 4];
	FILE *group;

	(void)state;
	assert_int_equal(mkdir(scratch_path(MARK "pbs", directory), 0700), 0);
	snprintf(path, sizeof(path), "%s/resource_group", directory);
	group = fopen(path, "w");
	assert_non_null(group);
	fputs("physics 60 root 20\n" MARK "lost 61 " MARK "nowhere 20\n", group);
	assert_int_equal(fclose(group), 0);
	snprintf(spec, sizeof(spec), "pbs:%s", directory);
	check_unmarked(spec, spec, 0);
}

/* ---- names of real schedulers --------------------------------------------------------------- */

/* Names of people, and names that are kept; an account of LSF may have the name of a queue. */
static struct list {
	char *names[20000];
	size_t count;
} people, others;

static const char *collect(enum field field, const char *text, char *buf, size_t size)
{
	struct list *l = field != F_COUNT && is_kept(field) ? &others : &people;

	(void)buf;
	(void)size;
	/* "unknown" is PBS's own group. */
	if (field != F_COUNT && strlen(text) > 3 && strcmp(text, "unknown") != 0 &&
	    l->count < sizeof(l->names) / sizeof(l->names[0]))
		l->names[l->count++] = mem_strdup(text);
	return text;
}

static bool is_among(const struct list *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++) {
		if (strcmp(l->names[i], name) == 0)
			return true;
	}
	return false;
}

static void forget(struct list *l)
{
	while (l->count > 0)
		mem_free(l->names[--l->count]);
}

static bool in_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_' || c == '-';
}

/* Does TEXT contain WORD, other than as a key of JSON? */
static bool has_word(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
		if (!in_word(at[length]) && strncmp(at + length, "\":", 2) != 0 &&
		    (at == text || !in_word(at[-1])))
			return true;
	}
	return false;
}

static void test_real_names(void **state)
{
	static const char *const sources[] = { "slurm:slurm/fairtree/quiet", "pbs:pbs/01_main",
					       "pbs:pbs/09_badtree", "pbs:pbs/17_reserved",
					       "lsf:lsf/volclava/t1", "lsf:lsf/nested" };
	char spec[1000], data[SCRATCH_PATH_MAX * 2], *ours = report_of("demo", 0), *text;

	(void)state;
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		const char *colon = strchr(sources[i], ':');

		snprintf(spec, sizeof(spec), "%.*s%s", (int)(colon + 1 - sources[i]), sources[i],
			 data_path(colon + 1, data, sizeof(data)));
		cluster_free(planted(spec, collect));
		text = report_of(spec, 0);
		assert_true(people.count > 3);
		for (size_t k = 0; k < people.count; k++) {
			const char *name = people.names[k];

			/* LSF's word for all users without a line of their own */
			if (strcmp(name, "others") == 0)
				continue;
			if (has_word(text, name) && !has_word(ours, name) &&
			    !is_among(&others, name))
				fail_msg("%s: %s", sources[i], name);
		}
		assert_non_null(strstr(text, "\"fairtop-snapshot\""));
		if (i == 2)	/* fairtop's own words in a note stay */
			assert_non_null(strstr(text, "left out, as the scheduler does"));
		mem_free(text);
		forget(&people);
		forget(&others);
	}
	mem_free(ours);
}

/* ---- a full disk ---------------------------------------------------------------------------- */

static void test_full_disk(void **state)
{
	(void)state;
	assert_int_equal(run("demo", 4096), 2);
	assert_null(take_report());
}

static int begin(void **state)
{
	char path[SCRATCH_PATH_MAX * 2];
	FILE *conf;

	scratch_open(state);
	scratch_path("conf", home);
	scratch_path("report", file);
	snprintf(path, sizeof(path), "%s/fairtop", home);
	if (mkdir(home, 0700) != 0 || mkdir(path, 0700) != 0)
		return 1;
	snprintf(path, sizeof(path), "%s/fairtop/fairtop.conf", home);
	conf = fopen(path, "w");
	if (!conf)
		return 1;
	fputs("cluster " MARK "cluster ssh:" MARK "host/slurm\n"
	      "jobs\nfilter user=" MARK "user\nbind x filter user=" MARK "bound\n", conf);
	return fclose(conf);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marked),
		cmocka_unit_test(test_marked_note),
		cmocka_unit_test(test_real_names),
		cmocka_unit_test(test_full_disk),
	};

	return cmocka_run_group_tests_name("bug_report", tests, begin, scratch_close);
}
