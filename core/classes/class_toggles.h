/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_toggles: what each component does to the classes: the near misses.
 *
 * For every component of the rules, and for every resource that stands in selects only: how many
 * classes there would be if it were excluded as well (or, if it is excluded, taken back in), and
 * how many jobs would then come to stand in a larger class (or leave theirs). Jobs are grouped anew
 * for each, step by step, since that takes long where there are many. An excluded resource vanishes
 * from the selects, too.
 */
#ifndef FAIRTOP_CORE_CLASSES_CLASS_TOGGLES_H
#define FAIRTOP_CORE_CLASSES_CLASS_TOGGLES_H

#include "core/classes/class_rules.h"
#include "core/classes/class_values.h"

#define CLASS_NAME_MAX 64

struct class_toggle {
	char name[CLASS_NAME_MAX];
	bool excluded;		/* now */
	uint32_t classes;	/* if it were the other way round */
	uint32_t jobs;		/* that change to a larger class, or into a smaller one */
};

struct class_toggles {
	uint32_t classes;	/* as things are */
	struct class_toggle *list;
	size_t count, capacity;
	size_t known;		/* of the list, from its beginning */
	const struct cluster *cluster;	/* borrowed, as EXCLUDE is */
	const char *exclude;
	struct class_set *set;
	struct classes *now;
	char chunks[CLASS_VALUE_MAX];	/* resources that stand in selects */
};

/*
 * EXCLUDE: comma-separated names or NULL. The list is in the order of the components; what they do
 * is known after as many steps. A step is false when all is known.
 */
struct class_toggles *class_toggles_new(const struct cluster *c, enum class_rules rules,
					const char *exclude);
bool class_toggles_step(struct class_toggles *t);
void class_toggles_free(struct class_toggles *t);

/*
 * The toggles that are not excluded and would merge something, the one that moves most jobs first;
 * at most MAX, their places in t->list.
 */
size_t class_toggles_near(const struct class_toggles *t, size_t *places, size_t max);

/*
 * EXCLUDE with NAME added, or taken out if it is there, names separated by commas; false if that
 * does not fit.
 */
bool class_exclude_toggle(const char *exclude, const char *name, char *buf, size_t size);

#endif
