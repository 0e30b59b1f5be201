/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Inside of the export for Slurm: edits of associations, which sacctmgr makes, are in
 * export_slurm_assoc.c; all others, and what both write with, in export_slurm.c.
 */
#ifndef FAIRTOP_CORE_WHATIF_EXPORT_SLURM_H
#define FAIRTOP_CORE_WHATIF_EXPORT_SLURM_H

#include "core/whatif/export_private.h"
#include "core/base/value.h"

#define WORD_MAX 1200
#define WORDS_MAX 12

/* One command on its way. */
struct command {
	char text[WORDS_MAX][WORD_MAX];
	const char *words[WORDS_MAX];
	size_t count;
	bool unsafe;			/* a name cannot be given to the command */
};

struct slurm_export {
	const struct whatif *w;
	const struct cluster *base, *edited;
	bool inverse;
	struct plan plan;
	struct command *command;
};

/* The state to bring about: as edited, or of the inverse as it was read. */
const struct cluster *slurm_goal(const struct slurm_export *x);
/* When associations and QOS are changed: first, or of the inverse last. */
enum plan_step slurm_accounts_step(const struct slurm_export *x);
/* A line that says why an edit has no command. */
void slurm_cannot(struct slurm_export *x, const char *why);

/* A command: begun, its words KEY and VALUE as one, those with a NAME checked, put in its place. */
void slurm_begin(struct slurm_export *x);
void slurm_word(struct slurm_export *x, const char *key, const char *value);
void slurm_name_word(struct slurm_export *x, const char *key, const char *name);
void slurm_end(struct slurm_export *x, enum plan_step step);
const char *slurm_number(double x, char buf[VALUE_DOUBLE_MAX]);
/* Begins "scontrol VERB JOB". */
void slurm_job(struct slurm_export *x, const char *verb, const char *job);

/* One edit each. */
void slurm_shares(struct slurm_export *x, const struct edit *e);	/* and own priority */
void slurm_usage(struct slurm_export *x, const struct edit *e);
void slurm_parent(struct slurm_export *x, const struct edit *e);
void slurm_add(struct slurm_export *x, const struct edit *e);
void slurm_remove(struct slurm_export *x, const struct edit *e);

#endif
