/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/pbs/pbs_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/pbs/reader.h"
#include "core/base/plural.h"

/* Advice for users who may not see something. */
#define WAY_OUT "root runs `fairtop record pbs`, others open the file"

static bool (*const read_text[PBS_KINDS])(struct pbs_reader *r) = {
	[PBS_SERVER] = pbs_read_server,
	[PBS_QUEUE] = pbs_read_queue,
	[PBS_SCHED] = pbs_read_sched,
	[PBS_CONFIG] = pbs_read_config,
	[PBS_HOLIDAYS] = NULL,	/* read when needed, in the zone of the jobs */
	[PBS_GROUP] = pbs_read_group,
	[PBS_USAGE] = pbs_read_usage,
	[PBS_FS] = pbs_read_fs,
	[PBS_NODES] = pbs_read_nodes,
	[PBS_JOBS] = pbs_read_jobs,
	[PBS_RESV] = pbs_read_resv,
	[PBS_LOG] = pbs_read_log,
};

static const char *const kind_names[PBS_KINDS] = {
	[PBS_SERVER] = "server", [PBS_QUEUE] = "queues", [PBS_SCHED] = "schedulers",
	[PBS_CONFIG] = "policy", [PBS_HOLIDAYS] = "policy", [PBS_GROUP] = "fair share",
	[PBS_USAGE] = "fair share", [PBS_FS] = "fair share", [PBS_NODES] = "nodes",
	[PBS_JOBS] = "jobs", [PBS_RESV] = "reservations", [PBS_LOG] = "jobs",
};

static bool has_complaint(const struct pbs_text *t)
{
	return t->complaint && t->complaint[0];
}

/* ---- "no jobs" and "no answer" -------------------------------------------------------------- */

/* Messages of a client that could not reach its server. */
static bool is_unreachable(const char *complaint)
{
	static const char *const words[] = { "cannot connect", "Connection refused", "Unknown Host",
					     "pbsconf error", "errno=150", "timed out", "signal" };

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(complaint, words[i]))
			return true;
	}
	return false;
}

static bool no_answer(struct pbs_reader *r, const struct pbs_text *t)
{
	return err_about(r->err, is_unreachable(t->complaint) ? ERR_SOURCE : ERR_INPUT, t->name,
			 "%.300s", t->complaint);
}

/*
 * For an empty queue and for a server that did not answer qstat prints the same valid JSON without
 * jobs. Only its exit code or its message tells them apart.
 */
static bool pbs_text_check_jobs(struct pbs_reader *r)
{
	const struct pbs_text *t = &r->texts->kind[PBS_JOBS];

	if (builder_rows(r->b, TABLE_JOB) > 0 || t->sure)
		return true;
	if (has_complaint(t))
		return no_answer(r, t);
	if (!t->text)
		return true;
	if (builder_rows(r->b, TABLE_SERVER) == 0)
		return err_about(r->err, ERR_SOURCE, t->name,
				 "no jobs in it, and nothing shows whether the queue is empty or "
				 "the server did not answer (expected %.120s.err with the messages "
				 "of qstat, or the output of qstat -B -f -F json)", t->name);
	return true;
}

/* The other tables are never empty: without rows the server did not answer. */
static bool check_table(struct pbs_reader *r, enum pbs_text_kind kind, enum table table)
{
	const struct pbs_text *t = &r->texts->kind[kind];

	if (!t->text || builder_rows(r->b, table) > 0)
		return true;
	if (has_complaint(t))
		return no_answer(r, t);
	return kind != PBS_SERVER ||
	       err_about(r->err, ERR_SOURCE, t->name, "no server in it: it did not answer");
}

bool pbs_text_check_sched(const struct pbs_texts *texts, struct builder *b, struct err *err)
{
	uint32_t n = builder_rows(b, TABLE_SCHED);

	for (uint32_t row = 0; row < n; row++) {
		const char *name = builder_get_text(b, F_SCHED_NAME, row);

		if (name && texts->sched && strcmp(name, texts->sched) == 0)
			return true;
	}
	return !texts->sched ||
	       err_set(err, ERR_INPUT, "sched=%.100s: %s", texts->sched, n == 0 ?
		       "no scheduler is known (expected qmgr -c 'list sched')" :
		       "qmgr -c 'list sched' has no such scheduler");
}

