/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/docgen/docgen.h"

#include <stdlib.h>
#include <string.h>

#include "adapters/adapter.h"
#include "adapters/lsf/lsf_text.h"
#include "adapters/pbs/pbs_text.h"
#include "adapters/slurm/slurm_text.h"
#include "config.h"
#include "core/fleet/fleet_row.h"
#include "core/base/format.h"
#include "core/whatif/changes_columns.h"
#include "core/whatif/edits.h"
#include "core/lint/lint.h"
#include "tui/cells/canvas.h"
#include "tui/acts/commands.h"
#include "cli/metrics.h"
#include "core/watch/watch.h"
#include "cli/options.h"

#define LIST ".Bl -tag -width Ds\n"

/* "[SOURCE] OBJECT" as macros: Op Ar SOURCE Ar OBJECT. */
static void doc_arguments(FILE *out, const char *arguments)
{
	while (*arguments) {
		size_t length = strcspn(arguments, " ");

		if (arguments[0] == '[')
			fprintf(out, " Oo Ar %.*s Oc", (int)length - 2, arguments + 1);
		else
			fprintf(out, " Ar %.*s", (int)length, arguments);
		arguments += length + (arguments[length] == ' ');
	}
}

/* Whether TEXT keeps its case: a configuration word (priority/basic), or an explained one. */
static bool is_value(const char *text)
{
	size_t length = strcspn(text, " ");

	return memchr(text, '/', length) || (length > 0 && text[length - 1] == ':');
}

static void doc_sentence(FILE *out, const char *text)
{
	bool rises = text[0] >= 'a' && text[0] <= 'z' && !is_value(text);
	char copy[600];

	/* Makes a sentence of a table's phrase. */
	(void)snprintf(copy, sizeof(copy), "%c%s%s", rises ? text[0] - 'a' + 'A' : text[0],
		       text + 1, strchr(".?", text[strlen(text) - 1]) ? "" : ".");
	doc_text(out, copy);
}

/* Item MACRO NAME of a list, and its meaning. */
static void list_item(FILE *out, const char *macro, const char *name, const char *meaning)
{
	fprintf(out, ".It %s ", macro);
	doc_word(out, name);
	fputc('\n', out);
	doc_sentence(out, meaning);
}

static void doc_default(FILE *out, const char *value)
{
	char text[600];

	(void)snprintf(text, sizeof(text), "Default: %s.", value[0] ? value : "none");
	doc_text(out, text);
}

/* A unit keeps its case: a capital S is the column of normalised shares. */
static void doc_unit(FILE *out, enum unit unit)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "Unit: %s.", unit_name(unit));
	doc_text(out, text);
}

/* Each has a page of its own. */
static void docgen_verbs(FILE *out, const char *which)
{
	(void)which;
	for (size_t v = 0; v < VERB_COUNT; v++) {
		if (!verb_info[v].name || verb_info[v].hidden)
			continue;
		fprintf(out, ".It Xr fairtop-%s 1\n", verb_info[v].name);
		doc_sentence(out, verb_info[v].meaning);
	}
}

static void option_item(FILE *out, const struct option_info *info)
{
	fputs(".It ", out);
	if (info->letter)
		fprintf(out, "Fl %c , ", info->letter);
	fprintf(out, "Fl Fl %s", info->name);
	if (info->argument)
		fprintf(out, " Ar %s", info->argument);
	fputc('\n', out);
	doc_sentence(out, info->meaning);
	if (!info->word)
		return;
	fprintf(out, "%s is\n", info->argument);
	for (size_t w = 0; info->word(w); w++)
		fprintf(out, ".Cm %s%s\n%s", info->word(w),
			!info->word(w + 1) ? " ." :
			info->word(w + 2) ? " ," : "",
			info->word(w + 1) && !info->word(w + 2) ? "or\n" : "");
}

/* Of the verb NAME, or with "" of the screen. */
static void docgen_options(FILE *out, const char *name)
{
	enum verb verb = name[0] ? verb_by_name(name) : VERB_SCREEN;

	for (size_t i = 0; i < option_count; i++) {
		if (option_info[i].verbs & UINT32_C(1) << verb)
			option_item(out, &option_info[i]);
	}
}

