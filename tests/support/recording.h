/* SPDX-License-Identifier: GPL-2.0-or-later */
/* recording: opens and writes recordings; the test fails if that fails. */
#ifndef FAIRTOP_TESTS_SUPPORT_RECORDING_H
#define FAIRTOP_TESTS_SUPPORT_RECORDING_H

#include "adapters/store/store.h"

struct store_writer *recording_writer(const char *path);
struct store_reader *recording_reader(const char *path);
void recording_write(struct store_writer *w, struct cluster *c, int64_t clock);

#endif
