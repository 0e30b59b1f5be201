/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Associations from two messages: the shares call has the ratios at full precision, the
 * associations' call has the tree by numbers, raw usage to six decimals, limits and the order of
 * siblings. Either may be missing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <slurm/slurmdb.h>

#include "adapters/slurm/helper/compat.h"
#include "adapters/slurm/helper/fill.h"
#include "core/base/mem.h"

#define QOS_MOST 256

/* ---- QOS and users ------------------------------------------------------------------------- */

static const struct bit_name qos_flags[] = {
	{ QOS_FLAG_PART_MIN_NODE, "PartitionMinNodes" },
	{ QOS_FLAG_PART_MAX_NODE, "PartitionMaxNodes" },
	{ QOS_FLAG_PART_TIME_LIMIT, "PartitionTimeLimit" },
	{ QOS_FLAG_ENFORCE_USAGE_THRES, "EnforceUsageThreshold" },
	{ QOS_FLAG_NO_RESERVE, "NoReserve" },
	{ QOS_FLAG_REQ_RESV, "RequiresReservation" },
	{ QOS_FLAG_DENY_LIMIT, "DenyOnLimit" },
	{ QOS_FLAG_OVER_PART_QOS, "OverPartQOS" },
	{ QOS_FLAG_NO_DECAY, "NoDecay" },
	{ QOS_FLAG_USAGE_FACTOR_SAFE, "UsageFactorSafe" },
};

#define FILL_COUNT(field, value) builder_u32(f->b, field, row, value)
#define FILL_MINUTES(field, value) builder_i64(f->b, field, row, fill_minutes(value))
#define FILL_TRES(field, value) fill_limits(f, field, row, value)

static void fill_qos_limits(struct fill *f, uint32_t row, const slurmdb_qos_rec_t *q)
{
#define QOS_LIMIT(kind, field, member) FILL_##kind(F_QOS_##field, q->member);
#include "adapters/slurm/helper/limits.def"
}

static void fill_qos_usage(struct fill *f, uint32_t row, const slurmdb_qos_usage_t *u)
{
	struct builder *b = f->b;

	builder_f64(b, F_QOS_USAGE, row, (double)u->usage_raw);
	builder_u32(b, F_QOS_USED_JOBS, row, u->grp_used_jobs);
	builder_u32(b, F_QOS_USED_ACCRUE, row, u->accrue_cnt);
	builder_f64(b, F_QOS_USED_WALL, row, u->grp_used_wall);
	fill_used(f, F_QOS_USED_TRES, row, u->grp_used_tres);
	fill_used(f, F_QOS_USED_TRES_RUN_SECS, row, u->grp_used_tres_run_secs);
	fill_used_real(f, F_QOS_USED_TRES_SECS, row, u->usage_tres_raw);
}

static void fill_one_qos(struct fill *f, const slurmdb_qos_rec_t *q)
{
	struct builder *b = f->b;
	uint32_t row = builder_add(b, TABLE_QOS);
	char mode[64];

	builder_str(b, F_QOS_NAME, row, q->name);
	builder_u32(b, F_QOS_ID, row, q->id);
	builder_u32(b, F_QOS_PRIORITY, row, q->priority == NO_VAL ? 0 : q->priority);
	builder_f64(b, F_QOS_USAGE_FACTOR, row, fill_real(q->usage_factor));
	builder_f64(b, F_QOS_USAGE_THRESHOLD, row,
		    q->usage_thres == (double)INFINITE ? HUGE_VAL : fill_real(q->usage_thres));
	fill_bits(f, F_QOS_FLAGS, row, q->flags, qos_flags,
		  sizeof(qos_flags) / sizeof(qos_flags[0]));
	builder_str(b, F_QOS_PREEMPT_MODE, row,
		    preempt_mode_text(q->preempt_mode, mode, sizeof(mode)));
	fill_qos_limits(f, row, q);
	if (q->usage)
		fill_qos_usage(f, row, q->usage);
}

