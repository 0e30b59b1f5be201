/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/classes/class_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/classes/class_values.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/timestr.h"
#include "core/base/word.h"
#include "core/cluster/idmap.h"
#include "core/cluster/sched_view.h"
#include "core/queue/job_index.h"

/* A class set under construction. */
struct class_build {
	const struct cluster *c;
	const struct policy *policy;
	struct class_set *set;
	const char *exclude;
	struct idmap amounts;		/* by their bits: id of the text */
	char scratch[CLASS_VALUE_MAX];
};

const char *const class_rules_names[CLASS_RULES] = { "document", "openpbs", "slurm", "lsf" };

bool class_rules_pbs(enum class_rules rules)
{
	return rules == CLASS_DOCUMENT || rules == CLASS_OPENPBS;
}

/* ---- components ------------------------------------------------------------------------------ */

/* A new component whose ids are all "not set". */
static uint32_t *component_add(struct class_set *s, const char *name, size_t length)
{
	uint32_t *ids = mem_zalloc(s->jobs, sizeof(*ids));
	size_t capacity = s->capacity;

	MEM_GROW(s->components, s->capacity, s->count + 1);
	if (s->capacity != capacity)
		s->names = mem_realloc(s->names, s->capacity, sizeof(*s->names));
	s->names[s->count] = mem_strndup(name, length);
	s->components[s->count] = (struct class_component){ s->names[s->count], ids, false };
	s->count++;
	return ids;
}

/* While the set is under construction. */
static uint32_t *ids_of(const struct class_set *s, size_t component)
{
	return (uint32_t *)(uintptr_t)s->components[component].ids;
}

/* Returns the component with that name, adding it if needed. */
static uint32_t component_number(struct class_set *s, const char *name, size_t length)
{
	for (size_t k = 0; k < s->count; k++) {
		if (strlen(s->names[k]) == length && memcmp(s->names[k], name, length) == 0)
			return (uint32_t)k;
	}
	component_add(s, name, length);
	return (uint32_t)s->count - 1;
}

static uint32_t class_intern(struct class_build *r, const char *text)
{
	return text_intern(r->set->text, text, strlen(text));
}

static uint32_t intern_or_none(struct class_build *r, const char *text)
{
	return text && *text ? class_intern(r, text) : TEXT_NONE;
}

static void class_add_text(struct class_build *r, const char *name, enum field field)
{
	uint32_t *ids = component_add(r->set, name, strlen(name));
	struct idmap memo = { 0 };

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		uint32_t handle = cluster_text_id(r->c, field, r->set->job[i]);

		if (handle == TEXT_NONE || handle == TEXT_EMPTY)
			continue;
		ids[i] = idmap_get(&memo, handle, TEXT_NONE);
		if (ids[i] != TEXT_NONE)
			continue;
		ids[i] = class_intern(r, cluster_string(r->c, handle));
		idmap_put(&memo, handle, ids[i]);
	}
	idmap_free(&memo);
}

/* Counts the job by whether its group, which would distinguish it, is known. */
static void count_group(struct class_build *r, uint32_t job)
{
	const char *group = cluster_text(r->c, F_JOB_EGROUP, job);

	*(group && *group ? &r->set->with_group : &r->set->without_group) += 1;
}

/* ---- grouped jobs --------------------------------------------------------------------------- */

/* For PBS all jobs of the server; for others pending and running ones. */
static bool is_grouped(const struct cluster *c, uint32_t job, enum class_rules rules)
{
	const char *state = cluster_text(c, F_JOB_JOB_STATE, job);

	if (class_rules_pbs(rules) && state && *state)
		return !strchr("FMX", state[0]);
	state = cluster_text(c, F_JOB_STATE, job);
	return state && (strcmp(state, "PENDING") == 0 || strcmp(state, "RUNNING") == 0 ||
			 strcmp(state, "SUSPENDED") == 0);
}

static void class_list_jobs(struct class_build *r)
{
	uint32_t rows = cluster_rows(r->c, TABLE_JOB);

	r->set->job = mem_alloc(rows, sizeof(*r->set->job));
	for (uint32_t row = 0; row < rows; row++) {
		if (is_grouped(r->c, row, r->set->rules))
			r->set->job[r->set->jobs++] = row;
	}
}

/* ---- select, place, Resource_List ----------------------------------------------------------- */

