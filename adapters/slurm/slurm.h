/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm: a live Slurm, "slurm" or "slurm:FILE.conf" (its slurm.conf); "slurm:DIR" and any other
 * "slurm:FILE" are saved outputs (slurm_text.h).
 *
 * Asks the helper program fairtop-slurm, which links libslurm and knows every digit. Where it
 * is not installed, cannot run, or was built for another version, the same comes from Slurm's
 * commands with the digits they print; the source's health says so, why, and how to get the
 * helper. The helper is looked for in FAIRTOP_LIBEXEC, else where it was installed.
 *
 * "slurm:http+unix:PATH" and "slurm:http(s)://HOST:PORT" ask a slurmrestd (rest.c), and nobody
 * else: what it does not tell is unknown.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_SLURM_H
#define FAIRTOP_ADAPTERS_SLURM_SLURM_H

#include "adapters/adapter.h"

extern const struct source_ops slurm_source;

/* Are they saved outputs, what "slurm:PATH" names? PATH may end in ",cluster=NAME". */
bool slurm_is_saved(const char *path);

#endif
