/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/starter.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/sim/gather.h"

#define PUBLISH_MS 300		/* between two answers to one order */

struct starter {
	_Atomic(struct start_order *) order;	/* newest wins; NULL: taken */
	_Atomic(struct start_answer *) answer;	/* the same, the other way */
	atomic_bool quit;
	int wake, event;		/* the thread's, the screen's */
	pthread_t thread;
};

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void notify(int fd)
{
	uint64_t one = 1;
	ssize_t n = write(fd, &one, sizeof one);

	(void)n;	/* full means readable, which is all that is wanted */
}

/* ---- a simulation -------------------------------------------------------------------------- */

struct playing {
	struct start_order *order;
	struct lengths *lengths;
	struct starting *of[START_PICTURES];
	struct err err;
};

/* The lengths of jobs are those that the picture knows to have ended. */
static void begin(struct playing *p, struct start_order *order, struct starter *starter,
		  bool (*wanted)(void *context))
{
	*p = (struct playing){ .order = order, .lengths = lengths_new() };
	gather_lengths(p->lengths, order->clusters[START_BASE]);
	for (int i = 0; i < START_PICTURES; i++) {
		struct starts_options options = { .lengths = p->lengths, .wanted = wanted,
						  .context = starter };

		if (i == START_EDITED)
			options.points = order->points;
		if (order->clusters[i] != NULL)
			p->of[i] = starts_begin(order->clusters[i], &options, &p->err);
	}
}

/* One more step of each; false: nothing is left. */
static bool step(struct playing *p)
{
	bool left = false;

	for (int i = 0; i < START_PICTURES; i++)
		left = (p->of[i] != NULL && starts_step(p->of[i])) || left;
	return left;
}

static struct start_answer *answer_of(const struct playing *p, bool done)
{
	struct start_answer *answer = mem_zalloc(1, sizeof *answer);

	answer->pictures = p->order->pictures;
	answer->done = done;
	for (int i = 0; i < START_PICTURES; i++) {
		if (p->of[i] != NULL)
			starts_so_far(p->of[i], &answer->starts[i]);
	}
	if (p->err.code != ERR_NONE)
		snprintf(answer->problem, sizeof answer->problem, "%s", p->err.message);
	return answer;
}

static void end(struct playing *p)
{
	for (int i = 0; i < START_PICTURES; i++)
		starts_end(p->of[i]);
	lengths_free(p->lengths);
	start_order_free(p->order);
}

struct start_answer *starter_answer(struct start_order *order)
{
	struct start_answer *answer;
	struct playing p;

	begin(&p, order, NULL, NULL);
	while (step(&p))
		;
	answer = answer_of(&p, true);
	end(&p);
	return answer;
}

/* ---- the thread ---------------------------------------------------------------------------- */

static bool is_wanted(void *context)
{
	struct starter *s = context;

	return !atomic_load(&s->quit) && atomic_load(&s->order) == NULL;
}

static void publish(struct starter *s, const struct playing *p, bool done)
{
	start_answer_free(atomic_exchange(&s->answer, answer_of(p, done)));
	notify(s->event);
}

static void play(struct starter *s, struct start_order *order)
{
	int64_t published = 0;		/* the first answer at once */
	struct playing p;
	bool left = true;

	begin(&p, order, s, is_wanted);
	while (left) {
		left = step(&p);
		if (!is_wanted(s))
			break;
		if (left && now_ms() - published < PUBLISH_MS)
			continue;
		publish(s, &p, !left);
		published = now_ms();
	}
	end(&p);
}

static void *run(void *context)
{
	struct starter *s = context;
	struct start_order *order;
	uint64_t count;

	while (!atomic_load(&s->quit) && read(s->wake, &count, sizeof count) > 0) {
		order = atomic_exchange(&s->order, NULL);
		if (order != NULL)
			play(s, order);
	}
	return NULL;
}

/* ---- the screen's side --------------------------------------------------------------------- */

struct starter *starter_new(void)
{
	struct starter *s = mem_zalloc(1, sizeof *s);

	s->wake = eventfd(0, EFD_CLOEXEC);
	s->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->wake >= 0 && s->event >= 0 && pthread_create(&s->thread, NULL, run, s) == 0)
		return s;
	if (s->wake >= 0)
		close(s->wake);
	if (s->event >= 0)
		close(s->event);
	mem_free(s);
	return NULL;
}

void starter_free(struct starter *s)
{
	if (s == NULL)
		return;
	atomic_store(&s->quit, true);
	notify(s->wake);
	pthread_join(s->thread, NULL);
	close(s->wake);
	close(s->event);
	start_order_free(atomic_load(&s->order));
	start_answer_free(atomic_load(&s->answer));
	mem_free(s);
}

int starter_fd(const struct starter *s)
{
	return s != NULL ? s->event : -1;
}

void starter_order(struct starter *s, struct start_order *order)
{
	if (s == NULL) {
		start_order_free(order);
		return;
	}
	start_order_free(atomic_exchange(&s->order, order));
	notify(s->wake);
}

struct start_answer *starter_take(struct starter *s)
{
	uint64_t count;
	ssize_t n = s != NULL ? read(s->event, &count, sizeof count) : 0;

	(void)n;
	return s != NULL ? atomic_exchange(&s->answer, NULL) : NULL;
}
