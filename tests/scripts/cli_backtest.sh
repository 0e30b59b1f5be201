#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop backtest`: a log of five jobs, whose schedules were worked out by hand, in each format;
# left-out jobs are reported; errors are refused.

: "${fairtop:=./fairtop}" "${srcdir:?}"
failed=0
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# Ten processors; as easy schedules it. id submit wait run procs . . procs limit . status user group
# Job 9 has no limit, 10 never ran, 11 is too large.
cat > "$work/log.swf" << 'END'
; MaxProcs: 10 (two more are down)
 1 0   0 100 6 -1 -1 6 100 -1 1 1 1 -1 1 -1 -1 -1
 2 1  99  10 8 -1 -1 8  20 -1 1 2 1 -1 1 -1 -1 -1
 3 2   0  50 4 -1 -1 4  98 -1 1 1 1 -1 1 -1 -1 -1
 4 3 107 200 9 -1 -1 9 200 -1 1 3 2 -1 1 -1 -1 -1
 5 4  96   5 1 -1 -1 1  50 -1 1 3 2 -1 1 -1 -1 -1
 9 5   0   5 1 -1 -1 1  -1 -1 1 3 2 -1 1 -1 -1 -1
10 5   0   0 1 -1 -1 1  50 -1 5 3 2 -1 1 -1 -1 -1
11 5   0  10 11 -1 -1 11 50 -1 1 3 2 -1 1 -1 -1 -1
END

backtest()
{
	"$fairtop" backtest "$@" > "$work/out" 2> "$work/err"
}

# same WHAT FILE: its contents are those of standard input
same()
{
	verdict "$1" "$(diff - "$2" 2>&1)"
}

verdict "a log is played" "$(backtest "$work/log.swf" --policy easy --policy fcfs \
	--starts "$work/starts" --format csv \
	--columns policy,scope,name,jobs,wait_mean,wait_p50,wait_p95,gain,makespan \
	--filter 'scope=total | scope=user' || cat "$work/err")"
same "starts of easy" "$work/starts" << 'END'
id	submit	start	end
1	0	0	100
2	1	100	110
3	2	2	52
4	3	110	310
5	4	52	57
END
cp "$work/starts.2" "$work/fcfs"
same "starts of fcfs" "$work/fcfs" << 'END'
id	submit	start	end
1	0	0	100
2	1	100	110
3	2	110	160
4	3	160	360
5	4	160	165
END
same "the policies stand side by side" "$work/out" << 'END'
policy,scope,name,jobs,wait_mean,wait_p50,wait_p95,gain,makespan
easy,total,,5,50.8,48,107,0,310
fcfs,total,,5,104,108,157,-53.2,360
easy,user,u3,2,77.5,48,107,0,
fcfs,user,u3,2,156.5,156,157,-79,
easy,user,u1,2,0,0,0,0,
fcfs,user,u1,2,54,0,108,-54,
easy,user,u2,1,99,99,99,0,
fcfs,user,u2,1,99,99,99,0,
END
sed "s|.*/log.swf: ||" "$work/err" > "$work/told"
same "what is left out is told" "$work/told" << 'END'
1 job left out: never ran
1 job left out: no time limit
1 job left out: more processors than the machine has
2 jobs were ended by the time limit: the run time beyond it is unknown
fidelity: easy, simulated against what happened: correlation of log waits 0.98, 100.0 % of the starts within 60 s, mean wait 51 s (real 60 s); judged under easy: the log does not report the policy
END

