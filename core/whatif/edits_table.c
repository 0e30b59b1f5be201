/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The targets of what-if. Ranges of Slurm: slurm.conf(5), scontrol(1), sacctmgr(1). */
#include "core/whatif/edits.h"

#include <string.h>

#define MOST_U32 4294967293.0		/* 2^32 - 1 and the one before are special values */
#define MOST_SHARES 2147483646.0	/* the next one means "parent" */
#define NICE 2147483645.0		/* NICE_OFFSET minus its special values */
#define YEAR (366 * 86400.0)

#define FACTOR(id, name, parameter, field, key, flag, word, ...) \
	{ EDIT_WEIGHT, EDIT_OF_NOTHING, EDIT_POINTS, "weight." name, 0, MOST_U32, "points", \
	  parameter, F_COUNT, EDIT_CONF, parameter, true, EDIT_RECONFIGURE, NULL, 0, \
	  "weight of the " word " factor" },
#define PARAM(short_name, parameter, unit_text, what) \
	{ EDIT_PARAM, EDIT_OF_NOTHING, EDIT_AS_PARAM, short_name, 0, 0, unit_text, parameter, \
	  F_COUNT, EDIT_CONF, parameter, true, EDIT_RECONFIGURE, NULL, 0, what }
#define ROW(kind, pattern, type, least, most, unit_text, field, how, keyword, what) \
	{ EDIT_FIELD, kind, type, pattern, least, most, unit_text, NULL, field, how, keyword, \
	  true, EDIT_NEXT_PASS, NULL, EDIT_SLURM, what }
#define JOB(id, who, pattern, type, least, most, unit_text, field, keyword, what) \
	{ id, EDIT_OF_JOB, type, pattern, least, most, unit_text, NULL, field, EDIT_SCONTROL, \
	  keyword, true, EDIT_AT_ONCE, NULL, who, what }

#define SCHED(word, least, unit_text, what) \
	{ EDIT_SCHED, EDIT_OF_NOTHING, EDIT_NUMBER, "sched." word, least, 2147483647, unit_text, \
	  "SchedulerParameters", F_COUNT, EDIT_CONF, "SchedulerParameters", true, \
	  EDIT_RECONFIGURE, NULL, EDIT_SLURM, what }
#define OTHER(who, kind, pattern, least, most, unit_text, field, keyword, what) \
	{ EDIT_FIELD, kind, EDIT_NUMBER, pattern, least, most, unit_text, NULL, field, EDIT_NEVER, \
	  keyword, true, EDIT_RECONFIGURE, \
	  "Slurm has no such setting; --export lsf or pbs writes it", who, what }

