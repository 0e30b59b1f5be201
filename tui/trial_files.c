/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of edits as files, and the commands of an export. Nothing is run, and no file is replaced
 * but a set that fairtop wrote itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/bytes.h"
#include "core/export.h"
#include "core/mem.h"
#include "core/plural.h"
#include "tui/app_private.h"
#include "tui/edits_load.h"

#define FIRST_LINE "# A what-if of fairtop, see fairtop-whatif(5).\n"

/* ---- writing --------------------------------------------------------------------------------- */

static bool is_ours(const char *path)
{
	char first[sizeof FIRST_LINE] = "";
	struct stat st;
	FILE *file;
	bool ours;

	if (lstat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	file = fopen(path, "re");
	if (file == NULL)
		return false;
	ours = fgets(first, sizeof first, file) != NULL && strcmp(first, FIRST_LINE) == 0;
	fclose(file);
	return ours;
}

static bool write_all(int fd, const struct bytes *b)
{
	for (size_t done = 0; done < b->length;) {
		ssize_t n = write(fd, b->data + done, b->length - done);

		if (n < 0 && errno != EINTR)
			return false;
		done += n > 0 ? (size_t)n : 0;
	}
	return fsync(fd) == 0;
}

/* AGAIN: a set that was saved before may be saved again. */
static bool write_file(const char *path, const struct bytes *b, bool again, struct err *err)
{
	char temporary[1100];
	bool ours = again && is_ours(path), ok;
	int fd;

	if (!ours && access(path, F_OK) == 0)
		return err_set(err, ERR_INPUT, "%s: the file is there already; name another one",
			       path);
	snprintf(temporary, sizeof temporary, "%s.XXXXXX", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
	ok = write_all(fd, b);
	ok = close(fd) == 0 && ok;
	/* A link cannot replace what came into being meanwhile; a rename could. */
	if (ok && ours)
		ok = rename(temporary, path) == 0;
	else if (ok)
		ok = link(temporary, path) == 0;
	if (!ok)
		err_set(err, ERR_INPUT, "%s: %s", path, strerror(errno));
	if (!ok || !ours)
		unlink(temporary);
	return ok;
}

static bool save(struct app *a, struct err *err)
{
	struct bytes b = { 0 };
	bool ok;

	bytes_append(&b, FIRST_LINE, strlen(FIRST_LINE));
	ok = whatif_save(trial_edits(a), bytes_sink(&b), err) &&
	     write_file(a->trial.path, &b, true, err);
	bytes_free(&b);
	return ok;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The edits of the file take the place of the set on the screen. */
static bool load(struct app *a, struct err *err)
{
	struct trial *t = &a->trial;
	struct whatif *w = whatif_new(), *former = t->sets[t->set];
	char *text = file_text(t->path, err);
	bool ok = text != NULL && whatif_load(w, text, err);

	mem_free(text);
	if (!ok) {
		whatif_free(w);
		return false;
	}
	t->sets[t->set] = w;
	t->flipped = false;
	ok = trial_show(a, false, err);
	if (!ok) {
		t->sets[t->set] = former;
		trial_show(a, false, NULL);
		former = w;
	}
	whatif_free(former);
	return ok;
}

/* ---- exporting ------------------------------------------------------------------------------- */

static void effect_text(const struct trial_sum *s, const struct evenness *was, char *buf,
			size_t size)
{
	if (!s->known) {
		buf[0] = '\0';
		return;
	}
	snprintf(buf, size, "expected effect: %u %s, %u %s another head; "
		 "Jain's index of R %.6g -> %.6g, Gini %.6g -> %.6g", s->moved,
		 plural(s->moved, "job moves", "jobs move"), s->heads,
		 plural(s->heads, "partition has", "partitions have"),
		 was->jain, s->is.jain, was->gini, s->is.gini);
}

static bool export_to(struct app *a, struct sink out, struct err *err)
{
	struct trial *t = &a->trial;
	const struct cluster *base = trial_base(a)->cluster;
	struct cluster *edited = whatif_apply(trial_edits(a), base);
	char when[40] = "", effect[400];
	struct export_options options = { t->inverse, when, t->inverse ? "" : effect };
	time_t time = (time_t)cluster_meta(base)->time;
	struct tm tm;
	bool ok;

	if (cluster_meta(base)->time != I64_UNKNOWN && localtime_r(&time, &tm) != NULL)
		(void)strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", &tm);
	effect_text(&t->sums[t->set], &t->was, effect, sizeof effect);
	if (strcmp(t->export_as, "pbs") == 0)
		ok = export_pbs(trial_edits(a), base, edited, &options, out, err);
	else if (strcmp(t->export_as, "lsf") == 0)
		ok = export_lsf(trial_edits(a), base, edited, &options, out, err);
	else
		ok = export_slurm(trial_edits(a), base, edited, &options, out, err);
	cluster_free(edited);
	return ok;
}

static bool export(struct app *a, struct err *err)
{
	struct bytes b = { 0 };
	bool ok = export_to(a, bytes_sink(&b), err) && write_file(a->trial.path, &b, false, err);

	bytes_free(&b);
	return ok;
}

void trial_files(struct app *a)
{
	struct trial *t = &a->trial;
	enum trial_wish wish = t->wish;
	struct err err = { 0 };
	bool ok = true;

	t->wish = TRIAL_NOTHING;
	switch (wish) {
	case TRIAL_SAVE:
		ok = save(a, &err);
		break;
	case TRIAL_LOAD:
		ok = load(a, &err);
		break;
	case TRIAL_EXPORT:
		ok = export(a, &err);
		break;
	case TRIAL_NOTHING:
		return;
	}
	if (ok && wish != TRIAL_EXPORT)
		trial_saved(a);
	if (!ok && err.line > 0)
		app_say(a, ROLE_ERROR, "%s:%u: %s", t->path, (unsigned)err.line, err.message);
	else if (!ok)
		app_say(a, ROLE_ERROR, "%s", err.message);
	else if (wish == TRIAL_LOAD)
		app_say(a, ROLE_MESSAGE, "%u %s from %s", trial_count(a),
			trial_count(a) == 1 ? "edit" : "edits", t->path);
	else
		app_say(a, ROLE_MESSAGE, "wrote %s%s", t->path,
			wish == TRIAL_EXPORT ? "; nothing was run" : "");
}
