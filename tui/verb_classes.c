/* SPDX-License-Identifier: GPL-2.0-or-later */
/* classes and cycle: jobs that are the same, and what that saves a scheduler. */
#include <stdio.h>
#include <string.h>

#include "core/classes_view.h"
#include "core/mem.h"
#include "core/visible.h"
#include "tui/session.h"
#include "tui/verbs.h"
#include "tui/zone.h"

/* Classes of what the session fetched, and the jobs they come from. */
struct grouped {
	struct jobs *jobs;
	struct classes_data *data;
};

static void grouped_free(struct grouped *g)
{
	classes_data_free(g->data);
	jobs_free(g->jobs);
}

static enum class_rules rules_of(const struct session *s)
{
	for (unsigned i = 0; s->options->rules && i < CLASS_RULES; i++) {
		if (strcmp(class_rules_names[i], s->options->rules) == 0)
			return (enum class_rules)i;
	}
	return class_rules_of(s->cluster);
}

/* What --exclude asks for, else what the scheduler is told; an unknown name is a warning. */
static int group(struct session *s, struct grouped *g)
{
	struct class_choice choice = { .rules = rules_of(s), .exclude = s->options->exclude };
	char unknown[300], safe[1200];
	int status = session_model(s);

	if (status != 0)
		return status;
	if (!choice.exclude && choice.rules == CLASS_DOCUMENT)
		choice.exclude = cluster_policy(s->cluster)->equiv_class_exclude;
	g->jobs = jobs_new(s->model, NULL);
	session_tell_order(g->jobs);
	g->data = classes_data_new(g->jobs, &choice, unknown, sizeof(unknown));
	if (unknown[0]) {
		visible_copy(safe, sizeof(safe), unknown, strlen(unknown));
		fprintf(stderr, "fairtop: --exclude: no job asks for %s\n", safe);
	}
	return 0;
}

static int with_classes(const struct options *o, const struct view *shape,
			int (*answer)(struct session *s, const struct selection *selection,
				      struct grouped *g))
{
	struct session *s = mem_zalloc(1, sizeof(*s));
	struct grouped g = { NULL, NULL };
	struct selection selection;
	int status = selection_parse(&selection, o, shape);

	if (status == 0)
		status = session_open(s, o, NEED_ALL & ~(uint32_t)NEED_LICENSES);
	if (status == 0)
		status = group(s, &g);
	if (status == 0)
		status = answer(s, &selection, &g);
	grouped_free(&g);
	session_close(s);
	selection_free(&selection);
	mem_free(s);
	return status;
}

static int classes_answer(struct session *s, const struct selection *selection, struct grouped *g)
{
	struct view view = classes_view(g->data);
	struct report_extra extra = { "rules", class_rules_names[g->data->set->rules] };

	return session_answer(s, &view, selection, &extra, 1);
}

int verb_classes(const struct options *o)
{
	struct view shape = { .name = "classes", .columns = classes_columns,
			      .column_count = classes_columns_count };

	return with_classes(o, &shape, classes_answer);
}

/* ---- cycle ---------------------------------------------------------------------------------- */

struct printing {
	struct session *s;
	struct cycle_result *r;
	char time[32];		/* of the picture, as the log writes it */
};

/* "04/15/2015 16:01:18", "" where the time is unknown. */
static void log_time(const struct cluster *c, char *buf, size_t size)
{
	struct civil t;

	buf[0] = '\0';
	if (cluster_meta(c)->time != I64_UNKNOWN &&
	    zone_local.to_local(zone_local.context, cluster_meta(c)->time, &t))
		snprintf(buf, size, "%02d/%02d/%04d %02d:%02d:%02d", t.month, t.day, t.year, t.hour,
			 t.minute, t.second);
}

static void print_line(void *context, uint32_t job, const char *text)
{
	struct printing *p = context;
	const struct cluster *c = p->s->cluster;
	uint32_t row = p->r->data->set->job[p->r->jobs[job]];
	const char *name = cluster_text(c, F_JOB_JOB_ID, row);
	char id[32], safe[256];

	snprintf(id, sizeof(id), "%u", cluster_u32(c, F_JOB_ID, row));
	name = name ? name : id;
	visible_copy(safe, sizeof(safe), name, strlen(name));
	output_text(&p->s->output, "%s;%s;%s\n", p->time, safe, text);
}

static void print_sum(struct session *s, const struct cycle_result *now,
		      const struct cycle_result *other)
{
	uint32_t counts[4] = { 0 };

	for (uint32_t i = 0; i < now->input.jobs; i++)
		counts[now->cycle->status[i]]++;
	output_text(&s->output,
		    "\n%u jobs: %u run, %u calendared, %u blocked, %u passed over\n"
		    "%u considered; %u with classes %s: classes save %u of %u considerations\n",
		    now->input.jobs, counts[CYCLE_RUN], counts[CYCLE_CALENDARED],
		    counts[CYCLE_BLOCKED], counts[CYCLE_SKIPPED], now->cycle->considered,
		    other->cycle->considered, now->input.enabled ? "off" : "on",
		    now->input.enabled ? other->cycle->considered - now->cycle->considered :
					 now->cycle->considered - other->cycle->considered,
		    now->input.enabled ? other->cycle->considered : now->cycle->considered);
	if (now->left_out != 0)
		output_text(&s->output, "%u more are not looked at: their queue is not started, or "
			    "they have no shares\n", now->left_out);
	output_text(&s->output, "simulated: what each job asks for in total against what is free "
		    "in total, places on the calendar: %u\n", now->input.backfill_depth);
}

static int cycle_answer(struct session *s, const struct selection *selection, struct grouped *g)
{
	uint32_t depth = cycle_depth(s->cluster);
	bool enabled = !s->options->old && cluster_policy(s->cluster)->equiv_class_enable;
	struct printing p = { .s = s, .r = cycle_of(g->data, enabled, depth) };
	struct cycle_result *other = cycle_of(g->data, !enabled, depth);
	struct err err = { .code = ERR_NONE };

	(void)selection;
	log_time(s->cluster, p.time, sizeof(p.time));
	cycle_log(&p.r->input, p.r->cycle,
		  !enabled || g->data->set->rules == CLASS_OPENPBS, print_line, &p);
	print_sum(s, p.r, other);
	cycle_result_free(p.r);
	cycle_result_free(other);
	return output_finish(&s->output, &err) ? 0 : complain(&err);
}

int verb_cycle(const struct options *o)
{
	struct view shape = { .name = "classes", .columns = classes_columns,
			      .column_count = classes_columns_count };

	return with_classes(o, &shape, cycle_answer);
}
