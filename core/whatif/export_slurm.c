/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacctmgr, scontrol and slurm.conf. Sources: sacctmgr(1), scontrol(1), slurm.conf(5). */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/timestr.h"
#include "core/base/value.h"
#include "core/queue/job_index.h"
#include "core/share/fairshare.h"
#include "core/whatif/export_private.h"
#include "core/whatif/whatif_private.h"

#define WORD_MAX 1200
#define WORDS_MAX 12

/* A command being built. */
struct export_command {
	char text[WORDS_MAX][WORD_MAX];
	const char *words[WORDS_MAX];
	size_t count;
	bool unsafe;			/* a name cannot be passed to the command */
};

struct slurm_export {
	const struct whatif *w;
	const struct cluster *base, *edited;
	bool inverse;
	struct plan plan;
	struct export_command *command;
};

/* Adds KEY and VALUE as one word of a command; checks VALUE if KEY takes a name. */
static void slurm_word(struct slurm_export *x, const char *key, const char *value)
{
	struct export_command *c = x->command;

	if (c->count == WORDS_MAX ||
	    snprintf(c->text[c->count], WORD_MAX, "%s%s", key, value) >= WORD_MAX) {
		c->unsafe = true;
		return;
	}
	c->words[c->count] = c->text[c->count];
	c->count++;
}

/* Begins a command with these words, separated by single blanks. */
static void export_slurm_begin(struct slurm_export *x, const char *words)
{
	char word[WORD_MAX];

	x->command->count = 0;
	x->command->unsafe = false;
	for (size_t n; *words; words += n + (words[n] == ' ')) {
		n = strcspn(words, " ");
		(void)snprintf(word, sizeof(word), "%.*s", (int)n, words);
		slurm_word(x, word, "");
	}
}

static void slurm_name_word(struct slurm_export *x, const char *key, const char *name)
{
	x->command->unsafe = x->command->unsafe || !name || !export_name_is_safe(name);
	slurm_word(x, key, name ? name : "");
}

static void export_slurm_end(struct slurm_export *x, enum plan_step step)
{
	if (x->command->unsafe)
		plan_comment(&x->plan, step, "not exported: the command would split the name");
	else
		plan_command(&x->plan, step, x->command->words, x->command->count);
}

static const char *slurm_number(double x, char buf[VALUE_DOUBLE_MAX])
{
	value_print_double(x, buf);
	return buf;
}

/* The step for associations and QOS: first, in the inverse last. */
static enum plan_step slurm_accounts_step(const struct slurm_export *x)
{
	return x->inverse ? PLAN_THIRD : PLAN_FIRST;
}

/* The target state: as edited, in the inverse as read. */
static const struct cluster *slurm_goal(const struct slurm_export *x)
{
	return x->inverse ? x->base : x->edited;
}

/* Writes a line that says why an edit has no command. */
static void slurm_cannot(struct slurm_export *x, const char *why)
{
	plan_comment(&x->plan, PLAN_NEVER, "not exported: %s", why);
}

/* Begins "scontrol VERB JOB". */
static void slurm_job(struct slurm_export *x, const char *verb, const char *job)
{
	export_slurm_begin(x, "scontrol");
	slurm_word(x, verb, "");
	slurm_word(x, strcmp(verb, "update") == 0 ? "JobId=" : "", job);
}

/* ---- associations, by sacctmgr ------------------------------------------------------------- */

/* "sacctmgr -i VERB account|user [where] name=... cluster=... account=... partition=..." */
static void export_sacctmgr(struct slurm_export *x, const char *verb, const struct cluster *c,
			    uint32_t row)
{
	const char *cluster = cluster_meta(c)->name, *partition;
	bool user = cluster_is_user(c, row);

	export_slurm_begin(x, "sacctmgr -i");
	slurm_word(x, verb, "");
	slurm_word(x, user ? "user" : "account", "");
	if (strcmp(verb, "add") != 0)
		slurm_word(x, "where", "");
	slurm_name_word(x, "name=", cluster_text(c, user ? F_ASSOC_USER : F_ASSOC_ACCOUNT, row));
	if (cluster[0])
		slurm_name_word(x, "cluster=", cluster);
	if (!user)
		return;
	slurm_name_word(x, "account=", cluster_text(c, F_ASSOC_ACCOUNT, row));
	partition = cluster_text(c, F_ASSOC_PARTITION, row);
	if (partition && *partition)
		slurm_name_word(x, "partition=", partition);
}

