/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pools: queue pools, one row per queue, with its allotment in this cycle. */
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/pools/pools.h"
#include "core/base/visible.h"
#include "tui/base/pools_file.h"
#include "cli/session.h"
#include "cli/verbs.h"

/* Prints for people how the pools' sizes came about, and the order. */
static void print_sizes(struct session *s, const struct pools *p)
{
	size_t size = 4096;
	char *text = mem_alloc(size, 1);
	size_t length;

	for (uint32_t k = 0; k < p->pool_count; k++) {
		const struct pools_pool *pool = &p->pools[k];
		char name[300];

		visible_copy(name, sizeof(name), pool->name, strlen(pool->name));
		output_text(&s->output,
			    "%spool %s: %u slots = %u of its hosts - %u in use by others",
			    k ? "" : "\n", name, (unsigned)pool->slots.size,
			    (unsigned)pool->slots.host_slots, (unsigned)pool->slots.foreign);
		if (pool->slots.max_slots != SLOTS_NO_LIMIT)
			output_text(&s->output, ", at most %u", (unsigned)pool->slots.max_slots);
		if (pool->slots.rounds == U32_UNKNOWN)
			output_text(&s->output, "; the slots its queues can use are unknown\n");
		else
			output_text(&s->output, "; %u %s, %u idle\n",
				    (unsigned)pool->slots.rounds,
				    pool->slots.rounds == 1 ? "round" : "rounds",
				    (unsigned)pool->slots.idle);
	}
	length = pools_dispatch_text(p, text, size);
	if (length >= size) {
		text = mem_realloc(text, length + 1, 1);
		pools_dispatch_text(p, text, length + 1);
	}
	if (p->queue_count > 0)
		output_line(&s->output, "%s", text);
	mem_free(text);
}

static int answer_rows(struct session *s, const struct selection *selection, struct pools *p)
{
	struct view view = pools_view(p);
	char hours[32];
	struct report_extra extras[] = { { "dispatch", p->grouped ? "grouped" : "flat" },
					 { "hist_hours", hours } };
	struct err err = { .code = ERR_NONE };
	int status;

	snprintf(hours, sizeof(hours), "%g", p->hist_hours);
	if (!f64_known(p->hist_hours)) {
		snprintf(hours, sizeof(hours), "%s", POLICY_UNREPORTED);
		if (p->pool_count > 0)
			remark("pools", "HIST_HOURS is unknown (expected lsb.params or bparams "
					"-l): accumulated slots are unknown and taken as 0");
	}
	if (p->pool_count == 0)
		remark("pools", "no queue is in a pool (--pools FILE makes pools of partitions or "
		       "queues)");
	status = session_answer(s, &view, selection, extras, 2);
	if (status != 0 || s->options->format != REPORT_TABLE || s->options->columns)
		return status;
	print_sizes(s, p);
	return output_finish(&s->output, &err) ? 0 : complain(&err);
}

/* The same queues without the edits; NULL without edits. */
static int base_of_session(struct session *s, const struct pools_config *config,
			   struct pools *pools, struct pools **base)
{
	struct err err = { .code = ERR_NONE };

	if (!s->base)
		return 0;
	*base = pools_new(s->base, s->options->pools ? config : NULL, s->options->grouped,
			  &s->pool_past, &err);
	if (!*base)
		return complain(&err);
	if ((*base)->queue_count == pools->queue_count)
		pools->base = *base;
	return 0;
}

/* Reads the past from a recording, for the slots accumulated until now. */
static bool verb_pools_remember(struct session *s, const struct pools_config *config,
				double hist_hours, struct err *err)
{
	struct timeline line = { .count = 0 };
	size_t count = 0;
	int64_t *times = NULL;
	bool good = !s->source->ops->look || source_past(s->source, &line, err);

	if (good)
		times = pool_past_plan(&s->pool_past, &line, cluster_meta(s->cluster)->time,
				       hist_hours, &count);
	for (size_t i = 0; good && i < count; i++) {
		struct cluster *c = source_look(s->source, times[i], POOL_PAST_NEEDS, err);
		struct pools *p = c ? pools_new(c, config, false, NULL, err) : NULL;

		good = p != NULL;
		if (good)
			pool_past_add(&s->pool_past, p, times[i]);
		pools_free(p);
		cluster_free(c);
	}
	mem_free(times);
	timeline_free(&line);
	return good;
}

int pools_of_session(struct session *s, struct pools_config *config, struct pools **pools)
{
	struct err err = { .code = ERR_NONE };
	const char *file = s->options->pools;

	pools_config_init(config);
	*pools = NULL;
	if (file && !pools_file_read(file, config, &err))
		return complain(&err);
	*pools = pools_new(s->cluster, file ? config : NULL, s->options->grouped, NULL, &err);
	if (!*pools || (*pools)->pool_count == 0)
		return *pools ? 0 : complain(&err);
	if (!verb_pools_remember(s, file ? config : NULL, (*pools)->hist_hours, &err))
		return complain_about(s->source->name, &err);
	pools_free(*pools);
	*pools = pools_new(s->cluster, file ? config : NULL, s->options->grouped, &s->pool_past,
			   &err);
	return *pools ? 0 : complain(&err);
}

int pools_answer(struct session *s, struct selection *selection)
{
	const struct options *o = s->options;
	struct pools *pools = NULL, *base = NULL;
	struct pools_config config;
	int status = pools_of_session(s, &config, &pools);

	if (pools)
		status = base_of_session(s, &config, pools, &base);
	if (pools && status == 0)
		status = o->log ? pools_log(s, o->pools ? &config : NULL, pools) :
			 answer_rows(s, selection, pools);
	pools_free(pools);
	pools_free(base);
	pools_config_free(&config);
	return status;
}
