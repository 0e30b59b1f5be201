/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * billing: billable TRES of a job. Source: assoc_mgr/job_mgr; spec of fair share, 8.
 */
#ifndef FAIRTOP_CORE_BILLING_H
#define FAIRTOP_CORE_BILLING_H

#include <stdint.h>

#include "core/tres.h"

enum billing_mode { BILLING_SUM, BILLING_MAX_TRES, BILLING_MAX_TRES_GRES };

/* The mode PriorityFlags (enum policy_flag) ask for. */
enum billing_mode billing_mode_of(uint32_t flags);

/*
 * COUNTS: N entries of allocated TRES (memory in MiB). WEIGHTS: M entries of the partition, as tres_parse_weights() gives
 * them; with WEIGHTS == NULL billable is the number of CPUs. "billing" itself is left out.
 */
double billing_of(const struct tres_pair *counts, uint32_t n, const struct tres_pair *weights, uint32_t m,
		  enum billing_mode mode);

#endif
