/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/start_times.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/cluster/idmap.h"
#include "tui/panes/pane.h"
#include "tui/panes/start_past.h"
#include "tui/rows/views.h"
#include "tui/time/travel.h"
#include "tui/whatif/whatif_sets.h"

#define CELLS 32		/* of the line over time */
#define MOVED 60		/* s: smaller moves are not reported */

/* ---- orders -------------------------------------------------------------------------------- */

void start_order_free(void *order)
{
	struct start_order *o = order;

	for (int i = 0; o && i < START_PICTURES; i++)
		cluster_free(o->clusters[i]);
	if (o) {
		mem_free(o->points);
		joblog_free(o->log);
	}
	mem_free(o);
}

void start_answer_free(void *answer)
{
	struct start_answer *s = answer;

	for (int i = 0; s && i < START_PICTURES; i++)
		starts_free(&s->starts[i]);
	mem_free(answer);
}

bool start_times_simulated(const struct picture *p)
{
	return policy_scheduler_of(cluster_meta(p->cluster)->kind) == POLICY_OF_SLURM;
}

static bool starts_is_shown(const struct app *a)
{
	const struct sheet *sheet = &a->sheets[VIEW_JOBS];
	bool shown = pane_is_open(a) || a->idle->has_room(a);

	for (size_t i = 0; i < sheet->count && !shown; i++)
		shown = strncmp(sheet->columns[i]->name, "start", 5) == 0;
	return shown;
}

static void starts_after_event(struct app *a)
{
	struct start_times *t = a->start_times;
	const struct picture *base = whatif_base(a);
	const struct changes_pair *pair = whatif_changes(a);
	struct start_order *o;

	if (a->view != VIEW_JOBS || !base || !base->queue ||
	    !start_times_simulated(base) || !starts_is_shown(a) ||
	    (t->asked == a->pictures && t->gathered == a->start_past->gathered))
		return;
	t->asked = a->pictures;
	t->gathered = a->start_past->gathered;
	t->problem[0] = '\0';
	o = mem_zalloc(1, sizeof(*o));
	o->pictures = a->pictures;
	o->clusters[START_BASE] = cluster_share(base->cluster);
	if (pair && pair->jobs && pair->base_jobs) {
		o->clusters[START_EDITED] = cluster_share(a->picture->cluster);
		o->points = starts_points(pair->base_jobs, pair->jobs, pair->entry);
	}
	o->log = start_past_log(a);
	start_order_free(t->order);
	t->order = o;
}

void *start_times_order(struct app *a)
{
	struct start_order *o = a->start_times->order;

	a->start_times->order = NULL;
	return o;
}

void start_times_take(struct app *a, void *taken)
{
	struct start_answer *answer = taken;
	struct start_times *t = a->start_times;

	if (answer->pictures == a->pictures && a->picture) {
		struct picture *of[START_PICTURES] = { whatif_base(a), a->picture };

		for (int i = 0; i < START_PICTURES; i++) {
			if (!answer->starts[i].c)
				continue;
			queue_take_starts(of[i]->queue, &answer->starts[i]);
			answer->starts[i] = (struct starts){ 0 };
		}
		t->answers++;
		memcpy(t->problem, answer->problem, sizeof(t->problem));
		list_rebuild(&a->sheets[VIEW_JOBS].list);
	}
	start_answer_free(answer);
}

/* ---- the line over time -------------------------------------------------------------------- */

static int cell_of(int64_t time, int64_t now, int64_t end, int cells)
{
	int64_t cell;

	if (time == I64_UNKNOWN || time < now)
		return -1;
	cell = end > now ? (time - now) * (cells - 1) / (end - now) : 0;
	return cell < cells ? (int)cell : cells - 1;
}

/*
 * "├───▒▒▒█▒▒▒───┤": P10 to P90 with the median, up to the start by limits; nothing if all of these
 * are now.
 */