# Odd lines of a sacct log, each counted with the reason.
cat > "$work/odd.psv" << 'END'
JobID|Account|User|State|Submit|Start|End|AllocCPUS|TimelimitRaw
1|p|a|COMPLETED|1000|1000|1100|4|2
2|p|a|TIMEOUT|1000|1100|1225|4|2
3|p|a|COMPLETED|1000|1200|1150|4|2
4|p|a|COMPLETED|1000|990|1100|4|2
5|p|a|COMPLETED|1000|1200|1300|0|2
6|p|a|COMPLETED|1000|1225|1325|4|2
END
backtest "$work/odd.psv" --procs 4
sed "s|.*/odd.psv: ||" "$work/err" > "$work/told"
same "odd lines are told with their reasons" "$work/told" << 'END'
1 job left out: never ran
1 job left out: no number of processors
6 lines: no billing in AllocTRES: CPUs are charged
1 line: ends before it starts: taken as never run
1 line: starts before it is submitted: taken as submitted then
1 line: no number of CPUs: one is charged
1 job was ended by the time limit: the run time beyond it is unknown
END

# The log has no shares; two groups, of which g1 has two users and, by the edit, two shares.
backtest "$work/log.swf" --format csv --columns policy,name,shares_promised,share_delivered \
	--filter 'scope=account | scope=user' --set shares:account:g1=2
same "shares promised and delivered" "$work/out" << 'END'
policy,name,shares_promised,share_delivered
easy,g2,,0.6722532588454376
easy+edits,g2,0.3333333333333333,0.6722532588454376
easy,g1,,0.32774674115456237
easy+edits,g1,0.6666666666666666,0.32774674115456237
easy,u3,,0.6722532588454376
easy+edits,u3,0.3333333333333333,0.6722532588454376
easy,u1,,0.297951582867784
easy+edits,u1,0.3333333333333333,0.297951582867784
easy,u2,,0.0297951582867784
easy+edits,u2,0.3333333333333333,0.0297951582867784
END
verdict "shares that a log does not have are told" "$(grep -q 'the log has no shares' "$work/err" ||
	cat "$work/err")"
backtest "$work/log.swf"
verdict "fidelity comes first" "$(head -n 1 "$work/out" | grep -q '^fidelity: easy' ||
	head -n 1 "$work/out")"
sed -e 's/^ 1 0   0/ 1 0 500/' -e 's/^ 2 1  99/ 2 1   0/' "$work/log.swf" > "$work/other.swf"
backtest "$work/other.swf"
verdict "little fidelity is told in words" "$(head -n 1 "$work/out" |
	grep -q 'waits -0.16, 60.0 %.*; that does not explain the past: only differences' ||
	head -n 1 "$work/out")"
# Unknown waits are not 0 s.
awk '!/^;/ { $3 = -1 } { print }' "$work/log.swf" > "$work/other.swf"
backtest "$work/other.swf"
verdict "waits that are not known are no truth" "$(head -n 1 "$work/out" |
	grep -q '^fidelity: unknown: no wait of a job is known; judged' ||
	head -n 1 "$work/out")"
awk '!/^;/ && NR > 4 { $3 = -1 } { print }' "$work/log.swf" > "$work/other.swf"
backtest "$work/other.swf"
verdict "and are counted" "$(head -n 1 "$work/out" |
	grep -q 'mean wait 33 s (real 33 s); the wait of 2 jobs is unknown; judged' ||
	head -n 1 "$work/out")"
backtest "$work/log.swf" --procs 100
verdict "waits that are all 0 have no correlation" "$(head -n 1 "$work/out" |
	grep -q 'waits unknown, 50.0 %.* all the same show nothing: only differences' ||
	head -n 1 "$work/out")"
backtest "$work/log.swf"
cp "$work/out" "$work/table"
# shellcheck disable=SC2002 # it is to be a pipe
cat "$work/log.swf" | backtest /dev/stdin
same "a pipe is read from its beginning" "$work/out" < "$work/table"
backtest "$work/log.swf" --format json
verdict "JSON has it, too" "$(grep -q '"fidelity":"fidelity: easy.*"not_played":null' "$work/out" ||
	cat "$work/out")"
verdict "JSON has what is left out" "$(grep -q \
	'"notes":"1 job left out: never ran; 1 job left out: no time limit; 1 job' "$work/out" ||
	cat "$work/out")"

