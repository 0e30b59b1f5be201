/* SPDX-License-Identifier: GPL-2.0-or-later */
/* accounts: the association tree as rows. */
#include "core/base/mem.h"
#include "cli/session.h"
#include "cli/verbs.h"

static int accounts_answer(struct session *s, const struct selection *selection)
{
	struct view view;
	int status = session_model(s);

	if (status != 0)
		return status;
	session_compare(s, NULL, NULL);
	view = accounts_view(s->model);
	return session_answer(s, &view, selection, NULL, 0);
}

int verb_accounts(const struct options *o)
{
	struct view shape = { .name = "accounts", .columns = accounts_columns,
			      .column_count = accounts_columns_count };
	struct session *s = mem_zalloc(1, sizeof(*s));
	struct selection selection;
	int status = selection_parse(&selection, o, &shape);

	if (status == 0)
		status = session_open(s, o, selection.needs | NEED_SHARES | NEED_POLICY);
	if (status == 0) {
		session_tell_policy(s);
		status = accounts_answer(s, &selection);
	}
	session_close(s);
	selection_free(&selection);
	mem_free(s);
	return status;
}
