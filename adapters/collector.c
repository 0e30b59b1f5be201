/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads share what is under the lock (the slot, the status, the requests) and the descriptor
 * that wakes the owner, which is written and read under the lock, too: what is taken is never newer
 * than the status it comes with, and later news wakes the owner again.
 */
#include "adapters/collector.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "adapters/wake.h"
#include "core/base/mem.h"

#define BACKOFF_LEAST_MS 1000
#define SLOW_MOST_MS 60000	/* longest pause because of a slow answer */
#define JOIN_MS 3000		/* a cancelled fetch returns earlier */

/* Times to be read for the owner; one answer waits to be taken. */
struct survey {
	int64_t *times;
	size_t count, next;
	uint32_t needs;
	uint64_t number;		/* of the survey: late answers to others are dropped */
	bool answered;
	int64_t time;
	struct cluster *cluster;
};

struct collector {
	struct source *source;		/* used by the thread only */
	int event_fd;
	struct collector_maker maker;	/* make and drop are never NULL */
	pthread_t thread;
	pthread_mutex_t lock;		/* for all that follows */
	pthread_cond_t changed;
	void *slot;			/* what was made last and nobody has taken, or NULL */
	uint32_t needs;			/* requested by the owner */
	uint32_t fetched;		/* needs of the last good fetch */
	int64_t every_ms, backoff_ms;
	bool refresh, quit, finished;
	bool demand;			/* fetch now, whatever the state */
	bool seek;			/* AT is new */
	int64_t at;
	bool past_new;
	struct timeline past;
	struct survey survey;
	struct collector_status status;
};

/* ---- the thread ---------------------------------------------------------------------------- */

enum collector_turn { TURN_ASK, TURN_LOOK, TURN_LEAVE };

/* Under the lock: sleeps until there is something to do. */
static enum collector_turn wait_turn(struct collector *c)
{
	while (!c->quit) {
		bool asks = !c->status.frozen && c->status.state != COLLECTOR_ENDED;

		if (c->demand || (asks && (c->refresh || c->status.next_ms <= clock_ms())))
			return TURN_ASK;
		if (!c->survey.answered && c->survey.next < c->survey.count)
			return TURN_LOOK;
		clock_cond_wait(&c->changed, &c->lock, asks ? c->status.next_ms : -1);
	}
	return TURN_LEAVE;
}

static void *make_nothing(void *context, struct cluster *cluster)
{
	(void)context;
	return cluster;
}

static void drop_cluster(void *cluster)
{
	cluster_free(cluster);
}

/* Under the lock. */
static void collector_succeeded(struct collector *c, enum fetch_result result, uint32_t needs)
{
	struct collector_status *s = &c->status;
	int64_t pause_ms = s->took_ms < SLOW_MOST_MS ? s->took_ms : SLOW_MOST_MS;
	int64_t now_ms = clock_ms();
	bool once = !c->source->ops->live;

	if (result == FETCH_NEW)
		c->fetched = needs;
	if (pause_ms < c->every_ms)
		pause_ms = c->every_ms;
	if (result != FETCH_END)
		s->last_good_ms = now_ms;
	s->state = result == FETCH_END || once ? COLLECTOR_ENDED : COLLECTOR_GOOD;
	s->problem[0] = '\0';
	s->code = ERR_NONE;
	s->line = 0;
	s->next_ms = s->state == COLLECTOR_ENDED ? -1 : now_ms + pause_ms;
	c->backoff_ms = 0;
}

/*
 * Under the lock. The owner keeps the last good cluster. A source that recovers is noticed within
 * one interval.
 */
static void collector_failed(struct collector *c, const struct err *err)
{
	struct collector_status *s = &c->status;

	if (s->state == COLLECTOR_GOOD)
		s->state = COLLECTOR_STALE;
	snprintf(s->problem, sizeof(s->problem), "%s", err->message);
	s->code = err->code;
	s->line = err->line;
	c->backoff_ms = c->backoff_ms > 0 ? c->backoff_ms * 2 : c->every_ms / 10;
	if (c->backoff_ms > c->every_ms)
		c->backoff_ms = c->every_ms;
	if (c->backoff_ms < BACKOFF_LEAST_MS)
		c->backoff_ms = BACKOFF_LEAST_MS;
	s->next_ms = clock_ms() + c->backoff_ms;
}

