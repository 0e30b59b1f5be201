# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# populate.sh - fill a cluster: QOS, the association tree of tree.psv, jobs that leave usage
# behind, a mix of pending jobs, a reservation. The same on every cluster and in every run, as
# far as the scheduler allows. Needs lib.sh and cluster.sh.

LIVE_TREE=${LIVE_TREE:-$LIVE_HOME/tree.psv}

# populate_qos: the QOS are in the database, so this is done once for all clusters
populate_qos()
{
	local name priority factor limits
	while read -r name priority factor; do
		[ "$name" = normal ] || sacctmgr -i -Q add qos "$name" > /dev/null
		sacctmgr -i -Q modify qos "$name" set priority="$priority" \
		    usagefactor="$factor" > /dev/null || die "qos $name"
	done <<-LIST
	normal 0 1.0
	high 1000 2.0
	low 10 0.5
	free 1 0.0
	tight 5 1.0
	cap 0 1.0
	LIST
	while read -r name limits; do
		# shellcheck disable=SC2086 # a list of settings
		sacctmgr -i -Q modify qos "$name" set $limits > /dev/null || die "qos $name"
	done <<-LIST
	high preempt=low,free
	tight grptres=cpu=4 maxwall=2:00:00
	cap grptres=cpu=2
	LIST
}

# tree_load_file CLUSTER: the tree in the format of `sacctmgr load`. The lines of one parent need
# not be together there, but an account must be made before it is a Parent.
tree_load_file()
{
	printf "Cluster - '%s':Fairshare=1\n" "$1"
	printf "Parent - 'root'\nUser - 'root':DefaultAccount='root'"
	printf ":AdminLevel='Administrator':Fairshare=1\n"
	sed '/^#/d' "$LIVE_TREE" | while IFS= read -r line; do printf '%b\n' "$line"; done |
	awk -F'|' '{
		extra = ""
		for (i = 5; i <= NF; i++)
			extra = extra ":" $i
		if ($3 != parent)
			printf "Parent - \047%s\047\n", parent = $3
		if ($1 == "A")
			printf "Account - \047%s\047:Description=\047%s\047:Organization=\047live\047" \
			    ":Fairshare=%s%s\n", $2, $2, $4, extra
		else
			printf "User - \047%s\047:DefaultAccount=\047%s\047:Fairshare=%s%s\n", \
			    $2, $3, $4, extra
	}'
}

# populate_tree NAME: load the tree before slurmctld starts, so that one start reads all of it
populate_tree()
{
	local file=$LIVE_DIR/$1/etc/tree.load log=$LIVE_DIR/$1/log/tree.load
	cluster_select "$1"
	tree_load_file "$1" > "$file"
	sacctmgr -i load file="$file" > "$log" 2>&1 || die "sacctmgr load: $(tail -n 1 "$log")"
	sacctmgr -i -Q modify cluster "$1" set qos=normal,high,low,free,tight > /dev/null ||
		die "sacctmgr modify cluster $1"
}

# submit USER ACCOUNT PARTITION ARGS... -- COMMAND: root submits for USER
submit()
{
	local user=$1 account=$2 partition=$3 args=()
	shift 3
	while [ "$1" != -- ]; do
		args+=("$1")
		shift
	done
	shift
	sbatch --parsable --uid="$(id -u "$user")" --gid="$(id -g "$user")" -D / -o /dev/null \
	    -A "$account" -p "$partition" "${args[@]}" --wrap "$*" |
		cut -d';' -f1
}

