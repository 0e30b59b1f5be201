/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * qmgr, pbsfs, resource_group and sched_config of PBS; lsb.queues, lsb.users and lsb.params of
 * LSF. Sources: qmgr(8B), pbsfs(8B), pbs_sched(8B); lsb.queues(5), lsb.resources(5).
 */
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/classes/class_rules.h"
#include "core/cluster/sched_view.h"
#include "core/share/lsf_share.h"
#include "core/whatif/export_private.h"
#include "core/base/value.h"
#include "core/whatif/whatif_private.h"

struct other_export {
	const struct cluster *base, *edited, *goal;
	bool inverse;
	bool config, tree;	/* sched_config, resource_group is edited */
	int64_t group;		/* the last number given to a new line of resource_group */
	const char *sched;	/* PBS: another scheduler than the default one is selected; or
				 * NULL */
	struct plan plan;
};

static void export_other_title(struct other_export *x, enum plan_step step, const struct edit *e)
{
	char text[600];

	edit_text(e, text, sizeof(text));
	plan_comment(&x->plan, step, "%s", text);
}

static void export_other_cannot(struct other_export *x, const struct edit *e, const char *why)
{
	export_other_title(x, PLAN_NEVER, e);
	plan_comment(&x->plan, PLAN_NEVER, "not exported: %s", why);
}

/* ---- PBS ----------------------------------------------------------------------------------- */

static void export_other_qmgr(struct other_export *x, const char *object, const char *name,
			      const char *value)
{
	char text[POLICY_LIST_MAX + 200];
	const char *words[] = { "qmgr", "-c", text };

	if (strpbrk(value, "\"\n") || strpbrk(object, "\"\n,"))
		plan_comment(&x->plan, PLAN_FIRST, "not exported: qmgr would split \"%.200s\"",
			     value);
	/* qmgr accepts no empty value: an empty one is unset. */
	else if ((value[0] ? snprintf(text, sizeof(text), "set %s %s = \"%s\"", object, name,
				      value) :
			     snprintf(text, sizeof(text), "unset %s %s", object, name)) <
		 (int)sizeof(text))
		plan_command(&x->plan, PLAN_FIRST, words, 3);
}

/*
 * put FILE KEY LINE. Keeps a copy of FILE the first time; if the line is missing afterwards, undoes
 * everything. The file keeps its inode, owner and mode.
 */
static const char put_function[] =
	"now=$(date +%Y%m%d-%H%M%S)\n"
	"undo()\n"
	"{\n"
	"\techo \"$1 is restored: $2\" >&2\n"
	"\tcat \"$1.$now\" > \"$1\"\n"
	"\texit 1\n"
	"}\n"
	"# put FILE KEY LINE: LINE replaces that of KEY, or is appended; '' only removes KEY\n"
	"put()\n"
	"{\n"
	"\ttest -e \"$1.$now\" || cp -p \"$1\" \"$1.$now\" || exit 1\n"
	"\tkey=$2 line=$3 awk '\n"
	"\t\tfunction put() { if (!done++ && ENVIRON[\"line\"] != \"\") print ENVIRON[\"line\"] }\n"
	"\t\t{ word = $1 }\n"
	"\t\tFILENAME == \"sched_config\" { sub(/:.*/, \"\", word) }\n"
	"\t\tword == ENVIRON[\"key\"] { put(); print \"#\" $0; next }\n"
	"\t\t{ print }\n"
	"\t\tEND { put() }' \"$1\" > \"$1.new\" && cat \"$1.new\" > \"$1\" && rm \"$1.new\" ||\n"
	"\t\tundo \"$1\" \"it could not be written\"\n"
	"\ttest -z \"$3\" || grep -qxF -e \"$3\" \"$1\" || undo \"$1\" \"a line is missing\"\n"
	"}";

