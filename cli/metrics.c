/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/metrics.h"

#include <stdio.h>
#include <string.h>

#include "config.h"
#include "core/base/mem.h"
#include "core/base/visible.h"
#include "core/queue/job_index.h"
#include "core/share/quota.h"

/* Counts of the jobs of an association and all below it. */
enum load_of { RUNNING_JOBS, RUNNING_CPUS, PENDING_JOBS, PENDING_CPUS,
	       OLDEST_WAIT,	/* seconds; -1: no pending job */
	       LOAD_COUNT };
struct metrics_load {
	double of[LOAD_COUNT];
};

struct metrics_writer {
	const struct metrics *m;
	const struct cluster *c;	/* NULL without an answer */
	struct job_index *jobs;
	struct metrics_load *loads;	/* by association; NULL: the jobs are unknown */
	struct bytes *out;
	uint64_t series;
	const char *prefix;		/* of the metric being written: "account_" */
	bool headed;			/* its HELP is written */
	uint32_t row;
};

/* ---- text ----------------------------------------------------------------------------------- */

static void metrics_put(struct metrics_writer *w, const char *text)
{
	bytes_append(w->out, text, strlen(text));
}

/*
 * Prometheus accepts only UTF-8, and rejects a whole file for one invalid byte or for a series that
 * occurs twice. An invalid byte is written as %XX, which keeps paths distinct.
 */
static void put_escaped(struct metrics_writer *w, const char *s)
{
	char hex[4];
	uint32_t code;
	size_t n;

	for (size_t length = strlen(s); length > 0; s += n, length -= n) {
		n = utf8_decode(s, length, &code);
		if (code == UINT32_MAX) {
			snprintf(hex, sizeof(hex), "%%%02X", (unsigned)(unsigned char)*s);
			metrics_put(w, hex);
		} else if (*s == '\n') {
			metrics_put(w, "\\n");
		} else {
			if (*s == '\\' || *s == '"')
				metrics_put(w, "\\");
			bytes_append(w->out, s, n);
		}
	}
}

static void metrics_put_label(struct metrics_writer *w, const char *before, const char *name,
			      const char *value)
{
	metrics_put(w, before);
	metrics_put(w, name);
	metrics_put(w, "=\"");
	put_escaped(w, value);
	metrics_put(w, "\"");
}

static void metrics_put_number(struct metrics_writer *w, double x)
{
	char text[VALUE_DOUBLE_MAX];

	if (isinf(x)) {
		metrics_put(w, x > 0 ? "+Inf" : "-Inf");
		return;
	}
	value_print_double(x, text);
	metrics_put(w, text);
}

static void metrics_put_head(struct metrics_writer *w, const struct metric *m)
{
	const char *const lines[] = { "# HELP fairtop_", w->prefix, m->name, " ", metric_help(m),
				      "\n# TYPE fairtop_", w->prefix, m->name,
				      m->of == METRIC_OF_WAITS ? " histogram\n" : " gauge\n" };

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		metrics_put(w, lines[i]);
	w->headed = true;
}

struct label {
	const char *name, *value;	/* VALUE NULL or "": none */
};

/* PART: "_bucket" and the like, of a histogram. */
static void sample_part(struct metrics_writer *w, const struct metric *m, const char *part,
			double x, const struct label *labels, size_t count)
{
	struct label cluster = { "cluster", w->c ? cluster_meta(w->c)->name : NULL };
	const char *before = "{";

	if (!f64_known(x))
		return;
	if (!w->headed)
		metrics_put_head(w, m);
	metrics_put(w, "fairtop_");
	metrics_put(w, w->prefix);
	metrics_put(w, m->name);
	metrics_put(w, part);
	for (size_t i = 0; i <= count; i++) {
		const struct label *l = i == 0 ? &cluster : &labels[i - 1];

		if (!l->value || !l->value[0])
			continue;
		metrics_put_label(w, before, l->name, l->value);
		before = ",";
	}
	metrics_put(w, before[0] == ',' ? "} " : " ");
	metrics_put_number(w, x);
	metrics_put(w, "\n");
	w->series++;
}

static void metrics_sample(struct metrics_writer *w, const struct metric *m, double x,
			   const struct label *labels, size_t count)
{
	sample_part(w, m, "", x, labels, count);
}

/* ---- accounts and users --------------------------------------------------------------------- */

