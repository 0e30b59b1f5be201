#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop pools`, `fairtop lint` and explain of queues and pools from outside: the first example of
# LSF's documentation from its configuration files, the demo, a pools file for Slurm's partitions,
# a live LSF with stand-ins for its commands, and the exit codes.

: "${FAIRTOP_BUILD:?}" "${srcdir:?}"
fairtop=$FAIRTOP_BUILD/fairtop
seed=$srcdir/tests/data/lsf/seed
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"

csv()
{
	"$fairtop" "$@" --format csv 2> "$work/err"
}

# same WHAT EXPECTED: standard input is EXPECTED
same()
{
	cat > "$work/is"
	printf '%s\n' "$2" > "$work/should"
	verdict "$1" "$(diff "$work/should" "$work/is" | head -n 4)"
}

csv pools "lsf:$seed" --columns queue,share,entitled,allotted,used,pending,dispatch_order | tail -n +2 |
	same "the document's first example" "queue1,50,6,6,,,1
queue2,30,4,4,,,2
queue3,20,3,2,,,3
queue4,,,,,,4"
"$fairtop" pools "lsf:$seed" | grep -F 'pool pool1: 12 slots' > "$work/out"
verdict "people see how a pool came to its size" "$([ -s "$work/out" ] || echo no)"
mkdir "$work/untold"
cp "$seed/lsb.hosts" "$seed/lsb.queues" "$work/untold"
printf '# queue1 # queue2\n15/3 19:4:50 8 5\n15/3 19:5:50 8 5\n' > "$work/untold/dispatcher.log"
"$fairtop" pools "lsf:$work/untold" --format json > "$work/out" 2> "$work/err"
verdict "HIST_HOURS that nobody told is no default" "$(grep -q '"hist_hours":"unknown"' "$work/out" &&
	grep -q 'HIST_HOURS is unknown (expected lsb.params' "$work/err" &&
	! grep -q '"accumulated":[0-9]' "$work/out" || cat "$work/out" "$work/err")"
sed 's/^\( *SLOT_POOL *=\) *pool1/\1 pool9\n&/' "$seed/lsb.queues" > "$work/untold/lsb.queues"
"$fairtop" pools "lsf:$work/untold" > "$work/out" 2> "$work/err"
verdict "a pool that is not taken is named" "$(grep -q 'lsb.queues: line [0-9]*: SLOT_POOL is set again in line [0-9]*: the last one is used' \
	"$work/err" || cat "$work/err")"
sed 's/^\( *SLOT_POOL *=\) *pool1/&\n\1/' "$seed/lsb.queues" > "$work/untold/lsb.queues"
"$fairtop" pools "lsf:$work/untold" > "$work/out" 2> "$work/err"
verdict "nor is nothing taken" "$(grep -q 'is set again in line [0-9]*, to nothing: which of' \
	"$work/err" || cat "$work/err")"
csv pools demo --columns pool,queue | tail -n +2 | cut -d , -f 1 | sort | uniq -c |
	awk '{ print $1, ($2 == "" ? "-" : $2) }' |
	same "the demo has two pools and two queues outside" "2 -
3 accel
3 compute"
csv explain "lsf:$seed" queue:queue3 --columns name,value | grep -E '^(round 1|allotted|entitled),' |
	same "a slot is explained" "entitled,3
round 1,2
allotted,2"
"$fairtop" explain "lsf:$seed" pool:pool1 > "$work/out" 2>&1
verdict "a pool is explained round by round" "$(grep -q '^round 1 queue2' "$work/out" || echo no)"
mkdir "$work/one"
sed -e 's/^\(HOSTS *=\).*/\1 hostA/' "$seed/lsb.queues" > "$work/one/lsb.queues"
cp "$seed/lsb.hosts" "$work/one"
"$fairtop" explain "lsf:$work/one" pool:pool1 > "$work/out" 2>&1
verdict "one host is a host, one queue a queue" "$(grep -q "the pool's 1 host, each" "$work/out" &&
	grep -q '(1 queue outside' "$work/out" || cat "$work/out")"
