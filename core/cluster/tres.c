/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/cluster/tres.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/word.h"

enum meaning { COUNTS, WEIGHTS };

/* The longest number that a scheduler writes. */
#define NUMBER_MAX 64

/* 1 to 6 for K to E, 0 for anything else. */
static int unit_step(char letter)
{
	static const char steps[] = "kmgtpe";
	const char *found = letter ? strchr(steps, word_lower(letter)) : NULL;

	return found ? (int)(found - steps) + 1 : 0;
}

/* The step of a count without a unit: 2 for MiB, 0 for ones. */
static int base_step(const char *name)
{
	return strcmp(name, "mem") == 0 || strncmp(name, "bb/", 3) == 0 ? 2 : 0;
}

/*
 * Reads a decimal number out of TEXT (LENGTH bytes); *USED is its length, 0 if there is none.
 * strtod() alone would also take hexadecimal digits, "inf" and "nan".
 */
static double tres_number(const char *text, size_t length, size_t *used)
{
	char digits[NUMBER_MAX];
	char *end;
	double value;
	size_t n = 0;

	while (n < length && n < sizeof(digits) - 1 && strchr("+-.0123456789eE", text[n])) {
		digits[n] = text[n];
		n++;
	}
	digits[n] = '\0';
	value = strtod(digits, &end);
	*used = (size_t)(end - digits);
	return value;
}

static bool apply_unit(struct tres_pair *pair, enum meaning meaning, const char *unit,
		       size_t length)
{
	int base = base_step(pair->name);
	int step = length > 0 ? unit_step(unit[0]) : base;

	if (length > 0 && step == 0)
		return false;
	if (meaning == WEIGHTS) {
		if (step > 5)
			return false;
		if (step > base)
			pair->value = ldexp(pair->value, -10 * (step - base));
		return true;
	}
	pair->value = ldexp(pair->value, 10 * (step - base));
	return length <= 1;
}

static bool name_is_plain(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)name[i] <= ' ' || name[i] == 0x7f)
			return false;
	return length > 0 && length < TRES_NAME_MAX;
}

static bool parse_item(const char *item, size_t length, enum meaning meaning,
		       struct tres_pair *pair, struct err *err)
{
	const char *equals = memchr(item, '=', length);
	int shown = length < 80 ? (int)length : 80;
	size_t name_length, used;
	const char *value;

	if (!equals || !name_is_plain(item, (size_t)(equals - item)))
		return err_set(err, ERR_INPUT,
			       "\"%.*s\" is not a TRES (expected type[/name]=number)", shown, item);
	name_length = (size_t)(equals - item);
	for (size_t i = 0; i < name_length; i++)
		pair->name[i] = word_lower(item[i]);
	pair->name[name_length] = '\0';

	value = equals + 1;
	length -= name_length + 1;
	pair->value = tres_number(value, length, &used);
	if (used == 0 || !isfinite(pair->value))
		return err_set(err, ERR_INPUT, "\"%.*s\": no number after \"=\"", shown, item);
	if (meaning == COUNTS && pair->value < 0)
		return err_set(err, ERR_INPUT, "\"%.*s\": negative count", shown, item);
	if (!apply_unit(pair, meaning, value + used, length - used))
		return err_set(err, ERR_INPUT,
			       "\"%.*s\": unknown unit (expected one of K M G T P%s)", shown, item,
			       meaning == COUNTS ? " E" : "");
	return true;
}

static bool tres_parse(const char *text, enum meaning meaning, tres_each *each, void *context,
		       struct err *err)
{
	struct tres_pair pair;

	if (!*text)
		return true;
	for (;;) {
		size_t length = strcspn(text, ",");

		if (!parse_item(text, length, meaning, &pair, err) || !each(context, &pair, err))
			return false;
		text += length;
		if (!*text)
			return true;
		text++;
	}
}

bool tres_parse_counts(const char *text, tres_each *each, void *context, struct err *err)
{
	return tres_parse(text, COUNTS, each, context, err);
}

bool tres_parse_weights(const char *text, tres_each *each, void *context, struct err *err)
{
	return tres_parse(text, WEIGHTS, each, context, err);
}

bool tres_is_type(const char *name, struct err *err)
{
	static const char *const types[] = { "cpu", "mem", "energy", "node", "billing", "vmem",
					     "pages", "bb/", "fs/", "gres/", "ic/", "license/" };

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		size_t length = strlen(types[i]);
		bool named = types[i][length - 1] == '/';

		if (strncmp(name, types[i], length) == 0 && named == (name[length] != '\0'))
			return true;
	}
	return err_set(err, ERR_INPUT, "\"%.60s\": no such TRES (expected cpu, mem, energy, node, "
		       "billing, vmem, pages, bb/, fs/, gres/, ic/ or license/ with a name)", name);
}
