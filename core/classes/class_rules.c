/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/classes/class_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/classes/class_memo.h"
#include "core/classes/class_rules_private.h"
#include "core/classes/class_values.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/timestr.h"

const char *const class_rules_names[CLASS_RULES] = { "document", "openpbs", "slurm" };

/* ---- components ------------------------------------------------------------------------------ */

/* A new component whose ids are all "not set". */
uint32_t *class_component_add(struct class_set *s, const char *name, size_t length)
{
	uint32_t *ids = mem_zalloc(s->jobs, sizeof(*ids));
	size_t capacity = s->capacity;

	s->components = mem_grow(s->components, &s->capacity, s->count + 1, sizeof(*s->components));
	if (s->capacity != capacity)
		s->names = mem_realloc(s->names, s->capacity, sizeof(*s->names));
	s->names[s->count] = mem_strndup(name, length);
	s->components[s->count] = (struct class_component){ s->names[s->count], ids, false };
	s->count++;
	return ids;
}

/* While the set is being filled. */
static uint32_t *ids_of(const struct class_set *s, size_t component)
{
	return (uint32_t *)(uintptr_t)s->components[component].ids;
}

/* The component of that name, which is added if there is none. */
static uint32_t component_number(struct class_set *s, const char *name, size_t length)
{
	for (size_t k = 0; k < s->count; k++) {
		if (strlen(s->names[k]) == length && memcmp(s->names[k], name, length) == 0)
			return (uint32_t)k;
	}
	class_component_add(s, name, length);
	return (uint32_t)s->count - 1;
}

uint32_t class_intern(struct class_build *r, const char *text)
{
	return text_intern(r->set->text, text, strlen(text));
}

uint32_t class_intern_or_none(struct class_build *r, const char *text)
{
	return text && *text ? class_intern(r, text) : TEXT_NONE;
}

static void add_text(struct class_build *r, const char *name, enum field field)
{
	uint32_t *ids = class_component_add(r->set, name, strlen(name));

	for (uint32_t i = 0; i < r->set->jobs; i++)
		ids[i] = class_intern_or_none(r, cluster_text(r->c, field, r->set->job[i]));
}

/* ---- what is grouped ------------------------------------------------------------------------ */

/* Of PBS everything its server still holds; of others what waits or runs. */
static bool is_grouped(const struct cluster *c, uint32_t job, enum class_rules rules)
{
	const char *state = cluster_text(c, F_JOB_JOB_STATE, job);

	if (rules != CLASS_SLURM && state && *state)
		return strchr("FMX", state[0]) == NULL;
	state = cluster_text(c, F_JOB_STATE, job);
	return state && (strcmp(state, "PENDING") == 0 || strcmp(state, "RUNNING") == 0 ||
			 strcmp(state, "SUSPENDED") == 0);
}

static void list_jobs(struct class_build *r)
{
	uint32_t rows = cluster_rows(r->c, TABLE_JOB);

	r->set->job = mem_alloc(rows, sizeof(*r->set->job));
	for (uint32_t row = 0; row < rows; row++) {
		if (is_grouped(r->c, row, r->set->rules))
			r->set->job[r->set->jobs++] = row;
	}
}

/* ---- select, place, Resource_List ----------------------------------------------------------- */

/* Suspended, or held after a start that failed: it wants just what it had. */
bool class_wants_vnodes(const struct class_build *r, uint32_t job)
{
	const char *state = cluster_text(r->c, F_JOB_JOB_STATE, job);
	const char *vnode = cluster_text(r->c, F_JOB_EXEC_VNODE, job);

	return r->set->rules == CLASS_OPENPBS && vnode && *vnode && state &&
	       !strchr("REB", state[0]);
}

/* Handle of what the job asks for; TEXT_NONE. */
uint32_t class_select_id(const struct class_build *r, uint32_t job)
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
	return class_intern_or_none(r, r->scratch);
}

