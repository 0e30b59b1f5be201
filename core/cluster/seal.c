/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sealing: checks the associations, brings them into pre-order, packs everything into one arena.
 *
 * Every step is iterative and linear, so that a hostile tree (a chain of a million accounts, a
 * cycle) costs no more than a friendly one.
 */
#include "core/cluster/cluster_private.h"

#include <assert.h>
#include <string.h>

#include "core/base/dice.h"
#include "core/base/mem.h"

/* Scratch memory of one sealing; arrays have N associations, in input order unless noted. */
struct sealing {
	struct builder *b;
	uint32_t n;
	uint32_t root;
	uint32_t *parent;	/* input row of the parent, ROW_NONE */
	uint32_t *first, *next;	/* child lists in input order */
	uint32_t *order;	/* pre-order position -> input row */
	uint32_t *place;	/* input row -> pre-order position */
	uint32_t *slots;	/* hash table of rows + 1 */
	size_t slot_count;
	bool direct;		/* ids are the slot numbers */
	bool keep;		/* the builder is used further */
};

static const uint32_t *column_u32(const struct builder *b, enum field field)
{
	return b->columns[field].values;
}

/* Extends every set column to the last row. */
static void complete_columns(struct builder *b)
{
	for (unsigned f = 0; f < F_COUNT; f++) {
		struct build_column *column = &b->columns[f];
		uint32_t rows = b->rows[field_info[f].table];
		size_t size = field_size(field_info[f].type);

		if (!column->values || column->filled == rows)
			continue;
		column->values = mem_grow(column->values, &column->capacity, rows, size);
		column_fill_unknown(field_info[f].type, column->values, column->filled, rows);
		column->filled = rows;
	}
}

static const char *seal_name_of(const struct sealing *s, uint32_t row)
{
	const char *user = builder_get_text(s->b, F_ASSOC_USER, row);
	const char *account = builder_get_text(s->b, F_ASSOC_ACCOUNT, row);

	return user && *user ? user : account ? account : "";
}

static bool seal_fail(const struct sealing *s, uint32_t row, struct err *err, const char *what)
{
	return err_set_line(err, ERR_INPUT, s->b->lines ? s->b->lines[row] : 0,
			    "association %u \"%.100s\": %s",
			    (unsigned)builder_get_u32(s->b, F_ASSOC_ID, row), seal_name_of(s, row),
			    what);
}

static bool is_user_row(const struct builder *b, uint32_t row)
{
	const uint32_t *users = column_u32(b, F_ASSOC_USER);

	return users && users[row] > TEXT_EMPTY;
}

static void slots_clear(struct sealing *s)
{
	memset(s->slots, 0, s->slot_count * sizeof(*s->slots));
}

/* The slot of the association with number ID, or the empty one where it belongs. */
static size_t slot_of_id(const struct sealing *s, uint32_t id)
{
	const uint32_t *ids = column_u32(s->b, F_ASSOC_ID);
	size_t i = (size_t)(s->direct ? id : dice_mix(id)) & (s->slot_count - 1);

	while (s->slots[i] != 0 && ids[s->slots[i] - 1] != id)
		i = (i + 1) & (s->slot_count - 1);
	return i;
}

/* Most ids are small consecutive numbers: these are slot numbers, without a hash. */
static bool fit_slots(const struct sealing *s, const uint32_t *ids)
{
	uint32_t i = 0;

	while (i < s->n && ids[i] < s->slot_count)
		i++;
	return i == s->n;
}

static bool resolve_parents(struct sealing *s, struct err *err)
{
	const uint32_t *ids = column_u32(s->b, F_ASSOC_ID);
	const uint32_t *parents = column_u32(s->b, F_ASSOC_PARENT);

	if (!ids)
		return err_set(err, ERR_INPUT, "associations have no id");
	s->direct = fit_slots(s, ids);
	for (uint32_t i = 0; i < s->n; i++) {
		size_t slot;

		if (ids[i] == U32_UNKNOWN)
			return seal_fail(s, i, err, "has no id");
		slot = slot_of_id(s, ids[i]);
		if (s->slots[slot] != 0)
			return seal_fail(s, i, err, "duplicate id");
		s->slots[slot] = i + 1;
	}
	s->root = ROW_NONE;
	for (uint32_t i = 0; i < s->n; i++) {
		s->parent[i] = ROW_NONE;
		if (!parents || parents[i] == U32_UNKNOWN) {
			if (s->root != ROW_NONE)
				return seal_fail(s, i, err, "second root (has no parent)");
			s->root = i;
			continue;
		}
		size_t slot = slot_of_id(s, parents[i]);

		if (s->slots[slot] == 0)
			return seal_fail(s, i, err, "parent id is missing");
		s->parent[i] = s->slots[slot] - 1;
		if (s->b->parents_first && s->parent[i] >= i)
			return seal_fail(s, i, err, "parent id is not on an earlier line");
		if (is_user_row(s->b, s->parent[i]))
			return seal_fail(s, i, err, "its parent is a user, not an account");
	}
	if (s->root == ROW_NONE)
		return err_set(err, ERR_INPUT, "no root association (one without a parent)");
	if (is_user_row(s->b, s->root))
		return seal_fail(s, s->root, err, "the root is a user, not an account");
	return true;
}

