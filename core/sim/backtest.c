/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/backtest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/idmap.h"
#include "core/share/evenness.h"
#include "core/share/model.h"

#define SHORT 10		/* s: the slowdown counts shorter runs as this long */
#define CELLS_MOST 20000000	/* most steps of all groups of a policy */

static const char *const sizes[] = { "1", "2-7", "8-31", "32-127", "128-511", "512+" };
static const uint32_t size_ends[] = { 1, 7, 31, 127, 511, UINT32_MAX };

/* A job as a member of a group of a scope; sorted, the waits of a group ascend. */
struct backtest_member {
	const char *name;		/* interned by the replay: equal names are equal pointers */
	int64_t wait;
	uint32_t job;
};

static const char *backtest_name_of(enum backtest_scope scope, const struct sim_log *t,
				    struct replay *r, uint32_t i)
{
	const struct replay_job *j = replay_job(r, t->source[i]);
	size_t size = 0;

	switch (scope) {
	case BACKTEST_ACCOUNT:
		return replay_account(r, j->assoc);
	case BACKTEST_USER:
		return replay_user(r, j->assoc);
	case BACKTEST_PARTITION:
		return replay_word(r, j->partition);
	case BACKTEST_SIZE:
		while (t->jobs[i].procs > size_ends[size])
			size++;
		return sizes[size];
	default:
		return NULL;
	}
}

static int backtest_by_name(const void *a, const void *b)
{
	const struct backtest_member *x = a, *y = b;

	if (x->name != y->name)
		return (x->name > y->name) - (x->name < y->name);
	return x->wait != y->wait ? (x->wait > y->wait) - (x->wait < y->wait) :
		(x->job > y->job) - (x->job < y->job);
}

/* ---- one group ----------------------------------------------------------------------------- */

/* A sum and its lost low-order part. */
struct exact {
	double sum, lost;
};

static void exact_add(struct exact *e, double x)
{
	double sum = e->sum + x;

	e->lost += fabs(e->sum) >= fabs(x) ? e->sum - sum + x : x - sum + e->sum;
	e->sum = sum;
}

/* The least value of N ascending ones that at least PART of them do not exceed. */
static double backtest_quantile(const struct backtest_member *m, size_t n, double part)
{
	size_t rank = (size_t)ceil(part * (double)n);

	return (double)m[rank > 0 ? rank - 1 : 0].wait;
}

/* Adds PART per second from FROM to TO to the steps of B that these seconds are in. */
static void backtest_spread(const struct backtest *b, double *steps, int64_t from, int64_t to,
			    double part)
{
	for (int64_t at = from, next; at < to; at = next) {
		int64_t step = (at - b->from) / b->step;

		next = b->from + (step + 1) * b->step;
		next = next < to ? next : to;
		steps[step] += part * (double)(next - at);
	}
}

static bool measure_steps(const struct backtest *b, struct backtest_row *row,
			  const struct sim_log *t, const struct backtest_member *m,
			  int64_t makespan, struct err *err)
{
	int64_t steps = (makespan + b->step - 1) / b->step;

	if (steps > CELLS_MOST / ((int64_t)b->count + 1))
		return err_set(err, ERR_INPUT, "%lld steps of %lld s are too many",
			       (long long)steps, (long long)b->step);
	row->steps = (uint32_t)steps;
	row->used = mem_zalloc(row->steps, sizeof(*row->used));
	row->waited = mem_zalloc(row->steps, sizeof(*row->waited));
	for (size_t i = 0; i < row->jobs; i++) {
		const struct sim_job *j = &t->jobs[m[i].job];

		backtest_spread(b, row->used, j->start, sim_end(j), j->procs);
		backtest_spread(b, row->waited, j->submit, j->start, 1);
	}
	return true;
}

