/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes, partitions, reservations, licenses: the resources of the cluster. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adapters/slurm/helper/compat.h"
#include "adapters/slurm/helper/fill.h"
#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/cluster/tres.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- nodes --------------------------------------------------------------------------------- */

static const struct bit_name node_flags[] = {
	{ NODE_STATE_RES, "RESERVED" },
	{ NODE_STATE_CLOUD, "CLOUD" },
	{ NODE_STATE_DRAIN, "DRAIN" },
	{ NODE_STATE_COMPLETING, "COMPLETING" },
	{ NODE_STATE_NO_RESPOND, "NOT_RESPONDING" },
	{ NODE_STATE_POWERED_DOWN, "POWERED_DOWN" },
	{ NODE_STATE_FAIL, "FAIL" },
	{ NODE_STATE_POWERING_UP, "POWERING_UP" },
	{ NODE_STATE_MAINT, "MAINTENANCE" },
	{ NODE_STATE_REBOOT_REQUESTED, "REBOOT_REQUESTED" },
	{ NODE_STATE_POWERING_DOWN, "POWERING_DOWN" },
	{ NODE_STATE_DYNAMIC_FUTURE, "DYNAMIC_FUTURE" },
	{ NODE_STATE_REBOOT_ISSUED, "REBOOT_ISSUED" },
	{ NODE_STATE_PLANNED, "PLANNED" },
	{ NODE_STATE_INVALID_REG, "INVALID_REG" },
	{ NODE_STATE_POWER_DOWN, "POWER_DOWN" },
	{ NODE_STATE_POWER_UP, "POWER_UP" },
	{ NODE_STATE_POWER_DRAIN, "POWER_DRAIN" },
	{ NODE_STATE_DYNAMIC_NORM, "DYNAMIC_NORM" },
};

/* In the form of `scontrol show node`: "IDLE+DRAIN". */
static void node_state_text(uint32_t state, char *buf, size_t size)
{
	static const char *const bases[] = { "UNKNOWN", "DOWN", "IDLE", "ALLOCATED", "ERROR",
					     "MIXED", "FUTURE" };
	uint32_t base = state & NODE_STATE_BASE;

	snprintf(buf, size, "%s", base < COUNT(bases) ? bases[base] : bases[0]);
	for (size_t i = 0; i < COUNT(node_flags); i++) {
		if (state & node_flags[i].bit)
			format_append(buf, size, "+%s", node_flags[i].name);
	}
}

/* The total of each TRES: the sum over nodes, nodes themselves, and licenses. */
struct totals {
	struct builder *b;
	double *sums;		/* by TRES row; NaN: not reported */
	size_t capacity;
};

static void fill_site_add_total(struct totals *t, const char *name, double value)
{
	uint32_t row = builder_tres_row(t->b, name, strlen(name));

	if (row >= t->capacity) {
		size_t from = t->capacity;

		MEM_GROW(t->sums, t->capacity, (size_t)row + 1);
		while (from < t->capacity)
			t->sums[from++] = F64_UNKNOWN;
	}
	t->sums[row] = (isnan(t->sums[row]) ? 0 : t->sums[row]) + value;
}

static bool add_pair(void *context, const struct tres_pair *pair, struct err *err)
{
	(void)err;
	fill_site_add_total(context, pair->name, pair->value);
	return true;
}

static void fill_node(struct fill *f, const node_info_t *n, struct totals *totals)
{
	struct builder *b = f->b;
	uint32_t row = builder_add(b, TABLE_HOST);
	char state[256], *used;

	node_state_text(n->node_state, state, sizeof(state));
	builder_str(b, F_HOST_NAME, row, n->name);
	builder_str(b, F_HOST_STATE, row, state);
	builder_u32(b, F_HOST_CPUS, row, n->cpus);
	builder_u32(b, F_HOST_CPUS_USED, row, compat_node_cpus_used(n));
	builder_f64(b, F_HOST_MEMORY, row, (double)n->real_memory);
	fill_tres_text(f, F_HOST_TRES, row, n->tres_fmt_str);
	used = compat_node_tres_used(n);
	fill_tres_text(f, F_HOST_TRES_USED, row, used ? used : "");
	compat_free_text(&used);
	builder_str(b, F_HOST_FEATURES, row, n->features);
	fill_comma_list(f, F_HOST_PARTITIONS, row, n->partitions);
	builder_str(b, F_HOST_REASON, row, n->reason);
	fill_site_add_total(totals, "node", 1);
	if (n->tres_fmt_str)
		tres_parse_counts(n->tres_fmt_str, add_pair, totals, NULL);
}

