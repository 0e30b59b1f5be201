/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What-if edits that change values: associations, partitions, QOS, pools, jobs. */
#include <math.h>
#include <string.h>

#include "core/share/billing.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/base/word.h"
#include "core/queue/job_index.h"
#include "core/whatif/whatif_private.h"

/* ---- associations -------------------------------------------------------------------------- */

static void set_shares(struct overlay *o, const struct edit *e, uint32_t row)
{
	const struct cluster *c = overlay_cluster(o);

	overlay_u32(o, F_ASSOC_SHARES)[row] = e->parent ? SHARES_PARENT : (uint32_t)e->number;
	if (!e->parent && cluster_col(c, F_ASSOC_SIGNED_SHARES))
		overlay_i64(o, F_ASSOC_SIGNED_SHARES)[row] = I64_UNKNOWN;
	/* LSF reported it for the old shares */
	if (cluster_col(c, F_ASSOC_R_DYNAMIC_PRIORITY))
		overlay_f64(o, F_ASSOC_R_DYNAMIC_PRIORITY)[row] = F64_UNKNOWN;
}

/* The group that PBS creates itself, with unknown_shares as shares. */
static uint32_t unknown_group(const struct cluster *c)
{
	return strcmp(cluster_meta(c)->kind, "pbs") == 0 ? cluster_by_path(c, "/unknown") :
	       ROW_NONE;
}

static void set_unknown_shares(struct overlay *o, const struct cluster *base)
{
	uint32_t row = unknown_group(overlay_cluster(o));
	uint32_t shares = overlay_policy(o)->unknown_shares;

	if (row != ROW_NONE && shares != cluster_policy(base)->unknown_shares)
		overlay_u32(o, F_ASSOC_SHARES)[row] = shares;
}

static void add_above(const struct cluster *c, double *usage, uint32_t row, double amount)
{
	const uint32_t *parent = cluster_parent(c);

	for (row = parent[row]; row != ROW_NONE; row = parent[row])
		usage[row] = fmax(0, usage[row] + amount);
}

/*
 * 0 resets the subtree; another value scales it, or becomes the account's own usage if that was 0.
 */
static bool set_usage(struct overlay *o, struct whatif_entry *entry, uint32_t row)
{
	const struct cluster *c = overlay_cluster(o);
	const struct edit *e = &entry->edit;
	uint32_t end = row + cluster_span(c)[row];
	double *usage, was;

	was = cluster_f64(c, F_ASSOC_USAGE, row);
	if (!f64_known(was))
		return whatif_problem(entry, "the source does not report its raw usage");
	usage = overlay_f64(o, F_ASSOC_USAGE);
	if (e->relative) {
		usage[row] += e->number;
		add_above(c, usage, row, e->number);
		return true;
	}
	for (uint32_t i = row + 1; i < end; i++)
		usage[i] = was > 0 ? usage[i] * (e->number / was) : e->number == 0 ? 0 : usage[i];
	usage[row] = e->number;
	add_above(c, usage, row, e->number - was);
	return true;
}

/* ---- billing ------------------------------------------------------------------------------- */

/* Computes the billing of jobs in PARTITION anew from their TRES. */
static void whatif_rebill(struct overlay *o, uint32_t partition)
{
	const struct cluster *c = overlay_cluster(o);
	const char *text = cluster_text(c, F_PARTITION_BILLING_WEIGHTS, partition);
	uint32_t name = cluster_text_id(c, F_PARTITION_NAME, partition);
	enum billing_mode mode = billing_mode_of(cluster_policy(c)->flags);
	struct billing_weights *weights = mem_alloc(1, sizeof(*weights));

	billing_read(weights, text);
	for (uint32_t job = 0; job < cluster_rows(c, TABLE_JOB); job++) {
		struct tres_list list = billing_tres(c, job);

		if (cluster_text_id(c, F_JOB_PARTITION, job) != name || list.count == 0)
			continue;
		overlay_f64(o, F_JOB_BILLING)[job] = billing_of_list(weights, c, list, mode);
	}
	mem_free(weights);
}

/* ---- partitions and QOS -------------------------------------------------------------------- */

