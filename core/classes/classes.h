/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes: jobs that are the same in everything the scheduler considers.
 *
 * A job is described by components (user, project, select, walltime, ...), each a 32-bit id per
 * job: equal ids mean equal values; one id means "not set". Jobs with all components equal form a
 * class; if one of them cannot run, the others cannot either. The rules (PBS document, OpenPBS,
 * Slurm) decide which components count; excluded ones are ignored.
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

/* Classes are numbered in the order of their first jobs. */
struct classes {
	uint32_t jobs, count;
	uint32_t *class_of;		/* per job */
	uint32_t *first;		/* count + 1: members[first[c]] .. members[first[c + 1]) */
	uint32_t *members;		/* jobs, in their order */
};

struct classes *classes_new(const struct class_component *components, size_t component_count,
			    uint32_t jobs);
void classes_free(struct classes *c);

/* Number of jobs whose class is larger in AFTER, without the largest part of each merged class. */
uint32_t classes_moved(const struct classes *before, const struct classes *after);

#endif
