/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "adapters/slurm/helper/compat.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <slurm/slurm_errno.h>

#include "config.h"
#include "core/base/mem.h"

int compat_errno(void)
{
	return errno != 0 ? errno : SLURM_ERROR;
}

/* ---- versions ------------------------------------------------------------------------------ */

/* slurm_api_version() counts releases, not years; the soname of the library is the same number. */
static const struct {
	long release, api;
} apis[] = {
	{ 20 << 8 | 11, 36 }, { 21 << 8 | 8, 37 }, { 22 << 8 | 5, 38 }, { 23 << 8 | 2, 39 },
	{ 23 << 8 | 11, 40 }, { 24 << 8 | 5, 41 }, { 24 << 8 | 11, 42 }, { 25 << 8 | 5, 43 },
	{ 25 << 8 | 11, 44 }, { 26 << 8 | 5, 45 },
};

bool compat_library_fits(char *why, size_t size)
{
	long api = slurm_api_version() >> 16, release = SLURM_VERSION_NUMBER >> 8;

	for (size_t i = 0; i < sizeof(apis) / sizeof(apis[0]); i++) {
		if (apis[i].release == release && apis[i].api != api) {
			snprintf(why, size, "built for Slurm %ld.%02ld (libslurm.so.%ld), "
				 "but this is libslurm.so.%ld", release >> 8, release & 255,
				 apis[i].api, api);
			return false;
		}
	}
	return true;
}

int compat_controllers(void)
{
	/* The library's own copy of the configuration: exported, of a public type, not declared. */
	const slurm_conf_t *conf = dlsym(RTLD_DEFAULT, "slurm_conf");

	return conf && conf->control_cnt > 0 ? (int)conf->control_cnt : 1;
}

/*
 * The call once took lists to choose from; fairtop only needs "all". Both forms are supported; the
 * declaration in slurm.h selects one.
 */
typedef int load_prio_all(priority_factors_response_msg_t **message, uint16_t flags);
typedef int load_prio_some(priority_factors_response_msg_t **message, struct xlist *jobs,
			   char *partitions, struct xlist *users, uint16_t flags);

int compat_load_job_prio(priority_factors_response_msg_t **message)
{
	load_prio_all *all = (load_prio_all *)(void *)slurm_load_job_prio;
	load_prio_some *some = (load_prio_some *)(void *)slurm_load_job_prio;

	return _Generic(&slurm_load_job_prio, load_prio_all *: all(message, SHOW_LOCAL),
			default: some(message, NULL, NULL, NULL, SHOW_LOCAL));
}

void compat_free_conf(slurm_conf_t *conf)
{
#ifdef HAVE_SLURM_FREE_CONF	/* since 26.05 */
	slurm_free_conf(conf);
#else
	slurm_free_ctl_conf(conf);
#endif
}

/* ---- members ------------------------------------------------------------------------------- */

#ifdef HAVE_PRIORITY_FACTORS_OBJECT_T_PRIO_FACTORS	/* since 23.02 */
typedef priority_factors_t factors_t;
#else
typedef priority_factors_object_t factors_t;
#endif

static void take_factors(struct prio_terms *t, const factors_t *f)
{
	t->term[PRIO_AGE] = f->priority_age;
	t->term[PRIO_ASSOC] = f->priority_assoc;
	t->term[PRIO_FAIRSHARE] = f->priority_fs;
	t->term[PRIO_JOBSIZE] = f->priority_js;
	t->term[PRIO_PARTITION] = f->priority_part;
	t->term[PRIO_QOS] = f->priority_qos;
	t->site = (int64_t)f->priority_site - NICE_OFFSET;
	t->nice = (int64_t)f->nice - NICE_OFFSET;
	t->tres = f->priority_tres;
	t->tres_names = f->tres_names;
	t->tres_count = f->priority_tres && f->tres_names ? f->tres_cnt : 0;
}

void compat_prio_terms(const priority_factors_object_t *o, struct prio_terms *t)
{
	const factors_t *f;

	memset(t, 0, sizeof(*t));
	t->partition = o->partition;
	t->direct = o->direct_prio;
#ifdef HAVE_PRIORITY_FACTORS_OBJECT_T_STEP_ID
	t->job = o->step_id.job_id;
#else
	t->job = o->job_id;
#endif
#ifdef HAVE_PRIORITY_FACTORS_OBJECT_T_PRIO_FACTORS
	t->qos = o->qos;
	f = o->prio_factors;
#else
	f = o;
#endif
	/* A priority set directly has no terms: the library leaves zeros, or nothing. */
	if (f && !(t->direct > 0))
		take_factors(t, f);
}

uint32_t compat_job_id(const slurm_job_info_t *job)
{
#ifdef HAVE_SLURM_JOB_INFO_T_STEP_ID
	return job->step_id.job_id;
#else
	return job->job_id;
#endif
}

int compat_job_cpus(const slurm_job_info_t *job, const char *node)
{
#ifdef HAVE_SLURM_JOB_CPUS_ALLOCATED_ON_NODE
	return job->job_resrcs ? slurm_job_cpus_allocated_on_node(job->job_resrcs, node) : -1;
#else
	(void)node;
	return job->job_resrcs && job->num_nodes == 1 ? (int)job->num_cpus : -1;
#endif
}

