#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Captures of a system of LSF's family (volclava 2.2) from outside: LSF's own words and numbers, and
# none of Slurm's, in every verb; what-if and its export; the forecast by HIST_HOURS; a recording
# and its history. dispatch.tsv says after which job each job of t3 started.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
lsf=lsf:$srcdir/tests/data/lsf/volclava
TZ=UTC
export TZ

for instant in t1 t2 t3 t4 decay/t1 decay/t2 decay/t3 decay/t4; do
	answers 'dynamic priority .* equal ' verify "$lsf/$instant"
done
answers '^1,111$' jobs "$lsf/t3" --format csv --columns rank,id --filter 'id=111 | rank=1' \
	--set 'job:58.hold = yes'
answers '^4,1,flat$' jobs "$lsf/t2" --format csv --columns rank,partition_rank,partition --filter rank=4
lacks 'site|nice|4294967294' explain "$lsf/t3" job:111
lacks 'site|nice|4294967294|fairshare' compare "$lsf/t3" job:111 job:123
answers 'PRIORITY of the queue' explain "$lsf/t3" job:111
answers '^/phys/theory/deep:u4,1,3,0.0[0-9]*' accounts "$lsf/t3" --format csv \
	--columns path,shares,started,dynamic_priority
lacks 'Priority(Type|Weight|Decay)' policy "$lsf/t3"
answers '^CPU_TIME_FACTOR +40 +0.7' policy "$lsf/t3"
answers '^flat.RUN_JOB_FACTOR +7 ' policy "$lsf/t3"
# Users with several accounts, groups and "others" with several users, equal siblings, a range of
# slots (42 takes three), HJOB_LIMIT (57, 58): the order of the next session in lsb.events.
accounts=lsf:$srcdir/tests/data/lsf/accounts
wanted='30 35 31 32 34 37 33 36 38 42 39 41 43 44 40 45 47 48 46 49 50 51 53 52 54 56 55 57 58 '
verdict "jobs of users with several accounts start in our order" "$("$fairtop" jobs "$accounts" \
	--columns id --sort rank --format csv 2> "$work/err" | tail -n +2 | tr '\n' ' ' | grep -v "^$wanted")"
lacks ' [FU]  ' forecast "$lsf/t3" /flat:u5 --reach 0.95
"$fairtop" jobs "$lsf/t4" > "$work/out" 2> "$work/err"
verdict "a limit that is not applied is named" "$(grep -q 'PJOB_LIMIT of queue mixed is not' \
	"$work/err" || cat "$work/err")"
answers '^/phys,0,0$' accounts "$lsf/decay/t1" --format csv --columns path,running,pending
answers '^/fb,0,10$' accounts "$accounts" --format csv --columns path,running,pending
# Job 42 requests up to three slots; the edit makes the range a single number.
answers '^/fb,0,8$' accounts "$accounts" --format csv --columns path,running,pending \
	--set 'job:42.cpus = 1'
answers 'walk through the share accounts' compare "$accounts" job:42 job:43
answers 'skips it .* as here$' explain "$accounts" job:45
answers 'skips the other' compare "$accounts" job:44 job:45
answers '^ *42 .*gb' jobs "$accounts" --columns id,account
# Of the two accounts that w1 is charged to, the first or the last is removed: the other remains.
for paid in gb ga; do
	answers '^42,(10|12)$' jobs "$accounts" --set "remove:/fb/top/$paid:w1 = yes" \
		--columns id,rank --format csv
done
answers '^ *57 jobs|jobs: 0 run' cycle "$lsf/t2"
# Elements of an array have separate names, which explain accepts.
answers '^7,55_1,u4,' cycle "$lsf/t2" --format csv
answers ';55_1;Considering' cycle "$lsf/t2"
answers '^  its queue is inactive: 84, 85$' cycle "$lsf/t1"
answers '^  it waits for another job: 78, 79, 76, 77$' cycle "$lsf/t1"
answers '55_1' explain "$lsf/t2" job:55_1
verdict "no two waiting jobs of one name" "$("$fairtop" cycle "$lsf/t2" --format csv --columns id \
	2> "$work/err" | sort | uniq -d | head -n 3)"
