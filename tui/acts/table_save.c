/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/acts/table_save.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

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

bool table_format(const char *path, enum report_format *format)
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

	if (localtime_r(&time, &tm))
		(void)strftime(when, sizeof(when), "-%Y%m%d-%H%M%S", &tm);
	snprintf(buf, size, "%s%s%s", name, when, ending);
}

static void usual_name(struct app *a)
{
	char name[40];

	snprintf(name, sizeof(name), "fairtop-%s", view_names[a->view]);
	file_stamp(a, name, ".csv", a->save_path, sizeof(a->save_path));
}

bool table_save_wish(struct app *a, const char *path, struct err *err)
{
	enum report_format format = REPORT_CSV;

	if (!a->picture && !a->overview)
		return err_set(err, ERR_INPUT, "save: no data yet");
	if (path && !table_format(path, &format))
		return err_set(err, ERR_INPUT, "save '%s': expected a name that ends in .csv, "
			       ".json or .txt", path);
	if (path && strlen(path) >= sizeof(a->save_path))
		return err_set(err, ERR_INPUT, "save: the name is too long");
	if (path)
		snprintf(a->save_path, sizeof(a->save_path), "%s", path);
	else
		usual_name(a);
	a->errand = ERRAND_TABLE;
	return table_text(a, ROW_NONE, format, err);
}

/* ---- the table ----------------------------------------------------------------------------- */

/* The name of the row comes first, as on the screen. */
static void table_save_take_columns(const struct sheet *sheet, struct report *r)
{
	r->columns = mem_alloc(sheet->count + 1, sizeof(const struct column *));
	r->columns[r->column_count++] = &sheet->all[0];
	for (size_t i = 0; i < sheet->count; i++) {
		if (sheet->columns[i]->drawn < DRAWN_SERVICE && sheet->columns[i] != &sheet->all[0])
			r->columns[r->column_count++] = sheet->columns[i];
	}
}

/* Only rows shown: not those hidden by a fold or the filter, and not those that are gone. */
static void take_rows(const struct list *list, uint32_t only, struct report *r)
{
	r->rows = mem_alloc(list->count + 1, sizeof(*r->rows));
	for (size_t i = 0; i < list->count; i++) {
		if ((list->items[i].flags & (ITEM_GHOST | ITEM_USERS)) == 0 &&
		    (only == ROW_NONE || list->items[i].row == only))
			r->rows[r->row_count++] = list->items[i].row;
	}
}

bool table_text(struct app *a, uint32_t row, enum report_format format, struct err *err)
{
	const struct sheet *sheet = app_sheet_get(a);
	struct report r = {
		.view = sheet->list.now.view, .source = a->source.name,
		.health = a->source.detail, .now = a->now, .local = &zone_local,
	};
	bool ok;

	if (a->picture) {
		const struct model *model = a->picture->model;

		r.cluster = a->picture->cluster;
		r.algorithm = model->algo->name;
		r.base = model->fs->base == FS_BASE_REPORTED ? "reported" : "usage";
	} else if (format == REPORT_JSON) {
		return err_set(err, ERR_INPUT, "save: JSON holds one cluster only (expected .csv "
			       "or .txt)");
	}

	table_save_take_columns(sheet, &r);
	take_rows(&sheet->list, row, &r);
	snprintf(a->copied_what, sizeof(a->copied_what), "%u %s", r.row_count,
		 plural(r.row_count, "row", "rows"));
	bytes_free(&a->copied);
	ok = report_write(&r, format, bytes_sink(&a->copied), err);
	report_free(&r);
	return ok;
}

void table_save(struct app *a)
{
	struct err err = { 0 };
	char place[1024];

	if (!new_file_write(a->save_path, &a->copied, false, &err)) {
		app_say(a, ROLE_ERROR, "%s", err.message);
		return;
	}
	new_file_place(a->save_path, place, sizeof(place));
	app_say(a, ROLE_MESSAGE, "wrote %s to %s", a->copied_what, place);
}
