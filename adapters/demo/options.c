/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/demo/demo.h"

#include <stdlib.h>
#include <string.h>

/* A decimal number of LENGTH digits, nothing else; false if it is longer than MAX allows. */
static bool number(const char *text, size_t length, uint64_t max, uint64_t *value)
{
	uint64_t n = 0;

	for (size_t i = 0; i < length; i++) {
		uint64_t digit = (uint64_t)(text[i] - '0');

		if (text[i] < '0' || text[i] > '9' || digit > max || n > (max - digit) / 10)
			return false;
		n = n * 10 + digit;
	}
	*value = n;
	return length > 0;
}

static bool parse_count(const char *name, const char *text, size_t length, uint32_t max,
			uint32_t *count, struct err *err)
{
	uint64_t n;

	if (!number(text, length, max, &n))
		return err_set(err, ERR_INPUT, "%s=%.*s: expected a number from 0 to %lu",
			       name, (int)length, text, (unsigned long)max);
	*count = (uint32_t)n;
	return true;
}

static bool parse_speed(const char *text, size_t length, double *speed, struct err *err)
{
	char copy[32];
	char *end = copy;

	if (length > 0 && length < sizeof(copy) && strspn(text, "0123456789.") >= length) {
		memcpy(copy, text, length);
		copy[length] = '\0';
		*speed = strtod(copy, &end);
	}
	if (end == copy || *end || *speed > DEMO_SPEED_MAX)
		return err_set(err, ERR_INPUT, "speed=%.*s: expected a number from 0 to %d",
			       (int)length, text, DEMO_SPEED_MAX);
	return true;
}

static bool parse_item(const char *item, size_t length, bool first, struct demo_options *options,
		       struct err *err)
{
	const char *equals = memchr(item, '=', length);
	size_t name = equals ? (size_t)(equals - item) : length;
	const char *value = item + name + 1;
	size_t rest = equals ? length - name - 1 : 0;

	if (first && !equals) {
		if (length == 0 || number(item, length, UINT64_MAX, &options->seed))
			return true;
		return err_set(err, ERR_INPUT, "seed \"%.*s\" (expected a number)",
			       (int)length, item);
	}
	if (name == 8 && memcmp(item, "accounts", 8) == 0)
		return parse_count("accounts", value, rest, DEMO_ACCOUNTS_MAX,
				   &options->accounts, err);
	if (name == 5 && memcmp(item, "users", 5) == 0)
		return parse_count("users", value, rest, DEMO_USERS_MAX, &options->users, err);
	if (name == 4 && memcmp(item, "jobs", 4) == 0)
		return parse_count("jobs", value, rest, DEMO_JOBS_MAX, &options->jobs, err);
	if (name == 5 && memcmp(item, "speed", 5) == 0)
		return parse_speed(value, rest, &options->speed, err);
	return err_set(err, ERR_INPUT, "unknown option \"%.*s\" (expected SEED, accounts=N, "
		       "users=N, jobs=N, speed=X)", length < 80 ? (int)length : 80, item);
}

bool demo_options_parse(const char *text, struct demo_options *options, struct err *err)
{
	*options = (struct demo_options)DEMO_OPTIONS_DEFAULT;
	if (!text || !*text)
		return true;
	for (bool first = true;; first = false) {
		size_t length = strcspn(text, ",");

		if (!parse_item(text, length, first, options, err))
			return false;
		text += length;
		if (!*text)
			return true;
		text++;
	}
}
