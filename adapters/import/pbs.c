/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PBS accounting logs: "MM/DD/YYYY HH:MM:SS;TYPE;ID;key=value key=value ...".
 *
 * Q queued, S started, E ended, D deleted, A aborted, R rerun, L licenses; others (reservations,
 * checkpoints, provisioning) do not matter for fair share. A job is built from its records; an E
 * record alone is a whole job, as each has all values. After R it is pending again, and the run
 * until then is a job of its own. Binary garbage is tolerated: a line without the form above is
 * skipped.
 *
 * The account is the account string, else the project, else the group; the number of CPUs is the
 * largest of Resource_List.ncpus and what exec_host counts. Sources: the accounting chapter of the
 * PBS administrator's guide; logs of PBS and Torque.
 */
#include "adapters/import/import.h"

#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

#define DEFAULT_PROJECT "_pbs_project_default"

enum acct_key {
	K_USER, K_GROUP, K_ACCOUNT, K_PROJECT, K_NAME, K_QUEUE, K_QTIME, K_CTIME, K_ETIME, K_START,
	K_END, K_HOST, K_NCPUS, K_NODES, K_WALLTIME, K_EXIT, K_COUNT
};

static const char *const keys[K_COUNT] = {
	"user", "group", "account", "project", "jobname", "queue", "qtime", "ctime", "etime",
	"start", "end", "exec_host", "Resource_List.ncpus", "Resource_List.nodect",
	"Resource_List.walltime", "Exit_status"
};

struct acct_record {
	int64_t time;
	char type;
	struct slice id;
	struct slice value[K_COUNT];	/* at NULL: not there */
};

/* ---- records ------------------------------------------------------------------------------- */

/* A value ends at a blank; if it begins with a double quote, at the next one. */
static struct slice acct_take_value(struct slice *rest)
{
	struct slice value = *rest;
	const char *end;

	if (rest->length > 0 && rest->at[0] == '"' &&
	    (end = memchr(rest->at + 1, '"', rest->length - 1))) {
		value = (struct slice){ rest->at + 1, (size_t)(end - rest->at - 1) };
		*rest = slice_from(*rest, value.length + 2);
		return value;
	}
	end = memchr(rest->at, ' ', rest->length);
	if (end)
		value.length = (size_t)(end - rest->at);
	*rest = slice_from(*rest, value.length);
	return value;
}

static void acct_read_values(struct acct_record *r, struct slice rest)
{
	struct slice key, value;
	const char *equals;

	for (;;) {
		while (rest.length > 0 && rest.at[0] == ' ')
			rest = slice_from(rest, 1);
		equals = rest.length ? memchr(rest.at, '=', rest.length) : NULL;
		if (!equals)
			return;
		key = (struct slice){ rest.at, (size_t)(equals - rest.at) };
		rest = slice_from(rest, key.length + 1);
		value = acct_take_value(&rest);
		for (size_t k = 0; k < K_COUNT; k++) {
			if (slice_is(key, keys[k]))
				r->value[k] = value;
		}
	}
}

/* Reads the three parts before the values; false if the line is not a record. */
static bool acct_read_head(struct import *im, struct slice line, struct acct_record *r,
			   struct slice *rest)
{
	struct slice time, type;

	*rest = line;
	if (!slice_piece(rest, ';', &time) || !slice_piece(rest, ';', &type) ||
	    !slice_piece(rest, ';', &r->id))
		return false;
	if (time.length != 19 || type.length != 1 || !import_time(im, time, &r->time))
		return false;
	r->type = type.at[0];
	return true;
}

/* ---- building a job ------------------------------------------------------------------------ */

static bool get_unix(const struct acct_record *r, enum acct_key key, int64_t *time)
{
	return r->value[key].at && import_unix(r->value[key], time) && *time > 0;
}

