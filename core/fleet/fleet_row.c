/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/fleet/fleet_row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/verify/verify.h"

#define LITTLE 0.01	/* of all usage: an account with less does not count as over-served */

/* ---- facts ---------------------------------------------------------------------------------- */

/* How much of its share ROW has used: R, or if unknown the inverse of Level FS. */
static double fleet_served(const struct fs_result *fs, uint32_t row)
{
	return fs->level_fs ? 1 / fs->level_fs[row] : fs_ratio(fs, row);
}

static void set_extreme(struct fleet_extreme *e, const char *name, double ratio)
{
	snprintf(e->name, sizeof(e->name), "%s", name);
	e->ratio = ratio;
}

static void find_extremes(const struct model *m, struct fleet_facts *f)
{
	const struct cluster *c = m->cluster;
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	double most_used = 0;

	f->under.ratio = f->over.ratio = F64_UNKNOWN;
	for (uint32_t i = 1; i < n; i++) {
		const char *name = cluster_text(c, F_ASSOC_ACCOUNT, i);
		double ratio = fleet_served(m->fs, i), used = F64_UNKNOWN;
		bool waits = !m->pending || m->pending[i] > 0;

		if (cluster_is_user(c, i) || !name || !f64_known(ratio))
			continue;
		if (m->fs->norm_usage)
			used = m->fs->norm_usage[i];
		if (waits && ratio < 1 && !(ratio >= f->under.ratio))
			set_extreme(&f->under, name, ratio);
		if (ratio > 1 && used >= LITTLE &&
		    (!(ratio <= f->over.ratio) || (ratio >= f->over.ratio && used > most_used))) {
			set_extreme(&f->over, name, ratio);
			most_used = used;
		}
	}
}

static int fleet_to_name(const void *name, const void *account)
{
	return strcmp(name, ((const struct fleet_account *)account)->name);
}

static int fleet_by_name(const void *a, const void *b)
{
	return fleet_to_name(((const struct fleet_account *)a)->name, b);
}

static double fleet_at(const double *values, uint32_t row)
{
	return values ? values[row] : F64_UNKNOWN;
}

static void keep_accounts(const struct model *m, struct fleet_facts *f)
{
	const struct cluster *c = m->cluster;
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	f->accounts = mem_alloc(n + 1, sizeof(*f->accounts));
	for (uint32_t i = 1; i < n; i++) {
		const char *name = cluster_text(c, F_ASSOC_ACCOUNT, i);

		if (cluster_is_user(c, i) || !name)
			continue;
		f->accounts[f->account_count++] = (struct fleet_account){
			.name = mem_strdup(name), .share = fleet_at(m->fs->norm_shares, i),
			.ratio = fleet_served(m->fs, i), .factor = fleet_at(m->fs->fairshare, i),
			.waiting = m->pending ? m->pending[i] : U32_UNKNOWN,
		};
	}
	qsort(f->accounts, f->account_count, sizeof(*f->accounts), fleet_by_name);
	for (size_t i = 1; i < f->account_count; i++) {
		if (strcmp(f->accounts[i - 1].name, f->accounts[i].name) == 0)
			f->accounts[i - 1].ambiguous = f->accounts[i].ambiguous = true;
	}
}

struct fleet_facts *fleet_facts_new(const struct model *m)
{
	const struct model_options options = MODEL_OPTIONS_DEFAULT;
	const struct cluster_meta *meta = cluster_meta(m->cluster);
	struct fleet_facts *f = mem_zalloc(1, sizeof(*f));
	struct verify *v = verify_run(m->cluster, &options);

	snprintf(f->name, sizeof(f->name), "%s", meta->name);
	snprintf(f->kind, sizeof(f->kind), "%s", meta->kind);
	f->time = meta->time;
	f->summary = summary_of(m);
	f->verify = v->exit_code;
	verify_free(v);
	find_extremes(m, f);
	keep_accounts(m, f);
	return f;
}

