/* SPDX-License-Identifier: GPL-2.0-or-later */
/* serve: this side of ssh:HOST/SOURCE. */
#include "adapters/serve.h"
#include "cli/verbs.h"

int verb_serve(const struct options *o)
{
	return serve_main(o->source);
}