/* ---- reading ------------------------------------------------------------------------------- */

bool pbs_is_json(enum pbs_text_kind kind)
{
	return kind == PBS_SERVER || kind == PBS_QUEUE || kind == PBS_NODES || kind == PBS_JOBS;
}

bool pbs_is_priv(enum pbs_text_kind kind)
{
	return kind == PBS_CONFIG || kind == PBS_HOLIDAYS || kind == PBS_GROUP ||
	       kind == PBS_USAGE || kind == PBS_FS || kind == PBS_LOG;
}

static bool pbs_text_read_kind(struct pbs_reader *r, enum pbs_text_kind kind)
{
	struct pbs_text *t = &r->texts->kind[kind];

	r->text = t;
	if (t->text && t->length == 0) {
		if (kind == PBS_RESV && !has_complaint(t))	/* there is none */
			return true;
		builder_note(r->b, kind_names[kind], "%s: %s", t->name,
			     has_complaint(t) ? t->complaint : "empty");
		/* Nothing at all, not even a head: the complaint is all there is to report. */
		if (pbs_is_json(kind) && has_complaint(t))
			return no_answer(r, t);
		return true;
	}
	if (kind != PBS_USAGE && kind != PBS_LOG && !pbs_is_json(kind) &&
	    memchr(t->text, '\0', t->length))
		return pbs_fail(r, "contains a NUL byte (expected text)");
	if (r->texts->said[kind][0])
		builder_note(r->b, kind_names[kind], "%s: %s", t->name, r->texts->said[kind]);
	return !read_text[kind] || read_text[kind](r);
}

static bool read_kinds(struct pbs_reader *r)
{
	for (int kind = 0; kind < PBS_KINDS; kind++) {
		struct pbs_text *t = &r->texts->kind[kind];

		if (kind == PBS_GROUP) {
			uint32_t shares = builder_policy(r->b)->unknown_shares;

			pbs_tree_init(&r->tree, shares > INT32_MAX ? INT32_MAX : (int32_t)shares);
		}
		if (t->text && !pbs_text_read_kind(r, (enum pbs_text_kind)kind))
			return false;
		if (!t->text && has_complaint(t) && kind != PBS_JOBS)
			builder_note(r->b, kind_names[kind], "%.100s: %.300s", t->name,
				     t->complaint);
	}
	return check_table(r, PBS_SERVER, TABLE_SERVER) && check_table(r, PBS_QUEUE, TABLE_QUEUE) &&
	       check_table(r, PBS_NODES, TABLE_HOST) && pbs_text_check_jobs(r);
}

/* ---- what follows from all of it ----------------------------------------------------------- */

static void pbs_text_set_meta(struct pbs_reader *r)
{
	struct cluster_meta meta = { .kind = "pbs", .name = r->server, .version = r->version,
				     .zone = r->offset_known && r->offset == 0 ? "UTC" : "",
				     .last_decay = r->last_decay, .last_reset = I64_UNKNOWN,
				     .boot = I64_UNKNOWN };

	meta.time = r->time != I64_UNKNOWN ? r->time : r->texts->time;
	/* pbsfs prints whole numbers, and percent with three decimals. */
	meta.usage_quantum = r->has_tree && !r->texts->kind[PBS_USAGE].text ? 1 : 0;
	meta.ratio_quantum = r->texts->kind[PBS_FS].text ? 1e-5 : 0;
	builder_meta(r->b, &meta);
}

/* Sums up "Transit:0 Queued:61 Held:4 ..."; U32_UNKNOWN if there are no counts. */
static uint32_t count_states(const char *text)
{
	uint64_t sum = text ? 0 : U32_UNKNOWN;

	for (const char *at = text ? strchr(text, ':') : NULL; at; at = strchr(at, ':'))
		sum += strtoull(++at, NULL, 10);
	return sum < U32_UNKNOWN ? (uint32_t)sum : U32_UNKNOWN;
}