# populate_usage NAME: short jobs of very different size; about a third of the users have none. All
# fit on the nodes at once, so that they end soon. How many seconds each runs depends on the
# machine. The CPUs are chosen so that only tie_a and tie_b can get equal usage: two sums that
# differ in the last bit of slurmctld's long double tie in everything it reports.
populate_usage()
{
	cluster_select "$1"
	while read -r user account partition cpus qos secs; do
		submit "$user" "${account//+/ }" "$partition" -n "$cpus" -q "$qos" -t 5 \
		    --mem-per-cpu=100 -- "exec sleep $secs" > /dev/null ||
			say "$1: job of $user in $account refused"
	done <<-JOBS
	daemon atlas_mc normal 7 normal 3
	bin atlas_mc normal 64 normal 5
	sys atlas_mc low 3 low 2
	games gen_a normal 120 normal 7
	man gen_b normal 11 normal 3
	daemon atlas_ana bill 40 high 4
	lp atlas_ana normal 1 normal 2
	mail cms normal 222 normal 6
	news cms bill 13 normal 4
	daemon cms high 17 high 5
	bin cms high 5 normal 3
	bin cms bill 9 normal 3
	www-data astro normal 150 normal 8
	backup condmat normal 2 normal 2
	daemon physics normal 33 normal 3
	irc seq low 90 low 5
	news asm normal 21 normal 4
	daemon proteomics normal 31 normal 3
	uucp biology normal 1 free 4
	proxy cfd normal 55 high 5
	backup cfd_les bill 19 normal 3
	list fem_auto normal 77 normal 6
	bin fem_aero normal 6 normal 3
	games tie_a normal 10 normal 3
	irc tie_b normal 10 normal 3
	games cs101 normal 7 normal 2
	man cs101 low 46 low 3
	man cs102 normal 31 normal 2
	list guests normal 8 normal 4
	news visitors_b normal 4 normal 3
	mail root normal 2 normal 2
	daemon a+b normal 25 normal 4
	bin 50%/50% normal 14 normal 3
	JOBS
}

# populate_gpu_usage NAME: usage of other TRES, which partition bill weighs
populate_gpu_usage()
{
	cluster_select "$1"
	submit uucp cms bill -N 1 -n 4 --gres=gpu:2 --mem=64G -- "exec sleep 3" > /dev/null
	submit mail asm normal -N 1 -n 2 --gres=gpu:1 -L matlab:2 -- "exec sleep 4" > /dev/null
}

nothing_waits() { prints_nothing squeue -h -t PD -o %i; }

# populate_waiting NAME: drains the nodes, then submits jobs that are pending for many reasons
populate_waiting()
{
	local job
	cluster_select "$1"
	wait_for 120 nothing_waits || die "$1: $(squeue -h -t PD | head -n 1) does not start"
	cluster_drain
	scontrol -Q create reservation ReservationName=later StartTime=now+5hours Duration=120 \
	    Nodes=n1 Users=mail,root PartitionName=normal Flags=IGNORE_JOBS > /dev/null ||
		say "$1: no reservation"
	job=$(submit daemon atlas_mc normal -n 100 -t 10 -- "exec sleep 150")
	submit bin atlas_mc normal -n 3 -t 60 --dependency=afterok:"$job" -- "exec sleep 150"
	submit mail cms normal -n 50 -t 30 --reservation=later --nice=17 -- "exec sleep 150"
	submit news cms normal -n 8 -t 100 --nice=500 -- "exec sleep 150"
	submit daemon cms high -n 2 -t 10 -q high -- "exec sleep 150"
	submit games gen_a normal,low -n 700 -t 1440 -- "exec sleep 150"
	submit man cs101 low -n 4 -t 10 -q low --array=0-7 -- "exec sleep 150"
	submit irc seq normal -n 1 -t 10 -H -- "exec sleep 150"
	submit irc seq normal -n 1 -t 10 --begin=now+3hours -- "exec sleep 150"
	submit proxy cfd bill -N 1 -n 4 -t 60 --gres=gpu:3 -- "exec sleep 150"
	submit list fem_auto normal -n 2 -t 60 -L matlab:3 -- "exec sleep 150"
	submit www-data astro normal -N 2 --exclusive -t 4000 -- "exec sleep 150"
	submit sys "x:y@z" normal -n 5 -t 10 -- "exec sleep 150"
	job=$(submit lp atlas_ana normal -n 9 -t 10 -- "exec sleep 150")
	scontrol update job="$job" SiteFactor=777
	job=$(submit uucp biology normal -n 9 -t 10 -- "exec sleep 150")
	scontrol update job="$job" priority=4242
} > /dev/null

