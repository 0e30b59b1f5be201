/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/slurm_text.h"

#include <stdio.h>
#include <string.h>

#include "adapters/slurm/hidden_jobs.h"
#include "adapters/slurm/last_pass.h"
#include "adapters/slurm/text_assoc.h"
#include "adapters/slurm/text_reader.h"
#include "core/base/mem.h"
#include "core/base/plural.h"

static bool (*const read_text[SLURM_KINDS])(struct slurm_reader *r) = {
	[SLURM_REST_DIAG] = slurm_read_rest_diag,
	[SLURM_SDIAG] = slurm_read_sdiag,
	[SLURM_WEIGHTS] = slurm_read_weights,
	[SLURM_CONF] = slurm_read_conf,
	[SLURM_CONFIG] = slurm_read_config,
	[SLURM_CLUSTER] = slurm_read_cluster,
	[SLURM_TRES] = slurm_read_tres,
	[SLURM_QOS] = slurm_read_qos,
	[SLURM_REST_QOS] = slurm_read_rest_qos,
	[SLURM_USER] = slurm_read_user,
	[SLURM_ASSOC_MGR] = slurm_read_assoc_mgr,
	[SLURM_ASSOC] = slurm_read_assoc,
	[SLURM_DUMP] = slurm_read_dump,
	[SLURM_REST_ASSOC] = slurm_read_rest_associations,
	[SLURM_SSHARE] = slurm_read_sshare,
	[SLURM_SSHARE_JSON] = slurm_read_sshare_json,
	[SLURM_PARTITION] = slurm_read_partition,
	[SLURM_NODE] = slurm_read_node,
	[SLURM_RESERVATION] = slurm_read_reservation,
	[SLURM_LICENSE] = slurm_read_license,
	[SLURM_REST_PARTITION] = slurm_read_rest_partitions,
	[SLURM_REST_NODE] = slurm_read_rest_nodes,
	[SLURM_REST_RESERVATION] = slurm_read_rest_reservations,
	[SLURM_REST_LICENSE] = slurm_read_rest_licenses,
	[SLURM_SQUEUE] = slurm_read_squeue,
	[SLURM_SQUEUE_LONG] = slurm_read_squeue,
	[SLURM_JOB] = slurm_read_job,
	[SLURM_SQUEUE_JSON] = slurm_read_squeue_json,
	[SLURM_JOB_CPUS] = slurm_read_job_cpus,
	[SLURM_SPRIO] = slurm_read_sprio,
	[SLURM_SPRIO_NORM] = slurm_read_sprio,
};

/*
 * Which texts are not read because another has the same and more: a table of squeue has cut names
 * and no number for a running array task; a dump has neither numbers nor usage.
 */
static bool is_covered(const struct slurm_texts *texts, enum slurm_kind kind)
{
	bool jobs = texts->kind[SLURM_JOB].text || texts->kind[SLURM_SQUEUE_JSON].text;
	bool tree = texts->kind[SLURM_ASSOC].text || texts->kind[SLURM_ASSOC_MGR].text;

	if (kind == SLURM_SQUEUE || kind == SLURM_SQUEUE_LONG)
		return jobs;
	if (kind == SLURM_SSHARE)
		return texts->kind[SLURM_SSHARE_JSON].text;
	return kind == SLURM_DUMP && tree;
}

static bool has_policy(const struct slurm_reader *r)
{
	return r->texts->kind[SLURM_CONFIG].text || r->weights ||
	       (r->texts->kind[SLURM_CONF].text && !r->foreign_conf);
}

static bool policy_is_missing(const struct slurm_reader *r)
{
	return !has_policy(r) && !r->texts->kind[SLURM_REST_DIAG].text;
}

static bool slurm_text_read_kind(struct slurm_reader *r, enum slurm_kind kind)
{
	const struct slurm_text *text = &r->texts->kind[kind];
	bool good;

	r->text = text;
	r->line = 0;
	r->bad = 0;
	r->remark.length = 0;
	if (memchr(text->text, '\0', text->length))
		return reader_fail(r, "contains a NUL byte (expected text)");
	good = read_text[kind](r);
	if (good && r->bad != 0)
		builder_note(r->b, text->name, "%u %s could not be read: %s", (unsigned)r->bad,
			     plural(r->bad, "value or row", "values or rows"), r->first_bad);
	if (good && r->remark.length > 0)
		builder_note(r->b, text->name, SLURM_ASIDE, SLICE_PRINT(r->remark));
	return good;
}

/* ---- what follows from all of it ----------------------------------------------------------- */

