/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster: one immutable picture of a cluster at one instant.
 *
 * A source fills a builder row by row; builder_seal() checks it, brings the associations into
 * pre-order and packs every column, string and list into one arena. A sealed cluster never changes,
 * may be read by any number of threads, and is freed whole.
 *
 * Columns are plain arrays, one per field of the fields table. A column that no row ever set is
 * NULL: every value of it is unknown. The row getters handle that; loops over a whole column get
 * the array once.
 *
 * Associations: row 0 is the root; parent[i] < i; the subtree of i is [i, i + span[i]); siblings
 * keep the order of the source. Row numbers are valid inside one cluster only; use cluster_key()
 * for what must survive a refresh.
 */
#ifndef FAIRTOP_CORE_CLUSTER_CLUSTER_H
#define FAIRTOP_CORE_CLUSTER_CLUSTER_H

#include "core/base/err.h"
#include "core/cluster/fields.h"
#include "core/cluster/idmap.h"
#include "core/cluster/policy.h"
#include "core/base/unknown.h"
#include "core/base/value.h"

/* Levels of associations below the root; real trees have ten. Some functions walk all ancestors. */
#define CLUSTER_DEPTH_MAX 1024

struct tres_item {
	uint32_t tres;		/* row of the TRES table */
	double count;
};

/* Borrowed views into the arena. Unknown lists have items == NULL; empty ones do not. */
struct tres_list {
	const struct tres_item *items;
	uint32_t count;
};

struct text_list {
	const uint32_t *texts;	/* text handles */
	uint32_t count;
};

/* What a source could not report, and why; every screen and answer shows it. */
struct note {
	const char *subject;	/* "accounts", "usage", "decay pass", ... */
	const char *text;	/* "hidden by PrivateData=usage: ask for operator rights" */
	const char *format;	/* the printf() format of TEXT: fairtop's own words only */
};

/* What holds for the whole picture. Texts are borrowed from the arena, "" if unknown. */
struct cluster_meta {
	const char *kind;	/* "slurm", "pbs", "lsf", "demo", "swf", ... */
	const char *name;	/* cluster name */
	const char *version;	/* the scheduler's version, "22.05.8" */
	const char *zone;	/* time zone of the cluster, "Europe/Paris"; "" unknown */
	int64_t time;		/* when the picture was taken */
	int64_t last_decay;	/* start of the last decay pass, I64_UNKNOWN */
	int64_t boot;		/* start of the scheduler, I64_UNKNOWN */
	int64_t last_reset;	/* last usage reset, I64_UNKNOWN */
	int64_t last_backfill;	/* start of the last backfill cycle, 0 unknown */
	/*
	 * Precision of what was read, for the tolerances of verify: the value of one unit in the
	 * last digit. 0: a double at full precision; 1e-6: six decimals; 1: a truncated integer.
	 */
	double usage_quantum;
	double ratio_quantum;
};

struct cluster;
struct builder;

/* ---- building ------------------------------------------------------------------------------ */

struct builder *builder_new(void);
void builder_free(struct builder *b);		/* for unsealed builders */

/* Copies the texts; call any time before sealing. NULL texts are "". */
void builder_meta(struct builder *b, const struct cluster_meta *meta);
const struct cluster_meta *builder_get_meta(const struct builder *b);
struct policy *builder_policy(struct builder *b);	/* starts as policy_init(); edit in place */
/* FORMAT, a literal, is kept: it shows which words of the text are fairtop's own. */
void builder_note(struct builder *b, const char *subject, const char *format, ...) ERR_PRINTF(3, 4);

/* Line of the input that the next rows come from; errors of builder_seal() then name it. */
void builder_line(struct builder *b, uint32_t line);

/* Makes builder_seal() refuse an association whose parent is not on an earlier row. */
void builder_parents_first(struct builder *b);

/*
 * Sets bits for what exists but is hidden from this reader. HIDDEN_ASSOCS: the sum of the children
 * is not the usage of an account; builder_seal() leaves missing usage unknown. HIDDEN_JOBS: the
 * jobs of others are not among the rows, or may not be; a note on "jobs" says why.
 */
