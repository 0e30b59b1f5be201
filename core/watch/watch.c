/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/watch/watch.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/classes/classes_view.h"
#include "core/cluster/idmap.h"
#include "core/lint/lint_all.h"
#include "core/pools/pool_past.h"
#include "core/verify/verify.h"

/* One line of `changes`: words, or numbers if those are NULL. */
struct watch_change {
	const char *what, *object;
	const char *was_word, *word;
	uint32_t was, is;
};

/* The line of `source`. */
struct watch_state {
	const char *source, *health, *verify;
	bool up;
	int64_t age;
};

struct watch {
	struct alarm_rule *rules;
	size_t count, capacity;
	bool at_once;
	/* From the previous evaluation. */
	struct text *texts;		/* paths */
	struct idmap ranks;		/* path -> rank */
	const char *verify;		/* the verdict; NULL: there was none */
	bool up, looked;
	int64_t time, now;		/* of the last picture, and this machine's at that time */
	struct watch_change *changes;	/* between the previous and this evaluation */
	size_t change_count, change_capacity;
	struct pool_past pool_past;
};

/* The input of the rules, each made when a rule first needs it. */
struct observation {
	const struct watch_answer *answer;
	const struct cluster *cluster;	/* the model's; NULL */
	struct jobs *own_jobs;		/* if the answer has none */
	struct classes_data *classes;
	struct pools *pools;
	struct lint lint;
	bool linted;
	struct verify *verify;
	struct verify_view verify_view;
	struct policy_view policy;
	struct watch_state state;
	const struct watch *watch;
};

/* ---- the two views of this module ----------------------------------------------------------- */

static const struct watch_change *watch_change_of(const struct position *pos)
{
	const struct watch *w = pos->context;

	return &w->changes[pos->row];
}

static void get_what(const struct position *pos, struct value *out)
{
	value_set_text(out, watch_change_of(pos)->what);
}

static void watch_get_object(const struct position *pos, struct value *out)
{
	value_set_text(out, watch_change_of(pos)->object);
}

static void set_either(struct value *out, const char *word, uint32_t number)
{
	if (word)
		value_set_text(out, word);
	else
		value_set_count(out, number);
}

static void watch_get_was(const struct position *pos, struct value *out)
{
	set_either(out, watch_change_of(pos)->was_word, watch_change_of(pos)->was);
}

static void watch_get_is(const struct position *pos, struct value *out)
{
	set_either(out, watch_change_of(pos)->word, watch_change_of(pos)->is);
}

static void get_by(const struct position *pos, struct value *out)
{
	const struct watch_change *c = watch_change_of(pos);

	if (!c->word && c->was != U32_UNKNOWN && c->is != U32_UNKNOWN)
		value_set_int(out, (int64_t)c->is - (int64_t)c->was);
}

static const struct column watch_changes_columns[] = {
	{ .name = "what", .title = "What", .left = true, .only = ALWAYS, .get = get_what,
	  .legend = "what changed since the previous check: rank, verify or source" },
	{ .name = "object", .title = "Object", .left = true, .only = ALWAYS,
	  .get = watch_get_object,
	  .legend = "for a rank the path of the account or user, otherwise the source" },
	{ .name = "was", .title = "Was", .only = ALWAYS, .get = watch_get_was,
	  .legend = "the rank, the verdict of verify, or up or down, at the previous check" },
	{ .name = "is", .title = "Is", .only = ALWAYS, .get = watch_get_is,
	  .legend = "the same, now" },
	{ .name = "by", .title = "By", .only = ALWAYS, .get = get_by,
	  .legend = "change of a rank; above zero: worse" },
};
static const size_t watch_changes_columns_count =
	sizeof(watch_changes_columns) / sizeof(watch_changes_columns[0]);

static const struct watch_state *watch_state_of(const struct position *pos)
{
	return pos->context;
}

static void watch_get_text(const struct position *pos, struct value *out)
{
	value_set_text(out, *(const char *const *)POSITION_MEMBER(pos, watch_state_of(pos)));
}

static const char *up_word(bool up)
{
	return up ? "up" : "down";
}

static void get_state(const struct position *pos, struct value *out)
{
	value_set_text(out, up_word(watch_state_of(pos)->up));
}

