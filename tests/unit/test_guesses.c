/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Suggestions for unknown words: the command line accepts every proposed line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/guesses.h"
#include "cli/options.h"

#define WORDS_MAX 16

/* Checks that the options accept LINE with its placeholders replaced. */
static void accepted(const char *line)
{
	static const char *const stands[][2] = {
		{ "SOURCE", "demo" }, { "OBJECT", "/physics" }, { "JOB", "141504" },
		{ "FILE", "day.rec" }, { "INPUT", "log" },
	};
	struct err err = { 0 };
	const char *argv[WORDS_MAX];
	char copy[200], *rest = copy, *word;
	struct options o;
	int argc = 0;

	snprintf(copy, sizeof(copy), "%s", line);
	while ((word = strsep(&rest, " "))) {
		assert_true(argc < WORDS_MAX);
		argv[argc++] = word;
		for (size_t i = 0; i < sizeof(stands) / sizeof(stands[0]); i++) {
			if (strcmp(word, stands[i][0]) == 0)
				argv[argc - 1] = stands[i][1];
		}
	}
	assert_string_equal(argv[0], "fairtop");
	if (!options_parse(argc, argv, &o, &err))
		fail_msg("%s: %s", line, err.message);
}

static void test_lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < guesses_count; i++) {
		const struct guess *g = &guesses[i];

		assert_non_null(g->says);
		if (g->line)
			accepted(g->line);
		if (g->other)
			accepted(g->other);
		assert_int_equal(g->other != NULL, g->more != NULL);
	}
}

/* Each word occurs once, is no verb, and its message contains the line and is one line long. */
static void test_words(void **state)
{
	char words[2048] = " ", copy[200], spaced[40];

	(void)state;
	for (size_t i = 0; i < guesses_count; i++) {
		char *rest = copy, *word;

		snprintf(copy, sizeof(copy), "%s", guesses[i].words);
		while ((word = strsep(&rest, " "))) {
			struct err err = { 0 };

			assert_int_equal(verb_by_name(word), VERB_COUNT);
			snprintf(spaced, sizeof(spaced), " %s ", word);
			if (strstr(words, spaced))
				fail_msg("%s stands twice", word);
			snprintf(words + strlen(words), sizeof(words) - strlen(words), "%s ", word);
			assert_false(verb_unknown(word, true, &err));
			assert_int_equal(err.code, ERR_INPUT);
			assert_null(strchr(err.message, '\n'));
			assert_non_null(strstr(err.message, guesses[i].says));
			if (guesses[i].other)
				assert_non_null(strstr(err.message, guesses[i].more));
			assert_true(strlen(err.message) < sizeof(err.message) - 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines), cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
