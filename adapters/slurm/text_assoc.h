/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_assoc: one association tree out of several outputs.
 *
 * sacctmgr, `scontrol show assoc_mgr` and sshare each list the associations, with more or less of
 * their identity: id, parent, partition; names may be cut. An account exists once in a cluster, a
 * user once in an account and partition, so names join the lists. What a cut name or a missing
 * partition leaves open is never guessed: the row is then left out, and said so.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_TEXT_ASSOC_H
#define FAIRTOP_ADAPTERS_SLURM_TEXT_ASSOC_H

#include "adapters/slurm/text_reader.h"

struct assoc_name {
	struct slice account;
	struct slice user;		/* empty: an account */
	struct slice partition;		/* empty: none */
	bool partition_known;		/* the text has a column for it */
	bool account_cut, user_cut;	/* names end in "+" instead of their rest */
	uint32_t id;			/* U32_UNKNOWN */
	uint32_t parent_id;		/* U32_UNKNOWN */
	struct slice parent;		/* name of the parent account, empty unknown */
	uint32_t parent_row;		/* of the parent account, ROW_NONE unknown */
};
#define ASSOC_NAME_INIT { .id = U32_UNKNOWN, .parent_id = U32_UNKNOWN, .parent_row = ROW_NONE }

struct assocs *assocs_new(struct builder *b);
void assocs_free(struct assocs *a);

/* Begins another text: no association may then stand in it twice. */
void assocs_begin(struct assocs *a);

/*
 * The row of NAME, added when it is new. *ROW is ROW_NONE when it could be several (counted).
 * False on an error of the text: the same association twice, or one number for two.
 */
bool assocs_meet(struct slurm_reader *r, const struct assoc_name *name, uint32_t *row);

/* What a later line of the same record tells: the account's parent. */
void assocs_parent(struct assocs *a, uint32_t row, struct slice parent, uint32_t parent_id);

/* The row as it stands, ROW_NONE if it is not there or not clear which. */
uint32_t assocs_find(const struct assocs *a, struct slice account, struct slice user,
		     struct slice partition, bool partition_known);
/* Rows of the current text that could be several. */
uint32_t assocs_unclear(const struct assocs *a);

/*
 * A tree by its indentation: each level one blank deeper, and a user's row repeats the name of its
 * account one level below it. sshare prints it so, and sacctmgr show association tree.
 */
struct assoc_stack {
	bool tree;			/* there is one; else the functions below do nothing */
	size_t column;			/* of the account */
	uint32_t *rows;			/* account row at each depth, ROW_NONE unclear */
	size_t depth, capacity;
	uint32_t orphan;		/* the last account that stands beside the root, ROW_NONE */
};

/*
 * Is it a tree: is the first row the root, are blanks before a name a depth, and is some row
 * indented? Else the blanks were lost in a mail or a chat.
 */
void assoc_stack_open(struct assoc_stack *s, const struct text_table *table, size_t account,
		      size_t user);
void assoc_stack_free(struct assoc_stack *s);

/* The place of the current row of TABLE: its parent, and for a user that account's full name. */
bool assoc_stack_place(struct slurm_reader *r, const struct assoc_stack *s,
		       const struct text_table *table, struct assoc_name *name);
/* The row of the account that was just met at that place. */
void assoc_stack_push(struct assoc_stack *s, const struct text_table *table, uint32_t row);

/* Links parents, gives numbers where the texts had none, notes what is missing. */
void assocs_finish(struct slurm_reader *r);

#endif
