/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The verbs, what their exit status means, and help: the tables of the command line, for people. */
#include "cli/verbs.h"

#include <stdio.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/registry/apart.h"
#include "config.h"
#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/whatif/changes_list.h"
#include "cli/fleet.h"
#include "cli/guesses.h"
#include "cli/help_topics.h"
#include "cli/session.h"
#include "tui/base/output.h"

const struct verb_info verb_info[VERB_COUNT] = {
	[VERB_SCREEN] = {
		NULL, "[SOURCE...]", 0, 1 + OBJECTS_MAX, false,
		"watch a cluster",
		"The screen: the account tree with the quantities of its algorithm, refreshed "
		"while you look. Press ? for the keys. Several SOURCEs are an overview, a row "
		"each; Enter opens one, Esc returns.",
		verb_screen, 0, NULL, NULL
	},
	[VERB_ACCOUNTS] = {
		"accounts", "[SOURCE...]", 0, 1 + OBJECTS_MAX, false,
		"the account tree: shares, usage and fair share of every account and user",
		"One row per association, in the order of the tree. A table shows the quantities "
		"of the algorithm in force; JSON and CSV have all of them. Of several sources the "
		"first column tells the cluster; a scheduler without an answer is left out.",
		NULL, NEED_SHARES | NEED_POLICY, accounts_answer, NULL
	},
	[VERB_JOBS] = {
		"jobs", "[SOURCE...]", 0, 1 + OBJECTS_MAX, false,
		"the queue: priority, its terms and the rank of every job",
		"One row per job, partition and QOS. The priority is computed from the job's own "
		"facts and the policy, with every term kept; the rank is the place in which the "
		"scheduler considers it. A table has the jobs in order of rank, those without "
		"one at its end; JSON and CSV have them as the source does. Of several sources the "
		"first column tells the cluster; a scheduler without an answer is left out.",
		NULL, NEED_JOBS | NEED_KNOWN_JOBS | NEED_POLICY, jobs_answer, "rank"
	},
	[VERB_CLASSES] = {
		"classes", "[SOURCE]", 0, 1, false,
		"jobs that are the same in everything the scheduler looks at",
		"One row per equivalence class: what its jobs have in common, how many wait and "
		"run, their first and last rank, and why the first of them waits, which all others "
		"inherit.",
		NULL, NEED_KNOWN_JOBS | (NEED_ALL & ~(uint32_t)NEED_LICENSES), classes_answer, NULL
	},
	[VERB_CYCLE] = {
		"cycle", "[SOURCE]", 0, 1, false,
		"one scheduling cycle over the waiting jobs, and what classes save in it",
		"Considers the jobs in the order of their ranks, against what is free on each node "
		"(LSF's: against the free slots of all usable hosts), and prints the lines of its "
		"log: of the new behaviour, or with --old of the one without classes. As JSON or "
		"CSV, or with --columns, --sort or --filter, it is one row per job.",
		NULL, NEED_KNOWN_JOBS | (NEED_ALL & ~(uint32_t)NEED_LICENSES), cycle_answer, NULL
	},
	[VERB_POOLS] = {
		"pools", "[SOURCE]", 0, 1, false,
		"queue pools: shares, slots allotted, and who is tried first",
		"One row per queue: what its share entitles it to, what it is allotted in this "
		"cycle after all rounds, what it uses and waits for. Pools come from LSF's "
		"SLOT_POOL and SLOT_SHARE, or from a file that makes pools of partitions or "
		"queues.",
		NULL, NEED_JOBS | NEED_HOSTS | NEED_PARTITIONS | NEED_POLICY, pools_answer, NULL
	},
	[VERB_LINT] = {
		"lint", "[SOURCE]", 0, 1, false,
		"what is wrong with a configuration: file, line, rule, and what to do",
		"Checks the priorities, flags, shares and charges of Slurm, the shares, queues, "
		"formula and decay of PBS, and queue pools against the restrictions of LSF's "
		"documents. Exits 1 if there are errors; "
		"warnings alone are no failure. The suggestions are edits for --set where there is "
		"one.",
		NULL, NEED_ALL, lint_answer, NULL
	},
	[VERB_EXPLAIN] = {
		"explain", "[SOURCE] OBJECT", 2, 2, false,
		"how a fair share, the priority of a job or the slots of a queue came about",
		"OBJECT is account:NAME, user:NAME@ACCOUNT, user:NAME@ACCOUNT@PARTITION, a path as "
		"the accounts table shows it, job:ID or job:ID_TASK, class:N, queue:NAME or "
		"pool:NAME; or a name or number that only one thing has. Every number is the one "
		"that the engine computed with.",
		verb_explain, 0, NULL, NULL
	},
	[VERB_WHY] = {
		"why", "[SOURCE] [JOB|USER]", 0, 2, false,
		"why a job does not run, when it will, and what would help",
		"Of a job: what holds it, its place and who is right ahead, when it starts by the "
		"simulation of starts, which changes of its owner would let it start sooner, with "
		"their commands, and what of all that is unknown. Of a user: a line for each job "
		"that waits, the worst first; without JOB or USER they are those of whoever runs "
		"fairtop. JOB is ID, ID_TASK or job:ID, USER is NAME, or user:NAME where that is a "
		"number or a source. Of a recording also what a job that runs or has ended waited "
		"for; one that is gone is answered as it was last seen. Starts are simulated of a "
		"Slurm only.",
		verb_why, 0, NULL, NULL
	},
	[VERB_COMPARE] = {
		"compare", "[SOURCE] OBJECT OBJECT", 3, 3, false,
		"why one of two accounts, users or jobs comes before the other",
		"One sentence with the numbers, then everything that was compared. Of two jobs it "
		"also says what it would take for the order to turn, of two classes of jobs in "
		"what they differ.",
		verb_compare, 0, NULL, NULL
	},
	[VERB_WHATIF] = {
		"whatif", "[SOURCE]", 0, 1, false,
		"what edits would change: values before and after, ranks gained and lost",
		"The edits of --set and --what-if are made in a copy of what was read, the same "
		"engine computes it, and both are compared; nothing is changed at the scheduler. "
		"Further sets of edits are compared beside it with --beside. With --export the "
		"commands are written that would make the changes there.",
		verb_whatif, 0, NULL, NULL
	},
	[VERB_FORECAST] = {
		"forecast", "[SOURCE] OBJECT", 2, 2, false,
		"when an account's fair share reaches a value, or a job passes the one before it",
		"Pass by pass by the scheduler's decay law, exactly. Everybody else goes on as "
		"today; OBJECT burns what it burns now, nothing, or a rate of billable "
		"TRES-seconds per hour. Resets of usage by PriorityUsageResetPeriod are part of "
		"it; jobs that start or end are not foreseen.",
		verb_forecast, 0, NULL, NULL
	},
	[VERB_SEEK] = {
		"seek", "[SOURCE] OBJECT", 2, 2, false,
		"which single edit reaches a goal, the smallest change first",
		"For an account or user the goal is a fair-share factor, for a job the rank that "
		"is good enough, or the time by which it begins (--start, of a Slurm). Tried are "
		"the shares of the association and of all above it and, of a job, each weight and "
		"its nice value; what cannot reach the goal says why.",
		verb_seek, 0, NULL, NULL
	},
	[VERB_VERIFY] = {
		"verify", "[SOURCE]", 0, 1, false,
		"recompute what the scheduler reports, and compare",
		"Everything is computed twice, from the usage ratios that the scheduler reports "
		"and from raw usage, and compared with its own results. The tolerances follow from "
		"the precision of what was read; the one shown is that of the worst row. Exits 0 "
		"if all that can be compared is equal, 1 if anything differs, 4 if nothing can be "
		"compared now; why, and how long to wait, is told of all that cannot be. While "
		"jobs run depth-oblivious ratios mix usage of two passes: one picture then "
		"compares what it decides, and exits 4 if nothing of that differs; --wait, and a "
		"recording with a sample of the pass before, compare all of it.",
		NULL, VERIFY_NEEDS,
		verify_answer, NULL
	},
	[VERB_POLICY] = {
		"policy", "[SOURCE]", 0, 1, false,
		"the parameters of the multifactor plugin: value, default, unit, meaning",
		"One row per parameter and per word of PriorityFlags, and the next usage reset. "
		"The column from tells what was read from what was assumed.",
		NULL, NEED_POLICY, policy_answer, NULL
	},
	[VERB_SNAPSHOT] = {
		"snapshot", "[SOURCE]", 0, 1, false,
		"the whole cluster in one file that fairtop can read again",
		"Writes fairtop-snapshot(5) to standard output: for bug reports, for tests, and to "
		"look at later.",
		NULL, NEED_ALL, snapshot_answer, NULL
	},
	[VERB_RECORD] = {
		"record", "SOURCE -o FILE", 1, 1, false,
		"record a cluster, sample after sample, until stopped",
		"Asks SOURCE again and again and keeps every answer in FILE, a recording "
		"(fairtop-recording(5)) that is a source itself: fairtop FILE shows its end, --at "
		"an earlier time, --follow what comes. Outages of the source are kept as gaps. "
		"What is recorded already is gone on with; one program at a time can write, any "
		"number read.",
		verb_record, 0, NULL, NULL
	},
	[VERB_THIN] = {
		"thin", "FILE --keep AGES", 1, 1, false,
		"take out of a recording what old samples need not tell",
		"Does at once in FILE what record --keep does as it goes, and gives the room back. "
		"When each job began and ended stays, changes of parameters and gaps do. What was "
		"interrupted is gone on with by the next call; nothing that is to stay is ever in "
		"danger.",
		verb_thin, 0, NULL, NULL
	},
	[VERB_METRICS] = {
		"metrics", "[SOURCE...]", 0, 1 + OBJECTS_MAX, false,
		"fair share, waits and limits as metrics for Prometheus",
		"Writes Prometheus' text format (0.0.4), for node_exporter's textfile collector "
		"or any other that reads it: accounts, with --users or --filter users as well, "
		"no jobs one by one. One answer, or with --every one after the other until a "
		"signal comes, and then, as of a recording, with the waits of the jobs that were "
		"seen to begin. Several sources are of different clusters. A source that does not "
		"answer is told in FILE, in the place of what it said before.",
		verb_metrics, 0, NULL, NULL
	},
	[VERB_WATCH] = {
		"watch", "[SOURCE...]", 0, 1 + OBJECTS_MAX, false,
		"tell where alarms begin and end, or run a program then",
		"Looks at each SOURCE every minute, or as --every says, until a signal comes, and "
		"writes a line for each alarm that begins or ends, with its cluster; several are "
		"asked in turns, and none waits for another. Its rules are those of --rule "
		"and the lines alarm NAME VIEW EXPRESSION [until EXPRESSION] [for TIME] of "
		"fairtop.conf: an alarm begins when a row of VIEW has fitted EXPRESSION, a filter, "
		"for TIME, and ends when for TIME it has not, or has fitted what stands behind "
		"until.",
		verb_watch, 0, NULL, NULL
	},
	[VERB_IMPORT] = {
		"import", "KIND INPUT... -o FILE", 2, 1 + OBJECTS_MAX, false,
		"rebuild a recording from the logs of a scheduler",
		"KIND is swf (Standard Workload Format), sacct (sacct -P with its header), "
		"pbs-accounting or lsf-acct (lsb.acct, lsb.events); INPUT may be compressed with "
		"gzip, - is standard input. Jobs wait and run in the recording as they did, and "
		"usage is charged and decays by Slurm's own law (of lsf-acct with --tree by "
		"LSF's): to 1e-9 what slurmctld had where "
		"--passes gives the times of its decay passes, else within what two periods decay "
		"(0.07 % at 300s and 7d). FILE must be new.",
		verb_import, 0, NULL, NULL
	},
	[VERB_HISTORY] = {
		"history", "FILE OBJECT...", 2, 1 + OBJECTS_MAX, false,
		"accounts, users, jobs or queues over the time of a recording",
		"One row per sample and OBJECT: its columns as they were. Objects are written as "
		"for explain; accounts and users together, or jobs, or queues.",
		verb_history, 0, NULL, NULL
	},
	[VERB_DIFF] = {
		"diff", "FILE", 1, 1, false,
		"what has changed between two times of a recording",
		"One row per changed value: shares, usage, fair share and rank of every account "
		"and user, and the policy; the largest change comes first, as a part of the whole "
		"(all usage, all ranks, F = 1), and before it what has no size: words, and what "
		"came or went.",
		NULL, DIFF_NEEDS, diff_answer, NULL
	},
	[VERB_STARTS] = {
		"starts", "[SOURCE]", 0, 1, false,
		"when the waiting jobs of a Slurm begin, and on which nodes",
		"Plays main and backfill scheduler on the nodes as they are now, if nothing "
		"more comes and all jobs run to their limits, with the priorities of now (with "
		"--runs they move at each decay pass); start_p10 to start_p90 is the likely "
		"span, in which 8 in 10 of the jobs began that waited at 100 instants of the past "
		"(of a recording, or --history) and were asked the same; where fewer than 100 of "
		"them began there is none. Jobs that "
		"ask for GRES but a number of one kind on each node, nodes by name, a "
		"reservation, or features with counts or brackets, or whose size, limit or "
		"priority is unknown, get no start; how many, and what the others rest on, is "
		"said first. Not modelled either: preemption, weights of nodes and partitions "
		"with LLN, which are not read, other limits than of jobs and TRES.",
		NULL, NEED_ALL | NEED_KNOWN_JOBS, starts_answer, NULL
	},
	[VERB_BACKTEST] = {
		"backtest", "FILE", 1, 1, false,
		"what the past would have been under another policy",
		"Plays the jobs of FILE, a recording or a log (Standard Workload Format, may be "
		"compressed with gzip), through up to four policies, and says for all, for each "
		"account, user, partition and size of jobs how long they would have waited. "
		"slurm, slurm-builtin and pbs are schedulers with their priorities, fair share "
		"included, and say what of them is not played. With "
		"edits, each policy is played over the past as it was and over each set of them. "
		"The first line tells how well the policy of the past explains what really "
		"happened: where it does not, only differences mean something. Ctrl-C stops it.",
		verb_backtest, 0, NULL, NULL
	},
	[VERB_AUDIT] = {
		"audit", "[SOURCE]", 0, 1, false,
		"is the usage that the scheduler holds what the jobs come to?",
		"Charges every job by Slurm's law, under the policy of now, and compares with the "
		"usage of each account and user, the largest difference first. The jobs are those "
		"of a recording, which also tells what usage there was when it began, or those of "
		"--sacct. Reasons are found by computing what each would have led to: reset, edit "
		"of RawUsage, job missing from the log, UsageFactor, changed weights, moved user; "
		"unexplained is what none leads to. Exits 1 if anything differs by more than is "
		"allowed.",
		NULL, NEED_SHARES | NEED_LIMITS | NEED_POLICY | NEED_QOS | NEED_PARTITIONS,
		audit_answer, NULL
	},
	[VERB_BUG_REPORT] = {
		"bug-report", "[SOURCE] -o FILE", 0, 1, false,
		"what is needed to mend fairtop, in one file",
		"Writes FILE, which must be new: versions, the settings of the screen, how the "
		"source is read, verify, and a snapshot in which users, accounts, jobs and "
		"reservations have pseudonyms. Messages of others are not in it. Nothing is sent; "
		"look through it before you do.",
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
		"what there is, or how to use a verb",
		"The same as VERB --help. TOPIC is source, formats, keys, filter, columns, themes, "
		"edits, demo or terms.",
		verb_help, 0, NULL, NULL
	},
};

const struct exit_code exit_codes[] = {
	{ 0, "done" },
	{ 1, "the check found something: verify or audit differs, lint has errors, "
	     "watch --once an alarm" },
	{ 2, "bad usage or bad input: a missing file, an unknown object, column or option; out of "
	     "memory" },
	{ 3, "the source cannot be reached, its helper is not installed, or it does not tell the "
	     "jobs that the question is of" },
	{ 4, "verify: nothing is comparable now; the reason is printed" },
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

/* Whoever asks again and again brings it by the source that it asks. */
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
		  "fairtop help VERB tells more about a verb, fairtop help source, formats, keys, "
		  "filter, columns, themes, edits, demo and terms about these; the manual "
		  "begins with man fairtop. "
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

/* Allocates the output: its buffer is too large for a stack. */
static int help_print(enum verb verb, const struct help_topic *topic)
{
	struct output *out = mem_alloc(1, sizeof(*out));
	struct err err = { .code = ERR_NONE };
	int status = 0;

	output_init(out);
	if (topic != NULL)
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
