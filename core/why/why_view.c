/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/why/why_view.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/plural.h"

/* ---- which jobs ----------------------------------------------------------------------------- */

void whys_add(struct whys *all, struct why *w)
{
	MEM_GROW(all->list, all->capacity, all->count + 1);
	all->list[all->count++] = w;
}

/* Whether entry E is the first of a job of USER, or of the PBS entity of that name. */
static bool whys_is_of(const struct job_index *x, uint32_t e, const char *user)
{
	const char *own = cluster_text(x->cluster, F_JOB_USER, x->job[e]);
	const char *entity = x->assoc[e] == ROW_NONE ? NULL :
			     cluster_text(x->cluster, F_ASSOC_USER, x->assoc[e]);

	return ((own && strcmp(own, user) == 0) || (entity && strcmp(entity, user) == 0)) &&
	       (e == 0 || x->job[e] != x->job[e - 1]);
}

void whys_of_user(struct whys *all, const struct jobs *jobs, const char *user,
		  const struct calendar *people)
{
	const struct job_index *x = jobs->index;

	for (uint32_t e = 0; e < x->n; e++) {
		if (x->kind[e] < JOB_RUNNING && whys_is_of(x, e, user))
			whys_add(all, why_new(jobs, e, people));
	}
}

static int whys_compare(const void *a, const void *b)
{
	const struct why *v = *(struct why *const *)a, *w = *(struct why *const *)b;
	bool known = v->start != I64_UNKNOWN;

	if (v->never != w->never)
		return v->never ? -1 : 1;
	if (known != (w->start != I64_UNKNOWN))
		return known ? 1 : -1;
	if (v->start != w->start)
		return v->start > w->start ? -1 : 1;
	return v->entry < w->entry ? -1 : v->entry > w->entry;
}

void whys_sort(struct whys *all)
{
	if (all->count > 1)
		qsort(all->list, all->count, sizeof(*all->list), whys_compare);
}

void whys_free(struct whys *all)
{
	for (size_t i = 0; i < all->count; i++)
		why_free(all->list[i]);
	mem_free(all->list);
	mem_free(all->scratch);
	*all = (struct whys){ .count = 0 };
}

/* ---- rows ----------------------------------------------------------------------------------- */

static const struct why *why_of(const struct position *pos)
{
	return ((const struct whys *)pos->context)->list[pos->row];
}

static void why_get_id(const struct position *pos, struct value *out)
{
	const struct why *w = why_of(pos);

	jobs_get_id(&(struct position){ pos->column, w->jobs, w->entry }, out);
}

static void why_get_text(const struct position *pos, struct value *out)
{
	const struct why *w = why_of(pos);

	value_set_text(out, cluster_text(w->jobs->model->cluster,
					 (enum field)pos->column->which, w->job));
}

static void why_get_state(const struct position *pos, struct value *out)
{
	static const char *const words[] = {
		[WHY_WAITS] = "waiting", [WHY_RUNS] = "running", [WHY_ENDED] = "ended",
	};

	value_set_text(out, words[why_of(pos)->state]);
}

static void why_get_never(const struct position *pos, struct value *out)
{
	out->kind = VALUE_BOOL;
	out->integer = why_of(pos)->never;
}

static void why_get_cause(const struct position *pos, struct value *out)
{
	value_set_text(out, why_of(pos)->cause);
}

/* Puts the sentence of LINE and its facts into ENTRIES; returns how many. */
static uint32_t why_entries(const struct why_line *line, struct value_entry *entries)
{
	entries[0] = (struct value_entry){ .key = "text", .text = line->text, .bare = true,
					   .begins = true };
	for (uint32_t i = 0; i < line->fact_count; i++)
		entries[1 + i] = (struct value_entry){ .key = line->facts[i].key,
						       .number = line->facts[i].number,
						       .text = line->facts[i].text };
	return 1 + line->fact_count;
}

static void why_get_line(const struct position *pos, struct value *out)
{
	const struct whys *all = pos->context;
	const struct why_line *line = why_line_of(why_of(pos), (enum why_part)pos->column->which);

	out->kind = line ? VALUE_MAP : VALUE_UNKNOWN;
	out->entries = all->scratch;
	out->count = line ? why_entries(line, all->scratch) : 0;
}

