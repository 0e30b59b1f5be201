/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks P1 to P6. Unknown settings are not checked. */
#include "core/lint/lint_pbs.h"

#include <string.h>

#include "core/base/plural.h"
#include "core/queue/job_index.h"
#include "core/queue/pbs_formula.h"
#include "core/queue/pbs_words.h"

#define ADMIN "PBS administrator's guide, "
#define NEVER "Can Never Run"

static uint32_t pending_of(const struct model *m, uint32_t row)
{
	return m->pending && m->pending[row] != U32_UNKNOWN ? m->pending[row] : 0;
}

/* ---- P1, P5: the tree ---------------------------------------------------------------------- */

static void check_entity(struct lint *l, const struct model *m, uint32_t row)
{
	const struct policy *p = cluster_policy(m->cluster);
	struct lint_item *item;

	if (!cluster_is_user(m->cluster, row) || m->fs->norm_shares[row] > 0 ||
	    !f64_known(m->fs->norm_shares[row]) || pending_of(m, row) == 0)
		return;
	item = lint_add(l, LINT_WARNING, "P1", ADMIN "fairshare_enforce_no_shares", "user:%s",
			cluster_text(m->cluster, F_ASSOC_USER, row));
	lint_place(item, "resource_group", 0);
	lint_message(item, "no share of the tree, and %u pending %s: %s", pending_of(m, row),
		     plural(pending_of(m, row), "job", "jobs"),
		     policy_hides(p, "fairshare_enforce_no_shares") ?
		     "if fairshare_enforce_no_shares, which was not read, is set, they never run" :
		     p->fairshare_enforce_no_shares ?
		     "fairshare_enforce_no_shares is set, so they never run" :
		     "they come after all others");
	lint_suggest(item, "give the entity shares in resource_group, or set unknown_shares");
}

static void check_tree(struct lint *l, const struct model *m)
{
	const struct policy *p = cluster_policy(m->cluster);
	bool formula = p->job_sort_formula[0] && strstr(p->job_sort_formula, "fair");
	uint32_t rows = cluster_rows(m->cluster, TABLE_ASSOC), given = 0;
	struct lint_item *item;

	for (uint32_t row = 1; row < rows; row++) {
		check_entity(l, m, row);
		given += cluster_i64(m->cluster, F_ASSOC_CRESGROUP, row) > 1;
	}
	if (given == 0 || formula || policy_hides(p, "fair_share") ||
	    p->fair_share)
		return;
	item = lint_add(l, LINT_WARNING, "P5", ADMIN "fair_share", "fair_share");
	lint_place(item, "sched_config", 0);
	lint_message(item, "False, though resource_group has shares for %u: they do not order jobs",
		     given);
	lint_suggest(item, "fair_share = True");
}

/* ---- P2, P3: jobs and queues --------------------------------------------------------------- */

static void lint_pbs_check_jobs(struct lint *l, const struct cluster *c)
{
	uint32_t count = 0, first = ROW_NONE;
	struct lint_item *item;

	for (uint32_t row = 0; row < cluster_rows(c, TABLE_JOB); row++) {
		const char *comment = cluster_text(c, F_JOB_REASON_TEXT, row);

		if (!comment || strncmp(comment, NEVER, strlen(NEVER)) != 0 ||
		    job_kind_of(c, row) != JOB_PENDING)
			continue;
		first = count++ == 0 ? row : first;
	}
	if (count == 0)
		return;
	item = lint_add(l, LINT_WARNING, "P2", "the scheduler's comment", "job:%s",
			cluster_text(c, F_JOB_JOB_ID, first));
	lint_message(item, "%.200s", cluster_text(c, F_JOB_REASON_TEXT, first));
	if (count > 1)
		lint_message_more(item, "; so %s %u more", plural(count - 1, "does", "do"),
				  count - 1);
	lint_suggest(item, "delete it, or change what it requests (qalter)");
}

