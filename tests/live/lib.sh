# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# lib.sh - used by every script of the live ring: messages, waiting with a deadline, daemons
# identified by their pid files, and the "ok NAME" / "not ok NAME: reason" lines that check-live.sh
# counts. Nothing here knows about Slurm. Source it; it only defines functions.

# The directory for a script's outputs; scripts that run at the same time have one each.
LIVE_TMP=${LIVE_TMP:-${LIVE_DIR:-}}

say() { printf '# %s\n' "$*" >&2; }
die() { printf 'check-live: %s\n' "$*" >&2; exit 2; }

# no_daemon MESSAGE...: a daemon does not start, which says nothing about fairtop
no_daemon() { printf 'check-live: %s\n' "$*" >&2; exit 3; }

# now_ms: milliseconds, for the times that are printed (nothing passes or fails by them)
now_ms() { printf '%s\n' $((${EPOCHREALTIME/./} / 1000)); }

# wait_for SECONDS COMMAND...: poll until COMMAND succeeds; 1 at the deadline
wait_for()
{
	local end=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

# prints_nothing COMMAND...: true if it succeeds and prints nothing. If it fails because slurmctld
# does not answer in time, its empty output does not mean that no job is left.
prints_nothing()
{
	local printed
	printed=$("$@") && [ -z "$printed" ]
}

# ---- daemons, each known by its pid file -------------------------------------------------

daemon_pid() { local p; read -r p 2>/dev/null < "$1" && [ -n "$p" ] && printf '%s\n' "$p"; }

daemon_alive() { local p; p=$(daemon_pid "$1") && kill -0 "$p" 2>/dev/null; }

daemon_gone() { ! kill -0 "$1" 2>/dev/null; }

# daemon_terminate PIDFILE: ask it to end, frozen or not, and do not wait
daemon_terminate()
{
	local p
	p=$(daemon_pid "$1") || return 0
	kill -TERM "$p" 2>/dev/null
	kill -CONT "$p" 2>/dev/null
}

# daemon_stop PIDFILE [SECONDS]: ask it to end, and after 20 s kill it
daemon_stop()
{
	local p
	p=$(daemon_pid "$1") && kill -0 "$p" 2>/dev/null || return 0
	daemon_terminate "$1"
	wait_for "${2:-20}" daemon_gone "$p" && return 0
	say "pid $p ($1) does not end, killing it"
	kill -KILL "$p" 2>/dev/null
	wait_for 30 daemon_gone "$p"
}

daemon_freeze() { kill -STOP "$(daemon_pid "$1")"; }
daemon_thaw() { kill -CONT "$(daemon_pid "$1")"; }

# ---- results -----------------------------------------------------------------------------

ok() { printf 'ok %s\n' "$1"; }

# not_ok NAME REASON [FILE...]: the files' heads follow as comments
not_ok()
{
	printf 'not ok %s: %s\n' "$1" "$2"
	shift 2
	local f
	for f; do
		[ -s "$f" ] && sed -n '1,25{s/^/#   /;p}' "$f"
	done
	return 0
}

# expect_exit NAME WANTED COMMAND...: WANTED is a list of exit codes such as "0" or "0 4";
# standard output and error stay in $LIVE_TMP/out and $LIVE_TMP/err, the code in $code
expect_exit()
{
	local name=$1 wanted=$2
	shift 2
	run "$@"
	case " $wanted " in
	*" $code "*) ok "$name" ;;
	*) not_ok "$name" "exit $code, expected $wanted" "$LIVE_TMP/err" "$LIVE_TMP/out"; return 1 ;;
	esac
}

# run COMMAND...: run it with a deadline; keeps its output and exit code
run()
{
	timeout -k 5 "${RUN_DEADLINE:-120}" "$@" > "$LIVE_TMP/out" 2> "$LIVE_TMP/err" < /dev/null
	code=$?
}
