/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot: the whole cluster as text, for later and for others. */
#include "adapters/snapshot/snapshot.h"
#include "cli/session.h"
#include "cli/verbs.h"

int snapshot_answer(struct session *s, struct selection *selection)
{
	struct err err = { .code = ERR_NONE };

	(void)selection;
	return snapshot_write(s->cluster, output_sink(&s->output), &err) &&
	       output_finish(&s->output, &err) ? 0 : complain(&err);
}
