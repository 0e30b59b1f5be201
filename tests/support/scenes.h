/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scenes: the states that the screen can be in, as clusters and keys that lead there.
 *
 * Every state is looked at in the whole matrix: four sizes, in UTF-8 and in ASCII. A moment is a
 * variation of a state that one size shows as well as four.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_SCENES_H
#define FAIRTOP_TESTS_SUPPORT_SCENES_H

#include <stdbool.h>
#include <stddef.h>

struct source;				/* adapters/adapter.h */

struct scene {
	const char *name;		/* of the golden frames; "tour": greeted with the tour */
	int algorithm;			/* enum fs_algorithm; -1: what the source says */
	const char *keys;		/* as --keys has them */
	const char *texts[4];		/* sketch.h; "night": a recording; "@": a source's name */
};

struct moment {
	int width, height;
	bool ascii;			/* besides UTF-8 */
	struct scene scene;
};

extern const struct scene scene_states[];
extern const size_t scene_states_count;
extern const struct moment scene_moments[];
extern const size_t scene_moments_count;

struct source *scene_source(const struct scene *s);

#endif