void fleet_facts_free(struct fleet_facts *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->account_count; i++)
		mem_free(f->accounts[i].name);
	mem_free(f->accounts);
	mem_free(f);
}

const struct fleet_account *fleet_account(const struct fleet_facts *f, const char *name)
{
	const struct fleet_account *found = NULL;

	if (f)
		found = bsearch(name, f->accounts, f->account_count, sizeof(*found), fleet_to_name);
	return found && !found->ambiguous ? found : NULL;
}

/* ---- rows ----------------------------------------------------------------------------------- */

const char *const fleet_health_words[] = {
	[FLEET_ASKING] = "asking", [FLEET_GOOD] = "good", [FLEET_OLD] = "old",
	[FLEET_DEAD] = "no answer",
};

const char *fleet_row_name(const struct fleet_row *r)
{
	if (r->name[0])
		return r->name;
	return r->facts && r->facts->name[0] ? r->facts->name : r->source;
}

/* SHARED: other clusters have the same name. */
static void fleet_put_title(bool shared, const char *name, const char *source, char *buf,
			    size_t size)
{
	if (shared)
		snprintf(buf, size, "%s (%s)", name, source);
	else
		snprintf(buf, size, "%s", name);
}

void fleet_row_title(const struct fleet_row *r, char *buf, size_t size)
{
	fleet_put_title(r->shared, fleet_row_name(r), r->source, buf, size);
}

void fleet_rows_compare(struct fleet_row *rows, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		rows[i].shared = false;
		for (uint32_t k = 0; k < i; k++) {
			if (strcmp(fleet_row_name(&rows[i]), fleet_row_name(&rows[k])) == 0)
				rows[i].shared = rows[k].shared = true;
		}
	}
}

void fleet_title(const char *const *names, size_t count, size_t i, const char *source, char *buf,
		 size_t size)
{
	const char *name = names[i];
	bool shared = false;

	if (!name || !name[0]) {
		snprintf(buf, size, "%s", source);
		return;
	}
	for (size_t k = 0; k < count; k++)
		shared = shared || (k != i && names[k] && strcmp(names[k], name) == 0);
	fleet_put_title(shared, name, source, buf, size);
}

void fleet_row_take(struct fleet_row *r, struct fleet_facts *facts)
{
	uint32_t waiting;

	if (facts) {
		fleet_facts_free(r->facts);
		r->facts = facts;
	}
	if (!r->facts)
		return;
	if (r->queue_count == FLEET_QUEUE)
		memmove(r->queue, r->queue + 1, --r->queue_count * sizeof(r->queue[0]));
	waiting = r->facts->summary.pending;
	r->queue[r->queue_count++] = waiting == U32_UNKNOWN ? NAN : (float)waiting;
}

static const struct fleet_row *fleet_row_of(const struct position *pos)
{
	return &((const struct fleet_row *)pos->context)[pos->row];
}

static void fleet_get_name(const struct position *pos, struct value *out)
{
	fleet_row_title(fleet_row_of(pos), out->buffer, sizeof(out->buffer));
	value_set_text(out, out->buffer);
}

static void get_source(const struct position *pos, struct value *out)
{
	value_set_text(out, fleet_row_of(pos)->source);
}

static void get_kind(const struct position *pos, struct value *out)
{
	if (fleet_row_of(pos)->facts)
		value_set_text(out, fleet_row_of(pos)->facts->kind);
}

static void get_health(const struct position *pos, struct value *out)
{
	value_set_text(out, fleet_health_words[fleet_row_of(pos)->health]);
}

static void fleet_get_age(const struct position *pos, struct value *out)
{
	value_set_int(out, fleet_row_of(pos)->age);
}

/* The number at an offset in the summary. */
static void fleet_get_count(const struct position *pos, struct value *out)
{
	const struct fleet_row *r = fleet_row_of(pos);

	if (r->facts)
		value_set_count(out, *(const uint32_t *)POSITION_MEMBER(pos, &r->facts->summary));
}

