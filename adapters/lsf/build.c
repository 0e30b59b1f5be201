/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts the collected data of a site into the rows of a cluster. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "adapters/lsf/site.h"
#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/pools/pools.h"

#define LOG_LINES_KEPT 1440	/* of the dispatcher log: a day */

const struct saved_file lsf_dir_files[] = {
	{ "lsb.params", LSF_PARAMS, "", "HIST_HOURS" },
	{ "lsb.hosts", LSF_HOSTS, "", "hosts and their slots, host groups, host partitions" },
	{ "lsb.resources", LSF_RESOURCES, "", "limits on the slots of hosts and queues" },
	{ "bhosts.json", LSF_BHOSTS, "bhosts -o '" LSF_BHOSTS_FIELDS "' -json",
	  "hosts, their slots and how many are in use" },
	{ "lsb.queues", LSF_QUEUES, "", "queues, pools, shares, priorities, limits; for lint" },
	{ "bqueues.json", LSF_BQUEUES, "bqueues -o '" LSF_BQUEUES_FIELDS "' -json",
	  "slots in use and asked for by queue" },
	{ "lsb.users", LSF_USERS, "", "user groups, their shares, MAX_JOBS" },
	{ "lsid.txt", LSF_LSID, "lsid", "the version, the name of the cluster" },
	{ "bparams_l.txt", LSF_BPARAMS_L, "bparams -l",
	  "factors, if lsb.params is unreadable" },
	{ "bugroup_w.txt", LSF_BUGROUP_W, "bugroup -w", "user groups, if lsb.users is unreadable" },
	{ "busers_all.txt", LSF_BUSERS, "busers all", "MAX_JOBS, if lsb.users is unreadable" },
	{ "bmgroup.txt", LSF_BMGROUP, "bmgroup", "host groups, if lsb.hosts is unreadable" },
	{ "bhosts_w.txt", LSF_BHOSTS_W, "bhosts -w", "like bhosts.json, any version" },
	{ "bhosts.txt", LSF_BHOSTS_W, "bhosts", "the same with names cut to 18 characters" },
	{ "bhpart_r.txt", LSF_BHPART, "bhpart -r", "host partitions and their share accounts" },
	{ "bhpart.txt", LSF_BHPART, "bhpart", "the same without inner accounts" },
	{ "lshosts_w.txt", LSF_LSHOSTS_W, "lshosts -w", "CPUs of hosts, for limits per CPU" },
	{ "lshosts.txt", LSF_LSHOSTS_W, "lshosts", "the same with long names cut" },
	{ "bqueues_r.txt", LSF_BQUEUES_R, "bqueues -r",
	  "like bqueues.json, any version; the share accounts of fair-share queues" },
	{ "bqueues_l.txt", LSF_BQUEUES_R, "bqueues -l", "the same without inner accounts" },
	{ "bqueues.txt", LSF_BQUEUES_W, "bqueues", "queues and their slots; no shares" },
	{ "bqueues_w.txt", LSF_BQUEUES_W, "bqueues -w", "the same with whole names" },
	{ "bjobs.json", LSF_BJOBS, "bjobs -u all -o '" LSF_BJOBS_FIELDS "' -json", "jobs" },
	{ "bjobs_l.txt", LSF_BJOBS_L, "bjobs -u all -l",
	  "jobs, any version; who pays for them, why they are pending" },
	{ "bjobs_w.txt", LSF_BJOBS_W, "bjobs -u all -w",
	  "jobs, if neither of the two exists" },
	{ "bjobs_u_all_w.txt", LSF_BJOBS_W, "bjobs -u all -w", "the same" },
	{ "bjobs_u_all.txt", LSF_BJOBS_W, "bjobs -u all", "the same with long names cut" },
	{ "bjobs.txt", LSF_BJOBS_W, "bjobs", "the same for the user's own jobs" },
	{ "dispatcher.log", LSF_LOG, "", "slots allotted by queue, from LSF_DISPATCHER_LOGDIR" },
	{ .name = NULL },
};

/* ---- hosts --------------------------------------------------------------------------------- */

