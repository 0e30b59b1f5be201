/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs every verb on a terminal with hostile names (escape sequences): in clusters, as file names
 * and on the command line. No control character may come out, neither a 7-bit nor an 8-bit one,
 * and none that changes the direction of text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/options.h"
#include "core/base/mem.h"
#include "core/cluster/cluster_copy.h"
#include "core/base/visible.h"
#include "tests/support/data.h"
#include "tests/support/planted.h"
#include "tests/support/recording.h"
#include "tests/support/scratch.h"

static const char *const tails[] = {
	"\033[2J", "\033]0;owned\a", "\xc2\x9b" "31m", "\x7f", "\xe2\x80\xae" "x", "\rX\b",
	"\xff\x9b", "\x9b" "31m\x8d",
};

/* Equal texts stay equal: the tail depends only on the text. */
static const char *spoil(enum field field, const char *text, char *buf, size_t size)
{
	static const enum field kept[] = {
		F_TRES_NAME, F_PARTITION_STATE, F_JOB_STATE, F_JOB_JOB_STATE, F_JOB_TASKS,
		F_HOST_STATE, F_QUEUE_STATE, F_QUEUE_QUEUE_TYPE, F_SERVER_STATE, F_SCHED_STATE,
		F_JOB_HOLD_TYPES, F_JOB_ARRAY_STATE_COUNT,
	};
	size_t sum = 0;

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++) {
		if (kept[i] == field)
			return text;
	}
	if (!text[0] || strcmp(text, "root") == 0)
		return text;
	for (size_t i = 0; text[i]; i++)
		sum += (unsigned char)text[i];
	snprintf(buf, size, "%s%s", text, tails[sum % (sizeof(tails) / sizeof(tails[0]))]);
	return buf;
}

/* ---- command lines -------------------------------------------------------------------------- */

/*
 * A word that is a single upper-case letter is replaced. Files: clusters of S slurm, P pbs, B pbs
 * with notes, L lsf; R a recording, W a log, N one that does not exist, Q a new one. Objects of the
 * cluster: A an account, U a user, J a job. ^ within a word is an escape character.
 */
