/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots: written data reads back bit for bit, on clusters with any content and on recordings of
 * a real one; the corpus of bad files, each with its exact message; warnings; bytes that arrive in
 * pieces, late, or not at all.
 */
#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "adapters/demo/demo.h"
#include "adapters/snapshot/snapshot.h"
#include "core/base/bytes.h"
#include "core/share/fairshare.h"
#include "core/base/mem.h"
#include "tests/support/anything.h"
#include "tests/support/data.h"
#include "tests/support/dice.h"
#include "tests/support/dump.h"
#include "tests/support/equal.h"
#include "tests/support/jobdump.h"

#define GOOD \
	"{\"fairtop-snapshot\":1,\"kind\":\"slurm\",\"cluster\":\"c\",\"time\":1700000000}\n" \
	"{\"assoc\":{\"id\":1,\"parent\":null,\"account\":\"root\",\"shares\":1}}\n" \
	"{\"assoc\":{\"id\":2,\"parent\":1,\"account\":\"root\",\"user\":\"a\",\"usage\":5}}\n" \
	"{\"end\":{\"assoc\":2}}\n"

/* ---- text in memory ------------------------------------------------------------------------ */

static struct bytes written(const struct cluster *c)
{
	struct bytes t = { 0 };
	struct err err = { 0 };

	if (!snapshot_write(c, bytes_sink(&t), &err))
		fail_msg("%s", err.message);
	return t;
}

static struct cluster *must_parse(const char *text, size_t length)
{
	struct err err = { 0 };
	struct cluster *c = snapshot_parse(text, length, &err);

	if (!c)
		fail_msg("%u: %s", (unsigned)err.line, err.message);
	return c;
}

/* ---- round trips --------------------------------------------------------------------------- */

/* Frees C. */
static void check_round_trip(struct cluster *c)
{
	struct bytes once = written(c), twice;
	struct cluster *back = must_parse(once.data, once.length);

	if (!equal_clusters(c, back))
		fail_msg("the snapshot differs: %.2000s", once.data);
	twice = written(back);
	assert_string_equal(once.data, twice.data);
	bytes_free(&once);
	bytes_free(&twice);
	cluster_free(c);
	cluster_free(back);
}

static void test_anything(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 400; seed++)
		check_round_trip(anything_new(seed, 1 + (uint32_t)seed % 40, seed % 4 == 3));
}

static void test_demo(void **state)
{
	struct demo_options options = DEMO_OPTIONS_DEFAULT;

	(void)state;
	for (options.seed = 0; options.seed < 5; options.seed++) {
		struct demo *d = demo_new(&options);

		check_round_trip(demo_picture(d, NULL));
		demo_advance(d, 7200);
		check_round_trip(demo_picture(d, NULL));
		demo_free(d);
	}
}

static void test_recordings(void **state)
{
	(void)state;
	for (size_t i = 0; i < dump_count; i++) {
		check_round_trip(dump_cluster(dump_names[i]));
		check_round_trip(jobdump_cluster(dump_names[i]));
	}
}

/* Another library can parse every line, too. */
static void test_lines_are_json(void **state)
{
	struct cluster *c = anything_new(77, 30, true);
	struct bytes t = written(c);
	char *line = t.data;

	(void)state;
	while (*line) {
		size_t length = strcspn(line, "\n");
		json_error_t error;
		json_t *one = json_loadb(line, length, JSON_REJECT_DUPLICATES, &error);

		if (!one)
			fail_msg("%s: %.*s", error.text, (int)length, line);
		json_decref(one);
		line += length + 1;
	}
	bytes_free(&t);
	cluster_free(c);
}

/* ---- reading ------------------------------------------------------------------------------- */

