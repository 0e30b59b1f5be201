/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/whatif/edits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/near.h"
#include "core/base/timestr.h"
#include "core/cluster/cluster.h"
#include "core/cluster/tres.h"
#include "core/base/unknown.h"
#include "core/base/word.h"

struct edits_part {
	const char *at;
	size_t length;
};

static struct edits_part edits_trimmed(const char *from, const char *to)
{
	while (from < to && word_is_blank(*from))
		from++;
	while (to > from && word_is_blank(to[-1]))
		to--;
	return (struct edits_part){ from, (size_t)(to - from) };
}

/* Is P the first LENGTH bytes of WORD, case ignored? */
static bool edits_equal(struct edits_part p, const char *word, size_t length)
{
	size_t i = 0;

	while (i < p.length && i < length && word_lower(p.at[i]) == word_lower(word[i]))
		i++;
	return i == p.length && i == length;
}

/* The last C in P, NULL if there is none. */
static const char *last_char(struct edits_part p, char c)
{
	for (size_t i = p.length; i-- > 0;) {
		if (p.at[i] == c)
			return p.at + i;
	}
	return NULL;
}

bool edit_unescape(const char *s, size_t length, char *buf, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < length; i++) {
		char hex[3] = "", c = s[i], *end = NULL;

		if (c == '%') {
			if (i + 2 >= length)
				return false;
			hex[0] = s[++i];
			hex[1] = s[++i];
			c = (char)strtoul(hex, &end, 16);
			if (end != hex + 2 || c == '\0')
				return false;
		}
		if (used + 1 >= size)
			return false;
		buf[used++] = c;
	}
	buf[used] = '\0';
	return used > 0;
}

/* ---- values -------------------------------------------------------------------------------- */

static bool edits_read_number(const char *text, double *number)
{
	char *end;

	if (!*text || word_is_blank(*text) || strpbrk(text, "xXpPnN"))	/* no hex, inf, nan */
		return false;
	*number = strtod(text, &end);
	return end != text && *end == '\0' && isfinite(*number);
}

bool edit_duration(const char *text, int64_t *seconds, struct err *err)
{
	static const char units[] = "smhdw";
	static const double factors[] = { 1, 60, 3600, 86400, 7 * 86400 };
	size_t length = strlen(text);
	const char *unit = length > 1 ? strchr(units, text[length - 1]) : NULL;
	char number[40];
	double x;

	if (!unit || length >= sizeof(number))
		return timestr_parse(text, seconds, err);
	memcpy(number, text, length - 1);
	number[length - 1] = '\0';
	if (!edits_read_number(number, &x) || x < 0 || x > 1e12)
		return err_set(err, ERR_INPUT,
			       "\"%.60s\" is not a duration (expected for example 6h, 14d or 14-0)",
			       text);
	*seconds = (int64_t)llround(x * factors[unit - units]);
	return true;
}

static bool edits_in_range(const struct edit *e, struct err *err)
{
	const struct edit_target *t = e->target;
	bool whole = t->type != EDIT_REAL && t->type != EDIT_AMOUNT;

	if (e->number >= t->least && e->number <= t->most &&
	    (!whole || e->number == floor(e->number)))
		return true;
	return err_set(err, ERR_INPUT,
		       "%s: \"%.60s\" is out of range (expected %s from %.15g to %.15g)", t->name,
		       e->value, whole ? "a whole number" : "a number", t->least, t->most);
}

static bool not_a(const struct edit *e, const char *expected, struct err *err)
{
	bool own = e->target->id == EDIT_PARAM && !e->target->param;

	return err_set(err, ERR_INPUT, "%s: cannot read \"%.60s\" (expected %s)",
		       own ? policy_params[e->param].name : e->target->name, e->value, expected);
}

static bool edits_read_points(struct edit *e, struct err *err)
{
	size_t length = strlen(e->value);
	char number[40];

	e->percent = length > 1 && length < sizeof(number) && e->value[length - 1] == '%';
	if (!e->percent) {
		if (!edits_read_number(e->value, &e->number))
			return not_a(e, "points, or a percentage like 70%", err);
		return edits_in_range(e, err);
	}
	memcpy(number, e->value, length - 1);
	number[length - 1] = '\0';
	if (!edits_read_number(number, &e->number) || e->number < 0 || e->number > 100)
		return not_a(e, "a percentage from 0% to 100%", err);
	return true;
}

