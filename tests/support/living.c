/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/living.h"

struct demo_options living_options(const char *text)
{
	struct demo_options options;
	struct err err = { 0 };

	if (!demo_options_parse(text, &options, &err))
		fail_msg("%s: %s", text, err.message);
	return options;
}

struct demo *living_new(const char *text)
{
	struct demo_options options = living_options(text);

	return demo_new(&options);
}

struct cluster *living_picture(const struct demo *d)
{
	struct err err = { 0 };
	struct cluster *c = demo_picture(d, &err);

	if (!c)
		fail_msg("%s", err.message);
	return c;
}

struct cluster *living_first(const char *text)
{
	struct demo *d = living_new(text);
	struct cluster *c = living_picture(d);

	demo_free(d);
	return c;
}