static void test_good(void **state)
{
	static const char spaced[] =
		" { \"fairtop-snapshot\" : 1 , \"kind\":\"\",\"cluster\":\"\",\"time\":null}\r\n"
		"\t{\"end\":{}} \r\n";
	struct cluster *c = must_parse(GOOD, strlen(GOOD));

	(void)state;
	assert_string_equal(cluster_meta(c)->kind, "slurm");
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 2);
	/* an account without usage gets the sum of its children */
	assert_true(cluster_f64(c, F_ASSOC_USAGE, 0) == 5);
	assert_int_equal(cluster_notes(c), 0);
	cluster_free(c);
	/* the last newline may be missing, and white space does not matter */
	cluster_free(must_parse(GOOD, strlen(GOOD) - 1));
	c = must_parse(spaced, sizeof(spaced) - 1);
	assert_true(cluster_meta(c)->time == I64_UNKNOWN);
	cluster_free(c);
}

/* The same picture, whatever pieces the bytes arrive in. */
static void test_pieces(void **state)
{
	struct cluster *c = anything_new(5, 20, false), *back;
	struct bytes t = written(c);

	(void)state;
	for (size_t piece = 1; piece < 5000; piece = piece * 3 + 1) {
		struct snapshot_reader *r = snapshot_reader_new();

		for (size_t at = 0; at < t.length;) {
			size_t size;
			char *room = snapshot_reader_room(r, &size);
			struct err err = { 0 };

			size = size < piece ? size : piece;
			size = size < t.length - at ? size : t.length - at;
			memcpy(room, t.data + at, size);
			at += size;
			if (!snapshot_reader_took(r, size, &err))
				fail_msg("%u: %s", (unsigned)err.line, err.message);
		}
		back = snapshot_reader_finish(r, NULL);
		assert_non_null(back);
		assert_true(equal_clusters(c, back));
		cluster_free(back);
		snapshot_reader_free(r);
	}
	bytes_free(&t);
	cluster_free(c);
}

/* A file truncated anywhere is an error, never a smaller cluster. */
static void test_truncated_anywhere(void **state)
{
	size_t length = strlen(GOOD);

	(void)state;
	for (size_t cut = 0; cut + 1 < length; cut++) {
		struct err err = { 0 };

		if (snapshot_parse(GOOD, cut, &err))
			fail_msg("accepted after %zu bytes", cut);
		assert_int_equal(err.code, ERR_INPUT);
		assert_true(err.message[0] != '\0');
	}
}

static void test_damaged(void **state)
{
	struct cluster *c = anything_new(9, 4, false);
	struct bytes t = written(c);
	char *copy = mem_alloc(t.length, 1);
	uint64_t seed = 10;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct err err = { 0 };
		struct cluster *back;

		memcpy(copy, t.data, t.length);
		for (uint32_t n = 1 + dice_below(&seed, 3); n > 0; n--)
			copy[dice_below(&seed, (uint32_t)t.length)] = (char)dice_roll(&seed);
		back = snapshot_parse(copy, t.length, &err);
		if (!back && (err.code != ERR_INPUT || !err.message[0]))
			fail_msg("no reason");
		cluster_free(back);
	}
	mem_free(copy);
	bytes_free(&t);
	cluster_free(c);
}

static void test_warnings(void **state)
{
	static const char text[] =
		"{\"fairtop-snapshot\":1,\"kind\":\"x\",\"cluster\":\"c\",\"time\":1,"
		"\"colour\":{\"a\":[1]},\"policy\":{\"PriorityWeightMagic\":3},"
		"\"notes\":[{\"subject\":\"s\",\"text\":\"t\"}]}\n"
		"{\"weather\":{\"rain\":true}}\n"
		"{\"assoc\":{\"id\":1,\"parent\":null,\"account\":\"root\",\"smell\":1,"
		"\"reported\":{\"taste\":2},\"reported.norm_usage\":3}}\n"
		"{\"assoc\":{\"id\":2,\"parent\":1,\"account\":\"a\",\"smell\":1}}\n"
		"{\"end\":{\"assoc\":2,\"weather\":1}}\n";
	static const char *const expected[] = {
		"t", "line 1: unknown key \"colour\" of first line",
		"line 1: unknown key \"PriorityWeightMagic\" of policy",
		"line 2: unknown kind of line \"weather\"",
		"line 3 and 1 more: unknown key \"smell\" of assoc",
		"line 3: unknown key \"taste\" of assoc \"reported\"",
		"line 3: unknown key \"reported.norm_usage\" of assoc",
		"line 5: unknown key \"weather\" of end",
	};
	struct cluster *c = must_parse(text, sizeof(text) - 1);

	(void)state;
	assert_int_equal(cluster_notes(c), sizeof(expected) / sizeof(expected[0]));
	for (uint32_t i = 0; i < cluster_notes(c); i++)
		assert_string_equal(cluster_note(c, i).text, expected[i]);
	assert_string_equal(cluster_note(c, 1).subject, "snapshot");
	cluster_free(c);
}

