/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of options: their names, words, verbs and setters. */
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static const char *word_algorithm(size_t i)
{
	return i < FS_ALGORITHMS ? fs_algos[i]->name : NULL;
}

static const char *word_rules(size_t i)
{
	return i < CLASS_RULES ? class_rules_names[i] : NULL;
}

static const char *word_base(size_t i)
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
	return sim_policy_names[i];
}

static const char *word_export(size_t i)
{
	static const char *const words[] = { "slurm", "pbs", "lsf", NULL };

	return words[i];
}

static const char *word_reset(size_t i)
{
	static const char name[] = "PriorityUsageResetPeriod";

	return policy_word(policy_param_by_name(name, sizeof(name) - 1), i);
}

static const char *word_theme(size_t i)
{
	return theme_builtin[i];
}

/* "table, json or csv" */
static const char *words_text(const char *(*word)(size_t), char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; word(i) && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s",
					 i == 0 ? "" : word(i + 1) ? ", " : " or ", word(i));
	return buf;
}

/* Index of VALUE among the words; ERR_INPUT if it is none of them. */
static bool word_index(const char *option, const char *(*word)(size_t), const char *value,
		       size_t *index, struct err *err)
{
	char all[200];

	for (size_t i = 0; word(i); i++) {
		if (strcmp(word(i), value) == 0) {
			*index = i;
			return true;
		}
	}
	return err_set(err, ERR_INPUT, "--%s %s: unknown (expected %s)", option, value,
		       words_text(word, all, sizeof(all)));
}

/* ---- setters ------------------------------------------------------------------------------- */

static bool set_format(struct options *o, const char *value, struct err *err)
{
	size_t i = 0;

	if (!word_index("format", word_format, value, &i, err))
		return false;
	o->format = (enum report_format)i;
	return true;
}

static bool set_frame_format(struct options *o, const char *value, struct err *err)
{
	size_t i = 0;

	o->frame_format = value;
	return word_index("format", word_frame, value, &i, err);
}

static bool set_columns(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->columns = value;
	return true;
}

static bool set_sort(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->sort = value;
	return true;
}

static bool set_filter(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->filter = value;
	return true;
}

static bool set_mine(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->mine = true;
	return true;
}

static bool set_algorithm(struct options *o, const char *value, struct err *err)
{
	size_t i = 0;

	if (!word_index("algorithm", word_algorithm, value, &i, err))
		return false;
	o->model.algorithm = (int)i;
	return true;
}

static bool set_base(struct options *o, const char *value, struct err *err)
{
	size_t i = 0;

	if (!word_index("base", word_base, value, &i, err))
		return false;
	o->model.base = i == 0 ? FS_BASE_REPORTED : FS_BASE_USAGE;
	return true;
}

/* "30s", "2m", "1.5h", "30": at least a second, at most a week. */
static bool set_every(struct options *o, const char *value, struct err *err)
{
	static const char units[] = "smhd";
	static const double seconds[] = { 1, 60, 3600, 86400 };
	const char *unit;
	char *end;
	double x = strtod(value, &end);

	if (value[0] >= '0' && value[0] <= '9' && *end && (unit = strchr(units, *end)) && !end[1]) {
		x *= seconds[unit - units];
		end++;
	}
	if (value[0] < '0' || value[0] > '9' || *end || !(x >= 1 && x <= 7 * 86400))
		return err_set(err, ERR_INPUT,
			       "--every %s: not a time between refreshes (expected for "
			       "example 30s, 2m or 1h, at least 1s)",
			       value);
	o->every_ms = (int64_t)(x * 1000);
	return true;
}

/* "30d", "2w", "12h" */
static bool set_keep(struct options *o, const char *value, struct err *err)
{
	double seconds;

	if (!timeword_duration(value, &seconds) || seconds < 60)
		return err_set(err, ERR_INPUT, "--keep %s: not a time to keep (expected for "
			       "example 30d, 2w or 12h, at least 1m)", value);
	o->keep = (int64_t)seconds;
	return true;
}

static bool set_count(struct options *o, const char *value, struct err *err)
{
	char *end;

	errno = 0;
	o->count = strtoull(value, &end, 10);
	return (value[0] >= '0' && value[0] <= '9' && !*end && o->count > 0 && errno == 0) ||
	       err_set(err, ERR_INPUT, "--count %s: not a number of samples", value);
}

