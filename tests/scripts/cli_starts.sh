#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop starts` against what a real slurmctld 22.05.8 did: its state with pending jobs, and when
# each really started (tests/data/starts, and more below FAIRTOP_SHARED). With the real run times at
# least 97 % of the starts are within 60 s, the rank correlation is at least 0.98, the mean wait
# within 5 %; with limits alone the order is no worse than that of the scheduler's own estimates.

: "${fairtop:=./fairtop}" "${srcdir:?}"
failed=0
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"
# shellcheck source=tests/tools/ranks.sh
. "$srcdir/tests/tools/ranks.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
data=$srcdir/tests/data/starts
export TZ=UTC	# in which they were printed

# begins SCENARIO OPTION...: writes "OURS TRUE SUBMIT ESTIMATE NODES TRUE-NODES" of each job that
# was pending and started to pairs; jobs that start only in reality or only in fairtop to wrong
begins()
{
	scenario=$1
	source=slurm:$1
	shift
	[ -f "$scenario/scontrol_job.txt" ] || source=$scenario/snapshot.jsonl
	"$fairtop" starts "$source" --format csv --columns id,start,nodes "$@" \
		2> "$work/err" | sed 's/"//g' > "$work/ours"
	awk -v wrong="$work/wrong" 'BEGIN { printf "" > wrong }
		NR == FNR { split($0, f, ","); start[f[1]] = f[2]
			nodes[f[1]] = substr($0, length(f[1] f[2]) + 3); next }
		FNR == 1 { split($0, name, "\t"); for (i in name) at[name[i]] = i; next }
		{
			split($0, t, "\t")
			id = t[at["job"]]
			if (t[at["state_at_snapshot"]] != "PENDING")
				next
			if (!(id in start) || (start[id] == "") != (t[at["start"]] == "-"))
				print id > wrong
			else if (start[id] != "")
				print start[id], t[at["start"]], t[at["submit"]],
					t[at["slurm_estimate"]], nodes[id], t[at["nodelist"]]
		}' "$work/ours" "$scenario/starts.tsv" > "$work/pairs"
}

# with_runs SCENARIO: checks the starts when the real run times are given
with_runs()
{
	name=$(basename "$1")
	sed '1s/sleep_s/run/' "$1/jobs.tsv" > "$work/runs"
	begins "$1" --runs "$work/runs"
	verdict "$name: who begins" "$(cat "$work/wrong" "$work/err" | grep -v ' precision: \| no start for \| likely span')"
	verdict "$name: starts, order and waits" "$(awk -v r="$(correlation "$work/pairs")" '
		{ d = $1 - $2; n++; near += d * d <= 3600; wait += $2 - $3; sum += d }
		END {
			if (n < 20 || near < 0.97 * n || r < 0.98 || sum * sum > (0.05 * wait) ^ 2)
				print near " of " n " within 60 s, order " r ", waits " sum / n \
					" of " wait / n
		}' "$work/pairs")"
}

# by_limits SCENARIO: the order is no worse than the scheduler's own
by_limits()
{
	begins "$1"
	grep -v ' - n\| - [^n]' "$work/pairs" > "$work/both"
	ours=$(correlation "$work/pairs")
	theirs=$(awk '{ print $4, $2 }' "$work/both" > "$work/theirs" &&
		correlation "$work/theirs")
	verdict "$(basename "$1"): order by limits" "$(awk -v o="$ours" -v t="$theirs" '
		BEGIN { if (o < t - 0.005) print o " below " t }')"
}