void fill_nodes(struct fill *f)
{
	node_info_msg_t *m = f->l->nodes;
	struct totals totals = { .b = f->b };

	/* slurmctld does not report this; libslurm computes it from the partitions. */
	if (m && f->l->partitions)
		slurm_populate_node_partitions(m, f->l->partitions);
	for (uint32_t i = 0; m && i < m->record_count; i++) {
		if (m->node_array[i].name)
			fill_node(f, &m->node_array[i], &totals);
	}
	for (uint32_t row = 0; row < totals.capacity; row++) {
		/* billing of the nodes is not the billing of any partition */
		if (row < builder_rows(f->b, TABLE_TRES) && !isnan(totals.sums[row]) &&
		    strcmp(builder_get_text(f->b, F_TRES_NAME, row), "billing") != 0)
			builder_f64(f->b, F_TRES_COUNT, row, totals.sums[row]);
	}
	mem_free(totals.sums);
}

/* ---- partitions ---------------------------------------------------------------------------- */

static const struct bit_name part_flags[] = {
	{ PART_FLAG_DEFAULT, "Default" },
	{ PART_FLAG_HIDDEN, "Hidden" },
	{ PART_FLAG_NO_ROOT, "DisableRootJobs" },
	{ PART_FLAG_ROOT_ONLY, "RootOnly" },
	{ PART_FLAG_REQ_RESV, "ReqResv" },
	{ PART_FLAG_LLN, "LLN" },
	{ PART_FLAG_EXCLUSIVE_USER, "ExclusiveUser" },
};

static const char *part_state(uint16_t state)
{
	switch (state) {
	case PARTITION_UP:
		return "UP";
	case PARTITION_DOWN:
		return "DOWN";
	case PARTITION_DRAIN:
		return "DRAIN";
	case PARTITION_INACTIVE:
		return "INACTIVE";
	default:
		return NULL;
	}
}

static void fill_partition(struct fill *f, const partition_info_t *p)
{
	struct builder *b = f->b;
	uint32_t row = builder_add(b, TABLE_PARTITION);
	char mode[64];

	builder_str(b, F_PARTITION_NAME, row, p->name);
	builder_str(b, F_PARTITION_STATE, row, part_state(p->state_up));
	builder_u32(b, F_PARTITION_JOB_FACTOR, row, p->priority_job_factor);
	builder_u32(b, F_PARTITION_TIER, row, p->priority_tier);
	builder_u32(b, F_PARTITION_NODES, row, p->total_nodes);
	builder_u32(b, F_PARTITION_CPUS, row, p->total_cpus);
	builder_str(b, F_PARTITION_NODE_LIST, row, p->nodes);
	builder_i64(b, F_PARTITION_MAX_TIME, row, fill_minutes(p->max_time));
	builder_i64(b, F_PARTITION_DEFAULT_TIME, row, fill_minutes(p->default_time));
	builder_u32(b, F_PARTITION_MIN_NODES, row, p->min_nodes);
	builder_u32(b, F_PARTITION_MAX_NODES, row, p->max_nodes);
	if (p->over_time_limit != NO_VAL16)
		builder_u32(b, F_PARTITION_OVER_TIME_LIMIT, row,
			    p->over_time_limit == INFINITE16 ? U32_INFINITE : p->over_time_limit);
	fill_tres_text(f, F_PARTITION_TRES, row, p->tres_fmt_str);
	/* No weights is also a known value: CPUs are billed. */
	builder_str(b, F_PARTITION_BILLING_WEIGHTS, row,
		    p->billing_weights_str ? p->billing_weights_str : "");
	builder_str(b, F_PARTITION_QOS, row, p->qos_char);
	fill_bits(f, F_PARTITION_FLAGS, row, p->flags, part_flags, COUNT(part_flags));
	/* Not set for the partition: the cluster's value applies. */
	builder_str(b, F_PARTITION_PREEMPT_MODE, row,
		    preempt_mode_text(p->preempt_mode == NO_VAL16 ? f->l->conf->preempt_mode
								  : p->preempt_mode,
				      mode, sizeof(mode)));
}

void fill_partitions(struct fill *f)
{
	const partition_info_msg_t *m = f->l->partitions;

	for (uint32_t i = 0; m && i < m->record_count; i++)
		fill_partition(f, &m->partition_array[i]);
}

/* ---- reservations and licenses ------------------------------------------------------------- */

