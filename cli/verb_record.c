/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record: a cluster into a file, unattended. thin: less of it. */
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

int verb_thin(const struct options *o)
{
	struct err err = { .code = ERR_NONE };
	struct store_writer *w = NULL;
	struct store_reader *r;
	bool ok;

	if (o->keep.count == 0) {
		err_set(&err, ERR_INPUT, "thin: --keep is missing (expected for example --keep "
			"7d,90d:1h,3y:1d)");
		return complain(&err);
	}
	/* What is none must not become a recording. */
	r = store_reader_open(o->source, &err);
	if (r)
		w = store_writer_open(o->source, &err);
	store_reader_close(r);
	ok = w && store_thin(w, &o->keep, INT64_MAX, &err) && store_shrink(w, &err);
	store_writer_close(w);
	return ok ? 0 : complain_about(o->source, &err);
}
