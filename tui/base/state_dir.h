/* SPDX-License-Identifier: GPL-2.0-or-later */
/* state_dir: the directory of remembered state: fairtop/ in XDG_STATE_HOME. */
#ifndef FAIRTOP_TUI_BASE_STATE_DIR_H
#define FAIRTOP_TUI_BASE_STATE_DIR_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

/* The path of a file in it, "": of the directory; ERR_INPUT if there is no home directory. */
bool state_path(const char *name, char *path, size_t size, struct err *err);

/* The sorted names of its files that end in ENDING, without that; returns how many, at most MAX. */
#define STATE_NAME 64
size_t state_names(const char *ending, char names[][STATE_NAME], size_t max);

#endif
