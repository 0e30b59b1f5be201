/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * LSF's logs: lsb.acct (JOB_FINISH records, 9.x and 10.x) and lsb.events (JOB_NEW, JOB_START,
 * JOB_STATUS ...), recognised by their records. Fields are separated by blanks; texts are in double
 * quotes, in which "" is one quote. The account of a job is its project.
 *
 * Fields after those needed differ between versions and are not read. Source: lsb.acct(5) and
 * lsb.events(5).
 */
#include "adapters/import/import.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

#define JSTATUS_PENDING (1 | 2)		/* PEND, PSUSP */
#define JSTATUS_RUN 4
#define JSTATUS_SUSPENDED (8 | 16)	/* SSUSP, USUSP */
#define JSTATUS_EXIT 32
#define JSTATUS_DONE 64
#define RUSAGE_FIELDS 19

struct fields {
	struct slice rest;
	bool bad;			/* one was missing or of another type */
	bool quoted;			/* the last one was quoted */
};

/* ---- fields -------------------------------------------------------------------------------- */

/* The next field, without its quotes; a doubled quote inside stays doubled. */
static struct slice next_field(struct fields *f)
{
	struct slice s = { "", 0 };
	size_t i = 0;

	f->quoted = false;
	while (f->rest.length > 0 && slice_is_blank(f->rest.at[0]))
		f->rest = slice_from(f->rest, 1);
	if (f->rest.length == 0) {
		f->bad = true;
		return s;
	}
	f->quoted = f->rest.at[0] == '"';
	if (!f->quoted) {
		while (i < f->rest.length && f->rest.at[i] != ' ')
			i++;
		s = (struct slice){ f->rest.at, i };
		f->rest = slice_from(f->rest, i);
		return s;
	}
	for (i = 1; i < f->rest.length; i++) {
		if (f->rest.at[i] != '"')
			continue;
		if (i + 1 == f->rest.length || f->rest.at[i + 1] != '"')
			break;
		i++;
	}
	if (i >= f->rest.length) {
		f->bad = true;		/* a quote that never ends */
		i = f->rest.length - 1;
	}
	s = (struct slice){ f->rest.at + 1, i ? i - 1 : 0 };
	f->rest = slice_from(f->rest, i + 1);
	return s;
}

static int64_t acct_next_number(struct fields *f)
{
	double value = 0;

	if (!slice_f64(next_field(f), &value) || !(value > -1e15 && value < 1e15)) {
		f->bad = true;
		return 0;
	}
	return (int64_t)value;
}

static double next_real(struct fields *f)
{
	double value = -1;

	if (!slice_f64(next_field(f), &value))
		f->bad = true;
	return value;
}

static void skip_fields(struct fields *f, int64_t count)
{
	if (count < 0)
		f->bad = true;
	for (int64_t i = 0; i < count && !f->bad; i++)
		next_field(f);
}

/* Hosts as "host" or "16*host"; returns the slots. */
static int64_t next_hosts(struct fields *f, int64_t count)
{
	int64_t slots = 0;

	if (count < 0)
		f->bad = true;
	for (int64_t i = 0; i < count && !f->bad; i++) {
		struct slice host = next_field(f), times;
		uint32_t n = 1;

		f->bad = f->bad || !f->quoted;
		if (!memchr(host.at, '*', host.length) || !slice_piece(&host, '*', &times) ||
		    !slice_u32(times, &n))
			n = 1;
		slots += n;
	}
	return slots;
}

/* ---- lsb.acct ------------------------------------------------------------------------------ */

static bool usable_time(int64_t t)
{
	return t > 0 && t < IMPORT_TIME_MAX;
}

static void acct_put_state(struct import *im, struct replay_job *job, int64_t status)
{
	const char *state = status & JSTATUS_DONE ? "COMPLETED" :
		job->start == I64_UNKNOWN ? "CANCELLED" : "FAILED";

	job->state = replay_text(im->replay, state, strlen(state));
}

static void acct_put_slots(struct replay_job *job, int64_t slots)
{
	job->cpus = slots > 0 && slots < U32_UNKNOWN ? (uint32_t)slots : 1;
	job->billing = (double)job->cpus;
}