# In steps of 100 s. Of g2, job 5 runs from 52 to 57 and job 4 from 110 to 310 under easy.
backtest "$work/log.swf" --policy easy --policy fcfs --every 100s --format csv \
	--columns time,policy,name,share_delivered,utilisation,waiting,wait_mean \
	--filter 'name=g2 | (scope=total time>=300)' || cat "$work/err"
same "shares over time" "$work/out" << 'END'
time,policy,name,share_delivered,utilisation,waiting,wait_mean
300,easy,,1,0.9,0,
300,fcfs,,1,0.9,0,
0,easy,g2,0.006211180124223602,0.005,1.45,
0,fcfs,g2,0,0,1.93,
100,easy,g2,0.9101123595505618,0.81,0.1,
100,fcfs,g2,0.5658914728682171,0.365,1.2,
200,easy,g2,1,0.9,0,
200,fcfs,g2,1,0.9,0,
300,easy,g2,1,0.9,0,
300,fcfs,g2,1,0.9,0,
END
backtest "$work/log.swf" --policy easy --every 100s --set shares:account:g1=2 --filter name=g2
verdict "a table has what is of a step" "$(sed -n 3p "$work/out" | grep -q \
	'Time  *Policy  *Scope  *Name  *Promised  *Share  *Util  *Waiting$' &&
	tail -n 1 "$work/out" | grep -q 'easy+edits  account  g2  *0.3333  1.0000  0.9000  *0.0$' ||
	cat "$work/out")"

# At twice the load, submissions are at 0 0 1 1 2; with known run times job 2 waits no longer.
backtest "$work/log.swf" --load 2 --estimates run --starts "$work/starts"
same "load and estimates" "$work/starts" << 'END'
id	submit	start	end
1	0	0	100
2	0	100	110
3	1	1	51
4	1	110	310
5	2	51	56
END
backtest "$work/log.swf" --from @2 --to @3 --starts "$work/starts"
same "a part of it" "$work/starts" << 'END'
id	submit	start	end
3	2	2	52
4	3	52	252
END

echo mine > "$work/mine"
backtest "$work/log.swf" --starts "$work/mine"
verdict "a file of somebody else's stays" "$([ "$(cat "$work/mine")" = mine ] &&
	grep -q 'already exists' "$work/err" || cat "$work/err")"

# slurm: the cycle at 30 s starts job 5 on one of the two processors that job 2 has not reserved
# from 60 s on; job 3 would run longer. slurm-builtin is fcfs here.
backtest "$work/log.swf" --policy slurm --policy slurm-builtin --starts "$work/starts"
same "starts of slurm" "$work/starts" << 'END'
id	submit	start	end
1	0	0	100
2	1	100	110
3	2	110	160
4	3	160	360
5	4	30	35
END
same "starts of slurm-builtin are those of fcfs" "$work/starts.2" < "$work/fcfs"
verdict "nodes that are not known are told, once" "$([ "$(grep -c 'no nodes are known' \
	"$work/err")" -eq 1 ] || cat "$work/err")"
verdict "what is not played is told, once" "$([ "$(grep -c ': slurm and slurm-builtin are simulated' \
	"$work/err")" -eq 1 ] || cat "$work/err")"
for what in memory GRES nice site TRES 'association and QOS limits' minutes MaxTime dependencies holds \
	'time limits' KillWait 'usage resets' 'first submission'; do
	verdict "$what: told" "$(grep 'slurm-builtin are simulated without' "$work/err" |
		grep -q -e "$what" || cat "$work/err")"
done
backtest "$work/log.swf" --policy slurm-builtin --format json
verdict "JSON has what is not played" "$(grep -q \
	'"not_played":"slurm and slurm-builtin are simulated without memory' "$work/out" ||
	cat "$work/out")"

