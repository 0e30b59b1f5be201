/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import: logs of schedulers, read line by line into a replay.
 *
 * One reader per kind of log; shared parts are here. A line is used, is skipped for a reason, or is
 * no record at all (comments, blank lines). A remark notes what was tolerated in a used line.
 * Reasons and remarks are counted, with the first line of each: this is the summary that users see.
 *
 * Files may be compressed with gzip. Memory holds the jobs pending and running at a time and the
 * distinct names, whatever the size of the file: the jobs of a long log are in nameless files
 * (spill.c). A line is at most LINE_BYTES_MAX long. JSON has no lines: it is held as a whole, and
 * is at most WHOLE_BYTES_MAX long.
 */
#ifndef FAIRTOP_ADAPTERS_IMPORT_IMPORT_H
#define FAIRTOP_ADAPTERS_IMPORT_IMPORT_H

#include "adapters/slice.h"
#include "core/cluster/idmap.h"
#include "core/replay/replay.h"

#define LINE_BYTES_MAX	  (4u << 20)
#define LINE_BYTES_BEYOND 100000000u /* a longer line is an error */
#define WHOLE_BYTES_MAX	  ((size_t)1 << 30)
#define IMPORT_TALLIES	  48
#define IMPORT_HEADER_MAX 65536
#define IMPORT_TIME_MAX	  INT64_C(32503680000) /* the year 3000 */

/* ---- storage of jobs (spill.c) ------------------------------------------------------------- */

struct spill;

/* Creates the files in the directory of BESIDE, now: a sandboxed process cannot create any. */
struct spill *spill_new(const char *beside);
void spill_close(struct spill *spill);		/* NULL is fine; after the replay */

struct replay_storage spill_storage(struct spill *spill);	/* for replay_use_storage() */

/* ---- lines (lines.c) ----------------------------------------------------------------------- */

struct lines;

/* Opens a file; "-" is standard input. ERR_INPUT if it cannot be opened. */
struct lines *lines_open(const char *path, struct err *err);
/* The same bytes from memory, for tests; borrowed, never compressed. */
struct lines *lines_of(const char *bytes, size_t length);
void lines_close(struct lines *l);		/* NULL is fine */

enum lines_next { LINES_LINE, LINES_LONG, LINES_END, LINES_FAILED };

/*
 * The next line without its end, borrowed until the next call. LINES_LONG: it is longer than
 * LINE_BYTES_MAX and was skipped. LINES_FAILED (err): it cannot be read, it is longer than
 * LINE_BYTES_BEYOND, the file is binary, or the compressed data are damaged or end early.
 */
enum lines_next lines_next(struct lines *l, struct slice *line, struct err *err);

/* Gives the next bytes, up to about 128 KiB, without taking them. False (err): as above. */
bool lines_peek(struct lines *l, struct slice *ahead, struct err *err);

/*
 * Takes all that is left, NUL-ended and writable, borrowed until the next call. NULL (err): as
 * above, or it is longer than MAX bytes.
 */
char *lines_rest(struct lines *l, size_t max, size_t *length, struct err *err);

/* The progress in bytes of the file on disk; *TOTAL is 0 if unknown. */
void lines_progress(const struct lines *l, uint64_t *done, uint64_t *total);

/* ---- reading ------------------------------------------------------------------------------- */

struct import_tally {
	const char *what;		/* a literal */
	uint64_t count, first_line;
	bool skipped;			/* a reason; else a remark */
};

struct import_weights;
struct import_kind;

/* A job of the replay was suspended. */
struct import_pause {
	uint32_t job;
	int64_t ran;			/* since this time: its last pause ended; INT64_MIN: none */
	int64_t from, to;		/* TO: INT64_MAX to its end */
};

struct import {
	struct replay *replay;
	const struct import_kind *kind;
	const char *columns;		/* of a sacct without header: titles joined by commas */
	const char *delimiter;		/* of sacct output; NULL: as in the header; never "" */
	uint64_t line;			/* of the input being read, from 1 */
	uint64_t lines, used, skipped;	/* of all inputs */
	struct import_tally tally[IMPORT_TALLIES];
	size_t tallies;
	char name[256], version[64], zone[64];	/* of the cluster, "" unknown */
	uint32_t procs;			/* of the cluster, 0 unknown */
	char header[IMPORT_HEADER_MAX];	/* comment lines naming its provider, each with \n */
	size_t header_length;
	/* Called now and then while reading; may be NULL. */
	void (*progress)(void *context, const struct import *im, uint64_t done, uint64_t total);
	void *context;
	struct import_weights *weights;	/* NULL: unknown */
	/* State of the readers. */
	void *state;			/* of the kind, for one input */
	int64_t *boots;			/* when LSF's mbatchd started, ascending; owned */
	size_t boot_count, boot_capacity;
	struct import_pause *pauses;	/* of jobs, ascending by FROM; owned */
	size_t pause_count, pause_capacity;
	struct idmap open;		/* jobs that have not ended, by a key of the reader */
	struct import_clock {		/* the day last converted */
		int32_t day;		/* year * 10000 + month * 100 + day; 0 none */
		int64_t midnight;
		bool even;		/* no change of the clock on that day */
	} clock;
};

