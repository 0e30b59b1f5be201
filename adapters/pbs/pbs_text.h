/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: a cluster from the output of PBS's commands and the files of its scheduler.
 *
 * A set of texts, from a directory of saved files or from the commands themselves, is passed to one
 * parser per kind, all for one builder. Every kind may be missing: its values are then unknown.
 *
 * qstat prints times in local time without a zone. For a manager, queue_rank holds the same instant
 * as a Unix time, and gives the zone of each job; else the zone of this process (TZ) is assumed.
 */
#ifndef FAIRTOP_ADAPTERS_PBS_PBS_TEXT_H
#define FAIRTOP_ADAPTERS_PBS_PBS_TEXT_H

#include "adapters/read_once.h"

/* The kinds, in reading order: a kind comes before those that refer to it. */
enum pbs_text_kind {
	PBS_SERVER,		/* qstat -B -f -F json */
	PBS_QUEUE,		/* qstat -Q -f -F json */
	PBS_SCHED,		/* qmgr -c 'list sched' */
	PBS_CONFIG,		/* sched_priv/sched_config */
	PBS_HOLIDAYS,		/* sched_priv/holidays: when it is prime time */
	PBS_GROUP,		/* sched_priv/resource_group */
	PBS_FS,			/* pbsfs */
	PBS_USAGE,		/* sched_priv/usage, binary */
	PBS_NODES,		/* pbsnodes -av -F json */
	PBS_JOBS,		/* qstat -f -t -F json; without -t running subjobs have no rows */
	PBS_RESV,		/* pbs_rstat -F */
	PBS_LOG,		/* the scheduler's log: values of job_sort_formula, reasons */
	PBS_KINDS
};

bool pbs_is_json(enum pbs_text_kind kind);	/* jobs, queues, the server, nodes */

/* One output. The JSON kinds are unescaped in place: the reader may change the bytes. */
struct pbs_text {
	const char *name;	/* for messages: the name of the file or command */
	char *text;		/* text[length] is NUL; NULL: there is none */
	size_t length;
	const char *complaint;	/* the command's message on standard error; NULL or "" */
	bool sure;		/* the command is known to have ended well */
};

struct pbs_texts {
	struct pbs_text kind[PBS_KINDS];
	int64_t time;		/* when they were taken, unless a text has the time; I64_UNKNOWN */
	char server[256], version[64];	/* as stanzas name them; "" unknown */
	char said[PBS_KINDS][200];	/* message of standard error found in each text; or "" */
	bool without_jobs;	/* the request did not need them */
	bool denied;		/* sched_priv exists but may not be read */
	/* The scheduler whose policy and tree are read; NULL: the default one. */
	const char *sched;
};
#define PBS_SCHED_MAX 100

/* Copies the scheduler's NAME to SCHED, "" for the default one; false if it is invalid. */
bool pbs_sched_take(const char *name, char sched[PBS_SCHED_MAX]);

/*
 * Reads TEXTS into B: fair-share tree, jobs, queues, server, schedulers, nodes, policy, meta and
 * notes. False with ERR_INPUT ("NAME: what was expected") for a text that cannot be read,
 * ERR_SOURCE if qstat complained that the server did not answer. B is not sealed.
 */
bool pbs_text_build(struct pbs_texts *texts, struct builder *b, struct err *err);
/* Is the scheduler that TEXTS are to be of, if any, among those that were read? */
bool pbs_text_check_sched(const struct pbs_texts *texts, struct builder *b, struct err *err);

/*
 * Adds to TEXTS the parts of TEXT, saved as NAME (borrowed), in the form that PBS prints for
 * people: jobs, queues, the server, nodes, schedulers, also of several commands. Other parts are
 * skipped; SAID, of SIZE bytes, becomes what is doubtful, else the first message of standard error,
 * or "". The first text of a kind and the first stanza of a name are kept. False if nothing has
 * that form. Free the added texts with mem_free().
 */
bool pbs_stanzas_take(struct pbs_texts *texts, const char *name, const char *text, size_t length,
		      char *said, size_t size);

/* The files of a directory of saved outputs, by enum pbs_text_kind. */
extern const struct saved_file pbs_dir_files[];

/* Is KIND a file that each scheduler has of its own, or the output of pbsfs, made from these? */
bool pbs_is_priv(enum pbs_text_kind kind);

/*
 * PATH is a directory or one file. With ",sched=NAME" behind it the files of sched_priv are read
 * from sched_priv_NAME in the directory, as PBS names it. ERR_INPUT if nothing in it is understood.
 * Read once, at the first fetch. FILE.err may hold the standard error of the command that wrote
 * FILE: if it says that the server could not be reached, the fetch fails with ERR_SOURCE.
 */
struct source *pbs_saved_open(const char *spec, struct err *err);

#endif
