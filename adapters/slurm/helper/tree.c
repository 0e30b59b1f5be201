/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The associations by number and by name while they are read, and replacements for parents that
 * were not sent.
 *
 * With PrivateData a plain user is sent only his own associations, not the accounts they belong to.
 * Then the tree cannot be rebuilt. What is known is kept: each association is below its account,
 * the accounts below a root; these replacements have only names, and a note says so.
 */
#include "adapters/slurm/helper/fill.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/base/text.h"
#include "core/cluster/idmap.h"

struct tree_node {
	uint32_t row, id, parent;
	uint32_t name;		/* of an account: its text in TREE->names; 0 for users */
	uint32_t account;
};

struct tree {
	struct builder *b;
	const struct shares *shares;
	struct tree_node *nodes;
	size_t count, capacity;
	struct text *names;
	struct idmap by_id, by_name;	/* to positions in NODES */
	struct idmap share_by_id;	/* to rows of SHARES */
	uint32_t next_id;	/* for replacements: counts down from numbers no database reaches */
};

#define STAND_IN_FIRST UINT32_C(0xefffffff)

struct tree *tree_new(struct builder *b, const struct shares *shares)
{
	struct tree *t = mem_zalloc(1, sizeof(*t));

	t->b = b;
	t->shares = shares;
	t->names = text_new();
	t->next_id = STAND_IN_FIRST;
	for (uint32_t n = 0; shares && n < shares->count; n++)
		idmap_put(&t->share_by_id, shares->rows[n].id, n);
	return t;
}

void tree_free(struct tree *t)
{
	if (!t)
		return;
	text_free(t->names);
	mem_free(t->nodes);
	idmap_free(&t->by_id);
	idmap_free(&t->by_name);
	idmap_free(&t->share_by_id);
	mem_free(t);
}

/* ---- asking -------------------------------------------------------------------------------- */

uint32_t tree_row(const struct tree *t, uint32_t id)
{
	uint32_t n = idmap_get(&t->by_id, id, ROW_NONE);

	return n == ROW_NONE ? ROW_NONE : t->nodes[n].row;
}

static bool tree_has(const struct tree *t, uint32_t id)
{
	return tree_row(t, id) != ROW_NONE;
}

static uint32_t account_by_handle(const struct tree *t, uint32_t name)
{
	uint32_t n = idmap_get(&t->by_name, name, ROW_NONE);

	return n == ROW_NONE ? 0 : t->nodes[n].id;
}

uint32_t tree_account(const struct tree *t, const char *name)
{
	uint32_t handle = name ? text_find(t->names, name, strlen(name)) : 0;

	return handle == 0 ? 0 : account_by_handle(t, handle);
}

const struct share_row *tree_share(const struct tree *t, uint32_t id)
{
	uint32_t row = idmap_get(&t->share_by_id, id, ROW_NONE);

	return row == ROW_NONE ? NULL : &t->shares->rows[row];
}

/* ---- adding -------------------------------------------------------------------------------- */

void tree_add(struct tree *t, uint32_t row, uint32_t id, uint32_t parent, const char *name,
	      const char *account)
{
	struct tree_node *node;

	MEM_GROW(t->nodes, t->capacity, t->count + 1);
	node = &t->nodes[t->count];
	*node = (struct tree_node){ .row = row, .id = id, .parent = parent };
	if (name)
		node->name = text_intern(t->names, name, strlen(name));
	if (account)
		node->account = text_intern(t->names, account, strlen(account));
	if (!idmap_has(&t->by_id, id))
		idmap_put(&t->by_id, id, (uint32_t)t->count);
	if (node->name != 0 && !idmap_has(&t->by_name, node->name))
		idmap_put(&t->by_name, node->name, (uint32_t)t->count);
	t->count++;
	builder_u32(t->b, F_ASSOC_ID, row, id);
	if (parent != 0)
		builder_u32(t->b, F_ASSOC_PARENT, row, parent);
}

