/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmrestd's answers except jobs and shares, whose JSON is that of squeue and sshare.
 *
 * Layouts: v0.0.36 (20.11) to v0.0.45 (26.05). Members are named by their path. If a version has a
 * member under another path, that has a line of its own in the tables below; missing members are
 * unknown. A number is plain, or {"set": ..., "infinite": ..., "number": ...}; old versions write
 * negative ones for "not set".
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "adapters/slurm/parse_conf.h"
#include "adapters/slurm/text_assoc.h"
#include "adapters/slurm/text_json.h"
#include "core/base/mem.h"

#define KEYS_MAX 24
#define NOT_A_FIELD ((enum field)-1)

/* A member and its field. FACTOR converts its unit to the field's; 0: it is a text. */
struct rest_key {
	const char *path;
	enum field field;
	int factor;
};

struct rest_record {
	const struct rest_key *keys;
	size_t count;
	struct record_value {
		double number;		/* NaN: none */
		struct slice text;
			/* borrowed from the text; of a list all, joined by * commas */ bool list;
	} values[KEYS_MAX];
	char path[128];			/* of the member that is read */
};

/* ---- an object, its members by path -------------------------------------------------------- */

static struct record_value *find_value(struct rest_record *rec)
{
	for (size_t i = 0; i < rec->count; i++) {
		if (strcmp(rec->keys[i].path, rec->path) == 0)
			return &rec->values[i];
	}
	return NULL;
}

/* Moves the texts of a list together where they were read, joined by commas. */
static void rest_add_text(struct record_value *v, const char *text, size_t length)
{
	char *end = (char *)(uintptr_t)v->text.at + v->text.length;

	if (v->text.length == 0) {
		v->text = (struct slice){ text, length };
		return;
	}
	*end = ',';
	memmove(end + 1, text, length);
	v->text.length += length + 1;
}

static void rest_read_list(struct rest_record *rec, struct pull *p)
{
	struct record_value *v = find_value(rec);
	struct pull_value element;

	if (v)
		v->list = true;
	while (pull_element(p)) {
		if (pull_value(p, &element) == PULL_STRING && v)
			rest_add_text(v, element.string, element.length);
		pull_skip(p, element.kind);
	}
}

static void rest_read_members(struct rest_record *rec, struct pull *p);

/* Reads a member of an object; an object {"set", "infinite", "number"} counts as a number. */
static void read_member(struct rest_record *rec, struct pull *p, const char *key, size_t parent,
			bool *set, bool *infinite)
{
	struct record_value *v;
	struct pull_value value;
	enum pull_kind kind;
	bool is_number = strcmp(key, "number") == 0;

	snprintf(rec->path + parent, sizeof(rec->path) - parent, "%s%s",
		 parent && !is_number ? "/" : "", is_number ? "" : key);
	kind = pull_value(p, &value);
	v = find_value(rec);
	if (kind == PULL_OBJECT) {
		rest_read_members(rec, p);
	} else if (kind == PULL_ARRAY) {
		rest_read_list(rec, p);
	} else if (kind == PULL_BOOL && strcmp(key, "set") == 0) {
		*set = value.boolean;
	} else if (kind == PULL_BOOL && strcmp(key, "infinite") == 0) {
		*infinite = value.boolean;
	} else if (v && kind == PULL_STRING) {
		rest_add_text(v, value.string, value.length);
	} else if (v && (kind == PULL_INT || kind == PULL_REAL)) {
		v->number = *infinite ? (double)INFINITY : *set ? value.real : (double)NAN;
	}
}

static void rest_read_members(struct rest_record *rec, struct pull *p)
{
	size_t parent = strlen(rec->path);
	bool set = true, infinite = false;
	struct pull_value key;

	while (pull_member(p, &key))
		read_member(rec, p, key.string, parent, &set, &infinite);
	rec->path[parent] = '\0';
}

static void record_read(struct rest_record *rec, struct pull *p)
{
	rec->path[0] = '\0';
	for (size_t i = 0; i < rec->count; i++)
		rec->values[i] = (struct record_value){ (double)NAN, { "", 0 }, false };
	rest_read_members(rec, p);
}

static void rest_copy_text(char *to, size_t size, struct slice s)
{
	if (s.length != 0 && s.length < size)
		snprintf(to, size, "%.*s", (int)s.length, s.at);
}

