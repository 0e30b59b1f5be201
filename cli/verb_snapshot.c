/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshot: the whole cluster as text, for later and for others. */
#include "adapters/snapshot/snapshot.h"
#include "core/base/mem.h"
#include "cli/session.h"
#include "cli/verbs.h"

int verb_snapshot(const struct options *o)
{
	struct session *s = mem_zalloc(1, sizeof(*s));
	struct err err = { .code = ERR_NONE };
	int status = session_open(s, o, NEED_ALL);

	if (status == 0 && (!snapshot_write(s->cluster, output_sink(&s->output), &err) ||
			    !output_finish(&s->output, &err)))
		status = complain(&err);
	session_close(s);
	mem_free(s);
	return status;
}
