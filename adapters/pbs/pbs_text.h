/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: a cluster out of what PBS's own commands print and its scheduler's files hold.
 *
 * A set of texts, from a directory of saved files or from the commands themselves, is fed to one
 * parser per kind, all into one builder. Every kind may be missing: what it would have told is
 * then unknown.
 *
 * Times are printed by qstat in local time without a zone. Where a manager asked, queue_rank holds
 * the same instant as a Unix time and the zone of each job is told by it; else the zone of this
 * process (TZ) is assumed.
 */
#ifndef FAIRTOP_ADAPTERS_PBS_PBS_TEXT_H
#define FAIRTOP_ADAPTERS_PBS_PBS_TEXT_H

#include "adapters/adapter.h"

/* The kinds, in the order in which they are read: what others refer to comes first. */
enum pbs_kind {
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
	PBS_LOG,		/* the scheduler's log; of it the values of job_sort_formula */
	PBS_KINDS
};

bool pbs_is_json(enum pbs_kind kind);	/* jobs, queues, the server, nodes */

/* One output. The JSON kinds are unescaped in place: the bytes are the reader's to change. */
struct pbs_text {
	const char *name;	/* for messages: the file's name, or the command */
	char *text;		/* text[length] is NUL; NULL: there is none */
	size_t length;
	const char *complaint;	/* what the command said on standard error; NULL or "" */
	bool sure;		/* the command is known to have ended well */
};

struct pbs_texts {
	struct pbs_text kind[PBS_KINDS];
	int64_t time;		/* when they were taken, if no text says so; I64_UNKNOWN */
	const char *host;	/* the server that was asked for, NULL: the default one */
	char server[256], version[64];	/* as stanzas name them; "" unknown */
	char said[PBS_KINDS][200];	/* what stood in a text from standard error; or "" */
	bool without_jobs;	/* the request did not need them */
	bool denied;		/* sched_priv is there, and may not be read */
	/* Whose policy and fair-share tree are read; NULL: those of the one called default. */
	const char *sched;
};
#define PBS_SCHED_MAX 100

/* NAME of a scheduler into SCHED, which becomes "" of the default one; false: it can be none. */
bool pbs_sched_take(const char *name, char sched[PBS_SCHED_MAX]);

/*
 * Reads TEXTS into B: fair-share tree, jobs, queues, server, schedulers, nodes, policy, meta and
 * notes. False with ERR_INPUT ("NAME: what was expected") for a text that cannot be read,
 * ERR_SOURCE when qstat's complaint says that the server did not answer. B is not sealed.
 */
bool pbs_text_build(struct pbs_texts *texts, struct builder *b, struct err *err);

/*
 * Files in TEXTS what TEXT, which was saved as NAME (borrowed), holds in the form that PBS prints
 * for people: jobs, queues, the server, nodes, schedulers, of several commands, too. What is no
 * part of it is passed over; SAID, of SIZE bytes, becomes what is in doubt, else the first message
 * of standard error, or "". Of a kind the first text stays, of a name the first stanza. False if
 * there is nothing of that form. The texts filed are freed with mem_free().
 */
bool pbs_stanzas_take(struct pbs_texts *texts, const char *name, const char *text, size_t length,
		      char *said, size_t size);

/* What a directory of saved outputs may hold; the master copy of the manual page's table. */
struct pbs_dir_file {
	const char *name;		/* file name looked for */
	enum pbs_kind kind;		/* of several of a kind the first that exists is read */
	const char *command;		/* that makes it */
	const char *gives;		/* what is read from it */
};
extern const struct pbs_dir_file pbs_dir_files[];
extern const size_t pbs_dir_files_count;

/* Is KIND a file that each scheduler has of its own, or what pbsfs makes of these? */
bool pbs_is_priv(enum pbs_kind kind);

/*
 * PATH is a directory or one file; with ",sched=NAME" behind it the files of sched_priv are read
 * from sched_priv_NAME in the directory, which is where PBS has them. ERR_INPUT if it holds nothing
 * that is understood. Read once, when first fetched. Beside FILE, FILE.err may hold what the
 * command said on standard error: one that says it could not reach the server fails the fetch with
 * ERR_SOURCE.
 */
struct source *pbs_saved_open(const char *spec, struct err *err);

#endif
