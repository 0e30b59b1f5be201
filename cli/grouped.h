/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * grouped: the equivalence classes of what a session fetched, by --rules and --exclude; what these
 * leave open is as in the source.
 */
#ifndef FAIRTOP_CLI_GROUPED_H
#define FAIRTOP_CLI_GROUPED_H

#include "core/classes/classes_view.h"
#include "cli/session.h"

struct grouped {
	struct jobs *jobs;
	struct classes_data *data;
	/* Set by grouped_base(): the unedited jobs, the base of DATA. */
	struct jobs *base_jobs;
	struct classes_data *base;
};

/* Whether equiv_class_enable counts: if it does and is off, each job is a class of its own. */
enum grouped_apart { GROUPED_AS_SET, GROUPED_ALWAYS };

/*
 * Returns 0, or an exit status after a message. Adds remarks about resources of --exclude that no
 * job requests, and about rules of the job order that are not modelled.
 */
int grouped_new(struct session *s, enum grouped_apart apart, struct grouped *g);

/* Computes the classes without the edits, if any, for the columns of changes_columns.h. */
void grouped_base(struct session *s, enum grouped_apart apart, struct grouped *g);
void grouped_free(struct grouped *g);	/* G may be all zero */

#endif