static bool read_duration(struct edit *e, const char *text, struct err *err)
{
	int64_t seconds = 0;

	if (!edit_duration(text, &seconds, err))
		return false;
	if (seconds == I64_INFINITE)
		return not_a(e, "a finite duration", err);
	e->number = (double)seconds;
	return true;
}

/* "1790000000", "-6h" (earlier), "+2d" (later); of a begin time also "now". */
static bool edits_read_time(struct edit *e, struct err *err)
{
	char sign = e->value[0];

	if (e->target->id == EDIT_JOB_BEGIN && word_equal(e->value, "now")) {
		e->relative = true;
		e->number = 0;
		return true;
	}
	e->relative = sign == '-' || sign == '+';
	if (e->relative) {
		if (!read_duration(e, e->value + 1, err))
			return false;
		e->number = sign == '-' ? -e->number : e->number;
		return true;
	}
	if (!edits_read_number(e->value, &e->number))
		return not_a(e, e->target->id == EDIT_JOB_BEGIN ?
			     "now, Unix seconds, or relative like +6h" :
			     "Unix seconds, or relative like -6h", err);
	return edits_in_range(e, err);
}

static bool read_amount(struct edit *e, struct err *err)
{
	e->relative = e->value[0] == '+';
	if (!edits_read_number(e->value + (e->relative ? 1 : 0), &e->number))
		return not_a(e, "a number, or + and a number", err);
	return edits_in_range(e, err);
}

static bool read_yes_no(struct edit *e, struct err *err)
{
	if (word_equal(e->value, "yes") || word_equal(e->value, "true"))
		e->number = 1;
	else if (word_equal(e->value, "no") || word_equal(e->value, "false"))
		e->number = 0;
	else
		return not_a(e, "yes or no", err);
	return true;
}

bool edit_set_param(const struct edit *e, struct policy *policy, struct err *err)
{
	const struct policy_param *p = &policy_params[e->param];
	size_t length = strlen(e->value);
	int64_t seconds = 0;
	char text[64];

	if (p->type != POLICY_SECONDS || length < 2 || !strchr("smhdw", e->value[length - 1]))
		return policy_set_text(policy, e->param, e->value, err);
	if (!edit_duration(e->value, &seconds, err))
		return false;
	if (p->scheduler == POLICY_OF_SLURM && seconds % 60 != 0)
		return not_a(e, "whole minutes, as in slurm.conf", err);
	policy_set_number(policy, e->param, (uint64_t)seconds);
	if (p->scheduler != POLICY_OF_SLURM)
		return true;
	/* In the form of an export: values that slurmctld cannot hold are refused. */
	policy_value_text(policy, e->param, text, sizeof(text));
	return policy_set_text(policy, e->param, text, err);
}

static bool edits_any_weight(void *context, const struct tres_pair *pair, struct err *err)
{
	(void)context;
	return tres_is_type(pair->name, err);
}

/* By the parameter's own rules; a duration may also have a suffix. */
static bool read_param(struct edit *e, struct err *err)
{
	const struct policy_param *p = &policy_params[e->param];
	struct policy *scratch = mem_alloc(1, sizeof(*scratch));
	char expected[POLICY_EXPECTED_MAX];
	bool ok;

	policy_init(scratch);
	ok = edit_set_param(e, scratch, err);
	if (ok && p->type != POLICY_TEXT)
		e->number = (double)policy_number(scratch, e->param);
	if (ok && scratch->unknown_flags[0])
		ok = not_a(e, "words of PriorityFlags, see fairtop policy", err);
	if (ok && strcmp(p->name, "PriorityWeightTRES") == 0)
		ok = tres_parse_weights(e->value, edits_any_weight, NULL, err);
	if (ok && policy_refused(scratch, e->param, expected, sizeof(expected)))
		ok = not_a(e, expected, err);
	mem_free(scratch);
	return ok;
}

