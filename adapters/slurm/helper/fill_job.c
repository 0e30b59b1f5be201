/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs, and the terms of their priorities. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/slurm/helper/compat.h"
#include "adapters/slurm/helper/fill.h"
#include "core/base/bytes.h"

/* ---- jobs ---------------------------------------------------------------------------------- */

/* Since 23.11 the TRES of a task include the CPUs of -c, which alone are not GRES. */
static const char *gres_asked(const slurm_job_info_t *j)
{
	const char *const texts[] = { j->tres_per_job, j->tres_per_node, j->tres_per_socket,
				      j->tres_per_task };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (texts[i] && *texts[i] &&
		    (strncmp(texts[i], "cpu", 3) != 0 || strchr(texts[i], ',')))
			return texts[i];
	}
	return NULL;
}

static void fill_names(struct fill *f, uint32_t row, const slurm_job_info_t *j)
{
	struct builder *b = f->b;
	char state[32], reason[32];

	builder_str(b, F_JOB_NAME, row, j->name);
	builder_str(b, F_JOB_USER, row,
		    j->user_name && *j->user_name ? j->user_name : user_name(f->users, j->user_id));
	builder_u32(b, F_JOB_UID, row, j->user_id);
	builder_str(b, F_JOB_ACCOUNT, row, j->account);
	if (j->assoc_id != 0)
		builder_u32(b, F_JOB_ASSOC, row, j->assoc_id);
	builder_str(b, F_JOB_PARTITION, row, j->partition);
	builder_str(b, F_JOB_QOS, row, j->qos);
	builder_str(b, F_JOB_STATE, row, compat_job_state(j->job_state, state, sizeof(state)));
	builder_str(b, F_JOB_REASON, row,
		    compat_job_reason(j->state_reason, reason, sizeof(reason)));
	builder_str(b, F_JOB_REASON_TEXT, row, j->state_desc);
	builder_str(b, F_JOB_RESERVATION, row, j->resv_name);
	builder_str(b, F_JOB_DEPENDENCY, row, j->dependency);
	builder_str(b, F_JOB_FEATURES, row, j->features);
	builder_str(b, F_JOB_LICENSES, row, j->licenses);
	builder_str(b, F_JOB_NODE_LIST, row, j->nodes);
	builder_str(b, F_JOB_NODES_ASKED, row, j->req_nodes);
	builder_str(b, F_JOB_NODES_AVOIDED, row, j->exc_nodes);
	builder_str(b, F_JOB_GRES, row, gres_asked(j));
}

/* The requested count of "node": num_nodes of a pending job is an estimate. */
static uint32_t nodes_asked(const slurm_job_info_t *j)
{
	const char *node = j->tres_req_str ? strstr(j->tres_req_str, "node=") : NULL;
	unsigned long count;
	char *end;

	if (!node || (node != j->tres_req_str && node[-1] != ','))
		return NO_VAL;
	node += strlen("node=");
	count = strtoul(node, &end, 10);
	return end == node || count >= NO_VAL ? NO_VAL : (uint32_t)count;
}

/* "n1=2;n2=1"; unknown if it is not running, or any count is not reported. */
static void fill_node_cpus(struct fill *f, uint32_t row, const slurm_job_info_t *j)
{
	__typeof__(slurm_hostlist_create(NULL)) hosts;
	struct bytes text = { 0 };
	char *name, piece[32];
	int cpus = 0;

	if (!j->nodes || !*j->nodes)
		return;
	hosts = slurm_hostlist_create(j->nodes);
	while (cpus >= 0 && (name = slurm_hostlist_shift(hosts))) {
		cpus = compat_job_cpus(j, name);
		bytes_append(&text, name, strlen(name));
		snprintf(piece, sizeof(piece), "=%d;", cpus);
		bytes_append(&text, piece, strlen(piece));
		free(name);
	}
	slurm_hostlist_destroy(hosts);
	if (cpus >= 0 && text.length != 0)
		builder_text(f->b, F_JOB_NODE_CPUS, row, text.data, text.length - 1);
	bytes_free(&text);
}

/* NO_VAL16 and INFINITE16 mean as many as fit. */
static void fill_tasks(struct fill *f, uint32_t row, const slurm_job_info_t *j)
{
	struct builder *b = f->b;

	builder_u32(b, F_JOB_NUM_TASKS, row, j->num_tasks);
	if (j->cpus_per_task < NO_VAL16)
		builder_u32(b, F_JOB_CPUS_PER_TASK, row, j->cpus_per_task);
	builder_u32(b, F_JOB_TASKS_PER_NODE, row,
		    j->ntasks_per_node < NO_VAL16 ? j->ntasks_per_node : 0);
	if (j->max_nodes != 0)
		builder_u32(b, F_JOB_MAX_NODES, row, j->max_nodes);
}

