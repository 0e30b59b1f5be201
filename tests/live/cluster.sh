# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# cluster.sh - one Slurm cluster of the run: slurm.conf, slurmctld and a few slurmd with fake
# CPUs, under $LIVE_DIR/NAME. Several stand side by side, each with a range of ports of its own,
# all served by the slurmdbd of site.sh. Needs lib.sh.
#
# The three that check-live.sh brings up differ in the algorithm and on purpose in damping,
# half-life and flags too:
#
#   depthobl   DEPTH_OBLIVIOUS,MAX_TRES           half-life  7 days, damping 1
#   classic    NO_FAIR_TREE,ACCRUE_ALWAYS         half-life  1 day,  damping 3
#   fairtree   (Fair Tree), SMALL_RELATIVE_TO_TIME half-life 14 days
#
# (scale is the one of tests/bench/slurm_accounts.sh, starts, audit and why
# those of t_starts.sh, t_audit.sh and t_why.sh.)
#
# When the numbers move: the decay pass runs once when slurmctld starts and then every
# PriorityCalcPeriod, whose minimum is a minute. Each pass ends by writing the file
# priority_last_decay_ran. After jobs have ended the classic kinds need one pass (they normalise
# accounts before they add usage). Depth-oblivious needs two, with every user evaluated (an
# `sshare -a` does it) in between, because a level's ratio includes users whose usage_norm is
# not a number before somebody asked for it.

LIVE_NODES=${LIVE_NODES:-2}
LIVE_CPUS=${LIVE_CPUS:-1000}
LIVE_JOB_AGE=${LIVE_JOB_AGE:-300}

# Which Slurm this is: 2011, 2205, 2411 ... Its releases differ in what the files may say.
LIVE_RELEASE=$(slurmctld -V | awk '{ split($NF, n, "."); print n[1] * 100 + n[2] }')

cluster_dir() { printf '%s\n' "$LIVE_DIR/$1"; }

# cluster_select NAME: all later commands talk to this cluster
cluster_select() { export SLURM_CONF=$LIVE_DIR/$1/etc/slurm.conf; }

# cluster_port NAME: the base of its port range: slurmctld, then one per slurmd
cluster_port()
{
	local i=1 name
	for name in $LIVE_CLUSTERS; do
		[ "$name" = "$1" ] && break
		i=$((i + 1))
	done
	printf '%s\n' $((LIVE_PORT + 20 * i))
}

# cluster_priority NAME: the lines in which the clusters differ
cluster_priority()
{
	case $1 in
	depthobl)
		printf '%s\n' PriorityFlags=DEPTH_OBLIVIOUS,MAX_TRES PriorityDecayHalfLife=7-0 ;;
	classic)
		printf '%s\n' PriorityFlags=NO_FAIR_TREE,ACCRUE_ALWAYS PriorityDecayHalfLife=1-0 \
		    FairShareDampeningFactor=3 ;;
	fairtree)
		printf '%s\n' PriorityFlags=SMALL_RELATIVE_TO_TIME PriorityDecayHalfLife=14-0 ;;
	scale)
		printf '%s\n' PriorityFlags=DEPTH_OBLIVIOUS PriorityDecayHalfLife=7-0 ;;
	starts | audit | why)
		printf '%s\n' PriorityDecayHalfLife=7-0 ;;
	*)
		die "no priority settings for a cluster named $1" ;;
	esac
}

# conf_head NAME DIR PORT: the beginning of each slurm.conf
conf_head()
{
	cat <<-CONF
	ClusterName=$1
	SlurmctldHost=$(hostname -s)(127.0.0.1)
	SlurmctldPort=$3
	SlurmUser=root
	SlurmdUser=root
	AuthType=auth/munge
	AuthInfo=socket=$LIVE_DIR/run/munge.sock
	CredType=cred/munge
	CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
	StateSaveLocation=$2/state
	SlurmdSpoolDir=$2/spool/%n
	SlurmctldPidFile=$2/run/slurmctld.pid
	MailProg=/bin/true
	ProctrackType=proctrack/pgid
	MpiDefault=none
	SelectType=select/cons_tres
	CONF
}

