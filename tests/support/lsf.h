/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsf: clusters out of LSF's texts, given as strings.
 */
#ifndef FAIRTOP_TESTS_SUPPORT_LSF_H
#define FAIRTOP_TESTS_SUPPORT_LSF_H

#include "adapters/lsf/lsf_text.h"

/* TEXTS by kind; NULL for those that are not there. Ends the test if they cannot be read. */
struct cluster *lsf_cluster(const char *const texts[LSF_KINDS]);

/* The same; NULL with ERR where they cannot be read. */
struct cluster *lsf_cluster_try(const char *const texts[LSF_KINDS], struct err *err);

#endif