/* Sets the default for hosts without a value of their own. */
static void apply_default(struct lsf_site *s)
{
	for (size_t i = 0; s->default_mxj && i < s->host_count; i++) {
		if (s->hosts[i].mxj)
			continue;
		s->hosts[i].mxj = mem_strdup(s->default_mxj);
		if (s->hosts[i].slots == U32_UNKNOWN)
			s->hosts[i].slots = lsf_count(s->default_mxj);
	}
}

static void limit_slots(struct lsf_host *h, uint32_t slots)
{
	char text[16];

	if (h->slots != U32_UNKNOWN && h->slots <= slots)
		return;
	h->slots = slots;
	snprintf(text, sizeof(text), "%u", (unsigned)slots);
	mem_free(h->mxj);
	h->mxj = mem_strdup(text);
}

/* A limit for several hosts together: pools use all of them, so only the sum matters. */
static void limit_together(struct lsf_site *s, const struct lsf_limit *l, const bool *set,
			   uint32_t hosts)
{
	uint64_t sum = 0;
	bool known = true;
	uint32_t n = 0;

	for (size_t i = 0; i < s->host_count; i++) {
		if (!set[i])
			continue;
		known &= s->hosts[i].slots != U32_UNKNOWN;
		sum += s->hosts[i].slots == U32_UNKNOWN ? 0 : s->hosts[i].slots;
	}
	if (hosts == 0 || (known && sum <= l->slots))
		return;
	for (size_t i = 0; i < s->host_count; i++) {
		if (!set[i])
			continue;
		s->hosts[i].slots = U32_UNKNOWN;
		/* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): hosts is not 0, see above */
		limit_slots(&s->hosts[i], l->slots / hosts + (n < l->slots % hosts));
		n++;
	}
	builder_note(s->b, "lsb.resources", "limit %.60s: %u slots of %u hosts together, shown "
		     "in equal parts", l->name ? l->name : "without a name", (unsigned)l->slots,
		     (unsigned)hosts);
}

static void apply_limits(struct lsf_site *s)
{
	bool *set = mem_zalloc(s->host_count + 1, sizeof(*set));

	for (size_t k = 0; k < s->limit_count; k++) {
		const struct lsf_limit *l = &s->limits[k];
		uint32_t hosts = 0;

		if (!l->hosts)
			continue;
		lsf_site_expand(s, l->hosts, set);
		for (size_t i = 0; i < s->host_count; i++)
			hosts += set[i];
		if (hosts > 1 && !l->per_host) {
			limit_together(s, l, set, hosts);
			continue;
		}
		for (size_t i = 0; i < s->host_count; i++) {
			if (set[i])
				limit_slots(&s->hosts[i], l->slots);
		}
	}
	mem_free(set);
}

static void apply_partitions(struct lsf_site *s)
{
	bool *set = mem_zalloc(s->host_count + 1, sizeof(*set));

	for (size_t k = 0; k < s->group_count; k++) {
		if (!s->groups[k].partition)
			continue;
		lsf_site_expand(s, s->groups[k].members, set);
		for (size_t i = 0; i < s->host_count; i++) {
			if (set[i] && !s->hosts[i].partition)
				s->hosts[i].partition = mem_strdup(s->groups[k].name);
		}
	}
	mem_free(set);
}

static void add_hosts(struct lsf_site *s)
{
	for (size_t i = 0; i < s->host_count; i++) {
		const struct lsf_host *h = &s->hosts[i];
		uint32_t row = builder_add(s->b, TABLE_HOST);

		builder_str(s->b, F_HOST_NAME, row, h->name);
		builder_str(s->b, F_HOST_STATE, row, h->state);
		builder_str(s->b, F_HOST_MXJ, row, h->mxj);
		builder_str(s->b, F_HOST_HOST_PARTITION, row, h->partition);
		if (h->cpus != U32_UNKNOWN)
			builder_u32(s->b, F_HOST_CPUS, row, h->cpus);
		if (h->user != U32_UNKNOWN)
			builder_u32(s->b, F_HOST_USER_LIMIT, row, h->user);
		if (h->slots != U32_UNKNOWN) {
			builder_u32(s->b, F_HOST_SLOTS, row, h->slots);
			lsf_put_slots(s, F_HOST_TRES, row, h->slots);
		}
		if (h->used != U32_UNKNOWN) {
			builder_u32(s->b, F_HOST_SLOTS_USED, row, h->used);
			lsf_put_slots(s, F_HOST_TRES_USED, row, h->used);
		}
	}
}

