/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenes: states of the screen, each given by a cluster and the keys that lead there.
 *
 * A golden frame proves where things are shown and in what roles. The main state of a view has one
 * in every size; other states have the rows that matter, in one size, or just words that must be on
 * the screen. No frame shows what an engine computes. ASCII has a frame where signs matter.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_SCENES_H
#define FAIRTOP_TESTS_SUPPORT_SCENES_H

#include <stdbool.h>
#include <stddef.h>

struct source;				/* adapters/adapter.h */

/* Keys that begin with this show all rows in the sketch's order; else the worst comes first. */
#define SCENE_DEEP ":fold-depth 9"

/* Instead of texts: the overview of many clusters (many.h), a back-test (played.h). */
#define SCENE_CLUSTERS "clusters"
#define SCENE_BACKTEST "backtest"

struct scene {
	const char *name;		/* of the golden frames; "tour" and "*light" set options */
	/*
	 * Words like 80x24 and 80x24-ascii, one per frame. After a colon: the rows that it holds,
	 * some with their columns: 80x24:3-22,24x1-70.
	 */
	const char *sizes;
	int algorithm;			/* enum fs_algorithm; -1: as the source has it */
	const char *keys;		/* as for --keys */
	/* sketch.h; "night": a recording; "@": a source's name; "%": of tests/data/starts */
	const char *texts[4];
};

extern const struct scene scenes[];
extern const size_t scenes_count;

#define SPOKEN_WORDS 4

/* A scene in one size, with words to look for instead of a frame. */
struct spoken {
	struct scene scene;
	const char *words[SPOKEN_WORDS];	/* must be shown; NULL ends them */
};

extern const struct spoken spoken[];
extern const size_t spoken_count;

struct source *scene_source(const struct scene *s);

#endif
