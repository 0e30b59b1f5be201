/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm:DIR: the saved outputs of a real Slurm against its library at the same time. Every
 * recording exists twice: as the texts that the commands printed, and as numbers at full precision
 * taken through libslurm (tests/data/captures). Here the texts are read, and each value must equal
 * the other to the printed digits. Three recordings are in tests/data/slurm; the others are in
 * $FAIRTOP_SHARED/captures/slurm if that exists.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/mem.h"
#include "core/share/model.h"
#include "tests/support/data.h"
#include "tests/support/dump.h"
#include "tests/support/jobdump.h"
#include "tests/support/kept.h"
#include "tests/support/scratch.h"
#include "tests/support/slurm.h"

/* Half of the last of six decimals, plus the loss in binary. */
#define SIX 0.5000001e-6

/* Returns the directory of a recording, NULL if it is not here. */
static const char *recording(const char *name, char *path, size_t size)
{
	char file[256];
	struct stat st;

	snprintf(file, sizeof(file), "slurm/%s", name);
	if (stat(data_path(file, path, size), &st) == 0)
		return path;
	snprintf(file, sizeof(file), "captures/slurm/%s", name);
	return data_shared(file, path, size);
}

static struct cluster *read_directory(const char *path)
{
	const struct fetch_request request = { .needs = NEED_ALL, .deadline_ms = -1 };
	struct cluster *c = NULL, *again = NULL;
	struct err err = { 0 };
	struct source *s = slurm_dir_open(path, &err);

