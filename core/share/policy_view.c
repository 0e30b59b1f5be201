/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "core/base/format.h"
#include "core/base/timestr.h"
#include "core/base/word.h"
#include "core/cluster/cluster.h"
#include "core/share/model.h"

/* Texts are borrowed from the cluster. */
struct policy_queue_row {
	const char *queue, *name, *value, *meaning;
};

/* Source: the reference of lsb.queues of LSF 10.1; ROUND_ROBIN_POLICY is volclava's. */
static const struct {
	const char *name, *meaning;
} kinds[] = {
	{ "PRIORITY", "queues are served in this order, the largest first" },
	{ "FAIRSHARE", "shares among the queue's users and groups" },
	{ "FAIRSHARE_QUEUES", "queues that share one user fair share" },
	{ "DISPATCH_ORDER", "order in which such queues are considered" },
	{ "CPU_TIME_FACTOR", "overrides lsb.params" },
	{ "RUN_TIME_FACTOR", "overrides lsb.params" },
	{ "RUN_JOB_FACTOR", "overrides lsb.params" },
	{ "FAIRSHARE_ADJUSTMENT_FACTOR", "overrides lsb.params" },
	{ "COMMITTED_RUN_TIME_FACTOR", "overrides lsb.params" },
	{ "GPU_RUN_TIME_FACTOR", "overrides lsb.params" },
	{ "FWD_JOB_FACTOR", "overrides lsb.params" },
	{ "HIST_HOURS", "overrides lsb.params" },
	{ "QJOB_LIMIT", "maximum slots of the queue's jobs" },
	{ "UJOB_LIMIT", "maximum slots of one user in the queue" },
	{ "PJOB_LIMIT", "maximum slots per CPU" },
	{ "HJOB_LIMIT", "maximum slots on one host" },
	{ "SLOT_POOL", "pool of queues that share slots" },
	{ "SLOT_SHARE", "percent of the pool's slots" },
	{ "MAX_SLOTS_IN_POOL", "maximum slots of the pool" },
	{ "USE_PRIORITY_IN_POOL", "slots left over in the pool are allotted by PRIORITY" },
	{ "PREEMPTION", "which queues may suspend jobs of which queues" },
	{ "ROUND_ROBIN_POLICY", "the user with the fewest running slots is always next" },
	{ "APS_PRIORITY", "factors of the job order, which is not computed here" },
	{ "JOB_ACCEPT_INTERVAL", "overrides lsb.params" },
	{ "RES_REQ", "host requirements of its jobs; not used here" },
};

static bool policy_take(const struct cluster *c, uint32_t queue, uint32_t text,
			struct policy_queue_row *out)
{
	const char *at = strchr(cluster_string(c, text), ':');
	size_t length = at ? strcspn(at + 1, "=") : 0;

	for (size_t i = 0; at && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (!word_equal_n(at + 1, length, kinds[i].name))
			continue;
		*out = (struct policy_queue_row){
			cluster_text(c, F_QUEUE_NAME, queue), kinds[i].name,
			at[1 + length] ? at + 2 + length : POLICY_UNREPORTED, kinds[i].meaning
		};
		return true;
	}
	return false;
}

/* Fills OUT with row N, if there is one. Returns how many rows there are. */
static uint32_t policy_queue_find(const struct cluster *c, uint32_t n, struct policy_queue_row *out)
{
	uint32_t count = 0;

	for (uint32_t q = 0; q < cluster_rows(c, TABLE_QUEUE); q++) {
		struct text_list list = cluster_list(c, F_QUEUE_PARAMETERS, q);

		for (uint32_t i = 0; i < list.count; i++) {
			struct policy_queue_row row;

			if (!policy_take(c, q, list.texts[i], &row))
				continue;
			if (count == n)
				*out = row;
			count++;
		}
	}
	return count;
}

/*
 * Rows: the parameters in the order of their table, without those of other schedulers. After
 * PriorityFlags its words: existing ones, then unknown ones. NextUsageReset follows
 * PriorityUsageResetPeriod.
 */
enum policy_row_kind { ROW_PARAM, ROW_FLAG, ROW_WORD, ROW_RESET, ROW_QUEUE };

struct policy_row {
	enum policy_row_kind kind;
	size_t index;
};

