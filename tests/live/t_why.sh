# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_why.sh - jobs that are pending for one reason each, on a cluster of its own: `fairtop why` names
# the true reason, and its best suggestion lets the job start at the given time. The command is run
# as printed. If nothing that its owner may do helps, it must say so.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/populate.sh"
export LIVE_CLUSTERS="$LIVE_CLUSTERS starts audit why" LIVE_NODES=4 LIVE_CPUS=4

# sacctmgr_do WORDS...: ends the run if it fails
sacctmgr_do()
{
	sacctmgr -i -Q "$@" > "$LIVE_TMP/out" 2>&1 || die "sacctmgr $*: $(tail -n 1 "$LIVE_TMP/out")"
}

cluster_files why
cluster_register why
sacctmgr_do add qos solo
sacctmgr_do modify qos solo set maxjobsperuser=1
sacctmgr_do add account lab cluster=why
sacctmgr_do add account small cluster=why
sacctmgr_do add user daemon account=lab,small cluster=why
sacctmgr_do modify account small where cluster=why set grpjobs=1
sacctmgr_do modify user daemon where cluster=why set qos=normal,solo
cluster_up why

# Jobs that block others, by a limit of an account, one of a QOS, all licenses; n4 is drained.
blocks() { submit daemon "$1" normal -n 1 -t 20 "${@:2}" -- "exec tail -f /dev/null"; }
scontrol update nodename=n4 state=drain reason=test || die "n4 stays"
first=$(blocks small)
blocks lab --qos=solo > /dev/null
licenses=$(blocks lab -L ansys:5)
three_run() { [ "$(squeue -h -t R -o %i | wc -l)" = 3 ]; }
wait_for 120 three_run || die "the jobs that hold others do not begin: $(squeue -h)"
scontrol create reservation reservationname=later users=daemon nodes=n2 duration=60 \
    starttime=now+2hours > "$LIVE_TMP/out" 2>&1 || die "$(cat "$LIVE_TMP/out")"

# waits NAME ACCOUNT PARTITION ARGS...: submits a job; job[NAME] becomes its number
declare -A job
waits() { job[$1]=$(submit daemon "$2" "$3" "${@:4}" -- true); }
waits resources lab normal -n 12 -t 10
waits priority lab normal -n 2 -t 60
waits association small normal -n 1 -t 2
waits qos lab normal --qos=solo -n 1 -t 2
waits partition lab narrow -n 1 -t 60
waits dependency lab normal -n 1 -t 2 --dependency="afterok:$first"
waits license lab normal -n 1 -t 2 -L ansys:1
waits reservation lab normal -n 1 -t 2 --reservation=later
waits held lab normal -n 1 -t 2 -H
waits begin lab normal -n 1 -t 2 --begin=now+2hours
waits nodes lab normal -N 4 -n 4 -t 2

# reasons_are_there: does each have the scheduler's own reason, after a pass of backfill?
reasons_are_there() { [ -z "$(squeue -h -t PD -o %r | grep -x None)" ]; }
wait_for 120 reasons_are_there || say "a job is without a reason: $(squeue -h -t PD -o '%i %r')"

# ask NAME: writes the answer about its job to NAME.json
ask()
{
	run "$FAIRTOP" why slurm "${job[$1]}" --format json
	cp "$LIVE_TMP/out" "$LIVE_TMP/$1.json"
}

# why_of NAME REGEX: checks the reason that `fairtop why` gives
why_of()
{
	local said
	ask "$1"
	said=$(sed -n 's/.*"holds":\[\(.*\)\],"place".*/\1/p' "$LIVE_TMP/out" |
		grep -o '"text":"[^"]*"' | cut -d'"' -f4)
	if [ "$code" = 0 ] && grep -Eq "$2" <<< "$said"; then
		ok "why: $1: $(head -n 1 <<< "$said")"
	else
		not_ok "why: $1" "$said, $(squeue -h -j "${job[$1]}" -o %r)" "$LIVE_TMP/err" \
		    "$LIVE_TMP/out"
	fi
}
why_of resources '^resources: '
why_of priority '^priority: [0-9]+ jobs? .* in normal'
why_of association 'group limit: 1 of 1 job of /small'
why_of qos 'solo'
why_of partition '1 h, partition narrow allows 30 min'
why_of dependency "job $first has been running"
# The scheduler's own reason is Priority until its turn comes.
why_of license 'license ansys: 5 of 5 in use'
why_of reservation 'later'
why_of held 'held by its owner'
why_of begin 'before'
why_of nodes 'UnavailableNodes:n4'

# help NAME KEY: prints KEY of the best suggestion in NAME.json
help()
{
	sed -n 's/.*"helps":\[{\([^}]*\)}.*/\1/p' "$LIVE_TMP/$1.json" |
		sed -n "s/.*\"$2\":\"*\([^\",}]*\).*/\1/p"
}

runs() { [ -n "$(squeue -h -t R,CG,CD -j "$1" -o %i)" ]; }

# helps NAME WHAT: checks that WHAT is the best suggestion, runs its command, and checks the start
helps()
{
	local command start what true
	ask "$1"
	what=$(help "$1" what) command=$(help "$1" command) start=$(help "$1" start)
	if [ "$what" != "$2" ]; then
		not_ok "helps: $1" "\"$what\", expected \"$2\"" "$LIVE_TMP/$1.json"
		return
	fi
	bash -c "$command" > "$LIVE_TMP/command" 2>&1 || say "$command: $(cat "$LIVE_TMP/command")"
	wait_for 150 runs "${job[$1]}" || {
		not_ok "helps: $1" "$command: it does not begin" "$LIVE_TMP/command"
		return
	}
	true=$(date -d "$(squeue -h -t all -j "${job[$1]}" -o %S)" +%s)
	say "$1: $command: said $(date -d "@$start" +%T), began $(date -d "@$true" +%T)"
	[ "$((true - start))" -le 60 ] && ok "helps: $1" ||
		not_ok "helps: $1" "$command: $((true - start)) s later than said"
}
helps held hold
helps begin begin
helps dependency dependency
helps reservation reservation
helps partition time_limit
helps qos qos
helps association account
helps nodes nodes
helps priority time_limit

# Whatever its owner does, no license is free earlier.
ask license
free=$(date -d "$(squeue -h -j "$licenses" -o %e)" +%s)
start=$(sed -n 's/.*"latest":\([0-9]*\).*/\1/p' "$LIVE_TMP/license.json")
help=$(help license start)
[ "${start:-0}" -ge "$free" ] && [ "${help:-$start}" -ge "$free" ] && ok "starts: license" ||
	not_ok "starts: license" "$start, with help $help, free $free" "$LIVE_TMP/license.json"
exit 0