/* The QOS it may preempt are given by number, so all names are read first. */
static void fill_preempt(struct fill *f, uint32_t row, const slurmdb_qos_rec_t *q)
{
	const char *names[QOS_MOST];
	uint32_t count = 0, most = compat_bit_count(q->preempt_bitstr);

	for (uint32_t id = 0; id < most && count < QOS_MOST; id++) {
		const char *name;

		if (compat_bit_test(q->preempt_bitstr, id) && names_get(f->qos, id, &name) && name)
			names[count++] = name;
	}
	builder_list(f->b, F_QOS_PREEMPT, row, names, count);
}

static void fill_preempts(struct fill *f, uint32_t row)
{
	struct listIterator *i = slurm_list_iterator_create(f->l->assocs->qos_list);
	slurmdb_qos_rec_t *q;

	while ((q = slurm_list_next(i)))
		fill_preempt(f, row++, q);
	slurm_list_iterator_destroy(i);
}

static void fill_qos(struct fill *f)
{
	uint32_t first = builder_rows(f->b, TABLE_QOS);
	struct listIterator *i;
	slurmdb_qos_rec_t *q;

	if (!f->l->assocs->qos_list)
		return;
	i = slurm_list_iterator_create(f->l->assocs->qos_list);
	while ((q = slurm_list_next(i))) {
		names_put(f->qos, q->id, q->name);
		if (f->needs & NEED_QOS)
			fill_one_qos(f, q);
	}
	slurm_list_iterator_destroy(i);
	if (f->needs & NEED_QOS)
		fill_preempts(f, first);
}

static void fill_users(struct fill *f)
{
	static const char *const levels[] = { "Not Set", "None", "Operator",
					      "Administrator" };
	struct listIterator *i;
	slurmdb_user_rec_t *u;

	if (!f->l->assocs->user_list)
		return;
	i = slurm_list_iterator_create(f->l->assocs->user_list);
	while ((u = slurm_list_next(i))) {
		uint32_t row = builder_add(f->b, TABLE_USER);

		builder_str(f->b, F_USER_NAME, row, u->name);
		builder_u32(f->b, F_USER_UID, row, u->uid);
		builder_str(f->b, F_USER_DEFAULT_ACCOUNT, row, u->default_acct);
		if (u->admin_level < sizeof(levels) / sizeof(levels[0]))
			builder_str(f->b, F_USER_ADMIN, row, levels[u->admin_level]);
		if (u->uid != NO_VAL)
			names_put(f->users, u->uid, u->name);
	}
	slurm_list_iterator_destroy(i);
}

/* ---- one association ----------------------------------------------------------------------- */

/* In classic and depth-oblivious mode slurmctld leaves what only Fair Tree computes at zero. */
static bool is_fair_tree(const struct fill *f)
{
	return !f->l->conf || (f->l->conf->priority_flags & PRIORITY_FLAGS_FAIR_TREE) != 0;
}

struct ratios {
	double norm_shares, norm_usage, effective_usage, fairshare, level_fs;
};

enum fill_assoc_kind { KIND_ROOT, KIND_ACCOUNT, KIND_USER };

/*
 * slurmctld sets the factor of a user in Fair Tree, and since 25.11 always. Else sshare computes it
 * itself, and the factor that slurmctld uses shows only in the terms of jobs. Accounts have none.
 */
static void fill_ratios(struct fill *f, uint32_t row, enum fill_assoc_kind kind,
			const struct ratios *r)
{
	bool fair_tree = is_fair_tree(f);

	builder_f64(f->b, F_ASSOC_R_NORM_SHARES, row, fill_real(r->norm_shares));
	builder_f64(f->b, F_ASSOC_R_NORM_USAGE, row,
		    kind == KIND_ROOT ? fill_real(r->norm_usage) : r->norm_usage);
	builder_f64(f->b, F_ASSOC_R_EFFECTIVE_USAGE, row, fill_real(r->effective_usage));
	if (fair_tree)
		builder_f64(f->b, F_ASSOC_R_LEVEL_FS, row, fill_real(r->level_fs));
	if (kind == KIND_USER && (fair_tree || r->fairshare > 0))
		builder_f64(f->b, F_ASSOC_R_FAIRSHARE, row, fill_real(r->fairshare));
}

