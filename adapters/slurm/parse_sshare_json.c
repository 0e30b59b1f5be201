/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sshare --json (since 23.11), and slurmrestd's answer for /shares: the values of sshare's table
 * with all digits of a double, with numbers, and with the name of each association's account.
 *
 * Unlike the table it has slurmctld's own factor, which is 0 outside Fair Tree up to 25.05, and
 * always for accounts; the level exists in Fair Tree only.
 */
#include <math.h>
#include <string.h>

#include "adapters/slurm/text_assoc.h"
#include "adapters/slurm/text_json.h"
#include "core/base/mem.h"

/* The members of a row that are values, including those of "fairshare". */
enum sshare_member {
	MEMBER_ID, MEMBER_NAME, MEMBER_PARENT, MEMBER_PARTITION, MEMBER_TYPE, MEMBER_SHARES,
	MEMBER_NORM_SHARES, MEMBER_NORM_USAGE, MEMBER_EFFECTIVE, MEMBER_USAGE, MEMBER_FACTOR,
	MEMBER_LEVEL, MEMBERS
};

static const char *const member_names[MEMBERS] = {
	"id", "name", "parent", "partition", "type", "shares", "shares_normalized",
	"usage_normalized", "effective_usage", "usage", "factor", "level",
};

static const struct {
	const char *name;
	enum field field;
} list_names[] = {
	{ "run_seconds", F_ASSOC_USED_TRES_RUN_SECS },
	{ "group_minutes", F_ASSOC_GRP_TRES_MINS },
	{ "usage", F_ASSOC_USED_TRES_SECS },
};
#define LISTS (sizeof(list_names) / sizeof(list_names[0]))

#define NAMES_KEPT 64		/* each row lists the same TRES in the same order */

struct share {
	struct slurm_reader *r;
	bool fair_tree, set_usage;
	struct json_value values[MEMBERS];
	struct tres_item *items[LISTS];
	size_t count[LISTS], capacity[LISTS];
	struct {
		struct slice name;
		uint32_t row;
	} kept[NAMES_KEPT];
};

static uint32_t sshare_tres_row(struct share *s, struct slice name, size_t place)
{
	if (place >= NAMES_KEPT)
		return reader_tres_row(s->r, name);
	if (!slice_equal(s->kept[place].name, name)) {
		s->kept[place].name = name;
		s->kept[place].row = reader_tres_row(s->r, name);
	}
	return s->kept[place].row;
}

/* One TRES of a list; without a limit it is omitted. */
static void sshare_read_tres(struct share *s, struct pull *p, size_t list, size_t place)
{
	struct json_value name = { (double)NAN, { "", 0 } }, number = name;
	struct pull_value key;

	while (pull_member(p, &key))
		json_value_read(p, strcmp(key.string, "name") == 0 ? &name : &number);
	if (!isfinite(number.number) || name.text.length == 0)
		return;
	MEM_GROW(s->items[list], s->capacity[list], s->count[list] + 1);
	s->items[list][s->count[list]++] =
		(struct tres_item){ sshare_tres_row(s, name.text, place), number.number };
}

static void sshare_json_read_lists(struct share *s, struct pull *p)
{
	struct pull_value key, v;

	while (pull_member(p, &key)) {
		size_t list = 0;

		while (list < LISTS && strcmp(list_names[list].name, key.string) != 0)
			list++;
		if (pull_value(p, &v) != PULL_ARRAY || list == LISTS) {
			pull_skip(p, v.kind);
			continue;
		}
		for (size_t place = 0; pull_element(p); place++) {
			if (pull_opens(p, PULL_OBJECT))
				sshare_read_tres(s, p, list, place);
		}
	}
}

