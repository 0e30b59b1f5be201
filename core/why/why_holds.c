/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What keeps a job from starting: the scheduler's reason, and the fact behind it; then, where Slurm
 * enforces limits, what would stop it next. Permanent reasons come first.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/queue/job_limits.h"
#include "core/queue/reasons.h"
#include "core/why/why_hold.h"

#define DEPENDENCIES_SHOWN 4

/* ---- lines ---------------------------------------------------------------------------------- */

struct why_line *hold_line(const struct hold *h, const char *kind, const char *format, ...)
{
	struct why_line *line;
	char *text;
	va_list ap;

	va_start(ap, format);
	text = mem_vformat(format, ap);
	va_end(ap);
	line = why_add(h->w, WHY_HOLDS, "%s%s", h->intro, text);
	mem_free(text);
	line->never = strcmp(kind, "never") == 0;
	why_word(line, "reason", h->reason);
	why_word(line, "kind", kind);
	return line;
}

void hold_cause(const struct hold *h, const char *format, ...)
{
	va_list ap;

	if (h->w->cause)
		return;
	va_start(ap, format);
	h->w->cause = mem_vformat(format, ap);
	va_end(ap);
}

/* Kinds of reasons, by the beginning of their brief text, and as a cause. */
static const struct {
	const char *brief, *kind, *cause;
} hold_kinds[] = {
	{ "priority", "priority", "priority" },
	{ "resources license", "license", "a license" },
	{ "resources", "resources", "resources" }, { "limit", "limit", "a limit" },
	{ "dependency", "dependency", "a dependency" }, { "held", "held", "a hold" },
	{ "time reservation", "reservation", "its reservation" }, { "time", "time", "its time" },
	{ "partition", "partition", "its partition" }, { "", "other", "another reason" },
};

static size_t holds_kind_of(const char *reason)
{
	const char *brief = reason_of(reason)->brief;
	size_t i = 0;

	while (!reason_is(brief ? brief : "", hold_kinds[i].brief))
		i++;
	return i;
}

/* Adds the sentence that PBS or LSF reports; PBS's begins with whether the job can ever run. */
static void hold_in_its_words(const struct hold *h)
{
	const char *text = cluster_text(h->c, F_JOB_REASON_TEXT, h->job);
	size_t kind = holds_kind_of(h->reason);
	bool other = strcmp(hold_kinds[kind].kind, "other") == 0, never;

	if (!text || !*text)
		text = h->reason;
	never = word_begins(text, "Can Never Run: ");
	if (never || word_begins(text, "Not Running: "))
		text = strchr(text, ':') + 2;
	hold_line(h, never ? "never" : hold_kinds[kind].kind, "%s: %s", never ? "can never run" :
		  other ? "the scheduler reports" : hold_kinds[kind].kind, text);
	hold_cause(h, "%s", never ? "a permanent reason" : hold_kinds[kind].cause);
}

void hold_plainly(const struct hold *h)
{
	const char *meaning = reason_of(h->reason)->meaning;
	const char *text = cluster_text(h->c, F_JOB_REASON_TEXT, h->job);
	size_t kind = holds_kind_of(h->reason);
	bool other = strcmp(hold_kinds[kind].kind, "other") == 0;
	bool more = text && *text && strcmp(text, h->reason) != 0;

	if (!meaning) {
		hold_in_its_words(h);
		return;
	}
	hold_line(h, hold_kinds[kind].kind, "%s%s%s (%s)%s%.300s", other ? "" :
		  hold_kinds[kind].kind, other ? "" : ": ", meaning, h->reason,
		  more ? "; the scheduler reports: " : "", more ? text : "");
	hold_cause(h, "%s", hold_kinds[kind].cause);
}

/* ---- dependencies --------------------------------------------------------------------------- */

