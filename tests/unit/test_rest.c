/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmrestd, or a stand-in: every invalid answer is reported in one line, within its deadline and
 * in bounded memory, and only the named server gets the token. The server is a thread of this
 * program; tests/live compares the answers of the real one.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "adapters/clock.h"
#include "adapters/slurm/http.h"
#include "adapters/slurm/slurm.h"
#include "adapters/wake.h"
#include "config.h"
#include "core/base/mem.h"
#include "tests/support/await.h"
#include "tests/support/scratch.h"

/* {"exp":1795365693,"iat":1795365093,"sun":"root"} and an invalid signature */
#define TOKEN "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9." \
	"eyJleHAiOjE3OTUzNjU2OTMsImlhdCI6MTc5NTM2NTA5Mywic3VuIjoicm9vdCJ9.c2VjcmV0LXNpZ25hdHVyZQ"
#define PATIENCE_MS 60000
#define HEAD(status) "HTTP/1.1 " status "\r\nConnection: close\r\n"

/* One answer for every request, or a special behaviour. */
struct server {
	const char *answer;
	size_t endless;			/* at most this many bytes more */
	bool silent;			/* then neither sends nor closes */
	int listener;
	unsigned port;
	atomic_uint requests;
	char request[8192];		/* the last one */
	char where[SCRATCH_PATH_MAX + 40];
	pthread_t thread;
};

static void pour(int fd, size_t bytes)
{
	char block[65536];
	ssize_t n = 1;

	memset(block, ' ', sizeof(block));
	for (; bytes > 0 && n > 0; bytes -= (size_t)n)
		n = send(fd, block, bytes < sizeof(block) ? bytes : sizeof(block), MSG_NOSIGNAL);
}

static void answer_one(struct server *s, int fd)
{
	size_t used = 0;
	ssize_t n = 1;
	char byte;

	while (n > 0 && used + 1 < sizeof(s->request)) {
		n = recv(fd, s->request + used, sizeof(s->request) - 1 - used, 0);
		used += n > 0 ? (size_t)n : 0;
		s->request[used] = '\0';
		if (strstr(s->request, "\r\n\r\n") || s->request[0] == 22)
			break;		/* 22: a TLS client's hello */
	}
	await_count_up(&s->requests);
	send(fd, s->answer, strlen(s->answer), MSG_NOSIGNAL);
	pour(fd, s->endless);
	while (s->silent && recv(fd, &byte, 1, 0) > 0)
		;
	close(fd);
}

static void *serve(void *context)
{
	struct server *s = context;
	int fd;

	while ((fd = accept(s->listener, NULL, NULL)) >= 0)
		answer_one(s, fd);
	return NULL;
}

