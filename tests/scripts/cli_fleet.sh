#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Several sources for one verb: the rows of each are the same as for it alone, with the cluster's
# name in front; a source that does not answer is reported and left out.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"

demo=demo:3,speed=0
pbs=pbs:$srcdir/tests/data/pbs/01_main

# both VERB COLUMNS: their CSV is that of each alone, after the name
both()
{
	"$fairtop" "$1" "$demo" "$pbs" --format csv --columns "cluster,$2" > "$work/both" 2> "$work/err"
	{
		"$fairtop" "$1" "$demo" --format csv --columns "$2" | sed '1s/^/cluster,/; 2,$s/^/demo,/'
		"$fairtop" "$1" "$pbs" --format csv --columns "$2" | sed '1d; s/^/pbshead,/'
	} > "$work/each" 2>> "$work/err"
	verdict "$1 of two sources" "$([ "$(wc -l < "$work/both")" -gt 20 ] || cat "$work/err"
		diff "$work/each" "$work/both" | head -n 4)"
}
both accounts path,user,shares,norm_shares,usage,fairshare,running
both jobs id,rank,user,state,priority,submit

"$fairtop" jobs "$demo" "$pbs" > "$work/out" 2> "$work/err"
verdict "a queue from its head, cluster by cluster" "$(
	awk 'NR > 1 && $1 != last { printf "%s %s ", $1, $2; last = $1 }' "$work/out" |
		grep -q -x 'demo 1 pbshead 1 ' || head -n 3 "$work/out")"
verdict "one filter for all" "$("$fairtop" jobs "$demo" "$pbs" --filter cluster=pbshead --format csv \
	--columns cluster 2> "$work/err" | sort -u | tr '\n' ' ' | grep -q -x 'cluster pbshead ' ||
	cat "$work/err")"
verdict "JSON tells each source" "$("$fairtop" accounts "$demo" "$pbs" --format json 2> "$work/err" |
	head -n 1 | grep -q '"sources":\[{"source":{"kind":"demo",.*{"source":{"kind":"pbs",' ||
	cat "$work/err")"
verdict "clusters of one name are told apart" "$("$fairtop" accounts "$demo" demo:4,speed=0 \
	--format csv --columns cluster 2> "$work/err" | sort -u | tr '\n' '|' |
	grep -q -x 'cluster|demo (demo:3,speed=0)|demo (demo:4,speed=0)|' || cat "$work/err")"

mkdir "$work/empty"
"$fairtop" accounts "$demo" "slurm:$work/none" > "$work/out" 2> "$work/err"
verdict "a file that is not there ends all" "$([ $? -eq 2 ] && [ ! -s "$work/out" ] ||
	cat "$work/err")"
PATH=$work/empty "$fairtop" accounts pbs "$demo" --format csv > "$work/out" 2> "$work/err"
verdict "a source without an answer is told and left out" "$([ $? -eq 3 ] &&
	grep -q '^fairtop: pbs: ' "$work/err" && [ "$(wc -l < "$work/out")" -gt 20 ] ||
	cat "$work/err")"
"$fairtop" accounts "$demo" "$demo" > "$work/out" 2> "$work/err"
verdict "no source twice" "$([ $? -eq 2 ] && grep -q 'is named twice' "$work/err" ||
	cat "$work/err")"
"$fairtop" accounts "$demo" "$pbs" --set weight.age=1 > "$work/out" 2> "$work/err"
verdict "edits are of one cluster" "$([ $? -eq 2 ] && grep -q 'expected one SOURCE' "$work/err" ||
	cat "$work/err")"

# The child that reads the first is sandboxed, which must not prevent the start of the next.
printf '#!/bin/sh\nexec "%s" serve demo:4\n' "$fairtop" > "$work/ssh"
chmod 755 "$work/ssh"
FAIRTOP_SSH=$work/ssh "$fairtop" accounts "$pbs" ssh:other/demo:4 --format csv \
	--columns cluster > "$work/out" 2> "$work/err"
verdict "a live source behind a saved one" "$([ $? -eq 0 ] &&
	[ "$(sort -u "$work/out" | wc -l)" -eq 3 ] || cat "$work/err")"
exit $failed
