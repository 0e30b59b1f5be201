/* SPDX-License-Identifier: GPL-2.0-or-later */
/* qstat -f -t -F json: the jobs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/pbs/reader.h"
#include "core/base/mem.h"

/* Seconds within which queue_rank and qtime count as the same instant. */
#define RANK_TOLERANCE 3
#define ZONE_STEP 900		/* offsets of all time zones are multiples of this */

/* Values that are put once the zone of the job's times is known. */
enum job_time {
	TIME_CREATED, TIME_QUEUED, TIME_ELIGIBLE, TIME_START, TIME_ESTIMATE, TIME_EXECUTE, TIMES
};

static const char *const time_names[TIMES] = {
	[TIME_CREATED] = "ctime", [TIME_QUEUED] = "qtime", [TIME_ELIGIBLE] = "etime",
	[TIME_START] = "stime", [TIME_EXECUTE] = "Execution_Time",
	[TIME_ESTIMATE] = "",		/* within "estimated" */
};

struct pbs_parsed_job {
	struct pbs_reader *r;
	uint32_t row;
	char state;
	int64_t times[TIMES];		/* as if the zone were UTC */
	bool instant[TIMES];		/* already a Unix time */
	char comment[600], hold[16], remaining[16], at_once[16];
	bool depends, managed, array;
	struct pbs_list resources, used;
};

static const struct pbs_attribute job_attributes[] = {
	{ "Job_Name", F_JOB_NAME, PBS_AS_TEXT },
	{ "Job_Owner", F_JOB_OWNER, PBS_AS_TEXT },
	{ "euser", F_JOB_USER, PBS_AS_TEXT },
	{ "egroup", F_JOB_EGROUP, PBS_AS_TEXT },
	{ "queue", F_JOB_PARTITION, PBS_AS_TEXT },
	{ "project", F_JOB_PROJECT, PBS_AS_TEXT },
	{ "Account_Name", F_JOB_ACCOUNT, PBS_AS_TEXT },
	{ "job_state", F_JOB_JOB_STATE, PBS_AS_TEXT },
	{ "substate", F_JOB_SUBSTATE, PBS_AS_U32 },
	{ "Priority", F_JOB_JOB_PRIORITY, PBS_AS_I64 },
	{ "Hold_Types", F_JOB_HOLD_TYPES, PBS_AS_TEXT },
	{ "depend", F_JOB_DEPENDENCY, PBS_AS_TEXT },
	{ "comment", F_JOB_REASON_TEXT, PBS_AS_TEXT },
	{ "schedselect", F_JOB_SCHEDSELECT, PBS_AS_TEXT },
	{ "exec_vnode", F_JOB_EXEC_VNODE, PBS_AS_TEXT },
	{ "exec_host", F_JOB_NODE_LIST, PBS_AS_TEXT },
	{ "eligible_time", F_JOB_ELIGIBLE_TIME, PBS_AS_CLOCK },
	{ "queue_rank", F_JOB_QUEUE_RANK, PBS_AS_I64 },
	{ "accrue_type", F_JOB_ACCRUE_TYPE, PBS_AS_U32 },
	{ "array_state_count", F_JOB_ARRAY_STATE_COUNT, PBS_AS_TEXT },
	{ "topjob", F_JOB_TOPJOB, PBS_AS_BOOL },
	{ "topjob_ineligible", F_JOB_TOPJOB_INELIGIBLE, PBS_AS_BOOL },
	{ "reserve_ID", F_JOB_RESERVATION, PBS_AS_TEXT },
	{ NULL, F_COUNT, PBS_AS_TEXT }
};

/* ---- resources ----------------------------------------------------------------------------- */

struct amounts {
	struct tres_item items[64];
	uint32_t count;
};

static void jobs_add_amount(struct pbs_reader *r, struct amounts *a, const char *name,
			    double amount)
{
	char lower[100];
	uint32_t row;
	size_t n = 0;

	for (; name[n] && n + 1 < sizeof(lower); n++)
		lower[n] = name[n] >= 'A' && name[n] <= 'Z' ? (char)(name[n] | 0x20) : name[n];
	if (n == 0 || a->count == sizeof(a->items) / sizeof(a->items[0]))
		return;
	row = builder_tres_row(r->b, lower, n);
	for (uint32_t i = 0; i < a->count; i++) {
		if (a->items[i].tres == row)
			return;
	}
	a->items[a->count++] = (struct tres_item){ row, amount };
}

