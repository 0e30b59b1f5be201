/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * queue: the jobs and their classes of one picture, as the screen shows them.
 *
 * Made only when a view needs it: a screen that shows accounts does not rank jobs. The columns are
 * those of the command line, followed by one per term of the priority.
 */
#ifndef FAIRTOP_TUI_ROWS_QUEUE_H
#define FAIRTOP_TUI_ROWS_QUEUE_H

#include "core/classes/class_toggles.h"
#include "core/classes/classes_view.h"
#include "core/queue/reasons.h"
#include "core/sim/cycle_view.h"
#include "core/sim/starts.h"
#include "tui/cells/canvas.h"

struct queue {
	struct jobs *jobs;
	struct classes_data *classes;
	struct class_choice choice;	/* how they are grouped; its text is EXCLUDE */
	char *exclude;			/* owned */
	struct cycle_saving saving;	/* queue_saving() */
	bool saving_known;
	struct class_toggles *toggles;	/* queue_toggles() */
	bool toggles_begun;		/* queue_toggles_advance() was called */
	uint64_t *job_keys;
	char (*job_names)[24], (*class_names)[24];
	/*
	 * Entries of one array and partition, as list.h needs it; groups 0: no array has several.
	 */
	uint32_t *group, groups;
	uint64_t *group_keys;
	bool over;		/* of a what-if: the jobs have another owner */
	bool shares_names;	/* ... and names, keys and groups are those of its base */
	bool starts_known;	/* a start estimate of the scheduler is known */
	struct starts starts;		/* simulated starts ... */
	struct jobs_start *start_of;	/* ... by row of the JOB table; NULL: not yet */
	double largest;		/* largest sum of computed terms; 0: none */
	uint32_t waiting, waits[REASON_KINDS];	/* reason_count() */
};

/*
 * MODEL must outlive the queue. queue_group() makes the classes, since grouping costs more than
 * ranking: until then CLASSES is NULL.
 */
struct queue *queue_new(const struct model *model);
/* For the JOBS of a what-if, which the caller owns; both must outlive the queue. */
struct queue *queue_over(const struct queue *base, struct jobs *jobs);

/* Whether there are classes, grouped by CHOICE. */
bool queue_is_grouped(const struct queue *q, const struct class_choice *choice);
/*
 * Groups the jobs of Q anew; the result borrows them and can be asked for savings and toggles. Q
 * does not change, so any thread may call it. queue_take_grouping() gives the grouping to Q and
 * leaves the former one in GROUPING.
 */
struct queue *queue_regroup(const struct queue *q, const struct class_choice *choice);
void queue_take_grouping(struct queue *q, struct queue *grouping);
/* Both at once; returns the former grouping, which the caller frees. */
struct queue *queue_group(struct queue *q, const struct class_choice *choice);
const struct class_toggles *queue_toggles(struct queue *q);	/* made on the first call */
/* What classes, which must be there, save in a cycle; simulated on the first call. */
const struct cycle_saving *queue_saving(struct queue *q);
/* Computes a slice of the toggles, about 10 to 30 ms. False: all are known. */
bool queue_toggles_advance(struct queue *q);
void queue_free(struct queue *q);		/* NULL is fine */

/* jobs_columns without the maps, then the terms; one table for the whole program. */
extern const struct column queue_columns[];
extern const size_t queue_columns_count;

/* Takes over STARTS, of the cluster of Q. */
void queue_take_starts(struct queue *q, struct starts *starts);

/* The number of an entry's array; 0: none. */
uint32_t queue_array(const struct queue *q, uint32_t row);

/* The parts of a priority, each with its own role and sign in bars. */
enum queue_part {
#define FACTOR(id, ...) PART_##id,
#include "core/cluster/factors.def"
	PART_TRES, PART_SITE, PART_NICE, PART_COUNT
};
extern const struct queue_part_info {
	const char *name, *brief;
	enum role role;
	const char *sign[2];	/* UTF-8 and ASCII: neighbours differ without colour, too */
} queue_parts[PART_COUNT];

/* Points in the sum; NaN if the priority was not computed. */
double queue_part(const struct jobs *jobs, enum queue_part part, uint32_t row);

/* The part of the term at index I of jobs->map_keys. */
enum queue_part queue_part_of(uint32_t i);

/*
 * How many of CELLS each part fills; WHOLE is the sum that fills all. Negative parts are not shown.
 * False if there is nothing to show.
 */
bool queue_stack(const struct jobs *jobs, uint32_t row, double whole, int cells,
		 int filled[PART_COUNT]);

/* How the terms are shown: in points, as factors, in percent of their sum. */
extern const char *const queue_terms_names[JOBS_TERMS_COUNT];

#endif
