/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/sim/past_play.h"

#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/plural.h"
#include "core/cluster/cluster_copy.h"
#include "core/cluster/idmap.h"
#include "core/cluster/overlay.h"
#include "core/share/decay_policy.h"

#define TRUSTED 0.8		/* below this correlation a policy does not explain what happened */

enum sim_policy past_policy(const struct cluster *c, const char *edited)
{
	const char *type = cluster_policy(c)->scheduler_type;

	if (edited && policy_schedule_by_name(edited) >= 0)
		return (enum sim_policy)policy_schedule_by_name(edited);
	if (strcmp(cluster_meta(c)->kind, "slurm") != 0)
		return strcmp(cluster_meta(c)->kind, "pbs") == 0 ? SIM_PBS : SIM_EASY;
	return strcmp(type, "sched/builtin") == 0 ?
		SIM_SLURM_BUILTIN : SIM_SLURM;
}

bool past_play(const struct past_play *p, struct sim_log *t, struct replay *r, struct err *err)
{
	struct past past = { .c = NULL };
	struct sim_options o = p->sim;
	bool on_nodes = past_not_played(o.policy) != NULL, good;

	o.past = &past;
	good = !on_nodes || past_make(&past, p->c, t, r, o.procs, p->nodes && o.policy != SIM_PBS,
				      err);
	if (good && on_nodes && p->made)
		p->made(o.context, o.policy, &past);
	good = good && sim_run(t->jobs, t->count, &o, err);
	past_free(&past);
	return good;
}

/* Associations that were added later had no usage then. */
struct cluster *past_begun(struct cluster *last, const struct cluster *first)
{
	struct idmap rows = { .size = 0 };
	struct overlay *o;
	double *usage;

	if (cluster_rows(last, TABLE_ASSOC) == 0)	/* no accounting */
		return last;
	o = overlay_new(last, true);
	usage = overlay_f64(o, F_ASSOC_USAGE);
	cluster_assoc_ids(first, &rows);
	for (uint32_t i = 0; i < cluster_rows(last, TABLE_ASSOC); i++) {
		uint32_t row = idmap_get(&rows, cluster_u32(last, F_ASSOC_ID, i), ROW_NONE);

		usage[i] = row == ROW_NONE ? 0 : cluster_f64(first, F_ASSOC_USAGE, row);
	}
	idmap_free(&rows);
	return overlay_seal(o);
}

void past_fidelity(const struct sim_log *t, struct replay *r, enum sim_policy policy,
		   const char *why, char *buf, size_t size)
{
	struct sim_log_fidelity f = sim_log_fidelity_of(t, r);
	char correlation[16] = "unknown", unknown[80] = "";

	if (f.unknown == t->count) {
		snprintf(buf, size, "fidelity: unknown: no wait of a job is known%s", why);
		return;
	}
	if (f.unknown > 0)
		snprintf(unknown, sizeof(unknown), "; the wait of %lu job%s is unknown",
			 (unsigned long)f.unknown, plural(f.unknown, "", "s"));
	if (f64_known(f.correlation))
		snprintf(correlation, sizeof(correlation), "%.2f", f.correlation);
	snprintf(buf, size,
		 "fidelity: %s, simulated against what happened: correlation of log waits %s, "
		 "%.1f %% of the starts within 60 s, mean wait %.0f s (real %.0f s)%s%s%s%s",
		 policy_schedules[policy], correlation, 100 * f.within, f.mean, f.mean_true,
		 unknown, why,
		 f.correlation >= TRUSTED ? "" : !f64_known(f.correlation) ?
		 "; waits that are all the same show nothing" :
		 "; that does not explain the past",
		 f.correlation >= TRUSTED ? "" :
		 ": only differences between policies are meaningful");
}

/* ---- one instant --------------------------------------------------------------------------- */

static uint32_t text_in(struct replay *to, const char *text)
{
	return text ? replay_text(to, text, strlen(text)) : 0;
}

/* Adds the associations of C with each one's own usage. */
static void put_tree(struct replay *to, const struct cluster *c)
{
	uint32_t assocs = cluster_rows(c, TABLE_ASSOC);
	const uint32_t *parent = cluster_parent(c);
	double *own = mem_zalloc((size_t)assocs + 1, sizeof(*own));

	replay_tree(to, c);
	for (uint32_t a = assocs; a-- > 0;) {
		double usage = cluster_f64(c, F_ASSOC_USAGE, a);

		own[a] += f64_known(usage) ? usage : 0;
		if (parent[a] != ROW_NONE)
			own[parent[a]] -= f64_known(usage) ? usage : 0;
	}
	for (uint32_t a = 0; a < assocs; a++)
		replay_usage(to, a, own[a]);
	mem_free(own);
}