mkdir "$work/joins"
sed 's/^SLOT_SHARE = 50/SLOT_SHARE = 0/' "$seed/lsb.queues" > "$work/joins/lsb.queues"
cp "$seed/lsb.hosts" "$work/joins"
csv whatif "lsf:$work/joins" --set pool:pool1.queue1.share=50 --view pools |
	grep -E ',(priority|share),' |
	same "a queue that joins its pool is compared with itself" "queue:queue1,priority,50,50,0,0
queue:queue1,share,,50,,0
queue:queue2,priority,48,48,0,0
queue:queue2,share,30,30,0,0
queue:queue3,priority,46,46,0,0
queue:queue3,share,20,20,0,0
queue:queue4,priority,40,40,0,0"
csv pools "lsf:$work/joins" --set pool:pool1.queue1.share=50 \
	--columns queue,base_priority,base_share,share_change | tail -n +2 |
	same "... and so in the columns of changes" "queue1,50,,
queue2,48,30,0
queue3,46,20,0
queue4,40,,"
"$fairtop" explain "lsf:$seed" queue:queue33 > "$work/out" 2> "$work/err"
verdict "an unknown queue has near misses" "$([ $? -eq 2 ] && grep -q 'did you mean queue3' \
	"$work/err" || cat "$work/err")"
"$fairtop" lint "lsf:$seed" > "$work/out"
verdict "a clean configuration is exit 0" "$([ $? -eq 0 ] || echo "exit $?")"

mkdir "$work/bad"
sed -e 's/SLOT_SHARE = 20/SLOT_SHARE = 2O/' "$seed/lsb.queues" > "$work/bad/lsb.queues"
cp "$seed/lsb.hosts" "$work/bad"
"$fairtop" lint "lsf:$work/bad" > "$work/out"
verdict "errors are exit 1" "$([ $? -eq 1 ] || echo "exit $?")"
csv lint "lsf:$work/bad" --columns severity,code,object,file,line --filter severity=error |
	tail -n +2 | same "an error has its place" "error,E1,queue:queue3,lsb.queues,24"
echo 'Begin Queue' > "$work/bad/lsb.queues"
"$fairtop" pools "lsf:$work/bad" > "$work/out" 2> "$work/err"
verdict "a broken file is exit 2 with its line" "$([ $? -eq 2 ] && grep -q 'lsb.queues:1: ' \
	"$work/err" || cat "$work/err")"

# Pools of Slurm's partitions.
cat > "$work/pools" << 'END'
set hist-hours 4
pool main max-slots=100
queue batch pool=main share=70
queue gpu pool=main share=30 limit=20
END
"$fairtop" snapshot demo | grep -v -E '^\{"(queue|pool)":' |
	sed 's/"queue":8,"pool":2,//' > "$work/slurm.snapshot"
csv pools "$work/slurm.snapshot" --pools "$work/pools" --columns queue,share,limit --sort queue |
	tail -n +2 | same "a pools file makes pools of partitions" "batch,70,
bigmem,,
debug,,
gpu,30,20"
grep -v '^{"job"' "$work/slurm.snapshot" | sed -e 's/,"job":[0-9]*}}/}}/' \
	-e '1s/"policy"/"notes":[{"subject":"jobs","text":"not told"}],"policy"/' > "$work/jobless.snapshot"
csv pools "$work/jobless.snapshot" --pools "$work/pools" --columns queue,used,pending --sort queue |
	tail -n +2 | same "jobs that were not told are no zero" "batch,,
bigmem,,
debug,,
gpu,,"
echo 'queue btch pool=main share=1' >> "$work/pools"
"$fairtop" pools "$work/slurm.snapshot" --pools "$work/pools" > "$work/out" 2> "$work/err"
verdict "a rule about nothing is exit 2" "$([ $? -eq 2 ] &&
	grep -q 'pools:5: btch: no such partition (did you mean batch?)' "$work/err" ||
	cat "$work/err")"

"$fairtop" "$work/slurm.snapshot" --pools "$work/pools" --render 160x24 \
	> "$work/out" 2> "$work/err"
