/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first state of the demo, from a seed. Only integers decide, so that every machine comes to
 * the same cluster.
 */
#include "adapters/demo/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/billing.h"
#include "core/mem.h"
#include "core/unknown.h"

/* A Monday, 09:00 UTC; the seed adds up to half a year of days. */
#define FIRST_MORNING (INT64_C(1772409600) + 9 * 3600)
#define DAY 86400

#define DEPTH_MAX 5

/* Purposes of the streams of dice. */
enum { DICE_TIME, DICE_ACCOUNTS, DICE_USERS, DICE_HOSTS, DICE_JOBS, DICE_ARRIVALS };

#define PICK(r, array) ((array)[random_below(r, (uint32_t)(sizeof(array) / sizeof((array)[0])))])

/* ---- accounts ------------------------------------------------------------------------------ */

static uint32_t table_index(const char *name)
{
	uint32_t i = 0;

	while (i < account_table_count && strcmp(account_table[i].name, name) != 0)
		i++;
	return i;
}

static uint32_t some_shares(struct random *r)
{
	uint32_t roll = random_below(r, 100);

	if (roll < 5)
		return 0;
	return roll < 12 ? SHARES_PARENT : 1 + random_below(r, 100);
}

/* Accounts beyond the table: somewhere above the deepest level, named after their parent. */
static void plan_further_account(struct demo *d, struct random *r, uint32_t i)
{
	struct account *a = &d->accounts[i];
	uint32_t parent = random_below(r, i);
	size_t stem;

	while (d->accounts[parent].depth >= DEPTH_MAX)
		parent = d->accounts[parent].parent;
	stem = strcspn(d->accounts[parent].name, "0123456789");
	snprintf(a->name, sizeof(a->name), "%.*s%u", (int)stem, d->accounts[parent].name,
		 (unsigned)i);
	a->parent = parent;
	a->depth = (uint16_t)(d->accounts[parent].depth + 1);
	a->shares = some_shares(r);
}

static const struct limit_info *limits_of(const char *account)
{
	for (uint32_t i = 0; i < limit_table_count; i++) {
		if (strcmp(limit_table[i].account, account) == 0)
			return &limit_table[i];
	}
	return NULL;
}

static void plan_accounts(struct demo *d)
{
	static const uint16_t appetites[] = { 0, 20, 60, 100, 100, 100, 180, 300 };
	struct random r = random_stream(d->options.seed, DICE_ACCOUNTS);

	for (uint32_t i = 0; i < d->options.accounts; i++) {
		struct account *a = &d->accounts[i];

		if (i >= account_table_count) {
			plan_further_account(d, &r, i);
		} else {
			const char *parent = account_table[i].parent;

			snprintf(a->name, sizeof(a->name), "%s", account_table[i].name);
			a->parent = parent ? table_index(parent) : NONE;
			a->depth = parent ? (uint16_t)(d->accounts[a->parent].depth + 1) : 1;
			a->shares = account_table[i].shares;
		}
		a->appetite = PICK(&r, appetites);
		a->limits = limits_of(a->name);
	}
}

/* ---- users --------------------------------------------------------------------------------- */

static const struct account *account_of(const struct demo *d, uint32_t account)
{
	return account == NONE ? NULL : &d->accounts[account];
}

static void plan_assoc(struct demo *d, struct random *r, uint32_t user, uint32_t account,
		       uint32_t partition)
{
	static const uint16_t appetites[] = { 0, 30, 70, 100, 100, 150, 250 };
	const struct account *a = account_of(d, account);
	struct assoc *assoc = &d->assocs[d->assoc_count++];
	uint32_t roll = random_below(r, 100), hours;
	uint64_t usage;

	assoc->user = user;
	assoc->account = account;
	assoc->partition = partition;
	assoc->shares = roll < 4 ? 0 : roll < 10 ? SHARES_PARENT :
			roll < 25 ? 2 + random_below(r, 9) : 1;
	assoc->appetite = (uint16_t)((a ? a->appetite : 100) * PICK(r, appetites) / 100);
	/* Hours of a job's CPUs: many small users, a few that are a hundred times larger. */
	hours = 1 + random_below(r, 200);
	hours <<= random_below(r, 8);
	usage = (uint64_t)hours * 3600 * assoc->appetite / 100;
	assoc->usage = (double)usage;
}