/* Finds the association each job is charged to, if its texts have no number for it. */
static void slurm_text_link_jobs(struct slurm_reader *r)
{
	/* If the tree has no numbers of its own, those of the jobs do not fit it. */
	bool unnumbered = r->texts->kind[SLURM_REST_ASSOC].text || r->users_numbered;
	const struct slice none = { "", 0 };

	for (uint32_t row = 0; row < builder_rows(r->b, TABLE_JOB); row++) {
		const char *account = builder_get_text(r->b, F_JOB_ACCOUNT, row);
		const char *user = builder_get_text(r->b, F_JOB_USER, row);
		const char *partition = builder_get_text(r->b, F_JOB_PARTITION, row);
		uint32_t assoc = ROW_NONE;

		if (unnumbered)
			builder_u32(r->b, F_JOB_ASSOC, row, U32_UNKNOWN);
		if (!account || !user || builder_get_u32(r->b, F_JOB_ASSOC, row) != U32_UNKNOWN)
			continue;
		if (partition)
			assoc = assocs_find(r->assocs, slice_of(account), slice_of(user),
					    slice_of(partition), true);
		if (assoc == ROW_NONE)
			assoc = assocs_find(r->assocs, slice_of(account), slice_of(user), none,
					    true);
		if (assoc != ROW_NONE)
			builder_u32(r->b, F_JOB_ASSOC, row,
				    builder_get_u32(r->b, F_ASSOC_ID, assoc));
	}
}

/* Finds the last pass by the age terms, else by earlier ones, else by observed usage. */
static int64_t find_last_pass(struct slurm_reader *r, int64_t now)
{
	const struct slurm_texts *texts = r->texts;
	int64_t pass = slurm_last_pass(r->b, false), seen = I64_UNKNOWN;
	double quantum = f64_known(r->usage_quantum) ? r->usage_quantum : 0;

	if (pass == I64_UNKNOWN && !texts->kind[SLURM_SPRIO].text && texts->last_pass != 0)
		pass = texts->last_pass;
	if (texts->watch)
		seen = pass_watch_look(texts->watch, r->b, quantum, now);
	return pass != I64_UNKNOWN ? pass : seen;
}

static void slurm_text_set_meta(struct slurm_reader *r)
{
	struct cluster_meta meta = { .kind = "slurm", .name = r->cluster, .version = r->version,
				     .zone = "", .last_decay = I64_UNKNOWN,
				     .last_reset = I64_UNKNOWN, .boot = r->boot,
				     .last_backfill = r->last_backfill };

	meta.time = r->time != I64_UNKNOWN ? r->time : r->texts->time;
	meta.last_decay = find_last_pass(r, meta.time);
	meta.usage_quantum = f64_known(r->usage_quantum) ? r->usage_quantum : 0.0;
	meta.ratio_quantum = f64_known(r->ratio_quantum) ? r->ratio_quantum : 0.0;
	builder_meta(r->b, &meta);
}

static bool has_sshare(const struct slurm_texts *texts)
{
	return texts->kind[SLURM_SSHARE].text || texts->kind[SLURM_SSHARE_JSON].text;
}

/* A header without rows: there are no associations, or this user may not see any. */
static void note_empty_sshare(struct slurm_reader *r)
{
	if (!has_sshare(r->texts) || builder_rows(r->b, TABLE_ASSOC) != 0)
		return;
	if (builder_policy(r->b)->private_data[0])
		builder_hidden(r->b, HIDDEN_ASSOCS);
	builder_note(r->b, "accounts", builder_policy(r->b)->private_data[0] ?
		     "PrivateData hides all associations from this user" :
		     "sshare lists no associations: no accounting database?");
}

/* Jobs refer to partitions and QOS, and their size is a fraction of all nodes. */
static void note_missing_tables(struct slurm_reader *r)
{
	static const struct {
		enum table table;
		const char *subject, *note;
	} missing[] = {
		{ TABLE_PARTITION, "partitions", "none of the outputs lists them: the partition "
		  "factor is unknown (expected scontrol -a show partition)" },
		{ TABLE_QOS, "qos", "none of the outputs lists them: the QOS factor and "
		  "UsageFactor are unknown (expected sacctmgr -P show qos)" },
		{ TABLE_HOST, "nodes", "none of the outputs lists them: the job size factor is "
		  "unknown (expected scontrol show node)" },
	};

	for (size_t i = 0; i < sizeof(missing) / sizeof(missing[0]); i++) {
		if (builder_rows(r->b, TABLE_JOB) != 0 && builder_rows(r->b, missing[i].table) == 0)
			builder_note(r->b, missing[i].subject, "%s", missing[i].note);
	}
}

