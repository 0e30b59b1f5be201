/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/text_assoc.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/base/text.h"

/* What is known of a row beyond its fields, until the tree is linked. */
struct assoc_entry {
	struct slice parent;		/* name of the parent account, empty unknown */
	uint32_t parent_id;
	uint32_t parent_row;
	uint32_t seen;			/* number of the last text that named it */
	bool partition_known;
	bool cut;			/* its names are cut */
};

struct assocs {
	struct builder *b;
	struct assoc_entry *entries;	/* one per row of TABLE_ASSOC */
	size_t capacity;
	struct idmap names, ids;
	uint32_t text;			/* number of the current text */
	uint32_t unclear;
};

struct assocs *assocs_new(struct builder *b)
{
	struct assocs *a = mem_zalloc(1, sizeof(*a));

	a->b = b;
	return a;
}

void assocs_free(struct assocs *a)
{
	if (!a)
		return;
	idmap_free(&a->names);
	idmap_free(&a->ids);
	mem_free(a->entries);
	mem_free(a);
}

void assocs_begin(struct assocs *a)
{
	a->text++;
	a->unclear = 0;
}

uint32_t assocs_unclear(const struct assocs *a)
{
	return a->unclear;
}

static struct slice field_slice(const struct assocs *a, enum field field, uint32_t row)
{
	const char *text = builder_get_text(a->b, field, row);

	return slice_of(text ? text : "");
}

static uint64_t name_hash(struct slice account, struct slice user)
{
	return text_hash(user.at, user.length, text_hash(account.at, account.length, 0));
}

static uint64_t id_hash(uint32_t id)
{
	return text_hash((const char *)&id, sizeof(id), 1);
}

static uint32_t find_id(const struct assocs *a, uint32_t id)
{
	size_t at = 0;
	uint32_t row;

	if (id == U32_UNKNOWN)
		return ROW_NONE;
	while ((row = idmap_next(&a->ids, id_hash(id), &at)) != ROW_NONE) {
		if (builder_get_u32(a->b, F_ASSOC_ID, row) == id)
			break;
	}
	return row;
}

/*
 * The row of a complete name. *COUNT is the number of matches in that account: with an unknown
 * partition the only match is taken.
 */
static uint32_t find_name(const struct assocs *a, struct slice account, struct slice user,
			  struct slice partition, bool partition_known, uint32_t *count)
{
	uint64_t hash = name_hash(account, user);
	uint32_t row, only = ROW_NONE;
	size_t at = 0;

	*count = 0;
	while ((row = idmap_next(&a->names, hash, &at)) != ROW_NONE) {
		const struct assoc_entry *entry = &a->entries[row];

		if (!slice_equal(field_slice(a, F_ASSOC_ACCOUNT, row), account) ||
		    !slice_equal(field_slice(a, F_ASSOC_USER, row), user))
			continue;
		if (partition_known && entry->partition_known) {
			if (!slice_equal(field_slice(a, F_ASSOC_PARTITION, row), partition))
				continue;
			*count = 1;
			return row;
		}
		(*count)++;
		only = row;
	}
	return *count == 1 ? only : ROW_NONE;
}

uint32_t assocs_find(const struct assocs *a, struct slice account, struct slice user,
		     struct slice partition, bool partition_known)
{
	uint32_t count;

	return find_name(a, account, user, partition, partition_known, &count);
}

/* Does NAME ("verylongna+" if cut) match FULL? */
static bool cut_matches(struct slice name, bool cut, struct slice full)
{
	if (!cut || name.length == 0)
		return slice_equal(name, full);
	return full.length >= name.length && memcmp(full.at, name.at, name.length - 1) == 0;
}

static uint32_t parent_of(const struct assocs *a, uint32_t row)
{
	const struct assoc_entry *entry = &a->entries[row];
	uint32_t parent = find_id(a, entry->parent_id);

	/* Indentation comes last: behind an orphan it no longer shows the parent of a row. */
	if (parent == ROW_NONE && entry->parent.length > 0)
		parent = assocs_find(a, entry->parent, (struct slice){ "", 0 },
				     (struct slice){ "", 0 }, false);
	return parent == ROW_NONE ? entry->parent_row : parent;
}