cluster_conf()
{
	local name=$1 dir=$LIVE_DIR/$1 port
	port=$(cluster_port "$name")
	conf_head "$name" "$dir" "$port"
	cat <<-CONF
	SlurmdPidFile=$dir/run/slurmd-%n.pid
	SlurmctldLogFile=$dir/log/slurmctld.log
	SlurmdLogFile=$dir/log/slurmd-%n.log
	SlurmctldDebug=info
	SlurmdDebug=error
	SlurmdParameters=config_overrides
	ReturnToService=2
	SlurmctldTimeout=120
	SlurmdTimeout=600
	MessageTimeout=5
	KillWait=1
	MinJobAge=$LIVE_JOB_AGE
	SchedulerType=sched/backfill
	SchedulerParameters=bf_interval=30,sched_interval=5,bf_continue
	SelectTypeParameters=CR_CPU_Memory
	PriorityType=priority/multifactor
	PriorityCalcPeriod=1
	PriorityMaxAge=0-02:00:00
	PriorityWeightAge=10000
	PriorityWeightFairshare=100000
	PriorityWeightJobSize=5000
	PriorityWeightPartition=8000
	PriorityWeightQOS=20000
	PriorityWeightAssoc=4000
	PriorityWeightTRES=CPU=2000,Mem=3000,GRES/gpu=1500
	AccountingStorageType=accounting_storage/slurmdbd
	AccountingStorageHost=127.0.0.1
	AccountingStoragePort=$LIVE_PORT
	AccountingStoragePass=$LIVE_DIR/run/munge.sock
	AccountingStorageEnforce=associations,limits,qos
	AccountingStorageTRES=gres/gpu,license/matlab
	GresTypes=gpu
	Licenses=matlab:20,ansys:5
	NodeName=n[1-$LIVE_NODES] NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=[$((port +
	    1))-$((port + LIVE_NODES))] CPUs=$LIVE_CPUS RealMemory=4000000 Gres=gpu:4
	PartitionName=DEFAULT State=UP MaxTime=7-0 DefaultTime=60 DefMemPerCPU=1000
	PartitionName=normal Default=YES Nodes=ALL PriorityJobFactor=10 PriorityTier=1
	PartitionName=high Nodes=n1 PriorityJobFactor=100 PriorityTier=3
	PartitionName=low Nodes=ALL PriorityJobFactor=0 PriorityTier=0
	PartitionName=bill Nodes=ALL PriorityJobFactor=37 PriorityTier=1 \\
	TRESBillingWeights="CPU=1.0,Mem=0.25G,GRES/gpu=20.0"
	PartitionName=narrow Nodes=ALL PriorityJobFactor=20 PriorityTier=1 MaxNodes=1 MaxTime=30
	PartitionName=capped Nodes=ALL PriorityJobFactor=5 PriorityTier=1 QOS=cap
	CONF
	[ "$LIVE_RELEASE" -ge 2305 ] || printf '%s\n' TaskPlugin=task/none \
	    JobAcctGatherType=jobacct_gather/none SwitchType=switch/none
	# Tokens for slurmrestd, where the plugin is installed.
	[ ! -e "$LIVE_DIR/etc/jwt.key" ] || printf '%s\n' AuthAltTypes=auth/jwt \
	    AuthAltParameters=jwt_key="$LIVE_DIR/etc/jwt.key"
	cluster_priority "$name"
	printf '%s' "${LIVE_EXTRA_CONF:-}"
}

# cluster_files NAME: directories and configuration, no daemon
cluster_files()
{
	local dir=$LIVE_DIR/$1 i
	mkdir -p "$dir"/{etc,run,log,state,spool,dev}
	for ((i = 0; i < 4; i++)); do
		: > "$dir/dev/gpu$i"
	done
	cluster_conf "$1" > "$dir/etc/slurm.conf"
	printf 'NodeName=n[1-%d] Name=gpu File=%s\n' "$LIVE_NODES" "$dir/dev/gpu[0-3]" \
	    > "$dir/etc/gres.conf"
	case $LIVE_RELEASE in
	20?? | 21??) : ;;
	22?? | 23??) echo CgroupPlugin=cgroup/v1 ;;
	*) echo CgroupPlugin=disabled ;;
	esac > "$dir/etc/cgroup.conf"
}

cluster_answers() { scontrol ping | grep -q 'is UP'; }

# slurmctld_start NAME, slurmctld_stop NAME, slurmctld_restart NAME
slurmctld_start()
{
	local dir=$LIVE_DIR/$1
	cluster_select "$1"
	rm -f "$dir/run/slurmctld.pid"
	slurmctld -f "$SLURM_CONF" > "$dir/log/slurmctld.start" 2>&1 ||
		no_daemon "slurmctld of $1: $(tail -n 1 "$dir/log/slurmctld.start")"
	wait_for 120 cluster_answers || no_daemon "slurmctld of $1 does not answer"
}

slurmctld_stop() { daemon_stop "$LIVE_DIR/$1/run/slurmctld.pid"; }
slurmctld_restart() { slurmctld_stop "$1" && slurmctld_start "$1"; }

