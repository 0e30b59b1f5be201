/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Interned texts, names made visible, the fields table and the policy table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/cluster/fields.h"
#include "core/cluster/policy.h"
#include "core/base/text.h"
#include "core/base/unknown.h"
#include "core/base/visible.h"

static void test_equal_texts_have_one_handle(void **state)
{
	struct text *t = text_new();
	uint32_t handles[5000];
	char name[32];

	(void)state;
	for (uint32_t round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 5000; i++) {
			size_t n = (size_t)snprintf(name, sizeof(name), "user%u", (unsigned)i);
			uint32_t h = text_intern(t, name, n);

			if (round == 0)
				handles[i] = h;
			assert_int_equal(h, handles[i]);
			assert_string_equal(text_get(t, h), name);
		}
	}
	assert_int_equal(text_find(t, "user17", 6), handles[17]);
	assert_int_equal(text_find(t, "user", 4), TEXT_NONE);
	assert_int_equal(text_intern(t, "", 0), TEXT_EMPTY);
	assert_null(text_get(t, TEXT_NONE));
	text_free(t);
}

static void visible(const char *in, const char *out)
{
	char buf[128];

	assert_int_equal(visible_copy(buf, sizeof(buf), in, strlen(in)), strlen(out));
	assert_string_equal(buf, out);
	assert_int_equal(visible_is_plain(in, strlen(in)), strcmp(in, out) == 0);
}

static void test_hostile_names_become_harmless(void **state)
{
	char small[6];

	(void)state;
	visible("physics", "physics");
	visible("M\xc3\xbcnchen \xe6\x97\xa5\xe6\x9c\xac",
		"M\xc3\xbcnchen \xe6\x97\xa5\xe6\x9c\xac");
	visible("a\x1b[31mb", "a<1B>[31mb");
	visible("\x7f\x07\n", "<7F><07><0A>");
	visible("\xc2\x9b", "<9B>");
	visible("\xe2\x80\xae" "evil", "<U+202E>evil");
	visible("\xff\xc0\xaf", "<FF><C0><AF>");
	visible("\xed\xa0\x80", "<ED><A0><80>");
	visible("\xe2\x82", "<E2><82>");
	assert_int_equal(visible_copy(small, sizeof(small), "ab\xe6\x97\xa5\xe6\x9c\xac", 8), 8);
	assert_string_equal(small, "ab\xe6\x97\xa5");
}

static void test_passwords_are_hidden(void **state)
{
	static const char *const urls[][2] = {
		{ "postgresql://u:se cr@et@h/d?cluster=a",
		  "postgresql://**********@h/d?cluster=a" },
		{ "x (postgres://u:secret@h/d)", "x (postgres://********@h/d)" },
		{ "ssh:h/postgresql://h/d?password=secret&cluster=a",
		  "ssh:h/postgresql://h/d?password=******&cluster=a" },
		{ "slurm:http://u:secret@h:1: no", "slurm:http://********@h:1: no" },
		{ "POSTGRESQL://u:cr@et@h/d: no", "POSTGRESQL://*******@h/d: no" },
		{ "http://h:1/a@b http://u:x@h", "http://h:1/a@b http://***@h" },
		{ "/home/postgres/u@h", "/home/postgres/u@h" },
		{ "u@h: password=x", "u@h: password=x" },
	};
	char text[100];

	(void)state;
	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		snprintf(text, sizeof(text), "%s", urls[i][0]);
		visible_hide_passwords(text);
		assert_null(strstr(text, "cr@et"));
		assert_int_equal(strlen(text), strlen(urls[i][0]));
		assert_string_equal(text, urls[i][1]);
	}
}

static void test_passwords_are_seen(void **state)
{
	static const char *const with[] = {
		"postgresql://u:secret@h/d?cluster=a", "postgres://u:secret@/d",
		"postgresql://h/d?cluster=a&password=x", "ssh:b/postgresql://u:x@h/d?cluster=a",
	}, *const without[] = {
		"postgresql://u@h:5432/d?cluster=a", "postgresql:///d?host=/run&cluster=a",
		"slurm:/a:b@c", "password=x", "/home/postgres/u:x@h", "",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(with) / sizeof(with[0]); i++)
		assert_true(visible_has_password(with[i]));
	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		assert_false(visible_has_password(without[i]));
}

