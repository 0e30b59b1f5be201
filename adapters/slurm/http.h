/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * http: GET requests to a web server over TCP, TLS or a unix socket. Only http.c knows libcurl; it
 * is empty without it (--without-libcurl).
 *
 * No redirect is followed and no proxy used: a token is sent to the named server only. It appears
 * in no message either.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_HTTP_H
#define FAIRTOP_ADAPTERS_SLURM_HTTP_H

#include <stddef.h>

#include "core/base/err.h"

struct http;

struct http_answer {
	long status;		/* 200, 404, ... */
	char *text;		/* NUL-ended, to be freed by mem_free() */
	size_t length;
};

/*
 * WHERE is "http+unix:PATH" (absolute) or "http(s)://HOST[:PORT]"; else ERR_INPUT. TOKEN and USER
 * are sent in the headers for slurmrestd, each if not NULL; they are copied.
 */
struct http *http_new(const char *where, const char *user, const char *token, struct err *err);
void http_free(struct http *h);

/*
 * Gets the answer to PATH ("/slurm/..."), of any status, in at most MAX bytes and by END_MS of
 * clock_ms(). Also fails with ERR_SOURCE as soon as CANCEL_FD is readable.
 */
bool http_get(struct http *h, const char *path, size_t max, int64_t end_ms, int cancel_fd,
	      struct http_answer *out, struct err *err);

#endif