/* Notes on unknown keys are limited in number. */
static void test_many_warnings(void **state)
{
	struct bytes t = { 0 };
	struct cluster *c;
	char line[64];

	(void)state;
	bytes_append(&t, GOOD, strlen(GOOD) - 20);
	for (int i = 0; i < 1000; i++) {
		snprintf(line, sizeof(line), "{\"kind%d\":1}\n", i);
		bytes_append(&t, line, strlen(line));
	}
	bytes_append(&t, "{\"end\":{\"assoc\":2}}\n", 20);
	c = must_parse(t.data, t.length);
	assert_int_equal(cluster_notes(c), 21);
	assert_string_equal(cluster_note(c, 20).text, "980 more unknown keys");
	cluster_free(c);
	bytes_free(&t);
}

/* A line of exactly the maximum is read, one byte more is refused. */
static void test_long_lines(void **state)
{
	static const char head[] = "{\"x\":\"", tail[] = "\"}\n";
	size_t first = strcspn(GOOD, "\n") + 1;

	(void)state;
	for (size_t more = 0; more < 2; more++) {
		size_t filler = SNAPSHOT_LINE_MAX - (sizeof(head) - 1) - (sizeof(tail) - 2) + more;
		struct bytes t = { 0 };
		char *many = mem_alloc(filler, 1);
		struct err err = { 0 };
		struct cluster *c;

		memset(many, 'a', filler);
		bytes_append(&t, GOOD, first);
		bytes_append(&t, head, sizeof(head) - 1);
		bytes_append(&t, many, filler);
		bytes_append(&t, tail, sizeof(tail) - 1);
		bytes_append(&t, &GOOD[first], strlen(GOOD) - first);
		c = snapshot_parse(t.data, t.length, &err);
		assert_int_equal(c != NULL, more == 0);
		if (!c) {
			assert_int_equal(err.line, 2);
			assert_string_equal(err.message, "the line is longer than 1048576 bytes");
		}
		cluster_free(c);
		mem_free(many);
		bytes_free(&t);
	}
}

static void test_too_many_tres(void **state)
{
	struct bytes t = { 0 };
	struct err err = { 0 };
	char line[64];

	(void)state;
	bytes_append(&t, GOOD, strcspn(GOOD, "\n") + 1);
	for (int i = 0; i <= SNAPSHOT_TRES_MAX; i++) {
		snprintf(line, sizeof(line), "{\"tres\":{\"name\":\"t%d\"}}\n", i);
		bytes_append(&t, line, strlen(line));
	}
	assert_null(snapshot_parse(t.data, t.length, &err));
	assert_int_equal(err.line, SNAPSHOT_TRES_MAX + 2);
	assert_string_equal(err.message, "tres: \"name\": more than 4096 kinds of TRES");
	bytes_free(&t);
}

