/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/acts/table_save.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/base/bytes.h"
#include "core/base/mem.h"
#include "core/base/plural.h"
#include "tui/rows/state.h"
#include "tui/time/travel.h"
#include "tui/base/new_file.h"
#include "tui/base/report.h"
#include "tui/base/zone.h"

static const char *const endings[REPORT_FORMATS] = {
	[REPORT_TABLE] = ".txt", [REPORT_JSON] = ".json", [REPORT_CSV] = ".csv",
};

static bool format_of(const char *path, enum report_format *format)
{
	size_t length = strlen(path);

	for (int f = 0; f < REPORT_FORMATS; f++) {
		size_t ending = strlen(endings[f]);

		if (length > ending && strcmp(path + length - ending, endings[f]) == 0) {
			*format = (enum report_format)f;
			return true;
		}
	}
	return false;
}

void file_stamp(const struct app *a, const char *name, const char *ending, char *buf, size_t size)
{
	int64_t known = travel_time(a);
	time_t time = (time_t)(known != I64_UNKNOWN ? known : a->now);
	char when[24] = "";
	struct tm tm;

	if (localtime_r(&time, &tm) != NULL)
		(void)strftime(when, sizeof when, "-%Y%m%d-%H%M%S", &tm);
	snprintf(buf, size, "%s%s%s", name, when, ending);
}

static void usual_name(struct app *a)
{
	char name[40];

	snprintf(name, sizeof name, "fairtop-%s", view_names[a->view]);
	file_stamp(a, name, ".csv", a->save_path, sizeof a->save_path);
}

bool table_save_wish(struct app *a, const char *path, struct err *err)
{
	enum report_format format;

	if (a->picture == NULL)
		return err_set(err, ERR_INPUT, "save: there is no picture yet");
	if (path != NULL && !format_of(path, &format))
		return err_set(err, ERR_INPUT, "save '%s': expected a name that ends in .csv, "
			       ".json or .txt", path);
	if (path != NULL && strlen(path) >= sizeof a->save_path)
		return err_set(err, ERR_INPUT, "save: the name is too long");
	if (path != NULL)
		snprintf(a->save_path, sizeof a->save_path, "%s", path);
	else
		usual_name(a);
	a->effects |= APP_SAVE;
	return true;
}

/* ---- the table ----------------------------------------------------------------------------- */

/* What is drawn and has no value is no column of a file. */
static bool has_values(const struct column *column)
{
	return column != &bar_column && column != &pool_bar_column && !queue_is_bar(column);
}

/* The name of the row first, as the screen has it. */
static void take_columns(const struct sheet *sheet, struct report *r)
{
	r->columns = mem_alloc(sheet->count + 1, sizeof(const struct column *));
	r->columns[r->column_count++] = &sheet->all[0];
	for (size_t i = 0; i < sheet->count; i++) {
		if (has_values(sheet->columns[i]) && sheet->columns[i] != &sheet->all[0])
			r->columns[r->column_count++] = sheet->columns[i];
	}
}

/* Those that a fold or the filter hides are not shown, those that are gone are no rows. */
static void take_rows(const struct list *list, struct report *r)
{
	r->rows = mem_alloc(list->count + 1, sizeof *r->rows);
	for (size_t i = 0; i < list->count; i++) {
		if ((list->items[i].flags & ITEM_GHOST) == 0)
			r->rows[r->row_count++] = list->items[i].row;
	}
}

bool table_save_write(const struct app *a, struct sink out, uint32_t *rows, struct err *err)
{
	const struct sheet *sheet = app_sheet_get(a);
	const struct model *model = a->picture->model;
	enum report_format format = REPORT_CSV;
	struct report r = {
		.view = sheet->list.now.view, .cluster = a->picture->cluster,
		.source = a->source.name, .health = a->source.detail,
		.algorithm = model->algo->name,
		.base = model->fs->base == FS_BASE_REPORTED ? "reported" : "usage",
		.now = a->now, .local = &zone_local,
	};
	bool ok;

	(void)format_of(a->save_path, &format);
	take_columns(sheet, &r);
	take_rows(&sheet->list, &r);
	*rows = r.row_count;
	ok = report_write(&r, format, out, err);
	report_free(&r);
	return ok;
}

void table_save(struct app *a)
{
	struct bytes b = { 0 };
	struct err err = { 0 };
	uint32_t rows = 0;

	if (a->picture != NULL && table_save_write(a, bytes_sink(&b), &rows, &err) &&
	    new_file_write(a->save_path, &b, false, &err))
		app_say(a, ROLE_MESSAGE, "wrote %u %s to %s", rows, plural(rows, "row", "rows"),
			a->save_path);
	else
		app_say(a, ROLE_ERROR, "%s", err.message);
	bytes_free(&b);
}
