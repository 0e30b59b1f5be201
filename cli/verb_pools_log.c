/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pools --log: the slots allotted to each queue over time, in the format of LSF's dispatcher log.
 * Only has queues that are in pools now.
 */

#include "adapters/lsf/dispatch_log.h"
#include "adapters/store/store.h"
#include "core/base/mem.h"
#include "core/pools/pools.h"
#include "cli/session.h"
#include "cli/verbs.h"

#define NEEDS (NEED_JOBS | NEED_HOSTS | NEED_PARTITIONS | NEED_POLICY)

struct logging {
	struct session *s;
	const struct pools_config *config;	/* NULL: the source's own pools */
	const struct pools *now;
	uint32_t count;			/* number of queues in pools: the first members */
	uint32_t *slots;
	struct pool_past past;
};

static bool pools_put_line(struct logging *x, int64_t time, struct err *err)
{
	struct dispatch_line line = dispatch_line_at(time);

	line.slots = x->slots;
	return dispatch_log_line(&line, x->count, output_sink(&x->s->output), err);
}

static const char *pools_name_of(const struct logging *x, uint32_t i)
{
	return x->now->queues[x->now->members[i]].name;
}

static bool pools_put_names(struct logging *x, struct err *err)
{
	const char **names = mem_alloc(x->count, sizeof(*names));
	bool good;

	for (uint32_t i = 0; i < x->count; i++)
		names[i] = pools_name_of(x, i);
	good = dispatch_log_begin(names, x->count, output_sink(&x->s->output), err);
	mem_free(names);
	return good;
}

/* Adds P's allotment at TIME; no line if it is unknown. */
static bool pools_put_pools(struct logging *x, const struct pools *p, int64_t time, struct err *err)
{
	for (uint32_t i = 0; i < x->count; i++) {
		uint32_t queue = pools_find(p, false, pools_name_of(x, i), NULL);
		const struct slots_queue *slots = queue == ROW_NONE ? NULL : pools_slots(p, queue);

		x->slots[i] = slots ? slots->allotted : 0;
		if (x->slots[i] == U32_UNKNOWN)
			return true;
	}
	return pools_put_line(x, time, err);
}

/* ---- a source's own log -------------------------------------------------------------------- */

struct pools_log_past {
	struct pools_sample *samples;
	size_t count, at;
};

/* The next time at which all queues have a sample; false: none. */
static bool pools_next_time(struct pools_log_past *past, uint32_t count, int64_t *time)
{
	uint32_t agreed = 0;

	*time = 0;
	for (uint32_t i = 0; agreed < count; i = (i + 1) % count) {
		struct pools_log_past *p = &past[i];

		while (p->at < p->count && p->samples[p->at].time < *time)
			p->at++;
		if (p->at == p->count)
			return false;
		agreed = p->samples[p->at].time == *time ? agreed + 1 : 1;
		*time = p->samples[p->at].time;
	}
	return true;
}

/* Adds the lines of the past; LAST is the time of the last one. */
static bool pools_put_past(struct logging *x, int64_t *last, struct err *err)
{
	struct pools_log_past *past = mem_zalloc(x->count, sizeof(*past));
	bool good = true;

	for (uint32_t i = 0; i < x->count; i++) {
		uint32_t queue = x->now->members[i];

		/* Other sources have slots in use, which are not the allotment. */
		if (!x->now->partitions &&
		    cluster_u32(x->s->cluster, F_QUEUE_ALLOTTED, x->now->queues[queue].row) <
		    U32_UNKNOWN)
			past[i].samples = pools_past(x->now, queue, &past[i].count);
	}
	while (good && pools_next_time(past, x->count, last)) {
		for (uint32_t i = 0; i < x->count; i++)
			x->slots[i] = past[i].samples[past[i].at++].slots;
		good = pools_put_line(x, *last, err);
	}
	for (uint32_t i = 0; i < x->count; i++)
		mem_free(past[i].samples);
	mem_free(past);
	return good;
}

static bool put_source(struct logging *x, struct err *err)
{
	int64_t now = cluster_meta(x->s->cluster)->time, last = INT64_MIN;

	if (!pools_put_past(x, &last, err))
		return false;
	return now <= last || pools_put_pools(x, x->now, now, err);
}

/* ---- a recording --------------------------------------------------------------------------- */

static bool put_sample(struct logging *x, struct store_reader *r,
		       const struct store_sample *sample, struct err *err)
{
	struct cluster *c = store_read(r, sample->id, NEEDS, err);
	struct pools *p;
	bool good;

	p = c ? pools_new(c, x->config, x->s->options->grouped, &x->past, err) : NULL;
	good = p && pools_put_pools(x, p, sample->time, err);
	if (good)
		pool_past_add(&x->past, p, sample->time);
	pools_free(p);
	cluster_free(c);
	return good;
}

static bool put_recording(struct logging *x, struct err *err)
{
	struct store_reader *r = store_reader_open(x->s->options->source, err);
	struct store_sample first, last;
	bool good = r && store_range(r, &first, &last, err);

	for (int64_t id = good ? first.id : 1; good && id <= last.id; id = first.id + 1)
		good = store_next(r, id, &first, err) && put_sample(x, r, &first, err);
	store_reader_close(r);
	return good;
}

int pools_log(struct session *s, const struct pools_config *config, const struct pools *now)
{
	struct logging x = { .s = s, .config = config, .now = now };
	struct err err = { .code = ERR_NONE };
	bool good;

	for (uint32_t k = 0; k < now->pool_count; k++)
		x.count += now->pools[k].slots.count;
	if (x.count == 0) {
		err_set(&err, ERR_INPUT, "--log: no queue is in a pool (--pools FILE makes pools "
			"of partitions or queues)");
		return complain_about(s->source->name, &err);
	}
	x.slots = mem_zalloc(x.count, sizeof(*x.slots));
	good = pools_put_names(&x, &err);
	if (good)
		good = s->source->ops == &store_source ? put_recording(&x, &err) :
		       put_source(&x, &err);
	mem_free(x.slots);
	pool_past_free(&x.past);
	if (good && output_finish(&s->output, &err))
		return 0;
	return complain_about(s->source->name, &err);
}
