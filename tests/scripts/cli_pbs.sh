#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A capture of OpenPBS 23.06.06 from outside: its numbers verified, a class explained, two
# compared, and the two logs of a scheduling cycle as PBS's design document shows them: the old one
# has a "Considering" line for each job, the new one only for the first of a class that cannot run.
# No PBS is needed.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
pbs=pbs:$srcdir/tests/data/pbs/01_main
TZ=UTC
export TZ

answers 'usage .* equal .*pbsfs' verify "$pbs"
answers 'the same class|same except for' compare "$pbs" class:0 class:12
answers '^class 14 of 35, by the rules of openpbs' explain "$pbs" class:14
answers '^reason +=.*Insufficient amount of resource: ncpus' explain "$pbs" class:14
answers '^walltime += 04:00:00' explain "$pbs" class:14
answers '"fairshare_decay_factor":0\.5[,}]' accounts "$pbs" --format json
# If the tree could not be read, it is not said that there is none.
mkdir "$work/treeless"
cp "$srcdir/tests/data/pbs/01_main"/*.json "$work/treeless"
"$fairtop" accounts "pbs:$work/treeless" > "$work/out" 2> "$work/err"
verdict "accounts that could not be read" "$([ $? -eq 0 ] &&
	grep -q 'accounts: no account is known$' "$work/err" || cat "$work/err")"
# Likewise sched_config: PBS's default is named as such wherever it matters.
answers 'by_queue: queue by queue \(PBS.s default: sched_config was not read\)' \
	explain "pbs:$work/treeless" job:75
answers 'unknown: fair_share is in sched_config, which was not read' \
	explain "pbs:$work/treeless" job:75
answers 'equal; with PBS.s defaults, as sched_config was not read$' compare "pbs:$work/treeless" \
	job:114 job:75
answers 'strict_ordering was not read: PBS.s default is off' cycle "pbs:$work/treeless"
answers 'by its Priority \(PBS.s default: sched_config' explain "pbs:$work/treeless" job:75
lacks 'fair_share is off and' explain "pbs:$work/treeless" job:75
# unknown_shares are part of every sum of shares below the root.
mkdir "$work/conf" "$work/usage"
cp "$srcdir/tests/data/pbs/01_main"/* "$work/conf"
rm "$work/conf/sched_config" "$work/conf/pbsfs.txt"
answers '^/physics,,[0-9]' accounts "pbs:$work/conf" --format csv --columns path,norm_shares,usage
rm "$work/conf/usage"
cp "$srcdir/tests/data/pbs/01_main/pbsfs.txt" "$work/conf"
answers 'ines: no share .* if fairshare_enforce_no_shares, which was not read, is set, they' \
	lint "pbs:$work/conf"
# An invalid value of a parameter is refused, with its name and what was expected.
tab=$(printf '\t')
for edit in fairshare_decay_factor=2 fairshare_decay_factor=much fairshare_decay_time=0 \
	"preempt_prio=express_queue,${tab}normal_jobs" preempt_prio=express \
	preempt_prio=fairshare+ job_sort_formula_threshold=much; do
	"$fairtop" whatif "$pbs" --set "$edit" > "$work/out" 2> "$work/err"
	verdict "refused: $edit" "$([ $? -eq 2 ] &&
		grep -q -E "${edit%%=*}: cannot read .*expected" "$work/err" || tail -n 1 "$work/err")"
done
answers '.' whatif "$pbs" --set 'preempt_prio=express_queue, fairshare+queue_softlimits,normal_jobs'
# The scheduler charges by any attribute that fairshare_entity names, and by egroup:euser if it does
# not query that attribute of jobs. If qstat prints it in another form, the entity is unknown.
mkdir "$work/entity"
cp "$srcdir/tests/data/pbs/23_entity"/* "$work/entity"
# charged ENTITY: prints the entities that have jobs
charged()
{
	sed -i "s/^fairshare_entity.*/fairshare_entity: $1/" "$work/entity/sched_config"
	"$fairtop" accounts "pbs:$work/entity" --format csv --columns user,pending 2> "$work/err" |
		sed -n 's/^\(..*\),[1-9][0-9]*$/\1/p' | sort | tr '\n' ' '
}
for entity in project=_pbs_project_default Job_Name=STDIN Priority=0; do
	verdict "charged by ${entity%=*}" "$(found=$(charged "${entity%=*}")
		[ "$found" = "${entity#*=} " ] || echo "$found")"