static uint32_t policy_words(const struct policy *p)
{
	uint32_t n = p->unknown_flags[0] != '\0';

	for (const char *c = p->unknown_flags; *c; c++)
		n += *c == ',';
	return n;
}

static bool policy_is_reset_period(size_t param)
{
	return policy_params[param].offset == offsetof(struct policy, reset_period);
}

static const struct policy_view *policy_view_of(const struct position *pos)
{
	return pos->context;
}

/* The scheduler whose parameters are shown. */
static enum policy_scheduler policy_view_scheduler_of(const struct policy_view *v)
{
	return policy_scheduler_of(v->meta ? v->meta->kind : "");
}

static struct policy_row policy_row(const struct policy_view *v, uint32_t row)
{
	enum policy_scheduler scheduler = policy_view_scheduler_of(v);
	uint32_t words = policy_words(v->policy);
	size_t at = row;

	for (size_t i = 0; i < policy_params_count; i++) {
		if (policy_params[i].scheduler != scheduler)
			continue;
		if (at-- == 0)
			return (struct policy_row){ ROW_PARAM, i };
		if (policy_params[i].type == POLICY_FLAGS) {
			if (at < policy_flags_count)
				return (struct policy_row){ ROW_FLAG, at };
			at -= policy_flags_count;
			if (at < words)
				return (struct policy_row){ ROW_WORD, at };
			at -= words;
		}
		if (policy_is_reset_period(i) && at-- == 0)
			return (struct policy_row){ ROW_RESET, i };
	}
	if (v->queues)
		return (struct policy_row){ ROW_QUEUE, at };
	return (struct policy_row){ ROW_PARAM, 0 };
}

static struct policy_queue_row policy_view_queue_row(const struct policy_view *v, size_t n)
{
	struct policy_queue_row row = { "", "", "", "" };

	(void)policy_queue_find(v->queues, (uint32_t)n, &row);
	return row;
}

static struct policy_row policy_row_of(const struct position *pos)
{
	return policy_row(policy_view_of(pos), pos->row);
}

static void policy_put_text(struct value *out, const char *text)
{
	out->kind = VALUE_TEXT;
	out->text = text;
}

/* The Nth word of a list joined by commas. */
static void policy_put_word(struct value *out, const char *list, size_t n)
{
	for (; n > 0; n--)
		list += strcspn(list, ",") + 1;
	(void)snprintf(out->buffer, sizeof(out->buffer), "%.*s", (int)strcspn(list, ","), list);
	policy_put_text(out, out->buffer);
}

static void policy_put_time(const struct policy_view *v, int64_t time, struct value *out)
{
	struct column as_time = { .format = COLUMN_TIME };

	if (time == I64_UNKNOWN)
		return;
	value_set_int(out, time);
	if (!v->for_people)
		return;
	format_cell(&as_time, out, v->calendar, out->buffer, sizeof(out->buffer));
	policy_put_text(out, out->buffer);
}

/* The texts, longer than the buffer of a value, live as long as the policy. */
static const char *param_text(const struct policy *p, size_t i)
{
	return (const char *)p + policy_params[i].offset;
}

/* "CPU=1,Mem=2G" with Slurm's own names of TRES, however they were written. */
static void policy_view_put_weights(struct value *out, const char *text)
{
	char *to = out->buffer;

	_Static_assert(sizeof(((struct policy *)NULL)->weight_tres) <= VALUE_ROOM, "it fits");
	for (bool name = true; *text; text++) {
		name = name ? *text != '=' : *text == ',';
		*to++ = name ? word_lower(*text) : *text;
	}
	*to = '\0';
	policy_put_text(out, out->buffer);
}

static void put_param(const struct policy_view *v, const struct policy *p, size_t i,
		      struct value *out)
{
	if (policy_is_unreported(p, i)) {
		policy_put_text(out, POLICY_UNREPORTED);
		return;
	}
	switch (policy_params[i].type) {
	case POLICY_TEXT:
		if (!v->for_people && policy_real(p, i, &out->real))
			out->kind = VALUE_REAL;
		else if (policy_params[i].offset == offsetof(struct policy, weight_tres))
			policy_view_put_weights(out, param_text(p, i));
		else
			policy_put_text(out, param_text(p, i));
		return;
	case POLICY_FLAGS:
		policy_value_text(p, i, out->buffer, sizeof(out->buffer));
		policy_put_text(out, out->buffer);
		return;
	case POLICY_BOOL:
		out->kind = VALUE_BOOL;
		out->integer = policy_number(p, i) != 0;
		break;
	case POLICY_U32:
	case POLICY_SECONDS:
		value_set_int(out, (int64_t)policy_number(p, i));
		break;
	}
	if (v->for_people) {
		policy_value_text(p, i, out->buffer, sizeof(out->buffer));
		policy_put_text(out, out->buffer);
	}
}

