#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# fleet.sh - the overview over 100 sources: 34 recordings, 33 demos and 33 hosts behind a stand-in
# for ssh, of which 15 answer, 10 hang, 5 are dead and 3 flood:
#
#   first row  ms from the start until the first figures are painted, against the time to print one
#              source alone (target: at most 300 ms more)
#   all        ms until all that can answer have been painted (printed, not judged)
#   CPU        user + system time of all its processes at the default refresh of 30 s, as a part
#              of a core (target: at most 0.3), measured from a minute after the start
#   memory     resident (Pss) of fairtop itself, and of all its processes (printed, not judged)
#
# Part of `make bench`. BENCH_FLEET (default 60) is the number of seconds in which CPU is counted.

set -u
fairtop=${FAIRTOP:-${FAIRTOP_BUILD:-$PWD}/fairtop} seconds=${BENCH_FLEET:-60}
[ -x "$fairtop" ] || { echo "fleet: no program $fairtop (set FAIRTOP or FAIRTOP_BUILD)"; exit 1; }
command -v script > /dev/null || { echo "fleet: skipped, there is no script(1)"; exit 0; }
work=$(mktemp -d) || exit 1
export HOME=$work XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work FAIRTOP_SSH=$work/ssh
cat > "$work/ssh" <<END
#!/bin/sh
for word; do case \$word in -*|*=*) ;; *) break ;; esac; done
case \$word in
hang*) exec sleep 600 ;;
dead*) echo 'no route to host' >&2; exit 255 ;;
flood*) exec cat /dev/zero ;;
*) exec "$fairtop" serve "demo:\${word#host}" ;;
esac
END
chmod 755 "$work/ssh"

sources=()
for i in $(seq 34); do
	"$fairtop" record "demo:$i,speed=0" -o "$work/$i.recording" --count 1 > "$work/out" 2>&1 ||
		cat "$work/out"
	sources+=("$work/$i.recording")
	[ "$i" -gt 33 ] || sources+=("demo:$((100 + i))")
	case $i in
	[1-9] | 10) sources+=("ssh:hang$i/slurm") ;;
	1[1-5]) sources+=("ssh:dead$i/slurm") ;;
	1[6-8]) sources+=("ssh:flood$i/slurm") ;;
	19 | 2? | 3[0-3]) sources+=("ssh:host$i/slurm") ;;
	esac
done

now() { echo "$(($(date +%s%N) / 1000000))"; }
begun=$(now)
"$fairtop" accounts demo:1 > "$work/out" 2>&1
alone=$(($(now) - begun))

printf 'stty rows 110 cols 120; exec "%s"' "$fairtop" > "$work/run"
printf ' "%s"' "${sources[@]}" >> "$work/run"
begun=$(now)
# A keyboard on which nobody types and that stays open.
mkfifo "$work/keys" && exec 3<> "$work/keys" || exit 1
script -qfc "sh $work/run" "$work/screen" <&3 > "$work/typed" 2>&1 &
script=$!
trap 'kill $script 2> /dev/null; wait 2> /dev/null; rm -rf "$work"' EXIT

# painted ROWS: ms until that many rows are "good", not counting the word in the first line
painted()
{
	until [ "$(grep -o -a good "$work/screen" 2> /dev/null | wc -l)" -gt "$1" ]; do
		[ $(($(now) - begun)) -lt 60000 ] || break
		sleep 0.02
	done
	echo $(($(now) - begun))
}
first=$(painted 1)
all=$(painted 82)

# processes PID: the process and all of its descendants
processes()
{
	local child
	echo "$1"
	cat "/proc/$1/task"/*/children 2> /dev/null | tr ' ' '\n' | while read -r child; do
		[ -z "$child" ] || processes "$child"
	done
}
top=$(pgrep -P "$script" -x "$(basename "$fairtop")")
ticks() # with those of children that have ended
{
	for pid in $(processes "$top"); do cat "/proc/$pid/stat" 2> /dev/null; done |
		awk '{ sub(/.*\) /, ""); sum += $12 + $13 + $14 + $15 } END { print sum + 0 }'
}
pss() { for pid; do cat "/proc/$pid/smaps_rollup" 2> /dev/null; done |
	awk '$1 == "Pss:" { sum += $2 } END { printf "%.1f", sum / 1024 }'; }

awk -v first="$first" -v alone="$alone" -v all="$all" 'BEGIN {
	printf "  fleet, first row (%d ms; all 82 that answer %d ms) after one source alone " \
		"(%d ms): %d ms, target at most 300: %s\n", first, all, alone, first - alone,
		first - alone <= 300 ? "met" : "MISSED"
}'
sleep $((60 - ($(now) - begun) / 1000 > 0 ? 60 - ($(now) - begun) / 1000 : 0))
before=$(ticks) from=$(now)
sleep "$seconds"
after=$(ticks) to=$(now)
# shellcheck disable=SC2046 # a list
memory="$(pss "$top") MiB, with $(processes "$top" | wc -l) processes $(pss $(processes "$top")) MiB"
awk -v used=$((after - before)) -v ms=$((to - from)) -v hz="$(getconf CLK_TCK)" \
    -v memory="$memory" 'BEGIN {
	cores = used / hz / (ms / 1000)
	printf "  fleet, processor (memory %s): %.3f of a core, target at most 0.3: %s\n", memory,
		cores, cores <= 0.3 ? "met" : "MISSED"
}'
