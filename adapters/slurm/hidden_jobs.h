/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hidden_jobs: under PrivateData=jobs slurmctld lists to root, SlurmUser, operators and
 * administrators the jobs of all, to others their own and those of accounts they coordinate. It
 * leaves the rest out without a word, so that what is not listed is not absent.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_HIDDEN_JOBS_H
#define FAIRTOP_ADAPTERS_SLURM_HIDDEN_JOBS_H

#define SLURM_JOBS_HIDDEN "PrivateData hides those of others from this user: ranks, starts and " \
			  "counts of jobs are unknown (an operator sees them)"

struct slurm_reader;

/* After all is read: says so in the builder if jobs may be hidden. */
void slurm_hidden_jobs(struct slurm_reader *r);

#endif
