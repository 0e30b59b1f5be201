/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fair-share tree while it is read, and its conversion: groups become accounts, entities (the
 * leaves) users of the group they are in.
 */
#include <stdio.h>
#include <string.h>

#include "adapters/pbs/reader.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/base/text.h"
#include "core/base/visible.h"
#include "core/base/word.h"

uint32_t pbs_tree_find(const struct pbs_tree *t, const char *name, size_t length)
{
	uint64_t hash = text_hash(name, length, 0);
	uint32_t node, last = ROW_NONE;
	size_t at = 0;

	while ((node = idmap_next(&t->by_name, hash, &at)) != ROW_NONE) {
		if (strncmp(t->nodes[node].name, name, length) == 0 &&
		    t->nodes[node].name[length] == '\0')
			last = node;
	}
	return last;
}

uint32_t pbs_tree_add(struct pbs_tree *t, uint32_t parent, const char *name, size_t length)
{
	uint32_t node = (uint32_t)t->count;

	MEM_GROW(t->nodes, t->capacity, t->count + 1);
	/* Everything begins with a usage of 1. */
	t->nodes[node] = (struct pbs_node){ .name = mem_strndup(name, length), .parent = parent,
					    .usage = 1, .shares = 1, .cresgroup = -1,
					    .reported_percent = F64_UNKNOWN,
					    .reported_usage = F64_UNKNOWN };
	t->count++;
	if (parent != ROW_NONE)
		t->nodes[parent].children++;
	idmap_add(&t->by_name, text_hash(name, length, 0), node);
	return node;
}

uint32_t pbs_tree_entity(struct pbs_tree *t, const char *name, size_t length)
{
	uint32_t node = pbs_tree_find(t, name, length);

	return node != ROW_NONE ? node : pbs_tree_add(t, PBS_NODE_UNKNOWN, name, length);
}

void pbs_tree_init(struct pbs_tree *t, int32_t unknown_shares)
{
	*t = (struct pbs_tree){ 0 };
	pbs_tree_add(t, ROW_NONE, "TREEROOT", strlen("TREEROOT"));
	t->nodes[PBS_NODE_ROOT].cresgroup = 0;
	t->nodes[PBS_NODE_ROOT].shares = -1;
	pbs_tree_add(t, PBS_NODE_ROOT, "unknown", strlen("unknown"));
	t->nodes[PBS_NODE_UNKNOWN].cresgroup = 1;
	t->nodes[PBS_NODE_UNKNOWN].shares = unknown_shares;
}

void pbs_tree_free(struct pbs_tree *t)
{
	for (size_t i = 0; i < t->count; i++)
		mem_free(t->nodes[i].name);
	mem_free(t->nodes);
	idmap_free(&t->by_name);
}

/* ---- the entities of jobs -------------------------------------------------------------------- */

static const char *text_or(const char *text, const char *other)
{
	return text ? text : other;
}

/*
 * Is NAME, of fairshare_entity, an attribute of jobs that the scheduler requests from the server?
 * Jobs have no other ones there. VALUE true: those that qstat prints in the same form; false: those
 * that it prints in another form, so that their value is unknown. Source: query_jobs() of
 * job_info.cpp, OpenPBS.
 */
static bool is_asked_for(const char *name, bool value)
{
	static const char *const texts[] = {
		"Priority", "queue_rank", "Job_Name", "job_state", "substate", "comment", "euser",
		"egroup", "project", "reserve_ID", "alt_id", "schedselect", "array_id", "array",
		"array_index", "topjob", "topjob_ineligible", "array_indices_remaining",
		"exec_vnode", "accrue_type", "Checkpoint", "Rerunable", "depend", "Account_Name",
		"max_run_subjobs", NULL
	};
	static const char *const others[] = {
		"qtime", "etime", "stime", "sched_preempted", "resources_released", "node_set",
		"Resource_List", "resource_released_list", "resources_used", "eligible_time",
		"estimated", NULL
	};

	return word_in(value ? texts : others, name);
}

/*
 * The entity charged for a job, by fairshare_entity; false if unknown. A job without the attribute
 * is charged to egroup:euser, whatever the attribute is. Source: query_job().
 */
static bool job_entity(struct pbs_reader *r, uint32_t row, char *buf, size_t size)
{
	struct builder *b = r->b;
	const char *entity = builder_policy(b)->fairshare_entity;
	const char *user = builder_get_text(b, F_JOB_USER, row);
	const char *group = builder_get_text(b, F_JOB_EGROUP, row);
	const char *one = NULL;

	if (strcmp(entity, "euser") == 0)
		one = user;
	else if (strcmp(entity, "egroup") == 0)
		one = group;
	else if (strcmp(entity, "queue") == 0)
		one = builder_get_text(b, F_JOB_PARTITION, row);
	else if (is_asked_for(entity, true))
		one = builder_get_text(b, F_JOB_ENTITY, row);
	else if (is_asked_for(entity, false))
		return false;
	if (one && *one)
		return snprintf(buf, size, "%s", one) < (int)size;
	return !one && user && group && snprintf(buf, size, "%s:%s", group, user) < (int)size;
}

