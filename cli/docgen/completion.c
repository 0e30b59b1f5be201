/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shell completions: verbs, their options, the words of an option, kinds of sources, files. */
#include <stdbool.h>
#include <string.h>

#include "adapters/adapter.h"
#include "core/cluster/cluster.h"
#include "core/whatif/changes_columns.h"
#include "core/whatif/edits.h"
#include "cli/docgen/docgen.h"
#include "cli/help_topics.h"
#include "cli/options.h"

static bool completion_is_shown(size_t v)
{
	return verb_info[v].name && !verb_info[v].hidden;
}

static void put_verbs(FILE *out)
{
	for (size_t v = 0; v < VERB_COUNT; v++) {
		if (completion_is_shown(v))
			fprintf(out, " %s", verb_info[v].name);
	}
}

static void put_topics(FILE *out)
{
	for (size_t i = 0; i < help_topics_count; i++)
		fprintf(out, " %s", help_topics[i].name);
}

static void put_schemes(FILE *out)
{
	for (size_t i = 0; adapters[i]; i++) {
		if (!source_is_file(adapters[i]))
			fprintf(out, " %s", adapters[i]->scheme);
	}
}

static void completion_put_words(FILE *out, const struct option_info *info)
{
	for (size_t w = 0; info->word && info->word(w); w++)
		fprintf(out, " %s", info->word(w));
}

/* The columns that a what-if adds to those of a view. */
static void completion_put_changes(FILE *out, const struct view *view)
{
	struct changes_columns *c = changes_columns_new(view, NULL, false);

	for (size_t i = c ? c->own : 0; c && i < c->count; i++)
		fprintf(out, " %s", c->columns[i].name);
	changes_columns_free(c);
}

/* TARGET=WORD for each word that parameter PARAM takes. */
static void put_param_words(FILE *out, const char *target, const char *param)
{
	size_t i = policy_param(param);

	for (size_t n = 0; policy_word(i, n); n++)
		fprintf(out, " %s=%s", target, policy_word(i, n));
}

/* The words that may follow option NAME of verb V. */
static void completion_put_values(FILE *out, const struct option_info *info, size_t v)
{
	bool rows = strcmp(info->name, "columns") == 0 || strcmp(info->name, "sort") == 0;
	struct view shape = verb_shape((enum verb)v);

	completion_put_words(out, info);
	for (size_t t = 0; strcmp(info->name, "set") == 0 && t < edit_targets_count; t++) {
		/* Up to the object, which depends on the cluster. */
		const char *name = edit_targets[t].name, *colon = strchr(name, ':');
		int length = colon ? (int)(colon - name) + 1 : (int)strlen(name);
		bool again = t > 0 && colon &&
			     strncmp(name, edit_targets[t - 1].name, (size_t)length) == 0;

		if (!again && strcmp(name, "PARAMETER") != 0)
			fprintf(out, " %.*s%s", length, name, colon ? "" : "=");
		if (edit_targets[t].type == EDIT_AS_PARAM && edit_targets[t].param)
			put_param_words(out, name, edit_targets[t].param);
	}
	for (size_t i = 0; strcmp(info->name, "set") == 0 && i < policy_params_count; i++) {
		if (!policy_word(i, 0))
			fprintf(out, " %s=", policy_params[i].name);
		put_param_words(out, policy_params[i].name, policy_params[i].name);
	}
	for (size_t i = 0; rows && i < shape.column_count; i++)
		fprintf(out, " %s", shape.columns[i].name);
	if (rows)
		completion_put_changes(out, &shape);
}

/* Escapes for single quotes, and for the [...] of an option in them. */
static void zsh_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", out);
		else if (strchr("[]:\\", *text))
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
	}
}

static void fish_text(FILE *out, const char *text)
{
	for (; *text; text++)
		fprintf(out, strchr("'\\", *text) ? "\\%c" : "%c", *text);
}

/* The beginnings of words after the source of verb V; the rest depends on the cluster. */
static void completion_put_objects(FILE *out, size_t v, void (*text)(FILE *out, const char *text))
{
	if (!strstr(verb_info[v].arguments, "OBJECT"))
		return;
	for (size_t i = 0; cluster_object_prefix(i); i++) {
		fputc(' ', out);
		text(out, cluster_object_prefix(i));
	}
}