static void watch_get_age(const struct position *pos, struct value *out)
{
	value_set_int(out, watch_state_of(pos)->age);
}

#define OF(member) offsetof(struct watch_state, member)

static const struct column watch_source_columns[] = {
	{ .name = "source", .title = "Source", .left = true, .only = ALWAYS, .get = watch_get_text,
	  .which = OF(source), .legend = "the source as given" },
	{ .name = "state", .title = "State", .left = true, .only = ALWAYS, .get = get_state,
	  .legend = "up: it has answered; down: it has not" },
	{ .name = "age", .title = "Age", .format = COLUMN_DURATION, .unit = UNIT_SECONDS,
	  .only = ALWAYS, .get = watch_get_age, .legend = "age of the last data of the cluster" },
	{ .name = "verify", .title = "Verify", .left = true, .only = ALWAYS, .get = watch_get_text,
	  .which = OF(verify),
	  .legend = "verdict of verify at the last answer: equal, differs or not-comparable" },
	{ .name = "health", .title = "Health", .left = true, .only = ALWAYS, .get = watch_get_text,
	  .which = OF(health), .legend = "how it is read" },
};
static const size_t watch_source_columns_count =
	sizeof(watch_source_columns) / sizeof(watch_source_columns[0]);

/* ---- views that may be watched -------------------------------------------------------------- */

static const struct jobs *jobs_in(struct observation *s)
{
	if (!s->answer->jobs && !s->own_jobs) {
		s->own_jobs = jobs_new(s->answer->model, NULL);
		classes_tell_chosen(s->own_jobs, NULL);
	}
	return s->answer->jobs ? s->answer->jobs : s->own_jobs;
}

static struct view see_accounts(struct observation *s)
{
	return accounts_view(s->answer->model);
}

static struct view see_jobs(struct observation *s)
{
	return jobs_view(jobs_in(s));
}

static struct view see_classes(struct observation *s)
{
	struct class_choice choice = class_choice_of(s->cluster);

	if (!s->classes)
		s->classes = classes_data_new(jobs_in(s), &choice, NULL, 0);
	return classes_view(s->classes);
}

static struct view see_pools(struct observation *s)
{
	if (!s->pools)
		s->pools = pools_new(s->cluster, NULL, false, &s->watch->pool_past, NULL);
	return pools_view(s->pools);
}

static struct view see_lint(struct observation *s)
{
	if (!s->linted)
		lint_all(s->answer->model, jobs_in(s), &s->lint);
	s->linted = true;
	return lint_view(&s->lint);
}

static struct view see_verify(struct observation *s)
{
	if (!s->verify)
		s->verify = verify_run(s->cluster, s->answer->options);
	s->verify_view = (struct verify_view){ s->verify, s->cluster };
	return verify_view(&s->verify_view);
}

static struct view see_policy(struct observation *s)
{
	const struct cluster_meta *meta = cluster_meta(s->cluster);
	bool lsf = policy_scheduler_of(meta->kind) == POLICY_OF_LSF;

	s->policy = (struct policy_view){
		.policy = cluster_policy(s->cluster), .meta = meta,
		.queues = lsf ? s->cluster : NULL,
		.next_reset = I64_UNKNOWN,	/* there is no calendar here */
		.what_if_reset = I64_UNKNOWN,
	};
	return policy_view(&s->policy);
}

static struct view see_source(struct observation *s)
{
	return view_of("source", watch_source_columns, watch_source_columns_count, &s->state, 1);
}

static struct view see_changes(struct observation *s)
{
	return view_of("changes", watch_changes_columns, watch_changes_columns_count, s->watch,
		       s->watch->change_count);
}

/* Parallel to watch_views[]. The last two exist without an answer, too. */
static struct view (*const see[])(struct observation *s) = {
	see_accounts, see_jobs, see_classes, see_pools, see_lint, see_verify, see_policy,
	see_source, see_changes,
};
#define ACCOUNTS 0
#define JOBS 1
#define CLASSES 2
#define SOURCE 7
#define CHANGES 8