static void why_get_place(const struct position *pos, struct value *out)
{
	const struct why *w = why_of(pos);
	const struct queue_order *o = w->jobs->order;

	value_set_count(out, w->state == WHY_WAITS ? o->partition_rank[w->entry] : U32_UNKNOWN);
}

static void why_get_lines(const struct position *pos, struct value *out)
{
	const struct whys *all = pos->context;
	const struct why *w = why_of(pos);
	enum why_part part = (enum why_part)pos->column->which;

	out->entries = all->scratch;
	out->count = 0;
	/* It was not computed, so an empty list would be wrong. */
	if ((part == WHY_BEHIND && !all->simulated) || (part == WHY_HELPS && !all->helped))
		return;
	out->kind = VALUE_RECORDS;
	for (size_t i = 0; i < w->count; i++) {
		if (w->lines[i].part == part)
			out->count += why_entries(&w->lines[i], all->scratch + out->count);
	}
}

static void why_get_unknown(const struct position *pos, struct value *out)
{
	const struct whys *all = pos->context;
	const struct why *w = why_of(pos);

	out->kind = VALUE_LIST;
	out->entries = all->scratch;
	out->count = 0;
	for (size_t i = 0; i < w->count; i++) {
		if (w->lines[i].part == WHY_UNKNOWN)
			all->scratch[out->count++] = (struct value_entry){
				.text = w->lines[i].text };
	}
}

const struct column why_columns[] = {
	{ .name = "id", .title = "JobID", .only = ALWAYS, .get = why_get_id,
	  .legend = "job number; of PBS's arrays N[], of their subjobs N[I]" },
	{ .name = "name", .title = "Name", .left = true, .get = why_get_text, .which = F_JOB_NAME,
	  .legend = "job name" },
	{ .name = "user", .title = "User", .left = true, .only = ALWAYS, .get = why_get_text,
	  .which = F_JOB_USER, .legend = "user name" },
	{ .name = "account", .title = "Account", .left = true, .get = why_get_text,
	  .which = F_JOB_ACCOUNT, .legend = "account name" },
	{ .name = "partition", .title = "Partition", .left = true, .get = why_get_text,
	  .which = F_JOB_PARTITION, .legend = "partition, or those it asks for" },
	{ .name = "qos", .title = "QOS", .left = true, .get = why_get_text, .which = F_JOB_QOS,
	  .legend = "QOS name" },
	{ .name = "state", .title = "State", .left = true, .only = ALWAYS, .get = why_get_state,
	  .legend = "waiting, running or ended" },
	{ .name = "never", .title = "Never", .get = why_get_never,
	  .legend = "whether it can never start as things are" },
	{ .name = "cause", .title = "Cause", .left = true, .only = ALWAYS, .get = why_get_cause,
	  .legend = "the main reason, in short" },
	{ .name = "holds", .title = "Reason", .left = true, .get = why_get_lines,
	  .which = WHY_HOLDS, .legend = "reasons why it is pending" },
	{ .name = "place", .title = "Place", .get = why_get_place,
	  .legend = "rank in its partition, 1 = considered first" },
	{ .name = "order", .title = "Order", .left = true, .get = why_get_line,
	  .which = WHY_PLACE, .legend = "the same in words, and in the whole queue" },
	{ .name = "ahead", .title = "Ahead", .left = true, .get = why_get_lines,
	  .which = WHY_AHEAD, .legend = "the job just ahead of it, and why" },
	{ .name = "start", .title = "Start", .left = true, .only = ALWAYS, .get = why_get_line,
	  .which = WHY_START, .legend = "when it starts, or when it started and ends" },
	{ .name = "behind", .title = "Behind", .left = true, .get = why_get_lines,
	  .which = WHY_BEHIND, .legend = "jobs that wait for the nodes of this running job" },
	{ .name = "helps", .title = "Helps", .left = true, .get = why_get_lines,
	  .which = WHY_HELPS,
	  .legend = "changes its owner could make, best first; for a single job only" },
	{ .name = "unknown", .title = "Unknown", .left = true, .get = why_get_unknown,
	  .legend = "what was not read, or is not modelled" },
};
const size_t why_columns_count = sizeof(why_columns) / sizeof(why_columns[0]);

struct view whys_view(struct whys *all)
{
	size_t most = 1;

	for (size_t i = 0; i < all->count; i++) {
		size_t n = all->list[i]->count * (1 + WHY_FACTS);

		most = n > most ? n : most;
	}
	mem_free(all->scratch);
	all->scratch = mem_alloc(most, sizeof(*all->scratch));
	return view_of("why", why_columns, why_columns_count, all, all->count);
}