static void rest_put_number(struct slurm_reader *r, const struct rest_key *key, double x,
			    uint32_t row)
{
	if (x >= 0.0 && x != (double)U32_UNKNOWN)
		json_put_number(r, key->field, key->factor,
				x == (double)U32_INFINITE ? (double)INFINITY : x, row);
}

static bool rest_put_values(struct slurm_reader *r, const struct rest_record *rec, uint32_t row)
{
	for (size_t i = 1; i < rec->count; i++) {
		const struct rest_key *key = &rec->keys[i];

		if (key->field == NOT_A_FIELD)
			continue;
		if (key->factor != 0)
			rest_put_number(r, key, rec->values[i].number, row);
		else if (!reader_put(r, key->field, row, rec->values[i].text, key->path))
			return false;
	}
	return true;
}

/* ---- lists of named objects ---------------------------------------------------------------- */

/* Key 0 is the name. AFTER, if not NULL, is called for each record. */
struct rest_list {
	const char *name;
	enum table table;
	const struct rest_key *keys;
	size_t count;
	void (*after)(struct slurm_reader *r, const struct rest_record *rec, uint32_t row);
};

struct rest_reading {
	const struct rest_list *list;
	struct rest_record record;
	struct idmap own, *names;
};

static bool rest_read_row(struct slurm_reader *r, struct pull *p, void *context)
{
	struct rest_reading *reading = context;
	const struct rest_list *list = reading->list;
	struct slice name;
	uint32_t row;

	r->lenient = true;
	record_read(&reading->record, p);
	name = reading->record.values[0].text;
	if (p->problem || name.length == 0)
		return true;
	row = reader_named_row(r, reading->names, list->table, list->keys[0].field, name, true);
	if (list->after)
		list->after(r, &reading->record, row);
	return rest_put_values(r, &reading->record, row);
}

static bool read_named(struct slurm_reader *r, const struct rest_list *list, struct idmap *names)
{
	struct rest_reading reading = { .list = list,
				   .record = { .keys = list->keys, .count = list->count } };
	bool good;

	reading.names = names ? names : &reading.own;
	good = json_rows(r, list->name, rest_read_row, &reading);
	idmap_free(&reading.own);
	return good;
}

#define FIT_A_RECORD(keys) \
	_Static_assert(sizeof(keys) / sizeof((keys)[0]) <= KEYS_MAX, "values[KEYS_MAX]")
#define LIST(name, table, keys, after) \
	{ name, table, keys, sizeof(keys) / sizeof((keys)[0]), after }

static const struct rest_key qos_keys[] = {
	{ "name", F_QOS_NAME, 0 },
	{ "id", F_QOS_ID, 1 },
	{ "priority", F_QOS_PRIORITY, 1 },
	{ "usage_factor", F_QOS_USAGE_FACTOR, 1 },
	{ "usage_threshold", F_QOS_USAGE_THRESHOLD, 1 },
	{ "preempt/list", F_QOS_PREEMPT, 0 },
};
FIT_A_RECORD(qos_keys);

bool slurm_read_rest_qos(struct slurm_reader *r)
{
	static const struct rest_list list = LIST("qos", TABLE_QOS, qos_keys, NULL);

	return read_named(r, &list, &r->qos);
}

static const struct rest_key partition_keys[] = {
	{ "name", F_PARTITION_NAME, 0 },
	{ "partition/state", F_PARTITION_STATE, 0 },
	{ "priority/job_factor", F_PARTITION_JOB_FACTOR, 1 },
	{ "priority/tier", F_PARTITION_TIER, 1 },
	{ "nodes/total", F_PARTITION_NODES, 1 },
	{ "nodes/configured", F_PARTITION_NODE_LIST, 0 },
	{ "cpus/total", F_PARTITION_CPUS, 1 },
	{ "maximums/time", F_PARTITION_MAX_TIME, 60 },
	{ "maximums/nodes", F_PARTITION_MAX_NODES, 1 },
	{ "maximums/over_time_limit", F_PARTITION_OVER_TIME_LIMIT, 1 },
	{ "minimums/nodes", F_PARTITION_MIN_NODES, 1 },
	{ "defaults/time", F_PARTITION_DEFAULT_TIME, 60 },
	{ "tres/configured", F_PARTITION_TRES, 0 },
	{ "tres/billing_weights", F_PARTITION_BILLING_WEIGHTS, 0 },
	{ "qos/assigned", F_PARTITION_QOS, 0 },
	/* up to v0.0.38 */
	{ "priority_job_factor", F_PARTITION_JOB_FACTOR, 1 },
	{ "priority_tier", F_PARTITION_TIER, 1 },
	{ "total_nodes", F_PARTITION_NODES, 1 },
	{ "total_cpus", F_PARTITION_CPUS, 1 },
	{ "billing_weights", F_PARTITION_BILLING_WEIGHTS, 0 },
	{ "tres", F_PARTITION_TRES, 0 },
};
FIT_A_RECORD(partition_keys);