/* The row of job or array ID, of its task TASK unless that is U32_UNKNOWN; running ones first. */
static uint32_t find_other(const struct cluster *c, uint32_t id, uint32_t task)
{
	static const uint8_t order[] = { [JOB_PENDING] = 1, [JOB_HELD] = 1, [JOB_FUTURE] = 1,
					 [JOB_DEPENDENT] = 1, [JOB_RUNNING] = 0, [JOB_ENDED] = 2 };
	uint32_t best = ROW_NONE;

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		const char *tasks = cluster_text(c, F_JOB_TASKS, i);

		if (cluster_u32(c, F_JOB_ID, i) != id && cluster_u32(c, F_JOB_ARRAY, i) != id)
			continue;
		if (task != U32_UNKNOWN && cluster_u32(c, F_JOB_TASK, i) != task &&
		    !(tasks && job_tasks_has(tasks, task)))
			continue;
		if (best == ROW_NONE || order[job_kind_of(c, i)] < order[job_kind_of(c, best)])
			best = i;
	}
	return best;
}

/* "job 141501 has been running since 09:10 (its time limit ends it by 12:10)" */
static void put_other(const struct hold *h, const char *name, uint32_t other, char *text,
		      size_t size)
{
	int64_t start, end, now = cluster_meta(h->c)->time;
	const char *word;
	char when[WHY_WHEN_MAX];

	format_append(text, size, "job %s ", name);
	if (other == ROW_NONE) {
		format_append(text, size, "%s", cluster_hides_jobs(h->c) ?
			      "is hidden, or no longer in the queue" :
			      "is no longer in the queue");
		return;
	}
	start = cluster_i64(h->c, F_JOB_START, other);
	end = cluster_i64(h->c, F_JOB_END, other);
	word = cluster_text(h->c, job_kind_of(h->c, other) < JOB_RUNNING ? F_JOB_REASON :
					  F_JOB_STATE, other);
	if (job_kind_of(h->c, other) < JOB_RUNNING) {
		format_append(text, size, "is itself pending%s%.100s", word ? ": " : "",
			      word ? word : "");
	} else if (job_kind_of(h->c, other) == JOB_ENDED) {
		format_append(text, size, "has ended (%.40s)", word ? word : "-");
	} else {
		format_append(text, size, start == I64_UNKNOWN || start <= 0 ? "is running%s" :
			      "has been running since %s", start == I64_UNKNOWN || start <= 0 ? "" :
			      why_when(h->w, start, when));
		if (end != I64_UNKNOWN && end != I64_INFINITE && end > now &&
		    !(word && strcmp(word, "SUSPENDED") == 0))
			format_append(text, size, " (its time limit ends it by %s)",
				      why_when(h->w, end, when));
	}
}

/* Whether array ID has a task, other than that at row OTHER, which has not finished. */
static bool has_more_tasks(const struct cluster *c, uint32_t id, uint32_t other)
{
	for (uint32_t i = 0; i < cluster_rows(c, TABLE_JOB); i++) {
		if (i != other && cluster_u32(c, F_JOB_ARRAY, i) == id &&
		    job_kind_of(c, i) != JOB_ENDED)
			return true;
	}
	return false;
}

/* Finds the next job or task named from *AT on, and moves *AT behind it; false: none. */
static bool next_other(const char **at, uint32_t *id, uint32_t *task)
{
	char *end;

	while (**at && (**at != ':' || !word_is_digit((*at)[1])))
		(*at)++;
	if (!**at)
		return false;
	*id = (uint32_t)strtoul(*at + 1, &end, 10);
	*task = U32_UNKNOWN;
	if (*end == '_' && word_is_digit(end[1]))
		*task = (uint32_t)strtoul(end + 1, &end, 10);
	*at = end;
	return true;
}

