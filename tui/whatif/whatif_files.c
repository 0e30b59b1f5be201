/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of edits as files, and the commands of an export. Nothing is run, and the only files
 * replaced are sets that fairtop wrote itself.
 */
#include <stdio.h>
#include <string.h>

#include "core/base/bytes.h"
#include "core/base/format.h"
#include "core/whatif/export.h"
#include "core/base/mem.h"
#include "core/whatif/whatif_apply.h"
#include "tui/base/file_text.h"
#include "tui/base/new_file.h"
#include "tui/base/zone.h"
#include "tui/whatif/show.h"
#include "tui/whatif/whatif_sets.h"

#define FIRST_LINE "# A what-if of fairtop, see fairtop-whatif(5).\n"

/* ---- writing --------------------------------------------------------------------------------- */

static bool whatif_files_save(struct app *a, struct err *err)
{
	struct bytes b = { 0 };
	bool ok;

	bytes_append(&b, FIRST_LINE, strlen(FIRST_LINE));
	ok = whatif_save(whatif_edits(a), bytes_sink(&b), err) &&
	     new_file_write(a->whatif->path, &b,
			    new_file_is_ours(a->whatif->path, FIRST_LINE), err);
	bytes_free(&b);
	return ok;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Replaces the set on the screen by the edits of the file. */
static bool whatif_files_load(struct app *a, struct err *err)
{
	struct whatif_sets *t = a->whatif;
	struct whatif *w = whatif_new(), *former = t->sets[t->set];
	char *text = file_text(t->path, FILE_TEXT_MAX, err);
	bool ok;

	w->calendar = &zone_local;
	ok = text && whatif_load(w, text, err) && whatif_can(a, w, err);
	mem_free(text);
	if (!ok) {
		whatif_free(w);
		return false;
	}
	t->sets[t->set] = w;
	t->flipped = false;
	whatif_show(a);
	whatif_free(former);
	return true;
}

/* ---- exporting ------------------------------------------------------------------------------- */

static void whatif_files_effect_text(const struct app *a, char *buf, size_t size)
{
	const struct evenness *was = &a->whatif->was, *is = &a->whatif->sums[a->whatif->set].is;
	char text[WHATIF_SUM_MAX];

	snprintf(buf, size, "%s", whatif_waits(a) ? "expected effect: not computed yet" : "");
	if (!whatif_sum_text(a, text))
		return;
	snprintf(buf, size, "expected effect: %s", text);
	if (f64_known(was->jain) && f64_known(is->jain))
		format_append(buf, size, "; evenness of R: Jain (1: even) %.6g -> %.6g, Gini "
			      "(0: even) %.6g -> %.6g", was->jain, is->jain, was->gini, is->gini);
}

bool whatif_export_ready(struct app *a, struct err *err)
{
	struct whatif_sets *t = a->whatif;
	const char *kind = cluster_meta(whatif_base(a)->cluster)->kind;

	if (whatif_count(a) == 0)
		return err_set(err, ERR_INPUT, "export: no active edits");
	snprintf(t->export_as, sizeof(t->export_as), "%s",
		 strcmp(kind, "pbs") == 0 || strcmp(kind, "lsf") == 0 ? kind : "slurm");
	t->inverse = false;
	return true;
}

bool whatif_export_text(struct app *a, struct sink out, struct err *err)
{
	struct whatif_sets *t = a->whatif;
	const struct cluster *base = whatif_base(a)->cluster;
	struct cluster *edited = whatif_apply(whatif_edits(a), base);
	char effect[400];
	struct export_options options = { t->inverse, &zone_local, t->inverse ? "" : effect };
	bool ok;

	whatif_files_effect_text(a, effect, sizeof(effect));
	if (strcmp(t->export_as, "pbs") == 0)
		ok = export_pbs(whatif_edits(a), base, edited, &options, out, err);
	else if (strcmp(t->export_as, "lsf") == 0)
		ok = export_lsf(whatif_edits(a), base, edited, &options, out, err);
	else
		ok = export_slurm(whatif_edits(a), base, edited, &options, out, err);
	cluster_free(edited);
	return ok;
}

static bool whatif_files_export(struct app *a, struct err *err)
{
	struct bytes b = { 0 };
	bool ok = whatif_export_text(a, bytes_sink(&b), err) &&
		  new_file_write(a->whatif->path, &b, false, err);

	bytes_free(&b);
	return ok;
}

void whatif_files(struct app *a)
{
	struct whatif_sets *t = a->whatif;
	enum whatif_wish wish = t->wish;
	struct err err = { 0 };
	char place[1024];
	bool ok = true;

	t->wish = WHATIF_NOTHING;
	switch (wish) {
	case WHATIF_SAVE:
		ok = whatif_files_save(a, &err);
		break;
	case WHATIF_LOAD:
		ok = whatif_files_load(a, &err);
		break;
	case WHATIF_EXPORT:
		ok = whatif_files_export(a, &err);
		break;
	case WHATIF_NOTHING:
		return;
	}
	if (ok && wish != WHATIF_EXPORT)
		whatif_saved(a);
	new_file_place(t->path, place, sizeof(place));
	if (err.line > 0)
		err_at(&err, t->path, 0);
	if (!ok)
		app_say(a, ROLE_ERROR, "%s", err.message);
	else if (wish == WHATIF_LOAD)
		app_say(a, ROLE_MESSAGE, "%u %s from %s", whatif_count(a),
			whatif_count(a) == 1 ? "edit" : "edits", t->path);
	else
		app_say(a, ROLE_MESSAGE, "wrote %s%s", place,
			wish == WHATIF_EXPORT ? "; nothing was run" : "");
}
