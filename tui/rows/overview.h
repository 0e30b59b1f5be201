/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overview: the screen of many clusters: a row each (core/fleet), kept up to date with what their
 * sources say. An app that has one shows no cluster itself, and so never has a picture.
 */
#ifndef FAIRTOP_TUI_ROWS_OVERVIEW_H
#define FAIRTOP_TUI_ROWS_OVERVIEW_H

#include "core/fleet/fleet_row.h"
#include "tui/rows/state.h"

struct overview {
	struct fleet_row *rows;		/* owned, in the order of the sources */
	int64_t *good_ms;		/* monotonic, when each last said its facts; -1 never */
	bool *dated;			/* the age of each is that of its picture */
	uint64_t *keys;
	char (*titles)[FLEET_NAME + 260];
	uint32_t count;
	char account[FLEET_NAME];	/* to be seen side by side; "" none */
	uint32_t open;			/* of APP_OPEN: the row that is to be opened */
};

/* What a source says; FACTS are taken over, the rest is copied. */
struct fleet_news {
	uint32_t row;
	enum fleet_health health;
	const char *problem;
	int64_t good_ms;
	bool dated, watched;
	uint32_t alarms;
	const char *alarm;		/* what the rules say, in a few words */
	struct fleet_facts *facts;	/* NULL: the former ones hold */
};

/* What stands for all of them where the look of an overview is remembered. */
void overview_name(const char *const *sources, size_t count, char *buf, size_t size);

/* Gives A, which is new, the overview of those SOURCES. NAMES of NULL are the clusters' own. */
void overview_begin(struct app *a, const char *const *names, const char *const *sources,
		    size_t count);
void overview_free(struct app *a);

void overview_take(struct app *a, const struct fleet_news *news);
void overview_tick(struct app *a);			/* time has passed: ages */
void overview_choose(struct app *a, const char *account);	/* "" none */

/* What they come to together; how many of them are in each state of enum fleet_health. */
struct overview_sum {
	uint32_t health[4], waiting, running, alarms;
	double cpus, cpus_used;
	uint32_t known;			/* so many have told theirs ... */
	bool partial;			/* ... and some have not, or do no longer answer */
};
struct overview_sum overview_sum(const struct app *a);

/* Milliseconds until an age is another one; -1: never. */
int64_t overview_next_ms(const struct app *a);

struct list_data overview_data(const struct app *a);

#endif
