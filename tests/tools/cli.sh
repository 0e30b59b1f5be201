#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Sourced by the scripts of tests/scripts that run fairtop: the program, a working directory that is
# removed at the end, and common checks.

: "${srcdir:?}" "${FAIRTOP_BUILD:?}"
fairtop=$FAIRTOP_BUILD/fairtop
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"

# answers REGEX ARGUMENT...: expects exit 0 and a line that matches
answers()
{
	regex=$1
	shift
	"$fairtop" "$@" > "$work/out" 2> "$work/err" < /dev/null
	status=$?
	problem=''
	[ $status -eq 0 ] || problem="exit $status: $(cat "$work/err");"
	grep -q -E -e "$regex" "$work/out" ||
		problem="$problem no line like $regex but: $(head -n 3 "$work/out")"
	verdict "answers: $*" "$problem"
}

# lacks REGEX ARGUMENT...: expects exit 0 and no line that matches
lacks()
{
	regex=$1
	shift
	"$fairtop" "$@" > "$work/out" 2> "$work/err" < /dev/null ||
		echo "exit $?: $(cat "$work/err")" > "$work/out"
	verdict "without $regex: $*" "$(grep -E -e "$regex" -e '^exit' "$work/out" | head -n 3)"
}

# refused WHAT REGEX ARGUMENT...: expects exit 2, no output, one line of error that matches
refused()
{
	what=$1 regex=$2
	shift 2
	"$fairtop" "$@" > "$work/out" 2> "$work/err" < /dev/null
	status=$?
	verdict "refused: $what" "$([ $status -eq 2 ] || echo "exit $status;"
		[ ! -s "$work/out" ] || echo "an answer;"
		[ "$(wc -l < "$work/err")" -eq 1 ] || echo 'not one line;'
		grep -q -E -e "$regex" "$work/err" || cat "$work/err")"
}

shown=''
# until_so WHAT CONDITION...: waits up to a minute for it; if in vain, shows the files $shown
until_so()
{
	what=$1
	shift
	# shellcheck disable=SC2086 # a list
	verdict "$what" "$(await "$@" || { echo 'not within a minute'; cat $shown; } < /dev/null)"
}
