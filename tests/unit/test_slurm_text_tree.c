/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One association tree from several outputs: what joins, what does not, and the notes on it.
 * Nothing is guessed: a row that could be two associations is neither.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/kept.h"
#include "tests/support/note.h"
#include "tests/support/slurm.h"

static uint32_t at(const struct cluster *c, const char *path)
{
	uint32_t row = cluster_by_path(c, path);

	if (row == ROW_NONE)
		fail_msg("no %s", path);
	return row;
}

/* ---- sshare alone -------------------------------------------------------------------------- */

static void columns_in_any_order(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_SSHARE,
		"NewColumn|RawUsage|User|Account|RawShares|NormShares\n"
		"x|30||root||1.000000\n"
		"x|20|alice| root|3|0.750000\n"
		"x|10|| physics|1|0.250000\n"
		"x|10|bob|  physics|parent|0.250000\n");

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 4);
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/:alice")), 3);
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/physics:bob")), SHARES_PARENT);
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, at(c, "/physics")), 10, 0);
	assert_float_equal(cluster_f64(c, F_ASSOC_R_NORM_SHARES, at(c, "/physics:bob")), 0.25, 0);
	assert_true(isnan(cluster_f64(c, F_ASSOC_R_NORM_USAGE, 1)));
	assert_float_equal(cluster_meta(c)->usage_quantum, 1, 0);
	assert_string_not_equal(note_about(c, "policy"), "");
	assert_string_not_equal(note_about(c, "association ids"), "");
	slurm_refused(SLURM_SSHARE, "NewColumn|RawUsage|User|Account|RawShares|NormShares\n"
		      "x|30|alice||1|1.000000\n", "file:2: no account name");
}

static void wrong_trees(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "Account|User|RawShares\nroot||\n   deep||1\n",
		  "file:3: \"deep\" is indented by 3 (expected 1 to 1" },
		{ "Account|User|RawShares\nroot||\nroot||1\n",
		  "file:3: account \"root\" is listed twice" },
		{ "Account|User|RawShares\nroot||\n a||1\n  b|u|1\n",
		  "file:4: user \"u\" of account \"b\" is below account \"a\"" },
		{ "Account|User|RawShares\nroot||\n a||1\n a||1\n",
		  "file:4: account \"a\" is listed twice" },
		{ "Account|User|RawShares\nroot||\n root|u|1\n root|u|1\n",
		  "file:4: user \"u\" is listed twice in account \"root\" (expected partitions" },
		{ "Account|User|RawShares\nroot||\n root|u|many\n",
		  "file:3: RawShares \"many\": expected a number or \"parent\"" },
		{ "Account|User|RawUsage\nroot||\n root|u|-\n",
		  "file:3: RawUsage \"-\": expected a number" },
		{ "root|||1\n root|u||2\n", "file:1: no column \"Account\"" },
		{ "Account|User\nroot|\n a\n", "file:3: the row does not match the header" },
		{ "Account|User|ID\nroot||1\n a||1\n", "file:3: association 1 is \"a\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		slurm_refused(SLURM_SSHARE, cases[i].text, cases[i].message);
}

static void partitions_tell_apart(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_SSHARE,
		"Account|User|Partition|RawShares\nroot|||\n root|u||1\n root|u|gpu|2\n");

	(void)state;
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/:u@gpu")), 2);
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/:u")), 1);
}

/* ---- truncated names ----------------------------------------------------------------------- */

#define RULE \
	"Account          User  RawShares   RawUsage NormShares\n" \
	"---------- ---------- ---------- ---------- ----------\n"
#define TWINS \
	RULE \
	"root                                     12   0.500000\n" \
	" chemistr+                     5          3   0.500000\n" \
	"  chemist+      alice          6          3   0.500000\n" \
	" chemistr+                     7          9   0.500000\n" \
	"  chemist+        bob          8          9   0.500000\n"

static void cut_names_alone(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_SSHARE, RULE
		"root                                     12   0.500000\n"
		" chemistr+                     1          3   0.500000\n"
		"  chemist+ alexandri+          1          3   0.500000\n");

	(void)state;
	/* Without another list a truncated name is used as it is. */
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 3);
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, at(c, "/chemistr+:alexandri+")), 3, 0);
	slurm_refused(SLURM_SSHARE, TWINS,
		      "file:6: \"chemistr+\" \"\" is listed twice: the names are cut");
}