const struct alarm_view watch_views[] = {
	{ "accounts", accounts_columns, &accounts_columns_count, { "path" } },
	{ "jobs", jobs_columns, &jobs_columns_count, { "id", "partition", "qos" } },
	{ "classes", classes_columns, &classes_columns_count, { "key" } },
	{ "pools", pools_columns, &pools_columns_count, { "pool", "queue" } },
	{ "lint", lint_columns, &lint_columns_count, { "code", "object", "line" } },
	{ "verify", verify_columns, &verify_columns_count, { "quantity" } },
	{ "policy", policy_columns, &policy_columns_count, { "name" } },
	{ "source", watch_source_columns, &watch_source_columns_count, { "source" } },
	{ "changes", watch_changes_columns, &watch_changes_columns_count, { "what", "object" } },
};
const size_t watch_view_count = sizeof(watch_views) / sizeof(watch_views[0]);

static void observation_free(struct observation *s)
{
	classes_data_free(s->classes);
	pools_free(s->pools);
	lint_free(&s->lint);
	verify_free(s->verify);
	jobs_free(s->own_jobs);
}

/* ---- rules ---------------------------------------------------------------------------------- */

struct watch *watch_new(bool at_once)
{
	struct watch *w = mem_zalloc(1, sizeof(*w));

	w->at_once = at_once;
	w->texts = text_new();
	w->time = I64_UNKNOWN;
	return w;
}

void watch_free(struct watch *w)
{
	if (!w)
		return;
	for (size_t i = 0; i < w->count; i++)
		alarm_rule_free(&w->rules[i]);
	mem_free(w->rules);
	mem_free(w->changes);
	idmap_free(&w->ranks);
	text_free(w->texts);
	pool_past_free(&w->pool_past);
	mem_free(w);
}

bool watch_add(struct watch *w, const char *rule, bool colon, struct err *err)
{
	struct alarm_rule r;

	if (!alarm_rule_parse(rule, colon, watch_views, watch_view_count, &r, err))
		return false;
	for (size_t i = 0; i < w->count; i++) {
		if (strcmp(w->rules[i].name, r.name) == 0) {
			err_set(err, ERR_INPUT, "%s: a rule of that name already exists", r.name);
			alarm_rule_free(&r);
			return false;
		}
	}
	if (w->at_once)
		r.wait = 0;
	MEM_GROW(w->rules, w->capacity, w->count + 1);
	w->rules[w->count++] = r;
	return true;
}

size_t watch_rules(const struct watch *w)
{
	return w->count;
}

const struct alarm_rule *watch_rule(const struct watch *w, size_t i)
{
	return &w->rules[i];
}

size_t watch_count(const struct watch *w)
{
	size_t count = 0;

	for (size_t i = 0; i < w->count; i++)
		count += alarm_count(&w->rules[i]);
	return count;
}

/* ---- evaluation ----------------------------------------------------------------------------- */

static bool looks_at(const struct watch *w, size_t view)
{
	for (size_t i = 0; i < w->count; i++) {
		if (w->rules[i].view == &watch_views[view])
			return true;
	}
	return false;
}

static void watch_change(struct watch *w, const struct watch_change *c)
{
	MEM_GROW(w->changes, w->change_capacity, w->change_count + 1);
	w->changes[w->change_count++] = *c;
}

/* Replaces the previous ranks by the current ones; a new or removed rank is no change. */
static void change_ranks(struct watch *w, const struct model *m)
{
	const struct cluster *c = m->cluster;
	uint32_t n = m->fs->rank ? cluster_rows(c, TABLE_ASSOC) : 0, *paths;
	struct idmap now = { .size = 0 };
	char room[VALUE_ROOM];

	paths = mem_alloc(n + 1, sizeof(*paths));
	for (uint32_t i = 0; i < n; i++) {
		const char *path = cluster_path_get(c, i, room);

		paths[i] = text_intern(w->texts, path, strlen(path));
		idmap_put(&now, paths[i], m->fs->rank[i]);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t was = idmap_get(&w->ranks, paths[i], U32_UNKNOWN), is = m->fs->rank[i];

		if (was != is && was != U32_UNKNOWN && is != U32_UNKNOWN)
			watch_change(w, &(struct watch_change){
						.what = "rank",
						.was = was,
						.is = is,
						.object = text_get(w->texts, paths[i]) });
	}
	mem_free(paths);
	idmap_free(&w->ranks);
	w->ranks = now;
}

