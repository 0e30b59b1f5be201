/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows of sprio that sites published, in all their layouts, read by the adapter: the terms must sum
 * up to the priority as far as printing allows, and rows that do not must be recognised. Terms are
 * printed rounded to nearest, the priority is truncated.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/slurm/slurm_text.h"
#include "tests/support/data.h"

#define WORDS 20

struct words {
	char text[512];
	size_t at[WORDS];	/* where each word begins in text */
	size_t count;
};

struct row {
	char site[64], how[32];
	struct words titles, cells;
};

static const char *word(const struct words *w, size_t i)
{
	return w->text + w->at[i];
}

static void split(const char *text, struct words *w)
{
	char *save = NULL;

	snprintf(w->text, sizeof(w->text), "%s", text);
	w->count = 0;
	for (char *at = strtok_r(w->text, " ", &save); at;
	     at = strtok_r(NULL, " ", &save)) {
		assert_true(w->count < WORDS);
		w->at[w->count++] = (size_t)(at - w->text);
	}
}

static bool next_row(FILE *file, struct row *row)
{
	char line[1024], *part[4], *save = NULL;

	do {
		if (!fgets(line, sizeof(line), file))
			return false;
	} while (line[0] == '#');
	line[strcspn(line, "\n")] = '\0';
	for (size_t i = 0; i < 4; i++) {
		part[i] = strtok_r(i == 0 ? line : NULL, "|", &save);
		assert_non_null(part[i]);
	}
	snprintf(row->site, sizeof(row->site), "%s", part[0]);
	split(part[1], &row->titles);
	split(part[2], &row->cells);
	snprintf(row->how, sizeof(row->how), "%s", part[3]);
	return true;
}

static FILE *open_rows(void)
{
	char path[4096];
	FILE *file = fopen(data_path("published/sprio.psv", path, sizeof(path)), "r");

	assert_non_null(file);
	return file;
}

/* Reads the table as sprio prints it: columns aligned right, missing cells empty. */
static struct cluster *read_table(const struct row *row)
{
	struct slurm_texts texts = { .time = 1000, .from = "a page" };
	struct builder *b = builder_new();
	char text[2048];
	size_t used = 0;
	struct err err = { 0 };
	struct cluster *c = NULL;

	for (int line = 0; line < 2; line++) {
		const struct words *w = line == 0 ? &row->titles : &row->cells;
		for (size_t i = 0; i < row->titles.count; i++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%21s ",
						 strcmp(word(w, i), "-") == 0 ? "" : word(w, i));
		used += (size_t)snprintf(text + used, sizeof(text) - used, "\n");
	}
	texts.kind[SLURM_SPRIO] = (struct slurm_text){ row->site, text, used };
	if (!slurm_text_build(&texts, b, &err) || !(c = builder_seal(b, &err)))
		fail_msg("%s: %s", row->site, err.message);
	return c;
}

static double cell(const struct row *row, const char *title)
{
	for (size_t i = 0; i < row->titles.count; i++) {
		if (strcmp(word(&row->titles, i), title) == 0)
			return strtod(word(&row->cells, i), NULL);
	}
	fail_msg("%s: there is no %s", row->site, title);
	return NAN;
}

static void add(double term, double *sum, unsigned *terms)
{
	if (!f64_known(term) || term == 0)
		return;
	*sum += term;
	++*terms;
}

/* Returns the sum of the terms read, and how many are not 0. */
static double sum_of(const struct cluster *c, unsigned *terms)
{
	static const enum field fields[] = { F_PRIO_AGE, F_PRIO_ASSOC, F_PRIO_FAIRSHARE,
					     F_PRIO_JOBSIZE, F_PRIO_PARTITION_TERM,
					     F_PRIO_QOS_TERM };
	struct tres_list tres = cluster_tres(c, F_PRIO_TRES, 0);
	int64_t site = cluster_i64(c, F_PRIO_SITE, 0), nice = cluster_i64(c, F_PRIO_NICE, 0);
	double sum = 0;

	*terms = 0;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		add(cluster_f64(c, fields[i], 0), &sum, terms);
	for (uint32_t i = 0; i < tres.count; i++)
		add(tres.items[i].count, &sum, terms);
	add(site != I64_UNKNOWN ? (double)site : 0, &sum, terms);
	add(nice != I64_UNKNOWN ? -(double)nice : 0, &sum, terms);
	return sum;
}

/* Each rounded term is off by at most a half, the truncated priority by less than one. */
static void test_sums(void **state)
{
	FILE *file = open_rows();
	struct row row;
	unsigned ok = 0, edited = 0, cut = 0;

	(void)state;
	while (next_row(file, &row)) {
		struct cluster *c = NULL;
		unsigned terms;
		double gap;

		if (strcmp(row.how, "factors") == 0 || strcmp(row.how, "weights") == 0)
			continue;
		c = read_table(&row);
		assert_int_equal(cluster_rows(c, TABLE_PRIO), 1);
		gap = cell(&row, "PRIORITY") - sum_of(c, &terms);
		cluster_free(c);
		if (strcmp(row.how, "ok") == 0) {
			if (fabs(gap) > terms / 2.0 + 1)
				fail_msg("%s: PRIORITY is %.0f beside its %u terms", row.site, gap,
					 terms);
			ok++;
		} else if (strcmp(row.how, "edited") == 0) {
			assert_true(fabs(gap) > terms / 2.0 + 1);
			print_message("%s: inconsistent: PRIORITY is %.0f beside the sum\n",
				      row.site, gap);
			edited++;
		} else {
			assert_string_equal(row.how, "cut");
			assert_true(gap > terms / 2.0 + 1);
			print_message("%s: the list of TRES is cut: %.0f points are not told\n",
				      row.site, gap);
			cut++;
		}
	}
	fclose(file);
	assert_int_equal(ok, 17);
	assert_int_equal(edited, 1);
	assert_int_equal(cut, 1);
}

/* sprio -n divides the priority by 2^32 - 1 and prints eight decimals; the other row does not. */
static void test_factors(void **state)
{
	FILE *file = open_rows();
	struct row row, before = { .site = "" };
	unsigned found = 0;

	(void)state;
	while (next_row(file, &row)) {
		if (strcmp(row.how, "factors") == 0) {
			assert_true(cell(&row, "JOBID") == cell(&before, "JOBID"));
			assert_true(fabs(cell(&row, "PRIORITY") * UINT32_MAX -
					 cell(&before, "PRIORITY")) <= 0.5e-8 * UINT32_MAX + 1);
			found++;
		}
		if (strcmp(row.how, "weights") == 0) {
			/* Site, age, fair share, size: no term exceeds its weight. */
			for (size_t i = 1; i < row.cells.count; i++)
				assert_true(strtod(word(&before.cells, i + 2), NULL) <=
					    strtod(word(&row.cells, i), NULL));
			found++;
		}
		before = row;
	}
	fclose(file);
	assert_int_equal(found, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_factors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
