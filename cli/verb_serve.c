/* SPDX-License-Identifier: GPL-2.0-or-later */
/* serve: this side of ssh:HOST/SOURCE. */
#include <stdio.h>

#include "adapters/registry/apart.h"
#include "adapters/serve.h"
#include "cli/verbs.h"

int verb_serve(const struct options *o)
{
	struct err err = { .code = ERR_NONE };
	struct source *s;
	int code;

	if (apart_is_saved(o->source))
		apart_shut_in(o->source, NULL, NULL);
	s = source_open(o->source, &err);
	if (!s) {
		fprintf(stderr, "fairtop: %s\n", err.message);
		return (int)err.code;
	}
	code = serve_source(s);
	source_close(s);
	return code;
}
