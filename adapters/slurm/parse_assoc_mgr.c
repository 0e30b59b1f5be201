/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * scontrol show assoc_mgr: slurmctld's data of users, associations and QOS in memory.
 *
 * A record begins with UserName=, ClusterName= or QOS= at the beginning of a line. Limits are
 * printed with their use, "10(3)" or "N(3)" for no limit; usage and ratios with two decimals or
 * six, depending on the version.
 */
#include <string.h>

#include "adapters/slurm/text_assoc.h"
#include "core/base/mem.h"
#include "core/cluster/limit.h"

enum section { SECTION_NONE, SECTION_USER, SECTION_ASSOC, SECTION_QOS };

struct assoc_mgr {
	struct slurm_reader *r;
	struct pairs pairs;
	enum section section;
	struct assoc_name name;		/* while the first line of an association is read */
	struct slice priority;
	bool naming;			/* its number has not been read yet */
	uint32_t row;			/* of the current record, ROW_NONE */
};

/* "10(3)" into its two halves; without brackets the second is empty. */
static void limit_and_used(struct slice s, struct slice *limit, struct slice *used)
{
	const char *open = s.length > 0 ? memchr(s.at, '(', s.length) : NULL;

	*limit = s;
	*used = (struct slice){ "", 0 };
	if (!open || s.at[s.length - 1] != ')')
		return;
	limit->length = (size_t)(open - s.at);
	*used = (struct slice){ open + 1, s.length - limit->length - 2 };
}

static bool is_no_limit(struct slice s)
{
	return s.length == 0 || slice_is(s, "N");
}

/* A limit, and the field of its use; F_COUNT: not kept. */
struct limit_key {
	enum field limit, used;
	char name[LIMIT_NAME_MAX];
};

static bool assoc_mgr_put_number(struct assoc_mgr *m, const struct limit_key *key)
{
	struct slice limit, used;

	limit_and_used(m->pairs.value, &limit, &used);
	if (is_no_limit(limit))
		builder_u32(m->r->b, key->limit, m->row, U32_INFINITE);
	else if (!reader_put(m->r, key->limit, m->row, limit, key->name))
		return false;
	return key->used == F_COUNT || reader_put(m->r, key->used, m->row, used, key->name);
}

struct items {
	struct tres_item *items;
	size_t count, capacity;
};

static void items_add(struct items *list, uint32_t tres, double count)
{
	MEM_GROW(list->items, list->capacity, list->count + 1);
	list->items[list->count++] = (struct tres_item){ tres, count };
}

static void items_put(struct slurm_reader *r, const struct items *list, enum field field,
		      uint32_t row)
{
	static const struct tres_item none;

	if (field != F_COUNT)
		builder_tres(r->b, field, row, list->items ? list->items : &none,
			     (uint32_t)list->count);
}

static bool assoc_mgr_read_item(struct assoc_mgr *m, const struct limit_key *key, struct slice item,
				struct items *limits, struct items *uses)
{
	const char *equals = memchr(item.at, '=', item.length);
	struct slice name, limit, used;
	/* Minutes are kept as seconds. */
	double x, factor = field_info[key->limit].unit == UNIT_TRES_MINUTES ? 60 : 1;
	uint32_t tres;

	name = item;
	name.length = equals ? (size_t)(equals - item.at) : 0;
	if (name.length == 0)
		return reader_fail(m->r, "%s: \"%.*s\" (expected type=limit(used))", key->name,
				   SLICE_PRINT(item));
	limit_and_used(slice_from(item, name.length + 1), &limit, &used);
	tres = builder_tres_row(m->r->b, name.at, name.length);
	if (!is_no_limit(limit)) {
		if (!slice_f64(limit, &x))
			return reader_fail(m->r, "%s: \"%.*s\" (expected a number or N)", key->name,
					   SLICE_PRINT(item));
		items_add(limits, tres, x);
	}
	if (used.length != 0) {
		if (!slice_f64(used, &x))
			return reader_fail(m->r, "%s: \"%.*s\" (expected a number in brackets)",
					   key->name, SLICE_PRINT(item));
		items_add(uses, tres, x * factor);
	}
	return true;
}

