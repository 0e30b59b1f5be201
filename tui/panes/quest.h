/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * quest: a forecast or a search that is under way while the screen goes on.
 *
 * In a large cluster the engine is asked hundreds of times before there is an answer: a slice at a
 * time, so that a key never waits for it, and whoever is no longer interested frees it. A quest
 * owns what it looks at: the picture may go meanwhile.
 */
#ifndef FAIRTOP_TUI_PANES_QUEST_H
#define FAIRTOP_TUI_PANES_QUEST_H

#include "core/share/forecast.h"
#include "core/whatif/seek.h"

enum quest_kind { QUEST_FORECAST, QUEST_SEEK };
enum quest_state { QUEST_UNDER_WAY, QUEST_DONE, QUEST_FAILED };

struct quest_order {
	enum quest_kind kind;
	struct model_options options;
	uint32_t assoc, entry;			/* entry ROW_NONE: of the account */
	struct forecast_question forecast;	/* rows are filled in from the above */
	double reach;				/* of seek */
};

struct quest;

/* CLUSTER and BELOW, which it may lie over (else NULL), are shared, not taken. */
struct quest *quest_new(const struct quest_order *order, struct cluster *cluster,
			struct cluster *below);
void quest_free(struct quest *q);		/* NULL is fine */

/*
 * A slice of the work: at most a few hundredths of a second; nothing of it at FIRST where a single
 * step may take longer. When it is done, OUT has the answer, and ERR why it failed.
 */
union quest_answer {
	struct forecast forecast;
	struct seek seek;
};
enum quest_state quest_advance(struct quest *q, bool first, union quest_answer *out,
			       struct err *err);

/* How far it is, for people. */
void quest_progress(const struct quest *q, char *buf, size_t size);

#endif