static void set_notes(struct slurm_reader *r)
{
	const struct slurm_texts *texts = r->texts;
	const char *from = texts->from ? texts->from : "commands";
	char ratios[32] = "";

	if (f64_known(r->ratio_quantum))
		(void)snprintf(ratios, sizeof(ratios), r->ratio_quantum > 0.0 ? "to %g" :
			       "with all digits", r->ratio_quantum);
	if (ratios[0])
		builder_note(r->b, "precision", "%s: ratios %s, usage to %g", from, ratios,
			     f64_known(r->usage_quantum) ? r->usage_quantum : 1.0);
	if (policy_is_missing(r))
		builder_note(r->b, "policy", "neither scontrol show config nor slurm.conf%s%s was "
			     "found: %s", texts->cluster && r->cluster[0] ? " of " : "",
			     texts->cluster ? r->cluster : "", texts->whole ?
			     "no parameter was read, priorities are those reported" :
			     "the defaults of Slurm are assumed");
	note_empty_sshare(r);
	if (!texts->whole)
		return;
	note_missing_tables(r);
	if (builder_rows(r->b, TABLE_ASSOC) == 0 && !has_sshare(texts))
		builder_note(r->b, "associations",
			     "none of the outputs lists them (expected sshare -a -l -P)");
	if (!slurm_lists_jobs(texts))
		builder_note(r->b, "jobs", builder_rows(r->b, TABLE_JOB) != 0 ?
			     "those of sprio, which lists pending jobs that are not held, without "
			     "size and times (expected scontrol show job)" :
			     "none of the outputs lists any (expected scontrol show job)");
}

/* Reads sprio -w saved in the same file as sprio -l. */
static bool read_weights_beside(struct slurm_reader *r)
{
	static const char mark[] = "Weights ";

	for (enum slurm_kind kind = SLURM_SPRIO; kind <= SLURM_SPRIO_NORM; kind++) {
		const struct slurm_text *text = &r->texts->kind[kind];

		r->text = text;
		if (text->text && memmem(text->text, text->length, mark, sizeof(mark) - 1) &&
		    !slurm_read_weights(r))
			return false;
	}
	return true;
}

static bool slurm_text_read_all(struct slurm_reader *r)
{
	for (int kind = 0; kind < SLURM_KINDS; kind++) {
		if (kind == SLURM_CONF && !r->weights && !read_weights_beside(r))
			return false;
		if (kind == SLURM_CONFIG + 1)	/* the terms of sprio follow from weights */
			slurm_forget_missing(r);
		if (r->texts->kind[kind].text && !is_covered(r->texts, kind) &&
		    !(kind == SLURM_CONF && r->foreign_conf) && !slurm_text_read_kind(r, kind))
			return false;
	}
	assocs_finish(r);
	if (r->texts->kind[SLURM_REST_DIAG].text && !has_policy(r))
		slurm_rest_without_policy(r);
	else if (policy_is_missing(r) && r->texts->whole) /* an import gives the policy itself */
		reader_put_policy(r, slice_of("PriorityType"), slice_of(POLICY_TYPE_UNKNOWN));
	slurm_text_link_jobs(r);
	slurm_text_set_meta(r);
	slurm_hidden_jobs(r);
	set_notes(r);
	return true;
}

bool slurm_text_build(const struct slurm_texts *texts, struct builder *b, struct err *err)
{
	struct err own;
	struct slurm_reader r = { .b = b, .texts = texts, .err = err ? err : &own,
				  .time = I64_UNKNOWN, .boot = I64_UNKNOWN,
				  .jobs_pending = U32_UNKNOWN, .jobs_running = U32_UNKNOWN,
				  .usage_quantum = F64_UNKNOWN, .ratio_quantum = F64_UNKNOWN };
	bool good;

	(void)snprintf(r.cluster, sizeof(r.cluster), "%s", texts->cluster ? texts->cluster : "");
	r.assocs = assocs_new(b);
	good = slurm_text_read_all(&r);
	assocs_free(r.assocs);
	idmap_free(&r.users);
	idmap_free(&r.qos);
	idmap_free(&r.jobs);
	idmap_free(&r.prio);
	for (int kind = 0; kind < SLURM_KINDS; kind++)
		mem_free(r.held[kind]);
	mem_free(r.terms);
	mem_free(r.tres_total);
	return good;
}
