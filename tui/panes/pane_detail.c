/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One row: a summary (Enter): the verdict in words, the columns' values in few digits, what it
 * depends on, its limits. Or the derivation (e): the steps from raw shares and usage to F with all
 * digits, the siblings, all limits, k on its curve, the past, and the scheduler's values.
 */
#include "tui/panes/pane.h"
#include "tui/panes/detail.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/share/lsf_share.h"
#include "core/base/format.h"
#include "core/base/plural.h"
#include "tui/cells/plot.h"
#include "tui/rows/views.h"
#include "tui/time/travel.h"
#include "core/share/quota.h"

/* ---- the verdict --------------------------------------------------------------------------- */

void detail_ordinal(uint32_t n, char *buf, size_t size)
{
	static const char *const ends[] = { "th", "st", "nd", "rd" };
	uint32_t last = n % 100 >= 11 && n % 100 <= 13 ? 0 : n % 10;

	snprintf(buf, size, "%u%s", n, ends[last > 3 ? 0 : last]);
}

const char *detail_times(double times, char *buf, size_t size)
{
	if (times < 999.5)
		snprintf(buf, size, "%.3g", times);
	else
		format_grouped(times, buf, size);
	return buf;
}

static void put_service(const struct app *a, struct doc *d, uint32_t row)
{
	const struct sheet *sheet = &a->sheets[VIEW_ACCOUNTS];
	double ratio = sheet_served(sheet, &sheet->list.now, row);
	char text[200], times[32];

	switch (sheet_service(ratio)) {
	case SERVICE_UNKNOWN:
		if (fs_has_no_shares(a->picture->model->fs, row))
			doc_put(d, ROLE_HINT, "no share of the cluster: served after all others");
		else
			doc_put(d, ROLE_HINT, "its share or its usage is unknown");
		return;
	case SERVICE_FAIR:
		doc_put(d, ROLE_FAIR, "close to its fair share");
		return;
	case SERVICE_OVER:
		snprintf(text, sizeof(text), isinf(ratio) ?
			 "%s over-served: it has usage, and no share at all" :
			 "%s over-served: it counts as having used %s times its share",
			 d->ascii ? "^" : "▲", detail_times(ratio, times, sizeof(times)));
		doc_wrap(d, ROLE_OVER, 2, text);
		return;
	case SERVICE_UNDER:
		snprintf(text, sizeof(text),
			 "%s under-served: it counts as having used %.3g of its share",
			 d->ascii ? "v" : "▼", ratio);
		doc_wrap(d, ROLE_UNDER, 2, text);
		return;
	}
}

/* ---- the derivation ------------------------------------------------------------------------ */

static void put_derivation(const struct app *a, struct doc *d, uint32_t row)
{
	const struct model *m = a->picture->model;
	struct explain e;

	explain_init(&e);
	m->algo->explain(&m->input, m->fs, row, &e);
	doc_title(d, m->fs->algorithm == FS_LSF ? "From the queue down, sibling by sibling" :
						  "From the root to the factor, level by level");
	for (size_t i = 0; i < e.count; i++) {
		if (i > 0 && strcmp(e.steps[i].name, "shares") == 0)
			doc_line(d);
		step_doc(d, 9, &e.steps[i]);
	}
	if (e.count == 0)
		doc_begin(d, ROLE_HINT, "nothing can be computed for this row");
	explain_free(&e);
}

/* ---- reported values ----------------------------------------------------------------------- */

