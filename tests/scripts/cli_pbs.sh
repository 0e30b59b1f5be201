#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A recording of OpenPBS 23.06.06 from outside: its numbers verified, a class explained, two
# compared, and the two logs of a scheduling cycle as PBS's design document shows them: the old one
# has a "Considering" line for each job, the new one only for the first of a class that cannot run.
# No PBS is needed; none was at hand: the recording stands for it.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
pbs=pbs:$srcdir/tests/data/pbs/01_main
TZ=UTC
export TZ

answers 'usage .* equal .*pbsfs' verify "$pbs"
answers 'the same class|same but for' compare "$pbs" class:0 class:12
answers '^class 14 of 35, by the rules of openpbs' explain "$pbs" class:14
answers '^reason +=.*Insufficient amount of resource: ncpus' explain "$pbs" class:14
answers '^walltime += 04:00:00' explain "$pbs" class:14
answers '"fairshare_decay_factor":0\.5[,}]' accounts "$pbs" --format json
# Who may not read the tree is not told that there is none.
mkdir "$work/treeless"
cp "$srcdir/tests/data/pbs/01_main"/*.json "$work/treeless"
"$fairtop" accounts "pbs:$work/treeless" > "$work/out" 2> "$work/err"
verdict "accounts that could not be read" "$([ $? -eq 0 ] &&
	grep -q 'accounts: no account is known$' "$work/err" || cat "$work/err")"
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
		grep -v -E "^$date;[0-9]+(\[\])?\.pbshead;(Considering job to run|Job run|Insufficient amount of resource: [a-z]+|Not enough total nodes available|would exceed overall limit on resource ngpus in queue gpu)$")"
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
answers '^rules openpbs; lines "Considering": 73 as OpenPBS logs, with classes and without, 21 in' \
	cycle "$pbs"

mkdir "$work/nobody"
cp "$srcdir/tests/data/pbs/14_limits/"*.json "$work/nobody"
verdict "groups that are told are followed" "$("$fairtop" cycle "pbs:$work/nobody" |
	grep 'groups of jobs')"
sed 's/"egroup":"[a-z]*",//g' "$srcdir/tests/data/pbs/14_limits/qstat_ft.json" \
	> "$work/nobody/qstat_ft.json"
answers 'no job under a limit of groups, if there are any, runs here$' cycle "pbs:$work/nobody"

# The export, run on a copy of the files; qmgr and pbsfs are stand-ins, the second of which finds
# fault with the tree where $work/bad is.
mkdir "$work/priv" "$work/bin"
cp "$srcdir/tests/data/pbs/11_drift/resource_group" "$srcdir/tests/data/pbs/11_drift/sched_config" \
	"$work/priv"
echo 4711 > "$work/priv/sched.lock"
cat > "$work/bin/qmgr" << END
#!/bin/sh
[ \$# = 0 ] || echo "\$0" "\$@" >> "$work/calls"
END
{ cat "$work/bin/qmgr" && echo "cat '$work/bad' >&2 2> /dev/null"; } > "$work/bin/pbsfs"
chmod +x "$work/bin/qmgr" "$work/bin/pbsfs"
# What the same edits made of the files of the live scheduler that was recorded, and what its pbsfs
# printed afterwards.
set -- --set shares:/bio:gus=3 --set parent:/unknown:hal=/bio --set add:/geo=9 \
	--set add:/geo:zed=2 --set fair_share=False --set 'job_sort_key=ncpus HIGH, walltime LOW' \
	--set fairshare_decay_time=2d --set unknown_shares=7 --set parent:/phys/astro=/chem \
	--set usage:/bio:fay=5 --set job_sort_formula=
drift=pbs:$srcdir/tests/data/pbs/11_drift
run_export()
{
	"$fairtop" whatif "$drift" "$@" > "$work/script" 2> "$work/err" || cat "$work/err"
	sed "s|^cd /.*|cd $work/priv|" "$work/script" > "$work/script.here"
	PATH=$work/bin:$PATH bash "$work/script.here"
}
verdict "the export runs and says what to signal" "$(run_export "$@" --export pbs 2>&1 |
	grep -v -x 'in force after: kill -HUP 4711')"
verdict "it made a copy of both files" "$(for file in resource_group sched_config; do
	cmp "$srcdir/tests/data/pbs/11_drift/$file" "$work/priv/$file".[0-9]*; done 2>&1)"
grep -v '^#' "$work/priv/resource_group" > "$work/out"
verdict "resource_group is what the edits say" "$(diff - "$work/out" << 'END'
phys  10 root 40
chem  11 root 30
bio   12 root 20
hep   20 phys 60
ann   30 hep 50
bo    31 hep 25
dee   33 chem 70
eli   34 chem 30
fay   35 bio 1
gus 36 bio 3
hal 37 bio 1
geo 38 root 9
zed 39 geo 2
astro 21 chem 40
cy 32 astro 100
END
)"
verdict "sched_config is what the edits say" "$(diff "$srcdir/tests/data/pbs/11_drift/sched_config" \
	"$work/priv/sched_config" | grep '^>' | grep -v '^> #' | diff - /dev/fd/3 3<< 'END'
> fair_share: False
> unknown_shares: 7
> fairshare_decay_time: 48:00:00
> job_sort_key: "ncpus HIGH"
> job_sort_key: "walltime LOW"
END
)"
verdict "commands follow" "$(sed "s|$work/bin/||" "$work/calls" | diff - /dev/fd/3 3<< 'END'
qmgr -c unset sched job_sort_formula
pbsfs -s fay 5
END
)"
rm -f "$work/priv"/*.[0-9]*
run_export "$@" --export pbs --inverse > /dev/null 2>&1
verdict "the inverse takes all of it back" "$(
	for file in resource_group sched_config; do
		grep -v '^#' "$work/priv/$file" | tr -s ' \t' '  ' | sed 's/ ALL$//' |
			sort -f > "$work/out"
		grep -v '^#' "$srcdir/tests/data/pbs/11_drift/$file" | tr -s ' \t' '  ' |
			sed 's/ ALL$//' | sort -f | diff -i - "$work/out"
	done)"
echo "Parent ginfo of gus doesnt exist." > "$work/bad"
sed -i 's/^bad=.*/bad=0/' "$work/script.here"
cp "$work/priv/resource_group" "$work/out"
sleep 1
PATH=$work/bin:$PATH bash "$work/script.here" > "$work/refused" 2>&1
verdict "a tree that pbsfs refuses is taken back" "$(cmp "$work/out" "$work/priv/resource_group"
	grep -q 'as it was: Parent ginfo of gus' "$work/refused" || cat "$work/refused")"

# Both logs side by side: what is left of the bar is the one of --rules document, what is right of
# it the one of OpenPBS.
"$fairtop" cycle "$pbs" --both > "$work/both"
for side in new openpbs; do
	sed '/^$/,$d; s/^[^;]*;//' "$work/$side" > "$work/$side.lines"
done
verdict "the log of the document stands on the left" "$(sed '/^$/,$d; 1d; s/ *|.*//; /^$/d' \
	"$work/both" | diff - "$work/new.lines" | head -n 4)"
verdict "that of OpenPBS on the right" "$(sed '/^$/,$d; 1d; s/.*| //' "$work/both" |
	diff - "$work/openpbs.lines" | head -n 4)"

answers '^queue:workq.priority ' seek "pbs:$srcdir/tests/data/pbs/02_formula" job:118 --reach 1
verdict "no weight of Slurm is sought on PBS" "$(grep -E 'weight|nice' "$work/out")"
verdict "and none is tried" "$("$fairtop" jobs "$pbs" --set weight.age=3 2>&1 |
	grep -v 'edit "weight.age = 3": PBS has no such setting, it is one of Slurm')"

exit $failed
