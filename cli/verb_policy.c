/* SPDX-License-Identifier: GPL-2.0-or-later */
/* policy: the parameters of the multifactor plugin, read or assumed. */
#include "adapters/clock.h"
#include "core/share/decay_policy.h"
#include "cli/session.h"
#include "cli/verbs.h"
#include "tui/base/zone.h"

static int64_t policy_next_reset(const struct cluster *c)
{
	int64_t now = cluster_meta(c)->time;

	return decay_next_reset(c, &zone_local, now == I64_UNKNOWN ? clock_time() : now);
}

int policy_answer(struct session *s, struct selection *selection)
{
	struct policy_view context = {
		.policy = cluster_policy(s->base ? s->base : s->cluster),
		.what_if = s->base ? cluster_policy(s->cluster) : NULL,
		.meta = cluster_meta(s->cluster),
		.queues = policy_scheduler_of(cluster_meta(s->cluster)->kind) == POLICY_OF_LSF
				  ? s->cluster : NULL,
		.queues_what_if = s->base ? s->cluster : NULL,
		.for_people = s->options->format == REPORT_TABLE,
		.calendar = &zone_local,
		.zone_is_ours = !cluster_meta(s->cluster)->zone[0],
	};
	struct view view = policy_view(&context);
	int status;

	/* Resets happen at the cluster's midnight, not the local one. */
	zone_enter(cluster_meta(s->cluster)->zone);
	context.next_reset = policy_next_reset(s->base ? s->base : s->cluster);
	context.what_if_reset = policy_next_reset(s->cluster);
	session_tell_policy(s);
	status = session_answer(s, &view, selection, NULL, 0);
	zone_leave();
	return status;
}