/* Slots in use in all queues as counted by bqueues; U32_UNKNOWN. */
static uint64_t slots_counted(const struct lsf_site *s)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < s->queue_count; i++) {
		if (s->queues[i].running == U32_UNKNOWN || s->queues[i].pending == U32_UNKNOWN)
			return U32_UNKNOWN;
		sum += (uint64_t)s->queues[i].running + s->queues[i].pending;
	}
	return sum;
}

/* Notes the error of the plain form, else of -json; WORDS if no command was run. */
static void note_why(struct lsf_site *s, const char *subject, enum lsf_kind plain,
		     enum lsf_kind json, const char *words)
{
	const struct lsf_text *kind = s->texts->kind;
	const char *why = kind[plain].why[0] ? kind[plain].why : kind[json].why;

	builder_note(s->b, subject, "%s", why[0] ? why : words);
}

/* Each command shows its own instant, and a dispatch session may occur between two. */
static void note_hosts(struct lsf_site *s)
{
	uint64_t hosts = 0, queues = 0;
	bool reported = s->host_count > 0 && s->queue_count > 0;

	for (size_t i = 0; i < s->host_count; i++) {
		reported = reported && s->hosts[i].started != U32_UNKNOWN;
		hosts += s->hosts[i].started;
	}
	for (size_t i = 0; i < s->queue_count; i++) {
		reported = reported && s->queues[i].started != U32_UNKNOWN;
		queues += s->queues[i].started;
	}
	if (reported && hosts != queues)
		builder_note(s->b, "instants", "bhosts shows %llu slots in use, bqueues %llu: jobs "
			     "started or ended between the two",
			     (unsigned long long)hosts, (unsigned long long)queues);
}

/* The same for bqueues and bjobs, per queue. */
static void note_instants(struct lsf_site *s)
{
	for (size_t i = 0; i < s->queue_count; i++) {
		const struct lsf_queue *q = &s->queues[i];

		if (q->started == U32_UNKNOWN || q->started == q->shown)
			continue;
		builder_note(s->b, "instants", "queue %.60s has %u slots in use in bqueues, %llu "
			     "in bjobs: jobs started or ended between the two, and shares and "
			     "order may be out of date",
			     q->name, (unsigned)q->started, (unsigned long long)q->shown);
		return;
	}
}

static bool shows_several_users(const struct builder *b)
{
	const char *first = NULL;

	for (uint32_t row = 0; row < builder_rows(b, TABLE_JOB); row++) {
		const char *user = builder_get_text(b, F_JOB_USER, row);

		if (first && user && strcmp(first, user) != 0)
			return true;
		first = first ? first : user;
	}
	return false;
}

/*
 * This also occurs if the user may not see the jobs of others (SECURE_JOB_INFO_LEVEL of IBM LSF);
 * with several users it is only due to jobs that ended in between.
 */
static void lsf_build_note_jobs(struct lsf_site *s)
{
	const struct lsf_text *kind = s->texts->kind;
	uint64_t counted = slots_counted(s), shown = 0;

	if (!kind[LSF_BJOBS].text && !kind[LSF_BJOBS_L].text && !kind[LSF_BJOBS_W].text) {
		if (!s->texts->jobless)
			note_why(s, "jobs", LSF_BJOBS_L, LSF_BJOBS,
				 "not read (expected bjobs -u all -l)");
		return;
	}
	for (uint32_t row = 0; row < builder_rows(s->b, TABLE_JOB); row++) {
		uint32_t slots = builder_get_u32(s->b, F_JOB_CPUS, row);
		uint32_t most = builder_get_u32(s->b, F_JOB_MAX_CPUS, row);
		const char *state = builder_get_text(s->b, F_JOB_STATE, row);

		if (slots == U32_UNKNOWN)
			return;
		if (state && strcmp(state, "COMPLETED") != 0 && strcmp(state, "FAILED") != 0)
			shown += most != U32_UNKNOWN ? most : slots;
	}
	if (counted != U32_UNKNOWN && shown < counted && !shows_several_users(s->b))
		builder_hidden(s->b, HIDDEN_JOBS);
	if (counted != U32_UNKNOWN && shown < counted)
		builder_note(s->b, "jobs", "bjobs shows %llu of the %llu slots that bqueues "
			     "counts: jobs of others may be hidden from this user, or ended since",
			     (unsigned long long)shown, (unsigned long long)counted);
	else
		note_instants(s);
}

