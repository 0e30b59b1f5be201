/* SPDX-License-Identifier: GPL-2.0-or-later */
/* verify: recompute what the scheduler reports, and say whether the results are equal. */
#include <stdio.h>

#include "core/base/mem.h"
#include "core/cluster/timeline.h"
#include "core/verify/verify.h"
#include "adapters/clock.h"
#include "cli/every.h"
#include "cli/session.h"
#include "cli/verbs.h"

#define LOOKS_BACK 100		/* most samples examined for one of the pass before */
#define PASSES_BACK 8		/* passes of a recording examined if no time is given */
#define PASSES 3		/* passes that --wait waits for */

/* A sample of the pass before that of NOW; NULL if there is none. */
static struct cluster *picture_before(struct session *s, const struct timeline *line,
				      const struct cluster *now)
{
	uint32_t i = timeline_at(line, cluster_meta(now)->time);

	for (unsigned looks = 0; i != TIMELINE_NONE && i > 0 && looks < LOOKS_BACK; looks++) {
		struct cluster *c = source_look(s->source, line->samples[--i], VERIFY_NEEDS, NULL);
		int passes = c ? verify_passes_between(c, now) : -1;

		if (passes == 1)
			return c;
		cluster_free(c);
		if (passes != 0)
			return NULL;
	}
	return NULL;
}

/* Replaces the session's cluster by C and *OLD by V, its result; frees the old ones. */
static void verb_verify_replace(struct session *s, struct cluster *c, struct verify **old,
				struct verify *v)
{
	verify_free(*old);
	*old = v;
	cluster_free(s->cluster);
	s->cluster = c;
}

/*
 * Sets *V for a recording, from the samples of two passes. Without --at, examines earlier passes,
 * too, until one differs.
 */
static void look_back(struct session *s, struct verify **v)
{
	struct cluster *now = s->cluster, *before;
	struct timeline line;
	unsigned most = s->options->at == I64_UNKNOWN ? PASSES_BACK : 1;

	if (!s->source->ops->look || cluster_meta(now)->time == I64_UNKNOWN ||
	    !source_past(s->source, &line, NULL))
		return;
	before = picture_before(s, &line, now);
	for (unsigned pass = 0; before && pass < most && (*v)->exit_code != 1; pass++) {
		struct verify *w = verify_across(now, before, &s->options->model);
		struct cluster *next = before;
		bool found = w->exit_code == 1;

		if (pass == 0) {
			verify_free(*v);
			*v = w;
		} else if (found) {
			verb_verify_replace(s, now, v, w);
			snprintf((*v)->reason, sizeof((*v)->reason),
				 "the newest sample does not differ, this one does: --at %lld",
				 (long long)cluster_meta(now)->time);
		} else {
			verify_free(w);
		}
		before = found ? NULL : picture_before(s, &line, next);
		if (now != s->cluster)
			cluster_free(now);
		now = next;
	}
	if (now != s->cluster)
		cluster_free(now);
	cluster_free(before);
	timeline_free(&line);
}

/* ---- --wait -------------------------------------------------------------------------------- */

struct wait {
	struct session *s;
	struct cluster *before;		/* of the pass before the cluster's; or NULL */
	int64_t end_ms;			/* when to give up */
	unsigned passes;		/* seen so far */
};

static int64_t period_of(const struct session *s)
{
	int64_t period = cluster_policy(s->cluster)->calc_period;

	return period > 0 && period < INT32_MAX ? period : 300;
}

/* At the next pass if it is known; else soon, so that each pass has a picture. */
static int64_t next_look_ms(const struct wait *w)
{
	const struct cluster_meta *meta = cluster_meta(w->s->cluster);
	int64_t period = period_of(w->s), little = period < 60 ? 1 : period / 60, left = 0;

	if (little > 15)
		little = 15;
	if (meta->last_decay != I64_UNKNOWN && meta->time != I64_UNKNOWN)
		left = meta->last_decay + period + 1 - meta->time;
	return clock_ms() + 1000 * (left > little && left <= period ? left : little);
}

static void verb_verify_take_picture(struct wait *w, struct cluster *c)
{
	int passes = verify_passes_between(w->s->cluster, c);

	if (passes == 0) {
		cluster_free(w->s->cluster);
	} else {
		cluster_free(w->before);
		w->before = w->s->cluster;
		w->passes++;
	}
	w->s->cluster = c;
	if (passes != 0 && passes != 1) {
		cluster_free(w->before);
		w->before = NULL;
	}
}

/* Takes the next picture; returns 0, or an exit status after a message. */
static int look_again(struct wait *w)
{
	struct fetch_request request = { .needs = VERIFY_NEEDS, .deadline_ms = -1 };
	struct err err = { .code = ERR_NONE };
	struct cluster *c = NULL;
	int64_t next = next_look_ms(w);
	int signal = every_wait(next < w->end_ms ? next : w->end_ms);

	if (signal != 0)
		return 128 + signal;
	switch (source_fetch(w->s->source, &request, &c, &err)) {
	case FETCH_NEW:
		verb_verify_take_picture(w, c);
		break;
	case FETCH_SAME:
		break;
	case FETCH_FAILED:
		return complain_about(w->s->source->name, &err);
	case FETCH_END:
		w->end_ms = 0;
	}
	return 0;
}

static void tell_wait(const struct wait *w, const struct verify *v)
{
	remark(w->s->source->name, "waiting, pass %u of at most %d: %s", w->passes + 1, PASSES,
	       v->reason);
}

/* Continues from *V, which is replaced, until everything is decided. */
static int wait_for_verdict(struct session *s, struct verify **v)
{
	struct wait w = { .s = s };
	unsigned reported = UINT32_MAX;
	int status = 0;

	w.end_ms = clock_ms() + 1000 * (PASSES * period_of(s) + 30);
	while (status == 0 && (*v)->undecided && w.passes < PASSES && clock_ms() < w.end_ms) {
		if (reported != w.passes)
			tell_wait(&w, *v);
		reported = w.passes;
		status = look_again(&w);
		if (status != 0)
			break;
		verify_free(*v);
		*v = verify_across(s->cluster, w.before, &s->options->model);
	}
	cluster_free(w.before);
	return status;
}

static int verb_verify_run(struct session *s, struct verify **v)
{
	*v = verify_run(s->cluster, &s->options->model);
	if (!(*v)->undecided)
		return 0;
	if (s->options->wait && s->source->ops->live)
		return wait_for_verdict(s, v);
	if (s->options->wait)
		remark("--wait", "saved data does not change");
	look_back(s, v);
	return 0;
}

int verify_answer(struct session *s, struct selection *selection)
{
	struct verify *v;
	int status = verb_verify_run(s, &v);
	struct verify_view context = { v, s->cluster };
	struct view view = verify_view(&context);
	struct report_extra extras[] = {
		{ "verdict", verify_word(v->exit_code) },
		{ "reason", v->reason[0] ? v->reason : NULL },
	};

	/* Titles without rows would be useless to people; the reason is reported. */
	if (status == 0 && (v->count > 0 || s->options->format != REPORT_TABLE))
		status = session_answer(s, &view, selection, extras, 2);
	if (status == 0) {
		status = v->exit_code;
		if (v->reason[0])
			remark(s->source->name, "%s", v->reason);
	}
	verify_free(v);
	return status;
}
