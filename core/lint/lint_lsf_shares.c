/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is wrong with the user fair share of LSF's queues. */
#include <stdlib.h>
#include <string.h>

#include "core/lint/lint_pools.h"
#include "core/share/lsf_share.h"

#define SLIPS "volclava 2.2, mbd.fairshare.c and its reader of lsb.queues"

/* The line number of a parameter of lsb.queues: LINE:NAME=value. */
static uint32_t line_of(const struct cluster *c, uint32_t queue, const char *name)
{
	struct text_list list = cluster_list(c, F_QUEUE_PARAMETERS, queue);

	for (uint32_t i = list.count; i > 0; i--) {
		const char *text = cluster_string(c, list.texts[i - 1]);

		if (lsf_param_value(text, name))
			return (uint32_t)strtoul(text, NULL, 10);
	}
	return 0;
}

static struct lint_item *lint_lsf_shares_warn(const struct cluster *c, struct lint *l,
					      uint32_t queue, const char *code, const char *name)
{
	struct lint_item *item = lint_add(l, LINT_WARNING, code, SLIPS, "queue:%.100s",
					  cluster_text(c, F_QUEUE_NAME, queue));

	lint_place(item, cluster_text(c, F_QUEUE_FILE, queue), line_of(c, queue, name));
	return item;
}

void lint_lsf_shares(const struct cluster *c, struct lint *l)
{
	if (!lsf_is_volclava(c))
		return;
	for (uint32_t q = 0; q < cluster_rows(c, TABLE_QUEUE); q++) {
		const char *job = lsf_queue_param(c, q, "RUN_JOB_FACTOR");
		const char *run = lsf_queue_param(c, q, "RUN_TIME_FACTOR");
		const char *hours = lsf_queue_param(c, q, "HIST_HOURS");
		struct lint_item *item;

		if (job && (!run || strcmp(job, run) != 0)) {
			item = lint_lsf_shares_warn(c, l, q, "W10", "RUN_JOB_FACTOR");
			lint_message(item, "this source multiplies slots by the queue's "
				     "RUN_TIME_FACTOR (%.30s) instead", run ? run : "-1: not set");
			lint_suggest(item, "set RUN_JOB_FACTOR in lsb.params");
		}
		if (hours && hours[strspn(hours, "0123456789")] != '\0') {
			item = lint_lsf_shares_warn(c, l, q, "W11", "HIST_HOURS");
			lint_message(item, "this source expects a whole number for HIST_HOURS of a "
				     "queue: %.30s is ignored", hours);
			lint_suggest(item, "set it in lsb.params, which allows fractions");
		}
	}
}