/* Under the lock, which is released while the source is asked. */
static void collector_ask(struct collector *c)
{
	struct fetch_request request = { .needs = c->needs, .deadline_ms = -1 };
	struct cluster *cluster = NULL;
	void *made = NULL, *unread = NULL;
	struct err err = { .code = ERR_NONE };
	int64_t start_ms = clock_ms(), at = c->at;
	bool seek = c->seek;
	struct timeline past;
	enum fetch_result result;

	c->refresh = c->demand = c->seek = false;
	c->status.busy = true;
	wake_up(c->event_fd);
	pthread_mutex_unlock(&c->lock);
	if (seek)
		(void)source_seek(c->source, at, NULL);
	(void)source_past(c->source, &past, NULL);
	result = source_fetch(c->source, &request, &cluster, &err);
	if (result == FETCH_NEW)
		made = c->maker.make(c->maker.context, cluster);
	pthread_mutex_lock(&c->lock);
	if (made) {
		unread = c->slot;
		c->slot = made;
	}
	if (past.count > 0) {
		timeline_free(&c->past);
		c->past = past;
		c->past_new = true;
	}
	c->status.busy = false;
	c->status.took_ms = clock_ms() - start_ms;
	snprintf(c->status.health, sizeof(c->status.health), "%s", c->source->health);
	if (result == FETCH_FAILED)
		collector_failed(c, &err);
	else
		collector_succeeded(c, result, request.needs);
	/* If the needs grew meanwhile, this answer does not cover them. */
	if (c->needs & ~request.needs)
		c->refresh = true;
	wake_up(c->event_fd);
	if (unread) {
		pthread_mutex_unlock(&c->lock);
		c->maker.drop(unread);	/* takes a while; the owner must not wait for it */
		pthread_mutex_lock(&c->lock);
	}
}

/* Reads one time of the survey. Under the lock, which is released meanwhile. */
static void collector_look(struct collector *c)
{
	struct survey *s = &c->survey;
	int64_t time = s->times[s->next++];
	uint64_t number = s->number;
	uint32_t needs = s->needs;
	struct cluster *cluster;

	pthread_mutex_unlock(&c->lock);
	cluster = source_look(c->source, time, needs, NULL);
	pthread_mutex_lock(&c->lock);
	if (number != s->number) {
		cluster_free(cluster);
		return;
	}
	s->answered = true;
	s->time = time;
	s->cluster = cluster;
	wake_up(c->event_fd);
}

static void *collector_collect(void *argument)
{
	struct collector *c = argument;
	enum collector_turn turn;

	pthread_mutex_lock(&c->lock);
	while ((turn = wait_turn(c)) != TURN_LEAVE) {
		if (turn == TURN_ASK)
			collector_ask(c);
		else
			collector_look(c);
	}
	c->finished = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	return NULL;
}

/* ---- the owner's side ---------------------------------------------------------------------- */

static void collector_destroy(struct collector *c)
{
	source_close(c->source);
	timeline_free(&c->past);
	mem_free(c->survey.times);
	cluster_free(c->survey.cluster);
	if (c->slot)
		c->maker.drop(c->slot);
	if (c->maker.done)
		c->maker.done(c->maker.context);
	if (c->event_fd >= 0)
		close(c->event_fd);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	mem_free(c);
}

struct collector *collector_new(struct source *source, uint32_t needs, int64_t every_ms,
				struct err *err)
{
	const struct collector_maker none = { .make = make_nothing, .drop = drop_cluster };

	return collector_new_making(source, needs, every_ms, &none, err);
}

struct collector *collector_new_making(struct source *source, uint32_t needs, int64_t every_ms,
				       const struct collector_maker *maker, struct err *err)
{
	struct collector *c = mem_zalloc(1, sizeof(*c));
	int error;

	c->source = source;
	c->maker = *maker;
	c->needs = needs;
	c->every_ms = every_ms;
	c->status.last_good_ms = -1;
	c->status.next_ms = clock_ms();
	pthread_mutex_init(&c->lock, NULL);
	clock_cond_init(&c->changed);
	c->event_fd = wake_new(NULL);
	error = c->event_fd < 0 ? -1 : pthread_create(&c->thread, NULL, collector_collect, c);
	if (error != 0) {
		collector_destroy(c);
		err_set(err, ERR_SOURCE, "collector: %s",
			error < 0 ? "no eventfd" : strerror(error));
		return NULL;
	}
	return c;
}

