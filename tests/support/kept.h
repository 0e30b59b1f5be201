/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept: objects that live until a test ends. kept_free() frees them all, the newest first, also
 * after a test that failed.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_KEPT_H
#define FAIRTOP_TESTS_SUPPORT_KEPT_H

#include "core/queue/jobs.h"
#include "core/verify/verify.h"

/* Takes over C and returns it. */
struct cluster *kept_cluster(struct cluster *c);

/* The model of C, the jobs of M, and the verdict on C, all under the cluster's own policy. */
struct model *kept_model(const struct cluster *c);
struct jobs *kept_jobs(const struct model *m);
struct verify *kept_verify(const struct cluster *c);

/* The teardown of a test, or of a group of them. */
int kept_free(void **state);

#endif
