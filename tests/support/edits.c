/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/edits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct whatif *edits_list(const char *first, ...)
{
	struct whatif *w = whatif_new();
	struct err err = { .code = ERR_NONE };
	va_list args;

	va_start(args, first);
	for (const char *text = first; text; text = va_arg(args, const char *)) {
		if (!whatif_add(w, text, &err))
			fail_msg("%s: %s", text, err.message);
	}
	va_end(args);
	return w;
}

struct cluster *edits_apply(struct whatif *w, const struct cluster *base)
{
	struct cluster *c = whatif_apply(w, base);
	struct err err = { .code = ERR_NONE };

	if (!whatif_check(w, &err))
		fail_msg("%s", err.message);
	return c;
}
