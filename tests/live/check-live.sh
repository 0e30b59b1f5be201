#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-live.sh - the live ring: brings up a real Slurm on loopback (munge, mariadb, slurmdbd,
# and three clusters side by side: depth-oblivious, classic and Fair Tree), gives it accounts,
# jobs and usage, and runs the built fairtop against it. `make check-live FAIRTOP_LIVE=1` calls
# it; tests/live/README says what each script checks.
#
#   check-live.sh [--only PATTERN] [--clusters "NAME..."] [--shell]
#
# --only      run the test scripts whose name contains PATTERN, or one of several: "a|b"
# --clusters  bring up only some of: depthobl classic fairtree
# --shell     start a shell with the running clusters instead of the tests
#
# Environment: FAIRTOP_LIVE=1 must be set (it starts daemons: use a throw-away machine),
# FAIRTOP (the program; default fairtop in FAIRTOP_BUILD or here), FAIRTOP_LIBEXEC (where
# fairtop-slurm is; default beside it), LIVE_PORT (first port tried), LIVE_KEEP=1 (keep logs).
# Exit 0: all passed; 1: a test failed; 2: something is missing; 3: a daemon does not start.

set -u
LIVE_HOME=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export LIVE_HOME
. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/site.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/populate.sh"

[ "${FAIRTOP_LIVE:-}" = 1 ] || {
	echo "check-live: set FAIRTOP_LIVE=1 on a throw-away machine; it starts Slurm's daemons"
	exit 77
}
site_require
site_require_loopback "$LIVE_HOME/check-live.sh" "$@"

LIVE_CLUSTERS="depthobl classic fairtree"
only='' shell=''
while [ $# -gt 0 ]; do
	case $1 in
	--only) only=$2; shift ;;
	--clusters) LIVE_CLUSTERS=$2; shift ;;
	--shell) shell=1 ;;
	*) die "unknown argument: $1" ;;
	esac
	shift
done
export LIVE_CLUSTERS

# Tests use copies: the build directory may be unreachable for a plain user in a test.
install_programs()
{
	FAIRTOP=${FAIRTOP:-${FAIRTOP_BUILD:-$PWD}/fairtop}
	FAIRTOP_LIBEXEC=${FAIRTOP_LIBEXEC:-$(dirname "$FAIRTOP")}
	[ -x "$FAIRTOP" ] || die "no program $FAIRTOP (set FAIRTOP or FAIRTOP_BUILD)"
	CUT_PROXY=${FAIRTOP_BUILD:-$(dirname "$FAIRTOP")}/tests/mock/cut_proxy
	mkdir -p "$LIVE_DIR/bin" "$LIVE_DIR/libexec" "$LIVE_DIR/empty"
	cp "$FAIRTOP" "$LIVE_DIR/bin/fairtop" || die "cannot copy $FAIRTOP"
	if [ -x "$FAIRTOP_LIBEXEC/fairtop-slurm" ]; then
		cp "$FAIRTOP_LIBEXEC/fairtop-slurm" "$LIVE_DIR/libexec/"
	else
		say "no fairtop-slurm in $FAIRTOP_LIBEXEC: only the commands will be tested"
	fi
	export FAIRTOP=$LIVE_DIR/bin/fairtop FAIRTOP_LIBEXEC=$LIVE_DIR/libexec CUT_PROXY
}

finish()
{
	trap - EXIT
	trap '' INT TERM HUP
	# shellcheck disable=SC2086 # a list of pids
	[ -n "$running" ] && kill $running 2>/dev/null
	site_down
}
running=''
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# bring_up: everything, in about 15 seconds
bring_up()
{
	local name pids=()
	site_up
	for name in $LIVE_CLUSTERS; do
		cluster_files "$name"
	done
	for name in $LIVE_CLUSTERS; do
		cluster_register "$name"
	done
	populate_qos
	for name in $LIVE_CLUSTERS; do
		populate_tree "$name" & pids+=($!)
	done
	wait_all "${pids[@]}"
	for name in $LIVE_CLUSTERS; do
		cluster_up "$name"
		cluster_watch "$name" &
		running="$running $!"
	done
	pids=()
	for name in $LIVE_CLUSTERS; do
		populate_jobs "$name" & pids+=($!)
	done
	wait_all "${pids[@]}"
}

wait_all()
{
	local pid
	for pid; do
		wait "$pid" || exit 2
	done
}