static void cut_names_joined(void **state)
{
	const struct slurm_input inputs[] = {
		{ SLURM_ASSOC, "Account|User|Partition|Share|ParentName|ID|ParentID\n"
			       "root|||1||1|\n"
			       "chemistry|||5|root|2|1\n"
			       "chemistry|alice||6||3|2\n" },
		{ SLURM_SSHARE, RULE
		  "root                                     12   0.500000\n"
		  " chemistr+                     1          3   0.500000\n"
		  "  chemist+      alice          1          3   0.500000\n" },
	};
	const struct cluster *c = slurm_cluster(inputs, 2);

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 3);
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, at(c, "/chemistry:alice")), 3, 0);
	assert_int_equal(cluster_u32(c, F_ASSOC_ID, at(c, "/chemistry:alice")), 3);
}

/* Two accounts begin alike: their rows are ambiguous, so they are not used. */
static void cut_names_unclear(void **state)
{
	const struct slurm_input inputs[] = {
		{ SLURM_ASSOC, "Account|User|Partition|Share|ParentName|ID|ParentID\n"
			       "root|||1||1|\n"
			       "chemistry_a|||5|root|2|1\n"
			       "chemistry_a|alice||6||3|2\n"
			       "chemistry_b|||7|root|4|1\n"
			       "chemistry_b|bob||8||5|4\n" },
		{ SLURM_SSHARE, TWINS },
	};
	const struct cluster *c = slurm_cluster(inputs, 2);

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 5);
	assert_true(isnan(cluster_f64(c, F_ASSOC_R_NORM_SHARES, at(c, "/chemistry_a"))));
	assert_true(isnan(cluster_f64(c, F_ASSOC_R_NORM_SHARES, at(c, "/chemistry_b"))));
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/chemistry_a")), 5);
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/chemistry_b:bob")), 8);
	/* Each user occurs once, so user rows are clear; an account is the sum of its users. */
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, at(c, "/chemistry_a:alice")), 3, 0);
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, at(c, "/chemistry_a")), 3, 0);
	assert_non_null(strstr(note_about(c, "associations"), "2 rows of file match several"));
}

static void missing_partition(void **state)
{
	const struct slurm_input one[] = {
		{ SLURM_ASSOC, "Account|User|Partition|Share|ParentName\nroot||||\n"
			       "a|||1|root\na|u|gpu|2|\n" },
		{ SLURM_SSHARE, "Account|User|RawUsage\nroot||9\n a||9\n  a|u|9\n" },
	};
	const struct slurm_input two[] = {
		{ SLURM_ASSOC, "Account|User|Partition|Share|ParentName\nroot||||\n"
			       "a|||1|root\na|u||1|\na|u|gpu|2|\n" },
		{ SLURM_SSHARE, "Account|User|RawUsage\nroot||9\n a||9\n  a|u|4\n  a|u|5\n" },
	};
	const struct cluster *c = slurm_cluster(one, 2);

	(void)state;
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, at(c, "/a:u@gpu")), 9, 0);
	c = slurm_cluster(two, 2);
	assert_true(isnan(cluster_f64(c, F_ASSOC_USAGE, at(c, "/a:u@gpu"))));
	assert_true(isnan(cluster_f64(c, F_ASSOC_USAGE, at(c, "/a:u"))));
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, at(c, "/a")), 9, 0);
}

/* ---- what is hidden ------------------------------------------------------------------------ */

/* PrivateData: users see only their own rows, and no account. */
static void no_accounts(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_SSHARE,
		"Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare\n"
		"proteomics|alice|1|0.000001|1895|0.002518|0.100000|0.996893\n"
		"cms|alice|5|0.080236|48040|0.063821|0.308178|0.069787\n");
	uint32_t row = at(c, "/cms:alice");

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 5);
	assert_non_null(strstr(note_about(c, "accounts"), "the tree cannot be rebuilt"));
	assert_float_equal(cluster_f64(c, F_ASSOC_R_FAIRSHARE, row), 0.069787, 0);
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, row), 48040, 0);
	/* Rows read are kept; the number of others is unknown. */
	assert_true(cluster_is_partial(c));
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, row), 5);
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/cms")), U32_UNKNOWN);
	/* The sum of visible rows is not the sum of all. */
	assert_true(isnan(cluster_f64(c, F_ASSOC_USAGE, at(c, "/cms"))));
	assert_true(isnan(cluster_f64(c, F_ASSOC_USAGE, 0)));
}

