/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of builders and sealed clusters: for builder.c, builder_order.c, seal.c, cluster.c
 * codec.c, cluster_copy.c and overlay.c only.
 *
 * A builder keeps one growing array per field, allocated when a row first sets it. Lists are
 * interned in pools, so that a thousand jobs asking for the same TRES share one. Sealing moves all
 * of it into one arena.
 */
#ifndef FAIRTOP_CORE_CLUSTER_CLUSTER_PRIVATE_H
#define FAIRTOP_CORE_CLUSTER_CLUSTER_PRIVATE_H

#include <stdatomic.h>

#include "core/cluster/cluster.h"
#include "core/base/text.h"

/* Position of a list in its pool; span 0 is "unknown", so a handle is an index into the spans. */
struct span {
	uint32_t first, count;
};

struct pool {
	struct span *spans;
	size_t span_count, span_capacity;
	char *items;		/* item_count elements of item_size bytes */
	size_t item_size, item_count, item_capacity;
	/* hash table of handles, 0 is empty; slot_count is a power of two */
	uint32_t *slots;
	size_t slot_count;
	uint32_t empty;		/* handle of the empty list, a common one; 0: not yet interned */
};

struct build_column {
	void *values;		/* NULL: no row set it yet */
	size_t capacity;	/* rows */
	uint32_t filled;	/* rows that hold a value; the rest is unknown */
};

struct builder {
	struct text *text;
	struct pool lists, tres;
	struct build_column columns[F_COUNT];
	uint32_t rows[TABLE_COUNT];
	/* input line of each association, NULL if builder_line() was never used */
	uint32_t *lines;
	size_t lines_capacity;
	uint32_t line;
	bool parents_first;	/* parents must be on earlier rows */
	uint32_t hidden;	/* HIDDEN_... */
	bool keep_usage;	/* missing usage stays unknown */
	struct policy policy;
	struct cluster_meta meta;
	char *meta_texts[4];	/* kind, name, version, zone; owned */
	struct note *notes;	/* owned, texts too */
	size_t note_count, note_capacity;
};

struct cluster {
	atomic_uint shares;		/* number of further owners; first member (overlay.c) */
	void *arena;
	size_t bytes;
	struct policy policy;
	struct cluster_meta meta;
	uint32_t hidden;
	const void *columns[F_COUNT];
	uint32_t rows[TABLE_COUNT];
	const uint32_t *parent, *span;
	const uint16_t *depth;
	char *const *long_paths;	/* of rows whose path has VALUE_ROOM bytes; or NULL */
	const char *text;
	size_t text_length;
	const struct span *list_spans, *tres_spans;
	const uint32_t *list_items;
	const struct tres_item *tres_items;
	uint32_t list_span_count, tres_span_count, list_item_count, tres_item_count;
	const struct note *notes;
	uint32_t note_count;
	/* Only in an overlay (overlay.h): what it owns beyond the cluster below. */
	void **blocks;
	size_t block_count, block_capacity;
	struct cluster *under;		/* freed with it; NULL if not owned */
};

void pool_init(struct pool *pool, size_t item_size);
void pool_release(struct pool *pool);

/* Handle of the list of COUNT items; equal lists have equal handles. */
uint32_t pool_intern(struct pool *pool, const void *items, uint32_t count);

/*
 * Sets a whole column at once: copies VALUES, or returns the storage of the ROWS values for the
 * caller to set (as the codec does).
 */
void builder_column(struct builder *b, enum field field, const void *values, uint32_t rows);
void *builder_column_room(struct builder *b, enum field field, uint32_t rows);

/*
 * Stores the paths too long for VALUE_ROOM, once the tree is built; false if they take too much
 * memory. An overlay shares those of the cluster below.
 */
bool cluster_keep_paths(struct cluster *c, struct err *err);

/* Writes the unknown value of TYPE into rows [from, to) of VALUES. */
void column_fill_unknown(enum field_type type, void *values, uint32_t from, uint32_t to);

#endif
