/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Golden frames: what the screen looks like in each of its states, as text and as roles. The frames
 * lie in tests/golden; FAIRTOP_GOLDEN=write writes them anew, and git diff then shows what changed.
 */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "adapters/adapter.h"
#include "core/bytes.h"
#include "core/fairshare.h"
#include "core/mem.h"
#include "tests/support/data.h"
#include "tests/support/night.h"
#include "tests/support/sketch.h"
#include "tui/screen.h"

#define TREE \
	"physics 40\n" \
	"\thep 30\n" \
	"\t\t+alice 1 50000000 r2 p3\n" \
	"\t\t+bob 2 1000000 p1\n" \
	"\t\t+bob@gpu 2 100000 r1\n" \
	"\t\tatlas parent\n" \
	"\t\t\t+carol 1 2500000 r1\n" \
	"\tastro 10\n" \
	"\t\t+dave 3 0\n" \
	"\t\t+erin 1 700\n" \
	"\t+zoé parent 30000\n" \
	"biology 20\n" \
	"\t+frank 1 9000000 p12\n" \
	"\t+日本語 1 9000000\n" \
	"guests 0\n" \
	"\t+grace 1 4000 r1\n" \
	"idle 15\n"

/* A refresh later: frank has used more, erin is gone, mallory is new. */
#define TREE_LATER \
	"physics 40\n" \
	"\thep 30\n" \
	"\t\t+alice 1 50000000 r1 p3\n" \
	"\t\t+bob 2 1000000 p1\n" \
	"\t\t+bob@gpu 2 100000 r1\n" \
	"\t\tatlas parent\n" \
	"\t\t\t+carol 1 2500000 r1\n" \
	"\tastro 10\n" \
	"\t\t+dave 3 0\n" \
	"\t+zoé parent 30000\n" \
	"biology 20\n" \
	"\t+frank 1 12000000 p12\n" \
	"\t+mallory 1 0 p1\n" \
	"\t+日本語 1 9000000\n" \
	"guests 0\n" \
	"\t+grace 1 4000 r1\n" \
	"idle 15\n"

/* A real OpenPBS, with classes worth the name. */
#define PBS "=01_main"

/* Jobs of many kinds: arrays, held, dependent, future, with a hostile name, two partitions. */
#define JOBS \
	"physics 40\n" \
	"\t+alice 3 900000\n" \
	"\t+bob 1 1000\n" \
	"biology 20\n" \
	"\t+carol 1 50000\n" \
	"=PriorityWeightAge 1000\n=PriorityWeightFairshare 10000\n" \
	"=PriorityWeightPartition 2000\n=PriorityWeightQOS 500\n=PriorityMaxAge 7-0\n" \
	"*partition name=batch job_factor=10 tier=1\n" \
	"*partition name=short job_factor=20 tier=1\n" \
	"*qos name=normal priority=10 usage_factor=1\n" \
	"*job id=40 user=alice account=physics assoc=3 partition=batch qos=normal name=train " \
	PENDING_("1794009600") " cpus=8 reason=Priority start=1794200000\n" \
	"*job id=41 array=41 tasks=4-9%252 user=bob account=physics assoc=4 partition=short " \
	"qos=normal name=sweep " PENDING_("1794100000") " cpus=2 reason=JobArrayTaskLimit\n" \
	"*job id=42 array=41 task=2 user=bob account=physics assoc=4 partition=short qos=normal " \
	"name=sweep state=RUNNING cpus=2 submit=1794100000\n" \
	"*job id=43 array=41 task=3 user=bob account=physics assoc=4 partition=short qos=normal " \
	"name=sweep state=RUNNING cpus=2 submit=1794100000\n" \
	"*job id=44 user=carol account=biology assoc=6 partition=batch,short qos=normal " \
	"name=a%1b[31mb%e2%80%ae%ff " PENDING_("1794150000") " cpus=16 reason=Resources\n" \
	"*job id=45 user=carol account=biology assoc=6 partition=batch qos=normal name=held " \
	PENDING_("1794150000") " cpus=1 priority=0 reason=JobHeldUser\n" \
	"*job id=46 user=carol account=biology assoc=6 partition=batch qos=normal name=after " \
	PENDING_("1794160000") " cpus=1 reason=Dependency dependency=afterok:45(unfulfilled)\n"
