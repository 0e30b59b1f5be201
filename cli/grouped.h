/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grouped: the equivalence classes of what a session fetched, by --rules and --exclude. What these
 * leave open is as the source has it.
 */
#ifndef FAIRTOP_CLI_GROUPED_H
#define FAIRTOP_CLI_GROUPED_H

#include "core/classes/classes_view.h"
#include "cli/session.h"

struct grouped {
	struct jobs *jobs;
	struct classes_data *data;
	/* grouped_base(): of what was read, the base of DATA. */
	struct jobs *base_jobs;
	struct classes_data *base;
};

/* Whether equiv_class_enable counts: where it is off, each job is a class of its own. */
enum grouped_apart { GROUPED_AS_SET, GROUPED_ALWAYS };

/*
 * 0, or an exit status after a message. Resources of --exclude that no job asks for, and what of
 * the order of jobs is not followed, are remarks.
 */
int grouped_new(struct session *s, enum grouped_apart apart, struct grouped *g);

/* Where the session has edits: the classes without them, for the columns of changes_columns.h. */
void grouped_base(struct session *s, enum grouped_apart apart, struct grouped *g);
void grouped_free(struct grouped *g);	/* of G that may be all zero */

#endif