static bool set_output(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->output = value;
	return true;
}

static bool set_anonymize(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->anonymize = true;
	return true;
}

static bool set_follow(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->follow = true;
	return true;
}

static bool set_time(const char *option, int64_t *at, const char *value, struct err *err)
{
	if (timeword_parse(value, (int64_t)time(NULL), &zone_local, at, err))
		return true;
	err_prefix(err, "--%s", option);
	return false;
}

static bool set_at(struct options *o, const char *value, struct err *err)
{
	return set_time("at", &o->at, value, err);
}

static bool set_from(struct options *o, const char *value, struct err *err)
{
	return set_time("from", &o->from, value, err);
}

static bool set_to(struct options *o, const char *value, struct err *err)
{
	/* A recording ends a little before now: its end is meant. */
	if (strcasecmp(value, "now") == 0) {
		o->to = I64_UNKNOWN;
		return true;
	}
	return set_time("to", &o->to, value, err);
}

static bool set_tree(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->tree = value;
	return true;
}

static bool set_qos(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->qos = value;
	return true;
}

static bool set_partitions(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->partitions = value;
	return true;
}

static bool set_passes(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->passes = value;
	return true;
}

/* "7d", "1.5h", "300" (seconds), or with - or : as Slurm writes it, "7-0". */
static bool parse_span(const char *option, const char *value, double least, int64_t *seconds,
		       struct err *err)
{
	double x = -1;

	if (value[0] && strpbrk(value + 1, "-:")) {
		if (timestr_parse(value, seconds, NULL) && *seconds != I64_INFINITE)
			x = (double)*seconds;
	} else if (!timeword_duration(value, &x)) {
		x = -1;
	}
	if (!(x >= least && x <= 100.0 * 366 * 86400))
		return err_set(err, ERR_INPUT, "--%s %s: not a duration (expected for example "
			       "7d, 7-0 or 300s)", option, value);
	*seconds = (int64_t)x;
	return true;
}

static bool set_half_life(struct options *o, const char *value, struct err *err)
{
	return parse_span("half-life", value, 0, &o->half_life, err);
}

static bool set_period(struct options *o, const char *value, struct err *err)
{
	return parse_span("period", value, 1, &o->period, err);
}

static bool set_reset_period(struct options *o, const char *value, struct err *err)
{
	size_t i = 0;

	if (!word_index("reset-period", word_reset, value, &i, err))
		return false;
	o->reset_period = word_reset(i);
	return true;
}

static bool set_theme(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->theme = value;
	return true;
}

static bool set_color(struct options *o, const char *value, struct err *err)
{
	size_t i = 0;

	o->color = value;
	return word_index("color", word_color, value, &i, err);
}

static bool set_ascii(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->ascii = true;
	return true;
}

static bool set_no_mouse(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->no_mouse = true;
	return true;
}

static bool set_render(struct options *o, const char *value, struct err *err)
{
	o->render = true;
	return screen_parse_size(value, &o->width, &o->height, err);
}

static bool set_keys(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->keys = value;
	return true;
}

static bool set_rules(struct options *o, const char *value, struct err *err)
{
	size_t i = 0;

	o->rules = value;
	return word_index("rules", word_rules, value, &i, err);
}

static bool set_exclude(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->exclude = value;
	return true;
}