/* One entry of Resource_List. */
static void put_resource(struct pbs_parsed_job *j, const char *name, const struct json_text *v,
			 struct amounts *a)
{
	struct builder *b = j->r->b;
	int64_t seconds;
	double amount;
	char *end;

	if (strcmp(name, "select") == 0) {
		builder_text(b, F_JOB_SELECT, j->row, v->text, v->length);
		return;
	}
	if (strcmp(name, "place") == 0) {
		builder_text(b, F_JOB_PLACE, j->row, v->text, v->length);
		return;
	}
	pbs_list_add(&j->resources, name, v->text);
	if (strcmp(name, "walltime") == 0 && pbs_clock(v->text, &seconds))
		builder_i64(b, F_JOB_TIME_LIMIT, j->row, seconds);
	if (strcmp(name, "mem") == 0 && pbs_size(v->text, &amount))
		jobs_add_amount(j->r, a, name, amount);
	amount = strtod(v->text, &end);
	if (end == v->text || *end != '\0' || !isfinite(amount))
		return;
	if (strcmp(name, "ncpus") == 0 && amount >= 0 && amount < U32_UNKNOWN) {
		builder_u32(b, F_JOB_CPUS, j->row, (uint32_t)amount);
		jobs_add_amount(j->r, a, "cpu", amount);
	} else if (strcmp(name, "nodect") == 0 && amount >= 0 && amount < U32_UNKNOWN) {
		builder_u32(b, F_JOB_NODES, j->row, (uint32_t)amount);
		builder_u32(b, F_JOB_MIN_NODES, j->row, (uint32_t)amount);
		jobs_add_amount(j->r, a, "node", amount);
	} else if (strcmp(name, "mem") != 0 && strcmp(name, "walltime") != 0) {
		jobs_add_amount(j->r, a, name, amount);
	}
}

static bool jobs_read_resources(struct pbs_parsed_job *j, struct pull *p)
{
	struct amounts amounts = { .count = 0 };
	struct pull_value key;
	struct json_text v;

	while (pull_member(p, &key)) {
		if (!json_text_read(p, &j->r->scratch, false, &v))
			return false;
		if (v.kind != PULL_NULL)
			put_resource(j, key.string, &v, &amounts);
	}
	builder_tres(j->r->b, F_JOB_TRES, j->row, amounts.items, amounts.count);
	return !p->problem;
}

/* ---- attributes ---------------------------------------------------------------------------- */

static void keep_time(struct pbs_parsed_job *j, enum job_time which, const struct json_text *v)
{
	j->instant[which] = v->kind == PULL_INT;
	if (j->instant[which])
		j->times[which] = strtoll(v->text, NULL, 10);
	else
		pbs_civil(v->text, &j->times[which]);
}

static bool read_estimate(struct pbs_parsed_job *j, struct pull *p)
{
	struct pull_value key;
	struct json_text v;

	while (pull_member(p, &key)) {
		if (!json_text_read(p, &j->r->scratch, false, &v))
			return false;
		if (strcmp(key.string, "start_time") == 0)
			keep_time(j, TIME_ESTIMATE, &v);
	}
	return !p->problem;
}

static void keep_text(char *to, size_t size, const struct json_text *v)
{
	snprintf(to, size, "%s", v->text);
}

/* The whole list, which may have thousands of entries; none if it is "-". */
static void put_remaining(struct pbs_parsed_job *j, const struct json_text *v)
{
	keep_text(j->remaining, sizeof(j->remaining), v);
	if (v->length > 0 && strcmp(v->text, "-") != 0)
		builder_text(j->r->b, F_JOB_TASKS, j->row, v->text, v->length);
}

