/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * postgres: recordings of many clusters in one PostgreSQL database (fairtop-recording(5)).
 *
 * DESIGN. The recorder writes a recording as usual: this is the spool. A second process sends the
 * rows that the server does not have. The rows of some samples and the new progress mark are one
 * transaction on the server, so a batch is stored exactly once, whichever side dies. Sent rows stay
 * in the spool until --keep removes them, so what the server loses can be sent again. Each table of
 * a recording is a table of the schema fairtop, with the cluster as first part of its key. What is
 * thinned in the spool is then replaced on the server, and noted there as a range of samples.
 *
 * A reader has a copy of the cluster's recording, and fetches what is new, and those ranges. The
 * copy is read like any foreign file.
 *
 * Each spool has a name, and the server knows which one it accepts. If two recorders record one
 * cluster, the second is refused, both at the same time (a lock) and later (the name).
 *
 * URL is "postgresql://...?cluster=NAME", in libpq's form except for the cluster. It is never
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

/* Gives the spool's path for URL, or SPOOL if not NULL; creates its directory. */
bool shipper_path(const char *url, const char *spool, char path[POSTGRES_PATH], struct err *err);

/*
 * Starts sending PATH to URL. If the file does not exist, the server must answer, and its data of
 * the cluster become the file. Else the server may be down: SAY reports that, now and later.
 * ERR_INPUT if another recorder has the cluster. Call only while there is no second thread.
 */
struct shipper *shipper_start(const char *url, const char *path,
			      void (*say)(const char *subject, const char *text), struct err *err);

/* The recording has its last sample: waits a limited time until it is sent. NULL is fine. */
void shipper_finish(struct shipper *s);

/* ---- reading ------------------------------------------------------------------------------- */

struct puller;

/*
 * Fetches the server's data of the cluster in URL into PATH, and can do so again. NAME may be shown
 * in place of URL. Call only while there is no second thread.
 */
struct puller *puller_start(const char *url, char path[POSTGRES_PATH], char name[256],
			    struct err *err);

/*
 * Fetches what is new. Gives up after DEADLINE_MS (< 0: two minutes), or if CANCEL_FD is readable.
 */
bool puller_pull(struct puller *p, int64_t deadline_ms, int cancel_fd, struct err *err);
void puller_free(struct puller *p);		/* NULL is fine */

/*
 * Opens URL as a source of the scheme "postgresql"; OPEN opens the copy's path. Call only while
 * there is no second thread.
 */
struct source *postgres_open(const char *url,
			     struct source *(*open)(const char *path, struct err *err),
			     struct err *err);

#endif
