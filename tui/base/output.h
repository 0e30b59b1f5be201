/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output: standard output and standard error of the command line.
 *
 * Standard output holds nothing but the answer; what is wrong goes to standard error as
 * "fairtop: SUBJECT: what is wrong".
 */
#ifndef FAIRTOP_TUI_BASE_OUTPUT_H
#define FAIRTOP_TUI_BASE_OUTPUT_H

#include "core/base/sink.h"

struct output {
	char buffer[65536];
	size_t used;
	bool failed;
	bool terminal;			/* standard output is a terminal ... */
	size_t width;			/* ... of so many columns; 0 if it is none */
};

void output_init(struct output *o);
struct sink output_sink(struct output *o);
void output_text(struct output *o, const char *format, ...) ERR_PRINTF(2, 3);

/*
 * LABEL, then TEXT from column INDENT on, its words in lines of at most WIDTH columns where they
 * are no longer; below a LABEL that reaches there.
 */
void output_item(struct sink out, const char *label, size_t indent, size_t width,
		 const char *text);

/*
 * Writes what is left. A full disk is ERR_INPUT with a message; a reader that went away is
 * ERR_INPUT with an empty one: there is nobody to tell.
 */
bool output_finish(struct output *o, struct err *err);

/*
 * "fairtop: MESSAGE" on standard error, harmless for terminals. Nothing if the message is empty.
 * Returns its exit status.
 */
int complain(const struct err *err);

/*
 * The same for messages about SUBJECT (a source): "fairtop: SUBJECT: MESSAGE", or with a line
 * "fairtop: SUBJECT:LINE: MESSAGE". NULL or "": none was named.
 */
int complain_about(const char *subject, const struct err *err);

/* Makes the message of ERR what complain_about() would print; nothing if it is empty. */
void complaint_name(struct err *err, const char *subject);

/*
 * Out of memory, in one line and without any; and to which descriptor that goes while standard
 * error is another file.
 */
void complain_of_memory(void);
void complain_to(int fd);

/* A remark that is no error. */
void remark(const char *subject, const char *text);

#endif