# kind USER ACCOUNT PARTITION ARGS...: submits one more pending job, with a job name of its own
kind() { submit "$@" -J kind -- "exec sleep 150"; }

# populate_kinds NAME: together with populate_waiting more than 60 pending jobs, for t_jobs.sh:
# every kind that has its own rule
populate_kinds()
{
	local job i
	cluster_select "$1"
	# plain jobs that differ in size, time, QOS, nice
	for i in 1 2 3 4 5 6 7 8; do
		kind daemon physics normal -n $((i * i)) -t $((i * 20)) --nice=$((i * 3 - 12))
		kind mail cms normal -n "$i" -t 60 --mem-per-cpu=$((i * 300))
	done
	kind news asm normal -N 2 -n 2 -t 30
	kind bin cms bill -n 12 -t 45 --mem-per-cpu=2500
	kind list fem_auto normal -n 3 -t 15 --nice=2147483645
	kind daemon cms high -n 1 -t 20 -q high --nice=-7000
	# held by their owner, and by an administrator
	kind games cs101 normal -n 1 -t 10 -H
	job=$(kind man cs101 normal -n 2 -t 10)
	scontrol hold "$job"
	job=$(kind man cs102 normal -n 2 -t 10 -H)
	scontrol release "$job"
	# not yet: begin, dependencies, one that can no longer be fulfilled, singletons
	kind irc tie_b normal -n 1 -t 10 --begin=now+2hours
	kind irc tie_b normal -n 1 -t 10 --begin=now+3days --nice=5
	job=$(kind uucp biology normal -n 1 -t 10)
	kind uucp biology normal -n 1 -t 10 --dependency=afterok:"$job"
	kind uucp biology normal -n 1 -t 10 --dependency=afterany:"$job"
	kind uucp biology normal -n 1 -t 10 --dependency=afternotok:"$job"?afterany:"$job"
	kind backup guests normal -n 1 -t 10 --dependency=singleton
	kind backup guests normal -n 1 -t 10 --dependency=singleton
	# arrays
	kind list guests normal -n 1 -t 10 --array=0-15
	kind news visitors_b normal -n 2 -t 10 --array=1,5,9-40:7%2
	kind sys fem_aero normal,low -n 1 -t 10 --array=2-3
	# several partitions
	kind bin engineering normal,low -n 4 -t 10
	kind bin engineering low,bill,normal -n 4 -t 10 --nice=11
	kind proxy cfd bill,normal -n 1 -t 10 --gres=gpu:2
	# priorities that are not computed
	job=$(kind backup condmat normal -n 1 -t 10)
	scontrol update job="$job" priority=77777
	job=$(kind list condmat normal -n 1 -t 10)
	scontrol update job="$job" priority=1	# as sprio prints it, the least there is
	job=$(kind backup condmat normal -n 3 -t 10)
	scontrol update job="$job" SiteFactor=-250
	# beyond a limit of the partition, of nodes and of time
	kind irc seq narrow -N 2 -n 2 -t 10
	kind irc seq narrow -n 1 -t 120
	kind irc seq narrow -n 1 -t 5
	# beyond a limit of a QOS, and of the QOS of a partition
	kind games cs102 normal -n 8 -t 10 -q tight
	kind games cs102 normal -n 2 -t 240 -q tight
	kind games cs102 normal -n 1 -t 10 -q tight
	kind man cs102 capped -n 4 -t 10
	# a reservation that has not begun, licences, the whole node
	kind mail cms normal -n 5 -t 10 --reservation=later
	kind list fem_auto normal -n 1 -t 10 -L ansys:2,matlab:5
	kind proxy fem normal -N 1 --exclusive -t 10
	# those that may preempt, and those that may be preempted (where it is on)
	kind daemon atlas_mc normal -n 6 -t 10 -q high
	kind daemon atlas_mc normal -n 6 -t 10 -q low
	kind games gen_a normal -n 6 -t 10 -q free --nice=-5000
} > /dev/null

# populate_jobs NAME: submits all of these, on a running cluster
populate_jobs()
{
	populate_usage "$1"
	populate_gpu_usage "$1"
	populate_waiting "$1"
}
