/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/host_list.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where the number at the end begins; one of more digits than can be counted is none. */
static size_t stem_length(const char *name)
{
	size_t length = strlen(name), stem = length;

	while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9')
		stem--;
	return length - stem <= 9 ? stem : length;
}

static bool alike(const char *a, const char *b, size_t stem)
{
	return strlen(a) == strlen(b) && a[stem] != '\0' && strncmp(a, b, stem) == 0 &&
	       stem_length(b) == stem;
}

static void put(struct bytes *out, const char *s)
{
	bytes_append(out, s, strlen(s));
}

static void put_numbers(const char *const *names, uint32_t count, size_t stem, struct bytes *out)
{
	for (uint32_t i = 0, last; i < count; i = last + 1) {
		last = i;
		while (last + 1 < count &&
		       atol(names[last + 1] + stem) == atol(names[last] + stem) + 1)
			last++;
		put(out, i > 0 ? "," : "");
		put(out, names[i] + stem);
		if (last > i) {
			put(out, "-");
			put(out, names[last] + stem);
		}
	}
}

void host_list_write(const char *const *names, uint32_t count, struct bytes *out)
{
	for (uint32_t i = 0, end; i < count; i = end) {
		const size_t stem = stem_length(names[i]);

		for (end = i + 1; end < count && alike(names[i], names[end], stem);)
			end++;
		put(out, i > 0 ? "," : "");
		bytes_append(out, names[i], stem);
		put(out, end - i > 1 ? "[" : "");
		put_numbers(names + i, end - i, stem, out);
		put(out, end - i > 1 ? "]" : "");
	}
}
