/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qmgr, pbsfs, resource_group and sched_config of PBS; lsb.queues, lsb.users and lsb.params of
 * LSF. Sources: qmgr(8B), pbsfs(8B), pbs_sched(8B); lsb.queues(5), lsb.resources(5).
 */
#include <stdio.h>
#include <string.h>

#include "core/classes/class_rules.h"
#include "core/share/lsf_share.h"
#include "core/whatif/export_private.h"
#include "core/base/value.h"
#include "core/whatif/whatif_private.h"

struct other_export {
	const struct whatif *w;
	const struct cluster *base, *goal;
	bool inverse;
	struct plan plan;
};

static bool is_last(const struct whatif *w, uint32_t i)
{
	for (uint32_t j = i + 1; j < w->count; j++) {
		if (whatif_in_force(w, j) &&
		    edit_same_target(&w->entries[i].edit, &w->entries[j].edit))
			return false;
	}
	return whatif_in_force(w, i) && !w->entries[i].problem[0];
}

static void title(struct other_export *x, enum plan_step step, const struct edit *e)
{
	char text[600];

	edit_text(e, text, sizeof(text));
	plan_comment(&x->plan, step, "%s", text);
}

static void cannot(struct other_export *x, const struct edit *e, const char *why)
{
	title(x, PLAN_NEVER, e);
	plan_comment(&x->plan, PLAN_NEVER, "not exported: %s", why);
}

/* ---- PBS ----------------------------------------------------------------------------------- */

static void qmgr(struct other_export *x, const char *object, const char *name, const char *value)
{
	char text[POLICY_LIST_MAX + 200];
	const char *words[] = { "qmgr", "-c", text };

	if (strpbrk(value, "\"\n") || strpbrk(object, "\"\n,"))
		plan_comment(&x->plan, PLAN_FIRST, "not exported: qmgr would take \"%.200s\" apart",
			     value);
	/* qmgr takes no empty value: what has none is not set. */
	else if ((value[0] ? snprintf(text, sizeof(text), "set %s %s = \"%s\"", object, name,
				      value) :
			     snprintf(text, sizeof(text), "unset %s %s", object, name)) <
		 (int)sizeof(text))
		plan_command(&x->plan, PLAN_FIRST, words, 3);
}

static void pbs_param(struct other_export *x, const struct edit *e)
{
	const struct policy_param *p = &policy_params[e->param];
	const char *object = policy_qmgr_object(e->param);
	char value[POLICY_LIST_MAX];

	policy_value_text(cluster_policy(x->goal), e->param, value, sizeof(value));
	if (p->scheduler != POLICY_OF_PBS) {
		cannot(x, e, "PBS has no such parameter");
		return;
	}
	if (strncmp(p->name, "equiv_class_", 12) == 0 &&
	    !class_rules_documented(cluster_policy(x->base))) {
		cannot(x, e, "OpenPBS has no such attribute; it is of an early design of PBS");
		return;
	}
	title(x, PLAN_FIRST, e);
	if (object)
		qmgr(x, object, p->name, value);
	else
		plan_comment(&x->plan, PLAN_FIRST,
			     "sched_config, then kill -HUP of pbs_sched:  %s: %s", p->name, value);
}

/* "NAME cresgroup PARENT shares", the line of resource_group. */
static void pbs_shares(struct other_export *x, const struct edit *e)
{
	struct whatif_entry copy = { .edit = *e };
	uint32_t row = whatif_assoc(&copy, x->base, x->goal), above, shares;
	const char *name, *parent;
	int64_t group;

	if (row == ROW_NONE || row == 0) {
		cannot(x, e, "there is no such entity");
		return;
	}
	above = cluster_parent(x->goal)[row];
	shares = cluster_u32(x->goal, F_ASSOC_SHARES, row);
	group = cluster_i64(x->goal, F_ASSOC_CRESGROUP, row);
	name = cluster_text(x->goal, cluster_is_user(x->goal, row) ? F_ASSOC_USER : F_ASSOC_ACCOUNT,
			    row);
	parent = cluster_text(x->goal, F_ASSOC_ACCOUNT, above);
	if (shares >= U32_UNKNOWN || shares == SHARES_PARENT || group == I64_UNKNOWN || !name) {
		cannot(x, e, "resource_group holds numbers only");
		return;
	}
	title(x, PLAN_CONF, e);
	plan_comment(&x->plan, PLAN_CONF, "resource_group, then kill -HUP of pbs_sched:  "
		     "%s %lld %s %u", name, (long long)group,
		     above == 0 || !parent ? "root" : parent, (unsigned)shares);
}