done
right=$(charged egroup:euser)
verdict "an attribute that is not asked for" "$(found=$(charged mtime)
	[ -n "$right" ] && [ "$found" = "$right" ] || echo "$found, expected $right")"
verdict "one that is printed otherwise" "$(charged etime)"
verdict "lint says that it is none" "$("$fairtop" lint "pbs:$work/entity" 2>&1 |
	grep -q 'fairshare_entity: etime: pbs_sched reports an error but still charges by that' ||
	echo "not told")"
answers 'the entity charged, or its usage, is unknown' cycle "pbs:$work/entity"
# Prime time and non-prime time: the capture is of Friday 03:50.
mkdir "$work/prime"
cp "$srcdir/tests/data/pbs/01_main"/* "$work/prime"
{
	grep -v by_queue "$srcdir/tests/data/pbs/01_main/sched_config"
	printf 'by_queue True prime\nby_queue False non_prime\n'
} > "$work/prime/sched_config"
"$fairtop" jobs "pbs:$work/prime" --format csv --columns rank > "$work/out" 2> "$work/err"
verdict "two values, and nobody knows which: no job has a rank" "$(grep '[0-9]' "$work/out"
	grep -q 'by_queue is "True" in prime time and "False" at all other times: which applies' \
		"$work/err" && grep -q 'order of jobs: the order is unknown, as by_queue' "$work/err" ||
		cat "$work/err")"
answers 'job:75, rank unknown: by_queue is unknown' explain "pbs:$work/prime" job:75
answers 'their order is unknown, because by_queue is unknown' compare "pbs:$work/prime" job:114 job:75
answers '^75,[0-9]' jobs "pbs:$work/prime" --set by_queue=False --format csv --columns id,rank
sed 's/by_queue/strict_ordering/' "$work/prime/sched_config" > "$work/own"
cp "$work/own" "$work/prime/sched_config"
answers 'which of them run is unknown: strict_ordering, strict_fifo or backfill is unknown' \
	cycle "pbs:$work/prime"
answers '"calendar":null,"run":null' cycle "pbs:$work/prime" --format json
answers 'no cycle: strict_ordering or backfill is unknown' "pbs:$work/prime" --render 120x40 --keys 4
sed 's/strict_ordering/by_queue/' "$work/own" > "$work/prime/sched_config"
printf 'YEAR 2026\nweekday 0600 1730\n' > "$work/prime/holidays"
answers 'by_queue +False .*scheduler$' policy "pbs:$work/prime"
verdict "by the hour it is as with that value alone" "$(
	"$fairtop" jobs "pbs:$work/prime" --format csv --columns id,rank 2> /dev/null > "$work/out"
	"$fairtop" jobs "$pbs" --format csv --columns id,rank 2> /dev/null | cmp - "$work/out")"
# Without the usage file usage is unknown, not 0.
cp "$srcdir/tests/data/pbs/01_main"/* "$work/usage"
rm "$work/usage/usage" "$work/usage/pbsfs.txt"
answers '^/physics,0.38095[0-9]*,,$' accounts "pbs:$work/usage" --format csv \
	--columns path,norm_shares,usage,effective_usage
answers '^,57$' jobs "pbs:$work/usage" --format csv --columns rank,id
answers '^0 jobs: 0 run' cycle "pbs:$work/usage"
"$fairtop" accounts "pbs:$work/usage" > "$work/out" 2>&1
verdict "a usage file that is missing is named" "$(
	grep -q 'past usage was not read' "$work/out" ||
	head -n 3 "$work/out")"
verdict "there are as many classes as the scheduler made" "$(
	n=$("$fairtop" classes "$pbs" --format csv --columns class | grep -c '[0-9]')
	[ "$n" = 35 ] || echo "$n, not 35")"
# qstat has 59 running jobs, and an array that has begun.
verdict "as many jobs run in classes as qstat has running" "$(
	n=$("$fairtop" classes "$pbs" --format csv --columns running |
		awk '{ n += $1 } END { print n }')
	r=$(grep -c '"job_state":[[:blank:]]*"R"' "${pbs#pbs:}/qstat_ft_json.json")
	[ "$n $r" = "59 59" ] || echo "$n and $r")"

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
	[ "$(grep -c 100:00:00 "$work/out")" = 3 ] || cat "$work/out")"

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
# Neither recorded cycle of 01_main has a top job; that of 02_formula, with strict_ordering, has
# five (grep -c 'Job is a top job').
verdict "without strict_ordering nothing is calendared" "$(
	grep -q 'places on the calendar: 0 (strict_ordering is off)$' "$work/new" ||
	tail -n 1 "$work/new")"
answers 'places on the calendar: 5$' cycle "pbs:$srcdir/tests/data/pbs/02_formula"
answers '^rules openpbs; lines "Considering": 73 as OpenPBS logs, with classes and without, 21 in' \
	cycle "$pbs"

# Without pbsnodes, or without the states of vnodes, it is unknown which jobs run.
mkdir "$work/blind"
cp "$srcdir/tests/data/pbs/01_main"/* "$work/blind"
for blind in states nodes; do
	nodes=$work/blind/pbsnodes_av_json.json
	sed -i 's/"state"/"estate"/' "$nodes"
	[ $blind = states ] || rm "$nodes"
	answers '^73 jobs: which of them run is unknown: no data on hosts' \
		cycle "pbs:$work/blind"
	lacks ';Job run' cycle "pbs:$work/blind"
	answers '"run":null,' cycle "pbs:$work/blind" --format json
	answers '^1,,unknown: no data on hosts' cycle "pbs:$work/blind" --format csv \
		--columns place,outcome,reason
	verdict "why stands first: $blind" "$("$fairtop" cycle "pbs:$work/blind" 2>&1 >/dev/null |
		grep -q 'which jobs run is unknown$' || echo no)"
done
mkdir "$work/nobody"
cp "$srcdir/tests/data/pbs/14_limits/"*.json "$work/nobody"
verdict "groups that are told are followed" "$("$fairtop" cycle "pbs:$work/nobody" |
	grep 'groups of jobs')"
sed 's/"egroup":"[a-z]*",//g' "$srcdir/tests/data/pbs/14_limits/qstat_ft.json" \
	> "$work/nobody/qstat_ft.json"
answers 'no job under a group limit, if there are any, runs here$' cycle "pbs:$work/nobody"

# Job 498 requests "1:ncpus=2:mem=1gb" with place vscatter; here with hostile values.
mkdir "$work/asked"
cp "$srcdir/tests/data/pbs/20_queue"/* "$work/asked"
# asks ID SED: changes job ID's line of qstat by SED, prints the job's row of the cycle
asks()
{
	sed 's/},"\([0-9]*\(\[\]\)*.pbshead":\)/},\n"\1/g' \
		"$srcdir/tests/data/pbs/20_queue/qstat_ft.json" |
		sed "/^\"$1.pbshead\"/{$2}" > "$work/asked/qstat_ft.json"
	timeout 60 "$fairtop" cycle "pbs:$work/asked" --format csv 2>&1 |
		grep "$1.pbshead"
}
# asked WHAT REGEX ID SED: that row matches
asked()
{
	verdict "$1" "$(asks "$3" "$4" > "$work/out"; grep -q -E -e "$2" "$work/out" ||
		echo "no $2: $(cat "$work/out")")"
}
select='s/"1:ncpus=2:mem=1gb"/"NEW"/g; s/"vscatter"/"free"/'
asked "a job runs" ',run$|,run,' 498 "$select; s/NEW/1:ncpus=2:mem=1gb/g"
for new in 4000000000:ncpus=0 4000000000:ncpus=0:mem=0gb 4294967295:ncpus=0+4294967295:ncpus=0; do
	asked "chunks of nothing fit at once: $new" ',run$|,run,' 498 "$select; s/NEW/$new/g"
done
for new in 4294967296:ncpus=1 99999999999999999999:ncpus=1 4294967295:ncpus=1+1:ncpus=1; do
	asked "no number of chunks is too large to be too many: $new" ',blocked,|,calendared' 498 \
		"$select; s/NEW/$new/g"
done
# No vnode has "file": an amount of 0 requests nothing, but "color" is a string.
sed -i 's/^resources: "/&file, /' "$work/asked/sched_config"
for new in ncpus=2:file=0 file=0kb:ncpus=2 file=0:ncpus=2:ngpus=0; do
	asked "an amount of 0 is on every vnode: $new" ',run$|,run,' 498 "$select; s/NEW/1:$new/g"
done
for new in file=1 file=1kb color=0; do
	asked "but not: $new" "blocked.*Insufficient amount of resource: ${new%%=*}" 498 \
		"$select; s/NEW/1:ncpus=2:$new/g"
done
# A resource that is unset is infinite if resource_unset_infinite says so.
echo 'resource_unset_infinite: "file, color"' >> "$work/asked/sched_config"
for new in file=1 file=1tb; do
	asked "what is not set is endless: $new" ',run$|,run,' 498 "$select; s/NEW/1:ncpus=2:$new/g"
done
asked "not where others have it set" 'blocked.*of resource: color' 498 \
	"$select; s/NEW/1:ncpus=2:color=green/g"
cp "$srcdir/tests/data/pbs/20_queue/sched_config" "$work/asked"
# Without a usable select the totals count; the resources of reservation R1 are unknown.
reserved='s/"substate"/"reserve_ID":"R1.pbshead",&/; s/"ncpus":[0-9]*/"ncpus":100000/'
unknown='s/"schedselect":"[^"]*",//; s/"select":"[^"]*",//; s/"ncpus":[0-9]*/"ncpus":100000/'
asked "a job of a reservation that is not told: nobody knows whether it is looked at" \
	'^,490.*,left-out,,,the resources of its reservation are unknown' 490 "$reserved"
