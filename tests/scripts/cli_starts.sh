#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop starts` beside what a real slurmctld 22.05.8 did: pictures of it with waiting jobs, and
# when each really began (tests/data/starts, the others where FAIRTOP_SHARED names them). With the
# real run times at least 97 % of the starts are within 60 s, the rank correlation is 0.98, the
# mean wait within 5 %; by limits alone the order is no worse than the scheduler's own estimate's.

: "${fairtop:=./fairtop}" "${srcdir:?}"
failed=0
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
data=$srcdir/tests/data/starts

# ranks COLUMN: each line of standard input with the rank of its COLUMN behind it, ties shared
ranks()
{
	sort -n -k "$1,$1" | awk -v c="$1" '
		{ line[NR] = $0; x[NR] = $c }
		END {
			for (i = 1; i <= NR; i = k) {
				for (k = i; k <= NR && x[k] == x[i]; k++);
				for (m = i; m < k; m++)
					print line[m], (i + k - 1) / 2
			}
		}'
}

# correlation FILE: of the ranks of columns 1 and 2
correlation()
{
	ranks 1 < "$1" | ranks 2 | awk '
		{ n++; a = $(NF - 1); b = $NF; x += a; y += b; xx += a * a; yy += b * b; xy += a * b }
		END { printf "%.4f\n", (n * xy - x * y) / sqrt((n * xx - x * x) * (n * yy - y * y)) }'
}

# begins SCENARIO OPTION...: "OURS TRUE SUBMIT ESTIMATE NODES TRUE-NODES" of each job that waited
# and began into pairs; who never began and does for us, or the other way round, into wrong
begins()
{
	scenario=$1
	shift
	"$fairtop" starts "slurm:$scenario" --format csv --columns id,start,nodes "$@" \
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

# with_runs SCENARIO: the real run times are known
with_runs()
{
	name=$(basename "$1")
	sed '1s/sleep_s/run/' "$1/jobs.tsv" > "$work/runs"
	begins "$1" --runs "$work/runs"
	verdict "$name: who begins" "$(cat "$work/wrong" "$work/err" | grep -v ' precision: ')"
	verdict "$name: starts, order and waits" "$(awk -v r="$(correlation "$work/pairs")" '
		{ d = $1 - $2; n++; near += d * d <= 3600; wait += $2 - $3; sum += d }
		END {
			if (n < 20 || near < 0.97 * n || r < 0.98 || sum * sum > (0.05 * wait) ^ 2)
				print near " of " n " within 60 s, order " r ", waits " sum / n \
					" of " wait / n
		}' "$work/pairs")"
}

# by_limits SCENARIO: no worse an order than the scheduler's own
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
verdict "a file without run is refused" "$(grep -q 'expected columns job and run' "$work/err" ||
	cat "$work/err")"
sed '1s/sleep_s/run/' "$data/2-backfill/jobs.tsv" > "$work/runs"
begins "$data/2-backfill" --runs "$work/runs"
verdict "every node list is the real one" "$(awk '$5 != $6' "$work/pairs")"
"$fairtop" starts "$srcdir/tests/data/cli/fairtree.snapshot" > /dev/null 2> "$work/err"
verdict "what is missing is said" "$(grep -q 'nodes' "$work/err" || cat "$work/err")"
exit $failed