static void pbs_usage(struct other_export *x, const struct edit *e)
{
	struct whatif_entry copy = { .edit = *e };
	uint32_t row = whatif_assoc(&copy, x->base, x->goal);
	char number[VALUE_DOUBLE_MAX];
	const char *words[] = { "pbsfs", "-s", NULL, number };

	if (row == ROW_NONE || !cluster_is_user(x->goal, row) ||
	    !export_name_is_safe(cluster_text(x->goal, F_ASSOC_USER, row))) {
		cannot(x, e, "pbsfs sets the usage of single entities only");
		return;
	}
	words[2] = cluster_text(x->goal, F_ASSOC_USER, row);
	value_print_double(cluster_f64(x->goal, F_ASSOC_USAGE, row), number);
	title(x, PLAN_SECOND, e);
	plan_comment(&x->plan, PLAN_SECOND, "pbsfs(8B): in force with the next cycle, "
		     "without a signal; better not while jobs are being scheduled");
	plan_command(&x->plan, PLAN_SECOND, words, 4);
}

/* ---- queues -------------------------------------------------------------------------------- */

/* Row of the queue that E is about, ROW_NONE for what is of a pool. */
static uint32_t queue_row(const struct other_export *x, const struct edit *e)
{
	uint32_t row = ROW_NONE;

	if (field_info[e->target->field].table != TABLE_QUEUE)
		return ROW_NONE;
	if (e->target->object == EDIT_OF_QUEUE)
		return whatif_named(x->goal, F_QUEUE_NAME, e->object);
	for (const char *dot = strchr(e->object, '.'); dot && row == ROW_NONE;
	     dot = strchr(dot + 1, '.'))
		row = whatif_named(x->goal, F_QUEUE_NAME, dot + 1);
	return row;
}

static double number_of(const struct cluster *c, enum field field, uint32_t row)
{
	switch (field_info[field].type) {
	case FIELD_F64:
		return cluster_f64(c, field, row);
	case FIELD_I64:
		return (double)cluster_i64(c, field, row);
	default:
		return cluster_u32(c, field, row);
	}
}

static void pbs_queue(struct other_export *x, const struct edit *e)
{
	uint32_t row = queue_row(x, e);
	char object[300], number[VALUE_DOUBLE_MAX];

	if (row == ROW_NONE || e->target->field != F_QUEUE_PRIORITY) {
		cannot(x, e, "PBS has no such setting");
		return;
	}
	(void)snprintf(object, sizeof(object), "queue %.250s",
		       cluster_text(x->goal, F_QUEUE_NAME, row));
	value_print_double(number_of(x->goal, e->target->field, row), number);
	title(x, PLAN_FIRST, e);
	qmgr(x, object, "Priority", number);
}

/* A stanza with the one line that changes. */
static void lsf_queue(struct other_export *x, const struct edit *e)
{
	bool pool = field_info[e->target->field].table == TABLE_POOL;
	uint32_t row = pool ? whatif_named(x->goal, F_POOL_NAME, e->object) : queue_row(x, e);
	char number[VALUE_DOUBLE_MAX];

	if (row == ROW_NONE) {
		cannot(x, e, "there is no such queue or pool");
		return;
	}
	value_print_double(number_of(x->goal, e->target->field, row), number);
	title(x, PLAN_CONF, e);
	if (pool)
		plan_comment(&x->plan, PLAN_CONF, "lsb.queues, each queue with SLOT_POOL = %s:",
			     cluster_text(x->goal, F_POOL_NAME, row));
	else
		plan_comment(&x->plan, PLAN_CONF, "lsb.queues, in the section of QUEUE_NAME = %s:",
			     cluster_text(x->goal, F_QUEUE_NAME, row));
	plan_comment(&x->plan, PLAN_CONF, "  %s = %s", e->target->keyword, number);
}

/* ---- LSF ------------------------------------------------------------------------------------ */

static void lsf_param(struct other_export *x, const struct edit *e)
{
	const struct policy_param *p = &policy_params[e->param];
	char value[POLICY_LIST_MAX];

	if (p->scheduler != POLICY_OF_LSF) {
		cannot(x, e, "LSF has no such parameter");
		return;
	}
	policy_value_text(cluster_policy(x->goal), e->param, value, sizeof(value));
	title(x, PLAN_CONF, e);
	plan_comment(&x->plan, PLAN_CONF, "lsb.params, in the section Parameters:");
	plan_comment(&x->plan, PLAN_CONF, "  %s = %s", p->name, value);
}

