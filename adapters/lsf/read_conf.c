/* SPDX-License-Identifier: GPL-2.0-or-later */
/* lsb.params, lsb.hosts, lsb.resources, lsb.queues: reads what concerns slots. */
#include "adapters/lsf/site.h"

#include <string.h>
#include <strings.h>

#include "core/base/mem.h"

struct lsf_conf_reading {
	struct lsf_site *s;
	lsf_each *each;
};

static bool is_same_name(struct slice a, struct slice b)
{
	return a.length == b.length && strncasecmp(a.at, b.at, a.length) == 0;
}

/* Passes a record on; notes keywords with two values in one section: the last one is used. */
static bool take_record(void *context, const struct lsf_record *r, struct err *err)
{
	const struct lsf_conf_reading *reading = context;
	struct lsf_site *s = reading->s;

	for (uint32_t i = 0; i < r->count && !r->horizontal; i++) {
		const struct lsf_cell *a = &r->cells[i];
		uint32_t k = i + 1;

		while (k < r->count && !is_same_name(r->cells[k].name, a->name))
			k++;
		if (k < r->count && !slice_equal(r->cells[k].value, a->value))
			builder_note(s->b, s->text->name, "line %u: %.*s is set again in line %u%s",
				     (unsigned)a->line, SLICE_PRINT(a->name),
				     (unsigned)r->cells[k].line, r->cells[k].value.length > 0 ?
				     ": the last one is used" :
				     ", to nothing: which of the two counts is unknown");
	}
	return reading->each(s, r, err);
}

static bool conf_read_file(struct lsf_site *s, lsf_each *each, struct err *err)
{
	struct lsf_conf_reading reading = { s, each };

	return lsf_conf_read(s->text->text, s->text->length, &s->when, take_record, &reading, err);
}

static char *copy_of(struct slice s)
{
	return mem_strndup(s.at, s.length);
}

/* "()", "-" and an empty cell mean the default in LSF. */
static bool conf_is_default(struct slice s)
{
	return s.length == 0 || slice_is(s, "-") || slice_is(s, "()");
}

/* The value of the cell NAME of R; NULL for the default. */
static const struct slice *conf_value_of(const struct lsf_record *r, const char *name)
{
	const struct lsf_cell *cell = lsf_cell(r, name);

	return cell && !conf_is_default(cell->value) ? &cell->value : NULL;
}

/* ---- lsb.params ---------------------------------------------------------------------------- */

void lsf_put_param(struct lsf_site *s, struct slice name, struct slice value)
{
	struct err err = { .code = ERR_NONE };
	size_t i;
	char *text;

	name.length = strnlen(name.at, name.length);
	i = policy_param_by_name(name.at, name.length);
	if (slice_same(name, "DEFAULT_LIMIT_IGNORE_USER_GROUP"))
		s->default_spares_groups = slice_same(value, "Y") || slice_same(value, "TRUE");
	if (i == policy_params_count || policy_params[i].scheduler != POLICY_OF_LSF)
		return;
	text = copy_of(value);
	if (!policy_set_text(builder_policy(s->b), i, text, &err))
		builder_note(s->b, s->text->name, "%.150s", err.message);
	mem_free(text);
}

static bool take_params(void *context, const struct lsf_record *r, struct err *err)
{
	struct lsf_site *s = context;

	(void)err;
	if (!slice_same(r->section, "Parameters"))
		return true;
	for (uint32_t i = 0; i < r->count; i++) {
		if (!conf_is_default(r->cells[i].value))
			lsf_put_param(s, r->cells[i].name, r->cells[i].value);
	}
	return true;
}

bool lsf_read_params(struct lsf_site *s, struct err *err)
{
	static const char sleep[] = "MBD_SLEEP_TIME";

	if (!conf_read_file(s, take_params, err))
		return false;
	/* The default of volclava differs from the documented one (2 s, DEF_MSLEEPTIME). */
	if (lsf_site_is_volclava(s) && !policy_is_known(builder_policy(s->b), policy_param(sleep)))
		lsf_put_param(s, slice_of(sleep), slice_of("2"));
	return true;
}

