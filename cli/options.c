/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines, parsed by the tables of verbs and options. */
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "adapters/adapter.h"
#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/near.h"
#include "core/base/timeword.h"
#include "tui/base/zone.h"

struct option_parser {
	int argc;
	const char *const *argv;
	int at;
	struct options *o;
	const char **words;		/* those that are not options */
	size_t word_count;
	struct err *err;
};

/* ---- options as typed ----------------------------------------------------------------------- */

/* "--name", "--name=value", "-x", "-xvalue" */
struct typed {
	const char *text;		/* with the dashes */
	size_t length;			/* of dashes and name */
	const char *value;		/* after the name; NULL: none */
};

static struct typed typed_of(const char *argument)
{
	struct typed t = { argument, 2, NULL };

	if (argument[1] == '-')
		t.length += strcspn(argument + 2, "=");
	if (argument[t.length])
		t.value = argument + t.length + (argument[t.length] == '=');
	return t;
}

static bool is_typed(const struct option_info *info, const struct typed *t)
{
	if (t->text[1] != '-')
		return info->letter == t->text[1];
	return strlen(info->name) == t->length - 2 &&
	       memcmp(info->name, t->text + 2, t->length - 2) == 0;
}

static bool options_is_word(const char *argument)
{
	return argument[0] != '-' || !argument[1];
}

/* The option of VERB, else of any verb; NULL if there is none at all. */
static const struct option_info *option_find(const struct typed *t, enum verb verb)
{
	const struct option_info *other = NULL;

	for (size_t i = 0; i < option_count; i++) {
		if (!is_typed(&option_info[i], t))
			continue;
		if (option_info[i].verbs & UINT32_C(1) << verb)
			return &option_info[i];
		other = &option_info[i];
	}
	return other;
}

/* The index of the first word that names a verb; ARGC if there is none. */
static int find_verb(int argc, const char *const *argv)
{
	int i = 1;

	while (i < argc && strcmp(argv[i], "--") != 0) {
		if (!options_is_word(argv[i])) {
			const struct typed t = typed_of(argv[i]);
			const struct option_info *info = option_find(&t, VERB_SCREEN);

			i += info && info->argument && !t.value;
		} else if (verb_by_name(argv[i]) != VERB_COUNT) {
			return i;
		}
		i++;
	}
	return argc;
}

/* ---- refused options ------------------------------------------------------------------------ */

static bool option_unknown(const struct typed *t, enum verb verb, struct err *err)
{
	const char *name = verb_info[verb].name;
	struct near near;
	char hint[160] = "";

	near_init(&near, t->text + 2, t->length - 2);
	for (size_t i = 0; t->length > 2 && i < option_count; i++) {
		if (option_info[i].verbs & UINT32_C(1) << verb)
			near_offer(&near, option_info[i].name);
	}
	if (t->length > 2)
		near_text(&near, hint, sizeof(hint));
	if (!hint[0])
		(void)snprintf(hint, sizeof(hint), "fairtop %s%s--help lists them",
			       name ? name : "", name ? " " : "");
	return err_set(err, ERR_INPUT, "%.*s: no such option (%s)", (int)t->length, t->text, hint);
}

/* "accounts, jobs, the screen", or only the first few. */
static const char *option_verbs(const char *name, char *buf, size_t size)
{
	unsigned count = 0;

	buf[0] = '\0';
	for (unsigned i = 1; i <= VERB_COUNT; i++) {
		unsigned v = i % VERB_COUNT;	/* the screen is the last */

		if (!option_of(name, (enum verb)v) || verb_info[v].hidden)
			continue;
		if (++count <= 5)
			format_append(buf, size, "%s%s", count == 1 ? "" : ", ",
				      verb_info[v].name ? verb_info[v].name : "the screen");
	}
	if (count > 5)
		format_append(buf, size, " and %u more", count - 5);
	return buf;
}

/* In other programs -o is the format: "json", or a list of columns. */
static bool output_refused(const char *value, enum verb verb, struct err *err)
{
	bool json = strcmp(value, "json") == 0;
	bool format = json || strcmp(value, "csv") == 0 || strcmp(value, "table") == 0;
	const char *option = json ? "json" : format ? "format" : "columns";
	bool screen = verb == VERB_SCREEN && format;
	char verbs[160], hint[160] = "";

	if (screen || option_of(option, verb))
		format_append(hint, sizeof(hint), " (expected %s--%s%s%s)",
			      screen ? "fairtop accounts SOURCE " : "", option, json ? "" : " ",
			      json ? "" : value);
	return err_set(err, ERR_INPUT, "-o %s: -o names the output file of %s%s", value,
		       option_verbs("output", verbs, sizeof(verbs)), hint);
}

/* INFO is an option, but not of VERB. */
static bool option_refused(const struct option_info *info, const struct typed *t,
			   const char *value, enum verb verb, struct err *err)
{
	bool screen = verb == VERB_SCREEN;
	char verbs[160];

	if (t->text[1] == 'o' && value)
		return output_refused(value, verb, err);
	if (screen && strcmp(info->name, "json") == 0)
		return err_set(err, ERR_INPUT, "--json: not an option of the screen (expected "
			       "fairtop accounts SOURCE --json)");
	return err_set(err, ERR_INPUT, "%.*s: not an option of %s (it is one of %s)",
		       (int)t->length, t->text, screen ? "the screen" : verb_info[verb].name,
		       option_verbs(info->name, verbs, sizeof(verbs)));
}

