/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What-if edits that add, move and remove rows, through a builder.
 *
 * Usage follows the scheduler's rules: a moved account takes its usage from its old ancestors to
 * the new ones; a removed one leaves it with the account above (before 22.05 it was lost); a new
 * one has none. PBS keeps usage by entity: it moves with the entity.
 */
#include <stdlib.h>
#include <string.h>

#include "core/cluster/cluster_copy.h"
#include "core/base/mem.h"
#include "core/share/decay_policy.h"
#include "core/whatif/whatif_private.h"

#define NAME_MAX_BYTES 1024

struct growing {
	const struct cluster *base;
	struct builder *b;
	bool *drop;			/* of the base's associations; one per builder row */
	uint32_t *parent;		/* one per row of the builder */
	size_t drop_capacity, parent_capacity;
	char **paths;			/* of added rows, from row BASE_ROWS on */
	size_t path_count, path_capacity;
	uint32_t base_rows;
	uint32_t next_id;
};

/* The row a path names: in the base, or added by an earlier edit. */
static uint32_t whatif_find(const struct growing *g, const char *path, size_t length)
{
	char *text = mem_strndup(path, length);
	uint32_t row = cluster_by_path(g->base, text);

	for (size_t i = 0; row == ROW_NONE && i < g->path_count; i++) {
		if (strcmp(g->paths[i], text) == 0)
			row = g->base_rows + (uint32_t)i;
	}
	if (row == ROW_NONE && !strchr("/", text[0]))
		row = cluster_find_assoc(g->base, text, NULL);
	mem_free(text);
	return row != ROW_NONE && g->drop[row] ? ROW_NONE : row;
}

static void add_usage(struct growing *g, uint32_t row, double amount)
{
	for (; row != ROW_NONE; row = g->parent[row]) {
		double usage = builder_get_f64(g->b, F_ASSOC_USAGE, row) + amount;

		builder_f64(g->b, F_ASSOC_USAGE, row, usage < 0 ? 0 : usage);
	}
}

bool whatif_since(const struct cluster *c, unsigned long year, unsigned long month)
{
	const char *version = cluster_meta(c)->version;
	char *end;
	unsigned long major, minor;

	if (!version || version[0] < '0' || version[0] > '9')
		return true;
	major = strtoul(version, &end, 10);
	minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;
	return major > year || (major == year && minor >= month);
}

/* Does the parent account keep the usage of a deleted association? In Slurm since 22.05. */
static bool keeps_usage(const struct growing *g)
{
	return whatif_since(g->base, 22, 5);
}

static bool whatif_is_pbs(const struct growing *g)
{
	return strcmp(cluster_meta(g->base)->kind, "pbs") == 0;
}

static double whatif_usage_of(const struct growing *g, uint32_t row)
{
	double usage = builder_get_f64(g->b, F_ASSOC_USAGE, row);

	return f64_known(usage) ? usage : 0;
}

static bool whatif_is_user(const struct growing *g, uint32_t row)
{
	const char *user = builder_get_text(g->b, F_ASSOC_USER, row);

	return user && *user;
}

static bool is_below(const struct growing *g, uint32_t row, uint32_t above)
{
	for (; row != ROW_NONE; row = g->parent[row]) {
		if (row == above)
			return true;
	}
	return false;
}

static uint32_t whatif_priority_of(const struct growing *g, uint32_t row)
{
	return builder_get_u32(g->b, F_ASSOC_PRIORITY, row);
}

/*
 * An association without a priority of its own has its parent's (seen on 22.05.8). The source only
 * has values: equal to the parent's counts as not set. ROW has been moved away from OLD_PARENT.
 */
static void inherit_priorities(struct growing *g, uint32_t row, uint32_t old_parent)
{
	uint32_t n = builder_rows(g->b, TABLE_ASSOC);
	uint32_t *was = mem_alloc(n, sizeof(*was));

	for (uint32_t i = 0; i < n; i++)
		was[i] = whatif_priority_of(g, i);
	for (uint32_t i = row; i < n; i++) {
		uint32_t parent = i == row ? old_parent : g->parent[i];

		if (parent != ROW_NONE && is_below(g, i, row) && was[i] == was[parent])
			builder_u32(g->b, F_ASSOC_PRIORITY, i, whatif_priority_of(g, g->parent[i]));
	}
	mem_free(was);
}