/* ---- lsb.users ----------------------------------------------------------------------------- */

static void take_user(struct lsf_site *s, const struct lsf_record *r)
{
	const struct slice *name = conf_value_of(r, "USER_NAME"),
			   *most = conf_value_of(r, "MAX_JOBS");
	const struct slice *cpu = conf_value_of(r, "JL/P");
	double per_cpu;
	uint32_t slots;

	if (!name)
		return;
	if (!cpu || !slice_f64(*cpu, &per_cpu))
		per_cpu = F64_UNKNOWN;
	if (!most || !slice_u32(*most, &slots) || slots >= U32_UNKNOWN)
		slots = U32_UNKNOWN;
	lsf_site_limit_user(s, *name, slots, per_cpu);
}

static bool take_user_group(void *context, const struct lsf_record *r, struct err *err)
{
	struct lsf_site *s = context;
	const struct slice *name = conf_value_of(r, "GROUP_NAME"),
			   *members = conf_value_of(r, "GROUP_MEMBER");
	const struct slice *shares = conf_value_of(r, "USER_SHARES");
	struct lsf_user_group *g;

	(void)err;
	if (slice_same(r->section, "User")) {
		take_user(s, r);
		return true;
	}
	if (!slice_same(r->section, "UserGroup") || !name)
		return true;
	g = lsf_site_user_group(s, *name);
	if (members)
		lsf_set_text(&g->members, *members);
	if (shares)
		lsf_set_text(&g->shares, *shares);
	return true;
}

bool lsf_read_users(struct lsf_site *s, struct err *err)
{
	return conf_read_file(s, take_user_group, err);
}

/* ---- lsb.hosts ----------------------------------------------------------------------------- */

/* Sets the limit of a host; it is the number of slots if it is a number. */
static void limit_host(struct lsf_host *h, struct slice mxj)
{
	uint32_t slots;

	lsf_set_text(&h->mxj, mxj);
	if (slice_u32(mxj, &slots) && slots < U32_UNKNOWN)
		h->slots = slots;
}

/* LIST is one name, which may mean several hosts: host[1-10]. */
static void limit_hosts(struct lsf_site *s, const char *list, struct slice mxj)
{
	uint32_t host = lsf_site_find_host(s, list, strlen(list));
	bool *set;

	if (host != ROW_NONE) {
		limit_host(&s->hosts[host], mxj);
		return;
	}
	set = mem_zalloc(s->host_count + 1, sizeof(*set));
	if (lsf_site_expand(s, list, set)) {
		for (size_t i = 0; i < s->host_count; i++) {
			if (set[i])
				limit_host(&s->hosts[i], mxj);
		}
	}
	mem_free(set);
}

static void conf_take_host(struct lsf_site *s, const struct lsf_record *r)
{
	const struct slice *name = conf_value_of(r, "HOST_NAME"), *mxj = conf_value_of(r, "MXJ");
	char *list;

	if (name && slice_same(*name, "default")) {
		if (mxj)
			lsf_set_text(&s->default_mxj, *mxj);
		return;
	}
	if (!name)
		return;
	list = copy_of(*name);
	lsf_site_mention(s, *name);
	if (mxj)
		limit_hosts(s, list, *mxj);
	mem_free(list);
}

static void take_group(struct lsf_site *s, const struct lsf_record *r, bool partition)
{
	const struct slice *name = conf_value_of(r, partition ? "HPART_NAME" : "GROUP_NAME");
	const struct slice *members = conf_value_of(r, partition ? "HOSTS" : "GROUP_MEMBER");

	if (name)
		lsf_site_host_group(s, *name, members ? *members : slice_of(""), partition);
}