bool slurm_read_rest_partitions(struct slurm_reader *r)
{
	static const struct rest_list list = LIST("partitions", TABLE_PARTITION, partition_keys,
						  NULL);

	return read_named(r, &list, NULL);
}

enum node_key { NODE_STATE = 1, NODE_STATE_FLAGS, NODE_TRES };

static const struct rest_key node_keys[] = {
	{ "name", F_HOST_NAME, 0 },
	[NODE_STATE] = { "state", NOT_A_FIELD, 0 },
	[NODE_STATE_FLAGS] = { "state_flags", NOT_A_FIELD, 0 },	/* up to v0.0.38 */
	[NODE_TRES] = { "tres", F_HOST_TRES, 0 },
	{ "cpus", F_HOST_CPUS, 1 },
	{ "alloc_cpus", F_HOST_CPUS_USED, 1 },
	{ "real_memory", F_HOST_MEMORY, 1 },
	{ "tres_used", F_HOST_TRES_USED, 0 },
	{ "active_features", F_HOST_FEATURES, 0 },
	{ "partitions", F_HOST_PARTITIONS, 0 },
	{ "reason", F_HOST_REASON, 0 },
};
FIT_A_RECORD(node_keys);

/*
 * Puts the state in scontrol's form, "IDLE+DRAIN", and adds the node to the totals. v0.0.36 reports
 * no flags: it is unknown whether a node is drained, and so is its state.
 */
static void rest_add_node(struct slurm_reader *r, const struct rest_record *rec, uint32_t row)
{
	const struct record_value *state = &rec->values[NODE_STATE];
	const struct record_value *flags = &rec->values[NODE_STATE_FLAGS];
	char word[256];
	int length;

	reader_node_totals(r, rec->values[NODE_TRES].text);
	if (state->text.length == 0 || !(state->list || flags->list))
		return;
	length = snprintf(word, sizeof(word), "%.*s%s%.*s", SLICE_PRINT(state->text),
			  flags->text.length ? "+" : "", SLICE_PRINT(flags->text));
	for (int i = 0; i < length; i++) {
		if (word[i] == ',')
			word[i] = '+';
		else if (word[i] >= 'a' && word[i] <= 'z')
			word[i] = (char)(word[i] - 'a' + 'A');
	}
	builder_text(r->b, F_HOST_STATE, row, word, (size_t)length);
}

bool slurm_read_rest_nodes(struct slurm_reader *r)
{
	static const struct rest_list list = LIST("nodes", TABLE_HOST, node_keys, rest_add_node);

	return read_named(r, &list, NULL);
}

static const struct rest_key reservation_keys[] = {
	{ "name", F_RESERVATION_NAME, 0 },
	{ "start_time", F_RESERVATION_START, 1 },
	{ "end_time", F_RESERVATION_END, 1 },
	{ "flags", F_RESERVATION_FLAGS, 0 },
	{ "users", F_RESERVATION_USERS, 0 },
	{ "accounts", F_RESERVATION_ACCOUNTS, 0 },
	{ "partition", F_RESERVATION_PARTITION, 0 },
	{ "node_list", F_RESERVATION_NODE_LIST, 0 },
	{ "node_count", F_RESERVATION_NODES, 1 },
	{ "core_count", F_RESERVATION_CPUS, 1 },
	{ "tres", F_RESERVATION_TRES, 0 },
};
FIT_A_RECORD(reservation_keys);

bool slurm_read_rest_reservations(struct slurm_reader *r)
{
	static const struct rest_list list = LIST("reservations", TABLE_RESERVATION,
						  reservation_keys, NULL);

	return read_named(r, &list, NULL);
}

static const struct rest_key license_keys[] = {
	{ "LicenseName", F_LICENSE_NAME, 0 },
	{ "Total", F_LICENSE_TOTAL, 1 },
	{ "Used", F_LICENSE_USED, 1 },
};
FIT_A_RECORD(license_keys);