# start_script FILE ARGS...: a test script in the background, so that a signal ends the run at
# once; finish_script shows its lines and counts them
passed=0 failed=0
start_script()
{
	local name="$*"
	[[ $1 =~ $only ]] || return 0
	local dir=$LIVE_DIR/scripts/${name// /.}
	mkdir -p "$dir"
	LIVE_TMP=$dir bash "$LIVE_HOME/$1" "${@:2}" > "$dir/log" &
	printf '%s\n' "$!" > "$dir/pid"
	running="$running $!"
}

finish_script()
{
	local name="$*" dir=$LIVE_DIR/scripts pid status start=$SECONDS
	[[ $1 =~ $only ]] || return 0
	dir=$dir/${name// /.}
	pid=$(cat "$dir/pid")
	wait "$pid"
	status=$?
	running=${running/ $pid/}
	if [ "$status" -ne 0 ]; then
		printf 'not ok %s: the script ended with %s\n' "$name" "$status" >> "$dir/log"
	fi
	cat "$dir/log"
	say "$name: $((SECONDS - start)) s, at $SECONDS s"
	passed=$((passed + $(grep -c '^ok ' "$dir/log")))
	failed=$((failed + $(grep -c '^not ok ' "$dir/log")))
}

run_script() { start_script "$@"; finish_script "$@"; }

has_cluster() { [[ " $LIVE_CLUSTERS " == *" $1 "* ]]; }

# quiet_tests NAME: tests that need consistent figures with nothing running
quiet_tests()
{
	has_cluster "$1" || return 0
	wait_for 900 test -e "$LIVE_DIR/$1/settled" || die "$1 does not settle"
	say "$1 is settled after $SECONDS s"
	run_script t_verify.sh "$1"
	run_script t_sshare.sh "$1"
	run_script t_rest.sh "$1"
	run_script t_snapshot.sh "$1"
	run_script t_import.sh "$1"
}

# The order matters: while one cluster waits for its decay passes, others are tested; tests that
# disturb a cluster come after those that need it quiet.
run_tests()
{
	local name
	for name in $LIVE_CLUSTERS; do
		cluster_settle "$name" &
		running="$running $!"
	done
	start_script t_starts.sh
	run_script t_conf.sh "${LIVE_CLUSTERS%% *}"
	run_script t_noconf.sh "${LIVE_CLUSTERS%% *}"
	run_script t_audit.sh
	run_script t_why.sh
	quiet_tests fairtree
	quiet_tests classic
	has_cluster depthobl && run_script t_half.sh depthobl
	if has_cluster fairtree; then
		run_script t_ssh.sh fairtree
		run_script t_updated.sh fairtree change
	fi
	quiet_tests depthobl
	has_cluster fairtree && run_script t_updated.sh fairtree settled
	finish_script t_starts.sh
	# alone: it freezes munged, which serves all clusters
	has_cluster fairtree && run_script t_frozen.sh fairtree
	has_cluster classic && start_script t_spoiled.sh classic
	side_by_side t_whatif.sh
	has_cluster classic && finish_script t_spoiled.sh classic
	side_by_side t_jobs.sh
	start_recording
	for name in $LIVE_CLUSTERS; do
		cluster_resume "$name"
	done
	side_by_side t_busy.sh
	for name in $LIVE_CLUSTERS; do
		finish_script t_record.sh "$name"
	done
	has_cluster classic && run_script t_private.sh classic
	has_cluster fairtree && run_script t_stopped.sh fairtree
	has_cluster depthobl && run_script t_cold.sh depthobl
}

# start_recording: recorders of all clusters, each with its first sample before jobs run
start_recording()
{
	local name
	for name in $LIVE_CLUSTERS; do
		start_script t_record.sh "$name"
	done
	[[ t_record.sh =~ $only ]] || return 0
	for name in $LIVE_CLUSTERS; do
		wait_for 180 test -e "$LIVE_DIR/$name/recording" ||
			say "$name: the recorder does not begin"
	done
}

# side_by_side FILE: runs a test that mostly waits for passes on all clusters at once
side_by_side()
{
	local name
	for name in $LIVE_CLUSTERS; do
		start_script "$1" "$name"
	done
	for name in $LIVE_CLUSTERS; do
		finish_script "$1" "$name"
	done
}

bring_up
install_programs
say "clusters are up and filled after $SECONDS s, in $LIVE_DIR"
if [ -n "$shell" ]; then
	cluster_select "${LIVE_CLUSTERS%% *}"
	bash
	exit 0
fi
run_tests
say "everything took $SECONDS s"
finish
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
