#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Read by the scripts of tests/scripts: one line per thing that was checked, in the form that the
# test runner counts. The script sets failed=0 before, and ends with exit "$failed". And the one way
# to wait.

# verdict WHAT PROBLEM: ok if there is none
verdict()
{
	if [ -z "$2" ]; then
		echo "ok $1"
	else
		# shellcheck disable=SC2034 # read by the script that reads this file
		failed=1
		echo "not ok $1: $2"
	fi
}

# await COMMAND...: until it succeeds; false if it has not within a minute
await()
{
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		sleep 0.1	# clock: polls until the condition holds
	done
}

# gone PID: there is no such process. A child that has ended must be the shell's that asks.
gone()
{
	! kill -0 "$1" 2> /dev/null
}

# stop SIGNAL PID: a child ends by it within a minute, or is killed; $status is how
stop()
{
	kill -"$1" "$2"
	await gone "$2" || kill -9 "$2"
	wait "$2"
	# shellcheck disable=SC2034 # read by the script that reads this file
	status=$?
}
