/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * commands_run: runs each command once within DEADLINE_MS; collects its standard output (at most
 * MAX bytes of all commands) and its last stderr line. If a process of it lives on and holds the
 * pipes, they are read for one more second. Commands run in parallel, except that queued ones run
 * one at a time, in order; if the first two of these fail, the rest are not run and get the same
 * complaint. True if every command ended with exit code 0.
 */
#ifndef FAIRTOP_ADAPTERS_COMMANDS_RUN_H
#define FAIRTOP_ADAPTERS_COMMANDS_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define OUTPUT_BYTES_MAX ((size_t)1 << 29)	/* of all commands of a source together */

struct remote_command {
	const char *const *argv;
	const char *const *environment;	/* NULL: ours */
	char *output;			/* owned by the caller after the run, NUL-ended; or NULL */
	size_t length;
	size_t max;			/* more output ends the command; 0: no limit of its own */
	int status;			/* exit code, -1 if it was killed or not started */
	char complaint[200];		/* last stderr line, or what went wrong; "" */
	bool optional;			/* ended 5 s after the last command that is not optional */
	bool queued;			/* starts after the queued commands above it have ended */
};
bool command_run(struct remote_command *commands, size_t count, size_t max, int64_t deadline_ms,
		 int cancel_fd);

#endif