void class_select_add(struct class_build *r, const struct class_filter *filter)
{
	uint32_t *ids = class_component_add(r->set, "select", 6);
	struct class_memo memo = { NULL, 0, 0 };
	char from[CLASS_VALUE_MAX];

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		uint32_t job = r->set->job[i], handle = class_select_id(r, job);
		struct class_memo_entry *e;
		bool is_new;

		if (class_wants_vnodes(r, job)) {
			class_exec_vnode(cluster_text(r->c, F_JOB_EXEC_VNODE, job), from,
					 sizeof(from));
			ids[i] = canonical_select(r, from, filter);
			continue;
		}
		if (handle == TEXT_NONE)
			continue;
		e = class_memo_get(&memo, handle, &is_new);
		if (is_new)
			e->id = canonical_select(r, cluster_string(r->c, handle), filter);
		ids[i] = e->id;
	}
	class_memo_free(&memo);
}

static uint32_t canonical_place(struct class_build *r, const char *place)
{
	class_place(place ? place : "", r->scratch, sizeof(r->scratch));
	return class_intern(r, r->scratch);
}

void class_place_add(struct class_build *r)
{
	uint32_t *ids = class_component_add(r->set, "place", 5), unset = canonical_place(r, NULL);
	struct class_memo memo = { NULL, 0, 0 };

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		uint32_t handle = cluster_text_id(r->c, F_JOB_PLACE, r->set->job[i]);
		struct class_memo_entry *e;
		bool is_new;

		ids[i] = unset;
		if (handle == TEXT_NONE)
			continue;
		e = class_memo_get(&memo, handle, &is_new);
		if (is_new)
			e->id = canonical_place(r, cluster_string(r->c, handle));
		ids[i] = e->id;
	}
	class_memo_free(&memo);
}

/* "mem=1gb", into the component it belongs to. */
static void set_resource(struct class_build *r, const char *s, const char *only,
			 struct class_memo_entry *e)
{
	size_t name = strcspn(s, "=");

	e->component = UINT32_MAX;
	if ((only && !class_listed(only, s, name)) || s[name] == '\0')
		return;
	class_value(s + name + 1, strlen(s + name + 1), r->scratch, sizeof(r->scratch));
	e->id = class_intern(r, r->scratch);
	e->component = component_number(r->set, s, name);
}

/* One component per resource, so that each can be excluded on its own. ONLY: NULL is all. */
void class_resources_add(struct class_build *r, const char *only)
{
	struct class_memo memo = { NULL, 0, 0 };

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		struct text_list list = cluster_list(r->c, F_JOB_RESOURCES, r->set->job[i]);

		for (uint32_t k = 0; k < list.count; k++) {
			struct class_memo_entry *e;
			bool is_new;

			if (list.texts[k] == TEXT_NONE)
				continue;
			e = class_memo_get(&memo, list.texts[k], &is_new);
			if (is_new)
				set_resource(r, cluster_string(r->c, list.texts[k]), only, e);
			if (e->component != UINT32_MAX)
				ids_of(r->set, e->component)[i] = e->id;
		}
	}
	class_memo_free(&memo);
}

/* ---- document ------------------------------------------------------------------------------- */

static void document(struct class_build *r)
{
	struct class_filter filter = { .without = r->exclude };

	add_text(r, "euser", F_JOB_USER);
	add_text(r, "egroup", F_JOB_EGROUP);
	add_text(r, "project", F_JOB_PROJECT);
	class_select_add(r, &filter);
	class_place_add(r);
	class_resources_add(r, NULL);
}

/* ---- other schedulers ----------------------------------------------------------------------- */

static void add_amount(struct class_build *r, uint32_t i, const char *name, double amount)
{
	(void)snprintf(r->scratch, sizeof(r->scratch), "%.15g", amount);
	ids_of(r->set, component_number(r->set, name, strlen(name)))[i] =
		class_intern(r, r->scratch);
}

/* Logs of the past tell CPUs and nodes only. */
static void add_counts(struct class_build *r, uint32_t i)
{
	uint32_t cpus = cluster_u32(r->c, F_JOB_CPUS, r->set->job[i]);
	uint32_t nodes = cluster_u32(r->c, F_JOB_NODES, r->set->job[i]);

	if (cpus != U32_UNKNOWN)
		add_amount(r, i, "cpu", cpus);
	if (nodes != U32_UNKNOWN)
		add_amount(r, i, "node", nodes);
}

