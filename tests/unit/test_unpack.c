/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Associations out of bytes that a slurmctld of 22.05 sent, against what its own libslurm made of
 * the same bytes (tests/data/slurm/assocs_2205.txt: "bytes" in hexadecimal, then the values). And
 * bytes cut short or damaged: they are refused, nothing is read beyond them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "config.h"

#if defined(HAVE_SLURM) && !defined(HAVE_SLURM_ASSOCIATIONS_GET_SHARES) && \
	__has_include(<slurm/slurmdb.h>)

/* Of the helper, which alone is linked with libslurm: the file itself, and no library behind it. */
/* NOLINTNEXTLINE(bugprone-suspicious-include): there is no object to link without libslurm */
#include "adapters/slurm/helper/unpack.c"

#include "tests/support/data.h"
#include "tests/support/dice.h"

struct listIterator *slurm_list_iterator_create(List list)
{
	(void)list;
	return NULL;
}

void *slurm_list_next(struct listIterator *i)
{
	(void)i;
	return NULL;
}

void slurm_list_iterator_destroy(struct listIterator *i)
{
	(void)i;
}

long slurm_api_version(void)
{
	return LIBRARY_2205 << 16;
}

/* ---- as text ------------------------------------------------------------------------------- */

struct text_of {
	char text[16384];
	size_t used;
};

static void say(struct text_of *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct text_of *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	t->used += (size_t)vsnprintf(t->text + t->used, sizeof(t->text) - t->used, format, args);
	va_end(args);
	assert_true(t->used < sizeof(t->text));
}

static void say_text(struct text_of *t, const char *name, const char *text)
{
	say(t, "%s %s\n", name, text ? text : "-");
}

static void say_array(struct text_of *t, const char *name, const uint64_t *array, uint32_t count,
		      uint64_t nothing)
{
	say(t, "%s", name);
	for (uint32_t i = 0; i < count; i++) {
		if (array && array[i] != nothing)
			say(t, " %llu", (unsigned long long)array[i]);
		else
			say(t, " -");
	}
	say(t, "\n");
}

static void say_usage(struct text_of *t, const slurmdb_assoc_usage_t *u)
{
	say(t, "accrue %u jobs %u submit %u level_shares %u\n", (unsigned)u->accrue_cnt,
	    (unsigned)u->used_jobs, (unsigned)u->used_submit_jobs, (unsigned)u->level_shares);
	say(t, "wall %.17g factor %.17g shares_norm %.17g\n", u->grp_used_wall, u->fs_factor,
	    u->shares_norm);
	say(t, "raw %.6Lf norm %.6Lf efctv %.6Lf level_fs %.6Lf\n", u->usage_raw, u->usage_norm,
	    u->usage_efctv, u->level_fs);
	say_array(t, "used", u->grp_used_tres, u->tres_cnt, 0);
	say_array(t, "running", u->grp_used_tres_run_secs, u->tres_cnt, 0);
	say(t, "usages");
	for (uint32_t i = 0; i < u->tres_cnt; i++)
		say(t, " %.6Lf", u->usage_tres_raw ? u->usage_tres_raw[i] : 0);
	say(t, "\n");
}

static void say_assoc(struct text_of *t, const slurmdb_assoc_rec_t *a)
{
	uint32_t ids[64], count, n = a->usage->tres_cnt;

	say(t, "id %u parent %u lft %u rgt %u uid %u\n", (unsigned)a->id, (unsigned)a->parent_id,
	    (unsigned)a->lft, (unsigned)a->rgt, (unsigned)a->uid);
	say_text(t, "account", a->acct);
	say_text(t, "user", a->user);
	say_text(t, "partition", a->partition);
	say(t, "default %u flags %u shares %u priority %u default_qos %u\n", (unsigned)a->is_def,
	    (unsigned)a->flags, (unsigned)a->shares_raw, (unsigned)a->priority,
	    (unsigned)a->def_qos_id);
	say(t, "grp_jobs %u %u %u wall %u max_jobs %u %u %u wall %u prio %u\n",
	    (unsigned)a->grp_jobs, (unsigned)a->grp_jobs_accrue, (unsigned)a->grp_submit_jobs,
	    (unsigned)a->grp_wall, (unsigned)a->max_jobs, (unsigned)a->max_jobs_accrue,
	    (unsigned)a->max_submit_jobs, (unsigned)a->max_wall_pj,
	    (unsigned)a->min_prio_thresh);
	say(t, "qos %s", unpack_qos_ids(a, ids, 64, &count) ? "told" : "not told");
	for (uint32_t i = 0; i < count; i++)
		say(t, " %u", (unsigned)ids[i]);
	say(t, "\n");
	say_usage(t, a->usage);
	say_array(t, "grp", a->grp_tres_ctld, n, INFINITE64);
	say_array(t, "grp_mins", a->grp_tres_mins_ctld, n, INFINITE64);
	say_array(t, "grp_run_mins", a->grp_tres_run_mins_ctld, n, INFINITE64);
	say_array(t, "max", a->max_tres_ctld, n, INFINITE64);
	say_array(t, "max_mins", a->max_tres_mins_ctld, n, INFINITE64);
}

