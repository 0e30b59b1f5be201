/* SPDX-License-Identifier: GPL-2.0-or-later */
/* help_topics: the pages of fairtop help TOPIC. */
#ifndef FAIRTOP_CLI_HELP_TOPICS_H
#define FAIRTOP_CLI_HELP_TOPICS_H

#include "cli/output.h"

struct help_topic {
	const char *name, *also;	/* ALSO: another name, or NULL */
	void (*print)(struct output *out);
};
extern const struct help_topic help_topics[];
extern const size_t help_topics_count;

void help_sources(struct output *out);	/* the forms of SOURCE */

/* Wraps TEXT to the width of help; the first line begins after LABEL or below it. */
void help_item(struct output *out, const char *label, size_t indent, const char *text);

#endif
