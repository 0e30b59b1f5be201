/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes two jobs the same for the scheduler of OpenPBS. Source: job_info.cpp,
 * create_resresv_sets() and what it calls; spec of PBS, 2.2.
 */
#include <stdio.h>
#include <string.h>

#include "core/classes/class_memo.h"
#include "core/classes/class_rules_private.h"
#include "core/base/text.h"
#include "core/base/word.h"

static bool begins(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

/* Limits on what may run; those on what may be queued are no business of the scheduler. */
static bool is_run_limit(const char *limit)
{
	return begins(limit, "max_") && !begins(limit, "max_queued") && !begins(limit, "max_array");
}

/*
 * Does some limit tell KIND ('u', 'g', 'p') apart? Old-style limits name the kind in the attribute.
 */
static bool limits_kind(const struct cluster *c, struct text_list list, char kind)
{
	static const char *const old[] = { "max_user_", "max_group_" };

	for (uint32_t i = 0; i < list.count; i++) {
		const char *limit = cluster_string(c, list.texts[i]);
		char mark[3] = { kind, ':', '\0' };

		if (is_run_limit(limit) &&
		    (strstr(limit, mark) || (kind == 'u' && begins(limit, old[0])) ||
		     (kind == 'g' && begins(limit, old[1]))))
			return true;
	}
	return false;
}

static bool server_limits_kind(const struct cluster *c, char kind)
{
	for (uint32_t s = 0; s < cluster_rows(c, TABLE_SERVER); s++) {
		if (limits_kind(c, cluster_list(c, F_SERVER_LIMITS, s), kind))
			return true;
	}
	return false;
}

static uint32_t queue_row(const struct cluster *c, uint32_t job)
{
	uint32_t name = cluster_text_id(c, F_JOB_PARTITION, job);

	for (uint32_t q = 0; q < cluster_rows(c, TABLE_QUEUE); q++) {
		if (name > TEXT_EMPTY && cluster_text_id(c, F_QUEUE_NAME, q) == name)
			return q;
	}
	return ROW_NONE;
}

static bool has_prefix(const char *name, const char *prefix)
{
	return *prefix && begins(name, prefix);
}

/* A job of a reservation is in the reservation's own queue. */
static bool is_reserved(const struct cluster *c, uint32_t job)
{
	const char *reservation = cluster_text(c, F_JOB_RESERVATION, job);

	return reservation && *reservation;
}

/* Does it matter in which queue a job is? */
static bool queue_matters(struct class_build *r, uint32_t q)
{
	struct text_list limits = cluster_list(r->c, F_QUEUE_LIMITS, q);
	const char *name = cluster_text(r->c, F_QUEUE_NAME, q);

	for (uint32_t i = 0; i < limits.count; i++) {
		if (is_run_limit(cluster_string(r->c, limits.texts[i])))
			return true;
	}
	return cluster_bool(r->c, F_QUEUE_HAS_NODES, q) == 1 ||
	       cluster_list(r->c, F_QUEUE_RESOURCES_AVAILABLE, q).count != 0 ||
	       has_prefix(name, r->policy->dedicated_prefix) ||
	       has_prefix(name, r->policy->primetime_prefix) ||
	       has_prefix(name, r->policy->nonprimetime_prefix);
}

/*
 * The scheduler whose partitions the queue belongs to; TEXT_NONE is the default one, whose
 * partition is "pbs-default" or not set. A partition that no scheduler names has one of its own.
 */
static uint32_t scheduler_of(struct class_build *r, uint32_t q)
{
	const char *partition = cluster_text(r->c, F_QUEUE_PARTITION, q);

	if (!partition || !*partition || strcmp(partition, "pbs-default") == 0)
		return TEXT_NONE;
	for (uint32_t s = 0; s < cluster_rows(r->c, TABLE_SCHED); s++) {
		struct text_list list = cluster_list(r->c, F_SCHED_PARTITION, s);

		for (uint32_t i = 0; i < list.count; i++) {
			if (strcmp(cluster_string(r->c, list.texts[i]), partition) == 0)
				return class_intern_or_none(r, cluster_text(r->c, F_SCHED_NAME, s));
		}
	}
	return class_intern(r, partition);
}

static void add_queue(struct class_build *r)
{
	uint32_t *ids = class_component_add(r->set, "queue", 5);
	uint32_t *scheduler = class_component_add(r->set, "scheduler", 9);

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		uint32_t q = queue_row(r->c, r->set->job[i]);

		if (q == ROW_NONE)
			continue;
		/* Each scheduler sees the queues of its own partitions only. */
		scheduler[i] = scheduler_of(r, q);
		if (queue_matters(r, q) || is_reserved(r->c, r->set->job[i]))
			ids[i] = class_intern_or_none(r, cluster_text(r->c, F_QUEUE_NAME, q));
	}
}