	if (!s)
		fail_msg("%s", err.message);
	if (source_fetch(s, &request, &c, &err) != FETCH_NEW)
		fail_msg("%s", err.message);
	assert_int_equal(source_fetch(s, &request, &again, &err), FETCH_END);
	assert_null(again);
	source_close(s);
	return kept_cluster(c);
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* The current position, for messages. */
static char place[512];

static void same_f64(const char *what, double is, double should, double tolerance)
{
	if (isnan(is) && isnan(should))
		return;
	if (isinf(should) && is == should)
		return;
	if (!(fabs(is - should) <= tolerance))
		fail_msg("%s: %s is %.17g, not %.17g", place, what, is, should);
}

static void same_int(const char *what, int64_t is, int64_t should)
{
	if (is != should)
		fail_msg("%s: %s is %lld, not %lld", place, what, (long long)is, (long long)should);
}

static void same_text(const char *what, const char *is, const char *should)
{
	if (!is != !should || (is && strcmp(is, should) != 0))
		fail_msg("%s: %s is \"%s\", not \"%s\"", place, what, is ? is : "(unknown)",
			 should ? should : "(unknown)");
}

/* Compares counts of two lists; a missing TRES counts 0. */
static void same_tres(const char *what, const struct cluster *is, uint32_t is_row,
		      const struct cluster *should, uint32_t should_row, enum field field,
		      double tolerance)
{
	for (uint32_t i = 0; i < cluster_rows(should, TABLE_TRES); i++) {
		const char *name = cluster_tres_name(should, i);

		same_f64(what, slurm_tres(is, field, is_row, name),
			 slurm_tres(should, field, should_row, name), tolerance);
	}
}

static uint32_t find_u32(const struct cluster *c, enum table table, enum field field,
			 uint32_t value)
{
	uint32_t row = 0;

	while (row < cluster_rows(c, table) && cluster_u32(c, field, row) != value)
		row++;
	if (row == cluster_rows(c, table))
		fail_msg("%s: not there", place);
	return row;
}

/* ---- associations -------------------------------------------------------------------------- */

/* sshare prints a blank for the library's value "not computed". */
static double as_printed(double x)
{
	return x == (double)U32_UNKNOWN ? (double)NAN : x;
}

/* In the two ratio algorithms sshare computes FairShare: 2^-((E / S) / d). */
static double printed_fairshare(const struct cluster *c, uint32_t row)
{
	double s = cluster_f64(c, F_ASSOC_R_NORM_SHARES, row);
	double e = cluster_f64(c, F_ASSOC_R_EFFECTIVE_USAGE, row);

	return s > 0 ? pow(2.0, -(e / s) / cluster_policy(c)->damping) : 0.0;
}

struct expected {
	double usage_tolerance;
	bool usage_cut;			/* truncated to integers */
	bool ids;			/* the texts have Slurm's ids */
	bool lft, level, partitions;
};

static void same_assoc(const struct cluster *c, uint32_t i, const struct cluster *d, uint32_t k,
		       const struct expected *expected)
{
	bool fair_tree = !(cluster_policy(d)->flags & (PF_DEPTH_OBLIVIOUS | PF_NO_FAIR_TREE));
	double usage = cluster_f64(d, F_ASSOC_USAGE, k);

	if (expected->ids)
		same_int("id", cluster_u32(c, F_ASSOC_ID, i), cluster_u32(d, F_ASSOC_ID, k));
	/* sshare prints no shares for the root. */
	if (k != 0)
		same_int("shares", cluster_u32(c, F_ASSOC_SHARES, i),
			 cluster_u32(d, F_ASSOC_SHARES, k));
	if (expected->usage_cut)
		usage = floor(usage);
	same_f64("usage", cluster_f64(c, F_ASSOC_USAGE, i), usage, expected->usage_tolerance);
	same_f64("norm_shares", cluster_f64(c, F_ASSOC_R_NORM_SHARES, i),
		 cluster_f64(d, F_ASSOC_R_NORM_SHARES, k), SIX);
	same_f64("norm_usage", cluster_f64(c, F_ASSOC_R_NORM_USAGE, i),
		 as_printed(cluster_f64(d, F_ASSOC_R_NORM_USAGE, k)), SIX);
	same_f64("effective_usage", cluster_f64(c, F_ASSOC_R_EFFECTIVE_USAGE, i),
		 cluster_f64(d, F_ASSOC_R_EFFECTIVE_USAGE, k), SIX);
	/* sshare prints no LevelFS for fairshare=parent, whatever it is. */
	same_f64("level_fs", cluster_f64(c, F_ASSOC_R_LEVEL_FS, i),
		 cluster_u32(d, F_ASSOC_SHARES, k) == SHARES_PARENT
			 ? (double)NAN : cluster_f64(d, F_ASSOC_R_LEVEL_FS, k), SIX);
	same_f64("fairshare", cluster_f64(c, F_ASSOC_R_FAIRSHARE, i),
		 fair_tree ? cluster_f64(d, F_ASSOC_R_FAIRSHARE, k) : printed_fairshare(d, k), SIX);
	if (expected->lft)
		same_int("lft", cluster_u32(c, F_ASSOC_LFT, i), cluster_u32(d, F_ASSOC_LFT, k));
	if (expected->level && k != 0)
		same_int("level_shares", cluster_u32(c, F_ASSOC_R_LEVEL_SHARES, i),
			 cluster_u32(d, F_ASSOC_R_LEVEL_SHARES, k));
}

/* The same tree: equal paths row by row, so equal parents and order. */
static void same_tree(const struct cluster *c, const struct cluster *d,
		      const struct expected *expected)
{
	char is[600], should[600], name[256];

	snprintf(name, sizeof(name), "%.255s", place);
	same_int("associations", cluster_rows(c, TABLE_ASSOC), cluster_rows(d, TABLE_ASSOC));
	for (uint32_t i = 0; i < cluster_rows(d, TABLE_ASSOC); i++) {
		cluster_path(c, i, is, sizeof(is));
		cluster_path(d, i, should, sizeof(should));
		if (!expected->partitions && strchr(should, '@'))
			*strchr(should, '@') = '\0';
		snprintf(place, sizeof(place), "%.200s %.300s", name, should);
		same_text("path", is, should);
		same_assoc(c, i, d, i, expected);
	}
	snprintf(place, sizeof(place), "%s", name);
}

/* ---- jobs ---------------------------------------------------------------------------------- */

static void same_job(const struct cluster *c, uint32_t i, const struct cluster *d, uint32_t k)
{
	static const enum field texts[] = { F_JOB_TASKS, F_JOB_ACCOUNT, F_JOB_PARTITION, F_JOB_QOS,
					    F_JOB_STATE, F_JOB_REASON, F_JOB_RESERVATION };
	static const enum field numbers[] = { F_JOB_ASSOC, F_JOB_PRIORITY, F_JOB_CPUS,
					      F_JOB_NODES };
	int64_t accrue = cluster_i64(d, F_JOB_ACCRUE, k);

	for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++)
		same_text(field_info[texts[t]].name, cluster_text(c, texts[t], i),
			  cluster_text(d, texts[t], k));
	for (size_t n = 0; n < sizeof(numbers) / sizeof(numbers[0]); n++)
		same_int(field_info[numbers[n]].name, cluster_u32(c, numbers[n], i),
			 cluster_u32(d, numbers[n], k));
	same_int("submit", cluster_i64(c, F_JOB_SUBMIT, i), cluster_i64(d, F_JOB_SUBMIT, k));
	same_int("accrue", cluster_i64(c, F_JOB_ACCRUE, i), accrue);
	same_int("time_limit", cluster_i64(c, F_JOB_TIME_LIMIT, i),
		 cluster_i64(d, F_JOB_TIME_LIMIT, k));
	same_int("nice", cluster_i64(c, F_JOB_NICE, i), cluster_i64(d, F_JOB_NICE, k));
	same_f64("billing", cluster_f64(c, F_JOB_BILLING, i), cluster_f64(d, F_JOB_BILLING, k), 0);
	same_tres("tres", c, i, d, k, F_JOB_TRES, 0);
	same_tres("tres_alloc", c, i, d, k, F_JOB_TRES_ALLOC, 0);
}