static const struct {
	enum verb verb;
	const char *words;
} asked[] = {
	{ VERB_SCREEN, "S --render 120x24" }, { VERB_SCREEN, "S P R --render 120x24" },
	{ VERB_SCREEN, "S --print-config" }, { VERB_SCREEN, "S --render 120x24 --format ansi" },
	{ VERB_SCREEN, "N --render 120x24" },
	{ VERB_SCREEN, "S --theme ^[2J" }, { VERB_SCREEN, "S --^[2J" },
	{ VERB_ACCOUNTS, "accounts S" }, { VERB_ACCOUNTS, "accounts S --format json" },
	{ VERB_ACCOUNTS, "accounts S --format csv" }, { VERB_ACCOUNTS, "accounts S P L" },
	{ VERB_ACCOUNTS, "accounts S --filter ^[2J" }, { VERB_ACCOUNTS, "accounts N" },
	{ VERB_ACCOUNTS, "accounts S --set shares:/^[2J=3" },
	{ VERB_ACCOUNTS, "accounts S --columns ^[2J" }, { VERB_ACCOUNTS, "accounts B" },
	{ VERB_JOBS, "jobs S" }, { VERB_JOBS, "jobs P --format csv" },
	{ VERB_JOBS, "jobs L --format json" }, { VERB_JOBS, "jobs P" },
	{ VERB_CLASSES, "classes P" }, { VERB_CLASSES, "classes S --format csv" },
	{ VERB_CLASSES, "classes P --exclude ^[2J" },
	{ VERB_CYCLE, "cycle P" }, { VERB_CYCLE, "cycle P --both" },
	{ VERB_CYCLE, "cycle L --old" }, { VERB_CYCLE, "cycle P --sched ^[2J" },
	{ VERB_POOLS, "pools L" }, { VERB_POOLS, "pools L --log" },
	{ VERB_POOLS, "pools S --pools N" },
	{ VERB_LINT, "lint S" }, { VERB_LINT, "lint P" }, { VERB_LINT, "lint L --format json" },
	{ VERB_EXPLAIN, "explain S A" }, { VERB_EXPLAIN, "explain S U" },
	{ VERB_EXPLAIN, "explain S J" }, { VERB_EXPLAIN, "explain P J" },
	{ VERB_EXPLAIN, "explain L J" }, { VERB_EXPLAIN, "explain P class:1" },
	{ VERB_EXPLAIN, "explain S account:^[2J" }, { VERB_EXPLAIN, "explain P queue:^[2J" },
	{ VERB_WHY, "why S J" }, { VERB_WHY, "why P J" }, { VERB_WHY, "why L J" },
	{ VERB_WHY, "why S" }, { VERB_WHY, "why P user:^[2J" }, { VERB_WHY, "why S job:^[2J" },
	{ VERB_COMPARE, "compare S A U" }, { VERB_COMPARE, "compare P J J" },
	{ VERB_COMPARE, "compare P class:1 class:2" }, { VERB_COMPARE, "compare S A /^[2J" },
	{ VERB_WHATIF, "whatif S --set shares:U=3" },
	{ VERB_WHATIF, "whatif S --set shares:U=3 --export slurm" },
	{ VERB_WHATIF, "whatif P --set shares:U=3 --export pbs" },
	{ VERB_WHATIF, "whatif L --set shares:U=3 --export lsf" },
	{ VERB_WHATIF, "whatif S --what-if N" },
	{ VERB_FORECAST, "forecast S A --reach 0.5" }, { VERB_FORECAST, "forecast S J" },
	{ VERB_FORECAST, "forecast S ^[2J --reach 0.5" }, { VERB_WHATIF, "whatif P --set ^[2J" },
	{ VERB_SEEK, "seek S U --reach 0.5" }, { VERB_SEEK, "seek S ^[2J --reach 0.5" },
	{ VERB_VERIFY, "verify S" }, { VERB_VERIFY, "verify P" }, { VERB_VERIFY, "verify L" },
	{ VERB_POLICY, "policy S" }, { VERB_POLICY, "policy P" },
	{ VERB_SNAPSHOT, "snapshot S" }, { VERB_SNAPSHOT, "snapshot P" },
	{ VERB_SNAPSHOT, "snapshot R" }, { VERB_SNAPSHOT, "snapshot B" },
	{ VERB_RECORD, "record N -o Q --count 1" }, { VERB_RECORD, "record S -o /^[2J/x" },
	{ VERB_METRICS, "metrics S --users" }, { VERB_METRICS, "metrics R --users" },
	{ VERB_METRICS, "metrics S P L --users" }, { VERB_METRICS, "metrics N" },
	{ VERB_METRICS, "metrics S -o /^[2J/x" },
	{ VERB_WATCH, "watch S --once --rule x:accounts^shares>=0" },
	{ VERB_WATCH, "watch S --once --rule x:accounts^shares>=0 --format json" },
	{ VERB_WATCH, "watch S --once --rule ^[2J" },
	{ VERB_IMPORT, "import sacct W -o Q" }, { VERB_IMPORT, "import swf W -o Q" },
	{ VERB_IMPORT, "import lsf-acct N -o Q" }, { VERB_IMPORT, "import ^[2J W -o Q" },
	{ VERB_HISTORY, "history R A" }, { VERB_HISTORY, "history R U --format csv" },
	{ VERB_HISTORY, "history R ^[2J" },
	{ VERB_DIFF, "diff R" },
	{ VERB_DIFF, "diff R --format csv" },
	{ VERB_THIN, "thin R --keep ^[2J" }, { VERB_THIN, "thin N --keep 1d" },
	{ VERB_STARTS, "starts S" }, { VERB_STARTS, "starts S --format json" },
	{ VERB_STARTS, "starts S --runs N" },
	{ VERB_BACKTEST, "backtest R --policy slurm" }, { VERB_BACKTEST, "backtest N" },
	{ VERB_AUDIT, "audit S" }, { VERB_AUDIT, "audit R" }, { VERB_AUDIT, "audit S --sacct W" },
	{ VERB_BUG_REPORT, "bug-report S -o Q" }, { VERB_BUG_REPORT, "bug-report B -o S" },
	{ VERB_SERVE, "serve S" }, { VERB_SERVE, "serve N" },
	{ VERB_HELP, "help ^[2J" }, { VERB_HELP, "^[2J" }, { VERB_HELP, "help" },
};

static char files[26][SCRATCH_PATH_MAX];
static char *account, *user, job[100];

