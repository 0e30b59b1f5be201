/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/screen/clusters.h"

#include <stdio.h>
#include <string.h>

#include "adapters/turns.h"
#include "adapters/clock.h"
#include "adapters/registry/apart.h"
#include "core/base/mem.h"
#include "core/watch/watch.h"
#include "tui/panes/pane_alarms.h"
#include "tui/whatif/show.h"

/* A thread's result for an answer; FACTS NULL: no answer, or no model can be made. */
struct clusters_made {
	struct fleet_facts *facts;
	int64_t ms;			/* when they were made, monotonic */
	char problem[ERR_MESSAGE_MAX];	/* why there is no model */
	bool recorded;
	uint32_t alarms;
	char alarm[200];	/* the latest one, or what keeps the rules from being evaluated */
};

/* One source. Threads use only WATCH, one thread at a time. */
struct clusters_kept {
	struct watch *watch;		/* NULL: no rules */
	char *source;			/* owned: the full text, while there are threads */
	bool saved;			/* saved data, so as old as its picture */
	bool has_facts, recorded, heard;
	int64_t facts_ms;		/* when it last confirmed the facts */
	char problem[ERR_MESSAGE_MAX];
	uint32_t alarms;
	char alarm[200];
};

struct clusters {
	struct turns *turns;
	struct model_options options;
	struct clusters_kept *kept;
	uint32_t count;
	struct collector_status status;		/* of the latest news */
};

/* ---- in the threads ------------------------------------------------------------------------- */

static void tell_nobody(void *context, const struct alarm_rule *rule, const struct alarm_row *row,
			int64_t time)
{
	(void)context;
	(void)rule;
	(void)row;
	(void)time;
}

/* The latest of the alarms that are on. */
static void name_alarm(const struct watch *w, struct clusters_made *made)
{
	int64_t since = INT64_MIN;

	for (size_t i = 0; i < watch_rules(w); i++) {
		const struct alarm_rule *rule = watch_rule(w, i);

		for (size_t k = 0; k < rule->count; k++) {
			if (!rule->rows[k].on || rule->rows[k].since < since)
				continue;
			since = rule->rows[k].since;
			snprintf(made->alarm, sizeof(made->alarm), "%s %s", rule->name,
				 rule->rows[k].object);
		}
	}
}

static void clusters_look(const struct clusters *c, struct clusters_kept *k,
			  const struct source *source, const struct model *model,
			  struct clusters_made *made)
{
	struct watch_answer answer = { .source = k->source, .model = model,
				       .health = source ? source->health : NULL,
				       .options = &c->options, .now = clock_time() };
	struct err err = { .code = ERR_NONE };

	if (!k->watch)
		return;
	if (watch_look(k->watch, &answer, tell_nobody, NULL, &err))
		name_alarm(k->watch, made);
	else
		snprintf(made->alarm, sizeof(made->alarm), "%.199s", err.message);
	made->alarms = (uint32_t)watch_count(k->watch);
}

static void *clusters_make(void *context, size_t i, struct source *source, struct cluster *cluster)
{
	const struct clusters *c = context;
	struct clusters_made *made = mem_zalloc(1, sizeof(*made));
	struct err err = { .code = ERR_NONE };
	struct model *model = cluster ? model_new(cluster, &c->options, &err) : NULL;

	if (cluster && !model)
		snprintf(made->problem, sizeof(made->problem), "%s", err.message);
	if (model) {
		made->facts = fleet_facts_new(model);
		made->ms = clock_ms();
		made->recorded = apart_is_recording(source);
	}
	clusters_look(c, &c->kept[i], source, model, made);
	model_free(model);
	cluster_free(cluster);
	return made;
}

/* A failure does not discard an answer that was not taken yet. */
static void clusters_drop(void *what, void *instead)
{
	struct clusters_made *made = what, *next = instead;

	if (next && !next->facts) {
		next->facts = made->facts;
		next->ms = made->ms;
		next->recorded = made->recorded;
		made->facts = NULL;
		if (next->problem[0] == '\0')
			memcpy(next->problem, made->problem, sizeof(next->problem));
	}
	fleet_facts_free(made->facts);
	mem_free(made);
}

static void clusters_done(void *context)
{
	struct clusters *c = context;

	for (uint32_t i = 0; i < c->count; i++) {
		watch_free(c->kept[i].watch);
		mem_free(c->kept[i].source);
	}
	mem_free(c->kept);
	mem_free(c);
}

