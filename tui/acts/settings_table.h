/* SPDX-License-Identifier: GPL-2.0-or-later */
/* settings_table: the table of set NAME VALUE. */
#ifndef FAIRTOP_TUI_ACTS_SETTINGS_TABLE_H
#define FAIRTOP_TUI_ACTS_SETTINGS_TABLE_H

#include "tui/rows/state.h"

struct setting {
	const char *name, *meaning;
	const char *(*word)(size_t i);	/* possible values, then NULL; unset: any */
	bool (*set)(struct app *a, const char *value, struct err *err);
	void (*get)(const struct app *a, char *buf, size_t size);	/* in the format of SET */
};
extern const struct setting settings_table[];
extern const size_t settings_count;

bool app_set_theme(struct app *a, const char *name, struct err *err);

#endif
