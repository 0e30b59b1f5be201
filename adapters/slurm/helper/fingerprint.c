/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shares, associations and priorities are always sent completely. A hash of every number that the
 * cluster takes from them shows whether anything changed; if not, nothing is sent.
 */
#include <string.h>

#include <slurm/slurmdb.h>

#include "adapters/slurm/helper/compat.h"
#include "adapters/slurm/helper/load.h"
#include "core/base/text.h"

static void mix_word(uint64_t *hash, uint64_t word)
{
	*hash = (*hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	*hash ^= *hash >> 32;
}

static void mix_text(uint64_t *hash, const char *text)
{
	mix_word(hash, text ? text_hash(text, strlen(text), 0) : 0);
}

/* A number of at most eight bytes. */
#define MIX(hash, value)                                                       \
	do {                                                                   \
		__typeof__(value) copy = (value);                              \
		uint64_t word = 0;                                             \
									       \
		_Static_assert(sizeof(copy) <= sizeof(word), "fits a word");   \
		memcpy(&word, &copy, sizeof(copy));                            \
		mix_word(hash, word);                                          \
	} while (0)

/* Includes whether the array is NULL. */
static void mix_counts(uint64_t *hash, const uint64_t *counts, uint32_t n)
{
	mix_word(hash, counts != NULL);
	for (uint32_t i = 0; counts && i < n; i++)
		mix_word(hash, counts[i]);
}

static void mix_reals(uint64_t *hash, const long double *reals, uint32_t n)
{
	mix_word(hash, reals != NULL);
	for (uint32_t i = 0; reals && i < n; i++)
		MIX(hash, (double)reals[i]);
}

#define MIX_COUNT(value) MIX(hash, value)
#define MIX_MINUTES(value) MIX(hash, value)
#define MIX_TRES(value) mix_counts(hash, value, tres_count)

static void mix_usage(uint64_t *hash, const slurmdb_assoc_usage_t *u)
{
	MIX(hash, u->level_shares);
	MIX(hash, (double)u->usage_raw);
	MIX(hash, (double)u->usage_norm);
	MIX(hash, (double)u->usage_efctv);
	MIX(hash, (double)u->level_fs);
	MIX(hash, u->fs_factor);
	MIX(hash, u->grp_used_wall);
	MIX(hash, u->used_jobs);
	MIX(hash, u->used_submit_jobs);
	MIX(hash, u->accrue_cnt);
	mix_counts(hash, u->grp_used_tres, u->tres_cnt);
	mix_counts(hash, u->grp_used_tres_run_secs, u->tres_cnt);
	mix_reals(hash, u->usage_tres_raw, u->tres_cnt);
}

static void mix_assoc(uint64_t *hash, const slurmdb_assoc_rec_t *a, uint32_t tres_count)
{
	MIX(hash, a->id);
	MIX(hash, a->parent_id);
	MIX(hash, a->shares_raw);
	MIX(hash, a->priority);
	MIX(hash, compat_lft(a));
	MIX(hash, a->is_def);
	MIX(hash, a->def_qos_id);
	mix_text(hash, a->acct);
	mix_text(hash, a->user);
#define ASSOC_LIMIT(kind, field, member) MIX_##kind(a->member);
#include "adapters/slurm/helper/limits.def"
	if (a->usage)
		mix_usage(hash, a->usage);
}

static void mix_qos_usage(uint64_t *hash, const slurmdb_qos_usage_t *u)
{
	MIX(hash, (double)u->usage_raw);
	MIX(hash, u->grp_used_jobs);
	MIX(hash, u->accrue_cnt);
	MIX(hash, u->grp_used_wall);
	mix_counts(hash, u->grp_used_tres, u->tres_cnt);
	mix_counts(hash, u->grp_used_tres_run_secs, u->tres_cnt);
	mix_reals(hash, u->usage_tres_raw, u->tres_cnt);
}

static void mix_qos(uint64_t *hash, const slurmdb_qos_rec_t *q, uint32_t tres_count)
{
	MIX(hash, q->id);
	MIX(hash, q->priority);
	MIX(hash, q->flags);
	MIX(hash, q->usage_factor);
	MIX(hash, q->usage_thres);
	mix_text(hash, q->name);
#define QOS_LIMIT(kind, field, member) MIX_##kind(q->member);
#include "adapters/slurm/helper/limits.def"
	for (uint32_t id = 0; id < compat_bit_count(q->preempt_bitstr); id++)
		MIX(hash, compat_bit_test(q->preempt_bitstr, id));
	if (q->usage)
		mix_qos_usage(hash, q->usage);
}

static void mix_user(uint64_t *hash, const slurmdb_user_rec_t *u)
{
	MIX(hash, u->uid);
	MIX(hash, u->admin_level);
	mix_text(hash, u->name);
	mix_text(hash, u->default_acct);
}

static void mix_assocs(uint64_t *hash, const struct load *l)
{
	const assoc_mgr_info_msg_t *m = l->assocs;
	struct listIterator *i;
	void *record;

	for (uint32_t n = 0; n < l->assoc_count; n++)
		mix_assoc(hash, l->assoc_rows[n], m->tres_cnt);
	if (m->qos_list) {
		i = slurm_list_iterator_create(m->qos_list);
		while ((record = slurm_list_next(i)))
			mix_qos(hash, record, m->tres_cnt);
		slurm_list_iterator_destroy(i);
	}
	if (m->user_list) {
		i = slurm_list_iterator_create(m->user_list);
		while ((record = slurm_list_next(i)))
			mix_user(hash, record);
		slurm_list_iterator_destroy(i);
	}
}

static void mix_shares(uint64_t *hash, const struct shares *s)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct share_row *r = &s->rows[i];

		MIX(hash, r->id);
		MIX(hash, r->shares);
		MIX(hash, r->usage);
		MIX(hash, r->norm_shares);
		MIX(hash, r->norm_usage);
		MIX(hash, r->effective_usage);
		MIX(hash, r->fairshare);
		MIX(hash, r->level_fs);
		mix_text(hash, r->name);
	}
}

static void mix_prio(uint64_t *hash, const priority_factors_response_msg_t *m)
{
	struct listIterator *i;
	priority_factors_object_t *record;

	if (!m->priority_factors_list)
		return;
	i = slurm_list_iterator_create(m->priority_factors_list);
	while ((record = slurm_list_next(i))) {
		struct prio_terms t;

		compat_prio_terms(record, &t);
		MIX(hash, t.job);
		for (unsigned f = 0; f < PRIO_FACTORS; f++)
			MIX(hash, t.term[f]);
		MIX(hash, t.direct);
		MIX(hash, t.site);
		MIX(hash, t.nice);
		mix_text(hash, t.partition);
		for (uint32_t n = 0; n < t.tres_count; n++)
			MIX(hash, t.tres[n]);
	}
	slurm_list_iterator_destroy(i);
}

struct fingerprint load_fingerprint(const struct load *l)
{
	struct fingerprint print = { 0, 0 };

	if (l->wanted & 1u << LOAD_ASSOCS && l->assocs)
		mix_assocs(&print.assocs, l);
	if (l->wanted & 1u << LOAD_SHARES)
		mix_shares(&print.rest, &l->shares);
	if (l->wanted & 1u << LOAD_PRIO && l->prio)
		mix_prio(&print.rest, l->prio);
	return print;
}
