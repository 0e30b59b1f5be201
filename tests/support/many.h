/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * many: gives an overview on a stage its news without any real source; and the overview of the
 * golden frames, which shows a cluster in each state.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_MANY_H
#define FAIRTOP_TESTS_SUPPORT_MANY_H

#include "tests/support/stage.h"
#include "tui/rows/overview.h"

struct fleet_facts *many_facts(const char *text);	/* of a sketch */

/* FACTS, which may be NULL, are taken over. */
void many_hear(struct stage *s, uint32_t row, enum fleet_health health, const char *problem,
	       struct fleet_facts *facts);

struct stage *many_stage(void);

#endif
