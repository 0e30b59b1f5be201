/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch: the rules over one source, and what they may look at: the views that verbs print, and two
 * more. `source` has a row, also while the source does not answer; `changes` has one for each rank,
 * verdict of verify and state of the source that differs from the look before.
 *
 * Without an answer only rules over these two look; what the others have told stays as it is.
 */
#ifndef FAIRTOP_CORE_WATCH_WATCH_H
#define FAIRTOP_CORE_WATCH_WATCH_H

#include "core/queue/jobs.h"
#include "core/watch/alarm.h"

extern const struct alarm_view watch_views[];
extern const size_t watch_view_count;

/* The columns of the two views that are nobody else's, for the manual. */
extern const struct column watch_source_columns[], watch_changes_columns[];
extern const size_t watch_source_columns_count, watch_changes_columns_count;

struct watch;
struct watch *watch_new(bool at_once);		/* AT_ONCE: no rule waits for its time */
void watch_free(struct watch *w);

/* As alarm_rule_parse(); a name that is taken already is ERR_INPUT, too. */
bool watch_add(struct watch *w, const char *rule, bool colon, struct err *err);
size_t watch_rules(const struct watch *w);
const struct alarm_rule *watch_rule(const struct watch *w, size_t i);
size_t watch_count(const struct watch *w);	/* alarms that are on */

/* What came at a look; borrowed for the call. */
struct watch_answer {
	const char *source, *health;	/* HEALTH: how it is read; NULL or "" unknown */
	const struct model *model;	/* NULL: there is none */
	const struct jobs *jobs;	/* NULL: made if a rule wants them */
	const struct model_options *options;
	int64_t now;			/* of this machine, Unix seconds */
};

/*
 * False with the reason: a rule asks about jobs, which C does not know: it rests; or knows some of.
 */
bool watch_sees(const struct watch *w, const struct cluster *c, struct err *err);

/*
 * Times are those of the pictures, and where there is none goes on as this machine's clock does.
 * ERR_INPUT as alarm_look() has it, with the name of the rule.
 */
bool watch_look(struct watch *w, const struct watch_answer *answer, alarm_tell *tell, void *context,
		struct err *err);

#endif