static void column_item(FILE *out, const struct column *c)
{
	fputs(".It Va ", out);
	doc_word(out, c->name);
	fputs(" Pq Sy ", out);
	doc_word(out, c->title);
	fputc('\n', out);
	doc_sentence(out, c->legend);
	if (c->unit != UNIT_NONE && c->unit != UNIT_RATIO)
		doc_unit(out, c->unit);
}

static void docgen_columns(FILE *out, const char *view)
{
	enum verb verb = verb_by_name(view);
	struct view shape = fleet_view(NULL, 0);

	if (strcmp(view, shape.name) != 0 && verb == VERB_COUNT) {
		fprintf(stderr, "docgen: COLUMNS %s: no such verb\n", view);
		exit(2);
	}
	if (verb != VERB_COUNT)
		shape = verb_shape(verb);
	for (size_t i = 0; i < shape.column_count; i++)
		column_item(out, &shape.columns[i]);
}

/* The names of the columns of changes, by view; they explain themselves. */
static void docgen_changes(FILE *out, const char *which)
{
	(void)which;
	for (unsigned v = 0; v < VERB_COUNT; v++) {
		struct view view = verb_shape((enum verb)v);
		struct changes_columns *c = changes_columns_new(&view, NULL, false);

		if (!c)
			continue;
		fprintf(out, ".It Cm %s\n", view.name);
		for (size_t k = c->own; k < c->count; k++) {
			fputs(".Va ", out);
			doc_word(out, c->columns[k].name);
			fputs(k + 1 < c->count ? " ,\n" : "\n", out);
		}
		changes_columns_free(c);
	}
}

/* The checks of lint for one scheduler. */
static void docgen_rules(FILE *out, const char *of)
{
	for (size_t i = 0; i < lint_rules_count; i++) {
		if (strcmp(lint_rules[i].of, of) == 0)
			list_item(out, "Sy", lint_rules[i].code, lint_rules[i].meaning);
	}
}

static void docgen_metrics(FILE *out, const char *which)
{
	(void)which;
	for (size_t i = 0; i < metric_count; i++) {
		const struct metric *m = &metric_table[i];

		if (m->of == METRIC_OF_ROW)
			fprintf(out, ".It Va fairtop_account_%s , fairtop_user_%s\n", m->name,
				m->name);
		else
			fprintf(out, ".It Va fairtop_%s\n", m->name);
		doc_sentence(out, metric_help(m));
		if (m->labels[0])
			fprintf(out, "Labels:\n.Li %s .\n", m->labels);
	}
}

/* The columns of a view that only alarms use. */
static void docgen_watched(FILE *out, const char *view)
{
	for (size_t i = 0; i < watch_view_count; i++) {
		const struct alarm_view *v = &watch_views[i];

		for (size_t k = 0; strcmp(v->name, view) == 0 && k < *v->column_count; k++)
			column_item(out, &v->columns[k]);
	}
}

static void docgen_fields(FILE *out, const char *name)
{
	enum table table = table_by_name(name, strlen(name));

	for (unsigned f = 0; f < F_COUNT; f++) {
		if (field_info[f].table != table)
			continue;
		fputs(".It Va ", out);
		doc_word(out, field_info[f].name);
		fputs(" Pq ", out);
		doc_word(out, field_type_name(field_info[f].type));
		fputc('\n', out);
		doc_sentence(out, field_info[f].meaning);
		if (unit_name(field_info[f].unit)[0])
			doc_unit(out, field_info[f].unit);
	}
}

static void docgen_parameters(FILE *out, const char *which)
{
	enum policy_scheduler scheduler = policy_scheduler_of(which);

	for (size_t i = 0; i < policy_params_count; i++) {
		const struct policy_param *p = &policy_params[i];

		if (p->scheduler != scheduler)
			continue;
		list_item(out, "Va", p->name, p->meaning);
		doc_default(out, p->default_value);
		if (p->untried) {
			fputs("Not tried by a what-if: ", out);
			doc_sentence(out, p->untried);
		}
	}
}

/* The words that parameters take, by their own names. */
static void word_list(FILE *out, const char *which)
{
	(void)which;
	for (size_t i = 0; i < policy_params_count; i++) {
		if (!policy_word(i, 0))
			continue;
		fprintf(out, ".It Va %s\n", policy_params[i].name);
		for (size_t n = 0; policy_word(i, n); n++)
			fprintf(out, ".Li %s%s\n", policy_word(i, n),
				policy_word(i, n + 1) ? " ," : " .");
	}
}

