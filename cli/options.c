/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Command lines, parsed by the tables of verbs and options. */
#include "cli/options.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "adapters/postgres/postgres.h"
#include "cli/verbs.h"
#include "core/base/near.h"
#include "core/base/timeword.h"
#include "tui/base/zone.h"

/* The option called NAME (LENGTH bytes) of VERB; of any verb if VERB has none. */
static const struct option_info *option_find(const char *name, size_t length, enum verb verb)
{
	const struct option_info *other = NULL;

	for (size_t i = 0; i < option_count; i++) {
		const struct option_info *info = &option_info[i];

		if (strncmp(info->name, name, length) != 0 || info->name[length])
			continue;
		if (info->verbs & UINT32_C(1) << verb)
			return info;
		other = info;
	}
	return other;
}

static bool option_unknown(const char *argument, size_t length, enum verb verb, struct err *err)
{
	struct near near;
	char hint[160];

	near_init(&near, argument, length);
	for (size_t i = 0; i < option_count; i++) {
		if (option_info[i].verbs & UINT32_C(1) << verb)
			near_offer(&near, option_info[i].name);
	}
	near_text(&near, hint, sizeof(hint));
	return err_set(err, ERR_INPUT, "--%.*s: no such option (%s)", (int)length, argument,
		       hint[0] ? hint : verb == VERB_SCREEN ? "fairtop --help lists them" :
		       "fairtop VERB --help lists them");
}

struct option_parser {
	int argc;
	const char *const *argv;
	int at;
	struct options *o;
	struct err *err;
};

/* The option called NAME (LENGTH bytes); its value is VALUE or, without one, the next argument. */
static bool parse_named(struct option_parser *p, const char *name, size_t length, const char *value)
{
	const struct option_info *info = option_find(name, length, p->o->verb);

	if (!info)
		return option_unknown(name, length, p->o->verb, p->err);
	if (!(info->verbs & UINT32_C(1) << p->o->verb))
		return err_set(p->err, ERR_INPUT, "--%s: not an option of %s", info->name,
			       p->o->verb == VERB_SCREEN ? "the screen" :
			       verb_info[p->o->verb].name);
	if (!info->argument && value)
		return err_set(p->err, ERR_INPUT, "--%s: takes no value", info->name);
	if (info->argument && !value) {
		if (p->at + 1 >= p->argc)
			return err_set(p->err, ERR_INPUT, "--%s: a value is missing (expected %s)",
				       info->name, info->argument);
		value = p->argv[++p->at];
	}
	return info->set(&(struct option_setting){ p->o, info, value, p->err });
}

/* "--name", "--name=value" or "--name value". */
static bool parse_option(struct option_parser *p)
{
	const char *argument = p->argv[p->at] + 2;
	size_t length = strcspn(argument, "=");

	return parse_named(p, argument, length, argument[length] ? argument + length + 1 : NULL);
}

/*
 * Of several sources each is a kind or a file that is there: the first that is neither may have
 * been meant as a verb.
 */
static bool check_sources(const struct options *o, struct err *err)
{
	for (size_t i = 0; o->object_count > 0 && i <= o->object_count; i++) {
		const char *source = i == 0 ? o->source : o->objects[i - 1];

		if (source_scheme(source) || access(source, F_OK) == 0)
			continue;
		if (i == 0 && !strchr(source, '/'))
			return verb_unknown(source, err);
		return err_set(err, ERR_INPUT, "%s: %s", source, strerror(errno));
	}
	return true;
}

/* Else it is a job or a user. A file may have the number of the job that wrote it. */
static bool is_source(const char *argument)
{
	struct job_name job;

	return source_scheme(argument) || argument[0] == '-' || argument[0] == '.' ||
	       strchr(argument, '/') ||
	       (!job_name_read(argument, &job) && access(argument, F_OK) == 0);
}

