/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/support/scenes.h"

#include <stdio.h>
#include <string.h>

#include "core/share/fairshare.h"
#include "tests/support/busy.h"
#include "tests/support/data.h"
#include "tests/support/night.h"
#include "tests/support/sketch.h"

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

/* A real OpenPBS with several equivalence classes. */
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

/* Each job is pending because of a limit or a reservation. */
#define LIMITED \
	"physics 40\n" \
	"*assoc grp_tres=cpu=100 used.tres=cpu=96 grp_jobs=50 used.jobs=2\n" \
	"\t+alice 3 900000\n" \
	"\t+bob 1 1000\n" \
	"=PriorityWeightAge 1000\n=PriorityMaxAge 7-0\n" \
	"*partition name=batch job_factor=10 tier=1 nodes=4 max_time=3600\n" \
	"*qos name=small priority=10 usage_factor=1 grp_jobs=1 max_tres_user=cpu=40 " \
	"max_tres_run_mins_user=cpu=1000\n" \
	"*reservation name=maint start=1794220000 end=1794230000 qos=large\n" \
	"*job id=1 user=alice account=physics assoc=3 partition=batch qos=small name=runs " \
	"state=RUNNING submit=1794000000 end=1794211800 cpus=32 tres=cpu=32\n" \
	"*job id=2 user=alice account=physics assoc=3 partition=batch qos=small name=wide " \
	PENDING_("1794009600") " cpus=32 tres=cpu=32 reason=AssocGrpCpuLimit\n" \
	"*job id=3 user=alice account=physics assoc=3 partition=batch qos=small name=many " \
	"time_limit=600 " \
	PENDING_("1794009700") " cpus=16 tres=cpu=16 reason=QOSMaxCpuPerUserLimit\n" \
	"*job id=4 user=bob account=physics assoc=4 partition=batch qos=small name=later " \
	"time_limit=7200 reservation=maint " \
	PENDING_("1794009800") " cpus=1 tres=cpu=1 reason=Reservation\n"

/* The demo's queues and pools. */
#define POOLS "@demo:1,speed=0"

/* A real slurmctld with 37 pending jobs and some that have completed. */
#define STARTS "%2-backfill"
#define START_COLUMNS \
	"2:columns start,start_p10,start_p90<Enter>/22<Enter>"

/* A what-if that moves accounts and jobs. */
#define EDITS \
	"ashares:/physics = 5<Enter>aweight.fairshare = 70%<Enter>ajob:40.nice = -9000<Enter>" \
	"aqos:normal.priority = 20<Enter>"

#define OTHER_SETS \
	":next-set B fairer<Enter>ausage:/physics = 0<Enter>" \
	":next-set C<Enter>ajob:41.nice = 9000<Enter>"

/* A recording with a gap and a change of the policy. */
#define NIGHT "night"
#define BUSY "busy"		/* a recording in which jobs are pending, then end */

#define DEEP SCENE_DEEP "<Enter>"

/* Only the frame of 80x24 holds the hints of a view. */
#define EVERY_SIZE "60x16:1-15 80x24 120x40:1-39 200x60:1-59"

