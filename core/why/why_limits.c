/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of associations, QOS and arrays that keep a job from starting. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/base/word.h"
#include "core/queue/job_limits.h"
#include "core/queue/reasons.h"
#include "core/why/why_hold.h"

#define AMOUNT_MAX 240
#define HOLDERS_MAX 500
#define HOLDERS_SHOWN 3
#define OTHERS_SHOWN 2

/* ---- amounts in words ----------------------------------------------------------------------- */

static const char *limit_number(double x, char buf[AMOUNT_MAX])
{
	if (isinf(x))
		(void)snprintf(buf, AMOUNT_MAX, "unlimited");
	else
		(void)format_grouped(x, buf, AMOUNT_MAX);
	return buf;
}

/* The unit of what is counted, in the plural form for X: "CPUs", "CPU-minutes", "jobs". */
static void limit_unit(const struct cluster *c, const struct job_limit *l, double x,
		       char buf[AMOUNT_MAX])
{
	static const char *const names[][3] = {
		{ "cpu", "CPU", "CPUs" }, { "node", "node", "nodes" },
		{ "mem", "MiB of memory", "MiB of memory" }, { "gres/gpu", "GPU", "GPUs" },
	};
	const char *tres = l->tres == ROW_NONE ? NULL : cluster_tres_name(c, l->tres);
	bool one = x >= 1 && x <= 1;

	if (!tres) {
		(void)snprintf(buf, AMOUNT_MAX, l->minutes ? "minute%s" : "job%s", one ? "" : "s");
		return;
	}
	(void)snprintf(buf, AMOUNT_MAX, "%s", tres);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(tres, names[i][0]) == 0)
			(void)snprintf(buf, AMOUNT_MAX, "%s",
				       names[i][one || l->minutes ? 1 : 2]);
	}
	if (l->minutes)
		format_append(buf, AMOUNT_MAX, "-minutes");
}

/* "64 CPUs" */
static const char *limit_amount(const struct cluster *c, const struct job_limit *l, double x,
				char buf[AMOUNT_MAX])
{
	char number[AMOUNT_MAX], unit[AMOUNT_MAX];

	limit_unit(c, l, x, unit);
	(void)snprintf(buf, AMOUNT_MAX, "%.60s %.160s", limit_number(x, number), unit);
	return buf;
}

/* Whose jobs count: "/physics", "anna under QOS normal". */
static const char *why_limit_of(const struct hold *h, const struct job_limit *l, char *buf,
				size_t size)
{
	enum field field = strstr(l->name, "PerUser") ? F_JOB_USER :
			   strstr(l->name, "PerAccount") ? F_JOB_ACCOUNT : F_COUNT;
	const char *who = field == F_COUNT ? NULL : cluster_text(h->c, field, h->job);

	(void)snprintf(buf, size, "%s%s%s%s", field == F_JOB_USER ? "user " :
		       field == F_JOB_ACCOUNT ? "account " : "",
		       field == F_COUNT ? "" : who ? who : "-",
		       field == F_COUNT ? "" : " under ", l->whose);
	return buf;
}

/* ---- one limit ------------------------------------------------------------------------------ */

static bool is_group(const char *name)
{
	return strncmp(name, "Grp", 3) == 0;
}

/* Whether the job requests more than the whole limit, so that no end of a job helps. */
static bool is_beyond(const struct job_limit *l)
{
	return l->each || (!l->spent && l->asks > l->most);
}

static void limit_facts(struct why_line *line, const struct job_limit *l)
{
	why_word(line, "limit", l->name);
	why_word(line, "of", l->whose);
	if (!l->each)
		why_number(line, "used", l->used);
	why_number(line, l->least ? "least" : "most", l->most);
	why_number(line, "asks", l->asks);
	if (!l->each && !l->spent && !line->never)
		why_time(line, "until", l->next_end);
}

static const char *limit_doubt(const struct job_limit *l)
{
	return l->doubtful ? "; its QOS, whose limit was not read, may override it" : "";
}

/*
 * Whether what each holder runs is counted. Minutes are not. Slurm counts a node once, however many
 * jobs run on it, and perhaps at an earlier time, so a sum above the total is another quantity.
 */
