/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of options: their names, words, verbs and setters. */
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/clock.h"
#include "core/base/format.h"
#include "core/classes/class_rules.h"
#include "core/whatif/edits.h"
#include "core/base/timeword.h"
#include "tui/screen/screen.h"
#include "tui/cells/theme.h"
#include "cli/verbs.h"
#include "tui/base/zone.h"

/* ---- words --------------------------------------------------------------------------------- */

static const char *word_format(size_t i)
{
	return i < REPORT_FORMATS ? report_format_names[i] : NULL;
}

static const char *word_frame(size_t i)
{
	static const char *const words[] = { "text", "ansi", "svg", NULL };

	return words[i];
}

static const char *word_lines(size_t i)
{
	static const char *const words[] = { "text", "json", NULL };

	return words[i];
}

static const char *option_word_algorithm(size_t i)
{
	return i < FS_ALGORITHMS ? fs_algos[i]->name : NULL;
}

static const char *word_rules(size_t i)
{
	return i < CLASS_RULES ? class_rules_names[i] : NULL;
}

static const char *option_word_base(size_t i)
{
	static const char *const words[] = { "reported", "usage", NULL };

	return words[i];
}

static const char *word_color(size_t i)
{
	static const char *const words[] = { "auto", "direct", "256", "16", "never", NULL };

	return words[i];
}

static const char *word_view(size_t i)
{
	static const char *const words[] = { "accounts", "jobs", "pools", "classes", NULL };

	return words[i];
}

static const char *word_policy(size_t i)
{
	return policy_schedules[i];
}

static const char *word_export(size_t i)
{
	static const char *const words[] = { "slurm", "pbs", "lsf", NULL };

	return words[i];
}

static const char *word_reset(size_t i)
{
	static const char name[] = "PriorityUsageResetPeriod";

	return policy_word(policy_param(name), i);
}

static const char *option_word_theme(size_t i)
{
	return theme_builtin[i];
}

/* "table, json or csv" */
static const char *words_text(const char *(*word)(size_t), char *buf, size_t size)
{
	buf[0] = '\0';
	for (size_t i = 0; word(i); i++)
		format_append(buf, size, "%s%s", i == 0 ? "" : word(i + 1) ? ", " : " or ",
			      word(i));
	return buf;
}

/* Index of VALUE among the words; ERR_INPUT if it is not one of them. */
static bool word_index(const struct option_setting *s, size_t *index)
{
	char all[200];

	for (size_t i = 0; s->option->word(i); i++) {
		if (strcmp(s->option->word(i), s->value) == 0) {
			*index = i;
			return true;
		}
	}
	return err_set(s->err, ERR_INPUT, "--%s %s: unknown (expected %s)", s->option->name,
		       s->value, words_text(s->option->word, all, sizeof(all)));
}

/* ---- setters ------------------------------------------------------------------------------- */

static void *member_of(const struct option_setting *s)
{
	return (char *)s->options + s->option->member;
}

static bool option_set_text(const struct option_setting *s)
{
	*(const char **)member_of(s) = s->value;
	return true;
}

static bool set_word(const struct option_setting *s)
{
	size_t i = 0;

	return option_set_text(s) && word_index(s, &i);
}

static bool set_flag(const struct option_setting *s)
{
	*(bool *)member_of(s) = true;
	return true;
}

static bool option_set_time(const struct option_setting *s)
{
	int64_t *at = member_of(s);

	return timeword_parse(s->value, clock_time(), &zone_local, at, s->err) ||
	       err_prefix(s->err, "--%s", s->option->name);
}

static bool set_at(const struct option_setting *s)
{
	s->options->at_text = s->value;
	return option_set_time(s);
}

static bool set_format(const struct option_setting *s)
{
	size_t i = 0;

	if (!word_index(s, &i))
		return false;
	s->options->format = (enum report_format)i;
	return true;
}

static bool set_json(const struct option_setting *s)
{
	s->options->format = REPORT_JSON;
	s->options->lines = "json";
	return true;
}