/* Keeps the values that decide the job's state in the words common to all schedulers. */
static void note_attribute(struct pbs_parsed_job *j, const char *name, const struct json_text *v)
{
	if (strcmp(name, "job_state") == 0)
		j->state = v->text[0];
	else if (strcmp(name, "comment") == 0)
		keep_text(j->comment, sizeof(j->comment), v);
	else if (strcmp(name, "Hold_Types") == 0)
		keep_text(j->hold, sizeof(j->hold), v);
	else if (strcmp(name, "depend") == 0)
		j->depends = v->length > 0;
	else if (strcmp(name, "array_indices_remaining") == 0)
		put_remaining(j, v);
	else if (strcmp(name, "max_run_subjobs") == 0)
		keep_text(j->at_once, sizeof(j->at_once), v);
	else if (strcmp(name, "array") == 0)
		pbs_bool(v->text, &j->array);
	else if (strcmp(name, "schedselect") == 0 || strcmp(name, "euser") == 0)
		j->managed = true;
	for (int t = 0; t < TIMES; t++) {
		if (strcmp(time_names[t], name) == 0)
			keep_time(j, (enum job_time)t, v);
	}
}

static bool jobs_read_attribute(struct pbs_parsed_job *j, struct pull *p, const char *name)
{
	const struct pbs_attribute *a = pbs_attribute_find(job_attributes, name);
	bool resources = strcmp(name, "Resource_List") == 0;
	bool used = strcmp(name, "resources_used") == 0, estimate = strcmp(name, "estimated") == 0;
	struct json_text v;

	if (!json_text_read(p, &j->r->scratch, resources || used || estimate, &v))
		return false;
	if (v.kind == PULL_OBJECT && resources)
		return jobs_read_resources(j, p);
	if (v.kind == PULL_OBJECT && used)
		return pbs_list_read(j->r, p, "", &j->used);
	if (v.kind == PULL_OBJECT && estimate)
		return read_estimate(j, p);
	if (v.kind == PULL_NULL)
		return true;
	if (a)
		pbs_put(j->r, a, j->row, &v);
	if (strcmp(builder_policy(j->r->b)->fairshare_entity, name) == 0)
		builder_text(j->r->b, F_JOB_ENTITY, j->row, v.text, v.length);
	note_attribute(j, name, &v);
	return true;
}

/* ---- the whole job --------------------------------------------------------------------------- */

/* "75.pbshead", "70[].pbshead" (an array), "70[3].pbshead" (a subjob). */
static void jobs_put_id(struct pbs_parsed_job *j, const char *id)
{
	struct builder *b = j->r->b;
	char *end;
	unsigned long long n = strtoull(id, &end, 10), task;

	builder_str(b, F_JOB_JOB_ID, j->row, id);
	if (end == id || *id < '0' || *id > '9' || n >= SHARES_PARENT) {
		j->r->unreadable++;
		return;
	}
	builder_u32(b, F_JOB_ID, j->row, (uint32_t)n);
	if (*end != '[')
		return;
	builder_u32(b, F_JOB_ARRAY, j->row, (uint32_t)n);
	id = end + 1;
	task = strtoull(id, &end, 10);
	if (end != id && *id >= '0' && *id <= '9' && task < SHARES_PARENT) {
		builder_u32(b, F_JOB_TASK, j->row, (uint32_t)task);
		j->r->partial_rows = true;
	}
}

/* Finds the zone of the job's times: queue_rank and qtime are both when it entered the queue. */
static void find_offset(struct pbs_parsed_job *j)
{
	int64_t rank = builder_get_i64(j->r->b, F_JOB_QUEUE_RANK, j->row), offset, off;

	if (rank == I64_UNKNOWN || rank < 0 || j->times[TIME_QUEUED] == I64_UNKNOWN ||
	    j->instant[TIME_QUEUED])
		return;
	offset = j->times[TIME_QUEUED] - rank / 1000000;
	if (offset < -86400 || offset > 86400)
		return;
	off = ((offset % ZONE_STEP) + ZONE_STEP) % ZONE_STEP;
	if (off > RANK_TOLERANCE && off < ZONE_STEP - RANK_TOLERANCE)
		return;
	j->r->offset = offset - off + (off > RANK_TOLERANCE ? ZONE_STEP : 0);
	j->r->offset_known = true;
}

static void jobs_put_time(struct pbs_parsed_job *j, enum job_time which, enum field field)
{
	int64_t t = j->times[which];

	if (t == I64_UNKNOWN)
		return;
	builder_i64(j->r->b, field, j->row, j->instant[which] ? t : pbs_instant(j->r, t));
}

