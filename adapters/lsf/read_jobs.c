/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bjobs -l, bjobs -w and bjobs, in their plain form.
 *
 *	Job <55[3]>, Job Name <sweep[3]>, User <u4>, ..., Status <PEND>, Queue <mixed>, ...
 *	Sun Nov 22 11:37:12: Submitted from host <hosta>, ..., 2-6 Processors Requested, ...;
 *	Sun Nov 22 11:42:48: Started on 2 Hosts/Processors <hostc> <hostc>, ...;
 *	 PENDING REASONS:
 *	 Job slot limit reached: 5 hosts;
 *
 * Lines that begin with 21 blanks continue the one above, which LSF folds at any character.
 *
 *	JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME
 *	55      u4      RUN   normal     hosta       2*hostb     *epare 10  Nov 22 11:37
 *	                                             hostc
 *	102     u1      PEND  normal     hosta                   a b        Nov 22 11:38
 *
 * With -w a cell longer than its column pushes the rest, pending jobs have a "-" for their host,
 * and the hosts of one job are joined by colons. Without it cells are cut, pending jobs have no
 * host, and each further host has a line.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/lsf/site.h"
#include "core/base/mem.h"

#define FOLD 21		/* blanks before the rest of a folded line */
#define TIME_SIZE 32

struct long_job {
	struct lsf_site *s;
	struct lsf_job job;
	char *texts[12];		/* owned; the job's texts point to them */
	size_t count;
	char *reasons;
	size_t reasons_length, reasons_capacity;
	bool open, in_reasons;
	uint32_t line;
};

/* The NUL-ended LINE after KEY, up to END; NULL if KEY is missing. The job owns it. */
static const char *bjobs_between(struct long_job *j, const char *line, const char *key,
				 const char *end)
{
	const char *at = strstr(line, key), *to;

	if (!at || j->count == sizeof(j->texts) / sizeof(j->texts[0]))
		return NULL;
	at += strlen(key);
	to = strstr(at, end);
	if (!to)
		return NULL;
	return j->texts[j->count++] = mem_strndup(at, (size_t)(to - at));
}

static void bjobs_end_job(struct long_job *j)
{
	if (j->open) {
		j->job.reason = j->reasons_length > 0 ? j->reasons : NULL;
		lsf_put_job(j->s, &j->job);
	}
	for (size_t i = 0; i < j->count; i++)
		mem_free(j->texts[i]);
	j->count = 0;
	j->reasons_length = 0;
	j->open = j->in_reasons = false;
}

/* The text between ">, Job Name <" and AT. */
static const char *bjobs_name_of(struct long_job *j, const char *line, const char *at)
{
	static const char key[] = ">, Job Name <";
	const char *from = strstr(line, key);

	if (!from || from >= at || j->count == sizeof(j->texts) / sizeof(j->texts[0]))
		return NULL;
	from += sizeof(key) - 1;
	return j->texts[j->count++] = mem_strndup(from, (size_t)(at - from));
}

/* A job's name may contain anything: the project follows the user. */
static const char *find_user(const char *line)
{
	static const char key[] = ">, User <", next[] = ">, Project <";
	const char *first = strstr(line, key), *at, *end;

	for (at = first; at; at = strstr(at + 1, key)) {
		end = strchr(at + sizeof(key) - 1, '>');
		if (end && strncmp(end, next, sizeof(next) - 1) == 0)
			return at;
	}
	return first;
}

