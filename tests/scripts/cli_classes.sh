#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop classes` and `fairtop cycle` from outside: every waiting or running job is in exactly one
# class, excluding a component never splits one, an unknown name is a warning and not an error, and
# a cycle with classes starts the same jobs as one without.

: "${srcdir:?}" "${FAIRTOP_BUILD:?}"
fairtop=$FAIRTOP_BUILD/fairtop
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0
# shellcheck source=tests/tools/verdict.sh
. "$srcdir/tests/tools/verdict.sh"

sum()
{
	"$fairtop" classes demo --format csv --columns jobs "$@" 2> "$work/err" | tr -d '\r' |
		awk 'NR > 1 { n += $1; c++ } END { print n, c }'
}

jobs=$("$fairtop" jobs demo --format csv --columns id,state \
	--filter 'state=PENDING | state=RUNNING | state=SUSPENDED' | tr -d '\r' |
	awk -F , 'NR > 1 { seen[$1] = 1 } END { for (i in seen) n++; print n }')
read -r in_classes all <<EOF
$(sum)
EOF
verdict "every job is in one class" "$([ "$in_classes" = "$jobs" ] || echo "$in_classes in classes, $jobs jobs")"
read -r in_classes merged <<EOF
$(sum --exclude user,time_limit)
EOF
problem=
if [ "$in_classes" != "$jobs" ] || [ "$merged" -ge "$all" ]; then
	problem="$in_classes jobs in $merged classes of $all"
fi
verdict "excluding merges only" "$problem"
sum --exclude nonsense > "$work/out"
problem=
if ! grep -q 'no job asks for nonsense' "$work/err" ||
	[ "$(cut -d ' ' -f 2 "$work/out")" != "$all" ]; then
	problem=$(cat "$work/err" "$work/out")
fi
verdict "an unknown name is a warning" "$problem"
"$fairtop" cycle demo --exclude user,account,time_limit > "$work/new"
"$fairtop" cycle demo --exclude user,account,time_limit --old > "$work/old"
grep ';Job run$' "$work/new" > "$work/new.run"
grep ';Job run$' "$work/old" > "$work/old.run"
verdict "classes start the same jobs" "$(cmp "$work/new.run" "$work/old.run" 2>&1;
	[ -s "$work/old.run" ] || echo none)"
verdict "the old log considers every job" "$(awk -F ';' '/;Considering/ { c++; next }
	/^[0-9\/]+ [0-9:]+;/ { n++ } END { if (c != n || n < 100) print c " of " n }' "$work/old")"
verdict "the new log considers fewer" "$([ "$(grep -c ';Considering' "$work/new")" -lt \
	"$(grep -c ';Considering' "$work/old")" ] || echo no)"
"$fairtop" classes demo --rules nonsense 2> "$work/err"
verdict "unknown rules are exit 2" "$([ $? -eq 2 ] || echo "exit $?")"
exit $failed
