/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scontrol show config, partition, node, reservation, license; and sdiag for the instant.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "adapters/slurm/parse_conf.h"
#include "adapters/slurm/text_reader.h"
#include "core/mem.h"
#include "core/tres.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/* The year 9999: what is later is no time. */
#define LAST_TIME 253402300799

/* ---- sdiag --------------------------------------------------------------------------------- */

/*
 * "sdiag output at Fri Nov 20 04:04:27 2026 (1795147467)": the same instant in local time and in
 * Unix time (since 16.05), so it tells how far our time zone is from theirs.
 */
bool slurm_read_sdiag(struct slurm_reader *r)
{
	static const char mark[] = "sdiag output at ";
	const char *at = strstr(r->text->text, mark);
	struct tm tm = { .tm_isdst = -1 };
	const char *end;
	long long epoch;
	int64_t shift;

	if (!at)
		return reader_fail(r, "expected \"%s\" and a time", mark);
	end = strptime(at + sizeof(mark) - 1, "%a %b %d %H:%M:%S %Y", &tm);
	if (!end || sscanf(end, " (%lld)", &epoch) != 1 || epoch < 0 || epoch > LAST_TIME)
		return true;
	tm.tm_isdst = -1;
	shift = epoch - (int64_t)mktime(&tm);
	r->time = epoch;
	/* Time zones differ by quarters of an hour, and by 26 hours at most. */
	if (shift != 0 && shift % 900 == 0 && llabs(shift) <= 26 * 3600) {
		r->shift = shift;
		builder_note(r->b, "times", "printed in another time zone: moved by %+.2f h",
			     (double)shift / 3600.0);
	}
	return true;
}

/* ---- configuration ------------------------------------------------------------------------- */

/* "10 sec", "0 min", "0 percent": the number counts. */
static struct slice without_unit(struct slice s)
{
	static const char *const units[] = { " sec", " min", " usec", " percent" };

	for (size_t i = 0; i < COUNT_OF(units); i++) {
		size_t length = strlen(units[i]);

		if (s.length > length &&
		    memcmp(s.at + s.length - length, units[i], length) == 0)
			s.length -= length;
	}
	return s;
}

static void copy_text(char *to, size_t size, struct slice s)
{
	size_t length = s.length < size ? s.length : size - 1;

	memcpy(to, s.at, length);
	to[length] = '\0';
}

/* What scontrol prints beside the parameters. */
static bool read_state(struct slurm_reader *r, struct slice key, struct slice value)
{
	int64_t time;

	if (slice_is(key, "ClusterName"))
		copy_text(r->cluster, sizeof(r->cluster), value);
	else if (slice_is(key, "SLURM_VERSION"))
		copy_text(r->version, sizeof(r->version), value);
	else if (slice_is(key, "BOOT_TIME") && slice_time(value, &time))
		r->boot = time + r->shift;
	else
		return false;
	return true;
}

/* The TRES that are counted, in the scheduler's own order. */
static void add_tres_names(struct slurm_reader *r, struct slice list)
{
	struct slice name;

	while (!slice_absent(list) && slice_piece(&list, ',', &name)) {
		if (name.length != 0)
			reader_tres_row(r, name);
	}
}

static bool read_config_line(struct slurm_reader *r, struct slice line)
{
	struct slice key, value = line;

	if (!memchr(line.at, '=', line.length) || !slice_piece(&value, '=', &key))
		return true;
	key = slice_trim(key);
	value = without_unit(slice_trim(value));
	if (read_state(r, key, value))
		return true;
	if (slice_is(key, "AccountingStorageTRES"))
		add_tres_names(r, value);
	if (slice_is(key, "PrivateData") && slice_is(value, "none"))
		value.length = 0;
	return reader_put_policy(r, key, value);
}

static bool read_conf_pair(void *context, const struct slurm_conf_pair *pair, struct err *err)
{
	struct slurm_reader *r = context;

	(void)err;
	r->line = pair->line;
	if (slice_same(pair->head, "Include"))
		builder_note(r->b, "policy", "%s:%u: Include %.*s was not read", r->text->name,
			     (unsigned)r->line, SLICE_PRINT(pair->value));
	else if (slurm_conf_is_global(pair)) {
		if (slice_same(pair->key, "ClusterName"))
			copy_text(r->cluster, sizeof(r->cluster), pair->value);
		return reader_put_policy(r, pair->key, pair->value);
	}
	return true;
}

