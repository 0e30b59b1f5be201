/* SPDX-License-Identifier: GPL-2.0-or-later */
/* #if time(5:16:30-1:8:30 20:00-8:30) && !time(12-13) */
#include "adapters/lsf/conf.h"
#include "core/base/word.h"

#define WEEK (7 * 24 * 60)
#define DAY (24 * 60)
#define DEPTH_MAX 32

struct cond_parser {
	struct slice rest;
	const struct lsf_when *when;
	unsigned depth;
	struct err *err;
};

static bool cond_parse_or(struct cond_parser *p, bool *is);

static bool cond_take(struct cond_parser *p, const char *word)
{
	p->rest = slice_trim(p->rest);
	return slice_take(&p->rest, word);
}

static bool cond_fail(struct cond_parser *p)
{
	return err_set(p->err, ERR_INPUT, "#if %.*s: not understood here (expected for example "
		       "time(8:30-18:30))", SLICE_PRINT(p->rest));
}

/* "5:16:30": *MINUTE of the day, *DAY 0 Sunday ... 6, -1 for every day. */
static bool parse_time(struct slice text, int *day, int *minute)
{
	int numbers[3], n = 0;
	size_t i = 0;

	while (n < 3 && i < text.length && word_is_digit(text.at[i])) {
		int x = 0;

		for (; i < text.length && word_is_digit(text.at[i]) && x < 100; i++)
			x = x * 10 + (text.at[i] - '0');
		numbers[n++] = x;
		if (i == text.length || text.at[i] != ':')
			break;
		i++;
	}
	if (n == 0 || i != text.length || text.at[i - 1] == ':')
		return false;
	*day = n == 3 ? numbers[0] % 7 : -1;
	*minute = (n == 3 ? numbers[1] : numbers[0]) * 60;
	*minute += n == 3 ? numbers[2] : n == 2 ? numbers[1] : 0;
	return *minute <= DAY && (n < 3 || numbers[0] <= 7);
}

/* A window whose end is before its beginning spans midnight, or the end of the week. */
static bool cond_inside(int from, int to, int now)
{
	return from <= to ? now >= from && now < to : now >= from || now < to;
}

static bool parse_window(struct slice text, const struct lsf_when *when, bool *is)
{
	struct slice from, to = text;
	int days[2], minutes[2];

	if (!slice_piece(&to, '-', &from) || !parse_time(from, &days[0], &minutes[0]) ||
	    !parse_time(to, &days[1], &minutes[1]) || (days[0] < 0) != (days[1] < 0))
		return false;
	if (days[0] < 0)
		*is |= cond_inside(minutes[0], minutes[1], when->minute);
	else
		*is |= cond_inside((days[0] * DAY + minutes[0]) % WEEK,
				   (days[1] * DAY + minutes[1]) % WEEK,
				   when->weekday * DAY + when->minute);
	return true;
}

static bool parse_windows(struct cond_parser *p, bool *is)
{
	struct slice inner, word;
	unsigned windows = 0;
	size_t end = 0;

	while (end < p->rest.length && p->rest.at[end] != ')')
		end++;
	inner = (struct slice){ p->rest.at, end };
	if (end == p->rest.length)
		return cond_fail(p);
	*is = false;
	while (slice_word(&inner, &word)) {
		if (parse_window(word, p->when, is))
			windows++;
		else if (windows == 0 || word_is_digit(word.at[0]))
			return cond_fail(p);
	}
	p->rest = slice_from(p->rest, end + 1);
	return windows > 0 || cond_fail(p);
}

static bool parse_one(struct cond_parser *p, bool *is)
{
	bool good;

	if (p->depth == DEPTH_MAX)
		return cond_fail(p);
	p->depth++;
	if (cond_take(p, "!")) {
		good = parse_one(p, is);
		*is = !*is;
	} else if (cond_take(p, "time")) {
		good = cond_take(p, "(") ? parse_windows(p, is) : cond_fail(p);
	} else if (cond_take(p, "(")) {
		good = cond_parse_or(p, is) && (cond_take(p, ")") || cond_fail(p));
	} else {
		good = cond_fail(p);
	}
	p->depth--;
	return good;
}

static bool cond_parse_and(struct cond_parser *p, bool *is)
{
	bool other = false;

	if (!parse_one(p, is))
		return false;
	while (cond_take(p, "&&")) {
		if (!parse_one(p, &other))
			return false;
		*is = *is && other;
	}
	return true;
}

static bool cond_parse_or(struct cond_parser *p, bool *is)
{
	bool other = false;

	if (!cond_parse_and(p, is))
		return false;
	while (cond_take(p, "||")) {
		if (!cond_parse_and(p, &other))
			return false;
		*is = *is || other;
	}
	return true;
}

bool lsf_condition(struct slice expression, const struct lsf_when *when, bool *is, struct err *err)
{
	struct cond_parser p = { expression, when, 0, err };

	*is = false;
	if (!cond_parse_or(&p, is))
		return false;
	return slice_trim(p.rest).length == 0 || cond_fail(&p);
}