static void check_queues(struct lint *l, const struct cluster *c)
{
	for (uint32_t q = 0; q < cluster_rows(c, TABLE_QUEUE); q++) {
		uint32_t name = cluster_text_id(c, F_QUEUE_NAME, q), waiting = 0;
		struct lint_item *item;

		for (uint32_t row = 0; row < cluster_rows(c, TABLE_JOB); row++)
			waiting += cluster_text_id(c, F_JOB_PARTITION, row) == name &&
				   !cluster_text(c, F_JOB_RESERVATION, row) &&
				   job_kind_of(c, row) == JOB_PENDING;
		if (waiting == 0 || cluster_hides_jobs(c) ||
		    cluster_bool(c, F_QUEUE_STARTED, q) != 0)
			continue;
		item = lint_add(l, LINT_WARNING, "P3", "pbs_queue_attributes(7B), started",
				"queue:%s", cluster_text(c, F_QUEUE_NAME, q));
		lint_message(item, "not started: %u %s in it", waiting,
			     plural(waiting, "pending job", "pending jobs"));
		lint_suggest(item, "qmgr -c 'set queue %s started = True'",
			     cluster_text(c, F_QUEUE_NAME, q));
	}
}

/* ---- P4: the formula ----------------------------------------------------------------------- */

static void check_formula(struct lint *l, const struct cluster *c)
{
	const struct policy *p = cluster_policy(c);
	struct err err = { .code = ERR_NONE };
	struct pbs_formula *f;
	struct lint_item *item;

	if (!p->job_sort_formula[0])
		return;
	f = pbs_formula_parse(p->job_sort_formula, &err);
	for (size_t i = 0; f && i < pbs_formula_names(f); i++) {
		const char *name = pbs_formula_name(f, i);
		bool eligible = strcmp(name, "eligible_time") == 0 && !p->eligible_time_enable;

		if (!eligible && !pbs_word_refused(c, name))
			continue;
		item = lint_add(l, LINT_WARNING, "P4", ADMIN "job_sort_formula",
				"job_sort_formula");
		lint_message(item, eligible ? "%s is 0 for every job: eligible_time_enable is off" :
			     "%s: no vnode has and no job requests such a resource, so it is 0 for "
			     "every job", name);
		if (eligible)
			lint_suggest(item, "eligible_time_enable = True");
	}
	if (!f) {
		item = lint_add(l, LINT_WARNING, "P4", ADMIN "job_sort_formula",
				"job_sort_formula");
		lint_message(item, "%.300s", err.message);
	}
	pbs_formula_free(f);
}

/* ---- P6: what pbs_sched refuses ------------------------------------------------------------ */

static void check_params(struct lint *l, const struct policy *p)
{
	struct lint_item *item;

	for (size_t i = 0; i < policy_params_count; i++) {
		char value[POLICY_LIST_MAX], expected[POLICY_EXPECTED_MAX];

		/* Values from qmgr have no line in the file; the decay time is checked below. */
		if (policy_params[i].scheduler != POLICY_OF_PBS || !policy_is_known(p, i) ||
		    policy_qmgr_object(i) || i == policy_param("fairshare_decay_time") ||
		    !policy_refused(p, i, expected, sizeof(expected)))
			continue;
		policy_value_text(p, i, value, sizeof(value));
		item = lint_add(l, LINT_ERROR, "P6", "", "%s", policy_params[i].name);
		lint_place(item, "sched_config", 0);
		if (i == policy_param("fairshare_entity"))
			lint_message(item, "%.100s: pbs_sched reports an error but still charges "
				     "by that attribute, or by egroup:euser for a job without it "
				     "(expected %s)", value, expected);
		else
			lint_message(item, "%.100s: pbs_sched rejects the line and uses its "
				     "default %s (expected %s)", value,
				     policy_params[i].default_value, expected);
		lint_source(item, ADMIN "%s", policy_params[i].name);
		lint_suggest(item, "%s = %s", policy_params[i].name,
			     policy_params[i].default_value);
	}
	if (policy_knows(p, "fairshare_decay_time") &&
	    p->fairshare_decay_time == 0) {
		item = lint_add(l, LINT_ERROR, "P6", ADMIN "fairshare_decay_time",
				"fairshare_decay_time");
		lint_place(item, "sched_config", 0);
		lint_message(item, "0: no time between two decays");
		lint_suggest(item, "fairshare_decay_time = 24:00:00");
	}
}

void lint_pbs(const struct model *model, struct lint *l)
{
	const struct cluster *c = model->cluster;

	if (policy_scheduler_of(cluster_meta(c)->kind) != POLICY_OF_PBS)
		return;
	check_params(l, cluster_policy(c));
	check_tree(l, model);
	check_formula(l, c);
	check_queues(l, c);
	lint_pbs_check_jobs(l, c);
}
