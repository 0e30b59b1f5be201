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
	view = accounts_view(s->model);
	return session_answer(s, &view, selection, NULL, 0);
}
