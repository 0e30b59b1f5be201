/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/many.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "core/share/fairshare.h"
#include "tests/support/scenes.h"

static struct fleet_facts *facts_of(struct cluster *c)
{
	const struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct model *m = model_new(c, &options, NULL);
	struct fleet_facts *f = fleet_facts_new(m);

	model_free(m);
	cluster_free(c);
	return f;
}

struct fleet_facts *many_facts(const char *text)
{
	return facts_of(sketch_cluster(text, FS_DEPTH_OBLIVIOUS));
}

/* The facts of a scene whose first text is TEXT. */
static struct fleet_facts *facts_of_source(const char *text)
{
	const struct scene scene = { .algorithm = -1, .texts = { text } };
	const struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct source *source = scene_source(&scene);
	struct cluster *c = NULL;

	assert_int_equal(source_fetch(source, &request, &c, NULL), FETCH_NEW);
	source_close(source);
	return facts_of(c);
}

void many_hear(struct stage *s, uint32_t row, enum fleet_health health, const char *problem,
	       struct fleet_facts *facts)
{
	struct fleet_row *r = &s->app->overview->rows[row];
	struct fleet_news news = { .row = row, .health = health, .problem = problem,
				   .alarm = r->alarm, .alarms = r->alarms, .watched = r->watched,
				   .good_ms = health == FLEET_GOOD ? s->ms :
					      s->app->overview->good_ms[row],
				   .facts = facts };
	char alarm[sizeof(r->alarm)];
	struct event event = { .type = EVENT_FLEET, .ms = s->ms, .now = SKETCH_TIME,
			       .news = &news };

	memcpy(alarm, r->alarm, sizeof(alarm));
	news.alarm = alarm;
	s->effects |= app_event(s->app, &event);
	app_draw(s->app, s->canvas);
}

/* Sends 17 answers between which the queue grows, most times by BY; ROW takes over the facts. */
static void hear_often(struct stage *s, uint32_t row, const char *text, uint32_t by)
{
	struct fleet_facts *f = facts_of_source(text);

	many_hear(s, row, FLEET_GOOD, "", f);
	for (uint32_t i = 0; i < 16; i++) {
		f->summary.pending += i % 5 < 3 ? by : 0;
		many_hear(s, row, FLEET_GOOD, "", NULL);
	}
}

struct stage *many_stage(void)
{
	static const char *const names[] = { "aurora", "borealis", NULL, NULL, NULL, "gamma",
					     "delta" };
	static const char *const sources[] = {
		"slurm", "ssh:login2/slurm", "pbs", "demo:4", "demo:9", "ssh:gamma/slurm",
		"ssh:delta/slurm",
	};
	struct stage *s = stage_empty(NULL);

	overview_begin(s->app, names, sources, 7);
	for (uint32_t i = 0; i < 2; i++)
		s->app->overview->rows[i].watched = true;
	s->app->overview->rows[1].alarms = 2;
	snprintf(s->app->overview->rows[1].alarm, sizeof(s->app->overview->rows[1].alarm),
		 "starved /physics/hep");
	hear_often(s, 0, "@demo:1,speed=0", 30);
	hear_often(s, 1, "physics 40\n\t+alice 1 900 r2 p3\nbiology 20\n\t+bob 1 50 p1\n", 0);
	hear_often(s, 2, "=01_main", 7);
	hear_often(s, 3, "@demo:4,speed=0", 11);
	hear_often(s, 4, "@demo:9,speed=0", 2);
	many_hear(s, 5, FLEET_DEAD, "gamma: ssh: no route to host", NULL);
	stage_wait(s, 90000);
	for (uint32_t i = 0; i < 4; i++)
		many_hear(s, i, FLEET_GOOD, "", NULL);
	many_hear(s, 4, FLEET_OLD, "slurmctld does not answer (no reply within 10 s)", NULL);
	return s;
}