static char *path_of(const struct cluster *c, bool is_user)
{
	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i++) {
		size_t size = cluster_path(c, i, NULL, 0) + 1;
		char *path;

		if (cluster_is_user(c, i) != is_user)
			continue;
		path = mem_alloc(size, 1);
		cluster_path(c, i, path, size);
		return path;
	}
	fail_msg("no such association");
	return NULL;
}

/* Sets A, U and J to objects of C, the cluster of the command. */
static void name_objects(const struct cluster *c)
{
	mem_free(account);
	mem_free(user);
	account = path_of(c, false);
	user = path_of(c, true);
	snprintf(job, sizeof(job), "job:%u", (unsigned)cluster_u32(c, F_JOB_ID, 0));
}

/* Writes TEXT with its letter and ^ replaced to BUF. */
static char *word(const char *text, char *buf, size_t size)
{
	const char *tail = strchr(text, '=');
	bool of_user = strncmp(text, "shares:U", 8) == 0;
	size_t i;

	if (text[0] && !text[1] && strchr("AUJ", text[0])) {
		snprintf(buf, size, "%s", text[0] == 'A' ? account : text[0] == 'U' ? user : job);
		return buf;
	}
	if (text[0] >= 'A' && text[0] <= 'Z' && !text[1])
		return files[text[0] - 'A'];
	snprintf(buf, size, "%s%s%s", of_user ? "shares:" : text, of_user ? user : "",
		 of_user ? tail : "");
	for (i = 0; !of_user && buf[i]; i++) {
		if (buf[i] == '^')
			buf[i] = strncmp(buf, "x:", 2) == 0 ? ' ' : '\033';
	}
	return buf;
}

/* ---- running -------------------------------------------------------------------------------- */

static void become(int slave, char **argv)
{
	setsid();
	ioctl(slave, TIOCSCTTY, 0);
	for (int i = 0; i < 3; i++)
		dup2(slave, i);
	execv(argv[0], argv);
	_exit(127);
}

/* Runs ARGV; returns all that it writes to its terminal. */
static char *run(char **argv, size_t *length)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave = -1, status = -1;
	size_t capacity = 0;
	char *all = NULL;
	ssize_t n;
	pid_t pid;

	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
	    (slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0)
		skip();
	pid = fork();
	if (pid == 0)
		become(slave, argv);
	close(slave);
	*length = 0;
	do {
		all = mem_grow(all, &capacity, *length + 65536, 1);
		n = read(master, all + *length, 65536);
		*length += n > 0 ? (size_t)n : 0;
	} while (n > 0);
	assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
	close(master);
	all[*length] = '\0';
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 10);
	return all;
}

