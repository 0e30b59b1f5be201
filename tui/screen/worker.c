/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/worker.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "core/base/mem.h"

#define PUBLISH_MS 300		/* between two answers to one order */

struct worker {
	const struct work *work;
	_Atomic(void *) order;		/* newest wins; NULL: taken */
	_Atomic(void *) answer;		/* the same, from thread to screen */
	atomic_bool quit;
	int wake, event;		/* read by the thread, by the screen */
	int64_t published;		/* thread's: the time; 0: not yet */
	pthread_t thread;
};

static void worker_notify(int fd)
{
	uint64_t one = 1;
	ssize_t n = write(fd, &one, sizeof(one));

	(void)n;	/* a full eventfd is readable, which is enough */
}

/* ---- the thread ---------------------------------------------------------------------------- */

bool worker_wanted(struct worker *w)
{
	return !atomic_load(&w->quit) && !atomic_load(&w->order);
}

bool worker_due(struct worker *w)
{
	return clock_ms() - w->published >= PUBLISH_MS;
}

void worker_publish(struct worker *w, void *answer)
{
	w->work->answer_free(atomic_exchange(&w->answer, answer));
	worker_notify(w->event);
	w->published = clock_ms();
}

static void *worker_run(void *context)
{
	struct worker *w = context;
	uint64_t count;
	void *order;

	while (!atomic_load(&w->quit) && read(w->wake, &count, sizeof(count)) > 0) {
		order = atomic_exchange(&w->order, NULL);
		w->published = 0;
		if (order)
			w->work->run(w, order);
	}
	return NULL;
}

/* ---- screen's side ------------------------------------------------------------------------- */

struct worker *worker_new(const struct work *work, struct err *err)
{
	struct worker *w = mem_zalloc(1, sizeof(*w));
	int code = 0;

	w->work = work;
	w->wake = eventfd(0, EFD_CLOEXEC);
	w->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (w->wake < 0 || w->event < 0)
		code = errno;
	else if ((code = pthread_create(&w->thread, NULL, worker_run, w)) == 0)
		return w;
	err_set(err, ERR_SOURCE, "worker: %s", strerror(code));
	if (w->wake >= 0)
		close(w->wake);
	if (w->event >= 0)
		close(w->event);
	mem_free(w);
	return NULL;
}

void worker_free(struct worker *w)
{
	if (!w)
		return;
	atomic_store(&w->quit, true);
	worker_notify(w->wake);
	pthread_join(w->thread, NULL);
	close(w->wake);
	close(w->event);
	w->work->order_free(atomic_load(&w->order));
	w->work->answer_free(atomic_load(&w->answer));
	mem_free(w);
}

int worker_fd(const struct worker *w)
{
	return w ? w->event : -1;
}

void worker_order(struct worker *w, void *order)
{
	w->work->order_free(atomic_exchange(&w->order, order));
	worker_notify(w->wake);
}

void *worker_take(struct worker *w)
{
	uint64_t count;
	ssize_t n = read(w->event, &count, sizeof(count));

	(void)n;
	return atomic_exchange(&w->answer, NULL);
}