enum { HIDDEN_ASSOCS = 1, HIDDEN_JOBS = 2 };
void builder_hidden(struct builder *b, uint32_t what);

/*
 * Missing usage stays unknown: for copies of a cluster whose usage was summed up before or cannot
 * be known.
 */
void builder_keep_usage(struct builder *b);

uint32_t builder_add(struct builder *b, enum table table);	/* the new row's number */
uint32_t builder_rows(const struct builder *b, enum table table);

/* One setter per type; FIELD must be of that type (asserted), ROW must exist. */
/* and SHARES */
void builder_u32(struct builder *b, enum field field, uint32_t row, uint32_t value);
void builder_i64(struct builder *b, enum field field, uint32_t row, int64_t value);
void builder_f64(struct builder *b, enum field field, uint32_t row, double value);
void builder_bool(struct builder *b, enum field field, uint32_t row, bool value);
void builder_text(struct builder *b, enum field field, uint32_t row, const char *s, size_t length);
/* NULL: unknown */
void builder_str(struct builder *b, enum field field, uint32_t row, const char *s);
void builder_list(struct builder *b, enum field field, uint32_t row,
		  const char *const *strings, uint32_t count);
void builder_tres(struct builder *b, enum field field, uint32_t row,
		  const struct tres_item *items, uint32_t count);

/* Makes a value unknown again; removes all notes. */
void builder_unknown(struct builder *b, enum field field, uint32_t row);
void builder_forget_notes(struct builder *b);

/* Row of the TRES called NAME ("cpu", "gres/gpu"), added when new. Names are lower case. */
uint32_t builder_tres_row(struct builder *b, const char *name, size_t length);

/* Returns the handle of a text: equal texts have equal handles, less than the size of all texts. */
uint32_t builder_handle(struct builder *b, const char *s, size_t length);

/*
 * Brings the rows of TABLE into another order: row i becomes what ORDER[i] was; ORDER is a
 * permutation. Lists of TRES refer to rows of TABLE_TRES by number: order that table before setting
 * any list. Not for associations with input lines.
 */
void builder_order(struct builder *b, enum table table, const uint32_t *order);

/* Orders associations as a scheduler lists siblings: users before accounts, each by name. */
void builder_order_names(struct builder *b);

/* Reads back what was set so far (for adapters that join several inputs). */
uint32_t builder_get_u32(const struct builder *b, enum field field, uint32_t row);
int64_t builder_get_i64(const struct builder *b, enum field field, uint32_t row);
double builder_get_f64(const struct builder *b, enum field field, uint32_t row);
const char *builder_get_text(const struct builder *b, enum field field, uint32_t row);

/* The row whose FIELD, ascending over the rows, is VALUE; ROW_NONE. */
uint32_t builder_find_u32(const struct builder *b, enum field field, uint32_t value);

/*
 * Checks and packs; consumes B in any case. NULL and err (with the line, when builder_line() was
 * used) if: no or several roots, an unknown parent id (or a later one, builder_parents_first()), a
 * cycle, a duplicate id, the same account twice, the same user twice in one account and partition,
 * a user with children, or usage that is negative or infinite. Unset usage of an account is the sum
 * of its children's (unknown if one of them is). A cluster without associations is valid (a source
 * of jobs only).
 */
struct cluster *builder_seal(struct builder *b, struct err *err);

/* Like builder_seal(), but keeps B for more rows. Only after builder_keep_usage(). */
struct cluster *builder_picture(struct builder *b, struct err *err);

/* ---- reading ------------------------------------------------------------------------------- */

void cluster_free(struct cluster *c);		/* NULL is fine; the last owner frees it */
struct cluster *cluster_share(struct cluster *c);	/* adds an owner: the caller */
size_t cluster_bytes(const struct cluster *c);	/* size of the arena */