verdict "so does the screen: a rule about nothing is told" \
	"$(grep -q 'pools:5: btch: no such partition (did you mean batch?)' "$work/out" ||
		cat "$work/out" "$work/err")"
sed -i '$d' "$work/pools"
"$fairtop" "$work/slurm.snapshot" --pools "$work/pools" --render 80x24 > "$work/out" 2> "$work/err"
verdict "the screen opens with the pools of the file" "$(grep -q '^ main/gpu ' "$work/out" &&
	grep -q 'Dispatch debug -> batch \[main\]' "$work/out" || cat "$work/out" "$work/err")"
# The pools of a file consist of the jobs' partitions; those of the demo are separate.
"$fairtop" "$work/slurm.snapshot" --pools "$work/pools" --render 120x24 --keys 3x > "$work/out" 2>&1
verdict "x leads from a queue to its jobs" "$(grep -q '\[2 Jobs\]' "$work/out" &&
	grep -q 'partition="batch"' "$work/out" && grep -q ' PENDING ' "$work/out" ||
	cat "$work/out")"
"$fairtop" demo --render 120x24 --keys 3x > "$work/out" 2>&1
verdict "or says that no job of it was read" "$(grep -q '\[3 Pools\]' "$work/out" &&
	grep -q 'go-across: queue short: its jobs were not read, only its slots' \
		"$work/out" || cat "$work/out")"
"$fairtop" explain demo queue:normal > "$work/out" 2>&1
"$fairtop" explain "$work/slurm.snapshot" --pools "$work/pools" queue:batch > "$work/own" 2>&1
verdict "as explain does, of such a queue alone" "$(
	grep -q 'slots in use, as reported: no job of this queue was read' "$work/out" &&
	grep -q -x ' *slots in use' "$work/own" || cat "$work/out" "$work/own")"
"$fairtop" demo --pools "$work/nothing" --render 80x24 > "$work/out" 2> "$work/err"
verdict "a pools file that is not there is exit 2" "$([ $? -eq 2 ] || echo "exit $?")"

# What the queues have accumulated in three samples half an hour apart (HIST_HOURS is 4): batch has
# no running job in the second one. By the rule: gpu 576 CPUs, in the third sample
# 288 * 0.1^(1/8) + 288; batch only the usage of the first half hour.
export TZ=UTC
time=$(sed -n '1s/.*"time":\([0-9]*\).*/\1/p' "$work/slurm.snapshot")
sed 's/share=70/share=50/; s/share=30 limit=20/share=50/' "$work/pools" > "$work/even"
for k in 0 1 2; do
	sed "1s/\"time\":$time/\"time\":$((time + 1800 * k))/" "$work/slurm.snapshot" |
		awk -v quiet=$((k == 1)) '/^{"end"/ { sub(/"job":[0-9]*/, "\"job\":" jobs) }
			/^{"job"/ { if (quiet && /"state":"RUNNING"/ && /"partition":"batch"/) next; jobs++ }
			{ print }' > "$work/sample.snapshot"
	"$fairtop" record "$work/sample.snapshot" -o "$work/slots.db" --count 1 2> "$work/err" ||
		cat "$work/err"
done
csv history "$work/slots.db" queue:batch queue:gpu --pools "$work/even" \
	--columns time,object,used,accumulated,allocation_order | tail -n +2 |
	awk -F , '{ printf "%d %s %d %s %d\n", ($1 - '"$time"') / 60, $2, $3,
		$4 == "" ? "-" : sprintf("%.3f", $4), $5 }' |
	same "what a recording has is accumulated, and the order of a pool moves" "$(awk 'BEGIN {
	r = exp(log(0.1) / 8); batch = '"$(csv pools "$work/slurm.snapshot" --pools "$work/even" \
		--columns used --filter queue=batch | tail -n 1)"'
	print "0 queue:batch", batch, "- 1"
	print "0 queue:gpu 576 - 2"
	printf "30 queue:batch 0 %.3f 2\n", batch / 2
	print "30 queue:gpu 576 288.000 1"
	printf "60 queue:batch %d %.3f 2\n", batch, batch / 2 * r
	printf "60 queue:gpu 576 %.3f 1\n", 288 * r + 288 }')"
