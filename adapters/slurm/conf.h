/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf: which slurm.conf, found without libslurm.
 *
 * libslurm left alone with a missing configuration asks the DNS, retries for a minute and then
 * ends the process. So nobody here calls it before this has found a file that can be read, and
 * whose includes come to an end (slurm_conf_ends).
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_CONF_H
#define FAIRTOP_ADAPTERS_SLURM_CONF_H

#include <stddef.h>

#include "core/base/err.h"

/*
 * The slurm.conf to use: WANTED if not NULL, else SLURM_CONF, else the first of the usual places;
 * absolute, since libslurm looks for ever for what "slurm.conf" without a slash includes.
 * ERR_SOURCE with what was looked for; PATH is then "".
 */
bool slurm_conf_find(const char *wanted, char *path, size_t size, struct err *err);

#endif
