/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys, their names, key scripts, the words of the command language, and the commands table with
 * the bindings that follow from it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tui/acts/commands.h"
#include "tui/cells/keymap.h"
#include "tui/cells/keys.h"

static uint32_t key(const char *text)
{
	uint32_t k = 0;

	assert_int_equal(key_parse(text, strlen(text), &k, NULL), strlen(text));
	return k;
}

static void test_parse(void **state)
{
	struct err err = { 0 };
	uint32_t k;

	(void)state;
	assert_int_equal(key("j"), 'j');
	assert_int_equal(key("é"), 0xe9);
	assert_int_equal(key("<Down>"), KEYS_DOWN);
	assert_int_equal(key("<down>"), KEYS_DOWN);
	assert_int_equal(key("<Enter>"), KEYS_ENTER);
	assert_int_equal(key("<Esc>"), KEYS_ESC);
	assert_int_equal(key("<C-p>"), 16);
	assert_int_equal(key("<C-P>"), 16);
	assert_int_equal(key("<F5>"), KEYS_F1 + 4);
	assert_int_equal(key("<Space>"), ' ');
	assert_int_equal(key("<lt>"), '<');
	assert_int_equal(key_parse("<Foo>", 5, &k, &err), 0);
	assert_string_equal(err.message,
			    "'<Foo>' is not a key (expected <Down>, <Enter>, <Esc>, <C-p>, <F5>, "
			    "<Space>, <lt> ...)");
	assert_int_equal(key_parse("<F0>", 4, &k, &err), 0);
	assert_int_equal(key_parse("<F13>", 5, &k, &err), 0);
	assert_int_equal(key_parse("<Down", 5, &k, &err), 0);
	assert_int_equal(key_parse("\xff", 1, &k, &err), 0);
	assert_int_equal(key_parse("", 0, &k, &err), 0);
}

/* key_parse() reads what key_spell() writes. */
static void test_names(void **state)
{
	(void)state;
	for (uint32_t k = 1; k < 0x110020; k = k == 0x300 ? 0x110000 : k + 1) {
		char name[KEY_NAME_MAX];
		key_spell(k, name);
		if (name[0] != '\0' && k != 0x7f)
			assert_int_equal(key(name), k);
	}
}

static void test_script(void **state)
{
	const char *script = "j<Down><Click:3,4><Resize:100x30><WheelUp>";
	struct script_step step;
	struct err err = { 0 };

	(void)state;
	script += key_script_next(script, strlen(script), &step, &err);
	assert_int_equal(step.type, STEP_KEY);
	assert_int_equal(step.key, 'j');
	script += key_script_next(script, strlen(script), &step, &err);
	assert_int_equal(step.key, KEYS_DOWN);
	script += key_script_next(script, strlen(script), &step, &err);
	assert_int_equal(step.type, STEP_CLICK);
	assert_int_equal(step.x, 2);
	assert_int_equal(step.y, 3);
	script += key_script_next(script, strlen(script), &step, &err);
	assert_int_equal(step.type, STEP_RESIZE);
	assert_int_equal(step.x, 100);
	assert_int_equal(step.y, 30);
	script += key_script_next(script, strlen(script), &step, &err);
	assert_int_equal(step.type, STEP_WHEEL);
	assert_int_equal(step.y, -1);
	assert_string_equal(script, "");
	assert_int_equal(key_script_next("<Click:0,4>", 11, &step, &err), 0);
	assert_int_equal(key_script_next("<Resize:1>", 10, &step, &err), 0);
}

/* ---- words --------------------------------------------------------------------------------- */

static void test_words(void **state)
{
	struct words words;
	struct err err = { 0 };
	const char *line = "  bind jobs  J 'mark next' \"a \\\"b\\\"\" # comment";

	(void)state;
	assert_true(script_split(line, strlen(line), &words, &err));
	assert_int_equal(words.count, 5);
	assert_string_equal(words.word[0], "bind");
	assert_string_equal(words.word[3], "mark next");
	assert_string_equal(words.word[4], "a \"b\"");
	assert_int_equal(words.start[1], 7);
	assert_true(script_split("a#b", 3, &words, &err));
	assert_string_equal(words.word[0], "a#b");
	assert_true(script_split("", 0, &words, &err));
	assert_int_equal(words.count, 0);
	assert_false(script_split("say 'x", 6, &words, &err));
	assert_string_equal(err.message, "a ' is not closed");
	assert_false(script_split("1 2 3 4 5 6 7 8 9 a b c d e f g h", 33, &words, &err));
	char longest[SCRIPT_LINE + 10];
	memset(longest, 'x', sizeof(longest));
	assert_false(script_split(longest, sizeof(longest), &words, &err));
	assert_true(script_split(longest, SCRIPT_LINE - 2, &words, &err));
}

static bool count_line(void *context, const char *line, const struct words *words, struct err *err)
{
	int *count = context;

	(void)line;
	if (strcmp(words->word[0], "bad") == 0)
		return err_set(err, ERR_INPUT, "no such thing");
	++*count;
	return true;
}