static void shares_word(struct slurm_export *x, const struct cluster *c, uint32_t row)
{
	uint32_t shares = cluster_u32(c, F_ASSOC_SHARES, row);
	char text[VALUE_DOUBLE_MAX];

	slurm_word(x, "fairshare=",
		   shares == SHARES_PARENT ? "parent" : slurm_number(shares, text));
}

/* Adds a priority other than the account's, which a new association has by default. */
static void own_priority_word(struct slurm_export *x, const struct cluster *c, uint32_t row)
{
	uint32_t priority = cluster_u32(c, F_ASSOC_PRIORITY, row);
	char text[VALUE_DOUBLE_MAX];

	if (priority != U32_UNKNOWN &&
	    priority != cluster_u32(c, F_ASSOC_PRIORITY, cluster_parent(c)[row]))
		slurm_word(x, "priority=", slurm_number(priority, text));
}

/* Row of the edit's association in C: by its old or its new path. */
static uint32_t row_in(const struct slurm_export *x, const struct edit *e, const struct cluster *c)
{
	uint32_t row = cluster_by_path(c, e->object);
	const struct cluster *other = c == x->base ? x->edited : x->base;
	uint32_t there;

	if (row == ROW_NONE)
		row = cluster_find_assoc(c, e->object, NULL);
	if (row != ROW_NONE)
		return row;
	there = cluster_find_assoc(other, e->object, NULL);
	return there == ROW_NONE ? ROW_NONE
				 : cluster_assoc_by_id(c, cluster_u32(other, F_ASSOC_ID, there));
}

/* Sets shares or priority of ROW to the value in the goal. */
static void modify_assoc(struct slurm_export *x, enum edit_id id, uint32_t row)
{
	const struct cluster *to = slurm_goal(x);
	char text[VALUE_DOUBLE_MAX];

	export_sacctmgr(x, "modify", to, row);
	slurm_word(x, "set", "");
	if (id == EDIT_SHARES)
		shares_word(x, to, row);
	else
		slurm_word(x, "priority=",
			   slurm_number(cluster_u32(to, F_ASSOC_PRIORITY, row), text));
	export_slurm_end(x, slurm_accounts_step(x));
}

/*
 * sacctmgr cannot select only the association of a user without a partition: it also changes those
 * of the same account with a partition. So these are set again.
 */
static void export_shares(struct slurm_export *x, const struct edit *e)
{
	const struct cluster *to = slurm_goal(x);
	uint32_t row = row_in(x, e, to), above, end_row;
	const char *partition;

	if (row == ROW_NONE)
		return;			/* added or removed by another edit */
	modify_assoc(x, e->target->id, row);
	partition = cluster_text(to, F_ASSOC_PARTITION, row);
	if (!cluster_is_user(to, row) || (partition && *partition))
		return;
	above = cluster_parent(to)[row];
	end_row = above + cluster_span(to)[above];
	for (uint32_t i = above + 1; i < end_row; i++) {
		partition = cluster_text(to, F_ASSOC_PARTITION, i);
		if (i != row && cluster_parent(to)[i] == above && partition && *partition &&
		    cluster_text_id(to, F_ASSOC_USER, i) == cluster_text_id(to, F_ASSOC_USER, row))
			modify_assoc(x, e->target->id, i);
	}
}

static void export_usage(struct slurm_export *x, const struct edit *e)
{
	uint32_t row = row_in(x, e, x->base);

	if (x->inverse || e->relative || e->number != 0 || row == ROW_NONE) {
		slurm_cannot(x, e->target->why);
		return;
	}
	export_sacctmgr(x, "modify", x->base, row);
	slurm_word(x, "set", "");
	slurm_word(x, "RawUsage=0", "");
	export_slurm_end(x, PLAN_FIRST);
}