static bool set_named(struct overlay *o, struct whatif_entry *entry, enum field names)
{
	const struct edit *e = &entry->edit;
	const struct cluster *c = overlay_cluster(o);
	uint32_t row = whatif_named(c, names, e->object), handle;

	if (row == ROW_NONE)
		return whatif_problem(entry, "unknown %s",
				      names == F_QOS_NAME ? "QOS" : "partition");
	if (e->target->id == EDIT_BILLING_WEIGHTS) {
		handle = overlay_text(o, e->value);
		overlay_u32(o, e->target->field)[row] = handle;
		whatif_rebill(o, row);
	} else if (field_info[e->target->field].type == FIELD_F64) {
		overlay_f64(o, e->target->field)[row] = e->number;
	} else {
		overlay_u32(o, e->target->field)[row] = (uint32_t)e->number;
	}
	return true;
}

static bool whatif_set_number(struct overlay *o, const struct edit *e, uint32_t row)
{
	switch (field_info[e->target->field].type) {
	case FIELD_F64:
		overlay_f64(o, e->target->field)[row] = e->number;
		break;
	case FIELD_I64:
		overlay_i64(o, e->target->field)[row] = (int64_t)e->number;
		break;
	default:
		overlay_u32(o, e->target->field)[row] = (uint32_t)e->number;
		break;
	}
	return true;
}

/* "POOL", or "POOL.QUEUE" for a queue's share; names may contain dots. */
static bool set_pool(struct overlay *o, struct whatif_entry *entry)
{
	const struct edit *e = &entry->edit;
	const struct cluster *c = overlay_cluster(o);

	if (field_info[e->target->field].table == TABLE_POOL) {
		uint32_t row = whatif_named(c, F_POOL_NAME, e->object);

		return row != ROW_NONE ? whatif_set_number(o, e, row)
				       : whatif_problem(entry, "unknown pool");
	}
	for (const char *dot = strchr(e->object, '.'); dot; dot = strchr(dot + 1, '.')) {
		char *pool = mem_strndup(e->object, (size_t)(dot - e->object));
		uint32_t queue = whatif_named(c, F_QUEUE_NAME, dot + 1);
		const char *its = queue == ROW_NONE ? NULL : cluster_text(c, F_QUEUE_POOL, queue);
		bool found = its && strcmp(its, pool) == 0;

		mem_free(pool);
		if (found)
			return whatif_set_number(o, e, queue);
	}
	return whatif_problem(entry, "no such queue in such a pool");
}

static bool set_queue(struct overlay *o, struct whatif_entry *entry)
{
	uint32_t row = whatif_named(overlay_cluster(o), F_QUEUE_NAME, entry->edit.object);

	return row != ROW_NONE ? whatif_set_number(o, &entry->edit, row)
			       : whatif_problem(entry, "unknown queue");
}

/* An association without a priority has its parent's; here an equal one counts as not set. */
static void whatif_set_priority(struct overlay *o, const struct edit *e, uint32_t row)
{
	const struct cluster *c = overlay_cluster(o);
	uint32_t *priority = overlay_u32(o, F_ASSOC_PRIORITY), was = priority[row];
	uint32_t span = cluster_span(c)[row];
	bool *changes = mem_zalloc(span, sizeof(*changes));

	for (uint32_t i = 0; i < span; i++) {
		changes[i] = i == 0 || (was != U32_UNKNOWN && priority[row + i] == was &&
					changes[cluster_parent(c)[row + i] - row]);
		if (changes[i])
			priority[row + i] = (uint32_t)e->number;
	}
	mem_free(changes);
}

