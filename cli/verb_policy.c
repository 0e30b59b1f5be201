/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy: the parameters of the multifactor plugin, what was read and what was assumed. */
#include <time.h>

#include "cli/session.h"
#include "cli/verbs.h"
#include "tui/base/zone.h"

static int64_t policy_next_reset(const struct cluster *c)
{
	const struct cluster_meta *meta = cluster_meta(c);
	int64_t now = meta->time == I64_UNKNOWN ? (int64_t)time(NULL) : meta->time;
	int64_t last = meta->last_reset, next = I64_UNKNOWN;

	/* Without a record the scheduler counts from its start; without that any day will do. */
	if (last == I64_UNKNOWN)
		last = meta->boot;
	if (last == I64_UNKNOWN)
		last = now;
	if (!reset_next(cluster_policy(c)->reset_period, last, now, &zone_local, &next, NULL))
		return I64_UNKNOWN;
	return next;
}

int policy_answer(struct session *s, struct selection *selection)
{
	struct policy_view context = {
		.policy = cluster_policy(s->base ? s->base : s->cluster),
		.what_if = s->base ? cluster_policy(s->cluster) : NULL,
		.meta = cluster_meta(s->cluster),
		.queues = policy_scheduler_of(cluster_meta(s->cluster)->kind) == POLICY_OF_LSF
				  ? s->cluster : NULL,
		.for_people = s->options->format == REPORT_TABLE,
		.calendar = &zone_local,
	};
	struct view view = policy_view(&context);
	int status;

	/* Resets happen at the cluster's midnight, not ours. */
	zone_enter(cluster_meta(s->cluster)->zone);
	context.next_reset = policy_next_reset(s->cluster);
	session_tell_policy(s);
	status = session_answer(s, &view, selection, NULL, 0);
	zone_leave();
	return status;
}
