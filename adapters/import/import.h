/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import: logs of schedulers, read line by line into a replay.
 *
 * One reader per kind of log; what they share is here. A line is used, is skipped for a reason, or
 * is no record at all (comments, blank lines). What was tolerated in a used line is a remark. The
 * reasons and remarks are counted, with the first line of each: the summary that people see.
 *
 * Files may be compressed with gzip. Memory is that of the jobs that wait and run at a time and of
 * the distinct names, whatever the size of the file: the jobs of a long log lie in files without a
 * name (room.h). A line is at most LINE_BYTES_MAX long. JSON is no lines: it is held whole, and at
 * most WHOLE_BYTES_MAX long.
 */
#ifndef FAIRTOP_ADAPTERS_IMPORT_IMPORT_H
#define FAIRTOP_ADAPTERS_IMPORT_IMPORT_H

#include "adapters/import/room.h"
#include "adapters/slice.h"
#include "core/cluster/idmap.h"
#include "core/replay/replay.h"

#define LINE_BYTES_MAX (4u << 20)
#define LINE_BYTES_BEYOND 100000000u	/* nor is one passed over */
#define WHOLE_BYTES_MAX ((size_t)1 << 30)
#define IMPORT_TALLIES 48
#define IMPORT_HEADER_MAX 65536
#define IMPORT_TIME_MAX INT64_C(32503680000)	/* the year 3000 */

/* ---- lines (lines.c) ----------------------------------------------------------------------- */

struct lines;

/* "-" is standard input. ERR_INPUT if it cannot be opened. */
struct lines *lines_open(const char *path, struct err *err);
/* The same bytes from memory, for tests; borrowed, never compressed. */
struct lines *lines_of(const char *bytes, size_t length);
void lines_close(struct lines *l);		/* NULL is fine */

enum lines_next { LINES_LINE, LINES_LONG, LINES_END, LINES_FAILED };

/*
 * The next line without its end, borrowed until the next call. LINES_LONG: it was longer than
 * LINE_BYTES_MAX and is passed over. LINES_FAILED (err): it cannot be read, it is longer than
 * LINE_BYTES_BEYOND, the file is binary, or the compressed data are damaged or end early.
 */
enum lines_next lines_next(struct lines *l, struct slice *line, struct err *err);

/* What comes next, some 128 KiB where there is as much; nothing is taken. False (err): as above. */
bool lines_peek(struct lines *l, struct slice *ahead, struct err *err);

/*
 * All that is left, NUL-ended, to be changed, borrowed until the next call. NULL (err): as above,
 * or it is longer than MAX bytes.
 */
char *lines_rest(struct lines *l, size_t max, size_t *length, struct err *err);

/* How far it is, in bytes of the file as it lies there; *TOTAL 0 if nobody knows. */
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
	int64_t ran;			/* since its pause before; INT64_MIN: none */
	int64_t from, to;		/* TO: INT64_MAX to its end */
};

struct import {
	struct replay *replay;
	const struct import_kind *kind;
	const char *columns;		/* of a sacct without header: titles joined by commas */
	const char *delimiter;		/* of a sacct; NULL: as the header tells; never "" */
	const char *path;		/* being read */
	uint64_t line;			/* of it, from 1 */
	uint64_t lines, used, skipped;	/* of all inputs */
	struct import_tally tally[IMPORT_TALLIES];
	size_t tallies;
	char name[256], version[64], zone[64];	/* of the cluster, "" unknown */
	uint32_t procs;			/* of the cluster, 0 unknown */
	char header[IMPORT_HEADER_MAX];	/* comment lines that name who gave the log, each with \n */
	size_t header_length;
	/* Called now and then while reading; may be NULL. */
	void (*progress)(void *context, const struct import *im, uint64_t done, uint64_t total);
	void *context;
	struct import_weights *weights;	/* NULL: none are known */
	/* What the readers keep. */
	void *state;			/* of the kind, for one input */
	int64_t *boots;			/* when LSF's mbatchd started, ascending; owned */
	size_t boot_count, boot_capacity;
	struct import_pause *pauses;	/* of jobs, ascending by FROM; owned */
	size_t pause_count, pause_capacity;
	struct idmap open;		/* jobs that have not ended, by a key of the kind */
	struct import_clock {		/* the day that was last converted */
		int32_t day;		/* year * 10000 + month * 100 + day; 0 none */
		int64_t midnight;
		bool even;		/* no change of the clock on it */
	} clock;
};