/* Suspended, or held after a failed start: it needs exactly its former vnodes. */
static bool wants_vnodes(const struct class_build *r, uint32_t job)
{
	const char *state = cluster_text(r->c, F_JOB_JOB_STATE, job);
	const char *vnode = cluster_text(r->c, F_JOB_EXEC_VNODE, job);

	return r->set->rules == CLASS_OPENPBS && vnode && *vnode && state &&
	       !strchr("REB", state[0]);
}

/* Handle of the job's request; TEXT_NONE. */
static uint32_t select_id(const struct class_build *r, uint32_t job)
{
	uint32_t select = cluster_text_id(r->c, F_JOB_SCHEDSELECT, job);
	uint32_t asked = cluster_text_id(r->c, F_JOB_SELECT, job);

	if (asked != TEXT_NONE && (select == TEXT_NONE || r->set->rules == CLASS_DOCUMENT))
		return asked;
	return select;
}

static uint32_t canonical_select(struct class_build *r, const char *select,
				 const struct class_filter *filter)
{
	class_select(select ? select : "", filter, r->scratch, sizeof(r->scratch));
	return intern_or_none(r, r->scratch);
}

static void add_select(struct class_build *r, const struct class_filter *filter)
{
	uint32_t *ids = component_add(r->set, "select", 6);
	struct idmap memo = { 0 };
	char from[CLASS_VALUE_MAX];

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		uint32_t job = r->set->job[i], handle = select_id(r, job);

		if (wants_vnodes(r, job)) {
			class_exec_vnode(cluster_text(r->c, F_JOB_EXEC_VNODE, job), from,
					 sizeof(from));
			ids[i] = canonical_select(r, from, filter);
			continue;
		}
		if (handle == TEXT_NONE)
			continue;
		ids[i] = idmap_get(&memo, handle, UINT32_MAX);
		if (ids[i] != UINT32_MAX)
			continue;
		ids[i] = canonical_select(r, cluster_string(r->c, handle), filter);
		idmap_put(&memo, handle, ids[i]);
	}
	idmap_free(&memo);
}

static uint32_t canonical_place(struct class_build *r, const char *place)
{
	class_place(place ? place : "", r->scratch, sizeof(r->scratch));
	return class_intern(r, r->scratch);
}

static void add_place(struct class_build *r)
{
	uint32_t *ids = component_add(r->set, "place", 5), unset = canonical_place(r, NULL);
	struct idmap memo = { 0 };

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		uint32_t handle = cluster_text_id(r->c, F_JOB_PLACE, r->set->job[i]);

		ids[i] = handle == TEXT_NONE ? unset : idmap_get(&memo, handle, UINT32_MAX);
		if (ids[i] != UINT32_MAX)
			continue;
		ids[i] = canonical_place(r, cluster_string(r->c, handle));
		idmap_put(&memo, handle, ids[i]);
	}
	idmap_free(&memo);
}

/* Texts like "mem=1gb" to the id of their canonical spelling and their component. */
struct resources_memo {
	struct idmap ids, components;	/* UINT32_MAX: ignored */
};

#define UNMET (UINT32_MAX - 1)

static uint32_t set_resource(struct class_build *r, uint32_t handle, const char *only,
			     struct resources_memo *memo)
{
	const char *s = cluster_string(r->c, handle);
	size_t name = strcspn(s, "=");
	uint32_t component = UINT32_MAX;

	if ((!only || word_listed(only, s, name)) && s[name] != '\0') {
		class_value(s + name + 1, strlen(s + name + 1), r->scratch, sizeof(r->scratch));
		idmap_put(&memo->ids, handle, class_intern(r, r->scratch));
		component = component_number(r->set, s, name);
	}
	idmap_put(&memo->components, handle, component);
	return component;
}

/* Adds one component per resource, so that each can be excluded. ONLY: NULL means all. */
static void add_resources(struct class_build *r, const char *only)
{
	struct resources_memo memo = { 0 };

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		struct text_list list = cluster_list(r->c, F_JOB_RESOURCES, r->set->job[i]);

		for (uint32_t k = 0; k < list.count; k++) {
			uint32_t handle = list.texts[k], component;

			if (handle == TEXT_NONE)
				continue;
			component = idmap_get(&memo.components, handle, UNMET);
			if (component == UNMET)
				component = set_resource(r, handle, only, &memo);
			if (component != UINT32_MAX)
				ids_of(r->set, component)[i] = idmap_get(&memo.ids, handle, 0);
		}
	}
	idmap_free(&memo.ids);
	idmap_free(&memo.components);
}

