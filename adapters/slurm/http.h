/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * http: what a web server answers to GET, over TCP, TLS or a unix socket. http.c alone knows
 * libcurl, and is empty without it (--without-libcurl).
 *
 * No redirect is followed and no proxy asked: a token goes to the server that was named, and to
 * no other. It stands in no message either.
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
 * go into the headers of slurmrestd, each if not NULL; they are copied.
 */
struct http *http_new(const char *where, const char *user, const char *token, struct err *err);
void http_free(struct http *h);

/*
 * Whatever was answered to PATH ("/slurm/..."), of any status, in at most MAX bytes and by END_MS
 * of clock_ms(). Fails with ERR_SOURCE, too, as soon as CANCEL_FD is readable.
 */
bool http_get(struct http *h, const char *path, size_t max, int64_t end_ms, int cancel_fd,
	      struct http_answer *out, struct err *err);

#endif
