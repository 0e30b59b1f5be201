/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hidden_jobs: under PrivateData=jobs slurmctld lists to root, SlurmUser, operators and
 * administrators the jobs of all, to others their own and those of accounts they coordinate. It
 * leaves the rest out without a word, so that what is not listed is not absent.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_HIDDEN_JOBS_H
#define FAIRTOP_ADAPTERS_SLURM_HIDDEN_JOBS_H

struct builder;
struct slurm_reader;

/* After the associations: USER is shown his own alone; NULL: nobody knows his name. */
void slurm_hide_jobs(struct builder *b, const char *user);

/* After all is read: says so in the builder if jobs may be hidden. */
void slurm_hidden_jobs(struct slurm_reader *r);

#endif
