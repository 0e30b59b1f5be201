#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop whatif`, `forecast`, `seek`, `lint` and --set on the other verbs: the answers have the
# documented keys, mistakes are reported with file and line and exit 2, an edit changes what it says
# and nothing else, and the exported script is valid for a shell.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"

# refused WHAT REGEX ARGUMENT...: exit 2 and that on standard error, nothing on standard output
refused()
{
	what=$1 regex=$2
	shift 2
	"$fairtop" "$@" > "$work/out" 2> "$work/err"
	code=$?
	verdict "refused: $what" "$([ $code -eq 2 ] || echo "exit $code"
		[ ! -s "$work/out" ] || echo "an answer"
		grep -q -E -e "$regex" "$work/err" || cat "$work/err")"
}

# csv NAME ARGUMENT...: writes the answer to $work/NAME
csv()
{
	name=$1
	shift
	"$fairtop" "$@" --format csv 2> "$work/err" > "$work/$name"
}

refused 'no such target' 'weight.aeg.*did you mean weight.age' \
	accounts demo:1,speed=0 --set weight.aeg=1
refused 'out of range' 'shares:PATH.*from 0 to' whatif demo:1,speed=0 --set shares:/biology=-1
refused 'no such account' 'edit "shares:/nobody = 1".*no such' \
	accounts demo:1,speed=0 --set shares:/nobody=1
refused 'no such file' '/none/such' whatif demo:1,speed=0 --what-if "$work/none/such"
refused 'nothing to tell' 'whatif: no edit given' whatif demo:1,speed=0
verdict "a table shows what changes, --all the rest, too" "$(
	few=$("$fairtop" whatif demo:1,speed=0 --set shares:/biology=31 | wc -l)
	all=$("$fairtop" whatif demo:1,speed=0 --set shares:/biology=31 --all | wc -l)
	[ "$few" -lt "$all" ] || echo "$few and $all lines"
)"
verdict "a forecast of a job asks for a rank" "$(
	"$fairtop" forecast demo:1,speed=0 job:141566 --reach 20 2>&1 | grep -q '^the job, at rank [0-9]*, reaches rank 20' ||
		echo 'no rank'
)"
refused 'half a rank to forecast' '--reach 0.5: not a rank' forecast demo:1,speed=0 job:141566 --reach 0.5
refused 'export without edits' 'no edit' whatif demo:1,speed=0 --export slurm
refused 'seek without a goal' '--reach' seek demo:1,speed=0 account:biology
refused 'a rank of nought' '--reach 0: not a rank .expected a whole number from 1' \
	seek demo:1,speed=0 job:141583 --reach 0
refused 'half a rank' '--reach 1.5: not a rank' seek demo:1,speed=0 job:141583 --reach 1.5
refused 'F beyond 1' '--reach 2: not a fair-share factor .expected a number from 0 to 1' \
	seek demo:1,speed=0 /physics --reach 2
refused 'a forecast of F beyond 1' '--reach 7: not a fair-share factor' \
	forecast demo:1,speed=0 /physics/hep --reach 7
refused 'no number' '--reach nan: not a fair-share factor' \
	forecast demo:1,speed=0 /physics/hep --reach nan
refused 'minus and ago' '1h ago' accounts demo:1,speed=0 --at '-1h ago'
refused 'reported ratios of other shares' 'do not include these edits' \
	accounts demo:1,speed=0 --set shares:/biology=1 --base reported
# Values that slurmctld refuses when it reads its configuration (read_config.c).
refused 'half-life 0 alone' 'refuses 0 without PriorityUsageResetPeriod' \
	whatif demo:1,speed=0 --set half_life=0
refused 'no such reset period' 'reset_period: .*expected NONE, NOW, DAILY' \
	whatif demo:1,speed=0 --set reset_period=FORTNIGHTLY
for period in 0 infinite; do
	refused "a period of $period" 'calc_period: .*at least one minute' \
		whatif demo:1,speed=0 --set calc_period=$period
done
# Tried line by line with slurmctld 22.05.8: tests/live/t_conf.sh.
refused 'half a minute' 'half_life: .*whole minutes' whatif demo:1,speed=0 --set half_life=90s
refused 'no such plugin' 'PriorityType: .*expected priority/multifactor or priority/basic' \
	whatif demo:1,speed=0 --set PriorityType=priority/foo
