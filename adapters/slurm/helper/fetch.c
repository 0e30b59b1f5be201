/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/helper/fetch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <slurm/slurm_errno.h>
#include <slurm/slurmdb.h>

#include "adapters/clock.h"
#include "adapters/slurm/helper/compat.h"
#include "adapters/slurm/helper/fill.h"
#include "adapters/slurm/helper/load.h"
#include "adapters/slurm/hidden_jobs.h"
#include "adapters/slurm/last_pass.h"
#include "core/cluster/lastpass.h"
#include "core/base/mem.h"
#include "core/share/model.h"

#define WHOLE_EVERY 120	/* seconds */

struct helper_picture {
	struct load load;
	struct names *users, *qos;
	uint32_t needs;			/* of the last picture sent */
	bool sent;
	bool order_matters;		/* the order of siblings matters: always load it */
	bool have_fingerprint;
	struct fingerprint fingerprint;	/* of what LOAD held at the end of the last fetch */
	int64_t whole;			/* when the associations' message was last loaded */
	/* Usages last read, to notice a pass. */
	uint32_t *ids;
	double *usages;
	size_t count;
	int64_t pass;			/* the last one, by the age terms; I64_UNKNOWN */
	int64_t seen;			/* a pass began shortly before this time; I64_UNKNOWN */
	int64_t taken;			/* when the usages were read */
};

struct helper_picture *picture_new(void)
{
	struct helper_picture *p = mem_zalloc(1, sizeof(*p));

	p->users = names_new();
	p->qos = names_new();
	p->pass = I64_UNKNOWN;
	p->seen = I64_UNKNOWN;
	return p;
}

void picture_free(struct helper_picture *p)
{
	load_free(&p->load);
	names_free(p->users);
	names_free(p->qos);
	MEM_FREE(p->ids, p->usages, p);
}

/* ---- what to load -------------------------------------------------------------------------- */

static uint32_t fetch_bit(enum load_item item)
{
	return UINT32_C(1) << item;
}

/* May there have been a pass since the known one, whose time the age terms would show? */
static bool pass_is_due(const struct helper_picture *p)
{
	const slurm_conf_t *conf = p->load.conf;

	if (!conf)
		return true;
	return conf->priority_weight_age != 0 &&
	       (p->pass == I64_UNKNOWN ||
		clock_time() - p->pass >= (int64_t)conf->priority_calc_period);
}

static void fetch_plan(struct helper_picture *p, uint32_t needs)
{
	struct load *l = &p->load;
	bool shares = (needs & (NEED_SHARES | NEED_LIMITS)) != 0;

	/* Always: the configuration is small, and the other values depend on it. */
	l->wanted = fetch_bit(LOAD_CONF);
	l->wanted_assoc_flags = 0;
	l->at_once = (needs & NEED_ONCE) != 0;
	if (shares && shares_known())
		l->wanted |= fetch_bit(LOAD_SHARES);
	if (needs & NEED_LIMITS || (shares && (!shares_known() || p->order_matters)))
		l->wanted_assoc_flags |= ASSOC_MGR_INFO_FLAG_ASSOC | ASSOC_MGR_INFO_FLAG_USERS |
					 ASSOC_MGR_INFO_FLAG_QOS;
	if (needs & NEED_QOS)
		l->wanted_assoc_flags |= ASSOC_MGR_INFO_FLAG_QOS;
	if (l->wanted_assoc_flags != 0)
		l->wanted |= fetch_bit(LOAD_ASSOCS);
	if (needs & NEED_JOBS)
		l->wanted |= fetch_bit(LOAD_JOBS);
	if (needs & NEED_PRIO || (needs & NEED_PASS && needs & NEED_JOBS && pass_is_due(p)))
		l->wanted |= fetch_bit(LOAD_PRIO);
	if (needs & NEED_HOSTS)
		l->wanted |= fetch_bit(LOAD_NODES) | fetch_bit(LOAD_PARTITIONS);
	if (needs & NEED_HOSTS && needs & NEED_JOBS)
		l->wanted |= fetch_bit(LOAD_STATISTICS);
	if (needs & NEED_PARTITIONS)
		l->wanted |= fetch_bit(LOAD_PARTITIONS);
	if (needs & NEED_RESERVATIONS)
		l->wanted |= fetch_bit(LOAD_RESERVATIONS);
	if (needs & NEED_LICENSES)
		l->wanted |= fetch_bit(LOAD_LICENSES);
}

/* ---- what went wrong ----------------------------------------------------------------------- */