/* Number of jobs in the queues, including hidden ones; U32_UNKNOWN. */
static uint32_t jobs_there(const struct builder *b)
{
	uint32_t sum = 0, queues = builder_rows(b, TABLE_QUEUE);
	bool server = builder_rows(b, TABLE_SERVER) > 0;

	/* qmgr print has neither count. */
	if (server && builder_get_text(b, F_SERVER_STATE_COUNT, 0))
		return count_states(builder_get_text(b, F_SERVER_STATE_COUNT, 0));
	for (uint32_t row = 0; row < queues && sum != U32_UNKNOWN; row++) {
		uint32_t n = count_states(builder_get_text(b, F_QUEUE_STATE_COUNT, row));

		sum = n == U32_UNKNOWN ? n : sum + n;
	}
	return queues > 0 ? sum : U32_UNKNOWN;
}

/* Is query_other_jobs known? Counts may still include jobs that the server lists to nobody. */
static bool pbs_text_is_reported(struct builder *b)
{
	static const char name[] = "query_other_jobs";

	return policy_is_known(builder_policy(b), policy_param(name));
}

static bool shows_all_jobs(struct builder *b)
{
	return pbs_text_is_reported(b) && builder_policy(b)->query_other_jobs;
}

static bool hides_others(struct builder *b)
{
	return pbs_text_is_reported(b) && !builder_policy(b)->query_other_jobs;
}

/* Only managers see queue_rank and the like. A user who sees as many jobs as counted sees all. */
static bool hides_jobs(const struct pbs_reader *r, uint32_t there, uint32_t seen)
{
	return r->managed == 0 && !shows_all_jobs(r->b) &&
	       (there == U32_UNKNOWN ? hides_others(r->b) : there > seen);
}

static void note_hidden(struct pbs_reader *r, uint32_t there, uint32_t seen)
{
	char count[64] = "those of others are";

	if (there != U32_UNKNOWN)
		(void)snprintf(count, sizeof(count), "%u of %u jobs %s", (unsigned)(there - seen),
			       (unsigned)there, plural(there - seen, "is", "are"));
	builder_note(r->b, "jobs", "%s hidden: query_other_jobs is False, and only operators and "
		     "managers see the jobs of others (" WAY_OUT ")", count);
}

static void pbs_text_note_jobs(struct pbs_reader *r)
{
	uint32_t rows = builder_rows(r->b, TABLE_JOB), there = jobs_there(r->b);
	uint32_t seen = rows + (r->partial_rows ? 0 : r->subjobs);

	if (r->texts->without_jobs)
		return;
	if (!r->texts->kind[PBS_JOBS].text) {
		builder_note(r->b, "jobs", "not read (expected qstat -f -t -F json)");
		return;
	}
	if (hides_jobs(r, there, seen)) {
		builder_hidden(r->b, HIDDEN_JOBS);
		note_hidden(r, there, seen);
	}
	if (rows > 0 && r->managed == 0)
		builder_note(r->b, "jobs",
			     "euser, egroup, schedselect, queue_rank and accrue_type are shown "
			     "to managers only: users are taken from Job_Owner, select from "
			     "Resource_List (" WAY_OUT ")");
	if (there != U32_UNKNOWN && there > seen && r->managed == 0 && shows_all_jobs(r->b))
		builder_note(r->b, "jobs", "%u of %u jobs that the server counts %s not in its "
			     "list", (unsigned)(there - seen), (unsigned)there,
			     plural(there - seen, "is", "are"));
	if (r->unreadable > 0)
		builder_note(r->b, "jobs",
			     "%u %s a number that is not shown: it is invalid or too large",
			     (unsigned)r->unreadable, plural(r->unreadable, "has", "have"));
}

