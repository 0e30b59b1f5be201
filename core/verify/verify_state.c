/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the scheduler when it was read. Source: spec of fair share, 6; spec of the live
 * scheduler, 2 and 3.
 *
 * A controller reaches the fixed point only after every value has been computed more than once, and
 * only while usage does not change. Each state here leaves traces in the numbers themselves, so
 * none is assumed for convenience.
 */
#include "core/verify/verify_private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/plural.h"

/* Slurm's U before the first evaluation. */
#define NOT_EVALUATED ((double)U32_UNKNOWN)

#define PASS_TAKES 2	/* s, plus the second lost by truncating a time */

static bool verify_state_overlap(double a_lo, double a_hi, double b_lo, double b_hi)
{
	return a_lo <= b_hi && b_lo <= a_hi;
}

void verify_next_pass(const struct cluster *c, char *buf, size_t size)
{
	const struct cluster_meta *meta = cluster_meta(c);
	int64_t period = cluster_policy(c)->calc_period;
	int64_t wait = -1;

	if (period == I64_UNKNOWN) {
		snprintf(buf, size, "the next pass (PriorityCalcPeriod, usually 300 s)");
		return;
	}
	if (meta->last_decay != I64_UNKNOWN && meta->time != I64_UNKNOWN)
		wait = meta->last_decay + period - meta->time;
	if (wait < 0 || wait > period)
		snprintf(buf, size, "the next pass, at most %lld s from now", (long long)period);
	else
		snprintf(buf, size, "the next pass, %lld s from now", (long long)wait);
}

/* ---- nothing to compare -------------------------------------------------------------------- */

/* An account without shares is a placeholder: the source may not see it, nor its siblings. */
static bool has_hidden_accounts(const struct cluster *c)
{
	for (uint32_t i = 1; i < cluster_rows(c, TABLE_ASSOC); i++) {
		if (!cluster_is_user(c, i) && cluster_u32(c, F_ASSOC_SHARES, i) == U32_UNKNOWN)
			return true;
	}
	return false;
}

static void find_nothing(const struct cluster *c, struct verify_state *state)
{
	const struct policy *p = cluster_policy(c);

	if (cluster_rows(c, TABLE_ASSOC) < 2)
		snprintf(state->nothing, sizeof(state->nothing),
			 "the source shows no associations to compare");
	else if (has_hidden_accounts(c))
		snprintf(state->nothing, sizeof(state->nothing),
			 "accounts are missing (hidden from this user by PrivateData, or an "
			 "excerpt): nothing can be computed");
	else if (policy_knows(p, "PriorityType") && !policy_is_multifactor(p))
		snprintf(state->nothing, sizeof(state->nothing),
			 "PriorityType=%.60s: this scheduler computes no fair share", p->type);
	else if (!fs_base_available(c, FS_BASE_REPORTED) && !cluster_col(c, F_ASSOC_R_FAIRSHARE) &&
		 !cluster_col(c, F_ASSOC_R_EFFECTIVE_USAGE))
		snprintf(state->nothing, sizeof(state->nothing),
			 "the source reports no results of the scheduler to compare with");
}

/* ---- not computed at all ------------------------------------------------------------------- */

static bool all_zero(const struct model *m, enum field field, bool users_only)
{
	uint32_t zeros = 0;

	for (uint32_t i = 1; i < m->tree->n; i++) {
		double x = cluster_f64(m->cluster, field, i);

		if (isnan(x) || (users_only && !m->tree->is_user[i]))
			continue;
		if (x != 0)
			return false;
		zeros++;
	}
	return zeros > 0;
}

/* sshare leaves U blank where it was not evaluated; without any U there is no column. */
static bool some_usage_is_reported(const struct model *m)
{
	for (uint32_t i = 1; i < m->tree->n; i++) {
		if (fs_is_reported(cluster_f64(m->cluster, F_ASSOC_R_NORM_USAGE, i)))
			return true;
	}
	return false;
}

/*
 * After a start everything is 0 until the first pass. In Fair Tree F = 0 for all proves this, as
 * the first user has 1 in any order. Elsewhere E = 0 does, if there is usage or U is blank.
 */
static void find_uncomputed(const struct model *m, struct verify_state *state)
{
	const struct cluster *c = m->cluster;
	bool used = cluster_f64(c, F_ASSOC_USAGE, 0) > 0;
	bool blank = cluster_col(c, F_ASSOC_R_NORM_USAGE) != NULL;
	char wait[64];

	if (some_usage_is_reported(m) || !all_zero(m, F_ASSOC_R_EFFECTIVE_USAGE, false) ||
	    (m->fs->tree_rank ? !all_zero(m, F_ASSOC_R_FAIRSHARE, true) : !used && !blank))
		return;
	state->uncomputed = true;
	verify_next_pass(c, wait, sizeof(wait));
	snprintf(state->nothing, sizeof(state->nothing),
		 "slurmctld has not computed fair share yet (%sE = 0%s). Wait for %s",
		 blank ? "U blank, " : "", m->fs->tree_rank ? ", F = 0" : "", wait);
}