/*
 * Refuses the same account twice, or the same user twice in one account and partition. In LSF a
 * group may have shares in several queues: there only below the same parent.
 */
static bool check_names(struct sealing *s, struct err *err)
{
	bool by_place = strcmp(builder_get_meta(s->b)->kind, "lsf") == 0;
	const uint32_t *accounts = column_u32(s->b, F_ASSOC_ACCOUNT);
	const uint32_t *users = column_u32(s->b, F_ASSOC_USER);
	const uint32_t *partitions = column_u32(s->b, F_ASSOC_PARTITION);

	if (!accounts)
		return seal_fail(s, s->root, err, "has no account name");
	slots_clear(s);
	for (uint32_t i = 0; i < s->n; i++) {
		bool user = is_user_row(s->b, i);
		uint32_t u = user ? users[i] : 0, p = user && partitions ? partitions[i] : 0;
		uint32_t place = by_place ? s->parent[i] : 0;
		size_t slot = (size_t)dice_mix((uint64_t)accounts[i] << 32 ^
					       dice_mix((uint64_t)u << 32 | (p ^ place))) &
			      (s->slot_count - 1);

		if (accounts[i] <= TEXT_EMPTY)
			return seal_fail(s, i, err, "has no account name");
		for (; s->slots[slot] != 0; slot = (slot + 1) & (s->slot_count - 1)) {
			uint32_t j = s->slots[slot] - 1;
			bool other = is_user_row(s->b, j);

			if (accounts[j] == accounts[i] && (other ? users[j] : 0) == u &&
			    (!by_place || s->parent[j] == s->parent[i]) &&
			    (other && partitions ? partitions[j] : 0) == p)
				return seal_fail(s, i, err,
						 user ? "user appears twice in its account"
						      : "account appears twice");
		}
		s->slots[slot] = i + 1;
	}
	return true;
}

static bool bring_into_preorder(struct sealing *s, struct err *err)
{
	uint32_t *last = s->place;	/* reused: not yet needed as place */
	uint32_t count = 0, row;

	for (uint32_t i = 0; i < s->n; i++)
		s->first[i] = s->next[i] = last[i] = ROW_NONE;
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t p = s->parent[i];

		if (p == ROW_NONE)
			continue;
		if (last[p] == ROW_NONE)
			s->first[p] = i;
		else
			s->next[last[p]] = i;
		last[p] = i;
	}
	for (row = s->root; row != ROW_NONE;) {
		s->order[count++] = row;
		if (s->first[row] != ROW_NONE) {
			row = s->first[row];
			continue;
		}
		while (row != ROW_NONE && s->next[row] == ROW_NONE)
			row = s->parent[row];
		if (row != ROW_NONE)
			row = s->next[row];
	}
	for (uint32_t i = 0; i < s->n; i++)
		s->place[i] = ROW_NONE;
	for (uint32_t i = 0; i < count; i++)
		s->place[s->order[i]] = i;
	for (uint32_t i = 0; count < s->n && i < s->n; i++) {
		if (s->place[i] == ROW_NONE)
			return seal_fail(s, i, err, "is its own ancestor (a cycle of parents)");
	}
	return true;
}

/* Sets unset usage of accounts to the sum of their children's, in reverse pre-order. */
static bool complete_usage(struct sealing *s, struct err *err)
{
	double *usage = s->b->columns[F_ASSOC_USAGE].values;
	bool *missing;

	if (!usage)
		return true;
	for (uint32_t i = 0; i < s->n; i++) {
		if (usage[i] < 0 || isinf(usage[i]))
			return seal_fail(s, i, err, "usage is negative or infinite");
	}
	if (s->b->keep_usage)
		return true;
	missing = mem_zalloc(s->n, sizeof(*missing));
	for (uint32_t i = 0; i < s->n; i++) {
		if (isnan(usage[i]) && !is_user_row(s->b, i)) {
			missing[i] = true;
			usage[i] = 0;
		}
	}
	for (uint32_t place = s->n; place-- > 1;) {
		uint32_t row = s->order[place], p = s->parent[row];

		if (missing[p])
			usage[p] += usage[row];
	}
	mem_free(missing);
	return true;
}