/* Reads "afterok:45:46_3(unfulfilled),singleton"; returns the first job's id and end, if any. */
static uint32_t put_others(const struct hold *h, const char *depends, char *text, size_t size,
			   uint32_t *first, int64_t *until)
{
	uint32_t count = 0, id, task;

	while (next_other(&depends, &id, &task)) {
		char name[32];
		uint32_t other;
		bool all;

		if (++count > DEPENDENCIES_SHOWN)
			continue;
		(void)snprintf(name, sizeof(name), task == U32_UNKNOWN ? "%lu" : "%lu_%lu",
			       (unsigned long)id, (unsigned long)task);
		other = find_other(h->c, id, task);
		format_append(text, size, "%s", count > 1 ? "; " : "");
		all = other != ROW_NONE && job_kind_of(h->c, other) == JOB_RUNNING &&
		      task == U32_UNKNOWN && has_more_tasks(h->c, id, other);
		if (all)
			format_append(text, size, "job %s is running, and has more tasks", name);
		else
			put_other(h, name, other, text, size);
		if (count > 1)
			continue;
		*first = id;
		if (!all && other != ROW_NONE && job_kind_of(h->c, other) == JOB_RUNNING)
			*until = cluster_i64(h->c, F_JOB_END, other);
	}
	if (count > DEPENDENCIES_SHOWN)
		format_append(text, size, "; and %u more", count - DEPENDENCIES_SHOWN);
	return count;
}

/* Fulfilled dependencies are removed, so a named job that does not exist is an unknown one. */
bool why_dependency_is_played(const struct why *w)
{
	const struct cluster *c = w->jobs->model->cluster;
	const char *at = cluster_text(c, F_JOB_DEPENDENCY, w->job);
	uint32_t id, task;

	if (!at || !*at || strchr(at, '+'))	/* "after:45+10": minutes later */
		return false;
	while (next_other(&at, &id, &task)) {
		if (find_other(c, id, task) == ROW_NONE)
			return false;
	}
	return true;
}

static void hold_by_dependency(const struct hold *h)
{
	const char *depends = cluster_text(h->c, F_JOB_DEPENDENCY, h->job);
	bool never = h->reason && strcmp(h->reason, "DependencyNeverSatisfied") == 0;
	uint32_t first = U32_UNKNOWN, count = 0;
	int64_t until = I64_UNKNOWN;
	struct why_line *line;
	char text[1000] = "";

	if (!depends)
		depends = "";
	count = put_others(h, depends, text, sizeof(text), &first, &until);
	if (count > 1 && strchr(depends, '?'))
		format_append(text, sizeof(text), "; one of them is enough");
	if (word_holds(depends, "singleton"))
		format_append(text, sizeof(text), "%san earlier job with the same name and user "
			      "has not ended (singleton)", count > 0 ? "; " : "");
	if (!*text)
		format_append(text, sizeof(text), "%s", *depends ? "" : "it waits for another job");
	if (never && count == 1)
		line = hold_line(h, "never", "dependency: job %lu ended in a way that does not "
				 "satisfy it (%s)", (unsigned long)first, depends);
	else if (never)
		line = hold_line(h, "never", "dependency: a job that it waits for ended in a way "
				 "that does not satisfy it%s%s%s", *depends ? " (" : "", depends,
				 *depends ? ")" : "");
	else
		line = hold_line(h, "dependency", "dependency: %s", *text ? text : depends);
	why_word(line, "dependency", depends);
	why_number(line, "job", first == U32_UNKNOWN ? F64_UNKNOWN : first);
	why_time(line, "until", until);
	hold_cause(h, "a dependency");
}

/* ---- holds and times ------------------------------------------------------------------------ */