/* ---- the recorded ones --------------------------------------------------------------------- */

#define RECORD_MOST 64

struct record {
	unsigned char bytes[8192];
	size_t length;
	struct text_of expected;
};

static struct record records[RECORD_MOST];
static size_t record_count;

static void take_hex(struct record *r, const char *hex)
{
	unsigned byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		r->bytes[r->length++] = (unsigned char)byte;
}

static int read_records(void **state)
{
	char path[512], line[32768];
	FILE *file;

	(void)state;
	file = fopen(data_path("slurm/assocs_2205.txt", path, sizeof(path)), "r");
	assert_non_null(file);
	while (fgets(line, sizeof(line), file)) {
		if (line[0] == '#')
			continue;
		if (strncmp(line, "bytes ", 6) == 0) {
			assert_true(record_count < RECORD_MOST);
			take_hex(&records[record_count++], line + 6);
		} else {
			assert_true(record_count > 0);
			say(&records[record_count - 1].expected, "%s", line);
		}
	}
	fclose(file);
	assert_true(record_count > 0);
	return 0;
}

/* A copy that ends where the bytes end, so that a sanitizer sees each byte too many. */
static struct whole *unpack_copy(const unsigned char *bytes, size_t length, size_t *taken)
{
	char *copy = mem_alloc(length, 1);
	struct buffer buffer = { .magic = BUFFER_MAGIC, .head = copy, .size = (uint32_t)length };
	struct whole *w;

	memcpy(copy, bytes, length);
	w = unpack(&buffer);
	*taken = buffer.processed;
	mem_free(copy);
	return w;
}

static void same_as_libslurm(void **state)
{
	(void)state;
	for (size_t i = 0; i < record_count; i++) {
		struct text_of t = { .used = 0 };
		size_t taken;
		struct whole *w = unpack_copy(records[i].bytes, records[i].length, &taken);

		assert_non_null(w);
		assert_int_equal(taken, records[i].length);
		say_assoc(&t, &w->assoc);
		assert_string_equal(t.text, records[i].expected.text);
		slurmdb_destroy_assoc_rec(w);
	}
}

static void nothing_is_taken_of_half_a_record(void **state)
{
	(void)state;
	for (size_t i = 0; i < record_count; i++) {
		for (size_t length = 0; length < records[i].length; length++) {
			size_t taken;

			assert_null(unpack_copy(records[i].bytes, length, &taken));
			assert_int_equal(taken, 0);
		}
	}
}

/* Whatever it becomes, it is freed, and no byte outside was touched. */
static void damage_does_no_harm(void **state)
{
	uint64_t seed = 2205;

	(void)state;
	for (size_t i = 0; i < record_count; i++) {
		for (int times = 0; times < 2000; times++) {
			struct record damaged = records[i];
			size_t taken;

			damaged.bytes[dice_below(&seed, (uint32_t)damaged.length)] =
				(unsigned char)dice_below(&seed, 256);
			mem_free(unpack_copy(damaged.bytes, damaged.length, &taken));
			assert_true(taken <= damaged.length);
		}
	}
}

/* ---- numbers ------------------------------------------------------------------------------- */

static void numbers_are_rounded_as_strtold_does(void **state)
{
	static const char *const texts[] = {
		"0.000000", "0.000001", "1.000000", "-1.500000", "2450.656044", "inf", "-inf",
		"4294967294.000000", "9999999999999.999999", "18446744073709.551615",
		"123456789012345678901234.567890", "1e30", "12.5", "7",
	};
	uint64_t seed = 6;

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_true(number(texts[i]) == strtold(texts[i], NULL));
	assert_true(isnan(number("nan")));
	for (int i = 0; i < 100000; i++) {
		char text[NUMBER_MOST];

		snprintf(text, sizeof(text), "%u%04u.%06u", (unsigned)dice_below(&seed, 1 << 29),
			 (unsigned)dice_below(&seed, 10000), (unsigned)dice_below(&seed, 1000000));
		assert_true(number(text) == strtold(text, NULL));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_libslurm),
		cmocka_unit_test(nothing_is_taken_of_half_a_record),
		cmocka_unit_test(damage_does_no_harm),
		cmocka_unit_test(numbers_are_rounded_as_strtold_does),
	};

	return cmocka_run_group_tests(tests, read_records, NULL);
}

#else

int main(void)
{
	printf("test_unpack: skipped, there is no Slurm 22.05 here\n");
	return 77;
}

#endif
