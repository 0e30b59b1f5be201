/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/share/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/cluster/assoc_index.h"
#include "core/cluster/host_state.h"
#include "core/cluster/job_tasks.h"

#define HOUR 3600.0

/* ---- jobs, summed up the tree ---------------------------------------------------------------- */

/* Handle of a text; the cluster may not contain it. */
static uint32_t model_text_of(const struct cluster *c, const char *s)
{
	uint32_t handle = cluster_find_string(c, s, strlen(s));

	return handle ? handle : UINT32_MAX;
}

double job_usage_factor(const struct cluster *c, uint32_t job)
{
	uint32_t name = cluster_text_id(c, F_JOB_QOS, job);
	uint32_t qos = cluster_row_of(c, F_QOS_NAME, name);
	double factor = qos == ROW_NONE ? F64_UNKNOWN : cluster_f64(c, F_QOS_USAGE_FACTOR, qos);

	return name <= TEXT_EMPTY || factor < 0 ? 1 : factor;
}

double job_burn(const struct cluster *c, uint32_t job)
{
	return cluster_f64(c, F_JOB_BILLING, job) * job_usage_factor(c, job);
}

void burn_text(double per_hour, char *buf, size_t size)
{
	char number[32];

	format_si(per_hour, 2, number, sizeof(number));
	number[strcspn(number, " ")] = '\0';
	(void)snprintf(buf, size, "%s billable TRES-seconds an hour", number);
}

/* LSF counts slots, for a requested range the maximum; suspended jobs keep theirs. */
static void count_slots(struct model *m, uint32_t job, uint32_t row, bool pends)
{
	uint32_t slots = cluster_u32(m->cluster, F_JOB_MAX_CPUS, job);

	if (slots >= U32_UNKNOWN || !pends)
		slots = cluster_u32(m->cluster, F_JOB_CPUS, job);
	*(pends ? &m->pending[row] : &m->running[row]) += slots < U32_UNKNOWN ? slots : 1;
}

static void model_count_job(struct model *m, uint32_t job, uint32_t row, uint32_t running,
			    uint32_t suspended, uint32_t pending)
{
	const struct cluster *c = m->cluster;
	uint32_t state = cluster_text_id(c, F_JOB_STATE, job);

	if (policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_LSF) {
		if (state == pending || state == running || state == suspended)
			count_slots(m, job, row, state == pending);
		return;
	}
	if (state == pending)
		m->pending[row] += job_tasks(cluster_text(c, F_JOB_TASKS, job));
	if (state == running)
		m->running[row]++;
	if (state == running || state == suspended)	/* both are charged */
		m->burn[row] += HOUR * job_burn(c, job);
}

static void model_sum_up(struct model *m)
{
	const uint32_t *parent = cluster_parent(m->cluster);

	for (uint32_t i = cluster_rows(m->cluster, TABLE_ASSOC); i-- > 1;) {
		m->running[parent[i]] += m->running[i];
		m->pending[parent[i]] += m->pending[i];
		m->burn[parent[i]] += m->burn[i];
	}
}

/*
 * A reader who sees one job of a user in an account sees all of these: they are his own, or he
 * coordinates the account. Not so for PBS entities other than users, or LSF, which has queues.
 */
static bool shows_whole_users(const struct cluster *c)
{
	enum policy_scheduler scheduler = policy_scheduler_of(cluster_meta(c)->kind);

	return scheduler == POLICY_OF_SLURM ||
	       (scheduler == POLICY_OF_PBS &&
		strcmp(cluster_policy(c)->fairshare_entity, "euser") == 0);
}

/* Makes sums with hidden jobs unknown. SHOWN: rows with all jobs, or at least one, visible. */
static void forget_hidden(struct model *m, const bool *shown)
{
	const struct cluster *c = m->cluster;
	bool whole = shows_whole_users(c);

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		if (whole && shown[i] && cluster_is_user(c, i))
			continue;
		m->running[i] = m->pending[i] = U32_UNKNOWN;
		m->burn[i] = F64_UNKNOWN;
	}
}

/* LSF counts by queue: no slots in use or requested mean no jobs, if jobs are unknown. */
static bool queues_are_idle(const struct cluster *c)
{
	uint32_t queues = cluster_rows(c, TABLE_QUEUE), q = 0;

	while (q < queues && cluster_u32(c, F_QUEUE_RUNNING, q) == 0 &&
	       cluster_u32(c, F_QUEUE_PENDING, q) == 0)
		q++;
	return queues > 0 && q == queues;
}

