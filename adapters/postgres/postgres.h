/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * postgres: recordings of many clusters in one PostgreSQL database (fairtop-recording(5)).
 *
 * DESIGN. The recorder writes a recording as ever, its spool. A process beside it sends the rows
 * that the server lacks: those of some samples, and how far it is now, are one transaction there,
 * so that a batch is there once, whichever side dies. Nothing that was sent leaves the spool but by
 * --keep: what the server loses it can be told again. Each table of a recording is one of the
 * schema fairtop, with the cluster in front of its key. What is thinned in the spool is then
 * replaced on the server, and noted there as a range of samples.
 *
 * Whoever reads has a copy of the cluster's recording, and fetches what is new, and those ranges.
 * The copy is read as a stranger's file is.
 *
 * Each spool has a name of its own, the server knows which it listens to: of two recorders of one
 * cluster the second is told to leave, be it at the same time (a lock) or later (the name).
 *
 * URL is "postgresql://...?cluster=NAME", as libpq takes it but for the cluster. It is never
 * printed: it may hold a password.
 */
#ifndef FAIRTOP_ADAPTERS_POSTGRES_POSTGRES_H
#define FAIRTOP_ADAPTERS_POSTGRES_POSTGRES_H

#include "adapters/adapter.h"

extern const struct source_ops postgres_source;

bool postgres_is_url(const char *text);

#define POSTGRES_PATH 4096

/* ---- recording ----------------------------------------------------------------------------- */

struct shipper;

/*
 * Where the spool of URL lies unless SPOOL (NULL: not told) says it; its directory is made.
 */
bool shipper_path(const char *url, const char *spool, char path[POSTGRES_PATH], struct err *err);

/*
 * Starts sending PATH to URL. Where there is no such file yet, the server must answer, and what it
 * has of the cluster becomes the file. Else it may be away: SAY is told, now and later. ERR_INPUT
 * if another recorder has the cluster. Where there is no second thread.
 */
struct shipper *shipper_start(const char *url, const char *path,
			      void (*say)(const char *subject, const char *text), struct err *err);

/* The recording has its last sample: waits a while until it is sent. NULL is fine. */
void shipper_finish(struct shipper *s);

/* ---- reading ------------------------------------------------------------------------------- */

struct puller;

/*
 * Fetches what the server has of the cluster of URL into PATH, and can do so again. NAME is what
 * may be shown in the place of URL. Where there is no second thread.
 */
struct puller *puller_start(const char *url, char path[POSTGRES_PATH], char name[256],
			    struct err *err);

/* What is new. Gives up after DEADLINE_MS (< 0: two minutes), or when CANCEL_FD can be read. */
bool puller_pull(struct puller *p, int64_t deadline_ms, int cancel_fd, struct err *err);
void puller_free(struct puller *p);		/* NULL is fine */

/*
 * URL as a source of the scheme "postgresql", read by what OPEN makes of the copy's path. Where
 * there is no second thread.
 */
struct source *postgres_open(const char *url,
			     struct source *(*open)(const char *path, struct err *err),
			     struct err *err);

#endif
