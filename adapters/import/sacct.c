/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * `sacct -P` with its header: columns by their titles, in any order, of Slurm 20 to 25; or the JSON
 * of sacct or squeue (sacct_json.c), recognised by its first brace.
 *
 * A record is a line with as many "|", or other delimiters (sacct --delimiter), as the header; the
 * delimiter is what is between two titles. Job names and comments may contain line ends, so shorter
 * lines are joined. They may also contain a "|", which sacct does not quote: a line with more of
 * them than the header is split so that times, ids and states are below their titles. Pasted
 * prompts and messages of standard error are skipped. Steps are skipped: their job has a record of
 * its own. A record that was requeued, resized or duplicated (-D) ran, and is charged, like any
 * other. Billing is that of AllocTRES, for a pending job of ReqTRES, else the number of CPUs. Times
 * are in the time zone of this process, as sacct prints them, or Unix times (SLURM_TIME_FORMAT=%s).
 */
#include "adapters/import/import.h"

#include <stdio.h>
#include <string.h>

#include "adapters/import/sacct.h"
#include "adapters/pasted.h"

#include "core/base/mem.h"
#include "core/base/word.h"

#define COLUMNS_MAX 256
#define RECORD_LINES_MAX 1000
#define EXTRA_MAX 64		/* "|" inside the texts of one record */
#define NOISE_LINES_MAX 100	/* before the header */
#define NOISE_CELLS 3		/* a line with so many delimiters is a record */
#define STEPS_MAX 4000		/* of the search for a split */
#define ABSENT UINT16_MAX
#define TITLE_GAP_MAX 16

static const char *const titles[C_COUNT] = {
	"JobID", "JobIDRaw", "Account", "User", "Partition", "QOS", "Cluster", "State", "Submit",
	"Eligible", "Start", "End", "Elapsed", "ElapsedRaw", "AllocTRES", "ReqTRES", "AllocCPUS",
	"NCPUS", "ReqCPUS", "NNodes", "Timelimit", "TimelimitRaw", "JobName"
};

/* Columns written by people, which may contain a "|". */
static const char *const texts[] = {
	"AdminComment", "Comment", "Constraints", "Extra", "JobName", "StdErr", "StdIn", "StdOut",
	"SubmitLine", "SystemComment", "WCKey", "WorkDir"
};

/* What a cell alone must look like: to find between which columns a "|" belongs to a text. */
enum check { ANYTHING, NAME, ID, STATE, TIME, DURATION, COUNT, LIMIT, MINUTES, EXIT_CODE, TRES };
static const struct {
	const char *title;
	enum check check;
} checks[] = {
	{ "Account", NAME }, { "AllocCPUS", COUNT }, { "Elapsed", DURATION },
	{ "ElapsedRaw", COUNT }, { "Eligible", TIME }, { "End", TIME }, { "ExitCode", EXIT_CODE },
	{ "GID", COUNT }, { "JobID", ID }, { "JobIDRaw", ID }, { "NCPUS", COUNT },
	{ "NNodes", COUNT }, { "ReqCPUS", COUNT }, { "Start", TIME }, { "State", STATE },
	{ "Submit", TIME }, { "Timelimit", LIMIT }, { "TimelimitRaw", MINUTES }, { "UID", COUNT },
	{ "User", NAME }
};

struct sacct {
	bool header;
	struct slice delimiter;		/* of records */
	char reported[TITLE_GAP_MAX];	/* found in the header */
	char *clean;			/* a line without terminal marks */
	size_t clean_capacity;
	bool closed;			/* each line ends with a delimiter: sacct -p */
	size_t columns;			/* of the header */
	uint16_t column[C_COUNT];	/* ABSENT */
	uint8_t check[COLUMNS_MAX];	/* enum check of the column */
	bool text[COLUMNS_MAX];		/* may hold a "|" */
	bool lists;			/* TRES lists contain the delimiter */
	char *record;			/* joined lines */
	size_t record_length, record_capacity, record_lines;
	struct slice cell[COLUMNS_MAX];	/* of the current record */
};

/* ---- header -------------------------------------------------------------------------------- */

static bool is_known_title(struct slice title)
{
	bool known = false;

	for (size_t i = 0; i < sizeof(titles) / sizeof(titles[0]); i++)
		known |= slice_same(title, titles[i]);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		known |= slice_same(title, texts[i]);
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
		known |= slice_same(title, checks[i].title);
	return known;
}

