/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record: a cluster into a file, unattended. */
#include "adapters/registry/apart.h"
#include "adapters/store/store.h"
#include "tui/base/output.h"
#include "cli/verbs.h"

#define EVERY_MS 30000

int verb_record(const struct options *o)
{
	struct record_options options = {
		.path = o->output, .every_ms = o->every_ms > 0 ? o->every_ms : EVERY_MS,
		.keep = o->keep, .anonymize = o->anonymize, .count = o->count, .say = remark,
	};
	struct err err = { .code = ERR_NONE };
	struct source *source;
	int status;

	if (!o->output) {
		err_set(&err, ERR_INPUT, "record: FILE is missing (expected fairtop record SOURCE "
			"-o FILE)");
		return complain(&err);
	}
	source = source_open_apart(o->source, &err);
	if (!source)
		return complain_about(o->source, &err);
	status = record_run(source, &options, &err);
	if (err.code != ERR_NONE)
		(void)complain_about(o->output, &err);
	return status;
}
