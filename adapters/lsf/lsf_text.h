/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text: a cluster from LSF's configuration files and the output of its commands, as JSON or plain.
 *
 * Every text may be missing: its values are then unknown. LSF is closed source and was not run for
 * this: the formats are those of the IBM documentation of LSF 10.1 ("lsb.queues", "lsb.hosts",
 * "lsb.resources", "lsb.params", "lsb.users"; "bqueues -o", "bjobs -o", "bhosts -o", with -json:
 * one object with a list RECORDS, every value a text), and of the files that openlava and volclava
 * ship. The plain outputs were recorded on volclava 2.2, which comes from LSF's own early code;
 * where IBM's differ, they follow its manual ("bqueues", "bjobs", "bhosts", "bhpart").
 */
#ifndef FAIRTOP_ADAPTERS_LSF_LSF_TEXT_H
#define FAIRTOP_ADAPTERS_LSF_LSF_TEXT_H

#include "adapters/read_once.h"

/* The kinds. */
enum lsf_kind {
	LSF_PARAMS,		/* lsb.params */
	LSF_HOSTS,		/* lsb.hosts */
	LSF_RESOURCES,		/* lsb.resources */
	LSF_BHOSTS,		/* bhosts -o ... -json */
	LSF_QUEUES,		/* lsb.queues */
	LSF_BQUEUES,		/* bqueues -o ... -json */
	LSF_BJOBS,		/* bjobs -o ... -json */
	LSF_LOG,		/* a dispatcher log */
	LSF_USERS,		/* lsb.users */
	LSF_LSID,		/* lsid */
	LSF_BPARAMS_L,		/* bparams -l */
	LSF_BUGROUP_W,		/* bugroup -w */
	LSF_BHOSTS_W,		/* bhosts -w */
	LSF_BQUEUES_R,		/* bqueues -r, or -l */
	LSF_BJOBS_L,		/* bjobs -u all -l */
	LSF_BJOBS_W,		/* bjobs -u all -w, or without -w */
	LSF_BUSERS,		/* busers all */
	LSF_LSHOSTS_W,		/* lshosts -w */
	LSF_BMGROUP,		/* bmgroup */
	LSF_BQUEUES_W,		/* bqueues, or -w: one table */
	LSF_BHPART,		/* bhpart -r */
	LSF_KINDS
};

struct lsf_text {
	const char *name;	/* for messages: the file, or the command */
	char *text;		/* text[length] is NUL; JSON is changed in place; NULL: none */
	size_t length;
	char why[200];		/* why it is missing: "bjobs -u: no answer in time"; or "" */
	char said[200];		/* message of standard error found in the text; or "" */
};

struct lsf_texts {
	struct lsf_text kind[LSF_KINDS];
	int64_t time;		/* when they were taken: also used for #if time(...) */
	bool jobless;		/* jobs were not requested */
	bool past;		/* from a log: usage of the accounts is not expected */
};

/*
 * Reads TEXTS into B. False with ERR_INPUT ("NAME:LINE: what was expected") for a text that cannot
 * be read. B is not sealed.
 */
bool lsf_text_build(struct lsf_texts *texts, struct builder *b, struct err *err);

/*
 * Adds to TEXTS the outputs in TEXT, which was saved as NAME (borrowed) and is freed. Outputs are
 * recognised by their first lines; marks, prompts and messages around them are removed. An output
 * that is not recognised is of KIND (LSF_KINDS: of none). The first output of a kind is kept. False
 * if nothing was added.
 */
bool lsf_texts_take(struct lsf_texts *texts, const char *name, enum lsf_kind kind, char *text,
		    size_t length);

/* The fields to request, in the form of the commands' -o option. */
#define LSF_BQUEUES_FIELDS \
	"queue_name priority status max jl_u jl_p jl_h njobs pend run susp rsv"
#define LSF_BHOSTS_FIELDS "host_name status max njobs run ssusp ususp rsv"
#define LSF_BJOBS_FIELDS \
	"jobid jobindex stat user queue job_name nreq_slot nalloc_slot exec_host submit_time " \
	"start_time pend_reason"

/* The files of a directory, by enum lsf_kind. */
extern const struct saved_file lsf_dir_files[];

#endif