/* A user without any association sees only a header; a note says why. */
static void nothing_at_all(void **state)
{
	const struct slurm_input inputs[] = {
		{ SLURM_CONFIG, "Configuration data as of 2026-11-20T04:04:27\n"
				"ClusterName = lab\nPrivateData = accounts,usage\n" },
		{ SLURM_SSHARE, "Account|User|RawShares|RawUsage\n" } };
	const struct cluster *c = slurm_cluster(inputs, 2);

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 0);
	assert_string_equal(note_about(c, "accounts"),
			    "PrivateData hides all associations from this user");
	c = slurm_cluster(&inputs[1], 1);
	assert_string_equal(note_about(c, "accounts"),
			    "sshare lists no associations: no accounting database?");
}

/* sshare without -a: all accounts, only the user's own rows. Siblings are hidden. */
static void only_own_rows(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_SSHARE,
		"Account|User|RawShares|RawUsage\nroot|||9\n a||4|9\n  a|u|7|2\n");

	(void)state;
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/a")), 4);
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/a:u")), 7);
	assert_true(cluster_is_partial(c));
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, at(c, "/a:u")), 2, 0);
	assert_non_null(strstr(note_about(c, "users"), "only the associations of \"u\""));
}

/* ---- other lists --------------------------------------------------------------------------- */

static void several_clusters(void **state)
{
	static const char assoc[] = "Cluster|Account|User|Share|Par Name\n"
				    "one|root||1|\none|a||2|root\ntwo|root||1|\ntwo|a||3|root\n";
	const struct slurm_input named[] = {
		{ SLURM_CONFIG, "Configuration data as of 2026-11-20T04:04:27\n"
				"ClusterName = two\nSLURM_VERSION = 20.11.9\n" },
		{ SLURM_ASSOC, assoc },
	};
	const struct cluster *c;

	(void)state;
	slurm_refused(SLURM_ASSOC, assoc, "file:4: rows of the clusters \"one\" and \"two\"");
	c = slurm_cluster(named, 2);
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 2);
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/a")), 3);
	assert_string_equal(cluster_meta(c)->name, "two");
	assert_string_equal(cluster_meta(c)->version, "20.11.9");
}

static const char assoc_mgr[] =
	"Current Association Manager state\n\nUser Records\n\n"
	"UserName=alice(7131) DefAccount=a DefWckey= AdminLevel=None\n\nAssociation Records\n\n"
	"ClusterName=lab Account=root UserName= Partition= Priority=0 ID=1\n"
	"    SharesRaw/Norm/Level/Factor=1/1.00/1/0.00\n"
	"    UsageRaw/Norm/Efctv=752732.69/1.00/1.00\n"
	"    ParentAccount= Lft=1 DefAssoc=No\n"
	"ClusterName=lab Account=a UserName= Partition= Priority=7 ID=2\n"
	"    SharesRaw/Norm/Level/Factor=2147483647/0.50/4/0.00\n"
	"    UsageRaw/Norm/Efctv=12.50/4294967294.00/0.25\n"
	"    ParentAccount=root(1) Lft=2 DefAssoc=No\n"
	"    GrpJobs=10(3) GrpJobsAccrue=N(2)\n"
	"    GrpSubmitJobs=N(4) GrpWall=60(96.50)\n"
	"    GrpTRES=cpu=100(7),mem=N(0) \n"
	"    GrpTRESMins=cpu=N(12437)\n"
	"    MaxJobs= MaxJobsAccrue= MaxSubmitJobs=5 MaxWallPJ=1440\n"
	"    MaxTRESPJ=cpu=8\n"
	"ClusterName=lab Account=a UserName=alice(7131) Partition=gpu Priority=0 ID=3\n"
	"    SharesRaw/Norm/Level/Factor=3/0.50/3/0.00\n"
	"    UsageRaw/Norm/Efctv=12.50/0.00/0.00\n"
	"    ParentAccount= Lft=3 DefAssoc=Yes\n\nQOS Records\n\n"
	"QOS=normal(1)\n    UsageRaw=253994.831991\n"
	"    GrpJobs=N(0) GrpJobsAccrue=5(11) GrpSubmitJobs=N(15) GrpWall=N(39.31)\n"
	"    GrpTRES=cpu=64(0)\n    MaxWallPJ=\n    PreemptMode=OFF\n    Priority=12\n"
	"    Account Limits\n      a\n        MaxJobsPA=N(0)\n"
	"    User Limits\n      7162\n        MaxJobsPU=3(0) MaxTRESPU=cpu=N(0)\n";