const struct scene scenes[] = {
	{ "tree", "60x16 80x24 120x40 200x60 120x40-ascii:3,5-22,32-38", FS_DEPTH_OBLIVIOUS,
	  "jjj", { TREE } },
	{ "light", "80x24:1-8", FS_DEPTH_OBLIVIOUS, "5jj", { TREE } },
	{ "inspect", "120x40:32-38", FS_DEPTH_OBLIVIOUS,
	  DEEP "rjjj", { TREE, "~300\n" TREE_LATER } },
	{ "overview", "120x40:32-38", FS_DEPTH_OBLIVIOUS, "*", { TREE } },
	{ "fair-tree", "120x40:1-2,5-22,32-33", FS_FAIR_TREE, DEEP, { TREE } },
	{ "folded", "80x24:6-9x1-20,23", FS_DEPTH_OBLIVIOUS, DEEP "jjh", { TREE } },
	{ "sorted", "80x24:5-22x1-20", FS_DEPTH_OBLIVIOUS, DEEP ">>>I", { TREE } },
	{ "flat", "80x24:2,5-7x1-20,23-24", FS_DEPTH_OBLIVIOUS, ":sort -usage<Enter>T", { TREE } },
	{ "column-jobs", "80x24:3-5,23-24", FS_DEPTH_OBLIVIOUS,
	  "2:columns rank,account<Enter>jLv", { JOBS } },
	{ "changed", "80x24:5-22", FS_DEPTH_OBLIVIOUS, DEEP "r", { TREE, TREE_LATER } },
	{ "filter", "80x24:2,5-12x1-20,23x60-80", FS_DEPTH_OBLIVIOUS,
	  "fuser=bob|user=grace<Enter>", { TREE } },
	{ "search", "80x24:5-11x1-20,23x60-80,24", FS_DEPTH_OBLIVIOUS, "/ar", { TREE } },
	{ "marked", "80x24:5-9x1-20,23", FS_DEPTH_OBLIVIOUS, DEEP "jj<Space><Space>", { TREE } },
	{ "limits", "120x40:3-7,21-22,32-34", FS_DEPTH_OBLIVIOUS,
	  DEEP ":columns pending,limit_use<Enter>j<Enter>", { LIMITED } },
	{ "details", "120x40:21-38", FS_DEPTH_OBLIVIOUS, DEEP "jjj<Enter>", { TREE } },
	{ "details-fair-tree", "80x24:3-22,24", FS_FAIR_TREE, DEEP "jjj<Enter>", { TREE } },
	{ "explain", "120x40:21-38,40", FS_DEPTH_OBLIVIOUS, DEEP "jjje<Tab><PgDn>", { TREE } },
	{ "compare", "80x24:3-22,24", FS_DEPTH_OBLIVIOUS, DEEP "jjj<Space>GkkC", { TREE } },
	{ "columns", "120x40:7-34x13-108,40", FS_DEPTH_OBLIVIOUS, "cjj<Space>", { TREE } },
	{ "help", "80x24:3-22,24", FS_DEPTH_OBLIVIOUS, "?", { TREE } },
	{ "help-end", "80x24:3-22", FS_DEPTH_OBLIVIOUS, "?G", { TREE } },
	{ "palette", "80x24:9-22,24", FS_DEPTH_OBLIVIOUS, "<C-p>so", { TREE } },
	{ "palette-keys", "80x24:9-14,24", FS_DEPTH_OBLIVIOUS, "<C-p>page", { TREE } },
	{ "command", "80x24:23-24", FS_DEPTH_OBLIVIOUS, ":so<Tab><Tab>", { TREE } },
	{ "policy", EVERY_SIZE, FS_DEPTH_OBLIVIOUS, "5jj", { TREE } },
	{ "what-if", "120x40:1-9,28-40 120x40-ascii:28-38", FS_DEPTH_OBLIVIOUS,
	  DEEP "w" EDITS, { JOBS } },
	{ "what-if-jobs", "120x40:1-9", FS_DEPTH_OBLIVIOUS, "2w" EDITS "M", { JOBS } },
	{ "what-if-policy", "80x24:2-8,23-24", FS_DEPTH_OBLIVIOUS, "5" EDITS "M", { JOBS } },
	{ "what-if-classes", "80x24:2-8,23-24", FS_DEPTH_OBLIVIOUS, "4" EDITS "M", { JOBS } },
	{ "what-if-pools", "80x24:2-16,23-24", -1,
	  "3apool:compute.long.share = 60<Enter>M", { POOLS } },
	{ "what-if-beside", "120x40:2,3x89-120,4-9,39-40", FS_DEPTH_OBLIVIOUS,
	  DEEP EDITS OTHER_SETS "B", { JOBS } },
	{ "what-if-beside-jobs", "120x40:2-9", FS_DEPTH_OBLIVIOUS,
	  "2" EDITS OTHER_SETS "B", { JOBS } },
	{ "what-if-vanished", "80x24:2,12-23", FS_DEPTH_OBLIVIOUS,
	  DEEP "ashares:/physics/astro:erin = 5<Enter>rwG", { TREE, TREE_LATER } },
	{ "what-if-empty", "80x24:12-23", FS_FAIR_TREE, DEEP "w", { TREE } },
	{ "what-if-wrong", "80x24:23-24", FS_DEPTH_OBLIVIOUS,
	  "ashares:/phisics = 3<Enter>", { JOBS } },
	{ "what-if-sets", "120x40:27-39", FS_DEPTH_OBLIVIOUS,
	  DEEP "w" EDITS ":next-set B fairer<Enter>ausage:/physics = 0<Enter>", { JOBS } },
	{ "forecast", "80x24:3-4,7-16x1-11,17-22,24x1-70", FS_DEPTH_OBLIVIOUS,
	  DEEP "j:forecast 0.36 20000<Enter>", { JOBS } },
	{ "seek", "120x40:17x6-115,19-20x6-115,24x6-115", FS_DEPTH_OBLIVIOUS,
	  DEEP "j:seek 0.5<Enter>", { JOBS } },
	{ "starts", "80x24:1-3 120x40:2-3,31-34,35x1-14", -1, START_COLUMNS, { STARTS } },
	{ "lint", "80x24:7-22,24", FS_DEPTH_OBLIVIOUS, DEEP "d", { JOBS } },
	{ "jobs", "80x24:2,4-6x1-20,19-21x1-20", FS_DEPTH_OBLIVIOUS, "2j", { TREE } },
	{ "jobs-details", "120x40:21-38", FS_DEPTH_OBLIVIOUS, "2j<Enter>", { TREE } },
	{ "jobs-explain", "120x40:21-38", FS_DEPTH_OBLIVIOUS, "2je", { TREE } },
	{ "jobs-compare", "120x40:5x1-20,21-38", FS_DEPTH_OBLIVIOUS, "2j<Space>jjC", { TREE } },
	{ "jobs-kinds", EVERY_SIZE " 120x40-ascii:2-9", FS_DEPTH_OBLIVIOUS, "2", { JOBS } },
	{ "jobs-open", "80x24:4-9x1-20,23", FS_DEPTH_OBLIVIOUS, "2jjl", { JOBS } },
	{ "jobs-held", "80x24:2-22", FS_DEPTH_OBLIVIOUS, "2fheld<Enter><Enter>", { JOBS } },
	{ "pools", EVERY_SIZE " 120x40-ascii:3-24", -1, "3j", { POOLS } },
	{ "pools-details", "120x40:21-38", -1, "3jj<Enter>", { POOLS } },
	{ "classes", "80x24", FS_DEPTH_OBLIVIOUS, "4j", { TREE } },
	{ "pbs-accounts", "120x40:1-2,3x100-120,4-12", -1, DEEP, { PBS } },
	{ "pbs-jobs", "120x40:2-6,32-38", -1, "2", { PBS } },
	{ "pbs-formula", "120x40:2,4,21-38", -1, "2e", { "=02_formula" } },
	{ "pbs-classes", "60x16:1-15 80x24:1-23 120x40:1-39 200x60:1-59", -1, "4j", { PBS } },
	{ "pbs-classes-details", "80x24:3-22", -1, "4j<Enter>", { PBS } },
	{ "pbs-classes-compare", "120x40:4x1-20,21-38", -1, "4<Space>jjjjC", { PBS } },
	{ "pbs-exclude", "80x24:3-22x5-76,24", -1, "4Xjjj", { PBS } },
	{ "pbs-excluded", "120x40:2,4-6x1-20,7-34x20-100,40", -1, "4XGkkkkkkk<Space>", { PBS } },
	{ "classes-details", "80x24:3-22", FS_DEPTH_OBLIVIOUS, "4j<Enter>", { TREE } },
	{ "source", "120x40:9-32x16-105,40x1-60", FS_DEPTH_OBLIVIOUS, "!", { TREE } },
	{ "policy-details", "120x40:21-38", FS_DEPTH_OBLIVIOUS, "5jj<Enter>", { TREE } },
	{ "loading", "80x24:1-12", FS_DEPTH_OBLIVIOUS, "", { NULL } },
	{ "error", "80x24:1-15", FS_DEPTH_OBLIVIOUS,
	  "", { "!slurmctld does not answer (no reply within 10 s)" } },
	{ "stale", "80x24:1,24", FS_DEPTH_OBLIVIOUS,
	  "r", { TREE, "!slurmctld does not answer (no reply within 10 s)" } },
	{ "forbidden", "80x24:2,9-11", FS_DEPTH_OBLIVIOUS,
	  ":filter user=alice<Enter>",
	  { "?accounts: hidden by PrivateData=accounts: ask for operator rights\n" } },
	{ "partly", "80x24:2-22", FS_DEPTH_OBLIVIOUS,
	  "!", { "?usage: hidden by PrivateData=usage\nphysics 40\n\t+alice 1 -\n\t+bob - 5\n" } },
	{ "unknown", "80x24:4-7", FS_DEPTH_OBLIVIOUS,
	  DEEP, { "?usage: hidden by PrivateData=usage\nphysics 40\n\t+alice 1 -\n\t+bob - 5\n" } },
	{ "past", "80x24:1-2,21-22 80x24-ascii:21-22", -1, "@02:00<Enter>", { NIGHT } },
	{ "past-gap", "80x24:1-2,21-22,24", -1, "@00:10<Enter>", { NIGHT } },
	{ "past-zoom", "80x24:21-22,24", -1, "@23:30<Enter>sss", { NIGHT } },
	{ "history",
	  "60x16:3-5,6x11-60,7-14 80x24:3-22,24 120x40:20-22,23x45-120,24-28,30-38 "
	  "200x60:3-5x121-200,7-21x121-200,23-37x121-200,39-58x121-200 "
	  "120x40-ascii:20-22,24-28,30-37", -1,
	  "jj6@23:00<Enter>", { NIGHT } },
	{ "history-marked", "120x40:20-22,23x80-120", -1,
	  "jj<Space><Space><Space>6@01:30<Enter>", { NIGHT } },
	{ "history-usage", "80x24:3-5,6x12-80,7-9", -1,
	  "j:history usage<Enter>@22:00<Enter>", { NIGHT } },
	{ "history-job", "80x24:3-20", -1, "2j6", { BUSY } },
	{ "backtest", "60x16:1-14 80x24:1-22,24 120x40:1-38 200x60:1-58 80x24-ascii:3-22", -1,
	  "7j<Right>", { SCENE_BACKTEST } },
	{ "difference", "120x40:20-38", -1, "D22:00<Enter>", { NIGHT } },
	{ "difference-below", "80x24:3-20,24", -1,
	  "2@03:00<Enter>D01:30<Enter>/another rank<Enter>", { NIGHT } },
	{ "history-none", "80x24:3-5,7-11,13-22", FS_DEPTH_OBLIVIOUS, "6", { TREE } },
	{ "sort-by", "80x24:3,4-21x1-6,22-23,24x1-68", FS_DEPTH_OBLIVIOUS,
	  ":sort -r<Enter><F6>", { TREE } },
	{ "timeline", "80x24:21-22 80x24-ascii:21-22", FS_DEPTH_OBLIVIOUS,
	  DEEP "rV", { TREE, "~300\n" TREE_LATER } },
	{ "what-if-pools-panel", "120x40:2-11,28-37", -1,
	  "3wapool:compute.long.share = 60<Enter>", { POOLS } },
	{ "what-if-empty", "80x16:8-15", FS_FAIR_TREE, "w", { TREE } },
	{ "what-if-empty", "100x17:9-16", FS_FAIR_TREE, "w", { TREE } },
	{ "what-if-jobs-empty", "60x16:8-15", FS_DEPTH_OBLIVIOUS, "2w", { JOBS } },
	{ "what-if-sets-many", "60x16:8-16", FS_DEPTH_OBLIVIOUS,
	  "wausage:/physics = 0<Enter>:next-set B<Enter>ausage:/physics = 0<Enter>"
	  ":next-set C<Enter>ausage:/physics = 1<Enter>:next-set B<Enter>", { JOBS } },
	{ "jobs-changed", "120x24:4-22x1-24", FS_DEPTH_OBLIVIOUS, "2r", { TREE, TREE_LATER } },
	{ "jobs-array", "120x40:21-38", FS_DEPTH_OBLIVIOUS, "2jj<Enter>", { JOBS } },
	{ "jobs-search", "80x24:4-9x1-20,24", FS_DEPTH_OBLIVIOUS, "2/afte<Enter>", { JOBS } },
	{ "jobs-percent-kinds", "120x24:4-9", FS_DEPTH_OBLIVIOUS, "2%%", { JOBS } },
	{ "pools-outside", "120x40:21-38", -1, "3G<Enter>", { POOLS } },
	{ "pbs-classes-off", "80x24:2-5,23-24", -1, "4E", { PBS } },
	{ "explain-end", "120x60:31-42,44-58 120x60-ascii:31-42,44-58,60", FS_DEPTH_OBLIVIOUS,
	  DEEP "jjje<Tab>G", { TREE } },
	{ "explain-beyond", "120x60-ascii:31-52,54-58", FS_DEPTH_OBLIVIOUS,
	  "ashares:/physics = 1<Enter>" DEEP "jjjje<Tab>G", { TREE } },
	{ "history-blocks", "80x24:3-20", -1,
	  "j:set chart blocks<Enter>:history usage,running<Enter>", { NIGHT } },
	{ "history-right", "200x60:3-5x121-200,7-8x121-200", -1, "jj<Space><Space>6", { NIGHT } },
	{ "clusters", "80x24 120x40:1-39 200x60:1-59 120x40-ascii:1-10", -1,
	  "", { SCENE_CLUSTERS } },
	{ "clusters-account", "120x40:2-8", -1, ":account physics<Enter>", { SCENE_CLUSTERS } },
	{ "clusters-light", "120x40:1-10", -1, "", { SCENE_CLUSTERS } },
	{ "small", "24x8 60x15:1-3,5x1-20,13x1-20,14x50-60 30x4", FS_DEPTH_OBLIVIOUS,
	  "", { TREE } },
	{ "tiny", "8x2", FS_DEPTH_OBLIVIOUS, "", { TREE } },
	{ "resized", "80x24:4-7x1-20,15", FS_DEPTH_OBLIVIOUS, DEEP "G<Resize:100x16>", { TREE } },
};
const size_t scenes_count = sizeof(scenes) / sizeof(scenes[0]);

