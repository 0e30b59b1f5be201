/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm:DIR: saved outputs of Slurm's commands.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "adapters/file.h"
#include "adapters/read_once.h"
#include "adapters/slurm/parse_conf.h"
#include "adapters/slurm/slurm_text.h"
#include "core/base/mem.h"

#define FILE_BYTES_MAX ((size_t)1 << 30)

#define TREE "the account tree, shares, usage, reported ratios"
#define JOBS "jobs"

const struct slurm_dir_file slurm_dir_files[] = {
	{ "sdiag.txt", SLURM_SDIAG, "sdiag", "the instant, and the time zone of all other times" },
	{ "slurm.conf", SLURM_CONF, "", "the policy, words that slurmctld does not know included" },
	{ "scontrol_config.txt", SLURM_CONFIG, "scontrol show config",
	  "the policy in force, cluster name, version, start of slurmctld" },
	{ "sacctmgr_cluster.psv", SLURM_CLUSTER, "sacctmgr -P show cluster", "the cluster's name" },
	{ "sacctmgr_tres.psv", SLURM_TRES, "sacctmgr -P show tres", "TRES and their numbers" },
	{ "sacctmgr_qos.psv", SLURM_QOS, "sacctmgr -P show qos",
	  "QOS: priority, UsageFactor, limits, preemption" },
	{ "sacctmgr_user.psv", SLURM_USER, "sacctmgr -P show user", "users and default accounts" },
	{ "scontrol_assoc_mgr.txt", SLURM_ASSOC_MGR, "scontrol show assoc_mgr",
	  "the tree with numbers, limits and what is used of them, usage with decimals" },
	{ "sacctmgr_assoc.psv", SLURM_ASSOC,
	  "sacctmgr -P show assoc "
	  "format=cluster,account,user,partition,share,priority,parentname,parentid,id,lft,qos",
	  "the tree with numbers and sibling order, limits" },
	{ "sacctmgr_assoc_tree.psv", SLURM_ASSOC, "sacctmgr -P show assoc tree",
	  "the tree by its indentation, limits" },
	{ "sacctmgr_dump.cfg", SLURM_DUMP, "sacctmgr dump CLUSTER file=sacctmgr_dump.cfg",
	  "the tree and its shares" },
	{ "sshare_all_fields.psv", SLURM_SSHARE,
	  "sshare -a -P -o Account,User,Partition,ID,RawShares,NormShares,RawUsage,NormUsage,"
	  "EffectvUsage,FairShare,LevelFS,GrpTRESMins,GrpTRESRaw,TRESRunMins", TREE },
	{ "sshare_a_l.psv", SLURM_SSHARE, "sshare -a -l -P", TREE },
	{ "sshare.psv", SLURM_SSHARE, "sshare -a -l -m -P", TREE },
	{ "sshare_a_l.txt", SLURM_SSHARE, "sshare -a -l", TREE },
	{ "sshare.txt", SLURM_SSHARE, "sshare -a -l -m", TREE },
	{ "sshare_wide.txt", SLURM_SSHARE, "sshare -a -l -o Account%60,...", TREE },
	{ "sshare_plain.txt", SLURM_SSHARE, "sshare", TREE },
	{ "sshare.json", SLURM_SSHARE_JSON, "sshare -a -m --json",
	  "the same with all digits (then no table of sshare is read)" },
	{ "scontrol_partition.txt", SLURM_PARTITION, "scontrol -a show partition", "partitions" },
	{ "scontrol_nodes.txt", SLURM_NODE, "scontrol show node", "nodes, TRES totals" },
	{ "scontrol_node.txt", SLURM_NODE, "scontrol show node", "the same" },
	{ "scontrol_reservation.txt", SLURM_RESERVATION, "scontrol show reservation",
	  "reservations" },
	{ "scontrol_licenses.txt", SLURM_LICENSE, "scontrol show license", "licenses" },
	{ "squeue.psv", SLURM_SQUEUE,
	  "squeue -a -o '%i|%A|%F|%K|%P|%u|%a|%q|%T|%Q|%r|%C|%D|%l|%S|%V|%e|%N|%j'", JOBS },
	{ "squeue.txt", SLURM_SQUEUE, "squeue", JOBS },
	{ "squeue_plain.txt", SLURM_SQUEUE, "squeue", JOBS },
	{ "squeue_O.psv", SLURM_SQUEUE_LONG,
	  "squeue -a -O 'JobID:20|,ArrayJobID:20|,EligibleTime:22|,AccrueTime:22|,tres-alloc:120|'",
	  "more of the jobs" },
	{ "scontrol_jobs.txt", SLURM_JOB, "scontrol -a show job",
	  "jobs with times, TRES and reasons (then no table of squeue is read)" },
	{ "scontrol_job.txt", SLURM_JOB, "scontrol -a -d show job",
	  "the same, with the CPUs of a job on each of its nodes" },
	{ "squeue.json", SLURM_SQUEUE_JSON, "squeue -a -t all --json",
	  "the same with Unix times and associations" },
	{ "sprio_weighted.psv", SLURM_SPRIO,
	  "sprio -o '%i|%r|%n|%u|%Y|%S|%A|%B|%F|%J|%P|%Q|%N|%T'", "priority terms" },
	{ "sprio_l.txt", SLURM_SPRIO, "sprio -l", "priority terms" },
	{ "sprio.txt", SLURM_SPRIO, "sprio -l", "priority terms" },
	{ "sprio_norm.psv", SLURM_SPRIO_NORM, "sprio -o '%i|%r|%n|%y|%a|%b|%f|%j|%p|%q|%t'",
	  "priority factors with seven decimals, which refine the terms" },
	{ "sprio_n_l.txt", SLURM_SPRIO_NORM, "sprio -n -l", "the same" },
};
const size_t slurm_dir_files_count = sizeof(slurm_dir_files) / sizeof(slurm_dir_files[0]);

