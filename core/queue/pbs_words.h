/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pbs_words: what a word of job_sort_formula may be.
 *
 * qmgr refuses a formula with a word that is none of the scheduler's own and no resource, and one
 * with a resource that is no number. The resources that a site made are known by what has them:
 * vnodes, jobs, queues and the server; one that nothing has is taken for none. Source:
 * validate_job_formula() of OpenPBS, master_resc_def_all.xml.
 */
#ifndef FAIRTOP_CORE_QUEUE_PBS_WORDS_H
#define FAIRTOP_CORE_QUEUE_PBS_WORDS_H

#include "core/cluster/cluster.h"

/* NULL, or why qmgr would refuse NAME in a formula, in its words. */
const char *pbs_word_refused(const struct cluster *c, const char *name);

#endif
