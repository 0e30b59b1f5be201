#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Metrics from outside: the values are those of the accounts table, Prometheus' own promtool accepts
# the output (skipped without it), the limit of series, the file and what it must not replace,
# --every until a signal, a source that fails and comes back. Needs no cluster.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"
data=$srcdir/tests/data
cd "$work" || exit 1

# same_numbers SOURCE METRIC COLUMN [KIND]: METRIC is COLUMN of the accounts table in every row
same_numbers()
{
	"$fairtop" metrics "$1" --users | sed -n -E \
		"s/^fairtop_(${4:-account|user})_$2\{.*path=\"([^\"]*)\".*\} (.*)/\2,\3/p" | sort > ours
	"$fairtop" accounts "$1" --format csv --columns "path,$3" --filter "$3!=unknown" |
		sed -e 1d -e '/,parent$/d' -e 's/,inf$/,+Inf/' | sort > theirs
	verdict "$2 is the column $3 of $1" "$([ -s ours ] || echo none; cmp ours theirs 2>&1)"
}
lsf=lsf:$data/lsf/volclava/t3
for metric in shares:shares norm_shares:norm_shares usage_tres_seconds:usage \
	effective_usage:effective_usage effective_ratio:effective_ratio fairshare:fairshare \
	running_jobs:running pending_jobs:pending; do
	same_numbers demo "${metric%:*}" "${metric#*:}"
done
same_numbers demo rank rank user
same_numbers "$data/cli/fairtree.snapshot" level_fs level_fs
same_numbers "pbs:$data/pbs/01_main" usage_perc usage_perc
same_numbers "$lsf" dynamic_priority dynamic_priority

"$fairtop" metrics demo > out
verdict "accounts alone, unless asked for more" "$(grep -E 'user=|fairtop_user' out | head -n 2)"
verdict "no job numbers" "$(grep -i -E 'job(id)?="|141[0-9]{3}"' out | head -n 2)"
"$fairtop" metrics demo --filter user=alice > out
verdict "users by a filter" "$(grep -q '^fairtop_user_fairshare.*user="alice"' out || cat out
	grep -E '^fairtop_account_' out)"
verdict "verify is told where it compares" "$("$fairtop" metrics "$data/cli/fairtree.snapshot" |
	grep -q -x 'fairtop_verify_differs{cluster="lab"} 0' || echo no)"
"$fairtop" lint demo --format csv --columns severity | sed 1d > found
"$fairtop" metrics demo > out
verdict "lint's result" "$(for severity in error warning; do
	grep -q "^fairtop_lint_problems{.*\"$severity\"} $(grep -c $severity found)\$" out ||
		echo "$severity"; done)"

# Several sources, and a recording.
"$fairtop" metrics demo "$data/cli/fairtree.snapshot" > out 2> err
verdict "two sources, each with its cluster" "$([ "$(grep -c '^# HELP fairtop_account_shares ' out)" \
	-eq 1 ] && grep -q '^fairtop_account_shares{cluster="demo",path="/physics"' out &&
	grep -q '^fairtop_account_shares{cluster="lab",path="/' out || cat err)"
"$fairtop" metrics demo demo:2 > out 2> err
verdict "not two of one name" "$([ $? -eq 2 ] || echo "exit $?"; cat out
	grep -q "demo and demo:2: both are of cluster 'demo'" err || cat err)"
"$fairtop" record demo:step=30 -o demo.rec --count 3 2> err
"$fairtop" metrics demo.rec > out 2>> err
verdict "waits of those that were seen to begin" "$(awk '
	/^fairtop_partition_wait_seconds_count/ { p += $2; n++ }
	/^fairtop_qos_wait_seconds_count/ { q += $2 }
	END { if (n < 4 || p != q) print n, p, q }' out)"

# The limit of series, and an output file that is in the way.
"$fairtop" metrics demo --series 10 > out 2> err
verdict "too many series are refused" "$([ $? -eq 2 ] || echo "exit $?"; cat out
	grep -q 'metrics: [0-9]* series are more than 10 (expected .*--series)' err || cat err)"
