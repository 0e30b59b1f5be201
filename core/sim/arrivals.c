/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/arrivals.h"

#include <string.h>

#include "core/cluster/cluster_copy.h"
#include "core/cluster/tres.h"
#include "core/queue/jobs.h"

#define DAY INT64_C(86400)
#define TRES_MOST 64

static int64_t shift_of(int64_t now, int64_t begins)
{
	return begins <= now - 7 * DAY ? 7 * DAY : begins <= now - DAY ? DAY :
	       begins < now ? now - begins : 0;
}

struct tres_room {
	struct builder *b;
	struct tres_item items[TRES_MOST];
	uint32_t count;
};

static bool put_tres(void *context, const struct tres_pair *pair, struct err *err)
{
	struct tres_room *room = context;

	(void)err;
	if (room->count < TRES_MOST)
		room->items[room->count++] = (struct tres_item){
			builder_tres_row(room->b, pair->name, strlen(pair->name)), pair->value };
	return true;
}

/* What is not recorded of what it asks for is its processors. */
static void put_needs(struct builder *b, uint32_t row, const char *text, uint32_t cpus)
{
	struct tres_room room = { .b = b };
	struct err err;

	if (!text || !tres_parse_counts(text, put_tres, &room, &err) || room.count == 0) {
		room.items[0] = (struct tres_item){ builder_tres_row(b, "cpu", 3), cpus };
		room.count = 1;
	}
	builder_tres(b, F_JOB_TRES, row, room.items, room.count);
}

static void put_name(struct builder *b, enum field field, uint32_t row, const char *name)
{
	if (name)
		builder_str(b, field, row, name);
}

static void put_job(struct builder *b, struct replay *r, const struct replay_job *j, uint32_t id,
		    int64_t time)
{
	uint32_t row = builder_add(b, TABLE_JOB);
	uint32_t cpus = j->asked == U32_UNKNOWN ? j->cpus : j->asked;

	builder_u32(b, F_JOB_ID, row, id);
	builder_str(b, F_JOB_STATE, row, "PENDING");
	builder_str(b, F_JOB_REASON, row, "BeginTime");
	put_name(b, F_JOB_USER, row, replay_user(r, j->assoc));
	put_name(b, F_JOB_ACCOUNT, row, replay_account(r, j->assoc));
	put_name(b, F_JOB_PARTITION, row, replay_word(r, j->partition));
	put_name(b, F_JOB_QOS, row, replay_word(r, j->qos));
	builder_i64(b, F_JOB_SUBMIT, row, time);
	builder_i64(b, F_JOB_ELIGIBLE, row, time);
	builder_i64(b, F_JOB_ACCRUE, row, 0);
	builder_i64(b, F_JOB_NICE, row, 0);
	builder_u32(b, F_JOB_CPUS, row, cpus);
	builder_u32(b, F_JOB_MIN_NODES, row, j->nodes == U32_UNKNOWN ? 1 : j->nodes);
	builder_i64(b, F_JOB_TIME_LIMIT, row, j->limit);
	put_needs(b, row, replay_word(r, j->tres), cpus);
}

static bool is_sized(const struct replay_job *j)
{
	uint32_t cpus = j->asked == U32_UNKNOWN ? j->cpus : j->asked;

	return cpus != U32_UNKNOWN && cpus > 0 && j->limit != U32_UNKNOWN && j->limit > 0;
}

/* Priorities of the jobs from row FIRST on, as they are computed from the factors of now. */
static bool put_priorities(struct builder *b, uint32_t first, struct err *err)
{
	struct model_options options = MODEL_OPTIONS_DEFAULT;
	struct cluster *c = builder_picture(b, err);
	struct model *model = c ? model_new(c, &options, err) : NULL;
	struct jobs *jobs = model ? jobs_new(model, NULL) : NULL;

	for (uint32_t e = jobs ? jobs->index->n : 0; e-- > 0;) {
		uint32_t row = jobs->index->job[e];

		if (row >= first)	/* its first entry counts */
			builder_u32(b, F_JOB_PRIORITY, row, jobs->prio->priority[e]);
	}
	jobs_free(jobs);
	model_free(model);
	cluster_free(c);
	return jobs != NULL;
}

bool arrivals_make(struct arrivals *a, const struct cluster *c, struct replay *r, int64_t begins,
		   struct err *err)
{
	int64_t now = cluster_meta(c)->time;
	uint32_t first = cluster_rows(c, TABLE_JOB), id = 0;
	struct builder *b;

	if (now == I64_UNKNOWN)
		return err_set(err, ERR_INPUT, "the time of its picture is unknown");
	b = cluster_copy(c);
	builder_keep_usage(b);
	for (uint32_t i = 0; i < first; i++) {
		uint32_t other = builder_get_u32(b, F_JOB_ID, i);

		id = other != U32_UNKNOWN && other > id ? other : id;
	}
	*a = (struct arrivals){ .shift = shift_of(now, begins) };
	for (uint32_t i = 0; i < replay_jobs(r); i++) {
		const struct replay_job *j = replay_job(r, i);

		if (j->submit == I64_UNKNOWN || j->submit <= now - a->shift || j->submit > now)
			continue;
		if (!is_sized(j))
			a->left_out++;
		else
			put_job(b, r, j, id + ++a->count, j->submit + a->shift);
	}
	if (!put_priorities(b, first, err)) {
		builder_free(b);
		return false;
	}
	a->c = builder_seal(b, err);
	return a->c != NULL;
}

void arrivals_free(struct arrivals *a)
{
	cluster_free(a->c);
	a->c = NULL;
}
