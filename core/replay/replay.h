/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay: the history a scheduler would have had, rebuilt from the jobs of a log.
 *
 * DESIGN. Jobs and associations are put in, in any order; replay_run() then lets time pass. Usage
 * follows the scheduler's own law (core/decay.h): a pass multiplies all usage with q^dt, where dt
 * is the time since the pass before; then each running job adds its slice since that pass, or since
 * its start, decayed by the slice's whole length; the last slice of a job is added when it ends, so
 * that the next pass decays it once more. A charge goes to the user and all ancestors; as the law
 * is linear, only the association that is charged keeps a number, and accounts are summed up when a
 * picture is taken. At a reset (share/law.h) nothing is left to be multiplied. What ran during the
 * whole time between two passes is one sum per association, so that a pass costs associations, not
 * jobs.
 *
 * A picture is taken right after a pass: with all associations, the jobs that wait and run, and
 * those that ended since the picture before.
 *
 * Times are Unix seconds. Within one second starts come first, then ends, then the pass.
 */
#ifndef FAIRTOP_CORE_REPLAY_REPLAY_H
#define FAIRTOP_CORE_REPLAY_REPLAY_H

#include "core/cluster/cluster.h"

/* 120 bytes, and 12 for its places in three orders: those of a long log lie in the room. */
struct replay_job {
	int64_t submit;
	int64_t eligible;	/* I64_UNKNOWN */
	int64_t start;		/* I64_UNKNOWN: it never ran */
	int64_t end;		/* I64_UNKNOWN: it still waits or runs */
	double billing;		/* billable TRES */
	double factor;		/* UsageFactor of its QOS, < 0 counts as 1 */
	uint32_t assoc;		/* of replay_assoc() */
	uint32_t id, array, task;	/* U32_UNKNOWN */
	uint32_t tasks, name, partition, qos, state;	/* replay_text(); the state it ended in */
	uint32_t cpus, nodes;	/* U32_UNKNOWN */
	uint32_t asked;		/* CPUs; U32_UNKNOWN: as many as it got, 0: nobody knows */
	uint32_t limit;		/* seconds, U32_UNKNOWN */
	uint32_t flags;		/* REPLAY_WAIT_UNKNOWN; the others inside replay only */
	float cpu_time;		/* seconds, < 0 unknown; for LSF's law only */
	uint32_t tres;		/* replay_text(): what it had, as Slurm lists TRES */
	uint32_t wish;		/* wish.h: what else it asked for; 0: nobody knows */
};
#define REPLAY_JOB_INIT { \
	.submit = I64_UNKNOWN, .eligible = I64_UNKNOWN, .start = I64_UNKNOWN, .end = I64_UNKNOWN, \
	.factor = 1, .assoc = ROW_NONE, .id = U32_UNKNOWN, .array = U32_UNKNOWN, \
	.task = U32_UNKNOWN, .cpus = U32_UNKNOWN, .nodes = U32_UNKNOWN, .limit = U32_UNKNOWN, \
	.asked = U32_UNKNOWN, .cpu_time = -1 }

/* Start and submission are not both known: one is taken for the other. */
#define REPLAY_WAIT_UNKNOWN 4u

struct replay;

/*
 * Where the jobs of a long log lie, so that memory need only hold those that are looked at. Without
 * one, or where it is full, they are held in memory.
 */
struct replay_room {
	void *context;
	/*
	 * A block of BYTES with what was in BLOCK (NULL: there was none), wherever it then lies;
	 * NULL where there is no room, BLOCK is left as it was then. BYTES 0 gives it back.
	 */
	void *(*resize)(void *context, void *block, size_t bytes);
	/* What lies in the blocks may leave memory until it is looked at again. */
	void (*rest)(void *context);
};

struct replay *replay_new(void);
void replay_free(struct replay *r);	/* NULL is fine */

/* Copies ROOM, whose context must outlive R. To be called before the first job is added. */
void replay_use_room(struct replay *r, const struct replay_room *room);