# cluster_reconfigure NAME: makes its slurmctld read its files again and waits for an answer. Only
# on one cluster at a time, and not while sacctmgr runs: README, "Reconfigure".
cluster_reconfigure()
{
	cluster_select "$1"
	scontrol reconfigure || say "$1: reconfigure is slow"
	wait_for 60 cluster_answers || die "slurmctld of $1 came to a halt at reconfigure"
}

cluster_nodes_up()
{
	[ "$(sinfo -h -N -p normal -t idle,alloc,mix,resv -o %N | sort -u | wc -l)" -ge \
	    "$LIVE_NODES" ]
}

# cluster_register NAME: make slurmdbd know it (before its slurmctld starts)
cluster_register()
{
	cluster_select "$1"
	wait_for 120 sacctmgr -n show cluster || no_daemon "slurmdbd does not answer"
	sacctmgr -i -Q add cluster "$1" > /dev/null || die "sacctmgr add cluster $1"
}

# cluster_up NAME: starts the daemons; configured and known to the database before
cluster_up()
{
	local i dir=$LIVE_DIR/$1
	slurmctld_start "$1"
	for ((i = 1; i <= LIVE_NODES; i++)); do
		mkdir -p "$dir/spool/n$i"
		slurmd -N "n$i" -f "$SLURM_CONF" > "$dir/log/slurmd-n$i.start" 2>&1 ||
			no_daemon "slurmd n$i of $1: $(tail -n 1 "$dir/log/slurmd-n$i.start")"
	done
	wait_for 120 cluster_nodes_up || no_daemon "nodes of $1: $(sinfo -h -o '%N %T' | tr '\n' ';')"
}

# ---- passes and quiet --------------------------------------------------------------------

# cluster_tick NAME: the time of the last decay pass, with its fraction
cluster_tick() { stat -c %.Y "$LIVE_DIR/$1/state/priority_last_decay_ran" 2>/dev/null; }

# cluster_watch NAME: writes the start of each decay pass, in slurmctld's whole seconds, to the file
# passes; runs forever, in the background, from right after the start of slurmctld
cluster_watch()
{
	local file=$LIVE_DIR/$1/state/priority_last_decay_ran pass last=''
	while :; do
		pass=$(od -An -N8 -tu8 --endian=big "$file" 2>/dev/null)
		pass=${pass// /}
		if [ -n "$pass" ] && [ "$pass" != "$last" ]; then
			printf '%s\n' "$pass" >> "$LIVE_DIR/$1/passes"
			last=$pass
		fi
		sleep 0.5
	done
}

tick_changed() { [ "$(cluster_tick "$1")" != "$2" ]; }

# cluster_next_pass NAME [SECONDS]: wait for the next decay pass
cluster_next_pass()
{
	wait_for "${2:-240}" tick_changed "$1" "$(cluster_tick "$1")" ||
		die "no decay pass of $1 within ${2:-240} s"
}

# between_passes NAME COMMAND...: runs it, again if a pass came meanwhile, so that its last results
# are from between two passes
between_passes()
{
	local name=$1 tick i
	shift
	for i in 1 2 3 4 5; do
		tick=$(cluster_tick "$name")
		"$@"
		tick_changed "$name" "$tick" || return 0
		say "$name: a decay pass came in between ($i)"
	done
}

# cluster_idle: nothing runs or completes on the selected cluster
cluster_idle() { prints_nothing squeue -h -t R,CG,CF,S -o %i; }

# cluster_evaluate: have slurmctld evaluate every user of the selected cluster
cluster_evaluate() { sshare -a -l -P > /dev/null; }

# cluster_settle NAME: return when nothing runs and its figures follow from its usage. A file
# records that, so that a second caller does not wait again.
cluster_settle()
{
	local mark=$LIVE_DIR/$1/settled
	cluster_select "$1"
	[ -e "$mark" ] && return 0
	wait_for 180 cluster_idle || die "jobs of $1 do not end: $(squeue -h -t R,CG | head -n 3)"
	cluster_next_pass "$1"
	cluster_evaluate
	if [ "$1" = depthobl ]; then
		cluster_next_pass "$1"
		cluster_evaluate
	fi
	: > "$mark"
}

# cluster_resume NAME: the nodes take jobs again and pending jobs will run; no longer settled
cluster_resume()
{
	cluster_select "$1"
	rm -f "$LIVE_DIR/$1/settled"
	cluster_undrain
}

# 20.11 does not know ALL.
cluster_drain() { scontrol update "nodename=n[1-$LIVE_NODES]" state=drain reason=quiet; }
cluster_undrain() { scontrol update "nodename=n[1-$LIVE_NODES]" state=resume; }