/* Moves the pending jobs of association ROW of FROM to ACCOUNT. */
static void move_jobs(struct slurm_export *x, const struct cluster *from, uint32_t row,
		      const char *account)
{
	uint32_t id = cluster_u32(from, F_ASSOC_ID, row);

	for (uint32_t job = 0; job < cluster_rows(from, TABLE_JOB); job++) {
		uint32_t array = cluster_u32(from, F_JOB_ARRAY, job);
		uint32_t task = cluster_u32(from, F_JOB_TASK, job);
		char name[40];

		if (cluster_u32(from, F_JOB_ASSOC, job) != id ||
		    job_kind_of(from, job) > JOB_DEPENDENT)
			continue;
		if (array != U32_UNKNOWN && array != 0 && task != U32_UNKNOWN)
			(void)snprintf(name, sizeof(name), "%u_%u", (unsigned)array,
				       (unsigned)task);
		else
			(void)snprintf(name, sizeof(name), "%u",
				       (unsigned)cluster_u32(from, F_JOB_ID, job));
		slurm_job(x, "update", name);
		slurm_name_word(x, "Account=", account);
		export_slurm_end(x, slurm_accounts_step(x));
	}
}

/* The old default account can only be deleted after another one is set. */
static void set_default(struct slurm_export *x, const struct cluster *to, uint32_t row)
{
	export_slurm_begin(x, "sacctmgr -i modify user where");
	slurm_name_word(x, "name=", cluster_text(to, F_ASSOC_USER, row));
	if (cluster_meta(to)->name[0])
		slurm_name_word(x, "cluster=", cluster_meta(to)->name);
	slurm_word(x, "set", "");
	slurm_name_word(x, "defaultaccount=", cluster_text(to, F_ASSOC_ACCOUNT, row));
	export_slurm_end(x, slurm_accounts_step(x));
}

/* Adds another association with the same shares, then deletes the old one. */
static void export_move_user(struct slurm_export *x, const struct edit *e)
{
	const struct cluster *from = x->inverse ? x->edited : x->base, *to = slurm_goal(x);
	uint32_t old = row_in(x, e, from), row = row_in(x, e, to);

	if (old == ROW_NONE || row == ROW_NONE)
		return;
	plan_comment(&x->plan, slurm_accounts_step(x), "%s; sacctmgr deletes none with jobs",
		     e->target->why);
	export_sacctmgr(x, "add", to, row);
	shares_word(x, to, row);
	own_priority_word(x, to, row);
	export_slurm_end(x, slurm_accounts_step(x));
	if (cluster_bool(from, F_ASSOC_DEFAULT, old) == 1)
		set_default(x, to, row);
	move_jobs(x, from, old, cluster_text(to, F_ASSOC_ACCOUNT, row));
	export_sacctmgr(x, "delete", from, old);
	export_slurm_end(x, slurm_accounts_step(x));
}

static void export_parent(struct slurm_export *x, const struct edit *e)
{
	const struct cluster *to = slurm_goal(x);
	uint32_t row = row_in(x, e, to), above;

	if (row == ROW_NONE)
		return;
	if (cluster_is_user(to, row)) {
		export_move_user(x, e);
		return;
	}
	above = cluster_parent(to)[row];
	export_sacctmgr(x, "modify", to, row);
	slurm_word(x, "set", "");
	slurm_name_word(x, "parent=", cluster_text(to, F_ASSOC_ACCOUNT, above));
	export_slurm_end(x, slurm_accounts_step(x));
}

static void export_add(struct slurm_export *x, const struct edit *e)
{
	uint32_t row = row_in(x, e, x->edited);

	if (row == ROW_NONE)
		return;
	export_sacctmgr(x, x->inverse ? "delete" : "add", x->edited, row);
	if (!x->inverse && !cluster_is_user(x->edited, row))
		slurm_name_word(x, "parent=",
				cluster_text(x->edited, F_ASSOC_ACCOUNT,
					     cluster_parent(x->edited)[row]));
	if (!x->inverse)
		shares_word(x, x->edited, row);
	export_slurm_end(x, slurm_accounts_step(x));
}

static void export_remove(struct slurm_export *x, const struct edit *e)
{
	uint32_t row = row_in(x, e, x->base);

	if (e->number == 0 || row == ROW_NONE)
		return;
	if (x->inverse) {
		slurm_cannot(x, e->target->why);
		return;
	}
	/* Since 24.11 deleting an account leaves those below it behind: delete these first. */
	for (uint32_t i = row + cluster_span(x->base)[row]; i-- > row;) {
		if (i != row && cluster_is_user(x->base, i))
			continue;
		export_sacctmgr(x, "delete", x->base, i);
		export_slurm_end(x, PLAN_FIRST);
	}
}

/* ---- QOS, partitions, jobs ----------------------------------------------------------------- */

