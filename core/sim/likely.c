/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/likely.h"

#include <stdlib.h>

#include "core/base/dice.h"
#include "core/base/mem.h"

#define DAY INT64_C(86400)
#define DAYS 28			/* past days of which one is drawn for arrivals */
#define AHEAD (3 * DAY)		/* no arrivals after that */
#define COMERS 20000		/* most arrivals */

struct likely {
	struct likely_job *jobs;
	uint32_t *groups;		/* of each job */
	uint32_t running, count, done;
	const struct joblog *log;
	const struct lengths *lengths;
	struct likely_options o;
	uint32_t *limits;		/* starts by limits */
	uint32_t *round;		/* starts in one round */
	uint32_t *starts;		/* LIKELY_ROUNDS per pending job */
	int64_t ahead;			/* s within which others arrive */
};

/* The arrivals of a round: jobs of the log from FIRST on, shifted by LATER s. */
struct comers {
	uint32_t first, count;
	int64_t later;
};

/* ---- one round ----------------------------------------------------------------------------- */

/* The first job of the log that was submitted after TIME. */
static uint32_t submitted_after(const struct joblog *h, int64_t time)
{
	uint32_t low = 0, high = h->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (h->jobs[middle].submit > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/*
 * Draws the arrivals of a round: those after the present time of day on a past day. The drawn day
 * must be over by now, as far as the log goes back, so that no job comes twice.
 */
static struct comers draw_comers(const struct likely *l, uint64_t *dice)
{
	const struct joblog *h = l->log;
	int64_t gap = l->o.now > h->until ? l->o.now - h->until : 0, from;
	int64_t days = (l->o.now - h->begins) / DAY, least = (gap + l->ahead) / DAY + 1;
	struct comers who = { 0, 0, 0 };

	days = days < gap / DAY + DAYS ? days : gap / DAY + DAYS;
	if (days < 1 || l->ahead == 0)
		return who;
	least = least < days ? least : days;
	who.later = DAY * (least + dice_below(dice, (uint32_t)(days - least + 1)));
	from = l->o.now - who.later;
	who.first = submitted_after(h, from);
	while (who.first + who.count < h->count && who.count < COMERS &&
	       h->jobs[who.first + who.count].submit <= from + l->ahead &&
	       h->jobs[who.first + who.count].submit < l->o.now)
		who.count++;
	return who;
}

/* The run time is known if it had ended. */
static struct sim_job likely_comer(const struct likely *l, const struct comers *who, uint32_t i)
{
	const struct joblog_job *j = &l->log->jobs[who->first + i];
	bool ended = j->start != I64_UNKNOWN && j->end != I64_UNKNOWN && j->end <= l->o.now;
	int64_t run = ended ? j->end - j->start : j->limit;

	return (struct sim_job){ .submit = j->submit + who->later, .estimate = j->limit,
				 .run = run < 1 ? 1 : run < j->limit ? (uint32_t)run : j->limit,
				 .procs = j->procs < l->o.procs ? j->procs : l->o.procs };
}

/* A round in progress; it may stop once all pending jobs have begun, whatever has arrived. */
struct round {
	struct sim_job *jobs;
	uint32_t *at;			/* index here of each job of the likely */
	uint32_t begun, count;		/* the likely's jobs before BEGUN have begun */
};

static bool is_going(void *context, uint32_t ended, uint32_t jobs)
{
	struct round *r = context;

	(void)ended;
	(void)jobs;
	while (r->begun < r->count && r->jobs[r->at[r->begun]].start != I64_UNKNOWN)
		r->begun++;
	return r->begun < r->count;
}

/* Fills in the jobs with run times RUNS (NULL: their limits), and arrivals; returns the number. */
static uint32_t fill_round(const struct likely *l, const uint32_t *runs, const struct comers *who,
			   struct round *r)
{
	uint32_t came = 0, n = 0;

	for (uint32_t i = 0; i < l->count; i++) {
		int64_t submit = l->jobs[i].sim.submit;

		while (i >= l->running && came < who->count &&
		       l->log->jobs[who->first + came].submit + who->later < submit)
			r->jobs[n++] = likely_comer(l, who, came++);
		r->at[i] = n;
		r->jobs[n] = l->jobs[i].sim;
		r->jobs[n].start = i < l->running ? r->jobs[n].start : I64_UNKNOWN;
		r->jobs[n++].run = runs ? runs[i] : l->jobs[i].sim.estimate;
	}
	while (came < who->count)
		r->jobs[n++] = likely_comer(l, who, came++);
	return n;
}

static void likely_play(const struct likely *l, const uint32_t *runs, const struct comers *who,
			uint32_t *starts)
{
	struct round r = {
		.jobs = mem_alloc((size_t)l->count + who->count + 1, sizeof(*r.jobs)),
		.at = mem_alloc((size_t)l->count + 1, sizeof(*r.at)),
		.begun = l->running, .count = l->count };
	struct sim_options o = { .policy = l->o.policy, .procs = l->o.procs, .now = l->o.now,
				 .running = l->running, .depth = l->o.depth,
				 .progress = is_going, .context = &r };
	uint32_t count = fill_round(l, runs, who, &r);
	struct err err;

	if (o.policy == SIM_CONSERVATIVE)	/* with this policy a start may still be a plan */
		o.progress = NULL;
	(void)sim_run(r.jobs, count, &o, &err);
	for (uint32_t i = l->running; i < l->count; i++) {
		int64_t start = r.jobs[r.at[i]].start - l->o.now;

		starts[i - l->running] = start < LIKELY_NEVER ? (uint32_t)start : LIKELY_NEVER;
	}
	mem_free(r.at);
	mem_free(r.jobs);
}

static uint32_t likely_draw(const struct likely *l, struct lengths_draws *d, uint32_t i)
{
	const struct sim_job *j = &l->jobs[i].sim;
	int64_t run = l->jobs[i].endless ? LENGTHS_TO_LIMIT :
		      i < l->running ? lengths_draw_running(d, l->groups[i], j->estimate,
							    l->o.now - j->start) :
		      lengths_draw(d, l->groups[i], j->estimate);

	return run < (int64_t)j->estimate ? (uint32_t)run : j->estimate;
}

bool likely_go(struct likely *l)
{
	uint64_t dice = dice_stream(l->o.seed, l->done);
	uint32_t waiting = l->count - l->running, *runs;
	struct lengths_draws *d;
	struct comers who;

	if (l->done == LIKELY_ROUNDS || !l->lengths || lengths_count(l->lengths) == 0)
		return false;
	runs = mem_alloc((size_t)l->count + 1, sizeof(*runs));
	d = lengths_draws_new(l->lengths, dice_roll(&dice), l->done);
	for (uint32_t i = 0; i < l->count; i++)
		runs[i] = likely_draw(l, d, i);
	lengths_draws_free(d);
	who = draw_comers(l, &dice);
	likely_play(l, runs, &who, l->round);
	for (uint32_t i = 0; i < waiting; i++)
		l->starts[(size_t)i * LIKELY_ROUNDS + l->done] = l->round[i];
	l->done++;
	mem_free(runs);
	return true;
}

/* ---- all of them --------------------------------------------------------------------------- */

struct likely *likely_new(struct likely_job *jobs, uint32_t running, uint32_t count,
			  const struct joblog *log, const struct lengths *lengths,
			  const struct likely_options *o)
{
	uint32_t waiting = count - running;
	struct likely *l = mem_zalloc(1, sizeof(*l));

	*l = (struct likely){ .jobs = jobs, .running = running, .count = count, .o = *o,
			      .log = log, .lengths = lengths };
	l->groups = mem_alloc((size_t)count + 1, sizeof(*l->groups));
	for (uint32_t i = 0; i < count && lengths; i++)
		l->groups[i] = lengths_group(lengths, jobs[i].user, jobs[i].account,
					     jobs[i].sim.estimate);
	l->limits = mem_alloc((size_t)waiting + 1, sizeof(*l->limits));
	l->round = mem_alloc((size_t)waiting + 1, sizeof(*l->round));
	l->starts = mem_alloc((size_t)waiting * LIKELY_ROUNDS + 1, sizeof(*l->starts));
	likely_play(l, NULL, &(const struct comers){ 0, 0, 0 }, l->limits);
	for (uint32_t i = 0; i < waiting; i++)
		l->ahead = l->limits[i] > l->ahead ? l->limits[i] : l->ahead;
	l->ahead = l->ahead < AHEAD ? l->ahead : AHEAD;
	return l;
}

void likely_free(struct likely *l)
{
	if (!l)
		return;
	MEM_FREE(l->jobs, l->groups, l->limits, l->round, l->starts, l);
}

static int likely_ascending(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

struct likely_span likely_span_of(struct likely *l, uint32_t waiting)
{
	uint32_t *starts = l->starts + (size_t)waiting * LIKELY_ROUNDS, n = l->done;

	if (n == 0)
		return (struct likely_span){ LIKELY_NEVER, LIKELY_NEVER, LIKELY_NEVER };
	qsort(starts, n, sizeof(*starts), likely_ascending);
	return (struct likely_span){ starts[(n * 10 + 99) / 100 - 1],
				     starts[(n * 50 + 99) / 100 - 1],
				     starts[(n * 90 + 99) / 100 - 1] };
}

uint32_t likely_by_limits(const struct likely *l, uint32_t waiting)
{
	return l->limits[waiting];
}
