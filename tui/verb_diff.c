/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff: what has changed between two times of a recording.
 */
#include "adapters/store/store.h"
#include "core/mem.h"
#include "tui/diff.h"
#include "tui/session.h"
#include "tui/verbs.h"

/* One of the two times. */
struct moment {
	struct cluster *c;
	struct model *m;
};

/* The sample of TIME; the first one or the last one where it is not given. */
static bool moment_open(struct moment *m, struct store_reader *r, int64_t time, bool last,
			const struct options *o, struct err *err)
{
	struct store_sample first, newest, s;

	if (!store_range(r, &first, &newest, err))
		return false;
	s = last ? newest : first;
	if (time != I64_UNKNOWN && !store_at(r, time, &s, err)) {
		err_prefix(err, last ? "--to" : "--from");
		return false;
	}
	m->c = store_read(r, s.id, DIFF_NEEDS, err);
	m->m = m->c ? model_new(m->c, &o->model, err) : NULL;
	return m->m != NULL;
}

static void moment_close(struct moment *m)
{
	model_free(m->m);
	cluster_free(m->c);
}

/* NULL and err if one of them cannot be read. */
static struct diff *diff_moments(const struct options *o, struct err *err)
{
	struct store_reader *r = store_reader_open(o->source, err);
	struct moment a = { NULL, NULL }, b = { NULL, NULL };
	struct diff *d = NULL;

	if (r && moment_open(&a, r, o->from, false, o, err) &&
	    moment_open(&b, r, o->to, true, o, err))
		d = diff_new(a.m, b.m);
	moment_close(&a);
	moment_close(&b);
	store_reader_close(r);
	return d;
}

int verb_diff(const struct options *o)
{
	struct diff *d = NULL;
	const struct diff nothing = { .count = 0 };
	struct view view = diff_view(&nothing);
	struct session *s = mem_zalloc(1, sizeof(*s));
	struct err err = { .code = ERR_NONE };
	struct selection selection;
	int status = selection_parse(&selection, o, &view);

	if (status == 0) {
		d = diff_moments(o, &err);
		if (!d)
			status = complain_about(o->source, &err);
	}
	if (status == 0)
		status = session_open(s, o, DIFF_NEEDS);
	if (status == 0) {
		view = diff_view(d);
		status = session_answer(s, &view, &selection, NULL, 0);
	}
	session_close(s);
	selection_free(&selection);
	diff_free(d);
	mem_free(s);
	return status;
}