for at in 0 1800 3600; do
	csv pools "$work/slots.db" --pools "$work/even" --at $((time + at)) \
		--columns accumulated --filter queue=gpu | tail -n +2
done | awk '{ printf "%s%.3f", (NR > 1 ? " " : ""), $1 } END { print "" }' |
	same "so does pools --at" "0.000 288.000 503.970"
"$fairtop" "$work/slots.db" --pools "$work/even" --render 200x40 --keys '[' 2> "$work/err" \
	> "$work/out"
verdict "and so does the screen" "$(grep -q 'main/gpu.* 288.00 *1 ' "$work/out" &&
	grep -q 'main/batch .*k *2 ' "$work/out" || cat "$work/out" "$work/err")"
csv history "$work/slots.db" queue:batch --pools "$work/even" --from $((time + 3600)) \
	--columns accumulated | tail -n +2 | grep -c . |
	same "what is before --from counts, too" 1
csv history "$work/slots.db" queue:gpu --pools "$work/even" > "$work/rows"
verdict "and what is between two steps" "$(awk -F , 'NR == 1 { print; next }
	row && int($1 / 7200) != last { print row }
	{ last = int($1 / 7200); row = $0 } END { print row }' "$work/rows" > "$work/expected"
	[ "$(wc -l < "$work/expected")" -lt "$(wc -l < "$work/rows")" ] || echo 'no step'
	csv history "$work/slots.db" queue:gpu --pools "$work/even" --every 2h |
		cmp "$work/expected" - 2>&1)"

# The dispatcher log: written from a recording, read as the source lsf:DIR, written again.
"$fairtop" record demo:step=30 --count 3 -o "$work/demo.db" 2> "$work/err" ||
	cat "$work/err"
"$fairtop" pools "$work/demo.db" --log > "$work/log" 2> "$work/err"
verdict "a recording gives a line a sample" "$([ "$(grep -vc '^#' "$work/log")" -eq 3 ] ||
	cat "$work/log" "$work/err")"
csv pools "$work/demo.db" --filter '!pool=unknown' --columns allotted | tail -n +2 | paste -s -d ' ' |
	same "the last line is what the table says" "$(tail -n 1 "$work/log" | cut -d ' ' -f 3-)"
mkdir "$work/logged"
cp "$work/log" "$work/logged/dispatcher.log"
sed -n 's/^# \(.* # .*\)/\1/p' "$work/log" | tr '#' '\n' | awk '{
	printf "Begin Queue\nQUEUE_NAME = %s\nSLOT_POOL = p\nSLOT_SHARE = 10\nEnd Queue\n", $1 }' \
	> "$work/logged/lsb.queues"
