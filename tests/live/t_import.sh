# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_import.sh CLUSTER - the log of the run instead of the scheduler. sacct's jobs, sacctmgr's tree
# and QOS, scontrol's partitions and the times of the decay passes since slurmctld started are
# imported. With nothing running, the usage of every association is slurmctld's, to 1e-9 and the
# six decimals that it reports.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
cluster_select "$name"
[ -x "$FAIRTOP_LIBEXEC/fairtop-slurm" ] || {
	say "$name: usage is known to whole seconds only without the helper"
	exit 0
}

half_life=$(cluster_priority "$name" | sed -n 's/.*PriorityDecayHalfLife=//p')
sacctmgr -i dump "$name" file="$LIVE_TMP/tree" > /dev/null 2>&1
sacctmgr -P show qos > "$LIVE_TMP/qos"
scontrol show partition > "$LIVE_TMP/partitions"

# slurmdbd learns of the end of a job with a delay.
nothing_open() { prints_nothing sacct -a -X -n -S 2000-01-01 -s R -M "$name" -o JobID; }
wait_for 60 nothing_open || say "$name: sacct has jobs that still run"

# usage FILE: path and usage of every association; commas inside names would split columns
usage()
{
	"$FAIRTOP" accounts "$1" --format csv --columns path,usage 2> /dev/null |
		sed '1d; /^"/d' | sort
}

# Between two passes, so that tree, jobs and usage belong together.
take()
{
	cp "$LIVE_DIR/$name/passes" "$LIVE_TMP/passes"
	"$FAIRTOP" snapshot slurm > "$LIVE_TMP/snapshot"
	usage "$LIVE_TMP/snapshot" > "$LIVE_TMP/theirs"
	sacct -a -P -D -S 2000-01-01 -M "$name" -o JobID,JobIDRaw,Cluster,Account,User,Partition,\
QOS,State,Submit,Eligible,Start,End,ElapsedRaw,AllocTRES,ReqTRES,AllocCPUS,NNodes,TimelimitRaw,\
JobName > "$LIVE_TMP/sacct"
	cmp -s "$LIVE_DIR/$name/passes" "$LIVE_TMP/passes"
}
take || take

# import NAME OPTION...: writes the imported usage to the file ours
import()
{
	local what=$1 file=$LIVE_TMP/import.recording
	shift
	expect_exit "$name import sacct, $what" 0 "$FAIRTOP" import sacct "$LIVE_TMP/sacct" \
	    --tree "$LIVE_TMP/tree" --qos "$LIVE_TMP/qos" --partitions "$LIVE_TMP/partitions" \
	    --half-life "$half_life" -o "$file" "$@" || return
	usage "$file" > "$LIVE_TMP/ours"
}

# close_to RELATIVE ABSOLUTE: checks that all associations are there and close; prints the worst
close_to()
{
	join -t , "$LIVE_TMP/ours" "$LIVE_TMP/theirs" | awk -F, -v rel="$1" -v abs="$2" '
		{
			off = $2 > $3 ? $2 - $3 : $3 - $2
			n++
			used += $3 > 0
			if ($3 > 0 && off / $3 > worst)
				worst = off / $3
			if (off > rel * $3 + abs)
				print "differs:", $0
		}
		END { print n, "associations,", used, "with usage, worst", worst }' > "$LIVE_TMP/close"
	say "$name: $(tail -n 1 "$LIVE_TMP/close")"
	[ "$(wc -l < "$LIVE_TMP/ours")" -eq "$(wc -l < "$LIVE_TMP/theirs")" ] &&
		[ "$(wc -l < "$LIVE_TMP/close")" -eq 1 ] &&
		[ "$(awk '{ print ($3 > 20) }' "$LIVE_TMP/close")" -eq 1 ]
}

say "$name: $(wc -l < "$LIVE_TMP/passes") passes, $(wc -l < "$LIVE_TMP/sacct") lines of sacct"
import "the passes given" --passes "$LIVE_TMP/passes" || exit 0
if close_to 1e-9 2e-6; then
	ok "$name imported usage is slurmctld's to 1e-9"
else
	not_ok "$name imported usage is slurmctld's to 1e-9" "it is not" "$LIVE_TMP/close"
fi
exit 0
