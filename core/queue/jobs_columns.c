/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs view: one row per job, partition and QOS. The keys are those of the contract.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/queue/jobs.h"
#include "core/share/billing.h"

#define ALL ((UINT32_C(1) << FS_ALGORITHMS) - 1)

static const struct jobs *jobs_of(const struct position *pos)
{
	return pos->context;
}

static const struct cluster *jobs_cluster_of(const struct position *pos)
{
	return jobs_of(pos)->model->cluster;
}

static uint32_t jobs_job_of(const struct position *pos)
{
	return jobs_of(pos)->index->job[pos->row];
}

/* Slurm's time 0 means "not yet". */
static void jobs_set_time(struct value *out, int64_t x)
{
	value_set_int(out, x == 0 ? I64_UNKNOWN : x);
}

/* ---- properties of a job ------------------------------------------------------------------- */

void jobs_get_text(const struct position *pos, struct value *out)
{
	value_set_text(out, cluster_text(jobs_cluster_of(pos), (enum field)pos->column->which,
					 jobs_job_of(pos)));
}

void jobs_get_count(const struct position *pos, struct value *out)
{
	value_set_count(out, cluster_u32(jobs_cluster_of(pos), (enum field)pos->column->which,
					 jobs_job_of(pos)));
}

void jobs_get_time(const struct position *pos, struct value *out)
{
	jobs_set_time(out, cluster_i64(jobs_cluster_of(pos), (enum field)pos->column->which,
				       jobs_job_of(pos)));
}

/* The number; PBS's arrays and subjobs share it and add brackets, "56[]", "56[3]". */
void jobs_get_id(const struct position *pos, struct value *out)
{
	const struct cluster *c = jobs_cluster_of(pos);
	const char *id = cluster_text(c, F_JOB_JOB_ID, jobs_job_of(pos));
	size_t bracket = id ? strcspn(id, "[.") : 0;

	if (!id || id[bracket] != '[') {
		value_set_count(out, cluster_u32(c, F_JOB_ID, jobs_job_of(pos)));
		return;
	}
	(void)snprintf(out->buffer, sizeof(out->buffer), "%.*s", (int)strcspn(id, "."), id);
	out->kind = VALUE_TEXT;
	out->text = out->buffer;
}

static void jobs_get_array(const struct position *pos, struct value *out)
{
	uint32_t array = cluster_u32(jobs_cluster_of(pos), F_JOB_ARRAY, jobs_job_of(pos));

	value_set_count(out, array == 0 ? U32_UNKNOWN : array);
}

/* The partition of this row, for a job with several. */
void jobs_get_partition(const struct position *pos, struct value *out)
{
	value_set_text(out, jobs_of(pos)->index->partition_name[pos->row]);
}

void jobs_get_qos(const struct position *pos, struct value *out)
{
	value_set_text(out, jobs_of(pos)->index->qos_name[pos->row]);
}

/* Requested nodes of a pending job: the scheduler's own number is an estimate. */
void jobs_get_nodes(const struct position *pos, struct value *out)
{
	const struct job_index *x = jobs_of(pos)->index;
	bool waits = x->kind[pos->row] != JOB_RUNNING && x->kind[pos->row] != JOB_ENDED;

	value_set_count(out, waits && x->min_nodes[pos->row] != U32_UNKNOWN
				     ? x->min_nodes[pos->row]
				     : cluster_u32(x->cluster, F_JOB_NODES, x->job[pos->row]));
}

void jobs_get_tres(const struct position *pos, struct value *out)
{
	const struct jobs *j = jobs_of(pos);
	const struct cluster *c = jobs_cluster_of(pos);
	struct tres_list list = cluster_tres(c, F_JOB_TRES_ALLOC, jobs_job_of(pos));

	if (!list.items)
		list = cluster_tres(c, F_JOB_TRES, jobs_job_of(pos));
	out->kind = list.items ? VALUE_MAP : VALUE_UNKNOWN;
	out->entries = j->tres_scratch;
	out->count = 0;
	if (!list.items)
		return;
	for (out->count = 0; out->count < list.count && out->count < j->tres_count; out->count++)
		j->tres_scratch[out->count] = (struct value_entry){
			.key = cluster_tres_name(c, list.items[out->count].tres),
			.number = list.items[out->count].count,
		};
}

void jobs_get_time_limit(const struct position *pos, struct value *out)
{
	value_set_int(out, cluster_i64(jobs_cluster_of(pos), F_JOB_TIME_LIMIT, jobs_job_of(pos)));
}

