/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LSF's part of forecasting; for forecast.c only. */
#ifndef FAIRTOP_CORE_QUEUE_FORECAST_PRIVATE_H
#define FAIRTOP_CORE_QUEUE_FORECAST_PRIVATE_H

#include "core/queue/forecast.h"

/* Seconds of run time per second of the jobs below each account. The caller frees it. */
double *forecast_lsf_rates(const struct model *m, const struct forecast_question *q);

/* Computes CPU_TIME and RUN_TIME of every account but the root, SECONDS later. */
void forecast_lsf_use(const struct cluster *c, const double *rate, int64_t seconds, double *cpu,
		      double *run);

/* How far ahead to search for an account; I64_UNKNOWN if HIST_HOURS is unknown. */
int64_t forecast_lsf_horizon(const struct model *m, uint32_t assoc);

#endif
