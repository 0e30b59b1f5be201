/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Codes of terminals and web pages, and text around a saved output. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/pasted.h"

static void check_clean(const char *text, const char *expected)
{
	char buf[200];
	size_t length = strlen(text);

	snprintf(buf, sizeof(buf), "%s", text);
	pasted_clean(buf, &length);
	assert_string_equal(buf, expected);
	assert_int_equal(length, strlen(expected));
}

static void test_clean(void **state)
{
	(void)state;
	check_clean("", "");
	check_clean("JOBID USER\n1 alice\n", "JOBID USER\n1 alice\n");
	check_clean("\xef\xbb\xbfJOBID", "JOBID");
	check_clean("\033[1;31mJOBID\033[0m\033[K USER", "JOBID USER");
	check_clean("\033[38:5:9mx\033(B\033[m", "x");
	check_clean("\033]0;login1: ~\aJOBID", "JOBID");
	check_clean("\033]8;;https://x\033\\name\033]8;;\033\\ b", "name b");
	check_clean("\033[?2004hJOBID", "JOBID");
	check_clean("JOBID\xc2\xa0USER", "JOBID USER");
	/* Names in other alphabets are kept. */
	check_clean("j\xc3\xbcrgen", "j\xc3\xbcrgen");
}

/* An unfinished sequence does not swallow the line. */
static void test_cut_sequences(void **state)
{
	(void)state;
	check_clean("a\033", "a");
	check_clean("a\033[", "a");
	check_clean("a\033[31\nb", "a\nb");
	check_clean("a\033\nb", "a\nb");
	check_clean("a\033]0;title\nb", "a0;title\nb");
}

static void check_json(const char *text, const char *expected, const char *said)
{
	char buf[300], remark[100];

	snprintf(buf, sizeof(buf), "%s", text);
	pasted_json(buf, strlen(buf), remark, sizeof(remark));
	assert_string_equal(buf, expected);
	assert_string_equal(remark, said);
}

static void test_json(void **state)
{
	(void)state;
	check_json("{\"a\":1}\n", "{\"a\":1}\n", "");
	check_json("$ squeue\n{\"a\":1}\n", "        \n{\"a\":1}\n", "");
	check_json("{\n \"a\":{}}\nsqueue: error: gone\n", "{\n \"a\":{}}\n                   \n",
		   "squeue: error: gone");
	check_json("x {\n", "x {\n", "");
	check_json("", "", "");
}

static void test_remarks(void **state)
{
	static const char *const remarks[] = {
		"squeue: error: Unable to contact slurm controller", "sudo: a password is required",
		"slurm_load_jobs error: Unable to contact slurm controller (connect failure)",
		"bash: line 1: sprio: command not found", "qstat: Unknown Job Id 12.pbs",
		"Connection to login1 closed.", "Connection closed by foreign host.",
		"Couldn't get shares from controller: Invalid user id", "logout",
		"...", " [...]", "(\xe2\x80\xa6)", "<...>", "```", "```console",
	};
	static const char *const others[] = {
		"", "12 batch alice", "Job Id: 12.pbs", "12:30:00 x", "root 1 0.5", "a|b: c|d",
		"CLUSTER: lab", "QUEUE: night", "error",
		"lab:    alice   1", "logout 1 2",
		"... 12 ann", "[3]", "(null)", "..", "``",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(remarks) / sizeof(remarks[0]); i++)
		assert_true(pasted_is_remark(slice_of(remarks[i])));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(pasted_is_remark(slice_of(others[i])));
}

static void test_prompts(void **state)
{
	static const char *const prompts[] = {
		"[me@login ~]$ sshare -a -l -P", "[me@login ~]$", "[me@login ~]$ ", "$ exit",
		"me@login:~$ sprio -w", "bash-5.1$ squeue", "login1:~ # cat x", "login1% ls",
		"(base) me@login:/scratch$ ls", "# sdiag", "> squeue", "$", "% bjobs",
		"u1@login:~>", "u1@login ~ $ ls", "[u1@login run]$",
		"\xe2\x9d\xaf sprio -l", "\xe2\x9e\x9c  ~ sprio",
	};
	static const char *const others[] = {
		"", "  $ x", "c#      alice    1", "cost$|alice|1", "177 a$ 5", "Load=3.2", "a> b",
		"root||1", "JOBID USER", "12 me@login $", "12 u1 RUN", "#SBATCH", "$HOME",
		"QUEUE: night", "a|b", "[1-3] x", " $", "u1 > x",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(prompts) / sizeof(prompts[0]); i++)
		assert_true(pasted_is_prompt(slice_of(prompts[i])));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		assert_false(pasted_is_prompt(slice_of(others[i])));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clean), cmocka_unit_test(test_cut_sequences),
		cmocka_unit_test(test_json), cmocka_unit_test(test_remarks),
		cmocka_unit_test(test_prompts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