/*
 * The pair of USER_SHARES: of the queue's FAIRSHARE, or of the group's line in lsb.users. Users
 * that are not named there have the shares of "default" or of NAME@.
 */
static void lsf_shares(struct other_export *x, const struct edit *e)
{
	struct whatif_entry copy = { .edit = *e };
	uint32_t row = whatif_assoc(&copy, x->base, x->goal), above, shares;
	const char *name, *parent, *list = NULL;

	if (row == ROW_NONE || row == 0 || cluster_parent(x->goal)[row] == 0) {
		cannot(x, e, "there is no such share account");
		return;
	}
	above = cluster_parent(x->goal)[row];
	shares = cluster_u32(x->goal, F_ASSOC_SHARES, row);
	name = cluster_text(x->goal, cluster_is_user(x->goal, row) ? F_ASSOC_USER : F_ASSOC_ACCOUNT,
			    row);
	parent = cluster_text(x->goal, F_ASSOC_ACCOUNT, above);
	if (cluster_parent(x->goal)[above] == 0)
		list = lsf_queue_param(x->goal, lsf_queue_of(x->goal, row), "FAIRSHARE");
	if (shares >= U32_UNKNOWN || shares == SHARES_PARENT || !name || !parent) {
		cannot(x, e, "USER_SHARES holds numbers only");
		return;
	}
	title(x, PLAN_CONF, e);
	if (cluster_parent(x->goal)[above] == 0)
		plan_comment(&x->plan, PLAN_CONF,
			     "lsb.queues, in the section of QUEUE_NAME = %s, in "
			     "FAIRSHARE = USER_SHARES[...]:",
			     parent);
	else
		plan_comment(&x->plan, PLAN_CONF,
			     "lsb.users, section UserGroup, in USER_SHARES of the "
			     "group %s:",
			     parent);
	plan_comment(&x->plan, PLAN_CONF, "  [%s, %u]", name, (unsigned)shares);
	if (list && !strstr(list, name))
		plan_comment(&x->plan, PLAN_CONF, "  (not named there yet: it has the shares of "
			     "default or of a group's members)");
}

static void export_one(struct other_export *x, const struct edit *e, bool lsf)
{
	bool queue = e->target->object == EDIT_OF_QUEUE || e->target->object == EDIT_OF_POOL;

	if (lsf && queue)
		lsf_queue(x, e);
	else if (lsf && e->target->id == EDIT_PARAM)
		lsf_param(x, e);
	else if (lsf && e->target->id == EDIT_SHARES)
		lsf_shares(x, e);
	else if (lsf)
		cannot(x, e, "LSF has no such setting");
	else if (queue)
		pbs_queue(x, e);
	else if (e->target->id == EDIT_PARAM)
		pbs_param(x, e);
	else if (e->target->id == EDIT_SHARES)
		pbs_shares(x, e);
	else if (e->target->id == EDIT_USAGE)
		pbs_usage(x, e);
	else
		cannot(x, e, "PBS has no such setting");
}

static bool export_other(const struct whatif *w, const struct cluster *base,
			 const struct cluster *edited, const struct export_options *options,
			 bool lsf, struct sink out, struct err *err)
{
	static const char *const reconfigure[] = { "badmin", "reconfig" };
	struct other_export x = { .w = w, .base = base, .inverse = options->inverse,
				  .goal = options->inverse ? base : edited };
	bool ok;

	for (uint32_t i = 0; i < w->count; i++) {
		if (is_last(w, i))
			export_one(&x, &w->entries[i].edit, lsf);
	}
	if (lsf && x.plan.count > 0)
		plan_command(&x.plan, PLAN_FIRST, reconfigure, 2);
	ok = plan_write(&x.plan, base, options, out, err);
	plan_free(&x.plan);
	return ok;
}

bool export_pbs(const struct whatif *w, const struct cluster *base, const struct cluster *edited,
		const struct export_options *options, struct sink out, struct err *err)
{
	return export_other(w, base, edited, options, false, out, err);
}

bool export_lsf(const struct whatif *w, const struct cluster *base, const struct cluster *edited,
		const struct export_options *options, struct sink out, struct err *err)
{
	return export_other(w, base, edited, options, true, out, err);
}
