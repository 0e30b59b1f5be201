/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/whatif_run.h"

#include "core/share/billing.h"
#include "core/base/mem.h"
#include "core/whatif/whatif_apply.h"

/* What the active edits do not change. */
struct whatif_run_kept {
	bool jobs;		/* structure, jobs, partitions, QOS and charges */
	bool shares, usage;
};

static struct whatif_run_kept kept_by(const struct whatif *w, const struct model *base,
				      const struct cluster *now)
{
	const struct cluster *c = base->cluster;
	struct whatif_run_kept kept = { true, true, true };

	for (uint32_t i = 0; i < w->count; i++) {
		enum edit_id id = w->entries[i].edit.target->id;

		if (!whatif_in_force(w, i))
			continue;
		if (id != EDIT_PARAM && id != EDIT_WEIGHT && id != EDIT_ALGORITHM &&
		    id != EDIT_SCHEDULE && id != EDIT_SCHED && id != EDIT_SHARES &&
		    id != EDIT_USAGE)
			kept.jobs = false;
		kept.shares = kept.shares && id != EDIT_SHARES;
		kept.usage = kept.usage && id != EDIT_USAGE;
	}
	kept.jobs = kept.jobs &&
		    policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_SLURM &&
		    billing_mode_of(cluster_policy(c)->flags) ==
			    billing_mode_of(cluster_policy(now)->flags);
	return kept;
}

/* The algorithm: one chosen by the user stays, else that of the edited policy. */
static enum fs_algorithm algorithm_of(const struct model *base, const struct cluster *now)
{
	/* If the flags are unknown, it came from reported ratios, which edits drop. */
	return base->algo->id == fs_algorithm_of_cluster(base->cluster) &&
			       !policy_hides(cluster_policy(now), "PriorityFlags")
		       ? fs_algorithm_of_cluster(now) : base->algo->id;
}

/* Which associations to compute: ROW (ROW_NONE: all), and whether with ranks. */
struct asked {
	uint32_t row;
	bool ranks;
};

static void whatif_run_compute(struct model *m, struct asked asked)
{
	m->fs = fs_result_new(m->algo, m->tree);
	if (asked.row != ROW_NONE && fs_compute_row(m->algo, &m->input, asked.row, m->fs))
		return;
	fs_compute(m->algo, &m->input, m->fs);
	if (asked.ranks)
		fs_rank(m->tree, m->fs);
	fs_take_reported(&m->input, m->fs);
}

static struct model *light_model(struct whatif_run *r, const struct model *base,
				 struct whatif_run_kept kept, struct asked asked)
{
	struct model *m = mem_alloc(1, sizeof(*m));

	*m = *base;
	m->cluster = r->cluster;
	m->changes = NULL;
	m->algo = fs_algos[algorithm_of(base, r->cluster)];
	m->tree = kept.shares ? base->tree : fs_tree_over(base->tree, r->cluster);
	m->input.cluster = r->cluster;
	m->input.tree = m->tree;
	m->input.damping = fs_damping(r->cluster);
	r->own_tree = !kept.shares;
	r->own_fs = !kept.shares || !kept.usage || m->algo != base->algo ||
		    m->input.damping != base->input.damping;
	if (r->own_fs)
		whatif_run_compute(m, asked);
	r->shares_model = true;
	return m;
}

static struct whatif_run *run_new(struct whatif *w, const struct model *base,
				  const struct jobs *base_jobs, struct asked asked, struct err *err)
{
	struct whatif_run *r = mem_zalloc(1, sizeof(*r));
	struct whatif_run_kept kept;

	r->cluster = whatif_apply_tree(w, base->cluster, base->tree);
	kept = kept_by(w, base, r->cluster);
	if (kept.jobs) {
		r->model = light_model(r, base, kept, asked);
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
		r->jobs = kept.jobs ? jobs_over(r->model, base_jobs) : jobs_new(r->model, NULL);
	if (base_jobs && !kept.jobs)
		jobs_forget_reported(r->jobs, base_jobs);
	return r;
}

struct whatif_run *whatif_run_new(struct whatif *w, const struct model *base,
				  const struct jobs *base_jobs, struct err *err)
{
	return run_new(w, base, base_jobs, (struct asked){ ROW_NONE, true }, err);
}

struct whatif_run *whatif_run_try(struct whatif *w, const struct model *base,
				  const struct jobs *base_jobs, uint32_t assoc, struct err *err)
{
	return run_new(w, base, base_jobs, (struct asked){ base_jobs ? ROW_NONE : assoc, false },
		       err);
}

void whatif_run_free(struct whatif_run *r)
{
	if (!r)
		return;
	jobs_free(r->jobs);
	if (r->model && r->shares_model) {
		if (r->own_fs)
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
