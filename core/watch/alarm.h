/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alarm: rules over the rows of a view, and where an alarm begins and ends.
 *
 *	rule = view expression [ "until" expression ] [ "for" time ] ;
 *
 * Expressions are filters (filter.h); a time is "30m", "1.5h", "45" (seconds). The alarm of a row
 * begins when the first expression has held at every evaluation for that time, and ends when it has
 * not held for that time. With "until" it ends when the second expression has held and the first
 * has not for that time, so that limits can differ (hysteresis). A row that is gone does not hold.
 * The words until and for are texts only in quotes. Times count from evaluation to evaluation.
 */
#ifndef FAIRTOP_CORE_WATCH_ALARM_H
#define FAIRTOP_CORE_WATCH_ALARM_H

#include "core/table/filter.h"

#define ALARM_NAME_MAX 64	/* bytes, with the end */

/* A view that may be watched. */
struct alarm_view {
	const char *name;
	const struct column *columns;
	const size_t *column_count;
	const char *identity[3];	/* columns that identify a row; NULL: no more */
};

/* A row that holds, or held recently. */
struct alarm_row {
	char *object;		/* as the source names it: "/physics", "1412 day" */
	bool on;		/* the alarm has begun, and not ended */
	int64_t since;		/* when it began to hold; if ON, when the alarm began */
	int64_t over;		/* when it stopped holding; I64_UNKNOWN: it holds */
	bool seen;		/* during an evaluation */
};

struct alarm_rule {
	char name[ALARM_NAME_MAX];
	const struct alarm_view *view;		/* borrowed */
	char *text;		/* as written, from the view on */
	struct filter *begin, *until;		/* UNTIL NULL: when BEGIN does not hold */
	int64_t wait;		/* s */
	struct alarm_row *rows;	/* in the order in which they began to hold */
	size_t count, capacity;
};

/*
 * Parses "NAME: view expression ...", without COLON "NAME view expression ...". VIEWS has
 * VIEW_COUNT entries. ERR_INPUT quotes the mistake and says what was expected; OUT is then empty.
 */
bool alarm_rule_parse(const char *text, bool colon, const struct alarm_view *views,
		      size_t view_count, struct alarm_rule *out, struct err *err);
void alarm_rule_free(struct alarm_rule *r);

/* The name of a row of VIEW; the caller frees it. */
char *alarm_object(const struct alarm_view *v, const struct view *view, uint32_t row);

/* ROW has the state after the beginning or end; borrowed for the call. */
typedef void alarm_tell(void *context, const struct alarm_rule *rule, const struct alarm_row *row,
			int64_t time);

/*
 * Evaluates the rule at NOW (seconds, never less than before, except by what alarm_set_back() was
 * given): TELL gets what begins (row->on) and ends. ERR_INPUT: an expression took too long
 * (filter_held()), and nothing more is reported.
 */
bool alarm_look(struct alarm_rule *r, const struct view *view, int64_t now, alarm_tell *tell,
		void *context, struct err *err);
void alarm_set_back(struct alarm_rule *r, int64_t seconds);
size_t alarm_count(const struct alarm_rule *r);	/* alarms that are on */

#endif
