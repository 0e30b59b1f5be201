/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_words: which words a job_sort_formula may use.
 *
 * qmgr refuses a formula with a word that is neither the scheduler's own nor a resource, or with a
 * non-numeric resource. Custom resources are recognised by use: in vnodes, jobs, queues and the
 * server; an unused one counts as no resource. Source: validate_job_formula() of OpenPBS,
 * master_resc_def_all.xml.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_WORDS_H
#define FAIRTOP_CORE_QUEUE_PBS_WORDS_H

#include "core/cluster/cluster.h"

/* NULL, or qmgr's reason to refuse NAME in a formula. */
const char *pbs_word_refused(const struct cluster *c, const char *name);

#endif
