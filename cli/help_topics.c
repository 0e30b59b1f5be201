/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help TOPIC: pages about what all verbs or the screen share, from the tables of the program. */
#include "cli/help_topics.h"

#include <stdio.h>
#include <string.h>

#include "adapters/adapter.h"
#include "cli/options.h"
#include "core/share/model.h"
#include "core/whatif/edits.h"
#include "tui/acts/commands.h"
#include "tui/base/item.h"
#include "tui/cells/theme.h"

#define COLUMN 25
#define HELP_WIDTH 78

void help_item(struct output *out, const char *label, size_t indent, const char *text)
{
	size_t length = strlen(label);

	/* A blank separates the two. */
	if (length > 0 && length + 1 > indent) {
		output_text(out, "%s\n", label);
		label = "";
	}
	item_write(output_sink(out), label, indent, HELP_WIDTH, text);
}

static void help_topics_item(struct output *out, const char *name, const char *title,
			     const char *meaning)
{
	char label[120];

	(void)snprintf(label, sizeof(label), "  %s%s%s", name, title[0] ? "  " : "", title);
	help_item(out, label, COLUMN, meaning);
}

void help_sources(struct output *out)
{
	output_text(out, "SOURCE is one of:\n");
	for (size_t i = 0; adapters[i]; i++)
		help_topics_item(out, adapters[i]->synopsis, "", adapters[i]->meaning);
	help_item(out, "", 2,
		  "Without SOURCE: the first scheduler that answers. An argument with a / or "
		  "a leading . is a file.");
}

/* What to type, and what for. */
struct example {
	const char *what, *meaning;
};

static void help_examples(struct output *out, const struct example *list, size_t count)
{
	output_text(out, "\n");
	for (size_t i = 0; i < count; i++)
		help_topics_item(out, list[i].what, "", list[i].meaning);
}

static void help_source(struct output *out)
{
	static const struct example list[] = {
		{ "fairtop slurm:saved", "outputs of Slurm commands, in the directory saved" },
		{ "fairtop slurm:http://host:6820", "a slurmrestd" },
		{ "fairtop jobs pbs:@server", "every verb takes a SOURCE" },
		{ "fairtop lsf:conf", "a copy of LSF's configuration directory" },
		{ "fairtop demo:7,jobs=100", "another demo, with 100 jobs" },
		{ "fairtop ssh:login/slurm", "Slurm on the host login, which also has fairtop" },
		{ "fairtop day.rec --at '2h ago'", "a recording, two hours before its end" },
		{ "fairtop snapshot > now", "a snapshot: fairtop now shows it" },
		{ "fairtop slurm ssh:login/pbs", "several sources: an overview" },
	};

	help_sources(out);
	help_examples(out, list, sizeof(list) / sizeof(list[0]));
	output_text(out, "\n");
	help_item(out, "", 0,
		  "A SOURCE that is a kind up to its first : or , is of that kind, even if a file "
		  "has that name (./demo is the file); any other is a file, recognised by content. "
		  "-M NAME or --cluster NAME means the SOURCE in the line cluster NAME SOURCE of "
		  "fairtop.conf.");
}

static void help_formats(struct output *out)
{
	static const struct example list[] = {
		{ "--format table", "for people: as wide as the terminal, local times, rounded "
		  "numbers; unknown is -, infinite inf" },
		{ "--format json", "one object; rows[] has all columns with all digits. Unknown is "
		  "null, infinite \"inf\"" },
		{ "--format csv", "a header and a line per row, quoted as in RFC 4180; unknown is "
		  "empty, infinite inf" },
		{ "times", "in JSON and CSV integer Unix seconds; durations are integer seconds" },
		{ "errors", "on standard error, one line each; the answer is on standard output" },
	}, uses[] = {
		{ "fairtop accounts demo --format csv --columns path,fairshare", "two columns" },
		{ "fairtop jobs demo --format json | jq '.rows[0]'", "the first job" },
	};

	output_text(out, "How a verb writes its answer\n");
	help_examples(out, list, sizeof(list) / sizeof(list[0]));
	help_examples(out, uses, sizeof(uses) / sizeof(uses[0]));
	output_text(out, "\nExit status\n");
	for (size_t i = 0; i < exit_code_count; i++) {
		char code[16];

		(void)snprintf(code, sizeof(code), "%d", exit_codes[i].code);
		help_topics_item(out, code, "", exit_codes[i].meaning);
	}
}

