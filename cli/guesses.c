/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/guesses.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "adapters/adapter.h"
#include "cli/help_topics.h"
#include "cli/options.h"
#include "core/base/near.h"

#define FILES_MAX 2000		/* most files examined in the working directory */

const struct guess guesses[] = {
	{ "users user accts", "fairtop accounts SOURCE", "lists users", NULL, NULL },
	{ "tree shares share sshare fairshare usage", "fairtop accounts SOURCE",
	  "shows shares, usage and fair share", NULL, NULL },
	{ "queue squeue qstat bjobs list ps sprio prio priority priorities",
	  "fairtop jobs SOURCE", "shows the queue with its priorities", NULL, NULL },
	{ "queues bqueues partitions", "fairtop pools SOURCE", "shows queue pools",
	  "fairtop jobs SOURCE -p NAME", "the jobs of one" },
	{ "top htop ui tui gui screen open view status overview", "fairtop SOURCE",
	  "opens the screen", NULL, NULL },
	{ "config conf settings", "fairtop policy SOURCE", "shows the scheduler's parameters",
	  "fairtop --print-config", "the settings of the screen" },
	{ "params parameters weights", "fairtop policy SOURCE", "shows them", NULL, NULL },
	{ "version", "fairtop --version", "prints it", NULL, NULL },
	{ "completion completions", NULL, "make install puts those for bash, zsh and fish under "
	  "share: bash-completion/completions, zsh/site-functions, fish/vendor_completions.d",
	  NULL, NULL },
	{ "show describe info get", "fairtop explain SOURCE OBJECT", "shows how it is computed",
	  "fairtop why SOURCE JOB", "why a job is pending" },
	{ "eta when start", "fairtop starts SOURCE", "shows when jobs start",
	  "fairtop why SOURCE JOB", "when one does" },
	{ "simulate sim what-if edit set", "fairtop whatif SOURCE --set weight.age=1000",
	  "shows what an edit would change", NULL, NULL },
	{ "export", "fairtop whatif SOURCE --set weight.age=1000 --export slurm",
	  "writes the commands for edits", NULL, NULL },
	{ "dump save", "fairtop snapshot SOURCE", "saves the present state",
	  "fairtop record SOURCE -o FILE", "keeps recording" },
	{ "replay log sacct", "fairtop import sacct INPUT -o FILE", "makes a recording from a log",
	  "fairtop history FILE OBJECT", "reads it" },
	{ "check doctor test validate", "fairtop verify SOURCE", "checks the numbers",
	  "fairtop lint SOURCE", "the configuration" },
	{ "limits", "fairtop accounts SOURCE --columns +limits", "shows them", NULL, NULL },
	{ "man manual", "fairtop help", "lists verbs and topics, man fairtop has the rest", NULL,
	  NULL },
	{ "nodes node hosts sinfo pbsnodes bhosts", "fairtop starts SOURCE",
	  "shows on which nodes jobs start; nodes have no view of their own", NULL, NULL },
};
const size_t guesses_count = sizeof(guesses) / sizeof(guesses[0]);

static const struct guess *guess_find(const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < guesses_count && length > 0; i++) {
		const char *at = guesses[i].words;

		for (; *at; at += strspn(at, " ")) {
			size_t word = strcspn(at, " ");

			if (word == length && strncmp(at, name, word) == 0)
				return &guesses[i];
			at += word;
		}
	}
	return NULL;
}

/* Puts the most similar file name here into FILE. */
static void offer_file(struct near *near, char *file, size_t size)
{
	DIR *dir = opendir(".");
	struct dirent *entry;
	unsigned least = ~0U;

	for (int i = 0; dir && i < FILES_MAX && (entry = readdir(dir)); i++) {
		struct near one;

		near_init(&one, near->word, near->length);
		if (entry->d_type != DT_DIR && entry->d_name[0] != '.')
			near_offer(&one, entry->d_name);
		if (one.count > 0 && one.distances[0] < least) {
			least = one.distances[0];
			(void)snprintf(file, size, "%s", entry->d_name);
		}
	}
	if (dir)
		closedir(dir);
	if (least != ~0U)
		near_offer(near, file);
}

static void offer_sources(struct near *near, char *file, size_t size)
{
	for (size_t i = 0; adapters[i]; i++) {
		if (!source_is_file(adapters[i]))
			near_offer(near, adapters[i]->scheme);
	}
	offer_file(near, file, size);
}

bool source_unknown(const char *name, const char *other, struct err *err)
{
	char hint[400], file[256];
	struct near near;

	near_init(&near, name, strcspn(name, ":,"));	/* the kind, if there is one */
	offer_sources(&near, file, sizeof(file));
	near_text(&near, hint, sizeof(hint));
	return err_set(err, ERR_INPUT, "%.100s: no such file and no such source (%s)", name,
		       hint[0] ? hint : other);
}

bool verb_unknown(const char *name, bool place, struct err *err)
{
	const struct guess *guess = guess_find(name);
	char hint[400], file[256];
	struct near near;

	if (guess)
		return err_set(err, ERR_INPUT, "%s: no such verb (%s%s%s%s%s%s%s)", name,
			       guess->line ? guess->line : "", guess->line ? " " : "", guess->says,
			       guess->other ? ", " : "", guess->other ? guess->other : "",
			       guess->other ? " " : "", guess->other ? guess->more : "");
	near_init(&near, name, strlen(name));
	for (size_t v = 0; v < VERB_COUNT; v++) {
		if (verb_info[v].name && !verb_info[v].hidden)
			near_offer(&near, verb_info[v].name);
	}
	for (size_t i = 0; i < help_topics_count; i++)
		near_offer(&near, help_topics[i].name);
	if (place)
		offer_sources(&near, file, sizeof(file));
	near_text(&near, hint, sizeof(hint));
	if (!hint[0] && place)
		(void)snprintf(hint, sizeof(hint), "fairtop help lists them; for a name: fairtop "
			       "explain SOURCE %.100s", name);
	return err_set(err, ERR_INPUT, "%.100s: no such verb%s (%s)", name,
		       place ? " and no such source" : "",
		       hint[0] ? hint : "fairtop help lists them");
}