# All three fit at once: their starts depend only on when the main scheduler runs.
cat > "$work/room.swf" << 'END'
; MaxProcs: 10 (two more are down)
 1 0 0 100 1 -1 -1 1 100 -1 1 1 1 -1 1 -1 -1 -1
 2 1 0 100 1 -1 -1 1 100 -1 1 1 1 -1 1 -1 -1 -1
 3 1 0 100 1 -1 -1 1 100 -1 1 1 1 -1 1 -1 -1 -1
END
# parameter NAME=VALUE STARTS: with it, the jobs have these starts
parameter()
{
	backtest "$work/room.swf" --policy slurm-builtin --set "SchedulerParameters=$1" \
		--starts "$work/starts"
	verdict "$1 counts" "$([ "$(cut -f 3 "$work/starts.2" | tr '\n' ' ')" = "start $2 " ] ||
		cat "$work/starts.2" "$work/err")"
}
parameter sched_min_interval=2 '0 3 3'
parameter sched_min_interval=25000000 '0 25 25'
parameter sched_interval=2 '0 2 2'
parameter batch_sched_delay=20 '0 20 20'
parameter default_queue_depth=0 '0 3 60'
backtest "$work/log.swf" --policy slurm --set SchedulerParameters=bf_interval=60 \
	--starts "$work/starts"
verdict "bf_interval counts" "$(grep -q '^5	4	60	65$' "$work/starts.2" || cat "$work/starts.2")"

# With fair share, the user who used the machine until 400 s comes second; it is computed each
# PriorityCalcPeriod, 300 s.
cat > "$work/fair.swf" << 'END'
; MaxProcs: 2
 1 0 0 400 2 -1 -1 2 400 -1 1 1 1 -1 1 -1 -1 -1
 2 1 0  10 2 -1 -1 2  60 -1 1 1 1 -1 1 -1 -1 -1
 3 2 0  10 2 -1 -1 2  60 -1 1 2 1 -1 1 -1 -1 -1
END
echo 'weight.age = 1000' > "$work/age"
backtest "$work/fair.swf" --policy slurm --set weight.fairshare=1000 --beside "$work/age" \
	--starts "$work/starts" --columns policy,wait_mean,gain --filter scope=total \
	--format csv || cat "$work/err"
sed "s|+.*/age|+age|" "$work/out" > "$work/waits"
same "each set of edits has its schedule" "$work/waits" << 'END'
policy,wait_mean,gain
slurm,269,0
slurm+edits,269,0
slurm+age,269,0
END
verdict "defaults of the log are told, once" "$([ "$(grep -c -e 'SchedulerParameters is unknown' \
	-e 'PriorityWeight[AFPQ][a-zO]*[a-zS] is unknown: its default is used, "0"' \
	"$work/err")" -eq 5 ] || cat "$work/err")"
verdict "all terms are known" "$(grep 'only age and fair share' "$work/err")"
same "fair share puts 3 before 2" "$work/starts.2" << 'END'
id	submit	start	end
1	0	0	400
2	1	410	420
3	2	400	410
END
same "age does not" "$work/starts.3" << 'END'
id	submit	start	end
1	0	0	400
2	1	400	410
3	2	410	420
END

# The size of a job is a fraction of the nodes, which a log does not have.
backtest "$work/fair.swf" --policy slurm --set weight.jobsize=1000
verdict "terms that are not known are told, once" "$([ "$(grep -c \
	'only age and fair share are known of the priority of 3 jobs' "$work/err")" -eq 1 ] ||
	cat "$work/err")"

# The same from a recording, sample by sample, which also has the size of the machine.
"$fairtop" import swf "$work/log.swf" -o "$work/rec.db" --every 10s > "$work/out"
backtest "$work/rec.db" --starts "$work/starts" || cat "$work/err"
verdict "a recording has the size of the log" "$(grep 'machine size is unknown' "$work/err")"
same "a recording is played" "$work/starts" << 'END'
id	submit	start	end
1	0	0	100
2	1	100	110
3	2	2	52
4	3	110	310
5	4	52	57
END
sed '/MaxProcs/d' "$work/log.swf" > "$work/unsized.swf"
"$fairtop" import swf "$work/unsized.swf" -o "$work/unsized.db" --every 10s > "$work/out"
backtest "$work/unsized.db"
verdict "a size that is not known is told, and what is taken for it" "$(grep -q \
	'machine size is unknown (--procs N): 22 processors are assumed' "$work/err" ||
	cat "$work/err")"

