/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * store: recordings of a cluster, one SQLite file each (fairtop-recording(5)).
 *
 * DESIGN. A recording only grows at its end. Every table of the fields table is one SQL table, or
 * two if some values change all the time: "job" holds the stable fields, "job_state" the changing
 * ones. A row is a version of one object: its key `version` is SAMPLE * 2^24 + a running number, so
 * that the file is written in one place and a range of samples is a range of keys. A sample writes
 * the rows that changed, the numbers of the objects that are gone, and again each row that was not
 * written for `refresh` samples. Therefore the last `refresh` samples contain the whole cluster:
 * they are read backwards, skipping what was already seen or is gone. Until when a row was valid is
 * computed by a view and never written.
 *
 * WIDTH. A table has the columns of the fields that were ever set; a column is added when its field
 * is first set. A text that repeats becomes a word, and its number is written instead; words are
 * never deleted. The views have all columns, and texts. Numbers are written as they are: usage that
 * only decayed cannot be computed to the last bit, as slurmctld sends six decimals of it, and the
 * values beside it (norm_usage and the like) depend on what others use.
 *
 * THINNING. A thinned sample loses the versions that the next kept one overwrites, its checksums,
 * and its number of rows, which becomes -1: this marks it. All samples keep their numbers, so that
 * kept ones are found as before, to the last bit. For an object that appeared since the kept sample
 * before, the first and the last version stay, and so does the sample in which it was gone: a walk
 * through the thinned samples meets each object when it came and when it went, with values that may
 * be older than that moment. The exception is priority terms that came and went in between, which
 * nothing reads. Kept are the first and the last sample, those where parameters, TRES or the
 * cluster's own facts changed, and those at both ends of a gap.
 *
 * A writer holds a lock on the file; there may be any number of readers. Each sample is one
 * transaction with checksums of what was written. No query takes longer than 30 s. The journal is a
 * write-ahead log, on network file systems a rollback journal.
 *
 * Errors are ERR_INPUT and do not name the file.
 */
#ifndef FAIRTOP_ADAPTERS_STORE_STORE_H
#define FAIRTOP_ADAPTERS_STORE_STORE_H

#include "adapters/adapter.h"
#include "core/cluster/timeline.h"

#define STORE_VERSION 3			/* PRAGMA user_version */
#define STORE_APPLICATION 0x46545250	/* PRAGMA application_id: "FTRP" */

/* The source: the last sample of a file, or the one that source_seek() asked for. */
extern const struct source_ops store_source;

/* Are these first bytes of a file those of an SQLite database? */
bool store_detect(const char *head, size_t length);

/* Is a file system with this magic number (statfs(2)) a network file system? */
bool store_is_network(unsigned long magic);

/* ---- writing ------------------------------------------------------------------------------- */

struct store_writer;

/* Creates PATH, or continues an existing recording; an older schema is migrated. */
struct store_writer *store_writer_open(const char *path, struct err *err);

/* The same; long work is aborted soon after WAKE_FD becomes readable. */
struct store_writer *store_writer_open_until(const char *path, int wake_fd, struct err *err);
void store_writer_close(struct store_writer *w);	/* NULL is fine */

/*
 * Adds C as the next sample, taken at CLOCK (Unix seconds). Takes over C in any case. After an
 * error nothing of it is in the file, and the next one may be tried.
 */
bool store_write(struct store_writer *w, struct cluster *c, int64_t clock, struct err *err);

/* The source reported no change until CLOCK. */
bool store_write_same(struct store_writer *w, int64_t clock, struct err *err);

/* Records that nothing is known between two times. */
bool store_write_gap(struct store_writer *w, int64_t since, int64_t until, const char *reason,
		     struct err *err);

/*
 * Forgets what is older than the KEEP seconds up to the last sample. If the time goes back between
 * two samples, or ahead by more than STORE_JUMP, it counts as no time: a wrong clock makes nothing
 * older. Nothing is forgotten while the last sample's time is that much after CLOCK.
 */
#define STORE_JUMP 86400
bool store_forget(struct store_writer *w, int64_t keep, int64_t clock, struct err *err);

/* Up to an age of AGE seconds keep one sample per STEP seconds, 0: all. Ages ascend. */
struct store_tier {
	int64_t age, step;
};

#define STORE_TIERS_MAX 8
struct store_keep {
	struct store_tier tiers[STORE_TIERS_MAX];
	uint32_t count;				/* 0: everything for ever */
};

/* "30d", "7d,90d:1h,3y:1d"; ERR_INPUT. */
bool store_keep_parse(const char *text, struct store_keep *keep, struct err *err);

/*
 * Forgets what is older than the last tier, as store_forget() does, and thins by the other tiers.
 * The last sample of each STEP stays. Each stretch between two kept samples is one transaction.
 */
bool store_thin(struct store_writer *w, const struct store_keep *keep, int64_t clock,
		struct err *err);

/* Call after thinning, without readers: returns free pages to the file system. */
bool store_shrink(struct store_writer *w, struct err *err);

/* Sets a fact about the recording: "every", "kept", "anonymized"; VALUE NULL removes it. */
bool store_set(struct store_writer *w, const char *name, const char *value, struct err *err);