static void starts_put_line(struct doc *d, const struct jobs_start *s, int64_t now)
{
	int64_t end = s->p90 != I64_UNKNOWN && s->p90 > s->start ? s->p90 : s->start;
	int cells = d->width < 100 ? CELLS / 2 : CELLS;
	int p10 = cell_of(s->p10, now, end, cells), p90 = cell_of(s->p90, now, end, cells);
	int p50 = cell_of(s->p50, now, end, cells), last = cell_of(s->start, now, end, cells);

	if (end <= now)
		return;
	for (int i = 0; i < cells; i++) {
		bool likely = p10 >= 0 && i >= p10 && i <= p90;
		const char *text = i == p50 ? (d->ascii ? "#" : "█") :
				   i == last ? (d->ascii ? "|" : "┤") :
				   likely ? (d->ascii ? "=" : "▒") :
				   i == 0 ? (d->ascii ? "|" : "├") :
				   i > last ? " " : d->ascii ? "-" : "─";

		doc_put(d, i == p50 ? ROLE_ACCENT : likely ? ROLE_CHART : ROLE_DIM, text);
	}
	doc_put(d, ROLE_DIM, " ");
}

static void starts_put_times(const struct app *a, struct doc *d, const struct jobs_start *s,
			     int label)
{
	char when[48], until[48], text[200];

	travel_clock(a, s->start, when, sizeof(when));
	snprintf(text, sizeof(text), "%s%s if jobs run to their limits",
		 a->picture->queue->starts.rough ? "about " : "", when);
	if (s->p10 != I64_UNKNOWN) {
		travel_clock(a, s->p10, when, sizeof(when));
		travel_clock(a, s->p90, until, sizeof(until));
		format_append(text, sizeof(text), strcmp(when, until) == 0 ? ", %s likely" :
			      ", %s to %s likely", when, until);
	}
	doc_wrap(d, ROLE_VALUE, label, text);
}

/* ---- with and without the what-if ---------------------------------------------------------- */

/* Compares the medians if both are known; false: unknown. */
static bool later_by(const struct jobs_start *was, const struct jobs_start *is, int64_t *by)
{
	bool likely = was->p50 != I64_UNKNOWN && is->p50 != I64_UNKNOWN;
	int64_t from = likely ? was->p50 : was->start, to = likely ? is->p50 : is->start;

	*by = from != I64_UNKNOWN && to != I64_UNKNOWN ? to - from : 0;
	return from != I64_UNKNOWN && to != I64_UNKNOWN;
}

static void tell_later(int64_t by, char *buf, size_t size)
{
	int64_t minutes = (llabs(by) + 30) / 60;
	const char *word = by < 0 ? "earlier" : "later";

	if (minutes == 0)
		snprintf(buf, size, "at the same time");
	else if (minutes < 60)
		snprintf(buf, size, "%d min %s", (int)minutes, word);
	else if (minutes < 48 * 60)
		snprintf(buf, size, "%d h %02d %s", (int)(minutes / 60), (int)(minutes % 60), word);
	else
		snprintf(buf, size, "%d d %d h %s", (int)(minutes / 1440),
			 (int)(minutes / 60 % 24), word);
}

struct moved {
	const char *user;
	int64_t by;
	uint32_t jobs;
};

/* The user, other than OWN, whose jobs are delayed most in total. */
static struct moved worst_off(const struct changes_pair *v, const char *own)
{
	const struct job_index *x = v->jobs->index;
	struct moved *users = mem_alloc((size_t)x->n + 1, sizeof(*users)), worst = { "", 0, 0 };
	struct idmap ids = { .slots = NULL };
	uint32_t count = 0, user;

	for (uint32_t e = 0; e < x->n; e++) {
		uint32_t b = changes_entry(v, e);
		uint32_t id = cluster_text_id(x->cluster, F_JOB_USER, x->job[e]);
		const char *name = cluster_text(x->cluster, F_JOB_USER, x->job[e]);
		int64_t by;

		if (b == ROW_NONE || !name || strcmp(name, own) == 0 ||
		    (e > 0 && x->job[e] == x->job[e - 1]) ||
		    !later_by(&v->base_jobs->starts[v->base_jobs->index->job[b]],
			      &v->jobs->starts[x->job[e]], &by) || by < MOVED)
			continue;
		user = idmap_get(&ids, id, count);
		if (user == count) {
			idmap_put(&ids, id, count);
			users[count++] = (struct moved){ .user = name };
		}
		users[user].by += by;
		users[user].jobs++;
		worst = users[user].by > worst.by ? users[user] : worst;
	}
	idmap_free(&ids);
	mem_free(users);
	return worst;
}

