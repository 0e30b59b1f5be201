/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * whatif: an append-only list of edits over a sealed cluster.
 *
 * Of edits with the same target the last one in force counts. What they make of a cluster:
 * whatif_apply.h.
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
	uint32_t successor;	/* number + 1 of the entry that it gave way to, 0 none */
	/* Why it could not be made when the list was last applied; "" if it could. */
	char problem[200];
};

struct whatif {
	char name[64];			/* of the set, "" without one */
	struct whatif_entry *entries;
	uint32_t count;
	uint32_t cursor;		/* entries before it are in force, the rest can be redone */
	size_t capacity;
	/* Of the cluster, set by whom it belongs to; NULL: none advances beyond a usage reset. */
	const struct calendar *calendar;
};

struct whatif *whatif_new(void);
void whatif_free(struct whatif *w);		/* NULL is fine */

/*
 * Appends; what could be redone is gone. ERR_INPUT if TEXT is not an edit, or there are too many:
 * each is compared with those behind it.
 */
#define WHATIF_EDITS_MAX 10000
bool whatif_add(struct whatif *w, const char *text, struct err *err);

/*
 * The same, but what is there for the same target gives way: it is neither in force nor listed nor
 * saved while the new entry can count. Undoing that brings it back. A relative edit ("+5") adds to
 * what is there and replaces nothing.
 */
bool whatif_replace(struct whatif *w, const char *text, struct err *err);

bool whatif_undo(struct whatif *w);		/* false if there is nothing to undo */
bool whatif_redo(struct whatif *w);
void whatif_toggle(struct whatif *w, uint32_t entry);	/* off and on; not subject to undo */

/* Has the entry given way to another one that was not undone? */
bool whatif_replaced(const struct whatif *w, uint32_t entry);

/* How many entries have not, and the entry that is number N of them; ROW_NONE past the end. */
uint32_t whatif_listed(const struct whatif *w);
uint32_t whatif_listed_at(const struct whatif *w, uint32_t n);

/* Is the entry in force: before the cursor, not off and not replaced? */
bool whatif_in_force(const struct whatif *w, uint32_t entry);
uint32_t whatif_active(const struct whatif *w);		/* how many are */

/* What sched.policy is set to by the edits in force; NULL: it is not. W may be NULL. */
const char *whatif_schedule(const struct whatif *w);

/*
 * Where all edits in force change only how usage decays or is reset, and none advances time: one of
 * them, since none has an effect at once; else NULL.
 */
const struct whatif_entry *whatif_awaits(const struct whatif *w);

/*
 * Reads a what-if file: an edit a line, # begins a comment at the start of a line or after a blank;
 * "#off EDIT" is one that is off; "#name NAME" names the set. ERR_INPUT with the line.
 */
bool whatif_load(struct whatif *w, const char *text, struct err *err);
bool whatif_save(const struct whatif *w, struct sink out, struct err *err);

/* The first problem of the last whatif_apply() as an error that names the edit; true if none. */
bool whatif_check(const struct whatif *w, struct err *err);

#endif