/* ---- an excerpt ---------------------------------------------------------------------------- */

/* Ignores missing users that only the factors indicate: a factor itself may be wrong. */
static void find_excerpt(const struct model *m, struct verify_state *state)
{
	const struct fs_tree *t = m->tree;
	uint32_t f = 0;
	char path[128];

	while (f < t->families && t->family_cut[f] != 1)
		f++;
	if (f == t->families)
		return;
	cluster_path(m->cluster, t->family_row[f], path, sizeof(path));
	snprintf(state->nothing, sizeof(state->nothing),
		 "an excerpt: siblings are missing below %.99s (expected all rows, as from sshare "
		 "-a)", path);
}

/* ---- shares of the other algorithm --------------------------------------------------------- */

/* ALL: every reported one is proven equal; otherwise none is proven different. */
static bool same_shares(const struct model *m, const struct fs_result *fs, bool all)
{
	const struct cluster *c = m->cluster;
	double quantum = cluster_meta(c)->ratio_quantum;

	for (uint32_t i = 1; i < fs->n; i++) {
		double reported = cluster_f64(c, F_ASSOC_R_NORM_SHARES, i), lo, hi;

		bounds_of_ratio(reported, quantum, &lo, &hi);
		if (isnan(reported) || (m->tree->detached && m->tree->detached[i]))
			continue;
		if (isnan(fs->norm_shares[i]) ? all :
		    !verify_state_overlap(lo, hi, fs->norm_shares[i] * (1 - 1e-12),
					  fs->norm_shares[i] * (1 + 1e-12)))
			return false;
	}
	return true;
}

static void find_switched(const struct model *m, struct verify_state *state)
{
	const struct fs_algo *other = fs_algos[m->fs->tree_rank ? FS_CLASSIC : FS_FAIR_TREE];
	struct fs_result *fs;

	if (same_shares(m, m->fs, false))
		return;
	fs = fs_run(other, &m->input);
	if (same_shares(m, fs, true))
		snprintf(state->switched, sizeof(state->switched),
			 "NormShares are still those of %s: PriorityFlags were changed by a "
			 "reconfigure, and slurmctld keeps the old values until it restarts or an "
			 "association changes",
			 m->fs->tree_rank ? "the other algorithms" : "Fair Tree");
	fs_result_free(fs);
}

/* ---- not evaluated yet --------------------------------------------------------------------- */

static double oblivious_formula(double above, double local)
{
	double a = log(above), b = log(local);

	return exp(a + (a * b >= 0 ? b : b / (1 + 25 * a * a)));
}

static bool close_to(double is, double reported, double quantum)
{
	/* Next to 4 thousand million the siblings' true usage counts for less than 1e-9. */
	double tolerance = quantum > 0 ? quantum + 0.02 * reported : 1e-8 * reported;

	return fabs(is - reported) <= tolerance;
}

/* Sums of the siblings' reported U, by family. */
static double *reported_sums(const struct model *m)
{
	const struct fs_tree *t = m->tree;
	double *sums = mem_zalloc(t->families, sizeof(double));

	for (uint32_t i = 1; i < t->n; i++) {
		if (t->shares[i] != SHARES_PARENT)
			sums[t->family[i]] += cluster_f64(m->cluster, F_ASSOC_R_NORM_USAGE, i);
	}
	return sums;
}

/* Number of siblings at 4294967294 that lead from r_l = OWN / sum to R; not a whole number. */
static double cold_siblings(double r, double above, double own)
{
	double a = log(above), k = a <= 0 ? 1 : 1 / (1 + 25 * a * a);

	return own / exp((log(r) - a) / k) / NOT_EVALUATED;
}

/*
 * Does the reported E of row I follow from its account's reported E only if some siblings' U still
 * was 4294967294? SUMS are the reported ones.
 */