/* KIND of the key: only where a limit of the server, or of a queue that matters, tells it apart. */
static void add_limited(struct class_build *r, const char *name, enum field field, char kind)
{
	uint32_t *ids = class_component_add(r->set, name, strlen(name));
	bool everywhere = server_limits_kind(r->c, kind);

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		uint32_t job = r->set->job[i], q = queue_row(r->c, job);

		if (everywhere || (q != ROW_NONE &&
				   limits_kind(r->c, cluster_list(r->c, F_QUEUE_LIMITS, q), kind)))
			ids[i] = class_intern_or_none(r, cluster_text(r->c, field, job));
	}
}

void class_name_append(char *list, size_t size, const char *name, size_t length)
{
	size_t used = strlen(list);

	if (!class_listed(list, name, length) && used + length + 2 < size)
		(void)snprintf(list + used, size - used, "%s%.*s", used ? "," : "", (int)length,
			       name);
}

static bool is_boolean(const char *value, size_t length)
{
	return word_equal_n(value, length, "true") || word_equal_n(value, length, "false");
}

static void append_of_select(const char *s, const char *line, char *list, size_t size)
{
	while (*s) {
		size_t n = strcspn(s, ":+"), name = strcspn(s, "=:+");

		if (name < n && (!line || class_listed(line, s, name) ||
				 is_boolean(s + name + 1, n - name - 1)))
			class_name_append(list, size, s, name);
		s += n + (s[n] != '\0');
	}
}

/* Resources in the chunks of any job: all without a line, else those on the line and booleans. */
void class_chunk_resources_append(struct class_build *r, const char *line, char *list, size_t size)
{
	struct class_memo seen = { NULL, 0, 0 };
	char from[CLASS_VALUE_MAX];

	for (uint32_t i = 0; i < r->set->jobs; i++) {
		uint32_t job = r->set->job[i], handle = class_select_id(r, job);
		bool is_new;

		if (class_wants_vnodes(r, job)) {
			class_exec_vnode(cluster_text(r->c, F_JOB_EXEC_VNODE, job), from,
					 sizeof(from));
			append_of_select(from, line, list, size);
			continue;
		}
		if (handle == TEXT_NONE)
			continue;
		(void)class_memo_get(&seen, handle, &is_new);
		if (is_new)
			append_of_select(cluster_string(r->c, handle), line, list, size);
	}
	class_memo_free(&seen);
}

static void append_limited_resources(const struct cluster *c, struct text_list limits, char *list,
				     size_t size)
{
	for (uint32_t i = 0; i < limits.count; i++) {
		const char *limit = cluster_string(c, limits.texts[i]);
		const char *dot = strchr(limit, '.');
		size_t head = strcspn(limit, "=");

		if (strstr(limit, "_res") && dot && (size_t)(dot - limit) < head)
			class_name_append(list, size, dot + 1, head - (size_t)(dot - limit) - 1);
	}
}

void class_openpbs(struct class_build *r)
{
	static const char always[] = "cput,walltime,min_walltime,max_walltime";
	size_t param = policy_param_by_name("resources", strlen("resources"));
	const char *line = policy_is_known(r->policy, param) && r->policy->resources[0]
				   ? r->policy->resources
				   : NULL;
	char only[CLASS_VALUE_MAX], counted[CLASS_VALUE_MAX];
	struct class_filter filter = { .only = only, .without = r->exclude, .none = !line };

	(void)snprintf(only, sizeof(only), "%s,host,vnode", line ? line : "");
	(void)snprintf(counted, sizeof(counted), "%s,%s", line ? line : "", always);
	class_chunk_resources_append(r, line ? only : NULL, counted, sizeof(counted));
	if (r->policy->preempt_targets_enable)
		class_name_append(counted, sizeof(counted), "preempt_targets", 15);
	for (uint32_t s = 0; s < cluster_rows(r->c, TABLE_SERVER); s++)
		append_limited_resources(r->c, cluster_list(r->c, F_SERVER_LIMITS, s), counted,
					 sizeof(counted));
	for (uint32_t q = 0; q < cluster_rows(r->c, TABLE_QUEUE); q++)
		append_limited_resources(r->c, cluster_list(r->c, F_QUEUE_LIMITS, q), counted,
					 sizeof(counted));
	add_queue(r);
	add_limited(r, "euser", F_JOB_USER, 'u');
	add_limited(r, "egroup", F_JOB_EGROUP, 'g');
	add_limited(r, "project", F_JOB_PROJECT, 'p');
	class_select_add(r, &filter);
	class_place_add(r);
	class_resources_add(r, counted);
}
