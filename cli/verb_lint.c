/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lint: what is wrong with a configuration. */
#include <stdio.h>

#include "adapters/slurm/parse_conf.h"
#include "core/queue/jobs.h"
#include "core/lint/lint_all.h"
#include "core/lint/lint_conf.h"
#include "core/lint/lint_slurm.h"
#include "core/base/mem.h"
#include "cli/session.h"
#include "cli/verbs.h"

/* For people: the format of compilers, and the rule below. */
static void print_item(struct session *s, const struct lint_item *item)
{
	char line[16] = "";

	if (item->line)
		snprintf(line, sizeof(line), ":%u", (unsigned)item->line);
	output_line(&s->output, "%s%s%s%s %s: %s: %s", item->file, line, item->file[0] ? ": " : "",
		    item->severity == LINT_ERROR ? "error" : "warning", item->code, item->object,
		    item->message);
	output_line(&s->output, "    rule: %s", item->source);
	if (item->suggestion[0])
		output_line(&s->output, "    fix: %s", item->suggestion);
}

static int lint_print(struct session *s, const struct lint *l, const struct selection *selection)
{
	struct view view = lint_view(l);
	struct err err = { .code = ERR_NONE };
	uint32_t count, *rows = rows_select(&view, selection->filter, &selection->order, &count);

	if (!filter_held(selection->filter, &err)) {
		mem_free(rows);
		return complain(&err);
	}
	for (uint32_t i = 0; i < count; i++)
		print_item(s, &l->items[rows[i]]);
	mem_free(rows);
	output_text(&s->output, "%zu errors, %zu warnings\n", lint_errors(l),
		    l->count - lint_errors(l));
	return output_finish(&s->output, &err) ? 0 : complain(&err);
}

static int lint_model(struct session *s, struct lint *l)
{
	struct jobs *jobs;
	int status = session_model(s);

	if (status != 0)
		return status;
	jobs = session_jobs(s);
	lint_all(s->model, jobs, l);
	jobs_free(jobs);
	return 0;
}

/* Takes the parameters of the cluster and of partitions. */
static bool verb_lint_take_pair(void *context, const struct slurm_conf_pair *pair, struct err *err)
{
	bool partition = slice_same(pair->head, "PartitionName");
	char *key = mem_strndup(pair->key.at, pair->key.length);
	char *value = mem_strndup(pair->value.at, pair->value.length);

	(void)err;
	if (partition || slurm_conf_is_global(pair))
		lint_conf_pair(context, pair->file, pair->line, partition, key, value);
	mem_free(key);
	mem_free(value);
	return true;
}

/* --config FILE: checks what slurmctld does not report. */
static int lint_text(struct session *s, struct lint *l)
{
	struct err err = { .code = ERR_NONE };
	struct lint_conf conf;
	bool read;

	if (!s->options->config)
		return 0;
	lint_conf_init(&conf, l);
	read = slurm_conf_read(s->options->config, verb_lint_take_pair, &conf, &err);
	lint_conf_end(&conf);
	return read ? 0 : complain(&err);
}

int lint_of_session(struct session *s, struct lint *l)
{
	int status = lint_model(s, l);

	return status == 0 ? lint_text(s, l) : status;
}

int lint_answer(struct session *s, struct selection *selection)
{
	struct view view;
	struct lint l;
	int status;

	lint_init(&l);
	status = lint_of_session(s, &l);
	view = lint_view(&l);
	if (status != 0)
		;	/* already reported */
	else if (s->options->format == REPORT_TABLE && !s->options->columns)
		status = lint_print(s, &l, selection);
	else
		status = session_answer(s, &view, selection, NULL, 0);
	if (status == 0 && lint_errors(&l) > 0)
		status = 1;
	lint_free(&l);
	return status;
}