refused 'a word of a list' 'AccountingStorageEnforce: .*expected associations, limits' \
	whatif demo:1,speed=0 --set AccountingStorageEnforce=limits,foo
verdict "several words of a list" "$("$fairtop" whatif demo:1,speed=0 \
	--set AccountingStorageEnforce=limits,QOS 2>&1 > "$work/out")"
for seconds in 0 65536; do
	refused "MessageTimeout $seconds" 'MessageTimeout: .*from 1 to 65533' \
		whatif demo:1,speed=0 --set MessageTimeout=$seconds
done
refused 'no such TRES' 'no such TRES .expected cpu, mem' whatif demo:1,speed=0 --set weight.tres=foo=1
refused 'a TRES that is not tracked' 'AccountingStorageTRES has no "gres/foo"' \
	whatif demo:1,speed=0 --set weight.tres=gres/foo=1
refused 'weights of what is not tracked' 'AccountingStorageTRES has no "license/x"' \
	whatif demo:1,speed=0 --set partition:batch.billing_weights=CPU=1,license/x=2
refused 'a weight beyond its type' 'weight.age: .*out of range' \
	whatif demo:1,speed=0 --set weight.age=4294967296
refused 'a partition factor beyond its type' 'out of range' \
	whatif demo:1,speed=0 --set partition:batch.job_factor=65536
verdict "half-life 0 with a line for resets" "$("$fairtop" whatif demo:1,speed=0 --set half_life=0 \
	--set reset_period=NONE 2>&1 > "$work/out" | grep -v 'takes effect over time')"
for edit in half_life=14d calc_period=10m reset_period=DAILY; do
	"$fairtop" whatif demo:1,speed=0 --set $edit > "$work/out" 2> "$work/err"
	verdict "$edit shows over time" "$(cat "$work/out"
		grep -q 'takes effect over time.*--set advance=14d.*forecast' "$work/err" || cat "$work/err")"
done
"$fairtop" whatif demo:1,speed=0 --set half_life=14d --format csv > "$work/out" 2> /dev/null
verdict "no row of zeros in CSV" "$(sed 1d "$work/out")"
"$fairtop" whatif demo:1,speed=0 --set half_life=14d --format json > "$work/out" 2> /dev/null
verdict "in JSON a note for the rows" "$(grep '"object"' "$work/out"
	grep -q '"notes":"takes effect over time.*--set advance=14d' "$work/out" || cat "$work/out")"
echo half_life = 14d > "$work/slow.whatif"
"$fairtop" whatif demo:1,speed=0 --set shares:/biology=31 --beside "$work/slow.whatif" \
	--format csv > "$work/out" 2> "$work/err"
verdict "nor beside a set that shows at once" "$(grep slow "$work/out"
	grep -q '^/biology,shares,' "$work/out" || cat "$work/out"
	grep -q 'slow.whatif: takes effect over time' "$work/err" || cat "$work/err")"
"$fairtop" policy demo:1,speed=0 --set reset_period=WEEKLY --format csv \
	--columns name,value,what_if,meaning > "$work/out" 2> /dev/null
verdict "the next reset of both sides" "$(
	grep -q '^NextUsageReset,,[0-9]*,"*next reset of all usage to zero' "$work/out" ||
		grep Reset "$work/out")"
verdict "with advance it is shown" "$("$fairtop" whatif demo:1,speed=0 --set half_life=14d \
	--set advance=14d 2>&1 > "$work/out"; grep -q '^/biology  *usage ' "$work/out" || echo no)"

# may WHO EDIT: the export says that WHO may run its command
may()
{
	"$fairtop" whatif demo:1,speed=0 --set "$2" --export slurm > "$work/out" 2>&1
	verdict "who may: $2" "$(grep -q "^# allowed for: $1" "$work/out" || cat "$work/out")"
}
may 'an administrator or operator: only they' 'job:141583.nice=-5'
may 'the owner of the job; for jobs of other users an admin' 'job:141583.nice=5'
may 'an administrator or operator$' 'job:141583.priority=5'
may "an administrator of Slurm's accounting" 'shares:/biology=5'
may 'an administrator or operator$' 'partition:batch.tier=5'
printf 'weight.age = 5\n\nshares:/biology = many\n' > "$work/bad.whatif"
refused 'file and line' 'bad.whatif:3: ' whatif demo:1,speed=0 --what-if "$work/bad.whatif"

