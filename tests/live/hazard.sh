# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# hazard.sh - shared by t_frozen.sh, t_stopped.sh and t_spoiled.sh: a screen watches a cluster, a
# daemon is disturbed, and four things must hold: one line says what is wrong, keys work, the last
# figures stay with their age, and it recovers alone. Needs lib.sh and screen.sh.

# Shown on the screen when a source has a problem, and never otherwise.
TROUBLE='not answer|no answer|timed out|did not reply|unreachable|refused|Unable to contact|stale|retry|failed|gone'
# A part of the tree that is always in view.
TREE='physics'
# Seconds for a key to be handled on a machine that stalls: fewer than the 30 after which fairtop
# ends a hanging helper, so that a screen that waits for the helper is detected.
HANDLED=25
# Seconds of a fault, see hazard_lasts; and seconds for the screen to recover: a refresh of 2 s, a
# helper's answer, and delays of a machine that stalls.
LONG_FAULT=34
HEALED=12

# hazard_open CLUSTER [CONF]: opens the screen and waits for the tree
hazard_open()
{
	screen_open watch "$FAIRTOP" "slurm:${2:-$LIVE_DIR/$1/etc/slurm.conf}" --every 2s
	screen_expect "$1 screen shows the tree" watch 60 "$TREE"
}

# hazard_holds TEST SECONDS: checks the three things that must hold during the fault
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

# hazard_over TEST SECONDS: checks that it recovers without a key
hazard_over() { screen_expect_gone "$1: recovers alone" watch "$2" "$TROUBLE"; }

# hazard_lasts START: waits until a fault that began at START (of SECONDS) is so old that a program
# that doubles the time between attempts would wait half a minute or more for the next one
hazard_lasts()
{
	while [ $((SECONDS - $1)) -lt "$LONG_FAULT" ]; do
		sleep 0.5
	done
}

# hazard_healed TEST: like hazard_over, but within one refresh
hazard_healed()
{
	local start
	start=$(now_ms)
	screen_expect_gone "$1: back within one refresh" watch "$HEALED" "$TROUBLE"
	say "$1: back after $(($(now_ms) - start)) ms"
}

# hazard_steady TEST: checks that the clock runs for some refreshes, without a problem
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