/* PBS: "o" or "s" among its holds says who else has to release it. */
static void hold_by_somebody(const struct hold *h)
{
	const char *types = cluster_text(h->c, F_JOB_HOLD_TYPES, h->job);
	bool user = strcmp(h->reason, "JobHeldUser") == 0 ||
		    strcmp(h->reason, "Held (user)") == 0 || (types && strchr(types, 'u'));
	bool admin = strcmp(h->reason, "JobHeldAdmin") == 0;
	bool operator = strcmp(h->reason, "Held (operator)") == 0 || (types && strchr(types, 'o'));
	bool system = strcmp(h->reason, "Held (system)") == 0 || (types && strchr(types, 's'));
	struct why_line *line;

	line = hold_line(h, "held", "held by %s%s%s%s%s", user ? "its owner" : "",
			 user && (operator || system) ? " and by " : "",
			 admin ? "an administrator: only an administrator can release it" :
			 operator ? "an operator" : "",
			 operator && system ? " and by " : "",
			 system ? "the system or a manager" : "");
	why_word(line, "hold_types", types);
	hold_cause(h, "a hold by %s", user ? "its owner" : admin ? "an administrator" :
		   operator ? "an operator" : "the system");
}

static void hold_by_begin_time(const struct hold *h)
{
	int64_t begin = cluster_i64(h->c, F_JOB_ELIGIBLE, h->job);
	bool known = begin != I64_UNKNOWN && begin > 0 && begin != I64_INFINITE;
	int64_t now = cluster_meta(h->c)->time;
	char when[WHY_WHEN_MAX];
	struct why_line *line;

	if (known && now != I64_UNKNOWN && begin <= now)
		line = hold_line(h, "time", "its begin time, %s, has passed, but the scheduler has "
				 "not noticed it yet", why_when(h->w, begin, when));
	else
		line = hold_line(h, "time", "may not start before %s", known ?
				 why_when(h->w, begin, when) : "its begin time, which is unknown");
	why_time(line, "until", known ? begin : I64_UNKNOWN);
	hold_cause(h, "its begin time");
}

/* "-anna": all except those named. */
static bool is_of_others(struct text_list list, const struct cluster *c)
{
	return list.count > 0 && cluster_string(c, list.texts[0])[0] == '-';
}

static void holds_put_list(struct text_list list, const struct cluster *c, const char *word,
			   char *text, size_t size)
{
	bool others = is_of_others(list, c);

	if (list.count > 0)
		format_append(text, size, "%s for %s ", others ? ", not" : ",", word);
	for (uint32_t i = 0; i < list.count; i++) {
		const char *name = cluster_string(c, list.texts[i]);

		format_append(text, size, "%s%.64s", i > 0 ? ", " : "",
			      name + (others && name[0] == '-'));
	}
}

/* The partitions or QOS that it allows, if not all; and whether the job's is one of them. */
static void put_allowed(const struct hold *h, uint32_t row, enum field allowed, enum field asked,
			const char *word, char *text, size_t size)
{
	struct text_list list = cluster_list(h->c, allowed, row);
	const char *of = cluster_text(h->c, asked, h->job);
	bool in = !of || list.count == 0 || is_of_others(list, h->c);

	for (uint32_t i = 0; i < list.count && !in; i++) {
		const char *name = cluster_string(h->c, list.texts[i]);

		in = word_listed(of, name, strlen(name));
	}
	holds_put_list(list, h->c, word, text, size);
	format_append(text, size, "%s", in ? "" : " (not this job's)");
}