static struct backtest_row backtest_measure(const struct sim_log *t,
					    const struct backtest_member *m, size_t n, double work,
					    double room)
{
	struct backtest_row row = { .name = m[0].name, .jobs = (uint32_t)n, .gain = 0,
				    .makespan = F64_UNKNOWN, .jain = F64_UNKNOWN,
				    .promised = F64_UNKNOWN, .time = I64_UNKNOWN,
				    .waiting = F64_UNKNOWN };
	struct exact slowdown = { 0, 0 };
	int64_t wait = 0, run = 0;
	double used = 0;

	for (size_t i = 0; i < n; i++) {
		const struct sim_job *j = &t->jobs[m[i].job];
		int64_t length = sim_length(j);
		double bounded = (double)(m[i].wait + length) /
				 (double)(length > SHORT ? length : SHORT);

		wait += m[i].wait;
		run += length;
		used += (double)length * j->procs;
		exact_add(&slowdown, bounded > 1 ? bounded : 1);
	}
	row.wait_mean = (double)wait / (double)n;
	row.response = (double)(wait + run) / (double)n;
	row.wait_p50 = backtest_quantile(m, n, 0.5);
	row.wait_p95 = backtest_quantile(m, n, 0.95);
	row.slowdown = (slowdown.sum + slowdown.lost) / (double)n;
	row.share = work > 0 ? used / work : F64_UNKNOWN;
	row.utilisation = room > 0 ? used / room : F64_UNKNOWN;
	return row;
}

/* ---- one policy ---------------------------------------------------------------------------- */

int64_t backtest_makespan(const struct sim_log *t)
{
	int64_t last = t->jobs[0].submit;

	for (uint32_t i = 0; i < t->count; i++) {
		int64_t end = sim_end(&t->jobs[i]);

		last = end > last ? end : last;
	}
	return last - t->jobs[0].submit;
}

static double work_of(const struct sim_log *t)
{
	double work = 0;

	for (uint32_t i = 0; i < t->count; i++)
		work += (double)sim_length(&t->jobs[i]) * t->jobs[i].procs;
	return work;
}