static bool conf_take_hosts(void *context, const struct lsf_record *r, struct err *err)
{
	struct lsf_site *s = context;

	(void)err;
	if (slice_same(r->section, "Host"))
		conf_take_host(s, r);
	else if (slice_same(r->section, "HostGroup"))
		take_group(s, r, false);
	else if (slice_same(r->section, "HostPartition"))
		take_group(s, r, true);
	return true;
}

bool lsf_read_hosts(struct lsf_site *s, struct err *err)
{
	if (!conf_read_file(s, conf_take_hosts, err))
		return false;
	/* Groups may contain groups that are defined later. */
	for (size_t i = 0; i < s->group_count; i++)
		lsf_site_mention(s, slice_of(s->groups[i].members));
	return true;
}

/* ---- lsb.resources ------------------------------------------------------------------------- */

static char *conf_optional(const struct slice *s)
{
	return s ? copy_of(*s) : NULL;
}

/* Section Limit, in either form: slots by hosts or by queues. Others are noted. */
static bool take_limit(void *context, const struct lsf_record *r, struct err *err)
{
	struct lsf_site *s = context;
	const struct slice *slots = conf_value_of(r, "SLOTS"), *hosts = conf_value_of(r, "HOSTS");
	const struct slice *per_host = conf_value_of(r, "PER_HOST"),
			   *queues = conf_value_of(r, "QUEUES");
	const struct slice *per_queue = conf_value_of(r, "PER_QUEUE");
	uint32_t n;

	(void)err;
	if (!slice_same(r->section, "Limit"))
		return true;
	if (!slots || !slice_u32(*slots, &n) || n >= U32_UNKNOWN || conf_value_of(r, "USERS") ||
	    conf_value_of(r, "PER_USER") || conf_value_of(r, "PROJECTS") ||
	    conf_value_of(r, "PER_PROJECT") || ((hosts || per_host) && (queues || per_queue))) {
		builder_note(s->b, s->text->name, "the limit in line %u is not applied",
			     (unsigned)r->line);
		return true;
	}
	MEM_GROW(s->limits, s->limit_capacity, s->limit_count + 1);
	s->limits[s->limit_count++] = (struct lsf_limit){
		.name = conf_optional(conf_value_of(r, "NAME")),
		.hosts = conf_optional(per_host ? per_host : hosts),
		.queues = conf_optional(per_queue ? per_queue : queues),
		.per_host = per_host != NULL, .per_queue = per_queue != NULL, .slots = n,
	};
	if (per_host || hosts)
		lsf_site_mention(s, per_host ? *per_host : *hosts);
	return true;
}

bool lsf_read_resources(struct lsf_site *s, struct err *err)
{
	return conf_read_file(s, take_limit, err);
}

/* ---- lsb.queues ---------------------------------------------------------------------------- */

static bool conf_take_queue(void *context, const struct lsf_record *r, struct err *err)
{
	struct lsf_site *s = context;
	const struct slice *name = conf_value_of(r, "QUEUE_NAME"),
			   *hosts = conf_value_of(r, "HOSTS");
	struct lsf_queue *q;

	if (!slice_same(r->section, "Queue"))
		return true;
	if (!name)
		return err_set_line(err, ERR_INPUT, r->line, "a queue without QUEUE_NAME");
	q = lsf_site_queue(s, *name);
	if (q->line)
		return err_set_line(err, ERR_INPUT, r->line,
				    "%.*s: this queue is already defined in line %u",
				    SLICE_PRINT(*name), (unsigned)q->line);
	q->line = r->line;
	for (uint32_t i = 0; i < r->count; i++) {
		const struct lsf_cell *cell = &r->cells[i];
		char *text;

		if (r->horizontal && conf_is_default(cell->value))
			continue;
		text = copy_of(cell->name);
		lsf_add_param(q, text, cell->value, cell->line);
		mem_free(text);
	}
	if (hosts)
		lsf_site_mention(s, *hosts);
	return true;
}

bool lsf_read_queues(struct lsf_site *s, struct err *err)
{
	return conf_read_file(s, conf_take_queue, err);
}