/* Like find_name() for cut names: searches all rows. */
static uint32_t assoc_find_cut(const struct assocs *a, const struct assoc_name *name,
			       uint32_t *count)
{
	uint32_t only = ROW_NONE;

	*count = 0;
	for (uint32_t row = 0; row < builder_rows(a->b, TABLE_ASSOC); row++) {
		struct slice user = field_slice(a, F_ASSOC_USER, row);

		if ((user.length == 0) != (name->user.length == 0) ||
		    !cut_matches(name->account, name->account_cut,
				 field_slice(a, F_ASSOC_ACCOUNT, row)) ||
		    !cut_matches(name->user, name->user_cut, user))
			continue;
		if (name->partition_known && a->entries[row].partition_known &&
		    !slice_equal(name->partition, field_slice(a, F_ASSOC_PARTITION, row)))
			continue;
		if (name->user.length == 0 && name->parent_row != ROW_NONE &&
		    parent_of(a, row) != name->parent_row)
			continue;
		(*count)++;
		only = row;
	}
	return *count == 1 ? only : ROW_NONE;
}

static uint32_t assoc_add_row(struct slurm_reader *r, const struct assoc_name *name)
{
	struct assocs *a = r->assocs;
	/* First: the names may be strings of the builder, which move when one is added. */
	uint64_t hash = name_hash(name->account, name->user);
	uint32_t row;

	builder_line(r->b, r->line);
	row = builder_add(r->b, TABLE_ASSOC);
	MEM_GROW(a->entries, a->capacity, (size_t)row + 1);
	a->entries[row] = (struct assoc_entry){ .parent_id = U32_UNKNOWN, .parent_row = ROW_NONE,
						.cut = name->account_cut || name->user_cut };
	builder_text(r->b, F_ASSOC_ACCOUNT, row, name->account.at, name->account.length);
	if (name->user.length > 0)
		builder_text(r->b, F_ASSOC_USER, row, name->user.at, name->user.length);
	idmap_add(&a->names, hash, row);
	return row;
}

void assocs_parent(struct assocs *a, uint32_t row, struct slice parent, uint32_t parent_id)
{
	struct assoc_entry *entry = &a->entries[row];

	if (entry->parent.length == 0)
		entry->parent = parent;
	if (entry->parent_id == U32_UNKNOWN)
		entry->parent_id = parent_id;
}

/* Adds to the row what this text has of its identity. */
static void assoc_learn(struct slurm_reader *r, const struct assoc_name *name, uint32_t row)
{
	struct assocs *a = r->assocs;
	struct assoc_entry *entry = &a->entries[row];

	if (name->id != U32_UNKNOWN && builder_get_u32(r->b, F_ASSOC_ID, row) == U32_UNKNOWN) {
		builder_u32(r->b, F_ASSOC_ID, row, name->id);
		idmap_add(&a->ids, id_hash(name->id), row);
	}
	if (name->partition_known && !entry->partition_known) {
		entry->partition_known = true;
		if (name->partition.length > 0)
			builder_text(r->b, F_ASSOC_PARTITION, row, name->partition.at,
				     name->partition.length);
	}
	assocs_parent(a, row, name->parent, name->parent_id);
	if (entry->parent_row == ROW_NONE && name->parent_row != row)
		entry->parent_row = name->parent_row;
	entry->seen = a->text;
}

static bool same_twice(struct slurm_reader *r, const struct assoc_name *name, uint32_t row)
{
	if (r->assocs->entries[row].cut)
		return reader_fail(r, "\"%.*s\" \"%.*s\" is listed twice: the names are cut "
				   "(expected them in full: sshare -P)",
				   SLICE_PRINT(name->account), SLICE_PRINT(name->user));
	if (name->user.length == 0)
		return reader_fail(r, "account \"%.*s\" is listed twice",
				   SLICE_PRINT(name->account));
	return reader_fail(r, "user \"%.*s\" is listed twice in account \"%.*s\"%s",
			   SLICE_PRINT(name->user), SLICE_PRINT(name->account),
			   name->partition_known ? "" : " (expected partitions: sshare -m)");
}

bool assocs_meet(struct slurm_reader *r, const struct assoc_name *name, uint32_t *row)
{
	struct assocs *a = r->assocs;
	bool cut = name->account_cut || name->user_cut;
	uint32_t count = 1;

	*row = find_id(a, name->id);
	if (*row != ROW_NONE) {
		if (!cut_matches(name->account, name->account_cut,
				 field_slice(a, F_ASSOC_ACCOUNT, *row)) ||
		    !cut_matches(name->user, name->user_cut, field_slice(a, F_ASSOC_USER, *row)))
			return reader_fail(r, "association %u is \"%.*s\" \"%.*s\" here and "
					   "different elsewhere", (unsigned)name->id,
					   SLICE_PRINT(name->account), SLICE_PRINT(name->user));
	} else if (cut) {
		*row = assoc_find_cut(a, name, &count);
	} else {
		*row = find_name(a, name->account, name->user, name->partition,
				 name->partition_known, &count);
	}
	if (count > 1) {
		a->unclear++;
		return true;
	}
	if (*row == ROW_NONE)
		*row = assoc_add_row(r, name);
	else if (a->entries[*row].seen == a->text)
		return same_twice(r, name, *row);
	assoc_learn(r, name, *row);
	return true;
}

