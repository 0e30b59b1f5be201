/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accounts: the association tree as rows. */
#include "cli/session.h"
#include "cli/verbs.h"

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
	view = accounts_view(s->model);
	return session_answer(s, &view, selection, NULL, 0);
}
