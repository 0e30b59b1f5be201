/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of a command line that are neither its verb nor an option. Most are the verb's
 * arguments, by position: SOURCE, OBJECT, FILE. A word with an operator that is no source is a
 * filter (user=alice), or an edit if the verb makes edits (shares:/physics=60); two words can be
 * one object (job 141551).
 */
#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "adapters/postgres/postgres.h"
#include "cli/cluster_lines.h"
#include "cli/guesses.h"
#include "cli/verbs.h"
#include "core/base/mem.h"
#include "core/whatif/edits.h"

static bool has_kind(const char *object)
{
	return !(cluster_object_kinds(object) & OBJECT_BARE);
}

/* Whether WORD is a kind of object, which precedes a ":". */
static bool is_kind(const char *word)
{
	char object[16];

	(void)snprintf(object, sizeof(object), "%.12s:", word);
	return !strpbrk(word, "/:") && has_kind(object);
}

static const char *arguments_keep(struct options *o, char *text)
{
	MEM_GROW(o->texts, o->text_room, o->text_count + 1);
	o->texts[o->text_count] = text;
	return o->texts[o->text_count++];
}

static const char *asks_for(const struct options *o, const char *what)
{
	return strstr(verb_info[o->verb].arguments, what);
}

/* ---- sources -------------------------------------------------------------------------------- */

static bool is_there(const char *word)
{
	return source_scheme(word) || word[0] == '-' || access(word, F_OK) == 0;
}

/*
 * Else it is an object. ALONE, where an object is required, a possible account path is an object,
 * too. A file may be named by the number of the job that wrote it.
 */
static bool is_source(const char *word, bool alone)
{
	struct job_name job;

	return word[0] == '.' || (strchr(word, '/') && (!alone || access(word, F_OK) == 0)) ||
	       (!job_name_read(word, &job) && is_there(word));
}

static void add_source(struct options *o, const char *source)
{
	source = arguments_keep(o, mem_strdup(source));
	if (!o->source)
		o->source = source;
	else if (o->object_count < OBJECTS_MAX)
		o->objects[o->object_count++] = source;
}

/* The sources of --cluster: "NAME,NAME" or "all". */
static bool take_clusters(struct options *o, const struct cluster_lines *c, struct err *err)
{
	const char *name = o->cluster, *source;

	if (strcmp(name, "all") == 0 && c->count > 0) {
		for (size_t i = 0; i < c->count; i++)
			add_source(o, c->list[i].source);
		name = NULL;
	}
	while (name) {
		size_t length = strcspn(name, ",");

		source = cluster_lines_find(c, name, length, err);
		if (!source)
			return false;
		add_source(o, source);
		name = name[length] ? name + length + 1 : NULL;
	}
	return o->object_count == 0 || asks_for(o, "SOURCE...") ||
	       err_set(err, ERR_INPUT, "--cluster %s: more than one (expected fairtop %s %s)",
		       o->cluster, verb_info[o->verb].name, verb_info[o->verb].arguments);
}

static bool arguments_find_clusters(struct options *o, struct err *err)
{
	struct cluster_lines *c = mem_zalloc(1, sizeof(*c));
	bool ok = cluster_lines_read(c, err) && take_clusters(o, c, err);

	cluster_lines_free(c);
	mem_free(c);
	return ok;
}

/* Each must be a kind or an existing file; for the screen, another word may be meant as a verb. */
static bool check_sources(const struct options *o, struct err *err)
{
	size_t count = asks_for(o, "SOURCE...") ? 1 + o->object_count :
		       asks_for(o, "SOURCE") != NULL;

	for (size_t i = 0; o->source && i < count; i++) {
		const char *source = i == 0 ? o->source : o->objects[i - 1];

		if (is_there(source))
			continue;
		if (o->verb == VERB_SCREEN && !strpbrk(source, "./:,"))
			return verb_unknown(source, true, err);
		if (!strchr(source, '/') && source[0] != '.' && errno == ENOENT)
			return source_unknown(source, "fairtop help source lists them", err);
		/* Reported when it is opened, or beside an answer. */
		if (o->verb != VERB_SCREEN || count == 1)
			continue;
		return err_about(err, ERR_INPUT, source, "%s", strerror(errno));
	}
	return true;
}

/* ---- expressions ---------------------------------------------------------------------------- */

/* Whether WORD has an operator and is no source, path or object. */
static bool is_expression(const struct options *o, const char *word)
{
	return (word[0] == '!' || strpbrk(word, "=<>~")) && !strchr("-./", word[0]) &&
	       !is_there(word) && !(asks_for(o, "OBJECT") && has_kind(word));
}

static bool is_edit(const char *word)
{
	struct edit edit;
	bool ok = edit_parse(word, &edit, NULL);

	if (ok)
		edit_free(&edit);
	return ok;
}

/*
 * Takes WORD if it is a filter, or an edit: a word that reads as one, or any word with an operator
 * where nothing else is expected after the N arguments of the verb. *TAKEN: it was one. False if it
 * cannot be read.
 */