void start_times_what_if(const struct app *a, struct doc *d, uint32_t row, int label)
{
	const struct changes_pair *v = whatif_changes(a);
	const struct job_index *x = a->picture->queue->jobs->index;
	const char *own = cluster_text(x->cluster, F_JOB_USER, x->job[row]);
	uint32_t b = v && v->jobs ? changes_entry(v, row) : ROW_NONE;
	struct moved worst;
	char text[64], when[48];
	int64_t by;

	if (b == ROW_NONE || !v->base_jobs->starts || !v->jobs->starts)
		return;
	const struct jobs_start *was = &v->base_jobs->starts[v->base_jobs->index->job[b]];

	if (!later_by(was, &v->jobs->starts[x->job[row]], &by))
		return;
	doc_begin(d, ROLE_LABEL, "what-if");
	doc_tab(d, label);
	tell_later(by, text, sizeof(text));
	doc_put(d, by < 0 ? ROLE_UP : by > 0 ? ROLE_DOWN : ROLE_VALUE, text);
	travel_clock(a, was->start, when, sizeof(when));
	doc_putf(d, ROLE_VALUE, " (without it %s)", when);
	worst = worst_off(v, own ? own : "");
	if (worst.jobs == 0)
		return;
	tell_later(worst.by / worst.jobs, text, sizeof(text));
	doc_putf(d, ROLE_VALUE, "; %s's %u %s %s", worst.user, (unsigned)worst.jobs,
		 plural(worst.jobs, "job", "jobs"), text);
}

/* ---- all of it ----------------------------------------------------------------------------- */

void start_times_notes(const struct app *a, struct doc *d)
{
	const struct starts *s = &a->picture->queue->starts;

	if (s->note_count > 0)
		doc_title(d, "Assumptions of simulated starts");
	for (size_t i = 0; i < s->note_count; i++) {
		doc_line(d);
		doc_wrap(d, ROLE_HINT, 2, s->notes[i].text);
	}
}

static void put_estimate(const struct app *a, struct doc *d, uint32_t job, int label)
{
	int64_t own = cluster_i64(a->picture->cluster, F_JOB_START, job);
	char when[48];

	if (own == I64_UNKNOWN || own <= 0)
		return;
	travel_clock(a, own, when, sizeof(when));
	if (d->column + (int)strlen(when) + 23 > d->width) {
		doc_line(d);
		doc_tab(d, label);
	} else {
		doc_put(d, ROLE_VALUE, "; ");
	}
	doc_putf(d, ROLE_VALUE, "the scheduler expects %s", when);
}

void start_times_doc(const struct app *a, struct doc *d, uint32_t row, int label)
{
	const struct queue *q = a->picture->queue;
	uint32_t job = q->jobs->index->job[row];

	doc_begin(d, ROLE_LABEL, "start");
	doc_tab(d, label);
	if (!q->start_of) {
		doc_put(d, ROLE_HINT, "not simulated yet");
		return;
	}
	starts_put_line(d, &q->start_of[job], travel_time(a));
	starts_put_times(a, d, &q->start_of[job], label);
	put_estimate(a, d, job, label);
}

/* ---- the feature --------------------------------------------------------------------------- */

static void starts_init(struct app *a)
{
	a->start_times = mem_zalloc(1, sizeof(*a->start_times));
}

static void starts_leave(struct app *a)
{
	start_order_free(a->start_times->order);
	mem_free(a->start_times);
}

const struct feature start_times_feature = { .init = starts_init,
					     .free = starts_leave,
					     .after_event = starts_after_event };
