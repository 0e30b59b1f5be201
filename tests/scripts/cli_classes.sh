#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop classes` and `fairtop cycle` from outside: every pending or running job is in exactly one
# class, excluding a component never splits one, an unknown name is a warning and not an error, and
# a cycle with classes starts the same jobs as one without.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"

sum()
{
	"$fairtop" classes demo --format csv --columns jobs "$@" 2> "$work/err" |
		awk 'NR > 1 { n += $1; c++ } END { print n, c }'
}

jobs=$("$fairtop" jobs demo --format csv --columns id,state \
	--filter 'state=PENDING | state=RUNNING | state=SUSPENDED' |
	awk -F , 'NR > 1 { seen[$1] = 1 } END { for (i in seen) n++; print n }')
read -r in_classes all <<EOF
$(sum)
EOF
verdict "every job is in one class" "$([ "$in_classes" = "$jobs" ] || echo "$in_classes in classes, $jobs jobs")"
read -r in_classes merged <<EOF
$(sum --exclude user,time_limit)
EOF
problem=
if [ "$in_classes" != "$jobs" ] || [ "$merged" -ge "$all" ]; then
	problem="$in_classes jobs in $merged classes of $all"
fi
verdict "excluding merges only" "$problem"
sum --exclude nonsense > "$work/out"
problem=
if ! grep -q 'no job asks for nonsense' "$work/err" ||
	[ "$(cut -d ' ' -f 2 "$work/out")" != "$all" ]; then
	problem=$(cat "$work/err" "$work/out")
fi
verdict "an unknown name is a warning" "$problem"
"$fairtop" cycle demo --exclude time_limit > "$work/new"
"$fairtop" cycle demo --exclude time_limit --old > "$work/old"
grep ';Job run$' "$work/new" > "$work/new.run"
grep ';Job run$' "$work/old" > "$work/old.run"
verdict "classes start the same jobs" "$(cmp "$work/new.run" "$work/old.run" 2>&1;
	[ -s "$work/old.run" ] || echo none)"
verdict "the old log considers every job" "$(awk -F ';' '/;Considering/ { c++; next }
	/^[0-9\/]+ [0-9:]+;/ { n++ } END { if (c != n || n < 100) print c " of " n }' "$work/old")"
verdict "the new log considers fewer" "$([ "$(grep -c ';Considering' "$work/new")" -lt \
	"$(grep -c ';Considering' "$work/old")" ] || echo no)"
"$fairtop" cycle demo --exclude time_limit --format csv |
	grep -v ,left-out, > "$work/rows"
verdict "the rows of a cycle are its log" "$(awk -F ';' '/^$/ { exit } /;Considering/ { next }
	/;/ { print $2 "," ($3 == "Job run" ? "" : $3) }' "$work/new" > "$work/log.jobs"
	awk -F , 'NR > 1 { print $2 "," $8 }' "$work/rows" | cmp - "$work/log.jobs" 2>&1)"
"$fairtop" cycle demo --exclude time_limit --format json > "$work/json"
saved=$(sed -n 's/^.*classes save \([0-9]*\) of.*$/\1/p' "$work/new")
verdict "JSON has the sums of the log" "$(grep -q "\"saved\":${saved:-none}[,}]" "$work/json" ||
	echo "saved $saved: $(head -c 300 "$work/json")")"
"$fairtop" cycle demo --exclude time_limit --filter outcome=run > "$work/out"
verdict "a filter makes rows of it" "$(
	[ "$(grep -c ' run ' "$work/out")" -eq "$(wc -l < "$work/new.run")" ] || head -n 3 "$work/out")"
# A class is the same in all verbs that use the same rules.
for rules in "" "--exclude user,account,time_limit" "--rules document"; do
	# shellcheck disable=SC2086 # words of options
	{
		ids=$("$fairtop" classes demo --filter class=2 --columns jobs --format csv $rules |
			tail -n 1)
		told=$("$fairtop" explain demo class:2 --format csv $rules |
			sed -n 's/^jobs,,,\([0-9]*\),.*$/\1/p')
		"$fairtop" compare demo class:2 class:3 $rules > "$work/out" 2>&1
	}
	verdict "class 2 is the same one for explain and compare ($rules)" "$(
		[ -n "$ids" ] && [ "$ids" = "$told" ] || echo "$ids, explain: $told"
		grep -q 'class 2 and class 3: same except for' "$work/out" || head -n 2 "$work/out")"