static bool whatif_same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

/* The user's association in account TO, in the same partition; ROW_NONE. */
static uint32_t association_in(const struct growing *g, uint32_t to, uint32_t user)
{
	for (uint32_t i = 0; i < builder_rows(g->b, TABLE_ASSOC); i++) {
		if (!g->drop[i] && g->parent[i] == to && whatif_is_user(g, i) &&
		    whatif_same_text(builder_get_text(g->b, F_ASSOC_USER, i),
				     builder_get_text(g->b, F_ASSOC_USER, user)) &&
		    whatif_same_text(builder_get_text(g->b, F_ASSOC_PARTITION, i),
				     builder_get_text(g->b, F_ASSOC_PARTITION, user)))
			return i;
	}
	return ROW_NONE;
}

/*
 * An entity of PBS is moved by another line of resource_group, or by removing it: the group
 * "unknown" gives each entity the same shares.
 */
static bool move_entity(struct growing *g, uint32_t row, uint32_t to)
{
	const char *group = builder_get_text(g->b, F_ASSOC_ACCOUNT, to);
	char *account = mem_strdup(group);

	if (to == cluster_by_path(g->base, "/unknown"))
		builder_u32(g->b, F_ASSOC_SHARES, row, 1);
	add_usage(g, g->parent[row], -whatif_usage_of(g, row));
	add_usage(g, to, whatif_usage_of(g, row));
	builder_u32(g->b, F_ASSOC_PARENT, row, builder_get_u32(g->b, F_ASSOC_ID, to));
	builder_str(g->b, F_ASSOC_ACCOUNT, row, account);
	g->parent[row] = to;
	mem_free(account);
	return true;
}

/*
 * A user's association cannot be moved: the user gets another one with the same shares, without the
 * usage of the old one, which is deleted. The jobs move along.
 */
static bool whatif_move_user(struct growing *g, struct whatif_entry *e, uint32_t row, uint32_t to)
{
	char *account = mem_strdup(builder_get_text(g->b, F_ASSOC_ACCOUNT, to));
	uint32_t id = builder_get_u32(g->b, F_ASSOC_ID, row), old_parent = g->parent[row];

	if (association_in(g, to, row) != ROW_NONE) {
		mem_free(account);
		return whatif_problem(e, "the user already has an association there");
	}
	if (!keeps_usage(g))
		add_usage(g, g->parent[row], -whatif_usage_of(g, row));
	if (f64_known(builder_get_f64(g->b, F_ASSOC_USAGE, row)))
		builder_f64(g->b, F_ASSOC_USAGE, row, 0);
	builder_u32(g->b, F_ASSOC_PARENT, row, builder_get_u32(g->b, F_ASSOC_ID, to));
	builder_str(g->b, F_ASSOC_ACCOUNT, row, account);
	g->parent[row] = to;
	inherit_priorities(g, row, old_parent);
	for (uint32_t i = 0; i < builder_rows(g->b, TABLE_JOB); i++) {
		if (builder_get_u32(g->b, F_JOB_ASSOC, i) == id)
			builder_str(g->b, F_JOB_ACCOUNT, i, account);
	}
	mem_free(account);
	return true;
}