for scenario in "$data"/* ${FAIRTOP_SHARED:+"$FAIRTOP_SHARED"/captures/starts/*}; do
	if [ -d "$scenario" ]; then
		with_runs "$scenario"
		by_limits "$scenario"
	fi
done

begins "$data/2-backfill" --runs "$data/2-backfill/starts.tsv"
verdict "a file without run is refused" "$(grep -q 'starts.tsv:1: no columns (expected columns job and run' "$work/err" ||
	cat "$work/err")"
sed '1s/sleep_s/run/' "$data/2-backfill/jobs.tsv" > "$work/runs"
begins "$data/2-backfill" --runs "$work/runs"
verdict "every node list is the real one" "$(awk '$5 != $6' "$work/pairs")"
"$fairtop" starts "$srcdir/tests/data/cli/fairtree.snapshot" > /dev/null 2> "$work/err"
verdict "what is missing is said" "$(grep -q 'nodes' "$work/err" || cat "$work/err")"
# The screen shows the same start of a job as the verb, with and without an edit; the scheduler's
# estimate for the unedited job is not shown with the edit.
"$fairtop" "slurm:$data/2-backfill" --render 160x60 --keys \
	'2/22<Enter>:edit job:22.nice = 3000<Enter>:columns start,start_p10<Enter>' \
	> "$work/screen" 2>&1
by_limits=$("$fairtop" starts "slurm:$data/2-backfill" --columns id,start 2> "$work/err" |
	awk '$1 == 22 { print $3 }')
verdict "the screen tells who begins when" "$(grep -q "what-if .* later (without it ${by_limits%:*}" \
	"$work/screen" && ! grep -q 'likely' "$work/screen" && ! grep -q 'the scheduler' "$work/screen" &&
	grep -q " 22 .*+00:[0-9:]* " "$work/screen" || cat "$work/screen")"

# The smallest edit with which a job starts by a time: it does with that nice value, but not with
# one more.
begins_with()
{
	"$fairtop" "slurm:$data/2-backfill" --render 160x60 --keys \
		"2:edit job:52.nice = $1<Enter>:columns start<Enter>" |
		awk '$1 == 52 { sub(/[^0-9:]+$/, "", $6); print $5, $6 }'
}
"$fairtop" seek "slurm:$data/2-backfill" job:52 --start '2026-11-22 11:56' > "$work/seek" 2>&1
verdict "an edit is found that lets a job begin by a time" "$(grep -q \
	'^Time to start goes from 00:20:45 to 00:09:44 with job:52.nice = -126$' "$work/seek" &&
	[ "$(begins_with -126)" = '2026-11-22 11:52:05' ] &&
	[ "$(begins_with -125)" = '2026-11-22 12:01:06' ] || { cat "$work/seek"
		begins_with -126; begins_with -125; })"
verdict "what is played node by node is not said to be rough" "$(! grep -q 'pool of CPUs' "$work/seek" ||
	cat "$work/seek")"
many=$("$fairtop" starts demo:1,speed=0 --columns id,start --format csv 2> "$work/err" |
	awk -F, 'NR > 1 && $2 != "" && $1 !~ /_/ { print $1; exit }')
verdict "where many wait seek says that it is rough" "$("$fairtop" seek demo:1,speed=0 \
	"job:$many" --start '2026-05-03 10:00' 2>&1 > "$work/out" | grep -q 'on a pool of CPUs' ||
	cat "$work/out" "$work/err")"
"$fairtop" demo:1,speed=0,jobs=200 --render 100x145 --keys \
	"2:columns start<Enter>:sort -start<Enter>G" > "$work/out" 2>&1
verdict "the screen has the same words, behind all times, before what runs" "$(awk '
	$NF == "-" { runs = 1 }
	/ (dependency|held|group limit) *$/ { words++; if (runs) print "after: " $0 }
	/ 2026-[0-9-]* [0-9:]* *$/ && words { print "a time: " $0 }
	END { if (words < 11) print words " words" }' "$work/out")"
verdict "no account begins by a time" "$("$fairtop" seek "slurm:$data/2-backfill" account:cms \
	--start now 2>&1 | grep -q 'only for a job' || echo it does)"

verdict "nothing begins in the past" "$("$fairtop" seek "slurm:$data/2-backfill" job:52 \
	--start 2020-01-01 2>&1 | grep -q 'in the past' || echo it does)"

# refuses WHAT OPTION...: seek --start refuses them, with WHAT in its message
refuses()
{
	what=$1
	shift
	"$fairtop" seek "slurm:$data/2-backfill" job:52 --start '2026-11-22 11:56' "$@" 2>&1 |
		grep -q "$what" || echo "$what: not refused"
}
verdict "what a search for a start does not look at is refused" "$(
	refuses 'not with --reach' --reach 1; refuses 'not with edits' --set job:52.nice=-5
	refuses 'not with --base reported' --base reported)"
pbs=pbs:$srcdir/tests/data/pbs/01_main
job=$("$fairtop" jobs "$pbs" --columns id --format csv 2> /dev/null | sed -n 2p)
verdict "only of a Slurm" "$("$fairtop" seek "$pbs" "job:$job" --start 2030-01-01 2>&1 |
	grep -q 'starts of jobs are not simulated for pbs' || echo it does)"

# seeks KEYS: prints the screen after them, in the view of jobs
seeks()
{
	"$fairtop" "slurm:$data/2-backfill" --render 120x40 --keys "2$1" 2>&1
}
seeks ':seek job:52 --start 2026-11-22 11:56<Enter>' > "$work/seek"
verdict "the screen finds the same edit" "$(grep -q 'to 00:09:44 with job:52.nice = -126' \
	"$work/seek" && grep -q 'job:52.nice = -126  *00:09:44' "$work/seek" || cat "$work/seek")"
seeks "/52<Enter>:seek --start 'today 11:56'<Enter>" > "$work/seek"
verdict "of the job under the cursor, too" "$(grep -q 'job:52.nice = -126' "$work/seek" ||
	cat "$work/seek")"
verdict "the screen refuses as the verb does" "$(
	seeks ':seek account:cms --start now<Enter>' | grep -q 'only for a job' || echo an account
	seeks ':seek job:52 --start 2020-01-01<Enter>' | grep -q 'in the past' || echo the past
	seeks ':seek job:52 --start<Enter>' | grep -q 'no time' || echo no time
	seeks ':seek 1 2<Enter>' | grep -q 'unexpected "2"' || echo a third word
	seeks ':edit job:52.nice = -5<Enter>:seek job:52 --start now<Enter>' |
		grep -q 'not with edits' || echo an edit)"

# past BEGIN: prints 400 jobs on these 16 CPUs from BEGIN on, which are submitted a little faster
# than they run: ID USER SUBMIT START END
past()
{
	awk -v now="$1" 'BEGIN {
		free = now
		for (i = 0; i < 400; i++) {
			now += 30 + i * 37 % 61
			start = free > now ? free : now
			free = start + 20 + i * 53 % 91
			print 1000 + i, i % 3 ? "alice" : "bob", now, start, free
		}
	}'
}

# A recording of two samples: only the first has the jobs that have ended.
"$fairtop" snapshot "slurm:$data/2-backfill" > "$work/bare" 2> "$work/err"
past 1795320000 > "$work/past"
awk 'NR == FNR { row[FNR] = $0; n = FNR; next }
	/"COMPLETED"/ && !done { done = 1
		for (i = 1; i <= n; i++) {
			split(row[i], w, " ")
			job = $0
			sub(/"id":[0-9]+/, "\"id\":" w[1], job)
			sub(/"user":"[a-z]*"/, "\"user\":\"" w[2] "\"", job)
			gsub(/"(submit|eligible|accrue)":[0-9]+/, "\"submit\":" w[3], job)
			sub(/,"submit":[0-9]+,"submit":[0-9]+,"submit":[0-9]+/,
				",\"submit\":" w[3] ",\"eligible\":" w[3] ",\"accrue\":" w[3], job)
			sub(/"start":[0-9]+/, "\"start\":" w[4], job)
			sub(/"end":[0-9]+/, "\"end\":" w[5], job)
			sub(/"time_limit":[0-9]+/, "\"time_limit\":120", job)
			print job
		} }
	/^{"end"/ { match($0, /"job":[0-9]+/); jobs = substr($0, RSTART + 6, RLENGTH - 6)
		sub(/"job":[0-9]+/, "\"job\":" jobs + n) }
	{ print }' "$work/past" "$work/bare" > "$work/first"
awk '/"COMPLETED"/ { gone++; next }
	NR == 1 { sub(/"time":1795347741/, "\"time\":1795347801") }
	/^{"end"/ { match($0, /"job":[0-9]+/); jobs = substr($0, RSTART + 6, RLENGTH - 6)
		sub(/"job":[0-9]+/, "\"job\":" jobs - gone) }
	{ print }' "$work/first" > "$work/second"
for picture in first second; do
	"$fairtop" record "$work/$picture" -o "$work/spans.db" --count 1 2>> "$work/err"
done
"$fairtop" starts "$work/spans.db" --columns id,start,start_p10,start_p90 2>> "$work/err" |
	awk '$1 + 0 > 0' | head -n 10 | tr -s ' ' > "$work/verb"
# spans SOURCE: prints what the screen shows of those jobs
spans()
{
	"$fairtop" "$1" --render 120x20 --keys '2:columns start,start_p10,start_p90<Enter>' \
		2>> "$work/err" | sed -n 4,13p | sed 's/^ *//; s/ *$//' | tr -s ' '
}
sed 's/ *$//' "$work/verb" > "$work/wanted"
verdict "the screen draws likely spans from the recording" "$(
	[ "$(grep -c ' .* .* .* .* ' "$work/wanted")" -gt 5 ] &&
		spans "$work/spans.db" | diff "$work/wanted" - || cat "$work/err")"
