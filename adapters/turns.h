/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * turns: many sources asked in turns, each with its own deadline, so that none waits for another.
 *
 * TURNS_AT_ONCE of them are asked at once. A source that does not answer within TURNS_PATIENCE_MS
 * gives its turn to the next and is waited for in its own thread, up to TURNS_THREADS in all. At
 * most half of these are for sources that did not answer last time, so hanging sources never keep
 * the others from being asked. The source due longest is next. What is made of a cluster is kept,
 * the cluster is not. A file is asked again only if it changed (time or size, its log included).
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
	 * Runs in one of the threads, one call at a time per source: takes over CLUSTER and returns
	 * what is made of it. CLUSTER NULL: the source did not answer; may return NULL then.
	 */
	void *(*make)(void *context, size_t i, struct source *source, struct cluster *cluster);
	/* Frees a result that nobody took; the newer INSTEAD (NULL: none) may keep parts of it. */
	void (*drop)(void *made, void *instead);
	void (*done)(void *context);		/* called after the last make() */
	void *context;
};

struct turns;

/*
 * SPECS are copied; one that is NULL is passed to OPEN as it is. OPENED: NULL, or for each source
 * NULL or the open source, which is taken over. Block signals before: the threads inherit the mask.
 */
struct turns *turns_new(const char *const *specs, struct source *const *opened, size_t count,
			uint32_t needs, int64_t every_ms, const struct turns_maker *maker,
			struct err *err);
void turns_free(struct turns *f);	/* cancels, joins (bounded), closes the sources */

int turns_fd(const struct turns *f);	/* poll for reading; turns_drain() resets it */
void turns_drain(struct turns *f);
/* Waits until there is news, or OTHER (-1: none) is readable. */
void turns_wait(const struct turns *f, int other);

/* The next source with news; false: none. MADE: owned by the caller, or NULL. */
bool turns_take(struct turns *f, size_t *i, struct collector_status *status, void **made);
void turns_refresh(struct turns *f);			/* ask all now, in turns */
void turns_freeze(struct turns *f, bool frozen);

#endif