# Slurm without accounting: 2 processors; an array of which two tasks start, one is cancelled and
# one is pending to the end; a job with unknown submission.
# picture TIME JOB...: adds it to a recording
picture()
{
	cat << END > "$work/picture"
{"fairtop-snapshot":1,"kind":"slurm","cluster":"c","time":$1,$boot"policy":{"SchedulerType":"sched/backfill","PriorityType":"priority/multifactor"}}
{"partition":{"name":"p","tier":1}}
END
	shift
	for host in $hosts; do
		echo "{\"host\":{\"name\":\"$host\",\"cpus\":2,\"partitions\":[\"p\"]}}"
	done >> "$work/picture"
	jobs=$#
	for job; do
		echo "{\"job\":{\"user\":\"u\",\"partition\":\"p\",$asks,$job}}"
	done >> "$work/picture"
	echo "{\"end\":{\"partition\":1,\"host\":$(echo "$hosts" | wc -w),\"job\":$jobs}}" \
		>> "$work/picture"
	"$fairtop" record "$work/picture" -o "$work/slurm.db" --count 1 2>> "$work/err"
}

boot='' hosts=n1 asks='"cpus":2,"time_limit":120'
one='"id":1,"submit":1000,"start":1000' two='"id":2,"submit":1010'
six='"id":6,"array":5,"task":1,"submit":1020,"start":1150'
array='"id":5,"array":5,"submit":1020,"state":"PENDING"' undated='"id":9,"state":"PENDING"'
picture 1060 "$one,\"state\":\"RUNNING\"" "$two,\"state\":\"PENDING\"" \
	"$array,\"tasks\":\"1-4\"" "$undated"
picture 1160 "$one,\"end\":1100,\"state\":\"COMPLETED\"" \
	"$two,\"start\":1100,\"end\":1150,\"state\":\"COMPLETED\"" "$six,\"state\":\"RUNNING\"" \
	"$array,\"tasks\":\"2-4\"" "$undated"
picture 1400 "$six,\"end\":1170,\"state\":\"COMPLETED\"" "$array,\"tasks\":\"3\"" \
	'"id":7,"array":5,"task":2,"submit":1020,"start":1170,"state":"RUNNING"'
backtest "$work/slurm.db" --starts "$work/starts" || cat "$work/err"
same "a recording of Slurm is played under its policy" "$work/starts" << 'END'
id	submit	start	end
1	1000	1000	1100
2	1010	1100	1150
6	1020	1150	1170
END
verdict "and judged under it" "$(head -n 1 "$work/out" | grep -q \
	'^fidelity: slurm, .* waits 1.00, 100.0 %.* mean wait 73 s (real 73 s)$' || cat "$work/out")"
sed -e "s|.*/slurm.db: ||" -e '/^slurm and/d' -e '/default is used/d' \
	"$work/err" > "$work/told"
same "what of a recording is left out is told" "$work/told" << 'END'
1 job left out: no known end
1 job left out: no submit time
2 jobs left out: array tasks that waited and never became jobs
3 jobs were submitted before the recording starts: makespan and utilisation count from the first submission
limits of associations and QOS are unknown: none is enforced
END
backtest "$work/slurm.db" --procs 2
verdict "known nodes are put aside by --procs" "$(grep -q 'with --procs each processor' \
	"$work/err" || cat "$work/err"
	grep 'no nodes are known' "$work/err")"