/* Writes the paths of the files, and the function that edits them. */
static void begin_files(struct other_export *x)
{
	uint32_t row = sched_row(x->base, sched_shown(x->base));
	const char *dir = row == ROW_NONE ? NULL : cluster_text(x->base, F_SCHED_PRIV, row);
	const char *words[] = { "cd", dir };
	char home[300], own[300];

	if (x->config || x->tree)
		return;
	(void)snprintf(home, sizeof(home), "cd \"$(sed -n s/^PBS_HOME=//p "
		       "\"${PBS_CONF_FILE:-/etc/pbs.conf}\")/sched_priv%s%s\"",
		       x->sched ? "_" : "", x->sched ? x->sched : "");
	(void)snprintf(own, sizeof(own), "pbsfs() { command pbsfs -I %s \"$@\"; }",
		       x->sched ? x->sched : "");
	plan_comment(&x->plan, PLAN_CONF, "as root, on the host of pbs_sched");
	plan_shell(&x->plan, PLAN_CONF, "set -e");
	if (dir && *dir == '/')
		plan_command(&x->plan, PLAN_CONF, words, 2);
	else
		plan_shell(&x->plan, PLAN_CONF, home);
	if (x->sched)
		plan_shell(&x->plan, PLAN_CONF, own);
	plan_shell(&x->plan, PLAN_CONF, put_function);
}

static void export_other_put(struct other_export *x, const char *file, const char *key,
			     const char *line)
{
	const char *words[] = { "put", file, key, line };

	plan_command(&x->plan, PLAN_CONF, words, 4);
}

/* Writes the checks, and the remaining steps. */
static void end_files(struct other_export *x)
{
	if (x->tree)
		plan_shell(&x->plan, PLAN_CONF,
			   "test \"$(pbsfs 2>&1 > /dev/null | wc -l)\" -le \"$bad\" ||\n"
			   "\tundo resource_group \"$(pbsfs 2>&1 > /dev/null)\"");
	if (x->config || x->tree)
		plan_shell(&x->plan, PLAN_CONF,
			   "echo \"in effect after: kill -HUP $(cat sched.lock)\"");
}

/* "NAME: VALUE" in the form of sched_config; one line per key. */
static void config_line(const struct policy *p, size_t param, char *buf, size_t size)
{
	const char *name = policy_params[param].name;
	char value[POLICY_LIST_MAX];

	policy_value_text(p, param, value, sizeof(value));
	buf[0] = '\0';
	if (policy_params[param].type == POLICY_SECONDS) {
		long long s = (long long)policy_number(p, param);

		(void)snprintf(buf, size, "%s: %02lld:%02lld:%02lld", name, s / 3600,
			       s / 60 % 60, s % 60);
		return;
	}
	if (strcmp(name, "job_sort_key") != 0) {
		const char *quote = strpbrk(value, " ,\t") || !value[0] ? "\"" : "";

		(void)snprintf(buf, size, "%s: %s%s%s", name, quote, value, quote);
		return;
	}
	for (const char *at = value; *at; at += *at == ',') {
		size_t n = strcspn(at += strspn(at, " \t"), ",");

		format_append(buf, size, "%s%s: \"%.*s\"", buf[0] ? "\n" : "", name, (int)n, at);
		at += n;
	}
}

static void pbs_config(struct other_export *x, const struct edit *e)
{
	const struct policy *goal = cluster_policy(x->goal);
	char line[POLICY_LIST_MAX + 200] = "";

	if (strpbrk(e->value, "\"\n")) {
		export_other_cannot(x, e, "sched_config would split it");
		return;
	}
	if (policy_is_hidden(cluster_policy(x->base), e->param) && x->inverse) {
		export_other_cannot(x, e, "its previous value could not be read");
		return;
	}
	begin_files(x);
	x->config = true;
	export_other_title(x, PLAN_CONF, e);
	/* Without a line the default applies. */
	if (policy_is_known(goal, e->param))
		config_line(goal, e->param, line, sizeof(line));
	export_other_put(x, "sched_config", policy_params[e->param].name, line);
}