# Each verb answers or refuses, without words of another scheduler.
odd='(^|[^A-Za-z])(nan|inf)([^A-Za-z]|$)|4294967294|Priority(Type|Weight)|site|nice |[Ss]lurm|QOS|TRES'
odd="$odd|sacctmgr|usage ratio|Level FS|fair-share factor"
for instant in volclava/t1 volclava/t2 volclava/t3 volclava/t4 volclava/decay/t1 accounts; do
	source=lsf:$srcdir/tests/data/lsf/$instant
	set -- "$("$fairtop" jobs "$source" --sort rank --columns id --format csv 2> "$work/err" |
		sed -n 's/[^0-9]*\([0-9][0-9]*\).*/job:\1/p' | head -n 1)"
	path=$("$fairtop" accounts "$source" --columns path --format csv 2> "$work/err" | sed -n 4p)
	for verb in accounts jobs pools classes policy lint cycle verify metrics "explain|$path" \
		"explain|${1:-/}" "compare|$path|/" "forecast|$path" "seek|$path|--reach|2" \
		"whatif|--set|shares:$path = 3"; do
		(
			IFS='|'
			# shellcheck disable=SC2086 # a list
			set -- $verb
			verb=$1
			shift
			"$fairtop" "$verb" "$source" "$@" > "$work/out" 2> "$work/err" < /dev/null
		)
		status=$?
		verdict "$verb of $instant" "$(grep -E -e "$odd" "$work/out" "$work/err" | head -n 2
			case $status in
			0) [ -s "$work/out" ] || echo nothing ;;
			2) grep -q expected "$work/err" || cat "$work/err" ;;
			3) grep -q 'the jobs are unknown: .*expected' "$work/err" || cat "$work/err" ;;
			*) echo "exit $status"; cat "$work/err" ;;
			esac)"
	done
done
"$fairtop" accounts "$lsf/t3" --algorithm fair-tree > "$work/out" 2> "$work/err"
verdict "an algorithm of Slurm is refused" "$([ $? -eq 2 ] && [ ! -s "$work/out" ] &&
	grep -q 'LSF reports no usage' "$work/err" || cat "$work/err")"
"$fairtop" whatif "$lsf/t3" --set 'shares:/phys/exper = 5' --export slurm > "$work/out" 2> "$work/err"
verdict "an export as another scheduler's is refused" "$([ $? -eq 2 ] && [ ! -s "$work/out" ] &&
	grep -q 'the cluster runs LSF' "$work/err" || cat "$work/err")"
# hostd, the only host with free slots, in other states: only ok starts jobs.
cp -R "${lsf#lsf:}" "$work/states"
for state in unavail unreach closed closed_LIM closed_Busy closed_Excl closed_Wind closed_Lock ok; do
	chmod u+w "$work/states/t2/bhosts_w.txt"
	sed "s/^hostd  *closed_Adm /hostd $state /" "${lsf#lsf:}/t2/bhosts_w.txt" \
		> "$work/states/t2/bhosts_w.txt"
	answers "jobs: $([ $state = ok ] && echo 4 || echo 0) run" cycle "lsf:$work/states/t2"
done
for keys in 1 2 3 4 5 6 2e '2<Enter>' 1e '1<Enter>' '3<Enter>' '4<Enter>' '5<Enter>'; do
	lacks 'queue is empty|billable|job_sort_formula|OpenPBS|design document|[^a-z]nan[^a-z]|Priority(Type|Weight)' "$lsf/t3" \
		--render 120x40 --keys "$keys"
done
answers 'phys +PENDING +queue limit' "$lsf/t3" --render 120x40 --keys 2
answers 'mixed +PENDING +user limit' "$lsf/t4" --render 120x40 --keys 2
answers 'flat.RUN_JOB_FACTOR +7' "$lsf/t3" --render 120x60 --keys 5
answers 'rules lsf' "$lsf/t3" --render 120x40 --keys 4

