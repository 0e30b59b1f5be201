/* SPDX-License-Identifier: GPL-2.0-or-later */
/* classes and cycle: jobs that are equal for the scheduler, and what that saves it. */
#include <stdio.h>
#include <string.h>

#include "core/classes/classes_view.h"
#include "core/cluster/host_state.h"
#include "core/cluster/sched_view.h"
#include "core/sim/cycle_view.h"
#include "core/base/plural.h"
#include "core/base/visible.h"
#include "cli/grouped.h"
#include "cli/verbs.h"
#include "tui/base/zone.h"

int classes_answer(struct session *s, struct selection *selection)
{
	struct grouped g = { .jobs = NULL };
	int status = grouped_new(s, GROUPED_AS_SET, &g);

	if (status == 0) {
		struct view view = classes_view(g.data);
		struct report_extra extra = { "rules", class_rules_names[g.data->set->rules] };

		grouped_base(s, GROUPED_AS_SET, &g);
		status = session_answer(s, &view, selection, &extra, 1);
	}
	grouped_free(&g);
	return status;
}

/* ---- cycle ---------------------------------------------------------------------------------- */

struct printing {
	struct session *s;
	struct cycle_result *r;
	const struct cycle_result *document;	/* the cycle shown beside it; NULL: none */
	char time[32];		/* of the picture, in the log's format */
};
#define BOTH_WIDTH 64
#define LEFT_OUT_NAMES 5
#define REASONS_MAX 32			/* more than there are: jobs_left_out() */

/* "04/15/2015 16:01:18", "" if the time is unknown. */
static void classes_log_time(const struct cluster *c, char *buf, size_t size)
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
	const char *why = text;
	char name[256], line[600] = "";

	/* The array is considered, but one of its tasks runs. */
	cycle_job_name(p->r, job, !p->r->cycle->reason[job] && strcmp(text, "Job run") == 0, name,
		       sizeof(name));
	if (!p->document) {
		output_line(&p->s->output, "%s;%s;%s", p->time, name, text);
		return;
	}
	if (job >= p->document->input.jobs)
		why = "not considered";
	else if (text == p->r->cycle->reason[job])
		why = p->document->cycle->reason[job];
	/* In the document's log a skipped job has only a reason. */
	if (text == p->r->cycle->reason[job] ||
	    job >= p->document->input.jobs ||
	    p->document->cycle->status[job] != CYCLE_SKIPPED)
		snprintf(line, sizeof(line), "%s;%s", name, why ? why : "Job run");
	output_line(&p->s->output, "%-*s | %s;%s", BOTH_WIDTH, line, name, text);
}

/* Jobs by status, and what classes save; OTHER is the cycle with classes if NOW has none. */
struct classes_sums {
	uint32_t counts[CYCLE_STATUSES], considered, without, left_out;
};

static struct classes_sums sums_of(const struct cycle_result *now, const struct cycle_result *other)
{
	struct classes_sums sums = { .left_out = now->left_out };

	for (uint32_t i = 0; i < now->input.jobs; i++)
		sums.counts[now->cycle->status[i]]++;
	sums.considered = (now->input.enabled ? now : other)->cycle->considered;
	sums.without = (now->input.enabled ? other : now)->cycle->considered;
	return sums;
}

static bool knows_calendar(const struct cluster *c)
{
	const struct policy *p = cluster_policy(c);

	return !policy_unreported(p, "strict_ordering") && !policy_unreported(p, "backfill");
}

/* Why the calendar of a PBS is empty. */
static const char *why_no_calendar(const struct cluster *c)
{
	const struct policy *p = cluster_policy(c);

	if (policy_scheduler_of(cluster_meta(c)->kind) != POLICY_OF_PBS || p->strict_ordering)
		return "";
	return policy_hides(p, "strict_ordering") ?
		" (strict_ordering was not read: PBS's default is off)" :
		" (strict_ordering is off)";
}

/* "  its queue is not started: 17.pbshead, 18.pbshead": jobs from the Kth on with its reason. */
static void print_reason(struct session *s, const struct cycle_result *now, uint32_t k)
{
	uint32_t n = 0;

	output_text(&s->output, "  %s:", now->why[k]);
	for (uint32_t i = k; i < now->left_out; i++) {
		char name[256], safe[256];

		if (strcmp(now->why[i], now->why[k]) != 0)
			continue;
		cycle_job_name(now, now->input.jobs + i, false, name, sizeof(name));
		visible_copy(safe, sizeof(safe), name, strlen(name));
		if (n++ < LEFT_OUT_NAMES)
			output_text(&s->output, "%s %s", n > 1 ? "," : "", safe);
	}
	if (n > LEFT_OUT_NAMES)
		output_text(&s->output, ", and %u more", n - LEFT_OUT_NAMES);
	output_text(&s->output, "\n");
}

