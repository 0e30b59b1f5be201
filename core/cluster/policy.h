/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * policy: the parameters that decide which job runs next, under the scheduler's own names.
 *
 * Numbers are in base units (seconds, points). What the source did not report has the scheduler's
 * default and is marked so: the screen distinguishes values that were read from assumed ones. Texts
 * (weights of TRES, plugin names) are held in fixed buffers so that a policy can be copied by
 * assignment. One table holds the parameters of all schedulers; a cluster has those of its kind.
 * Sources: slurm.conf(5); spec of the multifactor plugin (parameters and defaults of 22.05 ..
 * 26.05); sched_config and pbs_sched_attributes(7B) of OpenPBS 23.06.
 */
#ifndef FAIRTOP_CORE_CLUSTER_POLICY_H
#define FAIRTOP_CORE_CLUSTER_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/cluster/factors.h"

#define POLICY_TEXT_MAX 512
#define POLICY_LIST_MAX 2048	/* lists of resources, formulas: the longest texts */
#define POLICY_PARAMS_MAX 128
#define POLICY_REAL_MAX 32	/* a number that is kept as text */

/* Words of PriorityFlags, as fairtop's own bits (not the scheduler's numbers). */
enum policy_flag {
	PF_ACCRUE_ALWAYS	= 1 << 0,
	PF_CALCULATE_RUNNING	= 1 << 1,
	PF_DEPTH_OBLIVIOUS	= 1 << 2,
	PF_NO_FAIR_TREE		= 1 << 3,
	PF_INCR_ONLY		= 1 << 4,
	PF_MAX_TRES		= 1 << 5,
	PF_MAX_TRES_GRES	= 1 << 6,
	PF_NO_NORMAL_ALL	= 1 << 7,
	PF_NO_NORMAL_ASSOC	= 1 << 8,
	PF_NO_NORMAL_PART	= 1 << 9,
	PF_NO_NORMAL_QOS	= 1 << 10,
	PF_NO_NORMAL_TRES	= 1 << 11,
	PF_SMALL_RELATIVE_TO_TIME = 1 << 12,
};

struct policy_flag_info {
	const char *name;
	uint32_t bit;
	const char *meaning;
};
extern const struct policy_flag_info policy_flags[];
extern const size_t policy_flags_count;

