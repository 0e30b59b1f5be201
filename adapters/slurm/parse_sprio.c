/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sprio: the terms of each pending job's priority.
 *
 * The same titles are used for two kinds of numbers: weighted terms, rounded to integers (sprio
 * -l), and factors before weighting with seven decimals (sprio -n). A factor is recognised by its
 * decimal point. If both are known, the factor times its weight is kept if it rounds to the integer
 * shown. A table has up to three columns PARTITION: the name is before PRIORITY, the terms are
 * after it.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adapters/slurm/text_reader.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/word.h"

/* sprio cuts the list of TRES to this many characters by default. */
#define TRES_WIDTH 20

struct sprio {
	struct slurm_reader *r;
	struct text_table table;
	uint32_t headers;		/* the columns below are those of the last header */
	size_t id, name, user, account, qos_name, priority, site, nice, tres[2];
	size_t term[PRIO_FACTORS][2];	/* a title may occur twice: terms and factors */
	double weight[PRIO_FACTORS];	/* NaN unknown */
	bool weight_tres_known;
	bool weighs[PRIO_FACTORS];	/* some term is not 0, so its weight is not */
	bool alone;			/* saved outputs without another list of jobs */
	uint32_t last;			/* row of the last record */
};

static double sprio_weight_of(const struct policy *policy, const char *parameter)
{
	size_t i = policy_param(parameter);

	return policy_is_known(policy, i) ? (double)policy_number(policy, i) : F64_UNKNOWN;
}

static void sprio_open_columns(struct sprio *s)
{
	const struct policy *policy = builder_policy(s->r->b);
	const struct text_table *t = &s->table;
	size_t weight_tres = policy_param("PriorityWeightTRES");

	s->headers = t->headers;
	s->last = ROW_NONE;
	s->id = table_column(t, "JOBID", 0);
	s->user = table_column(t, "USER", 0);
	s->account = table_column(t, "ACCOUNT", 0);
	s->qos_name = table_column(t, "QOSNAME", 0);
	s->priority = table_column(t, "PRIORITY", 0);
	s->site = table_column(t, "SITE", 0);
	s->nice = table_column(t, "NICE", 0);
	s->tres[0] = table_column(t, "TRES", 0);
	s->tres[1] = table_column(t, "TRES", 1);
	s->weight_tres_known = policy_is_known(policy, weight_tres);
	s->name = table_column(t, "PARTITION", 0);
	if (s->name != TABLE_NO_COLUMN && s->priority != TABLE_NO_COLUMN && s->name > s->priority)
		s->name = TABLE_NO_COLUMN;
	for (int i = 0; i < PRIO_FACTORS; i++) {
		bool after_name = i == PRIO_PARTITION && s->name != TABLE_NO_COLUMN;

		for (size_t k = 0; k < 2; k++)
			s->term[i][k] = table_column(t, factor_info[i].title,
						     k + (after_name ? 1 : 0));
		s->weight[i] = sprio_weight_of(policy, factor_info[i].param);
	}
}

static uint64_t prio_hash(uint32_t job, struct slice partition, struct slice qos)
{
	return text_hash(qos.at, qos.length, text_hash(partition.at, partition.length, job));
}

static bool sprio_same_text(struct slurm_reader *r, enum field field, uint32_t row, struct slice s)
{
	const char *text = builder_get_text(r->b, field, row);

	return slice_is(s, text ? text : "");
}

/* The row of a job in a partition and QOS, added when new. */
static uint32_t prio_row(struct slurm_reader *r, uint32_t job, struct slice partition,
			 struct slice qos)
{
	uint64_t hash = prio_hash(job, partition, qos);
	uint32_t row;
	size_t at = 0;

