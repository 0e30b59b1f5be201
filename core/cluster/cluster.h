/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cluster: one immutable picture of a cluster at one instant.
 *
 * A source fills a builder row by row; builder_seal() checks it, brings the associations into
 * pre-order and packs every column, string and list into one arena. A sealed cluster never changes,
 * may be read by any number of threads, and is freed whole.
 *
 * Columns are plain arrays, one per field of the fields table. A column that no row ever set is
 * NULL: every value of it is unknown. The row getters hide that; loops over a whole column ask for
 * the array once.
 *
 * Associations: row 0 is the root; parent[i] < i; the subtree of i is [i, i + span[i]); siblings
 * stand in the order in which the source gave them. ROW numbers are valid inside one cluster only;
 * what must survive a refresh uses cluster_key().
 */
#ifndef FAIRTOP_CORE_CLUSTER_CLUSTER_H
#define FAIRTOP_CORE_CLUSTER_CLUSTER_H

#include "core/base/err.h"
#include "core/cluster/fields.h"
#include "core/cluster/policy.h"
#include "core/base/unknown.h"
#include "core/base/value.h"

/* Levels of associations below the root; real trees have ten. Some answers ask all above each. */
#define CLUSTER_DEPTH_MAX 1024

struct idmap;

struct tres_item {
	uint32_t tres;		/* row of the TRES table */
	double count;
};

/* Borrowed views into the arena. An unknown list has items == NULL; an empty one has not. */
struct tres_list {
	const struct tres_item *items;
	uint32_t count;
};

struct text_list {
	const uint32_t *texts;	/* text handles */
	uint32_t count;
};

/* Something that a source could not tell, and why; shown by every screen and answer. */
struct note {
	const char *subject;	/* "accounts", "usage", "decay pass", ... */
	const char *text;	/* "hidden by PrivateData=usage: ask for operator rights" */
	const char *format;	/* of printf(), of which TEXT was made: words of ours alone */
};

/* What is true of the picture as a whole. Texts are borrowed from the arena, "" if unknown. */
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
	 * Precision of what was read, for the tolerances of verify: the size of the last digit.
	 * 0 is a double at full precision; 1e-6 six decimals; 1 a truncated integer.
	 */
	double usage_quantum;
	double ratio_quantum;
};

struct cluster;
struct builder;

/* ---- building ------------------------------------------------------------------------------ */

struct builder *builder_new(void);
void builder_free(struct builder *b);		/* for builders that are not sealed */

/* Copies the texts; call any time before sealing. NULL texts are "". */
void builder_meta(struct builder *b, const struct cluster_meta *meta);
const struct cluster_meta *builder_get_meta(const struct builder *b);
struct policy *builder_policy(struct builder *b);	/* starts as policy_init(); edit in place */
/* FORMAT, a literal, stays: it tells which words of the text are nobody else's. */
void builder_note(struct builder *b, const char *subject, const char *format, ...) ERR_PRINTF(3, 4);

/* Line of the input that the next rows come from; errors of builder_seal() then name it. */
void builder_line(struct builder *b, uint32_t line);

/* A parent must stand on an earlier row; else builder_seal() refuses the association. */
void builder_parents_first(struct builder *b);

/*
 * What is hidden from this reader, and is not absent: bits. HIDDEN_ASSOCS: sums of children are not
 * the usage of an account, and builder_seal() leaves missing usage unknown. HIDDEN_JOBS: those of
 * others are not among the rows, or nobody knows whether they are; a note on "jobs" says why.
 */
enum { HIDDEN_ASSOCS = 1, HIDDEN_JOBS = 2 };
void builder_hidden(struct builder *b, uint32_t what);

/*
 * Missing usage stays unknown: for copies of a cluster, in which it was summed up before or cannot
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

/* Takes a value back; all notes. */
void builder_unknown(struct builder *b, enum field field, uint32_t row);
void builder_forget_notes(struct builder *b);

/* Row of the TRES called NAME ("cpu", "gres/gpu"), added when new. Names are lower case. */
uint32_t builder_tres_row(struct builder *b, const char *name, size_t length);

