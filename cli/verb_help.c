/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help: the tables of the command line, for people. */
#include <stdio.h>
#include <string.h>

#include "adapters/adapter.h"
#include "config.h"
#include "core/base/mem.h"
#include "core/base/near.h"
#include "tui/base/output.h"
#include "cli/verbs.h"

#define HELP_INDENT 4
#define HELP_WIDTH 78

/* TEXT in lines of HELP_WIDTH; the first begins behind LABEL or below it. */
static void help_item(struct output *out, const char *label, size_t indent, const char *text)
{
	size_t column = strlen(label);

	output_text(out, "%s", label);
	if (column + 1 > indent && column > 0) {
		output_text(out, "\n");
		column = 0;
	}
	output_text(out, "%*s", (int)(indent - column), "");
	column = indent;
	while (*text) {
		size_t length = strcspn(text, " ");

		if (column > indent && column + 1 + length > HELP_WIDTH) {
			output_text(out, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			output_text(out, " ");
			column++;
		}
		output_text(out, "%.*s", (int)length, text);
		column += length;
		text += length + (text[length] == ' ');
	}
	output_text(out, "\n");
}

static void help_words(const struct option_info *info, char *buf, size_t size)
{
	size_t used = (size_t)snprintf(buf, size, "%s", info->meaning);

	for (size_t i = 0; info->word && info->word(i) && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i == 0 ? " (" : ", ",
					 info->word(i));
	if (info->word && used < size)
		(void)snprintf(buf + used, size - used, ")");
}

static void help_options(struct output *out, enum verb verb)
{
	char label[64], text[400];

	output_text(out, "\nOptions:\n");
	for (size_t i = 0; i < option_count; i++) {
		const struct option_info *info = &option_info[i];

		if (!(info->verbs & UINT32_C(1) << verb))
			continue;
		(void)snprintf(label, sizeof(label), "  --%s%s%s", info->name,
			       info->argument ? " " : "", info->argument ? info->argument : "");
		help_words(info, text, sizeof(text));
		help_item(out, label, 25, text);
	}
}

static void help_sources(struct output *out)
{
	char label[80];

	output_text(out, "\nSOURCE is one of:\n");
	for (size_t i = 0; adapters[i]; i++) {
		(void)snprintf(label, sizeof(label), "  %s", adapters[i]->synopsis);
		help_item(out, label, 25, adapters[i]->meaning);
	}
	help_item(out, "", 2,
		  "Without SOURCE: the first scheduler that answers. An argument with a / or "
		  "a leading . is a file.");
}

static void help_program(struct output *out)
{
	char label[64];

	output_text(out, "fairtop " FAIRTOP_VERSION ": who gets the cluster next, and why\n\n");
	output_text(out, "Usage:\n  fairtop [SOURCE] [options]\n");
	output_text(out, "  fairtop VERB [SOURCE] [options]\n\nVerbs:\n");
	for (size_t v = 0; v < VERB_COUNT; v++) {
		if (!verb_info[v].name || verb_info[v].hidden)
			continue;
		(void)snprintf(label, sizeof(label), "  %s", verb_info[v].name);
		help_item(out, label, 25, verb_info[v].meaning);
	}
	help_sources(out);
	help_options(out, VERB_SCREEN);
	output_text(out, "\n");
	help_item(out, "", 0,
		  "fairtop help VERB tells more about a verb, fairtop(1) about everything. "
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
static int help_print(enum verb verb)
{
	struct output *out = mem_alloc(1, sizeof(*out));
	struct err err = { .code = ERR_NONE };
	int status = 0;

	output_init(out);
	if (verb == VERB_SCREEN)
		help_program(out);
	else
		help_verb(out, verb);
	if (!output_finish(out, &err))
		status = complain(&err);
	mem_free(out);
	return status;
}

static int help_unknown(const char *topic)
{
	struct err err = { .code = ERR_NONE };
	struct near near;
	char hint[160];

	near_init(&near, topic, strlen(topic));
	for (size_t v = 0; v < VERB_COUNT; v++) {
		if (verb_info[v].name && !verb_info[v].hidden)
			near_offer(&near, verb_info[v].name);
	}
	near_text(&near, hint, sizeof(hint));
	err_set(&err, ERR_INPUT, "%s: no such verb (%s)", topic,
		hint[0] ? hint : "fairtop help lists them");
	return complain(&err);
}

int verb_help(const struct options *o)
{
	enum verb verb = o->verb;

	if (verb == VERB_HELP && o->object)
		verb = verb_by_name(o->object);
	else if (verb == VERB_HELP && !o->help)
		verb = VERB_SCREEN;
	return verb == VERB_COUNT ? help_unknown(o->object) : help_print(verb);
}

int verb_version(void)
{
	struct output *out = mem_alloc(1, sizeof(*out));
	struct err err = { .code = ERR_NONE };
	int status = 0;

	output_init(out);
	output_text(out, "fairtop " FAIRTOP_VERSION "\n");
	if (!output_finish(out, &err))
		status = complain(&err);
	mem_free(out);
	return status;
}
