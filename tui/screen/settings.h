/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings: the user's changes as lines of the command language, and the file for them.
 *
 * A file is written only on request, to a temporary file beside it that is then renamed, and only
 * if none exists or a regular file whose first line says that fairtop wrote it.
 */
#ifndef FAIRTOP_TUI_SCREEN_SETTINGS_H
#define FAIRTOP_TUI_SCREEN_SETTINGS_H

#include "core/base/sink.h"
#include "tui/screen/app.h"

/*
 * Writes the lines that bring a fresh screen to the present state: settings, columns, order,
 * filter, keys.
 */
bool settings_write(const struct app *a, struct sink out, struct err *err);

/* The same with all keys and the meaning of each line; clusters, filters, keys if OWN_WORDS. */
bool settings_print(const struct app *a, bool own_words, struct sink out, struct err *err);

/*
 * ERR_INPUT names PATH and says why it was not written. Creates no directory but that of the user's
 * configuration; *MADE says so.
 */
bool settings_save(const struct app *a, const char *path, bool *made, struct err *err);

/*
 * Writes only the layout to PATH, with its directory: columns and order of each view, the open one,
 * and the theme if it is not the configured one. After a line SETTINGS_OF_SOURCE with the source's
 * name come its filters, folds by name and open box. LASTING: what is still as in a->made is
 * written as in a->kept.
 */
#define SETTINGS_OF_SOURCE "# Of source: "
bool settings_keep(const struct app *a, const char *path, bool lasting, struct err *err);

/* Deletes such a file, if fairtop wrote it. */
bool settings_forget(const char *path, struct err *err);

/* Records the parts of the layout that command line options can change; MARK must be free. */
void layout_mark(const struct app *a, struct layout_mark *mark);
void layout_mark_free(struct layout_mark *mark);

/* Call it when the first rows have granted the account columns that options requested. */
void layout_columns_granted(struct app *a);

#endif
