# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_jobs.sh CLUSTER - more than 60 pending jobs of every kind: held by their owner and by an
# administrator, begin in the future, dependent, arrays, several partitions, nice, set directly,
# site factor, beyond limits of nodes and of time of the partition, beyond those of a QOS, for a
# reservation, with licences. Every term and priority is sprio's, a job has a rank exactly if sprio
# lists it, and the reasons are squeue's (jobs.awk); for Fair Tree also with the commands only.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/populate.sh"
name=$1
cluster_select "$name"

# listings: the scheduler's output now. With a pass in between the two would not match.
listings()
{
	local tick
	tick=$(cluster_tick "$name")
	sprio -h -o '%i|%r|%Y|%A|%B|%F|%J|%P|%Q|%S|%N|%T' > "$LIVE_TMP/sprio" &&
	    squeue -h -t PD -o '%A|%r|%V' > "$LIVE_TMP/squeue" &&
	    "$FAIRTOP" jobs slurm --format csv > "$LIVE_TMP/jobs" 2> "$LIVE_TMP/err" &&
	    [ "$tick" = "$(cluster_tick "$name")" ]
}

# rows_equal TEST
rows_equal()
{
	if ! wait_for 120 listings; then
		not_ok "$1" "no listing between two passes" "$LIVE_TMP/err"
	elif LC_ALL=C awk -f "$LIVE_HOME/jobs.awk" "$LIVE_TMP/sprio" "$LIVE_TMP/squeue" \
	    "$LIVE_TMP/jobs" > "$LIVE_TMP/differences"; then
		ok "$1 ($(tail -n 1 "$LIVE_TMP/differences"))"
	else
		not_ok "$1" "they differ" "$LIVE_TMP/differences"
	fi
}

reasons_there()
{
	local reason all
	all=$(squeue -h -t PD -o %r)
	for reason in BeginTime Dependency JobHeldAdmin JobHeldUser PartitionNodeLimit \
	    PartitionTimeLimit QOSMaxWallDurationPerJobLimit Reservation; do
		grep -qx "$reason" <<< "$all" || return 1
	done
}

waiting()
{
	local job
	cluster_settle "$name"
	populate_kinds "$name"
	cluster_evaluate
	cluster_next_pass "$name"
	if wait_for 120 reasons_there; then
		ok "$name jobs wait for every reason"
	else
		squeue -h -t PD -o %r | sort | uniq -c > "$LIVE_TMP/reasons"
		not_ok "$name jobs wait for every reason" "some are missing" "$LIVE_TMP/reasons"
	fi
	rows_equal "$name terms, ranks and reasons of waiting jobs"
	# Only Fair Tree's ranks survive the six decimals of the commands; and before 22.05
	# scontrol prints no TRES of partitions, which terms depend on.
	[ "$name" != fairtree ] || [ "$LIVE_RELEASE" -lt 2205 ] ||
		FAIRTOP_LIBEXEC=$LIVE_DIR/empty rows_equal "$name waiting jobs, by commands"
	job=$(squeue -h -t PD -o '%A %r' | awk '$2 == "QOSMaxWallDurationPerJobLimit" { print $1 }')
	run "$FAIRTOP" slurm --render 120x50 --keys "2fid=$job<Enter><Enter>"
	if grep -q 'its time limit is 4 h, QOS tight allows 2 h at most (MaxWallDurationPerJob)' \
	    "$LIVE_TMP/out"; then
		ok "$name the box names the limit of the QOS"
	else
		not_ok "$name the box names the limit of the QOS" "it does not" "$LIVE_TMP/out"
	fi
}

waiting
scancel --name=kind
exit 0
