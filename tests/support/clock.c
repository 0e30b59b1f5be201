/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Defines all functions of adapters/clock.c, so that the linker does not add that file, too. */
#include "tests/support/clock.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "tests/support/await.h"

#define FDS_MAX 8

/* A thread that waits now. */
struct waiter {
	int64_t end_ms;
	struct pollfd fds[FDS_MAX];
	nfds_t count;
	struct waiter *next;
};

atomic_uint clock_waits;
static _Atomic int64_t stopped_ms = -1, ahead_ms, tick_ms;	/* -1: running */
static _Atomic int64_t time_ahead_ms = -1;		/* of clock_time(); -1: the real one */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;	/* for all that follows */
static unsigned flowing, waiting;
static struct waiter *waiters;

static int64_t real_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

int64_t clock_ms(void)
{
	if (atomic_load(&stopped_ms) < 0)
		return real_ms() + atomic_load(&ahead_ms);
	return atomic_fetch_add(&stopped_ms, atomic_load(&tick_ms));
}

int64_t clock_time(void)
{
	int64_t ahead = atomic_load(&time_ahead_ms);

	return ahead < 0 ? (int64_t)time(NULL) : (clock_ms() + ahead) / 1000;
}

int clock_left(int64_t end_ms)
{
	int64_t left = end_ms - clock_ms();

	return end_ms < 0 ? -1 : left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

/* ---- waiting ------------------------------------------------------------------------------- */

/* Call with the lock held. */
static void flow(void)
{
	int64_t first = -1;

	if (flowing == 0 || waiting != flowing)
		return;
	for (struct waiter *w = waiters; w; w = w->next) {
		if (w->count > 0 && poll(w->fds, w->count, 0) > 0)
			return;
		if (w->end_ms >= 0 && (first < 0 || w->end_ms < first))
			first = w->end_ms;
	}
	if (first > atomic_load(&stopped_ms))
		atomic_store(&stopped_ms, first);
}

static void begin(struct waiter *w)
{
	pthread_mutex_lock(&lock);
	w->next = waiters;
	waiters = w;
	waiting++;
	flow();
	pthread_mutex_unlock(&lock);
}

static void end(const struct waiter *w)
{
	struct waiter **at = &waiters;

	pthread_mutex_lock(&lock);
	while (*at != w)
		at = &(*at)->next;
	*at = w->next;
	waiting--;
	pthread_mutex_unlock(&lock);
}

int clock_poll(struct pollfd *fds, nfds_t count, int64_t end_ms)
{
	struct waiter w = { .end_ms = end_ms, .count = count < FDS_MAX ? count : FDS_MAX };
	int n = poll(fds, count, 0);

	if (n != 0 || clock_left(end_ms) == 0)
		return n;
	memcpy(w.fds, fds, w.count * sizeof(*fds));
	begin(&w);
	do {
		n = poll(fds, count, 1);
	} while ((n == 0 && clock_left(end_ms) != 0) || (n < 0 && errno == EINTR));
	end(&w);
	return n;
}

void clock_cond_init(pthread_cond_t *cond)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(cond, &attributes);
	pthread_condattr_destroy(&attributes);
}

/*
 * Returns at least every millisecond so that the caller tests its condition again: a signal sent
 * between the end of a slice and the locking of the mutex would be lost.
 */
bool clock_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, int64_t end_ms)
{
	struct waiter w = { .end_ms = end_ms };
	int64_t slice = real_ms() + 1;
	struct timespec t = { slice / 1000, slice % 1000 * 1000000 };
	bool signalled;

	await_count_up(&clock_waits);
	begin(&w);
	signalled = pthread_cond_timedwait(cond, mutex, &t) == 0;
	end(&w);
	return signalled || clock_left(end_ms) != 0;
}

/* ---- controls ------------------------------------------------------------------------------ */

void clock_stop(int64_t ms)
{
	atomic_store(&stopped_ms, ms);
}

void clock_advance(int64_t ms)
{
	atomic_fetch_add(atomic_load(&stopped_ms) >= 0 ? &stopped_ms : &ahead_ms, ms);
}

void clock_go(void)
{
	clock_tick(0);
	atomic_store(&ahead_ms, clock_ms() - real_ms());
	atomic_store(&stopped_ms, -1);
}

void clock_tick(int64_t ms)
{
	atomic_store(&tick_ms, ms);
}

void clock_flow(unsigned threads)
{
	pthread_mutex_lock(&lock);
	flowing = threads;
	pthread_mutex_unlock(&lock);
}

void clock_set_time(int64_t seconds)
{
	atomic_store(&time_ahead_ms, seconds * 1000 - clock_ms());
}