/* ---- document ------------------------------------------------------------------------------- */

static void class_document(struct class_build *r)
{
	struct class_filter filter = { .without = r->exclude };

	class_add_text(r, "euser", F_JOB_USER);
	class_add_text(r, "egroup", F_JOB_EGROUP);
	for (uint32_t i = 0; i < r->set->jobs; i++)
		count_group(r, r->set->job[i]);
	class_add_text(r, "project", F_JOB_PROJECT);
	add_select(r, &filter);
	add_place(r);
	add_resources(r, NULL);
}

/* ---- openpbs: job_info.cpp, create_resresv_sets() and what it calls; spec of PBS, 2.2 ------- */

/* Limits on running jobs; the scheduler ignores those on queued jobs. */
static bool is_run_limit(const char *limit)
{
	return word_begins(limit, "max_") && !word_begins(limit, "max_queued") &&
	       !word_begins(limit, "max_array");
}

/*
 * Does a limit distinguish by KIND ('u', 'g', 'p')? Old-style limits have the kind in their name.
 */
static bool limits_kind(const struct cluster *c, struct text_list list, char kind)
{
	static const char *const old[] = { "max_user_", "max_group_" };

	for (uint32_t i = 0; i < list.count; i++) {
		const char *limit = cluster_string(c, list.texts[i]);
		char mark[3] = { kind, ':', '\0' };

		if (is_run_limit(limit) &&
		    (strstr(limit, mark) || (kind == 'u' && word_begins(limit, old[0])) ||
		     (kind == 'g' && word_begins(limit, old[1]))))
			return true;
	}
	return false;
}

static bool server_limits_kind(const struct cluster *c, char kind)
{
	for (uint32_t s = 0; s < cluster_rows(c, TABLE_SERVER); s++) {
		if (limits_kind(c, cluster_list(c, F_SERVER_LIMITS, s), kind))
			return true;
	}
	return false;
}

static bool has_prefix(const char *name, const char *prefix)
{
	return *prefix && word_begins(name, prefix);
}

/* Does it matter which queue a job is in? */
static bool queue_matters(struct class_build *r, uint32_t q)
{
	struct text_list limits = cluster_list(r->c, F_QUEUE_LIMITS, q);
	const char *name = cluster_text(r->c, F_QUEUE_NAME, q);

	for (uint32_t i = 0; i < limits.count; i++) {
		if (is_run_limit(cluster_string(r->c, limits.texts[i])))
			return true;
	}
	return cluster_bool(r->c, F_QUEUE_HAS_NODES, q) == 1 ||
	       cluster_list(r->c, F_QUEUE_RESOURCES_AVAILABLE, q).count != 0 ||
	       has_prefix(name, r->policy->dedicated_prefix) ||
	       has_prefix(name, r->policy->primetime_prefix) ||
	       has_prefix(name, r->policy->nonprimetime_prefix);
}

/*
 * The scheduler that the queue's partition belongs to; TEXT_NONE is the default one, with partition
 * "pbs-default" or none. A partition without a named scheduler gets its own.
 */
static uint32_t class_scheduler_of(struct class_build *r, uint32_t q)
{
	const char *partition = cluster_text(r->c, F_QUEUE_PARTITION, q);
	uint32_t sched = sched_of_partition(r->c, partition);

	if (sched == SCHED_DEFAULT)
		return TEXT_NONE;
	return sched == SCHED_NOBODY ? class_intern(r, partition) :
				       intern_or_none(r, sched_name(r->c, sched));
}

static void add_queue(struct class_build *r)
{
	uint32_t *ids = component_add(r->set, "queue", 5);
	uint32_t *scheduler = component_add(r->set, "scheduler", 9);

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		uint32_t q = cluster_queue_of(r->c, r->set->job[i]);

		if (q == ROW_NONE)
			continue;
		/* Each scheduler only sees the queues of its own partitions. */
		scheduler[i] = class_scheduler_of(r, q);
		/* A job of a reservation is in the reservation's own queue. */
		if (queue_matters(r, q) || job_is_reserved(r->c, r->set->job[i]))
			ids[i] = intern_or_none(r, cluster_text(r->c, F_QUEUE_NAME, q));
	}
}

