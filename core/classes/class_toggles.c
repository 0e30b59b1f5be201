/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/classes/class_toggles.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"

bool class_exclude_toggle(const char *exclude, const char *name, char *buf, size_t size)
{
	size_t used = 0, length = strlen(name);
	bool found = false;

	if (size == 0)
		return false;
	buf[0] = '\0';
	for (const char *s = exclude ? exclude : ""; *s; ) {
		size_t n;

		s += strspn(s, " ,\t");
		n = strcspn(s, " ,\t");
		if (n == length && memcmp(s, name, n) == 0) {
			found = true;
		} else if (n != 0) {
			if (used + n + 2 > size)
				return false;
			used += (size_t)snprintf(buf + used, size - used, "%s%.*s", used ? "," : "",
						 (int)n, s);
		}
		s += n;
	}
	if (found)
		return true;
	if (used + length + 2 > size)
		return false;
	(void)snprintf(buf + used, size - used, "%s%s", used ? "," : "", name);
	return true;
}

static void class_toggles_add_name(struct class_toggles *t, const char *name, size_t length,
				   const char *exclude)
{
	struct class_toggle *toggle;

	if (length == 0 || length >= CLASS_NAME_MAX)
		return;
	for (size_t i = 0; i < t->count; i++) {
		if (strlen(t->list[i].name) == length && memcmp(t->list[i].name, name, length) == 0)
			return;
	}
	MEM_GROW(t->list, t->capacity, t->count + 1);
	toggle = &t->list[t->count++];
	*toggle = (struct class_toggle){ .jobs = 0 };
	toggle->excluded = exclude && word_listed(exclude, name, length);
	memcpy(toggle->name, name, length);
}

static void class_toggles_list_names(struct class_toggles *t)
{
	for (size_t k = 0; k < t->set->count; k++)
		class_toggles_add_name(t, t->set->names[k], strlen(t->set->names[k]), t->exclude);
	class_set_chunk_resources(t->set, t->cluster, t->chunks, sizeof(t->chunks));
	for (const char *s = t->chunks; *s; ) {
		size_t n = strcspn(s, ",");

		class_toggles_add_name(t, s, n, t->exclude);
		s += n + (s[n] == ',');
	}
}

struct class_toggles *class_toggles_new(const struct cluster *c, enum class_rules rules,
					const char *exclude)
{
	struct class_toggles *t = mem_zalloc(1, sizeof(*t));

	t->cluster = c;
	t->exclude = exclude;
	t->set = class_set_new(c, rules, exclude, NULL, 0);
	t->now = classes_new(t->set->components, t->set->count, t->set->jobs);
	t->classes = t->now->count;
	class_toggles_list_names(t);
	return t;
}

/* Toggles a component that is in no select. NULL: there is none. */
static struct classes *without_component(struct class_toggles *t, const char *name)
{
	struct class_component *component = t->set->components;
	const struct class_component *end = component + t->set->count;
	struct classes *then;

	while (component < end && strcmp(component->name, name) != 0)
		component++;
	if (component == end)		/* quoted names of several words */
		return NULL;
	component->excluded = !component->excluded;
	then = classes_new(t->set->components, t->set->count, t->set->jobs);
	component->excluded = !component->excluded;
	return then;
}

/* NULL: the list of exclusions would be too long. */
static struct classes *without_resource(const struct class_toggles *t, const char *name)
{
	char other[CLASS_VALUE_MAX];
	struct class_set *set;
	struct classes *then;

	if (!class_exclude_toggle(t->exclude, name, other, sizeof(other)))
		return NULL;
	set = class_set_new(t->cluster, t->set->rules, other, NULL, 0);
	then = classes_new(set->components, set->count, set->jobs);
	class_set_free(set);
	return then;
}

bool class_toggles_step(struct class_toggles *t)
{
	struct class_toggle *toggle;
	struct classes *then;

	if (t->known == t->count)
		return false;
	toggle = &t->list[t->known];
	if (word_listed(t->chunks, toggle->name, strlen(toggle->name)))
		then = without_resource(t, toggle->name);
	else
		then = without_component(t, toggle->name);
	toggle->classes = then ? then->count : t->classes;
	if (then)
		toggle->jobs = toggle->excluded ? classes_moved(then, t->now)
						: classes_moved(t->now, then);
	classes_free(then);
	return ++t->known < t->count;
}

void class_toggles_free(struct class_toggles *t)
{
	if (!t)
		return;
	classes_free(t->now);
	class_set_free(t->set);
	mem_free(t->list);
	mem_free(t);
}

size_t class_toggles_near(const struct class_toggles *t, size_t *places, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < t->count; i++) {
		size_t at = n;

		if (t->list[i].excluded || t->list[i].jobs == 0)
			continue;
		while (at > 0 && t->list[places[at - 1]].jobs < t->list[i].jobs)
			at--;
		if (at >= max)
			continue;
		n += n < max;
		memmove(places + at + 1, places + at, (n - at - 1) * sizeof(*places));
		places[at] = i;
	}
	return n;
}
