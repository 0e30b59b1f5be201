/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/host_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns where the number at the end begins; a number with too many digits does not count. */
static size_t stem_length(const char *name)
{
	size_t length = strlen(name), stem = length;

	while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
		stem--;
	return length - stem <= 9 ? stem : length;
}

static bool host_list_alike(const char *a, const char *b, size_t stem)
{
	return strlen(a) == strlen(b) && a[stem] != '\0' && strncmp(a, b, stem) == 0 &&
	       stem_length(b) == stem;
}

static void host_list_put(struct bytes *out, const char *s)
{
	bytes_append(out, s, strlen(s));
}

static void host_list_put_numbers(const char *const *names, uint32_t count, size_t stem,
				  struct bytes *out)
{
	for (uint32_t i = 0, last; i < count; i = last + 1) {
		last = i;
		while (last + 1 < count &&
		       atol(names[last + 1] + stem) == atol(names[last] + stem) + 1)
			last++;
		host_list_put(out, i > 0 ? "," : "");
		host_list_put(out, names[i] + stem);
		if (last > i) {
			host_list_put(out, "-");
			host_list_put(out, names[last] + stem);
		}
	}
}

void host_list_write(const char *const *names, uint32_t count, struct bytes *out)
{
	for (uint32_t i = 0, end; i < count; i = end) {
		const size_t stem = stem_length(names[i]);

		for (end = i + 1; end < count && host_list_alike(names[i], names[end], stem);)
			end++;
		host_list_put(out, i > 0 ? "," : "");
		bytes_append(out, names[i], stem);
		host_list_put(out, end - i > 1 ? "[" : "");
		host_list_put_numbers(names + i, end - i, stem, out);
		host_list_put(out, end - i > 1 ? "]" : "");
	}
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Is the number of DIGITS at NUMBER in "001-004,007", which ends at "]"? */
static bool in_brackets(const char *ranges, const char *number, size_t digits)
{
	unsigned long value = strtoul(number, NULL, 10), from, to;
	char *end;

	for (;;) {
		/* Zero-padded numbers all have the same length. */
		bool fits = *ranges == '0' ? digits == strspn(ranges, "0123456789") :
					     *number != '0';

		from = to = strtoul(ranges, &end, 10);
		if (end == ranges)
			return false;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (value >= from && value <= to && fits)
			return true;
		if (*end != ',')
			return false;
		ranges = end + 1;
	}
}

/* Is NAME one of those that the LENGTH bytes at WORD list: "c[001-004,007]x", "c001"? */
static bool stands_for(const char *word, size_t length, const char *name)
{
	const char *open = memchr(word, '[', length), *close = memchr(word, ']', length);
	size_t head, digits, tail;

	if (!open || !close || close < open)
		return strlen(name) == length && memcmp(name, word, length) == 0;
	head = (size_t)(open - word);
	tail = (size_t)(word + length - close) - 1;
	if (strncmp(name, word, head) != 0)
		return false;
	digits = strspn(name + head, "0123456789");
	return digits > 0 && strlen(name + head + digits) == tail &&
	       memcmp(name + head + digits, close + 1, tail) == 0 &&
	       in_brackets(open + 1, name + head, digits);
}

bool host_list_has(const char *list, const char *name)
{
	while (*list) {
		size_t length = strcspn(list, ",[");

		if (list[length] == '[') {
			length += strcspn(list + length, "]");
			length += strcspn(list + length, ",");
		}
		if (stands_for(list, length, name))
			return true;
		list += length;
		list += *list == ',';
	}
	return false;
}
