/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The site and its people. While they are made, row I of the associations has the id I + 1; the
 * root is row 0, and the accounts follow.
 */
#include "adapters/demo/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/snapshot/snapshot.h"
#include "core/cluster_copy.h"
#include "core/mem.h"

#define FIRST_UID 10000
#define DEPTH_MAX 5
#define CROWD 6			/* row of "training": one user in eight is there */

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define PICK(dice, array) ((array)[dice_below(dice, COUNT(array))])

extern const char embed_demo_snapshot[];
extern const size_t embed_demo_snapshot_len;

static const char *const first_names[] = {
	"alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy",
	"karim", "laura", "mallory", "nadia", "oscar", "peggy", "quentin", "rosa", "sybil", "trent",
	"uma", "victor", "wendy", "xavier", "yuki", "zoe", "amina", "bjorn", "chen", "dmitri",
	"elena", "farid", "giulia", "hugo", "ines", "jonas", "kofi", "lena", "mateo", "noor",
};
static const char *const last_names[] = {
	"abadi", "berg", "costa", "diaz", "eriksen", "fischer", "garcia", "haddad", "ito", "jansen",
	"kim", "lopez", "meyer", "nguyen", "okafor", "patel", "rossi", "schmidt", "tanaka", "usman",
	"varga", "weber", "xu", "yilmaz", "zhang", "dubois", "ivanov", "kowalski", "larsen",
	"moreau", "novak", "olsen", "petit", "ramos", "silva", "torres", "vidal", "wong",
};

void people_name(uint32_t number, char name[NAME_SIZE])
{
	const uint32_t pairs = 26 * COUNT(last_names), other = number - COUNT(first_names);
	/* 389 is prime to the number of pairs: all of them, neighbours unlike each other. */
	uint32_t pair = other % pairs * 389 % pairs;

	if (number < COUNT(first_names))
		snprintf(name, NAME_SIZE, "%s", first_names[number]);
	else
		snprintf(name, NAME_SIZE, other < pairs ? "%c%s" : "%c%s%u",
			 (char)('a' + pair % 26), last_names[pair / 26],
			 (unsigned)(other / pairs + 1));
}

/* The snapshot as of one of 180 days, whose nodes fail by the dice. */
static struct cluster *new_site(struct demo *d)
{
	struct cluster *base = snapshot_parse(embed_demo_snapshot, embed_demo_snapshot_len, NULL);
	struct overlay *o = overlay_new(base, true);
	uint64_t dice = dice_stream(d->options.seed, DICE_TIME);
	int64_t later = (int64_t)dice_below(&dice, 180) * 86400;

	d->next_job = 100000 + dice_below(&dice, 900000);
	d->start = d->now = d->last_pass = overlay_meta(o)->time + later;
	overlay_meta(o)->boot += later;
	for (uint32_t i = 0; i < cluster_rows(base, TABLE_RESERVATION); i++) {
		overlay_i64(o, F_RESERVATION_START)[i] += later;
		overlay_i64(o, F_RESERVATION_END)[i] += later;
	}
	dice = dice_stream(d->options.seed, DICE_HOSTS);
	d->hosts = mem_zalloc(cluster_rows(base, TABLE_HOST), sizeof(*d->hosts));
	for (uint32_t i = 0; i < cluster_rows(base, TABLE_HOST); i++) {
		struct tres_list room = cluster_tres(base, F_HOST_TRES, i);
		bool down = dice_below(&dice, 100) < 2 || i == 16;

		for (uint32_t t = 0; t < room.count && !down; t++)
			d->hosts[i].room[room.items[t].tres] = room.items[t].count;
	}
	for (uint32_t p = 0; p < PART_DEBUG; p++) {
		d->first_host[p] = d->host_count;
		d->host_count += cluster_u32(base, F_PARTITION_NODES, p);
	}
	return overlay_seal(o);
}

static uint32_t parent_of(const struct builder *b, uint32_t row)
{
	return row == 0 ? ROW_NONE : builder_get_u32(b, F_ASSOC_PARENT, row) - 1;
}

