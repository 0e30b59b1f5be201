#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Read by the scripts of tests/scripts: one line per thing that was checked, in the form that the
# test runner counts. The script sets failed=0 before, and ends with exit "$failed".

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