static bool exists(const char *dir, const char *name)
{
	char path[4096];
	struct stat st;

	return snprintf(path, sizeof(path), "%s/%s", dir, name) < (int)sizeof(path) &&
	       stat(path, &st) == 0;
}

static bool read_one(const char *dir, const struct slurm_dir_file *file, struct slurm_texts *texts,
		     struct err *err)
{
	struct slurm_text *text = &texts->kind[file->kind];
	char path[4096];
	struct stat st;

	if (snprintf(path, sizeof(path), "%s/%s", dir, file->name) >= (int)sizeof(path))
		return err_set(err, ERR_INPUT, "%.300s: name too long", dir);
	text->text = file_read(path, FILE_BYTES_MAX, &text->length, err);
	text->name = file->name;
	if (!text->text)
		return false;
	/* Nothing better tells when the outputs were taken: the youngest file. */
	if (stat(path, &st) == 0 && (int64_t)st.st_mtime > texts->time)
		texts->time = (int64_t)st.st_mtime;
	return true;
}

static bool read_files(const char *dir, struct slurm_texts *texts, struct err *err)
{
	for (size_t i = 0; i < slurm_dir_files_count; i++) {
		const struct slurm_dir_file *file = &slurm_dir_files[i];

		if (!texts->kind[file->kind].text && exists(dir, file->name) &&
		    !read_one(dir, file, texts, err))
			return false;
	}
	return true;
}

static bool read_outputs(const char *path, struct builder *b, struct err *err)
{
	struct slurm_texts texts = { .time = I64_UNKNOWN, .from = "saved outputs",
				     .writable = true, .whole = true };
	bool good = read_files(path, &texts, err);

	if (good && !slurm_text_build(&texts, b, err)) {
		err_in_directory(err, path);
		good = false;
	}
	for (int i = 0; i < SLURM_KINDS; i++)
		mem_free((char *)(uintptr_t)texts.kind[i].text);
	return good;
}

struct source *slurm_dir_open(const char *dir, struct err *err)
{
	bool any = false;
	struct stat st;

	if (stat(dir, &st) < 0) {
		err_set(err, ERR_INPUT, "%.300s: %s", dir, strerror(errno));
		return NULL;
	}
	for (size_t i = 0; i < slurm_dir_files_count && !any; i++)
		any = exists(dir, slurm_dir_files[i].name);
	if (!any) {
		err_set(err, ERR_INPUT,
			"%.300s: no saved output of Slurm's commands (expected files like "
			"sshare.txt, sprio.txt, squeue.txt, scontrol_config.txt; "
			"fairtop-source(5) lists all)", dir);
		return NULL;
	}
	return read_once_open("slurm", dir, "saved outputs", read_outputs);
}