/* ---- sentences ------------------------------------------------------------------------------ */

#define HEAD_MAX 2048
#define HEAD_NAME 300		/* bytes of a name; the rest is cut */

static void head_name(char *text, const char *before, const char *name, const char *after)
{
	format_append(text, HEAD_MAX, "%s%.*s%s%s", before, HEAD_NAME, name,
		      strlen(name) > HEAD_NAME ? "..." : "", after);
}

/* " of alice (/physics)", as far as known. */
static void head_owner(const struct why *w, char *text)
{
	const struct cluster *c = w->jobs->model->cluster;
	const char *user = cluster_text(c, F_JOB_USER, w->job);
	const char *account = cluster_text(c, F_JOB_ACCOUNT, w->job);
	uint32_t assoc = w->jobs->index->assoc[w->entry];
	char path[800];

	if (user)
		head_name(text, " of ", user, "");
	if (assoc != ROW_NONE) {
		cluster_path(c, cluster_is_user(c, assoc) ? cluster_parent(c)[assoc] : assoc, path,
			     sizeof(path));
		account = path;
	}
	if (account)
		head_name(text, " (", account, ")");
}

/* " is pending", " is running", " is SUSPENDED" */
static void head_state(const struct why *w, char *text)
{
	const char *state = cluster_text(w->jobs->model->cluster, F_JOB_STATE, w->job);

	if (w->state == WHY_WAITS)
		format_append(text, HEAD_MAX, " is pending");
	else if (state && strcmp(state, "RUNNING") != 0)
		format_append(text, HEAD_MAX, " is %.100s", state);
	else
		format_append(text, HEAD_MAX, w->state == WHY_RUNS ? " is running" : " has ended");
}

/* ", submitted 2 May 09:10 (3 h 20 min ago)" */
static void head_since(const struct why *w, char *text)
{
	const struct cluster *c = w->jobs->model->cluster;
	int64_t since = cluster_i64(c, w->state == WHY_WAITS ? F_JOB_SUBMIT : F_JOB_START, w->job);
	int64_t now = cluster_meta(c)->time;
	char when[WHY_WHEN_MAX], span[WHY_WHEN_MAX];

	if (w->state == WHY_ENDED || since == I64_UNKNOWN || since <= 0)
		return;
	format_append(text, HEAD_MAX, ", %s %s", w->state == WHY_WAITS ? "submitted" : "started",
		      why_when(w, since, when));
	if (now != I64_UNKNOWN && now >= since)
		format_append(text, HEAD_MAX, " (%s ago)", why_span(now - since, span));
}

char *why_head(const struct why *w)
{
	const char *where = cluster_text(w->jobs->model->cluster, F_JOB_PARTITION, w->job);
	uint32_t tasks = w->jobs->index->tasks[w->entry];
	char text[HEAD_MAX] = "";

	format_append(text, sizeof(text), "job %s", w->name);
	head_owner(w, text);
	if (tasks > 1)
		format_append(text, sizeof(text), ", %u tasks,", (unsigned)tasks);
	head_state(w, text);
	if (where)
		head_name(text, " in ", where, "");
	head_since(w, text);
	return mem_strdup(text);
}

#define WHY_LINES_SHOWN 9		/* besides the head */

static size_t why_helps_most(const struct why *w)
{
	size_t others = 0;

	for (size_t i = 0; i < w->count; i++)
		others += w->lines[i].part != WHY_HELPS;
	return others < WHY_LINES_SHOWN ? WHY_LINES_SHOWN - others : 1;
}

const struct why_line *why_shown(const struct why *w, enum why_part part, size_t n)
{
	if (part == WHY_HELPS && n >= why_helps_most(w))
		return NULL;
	for (int never = 1; never >= 0; never--) {
		for (size_t i = 0; i < w->count; i++) {
			const struct why_line *line = &w->lines[i];

			if (line->part == part && line->never == (never == 1) && n-- == 0)
				return line;
		}
	}
	return NULL;
}

