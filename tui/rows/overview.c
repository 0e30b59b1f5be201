/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/rows/overview.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/visible.h"

#define TICK_MS 10000		/* ages are rounded to this: counting seconds would be restless */

/* ---- rows ----------------------------------------------------------------------------------- */

/* The list only knows rows changed in place: there are no former data to compare with. */
static void overview_update(struct app *a)
{
	struct list *list = &a->sheets[VIEW_CLUSTERS].list;
	struct list_data data = overview_data(a);

	list_update(list, &data);
	list_forget(list);
}

struct list_data overview_data(const struct app *a)
{
	const struct overview *o = a->overview;

	return (struct list_data){ .view = fleet_view(o->rows, o->count), .keys = o->keys };
}

static void name_rows(struct overview *o)
{
	fleet_rows_compare(o->rows, o->count);
	for (uint32_t i = 0; i < o->count; i++)
		fleet_row_title(&o->rows[i], o->titles[i], sizeof(o->titles[i]));
}

/* Cuts the text last: otherwise the @ after a password could be cut off. */
static void show_source(struct fleet_row *r, const char *source)
{
	char *text = mem_strdup(source);

	visible_hide_passwords(text);
	snprintf(r->source, sizeof(r->source), "%s", text);
	mem_free(text);
}

void overview_name(const char *const *sources, size_t count, char *buf, size_t size)
{
	uint64_t all = 0;

	for (size_t i = 0; i < count; i++)
		all = text_hash(sources[i], strlen(sources[i]), all);
	snprintf(buf, size, "%zu sources, %016" PRIx64, count, all);
}

void overview_begin(struct app *a, const char *const *names, const char *const *sources,
		    size_t count)
{
	struct overview *o = mem_zalloc(1, sizeof(*o));

	o->count = (uint32_t)count;
	o->rows = mem_zalloc(count + 1, sizeof(*o->rows));
	o->good_ms = mem_alloc(count + 1, sizeof(*o->good_ms));
	o->dated = mem_zalloc(count + 1, sizeof(*o->dated));
	o->keys = mem_alloc(count + 1, sizeof(*o->keys));
	o->titles = mem_zalloc(count + 1, sizeof(*o->titles));
	for (size_t i = 0; i < count; i++) {
		struct fleet_row *r = &o->rows[i];

		r->age = I64_UNKNOWN;
		snprintf(r->name, sizeof(r->name), "%s", names[i] ? names[i] : "");
		show_source(r, sources[i]);
		o->good_ms[i] = -1;
		o->keys[i] = text_hash(sources[i], strlen(sources[i]), i + 1);
	}
	overview_name(sources, count, a->source.name, sizeof(a->source.name));
	a->overview = o;
	a->view = a->last_view = VIEW_CLUSTERS;
	a->opened[VIEW_CLUSTERS] = true;
	name_rows(o);
	overview_update(a);
}

void overview_free(struct app *a)
{
	struct overview *o = a->overview;

	if (!o)
		return;
	for (uint32_t i = 0; i < o->count; i++)
		fleet_facts_free(o->rows[i].facts);
	MEM_FREE(o->rows, o->good_ms, o->dated, o->keys, o->titles, o);
}

/* ---- ages ----------------------------------------------------------------------------------- */

/*
 * For saved data, and files still being written, the age is the picture's; a demo has its own
 * clock.
 */
static int64_t age_of(const struct app *a, uint32_t i)
{
	const struct overview *o = a->overview;
	const struct fleet_facts *f = o->rows[i].facts;
	int64_t age;

	if (!f || o->good_ms[i] < 0)
		return I64_UNKNOWN;
	if (o->dated[i] && strcmp(f->kind, "demo") != 0)
		age = f->time != I64_UNKNOWN ? a->now - f->time : I64_UNKNOWN;
	else
		age = (a->ms - o->good_ms[i]) / 1000;
	if (age == I64_UNKNOWN)
		return age;
	return age > 0 ? age - (age < 60 ? age % (TICK_MS / 1000) : 0) : 0;
}

void overview_tick(struct app *a)
{
	struct overview *o = a->overview;
	bool changed = false;

	for (uint32_t i = 0; i < o->count; i++) {
		int64_t age = age_of(a, i);

		changed = changed || age != o->rows[i].age;
		o->rows[i].age = age;
	}
	if (changed)
		overview_update(a);
}

int64_t overview_next_ms(const struct app *a)
{
	for (uint32_t i = 0; i < a->overview->count; i++) {
		if (a->overview->rows[i].facts)
			return a->ms + TICK_MS;
	}
	return -1;
}

/* ---- news ----------------------------------------------------------------------------------- */

static void find_account(struct overview *o, struct fleet_row *r)
{
	r->account = o->account[0] != '\0' ? fleet_account(r->facts, o->account) : NULL;
}

void overview_take(struct app *a, const struct fleet_news *news)
{
	struct overview *o = a->overview;
	struct fleet_row *r = &o->rows[news->row];

	r->health = news->health;
	snprintf(r->problem, sizeof(r->problem), "%s", news->problem);
	visible_hide_passwords(r->problem);
	r->watched = news->watched;
	if (news->health == FLEET_GOOD || news->facts)
		fleet_row_take(r, news->facts);
	r->alarms = news->alarms;
	snprintf(r->alarm, sizeof(r->alarm), "%s", news->alarm);
	if (news->facts)
		o->dated[news->row] = news->dated;
	o->good_ms[news->row] = news->good_ms;
	find_account(o, r);
	name_rows(o);
	r->age = age_of(a, news->row);
	overview_update(a);
}

void overview_choose(struct app *a, const char *account)
{
	struct overview *o = a->overview;

	snprintf(o->account, sizeof(o->account), "%s", account);
	for (uint32_t i = 0; i < o->count; i++)
		find_account(o, &o->rows[i]);
	overview_update(a);
}

struct overview_sum overview_sum(const struct app *a)
{
	struct overview_sum sum = { .known = 0 };

	for (uint32_t i = 0; i < a->overview->count; i++) {
		const struct fleet_row *r = &a->overview->rows[i];
		const struct summary *s = r->facts ? &r->facts->summary : NULL;

		sum.health[r->health]++;
		sum.alarms += r->alarms;
		if (!s || r->health != FLEET_GOOD || s->pending == U32_UNKNOWN ||
		    s->running == U32_UNKNOWN || !f64_known(s->cpus) || !f64_known(s->cpus_used)) {
			sum.partial = true;
			continue;
		}
		sum.known++;
		sum.waiting += s->pending;
		sum.running += s->running;
		sum.cpus += s->cpus;
		sum.cpus_used += s->cpus_used;
	}
	return sum;
}