/* Notes what a saved output lacks, so that an empty table is not taken for a fact. */
static void note_missing(struct lsf_site *s)
{
	const struct lsf_text *kind = s->texts->kind;

	if (!kind[LSF_BHOSTS].text && !kind[LSF_BHOSTS_W].text &&
	    ((s->host_count == 0 && !kind[LSF_HOSTS].text) || kind[LSF_BHOSTS].why[0] ||
	     kind[LSF_BHOSTS_W].why[0]))
		note_why(s, "hosts", LSF_BHOSTS_W, LSF_BHOSTS, "not read (expected bhosts -w)");
	if (kind[LSF_BQUEUES_W].text && !kind[LSF_BQUEUES_R].text && !kind[LSF_QUEUES].text)
		builder_note(s->b, "shares", "not shown by bqueues alone: unknown, not equal "
			     "(expected bqueues -r)");
	for (size_t k = 0; k < LSF_KINDS; k++) {
		if (kind[k].text && kind[k].said[0])
			builder_note(s->b, kind[k].name, "%s", kind[k].said);
	}
	if (!kind[LSF_PARAMS].text && !kind[LSF_BPARAMS_L].text)
		builder_note(s->b, "parameters", "not read (expected lsb.params or bparams -l)");
}

/* ---- queues -------------------------------------------------------------------------------- */

static void add_queue_hosts(struct lsf_site *s, const struct lsf_queue *q, uint32_t row)
{
	bool *set = mem_zalloc(s->host_count + 1, sizeof(*set));
	const char **names = mem_alloc(s->host_count + 1, sizeof(*names));
	uint32_t n = 0;

	if (lsf_site_expand(s, lsf_param(q, "HOSTS"), set)) {
		for (size_t i = 0; i < s->host_count; i++) {
			if (set[i])
				names[n++] = s->hosts[i].name;
		}
		builder_list(s->b, F_QUEUE_HOSTS, row, names, n);
	}
	mem_free(names);
	mem_free(set);
}

static void add_parameters(struct lsf_site *s, const struct lsf_queue *q, uint32_t row)
{
	char **list = mem_alloc(q->count + 1, sizeof(*list));

	for (size_t i = 0; i < q->count; i++) {
		const struct lsf_param *p = &q->params[i];

		list[i] = mem_format("%u:%s%s%s", (unsigned)p->line, p->name, p->value ? "=" : "",
				     p->value ? p->value : "");
	}
	builder_list(s->b, F_QUEUE_PARAMETERS, row, (const char *const *)list, (uint32_t)q->count);
	mem_free_texts(list, q->count);
}

/* Puts a limit of the file, else of bqueues; MORE is one of lsb.resources. */
static void lsf_build_put_limit(struct lsf_site *s, enum field field, uint32_t row,
				const char *text, uint32_t reported, uint32_t more)
{
	uint32_t limit = lsf_count(text);

	if (limit == U32_UNKNOWN)
		limit = reported;
	if (more != U32_UNKNOWN && (limit == U32_UNKNOWN || more < limit))
		limit = more;
	if (limit != U32_UNKNOWN)
		builder_u32(s->b, field, row, limit);
}

/* The smallest limit of lsb.resources for this queue alone, or for each queue. */
static uint32_t resource_limit(const struct lsf_site *s, const struct lsf_queue *q)
{
	uint32_t least = U32_UNKNOWN;

	for (size_t k = 0; k < s->limit_count; k++) {
		const struct lsf_limit *l = &s->limits[k];
		struct slice rest = slice_of(l->queues ? l->queues : ""), word;
		bool named = false;
		unsigned words = 0;

		while (slice_word(&rest, &word)) {
			named |= slice_is(word, q->name) || slice_same(word, "all");
			words++;
		}
		if (named && (words == 1 || l->per_queue) && !l->hosts &&
		    (least == U32_UNKNOWN || l->slots < least))
			least = l->slots;
	}
	return least;
}