static void add_tres(struct class_build *r)
{
	for (uint32_t i = 0; i < r->set->jobs; i++) {
		struct tres_list list = cluster_tres(r->c, F_JOB_TRES, r->set->job[i]);

		if (list.count == 0)
			add_counts(r, i);
		for (uint32_t k = 0; k < list.count; k++)
			add_amount(r, i, cluster_tres_name(r->c, list.items[k].tres),
				   list.items[k].count);
	}
}

static void add_time_limit(struct class_build *r)
{
	uint32_t *ids = class_component_add(r->set, "time_limit", 10);

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		int64_t limit = cluster_i64(r->c, F_JOB_TIME_LIMIT, r->set->job[i]);

		(void)snprintf(r->scratch, sizeof(r->scratch), "%lld", (long long)limit);
		ids[i] = limit == I64_UNKNOWN ? TEXT_NONE : class_intern(r, r->scratch);
	}
}

static void others(struct class_build *r)
{
	add_text(r, "user", F_JOB_USER);
	add_text(r, "account", F_JOB_ACCOUNT);
	add_text(r, "partition", F_JOB_PARTITION);
	add_text(r, "qos", F_JOB_QOS);
	add_text(r, "reservation", F_JOB_RESERVATION);
	add_text(r, "features", F_JOB_FEATURES);
	add_text(r, "licenses", F_JOB_LICENSES);
	add_text(r, "dependency", F_JOB_DEPENDENCY);
	add_time_limit(r);
	add_tres(r);
}

/* ---- exclusion ------------------------------------------------------------------------------ */

void class_set_chunk_resources(const struct class_set *s, const struct cluster *c, char *buf,
			       size_t size)
{
	/* Nothing is changed through this pointer; the functions above also fill sets. */
	struct class_build r = { .c = c, .set = (struct class_set *)(uintptr_t)s };

	if (size > 0)
		buf[0] = '\0';
	if (s->rules != CLASS_SLURM)
		class_chunk_resources_append(&r, NULL, buf, size);
}

/* Is the name in some job's select? Only there it may be without a component of its own. */
static bool in_selects(struct class_build *r, const char *name, size_t length)
{
	char all[CLASS_VALUE_MAX] = "";

	class_chunk_resources_append(r, NULL, all, sizeof(all));
	return class_listed(all, name, length);
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
			class_name_append(unknown, size, s, n);
		s += n;
	}
}

bool class_rules_documented(const struct policy *p)
{
	size_t enable = policy_param_by_name("equiv_class_enable", strlen("equiv_class_enable"));
	size_t exclude = policy_param_by_name("equiv_class_exclude", strlen("equiv_class_exclude"));

	return !p->equiv_class_tried &&
	       (policy_is_known(p, enable) || policy_is_known(p, exclude));
}

enum class_rules class_rules_of(const struct cluster *c)
{
	if (strcmp(cluster_meta(c)->kind, "pbs") != 0)
		return CLASS_SLURM;
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
	list_jobs(r);
	if (rules == CLASS_DOCUMENT)
		document(r);
	else if (rules == CLASS_OPENPBS)
		class_openpbs(r);
	else
		others(r);
	exclude_named(r, unknown, unknown_size);
	mem_free(r);
	return s;
}

void class_set_apart(struct class_set *s, const struct cluster *c)
{
	uint32_t *ids = class_component_add(s, "job", 3);
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
	mem_free(s->components);
	mem_free(s->names);
	mem_free(s->job);
	mem_free(s);
}

const char *class_set_value(const struct class_set *s, size_t k, uint32_t i)
{
	const char *value = text_get(s->text, s->components[k].ids[i]);

	return value ? value : "";
}

/* MiB in the largest unit that leaves a whole number. */
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

	if (s->rules != CLASS_SLURM && strcmp(name, "select") == 0)
		class_select_shown(value, buf, size);
	else if (s->rules != CLASS_SLURM)
		class_shown(name, strlen(name), value, strlen(value), buf, size);
	else if (strcmp(name, "time_limit") == 0 && *value)
		(void)timestr_format(strtoll(value, NULL, 10), buf, size);
	else if (strcmp(name, "mem") == 0 && *value && strspn(value, "0123456789") == strlen(value))
		shown_memory(value, buf, size);
	else
		(void)snprintf(buf, size, "%s", value);
}
