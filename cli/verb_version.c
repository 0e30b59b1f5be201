/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --version and --sandbox-status: what this fairtop consists of, and what the system offers it. */
#include "adapters/adapter.h"
#include "adapters/sandbox.h"
#include "adapters/sandbox_calls.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "config.h"
#include "core/base/mem.h"
#include "tui/base/complain.h"
#include "tui/cells/term.h"

/* Prints the output of PRINT. Allocates the buffer, which is too large for a stack. */
static int print_parts(void (*print)(struct output *out))
{
	struct output *out = mem_alloc(1, sizeof(*out));
	struct err err = { .code = ERR_NONE };
	int status = 0;

	output_init(out);
	print(out);
	if (!output_finish(out, &err))
		status = complain(&err);
	mem_free(out);
	return status;
}

static void print_version(struct output *out)
{
	char parts[256];

	output_text(out, "fairtop " FAIRTOP_VERSION "\nscreen: %s\n", term_library());
	for (size_t k = 0; adapters[k]; k++) {
		if (!adapters[k]->made_of)
			continue;
		adapters[k]->made_of(parts, sizeof(parts));
		output_text(out, "%s: %s\n", adapters[k]->scheme, parts);
	}
}

int verb_version(void)
{
	return print_parts(print_version);
}

static void print_sandbox(struct output *out)
{
	char text[600];
	bool holds = sandbox_status(text, sizeof(text));

	output_text(out, "%s", text);
	if (holds)
		output_text(out, "what sandboxed processes may do: R reads other users' files, I "
			    "imports a log, S asks Slurm\n");
	for (size_t i = 0; holds && i < sandbox_powers_count; i++) {
		unsigned who = sandbox_powers[i].who;

		output_text(out, "  %c %c %c  %s\n", who & 1u << SANDBOX_READS ? 'R' : '-',
			    who & 1u << SANDBOX_IMPORTS ? 'I' : '-',
			    who & 1u << SANDBOX_ASKS ? 'S' : '-', sandbox_powers[i].what);
	}
}

int verb_sandbox_status(void)
{
	return print_parts(print_sandbox);
}
