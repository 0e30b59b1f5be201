/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes: jobs that are the same in everything the scheduler looks at.
 *
 * A job is described by components (user, project, select, walltime, ...), each a 32-bit id per
 * job: equal ids mean equal values, and an id of its own stands for "not set". Jobs whose
 * components are all equal form one class; once one of them cannot run, the others cannot either.
 * Which components count is the business of the rules (PBS document, OpenPBS, Slurm): a component
 * that is excluded is simply left out.
 */
#ifndef FAIRTOP_CORE_CLASSES_CLASSES_H
#define FAIRTOP_CORE_CLASSES_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct class_component {
	const char *name;		/* "euser", "walltime", ... */
	const uint32_t *ids;		/* one per job; borrowed */
	bool excluded;
};

/* Classes are numbered in the order in which their first job comes. */
struct classes {
	uint32_t jobs, count;
	uint32_t *class_of;		/* per job */
	uint32_t *first;		/* count + 1: members[first[c]] .. members[first[c + 1]) */
	uint32_t *members;		/* jobs, in their order */
};

struct classes *classes_new(const struct class_component *components, size_t component_count,
			    uint32_t jobs);
void classes_free(struct classes *c);

/* Jobs whose class is larger in AFTER, all but the largest part of each merged class. */
uint32_t classes_moved(const struct classes *before, const struct classes *after);

#endif