static void find_changes(struct watch *w, struct observation *s)
{
	const char *source = s->state.source, *verdict = s->state.verify;

	w->change_count = 0;
	if (s->cluster && looks_at(w, CHANGES))
		change_ranks(w, s->answer->model);
	if (verdict && w->verify && verdict != w->verify)
		watch_change(w,
			     &(struct watch_change){ "verify", source, w->verify, verdict, 0, 0 });
	if (w->looked && s->state.up != w->up)
		watch_change(w, &(struct watch_change){ "source", source, up_word(w->up),
					    up_word(s->state.up), 0, 0 });
	if (verdict)
		w->verify = verdict;
	w->up = s->state.up;
	w->looked = true;
}

/* The clock of the pictures, NOW of this machine. If it was set back, no time has passed. */
static int64_t clock_of(struct watch *w, const struct cluster *c, int64_t now)
{
	int64_t time = c ? cluster_meta(c)->time : I64_UNKNOWN;

	if (time == I64_UNKNOWN)
		time = w->time == I64_UNKNOWN ? now : w->time + (now - w->now);
	for (size_t i = 0; i < w->count && w->time != I64_UNKNOWN && time < w->time; i++)
		alarm_set_back(&w->rules[i], w->time - time);
	w->time = time;
	w->now = now;
	return time;
}

static void see_state(struct watch *w, struct observation *s)
{
	const struct watch_answer *a = s->answer;
	int64_t time = s->cluster ? cluster_meta(s->cluster)->time : w->time;

	s->state = (struct watch_state){ .source = a->source, .health = a->health,
				   .up = s->cluster, .age = I64_UNKNOWN,
				   .verify = w->verify };
	if (time != I64_UNKNOWN)
		s->state.age = a->now > time ? a->now - time : 0;
	if (s->cluster && (looks_at(w, SOURCE) || looks_at(w, CHANGES))) {
		(void)see_verify(s);
		s->state.verify = verify_word(s->verify->exit_code);
	}
}

static bool is_of_jobs(const struct alarm_rule *r)
{
	size_t which = (size_t)(r->view - watch_views);
	uint32_t needs = filter_needs(r->begin) | filter_needs(r->until);

	return which == JOBS || which == CLASSES || (which == ACCOUNTS && needs & NEED_JOBS);
}

/* Rules about jobs need known jobs; all but those of the last two views need a picture. */
static bool watch_is_seen(const struct alarm_rule *r, const struct cluster *c, struct err *err)
{
	if (!c)
		return (size_t)(r->view - watch_views) >= SOURCE;
	if (!is_of_jobs(r) || cluster_knows_jobs(c, err))
		return true;
	return err_prefix(err, "alarm %s is not evaluated", r->name);
}

bool watch_sees(const struct watch *w, const struct cluster *c, struct err *err)
{
	for (size_t i = 0; i < w->count; i++) {
		if (!watch_is_seen(&w->rules[i], c, err))
			return false;
		if (c && cluster_hides_jobs(c) && is_of_jobs(&w->rules[i]))
			return err_set(err, ERR_SOURCE, "alarm %s does not see other users' jobs, "
				       "which are hidden from this user", w->rules[i].name);
	}
	return true;
}

bool watch_look(struct watch *w, const struct watch_answer *answer, alarm_tell *tell, void *context,
		struct err *err)
{
	struct observation s = { .answer = answer, .watch = w };
	int64_t time;
	bool ok = true;

	s.cluster = answer->model ? answer->model->cluster : NULL;
	lint_init(&s.lint);
	see_state(w, &s);
	time = clock_of(w, s.cluster, answer->now);
	find_changes(w, &s);
	for (size_t i = 0; i < w->count && ok; i++) {
		struct alarm_rule *r = &w->rules[i];
		size_t which = (size_t)(r->view - watch_views);
		struct view view;

		if (!watch_is_seen(r, s.cluster, NULL))
			continue;
		view = see[which](&s);
		ok = alarm_look(r, &view, time, tell, context, err) ||
		     err_prefix(err, "%s", r->name);
	}
	if (s.pools)
		pool_past_add(&w->pool_past, s.pools, cluster_meta(s.cluster)->time);
	observation_free(&s);
	return ok;
}