# An account and a user of unknown usage.
awk '/^[{]"host"/ { print "{\"assoc\":{\"id\":1,\"parent\":null,\"account\":\"root\",\"shares\":1}}"
		print "{\"assoc\":{\"id\":2,\"parent\":1,\"account\":\"a\",\"user\":\"u\",\"shares\":1}}" }
	{ sub(/"end":[{]/, "&\"assoc\":2,"); print }' "$work/picture" > "$work/unused"
"$fairtop" record "$work/unused" -o "$work/unused.db" --count 1
backtest "$work/unused.db"
verdict "usage that is not known is told" "$(grep -q 'no usage is known: fair share counts as 0' \
	"$work/err" || cat "$work/err")"

# Older samples are dropped: the recording begins at its third sample.
"$fairtop" snapshot "$work/slurm.db" | sed '1s/"time":1400/"time":1500/' > "$work/picture"
"$fairtop" record "$work/picture" -o "$work/slurm.db" --count 1 --keep 200s
verdict "a recording that let go of its beginning" "$(backtest "$work/slurm.db" \
	--starts "$work/starts" || cat "$work/err")"
same "has the jobs that are left" "$work/starts" << 'END'
id	submit	start	end
6	1020	1020	1040
END

# slurmctld started at 1007: the cycle in which job 3 passes job 2 is at 1037, not 30 s after job 1.
rm "$work/slurm.db"
boot='"boot":1007,' asks='"state":"COMPLETED"'
picture 1400 "$one,\"end\":1100,\"cpus\":1,\"time_limit\":120" \
	"$two,\"start\":1100,\"end\":1150,\"cpus\":2,\"time_limit\":120" \
	'"id":3,"submit":1010,"start":1037,"end":1057,"cpus":1,"time_limit":30'
backtest "$work/slurm.db" --starts "$work/starts" || cat "$work/err"
same "cycles are counted from the start of slurmctld" "$work/starts" << 'END'
id	submit	start	end
1	1000	1000	1100
2	1010	1100	1150
3	1010	1037	1057
END

# Time limits are checked at 1008 and every 30 s: job 1 is ended at 1068, and job 2, which really
# started later, exactly at its limit. Job 3 ends by itself before its limit is checked.
rm "$work/slurm.db"
asks='"cpus":2'
picture 1400 "$one,\"end\":1068,\"time_limit\":60,\"state\":\"TIMEOUT\"" \
	"$two,\"start\":1090,\"end\":1168,\"time_limit\":60,\"state\":\"TIMEOUT\"" \
	'"id":3,"submit":1011,"start":1200,"end":1255,"time_limit":50,"state":"COMPLETED"'
backtest "$work/slurm.db" --starts "$work/starts" --policy slurm --policy easy || cat "$work/err"
same "time limits are seen at ticks" "$work/starts" << 'END'
id	submit	start	end
1	1000	1000	1068
2	1010	1068	1128
3	1011	1128	1183
END
same "which easy does not know" "$work/starts.2" << 'END'
id	submit	start	end
1	1000	1000	1060
2	1010	1060	1120
3	1011	1120	1170
END

# Job 2 waits for job 1, job 3 for its begin time (and for the next backfill cycle, at 1210). Of the
# array one task runs at a time, although two would fit; the first starts 3 s after the pass that
# the submission of job 2 requested.
rm "$work/slurm.db"
boot='' asks='"cpus":1,"time_limit":120'
three='"id":3,"submit":1011,"eligible":1200' tasks='"array":5,"submit":1012'
picture 1060 "$one,\"state\":\"RUNNING\"" \
	"$two,\"state\":\"PENDING\",\"dependency\":\"afterok:1(unfulfilled)\"" \
	"$three,\"state\":\"PENDING\",\"reason\":\"BeginTime\"" \
	"\"id\":5,$tasks,\"state\":\"PENDING\",\"tasks\":\"1-3%1\""
asks='"cpus":1,"time_limit":120,"state":"COMPLETED"'
picture 1500 "$one,\"end\":1100" "$two,\"start\":1103,\"end\":1150" \
	"$three,\"start\":1203,\"end\":1213" "\"id\":6,\"task\":1,\"start\":1012,\"end\":1032,$tasks" \
	"\"id\":7,\"task\":2,\"start\":1034,\"end\":1054,$tasks" \
	"\"id\":8,\"task\":3,\"start\":1056,\"end\":1076,$tasks"
backtest "$work/slurm.db" --starts "$work/starts" || cat "$work/err"
same "dependencies, begin times and throttles of a recording hold" "$work/starts" << 'END'
id	submit	start	end
1	1000	1000	1100
2	1010	1100	1147
3	1011	1210	1220
6	1012	1013	1033
7	1012	1033	1053
8	1012	1053	1073
END

# A submission requests a pass, even if the job is not yet eligible: job 3, eligible from 1002 on,
# starts in the one at 1003. Becoming eligible later requests none: jobs 4 and 7 wait for backfill
# cycles, job 7 although a pass with nothing to do was due before.
rm "$work/slurm.db"
asks='"cpus":1,"time_limit":60,"state":"COMPLETED"'
picture 1500 "$one,\"end\":1050" '"id":3,"submit":1001,"eligible":1002,"start":1003,"end":1013' \
	'"id":4,"submit":1001,"eligible":1020,"start":1030,"end":1040' \
	'"id":6,"submit":1069,"start":1069,"end":1109' \
	'"id":7,"submit":1070,"eligible":1080,"start":1090,"end":1100'
backtest "$work/slurm.db" --starts "$work/starts" || cat "$work/err"
same "a submission asks for a pass, a begin time does not" "$work/starts" << 'END'
id	submit	start	end
1	1000	1000	1050
3	1001	1003	1013
4	1001	1030	1040
6	1069	1069	1109
7	1070	1090	1100
END

# Jobs get more than they request: job 6 is the largest and needs only one node; job 5 gets one of
# its own, but by the CPU that it requests it is no larger than job 4, which comes before it.
rm "$work/slurm.db"
hosts='n1 n2' asks='"time_limit":60,"state":"PENDING"'
five='"id":5,"submit":1001,"exclusive":true' six='"id":6,"submit":1002'
picture 1003 '"id":4,"submit":1001,"cpus":1,"min_nodes":1' "$five,\"cpus\":1,\"min_nodes\":1" \
	"$six,\"cpus\":2,\"min_nodes\":1"
asks='"time_limit":60,"state":"COMPLETED"'
picture 1500 "$one,\"cpus\":4,\"end\":1060,\"nodes\":2" \
	'"id":4,"submit":1001,"cpus":1,"nodes":1,"start":1060,"end":1070' \
	"$five,\"cpus\":2,\"nodes\":1,\"start\":1060,\"end\":1080" \
	"$six,\"cpus\":2,\"nodes\":2,\"start\":1070,\"end\":1090"
backtest "$work/slurm.db" --policy slurm-builtin --set weight.jobsize=1000 \
	--starts "$work/starts" || cat "$work/err"
same "who was seen waiting is played by what he asked for" "$work/starts.2" << 'END'
id	submit	start	end
1	1000	1000	1060
4	1001	1060	1070
5	1001	1070	1090
6	1002	1060	1080
END

# A recording may name any origin.
sed '1s/"kind":"slurm"/"kind":"x\\u001b]0;y"/' "$work/picture" > "$work/odd"
"$fairtop" record "$work/odd" -o "$work/odd.db" --count 1
backtest "$work/odd.db"
verdict "names are harmless" "$(head -n 1 "$work/out" | grep -q 'no simulation of x<1B>\]0;y' ||
	cat "$work/out" "$work/err")"