static void job_finish(struct import *im, struct fields *f)
{
	struct replay_job job = REPLAY_JOB_INIT;
	int64_t end = acct_next_number(f), id = acct_next_number(f), slots, start, hosts, status,
		index;
	struct slice user, project;
	double user_time, system_time;

	skip_fields(f, 2);				/* user id, options */
	slots = acct_next_number(f);
	job.submit = acct_next_number(f);
	skip_fields(f, 2);				/* begin, termination */
	start = acct_next_number(f);
	user = next_field(f);
	job.partition = import_text(im, next_field(f));
	skip_fields(f, 9);				/* resource requirement .. job file */
	next_hosts(f, acct_next_number(f));		/* hosts asked for */
	hosts = next_hosts(f, acct_next_number(f));
	status = acct_next_number(f);
	skip_fields(f, 1);				/* host factor */
	job.name = import_text(im, next_field(f));
	skip_fields(f, 1);				/* command */
	user_time = next_real(f);
	system_time = next_real(f);
	skip_fields(f, RUSAGE_FIELDS - 2 + 1);		/* usage, mail */
	project = next_field(f);
	if (f->bad || !(status & (JSTATUS_EXIT | JSTATUS_DONE))) {
		import_skip(im, "JOB_FINISH records with invalid fields");
		return;
	}
	skip_fields(f, 4);	/* exit status, most processors, login shell, time event */
	index = f->bad ? 0 : acct_next_number(f);
	if (!usable_time(job.submit) || !usable_time(end)) {
		import_skip(im, "an invalid time");
		return;
	}
	job.id = id >= 0 && id < U32_UNKNOWN ? (uint32_t)id : U32_UNKNOWN;
	if (!f->bad && index > 0 && index < U32_UNKNOWN) {
		job.array = job.id;
		job.task = (uint32_t)index;
	}
	job.start = usable_time(start) ? start : I64_UNKNOWN;
	job.end = end;
	acct_put_slots(&job, slots > 0 ? slots : hosts);
	acct_put_state(im, &job, status);
	if (user_time >= 0 && system_time >= 0)
		job.cpu_time = (float)(user_time + system_time);
	job.assoc = replay_assoc(im->replay, import_text(im, project), import_text(im, user), 0);
	replay_add(im->replay, &job);
	im->used++;
}

/* ---- lsb.events ---------------------------------------------------------------------------- */

static uint64_t acct_key_of(int64_t id, int64_t index)
{
	return (uint64_t)id << 24 | ((uint64_t)index & 0xffffff);
}

static void job_new(struct import *im, struct fields *f)
{
	struct replay_job job = REPLAY_JOB_INIT;
	int64_t time = acct_next_number(f), id = acct_next_number(f), slots;
	struct slice user, project;

	skip_fields(f, 2);				/* user id, options */
	slots = acct_next_number(f);
	job.submit = acct_next_number(f);
	skip_fields(f, 5);		/* begin, termination, signal, checkpoint, restart */
	user = next_field(f);
	skip_fields(f, 11 + 3);		/* resource limits, host, its factor, umask */
	job.partition = import_text(im, next_field(f));
	skip_fields(f, 9);		/* resource requirement .. job file */
	skip_fields(f, acct_next_number(f));	/* hosts asked for */
	skip_fields(f, 2);		/* dependency, command before */
	job.name = import_text(im, next_field(f));
	skip_fields(f, 1);		/* command */
	skip_fields(f, 2 * acct_next_number(f)); /* file transfers: at least two fields each */
	skip_fields(f, 1);			 /* mail */
	project = next_field(f);
	if (f->bad || id < 0 || id >= U32_UNKNOWN || !usable_time(time)) {
		import_skip(im, "JOB_NEW records with invalid fields");
		return;
	}
	if (!usable_time(job.submit))
		job.submit = time;
	job.id = (uint32_t)id;
	acct_put_slots(&job, slots);
	job.assoc = replay_assoc(im->replay, import_text(im, project), import_text(im, user), 0);
	idmap_put(&im->open, acct_key_of(id, 0), replay_add(im->replay, &job));
	im->used++;
}

