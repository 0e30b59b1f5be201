/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/model.h"
#include "core/share/model_private.h"

#include <math.h>

#include "core/base/mem.h"

static bool choose_base(const struct cluster *c, int wish, enum fs_base *base, struct err *err)
{
	if (wish >= 0) {
		*base = (enum fs_base)wish;
		if (fs_base_available(c, *base))
			return true;
		return err_set(err, ERR_INPUT, *base == FS_BASE_USAGE ?
			       "base \"usage\": the source tells no raw usage" :
			       "base \"reported\": the source tells no usage ratios");
	}
	if (fs_base_complete(c, FS_BASE_REPORTED))
		*base = FS_BASE_REPORTED;
	else if (fs_base_complete(c, FS_BASE_USAGE))
		*base = FS_BASE_USAGE;
	else
		*base = fs_base_available(c, FS_BASE_REPORTED) ? FS_BASE_REPORTED : FS_BASE_USAGE;
	return true;
}

/* User associations whose F is not the reported one. Factors are at least 1 / N apart. */
static uint32_t differing_factors(const struct cluster *c, const struct fs_tree *t,
				  const struct fs_result *r)
{
	const double *reported = cluster_col_f64(c, F_ASSOC_R_FAIRSHARE);
	uint32_t differing = 0;

	for (uint32_t i = 0; reported && i < t->n; i++) {
		if (t->is_user[i] && f64_known(reported[i]) && f64_known(r->fairshare[i]))
			differing += fabs(reported[i] - r->fairshare[i]) > 0.4 / t->users;
	}
	return differing;
}

static void run(struct model *m, enum fs_order order)
{
	m->tree = fs_tree_new(m->cluster, order);
	m->input.tree = m->tree;
	m->fs = fs_run(m->algo, &m->input);
}

/*
 * Of the two orders of siblings the one that reproduces what the scheduler reports; list order if
 * both do.
 */
static void run_best_order(struct model *m)
{
	struct fs_tree *tree;
	struct fs_result *fs;
	uint32_t list, lft;

	run(m, FS_ORDER_LIST);
	if (!m->fs->tree_rank || !cluster_col(m->cluster, F_ASSOC_LFT))
		return;
	list = differing_factors(m->cluster, m->tree, m->fs);
	if (list == 0)
		return;
	tree = m->tree;
	fs = m->fs;
	run(m, FS_ORDER_LFT);
	lft = differing_factors(m->cluster, m->tree, m->fs);
	if (lft >= list) {
		struct fs_tree *other_tree = m->tree;
		struct fs_result *other_fs = m->fs;

		m->input.tree = m->tree = tree;
		m->fs = fs;
		tree = other_tree;
		fs = other_fs;
	}
	fs_result_free(fs);
	fs_tree_free(tree);
}

struct model *model_new(const struct cluster *c, const struct model_options *options,
			struct err *err)
{
	static const struct model_options defaults = MODEL_OPTIONS_DEFAULT;
	const struct policy *policy = cluster_policy(c);
	struct model *m;
	enum fs_base base;

	if (!options)
		options = &defaults;
	if (!choose_base(c, options->base, &base, err))
		return NULL;
	m = mem_zalloc(1, sizeof(*m));
	m->cluster = c;
	m->algo = fs_algos[options->algorithm >= 0 ? (enum fs_algorithm)options->algorithm :
			   fs_algorithm_of_cluster(c)];
	m->input = (struct fs_input){ .cluster = c, .base = base, .damping = policy->damping };
	if (options->order >= 0)
		run(m, (enum fs_order)options->order);
	else
		run_best_order(m);
	workload_new(m);
	limits_new(c, &m->limits);
	return m;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	limits_free(&m->limits);
	mem_free(m->running);
	mem_free(m->pending);
	mem_free(m->burn);
	fs_result_free(m->fs);
	fs_tree_free(m->tree);
	mem_free(m);
}