# 4 / (19.6 / 3600 * 90 * 10^-t + 4) is 0.95 after 0.3669 hours: 1321 s; in volclava's steps 1800 s.
answers 'Priority 0.890869 reaches 0.95 in 00:30:00 \(give or take' forecast "$lsf/t3" /flat:u5 --reach 0.95
answers 'reaches 2: not within' forecast "$lsf/t3" /flat:u5 --reach 2
answers 'passes that of /phys/exper .1.26378.' forecast "$lsf/t3" /phys/theory
# bqueues printed 2.457 and 2.476, 960 s and 1860 s after t2 of decay/.
answers '^1795350941,,,2.4568' forecast "$lsf/decay/t2" /flat:u1 --format csv
answers '^1795351841,,,2.4755' forecast "$lsf/decay/t2" /flat:u1 --format csv
lacks 'weight|nice| F,' seek "$lsf/t3" job:123 --reach 1
answers 'rank goes from 5 to 1 with queue:flat.priority = 41' seek "$lsf/t3" job:123 --reach 1
answers 'Priority goes from 1.1646 to 2.01863 with shares:/phys/theory = 52' \
	seek "$lsf/t3" /phys/theory --reach 2
lacks '"burn":0' accounts "$lsf/t3" --format json
lacks 'priority [0-9]' "$lsf/t3" --render 120x60 --keys 2je
answers '^/phys/exper +dynamic_priority +1.26378 +0.315945' whatif "$lsf/t3" \
	--set 'shares:/phys/exper = 5'
# exper has no pending job: its rank becomes the last, and the other five move up by one.
answers '^# expected effect: no job moves, 6 accounts' whatif "$lsf/t3" --set 'shares:/phys/exper = 5' \
	--export lsf
answers '^flat.PRIORITY +40 +41 ' policy "$lsf/t3" --set 'queue:flat.priority = 41'
answers '^batch.QJOB_LIMIT +9 +9 ' policy "$lsf/t3" --set 'queue:flat.priority = 41'
"$fairtop" whatif "$lsf/t3" --set 'shares:/phys/exper = 5' --set 'CPU_TIME_FACTOR=10' \
	--set 'queue:low.priority = 50' --set 'shares:/phys/theory:u1 = 9' --export lsf \
	2> "$work/err" | grep -v '^# \(commands\|fairtop\|expected\)' > "$work/out"
cat > "$work/wanted" << 'END'
#!/bin/sh
# shares:/phys/exper = 5
# lsb.queues, in the section of QUEUE_NAME = phys, in FAIRSHARE = USER_SHARES[...]:
#   [exper, 5]
# CPU_TIME_FACTOR = 10
# lsb.params, in the section Parameters:
#   CPU_TIME_FACTOR = 10
# queue:low.priority = 50
# lsb.queues, in the section of QUEUE_NAME = low:
#   PRIORITY = 50
# shares:/phys/theory:u1 = 9
# lsb.users, section UserGroup, in USER_SHARES of the group theory:
#   [u1, 9]
# as LSF administrator: badmin refuses others, who do not own the files
badmin reconfig
END
verdict "a what-if is exported as lines of LSF's files" "$(diff "$work/wanted" "$work/out")"

"$fairtop" record "$lsf/t3" -o "$work/r.db" --count 1 2> "$work/err"
"$fairtop" accounts "$lsf/t3" --format csv > "$work/wanted" 2> "$work/err"
"$fairtop" accounts "$work/r.db" --format csv > "$work/out" 2> "$work/err"
verdict "a recording gives the accounts back" "$(diff "$work/wanted" "$work/out" | head -n 4)"
"$fairtop" jobs "$lsf/t3" --format csv > "$work/wanted" 2> "$work/err"
"$fairtop" jobs "$work/r.db" --format csv > "$work/out" 2> "$work/err"
verdict "and the jobs" "$(diff "$work/wanted" "$work/out" | head -n 4)"
answers '0.161' history "$work/r.db" /phys/theory:u2 --columns time,dynamic_priority

# The logs with LSF's decay: as bqueues printed at t1 of decay/ (12 jobs, all ended) and at t4.
"$fairtop" import lsf-acct "${lsf#lsf:}/decay/lsb.acct" --tree "${lsf#lsf:}/decay/t1" \
	-o "$work/log.db" > "$work/out" 2> "$work/err"
answers '^/phys/theory/deep,4,0,6.96[0-9]*,0$' accounts "$work/log.db" --format csv \
	--columns path,shares,started,cpu_time,run_time
answers '^/flat:u8,1,.*,0.245' accounts "$work/log.db" --format csv \
	--columns path,shares,started,dynamic_priority
answers '^10,u8,flat,COMPLETED' jobs "$work/log.db" --at 2026-11-22T11:53:00 --format csv \
	--columns id,user,account,state
