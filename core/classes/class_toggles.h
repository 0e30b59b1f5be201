/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_toggles: the effect of each component on the classes.
 *
 * For every component of the rules, and every resource that only selects have: how many classes
 * there would be if it were also excluded (or, if excluded, included again), and how many jobs
 * would then move to a larger class (or leave theirs). Each needs a new grouping, done step by
 * step, which takes long with many jobs. An excluded resource is also removed from the selects.
 */
#ifndef FAIRTOP_CORE_CLASSES_CLASS_TOGGLES_H
#define FAIRTOP_CORE_CLASSES_CLASS_TOGGLES_H

#include "core/classes/class_rules.h"
#include "core/classes/class_values.h"

#define CLASS_NAME_MAX 64

struct class_toggle {
	char name[CLASS_NAME_MAX];
	bool excluded;		/* now */
	uint32_t classes;	/* number with this one toggled */
	uint32_t jobs;		/* number that move to a larger class, or out of theirs */
};

struct class_toggles {
	uint32_t classes;	/* at present */
	struct class_toggle *list;
	size_t count, capacity;
	size_t known;		/* number of known entries, from the beginning */
	const struct cluster *cluster;	/* borrowed, like EXCLUDE */
	const char *exclude;
	struct class_set *set;
	struct classes *now;
	char chunks[CLASS_VALUE_MAX];	/* resources in selects */
};

/*
 * EXCLUDE: comma-separated names or NULL. The list is in the order of the components; each step
 * computes one entry and returns false when all are known.
 */
struct class_toggles *class_toggles_new(const struct cluster *c, enum class_rules rules,
					const char *exclude);
bool class_toggles_step(struct class_toggles *t);
void class_toggles_free(struct class_toggles *t);

/*
 * The toggles that are not excluded and would merge classes, by jobs moved, most first; at most
 * MAX. Sets their indices in t->list.
 */
size_t class_toggles_near(const struct class_toggles *t, size_t *places, size_t max);

/* EXCLUDE with NAME added, or removed if present; false if that does not fit. */
bool class_exclude_toggle(const char *exclude, const char *name, char *buf, size_t size);

#endif
