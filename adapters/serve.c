/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adapters/clock.h"
#include "adapters/frame.h"
#include "config.h"
#include "core/base/bytes.h"
#include "core/base/visible.h"
#include "core/cluster/codec.h"

/* ---- the other side goes away -------------------------------------------------------------- */

/*
 * The input has ended: nobody waits for an answer any more. The source may hang in a library that
 * has no deadline, so this thread exits the whole process.
 */
static void *watch_input(void *argument)
{
	struct pollfd p = { (int)(intptr_t)argument, POLLRDHUP, 0 };

	(void)clock_poll(&p, 1, -1);
	_exit(0);
}

static void start_watch(int fd)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_create(&thread, &attributes, watch_input, (void *)(intptr_t)fd);
	pthread_attr_destroy(&attributes);
}

/* ---- answers ------------------------------------------------------------------------------- */

static bool send_error(int out, enum frame_type type, const struct err *problem, struct err *err)
{
	unsigned char payload[4 + ERR_MESSAGE_MAX];
	size_t length = strlen(problem->message);

	frame_put_u32(payload, (uint32_t)problem->code);
	memcpy(payload + 4, problem->message, length);
	return frame_write(out, type, payload, 4 + length, err);
}

static bool send_cluster(int out, const struct cluster *c, struct bytes *b, struct err *err)
{
	struct sink sink = bytes_sink(b);
	struct err problem = { .code = ERR_NONE };

	b->length = 0;
	if (!codec_write(c, sink, &problem))
		return send_error(out, FRAME_ERROR, &problem, err);
	return frame_write(out, FRAME_CLUSTER, b->data, b->length, err);
}

/* State of a conversation between requests. */
struct serve_service {
	struct source *source;
	int in, out;
	struct bytes buffer;
	char health[sizeof(((struct source *)NULL)->health)];	/* as last sent */
	bool sought;
	int64_t at;			/* time of the last seek */
};

static bool send_health(struct serve_service *s, struct err *err)
{
	if (strcmp(s->health, s->source->health) == 0)
		return true;
	memcpy(s->health, s->source->health, sizeof(s->health));
	return frame_write(s->out, FRAME_HEALTH, s->health, strlen(s->health), err);
}

/* Seeks the time in the request, unless the source is there already. */
static bool serve_seek(struct serve_service *s, const struct frame *request, struct err *err)
{
	int64_t at;

	if (request->length < 16)
		return true;
	at = frame_get_i64(request->payload + 8);
	if (s->sought && s->at == at)
		return true;
	if (!source_seek(s->source, at, err))
		return false;
	s->sought = true;
	s->at = at;
	return true;
}

static bool give_cluster(struct serve_service *s, const struct frame *request, struct err *err)
{
	struct fetch_request wish = { .last = false };
	struct cluster *c = NULL;
	struct err problem = { .code = ERR_NONE };
	enum fetch_result result = FETCH_FAILED;
	bool ok;

	wish.needs = frame_get_u32(request->payload);
	wish.deadline_ms = frame_get_u32(request->payload + 4);
	if (wish.deadline_ms == 0)
		wish.deadline_ms = -1;
	if (serve_seek(s, request, &problem))
		result = source_fetch(s->source, &wish, &c, &problem);
	if (!send_health(s, err)) {
		cluster_free(c);
		return false;
	}
	switch (result) {
	case FETCH_NEW:
		ok = send_cluster(s->out, c, &s->buffer, err);
		cluster_free(c);
		return ok;
	case FETCH_FAILED:
		return send_error(s->out, s->source->refused ? FRAME_REFUSED : FRAME_ERROR,
				  &problem, err);
	case FETCH_SAME:
	case FETCH_END:
		break;
	}
	return frame_write(s->out, FRAME_SAME, NULL, 0, err);
}

static bool give_past(struct serve_service *s, struct err *err)
{
	struct err problem = { .code = ERR_NONE };
	struct timeline past;

	if (!source_past(s->source, &past, &problem))
		return send_error(s->out, FRAME_ERROR, &problem, err);
	frame_put_timeline(&past, &s->buffer);
	timeline_free(&past);
	return frame_write(s->out, FRAME_TIMELINE, s->buffer.data, s->buffer.length, err);
}

static bool give_look(struct serve_service *s, const struct frame *request, struct err *err)
{
	struct err problem = { .code = ERR_NONE };
	struct cluster *c = source_look(s->source, frame_get_i64(request->payload + 4),
					frame_get_u32(request->payload), &problem);
	bool ok = c ? send_cluster(s->out, c, &s->buffer, err) :
		  send_error(s->out, FRAME_ERROR, &problem, err);

	cluster_free(c);
	return ok;
}

static bool serve_answer(struct serve_service *s, const struct frame *request, struct err *err)
{
	if (request->type == FRAME_REQUEST && (request->length == 8 || request->length == 16))
		return give_cluster(s, request, err);
	if (request->type == FRAME_PAST && request->length == 0)
		return give_past(s, err);
	if (request->type == FRAME_LOOK && request->length == 12)
		return give_look(s, request, err);
	return err_set(err, ERR_INPUT, "frame of type %d, %u bytes (expected a request)",
		       (int)request->type, (unsigned)request->length);
}

static bool serve_converse(struct serve_service *s, struct err *err)
{
	const char *kind = s->source->ops->scheme;
	char hello[512];
	struct frame request;
	bool ok = true;
	int n;

	/* A recording has a past wherever it is stored. */
	if (strcmp(kind, "postgresql") == 0)
		kind = "recording";
	n = snprintf(hello, sizeof(hello), "fairtop %s %s %s", FAIRTOP_VERSION, kind,
		     s->source->name);

	if (!frame_write(s->out, FRAME_HELLO, hello, (size_t)n, err))
		return false;
	while (ok && frame_read(s->in, &request, err)) {
		ok = serve_answer(s, &request, err);
		frame_free(&request);
	}
	return ok && err->code == ERR_NONE;
}

int serve_on(struct source *source, int in, int out)
{
	struct serve_service s = { .source = source, .in = in, .out = out };
	struct err err = { .code = ERR_NONE };
	char safe[ERR_MESSAGE_MAX * 2];
	bool ok;

	start_watch(in);
	ok = serve_converse(&s, &err);
	if (!ok) {
		visible_copy(safe, sizeof(safe), err.message, strlen(err.message));
		fprintf(stderr, "fairtop: serve: %s\n", safe);
	}
	bytes_free(&s.buffer);
	close(out);
	return ok ? 0 : 2;
}

int serve_problem(const struct err *problem, int out)
{
	return send_error(out, FRAME_ERROR, problem, NULL) ? 0 : 2;
}

int serve_source(struct source *source)
{
	/* Frames are written to a new descriptor that no printf() of any library uses. */
	int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

	if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
		fprintf(stderr, "fairtop: serve: standard output: %s\n", strerror(errno));
		return 2;
	}
	return serve_on(source, STDIN_FILENO, out);
}
