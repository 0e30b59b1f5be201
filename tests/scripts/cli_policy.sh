#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `fairtop policy`: the next usage reset in the cluster's own time zone (checked by date(1)), and
# clear notes: no multifactor plugin, no accounting database.

: "${srcdir:?}"
# shellcheck source=tests/tools/cli.sh
. "$srcdir/tests/tools/cli.sh"

# site ZONE POLICY: a snapshot of 2025-06-15 15:06:40 UTC, a Sunday
site()
{
	cat > "$work/site.snapshot" <<END
{"fairtop-snapshot":1,"kind":"slurm","cluster":"lab","time":1750000000,"zone":"$1","policy":{$2}}
{"end":{}}
END
}

# value NAME [OPTION...]: prints the value of the parameter
value()
{
	name=$1
	shift
	"$fairtop" policy "$work/site.snapshot" --filter "name=$name" --columns value \
		--format csv "$@" 2> "$work/err" | tail -n 1
}

# resets PERIOD ZONE DATE: the next reset of that period is at DATE in that zone
resets()
{
	site "$2" "\"PriorityUsageResetPeriod\":\"$1\""
	expected=$(TZ=$2 date -d "$3" +%s)
	got=$(value NextUsageReset)
	verdict "$1 in $2" "$([ "$got" = "$expected" ] || echo "at $got instead of $expected")"
	shown=$("$fairtop" policy "$work/site.snapshot" --filter name=NextUsageReset \
		--columns value | tail -n 1)
	verdict "$1 in $2, for people" "$([ "$shown" = "$3" ] || echo "'$shown' instead of '$3'")"
}

for zone in UTC America/New_York Asia/Kolkata Pacific/Auckland; do
	if [ $zone != UTC ] && [ ! -e /usr/share/zoneinfo/$zone ]; then
		echo "# no time zone $zone here"
		continue
	fi
	resets MONTHLY $zone '2025-07-01 00:00:00'
	resets QUARTERLY $zone '2025-07-01 00:00:00'
	resets YEARLY $zone '2026-01-01 00:00:00'
done
resets DAILY UTC '2025-06-16 00:00:00'
resets WEEKLY UTC '2025-06-22 00:00:00'
site UTC '"PriorityUsageResetPeriod":"NONE"'
verdict "NONE" "$(value NextUsageReset)"
site America/New_York '"PriorityUsageResetPeriod":"MONTHLY"'
was=$(TZ=America/New_York date -d '2025-07-01' +%s) is=$(TZ=America/New_York date -d '2026-01-01' +%s)
got=$("$fairtop" policy "$work/site.snapshot" --set reset_period=YEARLY --format csv \
	--filter name=NextUsageReset --columns value,what_if,difference | tail -n 1)
verdict "two resets side by side" \
	"$([ "$got" = "$was,$is,$((is - was))" ] || echo "$got instead of $was,$is,$((is - was))")"

# begins [OPTION...]: prints when the only job was submitted, for a user in Tokyo
begins()
{
	TZ=Asia/Tokyo "$fairtop" jobs "$work/job.snapshot" --columns submit "$@" | tail -n 1
}

cat > "$work/job.snapshot" <<END
{"fairtop-snapshot":1,"kind":"slurm","cluster":"lab","time":1750000000,"zone":"America/New_York","policy":{"PriorityType":"priority/multifactor","PriorityWeightAge":1000}}
{"job":{"id":1,"user":"ann","account":"a","state":"PENDING","submit":1749990000}}
{"end":{"job":1}}
END
expected=$(TZ=Asia/Tokyo date -d @1749990000 '+%F %T')
verdict "times are ours" "$([ "$(begins)" = "$expected" ] || echo "submitted '$(begins)'")"
got=$(begins --set weight.age=500)
verdict "times are ours with edits" "$([ "$got" = "$expected" ] || echo "submitted '$got'")"

# says REGEX: standard error of the last value matches
says()
{
	grep -q -E "$1" "$work/err" || echo "says $(cat "$work/err")"
}

site UTC '"PriorityType":"priority/basic"'
value PriorityType > /dev/null
verdict "priority/basic is said" "$(says '^fairtop: PriorityType: .*first in, first out')"
for verb in accounts jobs; do
	"$fairtop" $verb "$work/site.snapshot" > /dev/null 2> "$work/err"
	verdict "priority/basic is said of $verb" \
		"$(says '^fairtop: PriorityType: .*first in, first out')"
done
"$fairtop" "$work/site.snapshot" --render 120x24 > "$work/frame"
verdict "priority/basic is said on the screen" \
	"$(grep -q 'PRIORITY/BASIC' "$work/frame" || head -n 2 "$work/frame")"
site UTC '"PriorityType":"priority/multifactor"'
value PriorityType > /dev/null
verdict "priority/multifactor is not" "$(cat "$work/err")"
site UTC '"PriorityFlags":["DEPTH_OBLIVIUS"]'
for verb in accounts policy; do
	"$fairtop" $verb "$work/site.snapshot" > /dev/null 2> "$work/err"
	verdict "a flag that nobody knows is said of $verb" \
		"$(says '^fairtop: PriorityFlags: .*which was ignored')"
done
site UTC '"AccountingStorageType":"accounting_storage/none"'
value PriorityType > /dev/null
verdict "no accounting is said" "$(says '^fairtop: AccountingStorageType: no accounting database')"

site UTC '"PriorityDecayHalfLife":1209600'
verdict "base units in CSV" "$(value PriorityDecayHalfLife | grep -v -x 1209600)"

# TRES have the same names from a configuration and from a snapshot.
for weights in '"CPU=1000,Mem=0.5G,GRES/gpu=20"' '"cpu=1000,mem=0.5G,gres/gpu=20"'; do
	site UTC "\"PriorityWeightTRES\":$weights"
	verdict "the weights $weights" \
		"$(value PriorityWeightTRES | grep -v -x '"cpu=1000,mem=0.5G,gres/gpu=20"')"
done
site UTC '"PriorityWeightTRES":{"cpu":1000,"gres/gpu":20}'
verdict "weights as an object" \
	"$(value PriorityWeightTRES | grep -v -x '"cpu=1000,gres/gpu=20"')"

exit $failed