/* "alice", "alice,bob" */
static bool option_set_names(const struct option_setting *s)
{
	const char *name = s->value;

	while (strcspn(name, ",") > 0 && name[strcspn(name, ",")])
		name += strcspn(name, ",") + 1;
	return strcspn(name, ",") > 0 ? option_set_text(s) :
	       err_set(s->err, ERR_INPUT, "--%s: a name is missing (expected %s, or several joined "
		       "by commas)", s->option->name, s->option->argument);
}

static bool option_set_algorithm(const struct option_setting *s)
{
	size_t i = 0;

	if (!word_index(s, &i))
		return false;
	s->options->model.algorithm = (int)i;
	return true;
}

static bool option_set_base(const struct option_setting *s)
{
	size_t i = 0;

	if (!word_index(s, &i))
		return false;
	s->options->model.base = i == 0 ? FS_BASE_REPORTED : FS_BASE_USAGE;
	return true;
}

/* Reads "30s", "2m", "1.5h", "30": at least a second, at most a week. */
static bool option_set_every(const struct option_setting *s)
{
	static const char units[] = "smhd";
	static const double seconds[] = { 1, 60, 3600, 86400 };
	const char *unit;
	/* The screen reads at least once a week; a step of the past may be a year. */
	bool past = s->options->verb == VERB_BACKTEST || s->options->verb == VERB_HISTORY;
	double x, most = 86400.0 * (past ? 366 : 7);
	char *end;

	x = strtod(s->value, &end);
	if (s->value[0] >= '0' && s->value[0] <= '9' && *end && (unit = strchr(units, *end)) &&
	    !end[1]) {
		x *= seconds[unit - units];
		end++;
	}
	if (s->value[0] < '0' || s->value[0] > '9' || *end || !(x >= 1 && x <= most))
		return err_set(s->err, ERR_INPUT,
			       "--every %s: not a time between refreshes (expected for "
			       "example 30s, 2m or 1h, at least 1s)", s->value);
	s->options->every_ms = (int64_t)(x * 1000);
	return !past || s->options->every_ms % 1000 == 0 ||
	       err_set(s->err, ERR_INPUT, "--every %s: expected whole seconds", s->value);
}

static bool set_keep(const struct option_setting *s)
{
	return store_keep_parse(s->value, &s->options->keep, s->err) ||
	       err_prefix(s->err, "--keep %.60s", s->value);
}

static bool option_set_count(const struct option_setting *s)
{
	uint64_t *count = member_of(s);
	char *end;

	errno = 0;
	*count = strtoull(s->value, &end, 10);
	return (s->value[0] >= '0' && s->value[0] <= '9' && !*end && *count > 0 && errno == 0) ||
	       err_set(s->err, ERR_INPUT, "--%s %s: not a whole number above 0", s->option->name,
		       s->value);
}

static bool set_to(const struct option_setting *s)
{
	/* A recording ends a little before now, so its end is meant. */
	if (strcasecmp(s->value, "now") == 0) {
		s->options->to = I64_UNKNOWN;
		return true;
	}
	return option_set_time(s);
}

/* Reads "7d", "1.5h", "300" (seconds), or with - or : Slurm's format, "7-0". */
static bool set_span(const struct option_setting *s)
{
	int64_t *seconds = member_of(s);
	/* A half-life of 0 means no decay; a period of 0 would never end. */
	double x = -1, least = seconds == &s->options->period ? 1 : 0;

	if (s->value[0] && strpbrk(s->value + 1, "-:")) {
		if (timestr_parse(s->value, seconds, NULL) && *seconds != I64_INFINITE)
			x = (double)*seconds;
	} else if (!timeword_duration(s->value, &x)) {
		x = -1;
	}
	if (!(x >= least && x <= 100.0 * 366 * 86400))
		return err_set(s->err, ERR_INPUT, "--%s %s: not a duration (expected for example "
			       "7d, 7-0 or 300s)", s->option->name, s->value);
	*seconds = (int64_t)x;
	return true;
}

