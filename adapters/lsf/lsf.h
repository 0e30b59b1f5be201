/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * lsf: LSF by its configuration files and commands ("lsf"), or a directory of saved ones
 * ("lsf:DIR"; lsf_text.h lists the names), or one file ("lsf:FILE").
 *
 * Live: bhosts, bqueues and bjobs are run in parallel, each within the deadline; the configuration
 * is read from LSB_CONFDIR of lsf.conf (in LSF_ENVDIR, else /etc) where it may be. Either may be
 * missing. LSF itself was not at hand: what is run was tried with stand-ins only.
 */
#ifndef FAIRTOP_ADAPTERS_LSF_LSF_H
#define FAIRTOP_ADAPTERS_LSF_LSF_H

#include "adapters/adapter.h"

extern const struct source_ops lsf_source;

/* PATH is a directory or a file. ERR_INPUT if it holds nothing that is understood. Read once. */
struct source *lsf_saved_open(const char *path, struct err *err);

/*
 * What the configuration of DIR shares, as a cluster of TIME without use. JOBS are waiting ones as
 * bjobs -w prints them: each is a row of JOB with the account that pays, the Nth with id N.
 */
struct cluster *lsf_accounts_of(const char *dir, const char *jobs, int64_t time, struct err *err);

#endif