/* A flag that also switches this one on. */
static const char *flag_implied_by(const struct policy *p, uint32_t bit)
{
	static const uint32_t normal = PF_NO_NORMAL_ASSOC | PF_NO_NORMAL_PART | PF_NO_NORMAL_QOS |
				       PF_NO_NORMAL_TRES;

	if (p->flags & bit)
		return NULL;
	if (bit == PF_NO_FAIR_TREE && p->flags & PF_DEPTH_OBLIVIOUS)
		return "implied by DEPTH_OBLIVIOUS";
	if (bit & normal && p->flags & PF_NO_NORMAL_ALL)
		return "implied by NO_NORMAL_ALL";
	return NULL;
}

/* Parameters that edits can change are numbers of the cluster; others are as in lsb.queues. */
static void policy_put_queue(const struct policy_view *v, struct policy_queue_row row, bool what_if,
			     struct value *out)
{
	const struct cluster *c = what_if ? v->queues_what_if : NULL;
	uint32_t q = c ? cluster_row_named(c, F_QUEUE_NAME, row.queue, strlen(row.queue)) :
			 ROW_NONE;
	double number = F64_UNKNOWN;

	policy_put_text(out, row.value);
	if (q == ROW_NONE)
		return;
	if (strcmp(row.name, "PRIORITY") == 0 && cluster_i64(c, F_QUEUE_PRIORITY, q) != I64_UNKNOWN)
		number = (double)cluster_i64(c, F_QUEUE_PRIORITY, q);
	else if (strcmp(row.name, "SLOT_SHARE") == 0)
		number = cluster_f64(c, F_QUEUE_SHARE, q);
	else if (strcmp(row.name, "QJOB_LIMIT") == 0 &&
		 cluster_u32(c, F_QUEUE_JOB_LIMIT, q) < U32_UNKNOWN)
		number = cluster_u32(c, F_QUEUE_JOB_LIMIT, q);
	if (!f64_known(number))
		return;
	snprintf(out->buffer, sizeof(out->buffer), "%.15g", number);
	policy_put_text(out, out->buffer);
}

static void policy_put_value(const struct policy_view *v, const struct policy *p,
			     struct policy_row r, struct value *out)
{
	switch (r.kind) {
	case ROW_PARAM:
		if (!policy_is_hidden(p, r.index))
			put_param(v, p, r.index, out);
		return;
	case ROW_FLAG:
	case ROW_WORD:
		if (policy_hides(p, "PriorityFlags"))
			return;
		out->kind = VALUE_BOOL;
		out->integer = r.kind == ROW_WORD || p->flags & policy_flags[r.index].bit ||
			       flag_implied_by(p, policy_flags[r.index].bit);
		return;
	case ROW_RESET:
		policy_put_time(v, p == v->what_if ? v->what_if_reset : v->next_reset, out);
		return;
	case ROW_QUEUE:
		policy_put_queue(v, policy_view_queue_row(v, r.index), p == v->what_if, out);
		return;
	}
}

static void policy_get_name(const struct position *pos, struct value *out)
{
	struct policy_row r = policy_row_of(pos);

	switch (r.kind) {
	case ROW_PARAM:
		policy_put_text(out, policy_params[r.index].name);
		return;
	case ROW_FLAG:
		policy_put_text(out, policy_flags[r.index].name);
		return;
	case ROW_WORD:
		policy_put_word(out, policy_view_of(pos)->policy->unknown_flags, r.index);
		return;
	case ROW_RESET:
		policy_put_text(out, "NextUsageReset");
		return;
	case ROW_QUEUE: {
		struct policy_queue_row q = policy_view_queue_row(policy_view_of(pos), r.index);

		(void)snprintf(out->buffer, sizeof(out->buffer), "%s.%s", q.queue, q.name);
		policy_put_text(out, out->buffer);
		return;
	}
	}
}

