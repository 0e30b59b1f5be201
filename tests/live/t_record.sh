# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_record.sh CLUSTER - a recording of two decay passes with jobs running. The recorder is started
# on the quiet cluster, writes $LIVE_DIR/CLUSTER/recording with its first sample, and is stopped
# after the second pass that found jobs running. Then only the recording is used: `verify` at each
# of its instants may say equal (0) or name why nothing is comparable (4), but never that the
# scheduler is wrong (1). It says equal at some instants with jobs running: in Fair Tree, which is
# consistent at its passes, and otherwise by the sample of the previous pass. The usage of the last
# instant is what sshare printed at that time.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
name=$1
mark=$LIVE_DIR/$name/recording
recording=$LIVE_TMP/slurm.recording
cluster_select "$name"

jobs_run() { ! cluster_idle; }
has_sample() { "$FAIRTOP" accounts "$recording" --columns path; }

"$FAIRTOP" record slurm -o "$recording" --every 5s > "$LIVE_TMP/recorder" 2>&1 &
recorder=$!
trap 'kill $recorder 2>/dev/null' EXIT
wait_for 60 has_sample || not_ok "$name a first sample" "there is none" "$LIVE_TMP/recorder"
: > "$mark"
wait_for 120 jobs_run || {
	not_ok "$name recording" "no job is running"
	exit 0
}
began=$(date +%s)
cluster_next_pass "$name"
cluster_evaluate
cluster_next_pass "$name"
cluster_evaluate
tick=$(cluster_tick "$name")

# A sample taken after the second pass, and sshare's output before and after it.
samples() { "$FAIRTOP" history "$recording" / --format csv --columns time | sed 1d; }
later() { [ "$(samples | tail -n 1)" -gt "$1" ]; }
usage() { sshare -a -P -n -o Account,User,Partition,RawUsage; }
wait_for 120 later "$(date +%s)"
for _ in 1 2 3 4 5 6 7 8; do
	usage > "$LIVE_TMP/before"
	now=$(date +%s)
	wait_for 120 later "$((now + 1))"
	usage > "$LIVE_TMP/after"
	cmp -s "$LIVE_TMP/before" "$LIVE_TMP/after" && break
done
kill -TERM $recorder
wait $recorder
code=$?
trap - EXIT
if [ $code -eq 143 ]; then
	ok "$name the recorder ends when told to"
else
	not_ok "$name the recorder ends when told to" "exit $code" "$LIVE_TMP/recorder"
fi

# ---- the recording alone -----------------------------------------------------------------

unset SLURM_CONF
count=0 equal=0 busy_equal=0 wrong=''
for time in $(samples); do
	run "$FAIRTOP" verify "$recording" --at "$time"
	count=$((count + 1))
	case $code in
	0)
		equal=$((equal + 1))
		[ "$time" -gt "$began" ] && busy_equal=$((busy_equal + 1))
		;;
	4)
		grep -Eiq 'pass|running|evaluat|restart|jobs' "$LIVE_TMP/out" "$LIVE_TMP/err" ||
			wrong="$wrong $time: no reason;"
		;;
	*)
		wrong="$wrong $time: exit $code;"
		cp "$LIVE_TMP/out" "$LIVE_TMP/out.wrong"
		;;
	esac
done
say "$name: $count samples, $equal of them equal, $busy_equal with jobs running"
if [ -n "$wrong" ]; then
	not_ok "$name verify at each instant" "$wrong" "$LIVE_TMP/out.wrong"
elif [ $count -lt 4 ]; then
	not_ok "$name verify at each instant" "only $count samples up to the pass at $tick"
else
	ok "$name verify at each instant"
fi
if [ $busy_equal -gt 0 ]; then
	ok "$name equal while jobs run"
else
	not_ok "$name equal while jobs run" "at none of $count instants"
fi

# Accounts and users by name; sshare truncates the fraction. A comma would split columns.
names()
{
	"$FAIRTOP" accounts "$recording" --format csv --columns account,user,partition,usage |
		sed '1d; /^"/d' | awk -F, '{ printf "%s|%s|%s|%d\n", $1, $2, $3, $4 }' | sort
}
names > "$LIVE_TMP/ours"
sed 's/^ *//; /,/d' "$LIVE_TMP/after" | sort > "$LIVE_TMP/theirs"
if ! cmp -s "$LIVE_TMP/before" "$LIVE_TMP/after"; then
	say "$name: sshare's figures moved all the time, nothing to compare with"
elif diff "$LIVE_TMP/ours" "$LIVE_TMP/theirs" > "$LIVE_TMP/diff"; then
	ok "$name the usage recorded last is sshare's"
else
	not_ok "$name the usage recorded last is sshare's" "it is not" "$LIVE_TMP/diff"
fi
exit 0