static bool why_is_counted(const struct job_limit *l)
{
	double sum = 0;

	for (uint32_t i = 0; i < l->holder_count; i++)
		sum += l->holders[i].has;
	return !l->minutes && sum <= l->used;
}

/* "alice 8, bob 4": the largest users of what runs; only the names if amounts are not counted. */
static void limit_holders(const struct cluster *c, const struct job_limit *l, char buf[HOLDERS_MAX])
{
	char has[AMOUNT_MAX];

	buf[0] = '\0';
	for (uint32_t i = 0; i < l->holder_count && i < HOLDERS_SHOWN; i++) {
		const char *user = cluster_string(c, l->holders[i].user);

		format_append(buf, HOLDERS_MAX, "%s%.64s", i > 0 ? ", " : "", user ? user : "-");
		if (why_is_counted(l))
			format_append(buf, HOLDERS_MAX, " %.40s",
				      limit_number(l->holders[i].has, has));
	}
	if (l->holder_count > HOLDERS_SHOWN)
		format_append(buf, HOLDERS_MAX, ", others");
}

/* KIND: "never", or "limit" if something else may let it pass. */
static struct why_line *put_beyond(const struct hold *h, const struct job_limit *l,
				   const char *kind)
{
	char of[1200], asks[AMOUNT_MAX], most[AMOUNT_MAX];
	char asked[WHY_WHEN_MAX], allowed[WHY_WHEN_MAX];
	struct why_line *line;

	why_limit_of(h, l, of, sizeof(of));
	limit_amount(h->c, l, l->asks, asks);
	if (l->tres == ROW_NONE && l->minutes)
		line = hold_line(h, kind, "its time limit is %s, %s allows %s at most (%s)%s",
				 isinf(l->asks) ? "unlimited" :
				 why_span((int64_t)(l->asks * 60), asked), of,
				 why_span((int64_t)(l->most * 60), allowed), l->name,
				 limit_doubt(l));
	else
		line = hold_line(h, kind, "asks for %s, %s %s %s at %s (%s)%s", asks, of,
				 l->least ? "requires" : l->each ? "allows a job" :
				 l->tres == ROW_NONE ? "may run" : "may use",
				 limit_number(l->most, most), l->least ? "least" : "most", l->name,
				 limit_doubt(l));
	limit_facts(line, l);
	hold_cause(h, "a limit of %s", of);
	return line;
}

static struct why_line *put_reached(const struct hold *h, const struct job_limit *l)
{
	char of[1200], used[AMOUNT_MAX], most[AMOUNT_MAX], asks[AMOUNT_MAX], text[2500];
	char when[WHY_WHEN_MAX], holders[HOLDERS_MAX];
	const char *comma;
	struct why_line *line;

	why_limit_of(h, l, of, sizeof(of));
	limit_number(l->used, used);
	limit_amount(h->c, l, l->most, most);
	limit_holders(h->c, l, holders);
	comma = *holders ? "; " : "";
	if (l->tres == ROW_NONE && !l->minutes)
		(void)snprintf(text, sizeof(text), "%s of %s of %s %s (%s%s%s)", used, most, of,
			       l->most > 1 ? "are running" : "is running", holders, comma, l->name);
	else
		(void)snprintf(text, sizeof(text), "%s%s %s %s of %s%s (%s%s%s)",
			       l->minutes && !l->spent ? "running jobs of " : "", of,
			       l->spent ? "has used" : l->minutes ? "have" : "uses", used, most,
			       l->minutes && !l->spent ? " to go" : "", holders, comma, l->name);
	if (f64_known(l->asks) && (l->spent ? l->used < l->most : l->tres != ROW_NONE))
		format_append(text, sizeof(text), ", this job asks for %s more",
			      limit_number(l->asks, asks));
	else if (l->spent && l->decays)
		format_append(text, sizeof(text), "; that falls only over time");
	if (l->next_end != I64_UNKNOWN)
		format_append(text, sizeof(text), "; the next%s ends by %s",
			      l->tres == ROW_NONE ? "" : " of its jobs",
			      why_when(h->w, l->next_end, when));
	format_append(text, sizeof(text), "%s", limit_doubt(l));
	line = hold_line(h, "limit", "%s: %s", is_group(l->name) ? "group limit" : "limit", text);
	limit_facts(line, l);
	if (*holders)
		why_word(line, "holders", holders);
	hold_cause(h, "the %s of %s", is_group(l->name) ? "group limit" : "limit", of);
	return line;
}