static int row_by_work(const void *a, const void *b)
{
	const struct backtest_row *x = a, *y = b;

	if (x->share != y->share)
		return (x->share < y->share) - (x->share > y->share);
	return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

/* Adds the groups of SCOPE, largest usage first. */
static bool add_scope(struct backtest *b, enum backtest_scope scope, const struct sim_log *t,
		      struct replay *r, double work, int64_t makespan, struct err *err)
{
	struct backtest_member *members = mem_alloc(t->count, sizeof(*members));
	size_t begun = b->count;
	bool good = true;

	for (uint32_t i = 0; i < t->count; i++)
		members[i] = (struct backtest_member){ backtest_name_of(scope, t, r, i),
					      t->jobs[i].start - t->jobs[i].submit, i };
	qsort(members, t->count, sizeof(*members), backtest_by_name);
	for (size_t i = 0, n; good && i < t->count; i += n) {
		for (n = 1; i + n < t->count && members[i + n].name == members[i].name;)
			n++;
		MEM_GROW(b->rows, b->capacity, b->count + 1);
		b->rows[b->count] = backtest_measure(t, members + i, n, work,
						     (double)makespan * b->procs);
		good = b->step == 0 || measure_steps(b, &b->rows[b->count], t, members + i,
						     makespan, err);
		b->rows[b->count++].scope = scope;
	}
	qsort(b->rows + begun, b->count - begun, sizeof(*b->rows), row_by_work);
	mem_free(members);
	return good;
}

static double jain_of_users(const struct backtest *b, size_t begun)
{
	double *values = mem_alloc(b->count - begun + 1, sizeof(*values)), jain;
	size_t n = 0;

	for (size_t i = begun; i < b->count; i++) {
		if (b->rows[i].scope == BACKTEST_USER)
			values[n++] = b->rows[i].slowdown;
	}
	jain = jain_index(values, n);
	mem_free(values);
	return jain;
}

static void promise_name(struct backtest *b, const struct idmap *rows, enum backtest_scope scope,
			 const char *name, double shares)
{
	uint64_t hash = text_hash(name, strlen(name), scope);
	uint32_t row;

	for (size_t at = 0; (row = idmap_next(rows, hash, &at)) != ROW_NONE;) {
		double *promised = &b->rows[row].promised;

		if (b->rows[row].scope == scope && strcmp(b->rows[row].name, name) == 0)
			*promised = shares + (f64_known(*promised) ? *promised : 0);
	}
}

/* Sets shares from the tree of C, normalised over all levels as by Slurm's classic algorithm. */
static void backtest_promise(struct backtest *b, size_t begun, const struct cluster *c)
{
	struct model_options options = { FS_CLASSIC, FS_BASE_USAGE, -1 };
	struct err err = { .code = ERR_NONE };
	struct model *m = c ? model_new(c, &options, &err) : NULL;
	struct idmap rows = { .size = 0 };

	for (size_t i = begun; i < b->count; i++) {
		const struct backtest_row *row = &b->rows[i];

		if (row->name)
			idmap_add(&rows, text_hash(row->name, strlen(row->name), row->scope),
				  (uint32_t)i);
	}
	for (uint32_t a = 0; m && a < cluster_rows(c, TABLE_ASSOC); a++) {
		const char *user = cluster_text(c, F_ASSOC_USER, a);
		const char *account = cluster_text(c, F_ASSOC_ACCOUNT, a);
		double shares = m->fs->norm_shares[a];

		if (!user || !account || !f64_known(shares))
			continue;
		promise_name(b, &rows, BACKTEST_USER, user, shares);
		promise_name(b, &rows, BACKTEST_ACCOUNT, account, shares);
	}
	idmap_free(&rows);
	model_free(m);
}

bool backtest_add(struct backtest *b, const char *policy, const struct sim_log *t, struct replay *r,
		  uint32_t procs, const struct cluster *c, struct err *err)
{
	int64_t makespan = backtest_makespan(t);
	double work = work_of(t);
	size_t begun = b->count;
	bool good = true;

	b->from = t->jobs[0].submit;
	b->procs = procs;
	for (unsigned scope = 0; good && scope < BACKTEST_SCOPES; scope++)
		good = add_scope(b, (enum backtest_scope)scope, t, r, work, makespan, err);
	if (!good)
		return false;
	if (begun == 0)
		b->first = b->count;
	b->rows[begun].makespan = (double)makespan;
	b->rows[begun].jain = jain_of_users(b, begun);
	b->steps = b->rows[begun].steps > b->steps ? b->rows[begun].steps : b->steps;
	backtest_promise(b, begun, c);
	for (size_t i = begun; i < b->count; i++) {
		b->rows[i].policy = policy;
		b->rows[i].gain = b->rows[(i - begun) % b->first].wait_mean - b->rows[i].wait_mean;
	}
	return true;
}

struct backtest_row backtest_at(const struct backtest *b, size_t policy, size_t row, uint32_t step)
{
	const struct backtest_row *all = &b->rows[policy * b->first], *of = all + row;
	struct backtest_row at = {
		.policy = of->policy, .scope = of->scope, .name = of->name, .jobs = U32_UNKNOWN,
		.promised = of->promised, .time = b->from + step * b->step,
		.wait_mean = F64_UNKNOWN, .wait_p50 = F64_UNKNOWN, .wait_p95 = F64_UNKNOWN,
		.response = F64_UNKNOWN, .slowdown = F64_UNKNOWN, .share = F64_UNKNOWN,
		.gain = F64_UNKNOWN, .makespan = F64_UNKNOWN, .jain = F64_UNKNOWN,
	};
	double length;

	if (step >= of->steps)		/* this schedule is over */
		return at;
	length = fmin((double)b->step, all->makespan - (double)step * (double)b->step);
	if (all->used[step] > 0)
		at.share = of->used[step] / all->used[step];
	at.utilisation = of->used[step] / ((double)b->procs * length);
	at.waiting = of->waited[step] / length;
	return at;
}

void backtest_free(struct backtest *b)
{
	for (size_t i = 0; i < b->count; i++) {
		mem_free(b->rows[i].used);
		mem_free(b->rows[i].waited);
	}
	mem_free(b->rows);
}