void jobs_get_start_estimate(const struct position *pos, struct value *out)
{
	uint8_t kind = jobs_of(pos)->index->kind[pos->row];
	int64_t start = cluster_i64(jobs_cluster_of(pos), F_JOB_START, jobs_job_of(pos));

	jobs_set_time(out, kind == JOB_RUNNING || kind == JOB_ENDED ? I64_UNKNOWN : start);
}

void jobs_get_billing(const struct position *pos, struct value *out)
{
	const struct cluster *c = jobs_cluster_of(pos);

	value_set_real(out, billing_of_job(c, jobs_job_of(pos),
					   jobs_of(pos)->index->partition[pos->row],
					   billing_mode_of(cluster_policy(c)->flags)));
}

/* ---- computed values ------------------------------------------------------------------------ */

/* The maximum is a number here, not "no limit". */
static void jobs_set_priority(struct value *out, uint32_t priority)
{
	value_set_int(out, priority == U32_UNKNOWN ? I64_UNKNOWN : priority);
}

/* PBS's log has the value of the last cycle; the current one may rightly differ. */
static void get_formula_value(const struct position *pos, struct value *out)
{
	double value = jobs_of(pos)->pbs->value[pos->row];

	if (!f64_known(value) && !jobs_of(pos)->changes) {
		value = cluster_f64(jobs_cluster_of(pos), F_JOB_R_FORMULA, jobs_job_of(pos));
		out->origin = VALUE_REPORTED;
	}
	value_set_real(out, value);
}

void jobs_get_priority(const struct position *pos, struct value *out)
{
	const struct jobs *j = jobs_of(pos);

	if (j->pbs) {
		get_formula_value(pos, out);
		return;
	}
	if (j->lsf) {
		value_set_real(out, lsf_jobs_queue_priority(j->lsf, pos->row));
		return;
	}
	jobs_set_priority(out, j->prio->priority[pos->row]);
	out->origin = prio_origin_of(&j->input, j->prio, pos->row);
	/* A what-if differs from the report on purpose. */
	if (j->changes && out->origin == VALUE_DIFFERS)
		out->origin = VALUE_COMPUTED;
}

static void get_reported_priority(const struct position *pos, struct value *out)
{
	const struct jobs *j = jobs_of(pos);

	if (j->pbs)
		value_set_real(out, cluster_f64(jobs_cluster_of(pos), F_JOB_R_FORMULA,
						jobs_job_of(pos)));
	else
		jobs_set_priority(out, prio_reported(j->index, pos->row));
}

void jobs_get_rank(const struct position *pos, struct value *out)
{
	value_set_count(out, jobs_of(pos)->order->rank[pos->row]);
}

/* The same, named as in PBS and LSF. */
void jobs_get_queue(const struct position *pos, struct value *out)
{
	if (jobs_of(pos)->pbs || jobs_of(pos)->lsf)
		jobs_get_partition(pos, out);
}

void jobs_get_class(const struct position *pos, struct value *out)
{
	const uint32_t *class_of = jobs_of(pos)->class_of;

	if (class_of && class_of[jobs_job_of(pos)] != ROW_NONE)
		value_set_count(out, class_of[jobs_job_of(pos)]);
}

void jobs_get_partition_rank(const struct position *pos, struct value *out)
{
	value_set_count(out, jobs_of(pos)->order->partition_rank[pos->row]);
}

void jobs_get_ahead(const struct position *pos, struct value *out)
{
	value_set_count(out, jobs_ahead(jobs_of(pos))->ahead[pos->row]);
}

void jobs_get_age(const struct position *pos, struct value *out)
{
	const struct jobs *j = jobs_of(pos);
	int64_t since = cluster_i64(jobs_cluster_of(pos), F_JOB_ACCRUE, jobs_job_of(pos));
	bool known = since != I64_UNKNOWN && since != 0 && j->input.now != I64_UNKNOWN;

	/* PBS counts on its own, if eligible_time_enable is set. */
	if (j->pbs) {
		value_set_int(out, cluster_i64(jobs_cluster_of(pos), F_JOB_ELIGIBLE_TIME,
					       jobs_job_of(pos)));
		return;
	}
	/* LSF counts from submission. */
	if (j->lsf) {
		since = cluster_i64(jobs_cluster_of(pos), F_JOB_SUBMIT, jobs_job_of(pos));
		known = since != I64_UNKNOWN && j->input.now != I64_UNKNOWN;
	}
	if (known)
		value_set_int(out, since < j->input.now ? j->input.now - since : 0);
}

