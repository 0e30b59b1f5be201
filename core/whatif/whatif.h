/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif: an append-only list of edits over a sealed cluster.
 *
 * Among edits with the same target the last active one counts. whatif_apply.h applies them to a
 * cluster.
 */
#ifndef FAIRTOP_CORE_WHATIF_WHATIF_H
#define FAIRTOP_CORE_WHATIF_WHATIF_H

#include "core/cluster/cluster.h"
#include "core/whatif/edits.h"
#include "core/base/sink.h"

#define WHATIF_SETS 4		/* sets side by side */

struct whatif_entry {
	struct edit edit;
	bool off;
	uint32_t successor;	/* number + 1 of the entry that replaced it, 0 none */
	/* Why the last whatif_apply() could not make it; "" if it could. */
	char problem[200];
};

struct whatif {
	char name[64];			/* of the set, "" without one */
	struct whatif_entry *entries;
	uint32_t count;
	uint32_t cursor;		/* entries before it are done, the rest can be redone */
	size_t capacity;
	/* Of the cluster, set by the owner; NULL: no edit advances beyond a usage reset. */
	const struct calendar *calendar;
};

struct whatif *whatif_new(void);
struct whatif *whatif_copy(const struct whatif *w);	/* also what can be redone, and problems */
void whatif_free(struct whatif *w);		/* NULL is fine */

/*
 * Appends an edit and drops what could be redone. ERR_INPUT if TEXT is not an edit, or if there are
 * too many: each is compared with those behind it.
 */
#define WHATIF_EDITS_MAX 10000
bool whatif_add(struct whatif *w, const char *text, struct err *err);

/*
 * Like whatif_add(), but replaces entries with the same target: they are not active, listed or
 * saved while the new entry can count. Undoing the new entry brings them back. A relative edit
 * ("+5") adds to the old value and replaces nothing.
 */
bool whatif_replace(struct whatif *w, const char *text, struct err *err);

bool whatif_undo(struct whatif *w);		/* false if there is nothing to undo */
bool whatif_redo(struct whatif *w);
void whatif_toggle(struct whatif *w, uint32_t entry);	/* off and on; not subject to undo */

/* Was the entry replaced by another one that is not undone? */
bool whatif_replaced(const struct whatif *w, uint32_t entry);

/* The number of entries not replaced, and the entry at index N of those; ROW_NONE past the end. */
uint32_t whatif_listed(const struct whatif *w);
uint32_t whatif_listed_at(const struct whatif *w, uint32_t n);

/* Is the entry active: before the cursor, not off and not replaced? */
bool whatif_in_force(const struct whatif *w, uint32_t entry);
uint32_t whatif_active(const struct whatif *w);		/* number of active entries */

/* The value that active edits give to sched.policy; NULL: none does. W may be NULL. */
const char *whatif_schedule(const struct whatif *w);

/*
 * If all active edits only change how usage decays or is reset, and none advances time, then none
 * has an effect at once: returns one of them. Else NULL.
 */
const struct whatif_entry *whatif_awaits(const struct whatif *w);

/*
 * Reads a what-if file: one edit per line, # begins a comment at the start of a line or after a
 * blank; "#off EDIT" is an edit that is off; "#name NAME" names the set. ERR_INPUT with the line.
 */
bool whatif_load(struct whatif *w, const char *text, struct err *err);
bool whatif_save(const struct whatif *w, struct sink out, struct err *err);

/*
 * Returns the first problem of the last whatif_apply() as an error naming the edit; true if none.
 */
bool whatif_check(const struct whatif *w, struct err *err);

#endif
