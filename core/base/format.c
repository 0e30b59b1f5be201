/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/format.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends to BUF and counts the length of the whole text. */
struct format_out {
	char *buf;
	size_t size, length;
};

static void format_add(struct format_out *out, const char *text)
{
	size_t n = strlen(text);

	if (out->length < out->size) {
		size_t room = out->size - out->length - 1;
		size_t part = n < room ? n : room;

		memcpy(out->buf + out->length, text, part);
		out->buf[out->length + part] = '\0';
	}
	out->length += n;
}

static size_t format_printf(char *buf, size_t size, const char *format, ...) ERR_PRINTF(3, 4);

static size_t format_printf(char *buf, size_t size, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(buf, size, format, args);
	va_end(args);
	return n > 0 ? (size_t)n : 0;
}

void format_append(char *text, size_t size, const char *format, ...)
{
	size_t used = strlen(text);
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text + used, size - used, format, args);
	va_end(args);
}

static size_t format_text(const char *text, char *buf, size_t size)
{
	struct format_out out = { .buf = buf, .size = size };

	format_add(&out, text);
	return out.length;
}

size_t format_si(double x, unsigned decimals, char *buf, size_t size)
{
	static const char suffixes[] = " kMGTPE";
	/* 999.996 with two decimals is 1.00k, not 1000.00. */
	double limit = 1000.0 - 0.5 * pow(10.0, -(double)decimals);
	size_t i = 0;

	if (!isfinite(x))
		return format_printf(buf, size, "%s ", isnan(x) ? FORMAT_UNKNOWN :
				     x > 0 ? "inf" : "-inf");
	while (fabs(x) >= limit && suffixes[i + 1] != '\0') {
		x /= 1000.0;
		i++;
	}
	return format_printf(buf, size, "%.*f%c", (int)decimals, x, suffixes[i]);
}

size_t format_grouped(double x, char *buf, size_t size)
{
	char digits[400], text[540];	/* the largest double has 309 */
	size_t used = 0, n;

	if (!isfinite(x))
		return format_printf(buf, size, "%s", isnan(x) ? FORMAT_UNKNOWN :
				     x > 0 ? "inf" : "-inf");
	n = format_printf(digits, sizeof(digits), "%.0f", fabs(x));
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && (n - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = digits[i];
	}
	text[used] = '\0';
	return format_printf(buf, size, "%s%s", x <= -0.5 ? "-" : "", text);
}

size_t format_time(int64_t time, const struct calendar *local, char *buf, size_t size)
{
	struct civil c;

	if (!local || !local->to_local(local->context, time, &c))
		return format_printf(buf, size, "%lld", (long long)time);
	return format_printf(buf, size, "%04d-%02d-%02d %02d:%02d:%02d", c.year, c.month, c.day,
			     c.hour, c.minute, c.second);
}

/* A difference may be negative. */
static size_t format_duration(int64_t seconds, char *buf, size_t size)
{
	char text[64];

	if (seconds >= 0 || seconds == I64_UNKNOWN)
		return timestr_format(seconds, buf, size);
	timestr_format(-seconds, text, sizeof(text));
	return format_printf(buf, size, "-%s", text);
}

static size_t format_real(const struct column *column, double x, char *buf, size_t size)
{
	char digits[32];

	if (isnan(x))
		return format_text(FORMAT_UNKNOWN, buf, size);
	switch (column->format) {
	case COLUMN_RATIO:
		if (fabs(x) <= 0.5 * pow(10, -(int)column->decimals))
			x = 0;		/* no "-0" */
		return format_printf(buf, size, "%.*f", (int)column->decimals, x);
	case COLUMN_SI:
		return format_si(x, column->decimals, buf, size);
	case COLUMN_DURATION:
		if (fabs(x) < 9e15)
			return format_duration((int64_t)llround(x), buf, size);
		break;
	case COLUMN_TIME:
	case COLUMN_PLAIN:
		break;
	}
	if (column->decimals > 0 && isfinite(x))
		return format_printf(buf, size, "%.*g", (int)column->decimals, x);
	value_print_double(x, digits);
	return format_text(digits, buf, size);
}

static size_t format_integer(const struct column *column, int64_t n, const struct calendar *local,
			     char *buf, size_t size)
{
	switch (column->format) {
	case COLUMN_DURATION:
		return format_duration(n, buf, size);
	case COLUMN_TIME:
		return format_time(n, local, buf, size);
	case COLUMN_SI:
		return format_si((double)n, column->decimals, buf, size);
	case COLUMN_RATIO:
	case COLUMN_PLAIN:
		break;
	}
	return format_printf(buf, size, "%lld", (long long)n);
}

static size_t format_entries(const struct value *v, char *buf, size_t size)
{
	struct format_out out = { .buf = buf, .size = size };
	char digits[32];

	if (size > 0)
		buf[0] = '\0';
	for (uint32_t i = 0; i < v->count; i++) {
		const struct value_entry *e = &v->entries[i];

		/* Unknown entries are left out. */
		if (v->kind == VALUE_MAP && !e->text && !f64_known(e->number))
			continue;
		if (v->kind == VALUE_RECORDS && !e->begins)
			continue;
		if (out.length > 0)
			format_add(&out, v->kind == VALUE_RECORDS ? "; " : ",");
		if (v->kind == VALUE_MAP && !e->bare) {
			format_add(&out, e->key);
			format_add(&out, "=");
		}
		if (!e->text)
			value_print_double(e->number, digits);
		format_add(&out, e->shown ? e->shown : e->text ? e->text : digits);
	}
	return out.length;
}

size_t format_cell(const struct column *column, const struct value *v, const struct calendar *local,
		   char *buf, size_t size)
{
	switch (v->kind) {
	case VALUE_UNKNOWN:
		if (v->why)
			return format_text(v->why, buf, size);
		break;
	case VALUE_INT:
		return format_integer(column, v->integer, local, buf, size);
	case VALUE_REAL:
		return format_real(column, v->real, buf, size);
	case VALUE_TEXT:
		return format_text(v->text, buf, size);
	case VALUE_BOOL:
		return format_text(v->integer ? "yes" : "no", buf, size);
	case VALUE_MAP:
	case VALUE_LIST:
	case VALUE_RECORDS:
		return format_entries(v, buf, size);
	}
	/* A blank in place of the suffix keeps the column aligned. */
	return format_text(column->format == COLUMN_SI ? FORMAT_UNKNOWN " " : FORMAT_UNKNOWN, buf,
			   size);
}
