/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenes: the states that the screen can be in, as clusters and keys that lead there.
 *
 * A golden frame proves where things stand, in what roles: of the main state of a view in every
 * size, of any other state the rows it is about in one size. Else a state has words that must be on
 * the screen. What an engine computes stands in no frame; ASCII has one where signs are the point.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_SCENES_H
#define FAIRTOP_TESTS_SUPPORT_SCENES_H

#include <stdbool.h>
#include <stddef.h>

struct source;				/* adapters/adapter.h */

/* Scenes that begin with it have all rows, as the sketch has them; else the worst is first. */
#define SCENE_DEEP ":fold-depth 9"

/* In the place of texts: the overview of many clusters (many.h), a back-test (played.h). */
#define SCENE_CLUSTERS "clusters"
#define SCENE_BACKTEST "backtest"

struct scene {
	const char *name;		/* of the golden frames; "tour" and "light" tell more */
	/*
	 * Words like 80x24 and 80x24-ascii: a frame each. Behind a colon stand the rows that it
	 * holds, of some of them the columns: 80x24:3-22,24x1-70.
	 */
	const char *sizes;
	int algorithm;			/* enum fs_algorithm; -1: what the source says */
	const char *keys;		/* as --keys has them */
	/* sketch.h; "night": a recording; "@": a source's name; "%": of tests/data/starts */
	const char *texts[4];
};

extern const struct scene scenes[];
extern const size_t scenes_count;

#define SPOKEN_WORDS 4

/* A scene in one size, without a frame. */
struct spoken {
	struct scene scene;
	const char *words[SPOKEN_WORDS];	/* that it shows; NULL: no more */
};

extern const struct spoken spoken[];
extern const size_t spoken_count;

struct source *scene_source(const struct scene *s);

#endif