static void test_utf8_round_trip(void **state)
{
	char buf[4];
	uint32_t back;

	(void)state;
	for (uint32_t c = 0; c <= 0x10ffff; c += c < 0x3000 ? 1 : 97) {
		size_t n = utf8_encode(c, buf);

		if (c >= 0xd800 && c <= 0xdfff)
			continue;
		assert_int_equal(utf8_decode(buf, n, &back), n);
		assert_int_equal(back, c);
	}
}

static void test_fields_are_one_table(void **state)
{
	(void)state;
	for (unsigned f = 0; f < F_COUNT; f++) {
		const struct field_info *info = &field_info[f];

		assert_int_equal(field_by_name(info->table, info->name, strlen(info->name)), f);
		assert_true(f >= table_first_field(info->table));
		assert_true(strlen(info->meaning) > 0);
	}
	for (unsigned t = 0; t < TABLE_COUNT; t++) {
		const char *name = table_name((enum table)t);

		assert_int_equal(table_by_name(name, strlen(name)), t);
	}
	assert_int_equal(field_by_name(TABLE_JOB, "nonsense", 8), F_COUNT);
}

static size_t param(const char *name)
{
	size_t i = policy_param(name);

	assert_true(i < policy_params_count);
	return i;
}

static void test_policy_defaults_and_values(void **state)
{
	struct policy p;
	struct err err;
	char text[256];

	(void)state;
	policy_init(&p);
	assert_int_equal(p.half_life, 604800);
	assert_int_equal(p.calc_period, 300);
	assert_int_equal(p.damping, 1);
	assert_false(policy_is_known(&p, param("PriorityMaxAge")));
	assert_true(policy_set_text(&p, param("prioritymaxage"), "1-12:30:00", &err));
	assert_int_equal(p.max_age, 131400);
	assert_true(policy_is_known(&p, param("PriorityMaxAge")));
	assert_true(policy_set_text(&p, param("PriorityFlags"),
				    "depth_oblivious,Max_TRES,FAIR_TREE,HUH", &err));
	assert_int_equal(p.flags, PF_DEPTH_OBLIVIOUS | PF_MAX_TRES);
	assert_string_equal(p.unknown_flags, "HUH");
	policy_value_text(&p, param("PriorityFlags"), text, sizeof(text));
	assert_string_equal(text, "DEPTH_OBLIVIOUS,MAX_TRES,HUH");
	assert_true(policy_set_text(&p, param("PriorityFavorSmall"), "Yes", &err));
	assert_true(p.favor_small);
	policy_value_text(&p, param("PriorityDecayHalfLife"), text, sizeof(text));
	assert_string_equal(text, "7-00:00:00");
	assert_false(policy_set_text(&p, param("PriorityWeightAge"), "4294967296", &err));
	assert_non_null(strstr(err.message, "PriorityWeightAge=4294967296"));
	assert_false(policy_set_text(&p, param("PriorityWeightAge"), "-1", &err));
	assert_false(policy_set_text(&p, param("PriorityFavorSmall"), "maybe", &err));
	assert_true(policy_is_multifactor(&p));
	assert_true(policy_set_text(&p, param("PriorityType"), "priority/basic", &err));
	assert_false(policy_is_multifactor(&p));
	assert_true(policy_set_text(&p, param("AccountingStorageType"), "(null)", &err));
	assert_false(policy_has_accounting(&p));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_equal_texts_have_one_handle),
		cmocka_unit_test(test_hostile_names_become_harmless),
		cmocka_unit_test(test_passwords_are_hidden),
		cmocka_unit_test(test_passwords_are_seen),
		cmocka_unit_test(test_utf8_round_trip),
		cmocka_unit_test(test_fields_are_one_table),
		cmocka_unit_test(test_policy_defaults_and_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
