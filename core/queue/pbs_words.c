/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/queue/pbs_words.h"

#include <string.h>

#include "core/base/word.h"
#include "core/queue/pbs_asked.h"

/* The value of NAME in the list FIELD of any row; NULL. */
static const char *pbs_words_value_in(const struct cluster *c, enum field field, const char *name)
{
	size_t length = strlen(name);

	for (uint32_t row = 0; row < cluster_rows(c, field_info[field].table); row++) {
		struct text_list list = cluster_list(c, field, row);
		const char *value = cluster_list_value(c, list, name, length);

		if (value)
			return value;
	}
	return NULL;
}

/* Is it a TRES of PBS, a number on vnodes? Two have names of this project. */
static bool is_count(const struct cluster *c, const char *name)
{
	return strcmp(name, "cpu") != 0 && strcmp(name, "node") != 0 &&
	       cluster_find_tres(c, name) != ROW_NONE;
}

const char *pbs_word_refused(const struct cluster *c, const char *name)
{
	static const char *const numbers[] = {
		"eligible_time", "queue_priority", "job_priority", "fairshare_perc",
		"fair_share_perc", "fairshare_tree_usage", "fairshare_factor", "accrue_type",
		"cput", "mem", "walltime", "soft_walltime", "min_walltime", "max_walltime",
		"ncpus", "naccelerators", "nodect", "nchunk", "mpiprocs", "ompthreads",
		"cpupercent", "energy", "file", "pmem", "vmem", "pvmem", "nice", "pcput", "hpm",
		"ssinodes", "start_time", "accelerator_memory", "hbmem", "pcap_node",
		"pcap_accelerator", NULL
	};
	static const char *const texts[] = {
		"select", "place", "nodes", "arch", "vntype", "nodemask", "host", "vnode", "resc",
		"software", "site", "exec_vnode", "pe_mask", "partition", "aoe", "eoe",
		"preempt_targets", "accelerator", "accelerator_model", "accelerator_group",
		"pstate", "pgov", NULL
	};
	static const enum field lists[] = {
		F_JOB_RESOURCES, F_HOST_RESOURCES, F_QUEUE_RESOURCES_AVAILABLE,
		F_QUEUE_RESOURCES_DEFAULT, F_QUEUE_RESOURCES_MAX, F_QUEUE_RESOURCES_MIN,
		F_SERVER_RESOURCES_AVAILABLE, F_SERVER_RESOURCES_DEFAULT,
	};
	const char *value = NULL;

	if (word_in(numbers, name) || is_count(c, name))
		return NULL;
	for (size_t i = 0; !value && i < sizeof(lists) / sizeof(lists[0]); i++)
		value = pbs_words_value_in(c, lists[i], name);
	if (value && f64_known(pbs_amount(value)))
		return NULL;
	return value || word_in(texts, name) ? "a resource of an invalid type" :
					     "an invalid keyword";
}