static void associations_in_memory(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_ASSOC_MGR, assoc_mgr);
	uint32_t a = at(c, "/a"), u = at(c, "/a:alice@gpu");

	(void)state;
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, a), SHARES_PARENT);
	assert_int_equal(cluster_u32(c, F_ASSOC_PRIORITY, a), 7);
	assert_int_equal(cluster_u32(c, F_ASSOC_GRP_JOBS, a), 10);
	assert_int_equal(cluster_u32(c, F_ASSOC_USED_JOBS, a), 3);
	assert_int_equal(cluster_u32(c, F_ASSOC_GRP_ACCRUE, a), U32_INFINITE);
	assert_int_equal(cluster_u32(c, F_ASSOC_MAX_JOBS, a), U32_INFINITE);
	assert_int_equal(cluster_u32(c, F_ASSOC_MAX_SUBMIT, a), 5);
	assert_int_equal(cluster_i64(c, F_ASSOC_GRP_WALL, a), 3600);
	assert_int_equal(cluster_i64(c, F_ASSOC_MAX_WALL, a), 86400);
	assert_float_equal(cluster_f64(c, F_ASSOC_USED_WALL, a), 5790, 1e-9);
	assert_int_equal(cluster_tres(c, F_ASSOC_GRP_TRES, a).count, 1);
	assert_float_equal(cluster_tres(c, F_ASSOC_GRP_TRES, a).items[0].count, 100, 0);
	assert_int_equal(cluster_tres(c, F_ASSOC_USED_TRES, a).count, 2);
	assert_float_equal(cluster_tres(c, F_ASSOC_USED_TRES_SECS, a).items[0].count, 746220, 0);
	assert_float_equal(cluster_tres(c, F_ASSOC_MAX_TRES, a).items[0].count, 8, 0);
	/* 4294967294 is Slurm's mark for a value never computed. */
	assert_true(isnan(cluster_f64(c, F_ASSOC_R_NORM_USAGE, a)));
	assert_float_equal(cluster_f64(c, F_ASSOC_R_EFFECTIVE_USAGE, a), 0.25, 0);
	assert_int_equal(cluster_u32(c, F_ASSOC_R_LEVEL_SHARES, a), 4);
	assert_int_equal(cluster_u32(c, F_ASSOC_UID, u), 7131);
	assert_int_equal(cluster_bool(c, F_ASSOC_DEFAULT, u), 1);
	assert_float_equal(cluster_meta(c)->usage_quantum, 0.01, 1e-15);
	assert_float_equal(cluster_meta(c)->ratio_quantum, 0.01, 1e-15);
	assert_int_equal(cluster_u32(c, F_QOS_PRIORITY, 0), 12);
	assert_int_equal(cluster_u32(c, F_QOS_GRP_ACCRUE, 0), 5);
	assert_float_equal(cluster_f64(c, F_QOS_USAGE, 0), 253994.831991, 0);
	assert_int_equal(cluster_u32(c, F_QOS_GRP_JOBS, 0), U32_INFINITE);
	assert_int_equal(cluster_u32(c, F_QOS_USED_ACCRUE, 0), 11);
	assert_int_equal(cluster_i64(c, F_QOS_GRP_WALL, 0), I64_INFINITE);
	assert_float_equal(cluster_f64(c, F_QOS_USED_WALL, 0), 39.31 * 60, 1e-9);
	assert_float_equal(cluster_tres(c, F_QOS_GRP_TRES, 0).items[0].count, 64, 0);
	assert_int_equal(cluster_tres(c, F_QOS_USED_TRES, 0).count, 1);
	assert_int_equal(cluster_u32(c, F_QOS_MAX_JOBS_USER, 0), 3);
	assert_int_equal(cluster_u32(c, F_QOS_MAX_JOBS_ACCOUNT, 0), U32_INFINITE);
	assert_string_equal(cluster_text(c, F_USER_DEFAULT_ACCOUNT, 0), "a");
}

