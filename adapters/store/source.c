/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recording as a source: its last sample, or the one at a time; repeatedly when followed. */
#include <stdio.h>
#include <time.h>

#include <sqlite3.h>

#include "adapters/store/store.h"
#include "core/base/mem.h"

struct recording {
	struct source source;
	struct store_reader *reader;
	int64_t at;			/* I64_UNKNOWN: the last sample */
	struct store_sample given;	/* id 0: nothing yet */
	uint32_t given_needs;
	uint64_t stamp;			/* of the last time line given */
	struct store_walk *walk;	/* for source_look(); NULL: not yet needed */
	uint32_t walk_needs;
};

static const struct source_ops follow_ops;

static struct source *recording_open(const char *rest, struct err *err)
{
	struct recording *s = mem_zalloc(1, sizeof(*s));

	s->at = I64_UNKNOWN;
	s->reader = store_reader_open(rest, err);
	if (!s->reader) {
		mem_free(s);
		return NULL;
	}
	s->source.ops = &store_source;
	snprintf(s->source.name, sizeof(s->source.name), "%s", rest);
	return &s->source;
}

/* In local time, as people see it everywhere else. */
static const char *store_when(int64_t time, char buf[32])
{
	time_t t = (time_t)time;
	struct tm tm;

	if (!localtime_r(&t, &tm) || strftime(buf, 32, "%Y-%m-%d %H:%M:%S", &tm) == 0)
		snprintf(buf, 32, "%lld", (long long)time);
	return buf;
}

static bool recording_find(struct recording *s, struct store_sample *out, struct store_sample *last,
			   struct err *err)
{
	struct store_sample first;
	char from[32], to[32];

	if (!store_range(s->reader, &first, last, err))
		return false;
	*out = *last;
	if (s->at == I64_UNKNOWN)
		return true;
	if (s->at < first.time)
		return err_set(err, ERR_INPUT, "nothing was recorded by then (it starts at %s and "
			       "ends at %s)", store_when(first.time, from),
			       store_when(last->time, to));
	return store_at(s->reader, s->at, out, err);
}

/* "recording, sample 7 of 2880; nothing was recorded then: slurmctld did not answer" */
static void recording_health(struct recording *s, const struct store_sample *last)
{
	struct store_gap gap;
	int64_t at = s->at == I64_UNKNOWN ? s->given.time : s->at;
	/* At the beginning of a gap its picture is known. */
	bool missing = store_gap_at(s->reader, at, &gap) && gap.since < at;

	snprintf(s->source.health, sizeof(s->source.health),
		 "recording, sample %lld of %lld%s%.80s", (long long)s->given.id,
		 (long long)last->id, missing ? "; no data for that time: " : "",
		 missing ? gap.reason : "");
}

static enum fetch_result recording_fetch(struct source *source, const struct fetch_request *request,
					 struct cluster **out, struct err *err)
{
	struct recording *s = (struct recording *)source;
	struct store_sample sample, last;

	if (!recording_find(s, &sample, &last, err))
		return FETCH_FAILED;
	if (sample.id == s->given.id && !(request->needs & ~s->given_needs))
		return FETCH_SAME;
	*out = store_read(s->reader, sample.id, request->needs, err);
	if (!*out)
		return FETCH_FAILED;
	s->given = sample;
	s->given_needs = request->needs;
	recording_health(s, &last);
	return FETCH_NEW;
}

static bool recording_seek(struct source *source, int64_t at, struct err *err)
{
	struct recording *s = (struct recording *)source;

	(void)err;
	s->at = at;
	s->given.id = 0;
	return true;
}

static void recording_follow(struct source *source)
{
	source->ops = &follow_ops;
}

static bool recording_past(struct source *source, struct timeline *out, struct err *err)
{
	struct recording *s = (struct recording *)source;

	return store_timeline(s->reader, &s->stamp, out, err);
}

static struct cluster *recording_look(struct source *source, int64_t at, uint32_t needs,
				      struct err *err)
{
	struct recording *s = (struct recording *)source;
	struct store_sample sample;

	if (!store_at(s->reader, at, &sample, err))
		return NULL;
	/* Callers that go back read many samples, mostly in order. */
	if (s->walk_needs != needs) {
		store_walk_free(s->walk);
		s->walk = NULL;
	}
	if (!s->walk)
		s->walk = store_walk_new(s->reader, needs);
	s->walk_needs = needs;
	return store_walk_take(s->walk, sample.id, err);
}

static void recording_cancel(struct source *source)
{
	store_reader_cancel(((struct recording *)source)->reader);
}

static void recording_close(struct source *source)
{
	struct recording *s = (struct recording *)source;

	store_walk_free(s->walk);
	store_reader_close(s->reader);
	mem_free(s);
}

static void store_made_of(char *buf, size_t size)
{
	snprintf(buf, size, "SQLite %s", sqlite3_libversion());
}

#define RECORDING_OPS \
	.scheme = "recording", \
	.synopsis = "FILE", \
	.meaning = "a recording (recognised by content): last sample, or an earlier one (--at)", \
	.open = recording_open, \
	.fetch = recording_fetch, \
	.seek = recording_seek, \
	.follow = recording_follow, \
	.past = recording_past, \
	.look = recording_look, \
	.cancel = recording_cancel, \
	.close = recording_close, \
	.made_of = store_made_of

const struct source_ops store_source = { RECORDING_OPS, .live = false };
static const struct source_ops follow_ops = { RECORDING_OPS, .live = true };