static void policy_get_value(const struct position *pos, struct value *out)
{
	policy_put_value(policy_view_of(pos), policy_view_of(pos)->policy, policy_row_of(pos), out);
}

static void get_default(const struct position *pos, struct value *out)
{
	struct policy_row r = policy_row_of(pos);
	struct policy defaults;
	const char *text;

	if (r.kind == ROW_RESET || r.kind == ROW_WORD || r.kind == ROW_QUEUE)
		return;
	text = policy_params[r.index].default_value;
	policy_init(&defaults);
	if (r.kind == ROW_PARAM && policy_params[r.index].type == POLICY_TEXT)
		policy_put_text(out, text);	/* DEFAULTS is short-lived */
	else if (r.kind == ROW_PARAM)
		put_param(policy_view_of(pos), &defaults, r.index, out);
	else
		policy_put_value(policy_view_of(pos), &defaults, r, out);
}

/* Dates for people are in the cluster's zone. */
static const char *zone_of(const struct policy_view *v)
{
	return v->meta && v->meta->zone[0] && !v->zone_is_ours ? v->meta->zone : "our local time";
}

static void get_unit(const struct position *pos, struct value *out)
{
	struct policy_row r = policy_row_of(pos);
	bool people = policy_view_of(pos)->for_people;

	switch (r.kind) {
	case ROW_PARAM:
		policy_put_text(out, policy_params[r.index].unit);
		if (people && strchr(policy_params[r.index].default_value, ':'))
			policy_put_text(out, "d-h:m:s");
		return;
	case ROW_FLAG:
	case ROW_WORD:
		policy_put_text(out, "flag");
		return;
	case ROW_RESET:
		policy_put_text(out, people ? zone_of(policy_view_of(pos)) : unit_name(UNIT_TIME));
		return;
	case ROW_QUEUE:
		policy_put_text(out, "");
		return;
	}
}

const char *policy_warning(const struct policy *p, size_t param)
{
	size_t offset = policy_params[param].offset;

	if (offset == offsetof(struct policy, type) && policy_is_known(p, param) &&
	    !policy_is_multifactor(p))
		return "jobs are served first in, first out: no factor, weight or fair share has "
		       "any effect on this cluster";
	if (offset == offsetof(struct policy, flags) && p->unknown_flags[0])
		return "it has a word that no version knows, which was ignored: fairtop lint names "
		       "it";
	if (offset == offsetof(struct policy, storage_type) && policy_is_known(p, param) &&
	    !policy_has_accounting(p))
		return "no accounting database: the scheduler counts the weights of age and fair "
		       "share as 0";
	return NULL;
}

static const char *reset_meaning(const struct policy_view *v)
{
	bool comes = v->next_reset != I64_UNKNOWN ||
		     (v->what_if && v->what_if_reset != I64_UNKNOWN);

	if (comes && v->zone_is_ours)
		return "next reset of all usage to zero, assumed at our midnight: the cluster's "
		       "may differ";
	if (comes)
		return "next reset of all usage to zero, or up to one PriorityCalcPeriod later";
	if (policy_hides(v->policy, "PriorityUsageResetPeriod"))
		return "the time is unknown";
	if (word_equal(v->policy->reset_period, "NOW"))
		return "usage is set to zero whenever the scheduler starts or is reconfigured";
	if (word_equal(v->policy->reset_period, "NONE"))
		return "usage is never set to zero";
	return "the time is unknown";
}

static void get_meaning(const struct position *pos, struct value *out)
{
	const struct policy_view *v = policy_view_of(pos);
	struct policy_row r = policy_row_of(pos);
	const char *warning;

	switch (r.kind) {
	case ROW_PARAM:
		warning = policy_warning(v->policy, r.index);
		policy_put_text(out, warning ? warning : policy_params[r.index].meaning);
		return;
	case ROW_FLAG:
		policy_put_text(out, policy_flags[r.index].meaning);
		return;
	case ROW_WORD:
		policy_put_text(out,
				"no version of the scheduler knows this word: it has no effect");
		return;
	case ROW_RESET:
		policy_put_text(out, reset_meaning(v));
		return;
	case ROW_QUEUE:
		policy_put_text(out, policy_view_queue_row(v, r.index).meaning);
		return;
	}
}