/* A blank limit is none, a missing column is unknown. */
static void limits_of_qos(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_QOS,
		"Name|Priority|Preempt|GrpTRES|GrpTRESMins|GrpJobs|GrpWall|MaxTRES|MaxWall|"
		"MaxTRESPU|MaxJobsPU|MaxTRESPA|MaxTRESRunMinsPA|MaxTRESRunMinsPU|MaxJobsPA|"
		"MinTRES\n"
		"low|1|||||||||||||||\n"
		"high|9|low,normal|cpu=10,gres/gpu=2|cpu=600|4|02:00:00|cpu=8|1-00:00:00|"
		"cpu=6|2|cpu=7|cpu=90|cpu=60|3|gres/gpu=1\n");

	(void)state;
	assert_int_equal(cluster_u32(c, F_QOS_MAX_JOBS_USER, 0), U32_INFINITE);
	assert_int_equal(cluster_i64(c, F_QOS_GRP_WALL, 0), I64_INFINITE);
	assert_int_equal(cluster_u32(c, F_QOS_GRP_SUBMIT, 1), U32_UNKNOWN);
	assert_int_equal(cluster_u32(c, F_QOS_GRP_JOBS, 1), 4);
	assert_int_equal(cluster_u32(c, F_QOS_MAX_JOBS_USER, 1), 2);
	assert_int_equal(cluster_u32(c, F_QOS_MAX_JOBS_ACCOUNT, 1), 3);
	assert_int_equal(cluster_i64(c, F_QOS_GRP_WALL, 1), 7200);
	assert_int_equal(cluster_i64(c, F_QOS_MAX_WALL, 1), 86400);
	assert_int_equal(cluster_tres(c, F_QOS_GRP_TRES, 1).count, 2);
	assert_float_equal(cluster_tres(c, F_QOS_GRP_TRES_MINS, 1).items[0].count, 600, 0);
	assert_float_equal(cluster_tres(c, F_QOS_MAX_TRES, 1).items[0].count, 8, 0);
	assert_float_equal(cluster_tres(c, F_QOS_MAX_TRES_USER, 1).items[0].count, 6, 0);
	assert_float_equal(cluster_tres(c, F_QOS_MAX_TRES_ACCOUNT, 1).items[0].count, 7, 0);
	assert_float_equal(cluster_tres(c, F_QOS_MAX_TRES_RUN_MINS_ACCOUNT, 1).items[0].count, 90,
			   0);
	assert_float_equal(cluster_tres(c, F_QOS_MAX_TRES_RUN_MINS_USER, 1).items[0].count, 60, 0);
	assert_float_equal(cluster_tres(c, F_QOS_MIN_TRES, 1).items[0].count, 1, 0);
	assert_int_equal(cluster_list(c, F_QOS_PREEMPT, 1).count, 2);
}

/*
 * `sacctmgr delete account name=ot2 cluster=lab` of 24.11.5 left ok2 behind, as sshare, its JSON
 * and the association manager print it: S of the others does not change.
 */
static void orphans(void **state)
{
	static const struct slurm_input inputs[] = {
		{ SLURM_SSHARE, "Account|User|RawShares|NormShares|FairShare\n"
				"root|||0.000000|\n physics||40|0.8|\nok2||3|1.000000|\n"
				" ok2|lp|1|1.000000|0.000000\n  physics|bob|1|1.0|1.0\n"
				" biology||10|0.2|\n" },
		{ SLURM_SSHARE_JSON,
		  "{\"shares\":{\"shares\":[{\"id\":1,\"name\":\"root\",\"parent\":\"\"},"
		  "{\"id\":3,\"name\":\"physics\",\"parent\":\"root\",\"shares\":40},"
		  "{\"id\":4,\"name\":\"bob\",\"parent\":\"physics\",\"shares\":1,"
		  "\"type\":\"USER\"},"
		  "{\"id\":5,\"name\":\"biology\",\"parent\":\"root\",\"shares\":10},"
		  "{\"id\":44,\"name\":\"ok2\",\"parent\":\"ot2\",\"shares\":3},"
		  "{\"id\":45,\"name\":\"lp\",\"parent\":\"ok2\",\"shares\":1,"
		  "\"type\":\"USER\"}]}}" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(inputs) / sizeof(inputs[0]); i++) {
		const struct cluster *c = slurm_cluster(&inputs[i], 1);
		uint32_t row = cluster_by_path(c, "/ok2");
		uint32_t physics = cluster_by_path(c, "/physics");

		assert_int_equal(cluster_rows(c, TABLE_ASSOC), 6);
		assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, row), 3);
		assert_int_equal(cluster_bool(c, F_ASSOC_ORPHAN, row), 1);
		assert_int_equal(cluster_bool(c, F_ASSOC_ORPHAN, physics), BOOL_UNKNOWN);
		assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, physics), 40);
		assert_int_not_equal(cluster_by_path(c, "/ok2:lp"), ROW_NONE);
		assert_false(cluster_is_partial(c));
	}
}