const char *compat_job_sluid(const slurm_job_info_t *job, char buf[COMPAT_SLUID_SIZE])
{
#ifdef HAVE_SLURM_JOB_INFO_T_STEP_ID_SLUID
	static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
	uint64_t sluid = job->step_id.sluid;

	buf[0] = 's';
	buf[COMPAT_SLUID_SIZE - 1] = '\0';
	for (size_t i = COMPAT_SLUID_SIZE - 2; i > 0; i--, sluid >>= 5)
		buf[i] = digits[sluid & 31];
	return job->step_id.sluid != 0 ? buf : NULL;
#else
	(void)job;
	(void)buf;
	return NULL;
#endif
}

uint32_t compat_lft(const slurmdb_assoc_rec_t *assoc)
{
#ifdef HAVE_SLURMDB_ASSOC_REC_T_LFT	/* before 25.05 */
	return assoc->lft;
#else
	(void)assoc;
	return NO_VAL;
#endif
}

/* ---- sets of bits -------------------------------------------------------------------------- */

/* Exported by the library, declared by no header. */
bitoff_t slurm_bit_size(bitstr_t *bits);
int slurm_bit_test(bitstr_t *bits, bitoff_t bit);

uint32_t compat_bit_count(bitstr_t *bits)
{
	bitoff_t size = bits ? slurm_bit_size(bits) : 0;

	return size > 0 && size < (bitoff_t)NO_VAL ? (uint32_t)size : 0;
}

/* Newer versions return a bool: only the lowest bit is valid in all of them. */
bool compat_bit_test(bitstr_t *bits, uint32_t i)
{
	return (slurm_bit_test(bits, (bitoff_t)i) & 1) != 0;
}

/* ---- words --------------------------------------------------------------------------------- */

typedef const char *number_to_word(uint32_t number);

/* Exported by the library, declared by no header, renamed once. */
static const char *compat_word(const char *name, const char *other_name, uint32_t number, char *buf,
			       size_t size)
{
	number_to_word *function = NULL;
	const char *text;

	*(void **)&function = dlsym(RTLD_DEFAULT, name);
	if (!function)
		*(void **)&function = dlsym(RTLD_DEFAULT, other_name);
	text = function ? function(number) : NULL;
	if (text)
		return text;
	snprintf(buf, size, "%u", (unsigned)number);
	return buf;
}

const char *compat_job_state(uint32_t state, char *buf, size_t size)
{
	return compat_word("slurm_job_state_string", "job_state_string", state, buf, size);
}

const char *compat_job_reason(uint32_t reason, char *buf, size_t size)
{
	return compat_word("slurm_job_state_reason_string", "slurm_job_reason_string", reason, buf,
			   size);
}

/* ---- nodes --------------------------------------------------------------------------------- */

void slurm_xfree(void **block);

void compat_free_text(char **text)
{
#ifdef HAVE_NODE_INFO_T_ALLOC_CPUS	/* since 25.05 */
	mem_free(*text);
	*text = NULL;
#else
	slurm_xfree((void **)text);
#endif
}

#ifdef HAVE_NODE_INFO_T_ALLOC_CPUS

uint32_t compat_node_cpus_used(const node_info_t *node)
{
	return node->alloc_cpus;
}

char *compat_node_tres_used(const node_info_t *node)
{
	return node->alloc_tres_fmt_str ? mem_strdup(node->alloc_tres_fmt_str) : NULL;
}

#else

uint32_t compat_node_cpus_used(const node_info_t *node)
{
	uint16_t cpus = 0;

	if (slurm_get_select_nodeinfo(node->select_nodeinfo, SELECT_NODEDATA_SUBCNT,
				      NODE_STATE_ALLOCATED, &cpus) != SLURM_SUCCESS)
		return NO_VAL;
	return cpus;
}

char *compat_node_tres_used(const node_info_t *node)
{
	char *text = NULL;

	if (slurm_get_select_nodeinfo(node->select_nodeinfo, SELECT_NODEDATA_TRES_ALLOC_FMT_STR,
				      NODE_STATE_ALLOCATED, &text) != SLURM_SUCCESS)
		return NULL;
	return text;
}

#endif

/* The function to free the answer is exported but not declared; without it, do not ask. */
typedef void free_statistics(stats_info_response_msg_t *message);

int64_t compat_last_backfill(void)
{
	stats_info_request_msg_t request = { .command_id = STAT_COMMAND_GET };
	stats_info_response_msg_t *message = NULL;
	free_statistics *free_message = NULL;
	int64_t last = 0;

	*(void **)&free_message = dlsym(RTLD_DEFAULT, "slurm_free_stats_response_msg");
	if (!free_message || slurm_get_statistics(&message, &request) != SLURM_SUCCESS || !message)
		return 0;
	last = message->bf_when_last_cycle > 0 ? (int64_t)message->bf_when_last_cycle : 0;
	free_message(message);
	return last;
}
