/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/panes/pane_why.h"

#include <ctype.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/why/why_view.h"
#include "tui/base/why_text.h"
#include "tui/base/zone.h"
#include "tui/panes/pane.h"
#include "tui/panes/start_times.h"
#include "tui/whatif/whatif_sets.h"

struct why_box {
	/* The answer read from the picture, and its input. */
	struct why *read;
	struct why_box_of {
		const struct jobs *jobs;
		uint32_t pictures, row, starts;
	} of;
	struct why_order *order;	/* NULL: taken */
	uint32_t asked_pictures, asked_entry;	/* of the last order */
	struct why_answer *answer;	/* the last one; may be for another job */
};

void why_order_free(void *order)
{
	struct why_order *o = order;

	if (o)
		cluster_free(o->cluster);
	mem_free(o);
}

void why_answer_free(void *answer)
{
	struct why_answer *s = answer;

	if (!s)
		return;
	why_free(s->why);
	jobs_free(s->jobs);
	model_free(s->model);
	cluster_free(s->cluster);
	mem_free(s);
}

/* ---- what is known of it ------------------------------------------------------------------- */

/* For Slurm: with the simulated starts of the queue, once known. */
static void pane_why_put_start(const struct app *a, struct why *w)
{
	const struct queue *q = a->picture->queue;

	if (!start_times_simulated(a->picture))
		why_put_start(w, NULL, "starts are simulated for Slurm only");
	else if (a->start_times->problem[0] != '\0')
		why_put_start(w, NULL, a->start_times->problem);
	else if (q->start_of && !q->starts.rough)
		why_put_start(w, &q->starts, NULL);
}

/* The answer about entry ROW of the picture, as far as known; owned by the feature. */
static const struct why *why_answer_of(const struct app *a, uint32_t row)
{
	const struct jobs *jobs = a->picture->queue->jobs;
	struct why_box *s = a->why;
	struct why_box_of of;

	memset(&of, 0, sizeof(of));
	of = (struct why_box_of){ jobs, a->pictures, row, a->start_times->answers };
	if (!s->read || memcmp(&of, &s->of, sizeof(of)) != 0) {
		why_free(s->read);
		s->read = why_new(jobs, why_speaker(jobs, row), &zone_local);
		pane_why_put_start(a, s->read);
		s->of = of;
	}
	if (!s->answer || s->answer->pictures != a->pictures || s->answer->entry != s->read->entry)
		return s->read;
	if (a->picture->queue->start_of)
		why_put_span(s->answer->why, &a->picture->queue->starts);
	return s->answer->why;
}

/* ---- orders -------------------------------------------------------------------------------- */

/* With active edits, further edits are not tried: what helps is for the unedited cluster. */
static bool is_tried(const struct app *a)
{
	return start_times_simulated(a->picture) && whatif_base(a) == a->picture;
}

static void why_after_event(struct app *a)
{
	struct why_box *s = a->why;
	const struct why *w;
	uint32_t row;

	if (a->view != VIEW_JOBS || !pane_holds(a, &detail_pane) || !a->picture ||
	    !a->picture->queue || !is_tried(a))
		return;
	row = list_row(&app_sheet_get(a)->list);
	w = row != ROW_NONE ? why_answer_of(a, row) : NULL;
	if (!w || w->state != WHY_WAITS ||
	    (s->asked_pictures == a->pictures && s->asked_entry == w->entry))
		return;
	s->asked_pictures = a->pictures;
	s->asked_entry = w->entry;
	why_order_free(s->order);
	s->order = mem_alloc(1, sizeof(*s->order));
	*s->order = (struct why_order){ a->pictures, w->entry, cluster_share(a->picture->cluster),
					a->picture->options };
}

void *why_box_order(struct app *a)
{
	struct why_order *o = a->why->order;

	a->why->order = NULL;
	return o;
}

void why_box_take(struct app *a, void *answer)
{
	why_answer_free(a->why->answer);
	a->why->answer = answer;
}

/* ---- as text ------------------------------------------------------------------------------- */

/* Begins a line with the label of PART. */
static void why_put_label(struct doc *d, const char *label)
{
	doc_line(d);
	if (label[0] != '\0')
		doc_putf(d, ROLE_LABEL, "%c%s", tolower((unsigned char)label[0]), label + 1);
	doc_tab(d, WHY_TEXT_LABEL);
}

static void why_put_line(struct doc *d, const char *label, const struct why_line *line)
{
	const char *command = why_command(line);
	enum role role = line->never ? ROLE_ERROR : line->part == WHY_HOLDS ? ROLE_WARN :
			 line->part == WHY_UNKNOWN ? ROLE_HINT : ROLE_VALUE;

	why_put_label(d, label);
	doc_wrap(d, role, WHY_TEXT_LABEL, line->text);
	if (!command)
		return;
	doc_line(d);
	doc_tab(d, WHY_TEXT_LABEL + 2);
	doc_wrap(d, ROLE_FORMULA, WHY_TEXT_LABEL + 4, command);
}