static bool edits_read_value(struct edit *e, struct err *err)
{
	const char *sign = strchr(e->value, '=');

	switch (e->target->type) {
	case EDIT_NUMBER:
	case EDIT_REAL:
		return edits_read_number(e->value, &e->number) ? edits_in_range(e, err)
							 : not_a(e, "a number", err);
	case EDIT_POINTS:
		return edits_read_points(e, err);
	case EDIT_SHARES_OR_PARENT:
		e->parent = word_equal(e->value, "parent");
		if (e->parent)
			return true;
		return edits_read_number(e->value, &e->number) ? edits_in_range(e, err)
							 : not_a(e, "a number, or parent", err);
	case EDIT_AMOUNT:
		return read_amount(e, err);
	case EDIT_DURATION:
		return read_duration(e, e->value, err) && edits_in_range(e, err);
	case EDIT_TIME:
		return edits_read_time(e, err);
	case EDIT_YES_NO:
		return read_yes_no(e, err);
	case EDIT_AS_PARAM:
		return read_param(e, err);
	case EDIT_TEXT:
		break;
	}
	if (e->target->id == EDIT_ALGORITHM && !word_equal(e->value, "depth-oblivious") &&
	    !word_equal(e->value, "classic") && !word_equal(e->value, "fair-tree"))
		return not_a(e, "depth-oblivious, classic or fair-tree", err);
	if (e->target->id == EDIT_SCHEDULE && policy_schedule_by_name(e->value) < 0)
		return not_a(e, POLICY_SCHEDULES, err);
	/* "/a=b = /c": the "=" of a name must not be taken for the one before the value. */
	if (e->target->id == EDIT_PARENT && e->value[0] != '/' && sign && strchr(sign, '/'))
		return not_a(e, "the path of an account", err);
	if (e->target->id == EDIT_BILLING_WEIGHTS)
		return tres_parse_weights(e->value, edits_any_weight, NULL, err);
	return e->value[0] || e->target->id == EDIT_JOB_WORDS ? true : not_a(e, "a value", err);
}

/* ---- targets ------------------------------------------------------------------------------- */

static bool target_unknown(struct edits_part name, struct err *err)
{
	struct near near;
	char hint[200];

	near_init(&near, name.at, name.length);
	for (size_t i = 0; i < edit_targets_count; i++) {
		if (strcmp(edit_targets[i].name, "PARAMETER") != 0)
			near_offer(&near, edit_targets[i].name);
	}
	for (size_t i = 0; i < policy_params_count; i++)
		near_offer(&near, policy_params[i].name);
	near_text(&near, hint, sizeof(hint));
	return err_set(err, ERR_INPUT, "\"%.*s\": unknown target (%s)",
		       (int)(name.length < 100 ? name.length : 100), name.at,
		       hint[0] ? hint : "fairtop-whatif(5) lists what can be tried");
}

/* A parameter's own name, or a short one. */
static bool find_plain(struct edits_part name, struct edit *e)
{
	size_t param = policy_param_by_name(name.at, name.length);

	for (size_t i = 0; i < edit_targets_count; i++) {
		const struct edit_target *t = &edit_targets[i];
		bool by_param = param < policy_params_count && t->param &&
				(t->id == EDIT_PARAM || t->id == EDIT_WEIGHT) &&
				strcmp(t->param, policy_params[param].name) == 0;

		if (t->object != EDIT_OF_NOTHING)
			continue;
		if (!by_param && !edits_equal(name, t->name, strlen(t->name)) &&
		    !(t->id == EDIT_PARAM && !t->param && param < policy_params_count))
			continue;
		if (t->id == EDIT_PARAM && !t->param && param == policy_params_count)
			continue;
		e->target = t;
		e->param = t->param ? policy_param(t->param) : param;
		return true;
	}
	return false;
}

/* "shares:PATH", or with an attribute "job:ID.nice". */
static bool edits_fits(const struct edit_target *t, struct edits_part kind, struct edits_part rest,
		       struct edits_part *object)
{
	const char *colon = strchr(t->name, ':'), *attribute = colon ? strrchr(colon, '.') : NULL;
	const char *dot = last_char(rest, '.');
	struct edits_part tail;

