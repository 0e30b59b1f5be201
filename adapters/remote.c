/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/remote.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "adapters/child.h"
#include "adapters/clock.h"
#include "adapters/wake.h"
#include "core/cluster/codec.h"
#include "core/base/mem.h"

#define DEADLINE_DEFAULT_MS 30000
#define PATIENCE_MS 3600000	/* for a C function, with a large file or a slow pipe */
#define BACKOFF_MS 1000		/* how often to retry is the caller's decision */
#define GRACE_MS 200		/* between TERM and KILL */
#define STUCK_MOST 4		/* children that not even KILL ended */

struct remote {
	char **argv;		/* owned, NULL-ended */
	char *setting;		/* owned, "NAME=value"; NULL: our environment is unchanged */
	const char **environment;	/* owned: our environment and SETTING */
	const char *name;	/* last part of argv[0] */
	bool function;		/* the child is a C function: no name, not restarted */
	struct child child;
	struct frame_reader reader;
	struct child_tail tail;
	bool went_before;	/* the last request precedes a fetch: keep its stderr */
	bool greeted;		/* HELLO was received */
	char kind[32];		/* from HELLO */
	bool sought;		/* AT was requested: each request includes it */
	int64_t at;
	bool refused;
	char health[200];
	int cancel_fd;		/* wake.h */
	int64_t deadline_ms;	/* of the current request */
	int64_t not_before_ms;	/* 0: the last request succeeded */
	struct err last;	/* why it failed */
	struct child stuck[STUCK_MOST];
};

struct remote *remote_new(const char *const *argv)
{
	struct remote *r = mem_zalloc(1, sizeof(*r));
	const char *slash;
	size_t n = 0;

	while (argv[n])
		n++;
	r->argv = mem_zalloc(n + 1, sizeof(*r->argv));
	for (size_t i = 0; i < n; i++)
		r->argv[i] = mem_strdup(argv[i]);
	slash = strrchr(r->argv[0], '/');
	r->name = slash ? slash + 1 : r->argv[0];
	r->child = (struct child)CHILD_NONE;
	frame_reader_init(&r->reader);
	r->cancel_fd = wake_new(NULL);
	return r;
}

void remote_environment(struct remote *r, const char *name, const char *value)
{
	r->setting = mem_format("%s=%s", name, value);
	r->environment = child_environment_new((const char *const[]){ NULL },
					       (const char *const[]){ r->setting, NULL });
}

/* ---- the child ----------------------------------------------------------------------------- */

static void reap_stuck(struct remote *r)
{
	int status;

	for (int i = 0; i < STUCK_MOST; i++)
		child_reap(&r->stuck[i], 0, &status);
}

static void end_child(struct remote *r)
{
	if (!child_end(&r->child, GRACE_MS)) {
		for (int i = 0; i < STUCK_MOST; i++) {
			if (r->stuck[i].pid == 0) {
				r->stuck[i] = r->child;
				break;
			}
		}
	}
	r->child = (struct child)CHILD_NONE;
	frame_reader_free(&r->reader);
	r->greeted = false;
}

void remote_free(struct remote *r)
{
	if (!r)
		return;
	end_child(r);
	for (size_t i = 0; r->argv[i]; i++)
		mem_free(r->argv[i]);
	mem_free(r->argv);
	mem_free(r->setting);
	mem_free(r->environment);
	child_close(&r->cancel_fd);
	mem_free(r);
}

static bool start_child(struct remote *r, struct err *err)
{
	bool room = false;

	if (r->function)
		return err_set(err, ERR_SOURCE, "the process that read it has ended");
	reap_stuck(r);
	for (int i = 0; i < STUCK_MOST; i++)
		room = room || r->stuck[i].pid == 0;
	if (!room)
		return err_set(err, ERR_SOURCE, "%d of them cannot be killed: stuck in the kernel",
			       STUCK_MOST);
	r->health[0] = '\0';
	if (child_start(&r->child, (const char *const *)r->argv, r->environment, true, err))
		return true;
	r->refused = true;
	return false;
}

/*
 * An idle child is silent: data to read, or an end, mean that the child is unusable; so does a
 * child whose input is closed.
 */
