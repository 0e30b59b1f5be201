/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What people submit. Only integers decide, so that every machine comes to the same jobs.
 */
#include "adapters/demo/state.h"

#include "core/billing.h"
#include "core/mem.h"

#define DAY 86400

#define ARRAY_PERCENT 3		/* of the slots begin an array; */
#define ARRAY_OLDEST 2		/* this one does, too: what came first has found room */
#define ARRAY_FEWEST 3
#define ARRAY_MOST 12

static bool percent(uint64_t *dice, uint32_t n)
{
	return dice_below(dice, 100) < n;
}

#define PICK(dice, array) ((array)[dice_below(dice, sizeof(array) / sizeof((array)[0]))])

/* What people run hundreds of, as SMALL, is small. */
static void shape(struct job *job, uint64_t *dice, bool small)
{
	static const uint32_t many[] = { 1, 1, 1, 1, 1, 1, 1, 2, 2, 4, 8 }, few[] = { 1, 1, 1, 2 };
	static const uint32_t some[] = { 1, 1, 4, 8, 16, 32, 64, 128 }, low[] = { 2, 8, 16 };
	static const uint32_t high[] = { 16, 48, 96 }, devices[] = { 1, 1, 2, 4 };
	static const uint32_t mib[] = { 1000, 2000, 3900 };
	uint32_t hosts = 1, gpus = 0, cpus, each = 2000;

	if (job->partition == PART_GPU) {
		hosts = PICK(dice, few);
		gpus = PICK(dice, devices);
		cpus = gpus * 16;
		each = 4000;
	} else if (job->partition == PART_BATCH) {
		hosts = PICK(dice, many);
		cpus = hosts > 1 ? 128 : PICK(dice, some);
		each = PICK(dice, mib);
	} else if (job->partition == PART_BIGMEM) {
		cpus = PICK(dice, high);
		each = 42000;
	} else {
		cpus = PICK(dice, low);
	}
	if (small) {
		hosts = 1;
		cpus = gpus > 0 ? 16 : cpus < 8 ? cpus : 8;
		gpus = gpus > 0;
	}
	job->hosts = hosts;
	job->need[CPU] = cpus;
	job->need[MEM] = cpus * each;
	job->need[NODE] = 1;
	job->need[GPU] = gpus;
}

static double billing(const struct demo *d, const struct job *job)
{
	struct billing_weights weights;
	struct tres_item items[AMOUNTS];

	billing_read(&weights, cluster_text(d->site, F_PARTITION_BILLING_WEIGHTS, job->partition));
	return billing_of_list(&weights, d->site, picture_list(job->need, job->hosts, items),
			       BILLING_SUM);
}

static uint32_t some_assoc(const struct demo *d, uint64_t *dice)
{
	const struct assoc *assoc = d->assocs;

	for (int tries = 0; tries < 16; tries++) {
		assoc = &d->assocs[dice_below(dice, d->assoc_count)];
		if (assoc->appetite > dice_below(dice, 100))
			break;
	}
	return assoc->row;
}

static void wish(struct demo *d, uint64_t *dice, uint32_t slot)
{
	struct job *job = &d->jobs[slot];
	/* Of an array one can only wait for all. */
	uint32_t before = d->jobs[slot > 0 ? slot - 1 : d->job_count - 1].block->first;

	job->held = percent(dice, 2);
	if (percent(dice, 4) && before != slot && d->jobs[before].id != 0) {
		job->depends = d->jobs[before].id;
		job->depends_slot = before;
	}
	if (percent(dice, 5))
		job->nice = percent(dice, 50) ? 100 : 50;
	if (percent(dice, 6) && job->partition == PART_BATCH)
		job->licenses = 1 + dice_below(dice, 4);
}

/* JOB was planned as any job, and FIRST of its array before it: makes a task of it. */
static void join(struct job *job, const struct job *first, uint32_t count)
{
	const struct job own = *job;

	*job = *first;
	job->id = own.id;
	job->runtime = job->limit * own.runtime / own.limit;
	job->array = first->id;
	job->task = job != first ? (uint32_t)(job - first) : count;
}

