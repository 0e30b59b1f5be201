/* SPDX-License-Identifier: GPL-2.0-or-later */
/* output: standard output of the command line. It has only the answer. */
#ifndef FAIRTOP_CLI_OUTPUT_H
#define FAIRTOP_CLI_OUTPUT_H

#include "core/base/sink.h"

struct output {
	char buffer[65536];
	size_t used;
	bool failed;
	bool terminal;			/* standard output is a terminal ... */
	size_t width;			/* ... of this width; 0 if it is not */
};

void output_init(struct output *o);
struct sink output_sink(struct output *o);
void output_text(struct output *o, const char *format, ...) ERR_PRINTF(2, 3);
/* Writes one line, as safe for a terminal in a file or a pipe, too. */
void output_line(struct output *o, const char *format, ...) ERR_PRINTF(2, 3);

/*
 * Writes the rest of the buffer. A full disk is ERR_INPUT with a message; a closed pipe is
 * ERR_INPUT with an empty message, as nobody would see it.
 */
bool output_finish(struct output *o, struct err *err);

#endif
