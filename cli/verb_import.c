/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import: a scheduler's logs into a recording, as if it had been recorded all the time. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/registry/apart.h"
#include "adapters/import/import.h"
#include "adapters/store/store.h"
#include "core/base/format.h"
#include "core/share/decay.h"
#include "core/base/mem.h"
#include "core/base/timestr.h"
#include "tui/base/complain.h"
#include "tui/base/zone.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/verbs.h"

#define HALF_LIFE (7 * 86400)
#define PERIOD 300
#define SAMPLES 1000			/* about the most samples, unless --every is given */

struct import_work {
	const struct options *options;
	struct import import;
	struct spill *spill;		/* directory for its jobs */
	struct replay_options replay;
	int64_t *passes;
	struct store_writer *writer;
	/* Has another name until complete, so that an interrupted import leaves nothing. */
	struct apart_output part;
	char *part_name;
	int64_t first, last;		/* of the replayed time */
	uint64_t samples;
	struct progress progress;
};

/* ---- progress ------------------------------------------------------------------------------ */

static void import_show_reading(void *context, const struct import *im, uint64_t done,
				uint64_t total)
{
	struct import_work *w = context;

	progress_show(&w->progress, "reading", total ? (double)done / (double)total : 0, im->line,
		      "lines");
}

/* ---- options ------------------------------------------------------------------------------- */

/* OUTPUT must be new: an existing recording would be continued. */
static bool check_output(const struct options *o, struct err *err)
{
	struct stat st;

	if (!o->output)
		return err_set(err, ERR_INPUT, "import: FILE is missing (expected fairtop import "
			       "KIND INPUT... -o FILE)");
	if (stat(o->output, &st) == 0)
		return err_about(err, ERR_INPUT, o->output,
				 "already exists (expected a new file)");
	return true;
}

static bool find_kind(struct import_work *w, struct err *err)
{
	const struct import_kind *kind = import_kind_by_name(w->options->source);
	char all[200] = "";

	if (kind) {
		import_init(&w->import, kind);
		w->spill = spill_new(w->options->output);
		import_use_spill(&w->import, w->spill);
		return true;
	}
	for (size_t i = 0; import_kinds[i]; i++)
		format_append(all, sizeof(all), "%s%s", i ? ", " : "", import_kinds[i]->name);
	return err_set(err, ERR_INPUT, "%s: not a kind of log (expected one of %s)",
		       w->options->source, all);
}

/* Reads the files that come with the logs. */
static bool read_beside(struct import_work *w, struct err *err)
{
	const struct options *o = w->options;
	struct replay_options *r = &w->replay;

	w->import.columns = o->columns;
	w->import.delimiter = o->delimiter;
	if (o->delimiter && !o->delimiter[0])
		return err_set(err, ERR_INPUT, "--delimiter \"\": empty (expected the separator of "
			       "the columns, as in sacct --delimiter)");
	if (o->tree && w->import.kind != &import_lsf && !import_tree(&w->import, o->tree, err))
		return false;
	if (o->qos && !import_qos(&w->import, o->qos, err))
		return false;
	if (o->partitions && !import_partitions(&w->import, o->partitions, err))
		return false;
	if (o->passes && !import_passes(o->passes, &w->passes, &r->pass_count, err))
		return false;
	r->passes = w->passes;
	r->half_life = o->half_life >= 0 ? o->half_life : HALF_LIFE;
	r->period = o->period > 0 ? o->period : PERIOD;
	r->reset_period = o->reset_period;
	r->calendar = &zone_local;
	return true;
}

/* ---- work ---------------------------------------------------------------------------------- */

static bool read_inputs(struct import_work *w, struct err *err)
{
	const struct options *o = w->options;

	for (size_t i = 0; i < o->object_count; i++) {
		if (!import_read(&w->import, o->objects[i], err))
			return false;
	}
	return true;
}