void jobs_submit(struct demo *d, uint64_t *dice, uint32_t slot, int64_t submit)
{
	static const int64_t limits[] = { 3600, 4 * 3600, 12 * 3600, DAY, 2 * DAY };
	struct job *job = &d->jobs[slot];
	const struct block *block = job->block;
	uint32_t roll = dice_below(dice, 100), luck = dice_below(dice, 100);
	int64_t most;

	*job = (struct job){ .block = block, .id = d->next_job++, .assoc = some_assoc(d, dice),
			     .submit = submit, .eligible = submit, .priority = U32_UNKNOWN };
	job->partition = cluster_text(d->people, F_ASSOC_PARTITION, job->assoc) ?
		PART_GPU : roll < 70 ? PART_BATCH : roll < 85 ? PART_GPU :
		roll < 91 ? PART_BIGMEM : PART_DEBUG;
	job->qos = luck < 80 ? 0 : luck < 88 ? 1 : 2;
	shape(job, dice, block->count > 1);
	wish(d, dice, slot);
	most = cluster_i64(d->site, F_PARTITION_MAX_TIME, job->partition);
	job->limit = PICK(dice, limits);
	job->limit = job->limit < most ? job->limit : most;
	job->runtime = job->limit * (20 + dice_below(dice, 81)) / 100;
	job->billing = billing(d, job);
	join(job, &d->jobs[block->first], block->count);
	life_tally(d, job, 0, 1);
}

uint32_t jobs_count(const struct demo *d, const struct block *block, enum activity state)
{
	uint32_t count = 0;

	for (uint32_t k = 0; k < block->count; k++)
		count += d->jobs[block->first + k].state == state;
	return count;
}

uint32_t jobs_next(const struct demo *d, const struct block *block)
{
	for (uint32_t k = 1; k <= block->count; k++)
		if (d->jobs[block->first + k % block->count].state == WAITING)
			return block->first + k % block->count;
	return ROW_NONE;
}

static void lay_out(struct demo *d)
{
	uint64_t dice = dice_stream(d->options.seed, DICE_ARRAYS);
	struct block *block = d->blocks = mem_zalloc(d->job_count, sizeof(*d->blocks));

	for (uint32_t i = 0; i < d->job_count; i += block++->count) {
		*block = (struct block){ .first = i, .count = 1, .at_once = UINT32_MAX };
		if (percent(&dice, ARRAY_PERCENT) || i == ARRAY_OLDEST) {
			block->count = ARRAY_FEWEST +
				dice_below(&dice, ARRAY_MOST - ARRAY_FEWEST + 1);
			block->at_once = percent(&dice, 40) ? 2 : UINT32_MAX;
		}
		if (block->count > d->job_count - i)
			block->count = 1;
		for (uint32_t k = 0; k < block->count; k++)
			d->jobs[i + k].block = block;
	}
}

/* The first jobs came in over three days; those that find room have been running since. */
void jobs_begin(struct demo *d)
{
	uint64_t dice = dice_stream(d->options.seed, DICE_JOBS);
	uint32_t failures[PARTITIONS] = { 0 };

	d->arrivals = dice_stream(d->options.seed, DICE_ARRIVALS);
	d->job_count = d->assoc_count > 0 ? d->options.jobs : 0;
	d->jobs = mem_zalloc(d->job_count, sizeof(*d->jobs));
	lay_out(d);
	for (uint32_t i = 0; i < d->job_count; i++) {
		int64_t ago = (int64_t)(d->job_count - i) * (3 * DAY) / d->job_count, start;
		struct job *job = &d->jobs[i];
		bool last = job->block->count > 1 && i == job->block->first;

		jobs_submit(d, &dice, i, d->start - ago);
		if (job->held || job->depends != 0 || failures[job->partition] > 20 || last ||
		    life_refuses(d, i))
			continue;
		if (life_place(d, job)) {
			failures[job->partition]++;
			continue;
		}
		start = d->start - dice_below(&dice, (uint32_t)job->runtime);
		life_run(d, job, start > job->submit ? start : job->submit);
		if (job->start + job->runtime <= d->start)
			job->runtime = d->start - job->start + DEMO_CYCLE;
	}
}