verdict "edits choose what schedules, and set its words" "$(backtest "$work/log.swf" --policy fcfs \
	--set sched.policy=conservative --format csv --columns policy --filter scope=total &&
	grep -q -x conservative+edits "$work/out" && [ "$(wc -l < "$work/out")" -eq 3 ] ||
	cat "$work/out" "$work/err")"

verdict "to what would be played anyway, too" "$(backtest "$work/log.swf" --policy fcfs \
	--set sched.policy=easy --format csv --columns policy --filter scope=total &&
	grep -q -x easy+edits "$work/out" || cat "$work/out" "$work/err")"

verdict "slurm is what an edit of a log says" "$(backtest "$work/log.swf" --policy fcfs \
	--set sched.policy=slurm-builtin --format csv --columns policy --filter scope=total &&
	grep -q -x slurm-builtin+edits "$work/out" || cat "$work/out" "$work/err")"

# A log of PBS: ten processors, of which job 1 has six until 100. Job 2 needs eight, 3 and 4 fewer.
pbs_job()	# ID SUBMIT RUN LIMIT PROCS
{
	printf '02/01/1970 00:00:00;E;%d.s;user=u%d group=g queue=q ctime=%d qtime=%d etime=%d ' \
		"$1" "$1" "$2" "$2" "$2"
	printf 'start=%d end=%d Resource_List.ncpus=%d Resource_List.walltime=%d\n' \
		$((1000 + $1)) $((1000 + $1 + $3)) "$5" "$4"
}
{
	pbs_job 1 1000 100 100 6
	pbs_job 2 1001 10 10 8
	pbs_job 3 1002 98 98 1
	pbs_job 4 1003 500 500 3
} > "$work/pbs.log"
verdict "a log of PBS is played by its scheduler" "$(backtest "$work/pbs.log" --policy pbs \
	--procs 10 --set strict_ordering=true --starts "$work/pbs" || cat "$work/err")"