/* Are they titles separated by DELIMITER, one a job's id, at least KNOWN of them sacct's? */
static bool has_titles(struct slice line, struct slice delimiter, size_t known)
{
	struct slice title;
	bool id = false;
	size_t n = 0;

	if (!memmem(line.at, line.length, delimiter.at, delimiter.length))
		return false;
	while (slice_part(&line, delimiter, &title)) {
		title = slice_trim(title);
		id = id || slice_same(title, "JobID") || slice_same(title, "JobIDRaw");
		n += is_known_title(title);
	}
	return id && n >= known;
}

static bool sacct_is_title_char(char c)
{
	return word_is_digit(c) || c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* The text between the first two titles of LINE; blanks only pad columns and do not count. */
static struct slice title_gap(struct slice line)
{
	size_t from = 0, to;

	while (from < line.length && sacct_is_title_char(line.at[from]))
		from++;
	for (to = from; to < line.length && !sacct_is_title_char(line.at[to]);)
		to++;
	line = (struct slice){ line.at + from, to < line.length ? to - from : 0 };
	return slice_trim(line).length == 0 && !slice_is(line, "\t") ?
	       (struct slice){ "", 0 } : line;
}

static bool sacct_is_header(struct import *im, struct slice line)
{
	static const struct slice bar = { "|", 1 };
	struct sacct *s = im->state;
	struct slice gap;

	/* A cheap test, because it is done for every line. */
	if (!memmem(line.at, line.length, "JobID", 5))
		return false;
	if (s->delimiter.length > 0)
		return has_titles(line, s->delimiter, 1);
	if (has_titles(line, bar, 1)) {
		s->delimiter = bar;
		return true;
	}
	gap = title_gap(line);
	if (gap.length == 0 || gap.length >= sizeof(s->reported) || !has_titles(line, gap, 2))
		return false;
	memcpy(s->reported, gap.at, gap.length);
	s->delimiter = (struct slice){ s->reported, gap.length };
	return true;
}

/* If commas separate columns, lists contain some. */
static void check_commas(struct sacct *s, struct slice title, size_t at)
{
	bool tres = memmem(title.at, title.length, "TRES", 4) != NULL;

	if (!memchr(s->delimiter.at, ',', s->delimiter.length))
		return;
	s->text[at] |= tres || slice_same(title, "NodeList");
	if (tres)
		s->check[at] = TRES;
	s->lists |= tres;
}

static void sacct_put_title(struct sacct *s, struct slice title, size_t at)
{
	for (size_t c = 0; c < C_COUNT; c++) {
		if (slice_same(title, titles[c]) && s->column[c] == ABSENT)
			s->column[c] = (uint16_t)at;
	}
	s->check[at] = ANYTHING;
	for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
		if (slice_same(title, checks[i].title))
			s->check[at] = (uint8_t)checks[i].check;
	}
	s->text[at] = false;
	for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
		s->text[at] = s->text[at] || slice_same(title, texts[t]);
	check_commas(s, title, at);
}

/* Are the required columns there? */
static bool header_complete(const struct sacct *s, struct err *err)
{
	const char *missing = NULL;

	if (s->column[C_JOB] == ABSENT && s->column[C_RAW] == ABSENT)
		missing = "JobID";
	else if (s->column[C_ACCOUNT] == ABSENT)
		missing = "Account";
	else if (s->column[C_USER] == ABSENT)
		missing = "User";
	else if (s->column[C_START] == ABSENT)
		missing = "Start";
	else if (s->column[C_END] == ABSENT && s->column[C_ELAPSED] == ABSENT &&
		 s->column[C_ELAPSED_RAW] == ABSENT)
		missing = "End";
	if (!missing)
		return true;
	return err_set(err, ERR_INPUT, "the column %s is missing (expected JobID, Account, User, "
		       "Start and End or Elapsed; sacct -P -o ALL prints all)", missing);
}