verdict "a file is written" "$("$fairtop" metrics demo -o site.prom 2>&1 || echo no
	[ -s site.prom ] || echo empty)"
verdict "nothing is left beside it" "$(ls site.prom.* 2> /dev/null)"
echo mine > mine.prom
for file in mine.prom /dev/null; do
	"$fairtop" metrics demo -o $file > out 2> err
	verdict "$file is not replaced" "$([ $? -eq 2 ] || echo "exit $?"
		grep -q 'already exists' err || cat err)"
done
verdict "what was there stays" "$(grep -v -x mine mine.prom)$([ -c /dev/null ] || echo gone)"

shown='loop.prom err'	# by until_so
has() { grep -q -E "$1" loop.prom 2> /dev/null; }
# shellcheck disable=SC2317 # called by until_so
renewed() { [ "$(stat -c %i%y loop.prom)" != "$1" ]; }

# A source on another host that can be switched off.
mkdir bin
printf '#!/bin/sh\n[ -e up ] || exit 255\nexec "%s" serve demo\n' "$fairtop" > bin/ssh
chmod +x bin/ssh
PATH=$work/bin:$PATH "$fairtop" metrics ssh:there/demo -o loop.prom --every 1s 2> err &
loop=$!
until_so "a source that does not answer is told" has '^fairtop_source_up{source="ssh:there/demo"} 0$'
verdict "and nothing else of it" "$(grep -E '^fairtop_(account|partition|source_t)' loop.prom)"
touch up
until_so "it comes" has '^fairtop_source_up{cluster="demo",source="ssh:there/demo"} 1$'
verdict "with its accounts" "$(has '^fairtop_account_fairshare{cluster="demo",path="/physics"' ||
	echo no)"
id=$(stat -c %i%y loop.prom)
until_so "it is written again and again" renewed "$id"
rm up
until_so "old numbers do not stay" has '^fairtop_source_up{source="ssh:there/demo"} 0$'
verdict "none of them" "$(grep '^fairtop_account' loop.prom)"
stop TERM $loop
verdict "SIGTERM ends it" "$([ $status -eq 143 ] || echo "exit $status")"

# The shipped rules and dashboard use only existing metrics; a histogram has three.
for file in prometheus/fairtop.rules.yml grafana/fairtop.json; do
	grep -o -E 'fairtop_[a-z_]+' "$srcdir/packaging/$file" |
		sed 's/\(_wait_seconds\)_[a-z]*$/\1/' | sort -u > asked
	verdict "$file asks for metrics that there are" "$([ "$(wc -l < asked)" -gt 4 ] || echo few
		while read -r metric; do
			grep -q -E "^\.It .*$metric( |\$)" "$FAIRTOP_BUILD/doc/fairtop-metrics.1" || echo "$metric"
		done < asked)"
done

# Hostile names; the unit test reads them back.
sed -e 's/"account":"physics"/"account":"a\\"b\\\\c\\nd\\u00fc}"/g' "$data/demo.snapshot" > strange.snapshot
if ! command -v promtool > /dev/null; then
	echo "skipped: there is no promtool (Debian: prometheus)"
	exit $failed
fi
for source in demo "$data/cli/fairtree.snapshot" "$data/cli/depthobl.snapshot" strange.snapshot \
	"pbs:$data/pbs/01_main" "$lsf"; do
	"$fairtop" metrics "$source" --users 2> err > out
	verdict "promtool takes $source" "$([ -s out ] || cat err; promtool check metrics < out 2>&1)"
done
verdict "promtool takes the alerts" "$(promtool check rules \
	"$srcdir/packaging/prometheus/fairtop.rules.yml" > out 2>&1 || cat out)"
cp "$srcdir/packaging/prometheus/fairtop.rules.yml" "$data/prometheus-alerts.yml" .
verdict "each alert begins and ends" "$(promtool test rules prometheus-alerts.yml > out 2>&1 ||
	cat out)"
verdict "promtool takes a failure" "$(promtool check metrics < loop.prom 2>&1)"
exit $failed