/* Computes running, pending and burn from the jobs, if the source has a table of jobs. */
static void workload_new(struct model *m)
{
	const struct cluster *c = m->cluster;
	uint32_t n = cluster_rows(c, TABLE_ASSOC), jobs = cluster_rows(c, TABLE_JOB);
	uint32_t running, suspended, pending;
	enum policy_scheduler scheduler = policy_scheduler_of(cluster_meta(c)->kind);
	struct assoc_index index;
	bool *shown;

	if (n == 0 || (!cluster_col(c, F_JOB_STATE) && !cluster_col(c, F_ASSOC_JOBS_SHOWN) &&
		       !queues_are_idle(c)))
		return;
	running = model_text_of(c, "RUNNING");
	suspended = model_text_of(c, "SUSPENDED");
	pending = model_text_of(c, "PENDING");
	m->running = mem_zalloc(n, sizeof(uint32_t));
	m->pending = mem_zalloc(n, sizeof(uint32_t));
	m->burn = mem_zalloc(n, sizeof(double));
	shown = mem_zalloc(n, sizeof(*shown));
	for (uint32_t i = 0; i < n; i++)
		shown[i] = cluster_bool(c, F_ASSOC_JOBS_SHOWN, i) == 1;
	index = assoc_index_new(c);
	for (uint32_t j = 0; j < jobs; j++) {
		uint32_t row = assoc_of_job(&index, j);

		/* PBS: another scheduler's jobs are charged to its own tree. */
		if (row == ROW_NONE || (scheduler == POLICY_OF_PBS &&
					queue_elsewhere(c, cluster_queue_of(c, j))))
			continue;
		model_count_job(m, j, row, running, suspended, pending);
		shown[row] = true;
	}
	assoc_index_free(&index);
	model_sum_up(m);
	if (cluster_hides_jobs(c))
		forget_hidden(m, shown);
	mem_free(shown);
	/* LSF has no billing. */
	for (uint32_t i = 0; scheduler == POLICY_OF_LSF && i < n; i++)
		m->burn[i] = F64_UNKNOWN;
}

/* ---- limits: one map of those that are set --------------------------------------------------- */

/* The limits of an association are consecutive fields: numbers first, then lists by TRES. */
#define FIRST_LIMIT F_ASSOC_GRP_JOBS
#define FIRST_LIST F_ASSOC_GRP_TRES
#define LAST_LIMIT F_ASSOC_MAX_TRES_MINS
#define LISTS (LAST_LIMIT - FIRST_LIST + 1)

/* Keys "FIELD.TRES" of every list and TRES, KEY_MAX bytes each: LIST * tres + TRES. */
#define KEY_MAX 160u

struct filling {
	const struct cluster *c;
	struct model_limits *limits;
	size_t used, capacity;
	uint32_t tres;		/* rows of the TRES table */
};

static void model_add(struct filling *f, const char *key, double number)
{
	struct model_limits *l = f->limits;

	MEM_GROW(l->entries, f->capacity, f->used + 1);
	l->entries[f->used++] = (struct value_entry){ .key = key, .number = number };
}

static void add_scalar(struct filling *f, enum field field, uint32_t row)
{
	int64_t value;

	if (field_info[field].type == FIELD_U32) {
		uint32_t number = cluster_u32(f->c, field, row);

		if (number != U32_UNKNOWN && number != U32_INFINITE)
			model_add(f, field_info[field].name, number);
		return;
	}
	value = cluster_i64(f->c, field, row);
	if (value != I64_UNKNOWN && value != I64_INFINITE)
		model_add(f, field_info[field].name, (double)value);
}

static void add_list(struct filling *f, enum field field, uint32_t row)
{
	const char *keys = f->limits->keys + KEY_MAX * (field - FIRST_LIST) * f->tres;
	struct tres_list items = cluster_tres(f->c, field, row);

	for (uint32_t i = 0; i < items.count; i++) {
		if (items.items[i].tres < f->tres && isfinite(items.items[i].count))
			model_add(f, keys + KEY_MAX * items.items[i].tres, items.items[i].count);
	}
}

static bool model_has_limits(const struct cluster *c)
{
	for (enum field f = FIRST_LIMIT; f <= LAST_LIMIT; f++) {
		if (cluster_col(c, f))
			return true;
	}
	return false;
}

static void limits_new(const struct cluster *c, struct model_limits *limits)
{
	struct filling f = { .c = c, .limits = limits, .tres = cluster_rows(c, TABLE_TRES) };
	uint32_t n = cluster_rows(c, TABLE_ASSOC);

	*limits = (struct model_limits){ NULL, NULL, NULL };
	if (n == 0 || !model_has_limits(c))
		return;
	limits->keys = mem_alloc(LISTS * f.tres + 1, KEY_MAX);
	for (size_t list = 0; list < LISTS; list++) {
		for (uint32_t t = 0; t < f.tres; t++)
			snprintf(limits->keys + KEY_MAX * (list * f.tres + t), KEY_MAX, "%s.%s",
				 field_info[FIRST_LIST + list].name, cluster_tres_name(c, t));
	}
	limits->first = mem_alloc((size_t)n + 1, sizeof(uint32_t));
	for (uint32_t row = 0; row < n; row++) {
		limits->first[row] = (uint32_t)f.used;
		for (enum field l = FIRST_LIMIT; l < FIRST_LIST; l++)
			add_scalar(&f, l, row);
		for (enum field l = FIRST_LIST; l <= LAST_LIMIT; l++)
			add_list(&f, l, row);
	}
	limits->first[n] = (uint32_t)f.used;
}

