/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * replay: the history a scheduler would have had, rebuilt from the jobs of a log.
 *
 * DESIGN. Jobs and associations are added in any order; replay_run() then lets time pass. Usage
 * follows the scheduler's own rule (core/share/decay.h): a pass multiplies all usage by q^dt, where
 * dt is the time since the pass before; then each running job adds its slice since that pass, or
 * since its start, decayed by the slice's whole length. The last slice of a job is added when it
 * ends, so the next pass decays it once more. A charge goes to the user and all ancestors. As decay
 * is linear, only the association charged stores a number; accounts are summed up when a picture is
 * taken. A reset (share/decay_policy.h) leaves nothing to multiply. What ran during the whole time
 * between two passes is one sum per association, so a pass costs time per association, not per job.
 *
 * A picture is taken right after a pass. It has all associations, the pending and running jobs, and
 * those that ended since the picture before.
 *
 * Times are Unix seconds. Within one second starts come first, then ends, then the pass.
 */
#ifndef FAIRTOP_CORE_REPLAY_REPLAY_H
#define FAIRTOP_CORE_REPLAY_REPLAY_H

#include "core/cluster/cluster.h"

/*
 * 120 bytes, and 12 for its entries in three orders; those of a long log are in struct
 * replay_storage.
 */
struct replay_job {
	int64_t submit;
	int64_t eligible;	/* I64_UNKNOWN */
	int64_t start;		/* I64_UNKNOWN: it never ran */
	int64_t end;		/* I64_UNKNOWN: still pending or running */
	double billing;		/* billable TRES */
	double factor;		/* UsageFactor of its QOS, < 0 counts as 1 */
	uint32_t assoc;		/* of replay_assoc() */
	uint32_t id, array, task;	/* U32_UNKNOWN */
	uint32_t tasks, name, partition, qos, state;	/* replay_text(); the state it ended in */
	uint32_t cpus, nodes;	/* U32_UNKNOWN */
	uint32_t asked;		/* CPUs; U32_UNKNOWN: as many as it got, 0: unknown */
	uint32_t limit;		/* seconds, U32_UNKNOWN */
	uint32_t flags;		/* REPLAY_WAIT_UNKNOWN; others are internal */
	float cpu_time;		/* seconds, < 0 unknown; for LSF's formula only */
	uint32_t tres;		/* replay_text(): its allocation, as Slurm lists TRES */
	uint32_t wish;		/* wish.h: what else it requested; 0: unknown */
};
#define REPLAY_JOB_INIT { \
	.submit = I64_UNKNOWN, .eligible = I64_UNKNOWN, .start = I64_UNKNOWN, .end = I64_UNKNOWN, \
	.factor = 1, .assoc = ROW_NONE, .id = U32_UNKNOWN, .array = U32_UNKNOWN, \
	.task = U32_UNKNOWN, .cpus = U32_UNKNOWN, .nodes = U32_UNKNOWN, .limit = U32_UNKNOWN, \
	.asked = U32_UNKNOWN, .cpu_time = -1 }

/* Start or submission is unknown: the other one is used for it. */
#define REPLAY_WAIT_UNKNOWN 4u

struct replay;

/*
 * Storage for the jobs of a long log, so that memory need only hold those being read. Without it,
 * or when it is full, jobs are held in memory.
 */
struct replay_storage {
	void *context;
	/*
	 * Returns a block of BYTES with the content of BLOCK (NULL: none); it may have moved. NULL
	 * if there is no storage left: BLOCK is unchanged. BYTES 0 frees BLOCK.
	 */
	void *(*resize)(void *context, void *block, size_t bytes);
	/* The blocks' content may leave memory until it is next read. */
	void (*rest)(void *context);
};

struct replay *replay_new(void);
void replay_free(struct replay *r);	/* NULL is fine */

/* Copies STORAGE, whose context must outlive R. Call this before adding the first job. */
void replay_use_storage(struct replay *r, const struct replay_storage *storage);