/* Adds KIND as a component where a limit of the server, or of a queue that matters, needs it. */
static void add_limited(struct class_build *r, const char *name, enum field field, char kind)
{
	uint32_t *ids = component_add(r->set, name, strlen(name));
	bool everywhere = server_limits_kind(r->c, kind);

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		uint32_t job = r->set->job[i], q = cluster_queue_of(r->c, job);
		struct text_list own = { NULL, 0 };

		if (q != ROW_NONE)
			own = cluster_list(r->c, F_QUEUE_LIMITS, q);
		if (!everywhere && !limits_kind(r->c, own, kind))
			continue;
		ids[i] = intern_or_none(r, cluster_text(r->c, field, job));
		if (field == F_JOB_EGROUP)
			count_group(r, job);
	}
}

static void name_append(char *list, size_t size, const char *name, size_t length)
{
	size_t used = strlen(list);

	if (!word_listed(list, name, length) && used + length + 2 < size)
		(void)snprintf(list + used, size - used, "%s%.*s", used ? "," : "", (int)length,
			       name);
}

static bool is_boolean(const char *value, size_t length)
{
	return word_equal_n(value, length, "true") || word_equal_n(value, length, "false");
}

static void append_of_select(const char *s, const char *line, char *list, size_t size)
{
	while (*s) {
		size_t n = strcspn(s, ":+"), name = strcspn(s, "=:+");

		if (name < n && (!line || word_listed(line, s, name) ||
				 is_boolean(s + name + 1, n - name - 1)))
			name_append(list, size, s, name);
		s += n + (s[n] != '\0');
	}
}

/* Appends resources of all jobs' chunks: all without a line, else those on it, and booleans. */
static void chunk_resources_append(struct class_build *r, const char *line, char *list, size_t size)
{
	struct idmap seen = { 0 };
	char from[CLASS_VALUE_MAX];

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		uint32_t job = r->set->job[i], handle = select_id(r, job);

		if (wants_vnodes(r, job)) {
			class_exec_vnode(cluster_text(r->c, F_JOB_EXEC_VNODE, job), from,
					 sizeof(from));
			append_of_select(from, line, list, size);
			continue;
		}
		if (handle == TEXT_NONE || idmap_has(&seen, handle))
			continue;
		idmap_put(&seen, handle, 0);
		append_of_select(cluster_string(r->c, handle), line, list, size);
	}
	idmap_free(&seen);
}

static void append_limited_resources(const struct cluster *c, struct text_list limits, char *list,
				     size_t size)
{
	for (uint32_t i = 0; i < limits.count; i++) {
		const char *limit = cluster_string(c, limits.texts[i]);
		const char *dot = strchr(limit, '.');
		size_t head = strcspn(limit, "=");

		if (strstr(limit, "_res") && dot && (size_t)(dot - limit) < head)
			name_append(list, size, dot + 1, head - (size_t)(dot - limit) - 1);
	}
}

static void class_openpbs(struct class_build *r)
{
	static const char always[] = "cput,walltime,min_walltime,max_walltime";
	/* If the line could not be read, its default, as shown by the verb policy. */
	const char *line = r->policy->resources[0]
				   ? r->policy->resources
				   : NULL;
	char only[CLASS_VALUE_MAX], counted[CLASS_VALUE_MAX];
	struct class_filter filter = { .only = only, .without = r->exclude, .none = !line };

	(void)snprintf(only, sizeof(only), "%s,host,vnode", line ? line : "");
	(void)snprintf(counted, sizeof(counted), "%s,%s", line ? line : "", always);
	chunk_resources_append(r, line ? only : NULL, counted, sizeof(counted));
	if (r->policy->preempt_targets_enable)
		name_append(counted, sizeof(counted), "preempt_targets", 15);
	for (uint32_t s = 0; s < cluster_rows(r->c, TABLE_SERVER); s++)
		append_limited_resources(r->c, cluster_list(r->c, F_SERVER_LIMITS, s), counted,
					 sizeof(counted));
	for (uint32_t q = 0; q < cluster_rows(r->c, TABLE_QUEUE); q++)
		append_limited_resources(r->c, cluster_list(r->c, F_QUEUE_LIMITS, q), counted,
					 sizeof(counted));
	add_queue(r);
	add_limited(r, "euser", F_JOB_USER, 'u');
	add_limited(r, "egroup", F_JOB_EGROUP, 'g');
	add_limited(r, "project", F_JOB_PROJECT, 'p');
	add_select(r, &filter);
	add_place(r);
	add_resources(r, counted);
}

