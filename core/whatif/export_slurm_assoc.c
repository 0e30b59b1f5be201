/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Edits of associations as commands of sacctmgr. Source: sacctmgr(1). */
#include "core/whatif/export_slurm.h"

#include <stdio.h>
#include <string.h>

#include "core/share/fairshare.h"
#include "core/queue/job_index.h"
#include "core/whatif/whatif_private.h"

/* "sacctmgr -i VERB account|user [where] name=... cluster=... account=... partition=..." */
static void sacctmgr(struct slurm_export *x, const char *verb, const struct cluster *c,
		     uint32_t row)
{
	const char *cluster = cluster_meta(c)->name, *partition;
	bool user = cluster_is_user(c, row);

	slurm_begin(x);
	slurm_word(x, "sacctmgr", "");
	slurm_word(x, "-i", "");
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

/* One that is not the account's, which a new association has without being told. */
static void own_priority_word(struct slurm_export *x, const struct cluster *c, uint32_t row)
{
	uint32_t priority = cluster_u32(c, F_ASSOC_PRIORITY, row);
	char text[VALUE_DOUBLE_MAX];

	if (priority != U32_UNKNOWN &&
	    priority != cluster_u32(c, F_ASSOC_PRIORITY, cluster_parent(c)[row]))
		slurm_word(x, "priority=", slurm_number(priority, text));
}

/* Row of the edit's association in C: as read, or as edited. */
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

/* Sets shares or priority of ROW to what the goal has. */
static void modify_assoc(struct slurm_export *x, enum edit_id id, uint32_t row)
{
	const struct cluster *to = slurm_goal(x);
	char text[VALUE_DOUBLE_MAX];

	sacctmgr(x, "modify", to, row);
	slurm_word(x, "set", "");
	if (id == EDIT_SHARES)
		shares_word(x, to, row);
	else
		slurm_word(x, "priority=",
			   slurm_number(cluster_u32(to, F_ASSOC_PRIORITY, row), text));
	slurm_end(x, slurm_accounts_step(x));
}

/*
 * sacctmgr cannot name the association of a user without a partition alone: it changes those of
 * the same account with a partition, too. So these are set again.
 */
void slurm_shares(struct slurm_export *x, const struct edit *e)
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

void slurm_usage(struct slurm_export *x, const struct edit *e)
{
	uint32_t row = row_in(x, e, x->base);

	if (x->inverse || e->relative || e->number != 0 || row == ROW_NONE) {
		slurm_cannot(x, e->target->why);
		return;
	}
	sacctmgr(x, "modify", x->base, row);
	slurm_word(x, "set", "");
	slurm_word(x, "RawUsage=0", "");
	slurm_end(x, PLAN_FIRST);
}

/* The pending jobs of association ROW of FROM go to ACCOUNT. */
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
		slurm_end(x, slurm_accounts_step(x));
	}
}

/* Only another default account lets the former one be deleted. */
static void set_default(struct slurm_export *x, const struct cluster *to, uint32_t row)
{
	slurm_begin(x);
	slurm_word(x, "sacctmgr", "");
	slurm_word(x, "-i", "");
	slurm_word(x, "modify", "");
	slurm_word(x, "user", "");
	slurm_word(x, "where", "");
	slurm_name_word(x, "name=", cluster_text(to, F_ASSOC_USER, row));
	if (cluster_meta(to)->name[0])
		slurm_name_word(x, "cluster=", cluster_meta(to)->name);
	slurm_word(x, "set", "");
	slurm_name_word(x, "defaultaccount=", cluster_text(to, F_ASSOC_ACCOUNT, row));
	slurm_end(x, slurm_accounts_step(x));
}

/* Another association with the same shares, then the former one is deleted. */
static void move_user(struct slurm_export *x, const struct edit *e)
{
	const struct cluster *from = x->inverse ? x->edited : x->base, *to = slurm_goal(x);
	uint32_t old = row_in(x, e, from), row = row_in(x, e, to);

	if (old == ROW_NONE || row == ROW_NONE)
		return;
	plan_comment(&x->plan, slurm_accounts_step(x), "%s; sacctmgr deletes none that has jobs",
		     e->target->why);
	sacctmgr(x, "add", to, row);
	shares_word(x, to, row);
	own_priority_word(x, to, row);
	slurm_end(x, slurm_accounts_step(x));
	if (cluster_bool(from, F_ASSOC_DEFAULT, old) == 1)
		set_default(x, to, row);
	move_jobs(x, from, old, cluster_text(to, F_ASSOC_ACCOUNT, row));
	sacctmgr(x, "delete", from, old);
	slurm_end(x, slurm_accounts_step(x));
}

void slurm_parent(struct slurm_export *x, const struct edit *e)
{
	const struct cluster *to = slurm_goal(x);
	uint32_t row = row_in(x, e, to), above;

	if (row == ROW_NONE)
		return;
	if (cluster_is_user(to, row)) {
		move_user(x, e);
		return;
	}
	above = cluster_parent(to)[row];
	sacctmgr(x, "modify", to, row);
	slurm_word(x, "set", "");
	slurm_name_word(x, "parent=", cluster_text(to, F_ASSOC_ACCOUNT, above));
	slurm_end(x, slurm_accounts_step(x));
}

void slurm_add(struct slurm_export *x, const struct edit *e)
{
	uint32_t row = row_in(x, e, x->edited);

	if (row == ROW_NONE)
		return;
	sacctmgr(x, x->inverse ? "delete" : "add", x->edited, row);
	if (!x->inverse && !cluster_is_user(x->edited, row))
		slurm_name_word(x, "parent=",
				cluster_text(x->edited, F_ASSOC_ACCOUNT,
					     cluster_parent(x->edited)[row]));
	if (!x->inverse)
		shares_word(x, x->edited, row);
	slurm_end(x, slurm_accounts_step(x));
}

void slurm_remove(struct slurm_export *x, const struct edit *e)
{
	uint32_t row = row_in(x, e, x->base);

	if (e->number == 0 || row == ROW_NONE)
		return;
	if (x->inverse) {
		slurm_cannot(x, e->target->why);
		return;
	}
	sacctmgr(x, "delete", x->base, row);
	slurm_end(x, PLAN_FIRST);
}
