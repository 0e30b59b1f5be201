/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Apart from serve.c: programs that serve a source of their own need not link all there are. */
#include "adapters/serve.h"

#include <stdio.h>

int serve_main(const char *spec)
{
	struct err err = { .code = ERR_NONE };
	struct source *s = source_open(spec, &err);
	int code;

	if (!s) {
		fprintf(stderr, "fairtop: %s\n", err.message);
		return (int)err.code;
	}
	code = serve_source(s);
	source_close(s);
	return code;
}
