/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * overview: the screen of many clusters: one row each (core/fleet), updated with what their sources
 * report. An app with an overview shows no cluster itself, and so never has a picture.
 */
#ifndef FAIRTOP_TUI_ROWS_OVERVIEW_H
#define FAIRTOP_TUI_ROWS_OVERVIEW_H

#include "core/fleet/fleet_row.h"
#include "tui/rows/state.h"

struct overview {
	struct fleet_row *rows;		/* owned, in the order of the sources */
	int64_t *good_ms;		/* monotonic, when each last reported its facts; -1 never */
	bool *dated;			/* per row: its age is that of its picture */
	uint64_t *keys;
	char (*titles)[FLEET_NAME + 260];
	uint32_t count;
	char account[FLEET_NAME];	/* compared side by side; "": none */
	uint32_t open;			/* for APP_OPEN: the row to open */
};

/* News of a source; FACTS are taken over, the rest is copied. */
struct fleet_news {
	uint32_t row;
	enum fleet_health health;
	const char *problem;
	int64_t good_ms;
	bool dated, watched;
	uint32_t alarms;
	const char *alarm;		/* the rules' result in a few words */
	struct fleet_facts *facts;	/* NULL: unchanged */
};

/* The name under which the look of an overview is remembered. */
void overview_name(const char *const *sources, size_t count, char *buf, size_t size);

/* Gives the new app A the overview of SOURCES. NAMES of NULL: the clusters' own. */
void overview_begin(struct app *a, const char *const *names, const char *const *sources,
		    size_t count);
void overview_free(struct app *a);

void overview_take(struct app *a, const struct fleet_news *news);
void overview_tick(struct app *a);			/* call it as time passes: updates ages */
void overview_choose(struct app *a, const char *account);	/* "": none */

/* Sums over all clusters, and how many are in each state of enum fleet_health. */
struct overview_sum {
	uint32_t health[4], waiting, running, alarms;
	double cpus, cpus_used;
	uint32_t known;			/* clusters with known numbers ... */
	bool partial;			/* ... and some are unknown, or no longer answer */
};
struct overview_sum overview_sum(const struct app *a);

/* Milliseconds until an age changes; -1: never. */
int64_t overview_next_ms(const struct app *a);

struct list_data overview_data(const struct app *a);

#endif
