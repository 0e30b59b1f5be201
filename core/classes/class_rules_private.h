/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * class_rules_private: a class set while it is being filled, between the files of class_rules.
 */
#ifndef FAIRTOP_CORE_CLASSES_CLASS_RULES_PRIVATE_H
#define FAIRTOP_CORE_CLASSES_CLASS_RULES_PRIVATE_H

#include "core/classes/class_rules.h"
#include "core/classes/class_values.h"

struct class_build {
	const struct cluster *c;
	const struct policy *policy;
	struct class_set *set;
	const char *exclude;
	char scratch[CLASS_VALUE_MAX];
};

/* A new component whose ids are all "not set"; its ids, to be filled. */
uint32_t *class_component_add(struct class_set *s, const char *name, size_t length);

/* The id of a value; none is 0. */
uint32_t class_intern(struct class_build *r, const char *text);
uint32_t class_intern_or_none(struct class_build *r, const char *text);

/* Components of their own. ONLY: the resources that count, NULL is all. */
void class_select_add(struct class_build *r, const struct class_filter *filter);
void class_place_add(struct class_build *r);
void class_resources_add(struct class_build *r, const char *only);

/*
 * Handle of the select that the job asks for, or TEXT_NONE; a job that is suspended, or held after
 * a start that failed, wants just the vnodes it had.
 */
uint32_t class_select_id(const struct class_build *r, uint32_t job);
bool class_wants_vnodes(const struct class_build *r, uint32_t job);

/* Everything of the rule set "openpbs". */
void class_openpbs(struct class_build *r);

/*
 * Appends to a comma-separated LIST what is not there yet: a name; the resources in the chunks of
 * any job, all without a LINE, else those on it and booleans.
 */
void class_name_append(char *list, size_t size, const char *name, size_t length);
void class_chunk_resources_append(struct class_build *r, const char *line, char *list,
				  size_t size);

#endif
