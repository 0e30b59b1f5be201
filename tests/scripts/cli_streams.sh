#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Where the answer goes: a full disk and a closed descriptor are errors with a message, a reader
# that closes the pipe is an error without one. A terminal gets no control character from any name,
# in any format, and no line wider than itself; a pipe gets the names exactly.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"

# A site with hostile names: escape sequences, C1, bidirectional overrides, commas, quotes.
cat > "$work/site.snapshot" <<'END'
{"fairtop-snapshot":1,"kind":"slurm","cluster":"lab\u001b[31m","time":1750000000,"policy":{}}
{"assoc":{"id":1,"parent":null,"account":"root","user":null,"shares":1,"usage":100}}
{"assoc":{"id":2,"parent":1,"account":"\u001b]0;owned\u0007","user":null,"shares":1,"usage":50}}
{"assoc":{"id":3,"parent":1,"account":"\u009b2J","user":null,"shares":1,"usage":25}}
{"assoc":{"id":4,"parent":1,"account":"a\u202eb","user":null,"shares":1,"usage":25}}
{"assoc":{"id":5,"parent":2,"account":"\u001b]0;owned\u0007","user":"o\"ne, two\r","shares":1,"usage":50}}
{"end":{"assoc":5}}
END
site=$work/site.snapshot

# ---- descriptors -----------------------------------------------------------------------------

# written STATUS REGEX: checks $status and $work/err after a failed write
written()
{
	[ "$status" -eq "$1" ] || echo "exit $status instead of $1;"
	if [ -z "$2" ]; then
		[ ! -s "$work/err" ] || cat "$work/err"
	else
		grep -q -E "$2" "$work/err" || echo "says $(cat "$work/err")"
	fi
}

for verb in accounts policy snapshot help; do
	source=$site
	[ $verb != help ] || source=
	if [ -w /dev/full ]; then
		"$fairtop" $verb ${source:+"$source"} > /dev/full 2> "$work/err"
		status=$?
		verdict "$verb: a full disk" "$(written 2 '^fairtop: standard output: ')"
	fi
	"$fairtop" $verb ${source:+"$source"} >&- 2> "$work/err"
	status=$?
	verdict "$verb: no standard output" "$(written 2 '^fairtop: standard output: ')"
done

# More than a pipe holds, to a reader that closes it at once.
{
	"$fairtop" accounts demo:1,accounts=1000,users=5000 --format csv 2> "$work/err"
	echo $? > "$work/status"
} | head -n 1 > /dev/null
status=$(cat "$work/status")
verdict "a reader that leaves" "$(written 2 '')"

# ---- names -----------------------------------------------------------------------------------

# controls FILE: prints what a terminal would act on, besides line ends
controls()
{
	LC_ALL=C tr -d '\r\n' < "$1" |
		LC_ALL=C grep -a -o -E "$(printf '[\001-\037\177]|\302[\200-\237]|\342\200[\252-\256]')" |
		od -An -c | head -n 1
}

# in_terminal COLUMNS ARGUMENT...: writes the output in a terminal of that width to $work/tty
in_terminal()
{
	columns=$1
	shift
	line="stty rows 24 cols $columns; '$fairtop'"
	for argument; do
		line="$line '$argument'"
	done
	script -q -c "$line 2> /dev/null" /dev/null < /dev/null > "$work/tty"
}

# widest FILE: columns of its longest line
widest()
{
	tr -d '\r' < "$1" | awk '{ n = length($0); if (n > w) w = n } END { print w + 0 }'
}

if command -v script > /dev/null; then
	for arguments in "accounts" "accounts --format csv" "accounts --format json" \
		"explain account:%1B]0%3Bowned%07" "policy" "policy --format json"; do
		# shellcheck disable=SC2086 # words
		set -- $arguments
		verb=$1
		shift
		object=
		case $verb in explain) object=/%1B]0\;owned%07; shift ;; esac
		in_terminal 80 "$verb" "$site" ${object:+"$object"} "$@"
		problem=$(controls "$work/tty")
		[ -s "$work/tty" ] || problem="nothing comes"
		verdict "a terminal is safe from $verb $*" "$problem"
	done
	for columns in 20 80 300; do
		in_terminal $columns accounts demo
		problem=
		[ "$(widest "$work/tty")" -le "$columns" ] ||
			problem="$(widest "$work/tty") columns"
		[ "$(wc -l < "$work/tty")" -gt 20 ] || problem="$problem too few lines"
		verdict "a table fits into $columns columns" "$problem"
	done
else
	echo "# script(1) is missing: what a terminal gets was not looked at"
fi

"$fairtop" accounts demo > "$work/wide"
verdict "a table in a pipe is whole" "$([ "$(widest "$work/wide")" -gt 150 ] || echo cut)"

"$fairtop" accounts "$site" > "$work/table" 2> /dev/null
verdict "a table is safe in a pipe, too" "$(controls "$work/table")"

printf '"o""ne, two\r"\n' > "$work/expected"
"$fairtop" accounts "$site" --format csv --columns user --filter 'user!=unknown' 2> /dev/null |
	tail -n 1 > "$work/csv"
verdict "CSV in a pipe is exact" "$(cmp "$work/expected" "$work/csv" 2>&1)"

"$fairtop" accounts "$work/$(printf 'no\033[31mfile')" 2> "$work/err"
verdict "errors are safe" "$(controls "$work/err")"

exit $failed