/* The Ith factor; site and nice, which have no weight, as in the sum. */
static double factor_number(const struct jobs *j, uint32_t i, uint32_t row)
{
	const struct prio_result *r = j->prio;

	if (i < PRIO_FACTORS)
		return r->factor[i] ? r->factor[i][row] : 0;
	return i < PRIO_TRES ? prio_part(&j->input, r, i, row, NULL) :
			       r->tres_factor[i - PRIO_TRES][row];
}

static double map_number(const struct jobs *j, uint32_t i, uint32_t row, bool terms,
			 enum value_origin *origin)
{
	return terms ? prio_part(&j->input, j->prio, i, row, origin) : factor_number(j, i, row);
}

/* PBS's formula: its inputs from the job, or its terms. */
static void get_formula_map(const struct jobs *j, uint32_t row, struct value *out, bool terms)
{
	const struct pbs_formula *f = j->pbs->formula;
	size_t names = f ? pbs_formula_names(f) : 0;
	const double *inputs = j->pbs->inputs + row * names;

	out->kind = f ? VALUE_MAP : VALUE_UNKNOWN;
	out->entries = j->scratch;
	out->count = f ? (uint32_t)(terms ? pbs_formula_terms(f) : names) : 0;
	for (uint32_t i = 0; i < out->count; i++) {
		struct value_entry *entry = &j->scratch[i];

		entry->key = terms ? pbs_formula_term(f, i) : pbs_formula_name(f, i);
		entry->number = terms ? pbs_formula_term_value(f, i, inputs) : inputs[i];
	}
}

bool jobs_has_terms(const struct jobs *j, uint32_t row)
{
	enum prio_origin origin = (enum prio_origin)j->prio->origin[row];

	return origin == PRIO_COMPUTED || origin == PRIO_ORIGIN_UNREPORTED ||
	       origin == PRIO_ORIGIN_UNKNOWN;
}

double jobs_term(const struct jobs *j, uint32_t i, uint32_t row, enum value_origin *origin)
{
	double sum = 0;

	*origin = VALUE_COMPUTED;
	/* PBS's formula has its own terms, LSF has none. */
	if (j->pbs || j->lsf || !jobs_has_terms(j, row) || i >= j->map_count)
		return F64_UNKNOWN;
	if (j->terms_as != JOBS_PERCENT)
		return map_number(j, i, row, j->terms_as == JOBS_POINTS, origin);
	for (uint32_t k = 0; k < j->map_count; k++)
		sum += fmax(prio_part(&j->input, j->prio, k, row, NULL), 0);
	return sum > 0 ? 100 * prio_part(&j->input, j->prio, i, row, origin) / sum : 0;
}

static void get_map(const struct position *pos, struct value *out, bool terms)
{
	const struct jobs *j = jobs_of(pos);
	bool has = jobs_has_terms(j, pos->row);

	if (j->pbs) {
		get_formula_map(j, pos->row, out, terms);
		return;
	}
	if (j->lsf) {
		out->kind = terms ? VALUE_UNKNOWN : VALUE_MAP;
		out->entries = j->scratch;
		out->count = terms ? 0 : lsf_jobs_factors(j->lsf, pos->row, j->scratch);
		return;
	}
	out->kind = has ? VALUE_MAP : VALUE_UNKNOWN;
	out->entries = j->scratch;
	out->count = has ? j->map_count : 0;
	for (uint32_t i = 0; i < out->count; i++) {
		enum value_origin origin = VALUE_COMPUTED;

		j->scratch[i] = (struct value_entry){
			.key = j->map_keys[i],
			.number = map_number(j, i, pos->row, terms, &origin),
		};
		if (origin == VALUE_REPORTED)
			out->origin = VALUE_REPORTED;
	}
}

static void get_factors(const struct position *pos, struct value *out)
{
	get_map(pos, out, false);
}

static void get_terms(const struct position *pos, struct value *out)
{
	get_map(pos, out, true);
}

/* ---- columns -------------------------------------------------------------------------------- */

static void jobs_get_reported(const struct position *pos, struct value *out)
{
	column_list_reported(jobs_columns, jobs_columns_count, pos->context, pos->row, out);
}

#define JOBS_NEEDS (NEED_JOBS | NEED_PARTITIONS | NEED_QOS | NEED_POLICY)
#define PRIO_NEEDS (JOBS_NEEDS | NEED_SHARES | NEED_LIMITS | NEED_PRIO | NEED_HOSTS)

