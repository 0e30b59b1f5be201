/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs, the meaning of exit statuses, and help: the tables of the command line. */
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/registry/apart.h"
#include "config.h"
#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/whatif/changes_list.h"
#include "cli/guesses.h"
#include "cli/help_topics.h"
#include "cli/session.h"

const struct verb_info verb_info[VERB_COUNT] = {
	[VERB_SCREEN] = {
		NULL, "[SOURCE...]", 0, 1 + OBJECTS_MAX, false,
		"watch a cluster",
		"The screen: the account tree with the quantities of its algorithm, refreshed "
		"while you look. Press ? for the keys. Several SOURCEs open an overview, a row "
		"for each; Enter opens one, Esc returns.",
		verb_screen, 0, NULL, NULL
	},
	[VERB_ACCOUNTS] = {
		"accounts", "[SOURCE...]", 0, 1 + OBJECTS_MAX, false,
		"the account tree: shares, usage and fair share of each account and user",
		"One row per association, in the order of the tree. A table shows the quantities "
		"of the algorithm in effect; JSON and CSV have all of them. With several sources "
		"the first column is the cluster; a scheduler that does not answer is left out.",
		NULL, NEED_SHARES | NEED_POLICY, accounts_answer, NULL
	},
	[VERB_JOBS] = {
		"jobs", "[SOURCE...]", 0, 1 + OBJECTS_MAX, false,
		"the queue: priority, its factors and the rank of each job",
		"One row per job, partition and QOS. The priority is computed from the job and "
		"the policy, factor by factor; the rank is the job's place in the order in which "
		"the scheduler considers jobs. A table is sorted by rank, jobs without one at the "
		"end; JSON and CSV keep the order of the source. With several sources the first "
		"column is the cluster; a scheduler that does not answer is left out.",
		NULL, NEED_JOBS | NEED_KNOWN_JOBS | NEED_POLICY, jobs_answer, "rank"
	},
	[VERB_CLASSES] = {
		"classes", "[SOURCE]", 0, 1, false,
		"groups of jobs that are identical to the scheduler",
		"One row per equivalence class: what its jobs have in common, how many are "
		"pending and running, their first and last rank, and why the first of them is "
		"pending, which holds for all of them.",
		NULL, NEED_KNOWN_JOBS | (NEED_ALL & ~(uint32_t)NEED_LICENSES), classes_answer, NULL
	},
	[VERB_CYCLE] = {
		"cycle", "[SOURCE]", 0, 1, false,
		"simulate one scheduling cycle",
		"Considers the jobs in the order of their ranks, against what is free on each "
		"node (on LSF: against the free slots of all usable hosts), and prints the log of "
		"that cycle. With --old it is the log without classes. As JSON or CSV, or with "
		"--columns, --sort or --filter, it is one row per job.",
		NULL, NEED_KNOWN_JOBS | (NEED_ALL & ~(uint32_t)NEED_LICENSES), cycle_answer, NULL
	},
	[VERB_POOLS] = {
		"pools", "[SOURCE]", 0, 1, false,
		"queue pools: shares, slots allotted, and which queue is tried first",
		"One row per queue: its share of the slots, what it is allotted in this cycle "
		"after all rounds, what it uses, and what is pending. Pools come from LSF's "
		"SLOT_POOL and SLOT_SHARE, or from a file that makes pools of partitions or "
		"queues.",
		NULL, NEED_JOBS | NEED_HOSTS | NEED_PARTITIONS | NEED_POLICY, pools_answer, NULL
	},
	[VERB_LINT] = {
		"lint", "[SOURCE]", 0, 1, false,
		"problems of a configuration: file, line, rule, and fix",
		"Checks the priorities, flags, shares and charges of Slurm, the shares, queues, "
		"formula and decay of PBS, and queue pools against the restrictions in LSF's "
		"documents. Exits 1 if there are errors; warnings alone are not a failure. A "
		"suggestion is an edit for --set if there is one.",
		NULL, NEED_ALL, lint_answer, NULL
	},
	[VERB_EXPLAIN] = {
		"explain", "[SOURCE] OBJECT", 2, 2, false,
		"how a fair share, the priority of a job or the slots of a queue are computed",
		"OBJECT is account:NAME, user:NAME@ACCOUNT, user:NAME@ACCOUNT@PARTITION, a path "
		"as the accounts table shows it, job:ID or job:ID_TASK, class:N, queue:NAME or "
		"pool:NAME; or a name or number that is unique. Each number is the one that the "
		"engine computed with.",
		verb_explain, 0, NULL, NULL
	},
	[VERB_WHY] = {
		"why", "[SOURCE] [JOB|USER]", 0, 2, false,
		"why a job is pending, when it starts, and what would help",
		"For a job: the reasons, its rank, the jobs directly ahead, when it starts in the "
		"simulation of starts, which changes by its owner would let it start sooner, with "
		"their commands, and what is unknown. For a user: a line for each pending job, the "
		"worst first; without JOB or USER, your own jobs. JOB is ID, ID_TASK or job:ID; "
		"USER is NAME, or user:NAME if that is a number or a source. In a recording also "
		"what a running or ended job waited for; a job that is gone is answered as of the "
		"last sample that has it. Starts are simulated for Slurm only.",
		verb_why, 0, NULL, NULL
	},
	[VERB_COMPARE] = {
		"compare", "[SOURCE] OBJECT OBJECT", 3, 3, false,
		"why one of two accounts, users or jobs comes before the other",
		"One sentence with the numbers, then everything that was compared. For two jobs "
		"also what would reverse their order; for two classes of jobs how they differ.",
		verb_compare, 0, NULL, NULL
	},
	[VERB_WHATIF] = {
		"whatif", "[SOURCE]", 0, 1, false,
		"what edits would change: values before and after, ranks gained and lost",
		"Makes the edits of --set and --what-if in a copy of what was read, computes it "
		"with the same engine, and compares the two; the scheduler is not changed. "
		"--beside compares further sets of edits. --export writes the commands that would "
		"make the changes on the cluster.",
		verb_whatif, 0, NULL, NULL
	},
	[VERB_FORECAST] = {
		"forecast", "[SOURCE] OBJECT", 2, 2, false,
		"when an account's fair share reaches a value, or a job passes the one before it",
		"Computed exactly, pass by pass, with the scheduler's decay. All others go on as "
		"today; OBJECT keeps its burn rate, burns nothing, or burns a rate of billable "
		"TRES-seconds per hour. Resets by PriorityUsageResetPeriod are included; jobs that "
		"will start or end are not.",
		verb_forecast, 0, NULL, NULL
	},
	[VERB_SEEK] = {
		"seek", "[SOURCE] OBJECT", 2, 2, false,
		"which single edit reaches a goal, the smallest change first",
		"For an account or user the goal is a fair-share factor; for a job it is a rank, "
		"or the time by which it starts (--start, Slurm only). It tries the shares of the "
		"association and of all above it and, for a job, each weight and its nice value. "
		"An edit that cannot reach the goal says why.",
		verb_seek, 0, NULL, NULL
	},
	[VERB_VERIFY] = {
		"verify", "[SOURCE]", 0, 1, false,
		"recompute what the scheduler reports, and compare",
		"Everything is computed twice, from the usage ratios that the scheduler reports "
		"and from raw usage, and compared with the scheduler's results. Tolerances follow "
		"from the precision of what was read; the one shown is that of the worst row. "
		"Exits 0 if everything comparable is equal, 1 if anything differs, 4 if nothing is "
		"comparable now, with the reason and how long to wait. While jobs run, "
		"depth-oblivious ratios mix usage of two passes. A single sample then settles only "
		"part of them: verify exits 1 if that part differs, 4 if it is equal; --wait, or a "
		"recording with a sample of the pass before, settles all.",
		NULL, VERIFY_NEEDS,
		verify_answer, NULL
	},
	[VERB_POLICY] = {
		"policy", "[SOURCE]", 0, 1, false,
		"the parameters of the multifactor plugin: value, default, unit, meaning",
		"One row per parameter and per word of PriorityFlags, and the next usage reset. "
		"The column from separates what was read from what was assumed.",
		NULL, NEED_POLICY, policy_answer, NULL
	},
	[VERB_SNAPSHOT] = {
		"snapshot", "[SOURCE]", 0, 1, false,
		"write the whole cluster to one file that fairtop can read again",
		"Writes fairtop-snapshot(5) to standard output: for bug reports, for tests, and "
		"for later use.",
		NULL, NEED_ALL, snapshot_answer, NULL
	},
	[VERB_RECORD] = {
		"record", "SOURCE -o FILE", 1, 1, false,
		"record a cluster, sample after sample, until stopped",
		"Asks SOURCE again and again and keeps each answer in FILE, a recording "
		"(fairtop-recording(5)). It is a source itself: fairtop FILE shows its end, --at "
		"an earlier time, --follow new samples. Outages of the source are kept as gaps. An "
		"existing recording is continued. One program at a time can write, any number can "
		"read.",
		verb_record, 0, NULL, NULL
	},
	[VERB_THIN] = {
		"thin", "FILE --keep AGES", 1, 1, false,
		"remove old samples from a recording, by age",
		"Does at once in FILE what record --keep does over time, and frees the space. "
		"Start and end of each job, changes of parameters and gaps are kept. If it is "
		"interrupted, the next call continues; the samples to keep are never at risk.",
		verb_thin, 0, NULL, NULL
	},
	[VERB_METRICS] = {
		"metrics", "[SOURCE...]", 0, 1 + OBJECTS_MAX, false,
		"fair share, waits and limits as metrics for Prometheus",
		"Writes Prometheus' text format (0.0.4), for node_exporter's textfile collector "
		"or any other that reads it: accounts, with --users or --filter also users, no "
		"single jobs. Writes once, or with --every until a signal comes, and then, as for "
		"a recording, with the waits of the jobs that started meanwhile. Several sources "
		"must be different clusters. A source that does not answer is reported in FILE, "
		"in place of its earlier metrics.",
		verb_metrics, 0, NULL, NULL
	},
	[VERB_WATCH] = {
		"watch", "[SOURCE...]", 0, 1 + OBJECTS_MAX, false,
		"report when alarms start and end, or run a program then",
		"Asks each SOURCE every minute, or as --every says, until a signal comes, and "
		"writes a line for each alarm that starts or ends, with its cluster. Several "
		"sources do not wait for each other. Rules are those of --rule and the lines alarm "
		"NAME VIEW EXPRESSION [until EXPRESSION] [for TIME] of fairtop.conf: an alarm "
		"starts when a row of VIEW has matched EXPRESSION, a filter, for TIME, and ends "
		"when it has not matched for TIME, or has matched the expression after until.",
		verb_watch, 0, NULL, NULL
	},
	[VERB_IMPORT] = {
		"import", "KIND INPUT... -o FILE", 2, 1 + OBJECTS_MAX, false,
		"make a recording from the logs of a scheduler",
		"KIND is swf (Standard Workload Format), sacct (sacct -P with its header), "
		"pbs-accounting or lsf-acct (lsb.acct, lsb.events); INPUT may be compressed with "
		"gzip, - is standard input. Jobs are pending and run in the recording as they "
		"did, and usage is charged and decays as in Slurm (for lsf-acct with --tree as in "
		"LSF): within 1e-9 of slurmctld's if --passes gives the times of its decay "
		"passes, otherwise within the decay of two periods (0.07 % at 300s and 7d). FILE "
		"must be new.",
		verb_import, 0, NULL, NULL
	},
	[VERB_HISTORY] = {
		"history", "FILE OBJECT...", 2, 1 + OBJECTS_MAX, false,
		"accounts, users, jobs or queues over the time of a recording",
		"One row per sample and OBJECT, with its columns as they were; with --every, for "
		"the last sample of each such step only. Objects are written as for explain: "
		"accounts and users together, or jobs, or queues. Rows are written as they are "
		"read, unless --sort is given.",
		verb_history, 0, NULL, NULL
	},
	[VERB_DIFF] = {
		"diff", "FILE", 1, 1, false,
		"what changed between two times of a recording",
		"One row per changed value: shares, usage, fair share and rank of each account and "
		"user, and the policy. Changes without a size come first: words, and rows that "
		"came or went; then the others, the largest first, as a part of the whole (all "
		"usage, all ranks, F = 1).",
		NULL, DIFF_NEEDS, diff_answer, NULL
	},
	[VERB_STARTS] = {
		"starts", "[SOURCE]", 0, 1, false,
		"when the pending jobs of a Slurm cluster start, and on which nodes",
		"Simulates the main and the backfill scheduler on the nodes as they are now, if "
		"no jobs are submitted and all jobs run to their limits, with present priorities "
		"(with --runs they change at each decay pass). start_p10 to start_p90 is the "
		"likely span: of the jobs pending at 100 points in the past (of a recording, or "
		"--history), 8 in 10 started within it; it is unknown if fewer than 100 of these "
		"jobs started. There is no start for a job that asks for GRES other than a number "
		"of one kind on each node, for nodes by name, a reservation, or features with "
		"counts or brackets, or whose size, limit or priority is unknown; the number of "
		"such jobs, and what the others assume, is printed first. Not modelled: "
		"preemption, node weights and partitions with LLN, which are not read, and limits "
		"other than of jobs and TRES.",
		NULL, NEED_ALL | NEED_KNOWN_JOBS, starts_answer, NULL
	},
	[VERB_BACKTEST] = {
		"backtest", "FILE", 1, 1, false,
		"simulate the past under another policy",
		"Runs the jobs of FILE, a recording or a log (Standard Workload Format, may be "
		"compressed with gzip), again under up to four policies, and reports how long all "
		"jobs, and those of each account, user, partition and size, would have waited. "
		"slurm, slurm-builtin and pbs are schedulers with their priorities and fair share, "
		"and report what they do not simulate. With edits, each policy is simulated "
		"without edits and with each set of edits. The first line shows how well the "
		"policy of the past explains what really happened; if it does not, only "
		"differences are meaningful. Ctrl-C stops it.",
		verb_backtest, 0, NULL, NULL
	},
	[VERB_AUDIT] = {
		"audit", "[SOURCE]", 0, 1, false,
		"whether the recorded usage follows from the jobs",
		"Charges each job as Slurm does, under the present policy, and compares the "
		"result with the usage of each account and user, the largest difference first. The "
		"jobs, and the initial usage, are those of a recording, or the jobs are "
		"those of --sacct. A reason is found by computing what it would have led to: "
		"reset, edit of RawUsage, job missing from the log, UsageFactor, changed weights, "
		"moved user; unexplained is a difference that none explains. Exits 1 if anything "
		"differs by more than is allowed.",
		NULL, NEED_SHARES | NEED_LIMITS | NEED_POLICY | NEED_QOS | NEED_PARTITIONS,
		audit_answer, NULL
	},
	[VERB_BUG_REPORT] = {
		"bug-report", "[SOURCE] -o FILE", 0, 1, false,
		"write what a bug report needs to one file",
		"Writes FILE, which must be new: versions, the settings of the screen, how the "
		"source is read, verify, and a snapshot in which users, accounts, jobs and "
		"reservations have pseudonyms. Messages of other programs are not in it. Nothing "
		"is sent; look through it before you send it.",
		verb_bug_report, 0, NULL, NULL
	},
	[VERB_SERVE] = {
		"serve", "[SOURCE]", 0, 1, true,
		"speak frames on standard input and output (for ssh:HOST/SOURCE)",
		"Not for people: fairtop on another host starts it.",
		verb_serve, 0, NULL, NULL
	},
	[VERB_HELP] = {
		"help", "[VERB|TOPIC]", 0, 1, false,
		"list verbs and topics, or explain one",
		"The same as VERB --help. TOPIC is source, formats, keys, filter, columns, "
		"themes, edits, demo or terms.",
		verb_help, 0, NULL, NULL
	},
};