static void set_assoc(struct overlay *o, struct whatif_entry *entry, const struct cluster *base)
{
	uint32_t row = whatif_assoc(entry, base, overlay_cluster(o));

	if (row == ROW_NONE)
		return;
	if (entry->edit.target->id == EDIT_SHARES && row == unknown_group(overlay_cluster(o)))
		whatif_problem(entry, "set unknown_shares instead");
	else if (entry->edit.target->id == EDIT_SHARES)
		set_shares(o, &entry->edit, row);
	else if (entry->edit.target->id == EDIT_USAGE)
		set_usage(o, entry, row);
	else if (entry->edit.target->id == EDIT_ASSOC_PRIORITY)
		whatif_set_priority(o, &entry->edit, row);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

/* Also sets the number in the list of the job's requests. */
static void set_size(struct overlay *o, const struct edit *e, uint32_t job)
{
	const struct cluster *c = overlay_cluster(o);
	uint32_t tres = cluster_find_tres(c, e->target->field == F_JOB_CPUS ? "cpu" : "node");
	struct tres_list list = cluster_tres(c, F_JOB_TRES, job);
	struct tres_item *items;
	uint32_t handle;

	whatif_set_number(o, e, job);
	/* A single number replaces a range. */
	if (e->target->field == F_JOB_CPUS && cluster_u32(c, F_JOB_MAX_CPUS, job) != U32_UNKNOWN)
		overlay_u32(o, F_JOB_MAX_CPUS)[job] = U32_UNKNOWN;
	if (e->target->field == F_JOB_MIN_NODES)
		overlay_u32(o, F_JOB_NODES)[job] = (uint32_t)e->number;
	if (tres == ROW_NONE || list.count == 0)
		return;
	items = mem_zalloc(list.count, sizeof(*items));
	memcpy(items, list.items, list.count * sizeof(*items));
	for (uint32_t i = 0; i < list.count; i++) {
		if (items[i].tres == tres)
			items[i].count = e->number;
	}
	handle = overlay_tres(o, items, list.count);
	overlay_u32(o, F_JOB_TRES)[job] = handle;
	mem_free(items);
}

/* One partition or QOS, or several joined by commas; KIND for the message. */
static bool whatif_set_names(struct overlay *o, struct whatif_entry *entry, uint32_t job,
			     enum field name_field, enum field to, const char *kind)
{
	const char *at = entry->edit.value;
	uint32_t handle;

	do {
		size_t length = strcspn(at, ",");
		char *name = mem_strndup(at, length);
		uint32_t row = whatif_named(overlay_cluster(o), name_field, name);

		mem_free(name);
		if (row == ROW_NONE)
			return whatif_problem(entry, "unknown %s \"%.*s\"", kind,
					      (int)(length < 100 ? length : 100), at);
		at += length;
	} while (*at++ == ',');
	handle = overlay_text(o, entry->edit.value);
	overlay_u32(o, to)[job] = handle;
	return true;
}

/* Finds the user's association there, preferably for the job's partition. */
static bool set_account(struct overlay *o, struct whatif_entry *entry, uint32_t job)
{
	const struct cluster *c = overlay_cluster(o);
	uint32_t user = cluster_text_id(c, F_JOB_USER, job), found = ROW_NONE;
	uint32_t partition = cluster_text_id(c, F_JOB_PARTITION, job);

	for (uint32_t i = 0; i < cluster_rows(c, TABLE_ASSOC); i++) {
		uint32_t have = cluster_text_id(c, F_ASSOC_PARTITION, i);

		if (user <= TEXT_EMPTY || cluster_text_id(c, F_ASSOC_USER, i) != user ||
		    strcmp(cluster_text(c, F_ASSOC_ACCOUNT, i), entry->edit.value) != 0 ||
		    (have > TEXT_EMPTY && have != partition))
			continue;
		if (found == ROW_NONE || have > TEXT_EMPTY)
			found = i;
	}
	if (found == ROW_NONE)
		return whatif_problem(entry, "its user has no association in account \"%.100s\"",
				      entry->edit.value);
	overlay_u32(o, F_JOB_ACCOUNT)[job] = cluster_text_id(c, F_ASSOC_ACCOUNT, found);
	overlay_u32(o, F_JOB_ASSOC)[job] = cluster_u32(c, F_ASSOC_ID, found);
	return true;
}

/* The start of age moves with it. */
static bool set_submit(struct overlay *o, struct whatif_entry *entry, uint32_t job)
{
	static const enum field fields[] = { F_JOB_ELIGIBLE, F_JOB_ACCRUE };
	int64_t was = cluster_i64(overlay_cluster(o), F_JOB_SUBMIT, job), delta;

	if (was == I64_UNKNOWN)
		return whatif_problem(entry, "its submit time is unknown");
	delta = (int64_t)entry->edit.number - (entry->edit.relative ? 0 : was);
	overlay_i64(o, F_JOB_SUBMIT)[job] = was + delta;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		int64_t time = cluster_i64(overlay_cluster(o), fields[i], job);

		if (time > 0 && time != I64_INFINITE)
			overlay_i64(o, fields[i])[job] = time + delta;
	}
	return true;
}

static void set_direct_priority(struct overlay *o, const struct edit *e, uint32_t job)
{
	const struct cluster *c = overlay_cluster(o);
	uint32_t id = cluster_u32(c, F_JOB_ID, job), rows = cluster_rows(c, TABLE_PRIO);
	uint32_t *direct = overlay_u32(o, F_PRIO_DIRECT);

	for (uint32_t i = 0; i < rows; i++) {
		if (cluster_u32(c, F_PRIO_JOB, i) == id)
			direct[i] = (uint32_t)e->number;
	}
	overlay_u32(o, F_JOB_PRIORITY)[job] = (uint32_t)e->number;
}