static void test_detect(void **state)
{
	static const char *const yes[] = {
		"{\"fairtop-snapshot\":1", " { \"fairtop-snapshot\" ", "\n{\"fairtop-snapshot\"",
	};
	static const char *const no[] = {
		"", "{", "{\"fairtop-snapsho", "{\"assoc\":{}}", "SQLite format 3",
		"[{\"fairtop-snapshot\"", "fairtop-snapshot",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		assert_true(snapshot_detect(yes[i], strlen(yes[i])));
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		assert_false(snapshot_detect(no[i], strlen(no[i])));
	assert_false(snapshot_detect("\0{\"fairtop-snapshot\"", 21));
}

/* ---- the manual ---------------------------------------------------------------------------- */

/* The example of fairtop-snapshot(5); lines that begin with a blank continue the previous one. */
static struct bytes manual_example(void)
{
	const char *top = getenv("srcdir");
	struct bytes t = { 0 };
	char path[1200], line[400];
	FILE *file;

	snprintf(path, sizeof(path), "%s/doc/fairtop-snapshot.5.in", top ? top : ".");
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file) && strncmp(line, "{\"fairtop-snapshot\"", 19) != 0)
		;
	do {
		line[strcspn(line, "\n")] = '\0';
		if (t.length > 0 && line[0] == '{')
			bytes_append(&t, "\n", 1);
		bytes_append(&t, line, strlen(line));
	} while (fgets(line, sizeof(line), file) && (line[0] == '{' || line[0] == ' '));
	fclose(file);
	return t;
}

/* The manual lists all fields of every table. */
static void test_manual_is_complete(void **state)
{
	const char *top = getenv("srcdir");
	char path[1200], page[40000], marker[80];
	size_t length;
	FILE *file;

	(void)state;
	snprintf(path, sizeof(path), "%s/doc/fairtop-snapshot.5.in", top ? top : ".");
	file = fopen(path, "r");
	assert_non_null(file);
	length = fread(page, 1, sizeof(page) - 1, file);
	page[length] = '\0';
	fclose(file);
	for (int t = 0; t < TABLE_COUNT; t++) {
		snprintf(marker, sizeof(marker), "\n@FIELDS %s@\n", table_name((enum table)t));
		if (!strstr(page, marker))
			fail_msg("no %s", marker);
	}
}

/* The example can be read, and the manual's statements about it are true. */
static void test_manual_example(void **state)
{
	static const struct {
		const char *object;
		double effective_ratio;
	} expected[] = {
		{ "account:physics", 1.125 }, { "user:alice@physics", 1.125 },
		{ "account:biology", 0.75 }, { "user:carol@biology", 0.75 },
	};
	struct bytes t = manual_example();
	struct cluster *c = must_parse(t.data, t.length);
	struct fs_tree *tree = fs_tree_new(c, FS_ORDER_LIST);
	struct fs_input in = { c, tree, FS_BASE_USAGE, 1 };
	struct fs_result *r = fs_run(fs_algos[fs_algorithm_of(cluster_policy(c)->flags)], &in);

	(void)state;
	assert_int_equal(cluster_notes(c), 0);
	assert_int_equal(r->algorithm, FS_DEPTH_OBLIVIOUS);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
		uint32_t row = cluster_find_assoc(c, expected[i].object, NULL);

		assert_true(fabs(r->effective_ratio[row] - expected[i].effective_ratio) < 1e-12);
	}
	assert_true(cluster_u32(c, F_ASSOC_SHARES,
				cluster_find_assoc(c, "user:bob@physics", NULL)) == SHARES_PARENT);
	fs_result_free(r);
	fs_tree_free(tree);
	cluster_free(c);
	bytes_free(&t);
}

/* ---- the source ---------------------------------------------------------------------------- */

static const struct fetch_request patient = { .needs = 0, .deadline_ms = -1 };

static enum fetch_result fetch(struct source *s, int64_t deadline_ms, struct cluster **c,
			       struct err *err)
{
	struct fetch_request request = { .needs = 0, .deadline_ms = deadline_ms };

	*c = NULL;
	err_clear(err);
	return snapshot_source.fetch(s, &request, c, err);
}

/* Gets the whole message for a bad file, as a user sees it: FILE:LINE: what. */
static void bad_message(const char *path, struct err *err)
{
	struct source *s = snapshot_source.open(path, err);
	struct cluster *c = NULL;

	if (!s)
		return;
	if (snapshot_source.fetch(s, &patient, &c, err) == FETCH_NEW)
		err_set(err, ERR_NONE, "accepted");
	cluster_free(c);
	/* a second fetch gives the same message */
	if (err->code != ERR_NONE) {
		struct err again;

		assert_int_equal(snapshot_source.fetch(s, &patient, &c, &again), FETCH_FAILED);
		assert_string_equal(again.message, err->message);
	}
	snapshot_source.close(s);
}