/* Slurm's configuration was not read: its type is a special word. */
static bool is_unread(const struct policy *p, size_t i)
{
	return policy_is_hidden(p, i) ||
	       (policy_params[i].offset == offsetof(struct policy, type) &&
		!policy_tells_weights(p));
}

static void get_from(const struct position *pos, struct value *out)
{
	const struct policy *p = policy_view_of(pos)->policy;
	struct policy_row r = policy_row_of(pos);
	const char *implied = r.kind == ROW_FLAG ?
			      flag_implied_by(p, policy_flags[r.index].bit) : NULL;
	size_t param = r.kind == ROW_FLAG || r.kind == ROW_WORD ? policy_param("PriorityFlags") :
		       r.index;

	if (implied)
		policy_put_text(out, implied);
	else if (r.kind == ROW_RESET)
		policy_put_text(out, "computed");
	else if (r.kind == ROW_QUEUE)
		policy_put_text(out, "queue");
	else if (policy_params[param].scheduler == POLICY_OF_SLURM && is_unread(p, param))
		policy_put_text(out, "not read");
	else
		policy_put_text(out, policy_is_known(p, param) ? "scheduler" :
				policy_is_unreported(p, param) ? "not reported" :
				policy_is_hidden(p, param) ? "hidden" : "default");
}

static void get_what_if(const struct position *pos, struct value *out)
{
	const struct policy_view *v = policy_view_of(pos);

	if (v->what_if)
		policy_put_value(v, v->what_if, policy_row_of(pos), out);
}

const struct column policy_columns[] = {
	{ .name = "name", .title = "Parameter", .legend = "the scheduler's own name",
	  .width = 28, .keep = 255, .left = true, .needs = NEED_POLICY, .only = ALWAYS,
	  .get = policy_get_name },
	{ .name = "value", .title = "Value", .legend = "the value in effect",
	  .width = 20, .keep = 250, .left = true, .needs = NEED_POLICY, .only = ALWAYS,
	  .get = policy_get_value },
	{ .name = "what_if", .title = "What if", .legend = "the value after the edits",
	  .width = 20, .keep = 240, .left = true, .needs = NEED_POLICY, .only = 0,
	  .get = get_what_if,
	  .changes = { .shape = { NULL, 0, 0, 10, 230 }, .only = ALWAYS,
		       .name = "difference", .heading = "Difference",
		       .legend = "effect of the edits; durations in seconds; flags 1 or -1" } },
	{ .name = "default", .title = "Default", .legend = "value if not set in slurm.conf",
	  .width = 20, .keep = 100, .left = true, .needs = NEED_POLICY, .only = ALWAYS,
	  .get = get_default },
	{ .name = "unit", .title = "Unit", .legend = "unit of value and default",
	  .width = 8, .keep = 120, .left = true, .needs = NEED_POLICY, .only = ALWAYS,
	  .get = get_unit },
	{ .name = "meaning", .title = "Meaning", .legend = "its meaning",
	  .width = 60, .keep = 200, .left = true, .needs = NEED_POLICY, .only = ALWAYS,
	  .get = get_meaning },
	{ .name = "from", .title = "From",
	  .legend = "scheduler, queue; default; not reported; what implies it",
	  .width = 12, .keep = 90, .left = true, .needs = NEED_POLICY, .only = ALWAYS,
	  .get = get_from },
};
const size_t policy_columns_count = sizeof(policy_columns) / sizeof(policy_columns[0]);

static uint32_t count_rows(const struct policy_view *v)
{
	enum policy_scheduler scheduler = policy_view_scheduler_of(v);
	uint32_t n = 0;

	for (size_t i = 0; i < policy_params_count; i++)
		n += policy_params[i].scheduler == scheduler;
	if (v->queues)
		n += policy_queue_find(v->queues, UINT32_MAX, NULL);
	if (scheduler == POLICY_OF_SLURM)
		n += (uint32_t)policy_flags_count + policy_words(v->policy) + 1;
	return n;
}

struct view policy_view(const struct policy_view *p)
{
	return view_of("policy", policy_columns, policy_columns_count, p, count_rows(p));
}