static bool assoc_mgr_put_list(struct assoc_mgr *m, const struct limit_key *key)
{
	struct items limits = { 0 }, uses = { 0 };
	struct slice rest = m->pairs.value, item;
	bool good = true;

	while (good && slice_piece(&rest, ',', &item))
		good = assoc_mgr_read_item(m, key, item, &limits, &uses);
	if (good) {
		items_put(m->r, &limits, key->limit, m->row);
		items_put(m->r, &uses, key->used, m->row);
	}
	mem_free(limits.items);
	mem_free(uses.items);
	return good;
}

/* GrpWall=N(96.46), MaxWallPJ=1440: minutes. */
static bool put_wall(struct assoc_mgr *m, const struct limit_key *key)
{
	struct slice limit, used;
	uint32_t minutes;
	double x;

	limit_and_used(m->pairs.value, &limit, &used);
	if (is_no_limit(limit))
		builder_i64(m->r->b, key->limit, m->row, I64_INFINITE);
	else if (slice_u32(limit, &minutes))
		builder_i64(m->r->b, key->limit, m->row, (int64_t)minutes * 60);
	else
		return reader_fail(m->r, "\"%.*s\": expected minutes", SLICE_PRINT(limit));
	if (key->used != F_COUNT && slice_f64(used, &x))
		builder_f64(m->r->b, key->used, m->row, x * 60.0);
	return true;
}

/*
 * Puts the pair, if it is a limit of TABLE. Under "Account Limits" and "User Limits" of a QOS there
 * are keys that end in PA and PU: the limit is the same for each account or user; their use is not
 * kept. Lists of TRES would repeat for each: sacctmgr show qos has them once.
 */
static bool assoc_mgr_put_limit(struct assoc_mgr *m, enum table table)
{
	struct slice word = m->pairs.key;
	struct limit_key key = { .limit = limit_named(table, word.at, word.length) };

	if (key.limit == F_COUNT || key.limit == F_QOS_MAX_TRES_USER ||
	    key.limit == F_QOS_MAX_TRES_ACCOUNT || key.limit == F_QOS_MAX_TRES_RUN_MINS_USER ||
	    key.limit == F_QOS_MAX_TRES_RUN_MINS_ACCOUNT)
		return true;
	key.used = limit_used(key.limit);
	limit_name(key.limit, key.name);
	switch (field_info[key.limit].type) {
	case FIELD_TRES:
		return assoc_mgr_put_list(m, &key);
	case FIELD_I64:
		return put_wall(m, &key);
	default:
		return assoc_mgr_put_number(m, &key);
	}
}

static double assoc_mgr_coarser(double a, double b)
{
	return f64_known(a) && a > b ? a : b;
}

static bool assoc_mgr_is_root(const struct assoc_mgr *m)
{
	return m->name.user.length == 0 && slice_is(m->name.account, "root");
}

/* SharesRaw/Norm/Level/Factor=250/0.57/437/0.00; 2147483647 raw shares are "parent". */
static bool assoc_mgr_put_shares(struct assoc_mgr *m)
{
	struct slurm_reader *r = m->r;
	struct slice rest = m->pairs.value, raw, norm, level;
	double x;

	if (!slice_piece(&rest, '/', &raw) || !slice_piece(&rest, '/', &norm) ||
	    !slice_piece(&rest, '/', &level))
		return reader_fail(r, "SharesRaw/Norm/Level/Factor \"%.*s\": expected four numbers",
				   SLICE_PRINT(m->pairs.value));
	if (!slice_f64(norm, &x))
		return reader_fail(r, "SharesNorm \"%.*s\": expected a number", SLICE_PRINT(norm));
	if (x < (double)U32_UNKNOWN)
		builder_f64(r->b, F_ASSOC_R_NORM_SHARES, m->row, x);
	if (!reader_put(r, F_ASSOC_SHARES, m->row, raw, "SharesRaw"))
		return false;
	r->ratio_quantum = assoc_mgr_coarser(r->ratio_quantum, slice_quantum(norm));
	return assoc_mgr_is_root(m) ||
	       reader_put(r, F_ASSOC_R_LEVEL_SHARES, m->row, level, "SharesLevel");
}