static bool import_write_sample(void *context, struct cluster *c, struct err *err)
{
	struct import_work *w = context;
	int64_t time = cluster_meta(c)->time;
	double whole = (double)(w->last - w->first);

	w->samples++;
	progress_show(&w->progress, "writing", whole > 0 ? (double)(time - w->first) / whole : 0,
		      w->samples, "samples");
	return store_write(w->writer, c, time, err);
}

/*
 * The relative error of usage if the times of the passes are unknown. By the decay formula, a
 * second of run time is decayed by its age plus up to two periods, depending on the passes; so the
 * actual and the assumed passes differ by at most the decay of two periods.
 */
static double passes_bound(const struct replay_options *r)
{
	return r->half_life > 0 ? 1 - decay_over(r->half_life, 2 * r->period) : 0;
}

static void say_note(struct note *note, char *buf, size_t size, const struct import_work *w)
{
	char half_life[32], period[32], passes[120];

	timestr_format(w->replay.half_life, half_life, sizeof(half_life));
	timestr_format(w->replay.period, period, sizeof(period));
	snprintf(passes, sizeof(passes), "assumed every %s, within %.2g %% of the scheduler's",
		 period, 100 * passes_bound(&w->replay));
	note->subject = "usage";
	note->text = buf;
	snprintf(buf, size, "rebuilt from the %s log by Slurm's formula, half-life %s; passes %s%s",
		 w->import.kind->name, half_life, w->passes ? "at the times given" : passes,
		 w->options->tree ? "" : "; one share for each account and user");
}

/* Seconds between samples: limits their number, unless --every is given. */
static int64_t import_step_of(const struct import_work *w)
{
	int64_t period = w->replay.period, steps = (w->last - w->first) / period + 1;

	if (w->options->every_ms)
		return w->options->every_ms / 1000;
	return steps > SAMPLES ? (steps + SAMPLES - 1) / SAMPLES * period : 0;
}

/* The first sample is at the first event, the last at the last. */
static bool replay_lsf(struct import_work *w, struct err *err)
{
	struct replay_options *r = &w->replay;

	if (!replay_range(w->import.replay, r, &w->first, &w->last))
		return err_set(err, ERR_INPUT, "no job has a time");
	r->every = import_step_of(w);
	w->progress = progress_begin();
	return import_lsf_run(&w->import, w->options->tree, r, w->first, w->last,
			      import_write_sample, w, err);
}

static bool replay_into(struct import_work *w, struct err *err)
{
	struct replay_options *r = &w->replay;
	struct import *im = &w->import;
	struct note notes[2] = { [1] = { .subject = "priority", .text = "of jobs: their nice "
					 "value, which no log has, is taken as 0" } };
	char text[300];
	bool good;

	if (im->kind == &import_lsf && w->options->tree)
		return replay_lsf(w, err);
	say_note(&notes[0], text, sizeof(text), w);
	r->notes = notes;
	r->note_count = 2;
	r->kind = im->kind->name;
	r->name = im->name;
	r->version = im->version;
	r->zone = im->zone;
	r->procs = im->procs;
	if (!replay_range(im->replay, r, &w->first, &w->last))
		return err_set(err, ERR_INPUT, "no job has a time");
	r->every = import_step_of(w);
	w->progress = progress_begin();
	zone_enter(im->zone);
	good = replay_run(im->replay, r, import_write_sample, w, err);
	zone_leave();
	return good;
}

static bool import_write_all(struct import_work *w, const char *path, struct err *err)
{
	bool good;

	w->writer = store_writer_hurry(path, err);
	good = w->writer && store_set(w->writer, "import", w->import.kind->name, err) &&
		(!w->import.header_length ||
		 store_set(w->writer, "header", w->import.header, err)) &&
		replay_into(w, err) && store_writer_finish(w->writer, err);
	store_writer_close(w->writer);
	return good;
}