const struct edit_target edit_targets[] = {
#include "core/cluster/factors.def"
	PARAM("weight.tres", "PriorityWeightTRES", "points",
	      "weights of the TRES factors: CPU=10,Mem=5"),
	PARAM("flags", "PriorityFlags", "", "words of PriorityFlags, joined by commas"),
	PARAM("half_life", "PriorityDecayHalfLife", "s", "half-life of usage; 0 never decays"),
	PARAM("max_age", "PriorityMaxAge", "s", "wait time at which the age factor reaches 1"),
	PARAM("damping", "FairShareDampeningFactor", "", "divides R in F = 2^(-R/d)"),
	PARAM("calc_period", "PriorityCalcPeriod", "s", "time between two passes"),
	PARAM("reset_period", "PriorityUsageResetPeriod", "",
	      "when usage is set to zero: NONE, NOW, DAILY, WEEKLY, MONTHLY, QUARTERLY, YEARLY"),
	PARAM("favor_small", "PriorityFavorSmall", "", "smaller jobs have the larger size factor"),
	{ EDIT_ALGORITHM, EDIT_OF_NOTHING, EDIT_TEXT, "algorithm", 0, 0, "", "PriorityFlags",
	  F_COUNT, EDIT_CONF, "PriorityFlags", true, EDIT_RESTART, NULL,
	  EDIT_SLURM,
	  "depth-oblivious, classic or fair-tree: the words of PriorityFlags that choose it" },
	{ EDIT_SCHEDULE, EDIT_OF_NOTHING, EDIT_TEXT, "sched.policy", 0, 0, "", "SchedulerType",
	  F_COUNT, EDIT_CONF, "SchedulerType", true, EDIT_RESTART,
	  "only slurm and slurm-builtin are values of SchedulerType", EDIT_ALL,
	  "scheduler in back-tests: " POLICY_SCHEDULES
	  " (slurm is sched/backfill, slurm-builtin sched/builtin)" },
	SCHED("bf_interval", 1, "s", "time between two cycles of backfill"),
	SCHED("bf_window", 1, "minutes", "how far backfill looks ahead"),
	SCHED("bf_resolution", 1, "s", "step to which backfill rounds its reservations"),
	SCHED("bf_max_job_test", 1, "jobs", "most jobs that backfill tries in a cycle"),
	SCHED("bf_max_job_start", 0, "jobs", "most that it starts; 0 is no limit"),
	SCHED("bf_max_job_user", 0, "jobs", "most that it tries per user; 0 is no limit"),
	SCHED("bf_max_job_part", 0, "jobs", "most that it tries per partition; 0 is no limit"),
	SCHED("bf_max_job_assoc", 0, "jobs", "most that it tries per association; 0 is no limit"),
	SCHED("bf_max_job_user_part", 0, "jobs",
	      "most that it tries per user in a partition; 0 is no limit"),
	SCHED("sched_interval", 1, "s", "time between two full passes of the main scheduler"),
	SCHED("batch_sched_delay", 0, "s", "how long submissions may wait for the main scheduler"),
	SCHED("default_queue_depth", 1, "jobs", "most jobs that the main scheduler tries"),
	{ EDIT_PARAM, EDIT_OF_NOTHING, EDIT_AS_PARAM, "PARAMETER", 0, 0, "", NULL, F_COUNT,
	  EDIT_CONF, NULL, true, EDIT_RECONFIGURE, NULL,
	  0, "any parameter that the verb policy lists, by its own name" },
	{ EDIT_SHARES, EDIT_OF_ASSOC, EDIT_SHARES_OR_PARENT, "shares:PATH", 0, MOST_SHARES, "",
	  NULL, F_ASSOC_SHARES, EDIT_SACCTMGR, "fairshare", true, EDIT_NEXT_PASS, NULL,
	  EDIT_ALL, "raw shares of an account or user, or parent" },
	{ EDIT_USAGE, EDIT_OF_ASSOC, EDIT_AMOUNT, "usage:PATH", 0, 1e300, "TRES-s", NULL,
	  F_ASSOC_USAGE, EDIT_SACCTMGR, "RawUsage", false, EDIT_AT_ONCE,
	  "sacctmgr can only set usage to 0, and the previous value is lost",
	  EDIT_ALL, "usage after decay; 0 resets the subtree, +N adds N; ancestors follow" },
	{ EDIT_ASSOC_PRIORITY, EDIT_OF_ASSOC, EDIT_NUMBER, "priority:PATH", 0, MOST_U32, "", NULL,
	  F_ASSOC_PRIORITY, EDIT_SACCTMGR, "priority", true, EDIT_NEXT_PASS, NULL,
	  EDIT_SLURM, "association priority; those below without their own inherit it" },
	{ EDIT_PARENT, EDIT_OF_ASSOC, EDIT_TEXT, "parent:PATH", 0, 0, "", NULL, F_COUNT,
	  EDIT_SACCTMGR, "parent", true, EDIT_NEXT_PASS,
	  "a user can only be moved by adding a new association, which has no usage",
	  EDIT_ALL,
	  "moves an account with its usage below the account of that path; or a user, whose usage "
	  "stays with the former account" },
	{ EDIT_ADD, EDIT_OF_ASSOC, EDIT_SHARES_OR_PARENT, "add:PATH", 0, MOST_SHARES, "", NULL,
	  F_COUNT, EDIT_SACCTMGR, "fairshare", true, EDIT_NEXT_PASS, NULL,
	  EDIT_ALL, "a new account or user at that path, with these shares and no usage" },
	{ EDIT_REMOVE, EDIT_OF_ASSOC, EDIT_YES_NO, "remove:PATH", 0, 0, "", NULL, F_COUNT,
	  EDIT_SACCTMGR, NULL, false, EDIT_NEXT_PASS,
	  "usage, limits and users are lost with the association",
	  EDIT_ALL,
	  "removes an account with all below it, or a user; usage stays with the account above, in "
	  "PBS with the entity, which is then in the group unknown" },
	ROW(EDIT_OF_PARTITION, "partition:NAME.job_factor", EDIT_NUMBER, 0, 65533, "",
	    F_PARTITION_JOB_FACTOR, EDIT_SCONTROL, "PriorityJobFactor", "PriorityJobFactor"),
	ROW(EDIT_OF_PARTITION, "partition:NAME.tier", EDIT_NUMBER, 0, 65533, "", F_PARTITION_TIER,
	    EDIT_SCONTROL, "PriorityTier", "PriorityTier: higher ones are served first"),
	{ EDIT_BILLING_WEIGHTS, EDIT_OF_PARTITION, EDIT_TEXT, "partition:NAME.billing_weights", 0,
	  0, "", NULL, F_PARTITION_BILLING_WEIGHTS, EDIT_SCONTROL, "TRESBillingWeights", true,
	  EDIT_AT_ONCE, NULL, EDIT_SLURM,
	  "TRESBillingWeights: what the partition's jobs are charged" },
	ROW(EDIT_OF_QOS, "qos:NAME.priority", EDIT_NUMBER, 0, MOST_U32, "", F_QOS_PRIORITY,
	    EDIT_SACCTMGR, "priority", "QOS priority"),
	ROW(EDIT_OF_QOS, "qos:NAME.usage_factor", EDIT_REAL, 0, 1e9, "ratio", F_QOS_USAGE_FACTOR,
	    EDIT_SACCTMGR, "UsageFactor", "factor by which charges are multiplied"),
	JOB(EDIT_FIELD, EDIT_SLURM, "job:ID.nice", EDIT_NUMBER, -NICE, NICE, "points", F_JOB_NICE,
	    "Nice", "nice value; it is subtracted"),
	JOB(EDIT_FIELD, EDIT_SLURM, "job:ID.site", EDIT_NUMBER, -NICE, NICE, "points", F_JOB_SITE,
	    "SiteFactor", "site factor; it is added"),
	JOB(EDIT_FIELD, EDIT_SLURM | EDIT_LSF, "job:ID.time_limit", EDIT_DURATION, 60, 100 * YEAR,
	    "s", F_JOB_TIME_LIMIT, "TimeLimit", "time limit, whole minutes"),
	JOB(EDIT_JOB_SIZE, EDIT_SLURM | EDIT_LSF, "job:ID.cpus", EDIT_NUMBER, 1, MOST_U32, "",
	    F_JOB_CPUS, "NumCPUs", "CPUs asked for"),
	JOB(EDIT_JOB_SIZE, EDIT_SLURM | EDIT_LSF, "job:ID.nodes", EDIT_NUMBER, 1, MOST_U32, "",
	    F_JOB_MIN_NODES, "NumNodes", "nodes asked for"),
	JOB(EDIT_JOB_QOS, EDIT_SLURM, "job:ID.qos", EDIT_TEXT, 0, 0, "", F_JOB_QOS, "QOS",
	    "its QOS, or several joined by commas"),
	JOB(EDIT_JOB_PARTITION, EDIT_SLURM, "job:ID.partition", EDIT_TEXT, 0, 0, "",
	    F_JOB_PARTITION, "Partition", "its partition, or several joined by commas"),
	JOB(EDIT_JOB_ACCOUNT, EDIT_SLURM, "job:ID.account", EDIT_TEXT, 0, 0, "", F_JOB_ACCOUNT,
	    "Account", "its account, in which the user has an association"),
	{ EDIT_JOB_SUBMIT, EDIT_OF_JOB, EDIT_TIME, "job:ID.submit", 0, 1e15, "s", NULL,
	  F_JOB_SUBMIT, EDIT_NEVER, NULL, false, EDIT_AT_ONCE, "submit times cannot be set",
	  EDIT_SLURM | EDIT_LSF,
	  "submit time, Unix seconds or relative: -6h; its age changes with it" },
	JOB(EDIT_JOB_PRIORITY, EDIT_SLURM, "job:ID.priority", EDIT_NUMBER, 1, MOST_U32, "points",
	    F_PRIO_DIRECT, "Priority", "direct priority: the factors no longer count"),
	JOB(EDIT_FIELD, EDIT_PBS, "job:ID.job_priority", EDIT_NUMBER, -1024, 1023, "",
	    F_JOB_JOB_PRIORITY, "Priority", "PBS job priority (qsub -p), for formula and keys"),
	JOB(EDIT_JOB_HOLD, EDIT_ALL, "job:ID.hold", EDIT_YES_NO, 0, 0, "",
	    F_JOB_PRIORITY, NULL, "held, or released"),
	JOB(EDIT_JOB_BEGIN, EDIT_SLURM, "job:ID.begin", EDIT_TIME, 0, 1e15, "s", F_JOB_ELIGIBLE,
	    "StartTime", "begin time: now, Unix seconds, or from now: +2h"),
	JOB(EDIT_JOB_WORDS, EDIT_SLURM, "job:ID.dependency", EDIT_TEXT, 0, 0, "", F_JOB_DEPENDENCY,
	    "Dependency", "what it waits for: afterok:174; none or nothing removes it"),
	JOB(EDIT_JOB_WORDS, EDIT_SLURM, "job:ID.reservation", EDIT_TEXT, 0, 0, "",
	    F_JOB_RESERVATION, "ReservationName",
	    "its reservation; none or nothing removes it"),
	OTHER(EDIT_ALL, EDIT_OF_POOL, "pool:POOL.max_slots", 0, MOST_U32, "slots", F_POOL_MAX_SLOTS,
	      "MAX_SLOTS_IN_POOL", "maximum slots of a pool"),
	OTHER(EDIT_ALL, EDIT_OF_POOL, "pool:POOL.QUEUE.share", 1, 100, "percent", F_QUEUE_SHARE,
	      "SLOT_SHARE", "a queue's share of its pool"),
	OTHER(EDIT_ALL, EDIT_OF_QUEUE, "queue:NAME.priority", -2147483647.0, 2147483647.0, "",
	      F_QUEUE_PRIORITY, "PRIORITY", "priority of a queue"),
	OTHER(EDIT_SLURM | EDIT_LSF, EDIT_OF_QUEUE, "queue:NAME.job_limit", 0, MOST_U32, "slots",
	    F_QUEUE_JOB_LIMIT, "QJOB_LIMIT", "maximum slots for a queue's jobs"),
	{ EDIT_PARAM, EDIT_OF_NOTHING, EDIT_AS_PARAM, "classes.exclude", 0, 0, "",
	  "equiv_class_exclude", F_COUNT, EDIT_NEVER, NULL, true, EDIT_AT_ONCE,
	  "Slurm has no such setting", EDIT_ALL,
	  "resources that job classes ignore (PBS)" },
	{ EDIT_PARAM, EDIT_OF_NOTHING, EDIT_AS_PARAM, "classes.enable", 0, 0, "",
	  "equiv_class_enable", F_COUNT, EDIT_NEVER, NULL, true, EDIT_AT_ONCE,
	  "Slurm has no such setting", EDIT_ALL,
	  "whether a cycle skips the jobs of a class (PBS)" },
	{ EDIT_NEW_JOB, EDIT_OF_NEW, EDIT_TEXT, "new_job:NAME", 0, 0, "", NULL, F_COUNT, EDIT_NEVER,
	  NULL, false, EDIT_AT_ONCE, "its owner submits it",
	  EDIT_SLURM | EDIT_LSF,
	  "a job submitted just now: words user= account= partition= qos= cpus= nodes= "
	  "time_limit= nice=" },
	{ EDIT_ADVANCE, EDIT_OF_NOTHING, EDIT_DURATION, "advance", 0, 100 * YEAR, "s", NULL,
	  F_COUNT, EDIT_NEVER, NULL, false, EDIT_AT_ONCE, "time passes on its own",
	  EDIT_ALL,
	  "that much later: usage has decayed or was reset by PriorityUsageResetPeriod, running "
	  "jobs were charged until their time limits" },
};
const size_t edit_targets_count = sizeof(edit_targets) / sizeof(edit_targets[0]);

bool edit_target_of(const struct edit_target *t, size_t param, enum policy_scheduler scheduler)
{
	if (t->param)
		param = policy_param(t->param);
	return (t->of ? t->of : 1U << policy_params[param].scheduler) & 1U << scheduler;
}

const char *edit_export_name(enum edit_export how)
{
	static const char *const names[] = { "no", "sacctmgr", "scontrol", "configuration" };

	return names[how];
}

const char *edit_effect_name(enum edit_effect effect)
{
	static const char *const names[] = { "at once", "with the next pass",
					     "after scontrol reconfigure",
					     "after a restart of slurmctld" };

	return names[effect];
}