static bool sacct_read_header(struct sacct *s, struct slice line, struct slice delimiter,
			      struct err *err)
{
	/* sacct -p ends each line with a delimiter, sacct -P does not. */
	s->closed = slice_ends(line, delimiter);
	line.length -= s->closed ? delimiter.length : 0;
	memset(s->column, 0xff, sizeof(s->column));
	s->columns = slice_cells(line, delimiter, s->cell, COLUMNS_MAX);
	if (s->columns > COLUMNS_MAX)
		return err_set(err, ERR_INPUT, "more than %d columns", COLUMNS_MAX);
	for (size_t i = 0; i < s->columns; i++)
		sacct_put_title(s, slice_trim(s->cell[i]), i);
	s->header = true;
	return header_complete(s, err);
}

/* ---- cells --------------------------------------------------------------------------------- */

static struct slice sacct_cell(const struct sacct *s, enum sacct_column c)
{
	struct slice none = { "", 0 };

	return s->column[c] == ABSENT ? none : slice_trim(s->cell[s->column[c]]);
}

static bool is_nothing(struct slice s)
{
	return s.length == 0 || slice_is(s, "Unknown") || slice_is(s, "None") ||
		slice_is(s, "INVALID") || slice_is(s, "(null)");
}

/* False for an invalid time. Unknown is valid. */
static bool sacct_get_time(struct import *im, enum sacct_column c, int64_t *time)
{
	struct slice s = sacct_cell(im->state, c);

	*time = I64_UNKNOWN;
	return is_nothing(s) || import_time(im, s, time);
}

/* The count of NAME in "cpu=2,billing=3", NaN if absent. */
static double tres_count(struct slice list, const char *name)
{
	struct slice item, key;
	double value;

	while (slice_piece(&list, ',', &item)) {
		if (slice_piece(&item, '=', &key) && slice_is(key, name) && slice_f64(item, &value))
			return value;
	}
	return F64_UNKNOWN;
}

static double first_known(struct import *im, const enum sacct_column *columns, size_t count)
{
	double value;

	for (size_t i = 0; i < count; i++) {
		if (slice_f64(sacct_cell(im->state, columns[i]), &value) && value > 0)
			return value;
	}
	return F64_UNKNOWN;
}

static double sacct_billing(struct import *im, bool started)
{
	static const enum sacct_column cpus[] = { C_ALLOC_CPUS, C_NCPUS, C_REQ_CPUS };
	double value = tres_count(sacct_cell(im->state, C_ALLOC_TRES), "billing");

	if (!f64_known(value) && !started)
		value = tres_count(sacct_cell(im->state, C_REQ_TRES), "billing");
	else if (f64_known(value))
		value = import_billing(im, import_text(im, sacct_cell(im->state, C_PARTITION)),
				       sacct_cell(im->state, C_ALLOC_TRES), value);
	if (!f64_known(value)) {
		value = first_known(im, cpus, 3);
		if (started)
			import_remark(im, "no billing in AllocTRES: CPUs are charged");
	}
	if (!f64_known(value) && started)
		import_remark(im, "no number of CPUs: one is charged");
	return value >= 0 && value < 1e15 ? value : 1;
}

/* "123", "123_4", "123_[1-3%2]", "123+1"; JobIDRaw is the task's own number. */
static bool sacct_put_id(struct import *im, struct replay_job *job)
{
	struct slice raw = sacct_cell(im->state, C_RAW), id = sacct_cell(im->state, C_JOB),
		     first = id;
	size_t length = 0;

	slice_u32(raw, &job->id);
	while (length < id.length && id.at[length] >= '0' && id.at[length] <= '9')
		length++;
	first.length = length;
	if (id.length == 0)
		return job->id != U32_UNKNOWN;
	if (!slice_u32(first, length < id.length && id.at[length] == '_' ? &job->array : &job->id))
		return false;
	if (job->array != U32_UNKNOWN) {
		struct slice task = slice_from(id, length + 1);

		if (job->id == U32_UNKNOWN)
			job->id = job->array;
		if (!slice_u32(task, &job->task))
			job->tasks = import_text(im, task);
	}
	return true;
}

static void put_cpus(struct import *im, struct replay_job *job)
{
	static const enum sacct_column alloc[] = { C_ALLOC_CPUS, C_NCPUS, C_REQ_CPUS };
	static const enum sacct_column nodes[] = { C_NNODES };
	double n = first_known(im, alloc, 3);

	if (n < 4e9)
		job->cpus = (uint32_t)n;
	n = first_known(im, nodes, 1);
	if (n < 4e9)
		job->nodes = (uint32_t)n;
}