# Usage is reset on Sunday at midnight: only usage of jobs that ran since then is left.
csv reset accounts demo:1,speed=0 --set reset_period=WEEKLY --set advance=7d --columns path,usage
csv decay accounts demo:1,speed=0 --set advance=7d --columns path,usage
verdict "advance goes beyond a reset" "$(
	awk -F, 'NR == FNR { n[$1] = $2; next } FNR > 1 && $2 > 0 && n[$1] >= $2 { print }
		FNR > 1 && n[$1] == 0 { zero++ } END { if (zero < 10) print "only " zero " are 0" }' \
		"$work/reset" "$work/decay")"
"$fairtop" forecast demo:1,speed=0 /physics/hep --reach 0.8 --set reset_period=WEEKLY > "$work/said"
verdict "a forecast tells the reset" "$(grep -q 'usage is reset in 6-15:00:00' "$work/said" ||
	head -n 1 "$work/said")"

# Lines with which slurmctld 22.05.8 does not start, and lines with which it does.
lint_line()
{
	printf 'ClusterName=x\n%s\n' "$1" > "$work/line.conf"
	"$fairtop" lint demo:1,speed=0 --config "$work/line.conf" 2>&1 | grep 'line.conf:2: error S19'
}
for line in PriorityWeightAge=4294967296 PriorityWeightAge=-1 PriorityWeightAge=1m \
	PriorityCalcPeriod=0 PriorityCalcPeriod=UNLIMITED PriorityUsageResetPeriod=HOURLY \
	PriorityDecayHalfLife=0 PriorityDecayHalfLife=7d PriorityFavorSmall=maybe \
	EnforcePartLimits=foo MessageTimeout=65536 KillWait=65536 CompleteWait=65536 \
	OverTimeLimit=65536 PriorityWeightTRES=foo=1 PriorityWeightTRES=CPU \
	'PartitionName=p Nodes=ALL PriorityJobFactor=65536' \
	'PartitionName=p Nodes=ALL PriorityTier=65536' \
	'PartitionName=p Nodes=ALL TRESBillingWeights=CPU=1X'; do
	verdict "lint refuses $line" "$(lint_line "$line" > "$work/out" || echo 'it does not')"
done
for line in PriorityWeightAge=4294967295 PriorityWeightAge=1k PriorityWeightAge=0x10 \
	PriorityWeightAge=UNLIMITED PriorityUsageResetPeriod=daily PriorityDecayHalfLife=UNLIMITED \
	SchedulerType=sched/site SelectType=select/site OverTimeLimit=UNLIMITED \
	PriorityWeightTRES=CPU=1K,Mem=1G,GRES/gpu=2 \
	'PartitionName=p Nodes=ALL PriorityJobFactor=65535 TRESBillingWeights=CPU=1.0,Mem=0.25G'; do
	verdict "lint takes $line" "$(lint_line "$line")"
done

csv head whatif demo:1,speed=0 --set shares:/biology=60 --changed
verdict "who moves is not headed as a rank" \
	"$("$fairtop" whatif demo:1,speed=0 --set shares:/biology=60 | grep '^Object' | grep -v ' Moves$')"
verdict "Jain and Gini are explained above the table" "$("$fairtop" whatif demo:1,speed=0 --set shares:/biology=60 |
	head -n 1 | grep -v 'jain, gini: how evenly R is spread')"
verdict "whatif has the keys of the contract" \
	"$(head -n 1 "$work/head" | grep -v -x 'object,column,base,value,difference,rank_change')"
verdict "the edit is among the changes" \
	"$(grep -q '^/biology,shares,30,60,30,' "$work/head" || echo "it is not")"
csv none whatif demo:1,speed=0 --set shares:/biology=30 --changed
verdict "an edit that changes nothing changes nothing" \
	"$(tail -n +2 "$work/none" | grep -v '^summary,' | head -n 3)"

# Pools, classes, and sets side by side.
csv pools whatif demo:1,speed=0 --set pool:compute.long.share=60 --view pools --changed
verdict "a share of a pool changes what its queues are entitled to" \
	"$(grep -c -e '^queue:long,share,20,60,40,' -e '^queue:long,entitled,' "$work/pools" |
	   grep -v -x 2)"
csv classes whatif demo:1,speed=0 --set weight.fairshare=0 --view classes --changed
verdict "classes move with their jobs" \
	"$(grep -q '^class:[0-9]*,first_rank,' "$work/classes" || cat "$work/classes")"