#define PENDING_(time) "state=PENDING submit=" time " eligible=" time " accrue=" time

/* Each waits for a limit or a reservation. */
#define LIMITED \
	"physics 40\n" \
	"*assoc grp_tres=cpu=100 used.tres=cpu=96 grp_jobs=50 used.jobs=2\n" \
	"\t+alice 3 900000\n" \
	"\t+bob 1 1000\n" \
	"=PriorityWeightAge 1000\n=PriorityMaxAge 7-0\n" \
	"*partition name=batch job_factor=10 tier=1 nodes=4 max_time=3600\n" \
	"*qos name=small priority=10 usage_factor=1 grp_jobs=1 max_tres_user=cpu=40\n" \
	"*reservation name=maint start=1794220000 end=1794230000\n" \
	"*job id=1 user=alice account=physics assoc=3 partition=batch qos=small name=runs " \
	"state=RUNNING submit=1794000000 cpus=32 tres=cpu=32\n" \
	"*job id=2 user=alice account=physics assoc=3 partition=batch qos=small name=wide " \
	PENDING_("1794009600") " cpus=32 tres=cpu=32 reason=AssocGrpCpuLimit\n" \
	"*job id=3 user=alice account=physics assoc=3 partition=batch qos=small name=many " \
	PENDING_("1794009700") " cpus=16 tres=cpu=16 reason=QOSMaxCpuPerUserLimit\n" \
	"*job id=4 user=bob account=physics assoc=4 partition=batch qos=small name=later " \
	"time_limit=7200 reservation=maint " \
	PENDING_("1794009800") " cpus=1 tres=cpu=1 reason=Reservation\n"

/* Limits of a QOS for all, for each user and each job, and those of the partition's QOS. */
#define QOS_LIMITED \
	"physics 40\n" \
	"\t+alice 3 900000\n" \
	"\t+bob 1 1000\n" \
	"=PriorityWeightAge 1000\n=PriorityMaxAge 7-0\n" \
	"*partition name=batch job_factor=10 tier=1 nodes=4 qos=whole\n" \
	"*qos name=small priority=10 usage_factor=1 grp_jobs=9 max_jobs_user=2 max_wall=3600\n" \
	"*qos name=whole priority=0 usage_factor=1 grp_tres=cpu=64 used.tres=cpu=60 grp_jobs=99 " \
	"used.jobs=3 grp_tres_mins=cpu=1000 used.tres_secs=cpu=54000\n" \
	"*job id=1 user=alice account=physics assoc=3 partition=batch qos=small name=runs " \
	"state=RUNNING submit=1794000000 cpus=20 tres=cpu=20\n" \
	"*job id=2 user=alice account=physics assoc=3 partition=batch qos=small name=too " \
	"state=RUNNING submit=1794000000 cpus=30 tres=cpu=30\n" \
	"*job id=3 user=bob account=physics assoc=4 partition=batch qos=small name=three " \
	"state=RUNNING submit=1794000000 cpus=10 tres=cpu=10\n" \
	"*job id=4 user=alice account=physics assoc=3 partition=batch qos=small name=third " \
	"time_limit=600 " PENDING_("1794009600") " cpus=1 tres=cpu=1 " \
	"reason=QOSMaxJobsPerUserLimit\n" \
	"*job id=5 user=bob account=physics assoc=4 partition=batch qos=small name=wide " \
	"time_limit=1200 " PENDING_("1794009700") " cpus=8 tres=cpu=8 reason=QOSGrpCpuLimit\n" \
	"*license name=matlab total=20 used=18\n" \
	"*job id=6 user=bob account=physics assoc=4 partition=batch qos=small name=long " \
	"licenses=matlab%3a5,ansys time_limit=7200 " PENDING_("1794009800") " cpus=1 tres=cpu=1 " \
	"reason=QOSMaxWallDurationPerJobLimit\n"

/* The demo's queues and pools. */
#define POOLS "@demo:1"

/* A what-if that moves accounts and jobs. */
#define EDITS \
	"ashares:/physics = 5<Enter>aweight.fairshare = 70%<Enter>ajob:40.nice = -9000<Enter>" \
	"aqos:normal.priority = 20<Enter>"

