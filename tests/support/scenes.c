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

/* A real slurmctld with 37 jobs that wait, of which something has ended. */
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
#define BUSY "busy"		/* a recording in which jobs wait and end */

#define DEEP SCENE_DEEP "<Enter>"

#define EVERY_SIZE "60x16 80x24 120x40 200x60"

const struct scene scenes[] = {
	{ "tree", EVERY_SIZE " 120x40-ascii", FS_DEPTH_OBLIVIOUS, "jjj", { TREE } },
	{ "need", EVERY_SIZE, -1, "", { POOLS } },
	{ "light", "80x24", -1, "", { POOLS } },
	{ "inspect", "120x40 120x40-ascii", -1, "jj", { POOLS } },
	{ "sweep", "80x24", -1, "4", { POOLS } },
	{ "forecast-job", "120x40", -1, "2jjjjjjjjjO", { POOLS } },
	{ "overview", "120x40 120x40-ascii", FS_DEPTH_OBLIVIOUS, "*", { TREE } },
	{ "classic", "120x40", FS_CLASSIC, DEEP, { TREE } },
	{ "fair-tree", "120x40", FS_FAIR_TREE, DEEP, { TREE } },
	{ "folded", "80x24", FS_DEPTH_OBLIVIOUS, DEEP "jjh", { TREE } },
	{ "sorted", "80x24", FS_DEPTH_OBLIVIOUS, DEEP ">>>I", { TREE } },
	{ "flat", "80x24", FS_DEPTH_OBLIVIOUS, ":sort -usage<Enter>T", { TREE } },
	{ "scrolled", "80x24", FS_DEPTH_OBLIVIOUS, DEEP "LLLLLLLLLLLLLLL", { TREE } },
	{ "column", "80x24", FS_DEPTH_OBLIVIOUS, DEEP "jjLLL", { TREE } },
	{ "column-jobs", "80x24", FS_DEPTH_OBLIVIOUS, "2jLLv", { JOBS } },
	{ "changed", "80x24", FS_DEPTH_OBLIVIOUS, DEEP "r", { TREE, TREE_LATER } },
	{ "changed-over", "120x40 120x40-ascii", FS_DEPTH_OBLIVIOUS,
	  DEEP "rjjjj", { TREE, TREE_LATER } },
	{ "filter", "80x24", FS_DEPTH_OBLIVIOUS, "fuser=bob|user=grace<Enter>", { TREE } },
	{ "filter-none", "80x24", FS_DEPTH_OBLIVIOUS, "fF>2<Enter>", { TREE } },
	{ "filter-wrong", "80x24", FS_DEPTH_OBLIVIOUS, "fFF>2<Enter>", { TREE } },
	{ "search", "80x24", FS_DEPTH_OBLIVIOUS, "/ar", { TREE } },
	{ "search-none", "80x24", FS_DEPTH_OBLIVIOUS, "/xyz", { TREE } },
	{ "marked", "80x24", FS_DEPTH_OBLIVIOUS, DEEP "jj<Space><Space>", { TREE } },
	{ "frozen", "80x24", FS_DEPTH_OBLIVIOUS, "zFT", { TREE } },
	{ "mine", "80x24", FS_DEPTH_OBLIVIOUS, "u", { TREE } },
	{ "followed", "80x24", FS_DEPTH_OBLIVIOUS, DEEP "jjjF", { TREE } },
	{ "tour", "80x24", FS_DEPTH_OBLIVIOUS, "", { TREE } },
	{ "limits", "120x40", FS_DEPTH_OBLIVIOUS,
	  DEEP ":columns +limit_use<Enter>j<Enter>", { LIMITED } },
	{ "details", "120x40 120x40-ascii", FS_DEPTH_OBLIVIOUS, DEEP "jjj<Enter>", { TREE } },
	{ "details-fair-tree", "80x24", FS_FAIR_TREE, DEEP "jjj<Enter>", { TREE } },
	{ "explain", "120x40", FS_DEPTH_OBLIVIOUS, DEEP "jjje<Tab><PgDn>", { TREE } },
	{ "compare", "80x24 120x40", FS_DEPTH_OBLIVIOUS, DEEP "jjj<Space>GkkC", { TREE } },
	{ "columns", "120x40", FS_DEPTH_OBLIVIOUS, "cjj<Space>", { TREE } },
	{ "help", "80x24 80x24-ascii", FS_DEPTH_OBLIVIOUS, "?", { TREE } },
	{ "help-end", "80x24", FS_DEPTH_OBLIVIOUS, "?G", { TREE } },
	{ "palette", "80x24", FS_DEPTH_OBLIVIOUS, "<C-p>so", { TREE } },
	{ "palette-keys", "80x24", FS_DEPTH_OBLIVIOUS, "<C-p>page", { TREE } },
	{ "command", "80x24", FS_DEPTH_OBLIVIOUS, ":so<Tab><Tab>", { TREE } },
	{ "command-wrong", "80x24", FS_DEPTH_OBLIVIOUS, ":fly<Enter>", { TREE } },
	{ "policy", EVERY_SIZE, FS_DEPTH_OBLIVIOUS, "5jj", { TREE } },
	{ "what-if", "120x40 120x40-ascii", FS_DEPTH_OBLIVIOUS, DEEP "w" EDITS, { JOBS } },
	{ "what-if-jobs", "120x40", FS_DEPTH_OBLIVIOUS, "2w" EDITS "M", { JOBS } },
	{ "what-if-policy", "80x24", FS_DEPTH_OBLIVIOUS, "5" EDITS "M", { JOBS } },
	{ "what-if-classes", "80x24", FS_DEPTH_OBLIVIOUS, "4" EDITS "M", { JOBS } },
	{ "what-if-pools", "80x24", -1, "3apool:compute.long.share = 60<Enter>M", { POOLS } },
	{ "what-if-beside", "120x40", FS_DEPTH_OBLIVIOUS, DEEP EDITS OTHER_SETS "B", { JOBS } },
	{ "what-if-beside-jobs", "120x40", FS_DEPTH_OBLIVIOUS, "2" EDITS OTHER_SETS "B", { JOBS } },
	{ "what-if-vanished", "80x24", FS_DEPTH_OBLIVIOUS,
	  DEEP "ashares:/physics/astro:erin = 5<Enter>rwG", { TREE, TREE_LATER } },
	{ "what-if-empty", "80x24", FS_FAIR_TREE, DEEP "w", { TREE } },
	{ "what-if-wrong", "80x24", FS_DEPTH_OBLIVIOUS, "ashares:/phisics = 3<Enter>", { JOBS } },
	{ "what-if-sets", "120x40", FS_DEPTH_OBLIVIOUS,
	  DEEP "w" EDITS ":next-set B fairer<Enter>ausage:/physics = 0<Enter>", { JOBS } },
	{ "forecast", "80x24 80x24-ascii", FS_DEPTH_OBLIVIOUS,
	  DEEP "j:forecast 0.36 20000<Enter>", { JOBS } },
	{ "seek", "120x40", FS_DEPTH_OBLIVIOUS, DEEP "j:seek 0.5<Enter>", { JOBS } },
	{ "starts", "80x24 120x40", -1, START_COLUMNS, { STARTS } },
	{ "starts-details", "80x24-ascii", -1, START_COLUMNS "<Enter>", { STARTS } },
	{ "lint", "80x24", FS_DEPTH_OBLIVIOUS, DEEP "d", { JOBS } },
	{ "lint-do", "120x40", FS_DEPTH_OBLIVIOUS, "d", { POOLS } },
	{ "what-if-flipped", "80x24", FS_DEPTH_OBLIVIOUS, DEEP EDITS "b", { JOBS } },
	{ "jobs", "80x24", FS_DEPTH_OBLIVIOUS, "2j", { TREE } },
	{ "jobs-details", "120x40", FS_DEPTH_OBLIVIOUS, "2j<Enter>", { TREE } },
	{ "jobs-explain", "120x40", FS_DEPTH_OBLIVIOUS, "2je", { TREE } },
	{ "jobs-compare", "120x40", FS_DEPTH_OBLIVIOUS, "2j<Space>jjC", { TREE } },
	{ "jobs-percent", "80x24", FS_DEPTH_OBLIVIOUS, "2%%", { TREE } },
	{ "jobs-kinds", EVERY_SIZE " 120x40-ascii", FS_DEPTH_OBLIVIOUS, "2", { JOBS } },
	{ "jobs-open", "80x24", FS_DEPTH_OBLIVIOUS, "2jjl", { JOBS } },
	{ "jobs-held", "80x24", FS_DEPTH_OBLIVIOUS, "2fheld<Enter><Enter>", { JOBS } },
	{ "jobs-none", "80x24", FS_DEPTH_OBLIVIOUS, "2", { "physics 40\n\t+alice 1 5\n" } },
	{ "pools", EVERY_SIZE " 120x40-ascii", -1, "3j", { POOLS } },
	{ "pools-details", "120x40", -1, "3jj<Enter>", { POOLS } },
	{ "pools-explain", "120x40", -1, "3jje", { POOLS } },
	{ "pools-none", "80x24", FS_DEPTH_OBLIVIOUS, "3", { "physics 40\n\t+alice 1 5\n" } },
	{ "classes", "80x24", FS_DEPTH_OBLIVIOUS, "4j", { TREE } },
	{ "pbs-accounts", "120x40", -1, DEEP, { PBS } },
	{ "pbs-jobs", "120x40", -1, "2", { PBS } },
	{ "pbs-formula", "120x40", -1, "2e", { "=02_formula" } },
	{ "pbs-classes", EVERY_SIZE " 120x40-ascii", -1, "4j", { PBS } },
	{ "pbs-classes-details", "80x24", -1, "4j<Enter>", { PBS } },
	{ "pbs-classes-compare", "120x40", -1, "4<Space>jjjjC", { PBS } },
	{ "pbs-exclude", "80x24", -1, "4Xjjj", { PBS } },
	{ "pbs-excluded", "120x40", -1, "4XGkkkkkkk<Space>", { PBS } },
	{ "classes-explain", "120x40", FS_DEPTH_OBLIVIOUS, "4je", { TREE } },
	{ "classes-details", "80x24", FS_DEPTH_OBLIVIOUS, "4j<Enter>", { TREE } },
	{ "source", "120x40", FS_DEPTH_OBLIVIOUS, "!", { TREE } },
	{ "policy-details", "120x40", FS_DEPTH_OBLIVIOUS, "5jj<Enter>", { TREE } },
	{ "loading", "80x24", FS_DEPTH_OBLIVIOUS, "", { NULL } },
	{ "error", "80x24", FS_DEPTH_OBLIVIOUS,
	  "", { "!slurmctld does not answer (no reply within 10 s)" } },
	{ "stale", "80x24", FS_DEPTH_OBLIVIOUS,
	  "r", { TREE, "!slurmctld does not answer (no reply within 10 s)" } },
	{ "empty", "80x24", FS_DEPTH_OBLIVIOUS, "", { "" } },
	{ "forbidden", "80x24", FS_DEPTH_OBLIVIOUS,
	  ":filter user=alice<Enter>",
	  { "?accounts: hidden by PrivateData=accounts: ask for operator rights\n" } },
	{ "partly", "80x24", FS_DEPTH_OBLIVIOUS,
	  "!", { "?usage: hidden by PrivateData=usage\nphysics 40\n\t+alice 1 -\n\t+bob - 5\n" } },
	{ "unknown", "80x24", FS_DEPTH_OBLIVIOUS,
	  DEEP, { "?usage: hidden by PrivateData=usage\nphysics 40\n\t+alice 1 -\n\t+bob - 5\n" } },
	{ "past-end", "80x24", -1, "", { NIGHT } },
	{ "past", "80x24 80x24-ascii", -1, "@02:00<Enter>", { NIGHT } },
	{ "past-gap", "80x24", -1, "@00:10<Enter>", { NIGHT } },
	{ "past-zoom", "80x24", -1, "@23:30<Enter>sss", { NIGHT } },
	{ "past-asked", "80x24", -1, "@", { NIGHT } },
	{ "past-prompt", "80x24", -1, "@last week<Enter>", { NIGHT } },
	{ "past-jobs", "80x24", -1, "2@23:00<Enter>", { NIGHT } },
	{ "past-play", "80x24", -1, "P[P", { NIGHT } },
	{ "history", EVERY_SIZE " 120x40-ascii", -1, "jj6@23:00<Enter>", { NIGHT } },
	{ "history-marked", "120x40", -1, "jj<Space><Space><Space>6@01:30<Enter>", { NIGHT } },
	{ "history-usage", "80x24", -1, "j:history usage<Enter>@22:00<Enter>", { NIGHT } },
	{ "history-job", "80x24", -1, "2jjj6@3h ago<Enter>s", { NIGHT } },
	{ "backtest", EVERY_SIZE " 80x24-ascii", -1, "7j<Right>", { BUSY } },
	{ "backtest-then", "120x40", -1, "7<S-Left><Enter>2", { BUSY } },
	{ "backtest-back", "80x24", -1, "7<Enter>2=", { BUSY } },
	{ "difference", "120x40", -1, "D22:00<Enter>", { NIGHT } },
	{ "difference-below", "80x24", -1,
	  "2@03:00<Enter>D01:30<Enter>/another rank<Enter>", { NIGHT } },
	{ "history-none", "80x24", FS_DEPTH_OBLIVIOUS, "6", { TREE } },
	{ "offered", "80x24", FS_DEPTH_OBLIVIOUS, "ji", { TREE } },
	{ "sort-by", "80x24", FS_DEPTH_OBLIVIOUS, ":sort -r<Enter><F6>", { TREE } },
	{ "filter-prompt", "80x24", FS_DEPTH_OBLIVIOUS, "fus<Tab>", { TREE } },
	{ "timeline", "80x24 80x24-ascii", FS_DEPTH_OBLIVIOUS,
	  DEEP "rV", { TREE, "~300\n" TREE_LATER } },
	{ "what-if-pools-panel", "120x40", -1,
	  "3wapool:compute.long.share = 60<Enter>", { POOLS } },
	{ "what-if-empty", "80x16", FS_FAIR_TREE, "w", { TREE } },
	{ "what-if-empty", "100x17", FS_FAIR_TREE, "w", { TREE } },
	{ "what-if-jobs-empty", "60x16", FS_DEPTH_OBLIVIOUS, "2w", { JOBS } },
	{ "what-if-sets-many", "60x16", FS_DEPTH_OBLIVIOUS,
	  "wausage:/physics = 0<Enter>:next-set B<Enter>ausage:/physics = 0<Enter>"
	  ":next-set C<Enter>ausage:/physics = 1<Enter>:next-set B<Enter>", { JOBS } },
	{ "jobs-of-account", "80x24", FS_DEPTH_OBLIVIOUS, DEEP "jjjx", { TREE } },
	{ "jobs-changed", "120x24", FS_DEPTH_OBLIVIOUS, "2r", { TREE, TREE_LATER } },
	{ "jobs-array", "120x40", FS_DEPTH_OBLIVIOUS, "2jj<Enter>", { JOBS } },
	{ "jobs-follow", "80x24", FS_DEPTH_OBLIVIOUS, "2jjF", { JOBS } },
	{ "jobs-copy", "80x24", FS_DEPTH_OBLIVIOUS, "2jjy", { JOBS } },
	{ "jobs-search", "80x24", FS_DEPTH_OBLIVIOUS, "2/afte<Enter>", { JOBS } },
	{ "jobs-basic", "80x24 80x24-ascii", FS_DEPTH_OBLIVIOUS,
	  "2", { JOBS "=PriorityType priority/basic\n" } },
	{ "jobs-no-accounting", "120x24", FS_DEPTH_OBLIVIOUS,
	  "2", { JOBS "=AccountingStorageType accounting_storage/none\n" } },
	{ "jobs-percent-kinds", "120x24", FS_DEPTH_OBLIVIOUS, "2%%", { JOBS } },
	{ "pools-outside", "120x40", -1, "3G<Enter>", { POOLS } },
	{ "pbs-classes-jobs", "80x24", -1, "4jl", { PBS } },
	{ "pbs-classes-off", "80x24", -1, "4E", { PBS } },
	{ "explain-end", "120x60 120x60-ascii", FS_DEPTH_OBLIVIOUS,
	  DEEP "jjje<Tab>G", { TREE } },
	{ "explain-beyond", "120x60-ascii", FS_DEPTH_OBLIVIOUS,
	  "ashares:/physics = 1<Enter>" DEEP "jjjje<Tab>G", { TREE } },
	{ "past-step", "80x24", -1, "@1h ago<Enter>]", { NIGHT } },
	{ "history-blocks", "80x24", -1,
	  "j:set chart blocks<Enter>:history usage,running<Enter>", { NIGHT } },
	{ "history-right", "200x60", -1, "jj<Space><Space>6", { NIGHT } },
	{ "clusters", "80x24 120x40 200x60 120x40-ascii", -1, "", { SCENE_CLUSTERS } },
	{ "clusters-account", "120x40", -1, ":account physics<Enter>", { SCENE_CLUSTERS } },
	{ "clusters-light", "120x40", -1, "", { SCENE_CLUSTERS } },
	{ "small", "24x8 60x15 30x4", FS_DEPTH_OBLIVIOUS, "", { TREE } },
	{ "tiny", "8x2", FS_DEPTH_OBLIVIOUS, "", { TREE } },
	{ "resized", "80x24", FS_DEPTH_OBLIVIOUS, DEEP "G<Resize:100x16>", { TREE } },
};
const size_t scenes_count = sizeof(scenes) / sizeof(scenes[0]);

/* What NAME of tests/data/starts holds; wherever that lies, its name is the same. */
static struct source *starts_source(const char *name)
{
	char file[100], path[4096], spec[4200];
	struct source *source;

	(void)snprintf(file, sizeof file, "starts/%s", name);
	(void)snprintf(spec, sizeof spec, "slurm:%s", data_path(file, path, sizeof path));
	source = source_open(spec, NULL);
	if (source != NULL)
		(void)snprintf(source->name, sizeof source->name, "slurm:%s", name);
	return source;
}

/* A sketch, the source named behind an @, a picture of starts, or the recording of a night. */
struct source *scene_source(const struct scene *s)
{
	if (s->texts[0] != NULL && strcmp(s->texts[0], NIGHT) == 0)
		return night_source();
	if (s->texts[0] != NULL && strcmp(s->texts[0], BUSY) == 0)
		return night_source_of(BUSY, busy_record);
	if (s->texts[0] != NULL && s->texts[0][0] == '@')
		return source_open(s->texts[0] + 1, NULL);
	if (s->texts[0] != NULL && s->texts[0][0] == '%')
		return starts_source(s->texts[0] + 1);
	return sketch_source(s->texts, s->algorithm);
}