bool slurm_read_rest_licenses(struct slurm_reader *r)
{
	static const struct rest_list list = LIST("licenses", TABLE_LICENSE, license_keys, NULL);

	return read_named(r, &list, NULL);
}

/* ---- the tree, for versions without shares ------------------------------------------------- */

enum assoc_key { ASSOC_ACCOUNT, ASSOC_CLUSTER, ASSOC_USER, ASSOC_PARENT, ASSOC_PARTITION,
		 ASSOC_SHARES };

static const struct rest_key assoc_keys[] = {
	[ASSOC_ACCOUNT] = { "account", NOT_A_FIELD, 0 },
	[ASSOC_CLUSTER] = { "cluster", NOT_A_FIELD, 0 },
	[ASSOC_USER] = { "user", NOT_A_FIELD, 0 },
	[ASSOC_PARENT] = { "parent_account", NOT_A_FIELD, 0 },
	[ASSOC_PARTITION] = { "partition", NOT_A_FIELD, 0 },
	[ASSOC_SHARES] = { "shares_raw", F_ASSOC_SHARES, 1 },
};
FIT_A_RECORD(assoc_keys);

struct assocs_reading {
	struct rest_record record;
	bool reported;			/* our cluster is known: jobs name it */
};

/* The database may hold several clusters. If no job names ours, there must be only one. */
static bool rest_is_ours(struct slurm_reader *r, const struct assocs_reading *reading,
			 struct slice cluster, bool *ours)
{
	if (!r->cluster[0])
		rest_copy_text(r->cluster, sizeof(r->cluster), cluster);
	*ours = slice_is(cluster, r->cluster);
	return *ours || reading->reported ||
	       reader_fail(r, "associations of clusters \"%.100s\" and \"%.*s\", and no job that "
			   "shows which one is meant", r->cluster, SLICE_PRINT(cluster));
}

static bool rest_read_assoc(struct slurm_reader *r, struct pull *p, void *context)
{
	struct assoc_name name = ASSOC_NAME_INIT;
	struct assocs_reading *reading = context;
	struct rest_record *rec = &reading->record;
	uint32_t row;
	bool ours;

	record_read(rec, p);
	name.account = rec->values[ASSOC_ACCOUNT].text;
	name.user = rec->values[ASSOC_USER].text;
	if (name.user.length == 0)
		name.parent = rec->values[ASSOC_PARENT].text;
	name.partition = rec->values[ASSOC_PARTITION].text;
	name.partition_known = true;
	if (p->problem || name.account.length == 0)
		return true;
	if (!rest_is_ours(r, reading, rec->values[ASSOC_CLUSTER].text, &ours))
		return false;
	if (!ours)
		return true;
	if (!assocs_meet(r, &name, &row))
		return false;
	return row == ROW_NONE || rest_put_values(r, rec, row);
}

bool slurm_read_rest_associations(struct slurm_reader *r)
{
	struct assocs_reading reading = { .reported = r->cluster[0] != '\0' };
	bool good;

	reading.record.keys = assoc_keys;
	reading.record.count = sizeof(assoc_keys) / sizeof(assoc_keys[0]);
	assocs_begin(r->assocs);
	good = json_rows(r, "associations", rest_read_assoc, &reading);
	return good;
}

/* ---- time and cluster ---------------------------------------------------------------------- */

enum diag_key {
	DIAG_TIME, DIAG_BACKFILL, DIAG_PENDING, DIAG_RUNNING, DIAG_CLUSTER, DIAG_RELEASE,
	DIAG_OLD_RELEASE, DIAG_KEYS
};

static const struct rest_key diag_keys[] = {
	[DIAG_TIME] = { "statistics/req_time", NOT_A_FIELD, 1 },
	[DIAG_BACKFILL] = { "statistics/bf_when_last_cycle", NOT_A_FIELD, 1 },
	[DIAG_PENDING] = { "statistics/jobs_pending", NOT_A_FIELD, 1 },
	[DIAG_RUNNING] = { "statistics/jobs_running", NOT_A_FIELD, 1 },
	[DIAG_CLUSTER] = { "meta/slurm/cluster", NOT_A_FIELD, 0 },
	[DIAG_RELEASE] = { "meta/slurm/release", NOT_A_FIELD, 0 },
	[DIAG_OLD_RELEASE] = { "meta/Slurm/release", NOT_A_FIELD, 0 },
};
FIT_A_RECORD(diag_keys);

