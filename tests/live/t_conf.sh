# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_conf.sh CLUSTER - how slurmctld reads lines of slurm.conf: it reads each line that
# `whatif --export slurm` writes as the value that `policy --set` shows, and what-if refuses what it
# refuses. For each line a separate slurmctld is started, without accounting and without nodes that
# answer.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
work=$LIVE_DIR/$name/conf
port=$(($(cluster_port "$name") + 10))
mkdir -p "$work"
: > "$work/seen"
cluster_select "$name"
own=$work/slurm.conf

# read_alone LINE: does a slurmctld start with it? If so, $work/config is its configuration.
read_alone()
{
	local pid answer=1
	rm -rf "$work/state"
	mkdir -p "$work/state" "$work/run"
	conf_head alone "$work" "$port" > "$own"
	cat >> "$own" <<-CONF
	NodeName=alone NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=8
	CONF
	case $1 in PartitionName=*) ;; *) echo "PartitionName=p Nodes=ALL" >> "$own" ;; esac
	case $1 in PriorityType=*) ;; *) echo "PriorityType=priority/multifactor" >> "$own" ;; esac
	printf '%s\n' "$1" | tr ';' '\n' >> "$own"
	cp "$LIVE_DIR/$name/etc/cgroup.conf" "$work"
	SLURM_CONF=$own slurmctld -D -c -f "$own" > "$work/log" 2>&1 &
	pid=$!
	wait_for 60 decided "$pid"
	if kill -0 "$pid" 2>/dev/null; then
		SLURM_CONF=$own scontrol show config > "$work/config" && answer=0
		kill "$pid"
	fi
	wait "$pid" 2>/dev/null
	# 24.11.5 has read all when it crashes on these flags, as there is no accounting here.
	[ $? -ne 139 ] || ! grep -q 'Running as primary controller' "$work/log" || answer=0
	return $answer
}

# decided PID: has it ended, or does it answer?
decided() { ! kill -0 "$1" 2>/dev/null || SLURM_CONF=$own scontrol ping | grep -q 'is UP'; }

# exported EDIT...: checks that slurmctld reads each exported line as the value that fairtop shows
exported()
{
	local key value line told reading edit sets=()
	for edit; do sets+=(--set "$edit"); done
	run "$FAIRTOP" whatif slurm "${sets[@]}" --export slurm
	[ "$code" = 0 ] || { not_ok "$name $*" "not exported" "$LIVE_TMP/err"; return; }
	sed -n 's/^#   \([A-Z][A-Za-z]*=.*\)/\1/p' "$LIVE_TMP/out" > "$work/lines"
	cut -d= -f1 "$work/lines" >> "$work/seen"
	line=$(paste -sd ';' "$work/lines")
	[ -n "$line" ] || return 0	# it is so already, or the line goes
	read_alone "$line" || {
		not_ok "$name slurmctld reads $line" "refused" "$work/log"; return; }
	while IFS='=' read -r key value; do
		[ "$key" != PriorityFlags ] || continue		# it has NO_FAIR_TREE added
		run "$FAIRTOP" policy slurm "${sets[@]}" --format csv --filter "name=$key" \
		    --columns what_if
		told=$(sed -n 's/"//g; 2p' "$LIVE_TMP/out")
		reading=$(sed -n "s/^$key *= //Ip" "$work/config")
		same "$told" "$reading" || {
			not_ok "$name $key=$value" "told $told, read as $reading"; return; }
	done < "$work/lines"
	ok "$name slurmctld reads $line"
}

# same TOLD READ: are they the same value? fairtop (TOLD) gives durations in seconds
same()
{
	local days rest
	[ "$(echo "$1" | tr '[:upper:]' '[:lower:]')" = "$(echo "$2" | tr '[:upper:]' '[:lower:]')" ] &&
		return 0
	# slurmctld adds values that are always set, and units.
	case $2 in *,"$1" | "$1 sec" | "$1 min") return 0 ;; esac
	case $1,$2 in true,[Yy]es | 1,[Yy]es | false,[Nn]o | 0,[Nn]o) return 0 ;; esac
	days=0 rest=$2
	case $2 in *-*) days=${2%%-*} rest=${2#*-} ;; esac
	[ "$1" = "$(echo "$days:$rest" |
		awk -F: 'NF == 4 { print (($1 * 24 + $2) * 60 + $3) * 60 + $4 }')" ]
}

# both_refuse LINE [EDIT...]: slurmctld does not start with LINE, and what-if refuses each EDIT
both_refuse()
{
	local line=$1 edit
	shift
	read_alone "$line" && { not_ok "$name slurmctld refuses $line" "it reads it"; return; }
	for edit; do
		run "$FAIRTOP" whatif slurm --set "$edit"
		[ "$code" = 2 ] || { not_ok "$name $edit is refused" "exit $code"; return; }
	done
	ok "$name both refuse $line"
}

