/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files of a directory of saved outputs, and the commands that print them. */
#include <string.h>

#include "adapters/slurm/slurm_text.h"

#define TREE "the account tree, shares, usage, reported ratios"
#define JOBS "jobs"

const struct saved_file slurm_dir_files[] = {
	{ "sdiag.txt", SLURM_SDIAG, "sdiag", "the time, and the time zone of all other times" },
	{ "sprio_w.txt", SLURM_WEIGHTS, "sprio -w",
	  "the weights, if neither of the next two exists" },
	{ "slurm.conf", SLURM_CONF, "", "the policy, including words unknown to slurmctld" },
	{ "scontrol_config.txt", SLURM_CONFIG, "scontrol show config",
	  "the policy in effect, cluster name, version, start of slurmctld" },
	{ "sacctmgr_cluster.psv", SLURM_CLUSTER, "sacctmgr -P show cluster", "the cluster's name" },
	{ "sacctmgr_tres.psv", SLURM_TRES, "sacctmgr -P show tres", "TRES and their numbers" },
	{ "sacctmgr_qos.psv", SLURM_QOS, "sacctmgr -P show qos",
	  "QOS: priority, UsageFactor, limits, preemption" },
	{ "sacctmgr_user.psv", SLURM_USER, "sacctmgr -P show user", "users and default accounts" },
	{ "scontrol_assoc_mgr.txt", SLURM_ASSOC_MGR, "scontrol show assoc_mgr",
	  "the tree with ids, limits and their use, usage with decimals" },
	{ "sacctmgr_assoc.psv", SLURM_ASSOC,
	  "sacctmgr -P show assoc "
	  "format=cluster,account,user,partition,share,priority,parentname,parentid,id,lft,qos",
	  "the tree with ids and sibling order, limits" },
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
	  "more about the jobs" },
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
	{ .name = NULL },
};

const char *slurm_kind_file(enum slurm_kind kind)
{
	const struct saved_file *f = slurm_dir_files;

	while (f[1].name && f->kind != kind)
		f++;
	return f->name;
}

const char *slurm_dir_command(const char *name)
{
	for (const struct saved_file *f = slurm_dir_files; f->name; f++) {
		if (strcmp(name, f->name) == 0 && f->command[0])
			return f->command;
	}
	return "the command";
}
