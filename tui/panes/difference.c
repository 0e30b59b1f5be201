/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/difference.h"
#include "core/base/plural.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/whatif/changes_list.h"
#include "core/base/visible.h"
#include "tui/panes/pane.h"
#include "tui/time/travel.h"
#include "tui/whatif/whatif_sets.h"

#define ROOMY 70		/* narrower panes have narrow columns */
#define LINES_MOST 1000		/* fairtop diff shows all */

struct difference {
	int64_t time;			/* of the other picture */
	bool wanted;			/* requested from the source */
	struct picture *other;		/* NULL: not there yet, or unreadable */
	struct changes_list *changes;	/* NULL: not made yet */
	uint32_t seen;			/* app.pictures for which it was made */
};

static void diff_forget(struct difference *d)
{
	picture_free(d->other);
	changes_list_free(d->changes);
	*d = (struct difference){ .wanted = false };
}

/* Takes over CLUSTER as the picture that was wanted, NULL: none. */
static void diff_take(struct app *a, struct cluster *cluster)
{
	a->difference->wanted = false;
	a->difference->other = cluster ? app_picture(a, cluster) : NULL;
}

bool difference_from(struct app *a, const char *text, struct err *err)
{
	struct difference *d = a->difference;
	const struct timeline *line = &a->travel->line;
	int64_t time;
	uint32_t before;

	if (!a->picture)
		return err_set(err, ERR_INPUT, "difference: no data yet");
	before = travel_index(a);
	if (text[0] == '\0' && (before == 0 || before == TIMELINE_NONE))
		return err_set(err, ERR_INPUT, "difference: no sample before this one");
	if (text[0] == '\0')
		time = line->samples[before - 1];
	else if (!travel_parse(a, text, &time, err))
		return false;
	diff_forget(d);
	d->time = line->samples[timeline_at(line, time)];
	d->wanted = true;
	pane_open(a, &difference_pane);
	if (a->travel->recorded) {
		a->effects |= APP_SURVEY;
	} else {
		struct cluster *kept = recent_at(&a->travel->recent, d->time);
		diff_take(a, kept ? cluster_share(kept) : NULL);
	}
	return true;
}

/* Ranks are compared if all their input was read for both, or for neither. */
static bool is_ranked(const struct picture *before, const struct picture *after)
{
	static const enum table tables[] = { TABLE_PARTITION, TABLE_QOS, TABLE_HOST, TABLE_PRIO };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		if ((cluster_rows(before->cluster, tables[i]) > 0) !=
		    (cluster_rows(after->cluster, tables[i]) > 0))
			return false;
	}
	return true;
}

static struct changes_list *changes_of(struct picture *before, struct picture *after)
{
	struct changes_moment was = { .model = before->model }, is = { .model = after->model };
	struct changes_list *changes = changes_between(was.model, is.model);

	/* One has ranked jobs if the jobs view was opened. */
	if ((before->queue || after->queue) && is_ranked(before, after)) {
		picture_make_queue(before);
		picture_make_queue(after);
		was.jobs = before->queue->jobs;
		was.keys = before->queue->job_keys;
		is.jobs = after->queue->jobs;
		is.keys = after->queue->job_keys;
	}
	changes_add_news(changes, &was, &is);
	return changes;
}

static void diff_after_event(struct app *a)
{
	struct difference *d = a->difference;
	struct picture *here;

	if (!pane_holds(a, &difference_pane)) {
		diff_forget(d);
		return;
	}
	if (!d->other || !a->picture || whatif_waits(a) ||
	    (d->changes && d->seen == a->pictures))
		return;
	/* Both by the present policy, without the edits of a what-if. */
	here = whatif_base(a);
	changes_list_free(d->changes);
	d->changes = d->time <= travel_time(a) ? changes_of(d->other, here)
					       : changes_of(here, d->other);
	d->seen = a->pictures;
}

/* ---- the pane ------------------------------------------------------------------------------ */

struct diff_place {
	int column, before, after;	/* columns of names, and of the values' ends */
};

/* Formats as in the accounts; a difference with its SIGN. */
static void diff_put_value(const struct changes_list *list, struct doc *d, enum role role, int end,
			   const struct column *column, struct past_value value, bool sign)
{
	struct value v = { .kind = VALUE_UNKNOWN };
	char text[256] = "+";
	size_t signs = sign && value.real > 0;

	past_give(list->texts, value, &v);
	sheet_cell(column ? column : &diff_columns[0], &v, 15, d->ascii, text + signs,
		   sizeof(text) - signs);
	text[strcspn(text, " ")] = '\0';
	doc_right(d, role, end, text);
}

/* Keeps the end of a path, which says more than its beginning. */
static void diff_put_object(struct doc *d, const char *path, int width)
{
	uint32_t ignored;

	if (doc_text_width(d, path) > width) {
		while (*path != '\0' && doc_text_width(d, path) > width - 1)
			path += utf8_decode(path, strlen(path), &ignored);
		doc_put(d, ROLE_DIM, d->ascii ? "~" : "…");
	}
	doc_put(d, ROLE_ACCOUNT, path);
}

