/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/past_jobs.h"

#include <stdio.h>
#include <sys/stat.h>

#include "adapters/store/store.h"
#include "core/sim/past_play.h"

/* ---- a recording --------------------------------------------------------------------------- */

bool past_jobs_recorded(const char *path)
{
	struct stat st;
	/* What is read from a pipe is lost to the next reader. */
	FILE *file = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "r") : NULL;
	char head[64];
	size_t n = file ? fread(head, 1, sizeof(head), file) : 0;

	if (file)
		fclose(file);
	return store_detect(head, n);
}

static bool past_jobs_walk(struct store_reader *r, struct gather *g, int64_t first, int64_t last,
			   struct progress *progress, struct err *err)
{
	struct store_walk *w = store_walk_new(r, NEED_JOBS | NEED_HOSTS);
	const struct cluster *c = NULL;

	for (int64_t id = first; id <= last; id++) {
		c = store_walk_to(w, id, err);
		if (!c)
			break;
		gather_add(g, c);
		progress_show(progress, "reading", (double)id / (double)last, (uint64_t)id,
			      "samples");
	}
	store_walk_free(w);
	return c != NULL;
}

static bool past_jobs_read_recording(struct past_jobs *p, const char *path,
				     struct progress *progress, struct err *err)
{
	struct store_reader *r = store_reader_open(path, err);
	struct gather *g = gather_new(p->replay);
	struct store_sample first = { 0 }, last = { 0 };
	struct cluster *begin;
	bool good = r && store_range(r, &first, &last, err);

	if (good)
		p->cluster = store_read(r, last.id, NEED_ALL, err);
	begin = p->cluster ? store_read(r, first.id, NEED_SHARES, err) : NULL;
	if (begin) {
		p->begins = first.time;
		p->held = cluster_share(p->cluster);
		p->cluster = past_begun(p->cluster, begin);
		replay_tree(p->replay, p->cluster);
		replay_qos(p->replay, p->cluster);
	}
	good = begin && past_jobs_walk(r, g, first.id, last.id, progress, err);
	p->procs = gather_procs(g);
	p->gathered = gather_tally(g);
	gather_free(g);
	cluster_free(begin);
	store_reader_close(r);
	return good || err_at(err, path, 0);
}

/* ---- a log --------------------------------------------------------------------------------- */

static void past_jobs_show_reading(void *context, const struct import *im, uint64_t done,
				   uint64_t total)
{
	progress_show(context, "reading", total ? (double)done / (double)total : 0, im->line,
		      "lines");
}

/* Detects the kind; the error message is that of SWF, tried first, and names the others. */
static bool past_jobs_read_any(struct past_jobs *p, const char *path, struct spill *spill,
			       struct progress *progress, struct err *err)
{
	struct import *im = &p->import;
	struct err other = { .code = ERR_NONE };
	bool good = false;

	for (size_t i = 0; !good && import_kinds[i]; i++) {
		import_free(im);
		import_init(im, import_kinds[i]);
		import_use_spill(im, spill);
		im->progress = past_jobs_show_reading;
		im->context = progress;
		good = import_read(im, path, i == 0 ? err : &other);
	}
	p->replay = im->replay;
	if (good)
		*err = (struct err){ .code = ERR_NONE };
	if (!good && im->lines > 0) {
		other = *err;
		err_set(err, other.code, "%.400s; nor is it sacct -P with its header line, PBS "
			"accounting or lsb.acct", other.message);
	}
	return good;
}

static bool past_jobs_read_log(struct past_jobs *p, const char *path, struct spill *spill,
			       struct progress *progress, struct err *err)
{
	struct import *im = &p->import;
	struct replay_options o = REPLAY_OPTIONS_INIT;
	int64_t from = 0, to = 0;

	if (!past_jobs_read_any(p, path, spill, progress, err))
		return false;
	p->procs = im->procs;
	o.kind = im->kind == &import_pbs ? "pbs" : im->kind->name; /* for the edits of that kind */
	o.name = im->name;
	o.version = im->version;
	o.zone = im->zone;
	replay_range(im->replay, &o, &from, &to);
	p->cluster = replay_cluster(im->replay, &o, from, err);
	return p->cluster != NULL;
}

bool past_jobs_read(struct past_jobs *p, const char *path, struct spill *spill,
		    struct progress *progress, struct err *err)
{
	*p = (struct past_jobs){ .procs = 0 };
	import_init(&p->import, &import_swf);
	import_use_spill(&p->import, spill);
	p->replay = p->import.replay;
	return past_jobs_recorded(path) ? past_jobs_read_recording(p, path, progress, err) :
				    past_jobs_read_log(p, path, spill, progress, err);
}

void past_jobs_free(struct past_jobs *p)
{
	cluster_free(p->cluster);
	cluster_free(p->held);
	import_free(&p->import);
}