static void fill_sizes(struct fill *f, uint32_t row, const slurm_job_info_t *j)
{
	struct builder *b = f->b;

	builder_u32(b, F_JOB_NODES, row, j->num_nodes);
	builder_u32(b, F_JOB_MIN_NODES, row, nodes_asked(j));
	builder_u32(b, F_JOB_CPUS, row, j->num_cpus);
	if (j->max_cpus != 0)
		builder_u32(b, F_JOB_MAX_CPUS, row, j->max_cpus);
#ifdef HAVE_SLURM_JOB_INFO_T_EXCLUSIVE	/* since 26.05, instead of shared */
	builder_bool(b, F_JOB_EXCLUSIVE, row, j->exclusive == JOB_EXCLUSIVE_NODE);
#else
	builder_bool(b, F_JOB_EXCLUSIVE, row, j->shared == JOB_SHARED_NONE);
#endif
	fill_tres_text(f, F_JOB_TRES, row, j->tres_req_str);
	fill_tres_text(f, F_JOB_TRES_ALLOC, row, j->tres_alloc_str);
	builder_f64(b, F_JOB_BILLING, row, fill_real(j->billable_tres));
	builder_i64(b, F_JOB_TIME_LIMIT, row, fill_minutes(j->time_limit));
	builder_u32(b, F_JOB_RESTARTS, row, j->restart_cnt);
	fill_tasks(f, row, j);
	fill_node_cpus(f, row, j);
}

static void fill_times(struct fill *f, uint32_t row, const slurm_job_info_t *j)
{
	struct builder *b = f->b;

	builder_i64(b, F_JOB_SUBMIT, row, fill_time(j->submit_time));
	builder_i64(b, F_JOB_ELIGIBLE, row, fill_time(j->eligible_time));
	/* 0 is a known value: it does not accrue age. */
	builder_i64(b, F_JOB_ACCRUE, row, j->accrue_time > 0 ? (int64_t)j->accrue_time : 0);
	builder_i64(b, F_JOB_START, row, fill_time(j->start_time));
	builder_i64(b, F_JOB_END, row, fill_time(j->end_time));
	builder_i64(b, F_JOB_DEADLINE, row, fill_time(j->deadline));
	builder_i64(b, F_JOB_LAST_SCHED, row, fill_time(j->last_sched_eval));
}

static void fill_job(struct fill *f, const slurm_job_info_t *j)
{
	struct builder *b = f->b;
	uint32_t row = builder_add(b, TABLE_JOB);
	char sluid[COMPAT_SLUID_SIZE];

	builder_u32(b, F_JOB_ID, row, compat_job_id(j));
	builder_str(b, F_JOB_SLUID, row, compat_job_sluid(j, sluid));
	if (j->array_job_id != 0) {
		builder_u32(b, F_JOB_ARRAY, row, j->array_job_id);
		builder_u32(b, F_JOB_TASK, row, j->array_task_id);
		builder_str(b, F_JOB_TASKS, row, j->array_task_str);
	}
	builder_u32(b, F_JOB_PRIORITY, row, j->priority);
	builder_i64(b, F_JOB_NICE, row, (int64_t)j->nice - NICE_OFFSET);
	builder_i64(b, F_JOB_SITE, row, (int64_t)j->site_factor - NICE_OFFSET);
	fill_names(f, row, j);
	fill_sizes(f, row, j);
	fill_times(f, row, j);
}

void fill_jobs(struct fill *f)
{
	const job_info_msg_t *m = f->l->jobs;

	for (uint32_t i = 0; m && i < m->record_count; i++)
		fill_job(f, &m->job_array[i]);
}

/* ---- terms --------------------------------------------------------------------------------- */

static void fill_terms(struct fill *f, const struct prio_terms *t)
{
	struct builder *b = f->b;
	uint32_t row = builder_add(b, TABLE_PRIO), count = 0;
	struct tres_item items[64];

	builder_u32(b, F_PRIO_JOB, row, t->job);
	builder_str(b, F_PRIO_PARTITION, row, t->partition);
	builder_str(b, F_PRIO_QOS, row, t->qos);
	for (unsigned i = 0; i < PRIO_FACTORS; i++)
		builder_f64(b, factor_info[i].term, row, t->term[i]);
	builder_i64(b, F_PRIO_SITE, row, t->site);
	builder_i64(b, F_PRIO_NICE, row, t->nice);
	builder_u32(b, F_PRIO_DIRECT, row, t->direct > 0 ? (uint32_t)t->direct : 0);
	for (uint32_t i = 0; i < t->tres_count && count < 64; i++) {
		const char *name = t->tres_names[i];

		if (name && t->tres[i] != 0)
			items[count++] = (struct tres_item){
				builder_tres_row(b, name, strlen(name)), t->tres[i] };
	}
	builder_tres(b, F_PRIO_TRES, row, items, count);
}

void fill_prio(struct fill *f)
{
	const priority_factors_response_msg_t *m = f->l->prio;
	struct listIterator *i;
	priority_factors_object_t *o;

	if (!m || !m->priority_factors_list)
		return;
	i = slurm_list_iterator_create(m->priority_factors_list);
	while ((o = slurm_list_next(i))) {
		struct prio_terms t;

		compat_prio_terms(o, &t);
		fill_terms(f, &t);
	}
	slurm_list_iterator_destroy(i);
}
