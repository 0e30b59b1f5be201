#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop jobs` against what Slurm's own sprio printed about the same queue (recordings of Slurm
# 22.05.8 with nothing running, and of 24.11.5 with several QOS a job): the same jobs in the same
# partitions and QOS, every term within what six decimals of sshare and the rounding of sprio allow,
# priorities within two points. Also that the rank follows the priority within a tier, compare and
# explain name the same numbers, and JSON nests the terms of TRES.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
data=$srcdir/tests/data/slurm

# ours SITE: id|partition|priority|site|age|assoc|fairshare|jobsize|partition|qos|nice|QOS
ours()
{
	"$fairtop" jobs "slurm:$data/$1" --format csv --columns id,partition,priority,qos,terms \
		2> /dev/null | awk -F , '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["terms_age"] == "" { next }
		{
			printf "%s|%s|%s", $at["id"], $at["partition"], $at["priority"]
			n = split("site age assoc fairshare jobsize partition qos nice", name, " ")
			for (i = 1; i <= n; i++)
				printf "|%s", $at["terms_" name[i]]
			print "|" $at["qos"]
		}'
}

# theirs SITE: the same from sprio, by the titles of its first line
theirs()
{
	tr -d ' ' < "$data/$1/sprio_weighted.psv" | awk -F '|' '
		NR == 1 { for (i = 1; i <= NF; i++) if (!($i in at)) at[$i] = i; else second[$i] = i; next }
		{
			print $at["JOBID"] "|" $at["PARTITION"] "|" $at["PRIORITY"] "|" $at["SITE"] "|" \
			      $at["AGE"] "|" $at["ASSOC"] "|" $at["FAIRSHARE"] "|" $at["JOBSIZE"] "|" \
			      $second["PARTITION"] "|" $at["QOS"] "|" (-$at["NICE"]) "|" \
			      ("QOSNAME" in at ? $at["QOSNAME"] : "")
		}'
}

# compare OURS LEAST: with at least LEAST rows on standard input; before 24.05 sprio names no QOS
compare()
{
	awk -F '|' -v ours="$1" -v least="$2" '
		BEGIN {
			while ((getline line < ours) > 0) {
				split(line, f, "|")
				have[f[1] "|" f[2] "|"] = have[f[1] "|" f[2] "|" f[12]] = line
			}
		}
		{
			key = $1 "|" $2 "|" $12
			if ($5 == 0 && $7 == 0 && $8 == 0)	# set directly: no terms
				next
			n++
			if (!(key in have)) {
				printf "%s is missing; ", key
				next
			}
			split(have[key], f, "|")
			for (i = 3; i <= 11; i++) {
				d = f[i] - $i
				if (d > (i == 3 ? 2 : 1) || d < (i == 3 ? -2 : -1))
					printf "%s field %d: %s instead of %s; ", key, i, f[i], $i
			}
		}
		END { if (n < least) printf "only %d rows were compared", n }'
}

for site in depthobl/quiet:40 fairtree/quiet:40 several_qos:17; do
	ours ${site%:*} > "$work/ours"
	theirs ${site%:*} > "$work/theirs"
	verdict "${site%:*}: every term as sprio shows it" \
		"$(compare "$work/ours" "${site#*:}" < "$work/theirs")"
done

# 20.11 prints no TRES of partitions: terms that depend on them are unknown, and the priority is the
# one that scontrol prints.
cp -r "$data/several_qos" "$work/no_tres" && sed -i '/^ *TRES=/d' "$work/no_tres/scontrol_partition.txt"
"$fairtop" explain "slurm:$work/no_tres" job:26 2> /dev/null | tail -n 2 > "$work/explain"
verdict "a priority with an unknown term is the reported one" "$(printf '%s\n' \
	'priority       = as reported, as a term is unknown' '               = 104469' |
	diff - "$work/explain")"

rows=$("$fairtop" jobs "slurm:$work/no_tres" --format csv --columns partition,qos,priority \
	--filter id=28 2> /dev/null | tail -n +2 | tr '\n' ' ')
verdict "and in each partition and QOS the one that sprio prints" \
	"$([ "$rows" = 'normal,high,62825 normal,low,43025 bill,high,64985 bill,low,45185 ' ] ||
		echo "$rows")"

# A job of Slurm 24.11 in two partitions with two QOS has four entries in the queue.
rows=$("$fairtop" jobs "slurm:$data/several_qos" --format csv --columns partition,qos,priority \
	--filter id=28 2> /dev/null | tail -n +2 | tr '\n' ' ')
verdict "each partition and QOS of a job has its priority" \
	"$([ "$rows" = 'normal,high,62825 normal,low,43025 bill,high,64985 bill,low,45185 ' ] ||
		echo "$rows")"

"$fairtop" record "slurm:$data/several_qos" -o "$work/several.ftr" --count 1 2> /dev/null
rows=$("$fairtop" jobs "$work/several.ftr" --format csv --columns partition,qos,priority \
	--filter id=28 2> /dev/null | tail -n +2 | tr '\n' ' ')