/* One member per parameter; the table policy_params names each with type, default and meaning. */
struct policy {
	char type[64];			/* PriorityType */
	uint32_t flags;			/* PriorityFlags, enum policy_flag */
	char unknown_flags[128]; /* words of PriorityFlags that no version knows, comma-separated */
	int64_t half_life;		/* PriorityDecayHalfLife, s; 0 no decay */
	int64_t calc_period;		/* PriorityCalcPeriod, s */
	int64_t max_age;		/* PriorityMaxAge, s */
	char reset_period[16];		/* PriorityUsageResetPeriod: NONE NOW DAILY WEEKLY ... */
	bool favor_small;		/* PriorityFavorSmall */
	uint32_t damping;		/* FairShareDampeningFactor */
	uint32_t weight[PRIO_FACTORS];	/* PriorityWeightAge ... */
	char weight_tres[POLICY_TEXT_MAX];	/* PriorityWeightTRES as written */
	char site_plugin[64], site_parameters[POLICY_TEXT_MAX], parameters[POLICY_TEXT_MAX];
	char storage_type[64];		/* AccountingStorageType */
	char storage_enforce[128];	/* AccountingStorageEnforce words, comma-separated */
	char storage_tres[POLICY_TEXT_MAX];	/* AccountingStorageTRES */
	char preempt_type[64], preempt_mode[64];
	char enforce_part_limits[16];
	char private_data[128];		/* PrivateData words, comma-separated */
	char scheduler_type[64], scheduler_parameters[POLICY_TEXT_MAX];
	int64_t message_timeout, min_job_age;
	char select_type[64], select_parameters[POLICY_TEXT_MAX];	/* SelectType... */
	int64_t kill_wait, complete_wait;	/* s */
	uint32_t over_time_limit;	/* minutes */
	/* PBS, by its own names. Settings per prime time: those in effect now. */
	bool fair_share, fairshare_enforce_no_shares, by_queue, round_robin, strict_ordering;
	bool backfill, strict_fifo;
	bool preemptive_sched, help_starving_jobs, preempt_targets_enable, throughput_mode;
	bool equiv_class_enable, eligible_time_enable, query_other_jobs;
	char fairshare_usage_res[POLICY_TEXT_MAX], fairshare_entity[64];
	int64_t fairshare_decay_time, scheduler_iteration, sched_cycle_length;
	char fairshare_decay_factor[32];	/* a number */
	uint32_t unknown_shares, backfill_depth, preempt_queue_prio;
	char job_sort_formula[POLICY_LIST_MAX], job_sort_formula_threshold[32];
	char job_sort_key[POLICY_TEXT_MAX], resources[POLICY_LIST_MAX];
	char primetime_prefix[32], nonprimetime_prefix[32], dedicated_prefix[32];
	char preempt_prio[POLICY_TEXT_MAX], preempt_order[64], preempt_sort[64];
	char resource_unset_infinite[POLICY_TEXT_MAX];
	char node_sort_key[POLICY_TEXT_MAX], equiv_class_exclude[POLICY_TEXT_MAX];
	/* A what-if sets equiv_class_* although the source does not report it: its rules stay. */
	bool equiv_class_tried;
	/* LSF: lsb.params, by its own names. Numbers stay texts. */
	char cpu_time_factor[POLICY_REAL_MAX], run_time_factor[POLICY_REAL_MAX];
	char run_job_factor[POLICY_REAL_MAX], adjustment_factor[POLICY_REAL_MAX];
	char committed_factor[POLICY_REAL_MAX], hist_hours[POLICY_REAL_MAX];
	char gpu_factor[POLICY_REAL_MAX], forward_factor[POLICY_REAL_MAX];
	char mbd_sleep_time[POLICY_REAL_MAX], job_accept_interval[POLICY_REAL_MAX];
	char clean_period[POLICY_REAL_MAX];
	char max_user_priority[POLICY_REAL_MAX];
	bool enable_hist_run_time, run_time_decay;
	char default_queue[POLICY_TEXT_MAX], priority_over_time[POLICY_TEXT_MAX];
	uint64_t known[POLICY_PARAMS_MAX / 64];	/* bit i: policy_params[i] was read, not assumed */
	uint64_t unreported[POLICY_PARAMS_MAX /
			    64]; /* bit i: not read, and the default is not valid */
};

/* The scheduler a parameter belongs to. */
enum policy_scheduler { POLICY_OF_SLURM, POLICY_OF_PBS, POLICY_OF_LSF };

enum policy_type { POLICY_U32, POLICY_SECONDS, POLICY_TEXT, POLICY_BOOL, POLICY_FLAGS };

struct policy_param {
	const char *name;		/* the scheduler's own name */
	enum policy_type type;
	size_t offset;			/* of the member in struct policy */
	size_t size;			/* bytes of a text member */
	const char *default_value;	/* as slurm.conf would write it */
	const char *unit;		/* "s", "points", "" */
	const char *meaning;
	enum policy_scheduler scheduler;
	const char *untried;		/* why a what-if of it has no effect; NULL: it has */
};
extern const struct policy_param policy_params[];
extern const size_t policy_params_count;

extern const char *const policy_scheduler_names[];	/* "Slurm", "PBS", "LSF" */
/* The policies of a back-test, in the order of enum sim_policy (core/sim/sim.h). */
#define POLICY_SCHEDULES_BY(AND) \
	"fcfs" AND "easy" AND "easy-sjbf" AND "conservative" AND \
	"slurm" AND "slurm-builtin" AND "pbs"
#define POLICY_SCHEDULES POLICY_SCHEDULES_BY(", ")
extern const char *const policy_schedules[];	/* NULL-ended */
int policy_schedule_by_name(const char *name);	/* an index of policy_schedules, -1: none */

