#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# slurm_accounts.sh - fairtop against Slurm's own tool on the same 10,000 user associations (about
# 620 accounts, four levels) of a real slurmctld on loopback:
#
#   time       `fairtop accounts slurm --format csv` against `sshare -a -l -P`, alternating;
#              medians, and their ratio (target: at most 0.25). slurmctld is restarted in between,
#              since its heap layout changes its share, two thirds of the time, by a fifth
#   idle CPU   the screen at its default refresh against `watch -n 30 sshare -a -l`, both for the
#              same 60 s: user + system time of all their processes, slurmctld not counted.
#              watch stops reading when its screen is full, which ends sshare early, so the ratio
#              to as many complete runs of sshare is judged (target: at most 1)
#
# Part of `make bench`. Starts daemons, so it only runs with FAIRTOP_LIVE=1 (see tests/live).
# Settings: BENCH_RUNS (default 9, per start), BENCH_STARTS (5), BENCH_ASSOCS (10000) and
# BENCH_IDLE (60 s; 0 leaves it out).

set -u
LIVE_HOME=$(cd "$(dirname "${BASH_SOURCE[0]}")/../live" && pwd)
export LIVE_HOME LIVE_CLUSTERS=scale
. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/site.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/populate.sh"
. "$LIVE_HOME/screen.sh"
. "$LIVE_HOME/scale.sh"

[ "${FAIRTOP_LIVE:-}" = 1 ] || {
	echo "slurm_accounts: skipped, it starts Slurm's daemons: FAIRTOP_LIVE=1 on a throw-away machine"
	exit 0
}
site_require
site_require_loopback "$LIVE_HOME/../bench/slurm_accounts.sh"

runs=${BENCH_RUNS:-9} starts=${BENCH_STARTS:-5} assocs=${BENCH_ASSOCS:-10000} idle=${BENCH_IDLE:-60}
FAIRTOP=${FAIRTOP:-${FAIRTOP_BUILD:-$PWD}/fairtop}
FAIRTOP_LIBEXEC=${FAIRTOP_LIBEXEC:-$(dirname "$FAIRTOP")}
export FAIRTOP_LIBEXEC
[ -x "$FAIRTOP" ] || die "no program $FAIRTOP (set FAIRTOP or FAIRTOP_BUILD)"
trap 'trap - EXIT; site_down' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# For one start of slurmctld: appends the times to the files theirs and ours.
take_turns()
{
	local i
	for ((i = 0; i < runs; i++)); do
		timed "$LIVE_DIR/theirs" sshare -a -l -P
		timed "$LIVE_DIR/ours" "$FAIRTOP" accounts slurm --format csv
	done
	tail -n "$runs" "$LIVE_DIR/theirs" | median > "$LIVE_DIR/theirs.median"
	tail -n "$runs" "$LIVE_DIR/ours" | median > "$LIVE_DIR/ours.median"
	paste "$LIVE_DIR/ours.median" "$LIVE_DIR/theirs.median" |
	    awk '{ printf "# one start: %.1f ms, sshare %.1f ms: %.3f\n", $1 / 1000, $2 / 1000, $1 / $2 }'
}

compare_times()
{
	local start ours theirs
	take_turns
	for ((start = 1; start < starts; start++)); do
		slurmctld_restart scale
		take_turns
	done
	theirs=$(median < "$LIVE_DIR/theirs")
	ours=$(median < "$LIVE_DIR/ours")
	awk -v ours="$ours" -v theirs="$theirs" -v n=$((runs * starts)) \
	    -v rows="$(wc -l < "$LIVE_DIR/out")" '
	BEGIN {
		printf "accounts of %d associations, median of %d runs: fairtop %.1f ms, " \
		    "sshare -a -l -P %.1f ms\n", rows - 1, n, ours / 1000, theirs / 1000
		printf "  slurm-accounts: %.3f times, target at most 0.25: %s\n", ours / theirs,
		    ours <= 0.25 * theirs ? "met" : "MISSED"
	}'
}

# watched NAME COMMAND...: runs COMMAND on a screen for $idle seconds; the file NAME.cpu gets the
# user + system time in seconds of it and all its children
watched()
{
	local name=$1
	shift
	# shellcheck disable=SC2016 # expanded by the inner shell
	screen_open "$name" bash -c 'TIMEFORMAT="%U %S"
		file=$1 seconds=$2
		shift 2
		{ time timeout --foreground "$seconds" "$@" 2>&3; } 3>&2 2> "$file"' \
	    bash "$LIVE_DIR/$name.cpu" "$idle" "$@"
}

compare_idle()
{
	[ "$idle" -gt 0 ] || return 0
	watched ours "$FAIRTOP" slurm
	watched theirs watch -n 30 sshare -a -l
	sleep $((idle - 1))
	screen_text ours | sed -n '1,3{s/^/# /;p}'
	wait_for 60 test -s "$LIVE_DIR/ours.cpu"
	wait_for 60 test -s "$LIVE_DIR/theirs.cpu"
	TIMEFORMAT="%U %S"
	{ time sshare -a -l > /dev/null; } 2> "$LIVE_DIR/whole.cpu"
	cat "$LIVE_DIR"/{ours,theirs,whole}.cpu | awk -v s="$idle" '
	{ t[NR] = $1 + $2 }
	END {
		whole = t[3] * (1 + int((s - 1) / 30))
		if (whole > 0)
			printf "  slurm-idle, user + system time in %d s: fairtop %.3f s, " \
			    "watch -n 30 sshare -a -l %.3f s, as many whole ones %.3f s: %.3f times, " \
			    "target at most 1: %s\n", s, t[1], t[2], whole, t[1] / whole,
			    t[1] <= whole ? "met" : "MISSED"
	}'
	screen_close ours
	screen_close theirs
}

scale_up "$assocs"
scale_usage
say "ready after $SECONDS s"
compare_times
compare_idle