/* NEVER: as far as is known, it can never pass a limit that it exceeds. */
static struct why_line *why_put_limit(const struct hold *h, const struct job_limit *l, bool never)
{
	if (is_beyond(l) && (never || l->each))
		return put_beyond(h, l, never ? "never" : "limit");
	return put_reached(h, l);
}

/* ---- which limit ---------------------------------------------------------------------------- */

/* Whether REASON, in any case, names more of the limit than its owner. */
static bool says_which(const char *reason)
{
	static const char *const words[] = { "cpu", "mem", "node", "gres", "gpu", "billing",
					     "license", "jobs", "wall" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (word_holds(reason, words[i]))
			return true;
	}
	return false;
}

/* Whether L is what AssocGrpCPURunMinutesLimit, QOSMaxCpuPerUserLimit and the like mean. */
static bool why_is_meant(const struct cluster *c, const char *reason, const struct job_limit *l)
{
	const char *tres = l->tres == ROW_NONE ? NULL : cluster_tres_name(c, l->tres);
	char word[8];

	if (!says_which(reason))
		return true;
	if (!strstr(reason, "PerUser") != !strstr(l->name, "PerUser") ||
	    !strstr(reason, "PerAccount") != !strstr(l->name, "PerAccount") ||
	    (!l->least && tres &&
	     (word_holds(reason, "minutes") || word_holds(reason, "mins")) != l->minutes) ||
	    !strstr(reason, "Run") != !strstr(l->name, "RunMins"))
		return false;
	if (!tres)
		return word_holds(reason, l->minutes ? "wall" : "jobs");
	(void)snprintf(word, sizeof(word), "%.*s", (int)strcspn(tres, "/"), tres);
	return word_holds(reason, word);
}

/* Whether Slurm checks it, as far as is known. */
static bool why_is_asked(const struct job_limits *all, const struct job_limit *l)
{
	for (size_t i = 0; i < all->count; i++) {
		if (!all->reached[i].doubtful && strcmp(all->reached[i].name, l->name) == 0 &&
		    strcmp(all->reached[i].whose, l->whose) == 0)
			return true;
	}
	return false;
}

/* Adds what in L, besides BEST, stops it. */
static void add_others(struct why_line *line, const struct job_limits *l,
		       const struct job_limits *all, const struct job_limit *best)
{
	char text[1000] = "", *whole;
	unsigned count = 0;

	for (size_t i = 0; i < l->count; i++) {
		const struct job_limit *other = &l->reached[i];

		if (other != best && why_is_asked(all, other) && ++count <= OTHERS_SHOWN)
			format_append(text, sizeof(text), "%s%.100s of %.200s",
				      count > 1 ? ", " : "", other->name, other->whose);
	}
	if (count == 0)
		return;
	if (count > OTHERS_SHOWN)
		format_append(text, sizeof(text), " and %u more", count - OTHERS_SHOWN);
	whole = mem_format("%s; also limited by %s", line->text, text);
	mem_free(line->text);
	line->text = whole;
}

/* Adds what runs under its QOS, some limits of which may not have been read. */
static void why_put_qos(const struct hold *h, const struct job_limit_qos *q, char *text,
			size_t size)
{
	const char *user = cluster_text(h->c, F_JOB_USER, h->job);
	char jobs[AMOUNT_MAX], own[AMOUNT_MAX];

	if (f64_known(q->jobs))
		format_append(text, size, "; %s %s under %.200s, %s of them by %.64s",
			      limit_number(q->jobs, jobs), plural((uint64_t)q->jobs, "job runs",
								  "jobs run"),
			      q->whose, limit_number(q->of_user, own), user ? user : "its user");
	else
		format_append(text, size, "; jobs running under %.200s are hidden", q->whose);
	if (q->unreported[0])
		why_add(h->w, WHY_UNKNOWN, "limits of %.200s that were not read: %s", q->whose,
			q->unreported);
}

static struct why_line *put_none_reached(const struct hold *h, const struct job_limits *l)
{
	bool of_qos = job_limits_of(h->reason) == JOB_LIMITS_QOS && l->qos_count == 0;
	struct why_line *line;
	char text[800] = "";