/* ---- parsing -------------------------------------------------------------------------------- */

static bool parse_option(struct option_parser *p)
{
	const struct typed t = typed_of(p->argv[p->at]);
	const struct option_info *info = option_find(&t, p->o->verb);
	const char *value = t.value, *next = p->at + 1 < p->argc ? p->argv[p->at + 1] : NULL;

	/* "-user": the letter and its apparent value are the name of an option. */
	if (option_named(t.text + 1, strcspn(t.text + 1, "="), p->o->verb))
		return err_set(p->err, ERR_INPUT, "%.80s: no such option (expected -%.80s)", t.text,
			       t.text);
	if (!info)
		return option_unknown(&t, p->o->verb, p->err);
	if (!(info->verbs & UINT32_C(1) << p->o->verb))
		return option_refused(info, &t, value ? value : next, p->o->verb, p->err);
	if (!info->argument && value)
		return err_set(p->err, ERR_INPUT, "%.*s: takes no value", (int)t.length, t.text);
	if (info->argument && !value) {
		if (!next)
			return err_set(p->err, ERR_INPUT, "%.*s: a value is missing (expected %s)",
				       (int)t.length, t.text, info->argument);
		value = next;
		p->at++;
	}
	return info->set(&(struct option_setting){ p->o, info, value, p->err });
}

/* Parses the options; words are stored, as a later option may decide what they mean. */
static bool parse_options(struct option_parser *p, int verb_at)
{
	bool only_words = false;

	for (p->at = 1; p->at < p->argc; p->at++) {
		const char *argument = p->argv[p->at];

		if (p->at == verb_at)
			continue;
		if (!only_words && strcmp(argument, "--") == 0)
			only_words = true;
		else if (only_words || options_is_word(argument))
			p->words[p->word_count++] = argument;
		else if (!parse_option(p))
			return false;
	}
	return true;
}

/* Puts the edits in the order of the words, including those without --set. */
static void order_edits(struct option_parser *p)
{
	struct edit_option *next = p->o->edits, *end = next + p->o->edit_count;

	for (int i = 1; i < p->argc; i++) {
		const char *word = p->argv[i],
			   *value = options_is_word(word) ? word : typed_of(word).value;

		for (struct edit_option *e = next; e < end; e++) {
			if (e->text == word || e->text == value) {
				const struct edit_option found = *e;

				*e = *next;
				*next++ = found;
			}
		}
	}
}

static bool parse_all(struct option_parser *p, int verb_at)
{
	struct options *o = p->o;
	const struct verb_info *verb = &verb_info[o->verb];
	const struct source_ops *source;

	if (!parse_options(p, verb_at)) {
		/* A word before the options was meant as a verb, so that is reported. */
		if (o->verb == VERB_SCREEN)
			(void)arguments_take(o, p->words, p->word_count, p->err);
		return false;
	}
	if (!arguments_take(o, p->words, p->word_count, p->err))
		return false;
	order_edits(p);
	source = o->source ? source_scheme(o->source) : NULL;
	/* "2h ago" is relative to the source's present. */
	if (o->at_text && source && source->clock != 0)
		(void)timeword_parse(o->at_text, source->clock, &zone_local, &o->at, p->err);
	o->usual_sort = verb->order;
	o->apart = o->verb == VERB_METRICS || (!verb->run && verb->most > 2 && o->object_count > 0);
	return true;
}

static bool options_wants(int argc, const char *const *argv, const char *option)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (strcmp(argv[i], option) == 0)
			return true;
	}
	return false;
}

bool options_parse(int argc, const char *const *argv, struct options *o, struct err *err)
{
	static const struct model_options model = MODEL_OPTIONS_DEFAULT;
	static const struct sim_log_options sim_log = SIM_LOG_OPTIONS_INIT;
	struct option_parser p = { .argc = argc, .argv = argv, .o = o, .err = err };
	int verb_at = find_verb(argc, argv);
	bool ok;

	*o = (struct options){ .verb = VERB_SCREEN, .model = model, .at = I64_UNKNOWN,
			       .start = I64_UNKNOWN, .from = I64_UNKNOWN, .to = I64_UNKNOWN,
			       .half_life = -1, .period = -1, .tolerance = -1, .sim_log = sim_log };
	if (verb_at < argc)
		o->verb = verb_by_name(argv[verb_at]);
	/* A request for help is honoured whatever else is wrong. */
	o->help = options_wants(argc, argv, "--help") || options_wants(argc, argv, "-h");
	o->version = options_wants(argc, argv, "--version") || options_wants(argc, argv, "-V");
	o->sandbox_status = options_wants(argc, argv, "--sandbox-status");
	o->no_sandbox = options_wants(argc, argv, "--no-sandbox");
	if (o->help || o->version || o->sandbox_status)
		return true;
	p.words = mem_alloc((size_t)argc + 1, sizeof(*p.words));
	ok = parse_all(&p, verb_at);
	mem_free(p.words);
	if (ok && o->verb == VERB_SCREEN && !o->render && (o->keys || o->frame_format))
		return err_set(err, ERR_INPUT,
			       "--%s: needs --render WxH (or a verb: fairtop accounts "
			       "SOURCE --format csv)",
			       o->keys ? "keys" : "format");
	return ok;
}

void options_free(struct options *o)
{
	while (o->text_count > 0)
		mem_free(o->texts[--o->text_count]);
	mem_free(o->texts);
	o->texts = NULL;
	o->text_room = 0;
}
