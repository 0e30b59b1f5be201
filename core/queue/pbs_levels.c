/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/word.h"
#include "core/queue/pbs_limits.h"

#define LEVELS_MAX 19		/* NUM_PPRIO, without qrun */
#define HIGHEST 99000
#define STEP 1000
#define PRIORITY_MOST 1024	/* of a queue, either sign: accepted by qmgr */

static const char *const words[] = { "normal_jobs", "fairshare", "queue_softlimits",
				     "server_softlimits", "express_queue" };
enum { NORMAL = 1, OVER_SHARE = 2, OVER_QUEUE = 4, OVER_SERVER = 8, EXPRESS = 16 };

struct pbs_levels_entry {
	unsigned bits;
	int32_t value;
};

struct pbs_levels {
	const struct policy *policy;
	struct pbs_limits *soft;	/* or NULL */
	struct pbs_levels_entry levels[LEVELS_MAX];
	size_t count;
	int32_t normal;			/* value of normal_jobs; 0: not listed */
};

/* "express_queue+server_softlimits"; 0 if a word is unknown */
static unsigned levels_bits_of(const char *s, size_t length)
{
	unsigned bits = 0;

	for (size_t n; length > 0; s += n, length -= n) {
		size_t i = 0;

		for (n = 0; n < length && s[n] != '+';)
			n++;
		while (i < sizeof(words) / sizeof(words[0]) && !word_equal_n(s, n, words[i]))
			i++;
		if (i == sizeof(words) / sizeof(words[0]))
			return 0;
		bits |= 1U << i;
		n += n < length;
	}
	return bits;
}

static int count_bits(unsigned bits)
{
	int n = 0;

	for (; bits; bits &= bits - 1)
		n++;
	return n;
}

/* Levels with more words come first. */
static int compare_levels(const void *x, const void *y)
{
	const struct pbs_levels_entry *a = x, *b = y;
	int more = count_bits(b->bits) - count_bits(a->bits);

	return more != 0 ? more : b->value - a->value;
}

static void read_levels(struct pbs_levels *l)
{
	int32_t value = HIGHEST;

	for (const char *s = l->policy->preempt_prio; *s; s += *s == ',') {
		const char *from = s += strspn(s, " \t");
		size_t length = strcspn(from, ", \t");
		unsigned bits = levels_bits_of(from, length);

		s += strcspn(s, ",");
		if (bits == 0 || l->count == LEVELS_MAX)
			continue;
		if (bits == NORMAL)
			l->normal = value;
		l->levels[l->count++] = (struct pbs_levels_entry){ bits, value };
		value -= STEP;
	}
	if (l->count > 0)
		qsort(l->levels, l->count, sizeof(*l->levels), compare_levels);
}

struct pbs_levels *pbs_levels_new(const struct cluster *c, const struct policy *policy)
{
	struct pbs_levels *l = mem_zalloc(1, sizeof(*l));

	l->policy = policy;
	read_levels(l);
	if (policy->preemptive_sched)
		l->soft = pbs_limits_new(c, PBS_SOFT);
	return l;
}

void pbs_levels_free(struct pbs_levels *l)
{
	if (!l)
		return;
	pbs_limits_free(l->soft);
	mem_free(l);
}

/* Level of a job for which the words in BITS hold. */
static int32_t levels_level_of(const struct pbs_levels *l, unsigned bits, double priority)
{
	bits = bits ? bits : NORMAL;
	for (size_t i = 0; i < l->count; i++) {
		if ((bits & l->levels[i].bits) != l->levels[i].bits)
			continue;
		return l->levels[i].value +
		       (l->levels[i].bits & EXPRESS ?
			(int32_t)fmax(-PRIORITY_MOST, fmin(priority, PRIORITY_MOST)) : 0);
	}
	return l->normal;
}

int32_t pbs_level(const struct pbs_levels *l, uint32_t job, double priority, uint8_t over)
{
	uint8_t queue, server;
	unsigned bits, unknown;
	int32_t level;

	if (!l->policy->preemptive_sched)
		return 0;
	pbs_limits_over(l->soft, job, &queue, &server);
	bits = (priority >= l->policy->preempt_queue_prio ? EXPRESS : 0U) |
	       (over == true ? OVER_SHARE : 0U) | (queue == true ? OVER_QUEUE : 0U) |
	       (server == true ? OVER_SERVER : 0U);
	unknown = (over == BOOL_UNKNOWN ? OVER_SHARE : 0U) |
		  (queue == BOOL_UNKNOWN ? OVER_QUEUE : 0U) |
		  (server == BOOL_UNKNOWN ? OVER_SERVER : 0U);
	level = levels_level_of(l, bits, priority);
	/* Tries all combinations of the unknown bits. */
	for (unsigned more = unknown; more; more = (more - 1) & unknown) {
		if (levels_level_of(l, bits | more, priority) != level)
			return PBS_LEVEL_UNKNOWN;
	}
	return level;
}

bool pbs_level_is_high(const struct pbs_levels *l, int32_t level)
{
	return level > l->normal;
}

bool pbs_levels_move(const struct pbs_levels *l)
{
	return l->soft != NULL;
}

bool pbs_levels_run(struct pbs_levels *l, uint32_t job)
{
	return pbs_limits_use(l->soft, job, INT64_MIN, INT64_MAX);
}