static void docgen_flags(FILE *out, const char *which)
{
	(void)which;
	for (size_t i = 0; i < policy_flags_count; i++)
		list_item(out, "Dv", policy_flags[i].name, policy_flags[i].meaning);
}

static void docgen_sources(FILE *out, const char *which)
{
	(void)which;
	for (size_t i = 0; adapters[i]; i++)
		list_item(out, "Ar", adapters[i]->synopsis, adapters[i]->meaning);
}

/*
 * A command that may be long: lines can break after commas, bars and spaces; lines of such pieces
 * cannot be justified.
 */
static void docgen_put_command(FILE *out, const char *command)
{
	char piece[512];

	fputs(".Bd -ragged -compact\n.Li ", out);
	while (*command) {
		size_t length = strcspn(command, ",| ");

		length += command[length] != '\0';
		(void)snprintf(piece, sizeof(piece), "%.*s", (int)length, command);
		doc_word(out, piece);
		if (command[length])
			fputs("\\:", out);
		command += length;
	}
	fputs("\n.Ed\n", out);
}

/* The files that a directory of saved outputs of SCHEDULER may hold, and what makes them. */
static void docgen_files(FILE *out, const char *scheduler)
{
	const struct saved_file *file = strcmp(scheduler, "slurm") == 0 ? slurm_dir_files :
					strcmp(scheduler, "pbs") == 0 ? pbs_dir_files :
					lsf_dir_files;

	for (; file->name; file++) {
		list_item(out, "Pa", file->name, file->gives);
		if (file->command[0])
			docgen_put_command(out, file->command);
	}
}

static void command_keys(FILE *out, const char *keys)
{
	char word[32];

	while (*keys) {
		size_t length = strcspn(keys, " ");

		(void)snprintf(word, sizeof(word), "%.*s", (int)length, keys);
		fputs(" Ic ", out);
		doc_word(out, word);
		keys += length + (keys[length] == ' ');
	}
}

/* "earlier later": the first keys of these commands. */
static void key_item(FILE *out, const char *which)
{
	char name[64], key[32];

	fputs(".It", out);
	for (; *which; which += strcspn(which, " ") + (which[strcspn(which, " ")] == ' ')) {
		const struct command *c = commands;

		(void)snprintf(name, sizeof(name), "%.*s", (int)strcspn(which, " "), which);
		while (c->name && strcmp(c->name, name) != 0)
			c++;
		if (!c->name) {
			fprintf(stderr, "docgen: KEY %s: no such command\n", name);
			exit(2);
		}
		(void)snprintf(key, sizeof(key), "%.*s", (int)strcspn(c->keys, " "), c->keys);
		command_keys(out, key);
	}
	fputc('\n', out);
}

static bool section_is_empty(size_t section)
{
	for (size_t i = 0; commands[i].name; i++) {
		if (commands[i].section == section)
			return false;
	}
	return true;
}

static void command_list(FILE *out, const char *which)
{
	(void)which;
	for (size_t s = 0; s < SECTION_COUNT; s++) {
		if (section_is_empty(s))
			continue;
		fprintf(out, ".Ss %s\n", section_titles[s]);
		fputs(LIST, out);
		for (size_t i = 0; commands[i].name; i++) {
			const struct command *c = &commands[i];

			if (c->section != s)
				continue;
			fprintf(out, ".It Cm %s", c->name);
			if (c->arguments[0]) {
				fputs(" Ar ", out);
				doc_word(out, c->arguments);
			}
			if (c->keys[0]) {
				fputs(" Po", out);
				command_keys(out, c->keys);
				fputs(" Pc", out);
			}
			fputc('\n', out);
			doc_sentence(out, c->help);
		}
		fputs(".El\n", out);
	}
}

/* The roles to which themes give colours. */
static void role_list(FILE *out, const char *which)
{
	(void)which;
	for (size_t i = 0; i < ROLE_COUNT; i++)
		list_item(out, "Cm", role_info[i].name, role_info[i].meaning);
	for (size_t i = 0; i < GROUND_COUNT; i++)
		list_item(out, "Cm", ground_info[i].name, ground_info[i].meaning);
}