static void sacct_put_limit(struct import *im, struct replay_job *job)
{
	double minutes;
	int64_t seconds;

	if (slice_f64(sacct_cell(im->state, C_LIMIT_RAW), &minutes) && minutes >= 0 &&
	    minutes < 6e7)
		job->limit = (uint32_t)(minutes * 60);
	else if (slice_duration(sacct_cell(im->state, C_LIMIT), &seconds) && seconds >= 0 &&
		 seconds < UINT32_MAX - 1)
		job->limit = (uint32_t)seconds;
}

/* ---- a job --------------------------------------------------------------------------------- */

/* The first word of the state: "CANCELLED by 1000". False if Slurm has no such state. */
static bool sacct_state_word(struct slice rest, struct slice *word)
{
	static const char known[] =
		"COMPLETED FAILED CANCELLED TIMEOUT NODE_FAIL OUT_OF_MEMORY PREEMPTED BOOT_FAIL "
		"DEADLINE REQUEUED RESIZING REVOKED RUNNING PENDING SUSPENDED COMPLETING "
		"CONFIGURING SPECIAL_EXIT STOPPED STAGE_OUT SIGNALING REQUEUE_HOLD REQUEUE_FED "
		"RESV_DEL_HOLD";

	return slice_word(&rest, word) && word_listed(known, word->at, word->length);
}

static bool sacct_still_there(struct slice state)
{
	return slice_is(state, "RUNNING") || slice_is(state, "PENDING") ||
		slice_is(state, "SUSPENDED") || slice_is(state, "CONFIGURING");
}

/* False if the record has an unreadable time. */
static bool sacct_put_times(struct import *im, struct slice state, struct replay_job *job)
{
	int64_t elapsed;

	if (!sacct_get_time(im, C_SUBMIT, &job->submit) ||
	    !sacct_get_time(im, C_ELIGIBLE, &job->eligible) ||
	    !sacct_get_time(im, C_START, &job->start) || !sacct_get_time(im, C_END, &job->end))
		return false;
	if (slice_is(state, "PENDING"))
		job->start = I64_UNKNOWN;	/* or the scheduler's estimate */
	if (sacct_still_there(state))
		job->end = I64_UNKNOWN;
	else if (job->end == I64_UNKNOWN && job->start != I64_UNKNOWN &&
		 (slice_i64(sacct_cell(im->state, C_ELAPSED_RAW), &elapsed) ||
		  slice_duration(sacct_cell(im->state, C_ELAPSED), &elapsed)) &&
		 elapsed >= 0 && elapsed < IMPORT_TIME_MAX)
		job->end = job->start + elapsed;
	return true;
}

static void put_account(struct import *im, struct replay_job *job)
{
	job->partition = import_text(im, sacct_cell(im->state, C_PARTITION));
	job->qos = import_text(im, sacct_cell(im->state, C_QOS));
	job->name = import_text(im, sacct_cell(im->state, C_NAME));
	job->factor = replay_usage_factor(im->replay, job->qos);
	job->assoc = replay_assoc(im->replay, import_text(im, sacct_cell(im->state, C_ACCOUNT)),
				  import_text(im, sacct_cell(im->state, C_USER)), job->partition);
}

/* replay_add() puts times in order. */
static void remark_odd(struct import *im, const struct replay_job *job, bool over)
{
	if (job->start == I64_UNKNOWN)
		return;
	if (job->end == I64_UNKNOWN && over)
		import_remark(im, "ended at an unknown time: taken as still running");
	if (job->end != I64_UNKNOWN && job->end < job->start)
		import_remark(im, "ends before it starts: taken as never run");
	if (job->submit != I64_UNKNOWN && job->start < job->submit)
		import_remark(im, "starts before it is submitted: taken as submitted then");
}