/* One user in eight is in "training": a crowd. */
static uint32_t some_account(const struct demo *d, struct random *r)
{
	const uint32_t crowd = table_index("training");

	if (d->options.accounts == 0)
		return NONE;
	if (d->options.accounts > crowd && random_percent(r, 12))
		return crowd;
	return random_below(r, d->options.accounts);
}

static void plan_users(struct demo *d)
{
	const uint32_t n = d->options.accounts;
	struct random r = random_stream(d->options.seed, DICE_USERS);

	for (uint32_t i = 0; i < d->options.users; i++) {
		struct user *u = &d->users[i];

		demo_user_name(i, u->name);
		u->account = some_account(d, &r);
		plan_assoc(d, &r, i, u->account, NONE);
		if (i % 11 == 3 && n > 1)
			plan_assoc(d, &r, i, (u->account + 1 + random_below(&r, n - 1)) % n, NONE);
		if (i % 29 == 7)
			plan_assoc(d, &r, i, u->account, PART_GPU);
	}
}

static int by_account_name(const void *a, const void *b, void *context)
{
	const struct demo *d = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return strcmp(d->accounts[x].name, d->accounts[y].name);
}

static int by_user_name(const void *a, const void *b, void *context)
{
	const struct demo *d = context;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	int order = strcmp(d->users[d->assocs[x].user].name, d->users[d->assocs[y].user].name);

	return order != 0 ? order : (x > y) - (x < y);
}

static uint32_t *sorted(struct demo *d, uint32_t n,
			int (*compare)(const void *, const void *, void *))
{
	uint32_t *order = mem_alloc(n, sizeof(*order));

	for (uint32_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), compare, d);
	return order;
}

/* ---- hosts --------------------------------------------------------------------------------- */

