/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/classes/class_toggles.h"

#include <stdio.h>
#include <string.h>

#include "core/classes/class_values.h"
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

static void add_name(struct class_toggles *t, const char *name, size_t length, const char *exclude)
{
	struct class_toggle *toggle;

	if (length == 0 || length >= CLASS_NAME_MAX)
		return;
	for (size_t i = 0; i < t->count; i++) {
		if (strlen(t->list[i].name) == length && memcmp(t->list[i].name, name, length) == 0)
			return;
	}
	t->list = mem_grow(t->list, &t->capacity, t->count + 1, sizeof(*t->list));
	toggle = &t->list[t->count++];
	*toggle = (struct class_toggle){ .jobs = 0 };
	toggle->excluded = exclude && word_listed(exclude, name, length);
	memcpy(toggle->name, name, length);
}

static void list_names(struct class_toggles *t, const struct cluster *c,
		       const struct class_set *set, const char *exclude)
{
	char chunks[CLASS_VALUE_MAX];

	for (size_t k = 0; k < set->count; k++)
		add_name(t, set->names[k], strlen(set->names[k]), exclude);
	class_set_chunk_resources(set, c, chunks, sizeof(chunks));
	for (const char *s = chunks; *s; ) {
		size_t n = strcspn(s, ",");

		add_name(t, s, n, exclude);
		s += n + (s[n] == ',');
	}
}

static struct classes *group(const struct cluster *c, enum class_rules rules, const char *exclude)
{
	struct class_set *set = class_set_new(c, rules, exclude, NULL, 0);
	struct classes *classes = classes_new(set->components, set->count, set->jobs);

	class_set_free(set);
	return classes;
}

struct class_toggles *class_toggles_new(const struct cluster *c, enum class_rules rules,
					const char *exclude)
{
	struct class_toggles *t = mem_zalloc(1, sizeof(*t));
	struct class_set *set = class_set_new(c, rules, exclude, NULL, 0);
	struct classes *now = classes_new(set->components, set->count, set->jobs);
	char other[CLASS_VALUE_MAX];

	t->classes = now->count;
	list_names(t, c, set, exclude);
	class_set_free(set);
	for (size_t i = 0; i < t->count; i++) {
		struct class_toggle *toggle = &t->list[i];
		struct classes *then;

		toggle->classes = now->count;
		if (!class_exclude_toggle(exclude, toggle->name, other, sizeof(other)))
			continue;
		then = group(c, rules, other);
		toggle->classes = then->count;
		toggle->jobs = toggle->excluded ? classes_moved(then, now)
						: classes_moved(now, then);
		classes_free(then);
	}
	classes_free(now);
	return t;
}

void class_toggles_free(struct class_toggles *t)
{
	if (!t)
		return;
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
