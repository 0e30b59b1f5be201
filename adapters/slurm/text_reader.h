/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_reader: what the parsers of Slurm's outputs share while they fill one builder.
 *
 * Most parsers are tables: a title or key of Slurm, the field it fills. reader_put() converts a
 * slice to the field's type by the fields table; what only one kind of text needs is in its parser.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_TEXT_READER_H
#define FAIRTOP_ADAPTERS_SLURM_TEXT_READER_H

#include "adapters/slurm/slurm_text.h"
#include "adapters/slice.h"
#include "adapters/slurm/text_table.h"
#include "core/cluster/idmap.h"

/*
 * A title or key that Slurm writes, and the field it fills. Several may fill one field (spelling
 * changed).
 */
struct field_key {
	const char *key;
	enum field field;
};

struct assocs;

struct slurm_reader {
	struct builder *b;
	const struct slurm_texts *texts;
	const struct slurm_text *text;	/* the one being read */
	uint32_t line;			/* of it, for messages */
	struct err *err;
	bool lenient;			/* unreadable values are unknown and counted, no error */
	uint32_t bad;			/* number of values or rows of this text left out */
	char first_bad[ERR_MESSAGE_MAX];
	struct slice remark;		/* a line that is not part of the output; empty: none */

	char *held[SLURM_KINDS];	/* copies of JSON that may not be changed */
	struct assocs *assocs;
	bool users_numbered;		/* some users got numbers here: their texts had none */
	struct idmap users, qos, jobs, prio;	/* rows by a hash of their names */
	double (*terms)[PRIO_FACTORS];	/* per row of the PRIO table, NaN where unknown */
	size_t terms_capacity;
	double *tres_total;		/* sum over nodes and licenses, per TRES row */
	size_t tres_count, tres_capacity;
	int64_t shift;			/* seconds from their time zone to ours */
	char cluster[256], version[64];	/* "" unknown */
	int64_t time, boot;
	int64_t last_backfill;		/* 0: unknown */
	bool include_is_missing;	/* the slurm.conf includes a file that was not read */
	uint32_t jobs_pending, jobs_running;	/* as reported by slurmctld; U32_UNKNOWN */
	const char *weights;		/* the text that gave the weights of sprio -w; NULL */
	bool foreign_conf;		/* the slurm.conf is of another cluster */
	double usage_quantum, ratio_quantum;	/* of what was read; NaN: nothing read */
};

/*
 * Sets ERR_INPUT "NAME:LINE: ..." and returns false. In a lenient text counts it and returns true.
 */
bool reader_fail(struct slurm_reader *r, const char *format, ...) ERR_PRINTF(2, 3);

/* Is CLUSTER another cluster than ours? The database has names in lower case. */
bool reader_is_foreign(const struct slurm_reader *r, struct slice cluster);

/*
 * For a text without any WHAT ("records that begin with JobId="): fails with its first line, unless
 * it is empty or a line says that there are none ("No jobs in the system").
 */
bool reader_none(struct slurm_reader *r, const char *what);

/*
 * Puts S into FIELD of ROW by the field's type and unit; absent values stay unknown. KEY is for
 * messages.
 */
bool reader_put(struct slurm_reader *r, enum field field, uint32_t row, struct slice s,
		const char *key);

/*
 * Puts the TRES list "cpu=3,mem=31250G" into FIELD, counts times FACTOR (60: minutes to seconds).
 */
bool reader_put_tres(struct slurm_reader *r, enum field field, uint32_t row, struct slice s,
		     double factor, const char *key);

/* Row of a TRES by its name, which is made lower case. */
uint32_t reader_tres_row(struct slurm_reader *r, struct slice name);
/* Adds COUNT to the cluster's total of a TRES. */
void reader_total(struct slurm_reader *r, struct slice name, double count);
/* Adds a node's TRES, "cpu=16,mem=64G", to the totals. */
void reader_node_totals(struct slurm_reader *r, struct slice tres);

/* Sets the parameter KEY, a name of slurm.conf, if the policy has it. */
bool reader_put_policy(struct slurm_reader *r, struct slice key, struct slice value);

/* Row of TABLE whose name field is NAME; added if ADD, else ROW_NONE if there is none. */
uint32_t reader_named_row(struct slurm_reader *r, struct idmap *ix, enum table table,
			  enum field name_field, struct slice name, bool add);

/*
 * The full name for PREFIX, which may be cut: an exact match, else the only name that begins with
 * it; empty if unclear.
 */