static bool siblings_were_cold(const struct model *m, uint32_t i, const double *sums)
{
	const struct fs_tree *t = m->tree;
	const struct cluster *c = m->cluster;
	uint32_t p = t->fs_parent[i], f = t->family[i];
	double s = m->fs->norm_shares[i], s_above = m->fs->norm_shares[p];
	double u = cluster_f64(c, F_ASSOC_R_NORM_USAGE, i), own = u / s * s_above;
	double e = cluster_f64(c, F_ASSOC_R_EFFECTIVE_USAGE, i);
	double above = cluster_f64(c, F_ASSOC_R_EFFECTIVE_USAGE, p) / s_above;
	double members = t->family_first[f + 1] - t->family_first[f];
	double quantum = cluster_meta(c)->ratio_quantum, cold;

	if (p == 0 || t->shares[i] == SHARES_PARENT || !(u > 0 && s > 0 && above > 0) || isnan(e))
		return false;
	if (close_to(s * oblivious_formula(above, own / sums[f]), e, quantum))
		return false;
	cold = fmin(fmax(round(cold_siblings(e / s, above, own)), 1), members);
	return close_to(s * oblivious_formula(above, own / (cold * NOT_EVALUATED)), e, quantum);
}

/* 4294967294, or blank while others are not. */
static bool is_not_evaluated(const struct model *m, uint32_t i)
{
	double u = cluster_f64(m->cluster, F_ASSOC_R_NORM_USAGE, i);

	return !fs_is_reported(u) && !(m->tree->detached && m->tree->detached[i]) &&
	       (!isnan(u) || cluster_col(m->cluster, F_ASSOC_R_NORM_USAGE));
}

static void find_cold(const struct model *m, struct verify_state *state)
{
	const struct cluster *c = m->cluster;
	const struct cluster_meta *meta = cluster_meta(c);
	char wait[64], started[64] = "";
	double *sums;

	if (m->algo->id != FS_DEPTH_OBLIVIOUS)
		return;
	sums = reported_sums(m);
	for (uint32_t i = 1; i < m->tree->n; i++) {
		if (!is_not_evaluated(m, i) && !siblings_were_cold(m, i, sums))
			continue;
		if (!state->cold_family)
			state->cold_family = mem_zalloc(m->tree->families, sizeof(bool));
		state->cold_family[m->tree->family[i]] = true;
	}
	mem_free(sums);
	if (!state->cold_family)
		return;
	verify_next_pass(c, wait, sizeof(wait));
	if (meta->boot != I64_UNKNOWN && meta->boot <= meta->time)
		snprintf(started, sizeof(started), "slurmctld started %lld s ago: ",
			 (long long)(meta->time - meta->boot));
	snprintf(state->cold, sizeof(state->cold),
		 "%ssome usage was 4294967294, not evaluated yet, when the ratios of its siblings "
		 "were computed. Run \"sshare -a\" once, then wait for %s", started, wait);
}

/* ---- usage has moved ----------------------------------------------------------------------- */

static bool usage_has_moved(const struct cluster *c)
{
	uint32_t n = cluster_rows(c, TABLE_ASSOC);
	struct bounds reported = bounds_new(n), own = bounds_new(n);
	bool moved = false;

	bounds_norm_usage(c, FS_BASE_REPORTED, &reported);
	bounds_norm_usage(c, FS_BASE_USAGE, &own);
	for (uint32_t i = 1; i < n && !moved; i++) {
		moved = !isnan(reported.lo[i]) && !isnan(own.lo[i]) &&
			!verify_state_overlap(reported.lo[i], reported.hi[i], own.lo[i], own.hi[i]);
	}
	bounds_free(&reported);
	bounds_free(&own);
	return moved;
}

/* Begin of the pass PASSES - 1 before the last; never (INT64_MAX) if times are unknown. */
static int64_t pass_before(const struct cluster *c, int passes)
{
	const struct cluster_meta *meta = cluster_meta(c);
	int64_t period = cluster_policy(c)->calc_period;

	if (period == I64_UNKNOWN)
		return INT64_MAX;
	if (meta->last_decay != I64_UNKNOWN)
		return meta->last_decay - (passes - 1) * period;
	return meta->time != I64_UNKNOWN ? meta->time - passes * period : INT64_MAX;
}

/* Counts jobs charged now, and jobs whose last charge was within the last PASSES. */
static void count_jobs(const struct cluster *c, int passes, uint32_t *charged, uint32_t *ended)
{
	int64_t since = pass_before(c, passes);

	*charged = *ended = 0;
	for (uint32_t j = 0; j < cluster_rows(c, TABLE_JOB); j++) {
		const char *state = cluster_text(c, F_JOB_STATE, j);
		int64_t end = cluster_i64(c, F_JOB_END, j);

		if (!state || strcmp(state, "PENDING") == 0)
			continue;
		if (strcmp(state, "RUNNING") == 0 || strcmp(state, "SUSPENDED") == 0)
			(*charged)++;
		else if (end != I64_UNKNOWN && end >= since)
			(*ended)++;
	}
}

/*
 * A depth-oblivious pass computes the ratio of an account from its own new U and those of its
 * siblings, of which later ones are still old: E settles one pass after U.
 */
