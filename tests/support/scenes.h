/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenes: the states that the screen can be in, as clusters and keys that lead there.
 *
 * The main state of each view is looked at in every size, another state in the one that shows what
 * it is about: the smaller where that is a pane or a line, so that a new column changes few frames.
 * ASCII has a frame where its signs are what a state is about.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_SCENES_H
#define FAIRTOP_TESTS_SUPPORT_SCENES_H

#include <stdbool.h>
#include <stddef.h>

struct source;				/* adapters/adapter.h */

/* Scenes that begin with it have all rows, as the sketch has them; else the worst is first. */
#define SCENE_DEEP ":fold-depth 9"

/* In the place of texts: the overview of many clusters (many.h). */
#define SCENE_CLUSTERS "clusters"

struct scene {
	const char *name;		/* of the golden frames; "tour" and "light" tell more */
	const char *sizes;		/* words like 80x24 and 80x24-ascii: a frame each */
	int algorithm;			/* enum fs_algorithm; -1: what the source says */
	const char *keys;		/* as --keys has them */
	/* sketch.h; "night": a recording; "@": a source's name; "%": of tests/data/starts */
	const char *texts[4];
};

extern const struct scene scenes[];
extern const size_t scenes_count;

struct source *scene_source(const struct scene *s);

#endif
