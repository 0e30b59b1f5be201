#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# pictures.sh [--check] FILE.md: fills the frames in a Markdown file with fairtop's output. A line
#
#     <!-- fairtop demo --render 100x24 -->
#
# is followed by a fenced block that holds the output of that command, and a line
#
#     <!-- fairtop demo --render 120x40 --format svg > doc/screen.svg -->
#
# names a file that holds it. Without --check both are rewritten; with it nothing is written, and
# exit 1 says that one of them is stale. Words are split at blanks; nothing else is special.
# `make pictures` and `make pictures-check` run this with FAIRTOP_BUILD set.

set -f
check=''
[ "${1-}" != --check ] || { check=yes; shift; }
file=${1:?a Markdown file}
: "${FAIRTOP_BUILD:?}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
TZ=UTC LC_ALL=C.UTF-8 FAIRTOP_LIBEXEC=$FAIRTOP_BUILD XDG_CONFIG_HOME=$work
export TZ LC_ALL FAIRTOP_LIBEXEC XDG_CONFIG_HOME
unset NO_COLOR COLUMNS LINES

# run WORD...: writes the output of fairtop to $work/out
run()
{
	"$FAIRTOP_BUILD/fairtop" "$@" > "$work/out" < /dev/null ||
		{ echo "$file: fairtop $*: exit $?" >&2; exit 1; }
}

# put FILE: copies $work/out to FILE, or compares them
put()
{
	cmp -s "$work/out" "$1" && return 0
	if [ -n "$check" ]; then
		echo "$1 is stale: make pictures draws it anew" >&2
		diff -u "$1" "$work/out" | head -n 40 >&2
		stale=yes
	else
		cp "$work/out" "$1" && echo "$1"
	fi
}

stale='' state=text
: > "$work/new"
while IFS= read -r line || [ -n "$line" ]; do
	case $state:$line in
	inside:'```')
		cat "$work/out" >> "$work/new"
		state=text ;;
	inside:*)
		continue ;;
	before:'```'*)
		state=inside ;;
	text:'<!-- fairtop '*' -->')
		command=${line#'<!-- fairtop '}
		command=${command%' -->'}
		# shellcheck disable=SC2086 # the words of the command
		run ${command%%' > '*}
		case $command in
		*' > '*) put "$(dirname "$file")/${command#*' > '}" ;;
		*) state=before ;;
		esac ;;
	esac
	printf '%s\n' "$line" >> "$work/new"
done < "$file"
[ $state = text ] || { echo "$file: a picture without its fenced block" >&2; exit 1; }
cp "$work/new" "$work/out"
put "$file"
[ -z "$stale" ]
