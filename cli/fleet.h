/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fleet: the answers of several sources to one verb as one table, whose first column tells the
 * cluster.
 *
 * A verb's answer lives as long as its function, which ends in session_answer(). There the next
 * source is asked, one within the other, until all have answered and the joint table is written.
 */
#ifndef FAIRTOP_CLI_FLEET_H
#define FAIRTOP_CLI_FLEET_H

#include "cli/session.h"

/*
 * session_run() for all sources of O, which names more than one. A scheduler that does not
 * answer is told and left out, and the exit status says so; a file that cannot be read ends all.
 * What-if edits are of one cluster: refused.
 */
int fleet_run(const struct options *o, const struct view *shape, uint32_t needs,
	      session_answers *answer);

#endif