# The comparing columns of each view say the same as whatif does for each object.
same_as_whatif()
{
	view=$1 column=$2 key=$3 edit=$4
	case $column in *rank | *order) change=rank_change ;; *) change=${column}_change ;; esac
	csv whole whatif demo:1,speed=0 --set "$edit" --view "$view"
	csv view "$view" demo:1,speed=0 --set "$edit" \
		--columns "$key,base_$column,$column,$change" --sort "$key"
	# Only one of them has separate names for tasks of an array.
	awk -F, -v column="$column" -v places="$change" '
		$2 == column && $1 != "summary" && $1 !~ /_/ {
		sub(/^(job|queue|class):/, "", $1)
		print $1 "," $3 "," $4 "," (places == "rank_change" ? $6 : $5) }' "$work/whole" |
		LC_ALL=C sort > "$work/one"
	tail -n +2 "$work/view" | LC_ALL=C sort > "$work/two"
	verdict "the $view view and whatif agree in $column" "$(
		[ "$(grep -c , "$work/one")" -gt 5 ] || echo 'there is nothing to compare'
		LC_ALL=C comm -23 "$work/one" "$work/two" | head -n 5)"
}
same_as_whatif accounts fairshare path shares:/physics=60
same_as_whatif jobs priority id weight.age=9000
same_as_whatif pools allotted queue pool:compute.long.share=60
same_as_whatif classes first_rank class weight.age=9000
csv policy policy demo:1,speed=0 --set half_life=3-0 --set weight.qos=5 \
	--filter 'difference<0 | difference>0' --columns name,value,what_if,difference
verdict "the policy view tells value, new value and difference" "$(printf '%s\n' \
	name,value,what_if,difference PriorityDecayHalfLife,604800,259200,-345600 \
	PriorityWeightQOS,2000,5,-1995 | diff - "$work/policy")"
"$fairtop" jobs demo:1,speed=0 --set weight.age=9000 --sort -rank_change > "$work/table"
verdict "a table shows the most telling ones by itself" \
	"$(head -n 1 "$work/table" | grep -v 'Moves.*Prio was.*Priority.*Prio diff')"
refused 'nothing to compare' 'rank_change: no such column' \
	accounts demo:1,speed=0 --columns +rank_change

printf '#name calm\nshares:/biology = 60\n' > "$work/calm.whatif"
csv both whatif demo:1,speed=0 --set shares:/biology=60 --beside "$work/calm.whatif" --changed
verdict "several sets have a column for the set" "$(head -n 1 "$work/both" |
	grep -v -x 'object,column,base,value,difference,rank_change,set')"
verdict "the same edit in two sets does the same" "$(
	sed -n 's/,edits$//p' "$work/both" > "$work/one"
	sed -n 's/,calm$//p' "$work/both" > "$work/two"
	[ -s "$work/one" ] || echo "the first set has no rows"
	diff "$work/one" "$work/two" | head -n 3)"
csv beside whatif demo:1,speed=0 --beside "$work/calm.whatif" --changed
verdict "one set beside nothing is that set" "$(
	sed 's/,calm$//' "$work/beside" | diff - "$work/head" | head -n 3)"
refused 'too many sets' 'at most' whatif demo:1,speed=0 --beside a --beside b --beside c --beside d
refused 'a set that is not there' '/none/such' whatif demo:1,speed=0 --beside "$work/none/such"
refused 'export of several sets' 'one set' whatif demo:1,speed=0 --set weight.age=1 \
	--beside "$work/calm.whatif" --export slurm

# --set on the tables: only what the edit touches
csv before policy demo:1,speed=0 --columns name,value
csv after policy demo:1,speed=0 --set half_life=14-0 --columns name,what_if
verdict "policy shows one parameter changed" "$(diff "$work/before" "$work/after" |
	grep '^>' | grep -v -e 'name,what_if' -e 'PriorityDecayHalfLife,1209600' | head -n 3)"
csv before jobs demo:1,speed=0 --columns id,priority
csv after jobs demo:1,speed=0 --set weight.age=1000 --columns id,priority
verdict "the weight as it is gives the same priorities" "$(cmp "$work/before" "$work/after")"
printf '#name mix\nweight.fairshare = 70%%\nweight.age = 15%%  # the rest\nweight.qos = 15%%\n' \
	> "$work/mix.whatif"