static bool idle_child_is_well(struct remote *r)
{
	struct pollfd p = { r->child.out, POLLIN, 0 };

	child_drain(&r->child.err, &r->tail);
	return r->child.in >= 0 && (!r->greeted || poll(&p, 1, 0) == 0);
}

/*
 * The child closed its output. It has ended, or soon will; its last stderr may still be in the
 * pipe. A loader that misses a library ends it with 127 before it writes anything.
 */
static void tell_end(struct remote *r, struct err *err)
{
	char how[32] = "closed its output";
	int status;

	if (child_reap(&r->child, GRACE_MS, &status)) {
		child_status_text(status, how, sizeof(how));
		if (!r->greeted && WIFEXITED(status) && WEXITSTATUS(status) == 127)
			r->refused = true;
	}
	child_drain(&r->child.err, &r->tail);
	err_set(err, ERR_SOURCE, "ended %s (%s)",
		frame_reader_idle(&r->reader) ? "without an answer" : "in the middle of a frame",
		how);
}

/* ---- one conversation ---------------------------------------------------------------------- */

enum step { STEP_MORE, STEP_FRAME, STEP_BROKEN };

static enum step remote_read_output(struct remote *r, struct err *err)
{
	size_t room;
	void *to = frame_reader_room(&r->reader, &room);
	ssize_t n = read(r->child.out, to, room);

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return STEP_MORE;
	if (n < 0) {
		err_set(err, ERR_SOURCE, "read: %s", strerror(errno));
		return STEP_BROKEN;
	}
	if (n == 0) {
		tell_end(r, err);
		return STEP_BROKEN;
	}
	switch (frame_reader_got(&r->reader, (size_t)n, err)) {
	case FRAME_READY:
		return STEP_FRAME;
	case FRAME_BROKEN:
		return STEP_BROKEN;
	case FRAME_MORE:
		break;
	}
	return STEP_MORE;
}

/* Waits for the next frame, reading standard error meanwhile so that it never blocks the child. */
static bool next_frame(struct remote *r, int64_t end_ms, struct frame *f, struct err *err)
{
	enum step step = STEP_MORE;

	while (step == STEP_MORE) {
		struct pollfd p[3] = { { r->child.out, POLLIN, 0 },
				       { r->cancel_fd, POLLIN, 0 },
				       { r->child.err, POLLIN, 0 } };
		int n = clock_left(end_ms) == 0 ? 0 : clock_poll(p, 3, end_ms);

		if (n == 0)
			return err_set(err, ERR_SOURCE, "no answer within %g s",
				       (double)r->deadline_ms / 1000);
		if (n < 0)
			return err_set(err, ERR_SOURCE, "poll: %s", strerror(errno));
		if (p[1].revents)
			return err_set(err, ERR_SOURCE, "cancelled");
		if (p[2].revents)
			child_drain(&r->child.err, &r->tail);
		if (p[0].revents)
			step = remote_read_output(r, err);
	}
	if (step == STEP_BROKEN)
		return false;
	frame_reader_take(&r->reader, f);
	return true;
}

/* The request, and where answers other than SAME and errors go. */
struct question {
	enum frame_type type;		/* HELLO: wait only for that */
	unsigned char payload[16];
	uint32_t length;
	struct cluster **cluster;	/* NULL: not expected */
	struct timeline *past;		/* NULL likewise */
};

/* Reads an ERROR or REFUSED frame. */
static void take_error(const struct frame *f, struct err *err)
{
	uint32_t code = f->length >= 4 ? frame_get_u32(f->payload) : 0;

	if (code != ERR_INPUT && code != ERR_NOTHING)
		code = ERR_SOURCE;
	err_set(err, (enum err_code)code, "%s",
		f->length > 4 ? (const char *)f->payload + 4 : "failed without a message");
}

/* Reads "fairtop VERSION KIND NAME"; else sets why the conversation is impossible. */
static bool take_hello(struct remote *r, const struct frame *f, struct err *err)
{
	if (f->type == FRAME_ERROR) {
		take_error(f, err);
		return false;
	}
	if (f->type != FRAME_HELLO || strncmp((const char *)f->payload, "fairtop ", 8) != 0)
		return err_set(err, ERR_SOURCE, "sent no greeting (frame of type %d)",
			       (int)f->type);
	r->greeted = true;
	if (sscanf((const char *)f->payload, "fairtop %*s %31s", r->kind) != 1)
		r->kind[0] = '\0';
	return true;
}