/* Renames the complete file; never over one that has appeared meanwhile. */
static bool import_publish(void *context, unsigned which, const struct bytes *text, struct err *err)
{
	const struct import_work *w = context;
	const char *path = w->options->output;
	struct stat st;

	(void)which;
	(void)text;
	if (link(w->part_name, path) == 0)
		return true;
	if (errno != EEXIST && stat(path, &st) != 0 && rename(w->part_name, path) == 0)
		return true;
	return err_set(err, ERR_INPUT, "%s", strerror(errno));
}

/* Creates the file first: a sandboxed process cannot. */
static bool begin_part(struct import_work *w, struct err *err)
{
	const char *path = w->options->output;

	w->part_name = mem_format("%s.import-%ld", path, (long)getpid());
	unlink(w->part_name);
	w->part = (struct apart_output){
		.keep = import_publish, .context = w, .part = w->part_name,
		.part_fd = open(w->part_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644),
	};
	return w->part.part_fd >= 0 || err_about(err, ERR_INPUT, path, "%s", strerror(errno));
}

static bool import_record(struct import_work *w, struct err *err)
{
	const struct bytes nothing = { .data = NULL };
	bool good = import_write_all(w, w->part_name, err) &&
		    apart_keep(&w->part, 0, &nothing, err);

	progress_clear();
	return good || err_at(err, w->options->output, 0);
}

/* ---- summary ------------------------------------------------------------------------------- */

static void print_tallies(struct output *out, const struct import *im, bool skipped)
{
	bool title = !skipped;

	for (size_t i = 0; i < im->tallies; i++) {
		const struct import_tally *t = &im->tally[i];

		if (t->skipped != skipped)
			continue;
		if (title)
			output_text(out, "remarks\n");
		title = false;
		output_text(out, "  %10llu  %s (first in line %llu)\n",
				    (unsigned long long)t->count, t->what,
				    (unsigned long long)t->first_line);
	}
}

static bool print_summary(const struct import_work *w, struct err *err)
{
	struct output *out = mem_zalloc(1, sizeof(*out));
	const struct import *im = &w->import;
	bool good;

	output_init(out);
	output_text(out, "lines     %llu\nused      %llu\nskipped   %llu\n",
		    (unsigned long long)im->lines, (unsigned long long)im->used,
		    (unsigned long long)im->skipped);
	print_tallies(out, im, true);
	print_tallies(out, im, false);
	output_text(out, "jobs      %lu\nassociations %lu", (unsigned long)replay_jobs(im->replay),
		    (unsigned long)replay_assocs(im->replay));
	if (w->options->tree && im->kind != &import_lsf && replay_added(im->replay) > 0)
		output_text(out, ", %lu of them not in the tree",
			    (unsigned long)replay_added(im->replay));
	output_text(out, "\nsamples   %llu in %s\n", (unsigned long long)w->samples,
		    w->options->output);
	good = output_finish(out, err);
	mem_free(out);
	return good;
}

int verb_import(const struct options *o)
{
	struct replay_options defaults = REPLAY_OPTIONS_INIT;
	struct import_work *w = mem_zalloc(1, sizeof(*w));
	struct err err = { .code = ERR_NONE };
	int status = 0;

	w->options = o;
	w->replay = defaults;
	w->progress = progress_begin();
	w->import.progress = NULL;
	if (!check_output(o, &err) || !find_kind(w, &err) || !begin_part(w, &err)) {
		status = complain(&err);
		import_free(&w->import);
		MEM_FREE(w->part_name, w);
		return status;
	}
	w->import.progress = import_show_reading;
	w->import.context = w;
	apart_shut_in(NULL, NULL, &w->part);
	if (!read_beside(w, &err) || !read_inputs(w, &err) || !import_record(w, &err) ||
	    !print_summary(w, &err)) {
		progress_clear();
		status = complain(&err);
	}
	unlink(w->part_name);		/* fails if sandboxed; then the parent does it */
	import_free(&w->import);
	spill_close(w->spill);
	MEM_FREE(w->part_name, w->passes, w);
	return status;
}