static void put_reported(const struct app *a, struct doc *d, uint32_t row)
{
	const struct model *m = a->picture->model;
	const struct {
		const char *title;
		enum field field;
		enum fs_number what;
		const double *own;
	} rows[] = {
		{ "S", F_ASSOC_R_NORM_SHARES, FS_NUMBER_S, m->fs->norm_shares },
		{ "U", F_ASSOC_R_NORM_USAGE, FS_NUMBER_U, m->fs->norm_usage },
		{ "E", F_ASSOC_R_EFFECTIVE_USAGE, FS_NUMBER_E, m->fs->effective_usage },
		{ "Level FS", F_ASSOC_R_LEVEL_FS, FS_NUMBER_LEVEL, m->fs->level_fs },
		{ "F", F_ASSOC_R_FAIRSHARE, FS_NUMBER_F, m->fs->fairshare },
		{ "Priority", F_ASSOC_R_DYNAMIC_PRIORITY, FS_NUMBER_COUNT,
		  m->fs->algorithm == FS_LSF ? m->fs->own[LSF_OWN_PRIORITY] : NULL },
	};
	bool any = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double reported = cluster_f64(m->cluster, rows[i].field, row);
		double own = rows[i].own ? rows[i].own[row] : F64_UNKNOWN;
		if (!f64_known(reported) || !f64_known(own))
			continue;
		if (!any) {
			doc_title(d, "Reported by the scheduler, and difference from fairtop");
			any = true;
		}
		doc_begin(d, ROLE_VALUE, rows[i].title);
		doc_tab(d, 9);
		if (isinf(reported))
			doc_put(d, ROLE_NUMBER, d->ascii ? "inf" : "∞");
		else
			doc_putf(d, ROLE_NUMBER, "%.12g", reported);
		doc_tab(d, 30);
		if (fs_is_taken(m->fs, rows[i].what, row))
			doc_put(d, ROLE_DIM, "not computed here");
		else if (own == reported)
			doc_put(d, ROLE_DIM, "no difference");
		else
			doc_putf(d, ROLE_NUMBER, "%+.2g", own - reported);
	}
}

/* ---- siblings ------------------------------------------------------------------------------ */

#define SIBLINGS_AROUND 6

void detail_name(const struct cluster *c, uint32_t row, char *buf, size_t size)
{
	const char *name =
		cluster_text(c, cluster_is_user(c, row) ? F_ASSOC_USER : F_ASSOC_ACCOUNT, row);
	const char *partition = cluster_text(c, F_ASSOC_PARTITION, row);

	snprintf(buf, size, "%s%s%s", name && name[0] != '\0' ? name : "-",
		 partition && partition[0] != '\0' ? "@" : "",
		 partition ? partition : "");
}

static void put_cell(struct doc *d, enum role role, const struct column *column,
		     const struct model *m, uint32_t row, int end)
{
	struct value v = { .kind = VALUE_UNKNOWN };
	char text[64];

	column_get(column, m, row, &v);
	sheet_cell(column, &v, 10, d->ascii, text, sizeof(text));
	doc_right(d, role, end, text);
}