/* Adds when the reservation is, and which jobs it allows. */
static void hold_by_reservation(const struct hold *h)
{
	const char *name = cluster_text(h->c, F_JOB_RESERVATION, h->job);
	uint32_t row = cluster_row_of(h->c, F_RESERVATION_NAME,
				      cluster_text_id(h->c, F_JOB_RESERVATION, h->job));
	char text[1000] = "", from[WHY_WHEN_MAX], to[WHY_WHEN_MAX];
	int64_t start = I64_UNKNOWN, end;
	struct why_line *line;

	if (!name || !*name) {
		hold_plainly(h);
		return;
	}
	if (row != ROW_NONE) {
		start = cluster_i64(h->c, F_RESERVATION_START, row);
		end = cluster_i64(h->c, F_RESERVATION_END, row);
		if (start != I64_UNKNOWN && end != I64_UNKNOWN)
			format_append(text, sizeof(text), " is from %s to %s",
				      why_when(h->w, start, from), why_when(h->w, end, to));
		put_allowed(h, row, F_RESERVATION_PARTITIONS, F_JOB_PARTITION, "partitions", text,
			    sizeof(text));
		put_allowed(h, row, F_RESERVATION_QOS, F_JOB_QOS, "QOS", text, sizeof(text));
		holds_put_list(cluster_list(h->c, F_RESERVATION_USERS, row), h->c, "users", text,
			       sizeof(text));
		holds_put_list(cluster_list(h->c, F_RESERVATION_ACCOUNTS, row), h->c, "accounts",
			       text, sizeof(text));
	}
	line = hold_line(h, "reservation", "reservation: %s%s", name, row == ROW_NONE ?
			 " is not in the data" : *text ? text : " has not started");
	why_word(line, "reservation", name);
	why_time(line, "until", start);
	hold_cause(h, "its reservation");
}

static void hold_by_partition(const struct hold *h)
{
	const char *state = h->partition == ROW_NONE ? NULL :
			    cluster_text(h->c, F_PARTITION_STATE, h->partition);
	struct why_line *line;

	line = hold_line(h, "partition", "partition %s: %s (%s)", h->partition_name,
			 strcmp(h->reason, "PartitionDown") == 0 ? "it starts no jobs" :
			 "it accepts and starts no jobs", h->reason);
	why_word(line, "partition", h->partition_name);
	why_word(line, "state", state);
	hold_cause(h, "partition %s", h->partition_name);
}

/* ---- the scheduler's reason ----------------------------------------------------------------- */

static void hold_by_license_or_plainly(const struct hold *h)
{
	if (!hold_by_license(h))
		hold_plainly(h);
}

static void hold_by_rule(const struct hold *h)
{
	bool time = strcmp(h->reason, "PartitionTimeLimit") == 0;

	if (!(time ? hold_by_time_limit(h) : hold_by_size(h)))
		hold_plainly(h);
}

/* The scheduler reports that no node fits; with several partitions it tries the others, too. */
static void hold_by_constraints(const struct hold *h)
{
	const char *features = cluster_text(h->c, F_JOB_FEATURES, h->job);
	struct why_line *line;

	if (hold_by_size(h))
		return;
	line = hold_line(h, h->several ? "partition" : "never", "%s (%s)%s%s",
			 reason_of(h->reason)->meaning, h->reason,
			 features && *features ? "; it asks for features " : "",
			 features ? features : "");
	why_word(line, "features", features);
	hold_cause(h, "a request that no node can satisfy");
}

static void hold_by_reason(const struct hold *h)
{
	static const struct {
		const char *word;
		void (*put)(const struct hold *h);
	} words[] = {
		{ "Priority", hold_by_priority }, { "Resources", hold_by_resources },
		{ "Dependency", hold_by_dependency },
		{ "DependencyNeverSatisfied", hold_by_dependency },
		{ "BeginTime", hold_by_begin_time }, { "Reservation", hold_by_reservation },
		{ "Licenses", hold_by_license_or_plainly },
		{ "JobArrayTaskLimit", hold_by_array },
		{ "PartitionNodeLimit", hold_by_rule }, { "PartitionTimeLimit", hold_by_rule },
		{ "PartitionDown", hold_by_partition }, { "PartitionInactive", hold_by_partition },
		{ "BadConstraints", hold_by_constraints }, { "NodeDown", hold_by_nodes },
		{ "JobHeldUser", hold_by_somebody }, { "JobHeldAdmin", hold_by_somebody },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(h->reason, words[i].word) == 0) {
			words[i].put(h);
			return;
		}
	}
	if (word_begins(h->reason, "ReqNodeNotAvail"))
		hold_by_nodes(h);
	else if (word_begins(h->reason, "Held ("))
		hold_by_somebody(h);
	else if (job_limits_of(h->reason) != JOB_LIMITS_NONE &&
		 strcmp(h->reason, "QOSUsageThreshold") != 0)
		hold_by_limits(h);
	else
		hold_plainly(h);
}