/* A sample of the row, with one more label. */
static void row_sample(struct metrics_writer *w, const struct metric *m, double x,
		       const char *name, const char *value)
{
	char room[VALUE_ROOM];

	if (!f64_known(x))
		return;
	metrics_sample(w, m, x, (const struct label[]){
		{ "path", cluster_path_get(w->c, w->row, room) },
		{ "account", cluster_text(w->c, F_ASSOC_ACCOUNT, w->row) },
		{ "user", cluster_text(w->c, F_ASSOC_USER, w->row) },
		{ "partition", cluster_text(w->c, F_ASSOC_PARTITION, w->row) },
		{ name, value } }, 5);
}

static void put_column(struct metrics_writer *w, const struct metric *m)
{
	struct view view = accounts_view(w->m->model);
	const struct column *column = column_find(view.columns, view.column_count, m->column,
						  strlen(m->column));
	struct value v;

	if (!column)		/* belongs to another scheduler */
		return;
	column_get(column, view.context, w->row, &v);
	row_sample(w, m, value_number(&v), "", NULL);
}

static void put_load(struct metrics_writer *w, const struct metric *m)
{
	double x = w->loads ? w->loads[w->row].of[m->which] : F64_UNKNOWN;

	row_sample(w, m, x < 0 ? F64_UNKNOWN : x, "", NULL);
}

/* Schedulers rank only users: an account's rank is that of its first user. */
static void put_rank(struct metrics_writer *w, const struct metric *m)
{
	const uint32_t *rank = w->m->model->fs->rank;
	uint32_t end = w->row + cluster_span(w->c)[w->row], best = U32_UNKNOWN;

	for (uint32_t i = w->row; rank && i < end; i++)
		best = rank[i] < best ? rank[i] : best;
	row_sample(w, m, best == U32_UNKNOWN ? F64_UNKNOWN : best, "", NULL);
}

static void put_recovery(struct metrics_writer *w, const struct metric *m)
{
	row_sample(w, m, w->m->recovery ? w->m->recovery[w->row] : F64_UNKNOWN, "", NULL);
}

struct limits {
	struct metrics_writer *w;
	const struct metric *m;
};

static void metrics_put_limit(void *context, const struct quota *q)
{
	struct limits *l = context;

	row_sample(l->w, l->m, q->used / q->limit, "limit", q->name);
}

static void metrics_put_limits(struct metrics_writer *w, const struct metric *m)
{
	struct limits limits = { w, m };

	quota_list(w->c, w->row, metrics_put_limit, &limits);
}

/* ---- jobs by state -------------------------------------------------------------------------- */

static double metrics_older(double a, double b)
{
	return f64_known(a) && f64_known(b) ? fmax(a, b) : F64_UNKNOWN;
}

static void load_add(struct metrics_load *to, const struct metrics_load *of)
{
	for (size_t i = 0; i < OLDEST_WAIT; i++)
		to->of[i] += of->of[i];
	to->of[OLDEST_WAIT] = metrics_older(to->of[OLDEST_WAIT], of->of[OLDEST_WAIT]);
}

static bool metrics_state_is(const struct cluster *c, uint32_t job, const char *state)
{
	const char *have = cluster_text(c, F_JOB_STATE, job);

	return have && strcmp(have, state) == 0;
}

/* Since it was eligible. */
static double wait_of(const struct cluster *c, uint32_t job)
{
	int64_t since = cluster_i64(c, F_JOB_ELIGIBLE, job), now = cluster_meta(c)->time;

	if (since == I64_UNKNOWN || since == 0)
		since = cluster_i64(c, F_JOB_SUBMIT, job);
	if (since == I64_UNKNOWN || now == I64_UNKNOWN)
		return F64_UNKNOWN;
	return now > since ? (double)(now - since) : 0;
}

/* What entry E adds; running and pending are counted as in the columns of the accounts. */
static struct metrics_load load_entry(const struct job_index *x, uint32_t e)
{
	uint32_t job = x->job[e], cpus = cluster_u32(x->cluster, F_JOB_CPUS, job);
	double each = cpus == U32_UNKNOWN ? F64_UNKNOWN : cpus;
	struct metrics_load load = { .of[OLDEST_WAIT] = -1 };

	if (metrics_state_is(x->cluster, job, "RUNNING")) {
		load.of[RUNNING_JOBS] = 1;
		load.of[RUNNING_CPUS] = each;
	} else if (metrics_state_is(x->cluster, job, "PENDING")) {
		load.of[PENDING_JOBS] = x->tasks[e];
		load.of[PENDING_CPUS] = each * x->tasks[e];
		if (x->kind[e] == JOB_PENDING)
			load.of[OLDEST_WAIT] = wait_of(x->cluster, job);
	}
	return load;
}