verdict "and judged so" "$(grep -q '^fidelity: pbs, .* judged under pbs: its parameters are unknown' \
	"$work/out" && grep -q 'pbs is simulated on one pool of processors' "$work/err" ||
	cat "$work/out" "$work/err")"
cut -f 1,3 "$work/pbs" "$work/pbs.2" > "$work/told"
same "who does not fit is passed over, but not with strict_ordering" "$work/told" << 'END'
id	start
1	1000
2	1503
3	1002
4	1003
id	start
1	1000
2	1100
3	1002
4	1110
END

# refused WHAT PATTERN ARGUMENT...: exit 2 and a message that matches
refused()
{
	what=$1 pattern=$2
	shift 2
	backtest "$@"
	status=$?
	verdict "$what" "$([ $status -eq 2 ] && grep -q -e "$pattern" "$work/err" ||
		echo "status $status, $(cat "$work/err")")"
}

refused "no file" 'No such file' "$work/none"
printf '1|alice|physics\n' > "$work/headless"
refused "sacct without its header" 'nor is it sacct -P with its header line' "$work/headless"
refused "no such policy" 'expected fcfs, easy' "$work/log.swf" --policy sjf
refused "no such estimates" 'expected limit, run' "$work/log.swf" --estimates x0
refused "five schedules" 'are 6 schedules' "$work/log.swf" --policy easy --policy fcfs \
	--policy slurm --set weight.age=1
sed 's/^ 5 4/ 5 900000000/' "$work/log.swf" > "$work/far.swf"
refused "steps without end" 'steps of 1 s are too many' "$work/far.swf" --every 1s
verdict "a step may be a month" "$(backtest "$work/log.swf" --every 30d || cat "$work/err")"
refused "steps of less than a second" 'at least 1s' "$work/log.swf" --every 500ms
refused "steps of half a second" 'whole seconds' "$work/log.swf" --every 1.5s
refused "no such edit" 'physics' "$work/log.swf" --set shares:/physics=1
refused "five policies" '4 policies' "$work/log.swf" --policy easy --policy easy --policy easy \
	--policy easy --policy easy
refused "no job in that time" 'none of its jobs' "$work/log.swf" --from @1000
exit "$failed"