asked "one of unknown select, too, and is not calendared" 'blocked.*Insufficient.*ncpus' 490 \
	"$unknown"
cp "$srcdir/tests/data/pbs/20_queue/qstat_ft.json" "$work/asked"
answers 'vnodes, limits; not: preemption' cycle "pbs:$work/asked"
rm "$work/asked/sched_config"
answers 'vnodes, limits; node_sort_key unknown; not: preemption' cycle "pbs:$work/asked"

# Settings that the cycle ignores are named only where they exist.
cp "$srcdir/tests/data/pbs/20_queue"/* "$work/asked"
verdict "nothing is said of what is not there" "$("$fairtop" cycle "pbs:$work/asked" 2>&1 |
	grep -E 'not followed')"
sed -i 's/^smp_cluster_dist:.*/smp_cluster_dist: round_robin/' "$work/asked/sched_config"
said='smp_cluster_dist is round_robin: it is not followed'
verdict "$said" "$("$fairtop" cycle "pbs:$work/asked" 2>&1 | grep -q -F "$said" ||
	"$fairtop" cycle "pbs:$work/asked" 2>&1 | grep '^fairtop')"

printf 'server_dyn_res: "seats !/usr/bin/seats"\ndedicated_prefix: g\n' >> "$work/asked/sched_config"
for said in 'server_dyn_res: its output is unknown and not followed: seats !/usr/b' \
	'queue grp runs jobs in dedicated time only: it is not followed'; do
	verdict "$said" "$("$fairtop" cycle "pbs:$work/asked" 2>&1 | grep -q -F "$said" ||
		"$fairtop" cycle "pbs:$work/asked" 2>&1 | grep '^fairtop')"
