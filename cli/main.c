/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fairtop: reads the command line and hands over to a verb. */
#include <locale.h>
#include <signal.h>

#include "cli/options.h"
#include "tui/base/output.h"
#include "cli/verbs.h"

int main(int argc, char **argv)
{
	struct err err = { .code = ERR_NONE };
	struct options options;

	/* Characters have widths; numbers are written the same way everywhere. */
	setlocale(LC_CTYPE, "");
	/* A reader that goes away is an error of write(), told or not by whoever writes. */
	signal(SIGPIPE, SIG_IGN);
	if (!options_parse(argc, (const char *const *)argv, &options, &err))
		return complain(&err);
	if (options.version)
		return verb_version();
	if (options.help)
		return verb_help(&options);
	return verb_info[options.verb].run(&options);
}
