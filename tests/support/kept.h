/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kept: what tests look at until they end. All of it is freed by kept_free(), the newest first; a
 * test that fails leaves nothing behind either.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_KEPT_H
#define FAIRTOP_TESTS_SUPPORT_KEPT_H

#include "core/queue/jobs.h"
#include "core/verify/verify.h"

/* Takes C, and returns it. */
struct cluster *kept_cluster(struct cluster *c);

/* A model of C, the jobs of M, and the verdict on C, all by the cluster's own policy. */
struct model *kept_model(const struct cluster *c);
struct jobs *kept_jobs(const struct model *m);
struct verify *kept_verify(const struct cluster *c);

/* The teardown of a test, or of a group of them. */
int kept_free(void **state);

#endif
