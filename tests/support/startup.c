/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/startup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/support/reference.h"

static void report(struct builder *b, const struct reference *r)
{
	const struct cluster *c = r->cluster;

	for (uint32_t i = 0; i < r->tree->n; i++) {
		uint32_t row = builder_add(b, TABLE_ASSOC);

		builder_u32(b, F_ASSOC_ID, row, cluster_u32(c, F_ASSOC_ID, i));
		if (i != 0)
			builder_u32(b, F_ASSOC_PARENT, row, cluster_u32(c, F_ASSOC_PARENT, i));
		builder_str(b, F_ASSOC_ACCOUNT, row, cluster_text(c, F_ASSOC_ACCOUNT, i));
		builder_str(b, F_ASSOC_USER, row, cluster_text(c, F_ASSOC_USER, i));
		builder_str(b, F_ASSOC_PARTITION, row, cluster_text(c, F_ASSOC_PARTITION, i));
		builder_u32(b, F_ASSOC_SHARES, row, r->tree->shares[i]);
		builder_f64(b, F_ASSOC_USAGE, row, cluster_f64(c, F_ASSOC_USAGE, i));
		builder_f64(b, F_ASSOC_R_NORM_SHARES, row, r->norm_shares[i]);
		builder_f64(b, F_ASSOC_R_EFFECTIVE_USAGE, row, (double)r->effective_usage[i]);
		if (!isnan(r->fairshare[i]))
			builder_f64(b, F_ASSOC_R_FAIRSHARE, row, r->fairshare[i]);
		if (i != 0)
			builder_f64(b, F_ASSOC_R_NORM_USAGE, row, (double)r->norm_usage[i]);
		if (i != 0 && !isnan((double)r->level_fs[i]))
			builder_f64(b, F_ASSOC_R_LEVEL_FS, row, (double)r->level_fs[i]);
	}
}

/* The reported columns of R on the associations of its cluster; R and its tree are freed. */
static struct cluster *reporting(struct reference *r, uint32_t flags)
{
	struct fs_tree *tree = (struct fs_tree *)(uintptr_t)r->tree;
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cluster *after;

	*builder_policy(b) = *cluster_policy(r->cluster);
	builder_policy(b)->flags = flags;
	report(b, r);
	after = builder_seal(b, &err);
	if (!after) {
		fprintf(stderr, "startup: %s\n", err.message);
		exit(1);
	}
	reference_free(r);
	fs_tree_free(tree);
	return after;
}

struct cluster *startup_after(const struct cluster *c, unsigned passes)
{
	struct reference *r = reference_new(c, fs_tree_new(c, FS_ORDER_LIST), FS_DEPTH_OBLIVIOUS);

	for (unsigned pass = 0; pass < passes; pass++)
		reference_pass(r);
	return reporting(r, PF_DEPTH_OBLIVIOUS);
}

struct cluster *startup_settled(const struct cluster *c, enum fs_algorithm algorithm)
{
	static const uint32_t flags[FS_ALGORITHMS] = { [FS_DEPTH_OBLIVIOUS] = PF_DEPTH_OBLIVIOUS,
						       [FS_CLASSIC] = PF_NO_FAIR_TREE };
	struct reference *r = reference_new(c, fs_tree_new(c, FS_ORDER_LIST), algorithm);

	reference_settle(r);
	return reporting(r, flags[algorithm]);
}