#define OTHER_SETS \
	":next-set B fairer<Enter>ausage:/physics = 0<Enter>" \
	":next-set C<Enter>ajob:41.nice = 9000<Enter>"

/* A recording with a gap and a change of the policy. */
#define NIGHT "night"

#define DEEP ":fold-depth 9<Enter>"

struct frame {
	const char *name;
	int width, height;	/* 0: at all four sizes */
	bool ascii;		/* besides UTF-8 */
	int algorithm;
	const char *keys;
	const char *texts[4];
	const char *theme;
};

static const struct frame frames[] = {
	{ "tree", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP "jjj", { TREE }, NULL },
	{ "overview", 0, 0, true, FS_DEPTH_OBLIVIOUS, "*", { TREE }, NULL },
	{ "classic", 0, 0, true, FS_CLASSIC, DEEP, { TREE }, NULL },
	{ "fair-tree", 0, 0, true, FS_FAIR_TREE, DEEP, { TREE }, NULL },
	{ "folded", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP "jjh", { TREE }, NULL },
	{ "sorted", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP ">>>I", { TREE }, NULL },
	{ "flat", 0, 0, true, FS_DEPTH_OBLIVIOUS, ":sort -usage<Enter>T", { TREE }, NULL },
	{ "scrolled", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP "LLLLLLLLLLLLLLL", { TREE }, NULL },
	{ "column", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP "jjLLL", { TREE }, NULL },
	{ "column-jobs", 80, 24, true, FS_DEPTH_OBLIVIOUS, "2jLLv", { JOBS }, NULL },
	{ "changed", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP "r", { TREE, TREE_LATER }, NULL },
	{ "changed-over",
	  120,
	  40,
	  false,
	  FS_DEPTH_OBLIVIOUS,
	  DEEP "rjjjj",
	  { TREE, TREE_LATER },
	  NULL },
	{ "filter",
	  0,
	  0,
	  true,
	  FS_DEPTH_OBLIVIOUS,
	  "fuser=bob|user=grace<Enter>",
	  { TREE },
	  NULL },
	{ "filter-none", 0, 0, true, FS_DEPTH_OBLIVIOUS, "fF>2<Enter>", { TREE }, NULL },
	{ "filter-wrong", 80, 24, false, FS_DEPTH_OBLIVIOUS, "fFF>2<Enter>", { TREE }, NULL },
	{ "search", 0, 0, true, FS_DEPTH_OBLIVIOUS, "/ar", { TREE }, NULL },
	{ "search-none", 80, 24, false, FS_DEPTH_OBLIVIOUS, "/xyz", { TREE }, NULL },
	{ "marked", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP "jj<Space><Space>", { TREE }, NULL },
	{ "frozen", 0, 0, true, FS_DEPTH_OBLIVIOUS, "zFT", { TREE }, NULL },
	{ "mine", 0, 0, true, FS_DEPTH_OBLIVIOUS, "u", { TREE }, NULL },
	{ "followed", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP "jjjF", { TREE }, NULL },
	{ "tour", 0, 0, true, FS_DEPTH_OBLIVIOUS, "", { TREE }, NULL },
	{ "limits", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP ":columns +limit_use<Enter>j<Enter>",
	  { LIMITED }, NULL },
	{ "details", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP "jjj<Enter>", { TREE }, NULL },
	{ "details-fair-tree", 0, 0, true, FS_FAIR_TREE, DEEP "jjj<Enter>", { TREE }, NULL },
	{ "explain", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP "jjje<Tab><PgDn>", { TREE }, NULL },
	{ "compare", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP "jjj<Space>GkkC", { TREE }, NULL },
	{ "columns", 0, 0, true, FS_DEPTH_OBLIVIOUS, "cjj<Space>", { TREE }, NULL },
	{ "help", 0, 0, true, FS_DEPTH_OBLIVIOUS, "?", { TREE }, NULL },
	{ "help-end", 120, 40, false, FS_DEPTH_OBLIVIOUS, "?G", { TREE }, NULL },
	{ "palette", 0, 0, true, FS_DEPTH_OBLIVIOUS, "<C-p>so", { TREE }, NULL },
	{ "palette-keys", 80, 24, true, FS_DEPTH_OBLIVIOUS, "<C-p>page", { TREE }, NULL },
	{ "command", 0, 0, true, FS_DEPTH_OBLIVIOUS, ":so<Tab><Tab>", { TREE }, NULL },
	{ "command-wrong", 80, 24, false, FS_DEPTH_OBLIVIOUS, ":fly<Enter>", { TREE }, NULL },
	{ "policy", 0, 0, true, FS_DEPTH_OBLIVIOUS, "5jj", { TREE }, NULL },
	{ "what-if", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP "w" EDITS, { JOBS }, NULL },
	{ "what-if-jobs", 0, 0, true, FS_DEPTH_OBLIVIOUS, "2w" EDITS "M", { JOBS }, NULL },
	{ "what-if-policy", 0, 0, true, FS_DEPTH_OBLIVIOUS, "5" EDITS "M", { JOBS }, NULL },
	{ "what-if-classes", 0, 0, true, FS_DEPTH_OBLIVIOUS, "4" EDITS "M", { JOBS }, NULL },
	{ "what-if-pools", 0, 0, true, -1, "3apool:compute.long.share = 60<Enter>M", { POOLS },
	  NULL },
	{ "what-if-pools-panel", 120, 40, false, -1, "3wapool:compute.long.share = 60<Enter>",
	  { POOLS }, NULL },
	{ "what-if-beside", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP EDITS OTHER_SETS "B", { JOBS },
	  NULL },
	{ "what-if-beside-jobs", 0, 0, true, FS_DEPTH_OBLIVIOUS, "2" EDITS OTHER_SETS "B",
	  { JOBS }, NULL },
	{ "what-if-vanished", 0, 0, true, FS_DEPTH_OBLIVIOUS,
	  DEEP "ashares:/physics/astro:erin = 5<Enter>rwG", { TREE, TREE_LATER }, NULL },
	{ "what-if-empty", 80, 24, true, FS_FAIR_TREE, DEEP "w", { TREE }, NULL },
	{ "what-if-empty", 60, 16, true, FS_FAIR_TREE, DEEP "w", { TREE }, NULL },
	{ "what-if-empty", 80, 16, false, FS_FAIR_TREE, "w", { TREE }, NULL },
	{ "what-if-empty", 100, 17, false, FS_FAIR_TREE, "w", { TREE }, NULL },
	{ "what-if-jobs-empty", 60, 16, false, FS_DEPTH_OBLIVIOUS, "2w", { JOBS }, NULL },
	{ "what-if-wrong", 80, 24, false, FS_DEPTH_OBLIVIOUS, "ashares:/phisics = 3<Enter>",
	  { JOBS }, NULL },
	{ "what-if-sets", 120, 40, false, FS_DEPTH_OBLIVIOUS,
	  DEEP "w" EDITS ":next-set B fairer<Enter>ausage:/physics = 0<Enter>", { JOBS }, NULL },
	{ "what-if-sets", 60, 16, false, FS_DEPTH_OBLIVIOUS,
	  "wausage:/physics = 0<Enter>:next-set B<Enter>ausage:/physics = 0<Enter>"
	  ":next-set C<Enter>ausage:/physics = 1<Enter>:next-set B<Enter>", { JOBS }, NULL },
	{ "forecast", 120, 40, true, FS_DEPTH_OBLIVIOUS, DEEP "j:forecast 0.36 20000<Enter>",
	  { JOBS }, NULL },
	{ "seek", 80, 24, true, FS_DEPTH_OBLIVIOUS, DEEP "j:seek 0.5<Enter>", { JOBS }, NULL },
	{ "lint", 80, 24, true, FS_DEPTH_OBLIVIOUS, DEEP "d", { JOBS }, NULL },
	{ "lint-do", 80, 24, true, FS_DEPTH_OBLIVIOUS, "d", { "@demo" }, NULL },
	{ "lint-do", 60, 16, false, FS_DEPTH_OBLIVIOUS, "d", { "@demo" }, NULL },
	{ "what-if-flipped", 80, 24, false, FS_DEPTH_OBLIVIOUS, DEEP EDITS "b", { JOBS }, NULL },
	{ "jobs", 0, 0, true, FS_DEPTH_OBLIVIOUS, "2j", { TREE }, NULL },
	{ "jobs-details", 120, 40, true, FS_DEPTH_OBLIVIOUS, "2j<Enter>", { TREE }, NULL },
	{ "jobs-explain", 80, 24, true, FS_DEPTH_OBLIVIOUS, "2je", { TREE }, NULL },
	{ "jobs-compare", 120, 40, false, FS_DEPTH_OBLIVIOUS, "2j<Space>jjC", { TREE }, NULL },
	{ "jobs-percent", 120, 24, false, FS_DEPTH_OBLIVIOUS, "2%%", { TREE }, NULL },
	{ "jobs-of-account", 80, 24, false, FS_DEPTH_OBLIVIOUS, DEEP "jjjx", { TREE }, NULL },
	{ "jobs-changed", 120, 24, false, FS_DEPTH_OBLIVIOUS, "2r", { TREE, TREE_LATER }, NULL },
	{ "jobs-kinds", 0, 0, true, FS_DEPTH_OBLIVIOUS, "2", { JOBS }, NULL },
	{ "jobs-open", 120, 24, true, FS_DEPTH_OBLIVIOUS, "2jjl", { JOBS }, NULL },
	{ "jobs-array", 120, 40, false, FS_DEPTH_OBLIVIOUS, "2jj<Enter>", { JOBS }, NULL },
	{ "jobs-held", 120, 40, true, FS_DEPTH_OBLIVIOUS, "2fheld<Enter><Enter>", { JOBS }, NULL },
	{ "jobs-dependent", 120, 40, false, FS_DEPTH_OBLIVIOUS, "2fafter<Enter><Enter>", { JOBS },
	  NULL },
	{ "jobs-assoc-limit", 120, 40, false, FS_DEPTH_OBLIVIOUS, "2j<Enter>", { LIMITED }, NULL },
	{ "jobs-qos-limit", 120, 40, false, FS_DEPTH_OBLIVIOUS, "2jj<Enter>", { LIMITED }, NULL },
	{ "jobs-qos-user-limit", 120, 40, false, FS_DEPTH_OBLIVIOUS, "2<Enter>", { QOS_LIMITED },
	  NULL },
	{ "jobs-partition-qos-limit", 120, 40, false, FS_DEPTH_OBLIVIOUS, "2j<Enter>",
	  { QOS_LIMITED }, NULL },
	{ "jobs-qos-time-limit", 120, 40, false, FS_DEPTH_OBLIVIOUS, "2jj<Enter>",
	  { QOS_LIMITED }, NULL },
	{ "jobs-reservation", 120, 40, false, FS_DEPTH_OBLIVIOUS, "2<Enter>", { LIMITED }, NULL },
	{ "jobs-follow", 80, 24, false, FS_DEPTH_OBLIVIOUS, "2jjF", { JOBS }, NULL },
	{ "jobs-copy", 80, 24, false, FS_DEPTH_OBLIVIOUS, "2jjy", { JOBS }, NULL },
	{ "jobs-search", 80, 24, false, FS_DEPTH_OBLIVIOUS, "2/afte<Enter>", { JOBS }, NULL },
	{ "jobs-none", 80, 24, true, FS_DEPTH_OBLIVIOUS, "2", { "physics 40\n\t+alice 1 5\n" },
	  NULL },
	{ "jobs-basic", 80, 24, true, FS_DEPTH_OBLIVIOUS, "2",
	  { JOBS "=PriorityType priority/basic\n" }, NULL },
	{ "jobs-no-accounting", 120, 24, false, FS_DEPTH_OBLIVIOUS, "2",
	  { JOBS "=AccountingStorageType accounting_storage/none\n" }, NULL },
	{ "jobs-percent-kinds", 120, 24, false, FS_DEPTH_OBLIVIOUS, "2%%", { JOBS }, NULL },
	{ "pools", 0, 0, true, -1, "3j", { POOLS }, NULL },
	{ "pools-details", 120, 40, true, -1, "3jj<Enter>", { POOLS }, NULL },
	{ "pools-explain", 80, 24, false, -1, "3jje", { POOLS }, NULL },
	{ "pools-outside", 120, 40, false, -1, "3G<Enter>", { POOLS }, NULL },
	{ "pools-none", 80, 24, false, FS_DEPTH_OBLIVIOUS, "3", { "physics 40\n\t+alice 1 5\n" },
	  NULL },
	{ "classes", 0, 0, false, FS_DEPTH_OBLIVIOUS, "4j", { TREE }, NULL },
	{ "pbs-accounts", 120, 40, false, -1, DEEP, { PBS }, NULL },
	{ "pbs-jobs", 120, 40, false, -1, "2", { PBS }, NULL },
	{ "pbs-formula", 120, 40, false, -1, "2<Enter>", { "=02_formula" }, NULL },
	{ "pbs-classes", 0, 0, true, -1, "4j", { PBS }, NULL },
	{ "pbs-classes-details", 120, 40, false, -1, "4j<Enter>", { PBS }, NULL },
	{ "pbs-classes-compare", 120, 40, false, -1, "4<Space>jjjjC", { PBS }, NULL },
	{ "pbs-classes-jobs", 80, 24, false, -1, "4jl", { PBS }, NULL },
	{ "pbs-exclude", 0, 0, true, -1, "4Xjjj", { PBS }, NULL },
	{ "pbs-excluded", 120, 40, false, -1, "4XGkkkkkkk<Space>", { PBS }, NULL },
	{ "pbs-classes-off", 80, 24, false, -1, "4E", { PBS }, NULL },
	{ "classes-explain", 80, 24, false, FS_DEPTH_OBLIVIOUS, "4je", { TREE }, NULL },
	{ "classes-details", 120, 40, false, FS_DEPTH_OBLIVIOUS, "4j<Enter>", { TREE }, NULL },
	{ "details-end",
	  120,
	  60,
	  true,
	  FS_DEPTH_OBLIVIOUS,
	  DEEP "jjj<Enter><Tab>G",
	  { TREE },
	  NULL },
	{ "source", 0, 0, true, FS_DEPTH_OBLIVIOUS, "!", { TREE }, NULL },
	{ "policy-details", 80, 24, false, FS_DEPTH_OBLIVIOUS, "5jj<Enter>", { TREE }, NULL },
	{ "loading", 0, 0, true, FS_DEPTH_OBLIVIOUS, "", { NULL }, NULL },
	{ "error",
	  0,
	  0,
	  true,
	  FS_DEPTH_OBLIVIOUS,
	  "",
	  { "!slurmctld does not answer (no reply within 10 s)" },
	  NULL },
	{ "stale",
	  0,
	  0,
	  true,
	  FS_DEPTH_OBLIVIOUS,
	  "r",
	  { TREE, "!slurmctld does not answer (no reply within 10 s)" },
	  NULL },
	{ "empty", 0, 0, true, FS_DEPTH_OBLIVIOUS, "", { "" }, NULL },
	{ "forbidden", 0, 0, true, FS_DEPTH_OBLIVIOUS, ":filter user=alice<Enter>",
	  { "?accounts: hidden by PrivateData=accounts: ask for operator rights\n" }, NULL },
	{ "partly", 0, 0, true, FS_DEPTH_OBLIVIOUS, "!",
	  { "?usage: hidden by PrivateData=usage\nphysics 40\n\t+alice 1 -\n\t+bob - 5\n" }, NULL },
	{ "unknown", 0, 0, true, FS_DEPTH_OBLIVIOUS, DEEP,
	  { "?usage: hidden by PrivateData=usage\nphysics 40\n\t+alice 1 -\n\t+bob - 5\n" }, NULL },
	{ "past-end", 80, 24, true, -1, "", { NIGHT }, NULL },
	{ "past", 0, 0, true, -1, "@02:00<Enter>", { NIGHT }, NULL },
	{ "past-gap", 120, 40, true, -1, "@00:10<Enter>", { NIGHT }, NULL },
	{ "past-zoom", 80, 24, false, -1, "@23:30<Enter>sss", { NIGHT }, NULL },
	{ "past-step", 80, 24, false, -1, "@1h ago<Enter>]", { NIGHT }, NULL },
	{ "past-prompt", 80, 24, false, -1, "@last week<Enter>", { NIGHT }, NULL },
	{ "past-jobs", 120, 40, false, -1, "2@23:00<Enter>", { NIGHT }, NULL },
	{ "past-play", 80, 24, false, -1, "P[P", { NIGHT }, NULL },
	{ "history", 80, 24, true, -1, "jj6@23:00<Enter>", { NIGHT }, NULL },
	{ "history-marked", 120, 40, true, -1, "jj<Space><Space><Space>6@01:30<Enter>", { NIGHT },
	  NULL },
	{ "history-usage", 120, 40, true, -1, "j:history usage<Enter>@22:00<Enter>", { NIGHT },
	  NULL },
	{ "history-blocks", 80, 24, false, -1,
	  "j:set chart blocks<Enter>:history usage,running<Enter>", { NIGHT }, NULL },
	{ "history-job", 120, 40, true, -1, "2jjj6@3h ago<Enter>s", { NIGHT }, NULL },
	{ "difference", 80, 24, true, -1, "D22:00<Enter>", { NIGHT }, NULL },
	{ "difference-below", 120, 40, true, -1, "@03:00<Enter>D01:30<Enter>", { NIGHT }, NULL },
	{ "history-right", 200, 60, false, -1, "jj<Space><Space>6", { NIGHT }, NULL },
	{ "history-none", 80, 24, false, FS_DEPTH_OBLIVIOUS, "6", { TREE }, NULL },
	{ "small", 50, 10, true, FS_DEPTH_OBLIVIOUS, "", { TREE }, NULL },
	{ "small", 59, 16, true, FS_DEPTH_OBLIVIOUS, "", { TREE }, NULL },
	{ "small", 60, 15, true, FS_DEPTH_OBLIVIOUS, "", { TREE }, NULL },
	{ "small", 20, 5, false, FS_DEPTH_OBLIVIOUS, "", { TREE }, NULL },
	{ "small", 30, 4, false, FS_DEPTH_OBLIVIOUS, "", { TREE }, NULL },
	{ "tiny", 8, 2, false, FS_DEPTH_OBLIVIOUS, "", { TREE }, NULL },
	{ "resized", 80, 24, false, FS_DEPTH_OBLIVIOUS, DEEP "G<Resize:100x16>", { TREE }, NULL },
};

