/* SPDX-License-Identifier: GPL-2.0-or-later */
/* record: a cluster into a file, unattended. thin: remove samples from it. */
#include "adapters/postgres/postgres.h"
#include "adapters/registry/apart.h"
#include "adapters/store/store.h"
#include "cli/progress.h"
#include "cli/verbs.h"
#include "tui/base/complain.h"

#define EVERY_MS 30000

static void verb_record_heard(uint64_t samples)
{
	progress_heard("sample %llu", (unsigned long long)samples);
}

static int record_into(const struct options *o, const char *path)
{
	const struct record_options options = {
		.path = path, .every_ms = o->every_ms > 0 ? o->every_ms : EVERY_MS,
		.keep = o->keep, .anonymize = o->anonymize, .count = o->count,
		.say = progress_remark, .heard = verb_record_heard,
	};
	struct err err = { .code = ERR_NONE };
	struct source *source = source_open_apart(o->source, &err);
	int status;

	if (!source)
		return complain_about(o->source, &err);
	progress_waits("recording", o->source, source->steps ? 0 : options.every_ms, o->output);
	status = record_run(source, &options, &err);
	progress_clear();
	if (err.code != ERR_NONE)
		(void)complain_about(path, &err);
	return status;
}

/* The source is read in a separate process. */
static int record_and_send(const struct options *o)
{
	struct err err = { .code = ERR_NONE };
	char path[POSTGRES_PATH];
	struct shipper *s = NULL;
	int status;

	if (shipper_path(o->output, o->spool, path, &err))
		s = shipper_start(o->output, path, progress_remark, &err);
	if (!s)
		return complain(&err);
	status = record_into(o, path);
	shipper_finish(s);
	return status;
}

int verb_record(const struct options *o)
{
	struct err err = { .code = ERR_NONE };

	if (!o->output)
		err_set(&err, ERR_INPUT, "record: FILE is missing (expected fairtop record SOURCE "
			"-o FILE)");
	else if (o->spool && !postgres_is_url(o->output))
		err_set(&err, ERR_INPUT, "--spool: only with -o postgresql://HOST/DATABASE?cluster="
			"NAME (a recording needs no other file)");
	if (err.code != ERR_NONE)
		return complain(&err);
	return postgres_is_url(o->output) ? record_and_send(o) :
	       record_into(o, o->output);
}

int verb_thin(const struct options *o)
{
	struct err err = { .code = ERR_NONE };
	struct store_writer *w = NULL;
	struct store_reader *r;
	bool ok;

	if (postgres_is_url(o->source)) {
		err_set(&err, ERR_INPUT, "thin: a recording in PostgreSQL is thinned like its "
			"recorder's spool (expected record --keep, or the spool's FILE)");
		return complain(&err);
	}
	if (o->keep.count == 0) {
		err_set(&err, ERR_INPUT, "thin: --keep is missing (expected for example --keep "
			"7d,90d:1h,3y:1d)");
		return complain(&err);
	}
	/* A file that is no recording must not become one. */
	r = store_reader_open(o->source, &err);
	if (r)
		w = store_writer_open(o->source, &err);
	store_reader_close(r);
	ok = w && store_thin(w, &o->keep, INT64_MAX, &err) && store_shrink(w, &err);
	store_writer_close(w);
	return ok ? 0 : complain_about(o->source, &err);
}