/* ---- indentation --------------------------------------------------------------------------- */

void assoc_stack_open(struct assoc_stack *s, const struct text_table *table, size_t account,
		      size_t user)
{
	struct text_table t = *table;
	size_t blanks;

	*s = (struct assoc_stack){ .column = account, .orphan = ROW_NONE };
	if (table_next(&t, NULL) != TABLE_ROW || !table_indent(&t, account, &blanks) ||
	    blanks != 0 || table_cell(&t, user).length != 0 ||
	    !slice_is(table_cell(&t, account), "root"))
		return;
	while (!s->tree && table_next(&t, NULL) == TABLE_ROW)
		s->tree = table_indent(&t, account, &blanks) && blanks != 0;
}

void assoc_stack_free(struct assoc_stack *s)
{
	mem_free(s->rows);
}

bool assoc_stack_place(struct slurm_reader *r, const struct assoc_stack *s,
		       const struct text_table *table, struct assoc_name *name)
{
	size_t depth, shown = name->account.length - (name->account_cut ? 1 : 0);
	struct slice full;

	if (!s->tree || !table_indent(table, s->column, &depth))
		return true;
	/* Since 24.11 an account may outlive its parent: it is unindented amid the tree. */
	if (depth > s->depth || (depth == 0 && s->depth != 0 && name->user.length != 0))
		return reader_fail(r, "\"%.*s\" is indented by %zu (expected 1 to %zu: each level "
				   "by one blank)", SLICE_PRINT(name->account), depth, s->depth);
	name->parent_row = depth > 0 ? s->rows[depth - 1] : ROW_NONE;
	if (depth == 0 && s->depth != 0)
		name->parent_id = 0;		/* an id that no association has */
	if (name->user.length == 0 || name->parent_row == ROW_NONE)
		return true;
	if (depth == 1 && s->orphan != ROW_NONE &&
	    slice_equal(name->account, field_slice(r->assocs, F_ASSOC_ACCOUNT, s->orphan)))
		name->parent_row = s->orphan;
	full = field_slice(r->assocs, F_ASSOC_ACCOUNT, name->parent_row);
	if (shown > full.length || memcmp(full.at, name->account.at, shown) != 0)
		return reader_fail(r, "user \"%.*s\" of account \"%.*s\" is below account \"%.*s\"",
				   SLICE_PRINT(name->user),
				   SLICE_PRINT(name->account), SLICE_PRINT(full));
	name->account = full;
	name->account_cut = false;
	return true;
}

void assoc_stack_push(struct assoc_stack *s, const struct text_table *table, uint32_t row)
{
	size_t depth;

	if (!s->tree || !table_indent(table, s->column, &depth))
		return;
	if (depth == 0 && s->depth != 0) {
		s->orphan = row;
		return;
	}
	MEM_GROW(s->rows, s->capacity, depth + 1);
	s->rows[depth] = row;
	s->depth = depth + 1;
}

/* ---- linking ------------------------------------------------------------------------------- */

static bool assoc_is_user(const struct assocs *a, uint32_t row)
{
	return field_slice(a, F_ASSOC_USER, row).length > 0;
}

static uint32_t assoc_placeholder(struct slurm_reader *r, struct slice account)
{
	struct assoc_name name = ASSOC_NAME_INIT;
	uint32_t row;

	name.account = account;
	name.partition_known = true;
	row = assoc_add_row(r, &name);
	r->assocs->entries[row].partition_known = true;
	return row;
}

/* Row of the account that a user row belongs to; added if no text has it. */
static uint32_t account_row(struct slurm_reader *r, uint32_t user_row, uint32_t *made)
{
	const struct slice none = { "", 0 };
	struct slice account = field_slice(r->assocs, F_ASSOC_ACCOUNT, user_row);
	uint32_t row = assocs_find(r->assocs, account, none, none, false);

	if (row == ROW_NONE) {
		/* The name is in the builder's strings, which move when one is added. */
		char *copy = mem_strndup(account.at, account.length);

		row = assoc_placeholder(r, (struct slice){ copy, account.length });
		mem_free(copy);
		(*made)++;
	}
	return row;
}