/* The value of FIELD in the form of its command; false if it is unknown. */
static bool export_value_text(const struct cluster *c, enum field field, uint32_t row, char *buf,
			      size_t size)
{
	char number[VALUE_DOUBLE_MAX];
	double x;

	switch (field_info[field].type) {
	case FIELD_TEXT:
		return snprintf(buf, size, "%s", cluster_text(c, field, row) ?
				cluster_text(c, field, row) : "") < (int)size;
	case FIELD_I64:
		if (field == F_JOB_TIME_LIMIT && cluster_i64(c, field, row) != I64_UNKNOWN)
			return timestr_format(cluster_i64(c, field, row), buf, size) < size;
		x = cluster_i64(c, field, row) == I64_UNKNOWN ? F64_UNKNOWN
							     : (double)cluster_i64(c, field, row);
		break;
	case FIELD_F64:
		x = cluster_f64(c, field, row);
		break;
	default:
		x = cluster_u32(c, field, row) == U32_UNKNOWN ? F64_UNKNOWN
							     : cluster_u32(c, field, row);
		break;
	}
	return f64_known(x) && snprintf(buf, size, "%s", slurm_number(x, number)) < (int)size;
}

static void export_qos(struct slurm_export *x, const struct edit *e)
{
	uint32_t row = whatif_named(x->base, F_QOS_NAME, e->object);
	char text[WORD_MAX], key[64];

	if (row == ROW_NONE ||
	    !export_value_text(slurm_goal(x), e->target->field, row, text, sizeof(text))) {
		slurm_cannot(x, "the previous value is unknown");
		return;
	}
	export_slurm_begin(x, "sacctmgr -i modify qos where");
	slurm_name_word(x, "name=", cluster_text(x->base, F_QOS_NAME, row));
	slurm_word(x, "set", "");
	(void)snprintf(key, sizeof(key), "%s=", e->target->keyword);
	slurm_word(x, key, text);
	export_slurm_end(x, slurm_accounts_step(x));
}

static void export_partition(struct slurm_export *x, const struct edit *e)
{
	uint32_t row = whatif_named(x->base, F_PARTITION_NAME, e->object);
	char text[WORD_MAX], key[64];

	if (row == ROW_NONE ||
	    !export_value_text(slurm_goal(x), e->target->field, row, text, sizeof(text))) {
		slurm_cannot(x, "the previous value is unknown");
		return;
	}
	export_slurm_begin(x, "scontrol update");
	slurm_name_word(x, "PartitionName=", cluster_text(x->base, F_PARTITION_NAME, row));
	(void)snprintf(key, sizeof(key), "%s=", e->target->keyword);
	slurm_word(x, key, text);
	plan_comment(&x->plan, PLAN_SECOND,
		     "until slurmctld reads its configuration; to keep it, also write into the "
		     "partition's line of slurm.conf: %s%s", key, text);
	export_slurm_end(x, PLAN_SECOND);
}

static void update_job(struct slurm_export *x, const struct edit *e, const char *keyword,
		       const char *value)
{
	char key[64];

	(void)snprintf(key, sizeof(key), "%s=", keyword);
	slurm_job(x, "update", e->object);
	slurm_word(x, key, value);
	export_slurm_end(x, x->inverse ? PLAN_FIRST : PLAN_THIRD);
}

/* Removing a direct priority returns the job to the formula, with its old nice value. */
static void export_priority(struct slurm_export *x, const struct edit *e, uint32_t job)
{
	int64_t nice = cluster_i64(x->base, F_JOB_NICE, job);
	uint32_t direct = U32_UNKNOWN, id = cluster_u32(x->base, F_JOB_ID, job);
	char text[VALUE_DOUBLE_MAX];

	for (uint32_t i = 0; i < cluster_rows(x->base, TABLE_PRIO); i++) {
		if (cluster_u32(x->base, F_PRIO_JOB, i) == id)
			direct = cluster_u32(x->base, F_PRIO_DIRECT, i);
	}
	if (!x->inverse) {
		update_job(x, e, "Priority", slurm_number(e->number, text));
	} else if (direct != 0 && direct != U32_UNKNOWN) {
		update_job(x, e, "Priority", slurm_number(direct, text));
	} else {
		slurm_job(x, "release", e->object);
		export_slurm_end(x, PLAN_FIRST);
		if (nice != 0 && nice != I64_UNKNOWN)
			update_job(x, e, "Nice", slurm_number((double)nice, text));
	}
}