/*
 * For recordings that can be made again, such as from logs: creates PATH, which must be new. There
 * is no journal, and all that follows is one transaction until store_writer_finish(), which forces
 * it to the disk; call store_forget() only after that. A file that failed, or was not finished, is
 * useless: write to a temporary name and rename it.
 */
struct store_writer *store_writer_hurry(const char *path, struct err *err);
bool store_writer_finish(struct store_writer *w, struct err *err);

/* For tests of a full disk: limits the number of pages. */
void store_writer_limit(struct store_writer *w, int64_t pages);

/* Rows written by the last store_write(): changed and new ones, and all. */
struct store_written {
	uint64_t changed, rows;
};
struct store_written store_written(const struct store_writer *w);

/* ---- reading ------------------------------------------------------------------------------- */

struct store_reader;

struct store_sample {
	int64_t id;		/* from 1; thinned and forgotten samples are left out */
	int64_t time;		/* of the picture */
	int64_t seen;		/* until when the source reported no change */
};

struct store_gap {
	int64_t since, until;	/* until I64_UNKNOWN: not known yet */
	char reason[200];
};

/* Refuses files that are no recording, or written by a newer version. */
struct store_reader *store_reader_open(const char *path, struct err *err);
void store_reader_close(struct store_reader *r);	/* NULL is fine */

/* From any thread: aborts the present query. */
void store_reader_cancel(struct store_reader *r);

/* First and last sample, and how many. False with ERR_INPUT if there is none. */
bool store_range(struct store_reader *r, struct store_sample *first, struct store_sample *last,
		 struct err *err);

/* The last sample that is not later than TIME; false with ERR_INPUT if there is none. */
bool store_at(struct store_reader *r, int64_t time, struct store_sample *out, struct err *err);

/* The first sample from ID on; false with ERR_INPUT if there is none. */
bool store_next(struct store_reader *r, int64_t id, struct store_sample *out, struct err *err);

/* From sample ID on, but not after MOST: the last one before one that is not of FROM to UNTIL. */
bool store_run(struct store_reader *r, int64_t id, int64_t most, int64_t from, int64_t until,
	       struct store_sample *last, struct err *err);

/*
 * The numbers of the first and the last sample with times FROM to UNTIL, both included; I64_UNKNOWN
 * for an open end. Thinned samples count, and if the clock went back, some between have other
 * times. If no sample is of that time, *LAST is before *FIRST.
 */
bool store_between(struct store_reader *r, int64_t from, int64_t until, int64_t *first,
		   int64_t *last, struct err *err);

/* The cluster at sample ID, with the tables that NEEDS (enum need) requires. */
struct cluster *store_read(struct store_reader *r, int64_t id, uint32_t needs, struct err *err);

/*
 * A walk from sample to sample: a step forward reads only what was written for that sample, and is
 * many times cheaper than store_read(). For curves and tables over time: walk over the samples of
 * the range in ascending order (skipping some is fine), compute a model of each cluster, and keep
 * the values needed. Pass only the NEEDS of the columns.
 *
 *	struct store_walk *w = store_walk_new(reader, NEED_SHARES | NEED_POLICY);
 *
 *	for (s = from; s.id < to.id && store_next(reader, s.id + 1, &s, &err);) {
 *		const struct cluster *c = store_walk_to(w, s.id, &err);
 *		...
 *	}
 *	store_walk_free(w);
 *
 * The walk uses READER, which must outlive it and be used in the same thread. Several walks may
 * run, and all other functions may be called between two steps.
 */
struct store_walk;
struct store_walk *store_walk_new(struct store_reader *r, uint32_t needs);
void store_walk_free(struct store_walk *w);	/* NULL is fine */

/*
 * The cluster at sample ID, the same as from store_read(), borrowed until the next call. A thinned
 * sample gives what is left of it (see above), for callers that want to meet every job. A sample
 * further away, or before the last one, is read as a whole. After an error the next sample may be
 * tried.
 */
const struct cluster *store_walk_to(struct store_walk *w, int64_t id, struct err *err);
struct cluster *store_walk_take(struct store_walk *w, int64_t id, struct err *err); /* caller's */

/* Finds the gap that TIME is in; false if there is none. */
bool store_gap_at(struct store_reader *r, int64_t time, struct store_gap *out);

/* Gap number I in the order of time; false after the last one. */
bool store_gap(struct store_reader *r, uint32_t i, struct store_gap *out);

/*
 * Puts the time line into OUT, which must be empty. STAMP, first 0, changes with the content: if it
 * is that of the last call, OUT stays empty.
 */
bool store_timeline(struct store_reader *r, uint64_t *stamp, struct timeline *out, struct err *err);

/* ---- recording ----------------------------------------------------------------------------- */

struct record_options {
	const char *path;
	int64_t every_ms;
	struct store_keep keep;
	bool anonymize;		/* the key of the pseudonyms is kept in PATH.key */
	uint64_t count;		/* samples, then stop; 0 until a signal comes */
	void (*say)(const char *subject, const char *text);	/* messages for people */
	void (*heard)(uint64_t samples);	/* called after each sample with their number;
						 * may be NULL */
};

/*
 * Records SOURCE (taken over in any case) until SIGINT, SIGTERM or SIGHUP, which are blocked from
 * then on. Outages of the source become gaps. Returns the exit status: 0 (a source that ended, or
 * COUNT), 128 + signal, or an error's.
 */
int record_run(struct source *source, const struct record_options *o, struct err *err);

#endif