/* ---- other schedulers ----------------------------------------------------------------------- */

/* Formats each amount once: formatting dominates the cost here. */
static uint32_t amount_id(struct class_build *r, double amount)
{
	uint64_t bits;
	uint32_t id;

	memcpy(&bits, &amount, sizeof(bits));
	id = idmap_get(&r->amounts, bits, TEXT_NONE);
	if (id == TEXT_NONE) {
		(void)snprintf(r->scratch, sizeof(r->scratch), "%.15g", amount);
		id = class_intern(r, r->scratch);
		idmap_put(&r->amounts, bits, id);
	}
	return id;
}

static void class_add_amount(struct class_build *r, uint32_t i, const char *name, double amount)
{
	ids_of(r->set, component_number(r->set, name, strlen(name)))[i] = amount_id(r, amount);
}

/* Logs only have CPUs and nodes. */
static void add_counts(struct class_build *r, uint32_t i)
{
	uint32_t cpus = cluster_u32(r->c, F_JOB_CPUS, r->set->job[i]);
	uint32_t nodes = cluster_u32(r->c, F_JOB_NODES, r->set->job[i]);

	if (cpus != U32_UNKNOWN)
		class_add_amount(r, i, "cpu", cpus);
	if (nodes != U32_UNKNOWN)
		class_add_amount(r, i, "node", nodes);
}

static void class_add_tres(struct class_build *r)
{
	uint32_t tres = cluster_rows(r->c, TABLE_TRES);
	uint32_t **ids = mem_zalloc(tres, sizeof(*ids));	/* component ids per TRES */

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		struct tres_list list = cluster_tres(r->c, F_JOB_TRES, r->set->job[i]);

		if (list.count == 0)
			add_counts(r, i);
		for (uint32_t k = 0; k < list.count; k++) {
			uint32_t t = list.items[k].tres;
			const char *name = cluster_tres_name(r->c, t);

			if (!ids[t])
				ids[t] = ids_of(r->set,
						component_number(r->set, name, strlen(name)));
			ids[t][i] = amount_id(r, list.items[k].count);
		}
	}
	mem_free(ids);
}

static void add_time_limit(struct class_build *r)
{
	uint32_t *ids = component_add(r->set, "time_limit", 10);
	struct idmap memo = { 0 };

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		int64_t limit = cluster_i64(r->c, F_JOB_TIME_LIMIT, r->set->job[i]);

		if (limit == I64_UNKNOWN)
			continue;
		ids[i] = idmap_get(&memo, (uint64_t)limit, TEXT_NONE);
		if (ids[i] != TEXT_NONE)
			continue;
		(void)snprintf(r->scratch, sizeof(r->scratch), "%lld", (long long)limit);
		ids[i] = class_intern(r, r->scratch);
		idmap_put(&memo, (uint64_t)limit, ids[i]);
	}
	idmap_free(&memo);
}

static void class_others(struct class_build *r)
{
	class_add_text(r, "user", F_JOB_USER);
	class_add_text(r, "account", F_JOB_ACCOUNT);
	class_add_text(r, "partition", F_JOB_PARTITION);
	class_add_text(r, "qos", F_JOB_QOS);
	class_add_text(r, "reservation", F_JOB_RESERVATION);
	class_add_text(r, "features", F_JOB_FEATURES);
	class_add_text(r, "licenses", F_JOB_LICENSES);
	class_add_text(r, "dependency", F_JOB_DEPENDENCY);
	add_time_limit(r);
	class_add_tres(r);
}

/* ---- exclusion ------------------------------------------------------------------------------ */

void class_set_chunk_resources(const struct class_set *s, const struct cluster *c, char *buf,
			       size_t size)
{
	/* Only reads through this pointer; the functions above also fill sets. */
	struct class_build r = { .c = c, .set = (struct class_set *)(uintptr_t)s };

	if (size > 0)
		buf[0] = '\0';
	if (class_rules_pbs(s->rules))
		chunk_resources_append(&r, NULL, buf, size);
}

/* Is the name in a job's select? Only there it may have no component of its own. */
static bool in_selects(struct class_build *r, const char *name, size_t length)
{
	char all[CLASS_VALUE_MAX] = "";

	chunk_resources_append(r, NULL, all, sizeof(all));
	return word_listed(all, name, length);
}