/* In Slurm's form; a begin at the time of the data is in the past by then, so it is "now". */
static void export_begin(struct slurm_export *x, const struct edit *e, uint32_t job)
{
	int64_t begin = cluster_i64(slurm_goal(x), F_JOB_ELIGIBLE, job);
	int64_t now = cluster_meta(x->base)->time;
	char text[32] = "now";

	if (begin != I64_UNKNOWN && begin > now)
		(void)snprintf(text, sizeof(text), "uts%lld", (long long)begin);
	update_job(x, e, "StartTime", text);
}

/* "afterok:7(unfulfilled)" without slurmctld's remark. */
static void drop_remarks(char *text)
{
	bool remark = false;
	char *to = text;

	for (const char *at = text; *at; at++) {
		remark |= *at == '(';
		if (!remark)
			*to++ = *at;
		remark &= *at != ')';
	}
	*to = '\0';
}

static void export_job(struct slurm_export *x, const struct edit *e)
{
	uint32_t job = whatif_job(x->base, e->object);
	bool held = job != ROW_NONE && cluster_u32(x->base, F_JOB_PRIORITY, job) == 0;
	char text[WORD_MAX];

	if (e->target->slurm == EDIT_NEVER || job == ROW_NONE) {
		slurm_cannot(x, e->target->why ? e->target->why : "unknown job");
	} else if (e->target->id == EDIT_JOB_HOLD) {
		slurm_job(x, (x->inverse ? held : e->number != 0) ? "hold" : "release",
			     e->object);
		export_slurm_end(x, x->inverse ? PLAN_FIRST : PLAN_THIRD);
	} else if (e->target->id == EDIT_JOB_PRIORITY) {
		export_priority(x, e, job);
	} else if (e->target->id == EDIT_JOB_BEGIN) {
		export_begin(x, e, job);
	} else if (!export_value_text(slurm_goal(x), e->target->field, job, text, sizeof(text))) {
		slurm_cannot(x, "the previous value is unknown");
	} else if (field_info[e->target->field].type == FIELD_TEXT && strpbrk(text, "\"'\\ ")) {
		slurm_cannot(x, "the command would split the name");
	} else {
		if (e->target->field == F_JOB_DEPENDENCY)
			drop_remarks(text);
		update_job(x, e, e->target->keyword, text);
	}
}

/* ---- configuration ------------------------------------------------------------------------- */

static bool same_parameter(const struct policy *a, const struct policy *b, size_t i)
{
	char left[POLICY_LIST_MAX], right[POLICY_LIST_MAX];

	policy_value_text(a, i, left, sizeof(left));
	policy_value_text(b, i, right, sizeof(right));
	return strcmp(left, right) == 0;
}

/* A policy of back-tests, which slurmctld does not have. */
static bool is_only_played(const struct policy *p)
{
	return strncmp(p->scheduler_type, "sched/", 6) != 0;
}

static bool needs_restart(const struct policy *a, const struct policy *b)
{
	return strcmp(a->type, b->type) != 0 ||
	       fs_algorithm_of(a->flags) != fs_algorithm_of(b->flags) ||
	       (strcmp(a->scheduler_type, b->scheduler_type) != 0 &&
		!is_only_played(a) && !is_only_played(b));
}