"$fairtop" "$work/spans.db" --render 120x40 --keys '2/22<Enter><Enter>' > "$work/screen" 2>&1
verdict "the answer about a job has it, too" "$(tr -d '│\n' < "$work/screen" | tr -s ' ' |
	grep -q '; in 8 of 10 cases it starts between 11:4[0-9] and 1[12]:' || cat "$work/screen")"
verdict "without it nobody knows" "$(spans "$work/second" |
	awk '$4 != "-" || $5 != "-"')"

# ---- no number for jobs with unknown data or requests that are not modelled --------------------

# changed FILE AWK-PROGRAM: copies the cluster with FILE changed by the program, in which job is the
# number of the line's job
changed()
{
	rm -rf "$work/c"
	cp -R "$data/2-backfill" "$work/c"
	awk '/^JobId=/ { job = substr($1, 7) + 0 } '"$2"' { print }' "$data/2-backfill/$1" \
		> "$work/c/$1"
}

# starts_of OPTION...: writes "ID START WHY" of each pending job to rows, the notes to notes
starts_of()
{
	"$fairtop" starts "slurm:$work/c" --format csv --columns id,start,why "$@" \
		2> "$work/notes" | sed '1d; s/"//g; s/,/ /; s/,/ /' > "$work/rows"
}

# says TEXT: prints the notes unless they contain it
says()
{
	grep -q -F -- "$1" "$work/notes" || { echo "no \"$1\" in"; cat "$work/notes"; }
}

changed scontrol_job.txt '
	job == 50 { sub(/TimeLimit=[^ ]*/, "TimeLimit=N/A") }
	job == 34 { sub(/NumCPUs=[0-9]*/, "NumCPUs=N/A") }
	job == 40 { sub(/Features=\(null\)/, "Features=big*2") }
	job == 30 { sub(/Licenses=\(null\)/, "Licenses=matlab:2") }
	job == 5 { sub(/ReqNodeList=\(null\)/, "ReqNodeList=n1") }
	job == 7 { sub(/TimeLimit=[^ ]*/, "TimeLimit=02:00:00") }
	job == 36 { sub(/NumNodes=[^ ]*/, "NumNodes=3-5") }
	job == 25 { sub(/Power=/, "TresPerNode=gres:gpu:1") }
	job == 37 { sub(/TRES=/, "TRES=gres/gpu=1,") }
	job == 32 { sub(/Power=/, "Reservation=maint") }
	job == 22 { sub(/Power=/, "TresPerTask=cpu=1") }
	job == 28 { sub(/Deadline=N\/A/, "Deadline=2026-11-22T12:00:00") }
	job == 21 { sub(/Partition=normal/, "Partition=gone") }
	job == 23 { sub(/Reason=[^ ]*/, "Reason=DependencyNeverSatisfied") }
	job == 38 { sub(/Reason=[^ ]*/, "Reason=BurstBufferResources") }
	job == 52 { sub(/ TRES=.*/, " TRES=(null)") }'
