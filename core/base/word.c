/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/word.h"

#include <string.h>

#include "core/base/mem.h"

bool word_equal_n(const char *a, size_t length, const char *b)
{
	for (size_t i = 0; i < length; i++)
		if (b[i] == '\0' || word_lower(a[i]) != word_lower(b[i]))
			return false;
	return b[length] == '\0';
}

bool word_equal(const char *a, const char *b)
{
	return word_equal_n(a, strlen(a), b);
}

bool word_begins(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

bool word_in(const char *const *words, const char *word)
{
	while (*words && strcmp(*words, word) != 0)
		words++;
	return *words != NULL;
}

bool word_among(const char *text, const char *between, const char *word)
{
	size_t length;

	for (; text && *text; text += length + (text[length] != '\0')) {
		length = strcspn(text, between);
		if (word_equal_n(text, length, word))
			return true;
	}
	return false;
}

bool word_holds(const char *text, const char *lower)
{
	char small = *lower, large = small;

	if (small >= 'a' && small <= 'z')
		large = (char)(small - 'a' + 'A');
	if (small == '\0')
		return true;
	for (; *text != '\0'; text++) {
		size_t i = 1;

		if (*text != small && *text != large)
			continue;
		while (lower[i] != '\0' && word_lower(text[i]) == lower[i])
			i++;
		if (lower[i] == '\0')
			return true;
	}
	return false;
}

bool word_listed(const char *list, const char *name, size_t length)
{
	while (list && *list) {
		size_t n;

		list += strspn(list, " ,\t");
		n = strcspn(list, ", \t");
		if (n == length && n != 0 && strncmp(list, name, n) == 0)
			return true;
		list += n;
	}
	return false;
}

const char *word_value(const char *text, const char *name, size_t length)
{
	return strncmp(text, name, length) == 0 && text[length] == '=' ? text + length + 1 : NULL;
}

char *word_path(const char *text, size_t length)
{
	char *typed = mem_alloc(3 * length + 1, 1), *to = typed;

	for (; length-- > 0; text++) {
		if (*text == '=')
			to = (char *)memcpy(to, "%3D", 3) + 3;
		else
			*to++ = *text;
	}
	*to = '\0';
	return typed;
}