/*
 * UsageRaw/Norm/Efctv=7849.44/0.01/0.01; 2^32 - 2 means not computed yet. The root has no Norm: the
 * printed value is meaningless.
 */
static bool assoc_mgr_put_usage(struct assoc_mgr *m)
{
	struct slurm_reader *r = m->r;
	struct slice rest = m->pairs.value, part[3];
	static const enum field fields[3] = { F_ASSOC_USAGE, F_ASSOC_R_NORM_USAGE,
					      F_ASSOC_R_EFFECTIVE_USAGE };

	for (int i = 0; i < 3; i++) {
		double x;

		if (!slice_piece(&rest, '/', &part[i]) || !slice_f64(part[i], &x))
			return reader_fail(r, "UsageRaw/Norm/Efctv \"%.*s\": expected three "
					   "numbers", SLICE_PRINT(m->pairs.value));
		if (i == 0 || (x < (double)U32_UNKNOWN && !(i == 1 && assoc_mgr_is_root(m))))
			builder_f64(r->b, fields[i], m->row, x);
	}
	r->usage_quantum = assoc_mgr_coarser(r->usage_quantum, slice_quantum(part[0]));
	r->ratio_quantum = assoc_mgr_coarser(r->ratio_quantum, slice_quantum(part[1]));
	return true;
}

/* ---- records ------------------------------------------------------------------------------- */

static bool read_user_pair(struct assoc_mgr *m)
{
	struct slurm_reader *r = m->r;
	struct slice name;
	uint32_t uid;

	if (m->pairs.line_start && slice_is(m->pairs.key, "UserName")) {
		slice_numbered(m->pairs.value, &name, &uid);
		m->row = reader_named_row(r, &r->users, TABLE_USER, F_USER_NAME, name, true);
		builder_u32(r->b, F_USER_UID, m->row, uid);
		return true;
	}
	if (m->row == ROW_NONE)
		return true;
	if (slice_is(m->pairs.key, "DefAccount"))
		return reader_put(r, F_USER_DEFAULT_ACCOUNT, m->row, m->pairs.value, "DefAccount");
	if (slice_is(m->pairs.key, "AdminLevel"))
		return reader_put(r, F_USER_ADMIN, m->row, m->pairs.value, "AdminLevel");
	return true;
}

/* Reads an association's first line with its names; sets M->row once ID= is read. */
static bool read_assoc_name(struct assoc_mgr *m)
{
	struct slurm_reader *r = m->r;
	struct slice key = m->pairs.key, value = m->pairs.value, user;
	uint32_t uid;

	if (slice_is(key, "Account")) {
		m->name.account = value;
	} else if (slice_is(key, "UserName")) {
		m->name.user = value;
	} else if (slice_is(key, "Partition")) {
		m->name.partition = value;
	} else if (slice_is(key, "Priority")) {
		m->priority = value;
	} else if (slice_is(key, "ID")) {
		if (!slice_u32(value, &m->name.id) || m->name.account.length == 0)
			return reader_fail(r, "expected Account= and ID=number");
		slice_numbered(m->name.user, &user, &uid);
		m->name.user = user;
		m->naming = false;
		if (!assocs_meet(r, &m->name, &m->row))
			return false;
		if (m->row == ROW_NONE)
			return true;
		builder_u32(r->b, F_ASSOC_UID, m->row, uid);
		return reader_put(r, F_ASSOC_PRIORITY, m->row, m->priority, "Priority");
	}
	return true;
}

static void read_parent(struct assoc_mgr *m)
{
	struct slice name;
	uint32_t id;

	slice_numbered(m->pairs.value, &name, &id);
	if (name.length != 0)
		assocs_parent(m->r->assocs, m->row, name, id);
}

