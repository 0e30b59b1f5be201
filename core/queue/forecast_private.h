/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What forecasting asks of LSF's law; for forecast.c only. */
#ifndef FAIRTOP_CORE_QUEUE_FORECAST_PRIVATE_H
#define FAIRTOP_CORE_QUEUE_FORECAST_PRIVATE_H

#include "core/queue/forecast.h"

/* Jobs that run below each account: seconds of run time a second. The caller's to free. */
double *forecast_lsf_rates(const struct model *m, const struct forecast_question *q);

/* CPU_TIME and RUN_TIME of every account but the root, SECONDS later. */
void forecast_lsf_use(const struct cluster *c, const double *rate, int64_t seconds, double *cpu,
		      double *run);

/* How far to look for an account; I64_UNKNOWN where HIST_HOURS is. */
int64_t forecast_lsf_horizon(const struct model *m, uint32_t assoc);

#endif