enum remote_answer { ANSWER_MORE, ANSWER_NEW, ANSWER_SAME, ANSWER_ERROR, ANSWER_BROKEN };

/* A payload that cannot be read. */
static enum remote_answer remote_unreadable(struct err *err, const char *what)
{
	err_prefix(err, "%s cannot be read", what);
	err->code = ERR_SOURCE;
	return ANSWER_BROKEN;
}

static enum remote_answer remote_take_answer(struct remote *r, const struct frame *f,
					     const struct question *q, struct err *err)
{
	switch (f->type) {
	case FRAME_HEALTH:
		snprintf(r->health, sizeof(r->health), "%s", (const char *)f->payload);
		return ANSWER_MORE;
	case FRAME_CLUSTER:
		if (!q->cluster)
			break;
		*q->cluster = codec_read(f->payload, f->length, err);
		return *q->cluster ? ANSWER_NEW : remote_unreadable(err, "its cluster");
	case FRAME_TIMELINE:
		if (!q->past)
			break;
		return frame_get_timeline(f->payload, f->length, q->past, err) ? ANSWER_NEW :
		       remote_unreadable(err, "its past");
	case FRAME_SAME:
		return ANSWER_SAME;
	case FRAME_REFUSED:
		r->refused = true;
		take_error(f, err);
		return ANSWER_ERROR;
	case FRAME_ERROR:
		take_error(f, err);
		return ANSWER_ERROR;
	case FRAME_HELLO:
	case FRAME_REQUEST:
	case FRAME_PAST:
	case FRAME_LOOK:
		break;
	}
	err_set(err, ERR_SOURCE, "answered with a frame of type %d", (int)f->type);
	return ANSWER_BROKEN;
}

static enum remote_answer remote_converse(struct remote *r, const struct question *q,
					  int64_t deadline_ms, struct err *err)
{
	int64_t end_ms = clock_ms() + deadline_ms;
	bool greeting = q->type == FRAME_HELLO;
	enum remote_answer answer = greeting && r->greeted ? ANSWER_SAME : ANSWER_MORE;
	struct err gone;

	/* Writing to a child that ended at once fails; reading shows why it ended. */
	if (!greeting &&
	    !frame_write(r->child.in, q->type, q->payload, q->length, &gone) && r->greeted) {
		*err = gone;
		return ANSWER_BROKEN;
	}
	while (answer == ANSWER_MORE) {
		struct frame f;

		if (!next_frame(r, end_ms, &f, err))
			return ANSWER_BROKEN;
		if (r->greeted)
			answer = remote_take_answer(r, &f, q, err);
		else if (!take_hello(r, &f, err))
			answer = ANSWER_BROKEN;
		else if (greeting)
			answer = ANSWER_SAME;
		frame_free(&f);
	}
	return answer;
}

/* ---- fetching ------------------------------------------------------------------------------ */

/* Is it a request that precedes a fetch and is part of it for the caller? */
static bool goes_before(const struct question *q)
{
	return q->type == FRAME_HELLO || q->type == FRAME_PAST;
}

/* The child's standard error is more useful than any errno. */
static void add_words(const struct remote *r, struct err *err)
{
	struct err failure = *err;
	char words[420];

	child_tail_words(&r->tail, words, sizeof(words));
	if (words[0])
		err_about(err, err->code, failure.message, "%s", words);
}

/* The child failed: ends it; the next one is started after a short wait. */
static void remote_fail(struct remote *r, const struct question *q, struct err *err)
{
	bool cancelled = wake_take(r->cancel_fd);

	end_child(r);
	if (!cancelled)
		add_words(r, err);
	if (!r->function)
		err_prefix(err, "%s", r->name);
	/* The fetch that follows is cancelled, too. */
	if (cancelled && goes_before(q))
		remote_cancel(r);
	if (cancelled)
		return;
	r->not_before_ms = clock_ms() + BACKOFF_MS;
	r->last = *err;
}

static int64_t remote_patience(const struct remote *r)
{
	return r->function ? PATIENCE_MS : DEADLINE_DEFAULT_MS;
}