static void same_jobs(const struct cluster *c, const struct cluster *d)
{
	char name[256];

	snprintf(name, sizeof(name), "%.255s", place);
	same_int("jobs", cluster_rows(c, TABLE_JOB), cluster_rows(d, TABLE_JOB));
	for (uint32_t k = 0; k < cluster_rows(d, TABLE_JOB); k++) {
		uint32_t id = cluster_u32(d, F_JOB_ID, k);

		snprintf(place, sizeof(place), "%.200s job %u", name, (unsigned)id);
		same_job(c, find_u32(c, TABLE_JOB, F_JOB_ID, id), d, k);
	}
	snprintf(place, sizeof(place), "%s", name);
}

/* ---- priority terms ------------------------------------------------------------------------ */

/* Half of the last digit: of an integer, or of seven decimals times the weight. */
static double term_tolerance(uint32_t weight, bool factors)
{
	return factors ? 0.5000001e-7 * weight : 0.5;
}

static void same_prio(const struct cluster *c, uint32_t i, const struct cluster *d, uint32_t k,
		      bool factors)
{
	const struct policy *p = cluster_policy(d);
	const struct {
		enum field field;
		uint32_t weight;
	} terms[] = {
		{ F_PRIO_AGE, p->weight[PRIO_AGE] },
		{ F_PRIO_ASSOC, p->weight[PRIO_ASSOC] },
		{ F_PRIO_FAIRSHARE, p->weight[PRIO_FAIRSHARE] },
		{ F_PRIO_JOBSIZE, p->weight[PRIO_JOBSIZE] },
		{ F_PRIO_PARTITION_TERM, p->weight[PRIO_PARTITION] },
		{ F_PRIO_QOS_TERM, p->weight[PRIO_QOS] },
	};
	bool direct = cluster_u32(d, F_PRIO_DIRECT, k) != 0;

	same_int("direct", cluster_u32(c, F_PRIO_DIRECT, i), cluster_u32(d, F_PRIO_DIRECT, k));
	for (size_t t = 0; t < sizeof(terms) / sizeof(terms[0]); t++)
		same_f64(field_info[terms[t].field].name, cluster_f64(c, terms[t].field, i),
			 direct ? 0.0 : cluster_f64(d, terms[t].field, k),
			 term_tolerance(terms[t].weight, factors));
	if (direct)
		return;
	same_tres("tres", c, i, d, k, F_PRIO_TRES, 0.5);
	same_int("site", cluster_i64(c, F_PRIO_SITE, i), cluster_i64(d, F_PRIO_SITE, k));
	same_int("nice", cluster_i64(c, F_PRIO_NICE, i), cluster_i64(d, F_PRIO_NICE, k));
}