const struct column jobs_columns[] = {
	{ .name = "rank", .title = "Rank", .width = 6, .keep = 190, .needs = PRIO_NEEDS,
	  .rises = true,
	  .only = ALL, .get = jobs_get_rank, .legend = "queue rank: 1 is considered first",
	  .changes = { .shape = { NULL, 6, 106, 6, 240 }, .only = ALL, .places = true,
		       .news = true, .heading = "Moves" } },
	{ .name = "id", .title = "JobID", .width = 8, .keep = 255, .needs = JOBS_NEEDS, .only = ALL,
	  .rises = true,
	  .get = jobs_get_id, .legend = "job ID; PBS: N[] for an array, N[I] for a subjob",
	  .changes.none = true },
	{ .name = "array", .title = "Array", .width = 8, .keep = 10, .needs = JOBS_NEEDS,
	  .rises = true, .get = jobs_get_array, .legend = "job ID of its array",
	  .changes.none = true },
	{ .name = "task", .title = "Task", .width = 6, .keep = 11, .needs = JOBS_NEEDS,
	  .rises = true,
	  .get = jobs_get_count, .which = F_JOB_TASK, .legend = "task number in the array",
	  .changes.none = true },
	{ .name = "name", .title = "Name", .width = 12, .keep = 60, .left = true,
	  .needs = JOBS_NEEDS, .only = ALL, .get = jobs_get_text, .which = F_JOB_NAME,
	  .legend = "job name" },
	{ .name = "user", .title = "User", .width = 10, .keep = 180, .left = true,
	  .needs = JOBS_NEEDS, .only = ALL, .get = jobs_get_text, .which = F_JOB_USER,
	  .legend = "user who submitted it" },
	{ .name = "account", .title = "Account", .width = 12, .keep = 150, .left = true,
	  .needs = JOBS_NEEDS, .only = ALL, .get = jobs_get_text, .which = F_JOB_ACCOUNT,
	  .legend = "account charged for the job" },
	{ .name = "partition", .title = "Partition", .width = 10, .keep = 140, .left = true,
	  .needs = JOBS_NEEDS, .only = JOBS_OF_SLURM, .get = jobs_get_partition,
	  .legend = "partition this row competes in" },
	{ .name = "queue", .title = "Queue", .width = 10, .keep = 140, .left = true,
	  .needs = JOBS_NEEDS, .only = ALL & ~JOBS_OF_SLURM, .get = jobs_get_queue,
	  .legend = "its PBS or LSF queue" },
	{ .name = "qos", .title = "QOS", .width = 8, .keep = 90, .left = true, .needs = JOBS_NEEDS,
	  .only = JOBS_OF_SLURM, .get = jobs_get_qos, .legend = "quality of service" },
	{ .name = "state", .title = "State", .width = 10, .keep = 160, .left = true,
	  .needs = JOBS_NEEDS, .only = ALL, .get = jobs_get_text, .which = F_JOB_STATE,
	  .legend = "state, as the scheduler names it", .changes.news = true },
	{ .name = "reason", .title = "Reason", .width = 14, .keep = 120, .left = true,
	  .needs = JOBS_NEEDS, .only = ALL, .get = jobs_get_text, .which = F_JOB_REASON,
	  .legend = "why it is pending, as the scheduler names it" },
	{ .name = "sluid", .title = "SLUID", .width = 14, .keep = 1, .left = true,
	  .needs = JOBS_NEEDS, .get = jobs_get_text, .which = F_JOB_SLUID,
	  .legend = "number unique in all clusters, since Slurm 26.05" },
	{ .name = "reservation", .title = "Reservation", .width = 12, .keep = 8, .left = true,
	  .needs = JOBS_NEEDS, .get = jobs_get_text, .which = F_JOB_RESERVATION,
	  .legend = "reservation requested" },
	{ .name = "class", .title = "Class", .width = 5, .keep = 15, .needs = PRIO_NEEDS,
	  .rises = true,
	  .get = jobs_get_class, .legend = "its PBS equivalence class, see classes",
	  .changes.none = true },
	{ .name = "nodes", .title = "Nodes", .width = 5, .keep = 100, .needs = JOBS_NEEDS,
	  .only = ALL, .get = jobs_get_nodes, .legend = "nodes allocated, or minimum requested",
	  .changes.none = true },
	{ .name = "cpus", .title = "CPUs", .width = 6, .keep = 110, .needs = JOBS_NEEDS,
	  .only = ALL, .get = jobs_get_count, .which = F_JOB_CPUS,
	  .legend = "CPUs allocated, or requested", .changes.none = true },
	{ .name = "tres", .title = "TRES", .width = 24, .keep = 5, .left = true,
	  .needs = JOBS_NEEDS, .get = jobs_get_tres,
	  .legend = "TRES allocated, or requested; memory in MiB" },
	{ .name = "time_limit", .title = "TimeLimit", .format = COLUMN_DURATION, .width = 10,
	  .unit = UNIT_SECONDS, .keep = 80, .needs = JOBS_NEEDS, .only = ALL,
	  .get = jobs_get_time_limit,
	  .legend = "time limit" },
	{ .name = "submit", .title = "Submit", .format = COLUMN_TIME, .unit = UNIT_TIME,
	  .width = 19, .keep = 7, .needs = JOBS_NEEDS, .get = jobs_get_time, .which = F_JOB_SUBMIT,
	  .legend = "when it was submitted" },
	{ .name = "eligible", .title = "Eligible", .format = COLUMN_TIME, .unit = UNIT_TIME,
	  .width = 19, .keep = 6, .needs = JOBS_NEEDS, .get = jobs_get_time,
	  .which = F_JOB_ELIGIBLE, .legend = "when it became or becomes eligible" },
	{ .name = "accrue", .title = "Accrue", .format = COLUMN_TIME, .unit = UNIT_TIME,
	  .width = 19, .keep = 6, .needs = JOBS_NEEDS, .get = jobs_get_time, .which = F_JOB_ACCRUE,
	  .legend = "when it started to accrue age" },
	{ .name = "age", .title = "Age", .format = COLUMN_DURATION, .unit = UNIT_SECONDS,
	  .width = 10, .keep = 85, .needs = JOBS_NEEDS, .only = ALL, .get = jobs_get_age,
	  .legend = "age accrued at the scheduler's last pass" },
	{ .name = "start_estimate", .title = "Start", .format = COLUMN_TIME, .unit = UNIT_TIME,
	  .width = 19, .keep = 9, .needs = JOBS_NEEDS, .get = jobs_get_start_estimate,
	  .legend = "start estimate of the scheduler" },
	{ .name = "billing", .title = "Billing", .format = COLUMN_RATIO, .width = 9, .decimals = 2,
	  .keep = 12, .needs = JOBS_NEEDS, .get = jobs_get_billing, .legend = "billable TRES",
	  .changes.none = true },
	{ .name = "priority", .title = "Priority", .width = 10, .keep = 200, .needs = PRIO_NEEDS,
	  .only = ALL, .reportable = true, .get = jobs_get_priority,
	  .legend = "sum of the terms; largest is considered first; 0: held",
	  .changes = { .shape = { "Prio", 10, 161, 10, 195 }, .base_only = ALL, .only = ALL } },
	{ .name = "reported_priority", .title = "Reported", .width = 10, .keep = 4,
	  .needs = PRIO_NEEDS, .get = get_reported_priority,
	  .legend = "priority as the scheduler reports it, where it does",
	  .changes.none = true },
	{ .name = "reported", .title = "As reported", .width = 14, .keep = 3, .left = true,
	  .needs = PRIO_NEEDS, .get = jobs_get_reported,
	  .legend = "columns of this row that are as reported, not computed",
	  .changes.none = true },
	{ .name = "partition_rank", .title = "PRank", .width = 6, .keep = 20, .needs = PRIO_NEEDS,
	  .rises = true,
	  .get = jobs_get_partition_rank, .legend = "rank in the queue of its partition",
	  .changes = { .shape = { NULL, 6, 19, 6, 18 }, .places = true, .heading = "PMoves",
		       .legend = "ranks gained in its partition's queue; negative: lost" } },
	{ .name = "ahead", .title = "Ahead", .width = 7, .keep = 25, .needs = PRIO_NEEDS,
	  .rises = true,
	  .get = jobs_get_ahead, .legend = "jobs ahead of it, counting every array task",
	  .changes.shape = { NULL, 7, 17, 7, 16 } },
	{ .name = "factors", .title = "Factors", .width = 30, .keep = 2, .needs = PRIO_NEEDS,
	  .get = get_factors,
	  .legend = "factors before their weights; site and nice as in the sum",
	  .changes.none = true },
	{ .name = "terms", .title = "Terms", .width = 30, .keep = 3, .needs = PRIO_NEEDS,
	  .reportable = true, .get = get_terms, .legend = "each factor times its weight",
	  .changes = { .shape = { NULL, 30, 2, 30, 2 },
		       .base_legend = "factors times weights without the what-if",
		       .legend = "what the what-if adds to each term" } },
};
const size_t jobs_columns_count = sizeof(jobs_columns) / sizeof(jobs_columns[0]);

struct view jobs_view(const struct jobs *j)
{
	return (struct view){ .name = "jobs", .columns = jobs_columns,
			      .column_count = jobs_columns_count, .context = j,
			      .rows = j->index->n };
}
