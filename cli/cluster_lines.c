/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/cluster_lines.h"

#include <string.h>

#include "core/base/format.h"
#include "core/base/mem.h"
#include "core/base/near.h"

static const char *cluster_lines_keep(struct cluster_lines *c, const char *text)
{
	c->texts[c->text_count] = mem_strdup(text);
	return c->texts[c->text_count++];
}

/* Reads "cluster NAME SOURCE" of the configuration; a later line of the same NAME replaces it. */
static bool cluster_lines_take_line(void *context, const char *line, const struct words *words,
				    struct err *err)
{
	struct cluster_lines *c = context;
	size_t i = 0;

	(void)line;
	/* Its errors are reported when the whole configuration is read. */
	if (strcmp(words->word[0], "cluster") != 0 || words->count != 3)
		return true;
	while (i < c->count && strcmp(c->list[i].name, words->word[1]) != 0)
		i++;
	if (c->text_count + 2 > 2 * (1 + OBJECTS_MAX))
		return err_set(err, ERR_INPUT, "cluster %s: more than %d cluster "
			       "lines", words->word[1], 1 + OBJECTS_MAX);
	c->list[i] = (struct screen_cluster){ cluster_lines_keep(c, words->word[1]),
					      cluster_lines_keep(c, words->word[2]) };
	c->count += i == c->count;
	return true;
}

bool cluster_lines_read(struct cluster_lines *c, struct err *err)
{
	return screen_config_each(cluster_lines_take_line, c, err);
}

const char *cluster_lines_find(const struct cluster_lines *c, const char *name, size_t length,
			  struct err *err)
{
	char hint[160], names[200] = "";
	struct near near;

	near_init(&near, name, length);
	for (size_t i = 0; i < c->count; i++) {
		const char *known = c->list[i].name;

		if (strlen(known) == length && memcmp(known, name, length) == 0)
			return c->list[i].source;
		near_offer(&near, known);
		format_append(names, sizeof(names), "%s%s", i == 0 ? "" : ", ", known);
	}
	near_text(&near, hint, sizeof(hint));
	if (c->count == 0)
		err_set(err, ERR_INPUT, "--cluster %.*s: fairtop.conf has no line cluster NAME "
			"SOURCE (slurm:DIR,cluster=NAME selects one of several clusters in saved "
			"outputs)", (int)length, name);
	else
		err_set(err, ERR_INPUT, "--cluster %.*s: no such cluster in fairtop.conf (%s%s"
			"there are %s)", (int)length, name, hint, hint[0] ? " " : "", names);
	return NULL;
}

void cluster_lines_free(struct cluster_lines *c)
{
	while (c->text_count > 0)
		mem_free(c->texts[--c->text_count]);
}