/* ---- packing ------------------------------------------------------------------------------- */

static size_t seal_aligned(size_t bytes)
{
	return (bytes + 63) & ~(size_t)63;
}

struct packer {
	char *base;		/* NULL while only measuring */
	size_t used;
};

static void *seal_pack(struct packer *p, const void *from, size_t bytes)
{
	void *to = p->base ? p->base + p->used : NULL;

	p->used += seal_aligned(bytes);
	if (to && from && bytes != 0)
		memcpy(to, from, bytes);
	return to;
}

static const char *pack_text(struct packer *p, const char *text)
{
	return seal_pack(p, text, strlen(text) + 1);
}

/* Copies a column of associations into pre-order. */
static void seal_permute(void *to, const void *from, size_t size, const uint32_t *order, uint32_t n)
{
	switch (size) {
	case 1:
		for (uint32_t i = 0; i < n; i++)
			((uint8_t *)to)[i] = ((const uint8_t *)from)[order[i]];
		break;
	case 4:
		for (uint32_t i = 0; i < n; i++)
			((uint32_t *)to)[i] = ((const uint32_t *)from)[order[i]];
		break;
	default:
		assert(size == 8);
		for (uint32_t i = 0; i < n; i++)
			((uint64_t *)to)[i] = ((const uint64_t *)from)[order[i]];
		break;
	}
}

static bool cell_is_unknown(enum field_type type, const void *values, uint32_t row)
{
	switch (type) {
	case FIELD_U32:
	case FIELD_SHARES:
		return ((const uint32_t *)values)[row] == U32_UNKNOWN;
	case FIELD_I64:
		return ((const int64_t *)values)[row] == I64_UNKNOWN;
	case FIELD_F64:
		return isnan(((const double *)values)[row]);
	case FIELD_BOOL:
		return ((const uint8_t *)values)[row] == BOOL_UNKNOWN;
	case FIELD_TEXT:
	case FIELD_LIST:
	case FIELD_TRES:
	case FIELD_TYPE_COUNT:
		break;
	}
	return ((const uint32_t *)values)[row] == TEXT_NONE;
}

/* A column with only unknown values is dropped, as if it had never been set. */
static bool column_is_unknown(const struct builder *b, unsigned field)
{
	uint32_t rows = b->rows[field_info[field].table], row = 0;

	while (row < rows && cell_is_unknown(field_info[field].type, b->columns[field].values, row))
		row++;
	return row == rows;
}

static void pack_columns(struct packer *p, struct cluster *c, struct sealing *s)
{
	struct builder *b = s->b;

	for (unsigned f = 0; f < F_COUNT; f++) {
		enum table table = field_info[f].table;
		size_t size = field_size(field_info[f].type);
		bool tree = table == TABLE_ASSOC;
		void *to;

		if (!b->columns[f].values || b->rows[table] == 0 ||
		    (s->keep && column_is_unknown(b, f)))
			continue;
		to = seal_pack(p, tree ? NULL : b->columns[f].values, b->rows[table] * size);
		if (!to)
			continue;
		if (tree)
			seal_permute(to, b->columns[f].values, size, s->order, s->n);
		c->columns[f] = to;
		if (s->keep)
			continue;
		/* Freed at once: the peak stays near the size of the result. */
		mem_free(b->columns[f].values);
		b->columns[f].values = NULL;
	}
}

static void pack_tree(struct packer *p, struct cluster *c, const struct sealing *s)
{
	uint32_t *parent = seal_pack(p, NULL, s->n * sizeof(*parent));
	uint32_t *span = seal_pack(p, NULL, s->n * sizeof(*span));
	uint16_t *depth = seal_pack(p, NULL, s->n * sizeof(*depth));

	if (!parent)
		return;
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t row = s->order[i];

		span[i] = 1;
		parent[i] = s->parent[row] == ROW_NONE ? ROW_NONE : s->place[s->parent[row]];
		depth[i] = i == 0 ? 0 : (uint16_t)(depth[parent[i]] + 1);
	}
	for (uint32_t i = s->n; i-- > 1;)
		span[parent[i]] += span[i];
	c->parent = parent;
	c->span = span;
	c->depth = depth;
}