struct slice reader_full_name(struct slurm_reader *r, enum table table, enum field name_field,
			      struct slice prefix);

/* Columns of a table filled by a list of keys: column[i] belongs to keys[i]. */
void reader_columns(const struct text_table *t, const struct field_key *keys, size_t count,
		    size_t *columns);
/* Puts every cell of the current row that is in KEYS. */
bool reader_put_row(struct slurm_reader *r, const struct text_table *t,
		    const struct field_key *keys, size_t count, const size_t *columns,
		    uint32_t row);

/*
 * "Key=Value Key=Value" as scontrol prints it, over several lines or one. A record begins at a line
 * that begins with the given key. A value ends before the next word that looks like "Key=", or at
 * the end of the line.
 */
struct pairs {
	struct slice rest;
	struct slice line;		/* what is left of the current line */
	uint32_t line_number;
	bool line_start;		/* the last pair was at the very beginning of its line */
	struct slice key, value;
	const char *own;		/* the keys that begin our records */
	bool away;			/* the current lines belong to no record of ours */
	struct slice remark;		/* the first line that was skipped; empty: none */
};
/*
 * OWN: "UserName,QOS", the keys that begin our records. After a prompt, or the beginning of another
 * kind of record, lines are skipped until the next record of ours.
 */
void pairs_open(struct pairs *p, const struct slurm_text *text, const char *own);
bool pairs_next(struct pairs *p);	/* false at the end */

/* The parsers, one per kind of text (struct slurm_reader.text is set by the caller). */
bool slurm_read_sdiag(struct slurm_reader *r);
bool slurm_read_conf(struct slurm_reader *r);
bool slurm_read_config(struct slurm_reader *r);
bool slurm_read_cluster(struct slurm_reader *r);
bool slurm_read_tres(struct slurm_reader *r);
bool slurm_read_qos(struct slurm_reader *r);
bool slurm_read_user(struct slurm_reader *r);
bool slurm_read_assoc_mgr(struct slurm_reader *r);
bool slurm_read_assoc(struct slurm_reader *r);
bool slurm_read_dump(struct slurm_reader *r);
bool slurm_read_sshare(struct slurm_reader *r);
bool slurm_read_sshare_json(struct slurm_reader *r);
bool slurm_read_partition(struct slurm_reader *r);
bool slurm_read_node(struct slurm_reader *r);
bool slurm_read_reservation(struct slurm_reader *r);
bool slurm_read_license(struct slurm_reader *r);
bool slurm_read_squeue(struct slurm_reader *r);
bool slurm_read_job(struct slurm_reader *r);
bool slurm_read_job_cpus(struct slurm_reader *r);
bool slurm_read_squeue_json(struct slurm_reader *r);
bool slurm_read_sprio(struct slurm_reader *r);
bool slurm_read_weights(struct slurm_reader *r);
bool slurm_read_rest_diag(struct slurm_reader *r);
bool slurm_read_rest_qos(struct slurm_reader *r);
bool slurm_read_rest_associations(struct slurm_reader *r);
bool slurm_read_rest_partitions(struct slurm_reader *r);
bool slurm_read_rest_nodes(struct slurm_reader *r);
bool slurm_read_rest_reservations(struct slurm_reader *r);
bool slurm_read_rest_licenses(struct slurm_reader *r);

/* Call after reading the configuration: parameters missing in an excerpt become unknown. */
void slurm_forget_missing(struct slurm_reader *r);
/* Call after all, without a configuration: what cannot be computed without it becomes unknown. */
void slurm_rest_without_policy(struct slurm_reader *r);

/* Is there an output that lists jobs, not only their priorities? */
bool slurm_lists_jobs(const struct slurm_texts *texts);
/* Row of the job with that number, added if new; for U32_UNKNOWN always a new row. */
uint32_t reader_job(struct slurm_reader *r, uint32_t id);
uint32_t reader_find_job(const struct slurm_reader *r, uint32_t id);	/* ROW_NONE if there is
									 * none */
/* Puts the state as a word: "PD" and "PENDING" are both PENDING. */
void reader_put_state(struct slurm_reader *r, uint32_t row, struct slice state);
/*
 * Splits the scheduler's reason into word and explanation ("ReqNodeNotAvail,
 * UnavailableNodes:n1").
 */
void reader_put_reason(struct slurm_reader *r, uint32_t row, struct slice reason);
/* Puts the billable TRES of "cpu=3,billing=4". */
void reader_put_billing(struct slurm_reader *r, uint32_t row, struct slice tres);

#endif