/* CPUs of exec_host: "a/0+a/1", "a/0*13+b/0*13", "a/0-3+b/5". */
static uint32_t acct_count_hosts(struct slice hosts)
{
	struct slice host, place, number;
	uint64_t total = 0;
	uint32_t first, last;

	while (slice_piece(&hosts, '+', &host)) {
		const char *slash = memchr(host.at, '/', host.length);

		place = slash ? slice_from(host, (size_t)(slash - host.at) + 1) :
			(struct slice){ "", 0 };
		if (memchr(place.at, '*', place.length)) {
			slice_piece(&place, '*', &number);
			total += slice_u32(place, &last) ? last : 1;
		} else if (slice_piece(&place, '-', &number) && slice_u32(number, &first) &&
			   slice_u32(place, &last) && last >= first) {
			total += last - first + 1;
		} else {
			total++;
		}
	}
	return total < UINT32_MAX / 2 ? (uint32_t)total : 1;
}

static void put_resources(struct import *im, const struct acct_record *r, struct replay_job *job)
{
	uint32_t cpus = 0, hosts;
	int64_t limit;

	if (r->value[K_NCPUS].at)
		slice_u32(r->value[K_NCPUS], &cpus);
	if (r->value[K_HOST].at && (hosts = acct_count_hosts(r->value[K_HOST])) > cpus)
		cpus = hosts;
	if (cpus > 0 && cpus < U32_UNKNOWN)
		job->cpus = cpus;
	if (r->value[K_NODES].at)
		slice_u32(r->value[K_NODES], &job->nodes);
	if (r->value[K_WALLTIME].at && slice_duration(r->value[K_WALLTIME], &limit) &&
	    limit >= 0 && limit < U32_UNKNOWN)
		job->limit = (uint32_t)limit;
	if (job->cpus == U32_UNKNOWN)
		import_remark(im, "no number of CPUs: one is charged");
	job->billing = job->cpus == U32_UNKNOWN ? 1 : (double)job->cpus;
}

static struct slice acct_account_of(const struct acct_record *r)
{
	struct slice none = { "", 0 };
	const struct slice *v = r->value;

	if (v[K_ACCOUNT].length > 0 && !slice_is(v[K_ACCOUNT], "null"))
		return v[K_ACCOUNT];
	if (v[K_PROJECT].length > 0 && !slice_is(v[K_PROJECT], DEFAULT_PROJECT))
		return v[K_PROJECT];
	return v[K_GROUP].length > 0 ? v[K_GROUP] : none;
}

/* "4215034.casper-pbs", "12[3].server" */
static bool acct_put_id(struct slice id, struct replay_job *job)
{
	struct slice number = id, task;
	size_t length = 0;

	while (length < id.length && id.at[length] >= '0' && id.at[length] <= '9')
		length++;
	number.length = length;
	if (!slice_u32(number, &job->id))
		return false;
	if (length < id.length && id.at[length] == '[') {
		task = slice_from(id, length + 1);
		job->array = job->id;
		slice_piece(&task, ']', &number);
		if (!slice_u32(number, &job->task))
			job->task = U32_UNKNOWN;
	}
	return true;
}

static void acct_put_times(const struct acct_record *r, struct replay_job *job)
{
	int64_t time;

	if (get_unix(r, K_QTIME, &time) || get_unix(r, K_CTIME, &time) ||
	    job->submit == I64_UNKNOWN)
		job->submit = get_unix(r, K_QTIME, &time) || get_unix(r, K_CTIME, &time) ?
			time : r->time;
	if (get_unix(r, K_ETIME, &time))
		job->eligible = time;
	if ((r->type == 'S' || r->type == 'E') && get_unix(r, K_START, &time))
		job->start = time;
	else if (r->type == 'S')
		job->start = r->time;
}

static void acct_put_names(struct import *im, const struct acct_record *r, struct replay_job *job)
{
	if (r->value[K_NAME].at)
		job->name = import_text(im, r->value[K_NAME]);
	if (r->value[K_QUEUE].at)
		job->partition = import_text(im, r->value[K_QUEUE]);
	if (r->value[K_USER].at || job->assoc == ROW_NONE)
		job->assoc = replay_assoc(im->replay, import_text(im, acct_account_of(r)),
					  r->value[K_USER].at ?
					  import_text(im, r->value[K_USER]) : 0, 0);
	if (r->value[K_NCPUS].at || r->value[K_HOST].at || job->cpus == U32_UNKNOWN)
		put_resources(im, r, job);
}