static bool check_bad(const char *directory, const char *name)
{
	char path[1400], expected[600] = "", whole[2100];
	struct err err = { 0 };
	FILE *file;

	snprintf(path, sizeof(path), "%s/%.*s.message", directory, (int)strcspn(name, "."), name);
	file = fopen(path, "r");
	if (!file || !fgets(expected, sizeof(expected), file))
		fail_msg("%s: no message", path);
	fclose(file);
	expected[strcspn(expected, "\n")] = '\0';
	snprintf(path, sizeof(path), "%s/%s", directory, name);
	snprintf(whole, sizeof(whole), "%s:%s", path, expected);
	bad_message(path, &err);
	if (err.code == ERR_INPUT && strcmp(err.message, whole) == 0)
		return true;
	fprintf(stderr, "is:     %s\nshould: %s\n", err.message, whole);
	return false;
}

static void test_bad_files(void **state)
{
	char directory[1000];
	size_t seen = 0, wrong = 0;
	struct dirent *entry;
	DIR *dir;

	(void)state;
	data_path("bad", directory, sizeof(directory));
	dir = opendir(directory);
	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		const char *dot = strrchr(entry->d_name, '.');

		if (!dot || strcmp(dot, ".snapshot") != 0)
			continue;
		seen++;
		wrong += !check_bad(directory, entry->d_name);
	}
	closedir(dir);
	assert_true(seen >= 80);
	assert_int_equal(wrong, 0);
}

static void test_no_file(void **state)
{
	struct err err = { 0 };

	(void)state;
	assert_null(snapshot_source.open("/nonexistent/x.snapshot", &err));
	assert_int_equal(err.code, ERR_INPUT);
	assert_string_equal(err.message, "/nonexistent/x.snapshot: No such file or directory");
	assert_null(snapshot_source.open("/", &err));
	assert_string_equal(err.message, "/: is a directory (expected a snapshot)");
}

/* Standard input, here a pipe whose writer is slow. */
static void test_pipe(void **state)
{
	size_t half = strlen(GOOD) / 2;
	struct source *s;
	struct cluster *c;
	struct err err;
	int ends[2], saved = dup(STDIN_FILENO);

	(void)state;
	assert_int_equal(pipe(ends), 0);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	s = snapshot_source.open("-", &err);
	assert_non_null(s);
	assert_int_equal(fetch(s, 10, &c, &err), FETCH_FAILED);
	assert_int_equal(err.code, ERR_SOURCE);
	assert_string_equal(err.message, "-: no complete snapshot in time");
	assert_int_equal(write(ends[1], GOOD, half), half);
	assert_int_equal(fetch(s, 10, &c, &err), FETCH_FAILED);
	snapshot_source.cancel(s);
	assert_int_equal(fetch(s, -1, &c, &err), FETCH_FAILED);
	assert_string_equal(err.message, "-: cancelled");
	assert_int_equal(write(ends[1], &GOOD[half], strlen(GOOD) - half), strlen(GOOD) - half);
	close(ends[1]);
	assert_int_equal(fetch(s, -1, &c, &err), FETCH_NEW);
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 2);
	cluster_free(c);
	assert_int_equal(fetch(s, -1, &c, &err), FETCH_END);
	snapshot_source.close(s);
	dup2(saved, STDIN_FILENO);
	close(saved);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_anything),
		cmocka_unit_test(test_demo),
		cmocka_unit_test(test_recordings),
		cmocka_unit_test(test_lines_are_json),
		cmocka_unit_test(test_good),
		cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_truncated_anywhere),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_warnings),
		cmocka_unit_test(test_many_warnings),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_too_many_tres),
		cmocka_unit_test(test_detect),
		cmocka_unit_test(test_manual_is_complete),
		cmocka_unit_test(test_manual_example),
		cmocka_unit_test(test_bad_files),
		cmocka_unit_test(test_no_file),
		cmocka_unit_test(test_pipe),
	};

	return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
