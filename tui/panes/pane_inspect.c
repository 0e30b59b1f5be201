/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/pane_inspect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/plural.h"
#include "core/share/quota.h"
#include "tui/cells/plot.h"
#include "tui/panes/detail.h"
#include "tui/panes/pane_forecast.h"
#include "tui/panes/pane_why.h"
#include "tui/panes/start_times.h"
#include "tui/rows/look.h"
#include "tui/rows/views.h"
#include "tui/time/travel.h"
#include "tui/whatif/whatif_sets.h"

#define TALL 34			/* screen lines from which it fits below the rows */
#define WIDE 150		/* columns from which it fits beside them */
#define LABEL 8
#define TOP 3			/* named consumers */
#define NOBODY { { ROW_NONE, 0 }, { ROW_NONE, 0 }, { ROW_NONE, 0 } }
#define PATH_SHOWN 50		/* cells of a path among other text */
#define BAR 10			/* cells of the largest bar */
#define BAR_LEAST 3
#define HOUR 3600
#define CELLS_MOST 24		/* per curve */

static void inspect_put_label(struct doc *d, const char *label)
{
	doc_begin(d, ROLE_LABEL, label);
	doc_tab(d, LABEL);
}

/* "14.2 %", "0.031 %". */
static void inspect_percent(double part, char *buf, size_t size)
{
	snprintf(buf, size, part >= 0.001 || part == 0 ? "%.1f %%" : "%.2g %%", 100 * part);
}

/* ---- an account or user -------------------------------------------------------------------- */

/* Since when it has been on this side of its share, if known; "": unknown. */
static void inspect_since(const struct app *a, uint32_t row, bool over, char *buf, size_t size)
{
	char when[48];
	bool always;
	int64_t time = history_since(&a->history, a->picture->assoc_keys[row], HISTORY_R, 1, over,
				     travel_time(a), &always);

	buf[0] = '\0';
	if (time == I64_UNKNOWN)
		return;
	travel_clock(a, time, when, sizeof(when));
	snprintf(buf, size, ", %s since %s%s", over ? "over-served" : "below its share",
		 always ? "before " : "", when);
}

struct ranked {
	uint32_t row;
	double value;
};

/* Keeps TOP ordered, largest first. */
static void inspect_rank(struct ranked top[TOP], uint32_t row, double value)
{
	int at = TOP;

	while (at > 0 && (top[at - 1].row == ROW_NONE || value > top[at - 1].value))
		at--;
	if (at == TOP)
		return;
	memmove(&top[at + 1], &top[at], (size_t)(TOP - 1 - at) * sizeof(*top));
	top[at] = (struct ranked){ row, value };
}

/* For the root: the account furthest off. Those without shares are in the line above the rows. */
static void put_worst(const struct app *a, struct doc *d)
{
	const struct sheet *sheet = &a->sheets[VIEW_ACCOUNTS];
	const struct cluster *c = a->picture->cluster;
	struct ranked top[TOP] = NOBODY;
	char path[512], times[40], used[32];

	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i++) {
		double served = sheet_served(sheet, &sheet->list.now, i);

		if (cluster_is_user(c, i) || isinf(served) || sheet_service(served) != SERVICE_OVER)
			continue;
		inspect_rank(top, i, look_served(sheet, &sheet->list.now, i));
	}
	doc_put(d, ROLE_VALUE, top[0].row == ROW_NONE ?
		"No account with shares is known to be over-served" :
		"Most over-served:");
	for (int i = 0; i < TOP && top[i].row != ROW_NONE; i++) {
		double served = sheet_served(sheet, &sheet->list.now, top[i].row);
		size_t length = cluster_path(c, top[i].row, path, sizeof(path)), cut;

		snprintf(times, sizeof(times), " %s times",
			 detail_times(served, used, sizeof(used)));
		/* The end of a deep path says more. */
		cut = length < sizeof(path) && length > PATH_SHOWN ? length - PATH_SHOWN : 0;
		while (((unsigned char)path[cut] & 0xc0) == 0x80)
			cut++;
		if (i > 0)
			doc_put(d, ROLE_OVER, ",");
		if (d->column + (int)(length - cut + strlen(times)) + 4 > d->width)
			doc_line(d);
		doc_putf(d, ROLE_OVER, "  %s%s", cut == 0 ? "" : d->ascii ? "~" : "…", path + cut);
		doc_put(d, ROLE_VALUE, times);
	}
}