/* The word of the state column for PBS's letter; NULL for an unknown letter. */
static const char *jobs_state_word(const struct pbs_parsed_job *j)
{
	switch (j->state) {
	case 'B':
		return strcmp(j->remaining, "-") == 0 ? "RUNNING" : "PENDING";
	case 'Q': case 'H': case 'W': case 'T':
		return "PENDING";
	case 'R':
		return "RUNNING";
	case 'S': case 'U':
		return "SUSPENDED";
	case 'E':
		return "COMPLETING";
	case 'M':
		return "MOVED";
	case 'X': case 'F':
		return "COMPLETED";
	default:
		return NULL;
	}
}

/*
 * Puts why it is pending, in few words: the text between "Not Running: " and the numbers. That it
 * ran before is not a reason.
 */
static void jobs_put_reason(struct pbs_parsed_job *j)
{
	struct slice s = slice_of(j->comment);
	const char *colon = strstr(j->comment, ": ");
	struct builder *b = j->r->b;

	if (j->state == 'W') {
		builder_str(b, F_JOB_REASON, j->row, "BeginTime");
	} else if (j->state == 'H' && j->depends && strchr(j->hold, 's')) {
		builder_str(b, F_JOB_REASON, j->row, "Dependency");
	} else if (j->state == 'H') {
		builder_str(b, F_JOB_REASON, j->row, strchr(j->hold, 'u') ? "Held (user)"
			    : strchr(j->hold, 'o') ? "Held (operator)" : "Held (system)");
		builder_u32(b, F_JOB_PRIORITY, j->row, 0);
	} else if (j->state == 'Q' || (j->state == 'B' && strcmp(j->remaining, "-") != 0)) {
		if (colon &&
		    (slice_starts(s, "Not Running: ") || slice_starts(s, "Can Never Run: ")))
			s = slice_of(colon + 2);
		for (size_t i = 0; i + 1 < s.length; i++) {
			if (s.at[i] == ' ' && s.at[i + 1] == '(')
				s.length = i;
		}
		if (s.length > 0 && !slice_starts(s, "Job run at "))
			builder_text(b, F_JOB_REASON, j->row, s.at, s.length);
	}
}

/* The number of running subjobs of an array: "Queued:5 Running:2 Exiting:0 Expired:0". */
static uint32_t running_subjobs(const struct pbs_parsed_job *j)
{
	const char *count = builder_get_text(j->r->b, F_JOB_ARRAY_STATE_COUNT, j->row);
	const char *running = count ? strstr(count, "Running:") : NULL;
	unsigned long n = running ? strtoul(running + 8, NULL, 10) : 0;

	return n < UINT32_MAX / 2 ? (uint32_t)n : 0;
}

static void put_owner(struct pbs_parsed_job *j)
{
	const char *owner = builder_get_text(j->r->b, F_JOB_OWNER, j->row);
	char name[300];

	if (!owner || builder_get_text(j->r->b, F_JOB_USER, j->row))
		return;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(owner, "@"), owner);
	builder_str(j->r->b, F_JOB_USER, j->row, name);
}

/* In Slurm's form: "1-20%2". */
static void put_at_once(struct pbs_parsed_job *j)
{
	const char *tasks = builder_get_text(j->r->b, F_JOB_TASKS, j->row);
	char *text = tasks ? mem_format("%s%%%s", tasks, j->at_once) : NULL;

	if (text)
		builder_str(j->r->b, F_JOB_TASKS, j->row, text);
	mem_free(text);
}

