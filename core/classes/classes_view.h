/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes_view: the classes of a queue and what their jobs share, ready for any view.
 *
 * One row per class, in the order of their first jobs. What its jobs have in common is shown as the
 * components that not all jobs of the queue share.
 */
#ifndef FAIRTOP_CORE_CLASSES_CLASSES_VIEW_H
#define FAIRTOP_CORE_CLASSES_CLASSES_VIEW_H

#include "core/classes/class_rules.h"
#include "core/base/column.h"
#include "core/queue/jobs.h"

struct class_facts {
	uint32_t waiting, running, users;
	uint32_t first_rank, last_rank;	/* U32_UNKNOWN if nothing is ranked */
	uint32_t head;			/* number of its first job, whose reason it inherits */
};

struct classes_data {
	const struct jobs *jobs;	/* borrowed */
	struct class_set *set;
	const char *exclude;		/* borrowed; NULL: nothing */
	bool apart;			/* each job is a class of its own */
	struct classes *classes;
	struct class_facts *facts;	/* per class */
	uint32_t *rank;			/* per job of the set: best rank of its entries */
	uint32_t *order;	/* jobs of the set by rank, unranked ones last */
	bool *telling;			/* per component: jobs differ in its value */
	/*
	 * classes_for_people(): per class and component, its place in the key, from 1; 0: after
	 * those with a place. Else NULL.
	 */
	uint16_t *place;
	char *shown;			/* storage of "8gb" for 8589934592 */
	struct value_entry *scratch;	/* entries of a key cell, valid until the next call */
	struct value_entry *ids;	/* the same for ids[] */
	char (*id_texts)[32];
	/* Of a what-if, classes_set_base(): its base, and the row of each there; else NULL. */
	const struct classes_data *base;
	uint32_t *base_class;		/* ROW_NONE: it is new */
	uint64_t *keys;			/* per class */
};

/* How jobs are grouped. */
struct class_choice {
	enum class_rules rules;
	const char *exclude;	/* comma-separated resources; NULL: none */
	bool apart;		/* classes are off: each job is its own */
};

/* The source's rules, and its equiv_class_enable and equiv_class_exclude, set or tried. */
struct class_choice class_choice_of(const struct cluster *c);

struct classes_data *classes_data_new(const struct jobs *j, const struct class_choice *choice,
				      char *unknown, size_t unknown_size);
void classes_data_free(struct classes_data *d);

/*
 * Makes keys for people: shown sizes are abbreviated; the first component is the one that separates
 * most classes in the fewest cells, the next one does so among those that share it, and so on until
 * a class is alone. So even a truncated key is useful.
 */
void classes_for_people(struct classes_data *d);

extern const struct column classes_columns[];
extern const size_t classes_columns_count;
struct view classes_view(const struct classes_data *d);

/* A number for what the jobs of each class share: stable while jobs come and go. */
const uint64_t *classes_keys(struct classes_data *d);	/* computed on the first call */

/*
 * NOW's base becomes BASE, which must outlive NOW. For each class the same one of BASE: with the
 * same key, or (if other components count) that of its first job; ROW_NONE. Jobs must have the same
 * rows in both, new ones last.
 */
void classes_set_base(struct classes_data *now, struct classes_data *base);

/*
 * Fills the column "class" of J, for PBS's rules only: with the classes of D, or of CHOICE (NULL:
 * as in the source).
 */
void classes_tell(const struct classes_data *d, struct jobs *j);
void classes_tell_chosen(struct jobs *j, const struct class_choice *choice);

/* Class of each job row, ROW_NONE. ROWS: at least those of the JOB table. Caller frees. */
uint32_t *classes_by_job(const struct classes_data *d, uint32_t rows);

/*
 * How well the number of classes is known: unknown groups may divide each class. CLASSES_VAGUE: the
 * groups of some jobs are known, and other jobs may share them.
 */
enum classes_known { CLASSES_ALL, CLASSES_AT_LEAST, CLASSES_VAGUE };
enum classes_known classes_known(const struct classes_data *d);
/* The text for component K of a job if it is empty. */
const char *classes_unset(const struct classes_data *d, size_t k);

/* Number of classes of the scheduler shown, not of another one's partitions (PBS). */
uint32_t classes_own(const struct classes_data *d);

/* Number of components in which two classes differ. */
size_t classes_differ(const struct classes_data *d, uint32_t a, uint32_t b);

/* "same except for walltime 2:00:00 against 4:00:00", "the same class": two classes in one line. */
void classes_difference(const struct classes_data *d, uint32_t a, uint32_t b, char *buf,
			size_t size);

#endif