static void put_sentence(const struct app *a, struct doc *d, uint32_t row)
{
	const struct sheet *sheet = &a->sheets[VIEW_ACCOUNTS];
	const struct model *m = a->picture->model;
	const struct fs_result *fs = m->fs;
	double served = sheet_served(sheet, &sheet->list.now, row);
	enum service service = sheet_service(served);
	bool siblings = fs->level_fs != NULL;
	char used[32], share[32], times[32], text[400];
	size_t length;

	doc_line(d);
	if (row == 0 && fs->norm_shares) {
		put_worst(a, d);
		return;
	}
	if (!fs->norm_shares || service == SERVICE_UNKNOWN) {
		doc_put(d, ROLE_HINT, !fs->norm_shares ? "shares count among siblings only" :
			fs_has_no_shares(fs, row) ? "no share, and no usage" :
						    "its share or its usage is unknown");
		return;
	}
	inspect_percent(siblings ? fs->effective_usage[row] : fs->norm_usage[row], used,
			sizeof(used));
	inspect_percent(fs->norm_shares[row], share, sizeof(share));
	if (isinf(served))
		snprintf(text, sizeof(text), "No share at all");
	else if (served == 0)
		snprintf(text, sizeof(text), "Unused");
	else if (service == SERVICE_FAIR)
		snprintf(text, sizeof(text), "Close to its share");
	else if (served > 1)
		snprintf(text, sizeof(text), "%s times its share",
			 detail_times(served, times, sizeof(times)));
	else
		snprintf(text, sizeof(text), "%.3g of its share", served);
	length = strlen(text);
	length += (size_t)snprintf(text + length, sizeof(text) - length,
				   ": %s of %s usage, %s of the shares", used,
				   siblings ? "its siblings'" : "the", share);
	if (service != SERVICE_FAIR)
		inspect_since(a, row, service == SERVICE_OVER, text + length,
			      sizeof(text) - length);
	doc_wrap(d, service == SERVICE_OVER ? ROLE_OVER : service == SERVICE_UNDER ? ROLE_UNDER :
		 ROLE_FAIR, 0, text);
}

/* The users below ROW with the most usage, into TOP; returns how many have usage. */
static uint32_t inspect_consumers(const struct model *m, uint32_t row, struct ranked top[TOP])
{
	const double *u = m->fs->norm_usage;
	uint32_t users = 0;

	for (uint32_t i = row + 1; i < row + cluster_span(m->cluster)[row]; i++) {
		if (!cluster_is_user(m->cluster, i) || !(u[i] > 0))
			continue;
		users++;
		inspect_rank(top, i, u[i]);
	}
	return users;
}

/* One of the users with the most usage. */
struct consumer {
	char name[128], part[32];
};

/* What remains besides those shown: "6 others 14.6 %", or nothing. */
static void tell_others(uint32_t others, double rest, char *buf, size_t size)
{
	char count[32], part[32];

	buf[0] = '\0';
	if (others == 0)
		return;
	format_grouped(others, count, sizeof(count));
	inspect_percent(fmax(rest, 0), part, sizeof(part));
	snprintf(buf, size, "%s %s %s", count, plural(others, "other", "others"), part);
}

