/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fair-share tree: resource_group, the usage database, and pbsfs's output of both.
 * Source: fairshare.cpp of OpenPBS; spec of PBS, 3 and 5.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/pbs/reader.h"
#include "core/base/plural.h"

/* ---- resource_group ------------------------------------------------------------------------ */

/*
 * All of the text must be a number, read like strtol() with a 64-bit long; larger ones are clamped.
 */
static bool pbs_tree_read_number(struct slice s, int64_t *value)
{
	char text[64];
	char *end;

	if (s.length == 0 || s.length >= sizeof(text))
		return false;
	memcpy(text, s.at, s.length);
	text[s.length] = '\0';
	errno = 0;
	*value = strtoll(text, &end, 10);
	return *end == '\0';
}

/* Like the scheduler's conversion in C from long to int: the low 32 bits. */
static int32_t low_bits(int64_t value)
{
	uint32_t bits = (uint32_t)((uint64_t)value & UINT32_MAX);

	return bits > INT32_MAX ? (int32_t)(bits - (uint32_t)INT32_MAX - 1) + INT32_MIN
				: (int32_t)bits;
}

/* Why the scheduler ignores a line; "" if it does not. */
static const char *read_group_line(struct pbs_reader *r, struct slice line)
{
	struct pbs_tree *t = &r->tree;
	struct slice name, cresgroup, parent, shares;
	int64_t number, count;
	uint32_t above, node;

	if (!slice_word(&line, &name) || !slice_word(&line, &cresgroup) ||
	    !slice_word(&line, &parent) || !slice_word(&line, &shares) ||
	    !pbs_tree_read_number(cresgroup, &number) || !pbs_tree_read_number(shares, &count))
		return "expected name, number, parent, shares";
	if (pbs_tree_find(t, name.at, name.length) != ROW_NONE)
		return "the name is not unique";
	above = slice_is(parent, "root") ? PBS_NODE_ROOT
					 : pbs_tree_find(t, parent.at, parent.length);
	if (above == ROW_NONE)
		return "its parent is not defined above";
	node = pbs_tree_add(t, above, name.at, name.length);
	t->nodes[node].cresgroup = low_bits(number);
	t->nodes[node].shares = low_bits(count);
	return "";
}

bool pbs_read_group(struct pbs_reader *r)
{
	struct slice rest = { r->text->text, r->text->length }, line;
	unsigned number = 0, bad = 0, first = 0;
	char why[200] = "";

	r->has_tree = true;
	while (slice_line(&rest, &line)) {
		const char *problem;
		struct slice s = slice_trim(line);

		number++;
		if (s.length == 0 || s.at[0] == '#')
			continue;
		problem = read_group_line(r, s);
		if (*problem && bad++ == 0) {
			first = number;
			snprintf(why, sizeof(why), "\"%.*s\": %s", SLICE_PRINT(s), problem);
		}
	}
	if (bad > 0)
		builder_note(r->b, "fair share", "%s: %u %s left out, as the scheduler does; "
			     "the first is line %u, %s", r->text->name, bad,
			     plural(bad, "line is", "lines are"), first, why);
	return true;
}

/* ---- usage --------------------------------------------------------------------------------- */

#define USAGE_TAG "PBS_MAG!"
#define USAGE_HEADER 32		/* tag[9], padding to 16, double version, time_t last decay */
#define USAGE_RECORD 64		/* name[50], padding to 56, double usage */
#define USAGE_NAME 50
#define USAGE_VERSION 2.0

static double double_at(const char *at)
{
	double d;

	memcpy(&d, at, sizeof(d));
	return d;
}

static bool check_usage(struct pbs_reader *r)
{
	const struct pbs_text *t = r->text;
	double version;

	if (t->length < USAGE_HEADER || memcmp(t->text, USAGE_TAG, sizeof(USAGE_TAG)) != 0)
		return pbs_fail(r,
				"not a usage file of PBS (expected to begin with " USAGE_TAG ")");
	version = double_at(t->text + 16);
	if (version != USAGE_VERSION)
		return pbs_fail(r, "usage file of version %g%s (expected 2)", version,
				fabs(version) > 1e-100 && fabs(version) < 1e100 ? "" :
				", or from a machine with another byte order");
	if ((t->length - USAGE_HEADER) % USAGE_RECORD != 0)
		return pbs_fail(r, "cut in the middle of a record (%zu bytes are not 32 + a "
				"multiple of 64); the scheduler may be writing it: try again",
				t->length);
	return true;
}

/* Adds a stored usage to an entity, replacing its initial 1, and to all nodes above it. */
static void store_usage(struct pbs_tree *t, uint32_t node, double usage)
{
	t->nodes[node].usage = usage;
	for (uint32_t i = t->nodes[node].parent; i != ROW_NONE; i = t->nodes[i].parent)
		t->nodes[i].usage += usage;
}