struct import_kind {
	const char *name;
	const char *meaning;		/* one line */
	const char *expected;		/* of a file of this kind, for messages */
	size_t state_size;		/* zeroed for each input */
	/* False with ERR ends the reading: the file is not of this kind. */
	bool (*line)(struct import *im, struct slice line, struct err *err);
	/* After one input; may be NULL. ERR NULL: reading failed, only free what is held. */
	bool (*end)(struct import *im, struct err *err);
	/* Both, or NULL: does AHEAD begin one value, not lines? WHOLE reads it, NUL-ended. */
	bool (*is_whole)(const struct import *im, struct slice ahead);
	bool (*whole)(struct import *im, char *text, size_t length, struct err *err);
};
extern const struct import_kind import_swf, import_sacct, import_pbs, import_lsf;
extern const struct import_kind *const import_kinds[];	/* NULL-ended */

const struct import_kind *import_kind_by_name(const char *name);	/* NULL if there is none */

void import_init(struct import *im, const struct import_kind *kind);
void import_free(struct import *im);

/*
 * SPILL, which outlives IM, may hold the jobs of a long log. Call before reading; default: memory.
 */
void import_use_spill(struct import *im, struct spill *spill);

/*
 * Reads one input. ERR_INPUT "PATH:LINE: ..." if it cannot be read or holds no record of this kind;
 * the message then says what was found instead.
 */
bool import_read(struct import *im, const char *path, struct err *err);
bool import_read_lines(struct import *im, struct lines *l, const char *path, struct err *err);

/* ---- for the readers ----------------------------------------------------------------------- */

void import_skip(struct import *im, const char *reason);	/* skips the current line */
void import_remark(struct import *im, const char *what);
void import_header(struct import *im, struct slice line);	/* keeps a comment line */

uint32_t import_text(struct import *im, struct slice s);

/*
 * Reads "dddd-dd-ddTdd:dd:dd" or "dd/dd/dddd dd:dd:dd" in this process's time zone, or a Unix time.
 */
bool import_time(struct import *im, struct slice s, int64_t *time);

/* Reads a Unix time in digits without its fraction; false if not a time before the year 3000. */
bool import_unix(struct slice s, int64_t *time);

/*
 * Replays LSF's logs by LSF's own formula, instead of replay_run(): a picture each period of O, or
 * each EVERY seconds if set, from FIRST to LAST. DIR holds LSF's configuration, for the shares and
 * factors. ERR_INPUT if it cannot be read.
 */
bool import_lsf_run(struct import *im, const char *dir, const struct replay_options *o,
		    int64_t first, int64_t last, replay_sample *sample, void *context,
		    struct err *err);

/* ---- what comes beside a log (tree.c) ------------------------------------------------------ */

/*
 * Reads the tree from a `sacctmgr dump` file or `sacctmgr show assoc -P` (recognised by content);
 * the QOS from `sacctmgr show qos -P`. Call before reading, the tree first.
 */
bool import_tree(struct import *im, const char *path, struct err *err);
bool import_qos(struct import *im, const char *path, struct err *err);

/* Reads TRESBillingWeights from `scontrol show partition`. Call before reading. */
bool import_partitions(struct import *im, const char *path, struct err *err);
void import_take_weights(struct import *im, const struct cluster *c);
void import_free_weights(struct import_weights *w);	/* NULL is fine */

/*
 * Returns the billable TRES of a job with TRES ("cpu=2,mem=6400M") in PARTITION, whose whole part
 * is PRINTED; PRINTED itself if the weights are unknown or do not give that whole part.
 */
double import_billing(struct import *im, uint32_t partition, struct slice tres, double printed);

/* JOB has the last import_billing(). import_finish_billing() may change it after all is read. */
void import_billing_of(struct import *im, uint32_t job);
void import_finish_billing(struct import *im);

/*
 * Reads the times of passes: one per line, Unix seconds or 2026-11-20T03:50:28, the last word of
 * the line; # begins a comment. Sorted; free *TIMES with mem_free().
 */
bool import_passes(const char *path, int64_t **times, size_t *count, struct err *err);

#endif