/* A sketch, the source named behind an @, or the recording of a night. */
static struct source *open_source(const struct frame *f)
{
	if (f->texts[0] != NULL && strcmp(f->texts[0], NIGHT) == 0)
		return night_source();
	if (f->texts[0] != NULL && f->texts[0][0] == '@')
		return source_open(f->texts[0] + 1, NULL);
	return sketch_source(f->texts, f->algorithm);
}

static void render(const struct frame *f, int width, int height, bool ascii, struct bytes *out)
{
	struct screen_options o;
	struct err err = { 0 };
	int status;

	screen_options_init(&o);
	o.width = (uint16_t)width;
	o.height = (uint16_t)height;
	o.ascii = ascii;
	o.keys = f->keys;
	o.no_config = true;
	o.me = "alice";
	o.format = "cells";
	o.theme = f->theme;
	o.tour = strcmp(f->name, "tour") == 0;
	status = screen_render(open_source(f), &o, bytes_sink(out), &err);
	if (status != 0 && status != 3)
		fail_msg("%s: %s", f->name, err.message);
}

static char *read_file(const char *path)
{
	struct bytes text = { 0 };
	char buf[4096];
	size_t n;
	FILE *file = fopen(path, "r");

	if (file == NULL)
		return NULL;
	while ((n = fread(buf, 1, sizeof buf, file)) > 0)
		bytes_append(&text, buf, n);
	fclose(file);
	return text.data;
}