/* Uses shorter bars, then fewer of them, if names are long. */
static void put_who(const struct app *a, struct doc *d, uint32_t row)
{
	const struct model *m = a->picture->model;
	struct ranked top[TOP] = NOBODY;
	struct consumer reported[TOP];
	double rest = 1, sum = 0, whole;
	uint32_t users, shown;
	char others[80];
	int used = 0, bar;

	if (!m->fs->norm_usage || cluster_is_user(m->cluster, row))
		return;
	users = inspect_consumers(m, row, top);
	whole = row == 0 ? 1 : m->fs->norm_usage[row];
	if (users == 0 || !(whole > 0))
		return;
	inspect_put_label(d, "who");
	shown = users < TOP ? users : TOP;
	for (uint32_t i = 0; i < shown; i++) {
		detail_name(m->cluster, top[i].row, reported[i].name, sizeof(reported[i].name));
		inspect_percent(top[i].value / whole, reported[i].part, sizeof(reported[i].part));
		used += doc_text_width(d, reported[i].name) + (int)strlen(reported[i].part) + 5;
		rest -= top[i].value / whole;
		sum += top[i].value;
	}
	for (;; shown--) {
		tell_others(users - shown, rest, others, sizeof(others));
		bar = (int)((d->width - d->column - used - (int)strlen(others)) *
			    top[0].value / sum);
		if (bar >= BAR_LEAST || shown == 1)
			break;
		used -= doc_text_width(d, reported[shown - 1].name) +
			(int)strlen(reported[shown - 1].part) + 5;
		rest += top[shown - 1].value / whole;
		sum -= top[shown - 1].value;
	}
	bar = bar < BAR ? bar : BAR;
	for (uint32_t i = 0; i < shown; i++) {
		int cells = (int)lround(top[i].value / top[0].value * bar);

		doc_putf(d, ROLE_USER, "%s ", reported[i].name);
		for (int x = cells; x > 0; x--)
			doc_put(d, ROLE_CHART, d->ascii ? "=" : "━");
		doc_putf(d, ROLE_NUMBER, "%s%s   ", cells > 0 ? " " : "", reported[i].part);
	}
	doc_put(d, ROLE_HINT, others);
}

/* F in the past, as far as it is known: CELLS values in equal steps of time, from BEGIN on. */
static uint32_t past_of(const struct app *a, uint32_t row, float *values, uint32_t cells,
			int64_t *begin)
{
	const struct history *h = &a->history;
	uint32_t count, i = 0, n;
	const float *v = history_get(h, a->picture->assoc_keys[row], HISTORY_F, &count);
	int64_t end = travel_time(a);

	while (count > 0 && h->times[count - 1] > end)
		count--;
	for (n = 0; v && count > 1 && n < cells; n++) {
		int64_t time = h->times[0] + (end - h->times[0]) * n / (cells - 1);

		while (i + 1 < count && h->times[i + 1] <= time)
			i++;
		values[n] = v[i];
	}
	*begin = h->times[0];
	return n;
}

/*
 * F with DIGITS digits, or "<0.0001". NOW: the exact present value; if that is not 0, an F of 0 may
 * only be too small for a float.
 */
static void f_of(double f, double now, int digits, char *buf, size_t size)
{
	if (f < 1e-4 && (f > 0 || now > 0))
		snprintf(buf, size, "<0.0001");
	else
		snprintf(buf, size, "%.*g", digits, f);
}

/* "0.415 now   Sat 09:00 0.396 ▇▆▅▄▃ ▃▄▅▆ 0.48 in 7d   0.5 on Thu 7 May 10:20" */
static void inspect_put_past(const struct app *a, struct doc *d, uint32_t row)
{
	const double *f = a->picture->model->fs->fairshare;
	const struct forecast *ahead = &a->inspect->ahead;
	bool narrow = d->width < 100;	/* no cells for where the curve begins */
	uint32_t cells = narrow ? 8 : d->width < 140 ? 12 : CELLS_MOST, past, coming;
	float values[2 * CELLS_MOST + 1];
	int64_t begin, until;
	char when[48];

	if (row == 0 || !f || !f64_known(f[row]))
		return;
	past = past_of(a, row, values, cells, &begin);
	values[past] = (float)F64_UNKNOWN;
	coming = inspect_ahead(a, &until, values + past + 1, cells);
	inspect_put_label(d, "F");
	f_of(f[row], f[row], 4, when, sizeof(when));
	doc_putf(d, ROLE_VALUE, "%s %s", when, travel_now(a));
	if (past > 0 && !narrow) {
		travel_clock(a, begin, when, sizeof(when));
		doc_putf(d, ROLE_DIM, "   %s", when);
		f_of((double)values[0], f[row], 3, when, sizeof(when));
		doc_putf(d, ROLE_NUMBER, " %s ", when);
	} else if (past + coming > 0) {
		doc_put(d, ROLE_TEXT, narrow ? " " : "   ");
	}
	if (past + coming > 0)
		spark_put(d, values + (past > 0 ? 0 : 1), past + coming + (past > 0),
			  (int)(past + coming + (past > 0)));
	if (coming > 0) {
		f_of((double)values[past > 0 ? past + coming : coming], f[row], 3, when,
		     sizeof(when));
		doc_putf(d, ROLE_NUMBER, " %s", when);
		travel_spell((until - travel_time(a) + HOUR / 2) / HOUR * HOUR, when, sizeof(when));
		doc_putf(d, ROLE_DIM, " in %s", when);
	}
	if (a->inspect->asked != 0 && !a->inspect->known)
		doc_putf(d, ROLE_HINT, "   %s%s", a->inspect->progress, d->ascii ? "..." : "…");
	if (a->inspect->known && ahead->asked) {
		travel_clock(a, ahead->reached, when, sizeof(when));
		doc_putf(d, ROLE_VALUE, "%s%.3g %s%s", narrow ? "  " : "   ", forecast_goal(a, row),
			 ahead->reached != I64_UNKNOWN ? "on " : "not reached",
			 ahead->reached != I64_UNKNOWN ? when : "");
	}
}