/* The scheduler whose parameters a cluster of KIND (cluster_meta) has: "pbs", "lsf", else Slurm. */
enum policy_scheduler policy_scheduler_of(const char *kind);

void policy_init(struct policy *p);		/* the scheduler's defaults, nothing known */

/* Index of a parameter by its name, case ignored as Slurm does; policy_params_count if none. */
size_t policy_param(const char *name);
size_t policy_param_by_name(const char *name, size_t length);	/* of a part of a line */

/*
 * Sets parameter I from its text as slurm.conf writes it ("7-0", "1000", "YES", "A,B") and marks it
 * known. ERR_INPUT with what was expected if it cannot be read; the policy is then unchanged.
 */
bool policy_set_text(struct policy *p, size_t i, const char *text, struct err *err);
void policy_set_number(struct policy *p, size_t i, uint64_t value); /* U32, SECONDS, BOOL, FLAGS */

/* The value as slurm.conf would write it (like snprintf); *_number for the numeric kinds. */
size_t policy_value_text(const struct policy *p, size_t i, char *buf, size_t size);
uint64_t policy_number(const struct policy *p, size_t i);

/* Is the parameter a number that is kept as text? And that number. */
bool policy_is_real(size_t i);
bool policy_real(const struct policy *p, size_t i, double *value); /* false: unset, or no number */
bool policy_is_known(const struct policy *p, size_t i);
bool policy_knows(const struct policy *p, const char *name);	/* the same by name */

/*
 * Marks parameter I as not reported: its default is not a fact either. Its text becomes
 * POLICY_UNREPORTED, and in LSF its member empty. policy_restore() reads what policy_value_text()
 * wrote of stated parameters (the only ones written): those read, and those marked so here.
 */
#define POLICY_UNREPORTED "unknown"
void policy_forget(struct policy *p, size_t i);
bool policy_is_unreported(const struct policy *p, size_t i);
bool policy_unreported(const struct policy *p, const char *name);	/* the same by name */
bool policy_is_stated(const struct policy *p, size_t i);
bool policy_restore(struct policy *p, size_t i, const char *text, struct err *err);

/*
 * Does the scheduler's own parser refuse the value of parameter I? If so, BUF gets what it expects;
 * POLICY_EXPECTED_MAX bytes are enough.
 */
#define POLICY_EXPECTED_MAX 160
bool policy_refused(const struct policy *p, size_t i, char *buf, size_t size);

/* May a plugin or another version accept more words than policy_word()? Edits may not. */
bool policy_is_open(size_t i);

/* The Nth word that parameter I accepts; NULL after the last, or if it takes other values. */
const char *policy_word(size_t i, size_t n);
/*
 * No half-life and no reset: slurmctld refuses that unless slurm.conf has a
 * PriorityUsageResetPeriod line, even one with NONE.
 */
bool policy_counts_for_ever(const struct policy *p);

/*
 * PBS: the object ("server", "sched") whose attribute sets parameter I: qmgr shows these to
 * everybody. NULL: it is set in sched_config.
 */
const char *policy_qmgr_object(size_t i);
/*
 * Was it unreadable: PBS without root, Slurm without its configuration or from an excerpt? The
 * policy then holds the scheduler's default, which is not a fact.
 */
bool policy_is_hidden(const struct policy *p, size_t i);
bool policy_hides(const struct policy *p, const char *name);	/* the same by name */

bool policy_is_multifactor(const struct policy *p);

/*
 * PriorityType where the source does not report how priorities are computed: no defaults hold for
 * weights, and priorities are those reported.
 */
#define POLICY_TYPE_UNKNOWN "unknown"
bool policy_tells_weights(const struct policy *p);
bool policy_has_accounting(const struct policy *p);	/* an accounting database is configured */
/* Does AccountingStorageEnforce enforce limits ("safe" includes "limits"), or is that unknown? */
bool policy_keeps_limits(const struct policy *p);

#endif