/* Points at the first line that differs; that is what a reader needs. */
static void tell_difference(const char *path, const char *wanted, const char *got)
{
	unsigned line = 1;

	while (*wanted != '\0' && *wanted == *got) {
		line += *wanted == '\n';
		wanted++;
		got++;
	}
	print_error("%s:%u differs: wanted ...%.*s\n                     got ...%.*s\n", path, line,
		    (int)strcspn(wanted, "\n"), wanted, (int)strcspn(got, "\n"), got);
}

static unsigned check_frame(const struct frame *f, int width, int height, bool ascii)
{
	const char *mode = getenv("FAIRTOP_GOLDEN");
	char name[128], path[4096];
	struct bytes got = { 0 };
	char *wanted;
	unsigned bad = 0;

	snprintf(name, sizeof name, "../golden/%s-%dx%d%s.frame", f->name, width, height,
		 ascii ? "-ascii" : "");
	data_path(name, path, sizeof path);
	render(f, width, height, ascii, &got);
	if (mode != NULL && strcmp(mode, "write") == 0) {
		FILE *file = fopen(path, "w");
		assert_non_null(file);
		assert_int_equal(fwrite(got.data, 1, got.length, file), got.length);
		fclose(file);
	} else {
		wanted = read_file(path);
		if (wanted == NULL || strcmp(wanted, got.data) != 0) {
			tell_difference(path, wanted != NULL ? wanted : "", got.data);
			bad = 1;
		}
		mem_free(wanted);
	}
	bytes_free(&got);
	return bad;
}