done

# A vnode of 8 CPUs, 6 of them in use for an hour, and jobs of ten minutes, alternately of two
# queues: the outcome of each by backfill_depth of the server, of east, of west, and lines of
# sched_config. r: runs, c: calendared, b: blocked, p: passed over.
mkdir "$work/two"
# json KEY NAME:MEMBERS... as qstat and pbsnodes print them, at a fixed time
json()
{
	printf '{"timestamp":1795146619,"pbs_version":"23.06.06","pbs_server":"head","%s":{' "$1"
	shift
	join=
	for one; do
		printf '%s"%s":{%s}' "$join" "${one%%:*}" "${one#*:}"
		join=,
	done
	printf '}}\n'
}
# job NUMBER QUEUE NCPUS WALLTIME [STATE [CHUNKS [PLACE]]]
job()
{
	select=${6:-1}:ncpus=$3
	printf '%s.head:"job_state":"%s","queue":"%s","euser":"ann","egroup":"ann","project":"p",' \
		"$1" "${5:-Q}" "$2"
	printf '"Resource_List":{"select":"%s","ncpus":%d,"place":"%s","walltime":"%s"},' \
		"$select" $(($3 * ${6:-1})) "${7:-free}" "$4"
	printf '"schedselect":"%s","queue_rank":%s,"stime":"Fri Nov 20 03:50:19 2026"' "$select" "$1"
	[ "${5:-Q}" = Q ] || printf ',"exec_vnode":"(n1:ncpus=%s)"' "$3"
}
# vnode NAME MEMBERS: one of 8 CPUs with these additional resources
vnode()
{
	printf '%s:"state":"free","resources_available":{"ncpus":8,"host":"%s","vnode":"%s"%s}' \
		"$1" "$1" "$1" "$2"
}
started='"queue_type":"Execution","enabled":"True","started":"True"'
# two SERVER EAST WEST CONFIG: writes that cluster
two()
{
	json Server "head:\"server_state\":\"Active\"$1" > "$work/two/qstat_Bf.json"
	json Queue "east:$started$2" "west:$started$3" > "$work/two/qstat_Qf.json"
	json nodes "$(printf '%s' 'n1:"state":"free","resources_available":{"ncpus":8,"host":"n1",' \
		'"vnode":"n1"},"resources_assigned":{"ncpus":6}')" > "$work/two/pbsnodes_av.json"
	json Jobs "$(job 0 east 6 01:00:00 R)" "$(job 1 east 4 00:10:00)" \
		"$(job 2 west 5 00:10:00)" "$(job 3 east 6 00:10:00)" "$(job 4 west 7 00:10:00)" \
		"$(job 5 east 1 00:10:00)" "$(job 6 west 1 00:10:00)" > "$work/two/qstat_f.json"
	printf 'resources: "ncpus";by_queue: false;%s' "$4" | tr ';' '\n' > "$work/two/sched_config"
}
# outcomes EXPECTED SERVER EAST WEST CONFIG: the outcomes there, by their first letters
outcomes()
{
	expected=$1
	shift
	two "$@"
	"$fairtop" cycle "pbs:$work/two" --format csv --columns outcome > "$work/out" 2> "$work/err"
	verdict "backfill_depth$1, $2, $3, $4: $expected" "$(sed 1d "$work/out" | cut -c 1 | tr -d '\n' |
		grep -q -x "$expected" || cat "$work/out")"
}
depth=',"backfill_depth":'
strict='strict_ordering: true;'
outcomes bbbbrr '' '' '' ''
outcomes cbbbrr '' '' '' "$strict"
outcomes ccbbrr "${depth}2" '' '' "$strict"
outcomes bppppp "${depth}0" '' '' "$strict"
outcomes bppppp '' '' '' "${strict}backfill: false;"
outcomes bcpbpr '' "${depth}0" '' "$strict"	# east alone is stopped
outcomes bbpppp '' "${depth}0" "${depth}0" "$strict"
outcomes ccbcrr '' '' "${depth}2" "$strict"
outcomes bcbcrr "${depth}0" '' "${depth}2" "$strict"	# it turns backfill on for all
outcomes cccbrr '' "${depth}2" '' "${strict}backfill: false;"
outcomes bbpppp '' '' '' 'strict_fifo: true;'
outcomes cbpppp '' '' '' "${strict}strict_fifo: true;"
outcomes bbbbrr '' "${depth}2" "${depth}0" ''	# without strict_ordering there are no places
# A job with topjob_ineligible gets no place on the calendar; the next one does.
two '' '' '' "$strict"
sed -i 's/1\.head":{/&"topjob_ineligible":"True",/' "$work/two/qstat_f.json"
"$fairtop" cycle "pbs:$work/two" --format csv --columns outcome > "$work/out" 2> "$work/err"
verdict "topjob_ineligible" "$(sed 1d "$work/out" | cut -c 1 | tr -d '\n' | grep -q -x bcbbrr ||
	cat "$work/out")"
