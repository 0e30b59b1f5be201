/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standard Workload Format 2.2: 18 numbers per line, -1 is unknown, comments begin with ";". Users
 * and groups are numbers: user 7 of group 3 becomes u7 in account g3. A header line
 * "; UnixStartTime: 1132444805" gives the time of second 0; "; Partition: 2 name" and
 * "; Queue: 2 name" name them.
 *
 * Source: the definition of the format on the pages of the Parallel Workloads Archive. Existing
 * logs have decimals, more columns, fewer, or no header: all that is read, with a remark.
 */
#include "adapters/import/import.h"

#include <stdio.h>

#define FIELDS 18
#define FIELDS_LEAST 5			/* up to the number of processors */
#define NAMES_MAX 1024			/* largest numbers of partitions and queues with names */
#define MADE_MAX 1024			/* cache of names made from numbers; a power of two */
#define VALUE_MAX INT64_C(1000000000000000)

enum swf_field {
	SWF_JOB, SWF_SUBMIT, SWF_WAIT, SWF_RUN, SWF_PROCS, SWF_CPU, SWF_MEMORY, SWF_ASKED_PROCS,
	SWF_ASKED_TIME, SWF_ASKED_MEMORY, SWF_STATUS, SWF_USER, SWF_GROUP, SWF_APPLICATION,
	SWF_QUEUE, SWF_PARTITION, SWF_BEFORE, SWF_THINK
};

enum swf_status { SWF_FAILED = 0, SWF_COMPLETED = 1, SWF_CANCELLED = 5 };

/* The name made from a number: "u7". */
struct swf_made {
	int64_t number;
	uint32_t text;			/* 0 none */
};

struct swf {
	int64_t zero;			/* UnixStartTime */
	struct swf_made users[MADE_MAX], groups[MADE_MAX];
	bool header;
	uint32_t partition[NAMES_MAX], queue[NAMES_MAX];	/* texts */
	uint32_t failed, completed, cancelled;			/* texts */
};

/* ---- header -------------------------------------------------------------------------------- */

/* "2 lancs.ac.uk" */
static void swf_put_name(struct import *im, uint32_t *names, struct slice value)
{
	struct slice word;
	uint32_t n;

	if (slice_word(&value, &word) && slice_u32(word, &n) && n < NAMES_MAX)
		names[n] = import_text(im, slice_trim(value));
}

static void put_fact(char *to, size_t size, struct slice value)
{
	if (!to[0])
		snprintf(to, size, "%.*s", SLICE_PRINT(value));
}

static void read_comment(struct import *im, struct slice line)
{
	struct swf *swf = im->state;
	struct slice rest = slice_trim(slice_from(line, 1)), key, word;
	uint32_t procs;

	import_header(im, line);
	swf->header = true;
	if (!slice_piece(&rest, ':', &key))
		return;
	rest = slice_trim(rest);
	if (slice_is(key, "UnixStartTime"))
		import_unix(rest, &swf->zero);
	else if (slice_is(key, "Computer") || slice_is(key, "Installation"))
		put_fact(im->name, sizeof(im->name), rest);
	else if (slice_is(key, "MaxProcs") && slice_word(&rest, &word) && slice_u32(word, &procs))
		im->procs = procs < U32_INFINITE ? procs : 0;
	else if (slice_is(key, "TimeZoneString"))
		put_fact(im->zone, sizeof(im->zone), rest);
	else if (slice_is(key, "Partition"))
		swf_put_name(im, swf->partition, rest);
	else if (slice_is(key, "Queue"))
		swf_put_name(im, swf->queue, rest);
}

/* ---- numbers ------------------------------------------------------------------------------- */

/*
 * The next number of [*AT, END); sets *FRACTION if a fraction was cut off; false if there is none.
 */
static bool swf_next_number(const char **at, const char *end, int64_t *value, bool *fraction)
{
	const char *s = *at;
	bool minus = s < end && *s == '-';
	int64_t n = 0;

	s += minus || (s < end && *s == '+');
	if (s == end || ((*s < '0' || *s > '9') && *s != '.'))
		return false;
	for (; s < end && *s >= '0' && *s <= '9'; s++)
		n = n < VALUE_MAX ? n * 10 + (*s - '0') : n;
	if (s < end && *s == '.') {
		for (s++; s < end && *s >= '0' && *s <= '9'; s++)
			*fraction = *fraction || *s != '0';
	}
	*at = s;
	*value = minus ? -n : n;
	return s == end || slice_is_blank(*s);
}

static const char *swf_blanks(const char *s, const char *end)
{
	while (s < end && slice_is_blank(*s))
		s++;
	return s;
}