static void test_frames(void **state)
{
	static const int sizes[4][2] = { { 60, 16 }, { 80, 24 }, { 120, 40 }, { 200, 60 } };
	unsigned bad = 0;

	(void)state;
	for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
		const struct frame *f = &frames[i];
		for (int ascii = 0; ascii <= f->ascii; ascii++) {
			if (f->width > 0)
				bad += check_frame(f, f->width, f->height, ascii);
			for (int s = 0; s < 4 && f->width == 0; s++)
				bad += check_frame(f, sizes[s][0], sizes[s][1], ascii);
		}
	}
	assert_int_equal(bad, 0);
}

/* ANSI and SVG hold the same characters as the text, and nothing that could break out of them. */
static void test_formats(void **state)
{
	const char *const texts[] = { "a<b>&amp;\"' 1\n\t+%1b[31mx 1 5\n", NULL };
	struct screen_options o;
	struct bytes out = { 0 };
	struct err err = { 0 };

	(void)state;
	screen_options_init(&o);
	o.width = 80;
	o.height = 24;
	o.no_config = true;
	o.format = "svg";
	assert_int_equal(screen_render(sketch_source(texts, FS_DEPTH_OBLIVIOUS), &o,
				       bytes_sink(&out), &err), 0);
	assert_non_null(strstr(out.data, "a&lt;b&gt;&amp;amp;"));
	assert_non_null(strstr(out.data, "</svg>\n"));
	assert_null(strchr(out.data, '\033'));
	out.length = 0;
	o.format = "ansi";
	assert_int_equal(screen_render(sketch_source(texts, FS_DEPTH_OBLIVIOUS), &o,
				       bytes_sink(&out), &err), 0);
	assert_null(strstr(out.data, "\033[31mx"));
	assert_non_null(strstr(out.data, "<1B>[31mx"));
	o.format = "html";
	assert_int_equal(screen_render(sketch_source(texts, FS_DEPTH_OBLIVIOUS), &o,
				       bytes_sink(&out), &err), 2);
	bytes_free(&out);
}