static bool bjobs_begin_job(struct long_job *j, const char *line)
{
	char *end;
	unsigned long id = strtoul(line + strlen("Job <"), &end, 10), index = 0;
	const char *at, *priority, *command, *charged = NULL;

	bjobs_end_job(j);
	if (*end == '[')
		index = strtoul(end + 1, NULL, 10);
	j->job = (struct lsf_job){ .id = (uint32_t)id, .index = (uint32_t)index,
				   .submit = I64_UNKNOWN, .start = I64_UNKNOWN,
				   .begin = I64_UNKNOWN,
				   .priority = I64_UNKNOWN, .slots = U32_UNKNOWN,
				   .most_slots = U32_UNKNOWN };
	at = find_user(line);
	j->job.name = at ? bjobs_name_of(j, line, at) : NULL;
	command = j->job.name ? NULL : strstr(line, ">, Command <");
	if (id == 0 || id >= U32_UNKNOWN || !at)
		return false;
	j->job.user = bjobs_between(j, at, ">, User <", ">");
	j->job.stat = bjobs_between(j, at, ">, Status <", ">");
	j->job.queue = bjobs_between(j, at, ">, Queue <", ">");
	priority = strstr(at, ">, Job Priority <");
	if (priority)
		j->job.priority = strtoll(priority + strlen(">, Job Priority <"), NULL, 10);
	while ((at = strstr(at, ", Share group charged <")))
		charged = at++;
	if (charged)
		j->job.charged = bjobs_between(j, charged, ", Share group charged <", ">");
	/* A job without a name is called after its command. */
	if (command)
		j->job.name =
			bjobs_between(j, command, ">, Command <", charged ? ">, Share group" : ">");
	j->open = j->job.user && j->job.stat && j->job.queue;
	return j->open;
}

/* The number before WORD: in "2-6 Processors Requested" the minimum; *MOST is the maximum. */
static uint32_t number_before(const char *line, const char *word, uint32_t *most)
{
	const char *at = strstr(line, word);
	unsigned long n, upper;
	char *end;

	while (at && at > line && (isdigit((unsigned char)at[-1]) || at[-1] == '-'))
		at--;
	n = at ? strtoul(at, &end, 10) : 0;
	upper = n > 0 && *end == '-' ? strtoul(end + 1, NULL, 10) : 0;
	if (upper > n && upper < U32_UNKNOWN)
		*most = (uint32_t)upper;
	return n > 0 && n < U32_UNKNOWN ? (uint32_t)n : U32_UNKNOWN;
}

/*
 * "<hosta> <2*hostb>, ...": keeps hosts and slots, joined by colons; returns the number of slots.
 */
static uint32_t bjobs_take_hosts(struct long_job *j, const char *at)
{
	uint64_t slots = 0;
	size_t used = 0, room = strlen(at) + 1;
	char *hosts;

	if (j->count == sizeof(j->texts) / sizeof(j->texts[0]))
		return U32_UNKNOWN;
	hosts = j->texts[j->count++] = mem_zalloc(room, 1);
	while (*at == ' ')
		at++;
	while (*at == '<') {
		size_t length = strcspn(at + 1, ">");
		unsigned long n = 1;
		char *star;

		if (isdigit((unsigned char)at[1])) {
			unsigned long times = strtoul(at + 1, &star, 10);

			n = *star == '*' ? times : 1;
		}
		slots += n;
		used += (size_t)snprintf(hosts + used, room - used, "%s%.*s", used ? ":" : "",
					 (int)length, at + 1);
		at += length + 1 + (at[length + 1] == '>');
		at += *at == ' ';
	}
	j->job.hosts = used > 0 ? hosts : NULL;
	return slots > 0 && slots < U32_UNKNOWN ? (uint32_t)slots : U32_UNKNOWN;
}

/* The last start counts: a job may have been started more than once. */
static void take_started(struct long_job *j, const char *line, int64_t when)
{
	static const char *const words[] = { "Allocated", "Started", "Dispatched", "tarted on" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const char *at = strstr(line, words[i]);

		at = at ? strchr(at, '<') : NULL;
		if (!at)
			continue;
		j->job.slots = bjobs_take_hosts(j, at);
		j->job.most_slots = U32_UNKNOWN;
		j->job.start = when;
		return;
	}
}

/* "..., Specified Start Time <Mon Nov 23 23:59:00>, ..." */
static int64_t begin_of(const struct long_job *j, const char *line)
{
	static const char words[] = "Specified Start Time <";
	const char *at = strstr(line, words);

	return at && strlen(at) > sizeof(words) + 4 ?
	       lsf_time_after(j->job.submit, at + sizeof(words) + 3) : I64_UNKNOWN;
}