/* v0.0.36 to v0.0.39 name the cluster only in jobs. */
static bool rest_read_cluster(struct slurm_reader *r, struct pull *p, void *context)
{
	static const struct rest_key key = { "cluster", NOT_A_FIELD, 0 };
	struct rest_record rec = { .keys = &key, .count = 1 };

	(void)context;
	record_read(&rec, p);
	rest_copy_text(r->cluster, sizeof(r->cluster), rec.values[0].text);
	return true;
}

/* The local slurm.conf may not be that of the cluster that slurmrestd serves. */
static bool is_foreign_conf(struct slurm_reader *r)
{
	char cluster[sizeof(r->cluster)];

	slurm_config_cluster(r->texts, SLURM_CONF, cluster, sizeof(cluster));
	return !cluster[0] || strcasecmp(cluster, r->cluster) != 0;
}

static uint32_t rest_count_of(double number)
{
	return number >= 0 && number < U32_INFINITE ? (uint32_t)number : U32_UNKNOWN;
}

bool slurm_read_rest_diag(struct slurm_reader *r)
{
	struct rest_record rec = { .keys = diag_keys, .count = DIAG_KEYS };
	char *text = mem_strndup(r->text->text, r->text->length);	/* it is changed in place */
	struct pull_value whole;
	struct pull p;

	pull_init(&p, text, r->text->length);
	if (pull_value(&p, &whole) == PULL_OBJECT)
		record_read(&rec, &p);
	if (isfinite(rec.values[DIAG_TIME].number) && rec.values[DIAG_TIME].number > 0.0)
		r->time = (int64_t)rec.values[DIAG_TIME].number;
	if (rec.values[DIAG_BACKFILL].number > 0.0 && rec.values[DIAG_BACKFILL].number < 1e11)
		r->last_backfill = (int64_t)rec.values[DIAG_BACKFILL].number;
	r->jobs_pending = rest_count_of(rec.values[DIAG_PENDING].number);
	r->jobs_running = rest_count_of(rec.values[DIAG_RUNNING].number);
	rest_copy_text(r->cluster, sizeof(r->cluster), rec.values[DIAG_CLUSTER].text);
	rest_copy_text(r->version, sizeof(r->version), rec.values[DIAG_OLD_RELEASE].text);
	rest_copy_text(r->version, sizeof(r->version), rec.values[DIAG_RELEASE].text);
	mem_free(text);
	if (p.problem)
		return reader_fail(r, "%s", p.problem);
	r->text = &r->texts->kind[SLURM_SQUEUE_JSON];
	if (!r->cluster[0] && r->text->text && !json_rows(r, "jobs", rest_read_cluster, NULL))
		return false;
	r->foreign_conf = is_foreign_conf(r);
	return true;
}

void slurm_rest_without_policy(struct slurm_reader *r)
{
	static const enum field fields[] = { F_ASSOC_USAGE, F_ASSOC_R_NORM_USAGE,
					     F_ASSOC_R_EFFECTIVE_USAGE,
					     F_ASSOC_R_LEVEL_FS, F_ASSOC_R_FAIRSHARE };
	uint32_t rows = builder_rows(r->b, TABLE_ASSOC);
	bool fair_tree = false, shares = r->texts->kind[SLURM_SSHARE_JSON].text;

	for (uint32_t row = 0; row < rows && !fair_tree; row++)
		fair_tree = builder_get_f64(r->b, F_ASSOC_R_LEVEL_FS, row) > 0.0;
	builder_note(r->b, "policy", "slurmrestd does not report it, and there is no slurm.conf "
		     "of %s here: %s", r->cluster[0] ? r->cluster : "its cluster", fair_tree ?
		     "the defaults of Slurm are assumed; shares are those of Fair Tree" :
		     shares ? "it is not Fair Tree; usage and F, which need it, are unknown" :
		     "the defaults of Slurm are assumed");
	reader_put_policy(r, slice_of("PriorityType"), slice_of(POLICY_TYPE_UNKNOWN));
	if (shares && !fair_tree)
		builder_policy(r->b)->flags |= PF_NO_FAIR_TREE;
	for (uint32_t row = 0; row < rows && !fair_tree; row++) {
		for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
			builder_f64(r->b, fields[i], row, F64_UNKNOWN);
	}
}