/* The job of an event; an array element is created from its array when first seen. */
static uint32_t find_job(struct import *im, int64_t id, int64_t index)
{
	uint32_t i = idmap_get(&im->open, acct_key_of(id, index), ROW_NONE);
	struct replay_job job;

	if (i != ROW_NONE || index <= 0)
		return i;
	i = idmap_get(&im->open, acct_key_of(id, 0), ROW_NONE);
	if (i == ROW_NONE)
		return ROW_NONE;
	job = *replay_job(im->replay, i);
	job.array = job.id;
	job.task = (uint32_t)index;
	if (replay_job(im->replay, i)->task == U32_UNKNOWN) {
		/* The submitted job becomes its first element. */
		*replay_job(im->replay, i) = job;
	} else {
		job.start = job.end = I64_UNKNOWN;
		i = replay_add(im->replay, &job);
	}
	idmap_put(&im->open, acct_key_of(id, index), i);
	return i;
}

static void job_start(struct import *im, struct fields *f)
{
	int64_t time = acct_next_number(f), id = acct_next_number(f), hosts, index = 0;
	struct slice last;
	struct replay_job *job;
	uint32_t i;

	skip_fields(f, 4);		/* status, process, group, host factor */
	hosts = next_hosts(f, acct_next_number(f));
	if (f->bad || !usable_time(time)) {
		import_skip(im, "JOB_START records with invalid fields");
		return;
	}
	skip_fields(f, 3);		/* commands before and after, flags */
	last = next_field(f);
	if (f->quoted)			/* user group, missing in older versions */
		last = next_field(f);
	f->bad |= !slice_i64(last, &index);
	i = find_job(im, id, f->bad ? 0 : index);
	if (i == ROW_NONE) {
		import_skip(im, "events of jobs whose JOB_NEW is missing");
		return;
	}
	job = replay_job(im->replay, i);
	job->start = time < job->submit ? job->submit : time;
	if (hosts > 1)
		acct_put_slots(job, hosts > job->billing ? hosts : (int64_t)job->billing);
	im->used++;
}

static void pause_job(struct import *im, uint32_t i, int64_t time, bool again)
{
	size_t k = im->pause_count;
	int64_t ran;

	while (k > 0 && im->pauses[k - 1].job != i)
		k--;
	ran = k > 0 ? im->pauses[k - 1].to : INT64_MIN;
	if (again && ran == INT64_MAX)
		im->pauses[k - 1].to = time;
	if (again || ran == INT64_MAX)
		return;
	MEM_GROW(im->pauses, im->pause_capacity, im->pause_count + 1);
	im->pauses[im->pause_count++] = (struct import_pause){ i, ran, time, INT64_MAX };
}

/* A job ended; or it is pending again, and its run becomes a job of its own. */
static void apply_status(struct import *im, uint32_t i, uint64_t key, int64_t status, int64_t time,
			 double cpu)
{
	struct replay_job *job = replay_job(im->replay, i), again = *job;
	bool ended = job->end != I64_UNKNOWN;

	if (status & (JSTATUS_RUN | JSTATUS_SUSPENDED)) {
		pause_job(im, i, time, status & JSTATUS_RUN);
		return;
	}
	/* An end is logged again when the post-execution command has ended, too. */
	if (status & (JSTATUS_EXIT | JSTATUS_DONE) && ended)
		return;
	if (!ended)
		job->cpu_time = (float)cpu;
	if (status & (JSTATUS_EXIT | JSTATUS_DONE)) {
		job->end = time < job->submit ? job->submit : time;
		if (job->start != I64_UNKNOWN && job->end < job->start)
			job->end = job->start;
		acct_put_state(im, job, status);
	} else if (status & JSTATUS_PENDING && (ended || job->start != I64_UNKNOWN)) {
		if (!ended) {
			job->end = time < job->start ? job->start : time;
			job->state = replay_text(im->replay, "REQUEUED", 8);
		}
		again.submit = time < job->end ? job->end : time;
		again.start = again.end = I64_UNKNOWN;
		again.state = 0;
		again.cpu_time = -1;
		idmap_put(&im->open, key, replay_add(im->replay, &again));
	}
}

