/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * imported: one log at a time, read into IM by the reader under test.
 *
 * Opening the next log frees what was read before; imported_close() is the teardown of the group.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_IMPORTED_H
#define FAIRTOP_TESTS_SUPPORT_IMPORTED_H

#include "adapters/import/import.h"

extern struct import im;

/* Empties IM. */
void imported_open(const struct import_kind *kind);
int imported_close(void **state);

/* Adds BYTES, as more of a log called "log", to IM. */
bool imported_more(const char *bytes, size_t length, struct err *err);

/* Reads TEXT into an empty IM; it must be accepted, or be refused with MESSAGE. */
void imported_text(const struct import_kind *kind, const char *text);
void imported_refused(const struct import_kind *kind, const char *text, const char *message);

/* Reads FILE of the public logs in DIR below $FAIRTOP_SHARED; skips the test without DIR. */
void imported_shared(const struct import_kind *kind, const char *dir, const char *file);

/* How often the first remark or reason that begins with BEGIN was counted. */
uint64_t imported_tally(const char *begin);

/* Is TEXT the replay's handle of NAME? */
bool imported_is(uint32_t text, const char *name);

/* The replay's association of USER in ACCOUNT, without a partition. */
uint32_t imported_assoc(const char *account, const char *user);

#endif