static bool set_render(const struct option_setting *s)
{
	s->options->render = true;
	return screen_parse_size(s->value, &s->options->width, &s->options->height, s->err);
}

static bool add_edit(struct options *o, const char *text, bool is_file, struct err *err)
{
	if (o->edit_count == OPTIONS_EDITS_MAX)
		return err_set(err, ERR_INPUT,
			       "--set %s: more than %d edits (expected a file of them: --what-if)",
			       text, OPTIONS_EDITS_MAX);
	o->edits[o->edit_count++] = (struct edit_option){ text, is_file };
	return true;
}

static bool set_set(const struct option_setting *s)
{
	struct edit edit;

	if (!edit_parse(s->value, &edit, s->err))
		return err_prefix(s->err, "--set");
	edit_free(&edit);
	return add_edit(s->options, s->value, false, s->err);
}

static bool set_what_if(const struct option_setting *s)
{
	return add_edit(s->options, s->value, true, s->err);
}

static bool set_beside(const struct option_setting *s)
{
	if (s->options->beside_count == OPTIONS_BESIDE)
		return err_set(s->err, ERR_INPUT, "--beside: %d sets are compared at most",
			       WHATIF_SETS);
	s->options->beside[s->options->beside_count++] = s->value;
	return true;
}

static bool set_policy(const struct option_setting *s)
{
	size_t i = 0;

	if (!word_index(s, &i))
		return false;
	if (s->options->policy_count == BACKTEST_POLICIES)
		return err_set(s->err, ERR_INPUT, "--policy %s: %d policies are compared at most",
			       s->value, BACKTEST_POLICIES);
	s->options->policies[s->options->policy_count++] = (enum sim_policy)i;
	return true;
}

static bool set_procs(const struct option_setting *s)
{
	char *end;
	unsigned long long n = strtoull(s->value, &end, 10);

	s->options->sim_log.procs = (uint32_t)n;
	return (s->value[0] >= '0' && s->value[0] <= '9' && !*end && n > 0 && n < U32_UNKNOWN) ||
	       err_set(s->err, ERR_INPUT, "--procs %s: not a number of processors", s->value);
}

/* Reads a number above 0, and nothing after it. */
static bool parse_factor(const char *text, double *x)
{
	char *end;

	*x = strtod(text, &end);
	return text[0] >= '0' && text[0] <= '9' && !*end && *x > 0 && *x <= 1e6;
}

static bool set_estimates(const struct option_setting *s)
{
	s->options->sim_log.estimates = strcmp(s->value, "limit") == 0;
	return s->options->sim_log.estimates > 0 || strcmp(s->value, "run") == 0 ||
	       (s->value[0] == 'x' && parse_factor(s->value + 1, &s->options->sim_log.estimates)) ||
	       err_set(s->err, ERR_INPUT, "--estimates %s: unknown (expected limit, run, or for "
		       "example x2)", s->value);
}

static bool set_load(const struct option_setting *s)
{
	return parse_factor(s->value, &s->options->sim_log.load) ||
	       err_set(s->err, ERR_INPUT, "--load %s: not a factor (expected for example 1.2)",
		       s->value);
}

/* "0.1%", "0.001" */
static bool set_tolerance(const struct option_setting *s)
{
	char *end;
	double x = strtod(s->value, &end);

	if (*end == '%') {
		x /= 100;
		end++;
	}
	s->options->tolerance = x;
	return (s->value[0] >= '0' && s->value[0] <= '9' && !*end && x <= 1) ||
	       err_set(s->err, ERR_INPUT, "--tolerance %s: not a part (expected for example 1%% "
		       "or 0.01)", s->value);
}

static bool set_alarm(const struct option_setting *s)
{
	struct options *o = s->options;

	if (o->alarm_count == OPTIONS_ALARMS_MAX)
		return err_set(s->err, ERR_INPUT, "--rule: more than %d rules", OPTIONS_ALARMS_MAX);
	o->alarms[o->alarm_count++] = s->value;
	return true;
}

