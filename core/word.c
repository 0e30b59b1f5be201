/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/word.h"

#include <string.h>

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
