/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif_run.h"

#include "core/billing.h"
#include "core/mem.h"

/* Do the edits in force leave structure, jobs, partitions, QOS and charges as they are? */
static bool is_light(const struct whatif *w, const struct model *base, const struct cluster *now,
		     bool *shares)
{
	const struct cluster *c = base->cluster;

	*shares = false;
	for (uint32_t i = 0; i < w->count; i++) {
		enum edit_id id = w->entries[i].edit.target->id;

		if (!whatif_in_force(w, i))
			continue;
		if (id != EDIT_PARAM && id != EDIT_WEIGHT && id != EDIT_ALGORITHM &&
		    id != EDIT_SHARES && id != EDIT_USAGE)
			return false;
		*shares = *shares || id == EDIT_SHARES;
	}
	return policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_SLURM &&
	       billing_mode_of(cluster_policy(c)->flags) ==
		       billing_mode_of(cluster_policy(now)->flags);
}

/* The algorithm: a wished one stays, else what the edited policy asks for. */
static enum fs_algorithm algorithm_of(const struct model *base, const struct cluster *now)
{
	return base->algo->id == fs_algorithm_of_cluster(base->cluster)
		       ? fs_algorithm_of_cluster(now) : base->algo->id;
}

static struct model *light_model(struct whatif_run *r, const struct model *base, bool shares)
{
	struct model *m = mem_alloc(1, sizeof(*m));

	*m = *base;
	m->cluster = r->cluster;
	m->versus = NULL;
	m->algo = fs_algos[algorithm_of(base, r->cluster)];
	m->tree = shares ? fs_tree_new(r->cluster, base->tree->order) : base->tree;
	m->input.cluster = r->cluster;
	m->input.tree = m->tree;
	m->input.damping = cluster_policy(r->cluster)->damping;
	m->fs = fs_run(m->algo, &m->input);
	r->shares_model = true;
	r->own_tree = shares;
	return m;
}

struct whatif_run *whatif_run_new(struct whatif *w, const struct model *base,
				  const struct jobs *base_jobs, struct err *err)
{
	struct whatif_run *r = mem_zalloc(1, sizeof(*r));
	bool shares, light;

	r->cluster = whatif_apply(w, base->cluster);
	light = is_light(w, base, r->cluster, &shares);
	if (light) {
		r->model = light_model(r, base, shares);
	} else {
		struct model_options options = { (int)algorithm_of(base, r->cluster),
						 (int)base->fs->base, (int)base->fs->order };

		r->model = model_new(r->cluster, &options, err);
	}
	if (!r->model) {
		whatif_run_free(r);
		return NULL;
	}
	if (base_jobs)
		r->jobs = jobs_over(r->model, NULL, light ? base_jobs->index : NULL);
	return r;
}

void whatif_run_free(struct whatif_run *r)
{
	if (!r)
		return;
	jobs_free(r->jobs);
	if (r->model && r->shares_model) {
		fs_result_free(r->model->fs);
		if (r->own_tree)
			fs_tree_free(r->model->tree);
		mem_free(r->model);
	} else {
		model_free(r->model);
	}
	cluster_free(r->cluster);
	mem_free(r);
}