	while ((row = idmap_next(&r->prio, hash, &at)) != ROW_NONE) {
		if (builder_get_u32(r->b, F_PRIO_JOB, row) == job &&
		    sprio_same_text(r, F_PRIO_PARTITION, row, partition) &&
		    sprio_same_text(r, F_PRIO_QOS, row, qos))
			return row;
	}
	row = builder_add(r->b, TABLE_PRIO);
	builder_u32(r->b, F_PRIO_JOB, row, job);
	if (partition.length != 0)
		builder_text(r->b, F_PRIO_PARTITION, row, partition.at, partition.length);
	if (qos.length != 0)
		builder_text(r->b, F_PRIO_QOS, row, qos.at, qos.length);
	idmap_add(&r->prio, hash, row);
	MEM_GROW(r->terms, r->terms_capacity, (size_t)row + 1);
	for (int i = 0; i < PRIO_FACTORS; i++)
		r->terms[row][i] = F64_UNKNOWN;
	return row;
}

static bool has_point(struct slice s)
{
	return s.length > 0 && memchr(s.at, '.', s.length);
}

/* Takes another value of a term. */
static void meet_term(struct sprio *s, double *term, int i, struct slice cell)
{
	double x, exact;

	if (cell.length == 0)
		return;
	if (!slice_f64(cell, &x)) {
		reader_fail(s->r, "%s \"%.*s\": expected a number", factor_info[i].title,
			    SLICE_PRINT(cell));
		return;
	}
	if (!has_point(cell)) {
		if (!f64_known(*term) || fabs(*term - x) > 0.5 + 1e-6)
			*term = x;
		return;
	}
	exact = x * s->weight[i];
	if (!f64_known(exact))
		return;
	/* Both must agree; with a large weight the integer is more exact than 7 decimals. */
	if (!f64_known(*term) ||
	    (s->weight[i] < 1e7 && fabs(exact - *term) <= 0.5 + 1e-7 * s->weight[i]))
		*term = exact;
}

static void sprio_put_terms(struct sprio *s, uint32_t row)
{
	double *known = s->r->terms[row];

	for (int i = 0; i < PRIO_FACTORS; i++) {
		meet_term(s, &known[i], i, table_cell(&s->table, s->term[i][0]));
		meet_term(s, &known[i], i, table_cell(&s->table, s->term[i][1]));
		/* sprio omits terms without a weight. */
		if (!f64_known(known[i]) && s->weight[i] == 0.0)
			known[i] = 0.0;
		if (f64_known(known[i]))
			builder_f64(s->r->b, factor_info[i].term, row, known[i]);
		s->weighs[i] = s->weighs[i] || (f64_known(known[i]) && known[i] != 0);
	}
}

static bool is_tres_cut(const struct sprio *s, struct slice cell)
{
	return s->table.form == TABLE_ALIGNED && cell.length >= TRES_WIDTH;
}

/* Puts the list of terms, not the one of factors; a list that may be cut is unknown. */
static void sprio_put_tres(struct sprio *s, uint32_t row)
{
	static const struct tres_item none;

	for (int i = 0; i < 2; i++) {
		struct slice cell = table_cell(&s->table, s->tres[i]);

		if (s->tres[i] == TABLE_NO_COLUMN || is_tres_cut(s, cell) || has_point(cell))
			continue;
		if (cell.length == 0)
			builder_tres(s->r->b, F_PRIO_TRES, row, &none, 0);
		else
			reader_put_tres(s->r, F_PRIO_TRES, row, cell, 1.0, "TRES");
	}
	if (s->tres[0] == TABLE_NO_COLUMN && s->weight_tres_known &&
	    !builder_policy(s->r->b)->weight_tres[0])
		builder_tres(s->r->b, F_PRIO_TRES, row, &none, 0);
}

/*
 * A directly set priority has no terms: sprio prints zeros and, with -n, a PRIORITY above 1. The
 * formula with only zeros would give 1. This is unknown if a terminal cut columns off: all terms,
 * or NICE, which ends the long table's numbers.
 */