	for (uint32_t k = 0; k < l->qos_count; k++)
		why_put_qos(h, &l->qos[k], text, sizeof(text));
	line = hold_line(h, "limit", "%s: %s (%s); %s%s",
			 strstr(h->reason, "Grp") ? "group limit" : "limit",
			 reason_of(h->reason)->meaning, h->reason, of_qos ?
			 "no data on its QOS" :
			 "no such limit that was read is reached now; one may have been when the "
			 "scheduler last tried", text);
	why_word(line, "limit", NULL);
	hold_cause(h, "a limit");
	return line;
}

/* The limit in L that its reason means, of ALL that Slurm checks; how well it FITS. NULL: none. */
static const struct job_limit *limit_meant(const struct hold *h, struct job_limits *l,
					   struct job_limits *all, int *fits)
{
	const struct job_limit *best = NULL;

	*fits = -1;
	job_limits_find(l, h->j, h->entry, h->reason);
	job_limits_find_all(all, h->j, h->entry);
	for (size_t i = 0; i < l->count; i++) {
		bool asked = why_is_asked(all, &l->reached[i]);
		int score = 2 * (asked && is_beyond(&l->reached[i])) + asked;

		if (why_is_meant(h->c, h->reason, &l->reached[i]) && score > *fits) {
			*fits = score;
			best = &l->reached[i];
		}
	}
	return best;
}

void hold_by_limits(const struct hold *h)
{
	struct job_limits l, all;
	struct why_line *line;
	int most;
	const struct job_limit *best = limit_meant(h, &l, &all, &most);

	/* If the reason means an association's limit, no QOS sets it, so the one found applies. */
	if (!best)
		line = put_none_reached(h, &l);
	else
		line = why_put_limit(h, best, !h->several &&
				     (most > 0 || job_limits_of(h->reason) == JOB_LIMITS_ASSOC));
	add_others(line, &l, &all, best);
	job_limits_free(&all);
	job_limits_free(&l);
}

/* False for minutes used or to go, and for minimums of a QOS (sim_site_limits.c). */
bool why_limit_is_played(struct why *w, const char *reason)
{
	const struct hold h = { .w = w, .j = w->jobs, .c = w->jobs->model->cluster,
				.entry = w->entry, .job = w->job, .reason = reason };
	struct job_limits l, all;
	int fits;
	const struct job_limit *best = limit_meant(&h, &l, &all, &fits);
	bool played = policy_keeps_limits(cluster_policy(h.c)) && best && !best->least &&
		      !strstr(best->name, "PerNode") &&
		      (!best->minutes || (best->each && best->tres == ROW_NONE));

	job_limits_free(&all);
	job_limits_free(&l);
	return played;
}

bool hold_by_next_limit(const struct hold *h, bool never)
{
	struct job_limits all;
	bool found = false;

	job_limits_find_all(&all, h->j, h->entry);
	for (size_t i = 0; i < all.count && !found; i++) {
		found = (is_beyond(&all.reached[i]) && !all.reached[i].doubtful) == never;
		if (found)
			(void)why_put_limit(h, &all.reached[i], never);
	}
	job_limits_free(&all);
	return found;
}

/* ---- arrays --------------------------------------------------------------------------------- */

void hold_by_array(const struct hold *h)
{
	const struct job_index *x = h->j->index;
	uint32_t array = cluster_u32(h->c, F_JOB_ARRAY, h->job), run = 0, most;
	const char *tasks = cluster_text(h->c, F_JOB_TASKS, h->job);
	struct why_line *line;

	most = tasks ? job_tasks_at_once(tasks) : U32_INFINITE;
	for (uint32_t e = 0; e < x->n; e++)
		run += x->kind[e] == JOB_RUNNING &&
		       cluster_u32(h->c, F_JOB_ARRAY, x->job[e]) == array;
	hold_cause(h, "the task limit of its array");
	if (most == U32_INFINITE || array == U32_UNKNOWN || cluster_hides_jobs(h->c) ||
	    run < most) {
		hold_plainly(h);
		return;
	}
	line = hold_line(h, "limit", "limit: its array runs %u of at most %u %s at once "
			 "(%%%u)", run, most, plural(most, "task", "tasks"), most);
	why_number(line, "used", run);
	why_number(line, "most", most);
}