"$fairtop" accounts "$work/log.db" > "$work/out" 2> "$work/err"
verdict "what lsb.acct does not know is told" \
	"$(grep -q 'jobs that still ran are missing in STARTED and RUN_TIME' "$work/err" || cat "$work/err")"
"$fairtop" import lsf-acct "${lsf#lsf:}/lsb.events" --tree "${lsf#lsf:}/t4" -o "$work/log2.db" \
	> "$work/out" 2> "$work/err"
verdict "what of lsb.events is not used is told" \
	"$(grep -q '322  JOB_START_ACCEPT, JOB_EXECUTE: the start is in' "$work/out" ||
	cat "$work/out" "$work/err")"
"$fairtop" import lsf-acct "${lsf#lsf:}/lsb.acct" --tree "$work" -o "$work/log3.db" \
	> "$work/out" 2> "$work/err"
verdict "a directory without lsb.queues is refused" "$([ $? -eq 2 ] &&
	grep -q 'no lsb.queues in it' "$work/err" || cat "$work/err")"
mkdir "$work/unended"
printf 'Begin Queue\nQUEUE_NAME = a\n' > "$work/unended/lsb.queues"
"$fairtop" import lsf-acct "${lsf#lsf:}/lsb.acct" --tree "$work/unended" -o "$work/log3.db" \
	> "$work/out" 2> "$work/err"
verdict "an error in a file of the directory names both" "$([ $? -eq 2 ] &&
	grep -q "$work/unended/lsb.queues:[0-9]*: " "$work/err" || cat "$work/err")"

