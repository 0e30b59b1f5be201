/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsf: LSF by its configuration files and commands ("lsf"), or a directory of saved ones
 * ("lsf:DIR"; lsf_text.h lists the names), or one file ("lsf:FILE").
 *
 * Live: bhosts, bqueues and bjobs are run in parallel, each within the deadline; the configuration
 * is read from LSB_CONFDIR of lsf.conf (in LSF_ENVDIR, else /etc) if that is allowed. Either may be
 * missing. No LSF was available: the commands were tested with stand-ins only.
 */
#ifndef FAIRTOP_ADAPTERS_LSF_LSF_H
#define FAIRTOP_ADAPTERS_LSF_LSF_H

#include "adapters/adapter.h"

extern const struct source_ops lsf_source;

/* PATH is a directory or a file. ERR_INPUT if nothing in it is understood. Read once. */
struct source *lsf_saved_open(const char *path, struct err *err);

/*
 * Returns the share accounts configured in DIR, as a cluster dated TIME without usage. JOBS are
 * pending jobs as printed by bjobs -w: the Nth becomes row N of JOB, id N, with its account.
 */
struct cluster *lsf_accounts_of(const char *dir, const char *jobs, int64_t time, struct err *err);

#endif
