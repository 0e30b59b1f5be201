/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * alarm: rules over the rows of a view, and where an alarm begins and ends.
 *
 *	rule = view expression [ "until" expression ] [ "for" time ] ;
 *
 * Expressions are filters (filter.h), a time is "30m", "1.5h", "45" (seconds). The alarm of a row
 * begins when the first expression has held at every look for that time, and ends when it has not
 * held for that time; with "until" it ends when for that time the second one has held and the
 * first has not, so that limits can lie apart (hysteresis). A row that is gone does not hold. The
 * words until and for are texts only in quotes. Between two looks nothing is known: times are
 * counted from look to look.
 */
#ifndef FAIRTOP_CORE_WATCH_ALARM_H
#define FAIRTOP_CORE_WATCH_ALARM_H

#include "core/table/filter.h"

#define ALARM_NAME_MAX 64	/* bytes, with the end */

/* What may be watched. */
struct alarm_view {
	const char *name;
	const struct column *columns;
	const size_t *column_count;
	const char *identity[3];	/* columns that tell a row from others; NULL: no more */
};

/* A row that holds, or did a moment ago. */
struct alarm_row {
	char *object;		/* as the source calls it: "/physics", "1412 day" */
	bool on;		/* the alarm has begun, and not ended */
	int64_t since;		/* when it began to hold; of an alarm that is on, when that began */
	int64_t over;		/* when it began not to; I64_UNKNOWN: it holds */
	bool seen;		/* within a look */
};

struct alarm_rule {
	char name[ALARM_NAME_MAX];
	const struct alarm_view *view;		/* borrowed */
	char *text;		/* as it was written, from the view on */
	struct filter *begin, *until;		/* UNTIL NULL: when BEGIN does not hold */
	int64_t wait;		/* s */
	struct alarm_row *rows;	/* in the order in which they began to hold */
	size_t count, capacity;
};

/*
 * "NAME: view expression ...", or with COLON false "NAME view expression ...". VIEWS has VIEW_COUNT
 * entries. ERR_INPUT quotes what cannot be read and says what was expected; OUT is then empty.
 */
bool alarm_rule_parse(const char *text, bool colon, const struct alarm_view *views,
		      size_t view_count, struct alarm_rule *out, struct err *err);
void alarm_rule_free(struct alarm_rule *r);

/* What a row of VIEW is called; the caller's. */
char *alarm_object(const struct alarm_view *v, const struct view *view, uint32_t row);

/* ROW as of the beginning or the end; borrowed for the call. */
typedef void alarm_tell(void *context, const struct alarm_rule *rule, const struct alarm_row *row,
			int64_t time);

/*
 * One look at NOW (seconds, never less than at the look before, but for what alarm_set_back() was
 * told): tells what begins (row->on) and what ends. ERR_INPUT: an expression took too long
 * (filter_held()), and the rule tells no more.
 */
bool alarm_look(struct alarm_rule *r, const struct view *view, int64_t now, alarm_tell *tell,
		void *context, struct err *err);
void alarm_set_back(struct alarm_rule *r, int64_t seconds);
size_t alarm_count(const struct alarm_rule *r);	/* of those that are on */

#endif