static void wrong_associations_in_memory(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "something else\n", "file:1: \"something else\": expected records that begin "
		  "with ClusterName=, as the command prints them" },
		{ "ClusterName=lab Account=a UserName= ID=x\n",
		  "file:1: expected Account= and ID" },
		{ "ClusterName=lab Account=a ID=1\n    SharesRaw/Norm/Level/Factor=1\n",
		  "file:2: SharesRaw/Norm/Level/Factor \"1\": expected four numbers" },
		{ "ClusterName=lab Account=a ID=1\n    UsageRaw/Norm/Efctv=1/2\n",
		  "file:2: UsageRaw/Norm/Efctv \"1/2\": expected three numbers" },
		{ "ClusterName=lab Account=a ID=1\n  GrpTRES=cpu=x(1)\n",
		  "file:2: GrpTRES: \"cpu=x(1)\" (expected a number or N)" },
		{ "ClusterName=lab Account=a ID=1\n  GrpTRES=cpu\n", "file:2: GrpTRES: \"cpu\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		slurm_refused(SLURM_ASSOC_MGR, cases[i].text, cases[i].message);
}

static void dump_file(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_DUMP,
		"# a comment\n"
		"Cluster - 'lab':Fairshare=1:QOS='big,normal'\n"
		"Parent - 'root'\n"
		"User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=1\n"
		"Account - 'a':Description='odd: it''s a \"b\"':Organization='o':Fairshare=100"
		":MaxJobs=4:GrpTRES=cpu=3\n"
		"Parent - 'a'\n"
		"User - 'u':Partition='gpu':DefaultAccount='a':Fairshare=2147483647:Priority=90\n"
		"User - 'v':DefaultAccount='a'\n");

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 5);
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/a")), 100);
	assert_int_equal(cluster_u32(c, F_ASSOC_MAX_JOBS, at(c, "/a")), 4);
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/a:u@gpu")), SHARES_PARENT);
	assert_int_equal(cluster_u32(c, F_ASSOC_PRIORITY, at(c, "/a:u@gpu")), 90);
	/* A dump without Fairshare means the default. */
	assert_int_equal(cluster_u32(c, F_ASSOC_SHARES, at(c, "/a:v")), 1);
	assert_string_equal(cluster_text(c, F_USER_ADMIN, 0), "Administrator");
}

/* The beginning of a dump of 26.05.5. */
static void dump_with_qos(void **state)
{
	const struct cluster *c = slurm_cluster_of(SLURM_DUMP,
		"QOS - 'normal':Description='Normal QOS default'\n"
		"QOS - 'high':Description='high':Preempt='free,low':Priority=1000"
		":UsageFactor=2.000000\n"
		"QOS - 'free':Description='free':Priority=1:UsageFactor=0.000000\n"
		"QOS - 'tight':Description='tight':GrpTRES=cpu=4:MaxWallDurationPerJob=120"
		":Priority=5\n"
		"Cluster - 'fairtree':Fairshare=1:QOS='free,high,low,normal,tight'\n"
		"Parent - 'root'\n"
		"Account - 'biology':Description='biology':Organization='live':Fairshare=250\n");

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_QOS), 4);
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 2);
	assert_int_equal(cluster_u32(c, F_QOS_PRIORITY, 0), 0);
	assert_int_equal(cluster_u32(c, F_QOS_PRIORITY, 1), 1000);
	assert_true(cluster_f64(c, F_QOS_USAGE_FACTOR, 0) == 1);
	assert_true(cluster_f64(c, F_QOS_USAGE_FACTOR, 1) == 2);
	assert_true(cluster_f64(c, F_QOS_USAGE_FACTOR, 2) == 0);
	assert_int_equal(cluster_i64(c, F_QOS_MAX_WALL, 3), 120 * 60);
}

