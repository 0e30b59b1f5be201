#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A PBS with two schedulers: each sees its own queues and vnodes, by its own policy.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
TZ=UTC
export TZ

pbs=$work/pbs
mkdir -p "$pbs/sched_priv_owl"
# vnode NAME NCPUS PARTITION
vnode()
{
	printf '"%s":{"resources_available":{"ncpus":%s,"host":"%s","vnode":"%s"},' "$1" "$2" "$1" "$1"
	printf '"state":"free","resources_assigned":{"ncpus":0}%s}' "${3:+,\"partition\":\"$3\"}"
}
# job ID QUEUE NCPUS: jobs are in the order of their ids.
job()
{
	printf '"%s.lake":{"Job_Owner":"ada@lake","job_state":"Q","queue":"%s","euser":"ada",' "$1" "$2"
	printf '"qtime":"Fri Nov 20 04:00:0%s 2026","queue_rank":179514840%s,' "$1" "$1"
	printf '"Resource_List":{"ncpus":%s,"select":"1:ncpus=%s"},"schedselect":"1:ncpus=%s"}' \
		"$3" "$3" "$3"
}
head='{"timestamp":1795149000,"pbs_version":"23.06.06","pbs_server":"lake"'
echo "$head,\"nodes\":{$(vnode day 4),$(vnode moon 4 N),$(vnode dusk 4 X)}}" > "$pbs/pbsnodes_av.json"
echo "$head,\"Queue\":{\"workq\":{\"queue_type\":\"Execution\",\"enabled\":\"True\",\"started\":\"True\"},
	\"night\":{\"queue_type\":\"Execution\",\"enabled\":\"True\",\"started\":\"True\",\"partition\":\"N\"}}}" \
	> "$pbs/qstat_Qf.json"
echo "$head,\"Jobs\":{$(job 1 workq 3),$(job 2 night 2),$(job 3 night 3),$(job 4 workq 5)}}" \
	> "$pbs/qstat_f.json"
cat > "$pbs/qmgr_list_sched.txt" << 'END'
Sched default
    scheduling = True

Sched owl
    partition = N
    scheduling = True
END
echo 'strict_ordering: false ALL' > "$pbs/sched_config"
printf 'job_sort_key: "ncpus HIGH" ALL\nresources: "ncpus, host, vnode"\n' \
	> "$pbs/sched_priv_owl/sched_config"

# outcomes SOURCE...: prints the jobs in the order of the cycle, as in "3 run,2 blocked".
outcomes()
{
	"$fairtop" cycle "$@" --format csv --columns id,outcome 2> "$work/err" |
		sed '1d; s/\.lake,/ /' | tr '\n' ',' | sed 's/,$/\n/'
}
# sees WHAT OUTCOMES SOURCE...: the cycle has these outcomes
sees()
{
	what=$1 right=$2
	shift 2
	verdict "$what" "$(outcomes "$@" > "$work/out"
		[ "$(cat "$work/out")" = "$right" ] || cat "$work/out" "$work/err")"
}
sees "the default one runs nothing on the vnodes of others" \
	'1 run,4 blocked,2 left-out,3 left-out' "pbs:$pbs"
answers "^  its queue belongs to another scheduler: 2.lake, 3.lake" cycle "pbs:$pbs"
answers "its queue belongs to another scheduler" explain "pbs:$pbs" job:2
sees "another one goes by its own policy" '3 run,2 blocked,1 left-out,4 left-out' "pbs:$pbs" \
	--sched owl
sees "the source says whose it is" '3 run,2 blocked,1 left-out,4 left-out' "pbs:$pbs,sched=owl"
sees "and the default one may be asked for" '1 run,4 blocked,2 left-out,3 left-out' \
	"pbs:$pbs,sched=owl" --sched default
# Two jobs without an order: it says why one has no place, and no row decides.
answers "job 2 is not in the queue: its queue belongs to another scheduler" compare "pbs:$pbs" job:2 job:3
lacks ',true,' compare "pbs:$pbs" job:2 job:3 --format csv
answers 'job 1: they are the same' compare "pbs:$pbs" job:1 job:1
answers 'job 141553 is not in the queue: it is held' compare demo job:141553 job:141665

# An unknown group may be the same as the other's: such classes may not really differ.
cp -R "$pbs" "$work/groups"
sed -i 's/"workq":{/&"max_run":"[g:PBS_GENERIC=3]",/' "$work/groups/qstat_Qf.json"
sed -i 's/"euser"/"egroup":"staff",&/' "$work/groups/qstat_f.json"
sed -i 's/\("4.lake":{.*\)"egroup":"staff",/\1/' "$work/groups/qstat_f.json"
answers 'class 0 and class 3, which differ by the known values:' compare "pbs:$work/groups" job:1 job:4
answers 'staff against unset or unknown' compare "pbs:$work/groups" job:1 job:4
answers 'same except for .*unset or unknown' compare "pbs:$work/groups" class:0 class:3
answers 'classes, perhaps 2' "pbs:$work/groups" --render 80x24 --keys 4
verdict "how many, nobody knows" "$("$fairtop" classes "pbs:$work/groups" 2>&1 |
	grep -q 'number is unknown: groups separate classes, and the group of 1 job is unknown' || echo no)"

answers '^3,1$' jobs "pbs:$pbs,sched=owl" --format csv --columns id,rank
"$fairtop" snapshot "pbs:$pbs,sched=owl" > "$work/owl.snapshot" 2> "$work/err"
sees "what was read as of one stays so" '3 run,2 blocked,1 left-out,4 left-out' \
	"$work/owl.snapshot"