/* ---- what Slurm has not reported ------------------------------------------------------------ */

static bool keeps_limits(const struct cluster *c)
{
	return policy_knows(cluster_policy(c), "AccountingStorageEnforce") &&
	       policy_keeps_limits(cluster_policy(c));
}

/* Moves the last line to the front. */
static void put_first(struct why *w)
{
	struct why_line last = w->lines[w->count - 1];

	memmove(&w->lines[1], &w->lines[0], (w->count - 1) * sizeof(last));
	w->lines[0] = last;
}

/* Adds a permanent reason that the scheduler has not reported yet. */
static bool hold_for_ever(struct hold *h)
{
	char *cause = h->w->cause;
	bool found;

	h->w->cause = NULL;
	found = hold_by_size(h) || hold_by_time_limit(h) ||
		(keeps_limits(h->c) && hold_by_next_limit(h, true));
	if (found)
		put_first(h->w);
	mem_free(found ? cause : h->w->cause);
	if (!found)
		h->w->cause = cause;
	return found;
}

/* Its partition starts no jobs, which is not reported yet; false: it may start some. */
static bool hold_by_state(const struct hold *h)
{
	const char *state = h->partition == ROW_NONE ? NULL :
			    cluster_text(h->c, F_PARTITION_STATE, h->partition);
	struct why_line *line;

	if (!state || (strcmp(state, "DOWN") != 0 && strcmp(state, "INACTIVE") != 0))
		return false;
	line = hold_line(h, "partition", "partition %s is %s: it starts no jobs",
			 h->partition_name, state);
	why_word(line, "partition", h->partition_name);
	why_word(line, "state", state);
	hold_cause(h, "partition %s", h->partition_name);
	return true;
}

/* Adds what would stop it next if it were its turn. */
static void hold_next(struct hold *h)
{
	const char *depends = cluster_text(h->c, F_JOB_DEPENDENCY, h->job);
	int64_t begin = cluster_i64(h->c, F_JOB_ELIGIBLE, h->job);

	h->intro = "then a ";
	if (depends && *depends) {
		hold_by_dependency(h);
		return;
	}
	h->intro = "then it ";
	if (begin != I64_UNKNOWN && begin != I64_INFINITE && begin > cluster_meta(h->c)->time &&
	    cluster_meta(h->c)->time != I64_UNKNOWN) {
		hold_by_begin_time(h);
		return;
	}
	h->intro = "then ";
	if (hold_by_state(h) || hold_by_license(h))
		return;
	h->intro = "then a ";
	if (keeps_limits(h->c))
		(void)hold_by_next_limit(h, false);
}

void why_holds(struct why *w)
{
	static const char *const silent[] = { "Priority", "Resources", "None", NULL };
	const struct job_index *x = w->jobs->index;
	const char *name = x->partition_name[w->entry];
	struct hold h = { w, w->jobs, w->jobs->model->cluster, w->entry, w->job,
			  x->partition[w->entry], name ? name : "its partition", false,
			  cluster_text(w->jobs->model->cluster, F_JOB_REASON, w->job), "" };
	bool said = h.reason && *h.reason, open = !said || word_in(silent, h.reason);

	h.several = (w->entry > 0 && x->job[w->entry - 1] == w->job) ||
		    (w->entry + 1 < x->n && x->job[w->entry + 1] == w->job);
	if (said) {
		hold_by_reason(&h);
	} else {
		h.reason = NULL;
		hold_line(&h, "other", "no reason was reported");
	}
	if (policy_scheduler_of(cluster_meta(h.c)->kind) != POLICY_OF_SLURM || h.several ||
	    w->lines[0].never)
		return;
	h.reason = NULL;
	if (!hold_for_ever(&h) && open)
		hold_next(&h);
}