static void wrong_dumps(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "garbage\n", "file:1: expected \"Cluster - 'name'\"" },
		{ "Account - 'a':Fairshare=1\n", "file:1: expected a Parent line" },
		{ "Cluster - 'c'\nParent - 'root'\nAccount - 'a':Organization='o':Fair\n",
		  "file:3: the line is cut" },
		{ "Cluster - 'c'\nParent - 'root'\nAccount - 'a':Fairshare=2:Organization='o\n",
		  "file:3: the line is cut" },
		{ "Cluster - 'c'\nParent - 'root'\nGroup - 'a'\n", "file:3: \"Group\": expected" },
		{ "Cluster - 'c'\nParent - 'root'\nUser - 'a':Fairshare=x\n",
		  "file:3: Fairshare \"x\"" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		slurm_refused(SLURM_DUMP, cases[i].text, cases[i].message);
}

/* Usage comes from the output with the most digits, ratios from the one with six. */
static void best_digits(void **state)
{
	const struct slurm_input inputs[] = {
		{ SLURM_ASSOC_MGR, assoc_mgr },
		{ SLURM_SSHARE, "Account|User|RawUsage|NormShares|NormUsage\n"
				"root||752732|1.000000|\n a||12|0.512345|0.000017\n"
				"  a|alice|12|0.512345|0.000017\n" },
	};
	const struct cluster *c = slurm_cluster(inputs, 2);
	uint32_t u = at(c, "/a:alice@gpu");

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 3);
	assert_float_equal(cluster_f64(c, F_ASSOC_USAGE, u), 12.5, 0);
	assert_float_equal(cluster_f64(c, F_ASSOC_R_NORM_SHARES, u), 0.512345, 0);
	assert_float_equal(cluster_meta(c)->usage_quantum, 0.01, 1e-15);
	assert_float_equal(cluster_meta(c)->ratio_quantum, 1e-6, 1e-18);
}

static void nul_bytes(void **state)
{
	struct slurm_texts texts = { .time = 0, .from = "saved outputs", .whole = true };
	struct builder *b = builder_new();
	struct err err = { 0 };

	(void)state;
	texts.kind[SLURM_SSHARE] = (struct slurm_text){ "file", "Account|User\nro\0ot|\n", 20 };
	assert_false(slurm_text_build(&texts, b, &err));
	assert_non_null(strstr(err.message, "NUL byte"));
	builder_free(b);
}

/* Without any input everything in the cluster is unknown. */
static void nothing(void **state)
{
	const struct cluster *c = slurm_cluster(NULL, 0);

	(void)state;
	assert_int_equal(cluster_rows(c, TABLE_ASSOC), 0);
	assert_int_equal(cluster_meta(c)->time, 1000);
	assert_string_not_equal(note_about(c, "associations"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_in_any_order),
		cmocka_unit_test(wrong_trees),
		cmocka_unit_test(partitions_tell_apart),
		cmocka_unit_test(cut_names_alone),
		cmocka_unit_test(cut_names_joined),
		cmocka_unit_test(cut_names_unclear),
		cmocka_unit_test(missing_partition),
		cmocka_unit_test(no_accounts),
		cmocka_unit_test(nothing_at_all),
		cmocka_unit_test(only_own_rows),
		cmocka_unit_test(several_clusters),
		cmocka_unit_test(associations_in_memory),
		cmocka_unit_test(limits_of_qos),
		cmocka_unit_test(orphans),
		cmocka_unit_test(wrong_associations_in_memory),
		cmocka_unit_test(dump_file),
		cmocka_unit_test(dump_with_qos),
		cmocka_unit_test(wrong_dumps),
		cmocka_unit_test(best_digits),
		cmocka_unit_test(nul_bytes),
		cmocka_unit_test(nothing),
	};

	return cmocka_run_group_tests(tests, NULL, kept_free);
}