static bool whatif_move(struct growing *g, struct whatif_entry *e)
{
	uint32_t row = whatif_find(g, e->edit.object, strlen(e->edit.object));
	uint32_t to = whatif_find(g, e->edit.value, strlen(e->edit.value)), old_parent;

	if (row == ROW_NONE)
		return whatif_problem(e, "unknown account");
	if (to == ROW_NONE || whatif_is_user(g, to))
		return whatif_problem(e, "\"%.100s\" is not an account", e->edit.value);
	if (row == 0)
		return whatif_problem(e, "the root cannot be moved");
	if (whatif_is_user(g, row))
		return whatif_is_pbs(g) ? move_entity(g, row, to) : whatif_move_user(g, e, row, to);
	if (is_below(g, to, row))
		return whatif_problem(e, "\"%.100s\" is below it", e->edit.value);
	old_parent = g->parent[row];
	add_usage(g, old_parent, -whatif_usage_of(g, row));
	if (row < cluster_rows(g->base, TABLE_ASSOC) &&
	    cluster_bool(g->base, F_ASSOC_ORPHAN, row) == 1)
		builder_bool(g->b, F_ASSOC_ORPHAN, row, false);
	builder_u32(g->b, F_ASSOC_PARENT, row, builder_get_u32(g->b, F_ASSOC_ID, to));
	add_usage(g, to, whatif_usage_of(g, row));
	g->parent[row] = to;
	inherit_priorities(g, row, old_parent);
	return true;
}

/* PBS keeps the usage of entities that are not in resource_group in its group "unknown". */
static bool remove_group(struct growing *g, struct whatif_entry *e, uint32_t row)
{
	uint32_t unknown = cluster_by_path(g->base, "/unknown");

	if (unknown == ROW_NONE || is_below(g, row, unknown))
		return whatif_problem(e, "resource_group does not name it");
	for (uint32_t i = 0; i < builder_rows(g->b, TABLE_ASSOC); i++) {
		if (g->drop[i] || !is_below(g, i, row))
			continue;
		if (whatif_is_user(g, i))
			move_entity(g, i, unknown);
		else
			g->drop[i] = true;
	}
	if (g->drop[row])
		add_usage(g, g->parent[row], -whatif_usage_of(g, row));
	return true;
}

static bool remove_rows(struct growing *g, struct whatif_entry *e)
{
	uint32_t row = whatif_find(g, e->edit.object, strlen(e->edit.object));

	if (e->edit.number == 0)
		return true;
	if (row == ROW_NONE)
		return whatif_problem(e, "unknown account or user");
	if (row == 0)
		return whatif_problem(e, "the root cannot be removed");
	if (whatif_is_pbs(g))
		return remove_group(g, e, row);
	if (!keeps_usage(g))
		add_usage(g, g->parent[row], -whatif_usage_of(g, row));
	for (uint32_t i = 0; i < builder_rows(g->b, TABLE_ASSOC); i++) {
		if (is_below(g, i, row))
			g->drop[i] = true;
	}
	return true;
}

/* Adds a row below PARENT; ACCOUNT, USER (NULL: none) and PARTITION (likewise) as read. */
static uint32_t whatif_add_row(struct growing *g, uint32_t parent, const char *account,
			       const char *user, const char *partition, const struct edit *e)
{
	uint32_t row = builder_add(g->b, TABLE_ASSOC);

	builder_u32(g->b, F_ASSOC_ID, row, g->next_id++);
	builder_u32(g->b, F_ASSOC_PARENT, row, builder_get_u32(g->b, F_ASSOC_ID, parent));
	builder_str(g->b, F_ASSOC_ACCOUNT, row, account);
	builder_str(g->b, F_ASSOC_USER, row, user);
	builder_str(g->b, F_ASSOC_PARTITION, row, partition);
	builder_u32(g->b, F_ASSOC_SHARES, row, e->parent ? SHARES_PARENT : (uint32_t)e->number);
	builder_f64(g->b, F_ASSOC_USAGE, row, decay_least(g->base));
	builder_u32(g->b, F_ASSOC_PRIORITY, row, whatif_priority_of(g, parent));
	MEM_GROW(g->drop, g->drop_capacity, (size_t)row + 1);
	g->drop[row] = false;
	MEM_GROW(g->parent, g->parent_capacity, (size_t)row + 1);
	g->parent[row] = parent;
	MEM_GROW(g->paths, g->path_capacity, g->path_count + 1);
	g->paths[g->path_count++] = mem_strdup(e->object);
	add_usage(g, parent, decay_least(g->base));
	return row;
}

