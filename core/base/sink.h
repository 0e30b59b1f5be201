/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sink: where bytes go. Core writes answers through it and never sees a file.
 */
#ifndef FAIRTOP_CORE_BASE_SINK_H
#define FAIRTOP_CORE_BASE_SINK_H

#include <stddef.h>

#include "core/base/err.h"

struct sink {
	/* Takes all LENGTH bytes or fails. */
	bool (*write)(void *context, const char *bytes, size_t length, struct err *err);
	void *context;
};

#endif