const struct exit_code exit_codes[] = {
	{ 0, "done" },
	{ 1, "the check found something: verify or audit differs, lint has errors, "
	     "watch --once an alarm" },
	{ 2, "bad usage or bad input: a missing file, an unknown object, column or option; out of "
	     "memory" },
	{ 3, "the source cannot be reached, its helper is not installed, or it does not report "
	     "the jobs in question" },
	{ 4, "verify: nothing, or not everything, is comparable now; the reason is printed" },
	{ 130, "interrupted" },
	{ 143, "terminated" },
};
const size_t exit_code_count = sizeof(exit_codes) / sizeof(exit_codes[0]);

enum verb verb_by_name(const char *name)
{
	for (unsigned v = 0; v < VERB_COUNT; v++) {
		if (verb_info[v].name && strcmp(verb_info[v].name, name) == 0)
			return (enum verb)v;
	}
	return VERB_COUNT;
}

static int verb_run_here(const struct options *o)
{
	const struct verb_info *info = &verb_info[o->verb];
	struct view shape = verb_shape(o->verb);

	if (info->run)
		return info->run(o);
	if (o->object_count > 0 && info->most > 2)
		return fleet_run(o, &shape, info->needs, info->answer);
	return session_run(o, shape.columns ? &shape : NULL, info->needs, info->answer);
}

