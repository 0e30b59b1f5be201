/* SPDX-License-Identifier: GPL-2.0-or-later */
/* serve: the remote side of ssh:HOST/SOURCE. */
#include <stdlib.h>
#include <unistd.h>

#include "adapters/registry/apart.h"
#include "adapters/serve.h"
#include "cli/verbs.h"
#include "tui/base/complain.h"

int verb_serve(const struct options *o)
{
	const char *spec = o->source ? o->source : getenv(APART_SPEC);
	struct err err = { .code = ERR_NONE };
	struct source *s;
	int code;

	if (isatty(STDOUT_FILENO)) {
		err_set(&err, ERR_INPUT, "serve: standard output is a terminal, not a pipe for "
			"frames (expected fairtop ssh:HOST/SOURCE, which starts it)");
		return complain(&err);
	}
	if (apart_is_saved(spec)) {
		apart_shut_in(spec, NULL, NULL);
		s = source_open(spec, &err);
	} else {
		s = source_open_apart(spec, &err);
	}
	if (!s && spec != o->source) {
		/* The client tries again: the source may be there then. */
		err.code = ERR_SOURCE;
		return serve_problem(&err, STDOUT_FILENO);
	}
	if (!s)
		return complain(&err);
	code = serve_source(s);
	source_close(s);
	return code;
}
