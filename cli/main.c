/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairtop: reads the command line and calls a verb. */
#include <locale.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "adapters/sandbox.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "core/base/mem.h"
#include "tui/base/complain.h"
#include "tui/cells/term.h"

/* Replaces the one in core/base/mem.h. Buffered output is lost. */
void mem_exhausted(void)
{
	term_rescue();
	complain_of_memory();
	_exit(ERR_INPUT);
}

/*
 * Pictures are made and freed one after the other. Freed memory is kept for the next one, where
 * glibc would return it to the system and request it again, page by page.
 */
static void keep_freed_memory(void)
{
#ifdef M_TRIM_THRESHOLD
	mallopt(M_TRIM_THRESHOLD, 16 << 20);
	mallopt(M_MMAP_THRESHOLD, 4 << 20);
#endif
}

static int main_run(const struct options *o)
{
	/* An import's memory is bounded and grows in place; own mappings leave no holes. */
	if (o->verb != VERB_IMPORT)
		keep_freed_memory();
	if (o->version)
		return verb_version();
	/* Child processes need it, too. */
	if (o->no_sandbox)
		setenv("FAIRTOP_SANDBOX", "off", 1);
	if (o->sandbox_status)
		return verb_sandbox_status();
	if (o->help)
		return verb_help(o);
	return verb_run(o);
}

int main(int argc, char **argv)
{
	struct err err = { .code = ERR_NONE };
	struct options options;
	int status;

	sandbox_environment();
	/* Characters have widths; numbers must not depend on the locale. */
	setlocale(LC_CTYPE, "");
	/* A closed pipe is an error of write(), which the writer reports or not. */
	signal(SIGPIPE, SIG_IGN);
	status = options_parse(argc, (const char *const *)argv, &options, &err) ? main_run(&options)
										: complain(&err);
	options_free(&options);
	return status;
}