static bool take_expression(struct options *o, const char *word, unsigned n, bool *taken,
			    struct err *err)
{
	const struct option_info *set = option_of("set", o->verb);
	/* An edit target has a colon, and so may a misspelled source; a column has none. */
	bool filter = option_of("filter", o->verb) && o->verb != VERB_WHATIF &&
		      !memchr(word, ':', strcspn(word, "=<>~"));
	bool edit = set && !filter && (o->verb == VERB_WHATIF || n >= verb_info[o->verb].most ||
				       is_edit(word));

	*taken = (edit || filter) && is_expression(o, word);
	if (*taken && edit)
		return set->set(&(struct option_setting){ o, set, word, err });
	if (*taken)
		o->filter = o->filter ? arguments_keep(o, mem_format("(%s) (%s)", o->filter, word))
				      : word;
	return true;
}

/* ---- positional arguments ------------------------------------------------------------------- */

static bool arguments_take_word(struct options *o, const char *word, unsigned n, struct err *err)
{
	const struct verb_info *verb = &verb_info[o->verb];
	const char *name = verb->name ? verb->name : "", *blank = verb->name ? " " : "";
	bool full = n >= verb->most || (o->cluster && asks_for(o, "SOURCE..."));
	char hint[400];

	if (!word[0])
		return err_set(err, ERR_INPUT, "\"\": an argument is empty (expected fairtop%s%s "
			       "%s)", blank, name, verb->arguments);
	/* It may have been meant as a filter. */
	if (verb->name && (full || strncmp(verb->arguments, "[SOURCE", 7) == 0) &&
	    option_of("filter", o->verb) && !strpbrk(word, "/.:") && !is_there(word)) {
		(void)snprintf(hint, sizeof(hint), "expected --filter %.100s for rows that contain "
			       "it%s%.100s", word, option_of("user", o->verb) ? ", or -u " : "",
			       option_of("user", o->verb) ? word : "");
		return source_unknown(word, hint, err);
	}
	if (full)
		return err_set(err, ERR_INPUT, "%s: too many arguments (expected fairtop%s%s %s%s)",
			       word, blank, name, verb->arguments,
			       o->cluster ? ", --cluster instead of SOURCE" : "");
	if (n > 0 && o->object_count < OBJECTS_MAX)
		o->objects[o->object_count++] = word;
	if (n == 2)
		o->other = word;
	else if (n == 1 || o->verb == VERB_HELP)
		o->object = word;
	else if (n == 0)
		o->source = word;
	return true;
}

/* Whether the first of COUNT WORDS is an OBJECT, so that SOURCE is left out. */
static bool leaves_source_out(const struct options *o, const char *const *words, size_t count)
{
	const struct verb_info *verb = &verb_info[o->verb];
	const char *word = words[0];
	size_t left = 0;

	for (size_t i = 0; i < count; i++)
		left += !(is_expression(o, words[i]) && is_edit(words[i]));
	return (o->verb == VERB_WHY ||
		(strncmp(verb->arguments, "[SOURCE] OBJECT", 15) == 0 &&
		 (left < verb->least || is_kind(word)))) && !is_source(word, left < verb->least);
}

/* Assigns all words; *N counts them, including a SOURCE that is already known or left out. */
static bool take_words(struct options *o, const char *const *words, size_t count, unsigned *n,
		       struct err *err)
{
	bool taken;

	for (size_t i = 0; i < count; i++) {
		const char *word = words[i];

		if (!take_expression(o, word, *n, &taken, err))
			return false;
		if (taken)
			continue;
		/* SOURCE may be left out before an object. */
		if (*n == 0 && leaves_source_out(o, words + i, count - i))
			++*n;
		if (*n > 0 && (asks_for(o, "OBJECT") || o->verb == VERB_WHY) &&
		    is_kind(word) && i + 1 < count)
			word = arguments_keep(o, mem_format("%s:%s", word, words[++i]));
		if (!arguments_take_word(o, word, (*n)++, err))
			return false;
	}
	return true;
}

bool arguments_take(struct options *o, const char *const *words, size_t count, struct err *err)
{
	const struct verb_info *verb = &verb_info[o->verb];
	unsigned n = o->cluster ? 1 : 0;

	if ((o->cluster && !arguments_find_clusters(o, err)) ||
	    !take_words(o, words, count, &n, err))
		return false;
	if (o->verb == VERB_HISTORY && o->source && source_scheme(o->source) &&
	    !postgres_is_url(o->source))
		return err_set(err, ERR_INPUT, "%s: history needs a recording (expected a file "
			       "of fairtop record or fairtop import)", o->source);
	if (n < verb->least)
		return err_set(err, ERR_INPUT, "%s: %s is missing (expected fairtop %s %s)",
			       verb->name, n == 0 && verb->arguments[0] != '[' ? "SOURCE" :
			       "OBJECT", verb->name, verb->arguments);
	if (o->verb == VERB_WHY && o->user && o->object)
		return err_set(err, ERR_INPUT, "%s: together with --user %s (expected one of them)",
			       o->object, o->user);
	/* For the verb why, --user is not a filter. */
	if (o->verb == VERB_WHY && o->user) {
		o->object = arguments_keep(o, mem_format("user:%s", o->user));
		o->user = NULL;
	}
	return verb->hidden || o->cluster || check_sources(o, err);
}
