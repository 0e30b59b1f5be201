/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsf: clusters out of LSF's texts, given as strings, and the recordings of volclava.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_LSF_H
#define FAIRTOP_TESTS_SUPPORT_LSF_H

#include "adapters/lsf/lsf_text.h"
#include "core/queue/jobs.h"

/* TEXTS by kind; NULL for those that are not there. Ends the test if they cannot be read. */
struct cluster *lsf_cluster(const char *const texts[LSF_KINDS]);

/* The same; NULL with ERR where they cannot be read. */
struct cluster *lsf_cluster_try(const char *const texts[LSF_KINDS], struct err *err);

/* lsf_cluster(), a model of it, and the jobs of that: for kept_free() to free (kept.h). */
const struct cluster *lsf_told(const char *const texts[LSF_KINDS]);
const struct model *lsf_told_model(const char *const texts[LSF_KINDS]);
const struct jobs *lsf_told_jobs(const char *const texts[LSF_KINDS]);

/* The directory NAME of tests/data/lsf/volclava as a cluster, the caller's to free. */
struct cluster *lsf_recorded(const char *name);

/* A file of it, the caller's to free(); NULL if it is not there. */
char *lsf_recorded_text(const char *name);

#endif