/* Is its begin time in the future? */
static bool is_future(const struct cluster *c, uint32_t job)
{
	int64_t eligible = cluster_i64(c, F_JOB_ELIGIBLE, job);

	return eligible != I64_UNKNOWN && eligible > cluster_meta(c)->time;
}

/*
 * Sets the reason after an edit changed what keeps a job from being considered, in the scheduler's
 * words: a dependency comes before a begin time (job_independent() of Slurm). A reason that is
 * neither of them is kept.
 */
static void set_reason(struct overlay *o, uint32_t job)
{
	static const char *const words[] = { "BeginTime", "Dependency", "DependencyNeverSatisfied",
					     "JobHeldUser", "JobHeldAdmin", "Reservation" };
	const struct cluster *c = overlay_cluster(o);
	const char *was = cluster_text(c, F_JOB_REASON, job);
	const char *is = cluster_has_text(c, F_JOB_DEPENDENCY, job) ? "Dependency" :
			 is_future(c, job) ? "BeginTime" : "None";
	uint32_t handle;
	size_t i = 0;

	while (i < sizeof(words) / sizeof(words[0]) && (!was || strcmp(was, words[i]) != 0))
		i++;
	if (i == sizeof(words) / sizeof(words[0]) && strcmp(is, "None") == 0)
		return;
	handle = overlay_text(o, is);
	overlay_u32(o, F_JOB_REASON)[job] = handle;
}

/*
 * A released job begins to accrue age if nothing else prevents that: since 24.11 anew, before only
 * if the hold left it no AccrueTime (20.11.4 leaves none, either).
 */
static void whatif_release(struct overlay *o, uint32_t job)
{
	const struct cluster *c = overlay_cluster(o);
	int64_t *accrue = overlay_i64(o, F_JOB_ACCRUE);

	overlay_u32(o, F_JOB_PRIORITY)[job] = U32_UNKNOWN;
	set_reason(o, job);
	if (accrue[job] == I64_UNKNOWN || (accrue[job] > 0 && !whatif_since(c, 24, 11)))
		return;
	accrue[job] = cluster_has_text(c, F_JOB_DEPENDENCY, job) || is_future(c, job) ? 0 :
		      cluster_meta(c)->time;
}

/* A job that becomes eligible begins to accrue age; one that was eligible continues. */
static void set_eligible(struct overlay *o, uint32_t job)
{
	const struct cluster *c = overlay_cluster(o);
	int64_t now = cluster_meta(c)->time, eligible = cluster_i64(c, F_JOB_ELIGIBLE, job);
	int64_t *accrue = overlay_i64(o, F_JOB_ACCRUE);

	if (cluster_u32(c, F_JOB_PRIORITY, job) == 0)
		return;			/* held: this is the reason */
	set_reason(o, job);
	if (cluster_has_text(c, F_JOB_DEPENDENCY, job) || is_future(c, job))
		return;
	if (eligible == I64_UNKNOWN || eligible <= 0)
		overlay_i64(o, F_JOB_ELIGIBLE)[job] = now;
	if (accrue[job] == 0)
		accrue[job] = now;
}

/* A time in the past means now. */
static void set_begin(struct overlay *o, struct whatif_entry *entry, uint32_t job)
{
	int64_t now = cluster_meta(overlay_cluster(o))->time;
	int64_t begin = (int64_t)entry->edit.number + (entry->edit.relative ? now : 0);

	if (now == I64_UNKNOWN) {
		whatif_problem(entry, "the time of the data is unknown");
		return;
	}
	overlay_i64(o, F_JOB_ELIGIBLE)[job] = begin > now ? begin : now;
	set_eligible(o, job);
}

/* Sets its dependency or reservation; "" and "none" remove it. */
static void set_words(struct overlay *o, struct whatif_entry *entry, uint32_t job)
{
	const char *value = entry->edit.value;
	enum field field = entry->edit.target->field;
	bool none = !*value || word_equal(value, "none");
	uint32_t handle;

	if (field == F_JOB_RESERVATION && !none &&
	    whatif_named(overlay_cluster(o), F_RESERVATION_NAME, value) == ROW_NONE) {
		whatif_problem(entry, "unknown reservation \"%.100s\"", value);
		return;
	}
	handle = none ? TEXT_NONE : overlay_text(o, value);
	overlay_u32(o, field)[job] = handle;
	set_eligible(o, job);
}