static void pbs_param(struct other_export *x, const struct edit *e)
{
	const struct policy_param *p = &policy_params[e->param];
	const char *object = policy_qmgr_object(e->param);
	char value[POLICY_LIST_MAX], own[200];

	if (p->scheduler != POLICY_OF_PBS) {
		export_other_cannot(x, e, "PBS has no such parameter");
		return;
	}
	if (strncmp(p->name, "equiv_class_", 12) == 0 &&
	    !class_rules_documented(cluster_policy(x->base))) {
		export_other_cannot(x, e, "OpenPBS has no such attribute; it is of an early "
				    "design of PBS");
		return;
	}
	if (!object) {
		pbs_config(x, e);
		return;
	}
	policy_value_text(cluster_policy(x->goal), e->param, value, sizeof(value));
	export_other_title(x, PLAN_FIRST, e);
	if (x->sched && strcmp(object, "sched") == 0) {
		(void)snprintf(own, sizeof(own), "sched %s", x->sched);
		object = own;
	}
	export_other_qmgr(x, object, p->name, value);
}

static const char *export_other_name_of(const struct cluster *c, uint32_t row)
{
	return cluster_text(c, cluster_is_user(c, row) ? F_ASSOC_USER : F_ASSOC_ACCOUNT, row);
}

/* A number that no line of resource_group uses. */
static int64_t free_group(struct other_export *x)
{
	for (uint32_t i = 0; i < cluster_rows(x->goal, TABLE_ASSOC); i++) {
		int64_t group = cluster_i64(x->goal, F_ASSOC_CRESGROUP, i);

		if (group != I64_UNKNOWN && group > x->group)
			x->group = group;
	}
	return ++x->group;
}

/* "NAME cresgroup PARENT shares" for ROW of the goal; "" for entities of the group unknown. */
static bool group_line(struct other_export *x, uint32_t row, char *buf, size_t size)
{
	uint32_t above = cluster_parent(x->goal)[row];
	uint32_t shares = cluster_u32(x->goal, F_ASSOC_SHARES, row);
	int64_t group = cluster_i64(x->goal, F_ASSOC_CRESGROUP, row);
	const char *name = export_other_name_of(x->goal, row),
		   *parent = export_other_name_of(x->goal, above);

	buf[0] = '\0';
	if (above == cluster_by_path(x->goal, "/unknown"))
		return true;
	return name && parent && !strpbrk(name, " \t\n#") && shares < SHARES_PARENT &&
	       snprintf(buf, size, "%s %lld %s %u", name,
			(long long)(group < 0 ? free_group(x) : group), /* or unknown */
			above == 0 ? "root" : parent, (unsigned)shares) < (int)size;
}

static void begin_tree(struct other_export *x, const struct edit *e)
{
	begin_files(x);
	if (!x->tree)
		plan_shell(&x->plan, PLAN_CONF, "bad=$(pbsfs 2>&1 > /dev/null | wc -l)");
	x->tree = true;
	export_other_title(x, PLAN_CONF, e);
}

/* Removes the lines of everything below it, or restores them. */
static void pbs_remove(struct other_export *x, const struct edit *e)
{
	uint32_t row = e->number == 0 ? ROW_NONE : cluster_find_assoc(x->base, e->object, NULL);
	char line[1200];

	if (row == ROW_NONE) {
		export_other_cannot(x, e, "nothing is removed");
		return;
	}
	begin_tree(x, e);
	for (uint32_t i = row; i < row + cluster_span(x->base)[row]; i++) {
		if (x->inverse && !group_line(x, i, line, sizeof(line)))
			export_other_cannot(x, e, "resource_group cannot hold it");
		else
			export_other_put(x, "resource_group", export_other_name_of(x->base, i),
					 x->inverse ? line : "");
	}
}

static double export_other_number_of(const struct cluster *c, enum field field, uint32_t row)
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

