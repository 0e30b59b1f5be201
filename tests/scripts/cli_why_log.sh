#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The reason for a PBS job is the one that its scheduler logged, for all pending jobs of captures
# with a log; but not where comments of an earlier cycle take precedence (queue, assigned, stale).

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
same=0

# logged DIR: prints the last reason in the log of each job that was not run, "ID<tab>REASON"; with
# "can never run: " before it if the log says so on the next line
logged()
{
	awk -F';' '$4 == "Job" && $2 == "0040" && $6 !~ /^(Job run$|Error in calculation)/ {
		id = $5
		sub(/\..*/, "", id)
		if ($6 ~ /^Job will never run /) {
			last[id] = "can never run: " last[id]
			next
		}
		sub(/ *$/, "", $6)
		last[id] = $6
	}
	END { for (id in last) print id "\t" last[id] }' "$1/sched_log"
}

for dir in "$srcdir"/tests/data/pbs/*/; do
	case $dir in *queue/ | *assigned/ | *stale/) continue ;; esac
	[ -e "$dir/sched_log" ] && [ -e "$dir/qstat_ft.json" ] || continue
	logged "$dir" > "$work/logged"
	"$fairtop" jobs "pbs:$dir" --filter state=PENDING --format csv --columns user 2> "$work/err" |
		sed 1d | sort -u > "$work/users"
	while read -r user; do
		"$fairtop" why "pbs:$dir" "user:$user" --format csv --columns id,holds 2> "$work/err"
	done < "$work/users" > "$work/said"
	awk -F'\t' 'NR == FNR { logged[$1] = $2; next }
		{
			id = $0
			sub(/[[,].*/, "", id)
			if (!(id in logged) || id == "id") next
			if (index($0, logged[id])) print "same"
			else print id ": " logged[id] ": " $0
		}' "$work/logged" "$work/said" > "$work/result"
	same=$((same + $(grep -c '^same$' "$work/result")))
	verdict "$(basename "$dir")" "$(grep -v '^same$' "$work/result")"
done
verdict "most have waited for something ($same)" "$([ "$same" -gt 150 ] || echo "$same")"
exit $failed