void collector_free(struct collector *c)
{
	int64_t end_ms = clock_ms() + JOIN_MS;
	bool finished;

	if (!c)
		return;
	pthread_mutex_lock(&c->lock);
	c->quit = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
	source_cancel(c->source);
	pthread_mutex_lock(&c->lock);
	while (!c->finished && clock_cond_wait(&c->changed, &c->lock, end_ms))
		;
	finished = c->finished;
	pthread_mutex_unlock(&c->lock);
	if (!finished) {
		/* Leaking its memory is better than waiting for a thread that does not end. */
		pthread_detach(c->thread);
		return;
	}
	pthread_join(c->thread, NULL);
	collector_destroy(c);
}

int collector_fd(const struct collector *c)
{
	return c->event_fd;
}

void *collector_take(struct collector *c, struct collector_status *status)
{
	void *made;

	pthread_mutex_lock(&c->lock);
	(void)wake_take(c->event_fd);
	made = c->slot;
	c->slot = NULL;
	if (status)
		*status = c->status;
	pthread_mutex_unlock(&c->lock);
	return made;
}

void collector_refresh(struct collector *c)
{
	pthread_mutex_lock(&c->lock);
	if (!c->status.frozen) {
		c->refresh = true;
		pthread_cond_broadcast(&c->changed);
	}
	pthread_mutex_unlock(&c->lock);
}

/* Under the lock: asks for what was not fetched. While it is frozen, that waits. */
static void collector_ask_missing(struct collector *c)
{
	if (!(c->needs & ~c->fetched) || c->status.frozen || c->status.last_good_ms < 0)
		return;
	c->refresh = true;
	/* A source that has ended can be read again if it has a past. */
	c->demand = c->demand || c->source->ops->look;
}

void collector_freeze(struct collector *c, bool frozen)
{
	pthread_mutex_lock(&c->lock);
	if (c->status.frozen != frozen) {
		c->status.frozen = frozen;
		c->refresh = c->refresh && !frozen;
		collector_ask_missing(c);
		pthread_cond_broadcast(&c->changed);
		wake_up(c->event_fd);
	}
	pthread_mutex_unlock(&c->lock);
}

void collector_needs(struct collector *c, uint32_t needs)
{
	pthread_mutex_lock(&c->lock);
	if (needs != c->needs) {
		c->needs = needs;
		collector_ask_missing(c);
		pthread_cond_broadcast(&c->changed);
	}
	pthread_mutex_unlock(&c->lock);
}

void collector_every(struct collector *c, int64_t every_ms)
{
	pthread_mutex_lock(&c->lock);
	c->every_ms = every_ms;
	pthread_mutex_unlock(&c->lock);
}

void collector_seek(struct collector *c, int64_t at)
{
	pthread_mutex_lock(&c->lock);
	c->at = at;
	c->demand = c->seek = true;
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

bool collector_past(struct collector *c, struct timeline *out)
{
	bool is_new;

	pthread_mutex_lock(&c->lock);
	is_new = c->past_new;
	if (is_new) {
		*out = c->past;
		c->past = (struct timeline){ .count = 0 };
		c->past_new = false;
	}
	pthread_mutex_unlock(&c->lock);
	return is_new;
}

void collector_survey(struct collector *c, const int64_t *times, size_t count, uint32_t needs)
{
	struct survey *s = &c->survey;

	pthread_mutex_lock(&c->lock);
	mem_free(s->times);
	cluster_free(s->cluster);
	*s = (struct survey){ .count = count, .needs = needs, .number = s->number + 1 };
	s->times = mem_alloc(count > 0 ? count : 1, sizeof(*times));
	if (count > 0)
		memcpy(s->times, times, count * sizeof(*times));
	pthread_cond_broadcast(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

bool collector_looked(struct collector *c, int64_t *time, struct cluster **cluster)
{
	struct survey *s = &c->survey;
	bool answered;

	pthread_mutex_lock(&c->lock);
	answered = s->answered;
	if (answered) {
		*time = s->time;
		*cluster = s->cluster;
		s->cluster = NULL;
		s->answered = false;
		pthread_cond_broadcast(&c->changed);
	}
	pthread_mutex_unlock(&c->lock);
	return answered;
}
