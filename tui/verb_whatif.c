/* SPDX-License-Identifier: GPL-2.0-or-later */
/* whatif: what edits change, and the commands that would make them. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/export.h"
#include "core/mem.h"
#include "core/whatif_view.h"
#include "tui/session.h"
#include "tui/verbs.h"

/* "jobs_moved 12, heads_changed 1, ..." */
static void effect_text(const struct whatif_diff *d, char *buf, size_t size)
{
	size_t used = (size_t)snprintf(buf, size, "expected effect:");

	for (uint32_t i = 0; i < d->count && used < size; i++) {
		const struct whatif_row *r = &d->rows[i];

		if (r->kind == WHATIF_SUMMARY && r->base != r->value && f64_known(r->value))
			used += (size_t)snprintf(buf + used, size - used, " %s %.6g -> %.6g;",
						 r->column, r->base, r->value);
	}
	if (used < size && buf[used - 1] == ':')
		(void)snprintf(buf + used, size - used, " nobody moves");
}

static int whatif_export(struct session *s, const struct whatif_diff *d)
{
	char effect[400], when[40] = "";
	struct export_options options = { s->options->inverse, when, effect };
	struct err err = { .code = ERR_NONE };
	time_t time = (time_t)cluster_meta(s->base)->time;
	struct tm tm;
	bool (*write)(const struct whatif *, const struct cluster *, const struct cluster *,
		      const struct export_options *, struct sink, struct err *) = export_slurm;

	if (strcmp(s->options->export_as, "pbs") == 0)
		write = export_pbs;
	else if (strcmp(s->options->export_as, "lsf") == 0)
		write = export_lsf;
	if (cluster_meta(s->base)->time != I64_UNKNOWN && localtime_r(&time, &tm))
		(void)strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &tm);
	effect_text(d, effect, sizeof(effect));
	if (options.inverse)
		effect[0] = '\0';
	if (!write(s->whatif, s->base, s->cluster, &options, output_sink(&s->output), &err) ||
	    !output_finish(&s->output, &err))
		return complain(&err);
	return 0;
}

/* The two sides, with their jobs if there are any. */
static int whatif_answer(struct session *s, const struct selection *selection)
{
	struct jobs *base_jobs = NULL, *jobs = NULL;
	enum whatif_what what = WHATIF_ACCOUNTS;
	struct whatif_diff *d;
	struct view view;
	int status = session_model(s);

	if (status != 0)
		return status;
	if (cluster_rows(s->cluster, TABLE_JOB) > 0) {
		base_jobs = jobs_new(s->base_model ? s->base_model : s->model, NULL);
		jobs = jobs_new(s->model, NULL);
	}
	if (s->options->view && strcmp(s->options->view, "jobs") == 0)
		what = WHATIF_JOBS;
	d = whatif_diff_new(s->base_model ? s->base_model : s->model, s->model, base_jobs, jobs,
			    what, s->options->changed);
	view = whatif_view(d);
	status = s->options->export_as ? whatif_export(s, d)
				       : session_answer(s, &view, selection, NULL, 0);
	whatif_diff_free(d);
	jobs_free(jobs);
	jobs_free(base_jobs);
	return status;
}

int verb_whatif(const struct options *o)
{
	struct view shape = { .name = "whatif", .columns = whatif_columns,
			      .column_count = whatif_columns_count };
	struct session *s = mem_zalloc(1, sizeof(*s));
	struct selection selection;
	int status = selection_parse(&selection, o, &shape);
	struct err err = { .code = ERR_NONE };

	if (status == 0 && o->edit_count == 0 && (o->export_as || o->inverse)) {
		err_set(&err, ERR_INPUT,
			"--export: there is no edit (expected --set or --what-if)");
		status = complain(&err);
	}
	if (status == 0)
		status = session_open(s, o, NEED_ALL & ~(uint32_t)NEED_LICENSES);
	if (status == 0)
		status = whatif_answer(s, &selection);
	session_close(s);
	selection_free(&selection);
	mem_free(s);
	return status;
}