/* In the order of scontrol's output. */
static const struct bit_name resv_flags[] = {
	{ RESERVE_FLAG_MAINT, "MAINT" },
	{ RESERVE_FLAG_FLEX, "FLEX" },
	{ RESERVE_FLAG_OVERLAP, "OVERLAP" },
	{ RESERVE_FLAG_IGN_JOBS, "IGNORE_JOBS" },
	{ RESERVE_FLAG_HOURLY, "HOURLY" },
	{ RESERVE_FLAG_DAILY, "DAILY" },
	{ RESERVE_FLAG_WEEKDAY, "WEEKDAY" },
	{ RESERVE_FLAG_WEEKEND, "WEEKEND" },
	{ RESERVE_FLAG_WEEKLY, "WEEKLY" },
	{ RESERVE_FLAG_SPEC_NODES, "SPEC_NODES" },
	{ RESERVE_FLAG_ALL_NODES, "ALL_NODES" },
	{ RESERVE_FLAG_ANY_NODES, "ANY_NODES" },
	{ RESERVE_FLAG_STATIC, "STATIC" },
	{ RESERVE_FLAG_PART_NODES, "PART_NODES" },
	{ RESERVE_FLAG_TIME_FLOAT, "TIME_FLOAT" },
	{ RESERVE_FLAG_REPLACE, "REPLACE" },
	{ RESERVE_FLAG_REPLACE_DOWN, "REPLACE_DOWN" },
	{ RESERVE_FLAG_PURGE_COMP, "PURGE_COMP" },
	{ RESERVE_FLAG_NO_HOLD_JOBS, "NO_HOLD_JOBS_AFTER_END" },
	{ RESERVE_FLAG_MAGNETIC, "MAGNETIC" },
};

static void fill_reservation(struct fill *f, const reserve_info_t *r)
{
	struct builder *b = f->b;
	uint32_t row = builder_add(b, TABLE_RESERVATION);

	builder_str(b, F_RESERVATION_NAME, row, r->name);
	builder_i64(b, F_RESERVATION_START, row, fill_time(r->start_time));
	builder_i64(b, F_RESERVATION_END, row, fill_time(r->end_time));
	fill_bits(f, F_RESERVATION_FLAGS, row, r->flags, resv_flags, COUNT(resv_flags));
	fill_comma_list(f, F_RESERVATION_USERS, row, r->users);
	fill_comma_list(f, F_RESERVATION_ACCOUNTS, row, r->accounts);
	builder_str(b, F_RESERVATION_PARTITION, row, r->partition);
	builder_str(b, F_RESERVATION_NODE_LIST, row, r->node_list);
	builder_u32(b, F_RESERVATION_NODES, row, r->node_cnt);
	builder_u32(b, F_RESERVATION_CPUS, row, r->core_cnt);
	fill_tres_text(f, F_RESERVATION_TRES, row, r->tres_str);
#ifdef HAVE_RESERVE_INFO_T_QOS	/* since 25.11 */
	fill_comma_list(f, F_RESERVATION_QOS, row, r->qos);
#endif
#ifdef HAVE_RESERVE_INFO_T_ALLOWED_PARTS	/* since 25.11 */
	fill_comma_list(f, F_RESERVATION_PARTITIONS, row, r->allowed_parts);
#endif
}

void fill_reservations(struct fill *f)
{
	const reserve_info_msg_t *m = f->l->reservations;

	for (uint32_t i = 0; m && i < m->record_count; i++)
		fill_reservation(f, &m->reservation_array[i]);
}

/* If a license is also a TRES, this is its total. */
static void fill_site_total_license(struct fill *f, const slurm_license_info_t *license)
{
	for (uint32_t row = 0; row < builder_rows(f->b, TABLE_TRES); row++) {
		const char *name = builder_get_text(f->b, F_TRES_NAME, row);

		if (name && license->name && strncmp(name, "license/", 8) == 0 &&
		    strcasecmp(name + 8, license->name) == 0)
			builder_f64(f->b, F_TRES_COUNT, row, license->total);
	}
}

void fill_licenses(struct fill *f)
{
	const license_info_msg_t *m = f->l->licenses;

	for (uint32_t i = 0; m && i < m->num_lic; i++) {
		uint32_t row = builder_add(f->b, TABLE_LICENSE);

		builder_str(f->b, F_LICENSE_NAME, row, m->lic_array[i].name);
		builder_u32(f->b, F_LICENSE_TOTAL, row, m->lic_array[i].total);
		builder_u32(f->b, F_LICENSE_USED, row, m->lic_array[i].in_use);
		fill_site_total_license(f, &m->lic_array[i]);
	}
}
