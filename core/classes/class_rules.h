/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_rules: three sets of rules for when two jobs are the same.
 *
 * document	the PBS design document: euser, egroup, project, select, place and every resource of
 *		Resource_List, less the excluded resources
 * openpbs	the actual scheduler of OpenPBS: queue, user, group and project only where a limit
 *		makes them matter, select, place, and the resources that the scheduler checks
 * slurm	everything the queue of another scheduler distinguishes: user, account, partition,
 *		QOS, reservation, features, licenses, each TRES, time limit, dependency
 *
 * Values are compared by meaning: 1gb is 1024mb, 01:00:00 is 3600, free:excl is excl. Source: spec
 * of PBS, 1, 2.2 and 7 (job_info.cpp: create_resresv_sets and what it calls).
 */
#ifndef FAIRTOP_CORE_CLASSES_CLASS_RULES_H
#define FAIRTOP_CORE_CLASSES_CLASS_RULES_H

#include "core/classes/classes.h"
#include "core/cluster/cluster.h"

/* LSF documents no such grouping: jobs with the same reported attributes, as for Slurm. */
enum class_rules { CLASS_DOCUMENT, CLASS_OPENPBS, CLASS_SLURM, CLASS_LSF, CLASS_RULES };

extern const char *const class_rules_names[CLASS_RULES];	/* "document", "slurm" ... */

/* Are they rules for PBS (document or OpenPBS)? */
bool class_rules_pbs(enum class_rules rules);

/* The grouped jobs and their components; the ids of a component are indexed like JOB. */
struct class_set {
	enum class_rules rules;
	uint32_t jobs;
	uint32_t *job;				/* rows of the JOB table */
	struct class_component *components;
	char **names;				/* of the components; owned */
	size_t count, capacity;
	/*
	 * Jobs that their groups would distinguish, by the document or a limit of groups: how many
	 * have a group, and how many have an unknown one (only managers see egroup: ATR_DFLAG_MGRD
	 * in openpbs, master_job_attr_def.xml).
	 */
	uint32_t with_group, without_group;
	struct text *text;			/* texts of the ids: canonical values */
};

/*
 * Default rules for a cluster of this kind: the document's if the scheduler has one of its
 * attributes.
 */
bool class_rules_documented(const struct policy *p);
enum class_rules class_rules_of(const struct cluster *c);

/*
 * EXCLUDE: comma-separated resource names, or NULL; left out of select and of Resource_List.
 * UNKNOWN (may be NULL) gets the names that no job has, comma-separated: a warning, not an error.
 */
struct class_set *class_set_new(const struct cluster *c, enum class_rules rules,
				const char *exclude, char *unknown, size_t unknown_size);
void class_set_free(struct class_set *s);

/* Comma-separated names of the resources in its jobs' chunks; "" if no job has a select. */
void class_set_chunk_resources(const struct class_set *s, const struct cluster *c, char *buf,
			       size_t size);

/* Adds the job number as a component: classes are off, each job is its own. */
void class_set_apart(struct class_set *s, const struct cluster *c);

/* The value of component K of the I-th job, "" if it is not set. */
const char *class_set_value(const struct class_set *s, size_t k, uint32_t i);

/* The same for people: "02:00:00" for 7200 s, "8gb" for 8589934592; cut to SIZE. */
void class_set_shown(const struct class_set *s, size_t k, uint32_t i, char *buf, size_t size);

#endif