static bool set_old(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->old = true;
	return true;
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

static bool set_set(struct options *o, const char *value, struct err *err)
{
	struct edit edit;

	if (!edit_parse(value, &edit, err)) {
		err_prefix(err, "--set");
		return false;
	}
	edit_free(&edit);
	return add_edit(o, value, false, err);
}

static bool set_what_if(struct options *o, const char *value, struct err *err)
{
	return add_edit(o, value, true, err);
}

static bool set_reach(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->reach = value;
	return true;
}

static bool set_config(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->config = value;
	return true;
}

static bool set_burn(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->burn = value;
	return true;
}

static bool set_view(struct options *o, const char *value, struct err *err)
{
	size_t i = 0;

	o->view = value;
	return word_index("view", word_view, value, &i, err);
}

static bool set_beside(struct options *o, const char *value, struct err *err)
{
	if (o->beside_count == OPTIONS_BESIDE)
		return err_set(err, ERR_INPUT, "--beside: %d sets are compared at most",
			       WHATIF_SETS);
	o->beside[o->beside_count++] = value;
	return true;
}

static bool set_changed(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->changed = true;
	return true;
}

static bool set_export(struct options *o, const char *value, struct err *err)
{
	size_t i = 0;

	o->export_as = value;
	return word_index("export", word_export, value, &i, err);
}

static bool set_inverse(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->inverse = true;
	return true;
}

static bool set_pools(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->pools = value;
	return true;
}

static bool set_log(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->log = true;
	return true;
}

static bool set_grouped(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->grouped = true;
	return true;
}

static bool set_policy(struct options *o, const char *value, struct err *err)
{
	size_t i = 0;

	if (!word_index("policy", word_policy, value, &i, err))
		return false;
	if (o->policy_count == BACKTEST_POLICIES)
		return err_set(err, ERR_INPUT, "--policy %s: %d policies are compared at most",
			       value, BACKTEST_POLICIES);
	o->policies[o->policy_count++] = (enum sim_policy)i;
	return true;
}

static bool set_procs(struct options *o, const char *value, struct err *err)
{
	char *end;
	unsigned long long n = strtoull(value, &end, 10);

	o->trial.procs = (uint32_t)n;
	return (value[0] >= '0' && value[0] <= '9' && !*end && n > 0 && n < U32_UNKNOWN) ||
	       err_set(err, ERR_INPUT, "--procs %s: not a number of processors", value);
}

/* A number above 0, and nothing behind it. */
static bool parse_factor(const char *text, double *x)
{
	char *end;

	*x = strtod(text, &end);
	return text[0] >= '0' && text[0] <= '9' && !*end && *x > 0 && *x <= 1e6;
}

static bool set_estimates(struct options *o, const char *value, struct err *err)
{
	o->trial.estimates = strcmp(value, "limit") == 0;
	return o->trial.estimates > 0 || strcmp(value, "run") == 0 ||
	       (value[0] == 'x' && parse_factor(value + 1, &o->trial.estimates)) ||
	       err_set(err, ERR_INPUT, "--estimates %s: unknown (expected limit, run, or for "
		       "example x2)", value);
}

static bool set_load(struct options *o, const char *value, struct err *err)
{
	return parse_factor(value, &o->trial.load) ||
	       err_set(err, ERR_INPUT, "--load %s: not a factor (expected for example 1.2)",
		       value);
}

static bool set_starts(struct options *o, const char *value, struct err *err)
{
	(void)err;
	o->starts = value;
	return true;
}

static bool set_help(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->help = true;
	return true;
}

static bool set_version(struct options *o, const char *value, struct err *err)
{
	(void)value;
	(void)err;
	o->version = true;
	return true;
}

/* ---- the table ----------------------------------------------------------------------------- */

#define ON(verb) (UINT32_C(1) << VERB_##verb)
#define PAST (ON(HISTORY) | ON(DIFF))
#define PLAYED (PAST | ON(BACKTEST))
#define ROWS (ON(ACCOUNTS) | ON(JOBS) | ON(WHATIF) | ON(CLASSES) | ON(POOLS) | ON(LINT) | \
	      ON(VERIFY) | ON(POLICY) | ON(CYCLE) | PLAYED)
#define GROUPS (ON(CLASSES) | ON(CYCLE) | ON(EXPLAIN) | ON(COMPARE))
#define EDITED (ON(ACCOUNTS) | ON(JOBS) | ON(CLASSES) | ON(CYCLE) | ON(POLICY) | ON(EXPLAIN) | \
		ON(COMPARE) | ON(WHATIF) | ON(POOLS) | ASKED)
#define ASKED (ON(FORECAST) | ON(SEEK))
#define QUESTIONS (ON(EXPLAIN) | ON(COMPARE) | ASKED)
#define EVERY ((UINT32_C(1) << VERB_COUNT) - 1)