# In a snapshot with the default one's policy, what qmgr reports for the other one is known.
"$fairtop" snapshot "pbs:$pbs" > "$work/snapshot" 2> "$work/err"
sees "a policy that was not read is PBS's default, and said to be" \
	'2 run,3 blocked,1 left-out,4 left-out' "$work/snapshot" --sched owl
verdict "by a message" "$(grep -q 'as seen by owl, whose policy and tree were not read' "$work/err" ||
	cat "$work/err")"
echo '    job_sort_formula = ncpus' >> "$pbs/qmgr_list_sched.txt"
"$fairtop" snapshot "pbs:$pbs" > "$work/snapshot" 2> "$work/err"
sees "the formula is told to everybody" '3 run,2 blocked,1 left-out,4 left-out' "$work/snapshot" \
	--sched owl
# If the default one has no jobs, the one with jobs is shown.
echo "$head,\"Jobs\":{$(job 2 night 2),$(job 3 night 3)}}" > "$pbs/qstat_f.json"
sees "the one that jobs wait for" '3 run,2 blocked' "pbs:$pbs"
answers '"scheduler":"owl"' cycle "pbs:$pbs" --format json
answers '"scheduler":"default"' cycle "pbs:$pbs" --sched default --format json
cp "$pbs/qstat_f.json" "$work/night.json"
echo "$head,\"Jobs\":{$(job 1 workq 3)}}" > "$pbs/qstat_f.json"
sees "who has chosen one gets that one" '1 left-out' "pbs:$pbs,sched=owl"
cp "$work/night.json" "$pbs/qstat_f.json"

# Resource names of jobs may be hostile, too.
cp "$pbs/qstat_f.json" "$work/jobs.json"
sed 's/"ncpus":2,"select":"1:ncpus=2"/"n\\u0007g":2,&/; s/"schedselect":"1:ncpus=2/&:n\\u0007g=2/' \
	"$work/jobs.json" > "$pbs/qstat_f.json"
printf 'resources: "ncpus, n\ag"\n' > "$pbs/sched_priv_owl/sched_config"
for both in '' --both; do
	# shellcheck disable=SC2086 # none or one
	answers 'resource: n<07>g$' cycle "pbs:$pbs" --sched owl $both
	verdict "and no bell rings" "$(tr -dc '\a' < "$work/out" | od -c | grep -v '^0*$')"
done
cp "$work/jobs.json" "$pbs/qstat_f.json"
# Calendar places of another scheduler's queue are not those of this cycle.
sed 's/"partition":"N"/"backfill_depth":2,&/' "$pbs/qstat_Qf.json" > "$work/out" &&
	cp "$work/out" "$pbs/qstat_Qf.json"
answers "^own calendar places of queue night: 2" \
	cycle "pbs:$pbs" --sched owl --set strict_ordering=True
lacks 'calendar places of queue' cycle "pbs:$pbs" --sched default --set strict_ordering=True

# The export is for the scheduler that is shown.
printf 'lab 7 root 10\nada 8 lab 10\n' > "$pbs/sched_priv_owl/resource_group"
printf 'PBS_MAG!\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0@\1\0\0\0\0\0\0\0' > "$pbs/sched_priv_owl/usage"
exported()
{
	"$fairtop" whatif "pbs:$pbs,sched=owl" --export pbs --set job_sort_formula=mem \
		--set by_queue=True --set shares:/lab=20 > "$work/out" 2> "$work/err"
}
exported
for line in 'qmgr -c .set sched owl job_sort_formula = "mem"' 'cd .*/sched_priv_owl"$' \
	'^pbsfs.. [{] command pbsfs -I owl "[$]@"; [}]$'; do
	verdict "exported: $line" "$(grep -q -E "$line" "$work/out" || cat "$work/out" "$work/err")"
done
verdict "the script is one" "$(sh -n "$work/out" 2>&1)"
sed -i 's/^Sched owl/Sched o-w.l/' "$pbs/qmgr_list_sched.txt"
answers "^qmgr -c 'set sched o-w.l job_sort_formula" whatif "pbs:$pbs,sched=o-w.l" --export pbs \
	--set job_sort_formula=mem
sed -i 's/^Sched o-w.l/Sched owl/' "$pbs/qmgr_list_sched.txt"
sed -i 's/^Sched owl/Sched o$(l)/' "$pbs/qmgr_list_sched.txt"
mv "$pbs/sched_priv_owl" "$pbs/sched_priv_o\$(l)"
"$fairtop" whatif "pbs:$pbs,sched=o\$(l)" --export pbs --set by_queue=True > "$work/out" 2> "$work/err"
verdict "nothing of a name that a shell would read" "$(grep -v '^#' "$work/out" | grep -F '$(l)'
	grep -q 'not exported: the scheduler' "$work/out" || cat "$work/out" "$work/err")"
sed -i 's/^Sched o.*/Sched owl/' "$pbs/qmgr_list_sched.txt"

# Jobs of another scheduler do not count as jobs of unknown place.
"$fairtop" jobs "pbs:$srcdir/tests/data/pbs/07_multisched" > "$work/out" 2> "$work/err"
verdict "as many as cycle has" "$(grep -q 'the rank of 2 pending jobs is un' "$work/err" ||
	cat "$work/err")"

refused "no such scheduler" '"bat": unknown scheduler .expected one of default, owl' \
	cycle "pbs:$pbs" --sched bat
refused "nor in a source" "sched=bat: qmgr -c 'list sched' has no such scheduler" \
	jobs "pbs:$pbs,sched=bat"
refused "no name" 'expected the name of a scheduler' jobs "pbs:$pbs,sched=../owl"
refused "an empty one" 'expected the name of a scheduler' jobs "pbs:$pbs,sched="
refused "a host with half an option" 'expected sched=NAME' jobs pbs:@lake,
refused "Slurm has one" '"owl": unknown scheduler' cycle demo --sched owl
exit "$failed"