static uint32_t find_prio(const struct cluster *c, uint32_t job, const char *partition)
{
	for (uint32_t row = 0; row < cluster_rows(c, TABLE_PRIO); row++) {
		if (cluster_u32(c, F_PRIO_JOB, row) == job &&
		    strcmp(cluster_text(c, F_PRIO_PARTITION, row), partition) == 0)
			return row;
	}
	fail_msg("%s: no terms", place);
	return ROW_NONE;
}

static void same_prios(const struct cluster *c, const struct cluster *d, bool factors)
{
	char name[256];

	snprintf(name, sizeof(name), "%.255s", place);
	same_int("priority rows", cluster_rows(c, TABLE_PRIO), cluster_rows(d, TABLE_PRIO));
	for (uint32_t k = 0; k < cluster_rows(d, TABLE_PRIO); k++) {
		uint32_t job = cluster_u32(d, F_PRIO_JOB, k);
		const char *partition = cluster_text(d, F_PRIO_PARTITION, k);

		snprintf(place, sizeof(place), "%.200s terms of %u in %.100s", name, (unsigned)job,
			 partition);
		same_prio(c, find_prio(c, job, partition), d, k, factors);
	}
	snprintf(place, sizeof(place), "%s", name);
}

/* ---- the rest ------------------------------------------------------------------------------ */

/* Drops flags implied by others: slurmctld prints only some of them. */
static uint32_t plain_flags(uint32_t flags)
{
	if (flags & PF_NO_NORMAL_ALL)
		flags |= PF_NO_NORMAL_ASSOC | PF_NO_NORMAL_PART | PF_NO_NORMAL_QOS |
			 PF_NO_NORMAL_TRES;
	return flags & ~(unsigned)(PF_NO_NORMAL_ALL | PF_NO_FAIR_TREE);
}

static void same_policy(const struct policy *c, const struct policy *d)
{
	same_int("flags", plain_flags(c->flags), plain_flags(d->flags));
	same_int("half_life", c->half_life, d->half_life);
	same_int("calc_period", c->calc_period, d->calc_period);
	same_int("max_age", c->max_age, d->max_age);
	same_int("damping", c->damping, d->damping);
	same_int("favor_small", c->favor_small, d->favor_small);
	same_int("weight age", c->weight[PRIO_AGE], d->weight[PRIO_AGE]);
	same_int("weight assoc", c->weight[PRIO_ASSOC], d->weight[PRIO_ASSOC]);
	same_int("weight fairshare", c->weight[PRIO_FAIRSHARE], d->weight[PRIO_FAIRSHARE]);
	same_int("weight jobsize", c->weight[PRIO_JOBSIZE], d->weight[PRIO_JOBSIZE]);
	same_int("weight partition", c->weight[PRIO_PARTITION], d->weight[PRIO_PARTITION]);
	same_int("weight qos", c->weight[PRIO_QOS], d->weight[PRIO_QOS]);
	same_text("weight tres", c->weight_tres, d->weight_tres);
	same_text("type", c->type, d->type);
}

static uint32_t find_name(const struct cluster *c, enum table table, enum field field,
			  const char *name)
{
	for (uint32_t row = 0; row < cluster_rows(c, table); row++) {
		if (strcmp(cluster_text(c, field, row), name) == 0)
			return row;
	}
	fail_msg("%s: no \"%s\"", place, name);
	return ROW_NONE;
}