struct import_kind {
	const char *name;
	const char *meaning;		/* one line */
	const char *expected;		/* of a file of this kind, for messages */
	size_t state_size;		/* zeroed for each input */
	/* False with ERR ends the reading: it is no file of this kind. */
	bool (*line)(struct import *im, struct slice line, struct err *err);
	/* Of one input; may be NULL. ERR NULL: it failed already, and what it held is to go. */
	bool (*end)(struct import *im, struct err *err);
	/* Both, or NULL: is an input that begins with AHEAD one value, no lines? It, NUL-ended. */
	bool (*is_whole)(const struct import *im, struct slice ahead);
	bool (*whole)(struct import *im, char *text, size_t length, struct err *err);
};
extern const struct import_kind import_swf, import_sacct, import_pbs, import_lsf;
extern const struct import_kind *const import_kinds[];	/* NULL-ended */

const struct import_kind *import_kind_by_name(const char *name);	/* NULL if there is none */

void import_init(struct import *im, const struct import_kind *kind);
void import_free(struct import *im);

/* ROOM, which outlives IM, may hold the jobs of a long log. Before reading; else memory does. */
void import_use_room(struct import *im, struct room *room);

/*
 * Reads one input. ERR_INPUT "PATH:LINE: ..." if it cannot be read or holds no record of this kind;
 * the message then says what was found instead.
 */
bool import_read(struct import *im, const char *path, struct err *err);
bool import_read_lines(struct import *im, struct lines *l, const char *path, struct err *err);

/* ---- for the readers ----------------------------------------------------------------------- */

void import_skip(struct import *im, const char *reason);	/* the current line */
void import_remark(struct import *im, const char *what);
void import_header(struct import *im, struct slice line);	/* keeps a comment line */

uint32_t import_text(struct import *im, struct slice s);

/*
 * "dddd-dd-ddTdd:dd:dd" or "dd/dd/dddd dd:dd:dd" in the time zone of this process, or a Unix time.
 */
bool import_time(struct import *im, struct slice s, int64_t *time);

/* Unix time in digits, a fraction cut off; false for what is no time before the year 3000. */
bool import_unix(struct slice s, int64_t *time);

/*
 * LSF's logs by LSF's own law, instead of replay_run(): a picture each period of O, or each EVERY
 * seconds if that is set, from FIRST to LAST. DIR holds LSF's configuration: what it shares, and by
 * which factors. ERR_INPUT if it cannot be read.
 */
bool import_lsf_run(struct import *im, const char *dir, const struct replay_options *o,
		    int64_t first, int64_t last, replay_sample *sample, void *context,
		    struct err *err);

/* ---- what comes beside a log (tree.c) ------------------------------------------------------ */

/*
 * The tree out of a `sacctmgr dump` file or of `sacctmgr show assoc -P`, told by content; the QOS
 * out of `sacctmgr show qos -P`. Call before reading, the tree first.
 */
bool import_tree(struct import *im, const char *path, struct err *err);
bool import_qos(struct import *im, const char *path, struct err *err);

/* TRESBillingWeights out of `scontrol show partition`. Call before reading. */
bool import_partitions(struct import *im, const char *path, struct err *err);
void import_take_weights(struct import *im, const struct cluster *c);
void import_free_weights(struct import_weights *w);	/* NULL is fine */

/*
 * Billable TRES of a job that has TRES ("cpu=2,mem=6400M") in PARTITION, of which the whole part is
 * PRINTED; PRINTED itself where the weights are not known or do not explain it.
 */
double import_billing(struct import *im, uint32_t partition, struct slice tres, double printed);

/* It became this job of the replay; its billing may be set anew when all have been read. */
void import_billing_of(struct import *im, uint32_t job);
void import_settle_billing(struct import *im);

/*
 * Times of passes: one a line, Unix seconds or 2026-11-20T03:50:28, the last word of the line;
 * comments begin with #. Sorted; *TIMES is freed with mem_free().
 */
bool import_passes(const char *path, int64_t **times, size_t *count, struct err *err);

#endif