static struct metrics_load *loads_new(const struct cluster *c, const struct job_index *x)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	const uint32_t *parent = cluster_parent(c);
	struct metrics_load *loads;

	/* An incomplete job list gives no numbers. */
	if (n == 0 || !cluster_col(c, F_JOB_STATE) || cluster_hides_jobs(c))
		return NULL;
	loads = mem_zalloc(n, sizeof(*loads));
	for (uint32_t i = 0; i < n; i++)
		loads[i].of[OLDEST_WAIT] = -1;
	for (uint32_t e = 0; e < x->n; e++) {
		struct metrics_load load = load_entry(x, e);

		/* A job counts once, even if it has several partitions. */
		if (x->assoc[e] != ROW_NONE && (e == 0 || x->job[e] != x->job[e - 1]))
			load_add(&loads[x->assoc[e]], &load);
	}
	for (uint32_t i = n; i-- > 1;)
		load_add(&loads[parent[i]], &loads[i]);
	return loads;
}

struct metrics_waiting {
	const char *name, *reason; /* interned by the cluster: equal texts are equal pointers */
	double jobs;
};

/* The partition of entry E, or its QOS; NULL if another entry of the job has the same. */
static const char *metrics_name_of(const struct job_index *x, uint32_t e, bool qos)
{
	const uint32_t *rows = qos ? x->qos : x->partition;

	for (uint32_t k = e; k > 0 && x->job[k - 1] == x->job[e]; k--) {
		if (rows[k - 1] == rows[e])
			return NULL;
	}
	if (rows[e] != ROW_NONE)
		return cluster_text(x->cluster, qos ? F_QOS_NAME : F_PARTITION_NAME, rows[e]);
	return cluster_text(x->cluster, qos ? F_JOB_QOS : F_JOB_PARTITION, x->job[e]);
}

/* By partition, or if WHICH by QOS. */
static void metrics_put_waiting(struct metrics_writer *w, const struct metric *m)
{
	const struct job_index *x = w->jobs;
	struct metrics_waiting *all = NULL;
	size_t count = 0, capacity = 0, i;

	for (uint32_t e = 0; e < x->n && !cluster_hides_jobs(w->c); e++) {
		const char *reason = cluster_text(w->c, F_JOB_REASON, x->job[e]), *name;

		name = metrics_state_is(w->c, x->job[e], "PENDING") ?
			       metrics_name_of(x, e, m->which) : NULL;
		if (!name)
			continue;
		for (i = 0; i < count && (all[i].name != name || all[i].reason != reason); i++)
			;
		if (i == count) {
			MEM_GROW(all, capacity, count + 1);
			all[count++] = (struct metrics_waiting){ name, reason, 0 };
		}
		all[i].jobs += x->tasks[e];
	}
	for (i = 0; i < count; i++)
		metrics_sample(w, m, all[i].jobs, (const struct label[]){
			{ m->which ? "qos" : "partition", all[i].name },
			{ "reason", all[i].reason } }, 2);
	mem_free(all);
}

/* By partition, or if WHICH by QOS. */
static void put_waits(struct metrics_writer *w, const struct metric *m)
{
	const struct wait_counts *counts;
	struct label labels[2] = { { m->which ? "qos" : "partition", NULL }, { "le", NULL } };
	size_t count = 0;

	counts = w->m->waits && !cluster_hides_jobs(w->c) ?
		 waits_counts(w->m->waits, &count) : NULL;
	for (size_t i = 0; i < count; i++) {
		double sum = 0;

		if (counts[i].qos != (bool)m->which)
			continue;
		labels[0].value = counts[i].name;
		for (size_t k = 0; k < WAITS_BOUNDS; k++) {
			char bound[VALUE_DOUBLE_MAX] = "+Inf";

			if (!isinf(waits_bounds[k]))
				value_print_double(waits_bounds[k], bound);
			labels[1].value = bound;
			sum += (double)counts[i].counts[k];
			sample_part(w, m, "_bucket", sum, labels, 2);
		}
		sample_part(w, m, "_sum", counts[i].sum, labels, 1);
		sample_part(w, m, "_count", sum, labels, 1);
	}
}

/* ---- the cluster, fairtop -------------------------------------------------------------------- */

static void put_verify(struct metrics_writer *w, const struct metric *m)
{
	if (w->m->verify && w->m->verify->exit_code != ERR_NOTHING)
		metrics_sample(w, m, w->m->verify->exit_code != 0, NULL, 0);
}