/* Fills FIELD; returns the number of fields, 0 if one is not a number. */
static size_t read_fields(struct import *im, struct slice line, int64_t *field)
{
	const char *end = line.at + line.length, *s = swf_blanks(line.at, end);
	bool fraction = false;
	size_t n = 0;

	for (; n < FIELDS && s < end; n++) {
		if (!swf_next_number(&s, end, &field[n], &fraction))
			return 0;
		s = swf_blanks(s, end);
	}
	for (size_t i = n; i < FIELDS; i++)
		field[i] = -1;
	if (s < end)
		import_remark(im, "more than 18 columns: the rest was left out");
	else if (n < FIELDS && n >= FIELDS_LEAST)
		import_remark(im, "fewer than 18 columns: what is missing is unknown");
	if (fraction)
		import_remark(im, "decimals: the fractions were cut off");
	return n;
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static uint32_t swf_numbered(struct import *im, char letter, int64_t n)
{
	char name[32];
	int length = snprintf(name, sizeof(name), "%c%lld", letter, (long long)n);

	return n < 0 ? 0 : replay_text(im->replay, name, (size_t)length);
}

/* Most jobs repeat the users and groups of earlier ones. */
static uint32_t numbered_again(struct import *im, struct swf_made *made, char letter, int64_t n)
{
	struct swf_made *slot = &made[n & (MADE_MAX - 1)];

	if (n < 0)
		return 0;
	if (slot->text == 0 || slot->number != n)
		*slot = (struct swf_made){ n, swf_numbered(im, letter, n) };
	return slot->text;
}

static uint32_t swf_place_name(struct import *im, const int64_t *field)
{
	const struct swf *swf = im->state;
	int64_t p = field[SWF_PARTITION], q = field[SWF_QUEUE];

	if (p >= 0)
		return p < NAMES_MAX && swf->partition[p] ? swf->partition[p] :
			swf_numbered(im, 'p', p);
	return q >= 0 && q < NAMES_MAX && swf->queue[q] ? swf->queue[q] : swf_numbered(im, 'q', q);
}

static void swf_put_times(struct import *im, const int64_t *field, struct replay_job *job)
{
	const struct swf *swf = im->state;
	int64_t wait = field[SWF_WAIT], run = field[SWF_RUN];

	job->submit = swf->zero + field[SWF_SUBMIT];
	if (wait < 0 && run >= 0) {
		import_remark(im, "no wait time: the job is taken to start when submitted");
		job->flags = REPLAY_WAIT_UNKNOWN;
		wait = 0;
	}
	if (run < 0 && field[SWF_STATUS] != SWF_CANCELLED)
		import_remark(im, "no run time: the job is not charged");
	if (run > 0 || (run == 0 && field[SWF_STATUS] != SWF_CANCELLED))
		job->start = job->submit + wait;
	job->end = job->submit + (wait > 0 ? wait : 0) + (run > 0 ? run : 0);
}

static int64_t swf_processors(struct import *im, const int64_t *field)
{
	if (field[SWF_PROCS] > 0)
		return field[SWF_PROCS];
	if (field[SWF_ASKED_PROCS] > 0)
		return field[SWF_ASKED_PROCS];
	import_remark(im, "no number of processors: one is charged");
	return 1;
}

static uint32_t state_text(struct import *im, int64_t status)
{
	struct swf *swf = im->state;

	if (!swf->completed) {
		swf->completed = replay_text(im->replay, "COMPLETED", 9);
		swf->cancelled = replay_text(im->replay, "CANCELLED", 9);
		swf->failed = replay_text(im->replay, "FAILED", 6);
	}
	return status == SWF_FAILED ? swf->failed : status == SWF_CANCELLED ? swf->cancelled :
		swf->completed;
}

static uint32_t swf_narrow(int64_t value)
{
	return value < 0 || value >= U32_UNKNOWN ? U32_UNKNOWN : (uint32_t)value;
}

static void swf_add_job(struct import *im, const int64_t *field)
{
	struct swf *swf = im->state;
	struct replay_job job = REPLAY_JOB_INIT;
	int64_t procs;

	swf_put_times(im, field, &job);
	if (job.submit < 0 || job.end >= IMPORT_TIME_MAX) {
		import_skip(im, "times before 1970 or after the year 3000");
		return;
	}
	procs = swf_processors(im, field);
	job.id = swf_narrow(field[SWF_JOB]);
	job.billing = (double)procs;
	job.cpus = swf_narrow(procs);
	job.asked = field[SWF_ASKED_PROCS] > 0 ? swf_narrow(field[SWF_ASKED_PROCS]) :
		    field[SWF_PROCS] > 0 ? swf_narrow(field[SWF_PROCS]) : 0;
	job.limit = swf_narrow(field[SWF_ASKED_TIME]);
	job.partition = swf_place_name(im, field);
	job.state = state_text(im, field[SWF_STATUS]);
	job.assoc = replay_assoc(im->replay, numbered_again(im, swf->groups, 'g', field[SWF_GROUP]),
				 numbered_again(im, swf->users, 'u', field[SWF_USER]), 0);
	replay_add(im->replay, &job);
	im->used++;
}

static bool swf_line(struct import *im, struct slice line, struct err *err)
{
	struct swf *swf = im->state;
	const char *s = swf_blanks(line.at, line.at + line.length);
	int64_t field[FIELDS];
	size_t n;

	(void)err;
	if (s == line.at + line.length)
		return true;
	if (*s == ';') {
		read_comment(im, line);
		return true;
	}
	if (!swf->header) {
		import_remark(im, "no header: second 0 is 1970-01-01");
		swf->header = true;
	}
	n = read_fields(im, line, field);
	if (n == 0)
		import_skip(im, "not only numbers");
	else if (n < FIELDS_LEAST)
		import_skip(im, "fewer than 5 columns");
	else if (field[SWF_STATUS] >= 2 && field[SWF_STATUS] <= 4)
		import_skip(im, "part of a job that has a line of its own");
	else if (field[SWF_SUBMIT] < 0)
		import_skip(im, "no submit time");
	else
		swf_add_job(im, field);
	return true;
}

const struct import_kind import_swf = {
	.name = "swf",
	.meaning = "Standard Workload Format 2.2, as in the Parallel Workloads Archive",
	.expected = "18 numbers per line and comments that begin with ;",
	.state_size = sizeof(struct swf),
	.line = swf_line,
};