two '' '' '' ''
for file in Bf:server Qf:queues; do
	rm "$work/two/qstat_${file%:*}.json"
	verdict "${file#*:} that was not saved" "$("$fairtop" cycle "pbs:$work/two" 2>&1 >"$work/out" |
		grep -q "cycle: .*${file#*:} w.* not read" || echo "not told")"
done
# The scheduler runs only queued jobs, in execution queues.
two '' '' '' ''
sed -i 's/"queue":"west"/"queue":"hub"/g' "$work/two/qstat_f.json"
sed -i 's/"west":{/"hub":{"queue_type":"Route","started":"True"},&/' "$work/two/qstat_Qf.json"
answers '^  its queue routes jobs and runs none: 2.head, 4.head, 6.head$' cycle "pbs:$work/two"
for state in T,moved W,come; do
	two '' '' '' ''
	sed -i "s/5\.head\":{\"job_state\":\"Q/5.head\":{\"job_state\":\"${state%,*}/" \
		"$work/two/qstat_f.json"
	answers "^  it.*${state#*,}: 5.head$" cycle "pbs:$work/two"
done
two '' "${depth}0" '' "$strict"
answers "^own calendar places of queue east: 0$" cycle "pbs:$work/two"

# Negative amounts are valid, for jobs and vnodes; and the formula's values in the log are compared
# even without the tree, unless the formula uses it.
mkdir "$work/less"
# stands FILE KEY STANZAS: writes FILE.json
stands()
{
	printf '{"timestamp":1795000000,"pbs_version":"23.06.06","pbs_server":"head","%s":{%s}}\n' \
		"$2" "$3" > "$work/less/$1.json"
}
# waits ID CREDIT: a pending job
waits()
{
	printf '"%s.head":{"Job_Owner":"ada@head","job_state":"Q","queue":"q","Hold_Types":"n",' "$1"
	printf '"euser":"ada","substate":10,"queue_rank":%s,"Resource_List":{"credit":%s,' "$1" "$2"
	printf '"ncpus":1,"nodect":1,"select":"1:ncpus=1"},"schedselect":"1:ncpus=1"}'
}
formula_is()
{
	stands qstat_Bf Server "\"head\":{\"server_state\":\"Active\",\"job_sort_formula\":\"$1\"}"
}
stands qstat_f Jobs "$(waits 21 -9),$(waits 22 -3.5),$(waits 23 0)"
stands qstat_Qf Queue '"q":{"queue_type":"Execution","enabled":"True","started":"True"}'
stands pbsnodes_av nodes '"n1":{"state":"free","resources_available":{"ncpus":4,"credit":-6},
	"resources_assigned":{"ncpus":0,"credit":-2}}'