static void print_left_out(struct session *s, const struct cycle_result *now, bool unplaced)
{
	const char *seen[REASONS_MAX];
	uint32_t n = 0;
	size_t count = 0;

	for (uint32_t k = 0; k < now->left_out; k++)
		n += cycle_is_unplaced(now, k) == unplaced;
	if (n != 0 && unplaced)
		output_text(&s->output, "%u more: their rank, and the resources they leave for "
			    "others, are unknown\n", n);
	else if (n != 0)
		output_text(&s->output, "%u more %s not considered\n", n, plural(n, "is", "are"));
	for (uint32_t k = 0; k < now->left_out; k++) {
		size_t i = 0;

		if (cycle_is_unplaced(now, k) != unplaced)
			continue;
		while (i < count && strcmp(seen[i], now->why[k]) != 0)
			i++;
		if (i == count && count < REASONS_MAX) {
			seen[count++] = now->why[k];
			print_reason(s, now, k);
		}
	}
}

/* What jobs of a queue with its own depth get instead. */
static void print_own_places(struct session *s, const struct cycle_result *now)
{
	for (uint32_t q = 0; q < cluster_rows(s->cluster, TABLE_QUEUE); q++) {
		const char *name = cluster_text(s->cluster, F_QUEUE_NAME, q);

		if (!now->queues || now->queues[q].depth == U32_UNKNOWN || !name ||
		    queue_elsewhere(s->cluster, q))
			continue;
		output_line(&s->output, "own calendar places of queue %s: %u", name,
			    now->queues[q].depth);
	}
}

static void print_sum(struct session *s, const struct cycle_result *now,
		      const struct classes_sums *sums)
{
	const uint32_t *counts = sums->counts;

	if (now->input.unknown) {
		output_text(&s->output, "\n%u %s: which of them run is unknown: %s",
			    now->input.jobs, plural(now->input.jobs, "job", "jobs"), now->blind ?
			    "no data on hosts that may take them" :
			    "strict_ordering, strict_fifo or backfill is unknown");
		if (knows_calendar(s->cluster))
			output_text(&s->output, "; places on the calendar: %u%s",
				    now->input.backfill_depth, why_no_calendar(s->cluster));
		output_text(&s->output, "\n");
		print_own_places(s, now);
		print_left_out(s, now, false);
		print_left_out(s, now, true);
		return;
	}
	output_text(&s->output,
		    "\n%u %s: %u run, %u calendared, %u blocked, %u passed over\n"
		    "%u considered; %u with classes %s: classes save %u of %u considerations\n",
		    now->input.jobs, plural(now->input.jobs, "job", "jobs"), counts[CYCLE_RUN],
		    counts[CYCLE_CALENDARED], counts[CYCLE_BLOCKED], counts[CYCLE_SKIPPED],
		    now->cycle->considered,
		    now->input.enabled ? sums->without : sums->considered,
		    now->input.enabled ? "off" : "on", sums->without - sums->considered,
		    sums->without);
	print_left_out(s, now, false);
	print_left_out(s, now, true);
	if (now->guessed != 0)
		output_text(&s->output, "%u of those that run have requests not modelled or "
			    "unknown (GRES, features, licenses, nodes by name, reservations, "
			    "deadlines, TRES): placed as if they did not\n", now->guessed);
	output_text(&s->output, "simulated on the usable %s (%u of %u): %s; places on the "
		    "calendar: %u%s\n", plural(now->usable, "host", "hosts"), now->usable,
		    now->hosts, cycle_methods[now->method], now->input.backfill_depth,
		    why_no_calendar(s->cluster));
	print_own_places(s, now);
	if (now->unknown != 0)
		output_text(&s->output, "%u of the hosts %s in a state that is not reported or "
			    "unknown, and count as not usable: more jobs may run than these\n",
			    now->unknown, plural(now->unknown, "is", "are"));
	if ((now->method == CYCLE_VNODES || now->method == CYCLE_VNODES_UNSORTED) &&
	    !cluster_col_u32(s->cluster, F_JOB_EGROUP))
		output_text(&s->output, "the groups of jobs are hidden from this user: no job "
			    "under a group limit, if there are any, runs here\n");
	if (!class_rules_pbs(now->data->set->rules))
		return;
	output_text(&s->output, "rules %s; lines \"Considering\": %u as OpenPBS logs, with classes "
		    "and without, %u in the log of the design document (--both: side by side)\n",
		    class_rules_names[now->data->set->rules],
		    now->input.jobs - now->cycle->strict, sums->considered);
}

