/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/classes/class_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/word.h"

#define CHUNK_MAX 64		/* resources of one chunk */

/* "[[H:]M:]S" with digits and colons only. */
static bool class_read_time(const char *s, size_t length, double *seconds)
{
	size_t colons = 0, digits = 0;
	double part = 0;

	*seconds = 0;
	for (size_t i = 0; i < length; i++) {
		if (s[i] == ':') {
			if (digits == 0 || ++colons > 3)
				return false;
			*seconds = (*seconds + part) * 60;
			part = 0;
			digits = 0;
		} else if (word_is_digit(s[i])) {
			part = part * 10 + (s[i] - '0');
			digits++;
		} else {
			return false;
		}
	}
	*seconds += part;
	return colons != 0 && digits != 0;
}

/* Bytes of "kb", "mw", ... (w: words of 8 bytes); -1 if it is no unit. */
static double unit_of(const char *s, size_t length)
{
	static const char letters[] = "bkmgtp";
	const char *at;
	double bytes = 1;

	if (length == 0 || length > 2)
		return -1;
	at = strchr(letters, word_lower(s[0]));
	if (length == 1 && word_lower(s[0]) == 'w')
		return 8;
	if (!at || (length == 2 && word_lower(s[1]) != 'b' && word_lower(s[1]) != 'w') ||
	    (length == 2 && at == letters))
		return -1;
	for (long i = 0; i < at - letters; i++)
		bytes *= 1024;
	return length == 2 && word_lower(s[1]) == 'w' ? bytes * 8 : bytes;
}

static size_t class_put(char *buf, size_t size, const char *text, size_t length)
{
	if (size > 0) {
		size_t n = length < size ? length : size - 1;

		memcpy(buf, text, n);
		buf[n] = '\0';
	}
	return length;
}

size_t class_value(const char *text, size_t length, char *buf, size_t size)
{
	char number[64], *end;
	double x, unit;

	if (word_equal_n(text, length, "true") || word_equal_n(text, length, "false"))
		return class_put(buf, size, word_lower(text[0]) == 't' ? "True" : "False",
				 word_lower(text[0]) == 't' ? 4 : 5);
	if (class_read_time(text, length, &x))
		return (size_t)snprintf(buf, size, "%.17g", x);
	if (length == 0 || length >= sizeof(number) || (!word_is_digit(text[0]) && text[0] != '-'))
		return class_put(buf, size, text, length);
	memcpy(number, text, length);
	number[length] = '\0';
	if (strcspn(number, "xX") < length)
		return class_put(buf, size, text, length);
	x = strtod(number, &end);
	if (*end == '\0')
		return (size_t)snprintf(buf, size, "%.17g", x);
	unit = unit_of(end, strlen(end));
	if (end == number || unit < 0)
		return class_put(buf, size, text, length);
	return (size_t)snprintf(buf, size, "%.17g", x * unit);
}

/* ---- select ---------------------------------------------------------------------------------- */

struct piece {
	const char *text;
	size_t length, name;	/* NAME: bytes before the = */
};

static int class_by_name(const void *left, const void *right)
{
	const struct piece *a = left, *b = right;
	size_t n = a->name < b->name ? a->name : b->name;
	int order = memcmp(a->text, b->text, n);

	return order != 0 ? order : a->name < b->name ? -1 : a->name > b->name;
}

static bool class_counts(const struct class_filter *f, const char *name, size_t length)
{
	if (f->none || (f->only && !word_listed(f->only, name, length)))
		return false;
	return !(f->without && word_listed(f->without, name, length));
}

struct class_out {
	char *buf;
	size_t size, used;
};

static void class_add(struct class_out *o, const char *text, size_t length)
{
	o->used += class_put(o->buf + (o->used < o->size ? o->used : o->size),
			     o->used < o->size ? o->size - o->used : 0, text, length);
}

/* Length up to one of STOPS outside quotes. */
static size_t span_until(const char *s, size_t length, const char *stops)
{
	char quote = 0;
	size_t i = 0;

	for (; i < length; i++) {
		if (quote)
			quote = s[i] == quote ? 0 : quote;
		else if (s[i] == '"' || s[i] == '\'')
			quote = s[i];
		else if (strchr(stops, s[i]))
			break;
	}
	return i;
}

static void add_chunk(struct class_out *o, const char *s, size_t length,
		      const struct class_filter *f)
{
	struct piece pieces[CHUNK_MAX];
	size_t count = 0, first = span_until(s, length, ":");
	char value[CLASS_VALUE_MAX];

	if (first > 0 && word_is_digit(s[0]) && !memchr(s, '=', first)) {
		size_t n = class_value(s, first, value, sizeof(value));

		class_add(o, value, n);
	} else {
		class_add(o, "1", 1);
		first = 0;
	}
	for (size_t at = first; at < length && count < CHUNK_MAX;) {
		struct piece p;

		at += s[at] == ':';
		p.text = s + at;
		p.length = span_until(p.text, length - at, ":");
		p.name = span_until(p.text, p.length, "=");
		if (p.length != 0 && class_counts(f, p.text, p.name))
			pieces[count++] = p;
		at += p.length;
	}
	qsort(pieces, count, sizeof(*pieces), class_by_name);
	for (size_t i = 0; i < count; i++) {
		size_t head = pieces[i].name + (pieces[i].name < pieces[i].length);
		size_t n = class_value(pieces[i].text + head, pieces[i].length - head, value,
				       sizeof(value));

		class_add(o, ":", 1);
		class_add(o, pieces[i].text, head);
		class_add(o, value, n < sizeof(value) ? n : sizeof(value) - 1);
	}
}

