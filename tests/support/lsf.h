/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsf: clusters from LSF outputs given as strings, and from the recordings of volclava.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_LSF_H
#define FAIRTOP_TESTS_SUPPORT_LSF_H

#include "adapters/lsf/lsf_text.h"
#include "core/queue/jobs.h"

/* TEXTS is indexed by kind; NULL: no such output. Ends the test if they cannot be read. */
struct cluster *lsf_cluster(const char *const texts[LSF_KINDS]);

/* The same, but returns NULL and sets ERR if they cannot be read. */
struct cluster *lsf_cluster_try(const char *const texts[LSF_KINDS], struct err *err);

/* lsf_cluster() with a model and its jobs; kept_free() frees them (kept.h). */
const struct cluster *lsf_told(const char *const texts[LSF_KINDS]);
const struct model *lsf_told_model(const char *const texts[LSF_KINDS]);
const struct jobs *lsf_told_jobs(const char *const texts[LSF_KINDS]);

/* The directory NAME of tests/data/lsf/volclava as a cluster; the caller frees it. */
struct cluster *lsf_recorded(const char *name);

/* A file of that directory, to be freed with free(); NULL if it does not exist. */
char *lsf_recorded_text(const char *name);

#endif