/* "..., Specified Hosts <hosta+2>, <hg1/>, ...": all, separated by blanks; owned by the job. */
static const char *hosts_asked(struct long_job *j, const char *line)
{
	static const char key[] = ", Specified Hosts ";
	const char *at = strstr(line, key), *end;
	size_t used = 0;
	char *list;

	if (!at || j->count == sizeof(j->texts) / sizeof(j->texts[0]))
		return NULL;
	at += sizeof(key) - 1;
	list = j->texts[j->count++] = mem_zalloc(strlen(at) + 1, 1);
	while (*at == '<' && (end = strchr(at, '>'))) {
		size_t length = (size_t)(end - at);

		/* A blank replaces the bracket. */
		memcpy(list + used, at, length);
		list[used] = ' ';
		used += length;
		at = end + 1;
		at += strncmp(at, ", <", 3) == 0 ? 2 : 0;
	}
	list[used] = '\0';
	return used > 0 ? list : NULL;
}

/* "..., Requested Resources <select[mem>500] span[hosts=1]>;": may contain a ">". */
static const char *resources_asked(struct long_job *j, const char *line)
{
	static const char key[] = ", Requested Resources <";
	const char *at = strstr(line, key), *next, *end;

	if (!at)
		return NULL;
	next = strstr(at, ">, ");
	end = strstr(at, ">;");
	return bjobs_between(j, at, key, next && (!end || next < end) ? ">, " : ">;");
}

/* "Sun Nov 22 11:37:12: Submitted ...", with a year or without. */
static void take_event(struct long_job *j, const char *line)
{
	const char *colon = strstr(line, ": ");
	char when[TIME_SIZE];
	int64_t time;

	if (!colon || colon - line < 8 || colon - line - 4 >= TIME_SIZE || line[3] != ' ')
		return;
	snprintf(when, sizeof(when), "%.*s", (int)(colon - line - 4), line + 4);
	time = lsf_time_of(j->s, when);
	if (time == I64_UNKNOWN)
		return;
	if (strncmp(colon, ": Submitted from", 16) == 0) {
		uint32_t *most = &j->job.most_slots;
		uint32_t slots = number_before(colon, " Processors Requested", most);

		j->job.submit = time;
		j->job.begin = begin_of(j, colon);
		j->job.hosts_reported = true;
		j->job.exclusive = strstr(colon, ", Exclusive Execution") != NULL;
		j->job.asked = hosts_asked(j, colon);
		j->job.require = resources_asked(j, colon);
		if (slots == U32_UNKNOWN)
			slots = number_before(colon, " Task(s)", most);
		/* Without a number a job requests one. */
		j->job.slots = slots == U32_UNKNOWN ? 1 : slots;
	} else if (strstr(colon, "tarted ") || strstr(colon, "ispatched ")) {
		take_started(j, colon, time);
	}
}

static void take_reason(struct long_job *j, const char *line)
{
	size_t length;

	line += strspn(line, " ");
	length = strlen(line);
	if (length > 0 && line[length - 1] == ';')
		length--;
	j->reasons = mem_grow(j->reasons, &j->reasons_capacity, j->reasons_length + length + 3, 1);
	j->reasons_length += (size_t)snprintf(j->reasons + j->reasons_length, length + 3, "%s%.*s",
					      j->reasons_length ? "; " : "", (int)length, line);
}

static bool bjobs_take_line(struct long_job *j, const char *line, struct err *err)
{
	if (strncmp(line, "Job <", 5) == 0) {
		if (bjobs_begin_job(j, line))
			return true;
		return err_set_line(err, ERR_INPUT, j->line, "\"%.60s\": expected Job <ID>, ... "
				    "User <...>, ... Status <...>, Queue <...>", line);
	}
	if (!j->open)
		return true;
	if (line[strspn(line, " ")] == '\0' || line[0] == '-') {
		j->in_reasons = false;
	} else if (strcmp(line, " PENDING REASONS:") == 0) {
		j->in_reasons = true;
	} else if (j->in_reasons && line[0] == ' ') {
		take_reason(j, line);
	} else if (isupper((unsigned char)line[0])) {
		take_event(j, line);
	}
	return true;
}