static void test_run(void **state)
{
	const char *text = "# head\n\none\n  two 2\nbad\nthree\n";
	struct err err = { 0 };
	int count = 0;

	(void)state;
	assert_false(script_run("my.conf", text, strlen(text), count_line, &count, &err));
	assert_int_equal(count, 2);
	assert_string_equal(err.message, "my.conf:5: no such thing");
	assert_true(script_run("my.conf", "one", 3, count_line, &count, &err));
	assert_int_equal(count, 3);
}

/* ---- commands ------------------------------------------------------------------------------ */

static void test_commands(void **state)
{
	struct err err = { 0 };

	(void)state;
	for (size_t i = 0; commands[i].name; i++) {
		assert_ptr_equal(command_find(commands, commands[i].name, NULL), &commands[i]);
		assert_true(strlen(commands[i].help) > 5);
		assert_non_null(commands[i].run);
	}
	assert_string_equal(command_find(commands, "expl", &err)->name, "explain");
	assert_null(command_find(commands, "fold-", &err));
	assert_null(command_find(commands, "", &err));
	assert_null(command_find(commands, "fly", &err));
	assert_string_equal(err.message, "unknown command 'fly' (? lists them)");
}

/* No key has two meanings in one place, and each key of the contract has its meaning. */
static void test_default_keys(void **state)
{
	static const struct {
		const char *key, *command;
	} contract[] = {
		{ "1", "accounts" },
		{ "2", "jobs" },
		{ "4", "classes" },
		{ "5", "policy" },
		{ "<Tab>", "next-pane" },
		{ "<Enter>", "details" },
		{ "q", "back" },
		{ "Q", "quit" },
		{ "?", "help" },
		{ ":", "command" },
		{ "<C-p>", "palette" },
		{ "<Down>", "down" },
		{ "j", "down" },
		{ "<Up>", "up" },
		{ "k", "up" },
		{ "<PgUp>", "page-up" },
		{ "<PgDn>", "page-down" },
		{ "g", "top" },
		{ "G", "bottom" },
		{ "<Left>", "fold" },
		{ "h", "fold" },
		{ "<Right>", "unfold" },
		{ "l", "unfold" },
		{ "*", "fold-all" },
		{ "/", "search" },
		{ "n", "search-next" },
		{ "N", "search-previous" },
		{ "f", "filter" },
		{ "<lt>", "sort-left" },
		{ ">", "sort-right" },
		{ "I", "invert" },
		{ "c", "columns" },
		{ "<Space>", "mark" },
		{ "C", "compare" },
		{ "e", "explain" },
		{ "F", "follow" },
		{ "u", "mine" },
		{ "z", "freeze" },
		{ "r", "refresh" },
		{ "t", "theme" },
		{ "y", "copy" },
		{ "m", "mouse" },
	};
	struct keymap m;

	(void)state;
	keymap_init(&m, commands);
	for (size_t i = 0; i < sizeof(contract) / sizeof(contract[0]); i++)
		assert_string_equal(keymap_line(&m, VIEW_ACCOUNTS, key(contract[i].key)),
				    contract[i].command);
	for (size_t i = 0; i < m.count; i++) {
		for (size_t j = i + 1; j < m.count; j++)
			assert_false(m.bindings[i].context == m.bindings[j].context &&
				     m.bindings[i].key == m.bindings[j].key);
	}
	size_t keys = 0;
	for (size_t i = 0; commands[i].name; i++) {
		for (const char *at = commands[i].keys; *at != '\0'; keys++) {
			uint32_t k;
			size_t used = key_parse(at, strlen(at), &k, NULL);
			assert_int_not_equal(used, 0);
			at += used;
			at += strspn(at, " ");
		}
	}
	assert_int_equal(keys, m.count);	/* none lost, none bound twice */
	keymap_free(&m);
}

static void test_bindings(void **state)
{
	struct keymap m;
	char text[64];

	(void)state;
	keymap_init(&m, commands);
	assert_true(keymap_bind(&m, VIEW_ACCOUNTS, 'j', "search", NULL));
	assert_string_equal(keymap_line(&m, VIEW_ACCOUNTS, 'j'), "search");
	assert_string_equal(keymap_line(&m, VIEW_POLICY, 'j'), "down");
	keymap_titles(&m, VIEW_ACCOUNTS, "down", true, 4, text, sizeof(text));
	assert_string_equal(text, "Down");	/* the view binds j to something else */
	keymap_titles(&m, VIEW_POLICY, "down", true, 4, text, sizeof(text));
	assert_string_equal(text, "Down j");
	keymap_titles(&m, VIEW_POLICY, "palette", true, 4, text, sizeof(text));
	assert_string_equal(text, "Ctrl-P");
	keymap_bind(&m, VIEW_ALL, 'j', "", NULL);
	assert_null(keymap_line(&m, VIEW_POLICY, 'j'));
	assert_null(keymap_line(&m, VIEW_ALL, KEYS_F1 + 8));
	keymap_free(&m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parse),	     cmocka_unit_test(test_names),
		cmocka_unit_test(test_script),	     cmocka_unit_test(test_words),
		cmocka_unit_test(test_run),	     cmocka_unit_test(test_commands),
		cmocka_unit_test(test_default_keys), cmocka_unit_test(test_bindings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