static void lsf_build_put_numbers(struct lsf_site *s, const struct lsf_queue *q, uint32_t row)
{
	const char *priority = lsf_param(q, "PRIORITY"), *share = lsf_param(q, "SLOT_SHARE");
	const char *processor = lsf_param(q, "PJOB_LIMIT");
	int64_t prio = q->priority;
	double x = q->processor;

	/* The default of PRIORITY is 1 (lsb.queues). */
	if (priority && !slice_i64(slice_of(priority), &prio))
		builder_note(s->b, q->name, "PRIORITY %.60s is not a number", priority);
	else if (!priority && q->line && prio == I64_UNKNOWN)
		prio = 1;
	if (prio != I64_UNKNOWN)
		builder_i64(s->b, F_QUEUE_PRIORITY, row, prio);
	if (processor && (!slice_f64(slice_of(processor), &x) || x < 0))
		x = F64_UNKNOWN;
	if (f64_known(x) && x <= 1e9)
		builder_f64(s->b, F_QUEUE_PROCESSOR_LIMIT, row, x);
	if (share && slice_f64(slice_of(share), &x) && x >= 0 && x < 1e9)
		builder_f64(s->b, F_QUEUE_SHARE, row, x);
	lsf_build_put_limit(s, F_QUEUE_JOB_LIMIT, row, lsf_param(q, "QJOB_LIMIT"), q->max,
			    resource_limit(s, q));
	lsf_build_put_limit(s, F_QUEUE_USER_LIMIT, row, lsf_param(q, "UJOB_LIMIT"), q->user,
			    U32_UNKNOWN);
	lsf_build_put_limit(s, F_QUEUE_HOST_LIMIT, row, lsf_param(q, "HJOB_LIMIT"), q->host,
			    U32_UNKNOWN);
	if (q->running != U32_UNKNOWN)
		builder_u32(s->b, F_QUEUE_RUNNING, row, q->running);
	if (q->pending != U32_UNKNOWN)
		builder_u32(s->b, F_QUEUE_PENDING, row, q->pending);
	if (q->allotted != U32_UNKNOWN)
		builder_u32(s->b, F_QUEUE_ALLOTTED, row, q->allotted);
	if (f64_known(q->accumulated))
		builder_f64(s->b, F_QUEUE_ACCUMULATED, row, q->accumulated);
}

/* The times of the last lines of the log; freed by the caller. */
static int64_t *times_of_log(const struct lsf_site *s, size_t *first)
{
	size_t n = s->log.count;
	int64_t *times = mem_alloc(n + 1, sizeof(*times));

	*first = n > LOG_LINES_KEPT ? n - LOG_LINES_KEPT : 0;
	for (size_t i = *first; i < n; i++)
		times[i] = dispatch_line_time(&s->log.lines[i], s->texts->time);
	return times;
}

static void add_past(struct lsf_site *s, const struct lsf_queue *q, uint32_t row,
		     const int64_t *times, size_t first)
{
	char (*texts)[40];
	const char **list;
	uint32_t n = 0;

	if (q->logged == U32_UNKNOWN)
		return;
	texts = mem_alloc(LOG_LINES_KEPT, sizeof(*texts));
	list = mem_alloc(LOG_LINES_KEPT, sizeof(*list));
	for (size_t i = first; i < s->log.count; i++) {
		if (times[i] == I64_UNKNOWN || times[i] < 0)
			continue;
		snprintf(texts[n], sizeof(*texts), "%lld=%u", (long long)times[i],
			 (unsigned)s->log.lines[i].slots[q->logged]);
		list[n] = texts[n];
		n++;
	}
	builder_list(s->b, F_QUEUE_PAST, row, list, n);
	mem_free(texts);
	mem_free(list);
}