static struct source *clusters_open_source(const char *spec, struct err *err)
{
	return source_open_beside(spec, false, err);
}

/* ---- the owner's side ----------------------------------------------------------------------- */

/* Each source has its own copy of the rules. They were parsed before, so this cannot fail. */
static struct watch *clusters_rules_of(const struct app *a)
{
	char rule[SCRIPT_LINE];
	struct watch *w = NULL;

	for (size_t i = 0; alarms_rule(a, i, rule, sizeof(rule)); i++) {
		w = w ? w : watch_new(false);
		(void)watch_add(w, rule, false, NULL);
	}
	return w;
}

struct clusters *clusters_new(struct app *a, const struct screen_cluster *list, size_t count,
			      struct err *err)
{
	struct clusters *c = mem_zalloc(1, sizeof(*c));
	const struct turns_maker maker = { clusters_open_source, clusters_make, clusters_drop,
					   clusters_done, c };
	const char **names = mem_alloc(2 * count + 1, sizeof(*names)), **sources = names + count;
	uint32_t needs = a->watched ? NEED_ALL & ~(uint32_t)NEED_LICENSES : FLEET_NEEDS;

	for (size_t i = 0; i < count; i++) {
		names[i] = list[i].name;
		sources[i] = list[i].source;
	}
	overview_begin(a, names, sources, count);
	c->options = a->model_options;
	c->count = (uint32_t)count;
	c->kept = mem_zalloc(count + 1, sizeof(*c->kept));
	for (uint32_t i = 0; i < c->count; i++) {
		c->kept[i].source = mem_strdup(sources[i]);
		c->kept[i].saved = apart_is_saved(sources[i]);
		c->kept[i].facts_ms = -1;
		c->kept[i].watch = clusters_rules_of(a);
	}
	c->turns = turns_new(sources, NULL, count, needs, app_every_ms(a), &maker, err);
	mem_free(names);
	return c->turns ? c : NULL;
}

void clusters_free(struct clusters *c)
{
	if (c)
		turns_free(c->turns);
}

int clusters_fd(const struct clusters *c)
{
	return turns_fd(c->turns);
}

void clusters_wait(const struct clusters *c)
{
	turns_wait(c->turns, -1);
}

void clusters_drain(struct clusters *c)
{
	turns_drain(c->turns);
}

static void clusters_take(struct clusters_kept *k, struct clusters_made *made,
			  struct fleet_news *news)
{
	news->facts = made->facts;
	if (made->facts) {
		k->has_facts = true;
		k->facts_ms = made->ms;
		k->recorded = made->recorded;
	}
	/* Without an answer, the last one stays valid. */
	if (made->facts || made->problem[0] != '\0')
		memcpy(k->problem, made->problem, sizeof(k->problem));
	k->alarms = made->alarms;
	memcpy(k->alarm, made->alarm, sizeof(k->alarm));
	mem_free(made);
}

bool clusters_next(struct clusters *c, struct fleet_news *news)
{
	void *made = NULL;
	struct clusters_kept *k;
	size_t i;

	*news = (struct fleet_news){ .row = 0 };
	if (!turns_take(c->turns, &i, &c->status, &made))
		return false;
	k = &c->kept[i];
	k->heard = true;
	if (made)
		clusters_take(k, made, news);
	news->row = (uint32_t)i;
	news->problem = c->status.code != ERR_NONE ? c->status.problem : k->problem;
	news->health = news->problem[0] == '\0' ? FLEET_GOOD : k->has_facts ? FLEET_OLD :
		       FLEET_DEAD;
	/* "Nothing has changed" confirms the facts again. */
	if (news->health == FLEET_GOOD)
		k->facts_ms = c->status.last_good_ms;
	news->good_ms = k->facts_ms;
	news->dated = k->recorded || k->saved;
	news->watched = k->watch != NULL;
	news->alarms = k->alarms;
	news->alarm = k->alarm;
	return true;
}

uint32_t clusters_silent(const struct clusters *c)
{
	uint32_t silent = 0;

	for (uint32_t i = 0; i < c->count; i++)
		silent += !c->kept[i].heard;
	return silent;
}

struct source *clusters_open(struct clusters *c, uint32_t i, struct err *err)
{
	return source_open_beside(c->kept[i].source, c->kept[i].recorded, err);
}

void clusters_refresh(struct clusters *c)
{
	turns_refresh(c->turns);
}

void clusters_freeze(struct clusters *c, bool frozen)
{
	turns_freeze(c->turns, frozen);
}