static void sacct_add_job(struct import *im)
{
	struct replay_job job = REPLAY_JOB_INIT;
	struct slice state, cluster = sacct_cell(im->state, C_CLUSTER);

	if (!sacct_state_word(sacct_cell(im->state, C_STATE), &state))
		import_remark(im, "states unknown to Slurm: judged by their times");
	if (!sacct_put_id(im, &job)) {
		import_skip(im, "an invalid job id");
		return;
	}
	if (!sacct_put_times(im, state, &job)) {
		import_skip(im, "an invalid time");
		return;
	}
	if (job.submit == I64_UNKNOWN && job.start == I64_UNKNOWN && job.end == I64_UNKNOWN) {
		import_skip(im, "no time at all");
		return;
	}
	put_cpus(im, &job);
	remark_odd(im, &job, !sacct_still_there(state));
	sacct_put_limit(im, &job);
	job.billing = sacct_billing(im, job.start != I64_UNKNOWN);
	if (im->weights)
		job.tres = import_text(im, sacct_cell(im->state, C_ALLOC_TRES));
	job.state = import_text(im, state);
	put_account(im, &job);
	if (!im->name[0])
		snprintf(im->name, sizeof(im->name), "%.*s", SLICE_PRINT(cluster));
	else if (cluster.length && !slice_is(cluster, im->name))
		import_remark(im, "jobs of another cluster");
	import_billing_of(im, replay_add(im->replay, &job));
	im->used++;
}

/* ---- records ------------------------------------------------------------------------------- */

static size_t sacct_delimiters(const struct sacct *s, struct slice record)
{
	/* A delimiter at the end is followed by no cell. */
	return record.length == 0 ? 0 : slice_cells(record, s->delimiter, NULL, 0) - 1 +
					slice_ends(record, s->delimiter);
}

/* "cpu=4,mem=8G": each name once. */
static bool is_tres_list(struct slice list)
{
	struct slice item, key, rest, other;

	while (slice_piece(&list, ',', &item)) {
		if (!memchr(item.at, '=', item.length))
			return false;
		slice_piece(&item, '=', &key);
		for (rest = list; slice_piece(&rest, ',', &other);) {
			struct slice name;

			if (slice_piece(&other, '=', &name) && slice_equal(name, key))
				return false;
		}
	}
	return true;
}

/* Could VALUE be in a column of that check? For a job, not a step, all columns are filled. */
static bool sacct_fits(struct import *im, enum check check, struct slice value)
{
	struct slice v = slice_trim(value), word;
	int64_t seconds;
	double number;

	switch (check) {
	case ID:
		return v.length > 0 && word_is_digit(v.at[0]);
	case STATE:
		return sacct_state_word(v, &word);
	case TIME:
		return v.length > 0 && (is_nothing(v) || import_time(im, v, &seconds));
	case DURATION:
		return v.length > 0 && (is_nothing(v) || slice_duration(v, &seconds));
	case COUNT:
		return slice_f64(v, &number);
	case LIMIT:			/* or UNLIMITED, or Partition_Limit */
		return v.length > 0 && (!word_is_digit(v.at[0]) || slice_duration(v, &seconds));
	case MINUTES:
		return v.length > 0 && (!word_is_digit(v.at[0]) || slice_f64(v, &number));
	case NAME:
		return v.length > 0;
	case TRES:
		return is_tres_list(v);
	case EXIT_CODE:
		return v.length == 0 || (word_is_digit(v.at[0]) && memchr(v.at, ':', v.length));
	case ANYTHING:
		break;
	}
	return true;
}

/* The pieces of a record between its delimiters, more than there are columns. */
struct pieces {
	struct slice at[COLUMNS_MAX + EXTRA_MAX];
	size_t steps;			/* of the search so far */
	struct slice found[COLUMNS_MAX];	/* the first split found */
	unsigned ways;			/* above 1: lists of TRES would differ */
	bool given_up;
};

/* A split was found; true: further ones do not matter. */
static bool keep_way(const struct sacct *s, struct pieces *p)
{
	bool same = true;

	if (p->ways == 0)
		memcpy(p->found, s->cell, sizeof(s->cell[0]) * s->columns);
	for (size_t i = 0; i < s->columns; i++)
		same &= s->check[i] != TRES || slice_equal(p->found[i], s->cell[i]);
	p->ways += p->ways == 0 || !same;
	return !s->lists || p->ways > 1;
}

/*
 * Assigns the pieces from PIECE on to the columns from COLUMN on; lists and texts take the EXTRA
 * ones, texts no more than FREE of them.
 */