done
"$fairtop" classes demo --rules nonsense 2> "$work/err"
verdict "unknown rules are exit 2" "$([ $? -eq 2 ] || echo "exit $?")"
# Two tasks of an array run, and three may at a time: one more starts.
cat > "$work/array" << 'END'
{"fairtop-snapshot":1,"kind":"slurm","cluster":"c","time":1000,"policy":{}}
{"job":{"id":101,"array":100,"task":1,"user":"u","partition":"p","state":"RUNNING","priority":1}}
{"job":{"id":102,"array":100,"task":2,"user":"u","partition":"p","state":"RUNNING","priority":1}}
{"job":{"id":100,"array":100,"tasks":"3-9%3","user":"u","partition":"p","state":"PENDING","priority":1}}
{"host":{"name":"n","state":"IDLE","cpus":4,"tres":{"cpu":4,"node":1}}}
{"end":{"job":3,"host":1}}
END
"$fairtop" cycle "$work/array" --format csv --columns id,outcome > "$work/rows" 2> "$work/err"
verdict "what runs of an array counts in what may run at once" "$(
	printf 'id,outcome\n100_3,run\n100,blocked\n' | cmp - "$work/rows" 2>&1 ||
	cat "$work/rows" "$work/err")"
# The column "class" of jobs has the numbers of classes, only for PBS.
pbs=pbs:$srcdir/tests/data/pbs/15_array
"$fairtop" classes "$pbs" --format csv --columns class,ids 2> "$work/err" | tail -n +2 | tr -d '"' |
	awk -F , '{ for (i = 2; i <= NF; i++) { sub(/\..*/, "", $i); print $i "," $1 } }' |
	sort > "$work/should"
"$fairtop" jobs "$pbs" --format csv --columns id,class --filter 'class>=0' 2> "$work/err" |
	tail -n +2 | sort > "$work/is"
verdict "jobs have the class that classes has" "$(
	[ "$(cut -d , -f 2 "$work/is" | sort -u | wc -l)" -gt 1 ] || echo "no two classes:"
	diff "$work/should" "$work/is")"
verdict "no class but of PBS" "$("$fairtop" jobs demo --format csv --columns class | tail -n +2 |
	grep -m 1 .)"
# Two jobs of PBS compared: one class, or what makes them two; with excluded components, too.
main=pbs:$srcdir/tests/data/pbs/01_main
answers 'equivalence class,,,,false,"?both are in class 2' compare "$main" job:13 job:21 --format csv
answers 'equivalence class,,,,false,"?class 2 and class 3' compare "$main" job:13 job:14 --format csv
answers 'class: walltime,,,,false,03:00:00 against 04:00:00' compare "$main" job:13 job:14 --format csv
answers 'equivalence class,,,,false,"?both are in' compare "$main" job:13 job:14 --format csv \
	--exclude walltime
verdict "no class but of PBS compared" "$("$fairtop" compare demo job:141470 job:141469 |
	grep 'equivalence')"
# A limit of groups makes classes by group, which only managers can see: without groups there may be
# more classes than are shown.
limits=$srcdir/tests/data/pbs/04_limits
mkdir "$work/groups"
at_least()
{
	"$fairtop" "$@" 2>&1 > "$work/out" | grep -E -o 'classes: (at least|their number) [^:]*'
}
for case in c_srv_group b_srv_user; do
	for what in qstat_Bf qstat_Qf; do
		cp "$limits/$case.$what.json" "$work/groups/$what.json"
	done
	cp "$limits/qstat_f.json" "$work/groups"
	verdict "$case: told groups" "$(at_least classes "pbs:$work/groups")"
	grep -v '"egroup"' "$limits/qstat_f.json" > "$work/groups/qstat_f.json"
	at_least classes "pbs:$work/groups" --format csv > "$work/said"
	seen=$(($(wc -l < "$work/out") - 1))
	case $case in
	c_*) wanted="classes: at least $seen" ;;
	*) wanted='' ;;
	esac
	verdict "$case: untold groups" "$([ "$(cat "$work/said")" = "$wanted" ] || cat "$work/said")"
done
cp "$limits/c_srv_group.qstat_Bf.json" "$work/groups/qstat_Bf.json"
verdict "groups that are excluded part none" "$(at_least classes "pbs:$work/groups" --exclude egroup)"
sed '0,/"egroup"/{/"egroup"/d;}' "$limits/qstat_f.json" > "$work/groups/qstat_f.json"
verdict "some groups untold" "$(at_least classes "pbs:$work/groups" |
	grep -q 'their number is unknown' || echo 'not said')"
exit $failed