/* The handle of a text: equal ones have equal handles, below the bytes of all texts (text.h). */
uint32_t builder_handle(struct builder *b, const char *s, size_t length);

/*
 * Brings the rows of TABLE into another order: row i becomes what ORDER[i] was; ORDER is a
 * permutation. Lists of TRES name rows of TABLE_TRES by number: order these before setting any. Not
 * for associations with input lines.
 */
void builder_order(struct builder *b, enum table table, const uint32_t *order);

/* Associations as a scheduler lists siblings: users before accounts, each by name. */
void builder_order_names(struct builder *b);

/* Reads back what was set so far (for adapters that join several inputs). */
uint32_t builder_get_u32(const struct builder *b, enum field field, uint32_t row);
int64_t builder_get_i64(const struct builder *b, enum field field, uint32_t row);
double builder_get_f64(const struct builder *b, enum field field, uint32_t row);
const char *builder_get_text(const struct builder *b, enum field field, uint32_t row);

/* The row whose FIELD is VALUE, where the rows have ascending ones; ROW_NONE. */
uint32_t builder_find_u32(const struct builder *b, enum field field, uint32_t value);

/*
 * Checks and packs; consumes B in any case. NULL and err (with the line, when builder_line() was
 * used) if: no or several roots, an unknown parent id (or a later one, builder_parents_first()), a
 * cycle, a duplicate id, the same account twice, the same user twice in one account and partition,
 * a user with children, or usage that is negative or infinite. The usage of an account without one
 * is the sum of its children's (unknown if one of them is). A cluster without any association is
 * fine (a source of jobs only).
 */
struct cluster *builder_seal(struct builder *b, struct err *err);

/*
 * The same, but B stays as it is, to be filled further. Only after builder_keep_usage().
 */
struct cluster *builder_picture(struct builder *b, struct err *err);

/* ---- reading ------------------------------------------------------------------------------- */

void cluster_free(struct cluster *c);		/* NULL is fine; with the last owner it goes */
struct cluster *cluster_share(struct cluster *c);	/* one more owner: the caller */
size_t cluster_bytes(const struct cluster *c);	/* size of the arena */

const struct cluster_meta *cluster_meta(const struct cluster *c);
const struct policy *cluster_policy(const struct cluster *c);
uint32_t cluster_hidden(const struct cluster *c);	/* of builder_hidden() */
bool cluster_is_partial(const struct cluster *c);	/* HIDDEN_ASSOCS */
bool cluster_hides_jobs(const struct cluster *c);	/* HIDDEN_JOBS */
uint32_t cluster_notes(const struct cluster *c);
struct note cluster_note(const struct cluster *c, uint32_t i);
/*
 * False, ERR_SOURCE with the reason: there is no row of a job, and the source noted what it could
 * not tell of them: none is not zero.
 */
bool cluster_knows_jobs(const struct cluster *c, struct err *err);
/* False, ERR_SOURCE: WHAT takes the jobs of all, and some may be hidden. */
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
struct text_list cluster_list(const struct cluster *c, enum field field, uint32_t row);
/* The value of NAME (LENGTH bytes) in a list of "name=value"; NULL. */
const char *cluster_list_value(const struct cluster *c, struct text_list list, const char *name,
			       size_t length);
/* Row of the QUEUE that the job at row JOB is in, by its first partition's name; ROW_NONE. */
uint32_t cluster_queue_of(const struct cluster *c, uint32_t job);
struct tres_list cluster_tres(const struct cluster *c, enum field field, uint32_t row);
double tres_list_count(struct tres_list list, uint32_t tres);	/* 0 if it is not in LIST */

const char *cluster_string(const struct cluster *c, uint32_t handle);	/* NULL for TEXT_NONE */
/* 0 if absent */
uint32_t cluster_find_string(const struct cluster *c, const char *s, size_t length);
/* Handles of texts below this one mean the same in both; what they mean has no other handle. */
uint32_t cluster_common_texts(const struct cluster *a, const struct cluster *b);
const char *cluster_tres_name(const struct cluster *c, uint32_t tres_row);
uint32_t cluster_find_tres(const struct cluster *c, const char *name);	/* ROW_NONE if absent */
/*
 * The first row whose FIELD, a text, is that text: by its handle, or by LENGTH bytes of NAME, which
 * may be a part of a list. ROW_NONE if there is none; no row is named by the empty text.
 */