static void get_cpus(const struct position *pos, struct value *out)
{
	const struct fleet_row *r = fleet_row_of(pos);

	if (r->facts)
		value_set_whole(out, *(const double *)POSITION_MEMBER(pos, &r->facts->summary));
}

static void get_in_use(const struct position *pos, struct value *out)
{
	const struct fleet_row *r = fleet_row_of(pos);

	if (r->facts && r->facts->summary.cpus > 0)
		value_set_real(out, 100 * r->facts->summary.cpus_used / r->facts->summary.cpus);
}

static const struct fleet_extreme *extreme_of(const struct position *pos)
{
	const struct fleet_row *r = fleet_row_of(pos);

	return r->facts ? POSITION_MEMBER(pos, r->facts) : NULL;
}

static void get_extreme(const struct position *pos, struct value *out)
{
	const struct fleet_extreme *e = extreme_of(pos);

	if (e)
		value_set_text(out, e->name);
}

static void get_extreme_ratio(const struct position *pos, struct value *out)
{
	const struct fleet_extreme *e = extreme_of(pos);

	if (e && e->name[0])
		value_set_real(out, e->ratio);
}

static void get_verify(const struct position *pos, struct value *out)
{
	const struct fleet_row *r = fleet_row_of(pos);

	if (r->facts)
		value_set_text(out, verify_word(r->facts->verify));
}

static void get_alarms(const struct position *pos, struct value *out)
{
	const struct fleet_row *r = fleet_row_of(pos);

	if (r->watched)
		value_set_count(out, r->alarms);
}

static void get_note(const struct position *pos, struct value *out)
{
	const struct fleet_row *r = fleet_row_of(pos);

	value_set_text(out, r->problem[0] ? r->problem : r->alarm);
}

static void get_account(const struct position *pos, struct value *out)
{
	const struct fleet_row *r = fleet_row_of(pos);

	if (r->account)
		value_set_real(out, *(const double *)POSITION_MEMBER(pos, r->account));
}

static void get_account_waiting(const struct position *pos, struct value *out)
{
	const struct fleet_row *r = fleet_row_of(pos);

	if (r->account)
		value_set_count(out, r->account->waiting);
}

#define ANY UINT32_MAX
#define OF_SUMMARY(member) .which = offsetof(struct summary, member)
#define EXTREME(member, how) .which = offsetof(struct fleet_facts, member), .drawn = how
#define OF_ACCOUNT(member) .which = offsetof(struct fleet_account, member)
#define NONE .changes.none = true