static uint32_t stand_in(struct tree *t, const char *name, uint32_t parent)
{
	uint32_t row = builder_add(t->b, TABLE_ASSOC), id;

	while (tree_has(t, t->next_id))
		t->next_id--;
	id = t->next_id--;
	tree_add(t, row, id, parent, name, name);
	builder_str(t->b, F_ASSOC_ACCOUNT, row, name);
	return id;
}

static bool tree_is_root(const struct tree *t, const struct tree_node *n)
{
	return n->parent == 0 && n->name != 0 && strcmp(text_get(t->names, n->name), "root") == 0;
}

/* The account of an association without parent; adds a replacement if necessary. */
static uint32_t parent_for(struct tree *t, const struct tree_node *n, uint32_t root)
{
	uint32_t id;

	if (n->name != 0 || n->account == 0)
		return root;
	id = account_by_handle(t, n->account);
	if (id == 0) {
		/* text_intern() in stand_in() may move the texts: pass a copy. */
		char *name = mem_strdup(text_get(t->names, n->account));

		id = stand_in(t, name, root);
		mem_free(name);
	}
	return id;
}

/* Links a user that came before its account, by name. */
static void find_late_accounts(struct tree *t)
{
	for (size_t n = 0; n < t->count; n++) {
		struct tree_node *node = &t->nodes[n];

		if (node->parent != 0 || node->name != 0 || node->account == 0)
			continue;
		node->parent = account_by_handle(t, node->account);
		if (node->parent != 0)
			builder_u32(t->b, F_ASSOC_PARENT, node->row, node->parent);
	}
}

/* Is it an account that outlived its parent, as possible in 24.11? It has no siblings then. */
static bool tree_is_orphan(const struct tree *t, const struct tree_node *n, uint64_t private_data)
{
	return private_data == 0 && n->name != 0 && n->parent != 0 && !tree_has(t, n->parent);
}

void tree_finish(struct tree *t, uint64_t private_data)
{
	size_t came = t->count, lost = 0, orphans = 0;
	uint32_t root = 0;

	find_late_accounts(t);
	for (size_t n = 0; n < came; n++) {
		const struct tree_node *node = &t->nodes[n];

		if (tree_is_root(t, node))
			root = node->id;
		else if (tree_is_orphan(t, node, private_data))
			orphans++;
		else if (node->parent == 0 || !tree_has(t, node->parent))
			lost++;
	}
	if (came == 0 && private_data != 0)
		builder_hidden(t->b, HIDDEN_ASSOCS);
	if (came == 0)
		builder_note(t->b, "accounts", private_data ?
			     "PrivateData hides all associations from this user" :
			     "slurmctld reports no associations: no accounting database?");
	if (orphans != 0)
		builder_note(t->b, "accounts",
			     "%zu %s gone: under the root and without siblings here, as in "
			     "slurmctld", orphans,
			     plural(orphans, "account's parent is", "accounts' parents are"));
	if (lost == 0 && orphans == 0)
		return;
	if (lost != 0)
		builder_hidden(t->b, HIDDEN_ASSOCS);
	if (root == 0)
		root = stand_in(t, "root", 0);
	for (size_t n = 0; n < came; n++) {
		struct tree_node node = t->nodes[n];

		if (node.id == root || (node.parent != 0 && tree_has(t, node.parent)))
			continue;
		builder_u32(t->b, F_ASSOC_PARENT, node.row, parent_for(t, &node, root));
		if (tree_is_orphan(t, &node, private_data))
			builder_bool(t->b, F_ASSOC_ORPHAN, node.row, true);
	}
	if (lost == 0)
		return;
	if (private_data != 0)
		builder_note(t->b, "accounts",
			     "hidden by PrivateData: the tree cannot be rebuilt; your own "
			     "associations are under their accounts, whose shares and usage are "
			     "unknown");
	else
		builder_note(t->b, "accounts",
			     "some parents were not reported: the tree cannot be rebuilt; their "
			     "placeholders have only a name");
}