static const char *const item_names[LOAD_ITEMS] = {
	[LOAD_CONF] = "configuration", [LOAD_ASSOCS] = "associations", [LOAD_SHARES] = "shares",
	[LOAD_JOBS] = "jobs", [LOAD_PRIO] = "priorities", [LOAD_NODES] = "nodes",
	[LOAD_PARTITIONS] = "partitions", [LOAD_RESERVATIONS] = "reservations",
	[LOAD_LICENSES] = "licenses", [LOAD_STATISTICS] = "statistics",
};

/* Is a picture possible without it, with those values unknown? */
static bool can_do_without(const struct load *l, enum load_item item)
{
	int error = l->errors[item];

	if (item == LOAD_CONF)
		return false;
	if (error == ESLURM_ACCESS_DENIED || error == ESLURM_USER_ID_MISSING)
		return true;
	/* The reply to a user without associations cannot be unpacked. */
	return item == LOAD_ASSOCS && l->conf && l->conf->private_data != 0 &&
	       !l->errors[LOAD_SHARES] && l->wanted & fetch_bit(LOAD_SHARES);
}

static bool check_errors(const struct load *l, bool *refused, struct err *err)
{
	for (int i = 0; i < LOAD_ITEMS; i++) {
		int error = l->errors[i];

		if (error == 0 || error == ECANCELED || can_do_without(l, (enum load_item)i))
			continue;
		*refused = error == SLURM_PROTOCOL_VERSION_ERROR;
		return err_set(err, ERR_SOURCE, "slurmctld: %s: %s", item_names[i],
			       error == SLURM_ERROR ? "failed" : slurm_strerror(error));
	}
	return true;
}

static void note_errors(struct fill *f)
{
	const struct load *l = f->l;

	for (int i = 0; i < LOAD_ITEMS; i++) {
		if (l->errors[i] != 0)
			builder_note(f->b, item_names[i], "not reported to this user (%s)",
				     l->errors[i] == SLURM_ERROR ? "empty or refused"
								 : slurm_strerror(l->errors[i]));
	}
}

/* ---- when was the last pass? --------------------------------------------------------------- */

static bool same_ids(const struct helper_picture *p, const uint32_t *ids, size_t count)
{
	return p->ids && p->count == count && memcmp(p->ids, ids, count * sizeof(*ids)) == 0;
}

/*
 * Remembers the usages, and whether they were decayed since the last call. They are from the
 * message with decimals, because small usages hardly change as whole numbers.
 */
static void watch_usage(struct helper_picture *p, int64_t now)
{
	const struct load *l = &p->load;
	size_t count = l->assoc_count;
	uint32_t *ids;
	double *usages;

	if (!(l->wanted & fetch_bit(LOAD_ASSOCS)) || l->errors[LOAD_ASSOCS] || count == 0)
		return;
	ids = mem_alloc(count, sizeof(*ids));
	usages = mem_alloc(count, sizeof(*usages));
	for (size_t i = 0; i < count; i++) {
		const slurmdb_assoc_rec_t *a = l->assoc_rows[i];

		ids[i] = a->id;
		usages[i] = a->usage ? (double)a->usage->usage_raw : 0;
	}
	if (same_ids(p, ids, count) && lastpass_between(p->usages, usages, count))
		p->seen = now;
	mem_free(p->ids);
	mem_free(p->usages);
	p->ids = ids;
	p->usages = usages;
	p->count = count;
}

/*
 * Is the pass found by earlier age terms still the last? The next one may begin during the fetch.
 */
static bool pass_holds(const struct helper_picture *p, int64_t now)
{
	int64_t period = p->load.conf->priority_calc_period;

	return p->pass != I64_UNKNOWN && now - p->pass < 2 * period &&
	       (p->seen == I64_UNKNOWN || p->seen - p->pass < period);
}

/* The last pass by the age terms; else by usage, as long as the next cannot have been missed. */
static int64_t fetch_last_pass(struct helper_picture *p, struct fill *f, int64_t now)
{
	bool reported = p->load.wanted & fetch_bit(LOAD_JOBS) &&
			p->load.wanted & fetch_bit(LOAD_PRIO);
	int64_t before = p->taken;

	if (reported)
		p->pass = slurm_last_pass(f->b, true);
	watch_usage(p, now);
	p->taken = now;
	if ((reported && p->pass != I64_UNKNOWN) || pass_holds(p, now))
		return p->pass;
	if (p->seen == I64_UNKNOWN)
		return I64_UNKNOWN;
	if (now - p->seen > (int64_t)p->load.conf->priority_calc_period) {
		p->seen = I64_UNKNOWN;
		return I64_UNKNOWN;
	}
	if (p->seen == now)
		builder_note(f->b, "decay pass",
			     "seen by its effect: it may have started up to %lld s earlier",
			     (long long)(now - before));
	return p->seen;
}

