/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scontrol show job, over several lines or one (-o); and what the readers of jobs share.
 *
 * A record begins with JobId= at the beginning of a line. Job names may contain anything, even
 * "Priority=5": if a key occurs twice, the later one counts, because the name comes first.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/slurm/text_reader.h"
#include "core/base/mem.h"
#include "core/base/text.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static uint64_t job_hash(uint32_t id)
{
	return text_hash((const char *)&id, sizeof(id), TABLE_JOB);
}

uint32_t reader_find_job(const struct slurm_reader *r, uint32_t id)
{
	size_t at = 0;
	uint32_t row;

	while ((row = idmap_next(&r->jobs, job_hash(id), &at)) != ROW_NONE) {
		if (builder_get_u32(r->b, F_JOB_ID, row) == id)
			break;
	}
	return row;
}

uint32_t reader_job(struct slurm_reader *r, uint32_t id)
{
	uint32_t row = id == U32_UNKNOWN ? ROW_NONE : reader_find_job(r, id);

	if (row != ROW_NONE)
		return row;
	row = builder_add(r->b, TABLE_JOB);
	builder_u32(r->b, F_JOB_ID, row, id);
	if (id != U32_UNKNOWN)
		idmap_add(&r->jobs, job_hash(id), row);
	return row;
}

void reader_put_state(struct slurm_reader *r, uint32_t row, struct slice state)
{
	static const struct {
		const char *code, *word;
	} states[] = {
		{ "BF", "BOOT_FAIL" }, { "CA", "CANCELLED" }, { "CD", "COMPLETED" },
		{ "CF", "CONFIGURING" }, { "CG", "COMPLETING" }, { "DL", "DEADLINE" },
		{ "F", "FAILED" }, { "NF", "NODE_FAIL" }, { "OOM", "OUT_OF_MEMORY" },
		{ "PD", "PENDING" }, { "PR", "PREEMPTED" }, { "R", "RUNNING" },
		{ "RD", "RESV_DEL_HOLD" }, { "RF", "REQUEUE_FED" }, { "RH", "REQUEUE_HOLD" },
		{ "RQ", "REQUEUED" }, { "RS", "RESIZING" }, { "RV", "REVOKED" },
		{ "S", "SUSPENDED" }, { "SE", "SPECIAL_EXIT" }, { "SI", "SIGNALING" },
		{ "SO", "STAGE_OUT" }, { "ST", "STOPPED" }, { "TO", "TIMEOUT" },
	};

	for (size_t i = 0; i < COUNT_OF(states); i++) {
		if (slice_is(state, states[i].code))
			state = slice_of(states[i].word);
	}
	if (!slice_absent(state))
		builder_text(r->b, F_JOB_STATE, row, state.at, state.length);
}

/* Explanations that slurmctld writes without a word before them. */
static const struct {
	const char *text, *word;
} known_reasons[] = {
	{ "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority "
	  "partitions", "Resources" },
};

void reader_put_reason(struct slurm_reader *r, uint32_t row, struct slice reason)
{
	struct slice rest = reason, word;
	bool plain = true;

	if (slice_absent(reason))
		return;
	for (size_t i = 0; i < COUNT_OF(known_reasons); i++) {
		if (slice_is(reason, known_reasons[i].text)) {
			builder_str(r->b, F_JOB_REASON, row, known_reasons[i].word);
			builder_text(r->b, F_JOB_REASON_TEXT, row, reason.at, reason.length);
			return;
		}
	}
	slice_piece(&rest, ',', &word);
	for (size_t i = 0; i < word.length; i++)
		plain = plain && word.at[i] != ' ';
	if (plain)
		builder_text(r->b, F_JOB_REASON, row, word.at, word.length);
	if (!plain || word.length != reason.length)
		builder_text(r->b, F_JOB_REASON_TEXT, row, reason.at, reason.length);
}

/* scontrol writes the blanks of a reason as underscores. */
static void slurm_job_put_reason(struct slurm_reader *r, uint32_t row, struct slice reason)
{
	char *text = mem_strndup(reason.at, reason.length);

	/* A single word may contain underscores. */
	if (memchr(text, ',', reason.length) || slice_starts(reason, "Nodes_required")) {
		for (size_t i = 0; i < reason.length; i++) {
			if (text[i] == '_')
				text[i] = ' ';
		}
	}
	reader_put_reason(r, row, (struct slice){ text, reason.length });
	mem_free(text);
}

void reader_put_billing(struct slurm_reader *r, uint32_t row, struct slice tres)
{
	struct slice item;
	double billing;

	while (slice_piece(&tres, ',', &item)) {
		if (slice_take(&item, "billing=") && slice_f64(item, &billing))
			builder_f64(r->b, F_JOB_BILLING, row, billing);
	}
}

