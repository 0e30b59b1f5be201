/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fleet: the answers of several sources to one verb as one table; its first column is the cluster.
 *
 * A verb's answer lives as long as its function, which ends in session_answer(). There the next
 * source is asked, one call within the other, until all have answered and the joint table is
 * written.
 */
#ifndef FAIRTOP_CLI_FLEET_H
#define FAIRTOP_CLI_FLEET_H

#include "cli/session.h"

/*
 * session_run() for all sources of O, which has more than one. A scheduler that does not answer is
 * reported and left out, and the exit status says so; an unreadable file ends the whole run.
 * What-if edits apply to one cluster, so they are refused.
 */
int fleet_run(const struct options *o, const struct view *shape, uint32_t needs,
	      session_answers *answer);

#endif
