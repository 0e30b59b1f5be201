/* SPDX-License-Identifier: GPL-2.0-or-later */
/* reader: shared by the parsers of PBS's texts while one cluster is built; internal. */
#ifndef FAIRTOP_ADAPTERS_PBS_READER_H
#define FAIRTOP_ADAPTERS_PBS_READER_H

#include "adapters/pbs/pbs_text.h"
#include "adapters/slice.h"
#include "core/base/json_text.h"
#include "core/cluster/idmap.h"
#include "core/queue/pbs_formula.h"

/* ---- the fair-share tree ------------------------------------------------------------------- */

#define PBS_NODE_ROOT 0
#define PBS_NODE_UNKNOWN 1	/* the group of everything not in resource_group */

struct pbs_node {
	char *name;		/* owned */
	uint32_t parent;	/* ROW_NONE for the root */
	uint32_t children;
	int32_t shares;		/* as in PBS: a C int */
	int64_t cresgroup;
	double usage;
	double reported_percent, reported_usage;	/* reported by pbsfs; NaN */
};

struct pbs_tree {
	struct pbs_node *nodes;
	size_t count, capacity;
	struct idmap by_name;	/* nodes by a hash of their names */
};

void pbs_tree_init(struct pbs_tree *t, int32_t unknown_shares);	/* root and unknown */
void pbs_tree_free(struct pbs_tree *t);
uint32_t pbs_tree_find(const struct pbs_tree *t, const char *name, size_t length); /* ROW_NONE */
uint32_t pbs_tree_add(struct pbs_tree *t, uint32_t parent, const char *name, size_t length);
/* The entity NAME; if new, added under "unknown" with one share, as the scheduler does. */
uint32_t pbs_tree_entity(struct pbs_tree *t, const char *name, size_t length);

/* ---- the reader ---------------------------------------------------------------------------- */

struct pbs_reader {
	struct builder *b;
	struct pbs_texts *texts;
	struct err *err;
	struct pbs_text *text;		/* the text being read */
	struct json_scratch scratch;
	struct pbs_tree tree;
	bool has_tree;			/* resource_group, usage or pbsfs was read */
	int64_t time, last_decay;
	bool offset_known;		/* of the zone in which qstat printed times */
	int64_t offset;			/* seconds east of UTC */
	char server[256], version[64];
	uint32_t managed;		/* number of jobs with attributes that only managers see */
	uint32_t subjobs;		/* number of subjobs without a row of their own */
	uint32_t unreadable;		/* number of jobs whose job number does not fit */
	bool partial_rows;		/* qstat was run with -t: subjobs have rows of their own */
	bool indirect;			/* a note says that "ngpus=@n1" is not followed */
	bool civil_nodes;		/* F_HOST_LAST_USED is computed as if the zone were UTC */
	struct pbs_formula *usage_res;	/* while jobs are read; NULL */
};

/* ERR_INPUT "NAME: ..."; returns false. */
bool pbs_fail(struct pbs_reader *r, const char *format, ...) ERR_PRINTF(2, 3);
/* The same, with what PULL expected and where. */
bool pbs_fail_json(struct pbs_reader *r, const struct pull *p);

/*
 * Opens the JSON of the current text, reads its head (time, version, server) up to the member KEY,
 * and opens KEY's object. *FOUND: KEY exists; false on a problem.
 */
bool pbs_json_open(struct pbs_reader *r, struct pull *p, const char *key, bool *found);
/* Skips what follows that object. */
bool pbs_json_close(struct pbs_reader *r, struct pull *p);

/* ---- values -------------------------------------------------------------------------------- */

enum pbs_form {
	PBS_AS_TEXT, PBS_AS_U32, PBS_AS_I64, PBS_AS_CLOCK, PBS_AS_TIME, PBS_AS_BOOL,
	PBS_AS_LIST,		/* an object: name=value texts */
};

struct pbs_attribute {
	const char *name;
	enum field field;
	enum pbs_form form;
};

/* Finds an attribute in a table that ends with a NULL name. */
const struct pbs_attribute *pbs_attribute_find(const struct pbs_attribute *table, const char *name);

/* Sets the attribute's field from V in the attribute's form; a malformed value stays unknown. */
void pbs_put(struct pbs_reader *r, const struct pbs_attribute *a, uint32_t row,
	     const struct json_text *v);

/*
 * "05:00:00", "300": seconds. "16gb", "4194304kb", "128": a size in MiB (no unit: bytes). "Fri Nov
 * 20 03:49:09 2026", 1795146549: a time; civil returns it as if the zone were UTC.
 */
bool pbs_clock(const char *text, int64_t *seconds);
bool pbs_size(const char *text, double *mib);
bool pbs_civil(const char *text, int64_t *civil);
/* The instant of a civil time: by the known offset, else in this process's zone. */
int64_t pbs_instant(const struct pbs_reader *r, int64_t civil);
bool pbs_bool(const char *text, bool *value);

/* A growing list of "name=value" texts that becomes a field of type LIST. */
struct pbs_list {
	char **items;
	size_t count, capacity;
};
void pbs_list_add(struct pbs_list *l, const char *name, const char *value);
/* Puts the list into FIELD and empties it. */
void pbs_list_put(struct pbs_list *l, struct builder *b, enum field field, uint32_t row);
void pbs_list_free(struct pbs_list *l);

/*
 * pbs_usage_formula(): fairshare_usage_res, NULL if unreadable or not understood. pbs_job_burn():
 * what a running job with these requests and uses adds to usage per second by F, NaN if unknown.
 */
struct pbs_formula *pbs_usage_formula(struct pbs_reader *r);
double pbs_job_burn(const struct pbs_formula *f, const struct pbs_list *asked,
		    const struct pbs_list *used);

/* Reads the open object of P into LIST, each name after PREFIX ("max_run_res."). */
bool pbs_list_read(struct pbs_reader *r, struct pull *p, const char *prefix, struct pbs_list *list);

/* Does the attribute NAME limit what may run or queue? */
bool pbs_is_limit(const char *name);

/* Sets the parameter NAME if PBS has it. A VALUE that does not fit becomes unknown, with a note. */
void pbs_put_policy(struct pbs_reader *r, const char *name, const char *value);

/* ---- the parsers, one per kind (r->text is set by the caller) ------------------------------- */

bool pbs_read_server(struct pbs_reader *r);
bool pbs_read_queue(struct pbs_reader *r);
bool pbs_read_sched(struct pbs_reader *r);
bool pbs_read_config(struct pbs_reader *r);	/* values that hold at all times */
bool pbs_read_group(struct pbs_reader *r);
bool pbs_read_usage(struct pbs_reader *r);
bool pbs_read_fs(struct pbs_reader *r);
bool pbs_read_nodes(struct pbs_reader *r);
bool pbs_read_jobs(struct pbs_reader *r);
bool pbs_read_resv(struct pbs_reader *r);
bool pbs_read_log(struct pbs_reader *r);

/* Call when the zone is known: sets when nodes were last used. */
void pbs_finish_nodes(struct pbs_reader *r);
/* The same for values of sched_config that may differ between prime time and other time. */
void pbs_finish_config(struct pbs_reader *r);
/* Adds the tree as associations, with the entities of the jobs, and links the jobs to them. */
void pbs_finish_tree(struct pbs_reader *r);

#endif