bool slurm_read_conf(struct slurm_reader *r)
{
	return slurm_conf_scan(r->text, read_conf_pair, r, r->err);
}

bool slurm_read_config(struct slurm_reader *r)
{
	static const char head[] = "Configuration data as of ";
	struct policy *policy = builder_policy(r->b);
	struct slice rest = { r->text->text, r->text->length }, line;
	char unknown_flags[sizeof(policy->unknown_flags)];
	bool any = false;
	int64_t time;

	/* slurmctld prints only the words it knows; those of slurm.conf are worth keeping. */
	memcpy(unknown_flags, policy->unknown_flags, sizeof(unknown_flags));
	r->line = 0;
	while (slice_line(&rest, &line)) {
		r->line++;
		if (slice_starts(line, head)) {
			any = true;
			if (r->time == I64_UNKNOWN &&
			    slice_time(slice_from(line, sizeof(head) - 1), &time))
				r->time = time + r->shift;
		} else if (!read_config_line(r, line)) {
			return false;
		}
	}
	if (!policy->unknown_flags[0])
		memcpy(policy->unknown_flags, unknown_flags, sizeof(unknown_flags));
	if (!any && !r->cluster[0])
		return reader_fail(r, "expected the output of scontrol show config");
	return true;
}

/* ---- records ------------------------------------------------------------------------------- */

struct record_kind {
	const char *first;		/* key a record begins with */
	enum table table;
	enum field name_field;
	const struct field_key *keys;
	size_t key_count;
};

/* One pair of a record by its table. */
static bool put_pair(struct slurm_reader *r, const struct record_kind *kind, const struct pairs *p,
		     uint32_t row)
{
	for (size_t i = 0; i < kind->key_count; i++) {
		if (slice_is(p->key, kind->keys[i].key))
			return reader_put(r, kind->keys[i].field, row, p->value, kind->keys[i].key);
	}
	return true;
}

/* TOTAL, if given, sees every pair, too. */
static bool read_records(struct slurm_reader *r, const struct record_kind *kind,
			 void (*total)(struct slurm_reader *r, const struct pairs *p, uint32_t row))
{
	struct row_index names = { 0 };
	struct pairs p;
	uint32_t row = ROW_NONE;
	bool good = true;

	pairs_open(&p, r->text);
	while (good && pairs_next(&p)) {
		r->line = p.line_number;
		if (p.line_start && slice_is(p.key, kind->first)) {
			row = reader_named_row(r, &names, kind->table, kind->name_field, p.value,
					       true);
		} else if (row != ROW_NONE) {
			if (total)
				total(r, &p, row);
			good = put_pair(r, kind, &p, row);
		}
	}
	row_index_free(&names);
	if (good && row == ROW_NONE && r->text->length != 0 &&
	    !slice_starts(slice_of(r->text->text), "No "))
		return reader_fail(r, "expected records that begin with %s=", kind->first);
	return good;
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
};

bool slurm_read_partition(struct slurm_reader *r)
{
	static const struct record_kind kind = { "PartitionName", TABLE_PARTITION, F_PARTITION_NAME,
						 partition_keys, COUNT_OF(partition_keys) };

	return read_records(r, &kind, NULL);
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

static bool add_total(void *context, const struct tres_pair *pair, struct err *err)
{
	(void)err;
	if (strcmp(pair->name, "billing") != 0)
		reader_total(context, slice_of(pair->name), pair->value);
	return true;
}

/* Adds what a node has to the cluster's totals. */
static void total_node(struct slurm_reader *r, const struct pairs *p, uint32_t row)
{
	char *list;

	(void)row;
	if (!slice_is(p->key, "CfgTRES"))
		return;
	list = mem_strndup(p->value.at, p->value.length);
	reader_total(r, slice_of("node"), 1.0);
	tres_parse_counts(list, add_total, r, NULL);
	mem_free(list);
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

static void total_license(struct slurm_reader *r, const struct pairs *p, uint32_t row)
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

	return read_records(r, &kind, total_license);
}
