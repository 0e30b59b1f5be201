/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lab: a cluster with its model and its jobs. If they cannot be made, the test fails.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_LAB_H
#define FAIRTOP_TESTS_SUPPORT_LAB_H

#include "core/queue/jobs.h"

struct lab {
	struct cluster *c;
	struct model *m;
	struct jobs *j;
};

struct cluster *lab_sealed(struct builder *b);		/* seals B, which is freed */
struct lab *lab_of(struct cluster *c);			/* takes over C */
struct lab *lab_by(struct cluster *c, const struct model_options *options);
void lab_free(struct lab *lab);

/* A test that puts its lab into *state; the lab is freed when the test ends. */
#define lab_test(test) cmocka_unit_test_teardown(test, lab_close)
int lab_close(void **state);

#endif
