/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_save: the table on the screen as a file: the columns and rows shown, in their order, with
 * the values that the command line outputs, not the screen's texts.
 */
#ifndef FAIRTOP_TUI_ACTS_TABLE_SAVE_H
#define FAIRTOP_TUI_ACTS_TABLE_SAVE_H

#include <stddef.h>

#include "tui/base/report.h"

struct app;

/* "fairtop-jobs-20261103-090000.csv" for NAME "fairtop-jobs": with the time of the picture. */
void file_stamp(const struct app *a, const char *name, const char *ending, char *buf, size_t size);

/*
 * Puts the table as text in a->copied, and a->save_path for the outside (ERRAND_TABLE): PATH, which
 * ends in .csv, .json or .txt; NULL: a name with the view and the picture's time. ERR_INPUT.
 */
bool table_save_wish(struct app *a, const char *path, struct err *err);

/* The format given by the end of PATH; false: none. */
bool table_format(const char *path, enum report_format *format);

/* Into a->copied: all rows shown, or only ROW. */
bool table_text(struct app *a, uint32_t row, enum report_format format, struct err *err);

/* Writes a->copied, never over an existing file, and informs the app. */
void table_save(struct app *a);

#endif