static const struct field_key job_keys[] = {
	{ "ArrayJobId", F_JOB_ARRAY },
	{ "JobName", F_JOB_NAME },
	{ "Priority", F_JOB_PRIORITY },
	{ "Nice", F_JOB_NICE },
	{ "Account", F_JOB_ACCOUNT },
	{ "QOS", F_JOB_QOS },
	{ "Dependency", F_JOB_DEPENDENCY },
	{ "Restarts", F_JOB_RESTARTS },
	{ "TimeLimit", F_JOB_TIME_LIMIT },
	{ "SubmitTime", F_JOB_SUBMIT },
	{ "EligibleTime", F_JOB_ELIGIBLE },
	{ "AccrueTime", F_JOB_ACCRUE },
	{ "StartTime", F_JOB_START },
	{ "EndTime", F_JOB_END },
	{ "Deadline", F_JOB_DEADLINE },
	{ "LastSchedEval", F_JOB_LAST_SCHED },
	{ "Partition", F_JOB_PARTITION },
	{ "NumCPUs", F_JOB_CPUS },
	{ "ReqTRES", F_JOB_TRES },
	{ "Features", F_JOB_FEATURES },
	{ "Licenses", F_JOB_LICENSES },
	{ "Reservation", F_JOB_RESERVATION },
	{ "NumTasks", F_JOB_NUM_TASKS },
	{ "CPUs/Task", F_JOB_CPUS_PER_TASK },
	{ "SLUID", F_JOB_SLUID },
	{ "ReqNodeList", F_JOB_NODES_ASKED },
	{ "ExcNodeList", F_JOB_NODES_AVOIDED },
	{ "Gres", F_JOB_GRES },
	{ "TresPerJob", F_JOB_GRES },
	{ "TresPerNode", F_JOB_GRES },
	{ "TresPerSocket", F_JOB_GRES },
	{ "TresPerTask", F_JOB_GRES },
};

struct job_record {
	struct slurm_reader *r;
	uint32_t row;
	bool allocated;			/* it has or had nodes */
	struct slice nodes;		/* of the present line of -d */
};

static bool put_allocated(struct job_record *j, struct slice tres, const char *key)
{
	reader_put_billing(j->r, j->row, tres);
	return reader_put(j->r, F_JOB_TRES_ALLOC, j->row, tres, key);
}

/* "0-1,4" is 3. */
static uint32_t count_ids(struct slice ids)
{
	struct slice item, first;
	uint32_t from, to, n = 0;

	while (slice_piece(&ids, ',', &item)) {
		slice_piece(&item, '-', &first);
		if (slice_u32(first, &from))
			n += item.length && slice_u32(item, &to) && to >= from ? to - from + 1 : 1;
	}
	return n;
}

/* "Nodes=n[2-4] CPU_IDs=0-1": adds "n[2-4]=2". */
static void put_node_cpus(struct job_record *j, struct slice ids)
{
	const char *before = builder_get_text(j->r->b, F_JOB_NODE_CPUS, j->row);
	size_t size = (before ? strlen(before) : 0) + j->nodes.length + 16;
	char *text = mem_alloc(size, 1);

	snprintf(text, size, "%s%s%.*s=%u", before ? before : "", before ? ";" : "",
		 SLICE_PRINT(j->nodes), (unsigned)count_ids(ids));
	builder_str(j->r->b, F_JOB_NODE_CPUS, j->row, text);
	mem_free(text);
}

/* "2", or "1-4" if -N has a maximum. */
static bool put_nodes(struct job_record *j, struct slice value)
{
	struct slice least;

	slice_piece(&value, '-', &least);
	return reader_put(j->r, F_JOB_NODES, j->row, least, "NumNodes") &&
	       (value.length == 0 ||
		reader_put(j->r, F_JOB_MAX_NODES, j->row, value, "NumNodes"));
}