const struct column fleet_columns[] = {
	{ .name = "cluster", .title = "Cluster", .width = 24, .keep = 255, .left = true,
	  .only = ANY, .get = fleet_get_name, NONE,
	  .legend = "cluster name in fairtop.conf, otherwise the cluster's own name" },
	{ .name = "source", .title = "Source", .width = 44, .keep = 40, .left = true, .only = ANY,
	  .get = get_source, .drawn = DRAWN_SOURCE, NONE, .legend = "where it is read from" },
	{ .name = "kind", .title = "Kind", .width = 6, .keep = 10, .left = true, .get = get_kind,
	  NONE, .legend = "its scheduler" },
	{ .name = "health", .title = "Health", .width = 9, .keep = 110, .left = true, .only = ANY,
	  .get = get_health, .drawn = DRAWN_HEALTH, NONE,
	  .legend = "good; asking: no answer yet; old: last known data; no answer: never" },
	{ .name = "age", .title = "Age", .format = COLUMN_DURATION, .unit = UNIT_SECONDS,
	  .width = 8, .keep = 160, .only = ANY, .get = fleet_get_age, .drawn = DRAWN_AGE, NONE,
	  .legend = "age of the data in the row" },
	{ .name = "running", .title = "Running", .width = 7, .keep = 130, .only = ANY,
	  .get = fleet_get_count, OF_SUMMARY(running), NONE, .legend = "running jobs" },
	{ .name = "waiting", .title = "Waiting", .width = 7, .keep = 180, .only = ANY,
	  .get = fleet_get_count, OF_SUMMARY(pending), NONE,
	  .legend = "pending jobs, counting every array task" },
	{ .name = "cpu_use", .title = "CPU%", .format = COLUMN_RATIO, .width = 5, .decimals = 1,
	  .keep = 140, .only = ANY, .get = get_in_use, NONE,
	  .legend = "CPUs in use, in percent of all (LSF: slots)" },
	{ .name = "cpus_used", .title = "In use", .width = 7, .keep = 20, .get = get_cpus,
	  OF_SUMMARY(cpus_used), NONE, .legend = "CPUs in use (LSF: slots)" },
	{ .name = "cpus", .title = "CPUs", .width = 7, .keep = 21, .get = get_cpus,
	  OF_SUMMARY(cpus), NONE, .legend = "CPUs of all nodes (LSF: slots)" },
	{ .name = "worst_served", .title = "Worst-served", .width = 12, .keep = 125, .left = true,
	  .only = ANY, .get = get_extreme, EXTREME(under, DRAWN_UNDER), NONE,
	  .legend = "the most under-served account of those with pending jobs" },
	{ .name = "worst_ratio", .title = "R worst", .format = COLUMN_RATIO, .width = 7,
	  .decimals = 2, .keep = 118, .only = ANY, .get = get_extreme_ratio,
	  EXTREME(under, DRAWN_UNDER), NONE,
	  .legend = "how much of its share the most under-served account has used" },
	{ .name = "over_served", .title = "Over-served", .width = 12, .keep = 150, .left = true,
	  .only = ANY, .get = get_extreme, EXTREME(over, DRAWN_OVER), NONE,
	  .legend = "the most over-served account of those with 1 % of all usage" },
	{ .name = "over_ratio", .title = "R over", .format = COLUMN_RATIO, .width = 7,
	  .decimals = 2, .keep = 122, .only = ANY, .get = get_extreme_ratio,
	  EXTREME(over, DRAWN_OVER), NONE,
	  .legend = "how many times its share the most over-served account has used" },
	{ .name = "alarms", .title = "Alarms", .width = 6, .keep = 170, .only = ANY,
	  .get = get_alarms, .drawn = DRAWN_ALARMS, NONE,
	  .legend = "active alarms; - if there are no rules" },
	{ .name = "verify", .title = "Verify", .width = 14, .keep = 90, .left = true, .only = ANY,
	  .get = get_verify, .drawn = DRAWN_VERIFY, NONE,
	  .legend = "computed and reported values compared, as by fairtop verify" },
	{ .name = "account_share", .title = "S of it", .format = COLUMN_RATIO, .width = 7,
	  .decimals = 4, .keep = 200, .get = get_account, OF_ACCOUNT(share), NONE,
	  .legend = "share of the account selected by :account" },
	{ .name = "account_ratio", .title = "R of it", .format = COLUMN_RATIO, .width = 7,
	  .decimals = 2, .keep = 201, .get = get_account, OF_ACCOUNT(ratio), NONE,
	  .legend = "how much of its share it has used" },
	{ .name = "account_fairshare", .title = "F of it", .format = COLUMN_RATIO, .width = 8,
	  .decimals = 6, .keep = 202, .get = get_account, OF_ACCOUNT(factor), NONE,
	  .legend = "its fair-share factor" },
	{ .name = "account_waiting", .title = "Its jobs", .width = 8, .keep = 203,
	  .get = get_account_waiting, NONE, .legend = "its pending jobs" },
	{ .name = "note", .title = "Note", .width = 60, .keep = 30, .left = true, .only = ANY,
	  .get = get_note, .drawn = DRAWN_NOTE, NONE,
	  .legend = "why it does not answer, otherwise the latest alarm" },
};
const size_t fleet_columns_count = sizeof(fleet_columns) / sizeof(fleet_columns[0]);

struct view fleet_view(const struct fleet_row *rows, uint32_t count)
{
	return view_of("clusters", fleet_columns, fleet_columns_count, rows, count);
}