/* qalter -p, qhold, qrls: -h has the former holds. */
static void pbs_job(struct other_export *x, const struct edit *e)
{
	uint32_t row = whatif_job(x->goal, e->object);
	const char *id = row == ROW_NONE ? NULL : cluster_text(x->goal, F_JOB_JOB_ID, row);
	const char *holds = row == ROW_NONE ? NULL : cluster_text(x->base, F_JOB_HOLD_TYPES, row);
	char number[VALUE_DOUBLE_MAX];
	bool priority = e->target->field == F_JOB_JOB_PRIORITY;
	bool hold = !priority && cluster_u32(x->goal, F_JOB_PRIORITY, row) == 0;
	const char *words[] = { priority ? "qalter" : hold ? "qhold" : "qrls",
				priority ? "-p" : "-h", number, id };

	if (!id || id[0] < '0' || id[0] > '9') {	/* also excludes options */
		export_other_cannot(x, e, "unknown job");
		return;
	}
	if (priority)
		value_print_double(export_other_number_of(x->goal, F_JOB_JOB_PRIORITY, row),
				   number);
	else
		(void)snprintf(number, sizeof(number), "%.8s",
			       holds && strcmp(holds, "n") != 0 ? holds : "u");
	export_other_title(x, PLAN_FIRST, e);
	plan_comment(&x->plan, PLAN_FIRST, "as its owner; as manager or operator for holds other "
		     "than u");
	plan_command(&x->plan, PLAN_FIRST, words, 4);
}

/* Shares, place or presence of an entity or group. A moved line must follow its new group's. */
static void pbs_tree_edit(struct other_export *x, const struct edit *e)
{
	uint32_t row = cluster_by_path(x->goal, e->object), was, end;
	char line[1200];

	if (row == ROW_NONE) {
		was = cluster_find_assoc(x->base, e->object, NULL);
		row = was == ROW_NONE ? ROW_NONE :
		      cluster_assoc_by_id(x->goal, cluster_u32(x->base, F_ASSOC_ID, was));
	}
	if (row == 0 || (row == ROW_NONE && e->target->id != EDIT_ADD)) {
		export_other_cannot(x, e, "unknown entity");
		return;
	}
	begin_tree(x, e);
	if (row == ROW_NONE) {		/* the inverse of adding it */
		export_other_put(x, "resource_group",
				 export_other_name_of(x->edited,
						      cluster_by_path(x->edited, e->object)), "");
		return;
	}
	end = e->target->id == EDIT_PARENT ? row + cluster_span(x->goal)[row] : row + 1;
	for (uint32_t i = row; i < end; i++) {
		if (!group_line(x, i, line, sizeof(line))) {
			export_other_cannot(x, e, "resource_group cannot hold it");
			return;
		}
		if (e->target->id == EDIT_PARENT)
			export_other_put(x, "resource_group", export_other_name_of(x->goal, i), "");
		if (line[0])
			export_other_put(x, "resource_group", export_other_name_of(x->goal, i),
					 line);
	}
}

static void pbs_usage(struct other_export *x, const struct edit *e)
{
	struct whatif_entry copy = { .edit = *e };
	uint32_t row = whatif_assoc(&copy, x->base, x->goal);
	char number[VALUE_DOUBLE_MAX];
	const char *words[] = { "pbsfs", "-I", x->sched, "-s", NULL, number };
	size_t first = x->sched ? 0 : 2;

	if (row == ROW_NONE || !cluster_is_user(x->goal, row) ||
	    !export_name_is_safe(cluster_text(x->goal, F_ASSOC_USER, row))) {
		export_other_cannot(x, e, "pbsfs can only set the usage of single entities");
		return;
	}
	words[first] = "pbsfs";
	words[4] = cluster_text(x->goal, F_ASSOC_USER, row);
	value_print_double(cluster_f64(x->goal, F_ASSOC_USAGE, row), number);
	export_other_title(x, PLAN_SECOND, e);
	plan_comment(&x->plan, PLAN_SECOND, "in effect with the next cycle, without a signal");
	plan_command(&x->plan, PLAN_SECOND, words + first, 6 - first);
}