static uint32_t depth_of(const struct builder *b, uint32_t row)
{
	return row == 0 ? 0 : depth_of(b, parent_of(b, row)) + 1;
}

/* The first COUNT accounts of the site, in the order of their ids. */
static void keep_accounts(struct builder *b, const struct cluster *site, uint32_t count)
{
	uint32_t n = cluster_rows(site, TABLE_ASSOC), *order = mem_alloc(n, sizeof(*order));
	bool *drop = mem_alloc(n, sizeof(*drop));

	for (uint32_t i = 0; i < n; i++) {
		order[cluster_u32(site, F_ASSOC_ID, i) - 1] = i;
		drop[i] = i > count;
	}
	builder_order(b, TABLE_ASSOC, order);
	builder_remove(b, TABLE_ASSOC, drop);
	mem_free(order);
	mem_free(drop);
}

/* An account beyond those: somewhere above the deepest level, named after its parent. */
static void add_account(struct builder *b, uint64_t *dice)
{
	uint32_t row = builder_add(b, TABLE_ASSOC), parent = 1 + dice_below(dice, row - 1), roll;
	const char *above;
	char name[NAME_SIZE];

	while (depth_of(b, parent) >= DEPTH_MAX)
		parent = parent_of(b, parent);
	above = builder_get_text(b, F_ASSOC_ACCOUNT, parent);
	snprintf(name, sizeof(name), "%.*s%u", (int)strcspn(above, "0123456789"), above,
		 (unsigned)row - 1);
	builder_u32(b, F_ASSOC_ID, row, row + 1);
	builder_u32(b, F_ASSOC_PARENT, row, parent + 1);
	builder_str(b, F_ASSOC_ACCOUNT, row, name);
	roll = dice_below(dice, 100);
	builder_u32(b, F_ASSOC_SHARES, row, roll < 5 ? 0 : roll < 12 ? SHARES_PARENT :
		    1 + dice_below(dice, 100));
}

static void add_assoc(struct demo *d, struct builder *b, uint64_t *dice, uint32_t account,
		      uint32_t appetite, bool first, const char *partition)
{
	static const uint32_t appetites[] = { 0, 30, 70, 100, 100, 150, 250 };
	const uint32_t row = builder_add(b, TABLE_ASSOC), user = builder_rows(b, TABLE_USER) - 1;
	uint32_t roll = dice_below(dice, 100), limit = account;
	uint64_t hours;

	builder_u32(b, F_ASSOC_ID, row, row + 1);
	builder_u32(b, F_ASSOC_PARENT, row, account + 1);
	builder_str(b, F_ASSOC_ACCOUNT, row, builder_get_text(b, F_ASSOC_ACCOUNT, account));
	builder_str(b, F_ASSOC_USER, row, builder_get_text(b, F_USER_NAME, user));
	builder_str(b, F_ASSOC_PARTITION, row, partition);
	builder_u32(b, F_ASSOC_UID, row, FIRST_UID + user);
	builder_bool(b, F_ASSOC_DEFAULT, row, first);
	builder_str(b, F_ASSOC_DEFAULT_QOS, row, "normal");
	builder_list(b, F_ASSOC_QOS, row, (const char *const[]){ "normal", "high", "low" }, 3);
	builder_u32(b, F_ASSOC_SHARES, row, roll < 4 ? 0 : roll < 10 ? SHARES_PARENT :
		    roll < 25 ? 2 + dice_below(dice, 9) : 1);
	while (limit != 0 && builder_get_u32(b, F_ASSOC_MAX_JOBS, limit) == U32_UNKNOWN)
		limit = parent_of(b, limit);
	builder_u32(b, F_ASSOC_MAX_JOBS, row, builder_get_u32(b, F_ASSOC_MAX_JOBS, limit));
	appetite = appetite * PICK(dice, appetites) / 100;
	d->assocs[d->assoc_count++] = (struct assoc){ row, appetite };
	/* Hours of a job's CPUs: many small users, a few that are a hundred times larger. */
	hours = 1 + dice_below(dice, 200);
	hours <<= dice_below(dice, 8);
	builder_f64(b, F_ASSOC_USAGE, row, (double)(hours * 3600 * appetite / 100));
}