static void start(struct server *s, const char *answer, bool tcp)
{
	struct sockaddr_un un = { .sun_family = AF_UNIX };
	struct sockaddr_in in = { .sin_family = AF_INET,
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t size = sizeof(in);
	char path[SCRATCH_PATH_MAX];

	s->answer = answer;
	s->requests = 0;
	s->listener = socket(tcp ? AF_INET : AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	snprintf(un.sun_path, sizeof(un.sun_path), "%s", scratch_path("socket", path));
	assert_return_code(bind(s->listener, tcp ? (void *)&in : (void *)&un,
				tcp ? sizeof(in) : sizeof(un)), 0);
	assert_return_code(listen(s->listener, 8), 0);
	snprintf(s->where, sizeof(s->where), "http+unix:%s", path);
	if (tcp) {
		assert_return_code(getsockname(s->listener, (void *)&in, &size), 0);
		s->port = ntohs(in.sin_port);
		snprintf(s->where, sizeof(s->where), "http://127.0.0.1:%u", s->port);
	}
	assert_int_equal(pthread_create(&s->thread, NULL, serve, s), 0);
}

static void server_stop(struct server *s)
{
	shutdown(s->listener, SHUT_RDWR);
	pthread_join(s->thread, NULL);
	close(s->listener);
}

/* Checks the error of fetching from WHERE; the token is not in it. */
static void complains(const char *where, int64_t deadline_ms, const char *what)
{
	struct fetch_request request = { .needs = NEED_SHARES, .deadline_ms = deadline_ms };
	struct cluster *c = NULL;
	struct err err = { 0 };
	struct source *s = slurm_source.open(where, &err);

	assert_non_null(s);
	assert_int_equal(s->ops->fetch(s, &request, &c, &err), FETCH_FAILED);
	assert_null(c);
	assert_int_equal(err.code, ERR_SOURCE);
	if (!strstr(err.message, what))
		fail_msg("\"%s\" does not say \"%s\"", err.message, what);
	assert_null(strchr(err.message, '\n'));
	assert_null(strstr(err.message, TOKEN));
	assert_null(strstr(s->health, TOKEN));
	s->ops->close(s);
}

static void test_answers_that_are_none(void **state)
{
	static const struct {
		const char *answer, *says;
		bool silent;
		int64_t deadline_ms;
	} cases[] = {
		{ HEAD("401 UNAUTHORIZED") "\r\nAuthentication failure",
		  "the token in SLURM_JWT is refused (HTTP 401)", false, PATIENCE_MS },
		/* the answer of 24.11 to a token that slurmctld refuses */
		{ HEAD("511 Network Authentication Required") "\r\n{\"errors\":[{\"description\":"
		  "\"Unable to query jobs\",\"error\":\"Protocol authentication error\"}]}",
		  "refused (HTTP 511: Protocol authentication error)", false, PATIENCE_MS },
		{ HEAD("500 X") "\r\n{\"errors\":[{\"error\":\"bad token " TOKEN "\"}]}",
		  "/diag: HTTP 500", false, PATIENCE_MS },
		{ HEAD("302 Found") "Location: http://192.0.2.1/\r\n\r\n",
		  "is redirected (HTTP 302); redirects are not followed", false, PATIENCE_MS },
		{ HEAD("404 Not Found") "\r\n", "it supports none of the versions v0.0.36", false,
		  PATIENCE_MS },
		{ HEAD("200 OK") "\r\n<html>", "answer is not JSON", false, PATIENCE_MS },
		{ HEAD("200 OK") "\r\n{\"statistics\":", "diag: the text ends too soon", false,
		  PATIENCE_MS },
		{ HEAD("200 OK") "Content-Length: 1000\r\n\r\n{\"stat", "994 bytes", false,
		  PATIENCE_MS },
		{ "", "slurmrestd: ", false, PATIENCE_MS },
		{ "SSH-2.0-nonsense\r\n\r\n", "slurmrestd: ", false, PATIENCE_MS },
		{ HEAD("200 OK") "\r\n{", "no complete answer in time", true, 300 },
		{ HEAD("200 OK") "Content-Length: 5000000000\r\n\r\n{",
		  "more than 1073741824 bytes", true, PATIENCE_MS },
	};
	struct server s = { .listener = -1 };

	(void)state;
	setenv("SLURM_JWT", TOKEN, 1);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		s.silent = cases[i].silent;
		start(&s, cases[i].answer, i % 2 == 1);
		complains(s.where, cases[i].deadline_ms, cases[i].says);
		server_stop(&s);
	}
}

static void test_nobody_and_no_token(void **state)
{
	struct server s = { .listener = -1 };
	char path[SCRATCH_PATH_MAX], where[SCRATCH_PATH_MAX + 40];

	(void)state;
	snprintf(where, sizeof(where), "http+unix:%s", scratch_path("nobody", path));
	complains(where, PATIENCE_MS, "slurmrestd: ");
	unsetenv("SLURM_JWT");
	start(&s, HEAD("401 UNAUTHORIZED") "\r\nAuthentication failure", false);
	complains(s.where, PATIENCE_MS, "it requires a token, and SLURM_JWT has none (HTTP 401)");
	assert_null(strstr(s.request, "X-SLURM"));
	server_stop(&s);
	setenv("SLURM_JWT", TOKEN, 1);
}

/* A server without TLS used as https: the handshake fails, and no token was sent. */
static void test_no_tls(void **state)
{
	struct server s = { .listener = -1 };
	char where[60];

	(void)state;
	start(&s, HEAD("200 OK") "\r\n{}", true);
	snprintf(where, sizeof(where), "https://127.0.0.1:%u", s.port);
	complains(where, PATIENCE_MS, "slurmrestd: ");
	server_stop(&s);
	assert_null(strstr(s.request, "X-SLURM"));
}

/* Runs COMMAND beside this program; OUTPUT: its output, to be closed by the caller. */
static pid_t begin(const char *command, FILE **output)
{
	int ends[2];
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		dup2(ends[1], STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	*output = fdopen(ends[0], "r");
	return pid;
}

/* A server with an untrusted certificate gets no request, and so no token. */
static void test_certificate(void **state)
{
	char directory[SCRATCH_PATH_MAX], command[4 * SCRATCH_PATH_MAX], where[60], heard[4096];
	unsigned port = 0;
	FILE *output;
	int status;
	pid_t pid;
	size_t n;

	(void)state;
	scratch_path("tls", directory);
	snprintf(command, sizeof(command),
		 "exec 2> /dev/null; openssl req -x509 -newkey ec -pkeyopt "
		 "ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1 -addext "
		 "subjectAltName=IP:127.0.0.1 -keyout %s.key -out %s.crt", directory, directory);
	pid = begin(command, &output);
	waitpid(pid, &status, 0);
	fclose(output);
	if (status != 0)
		skip();			/* without openssl */
	snprintf(command, sizeof(command), "exec openssl s_server -accept 127.0.0.1:0 -naccept 1 "
		 "-key %s.key -cert %s.crt < /dev/zero 2>&1", directory, directory);
	pid = begin(command, &output);
	/* It prints its port once it listens. */
	while (port == 0 && fgets(heard, sizeof(heard), output))
		(void)sscanf(heard, "ACCEPT 127.0.0.1:%u", &port);
	assert_true(port > 0);
	snprintf(where, sizeof(where), "https://127.0.0.1:%u", port);
	complains(where, PATIENCE_MS, "certificate");
	n = fread(heard, 1, sizeof(heard), output);
	fclose(output);
	waitpid(pid, &status, 0);
	assert_true(n > 0);
	assert_null(memmem(heard, n, "GET", 3));
	assert_null(memmem(heard, n, TOKEN, strlen(TOKEN)));
}

/* The token goes with each request, with its user's name, and only to that server. */
static void test_token_goes_to_one_server(void **state)
{
	struct server s = { .listener = -1 }, other = { .listener = -1 };
	char answer[400];

	(void)state;
	start(&other, HEAD("200 OK") "\r\n{}", true);
	snprintf(answer, sizeof(answer), HEAD("307 X") "Location: %s/slurm/\r\n\r\n",
		 other.where);
	start(&s, answer, false);
	setenv("http_proxy", other.where, 1);
	setenv("ALL_PROXY", other.where, 1);
	complains(s.where, PATIENCE_MS, "is redirected (HTTP 307)");
	assert_non_null(strstr(s.request, "\r\nX-SLURM-USER-NAME: root\r\n"));
	assert_non_null(strstr(s.request, "\r\nX-SLURM-USER-TOKEN: " TOKEN "\r\n"));
	assert_int_equal(s.requests, 1);
	server_stop(&s);
	start(&s, HEAD("403 X") "\r\n", true);
	complains(s.where, PATIENCE_MS, "refused (HTTP 403)");
	assert_int_equal(s.requests, 1);
	server_stop(&s);
	server_stop(&other);
	assert_int_equal(other.requests, 0);
	unsetenv("http_proxy");
	unsetenv("ALL_PROXY");
}

static void refused(const char *where, const char *what)
{
	struct err err = { 0 };

	assert_null(slurm_source.open(where, &err));
	assert_int_equal(err.code, ERR_INPUT);
	if (!strstr(err.message, what) || strstr(err.message, "secret"))
		fail_msg("\"%s\" does not say \"%s\"", err.message, what);
}

static void test_bad_places_and_tokens(void **state)
{
	(void)state;
	refused("http+unix:run/socket", "expected http+unix:/PATH");
	refused("http://", "expected HOST:PORT");
	refused("http://host:6820/slurm", "expected HOST:PORT and no more");
	refused("http://user@host:6820", "expected HOST:PORT and no more");
	setenv("SLURM_JWT", "secret\r\nX-Other: 1", 1);
	refused("http://host:6820", "X-SLURM-USER-TOKEN");
	setenv("SLURM_JWT", TOKEN, 1);
}

static void test_endless_body(void **state)
{
	struct server s = { .listener = -1, .endless = (size_t)1 << 40 };
	struct http_answer answer;
	struct err err = { 0 };
	struct http *h;
	int cancel_fd = wake_new(NULL);

	(void)state;
	start(&s, HEAD("200 OK") "\r\n", false);
	h = http_new(s.where, NULL, NULL, &err);
	assert_non_null(h);
	assert_false(http_get(h, "/", 1000000, clock_ms() + PATIENCE_MS, cancel_fd, &answer, &err));
	assert_null(answer.text);
	assert_string_equal(err.message, "an answer of more than 1000000 bytes");
	http_free(h);
	server_stop(&s);
	close(cancel_fd);
}

struct cancelling {
	struct server *server;
	struct source *source;
};

/* Cancels as soon as the request has arrived. */
static void *cancel_soon(void *context)
{
	struct cancelling *c = context;

	await_count(&c->server->requests, 1);
	c->source->ops->cancel(c->source);
	return NULL;
}

static void test_cancel(void **state)
{
	struct fetch_request request = { .needs = NEED_SHARES, .deadline_ms = 100 * PATIENCE_MS };
	struct server s = { .listener = -1, .silent = true };
	struct cluster *c = NULL;
	struct err err = { 0 };
	struct source *source;
	pthread_t thread;

	(void)state;
	start(&s, HEAD("200 OK") "\r\n{", false);
	source = slurm_source.open(s.where, &err);
	assert_non_null(source);
	assert_int_equal(pthread_create(&thread, NULL, cancel_soon,
					&(struct cancelling){ &s, source }), 0);
	assert_int_equal(source->ops->fetch(source, &request, &c, &err), FETCH_FAILED);
	assert_non_null(strstr(err.message, "cancelled"));
	pthread_join(thread, NULL);
	source->ops->close(source);
	server_stop(&s);
}

int main(void)
{
#ifdef HAVE_LIBCURL
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers_that_are_none),
		cmocka_unit_test(test_nobody_and_no_token),
		cmocka_unit_test(test_no_tls),
		cmocka_unit_test(test_certificate),
		cmocka_unit_test(test_token_goes_to_one_server),
		cmocka_unit_test(test_bad_places_and_tokens),
		cmocka_unit_test(test_endless_body),
		cmocka_unit_test(test_cancel),
	};

	return cmocka_run_group_tests(tests, scratch_open, scratch_close);
#else
	return 77;
#endif
}
