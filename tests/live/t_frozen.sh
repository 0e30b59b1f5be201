# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_frozen.sh CLUSTER - slurmctld and munged are frozen (SIGSTOP) while the screen runs: the first
# makes a call of libslurm take MessageTimeout, the second makes it hang for as long as munged is
# frozen, so that only fairtop's own deadline (30 s) ends it. Also a verb against a frozen
# slurmctld: exit 3, with a message. And with a long timeout in slurm.conf, so that the answer comes
# when slurmctld is thawed: the header shows that a request is under way, the next pause is no
# longer than the answer took, and the recorder reports its interval.

. "$LIVE_HOME/lib.sh"
. "$LIVE_HOME/cluster.sh"
. "$LIVE_HOME/screen.sh"
. "$LIVE_HOME/hazard.sh"
name=$1
cluster_select "$name"
slurmctld=$LIVE_DIR/$name/run/slurmctld.pid
munged=$LIVE_DIR/run/munged.pid

hazard_open "$name" || exit 0

daemon_freeze "$slurmctld"
hazard_holds "$name slurmctld frozen" 45
RUN_DEADLINE=120 expect_exit "$name verb while slurmctld is frozen" 3 "$FAIRTOP" accounts slurm
if grep -q '^fairtop: ' "$LIVE_TMP/err" && [ ! -s "$LIVE_TMP/out" ]; then
	ok "$name verb while slurmctld is frozen says so"
else
	not_ok "$name verb while slurmctld is frozen says so" "no message, or output beside it" \
	    "$LIVE_TMP/err" "$LIVE_TMP/out"
fi
daemon_thaw "$slurmctld"
hazard_over "$name slurmctld thawed" 60

# refreshed by hand: after a slow reply fairtop itself pauses longer
daemon_freeze "$munged"
screen_keys watch r
hazard_holds "$name munged frozen" 45
daemon_thaw "$munged"
hazard_over "$name munged thawed" 60

hazard_close "$name"

# ---- one slow answer ---------------------------------------------------------------------

conf=$LIVE_DIR/$name/patient/slurm.conf
mkdir -p "${conf%/*}"
sed 's/^MessageTimeout=.*/MessageTimeout=100/' "$SLURM_CONF" > "$conf"
# An age in the header that is more than twice the time of the answer plus a refresh.
OLD='… +([3-9]0 s|[0-9]+ min)'

hazard_open "$name" "$conf" || exit 0
"$FAIRTOP" record "slurm:$conf" -o "$LIVE_TMP/slow.rec" --every 1s 2> "$LIVE_TMP/record.err" &
recorder=$!
wait_for 60 test -s "$LIVE_TMP/slow.rec"
daemon_freeze "$slurmctld"
screen_expect "$name slow answer: the header says that it is asked" watch "$HANDLED" ' s, asking'
sleep 8
daemon_thaw "$slurmctld"
screen_expect "$name slow answer: it comes" watch "$HANDLED" ' now$'
if wait_for 35 screen_shows watch "$OLD"; then
	screen_text watch > "$LIVE_TMP/screen.txt"
	not_ok "$name slow answer: next request soon" "old figures stay" "$LIVE_TMP/screen.txt"
else
	ok "$name slow answer: next request soon"
fi
kill -TERM "$recorder"
wait "$recorder"
hazard_close "$name"
if grep -Eq 'an answer took [0-9]+ s: a sample every [0-9]+ s now, instead of 1 s' "$LIVE_TMP/record.err" &&
    grep -q 'a sample every 1 s again' "$LIVE_TMP/record.err"; then
	ok "$name slow answer: the recorder says what it keeps"
else
	not_ok "$name slow answer: the recorder says what it keeps" "it does not" \
	    "$LIVE_TMP/record.err"
fi
exit 0