static void set_hold(struct overlay *o, const struct edit *e, uint32_t job)
{
	uint32_t *priority = overlay_u32(o, F_JOB_PRIORITY);

	if (e->number != 0)
		priority[job] = 0;
	else if (priority[job] == 0)
		whatif_release(o, job);
}

/*
 * Drops what the scheduler reported for the unedited job: its start estimate, and the reason that
 * its partition does not admit its size or time limit.
 */
static void forget_said(struct overlay *o, const struct edit *e, uint32_t job)
{
	static const char *const words[] = { "PartitionNodeLimit", "PartitionTimeLimit",
					     "PartitionDown", "PartitionInactive",
					     "BadConstraints" };
	const struct cluster *c = overlay_cluster(o);
	const char *was = cluster_text(c, F_JOB_REASON, job);
	bool rule = e->target->id == EDIT_JOB_SIZE || e->target->id == EDIT_JOB_PARTITION;
	bool limit = e->target->id == EDIT_JOB_QOS || e->target->field == F_JOB_TIME_LIMIT;
	uint32_t handle;

	if (job_kind_of(c, job) >= JOB_RUNNING)
		return;
	if (cluster_col(c, F_JOB_START))
		overlay_i64(o, F_JOB_START)[job] = I64_UNKNOWN;
	for (size_t i = 0; was && i < (rule ? 5 : limit ? 2 : 0); i++) {
		if (strcmp(was, words[i]) != 0)
			continue;
		handle = overlay_text(o, "None");
		overlay_u32(o, F_JOB_REASON)[job] = handle;
		return;
	}
}

static void set_job(struct overlay *o, struct whatif_entry *entry)
{
	const struct edit *e = &entry->edit;
	uint32_t job = whatif_job(overlay_cluster(o), e->object);

	if (job == ROW_NONE) {
		whatif_problem(entry, "no such job in the queue");
		return;
	}
	switch (e->target->id) {
	case EDIT_JOB_SIZE:
		set_size(o, e, job);
		break;
	case EDIT_JOB_QOS:
		whatif_set_names(o, entry, job, F_QOS_NAME, F_JOB_QOS, "QOS");
		break;
	case EDIT_JOB_PARTITION:
		whatif_set_names(o, entry, job, F_PARTITION_NAME, F_JOB_PARTITION, "partition");
		break;
	case EDIT_JOB_ACCOUNT:
		set_account(o, entry, job);
		break;
	case EDIT_JOB_SUBMIT:
		set_submit(o, entry, job);
		break;
	case EDIT_JOB_PRIORITY:
		set_direct_priority(o, e, job);
		break;
	case EDIT_JOB_HOLD:
		set_hold(o, e, job);
		break;
	case EDIT_JOB_BEGIN:
		set_begin(o, entry, job);
		break;
	case EDIT_JOB_WORDS:
		set_words(o, entry, job);
		break;
	default:
		whatif_set_number(o, e, job);
		break;
	}
	if (entry->problem[0] == '\0')
		forget_said(o, e, job);
}

/* ---- all of it ----------------------------------------------------------------------------- */

void whatif_values(struct whatif *w, const struct cluster *base, struct overlay *o)
{
	enum billing_mode mode = billing_mode_of(cluster_policy(base)->flags);

	if (billing_mode_of(overlay_policy(o)->flags) != mode) {
		for (uint32_t row = 0; row < cluster_rows(base, TABLE_PARTITION); row++)
			whatif_rebill(o, row);
	}
	set_unknown_shares(o, base);
	for (uint32_t i = 0; i < w->count; i++) {
		struct whatif_entry *e = &w->entries[i];
		enum edit_id id = e->edit.target->id;

		if (!whatif_in_force(w, i) || e->problem[0] || id == EDIT_PARENT ||
		    id == EDIT_ADD || id == EDIT_REMOVE)
			continue;
		switch (e->edit.target->object) {
		case EDIT_OF_ASSOC:
			set_assoc(o, e, base);
			break;
		case EDIT_OF_PARTITION:
			set_named(o, e, F_PARTITION_NAME);
			break;
		case EDIT_OF_QOS:
			set_named(o, e, F_QOS_NAME);
			break;
		case EDIT_OF_JOB:
			set_job(o, e);
			break;
		case EDIT_OF_POOL:
			set_pool(o, e);
			break;
		case EDIT_OF_QUEUE:
			set_queue(o, e);
			break;
		case EDIT_OF_NOTHING:
		case EDIT_OF_NEW:
			break;
		}
	}
}