const struct cluster_meta *cluster_meta(const struct cluster *c);
const struct policy *cluster_policy(const struct cluster *c);
uint32_t cluster_hidden(const struct cluster *c);	/* of builder_hidden() */
bool cluster_is_partial(const struct cluster *c);	/* HIDDEN_ASSOCS */
bool cluster_hides_jobs(const struct cluster *c);	/* HIDDEN_JOBS */
uint32_t cluster_notes(const struct cluster *c);
struct note cluster_note(const struct cluster *c, uint32_t i);
const char *cluster_noted(const struct cluster *c, const char *subject); /* the first; NULL: none */
/*
 * Fails with ERR_SOURCE and the reason if there are no rows of jobs and the source noted what it
 * could not report of them: unknown is not zero.
 */
bool cluster_knows_jobs(const struct cluster *c, struct err *err);
/* Fails with ERR_SOURCE if some jobs may be hidden: WHAT needs the jobs of all users. */
bool cluster_shows_all_jobs(const struct cluster *c, const char *what, struct err *err);

uint32_t cluster_rows(const struct cluster *c, enum table table);

/* Whole columns; NULL if no row set it. Asserts the type. */
const uint32_t *cluster_col_u32(const struct cluster *c, enum field field);
const int64_t *cluster_col_i64(const struct cluster *c, enum field field);
const double *cluster_col_f64(const struct cluster *c, enum field field);
const void *cluster_col(const struct cluster *c, enum field field);

/* One value; unknown if the column is missing. */
uint32_t cluster_u32(const struct cluster *c, enum field field, uint32_t row);
int64_t cluster_i64(const struct cluster *c, enum field field, uint32_t row);
double cluster_f64(const struct cluster *c, enum field field, uint32_t row);
uint8_t cluster_bool(const struct cluster *c, enum field field, uint32_t row);
/* NULL unknown */
const char *cluster_text(const struct cluster *c, enum field field, uint32_t row);
uint32_t cluster_text_id(const struct cluster *c, enum field field, uint32_t row);
/* The same of a name; "" unknown. */
const char *cluster_name(const struct cluster *c, enum field field, uint32_t row);
/* Is there a text, known and not empty? */
bool cluster_has_text(const struct cluster *c, enum field field, uint32_t row);
struct text_list cluster_list(const struct cluster *c, enum field field, uint32_t row);
/* Is TEXT in the list? False if it is NULL, or ROW is ROW_NONE. */
bool cluster_list_has(const struct cluster *c, enum field field, uint32_t row, const char *text);
/* The value of NAME (LENGTH bytes) in a list of "name=value"; NULL. */
const char *cluster_list_value(const struct cluster *c, struct text_list list, const char *name,
			       size_t length);
/* Row of the QUEUE of the job at row JOB, by its first partition's name; ROW_NONE. */
uint32_t cluster_queue_of(const struct cluster *c, uint32_t job);
struct tres_list cluster_tres(const struct cluster *c, enum field field, uint32_t row);
bool cluster_is_known(const struct cluster *c, enum field field, uint32_t row);	/* of any type */
double tres_list_count(struct tres_list list, uint32_t tres);	/* 0 if it is not in LIST */

const char *cluster_string(const struct cluster *c, uint32_t handle);	/* NULL for TEXT_NONE */
/* 0 if absent */
uint32_t cluster_find_string(const struct cluster *c, const char *s, size_t length);
/* Texts with handles below the result have the same handle in both. */
uint32_t cluster_common_texts(const struct cluster *a, const struct cluster *b);
const char *cluster_tres_name(const struct cluster *c, uint32_t tres_row);
uint32_t cluster_find_tres(const struct cluster *c, const char *name);	/* ROW_NONE if absent */
/*
 * The first row whose text FIELD equals a text, given by its handle or by LENGTH bytes of NAME
 * (which may be a part of a list). ROW_NONE if there is none; the empty text matches no row.
 */
uint32_t cluster_row_of(const struct cluster *c, enum field field, uint32_t handle);
uint32_t cluster_row_named(const struct cluster *c, enum field field, const char *name,
			   size_t length);