mkdir "$work/jobless"
cp "${lsf#lsf:}/t3/bqueues_r.txt" "$work/jobless"
answers ' pending unknown' "lsf:$work/jobless" --render 80x24
lacks 'pending 0|running 0' "lsf:$work/jobless" --render 120x40 --keys 2
# Nothing is made up for files that do not exist.
mkdir "$work/noparams"
cp "${lsf#lsf:}"/t1/*.txt "$srcdir"/tests/data/lsf/volclava/t1/lsb.* "$work/noparams" 2> "$work/err"
rm -f "$work/noparams/lsb.params" "$work/noparams/bparams_l.txt"
"$fairtop" policy "lsf:$work/noparams" --format csv --columns name,value 2> "$work/err" |
	grep -v '[.]' | sed 1d | grep -v ',unknown$' > "$work/out"
verdict "without lsb.params no parameter of it is known" "$(cat "$work/out")"
answers '^HIST_HOURS,unknown,not reported$' policy "lsf:$work/noparams" --format csv \
	--columns name,value,from
# A job of unknown place may be considered: each view says so; a held one is said to be held.
answers '^47,left-out,,,the order of the jobs in its queue' cycle "lsf:$work/noparams" --format csv \
	--columns id,outcome,considered,logged,reason
answers '^71,left-out,false,false,it is held' cycle "lsf:$work/noparams" --format csv \
	--columns id,outcome,considered,logged,reason
answers '^[0-9]+ more: their rank, and the resources' cycle "lsf:$work/noparams"
answers '^[0-9]+ more are not considered' cycle "lsf:$work/noparams"
answers '^job:47, rank unknown: the order of the jobs in its queue' explain "lsf:$work/noparams" job:47
answers '^job:71, not in the queue: it is held' explain "lsf:$work/noparams" job:71
"$fairtop" record "lsf:$work/noparams" -o "$work/untold.db" --count 1 > "$work/out" 2> "$work/err"
"$fairtop" snapshot "lsf:$work/noparams" > "$work/untold.snapshot" 2> "$work/err"
for kept in "$work/untold.db" "$work/untold.snapshot"; do
	answers '^HIST_HOURS,unknown,not reported$' policy "$kept" --format csv \
		--columns name,value,from
	answers '^RUN_TIME_DECAY,unknown,not reported$' policy "$kept" --format csv \
		--columns name,value,from
done
cp -R "$srcdir/tests/data/lsf/accounts" "$work/cycle"
chmod -R u+w "$work/cycle"
rm "$work/cycle/lsb.params"
"$fairtop" cycle "lsf:$work/cycle" > "$work/out" 2> "$work/err"
verdict "a cycle says what is missing" "$(grep -q 'expected lsb.params' "$work/err" &&
	! grep -q ': $' "$work/err" || cat "$work/err")"
# bqueues -l alone gives queues and shares: all else is named as missing, and nothing is made up.
mkdir "$work/bqueues"
cp "${lsf#lsf:}/t1/bqueues_l.txt" "$work/bqueues"
answers '^/phys:theory,30$' accounts "lsf:$work/bqueues" --format csv --columns path,shares
for missing in 'jobs: not read (expected bjobs' 'hosts: not read (expected bhosts' \
	'parameters: not read (expected lsb.params'; do
	verdict "missing is ${missing%% *}" "$(grep -qF "$missing" "$work/err" || cat "$work/err")"
done
answers '^phys,40,[0-9]+,[0-9]+$' pools "lsf:$work/bqueues" --format csv \
	--columns queue,priority,used,pending
"$fairtop" forecast "lsf:$work/bqueues" /flat:u1 > "$work/out" 2> "$work/err"
verdict "no forecast without factors" "$([ $? -eq 2 ] &&
	grep -q 'are unknown (expected lsb.params or bparams -l, and lsid)' "$work/err" ||
	cat "$work/out" "$work/err")"
# volclava's bparams -l prints another parameter's value as HIST_HOURS.
cp "${lsf#lsf:}/t1/bqueues_r.txt" "${lsf#lsf:}/t1/lsid.txt" "$work/cycle"
printf ' X:\n    HIST_HOURS = 3.000000\n    MBD_SLEEP_TIME = 10\n' > "$work/cycle/bparams_l.txt"
rm "$work/cycle/bjobs_l.txt"
answers '^HIST_HOURS,unknown,not reported$' policy "lsf:$work/cycle" --format csv \
	--columns name,value,from
answers 'HIST_HOURS unknown' "lsf:$work/cycle" --render 200x40
mkdir "$work/half"
head -c 3000 "$srcdir/tests/data/lsf/volclava/t3/bqueues_r.txt" > "$work/half/bqueues_r.txt"
"$fairtop" accounts "lsf:$work/half" > "$work/out" 2> "$work/err"
verdict "half an output is exit 2 with its line" "$([ $? -eq 2 ] &&
	grep -q 'bqueues_r.txt:[0-9]*: ' "$work/err" || cat "$work/err")"
printf 'Usage: bqueues [-h] [-V]\n' > "$work/half/bqueues_r.txt"
"$fairtop" accounts "lsf:$work/half" > "$work/out" 2> "$work/err"
verdict "a usage text is exit 2 and told" "$([ $? -eq 2 ] &&
	grep -q 'Usage.*expected QUEUE' "$work/err" || cat "$work/err")"
# volclava's commands print it to standard error, in two lines.
mkdir "$work/bin"
for command in lsid bqueues bhosts bjobs; do
	printf '#!/bin/sh\nprintf "Usage: %s [-w]\\n [name ...]\\n" >&2\nexit 255\n' $command \
		> "$work/bin/$command"
	chmod +x "$work/bin/$command"
done
PATH=$work/bin:$PATH "$fairtop" accounts lsf > "$work/out" 2> "$work/err"
verdict "commands that print their usage are exit 3 and told" "$([ $? -eq 3 ] &&
	grep -q '^fairtop: lsf: bqueues -r: printed its usage: ' "$work/err" ||
	cat "$work/err")"
# An invalid JSON file gives one message with what was expected.
cp -R "$srcdir/tests/data/lsf/volclava/t2" "$work/badjson"
chmod -R u+w "$work/badjson"
echo none > "$work/badjson/bqueues.json"
"$fairtop" pools "lsf:$work/badjson" > "$work/out" 2> "$work/err"
verdict "a file of JSON that is none" "$([ $? -eq 2 ] &&
	grep -q 'bqueues.json: column 1: expected a value$' "$work/err" || cat "$work/err")"
# The examples of edits are LSF's.
"$fairtop" "$lsf/t2" --render 100x30 --keys wa > "$work/out" 2> "$work/err"
verdict "edits of LSF as examples" "$(grep -q 'shares:/normal/physics = 60' "$work/out" &&
	! grep -q 'weight\.age' "$work/out" || cat "$work/out")"
# A queue has a PRIORITY and no dynamic one.
answers '^/phys comes before /flat' compare "$lsf/t2" /flat /phys
answers '^/flat comes before /mixed' compare "$lsf/t2" /mixed /flat
"$fairtop" forecast "$lsf/t2" /phys > "$work/out" 2> "$work/err"
verdict "nothing is foreseen of a queue" "$([ $? -eq 2 ] && grep -q 'no dynamic priority' \
	"$work/err" || cat "$work/out" "$work/err")"
# The shares of a group count in each queue that has it, as on a live cluster.
answers 'it also counts in queue fb' whatif "$accounts" --set 'shares:/fa/ga:w1 = 9' --export lsf
# Neither fair share nor jobs (in the words of bjobs 2>&1): no errors.
cp -R "$srcdir/tests/data/lsf/session" "$work/plain"
chmod -R u+w "$work/plain"
rm "$work/plain/bqueues_r.txt"
sed '/^FAIRSHARE/d' "$srcdir/tests/data/lsf/session/lsb.queues" > "$work/plain/lsb.queues"
echo 'No unfinished job found' > "$work/plain/bjobs_l.txt"
"$fairtop" accounts "lsf:$work/plain" > "$work/out" 2> "$work/err"
verdict "no fair share is told" "$([ $? -eq 0 ] && grep -q 'no queue is known to have' "$work/err" ||
	cat "$work/err")"
"$fairtop" jobs "lsf:$work/plain" --format csv > "$work/out" 2> "$work/err"
verdict "no jobs are no error" "$([ $? -eq 0 ] && [ "$(wc -l < "$work/out")" -eq 1 ] ||
	cat "$work/err")"
# In LSF's words, not in those of OpenPBS.
answers ';62;Job slot limit reached$' cycle "$lsf/t2"
answers ';60;The queue has reached its job slot limit$' cycle "$lsf/t2"
answers ',55_11,u4,.*,User has reached the per-user job slot limit of the queue$' cycle "$lsf/t4" \
	--format csv
lacks 'Insufficient' cycle "$lsf/t2"
# The starts of a real session, in order: limits of queues and users, begin times, round robin.
# Its host was closed when it was recorded, and opened for the session.
# hosts_: the first session and a later one on three hosts, with jobs that request some of them.
# nested: groups in groups, users with two shares in one queue (the later counts), HIST_HOURS 0.
for name in session hosts_first hosts_later nested; do
	session=$srcdir/tests/data/lsf/$name
	"$fairtop" cycle "lsf:$session" --format csv --columns id,outcome 2> "$work/err" |
		sed -n 's/,run$//p' > "$work/out"
	verdict "a cycle is the session that followed: $name" "$([ -s "$work/out" ] &&
		diff "$session/started.txt" "$work/out" 2>&1 || cat "$work/err")"
done
# A load threshold of a queue, from its file or from bqueues, may keep its jobs from starting.
cp -R "$srcdir/tests/data/lsf/session" "$work/load"
chmod -R u+w "$work/load"
sed -i '/^QUEUE_NAME/a r1m = 0.7/2.0' "$work/load/lsb.queues"
sed -i '/r15s *r1m/{n;s/ -     -  / -   0.7  /;}' "$work/load/bqueues_r.txt"
for told in lsb.queues bqueues_r.txt; do
	"$fairtop" cycle "lsf:$work/load" > "$work/out" 2> "$work/err"
	verdict "a threshold of load is named: $told" \
		"$(grep -q 'less load than queue .* allows (r1m = 0.7' "$work/err" || cat "$work/err")"
	rm "$work/load/lsb.queues" 2> "$work/err"
done
# Host groups of a queue are not hosts, even without lsb.hosts.
cp -R "$srcdir/tests/data/lsf/hosts_first" "$work/groups"
chmod -R u+w "$work/groups"
rm "$work/groups/lsb.hosts"
answers ' on the usable hosts .3 of 3.' cycle "lsf:$work/groups"
# Closed hosts do not block a job that requests such a group: its hosts are unknown.
answers '^1,"unknown: a host, or a host group, that it asks for"$' cycle "lsf:$work/groups" \
	--format csv --columns id,reason
"$fairtop" cycle "lsf:$work/groups" > "$work/out" 2> "$work/err"
verdict "and that is told" "$(grep -q 'not all that job 1 asks for with -m (hg1) are known hosts' \
	"$work/out" "$work/err" || cat "$work/out" "$work/err")"
exit "$failed"