/* ---- the table ----------------------------------------------------------------------------- */

#define ON(verb) (UINT32_C(1) << VERB_##verb)
#define PAST (ON(HISTORY) | ON(DIFF))
#define PLAYED (PAST | ON(BACKTEST))
#define ROWS (ON(ACCOUNTS) | ON(JOBS) | ON(WHATIF) | ON(CLASSES) | ON(POOLS) | ON(LINT) | \
	      ON(VERIFY) | ON(POLICY) | ON(CYCLE) | ON(STARTS) | ON(AUDIT) | \
	      PLAYED)
#define GROUPS (ON(CLASSES) | ON(CYCLE) | ON(EXPLAIN) | ON(COMPARE))
#define EDITED (ON(ACCOUNTS) | ON(JOBS) | ON(CLASSES) | ON(CYCLE) | ON(POLICY) | ON(EXPLAIN) | \
		ON(COMPARE) | ON(WHATIF) | ON(POOLS) | ON(STARTS) | ON(BACKTEST) | ASKED)
#define ASKED (ON(FORECAST) | ON(SEEK))
#define QUESTIONS (ON(EXPLAIN) | ON(WHY) | ON(COMPARE) | ASKED)
/* Verbs whose rows have users, accounts and partitions. */
#define NAMED (ON(ACCOUNTS) | ON(JOBS) | ON(STARTS) | ON(HISTORY))
#define OF_SOURCE (ON(SCREEN) | ON(ACCOUNTS) | ON(JOBS) | ON(CLASSES) | ON(CYCLE) | ON(POOLS) | \
		   ON(LINT) | QUESTIONS | ON(WHATIF) | ON(VERIFY) | ON(POLICY) | ON(SNAPSHOT) | \
		   ON(RECORD) | ON(METRICS) | ON(WATCH) | ON(STARTS) | ON(AUDIT) | ON(BUG_REPORT))
#define EVERY ((UINT32_C(1) << VERB_COUNT) - 1)
#define AT(member) offsetof(struct options, member)

