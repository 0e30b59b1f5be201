/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accounts: the association tree as rows. */
#include <string.h>

#include "cli/session.h"
#include "cli/verbs.h"

/* For a table that a filter may have emptied: reports if the user has no association at all. */
static void tell_mine(const struct session *s)
{
	const struct cluster *c = s->cluster;
	const char *me = session_me();
	uint32_t i = 0, n = cluster_rows(c, TABLE_ASSOC);

	while (i < n && (!cluster_is_user(c, i) ||
			 strcmp(cluster_text(c, F_ASSOC_USER, i), me) != 0))
		i++;
	if (i < n)
		return;
	remark("accounts", "user %.100s has no association%s", me,
	       n == 0 || cluster_is_partial(c) ? " that is visible" : "");
}

int accounts_answer(struct session *s, struct selection *selection)
{
	struct view view;
	int status;

	session_tell_policy(s);
	status = session_model(s);
	if (status != 0)
		return status;
	session_changes(s, NULL, NULL);
	if (cluster_rows(s->cluster, TABLE_ASSOC) == 0)
		remark("accounts", policy_scheduler_of(cluster_meta(s->cluster)->kind) ==
		       POLICY_OF_LSF ? "no queue is known to have a user fair share (FAIRSHARE)" :
		       "no account is known");
	if (s->options->mine)
		tell_mine(s);
	view = accounts_view(s->model);
	return session_answer(s, &view, selection, NULL, 0);
}