/* ---- the picture --------------------------------------------------------------------------- */

/* The time zone of this host, taken for that of the cluster. */
static void find_zone(char *buf, size_t size)
{
	const char *zone = getenv("TZ"), *name;
	char link[256];
	ssize_t n;

	snprintf(buf, size, "%s", zone && *zone ? zone + (*zone == ':') : "");
	if (buf[0])
		return;
	n = readlink("/etc/localtime", link, sizeof(link) - 1);
	if (n <= 0)
		return;
	link[n] = '\0';
	name = strstr(link, "zoneinfo/");
	if (name)
		snprintf(buf, size, "%s", name + strlen("zoneinfo/"));
}

/* Are there associations, not only the QOS from the same call? */
static bool has_assocs(const struct load *l)
{
	return l->wanted & fetch_bit(LOAD_ASSOCS) && !l->errors[LOAD_ASSOCS] &&
	       l->assoc_flags & ASSOC_MGR_INFO_FLAG_ASSOC;
}

static void fetch_set_meta(struct helper_picture *p, struct fill *f, int64_t now)
{
	const struct load *l = &p->load;
	char zone[128];
	struct cluster_meta meta = {
		.kind = "slurm",
		.name = l->conf->cluster_name,
		.version = l->conf->version,
		.zone = zone,
		.time = now,
		.last_decay = fetch_last_pass(p, f, now),
		.boot = fill_time(l->conf->boot_time),
		.last_reset = I64_UNKNOWN,
		.last_backfill = l->wanted & fetch_bit(LOAD_STATISTICS) ? l->last_backfill : 0,
		.usage_quantum = has_assocs(l) ? 1e-6 : 1,
		.ratio_quantum =
			l->wanted & fetch_bit(LOAD_SHARES) && !l->errors[LOAD_SHARES] ? 0 : 1e-6,
	};

	find_zone(zone, sizeof(zone));
	builder_meta(f->b, &meta);
}

static bool fetch_good(const struct load *l, enum load_item item)
{
	return l->wanted & fetch_bit(item) && !l->errors[item];
}

static struct cluster *fetch_build(struct helper_picture *p, uint32_t needs, int64_t now,
				   struct err *err)
{
	const struct load *l = &p->load;
	struct fill f = { .b = builder_new(), .l = l, .needs = needs, .users = p->users,
			  .qos = p->qos };
	struct cluster *c;

	fill_policy(&f);
	if (l->wanted & (fetch_bit(LOAD_SHARES) | fetch_bit(LOAD_ASSOCS)))
		fill_assocs(&f);
	if (fetch_good(l, LOAD_JOBS))
		fill_jobs(&f);
	if (fetch_good(l, LOAD_JOBS) && !l->sees_all_jobs)
		slurm_hide_jobs(f.b, user_name(f.users, geteuid()));
	if (fetch_good(l, LOAD_PRIO))
		fill_prio(&f);
	if (fetch_good(l, LOAD_PARTITIONS))
		fill_partitions(&f);
	if (fetch_good(l, LOAD_NODES))
		fill_nodes(&f);
	if (fetch_good(l, LOAD_RESERVATIONS))
		fill_reservations(&f);
	if (fetch_good(l, LOAD_LICENSES))
		fill_licenses(&f);
	note_errors(&f);
	fetch_set_meta(p, &f, now);
	mem_free(f.tres_rows);
	tree_free(f.tree);
	c = builder_seal(f.b, err);
	if (!c)
		err_prefix(err, "slurmctld's associations");
	return c;
}

/*
 * Fair Tree visits tied accounts in an order that only the associations' message has. Does it
 * matter? It does if the factors computed in the order of the list are not the reported ones.
 */
static bool order_is_missing(const struct load *l, const struct cluster *c)
{
	const struct model_options options = { -1, FS_BASE_REPORTED, FS_ORDER_LIST };
	struct model *m;
	bool differs = false;

	if (has_assocs(l) || !(l->conf->priority_flags & PRIORITY_FLAGS_FAIR_TREE))
		return false;
	m = model_new(c, &options, NULL);
	for (uint32_t i = 0; m && !differs && i < m->fs->n; i++) {
		double reported = cluster_f64(c, F_ASSOC_R_FAIRSHARE, i);

		/* Factors are multiples of 1 / number of users. */
		differs = cluster_is_user(c, i) && f64_known(reported) &&
			  fabs(reported - m->fs->fairshare[i]) > 0.4 / m->tree->users;
	}
	model_free(m);
	return differs;
}