csv mix policy demo:1,speed=0 --what-if "$work/mix.whatif" --columns name,what_if
verdict "70/15/15 of the sum of the weights" "$(awk -F, '
	/PriorityWeight(Age|QOS)/ { part += $2 } /PriorityWeightFairshare/ { fs = $2 }
	/PriorityWeight(Assoc|JobSize|Partition)/ { rest += $2 }
	END { d = fs * 30 - part * 70; if (rest || !fs || d > 2000 || d < -2000) print fs, part, rest }' \
	"$work/mix")"

"$fairtop" whatif demo:1,speed=0 --set shares:/biology=60 --set weight.age=5 --export slurm \
	> "$work/run.sh" 2> "$work/err"
verdict "the export is a script" "$(sh -n "$work/run.sh" 2>&1)"
verdict "the export has the command" "$(grep -q -x \
	'sacctmgr -i modify account where name=biology cluster=demo set fairshare=60' \
	"$work/run.sh" || cat "$work/run.sh")"
"$fairtop" whatif demo:1,speed=0 --set shares:/biology=60 --export slurm --inverse \
	> "$work/run.sh" 2> "$work/err"
verdict "the inverse has the value before" \
	"$(grep -q 'name=biology .*fairshare=30$' "$work/run.sh" || cat "$work/run.sh")"

"$fairtop" whatif demo:1,speed=0 --set SchedulerParameters=bf_window=60,bf_interval=30,bf_continue \
	--set sched.bf_interval=60 --set sched.policy=easy --export slurm > "$work/out" 2>&1
verdict "one word of SchedulerParameters is edited, a policy of back-tests not exported" "$(
	grep -q '^#   SchedulerParameters=bf_interval=60,bf_window=60,bf_continue$' "$work/out" &&
	grep -q '^# not exported: only slurm and' "$work/out" &&
	! grep -q 'SchedulerType=\|then restart' "$work/out" || cat "$work/out")"
csv cast forecast demo:1,speed=0 account:biology --reach 0.9 --burn none
verdict "forecast has the keys of the contract" \
	"$(head -n 1 "$work/cast" | grep -v -x 'time,fairshare,norm_usage,priority,rank')"
verdict "forecast reaches the goal" "$(awk -F, 'NR > 1 && $2 >= 0.9 { ok = 1 }
	END { if (!ok) print "it does not" }' "$work/cast")"
"$fairtop" jobs demo:1,speed=0 --sort rank --filter state=PENDING --format csv --columns id \
	> "$work/queue"
first=$(sed -n 2p "$work/queue") second=$(sed -n 3p "$work/queue")
verdict "before the first job stands nothing" "$("$fairtop" forecast demo:1,speed=0 "job:$first" |
	sed -n 1p | grep -q -x 'the job is at rank 1: no other job is ahead of it' || echo "else")"
verdict "the job that is passed has a name" "$("$fairtop" forecast demo:1,speed=0 "job:$second" |
	sed -n 1p | grep -q "^the job, at rank 2, passes job $first (rank 1)" || echo "it has none")"
csv seek seek demo:1,speed=0 account:biology --reach 0.9
edit=$(awk -F, 'NR == 2 { print $1 }' "$work/seek")
csv there accounts demo:1,speed=0 --set "$edit" --columns path,fairshare
verdict "what seek names reaches the goal" "$(awk -F, '$1 == "/biology" && $2 >= 0.9 { ok = 1 }
	END { if (!ok) print "it does not" }' "$work/there")"

printf 'PriorityFlags=DEPTH_OBLIVOUS,\\\nMAX_TRES\nInclude %s\n' "$work/more.conf" > "$work/slurm.conf"
printf 'PriorityWeigthAge=5\n' > "$work/more.conf"
"$fairtop" lint demo:1,speed=0 --config "$work/slurm.conf" --format csv > "$work/lint" 2> "$work/err"
code=$?
verdict "lint of a text exits 1" "$([ $code -eq 1 ] || echo "exit $code")"
verdict "an unknown word, over a continuation" \
	"$(grep -q 'S7,PriorityFlags,.*slurm.conf,1,.*DEPTH_OBLIVOUS' "$work/lint" || cat "$work/lint")"
verdict "an unknown parameter in an included file" \
	"$(grep -q 'S8,PriorityWeigthAge,.*more.conf,1,' "$work/lint" || cat "$work/lint")"

exit $failed