/* The possible values of T. */
static void target_range(FILE *out, const struct edit_target *t)
{
	static const char *const kinds[] = {
		[EDIT_NUMBER] = "a whole number", [EDIT_REAL] = "a number",
		[EDIT_POINTS] = "a number, or a percentage of the sum of the weights",
		[EDIT_SHARES_OR_PARENT] = "a whole number or parent",
		[EDIT_AMOUNT] = "a number, or + and a number",
		[EDIT_DURATION] = "a duration", [EDIT_TIME] = "a time", [EDIT_YES_NO] = "yes or no",
		[EDIT_TEXT] = "text", [EDIT_AS_PARAM] = "as slurm.conf writes it",
	};
	char text[200];

	bool ranged = t->most > t->least && t->type != EDIT_TIME && t->type != EDIT_DURATION;

	snprintf(text, sizeof(text), "%s", kinds[t->type]);
	if (ranged)
		format_append(text, sizeof(text), "; from %.15g to %.15g", t->least, t->most);
	if (t->unit[0])
		format_append(text, sizeof(text), "; unit: %s", t->unit);
	fputs("Value: ", out);
	doc_sentence(out, text);
}

/* The owner of T, unless all have it, or each its own. */
static void docgen_target_of(FILE *out, const struct edit_target *t)
{
	char text[40] = "Of ";

	if (t->of == EDIT_ALL || (t->of == 0 && !t->param))
		return;
	for (int s = POLICY_OF_SLURM; s <= POLICY_OF_LSF; s++) {
		if (edit_target_of(t, 0, (enum policy_scheduler)s))
			format_append(text, sizeof(text), "%s%s",
				      text[3] ? " and " : "", policy_scheduler_names[s]);
	}
	doc_sentence(out, text);
}

static void target_export(FILE *out, const struct edit_target *t)
{
	char text[200];

	if (t->slurm == EDIT_NEVER)
		snprintf(text, sizeof(text), "no, %s", t->why);
	else
		snprintf(text, sizeof(text), "%s, %s%s", edit_export_name(t->slurm),
			 edit_effect_name(t->effect),
			 t->inverse ? "" : "; cannot be undone");
	fputs("Export: ", out);
	doc_sentence(out, text);
	if (t->slurm != EDIT_NEVER && t->why) {
		snprintf(text, sizeof(text), "but %s", t->why);
		doc_sentence(out, text);
	}
}

static void target_list(FILE *out, const char *which)
{
	(void)which;
	for (size_t i = 0; i < edit_targets_count; i++) {
		list_item(out, "Cm", edit_targets[i].name, edit_targets[i].meaning);
		docgen_target_of(out, &edit_targets[i]);
		target_range(out, &edit_targets[i]);
		target_export(out, &edit_targets[i]);
	}
}

static void exit_code_list(FILE *out, const char *which)
{
	(void)which;
	for (size_t i = 0; i < exit_code_count; i++) {
		fprintf(out, ".It %d\n", exit_codes[i].code);
		doc_sentence(out, exit_codes[i].meaning);
	}
}

/* What a marker expands to: the items of a list, unless LIST is "". */
static const struct {
	const char *name;
	void (*expand)(FILE *out, const char *which);
	const char *list;
} markers[] = {
	{ "TARGETS", target_list, LIST }, { "OPTIONS", docgen_options, LIST },
	{ "VERBS", docgen_verbs, ".Bl -tag -width \"fairtop-bug-report(1)\" -compact\n" },
	{ "COLUMNS", docgen_columns, LIST }, { "CHANGES", docgen_changes, LIST },
	{ "FIELDS", docgen_fields, LIST }, { "LINT", docgen_rules, LIST },
	{ "METRICS", docgen_metrics, LIST }, { "WATCHED", docgen_watched, LIST },
	{ "PARAMETERS", docgen_parameters, LIST }, { "WORDS", word_list, LIST },
	{ "FLAGS", docgen_flags, LIST }, { "SOURCES", docgen_sources, LIST },
	{ "COMMANDS", command_list, "" }, { "KEY", key_item, "" },
	{ "EXITCODES", exit_code_list, LIST }, { "FILES", docgen_files, LIST },
	{ "ROLES", role_list, LIST },
};

