/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_save: the table on the screen as a file: the columns and rows that are shown, in their
 * order, with the values of the command line's answers, not with their texts.
 */
#ifndef FAIRTOP_TUI_ACTS_TABLE_SAVE_H
#define FAIRTOP_TUI_ACTS_TABLE_SAVE_H

#include <stddef.h>

#include "tui/base/report.h"

struct app;

/* "fairtop-jobs-20261103-090000.csv" of NAME "fairtop-jobs": with the time of the picture. */
void file_stamp(const struct app *a, const char *name, const char *ending, char *buf, size_t size);

/*
 * The table as text in a->copied, and a->save_path for the outside (APP_SAVE): PATH, which ends in
 * .csv, .json or .txt; NULL: a name with the view and the time of the picture. ERR_INPUT.
 */
bool table_save_wish(struct app *a, const char *path, struct err *err);

/* The format that the end of PATH names; false if it names none. */
bool table_format(const char *path, enum report_format *format);

/* Into a->copied: all rows that are shown, or of them ROW alone. */
bool table_text(struct app *a, uint32_t row, enum report_format format, struct err *err);

/* Writes a->copied, never over a file that is there, and tells the app what came of it. */
void table_save(struct app *a);

#endif
