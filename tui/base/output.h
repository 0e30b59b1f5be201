/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output: standard output and standard error of the command line.
 *
 * Standard output has only the answer; errors go to standard error as "fairtop: SUBJECT: what is
 * wrong".
 */
#ifndef FAIRTOP_TUI_BASE_OUTPUT_H
#define FAIRTOP_TUI_BASE_OUTPUT_H

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

/*
 * Writes LABEL, then TEXT from column INDENT on, wrapped to WIDTH columns unless a word is longer;
 * TEXT begins below a LABEL that reaches INDENT.
 */
void output_item(struct sink out, const char *label, size_t indent, size_t width, const char *text);

/*
 * Writes the rest of the buffer. A full disk is ERR_INPUT with a message; a closed pipe is
 * ERR_INPUT with an empty message, as nobody would see it.
 */
bool output_finish(struct output *o, struct err *err);

/*
 * Prints "fairtop: MESSAGE" on standard error, safe for terminals; nothing if the message is empty.
 * Returns the exit status.
 */
int complain(const struct err *err);

/*
 * The same for messages about SUBJECT (a source): "fairtop: SUBJECT: MESSAGE", or with a line
 * "fairtop: SUBJECT:LINE: MESSAGE". NULL or "": no subject.
 */
int complain_about(const char *subject, const struct err *err);

/* Changes the message of ERR to what complain_about() would print, unless it is empty. */
void complaint_name(struct err *err, const char *subject);

/*
 * Reports that memory is exhausted, without allocating; and sets the descriptor for that while
 * standard error is another file.
 */
void complain_of_memory(void);
void complain_to(int fd);

/* A remark that is not an error: "SUBJECT: ...". */
void remark(const char *subject, const char *format, ...) ERR_PRINTF(2, 3);

#endif