/* Were only those messages reloaded that are always sent completely? */
static bool nothing_new(const struct load *l)
{
	return !(l->changed & ~(fetch_bit(LOAD_ASSOCS) | fetch_bit(LOAD_SHARES) |
				fetch_bit(LOAD_PRIO)));
}

/*
 * The associations' message is most of the work, for slurmctld and here. If jobs and shares, with
 * their usage, are unchanged, it is only loaded every WHOLE_EVERY seconds; only an edited limit
 * would change it alone.
 */
static bool may_be_brief(const struct helper_picture *p, bool again)
{
	const uint32_t telling = fetch_bit(LOAD_SHARES) | fetch_bit(LOAD_JOBS) |
				 fetch_bit(LOAD_ASSOCS);
	const struct load *l = &p->load;
	int64_t age = clock_time() - p->whole;

	return again && (l->wanted & telling) == telling && l->assocs &&
	       l->assoc_flags == l->wanted_assoc_flags && age >= 0 && age < WHOLE_EVERY;
}

/* Loads all but the associations. FETCH_NEW: something changed, load them, too. */
static enum fetch_result load_brief(struct helper_picture *p, bool *refused, struct err *err)
{
	struct load *l = &p->load;

	l->wanted &= ~fetch_bit(LOAD_ASSOCS);
	load_run(l);
	if (!check_errors(l, refused, err))
		return FETCH_FAILED;
	if (nothing_new(l) && load_fingerprint(l).rest == p->fingerprint.rest)
		return FETCH_SAME;
	return FETCH_NEW;
}

static bool load_whole(struct helper_picture *p, bool brief, bool *refused, struct err *err)
{
	struct load *l = &p->load;

	if (brief)
		load_again(l, fetch_bit(LOAD_ASSOCS));
	else
		load_run(l);
	load_make_consistent(l);
	if (l->conf && !l->errors[LOAD_CONF])
		load_rights(l);
	if (!l->errors[LOAD_ASSOCS])
		p->whole = clock_time();
	return check_errors(l, refused, err);
}

/*
 * Has nothing changed since the last picture sent? Reloaded items stay marked until a picture with
 * them is sent, because a fetch may fail in between.
 */
static bool is_same(struct helper_picture *p)
{
	struct fingerprint before = p->fingerprint;

	p->fingerprint = load_fingerprint(&p->load);
	return nothing_new(&p->load) && before.assocs == p->fingerprint.assocs &&
	       before.rest == p->fingerprint.rest;
}

static struct cluster *build_in_order(struct helper_picture *p, uint32_t needs, int64_t now,
				      bool *refused, struct err *err)
{
	struct load *l = &p->load;
	struct cluster *c = fetch_build(p, needs, now, err);

	if (!c || !order_is_missing(l, c))
		return c;
	cluster_free(c);
	p->order_matters = true;
	fetch_plan(p, needs);
	return load_whole(p, true, refused, err) ? fetch_build(p, needs, now, err) : NULL;
}

enum fetch_result picture_take(struct helper_picture *p, uint32_t needs, struct cluster **out,
			       bool *refused, struct err *err)
{
	struct load *l = &p->load;
	bool again = p->sent && p->needs == needs, brief;
	enum fetch_result result = FETCH_NEW;
	int64_t now;

	*refused = false;
	fetch_plan(p, needs);
	/* Skipped for a caller that asks only once. */
	if (again && !p->have_fingerprint)
		p->fingerprint = load_fingerprint(l);
	p->have_fingerprint = again;
	if (!load_ping(err))
		return FETCH_FAILED;
	brief = may_be_brief(p, again);
	if (brief)
		result = load_brief(p, refused, err);
	if (result != FETCH_NEW)
		return result;
	if (!load_whole(p, brief, refused, err))
		return FETCH_FAILED;
	now = clock_time();
	if (again && is_same(p)) {
		p->taken = now;
		return FETCH_SAME;
	}
	*out = build_in_order(p, needs, now, refused, err);
	if (!*out)
		return FETCH_FAILED;
	l->changed = 0;
	p->sent = true;
	p->needs = needs;
	return FETCH_NEW;
}