starts_of
verdict "every waiting job has a line" "$([ "$(wc -l < "$work/rows")" -eq 37 ] ||
	cat "$work/rows")"
grep '  ' "$work/rows" | sort -n > "$work/without"
cat > "$work/expected" << 'END'
5  nodes asked for by name are not modelled
7  its partition does not allow its time limit
21  its partition is unknown
23  its dependency is never satisfied
25  GRES other than a number of one kind per node are not modelled
28  deadlines are not modelled
30  its licenses are unknown or alternatives
32  starts in a reservation are not modelled
34  its CPUs are unknown
37  GRES other than a number of one kind per node are not modelled
38  the scheduler's reason is not modelled
40  features with counts, brackets or both & and | are not modelled
50  its time limit is unknown
52  the TRES it asks for are unknown
END
verdict "no number for what is not modelled" "$(diff "$work/expected" "$work/without")"
verdict "the cell says why in short, numbers stay unknown" "$(
	"$fairtop" starts "slurm:$work/c" --columns id,start 2> /dev/null > "$work/table"
	for row in '5 named nodes' '7 MaxTime limit' '21 unknown partition' '23 dependency never' \
		'25 GRES' '28 deadline' '34 unknown CPUs' '38 resources buffer' '50 unknown time limit'
	do
		tr -s ' ' < "$work/table" | grep -q -x " *$row *" || echo "no $row"
	done
	"$fairtop" starts "slurm:$work/c" --format json --columns id,start 2> /dev/null |
		grep -q '"id":"5","start":null' || echo no null)"
verdict "they are counted" "$(says 'no start for 2 jobs: GRES other than a number of one kind per node are not modelled; other jobs are')"

changed scontrol_job.txt 'job == 42 {
	sub(/Dependency=\(null\)/, "Dependency=afterany:34(unfulfilled)")
	sub(/Reason=[^ ]*/, "Reason=Dependency")
	sub(/EligibleTime=[^ ]*/, "EligibleTime=2026-11-22T12:20:00") }'
starts_of
verdict "who waits on a job and a time waits for both" "$(awk '$1 == 42 && $2 >= 1795350000 { n = 1 }
	$1 == 42 { row = $0 } END { if (!n) print row " too early" }' "$work/rows")"

# With twice the CPUs some jobs start at the next scheduling; for two the scheduler's last reason
# contradicts that.
changed scontrol_job.txt '
	job == 14 { sub(/Reason=[^ ]*/, "Reason=AssocGrpCpuLimit") }
	job == 30 { sub(/Reason=[^ ]*/, "Reason=ReqNodeNotAvail,_UnavailableNodes:n1") }
	job == 25 { sub(/Reason=[^ ]*/, "Reason=Nodes_required_for_job_are_DOWN,_DRAINED_or") }
	job == 33 { sub(/Reason=[^ ]*/, "Reason=Priority") }'
sed -i 's/\(CPUEfctv\|CPUTot\)=4/\1=8/g' "$work/c/scontrol_node.txt"
starts_of
verdict "no start at once against the scheduler's own word" "$(
	for id in 14 30; do
		grep -q -x "$id  the scheduler's reason is not modelled" "$work/rows" ||
			grep "^$id " "$work/rows"
	done
	[ "$(grep -c '^\(33\|34\) 1795347755 ' "$work/rows")" -eq 2 ] || echo not 33 and 34)"
verdict "a start later, though nodes are down now" "$(grep -q '^25 1795' "$work/rows" ||
	grep '^25 ' "$work/rows")"

changed scontrol_job.txt '
	job == 50 { sub(/Reason=[^ ]*/, "Reason=PartitionDown") }
	job == 38 { sub(/Reason=[^ ]*/, "Reason=BadConstraints") }
	job == 52 { sub(/Reason=[^ ]*/, "Reason=ReservationDeleted") }
	job == 30 { sub(/Reason=[^ ]*/, "Reason=Dependency") }
	job == 34 { sub(/Reason=[^ ]*/, "Reason=Licenses") }'
starts_of
verdict "none at any time against what stays, or was not read" "$(
	grep '^\(50\|38\|52\|30\|34\) [0-9]' "$work/rows")"

changed scontrol_job.txt 'job == 47 || job == 9 { sub(/TimeLimit=[^ ]*/, "TimeLimit=UNLIMITED") }'
starts_of
verdict "who runs without a limit keeps its nodes" "$(says 'as their ends are unknown: 2'
	says 'no start for ')"
