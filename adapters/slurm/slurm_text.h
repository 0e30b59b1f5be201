/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm_text: a cluster from the output of Slurm's own commands.
 *
 * A set of texts (the output of sshare, sprio, squeue, scontrol, sacctmgr, a slurm.conf), from a
 * directory of saved files or from the commands themselves, is passed to one parser per kind of
 * text, all for one builder. Every kind may be missing: its values are then unknown. Tables are
 * read by the names in their header, in any order: columns that a version does not have are
 * unknown, columns that fairtop does not know are ignored.
 *
 * Precision is that of the printed digits and is stated in cluster_meta: raw usage of sshare is a
 * truncated integer (usage_quantum 1), that of `scontrol show assoc_mgr` has as many decimals as
 * the text shows; the ratios have six (ratio_quantum 1e-6), in JSON all that a double has (0).
 *
 * Slurm prints times in local time: they are read in the time zone of this process (TZ), and
 * corrected if one of the texts also gives an instant as a Unix time.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_SLURM_TEXT_H
#define FAIRTOP_ADAPTERS_SLURM_SLURM_TEXT_H

#include "adapters/read_once.h"

/*
 * The kinds, in reading order: names before references to them; if several give the same value, the
 * more exact one is read later.
 */
enum slurm_kind {
	SLURM_REST_DIAG,	/* /slurm/.../diag of slurmrestd: the instant, cluster, release */
	SLURM_SDIAG,		/* sdiag: the instant, and with it the time zone */
	SLURM_WEIGHTS,		/* sprio -w: weights; a configuration takes precedence */
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
	SLURM_JOB_CPUS,		/* scontrol -d show job; only CPUs per node are read */
	SLURM_SPRIO,		/* sprio -l */
	SLURM_SPRIO_NORM,	/* sprio -n -l: the factors before weighting */
	SLURM_KINDS
};

/* One output, borrowed by the reader. */
struct slurm_text {
	const char *name;	/* for messages: the name of the file or command */
	const char *text;	/* NUL-ended; NULL: there is none */
	size_t length;
};

/* Whose view the texts are: unknown, this user's, or that of somebody who sees all jobs. */
enum slurm_text_reader { SLURM_ANYBODY, SLURM_USER_HIMSELF, SLURM_OPERATOR };

struct slurm_texts {
	struct slurm_text kind[SLURM_KINDS];
	int64_t time;		/* when they were taken, unless a text has the time; I64_UNKNOWN */
	int64_t last_pass;	/* the last pass, for texts without sprio; 0: unknown */
	struct pass_watch *watch;	/* values of the texts before; NULL: there were none */
	enum slurm_text_reader reader;
	const char *user;	/* the user of SLURM_USER_HIMSELF; NULL: unknown */
	const char *cluster;	/* the cluster's name; NULL: as in the texts */
	const char *from;	/* the kind of source, for notes: "saved outputs", "commands" */
	bool writable;		/* JSON is changed in place; false: it is copied before */
	bool whole;		/* these are all texts: a missing one is worth a note */
};

/*
 * Reads TEXTS into B: associations, users, TRES, partitions, QOS, jobs, priority terms, nodes,
 * reservations, licenses, policy, meta and notes. False and ERR_INPUT with "NAME:LINE: what was
 * expected" if a text needed for the tree cannot be read; a single unreadable row of jobs is left
 * out and noted. B is not sealed.
 */
bool slurm_text_build(const struct slurm_texts *texts, struct builder *b, struct err *err);

/* A note on a line of a text that is not part of the output: the subject is the text's name. */
#define SLURM_ASIDE "ignored, not part of the output: %.*s"

/*
 * Keeps one cluster in TEXTS, which are writable and owned. *CLUSTER, of SIZE bytes, is the
 * requested one, or becomes the one found; "" if no text names one. Rows, parameters and texts of
 * other clusters are removed, freed and noted: two clusters make no picture. ERR_INPUT if there are
 * several and nothing decides.
 */
bool slurm_keep_cluster(struct slurm_texts *texts, char *cluster, size_t size, struct builder *b,
			struct err *err);

/* The files of a directory of saved outputs, by enum slurm_kind. */
extern const struct saved_file slurm_dir_files[];
/* The kind of TEXT by a line or titles that only it has; SLURM_KINDS: unclear. */
enum slurm_kind slurm_kind_of(const struct slurm_text *text);

/* The command that prints the file NAME; "the command" for an unknown name. */
const char *slurm_dir_command(const char *name);
/* The first file of KIND. */
const char *slurm_kind_file(enum slurm_kind kind);

/*
 * PATH is a directory and may end in ",cluster=NAME". ERR_INPUT if it holds none of the files. Read
 * once, at the first fetch.
 */
struct source *slurm_dir_open(const char *path, struct err *err);

/*
 * The same from the commands that REQUEST's needs require, run one at a time within its deadline.
 * CONF becomes SLURM_CONF of the children; NULL leaves the environment alone. Fetching fails with
 * ERR_SOURCE when sshare fails, unless there is no accounting database; another command's failure
 * is a note.
 */
struct source *slurm_commands_open(const char *conf, struct err *err);

/*
 * The same from a slurmrestd, WHERE as in http.h, with the token in SLURM_JWT if it is set. What
 * slurmrestd does not report (the configuration, terms of priorities; before 23.11 usage and F) is
 * unknown and noted. A local slurm.conf is used if it is of the same cluster.
 */
struct source *slurm_rest_open(const char *where, struct err *err);

#endif
