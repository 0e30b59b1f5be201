/* SPDX-License-Identifier: GPL-2.0-or-later */
/* why_recorded: what the pictures of a recording show about a job. */
#ifndef FAIRTOP_CLI_WHY_RECORDED_H
#define FAIRTOP_CLI_WHY_RECORDED_H

#include "core/why/why_past.h"

/*
 * Reads the recording FILE up to UNTIL (I64_UNKNOWN: its end). *LAST becomes the last picture with
 * the job of P, which the caller frees; NULL: none has it.
 */
bool why_recorded(const char *file, int64_t until, struct why_past *p, struct cluster **last,
		  struct err *err);

#endif