static void test_options(void **state)
{
	struct screen_options o;
	struct err err = { 0 };
	uint16_t w, h;

	(void)state;
	assert_true(screen_parse_size("120x40", &w, &h, &err));
	assert_int_equal(w, 120);
	assert_int_equal(h, 40);
	assert_false(screen_parse_size("120", &w, &h, &err));
	assert_false(screen_parse_size("0x40", &w, &h, &err));
	assert_false(screen_parse_size("120x40x3", &w, &h, &err));
	assert_false(screen_parse_size("-1x40", &w, &h, &err));
	assert_false(screen_parse_size("99999x40", &w, &h, &err));
	screen_options_init(&o);
	o.no_config = true;
	assert_true(screen_check(&o, &err));
	o.filter = "F>";
	assert_false(screen_check(&o, &err));
	o.filter = NULL;
	o.sort = "-nosuch";
	assert_false(screen_check(&o, &err));
	o.sort = NULL;
	o.columns = "R,F,bar";
	assert_true(screen_check(&o, &err));
	o.columns = "R,nosuch";
	assert_false(screen_check(&o, &err));
	o.columns = NULL;
	o.theme = "nosuch";
	assert_false(screen_check(&o, &err));
	o.theme = NULL;
	o.keys = "j<Foo>";
	assert_false(screen_check(&o, &err));
	assert_non_null(strstr(err.message, "--keys: '<Foo>' is no key"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames),
		cmocka_unit_test(test_formats),
		cmocka_unit_test(test_options),
	};

	setenv("LC_ALL", "C.UTF-8", 1);
	setenv("TZ", "UTC", 1);
	unsetenv("NO_COLOR");
	if (setlocale(LC_CTYPE, "") == NULL) {
		fprintf(stderr, "skipped: there is no locale C.UTF-8\n");
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