static bool is_fold(struct slice line)
{
	size_t blanks = 0;

	while (blanks < line.length && line.at[blanks] == ' ')
		blanks++;
	return blanks == FOLD && line.length > FOLD;
}

/* Reads a line with its folded continuations; false at the end. Reuses *TEXT. */
static bool bjobs_next_line(struct slice *rest, char **text, size_t *capacity, uint32_t *lines)
{
	struct slice line, ahead, after;
	size_t length;

	if (!slice_line(rest, &line))
		return false;
	++*lines;
	length = line.length;
	*text = mem_grow(*text, capacity, length + 1, 1);
	memcpy(*text, line.at, length);
	for (after = *rest; slice_line(&after, &ahead) && is_fold(ahead); *rest = after) {
		*text = mem_grow(*text, capacity, length + ahead.length + 1, 1);
		memcpy(*text + length, ahead.at + FOLD, ahead.length - FOLD);
		length += ahead.length - FOLD;
		++*lines;
	}
	(*text)[length] = '\0';
	return true;
}

/* "No unfinished job found", from standard error: there are no jobs, which is not an error. */
static bool says_none(const struct lsf_site *s)
{
	struct slice rest = { s->text->text, s->text->length }, line;
	static const char end[] = " job found";

	while (slice_line(&rest, &line) && slice_trim(line).length == 0)
		;
	return slice_starts(line, "No ") && memmem(line.at, line.length, end, sizeof(end) - 1);
}

bool lsf_read_bjobs_long(struct lsf_site *s, struct err *err)
{
	struct slice rest = { s->text->text, s->text->length };
	struct long_job j = { .s = s };
	size_t capacity = 0;
	char *text = NULL;
	bool good = true, any = false;

	while (good && bjobs_next_line(&rest, &text, &capacity, &j.line)) {
		good = bjobs_take_line(&j, text, err);
		any |= j.open;
	}
	if (good)
		bjobs_end_job(&j);
	j.open = false;
	bjobs_end_job(&j);
	if (good && !any && s->text->length > 0 && !says_none(s))
		good = err_set(err, ERR_INPUT,
			       "no job in it (expected Job <ID>, ... as bjobs -l prints them)");
	mem_free(j.reasons);
	mem_free(text);
	return good;
}

/* ---- bjobs, with -w or without ------------------------------------------------------------- */

enum { ID, USER, STAT, QUEUE, FROM, EXEC, NAME, TIME, SHORT_COLUMNS };

static const char *const short_head[SHORT_COLUMNS] = {
	"JOBID", "USER", "STAT", "QUEUE", "FROM_HOST", "EXEC_HOST", "JOB_NAME", "SUBMIT_TIME"
};

struct short_jobs {
	struct lsf_site *s;
	size_t at[SHORT_COLUMNS];	/* starts of the columns; at[USER] is 0 before the header */
	struct slice cells[SHORT_COLUMNS];
	char *hosts;			/* of the job being read; owned */
	bool open;			/* its further hosts may follow */
	bool narrow;			/* without -w: recognised by what -w never prints */
	uint32_t full;			/* users or queues that fill their column */
};

static uint32_t bjobs_count_hosts(const char *hosts)
{
	uint64_t slots = 0;

	while (*hosts) {
		char *end;
		unsigned long n = strtoul(hosts, &end, 10);

		slots += end != hosts && *end == '*' ? n : 1;
		hosts += strcspn(hosts, ":");
		hosts += *hosts == ':';
	}
	return slots > 0 && slots < U32_UNKNOWN ? (uint32_t)slots : U32_UNKNOWN;
}

/* Cuts the last word off LINE. */
static struct slice last_word(struct slice *line)
{
	struct slice whole = slice_trim(*line);
	size_t from = whole.length;