for edit in weight.age=4294967293 weight.assoc=1 weight.fairshare=70% weight.jobsize=0 \
    weight.partition=77 weight.qos=12345678 weight.tres=CPU=1K,Mem=0.25G weight.tres= \
    flags= flags=ACCRUE_ALWAYS flags=CALCULATE_RUNNING flags=DEPTH_OBLIVIOUS flags=NO_FAIR_TREE \
    flags=INCR_ONLY flags=MAX_TRES flags=NO_NORMAL_ALL flags=NO_NORMAL_ASSOC,NO_NORMAL_PART \
    flags=NO_NORMAL_QOS,NO_NORMAL_TRES flags=SMALL_RELATIVE_TO_TIME algorithm=classic \
    algorithm=depth-oblivious half_life=6h half_life=14-0 half_life=30d half_life=1m \
    max_age=0 max_age=3h max_age=100-0 damping=1 damping=65533 calc_period=1 calc_period=1d \
    reset_period=NONE reset_period=now reset_period=DAILY reset_period=WEEKLY \
    reset_period=MONTHLY reset_period=QUARTERLY reset_period=YEARLY favor_small=yes \
    favor_small=no PriorityType=priority/basic PriorityType=priority/multifactor; do
	exported "$edit"
done
exported half_life=0 reset_period=MONTHLY
exported PreemptType=preempt/partition_prio PreemptMode=REQUEUE EnforcePartLimits=ALL \
    PrivateData=jobs,usage \
    SchedulerType=sched/builtin SchedulerParameters=bf_interval=60,bf_window=2880 \
    MessageTimeout=20 MinJobAge=60 SelectType=select/linear SelectTypeParameters=CR_MEMORY \
    KillWait=60 CompleteWait=10 OverTimeLimit=5
exported AccountingStorageType=accounting_storage/none
run "$FAIRTOP" policy slurm --format csv --columns name
# Not covered: values that are no line of their own, parameters of a site's own plugin, and two that
# need a slurmdbd, which the clusters of this ring have (cluster.sh).
unseen=$(sed 1d "$LIVE_TMP/out" | grep '[a-z]' | grep -vxF -f "$work/seen" |
	grep -vxE 'NextUsageReset|AccountingStorage(Enforce|TRES)|Priority(SiteFactor.*|Parameters)' |
	paste -sd ' ')
if [ -z "$unseen" ]; then
	ok "$name every parameter was read"
else
	not_ok "$name every parameter was read" "not tried: $unseen"
fi
run "$FAIRTOP" whatif slurm --set partition:normal.job_factor=65533 --set partition:normal.tier=65533 \
    --set partition:normal.billing_weights=CPU=1.0,Mem=0.25G --export slurm
line=$(sed -n 's/.*line of slurm.conf: //p' "$LIVE_TMP/out" | paste -sd ' ')
if read_alone "PartitionName=normal Nodes=ALL $line"; then
	ok "$name slurmctld reads $line"
else
	not_ok "$name slurmctld reads $line" "refused" "$work/log"
fi

both_refuse PriorityDecayHalfLife=0 half_life=0
both_refuse PriorityDecayHalfLife=7d
both_refuse PriorityDecayHalfLife=3000000000 half_life=3000000000
both_refuse PriorityUsageResetPeriod=HOURLY reset_period=HOURLY PriorityUsageResetPeriod=HOURLY
both_refuse PriorityUsageResetPeriod=DAILYX reset_period=DAILYX
both_refuse PriorityCalcPeriod=0 calc_period=0 calc_period=0s
both_refuse PriorityCalcPeriod=UNLIMITED calc_period=UNLIMITED
both_refuse PriorityMaxAge=x max_age=x
both_refuse PriorityFavorSmall=maybe favor_small=maybe
both_refuse FairShareDampeningFactor=65536 damping=65536
both_refuse PriorityType=priority/foo PriorityType=priority/foo
both_refuse SelectType=select/foo SelectType=select/foo
both_refuse KillWait=65536 KillWait=65536
both_refuse PriorityWeightTRES=CPU weight.tres=CPU
both_refuse PriorityWeightTRES=foo=1 weight.tres=foo=1
both_refuse PriorityWeightTRES=gres/foo=1 weight.tres=gres/foo=1
both_refuse PriorityWeightTRES=CPU=1X weight.tres=CPU=1X
for weight in Age Assoc Fairshare JobSize Partition QOS; do
	short=weight.$(echo $weight | tr '[:upper:]' '[:lower:]')
	both_refuse PriorityWeight$weight=4294967296 "$short=4294967296"
	both_refuse PriorityWeight$weight=-1 "$short=-1"
	both_refuse PriorityWeight$weight=1.5 "$short=1.5"
done
both_refuse "PartitionName=normal Nodes=ALL PriorityJobFactor=65536" \
    partition:normal.job_factor=65536
both_refuse "PartitionName=normal Nodes=ALL PriorityTier=65536" partition:normal.tier=65536
both_refuse "PartitionName=normal Nodes=ALL TRESBillingWeights=foo=1" \
    partition:normal.billing_weights=foo=1
both_refuse "PartitionName=normal Nodes=ALL TRESBillingWeights=CPU" \
    partition:normal.billing_weights=CPU
exit 0