static void plan_hosts(struct demo *d)
{
	struct random r = random_stream(d->options.seed, DICE_HOSTS);
	const uint32_t scale = d->scale;

	for (uint32_t p = 0; p < PARTITIONS; p++) {
		d->first_host[p] = d->host_count;
		d->host_total[p] = partitions[p].hosts * scale;
		d->host_count += d->host_total[p];
	}
	d->first_host[PART_DEBUG] = d->first_host[PART_BATCH];
	d->host_total[PART_DEBUG] = DEBUG_HOSTS;
	d->hosts = mem_zalloc(d->host_count, sizeof(*d->hosts));
	for (uint32_t p = 0; p < PART_DEBUG; p++) {
		for (uint32_t i = 0; i < d->host_total[p]; i++) {
			struct host *h = &d->hosts[d->first_host[p] + i];

			h->partition = (uint8_t)p;
			h->number = i + 1;
			h->down = random_percent(&r, 2) || (p == PART_BATCH && i == 16);
		}
	}
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static bool keep_weight(void *context, const struct tres_pair *pair, struct err *err)
{
	struct demo *d = ((void **)context)[0];
	uint32_t p = *(const uint32_t *)((void **)context)[1];

	(void)err;
	d->weights[p][d->weight_count[p]++] = *pair;
	return true;
}

static void plan_weights(struct demo *d)
{
	for (uint32_t p = 0; p < PARTITIONS; p++) {
		void *context[2] = { d, &p };

		if (partitions[p].billing_weights)
			tres_parse_weights(partitions[p].billing_weights, keep_weight, context,
					   NULL);
	}
}

static double billing(const struct demo *d, const struct job *job)
{
	const struct tres_pair counts[] = {
		{ "cpu", (double)job->cpus * job->hosts },
		{ "mem", (double)job->memory * job->hosts },
		{ "node", job->hosts },
		{ "gres/gpu", (double)job->gpus * job->hosts },
	};
	enum partition p = job->partition;

	return billing_of(counts, 4, partitions[p].billing_weights ? d->weights[p] : NULL,
			  d->weight_count[p], BILLING_SUM);
}

static void plan_shape(struct random *r, struct job *job)
{
	static const uint32_t many[] = { 1, 1, 1, 1, 1, 1, 1, 2, 2, 4, 8 }, few[] = { 1, 1, 1, 2 };
	static const uint32_t cpus[] = { 1, 1, 4, 8, 16, 32, 64, 128 }, small[] = { 2, 8, 16 };
	static const uint32_t large[] = { 16, 48, 96 }, gpus[] = { 1, 1, 2, 4 };
	static const uint32_t memory[] = { 1000, 2000, 3900 };

	job->hosts = 1;
	job->gpus = 0;
	switch (job->partition) {
	case PART_GPU:
		job->hosts = PICK(r, few);
		job->gpus = PICK(r, gpus);
		job->cpus = job->gpus * 16;
		job->memory = job->gpus * 64000;
		break;
	case PART_BIGMEM:
		job->cpus = PICK(r, large);
		job->memory = job->cpus * 42000;
		break;
	case PART_DEBUG:
		job->cpus = PICK(r, small);
		job->memory = job->cpus * 2000;
		break;
	default:
		job->hosts = PICK(r, many);
		job->cpus = job->hosts > 1 ? 128 : PICK(r, cpus);
		job->memory = job->cpus * PICK(r, memory);
		break;
	}
}

/* What people run hundreds of is small. */
static void plan_task(struct job *job)
{
	const uint32_t most = 8;

	job->hosts = 1;
	if (job->gpus > 1) {
		job->cpus /= job->gpus;
		job->memory /= job->gpus;
		job->gpus = 1;
	}
	if (job->gpus == 0 && job->cpus > most) {
		job->memory = job->memory / job->cpus * most;
		job->cpus = most;
	}
}

static uint32_t some_assoc(const struct demo *d, struct random *r)
{
	uint32_t assoc = 0;

	for (int tries = 0; tries < 16; tries++) {
		assoc = random_below(r, d->assoc_count);
		if (d->assocs[assoc].appetite > random_below(r, 100))
			break;
	}
	return assoc;
}

static void plan_wishes(struct demo *d, struct random *r, uint32_t slot)
{
	struct job *job = &d->jobs[slot];
	uint32_t before = slot > 0 ? slot - 1 : d->job_count - 1;

	/* Of an array one can only wait for all. */
	if (array_of(d, before))
		before = array_of(d, before)->first;
	job->held = random_percent(r, 2);
	if (random_percent(r, 4) && before != slot && d->jobs[before].id != 0) {
		job->depends = d->jobs[before].id;
		job->depends_slot = before;
	}
	if (random_percent(r, 5))
		job->nice = random_percent(r, 50) ? 100 : 50;
	if (random_percent(r, 6) && job->partition == PART_BATCH)
		job->licenses = 1 + random_below(r, 4);
}

void plan_job(struct demo *d, struct random *r, uint32_t slot, int64_t submit)
{
	static const int64_t limits[] = { 3600, 4 * 3600, 12 * 3600, DAY, 2 * DAY };
	struct job *job = &d->jobs[slot];
	uint32_t roll = random_below(r, 100), luck = random_below(r, 100);

	memset(job, 0, sizeof(*job));
	job->id = d->next_job++;
	job->assoc = some_assoc(d, r);
	job->partition = roll < 70 ? PART_BATCH : roll < 85 ? PART_GPU :
			 roll < 91 ? PART_BIGMEM : PART_DEBUG;
	if (d->assocs[job->assoc].partition != NONE)
		job->partition = (enum partition)d->assocs[job->assoc].partition;
	job->qos = luck < 80 ? QOS_NORMAL : luck < 88 ? QOS_HIGH : QOS_LOW;
	plan_shape(r, job);
	if (array_of(d, slot))
		plan_task(job);
	plan_wishes(d, r, slot);
	job->submit = job->eligible = submit;
	job->limit = PICK(r, limits);
	if (job->limit > partitions[job->partition].max_time)
		job->limit = partitions[job->partition].max_time;
	job->runtime = job->limit * (20 + random_below(r, 81)) / 100;
	job->billing = billing(d, job);
	job->reason = "None";
}

/* Limits of the array and of the accounts; of an array the last task starts last. */
static bool may_run(const struct demo *d, uint32_t slot)
{
	const struct block *block = array_of(d, slot);

	if (block && (slot == block->first ||
		      (block->at_once > 0 && array_count(d, block, WORKING) >= block->at_once)))
		return false;
	return tally_refuses(d, &d->jobs[slot]) == NULL;
}

/* The first jobs came in over three days; those that find room have been running since. */
static void plan_jobs(struct demo *d)
{
	struct random r = random_stream(d->options.seed, DICE_JOBS);
	uint32_t failures[PARTITIONS] = { 0 };

	for (uint32_t i = 0; i < d->job_count; i++) {
		int64_t ago = (int64_t)(d->job_count - i) * (3 * DAY) / d->job_count;
		struct job *job = &d->jobs[i];

		plan_job(d, &r, i, d->start - ago);
		array_join(d, i);
		tally_submit(d, job, 1);
		if (job->held || job->depends != 0 || failures[job->partition] > 20 ||
		    !may_run(d, i))
			continue;
		if (!place_job(d, job)) {
			failures[job->partition]++;
			continue;
		}
		job->state = WORKING;
		job->start = d->start - random_below(&r, (uint32_t)job->runtime);
		if (job->start < job->submit)
			job->start = job->submit;
		if (job->start + job->runtime <= d->start)
			job->runtime = d->start - job->start + CYCLE;
		job->charged = d->last_pass;
		tally_run(d, job, 1);
	}
}

/* ---- the whole ----------------------------------------------------------------------------- */

struct demo *demo_new(const struct demo_options *options)
{
	struct demo *d = mem_zalloc(1, sizeof(*d));
	struct random r = random_stream(options->seed, DICE_TIME);
	uint32_t users = options->users;

	d->options = *options;
	d->scale = 1 + options->jobs / 600;
	if (d->scale > 200)
		d->scale = 200;
	d->start = d->now = d->last_pass = FIRST_MORNING + (int64_t)random_below(&r, 180) * DAY;
	d->arrivals = random_stream(options->seed, DICE_ARRIVALS);
	d->next_job = 100000 + random_below(&r, 900000);
	d->accounts = mem_zalloc(options->accounts, sizeof(*d->accounts));
	d->users = mem_zalloc(users, sizeof(*d->users));
	d->assocs = mem_zalloc(users + users / 11 + users / 29 + 2, sizeof(*d->assocs));
	plan_accounts(d);
	plan_users(d);
	d->account_order = sorted(d, options->accounts, by_account_name);
	d->assoc_order = sorted(d, d->assoc_count, by_user_name);
	plan_hosts(d);
	plan_weights(d);
	d->job_count = d->assoc_count > 0 ? options->jobs : 0;
	d->jobs = mem_zalloc(d->job_count, sizeof(*d->jobs));
	arrays_plan(d);
	plan_jobs(d);
	life_begin(d);
	demo_pools_begin(d);
	return d;
}

void demo_free(struct demo *d)
{
	if (!d)
		return;
	mem_free(d->accounts);
	mem_free(d->users);
	mem_free(d->assocs);
	mem_free(d->account_order);
	mem_free(d->assoc_order);
	mem_free(d->hosts);
	mem_free(d->jobs);
	mem_free(d->blocks);
	mem_free(d->block_of);
	demo_pools_end(d);
	mem_free(d);
}