# shellcheck disable=SC2016 # of awk
changed scontrol_config.txt '/^OverTimeLimit/ { $0 = "OverTimeLimit = UNLIMITED" }
	/^PreemptType/ { $0 = "PreemptType = preempt/qos" } /^KillWait/ { next }'
sed -i '/^OverTimeLimit/d; /^PreemptType/d; /^KillWait/d' "$work/c/slurm.conf"
starts_of
verdict "OverTimeLimit=UNLIMITED ends nobody" "$(says 'no time limit ends a job'
	grep '2026-11-22T1[2-9]' "$work/rows")"
# shellcheck disable=SC2016 # of awk
changed scontrol_partition.txt '{ sub(/OverTimeLimit=NONE/, "OverTimeLimit=UNLIMITED") }'
starts_of
verdict "that of a partition neither" "$(says 'OverTimeLimit of 1 partition is UNLIMITED: no time'
	grep '2026-11-22T1[2-9]' "$work/rows")"
# shellcheck disable=SC2016 # of awk
changed scontrol_config.txt '/^PreemptType/ { $0 = "PreemptType = preempt/qos" }
	/^KillWait/ { next }'
sed -i '/^PreemptType/d; /^KillWait/d' "$work/c/slurm.conf"
starts_of
verdict "preemption is named" "$(says 'PreemptType is preempt/qos: preemption is not modelled')"
verdict "a default is named" "$(says 'KillWait is unknown: its default is used, "30"')"
# configured SED-PROGRAM: changes slurm.conf and scontrol show config by it
configured()
{
	changed scontrol_config.txt ''
	sed -i "$1" "$work/c/scontrol_config.txt" "$work/c/slurm.conf"
	starts_of
}

# refused TEXT: no row, and TEXT in the notes
refused()
{
	says "$1"
	cat "$work/rows"
}

configured 's,select/cons_tres,select/linear,'
verdict "select/linear is not played" "$(refused 'SelectType "select/linear" is not modelled')"
configured 's,select/cons_tres,select/cray_aries,'
verdict "nor is select/cray_aries" "$(refused '"select/cray_aries" is not modelled')"
configured 's,sched/backfill,sched/wiki2,'
verdict "nor another scheduler" "$(refused 'SchedulerType "sched/wiki2" is not modelled')"
old='s/^SLURM_VERSION.*/SLURM_VERSION = 20.11.7/'
configured "/^SelectType /d; /^SelectType=/d; $old"
verdict "20.11 that does not tell SelectType" "$(refused 'default of Slurm 20.11.7 is select/linear')"
configured "/^SelectTypeParameters/d; $old"
verdict "20.11 counts no memory of itself" "$(says 'its default is used, "CR_CPU"')"
configured '/^SelectTypeParameters/d'
verdict "22.05 does" "$(says 'its default is used, "CR_CORE_MEMORY"')"

# builtin: a job behind one that does not fit does not start before it.
configured 's,sched/backfill,sched/builtin,'
verdict "builtin starts nobody out of turn" "$(awk '$2 > 0 { if ($2 < last) print; last = $2 }
	' "$work/rows")"
# The end of a job requests a pass, not sooner than sched_min_interval after the last one. With
# "defer" requests, also of killed jobs, wait for the full pass, each minute of slurmctld's run.
alone='s,sched/backfill,sched/builtin,; s,^SchedulerParameters .*,SchedulerParameters = '
configured "${alone}sched_min_interval=25000000,"
verdict "passes are sched_min_interval apart" "$(awk '$2 > 0 { print $2 }' "$work/rows" | sort -n -u |
	awk 'NR > 1 && $1 < last + 25; { last = $1 } END { if (NR < 5) print NR " starts" }')"
configured "${alone}defer\\,batch_sched_delay=60,"
verdict "ends that are deferred wait in a queue" "$(awk '$2 > 0 && ($2 - 1795347665) % 60
	$2 > 0 { n++ } END { if (n < 5) print n + 0 " starts" }' "$work/rows")"
configured 's/^SchedulerParameters .*/SchedulerParameters = BF_busy_nodes/'
verdict "what is not played is named" "$(says 'SchedulerParameters: bf_busy_nodes is not modelled')"
changed scontrol_job.txt 'job == 50 || job == 34 { sub(/EligibleTime=[^ ]*/, "EligibleTime=Unknown") }'
sed -i 's/^SchedulerParameters .*/SchedulerParameters = bf_min_age_reserve=60/' \
	"$work/c/scontrol_config.txt" "$work/c/slurm.conf"
starts_of
verdict "what is of no known age is named" "$(says 'unknown since when they may start: 2')"
changed scontrol_config.txt '/^BOOT_TIME/ { next }'
rm "$work/c/sdiag.txt"
starts_of
verdict "an unknown boot is said" "$(says 'the start of slurmctld is unknown')"
verdict "in JSON, too" "$("$fairtop" starts "slurm:$work/c" --format json 2> /dev/null |
	grep -q '"notes": *"[^"]*the start of slurmctld is unknown' || echo 'no key')"
verdict "before a table, too" "$("$fairtop" starts "slurm:$work/c" 2> /dev/null | head -1 |
	grep -v '^the start of slurmctld is unknown')"