/* Never returns ANSWER_MORE. ERR is not NULL. */
static enum remote_answer remote_ask(struct remote *r, const struct question *q,
				     int64_t deadline_ms, struct err *err)
{
	enum remote_answer answer = ANSWER_BROKEN;

	r->refused = false;
	if (r->child.pid != 0 && !idle_child_is_well(r))
		end_child(r);
	if (!r->went_before)
		memset(&r->tail, 0, sizeof(r->tail));
	r->went_before = goes_before(q);
	r->deadline_ms = deadline_ms >= 0 ? deadline_ms : remote_patience(r);
	if (r->child.pid == 0 && r->not_before_ms > 0 && clock_left(r->not_before_ms) > 0) {
		*err = r->last;
		return ANSWER_ERROR;
	}
	if (r->child.pid != 0 || start_child(r, err))
		answer = remote_converse(r, q, r->deadline_ms, err);
	if (answer == ANSWER_BROKEN) {
		remote_fail(r, q, err);
		return ANSWER_ERROR;
	}
	r->not_before_ms = 0;
	if (answer == ANSWER_ERROR) {
		child_drain(&r->child.err, &r->tail);
		add_words(r, err);
	}
	return answer;
}

enum fetch_result remote_fetch(struct remote *r, const struct fetch_request *request,
			       struct cluster **out, struct err *err)
{
	int64_t deadline_ms = request->deadline_ms < 0 ? remote_patience(r) : request->deadline_ms;
	struct question q = { .type = FRAME_REQUEST, .length = r->sought ? 16 : 8, .cluster = out };
	enum remote_answer answer;
	struct err own;

	frame_put_u32(q.payload, request->needs | (request->last ? NEED_ONCE : 0));
	frame_put_u32(q.payload + 4, deadline_ms > UINT32_MAX ? UINT32_MAX : (uint32_t)deadline_ms);
	frame_put_i64(q.payload + 8, r->at);
	answer = remote_ask(r, &q, deadline_ms, err ? err : &own);
	if (request->last)
		child_close(&r->child.in);
	switch (answer) {
	case ANSWER_NEW:
		return FETCH_NEW;
	case ANSWER_SAME:
		return FETCH_SAME;
	case ANSWER_MORE:
	case ANSWER_ERROR:
	case ANSWER_BROKEN:
		break;
	}
	return FETCH_FAILED;
}

struct remote *remote_new_function(child_function *function, const void *context, struct err *err)
{
	static const char *const argv[] = { "", NULL };
	struct question q = { .type = FRAME_HELLO };
	struct remote *r = remote_new(argv);
	struct err own;

	if (child_start_function(&r->child, function, context, err)) {
		r->function = true;
		if (remote_ask(r, &q, -1, err ? err : &own) == ANSWER_SAME)
			return r;
	}
	remote_free(r);
	return NULL;
}

/* ---- the past ------------------------------------------------------------------------------ */

const char *remote_kind(struct remote *r)
{
	struct question q = { .type = FRAME_HELLO };
	struct err err = { .code = ERR_NONE };

	return r->greeted || remote_ask(r, &q, -1, &err) == ANSWER_SAME ? r->kind : "";
}

void remote_seek(struct remote *r, int64_t at)
{
	r->sought = true;
	r->at = at;
}

bool remote_past(struct remote *r, struct timeline *out, struct err *err)
{
	struct question q = { .type = FRAME_PAST, .past = out };
	struct err own;

	return remote_ask(r, &q, -1, err ? err : &own) == ANSWER_NEW;
}

struct cluster *remote_look(struct remote *r, int64_t at, uint32_t needs, struct err *err)
{
	struct cluster *c = NULL;
	struct question q = { .type = FRAME_LOOK, .length = 12, .cluster = &c };
	struct err own;

	frame_put_u32(q.payload, needs);
	frame_put_i64(q.payload + 4, at);
	return remote_ask(r, &q, -1, err ? err : &own) == ANSWER_NEW ? c : NULL;
}

void remote_cancel(struct remote *r)
{
	wake_up(r->cancel_fd);
}

const char *remote_health(const struct remote *r)
{
	return r->health;
}

bool remote_refused(const struct remote *r)
{
	return r->refused;
}
