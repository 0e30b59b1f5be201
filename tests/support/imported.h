/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * imported: one log at a time, read into IM by the reader under test.
 *
 * What was read before goes with the next one; imported_close() is the teardown of the group.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_IMPORTED_H
#define FAIRTOP_TESTS_SUPPORT_IMPORTED_H

#include "adapters/import/import.h"

extern struct import im;

/* IM is empty. */
void imported_open(const struct import_kind *kind);
int imported_close(void **state);

/* More of the log "log": into IM as it is. */
bool imported_more(const char *bytes, size_t length, struct err *err);

/* IM becomes that of a log which must be read; of one that must be refused with MESSAGE. */
void imported_text(const struct import_kind *kind, const char *text);
void imported_refused(const struct import_kind *kind, const char *text, const char *message);

/* FILE of the public logs in DIR below $FAIRTOP_SHARED; they are skipped where they are not. */
void imported_shared(const struct import_kind *kind, const char *dir, const char *file);

/* How often the remark or reason was counted that begins so. */
uint64_t imported_tally(const char *begin);

/* Is it the text NAME of the replay? */
bool imported_is(uint32_t text, const char *name);

/* The association of the replay, without a partition. */
uint32_t imported_assoc(const char *account, const char *user);

#endif