static void diff_put_row(const struct changes_list *list, struct doc *d, const struct diff_place *p,
			 uint32_t i)
{
	const struct change *row = &list->rows[i];
	const char *name = row->column;
	const struct column *column = accounts_column(name);
	const struct past_value by = { .kind = VALUE_REAL, .real = row->difference };

	if (!column)
		column = column_find(queue_columns, queue_columns_count, name, strlen(name));
	doc_line(d);
	/* Parameter names are long, and all belong to the policy. */
	diff_put_object(d, column ? text_get(list->texts, row->object) : name, p->column - 2);
	doc_put_at(d, ROLE_LABEL, p->column, column ? column->title : "policy");
	diff_put_value(list, d, ROLE_NUMBER, p->before, column, row->was, false);
	diff_put_value(list, d, ROLE_NUMBER, p->after, column, row->is, false);
	if (isnan(row->difference)) {
		bool came = row->was.kind == VALUE_UNKNOWN;
		bool went = row->is.kind == VALUE_UNKNOWN;
		doc_right(d, came ? ROLE_NEW : went ? ROLE_GONE : ROLE_CHANGED, d->width,
			  came ? "new" : went ? "gone" : "changed");
		return;
	}
	/* the sign, not whether it is better: more usage is not */
	diff_put_value(list, d, ROLE_CHANGED, d->width, column, by, true);
}

static void diff_put_head(struct doc *d, const struct diff_place *p)
{
	doc_begin(d, ROLE_HEAD, "Object");
	doc_put_at(d, ROLE_HEAD, p->column, "Value");
	doc_right(d, ROLE_HEAD, p->before, "Before");
	doc_right(d, ROLE_HEAD, p->after, "After");
	doc_right(d, ROLE_HEAD, d->width, "Difference");
}

static void diff_put_times(const struct app *a, struct doc *d)
{
	int64_t here = travel_time(a), other = a->difference->time;
	char from[32], to[32];

	travel_name(here < other ? here : other, false, from, sizeof(from));
	travel_name(here < other ? other : here, false, to, sizeof(to));
	doc_begin(d, ROLE_LABEL, "from ");
	doc_put(d, ROLE_VALUE, from);
	doc_put(d, ROLE_LABEL, " to ");
	doc_put(d, ROLE_VALUE, to);
	if (a->difference->changes)
		doc_putf(d, ROLE_DIM, "   %u %s", a->difference->changes->count,
			 plural(a->difference->changes->count, "change", "changes"));
}

/* The changes of one KIND, from FIRST on; returns the first of another kind. */
static uint32_t put_kind(const struct app *a, struct doc *d, const struct diff_place *p,
			 uint32_t first)
{
	static const char *const titles[CHANGE_KINDS] = {
		[CHANGE_STARTED] = "Jobs started",
		[CHANGE_ENDED] = "Jobs ended or gone",
		[CHANGE_CROSSED] = "Crossed the fair share",
		[CHANGE_RANKED] = "Jobs with a new rank", [CHANGE_OTHER] = "Values",
	};
	const struct changes_list *list = a->difference->changes;
	enum change_kind kind = list->rows[first].kind;
	uint32_t after = first, put = 0, small = 0;

	while (after < list->count && list->rows[after].kind == kind)
		after++;
	doc_begin(d, ROLE_TITLE, titles[kind]);
	doc_putf(d, ROLE_DIM, "  %u", after - first);
	for (uint32_t i = first; i < after; i++) {
		if (change_is_small(&list->rows[i]))
			small++;
		else if (put++ < LINES_MOST)
			diff_put_row(list, d, p, i);
	}
	if (put > LINES_MOST)
		doc_beginf(d, ROLE_DIM, "%u more", put - LINES_MOST);
	if (small > 0) {
		doc_beginf(d, ROLE_DIM, "%u smaller%s", small,
			   kind == CHANGE_RANKED ? ": by less than a tenth of their rank" :
			   kind == CHANGE_OTHER && a->travel->recorded ?
				  ": fairtop diff lists them all" : "");
	}
	return after;
}

static void difference_doc(const struct app *a, struct doc *d)
{
	const struct changes_list *list = a->difference->changes;
	int w = d->width;
	/* In narrow panes, large numbers must leave columns for the objects' names. */
	struct diff_place p = w < ROOMY ? (struct diff_place){ w - 38, w - 21, w - 11 } :
				     (struct diff_place){ w - 53, w - 29, w - 14 };

	diff_put_times(a, d);
	if (!list) {
		doc_begin(d, ROLE_WARN, a->difference->wanted ? "reading" :
			  "the sample of that time could not be read");
		return;
	}
	if (list->count == 0) {
		doc_begin(d, ROLE_TEXT, "nothing changed");
		return;
	}
	diff_put_head(d, &p);
	for (uint32_t i = 0; i < list->count; )
		i = put_kind(a, d, &p, i);
}

const struct pane_ops difference_pane = {
	.title = "Difference", .place = PANE_BESIDE, .doc = difference_doc,
	.keys = pane_text_keys,
};

/* ---- the feature --------------------------------------------------------------------------- */

static void diff_init(struct app *a)
{
	a->difference = mem_zalloc(1, sizeof(*a->difference));
}

static void diff_end(struct app *a)
{
	diff_forget(a->difference);
	mem_free(a->difference);
}

static const int64_t *diff_survey(const struct app *a, size_t *count, uint32_t *needs)
{
	*count = a->difference->wanted;
	*needs = DIFF_NEEDS | NEED_JOBS | (a->opened[VIEW_JOBS] ? NEED_ALL : 0);
	return &a->difference->time;
}

static bool diff_look(struct app *a, int64_t time, struct cluster *cluster)
{
	if (!a->difference->wanted || time != a->difference->time)
		return false;
	diff_take(a, cluster);
	return true;
}

const struct feature difference_feature = {
	.init = diff_init, .free = diff_end, .after_event = diff_after_event, .survey = diff_survey,
	.look = diff_look,
};