static void bash_verb(FILE *out, size_t v)
{
	if (verb_info[v].name)
		fprintf(out, "\t%s)\n", verb_info[v].name);
	else
		fputs("\t*)\n", out);
	fputs("\t\toptions='", out);
	for (size_t i = 0; i < option_count; i++) {
		if (!(option_info[i].verbs & UINT32_C(1) << v))
			continue;
		fprintf(out, " --%s", option_info[i].name);
		if (option_info[i].letter)
			fprintf(out, " -%c", option_info[i].letter);
	}
	fputs("' objects='", out);
	completion_put_objects(out, v, fish_text);
	fputs("'\n\t\tcase $previous in\n", out);
	for (size_t i = 0; i < option_count; i++) {
		if (!(option_info[i].verbs & UINT32_C(1) << v) || !option_info[i].argument)
			continue;
		fprintf(out, "\t\t--%s", option_info[i].name);
		if (option_info[i].letter)
			fprintf(out, "|-%c", option_info[i].letter);
		fputs(") values='", out);
		completion_put_values(out, &option_info[i], v);
		fputs("'; valued=1 ;;\n", out);
	}
	fputs("\t\tesac ;;\n", out);
}

static void completion_bash(FILE *out)
{
	fputs("# bash completion of fairtop, made from its own tables; do not edit\n"
	      "_fairtop()\n{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tlocal verb=${COMP_WORDS[1]} options='' objects='' values='' valued='' cut='' w\n\n"
	      "\tfor w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
	      "\t\t[[ ' ", out);
	put_verbs(out);
	fputs(" ' != *\" $w \"* ]] || { verb=$w; break; }\n"
	      "\tdone\n"
	      /* bash splits NAME=WORD. */
	      "\tif [[ $word == = ]]; then\n"
	      "\t\tcut=$previous= previous=${COMP_WORDS[COMP_CWORD-2]} word=$cut\n"
	      "\telif [[ $previous == = ]]; then\n"
	      "\t\tcut=${COMP_WORDS[COMP_CWORD-2]}= previous=${COMP_WORDS[COMP_CWORD-3]}\n"
	      "\t\tword=$cut$word\n"
	      "\tfi\n"
	      "\tcase $verb in\n", out);
	for (size_t v = 1; v < VERB_COUNT; v++) {
		if (completion_is_shown(v))
			bash_verb(out, v);
	}
	bash_verb(out, VERB_SCREEN);
	fputs("\tesac\n"
	      "\tif [[ $valued ]]; then\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\")\n"
	      "\t\tCOMPREPLY=(\"${COMPREPLY[@]#\"$cut\"}\")\n"
	      "\telif [[ $word == -* ]]; then\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
	      "\telse\n"
	      "\t\tvalues='", out);
	put_schemes(out);
	fputs("'\n\t\t[[ $COMP_CWORD -le 2 ]] || values+=$objects\n"
	      "\t\t[[ $COMP_CWORD -gt 1 ]] || values+='", out);
	put_verbs(out);
	fputs("'\n\t\t[[ $verb != help ]] || values='", out);
	put_verbs(out);
	put_topics(out);
	fputs("'\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$word\"\n"
	      "\t\t\tcompgen -f -- \"$word\")\n"
	      "\t\t[[ ${COMPREPLY[0]} != *: ]] || compopt -o nospace 2> /dev/null\n"
	      "\tfi\n}\n"
	      "complete -o filenames -F _fairtop fairtop\n",
	      out);
}

static void zsh_options(FILE *out, size_t v)
{
	for (size_t i = 0; i < option_count; i++) {
		const struct option_info *info = &option_info[i];

		if (!(info->verbs & UINT32_C(1) << v))
			continue;
		if (info->letter)
			fprintf(out, "\t\t{-%c,--%s}'[", info->letter, info->name);
		else
			fprintf(out, "\t\t'--%s[", info->name);
		zsh_text(out, info->meaning);
		fputc(']', out);
		if (info->argument) {
			fprintf(out, ":%s:(", info->argument);
			completion_put_values(out, info, v);
			fputc(')', out);
		}
		fputs("' \\\n", out);
	}
}

