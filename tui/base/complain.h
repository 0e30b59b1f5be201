/* SPDX-License-Identifier: GPL-2.0-or-later */
/* complain: errors and remarks on standard error, as "fairtop: SUBJECT: what is wrong". */
#ifndef FAIRTOP_TUI_BASE_COMPLAIN_H
#define FAIRTOP_TUI_BASE_COMPLAIN_H

#include "core/base/err.h"

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
