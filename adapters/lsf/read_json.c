/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bhosts, bqueues and bjobs with -o ... -json, and the dispatcher log.
 *
 *	{"COMMAND":"bqueues","QUEUES":2,"RECORDS":[{"QUEUE_NAME":"normal","PRIO":"30",...},...]}
 *
 * Every value is a text, and "" or "-" means not set. Fields not requested are missing; the names
 * of some differ between versions, so all are tried.
 */
#include <stdlib.h>
#include <string.h>

#include "adapters/lsf/site.h"
#include "core/base/json_text.h"
#include "core/base/mem.h"

#define PAIRS_MAX 128

/* One record. */
struct lsf_json_row {
	const char *keys[PAIRS_MAX];
	char *values[PAIRS_MAX];	/* owned */
	size_t count;
};

static bool json_same_word(const char *a, const char *b)
{
	return slice_same(slice_of(a), b);
}

/* The value under any of the NAMES (separated by blanks); NULL if it is not set. */
static const char *json_get(const struct lsf_json_row *row, const char *names)
{
	struct slice rest = slice_of(names), name;

	while (slice_word(&rest, &name)) {
		for (size_t i = 0; i < row->count; i++) {
			const char *value = row->values[i];

			if (slice_same(name, row->keys[i]) && value[0] && strcmp(value, "-") != 0)
				return value;
		}
	}
	return NULL;
}

/* ---- records ------------------------------------------------------------------------------- */

typedef void each_row(struct lsf_site *s, const struct lsf_json_row *row);

static bool fail_json(const struct pull *p, struct err *err)
{
	return err_set(err, ERR_INPUT, "column %zu: %s", p->column,
		       p->problem ? p->problem : "expected nothing more");
}

static bool json_read_row(struct lsf_site *s, struct pull *p, struct json_scratch *scratch,
			  each_row *each)
{
	struct lsf_json_row row = { .count = 0 };
	struct pull_value v, key;
	struct json_text value;
	bool good = true;

	if (pull_value(p, &v) != PULL_OBJECT)
		return pull_skip(p, v.kind);
	while (good && pull_member(p, &key)) {
		good = json_text_read(p, scratch, false, &value);
		if (!good || row.count == PAIRS_MAX)
			continue;
		row.keys[row.count] = key.string;
		row.values[row.count++] = mem_strndup(value.kind == PULL_NULL ? "" : value.text,
						      value.kind == PULL_NULL ? 0 : value.length);
	}
	if (good && !p->problem)
		each(s, &row);
	for (size_t i = 0; i < row.count; i++)
		mem_free(row.values[i]);
	return good && !p->problem;
}

static bool json_read_rows(struct lsf_site *s, each_row *each, struct err *err)
{
	struct json_scratch scratch = { 0 };
	struct pull p;
	struct pull_value v, key;
	bool good = true, found = false;

	json_clean(s->text->text, s->text->length);
	pull_init(&p, s->text->text, s->text->length);
	if (pull_value(&p, &v) != PULL_OBJECT) {
		bool problem = p.problem != NULL;

		return problem ? fail_json(&p, err) :
		       err_set(err, ERR_INPUT,
			       "expected an object with RECORDS (the command's -o ... -json)");
	}
	while (good && pull_member(&p, &key)) {
		bool records = json_same_word(key.string, "RECORDS");
		enum pull_kind kind = pull_value(&p, &v);

		if (!records || kind != PULL_ARRAY) {
			good = pull_skip(&p, kind);
			continue;
		}
		found = true;
		while (good && pull_element(&p))
			good = json_read_row(s, &p, &scratch, each);
	}
	json_scratch_free(&scratch);
	if (!good || !pull_end(&p))
		return fail_json(&p, err);
	return found || err_set(err, ERR_INPUT,
				"no RECORDS in it (expected the command's -o ... -json)");
}

/* ---- bhosts -------------------------------------------------------------------------------- */

static void take_bhost(struct lsf_site *s, const struct lsf_json_row *row)
{
	const char *name = json_get(row, "HOST_NAME HOST"), *state = json_get(row, "STATUS");
	struct lsf_host *h;
	uint32_t host, max;

	if (!name)
		return;
	host = lsf_site_host(s, name, strlen(name));
	h = &s->hosts[host];
	max = lsf_count(json_get(row, "MAX"));
	if (max != U32_UNKNOWN)
		h->slots = max;
	h->used = lsf_count(json_get(row, "NJOBS"));
	if (h->used == U32_UNKNOWN)
		h->used = lsf_count(json_get(row, "RUN"));
	if (state)
		lsf_set_text(&h->state, slice_of(state));
}