/* ---- queues -------------------------------------------------------------------------------- */

/* Is it special neither to qmgr nor to a shell? */
static bool export_other_is_plain(const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-.";

	return name[0] != '-' && name[0] && !name[strspn(name, plain)];
}

/* Row of E's queue, ROW_NONE for an edit of a pool. */
static uint32_t export_other_queue_row(const struct other_export *x, const struct edit *e)
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

static void pbs_queue(struct other_export *x, const struct edit *e)
{
	uint32_t row = export_other_queue_row(x, e);
	char object[300], number[VALUE_DOUBLE_MAX];

	if (row == ROW_NONE || e->target->field != F_QUEUE_PRIORITY) {
		export_other_cannot(x, e, "PBS has no such setting");
		return;
	}
	if (!export_other_is_plain(cluster_text(x->goal, F_QUEUE_NAME, row))) {
		export_other_cannot(x, e,
				    "the name has characters other than letters, digits, _ - .");
		return;
	}
	(void)snprintf(object, sizeof(object), "queue %.250s",
		       cluster_text(x->goal, F_QUEUE_NAME, row));
	value_print_double(export_other_number_of(x->goal, e->target->field, row), number);
	export_other_title(x, PLAN_FIRST, e);
	export_other_qmgr(x, object, "Priority", number);
}

/* A stanza with the one changed line. */
static void lsf_queue(struct other_export *x, const struct edit *e)
{
	bool pool = field_info[e->target->field].table == TABLE_POOL;
	uint32_t row =
		pool ? whatif_named(x->goal, F_POOL_NAME, e->object) : export_other_queue_row(x, e);
	char number[VALUE_DOUBLE_MAX];

	if (row == ROW_NONE) {
		export_other_cannot(x, e, "unknown queue or pool");
		return;
	}
	value_print_double(export_other_number_of(x->goal, e->target->field, row), number);
	export_other_title(x, PLAN_CONF, e);
	if (pool)
		plan_comment(&x->plan, PLAN_CONF, "lsb.queues, each queue with SLOT_POOL = %s:",
			     cluster_text(x->goal, F_POOL_NAME, row));
	else
		plan_comment(&x->plan, PLAN_CONF, "lsb.queues, in the section of QUEUE_NAME = %s:",
			     cluster_text(x->goal, F_QUEUE_NAME, row));
	plan_comment(&x->plan, PLAN_CONF, "  %s = %s", e->target->keyword, number);
}

/* ---- LSF ------------------------------------------------------------------------------------ */

static void export_other_lsf_param(struct other_export *x, const struct edit *e)
{
	const struct policy_param *p = &policy_params[e->param];
	char value[POLICY_LIST_MAX];

	if (p->scheduler != POLICY_OF_LSF) {
		export_other_cannot(x, e, "LSF has no such parameter");
		return;
	}
	policy_value_text(cluster_policy(x->goal), e->param, value, sizeof(value));
	export_other_title(x, PLAN_CONF, e);
	plan_comment(&x->plan, PLAN_CONF, "lsb.params, in the section Parameters:");
	plan_comment(&x->plan, PLAN_CONF, "  %s = %s", p->name, value);
}

/* The shares inside a group are the same in every queue with it; an edit is for one queue. */
static void say_elsewhere(struct other_export *x, uint32_t group, const char *name)
{
	const struct cluster *c = x->goal;
	uint32_t own = lsf_queue_of(c, group);

	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i++) {
		uint32_t queue = lsf_queue_of(c, i);

		if (queue == own || queue == ROW_NONE || cluster_parent(c)[i] == 0 ||
		    cluster_is_user(c, i))
			continue;
		if (strcmp(cluster_text(c, F_ASSOC_ACCOUNT, i), name) == 0)
			plan_comment(&x->plan, PLAN_CONF, "  (it also counts in queue %s, where "
				     "its effect is not computed)",
				     cluster_text(c, F_QUEUE_NAME, queue));
	}
}