static int cycle_log_answer(struct session *s, struct cycle_result *now,
			    const struct classes_sums *sums, bool later_considered,
			    const struct cycle_result *document)
{
	struct printing p = { .s = s, .r = now, .document = document };
	struct err err = { .code = ERR_NONE };

	classes_log_time(s->cluster, p.time, sizeof(p.time));
	if (document)
		output_text(&s->output, "%-*s | %s\n", BOTH_WIDTH, "by the design document",
			    "by OpenPBS");
	cycle_log(&now->input, now->cycle, later_considered || document, print_line, &p);
	print_sum(s, now, sums);
	return output_finish(&s->output, &err) ? 0 : complain(&err);
}

static int64_t classes_reported(bool known, uint32_t count)
{
	return known ? (int64_t)count : I64_UNKNOWN;
}

static int cycle_rows_answer(struct session *s, const struct selection *selection,
			     const struct cycle_result *now, const struct classes_sums *sums,
			     bool later_considered)
{
	bool known = !now->input.unknown;
	const struct report_count counts[] = {
		{ "calendar",
		  classes_reported(knows_calendar(s->cluster), now->input.backfill_depth) },
		{ "run", classes_reported(known, sums->counts[CYCLE_RUN]) },
		{ "calendared", classes_reported(known, sums->counts[CYCLE_CALENDARED]) },
		{ "blocked", classes_reported(known, sums->counts[CYCLE_BLOCKED]) },
		{ "passed_over", classes_reported(known, sums->counts[CYCLE_SKIPPED]) },
		{ "left_out", sums->left_out },
		{ "considered_with_classes", classes_reported(known, sums->considered) },
		{ "considered_without", classes_reported(known, sums->without) },
		{ "saved", classes_reported(known, sums->without - sums->considered) },
		{ "hosts", now->hosts }, { "hosts_usable", now->usable },
		{ "hosts_unknown", now->unknown }, { "guessed", now->guessed },
	};
	struct report_extra extras[] = {
		{ "rules", class_rules_names[now->data->set->rules] },
		{ "classes", now->input.enabled ? "on" : "off" },
		{ "simulated", known ? cycle_methods[now->method] : NULL },
		/* PBS with several schedulers. */
		{ "scheduler", now->data->jobs->pbs ?
		  sched_name(s->cluster, sched_shown(s->cluster)) : NULL },
	};
	struct cycle_rows rows = { now, later_considered };
	struct view view = cycle_view(&rows);
	int status;

	s->counts = counts;
	s->count_count = sizeof(counts) / sizeof(counts[0]);
	status = session_answer(s, &view, selection, extras, 4);
	s->counts = NULL;
	s->count_count = 0;
	return status;
}

static int answer_cycle(struct session *s, const struct selection *selection,
			const struct grouped *g)
{
	const struct options *o = s->options;
	uint32_t depth = cycle_depth(s->cluster);
	bool enabled = !o->old && cluster_policy(s->cluster)->equiv_class_enable;
	bool later_considered = !enabled || g->data->set->rules == CLASS_OPENPBS;
	bool as_log = o->format == REPORT_TABLE && !o->columns && !o->sort && !o->filter &&
		      !o->user;
	struct cycle_result *now = cycle_of(g->data, enabled, depth);
	struct cycle_result *other = cycle_of(g->data, !enabled, depth);
	struct classes_sums sums = sums_of(now, other);
	const struct class_choice choice = { .rules = CLASS_DOCUMENT, .exclude = g->data->exclude };
	struct classes_data *documented = NULL;
	struct cycle_result *document = NULL;
	int status;

	if (now->blind)
		remark("cycle", "no data on hosts that may take jobs: which jobs run is unknown");
	if (now->session && now->session->problem[0] &&
	    strcmp(now->session->problem, g->jobs->order->problem) != 0)
		remark("cycle", "%s", now->session->problem);
	if (o->both) {
		documented = classes_data_new(g->jobs, &choice, NULL, 0);
		document = cycle_of(documented, true, depth);
	}
	status = as_log ? cycle_log_answer(s, now, &sums, later_considered, document) :
		     cycle_rows_answer(s, selection, now, &sums, later_considered);

	cycle_result_free(document);
	classes_data_free(documented);
	cycle_result_free(now);
	cycle_result_free(other);
	return status;
}

int cycle_answer(struct session *s, struct selection *selection)
{
	struct grouped g = { .jobs = NULL };
	struct err err = { .code = ERR_NONE };
	int status;

	if (!cluster_shows_all_jobs(s->cluster, "cycle", &err))
		return complain(&err);
	status = grouped_new(s, GROUPED_ALWAYS, &g);
	if (status == 0)
		status = answer_cycle(s, selection, &g);
	grouped_free(&g);
	return status;
}