static bool parse_argument(struct options *o, const char *argument, unsigned n, struct err *err)
{
	const struct verb_info *verb = &verb_info[o->verb];

	/* Its source can be left out before an object. */
	if (o->verb == VERB_WHY && (o->object || (n == 0 && !is_source(argument))))
		n++;
	if (n >= verb->most)
		return err_set(err, ERR_INPUT, "%s: too many arguments (expected fairtop%s%s %s)",
			       argument, verb->name ? " " : "", verb->name ? verb->name : "",
			       verb->arguments);
	if (n > 0 && o->object_count < OBJECTS_MAX)
		o->objects[o->object_count++] = argument;
	if (n == 2)
		o->other = argument;
	else if (n > 2)
		return true;
	else if (n == 1 || o->verb == VERB_HELP)
		o->object = argument;
	else
		o->source = argument;
	return true;
}

static bool parse_all(struct option_parser *p)
{
	const struct verb_info *verb = &verb_info[p->o->verb];
	const struct source_ops *source;
	bool only_arguments = false;
	unsigned n = 0;

	for (; p->at < p->argc; p->at++) {
		const char *argument = p->argv[p->at];

		if (!only_arguments && strcmp(argument, "--") == 0)
			only_arguments = true;
		else if (!only_arguments && strcmp(argument, "-h") == 0)
			p->o->help = true;
		else if (only_arguments || argument[0] != '-' || !argument[1]) {
			if (!parse_argument(p->o, argument, n++, p->err))
				return false;
		} else if (strcmp(argument, "-o") == 0) {
			if (!parse_named(p, "output", 6, NULL))
				return false;
		} else if (argument[1] != '-') {
			return err_set(p->err, ERR_INPUT,
				       "%s: no such option (options begin with --)", argument);
		} else if (!parse_option(p)) {
			return false;
		}
	}
	if (p->o->verb == VERB_HISTORY && n > 0 && source_scheme(p->o->source) &&
	    !postgres_is_url(p->o->source))
		return err_set(p->err, ERR_INPUT, "%s: history needs a recording (expected a file "
			       "of fairtop record or fairtop import)", p->o->source);
	/* "2h ago" is two hours before the source's now. */
	source = p->o->at_text && p->o->source ? source_scheme(p->o->source) : NULL;
	if (source && source->clock != 0)
		(void)timeword_parse(p->o->at_text, source->clock, &zone_local, &p->o->at, p->err);
	p->o->usual_sort = verb->order;
	p->o->apart = p->o->verb == VERB_METRICS ||
		      (!verb->run && verb->most > 2 && p->o->object_count > 0);
	if (n < verb->least && !p->o->help && !p->o->version)
		return err_set(p->err, ERR_INPUT, "%s: %s is missing (expected fairtop %s %s)",
			       verb->name, n == 0 ? "SOURCE" : "OBJECT", verb->name,
			       verb->arguments);
	return true;
}

static bool wants(int argc, const char *const *argv, const char *option)
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
	static const struct trial_options trial = TRIAL_OPTIONS_INIT;
	struct option_parser p = { .argc = argc, .argv = argv, .at = 1, .o = o, .err = err };

	*o = (struct options){ .verb = VERB_SCREEN, .model = model, .at = I64_UNKNOWN,
			       .start = I64_UNKNOWN, .from = I64_UNKNOWN, .to = I64_UNKNOWN,
			       .half_life = -1, .period = -1, .tolerance = -1, .trial = trial };
	if (argc > 1 && verb_by_name(argv[1]) != VERB_COUNT)
		o->verb = verb_by_name(argv[1]);
	if (o->verb != VERB_SCREEN)
		p.at++;
	/* Whoever asks for help gets it, whatever else is wrong. */
	o->help = wants(argc, argv, "--help") || wants(argc, argv, "-h");
	o->version = wants(argc, argv, "--version");
	o->sandbox_status = wants(argc, argv, "--sandbox-status");
	o->no_sandbox = wants(argc, argv, "--no-sandbox");
	if (o->help || o->version || o->sandbox_status)
		return true;
	if (!parse_all(&p))
		return false;
	if (o->verb == VERB_SCREEN && !check_sources(o, err))
		return false;
	if (o->verb == VERB_SCREEN && !o->render && (o->keys || o->frame_format))
		return err_set(err, ERR_INPUT,
			       "--%s: needs --render WxH (or a verb: fairtop accounts "
			       "SOURCE --format csv)",
			       o->keys ? "keys" : "format");
	return true;
}