static void find_half_updated(const struct model *m, struct verify_state *state)
{
	uint32_t charged, ended;
	char wait[64];

	if (m->algo->id != FS_DEPTH_OBLIVIOUS)
		return;
	count_jobs(m->cluster, 2, &charged, &ended);
	verify_next_pass(m->cluster, wait, sizeof(wait));
	if (!cluster_col(m->cluster, F_JOB_STATE) && some_usage_is_reported(m))
		snprintf(state->behind, sizeof(state->behind),
			 "the source does not report whether jobs ran: the ratios of accounts may "
			 "mix usage of two passes. Wait for %s", wait);
	else if (ended != 0 || charged != 0)
		snprintf(state->behind, sizeof(state->behind),
			 "%u %s less than two passes ago: the ratios of accounts still mix older "
			 "and newer usage. Wait for %s", (unsigned)(ended + charged),
			 plural(ended + charged, "job ran or ended", "jobs ran or ended"), wait);
}

/* Did a pass run, or may it have run, while the picture was taken? */
static bool is_at_pass(const struct cluster *c)
{
	const struct cluster_meta *meta = cluster_meta(c);
	int64_t period = cluster_policy(c)->calc_period, age;

	if (meta->time == I64_UNKNOWN || meta->last_decay == I64_UNKNOWN || period == I64_UNKNOWN)
		return true;
	age = meta->time - meta->last_decay;
	return age <= PASS_TAKES || age >= period - PASS_TAKES;
}

static void verify_state_find_behind(const struct model *m, struct verify_state *state)
{
	const struct cluster *c = m->cluster;
	uint32_t charged, ended;
	char wait[64];

	if (!usage_has_moved(c)) {
		find_half_updated(m, state);
		return;
	}
	verify_next_pass(c, wait, sizeof(wait));
	count_jobs(c, 1, &charged, &ended);
	/* Fair Tree's ratios are of the same moment: usage changes as jobs end, or at a pass. */
	if (m->fs->tree_rank && !is_at_pass(c))
		charged = 0;
	if (!cluster_col(c, F_JOB_STATE))
		snprintf(state->behind, sizeof(state->behind),
			 "usage has changed since the ratios were computed, and the source does "
			 "not report whether jobs run; try again when nothing runs, after %s",
			 wait);
	else if (charged > 0)
		snprintf(state->behind, sizeof(state->behind),
			 "%u %s: %s %s",
			 (unsigned)charged, plural(charged, "job runs", "jobs run"),
			 m->fs->tree_rank ? "a pass may have happened meanwhile. Try again after" :
			 m->algo->id == FS_CLASSIC ?
			 "accounts are a pass behind usage. Try again when nothing runs, after" :
			 "accounts are a pass behind usage. verify --wait compares across", wait);
	else if (ended > 0)
		snprintf(state->behind, sizeof(state->behind),
			 "%u %s ended since the last pass: usage has changed, the ratios have not. "
			 "Wait for %s", (unsigned)ended, plural(ended, "job", "jobs"), wait);
}

static void mark_young(const struct model *m, struct verify_state *state, uint32_t i)
{
	const struct fs_tree *t = m->tree;
	uint32_t f = t->family[i];
	char wait[64], path[128];

	if (!state->is_young) {
		state->is_young = mem_zalloc(t->n, sizeof(bool));
		state->near_young = mem_zalloc(t->n, sizeof(bool));
		verify_next_pass(m->cluster, wait, sizeof(wait));
		cluster_path(m->cluster, i, path, sizeof(path));
		snprintf(state->young, sizeof(state->young),
			 "%s is new: Fair Tree has not ranked it yet. Wait for %s", path, wait);
	}
	state->is_young[i] = true;
	for (uint32_t j = t->family_first[f]; j < t->family_first[f + 1]; j++)
		state->near_young[t->members[j]] = true;
}

static void find_young(const struct model *m, struct verify_state *state)
{
	for (uint32_t i = 1; m->fs->tree_rank && i < m->tree->n; i++) {
		if (is_not_evaluated(m, i))
			mark_young(m, state, i);
	}
}

void verify_state(const struct model *m, struct verify_state *state)
{
	memset(state, 0, sizeof(*state));
	find_nothing(m->cluster, state);
	if (!state->nothing[0])
		find_uncomputed(m, state);
	if (!state->nothing[0])
		find_switched(m, state);
	if (!state->nothing[0] && !state->switched[0])
		find_excerpt(m, state);
	if (state->nothing[0])
		return;
	find_cold(m, state);
	verify_state_find_behind(m, state);
	find_young(m, state);
}

void verify_state_free(struct verify_state *state)
{
	MEM_FREE(state->cold_family, state->is_young, state->near_young);
}