changed scontrol_node.txt '/NodeName=/ { n++ } n == 4 { sub(/CPUTot=4/, "CPUTot=N/A") }'
starts_of --columns id,start,nodes
verdict "nothing begins on a node of unknown size" "$(says 'as their CPUs or memory are unknown: 1'
	grep 'n4\|-4\]' "$work/rows")"

# An array of billions of tasks is one entry until a task starts; a held one does not affect other
# jobs.
demo=$srcdir/tests/data/demo.snapshot
# told FILE: prints "ID,START,NODES" of all jobs that have a start
told()
{
	"$fairtop" starts "$1" --format csv --columns id,start,nodes,why 2> "$work/notes" |
		sed -n 's/,$//p' | sort
}
told "$demo" > "$work/alone"
sed 's/{"id":141627,/&"array":141627,"tasks":"1-4294967295",/' "$demo" > "$work/held.snapshot"
told "$work/held.snapshot" > "$work/beside"
verdict "a held array of billions moves nobody" "$([ "$(wc -l < "$work/alone")" -gt 100 ] ||
	echo nobody begins; diff "$work/alone" "$work/beside"; says 'no start for 4294967')"
sed 's/"array":141656,"tasks":"[^"]*"/"array":141656,"tasks":"1-4000000"/' "$demo" > "$work/large.snapshot"
told "$work/large.snapshot" > "$work/beside"
verdict "of one that begins the first tasks are told" "$(
	[ "$(grep -c "^141656_" "$work/beside")" -gt 500 ] || wc -l < "$work/beside"
	says 'it does not start within the simulated time'
	says 'arrays have more than 100000 tasks: only the next')"
verdict "seek looks at no more, either" "$("$fairtop" seek "$work/large.snapshot" job:141656 \
	--start '2026-05-03 10:00' > "$work/seek" 2>&1 || cat "$work/seek")"

# Jobs of more nodes than their partition allows, with and without a QOS that overrides it.
changed scontrol_partition.txt '{ sub(/MaxNodes=UNLIMITED/, "MaxNodes=1") }'
starts_of
verdict "who is larger than his partition allows does not begin" "$(
	awk '/ its partition does not allow its number/ { n++ } END { if (!n) print "nobody" }' "$work/rows"
	says 'its partition does not allow its number of nodes')"
printf 'Name|Priority|Flags\nnormal|0|PartitionMaxNodes\n' > "$work/c/sacctmgr_qos.psv"
sed -i 's/ QOS=[^ ]*/ QOS=normal/' "$work/c/scontrol_job.txt"
starts_of
verdict "but by the flag of its QOS" "$(grep ' its partition does not allow its' "$work/rows")"

# limited SED-PROGRAM [FILE SED-PROGRAM]...: changes limits in scontrol show assoc_mgr; all jobs
# have one QOS
limited()
{
	changed scontrol_job.txt '{ sub(/ QOS=[^ ]*/, " QOS=normal") }'
	sed -i "$1" "$work/c/scontrol_assoc_mgr.txt"
	shift
	while [ $# -gt 0 ]; do
		sed -i "$2" "$work/c/$1"
		shift 2
	done
	starts_of
}
one='/ID=1$/,/GrpJobs/s/GrpJobs=N/GrpJobs=1/;'	# of the root
many='/^QOS=normal/,/GrpJobs/s/GrpJobs=N/GrpJobs=1000/;'
low='/^QOS=boost/,/GrpJobs/s/GrpJobs=N/GrpJobs=1/;'
high='/^QOS=boost/,/GrpJobs/s/GrpJobs=N/GrpJobs=1000/;'
limited ''
cp "$work/rows" "$work/free"
limited "$one"
cp "$work/rows" "$work/one"
verdict "one at a time is one at a time" "$(awk '$2 > 0 { print $2 }' "$work/one" | sort | uniq -d
	diff -q "$work/free" "$work/one" > "$work/err" && echo "as without")"
limited "$one$many"
verdict "a limit of the QOS stands in its place" "$(diff "$work/free" "$work/rows")"
limited "$one$high" scontrol_partition.txt 's/QoS=N.A/QoS=boost/'
verdict "that of the partition's QOS, too" "$(diff "$work/free" "$work/rows")"
limited "$many$low" scontrol_partition.txt 's/QoS=N.A/QoS=boost/'
verdict "which goes before the job's" "$(diff "$work/one" "$work/rows")"
printf 'Name|Priority|Flags\nnormal|0|OverPartQOS\nboost|0|\n' > "$work/c/sacctmgr_qos.psv"
starts_of
verdict "but by OverPartQOS" "$(diff "$work/free" "$work/rows")"
limited "$one" scontrol_partition.txt 's/QoS=N.A/QoS=gone/'
verdict "a QOS that was not read is named" "$(says '1 partition has a QOS that was not read')"
limited "$one" scontrol_config.txt 's/associations,limits,qos/associations/' \
	slurm.conf 's/associations,limits,qos/associations/'
verdict "limits that are not enforced hold nobody" "$(diff "$work/free" "$work/rows"
	says 'AccountingStorageEnforce does not list limits')"
limited '/Account=cms UserName= /,/MaxTRESPJ/s/MaxTRESPJ=/MaxTRESPJ=cpu=1/
	/UserName=[a-z]/,/MaxTRESPJ/s/MaxTRESPJ=/MaxTRESPJ=cpu=64/'