/* A handle for LENGTH bytes; 0 (unknown) for none. NUL bytes end it. */
uint32_t replay_text(struct replay *r, const char *s, size_t length);

/*
 * The associations, their numbers and shares out of TREE; to be called first. Usage is taken only
 * by replay_usage().
 */
void replay_tree(struct replay *r, const struct cluster *tree);

/* The QOS of a cluster that list their UsageFactor: they go into every picture. */
void replay_qos(struct replay *r, const struct cluster *qos);

/* UsageFactor of a QOS by its text; 1 where it is not known. */
double replay_usage_factor(const struct replay *r, uint32_t qos);

/*
 * The association that a job of USER in ACCOUNT and PARTITION (texts, 0 unknown) is charged to: the
 * one of that partition, else the one without. Added when it is new: a new account below the root,
 * with one share each.
 */
uint32_t replay_assoc(struct replay *r, uint32_t account, uint32_t user, uint32_t partition);

/* The names of an association, NULL where it has none; borrowed. */
const char *replay_account(const struct replay *r, uint32_t assoc);
const char *replay_user(const struct replay *r, uint32_t assoc);
const char *replay_word(const struct replay *r, uint32_t text);	/* of replay_text() */

uint32_t replay_assocs(const struct replay *r);
uint32_t replay_added(const struct replay *r);	/* those that the tree did not have */

/* Usage that an association begins with: its own part, without that of its children. */
void replay_usage(struct replay *r, uint32_t assoc, double usage);

/*
 * Copies JOB. Times are put in order: nothing starts before its submission or ends before its
 * start. Returns its number; replay_job() borrows until the next one is added.
 */
uint32_t replay_add(struct replay *r, const struct replay_job *job);
struct replay_job *replay_job(struct replay *r, uint32_t i);
uint32_t replay_jobs(const struct replay *r);

struct replay_options;

/*
 * All associations and QOS as a cluster, with usage as it begins and without jobs; of NOW. NULL and
 * ERR if they make no tree.
 */
struct cluster *replay_cluster(struct replay *r, const struct replay_options *o, int64_t now,
			       struct err *err);

struct replay_options {
	const char *kind, *name, *version, *zone;	/* of cluster_meta; NULL is "" */
	int64_t half_life;	/* seconds; 0 no decay */
	int64_t period;		/* between two passes, >= 1 */
	const int64_t *passes;	/* their times, ascending; NULL: every period from the start on */
	size_t pass_count;
	int64_t since;		/* nothing is charged before; I64_UNKNOWN: the first event */
	int64_t every;		/* between two pictures at least; 0 one after each pass */
	const char *reset_period;	/* PriorityUsageResetPeriod; NULL is NONE */
	const struct calendar *calendar;	/* of the cluster, for that */
	uint32_t flags;		/* PriorityFlags, enum policy_flag */
	uint32_t procs;		/* that the cluster has; 0 unknown */
	const struct note *notes;	/* that each picture has */
	uint32_t note_count;
};
#define REPLAY_OPTIONS_INIT { \
	.half_life = 7 * 86400, .period = 300, .since = I64_UNKNOWN, .flags = PF_DEPTH_OBLIVIOUS }

/*
 * The first event and the time that replay_run() ends at: the last pass that is given, else the
 * first one that is not before the last event. False without any job that has a time.
 */
bool replay_range(struct replay *r, const struct replay_options *o, int64_t *first,
		  int64_t *last);

/* Takes over C. False, with ERR set, ends the run. */
typedef bool replay_sample(void *context, struct cluster *c, struct err *err);

/* ERR_INPUT if there is no job, or if there would be more than 50 million passes. Once only. */
bool replay_run(struct replay *r, const struct replay_options *o, replay_sample *sample,
		void *context, struct err *err);

/* After a run: the usage of an association with all below it, as of the last pass. */
double replay_used(const struct replay *r, uint32_t assoc);

#endif
