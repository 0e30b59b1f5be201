/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/seek_start.h"

#include "core/base/mem.h"
#include "core/sim/starts.h"

/* The first answer of starts.h for C in the order of POINTS; free it with starts_free(). */
static struct starts first_answer(const struct cluster *c, const int64_t *points)
{
	const struct starts_options o = { .points = points };
	struct starting *from = starts_begin(c, &o, NULL);
	struct starts s = { .count = 0 };

	if (from) {
		(void)starts_step(from);
		starts_so_far(from, &s);
	}
	starts_end(from);
	return s;
}

double seek_start_until(const struct jobs *base, const struct jobs *edited, uint32_t entry)
{
	const struct cluster *c = edited->model->cluster;
	int64_t *points = starts_points(base, edited, NULL);
	struct starts s = first_answer(c, points);
	const struct starts_row *first = starts_row_of(&s, edited->index->job[entry]);
	double seconds = !first || first->start == I64_UNKNOWN ? F64_UNKNOWN :
			 (double)(first->start - cluster_meta(c)->time);

	starts_free(&s);
	mem_free(points);
	return seconds;
}

bool seek_start_reach(const struct cluster *c, const char *what, int64_t start, double *reach,
		      struct err *err)
{
	const struct cluster_meta *meta = cluster_meta(c);

	if (policy_scheduler_of(meta->kind) != POLICY_OF_SLURM)
		return err_set(err, ERR_INPUT, "%s: starts of jobs are not simulated for %s "
			       "(expected Slurm)", what, meta->kind);
	if (meta->time == I64_UNKNOWN)
		return err_set(err, ERR_SOURCE, "%s: the source does not report its time", what);
	if (start < meta->time)
		return err_set(err, ERR_INPUT, "%s: is in the past (expected a future time)", what);
	*reach = (double)(start - meta->time);
	return true;
}

bool seek_start_is_rough(const struct jobs *jobs)
{
	struct starts s = first_answer(jobs->model->cluster, NULL);
	bool rough = s.rough;

	starts_free(&s);
	return rough;
}