static void jobs_finish_job(struct pbs_parsed_job *j)
{
	struct builder *b = j->r->b;
	const char *state = jobs_state_word(j);
	bool runs = state && state[0] != 'P';

	find_offset(j);
	jobs_put_time(j, TIME_CREATED, F_JOB_SUBMIT);
	jobs_put_time(j, TIME_ELIGIBLE, F_JOB_ELIGIBLE);
	if (j->state == 'W')
		jobs_put_time(j, TIME_EXECUTE, F_JOB_ELIGIBLE);
	jobs_put_time(j, runs ? TIME_START : TIME_ESTIMATE, F_JOB_START);
	if (runs && builder_get_i64(b, F_JOB_START, j->row) != I64_UNKNOWN &&
	    builder_get_i64(b, F_JOB_TIME_LIMIT, j->row) != I64_UNKNOWN && j->state != 'F')
		builder_i64(b, F_JOB_END, j->row, builder_get_i64(b, F_JOB_START, j->row) +
			    builder_get_i64(b, F_JOB_TIME_LIMIT, j->row));
	builder_str(b, F_JOB_STATE, j->row, state);
	jobs_put_reason(j);
	put_owner(j);
	if (j->at_once[0])
		put_at_once(j);
	if (j->array)
		j->r->subjobs += running_subjobs(j);
	if (j->state == 'R' && j->r->usage_res)
		builder_f64(b, F_JOB_BILLING, j->row,
			    pbs_job_burn(j->r->usage_res, &j->resources, &j->used));
	pbs_list_put(&j->resources, b, F_JOB_RESOURCES, j->row);
	if (j->used.count > 0)
		pbs_list_put(&j->used, b, F_JOB_RESOURCES_USED, j->row);
	j->r->managed += j->managed;
}

static bool jobs_read_job(struct pbs_reader *r, struct pull *p, const char *id)
{
	struct pbs_parsed_job j = { .r = r, .state = '?' };
	struct pull_value key;
	bool good = true;

	if (!pull_opens(p, PULL_OBJECT))
		return !p->problem;
	for (int t = 0; t < TIMES; t++)
		j.times[t] = I64_UNKNOWN;
	j.row = builder_add(r->b, TABLE_JOB);
	jobs_put_id(&j, id);
	while (good && pull_member(p, &key))
		good = jobs_read_attribute(&j, p, key.string);
	good = good && !p->problem;
	if (good)
		jobs_finish_job(&j);
	pbs_list_free(&j.resources);
	pbs_list_free(&j.used);
	return good;
}

/*
 * A pending or ended subjob is included in its array's row, and an array may have ten thousand of
 * them: so this looks ahead to the state. In subjobs that have run, resources_used comes before the
 * state.
 */
static bool is_idle_subjob(const struct pull *p, const char *id)
{
	static const char key[] = "\"job_state\"";
	const char *bracket = strchr(id, '['), *brace = strchr(p->at, '{'), *at;

	at = bracket && bracket[1] != ']' && brace ? strstr(brace, key) : NULL;
	for (int depth = 0; at && brace < at; brace += 1 + strcspn(brace + 1, "{}")) {
		depth += *brace == '{' ? 1 : -1;
		if (depth == 0)
			return false;
	}
	if (!at)
		return false;
	/* The colon and the blanks around it differ between builds of PBS. */
	at += sizeof(key) - 1;
	at += strspn(at, " \t:");
	return at[0] == '"' && at[1] != '\0' && strchr("QHWX", at[1]);
}

/* An array with nothing left to start is not running beside its subjobs. */
static void finish_arrays(struct pbs_reader *r)
{
	for (uint32_t row = 0; r->partial_rows && row < builder_rows(r->b, TABLE_JOB); row++) {
		const char *state = builder_get_text(r->b, F_JOB_STATE, row);

		if (builder_get_text(r->b, F_JOB_ARRAY_STATE_COUNT, row) && state &&
		    strcmp(state, "RUNNING") == 0)
			builder_str(r->b, F_JOB_STATE, row, "BEGUN");
	}
}

bool pbs_read_jobs(struct pbs_reader *r)
{
	struct pull p;
	struct pull_value id;
	struct json_text v;
	bool found, good = true;

	if (!pbs_json_open(r, &p, "Jobs", &found))
		return false;
	if (!found)
		return true;
	r->usage_res = pbs_usage_formula(r);
	while (good && pull_member(&p, &id)) {
		if (is_idle_subjob(&p, id.string))
			good = json_text_read(&p, &r->scratch, false, &v);
		else
			good = jobs_read_job(r, &p, id.string);
	}
	pbs_formula_free(r->usage_res);
	if (!good)
		return pbs_fail_json(r, &p);
	finish_arrays(r);
	return pbs_json_close(r, &p);
}