static void put_lint(struct metrics_writer *w, const struct metric *m)
{
	size_t errors = w->m->lint ? lint_errors(w->m->lint) : 0;

	if (!w->m->lint)
		return;
	metrics_sample(w, m, (double)errors, &(struct label){ "severity", "error" }, 1);
	metrics_sample(w, m, (double)(w->m->lint->count - errors),
		       &(struct label){ "severity", "warning" }, 1);
}

static void put_up(struct metrics_writer *w, const struct metric *m)
{
	metrics_sample(w, m, w->c != NULL, &(struct label){ "source", w->m->source }, 1);
}

static void put_info(struct metrics_writer *w, const struct metric *m)
{
	const struct cluster_meta *meta = cluster_meta(w->c);

	metrics_sample(w, m, 1, (const struct label[]){
		{ "source", w->m->source }, { "kind", meta->kind }, { "version", meta->version },
		{ "algorithm", w->m->model->algo->name }, { "health", w->m->health } }, 5);
}

static void metrics_put_time(struct metrics_writer *w, const struct metric *m)
{
	int64_t time = cluster_meta(w->c)->time;

	metrics_sample(w, m, time == I64_UNKNOWN ? F64_UNKNOWN : (double)time, NULL, 0);
}

static void metrics_put_notes(struct metrics_writer *w, const struct metric *m)
{
	metrics_sample(w, m, cluster_notes(w->c), NULL, 0);
}

static void put_build(struct metrics_writer *w, const struct metric *m)
{
	metrics_sample(w, m, 1, (const struct label[]){ { "source", w->m->source },
						{ "version", FAIRTOP_VERSION } }, 2);
}

static void put_cpu(struct metrics_writer *w, const struct metric *m)
{
	metrics_sample(w, m, w->m->cpu_seconds, &(struct label){ "source", w->m->source }, 1);
}

static void metrics_put_duration(struct metrics_writer *w, const struct metric *m)
{
	metrics_sample(w, m, w->m->seconds, &(struct label){ "source", w->m->source }, 1);
}

static void put_series(struct metrics_writer *w, const struct metric *m)
{
	metrics_sample(w, m, (double)(w->series + 1),
		       &(struct label){ "source", w->m->source }, 1);
}

/* ---- the table ------------------------------------------------------------------------------ */

#define OF_COLUMN(metric, name) \
	{ metric, NULL, "path account user partition", METRIC_OF_ROW, put_column, name, 0 }
#define OF_LOAD(metric, which, help) \
	{ metric, help, "path account user partition", METRIC_OF_ROW, put_load, NULL, which }