verdict "and in a recording" \
	"$([ "$rows" = 'normal,high,62825 normal,low,43025 bill,high,64985 bill,low,45185 ' ] ||
		echo "$rows")"
rows=$("$fairtop" whatif "slurm:$data/several_qos" --set 'weight.qos = 0' --view jobs --all \
	--format csv 2> /dev/null | grep '^job:28,priority,' | cut -d, -f3,4 | tr '\n' ' ')
verdict "and each its own QOS term under a what-if" \
	"$([ "$rows" = '62825,42825 43025,42825 64985,44985 45185,44985 ' ] || echo "$rows")"
verdict "and one class, in which it counts once, where it stands first" \
	"$("$fairtop" classes "slurm:$data/several_qos" 2> /dev/null | awk '
		/qos=low,high/ { n++; if ($2 != 1 || $6 != 5 || $7 != 5) print }
		END { if (n != 1) print n " classes" }')"

# The reason for a limit of run minutes, since 24.05, in the words of 26.05.
cp -r "$data/several_qos" "$work/minutes"
sed -i '/^JobId=15 /,/^$/s/Reason=[^ ]*/Reason=MaxCpuRunMinsPerUser/' "$work/minutes/scontrol_jobs.txt"
awk -F'|' -v OFS='|' 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "MaxTRESRunMinsPU") at = i }
	NR > 1 { $at = "cpu=30" } { print }' "$data/several_qos/sacctmgr_qos.psv" \
	> "$work/minutes/sacctmgr_qos.psv"
verdict "a limit of run minutes is explained" \
	"$("$fairtop" why "slurm:$work/minutes" 15 > "$work/out" 2> /dev/null
	grep -q 'asks for 1,000 CPU-minutes, user daemon under QOS normal may use 30' "$work/out" ||
		echo "it is not")"

problem=$("$fairtop" jobs "slurm:$data/depthobl/quiet" --format csv \
	--columns rank,partition,priority --sort rank --filter 'rank>0' 2> /dev/null |
	awk -F , 'NR == 1 { next }
		$1 != ++n { printf "rank %s at place %d; ", $1, n }
		$2 == last && $3 > before { printf "priority rises at rank %s; ", $1 }
		{ last = $2; before = $3 }
		END { if (n < 30) printf "only %d ranks", n }')
verdict "ranks are 1, 2, ... and follow the priority within a partition" "$problem"

verdict "a table has the jobs in order of rank, those without at the end" \
	"$("$fairtop" jobs demo --columns rank,id 2> /dev/null | awk '
		NR == 1 { next }
		$1 == "-" { rest++; next }
		rest || $1 <= last { printf "rank %s after %s; ", $1, rest ? "-" : last }
		{ last = $1; n++ }
		END { if (n < 50 || rest < 50) printf "%d with a rank, %d without", n, rest }')"
verdict "--sort wins over it; CSV has the order of the source" \
	"$("$fairtop" jobs demo --columns id --sort -id 2> /dev/null | awk '
		NR > 2 && $1 > last { print "not sorted"; exit } { last = $1 }'
	"$fairtop" jobs demo --columns id --format csv 2> /dev/null | awk '
		NR > 2 && $1 < last { print "CSV is sorted"; exit } { last = $1 }')"

first=$("$fairtop" jobs demo --format csv --columns id,priority --sort rank --filter 'rank<3' \
	2> /dev/null | sed -n 2p)
second=$("$fairtop" jobs demo --format csv --columns id --sort rank --filter 'rank<3' \
	2> /dev/null | sed -n 3p)
"$fairtop" explain demo "job:${first%,*}" > "$work/explain" 2> /dev/null
verdict "explain ends in the priority of the table" \
	"$(tail -n 4 "$work/explain" | grep -q "= ${first#*,}\$" || cat "$work/explain")"
"$fairtop" compare demo "job:$second" "job:${first%,*}" > "$work/compare" 2> /dev/null
verdict "compare says which comes first, whichever way round one asks" \
	"$(grep -q "^job ${first%,*} comes before job $second: " "$work/compare" ||
		head -n 1 "$work/compare")"
verdict "JSON nests the terms of TRES" \
	"$("$fairtop" jobs "slurm:$data/depthobl/quiet" --format json --filter id=182 2> /dev/null |
		grep -q '"terms":{"age":[^}]*"tres":{"cpu":[0-9.]*,' || echo 'no "tres" in "terms"')"
"$fairtop" explain demo job:1 2> "$work/err"
verdict "an unknown job is exit 2" "$([ $? -eq 2 ] || echo "exit $?")"
verdict "compare has the decider first, and the difference" "$(
	sed -n 4p "$work/compare" | grep -q ' yes ' || sed -n 1,5p "$work/compare"
	grep -q ' A - B ' "$work/compare" || echo 'no difference'
	grep -E "^submit .* 20[0-9]{2}-[0-9]{2}-[0-9]{2} " "$work/compare" > /dev/null || echo "no times"
)"
"$fairtop" compare demo job:1 account:physics 2> "$work/err"
verdict "a job and an account cannot be compared" \
	"$(grep -q 'cannot be compared' "$work/err" || cat "$work/err")"
exit $failed