static bool account_exists(const struct growing *g, const char *name)
{
	for (uint32_t i = 0; i < builder_rows(g->b, TABLE_ASSOC); i++) {
		const char *have = builder_get_text(g->b, F_ASSOC_ACCOUNT, i);

		if (!g->drop[i] && !whatif_is_user(g, i) && have && strcmp(have, name) == 0)
			return true;
	}
	return false;
}

/* All names in PBS's tree, of groups and of entities, must differ. */
static bool is_taken(const struct growing *g, const char *name)
{
	for (uint32_t i = 0; whatif_is_pbs(g) && i < builder_rows(g->b, TABLE_ASSOC); i++) {
		const char *user = builder_get_text(g->b, F_ASSOC_USER, i);

		if (!g->drop[i] && user && strcmp(user, name) == 0)
			return true;
	}
	return account_exists(g, name);
}

static bool whatif_tree_add(struct growing *g, struct whatif_entry *e)
{
	const char *path = e->edit.object, *colon = strchr(path, ':'), *slash = strrchr(path, '/');
	const char *at = colon ? strchr(colon, '@') : NULL, *end = path + strlen(path);
	char name[NAME_MAX_BYTES], partition[NAME_MAX_BYTES];
	size_t above = colon ? (size_t)(colon - path) : slash > path ? (size_t)(slash - path) : 1;
	uint32_t parent;

	if (path[0] != '/' || !path[1])
		return whatif_problem(e, "not the path of a new account or user");
	if (whatif_find(g, path, strlen(path)) != ROW_NONE)
		return whatif_problem(e, "it already exists");
	parent = whatif_find(g, path, above);
	if (parent == ROW_NONE || whatif_is_user(g, parent))
		return whatif_problem(e, "unknown account \"%.*s\"", (int)above, path);
	if (at && !edit_unescape(at + 1, (size_t)(end - at - 1), partition, sizeof(partition)))
		return whatif_problem(e, "its partition cannot be read");
	if (!colon) {
		if (!edit_unescape(slash + 1, (size_t)(end - slash - 1), name, sizeof(name)))
			return whatif_problem(e, "its name cannot be read");
		if (is_taken(g, name))
			return whatif_problem(e, "an account \"%.60s\" exists elsewhere", name);
		whatif_add_row(g, parent, name, NULL, NULL, &e->edit);
		return true;
	}
	if (!edit_unescape(colon + 1, (size_t)((at ? at : end) - colon - 1), name, sizeof(name)))
		return whatif_problem(e, "its name cannot be read");
	if (whatif_is_pbs(g) && is_taken(g, name))
		return whatif_problem(e, "\"%.60s\" exists elsewhere (parent:PATH moves it)", name);
	char *account = mem_strdup(builder_get_text(g->b, F_ASSOC_ACCOUNT, parent));

	whatif_add_row(g, parent, account, name, at ? partition : NULL, &e->edit);
	mem_free(account);
	return true;
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static void set_tres(struct builder *b, uint32_t row, uint32_t cpus, uint32_t nodes)
{
	struct tres_item items[2] = { { builder_tres_row(b, "cpu", 3), cpus },
				      { builder_tres_row(b, "node", 4), nodes } };

	builder_tres(b, F_JOB_TRES, row, items, 2);
}

/* The numbers of a new job, read from "cpus=4" and the like. */
struct new_job {
	char user[128], account[128], partition[128], qos[128];
	double cpus, nodes, nice;
	int64_t time_limit;
};

static bool whatif_read_word(struct whatif_entry *e, const char *word, size_t length,
			     struct new_job *n)
{
	const struct {
		const char *name;
		char *text;
		double *number;
	} keys[] = {
		{ "user=", n->user, NULL }, { "account=", n->account, NULL },
		{ "partition=", n->partition, NULL }, { "qos=", n->qos, NULL },
		{ "cpus=", NULL, &n->cpus }, { "nodes=", NULL, &n->nodes },
		{ "nice=", NULL, &n->nice },
	};
	char value[128];
	char *end;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		size_t skip = strlen(keys[i].name);

		if (length <= skip || strncmp(word, keys[i].name, skip) != 0)
			continue;
		if (!edit_unescape(word + skip, length - skip, value, sizeof(value)))
			return whatif_problem(e, "cannot read \"%.*s\"", (int)length, word);
		if (keys[i].text) {
			memcpy(keys[i].text, value, strlen(value) + 1);
			return true;
		}
		*keys[i].number = strtod(value, &end);
		return !*end && *keys[i].number >= (keys[i].number == &n->nice ? -2147483645 : 1) &&
			       *keys[i].number <= 2147483645
			       ? true
			       : whatif_problem(e, "cannot read \"%.*s\"", (int)length, word);
	}
	if (length > 11 && length - 11 < sizeof(value) && strncmp(word, "time_limit=", 11) == 0) {
		memcpy(value, word + 11, length - 11);
		value[length - 11] = '\0';
		if (edit_duration(value, &n->time_limit, NULL))
			return true;
	}
	return whatif_problem(e, "\"%.*s\" is not one of user= account= partition= qos= cpus= "
			      "nodes= time_limit= nice=", (int)length, word);
}