static void same_partitions_and_qos(const struct cluster *c, const struct cluster *d)
{
	same_int("partitions", cluster_rows(c, TABLE_PARTITION), cluster_rows(d, TABLE_PARTITION));
	for (uint32_t k = 0; k < cluster_rows(d, TABLE_PARTITION); k++) {
		uint32_t i = find_name(c, TABLE_PARTITION, F_PARTITION_NAME,
				       cluster_text(d, F_PARTITION_NAME, k));

		same_int("job_factor", cluster_u32(c, F_PARTITION_JOB_FACTOR, i),
			 cluster_u32(d, F_PARTITION_JOB_FACTOR, k));
		same_int("tier", cluster_u32(c, F_PARTITION_TIER, i),
			 cluster_u32(d, F_PARTITION_TIER, k));
		same_int("max_time", cluster_i64(c, F_PARTITION_MAX_TIME, i),
			 cluster_i64(d, F_PARTITION_MAX_TIME, k));
		same_tres("tres", c, i, d, k, F_PARTITION_TRES, 0);
	}
	same_int("qos", cluster_rows(c, TABLE_QOS), cluster_rows(d, TABLE_QOS));
	for (uint32_t k = 0; k < cluster_rows(d, TABLE_QOS); k++) {
		uint32_t i = find_name(c, TABLE_QOS, F_QOS_NAME, cluster_text(d, F_QOS_NAME, k));

		same_int("priority", cluster_u32(c, F_QOS_PRIORITY, i),
			 cluster_u32(d, F_QOS_PRIORITY, k));
		same_f64("usage_factor", cluster_f64(c, F_QOS_USAGE_FACTOR, i),
			 cluster_f64(d, F_QOS_USAGE_FACTOR, k), SIX);
	}
}

static void same_meta(const struct cluster *c, const struct cluster *d)
{
	const struct cluster_meta *is = cluster_meta(c), *should = cluster_meta(d);

	same_text("kind", is->kind, "slurm");
	same_text("name", is->name, should->name);
	same_text("version", is->version, should->version);
	same_int("boot", is->boot, should->boot);
	same_int("last_decay", is->last_decay, should->last_decay);
	/* sdiag ran some seconds before or after the library. */
	same_f64("time", (double)is->time, (double)should->time, 5.0);
	same_f64("usage_quantum", is->usage_quantum, 0.01, 1e-15);
	same_f64("ratio_quantum", is->ratio_quantum, 1e-6, 1e-18);
}

static void same_hosts(const struct cluster *c, const struct cluster *d)
{
	same_int("hosts", cluster_rows(c, TABLE_HOST), cluster_rows(d, TABLE_HOST));
	for (uint32_t k = 0; k < cluster_rows(d, TABLE_HOST); k++)
		same_int("cpus", cluster_u32(c, F_HOST_CPUS, k), cluster_u32(d, F_HOST_CPUS, k));
	same_f64("cluster's cpus", cluster_f64(c, F_TRES_COUNT, cluster_find_tres(c, "cpu")),
		 slurm_tres(c, F_PARTITION_TRES, 0, "cpu"), 0);
	same_f64("cluster's memory", cluster_f64(c, F_TRES_COUNT, cluster_find_tres(c, "mem")),
		 slurm_tres(c, F_PARTITION_TRES, 0, "mem"), 0);
	same_f64("cluster's nodes", cluster_f64(c, F_TRES_COUNT, cluster_find_tres(c, "node")),
		 cluster_rows(c, TABLE_HOST), 0);
}

static void whole_directories(void **state)
{
	const struct expected expected = { .usage_tolerance = 0.00501, .ids = true, .lft = true,
					   .level = true, .partitions = true };
	unsigned here = 0;

	(void)state;
	for (size_t i = 0; i < dump_count; i++) {
		char path[4096];
		struct cluster *c, *d;

		if (!recording(dump_names[i], path, sizeof(path))) {
			print_message("%s: the recording is not here, skipped\n", dump_names[i]);
			continue;
		}
		here++;
		snprintf(place, sizeof(place), "%s", dump_names[i]);
		c = read_directory(path);
		d = kept_cluster(jobdump_cluster(dump_names[i]));
		same_meta(c, d);
		same_policy(cluster_policy(c), cluster_policy(d));
		same_tree(c, d, &expected);
		same_jobs(c, d);
		same_prios(c, d, true);
		same_partitions_and_qos(c, d);
		same_hosts(c, d);
		same_int("reservations", cluster_rows(c, TABLE_RESERVATION), 2);
		same_int("licenses", cluster_rows(c, TABLE_LICENSE), 2);
		same_int("users", cluster_rows(c, TABLE_USER), 41);
	}
	assert_true(here >= 3);
}

/* ---- only some of the files ---------------------------------------------------------------- */

struct pick {
	enum slurm_kind kind;
	const char *file;
};

