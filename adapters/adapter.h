/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adapter: the contract every source of clusters fulfils.
 *
 * A source gives sealed clusters, one at a time, when asked. It runs on the collector's thread (or
 * on the main thread of a verb that prints one answer); the screen never calls it. fetch() may
 * block up to its deadline, never longer: whatever can hang or exit lives in a child process
 * (remote.h). Sources never write to the terminal, and never change a cluster.
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
	uint32_t needs;		/* enum need of core/column.h: what the caller will look at */
	int64_t deadline_ms;	/* give up after so many; < 0 the source's own default */
	bool last;		/* nobody will ask again: a child may leave when it has answered */
};

struct source;

struct source_ops {
	const char *scheme;	/* "slurm", "demo", "ssh", "snapshot" (told by content) */
	const char *synopsis;	/* "slurm[:FILE|:DIR]", for help and manual */
	const char *meaning;
	/*
	 * REST is what follows "scheme:" (or the whole argument for files), NULL if nothing
	 * does.
	 */
	struct source *(*open)(const char *rest, struct err *err);
	/* With detect: is there such a scheduler here? ERR says what was missed. May be NULL. */
	bool (*here)(struct err *err);
	enum fetch_result (*fetch)(struct source *s, const struct fetch_request *request,
				   struct cluster **out, struct err *err);
	/* Makes a fetch() that is under way on another thread return soon. May be NULL. */
	void (*cancel)(struct source *s);
	/*
	 * What is kept in a file: from now on fetch() gives the cluster as it was at AT (Unix
	 * seconds), I64_UNKNOWN for the latest; and: the file may grow, ask again as of something
	 * live. NULL where there is only now.
	 */
	bool (*seek)(struct source *s, int64_t at, struct err *err);
	void (*follow)(struct source *s);
	/*
	 * Of the same sources. What there is of the past, into an empty OUT, which stays empty
	 * where that is as it was at the last call; and the cluster as it was at AT, whatever
	 * fetch() gives: NULL and err if nothing is known of then.
	 */
	bool (*past)(struct source *s, struct timeline *out, struct err *err);
	struct cluster *(*look)(struct source *s, int64_t at, uint32_t needs, struct err *err);
	void (*close)(struct source *s);
	/* Which library or program it needs beside fairtop, or why it is not there. May be NULL. */
	void (*made_of)(char *buf, size_t size);
	bool live;		/* worth asking again: has a refresh interval */
	int64_t clock;		/* of a time of its own: when that begins; 0: it has ours */
	uint16_t every_ms;	/* how often it is worth asking; 0: as usual */
	bool detect;		/* tried, in table order, when no SOURCE is given */
};

/* First member of every source. */
struct source {
	const struct source_ops *ops;
	char name[256];		/* as the user wrote it but for passwords: for headers, messages */
	char health[200];	/* one line: "helper", "commands (6 decimals); helper: not built" */
	char banner[200];	/* last line of a child's stderr, "" */
	bool steps;		/* its time passes when asked, however long that takes: no wait */
	bool refused;		/* after a failed fetch: it will never do, ask by other means */
};

extern const struct source_ops *const adapters[];	/* the registry, NULL-ended */

/* The kind of source that SPEC begins with; NULL: it is none, or a file. */
const struct source_ops *source_scheme(const char *spec);
/* Such have no scheme to write: they are told by content. */
bool source_is_file(const struct source_ops *ops);

/*
 * Opens what SPEC names (see the SOURCE table of the contract). SPEC NULL: the first scheduler that
 * answers; else ERR_SOURCE with what was tried and how to open the demo. ERR_INPUT for unknown
 * schemes and missing files.
 */
struct source *source_open(const char *spec, struct err *err);
enum fetch_result source_fetch(struct source *s, const struct fetch_request *request,
			       struct cluster **out, struct err *err);
void source_cancel(struct source *s);

/* Names S as SPEC does. */
void source_call(struct source *s, const char *spec);

/* ERR_INPUT where there is only now. */
bool source_seek(struct source *s, int64_t at, struct err *err);
bool source_follow(struct source *s, struct err *err);

/* OUT is set in any case; empty where there is only now, or nothing new to tell. */
bool source_past(struct source *s, struct timeline *out, struct err *err);
struct cluster *source_look(struct source *s, int64_t at, uint32_t needs, struct err *err);
void source_close(struct source *s);

/*
 * Every global parameter, and those of partitions, of the slurm.conf at PATH and of what it
 * includes, in order, with the file and line it stands in. ERR_INPUT if one cannot be read.
 */
typedef void conf_each(void *context, const char *file, uint32_t line, bool partition,
		       const char *key, const char *value);
bool slurm_conf_pairs(const char *path, conf_each *each, void *context, struct err *err);

#endif
