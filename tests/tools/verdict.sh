#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts of tests/scripts: prints one line per check, in the form that the test
# runner counts. The script sets failed=0 before, and ends with exit "$failed". Also has the only
# functions that wait.

# verdict WHAT PROBLEM: ok if PROBLEM is empty
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

# await COMMAND...: waits until it succeeds; false if it does not within a minute
await()
{
	tries=0
	until "$@"; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return 1
		sleep 0.1	# clock: polls until the condition holds
	done
}

# gone PID: is there no such process? An ended child must be one of this shell.
gone()
{
	! kill -0 "$1" 2> /dev/null
}

# stop SIGNAL PID: ends a child with it, or kills it after a minute; $status is its exit status
stop()
{
	kill -"$1" "$2"
	await gone "$2" || kill -9 "$2"
	wait "$2"
	# shellcheck disable=SC2034 # read by the script that reads this file
	status=$?
}