const struct option_info option_info[] = {
	{ "format", "FORMAT", ROWS | QUESTIONS, word_format,
	  "how the answer is written: a table for people, one JSON object, or CSV", set_format },
	{ "columns", "TITLES", ON(IMPORT), NULL,
	  "titles of a sacct output that has no header line, joined by commas", set_columns },
	{ "columns", "COLUMNS", ROWS | QUESTIONS | ON(SCREEN), NULL,
	  "these columns, joined by commas; +a adds a to the usual ones, -a takes it away",
	  set_columns },
	{ "sort", "COLUMNS", ROWS | ON(SCREEN), NULL,
	  "order the rows by these columns, joined by commas; a - before a column turns it round",
	  set_sort },
	{ "filter", "EXPRESSION", ROWS | ON(SCREEN), NULL, "only rows that fit", set_filter },
	{ "mine", NULL, ON(ACCOUNTS) | ON(JOBS) | ON(SCREEN), NULL,
	  "only rows of the user who runs fairtop",
	  set_mine },
	{ "algorithm", "NAME", ON(ACCOUNTS) | PAST | ON(JOBS) | ON(WHATIF) | QUESTIONS |
	  ON(VERIFY) | ON(SCREEN), word_algorithm,
	  "compute by this algorithm and not by the one that PriorityFlags asks for",
	  set_algorithm },
	{ "base", "BASE", ON(ACCOUNTS) | PAST | ON(JOBS) | ON(WHATIF) | QUESTIONS | ON(SCREEN),
	  word_base,
	  "start from the usage ratios that the scheduler reports (the default where it does) or "
	  "from raw usage", set_base },
	{ "set", "EDIT", EDITED, NULL,
	  "make this edit in a copy of what was read, for example shares:/physics=40; can be "
	  "repeated; fairtop-whatif(5) lists the targets", set_set },
	{ "what-if", "FILE", EDITED, NULL, "make the edits of this file, one a line", set_what_if },
	{ "reach", "GOAL", ASKED, NULL,
	  "the goal: a fair-share factor; of seek for a job, the rank that is good enough",
	  set_reach },
	{ "burn", "RATE", ON(FORECAST), NULL,
	  "what OBJECT burns: now (as it does), none, or billable TRES-seconds per hour",
	  set_burn },
	{ "config", "FILE", ON(LINT), NULL,
	  "also check the text of this slurm.conf and of what it includes", set_config },
	{ "view", "VIEW", ON(WHATIF), word_view, "whose rows are compared", set_view },
	{ "beside", "FILE", ON(WHATIF), NULL,
	  "compare the edits of this file with the same base, too; up to three times", set_beside },
	{ "changed", NULL, ON(WHATIF), NULL, "only what differs", set_changed },
	{ "export", "SCHEDULER", ON(WHATIF), word_export,
	  "write the commands that make the changes; fairtop runs none of them", set_export },
	{ "inverse", NULL, ON(WHATIF), NULL, "with --export: the commands that take them back",
	  set_inverse },
	{ "rules", "RULES", GROUPS, word_rules,
	  "what makes two jobs the same: the rules of the PBS document, of OpenPBS, or of others",
	  set_rules },
	{ "exclude", "RESOURCES", GROUPS, NULL,
	  "resources that do not tell classes apart, joined by commas", set_exclude },
	{ "old", NULL, ON(CYCLE), NULL, "without classes: every job is considered", set_old },
	{ "at", "TIME", (ROWS & ~PLAYED) | QUESTIONS | ON(SNAPSHOT) | ON(SCREEN), NULL,
	  "of a recording, the cluster as it was then: 2h ago, 09:30, yesterday 14:00, "
	  "2026-11-03 14:00, Unix seconds", set_at },
	{ "policy", "POLICY", ON(BACKTEST), word_policy,
	  "a policy to play, easy unless told; up to four times", set_policy },
	{ "procs", "N", ON(BACKTEST), NULL,
	  "processors of the machine; MaxProcs of the log's header unless told", set_procs },
	{ "estimates", "WHAT", ON(BACKTEST), NULL,
	  "what a policy knows of how long a job will run: limit (its time limit), run (the "
	  "truth), or the limit times a number, x2", set_estimates },
	{ "load", "X", ON(BACKTEST), NULL, "jobs come X times as fast", set_load },
	{ "starts", "FILE", ON(BACKTEST), NULL,
	  "write id, submit, start and end of every job there, separated by tabs; of the second "
	  "policy to FILE.2, and so on", set_starts },
	{ "from", "TIME", PLAYED, NULL,
	  "from then on; of diff, what it was before (the first sample unless told)", set_from },
	{ "to", "TIME", PLAYED, NULL, "until then; the last sample unless told, or now", set_to },
	{ "output", "FILE", ON(RECORD) | ON(IMPORT), NULL, "the recording; -o FILE is the same",
	  set_output },
	{ "tree", "FILE", ON(IMPORT), NULL,
	  "the associations: a sacctmgr dump file, or the output of sacctmgr show assoc -P; "
	  "without it accounts lie side by side below the root", set_tree },
	{ "qos", "FILE", ON(IMPORT), NULL,
	  "UsageFactor of each QOS: the output of sacctmgr show qos -P", set_qos },
	{ "partitions", "FILE", ON(IMPORT), NULL,
	  "TRESBillingWeights: the output of scontrol show partition; sacct prints billable TRES "
	  "without their fraction", set_partitions },
	{ "half-life", "TIME", ON(IMPORT), NULL,
	  "PriorityDecayHalfLife, for example 14d; 7d unless told, 0 is no decay",
	  set_half_life },
	{ "period", "TIME", ON(IMPORT), NULL,
	  "PriorityCalcPeriod, for example 300s, which it is unless told", set_period },
	{ "reset-period", "WORD", ON(IMPORT), word_reset,
	  "PriorityUsageResetPeriod, by the midnights of the log's time zone; NONE unless told",
	  set_reset_period },
	{ "passes", "FILE", ON(IMPORT), NULL,
	  "the times of the decay passes, one a line, Unix seconds or 2026-11-20T03:50:28; "
	  "usage is then exact", set_passes },
	{ "keep", "TIME", ON(RECORD), NULL,
	  "forget what is older, for example 30d; for ever unless told", set_keep },
	{ "count", "N", ON(RECORD), NULL, "stop after so many samples", set_count },
	{ "anonymize", NULL, ON(RECORD), NULL,
	  "pseudonyms for users, accounts, jobs and reservations; their key is kept in FILE.key",
	  set_anonymize },
	{ "follow", NULL, ON(SCREEN), NULL, "of a recording, show what comes as it is written",
	  set_follow },
	{ "pools", "FILE", ON(SCREEN) | ON(POOLS) | ON(EXPLAIN), NULL,
	  "make pools of partitions or queues as FILE says; the screen opens with them",
	  set_pools },
	{ "grouped", NULL, ON(SCREEN) | ON(POOLS) | ON(EXPLAIN), NULL,
	  "dispatch order with each pool as one block, where its best queue stands", set_grouped },
	{ "log", NULL, ON(POOLS), NULL,
	  "slots allotted as LSF's dispatcher log, for gnuplot: a line for each sample of a "
	  "recording; else what the source's own log tells, and now", set_log },
	{ "every", "TIME", ON(SCREEN) | ON(RECORD) | ON(IMPORT), NULL,
	  "time between two refreshes or samples, for example 30s or 2m",
	  set_every },
	{ "theme", "NAME", ON(SCREEN), word_theme, "colours of the screen", set_theme },
	{ "color", "WHEN", ON(SCREEN), word_color,
	  "how many colours the terminal has; auto asks it", set_color },
	{ "ascii", NULL, ON(SCREEN), NULL, "draw with ASCII characters only", set_ascii },
	{ "no-mouse", NULL, ON(SCREEN), NULL, "leave the mouse to the terminal", set_no_mouse },
	{ "render", "WxH", ON(SCREEN), NULL,
	  "write one frame of W columns and H lines to standard output and exit", set_render },
	{ "keys", "KEYS", ON(SCREEN), NULL,
	  "with --render: type these keys first; <Down> <Enter> <Esc> <C-p> <Space> <lt> and the "
	  "like stand for the keys without a character", set_keys },
	{ "format", "FORMAT", ON(SCREEN), word_frame,
	  "with --render: plain text, text with colours, or a picture", set_frame_format },
	{ "help", NULL, EVERY, NULL, "explain, and exit", set_help },
	{ "version", NULL, EVERY, NULL, "print the version, and exit", set_version },
};
const size_t option_count = sizeof(option_info) / sizeof(option_info[0]);