/* Fetches remote files; verbs that read repeatedly do it through their source. */
static bool bring_all(struct options *o, struct apart_brought **list, struct err *err)
{
	bool ok;

	if (o->verb == VERB_SCREEN || o->verb == VERB_WATCH || o->verb == VERB_METRICS ||
	    o->verb == VERB_RECORD || o->verb == VERB_THIN || o->verb == VERB_SERVE)
		return true;
	ok = apart_bring(&o->source, list, err) && apart_bring(&o->history, list, err);
	for (size_t i = 0; ok && i < o->object_count; i++)
		ok = apart_bring(&o->objects[i], list, err);
	return ok;
}

int verb_run(const struct options *o)
{
	struct apart_brought *list = NULL;
	struct options *own = mem_alloc(1, sizeof(*own));
	struct err err = { .code = ERR_NONE };
	int status;

	*own = *o;
	status = bring_all(own, &list, &err) ? verb_run_here(own) : complain(&err);
	apart_leave(list);
	mem_free(own);
	return status;
}

/* ---- help ------------------------------------------------------------------------------------ */

static void help_words(const struct option_info *info, char *buf, size_t size)
{
	(void)snprintf(buf, size, "%s", info->meaning);
	for (size_t i = 0; info->word && info->word(i); i++)
		format_append(buf, size, "%s%s", i == 0 ? " (" : ", ", info->word(i));
	if (info->word)
		format_append(buf, size, ")");
}

