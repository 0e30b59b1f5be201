/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/queue/compare_private.h"
#include "core/base/mem.h"
#include "core/share/lsf_share.h"
#include "core/share/pbs_share.h"

struct compare_row *compare_add(struct compare *c, double a, double b, const char *format, ...)
{
	struct compare_row *row;
	va_list args;

	c->rows = mem_grow(c->rows, &c->capacity, c->count + 1, sizeof(*c->rows));
	row = &c->rows[c->count++];
	*row = (struct compare_row){ .a = a, .b = b, .level = (uint32_t)c->count };
	va_start(args, format);
	(void)vsnprintf(row->name, sizeof(row->name), format, args);
	va_end(args);
	return row;
}

void compare_append(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

/* Times differ in seconds, which are no points: they come after what is counted. */
static double weight_of(const struct compare_row *row)
{
	double d = fabs(row->a - row->b);

	return row->time || !f64_known(d) ? -1 : d;
}

static int by_difference(const void *one, const void *two)
{
	const struct compare_row *a = one, *b = two;
	double x = weight_of(a), y = weight_of(b);

	if (a->decides != b->decides)
		return a->decides ? -1 : 1;
	if (x > y || x < y)
		return x > y ? -1 : 1;
	return a->level < b->level ? -1 : a->level > b->level;
}

void compare_sort(struct compare *c)
{
	if (c->count > 1)
		qsort(c->rows, c->count, sizeof(*c->rows), by_difference);
}

void compare_free(struct compare *c)
{
	mem_free(c->rows);
	*c = (struct compare){ 0 };
}

/* ---- two associations ------------------------------------------------------------------------ */

/* Does the first level that differs decide, whatever F is? */
static bool levels_decide(const struct model *m)
{
	return m->fs->algorithm == FS_PBS || m->fs->algorithm == FS_LSF;
}

/*
 * What the algorithm orders siblings by. Larger Level FS is served first, smaller R is, and smaller
 * usage per percentage.
 */
static const double *measure(const struct model *m, const char **name, bool *larger_first)
{
	if (m->fs->algorithm == FS_LSF) {
		*larger_first = true;
		*name = "Priority";
		return m->fs->own[LSF_OWN_PRIORITY];
	}
	if (levels_decide(m)) {
		*larger_first = false;
		*name = "Usage/S";
		return m->fs->own[PBS_OWN_USAGE_PERC];
	}
	*larger_first = m->fs->level_fs != NULL;
	*name = *larger_first ? "Level FS" : "R";
	return *larger_first ? m->fs->level_fs : m->fs->effective_ratio;
}

static double item(const double *array, uint32_t row)
{
	return array ? array[row] : F64_UNKNOWN;
}

/*
 * The children of the deepest common ancestor that lead to A and B; false if one is above the
 * other.
 */
static bool parting(const struct cluster *c, uint32_t *a, uint32_t *b)
{
	const uint32_t *parent = cluster_parent(c);
	const uint16_t *depth = cluster_depth(c);
	uint32_t x = *a, y = *b;

	while (depth[x] > depth[y])
		x = parent[x];
	while (depth[y] > depth[x])
		y = parent[y];
	if (x == y)
		return false;
	while (parent[x] != parent[y]) {
		x = parent[x];
		y = parent[y];
	}
	*a = x;
	*b = y;
	return true;
}

/* The ancestors that are compared: where the paths part, or at PBS's first level that differs. */
static bool deciding(const struct model *m, uint32_t *a, uint32_t *b)
{
	uint32_t x, y;

	if (!levels_decide(m))
		return parting(m->cluster, a, b);
	if (m->fs->algorithm == FS_LSF)
		(void)lsf_compare_paths(m->tree, m->fs, *a, *b, &x, &y);
	else
		(void)pbs_compare_paths(m->tree, m->fs, *a, *b, &x, &y);
	if (x == 0)
		return false;
	*a = x;
	*b = y;
	return true;
}

/* Path of the deepest account above both. */
static void path_above(const struct cluster *c, uint32_t x, uint32_t y, char *buf, size_t size)
{
	uint32_t a = x, b = y;

	cluster_path(c, parting(c, &a, &b) ? cluster_parent(c)[a] : 0, buf, size);
}

static const char *short_name(const struct cluster *c, uint32_t row)
{
	const char *name = cluster_is_user(c, row) ? cluster_text(c, F_ASSOC_USER, row)
						   : cluster_text(c, F_ASSOC_ACCOUNT, row);

	return name ? name : "?";
}

static void add_quantities(struct compare *c, const struct model *m, uint32_t a, uint32_t b)
{
	const struct fs_algo *algo = m->algo;

	for (size_t i = 0; i < algo->quantity_count; i++) {
		const struct fs_quantity *q = &algo->quantities[i];
		const double *values;

		if (q->is_rank)
			continue;
		memcpy(&values, (const char *)m->fs + q->offset, sizeof(values));
		compare_add(c, item(values, a), item(values, b), "%s", q->title);
	}
}

struct compare_row *compare_paths(struct compare *out, const struct model *m, uint32_t a,
				  uint32_t b)
{
	const struct cluster *c = m->cluster;
	bool larger_first;
	const char *name;
	const double *values = measure(m, &name, &larger_first);
	uint32_t x = a, y = b;
	char path[100];
	struct compare_row *row;

	if (!deciding(m, &x, &y))
		return NULL;
	path_above(c, x, y, path, sizeof(path));
	row = compare_add(out, item(values, x), item(values, y),
			  "%s of %.28s and %.28s below %.60s", name, short_name(c, x),
			  short_name(c, y), path);
	if (row->a == row->b)
		(void)snprintf(row->note, sizeof(row->note), "where the paths part: a tie, which "
			       "the scheduler's own order of siblings decides");
	else
		(void)snprintf(row->note, sizeof(row->note),
			       "first ancestors that differ; the %s one is served first",
			       larger_first ? "larger" : "smaller");
	return row;
}

static int sign_of(double a, double b)
{
	return a > b ? -1 : a < b ? 1 : 0;
}

/* -1, 0, 1 by what the algorithm orders siblings by. */
static int path_order(const struct model *m, const struct compare_row *row)
{
	bool larger_first;
	const char *name;

	(void)measure(m, &name, &larger_first);
	return larger_first ? sign_of(row->a, row->b) : sign_of(row->b, row->a);
}

static void say_path(const struct model *m, struct compare *out, uint32_t a, uint32_t b,
		     const struct compare_row *row)
{
	const struct cluster *c = m->cluster;
	uint32_t x = a, y = b;
	bool larger_first;
	const char *name;
	char path[100];

	(void)measure(m, &name, &larger_first);
	(void)deciding(m, &x, &y);
	path_above(c, x, y, path, sizeof(path));
	if (out->order > 0)
		compare_append(out->sentence, sizeof(out->sentence),
			       "; below %s %s has %s %.4g and %s %.4g", path, short_name(c, y),
			       name, row->b, short_name(c, x), row->a);
	else
		compare_append(out->sentence, sizeof(out->sentence),
			       "; below %s %s has %s %.4g and %s %.4g", path, short_name(c, x),
			       name, row->a, short_name(c, y), row->b);
	if (out->order != 0 && path_order(m, row) == -out->order)
		compare_append(out->sentence, sizeof(out->sentence),
			       ", the other way round: what lies further down the paths "
			       "outweighs it");
}

void compare_accounts(const struct model *m, uint32_t a, uint32_t b, struct compare *out)
{
	double fa = item(m->fs->fairshare, a), fb = item(m->fs->fairshare, b);
	char first[120], second[120];
	bool by_levels = levels_decide(m), decided;
	struct compare_row *f, *path;
	size_t place;

	*out = (struct compare){ 0 };
	decided = !by_levels && f64_known(fa) && f64_known(fb) && (fa < fb || fa > fb);
	/* LSF has no factor. */
	if (m->fs->fairshare) {
		f = compare_add(out, fa, fb, "F");
		f->decides = decided;
	}
	out->order = decided ? sign_of(fa, fb) : 0;
	place = out->count;
	path = compare_paths(out, m, a, b);
	if (path && !decided && path_order(m, path) != 0 && (by_levels || !f64_known(fa))) {
		/*
		 * Accounts have no factor in Fair Tree, and PBS asks none: the measure orders them.
		 */
		path->decides = true;
		out->order = path_order(m, path);
	}
	add_quantities(out, m, a, b);
	path = path ? &out->rows[place] : NULL;
	cluster_path(m->cluster, out->order > 0 ? b : a, first, sizeof(first));
	cluster_path(m->cluster, out->order > 0 ? a : b, second, sizeof(second));
	if (out->order == 0)
		(void)snprintf(out->sentence, sizeof(out->sentence),
			       "%s and %s are equal by fair share", first, second);
	else
		(void)snprintf(out->sentence, sizeof(out->sentence), "%s comes before %s", first,
			       second);
	if (!by_levels && f64_known(fa) && f64_known(fb))
		compare_append(out->sentence, sizeof(out->sentence), ": F %.6g against %.6g",
			       out->order > 0 ? fb : fa, out->order > 0 ? fa : fb);
	if (path && f64_known(path->a) && f64_known(path->b))
		say_path(m, out, a, b, path);
}
