/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes_view: the classes of a queue with what they share, ready for any view.
 *
 * One row per class, in the order in which its first job comes. What its jobs have in common is
 * shown as the components that not all jobs of the queue agree in.
 */
#ifndef FAIRTOP_CORE_CLASSES_CLASSES_VIEW_H
#define FAIRTOP_CORE_CLASSES_CLASSES_VIEW_H

#include "core/classes/class_rules.h"
#include "core/base/column.h"
#include "core/queue/jobs.h"

struct class_facts {
	uint32_t waiting, running, users;
	uint32_t first_rank, last_rank;	/* U32_UNKNOWN where nothing is ranked */
	uint32_t head;			/* number of the job that stands first; inherited reason */
};

struct classes_data {
	const struct jobs *jobs;	/* borrowed */
	struct class_set *set;
	const char *exclude;		/* borrowed; NULL: nothing */
	bool apart;			/* each job is a class of its own */
	struct classes *classes;
	struct class_facts *facts;	/* per class */
	uint32_t *rank;			/* per job of the set: best rank of its entries */
	uint32_t *order;	/* jobs of the set, first considered first, unranked ones last */
	bool *telling;			/* per component: not all jobs have the same value */
	/*
	 * classes_for_people(): by class, then component: its place in the key, from 1; 0: behind
	 * those that have one. Else NULL.
	 */
	uint16_t *place;
	char *shown;			/* where "8gb" stands beside 8589934592 */
	struct value_entry *scratch;	/* what a key cell points to until the next call */
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
	bool apart;		/* classes are off: each job is a class of its own */
};

/* What the source says: its rules, and equiv_class_enable and equiv_class_exclude, set or tried. */
struct class_choice class_choice_of(const struct cluster *c);

struct classes_data *classes_data_new(const struct jobs *j, const struct class_choice *choice,
				      char *unknown, size_t unknown_size);
void classes_data_free(struct classes_data *d);

/*
 * Keys are read by people: sizes as these write them, and first the component that tells most
 * classes apart in the least room, then of those that agree in it the one that does so for these,
 * and so on until a class stands alone: a key that is cut still tells.
 */
void classes_for_people(struct classes_data *d);

extern const struct column classes_columns[];
extern const size_t classes_columns_count;
struct view classes_view(const struct classes_data *d);

/* What the jobs of each class have in common, as a number: it stays while jobs come and go. */
const uint64_t *classes_keys(struct classes_data *d);	/* made when asked for first */

/*
 * For each class the one of BASE that is the same: with the same key, else (where others count as
 * the same) the one that its first job is in; ROW_NONE. Jobs must have the same rows on both sides,
 * new ones last. The caller's.
 */
uint32_t *classes_same(struct classes_data *base, struct classes_data *now);

/* From now on BASE is the base of NOW, which it must outlive. */
void classes_set_base(struct classes_data *now, struct classes_data *base);

/*
 * From now on the column "class" of J tells its classes, where these are PBS's: D's, or those that
 * CHOICE makes (NULL: as the source has it).
 */
void classes_tell(const struct classes_data *d, struct jobs *j);
void classes_tell_chosen(struct jobs *j, const struct class_choice *choice);

/* By row of a job, its class; ROW_NONE. ROWS: at least those of the JOB table. The caller's. */
uint32_t *classes_by_job(const struct classes_data *d, uint32_t rows);

/*
 * How well the number of classes is known: groups that are not told may part each of them.
 * CLASSES_VAGUE: of some jobs they are told, and the others may belong to those.
 */
enum classes_known { CLASSES_ALL, CLASSES_AT_LEAST, CLASSES_VAGUE };
enum classes_known classes_known(const struct classes_data *d);
/* What component K of a job is called where it is empty. */
const char *classes_unset(const struct classes_data *d, size_t k);

/* How many are of the scheduler that is looked at, and not of another one's partitions (PBS). */
uint32_t classes_own(const struct classes_data *d);

/* In how many components two classes differ. */
size_t classes_differ(const struct classes_data *d, uint32_t a, uint32_t b);

/* "same except for walltime 2:00:00 against 4:00:00", "the same class": two classes in one line. */
void classes_difference(const struct classes_data *d, uint32_t a, uint32_t b, char *buf,
			size_t size);

#endif