struct limits_line {
	struct doc *doc;
	bool any;
};

static void inspect_put_limit(void *context, const struct quota *q)
{
	struct limits_line *l = context;
	char used[32], limit[32];

	if (!f64_known(q->used) || l->doc->column + 20 > l->doc->width)
		return;
	if (!l->any)
		inspect_put_label(l->doc, "limits");
	format_grouped(q->used, used, sizeof(used));
	format_grouped(q->limit, limit, sizeof(limit));
	doc_putf(l->doc, q->used >= q->limit ? ROLE_WARN : ROLE_VALUE, "%s%s %s of %s",
		 l->any ? ", " : "", q->name, used, limit);
	l->any = true;
}

static void inspect_put_limits(const struct app *a, struct doc *d, uint32_t row)
{
	struct limits_line line = { d, false };

	quota_list(a->picture->cluster, row, inspect_put_limit, &line);
}

/* The pending jobs charged below a row: how many, since when, and the next one. */
struct inspect_waiting {
	uint32_t jobs, next;		/* NEXT: entry of the best rank, ROW_NONE */
	int64_t since;
};

static struct inspect_waiting waiting_below(const struct queue *q, const struct cluster *c,
					    uint32_t row)
{
	const struct job_index *x = q->jobs->index;
	const uint32_t *ranks = q->jobs->order->rank;
	struct inspect_waiting w = { 0, ROW_NONE, INT64_MAX };

	for (uint32_t e = 0; e < x->n; e++) {
		int64_t submit;

		if (x->kind[e] >= JOB_RUNNING || x->assoc[e] == ROW_NONE || x->assoc[e] < row ||
		    x->assoc[e] >= row + cluster_span(c)[row])
			continue;
		if (ranks[e] != U32_UNKNOWN && (w.next == ROW_NONE || ranks[e] < ranks[w.next]))
			w.next = e;
		if (e > 0 && x->job[e] == x->job[e - 1])
			continue;
		w.jobs += x->tasks[e];
		submit = cluster_i64(c, F_JOB_SUBMIT, x->job[e]);
		if (submit != I64_UNKNOWN && submit < w.since)
			w.since = submit;
	}
	return w;
}

static void inspect_put_waiting(const struct app *a, struct doc *d, uint32_t row)
{
	const struct queue *q = a->picture->queue;
	struct inspect_waiting w;
	char when[48], place[16], count[32];
	const uint32_t *pending = a->picture->model->pending;
	/* The owner of the jobs sees all of them. */
	bool hidden = cluster_hides_jobs(a->picture->cluster) &&
		      (!pending || pending[row] == U32_UNKNOWN);

	if (!q || q->jobs->index->n == 0)
		return;
	w = waiting_below(q, a->picture->cluster, row);
	inspect_put_label(d, "pending");
	if (w.jobs == 0) {
		doc_put(d, ROLE_DIM, hidden ? "unknown: other users' jobs are hidden" : "no job");
		return;
	}
	format_grouped(w.jobs, count, sizeof(count));
	doc_putf(d, ROLE_VALUE, "%s%s %s", hidden ? "at least " : "", count,
		 plural(w.jobs, "job", "jobs"));
	if (w.since != INT64_MAX && !hidden) {
		travel_clock(a, w.since, when, sizeof(when));
		doc_putf(d, ROLE_VALUE, ", the oldest since %s", when);
	}
	/* Ranks need more data than the accounts do: only once it was requested. */
	if (w.next == ROW_NONE || !a->opened[VIEW_JOBS])
		return;
	detail_ordinal(q->jobs->order->rank[w.next], place, sizeof(place));
	doc_putf(d, ROLE_VALUE, "; next is job %s, %s of %u", q->job_names[w.next], place,
		 q->jobs->order->count);
}

