/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Untrusted what-if files: nothing may crash or hang. What was read can be written and reads back
 * as the same list; it can be applied to a cluster, exported, and undone.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bytes.h"
#include "core/whatif/export.h"
#include "core/base/mem.h"
#include "core/whatif/whatif_apply.h"
#include "tests/support/sketch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct cluster *base(void)
{
	static struct cluster *c;

	if (!c)
		c = sketch_cluster("physics 40\n\thep 30\n\t\t+alice 1 5000 r2 p3\n"
				   "\t\t+bob@gpu parent 0\nbio parent\n\t+x 0 7\n",
				   0);
	return c;
}

static void apply(struct whatif *w)
{
	struct cluster *c = whatif_apply(w, base());
	struct bytes script = { 0 };

	for (int inverse = 0; inverse < 2; inverse++) {
		struct export_options options = { inverse, NULL, "" };

		if (!export_slurm(w, base(), c, &options, bytes_sink(&script), NULL))
			abort();
	}
	bytes_free(&script);
	cluster_free(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_strndup((const char *)data, size < 4000 ? size : 4000);
	struct whatif *w = whatif_new(), *again = whatif_new();
	struct bytes saved = { 0 };
	struct err err = { .code = ERR_NONE };

	if (!whatif_load(w, text, &err)) {
		/* A refusal always has a message. */
		if (err.code != ERR_INPUT || !err.message[0])
			abort();
	} else {
		whatif_save(w, bytes_sink(&saved), NULL);
		if (!whatif_load(again, saved.data ? saved.data : "", NULL) ||
		    again->count != w->count)
			abort();
		apply(w);
	}
	bytes_free(&saved);
	whatif_free(w);
	whatif_free(again);
	mem_free(text);
	return 0;
}
