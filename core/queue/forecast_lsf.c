/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Future usage of share accounts: CPU time decays to a tenth in HIST_HOURS (of the queue, else of
 * lsb.params; 0: never), and running jobs add to the run time. Future CPU time is not foreseen.
 * volclava decays in steps of 900 s, here counted from now, since mbatchd does not report when it
 * started; the first step after its use only turns CPU time into history. So results may be off by
 * one step, which forecast.c notes. Source: "HIST_HOURS" of the reference of lsb.params; volclava
 * 2.2, mbd.main.c.
 */
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/cluster/assoc_index.h"
#include "core/queue/forecast_private.h"
#include "core/share/lsf_share.h"

#define HOUR 3600.0
#define STEP 900		/* seconds */
#define TENTHS 10		/* multiples of HIST_HOURS to look ahead */
#define DAY INT64_C(86400)

double *forecast_lsf_rates(const struct model *m, const struct forecast_question *q)
{
	const struct cluster *c = m->cluster;
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	uint32_t end = q->assoc + cluster_span(c)[q->assoc];
	struct assoc_index index = assoc_index_new(c);
	double *rate = mem_zalloc(n, sizeof(*rate));

	for (uint32_t j = 0; j < cluster_rows(c, TABLE_JOB); j++) {
		const char *state = cluster_text(c, F_JOB_STATE, j);
		uint32_t row = assoc_of_job(&index, j);
		bool own = row != ROW_NONE && row >= q->assoc && row < end;

		if (!state || strcmp(state, "RUNNING") != 0 || (own && q->burn != FORECAST_NOW))
			continue;
		for (; row != ROW_NONE; row = cluster_parent(c)[row])
			rate[row]++;
	}
	assoc_index_free(&index);
	return rate;
}

void forecast_lsf_use(const struct cluster *c, const double *rate, int64_t seconds, double *cpu,
		      double *run)
{
	int64_t decay = lsf_is_volclava(c) ? seconds / STEP * STEP : seconds;
	double hours = 0;

	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i++) {
		if (cluster_parent(c)[i] == 0)
			hours = lsf_hist_hours(c, cluster_policy(c), lsf_queue_of(c, i));
		cpu[i] = cluster_f64(c, F_ASSOC_CPU_TIME, i);
		if (!(hours <= 0))
			cpu[i] *= pow(0.1, (double)decay / HOUR / hours);
		run[i] = cluster_f64(c, F_ASSOC_RUN_TIME, i) + rate[i] * (double)seconds;
	}
}

int64_t forecast_lsf_horizon(const struct model *m, uint32_t assoc)
{
	double hours = lsf_hist_hours(m->cluster, cluster_policy(m->cluster),
				      lsf_queue_of(m->cluster, assoc));

	if (!f64_known(hours))
		return I64_UNKNOWN;
	return hours > 0 && hours < 1e5 ? (int64_t)(hours * HOUR * TENTHS) : 28 * DAY;
}