static void fill_share(struct fill *f, uint32_t row, const struct share_row *s)
{
	struct ratios r = { s->norm_shares, s->norm_usage, s->effective_usage, s->fairshare,
			    s->level_fs };

	builder_u32(f->b, F_ASSOC_SHARES, row, s->shares);
	fill_ratios(f, row, s->user ? KIND_USER : s->parent ? KIND_ACCOUNT : KIND_ROOT, &r);
}

static void fill_limits_of(struct fill *f, uint32_t row, const slurmdb_assoc_rec_t *a)
{
#define ASSOC_LIMIT(kind, field, member) FILL_##kind(F_ASSOC_##field, a->member);
#include "adapters/slurm/helper/limits.def"
}

static void fill_usage(struct fill *f, uint32_t row, const slurmdb_assoc_usage_t *u)
{
	struct builder *b = f->b;

	builder_f64(b, F_ASSOC_USAGE, row, (double)u->usage_raw);
	builder_u32(b, F_ASSOC_R_LEVEL_SHARES, row, u->level_shares);
	builder_u32(b, F_ASSOC_USED_JOBS, row, u->used_jobs);
	builder_u32(b, F_ASSOC_USED_SUBMIT, row, u->used_submit_jobs);
	builder_u32(b, F_ASSOC_USED_ACCRUE, row, u->accrue_cnt);
	builder_f64(b, F_ASSOC_USED_WALL, row, u->grp_used_wall);
	fill_used(f, F_ASSOC_USED_TRES, row, u->grp_used_tres);
	fill_used(f, F_ASSOC_USED_TRES_RUN_SECS, row, u->grp_used_tres_run_secs);
	fill_used_real(f, F_ASSOC_USED_TRES_SECS, row, u->usage_tres_raw);
}

static void fill_qos_of(struct fill *f, uint32_t row, const slurmdb_assoc_rec_t *a)
{
	const char *names[QOS_MOST], *name, *id;
	struct listIterator *i;
	uint32_t count = 0;

	if (a->def_qos_id != 0 && a->def_qos_id != NO_VAL &&
	    names_get(f->qos, a->def_qos_id, &name))
		builder_str(f->b, F_ASSOC_DEFAULT_QOS, row, name);
	if (!a->qos_list)
		return;
	i = slurm_list_iterator_create(a->qos_list);
	while (count < QOS_MOST && (id = slurm_list_next(i))) {	/* 0 is no QOS */
		if (names_get(f->qos, (uint32_t)strtoul(id, NULL, 10), &name) && name)
			names[count++] = name;
	}
	slurm_list_iterator_destroy(i);
	builder_list(f->b, F_ASSOC_QOS, row, names, count);
}

/* The other values, if there is no shares call: six decimals. */
static void fill_reported(struct fill *f, uint32_t row, const slurmdb_assoc_rec_t *a)
{
	const slurmdb_assoc_usage_t *u = a->usage;
	struct ratios r;

	/* sshare leaves this blank: the root has no siblings. */
	builder_u32(f->b, F_ASSOC_SHARES, row, a->parent_id == 0 ? NO_VAL : a->shares_raw);
	if (!u)
		return;
	r = (struct ratios){ u->shares_norm, (double)u->usage_norm, (double)u->usage_efctv,
			     u->fs_factor, (double)u->level_fs };
	fill_ratios(f, row, a->user ? KIND_USER : a->parent_id != 0 ? KIND_ACCOUNT : KIND_ROOT,
		    &r);
}