static void completion_zsh(FILE *out)
{
	fputs("#compdef fairtop\n"
	      "# zsh completion of fairtop, made from its own tables; do not edit\n"
	      "_fairtop_source()\n{\n\t_alternative 'kinds:kind:(", out);
	put_schemes(out);
	fputs(")' 'files:file:_files'\n}\n\ncase $words[2] in\n", out);
	for (size_t n = 1; n <= VERB_COUNT; n++) {
		size_t v = n % VERB_COUNT;	/* the screen comes last */

		if (v != VERB_SCREEN && !completion_is_shown(v))
			continue;
		fprintf(out, "%s)\n\t_arguments -S \\\n",
			v == VERB_SCREEN ? "*" : verb_info[v].name);
		zsh_options(out, v);
		if (v == VERB_SCREEN) {
			fputs("\t\t'1:verb or source:{_alternative \"verbs:verb:(", out);
			put_verbs(out);
			fputs(")\" \"sources:source:_fairtop_source\"}' ;;\n", out);
		} else if (v == VERB_HELP) {
			fputs("\t\t'1:verb:' '2:verb:(", out);
			put_verbs(out);
			put_topics(out);
			fputs(")' ;;\n", out);
		} else {
			fputs("\t\t'1:verb:' '2:source:_fairtop_source'", out);
			if (verb_info[v].most > 1) {
				fputs(" '3:object:(", out);
				/* A colon ends a word of _arguments. */
				completion_put_objects(out, v, zsh_text);
				fputs(")'", out);
			}
			fputs(" ;;\n", out);
		}
	}
	fputs("esac\n", out);
}

static void fish_option(FILE *out, const struct option_info *info, size_t v)
{
	if (verb_info[v].name)
		fprintf(out, "complete -c fairtop -n '__fish_seen_subcommand_from %s' -l %s",
			verb_info[v].name, info->name);
	else {
		fputs("complete -c fairtop -n 'not __fish_seen_subcommand_from", out);
		put_verbs(out);
		fprintf(out, "' -l %s", info->name);
	}
	if (info->letter)
		fprintf(out, " -s %c", info->letter);
	if (info->argument) {
		fputs(" -x -a '", out);
		completion_put_values(out, info, v);
		fputc('\'', out);
	}
	fputs(" -d '", out);
	fish_text(out, info->meaning);
	fputs("'\n", out);
}

static void completion_fish(FILE *out)
{
	fputs("# fish completion of fairtop, made from its own tables; do not edit\n", out);
	for (size_t v = 0; v < VERB_COUNT; v++) {
		if (completion_is_shown(v)) {
			fprintf(out, "complete -c fairtop -n __fish_use_subcommand -a %s -d '",
				verb_info[v].name);
			fish_text(out, verb_info[v].meaning);
			fputs("'\n", out);
		}
		for (size_t i = 0; i < option_count; i++) {
			if (option_info[i].verbs & UINT32_C(1) << v && !verb_info[v].hidden)
				fish_option(out, &option_info[i], v);
		}
		if (completion_is_shown(v) && strstr(verb_info[v].arguments, "OBJECT")) {
			fprintf(out, "complete -c fairtop -n '__fish_seen_subcommand_from %s' -a '",
				verb_info[v].name);
			completion_put_objects(out, v, fish_text);
			fputs("'\n", out);
		}
	}
	fputs("complete -c fairtop -n '__fish_seen_subcommand_from help' -a '", out);
	put_verbs(out);
	put_topics(out);
	fputs("'\ncomplete -c fairtop -a '", out);
	put_schemes(out);
	fputs("'\n", out);
}

int completion(FILE *out, const char *shell)
{
	if (strcmp(shell, "bash") == 0)
		completion_bash(out);
	else if (strcmp(shell, "zsh") == 0)
		completion_zsh(out);
	else if (strcmp(shell, "fish") == 0)
		completion_fish(out);
	else {
		fprintf(stderr, "docgen: --completion %s: unknown (expected bash, zsh or fish)\n",
			shell);
		return 2;
	}
	return 0;
}
