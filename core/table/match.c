/* SPDX-License-Identifier: GPL-2.0-or-later */
#define PCRE2_CODE_UNIT_WIDTH 8

#include "core/table/match.h"

#include <pcre2.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/visible.h"

#define HEAP_MAX 1024		/* KiB for one text */
#define REPLACEMENT 0xfffd

struct match {
	pcre2_code *code;
	pcre2_match_context *limits;
	pcre2_match_data *data;
	bool gave_up;
	char pattern[MATCH_PATTERN_MAX + 1];	/* for messages */
};

struct match *match_new(const char *pattern, size_t length, struct err *err)
{
	const uint32_t options = PCRE2_UTF | PCRE2_DOTALL | PCRE2_DOLLAR_ENDONLY |
				 PCRE2_NEVER_BACKSLASH_C;
	PCRE2_UCHAR8 why[128];
	struct match *m;
	pcre2_code *code;
	PCRE2_SIZE at;
	int error;

	if (length > MATCH_PATTERN_MAX) {
		err_set(err, ERR_INPUT, "regular expression is longer than %d bytes",
			MATCH_PATTERN_MAX);
		return NULL;
	}
	code = pcre2_compile((PCRE2_SPTR8)pattern, length, options, &error, &at, NULL);
	if (!code) {
		pcre2_get_error_message(error, why, sizeof(why));
		err_set(err, ERR_INPUT, "regular expression %.*s: %s (byte %zu)", (int)length,
			pattern, (const char *)why, at + 1);
		return NULL;
	}
	m = mem_zalloc(1, sizeof(*m));
	memcpy(m->pattern, pattern, length);
	m->code = code;
	m->data = pcre2_match_data_create(1, NULL);
	m->limits = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(m->limits, MATCH_STEPS_MAX);
	pcre2_set_heap_limit(m->limits, HEAP_MAX);
	return m;
}

void match_free(struct match *m)
{
	if (!m)
		return;
	pcre2_match_context_free(m->limits);
	pcre2_match_data_free(m->data);
	pcre2_code_free(m->code);
	mem_free(m);
}

static int match_find(struct match *m, const char *text, size_t length)
{
	return pcre2_match(m->code, (PCRE2_SPTR8)text, length, 0, 0, m->data, m->limits);
}

static bool is_bad_utf8(int error)
{
	return error <= PCRE2_ERROR_UTF8_ERR1 && error >= PCRE2_ERROR_UTF8_ERR21;
}

/* The same on a copy of TEXT with U+FFFD for every invalid byte. */
static int find_repaired(struct match *m, const char *text, size_t length)
{
	char *copy = mem_alloc(3 * length, 1);
	size_t used = 0;
	int found;

	for (size_t at = 0; at < length; ) {
		uint32_t code_point;
		size_t n = utf8_decode(text + at, length - at, &code_point);

		used += utf8_encode(code_point == UINT32_MAX ? REPLACEMENT : code_point,
				    copy + used);
		at += n;
	}
	found = match_find(m, copy, used);
	mem_free(copy);
	return found;
}

bool match_test(struct match *m, const char *text, size_t length)
{
	int found;

	if (m->gave_up)
		return false;
	found = match_find(m, text, length);
	if (is_bad_utf8(found))
		found = find_repaired(m, text, length);
	m->gave_up = found < 0 && found != PCRE2_ERROR_NOMATCH;
	return found >= 0;
}

bool match_held(const struct match *m, struct err *err)
{
	return !m->gave_up ||
	       err_set(err, ERR_INPUT, "regular expression %s: takes more than %d steps on one "
		       "value (expected fewer nested repetitions)", m->pattern,
		       MATCH_STEPS_MAX);
}