touch -d '2026-05-03 09:30' "$work/logged"/*
"$fairtop" pools "lsf:$work/logged" --log 2> "$work/err" | head -n 5 > "$work/again"
verdict "a log that was read is written as it was" "$(diff "$work/log" "$work/again")"
"$fairtop" pools "lsf:$work/logged" --log 2> "$work/err" | tail -n 1 |
	same "and goes on with now" "3/5 9:30:0 0 0 0 0 0 0"
"$fairtop" "lsf:$work/logged" --render 80x24 2> "$work/err" > "$work/out"
verdict "the screen draws it" "$(grep -q '  ━   1[0-9][0-9] short' "$work/out" ||
	grep -q '  a   1[0-9][0-9] short' "$work/out" || cat "$work/out")"
"$fairtop" pools "$work/slurm.snapshot" --log > "$work/out" 2> "$work/err"
verdict "a log of no pools is exit 2" "$([ $? -eq 2 ] && grep -q 'no queue is in a pool' \
	"$work/err" || cat "$work/err")"

# A live LSF: stand-ins for its commands print what the documentation says.
mkdir "$work/bin" "$work/conf" "$work/conf/lsbatch" "$work/conf/lsbatch/site" \
	"$work/conf/lsbatch/site/configdir"
cp "$seed"/lsb.* "$work/conf/lsbatch/site/configdir"
echo "LSB_CONFDIR=$work/conf/lsbatch" > "$work/conf/lsf.conf"
cat > "$work/bin/bqueues" << 'END'
#!/bin/sh
echo '{"COMMAND":"bqueues","QUEUES":2,"RECORDS":[
{"QUEUE_NAME":"queue1","PRIO":"50","STATUS":"Open:Active","MAX":"-","NJOBS":"3","PEND":"1","RUN":"2","SUSP":"0"},
{"QUEUE_NAME":"queue2","PRIO":"48","STATUS":"Open:Active","MAX":"5","NJOBS":"99","PEND":"99","RUN":"0","SUSP":"0"},
{"QUEUE_NAME":"queue3","PRIO":"46","STATUS":"Open:Active","MAX":"-","NJOBS":"9","PEND":"9","RUN":"0","SUSP":"0"}]}'
END
cat > "$work/bin/bhosts" << 'END'
#!/bin/sh
echo '{"COMMAND":"bhosts","HOSTS":2,"RECORDS":[{"HOST_NAME":"hostA","STATUS":"ok","MAX":"6","NJOBS":"2"},
{"HOST_NAME":"hostB","STATUS":"ok","MAX":"6","NJOBS":"1"}]}'
END
printf '#!/bin/sh\necho "No job found" >&2\nexit 255\n' > "$work/bin/bjobs"
chmod +x "$work/bin"/*
export LSF_ENVDIR="$work/conf"
PATH=$work/bin:$PATH csv pools lsf --columns queue,used,pending,allotted,limit --filter 'queue=queue1|queue=queue2' |
	tail -n +2 | same "a live LSF by its commands and files" "queue1,2,1,3,
queue2,0,99,5,5"
sed -i 's/"PEND":"9",/"PEND":"-",/' "$work/bin/bqueues"
PATH=$work/bin:$PATH csv pools lsf --columns queue,allotted,borrowed --filter 'pool=pool1' | tail -n +2 |
	same "what a pool allots is unknown where what one of its queues asks for is" "queue1,,
queue2,,
queue3,,"
PATH=$work/bin:$PATH "$fairtop" pools lsf > "$work/out" 2> "$work/err"
verdict "and is said to be" "$(grep -q 'the slots its queues can use are unknown' "$work/out" ||
	cat "$work/out" "$work/err")"
# Slots in use accumulate while recording: 2 of queue1, hardly decayed so soon, none of queue2.
PATH=$work/bin:$PATH "$fairtop" record lsf --every 1s --count 2 -o "$work/lsf.db" 2> "$work/err" ||
	cat "$work/err"
hours=$(csv history "$work/lsf.db" queue:queue1 --columns time | awk 'NR == 2 { first = $1 }
	END { printf "%.6f", ($1 - first) / 3600 }')
csv pools "$work/lsf.db" --columns queue,accumulated --filter 'queue=queue1|queue=queue2' |
	awk -F , -v all="$hours" '
		$1 == "queue1" && $2 > 1.5 * all && $2 < 2.001 * all || $1 == "queue2" && $2 == "0" { n++ }
		{ print > "/dev/stderr" } END { print n + 0 }' 2> "$work/err" |
	same "slots accumulate while an LSF is watched" 2
# A pools file without hist-hours uses LSF's: 0.5, from volclava's lsb.params.
printf 'pool main\nqueue phys pool=main share=50\n' > "$work/phys"
"$fairtop" pools "lsf:$srcdir/tests/data/lsf/volclava/t3" --pools "$work/phys" --format json \
	> "$work/out" 2> "$work/err"
verdict "pools of a file decay by HIST_HOURS of the LSF" \
	"$(grep -q '"hist_hours":"0.5"' "$work/out" || head -c 300 "$work/out")"
printf '#!/bin/sh\necho "Failed in an LSF library call: LIM is down" >&2\nexit 255\n' > "$work/bin/bqueues"
PATH=$work/bin:$PATH "$fairtop" pools lsf > "$work/out" 2> "$work/err"
verdict "an LSF that is down is exit 3" "$([ $? -eq 3 ] && grep -q 'LIM is down' "$work/err" ||
	cat "$work/err")"
exit $failed