/* A handle for LENGTH bytes; 0 (unknown) for none. The text ends at a NUL byte. */
uint32_t replay_text(struct replay *r, const char *s, size_t length);

/*
 * Takes the associations, their numbers and shares from TREE; to be called first. Usage is set only
 * by replay_usage().
 */
void replay_tree(struct replay *r, const struct cluster *tree);

/* Takes the QOS of a cluster that have a UsageFactor; they are put into every picture. */
void replay_qos(struct replay *r, const struct cluster *qos);

/* UsageFactor of a QOS by its text; 1 if unknown. */
double replay_usage_factor(const struct replay *r, uint32_t qos);

/*
 * Returns the association that a job of USER in ACCOUNT and PARTITION (texts, 0 unknown) is charged
 * to: the one for that partition, else the one without. Adds it if it is new: a new account goes
 * below the root, with one share each.
 */
uint32_t replay_assoc(struct replay *r, uint32_t account, uint32_t user, uint32_t partition);

/* The names of an association, NULL where it has none; borrowed. */
const char *replay_account(const struct replay *r, uint32_t assoc);
const char *replay_user(const struct replay *r, uint32_t assoc);
const char *replay_word(const struct replay *r, uint32_t text);	/* of replay_text() */

uint32_t replay_assocs(const struct replay *r);
uint32_t replay_added(const struct replay *r);	/* those that the tree did not have */

/* Sets an association's initial usage: its own part, without that of its children. */
void replay_usage(struct replay *r, uint32_t assoc, double usage);

/*
 * Copies JOB and puts its times in order: nothing starts before its submission or ends before its
 * start. Returns its number; the pointer of replay_job() is valid until the next job is added.
 */
uint32_t replay_add(struct replay *r, const struct replay_job *job);
struct replay_job *replay_job(struct replay *r, uint32_t i);
uint32_t replay_jobs(const struct replay *r);

struct replay_options;

/*
 * Returns a cluster of all associations and QOS, with the initial usage and without jobs, dated
 * NOW. NULL and ERR if they make no tree.
 */
struct cluster *replay_cluster(struct replay *r, const struct replay_options *o, int64_t now,
			       struct err *err);

struct replay_options {
	const char *kind, *name, *version, *zone;	/* of cluster_meta; NULL is "" */
	int64_t half_life;	/* seconds; 0 no decay */
	int64_t period;		/* between two passes, >= 1 */
	const int64_t *passes;	/* their times, ascending; NULL: every period from the start */
	size_t pass_count;
	int64_t since;		/* nothing is charged before; I64_UNKNOWN: the first event */
	int64_t every;		/* minimum time between two pictures; 0 one after each pass */
	const char *reset_period;	/* PriorityUsageResetPeriod; NULL is NONE */
	const struct calendar *calendar;	/* of the cluster, for the reset */
	uint32_t flags;		/* PriorityFlags, enum policy_flag */
	uint32_t procs;		/* processors of the cluster; 0 unknown */
	const struct note *notes;	/* put into each picture */
	uint32_t note_count;
};
#define REPLAY_OPTIONS_INIT { \
	.half_life = 7 * 86400, .period = 300, .since = I64_UNKNOWN, .flags = PF_DEPTH_OBLIVIOUS }

/*
 * Gives the first event and the time at which replay_run() ends: the last pass given, else the
 * first pass not before the last event. False if no job has a time.
 */
bool replay_range(struct replay *r, const struct replay_options *o, int64_t *first, int64_t *last);

/* Takes over C. False, with ERR set, ends the run. */
typedef bool replay_sample(void *context, struct cluster *c, struct err *err);

/* ERR_INPUT if there is no job, or if there would be more than 50 million passes. Call it once. */
bool replay_run(struct replay *r, const struct replay_options *o, replay_sample *sample,
		void *context, struct err *err);

/* After a run: the usage of an association and all below it, as of the last pass. */
double replay_used(const struct replay *r, uint32_t assoc);

#endif