const struct spoken spoken[] = {
	{ { "filter-none", "80x24", FS_DEPTH_OBLIVIOUS, "fF>2<Enter>", { TREE } },
	  { "FILTER F>2", "No match for F>2; Esc clears the filter", "0/0" } },
	{ { "filter-wrong", "80x24", FS_DEPTH_OBLIVIOUS, "fFF>2<Enter>", { TREE } },
	  { "filter: FF: no such column (did you mean effective_usage or effective_ratio?)",
	    "filter: FF>2" } },
	{ { "search-none", "80x24", FS_DEPTH_OBLIVIOUS, "/xyz", { TREE } },
	  { "no name contains 'xyz'", "/xyz" } },
	{ { "classic", "120x40", FS_CLASSIC, DEEP, { TREE } },
	  { "orion  classic  half-life 7 d",
	    "  S    Usage        U        R  under | over        F   Rank Running Pending" } },
	{ { "filter-path", "80x24", FS_DEPTH_OBLIVIOUS, "fuser=bob|user=grace<Enter>", { TREE } },
	  { "  1.404       │", "  1.434▲      │" } },
	{ { "flat-path", "80x24", FS_DEPTH_OBLIVIOUS, ":sort -usage<Enter>T", { TREE } },
	  { "↓Usage", "carol  …/hep/atlas " } },
	{ { "sorted-least", "80x24", FS_DEPTH_OBLIVIOUS, DEEP ">>>I", { TREE } },
	  { "↑Usage" } },
	{ { "scrolled", "80x24", FS_DEPTH_OBLIVIOUS,
	    DEEP "LLLLLLLLLLLLLLL", { TREE } },
	  { "◂  under | over         F    Rank  Running  Pending    Burn/h\n",
	    "Burn/h  billable TRES-seconds charged per hour by running jobs  ",
	    "no more columns to the right" } },
	{ { "frozen", "80x24", FS_DEPTH_OBLIVIOUS, "zFT", { TREE } },
	  { "FOLLOW   FLAT   FROZEN", "9/18" } },
	{ { "mine", "80x24", FS_DEPTH_OBLIVIOUS, "u", { TREE } },
	  { "MINE", "1/4" } },
	{ { "followed", "80x24", FS_DEPTH_OBLIVIOUS, DEEP "jjjF", { TREE } },
	  { "FOLLOW", "4/18" } },
	{ { "tour", "80x24", FS_DEPTH_OBLIVIOUS, "", { TREE } },
	  { "Tour 1 of 7: ↓  goes down; the most over-served is on top (:tour ends)" } },
	{ { "command-wrong", "80x24", FS_DEPTH_OBLIVIOUS, ":fly<Enter>", { TREE } },
	  { "unknown command 'fly' (? lists them)" } },
	{ { "forecast-job", "120x40", FS_DEPTH_OBLIVIOUS, "2jjjO", { JOBS } },
	  { "the job, at rank 4, passes job 41 (rank 3)",
	    "place         4th of 4, right behind job 41 [6]",
	    "start         the scheduler expects 04:53" } },
	{ { "starts-details", "80x24", -1, START_COLUMNS "<Enter>", { STARTS } },
	  { "reason   priority: 9 jobs asking for 2.3 CPU-hours are ahead of it in normal",
	    "place    10 of 37 in normal",
	    "ahead    job 32 of alice, by job size: 438 against 250" } },
	{ { "lint-do", "120x40", FS_DEPTH_OBLIVIOUS, "d", { POOLS } },
	  { "fix: lower its PRIORITY below 50, limit it with QJOB_LIMIT, or give it other" } },
	{ { "what-if-flipped", "80x24", FS_DEPTH_OBLIVIOUS, DEEP EDITS "b", { JOBS } },
	  { "BASE, WHAT-IF 4 edits OFF", "this is the base, without the edits" } },
	{ { "jobs-percent", "80x24", FS_DEPTH_OBLIVIOUS, "2%%", { TREE } },
	  { "terms in percent, in the columns Age to Nice" } },
	{ { "jobs-basic", "80x24", FS_DEPTH_OBLIVIOUS,
	    "2", { JOBS "=PriorityType priority/basic\n" } },
	  { "dependency 1  held 1\n",
	    " 1 alice     physics     PENDING priority                 -\n",
	    " 4 carol     biology     PENDING resources                -\n" } },
	{ { "jobs-no-accounting", "120x24", FS_DEPTH_OBLIVIOUS,
	    "2", { JOBS "=AccountingStorageType accounting_storage/none\n" } },
	  { "weights  ▓ partition 2,000  ▒ qos 500\n",
	    " 2500 ▓▓▓▓▓▓▓▓▓▓▓▓▓▒▒▒ ",
	    " 1500 ▓▓▓▓▓▓▒▒▒▒ " } },
	{ { "jobs-none", "80x24", FS_DEPTH_OBLIVIOUS, "2", { "physics 40\n\t+alice 1 5\n" } },
	  { "pending 0  weights  all 0", "The queue is empty: no job is pending or running." } },
	{ { "pools-none", "80x24", FS_DEPTH_OBLIVIOUS, "3", { "physics 40\n\t+alice 1 5\n" } },
	  { "[3 Pools]", "This cluster has no queue pools. fairtop --pools FILE tries some." } },
	{ { "classes-explain", "120x40", FS_DEPTH_OBLIVIOUS, "4je", { TREE } },
	  { "[4 Classes]", "class 0  by the rules of slurm" } },
	{ { "empty", "80x24", FS_DEPTH_OBLIVIOUS, "", { "" } },
	  { "accounts 0  users 0", "root", "1/1" } },
	{ { "past-end", "80x24", -1, "", { NIGHT } },
	  { "PAST 2026-05-04 05:00", "┃ 05:00\n", "sample 86 of 86" } },
	{ { "past-asked", "80x24", -1, "@", { NIGHT } },
	  { "go to:   30m ago, 09:30, yesterday 14:00, 2026-11-03 14:00" } },
	{ { "past-prompt", "80x24", -1, "@last week<Enter>", { NIGHT } },
	  { "\"last week\" is not a time (expected for example now, 2h ago, 09:30, yesterday\n",
	    "14:00, 2026-11-03 14:00 or Unix seconds)",
	    "go to: last week" } },
	{ { "past-jobs", "80x24", -1, "2@23:00<Enter>", { NIGHT } },
	  { "[2 Jobs]", "PAST 2026-05-03 23:00", "sample 25 of 86" } },
	{ { "past-play", "80x24", -1, "P[P", { NIGHT } },
	  { "PLAY 30m/s   PAST 2026-05-03 21:00", "sample 1 of 86", "playing 30m a second" } },
	{ { "backtest-then", "120x40", -1, "7<S-Left><Enter>2", { BUSY } },
	  { "busy (easy)", "SIMULATED 2026-05-04 18:01:59", "17:39:49  sample 42 of 103" } },
	{ { "backtest-back", "80x24", -1, "7<Enter>2=", { BUSY } },
	  { "[2 Jobs]", "PAST 2026-05-06 00:04:49", "sample 103 of 103" } },
	{ { "offered", "80x24", FS_DEPTH_OBLIVIOUS, "ji", { TREE } },
	  { "what if shares:/physics = 40  raw shares of an account or user, or parent" } },
	{ { "filter-prompt", "80x24", FS_DEPTH_OBLIVIOUS, "fus<Tab>", { TREE } },
	  { "1 of 3; Tab shows the next", "filter: user" } },
	{ { "jobs-of-account", "80x24", FS_DEPTH_OBLIVIOUS, DEEP "jjjx", { TREE } },
	  { "FILTER user=\"alice\"", "1/5" } },
	{ { "jobs-follow", "80x24", FS_DEPTH_OBLIVIOUS, "2jjF", { JOBS } },
	  { "FOLLOW", "3/6" } },
	{ { "jobs-copy", "80x24", FS_DEPTH_OBLIVIOUS, "2jjy", { JOBS } },
	  { "copied 41" } },
	{ { "pbs-classes-jobs", "80x24", -1, "4jl", { PBS } },
	  { "[2 Jobs]", "FILTER (id>=109 id<=117)|(id>=124 id<=128)|id=1", "1/15" } },
	{ { "past-step", "80x24", -1, "@1h ago<Enter>]", { NIGHT } },
	  { "2026-05-04 04:05:00", "sample 75 of 86" } },
};
const size_t spoken_count = sizeof(spoken) / sizeof(spoken[0]);

/* The directory NAME of tests/data/starts; its name does not depend on the path. */
static struct source *starts_source(const char *name)
{
	char file[100], path[4096], spec[4200];
	struct source *source;

	(void)snprintf(file, sizeof(file), "starts/%s", name);
	(void)snprintf(spec, sizeof(spec), "slurm:%s", data_path(file, path, sizeof(path)));
	source = source_open(spec, NULL);
	if (source)
		(void)snprintf(source->name, sizeof(source->name), "slurm:%s", name);
	return source;
}

/* A sketch, the source named after an @, one of tests/data/starts, or a recording. */
struct source *scene_source(const struct scene *s)
{
	if (s->texts[0] && strcmp(s->texts[0], NIGHT) == 0)
		return night_source();
	if (s->texts[0] && strcmp(s->texts[0], BUSY) == 0)
		return night_source_of(BUSY, busy_record);
	if (s->texts[0] && s->texts[0][0] == '@')
		return source_open(s->texts[0] + 1, NULL);
	if (s->texts[0] && s->texts[0][0] == '%')
		return starts_source(s->texts[0] + 1);
	return sketch_source(s->texts, s->algorithm);
}
