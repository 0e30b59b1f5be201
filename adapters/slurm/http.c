/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/http.h"

#include "config.h"

#ifdef HAVE_LIBCURL

#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "adapters/clock.h"
#include "core/base/mem.h"

#define UNIX_SCHEME "http+unix:"
#define LOOK_MS 1000			/* libcurl keeps timers of its own */

struct http {
	CURL *easy;
	CURLM *multi;
	struct curl_slist *headers;
	char *origin;			/* "http://host:port"; of a socket "http://localhost" */
	char why[CURL_ERROR_SIZE];
};

/* An answer being received. */
struct body {
	struct http_answer *answer;
	size_t capacity, max;
	bool too_long;
};

/* ---- opening ------------------------------------------------------------------------------- */

static void start_libcurl(void)
{
	curl_global_init(CURL_GLOBAL_DEFAULT);
}

static bool add_header(struct http *h, const char *name, const char *value, struct err *err)
{
	size_t size = strlen(name) + strlen(value) + sizeof(": ");
	struct curl_slist *list;
	char *line;

	for (const char *c = value; *c; c++) {
		if (*c < ' ' || *c > '~')
			return err_set(err, ERR_INPUT,
				       "the value for %s has a character not allowed in headers",
				       name);
	}
	line = mem_alloc(size, 1);
	snprintf(line, size, "%s: %s", name, value);
	list = curl_slist_append(h->headers, line);
	explicit_bzero(line, size);
	mem_free(line);
	if (!list)
		return err_set(err, ERR_SOURCE, "libcurl: out of memory");
	h->headers = list;
	return true;
}

static bool set_where(struct http *h, const char *where, struct err *err)
{
	const char *host = strncmp(where, "http://", 7) == 0 ? where + 7 :
			   strncmp(where, "https://", 8) == 0 ? where + 8 : NULL;
	size_t length;

	if (strncmp(where, UNIX_SCHEME, strlen(UNIX_SCHEME)) == 0) {
		const char *path = where + strlen(UNIX_SCHEME);

		h->origin = mem_strdup("http://localhost");
		return (path[0] == '/' && curl_easy_setopt(h->easy, CURLOPT_UNIX_SOCKET_PATH,
							   path) == CURLE_OK) ||
		       err_set(err, ERR_INPUT, "%.300s: expected " UNIX_SCHEME "/PATH", where);
	}
	if (!host)
		return err_set(err, ERR_INPUT, "%.300s: expected http://HOST:PORT", where);
	length = strcspn(host, "/?#@\\ ");
	if (length == 0 || (host[length] && strcmp(host + length, "/") != 0))
		return err_set(err, ERR_INPUT, "%.300s: expected HOST:PORT and no more", where);
	h->origin = mem_strndup(where, (size_t)(host - where) + length);
	return true;
}

static size_t take_bytes(char *bytes, size_t size, size_t count, void *context)
{
	struct body *body = context;
	struct http_answer *answer = body->answer;
	size_t length = size * count;

	if (length > body->max - answer->length) {
		body->too_long = true;
		return 0;
	}
	if (answer->length + length >= body->capacity) {
		body->capacity = 2 * (answer->length + length) + 1;
		answer->text = mem_realloc(answer->text, body->capacity, 1);
	}
	memcpy(answer->text + answer->length, bytes, length);
	answer->length += length;
	answer->text[answer->length] = '\0';
	return length;
}