uint32_t cluster_row_of(const struct cluster *c, enum field field, uint32_t handle);
uint32_t cluster_row_named(const struct cluster *c, enum field field, const char *name,
			   size_t length);

/* The association tree (arrays of cluster_rows(c, TABLE_ASSOC)). */
const uint32_t *cluster_parent(const struct cluster *c);	/* row; ROW_NONE for the root */
/* rows of the subtree, itself included */
const uint32_t *cluster_span(const struct cluster *c);
const uint16_t *cluster_depth(const struct cluster *c);		/* root 0 */
bool cluster_is_user(const struct cluster *c, uint32_t assoc);
uint32_t cluster_assoc_by_id(const struct cluster *c, uint32_t id);	/* row or ROW_NONE */
/* For many: into the empty IDS, the row at each id; idmap_free() it. */
void cluster_assoc_ids(const struct cluster *c, struct idmap *ids);

/*
 * Paths of the contract: "/", "/physics/hep", "/physics/hep:alice", "/physics/hep:alice@gpu"; the
 * characters / : @ % = and control characters inside a name are written %XX.
 * cluster_path_get() gives the whole path, in ROOM if it fits there, else as the cluster keeps it.
 * cluster_path() is for sentences, and like snprintf: of what does not fit it writes the end,
 * behind "...". cluster_by_path() gives ROW_NONE when there is no such row.
 */
const char *cluster_path_get(const struct cluster *c, uint32_t assoc, char room[VALUE_ROOM]);
size_t cluster_path(const struct cluster *c, uint32_t assoc, char *buf, size_t size);
uint32_t cluster_by_path(const struct cluster *c, const char *path);

/*
 * The name of a job, with or without "job:": "174", of a task "56_3" or "56[3]", of an array of PBS
 * "56[]"; a server may follow, "56[].pbs". False if TEXT is none; it must outlive the name.
 */
struct job_name {
	const char *text;
	unsigned long id, task;		/* TASK U32_UNKNOWN: none is named */
	bool whole;			/* the number alone does not say it: "56[]", "56.pbs" */
};
bool job_name_read(const char *text, struct job_name *name);
bool job_name_is(const struct job_name *name, const struct cluster *c, uint32_t job);
/* The row with the waiting tasks of an array, one of which is named; ROW_NONE. */
uint32_t job_name_unsplit(const struct job_name *name, const struct cluster *c);

/* Stable 64-bit identities: of the path of an association; of a row's name or id elsewhere. */
uint64_t cluster_key(const struct cluster *c, enum table table, uint32_t row);

/*
 * OBJECT of the contract: account:NAME, user:NAME, user:NAME@ACCOUNT, user:NAME@ACCOUNT@PARTITION,
 * job:ID, queue:NAME, pool:NAME, class:N, or a path. A bare name stands for the one thing that is
 * called so: physics, alice, alice@hep, physics/hep, 141648.
 */
enum object_kind {
	OBJECT_ASSOC	= 1,
	OBJECT_JOB	= 2,
	OBJECT_QUEUE	= 4,
	OBJECT_POOL	= 8,
	OBJECT_CLASS	= 16,
	OBJECT_BARE	= 32		/* of none of them TEXT says that it is one */
};
/* What TEXT may name, of whatever cluster: the kind that it tells, else OBJECT_BARE and several. */
const char *cluster_object_prefix(size_t i);	/* how objects begin; NULL: no more */
unsigned cluster_object_kinds(const char *text);

/*
 * TEXT with its kind or as a path, the caller's: a bare name as the only thing of KINDS that has it
 * in C; what tells its kind as it is, also if there is none such. NULL and ERR_INPUT: several have
 * the name, of which at most ten are listed, or none, with near misses.
 */
char *cluster_object(const struct cluster *c, const char *text, unsigned kinds, struct err *err);

/* The association that OBJECT names, by a bare name, too; ROW_NONE and ERR_INPUT likewise. */
uint32_t cluster_find_assoc(const struct cluster *c, const char *object, struct err *err);

#endif