static bool sacct_align(struct import *im, struct pieces *p, size_t column, size_t piece,
			size_t extra, size_t free)
{
	struct sacct *s = im->state;

	for (; column < s->columns; column++, piece++) {
		if (p->steps++ > STEPS_MAX) {
			p->given_up = true;
			return false;
		}
		s->cell[column] = p->at[piece];
		if (s->text[column] && extra > 0)
			break;
		if (!sacct_fits(im, s->check[column], p->at[piece]))
			return false;
	}
	if (column == s->columns)
		return extra == 0 && keep_way(s, p);
	for (size_t more = 0; more <= extra; more++) {
		const struct slice *last = &p->at[piece + more];
		size_t taken = s->check[column] == TRES ? 0 : more;

		s->cell[column] = (struct slice){
			p->at[piece].at, (size_t)(last->at + last->length - p->at[piece].at) };
		if (taken <= free && sacct_fits(im, s->check[column], s->cell[column]) &&
		    sacct_align(im, p, column + 1, piece + more + 1, extra - more, free - taken))
			return true;
	}
	return false;
}

/*
 * If lists contain the delimiter, free texts are assumed to contain as few of it as possible.
 * False: there is no split, or lists could be split in several ways.
 */
static bool cut_pieces(struct import *im, struct pieces *p, size_t extra)
{
	struct sacct *s = im->state;

	for (size_t free = s->lists ? 0 : extra; free <= extra && p->ways == 0; free++)
		sacct_align(im, p, 0, 0, extra, free);
	if (p->ways != 1 || (s->lists && p->given_up))
		return false;
	memcpy(s->cell, p->found, sizeof(s->cell[0]) * s->columns);
	return true;
}

static void sacct_use_record(struct import *im)
{
	struct sacct *s = im->state;
	struct slice id = s->cell[s->column[s->column[C_JOB] == ABSENT ? C_RAW : C_JOB]];

	if (memchr(id.at, '.', id.length))
		import_skip(im, "steps: their job is charged");
	else
		sacct_add_job(im);
}

/* Reads a record of COUNT cells, more than there are columns. */
static void read_crowded(struct import *im, struct slice record, size_t count)
{
	struct sacct *s = im->state;
	struct pieces p = { .steps = 0, .ways = 0 };
	size_t extra;

	count -= s->closed && slice_ends(record, s->delimiter);
	extra = count - s->columns;
	if (extra <= EXTRA_MAX) {
		slice_cells(record, s->delimiter, p.at, count);
		if (cut_pieces(im, &p, extra)) {
			import_remark(im, "a delimiter inside a text: cut where the other columns "
				      "are valid");
			sacct_use_record(im);
			return;
		}
	}
	import_skip(im, "more columns than the header");
}

static void read_record(struct import *im, struct slice record)
{
	struct sacct *s = im->state;

	slice_cells(record, s->delimiter, s->cell, s->columns);
	sacct_use_record(im);
}

static void sacct_append(struct sacct *s, struct slice line)
{
	s->record = mem_grow(s->record, &s->record_capacity, s->record_length + line.length + 1, 1);
	memcpy(s->record + s->record_length, line.at, line.length);
	s->record_length += line.length;
	s->record[s->record_length++] = '\n';
	s->record_lines++;
}

static void drop_record(struct import *im, const char *reason)
{
	struct sacct *s = im->state;

	if (s->record_lines > 0)
		import_skip(im, reason);
	s->record_length = s->record_lines = 0;
}

/* Joins a line that is not a whole record with those before it until it is one. */
static void read_part(struct import *im, struct slice line)
{
	struct sacct *s = im->state;
	struct slice all;
	size_t n;

	sacct_append(s, line);
	all = (struct slice){ s->record, s->record_length - 1 };
	n = sacct_delimiters(s, all);
	if (n + 1 < s->columns) {
		if (s->record_lines > RECORD_LINES_MAX || s->record_length > LINE_BYTES_MAX)
			drop_record(im, "fewer columns than the header");
		return;
	}
	if (n + 1 == s->columns || (n == s->columns && slice_ends(all, s->delimiter)))
		read_record(im, all);
	else
		read_crowded(im, all, n + 1);
	s->record_length = s->record_lines = 0;
}

static bool no_header(struct import *im, bool here, struct err *err)
{
	im->line = here ? im->line : 1;
	return err_set(err, ERR_INPUT,
		       "no header line (expected the output of sacct -P, which begins with titles "
		       "as in JobID|Account|User; without a header, name them with --columns)");
}

