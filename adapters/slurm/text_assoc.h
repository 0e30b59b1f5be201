/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * text_assoc: one association tree from several outputs.
 *
 * sacctmgr, `scontrol show assoc_mgr` and sshare each list the associations, with more or less of
 * their identity: id, parent, partition; names may be cut. An account exists once in a cluster, a
 * user once in an account and partition, so names join the lists. What a cut name or a missing
 * partition leaves open is never guessed: the row is left out, with a note.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_TEXT_ASSOC_H
#define FAIRTOP_ADAPTERS_SLURM_TEXT_ASSOC_H

#include "adapters/slurm/text_reader.h"

struct assoc_name {
	struct slice account;
	struct slice user;		/* empty: an account */
	struct slice partition;		/* empty: none */
	bool partition_known;		/* the text has a column for it */
	bool account_cut, user_cut;	/* the name ends in "+" instead of its rest */
	uint32_t id;			/* U32_UNKNOWN */
	uint32_t parent_id;		/* U32_UNKNOWN */
	struct slice parent;		/* name of the parent account, empty unknown */
	uint32_t parent_row;		/* of the parent account, ROW_NONE unknown */
};
#define ASSOC_NAME_INIT { .id = U32_UNKNOWN, .parent_id = U32_UNKNOWN, .parent_row = ROW_NONE }

struct assocs *assocs_new(struct builder *b);
void assocs_free(struct assocs *a);

/* Begins another text: an association occurring twice in it is an error. */
void assocs_begin(struct assocs *a);

/*
 * Finds or adds the row of NAME. *ROW is ROW_NONE if several match (counted). False on an error of
 * the text: the same association twice, or one number for two.
 */
bool assocs_meet(struct slurm_reader *r, const struct assoc_name *name, uint32_t *row);

/* Sets the account's parent, from a later line of the same record. */
void assocs_parent(struct assocs *a, uint32_t row, struct slice parent, uint32_t parent_id);

/* The existing row; ROW_NONE if there is none or several match. */
uint32_t assocs_find(const struct assocs *a, struct slice account, struct slice user,
		     struct slice partition, bool partition_known);
/* Number of rows of the current text that matched several. */
uint32_t assocs_unclear(const struct assocs *a);

/*
 * A tree given by indentation: each level is one blank deeper, and a user's row repeats the name of
 * its account one level below it. sshare and sacctmgr show association tree print this form.
 */
struct assoc_stack {
	bool tree;			/* there is a tree; else the functions below do nothing */
	size_t column;			/* of the account */
	uint32_t *rows;			/* account row at each depth, ROW_NONE unclear */
	size_t depth, capacity;
	uint32_t orphan;		/* the last account at the level of the root, ROW_NONE */
};

/*
 * Checks for a tree: the first row is the root, blanks before a name are its depth, and some row is
 * indented. Else the blanks were lost in a mail or a chat.
 */
void assoc_stack_open(struct assoc_stack *s, const struct text_table *table, size_t account,
		      size_t user);
void assoc_stack_free(struct assoc_stack *s);

/* Places the current row of TABLE: its parent, and for a user that account's full name. */
bool assoc_stack_place(struct slurm_reader *r, const struct assoc_stack *s,
		       const struct text_table *table, struct assoc_name *name);
/* Sets the row of the account that assocs_meet() returned for that place. */
void assoc_stack_push(struct assoc_stack *s, const struct text_table *table, uint32_t row);

/* Links parents, numbers the associations without a number, notes what is missing. */
void assocs_finish(struct slurm_reader *r);

#endif