static void add_queues(struct lsf_site *s)
{
	size_t first;
	int64_t *times = times_of_log(s, &first);

	for (size_t i = 0; i < s->queue_count; i++) {
		const struct lsf_queue *q = &s->queues[i];
		uint32_t row = builder_add(s->b, TABLE_QUEUE);

		builder_str(s->b, F_QUEUE_NAME, row, q->name);
		builder_str(s->b, F_QUEUE_STATE, row, q->state);
		builder_str(s->b, F_QUEUE_POOL, row, lsf_param(q, "SLOT_POOL"));
		lsf_build_put_numbers(s, q, row);
		if (q->line) {
			builder_str(s->b, F_QUEUE_FILE, row, s->texts->kind[LSF_QUEUES].name);
			builder_u32(s->b, F_QUEUE_LINE, row, q->line);
		}
		if (q->line || q->count > 0) {
			add_parameters(s, q, row);
			add_queue_hosts(s, q, row);
		}
		add_past(s, q, row, times, first);
	}
	mem_free(times);
}

/* ---- pools --------------------------------------------------------------------------------- */

/* The two parameters of a pool are read from its first queue only. */
static void add_pools(struct lsf_site *s)
{
	for (size_t i = 0; i < s->queue_count; i++) {
		const char *pool = lsf_param(&s->queues[i], "SLOT_POOL"), *max, *use;
		bool seen = false, yes = false;
		uint32_t row;

		for (size_t k = 0; pool && k < i && !seen; k++) {
			const char *other = lsf_param(&s->queues[k], "SLOT_POOL");

			seen = other && strcmp(other, pool) == 0;
		}
		if (!pool || seen)
			continue;
		row = builder_add(s->b, TABLE_POOL);
		builder_str(s->b, F_POOL_NAME, row, pool);
		max = lsf_param(&s->queues[i], "MAX_SLOTS_IN_POOL");
		if (lsf_count(max) != U32_UNKNOWN)
			builder_u32(s->b, F_POOL_MAX_SLOTS, row, lsf_count(max));
		use = lsf_param(&s->queues[i], "USE_PRIORITY_IN_POOL");
		yes = use && (use[0] == 'Y' || use[0] == 'y');
		builder_bool(s->b, F_POOL_USE_PRIORITY, row, yes);
		builder_f64(s->b, F_POOL_HIST_HOURS, row, lsf_site_hist_hours(s));
	}
}

/* ---- the whole ----------------------------------------------------------------------------- */

#define NEVER { LSF_KINDS, LSF_KINDS }

/* In reading order: a kind comes before those that refer to it. */
static const struct {
	enum lsf_kind kind;
	bool (*read)(struct lsf_site *s, struct err *err);
	enum lsf_kind instead[2];	/* not read if one of these exists; LSF_KINDS: none */
} readers[LSF_KINDS] = {
	{ LSF_LSID, lsf_read_lsid, NEVER },
	{ LSF_PARAMS, lsf_read_params, NEVER },
	{ LSF_BPARAMS_L, lsf_read_bparams, { LSF_PARAMS, LSF_KINDS } },
	{ LSF_USERS, lsf_read_users, NEVER },
	{ LSF_BUGROUP_W, lsf_read_bugroup, { LSF_USERS, LSF_KINDS } },
	{ LSF_BUSERS, lsf_read_busers, { LSF_USERS, LSF_KINDS } },
	{ LSF_HOSTS, lsf_read_hosts, NEVER },
	{ LSF_BMGROUP, lsf_read_bmgroup, { LSF_HOSTS, LSF_KINDS } },
	{ LSF_RESOURCES, lsf_read_resources, NEVER },
	{ LSF_BHOSTS, lsf_read_bhosts, NEVER },
	{ LSF_BHOSTS_W, lsf_read_bhosts_plain, { LSF_BHOSTS, LSF_KINDS } },
	{ LSF_LSHOSTS_W, lsf_read_lshosts, NEVER },
	{ LSF_QUEUES, lsf_read_queues, NEVER },
	{ LSF_BQUEUES, lsf_read_bqueues, NEVER },
	{ LSF_BQUEUES_R, lsf_read_bqueues_plain, NEVER },
	{ LSF_BQUEUES_W, lsf_read_bqueues_table, { LSF_BQUEUES_R, LSF_BQUEUES } },
	{ LSF_BHPART, lsf_read_bhpart, NEVER },
	{ LSF_BJOBS_L, lsf_read_bjobs_long, NEVER },
	{ LSF_BJOBS, lsf_read_bjobs, { LSF_BJOBS_L, LSF_KINDS } },
	{ LSF_BJOBS_W, lsf_read_bjobs_wide, { LSF_BJOBS_L, LSF_BJOBS } },
	{ LSF_LOG, lsf_read_log, NEVER },
};

