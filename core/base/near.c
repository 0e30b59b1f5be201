/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/near.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/base/word.h"

#define NEAR_LENGTH 32		/* names are compared up to here */

static unsigned near_min(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* Optimal string alignment: three rows of the usual table are enough. */
unsigned near_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned rows[3][NEAR_LENGTH + 1];
	size_t n = a_length < NEAR_LENGTH ? a_length : NEAR_LENGTH;
	size_t m = b_length < NEAR_LENGTH ? b_length : NEAR_LENGTH;
	unsigned *before = rows[0], *last = rows[1], *now = rows[2];

	for (size_t j = 0; j <= m; j++)
		last[j] = (unsigned)j;
	for (size_t i = 1; i <= n; i++) {
		unsigned *turn;

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= m; j++) {
			char x = word_lower(a[i - 1]), y = word_lower(b[j - 1]);

			bool swapped = i > 1 && j > 1 && x == word_lower(b[j - 2]) &&
				       word_lower(a[i - 2]) == y;

			now[j] = near_min(last[j], now[j - 1]) + 1;
			now[j] = near_min(now[j], last[j - 1] + (x != y));
			if (swapped)
				now[j] = near_min(now[j], before[j - 2] + 1);
		}
		turn = before;
		before = last;
		last = now;
		now = turn;
	}
	return last[m];
}

static bool near_holds(const char *name, size_t name_length, const char *word, size_t length)
{
	for (size_t start = 0; start + length <= name_length; start++) {
		size_t i = 0;

		while (i < length && word_lower(name[start + i]) == word_lower(word[i]))
			i++;
		if (i == length)
			return true;
	}
	return false;
}

void near_init(struct near *n, const char *word, size_t length)
{
	*n = (struct near){ .word = word, .length = length };
}

/* Largest distance that is near: a third of the word, at least 1; 0 for a word of one letter. */
static unsigned near_limit(size_t length)
{
	if (length < 2)
		return 0;
	return length < 6 ? 1 : (unsigned)(length < NEAR_LENGTH ? length / 3 : NEAR_LENGTH / 3);
}

void near_offer(struct near *n, const char *name)
{
	size_t length = strlen(name), at;
	unsigned distance = near_distance(n->word, n->length, name, length);

	if (length == 0 || (length == n->length && memcmp(n->word, name, length) == 0))
		return;			/* the word itself is no suggestion */
	if (distance > near_limit(n->length)) {
		if (n->length < 2 || !near_holds(name, length, n->word, n->length))
			return;
		distance = NEAR_LENGTH;		/* after every misspelling */
	}
	for (size_t i = 0; i < n->count; i++) {
		if (strcmp(n->names[i], name) == 0)
			return;
	}
	for (at = n->count; at > 0 && n->distances[at - 1] > distance; at--) {
		if (at < NEAR_MAX) {
			n->names[at] = n->names[at - 1];
			n->distances[at] = n->distances[at - 1];
		}
	}
	if (at == NEAR_MAX)
		return;
	n->names[at] = name;
	n->distances[at] = distance;
	if (n->count < NEAR_MAX)
		n->count++;
}

const char *near_text(const struct near *n, char *buf, size_t size)
{
	switch (n->count) {
	case 0:
		(void)snprintf(buf, size, "%s", "");
		break;
	case 1:
		(void)snprintf(buf, size, "did you mean %s?", n->names[0]);
		break;
	case 2:
		(void)snprintf(buf, size, "did you mean %s or %s?", n->names[0], n->names[1]);
		break;
	default:
		(void)snprintf(buf, size, "did you mean %s, %s or %s?", n->names[0], n->names[1],
			       n->names[2]);
	}
	return buf;
}
