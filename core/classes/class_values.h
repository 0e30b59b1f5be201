/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_values: canonical spellings of PBS values, selects and places: equal ones are equal texts.
 */
#ifndef FAIRTOP_CORE_CLASSES_CLASS_VALUES_H
#define FAIRTOP_CORE_CLASSES_CLASS_VALUES_H

#include <stdbool.h>
#include <stddef.h>

#define CLASS_VALUE_MAX 4096

/*
 * "1gb" and "1024mb" as bytes, "01:00:00" as seconds, numbers without leading zeros, True and False
 * in one case; anything else unchanged. Like snprintf.
 */
size_t class_value(const char *text, size_t length, char *buf, size_t size);

/*
 * The inverse, for people: times of walltime, cput and the like as hours:minutes:seconds, sizes of
 * mem, vmem and the like in the largest unit that gives a whole number.
 */
void class_shown(const char *name, size_t name_length, const char *value, size_t length, char *buf,
		 size_t size);
void class_select_shown(const char *select, char *buf, size_t size);

/* Selects the resources of a chunk. */
struct class_filter {
	const char *only;	/* only these, comma-separated; NULL: all */
	const char *without;	/* not these; NULL: none */
	bool none;		/* no resource at all, only the numbers of chunks */
};

/*
 * "2:ncpus=4:mem=1gb+1:ncpus=1" with the chunks in their order, the resources of each sorted by
 * name, and the number of chunks written out (1 if missing). Cut to SIZE.
 */
void class_select(const char *select, const struct class_filter *filter, char *buf, size_t size);

/* Converts "(vn1:ncpus=2:mem=4kb+vn2:ncpus=1)+(vn3:ncpus=1)" to the select that requests it. */
void class_exec_vnode(const char *exec_vnode, char *buf, size_t size);

/* "free", "pack:excl:group=rack": arrangement first (free if none), then the flags in one order. */
void class_place(const char *place, char *buf, size_t size);

#endif
