/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kinds of logs, and reading one input of any of them. */
#include "adapters/import/import.h"

#include <string.h>

#include "core/base/mem.h"

#define PROGRESS_LINES 8192

const struct import_kind *const import_kinds[] = {
	&import_swf, &import_sacct, &import_pbs, &import_lsf, NULL
};

const struct import_kind *import_kind_by_name(const char *name)
{
	for (size_t i = 0; import_kinds[i]; i++) {
		if (strcmp(import_kinds[i]->name, name) == 0)
			return import_kinds[i];
	}
	return NULL;
}

void import_init(struct import *im, const struct import_kind *kind)
{
	memset(im, 0, sizeof(*im));
	im->kind = kind;
	im->replay = replay_new();
}

void import_use_spill(struct import *im, struct spill *spill)
{
	const struct replay_storage own = spill_storage(spill);

	replay_use_storage(im->replay, &own);
}

void import_free(struct import *im)
{
	replay_free(im->replay);
	idmap_free(&im->open);
	import_free_weights(im->weights);
	MEM_FREE(im->boots, im->pauses, im->state);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* What was found instead: the reason that most lines were skipped for. */
static bool nothing_used(const struct import *im, const struct import_tally *before, size_t known,
			 struct err *err)
{
	const struct import_tally *most = NULL;
	uint64_t count = 0;

	for (size_t i = 0; i < im->tallies; i++) {
		uint64_t n = im->tally[i].count - (i < known ? before[i].count : 0);

		if (im->tally[i].skipped && n > count) {
			most = &im->tally[i];
			count = n;
		}
	}
	if (most)
		return err_set(err, ERR_INPUT,
			       "no usable record; lines: %llu, %llu of them %s (expected %s)",
			       (unsigned long long)im->line,
			       (unsigned long long)count, most->what, im->kind->expected);
	return err_set(err, ERR_INPUT, "no record in it (expected %s)", im->kind->expected);
}

static bool import_read_all(struct import *im, struct lines *l, struct err *err)
{
	struct slice line = { "", 0 };
	uint64_t done, total;

	if (im->kind->whole && !lines_peek(l, &line, err))
		return false;
	if (im->kind->whole && im->kind->is_whole(im, line)) {
		size_t length;
		char *text = lines_rest(l, WHOLE_BYTES_MAX, &length, err);

		return text && im->kind->whole(im, text, length, err);
	}

	for (;;) {
		enum lines_next next = lines_next(l, &line, err);

		if (next == LINES_END)
			return true;
		im->line++;
		if (next == LINES_FAILED)
			return false;
		im->lines++;
		if (next == LINES_LONG)
			import_skip(im, "longer than 4 MiB");
		else if (!im->kind->line(im, line, err))
			return false;
		if (im->progress && im->line % PROGRESS_LINES == 0) {
			lines_progress(l, &done, &total);
			im->progress(im->context, im, done, total);
		}
	}
}

bool import_read_lines(struct import *im, struct lines *l, const char *path, struct err *err)
{
	struct import_tally before[IMPORT_TALLIES];
	size_t known = im->tallies;
	uint32_t jobs = replay_jobs(im->replay);
	uint64_t used = im->used;
	bool good;

	memcpy(before, im->tally, sizeof(before));
	im->line = 0;
	im->state = mem_zalloc(1, im->kind->state_size + 1);
	good = import_read_all(im, l, err);
	if (im->kind->end)
		good = im->kind->end(im, good ? err : NULL) && good;
	import_finish_billing(im);
	mem_free(im->state);
	im->state = NULL;
	if (!good)
		return err_at(err, path, im->line > 0 ? im->line : 1);
	if (replay_jobs(im->replay) > jobs || im->used > used)
		return true;
	nothing_used(im, before, known, err);
	return err_at(err, path, 0);
}

bool import_read(struct import *im, const char *path, struct err *err)
{
	struct lines *l = lines_open(path, err);
	bool good = l && import_read_lines(im, l, path, err);

	lines_close(l);
	return good;
}
