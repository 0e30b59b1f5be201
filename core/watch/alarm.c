/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/watch/alarm.h"

#include <math.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/near.h"
#include "core/base/text.h"
#include "core/base/timeword.h"
#include "core/base/word.h"
#include "core/cluster/idmap.h"

#define EXPECTED "(expected %sVIEW EXPRESSION [until EXPRESSION] [for 30m])"

/* ---- reading -------------------------------------------------------------------------------- */

static const char *skip_blanks(const char *s)
{
	while (word_is_blank(*s))
		s++;
	return s;
}

/* The end of the word that S begins with; "..." and '...' are parts of words, as in filters. */
static const char *skip_word(const char *s)
{
	char quote = '\0';

	for (; *s && (quote || !word_is_blank(*s)); s++) {
		if (quote && *s == '\\' && s[1])
			s++;
		else if (*s == quote)
			quote = '\0';
		else if (!quote && (*s == '"' || *s == '\''))
			quote = *s;
	}
	return s;
}

/* The last occurrence of WORD as a word of S, from FROM on; NULL. */
static const char *find_word(const char *s, const char *word)
{
	const char *found = NULL, *end;

	for (s = skip_blanks(s); *s; s = skip_blanks(end)) {
		end = skip_word(s);
		if (word_equal_n(s, (size_t)(end - s), word))
			found = s;
	}
	return found;
}

static bool view_unknown(const char *name, size_t length, const struct alarm_view *views,
			 size_t count, struct err *err)
{
	char hint[160];
	struct near near;

	near_init(&near, name, length);
	for (size_t i = 0; i < count; i++)
		near_offer(&near, views[i].name);
	near_text(&near, hint, sizeof(hint));
	if (!hint[0]) {
		for (size_t i = 0; i < count; i++)
			format_append(hint, sizeof(hint), "%s%s", i == 0 ? "expected " :
				      i + 1 < count ? ", " : " or ", views[i].name);
	}
	return err_set(err, ERR_INPUT, "%.*s: no such view (%s)", (int)length, name, hint);
}

static struct filter *parse_expression(const struct alarm_view *v, const char *text, size_t length,
				       struct err *err)
{
	char *copy = mem_strndup(text, length);
	struct filter *f = NULL;

	if (!*skip_blanks(copy))
		err_set(err, ERR_INPUT, "an expression is missing " EXPECTED, "");
	else
		f = filter_parse(copy, v->columns, *v->column_count, err);
	mem_free(copy);
	return f;
}

/* Parses what follows the view. */
static bool parse_rest(const char *text, struct alarm_rule *out, struct err *err)
{
	const char *wait = find_word(text, "for"), *end = wait ? wait : text + strlen(text);
	const char *until;
	double seconds;

	if (wait) {
		const char *time = skip_blanks(wait + 3), *behind = skip_word(time);
		char *copy = mem_strndup(time, (size_t)(behind - time));
		bool ok = timeword_duration(copy, &seconds) && seconds <= 366 * 86400.0 &&
			  !*skip_blanks(behind);

		mem_free(copy);
		if (!ok)
			return err_set(err, ERR_INPUT, "%s: not a time (expected at the end for "
				       "example: for 30m)", wait);
		out->wait = (int64_t)ceil(seconds);
	}
	until = find_word(text, "until");
	if (until && until < end)
		out->until = parse_expression(out->view, until + 5, (size_t)(end - until) - 5, err);
	if (until && until < end && !out->until)
		return false;
	if (!until || until > end)
		until = end;
	out->begin = parse_expression(out->view, text, (size_t)(until - text), err);
	return out->begin != NULL;
}

bool alarm_rule_parse(const char *text, bool colon, const struct alarm_view *views,
		      size_t view_count, struct alarm_rule *out, struct err *err)
{
	const char *name = skip_blanks(text), *view, *end;
	size_t length = colon ? strcspn(name, ":") : (size_t)(skip_word(name) - name), i = 0;

	*out = (struct alarm_rule){ .wait = 0 };
	if (length == 0 || (colon && !name[length]))
		return err_set(err, ERR_INPUT, "%s: no name " EXPECTED, text,
			       colon ? "NAME: " : "NAME ");
	if (length >= sizeof(out->name))
		return err_set(err, ERR_INPUT, "%.*s: the name is longer than %d bytes",
			       (int)length, name, ALARM_NAME_MAX - 1);
	memcpy(out->name, name, length);
	view = skip_blanks(name + length + colon);
	end = skip_word(view);
	while (i < view_count && !word_equal_n(view, (size_t)(end - view), views[i].name))
		i++;
	if (!*view)
		err_set(err, ERR_INPUT, "a view is missing " EXPECTED, "");
	else if (i == view_count)
		view_unknown(view, (size_t)(end - view), views, view_count, err);
	out->view = &views[i];
	if (*view && i < view_count && parse_rest(end, out, err)) {
		out->text = mem_strdup(view);
		return true;
	}
	err_prefix(err, "%s", out->name);
	alarm_rule_free(out);
	return false;
}