const char *why_label(const struct why *w, enum why_part part)
{
	static const char *const labels[WHY_PARTS] = {
		[WHY_HOLDS] = "Reason", [WHY_PLACE] = "Place", [WHY_AHEAD] = "Ahead",
		[WHY_START] = "Start", [WHY_BEHIND] = "Behind", [WHY_HELPS] = "Helps",
		[WHY_UNKNOWN] = "Unknown",
	};

	return part == WHY_HOLDS && w->state != WHY_WAITS ? "Waited" : labels[part];
}

const char *why_command(const struct why_line *line)
{
	for (uint32_t i = 0; i < line->fact_count; i++) {
		if (strcmp(line->facts[i].key, "command") == 0)
			return line->facts[i].text;
	}
	return NULL;
}

/* ---- several answers ------------------------------------------------------------------------ */

#define CAUSES_NAMED 3

struct why_cause {
	const char *text;		/* NULL: unknown */
	uint64_t jobs;
};

static uint64_t whys_jobs_of(const struct why *w)
{
	return w->jobs->index->tasks[w->entry];
}

static int cause_compare(const void *a, const void *b)
{
	const struct why_cause *v = a, *w = b;

	return v->jobs > w->jobs ? -1 : v->jobs < w->jobs;
}

/* The causes of ALL, that of most jobs first, and their number. The caller frees it. */
static struct why_cause *whys_causes(const struct whys *all, size_t *count)
{
	struct why_cause *causes = mem_zalloc(all->count + 1, sizeof(*causes));

	*count = 0;
	for (size_t i = 0; i < all->count; i++) {
		const char *text = all->list[i]->cause;
		size_t at = 0;

		while (at < *count && (text && causes[at].text ?
				       strcmp(text, causes[at].text) != 0 :
				       text != causes[at].text))
			at++;
		*count += at == *count;
		causes[at].text = text;
		causes[at].jobs += whys_jobs_of(all->list[i]);
	}
	if (*count > 1)
		qsort(causes, *count, sizeof(*causes), cause_compare);
	return causes;
}

/* ": 12 due to the group limit of /physics, 2 due to other reasons" */
static void head_causes(const struct whys *all, char *text)
{
	size_t count;
	struct why_cause *causes = whys_causes(all, &count);
	uint64_t others = 0;

	for (size_t i = 0; i < count; i++) {
		if (i >= CAUSES_NAMED)
			others += causes[i].jobs;
		else
			format_append(text, HEAD_MAX, "%s %llu due to %.300s", i > 0 ? "," : ":",
				      (unsigned long long)causes[i].jobs,
				      causes[i].text ? causes[i].text : "an unknown reason");
	}
	if (others > 0)
		format_append(text, HEAD_MAX, ", %llu due to other reasons",
			      (unsigned long long)others);
	mem_free(causes);
}

static void head_none(const struct jobs *jobs, const char *user, char *text)
{
	const struct job_index *x = jobs->index;
	uint32_t running = 0;

	for (uint32_t e = 0; e < x->n; e++)
		running += x->kind[e] == JOB_RUNNING && whys_is_of(x, e, user);
	format_append(text, HEAD_MAX, "no job of %.200s is pending", user);
	if (running > 0)
		format_append(text, HEAD_MAX, ", %u %s", (unsigned)running,
			      plural(running, "is running", "are running"));
	if (cluster_hides_jobs(x->cluster))
		format_append(text, HEAD_MAX, "; other users' jobs are hidden");
}

char *whys_head(const struct whys *all, const struct jobs *jobs, const char *user)
{
	uint64_t waiting = 0, never = 0;
	const struct why *first = NULL;
	char text[HEAD_MAX] = "", when[WHY_WHEN_MAX];

	for (size_t i = 0; i < all->count; i++) {
		const struct why *w = all->list[i];

		waiting += whys_jobs_of(w);
		never += w->never ? whys_jobs_of(w) : 0;
		if (w->start != I64_UNKNOWN && (!first || w->start < first->start))
			first = w;
	}
	if (all->count == 0) {
		head_none(jobs, user, text);
		return mem_strdup(text);
	}
	format_append(text, sizeof(text), "%llu %s of %.200s %s", (unsigned long long)waiting,
		      plural(waiting, "job", "jobs"), user,
		      plural(waiting, "is pending", "are pending"));
	head_causes(all, text);
	if (never > 0)
		format_append(text, sizeof(text), "; %llu can never start as things are",
			      (unsigned long long)never);
	if (first)
		format_append(text, sizeof(text), "; the first starts about %s",
			      why_when(first, first->start, when));
	return mem_strdup(text);
}
