/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * watch: the rules over one source, and their views: those that verbs print, and two more. `source`
 * has a row even while the source does not answer; `changes` has one for each rank, verdict of
 * verify and state of the source that differs from the previous evaluation.
 *
 * Without an answer only rules over these two are evaluated; other alarms stay as they are.
 */
#ifndef FAIRTOP_CORE_WATCH_WATCH_H
#define FAIRTOP_CORE_WATCH_WATCH_H

#include "core/queue/jobs.h"
#include "core/watch/alarm.h"

extern const struct alarm_view watch_views[];
extern const size_t watch_view_count;

struct watch;
struct watch *watch_new(bool at_once);		/* AT_ONCE: no rule waits for its time */
void watch_free(struct watch *w);

/* As alarm_rule_parse(); a name already in use is ERR_INPUT, too. */
bool watch_add(struct watch *w, const char *rule, bool colon, struct err *err);
size_t watch_rules(const struct watch *w);
const struct alarm_rule *watch_rule(const struct watch *w, size_t i);
size_t watch_count(const struct watch *w);	/* alarms that are on */

/* The input of an evaluation; borrowed for the call. */
struct watch_answer {
	const char *source, *health;	/* HEALTH: how it is read; NULL or "": unknown */
	const struct model *model;	/* NULL: none */
	const struct jobs *jobs;	/* NULL: made if a rule needs them */
	const struct model_options *options;
	int64_t now;			/* of this machine, Unix seconds */
};

/* False with the reason: a rule needs jobs and C knows none (no evaluation) or only some. */
bool watch_sees(const struct watch *w, const struct cluster *c, struct err *err);

/*
 * Evaluates all rules. Times are the pictures'; without a picture, this machine's clock goes on.
 * ERR_INPUT as from alarm_look(), with the name of the rule.
 */
bool watch_look(struct watch *w, const struct watch_answer *answer, alarm_tell *tell, void *context,
		struct err *err);

#endif