/* "@NAME@" or "@NAME WHICH@" alone on the line. */
static bool expand_line(FILE *out, char *line)
{
	size_t length = strlen(line);
	char *which;

	if (length < 3 || line[0] != '@' || line[length - 1] != '@')
		return false;
	line[length - 1] = '\0';
	which = strchr(line, ' ');
	if (which)
		*which++ = '\0';
	for (size_t i = 0; i < sizeof(markers) / sizeof(markers[0]); i++) {
		if (strcmp(line + 1, markers[i].name) == 0) {
			fputs(markers[i].list, out);
			markers[i].expand(out, which ? which : "");
			fputs(markers[i].list[0] ? ".El\n" : "", out);
			return true;
		}
	}
	fprintf(stderr, "docgen: %s@: unknown marker\n", line);
	exit(2);
}

static const struct {
	const char *marker, *text;
} words[] = {
	{ "@VERSION@", FAIRTOP_VERSION },
	{ "@SYSCONFDIR@", SYSCONFDIR },
	{ "@PKGDATADIR@", PKGDATADIR },
	{ "@PKGLIBEXECDIR@", PKGLIBEXECDIR },
};

/* Words inside a line. */
static void expand_words(FILE *out, const char *line)
{
	while (*line) {
		size_t w = 0, count = sizeof(words) / sizeof(words[0]);

		while (w < count && strncmp(line, words[w].marker, strlen(words[w].marker)) != 0)
			w++;
		if (w < count)
			fputs(words[w].text, out);
		else
			fputc(*line, out);
		line += w < count ? strlen(words[w].marker) : 1;
	}
	fputc('\n', out);
}

static void docgen_expand(FILE *in, FILE *out)
{
	char line[2000];

	while (fgets(line, sizeof(line), in)) {
		line[strcspn(line, "\n")] = '\0';
		if (!expand_line(out, line))
			expand_words(out, line);
	}
}

/* ---- a page of one verb -------------------------------------------------------------------- */

/* Each is run as a test, in this order of verbs (tests/scripts/cli_manual.sh). */
static const struct {
	enum verb verb;
	const char *meaning, *command;
} examples[] = {
	{ VERB_ACCOUNTS, "The most over-served accounts",
	  "fairtop accounts demo --filter user=unknown --sort -effective_ratio | head -n 6" },
	{ VERB_ACCOUNTS, "The order in which Fair Tree would serve the users",
	  "fairtop accounts demo --algorithm fair-tree --sort rank | head -n 11" },
	{ VERB_JOBS, "The first jobs of the queue", "fairtop jobs demo --sort rank | head -n 11" },
	{ VERB_CLASSES, "The largest classes", "fairtop classes demo --sort -waiting | head -n 6" },
	{ VERB_CYCLE, "The end of the log of a cycle", "fairtop cycle demo | tail -n 3" },
	{ VERB_POOLS, "The slots allotted to each queue", "fairtop pools demo" },
	{ VERB_LINT, "Problems of the policy", "fairtop lint demo" },
	{ VERB_EXPLAIN, "How the factor of an account is computed",
	  "fairtop explain demo account:physics" },
	{ VERB_EXPLAIN, "How the priority of a job or the slots of a queue are computed",
	  "fairtop explain demo job:141504\n.Dl fairtop explain demo queue:normal" },
	{ VERB_WHY, "Why a job is pending, and what would help", "fairtop why demo 141504" },
	{ VERB_WHY, "All pending jobs of a user", "fairtop why demo alice" },
	{ VERB_COMPARE, "Why one is served before the other",
	  "fairtop compare demo account:physics account:biology" },
	{ VERB_COMPARE, "The same for two jobs", "fairtop compare demo job:141504 job:141614" },
	{ VERB_WHATIF, "The effect of more shares",
	  "fairtop whatif demo --set shares:/physics=60 | head -n 11" },
	{ VERB_FORECAST, "When an account has its fair share again",
	  "fairtop forecast demo account:physics" },
	{ VERB_SEEK, "Which shares would give a desired factor",
	  "fairtop seek demo account:physics --reach 0.5" },
	{ VERB_VERIFY, "Do the numbers match the scheduler\'s?", "fairtop verify slurm" },
	{ VERB_POLICY, "Parameters that are not at their defaults",
	  "fairtop policy demo --filter from=scheduler" },
	{ VERB_SNAPSHOT, "The state of a cluster as a file",
	  "fairtop snapshot demo > verb.snapshot" },
	{ VERB_RECORD, "A recording of three samples",
	  "fairtop record demo:1,speed=1800 -o verb.recording --every 1s --count 3" },
	{ VERB_THIN, "One sample per hour, but all samples of the last hour",
	  "fairtop thin verb.recording --keep 1h,90d:1h && fairtop diff verb.recording" },
	{ VERB_METRICS, "Metrics of a cluster", "fairtop metrics demo | head -n 12" },
	{ VERB_HISTORY, "An account over time",
	  "fairtop history day.recording account:physics --columns time,usage,fairshare" },
	{ VERB_DIFF, "Changes over a recording", "fairtop diff day.recording | head -n 11" },
	{ VERB_WATCH, "Is anyone with pending jobs far below the share?",
	  "fairtop watch demo --once --rule \'starved: accounts R<0.01 pending>500\'" },
	{ VERB_IMPORT, "A recording from the output of sacct",
	  "fairtop import sacct jobs.psv -o past.recording" },
	{ VERB_STARTS, "When the pending jobs start", "fairtop starts slurm:saved" },
	{ VERB_BACKTEST, "A log under two policies, without backfill and with it",
	  "fairtop backtest log.swf --policy fcfs --policy easy" },
	{ VERB_AUDIT, "Does a recording's usage follow from its jobs?",
	  "fairtop audit old.recording | head -n 11" },
	{ VERB_HELP, "Help on a verb", "fairtop help jobs" },
};