/* ---- the model ------------------------------------------------------------------------------- */

bool model_can(const struct cluster *c, const struct model_options *options, struct err *err)
{
	if (options->algorithm >= 0 && (enum fs_algorithm)options->algorithm != FS_LSF &&
	    policy_scheduler_of(cluster_meta(c)->kind) == POLICY_OF_LSF)
		return err_set(err, ERR_INPUT, "algorithm %s: LSF reports no usage to compute it "
			       "from (expected %s)", fs_algos[options->algorithm]->name,
			       fs_algos[FS_LSF]->name);
	if (options->base < 0 || fs_base_available(c, (enum fs_base)options->base))
		return true;
	return err_set(err, ERR_INPUT, options->base == FS_BASE_USAGE ?
		       "base \"usage\": the source reports no raw usage" :
		       "base \"reported\": the source reports no usage ratios");
}

static enum fs_base choose_base(const struct cluster *c, int wish)
{
	if (wish >= 0)
		return (enum fs_base)wish;
	/* Two decimals, as in scontrol show assoc_mgr, are less exact than usage. */
	if (fs_base_complete(c, FS_BASE_REPORTED) &&
	    (cluster_meta(c)->ratio_quantum <= 1e-4 || !fs_base_complete(c, FS_BASE_USAGE)))
		return FS_BASE_REPORTED;
	if (fs_base_complete(c, FS_BASE_USAGE) || !fs_base_available(c, FS_BASE_REPORTED))
		return FS_BASE_USAGE;
	return FS_BASE_REPORTED;
}

/* Number of user associations whose F is not the reported one. F are at least 1 / N apart. */
static uint32_t differing_factors(const struct cluster *c, const struct fs_tree *t,
				  const struct fs_result *r)
{
	const double *reported = cluster_col_f64(c, F_ASSOC_R_FAIRSHARE);
	uint32_t differing = 0;

	for (uint32_t i = 0; reported && i < t->n; i++) {
		if (t->is_user[i] && f64_known(reported[i]) && f64_known(r->fairshare[i]))
			differing += fabs(reported[i] - r->fairshare[i]) > 0.4 / t->users;
	}
	return differing;
}

static void model_run(struct model *m, enum fs_order order)
{
	m->tree = fs_tree_new(m->cluster, order);
	m->input.tree = m->tree;
	m->fs = fs_run(m->algo, &m->input);
}

/* Picks the order of siblings that reproduces the scheduler's report; list order if both do. */
static void run_best_order(struct model *m)
{
	struct fs_tree *tree;
	struct fs_result *fs;
	uint32_t list, lft;

	model_run(m, FS_ORDER_LIST);
	if (!m->fs->tree_rank || !cluster_col(m->cluster, F_ASSOC_LFT))
		return;
	list = differing_factors(m->cluster, m->tree, m->fs);
	if (list == 0)
		return;
	tree = m->tree;
	fs = m->fs;
	model_run(m, FS_ORDER_LFT);
	lft = differing_factors(m->cluster, m->tree, m->fs);
	if (lft >= list) {
		struct fs_tree *other_tree = m->tree;
		struct fs_result *other_fs = m->fs;

		m->input.tree = m->tree = tree;
		m->fs = fs;
		tree = other_tree;
		fs = other_fs;
	}
	fs_result_free(fs);
	fs_tree_free(tree);
}

struct model *model_new(const struct cluster *c, const struct model_options *options,
			struct err *err)
{
	static const struct model_options defaults = MODEL_OPTIONS_DEFAULT;
	struct model *m;

	if (!options)
		options = &defaults;
	if (!model_can(c, options, err))
		return NULL;
	m = mem_zalloc(1, sizeof(*m));
	m->cluster = c;
	m->algo = fs_algos[options->algorithm >= 0 ? (enum fs_algorithm)options->algorithm :
			   fs_algorithm_of_cluster(c)];
	m->input = (struct fs_input){ .cluster = c, .base = choose_base(c, options->base),
				      .damping = fs_damping(c) };
	if (options->order >= 0)
		model_run(m, (enum fs_order)options->order);
	else
		run_best_order(m);
	fs_take_reported(&m->input, m->fs);
	workload_new(m);
	limits_new(c, &m->limits);
	return m;
}

void model_free(struct model *m)
{
	if (!m)
		return;
	MEM_FREE(m->limits.entries, m->limits.first, m->limits.keys, m->running, m->pending,
		 m->burn);
	fs_result_free(m->fs);
	fs_tree_free(m->tree);
	mem_free(m);
}
