/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf: finds the slurm.conf to use, without libslurm.
 *
 * With a missing configuration libslurm asks the DNS, retries for a minute and then ends the
 * process. So libslurm is called only after this found a readable file, and slurm_conf_ends()
 * accepted its includes.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_CONF_H
#define FAIRTOP_ADAPTERS_SLURM_CONF_H

#include <stddef.h>

#include "core/base/err.h"

/*
 * Finds the slurm.conf to use: WANTED if not NULL, else SLURM_CONF, else the first of the usual
 * places. PATH is absolute, since libslurm never finds what "slurm.conf" without a slash includes.
 * ERR_SOURCE with what was searched; PATH is then "".
 */
bool slurm_conf_find(const char *wanted, char *path, size_t size, struct err *err);

#endif
