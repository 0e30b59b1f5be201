# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# hazard.sh - what t_frozen.sh, t_stopped.sh and t_spoiled.sh have in common: a screen watches a cluster, a
# daemon is hurt, and four things must hold: one line says what is wrong, keys are handled, the
# last figures stay with their age, and it recovers alone. Needs lib.sh and screen.sh.

# What stands on the screen when a source is in trouble. Never part of a healthy one.
TROUBLE='not answer|no answer|timed out|did not reply|unreachable|refused|Unable to contact|stale|retry|failed|gone'
# Something of the tree that is always in view.
TREE='physics'
# Seconds for a key to be handled, on a machine that stalls: fewer than the 30 after which fairtop
# ends a helper that hangs, so that a screen that waits for it is found out.
HANDLED=25
# Seconds of a fault, see hazard_lasts; and for a screen to be back after it, which is a refresh of
# 2 s, a helper's answer, and what a machine that stalls adds.
LONG_FAULT=34
HEALED=12

# hazard_open CLUSTER [CONF]
hazard_open()
{
	screen_open watch "$FAIRTOP" "slurm:${2:-$LIVE_DIR/$1/etc/slurm.conf}" --every 2s
	screen_expect "$1 screen shows the tree" watch 60 "$TREE"
}

# hazard_holds TEST SECONDS: the three that must hold while the daemon is hurt
hazard_holds()
{
	screen_expect "$1: one line says what is wrong" watch "$2" "$TROUBLE"
	screen_expect "$1: the last figures stay" watch "$HANDLED" "$TREE"
	screen_expect "$1: with their age" watch "$HANDLED" 'stale +(now|[0-9]+ *[a-z]+)'
	screen_keys watch '?'
	screen_expect "$1: help opens" watch "$HANDLED" "$SCREEN_HELP"
	screen_keys watch q
	screen_expect_gone "$1: help closes" watch "$HANDLED" "$SCREEN_HELP"
}

# hazard_over TEST SECONDS: well again without a key pressed
hazard_over() { screen_expect_gone "$1: recovers alone" watch "$2" "$TROUBLE"; }

# hazard_lasts START: until a fault that began at START (of SECONDS) is so old that whoever doubles
# the time between two attempts would look again half a minute later at the soonest
hazard_lasts()
{
	while [ $((SECONDS - $1)) -lt "$LONG_FAULT" ]; do
		sleep 0.5
	done
}

# hazard_healed TEST: as hazard_over, within one refresh
hazard_healed()
{
	local start
	start=$(now_ms)
	screen_expect_gone "$1: back within one refresh" watch "$HEALED" "$TROUBLE"
	say "$1: back after $(($(now_ms) - start)) ms"
}

# hazard_steady TEST: its clock ticks on, for some refreshes, and there is no trouble
hazard_steady()
{
	local i
	for i in 1 2 3 4 5 6 7 8; do
		screen_text watch > "$LIVE_TMP/before.txt"
		wait_for 60 screen_moved || break
	done
	if [ "$i" = 8 ] && screen_lacks watch "$TROUBLE"; then
		ok "$1 does not matter"
	else
		screen_text watch > "$LIVE_TMP/screen.txt"
		not_ok "$1 does not matter" "trouble, or nothing moves" "$LIVE_TMP/screen.txt"
	fi
}

screen_moved() { ! screen_text watch | cmp -s - "$LIVE_TMP/before.txt"; }

hazard_close()
{
	screen_keys watch Q
	if wait_for 60 screen_ended watch && [ "$(cat "$LIVE_DIR/watch.code")" = 0 ]; then
		ok "$1 screen is left by Q with exit 0"
	else
		screen_text watch > "$LIVE_TMP/screen.txt" 2>&1
		not_ok "$1 screen is left by Q with exit 0" "it is not" "$LIVE_TMP/screen.txt"
	fi
	screen_close watch
	if pgrep -f "^$LIVE_DIR/libexec/fairtop-slurm" > "$LIVE_TMP/left"; then
		not_ok "$1 no helper is left behind" "pids $(tr '\n' ' ' < "$LIVE_TMP/left")"
	else
		ok "$1 no helper is left behind"
	fi
}