static void acct_finish(struct import *im, struct replay_job *job, int64_t end, const char *state)
{
	job->end = end;
	if (job->start != I64_UNKNOWN && job->end < job->start)
		job->end = job->start;
	if (job->end < job->submit)
		job->submit = job->end;
	job->state = replay_text(im->replay, state, strlen(state));
}

static void acct_end_job(struct import *im, const struct acct_record *r, struct replay_job *job)
{
	int64_t end = r->time, status = 0;

	get_unix(r, K_END, &end);
	if (r->type == 'E' && r->value[K_EXIT].at)
		slice_i64(r->value[K_EXIT], &status);
	acct_finish(im, job, end, r->type != 'E' ? "CANCELLED" : status ? "FAILED" : "COMPLETED");
}

/* Puts the record's values into its job; adds the job if it is new. */
static uint32_t acct_job_of(struct import *im, const struct acct_record *r, uint64_t key)
{
	struct replay_job job = REPLAY_JOB_INIT;
	uint32_t i = idmap_get(&im->open, key, ROW_NONE);

	if (i != ROW_NONE)
		job = *replay_job(im->replay, i);
	else if (!acct_put_id(r->id, &job))
		return ROW_NONE;
	acct_put_times(r, &job);
	acct_put_names(im, r, &job);
	if (i == ROW_NONE)
		i = replay_add(im->replay, &job);
	job.submit = job.start != I64_UNKNOWN && job.start < job.submit ? job.start : job.submit;
	*replay_job(im->replay, i) = job;
	idmap_put(&im->open, key, i);
	return i;
}

/* The run until now becomes a job; the same job is then pending again. */
static void acct_rerun(struct import *im, const struct acct_record *r, uint64_t key, uint32_t i)
{
	struct replay_job again = *replay_job(im->replay, i);

	if (again.start == I64_UNKNOWN)
		return;
	acct_finish(im, replay_job(im->replay, i), r->time, "REQUEUED");
	again.start = I64_UNKNOWN;
	again.submit = r->time;
	idmap_put(&im->open, key, replay_add(im->replay, &again));
}

static void acct_use_record(struct import *im, const struct acct_record *r)
{
	uint64_t key = text_hash(r->id.at, r->id.length, 0);
	uint32_t i;

	if ((r->type == 'D' || r->type == 'A' || r->type == 'R') &&
	    idmap_get(&im->open, key, ROW_NONE) == ROW_NONE && !r->value[K_USER].at) {
		import_skip(im, "the end of a job that was not seen before");
		return;
	}
	i = acct_job_of(im, r, key);
	if (i == ROW_NONE) {
		import_skip(im, "an invalid job id");
		return;
	}
	im->used++;
	if (r->type == 'R') {
		acct_rerun(im, r, key, i);
	} else if (r->type == 'E' || r->type == 'A' ||
		   (r->type == 'D' && replay_job(im->replay, i)->start == I64_UNKNOWN)) {
		acct_end_job(im, r, replay_job(im->replay, i));
		idmap_remove(&im->open, key);
	}
}

static bool pbs_line(struct import *im, struct slice line, struct err *err)
{
	struct acct_record r = { 0 };
	struct slice rest;

	(void)err;
	if (slice_trim(line).length == 0)
		return true;
	if (!acct_read_head(im, line, &r, &rest)) {
		import_skip(im, "not an accounting record");
		return true;
	}
	if (!strchr("QSEDAR", r.type)) {
		import_skip(im, r.type == 'L' ? "license records" :
			    "records of reservations, checkpoints and other kinds");
		return true;
	}
	acct_read_values(&r, rest);
	acct_use_record(im, &r);
	return true;
}

const struct import_kind import_pbs = {
	.name = "pbs-accounting",
	.meaning = "accounting logs of PBS and Torque (server_priv/accounting)",
	.expected = "lines as in 03/31/2025 10:59:15;E;42.server;user=alice ...",
	.line = pbs_line,
};