/* *NOISE: the line precedes the header. */
static bool open_table(struct import *im, struct slice line, bool *noise, struct err *err)
{
	static const struct slice bar = { "|", 1 }, comma = { ",", 1 };
	struct sacct *s = im->state;

	if (im->delimiter)
		s->delimiter = slice_of(im->delimiter);
	if (im->columns) {
		if (s->delimiter.length == 0)
			s->delimiter = bar;
		return sacct_read_header(s, slice_of(im->columns), comma, err);
	}
	if (sacct_is_header(im, line))
		return sacct_read_header(s, line, s->delimiter, err);
	*noise = true;
	if (s->delimiter.length == 0)
		s->delimiter = bar;
	if (im->line > NOISE_LINES_MAX || sacct_delimiters(s, line) >= NOISE_CELLS)
		return no_header(im, im->line <= NOISE_LINES_MAX, err);
	s->delimiter.length = 0;
	import_skip(im, "before the header line");
	return true;
}

static struct slice without_marks(struct sacct *s, struct slice line)
{
	if (!memchr(line.at, '\033', line.length) && !slice_starts(line, "\xef\xbb\xbf"))
		return line;
	s->clean = mem_grow(s->clean, &s->clean_capacity, line.length + 1, 1);
	memcpy(s->clean, line.at, line.length);
	s->clean[line.length] = '\0';
	line.at = s->clean;
	pasted_clean(s->clean, &line.length);
	return line;
}

static bool sacct_line(struct import *im, struct slice line, struct err *err)
{
	struct sacct *s = im->state;
	bool first = !s->header, noise = false;
	size_t n;

	line = without_marks(s, line);
	if (slice_trim(line).length == 0 && s->record_lines == 0)
		return true;
	if (first && line.at[0] == '#')
		return true;
	if (first && !open_table(im, line, &noise, err))
		return false;
	if (noise)
		return true;
	if (sacct_is_header(im, line))
		return true;		/* again where outputs were joined */
	n = sacct_delimiters(s, line) + 1;
	/* With a delimiter at the end there is one more. */
	if (n == s->columns || (n == s->columns + 1 && slice_ends(line, s->delimiter))) {
		drop_record(im, "fewer columns than the header");
		read_record(im, line);
	} else if (n > s->columns && s->record_lines == 0) {
		read_crowded(im, line, n);
	} else if (n == 1 && s->record_lines == 0 &&
		   (pasted_is_remark(line) || pasted_is_prompt(line))) {
		import_skip(im, "prompts and messages from standard error");
	} else {
		read_part(im, line);
	}
	return true;
}

static bool sacct_end(struct import *im, struct err *err)
{
	struct sacct *s = im->state;

	drop_record(im, "fewer columns than the header");
	mem_free(s->record);
	mem_free(s->clean);
	return !err || s->header || im->line == 0 || im->columns || no_header(im, false, err);
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static bool sacct_is_whole(const struct import *im, struct slice ahead)
{
	struct slice line;

	while (!im->columns && slice_line(&ahead, &line)) {
		if (slice_starts(slice_trim(line), "{"))
			return true;
		if (memmem(line.at, line.length, "JobID", 5))
			return false;
	}
	return false;
}

static void take_cells(void *context, const struct slice cells[C_COUNT])
{
	struct import *im = context;
	struct sacct *s = im->state;

	memcpy(s->cell, cells, sizeof(*cells) * C_COUNT);
	sacct_add_job(im);
}

static bool sacct_whole(struct import *im, char *text, size_t length, struct err *err)
{
	struct sacct *s = im->state;
	char remark[200];
	bool good;

	s->header = true;
	for (size_t c = 0; c < C_COUNT; c++)
		s->column[c] = (uint16_t)c;
	s->columns = C_COUNT;
	pasted_clean(text, &length);
	pasted_json(text, length, remark, sizeof(remark));
	if (remark[0])
		import_remark(im, "messages from standard error");
	im->line = 1;
	good = sacct_json_read(text, length, take_cells, im, &im->line, err);
	im->lines += im->line;
	return good;
}

const struct import_kind import_sacct = {
	.name = "sacct",
	.meaning = "the output of sacct -P with its header, or of sacct --json",
	.expected = "the output of sacct -P, with a header line, or of sacct --json",
	.state_size = sizeof(struct sacct),
	.line = sacct_line,
	.end = sacct_end,
	.is_whole = sacct_is_whole,
	.whole = sacct_whole,
};