void class_select(const char *select, const struct class_filter *filter, char *buf, size_t size)
{
	struct class_out o = { buf, size, 0 };
	size_t length = strlen(select);

	class_put(buf, size, "", 0);
	for (size_t at = 0; at < length;) {
		size_t n = span_until(select + at, length - at, "+");

		if (at > 0)
			class_add(&o, "+", 1);
		add_chunk(&o, select + at, n, filter);
		at += n + 1;
	}
}

void class_exec_vnode(const char *exec_vnode, char *buf, size_t size)
{
	struct class_out o = { buf, size, 0 };

	class_put(buf, size, "", 0);
	while (*exec_vnode) {
		size_t n;

		exec_vnode += strspn(exec_vnode, "()+");
		n = strcspn(exec_vnode, "()+");
		if (n == 0)
			break;
		class_add(&o, o.used ? "+1:vnode=" : "1:vnode=", o.used ? 9 : 8);
		class_add(&o, exec_vnode, n);
		exec_vnode += n;
	}
}

/* ---- place ----------------------------------------------------------------------------------- */

void class_place(const char *place, char *buf, size_t size)
{
	static const char *const arrangements[] = { "free", "pack", "scatter", "vscatter" };
	static const char *const flags[] = { "excl", "exclhost", "shared" };
	const char *arrangement = "free", *group = "";
	bool set[3] = { false };
	size_t group_length = 0;

	while (*place) {
		size_t n = strcspn(place, ":");

		for (size_t i = 0; i < 4; i++) {
			if (word_equal_n(place, n, arrangements[i]))
				arrangement = arrangements[i];
		}
		for (size_t i = 0; i < 3; i++)
			set[i] = set[i] || word_equal_n(place, n, flags[i]);
		if (n > 6 && strncmp(place, "group=", 6) == 0) {
			group = place;
			group_length = n;
		}
		place += n + (place[n] == ':');
	}
	(void)snprintf(buf, size, "%s%s%s%s%s%.*s", arrangement, set[0] ? ":excl" : "",
		       set[1] ? ":exclhost" : "", set[2] ? ":shared" : "", group_length ? ":" : "",
		       (int)group_length, group);
}

/* ---- for people ------------------------------------------------------------------------------ */

static bool class_ends_with(const char *name, size_t length, const char *end)
{
	size_t n = strlen(end);

	return length >= n && memcmp(name + length - n, end, n) == 0;
}

void class_shown(const char *name, size_t name_length, const char *value, size_t length, char *buf,
		 size_t size)
{
	static const char *const units[] = { "b", "kb", "mb", "gb", "tb", "pb" };
	bool digits = length > 0 && length < 19;
	unsigned long long x = 0;
	size_t unit = 0;

	for (size_t i = 0; i < length; i++) {
		digits = digits && value[i] >= '0' && value[i] <= '9';
		x = digits ? x * 10 + (unsigned)(value[i] - '0') : x;
	}
	if (digits && (class_ends_with(name, name_length, "walltime") ||
		       class_ends_with(name, name_length, "cput"))) {
		(void)snprintf(buf, size, "%02llu:%02llu:%02llu", x / 3600, x / 60 % 60, x % 60);
	} else if (digits && x > 0 && class_ends_with(name, name_length, "mem")) {
		for (; x % 1024 == 0 && unit + 1 < sizeof(units) / sizeof(units[0]); unit++)
			x /= 1024;
		(void)snprintf(buf, size, "%llu%s", x, units[unit]);
	} else {
		(void)snprintf(buf, size, "%.*s", (int)length, value);
	}
}

void class_select_shown(const char *select, char *buf, size_t size)
{
	char value[256];
	size_t used = 0;

	if (size > 0)
		buf[0] = '\0';
	while (*select && used < size) {
		size_t n = strcspn(select, ":+"), name = strcspn(select, "=:+");
		bool more = select[n] != '\0';

		if (name < n && n - name < sizeof(value))
			class_shown(select, name, select + name + 1, n - name - 1, value,
				    sizeof(value));
		else
			name = n;
		used += (size_t)snprintf(buf + used, size - used, "%.*s%s%s%.1s", (int)name, select,
					 name < n ? "=" : "", name < n ? value : "",
					 more ? select + n : "");
		select += n + more;
	}
}
