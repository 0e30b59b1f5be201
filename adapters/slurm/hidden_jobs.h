/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hidden_jobs: under PrivateData=jobs slurmctld lists all jobs to root, SlurmUser, operators and
 * administrators; to others only their own and those of accounts they coordinate. It omits the rest
 * without saying so: a job that is not listed may still exist.
 */
#ifndef FAIRTOP_ADAPTERS_SLURM_HIDDEN_JOBS_H
#define FAIRTOP_ADAPTERS_SLURM_HIDDEN_JOBS_H

struct builder;
struct slurm_reader;

/* Call after the associations: USER sees only his own jobs; NULL: his name is unknown. */
void slurm_hide_jobs(struct builder *b, const char *user);

/* Call after all is read: notes in the builder that jobs may be hidden. */
void slurm_hidden_jobs(struct slurm_reader *r);

#endif