/* In the object of an association, or in its member "fairshare". */
static void sshare_read_members(struct share *s, struct pull *p)
{
	struct pull_value key, v;
	struct json_value ignored;

	while (pull_member(p, &key)) {
		bool tres = strcmp(key.string, "tres") == 0;
		size_t i = 0;

		if (tres || strcmp(key.string, "fairshare") == 0) {
			if (pull_value(p, &v) != PULL_OBJECT)
				pull_skip(p, v.kind);
			else if (tres)
				sshare_json_read_lists(s, p);
			else
				sshare_read_members(s, p);
			continue;
		}
		while (i < MEMBERS && strcmp(member_names[i], key.string) != 0)
			i++;
		json_value_read(p, i < MEMBERS ? &s->values[i] : &ignored);
	}
}

static bool sshare_is_number(double x)
{
	return x >= 0.0 && x < (double)U32_UNKNOWN;
}

static void sshare_put_values(struct share *s, uint32_t row, bool user)
{
	struct builder *b = s->r->b;
	const struct json_value *v = s->values;
	double factor = v[MEMBER_FACTOR].number;

	if (sshare_is_number(v[MEMBER_SHARES].number))
		builder_u32(b, F_ASSOC_SHARES, row, (uint32_t)v[MEMBER_SHARES].number);
	builder_f64(b, F_ASSOC_R_NORM_SHARES, row, v[MEMBER_NORM_SHARES].number);
	builder_f64(b, F_ASSOC_R_NORM_USAGE, row, v[MEMBER_NORM_USAGE].number);
	builder_f64(b, F_ASSOC_R_EFFECTIVE_USAGE, row, v[MEMBER_EFFECTIVE].number);
	if (s->fair_tree)
		builder_f64(b, F_ASSOC_R_LEVEL_FS, row, v[MEMBER_LEVEL].number);
	if (user && (s->fair_tree || factor > 0.0))
		builder_f64(b, F_ASSOC_R_FAIRSHARE, row, factor);
	if (s->set_usage)
		builder_f64(b, F_ASSOC_USAGE, row, v[MEMBER_USAGE].number);
	for (size_t i = 0; i < LISTS; i++) {
		if (s->count[i] != 0)
			builder_tres(b, list_names[i].field, row, s->items[i],
				     (uint32_t)s->count[i]);
	}
}

static bool read_share(struct slurm_reader *r, struct pull *p, void *context)
{
	struct assoc_name name = ASSOC_NAME_INIT;
	struct share *s = context;
	const struct json_value *v = s->values;
	uint32_t row;
	bool user;

	for (size_t i = 0; i < MEMBERS; i++)
		s->values[i] = (struct json_value){ (double)NAN, { "", 0 } };
	for (size_t i = 0; i < LISTS; i++)
		s->count[i] = 0;
	sshare_read_members(s, p);
	if (p->problem)
		return true;
	if (!sshare_is_number(v[MEMBER_ID].number) || v[MEMBER_NAME].text.length == 0)
		return reader_fail(r, "an association without id or name");
	user = slice_is(v[MEMBER_TYPE].text, "USER");
	name.id = (uint32_t)v[MEMBER_ID].number;
	name.user = user ? v[MEMBER_NAME].text : (struct slice){ "", 0 };
	name.account = v[user ? MEMBER_PARENT : MEMBER_NAME].text;
	name.parent = user ? (struct slice){ "", 0 } : v[MEMBER_PARENT].text;
	name.partition = v[MEMBER_PARTITION].text;
	name.partition_known = true;
	if (!assocs_meet(r, &name, &row))
		return false;
	if (row != ROW_NONE)
		sshare_put_values(s, row, user);
	return true;
}

bool slurm_read_sshare_json(struct slurm_reader *r)
{
	struct share s = { .r = r };
	bool good;

	s.fair_tree = !(builder_policy(r->b)->flags & (PF_NO_FAIR_TREE | PF_DEPTH_OBLIVIOUS));
	s.set_usage = !f64_known(r->usage_quantum);
	if (s.set_usage)
		r->usage_quantum = 1.0;
	r->ratio_quantum = 0.0;
	assocs_begin(r->assocs);
	good = json_rows(r, "shares", read_share, &s);
	for (size_t i = 0; i < LISTS; i++)
		mem_free(s.items[i]);
	return good;
}