/* ---- a job --------------------------------------------------------------------------------- */

/* Only for a priority that is a sum: a scheduler without weights has none. */
static void inspect_put_points(const struct app *a, struct doc *d, uint32_t row)
{
	const struct jobs *j = a->picture->queue->jobs;

	if (j->prio->origin[row] != PRIO_COMPUTED || j->index->kind[row] >= JOB_RUNNING ||
	    j->pbs || j->lsf)
		return;
	inspect_put_label(d, "terms");
	doc_putf(d, ROLE_VALUE, "%u =", j->prio->priority[row]);
	for (int part = 0; part < PART_COUNT; part++) {
		double points = queue_part(j, (enum queue_part)part, row);

		if (f64_known(points) && points != 0)
			doc_putf(d, queue_parts[part].role, " %s %.0f", queue_parts[part].name,
				 points);
	}
}

static void inspect_put_start(const struct app *a, struct doc *d, uint32_t row)
{
	why_start_doc(a, d, row, LABEL);
}

/* ---- a class ------------------------------------------------------------------------------- */

static void put_class(const struct app *a, struct doc *d, uint32_t row)
{
	class_doc(a, d, row, false);
}

/* ---- a queue of a slot pool ---------------------------------------------------------------- */

static void inspect_put_slots(const struct app *a, struct doc *d, uint32_t row)
{
	const struct pools *p = a->picture->pools;
	const struct pools_queue *q = &p->queues[p->members[row]];
	const struct slots_queue *s = pools_slots(p, p->members[row]);
	bool more;

	doc_beginf(d, ROLE_ACCENT, "queue %s", q->name);
	if (q->used < U32_UNKNOWN)
		doc_putf(d, ROLE_VALUE, " uses %u", (unsigned)q->used);
	if (!s) {
		doc_put(d, ROLE_VALUE, q->used < U32_UNKNOWN ? " slots, outside all pools" :
			" is outside all pools");
		return;
	}
	if (s->allotted == U32_UNKNOWN) {
		doc_putf(d, ROLE_VALUE, "%s; its allotment is unknown",
			 q->used < U32_UNKNOWN ? " slots" : " uses an unknown number of slots");
		return;
	}
	more = q->used < U32_UNKNOWN && q->used > s->allotted;
	if (more)
		doc_putf(d, ROLE_VALUE, " slots, %u more than the %u allotted",
			 (unsigned)(q->used - s->allotted), (unsigned)s->allotted);
	else
		doc_putf(d, ROLE_VALUE, "%s of the %u slots allotted to it",
			 q->used < U32_UNKNOWN ? "" : " uses an unknown number",
			 (unsigned)s->allotted);
	doc_putf(d, ROLE_VALUE, " (%u by its share", (unsigned)(s->allotted - q->borrowed));
	if (q->borrowed > 0)
		doc_putf(d, ROLE_VALUE, ", %u borrowed", (unsigned)q->borrowed);
	if (q->lent > 0)
		doc_putf(d, ROLE_VALUE, "; %u left to others", (unsigned)q->lent);
	doc_put(d, ROLE_VALUE, more ? "): running jobs keep theirs" : ")");
}

static void put_slots_share(const struct app *a, struct doc *d, uint32_t row)
{
	const struct pools *p = a->picture->pools;
	const struct pools_queue *q = &p->queues[p->members[row]];
	const struct slots_queue *s = pools_slots(p, p->members[row]);

	if (!s)
		return;
	inspect_put_label(d, "share");
	doc_putf(d, ROLE_VALUE, "%u %% of %s entitles it to %u of %u slots", (unsigned)s->share,
		 p->pools[q->pool].name, (unsigned)s->entitled,
		 (unsigned)p->pools[q->pool].slots.size);
}