static char *read_file(const char *directory, const char *file, size_t *length)
{
	char path[4300], *bytes;
	FILE *stream;
	struct stat st;

	snprintf(path, sizeof(path), "%s/%s", directory, file);
	stream = fopen(path, "rb");
	if (!stream || fstat(fileno(stream), &st) < 0)
		fail_msg("%s: cannot be read", path);
	bytes = mem_alloc((size_t)st.st_size + 1, 1);
	*length = fread(bytes, 1, (size_t)st.st_size, stream);
	bytes[*length] = '\0';
	fclose(stream);
	return bytes;
}

static const struct cluster *read_picks(const char *name, const struct pick *picks, size_t count)
{
	struct slurm_texts texts = { .time = 1000, .from = "saved outputs" };
	struct builder *b = builder_new();
	struct err err = { 0 };
	struct cluster *c = NULL;
	const char *directory;
	char path[4096];

	directory = recording(name, path, sizeof(path));
	for (size_t i = 0; i < count; i++) {
		struct slurm_text *text = &texts.kind[picks[i].kind];

		text->text = read_file(directory, picks[i].file, &text->length);
		text->name = picks[i].file;
	}
	if (slurm_text_build(&texts, b, &err))
		c = builder_seal(b, &err);
	if (!c)
		fail_msg("%s: %s", place, err.message);
	for (size_t i = 0; i < count; i++)
		mem_free((char *)(uintptr_t)texts.kind[picks[i].kind].text);
	return kept_cluster(c);
}

/* Returns the values of libslurm at the time of the recording. */
static const struct cluster *truth(const char *name)
{
	return kept_cluster(jobdump_cluster(name));
}

/* The recordings in tests/data. */
static const char *const own[] = { "depthobl/quiet", "fairtree/quiet", "nofairtree_xflags/quiet" };

/* Every form of sshare alone gives the tree and every value but the root's shares. */
static void every_sshare(void **state)
{
	static const char *const files[] = { "sshare_all_fields.psv", "sshare_a_l.psv",
					     "sshare_a_l.txt" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t f = 0; f < 3; f++) {
			const struct pick picks[] = { { SLURM_CONFIG, "scontrol_config.txt" },
						      { SLURM_SSHARE, files[f] } };
			const struct expected expected = { .usage_cut = true, .ids = f == 0,
							   .partitions = f == 0 };
			const struct cluster *c, *d = truth(own[i]);

			snprintf(place, sizeof(place), "%s/%s", own[i], files[f]);
			c = read_picks(own[i], picks, 2);
			same_tree(c, d, &expected);
			same_f64("usage_quantum", cluster_meta(c)->usage_quantum, 1, 0);
		}
	}
}

/* A right-aligned account column shows no depth: the tree comes from another list. */
static void wide_sshare(void **state)
{
	static const char *const trees[] = { "sacctmgr_assoc.psv", "sacctmgr_dump.cfg",
					     "sacctmgr_assoc_tree.psv" };
	static const enum slurm_kind kinds[] = { SLURM_ASSOC, SLURM_DUMP, SLURM_ASSOC };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t t = 0; t < 3; t++) {
			const struct pick picks[] = { { SLURM_CONFIG, "scontrol_config.txt" },
						      { kinds[t], trees[t] },
						      { SLURM_SSHARE, "sshare_wide.txt" } };
			const struct expected expected = { .usage_cut = true, .ids = true,
							   .lft = t == 0, .partitions = true };
			const struct cluster *c, *d = truth(own[i]);

			snprintf(place, sizeof(place), "%s/sshare_wide.txt with %s", own[i],
				 trees[t]);
			c = read_picks(own[i], picks, 3);
			same_tree(c, d, &expected);
		}
	}
}

