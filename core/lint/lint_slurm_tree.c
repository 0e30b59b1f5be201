/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of accounts, QOS and partitions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/lint/lint_slurm_private.h"
#include "core/cluster/tres.h"

/* More than nine tenths? Compared without rounding. */
static bool dominates(double part, double whole)
{
	return 10 * part > 9 * whole;
}

/* An edit of the shares of ROW. */
static void suggest_shares(struct lint_item *item, const struct cluster *c, uint32_t row,
			   double shares)
{
	char path[sizeof(item->object)], name[sizeof(item->suggestion)];

	if (cluster_path(c, row, path, sizeof(path)) < sizeof(path))
		lint_suggest(item, "shares:%s = %.0f",
			     lint_name(path, true, name, sizeof(name)), shares);
}

static struct lint_item *about(struct lint *l, const char *code, const struct cluster *c,
			       uint32_t row)
{
	struct lint_item *item = lint_add(l, LINT_WARNING, code, NULL, 0);
	char path[sizeof(item->object)];

	cluster_path(c, row, path, sizeof(path));
	lint_object(item, "%s", path);
	return item;
}

static void check_shares(struct lint *l, const struct model *m, uint32_t row)
{
	const struct cluster *c = m->cluster;
	double usage = cluster_f64(c, F_ASSOC_USAGE, row);
	double f = m->fs->fairshare ? m->fs->fairshare[row] : F64_UNKNOWN;
	uint32_t others = 0;
	struct lint_item *item;
	char used[32];

	if (m->tree->shares[row] != 0)
		return;
	if (!(usage > 0) && !(m->tree->is_user[row] && fs_level_shares(m->tree, row, &others)))
		return;
	item = about(l, usage > 0 ? "S11" : "S13", c, row);
	if (f64_known(f))
		lint_message(item, "F is %.4g: ", f);
	(void)format_si(usage, 2, used, sizeof(used));
	if (usage > 0)
		lint_message_more(item, "no shares, but usage of %s TRES-s, which counts for its "
				  "account", used);
	else
		lint_message_more(item, "no shares; its siblings have %u", (unsigned)others);
	lint_source(item, "sacctmgr(1), Fairshare");
	suggest_shares(item, c, row, 1);
}

static void check_parent(struct lint *l, const struct model *m, uint32_t row)
{
	uint32_t above = cluster_parent(m->cluster)[row];
	struct lint_item *item;

	if (above == ROW_NONE || m->tree->is_user[row] || m->tree->shares[row] != SHARES_PARENT ||
	    m->tree->shares[above] != SHARES_PARENT)
		return;
	item = about(l, "S12", m->cluster, row);
	lint_message(item, "fairshare=parent below an account with fairshare=parent: both levels "
		     "vanish, its children compete two levels higher");
	lint_source(item, "sacctmgr(1), Fairshare=parent");
	suggest_shares(item, m->cluster, row, 1);
}

/* Of the first level, by shares and by usage. */
static void check_dominant(struct lint *l, const struct model *m)
{
	const struct cluster *c = m->cluster;
	uint32_t n = m->tree->n, siblings = n > 0 ? m->tree->family_first[1] : 0;
	double all = n > 0 ? cluster_f64(c, F_ASSOC_USAGE, 0) : 0;

	for (uint32_t i = 0; siblings > 1 && i < siblings; i++) {
		uint32_t row = m->tree->members[i], level;
		double usage = cluster_f64(c, F_ASSOC_USAGE, row);
		bool shares = m->tree->shares[row] != SHARES_PARENT &&
			      fs_level_shares(m->tree, row, &level) &&
			      dominates(m->tree->shares[row], level);
		struct lint_item *item;

		if (!shares && !dominates(usage, all))
			continue;
		item = about(l, "S17", c, row);
		lint_source(item, LINT_PRIORITY);
		if (!shares) {
			lint_message(item, "has %.0f percent of all usage", 100 * usage / all);
			continue;
		}
		lint_message(item, "has %u of the %u shares of the first level",
			     (unsigned)m->tree->shares[row], (unsigned)level);
		/* The most with which it does not dominate: nine times what the others have. */
		if (level > m->tree->shares[row])
			suggest_shares(item, c, row, 9.0 * (level - m->tree->shares[row]));
	}
}

static void check_qos(struct lint *l, const struct cluster *c)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_QOS); i++) {
		const char *name = cluster_text(c, F_QOS_NAME, i);
		char written[400];
		struct lint_item *item;

		if (cluster_f64(c, F_QOS_USAGE_FACTOR, i) != 0)
			continue;
		item = lint_add(l, LINT_WARNING, "S15", NULL, 0);
		lint_object(item, "qos:%s", name ? name : "");
		lint_message(item, "UsageFactor 0: its jobs are never charged");
		lint_source(item, "sacctmgr(1), UsageFactor");
		lint_suggest(item, "qos:%s.usage_factor = 1",
			     lint_name(name ? name : "", false, written, sizeof(written)));
	}
}

struct weighed {
	const struct cluster *c;
	double sum;
	char unknown[TRES_NAME_MAX];
	char known[300];	/* what is counted and weighs something, as it is written */
};

static bool weigh(void *context, const struct tres_pair *pair, struct err *err)
{
	struct weighed *w = context;
	size_t used = strlen(w->known);

	(void)err;
	w->sum += fabs(pair->value);
	if (cluster_rows(w->c, TABLE_TRES) > 0 &&
	    cluster_find_tres(w->c, pair->name) == ROW_NONE)
		memcpy(w->unknown, pair->name, sizeof(w->unknown));
	else if (pair->value != 0)
		snprintf(w->known + used, sizeof(w->known) - used, "%s%s=%.10g",
			 used > 0 ? "," : "", pair->name, pair->value);
	return true;
}

static void check_partition(struct lint *l, const struct cluster *c, const char *name,
			    const char *text)
{
	struct weighed w = { .c = c };
	struct err err = { .code = ERR_NONE };
	struct lint_item *item;
	bool read = tres_parse_weights(text, weigh, &w, &err);
	char written[400];

	if (read && w.sum > 0 && !w.unknown[0])
		return;
	item = lint_add(l, LINT_WARNING, "S16", NULL, 0);
	lint_object(item, "partition:%s", name);
	lint_source(item, LINT_CONF "TRESBillingWeights");
	lint_suggest(item, "partition:%s.billing_weights = %s",
		     lint_name(name, false, written, sizeof(written)),
		     read && w.known[0] ? w.known : "cpu=1");
	if (!read)
		lint_message(item, "%s", err.message);
	else if (w.sum == 0)
		lint_message(item, "\"%s\" bills nothing: its jobs use no share", text);
	else
		lint_message(item, "\"%s\" weighs \"%s\", which is not counted", text, w.unknown);
}

static void check_billing(struct lint *l, const struct cluster *c)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_PARTITION); i++) {
		const char *text = cluster_text(c, F_PARTITION_BILLING_WEIGHTS, i);
		const char *name = cluster_text(c, F_PARTITION_NAME, i);

		if (text && *text)
			check_partition(l, c, name ? name : "", text);
	}
}

void lint_slurm_tree(const struct model *model, struct lint *l)
{
	for (uint32_t row = 1; row < model->tree->n; row++) {
		check_shares(l, model, row);
		check_parent(l, model, row);
	}
	check_dominant(l, model);
	check_qos(l, model->cluster);
	check_billing(l, model->cluster);
}
