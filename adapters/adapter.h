/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adapter: the contract every source of clusters fulfils.
 *
 * A source gives sealed clusters, one at a time, when asked. It runs on the collector's thread (or
 * on the main thread of a verb that prints one answer); the screen never calls it. fetch() may
 * block up to its deadline, never longer: whatever can hang or exit lives in a child process
 * (remote.h). Sources never write to the terminal, and never change a cluster. A fetch without an
 * answer is an error; what leaves only some values unknown is a note of the cluster.
 */
#ifndef FAIRTOP_ADAPTERS_ADAPTER_H
#define FAIRTOP_ADAPTERS_ADAPTER_H

#include "core/cluster/cluster.h"
#include "core/base/column.h"
#include "core/cluster/timeline.h"

enum fetch_result {
	FETCH_NEW,		/* *out is a new cluster, owned by the caller */
	FETCH_SAME,		/* nothing changed since the last one */
	FETCH_FAILED,		/* err says why; the source stays usable and may be asked again */
	FETCH_END		/* no more will come (a file that was read once) */
};

struct fetch_request {
	uint32_t needs;		/* enum need of core/base/column.h: what the caller reads */
	int64_t deadline_ms;	/* time limit; < 0: the source's own default */
	bool last;		/* nobody will ask again: a child may exit after its answer */
};

struct source;

struct source_ops {
	const char *scheme;	/* "slurm", "demo", "ssh", "snapshot" (recognised by content) */
	const char *synopsis;	/* "slurm[:FILE|:DIR]", for help and manual */
	const char *meaning;
	/*
	 * REST is what follows "scheme:" (or the whole argument for files), NULL if nothing
	 * does.
	 */
	struct source *(*open)(const char *rest, struct err *err);
	/* With detect: is there such a scheduler here? ERR says what is missing. May be NULL. */
	bool (*here)(struct err *err);
	enum fetch_result (*fetch)(struct source *s, const struct fetch_request *request,
				   struct cluster **out, struct err *err);
	/* Makes a fetch() that is under way on another thread return soon. May be NULL. */
	void (*cancel)(struct source *s);
	/*
	 * For sources kept in a file. seek: from now on fetch() gives the cluster as it was at AT
	 * (Unix seconds), I64_UNKNOWN the latest. follow: the file may grow; ask again as with a
	 * live source. NULL for a source without a past.
	 */
	bool (*seek)(struct source *s, int64_t at, struct err *err);
	void (*follow)(struct source *s);
	/*
	 * For the same sources. past: puts the time line of the past into OUT, which must be empty
	 * and stays empty if nothing changed since the last call. look: the cluster as it was at
	 * AT, independent of fetch(); NULL and err if that time is unknown.
	 */
	bool (*past)(struct source *s, struct timeline *out, struct err *err);
	struct cluster *(*look)(struct source *s, int64_t at, uint32_t needs, struct err *err);
	void (*close)(struct source *s);
	/* The library or program it needs beside fairtop, or why that is missing. May be NULL. */
	void (*made_of)(char *buf, size_t size);
	bool live;		/* worth asking again: has a refresh interval */
	int64_t clock;		/* when its own clock begins; 0: it uses the real time */
	uint16_t every_ms;	/* the shortest useful refresh interval; 0: the usual one */
	bool detect;		/* tried, in table order, when no SOURCE is given */
};

/* First member of every source. */
struct source {
	const struct source_ops *ops;
	char name[256];		/* as the user wrote it, without passwords: for headers, messages */
	char health[200];	/* one line: "helper", "commands (6 decimals); helper: not built" */
	bool steps;		/* each fetch advances its time: callers need not wait in between */
	bool refused;		/* after a failed fetch: it can never work here, use another way */
};

extern const struct source_ops *const adapters[];	/* the registry, NULL-ended */

/* The kind of source that SPEC begins with; NULL: none, or a file. */
const struct source_ops *source_scheme(const char *spec);
/* True for kinds without a scheme in SPEC: they are recognised by content. */
bool source_is_file(const struct source_ops *ops);

/*
 * Opens what SPEC names (see the SOURCE table of fairtop(1)). SPEC NULL: the first scheduler that
 * answers; else ERR_SOURCE with what was tried and how to open the demo. ERR_INPUT for unknown
 * schemes and missing files.
 */
struct source *source_open(const char *spec, struct err *err);
enum fetch_result source_fetch(struct source *s, const struct fetch_request *request,
			       struct cluster **out, struct err *err);
void source_cancel(struct source *s);

/* Sets the name of S from SPEC, without passwords. */
void source_call(struct source *s, const char *spec);

/* ERR_INPUT for a source without a past. */
bool source_seek(struct source *s, int64_t at, struct err *err);
bool source_follow(struct source *s, struct err *err);

/* OUT is set in any case; empty for a source without a past, or if nothing is new. */
bool source_past(struct source *s, struct timeline *out, struct err *err);
struct cluster *source_look(struct source *s, int64_t at, uint32_t needs, struct err *err);
void source_close(struct source *s);

#endif