static bool turns(uint32_t c)
{
	return (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

/*
 * Returns where ALL has a harmful character, LENGTH if nowhere. Allows fairtop's progress line and
 * the CR LF that the terminal makes of a line feed.
 */
static size_t harmful(const char *all, size_t length)
{
	static const char ours[] = "\r\033[K";
	uint32_t c;

	for (size_t i = 0, n; i < length; i += n) {
		n = utf8_decode(all + i, length - i, &c);
		if (length - i > strlen(ours) && memcmp(all + i, ours, strlen(ours)) == 0)
			n = strlen(ours);
		else if (c == '\r' && i + 1 < length && all[i + 1] == '\n')
			n = 2;
		else if (c != '\n' && c != '\t' &&
			 (c < ' ' || (c >= 0x7f && c < 0xa0) || c == UINT32_MAX || turns(c)))
			return i;
	}
	return length;
}

/* Removes colours from a frame, which must have some; the names in it contain no such sequences. */
static size_t without_colours(char *all, size_t length)
{
	size_t kept = 0, taken = 0;

	for (size_t i = 0, n; i < length; i += n) {
		n = strncmp(all + i, "\033[", 2) != 0 ? 0 : 2 + strspn(all + i + 2, "0123456789;");
		if (n > 2 && all[i + n] == 'm') {
			n++;
			taken++;
		} else {
			n = 1;
			all[kept++] = all[i];
		}
	}
	assert_true(taken > 24);
	return kept;
}

static bool is_harmless(const char *words, const struct cluster *const *clusters)
{
	char copy[200], program[4096], bufs[12][1000], *argv[14] = { program };
	char *rest = copy, *text;
	size_t count = 1, length, at;
	char *all, safe[400];

	snprintf(program, sizeof(program), "%s/fairtop", getenv("FAIRTOP_BUILD"));
	snprintf(copy, sizeof(copy), "%s", words);
	name_objects(clusters[strstr(words, " P") ? 1 : strstr(words, " L") ? 2 : 0]);
	while ((text = strtok_r(rest, " ", &rest))) {
		argv[count] = word(text, bufs[count - 1], sizeof(bufs[0]));
		count++;
	}
	all = run(argv, &length);
	if (strstr(words, " ansi"))
		length = without_colours(all, length);
	at = harmful(all, length);
	if (at < length) {
		visible_copy(safe, sizeof(safe), all + (at > 60 ? at - 60 : 0),
			     length - at < 60 ? length - at + (at > 60 ? 60 : 0) : 120);
		print_error("%s: byte %zu of %zu: %s\n", words, at, length, safe);
	}
	mem_free(all);
	unlink(files['Q' - 'A']);
	return at == length;
}

static void test_every_verb(void **state)
{
	struct cluster *const *clusters = *state;
	bool seen[VERB_COUNT] = { false }, harmless = true;

	for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++) {
		harmless = is_harmless(asked[i].words, (const struct cluster *const *)clusters) &&
			   harmless;
		seen[asked[i].verb] = true;
	}
	for (unsigned v = 0; v < VERB_COUNT; v++) {
		if (!seen[v])
			fail_msg("%s is asked nothing", verb_info[v].name);
	}
	assert_true(harmless);
}

/* ---- the clusters --------------------------------------------------------------------------- */

static void write_log(const char *path)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs("JobIDRaw|Account|User|Submit|Start|End|State|AllocTRES|Partition\n"
	      "1|a\033[2J|u\xc2\x9b" "31m|2026-05-04T10:00:00|2026-05-04T10:00:10|"
	      "2026-05-04T11:00:00|COMPLETED|cpu=4|p\x7f\n"
	      "\033[2J|x|y|z|\x9b|\x07|\n", file);
	assert_int_equal(fclose(file), 0);
}

/* Writes two samples; the second has different shares. */
static void write_recording(const struct cluster *c, const char *path)
{
	struct store_writer *w = recording_writer(path);

	for (unsigned i = 0; i < 2; i++) {
		struct builder *b = cluster_copy(c);
		struct cluster_meta meta = *cluster_meta(c);

		meta.time += 1000 * i;
		builder_meta(b, &meta);
		builder_u32(b, F_ASSOC_SHARES, 1, 77 + i);
		recording_write(w, builder_seal(b, NULL), meta.time);
	}
	store_writer_close(w);
}

static int begin(void **state)
{
	static const char *const sources[][2] = { { "", "cli/fairtree.snapshot" },
						  { "pbs:", "pbs/01_main" },
						  { "lsf:", "lsf/volclava/t1" },
						  { "pbs:", "pbs/09_badtree" } };
	static struct cluster *clusters[4];
	char spec[SCRATCH_PATH_MAX * 3], data[SCRATCH_PATH_MAX * 2], name[20];

	scratch_open(state);
	for (char letter = 'A'; letter <= 'Z'; letter++) {
		snprintf(name, sizeof(name), "%c\033[31m\xc2\x9b" "1m", letter);
		scratch_path(name, files[letter - 'A']);
	}
	for (size_t i = 0; i < 4; i++) {
		snprintf(spec, sizeof(spec), "%s%s", sources[i][0],
			 data_path(sources[i][1], data, sizeof(data)));
		clusters[i] = planted(spec, spoil);
		planted_write(clusters[i], files["SPLB"[i] - 'A']);
	}
	write_recording(clusters[0], files['R' - 'A']);
	write_log(files['W' - 'A']);
	*state = clusters;
	return 0;
}

static int finish(void **state)
{
	struct cluster **clusters = *state;

	for (size_t i = 0; i < 4; i++)
		cluster_free(clusters[i]);
	mem_free(account);
	mem_free(user);
	return scratch_close(state);
}

int main(void)
{
	static const struct CMUnitTest tests[] = { cmocka_unit_test(test_every_verb) };

	return cmocka_run_group_tests_name("terminal", tests, begin, finish);
}