bool lsf_read_bhosts(struct lsf_site *s, struct err *err)
{
	return json_read_rows(s, take_bhost, err);
}

/* ---- bqueues ------------------------------------------------------------------------------- */

static void take_bqueue(struct lsf_site *s, const struct lsf_json_row *row)
{
	const char *name = json_get(row, "QUEUE_NAME QUEUE"), *state = json_get(row, "STATUS STAT");
	const char *priority = json_get(row, "PRIO PRIORITY"),
		   *processor = json_get(row, "JL_P JL/P");
	uint32_t reserved = lsf_count(json_get(row, "RSV")),
		 suspended = lsf_count(json_get(row, "SUSP"));
	struct lsf_queue *q;
	double per_cpu;

	if (!name)
		return;
	q = lsf_site_queue(s, slice_of(name));
	if (state)
		lsf_set_text(&q->state, slice_of(state));
	if (priority && !slice_i64(slice_of(priority), &q->priority))
		q->priority = I64_UNKNOWN;
	if (processor && slice_f64(slice_of(processor), &per_cpu) && per_cpu >= 0)
		q->processor = per_cpu;
	q->max = lsf_count(json_get(row, "MAX"));
	q->user = lsf_count(json_get(row, "JL_U JL/U"));
	q->host = lsf_count(json_get(row, "JL_H JL/H"));
	q->pending = lsf_count(json_get(row, "PEND"));
	q->running = lsf_count(json_get(row, "RUN"));
	if (q->running != U32_UNKNOWN && suspended < U32_UNKNOWN - q->running)
		q->started = q->running + suspended;
	if (q->running != U32_UNKNOWN && reserved != U32_UNKNOWN &&
	    (uint64_t)q->running + reserved < U32_UNKNOWN)
		q->running += reserved;
}

bool lsf_read_bqueues(struct lsf_site *s, struct err *err)
{
	return json_read_rows(s, take_bqueue, err);
}

/* ---- bjobs --------------------------------------------------------------------------------- */

/* "123" or "123[4]". */
static void take_bjob(struct lsf_site *s, const struct lsf_json_row *r)
{
	const char *id = json_get(r, "JOBID ID"), *stat = json_get(r, "STAT");
	struct lsf_job job = { .most_slots = U32_UNKNOWN,
			       .index = lsf_count(json_get(r, "JOBINDEX")),
			       .user = json_get(r, "USER"),
			       .stat = stat, .queue = json_get(r, "QUEUE"),
			       .name = json_get(r, "JOB_NAME NAME"),
			       .hosts = json_get(r, "EXEC_HOST"),
			       .reason = json_get(r, "PEND_REASON"), .priority = I64_UNKNOWN,
			       .begin = I64_UNKNOWN };
	struct slice digits = slice_of(id ? id : "");
	bool waits = stat && (json_same_word(stat, "PEND") || json_same_word(stat, "PSUSP"));

	digits.length = strcspn(digits.at, "[");
	if (!id || !slice_u32(digits, &job.id) || job.id >= U32_UNKNOWN)
		return;
	if (id[digits.length] == '[')
		job.index = (uint32_t)strtoul(id + digits.length + 1, NULL, 10);
	job.submit = lsf_time_of(s, json_get(r, "SUBMIT_TIME"));
	job.start = lsf_time_of(s, json_get(r, "START_TIME"));
	job.slots = lsf_count(json_get(r, waits ? "NREQ_SLOT NREQ_SLOTS MIN_REQ_PROC SLOTS" :
				     "NALLOC_SLOT SLOTS NREQ_SLOT"));
	if (job.slots == U32_UNKNOWN || job.slots == 0)
		job.slots = 1;
	lsf_put_job(s, &job);
}

bool lsf_read_bjobs(struct lsf_site *s, struct err *err)
{
	return json_read_rows(s, take_bjob, err);
}

/* ---- the dispatcher log -------------------------------------------------------------------- */

bool lsf_read_log(struct lsf_site *s, struct err *err)
{
	double hours = lsf_site_hist_hours(s);
	const struct dispatch_log *log = &s->log;

	if (!dispatch_log_read(s->text->text, s->text->length, &s->log, err))
		return false;
	for (uint32_t i = 0; log->count > 0 && i < log->queue_count; i++) {
		struct lsf_queue *q = lsf_site_queue(s, slice_of(log->queues[i]));

		q->logged = i;
		q->allotted = log->lines[log->count - 1].slots[i];
		q->accumulated = dispatch_log_accumulated(log, i, hours);
	}
	return true;
}
