#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A recording of OpenPBS 23.06.06 from outside: its numbers verified, a class explained, two
# compared, and the two logs of a scheduling cycle as PBS's design document shows them: the old one
# has a "Considering" line for each job, the new one only for the first of a class that cannot run.
# No PBS is needed; none was at hand: the recording stands for it.

: "${srcdir:?}" "${FAIRTOP_BUILD:?}"
fairtop=$FAIRTOP_BUILD/fairtop
pbs=pbs:$srcdir/tests/data/pbs/01_main
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
TZ=UTC
export TZ
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"

# answers REGEX ARGUMENT...: exit 0, a line that matches
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

answers 'usage .* equal .*pbsfs' verify "$pbs"
answers 'the same class|same but for' compare "$pbs" class:0 class:12
answers '^class 14 of 35, by the rules of openpbs' explain "$pbs" class:14
answers '^reason +=.*Insufficient amount of resource: ncpus' explain "$pbs" class:14
answers '^walltime += 04:00:00' explain "$pbs" class:14
answers '"fairshare_decay_factor":0\.5[,}]' accounts "$pbs" --format json
verdict "there are as many classes as the scheduler made" "$(
	n=$("$fairtop" classes "$pbs" --format csv --columns class | grep -c '[0-9]')
	[ "$n" = 35 ] || echo "$n, not 35")"

count_classes()
{
	"$fairtop" classes "$pbs" --format csv --columns class "$@" | grep -c '[0-9]'
}
verdict "an exclusion is tried by the same rules, as an edit and as an option" "$(
	a=$(count_classes --set classes.exclude=walltime) b=$(count_classes --exclude walltime)
	[ "$a $b" = "24 24" ] || echo "$a and $b, not 24")"
verdict "classes that are turned off hold one job each" "$(
	n=$(count_classes --set equiv_class_enable=False)
	[ "$n" = 142 ] || echo "$n, not 142")"
verdict "people and programs read the same key" "$(
	[ "$(count_classes --filter key.walltime=360000)" = 3 ] || echo "not 3"
	"$fairtop" classes "$pbs" --filter key.walltime=100:00:00 > "$work/out"
	[ "$(grep -c walltime=100:00:00 "$work/out")" = 3 ] || cat "$work/out")"

"$fairtop" cycle "$pbs" --rules document > "$work/new"
"$fairtop" cycle "$pbs" --rules document --old > "$work/old"
"$fairtop" cycle "$pbs" > "$work/openpbs"
date='[0-9][0-9]/[0-9][0-9]/[0-9]{4} [0-9:]{8}'
for log in new old openpbs; do
	verdict "the lines of the $log log are the scheduler's" "$(sed '/^$/,$d' "$work/$log" |
		grep -v -E "^$date;[0-9]+(\[\])?\.pbshead;(Considering job to run|Job run|Insufficient amount of resource: [a-z]+)$")"
done
verdict "the old log considers every job" "$(awk -F ';' '/^$/ { exit }
	/;Considering/ { if (open) print "no reason for " open; open = $2; next }
	{ if ($2 != open) print $2 " was not considered"; open = "" }' "$work/old")"
verdict "in the new log some have a reason only" "$(awk -F ';' '/^$/ { exit }
	/;Considering/ { open = $2; next } $2 != open { alone++ }
	END { if (alone < 20) print alone + 0 }' "$work/new")"
verdict "OpenPBS considers them all in its log" "$(awk -F ';' '/^$/ { exit }
	/;Considering/ { open = $2; next } $2 != open { print }' "$work/openpbs")"
for log in new old; do
	grep -E ';(Job run|Insufficient)' "$work/$log" > "$work/$log.outcome"
done
verdict "both come to the same" "$(cmp "$work/new.outcome" "$work/old.outcome" 2>&1)"
# Neither recorded cycle of 01_main has a top job, that of 02_formula, under strict_ordering, has
# five (grep -c 'Job is a top job').
verdict "without strict_ordering nothing is calendared" "$(
	grep -q 'places on the calendar: 0 (strict_ordering is off)$' "$work/new" ||
	tail -n 1 "$work/new")"
answers 'places on the calendar: 5$' cycle "pbs:$srcdir/tests/data/pbs/02_formula"
answers '^rules openpbs; lines "Considering": 73 as OpenPBS logs, with classes and without, 22 in' \
	cycle "$pbs"
exit $failed
