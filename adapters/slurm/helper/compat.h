/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * compat: what differs between the versions of libslurm, apart from the shares call (shares.c).
 *
 * Tested with 20.11, 22.05, 23.11, 24.11 and 26.05. configure checks which struct members and
 * constants the headers have; which symbols the library has is checked at run time.
 * tests/scripts/helper_versions.sh checks the release numbers in the comments ("since 23.02",
 * "before 25.05", behind an #ifdef) and the numbers of the library for the release compiled
 * against.
 */
#ifndef FAIRTOP_SLURM_HELPER_COMPAT_H
#define FAIRTOP_SLURM_HELPER_COMPAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <slurm/slurm.h>
#include <slurm/slurmdb.h>

#include "config.h"
#include "core/cluster/factors.h"

/* Flags missing in older headers: there they are never set. */
#if !HAVE_DECL_NODE_STATE_POWERED_DOWN
#define NODE_STATE_POWERED_DOWN 0
#endif
#if !HAVE_DECL_NODE_STATE_POWERING_UP
#define NODE_STATE_POWERING_UP 0
#endif
#if !HAVE_DECL_NODE_STATE_REBOOT_REQUESTED
#define NODE_STATE_REBOOT_REQUESTED 0
#endif
#if !HAVE_DECL_NODE_STATE_DYNAMIC_FUTURE
#define NODE_STATE_DYNAMIC_FUTURE 0
#endif
#if !HAVE_DECL_NODE_STATE_REBOOT_ISSUED
#define NODE_STATE_REBOOT_ISSUED 0
#endif
#if !HAVE_DECL_NODE_STATE_PLANNED
#define NODE_STATE_PLANNED 0
#endif
#if !HAVE_DECL_NODE_STATE_INVALID_REG
#define NODE_STATE_INVALID_REG 0
#endif
#if !HAVE_DECL_NODE_STATE_POWER_DOWN
#define NODE_STATE_POWER_DOWN 0
#endif
#if !HAVE_DECL_NODE_STATE_POWER_DRAIN
#define NODE_STATE_POWER_DRAIN 0
#endif
#if !HAVE_DECL_NODE_STATE_DYNAMIC_NORM
#define NODE_STATE_DYNAMIC_NORM 0
#endif
#if !HAVE_DECL_PREEMPT_MODE_WITHIN
#define PREEMPT_MODE_WITHIN 0
#endif
#if !HAVE_DECL_RESERVE_FLAG_HOURLY
#define RESERVE_FLAG_HOURLY 0
#endif

/* errno after a failed call; never 0 (libslurm sometimes leaves it 0). */
int compat_errno(void);

/* Is the library the one this program was compiled for? Else the structs may not fit. */
bool compat_library_fits(char *why, size_t size);

/* The number of slurmctld in the configuration: 1 plus backups. */
int compat_controllers(void);

int compat_load_job_prio(priority_factors_response_msg_t **message);
void compat_free_conf(slurm_conf_t *conf);

/* One record of slurm_load_job_prio(): terms with their weights. */
struct prio_terms {
	uint32_t job;
	const char *partition, *qos;	/* NULL: not reported */
	double term[PRIO_FACTORS];
	double direct;			/* > 0: set directly, without terms */
	int64_t site, nice;
	const double *tres;
	char *const *tres_names;
	uint32_t tres_count;
};
void compat_prio_terms(const priority_factors_object_t *o, struct prio_terms *t);

/* A bit string: its size (0 for NULL), and whether bit I is set. */
uint32_t compat_bit_count(bitstr_t *bits);
bool compat_bit_test(bitstr_t *bits, uint32_t i);

uint32_t compat_job_id(const slurm_job_info_t *job);
/*
 * CPUs of JOB on NODE, one of its nodes; below 0: not reported. Since 24.11 the library has no call
 * for it: for a job of several nodes only the sum is known. slurm_allocation_lookup() reports them
 * in every release, but for one job per call to slurmctld, and only to its owner or an operator:
 * too expensive for each refresh.
 */
int compat_job_cpus(const slurm_job_info_t *job, const char *node);
/* Writes Slurm's form, "s" and 13 digits of base 32 (Crockford's), to BUF; NULL: it has none. */
#define COMPAT_SLUID_SIZE 15
const char *compat_job_sluid(const slurm_job_info_t *job, char buf[COMPAT_SLUID_SIZE]);
/* When slurmctld began its last backfill cycle; 0: not reported. */
int64_t compat_last_backfill(void);
uint32_t compat_lft(const slurmdb_assoc_rec_t *assoc);	/* NO_VAL in releases without it */

/* "PENDING", "Resources"; as squeue prints them. BUF is used if the library has no text. */
const char *compat_job_state(uint32_t state, char *buf, size_t size);
const char *compat_job_reason(uint32_t reason, char *buf, size_t size);

/* Allocated CPUs; allocated TRES as text, freed by compat_free_text(). NULL unknown. */
uint32_t compat_node_cpus_used(const node_info_t *node);
char *compat_node_tres_used(const node_info_t *node);
void compat_free_text(char **text);

#endif