static void add_user(struct demo *d, struct builder *b, uint64_t *dice, const uint32_t *appetites)
{
	const uint32_t n = d->options.accounts, row = builder_add(b, TABLE_USER);
	uint32_t account = n == 0 ? 0 : n >= CROWD && dice_below(dice, 100) < 12 ? CROWD :
			   1 + dice_below(dice, n), other;
	char name[NAME_SIZE];

	people_name(row, name);
	builder_str(b, F_USER_NAME, row, name);
	builder_u32(b, F_USER_UID, row, FIRST_UID + row);
	builder_str(b, F_USER_DEFAULT_ACCOUNT, row, builder_get_text(b, F_ASSOC_ACCOUNT, account));
	builder_str(b, F_USER_ADMIN, row, row == 0 ? "Administrator" : "None");
	add_assoc(d, b, dice, account, appetites[account], true, NULL);
	if (row % 11 == 3 && n > 1) {
		other = 1 + (account + dice_below(dice, n - 1)) % n;
		add_assoc(d, b, dice, other, appetites[other], false, NULL);
	}
	if (row % 29 == 7)
		add_assoc(d, b, dice, account, appetites[account], false, "gpu");
}

/* As a scheduler lists siblings: users first, then accounts, each by name. */
static int as_listed(const void *left, const void *right, void *context)
{
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	const char *a = builder_get_text(context, F_ASSOC_USER, x);
	const char *b = builder_get_text(context, F_ASSOC_USER, y);
	int order = !a != !b ? !a - !b : a ? strcmp(a, b) :
		    strcmp(builder_get_text(context, F_ASSOC_ACCOUNT, x),
			   builder_get_text(context, F_ASSOC_ACCOUNT, y));

	return order != 0 ? order : (x > y) - (x < y);
}

static struct cluster *new_people(struct demo *d)
{
	static const uint32_t appetites[] = { 0, 20, 60, 100, 100, 100, 180, 300 };
	uint64_t dice = dice_stream(d->options.seed, DICE_ACCOUNTS);
	struct builder *b = cluster_copy(d->site);
	uint32_t *appetite = mem_alloc((size_t)d->options.accounts + 1, sizeof(*appetite)), *order;
	uint32_t n;

	keep_accounts(b, d->site, d->options.accounts);
	appetite[0] = 100;
	for (uint32_t i = 1; i <= d->options.accounts; i++) {
		if (i >= builder_rows(b, TABLE_ASSOC))
			add_account(b, &dice);
		appetite[i] = PICK(&dice, appetites);
	}
	dice = dice_stream(d->options.seed, DICE_USERS);
	for (uint32_t i = 0; i < d->options.users; i++)
		add_user(d, b, &dice, appetite);
	n = builder_rows(b, TABLE_ASSOC);
	order = mem_alloc(n, sizeof(*order));
	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), as_listed, b);
	builder_order(b, TABLE_ASSOC, order);
	mem_free(order);
	mem_free(appetite);
	return builder_seal(b, NULL);
}

void people_begin(struct demo *d)
{
	uint32_t first = d->options.accounts + 2, n;	/* id of the first user association */

	d->assocs = mem_alloc((size_t)d->options.users * 3, sizeof(*d->assocs));
	d->site = new_site(d);
	d->live = overlay_new(new_people(d), true);
	d->usage = overlay_f64(d->live, F_ASSOC_USAGE);
	d->people = overlay_cluster(d->live);
	n = cluster_rows(d->people, TABLE_ASSOC);
	for (uint32_t i = 0; i < n; i++)
		if (cluster_is_user(d->people, i))
			d->assocs[cluster_u32(d->people, F_ASSOC_ID, i) - first].row = i;
	d->fairshare = mem_zalloc(n, sizeof(*d->fairshare));
	d->loads = mem_zalloc(n, sizeof(*d->loads));
}