const struct option_info option_info[] = {
	{ "format", 0, "FORMAT", ROWS | QUESTIONS, word_format,
	  "how the answer is written: a table for people, one JSON object, or CSV", set_format, 0 },
	{ "json", 0, NULL, ROWS | QUESTIONS | ON(WATCH), NULL, "the same as --format json",
	  set_json, 0 },
	{ "columns", 0, "TITLES", ON(IMPORT), NULL,
	  "column titles of a sacct output without a header line, joined by commas",
	  option_set_text, AT(columns) },
	{ "delimiter", 0, "STRING", ON(IMPORT), NULL,
	  "the separator of the columns of a sacct output (sacct --delimiter); without it, "
	  "that of its header line",
	  option_set_text, AT(delimiter) },
	{ "columns", 0, "COLUMNS", ROWS | QUESTIONS | ON(SCREEN), NULL,
	  "these columns, joined by commas; +a adds a to the usual ones, -a removes it",
	  option_set_text, AT(columns) },
	{ "sort", 0, "COLUMNS", ROWS | ON(SCREEN), NULL,
	  "order the rows by these columns, joined by commas: amounts from the largest, names, "
	  "places and times from the first; + before a column: ascending, -: descending",
	  option_set_text, AT(sort) },
	{ "filter", 0, "EXPRESSION", ROWS | ON(METRICS) | ON(SCREEN), NULL, "only rows that match",
	  option_set_text, AT(filter) },
	{ "limit", 'n', "N", ROWS & ~ON(CYCLE), NULL, "only the first N rows", option_set_count,
	  AT(limit) },
	{ "mine", 0, NULL, ON(ACCOUNTS) | ON(JOBS) | ON(SCREEN), NULL,
	  "only rows of the user who runs fairtop", set_flag, AT(mine) },
	{ "user", 'u', "USER", NAMED | ON(CYCLE) | ON(SCREEN), NULL,
	  "only rows of this user, or of these, joined by commas", option_set_names, AT(user) },
	{ "user", 'u', "USER", ON(WHY), NULL, "ask about the jobs of this user", option_set_names,
	  AT(user) },
	{ "account", 'A', "ACCOUNT", NAMED | ON(SCREEN), NULL,
	  "only rows of this account, or of these, joined by commas", option_set_names,
	  AT(account) },
	{ "partition", 'p', "PARTITION", NAMED, NULL,
	  "only rows of this partition, or of these, joined by commas", option_set_names,
	  AT(partition) },
	{ "cluster", 'M', "CLUSTER", OF_SOURCE, NULL,
	  "the source in the line cluster CLUSTER SOURCE of fairtop.conf; several, joined by "
	  "commas, or all, if the verb takes several sources", option_set_names, AT(cluster) },
	{ "algorithm", 0, "NAME", ON(ACCOUNTS) | PAST | ON(JOBS) | ON(WHATIF) | QUESTIONS |
	  ON(VERIFY) | ON(SCREEN), option_word_algorithm,
	  "compute with this algorithm instead of the one in PriorityFlags",
	  option_set_algorithm, 0 },
	{ "base", 0, "BASE", ON(ACCOUNTS) | PAST | ON(JOBS) | ON(WHATIF) | QUESTIONS | ON(SCREEN),
	  option_word_base,
	  "start from the usage ratios that the scheduler reports (the default where there "
	  "are any) or from raw usage", option_set_base, 0 },
	{ "set", 0, "EDIT", EDITED, NULL,
	  "make this edit in a copy of what was read, for example shares:/physics=40; can be "
	  "repeated; fairtop-whatif(5) lists the targets", set_set, 0 },
	{ "what-if", 0, "FILE", EDITED, NULL, "make the edits of this file, one per line",
	  set_what_if, 0 },
	{ "reach", 0, "GOAL", ASKED, NULL,
	  "the goal: a fair-share factor, or for a job its rank",
	  option_set_text, AT(reach) },
	{ "start", 0, "TIME", ON(SEEK), NULL,
	  "the goal: the job starts by then, if no jobs are submitted and all run to their "
	  "limits: today 18:00, 2026-11-03 14:00, Unix seconds", option_set_time, AT(start) },
	{ "burn", 0, "RATE", ON(FORECAST), NULL,
	  "burn rate of OBJECT: now (as today), none, or billable TRES-seconds per hour",
	  option_set_text, AT(burn) },
	{ "config", 0, "FILE", ON(LINT), NULL,
	  "also check the text of this slurm.conf and of the files it includes",
	  option_set_text, AT(config) },
	{ "view", 0, "VIEW", ON(WHATIF), word_view, "the rows to compare", set_word, AT(view) },
	{ "beside", 0, "FILE", ON(WHATIF) | ON(BACKTEST), NULL,
	  "also compare the edits of this file with the same base; up to three times",
	  set_beside, 0 },
	{ "changed", 0, NULL, ON(WHATIF), NULL, "only values that differ, as in a table",
	  set_flag, AT(changed) },
	{ "all", 0, NULL, ON(WHATIF), NULL, "all values, also in a table",
	  set_flag, AT(all) },
	{ "export", 0, "SCHEDULER", ON(WHATIF), word_export,
	  "write the commands that make the changes; fairtop runs none of them",
	  set_word, AT(export_as) },
	{ "inverse", 0, NULL, ON(WHATIF), NULL, "with --export: the commands that undo them",
	  set_flag, AT(inverse) },
	{ "rules", 0, "RULES", GROUPS, word_rules,
	  "rules by which jobs are equal: those of the PBS document, of OpenPBS, or of others",
	  set_word, AT(rules) },
	{ "exclude", 0, "RESOURCES", GROUPS, NULL,
	  "resources that do not separate classes, joined by commas", option_set_text,
	  AT(exclude) },
	{ "sched", 0, "NAME", ON(CYCLE), NULL,
	  "on PBS, the cycle of this scheduler, with its policy if that can be read; without this "
	  "option the one that is shown, or if it has no pending jobs the first that has",
	  option_set_text, AT(sched) },
	{ "old", 0, NULL, ON(CYCLE), NULL, "without classes: every job is considered",
	  set_flag, AT(old) },
	{ "both", 0, NULL, ON(CYCLE), NULL,
	  "the log of the design document beside that of OpenPBS",
	  set_flag, AT(both) },
	{ "at", 0, "TIME",
	  (ROWS & ~PLAYED & ~ON(AUDIT)) | QUESTIONS | ON(SNAPSHOT) | ON(SCREEN), NULL,
	  "for a recording, the cluster as it was then: 2h ago, 09:30, yesterday 14:00, "
	  "2026-11-03 14:00, Unix seconds", set_at, AT(at) },
	{ "runs", 0, "FILE", ON(STARTS), NULL,
	  "how long jobs will really run, for trials: columns job and run (seconds), separated by "
	  "tabs", option_set_text, AT(runs) },
	{ "history", 0, "FILE", ON(STARTS) | ON(WHY), NULL,
	  "calibrate likely spans on the jobs of this recording or log instead of the source's "
	  "own past", option_set_text, AT(history) },
	{ "seed", 0, "N", ON(STARTS), NULL,
	  "the random draws for the spans; the same number gives the same answer", option_set_count,
	  AT(seed) },
	{ "policy", 0, "POLICY", ON(BACKTEST), word_policy,
	  "a policy to simulate, up to four times; by default that of the recording's scheduler "
	  "(slurm, slurm-builtin, pbs), otherwise easy", set_policy, 0 },
	{ "procs", 0, "N", ON(BACKTEST), NULL,
	  "processors of the machine; by default those of the recording's nodes or of the log's "
	  "header (MaxProcs)", set_procs, 0 },
	{ "estimates", 0, "WHAT", ON(BACKTEST), NULL,
	  "the run time that a policy assumes for a job: limit (its time limit), run (its real "
	  "run time), or x2 (the limit times a number)", set_estimates, 0 },
	{ "load", 0, "X", ON(BACKTEST), NULL, "jobs are submitted X times as fast", set_load, 0 },
	{ "starts", 0, "FILE", ON(BACKTEST), NULL,
	  "write id, submit, start and end of each job there, separated by tabs; for the second "
	  "policy to FILE.2, and so on; a file of another kind is not replaced", option_set_text,
	  AT(starts) },
	{ "from", 0, "TIME", PLAYED, NULL,
	  "from then on; for diff, the earlier time (by default the first sample)",
	  option_set_time, AT(from) },
	{ "to", 0, "TIME", PLAYED, NULL, "until then; by default the last sample, or now",
	  set_to, AT(to) },
	{ "output", 'o', "FILE", ON(RECORD) | ON(IMPORT), NULL, "the recording; for record also "
	  "postgresql://HOST/DATABASE?cluster=NAME", option_set_text, AT(output) },
	{ "spool", 0, "FILE", ON(RECORD), NULL,
	  "with a recording in PostgreSQL, the local recording from which it is sent; by default "
	  "in ~/.local/state/fairtop", option_set_text, AT(spool) },
	{ "output", 'o', "FILE", ON(METRICS), NULL,
	  "write there, to a new file that then replaces FILE. A FILE that was not written by this "
	  "verb is left alone", option_set_text, AT(output) },
	{ "output", 'o', "FILE", ON(BUG_REPORT), NULL, "the report", option_set_text, AT(output) },
	{ "users", 0, NULL, ON(METRICS), NULL, "users as well as accounts", set_flag,
	  AT(users) },
	{ "series", 0, "N", ON(METRICS), NULL,
	  "refuse to write more than N series; 10000 by default", option_set_count, AT(series) },
	{ "tree", 0, "FILE", ON(IMPORT), NULL,
	  "the associations: a sacctmgr dump file, or the output of sacctmgr show assoc -P; "
	  "without it all accounts are directly below the root; for lsf-acct the directory of "
	  "LSF's configuration (lsb.queues, lsb.users, lsb.params, and lsid.txt with the output "
	  "of lsid): usage then decays as in LSF", option_set_text, AT(tree) },
	{ "qos", 0, "FILE", ON(IMPORT), NULL,
	  "UsageFactor of each QOS: the output of sacctmgr show qos -P", option_set_text, AT(qos) },
	{ "partitions", 0, "FILE", ON(IMPORT), NULL,
	  "TRESBillingWeights: the output of scontrol show partition; sacct prints billable TRES "
	  "without their fraction", option_set_text, AT(partitions) },
	{ "half-life", 0, "TIME", ON(IMPORT), NULL,
	  "PriorityDecayHalfLife, for example 14d; 7d by default, 0 is no decay",
	  set_span, AT(half_life) },
	{ "period", 0, "TIME", ON(IMPORT), NULL,
	  "PriorityCalcPeriod, 300s by default", set_span, AT(period) },
	{ "reset-period", 0, "WORD", ON(IMPORT), word_reset,
	  "PriorityUsageResetPeriod, at midnight in the log's time zone; NONE by default",
	  set_word, AT(reset_period) },
	{ "passes", 0, "FILE", ON(IMPORT) | ON(AUDIT), NULL,
	  "the times of the decay passes, one per line, Unix seconds or 2026-11-20T03:50:28; "
	  "usage is then exact", option_set_text, AT(passes) },
	{ "sacct", 0, "FILE", ON(AUDIT), NULL,
	  "the jobs that ran, as sacct -a -P -D -S TIME -o ALL prints them", option_set_text,
	  AT(sacct) },
	{ "tolerance", 0, "PART", ON(AUDIT), NULL,
	  "the part of an association's usage that may differ, for example 1% or 0.01, by default "
	  "0.1%; in addition to the error of whole seconds and of the phase of the passes",
	  set_tolerance, 0 },
	{ "keep", 0, "AGES", ON(RECORD) | ON(THIN), NULL,
	  "delete data older than, for example, 30d, and thin with age: 7d,90d:1h,3y:1d keeps a "
	  "sample per hour from 7 days on, one per day from 90 days on, none from 3 years on; ends "
	  "of jobs, changes of parameters and gaps are kept; by default everything is kept",
	  set_keep, 0 },
	{ "count", 0, "N", ON(RECORD), NULL, "stop after N samples", option_set_count,
	  AT(count) },
	{ "anonymize", 0, NULL, ON(RECORD), NULL,
	  "pseudonyms for users, accounts, jobs and reservations; their key is kept in FILE.key",
	  set_flag, AT(anonymize) },
	{ "follow", 0, NULL, ON(SCREEN), NULL,
	  "show new samples of a recording as they are written",
	  set_flag, AT(follow) },
	{ "pools", 0, "FILE", ON(SCREEN) | ON(POOLS) | ON(EXPLAIN) | ON(HISTORY), NULL,
	  "make pools of partitions or queues as FILE says; the screen opens with them",
	  option_set_text, AT(pools) },
	{ "grouped", 0, NULL, ON(SCREEN) | ON(POOLS) | ON(EXPLAIN) | ON(HISTORY), NULL,
	  "dispatch order with each pool as one block, where its best queue is",
	  set_flag, AT(grouped) },
	{ "log", 0, NULL, ON(POOLS), NULL,
	  "slots allotted as LSF's dispatcher log, for gnuplot: a line for each sample of a "
	  "recording, otherwise the lines of the source's own log, and one for now",
	  set_flag, AT(log) },
	{ "rule", 0, "RULE", ON(WATCH), NULL,
	  "'NAME: VIEW EXPRESSION [until EXPRESSION] [for TIME]', an alarm; can be repeated",
	  set_alarm, 0 },
	{ "wait", 0, NULL, ON(VERIFY), NULL,
	  "if one sample does not settle it, continue over the next decay passes, at most three; "
	  "standard error shows which pass is awaited", set_flag, AT(wait) },
	{ "once", 0, NULL, ON(WATCH), NULL,
	  "check once, without waiting for any TIME, and exit 1 if there is an alarm",
	  set_flag, AT(once) },
	{ "exec", 0, "PROGRAM", ON(WATCH), NULL,
	  "run PROGRAM, without arguments and without a shell, at each start and end; its "
	  "environment describes the event, in FAIRTOP_*", option_set_text, AT(exec) },
	{ "format", 0, "FORMAT", ON(WATCH), word_lines,
	  "how starts and ends are written: a line for people, or one of JSON", set_word,
	  AT(lines) },
	{ "every", 0, "TIME", ON(SCREEN) | ON(RECORD) | ON(METRICS) | ON(WATCH) | ON(IMPORT) |
			   ON(BACKTEST) | ON(HISTORY), NULL,
	  "time between two refreshes or samples, for example 30s or 2m; for backtest and history, "
	  "a row for each such step of time", option_set_every, 0 },
	{ "theme", 0, "NAME", ON(SCREEN), option_word_theme, "colours of the screen",
	  option_set_text, AT(theme) },
	{ "color", 0, "WHEN", ON(SCREEN), word_color,
	  "how many colours the terminal has; auto asks it", set_word, AT(color) },
	{ "ascii", 0, NULL, ON(SCREEN), NULL, "draw with ASCII characters only", set_flag,
	  AT(ascii) },
	{ "no-mouse", 0, NULL, ON(SCREEN), NULL, "leave the mouse to the terminal",
	  set_flag, AT(no_mouse) },
	{ "tour", 0, NULL, ON(SCREEN), NULL,
	  "start with a tour of seven steps, each done by pressing a key", set_flag, AT(tour) },
	{ "print-config", 0, NULL, ON(SCREEN), NULL,
	  "print all settings with their meaning, as lines of fairtop.conf, and exit",
	  set_flag, AT(print_config) },
	{ "workspace", 0, "NAME", ON(SCREEN), NULL,
	  "start with the views saved under this name", option_set_text, AT(workspace) },
	{ "render", 0, "WxH", ON(SCREEN), NULL,
	  "write one frame of W columns and H lines to standard output and exit", set_render, 0 },
	{ "keys", 0, "KEYS", ON(SCREEN), NULL,
	  "with --render: press these keys first; keys without a character are written <Down> "
	  "<Enter> <Esc> <C-p> <Space> <lt> and so on", option_set_text, AT(keys) },
	{ "format", 0, "FORMAT", ON(SCREEN), word_frame,
	  "with --render: plain text, text with colours, or a picture",
	  set_word, AT(frame_format) },
	{ "help", 'h', NULL, EVERY, NULL, "print help, and exit", set_flag, AT(help) },
	{ "version", 'V', NULL, EVERY, NULL, "print the version, and exit", set_flag, AT(version) },
	{ "no-sandbox", 0, NULL, EVERY, NULL,
	  "read recordings, snapshots, saved outputs and logs without sandboxing the process that "
	  "reads them",
	  set_flag, AT(no_sandbox) },
	{ "sandbox-status", 0, NULL, EVERY, NULL,
	  "report how this system can sandbox processes, and exit", set_flag, AT(sandbox_status) },
};
const size_t option_count = sizeof(option_info) / sizeof(option_info[0]);

const struct option_info *option_named(const char *name, size_t length, enum verb verb)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option_info *info = &option_info[i];

		if (info->verbs & UINT32_C(1) << verb && strlen(info->name) == length &&
		    memcmp(info->name, name, length) == 0)
			return info;
	}
	return NULL;
}

const struct option_info *option_of(const char *name, enum verb verb)
{
	return option_named(name, strlen(name), verb);
}