const struct metric metric_table[] = {
	{ "source_up", "1: the source has answered; 0: it has not, and nothing else is reported",
	  "source", METRIC_ALWAYS, put_up, NULL, 0 },
	{ "source_info", "the scheduler, its fair-share algorithm, and how it is read",
	  "source kind version algorithm health", METRIC_OF_CLUSTER, put_info, NULL, 0 },
	{ "source_timestamp_seconds", "time of the cluster's data, Unix time", "",
	  METRIC_OF_CLUSTER, metrics_put_time, NULL, 0 },
	{ "source_notes", "things that the source could not report", "", METRIC_OF_CLUSTER,
	  metrics_put_notes, NULL, 0 },
	OF_COLUMN("shares", "shares"),
	OF_COLUMN("norm_shares", "norm_shares"),
	OF_COLUMN("usage_tres_seconds", "usage"),
	OF_COLUMN("norm_usage", "norm_usage"),
	OF_COLUMN("effective_usage", "effective_usage"),
	OF_COLUMN("effective_ratio", "effective_ratio"),
	OF_COLUMN("fairshare", "fairshare"),
	OF_COLUMN("level_fs", "level_fs"),
	OF_COLUMN("usage_perc", "usage_perc"),
	OF_COLUMN("dynamic_priority", "dynamic_priority"),
	{ "rank", "rank among all users, 1 is served first; for an account, the best rank of its "
	  "users", "path account user partition", METRIC_OF_ROW, put_rank, NULL, 0 },
	OF_LOAD("running_jobs", RUNNING_JOBS, "running jobs"),
	OF_LOAD("running_cpus", RUNNING_CPUS, "CPUs (LSF: slots) of running jobs"),
	OF_LOAD("pending_jobs", PENDING_JOBS, "pending jobs, counting every array task"),
	OF_LOAD("pending_cpus", PENDING_CPUS, "CPUs (LSF: slots) that these jobs request"),
	OF_LOAD("oldest_wait_seconds", OLDEST_WAIT, "how long the job that has waited longest "
		"could have started; without held jobs and jobs that wait for a time or for other "
		"jobs"),
	{ "recovery_seconds", "about how long until the usage is no more than the share (R at most "
	  "1, in Fair Tree LevelFS at least 1) if all users go on as now; 0: it is; infinite: not "
	  "within 20 half-lives", "path account user partition", METRIC_OF_ROW, put_recovery,
	  NULL, 0 },
	{ "limit_used_ratio", "used part of a limit of the association itself; 1: it is full",
	  "path account user partition limit", METRIC_OF_ROW, metrics_put_limits, NULL, 0 },
	{ "partition_pending_jobs", "pending jobs, by partition (PBS and LSF: queue) and reason; a "
	  "job that names several counts in each", "partition reason",
	  METRIC_OF_CLUSTER, metrics_put_waiting, NULL, false },
	{ "qos_pending_jobs", "pending jobs, by QOS and reason; a job that names several counts in "
	  "each", "qos reason", METRIC_OF_CLUSTER, metrics_put_waiting, NULL, true },
	{ "partition_wait_seconds", "wait times of jobs that were seen to start, by partition (PBS "
	  "and LSF: queue): since fairtop metrics --every started, or in the recording",
	  "partition le", METRIC_OF_WAITS, put_waits, NULL, false },
	{ "qos_wait_seconds", "the same by QOS", "qos le", METRIC_OF_WAITS, put_waits, NULL,
	  true },
	{ "verify_differs", "1: computed values differ from those the scheduler reports; 0: they "
	  "are equal; absent while nothing is comparable", "", METRIC_OF_CLUSTER, put_verify,
	  NULL, 0 },
	{ "lint_problems", "problems that lint finds in the configuration", "severity",
	  METRIC_OF_CLUSTER, put_lint, NULL, 0 },
	{ "build_info", "the fairtop that wrote these metrics", "source version", METRIC_ALWAYS,
	  put_build, NULL, 0 },
	{ "answer_cpu_seconds", "CPU time that fairtop and the commands it ran used for this "
	  "answer", "source", METRIC_ALWAYS, put_cpu, NULL, 0 },
	{ "answer_duration_seconds", "how long this answer took", "source", METRIC_ALWAYS,
	  metrics_put_duration, NULL, 0 },
	{ "answer_series", "series of this answer", "source", METRIC_ALWAYS, put_series, NULL, 0 },
};
const size_t metric_count = sizeof(metric_table) / sizeof(metric_table[0]);

const char *metric_help(const struct metric *m)
{
	if (m->help)
		return m->help;
	return accounts_column(m->column)->legend;
}

static void metrics_put_rows(struct metrics_writer *w, const struct metric *m, bool users)
{
	for (uint32_t i = 0; i < w->m->row_count; i++) {
		w->row = w->m->rows[i];
		if (cluster_is_user(w->c, w->row) == users)
			m->put(w, m);
	}
}

/* Writes METRIC of all sources: its HELP once, then each source's samples. */
static void put_metric(struct metrics_writer *all, size_t count, const struct metric *metric,
		       const char *prefix, bool users)
{
	bool headed = false;

	for (size_t i = 0; i < count; i++) {
		struct metrics_writer *w = &all[i];

		if (metric->of != METRIC_ALWAYS && !w->m->model)
			continue;
		w->prefix = prefix;
		w->headed = headed;
		if (metric->of == METRIC_OF_ROW)
			metrics_put_rows(w, metric, users);
		else
			metric->put(w, metric);
		headed = w->headed;
	}
}

uint64_t metrics_write(const struct metrics *all, size_t count, struct bytes *out)
{
	struct metrics_writer *w = mem_zalloc(count, sizeof(*w));
	uint64_t series = 0;

	for (size_t i = 0; i < count; i++) {
		w[i] = (struct metrics_writer){ .m = &all[i], .out = out };
		if (!all[i].model)
			continue;
		w[i].c = all[i].model->cluster;
		w[i].jobs = job_index_new(w[i].c);
		w[i].loads = loads_new(w[i].c, w[i].jobs);
	}
	for (size_t i = 0; i < metric_count; i++) {
		bool of_row = metric_table[i].of == METRIC_OF_ROW;

		put_metric(w, count, &metric_table[i], of_row ? "account_" : "", false);
		if (of_row)
			put_metric(w, count, &metric_table[i], "user_", true);
	}
	for (size_t i = 0; i < count; i++) {
		series += w[i].series;
		mem_free(w[i].loads);
		if (w[i].jobs)
			job_index_free(w[i].jobs);
	}
	mem_free(w);
	return series;
}