static bool read_assoc_pair(struct assoc_mgr *m)
{
	struct slurm_reader *r = m->r;
	struct slice key = m->pairs.key;

	if (m->pairs.line_start && slice_is(key, "ClusterName")) {
		m->name = (struct assoc_name)ASSOC_NAME_INIT;
		m->name.partition_known = true;
		m->priority = (struct slice){ "", 0 };
		m->naming = !reader_is_foreign(r, m->pairs.value);
		m->row = ROW_NONE;
		return true;
	}
	if (m->naming)
		return read_assoc_name(m);
	if (m->row == ROW_NONE)
		return true;
	if (slice_is(key, "SharesRaw/Norm/Level/Factor"))
		return assoc_mgr_put_shares(m);
	if (slice_is(key, "UsageRaw/Norm/Efctv"))
		return assoc_mgr_put_usage(m);
	if (slice_is(key, "ParentAccount")) {
		read_parent(m);
		return true;
	}
	if (slice_is(key, "Lft"))
		return reader_put(r, F_ASSOC_LFT, m->row, m->pairs.value, "Lft");
	if (slice_is(key, "DefAssoc"))
		return reader_put(r, F_ASSOC_DEFAULT, m->row, m->pairs.value, "DefAssoc");
	return assoc_mgr_put_limit(m, TABLE_ASSOC);
}

static bool read_qos_pair(struct assoc_mgr *m)
{
	struct slurm_reader *r = m->r;
	struct slice key = m->pairs.key, name;
	uint32_t id;

	if (m->pairs.line_start && slice_is(key, "QOS")) {
		slice_numbered(m->pairs.value, &name, &id);
		m->row = reader_named_row(r, &r->qos, TABLE_QOS, F_QOS_NAME, name, true);
		builder_u32(r->b, F_QOS_ID, m->row, id);
		return true;
	}
	if (m->row == ROW_NONE)
		return true;
	if (slice_is(key, "UsageRaw"))
		return reader_put(r, F_QOS_USAGE, m->row, m->pairs.value, "UsageRaw");
	if (slice_is(key, "PreemptMode"))
		return reader_put(r, F_QOS_PREEMPT_MODE, m->row, m->pairs.value, "PreemptMode");
	if (slice_is(key, "Priority"))
		return reader_put(r, F_QOS_PRIORITY, m->row, m->pairs.value, "Priority");
	return assoc_mgr_put_limit(m, TABLE_QOS);
}

static void choose_section(struct assoc_mgr *m)
{
	enum section section = m->section;

	if (!m->pairs.line_start)
		return;
	if (slice_is(m->pairs.key, "ClusterName"))
		section = SECTION_ASSOC;
	else if (slice_is(m->pairs.key, "QOS"))
		section = SECTION_QOS;
	else if (slice_is(m->pairs.key, "UserName"))
		section = SECTION_USER;
	if (section != m->section) {
		m->section = section;
		m->row = ROW_NONE;
		m->naming = false;
	}
}

bool slurm_read_assoc_mgr(struct slurm_reader *r)
{
	struct assoc_mgr m = { .r = r, .section = SECTION_NONE, .row = ROW_NONE };
	bool good = true, any = false;

	assocs_begin(r->assocs);
	pairs_open(&m.pairs, r->text, "UserName,ClusterName,QOS");
	while (good && pairs_next(&m.pairs)) {
		r->line = m.pairs.line_number;
		choose_section(&m);
		any = any || m.section != SECTION_NONE;
		if (m.section == SECTION_USER)
			good = read_user_pair(&m);
		else if (m.section == SECTION_ASSOC)
			good = read_assoc_pair(&m);
		else if (m.section == SECTION_QOS)
			good = read_qos_pair(&m);
	}
	r->remark = m.pairs.remark;
	return good && (any || strstr(r->text->text, "Association Manager") ||
			reader_none(r, "records that begin with ClusterName="));
}
