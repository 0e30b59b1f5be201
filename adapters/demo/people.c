/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The accounts and users of the data. Further ones are copies of them with a number behind the
 * name, distributed over the tree.
 */
#include "adapters/demo/demo_state.h"

#include <stdio.h>

#include "core/cluster/cluster_copy.h"
#include "core/base/mem.h"

/* Ids of the data: 1 the root, then accounts, then each user's associations, the default first. */
#define ACCOUNTS UINT32_C(41)
#define FIRST_UID 10000
#define DEPTH_MAX 5

struct people {
	const struct cluster *data;
	struct builder *b;		/* row I of its associations is account I */
	uint32_t accounts;		/* with the root */
	uint32_t home;			/* default account of the last user */
	uint64_t dice;
	bool varied;			/* usage differs from the data's */
};

struct builder *people_none(const struct demo *d)
{
	struct builder *b = cluster_copy(d->data);

	builder_remove(b, TABLE_ASSOC, NULL);
	builder_remove(b, TABLE_USER, NULL);
	builder_remove(b, TABLE_JOB, NULL);
	return b;
}

/* For a copy: appends the number of its row to the name. */
static void demo_people_set_name(struct builder *b, enum field field, uint32_t row)
{
	char text[NAME_SIZE];

	snprintf(text, sizeof(text), "%s%u", builder_get_text(b, field, row), (unsigned)row);
	builder_str(b, field, row, text);
}

/* Adds the association LIKE of the data, or a copy, below ACCOUNT. */
static uint32_t demo_people_add(struct people *p, uint32_t like, bool copy, uint32_t account)
{
	const uint32_t row = builder_append(p->b, p->data, TABLE_ASSOC, like, 1);

	if (copy)
		builder_u32(p->b, F_ASSOC_ID, row, cluster_rows(p->data, TABLE_ASSOC) + 1 + row);
	builder_u32(p->b, F_ASSOC_PARENT, row, builder_get_u32(p->b, F_ASSOC_ID, account));
	builder_f64(p->b, F_ASSOC_USAGE, row, 0);
	return row;
}

static uint32_t some_account(struct people *p, uint32_t accounts)
{
	return accounts > 1 ? 1 + dice_below(&p->dice, accounts - 1) : 0;
}

static void demo_people_add_accounts(struct people *p)
{
	uint8_t *depth = mem_zalloc(p->accounts, sizeof(*depth));

	builder_append(p->b, p->data, TABLE_ASSOC, 0, 1);
	builder_f64(p->b, F_ASSOC_USAGE, 0, 0);
	for (uint32_t i = 1; i < p->accounts; i++) {
		const bool copy = i >= ACCOUNTS;
		const uint32_t like = cluster_assoc_by_id(p->data, 1 +
							  (copy ? some_account(p, ACCOUNTS) : i));
		uint32_t parent = copy ? some_account(p, i) :
				  cluster_u32(p->data, F_ASSOC_PARENT, like) - 1;

		while (depth[parent] == DEPTH_MAX)
			parent = some_account(p, i);
		depth[i] = depth[parent] + 1;
		demo_people_add(p, like, copy, parent);
		if (copy)
			demo_people_set_name(p->b, F_ASSOC_ACCOUNT, i);
	}
	mem_free(depth);
}

/* Adds LIKE for USER, in its own account if that exists; a second one in another account only. */
static void add_assoc(struct people *p, uint32_t like, uint32_t user, bool copy)
{
	const bool first = cluster_bool(p->data, F_ASSOC_DEFAULT, like) == 1;
	const bool only = cluster_text(p->data, F_ASSOC_PARTITION, like) != NULL;
	uint32_t account = cluster_u32(p->data, F_ASSOC_PARENT, like) - 1, row;
	const char *name;

	if (copy || account >= p->accounts)
		account = some_account(p, p->accounts);
	if (!first && !only && account == p->home)
		return;
	account = only ? p->home : account;
	p->home = first ? account : p->home;
	row = demo_people_add(p, like, copy, account);
	name = builder_get_text(p->b, F_ASSOC_ACCOUNT, account);
	builder_str(p->b, F_ASSOC_ACCOUNT, row, name);
	builder_str(p->b, F_USER_DEFAULT_ACCOUNT, user, first ? name : NULL);
	builder_str(p->b, F_ASSOC_USER, row, builder_get_text(p->b, F_USER_NAME, user));
	builder_u32(p->b, F_ASSOC_UID, row, FIRST_UID + user);
	builder_f64(p->b, F_ASSOC_USAGE, row, cluster_f64(p->data, F_ASSOC_USAGE, like) *
		    (copy || p->varied ? 1 + dice_below(&p->dice, 200) : 100) / 100);
}

static void add_users(struct people *p, uint32_t count)
{
	const uint32_t own = cluster_rows(p->data, TABLE_ASSOC) - ACCOUNTS;

	for (uint32_t i = 0, user = UINT32_MAX;; i++) {
		const uint32_t like = cluster_assoc_by_id(p->data, ACCOUNTS + 1 + i % own);

		if (cluster_bool(p->data, F_ASSOC_DEFAULT, like) == 1) {
			if (++user == count)
				return;
			builder_append(p->b, p->data, TABLE_USER,
				       user % cluster_rows(p->data, TABLE_USER), 1);
			builder_u32(p->b, F_USER_UID, user, FIRST_UID + user);
			if (i >= own)
				demo_people_set_name(p->b, F_USER_NAME, user);
		}
		add_assoc(p, like, user, i >= own);
	}
}

void people_begin(struct demo *d)
{
	struct people p = { .data = d->data, .b = people_none(d),
			    .accounts = d->options.accounts + 1,
			    .dice = dice_stream(d->options.seed, DICE_PEOPLE),
			    .varied = d->options.seed != DEMO_SEED };
	uint32_t n;

	demo_people_add_accounts(&p);
	add_users(&p, d->options.users);
	builder_order_names(p.b);
	d->live = overlay_new(builder_seal(p.b, NULL), true);
	d->usage = overlay_f64(d->live, F_ASSOC_USAGE);
	d->people = overlay_cluster(d->live);
	n = cluster_rows(d->people, TABLE_ASSOC);
	d->fairshare = mem_alloc(n, sizeof(*d->fairshare));
	d->users = mem_alloc(n, sizeof(*d->users));
	for (uint32_t i = 0; i < n; i++)
		if (cluster_is_user(d->people, i))
			d->users[d->user_count++] = i;
	for (uint32_t i = n; i-- > 1;)
		d->usage[cluster_parent(d->people)[i]] += d->usage[i];
}