static void note_schedulers(struct pbs_reader *r)
{
	uint32_t n = builder_rows(r->b, TABLE_SCHED);

	for (uint32_t row = 0; row < n; row++) {
		const char *name = builder_get_text(r->b, F_SCHED_NAME, row);
		const char *state = builder_get_text(r->b, F_SCHED_STATE, row);

		if (state && strcmp(state, "down") == 0)
			builder_note(r->b, "schedulers",
				     "scheduler %.60s is down: none of its jobs starts, and "
				     "its usage neither grows nor decays",
				     name ? name : "?");
	}
	if (n > 1)
		builder_note(r->b, "schedulers",
			     "%u schedulers, each with its own partitions, policy and fair-share "
			     "tree: the policy and tree read are taken to be those of %.60s, which "
			     "ignores queues and vnodes of others",
			     (unsigned)n, r->texts->sched ? r->texts->sched : "the default one");
}

/* Notes what is only in sched_priv, which could not be read or was not saved. */
static void note_priv(struct pbs_reader *r, const char *subject, const char *what,
		      const char *expected)
{
	const char *sched = r->texts->sched;

	if (r->texts->denied)
		builder_note(r->b, subject, "%s is in sched_priv, which only root may read ("
			     WAY_OUT ")", what);
	else
		builder_note(r->b, subject, "%s was not read (expected from sched_priv%s%s: %s)",
			     what, sched ? "_" : "", sched ? sched : "", expected);
}

static void note_tree(struct pbs_reader *r)
{
	const struct pbs_text *kinds = r->texts->kind;

	if (!r->has_tree)
		note_priv(r, "fair share", "the tree", "resource_group and usage, or pbsfs");
	else if (!kinds[PBS_GROUP].text && !kinds[PBS_FS].text)
		builder_note(r->b, "fair share", "resource_group is missing: every entity is in "
			     "the group \"unknown\"");
	else if (!kinds[PBS_USAGE].text && kinds[PBS_FS].text)
		builder_note(r->b, "fair share", "usage as pbsfs prints it, in whole numbers");
	else if (!kinds[PBS_USAGE].text)
		note_priv(r, "fair share", "past usage", "usage");
	if (r->has_tree && !kinds[PBS_CONFIG].text)
		builder_note(r->b, "fair share", "fairshare_entity was not read: users are assumed "
			     "to be charged%s", kinds[PBS_FS].text ? "" :
			     "; nor was unknown_shares read: no part of the tree is known");
}

static void note_policy(struct pbs_reader *r)
{
	if (r->texts->kind[PBS_CONFIG].text)
		return;
	note_priv(r, "policy", "sched_config", "sched_config");
	builder_note(r->b, "policy", "the settings of sched_config are unknown; job order and "
		     "classes use the defaults of PBS, resources: %s",
		     builder_policy(r->b)->resources);
}

/* Notes limits on jobs whose files were not saved. */
static void pbs_text_note_limits(struct pbs_reader *r)
{
	const struct pbs_text *kinds = r->texts->kind;

	if (!kinds[PBS_JOBS].text || !kinds[PBS_NODES].text)
		return;
	if (!kinds[PBS_SERVER].text)
		builder_note(r->b, "cycle", "the server was not read (expected qstat -B -f -F "
			     "json): it is assumed to have no limits and a backfill_depth of %u",
			     builder_policy(r->b)->backfill_depth);
	if (!kinds[PBS_QUEUE].text)
		builder_note(r->b, "cycle", "queues were not read (expected qstat -Q -f -F json): "
			     "they are assumed to be started and to have no limits");
}

bool pbs_text_build(struct pbs_texts *texts, struct builder *b, struct err *err)
{
	struct err own = { 0 };
	struct pbs_reader r = { .b = b, .texts = texts, .err = err ? err : &own,
				.time = I64_UNKNOWN, .last_decay = I64_UNKNOWN };
	bool good;

	(void)snprintf(r.server, sizeof(r.server), "%s", texts->server);
	(void)snprintf(r.version, sizeof(r.version), "%s", texts->version);
	good = read_kinds(&r);
	if (good) {
		pbs_finish_nodes(&r);
		pbs_finish_config(&r);
		pbs_finish_tree(&r);
		pbs_text_set_meta(&r);
		note_tree(&r);
		note_policy(&r);
		pbs_text_note_limits(&r);
		note_schedulers(&r);
		pbs_text_note_jobs(&r);
	}
	pbs_tree_free(&r.tree);
	json_scratch_free(&r.scratch);
	return good;
}