static void help_keys(struct output *out)
{
	for (size_t s = 0; s < SECTION_COUNT; s++) {
		bool any = false;

		for (const struct command *c = commands; c->name; c++) {
			if (c->section != s || c->keys[0] == '\0')
				continue;
			if (!any)
				output_text(out, "%s%s\n", s > 0 ? "\n" : "", section_titles[s]);
			any = true;
			help_topics_item(out, c->keys, c->name, c->help);
		}
	}
}

static void help_filter(struct output *out)
{
	static const char *const lines[][2] = {
		{ "alice", "any text column contains it, ignoring case" },
		{ "user=alice", "= != < <= > >=, ~ a regular expression, ^= begins with" },
		{ "R>1.2 pending>0", "both; | is or, ! is not, ( ) group" },
		{ "usage>2M age>1h", "numbers end in K M G T %, durations in s m h d w" },
		{ "k=unknown", "unknown values" },
		{ "\"two words\"", "text with blanks or special characters" },
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		help_topics_item(out, lines[i][0], "", lines[i][1]);
	output_text(out, "\n");
	help_item(out, "", 0, "Names are column names (fairtop help columns); column titles also "
			      "work.");
}

/* The columns of the screen's views. */
static void help_columns(struct output *out)
{
	static const enum verb views[] = { VERB_ACCOUNTS, VERB_JOBS, VERB_POOLS, VERB_CLASSES,
					   VERB_POLICY };

	for (size_t v = 0; v < sizeof(views) / sizeof(views[0]); v++) {
		struct view view = verb_shape(views[v]);

		output_text(out, "%s%s\n", v > 0 ? "\n" : "", view.name);
		for (size_t i = 0; i < view.column_count; i++)
			help_topics_item(out, view.columns[i].name, "", view.columns[i].legend);
	}
}

static void help_themes(struct output *out)
{
	output_text(out, "Themes (--theme NAME, t on the screen):");
	for (size_t i = 0; theme_builtin[i]; i++)
		output_text(out, " %s", theme_builtin[i]);
	output_text(out, "\n\nRoles (color ROLE COLOR in fairtop.conf or NAME.theme)\n");
	for (size_t i = 0; i < ROLE_COUNT; i++)
		help_topics_item(out, role_info[i].name, "", role_info[i].meaning);
	for (size_t i = 0; i < GROUND_COUNT; i++)
		help_topics_item(out, ground_info[i].name, "", ground_info[i].meaning);
}

static void help_edits(struct output *out)
{
	output_text(out, "TARGET = VALUE, for --set, a what-if file, or key a on the screen\n");
	for (size_t i = 0; i < edit_targets_count; i++)
		help_topics_item(out, edit_targets[i].name, "", edit_targets[i].meaning);
}

static void help_demo(struct output *out)
{
	for (size_t i = 0; adapters[i]; i++) {
		if (strcmp(adapters[i]->scheme, "demo") == 0)
			help_topics_item(out, adapters[i]->synopsis, "", adapters[i]->meaning);
	}
	help_topics_item(out, "fairtop demo", "",
			 "the screen; ? shows the keys, 7 back-tests its past");
	help_topics_item(out, "fairtop jobs demo", "", "every verb takes it as its SOURCE");
	help_topics_item(out, "fairtop demo demo:2", "", "two clusters: the overview");
}

/* The letters of fair share, and the terms of the priority, by their column titles. */
static void help_terms(struct output *out)
{
	for (size_t i = 0; i < accounts_columns_count; i++) {
		if (accounts_columns[i].only != 0)
			help_topics_item(out, accounts_columns[i].title, "",
					 accounts_columns[i].legend);
	}
}

const struct help_topic help_topics[] = {
	{ "source", "sources", help_source }, { "formats", "format", help_formats },
	{ "keys", NULL, help_keys }, { "filter", NULL, help_filter }, { "columns", NULL,
	  help_columns },
	{ "themes", NULL, help_themes }, { "edits", NULL, help_edits }, { "demo", NULL, help_demo },
	{ "terms", NULL, help_terms },
};
const size_t help_topics_count = sizeof(help_topics) / sizeof(help_topics[0]);