/* IN: the text of doc/verbs about it. */
static int verb_page(FILE *in, FILE *out, const char *name)
{
	enum verb v = verb_by_name(name);
	const struct verb_info *info = &verb_info[v < VERB_COUNT ? v : 0];
	bool any = false;

	if (v >= VERB_COUNT) {
		fprintf(stderr, "docgen: --page %s: there is no such verb\n", name);
		return 2;
	}
	fprintf(out, ".\\\" Made from the tables of the program; do not edit.\n"
		".Dd November 29, 2026\n.Dt FAIRTOP-%s 1\n.Os\n.Sh NAME\n"
		".Nm fairtop-%s\n.Nd %s\n.Sh SYNOPSIS\n"
		".Nm fairtop\n.Cm %s\n", name, name, info->meaning, name);
	if (info->arguments[0]) {
		fputs(".No \\&", out);
		doc_arguments(out, info->arguments);
		fputc('\n', out);
	}
	fputs(".Op Ar options\n.Sh DESCRIPTION\n", out);
	doc_text(out, info->description);
	fputs(".Pp\n.Xr fairtop 1\ndescribes sources, objects, times, filters and formats.\n"
	      ".Sh OPTIONS\n" LIST, out);
	docgen_options(out, name);
	if (verb_shape(v).column_count > 0) {
		fputs(".El\n.Sh COLUMNS\n" LIST, out);
		docgen_columns(out, name);
	}
	fputs(".El\n", out);
	docgen_expand(in, out);
	for (size_t i = 0; i < sizeof(examples) / sizeof(examples[0]); i++) {
		if (examples[i].verb != v)
			continue;
		fprintf(out, "%s%s%s\n.Dl %s\n", any ? ".Pp\n" : ".Sh EXAMPLES\n",
			examples[i].meaning, strchr(examples[i].meaning, '?') ? "" : ":",
			examples[i].command);
		any = true;
	}
	fputs(".Sh SEE ALSO\n.Xr fairtop 1 ,\n.Xr fairtop-source 5\n", out);
	return 0;
}

int main(int argc, char **argv)
{
	int status = 0;

	if (argc == 3 && strcmp(argv[1], "--completion") == 0) {
		status = completion(stdout, argv[2]);
	} else if (argc == 3 && strcmp(argv[1], "--page") == 0) {
		status = verb_page(stdin, stdout, argv[2]);
	} else if (argc == 1) {
		docgen_expand(stdin, stdout);
	} else {
		fputs("usage: docgen < PAGE.in > PAGE; docgen --page VERB < TEXT.in > PAGE; "
		      "docgen --completion bash|zsh|fish\n", stderr);
		return 2;
	}
	if (fflush(stdout) != 0 || ferror(stdout)) {
		fputs("docgen: standard output: writing failed\n", stderr);
		return 2;
	}
	return status;
}