static void why_put_head(struct doc *d, const struct why *w)
{
	char *head = why_head(w);

	doc_line(d);
	doc_wrap(d, ROLE_ACCENT, 0, head);
	mem_free(head);
}

/* What of PART is pending, or will never come; NULL: nothing. */
static const char *why_awaited(const struct app *a, const struct why *w, enum why_part part)
{
	const struct why_box *s = a->why;
	bool answered = s->answer && w == s->answer->why;

	if (w->state != WHY_WAITS || !start_times_simulated(a->picture) ||
	    a->start_times->problem[0] != '\0')
		return NULL;
	if (part == WHY_START && !why_line_of(w, WHY_START))
		return "not simulated yet";
	if (part != WHY_HELPS)
		return NULL;
	return !is_tried(a) ? "not tried with edits" :
	       !answered || !s->answer->done ? "not tried yet" : NULL;
}

void why_short_doc(const struct app *a, struct doc *d, uint32_t row)
{
	const struct why *w = why_answer_of(a, row);
	const struct why_line *line = why_shown(w, WHY_HOLDS, 0);

	why_put_head(d, w);
	if (line)
		why_put_line(d, why_label(w, WHY_HOLDS), line);
}

/* If a job's reason is not simulated, its start says nothing, with or without edits. */
static bool is_known_without(const struct app *a, uint32_t row)
{
	const struct changes_pair *v = whatif_changes(a);
	uint32_t b = v && v->jobs ? changes_entry(v, row) : ROW_NONE;
	struct why *w;
	bool known;

	if (b == ROW_NONE)
		return false;
	w = why_new(v->base_jobs, why_speaker(v->base_jobs, b), NULL);
	why_put_start(w, &whatif_base(a)->queue->starts, NULL);
	known = w->start != I64_UNKNOWN;
	why_free(w);
	return known;
}

static void put_what_if(const struct app *a, struct doc *d, uint32_t row, int label)
{
	if (why_answer_of(a, row)->start != I64_UNKNOWN && is_known_without(a, row))
		start_times_what_if(a, d, row, label);
}

void why_start_doc(const struct app *a, struct doc *d, uint32_t row, int label)
{
	const struct why *w = why_answer_of(a, row);
	const struct why_line *line = why_line_of(w, WHY_START);
	bool simulated = start_times_simulated(a->picture);

	if (w->state == WHY_WAITS && simulated && (!line || w->start != I64_UNKNOWN)) {
		start_times_doc(a, d, row, label);
		put_what_if(a, d, row, label);
	} else if (line && (w->state != WHY_WAITS || simulated ||
			    cluster_i64(a->picture->cluster, F_JOB_START, w->job) > 0)) {
		doc_begin(d, ROLE_LABEL, "start");
		doc_wrap_at(d, ROLE_VALUE, label, line->text);
	}
}

void why_doc(const struct app *a, struct doc *d, uint32_t row)
{
	const struct why *w = why_answer_of(a, row);
	const struct why_line *line;

	why_put_head(d, w);
	for (enum why_part part = WHY_HOLDS; part < WHY_PARTS; part++) {
		const char *label = why_label(w, part), *later = why_awaited(a, w, part);

		for (size_t n = 0; (line = why_shown(w, part, n)); n++)
			why_put_line(d, n == 0 ? label : "", line);
		if (later) {
			why_put_label(d, label);
			doc_putf(d, ROLE_HINT, "%s", later);
		}
	}
	put_what_if(a, d, row, WHY_TEXT_LABEL);
}

void why_write(const struct app *a, uint32_t row, struct sink out)
{
	const struct why *w = why_answer_of(a, row);
	char *head = why_head(w);

	why_text_item(out, "", 0, WHY_TEXT_WIDTH, head);
	mem_free(head);
	for (enum why_part part = WHY_HOLDS; part < WHY_PARTS; part++) {
		const char *later = why_awaited(a, w, part);

		why_text_part(out, w, part, WHY_TEXT_WIDTH);
		if (later)
			why_text_item(out, why_label(w, part), WHY_TEXT_LABEL, WHY_TEXT_WIDTH,
				      later);
	}
	/* A mail does not show the edits. */
	if (whatif_base(a) != a->picture)
		why_text_item(out, "What-if", WHY_TEXT_LABEL, WHY_TEXT_WIDTH,
			      "computed with edits, not for the cluster as it is");
}

/* ---- the feature --------------------------------------------------------------------------- */

static void why_init(struct app *a)
{
	a->why = mem_zalloc(1, sizeof(*a->why));
}

static void why_leave(struct app *a)
{
	why_order_free(a->why->order);
	why_answer_free(a->why->answer);
	why_free(a->why->read);
	mem_free(a->why);
}

const struct feature why_feature = { .init = why_init,
				     .free = why_leave,
				     .after_event = why_after_event };
