#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# slurm_jobs.sh - fairtop against Slurm's own tools on the same 10,000 pending jobs and 10,000 user
# associations of a real slurmctld on loopback, alternating; medians and their ratio:
#
#   all        `fairtop jobs slurm --format csv`, which computes every factor, term and rank,
#              against `sprio -l`, `squeue` and `sshare -a -l` one after the other (at most 0.2)
#   queue      with the columns that need no associations, against `sprio -l` and `squeue`
#              (at most 0.7)
#
# Part of `make bench`. Starts daemons, so it only runs with FAIRTOP_LIVE=1 (see tests/live).
# Settings: BENCH_RUNS (default 9), BENCH_ASSOCS (10000) and BENCH_JOBS (10000).

set -u
LIVE_HOME=$(cd "$(dirname "${BASH_SOURCE[0]}")/../live" && pwd)
export LIVE_HOME LIVE_CLUSTERS=scale
. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/site.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/populate.sh"
. "$LIVE_HOME/scale.sh"

[ "${FAIRTOP_LIVE:-}" = 1 ] || {
	echo "slurm_jobs: skipped, it starts Slurm's daemons: FAIRTOP_LIVE=1 on a throw-away machine"
	exit 0
}
site_require
site_require_loopback "$LIVE_HOME/../bench/slurm_jobs.sh"

runs=${BENCH_RUNS:-9} assocs=${BENCH_ASSOCS:-10000} jobs=${BENCH_JOBS:-10000}
FAIRTOP=${FAIRTOP:-${FAIRTOP_BUILD:-$PWD}/fairtop}
FAIRTOP_LIBEXEC=${FAIRTOP_LIBEXEC:-$(dirname "$FAIRTOP")}
export FAIRTOP_LIBEXEC
[ -x "$FAIRTOP" ] || die "no program $FAIRTOP (set FAIRTOP or FAIRTOP_BUILD)"
trap 'trap - EXIT; site_down' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
# shellcheck disable=SC2034 # cluster_conf takes it
LIVE_EXTRA_CONF="MaxJobCount=$((2 * jobs + 1000))
MaxArraySize=$((jobs + 1))
"

# scale_pending N: submits N jobs that stay pending, as the nodes are drained. Each task of the real
# users' arrays becomes a separate job by its own nice value: a single scontrol reads all of them,
# which is many times faster than as many sbatch.
scale_pending()
{
	local each=$(($1 / 20))
	cluster_drain
	sacctmgr -nP show assoc cluster=scale format=user,account |
	    awk -F'|' '$1 ~ /^(daemon|bin|sys|games|man|lp|mail|news|uucp|proxy|backup|irc)$/ &&
	    NR % 7 == 0 { print $1, $2, 1 + n++ * 7 % 200, 1 + n * 37 % 4000 }' | head -n 20 |
	while read -r user account cpus minutes; do
		submit "$user" "$account" normal -n "$cpus" -t "$minutes" \
		    --array=1-"$each" -- "exec sleep 60" < /dev/null
	done > "$LIVE_DIR/arrays"
	awk -v n="$each" '{ for (i = 1; i <= n; i++) print "update job=" $1 "_" i " nice=" i }' \
	    "$LIVE_DIR/arrays" > "$LIVE_DIR/updates"
	scontrol < "$LIVE_DIR/updates" > "$LIVE_DIR/log/updates" 2>&1
	say "$(squeue -h -o %i | wc -l) jobs wait, of which sprio lists $(sprio -h -o %i | wc -l)"
}

their_queue() { sprio -l && squeue; }
their_all() { sprio -l && squeue && sshare -a -l; }

# compare NAME TARGET THEIRS [COLUMNS]
compare()
{
	local name=$1 target=$2 theirs=$3 i
	local ours=("$FAIRTOP" jobs slurm --format csv ${4:+--columns "$4"})
	for ((i = 0; i < runs; i++)); do
		timed "$LIVE_DIR/theirs.$name" "$theirs"
		timed "$LIVE_DIR/ours.$name" "${ours[@]}"
	done
	awk -v ours="$(median < "$LIVE_DIR/ours.$name")" -v n="$runs" -v name="$name" \
	    -v theirs="$(median < "$LIVE_DIR/theirs.$name")" -v target="$target" \
	    -v rows="$(wc -l < "$LIVE_DIR/out")" '
	BEGIN {
		printf "%s: %d jobs, median of %d runs: fairtop %.1f ms, Slurm'\''s tools %.1f ms\n", \
		    name, rows - 1, n, ours / 1000, theirs / 1000
		printf "  slurm-jobs-%s: %.3f times, target at most %s: %s\n", name, ours / theirs, \
		    target, ours <= target * theirs ? "met" : "MISSED"
	}'
}

scale_up "$assocs"
scale_usage
scale_pending "$jobs"
say "ready after $SECONDS s"
compare all 0.2 their_all
compare queue 0.7 their_queue \
    id,array,task,name,user,account,partition,qos,state,reason,nodes,cpus,tres,time_limit,submit