	if (!colon || !edits_equal(kind, t->name, (size_t)(colon - t->name)))
		return false;
	*object = rest;
	if (!attribute)
		return true;
	if (!dot)
		return false;
	tail = (struct edits_part){ dot + 1, (size_t)(rest.at + rest.length - dot - 1) };
	object->length = (size_t)(dot - rest.at);
	return edits_equal(tail, attribute + 1, strlen(attribute + 1));
}

static bool edits_find_target(struct edits_part name, struct edit *e, struct edits_part *object)
{
	const char *colon = name.length ? memchr(name.at, ':', name.length) : NULL;
	struct edits_part kind, rest;

	*object = (struct edits_part){ NULL, 0 };
	e->param = policy_params_count;
	if (!colon)
		return find_plain(name, e);
	kind = (struct edits_part){ name.at, (size_t)(colon - name.at) };
	rest = (struct edits_part){ colon + 1, name.length - kind.length - 1 };
	for (size_t i = 0; i < edit_targets_count; i++) {
		if (edits_fits(&edit_targets[i], kind, rest, object)) {
			e->target = &edit_targets[i];
			return true;
		}
	}
	return false;
}

static bool check_object(const char *object, const struct edit_target *t, struct err *err)
{
	struct job_name name;

	if (!*object)
		return err_set(err, ERR_INPUT, "%s: no object (expected %s)", t->name, t->name);
	if (t->object != EDIT_OF_JOB || job_name_read(object, &name))
		return true;
	return err_set(err, ERR_INPUT,
		       "%s: \"%.60s\" is not a job (expected a number, or NUMBER_TASK)", t->name,
		       object);
}

/* Would P, after a blank, begin a comment in a what-if file? */
static bool holds_comment(struct edits_part p)
{
	for (size_t i = 0; i < p.length; i++) {
		if (p.at[i] == '#' && (i == 0 || word_is_blank(p.at[i - 1])))
			return true;
	}
	return false;
}

/* Parses with the target ending at SIGN. */
static bool parse_at(const char *text, const char *sign, struct edit *edit, struct err *err)
{
	struct edits_part name = edits_trimmed(text, sign),
			  value = edits_trimmed(sign + 1, text + strlen(text));
	struct edit e = { .target = NULL };
	struct edits_part object;

	if (!edits_find_target(name, &e, &object))
		return target_unknown(name, err);
	if (holds_comment(name) || holds_comment(value))
		return err_set(err, ERR_INPUT, "%s: a # starts a comment here (expected %%23)",
			       e.target->name);
	e.object = e.target->object == EDIT_OF_NOTHING ? NULL :
		   word_path(object.at, object.length);
	e.value = mem_strndup(value.at, value.length);
	if ((e.object && !check_object(e.object, e.target, err)) || !edits_read_value(&e, err)) {
		edit_free(&e);
		return false;
	}
	*edit = e;
	return true;
}

bool edit_parse(const char *text, struct edit *edit, struct err *err)
{
	const char *sign = strchr(text, '=');

	if (!sign)
		return err_set(err, ERR_INPUT, "\"%.100s\": not an edit (expected TARGET = VALUE)",
			       text);
	if (parse_at(text, sign, edit, err))
		return true;
	while ((sign = strchr(sign + 1, '='))) {
		if (parse_at(text, sign, edit, NULL))
			return true;
	}
	return false;
}

void edit_free(struct edit *edit)
{
	mem_free(edit->object);
	mem_free(edit->value);
	edit->object = edit->value = NULL;
}

size_t edit_text(const struct edit *e, char *buf, size_t size)
{
	const char *name = e->target->name, *colon = strchr(name, ':');
	const char *dot = colon ? strrchr(colon, '.') : NULL;
	int length;

	if (!colon) {
		if (e->target->id == EDIT_PARAM && !e->target->param)
			name = policy_params[e->param].name;
		length = snprintf(buf, size, "%s = %s", name, e->value);
	} else {
		length = snprintf(buf, size, "%.*s:%s%s = %s", (int)(colon - name), name, e->object,
				  dot ? dot : "", e->value);
	}
	return length > 0 ? (size_t)length : 0;
}

bool edit_same_target(const struct edit *a, const struct edit *b)
{
	if (a->target != b->target)
		return false;
	if (a->object && b->object)
		return strcmp(a->object, b->object) == 0;
	return a->param == b->param;
}
