# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# t_frozen.sh CLUSTER - slurmctld and munged are frozen (SIGSTOP) while the screen runs: the
# first makes a call of libslurm take MessageTimeout, the second makes it hang for as long as
# munged is frozen, so that only fairtop's own deadline (30 s) ends it. Also a verb against a frozen slurmctld: exit 3, with a message.

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
exit 0