static void help_options(struct output *out, enum verb verb)
{
	char label[64], letter[8], text[400];

	output_text(out, "\nOptions:\n");
	for (size_t i = 0; i < option_count; i++) {
		const struct option_info *info = &option_info[i];

		if (!(info->verbs & UINT32_C(1) << verb))
			continue;
		(void)snprintf(letter, sizeof(letter), "-%c, ", info->letter);
		(void)snprintf(label, sizeof(label), "  %s--%s%s%s", info->letter ? letter : "",
			       info->name, info->argument ? " " : "",
			       info->argument ? info->argument : "");
		help_words(info, text, sizeof(text));
		help_item(out, label, 25, text);
	}
}

static void help_program(struct output *out)
{
	char label[64];

	output_text(out, "fairtop " FAIRTOP_VERSION ": who gets the cluster next, and why\n\n");
	output_text(out, "Usage:\n  fairtop [SOURCE...] [options]\n");
	output_text(out, "  fairtop VERB [SOURCE] [options]\n\nVerbs:\n");
	for (size_t v = 0; v < VERB_COUNT; v++) {
		if (!verb_info[v].name || verb_info[v].hidden)
			continue;
		(void)snprintf(label, sizeof(label), "  %s", verb_info[v].name);
		help_item(out, label, 25, verb_info[v].meaning);
	}
	output_text(out, "\n");
	help_sources(out);
	help_options(out, VERB_SCREEN);
	output_text(out, "\n");
	help_item(out, "", 0,
		  "fairtop help VERB shows more about a verb, fairtop help source, formats, keys, "
		  "filter, columns, themes, edits, demo and terms about these; the manual "
		  "starts with man fairtop. "
		  "fairtop demo needs no cluster.");
}

