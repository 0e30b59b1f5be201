/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scontrol show partition, node, reservation, license: records of Key=Value. */
#include <stdio.h>
#include <string.h>

#include "adapters/slurm/text_reader.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

struct record_kind {
	const char *first;		/* key a record begins with */
	enum table table;
	enum field name_field;
	const struct field_key *keys;
	size_t key_count;
};

/* Puts one pair of a record by the record's table. */
static bool scontrol_put_pair(struct slurm_reader *r, const struct record_kind *kind,
			      const struct pairs *p, uint32_t row)
{
	for (size_t i = 0; i < kind->key_count; i++) {
		/* OverTimeLimit=NONE: not set for the partition */
		if (kind->keys[i].field == F_PARTITION_OVER_TIME_LIMIT &&
		    slice_is(p->value, "NONE"))
			continue;
		if (slice_is(p->key, kind->keys[i].key))
			return reader_put(r, kind->keys[i].field, row, p->value, kind->keys[i].key);
	}
	return true;
}

/* TOTAL, if not NULL, is also called for every pair. */
static bool read_records(struct slurm_reader *r, const struct record_kind *kind,
			 void (*total)(struct slurm_reader *r, const struct pairs *p, uint32_t row))
{
	struct idmap names = { 0 };
	struct pairs p;
	uint32_t row = ROW_NONE;
	bool good = true;
	char what[60];

	pairs_open(&p, r->text, kind->first);
	while (good && pairs_next(&p)) {
		r->line = p.line_number;
		if (p.line_start && slice_is(p.key, kind->first)) {
			row = reader_named_row(r, &names, kind->table, kind->name_field, p.value,
					       true);
		} else if (row != ROW_NONE) {
			if (total)
				total(r, &p, row);
			good = scontrol_put_pair(r, kind, &p, row);
		}
	}
	idmap_free(&names);
	r->remark = p.remark;
	(void)snprintf(what, sizeof(what), "records that begin with %s=", kind->first);
	return good && (row != ROW_NONE || reader_none(r, what));
}

static const struct field_key partition_keys[] = {
	{ "State", F_PARTITION_STATE },
	{ "PriorityJobFactor", F_PARTITION_JOB_FACTOR },
	{ "PriorityTier", F_PARTITION_TIER },
	{ "TotalNodes", F_PARTITION_NODES },
	{ "TotalCPUs", F_PARTITION_CPUS },
	{ "Nodes", F_PARTITION_NODE_LIST },
	{ "MaxTime", F_PARTITION_MAX_TIME },
	{ "DefaultTime", F_PARTITION_DEFAULT_TIME },
	{ "MinNodes", F_PARTITION_MIN_NODES },
	{ "MaxNodes", F_PARTITION_MAX_NODES },
	{ "TRES", F_PARTITION_TRES },
	{ "TRESBillingWeights", F_PARTITION_BILLING_WEIGHTS },
	{ "QoS", F_PARTITION_QOS },
	{ "PreemptMode", F_PARTITION_PREEMPT_MODE },
	{ "OverTimeLimit", F_PARTITION_OVER_TIME_LIMIT },
};

bool slurm_read_partition(struct slurm_reader *r)
{
	static const struct record_kind kind = { "PartitionName", TABLE_PARTITION, F_PARTITION_NAME,
						 partition_keys, COUNT_OF(partition_keys) };

	if (!read_records(r, &kind, NULL))
		return false;
	/* scontrol prints no line if there are none. */
	for (uint32_t row = 0; row < builder_rows(r->b, TABLE_PARTITION); row++) {
		if (!builder_get_text(r->b, F_PARTITION_BILLING_WEIGHTS, row))
			builder_str(r->b, F_PARTITION_BILLING_WEIGHTS, row, "");
	}
	return true;
}

static const struct field_key node_keys[] = {
	{ "State", F_HOST_STATE },
	{ "CPUTot", F_HOST_CPUS },
	{ "CPUAlloc", F_HOST_CPUS_USED },
	{ "RealMemory", F_HOST_MEMORY },
	{ "CfgTRES", F_HOST_TRES },
	{ "AllocTRES", F_HOST_TRES_USED },
	{ "AvailableFeatures", F_HOST_FEATURES },
	{ "Partitions", F_HOST_PARTITIONS },
	{ "Reason", F_HOST_REASON },
};

/* Adds a node's TRES to the cluster's totals. */
static void total_node(struct slurm_reader *r, const struct pairs *p, uint32_t row)
{
	(void)row;
	if (slice_is(p->key, "CfgTRES"))
		reader_node_totals(r, p->value);
}

bool slurm_read_node(struct slurm_reader *r)
{
	static const struct record_kind kind = { "NodeName", TABLE_HOST, F_HOST_NAME, node_keys,
						 COUNT_OF(node_keys) };

	return read_records(r, &kind, total_node);
}

static const struct field_key reservation_keys[] = {
	{ "StartTime", F_RESERVATION_START },
	{ "EndTime", F_RESERVATION_END },
	{ "Flags", F_RESERVATION_FLAGS },
	{ "Users", F_RESERVATION_USERS },
	{ "Accounts", F_RESERVATION_ACCOUNTS },
	{ "PartitionName", F_RESERVATION_PARTITION },
	{ "Nodes", F_RESERVATION_NODE_LIST },
	{ "NodeCnt", F_RESERVATION_NODES },
	{ "CoreCnt", F_RESERVATION_CPUS },
	{ "TRES", F_RESERVATION_TRES },
	{ "QOS", F_RESERVATION_QOS },
	{ "AllowedPartitions", F_RESERVATION_PARTITIONS },
};

bool slurm_read_reservation(struct slurm_reader *r)
{
	static const struct record_kind kind = { "ReservationName", TABLE_RESERVATION,
						 F_RESERVATION_NAME, reservation_keys,
						 COUNT_OF(reservation_keys) };

	return read_records(r, &kind, NULL);
}

static const struct field_key license_keys[] = {
	{ "Total", F_LICENSE_TOTAL },
	{ "Used", F_LICENSE_USED },
};

static void scontrol_total_license(struct slurm_reader *r, const struct pairs *p, uint32_t row)
{
	char name[256];
	double total;

	if (!slice_is(p->key, "Total") || !slice_f64(p->value, &total))
		return;
	(void)snprintf(name, sizeof(name), "license/%s",
		       builder_get_text(r->b, F_LICENSE_NAME, row));
	/* Only those of AccountingStorageTRES are trackable resources. */
	for (uint32_t tres = 0; tres < builder_rows(r->b, TABLE_TRES); tres++) {
		if (strcmp(builder_get_text(r->b, F_TRES_NAME, tres), name) == 0)
			reader_total(r, slice_of(name), total);
	}
}

bool slurm_read_license(struct slurm_reader *r)
{
	static const struct record_kind kind = { "LicenseName", TABLE_LICENSE, F_LICENSE_NAME,
						 license_keys, COUNT_OF(license_keys) };

	return read_records(r, &kind, scontrol_total_license);
}
