/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who comes next is the engine's business: the demo asks it as any view does.
 */
#include "adapters/demo/state.h"

#include "core/fairshare.h"
#include "core/mem.h"
#include "core/priority.h"
#include "core/queue_order.h"

void queue_rate(struct demo *d)
{
	const struct fs_algo *algo = fs_algos[FS_DEPTH_OBLIVIOUS];
	struct fs_result *result;
	struct fs_input in;
	struct fs_tree *tree;
	struct cluster *c;

	if (d->job_count == 0)
		return;
	c = picture_tree(d);
	tree = fs_tree_new(c, FS_ORDER_LIST);
	in = (struct fs_input){ c, tree, FS_BASE_USAGE, 1.0 };
	result = fs_result_new(algo, tree);
	fs_compute(algo, &in, result);
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++)
		if (cluster_is_user(c, i))
			d->assocs[assoc_of_id(d, cluster_u32(c, F_ASSOC_ID, i))].fairshare =
				result->fairshare[i];
	fs_result_free(result);
	fs_tree_free(tree);
	cluster_free(c);
}

/* F per row of C, as the last pass left it. */
static double *fairshare_of(const struct demo *d, const struct cluster *c)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	double *fairshare = mem_alloc(n, sizeof(*fairshare));

	for (uint32_t i = 0; i < n; i++)
		fairshare[i] = cluster_is_user(c, i) ?
			d->assocs[assoc_of_id(d, cluster_u32(c, F_ASSOC_ID, i))].fairshare :
			F64_UNKNOWN;
	return fairshare;
}

uint32_t queue_sort(struct demo *d, uint32_t **order)
{
	struct cluster *c = picture_queue(d);
	struct job_index *index = job_index_new(c);
	double *fairshare = fairshare_of(d, c);
	struct prio_input in = { index, cluster_policy(c), fairshare, d->last_pass };
	struct prio_result *prio = prio_run(&in);
	struct preempt *preempt = preempt_new(c, cluster_policy(c));
	struct queue_order *queue = queue_order_new(index, cluster_policy(c), preempt,
						    prio->priority);
	uint32_t count = queue->count;

	for (uint32_t e = 0; e < index->n; e++)
		if (index->kind[e] != JOB_RUNNING)
			d->jobs[index->job[e]].priority = prio->priority[e];
	*order = mem_alloc(count, sizeof(**order));
	for (uint32_t i = 0; i < count; i++)
		(*order)[i] = index->job[queue->order[i]];
	queue_order_free(queue);
	preempt_free(preempt);
	prio_result_free(prio);
	mem_free(fairshare);
	job_index_free(index);
	cluster_free(c);
	return count;
}