static void put_slots_past(const struct app *a, struct doc *d, uint32_t row)
{
	struct pool_series s = pool_past_get(&a->pool_past, a->picture->pools, row, travel_time(a));
	uint32_t shown = s.count < CELLS_MOST ? (uint32_t)s.count : CELLS_MOST;
	char when[48];

	if (shown > 1) {
		inspect_put_label(d, "slots");
		travel_clock(a, s.times[s.count - shown], when, sizeof(when));
		doc_putf(d, ROLE_DIM, "%s ", when);
		spark_put(d, s.values + (s.count - shown), shown, (int)shown);
		doc_putf(d, ROLE_VALUE, " %s", travel_now(a));
	}
	pool_series_free(&s);
}

static void put_slots_waiting(const struct app *a, struct doc *d, uint32_t row)
{
	const struct pools *p = a->picture->pools;
	const struct pools_queue *q = &p->queues[p->members[row]];
	char place[16];

	inspect_put_label(d, "pending");
	if (q->pending < U32_UNKNOWN)
		doc_putf(d, ROLE_VALUE, "%u %s of jobs, ", (unsigned)q->pending,
			 plural(q->pending, "slot", "slots"));
	detail_ordinal(q->dispatch + 1, place, sizeof(place));
	doc_putf(d, ROLE_VALUE, "%s of %u in dispatch order", place, (unsigned)p->queue_count);
}

/* ---- a parameter --------------------------------------------------------------------------- */

/* "PriorityWeightAge 1000 (from slurm.conf); by default 0", and its full meaning. */
static void inspect_put_parameter(const struct app *a, struct doc *d, uint32_t row)
{
	static const struct {
		const char *column, *before;
	} reported[] = {
		{ "value", "  " }, { "unit", " " }, { "from", ", from " },
		{ "default", ";  default " },
	};
	const struct sheet *sheet = &a->sheets[VIEW_POLICY];

	doc_begin(d, ROLE_ACCENT, app_row_name(a, row));
	for (size_t i = 0; i < sizeof(reported) / sizeof(reported[0]); i++) {
		const struct column *column =
			column_find(sheet->all, sheet->all_count, reported[i].column,
				    strlen(reported[i].column));
		struct value v = { .kind = VALUE_UNKNOWN };
		char text[600];

		column_get(column, sheet->list.now.view.context, row, &v);
		sheet_cell(column, &v, 60, d->ascii, text, sizeof(text));
		if (v.kind != VALUE_UNKNOWN && text[0] != '\0')
			doc_putf(d, ROLE_VALUE, "%s%s", reported[i].before, text);
	}
}