/* Handles keys that do not just fill a field; *DONE: it was one. */
static bool put_special(struct job_record *j, struct slice key, struct slice value, bool *done)
{
	struct slurm_reader *r = j->r;
	struct slice name;
	uint32_t uid, task;

	*done = true;
	if (slice_is(key, "ArrayTaskId")) {
		if (slice_u32(value, &task))
			builder_u32(r->b, F_JOB_TASK, j->row, task);
		else
			return reader_put(r, F_JOB_TASKS, j->row, value, "ArrayTaskId");
	} else if (slice_is(key, "UserId")) {
		slice_numbered(value, &name, &uid);
		builder_u32(r->b, F_JOB_UID, j->row, uid);
		return reader_put(r, F_JOB_USER, j->row, name, "UserId");
	} else if (slice_is(key, "JobState")) {
		reader_put_state(r, j->row, value);
	} else if (slice_is(key, "Reason")) {
		slurm_job_put_reason(r, j->row, value);
	} else if (slice_is(key, "NodeList")) {
		j->allocated = !slice_absent(value);
		return reader_put(r, F_JOB_NODE_LIST, j->row, value, "NodeList");
	} else if (slice_is(key, "NumNodes")) {
		return put_nodes(j, value);
	} else if (slice_is(key, "NtasksPerN:B:S:C")) {
		slice_piece(&value, ':', &name);
		return reader_put(r, F_JOB_TASKS_PER_NODE, j->row, name, "NtasksPerN");
	} else if (slice_is(key, "Nodes")) {
		j->nodes = value;
	} else if (slice_is(key, "CPU_IDs")) {
		put_node_cpus(j, value);
	} else if (slice_is(key, "OverSubscribe")) {
		builder_bool(r->b, F_JOB_EXCLUSIVE, j->row, slice_is(value, "NO"));
	} else if (slice_is(key, "Exclusive")) {	/* since then OverSubscribe is NO for all */
		builder_bool(r->b, F_JOB_EXCLUSIVE, j->row, slice_is(value, "NODE"));
	} else if (slice_is(key, "AllocTRES")) {
		return slice_absent(value) || put_allocated(j, value, "AllocTRES");
	} else if (slice_is(key, "TRES")) {
		/* Up to 22.05: the allocated nodes, else the requested ones. */
		if (j->allocated)
			return put_allocated(j, value, "TRES");
		return reader_put(r, F_JOB_TRES, j->row, value, "TRES");
	} else {
		*done = false;
	}
	return true;
}

static bool slurm_job_read_pair(struct job_record *j, const struct pairs *p)
{
	bool done;

	if (!put_special(j, p->key, p->value, &done))
		return false;
	for (size_t i = 0; !done && i < COUNT_OF(job_keys); i++) {
		if (slice_is(p->key, job_keys[i].key))
			return reader_put(j->r, job_keys[i].field, j->row, p->value,
					  job_keys[i].key);
	}
	return true;
}

bool slurm_read_job(struct slurm_reader *r)
{
	struct job_record j = { .r = r, .row = ROW_NONE };
	struct pairs p;
	uint32_t id;

	r->lenient = true;
	pairs_open(&p, r->text, "JobId");
	while (pairs_next(&p)) {
		r->line = p.line_number;
		if (p.line_start && slice_is(p.key, "JobId")) {
			j = (struct job_record){ .r = r, .row = ROW_NONE };
			if (slice_u32(p.value, &id))
				j.row = reader_job(r, id);
			else
				reader_fail(r, "JobId \"%.*s\": expected a number",
					    SLICE_PRINT(p.value));
		} else if (j.row != ROW_NONE) {
			slurm_job_read_pair(&j, &p);
		}
	}
	r->lenient = false;
	r->remark = p.remark;
	return builder_rows(r->b, TABLE_JOB) != 0 ||
	       reader_none(r, "records that begin with JobId=");
}

/*
 * Adds the CPUs per node that JSON does not have. This text was printed a moment later: jobs that
 * started, ended or changed nodes in between keep the values of JSON.
 */
bool slurm_read_job_cpus(struct slurm_reader *r)
{
	struct job_record j = { .r = r, .row = ROW_NONE };
	struct pairs p;
	const char *nodes;
	uint32_t id;

	pairs_open(&p, r->text, "JobId");
	while (pairs_next(&p)) {
		r->line = p.line_number;
		if (p.line_start && slice_is(p.key, "JobId")) {
			j.row = slice_u32(p.value, &id) ? reader_find_job(r, id) : ROW_NONE;
			if (j.row != ROW_NONE && builder_get_text(r->b, F_JOB_NODE_CPUS, j.row))
				j.row = ROW_NONE;
		} else if (j.row != ROW_NONE && slice_is(p.key, "NodeList")) {
			nodes = builder_get_text(r->b, F_JOB_NODE_LIST, j.row);
			if (!nodes || !slice_is(p.value, nodes))
				j.row = ROW_NONE;
		} else if (j.row != ROW_NONE && slice_is(p.key, "Nodes")) {
			j.nodes = p.value;
		} else if (j.row != ROW_NONE && slice_is(p.key, "CPU_IDs")) {
			put_node_cpus(&j, p.value);
		}
	}
	return true;
}