static void help_verb(struct output *out, enum verb verb)
{
	const struct verb_info *info = &verb_info[verb];

	output_text(out, "fairtop %s: %s\n\nUsage:\n  fairtop %s %s%s\n\n", info->name,
		    info->meaning, info->name, info->arguments,
		    verb == VERB_HELP ? "" : " [options]");
	help_item(out, "", 0, info->description);
	if (verb != VERB_HELP)
		help_options(out, verb);
}

/* Allocates the output, whose buffer is too large for a stack. */
static int help_print(enum verb verb, const struct help_topic *topic)
{
	struct output *out = mem_alloc(1, sizeof(*out));
	struct err err = { .code = ERR_NONE };
	int status = 0;

	output_init(out);
	if (topic)
		topic->print(out);
	else if (verb == VERB_SCREEN)
		help_program(out);
	else
		help_verb(out, verb);
	if (!output_finish(out, &err))
		status = complain(&err);
	mem_free(out);
	return status;
}

int verb_help(const struct options *o)
{
	const struct help_topic *topic = NULL;
	struct err err = { .code = ERR_NONE };
	enum verb verb = o->verb;

	for (size_t i = 0; verb == VERB_HELP && o->object && i < help_topics_count; i++) {
		if (strcmp(o->object, help_topics[i].name) == 0 ||
		    (help_topics[i].also && strcmp(o->object, help_topics[i].also) == 0))
			topic = &help_topics[i];
	}
	if (verb == VERB_HELP && o->object)
		verb = verb_by_name(o->object);
	else if (verb == VERB_HELP && !o->help)
		verb = VERB_SCREEN;
	if (verb != VERB_COUNT || topic)
		return help_print(verb, topic);
	verb_unknown(o->object, false, &err);
	return complain(&err);
}