static void put_direct(struct sprio *s, uint32_t row)
{
	struct slice cell = table_cell(&s->table, s->priority);
	struct slice tres = table_cell(&s->table, s->tres[0]);
	bool cut = s->user != TABLE_NO_COLUMN && s->nice == TABLE_NO_COLUMN && !has_point(cell);
	size_t shown = 0;
	double priority, sum = 0.0;

	for (int i = 0; i < PRIO_FACTORS; i++) {
		sum += f64_known(s->r->terms[row][i]) ? fabs(s->r->terms[row][i]) : 0.0;
		shown += f64_known(s->r->terms[row][i]);
	}
	if (cut || shown == 0 || !slice_f64(cell, &priority))
		return;
	if (has_point(cell) && priority <= 1.0)
		priority = 0.0;
	builder_u32(s->r->b, F_PRIO_DIRECT, row,
		    sum == 0.0 && tres.length == 0 && priority > 1.0 && priority < 4294967294.0
			    ? (uint32_t)priority : 0);
}

/* Adds NAME to the list in FIELD, unless it is there. */
static void sprio_add_name(struct slurm_reader *r, enum field field, uint32_t row,
			   struct slice name)
{
	const char *have = builder_get_text(r->b, field, row);
	char both[256];

	if (name.length == 0 || (have && word_listed(have, name.at, name.length)))
		return;
	if ((size_t)snprintf(both, sizeof(both), "%s%s%.*s", have ? have : "", have ? "," : "",
			     SLICE_PRINT(name)) < sizeof(both))
		builder_str(r->b, field, row, both);
}

/*
 * The job of the row; ROW_NONE if other outputs list jobs, but not this one. If none does, the job
 * is added from sprio's table, which shows some fields of pending jobs.
 */
static uint32_t sprio_job_of(struct sprio *s, uint32_t id)
{
	struct slurm_reader *r = s->r;
	const struct slice partition = table_cell(&s->table, s->name);
	const struct slice qos = table_cell(&s->table, s->qos_name);
	uint32_t row = reader_find_job(r, id);

	if (!s->alone)
		return row;
	if (row == ROW_NONE) {
		row = reader_job(r, id);
		reader_put_state(r, row, slice_of("PENDING"));
		reader_put(r, F_JOB_USER, row, table_cell(&s->table, s->user), "USER");
		reader_put(r, F_JOB_ACCOUNT, row, table_cell(&s->table, s->account), "ACCOUNT");
	}
	/* There is a row for each of its partitions and QOS. */
	sprio_add_name(r, F_JOB_PARTITION, row, partition);
	sprio_add_name(r, F_JOB_QOS, row, qos);
	return row;
}

/*
 * The site factor of a job, which no other output has, is part of its priority. Up to 18.08 it did
 * not exist: the long table, which has NICE, has no SITE then.
 */
static void put_site(struct sprio *s, uint32_t job, uint32_t row)
{
	struct slice cell = table_cell(&s->table, s->nice);
	int64_t site = 0, nice;

	if (slice_i64(cell, &nice)) {
		builder_i64(s->r->b, F_PRIO_NICE, row, nice);
		if (job != ROW_NONE && builder_get_i64(s->r->b, F_JOB_NICE, job) == I64_UNKNOWN)
			builder_i64(s->r->b, F_JOB_NICE, job, nice);
	} else {
		reader_put(s->r, F_PRIO_NICE, row, cell, "NICE");
	}
	if (!slice_i64(table_cell(&s->table, s->site), &site) &&
	    (s->site != TABLE_NO_COLUMN || s->nice == TABLE_NO_COLUMN))
		return;
	builder_i64(s->r->b, F_PRIO_SITE, row, site);
	if (job != ROW_NONE)
		builder_i64(s->r->b, F_JOB_SITE, job, site);
}