/* Every form of sprio gives the terms: rounded integers, or factors with seven decimals. */
static void every_sprio(void **state)
{
	static const struct {
		struct pick pick;
		bool factors, tres;
	} forms[] = {
		{ { SLURM_SPRIO, "sprio_weighted.psv" }, false, true },
		{ { SLURM_SPRIO, "sprio_l.txt" }, false, false },
		{ { SLURM_SPRIO_NORM, "sprio_norm.psv" }, true, false },
		{ { SLURM_SPRIO_NORM, "sprio_n_l.txt" }, true, false },
	};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t f = 0; f < 4; f++) {
			const struct pick picks[] = { { SLURM_CONFIG, "scontrol_config.txt" },
						      forms[f].pick };
			const struct cluster *c, *d = truth(own[i]);

			snprintf(place, sizeof(place), "%s/%s", own[i], picks[1].file);
			c = read_picks(own[i], picks, 2);
			same_int("rows", cluster_rows(c, TABLE_PRIO), cluster_rows(d, TABLE_PRIO));
			for (uint32_t k = 0; k < cluster_rows(d, TABLE_PRIO); k++) {
				uint32_t row = find_prio(c, cluster_u32(d, F_PRIO_JOB, k),
							 cluster_text(d, F_PRIO_PARTITION, k));
				bool direct = cluster_u32(d, F_PRIO_DIRECT, k) != 0;
				double age = cluster_f64(d, F_PRIO_AGE, k);

				same_int("direct", cluster_u32(c, F_PRIO_DIRECT, row),
					 cluster_u32(d, F_PRIO_DIRECT, k));
				same_f64("age", cluster_f64(c, F_PRIO_AGE, row), direct ? 0 : age,
					 term_tolerance(cluster_policy(d)->weight[PRIO_AGE],
							forms[f].factors));
				if (forms[f].tres && !direct)
					same_tres("tres", c, row, d, k, F_PRIO_TRES, 0.5);
			}
		}
	}
}

/* Tables of squeue: the values in them are right, truncated ones are unknown. */
static void every_squeue(void **state)
{
	static const struct pick forms[] = { { SLURM_SQUEUE, "squeue.psv" },
					     { SLURM_SQUEUE, "squeue_plain.txt" },
					     { SLURM_SQUEUE, "squeue_start.txt" },
					     { SLURM_SQUEUE_LONG, "squeue_O.psv" } };
	static const enum field texts[] = { F_JOB_ACCOUNT, F_JOB_PARTITION, F_JOB_QOS, F_JOB_STATE,
					    F_JOB_REASON };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (size_t f = 0; f < 4; f++) {
			const struct cluster *c, *d = truth(own[i]);
			uint32_t known[5] = { 0 }, rows;

			snprintf(place, sizeof(place), "%s/%s", own[i], forms[f].file);
			c = read_picks(own[i], &forms[f], 1);
			rows = cluster_rows(c, TABLE_JOB);
			assert_true(rows >= 60);
			for (uint32_t row = 0; row < rows; row++) {
				uint32_t k = find_u32(d, TABLE_JOB, F_JOB_ID,
						      cluster_u32(c, F_JOB_ID, row));

				for (size_t t = 0; t < 5; t++) {
					const char *is = cluster_text(c, texts[t], row);

					if (is)
						same_text(field_info[texts[t]].name, is,
							  cluster_text(d, texts[t], k));
					known[t] += is != NULL;
				}
			}
			if (f == 0)
				for (size_t t = 0; t < 5; t++)
					same_int("known", known[t], rows);
		}
	}
}

/* ---- directories without outputs ----------------------------------------------------------- */

static void nothing_there(void **state)
{
	const char *directory = scratch_directory();
	struct err err = { 0 };

	(void)state;
	assert_null(slurm_dir_open(directory, &err));
	assert_int_equal(err.code, ERR_INPUT);
	assert_non_null(strstr(err.message, "sshare.txt"));
	rmdir(directory);
	assert_null(slurm_dir_open(directory, &err));
	assert_int_equal(err.code, ERR_INPUT);
	assert_non_null(strstr(err.message, "No such file"));
}

/* Every name has a kind, and none occurs twice. */
static void table_of_files(void **state)
{
	(void)state;
	for (size_t i = 0; slurm_dir_files[i].name; i++) {
		assert_true(slurm_dir_files[i].kind < SLURM_KINDS);
		assert_true(slurm_dir_files[i].gives[0] != '\0');
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(slurm_dir_files[i].name, slurm_dir_files[k].name);
	}
}

