/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared data of the threads is under one lock, except sources and what is made of them. */
#include "adapters/turns.h"

#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "adapters/wake.h"
#include "core/base/mem.h"

#define JOIN_MS 3000		/* a cancelled fetch returns earlier */

struct turns_member {
	char *spec;
	struct source *source;		/* used by the asking thread; NULL: not open */
	void *made;			/* the newest result not yet taken */
	bool news;
	int64_t asked_ms;		/* when the present fetch began */
	struct stat files[2];		/* of a file and its log, when it answered */
	struct collector_status status;
};

struct turns {
	struct turns_maker maker;
	uint32_t needs;
	int64_t every_ms;
	int event_fd;
	pthread_t threads[TURNS_THREADS];
	size_t thread_count;
	pthread_mutex_t lock;		/* for all that follows */
	pthread_cond_t changed;
	bool quit, frozen;
	size_t running;			/* threads */
	size_t next;			/* where turns_take() searches first */
	struct turns_member *members;
	size_t count;
};

/* ---- turns ---------------------------------------------------------------------------------- */

static bool is_failing(const struct turns_member *m)
{
	return m->status.code != ERR_NONE;
}

static int64_t turns_sooner(int64_t a, int64_t b)
{
	return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* The next source to ask, or NULL; *WHEN: when to check again, -1 never. Under the lock. */
static struct turns_member *next_member(struct turns *f, int64_t *when)
{
	size_t young = 0, failing = 0;
	int64_t now = clock_ms(), turn = -1;
	struct turns_member *next = NULL;

	*when = -1;
	for (size_t i = 0; i < f->count; i++) {
		const struct turns_member *m = &f->members[i];

		if (!m->status.busy)
			continue;
		failing += is_failing(m);
		if (now - m->asked_ms < TURNS_PATIENCE_MS) {
			young++;
			turn = turns_sooner(turn, m->asked_ms + TURNS_PATIENCE_MS);
		}
	}
	for (size_t i = 0; i < f->count && !f->frozen; i++) {
		struct turns_member *m = &f->members[i];

		if (m->status.busy || (is_failing(m) && failing >= TURNS_THREADS / 2))
			continue;
		if (m->status.next_ms > now)
			*when = turns_sooner(*when, m->status.next_ms);
		else if (!next || m->status.next_ms < next->status.next_ms)
			next = m;
	}
	if (young < TURNS_AT_ONCE)
		return next;
	if (next)
		*when = turns_sooner(*when, turn);
	return NULL;
}

/* ---- asking --------------------------------------------------------------------------------- */

/* Both are zero for a source that is not a file. */
static void look_at_files(const char *spec, struct stat files[2])
{
	char log[4100];

	memset(files, 0, 2 * sizeof(files[0]));
	if (!spec || stat(spec, &files[0]) != 0 || !S_ISREG(files[0].st_mode)) {
		memset(&files[0], 0, sizeof(files[0]));
		return;
	}
	snprintf(log, sizeof(log), "%.4090s-wal", spec);
	if (stat(log, &files[1]) != 0)
		memset(&files[1], 0, sizeof(files[1]));
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Is it a file that has answered and did not change since? */
static bool turns_is_unchanged(const struct turns_member *m, const struct stat now[2])
{
	return now[0].st_ino != 0 && m->status.last_good_ms >= 0 && !is_failing(m) &&
	       is_same_file(&now[0], &m->files[0]) && is_same_file(&now[1], &m->files[1]);
}

/* Under the lock. */
static void turns_finish(struct turns *f, struct turns_member *m, enum fetch_result result,
			 const struct err *err, void *made)
{
	struct collector_status *s = &m->status;
	int64_t now = clock_ms(), pause;

	s->busy = false;
	s->took_ms = now - m->asked_ms;
	pause = s->took_ms > f->every_ms ? s->took_ms : f->every_ms;
	s->next_ms = now + pause;
	s->code = ERR_NONE;
	s->line = 0;
	s->problem[0] = '\0';
	if (result == FETCH_FAILED) {
		s->state = s->last_good_ms >= 0 ? COLLECTOR_STALE : COLLECTOR_LOADING;
		s->code = err->code != ERR_NONE ? err->code : ERR_SOURCE;
		s->line = err->line;
		snprintf(s->problem, sizeof(s->problem), "%s", err->message);
	} else {
		s->state = COLLECTOR_GOOD;
		s->last_good_ms = now;
	}
	if (made && m->made)
		f->maker.drop(m->made, made);
	m->made = made ? made : m->made;
	m->news = true;
	wake_up(f->event_fd);
}

/* Under the lock, which is released meanwhile: while M is busy, only this thread uses it. */
static void turns_ask(struct turns *f, struct turns_member *m)
{
	struct fetch_request request = { .needs = f->needs, .deadline_ms = -1 };
	enum fetch_result result = FETCH_FAILED;
	struct err err = { .code = ERR_NONE };
	struct cluster *cluster = NULL;
	struct source *source = m->source;
	struct stat files[2];
	void *made = NULL;

	m->status.busy = true;
	m->asked_ms = clock_ms();
	pthread_mutex_unlock(&f->lock);
	look_at_files(m->spec, files);
	if (turns_is_unchanged(m, files)) {
		result = FETCH_SAME;
	} else {
		if (!source)
			source = f->maker.open(m->spec, &err);
		pthread_mutex_lock(&f->lock);
		m->source = source;
		if (f->quit && source)
			source_cancel(source);
		pthread_mutex_unlock(&f->lock);
		if (source)
			result = source_fetch(source, &request, &cluster, &err);
		if (result == FETCH_NEW || result == FETCH_FAILED)
			made = f->maker.make(f->maker.context, (size_t)(m - f->members), source,
					     cluster);
	}
	pthread_mutex_lock(&f->lock);
	memcpy(m->files, files, sizeof(files));
	turns_finish(f, m, result, &err, made);
	/* Close a file's source: it is opened again when the file has changed. */
	if (source && (files[0].st_ino != 0 || source->refused)) {
		m->source = NULL;
		pthread_mutex_unlock(&f->lock);
		source_close(source);
		pthread_mutex_lock(&f->lock);
	}
}

static void *turns_work(void *argument)
{
	struct turns *f = argument;

	pthread_mutex_lock(&f->lock);
	while (!f->quit) {
		int64_t when;
		struct turns_member *m = next_member(f, &when);

		if (m) {
			turns_ask(f, m);
			pthread_cond_signal(&f->changed);
		} else {
			clock_cond_wait(&f->changed, &f->lock, when);
		}
	}
	f->running--;
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
	return NULL;
}

/* ---- the owner's side ----------------------------------------------------------------------- */

static void turns_destroy(struct turns *f)
{
	for (size_t i = 0; i < f->count; i++) {
		source_close(f->members[i].source);
		if (f->members[i].made)
			f->maker.drop(f->members[i].made, NULL);
		mem_free(f->members[i].spec);
	}
	mem_free(f->members);
	if (f->maker.done)
		f->maker.done(f->maker.context);
	if (f->event_fd >= 0)
		close(f->event_fd);
	pthread_cond_destroy(&f->changed);
	pthread_mutex_destroy(&f->lock);
	mem_free(f);
}

struct turns *turns_new(const char *const *specs, struct source *const *opened, size_t count,
			uint32_t needs, int64_t every_ms, const struct turns_maker *maker,
			struct err *err)
{
	struct turns *f = mem_zalloc(1, sizeof(*f));
	size_t wanted = count < TURNS_THREADS ? count : TURNS_THREADS;

	f->maker = *maker;
	f->needs = needs;
	f->every_ms = every_ms;
	f->members = mem_zalloc(count + 1, sizeof(*f->members));
	f->count = count;
	for (size_t i = 0; i < count; i++) {
		f->members[i].spec = specs[i] ? mem_strdup(specs[i]) : NULL;
		f->members[i].source = opened ? opened[i] : NULL;
		f->members[i].status = (struct collector_status){
			.last_good_ms = -1, .next_ms = clock_ms() };
	}
	pthread_mutex_init(&f->lock, NULL);
	clock_cond_init(&f->changed);
	f->event_fd = wake_new(NULL);
	pthread_mutex_lock(&f->lock);
	while (f->event_fd >= 0 && f->thread_count < wanted &&
	       pthread_create(&f->threads[f->thread_count], NULL, turns_work, f) == 0)
		f->thread_count++;
	f->running = f->thread_count;
	pthread_mutex_unlock(&f->lock);
	if (f->thread_count > 0)
		return f;
	turns_destroy(f);
	err_set(err, ERR_SOURCE, "cannot start a thread to query the sources");
	return NULL;
}

void turns_free(struct turns *f)
{
	int64_t end_ms = clock_ms() + JOIN_MS;
	bool finished;

	if (!f)
		return;
	pthread_mutex_lock(&f->lock);
	f->quit = true;
	for (size_t i = 0; i < f->count; i++) {
		if (f->members[i].status.busy && f->members[i].source)
			source_cancel(f->members[i].source);
	}
	pthread_cond_broadcast(&f->changed);
	while (f->running > 0 && clock_cond_wait(&f->changed, &f->lock, end_ms))
		;
	finished = f->running == 0;
	pthread_mutex_unlock(&f->lock);
	for (size_t i = 0; i < f->thread_count; i++) {
		if (finished)
			pthread_join(f->threads[i], NULL);
		else
			pthread_detach(f->threads[i]);
	}
	/* Leaking their memory is better than waiting for threads that do not end. */
	if (finished)
		turns_destroy(f);
}

int turns_fd(const struct turns *f)
{
	return f->event_fd;
}

void turns_drain(struct turns *f)
{
	(void)wake_take(f->event_fd);
}

void turns_wait(const struct turns *f, int other)
{
	struct pollfd fds[] = { { .fd = f->event_fd, .events = POLLIN },
				{ .fd = other, .events = POLLIN } };

	(void)poll(fds, 2, -1);
}

bool turns_take(struct turns *f, size_t *i, struct collector_status *status, void **made)
{
	struct turns_member *m = NULL;

	pthread_mutex_lock(&f->lock);
	for (size_t k = 0; k < f->count && !m; k++) {
		*i = (f->next + k) % f->count;
		m = f->members[*i].news ? &f->members[*i] : NULL;
	}
	if (m) {
		f->next = (*i + 1) % f->count;
		*status = m->status;
		*made = m->made;
		m->made = NULL;
		m->news = false;
	}
	pthread_mutex_unlock(&f->lock);
	return m;
}

void turns_refresh(struct turns *f)
{
	int64_t now = clock_ms();

	pthread_mutex_lock(&f->lock);
	for (size_t i = 0; i < f->count; i++) {
		if (f->members[i].status.next_ms > now)
			f->members[i].status.next_ms = now;
	}
	pthread_cond_broadcast(&f->changed);
	pthread_mutex_unlock(&f->lock);
}

void turns_freeze(struct turns *f, bool frozen)
{
	pthread_mutex_lock(&f->lock);
	if (f->frozen != frozen)
		pthread_cond_broadcast(&f->changed);
	f->frozen = frozen;
	pthread_mutex_unlock(&f->lock);
}