/* The charged association; one for the partition takes precedence. */
static uint32_t assoc_id_of(const struct cluster *c, const struct new_job *n)
{
	uint32_t id = U32_UNKNOWN;

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		const char *user = cluster_text(c, F_ASSOC_USER, i);
		const char *partition = cluster_text(c, F_ASSOC_PARTITION, i);

		if (!user || strcmp(user, n->user) != 0 ||
		    strcmp(cluster_text(c, F_ASSOC_ACCOUNT, i), n->account) != 0)
			continue;
		if (partition && *partition && strcmp(partition, n->partition) == 0)
			return cluster_u32(c, F_ASSOC_ID, i);
		if (!partition || !*partition)
			id = cluster_u32(c, F_ASSOC_ID, i);
	}
	return id;
}

static uint32_t free_id(const struct builder *b, enum table table, enum field field)
{
	uint32_t most = 0;

	for (uint32_t i = 0; i < builder_rows(b, table); i++) {
		uint32_t id = builder_get_u32(b, field, i);

		if (id != U32_UNKNOWN && id > most)
			most = id;
	}
	return most + 1;
}

static bool new_job(struct growing *g, struct whatif_entry *e)
{
	struct new_job n = { .cpus = 1, .nodes = 1, .time_limit = 3600 };
	const char *at = e->edit.value;
	int64_t now = cluster_meta(g->base)->time;
	struct builder *b = g->b;
	uint32_t row, assoc, id;

	while (*at) {
		size_t length = strcspn(at, " \t");

		if (length > 0 && !whatif_read_word(e, at, length, &n))
			return false;
		at += length + (at[length] != '\0');
	}
	assoc = assoc_id_of(g->base, &n);
	if (assoc == U32_UNKNOWN)
		return whatif_problem(e, "user \"%.60s\" has no association in account \"%.60s\"",
				      n.user, n.account);
	id = free_id(b, TABLE_JOB, F_JOB_ID);
	row = builder_add(b, TABLE_JOB);
	builder_u32(b, F_JOB_ID, row, id);
	builder_str(b, F_JOB_NAME, row, e->edit.object);
	builder_str(b, F_JOB_USER, row, n.user);
	builder_str(b, F_JOB_ACCOUNT, row, n.account);
	builder_u32(b, F_JOB_ASSOC, row, assoc);
	if (n.partition[0])
		builder_str(b, F_JOB_PARTITION, row, n.partition);
	if (n.qos[0])
		builder_str(b, F_JOB_QOS, row, n.qos);
	builder_str(b, F_JOB_STATE, row, "PENDING");
	builder_u32(b, F_JOB_CPUS, row, (uint32_t)n.cpus);
	builder_u32(b, F_JOB_MIN_NODES, row, (uint32_t)n.nodes);
	builder_u32(b, F_JOB_NODES, row, (uint32_t)n.nodes);
	set_tres(b, row, (uint32_t)n.cpus, (uint32_t)n.nodes);
	builder_i64(b, F_JOB_TIME_LIMIT, row, n.time_limit);
	builder_i64(b, F_JOB_SUBMIT, row, now);
	builder_i64(b, F_JOB_ELIGIBLE, row, now);
	builder_i64(b, F_JOB_ACCRUE, row, now);
	builder_i64(b, F_JOB_NICE, row, (int64_t)n.nice);
	builder_i64(b, F_JOB_SITE, row, 0);
	return true;
}