formula_is 'round(credit / 2)'
cat > "$work/less/sched_log" << 'END'
11/18/2026 11:06:40;0080;pbs_sched;Req;;Starting Scheduling Cycle
11/18/2026 11:06:40;0100;pbs_sched;Job;21.head;Formula Evaluation = -4
11/18/2026 11:06:40;0100;pbs_sched;Job;22.head;Formula Evaluation = -2
11/18/2026 11:06:40;0100;pbs_sched;Job;23.head;Formula Evaluation = 0
END
verdict "negative amounts order jobs" "$("$fairtop" jobs "pbs:$work/less" --format csv \
	--columns rank,id,priority 2> /dev/null | sed 1d | sort | diff - /dev/fd/3 3<< 'END'
1,23,0
2,22,-2
3,21,-4
END
)"
answers '"credit":-9' jobs "pbs:$work/less" --format json
"$fairtop" snapshot "pbs:$work/less" > "$work/less.snapshot" 2> "$work/err"
answers '"credit":-9' jobs "$work/less.snapshot" --format json
answers '^formula of jobs +3 +0 .* equal ' verify "pbs:$work/less"
formula_is 'credit / 2'
"$fairtop" verify "pbs:$work/less" > "$work/out" 2> "$work/err"
verdict "and differ where the formula is another" "$([ $? = 1 ] || cat "$work/out" "$work/err")"
formula_is 'credit + fairshare_perc'
"$fairtop" verify "pbs:$work/less" > "$work/out" 2> "$work/err"
verdict "the share in a formula is the tree's" "$([ $? = 4 ] &&
	grep -q 'not-comparable .*fair share is in sched_priv' "$work/out" &&
	grep -q 'the fair-share tree was not read' "$work/err" || cat "$work/out" "$work/err")"

# Resources of a queue and of the server, whether vnodes have them or not. Reported assigned amounts
# count, else those of running jobs.
has='"resources_available":{"ncpus"'
out='"resources_assigned":{"ncpus"'
outcomes bbbbbr '' ",$has:6}" '' ''
answers ';5.head;Insufficient amount of queue resource: ncpus' cycle "pbs:$work/two"
outcomes bbbbrr '' ",$has:7}" '' ''
outcomes bbbbbr '' ",$has:7},$out:7}" '' ''
outcomes bbbbrb ",$has:7}" '' '' ''
answers ';6.head;Insufficient amount of server resource: ncpus' cycle "pbs:$work/two"
outcomes bbbbbp ",$has:7},$out:7}" '' '' ''
outcomes bcbbbr '' ",$has:3}" '' "$strict"	# 4 of 3 never run
outcomes cbbbbr '' ",$has:4}" '' "$strict"	# they do once what runs has ended