/* Adds job I with what had happened to it by TIME. */
static void past_play_put_job(struct replay *to, const struct sim_log *t, struct replay *r,
			      uint32_t i, int64_t time)
{
	const struct sim_job *sim = &t->jobs[i];
	struct replay_job job = *replay_job(r, t->source[i]);
	int64_t end = sim_end(sim);

	job.submit = sim->submit;
	job.eligible = I64_UNKNOWN;
	job.start = sim->start <= time ? sim->start : I64_UNKNOWN;
	job.end = end <= time ? end : I64_UNKNOWN;
	job.limit = sim->estimate;
	job.cpus = sim->procs;
	job.billing = job.billing > 0 ? job.billing : sim->procs;
	job.flags = 0;
	job.name = text_in(to, replay_word(r, job.name));
	job.partition = text_in(to, replay_word(r, job.partition));
	job.qos = text_in(to, replay_word(r, job.qos));
	job.state = text_in(to, "COMPLETED");
	job.tasks = 0;
	job.assoc = replay_assoc(to, text_in(to, replay_account(r, job.assoc)),
				 text_in(to, replay_user(r, job.assoc)), job.partition);
	replay_add(to, &job);
}

static bool keep_last(void *context, struct cluster *c, struct err *err)
{
	struct cluster **last = context;

	(void)err;
	cluster_free(*last);
	*last = c;
	return true;
}

/* The decay passes from the first submission to TIME; the caller frees them. */
static int64_t *passes_until(const struct cluster *c, const struct sim_log *t, int64_t time,
			     size_t *count)
{
	int64_t from = t->jobs[0].submit, period = past_period(c), *passes;

	*count = (size_t)((time - from) / period) + 2;
	passes = mem_alloc(*count, sizeof(*passes));
	for (size_t i = 0; i < *count; i++)
		passes[i] = from + (int64_t)i * period;
	passes[*count - 1] = time;
	return passes;
}

/* Returns C with the usage and jobs of FROM. */
static struct cluster *past_play_graft(const struct cluster *c, const struct cluster *from,
				       const char *name, struct err *err)
{
	static const enum field reported[] = {
		F_ASSOC_R_NORM_SHARES, F_ASSOC_R_NORM_USAGE, F_ASSOC_R_EFFECTIVE_USAGE,
		F_ASSOC_R_LEVEL_FS, F_ASSOC_R_FAIRSHARE, F_ASSOC_R_LEVEL_SHARES, F_ASSOC_R_USAGE,
	};
	struct builder *b = cluster_copy(c);
	struct cluster_meta meta = *builder_get_meta(b);
	uint32_t assocs = cluster_rows(c, TABLE_ASSOC), jobs = cluster_rows(from, TABLE_JOB);
	struct idmap ours = { .size = 0 }, theirs = { .size = 0 };
	char called[200];

	cluster_assoc_ids(c, &ours);
	cluster_assoc_ids(from, &theirs);
	snprintf(called, sizeof(called), "%.90s (%.100s)", meta.name, name);
	meta.name = called;
	meta.time = meta.last_decay = cluster_meta(from)->time;
	builder_meta(b, &meta);
	builder_keep_usage(b);
	builder_remove(b, TABLE_PRIO, NULL);
	builder_remove(b, TABLE_JOB, NULL);
	for (uint32_t a = 0; a < assocs; a++) {
		uint32_t row = idmap_get(&theirs, cluster_u32(c, F_ASSOC_ID, a), ROW_NONE);

		builder_f64(b, F_ASSOC_USAGE, a, row == ROW_NONE ? F64_UNKNOWN :
			    cluster_f64(from, F_ASSOC_USAGE, row));
		for (size_t i = 0; i < sizeof(reported) / sizeof(reported[0]); i++)
			builder_unknown(b, reported[i], a);
	}
	for (uint32_t i = 0; i < jobs; i++) {
		const char *state = cluster_text(from, F_JOB_STATE, i);
		uint32_t row;

		if (!state || (strcmp(state, "RUNNING") != 0 && strcmp(state, "PENDING") != 0))
			continue;
		row = builder_append(b, from, TABLE_JOB, i, 1);
		if (!idmap_has(&ours, cluster_u32(from, F_JOB_ASSOC, i)))
			builder_unknown(b, F_JOB_ASSOC, row);
	}
	idmap_free(&ours);
	idmap_free(&theirs);
	return builder_seal(b, err);
}

struct cluster *past_picture(const struct cluster *c, const struct cluster *ruled,
			     const struct sim_log *t, struct replay *r, int64_t time,
			     const char *name, struct err *err)
{
	struct replay *to = replay_new();
	struct replay_options o = REPLAY_OPTIONS_INIT;
	struct cluster *last = NULL, *made = NULL;
	int64_t *passes = passes_until(ruled, t, time, &o.pass_count);

	put_tree(to, c);
	for (uint32_t i = 0; i < t->count && t->jobs[i].submit <= time; i++)
		past_play_put_job(to, t, r, i, time);
	o.half_life = decay_half_life(ruled);
	o.period = past_period(ruled);
	o.passes = passes;
	o.every = INT64_C(1) << 40;
	if (replay_run(to, &o, keep_last, &last, err))
		made = past_play_graft(c, last, name, err);
	cluster_free(last);
	replay_free(to);
	mem_free(passes);
	return made;
}
