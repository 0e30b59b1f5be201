/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns: many sources asked in turns, each with its own deadline, so that none waits for another.
 *
 * TURNS_AT_ONCE of them are asked at once. Who has been asked for TURNS_PATIENCE_MS gives its turn
 * away and is waited for beside them, up to TURNS_THREADS in all; of these at most half are for
 * sources that did not answer when they were asked last: the hanging ones never keep the others
 * from being asked. Who is due longest is next. What is made of a cluster is kept, the cluster is
 * not. A file is asked again only when it has changed (time or size, its log included).
 */
#ifndef FAIRTOP_ADAPTERS_TURNS_H
#define FAIRTOP_ADAPTERS_TURNS_H

#include "adapters/collector.h"

#define TURNS_AT_ONCE 4
#define TURNS_PATIENCE_MS 500
#define TURNS_THREADS 24

struct turns_maker {
	struct source *(*open)(const char *spec, struct err *err);	/* does not block */
	/*
	 * In one of the threads, but of one source a call at a time: what is made of CLUSTER, which
	 * is taken over; NULL where there is none: it did not answer. May be NULL then.
	 */
	void *(*make)(void *context, size_t i, struct source *source, struct cluster *cluster);
	/* What nobody took; INSTEAD (NULL: nothing) is what will be given, and may keep of it. */
	void (*drop)(void *made, void *instead);
	void (*done)(void *context);		/* nobody makes anything any more */
	void *context;
};

struct turns;

/*
 * SPECS are copied; one of NULL is what OPEN makes of it. OPENED: NULL, or those that are open
 * already, which are taken over; NULL for one that is not. Signals must be blocked before: the
 * threads inherit the mask.
 */
struct turns *turns_new(const char *const *specs, struct source *const *opened, size_t count,
			uint32_t needs, int64_t every_ms, const struct turns_maker *maker,
			struct err *err);
void turns_free(struct turns *f);	/* cancels, joins (bounded), closes the sources */

int turns_fd(const struct turns *f);	/* poll for reading; turns_drain() takes it */
void turns_drain(struct turns *f);
/* Until there is news, or OTHER (-1: none) is readable: for who has nothing else to do. */
void turns_wait(const struct turns *f, int other);

/* The next source with news; false: there is none. MADE: the caller's, or NULL. */
bool turns_take(struct turns *f, size_t *i, struct collector_status *status, void **made);
void turns_refresh(struct turns *f);			/* ask all now, in turns */
void turns_freeze(struct turns *f, bool frozen);

#endif
