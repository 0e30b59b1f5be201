/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * diff: what has changed between two times of a recording.
 */
#include "adapters/store/store.h"
#include "core/base/format.h"
#include "core/whatif/changes_list.h"
#include "tui/base/zone.h"
#include "cli/session.h"
#include "cli/verbs.h"

/* One of the two times. */
struct verb_diff_moment {
	struct cluster *c;
	struct model *m;
};

/* Whether the recording covers OPTION's TIME, or none is given. */
static bool check_time(const char *option, int64_t time, const struct store_sample *first,
		       const struct store_sample *last, struct err *err)
{
	int64_t end = last->seen > last->time ? last->seen : last->time;
	char at[48], since[48], until[48];

	if (time == I64_UNKNOWN || (time >= first->time && time <= end))
		return true;
	(void)format_time(time, &zone_local, at, sizeof(at));
	(void)format_time(first->time, &zone_local, since, sizeof(since));
	(void)format_time(end, &zone_local, until, sizeof(until));
	return err_set(err, ERR_INPUT,
		       "%s: %s is not in the recording (expected a time from %s to %s)", option, at,
		       since, until);
}

static bool check_times(struct store_reader *r, const struct options *o, struct err *err)
{
	struct store_sample first, last;
	char from[48], to[48];

	if (!store_range(r, &first, &last, err) ||
	    !check_time("--from", o->from, &first, &last, err) ||
	    !check_time("--to", o->to, &first, &last, err))
		return false;
	if (o->from == I64_UNKNOWN || o->to == I64_UNKNOWN || o->from <= o->to)
		return true;
	(void)format_time(o->from, &zone_local, from, sizeof(from));
	(void)format_time(o->to, &zone_local, to, sizeof(to));
	return err_set(err, ERR_INPUT, "--from: %s is after --to, %s (expected the earlier time)",
		       from, to);
}

/* Opens the sample of TIME; if not given, the first or the last one. */
static bool moment_open(struct verb_diff_moment *m, struct store_reader *r, int64_t time, bool last,
			const struct options *o, struct err *err)
{
	struct store_sample first, newest, s;

	if (!store_range(r, &first, &newest, err))
		return false;
	s = last ? newest : first;
	if (time != I64_UNKNOWN && !store_at(r, time, &s, err))
		return err_prefix(err, last ? "--to" : "--from");
	m->c = store_read(r, s.id, DIFF_NEEDS, err);
	m->m = m->c ? model_new(m->c, &o->model, err) : NULL;
	return m->m != NULL;
}

static void moment_close(struct verb_diff_moment *m)
{
	model_free(m->m);
	cluster_free(m->c);
}

/* Returns NULL, with ERR, if one of them cannot be read. */
static struct changes_list *diff_moments(const struct options *o, struct err *err)
{
	struct store_reader *r = store_reader_open(o->source, err);
	struct verb_diff_moment a = { NULL, NULL }, b = { NULL, NULL };
	struct changes_list *d = NULL;

	if (r && check_times(r, o, err) && moment_open(&a, r, o->from, false, o, err) &&
	    moment_open(&b, r, o->to, true, o, err))
		d = changes_between(a.m, b.m);
	moment_close(&a);
	moment_close(&b);
	store_reader_close(r);
	return d;
}

int diff_answer(struct session *s, struct selection *selection)
{
	struct err err = { .code = ERR_NONE };
	struct changes_list *d = diff_moments(s->options, &err);
	struct view view;
	int status;

	if (!d)
		return complain_about(s->options->source, &err);
	view = diff_view(d);
	status = session_answer(s, &view, selection, NULL, 0);
	changes_list_free(d);
	return status;
}
