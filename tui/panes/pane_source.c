/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The source: how it is read, its state, and which data is unknown, with the reason. */
#include "tui/panes/pane_source.h"

#include <stdio.h>

#include "core/base/format.h"
#include "core/base/plural.h"
#include "tui/base/coarse.h"
#include "tui/base/zone.h"
#include "tui/panes/detail.h"
#include "tui/panes/pane.h"
#include "tui/time/travel.h"

int64_t source_until_asked(const struct app *a)
{
	if (!a->source.live || a->frozen || a->source.busy || a->source.next_ms == 0)
		return I64_UNKNOWN;
	return a->source.next_ms > a->ms ? (a->source.next_ms - a->ms + 999) / 1000 : 0;
}

void source_asked(const struct app *a, char *buf, size_t size)
{
	int64_t left = source_until_asked(a);
	char when[32];

	buf[0] = '\0';
	if (a->source.busy && a->source.live)
		snprintf(buf, size, "asking");
	else if (left != I64_UNKNOWN && left < 10)
		snprintf(buf, size, "next request soon");
	if (left == I64_UNKNOWN || left < 10)
		return;
	coarse_left(left, when, sizeof(when));
	snprintf(buf, size, "next request in %s", when);
}

static void source_put_time(struct doc *d, const char *label, int64_t time)
{
	struct column column = { .format = COLUMN_TIME };
	struct value v = { .kind = VALUE_INT, .integer = time };
	char text[64];

	if (time == I64_UNKNOWN) {
		pane_pair(d, label, ROLE_DIM, "unknown");
		return;
	}
	format_cell(&column, &v, &zone_local, text, sizeof(text));
	pane_pair(d, label, ROLE_VALUE, text);
}

static void put_cluster(const struct app *a, struct doc *d)
{
	const struct cluster *c = a->picture->cluster;
	const struct cluster_meta *meta = cluster_meta(c);
	char text[200];

	doc_line(d);
	pane_pair(d, "Cluster", ROLE_VALUE, meta->name);
	snprintf(text, sizeof(text), "%.60s %.60s", meta->kind, meta->version);
	pane_pair(d, "Scheduler", ROLE_VALUE, text);
	source_put_time(d, "Sampled at", meta->time);
	source_put_time(d, "Last pass", meta->last_decay);
	snprintf(text, sizeof(text), "%u %s, %u %s, %u %s", cluster_rows(c, TABLE_ASSOC),
		 plural(cluster_rows(c, TABLE_ASSOC), "association", "associations"),
		 cluster_rows(c, TABLE_JOB), plural(cluster_rows(c, TABLE_JOB), "job", "jobs"),
		 cluster_rows(c, TABLE_HOST), plural(cluster_rows(c, TABLE_HOST), "node", "nodes"));
	pane_pair(d, "Contains", ROLE_VALUE, text);
	doc_title(d, "Not reported by the source");
	for (uint32_t i = 0; i < cluster_notes(c); i++) {
		struct note note = cluster_note(c, i);
		doc_begin(d, ROLE_WARN, note.subject);
		doc_wrap_at(d, ROLE_TEXT, 14, note.text);
	}
	if (cluster_notes(c) == 0)
		doc_begin(d, ROLE_HINT, "nothing: the source reported all that fairtop asked for");
}

/* How far back steps are possible, and the memory that a live screen uses for that. */
static void source_put_past(const struct app *a, struct doc *d)
{
	const struct travel *t = a->travel;
	char text[120], since[32], bytes[32] = "";

	if (t->line.count < 2)
		return;
	travel_name(t->line.samples[0], false, since, sizeof(since));
	if (!t->recorded)
		snprintf(bytes, sizeof(bytes), ", %.1f of %zu MiB",
			 (double)t->recent.bytes / (1 << 20), RECENT_BYTES >> 20);
	snprintf(text, sizeof(text), "%zu samples since %s%s", t->line.count, since, bytes);
	pane_pair(d, "Past", ROLE_VALUE, text);
}

static void source_doc(const struct app *a, struct doc *d)
{
	char text[120], asked[64];

	pane_pair(d, "Source", ROLE_VALUE, a->source.name);
	pane_pair(d, "Read by", ROLE_VALUE, a->source.detail);
	if (a->source.live) {
		source_asked(a, asked, sizeof(asked));
		snprintf(text, sizeof(text), "every %lld s%s%s%s",
			 (long long)(app_every_ms(a) / 1000),
			 a->frozen ? ", frozen now" : "", asked[0] != '\0' ? ", " : "", asked);
		pane_pair(d, "Refresh", ROLE_VALUE, text);
	} else {
		pane_pair(d, "Refresh", ROLE_VALUE, "once: the source does not change");
	}
	source_put_past(a, d);
	pane_pair(d, "Problem", ROLE_ERROR, a->source.problem);
	pane_pair(d, "Problem", ROLE_ERROR, a->model_problem);
	if (a->picture)
		put_cluster(a, d);
}

const struct pane_ops source_pane = {
	.title = "Source", .width = 90, .lines = 24, .doc = source_doc,
	.keys = (const struct pane_key[]){
		{ "down", "up", "scroll", NULL }, { "search", NULL, "find", NULL },
		{ .word = NULL },
	},
};