static uint32_t largest_id(const struct assocs *a)
{
	uint32_t largest = 0;

	for (uint32_t row = 0; row < builder_rows(a->b, TABLE_ASSOC); row++) {
		uint32_t id = builder_get_u32(a->b, F_ASSOC_ID, row);

		if (id != U32_UNKNOWN && id > largest)
			largest = id;
	}
	return largest;
}

/* Numbers the rows without a number, above all numbers from Slurm. */
static void number_rows(struct slurm_reader *r)
{
	uint32_t next = largest_id(r->assocs), made = 0, n = builder_rows(r->b, TABLE_ASSOC);

	for (uint32_t row = 0; row < n; row++) {
		if (builder_get_u32(r->b, F_ASSOC_ID, row) != U32_UNKNOWN)
			continue;
		builder_u32(r->b, F_ASSOC_ID, row, ++next);
		made++;
		r->users_numbered = r->users_numbered || builder_get_text(r->b, F_ASSOC_USER, row);
	}
	if (made != 0)
		builder_note(r->b, "association ids",
			     "%u of %u are not in these outputs and were assigned here",
			     (unsigned)made, (unsigned)n);
}

/* Rows of a single user only: others are hidden, so sums of shares would be wrong. */
static void doubt_lonely_user(struct slurm_reader *r)
{
	struct assocs *a = r->assocs;
	uint32_t n = builder_rows(r->b, TABLE_ASSOC), accounts = 0;
	struct slice only = { "", 0 };

	for (uint32_t row = 0; row < n; row++) {
		struct slice user = field_slice(a, F_ASSOC_USER, row);

		if (user.length == 0)
			accounts++;
		else if (only.length == 0)
			only = user;
		else if (!slice_equal(only, user))
			return;
	}
	if (only.length == 0 || accounts < 2 || r->texts->kind[SLURM_ASSOC].text ||
	    r->texts->kind[SLURM_ASSOC_MGR].text)
		return;
	builder_note(r->b, "users",
		     "only the associations of \"%.*s\" are listed (sshare without -a, or "
		     "PrivateData): the shares of the others are unknown", SLICE_PRINT(only));
	builder_hidden(r->b, HIDDEN_ASSOCS);
}

static bool tells_parent(const struct assoc_entry *entry)
{
	return entry->parent.length > 0 || entry->parent_id != U32_UNKNOWN;
}

/* Accounts that outlived their parent (24.11): fairshare.h describes how they are treated. */
static void note_orphans(struct slurm_reader *r, uint32_t count)
{
	if (count != 0)
		builder_note(r->b, "accounts",
			     "%u %s gone: under the root and without siblings here, as in "
			     "slurmctld", (unsigned)count,
			     plural(count, "account's parent is", "accounts' parents are"));
}

void assocs_finish(struct slurm_reader *r)
{
	const struct slice none = { "", 0 };
	struct assocs *a = r->assocs;
	uint32_t n = builder_rows(r->b, TABLE_ASSOC), root, made = 0, lost = 0, orphans = 0;
	uint32_t *parents;

	if (n == 0)
		return;
	builder_line(r->b, 0);
	root = assocs_find(a, slice_of("root"), none, none, false);
	if (root == ROW_NONE) {
		root = assoc_placeholder(r, slice_of("root"));
		made++;
	}
	for (uint32_t row = 0; row < n; row++) {
		if (assoc_is_user(a, row))
			a->entries[row].parent_row = account_row(r, row, &made);
	}
	n = builder_rows(r->b, TABLE_ASSOC);
	parents = mem_alloc(n, sizeof(*parents));
	for (uint32_t row = 0; row < n; row++) {
		parents[row] = row == root ? ROW_NONE : parent_of(a, row);
		if (row == root || parents[row] != ROW_NONE)
			continue;
		parents[row] = root;
		if (made == 0 && !assoc_is_user(a, row) && tells_parent(&a->entries[row])) {
			builder_bool(r->b, F_ASSOC_ORPHAN, row, true);
			orphans++;
		} else {
			lost++;
		}
	}
	note_orphans(r, orphans);
	if (made != 0 || lost != 0) {
		builder_note(r->b, "accounts",
			     "hidden (PrivateData, or sshare for some users only): the tree cannot "
			     "be rebuilt; accounts whose place is unknown are under the root");
		builder_hidden(r->b, HIDDEN_ASSOCS);
	}
	doubt_lonely_user(r);
	number_rows(r);
	for (uint32_t row = 0; row < n; row++) {
		if (parents[row] != ROW_NONE)
			builder_u32(r->b, F_ASSOC_PARENT, row,
				    builder_get_u32(r->b, F_ASSOC_ID, parents[row]));
	}
	mem_free(parents);
}
