/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limit that a job waits for (job_limits.h). */
#include "tui/panes/detail.h"

#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/queue/job_limits.h"

#define NOT_SEEN \
	"no limit that can be seen from here is reached; it may have been so at the " \
	"scheduler's last look"

static void put_holders(struct doc *d, const struct cluster *c, const struct job_limit *limit)
{
	char text[400] = "in use by ";

	for (uint32_t i = 0; i < limit->holder_count; i++) {
		const char *name = cluster_string(c, limit->holders[i].user);

		format_append(text, sizeof text, "%s%.64s %.15g", i > 0 ? ", " : "",
			      name != NULL ? name : "-", limit->holders[i].has);
	}
	if (limit->holder_count > 0)
		pane_pair(d, "", ROLE_HINT, text);
}

static void put_limit(struct doc *d, const struct cluster *c, const struct job_limit *limit,
		      bool first)
{
	const char *unit = limit->minutes ? " minutes" : "";
	char text[1500];

	snprintf(text, sizeof text, "%s of %s: ", limit->name, limit->whose);
	if (limit->each)
		format_append(text, sizeof text, "%.15g%s", limit->most, unit);
	else
		format_append(text, sizeof text, "%.15g of %.15g%s in use", limit->used,
			      limit->most, unit);
	if (limit->each || f64_known(limit->asks))
		format_append(text, sizeof text, ", it asks for %.15g", limit->asks);
	pane_pair(d, first ? "limit" : "", ROLE_WARN, text);
	put_holders(d, c, limit);
}

/* Nothing that is told is reached: what runs, and what is not told. */
static void put_untold(struct doc *d, const struct job_limit_qos *qos)
{
	char text[1400];

	if (!f64_known(qos->jobs))
		snprintf(text, sizeof text, "%s: jobs of others are hidden", qos->whose);
	else
		snprintf(text, sizeof text, "%s: %.15g jobs run, %.15g of them its user's",
			 qos->whose, qos->jobs, qos->of_user);
	pane_pair(d, "", ROLE_HINT, text);
	if (qos->untold[0] == '\0')
		return;
	snprintf(text, sizeof text, "the source does not tell its %s", qos->untold);
	pane_pair(d, "", ROLE_HINT, text);
}

void limits_doc(struct doc *d, const struct jobs *j, uint32_t row, const char *reason)
{
	enum job_limits_of of = job_limits_of(reason);
	struct job_limits l;

	if (of == JOB_LIMITS_NONE)
		return;
	job_limits_find(&l, j, row, reason);
	for (size_t i = 0; i < l.count; i++)
		put_limit(d, j->model->cluster, &l.reached[i], i == 0);
	if (l.count == 0)
		pane_pair(d, "limit", ROLE_HINT, of == JOB_LIMITS_QOS && l.qos_count == 0 ?
			  "the source tells nothing of its QOS" : NOT_SEEN);
	for (uint32_t k = 0; l.count == 0 && k < l.qos_count; k++)
		put_untold(d, &l.qos[k]);
	job_limits_free(&l);
}