static void export_conf(struct slurm_export *x)
{
	const struct policy *from = cluster_policy(x->inverse ? x->edited : x->base);
	const struct policy *to = cluster_policy(slurm_goal(x));
	static const char *const reconfigure[] = { "scontrol", "reconfigure" };
	char text[POLICY_LIST_MAX];
	bool any = false;

	for (size_t i = 0; i < policy_params_count; i++) {
		if (policy_params[i].scheduler != POLICY_OF_SLURM || same_parameter(from, to, i) ||
		    (strcmp(policy_params[i].name, "SchedulerType") == 0 &&
		     (is_only_played(from) || is_only_played(to))))
			continue;
		if (!any)
			plan_comment(&x->plan, PLAN_CONF, "slurm.conf (for its administrator): "
				     "replace the lines with the same names by these");
		any = true;
		policy_value_text(to, i, text, sizeof(text));
		if (text[0])
			plan_comment(&x->plan, PLAN_CONF, "  %s=%s", policy_params[i].name, text);
		else
			plan_comment(&x->plan, PLAN_CONF, "  (no line of %s)",
				     policy_params[i].name);
	}
	if (!any)
		return;
	if (needs_restart(from, to))
		plan_comment(&x->plan, PLAN_CONF,
			     "then restart slurmctld: scontrol reconfigure is not enough");
	else
		plan_command(&x->plan, PLAN_CONF, reconfigure, 2);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static enum plan_step export_step_of(const struct slurm_export *x, const struct edit *e)
{
	switch (e->target->object) {
	case EDIT_OF_PARTITION:
		return PLAN_SECOND;
	case EDIT_OF_JOB:
		return x->inverse ? PLAN_FIRST : PLAN_THIRD;
	case EDIT_OF_NOTHING:
		return PLAN_CONF;
	default:
		return slurm_accounts_step(x);
	}
}

static bool will_be_exported(const struct slurm_export *x, const struct edit *e)
{
	if (e->target->slurm == EDIT_NEVER)
		return false;
	if (e->target->id == EDIT_USAGE)
		return !x->inverse && !e->relative && e->number == 0;
	return !(x->inverse && e->target->id == EDIT_REMOVE);
}

/* Who may run the command; NULL if users may for their own jobs. */
static const char *privilege_of(const struct edit *e)
{
	if (e->target->slurm == EDIT_SACCTMGR)
		return "an administrator of Slurm's accounting, a coordinator in their accounts";
	if (e->target->object == EDIT_OF_PARTITION)
		return "an administrator or operator";
	if (e->target->object != EDIT_OF_JOB)
		return NULL;
	if (e->target->field == F_JOB_NICE && e->number < 0)
		return "an administrator or operator: only they can set a negative nice value";
	if (e->target->field == F_JOB_SITE || e->target->id == EDIT_JOB_PRIORITY)
		return "an administrator or operator";
	return "the owner of the job; for jobs of other users an administrator or operator";
}

static void export_edit(struct slurm_export *x, const struct edit *e)
{
	bool played = e->target->id == EDIT_SCHEDULE && is_only_played(cluster_policy(x->edited));
	bool can = will_be_exported(x, e) && !played;
	char text[600];

	edit_text(e, text, sizeof(text));
	plan_comment(&x->plan, can ? export_step_of(x, e) : PLAN_NEVER, "%s%s%s", text,
		     can ? ": " : "", can ? edit_effect_name(e->target->effect) : "");
	if (can && privilege_of(e))
		plan_comment(&x->plan, export_step_of(x, e), "allowed for: %s", privilege_of(e));
	if (e->target->slurm == EDIT_NEVER || played) {
		slurm_cannot(x, e->target->why);
		return;
	}
	switch (e->target->id) {
	case EDIT_SHARES:
	case EDIT_ASSOC_PRIORITY:
		export_shares(x, e);
		return;
	case EDIT_USAGE:
		export_usage(x, e);
		return;
	case EDIT_PARENT:
		export_parent(x, e);
		return;
	case EDIT_ADD:
		export_add(x, e);
		return;
	case EDIT_REMOVE:
		export_remove(x, e);
		return;
	default:
		break;
	}
	if (e->target->object == EDIT_OF_QOS)
		export_qos(x, e);
	else if (e->target->object == EDIT_OF_PARTITION)
		export_partition(x, e);
	else if (e->target->object == EDIT_OF_JOB)
		export_job(x, e);
}

/* Direct priorities come before the other edits of jobs. */
static void export_edits(struct slurm_export *x, bool priorities)
{
	for (uint32_t k = 0; k < x->w->count; k++) {
		uint32_t i = x->inverse ? x->w->count - 1 - k : k;
		const struct whatif_entry *e = &x->w->entries[i];

		if (export_counts(x->w, i) &&
		    (e->edit.target->id == EDIT_JOB_PRIORITY) == priorities)
			export_edit(x, &e->edit);
	}
}

bool export_slurm(const struct whatif *w, const struct cluster *base, const struct cluster *edited,
		  const struct export_options *options, struct sink out, struct err *err)
{
	struct slurm_export x = { .w = w, .base = base, .edited = edited,
				  .inverse = options->inverse };
	bool ok;

	x.command = mem_zalloc(1, sizeof(*x.command));
	export_edits(&x, true);
	export_edits(&x, false);
	export_conf(&x);
	ok = plan_write(&x.plan, base, options, out, err);
	plan_free(&x.plan);
	mem_free(x.command);
	return ok;
}