static void put_meaning(const struct app *a, struct doc *d, uint32_t row)
{
	const struct sheet *sheet = &a->sheets[VIEW_POLICY];
	struct value v = { .kind = VALUE_UNKNOWN };

	column_get(column_find(sheet->all, sheet->all_count, "meaning", 7),
		   sheet->list.now.view.context, row, &v);
	doc_line(d);
	if (v.kind == VALUE_TEXT)
		doc_wrap(d, ROLE_TEXT, 0, v.text);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static const struct inspect_part {
	const char *name;
	enum view_id view;
	void (*doc)(const struct app *a, struct doc *d, uint32_t row);
} parts[] = {
	{ "sentence", VIEW_ACCOUNTS, put_sentence },
	{ "who", VIEW_ACCOUNTS, put_who },
	{ "past", VIEW_ACCOUNTS, inspect_put_past },
	{ "limits", VIEW_ACCOUNTS, inspect_put_limits },
	{ "waiting", VIEW_ACCOUNTS, inspect_put_waiting },
	{ "sentence", VIEW_JOBS, why_short_doc },
	{ "points", VIEW_JOBS, inspect_put_points },
	{ "start", VIEW_JOBS, inspect_put_start },
	{ "sentence", VIEW_CLASSES, put_class },
	{ "sentence", VIEW_POOLS, inspect_put_slots },
	{ "past", VIEW_POOLS, put_slots_past },
	{ "waiting", VIEW_POOLS, put_slots_waiting },
	{ "sentence", VIEW_POOLS, put_slots_share },
	{ "sentence", VIEW_POLICY, inspect_put_parameter },
	{ "meaning", VIEW_POLICY, put_meaning },
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

static bool inspect_is_reported(const struct app *a, size_t part)
{
	return parts[part].view == a->view && (a->inspect_off >> part & 1) == 0;
}

static bool inspect_has_room(const struct app *a)
{
	size_t i = 0;

	while (i < PARTS && !inspect_is_reported(a, i))
		i++;
	return i < PARTS && (a->height >= TALL || a->width >= WIDE);
}

bool inspect_choose(struct app *a, const char *text, struct err *err)
{
	uint32_t off = 0, known = 0;

	for (size_t i = 0; i < PARTS; i++) {
		size_t length = strlen(parts[i].name);
		const char *at = strstr(text, parts[i].name);

		if (at && (at[length] == ',' || at[length] == '\0') &&
		    (at == text || at[-1] == ','))
			known |= 1u << i;
		else
			off |= 1u << i;
	}
	if (strcmp(text, "on") == 0 || strcmp(text, "off") == 0)
		off = text[1] == 'n' ? 0 : (1u << PARTS) - 1;
	else if (known == 0)
		return err_set(err, ERR_INPUT, "inspector '%s': expected on, off, or some of "
			       "sentence,who,past,limits,waiting,points,start,meaning", text);
	a->inspect_off = off;
	return true;
}

void inspect_chosen(const struct app *a, char *buf, size_t size)
{
	buf[0] = '\0';
	for (size_t i = 0; a->inspect_off != 0 && i < PARTS; i++) {
		if ((a->inspect_off >> i & 1) == 0)
			format_append(buf, size, "%s%s", buf[0] != '\0' ? "," : "", parts[i].name);
	}
	if (buf[0] == '\0')
		snprintf(buf, size, "%s", a->inspect_off == 0 ? "on" : "off");
}

static void inspect_draw(struct app *a, struct canvas *c, struct area area)
{
	struct inspect *in = a->inspect;
	const struct list *l = &app_sheet_get(a)->list;
	uint32_t row = list_row(l);
	struct inspect_of of;

	memset(&of, 0, sizeof(of));
	of = (struct inspect_of){
		row != ROW_NONE ? l->now.keys[row] : 0, travel_time(a), a->pictures,
		(uint32_t)a->view, a->inspect_off, a->history.samples, (uint32_t)area.width,
		(uint32_t)in->known << 2 | (uint32_t)c->ascii << 1 | a->opened[VIEW_JOBS],
		a->start_times->answers,
	};
	if (in->doc.line_count == 0 || memcmp(&of, &in->of, sizeof(of)) != 0) {
		doc_free(&in->doc);
		doc_init(&in->doc, area.width - 4, c->ascii);
		for (size_t i = 0; row != ROW_NONE && i < PARTS; i++) {
			if (inspect_is_reported(a, i))
				parts[i].doc(a, &in->doc, row);
		}
		in->of = of;
	}
	doc_draw(&in->doc, c, area.x + 2, area.y + 1, area.width - 3, area.height - 2, 0);
}

static void inspect_titled(const struct app *a, char *buf, size_t size)
{
	uint32_t row = list_row(&app_sheet_get(a)->list);

	buf[0] = '\0';
	if (row != ROW_NONE)
		app_row_path(a, row, buf, size);
}

/* The same for every row, so that nothing moves with the cursor. */
static int inspect_height(const struct app *a)
{
	int lines = 2 + (a->view == VIEW_CLASSES ? 6 : a->view == VIEW_JOBS ? 2 :
			 a->view == VIEW_POLICY);

	if (a->view == VIEW_JOBS && a->picture && start_times_simulated(a->picture))
		lines += 1 + (whatif_changes(a) != NULL);
	for (size_t i = 0; i < PARTS; i++)
		lines += inspect_is_reported(a, i);
	return lines;
}

const struct pane_ops inspect_pane = {
	.titled = inspect_titled, .place = PANE_ALWAYS_BESIDE, .height = inspect_height,
	.draw = inspect_draw, .has_room = inspect_has_room,
};
