/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings: what the user changed, as lines of the command language, and the file they last in.
 *
 * A file is written only when the user asks, to a temporary file beside it that is then renamed,
 * and only where there is none yet or a regular file whose first line says that fairtop wrote it.
 */
#ifndef FAIRTOP_TUI_SCREEN_SETTINGS_H
#define FAIRTOP_TUI_SCREEN_SETTINGS_H

#include "core/base/sink.h"
#include "tui/screen/app.h"

/*
 * Every line that brings a fresh screen to where this one is: settings, columns, order, filter,
 * keys.
 */
bool settings_write(const struct app *a, struct sink out, struct err *err);

/* The same with all keys, and what each line means; clusters, filters, keys are OWN_WORDS. */
bool settings_print(const struct app *a, bool own_words, struct sink out, struct err *err);

/*
 * ERR_INPUT names PATH and says why it was not written. No directory is made but that of the user's
 * configuration; *MADE says so.
 */
bool settings_save(const struct app *a, const char *path, bool *made, struct err *err);

/*
 * The layout alone, to PATH with its directory: columns and order of each view, the open one, and
 * the theme if it is not the configured one; behind a line SETTINGS_OF_SOURCE with its name what is
 * of that source: filters, folds by name, the open box. LASTING: what is still as in a->made is
 * written as it is in a->kept.
 */
#define SETTINGS_OF_SOURCE "# Of source: "
bool settings_keep(const struct app *a, const char *path, bool lasting, struct err *err);

/* Takes such a file away, if fairtop wrote it. */
bool settings_forget(const char *path, struct err *err);

/* What of the layout options of the command line can make, as it is now; a free MARK is no time. */
void layout_mark(const struct app *a, struct layout_mark *mark);
void layout_mark_free(struct layout_mark *mark);

/* The first rows have granted the columns of the accounts that options asked for. */
void layout_columns_granted(struct app *a);

#endif
