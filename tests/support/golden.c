/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/golden.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "tests/support/data.h"

#define FIELDS_MAX 16

static FILE *open_data(const char *name, const char *suffix)
{
	char file[128], path[1024];
	FILE *f;

	snprintf(file, sizeof(file), "golden/%s%s", name, suffix);
	f = fopen(data_path(file, path, sizeof(path)), "r");
	if (!f) {
		perror(path);
		exit(1);
	}
	return f;
}

/*
 * Splits the next line at "|" into FIELDS, unused ones ""; false at the end. Comments are skipped.
 */
static bool next_line(FILE *f, char *line, size_t size, char *fields[FIELDS_MAX])
{
	char *rest;

	do {
		if (!fgets(line, (int)size, f))
			return false;
	} while (line[0] == '#' || line[0] == '\n');
	line[strcspn(line, "\n")] = '\0';
	rest = line;
	for (size_t i = 0; i < FIELDS_MAX; i++) {
		fields[i] = rest ? rest : line + strlen(line);
		if (rest) {
			rest = strchr(rest, '|');
			if (rest)
				*rest++ = '\0';
		}
	}
	for (size_t i = 1; i < FIELDS_MAX; i++) {
		if (fields[i] < fields[i - 1])
			fields[i] = fields[0] + strlen(fields[0]);
	}
	return true;
}

static uint32_t shares_of(const char *text)
{
	if (strcmp(text, "parent") == 0)
		return SHARES_PARENT;
	return *text ? (uint32_t)strtoul(text, NULL, 10) : 1;
}

/*
 * One of the files has the same number twice, so rows are renumbered and parents are looked up by
 * their number in the file.
 */
static struct cluster *read_tree(const char *name)
{
	FILE *f = open_data(name, ".tree.psv");
	char line[256], *fields[FIELDS_MAX];
	uint32_t numbers[64];
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cluster *c;

	while (next_line(f, line, sizeof(line), fields)) {
		uint32_t row = builder_add(b, TABLE_ASSOC);
		uint32_t parent = (uint32_t)strtoul(fields[1], NULL, 10);
		bool user = *fields[3] != '\0';

		numbers[row] = (uint32_t)strtoul(fields[0], NULL, 10);
		builder_u32(b, F_ASSOC_ID, row, row + 1);
		for (uint32_t p = 0; p < row; p++) {
			if (numbers[p] == parent)
				builder_u32(b, F_ASSOC_PARENT, row, p + 1);
		}
		builder_str(b, F_ASSOC_ACCOUNT, row, fields[2]);
		builder_str(b, F_ASSOC_USER, row, user ? fields[3] : NULL);
		builder_u32(b, F_ASSOC_SHARES, row, shares_of(fields[4]));
		if (user)
			builder_f64(b, F_ASSOC_USAGE, row, strtod(fields[5], NULL));
	}
	fclose(f);
	c = builder_seal(b, &err);
	if (!c) {
		fprintf(stderr, "%s: %s\n", name, err.message);
		exit(1);
	}
	return c;
}

static double number(const char *text)
{
	return *text ? strtod(text, NULL) : NAN;
}

struct golden *golden_read(const char *name, bool fair_tree)
{
	struct golden *g = mem_zalloc(1, sizeof(*g));
	FILE *f = open_data(name, ".psv");
	char line[256], *fields[FIELDS_MAX];
	size_t capacity = 0;

	g->cluster = read_tree(name);
	while (next_line(f, line, sizeof(line), fields)) {
		struct golden_row *row;

		g->rows = mem_grow(g->rows, &capacity, g->count + 1, sizeof(*g->rows));
		row = &g->rows[g->count++];
		snprintf(row->account, sizeof(row->account), "%s", fields[0]);
		snprintf(row->user, sizeof(row->user), "%s", fields[1]);
		row->norm_shares = number(fields[3]);
		row->norm_usage = number(fields[5]);
		row->effective_usage = number(fields[6]);
		row->fairshare = number(fields[7]);
		row->level_fs = fair_tree ? number(fields[8]) : NAN;
	}
	fclose(f);
	return g;
}

void golden_free(struct golden *g)
{
	cluster_free(g->cluster);
	mem_free(g->rows);
	mem_free(g);
}

uint32_t golden_find(const struct cluster *c, const struct golden_row *row)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		const char *user = cluster_text(c, F_ASSOC_USER, i);

		if (strcmp(cluster_text(c, F_ASSOC_ACCOUNT, i), row->account) == 0 &&
		    strcmp(user ? user : "", row->user) == 0)
			return i;
	}
	return ROW_NONE;
}