verdict "whom a job's own limit is set lives by no other" "$(diff "$work/free" "$work/rows")"

limited '/UserName=[a-z]/,/MaxTRESPJ/s/MaxWallPJ=/MaxWallPJ=5/
	/^QOS=high/,/^QOS=boost/s/MinTRESPJ=/MinTRESPJ=cpu=2/'
verdict "who asks for more time than a limit lets him does not begin" "$(
	awk '!($2 + 0) { n++ } END { if (!n) print "all do" }' "$work/rows")"
verdict "limits that are not played are named" "$(says 'MinTRESPerJob is not modelled: 1 QOS has it')"
limited '/UserName=[a-z]/,/MaxTRESPJ/s/MaxWallPJ=/MaxWallPJ=5/
	/^QOS=normal/,/MaxTRESPJ/s/MaxWallPJ=/MaxWallPJ=600/'
verdict "but by that of his QOS" "$(diff "$work/free" "$work/rows")"

# A job of two partitions on the same nodes starts once; no other job moves.
# shellcheck disable=SC2016 # of awk
changed scontrol_partition.txt '{ all = all $0 "\n" }
	END { sub(/=normal/, "=other", all); printf "%s", all }'
sed -i 's/Partitions=normal/Partitions=normal,other/' "$work/c/scontrol_node.txt"
starts_of --runs "$work/runs"
cp "$work/rows" "$work/once"
sed -i 's/^   Partition=normal AllocNode/   Partition=normal,other AllocNode/' \
	"$work/c/scontrol_job.txt"
starts_of --runs "$work/runs"
verdict "a job of two partitions begins once" "$(diff "$work/once" "$work/rows")"

# ---- what jobs request -------------------------------------------------------------------------

# n3 and n4 are big and have ib; job 30 needs both, 8 huge or big, 51 huge; 50 avoids n1 to n3.
changed scontrol_node.txt '/NodeName=/ { n++ }
	n > 2 { sub(/AvailableFeatures=\(null\)/, "AvailableFeatures=big,ib") }'
sed -i '/^JobId=30 /,/^$/ s/Features=(null)/Features=big\&ib/
	/^JobId=8 /,/^$/ s/Features=(null)/Features=huge|big/
	/^JobId=51 /,/^$/ s/Features=(null)/Features=huge/
	/^JobId=50 /,/^$/ s/ExcNodeList=(null)/ExcNodeList=n[1-3]/' "$work/c/scontrol_job.txt"
starts_of --columns id,start,nodes
verdict "features and names choose the nodes" "$(awk '
	$1 == 30 && $3 != "n[3-4]" || $1 == 8 && $3 !~ /^n[34]$/ || $1 == 50 && $3 != "n4" ||
	$1 == 51 && NF > 1' "$work/rows")"

# One license: the jobs that need it start one after the other.
changed scontrol_job.txt 'job == 36 || job == 33 || job == 45 || job == 42 {
	sub(/Licenses=\(null\)/, "Licenses=matlab:1") }'
printf 'LicenseName=matlab\n    Total=1 Used=0 Free=1 Reserved=0 Remote=no\n' \
	> "$work/c/scontrol_licenses.txt"
starts_of --runs "$work/runs"
verdict "one license, one job at a time" "$(for id in 36 33 45 42; do
	run=$(awk -v id="$id" '$1 == id { print $6 }' "$work/runs")
	awk -v id="$id" -v run="$run" '$1 == id { print $2, run }' "$work/rows"
	done | sort -n | awk '$1 < end || $1 !~ /^[0-9]+$/ { print } { end = $1 + $2 }
		END { if (NR != 4) print NR }')"

# ---- likely spans ------------------------------------------------------------------------------

# spans OPTION...: writes "ID P10 P50 P90" of each job that has them to spans
spans()
{
	"$fairtop" starts "slurm:$data/2-backfill" --format csv \
		--columns id,start_p10,start_p50,start_p90 "$@" 2> "$work/notes" |
		sed '1d; s/"//g; s/,/ /g' > "$work/spans"
}

spans
verdict "without a past there is none" "$(says 'no likely span: no past data'
	awk 'NF > 1' "$work/spans")"
{
	echo 'JobIDRaw|User|Account|Partition|Submit|Start|End|State|TimelimitRaw|NCPUS'
	past 1795320000 | awk '{ print $1 "|" $2 "|atlas|normal|" $3 "|" $4 "|" $5 \
		"|COMPLETED|2|16" }'
} > "$work/sacct"
spans --history "$work/sacct"
verdict "calibrated on those that waited" "$(says ' jobs that started at 100 points in the past')"
verdict "spans are spans" "$(awk 'NF == 4 && !($2 <= $3 && $3 <= $4) || NF > 1 && NF < 4
	NF == 4 { n++ } END { if (n < 20) print n " spans" }' "$work/spans")"
cp "$work/spans" "$work/with"
spans --history "$work/sacct"
verdict "the same seed, the same spans" "$(diff "$work/with" "$work/spans")"
spans --history "$work/sacct" --seed 2
verdict "another seed, others" "$(diff "$work/with" "$work/spans" > /dev/null && echo same)"