static void row_free(struct alarm_row *row)
{
	mem_free(row->object);
}

void alarm_rule_free(struct alarm_rule *r)
{
	filter_free(r->begin);
	filter_free(r->until);
	for (size_t i = 0; i < r->count; i++)
		row_free(&r->rows[i]);
	mem_free(r->rows);
	mem_free(r->text);
	*r = (struct alarm_rule){ .wait = 0 };
}

/* ---- evaluation ----------------------------------------------------------------------------- */

char *alarm_object(const struct alarm_view *v, const struct view *view, uint32_t row)
{
	char text[2048];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < 3 && v->identity[i] && used + 2 < sizeof(text); i++) {
		const struct column *column = column_find(view->columns, view->column_count,
							  v->identity[i], strlen(v->identity[i]));
		struct value value;

		column_get(column, view->context, row, &value);
		if (value.kind == VALUE_UNKNOWN)
			continue;
		if (used > 0)
			text[used++] = ' ';
		used += format_cell(column, &value, NULL, text + used, sizeof(text) - used);
	}
	return mem_strdup(text);
}

static struct alarm_row *row_find(struct alarm_rule *r, const struct idmap *rows, uint64_t hash,
				  const char *object)
{
	size_t at = 0;
	uint32_t i;

	while ((i = idmap_next(rows, hash, &at)) != ROW_NONE) {
		if (strcmp(r->rows[i].object, object) == 0)
			return &r->rows[i];
	}
	return NULL;
}

/* Marks ROW of VIEW as holding. BEGINS false: this keeps an alarm on, but does not begin one. */
static void row_holds(struct alarm_rule *r, struct idmap *rows, const struct view *view,
		      uint32_t row, bool begins, int64_t now)
{
	char *object = alarm_object(r->view, view, row);
	uint64_t hash = text_hash(object, strlen(object), 0);
	struct alarm_row *have = row_find(r, rows, hash, object);

	if (have && (begins || have->on))
		have->seen = true;
	if (have || !begins) {
		mem_free(object);
		return;
	}
	MEM_GROW(r->rows, r->capacity, r->count + 1);
	idmap_add(rows, hash, (uint32_t)r->count);
	r->rows[r->count++] = (struct alarm_row){ .object = object, .since = now,
						  .over = I64_UNKNOWN, .seen = true };
}

/* Begins or ends the row's alarm, if due. True: the row can be removed. */
static bool row_evaluate(const struct alarm_rule *r, struct alarm_row *row, int64_t now,
			 alarm_tell *tell, void *context)
{
	bool ended;

	if (row->seen) {
		row->over = I64_UNKNOWN;
		if (row->on || now - row->since < r->wait)
			return false;
		row->on = true;
		row->since = now;
		tell(context, r, row, now);
		return false;
	}
	if (!row->on)
		return true;
	if (row->over == I64_UNKNOWN)
		row->over = now;
	ended = now - row->over >= r->wait;
	if (ended) {
		row->on = false;
		tell(context, r, row, now);
	}
	return ended;
}

bool alarm_look(struct alarm_rule *r, const struct view *view, int64_t now, alarm_tell *tell,
		void *context, struct err *err)
{
	struct idmap rows = { .size = 0 };
	size_t kept = 0, on = alarm_count(r);

	for (size_t i = 0; i < r->count; i++) {
		const char *object = r->rows[i].object;

		r->rows[i].seen = false;
		idmap_add(&rows, text_hash(object, strlen(object), 0), (uint32_t)i);
	}
	for (uint32_t row = 0; row < view->rows; row++) {
		bool begins = filter_match(r->begin, view, row);

		if (begins || (r->until && on > 0 && !filter_match(r->until, view, row)))
			row_holds(r, &rows, view, row, begins, now);
	}
	idmap_free(&rows);
	if (!filter_held(r->begin, err) || !filter_held(r->until, err))
		return false;
	for (size_t i = 0; i < r->count; i++) {
		if (row_evaluate(r, &r->rows[i], now, tell, context))
			row_free(&r->rows[i]);
		else
			r->rows[kept++] = r->rows[i];
	}
	r->count = kept;
	return true;
}

void alarm_set_back(struct alarm_rule *r, int64_t seconds)
{
	for (size_t i = 0; i < r->count; i++) {
		struct alarm_row *row = &r->rows[i];

		row->since -= seconds;
		row->over -= row->over != I64_UNKNOWN ? seconds : 0;
	}
}

size_t alarm_count(const struct alarm_rule *r)
{
	size_t count = 0;

	for (size_t i = 0; i < r->count; i++)
		count += r->rows[i].on;
	return count;
}