/* Each file is recognised by content; formats of one command need not be. */
static void kinds_by_content(void **state)
{
	unsigned clear = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
		for (size_t f = 0; slurm_dir_files[f].name; f++) {
			enum slurm_kind kind = slurm_dir_files[f].kind, reported;
			struct slurm_text text = { .name = slurm_dir_files[f].name };
			char path[4096], file[4400];
			struct stat st;

			recording(own[i], path, sizeof(path));
			snprintf(file, sizeof(file), "%s/%s", path, text.name);
			if (stat(file, &st) != 0)
				continue;
			text.text = read_file(path, text.name, &text.length);
			reported = slurm_kind_of(&text);
			mem_free((char *)(uintptr_t)text.text);
			if (kind == SLURM_SQUEUE_LONG)
				kind = SLURM_SQUEUE;
			if (kind == SLURM_SPRIO_NORM || kind == SLURM_WEIGHTS)
				kind = SLURM_SPRIO;
			snprintf(place, sizeof(place), "%s", text.name);
			same_int("kind", reported, kind);
			clear++;
		}
	}
	assert_true(clear > 60);
}

/* Checks VALUE against FIELD as sshare printed it, where it did, up to the rounding of inputs. */
static void sshare_has(const struct cluster *c, const double *value, enum field field)
{
	char path[200];

	for (uint32_t row = 1; row < cluster_rows(c, TABLE_ASSOC); row++) {
		double reported = cluster_f64(c, field, row);

		cluster_path(c, row, path, sizeof(path));
		if (!isnan(reported) &&
		    !(value[row] == reported || fabs(value[row] - reported) <= 4 * SIX))
			fail_msg("%s of %s: %.9g, sshare has %.9g", field_info[field].name, path,
				 value[row], reported);
	}
}

/*
 * 24.11.5 with an account whose parent sacctmgr deleted (/ok2, with the user lp): other values do
 * not change, its user counts in Fair Tree's N and has F 0; U was never computed.
 */
static void orphans(void **state)
{
	static const struct {
		const char *path;
		uint32_t rows;
	} modes[] = { { "slurm/orphan/fairtree", 41 }, { "slurm/orphan/classic", 41 },
		      { "slurm/orphan/depthobl", 111 } };
	struct model_options options = { -1, FS_BASE_REPORTED, FS_ORDER_LIST };
	char path[4096];

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct cluster *c = read_directory(data_path(modes[i].path, path, sizeof(path)));
		struct model *m = model_new(c, &options, NULL);
		uint32_t lp = cluster_by_path(c, "/ok2:lp");

		assert_non_null(m);
		assert_int_equal(cluster_rows(c, TABLE_ASSOC), modes[i].rows);
		assert_false(cluster_is_partial(c));
		assert_int_equal(cluster_bool(c, F_ASSOC_ORPHAN, cluster_by_path(c, "/ok2")), 1);
		sshare_has(c, m->fs->norm_shares, F_ASSOC_R_NORM_SHARES);
		sshare_has(c, m->fs->effective_usage, F_ASSOC_R_EFFECTIVE_USAGE);
		if (i == 0) {
			sshare_has(c, m->fs->level_fs, F_ASSOC_R_LEVEL_FS);
			sshare_has(c, m->fs->fairshare, F_ASSOC_R_FAIRSHARE);
		}
		assert_true(isnan(m->fs->norm_usage[lp]));
		assert_true(m->fs->norm_shares[lp] == 1.0);
		/* Outside Fair Tree F is 0 by sprio's term; sshare computes 1 itself. */
		assert_true(m->fs->fairshare[lp] == 0.0);
		model_free(m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_directories),
		cmocka_unit_test(every_sshare),
		cmocka_unit_test(wide_sshare),
		cmocka_unit_test(every_sprio),
		cmocka_unit_test(every_squeue),
		cmocka_unit_test_setup_teardown(nothing_there, scratch_open, scratch_close),
		cmocka_unit_test(orphans),
		cmocka_unit_test(table_of_files),
		cmocka_unit_test(kinds_by_content),
	};

	return cmocka_run_group_tests(tests, NULL, kept_free);
}