# why gives the same with the same past.
read -r id p10 p50 p90 << END
$(awk 'NF == 4 && $4 > 1795348000' "$work/with" | tail -n 1)
END
"$fairtop" why "slurm:$data/2-backfill" "$id" --history "$work/sacct" > "$work/why" 2> "$work/notes"
verdict "why says the span, too" "$(tr -s '\n ' '  ' < "$work/why" |
	grep -q '; in 8 of 10 cases it starts between [0-9].* and [0-9]' || cat "$work/why")"
"$fairtop" why "slurm:$data/2-backfill" "$id" --history "$work/sacct" --format json \
	> "$work/why" 2> "$work/notes"
verdict "the same one" "$(grep -q "\"p10\":$p10,\"p50\":$p50,\"p90\":$p90," "$work/why" ||
	cat "$work/why")"
for who in "$id" alice; do
	verdict "why: a past that is not there is an error" "$("$fairtop" why \
		"slurm:$data/2-backfill" "$who" --history "$work/none" > "$work/why" 2>&1 &&
		cat "$work/why")"
done

# The simulation on a pool of CPUs has no limits; jobs overtake only if the scheduler lets them.
changed scontrol_job.txt "job == $id"' { sub(/Reason=[^ ]*/, "Reason=AssocGrpCpuLimit") }'
starts_of --history "$work/sacct" --columns id,start,start_p10
verdict "no span of what the pool does not know" "$(awk -F'[ ,]' -v id="$id" '
	$1 == id && ($2 == "" || $3 != "") || $3 != "" { n += $3 != ""; if ($1 == id) print }
	END { if (n < 20) print n " spans" }' "$work/rows")"
# shellcheck disable=SC2016 # of awk
changed scontrol_config.txt '/^SchedulerType/ { $0 = "SchedulerType = sched/builtin" }'
sed -i '/^SchedulerType/d' "$work/c/slurm.conf"
starts_of --history "$work/sacct" --columns place,start_p50,id --sort place
verdict "nobody overtakes with sched/builtin" "$(awk -F'[ ]' '$2 == "" { next }
	$2 < last { print } { last = $2; n++ } END { if (n < 20) print n " spans" }' "$work/rows")"

# Jobs of the log after the time of the data are ignored.
cp "$work/sacct" "$work/later"
echo '3|alice|atlas|normal|1999999000|1999999000|1999999060|COMPLETED|1|1' >> "$work/later"
spans --history "$work/later"
verdict "--history: of a log, up to the picture" "$(diff "$work/with" "$work/spans")"
for id in 1 2 3 4 5 6; do
	echo "$id|bob|atlas|normal|1795330000|Unknown|Unknown|PENDING|2|16"
done | cat "$work/sacct" - > "$work/endless"
spans --history "$work/endless"
verdict "a past of jobs that never began, and that it is so" "$(
	says 'too many past jobs are still pending to say when 9 of 10 have started'
	awk 'NF > 1' "$work/spans")"
awk -F '|' -v OFS='|' 'NR > 1 { $5 -= 864000; $6 -= 864000; $7 -= 864000 } { print }' \
	"$work/sacct" > "$work/old"
spans --history "$work/old"
verdict "a past that ends long before tells nothing of who comes" "$(
	says 'no likely span: the past ends 10 days before the data'
	awk 'NF > 1' "$work/spans")"
head -n 80 "$work/sacct" > "$work/short"
spans --history "$work/short"
verdict "a past that is too short, and what is missing" "$(
	says 'the past is too short to calibrate it, as '
	awk 'NF > 1' "$work/spans")"
"$fairtop" starts slurm:"$data/2-backfill" --set sched.bf_max_job_test=1 \
	--set sched.bf_interval=600 --format csv --columns id,start > "$work/rare" 2> "$work/err"
"$fairtop" starts slurm:"$data/2-backfill" --format csv --columns id,start \
	> "$work/usual" 2>> "$work/err"
verdict "where backfill looks once in ten minutes, some begin later and few earlier" "$(
	sort "$work/usual" > "$work/a"
	sort "$work/rare" | join -t , "$work/a" - | awk -F , '$1 != "id" { later += $3 > $2
		earlier += $3 < $2 } END { if (!later || earlier > later) print earlier, later }')"
"$fairtop" starts slurm:"$data/2-backfill" --set job:5.nice=-100000 --sort start --format csv \
	--columns id 2> "$work/notes" | sed -n 2p > "$work/first"
verdict "an edit moves who begins first" "$(grep -v -x 5 "$work/first")"
"$fairtop" starts slurm:"$data/2-backfill" --set sched.policy=easy > "$work/out" 2> "$work/notes"
verdict "a policy of back-tests is refused" "$(says 'SchedulerType "easy" is not modelled')"
spans --history "$srcdir/CHANGELOG.md"
verdict "--history: of no log" "$(says 'CHANGELOG.md:'; cat "$work/spans")"
"$fairtop" starts slurm:"$data/2-backfill" --seed many 2> "$work/notes"
verdict "--seed takes a number" "$(says 'not a whole number above 0')"

"$fairtop" starts demo --runs "$work/none" > "$work/out" 2> "$work/err"
verdict "run times that do not exist" "$([ $? -eq 2 ] &&
	grep -q "^fairtop: $work/none: No such file" "$work/err" || cat "$work/err")"
exit $failed