/* A direct priority needs a row in the table of terms. */
static bool has_terms(const struct cluster *c, const char *object)
{
	uint32_t job = whatif_job(c, object);
	const uint32_t *ids = cluster_col_u32(c, F_PRIO_JOB);

	if (job == ROW_NONE)
		return true;		/* reported by the next stage */
	for (uint32_t i = 0; ids && i < cluster_rows(c, TABLE_PRIO); i++) {
		if (ids[i] == cluster_u32(c, F_JOB_ID, job))
			return true;
	}
	return false;
}

static void whatif_add_terms(struct growing *g, const char *object)
{
	uint32_t job = whatif_job(g->base, object), row = builder_add(g->b, TABLE_PRIO);

	builder_u32(g->b, F_PRIO_JOB, row, cluster_u32(g->base, F_JOB_ID, job));
	builder_u32(g->b, F_PRIO_DIRECT, row, 0);
}

/* ---- all of it ----------------------------------------------------------------------------- */

static bool is_structural(const struct whatif *w, uint32_t i, const struct cluster *base)
{
	const struct edit *e = &w->entries[i].edit;

	if (!whatif_in_force(w, i) || w->entries[i].problem[0])
		return false;
	switch (e->target->id) {
	case EDIT_PARENT:
	case EDIT_ADD:
	case EDIT_REMOVE:
	case EDIT_NEW_JOB:
		return true;
	case EDIT_JOB_PRIORITY:
		return !has_terms(base, e->object);
	default:
		return false;
	}
}

static void whatif_tree_make(struct growing *g, struct whatif_entry *e)
{
	switch (e->edit.target->id) {
	case EDIT_PARENT:
		whatif_move(g, e);
		break;
	case EDIT_ADD:
		whatif_tree_add(g, e);
		break;
	case EDIT_REMOVE:
		remove_rows(g, e);
		break;
	case EDIT_NEW_JOB:
		new_job(g, e);
		break;
	default:
		whatif_add_terms(g, e->edit.object);
		break;
	}
}

static void whatif_begin(struct growing *g)
{
	uint32_t n = g->base_rows;

	g->b = cluster_copy(g->base);
	g->next_id = free_id(g->b, TABLE_ASSOC, F_ASSOC_ID);
	g->drop = mem_grow(NULL, &g->drop_capacity, (size_t)n + 1, sizeof(*g->drop));
	g->parent = mem_grow(NULL, &g->parent_capacity, (size_t)n + 1, sizeof(*g->parent));
	memset(g->drop, 0, ((size_t)n + 1) * sizeof(*g->drop));
	if (n != 0)
		memcpy(g->parent, cluster_parent(g->base), n * sizeof(*g->parent));
}

struct cluster *whatif_structure(struct whatif *w, const struct cluster *base)
{
	struct growing g = { .base = base, .base_rows = cluster_rows(base, TABLE_ASSOC) };
	struct cluster *c = NULL;
	struct whatif_entry *last = NULL;
	struct err err = { .code = ERR_NONE };

	for (uint32_t i = 0; i < w->count; i++) {
		if (!is_structural(w, i, base))
			continue;
		if (!g.b)
			whatif_begin(&g);
		last = &w->entries[i];
		whatif_tree_make(&g, last);
	}
	if (g.b) {
		builder_remove(g.b, TABLE_ASSOC, g.drop);
		c = builder_seal(g.b, &err);
		if (!c)
			whatif_problem(last, "%.150s", err.message);
	}
	mem_free_texts(g.paths, g.path_count);
	mem_free(g.drop);
	mem_free(g.parent);
	return c;
}
