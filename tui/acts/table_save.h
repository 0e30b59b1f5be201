/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_save: the table on the screen as a file: the columns and rows that are shown, in their
 * order, with the values of the command line's answers, not with their texts.
 */
#ifndef FAIRTOP_TUI_ACTS_TABLE_SAVE_H
#define FAIRTOP_TUI_ACTS_TABLE_SAVE_H

#include <stddef.h>

#include "core/base/sink.h"

struct app;

/* "fairtop-jobs-20261103-090000.csv" of NAME "fairtop-jobs": with the time of the picture. */
void file_stamp(const struct app *a, const char *name, const char *ending, char *buf, size_t size);

/*
 * Keeps a->save_path for the outside (APP_SAVE): PATH, which ends in .csv, .json or .txt; NULL: a
 * name with the view and the time of the picture. ERR_INPUT.
 */
bool table_save_wish(struct app *a, const char *path, struct err *err);

/* The table as a->save_path tells, and how many rows that are. */
bool table_save_write(const struct app *a, struct sink out, uint32_t *rows, struct err *err);

/* Writes the file, never over one that is there, and tells the app what came of it. */
void table_save(struct app *a);

#endif