# Likewise a string: a job that requests another value never runs.
for has in blue=cbbbrr red,blue=cbbbrr red=bcbbbr True=bcbbbr; do
	two '' ",\"resources_available\":{\"color\":\"${has%=*}\"}" '' "$strict"
	sed -i 's/"ncpus":[0-9],/&"color":"blue",/g' "$work/two/qstat_f.json"
	sed -i 's/ncpus"/ncpus, color"/' "$work/two/sched_config"
	"$fairtop" cycle "pbs:$work/two" --format csv --columns outcome > "$work/out" 2> "$work/err"
	verdict "blue of a queue of ${has%=*}" "$(sed 1d "$work/out" | cut -c 1 | tr -d '\n' |
		grep -q -x "${has#*=}" || cat "$work/out")"
done

# A vnode's memory counts in whole MiB: 2559 kB are 2048.
for mem in 2048kb 2049kb; do
	two '' '' '' ''
	sed -i 's/"ncpus":8/&,"mem":"2559kb"/' "$work/two/pbsnodes_av.json"
	json Jobs "$(job 1 east 1 00:10:00 | sed "s/select\":\"1:ncpus=1/&:mem=$mem/g")" \
		> "$work/two/qstat_f.json"
	sed -i 's/ncpus"/ncpus, mem"/' "$work/two/sched_config"
	"$fairtop" cycle "pbs:$work/two" > "$work/$mem" 2> "$work/err"
done
verdict "2048 kB of 2559 kB run" "$(grep -q ';Job run' "$work/2048kb" || cat "$work/2048kb")"
verdict "2049 kB do not" "$(grep -q 'Insufficient amount of resource: mem' "$work/2049kb" ||
	cat "$work/2049kb")"

# An amount that vnodes share is ignored, which is said once.
two '' '' '' ''
json nodes "$(vnode a ',"gpu":2')" "$(vnode b ',"gpu":"@a"')" "$(vnode c ',"gpu":"@a"')" \
	> "$work/two/pbsnodes_av.json"
verdict "shared amounts are named" "$("$fairtop" cycle "pbs:$work/two" 2>&1 > "$work/out" |
	grep 'vnode b has gpu of another, @a: it is not followed' | wc -l | grep -v '^ *1$')"

# One of two vnodes has tokens: the other has infinitely many if resource_unset_infinite says so.
for endless in '' 'resource_unset_infinite: "tokens"'; do
	two '' '' '' ''
	json nodes "$(vnode a '')" "$(vnode b ',"tokens":4')" > "$work/two/pbsnodes_av.json"
	json Jobs "$(job 1 east 8 00:10:00)" "$(job 2 east 8 00:10:00)" |
		sed 's/1:ncpus=8/&:tokens=3/g' > "$work/two/qstat_f.json"
	printf 'resources: "ncpus, tokens"\n%s\n' "$endless" > "$work/two/sched_config"
	"$fairtop" cycle "pbs:$work/two" > "$work/endless.$endless" 2> "$work/err"
done
verdict "a vnode without tokens has none" "$(grep -q '^2 jobs: 1 run' "$work/endless." ||
	cat "$work/endless.")"
verdict "or any number" "$(grep -q '^2 jobs: 2 run' "$work/endless.$endless" ||
	cat "$work/endless.$endless")"
# For a string only if no vnode has a value, and never for a boolean: they are combined for all.
json Jobs "$(job 1 east 8 00:10:00)" | sed 's/1:ncpus=8/&:LIKE/g' > "$work/two/qstat_f.like"
# endless HAS ASKED LOG: vnode b HAS it, the job requests ASKED, the log matches LOG
endless()
{
	json nodes "$(vnode a '')" "$(vnode b "$1")" > "$work/two/pbsnodes_av.json"
	sed "s/LIKE/$2/g" "$work/two/qstat_f.like" > "$work/two/qstat_f.json"
	answers ";$3" cycle "pbs:$work/two"
}
printf 'resources: "ncpus, hue, big, host"\nresource_unset_infinite: "hue, big"\n' \
	> "$work/two/sched_config"