static void set_manners(struct http *h)
{
	curl_easy_setopt(h->easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(h->easy, CURLOPT_PROXY, "");
	curl_easy_setopt(h->easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(h->easy, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	curl_easy_setopt(h->easy, CURLOPT_ERRORBUFFER, h->why);
	curl_easy_setopt(h->easy, CURLOPT_HTTPHEADER, h->headers);
	curl_easy_setopt(h->easy, CURLOPT_WRITEFUNCTION, take_bytes);
}

struct http *http_new(const char *where, const char *user, const char *token, struct err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct http *h = mem_zalloc(1, sizeof(*h));
	bool good;

	pthread_once(&once, start_libcurl);
	h->easy = curl_easy_init();
	h->multi = curl_multi_init();
	good = (h->easy && h->multi) || err_set(err, ERR_SOURCE, "libcurl: out of memory");
	good = good && set_where(h, where, err) &&
	       add_header(h, "Accept", "application/json", err) &&
	       (!user || add_header(h, "X-SLURM-USER-NAME", user, err)) &&
	       (!token || add_header(h, "X-SLURM-USER-TOKEN", token, err));
	if (!good) {
		http_free(h);
		return NULL;
	}
	set_manners(h);
	return h;
}

void http_free(struct http *h)
{
	if (!h)
		return;
	curl_easy_cleanup(h->easy);
	curl_multi_cleanup(h->multi);
	for (struct curl_slist *line = h->headers; line; line = line->next)
		explicit_bzero(line->data, strlen(line->data));
	curl_slist_free_all(h->headers);
	mem_free(h->origin);
	mem_free(h);
}

/* ---- asking -------------------------------------------------------------------------------- */

/* Waits until it has ended (sets *RESULT), or the wait is over. */
static bool wait_for_end(struct http *h, int64_t end_ms, int cancel_fd, CURLcode *result,
			 struct err *err)
{
	struct curl_waitfd cancel = { .fd = cancel_fd, .events = CURL_WAIT_POLLIN };
	const CURLMsg *message;
	int running, left;

	for (;;) {
		if (curl_multi_perform(h->multi, &running) != CURLM_OK)
			return err_set(err, ERR_SOURCE, "libcurl failed");
		message = curl_multi_info_read(h->multi, &left);
		if (message) {
			*result = message->data.result;
			return true;
		}
		left = clock_left(end_ms);
		if (left == 0)
			return err_set(err, ERR_SOURCE, "no complete answer in time");
		if (left < 0 || left > LOOK_MS)
			left = LOOK_MS;
		cancel.revents = 0;
		if (curl_multi_poll(h->multi, &cancel, 1, left, NULL) != CURLM_OK)
			return err_set(err, ERR_SOURCE, "libcurl failed");
		if (cancel.revents)
			return err_set(err, ERR_SOURCE, "cancelled");
	}
}

static bool http_transfer(struct http *h, int64_t end_ms, int cancel_fd, const struct body *body,
			  struct err *err)
{
	CURLcode result = CURLE_OK;
	bool ended;

	h->why[0] = '\0';
	if (curl_multi_add_handle(h->multi, h->easy) != CURLM_OK)
		return err_set(err, ERR_SOURCE, "libcurl failed");
	ended = wait_for_end(h, end_ms, cancel_fd, &result, err);
	curl_multi_remove_handle(h->multi, h->easy);
	if (ended && (body->too_long || result == CURLE_FILESIZE_EXCEEDED))
		return err_set(err, ERR_SOURCE, "an answer of more than %zu bytes", body->max);
	h->why[strcspn(h->why, "\r\n")] = '\0';	/* 7.74 ends some with a line break */
	if (ended && result != CURLE_OK)
		return err_set(err, ERR_SOURCE, "%.200s",
			       h->why[0] ? h->why : curl_easy_strerror(result));
	return ended;
}

bool http_get(struct http *h, const char *path, size_t max, int64_t end_ms, int cancel_fd,
	      struct http_answer *out, struct err *err)
{
	struct body body = { .answer = out, .max = max, .capacity = 1 };
	char url[1024];
	bool good;

	*out = (struct http_answer){ .text = mem_zalloc(1, 1) };
	snprintf(url, sizeof(url), "%s%s", h->origin, path);
	curl_easy_setopt(h->easy, CURLOPT_URL, url);
	curl_easy_setopt(h->easy, CURLOPT_WRITEDATA, &body);
	curl_easy_setopt(h->easy, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)max);
	good = http_transfer(h, end_ms, cancel_fd, &body, err);
	curl_easy_getinfo(h->easy, CURLINFO_RESPONSE_CODE, &out->status);
	if (!good) {
		mem_free(out->text);
		out->text = NULL;
	}
	return good;
}

#else

struct http *http_new(const char *where, const char *user, const char *token, struct err *err)
{
	(void)user;
	(void)token;
	err_set(err, ERR_SOURCE, "%.300s: this fairtop was built without libcurl "
		"(libcurl4-openssl-dev, libcurl-devel)", where);
	return NULL;
}

void http_free(struct http *h)
{
	(void)h;
}

bool http_get(struct http *h, const char *path, size_t max, int64_t end_ms, int cancel_fd,
	      struct http_answer *out, struct err *err)
{
	(void)h;
	(void)path;
	(void)max;
	(void)end_ms;
	(void)cancel_fd;
	*out = (struct http_answer){ .text = NULL };
	return err_set(err, ERR_SOURCE, "built without libcurl");
}

#endif