static void exclude_named(struct class_build *r, char *unknown, size_t size)
{
	const char *s = r->exclude;

	while (s && *s) {
		bool found = false;
		size_t n;

		s += strspn(s, " ,\t");
		n = strcspn(s, ", \t");
		for (size_t k = 0; k < r->set->count && n != 0; k++) {
			if (strlen(r->set->names[k]) == n && memcmp(r->set->names[k], s, n) == 0)
				found = r->set->components[k].excluded = true;
		}
		if (n != 0 && !found && !in_selects(r, s, n) && unknown)
			name_append(unknown, size, s, n);
		s += n;
	}
}

bool class_rules_documented(const struct policy *p)
{
	return !p->equiv_class_tried && (policy_knows(p, "equiv_class_enable") ||
					 policy_knows(p, "equiv_class_exclude"));
}

enum class_rules class_rules_of(const struct cluster *c)
{
	enum policy_scheduler scheduler = policy_scheduler_of(cluster_meta(c)->kind);

	if (scheduler != POLICY_OF_PBS)
		return scheduler == POLICY_OF_LSF ? CLASS_LSF : CLASS_SLURM;
	return class_rules_documented(cluster_policy(c)) ? CLASS_DOCUMENT : CLASS_OPENPBS;
}

struct class_set *class_set_new(const struct cluster *c, enum class_rules rules,
				const char *exclude, char *unknown, size_t unknown_size)
{
	struct class_set *s = mem_zalloc(1, sizeof(*s));
	struct class_build *r = mem_zalloc(1, sizeof(*r));

	s->rules = rules;
	s->text = text_new();
	r->c = c;
	r->policy = cluster_policy(c);
	r->set = s;
	r->exclude = exclude;
	if (unknown && unknown_size > 0)
		unknown[0] = '\0';
	class_list_jobs(r);
	if (rules == CLASS_DOCUMENT)
		class_document(r);
	else if (rules == CLASS_OPENPBS)
		class_openpbs(r);
	else
		class_others(r);
	exclude_named(r, unknown, unknown_size);
	idmap_free(&r->amounts);
	mem_free(r);
	return s;
}

void class_set_apart(struct class_set *s, const struct cluster *c)
{
	uint32_t *ids = component_add(s, "job", 3);
	char number[16];

	for (uint32_t i = 0; i < s->jobs; i++) {
		const char *name = cluster_text(c, F_JOB_JOB_ID, s->job[i]);

		(void)snprintf(number, sizeof(number), "%u",
			       (unsigned)cluster_u32(c, F_JOB_ID, s->job[i]));
		name = name && *name ? name : number;
		ids[i] = text_intern(s->text, name, strlen(name));
	}
}

void class_set_free(struct class_set *s)
{
	if (!s)
		return;
	for (size_t k = 0; k < s->count; k++) {
		mem_free((void *)(uintptr_t)s->components[k].ids);
		mem_free(s->names[k]);
	}
	text_free(s->text);
	MEM_FREE(s->components, s->names, s->job, s);
}

const char *class_set_value(const struct class_set *s, size_t k, uint32_t i)
{
	const char *value = text_get(s->text, s->components[k].ids[i]);

	return value ? value : "";
}

/* MiB in the largest unit that gives a whole number. */
static void shown_memory(const char *value, char *buf, size_t size)
{
	static const char units[] = "MGTP";
	long long amount = strtoll(value, NULL, 10);
	size_t unit = 0;

	while (amount != 0 && amount % 1024 == 0 && units[unit + 1]) {
		amount /= 1024;
		unit++;
	}
	(void)snprintf(buf, size, "%lld%c", amount, units[unit]);
}

void class_set_shown(const struct class_set *s, size_t k, uint32_t i, char *buf, size_t size)
{
	const char *name = s->names[k], *value = class_set_value(s, k, i);

	if (class_rules_pbs(s->rules) && strcmp(name, "select") == 0)
		class_select_shown(value, buf, size);
	else if (class_rules_pbs(s->rules))
		class_shown(name, strlen(name), value, strlen(value), buf, size);
	else if (strcmp(name, "time_limit") == 0 && *value)
		(void)timestr_format(strtoll(value, NULL, 10), buf, size);
	else if (strcmp(name, "mem") == 0 && *value && strspn(value, "0123456789") == strlen(value))
		shown_memory(value, buf, size);
	else
		(void)snprintf(buf, size, "%s", value);
}
