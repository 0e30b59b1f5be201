/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verify: recompute what the scheduler reports, and say whether it is the same. */
#include "core/verify/verify.h"
#include "cli/session.h"
#include "cli/verbs.h"

int verify_answer(struct session *s, struct selection *selection)
{
	struct verify *v = verify_run(s->cluster, &s->options->model);
	struct verify_view context = { v, s->cluster };
	struct view view = verify_view(&context);
	struct report_extra extras[] = {
		{ "verdict", verify_word(v->exit_code) },
		{ "reason", v->reason[0] ? v->reason : NULL },
	};
	int status = 0;

	/* Titles without a row would be all that people see: the reason says more. */
	if (v->count > 0 || s->options->format != REPORT_TABLE)
		status = session_answer(s, &view, selection, extras, 2);
	if (status == 0) {
		status = v->exit_code;
		if (v->reason[0])
			remark(s->source->name, v->reason);
	}
	verify_free(v);
	return status;
}