/* A name of at most WIDTH columns. */
static void detail_put_name(struct doc *d, enum role role, const char *name, int width)
{
	struct canvas *c = canvas_new(width, 1, d->ascii);
	char text[512] = "";
	size_t used = 0;

	canvas_name(c, 0, 0, width, ROLE_TEXT, name);
	for (int x = 0; x < width; x++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s", c->cells[x].text);
	canvas_free(c);
	while (used > 0 && text[used - 1] == ' ')
		text[--used] = '\0';
	doc_put(d, role, text);
}

/* The row among those of its account, in their order; only those around it if there are many. */
static void put_siblings(const struct app *a, struct doc *d, uint32_t row)
{
	const struct model *m = a->picture->model;
	const struct column *columns[3] = { accounts_column("norm_shares"),
					    accounts_column("norm_usage"),
					    a->sheets[VIEW_ACCOUNTS].ratio };
	const uint32_t *parent = cluster_parent(m->cluster), *span = cluster_span(m->cluster);
	uint32_t total = 0, at = 0, seen = 0, first = parent[row] + 1, end;
	char name[256];

	if (parent[row] == ROW_NONE)
		return;
	end = parent[row] + span[parent[row]];
	for (uint32_t i = first; i < end; i += span[i], total++)
		at = i == row ? total : at;
	if (total < 2)
		return;
	doc_title(d, "Siblings");
	for (int i = 0; i < 3; i++)
		doc_right(d, ROLE_DIM, 32 + 10 * i, columns[i]->title);
	for (uint32_t i = first; i < end; i += span[i], seen++) {
		if (seen + SIBLINGS_AROUND < at || seen > at + SIBLINGS_AROUND)
			continue;
		doc_line(d);
		detail_name(m->cluster, i, name, sizeof(name));
		detail_put_name(d, i == row ? ROLE_KEY : ROLE_TEXT, name, 22);
		for (int j = 0; j < 3; j++)
			put_cell(d, i == row ? ROLE_VALUE : ROLE_NUMBER, columns[j], m, i,
				 32 + 10 * j);
	}
	if (total > 2 * SIBLINGS_AROUND + 1)
		doc_beginf(d, ROLE_HINT, "%u siblings in total", total);
}

/* ---- limits -------------------------------------------------------------------------------- */

#define GAUGE_WIDTH 12

struct quota_lines {
	struct doc *doc;
	const char *title;		/* NULL: no section of its own */
	unsigned count, most;		/* beyond MOST they are only counted */
};

static void put_gauge(struct doc *d, double part)
{
	int full = (int)lround(fmin(fmax(part, 0), 1) * GAUGE_WIDTH);
	enum role role = part >= 1 ? ROLE_ERROR : part >= 0.9 ? ROLE_WARN : ROLE_CHART;

	for (int i = 0; i < GAUGE_WIDTH; i++)
		doc_put(d, i < full ? role : ROLE_DIM,
			i < full ? (d->ascii ? "#" : "■") : (d->ascii ? "." : "·"));
	doc_putf(d, ROLE_NUMBER, " %3.0f %%", 100 * part);
}

static void put_quota(void *context, const struct quota *q)
{
	struct quota_lines *lines = context;
	struct doc *d = lines->doc;
	char used[32], limit[32];

	if (lines->count == 0 && lines->title)
		doc_title(d, lines->title);
	if (lines->count++ >= lines->most)
		return;
	doc_begin(d, ROLE_VALUE, q->name);
	doc_tab(d, 26);
	format_grouped(q->used, used, sizeof(used));
	format_grouped(q->limit, limit, sizeof(limit));
	if (f64_known(q->used)) {
		doc_putf(d, ROLE_NUMBER, "%s of %s ", used, limit);
		doc_tab(d, 48);
		put_gauge(d, q->limit > 0 ? q->used / q->limit : 1);
	} else {
		doc_put(d, ROLE_NUMBER, limit);
	}
}

static void detail_put_limits(const struct app *a, struct doc *d, uint32_t row, const char *title,
			      unsigned most)
{
	struct quota_lines lines = { d, title, 0, most };

	quota_list(a->picture->cluster, row, put_quota, &lines);
	if (lines.count > most) {
		doc_beginf(d, ROLE_HINT, "%u more %s, see the explanation", lines.count - most,
			   plural(lines.count - most, "limit", "limits"));
	}
}

/* ---- k over R_parent ----------------------------------------------------------------------- */

#define CHART_WIDTH 42
#define CHART_HEIGHT 6
#define CHART_RANGE 2.0794415416798357	/* ln 8: the axis goes from 1/8 to 8 */

static double chart_x(double ratio)
{
	return (log(ratio) / CHART_RANGE + 1) / 2;
}

/* The bell of k = 1 / (1 + (5 ln R)^2), and the line k = 1 for rows that follow the parent. */
static void put_chart(const struct app *a, struct doc *d, uint32_t row)
{
	const struct model *m = a->picture->model;
	uint32_t above = m->tree->fs_parent[row];
	struct plot p;

	if (m->algo->id != FS_DEPTH_OBLIVIOUS || above == ROW_NONE || !m->fs->k ||
	    !f64_known(m->fs->k[row]) || !(m->fs->effective_ratio[above] > 0))
		return;
	plot_init(&p, CHART_WIDTH, CHART_HEIGHT);
	for (int i = 0; i < 16 * CHART_WIDTH; i++) {
		double x = i / (16.0 * CHART_WIDTH), ln = CHART_RANGE * (2 * x - 1);
		plot_dot(&p, x, 1 / (1 + 25 * ln * ln));
		if (i % 16 == 0)
			plot_dot(&p, x, 1);
	}
	plot_point(&p, fmin(fmax(chart_x(m->fs->effective_ratio[above]), 0), 1), m->fs->k[row]);
	doc_title(d, "k against R of the account above");
	for (int y = 0; y < CHART_HEIGHT; y++) {
		doc_begin(d, ROLE_DIM, y == 0 ? "1" : y == CHART_HEIGHT - 1 ? "0" : " ");
		doc_put(d, ROLE_FRAME, d->ascii ? "|" : "│");
		plot_put(&p, d, y);
	}
	plot_free(&p);
	doc_beginf(d, ROLE_DIM, "  1/8%*s1%*s8", CHART_WIDTH / 2 - 4, "", CHART_WIDTH / 2 - 1, "");
	doc_beginf(d, ROLE_HINT, "%s here: R_parent %.4g%s, k %.4g", d->ascii ? "O" : "●",
		   m->fs->effective_ratio[above],
		   fabs(log(m->fs->effective_ratio[above])) > CHART_RANGE ? " (off the axis)" : "",
		   m->fs->k[row]);
}

/* ---- the past ------------------------------------------------------------------------------ */

static void detail_put_past(const struct app *a, struct doc *d, uint32_t row)
{
	static const char *const titles[HISTORY_QUANTITIES] = { "U", "R", "F" };
	uint64_t key = a->picture->assoc_keys[row];
	uint32_t count;
	char since[32];

	if (a->history.samples < 2)
		return;
	travel_name(a->history.times[0], false, since, sizeof(since));
	doc_title(d, "Since");
	doc_putf(d, ROLE_HINT, "   %s", since);
	for (int q = 0; q < HISTORY_QUANTITIES; q++) {
		const float *v = history_get(&a->history, key, (enum history_quantity)q, &count);
		if (!v || !isfinite(v[count - 1]))
			continue;
		doc_begin(d, ROLE_VALUE, titles[q]);
		doc_tab(d, 3);
		spark_put(d, v, count, d->width - 28);
		doc_tab(d, d->width - 24);
		doc_putf(d, ROLE_NUMBER, "%.4g", (double)v[0]);
		doc_put(d, ROLE_DIM, d->ascii ? " -> " : " → ");
		doc_putf(d, ROLE_NUMBER, "%.4g", (double)v[count - 1]);
	}
}

/* ---- the summary --------------------------------------------------------------------------- */

#define SUMMARY_VALUE 10	/* cells of a title, followed by its value */
#define SUMMARY_TWO 56		/* narrower boxes have one value per line */
#define SUMMARY_LIMITS 3

static const char *glyph_text(const struct doc *d, enum glyph glyph)
{
	const struct canvas c = { .ascii = d->ascii };

	return canvas_glyph(&c, glyph);
}

/* Five digits are easy to read; the derivation has all of them. */
static void summary_text(const struct doc *d, const struct column *column, const struct value *v,
			 char *buf, size_t size)
{
	if (column->format == COLUMN_RATIO && v->kind == VALUE_REAL && fabs(v->real) < 99999.5)
		snprintf(buf, size, "%.5g", v->real);
	else
		sheet_cell(column, v, SUMMARY_VALUE, d->ascii, buf, size);
	buf[strcspn(buf, " ")] = '\0';
}

/* A what-if's value follows the former one. ORIGINS: a bit per origin of values. */
static void put_summary_value(const struct app *a, struct doc *d, const struct column *column,
			      uint32_t row, unsigned *origins)
{
	const struct model *m = a->picture->model;
	const struct position now = { column, m, row };
	struct value v = { .kind = VALUE_UNKNOWN }, was;
	enum role role = ROLE_VALUE;
	char text[64], old[64];

	column_get(column, m, row, &v);
	summary_text(d, column, &v, text, sizeof(text));
	if (changes_was(a->sheets[VIEW_ACCOUNTS].changes, &now, NULL, &was)) {
		summary_text(d, column, &was, old, sizeof(old));
		if (strcmp(old, text) != 0) {
			doc_put(d, ROLE_CONTEXT, old);
			doc_putf(d, ROLE_DIM, " %s ", d->ascii ? "->" : "→");
			role = ROLE_CHANGED;
		}
	}
	doc_put(d, v.kind == VALUE_UNKNOWN ? ROLE_DIM : role, text);
	if (v.kind == VALUE_UNKNOWN)
		return;
	*origins |= 1u << v.origin;
	if (v.origin != VALUE_COMPUTED)
		doc_put(d, ROLE_DIM, glyph_text(d, v.origin == VALUE_REPORTED ? GLYPH_REPORTED :
							   GLYPH_DIFFERS));
	if (strcmp(column->name, "rank") == 0)
		doc_putf(d, ROLE_HINT, " of %u %s", m->tree->users,
			 plural(m->tree->users, "user", "users"));
}

/* The algorithm's default columns, in their order. */
static void put_summary_values(const struct app *a, struct doc *d, uint32_t row, unsigned *origins)
{
	const struct view view = accounts_view(a->picture->model);
	unsigned half = d->width >= SUMMARY_TWO, count = 0;

	for (size_t i = 0; i < view.column_count; i++) {
		const struct column *column = &view.columns[i];
		int at = half && count % 2 == 1 ? d->width / 2 : 0;

		if (column->path || (column->only >> a->picture->model->fs->algorithm & 1) == 0)
			continue;
		if (at == 0)
			doc_line(d);
		else
			doc_tab(d, at);
		doc_put(d, ROLE_LABEL, column->title);
		doc_tab(d, at + SUMMARY_VALUE);
		put_summary_value(a, d, column, row, origins);
		count++;
	}
}

/* How the row depends on the account above, and how that one is served. */
static void put_above(const struct app *a, struct doc *d, uint32_t row, unsigned *origins)
{
	const struct model *m = a->picture->model;
	const struct column *ratio = a->sheets[VIEW_ACCOUNTS].ratio;
	uint32_t above = m->tree->fs_parent[row];
	char name[256], text[200];

	if (ratio && (ratio->only >> m->fs->algorithm & 1) == 0)
		ratio = accounts_column("dynamic_priority");
	if (above != ROW_NONE && above != 0 && ratio) {
		detail_name(m->cluster, above, name, sizeof(name));
		doc_begin(d, ROLE_LABEL, "Above");
		doc_tab(d, SUMMARY_VALUE);
		doc_putf(d, ROLE_ACCOUNT, "%s", name);
		doc_putf(d, ROLE_LABEL, "  %s ", ratio->title);
		put_summary_value(a, d, ratio, above, origins);
	}
	doc_begin(d, ROLE_LABEL, "Algorithm");
	doc_tab(d, SUMMARY_VALUE);
	snprintf(text, sizeof(text), "%s: %s", m->algo->title, m->algo->meaning);
	doc_wrap(d, ROLE_HINT, SUMMARY_VALUE, text);
}

/* Explains the signs after values, if they occur. */
static void put_origins(struct doc *d, unsigned origins)
{
	bool reported = (origins >> VALUE_REPORTED & 1) != 0;
	bool differs = (origins >> VALUE_DIFFERS & 1) != 0;

	if (!reported && !differs)
		return;
	doc_line(d);
	if (reported)
		doc_putf(d, ROLE_HINT, "%s as reported, not computed%s",
			 glyph_text(d, GLYPH_REPORTED), differs ? "; " : "");
	if (differs)
		doc_putf(d, ROLE_HINT, "%s differs from the scheduler's value",
			 glyph_text(d, GLYPH_DIFFERS));
}

/* ---- all of it ----------------------------------------------------------------------------- */

static void put_algorithm(const struct model *m, struct doc *d)
{
	doc_line(d);
	if (m->fs->algorithm == FS_LSF)
		doc_put(d, ROLE_HINT, m->algo->meaning);
	else
		doc_putf(d, ROLE_HINT, "%s, %s", m->algo->title,
			 m->fs->base == FS_BASE_REPORTED ? "from the ratios the scheduler reports" :
							   "from raw usage");
}

static void summary_doc(const struct app *a, struct doc *d, uint32_t row)
{
	unsigned origins = 0;

	if (a->picture->model->fs->norm_shares) {
		doc_line(d);
		put_service(a, d, row);
	}
	put_summary_values(a, d, row, &origins);
	put_above(a, d, row, &origins);
	detail_put_limits(a, d, row, NULL, SUMMARY_LIMITS);
	put_origins(d, origins);
}

static void assoc_doc(const struct app *a, struct doc *d, uint32_t row, bool steps)
{
	char room[VALUE_ROOM];

	doc_begin(d, ROLE_ACCENT, cluster_path_get(a->picture->cluster, row, room));
	if (!steps) {
		summary_doc(a, d, row);
		return;
	}
	put_algorithm(a->picture->model, d);
	put_derivation(a, d, row);
	put_siblings(a, d, row);
	detail_put_limits(a, d, row, "Own limits", UINT_MAX);
	put_chart(a, d, row);
	detail_put_past(a, d, row);
	put_reported(a, d, row);
}

static void policy_doc(const struct app *a, struct doc *d, uint32_t row, bool steps)
{
	const struct sheet *sheet = &a->sheets[VIEW_POLICY];

	(void)steps;
	doc_begin(d, ROLE_ACCENT, app_row_name(a, row));
	for (size_t i = 1; i < sheet->all_count; i++) {
		struct value v = { .kind = VALUE_UNKNOWN };
		char text[600];
		column_get(&sheet->all[i], sheet->list.now.view.context, row, &v);
		sheet_cell(&sheet->all[i], &v, 60, d->ascii, text, sizeof(text));
		doc_begin(d, ROLE_LABEL, sheet->all[i].title);
		doc_wrap_at(d, ROLE_VALUE, 12, text);
	}
}

/* A view's details, only the derivation, and the title of the latter. */
static const struct {
	void (*doc)(const struct app *a, struct doc *d, uint32_t row, bool steps);
	const char *steps;
} details[VIEW_COUNT] = {
	[VIEW_ACCOUNTS] = { assoc_doc, "How the factor is computed" },
	[VIEW_JOBS] = { job_doc, "How the priority is computed" },
	[VIEW_POOLS] = { pool_doc, "Details" },
	[VIEW_CLASSES] = { class_doc, "Details" },
	[VIEW_POLICY] = { policy_doc, "Details" },
};

static void row_doc(const struct app *a, struct doc *d, bool steps)
{
	uint32_t row = list_row(&app_sheet_get(a)->list);

	if (row != ROW_NONE && a->picture) {
		details[a->view].doc(a, d, row, steps);
		return;
	}
	doc_begin(d, ROLE_HINT, "no row is selected");
}

static void detail_doc(const struct app *a, struct doc *d)
{
	row_doc(a, d, false);
}

static void steps_doc(const struct app *a, struct doc *d)
{
	row_doc(a, d, true);
}

static void detail_title(const struct app *a, char *buf, size_t size)
{
	snprintf(buf, size, "%s", a->view == VIEW_JOBS ? "Why" :
		 a->view == VIEW_ACCOUNTS ? "Summary" : "Details");
}

static void steps_title(const struct app *a, char *buf, size_t size)
{
	enum view_id view = a->view;

	if (view == VIEW_ACCOUNTS && a->picture && a->picture->model &&
	    a->picture->model->algo->id == FS_LSF)
		view = VIEW_JOBS;	/* shows a priority, too */
	snprintf(buf, size, "%s", details[view].steps);
}

static const struct pane_key detail_keys[] = {
	{ "down", "up", "scroll", NULL }, { "explain", NULL, "explain", NULL },
	{ "why-priority", NULL, "explain", NULL }, { "search", NULL, "find", NULL },
	{ "page-down", "page-up", "page", NULL }, { "maximize", NULL, "size", NULL },
	{ "next-pane", NULL, "rows", NULL }, { "copy", NULL, "copy", NULL },
	{ .word = NULL },
};

static const struct pane_key steps_keys[] = {
	{ "down", "up", "scroll", NULL }, { "search", NULL, "find", NULL },
	{ "page-down", "page-up", "page", NULL }, { "maximize", NULL, "size", NULL },
	{ "next-pane", NULL, "rows", NULL }, { "copy", NULL, "copy", NULL },
	{ .word = NULL },
};

const struct pane_ops detail_pane = {
	.titled = detail_title, .place = PANE_BESIDE, .doc = detail_doc, .keys = detail_keys,
};

const struct pane_ops steps_pane = {
	.titled = steps_title, .place = PANE_BESIDE, .doc = steps_doc, .keys = steps_keys,
};