static uint32_t assoc_id(uint32_t node)
{
	return node + 1;
}

static void tree_link_jobs(struct pbs_reader *r)
{
	uint32_t unlinked = 0, fresh = 0, rows = builder_rows(r->b, TABLE_JOB);
	size_t before = r->tree.count;
	char name[512];

	for (uint32_t row = 0; row < rows; row++) {
		uint32_t node;

		if (!job_entity(r, row, name, sizeof(name))) {
			unlinked++;
			continue;
		}
		builder_str(r->b, F_JOB_ENTITY, row, name);
		node = pbs_tree_entity(&r->tree, name, strlen(name));
		if (r->tree.nodes[node].children == 0 && node > PBS_NODE_UNKNOWN)
			builder_u32(r->b, F_JOB_ASSOC, row, assoc_id(node));
	}
	fresh = (uint32_t)(r->tree.count - before);
	for (size_t i = 0; fresh > 0 && i < r->tree.count; i++) {
		if (r->tree.nodes[i].parent == PBS_NODE_UNKNOWN)
			r->tree.nodes[i].reported_percent = F64_UNKNOWN;
	}
	if (fresh > 0)
		builder_note(r->b, "fair share",
			     "%u %s but no usage yet: the group \"unknown\" gives them their part "
			     "from now on, which pbsfs does not show",
			     fresh, plural(fresh, "entity has jobs", "entities have jobs"));
	if (unlinked > 0)
		builder_note(r->b, "fair share", "the entity of %u %s is unknown: %s is shown to "
			     "managers only", unlinked, plural(unlinked, "job", "jobs"),
			     text_or(builder_policy(r->b)->fairshare_entity, "egroup"));
}

/* ---- associations ---------------------------------------------------------------------------- */

/* Names come from files that may hold any bytes. */
static void tree_put_name(struct pbs_reader *r, enum field field, uint32_t row, const char *name)
{
	char clean[1024];
	size_t used = 0;

	for (size_t left = strlen(name); left > 0 && used + 1 < sizeof(clean);) {
		uint32_t code;
		size_t n = utf8_decode(name, left, &code);

		for (size_t i = 0; i < n && used + 1 < sizeof(clean); i++)
			clean[used++] = code == UINT32_MAX ? '?' : name[i];
		name += n;
		left -= n;
	}
	builder_text(r->b, field, row, clean, used);
}

static void tree_put_shares(struct pbs_reader *r, uint32_t row, const struct pbs_node *node)
{
	/* Shares of -1 mark "none" at the root; the largest int has another meaning in fairtop. */
	if (node == &r->tree.nodes[PBS_NODE_UNKNOWN] && !r->texts->kind[PBS_FS].text &&
	    policy_hides(builder_policy(r->b), "unknown_shares"))
		return;
	if (node->parent == ROW_NONE)
		builder_u32(r->b, F_ASSOC_SHARES, row, 1);
	else if (node->shares >= 0 && (uint32_t)node->shares != SHARES_PARENT)
		builder_u32(r->b, F_ASSOC_SHARES, row, (uint32_t)node->shares);
	else
		builder_i64(r->b, F_ASSOC_SIGNED_SHARES, row, node->shares);
}

static void put_node(struct pbs_reader *r, uint32_t i)
{
	const struct pbs_node *node = &r->tree.nodes[i];
	struct builder *b = r->b;
	uint32_t row = builder_add(b, TABLE_ASSOC);
	bool leaf = node->children == 0 && i > PBS_NODE_UNKNOWN;

	builder_u32(b, F_ASSOC_ID, row, assoc_id(i));
	if (node->parent != ROW_NONE)
		builder_u32(b, F_ASSOC_PARENT, row, assoc_id(node->parent));
	tree_put_name(r, F_ASSOC_ACCOUNT, row,
		      leaf ? r->tree.nodes[node->parent].name : node->name);
	if (leaf)
		tree_put_name(r, F_ASSOC_USER, row, node->name);
	tree_put_shares(r, row, node);
	builder_i64(b, F_ASSOC_CRESGROUP, row, node->cresgroup);
	/* Without a usage file and pbsfs usage is unknown. */
	if (r->texts->kind[PBS_USAGE].text || r->texts->kind[PBS_FS].text)
		builder_f64(b, F_ASSOC_USAGE, row, node->usage);
	if (f64_known(node->reported_percent))
		builder_f64(b, F_ASSOC_R_NORM_SHARES, row, node->reported_percent / 100);
	if (f64_known(node->reported_usage))
		builder_f64(b, F_ASSOC_R_USAGE, row, node->reported_usage);
}

void pbs_finish_tree(struct pbs_reader *r)
{
	if (!r->has_tree)
		return;
	tree_link_jobs(r);
	for (uint32_t i = 0; i < r->tree.count; i++)
		put_node(r, i);
}