static void sprio_read_row(struct sprio *s)
{
	struct slurm_reader *r = s->r;
	struct slice id = table_cell(&s->table, s->id);
	uint32_t job, row, priority;

	if (slice_is(id, "Weights"))
		return;
	if (!slice_u32(id, &job)) {
		reader_fail(r, "JOBID \"%.*s\": expected a number", SLICE_PRINT(id));
		return;
	}
	row = prio_row(r, job, table_cell(&s->table, s->name), table_cell(&s->table, s->qos_name));
	if (row == s->last) {
		/* The job has several QOS, and no column names this one. */
		builder_f64(r->b, F_PRIO_QOS_TERM, row, F64_UNKNOWN);
		return;
	}
	s->last = row;
	/* With -n it is a fraction, with a decimal point. */
	if (slice_u32(table_cell(&s->table, s->priority), &priority))
		builder_u32(r->b, F_PRIO_PRIORITY, row, priority);
	sprio_put_terms(s, row);
	sprio_put_tres(s, row);
	put_direct(s, row);
	put_site(s, sprio_job_of(s, job), row);
}

/* A slurm.conf without a weight for a term in sprio is incomplete. */
static void doubt_defaults(struct sprio *s)
{
	struct policy *policy = builder_policy(s->r->b);

	for (int i = 0; i < PRIO_FACTORS; i++) {
		size_t weight = policy_param(factor_info[i].param);

		if (!s->weighs[i] || policy_is_stated(policy, weight) ||
		    !policy_tells_weights(policy))
			continue;
		policy_forget(policy, weight);
		builder_note(s->r->b, "policy", "%s is unknown: it is in no configuration, but %s "
			     "has its terms", factor_info[i].param, s->r->text->name);
	}
}

/*
 * sprio -w: the weights under the titles of the terms; a list of TRES that may be cut is ignored.
 */
static bool sprio_put_weights(struct sprio *s)
{
	struct slurm_reader *r = s->r;
	struct slice tres = table_cell(&s->table, s->tres[0]), cell;

	if (!slice_is(table_cell(&s->table, s->id), "Weights"))
		return true;
	r->weights = r->text->name;
	for (int i = 0; i < PRIO_FACTORS; i++) {
		cell = table_cell(&s->table, s->term[i][0]);
		if (cell.length > 0 && !reader_put_policy(r, slice_of(factor_info[i].param), cell))
			return false;
	}
	if (tres.length == 0 || !is_tres_cut(s, tres))
		return tres.length == 0 ||
		       reader_put_policy(r, slice_of("PriorityWeightTRES"), tres);
	policy_forget(builder_policy(r->b), policy_param("PriorityWeightTRES"));
	return true;
}

/* The rest of the text is read by slurm_read_sprio(). */
bool slurm_read_weights(struct slurm_reader *r)
{
	struct sprio s = { .r = r };
	enum table_row kind;
	bool good = true;

	if (!table_open(&s.table, r->text, "JOBID", true, r->err))
		return false;
	while (good && (kind = table_next(&s.table, NULL)) != TABLE_END) {
		r->line = s.table.line;
		if (s.headers != s.table.headers)
			sprio_open_columns(&s);
		good = kind != TABLE_ROW || sprio_put_weights(&s);
	}
	r->remark = s.table.remark;
	return good;
}

bool slurm_read_sprio(struct slurm_reader *r)
{
	struct sprio s = { .r = r, .last = ROW_NONE,
			   .alone = r->texts->whole && !slurm_lists_jobs(r->texts) };
	enum table_row kind;
	struct err bad;

	if (!table_open(&s.table, r->text, "JOBID", true, r->err))
		return false;
	r->lenient = true;
	while ((kind = table_next(&s.table, &bad)) != TABLE_END) {
		r->line = s.table.line;
		if (s.headers != s.table.headers)
			sprio_open_columns(&s);
		if (kind == TABLE_ROW)
			sprio_read_row(&s);
		else
			reader_fail(r, "the row does not match the header");
	}
	r->lenient = false;
	r->remark = s.table.remark;
	doubt_defaults(&s);
	return true;
}