static bool is_read(const struct lsf_texts *t, size_t i)
{
	for (size_t k = 0; k < 2; k++) {
		enum lsf_kind other = readers[i].instead[k];

		if (other < LSF_KINDS && t->kind[other].text)
			return false;
	}
	return t->kind[readers[i].kind].text;
}

/* Does its absence from bparams -l mean that parameter I is not set, or does not exist? */
static bool reported_by_silence(const struct lsf_site *s, size_t i)
{
	static const char *const unset[] = { "MAX_USER_PRIORITY", "JOB_PRIORITY_OVER_TIME",
					     "DEFAULT_QUEUE", "GPU_RUN_TIME_FACTOR",
					     "FWD_JOB_FACTOR", NULL };
	static const char *const not_volclava[] = { "FAIRSHARE_ADJUSTMENT_FACTOR",
						    "COMMITTED_RUN_TIME_FACTOR",
						    "ENABLE_HIST_RUN_TIME", "RUN_TIME_DECAY",
						    NULL };

	return word_in(unset, policy_params[i].name) ||
	       (lsf_site_is_volclava(s) && word_in(not_volclava, policy_params[i].name));
}

/* Defaults only hold for files that were read: a command may omit a value. */
static void forget_defaults(struct lsf_site *s)
{
	struct policy *p = builder_policy(s->b);

	if (s->texts->kind[LSF_PARAMS].text)
		return;
	for (size_t i = 0; i < policy_params_count; i++) {
		if (policy_params[i].scheduler == POLICY_OF_LSF && !policy_is_known(p, i) &&
		    !(s->texts->kind[LSF_BPARAMS_L].text && reported_by_silence(s, i)))
			policy_forget(p, i);
	}
}

/* A table of queues does not show whether users share them. */
static void forget_sharing(struct lsf_site *s)
{
	for (size_t i = 0; i < s->queue_count; i++) {
		if (s->queues[i].line == 0 && !s->queues[i].whole)
			lsf_add_unreported(&s->queues[i], "FAIRSHARE");
	}
}

static void lsf_build_set_meta(struct lsf_site *s)
{
	builder_meta(s->b, &(struct cluster_meta){
		.kind = "lsf", .name = s->cluster, .version = s->version, .time = s->texts->time,
		.last_decay = I64_UNKNOWN, .boot = I64_UNKNOWN, .last_reset = I64_UNKNOWN });
}

/* In the time zone of this process. */
static struct lsf_when when_of(int64_t time)
{
	struct lsf_when when = { 0, 0 };
	time_t seconds = (time_t)time;
	struct tm tm;

	if (time != I64_UNKNOWN && localtime_r(&seconds, &tm))
		when = (struct lsf_when){ tm.tm_wday, tm.tm_hour * 60 + tm.tm_min };
	return when;
}

bool lsf_text_build(struct lsf_texts *texts, struct builder *b, struct err *err)
{
	struct lsf_site *s = mem_zalloc(1, sizeof(*s));
	bool good = true;

	s->b = b;
	s->texts = texts;
	s->when = when_of(texts->time);
	for (size_t i = 0; good && i < LSF_KINDS; i++) {
		s->text = &texts->kind[readers[i].kind];
		if (is_read(texts, i))
			good = readers[i].read(s, err) || err_at(err, s->text->name, 0);
	}
	if (good) {
		apply_default(s);
		apply_limits(s);
		apply_partitions(s);
		lsf_build_set_meta(s);
		forget_defaults(s);
		forget_sharing(s);
		add_hosts(s);
		add_queues(s);
		add_pools(s);
		note_hosts(s);
		lsf_build_note_jobs(s);
		note_missing(s);
		lsf_add_shares(s);
		lsf_charge_jobs(s);
		lsf_add_users(s);
	}
	lsf_site_free(s);
	mem_free(s);
	return good;
}
