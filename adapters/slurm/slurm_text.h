/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: a cluster out of what Slurm's own commands print.
 *
 * A set of texts (the output of sshare, sprio, squeue, scontrol, sacctmgr, a slurm.conf), from a
 * directory of saved files or from the commands themselves, is fed to one parser per kind of
 * text, all into one builder. Every kind may be missing: what it would have told is then unknown.
 * Tables are read by the names in their header, in any order: columns a version does not know are
 * absent, columns we do not know are ignored.
 *
 * Precision is that of the printed digits and is stated in cluster_meta: raw usage of sshare is a
 * truncated integer (usage_quantum 1), that of `scontrol show assoc_mgr` has as many decimals as
 * the text shows; the ratios have six (ratio_quantum 1e-6), in JSON all that a double has (0).
 *
 * Times are printed by Slurm in local time: they are read in the time zone of this process (TZ),
 * corrected where one of the texts gives the same instant as a Unix time too.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_SLURM_TEXT_H
#define FAIRTOP_ADAPTERS_SLURM_SLURM_TEXT_H

#include "adapters/adapter.h"

/*
 * The kinds, in the order in which they are read: names before what refers to them, and of
 * several that tell the same the more exact one later.
 */
enum slurm_kind {
	SLURM_REST_DIAG,	/* /slurm/.../diag of slurmrestd: the instant, cluster, release */
	SLURM_SDIAG,		/* sdiag: the instant, and with it the time zone */
	SLURM_WEIGHTS,		/* sprio -w: weights, which a configuration tells better */
	SLURM_CONF,		/* slurm.conf */
	SLURM_CONFIG,		/* scontrol show config */
	SLURM_CLUSTER,		/* sacctmgr show cluster -P */
	SLURM_TRES,		/* sacctmgr show tres -P */
	SLURM_QOS,		/* sacctmgr show qos -P */
	SLURM_REST_QOS,		/* /slurmdb/.../qos */
	SLURM_USER,		/* sacctmgr show user -P */
	SLURM_ASSOC_MGR,	/* scontrol show assoc_mgr */
	SLURM_ASSOC,		/* sacctmgr show assoc -P */
	SLURM_DUMP,		/* sacctmgr dump */
	SLURM_REST_ASSOC,	/* /slurmdb/.../associations: names and shares */
	SLURM_SSHARE,		/* sshare -a -l */
	SLURM_SSHARE_JSON,	/* sshare -a -m --json, and slurmrestd's /shares */
	SLURM_PARTITION,	/* scontrol show partition */
	SLURM_NODE,		/* scontrol show node */
	SLURM_RESERVATION,	/* scontrol show reservation */
	SLURM_LICENSE,		/* scontrol show license */
	SLURM_REST_PARTITION,	/* /slurm/.../partitions */
	SLURM_REST_NODE,	/* /slurm/.../nodes */
	SLURM_REST_RESERVATION,	/* /slurm/.../reservations */
	SLURM_REST_LICENSE,	/* /slurm/.../licenses */
	SLURM_SQUEUE,		/* squeue, one of its tables */
	SLURM_SQUEUE_LONG,	/* squeue -O, a second table */
	SLURM_JOB,		/* scontrol show job */
	SLURM_SQUEUE_JSON,	/* squeue --json */
	SLURM_JOB_CPUS,		/* scontrol -d show job, of which only CPUs on nodes count */
	SLURM_SPRIO,		/* sprio -l */
	SLURM_SPRIO_NORM,	/* sprio -n -l: the factors before their weights */
	SLURM_KINDS
};

/* One output. Borrowed by whoever reads it. */
struct slurm_text {
	const char *name;	/* for messages: the file's name, or the command */
	const char *text;	/* NUL-ended; NULL: there is none */
	size_t length;
};

/* Who was shown the texts: nobody knows of whom, this user, or one who is shown the jobs of all. */
enum slurm_text_reader { SLURM_ANYBODY, SLURM_USER_HIMSELF, SLURM_OPERATOR };

struct slurm_texts {
	struct slurm_text kind[SLURM_KINDS];
	int64_t time;		/* when they were taken, if no text says so; I64_UNKNOWN */
	int64_t last_pass;	/* the last pass, if sprio is not among them; 0: unknown */
	struct pass_watch *watch;	/* what the texts before told; NULL: there were none */
	enum slurm_text_reader reader;
	const char *user;	/* his name, if it is SLURM_USER_HIMSELF; NULL: not known */
	const char *cluster;	/* whose they are; NULL: as they say themselves */
	const char *from;	/* what they are, for notes: "saved outputs", "commands" */
	bool writable;		/* JSON is read in place; it is copied before if this is false */
	bool whole;		/* all there is: what is missing is worth a note */
};

/*
 * Reads TEXTS into B: associations, users, TRES, partitions, QOS, jobs, priority terms, nodes,
 * reservations, licenses, policy, meta and notes. False and ERR_INPUT with "NAME:LINE: what was
 * expected" when a text that decides the tree cannot be read; a single row of jobs that cannot be
 * read is left out and noted. B is not sealed.
 */
bool slurm_text_build(const struct slurm_texts *texts, struct builder *b, struct err *err);

/* A note on a line of a text that is no part of the output: the subject is the text's name. */
#define SLURM_ASIDE "ignored, not part of the output: %.*s"

/*
 * Which cluster TEXTS, which can be written to and are owned, are of: *CLUSTER, of SIZE bytes, is
 * the one that was asked for, or becomes it; "" where none of them names one. What is of others is
 * taken out of them, or freed, and noted: rows and parameters of two clusters make no picture.
 * ERR_INPUT if there are several and nothing decides.
 */
bool slurm_keep_cluster(struct slurm_texts *texts, char *cluster, size_t size, struct builder *b,
			struct err *err);

/* What a directory of saved outputs may hold; the master copy of the manual page's table. */
struct slurm_dir_file {
	const char *name;		/* file name looked for */
	enum slurm_kind kind;		/* of several of a kind the first that exists is read */
	const char *command;		/* that makes it */
	const char *gives;		/* what is read from it */
};
extern const struct slurm_dir_file slurm_dir_files[];
extern const size_t slurm_dir_files_count;
/* The kind of TEXT, told by a line or the titles that only it has; SLURM_KINDS: it is not clear. */
enum slurm_kind slurm_kind_of(const struct slurm_text *text);

/* The command that makes the file NAME, "the command" if it is not among them. */
const char *slurm_dir_command(const char *name);
/* The first file of KIND. */
const char *slurm_kind_file(enum slurm_kind kind);

/*
 * PATH is a directory and may end in ",cluster=NAME". ERR_INPUT if it holds none of the files. Read
 * once, when first fetched.
 */
struct source *slurm_dir_open(const char *path, struct err *err);

/*
 * The same by running the commands that REQUEST's needs ask for, one at a time, within its
 * deadline.
 * CONF is put into SLURM_CONF of the children; NULL leaves the environment alone. Fetching fails
 * with ERR_SOURCE when sshare fails, unless there is no accounting database; another command's
 * failure is a note.
 */
struct source *slurm_commands_open(const char *conf, struct err *err);

/*
 * The same by asking a slurmrestd, WHERE as in http.h, with the token in SLURM_JWT if there is
 * one. What it does not tell (the configuration, terms of priorities; before 23.11 usage and F) is
 * unknown and noted. A slurm.conf that is found here counts if it is of the same cluster.
 */
struct source *slurm_rest_open(const char *where, struct err *err);

#endif
