/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/base/explain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"

void explain_init(struct explain *e)
{
	*e = (struct explain){ NULL, 0, 0 };
}

void explain_free(struct explain *e)
{
	mem_free(e->steps);
	explain_init(e);
}

struct explain_digits explain_number(double x)
{
	struct explain_digits d = { "unknown" };

	if (!isnan(x))
		value_print_double(x, d.s);
	return d;
}

struct explain_reported explain_reported(const struct explain_step *s)
{
	struct explain_reported reported = { "" };

	/* A reported value has no numbers before it. */
	if (!isnan(s->reported) && !(s->reported == s->value && !s->with[0]))
		snprintf(reported.s, sizeof(reported.s), "reported: %s%s",
			 explain_number(s->reported).s,
			 s->origin == VALUE_DIFFERS ? ", differs more than its digits allow" : "");
	return reported;
}

struct explain_step *explain_add(struct explain *e, const char *name, double value,
				 const char *formula)
{
	struct explain_step *s;

	MEM_GROW(e->steps, e->capacity, e->count + 1);
	s = &e->steps[e->count++];
	memset(s, 0, sizeof(*s));
	snprintf(s->name, sizeof(s->name), "%s", name);
	snprintf(s->formula, sizeof(s->formula), "%s", formula ? formula : "");
	s->value = value;
	s->reported = F64_UNKNOWN;
	return s;
}

void explain_formula(struct explain_step *s, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(s->formula, sizeof(s->formula), format, ap);
	va_end(ap);
}

void explain_with(struct explain_step *s, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(s->with, sizeof(s->with), format, ap);
	va_end(ap);
}

void explain_note(struct explain_step *s, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(s->note, sizeof(s->note), format, ap);
	va_end(ap);
}