endless '' hue=red 'Job run'
endless ',"hue":"red,tan"' hue=red 'Job run'
endless ',"hue":"tan"' hue=red 'Insufficient amount of resource: hue'
endless '' big=True 'Insufficient amount of resource: big'
endless '' big=False 'Job run'
endless '' host=B 'Job run'
endless '' host=c 'Insufficient amount of resource: host'
endless ',"big":"True"' big=True 'Job run'

# Placement sets: four vnodes of 8 CPUs, two on router r1, one on r2, one on none. If sets must not
# be spanned, a job that fits into no set never runs and gets no place. Sets do nothing else here.
# sets EXPECTED SERVER QUEUE SCHED [PLACE]: the outcomes of a job of 3 chunks and one of 2
sets()
{
	json Server "head:\"server_state\":\"Active\"$2" > "$work/two/qstat_Bf.json"
	json Queue "east:$started$3" > "$work/two/qstat_Qf.json"
	json nodes "$(vnode a ',"router":"r1","rack":0')" "$(vnode b ',"router":"r1","rack":1')" \
		"$(vnode c ',"router":"r2,r3","rack":1')" "$(vnode d ',"rack":1')" \
		> "$work/two/pbsnodes_av.json"
	json Jobs "$(job 1 east 8 00:10:00 Q 3 "${5:-}")" "$(job 2 east 8 00:10:00 Q 2 "${5:-}")" \
		> "$work/two/qstat_f.json"
	printf 'Sched default\n%s' "$4" | tr ';' '\n' > "$work/two/qmgr_list_sched.txt"
	printf 'resources: "ncpus"\nstrict_ordering: true\n' > "$work/two/sched_config"
	"$fairtop" cycle "pbs:$work/two" --format csv --columns outcome,reason > "$work/out" \
		2> "$work/err"
	sed -i '1d; s/blocked,.*can.t span placement sets.*/never/; s/,.*//' "$work/out"
	verdict "sets$2,$3,$4,${5:-}: $1" "$(tr '\n' ' ' < "$work/out" | grep -q -x "$1 " ||
		cat "$work/out" "$work/err")"
}
on=',"node_group_enable":"True"'
router=',"node_group_key":"router"'
apart='do_not_span_psets = True;'
sets 'run calendared' '' '' "$apart"			# there are no sets
sets 'run calendared' "$router" '' "$apart"
sets 'run calendared' "$on$router" '' ''		# they may be spanned
sets 'run calendared' "$on$router" '' 'do_not_span_psets = False;'
sets 'never run' "$on$router" '' "$apart"
sets 'never run' "$on" "$router" "$apart"
sets 'run calendared' "$on$router" ',"node_group_key":"rack"' "$apart"
sets 'run calendared' "$on" ',"node_group_key":"router,rack"' "$apart"
sets 'never run' '' '' "$apart" free:group=router
sets 'run calendared' "$on$router" '' "$apart" free:group=rack
sets 'never never' "$on" ',"node_group_key":"host"' "$apart"
sets 'run calendared' "$on" ',"node_group_key":"nosuch"' "$apart"	# all are its set of none
sets 'never never' "$on" ',"node_group_key":"nosuch"' "${apart}only_explicit_psets = True;"

# The export, run on a copy of the files; qmgr and pbsfs are stand-ins, of which pbsfs rejects the
# tree if $work/bad exists.
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
# The results of the same edits on the files of the recorded live scheduler, and what its pbsfs
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
	grep -v -x 'in effect after: kill -HUP 4711')"
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
rm -f "$work/priv"/*.[0-9]*	# copies are named by the second
PATH=$work/bin:$PATH bash "$work/script.here" > "$work/refused" 2>&1
verdict "a tree that pbsfs refuses is taken back" "$(cmp "$work/out" "$work/priv/resource_group"
	grep -q 'is restored: Parent ginfo of gus' "$work/refused" || cat "$work/refused")"

# Both logs side by side: that of --rules document to the left of the bar, that of OpenPBS to the
# right.
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
	grep -v 'edit "weight.age = 3": PBS has no such setting, it belongs to Slurm')"

# The chart of classes regrouped by an edit must not use the base's memory wrongly (sanitizers).
answers 'Over time' "$pbs" --render 160x40 --keys '4waequiv_class_exclude = ncpus<Enter><Esc>6'

exit $failed