static void fill_assoc(struct fill *f, struct tree *tree, const slurmdb_assoc_rec_t *a)
{
	uint32_t row = builder_add(f->b, TABLE_ASSOC);
	const struct share_row *share;

	tree_add(tree, row, a->id, a->parent_id, a->user ? NULL : a->acct, a->acct);
	builder_str(f->b, F_ASSOC_ACCOUNT, row, a->acct);
	builder_str(f->b, F_ASSOC_USER, row, a->user);
	builder_str(f->b, F_ASSOC_PARTITION, row, a->partition);
	builder_u32(f->b, F_ASSOC_PRIORITY, row, a->priority == NO_VAL ? 0 : a->priority);
	builder_u32(f->b, F_ASSOC_LFT, row, compat_lft(a));
	if (a->user) {
		builder_u32(f->b, F_ASSOC_UID, row, a->uid);
		builder_bool(f->b, F_ASSOC_DEFAULT, row, a->is_def != 0);
		if (a->uid != NO_VAL)
			names_put(f->users, a->uid, a->user);
	}
	fill_limits_of(f, row, a);
	fill_qos_of(f, row, a);
	if (a->usage)
		fill_usage(f, row, a->usage);
	share = tree_share(tree, a->id);
	if (share)
		fill_share(f, row, share);
	else
		fill_reported(f, row, a);
}

/* Adds an association that only the shares call has. There accounts are only known by name. */
static void fill_bare_share(struct fill *f, struct tree *tree, const struct share_row *s)
{
	uint32_t row = builder_add(f->b, TABLE_ASSOC);
	const char *account = s->user ? s->parent : s->name;

	tree_add(tree, row, s->id, tree_account(tree, s->parent), s->user ? NULL : s->name,
		 account);
	builder_str(f->b, F_ASSOC_ACCOUNT, row, account);
	builder_str(f->b, F_ASSOC_USER, row, s->user ? s->name : NULL);
	builder_str(f->b, F_ASSOC_PARTITION, row, s->user ? s->partition : NULL);
	builder_f64(f->b, F_ASSOC_USAGE, row, (double)s->usage);
	fill_share(f, row, s);
}

/* ---- all of them --------------------------------------------------------------------------- */

static void fill_tres_names(struct fill *f, char *const *names, uint32_t count)
{
	f->tres_rows = mem_alloc(count, sizeof(*f->tres_rows));
	f->tres_count = count;
	for (uint32_t i = 0; i < count; i++) {
		/*
		 * Slurm numbers its built-in TRES; those that a site adds are only known by name.
		 */
		static const char *const fixed[] = { "cpu", "mem", "energy", "node", "billing",
						     "fs/disk", "vmem", "pages" };
		uint32_t row = builder_tres_row(f->b, names[i], strlen(names[i]));

		f->tres_rows[i] = row;
		for (uint32_t id = 0; id < sizeof(fixed) / sizeof(fixed[0]); id++) {
			if (strcmp(names[i], fixed[id]) == 0)
				builder_u32(f->b, F_TRES_ID, row, id + 1);
		}
	}
}

static void fill_from_assocs(struct fill *f, struct tree *tree)
{
	for (uint32_t i = 0; i < f->l->assoc_count; i++)
		fill_assoc(f, tree, f->l->assoc_rows[i]);
}

void fill_assocs(struct fill *f)
{
	const struct load *l = f->l;
	bool shares = l->wanted & 1u << LOAD_SHARES && !l->errors[LOAD_SHARES];
	bool assocs = l->wanted & 1u << LOAD_ASSOCS && !l->errors[LOAD_ASSOCS] && l->assocs;

	if (assocs && l->assocs->tres_names)
		fill_tres_names(f, l->assocs->tres_names, l->assocs->tres_cnt);
	else if (shares && l->shares.tres_names)
		fill_tres_names(f, l->shares.tres_names, l->shares.tres_count);
	if (assocs) {
		fill_qos(f);
		fill_users(f);
	}
	if (!shares && !(f->needs & (NEED_SHARES | NEED_LIMITS)))
		return;
	f->tree = tree_new(f->b, shares ? &l->shares : NULL);
	if (assocs && l->assoc_flags & ASSOC_MGR_INFO_FLAG_ASSOC)
		fill_from_assocs(f, f->tree);
	for (uint32_t i = 0; shares && i < l->shares.count; i++) {
		if (tree_row(f->tree, l->shares.rows[i].id) == ROW_NONE)
			fill_bare_share(f, f->tree, &l->shares.rows[i]);
	}
	tree_finish(f->tree, l->conf ? l->conf->private_data : 0);
}