	while (from > 0 && whole.at[from - 1] != ' ')
		from--;
	*line = (struct slice){ whole.at, from };
	return slice_from(whole, from);
}

static char *bjobs_copy(struct slice s)
{
	return mem_strndup(s.at, s.length);
}

/* The index of an array element is only in its name: "sweep[3]". */
static uint32_t bjobs_index_of(struct slice name)
{
	const char *open = name.length > 0 && name.at[name.length - 1] == ']' ?
			   memchr(name.at, '[', name.length) : NULL;

	return open ? (uint32_t)strtoul(open + 1, NULL, 10) : 0;
}

static int64_t submit_of(const struct short_jobs *j)
{
	char *text = bjobs_copy(j->cells[TIME]);
	int64_t time = lsf_time_of(j->s, text);

	mem_free(text);
	return time;
}

static bool bjobs_waits(struct slice stat)
{
	return slice_is(stat, "PEND") || slice_is(stat, "PSUSP");
}

static bool read_short_head(struct short_jobs *j, struct slice line)
{
	struct slice rest = line, word;

	for (size_t i = 0; i < SHORT_COLUMNS; i++) {
		if (!slice_word(&rest, &word) || !slice_is(word, short_head[i]))
			return false;
		j->at[i] = (size_t)(word.at - line.at);
	}
	return slice_trim(rest).length == 0;
}

/* Splits at the columns, shifted by a long id; false if any other cell is too long. */
static bool cut_by_columns(struct short_jobs *j, struct slice line)
{
	size_t moved, from;
	struct slice word = { line.at, 0 }, rest = line;

	slice_word(&rest, &word);
	moved = word.length >= j->at[USER] ? word.length + 1 - j->at[USER] : 0;
	for (size_t i = 0; i < SHORT_COLUMNS; i++) {
		struct slice *cell = &j->cells[i];

		from = j->at[i] + (i > ID ? moved : 0);
		if (from >= line.length || (from > 0 && line.at[from - 1] != ' '))
			return false;
		*cell = slice_from(line, from);
		if (i + 1 < SHORT_COLUMNS && cell->length > j->at[i + 1] + moved - from)
			cell->length = j->at[i + 1] + moved - from;
		*cell = slice_trim(*cell);
		if (i < NAME && (memchr(cell->at, ' ', cell->length) ||
				 (i != EXEC && cell->length == 0)))
			return false;
	}
	return submit_of(j) != I64_UNKNOWN;
}

/* Splits into words: the name is between the host and the time. */
static bool cut_by_words(struct short_jobs *j, struct slice line)
{
	struct slice name, word;
	const char *end;
	int words = 3;

	line = slice_trim(line);
	end = line.at + line.length;
	for (int i = 0; i < EXEC; i++) {
		if (!slice_word(&line, &j->cells[i]))
			return false;
	}
	name = line;
	j->cells[EXEC] = (struct slice){ "", 0 };
	if (slice_word(&line, &word) && (!bjobs_waits(j->cells[STAT]) || slice_is(word, "-"))) {
		j->cells[EXEC] = word;
		name = line;
	}
	for (int i = 0; i < words; i++) {
		j->cells[TIME] = last_word(&name);
		/* LSB_DISPLAY_YEAR */
		if (i == 0 && j->cells[TIME].length == 4)
			words = 4;
	}
	j->cells[TIME].length = (size_t)(end - j->cells[TIME].at);
	j->cells[NAME] = slice_trim(name);
	return j->cells[NAME].length > 0 && submit_of(j) != I64_UNKNOWN;
}

/* The queue for a cut name; NAME itself if there is none or several. */
static struct slice whole_queue(const struct lsf_site *s, struct slice name)
{
	struct slice found = name;

	for (size_t i = 0; i < s->queue_count; i++) {
		struct slice queue = slice_of(s->queues[i].name);

		if (slice_equal(queue, name))
			return name;
		if (queue.length < name.length || memcmp(queue.at, name.at, name.length) != 0)
			continue;
		if (found.at != name.at)
			return name;
		found = queue;
	}
	return found;
}