/* The same for many texts: the first row by the handle of its text. The caller frees it. */
struct idmap cluster_rows_by(const struct cluster *c, enum field field);

/* The association tree (arrays of cluster_rows(c, TABLE_ASSOC)). */
const uint32_t *cluster_parent(const struct cluster *c);	/* row; ROW_NONE for the root */
/* rows of the subtree, itself included */
const uint32_t *cluster_span(const struct cluster *c);
const uint16_t *cluster_depth(const struct cluster *c);		/* root 0 */
bool cluster_is_user(const struct cluster *c, uint32_t assoc);
uint32_t cluster_assoc_by_id(const struct cluster *c, uint32_t id);	/* row or ROW_NONE */
/* For many look-ups: fills the empty IDS with the row of each id; idmap_free() it. */
void cluster_assoc_ids(const struct cluster *c, struct idmap *ids);

/*
 * Paths of the contract: "/", "/physics/hep", "/physics/hep:alice", "/physics/hep:alice@gpu"; the
 * characters / : @ % = and control characters inside a name are written %XX. cluster_path_get()
 * returns the whole path, in ROOM if it fits there, else the cluster's own copy. cluster_path() is
 * for sentences, and like snprintf, but of a path too long it writes the end, after "...".
 * cluster_by_path() returns ROW_NONE if there is no such row.
 */
const char *cluster_path_get(const struct cluster *c, uint32_t assoc, char room[VALUE_ROOM]);
size_t cluster_path(const struct cluster *c, uint32_t assoc, char *buf, size_t size);
uint32_t cluster_by_path(const struct cluster *c, const char *path);

/*
 * The name of a job, with or without "job:": "174", a task "56_3" or "56[3]", an array of PBS
 * "56[]"; a server may follow, "56[].pbs". False if TEXT is not a job name; TEXT must outlive NAME.
 */
struct job_name {
	const char *text;
	unsigned long id, task;		/* TASK U32_UNKNOWN: names no task */
	bool whole;			/* more than a number: "56[]", "56.pbs" */
};
bool job_name_read(const char *text, struct job_name *name);
bool job_name_is(const struct job_name *name, const struct cluster *c, uint32_t job);
/* Returns the row with the pending tasks of an array that include the named one; ROW_NONE. */
uint32_t job_name_unsplit(const struct job_name *name, const struct cluster *c);

/* Stable 64-bit identities: of an association's path; elsewhere of the row's name or id. */
uint64_t cluster_key(const struct cluster *c, enum table table, uint32_t row);

/*
 * OBJECT of the contract: account:NAME, user:NAME, user:NAME@ACCOUNT, user:NAME@ACCOUNT@PARTITION,
 * job:ID, queue:NAME, pool:NAME, class:N, or a path. A bare name stands for the only object with
 * that name: physics, alice, alice@hep, physics/hep, 141648.
 */
enum object_kind {
	OBJECT_ASSOC	= 1,
	OBJECT_JOB	= 2,
	OBJECT_QUEUE	= 4,
	OBJECT_POOL	= 8,
	OBJECT_CLASS	= 16,
	OBJECT_BARE	= 32		/* TEXT does not say its kind */
};
/* The kinds that TEXT may name in any cluster: the one it says, else OBJECT_BARE and several. */
const char *cluster_object_prefix(size_t i);	/* how objects begin; NULL: no more */
unsigned cluster_object_kinds(const char *text);

/*
 * Returns TEXT with its kind or as a path; the caller frees it. A bare name becomes the only object
 * of KINDS with that name in C; a TEXT that says its kind is returned as is, even if C has none
 * such. NULL and ERR_INPUT: several match (lists at most ten), or none (with near misses).
 */
char *cluster_object(const struct cluster *c, const char *text, unsigned kinds, struct err *err);

/* Returns the association that OBJECT or a bare name refers to; ROW_NONE and ERR_INPUT likewise. */
uint32_t cluster_find_assoc(const struct cluster *c, const char *object, struct err *err);

#endif