static void job_status(struct import *im, struct fields *f)
{
	int64_t time = acct_next_number(f), id = acct_next_number(f), status = acct_next_number(f),
		end, index;
	double cpu;
	uint32_t i;

	skip_fields(f, 2);		/* reason, its details */
	cpu = next_real(f);		/* processor time */
	end = acct_next_number(f);
	if (f->bad || !usable_time(time)) {
		import_skip(im, "JOB_STATUS records with invalid fields");
		return;
	}
	if (acct_next_number(f) != 0)
		skip_fields(f, RUSAGE_FIELDS);
	skip_fields(f, 1);		/* exit status */
	index = acct_next_number(f);
	index = f->bad || index < 0 || index > 0xffffff ? 0 : index;
	i = find_job(im, id, index);
	if (i == ROW_NONE) {
		import_skip(im, "events of jobs whose JOB_NEW is missing");
		return;
	}
	apply_status(im, i, acct_key_of(id, index), status, usable_time(end) ? end : time, cpu);
	im->used++;
}

static void job_switch(struct import *im, struct fields *f)
{
	int64_t time = acct_next_number(f), user = acct_next_number(f), id = acct_next_number(f),
		index;
	struct slice queue = next_field(f);
	uint32_t i;

	(void)time;
	(void)user;
	index = acct_next_number(f);
	i = f->bad ? ROW_NONE : find_job(im, id, index);
	if (i == ROW_NONE) {
		import_skip(im, "events of jobs whose JOB_NEW is missing");
		return;
	}
	replay_job(im->replay, i)->partition = import_text(im, queue);
	im->used++;
}

/* From then on LSF counts its decay steps anew. */
static void mbd_start(struct import *im, struct fields *f)
{
	int64_t time = acct_next_number(f);

	if (f->bad || !usable_time(time) ||
	    (im->boot_count > 0 && time < im->boots[im->boot_count - 1])) {
		import_skip(im, "an invalid time");
		return;
	}
	MEM_GROW(im->boots, im->boot_capacity, im->boot_count + 1);
	im->boots[im->boot_count++] = time;
	im->used++;
}

/* ---- lines --------------------------------------------------------------------------------- */

static bool lsf_line(struct import *im, struct slice line, struct err *err)
{
	struct fields f = { .rest = slice_trim(line) };
	struct slice type, version;

	(void)err;
	if (f.rest.length == 0 || f.rest.at[0] == '#')
		return true;
	if (f.rest.at[0] != '"') {
		import_skip(im, "not a record: it does not begin with a quoted word");
		return true;
	}
	type = next_field(&f);
	version = next_field(&f);
	if (!im->version[0])
		snprintf(im->version, sizeof(im->version), "%.*s", SLICE_PRINT(version));
	if (slice_is(type, "JOB_FINISH"))
		job_finish(im, &f);
	else if (slice_is(type, "JOB_NEW"))
		job_new(im, &f);
	else if (slice_is(type, "JOB_START"))
		job_start(im, &f);
	else if (slice_is(type, "JOB_STATUS"))
		job_status(im, &f);
	else if (slice_is(type, "JOB_SWITCH"))
		job_switch(im, &f);
	else if (slice_is(type, "MBD_START"))
		mbd_start(im, &f);
	else if (slice_is(type, "JOB_START_ACCEPT") || slice_is(type, "JOB_EXECUTE"))
		import_skip(im, "JOB_START_ACCEPT, JOB_EXECUTE: the start is in JOB_START");
	else if (slice_starts(type, "JOB_"))
		import_skip(im, "other records of jobs: no start, end or queue");
	else if (slice_starts(type, "MBD_") || slice_starts(type, "HOST_") ||
		 slice_starts(type, "QUEUE_") || slice_is(type, "LOAD_INDEX"))
		import_skip(im, "records of daemons, hosts and queues");
	else
		import_skip(im, "records of an unknown kind");
	return true;
}

const struct import_kind import_lsf = {
	.name = "lsf-acct",
	.meaning = "LSF's lsb.acct (9.x, 10.x) or lsb.events",
	.expected = "records as in \"JOB_FINISH\" \"10.1\" 1656326065 ...",
	.line = lsf_line,
};