static bool put_short(struct short_jobs *j)
{
	struct lsf_job job = { .start = I64_UNKNOWN, .begin = I64_UNKNOWN, .priority = I64_UNKNOWN,
			       .slots = U32_UNKNOWN, .most_slots = U32_UNKNOWN,
			       .submit = submit_of(j) };
	struct slice number = j->cells[ID];
	const char *open = memchr(number.at, '[', number.length);
	char *texts[SHORT_COLUMNS];

	if (open)
		number.length = (size_t)(open - number.at);
	if (!slice_u32(number, &job.id) || job.id >= U32_UNKNOWN)
		return false;
	job.index = bjobs_index_of(j->cells[NAME]);
	for (int i = 0; i < SHORT_COLUMNS; i++)
		texts[i] = bjobs_copy(j->cells[i]);
	job.user = texts[USER];
	job.stat = texts[STAT];
	job.queue = texts[QUEUE];
	job.name = texts[NAME];
	if (j->hosts && strcmp(j->hosts, "-") != 0) {
		job.hosts = j->hosts;
		job.slots = bjobs_count_hosts(job.hosts);
	}
	lsf_put_job(j->s, &job);
	for (int i = 0; i < SHORT_COLUMNS; i++)
		mem_free(texts[i]);
	return true;
}

static bool end_short(struct short_jobs *j)
{
	bool good = !j->open || put_short(j);

	mem_free(j->hosts);
	j->hosts = NULL;
	j->open = false;
	return good;
}

/* Adds a host to the job above. */
static void add_exec_host(struct short_jobs *j, struct slice host)
{
	char *hosts = mem_format("%s:%.*s", j->hosts, (int)host.length, host.at);

	mem_free(j->hosts);
	j->hosts = hosts;
	j->narrow = true;
}

static bool take_short(struct short_jobs *j, struct slice line)
{
	struct slice rest = line, word = { "", 0 };
	bool columns;

	slice_word(&rest, &word);
	if (word.at >= line.at + j->at[EXEC] && slice_trim(rest).length == 0 && j->hosts) {
		add_exec_host(j, word);
		return true;
	}
	if (!end_short(j))
		return false;
	columns = cut_by_columns(j, line);
	if (!columns && !cut_by_words(j, line))
		return false;
	if (columns) {
		j->full += j->cells[USER].length + 1 == j->at[STAT] - j->at[USER] ||
			   j->cells[QUEUE].length + 1 == j->at[FROM] - j->at[QUEUE];
		j->cells[QUEUE] = whole_queue(j->s, j->cells[QUEUE]);
	}
	j->narrow |= j->cells[EXEC].length == 0;
	if (j->cells[EXEC].length > 0)
		j->hosts = bjobs_copy(j->cells[EXEC]);
	j->open = true;
	return true;
}

bool lsf_read_bjobs_wide(struct lsf_site *s, struct err *err)
{
	struct slice rest = { s->text->text, s->text->length }, line = rest;
	struct short_jobs j = { .s = s };
	uint32_t number = 0;
	bool good = true;

	while (good && slice_line(&rest, &line)) {
		number++;
		if (slice_trim(line).length == 0)
			continue;
		if (j.at[USER] == 0 || slice_starts(line, "JOBID"))
			good = end_short(&j) && read_short_head(&j, line);
		else
			good = take_short(&j, line);
	}
	good = end_short(&j) && good;
	if (j.narrow && j.full > 0)
		builder_note(s->b, s->text->name, "%u names of users or queues fill their column "
			     "and may be cut (bjobs -u all -w prints them in full)",
			     (unsigned)j.full);
	return good || err_set_line(err, ERR_INPUT, number, "\"%.*s\": expected %s",
				    SLICE_PRINT(line), j.at[TIME] == 0 ?
				    "the header JOBID USER STAT QUEUE FROM_HOST EXEC_HOST JOB_NAME "
				    "SUBMIT_TIME of bjobs -u all -w" :
				    "a job as bjobs -u all -w prints it");
}