bool pbs_read_usage(struct pbs_reader *r)
{
	const struct pbs_text *t = r->text;
	int64_t last;

	if (!check_usage(r))
		return false;
	memcpy(&last, t->text + 24, sizeof(last));
	r->last_decay = last > 0 && last < INT64_C(1) << 40 ? last : I64_UNKNOWN;
	r->has_tree = true;
	/* pbsfs printed the same numbers rounded. */
	for (size_t i = 0; i < r->tree.count; i++)
		r->tree.nodes[i].usage = 1;
	for (size_t at = USAGE_HEADER; at < t->length; at += USAGE_RECORD) {
		const char *name = t->text + at;
		double usage = double_at(name + 56);
		size_t length = strnlen(name, USAGE_NAME);
		uint32_t node;

		if (length == USAGE_NAME || length == 0 || !isfinite(usage) || usage < 0)
			return pbs_fail(r,
					"record %zu has no name or no usage: the file is damaged",
					(at - USAGE_HEADER) / USAGE_RECORD + 1);
		node = pbs_tree_entity(&r->tree, name, length);
		if (r->tree.nodes[node].children == 0)
			store_usage(&r->tree, node, usage);
	}
	return true;
}

/* ---- pbsfs --------------------------------------------------------------------------------- */

struct fs_line {
	struct slice name;
	int64_t group, cresgroup, shares;
	double usage, percent;
};

/* Takes "LABEL: number" off *S. */
static bool take_labelled(struct slice *s, const char *label, double *value)
{
	struct slice word;

	*s = slice_trim(*s);
	if (!slice_take(s, label) || !slice_word(s, &word))
		return false;
	if (slice_ends(word, slice_of("%")))
		word.length--;
	return slice_f64(word, value) && isfinite(*value);
}

/* "%-10s: Grp: %-5d  cgrp: %-5dShares: %-6d Usage: %-6.0lf Perc: %6.3f%%"; names may hold ':'. */
static bool read_fs_line(struct slice s, struct fs_line *line)
{
	int64_t numbers[3];

	/* Without the delimiter nothing is left, and so no number. */
	slice_part(&s, slice_of(": Grp: "), &line->name);
	line->name = slice_trim(line->name);
	/* There is no blank between cgrp and Shares if the number has five digits or more. */
	for (size_t i = 0; i < 3; i++) {
		static const char *const labels[] = { "", "cgrp:", "Shares:" };
		char text[64] = "";
		char *end;

		s = slice_trim(s);
		if (!slice_take(&s, labels[i]))
			return false;
		s = slice_trim(s);
		memcpy(text, s.at, s.length < sizeof(text) - 1 ? s.length : sizeof(text) - 1);
		numbers[i] = strtoll(text, &end, 10);
		if (end == text)
			return false;
		s = slice_from(s, (size_t)(end - text));
	}
	line->group = numbers[0];
	line->cresgroup = numbers[1];
	line->shares = numbers[2];
	return take_labelled(&s, "Usage:", &line->usage) &&
	       take_labelled(&s, "Perc:", &line->percent) && line->name.length > 0 &&
	       line->usage >= 0;
}

/*
 * The node of a line. Lines are in pre-order and name their parent only by its number, which need
 * not be unique: the parent is the nearest line above, on the path to the root, with that number.
 */
static uint32_t fs_node(struct pbs_reader *r, const struct fs_line *line, uint32_t last, bool known)
{
	struct pbs_tree *t = &r->tree;
	uint32_t node = pbs_tree_find(t, line->name.at, line->name.length), above = last;

	if (node != ROW_NONE)
		return node;
	while (above != PBS_NODE_ROOT && t->nodes[above].cresgroup != line->group)
		above = t->nodes[above].parent;
	/* resource_group has all nodes but the entities that only the usage file knows. */
	if (known && above != PBS_NODE_UNKNOWN)
		return ROW_NONE;
	return pbs_tree_add(t, above, line->name.at, line->name.length);
}

bool pbs_read_fs(struct pbs_reader *r)
{
	struct slice rest = { r->text->text, r->text->length }, line;
	bool known = r->texts->kind[PBS_GROUP].text != NULL;
	bool config = r->texts->kind[PBS_CONFIG].text != NULL;
	uint32_t last = PBS_NODE_ROOT, rows = 0;
	struct fs_line reported;

	while (slice_line(&rest, &line)) {
		struct pbs_node *node;
		uint32_t i;

		if (slice_trim(line).length == 0 || slice_starts(line, "Fairshare usage units"))
			continue;
		if (!read_fs_line(line, &reported))
			return pbs_fail(r, "\"%.*s\": expected a line of pbsfs", SLICE_PRINT(line));
		i = fs_node(r, &reported, last, known);
		rows++;
		if (i == ROW_NONE)
			continue;
		node = &r->tree.nodes[i];
		node->reported_percent = reported.percent;
		node->reported_usage = reported.usage;
		if (!known) {
			node->cresgroup = reported.cresgroup;
			node->shares = low_bits(reported.shares);
		}
		if (i == PBS_NODE_UNKNOWN && !config)
			node->shares = low_bits(reported.shares);
		if (!r->texts->kind[PBS_USAGE].text)
			node->usage = reported.usage;
		last = i;
	}
	r->has_tree = r->has_tree || rows > 0;
	return rows > 0 || pbs_fail(r, "no pbsfs line in it");
}