static void pack_pools(struct packer *p, struct cluster *c, const struct builder *b)
{
	c->list_spans = seal_pack(p, b->lists.spans, b->lists.span_count * sizeof(struct span));
	c->list_items = seal_pack(p, b->lists.items, b->lists.item_count * sizeof(uint32_t));
	c->tres_spans = seal_pack(p, b->tres.spans, b->tres.span_count * sizeof(struct span));
	c->tres_items = seal_pack(p, b->tres.items, b->tres.item_count * sizeof(struct tres_item));
	c->list_span_count = (uint32_t)b->lists.span_count;
	c->list_item_count = (uint32_t)b->lists.item_count;
	c->tres_span_count = (uint32_t)b->tres.span_count;
	c->tres_item_count = (uint32_t)b->tres.item_count;
}

static void pack_notes(struct packer *p, struct cluster *c, const struct builder *b)
{
	struct note *notes = seal_pack(p, NULL, b->note_count * sizeof(*notes));

	for (size_t i = 0; i < b->note_count; i++) {
		const char *subject = pack_text(p, b->notes[i].subject);
		const char *text = pack_text(p, b->notes[i].text);

		if (notes)
			notes[i] = (struct note){ subject, text, b->notes[i].format };
	}
	c->notes = notes;
	c->note_count = (uint32_t)b->note_count;
}

static void pack_meta(struct packer *p, struct cluster *c, const struct builder *b)
{
	c->meta = b->meta;
	c->meta.kind = pack_text(p, b->meta.kind);
	c->meta.name = pack_text(p, b->meta.name);
	c->meta.version = pack_text(p, b->meta.version);
	c->meta.zone = pack_text(p, b->meta.zone);
}

/* Runs twice in the same order: first without memory, to measure, then to write. */
static void pack_all(struct packer *p, struct cluster *c, struct sealing *s)
{
	const char *bytes = text_bytes(s->b->text, &c->text_length);

	pack_meta(p, c, s->b);
	pack_notes(p, c, s->b);
	pack_tree(p, c, s);
	c->text = seal_pack(p, bytes, c->text_length);
	pack_pools(p, c, s->b);
	pack_columns(p, c, s);
}

static struct cluster *pack_cluster(struct sealing *s)
{
	struct cluster *c = mem_zalloc(1, sizeof(*c));
	struct packer p = { NULL, 0 };

	pack_all(&p, c, s);
	c->bytes = p.used;
	c->arena = mem_alloc(p.used + 64, 1);
	p.base = (char *)c->arena + (64 - (uintptr_t)c->arena % 64) % 64;
	p.used = 0;
	pack_all(&p, c, s);
	c->policy = s->b->policy;
	c->hidden = s->b->hidden;
	memcpy(c->rows, s->b->rows, sizeof(c->rows));
	return c;
}

static bool seal_tree(struct sealing *s, struct err *err)
{
	for (s->slot_count = 64; s->slot_count < (size_t)s->n * 2;)
		s->slot_count *= 2;
	s->parent = mem_alloc(s->n, sizeof(*s->parent));
	s->first = mem_alloc(s->n, sizeof(*s->first));
	s->next = mem_alloc(s->n, sizeof(*s->next));
	s->order = mem_alloc(s->n, sizeof(*s->order));
	s->place = mem_alloc(s->n, sizeof(*s->place));
	s->slots = mem_zalloc(s->slot_count, sizeof(*s->slots));
	if (!resolve_parents(s, err) || !check_names(s, err) || !bring_into_preorder(s, err) ||
	    !complete_usage(s, err))
		return false;
	for (uint32_t i = 1; i < s->n; i++) {
		/* s->first is reused for the depth of each input row. */
		uint32_t depth;

		if (i == 1)
			s->first[s->order[0]] = 0;
		depth = s->first[s->parent[s->order[i]]] + 1;
		s->first[s->order[i]] = depth;
		if (depth > CLUSTER_DEPTH_MAX)
			return seal_fail(s, s->order[i], err, "is below more than 1024 others "
					 "(expected a tree of at most 1024 levels)");
	}
	return true;
}

static struct cluster *seal_cluster(struct sealing *s, struct err *err)
{
	struct cluster *c = NULL;

	complete_columns(s->b);
	if (s->n == 0 || seal_tree(s, err))
		c = pack_cluster(s);
	if (c && s->n > 0 && !cluster_keep_paths(c, err)) {
		cluster_free(c);
		c = NULL;
	}
	MEM_FREE(s->parent, s->first, s->next, s->order, s->place, s->slots);
	return c;
}

struct cluster *builder_seal(struct builder *b, struct err *err)
{
	struct sealing s = { .b = b, .n = b->rows[TABLE_ASSOC] };
	struct cluster *c = seal_cluster(&s, err);

	builder_free(b);
	return c;
}

struct cluster *builder_picture(struct builder *b, struct err *err)
{
	struct sealing s = { .b = b, .n = b->rows[TABLE_ASSOC], .keep = true };

	assert(b->keep_usage);
	return seal_cluster(&s, err);
}
