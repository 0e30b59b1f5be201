/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm: a live Slurm, "slurm" or "slurm:FILE.conf" (its slurm.conf); "slurm:DIR" and any other
 * "slurm:FILE" are saved outputs (slurm_text.h).
 *
 * The helper program fairtop-slurm, which links libslurm, gives all digits. If it is not installed,
 * cannot run, or was built for another version, the same data come from Slurm's commands with the
 * digits they print; the source's health says so, why, and how to get the helper. The helper is
 * searched in FAIRTOP_LIBEXEC, else where it was installed.
 *
 * "slurm:http+unix:PATH" and "slurm:http(s)://HOST:PORT" use a slurmrestd (rest.c) only: what it
 * does not report is unknown.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_SLURM_H
#define FAIRTOP_ADAPTERS_SLURM_SLURM_H

#include "adapters/adapter.h"

extern const struct source_ops slurm_source;

/* Does "slurm:PATH" name saved outputs? PATH may end in ",cluster=NAME". */
bool slurm_is_saved(const char *path);

#endif