/*
 * Writes the pair of USER_SHARES: in the queue's FAIRSHARE, or in the group's line in lsb.users.
 * Users that are not named there have the shares of "default" or of NAME@.
 */
static void lsf_shares(struct other_export *x, const struct edit *e)
{
	struct whatif_entry copy = { .edit = *e };
	uint32_t row = whatif_assoc(&copy, x->base, x->goal), above, shares;
	const char *name, *parent, *list = NULL;

	if (row == ROW_NONE || row == 0 || cluster_parent(x->goal)[row] == 0) {
		export_other_cannot(x, e, "unknown share account");
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
		export_other_cannot(x, e, "USER_SHARES holds numbers only");
		return;
	}
	export_other_title(x, PLAN_CONF, e);
	if (cluster_parent(x->goal)[above] == 0)
		plan_comment(&x->plan, PLAN_CONF,
			     "lsb.queues, in the section of QUEUE_NAME = %s, in "
			     "FAIRSHARE = USER_SHARES[...]:", parent);
	else
		plan_comment(&x->plan, PLAN_CONF,
			     "lsb.users, section UserGroup, in USER_SHARES of the "
			     "group %s:", parent);
	plan_comment(&x->plan, PLAN_CONF, "  [%s, %u]", name, (unsigned)shares);
	if (cluster_parent(x->goal)[above] != 0)
		say_elsewhere(x, above, parent);
	if (list && !strstr(list, name))
		plan_comment(&x->plan, PLAN_CONF, "  (not listed there yet: it has the shares of "
			     "default or of a group's members)");
}

static void export_one(struct other_export *x, const struct edit *e, bool lsf)
{
	bool queue = e->target->object == EDIT_OF_QUEUE || e->target->object == EDIT_OF_POOL;

	if (lsf && queue)
		lsf_queue(x, e);
	else if (lsf && e->target->id == EDIT_PARAM)
		export_other_lsf_param(x, e);
	else if (lsf && e->target->id == EDIT_SHARES)
		lsf_shares(x, e);
	else if (lsf)
		export_other_cannot(x, e, "LSF has no such setting");
	else if (queue)
		pbs_queue(x, e);
	else if (x->sched && !export_other_is_plain(x->sched))
		export_other_cannot(x, e, "the scheduler's name has characters other than "
				    "letters, digits, _ - .");
	else if (e->target->id == EDIT_PARAM)
		pbs_param(x, e);
	else if (e->target->id == EDIT_SHARES || e->target->id == EDIT_PARENT ||
		 e->target->id == EDIT_ADD)
		pbs_tree_edit(x, e);
	else if (e->target->id == EDIT_REMOVE)
		pbs_remove(x, e);
	else if (e->target->object == EDIT_OF_JOB)
		pbs_job(x, e);
	else if (e->target->id == EDIT_USAGE)
		pbs_usage(x, e);
	else
		export_other_cannot(x, e, "PBS has no such setting");
}

static bool export_other(const struct whatif *w, const struct cluster *base,
			 const struct cluster *edited, const struct export_options *options,
			 bool lsf, struct sink out, struct err *err)
{
	static const char *const reconfigure[] = { "badmin", "reconfig" };
	struct other_export x = { .base = base, .edited = edited,
				  .inverse = options->inverse,
				  .goal = options->inverse ? base : edited };
	uint32_t sched = lsf ? SCHED_DEFAULT : sched_shown(base);
	bool ok;

	x.sched = sched == SCHED_DEFAULT ? NULL : sched_name(base, sched);
	for (uint32_t i = 0; i < w->count; i++) {
		if (export_counts(w, i))
			export_one(&x, &w->entries[i].edit, lsf);
	}
	end_files(&x);
	if (lsf && x.plan.count > 0)
		plan_comment(&x.plan, PLAN_FIRST, "as LSF administrator: badmin refuses others, "
			     "who do not own the files");
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
